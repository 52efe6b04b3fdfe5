# Two commands on a fresh machine: `make run` and `make test`. Each sets up what it needs first.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
BASE := batch,exact,ledger,postgres,web
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

.PHONY: run test setup lint format proofs notes bench clean

run: $(VENV)/.base
	@$(BIN)/pitboss demo

setup: $(VENV)/.test

test: lint
	$(BIN)/python -m pytest -q -n 2

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(VENV)/.test
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# Which test proves which paragraph: written from the marks of the tests, shipped with the package.
proofs: $(VENV)/.test
	PITBOSS_PROOFS=1 $(BIN)/python -m pytest -q --collect-only > /dev/null

# docs/law-notes.md from the notes in the law files.
notes: $(VENV)/.base
	$(BIN)/python -c 'from pitboss.law.notes import notes_page; print(notes_page(), end="")' > docs/law-notes.md

bench: $(VENV)/.bench
	$(BIN)/python -m bench

clean:
	rm -rf $(VENV) build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis src/*.egg-info

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "pitboss needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.base: $(BIN)/python pyproject.toml constraints.txt
	$(INSTALL) --editable '.[$(BASE)]'
	@touch $@

$(VENV)/.test: $(VENV)/.base
	$(INSTALL) --editable '.[$(BASE),test]'
	@touch $@

$(VENV)/.bench: $(VENV)/.test
	$(INSTALL) --editable '.[bench]'
	@touch $@
