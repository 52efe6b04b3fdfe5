"""What seen cards cost a table, for the Analyst: what is asked, as typed, and the document; for a worker to answer."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

from pitboss.games.registry import GAMES
from pitboss.paper.model import Passage
from pitboss.reports.export import exported
from pitboss.typed import typed_count, typed_dollars, typed_percent, within
from pitboss.web.analysis import LONGEST, Question, settled
from pitboss.web.workroom import tell

if TYPE_CHECKING:
    from pitboss.exact.protect import Protection

MOST_KINDS: Final = 8
"""Kinds of knowledge that one question may name."""


@dataclass(frozen=True)
class ProtectionQuestion:
    """What a player may know and how the table is played, as typed; the names are those of the address."""

    known: str = ""
    """Cards that are seen, one kind of knowledge a line: ``dealer=1 community=5``."""
    backs: str = ""
    """Ranks that backs give away, with a slash between classes: ``AKQ`` or ``AKQ/JT9``."""
    rounds: str = "40"
    bets: str = ""
    """Dollars wagered, in place of the limits of a table."""
    every: str = "10"
    alarm: str = "1"
    """Percent of reviews that suspect honest rounds."""
    lists: str = ""
    """Whether all lists to learn that the game states are priced."""
    sheet: str = ""

    @property
    def kind(self) -> tuple[int, int]:
        return len(self.known.split()), len(self.backs.split())


NAMES: Final = tuple(ProtectionQuestion.__dataclass_fields__)


def protection_asked(given: Mapping[str, str]) -> ProtectionQuestion:
    """The question of an address; what is left empty is as usual."""
    return ProtectionQuestion(
        **{name: given[name].strip()[: 4 * LONGEST] for name in NAMES if given.get(name, "").strip()}
    )


def fields_of(asked: ProtectionQuestion) -> dict[str, str]:
    return {name: text for name, text in asdict(asked).items() if text}


def protection(question: Question, asked: ProtectionQuestion) -> tuple[Passage, ...]:
    """What ``pitboss protect`` prints of the main wagers, or the supervisor's sheet."""
    from pitboss.reports.protection import protection_paper, sheet_paper

    return (sheet_paper if asked.sheet else protection_paper)(protected(question, asked)).passages


def protection_file(question: Question, asked: ProtectionQuestion, kind: str) -> bytes:
    from pitboss.reports.protection import protection_paper, sheet_paper

    found = protected(question, asked)
    return exported(kind, found, partial(sheet_paper if asked.sheet else protection_paper, found))


def protected(question: Question, asked: ProtectionQuestion) -> "Protection":
    from pitboss.exact.backs import read_backs
    from pitboss.exact.exposed import read_known
    from pitboss.exact.protect import protect

    game = GAMES[question.game]
    variant, rules = settled(question)
    tell("counting", 0.0)
    return protect(
        game,
        rules,
        variant,
        known=[read_known(game, line.split()) for line in asked.known.splitlines()[:MOST_KINDS] if line.strip()],
        backs=[read_backs(word) for word in asked.backs.split()[:MOST_KINDS]],
        stakes=[typed_dollars(word) for word in asked.bets.replace(",", " ").split()[:MOST_KINDS]],
        rounds=within(typed_count(asked.rounds), "The number of rounds", 1, 1000),
        every=within(typed_count(asked.every), "The number of rounds", 1, 1_000_000),
        false_alarm=typed_percent(asked.alarm),
        lists=bool(asked.lists),
        progress=tell,
    )
