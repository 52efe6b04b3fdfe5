# Two commands on a fresh machine: `make run` and `make test`. Each sets up what it needs first.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
BASE := batch,exact,ledger,postgres,web,reports,cluster,poker
# One more than two cores: tests also wait, for browsers and databases. Files run in their order: by their number of tests, the few
# that are slow came last, with nothing beside them.
WORKERS ?= 3
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt

.PHONY: run test setup lint format browser proofs breaks notes counts docs bench torture clean

run: $(VENV)/.base
	@$(BIN)/pitboss serve --demo

setup: $(VENV)/.test

# Tests start hundreds of programs, which would each compile every module again where Python may not write bytecode.
test: export PYTHONDONTWRITEBYTECODE =
test: lint browser
	$(BIN)/python -m pytest -q -n $(WORKERS) --dist loadfile --no-loadscope-reorder

# The browser of the tests: Debian's Chromium without windows, installed where we may; elsewhere its tests are skipped and say so.
browser:
	@command -v chromium-headless-shell > /dev/null || command -v chromium > /dev/null || { [ "$$(id -u)" = 0 ] \
	  && command -v apt-get > /dev/null && apt-get install -y -q chromium-headless-shell > /dev/null; } \
	  || echo "Chromium is not installed; browser tests are skipped."

# The promises of docs/reliability.md at their full counts; hours on a small machine.
torture: $(VENV)/.test
	$(INSTALL) --editable '.[fuzz]'
	PITBOSS_TORTURE=1 $(BIN)/python -m pytest -q tests/ledger tests/table
	for script in scripts/p[0-9]*.py scripts/every_*.py; do echo "== $$script"; $(BIN)/python $$script || exit 1; done

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

format: $(VENV)/.test
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# Which test proves which paragraph: written from the marks of the tests, shipped with the package; then the transcripts of the docs.
proofs: $(VENV)/.test
	PITBOSS_PROOFS=1 $(BIN)/python -m pytest -q --collect-only > /dev/null
	PITBOSS_DOCS=1 $(BIN)/python -m pytest -q tests/test_docs.py

# What noticed each break of each paragraph: written by breaking the law, one value or function at a time. Only what has changed
# is broken again; all of it takes about a quarter of an hour of processor time. TEXTS: the folder with the texts of the law.
TEXTS ?= ../shared/law
breaks: $(VENV)/.test
	$(BIN)/python -m scripts.break_law --texts $(TEXTS) || true
	PITBOSS_DOCS=1 $(BIN)/python -m pytest -q tests/test_docs.py

# docs/law-notes.md from the notes in the law files.
notes: $(VENV)/.base
	$(BIN)/python -c 'from pitboss.law.notes import notes_page; print(notes_page(), end="")' > docs/law-notes.md

# The counts of the law's own tables, which come with the package: some ten minutes and 4 GB.
counts: $(VENV)/.test
	$(BIN)/python -m scripts.counts

# The documentation as a site, in build/site; a link that leads nowhere stops it.
docs: $(VENV)/.test
	$(BIN)/python -m scripts.reference
	$(BIN)/mkdocs build --strict

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
	$(INSTALL) --editable '.[$(BASE),gym,docs,test]'
	@touch $@

$(VENV)/.bench: $(VENV)/.test
	$(INSTALL) --editable '.[bench]'
	@touch $@
