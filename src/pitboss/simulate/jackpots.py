"""Meters in a simulation: the few rounds that win a share of one are settled in their order by the rules themselves.

A meter's path depends on the order of rounds, so it cannot be added up batch by batch. Between two such rounds it only
grows, by the same increments each time; the rounds themselves are dealt again from their counter and settled by the
game, so that turns, divided jackpots and reseeds are those of the law.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pitboss.findings import PitbossError
from pitboss.games.settlement import Book, Settlement
from pitboss.law.odds import Tier
from pitboss.meters import Meter
from pitboss.simulate.batches import list_nets
from pitboss.simulate.plan import HOUSE, Plan
from pitboss.simulate.scalar import ScalarTable, fixed_net
from pitboss.simulate.words import Ints

MOST_LISTED = 100_000
"""Hits, and falls of meters, kept one by one; beyond that only the sums of hits are."""


class DisagreementError(PitbossError, AssertionError):
    """A compiled round and the rules do not agree; a defect of this program, never of the input."""


@dataclass(frozen=True)
class Hit:
    """One seat's part of a share of a meter that was won; those who divide a jackpot have a part each."""

    round: int
    seat: int
    wager: str
    meter: str
    odds: str
    paid: int
    """Cents."""


@dataclass(frozen=True)
class Fall:
    """A jackpot that was less after a round than before it. Between two falls it grows evenly, so this is its path."""

    round: int
    meter: str
    jackpot: Tier
    before: int
    after: int
    """Cents on the sign."""


@dataclass
class Rows:
    """All hits of one row of a pay table: how many, and what the meter paid."""

    hits: int = 0
    paid: int = 0
    paid_squares: int = 0
    least: int = 0
    most: int = 0

    def add(self, paid: int) -> None:
        self.least = paid if self.hits == 0 else min(self.least, paid)
        self.most = max(self.most, paid)
        self.hits, self.paid, self.paid_squares = self.hits + 1, self.paid + paid, self.paid_squares + paid * paid


@dataclass(frozen=True)
class RareRound:
    """What a rare round really moved, in units: the house's result and the first player's."""

    house: int
    player: int


@dataclass
class Meters:
    """The meters of a table on their way through a run."""

    plan: Plan
    seed: int
    meters: dict[str, Meter] = field(default_factory=dict)
    at: int = 0
    """Rounds played so far."""
    rows: dict[str, Rows] = field(default_factory=dict)
    listed: list[Hit] = field(default_factory=list)
    falls: list[Fall] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._table = ScalarTable(self.plan)
        if not self.meters:
            self.meters = self.plan.meters()
        book = Book(self.plan.rules, self.plan.meters())
        book.accept_wagers(self.plan.no_cards)
        self._grows = {
            name: ({tier: after.amounts[tier] - before.amounts[tier] for tier in before.amounts}, after.reserve)
            for name, before in self.plan.meters().items()
            for after in [book.meters[name]]
        }

    def advance(self, number: int) -> None:
        """Let the increments of all rounds before this one come in."""
        rounds = number - self.at
        for name, meter in self.meters.items():
            grows, reserve = self._grows[name]
            amounts = {tier: amount + rounds * grows[tier] for tier, amount in meter.amounts.items()}
            self.meters[name] = meter.holding(amounts, meter.reserve + rounds * reserve)
        self.at = number

    def settle(self, number: int) -> RareRound:
        """Settle a rare round, with the increments of its own wagers; rounds must come in order."""
        self.advance(number)
        played = self._table.play(self.seed, number)
        settlement = self._table.settle(played, self.meters)
        everybody, _ = self.nets(number, 1)
        if fixed_net(settlement) != int(everybody[0]):
            raise DisagreementError(
                f"Round {number} of seed {self.seed}: the compiled round moves {int(everybody[0])} cents, "
                f"the rules move {fixed_net(settlement)}."
            )
        before = self.displayed()
        self.meters = dict(settlement.meters)
        self._note_falls(number, before)
        self.at = number + 1
        self._note(number, settlement)
        first = self.plan.numbers[0]
        house = sum(move.amount * ((move.target == HOUSE) - (move.source == HOUSE)) for move in settlement.movements)
        return RareRound(house, 10_000 * sum(line.net for line in settlement.lines if line.seat == first))

    def nets(self, start: int, count: int) -> tuple[Ints, Ints]:
        """What consecutive rounds moved, as they are played in this run."""
        fill = self._table.fill if self.plan.scalar else None
        return list_nets(self.plan.work, self.seed, start, count, fill)

    def _note(self, number: int, settlement: Settlement) -> None:
        divided: dict[str, int] = {}
        for line in settlement.lines:
            if line.from_meter:
                paid, name = line.net + line.stake, f"{line.wager}: {line.odds}"
                if self.plan.rules.wagers[line.wager].divided:
                    divided[name] = divided.get(name, 0) + paid
                else:
                    self.rows.setdefault(name, Rows()).add(paid)
                if len(self.listed) < MOST_LISTED:
                    self.listed.append(Hit(number, line.seat, line.wager, line.from_meter, line.odds, paid))
        for name, paid in divided.items():
            self.rows.setdefault(name, Rows()).add(paid)

    def _note_falls(self, number: int, before: Mapping[str, Mapping[Tier, int]]) -> None:
        for name, amounts in self.displayed().items():
            for tier, amount in amounts.items():
                if amount < before[name][tier] and len(self.falls) < MOST_LISTED:
                    self.falls.append(Fall(number, name, tier, before[name][tier], amount))

    def paths(self) -> dict[tuple[str, Tier], list[tuple[int, int]]]:
        """Of each jackpot the points (round, cents) between which it grows evenly, from its seed to where it stands."""
        start = {name: meter.displayed() for name, meter in self.plan.meters().items()}
        found = {(name, tier): [(0, amount)] for name, tiers in start.items() for tier, amount in tiers.items()}
        for fall in self.falls:
            found[fall.meter, fall.jackpot] += [(fall.round, fall.before), (fall.round + 1, fall.after)]
        if len(self.falls) < MOST_LISTED:
            for name, tiers in self.displayed().items():
                for tier, amount in tiers.items():
                    found[name, tier].append((self.at, amount))
        return found

    def displayed(self) -> dict[str, dict[Tier, int]]:
        return {name: meter.displayed() for name, meter in self.meters.items()}

    def state(self) -> dict[str, Any]:
        """Everything needed to go on later, as plain values."""
        return {
            "at": self.at,
            "meters": {
                name: {"amounts": dict(meter.amounts), "reserve": meter.reserve} for name, meter in self.meters.items()
            },
            "rows": {name: vars(row) for name, row in self.rows.items()},
            "listed": [list(vars(hit).values()) for hit in self.listed],
            "falls": [list(vars(fall).values()) for fall in self.falls],
        }

    @classmethod
    def resumed(cls, plan: Plan, seed: int, state: Mapping[str, Any]) -> "Meters":
        start = plan.meters()
        meters = {name: start[name].holding(each["amounts"], each["reserve"]) for name, each in state["meters"].items()}
        rows = {name: Rows(**row) for name, row in state["rows"].items()}
        listed, falls = [Hit(*hit) for hit in state["listed"]], [Fall(*fall) for fall in state["falls"]]
        return cls(plan, seed, meters, state["at"], rows, listed, falls)
