"""What a payout limit does to the hold: nothing at small stakes, much at large ones.

The pays of each stake come from the book that settles a live round (``Rules.at_stake``), so the limit is stated nowhere
else. Two players are compared: one who plays as is best without the limit, and one who plays best at the stake.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from pitboss.exact.board_counts import board_of
from pitboss.exact.duel import Progress
from pitboss.exact.engine import play_of, same_play
from pitboss.findings import Finding, refusal
from pitboss.games.contract import Game
from pitboss.games.rules import Cap, Rules
from pitboss.money import Cents, show_dollars
from pitboss.paper.say import percent

STEPS = (1, 2, 5)
MOST_SHOWN = 8
"""With more stakes than these only powers of ten are shown."""
NOTABLE = Fraction(1, 1000)
"""The difference between the holds of the least and the largest wager from which a check warns, of the Ante."""
PLAY = "the play that is best without the limit"
_MANY: Cents = 10**12


@dataclass(frozen=True)
class HoldAt:
    """The hold of the main wagers at one stake, as a share of the Ante, or whatever others are multiples of."""

    stake: Cents
    same_play: Fraction
    """Of a player who plays as is best without the limit."""
    best_play: Fraction | None
    """Of a player who plays best at this stake; none where it was not counted, because it takes long."""

    def as_dict(self) -> dict[str, Any]:
        best = None if self.best_play is None else float(self.best_play)
        return {"stake": self.stake, "house_edge_same_play": float(self.same_play), "house_edge_best_play": best}


@dataclass(frozen=True)
class Limited:
    """A payout limit that can cut the main wagers of a table."""

    cap: Cap
    unit: str
    cut_from: Cents
    """The least wager at which it can cut a pay."""
    holds: tuple[HoldAt, ...]

    @property
    def sentence(self) -> str:
        return f"The {self.cap} can cut pays when the {self.unit} is {show_dollars(self.cut_from)} or more."

    @property
    def words(self) -> tuple[str, ...]:
        """A sentence for each stake."""
        return tuple(
            f"{show_dollars(each.stake)}: {percent(each.same_play)} of the {self.unit}"
            + ("" if each.best_play is None else f", {percent(each.best_play)} at best play for this stake")
            for each in self.holds
        )

    def as_dict(self) -> dict[str, Any]:
        return {
            "limit": self.cap.most,
            "cite": str(self.cap.cite),
            "cut_from": self.cut_from,
            "sentence": self.sentence,
            "play": PLAY,
            "hold_by_stake": [each.as_dict() for each in self.holds],
        }


def cut_from(game: Game, rules: Rules, cap: Cap) -> Cents | None:
    """The least wager of the unit at which a limit can cut a pay; nothing if it never can."""
    most = Fraction(game.most_won(rules, cap.wagers, _MANY, cap), _MANY)
    return int(cap.most / most) + 1 if most else None


def stakes_shown(game: Game, rules: Rules, least_cut: Cents) -> tuple[Cents, ...]:
    """The least and the largest wager of the table, and round sums between them from where the limit cuts."""
    limits = [rules.limits(name) for name in game.course.main]
    least, most = max(each.minimum for each in limits), min(each.maximum for each in limits)
    for steps in (STEPS, STEPS[:1]):
        rounded = [step * 10**power for power in range(2, 12) for step in steps]
        between = [each for each in rounded if max(least, least_cut) <= each < most]
        if len(between) < MOST_SHOWN:
            break
    return tuple(sorted({least, most, *between}))


def limited(
    game: Game,
    rules: Rules,
    stakes: Iterable[Cents] = (),
    progress: Progress | None = None,
    *,
    best: bool | None = None,
) -> Limited | None:
    """The hold by stake under the payout limit of a table; nothing where it has none, or none that can cut.

    Best play at each stake is counted if that takes no time, or if ``best`` says so.
    """
    found = {cap: cut_from(game, rules, cap) for cap in rules.caps}
    cutting = [(cut, cap) for cap, cut in found.items() if cut is not None]
    if not cutting:
        return None
    cut, cap = min(cutting, key=lambda each: each[0])
    shown = tuple(stakes) or stakes_shown(game, rules, cut)
    if best is None:
        best = game.duel is None and board_of(game) is None
    holds = tuple(_holds(game, rules, shown, cut, best, progress)) if shown[-1] >= cut else ()
    return Limited(cap, rules.chapter.unit_title, cut, holds)


def _holds(
    game: Game, rules: Rules, stakes: Iterable[Cents], cut: Cents, best: bool, progress: Progress | None
) -> Iterator[HoldAt]:
    free = play_of(game, rules.at_stake(None), progress)
    for stake in stakes:
        at = rules.at_stake(stake)
        if stake < cut:
            hold = free.result.house_edge
            yield HoldAt(stake, hold, hold)
        elif (same := same_play(game, at, free)) is not None:
            yield HoldAt(stake, same.house_edge, play_of(game, at, progress).result.house_edge if best else None)


def limit_findings(game: Game, rules: Rules, progress: Progress | None = None) -> Iterator[Finding]:
    """A note where the hold at the largest wager of a table is not that at the least, for its payout limit."""
    if not game.main_posts or not rules.caps:
        return
    shown = limited(game, rules, progress=progress, best=False)
    if shown is None or len(shown.holds) < 2:
        return
    least, most = shown.holds[0], shown.holds[-1]
    if abs(most.same_play - least.same_play) > NOTABLE:
        one, other = (percent(each.same_play) for each in (least, most))
        sentence = (
            f"{shown.sentence} The hold is {one} of the {shown.unit} at {show_dollars(least.stake)} and {other} at "
            f"{show_dollars(most.stake)}, the largest wager, for a player who plays as is best without the limit."
        )
        yield refusal("hold-by-stake", f"a hold of {one}", other, sentence, cite=shown.cap.cite, severity="note")
