"""What hidden cards that a player sees cost a table: every count of the kind, in one record.

Desirability is 1,000 × edge / deviation of a round, both in units of the main wager. Its square is the standard
score of advantage play: the dollars that a bankroll of $10,000, bet for the fastest safe growth, wins in 100 rounds.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import combinations
from typing import Any, Final

from pitboss.exact.backs import Backs, by_backs
from pitboss.exact.board_counts import board_of
from pitboss.exact.duel import Progress
from pitboss.exact.edge import MAIN, Variant, main_result
from pitboss.exact.exposed import DEALER, KnownCards, exposed, read_known
from pitboss.exact.facets import NotCountedError
from pitboss.exact.learned import ListPrice, list_prices
from pitboss.exact.next_card import next_card
from pitboss.exact.plan import dealt
from pitboss.exact.published import published
from pitboss.exact.review import FALSE_ALARM, POWER, Notice, Scheme, break_even, exposing, notice, overpaying, sparing
from pitboss.exact.seats import SharedCards, shared_cards
from pitboss.exact.seen_card import SeenCards, seen_card
from pitboss.exact.side import kind_of, side_lines
from pitboss.exact.solo import solo_of
from pitboss.exact.value import Result, root
from pitboss.findings import UnreadableError
from pitboss.games.contract import Game
from pitboss.games.rules import OPEN_LIMITS, Rules
from pitboss.law.model import Procedure, in_force
from pitboss.money import Cents
from pitboss.names import listed, shown

ROUNDS: Final = 40
"""Rounds an hour where nothing else is said."""
STAKE: Final[Cents] = 2_500
EVERY: Final = 10
LIST_DEALS: Final = 10
"""Deals that are played by a list for each that is sampled otherwise: they take less time."""
LISTED: Final = 2_000_000
"""Deals that are played by a list where no sample is asked for."""
WATCHED: Final = ("dealer-card-exposed", "community-card-exposed", "card-face-up-in-shoe")


@dataclass(frozen=True)
class Knowledge:
    """What one kind of knowledge is worth with the best play that goes with it."""

    words: str
    key: str
    """As ``--known`` and ``--backs`` read it."""
    expected_value: Fraction
    gain: Fraction
    """Over the best play without knowledge."""
    variance: Fraction | None
    """None where it is not counted."""
    hits: Fraction | None = None
    choices: dict[str, Fraction] = field(default_factory=dict)
    by_card: dict[str, Fraction] = field(default_factory=dict)
    sentences: tuple[str, ...] = ()
    published: str | None = None
    by_heart: Fraction | None = None
    """What the best list is worth that has thresholds for each rank or class seen."""
    by_count: Fraction | None = None
    """The same, where an up card counts as one of its class only."""
    every: int | None = None
    """In how many rounds at most the card must be seen once for the player to lose nothing."""

    @property
    def deviation(self) -> float | None:
        return None if self.variance is None else root(self.variance)

    @property
    def desirability(self) -> float | None:
        return None if self.deviation is None else 1000 * float(self.expected_value) / self.deviation

    @property
    def score(self) -> float | None:
        """The square of the desirability, for a player who has an edge."""
        return None if self.desirability is None or self.expected_value <= 0 else self.desirability**2

    def cost(self, stake: Cents, rounds: int) -> int:
        """What the house loses in an hour against normal play, in cents."""
        return round(self.gain * stake * rounds)

    def as_dict(self) -> dict[str, Any]:
        return {
            "known": self.key,
            "expected_value": str(self.expected_value),
            "player_edge": float(self.expected_value),
            "gain": float(self.gain),
            "standard_deviation": self.deviation,
            "hit_frequency": None if self.hits is None else float(self.hits),
            "desirability": self.desirability,
            "score": self.score,
            "choices": {name: float(share) for name, share in self.choices.items()},
            "by_card": {card: float(worth) for card, worth in self.by_card.items()},
            "play": [*self.sentences],
            "by_heart": None if self.by_heart is None else str(self.by_heart),
            "by_count": None if self.by_count is None else str(self.by_count),
            "break_even_rounds": self.every,
            "published": self.published,
        }


@dataclass(frozen=True)
class Protection:
    """A game's exposure at one table."""

    rules: Rules
    variant: Variant
    normal: Result
    rounds: int
    stakes: tuple[Cents, ...]
    filed: bool
    """Whether the stakes are the limits of a table, and not an example."""
    rows: tuple[Knowledge, ...]
    sides: tuple[SeenCards, ...]
    """By the next card, before betting: the main wagers first, where they are counted."""
    shared: tuple[SharedCards, ...]
    """By how many seats show each other their cards."""
    lists: tuple[ListPrice, ...]
    """Lists to learn that the game states, for what is counted here or for all that they see."""
    notices: tuple[Notice, ...]
    every: int
    false_alarm: Fraction
    power: Fraction
    left_out: tuple[str, ...]
    procedures: tuple[Procedure, ...]

    @property
    def unit(self) -> str:
        return self.rules.chapter.unit_title

    def cost(self, shared: SharedCards, stake: Cents) -> int:
        """What the house loses in an hour if all these seats play so, in cents."""
        return round(shared.gain * shared.seats * stake * self.rounds)

    def printed(self, sees: str) -> str | None:
        """What others have printed about this knowledge."""
        return published(self.rules.game, MAIN, self.variant.letter, self.variant.reading, sees)

    def as_dict(self) -> dict[str, Any]:
        return {
            "game": self.rules.game,
            "paytable": self.variant.letter,
            "unit": self.unit,
            "expected_value": str(self.normal.expected_value),
            "rounds_an_hour": self.rounds,
            "stakes": [*self.stakes],
            "knowledge": [
                each.as_dict() | {"cost_per_hour": {stake: each.cost(stake, self.rounds) for stake in self.stakes}}
                for each in self.rows
            ],
            "side_wagers": [each.as_dict() for each in self.sides],
            "other_seats": [
                each.as_dict() | {"cost_per_hour": {stake: self.cost(each, stake) for stake in self.stakes}}
                for each in self.shared
            ],
            "lists": [each.as_dict() | {"published": self.printed(each.sees)} for each in self.lists],
            "exposed_once_in": self.every,
            "false_alarm": float(self.false_alarm),
            "review": [each.as_dict() for each in self.notices],
            "not_counted": [*self.left_out],
        }


def protect(
    game: Game,
    rules: Rules,
    variant: Variant,
    *,
    known: Sequence[KnownCards] = (),
    backs: Sequence[Backs] = (),
    stakes: Sequence[Cents] = (),
    rounds: int = ROUNDS,
    every: int = EVERY,
    false_alarm: Fraction = FALSE_ALARM,
    power: Fraction = POWER,
    seats: Sequence[int] = (),
    sample: int | None = None,
    lists: bool = False,
    progress: Progress | None = None,
) -> Protection:
    """Count what is quickly counted, and what is asked for besides; ``lists`` prices all lists that the game states."""
    if not game.main_posts or not game.course.weighed:
        raise UnreadableError(f"Players of {game.name} decide nothing that a hidden card could help with.")
    if every < 1 or not 0 < false_alarm < 1:
        raise UnreadableError("A card is exposed in one of 1 or more rounds, and a rate of false alarms is below 1.")
    normal = main_result(game, rules, variant.reading, progress)
    left_out: list[str] = []
    rows: list[Knowledge] = []
    schemes: list[Scheme] = []
    if game.scope(variant.reading).draws:
        part = next((each for each in game.readings if not game.scope(each).draws), None)
        other = f", but for players who do not: --reading {part}" if part else ""
        left_out.append(f"Hidden cards are not valued in {game.name} for players who draw cards{other}.")
        known, backs, seats = (), (), ()
    elif restriction := game.scope(variant.reading).restriction:
        left_out.append(f"All figures are of one part of the game: {restriction}.")
    for each in known or (() if game.scope(variant.reading).draws else _quick(game)):
        try:
            found = exposed(game, rules, each, progress=progress)
        except NotCountedError as problem:
            left_out.append(str(problem))
            continue
        worth, by_card = found.expected_value, dict(found.by_card)
        row = _row(game, variant, normal, _words(each), str(each), worth, found.result, by_card, found.sentences)
        rows.append(replace(row, choices=dict(found.choices), by_heart=found.by_heart))
        if found.result is not None:
            schemes.append(exposing(normal.chances, found.result.chances, every, f"{_words(each)} is seen"))
    for parted in backs:
        for many in range(1, _hidden(game) + 1):
            played = by_backs(game, rules, parted, many, progress=progress)
            key, worth, by_class = f"backs={parted}*{many}", played.expected_value, played.by_class
            words = seen_words(game, key)
            row = _row(game, variant, normal, words, key, worth, played.result, by_class, played.rules)
            row = replace(row, by_heart=played.by_heart, by_count=played.by_count)
            rows.append(replace(row, variance=played.variance))
    if not rows and not left_out:
        left_out.append(f"Cards of {game.name} take minutes each: name them, such as --known dealer=1.")
    shared = []
    for together in seats:
        try:
            shared.append(shared_cards(game, rules, together, sample, progress=progress))
        except NotCountedError as problem:
            left_out.append(str(problem))
    best = {row.key: row.expected_value for row in rows}
    best |= {f"seats={each.seats}": each.expected_value for each in shared}
    priced: list[ListPrice] = []
    for sees in dict.fromkeys(each.sees for each in game.learned):
        if lists or sees in best:
            try:
                deals = LIST_DEALS * sample if sample else LISTED
                prices = [*list_prices(game, rules, sees=sees, sample=deals, progress=progress)]
            except NotCountedError as problem:
                left_out.append(str(problem))
                continue
            priced += (each if each.best is not None else replace(each, best=best.get(sees)) for each in prices)
    honest = normal.chances
    schemes += [overpaying(honest, every), sparing(honest, every)]
    noticed = (notice(honest, scheme, false_alarm, power) for scheme in schemes)
    limits = [rules.limits(name) for name in game.course.main]
    filed = any(each != OPEN_LIMITS for each in limits)
    own = (max(each.minimum for each in limits), min(each.maximum for each in limits)) if filed else (STAKE,)
    return Protection(
        rules=rules,
        variant=variant,
        normal=normal,
        rounds=rounds,
        stakes=tuple(dict.fromkeys(stakes or own)),
        filed=filed and not stakes,
        rows=tuple(rows),
        sides=tuple(_next_cards(game, rules, left_out, progress)),
        shared=tuple(shared),
        lists=tuple(priced),
        notices=tuple(each for each in noticed if each is not None),
        every=every,
        false_alarm=false_alarm,
        power=power,
        left_out=tuple(left_out),
        procedures=tuple(each for each in in_force(game.chapter.procedures, rules.as_of) if each.act in WATCHED),
    )


def _row(
    game: Game,
    variant: Variant,
    normal: Result,
    words: str,
    key: str,
    worth: Fraction,
    result: Result | None,
    by_card: dict[str, Fraction],
    sentences: tuple[str, ...],
) -> Knowledge:
    return Knowledge(
        words,
        key,
        worth,
        worth - normal.expected_value,
        None if result is None else result.variance,
        None if result is None else result.hit_frequency,
        {} if result is None else dict(result.choices),
        by_card,
        sentences,
        published(game.name, MAIN, variant.letter, variant.reading, key),
        every=break_even(normal.expected_value, worth),
    )


def _quick(game: Game) -> Iterator[KnownCards]:
    """What is counted in seconds: one card of a dealer all of whose cards are hidden, or any cards of the board."""
    if game.duel is not None:
        if not game.duel.up_card:
            yield KnownCards({DEALER: (1,)})
    elif board_of(game) is None:
        (place,) = [each for each in solo_of(game).places if each in dealt(game)]
        turns = range(1, dealt(game)[place] + 1)
        for many in turns:
            yield from (KnownCards({place: some}) for some in combinations(turns, many))


def _hidden(game: Game) -> int:
    """How many cards may be known by their backs."""
    if game.duel is not None:
        return game.duel.dealer_cards - int(game.duel.up_card)
    if board_of(game) is not None:
        raise NotCountedError(f"Backs are not counted in {game.name}, where two hands share the board.")
    alone = solo_of(game)
    return alone.facet.cards - alone.own


def _some_backs(game: Game, many: int) -> str:
    if game.duel is None:
        return f"the first {many} cards of the board" if many > 1 else "the first card of the board"
    return f"{many} hidden cards of the dealer" if many > 1 else "one hidden card of the dealer"


def seen_words(game: Game, sees: str) -> str:
    """What a list sees, as a person says it."""
    place, _, cards = sees.partition("=")
    if place == "seats":
        return f"the cards of {cards} seats"
    if place == "backs":
        ranks, _, many = cards.partition("*")
        return f"{_some_backs(game, int(many))} by their backs, {ranks} against others"
    return _words(read_known(game, sees.split()))


_TURNS = ("first", "second", "third", "fourth", "fifth", "sixth")


def _words(known: KnownCards) -> str:
    """``dealer=1`` as a person says it."""
    return " and ".join(_at(place, turns) for place, turns in known.cards.items())


def _at(place: str, turns: Sequence[int]) -> str:
    named = ", ".join(_TURNS[turn - 1] for turn in turns)
    *before, last = named.rpartition(", ")
    cards = f"{before[0]} and {last} cards" if len(turns) > 1 else f"{named} card"
    return f"the dealer's {cards}" if place == DEALER else f"the {cards} of the board"


def _next_cards(game: Game, rules: Rules, left_out: list[str], progress: Progress | None) -> Iterator[SeenCards]:
    """The main wagers and each side wager by the first card of a hand."""
    try:
        yield next_card(game, rules, progress=progress)
    except NotCountedError as problem:
        left_out.append(str(problem))
    missing = []
    for kind in dict.fromkeys(kind_of(game, line) for line in side_lines(game)):
        if kind not in rules.wagers and kind not in game.lines.rules:
            continue
        try:
            yield seen_card(game, rules, kind)
        except NotCountedError:
            missing.append(shown(kind))
    if missing:
        names = listed(missing).replace(" or ", " and ")
        left_out.append(f"A seen card is not counted for {names}: more than one hand, or suits, decide.")
