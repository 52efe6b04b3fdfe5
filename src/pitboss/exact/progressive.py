"""A progressive wager as a + b times the meter: fixed part, jackpots, break-even, and what it pays in the long run.

Everything is in units of the wager: a meter of $10,000 over a $5 wager stands at 2,000 units.

**The long run.** Wagers come one after another; each adds the rate r to the meter and then wins the share s_i of it
with probability p_i, the same each time. A whole meter (s = 1, probability p) starts again at the reseed R; a smaller
share is only taken off. If E is the mean of the meter that a wager finds, its own increment included, then what is
left for the next wager has the mean

    p R + (1 - b) E,    b = sum of p_i s_i over all rows, the whole meter's among them,

because a share s leaves (1 - s) E and a whole meter leaves R in place of 0. Adding the next increment must give E
again, so E = (r + p R) / b, and the meter pays b E = r + p R for each wager: all increments, and the reseeds. What
shares of 10 % or 25 % take out lowers the mean of the meter but not what is paid in all; no term for them remains.

**The reserve** grows by q with each wager. Where the reseed is $0 it becomes the new meter at every whole hit, q / p on
average, so the meter pays r + q. Elsewhere it pays for the reseed as far as it goes: players still get r + p R, and the
house spends r + max(q, p R): a reserve that grows faster than the reseeds need (q > p R) is never spent.

**Prizes charged to the meter**, where a reading has it so: fixed prizes of c for each unit are taken off the meter
again, so that it pays r - c + p R in shares and the house spends c less. A meter that would need more than comes in
stands at nothing, and the house pays the rest.

**Several seats.** Every wager on a meter feeds it, whichever of them wins it. With n_w seats on wager w, h_w hands can
win: n_w where each seat's own hand decides, one where the hand is everybody's and a jackpot is divided. A round then
adds r N, N = sum of n_w, and the meter pays E sum of h_w b_w = r N + R sum of h_w p_w, or (r + q) N where the reseed is
$0. Wager w gets E h_w b_w / n_w of it for each unit: five seats on the player's and on the dealer's hand feed the meter
ten times and hit it by six hands, so each wager on an own hand is paid 10/6 of r + q and each on the dealer's 10/30.
What is paid in all is exact; the division among wagers takes two jackpots of one round as if they fell in two rounds,
which moves no hold by as much as 0.0001 percentage points (``tests/test_exact_progressive.py`` counts it).
Envy Bonuses are paid by the house for the hands of all other seats, so each seat more adds the same to them.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from pitboss.exact.facets import LineCounts, line_counts
from pitboss.exact.plan import Staged
from pitboss.exact.side import STAKE, Jackpot, SideResult, fold_counts, reads_folded, side_result, weigh_line
from pitboss.exact.value import Valued
from pitboss.findings import PitbossError
from pitboss.games.contract import Game
from pitboss.games.rules import Rules
from pitboss.hands.labels import row_of
from pitboss.law.model import MeterSpec
from pitboss.law.odds import Tier
from pitboss.money import Cents

NOBODY: Fraction = Fraction(0)
ALONE = "one seat with this wager, the meter's long run included"
HOLDS_OF_LINKED = "as at one table: each table feeds the meter as often as it can win it"
ROUNDS_OF_LINKED = "a round at each of the tables, by the number of seats at each"
BY_SEATS = "every seat makes the wager; the meter's long run and Envy Bonuses are included"


class NoMeterError(PitbossError, ValueError):
    """A wager without a meter, or one whose meter the submission has yet to describe."""


@dataclass(frozen=True)
class TierReport:
    """One meter, or one of its jackpots, in units of the wager."""

    tier: Tier
    seed: Fraction
    reseed: Fraction
    rate: Fraction
    slope: Fraction
    """What one unit on the meter adds to the expected value: the b of a + b times the meter."""
    whole: Fraction
    """Probability of winning all of it."""
    rounds_between_hits: Fraction | None
    """Mean number of wagers from one whole jackpot to the next."""
    mean_meter: Fraction
    """The meter that a wager finds on average in the long run."""
    paid: Fraction
    """What the meter pays in the long run for each unit wagered."""
    reserve: Fraction = NOBODY
    charged: Fraction = NOBODY
    """What fixed prizes take off it for each unit wagered."""

    @property
    def house_cost(self) -> Fraction:
        """Increments, reserve, and the part of the reseeds that the reserve does not cover, less prizes charged."""
        return self.rate + max(self.reserve, self.whole * self.reseed) - self.charged

    @property
    def unspent_reserve(self) -> Fraction:
        """Reserve increments that no reseed ever needs."""
        return max(self.reserve - self.whole * self.reseed, NOBODY) if self.reseed or not self.whole else NOBODY


@dataclass(frozen=True)
class Feed:
    """A wager that feeds a meter: how much of each jackpot one hand wins on average, and how often all of it."""

    wager: str
    divided: bool
    slope: Mapping[Tier, Fraction]
    whole: Mapping[Tier, Fraction]
    charged: Mapping[Tier, Fraction]

    def hands(self, seats: int) -> int:
        """How many hands of a round can win for this wager."""
        return min(seats, 1) if self.divided else seats


@dataclass(frozen=True)
class SeatHold:
    """The long run of one wager at a table where every seat makes it, for each unit wagered."""

    seats: int
    others: tuple[str, ...]
    """Other wagers on the same meter, which every seat makes as well."""
    meter: Fraction
    """What the meter pays."""
    envy: Fraction
    hold: Fraction
    """What players lose: the fixed part less meter and Envy Bonuses."""
    house_hold: Fraction
    """What stays with the house, which pays increments and reseeds no matter who wins."""

    def as_dict(self) -> dict[str, Any]:
        return {
            "seats": self.seats,
            "also_wagered": list(self.others),
            "meter": str(self.meter),
            "envy": str(self.envy),
            "hold_exactly": str(self.hold),
            "hold": float(self.hold),
            "house_hold": float(self.house_hold),
        }


@dataclass(frozen=True)
class LinkedTables:
    """Several tables on one meter."""

    tables: int
    rounds_between_hits: Mapping[Tier, Mapping[int, Fraction | None]]
    """By jackpot and by seats at each table, in rounds at each of the tables."""

    def as_dict(self) -> dict[str, Any]:
        return {
            "tables": self.tables,
            "holds": HOLDS_OF_LINKED,
            "rounds_between_hits": {
                tier: {str(seats): None if rounds is None else float(rounds) for seats, rounds in by_seats.items()}
                for tier, by_seats in self.rounds_between_hits.items()
            },
            "rounds_between_hits_are_for": ROUNDS_OF_LINKED,
        }


@dataclass(frozen=True)
class ProgressiveReport:
    """A progressive wager under given rules; ``fixed`` is the expected value with all meters at zero."""

    game: str
    wager: str
    letter: str
    stake: Cents
    plays: str
    """``nobody folds``, or ``main play as given``."""
    fixed: Fraction
    extras: Mapping[str, Fraction]
    """What Magic Card and Lucky Bonus add for each unit wagered; already part of ``fixed``."""
    jackpots: tuple[Jackpot, ...]
    tiers: tuple[TierReport, ...]
    envy_per_seat: Fraction
    """Expected Envy Bonus for each unit wagered and each other seat whose hand is not folded away."""
    other_seats: tuple[int, ...]
    feeds: tuple[Feed, ...]
    """This wager, then the others that feed its meter."""

    @property
    def divided(self) -> bool:
        """Whether a jackpot is divided among all who wagered, so that other seats with the same wager take a part."""
        return self.feeds[0].divided

    def expected_value(self, meters: Mapping[Tier, Fraction], other_seats: int = 0) -> Fraction:
        """The player's expected value for each unit wagered, meters in units of the wager; a tier not named is 0."""
        parts = (tier.slope * meters.get(tier.tier, NOBODY) for tier in self.tiers)
        return self.fixed + sum(parts, NOBODY) / self._winners(other_seats) + other_seats * self.envy_per_seat

    def break_even(self, tier: Tier, other_seats: int = 0, envy: bool = True) -> Fraction:
        """The meter, in units of the wager, at which the expected value is 0; other jackpots stand at their seed."""
        seeds = {each.tier: each.seed for each in self.tiers if each.tier != tier}
        without = self.expected_value(seeds, other_seats)
        if not envy:
            without -= other_seats * self.envy_per_seat
        slope = next(each.slope for each in self.tiers if each.tier == tier)
        return -without * self._winners(other_seats) / slope

    def _winners(self, other_seats: int) -> int:
        return other_seats + 1 if self.divided else 1

    def at_seats(self, seats: int, others: bool = True) -> SeatHold:
        """The hold where so many seats make this wager, and, unless said otherwise, the others on its meter too."""
        feeds = self.feeds if others else self.feeds[:1]
        mine, wagers = self.feeds[0], seats * len(feeds)
        meter = house = NOBODY
        for tier in self.tiers:
            slope = sum((feed.hands(seats) * feed.slope[tier.tier] for feed in feeds), NOBODY)
            whole = sum((feed.hands(seats) * feed.whole[tier.tier] for feed in feeds), NOBODY)
            reseeds = whole * tier.reseed
            # A reserve that becomes the meter does so when all of it is won; where nothing wins all, it never does.
            paid = wagers * tier.rate + (reseeds if tier.reseed or not whole else wagers * tier.reserve)
            # No more is charged than comes in.
            charged = min(sum((feed.hands(seats) * feed.charged[tier.tier] for feed in feeds), NOBODY), paid)
            meter += (paid - charged) * mine.hands(seats) * mine.slope[tier.tier] / slope / seats
            house += tier.rate + max(tier.reserve, reseeds / wagers) - charged / wagers
        envy = (seats - 1) * self.envy_per_seat
        made = tuple(feed.wager for feed in feeds[1:])
        return SeatHold(seats, made, meter, envy, -self.fixed - meter - envy, -self.fixed - house - envy)

    def by_seats(self) -> tuple[SeatHold, ...]:
        """Every number of seats; where wagers share the meter first alone, then all of them together."""
        counts = sorted(each + 1 for each in self.other_seats)
        ways = (False, True) if len(self.feeds) > 1 else (False,)
        return tuple(self.at_seats(seats, others) for others in ways for seats in counts)

    def linked(self, tables: int) -> "LinkedTables":
        """Several tables on one meter, as many seats at each: how often it is won.

        Every wager feeds the meter alike and every hand can win it, so a seat's share of what it pays is as at one
        table: increments, hands and wagers all grow alike.
        """
        return LinkedTables(
            tables,
            {
                tier.tier: {
                    others + 1: self._rounds_between(tier.tier, others + 1, tables) for others in self.other_seats
                }
                for tier in self.tiers
            },
        )

    def _rounds_between(self, tier: Tier, seats: int, tables: int) -> Fraction | None:
        whole = sum((feed.hands(seats) * feed.whole[tier] for feed in self.feeds), NOBODY)
        return 1 / (whole * tables) if whole else None

    @property
    def long_run_return(self) -> Fraction:
        """What one seat gets back for each unit wagered, the stake of a "to 1" win included; alone it earns no Envy."""
        return 1 + self.fixed + sum((tier.paid for tier in self.tiers), NOBODY)

    @property
    def long_run_hold(self) -> Fraction:
        return 1 - self.long_run_return

    @property
    def long_run_house_hold(self) -> Fraction:
        """What stays with the house: a reserve that is never spent is set aside, not kept."""
        return -self.fixed - sum((tier.house_cost for tier in self.tiers), NOBODY)

    def as_dict(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "wager": self.wager,
            "paytable": self.letter,
            "stake_dollars": self.stake / 100,
            "plays": self.plays,
            "fixed": str(self.fixed),
            "extras": {name: str(value) for name, value in self.extras.items()},
            "jackpots": {
                each.name: {"probability": str(each.probability), "share": float(each.share)} for each in self.jackpots
            },
            "tiers": {tier.tier: self._tier_dict(tier) for tier in self.tiers},
            "envy_per_seat": str(self.envy_per_seat),
            "long_run_is_for": ALONE,
            "long_run_return": float(self.long_run_return),
            "long_run_hold": float(self.long_run_hold),
            "long_run_house_hold": float(self.long_run_house_hold),
            "hold_by_seats_is_for": f"{BY_SEATS}; {self.plays}",
            "hold_by_seats": [each.as_dict() for each in self.by_seats()],
        }

    def _tier_dict(self, tier: TierReport) -> dict[str, Any]:
        """Amounts on a meter in dollars at the stake; the rest is for each unit wagered."""
        unit = Fraction(self.stake, 100)

        def even(envy: bool) -> dict[str, float]:
            return {str(n): float(unit * self.break_even(tier.tier, n, envy)) for n in self.other_seats}

        return {
            "seed_dollars": float(unit * tier.seed),
            "reseed_dollars": float(unit * tier.reseed),
            "rate": float(tier.rate),
            "reserve": float(tier.reserve),
            "prizes_charged": float(tier.charged),
            "slope": str(tier.slope),
            "rounds_between_hits": None if tier.rounds_between_hits is None else float(tier.rounds_between_hits),
            "mean_meter_dollars": float(unit * tier.mean_meter),
            "paid": float(tier.paid),
            "house_cost": float(tier.house_cost),
            "unspent_reserve": float(tier.unspent_reserve),
            "break_even_dollars": str(unit * self.break_even(tier.tier)),
            "break_even_without_envy_dollars": even(False),
            "break_even_with_envy_dollars": even(True),
        }


def progressive_wagers(game: Game, rules: Rules) -> tuple[str, ...]:
    """The wagers of a table that feed a meter."""
    return tuple(name for name, wager in rules.wagers.items() if wager.meter and name in game.lines.rules)


def progressive_report(
    game: Game,
    rules: Rules,
    wager: str,
    other_seats: Sequence[int] = range(7),
    stake: Cents = STAKE,
    folds: Valued | Staged | None = None,
    chances: Mapping[str, Fraction] | None = None,
) -> ProgressiveReport:
    """All about one progressive wager.

    With the main game as it is played (``folds``), the wager is forfeited by a fold where the law says so, and a hand
    folded away earns nobody an Envy Bonus. A fold that forfeits nothing of this wager leaves the hand on the table.
    The chances are those with which the system selects a card or a position in a round; the text has none, a
    submission chooses them. A jackpot on the dealer's hand is divided: the other seats counted have wagered on it too.
    """
    named = rules.wagers.get(wager)
    spec = rules.meters.get(named.meter) if named is not None and named.meter else None
    if spec is None or not spec.rate:
        raise NoMeterError(f"The wager {wager!r} of {game.name} has no meter with a seed and a rate under these rules.")
    forfeits = folds is not None and reads_folded(game, wager)
    counted = fold_counts(game, wager, folds) if folds is not None and forfeits else line_counts(game, wager)
    result = weigh_line(game, rules, counted, stake)
    extras = _extras(game, rules, wager, stake, chances or {})
    same = (name for name in progressive_wagers(game, rules) if rules.meters.get(rules.wagers[name].meter) is spec)
    feeds = [_feed(rules, spec, result)]
    feeds += [_feed(rules, spec, side_result(game, rules, name, stake, folds)) for name in same if name != wager]
    return ProgressiveReport(
        game=game.name,
        wager=wager,
        letter=result.letter,
        stake=stake,
        plays="main play as given" if forfeits else "nobody folds",
        fixed=result.expected_value + sum(extras.values(), NOBODY),
        extras=extras,
        jackpots=result.jackpots,
        tiers=tuple(_tier(tier, spec, feeds[0], stake) for tier in spec.rate),
        envy_per_seat=envy_per_seat(rules, wager, _held(game, wager, counted), stake),
        other_seats=tuple(other_seats),
        feeds=tuple(feeds),
    )


def _held(game: Game, wager: str, counted: LineCounts) -> LineCounts:
    """The hands that earn others an Envy Bonus: folded ones too where the law keeps them on the table for it."""
    posts = (post for step in game.course.settles for post in step.posts)
    kept = any(post.line == wager and post.folded_too for post in posts)
    return replace(counted, folds=frozenset()) if kept else counted


def _extras(game: Game, rules: Rules, wager: str, stake: Cents, chances: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """Bonuses on what the system selects at random, by the name under which they are booked."""
    found = {}
    for post in (post for step in game.course.settles for post in step.posts if post.bonus and post.wager == wager):
        name = post.called or post.line
        if chances.get(name) and name in rules.tables:
            found[name] = chances[name] * side_result(game, rules, post.line, stake).expected_value
    return found


def _feed(rules: Rules, spec: MeterSpec, result: SideResult) -> Feed:
    slope, whole = dict.fromkeys(spec.rate, NOBODY), dict.fromkeys(spec.rate, NOBODY)
    for row in result.jackpots:
        slope[row.tier] += row.probability * row.share
        whole[row.tier] += row.probability if row.share == 1 else 0
    for tier in spec.rate:
        if not slope[tier]:
            raise NoMeterError(f"No row pays a share of the {tier}: it would grow for ever and win nobody anything.")
    # Only a single meter is charged with prizes; those in several tiers have no such reading.
    charged = {tier: result.charged if tier == "meter" else NOBODY for tier in spec.rate}
    return Feed(result.line, rules.wagers[result.line].divided, slope, whole, charged)


def _tier(tier: Tier, spec: MeterSpec, feed: Feed, stake: Cents) -> TierReport:
    slope, whole = feed.slope[tier], feed.whole[tier]
    reseed = _in_units(spec.reseed[tier], spec, stake)
    # A reserve belongs to a single meter; meters in several tiers have none.
    inflow = spec.rate[tier] + (whole * reseed if reseed or not whole else spec.reserve)
    charged = min(feed.charged[tier], inflow)
    return TierReport(
        tier=tier,
        seed=_in_units(spec.seed[tier], spec, stake),
        reseed=reseed,
        rate=spec.rate[tier],
        slope=slope,
        whole=whole,
        rounds_between_hits=1 / whole if whole else None,
        mean_meter=(inflow - charged) / slope,
        paid=inflow - charged,
        reserve=spec.reserve,
        charged=charged,
    )


def _in_units(amount: Cents, spec: MeterSpec, stake: Cents) -> Fraction:
    """Seeds are printed for each dollar of the wager; those a submission chose are plain sums."""
    return Fraction(amount, stake if spec.chosen else 100)


def envy_per_seat(rules: Rules, wager: str, counted: LineCounts, stake: Cents) -> Fraction:
    """Expected Envy Bonus for each unit wagered, from one other seat: every seat's cards are dealt alike."""
    return sum((amount * chance for amount, chance in envy_amounts(rules, wager, counted, stake)), NOBODY) / stake


def envy_amounts(rules: Rules, wager: str, counted: LineCounts, stake: Cents) -> Iterator[tuple[Cents, Fraction]]:
    """What one other seat's hand pays for a wager, and how often it does."""
    for code, count in counted.counts.items():
        for table in rules.envies.get(wager, ()) if code not in counted.folds else ():
            # Of a fold and of other choices there are no rows: only what the cards are called has one.
            row = next((row for value in code if (row := row_of(table.rows, value)) is not None), None)
            if row is not None and table.stake == stake:
                yield table.rows[row], Fraction(count, counted.deals)
