"""No internal name reaches a reader: sentences of the record, papers, and the sentences that the program is made of."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from datetime import date
from html import unescape
from pathlib import Path

import pytest

import pitboss
from pitboss.games.registry import GAMES
from pitboss.ledger.sentences import tell
from pitboss.ledger.store import Store
from pitboss.paper.page import html_of
from pitboss.reports.form import form_paper
from pitboss.reports.layout import layout_paper, layout_svg
from pitboss.reports.sign import sign_paper
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
    papers = sign_paper(submission, rules), form_paper(submission), layout_paper(submission, rules)
    for paper in (*map(html_of, papers), layout_svg(submission, rules)):
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


STILTED = re.compile(
    r"\b(?:told(?! apart)|whoever|whomever|anew|the own|(?<!there )(?:is|are) none(?! of)|nobody else's|puts? down"
    r"|weighed|gone through|as (?:it stands|they stand)|what is said|himself|herself|upon oneself|is asked nothing)\b"
)
"""Words that nearly always mark a sentence nobody would say. A smoke detector: rewrite the sentence, not the word."""
QUOTED = re.compile(r"``[^`]*``|`[^`]*`")


def prose() -> Iterator[tuple[str, str]]:
    """Docstrings, comments, sentences and templates, with where they stand; names of the program are left out."""
    for path in sorted(SOURCE.rglob("*")):
        if path.suffix not in (".py", ".html"):
            continue
        where, text = path.relative_to(SOURCE).as_posix(), path.read_text(encoding="utf-8")
        if path.suffix == ".html":
            yield where, re.sub(r"\{[{%].*?[%}]\}", " ", text, flags=re.DOTALL)
            continue
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                yield f"{where}:{token.start[0]}", token.string
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value:
                yield f"{where}:{node.lineno}", QUOTED.sub("", " ".join(node.value.split()))


def test_nobody_has_to_decode_a_sentence() -> None:
    found = {
        where: [each.group() for each in STILTED.finditer(text)] for where, text in prose() if STILTED.search(text)
    }
    assert found == {}
    assert STILTED.search("the anchor begins anew")
    assert not STILTED.search("None if there is none; suits are told apart")
