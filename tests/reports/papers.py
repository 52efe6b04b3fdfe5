"""Submissions and small readers of markup for the tests of drawings and papers."""

import re
import zlib
from datetime import date
from functools import lru_cache
from xml.etree import ElementTree

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


def pdf_words(made: bytes) -> str:
    """All that a PDF of ours says, line after line; its own index must find its parts."""
    for place in re.findall(rb"^(\d{10}) 00000 n", made, re.MULTILINE):
        assert re.match(rb"\d+ 0 obj", made[int(place) :]), "the file's own index finds its parts"
    drawn = [zlib.decompress(part.partition(b"\nendstream")[0]) for part in made.split(b"stream\n")[1::2]]
    shown = re.findall(rb"\((.*)\) Tj ET", b"\n".join(drawn))
    return "\n".join(re.sub(r"\\(.)", r"\1", each.decode("cp1252")) for each in shown)


def no_reference_leaves(markup: str) -> bool:
    """Nothing in the text can make a browser ask anybody for anything."""
    rest = markup.replace(f'"{NAMESPACE}"', "")
    return not any(word in rest for word in ("http", "url(", "@import", "<script", "<link", "<img", "src="))
