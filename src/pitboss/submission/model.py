"""A Rules Submission as it was written, lawful or not. Money is in cents; what was left out is ``None`` or empty.

Each field declares its choice, or its table of the file: nothing else in the program knows what the choices are. The
order of the fields is that of the file.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from typing import Final

from pitboss.games.options import Options, Selection
from pitboss.law.model import Chapter, Wager, in_force
from pitboss.money import Cents
from pitboss.submission import letters, table_choices, wager_choices
from pitboss.submission.choice import (
    CountKey,
    DateKey,
    FiledChoice,
    FiledTable,
    FlagKey,
    KeyKind,
    MoneyKey,
    ShareKey,
    declare,
)
from pitboss.submission.table_choices import PLACEHOLDER as PLACEHOLDER

MAIN: Final = "main"
"""The main wagers together, where one result counts them."""


@dataclass(frozen=True)
class Shuffler:
    """The automated card shuffling device, if one is used, and the decks that are in use with it."""

    used: bool = field(default=False, metadata=declare(FiledChoice(
        FlagKey(), "Automated shuffler", "An automated card shuffling device is used",
        matters=(table_choices.COUNTS,), example=True, comment="an automated card shuffling device",
        ask=table_choices.ask_shuffler,
    )))  # fmt: skip
    counts_cards: bool = field(default=False, metadata=declare(FiledChoice(
        FlagKey(), "It counts the cards", "It counts the cards after each shuffle",
        matters=(table_choices.COUNTS,), example=True, comment="it counts the cards after each shuffle [{cite}]",
        ask=table_choices.ask_shuffler, check=table_choices.check_count,
    )))  # fmt: skip
    decks: int = field(default=1, metadata=declare(FiledChoice(
        CountKey("a number of decks"), "Decks", matters=(table_choices.TWO_DECKS, "decks"),
        ask=table_choices.ask_decks, check=table_choices.check_decks,
    )))  # fmt: skip
    reshuffles: bool = field(default=False, metadata=declare(FiledChoice(
        FlagKey(), "It reshuffles by itself", "A shoe or device reshuffles by itself",
        matters=(table_choices.RESHUFFLES,), example=False,
        comment="a shoe or device that reshuffles by itself [{cite}]", ask=table_choices.ask_shuffler,
        check=table_choices.check_unused, noted=bool, noted_under=table_choices.RESHUFFLES,
    )))  # fmt: skip


@dataclass(frozen=True)
class WagerChoice:
    """What was chosen for one wager. A progressive wager has an amount, every other one has limits."""

    offered: bool = field(default=True, metadata=declare(FiledChoice(
        FlagKey(), "Offered", ask=wager_choices.ask_offered, check=wager_choices.check_offered, switch=True,
        on_paper=False,
    )))  # fmt: skip
    paytable: str | None = field(default=None, metadata=declare(FiledChoice(
        KeyKind("the letter of a pay table"), "Pay table", ask=letters.ask_letter, cited=wager_choices.cite_letter,
        on_paper=False,
    )))  # fmt: skip
    minimum: Cents | None = field(default=None, metadata=declare(FiledChoice(
        MoneyKey(), "Minimum, dollars", ask=wager_choices.ask_minimum, check=wager_choices.check_minimum,
        on_paper=False,
    )))  # fmt: skip
    maximum: Cents | None = field(default=None, metadata=declare(FiledChoice(
        MoneyKey(), "Maximum, dollars", ask=wager_choices.ask_maximum, check=wager_choices.check_maximum,
        on_paper=False,
    )))  # fmt: skip
    amount: Cents | None = field(default=None, metadata=declare(FiledChoice(
        MoneyKey(), "Amount, dollars", ask=wager_choices.ask_amount, check=wager_choices.check_amount,
        cited=wager_choices.cite_amount, of_meter=True, on_paper=False,
    )))  # fmt: skip
    linked: bool = field(default=False, metadata=declare(FiledChoice(
        FlagKey(), "Linked to other tables", example=False, comment="to the same progressive at other tables",
        ask=wager_choices.ask_linked, check=wager_choices.check_linked, cited=wager_choices.cite_linked,
        silent=True, of_meter=True, on_paper=False,
    )))  # fmt: skip
    seed: Cents | None = field(default=None, metadata=declare(FiledChoice(
        MoneyKey(), "Seed of the meter, dollars", ask=wager_choices.ask_seed, check=wager_choices.check_seed,
        cited=wager_choices.cite_meter, departs=wager_choices.seed_above_least, of_meter=True, on_paper=False,
    )))  # fmt: skip
    rate: Fraction | None = field(default=None, metadata=declare(FiledChoice(
        ShareKey("a percentage such as '21%'"), "Rate added to the meter", ask=wager_choices.ask_rate,
        check=wager_choices.check_rate, cited=wager_choices.cite_meter, of_meter=True, on_paper=False,
    )))  # fmt: skip


@dataclass(frozen=True)
class Submission:
    """The choices of one certificate holder for one game from one day on."""

    game: str = field(metadata=declare(FiledChoice(
        KeyKind("the name of a game"), "Game", ask=table_choices.ask_game, changed=table_choices.other_game,
    )))  # fmt: skip
    certificate_holder: str = field(default="", kw_only=True, metadata=declare(FiledChoice(
        KeyKind("a name"), "Certificate holder", ask=table_choices.ask_holder, check=table_choices.check_holder,
        of_holder=True,
    )))  # fmt: skip
    effective: date = field(metadata=declare(FiledChoice(
        DateKey("a date such as 2024-06-01"), "Effective date", ask=table_choices.ask_day,
        check=table_choices.check_day,
    )))  # fmt: skip
    seats: int | None = field(default=None, metadata=declare(FiledChoice(
        CountKey("a number of seats"), "Seats", ask=table_choices.ask_seats, check=table_choices.check_seats,
        rules_field="seats", resolved=table_choices.at_least_one,
    )))  # fmt: skip
    adjacent_boxes: int | None = field(default=None, metadata=declare(FiledChoice(
        CountKey("a number of boxes"), "Adjacent boxes for one player", matters=("adjacent_boxes", "wagers"),
        example="1", ask=table_choices.ask_boxes, check=table_choices.check_boxes, rules_field="adjacent_boxes",
        resolved=table_choices.at_least_one, noted=lambda boxes: (boxes or 1) > 1,
    )))  # fmt: skip
    dealing: str = field(default="", metadata=declare(FiledChoice(
        KeyKind("the name of a device"), "Dealing", ask=table_choices.ask_dealing,
        check=table_choices.check_dealing, cited=table_choices.cite_dealing, rules_field="device",
        resolved=table_choices.device_of, noted=table_choices.by_hand, noted_under=table_choices.FROM_HAND,
    )))  # fmt: skip
    shuffler: Shuffler = field(default=Shuffler(), metadata=declare(FiledTable("Shuffler and decks", record=Shuffler)))
    wagers: Mapping[str, WagerChoice] = field(
        default_factory=dict, metadata=declare(FiledTable(record=WagerChoice, by_wager=True))
    )
    paytables: Mapping[str, str] = field(
        default_factory=dict,
        metadata=declare(FiledTable(what="the letter of a pay table", cited=letters.table_cite)),
    )
    options: Options = field(default_factory=dict, metadata=declare(FiledTable(of_law=True)))
    """What the chapter's own options were set to, by name."""
    readings: Mapping[str, str] = field(
        default_factory=dict,
        metadata=declare(
            FiledTable(what="the name of a reading", path="options.readings", cited=table_choices.cite_reading)
        ),
    )
    facts: Mapping[str, str] = field(
        default_factory=dict, metadata=declare(FiledTable(nested=True, cited=table_choices.cite_fact))
    )
    """What is not printed, as the operator's text has it, by the names of ``Chapter.facts``."""
    acknowledged: Mapping[str, str] = field(
        default_factory=dict, metadata=declare(FiledTable(what="the name of a person"))
    )
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
