"""The book of one round: each settled wager is a line, each line moves money, meters pay at the player's turn."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from enum import StrEnum
from fractions import Fraction
from itertools import groupby
from typing import Any

from pitboss.findings import Finding, PitbossError
from pitboss.games.round import Round, Seat
from pitboss.games.rules import Rules
from pitboss.hands.labels import row_of
from pitboss.law.cite import Cite
from pitboss.law.model import Procedure, in_force
from pitboss.law.odds import Charged, FixedSum, ForOne, MeterShare, Odds, Tier, ToOne
from pitboss.meters import UNITS_PER_CENT, Meter, Movement
from pitboss.money import Cents, show_dollars, show_signed
from pitboss.records import Frozen


class LineResult(StrEnum):
    """What came of a wager."""

    WIN = "win"
    LOSE = "lose"
    PUSH = "push"
    FORFEIT = "forfeit"
    VOID = "void"
    LIVES_ON = "lives on"
    """Not settled in this round; no line is ever entered with it."""


@dataclass(frozen=True)
class Pay:
    """What a line pays, whatever the stake: a result, odds if it wins, the paragraph, and the reason in words."""

    result: LineResult
    cite: str
    why: str
    odds: Odds | None = None
    odds_cite: str = ""
    additional: bool = False
    """A payout on top of a wager whose stake is settled on another line."""

    def per_unit(self) -> Fraction | None:
        """Net per unit staked; none where the sum does not depend on the stake."""
        match self.odds:
            case None:
                unmoved = (LineResult.PUSH, LineResult.VOID, LineResult.LIVES_ON)
                return Fraction(0) if self.result in unmoved else Fraction(-1)
            case ToOne(rate):
                return rate
            case ForOne(rate):
                return rate if self.additional else rate - 1
        return None


def win(cite: str, why: str, odds: Odds, odds_cite: str, additional: bool = False) -> Pay:
    return Pay(LineResult.WIN, cite, why, odds, odds_cite, additional)


def lose(cite: str, why: str) -> Pay:
    return Pay(LineResult.LOSE, cite, why)


def push(cite: str, why: str) -> Pay:
    return Pay(LineResult.PUSH, cite, why)


def lives_on(cite: str, why: str) -> Pay:
    return Pay(LineResult.LIVES_ON, cite, why)


def forfeit(cite: str, why: str) -> Pay:
    return Pay(LineResult.FORFEIT, cite, why)


@dataclass(frozen=True)
class SettledWager:
    """One settled wager: who, which, how much, what came of it, by which paragraph, and why."""

    seat: int
    wager: str
    stake: Cents
    result: LineResult
    net: Cents
    cite: str
    why: str
    odds: str = ""
    odds_cite: str = ""
    holder: int | None = None
    settles: str = ""
    """The wager whose stake leaves the layout with this line; empty for a payout on top of another line."""
    from_meter: str = ""
    """The meter that pays, where a meter does."""

    @property
    def on_layout(self) -> Cents:
        """What lay on the layout for this line; a bonus on top of another line has no stake of its own."""
        return self.stake if self.settles else 0

    @property
    def paid(self) -> Cents:
        """What the player gets into the hand: the stake, if it comes back, and the winnings."""
        return self.on_layout + self.net


@dataclass(frozen=True)
class Line(SettledWager):
    """One line of the book of a round."""

    acts: tuple[Procedure, ...] = ()
    """What the law has people do before this line is paid: verify the hand, call a floorperson, keep the cards."""

    def as_dict(self) -> dict[str, Any]:
        """As plain values, for JSON; money in cents."""
        line: dict[str, Any] = {
            "seat": self.seat,
            "wager": self.wager,
            "stake": self.stake,
            "result": str(self.result),
            "net": self.net,
            "cite": self.cite,
            "why": self.why,
        }
        if self.odds:
            line |= {"odds": self.odds, "odds_cite": self.odds_cite}
        if self.holder is not None:
            line["holder"] = self.holder
        if self.acts:
            line["acts"] = [{"act": p.act, "actor": p.actor, "cite": str(p.cite)} for p in self.acts]
        return line


@dataclass(frozen=True)
class Settlement(Frozen):
    """A settled round, or the findings for which nothing was settled."""

    lines: tuple[Line, ...] = ()
    meters: Mapping[str, Meter] = field(default_factory=dict)
    movements: tuple[Movement, ...] = ()
    findings: tuple[Finding, ...] = ()
    meter_names: Mapping[str, str] = field(default_factory=dict)
    """Names under which a round file knows meters; they are reported back under the same names."""
    game: str = ""
    as_of: date | None = None
    """The day of the law; none where nothing was settled."""

    def __repr__(self) -> str:
        if self.findings:
            return f"<Settlement: nothing, for {len(self.findings)} findings>"
        won = ", ".join(f"seat {seat} {show_signed(total)}" for seat, total in self.totals.items())
        return f"<Settlement: {len(self.lines)} lines, {won or 'nobody'}>"

    @property
    def totals(self) -> dict[int, Cents]:
        """What each seat gained or lost, by seat number."""
        totals: dict[int, Cents] = {}
        for line in sorted(self.lines, key=lambda line: line.seat):
            totals[line.seat] = totals.get(line.seat, 0) + line.net
        return totals

    def as_dict(self) -> dict[str, Any]:
        """The published JSON form; all money in cents."""
        shown: dict[str, Any] = {
            "lines": [line.as_dict() for line in self.lines],
            "totals": {str(seat): total for seat, total in self.totals.items()},
            "meters": {self.meter_names.get(name, name): _shown(meter) for name, meter in self.meters.items()},
            "findings": [finding.as_dict() for finding in self.findings],
        }
        reserves = {
            self.meter_names.get(name, name): meter.reserve // UNITS_PER_CENT
            for name, meter in self.meters.items()
            if meter.spec.reserve
        }
        return shown | ({"reserves": reserves} if reserves else {})


def _shown(meter: Meter) -> Cents | dict[Tier, Cents]:
    amounts = meter.displayed()
    return amounts["meter"] if set(amounts) == {"meter"} else amounts


def _acts(rules: Rules, pay: Pay) -> tuple[Procedure, ...]:
    """The steps (i), (ii), ... of the paragraph that pays a progressive or Five Card Hand win, as far as they apply."""
    paragraph = Cite.parse(pay.cite).parent
    facts = {"won"}
    if isinstance(pay.odds, MeterShare):
        facts |= {"meter share", "500 for 1 or meter share"} | ({"whole meter"} if pay.odds.share == 1 else set())
    elif isinstance(pay.odds, ForOne) and pay.odds.rate == 500:
        facts.add("500 for 1 or meter share")
    return tuple(
        step
        for step in in_force(rules.chapter.procedures, rules.as_of)
        if step.stage == "settlement"
        and step.cite.parent == paragraph
        and step.when in facts
        and step.unless not in facts
    )


class SettlementError(PitbossError, ValueError):
    """A game left a stake without its line, or gave it two: a fault of the program, and nothing is paid on it."""


def stake_faults(
    stakes: Mapping[int, Mapping[str, Cents]], settled: Iterable[tuple[int, str]]
) -> Iterator[tuple[int, str, str]]:
    """Seat, wager and sentence for each stake that is not settled by exactly one line.

    ``settled`` is one seat and one wager for each line with which a stake leaves the layout.
    """
    times = Counter(settled)
    for seat, made in stakes.items():
        for wager, stake in made.items():
            if (count := times.pop((seat, wager), 0)) != 1:
                how = "no line" if not count else f"{count} lines"
                sentence = f"The {wager} of {show_dollars(stake)} at seat {seat} is settled by {how} instead of one."
                yield seat, wager, sentence
    for seat, wager in sorted(times):
        yield seat, wager, f"A line settles a {wager} at seat {seat}, where nobody made one."


@dataclass(frozen=True)
class Turn:
    """One seat's turn in one stage: its lines, the money they move and the meters afterwards."""

    stage: str
    seat: int
    lines: tuple[Line, ...]
    movements: tuple[Movement, ...] = ()
    meters: Mapping[str, Meter] = field(default_factory=dict)
    needs: str = ""
    """The place whose cards must be turned up before the turn goes on; it has no lines until then."""


class Book:
    """Collects the lines of a round while the game calls them in order.

    A live table settles turn by turn. It opens the book again for each turn with the lines ``settled`` so far, which
    are taken over unchanged: the meters have paid them already. Lines of a seat that is ``absent`` are left out
    from the given line on; such a player has left the table.
    """

    def __init__(
        self,
        rules: Rules,
        meters: Mapping[str, Meter],
        settled: Sequence[Line] = (),
        absent: Mapping[int, int] | None = None,
    ) -> None:
        self.rules = rules
        self.meters = dict(meters)
        self.lines: list[Line] = []
        self.movements: list[Movement] = []
        self._settled = settled
        self._absent = absent or {}
        self._turn = ("", 0)
        self._marks: list[tuple[tuple[str, int], int, Mapping[str, Meter]]] = []
        self._divided: dict[tuple[str, str], Cents] = {}
        self._paid_under_cap: dict[int, Cents] = {}
        self._waiting: Turn | None = None

    def turn(self, stage: str, seat: int) -> None:
        """The lines that follow are entered at this seat's turn."""
        self._turn = stage, seat

    def wait(self, stage: str, seat: int, place: str) -> None:
        """Stop at this seat's turn: the cards of ``place`` must be turned up before anything else is settled."""
        self._waiting = Turn(stage, seat, (), needs=place)

    def turns(self) -> tuple[Turn, ...]:
        """The turns that are still to be settled, in order; the last one may wait for cards."""
        found: list[Turn] = []
        moved = self._marks[len(self._settled) - 1][1] if self._settled else 0
        index = len(self._settled)
        for (stage, seat), marks in groupby(self._marks[index:], key=lambda mark: mark[0]):
            last = list(marks)
            lines = tuple(self.lines[index : index + len(last)])
            _, until, meters = last[-1]
            found.append(Turn(stage, seat, lines, tuple(self.movements[moved:until]), meters))
            index, moved = index + len(last), until
        return (*found, self._waiting) if self._waiting is not None else tuple(found)

    def is_absent(self, seat: int) -> bool:
        """Whether the player of a seat has left, as of the next line."""
        return seat in self._absent and len(self.lines) >= self._absent[seat]

    def present(self, seats: Iterable[Seat]) -> tuple[Seat, ...]:
        """Those who have not left the table; nobody else takes part in a jackpot that is divided."""
        return tuple(seat for seat in seats if not self.is_absent(seat.number))

    @property
    def takes_over(self) -> bool:
        """Whether the next line was settled before: it is written as it was, with the words it had."""
        return len(self.lines) < len(self._settled)

    def _taken_over(self, seat: int, wager: str) -> Line | None:
        """The line as it was settled before, where it was."""
        if not self.takes_over:
            return None
        index = len(self.lines)
        line = self._settled[index]
        if (line.seat, line.wager) != (seat, wager):
            raise ValueError(f"line {index + 1} was settled as {line.wager} of seat {line.seat}, not {wager} of {seat}")
        return line

    def _write(self, line: Line) -> None:
        self.lines.append(line)
        self._marks.append((self._turn, len(self.movements), dict(self.meters)))

    def accept_wagers(self, played: Round) -> None:
        """At "no more bets" every progressive wager adds its increment to its meter."""
        for seat in played.clockwise():
            for name, stake in seat.wagers.items():
                wager = self.rules.wager_named(name)
                if wager is not None and wager.meter:
                    self.meters[wager.meter], moves = self.meters[wager.meter].contribute(stake)
                    self.movements += moves

    def enter(
        self,
        seat: int,
        wager: str,
        stake: Cents,
        pay: Pay | None,
        detail: str = "",
        *,
        divided_by: int = 1,
        settles: str | None = None,
        net: Cents | None = None,
    ) -> None:
        """Settle one line. ``divided_by`` winners share a jackpot; ``net`` is given where others pay it, not the house.

        A line settles the stake of the wager it is named after, unless ``settles`` names another.
        """
        if pay is None or self.is_absent(seat):
            return
        if (taken := self._taken_over(seat, wager)) is not None:
            if self.rules.cap_on(wager, taken.odds_cite) and taken.net > 0:
                self._paid_under_cap[seat] = self._paid_under_cap.get(seat, 0) + taken.net
            if divided_by > 1 and isinstance(pay.odds, MeterShare):
                self._divided[wager, pay.odds.tier] = taken.net + stake
            self._write(taken)
            return
        why = f"{detail[0].upper()}{detail[1:]}. {pay.why}" if detail else pay.why
        net, note = self._net(seat, wager, stake, pay, divided_by) if net is None else (net, "")
        named = self.rules.wager_named(wager)
        # A Magic Card or Lucky Bonus is paid on top of a Five Card Hand Bonus and by the same steps.
        follows = pay.additional or bool(named and named.meter)
        self._write(
            Line(
                seat,
                wager,
                stake,
                pay.result,
                net,
                pay.cite,
                why + note,
                "" if pay.odds is None else str(pay.odds),
                pay.odds_cite,
                acts=_acts(self.rules, pay) if pay.result == LineResult.WIN and follows else (),
                settles="" if pay.additional else wager if settles is None else settles,
                from_meter=named.meter if named and isinstance(pay.odds, MeterShare) else "",
            )
        )

    def _net(self, seat: int, wager: str, stake: Cents, pay: Pay, divided_by: int) -> tuple[Cents, str]:
        note = ""
        match pay.odds:
            case MeterShare(share, tier):
                prize = self._award(wager, tier, share, divided_by)
                self._move("players", "house", stake, f"{wager} stake")
                shared = f", divided among {divided_by}" if divided_by > 1 else ""
                return prize - stake, f" The meter pays {show_dollars(prize)}{shared}."
            case FixedSum(amount):
                net = amount
            case _:
                exact = stake * (pay.per_unit() or 0)
                net = exact.numerator // exact.denominator
                if exact.denominator != 1:
                    note = " A fraction of a cent is not paid."
        if isinstance(pay.odds, Charged):
            note += self._charge(wager, stake + net)
        if net > 0 and (cap := self.rules.cap_on(wager, pay.odds_cite)) is not None:
            paid = self._paid_under_cap.get(seat, 0)
            allowed = min(net, cap.most - paid)
            self._paid_under_cap[seat] = paid + allowed
            if allowed < net:
                note += f" Cut from {show_dollars(net)} by the {cap} [{cap.cite}]."
                net = allowed
        if net > 0:
            self._move("house", "players", net, wager)
        else:
            self._move("players", "house", -net, wager)
        return net, note

    def _charge(self, wager: str, prize: Cents) -> str:
        """Take a fixed prize off the meter, where meters are kept."""
        named = self.rules.wager_named(wager)
        if named is None or named.meter not in self.meters:
            return ""
        self.meters[named.meter], movements = self.meters[named.meter].charge(prize)
        self.movements += movements
        return " The prize is charged to the meter."

    def _award(self, wager: str, tier: Tier, share: Fraction, divided_by: int) -> Cents:
        """A jackpot that several share is taken off the meter once, at the first one's turn."""
        if (wager, tier) in self._divided:
            return self._divided[wager, tier]
        named = self.rules.wager_named(wager)
        assert named is not None
        award = self.meters[named.meter].award(tier, share, divided_by)
        self.meters[named.meter] = award.meter
        self.movements += award.movements
        if divided_by > 1:
            self._divided[wager, tier] = award.each
        return award.each

    def envy(self, holder: Seat, wager: str, label: str, bettors: Iterable[Seat], cite: str, detail: str) -> None:
        """Fixed sums to all others who made the progressive wager, for a qualifying hand that somebody holds."""
        if self.is_absent(holder.number):
            return
        for receiver in bettors:
            if receiver.number == holder.number or self.is_absent(receiver.number):
                continue
            stake = receiver.stake(wager)
            for table in self.rules.envies[wager]:
                row = row_of(table.rows, label) if table.stake == stake else None
                if row is None:
                    continue
                if (taken := self._taken_over(receiver.number, table.line)) is not None:
                    self._write(taken)
                    continue
                amount = table.rows[row]
                self._move("house", "players", amount, table.line)
                why = f"Seat {holder.number} holds {detail}: an Envy Bonus of {show_dollars(amount)}."
                self._write(
                    Line(
                        receiver.number,
                        table.line,
                        stake,
                        LineResult.WIN,
                        amount,
                        cite,
                        why,
                        show_dollars(amount),
                        str(table.cite),
                        holder.number,
                    )
                )

    def _move(self, source: str, target: str, amount: Cents, reason: str) -> None:
        if amount:
            self.movements.append(Movement(source, target, amount * UNITS_PER_CENT, reason))

    def close(self) -> Settlement:
        rules = self.rules
        return Settlement(
            tuple(self.lines), dict(self.meters), tuple(self.movements), game=rules.game, as_of=rules.as_of
        )
