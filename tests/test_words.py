"""No internal name reaches a reader: sentences of the record, papers, and the sentences that the program is made of."""

import ast
import re
from collections.abc import Iterator
from datetime import date
from html import unescape
from pathlib import Path

import pytest

import pitboss
from pitboss.games.registry import GAMES
from pitboss.ledger.store import Store
from pitboss.ledger.telling import tell
from pitboss.reports.form import form_html
from pitboss.reports.layout import layout_svg
from pitboss.reports.sign import sign_html
from pitboss.submission import read_submission, rules_of, template
from pitboss.submission.check import check
from pitboss.table.roles import Role
from tests.ledger.house import House
from tests.table.driver import CARD_GAMES

DAY = date(2026, 1, 1)
SOURCE = Path(pitboss.__file__).parent
INTERNAL = re.compile(r"[a-z]_[a-z]|\b[a-z]+[A-Z][a-z]+\b|\b(?:SettleTurns|DealCards|MakeDecision|NoMoreBets)\b")
WRONG = re.compile(r"\byou (?:has|is|does)\b|\b1 (?:chips|players|cards|rounds|seats|findings|wagers)\b")
GAME_NAMES = re.compile("|".join(name for name in GAMES if "-" in name))


def faults(text: str) -> list[str]:
    return [found.group() for pattern in (INTERNAL, WRONG, GAME_NAMES) for found in pattern.finditer(text)]


def read(markup: str) -> str:
    """What of a paper is read: neither its styles nor the names of its parts."""
    return unescape(re.sub(r"<[^>]*>", " ", re.sub(r"<(style|script).*?</\1>", " ", markup, flags=re.DOTALL)))


@pytest.mark.parametrize("game", GAMES)
def test_papers_use_the_law_s_words(game: str) -> None:
    submission = read_submission(template(game, DAY))
    rules, _ = rules_of(submission)
    assert rules is not None
    for paper in (sign_html(submission, rules), form_html(submission), layout_svg(submission, rules)):
        assert faults(read(paper)) == []
    assert [found for finding in check(submission) for found in faults(finding.sentence)] == []


@pytest.mark.parametrize("game", CARD_GAMES)
def test_the_record_of_a_round_is_told_in_words(game: str, tmp_path: Path) -> None:
    with Store(f"sqlite:///{tmp_path}/ledger.db") as store:
        house = House(store).opened("t1", game)
        house.round("t1")
        house.act("t1", Role.PLAYER, "open_table", "p1", submission="")
        with store.reading() as reading:
            told = {event.kind: tell(event) for event in reading.events()}
    assert "permission.refused" in told
    assert {kind: faults(sentence) for kind, sentence in told.items() if faults(sentence)} == {}


def sentences() -> Iterator[tuple[str, str]]:
    """Every sentence that is written in the program, without what is put into it when it is said."""
    for path in sorted(SOURCE.rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        documented = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in documented:
                text = node.value
                if re.match(r"[A-Z][a-z]* [a-z]", text) and text.rstrip().endswith((".", ":", ",")):
                    yield path.relative_to(SOURCE).as_posix(), text


def test_no_sentence_of_the_program_has_an_internal_name_in_it() -> None:
    found = {where: text for where, text in sentences() if INTERNAL.search(text) or WRONG.search(text)}
    assert found == {}
    assert sum(1 for _ in sentences()) > 300, "there is something to read"
