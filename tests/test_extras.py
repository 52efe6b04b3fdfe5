"""Without an optional part: every command says in one sentence what to install, and nothing else breaks."""

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from pitboss.cli import main
from pitboss.extras import MODULES

ROOT = Path(__file__).parent.parent
TABLE = str(ROOT / "examples" / "house.toml")
COMMANDS: dict[str, tuple[str, ...]] = {
    "edge": ("edge", "three-card-poker", "--wager", "pairs_plus", "--paytable", "A"),
    "hand": ("hand", "three-card-poker", "Qs 6d 4c"),
    "strategy": ("strategy", "three-card-poker"),
    "target": ("target", "three-card-poker", "1", "2", "--wager", "pairs_plus"),
    "progressive": ("progressive", "three-card-poker", "three_card_progressive"),
    "joint": ("joint", "three-card-poker", "main", "pairs_plus"),
    "simulate": ("simulate", "three-card-poker", "--rounds", "1e3"),
    "cluster": ("simulate", "three-card-poker", "--rounds", "1e3", "--strategy", "always", "--cluster", "local"),
    "shift-report": (
        "shift-report",
        "three-card-poker",
        "--rounds",
        "5",
        "--shifts",
        "5",
        "--strategy",
        "always",
        "-o",
        "OUTPUT",
    ),
    "bankroll": ("bankroll", "roulette", "--wager", "red=10"),
    "sign": ("sign", "SUBMISSION"),
    "layout": ("layout", "SUBMISSION"),
    "form": ("form", "SUBMISSION"),
    "report": ("report", "SUBMISSION"),
    "serve": ("serve", "--host", "256.0.0.1"),
    "postgres": ("serve", "--db", "postgresql://nobody@127.0.0.1:1/none"),
    "demo-shift": ("demo-shift", "--db", "LEDGER", "--rounds", "1"),
    "verify": ("audit", "verify", "--db", "LEDGER"),
    "replay": ("audit", "replay", "t1", "--db", "LEDGER"),
    "export": ("audit", "export", "--db", "LEDGER"),
    "significant": ("audit", "significant", "--db", "LEDGER"),
    "backup": ("audit", "backup", "OUTPUT", "--db", "LEDGER"),
    "restore": ("audit", "restore", "SUBMISSION", "--db", "LEDGER"),
    "verify-deal": ("verify-deal", "t1", "1", "--db", "LEDGER"),
    "games": ("games",),
    "deal": ("deal", "three-card-poker", "--seed", "1"),
    "pdf": ("deal", "three-card-poker", "-o", "OUTPUT.pdf"),
    "html": ("deal", "three-card-poker", "-o", "OUTPUT.html"),
    "xlsx": ("deal", "three-card-poker", "-o", "OUTPUT.xlsx"),
    "law": ("law", "show", "641a.11(c)"),
    "lint": ("law", "lint"),
    "new": ("submission", "new", "three-card-poker"),
    "check": ("submission", "check", "SUBMISSION"),
}
EXACT = {"edge", "hand", "strategy", "target", "progressive", "joint", "simulate", "cluster", "shift-report", "form",
         "report", "bankroll"}  # fmt: skip
LEDGER = {"serve", "postgres", "demo-shift", "verify", "replay", "export", "significant", "backup", "restore",
          "verify-deal"}  # fmt: skip
WANTED: dict[str, tuple[str, set[str]]] = {
    "numpy": ("exact", EXACT),
    "numba": ("exact", EXACT),
    "sqlalchemy": ("ledger", LEDGER),
    "alembic": ("ledger", {"demo-shift"}),
    "argon2": ("ledger", {"serve", "demo-shift"}),
    "psycopg": ("postgres", {"postgres"}),
    "fastapi": ("web", {"serve", "postgres", "demo-shift"}),
    "uvicorn": ("web", {"serve", "postgres"}),
    "matplotlib": ("reports", {"shift-report"}),
    "typst": ("reports", {"pdf"}),
    "jinja2": ("reports", {"html"}),
    "xlsxwriter": ("reports", {"xlsx"}),
    "distributed": ("cluster", {"cluster"}),
    "dask": ("cluster", {"cluster"}),
    "anyio": ("web", {"serve", "postgres"}),
}
"""What each module is missed by. The last is no part of ours, but of a library that an extra brings."""

RUNNER = """
import contextlib, importlib.abc, io, json, sys, traceback

hidden = sys.argv[1]

class Hidden(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == hidden:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
        return None

sys.meta_path.insert(0, Hidden())
from pitboss.cli import main

found = {}
for name, words in json.loads(sys.argv[2]).items():
    sys.argv = ["pitboss", *words]
    out, err, code = io.StringIO(), io.StringIO(), None
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main()
        except SystemExit as ended:
            code = ended.code or 0
        except BaseException:
            traceback.print_exc()
    found[name] = [code, err.getvalue()]
json.dump(found, sys.stdout)
"""


def ran_without(module: str, folder: Path, names: set[str]) -> dict[str, tuple[Any, str]]:
    places = {"SUBMISSION": TABLE, "LEDGER": f"sqlite:///{folder}/ledger.db", "OUTPUT": str(folder / "out")}
    places |= {f"OUTPUT.{kind}": str(folder / f"out.{kind}") for kind in ("pdf", "html", "xlsx")}
    commands = {name: [places.get(word, word) for word in words] for name, words in COMMANDS.items() if name in names}
    environment = {**os.environ, "XDG_DATA_HOME": str(folder), "PITBOSS_ANCHORS": str(folder / "anchors")}
    command = [sys.executable, "-c", RUNNER, module, json.dumps(commands)]
    ran = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=120, check=False)
    assert ran.returncode == 0, ran.stderr
    return {name: (code, said) for name, (code, said) in json.loads(ran.stdout).items()}


@pytest.mark.parametrize("module", WANTED)
def test_a_command_says_what_to_install(module: str, tmp_path: Path) -> None:
    extra, needing = WANTED[module]
    for name, (code, said) in ran_without(module, tmp_path, needing).items():
        assert "Traceback" not in said, (name, said)
        last = said.strip().splitlines()[-1]
        assert f"pip install 'pitboss[{extra}]'" in last, (name, said)
        assert last.startswith("pitboss: "), (name, said)
        assert code == (0 if module == "matplotlib" else 2), (name, code, said)


def test_other_commands_do_not_need_it(tmp_path: Path) -> None:
    """What is law, not mathematics or record, runs with nothing but the program itself."""
    plain = {"games", "deal", "law", "lint", "new", "check", "sign", "layout"}
    for module, names in (("numpy", plain), ("sqlalchemy", plain - {"lint"})):  # with numpy it computes every hold
        for name, (code, said) in ran_without(module, tmp_path, names).items():
            assert (code, "Traceback" in said) == (0, False), (module, name, said)


def test_two_missing_extras_are_named_together() -> None:
    script = "import sys; sys.modules['sqlalchemy'] = None; sys.argv[1:] = ['serve']; from pitboss.cli import main; "
    hide = "sys.modules['uvicorn'] = None; sys.modules['fastapi'] = None; main()"
    ran = subprocess.run([sys.executable, "-c", script + hide], capture_output=True, text=True, check=False)
    assert ran.returncode == 2
    assert "pip install 'pitboss[ledger,web]'" in ran.stderr


def test_the_map_is_that_of_the_package() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    named = {"argon2-cffi": "argon2", "psycopg[binary]": "psycopg"}
    for extra, modules in MODULES.items():
        wanted = {re.split("[<>=]", name)[0] for name in declared[extra]}
        assert set(modules) <= {named.get(name, name) for name in wanted}
    assert {"batch", "test", "bench", "docs", "fuzz", *MODULES} == set(declared)


ADDRESSES = {
    "mysql://host/x": "not known here",
    "ledger.db": "not a database address",
    "sqlite:///FOLDER/nowhere/x.db": "FOLDER/nowhere",
    "sqlite:///FOLDER": "FOLDER",
    "sqlite:///FOLDER/text.db": "not a SQLite database",
    "sqlite://": "needs a file",
    "postgresql://nobody:secret@127.0.0.1:1/x": "does not answer",
    "postgresql://nobody:secret@no-such-host.invalid/x": "does not answer",
    "postgresql://nobody:secret@127.0.0.1:port/x": "not a database address",
}
WITH_A_LEDGER = ("serve", "demo-shift", "verify", "replay", "export", "significant", "backup", "verify-deal")


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("name", WITH_A_LEDGER)
def test_a_bad_address_is_a_sentence(
    name: str, address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "text.db").write_text("this is no database, but long enough to be mistaken for one " * 30)
    places = {"OUTPUT": str(tmp_path / "out")}
    words = [places.get(word, word) for word in COMMANDS[name]]
    if "--db" in words:
        del words[words.index("--db") : words.index("--db") + 2]
    monkeypatch.setattr(sys, "argv", ["pitboss", *words, "--db", address.replace("FOLDER", str(tmp_path))])
    with pytest.raises(SystemExit) as ended:
        main()
    said = capsys.readouterr().err
    assert ended.value.code == 2
    assert said.startswith("pitboss: ")
    assert ADDRESSES[address].replace("FOLDER", str(tmp_path)) in said
    assert "secret" not in said
    assert "Traceback" not in said
