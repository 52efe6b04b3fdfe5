"""The amounts that a dealer reads against the chips that move: every wager, every result, every game."""

import re
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

from pitboss.games.handover import Handover, collected_wagers, handover_in
from pitboss.games.registry import GAMES
from pitboss.games.round import Seat
from pitboss.games.rules import Rules
from pitboss.games.settlement import Book, Line, LineResult, Turn
from pitboss.ledger.sentences import tell
from pitboss.ledger.slips import slip_lines
from pitboss.meters import Meter
from pitboss.money import cents, show_dollars
from pitboss.reports.spots import stakes_of
from pitboss.table.chips import handover_at, line_entries, recorded_handover
from pitboss.table.events import Event
from pitboss.table.fold import apply
from pitboss.table.guide import next_step, orders
from pitboss.table.kinds.settlement import LineSettled
from pitboss.table.roles import Role
from pitboss.table.ruling import rules_at
from pitboss.table.state import LiveRound, Phase, Table
from pitboss.table.turns import line_settled, ready_turns
from pitboss.table.view import view
from tests.table.contest import opened, stakes
from tests.table.driver import Bench, Hands, submission_text

ROUNDS = 3
Moved = tuple[int, int, int]
"""Handed over, taken, stays, in cents."""


def recorded(event: Event) -> Handover:
    assert isinstance(event.fact, LineSettled)
    return recorded_handover(event.fact, event.entries)


def moved(events: list[Event]) -> Moved:
    """What the entries of settled lines did to the accounts, without asking the code that made them."""
    handed = taken = stays = 0
    for event in events:
        pairs = [(event.entries[at], event.entries[at + 1]) for at in range(0, len(event.entries), 2)]
        for source, target in pairs:
            assert source.units == -target.units < 0
            ends, amount = (source.account.partition(":")[0], target.account.partition(":")[0]), target.units // 10_000
            match ends:
                case "layout", "player":
                    stays += amount
                case "layout", "inventory":
                    taken += amount
                case (("inventory" | "jackpots" | "pot"), "player"):
                    handed += amount
                case _:
                    assert ends == ("pot", "inventory"), ends
    return handed, taken, stays


def read(said: str) -> Moved:
    """The amounts of an order to the dealer: paid or given back, taken, left."""
    said, _, total = said.partition("; ")
    handed = taken = stays = 0
    for part in re.split(r", (?=pay |give back |take |leave |nothing for |[A-Z])", said):
        sums = [cents(amount) for amount in re.findall(r"\$[\d,]+(?:\.\d\d)?", part)]
        if part.startswith(("pay ", "give back ")):
            handed += sums[0]
        elif part.startswith("take "):
            taken += sums[0]
    if total:
        assert total.endswith(" stays")
        stays = cents(total.removesuffix(" stays"))
    return handed, taken, stays


def seated(game: str) -> Table:
    bench = Bench(game)
    bench.manager("open_table", submission=submission_text(game), source="virtual", fill=50_000_000)
    return bench.table


def stake_of(rules: Rules, wager: str) -> int:
    """An odd stake, so that fractions of a cent come up too."""
    return rules.choices.amounts.get(wager) or rules.limits(wager).minimum + 35


def named(rules: Rules, wager: str) -> str:
    return next((n for n in rules.names_at(1) if (w := rules.wager_named(n)) and w.name == wager), wager)


def results(rules: Rules) -> Iterator[tuple[str, int, Turn]]:
    """Every line of the game in every result, for a stake on its wager."""
    game = GAMES[rules.game]
    meters = {name: Meter.seeded(name, spec, 100).showing({"meter": 123_456}) for name, spec in rules.meters.items()}
    for post in dict.fromkeys(post for step in game.course.settles for post in step.posts):
        if post.wager not in rules.wagers:
            continue
        wager, stake = named(rules, post.wager), stake_of(rules, post.wager)
        pays = game.lines.tabulate(post.line, rules).values()
        for pay in {(p.result, p.odds): p for p in pays if p is not None and p.result != LineResult.LIVES_ON}.values():
            for divided_by in (1, 3) if rules.wagers[post.wager].meter and not post.bonus else (1,):
                book = Book(rules, meters)
                book.turn("hands", 1)
                settles = wager if not pay.additional and not post.called and post.line != wager else None
                book.enter(1, post.called or post.line, stake, pay, divided_by=divided_by, settles=settles)
                yield wager, stake, book.turns()[0]
        for envy in rules.envies.get(post.wager, ()) if post.envy else ():
            for label in envy.rows:
                book = Book(rules, meters)
                book.turn("hands", 2)
                others = (Seat(1, (), {wager: envy.stake}), Seat(2, (), {}))
                book.envy(others[1], wager, label, others, post.envy_cite, "a hand")
                if book.lines:
                    yield wager, envy.stake, book.turns()[0]


@pytest.mark.parametrize("game", [name for name, game in GAMES.items() if not game.course.contest])
def test_every_result_of_every_wager_is_said_as_it_moves(game: str) -> None:
    table, seen = seated(game), set[tuple[bool, bool, bool]]()
    rules = rules_at(table)
    for wager, stake, turn in results(rules):
        (line,) = turn.lines
        known = rules.wager_named(wager)
        assert known is not None
        lies = stake if line.settles and not known.meter else 0  # progressive chips are collected before the cards
        collected = tuple(collected_wagers(rules, {wager: stake}))
        played = LiveRound(1, {1: {wager: stake}}, {1: "p1"}, collected)
        at = replace(table, play=played, phase=Phase.SETTLING)
        event = Event(line_settled(line, "hands", turn.seat), (line.cite,), line_entries(at, line))
        handed, taken, stays = money = moved([event])
        assert taken + stays == lies
        assert handed + stays == (stake if line.settles else 0) + line.net
        assert not (handed and taken)
        said = orders(at, turn)
        assert read(said) == money, said
        after = apply(at, event.fact)
        shown_line = view(after, "p1")["round"]["lines"][0]
        assert (shown_line["handed_over"], shown_line["taken"], shown_line["stays"]) == money
        assert sum(each.amount for each in slip_lines([(line, recorded(event))])) == handed
        assert recorded(event) == handover_at(at, line) == handover_in(rules, played.as_round(), line)
        assert f": {recorded(event).outcome(line.result)}. Net " in tell(event)
        stake_drawn = stakes_of(view(after, "p1"), rules, 1).get(line.settles or line.wager)
        if stake_drawn is not None:
            amount = f"+{show_dollars(handed)}" if handed else f"−{show_dollars(taken)}" if taken else ""
            assert stake_drawn.text == amount or (not amount and stake_drawn.text in (line.result, "lost"))
        seen.add((bool(handed), bool(taken), bool(stays)))
    assert {(True, False, True), (False, True, False)} <= seen  # paid beside a stake that stays; taken
    if rules.meters:
        assert {(True, False, False), (False, False, False)} <= seen  # paid after the chip was collected; nothing


def every_wager(table: Table, seat: int, random: Random) -> dict[str, int]:
    """The wagers that the table demands, and one of each other kind that may be made beside them."""
    rules, made = rules_at(table), dict[str, int]()
    for name in rules.names_at(seat):
        wager = rules.wager_named(name)
        if wager is None or (wager.on_another_seat and not {1, 2, 3} & {*wager.picked(name)}):
            continue
        if wager.placed == "before" and random.random() < 0.6:
            made[name] = stake_of(rules, wager.name) // 100 * 100
    return made


@pytest.mark.parametrize("game", list(GAMES))
def test_rounds_are_settled_as_the_pad_says(game: str) -> None:
    """At a live table, turn by turn: the step that the dealer reads, then the chips of its events."""
    random = Random(game)
    contest = GAMES[game].course.contest
    bench = opened(rake_percent=5, rake_most=4) if contest else Bench(game, seed=5).opened(1, 2, 3, chips=5_000_000)
    turns = 0
    for _ in range(ROUNDS):
        bench.ready()
        if contest:
            for command, fields in stakes(bench.table, random, 4):
                bench.dealer(command, **fields)
        else:
            bench.wager_all(1, 2, 3)
            for seat in (1, 2):
                for wager, amount in every_wager(bench.table, seat, random).items():
                    body = {"command": "wager", "seat": seat, "wager": wager, "amount": amount}
                    if not bench.why_not(Role.DEALER, body):
                        bench.dealer("wager", seat=seat, wager=wager, amount=amount)
        rounds = bench.table.rounds
        while bench.table.rounds == rounds or bench.table.play is not None:
            step = next_step(bench.table, bench.desk)
            assert step is not None
            settles = step.say.startswith("Settle seat ")
            if settles:
                play = bench.table.playing
                made = {name for wagers in play.wagers.values() for name in wagers}
                assert {*play.collected} & made == {
                    name for wagers in play.wagers.values() for name in collected_wagers(rules_at(bench.table), wagers)
                }
                (turn, *_), _ = ready_turns(bench.table, bench.desk)
                before = {line: _as_in_school(bench.table, line) for line in turn.lines}
                at = bench.table
            events = bench.step()
            if settles:
                lines = [event for event in events if event.kind == "line.settled"]
                assert read(step.say.partition(": ")[2].removesuffix(".")) == moved(lines), step.say
                foreseen = [handover_at(at, line).as_dict() for line in turn.lines]
                assert [recorded(event).as_dict() for event in lines] == foreseen
                assert before == {line: handover_at(at, line) for line in turn.lines}
                turns += 1
        assert bench.held("jackpots:t1") == bench.held("pot:t1") == 0
        assert contest or bench.held("layout:t1") == 0
    assert turns >= ROUNDS


def test_the_fee_of_a_draw_is_the_chips_that_are_taken() -> None:
    hands: Hands = {1: "2c 5d 7h 9s Jc", 2: "3c 4d 8h Ts Qc", "dealer": "Kc Kd 3h 6c 7d"}
    bench = (
        Bench("lunar-poker", source="keyed")
        .opened(1, 2)
        .dealt({1: {"ante": 1000, "super": 1000}, 2: {"ante": 2500, "super": 2500}}, hands)
    )
    bench.dealer("decide", seat=1, choice="buy")
    bench.dealer("decide", seat=2, choice="exchange", discard="3c 4d")
    bench.dealer("lock_decisions")
    asked = []
    while bench.table.phase != "settling":
        step = next_step(bench.table, bench.desk)
        assert step is not None
        if step.say.startswith("Collect the "):
            held = bench.held("layout:t1")
            bench.step()
            taken = (held - bench.held("layout:t1")) // 10_000
            assert f"of seat {step.seat}, {show_dollars(taken)}, and deal." in step.say
            asked.append((step.seat, taken))
        else:
            bench.step()
    assert sorted(asked) == [(1, 1000), (2, 2500)]


def _as_in_school(table: Table, line: Line) -> object:
    """The same from the rules and the cards alone, as the school knows a round."""
    return handover_in(rules_at(table), table.playing.as_round(), line)
