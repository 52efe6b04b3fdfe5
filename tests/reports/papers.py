"""Submissions and small readers of markup for the tests of drawings and papers."""

from datetime import date
from functools import lru_cache
from pathlib import Path
from xml.etree import ElementTree

from pypdf import PdfReader

from pitboss.games.registry import GAMES
from pitboss.games.rules import Rules
from pitboss.submission import Submission, read_submission, rules_of, template

DAY = date(2024, 6, 1)
GAME_NAMES = tuple(GAMES)
HOSTILE = "<script>alert(1)</script> & \"Sons\" 'Bros' \x00\ud800 ]]> </svg>"
NAMESPACE = "http://www.w3.org/2000/svg"


@lru_cache
def text_of(game: str) -> str:
    text = template(game, DAY).replace("# payout_limit", "payout_limit")
    return text.replace("magic_card = { offered = false", "magic_card = { offered = true")


def submitted(game: str, **changes: str) -> tuple[Submission, Rules]:
    """A lawful submission of a game with everything on offer, texts replaced as told, and its rules."""
    text = text_of(game)
    for old, new in changes.items():
        text = text.replace(old, new)
    submission = read_submission(text)
    rules, findings = rules_of(submission)
    assert rules is not None
    assert not findings
    return submission, rules


def without(game: str, *wagers: str) -> tuple[Submission, Rules]:
    """The same without some wagers."""
    text = text_of(game)
    for wager in wagers:
        head, found, tail = text.partition(f"[wagers.{wager}]\noffered = true")
        assert found
        text = f"{head}[wagers.{wager}]\noffered = false{tail}"
    submission = read_submission(text)
    rules, _ = rules_of(submission)
    assert rules is not None
    return submission, rules


def parsed(markup: str) -> ElementTree.Element:
    """The root element; a page that is not well-formed fails here."""
    return ElementTree.fromstring(markup)


def words(root: ElementTree.Element) -> str:
    """Everything that can be read, single blanks between words."""
    return " ".join(" ".join(root.itertext()).split())


def paper_words(path: Path) -> str:
    """All that a PDF with embedded fonts says."""
    return "\n".join(page.extract_text() for page in PdfReader(path).pages)


def no_reference_leaves(markup: str) -> bool:
    """Nothing in the text can make a browser ask anybody for anything."""
    rest = markup.replace(f'"{NAMESPACE}"', "")
    return not any(word in rest for word in ("http", "url(", "@import", "<script", "<link", "<img", "src="))
