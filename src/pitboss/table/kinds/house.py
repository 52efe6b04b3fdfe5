"""Opening and closing a table, its limits, and chips that move outside the game."""

from typing import Self

from msgspec import UNSET, Struct, UnsetType

from pitboss.games.chance import WORDS
from pitboss.games.registry import GAMES
from pitboss.money import Cents, show_dollars
from pitboss.names import shown
from pitboss.records import replace
from pitboss.table.happened import Eyes, Happened, happens
from pitboss.table.state import CHIP_LIMIT, PHYSICAL, Table
from pitboss.table.words import because, game_title, in_words


class WithSlip(Happened, frozen=True, kw_only=True):
    """Chips that move with a slip; ledgers older than the slips have acts without one."""

    slip: int = 0
    day: str = ""

    def fold(self, table: Table) -> Table:
        return replace(table, slip_day=self.day, last_slip=self.slip) if self.slip else table

    @property
    def numbered(self) -> str:
        return f" (slip {self.slip} of {self.day})" if self.slip else ""


class Differing(Struct, frozen=True, forbid_unknown_fields=True):
    """A choice of a submission that the law's own data has otherwise."""

    key: str
    before: str
    after: str
    cite: str
    sentence: str


@happens("table.opened", significant="A table was opened.")
class TableOpened(WithSlip, frozen=True, kw_only=True):
    game: str
    submission: str
    as_of: str
    source: str
    meters: dict[str, str]
    dealing: str
    shuffling: str
    fill: Cents
    zone: str | UnsetType = UNSET
    chip_limit: Cents | UnsetType = UNSET
    """Ledgers older than the limit have none, nor a zone."""
    streets: bool = False
    differences: tuple[Differing, ...] = ()

    def fold(self, table: Table) -> Table:
        return replace(
            super().fold(bare(table)),
            game=self.game,
            submission=self.submission,
            as_of=self.as_of,
            zone=self.zone or "",
            source=self.source,
            streets=self.streets,
            meters=dict(self.meters),
            dealing=self.dealing,
            shuffling=self.shuffling,
            chip_limit=CHIP_LIMIT if isinstance(self.chip_limit, UnsetType) else self.chip_limit,
        )

    def says(self) -> str:
        to = next((step.to for deal in GAMES[self.game].chapter.deals for step in deal.steps if step.dice), "")
        what = WORDS[to].things if to else "cards"
        cards = f"a virtual {what}" if to == "wheel" else "virtual dice" if to else "a virtual deck"
        if self.source != "virtual":
            cards = f"{what} keyed in by the dealer{' when turned up' if self.source == PHYSICAL else ''}"
        how = f"with {cards} ({in_words(self.dealing)})" if to else f"dealt by {in_words(self.dealing)} with {cards}"
        shuffled = "" if to else f", shuffled by {self.shuffling}"
        return (
            f"The table was opened for {game_title(self.game)} under the law of {self.as_of}, {how}{shuffled}, with "
            f"{show_dollars(self.fill)} in chips."
        )


def bare(table: Table) -> Table:
    """Return a table with nothing on it; its rounds and the slips of its day go on being counted."""
    return Table(table.id, events=table.events, rounds=table.rounds, slip_day=table.slip_day, last_slip=table.last_slip)


@happens("table.closed", significant="A table was closed.")
class TableClosed(Happened, frozen=True, kw_only=True):
    reason: str

    def fold(self, table: Table) -> Table:
        return bare(table)

    def is_of(self, eyes: Eyes) -> bool:  # noqa: ARG002
        return False

    def part(self, eyes: Eyes) -> Self:  # noqa: ARG002
        return self

    def says(self) -> str:
        return f"The table was closed{because(self.reason)}; chips and drop box went to the cage."


@happens("limits.changed", public=True, significant="The limits of a wager were changed.")
class LimitsChanged(Happened, frozen=True, kw_only=True):
    wager: str
    minimum: Cents
    maximum: Cents

    def fold(self, table: Table) -> Table:
        return replace(table, limits={**table.limits, self.wager: (self.minimum, self.maximum)})

    def says(self) -> str:
        low, high = show_dollars(self.minimum), show_dollars(self.maximum)
        return f"The limits of {shown(self.wager)} became {low} to {high}."


@happens("inventory.filled")
class InventoryFilled(WithSlip, frozen=True, kw_only=True):
    amount: Cents

    def says(self) -> str:
        return f"A fill brought {show_dollars(self.amount)} in chips from the cage{self.numbered}."


@happens("inventory.credited")
class InventoryCredited(WithSlip, frozen=True, kw_only=True):
    amount: Cents

    def says(self) -> str:
        return f"A credit took {show_dollars(self.amount)} in chips to the cage{self.numbered}."


@happens("player.bought-in")
class PlayerBoughtIn(WithSlip, frozen=True, kw_only=True):
    player: str
    amount: Cents

    def says(self) -> str:
        return f"{self.player} bought chips for {show_dollars(self.amount)}{self.numbered}."


@happens("player.cashed-out")
class PlayerCashedOut(WithSlip, frozen=True, kw_only=True):
    player: str
    amount: Cents

    def says(self) -> str:
        return f"{self.player} cashed chips for {show_dollars(self.amount)}{self.numbered}."


@happens("player.repaid")
class PlayerRepaid(WithSlip, frozen=True, kw_only=True):
    player: str
    amount: Cents

    def says(self) -> str:
        return f"{self.player} brought back {show_dollars(self.amount)} owed since a void round{self.numbered}."
