"""The conditions of a figure: the law's table or a changed one, the reading, what the figure leaves out, its unit.

Every medium that shows a figure prints its conditions from here, so that none shows the law's letter, paragraph or
published figures beside a figure that is not of the law's table.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pitboss.exact.published import published
from pitboss.exact.side import line_of, reads_folded
from pitboss.games.contract import Game
from pitboss.games.payorder import Upset, upsets
from pitboss.games.registry import GAMES
from pitboss.games.repaying import ChangedRow, changed_text, if_changed, with_rows
from pitboss.games.rules import Cap, Rules
from pitboss.law.odds import MeterShare
from pitboss.money import show_dollars
from pitboss.names import shown_key

MAIN = "main"
METER_LEFT_OUT = "shares of a meter, which count as lost stakes"


@dataclass(frozen=True)
class Conditions:
    """What a figure of one wager, or of the main wagers, holds under."""

    game: str
    wager: str
    letter: str
    reading: str
    cite: str
    unit: str
    """What the figure is a share of: the wager that others are multiples of, or the wager itself."""
    changes: tuple[ChangedRow, ...] = ()
    """Rows behind the figure that do not pay what the law's table pays."""
    main_changes: tuple[ChangedRow, ...] = ()
    """The same of the main wagers, where a fold forfeits the wager: best play depends on them."""
    facts: Mapping[str, str] = field(default_factory=dict)
    """What is not printed and was set otherwise than pitboss takes it."""
    restriction: str = ""
    """What of the game the figure leaves out."""
    meter: str = ""
    """What of a meter the figure leaves out."""
    upsets: tuple[Upset, ...] = ()
    """Hands that pay less than hands they beat, by what was changed."""
    limit: str = ""
    """A limit on pays that the figure leaves out."""
    at_stake: str = ""
    """The stake of the figure and the limit on pays that it has in it."""
    cut: bool = False
    """Whether that limit cuts pays at this stake."""
    known: str = ""
    """Cards that the player knows from the start."""
    play: str = ""
    """How the main wagers are played, where that is not best play."""

    @property
    def published(self) -> str | None:
        """What others have published about this very table, reading and play."""
        if self.changes or self.facts or self.play or self.cut:
            return None
        return published(self.game, self.wager, self.letter, self.reading, self.known)

    @property
    def changed(self) -> str:
        """The changed rows in words; empty where the table is the law's."""
        return changed_text(self.changes)

    @property
    def set_otherwise(self) -> str:
        """The facts in words; empty where none is set otherwise."""
        text = ", ".join(f"{shown_key(name)} = {value}" for name, value in self.facts.items())
        return f"set by the submission: {text}" if text else ""

    @property
    def cited(self) -> str:
        """The paragraph, which appears beside a changed table only with that word."""
        return if_changed(self.cite, self.changes) if self.cite else ""

    @property
    def lettered(self) -> str:
        """The letter of the table, which appears beside changed rows only with that word."""
        return if_changed(self.letter, self.changes)

    @property
    def phrases(self) -> tuple[str, ...]:
        """Every condition that is not the usual one, in words: the changes first, then what the figure leaves out."""
        part = f"only a part of the game: {self.restriction}" if self.restriction else ""
        meter = f"without {self.meter}" if self.meter else ""
        limit = f"before {self.limit}" if self.limit else self.at_stake
        return tuple(filter(None, (self.changed, self.set_otherwise, part, meter, limit)))

    @property
    def leaves_out(self) -> tuple[str, ...]:
        """Everything the figure leaves out, a phrase each."""
        return tuple(filter(None, (self.restriction, self.meter, self.limit)))

    def as_dict(self) -> dict[str, Any]:
        """What stands with the figures in JSON; letter, reading, paragraph and unit stand there already."""
        return {
            "changed": [each.as_dict() for each in self.changes],
            "leaves_out": [*self.leaves_out],
            **({"warnings": [str(each) for each in self.upsets]} if self.upsets else {}),
            **({"facts": dict(self.facts)} if self.facts else {}),
            "published": self.published,
        }


def main_changes(game: Game, rules: Rules) -> str:
    """The changed rows behind the main wagers, in words."""
    return changed_text(changes_behind(game, rules, MAIN))


def changes_behind(game: Game, rules: Rules, wager: str) -> tuple[ChangedRow, ...]:
    """The changed rows that a wager's pays depend on; where one table pays many wagers, most rows are of others."""
    if not rules.changes:
        return ()
    lines = {post.line for post in game.main_posts} if wager == MAIN else {line_of(game, wager)}
    now = {line: game.lines.tabulate(line, rules) for line in lines}

    def matters(change: ChangedRow) -> bool:
        before = with_rows(rules, change.table, {change.row: change.law})
        return any(game.lines.tabulate(line, before) != pays for line, pays in now.items())

    return tuple(filter(matters, rules.changes))


def conditions_of(
    rules: Rules,
    wager: str,
    *,
    letter: str,
    reading: str,
    cite: str,
    restriction: str = "",
    known: str = "",
    play: str = "",
) -> Conditions:
    """The conditions of a figure of these rules; changes of other wagers' tables don't count."""
    game = GAMES[rules.game]
    limits, stake = _limits(game, rules, wager), rules.unit_stake if wager == MAIN else None
    named = ", ".join(f"the {cap}" for cap in limits)
    folds = wager != MAIN and reads_folded(game, line_of(game, wager))
    changes = changes_behind(game, rules, wager)
    return Conditions(
        game=game.name,
        wager=wager,
        letter=letter,
        reading=reading,
        cite=cite,
        unit=game.chapter.unit_title if wager == MAIN else "wager",
        changes=changes,
        upsets=_upsets(game, rules, changes),
        main_changes=changes_behind(game, rules, MAIN) if folds else (),
        facts=_set_otherwise(game, rules, wager),
        restriction=restriction,
        meter=METER_LEFT_OUT if wager != MAIN and _pays_shares(game, rules, wager) else "",
        limit=named if stake is None else "",
        at_stake=f"for {show_dollars(stake)} under {named}" if stake is not None and limits else "",
        cut=stake is not None and any(_cuts(game, rules, cap) for cap in limits),
        known=known,
        play=play,
    )


def _upsets(game: Game, rules: Rules, changes: tuple[ChangedRow, ...]) -> tuple[Upset, ...]:
    before = rules
    for change in changes:
        before = with_rows(before, change.table, {change.row: change.law})
    tables = {change.table for change in changes}
    return tuple(each for each in upsets(game, rules, before) if each.table in tables) if changes else ()


def _pays_shares(game: Game, rules: Rules, wager: str) -> bool:
    pays = game.lines.tabulate(line_of(game, wager), rules).values()
    return any(pay is not None and isinstance(pay.odds, MeterShare) for pay in pays)


def _set_otherwise(game: Game, rules: Rules, wager: str) -> Mapping[str, str]:
    """The facts that a wager's figures depend on: rows of its own tables, and how its throws are followed."""
    from pitboss.exact.edge import follows, tables_behind

    usual = {fact.name: fact.value for fact in game.chapter.facts(rules.as_of)}
    own = (*(f"paytables.{table}." for table in tables_behind(game, rules, wager)), f"envies.{wager}.")
    figures = wager != MAIN and follows(game, wager)
    return {
        name: value
        for name, value in rules.choices.facts.items()
        if usual.get(name) != value and (name.startswith(own) or (figures and "." not in name))
    }


def _limits(game: Game, rules: Rules, wager: str) -> tuple[Cap, ...]:
    names = {*game.course.main} if wager == MAIN else {wager}
    return tuple(cap for cap in rules.caps if names & {*cap.wagers})


def _cuts(game: Game, rules: Rules, cap: Cap) -> bool:
    """Whether a limit cuts pays at the stake for which figures are counted."""
    from pitboss.exact.limit import cut_from

    least = cut_from(game, rules, cap)
    return rules.unit_stake is not None and least is not None and least <= rules.unit_stake
