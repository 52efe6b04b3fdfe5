"""Wagers before the cards, "no more bets", the lock-out and the count of progressive chips."""

from collections.abc import Iterator

from pitboss.cards import DECK, show_card
from pitboss.findings import Finding, refusal
from pitboss.games.checks import ABOVE_MAXIMUM, BELOW_MINIMUM, verify_wagers
from pitboss.games.handover import chip_wagers, electronic_wagers
from pitboss.games.round import Round, Seat
from pitboss.games.settle import verify_stakes
from pitboss.meters import Meter, Movement
from pitboss.money import Cents, show_dollars
from pitboss.table.command import AtSeat, Command, command
from pitboss.table.decks import deck_change_due
from pitboss.table.desk import Desk, chips, short_of_chips
from pitboss.table.events import (
    HOUSE,
    Entry,
    Event,
    carried_account,
    inventory_account,
    jackpot_account,
    joined,
    layout_account,
    meter_account,
    move,
    moved,
    player_account,
    pot_account,
)
from pitboss.table.kinds.cards import SystemSelected
from pitboss.table.kinds.wagers import (
    BetsClosed,
    ChipsCounted,
    MeterIncremented,
    WagerPlaced,
    WagerReturned,
    WagerWithdrawn,
    stored_carried,
)
from pitboss.table.ruling import SEATED, STAYS, cite_of, game_at, law_changed, rules_at, submission_of
from pitboss.table.state import BETWEEN_ROUNDS, Phase, Table

BETS_CLOSED = "no-wager-changed-after-no-more-bets"
ANTES = "collect-antes"


def _against(table: Table, seat: Seat) -> Iterator[Finding]:
    """What is wrong with wagers while they are open: as long as chips lie there, more may come up to the minimum."""
    stacking = all(stake > 0 for stake in seat.wagers.values())
    yield from (each for each in verify_wagers(rules_at(table), seat) if not stacking or each.code != BELOW_MINIMUM)


def _stays(table: Table, seat: int, found: str, stack: Cents) -> Finding:
    """Chips that a player won or has left stay before him: they may become more, and go when he goes."""
    left = show_dollars(stack)
    sentence = f"{left} of seat {seat} are in play and stay on the table: add to them, or leave and take them along."
    return refusal("stack-stays", f"at least {left}", found, sentence, cite=cite_of(table, STAYS), seat=seat)


@command("wager", BETWEEN_ROUNDS, "refuse-verbal-wagers-with-cash")
class MakeWager(AtSeat):
    """Put chips on a betting area, or change how many lie there."""

    wager: str
    amount: Cents

    def phase_act(self, table: Table) -> str:
        return BETS_CLOSED if table.in_round else self.act

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:
        player = table.player_at(self.seat)
        where = f"seat {self.seat}"
        if not player:
            sentence = f"Nobody sits at seat {self.seat}; only seated players wager."
            yield refusal("not-seated", "a seated player", "nobody", sentence, where, cite=cite_of(table, SEATED))
            return
        held = table.staged.get(self.seat, {})
        more = self.amount - held.get(self.wager, 0)
        if more > chips(desk, player):
            expected, sentence = short_of_chips(desk, player, more)
            change = f"{sentence} Cash must be changed first."
            yield self.refusal(table, "chips", expected, show_dollars(more), change, where)
        if (stack := table.stacks.get(self.seat, 0)) and self.amount < stack:
            yield _stays(table, self.seat, show_dollars(self.amount), stack)
        wager = rules_at(table).wager_named(self.wager)
        if self.wager in table.carried.get(self.seat, {}) and wager is not None:
            sentence = f"The {wager.title} of seat {self.seat} is still in progress; there is no other one meanwhile."
            yield refusal("wager-in-progress", "none in progress", "one", sentence, where, cite=wager.cite)
        seat = Seat(self.seat, (), {**held, self.wager: self.amount})
        yield from _against(table, seat)

    def events(self, table: Table, desk: Desk) -> Iterator[Event]:  # noqa: ARG002
        player = table.player_at(self.seat)
        more = self.amount - table.staged.get(self.seat, {}).get(self.wager, 0)
        wager = rules_at(table).wager_named(self.wager)
        entries = move(player_account(player), layout_account(table.id), more)
        placed = WagerPlaced(seat=self.seat, player=player, wager=self.wager, amount=self.amount)
        yield Event(placed, (str(wager.cite),) if wager else (), entries)


@command("withdraw", BETWEEN_ROUNDS | {Phase.OPENING}, BETS_CLOSED)
class Withdraw(AtSeat):
    """Take a wager back before "no more bets", also while new cards are opened."""

    wager: str

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:  # noqa: ARG002
        made = table.staged.get(self.seat, {})
        if self.wager not in made:
            sentence = f"No {self.wager} lies at seat {self.seat}."
            yield refusal("no-wager", ", ".join(made) or "a wager", self.wager, sentence)
            return
        if stack := table.stacks.get(self.seat):
            yield _stays(table, self.seat, "nothing", stack)
        rest = {name: stake for name, stake in made.items() if name != self.wager}
        if rest:
            yield from _against(table, Seat(self.seat, (), rest))

    def events(self, table: Table, desk: Desk) -> Iterator[Event]:  # noqa: ARG002
        player = table.player_at(self.seat)
        amount = table.staged[self.seat][self.wager]
        withdrawn = WagerWithdrawn(seat=self.seat, player=player, wager=self.wager, amount=amount)
        yield Event(withdrawn, (), move(layout_account(table.id), player_account(player), amount))


def _staked(table: Table) -> Round:
    """The round as it would begin with the wagers that lie on the layout."""
    return Round((), tuple(Seat(number, (), made) for number, made in sorted(table.staged.items())))


@command("no_more_bets", {Phase.WAGERING}, "announce-no-more-bets")
class NoMoreBets(Command):
    """The dealer announces "no more bets": from here no wager is made, changed or withdrawn."""

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:
        rules = rules_at(table)
        if (due := deck_change_due(table, desk.now)) is not None:
            yield due
        if (changed := law_changed(table, desk.now)) is not None:
            yield changed
        if not table.staged and not table.carried:
            yield self.refusal(table, "no-wager", "a wager", "none", "Nobody has made a wager; there is no round.")
            return
        staked, stays = _staked(table), {f"seat {seat}" for seat in table.stacks}
        for finding in verify_stakes(rules, staked) if table.staged else ():
            if finding.where not in stays or finding.code not in (BELOW_MINIMUM, ABOVE_MAXIMUM):
                yield finding  # limits are for chips that are placed, not for what is left of a round
        for seat in staked.seats:
            if seat.number not in table.stacks:
                yield from game_at(table).entry_findings(rules, seat)

    def events(self, table: Table, desk: Desk) -> Iterator[Event]:
        rules = rules_at(table)
        counting = any(chip_wagers(rules, made) for made in table.staged.values())
        electronic = sorted({n for made in table.staged.values() for n in made} & electronic_wagers(rules))
        entries = joined(
            move(layout_account(table.id), inventory_account(table.id), stake)
            for made in table.staged.values()
            for name, stake in made.items()
            if name in electronic
        )
        lying = sum(each.stake for made in table.carried.values() for each in made.values())
        hand = game_at(table).hand(rules, _staked(table))
        antes = sum(hand.put.values()) if hand is not None else 0
        yield Event(
            BetsClosed(
                round=table.rounds + 1,
                deck=table.active,
                commitment=table.deck.commitment if table.deck else "",
                dealer=desk.person,
                collected=tuple(electronic),
                carried=stored_carried(table.carried),
                antes=antes,
                phase=Phase.COUNTING if counting else Phase.DEALING,
            ),
            tuple(filter(None, (cite_of(table, self.act), cite_of(table, ANTES) if antes else ""))),
            joined(
                (
                    entries,
                    move(carried_account(table.id), layout_account(table.id), lying),
                    move(layout_account(table.id), pot_account(table.id), antes),
                )
            ),
        )
        yield from self._increments(table, desk)
        yield from self._selection(table, desk)

    def _increments(self, table: Table, desk: Desk) -> Iterator[Event]:
        """Every progressive wager accepted adds its part to its meter."""
        rules = rules_at(table)
        for name, meter_id in table.meters.items():
            stakes = [
                (seat, stake)
                for seat, made in sorted(table.staged.items())
                for wager, stake in made.items()
                if (known := rules.wager_named(wager)) and known.meter == name
            ]
            meter = desk.meter(meter_id) if stakes else None
            if meter is None:
                continue
            # A linked table contributes at the rate of its own pay table.
            own = Meter(name, rules.meters[name], meter.offered, meter.amounts, meter.reserve)
            entries: list[Entry] = []
            for _, stake in stakes:
                entries += meter_entries(meter_id, own.contribute(stake)[1], table.id)
            staked = sum(stake for _, stake in stakes)
            added = MeterIncremented(meter=meter_id, wagers=len(stakes), staked=staked)
            yield Event(added, (str(rules.meters[name].cite),), tuple(entries))

    def _selection(self, table: Table, desk: Desk) -> Iterator[Event]:
        """Magic Card and Lucky Bonus: the system selects as often as the submission says."""
        chosen = {
            name: desk.randomness.randbelow(chance.denominator) < chance.numerator
            for name, chance in submission_of(table).chances.items()
        }
        if not any(chosen.values()):
            return
        card = show_card(DECK[desk.randomness.randbelow(len(DECK))]) if chosen.get("magic_card") else ""
        places = [*map(str, range(1, rules_at(table).seats + 1)), "dealer"]
        lucky = places[desk.randomness.randbelow(len(places))] if chosen.get("lucky_bonus") else ""
        yield Event(SystemSelected(magic_card=card, lucky_position=lucky))


def meter_entries(meter_id: str, movements: tuple[Movement, ...], table: str) -> list[Entry]:
    """Movements between house, players and a meter as entries of the house's books.

    What a meter pays waits in the table's jackpot account until each winner's line is settled.
    """
    entries: list[Entry] = []
    for movement in movements:
        ends = []
        for end in (movement.source, movement.target):
            if end.startswith("meter "):
                ends.append(meter_account(meter_id, end.rpartition(" ")[2]))
            else:
                ends.append(HOUSE if end == "house" else jackpot_account(table))
        if any(end.startswith("meter:") for end in ends):
            entries += moved(ends[0], ends[1], movement.amount)
    return entries


@command("count_chips", {Phase.COUNTING}, "announce-no-more-bets")
class CountChips(Command):
    """The dealer collects the progressive chips and verifies their number against the system's."""

    count: int

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:  # noqa: ARG002
        rules = rules_at(table)
        accepted = sum(len(chip_wagers(rules, made)) for made in table.playing.wagers.values())
        if self.count != accepted:
            expected = f"{accepted} progressive wagers accepted by the system"
            sentence = (
                f"{self.count} chips were collected and {accepted} progressive wagers accepted: count again, or have "
                "a floorperson return the wager without a chip."
            )
            yield self.refusal(table, "chip-count", expected, f"{self.count} chips", sentence)

    def events(self, table: Table, desk: Desk) -> Iterator[Event]:  # noqa: ARG002
        rules = rules_at(table)
        stakes = [(n, made[n]) for made in table.playing.wagers.values() for n in chip_wagers(rules, made)]
        entries = move(layout_account(table.id), inventory_account(table.id), sum(stake for _, stake in stakes))
        collected = tuple(sorted({name for name, _ in stakes}))
        counted = ChipsCounted(count=self.count, collected=collected, phase=Phase.DEALING)
        yield Event(counted, (cite_of(table, self.act),), entries)


@command("return_wager", {Phase.COUNTING}, "announce-no-more-bets")
class ReturnWager(Command):
    """A floorperson returns a progressive wager that the count of chips does not bear out.

    What it added to the meter stays there: a displayed amount is lowered by an award and by nothing else.
    """

    seat: int
    wager: str

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:  # noqa: ARG002
        made = table.playing.staked(self.seat)
        if self.wager not in chip_wagers(rules_at(table), made):
            sentence = f"Seat {self.seat} made no progressive wager {self.wager}."
            yield self.refusal(table, "no-wager", "a progressive wager of the round", self.wager, sentence)
        elif len(table.playing.wagers) == 1 and len(made) == 1:
            yield refusal("last-wager", "another wager", "none", "It is the only wager of the round.")

    def events(self, table: Table, desk: Desk) -> Iterator[Event]:  # noqa: ARG002
        amount = table.playing.staked(self.seat)[self.wager]
        player = table.playing.players[self.seat]
        entries = move(layout_account(table.id), player_account(player), amount)
        returned = WagerReturned(seat=self.seat, player=player, wager=self.wager, amount=amount)
        yield Event(returned, (cite_of(table, self.act),), entries)
