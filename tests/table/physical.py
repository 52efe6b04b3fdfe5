"""A table with a real deck in a test: the deck lies on the test's side, and the table is given what is turned up."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from pitboss.cards import DECK, Hand, parse_cards, show_cards
from pitboss.games.betting import PokerHand
from pitboss.games.registry import GAMES
from pitboss.games.round import LAST, Decision
from pitboss.games.rules import Rules
from pitboss.records import replace
from pitboss.table.autoplay import said
from pitboss.table.codec import decode, encode
from pitboss.table.deciding import deciding_now
from pitboss.table.guide import Step, next_step
from pitboss.table.opening import not_physical
from pitboss.table.realdeck import RealDeck
from pitboss.table.roles import Role
from pitboss.table.ruling import game_at, hand_at, rules_at
from pitboss.table.settling import Reveal
from pitboss.table.state import LiveRound, Table
from pitboss.table.turning import RuleChoice, TurnUpCards
from tests.table.driver import Bench, submission_text

GAMES_PHYSICAL = tuple(name for name, game in GAMES.items() if not not_physical(game))
Choices = dict[tuple[int, str], Mapping[str, Any]]
"""The commands by which seats decided, by seat and step."""


def last_of(place: str) -> int:
    """The seat whose last hand lies at a place; 0 for any other place."""
    return int(place.removeprefix(f"{LAST} ")) if place.startswith(f"{LAST} ") else 0


def kept_by(play: LiveRound, place: str) -> Hand:
    """Of a last hand, what may be left of first cards that were seen before the draw."""
    seat = last_of(place)
    return play.hand(f"seat {seat}")[: play.held(seat) - play.drew[seat]] if seat else ()


def rebuilt(table: Table) -> Table:
    """The table as it comes back from its stored form."""
    again = decode(Table, encode(table))
    assert again == table
    return again


@dataclass
class Round:
    """One round at a table, with a deck of the test and choices by seat and step."""

    bench: Bench
    deck: RealDeck
    choices: Choices
    choose: Callable[[Table, int], Mapping[str, Any]] | None = None
    """Chooses where no choice is given yet, and is kept in ``choices``."""
    declares: dict[int, bool] = field(default_factory=dict)
    """Seats that declare a winning hand, each with whether it is paid at once."""
    shows: Collection[int] | None = None
    """Seats that show their hands at a showdown; without it whoever may concede does."""
    acts: list[str] = field(default_factory=list)
    hand: PokerHand | None = None
    """Players against each other: how the betting stood before the last act."""

    def step(self) -> str:
        """Whatever the procedure asks for; the name of the command."""
        bench = self.bench
        step = next_step(bench.table, bench.desk)
        assert step is not None
        name = self._carried_out(step)
        bench.table = rebuilt(bench.table)
        self.acts.append(name)
        return name

    def _carried_out(self, step: Step) -> str:
        bench = self.bench
        if step.command is None:
            assert step.seat is not None, step
            if bench.table.physical and step.seat in self.declares:
                cards = show_cards(self.first(step.seat)) if self.declares.pop(step.seat) else ""
                bench.dealer("declare", seat=step.seat, cards=cards)
                return "declare"
            decide, _ = deciding_now(bench.table)
            assert decide is not None
            game, rules = game_at(bench.table), rules_at(bench.table)
            at = step.seat, game.turn(rules, bench.table.playing.as_round(), decide, step.seat)
            if at not in self.choices:
                assert self.choose is not None
                self.choices[at] = self.choose(bench.table, step.seat)
            chosen = self.choices[at]
            if bench.table.physical and chosen.get("discard"):
                chosen = {**chosen, "discard": "", "unseen": len(chosen["discard"].split())}
            bench.do(Role.DEALER, chosen)
            return "decide"
        command = step.command
        if isinstance(command, RuleChoice):
            command = replace(command, why="as the hand allows")
        if isinstance(command, Reveal) and step.seat is not None and self._concedes(step.seat):
            bench.dealer("concede", seat=step.seat)
            return "concede"
        command = self.deck.keyed(bench.table, command)
        if isinstance(command, TurnUpCards) and (seat := last_of(command.place)):
            gone = parse_cards(str(self.choices[seat, "decision"]["discard"]))
            kept = (card for card in self.first(seat) if card not in gone)
            drawn = parse_cards(command.cards)[-bench.table.playing.drew[seat] :]
            command = replace(command, cards=show_cards((*kept, *drawn)))
        bench.do(step.role, command)
        return command.name

    def _concedes(self, seat: int) -> bool:
        hand = hand_at(self.bench.table)
        assert hand is not None
        return hand.may_concede(seat) if self.shows is None else seat not in self.shows

    def first(self, seat: int) -> Hand:
        dealt = self.bench.table.playing.dealt
        return tuple(self.deck.cards[at] for at, card in enumerate(dealt) if card.to == f"seat {seat}")

    def play(self) -> "Round":
        """To the end of the round."""
        before = self.bench.table.rounds
        for _ in range(200):
            hand = hand_at(self.bench.table) if self.bench.table.play is not None else None
            self.hand = hand or self.hand
            self.step()
            if self.bench.table.rounds > before and self.bench.table.play is None:
                return self
        raise AssertionError(f"the round never ended: {self.bench.table.phase}")


def any_lawful(random: Random) -> Callable[[Table, int], Mapping[str, Any]]:
    """Any choice that the seat has, its own cards being known."""

    def choose(table: Table, seat: int) -> Mapping[str, Any]:
        play, rules, game = table.playing, rules_at(table), game_at(table)
        step, _ = deciding_now(table)
        assert step is not None
        sight = game.sight(rules, play.as_round(), play.seat(seat), step)
        choice = random.choice(step.choices(rules, sight))
        return said(seat, choice.decision(sight.stake)).as_dict()

    return choose


def blindly(random: Random) -> Callable[[Table, int], Mapping[str, Any]]:
    """Any choice that a seat could have with any cards."""

    def choose(table: Table, seat: int) -> Mapping[str, Any]:
        step, _ = deciding_now(table)
        assert step is not None
        if (hand := hand_at(table)) is not None:
            return said(seat, Decision(random.choice(hand.options).name)).as_dict()
        choice = random.choice(step.choices(rules_at(table)))
        return said(seat, choice.decision(table.playing.staked(seat)[game_at(table).course.unit])).as_dict()

    return choose


def any_wagers(random: Random, table: Table) -> dict[str, int]:
    """The main wagers of a game and some of the others, progressive ones at their price."""
    rules, game = rules_at(table), game_at(table)
    made = dict.fromkeys(game.course.main, 1000)
    if game.course.contest:
        return {game.course.unit: random.choice((4_000, 10_000, 40_000))}
    for wager in rules.wagers.values():
        if wager.placed != "before" or wager.name in made or (not wager.required and random.random() < 0.5):
            continue
        made[wager.name] = rules.choices.amounts.get(wager.name) or _least(rules, wager.name)
    return made


def _least(rules: Rules, wager: str) -> int:
    limits = rules.choices.limits.get(wager)
    return 500 if limits is None else max(500, limits.minimum)


def opened(game: str, device: str, source: str, seats: Sequence[int], **choices: Any) -> Bench:
    return Bench(game, submission_text(game, device, **choices), source).opened(*seats)


def shuffled(random: Random) -> RealDeck:
    return RealDeck(random.sample(DECK, len(DECK)))
