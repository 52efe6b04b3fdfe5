"""Rounds to ask about: a table of the game with some letters of its pay tables, players who wager and decide, settled.

Hands that are rare in a shuffled deck are as frequent here as a teacher wants them: the cards of the deck are renamed
so that the cards behind one fact of a seat become a hand of the wanted name; everything else is dealt by the law.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from random import Random

from pitboss.cards import ACE, DECK, Card, Hand, card_of, rank_of, shuffled, suit_of
from pitboss.games.checks import verify_wagers
from pitboss.games.contract import Game
from pitboss.games.course import FOLD
from pitboss.games.deal import DeckError
from pitboss.games.facts import Position
from pitboss.games.handover import Handover, handover_in
from pitboss.games.registry import GAMES
from pitboss.games.round import Decision, Round, Seat
from pitboss.games.rules import Rules, resolve
from pitboss.games.settle import opening_meters, settle
from pitboss.games.settlement import Book, Line, Settlement, Turn
from pitboss.games.walk import RoundState, chance, plain_wagers, rolls, start
from pitboss.hands.facets import Facet
from pitboss.hands.labels import TITLES
from pitboss.law.model import EnvyTable, PayTable, Procedure, in_force
from pitboss.law.odds import Tier
from pitboss.meters import Meter
from pitboss.money import Cents, show_dollars
from pitboss.names import shown
from pitboss.records import kept
from pitboss.school.exercise import LaidTable
from pitboss.school.layout import of_round, wager_title
from pitboss.submission import starting_point
from pitboss.submission.letters import letters_in_force
from pitboss.submission.resolve import choices_of

TRIES = 20_000
EXAMPLES = 12
"""Hands of one name that there are to choose among; they are dealt among other cards each time."""


@dataclass(frozen=True)
class Wish:
    """What a seat shall hold: the cards behind a fact, by a name that they can have."""

    seat: int
    fact: str
    label: str


@dataclass(frozen=True)
class SchoolRound:
    """A round from its wagers to its settlement, with the meters as they stood before it."""

    rules: Rules
    begun: RoundState
    """When all cards lie and nobody has chosen."""
    played: Round
    displayed: Mapping[str, Mapping[Tier, Cents]]
    settlement: Settlement

    @property
    def game(self) -> Game:
        return GAMES[self.rules.game]

    @property
    def lines(self) -> tuple[Line, ...]:
        return self.settlement.lines

    def moves(self, line: Line) -> Handover:
        """What the dealer hands over and takes with a line."""
        return handover_in(self.rules, self.played, line)

    def meters(self) -> dict[str, Meter]:
        """The meters of the round before its wagers are added."""
        return opening_meters(self.rules, self.played, self.displayed, {})

    def turns(self) -> tuple[Turn, ...]:
        """The settlement seat by seat, in the order of the law."""
        book = Book(self.rules, self.meters())
        book.accept_wagers(self.played)
        self.game.settle(self.rules, self.played, book)
        return book.turns()

    def laid(self) -> LaidTable:
        """The table as it lies when everybody has decided."""
        return of_round(self.rules, self.played)


# The table


@lru_cache(maxsize=256)
def _resolved(game: str, as_of: date, letters: tuple[tuple[str, str], ...], device: str) -> Rules | None:
    submission = starting_point(game, as_of)
    choices = choices_of(submission, as_of)
    wanted = replace(choices, letters={**choices.letters, **dict(letters)}, device=device or choices.device, meters={})
    rules, findings = resolve(GAMES[game].chapter, as_of, wanted)
    return None if findings else rules


def rules_for(game: str, as_of: date, rng: Random, device: str = "") -> Rules:
    """A lawful table of the law's template, with any letters of its pay tables."""
    chapter = GAMES[game].chapter
    names = dict.fromkeys(t.wager for t in in_force(chapter.paytables, as_of) if not t.when)
    lettered = ((name, letters) for name in names if (letters := letters_in_force(chapter, name, as_of)))
    drawn = tuple((name, rng.choice(letters)) for name, letters in lettered)
    rules = (
        _resolved(game, as_of, drawn, device) or _resolved(game, as_of, (), device) or _resolved(game, as_of, (), "")
    )
    assert rules is not None, "the law's template is lawful"
    return rules


def procedure_cite(rules: Rules, act: str) -> str:
    """The paragraph of an act, for the device in use."""
    found = [p for p in in_force(rules.chapter.procedures, rules.as_of) if p.act == act and applies(p, rules)]
    return str(found[0].cite) if found else str(rules.chapter.cite_of(act))


def applies(procedure: Procedure, rules: Rules) -> bool:
    """Whether a procedure is one of the device in use, or of all."""
    devices, when = set(rules.chapter.devices(rules.as_of)), set(procedure.when.split(" or "))
    return rules.choices.device in when or not devices & when


def row_words(rules: Rules, row: str, of: PayTable | EnvyTable | None = None) -> str:
    """A row as the law prints it."""
    return (of and rules.chapter.row_name(row, of)) or TITLES.get(row) or shown(row)


# The wagers


def stake_for(rules: Rules, name: str, rng: Random) -> Cents:
    """A lawful amount, odd as patrons make them."""
    wager = rules.wager_named(name)
    assert wager is not None
    fixed = rules.choices.amounts.get(wager.name)
    sums = [fixed] if fixed else sorted({table.stake for table in rules.envies.get(wager.name, ())})
    if sums:
        return rng.choice(sums)
    limits = rules.limits(wager.name)
    stakes = [limits.minimum + step for step in (0, 0, 100, 250, 500, 750, 1000, 1250, 1500, 2000, 2500, 4000)]
    return min(rng.choice(stakes), limits.maximum)


def wagers_for(rules: Rules, rng: Random, seat: int, seats: Sequence[int], most: int = 4) -> dict[str, Cents]:
    """What a patron bets before the cards: what must be, and some of the rest."""
    game = GAMES[rules.game]
    made: dict[str, Cents] = {}
    if game.course.unit:
        unit = stake_for(rules, game.course.unit, rng)
        made = {name: unit for name in game.course.main if name in rules.wagers}
    names: dict[str, list[str]] = {}
    for name in rules.names_at(seat):
        wager = rules.wager_named(name)
        if wager is None or name in made or (wager.on_another_seat and not {*wager.picked(name)} & {*seats}):
            continue
        names.setdefault(wager.name, []).append(name)
    others = [rng.choice(found) for found in names.values()]
    chosen = set(rng.sample(others, min(len(others), rng.randint(1, most))))
    for name in (name for name in others if name in chosen):
        more = {**made, name: stake_for(rules, name, rng)}
        if not _against(game, rules, Seat(seat, (), more)):
            made = more
    return made if made and not _against(game, rules, Seat(seat, (), made)) else plain_wagers(rules)


def _against(game: Game, rules: Rules, seat: Seat) -> bool:
    return any(verify_wagers(rules, seat)) or any(game.seat_findings(rules, Round((), (seat,)), seat))


# The cards


def hand_of(facet: Facet, label: str, rng: Random) -> Hand | None:
    """Cards that go by a name; nothing where none were found."""
    return _example(facet, label, rng.randrange(EXAMPLES))


@lru_cache(maxsize=4096)
def _example(facet: Facet, label: str, number: int) -> Hand | None:
    rng = Random(f"{label} {number}")
    candidates = (_candidate(rng, facet.cards) for _ in range(TRIES))
    return next((hand for hand in candidates if facet.label(hand) == label), None)


def _candidate(rng: Random, size: int) -> Hand:
    """Any cards, but runs, suits, colours and equal ranks more often than a shuffle gives them."""
    kind = rng.randrange(6)
    suit, top = rng.randrange(4), rng.randrange(13)
    if kind < 2:  # a run downwards, where the ace may stand below the 2
        long = rng.randint(2, size)
        ranks = [(top - step) % 13 for step in range(long)] if top >= long - 2 else [rng.randrange(13)]
        held = [card_of(rank, suit if kind else rng.randrange(4)) for rank in ranks]
    elif kind == 2:
        held = [card_of(rank, suit) for rank in rng.sample(range(13), rng.randint(2, size))]
    elif kind == 3:
        first = rng.sample(range(4), rng.randint(2, 4))
        second = rng.sample(range(4), rng.randint(1, 4))
        other = rng.choice([rank for rank in range(13) if rank != top])
        held = [*(card_of(top, each) for each in first), *(card_of(other, each) for each in second)][:size]
    elif kind == 4:
        dark = rng.randrange(2)
        held = rng.sample([card for card in DECK if (suit_of(card) in (1, 2)) != bool(dark)], rng.randint(2, size))
    else:
        high = [card for card in DECK if rank_of(card) >= ACE - 3]
        held = rng.sample(high, rng.randint(1, min(size, len(high))))
    cards = list(dict.fromkeys(held))[:size]
    cards += rng.sample([card for card in DECK if card not in cards], size - len(cards))
    rng.shuffle(cards)
    return tuple(cards)


def renamed(deck: Sequence[Card], held: Hand, wanted: Hand) -> tuple[Card, ...]:
    """The same deck where the cards held are the wanted ones; cards change places, so that each is still there once."""
    names = dict(zip(DECK, DECK, strict=True))
    for old, new in zip(held, wanted, strict=True):
        at = next(card for card, name in names.items() if name == new)
        names[at], names[old] = names[old], new
    return tuple(names[card] for card in deck)


def begin(
    rules: Rules, wagers: Mapping[int, Mapping[str, Cents]], rng: Random, wish: Wish | None = None
) -> RoundState | None:
    """The round when all cards lie; nothing where the wish cannot be met."""
    if rolls(GAMES[rules.game]):
        return start(rules, wagers, chance(rules, rng))
    deck = tuple(shuffled(rng))
    state = start(rules, wagers, deck)
    if wish is None:
        return state
    fact = GAMES[rules.game].lines.facts.labels[wish.fact]
    seat = state.played.seat(wish.seat)
    held = fact.hand(Position(rules, state.played, seat)) if seat is not None else ()
    wanted = hand_of(fact.facet, wish.label, rng) if held else None
    return None if wanted is None else start(rules, wagers, renamed(deck, held, wanted))


def decide(state: RoundState, rng: Random, folding: frozenset[int] = frozenset(), staying: bool = False) -> RoundState:
    """Everybody chooses: mostly plainly, sometimes otherwise; ``folding`` seats fold as soon as they may."""
    game, rules = state.game, state.rules
    while (asked := state.asked) is not None:
        options = {option.name: option for option in state.options}
        made = game.plain_decision(rules, state.sight)
        others = [
            choice.decision(state.sight.stake)
            for option in options.values()
            if option.draws is None and option.name != FOLD.name
            for choice in option.choices()
        ]
        if asked[0] in folding and FOLD.name in options:
            made = Decision(FOLD.name)
        elif others and ((staying and made.choice == FOLD.name) or rng.random() < 0.2):
            made = rng.choice(others)
        state = state.apply(made if not state.findings(made) else game.plain_decision(rules, state.sight))
    return state


def displays(rules: Rules, rng: Random) -> dict[str, dict[Tier, Cents]]:
    """What the meters show before the round: their seeds, and what was added since."""
    return {
        name: {
            tier: amount + rng.randrange(amount // 2 + 100_00)
            for tier, amount in Meter.seeded(name, spec, 100).displayed().items()
        }
        for name, spec in rules.meters.items()
    }


def school_round(
    rules: Rules,
    rng: Random,
    seats: int = 2,
    most: int = 4,
    wish: Wish | None = None,
    folding: frozenset[int] = frozenset(),
    staying: bool = False,
    everybody: str = "",
) -> SchoolRound | None:
    """One settled round; nothing where chance gave one that cannot be asked about. ``everybody`` makes one wager."""
    numbers = tuple(sorted(rng.sample(range(1, rules.seats + 1), min(seats, rules.seats))))
    if wish is not None:
        wish = replace(wish, seat=numbers[wish.seat % len(numbers)])
    folding = frozenset(numbers[each % len(numbers)] for each in folding)
    wagers = {number: wagers_for(rules, rng, number, numbers, most) for number in numbers}
    if everybody:
        wagers = {
            n: made | {everybody: made.get(everybody) or stake_for(rules, everybody, rng)} for n, made in wagers.items()
        }
    try:
        begun = begin(rules, wagers, rng, wish)
        if begun is None:
            return None
        played = decide(begun, rng, folding, staying).played
    except DeckError:
        return None
    touched = {known.meter for made in wagers.values() for name in made if (known := rules.wager_named(name))}
    displayed = {name: shown for name, shown in displays(rules, rng).items() if name in touched}
    settlement = settle(rules, played, displayed)
    return (
        None
        if settlement.findings or not settlement.lines
        else SchoolRound(rules, begun, played, displayed, settlement)
    )


@dataclass(frozen=True)
class PaidByName:
    """A line that the name of a hand decides: its wager, the fact that names the hand, and the pay table."""

    line: str
    wager: str
    fact: str
    table: str

    def labels(self, rules: Rules) -> tuple[str, ...]:
        """Names of hands that the table pays; all that there are where it pays none of them."""
        labels = GAMES[rules.game].lines.facts.labels[self.fact].facet.labels
        return tuple(label for label in labels if rules.odds(self.table, label) is not None) or labels


def paying(rules: Rules) -> tuple[PaidByName, ...]:
    return kept(rules, "lines paid by the name of a hand", lambda: tuple(_paying(rules)))


def _paying(rules: Rules) -> Iterator[PaidByName]:
    lines = GAMES[rules.game].lines
    posts = {post.line: post for step in GAMES[rules.game].course.settles for post in step.posts}
    for name, line in lines.rules.items():
        wager = rules.wagers.get(posts[name].wager if name in posts else name)
        facts = [fact for fact in line.reads if fact in lines.facts.labels]
        if wager is not None and len(facts) == 1:
            table = name if name in rules.tables else wager.paytable
            if any(rules.odds(table, label) for label in lines.facts.labels[facts[0]].facet.labels):
                yield PaidByName(name, wager.name, facts[0], table)


# Words


def line_name(rules: Rules, line: Line) -> str:
    return f"Seat {line.seat}: {wager_title(rules, line.wager)} of {show_dollars(line.stake)}"
