"""A Rules Submission as it was written, lawful or not. Money is in cents; what was left out is ``None`` or empty."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from typing import Final

from pitboss.games.options import Options, Selection
from pitboss.law.model import Chapter, Wager, in_force
from pitboss.money import Cents

MAIN: Final = "main"
"""The main wagers together, where one result counts them."""
PLACEHOLDER = "Name of the certificate holder"
"""What a template has where the operator's name belongs."""


@dataclass(frozen=True)
class Shuffler:
    """The automated card shuffling device, if one is used, and the decks that are in use with it."""

    used: bool = False
    counts_cards: bool = False
    decks: int = 1
    reshuffles: bool = False


@dataclass(frozen=True)
class WagerChoice:
    """What was chosen for one wager. A progressive wager has an amount, every other one has limits."""

    offered: bool = True
    paytable: str | None = None
    minimum: Cents | None = None
    maximum: Cents | None = None
    amount: Cents | None = None
    linked: bool = False
    seed: Cents | None = None
    rate: Fraction | None = None


@dataclass(frozen=True)
class Submission:
    """The choices of one certificate holder for one game from one day on."""

    game: str
    effective: date
    certificate_holder: str = ""
    seats: int | None = None
    adjacent_boxes: int | None = None
    dealing: str = ""
    shuffler: Shuffler = Shuffler()
    wagers: Mapping[str, WagerChoice] = field(default_factory=dict)
    paytables: Mapping[str, str] = field(default_factory=dict)
    options: Options = field(default_factory=dict)
    """What the chapter's own options were set to, by name."""
    readings: Mapping[str, str] = field(default_factory=dict)
    facts: Mapping[str, str] = field(default_factory=dict)
    """What is not printed, as the operator's text has it, by the names of ``Chapter.facts``."""
    acknowledged: Mapping[str, str] = field(default_factory=dict)
    """By wager, who accepts that it holds less than 0 or more than 50 percent."""

    def offers(self, wager: Wager) -> bool:
        """Wagers the law always allows need no entry; the others are offered only where the submission has one."""
        choice = self.wagers.get(wager.name)
        return wager.offer == "always" if choice is None else choice.offered

    def offered(self, chapter: Chapter, as_of: date) -> Iterator[tuple[Wager, WagerChoice]]:
        """Each wager on offer before the cards are dealt, with what was chosen for it."""
        for wager in in_force(chapter.wagers, as_of):
            if wager.placed == "before" and self.offers(wager):
                yield wager, self.wagers.get(wager.name, WagerChoice())

    @property
    def selections(self) -> Mapping[str, Selection]:
        """What the system is to select in some rounds."""
        return {name: value for name, value in self.options.items() if isinstance(value, Selection)}

    @property
    def chances(self) -> Mapping[str, Fraction]:
        """The chance per round of each selection on offer."""
        return {name: each.chance for name, each in self.selections.items() if each.offered and each.chance}
