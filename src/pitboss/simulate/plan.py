"""A table prepared for simulation: rules, wagers and strategy turned into the arrays that the kernels read."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property

import numpy as np

from pitboss.cards import DECK
from pitboss.exact.engine import duel_of
from pitboss.findings import FindingsError, UnreadableError
from pitboss.games.contract import Game
from pitboss.games.deal import deal_round
from pitboss.games.registry import GAMES
from pitboss.games.round import Round, Seat
from pitboss.games.rules import Rules
from pitboss.games.settle import opening_meters, verify_stakes
from pitboss.games.settlement import Book
from pitboss.meters import Meter
from pitboss.money import Cents
from pitboss.simulate import felt as laid
from pitboss.simulate.decisions import lookups_of
from pitboss.simulate.envy import envy_lines
from pitboss.simulate.evaluators import Evaluator, evaluator, hands_of
from pitboss.simulate.groups import LUNAR_POKER, MAGIC, THREE_CARD_POKER, Group, groups_of, kind_of, offsets_of
from pitboss.simulate.lines import LineOf, Wagers, display_name, lines_of
from pitboss.simulate.lunar import draws_of, lunar_strategy, with_seconds
from pitboss.simulate.pays import Pays, pays_of
from pitboss.simulate.strategies import CALLED, NO_DRAW, OPTIMAL, Decide, Strategy, strategy_of
from pitboss.simulate.streams import MOST_CARDS

HOUSE = "house"
MOST_DRAWN = 5
"""Cards that one player can draw."""
NO_HANDS = laid.Hands(
    np.zeros(0, np.uint16), np.zeros(0, np.uint32), np.zeros(0, np.uint32), np.zeros((4, 0), np.uint32), np.uint64(0)
)
NO_CHOICES = laid.Lookups(np.zeros(0, np.uint8), np.zeros(0, np.uint64), np.zeros(0, np.uint8), 0, np.uint64(1))
NO_DRAWS = laid.Draws(NO_HANDS, NO_CHOICES, np.zeros(0, np.int64), np.zeros(0, np.uint8), np.zeros(0, np.int32))


@dataclass(frozen=True)
class Layout:
    """Which place of the deck goes where, found by dealing a deck whose cards are numbered by their places."""

    own: Mapping[int, tuple[int, ...]]
    dealer: tuple[int, ...]
    extra: tuple[int, ...]
    up: int
    dealt: int


def layout_of(rules: Rules, wagers: Wagers) -> Layout:
    played, dealing = deal_round(rules, wagers, DECK)
    extras = [place for hand in played.extras.values() for place in hand]
    up = dealing.up()
    return Layout(
        {seat.number: tuple(seat.cards) for seat in played.seats},
        tuple(played.dealer),
        tuple(extras),
        up[0] if up else 0,
        len(DECK) - len(dealing.stub),
    )


@dataclass(frozen=True)
class Work:
    """The part of a plan that a worker needs: arrays and numbers, nothing else."""

    felt: laid.Felt
    pays: Pays
    wagers: int
    increment: int
    """What the house puts on the meters in each round, in units of 1/10,000 cent."""


@dataclass(frozen=True)
class Plan:
    """All that is fixed before the first card: the same plan and seed give the same tallies everywhere."""

    rules: Rules
    wagers: Wagers
    strategy: Strategy
    groups: tuple[Group, ...]
    lines: tuple[LineOf, ...]
    layout: Layout
    felt: laid.Felt
    pays: Pays
    magic: bool
    decide: Decide | None = None
    """A function that decides, in place of tables."""

    @property
    def game(self) -> Game:
        return GAMES[self.rules.game]

    @property
    def numbers(self) -> tuple[int, ...]:
        return tuple(sorted(self.wagers))

    @cached_property
    def wager_names(self) -> tuple[str, ...]:
        """Wagers told apart in the results, Super Wagers on other seats as one."""
        return tuple(dict.fromkeys(display_name(line.wager) for line in self.lines))

    @cached_property
    def offsets(self) -> tuple[int, ...]:
        return tuple(int(start) for start in self.felt.offsets)

    @cached_property
    def fingerprint(self) -> str:
        """A name for everything the tallies depend on besides seed and rounds."""
        digest = hashlib.sha256(repr((self.rules.game, self.rules.as_of, self.wagers, self.strategy.name)).encode())
        _digest(digest, self.felt)
        _digest(digest, tuple(getattr(self.pays, field.name) for field in fields(self.pays)))
        return digest.hexdigest()[:24]

    @cached_property
    def work(self) -> Work:
        return Work(self.felt, self.pays, len(self.wager_names), self.increment)

    @property
    def no_cards(self) -> Round:
        """A round of which nothing is known but who plays and for what."""
        return Round((), tuple(Seat(number, (), self.wagers[number]) for number in self.numbers))

    @cached_property
    def increment(self) -> int:
        book = Book(self.rules, self.meters())
        book.accept_wagers(self.no_cards)
        return sum(move.amount for move in book.movements if move.source == HOUSE)

    def meters(self) -> dict[str, Meter]:
        """The meters as they start: at their seeds, for the smallest amount on offer."""
        return opening_meters(self.rules, self.no_cards, {}, {})


def _digest(digest: "hashlib._Hash", part: object) -> None:
    if isinstance(part, np.ndarray):
        digest.update(np.ascontiguousarray(part).tobytes())
    elif isinstance(part, tuple):
        for each in part:
            _digest(digest, each)
    else:
        digest.update(repr(part).encode())


def every_wager(rules: Rules, seats: int, stakes: Mapping[str, Cents] | None = None) -> dict[int, dict[str, Cents]]:
    """Seats 1 to ``seats``, each with every wager of the table before the cards, or with the stakes given.

    A stake that is not given is $10 for wagers that everybody must make, $5 for others, or the amount on offer.
    """
    numbers = range(1, seats + 1)
    made: dict[int, dict[str, Cents]] = {number: {} for number in numbers}
    for name, wager in rules.wagers.items():
        if wager.placed != "before" or (stakes is not None and name not in stakes):
            continue
        limits = rules.limits(name)
        main = wager.required or name == "ante"
        plain = rules.choices.amounts.get(name) or min(max(1000 if main else 500, limits.minimum), limits.maximum)
        stake = plain if stakes is None else stakes[name]
        for number in numbers:
            known = set(rules.names_at(number))
            made[number] |= dict.fromkeys((each for each in wager.names(seats) if each in known), stake)
    return made


def make_plan(rules: Rules, wagers: Wagers, strategy: str | Strategy | Decide = OPTIMAL, magic: bool = False) -> Plan:
    """Prepare a table; ``magic`` has the system select a Magic Card and a lucky position in every round,
    as far as the table offers them.

    A strategy is a name, its tables, or a function from what a player sees to a decision; such a plan is played by the
    scalar rules, a few hundred rounds a second.
    """
    game = GAMES[rules.game]
    if not 1 <= len(wagers) <= rules.seats:
        raise UnreadableError(f"This table has {rules.seats} seats; {len(wagers)} cannot play.")
    findings = verify_stakes(rules, Round((), tuple(Seat(number, (), made) for number, made in wagers.items())))
    if findings:
        raise FindingsError(findings)
    layout, kind = layout_of(rules, wagers), kind_of(game)
    fact = "hand" if "hand" in game.facets else "first_hand"
    player = _evaluator(game, fact)
    if kind == LUNAR_POKER:
        player = with_seconds(player, rules)
    decide = strategy if callable(strategy) else None
    if isinstance(strategy, Strategy):
        chosen = strategy
    else:
        chosen = _strategy(game, rules, strategy if isinstance(strategy, str) else NO_DRAW, player)
    if decide is not None:
        chosen = replace(chosen, name=CALLED, valued=None, result=None)
    groups = groups_of(game, chosen.decisions.names)
    at_stake = (line for line in lines_of(game, rules, groups, wagers) if magic or groups[line.group].facts != MAGIC)
    lines = (*at_stake, *envy_lines(game, rules, groups, wagers))
    felt = _felt(game, rules, wagers, chosen, groups, lines, layout, player)
    return Plan(rules, wagers, chosen, groups, lines, layout, felt, pays_of(len(wagers), groups, lines), magic, decide)


def _strategy(game: Game, rules: Rules, name: str, player: Evaluator) -> Strategy:
    if kind_of(game) == LUNAR_POKER:
        return lunar_strategy(game, rules, name, player)
    return strategy_of(game, rules, name, player)


def _evaluator(game: Game, fact: str, other: str = "") -> Evaluator:
    """The hands behind one or two facts of a game's outcome."""
    facets = tuple(game.facets[name] for name in (fact, other) if name)
    names = tuple(tuple(game.lines.domains[name]) for name in (fact, other) if name)
    order = facets[0].order
    assert order is not None
    return evaluator(order, facets[0].cards, facets, names)


def _felt(
    game: Game,
    rules: Rules,
    wagers: Wagers,
    strategy: Strategy,
    groups: tuple[Group, ...],
    lines: tuple[LineOf, ...],
    layout: Layout,
    player: Evaluator,
) -> laid.Felt:
    duel, kind = duel_of(game), kind_of(game)
    numbers = sorted(wagers)
    active = np.zeros(len(groups), np.bool_)
    active[[0, *(line.group for line in lines)]] = True
    if kind == THREE_CARD_POKER:
        # One look-up finds both names of six cards.
        active[1] = active[2] = active[1] or active[2]
    facets = game.facets
    seven = layout.dealer[:5] if len(layout.dealer) > 5 else layout.dealer
    return laid.Felt(
        kind=kind,
        cards=layout.dealt if strategy.draws is None else min(MOST_CARDS, layout.dealt + MOST_DRAWN * len(numbers)),
        dealt=layout.dealt,
        own=np.array([layout.own[number] for number in numbers], np.uint8),
        dealer=np.array([layout.dealer], np.uint8),
        dealer_five=np.array([seven], np.uint8),
        extra=np.array(layout.extra, np.uint8).reshape(1, -1),
        up=layout.up,
        antes=np.array(["ante" in wagers[number] for number in numbers]),
        folds=np.array([name == "fold" for name in (*strategy.decisions.names, "-")]),
        nobody=len(strategy.decisions.names),
        active=active,
        offsets=offsets_of(groups),
        qualifies=np.uint32(0 if duel.qualifies is None else player.level(duel.qualifies)),
        positions=rules.seats,
        numbers=np.array(numbers, np.uint8),
        player=hands_of(player),
        dealer_hands=_hands(game, "dealer_hand"),
        five=_hands(game, "five_card") if "five_card" in facets else _hands(game, "super_hand"),
        six=_hands(game, "six_card", "five_of_six"),
        choices=lookups_of(strategy.decisions),
        draws=NO_DRAWS if strategy.draws is None else draws_of(rules, strategy.draws),
    )


def _hands(game: Game, fact: str, other: str = "") -> laid.Hands:
    """The hands behind a fact, and behind another of the same cards; empty where the game has no such fact."""
    if fact not in game.facets:
        return NO_HANDS
    return hands_of(_evaluator(game, fact, other if other in game.facets else ""))
