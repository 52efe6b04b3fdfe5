"""What is written over a table: its game, its round and how it is dealt, also after it has closed."""

from dataclasses import dataclass

from pitboss.games.chance import WORDS
from pitboss.games.registry import GAMES
from pitboss.games.rules import Limits
from pitboss.money import show_dollars
from pitboss.names import several
from pitboss.table.kinds.house import TableOpened
from pitboss.table.ruling import filed_rules, rules_at
from pitboss.table.state import Table

SOURCES = {"virtual": "virtual {}", "keyed": "{} read as dealt", "physical": "{} keyed when turned up"}


@dataclass(frozen=True)
class Caption:
    title: str
    details: tuple[str, ...]


@dataclass(frozen=True)
class WagerLimits:
    """The limits of one wager now, and as they were filed."""

    wager: str
    title: str
    now: Limits
    filed: Limits

    @property
    def range(self) -> str:
        """The range now, and the filed one where it differs."""
        filed = f" (filed: {_range(self.filed)})" if self.filed != self.now else ""
        return f"{_range(self.now)}{filed}"


def _range(limits: Limits) -> str:
    return f"{show_dollars(limits.minimum)} to {show_dollars(limits.maximum)}"


def table_limits(table: Table) -> tuple[WagerLimits, ...]:
    """Return the limits of every wager of a table for which players choose an amount, in the order of the rules."""
    rules, filed = rules_at(table), filed_rules(table)
    return tuple(
        WagerLimits(wager.name, wager.title, rules.limits(wager.name), filed.limits(wager.name))
        for wager in rules.wagers.values()
        if wager.placed == "before" and not wager.meter
    )


def caption_of(table: Table, opened: TableOpened | None) -> Caption:
    """Return the caption of a table; ``opened`` is its last opening, which a closed table has forgotten."""
    played = table if table.game or opened is None else opened
    game = played.game
    if game not in GAMES:
        return Caption("Closed", (f"Table {table.id}", "not opened yet"))
    title = GAMES[game].chapter.title
    to = next((step.to for deal in GAMES[game].chapter.deals for step in deal.steps if step.dice), "")
    dealing = played.dealing.replace("-", " ")
    source = SOURCES[played.source].format(WORDS[to].things if to else "cards")
    dealing = "dealt by hand" if dealing == "hand" else dealing
    if not table.game:
        rounds = f"closed after {several(table.rounds, 'round')}"
    else:
        rounds = f"round {table.play.number if table.play else table.rounds + 1}"
    return Caption(title, tuple(part for part in (f"Table {table.id}", rounds, dealing, source) if part))
