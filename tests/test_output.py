"""The option -o of every command: the files that it names are written, and any other is refused before any work."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer.main

from pitboss.cli import app
from pitboss.cli.options import PAPER
from pitboss.names import shortened
from tests.test_cli import Ran

OTHER_FILES = frozenset(
    {"report", "shift-report", "submission new"}
)  # fmt: skip
"""Commands that write files of their own kinds and don't name all of them in their help."""
FOLDER = "shift-report"


def commands(command: Any, words: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every command with the option, by its words."""
    if hasattr(command, "commands"):
        for name, each in command.commands.items():
            yield from commands(each, (*words, name))
    elif any("--output" in parameter.opts for parameter in command.params):
        yield words, command


WITH_OUTPUT = dict(commands(typer.main.get_command(app)))
PAPERS = [words for words in WITH_OUTPUT if " ".join(words) not in OTHER_FILES]


def asked(words: tuple[str, ...], tmp_path: Path, output: Path) -> Ran:
    """The command with what isn't there: a submission, a game, a ledger."""
    command = WITH_OUTPUT[words]
    given = [*words]
    for parameter in command.params:
        if parameter.param_type_name == "argument" and parameter.required:
            given.append("1" if parameter.metavar == "ROUND" else "nothing")
        elif "--db" in parameter.opts:
            given += ["--db", f"sqlite:///{tmp_path}/nothing.db"]
        elif "--state" in parameter.opts:
            given += ["--state", "NJ"]
    return Ran(*given, "-o", output)


def kinds(words: tuple[str, ...]) -> set[str]:
    """The endings that the help of the option names."""
    option = next(each for each in WITH_OUTPUT[words].params if "--output" in each.opts)
    return set(re.findall(r"\.([a-z]+)\b", option.help))


def test_every_paper_is_every_kind_of_file() -> None:
    assert {" ".join(words) for words in PAPERS} >= {
        "settle", "deal", "audit replay", "audit find", "audit significant", "audit slips", "audit slip",
        "school exam", "school progress", "school class", "sign", "layout", "form", "petition", "design", "protect",
    }  # fmt: skip
    assert {words: set(PAPER) - kinds(words) for words in PAPERS} == {words: set() for words in PAPERS}


@pytest.mark.parametrize("words", WITH_OUTPUT, ids=" ".join)
def test_a_file_that_is_not_written_is_refused_before_any_work(words: tuple[str, ...], tmp_path: Path) -> None:
    there = tmp_path / f"there.{min(kinds(words), default='html')}"
    there.write_text("mine")
    refused = [there] if kinds(words) or words == (FOLDER,) else []
    refused += [] if words == (FOLDER,) else [tmp_path / "paper.docx", tmp_path / "paper"]
    for file in refused:
        ran = asked(words, tmp_path, file)
        assert ran.code == 2, ran.out
        assert ran.err.startswith((f"pitboss: {file}", f"pitboss: {shortened(str(file))}")), ran.err
        assert ran.err.endswith(".\n")
    assert there.read_text() == "mine"
    assert [*tmp_path.iterdir()] == [there]


@pytest.mark.parametrize("words", PAPERS, ids=" ".join)
def test_a_file_of_a_kind_that_is_named_is_not_refused(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("builtins.input", lambda _: "q")
    for kind in kinds(words):
        ran = asked(words, tmp_path, tmp_path / f"paper.{kind.upper()}")
        assert "name a file" not in ran.err
        assert ran.code == 0 or re.search("nothing", ran.err), ran.err
