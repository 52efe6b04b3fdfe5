"""Random lawful rounds of any registered game, for the property tests.

Wagers, preconditions, letters, extras and hand sizes come from the game's own rules, so registering a game covers it.
Decisions are any that its course allows. ``STAKES_OF`` adds what only a game knows: wagers tied to each other.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from fractions import Fraction
from functools import cache
from random import Random
from typing import Any

from hypothesis import strategies as st

from pitboss.cards import ACE, DECK, JACK, KING, QUEEN, Card, Hand, is_red, rank_of, show_card, show_cards, suit_of
from pitboss.games.chance import counted, thrown
from pitboss.games.contract import Game
from pitboss.games.course import Times
from pitboss.games.deal import deal_of
from pitboss.games.registry import BANKED as GAMES
from pitboss.games.round import Decision, Round, Seat, own_place
from pitboss.games.rules import Choices, Rules, resolve
from pitboss.games.settle import Displayed, opening_meters, settle, verify
from pitboss.games.settlement import Settlement
from pitboss.law.model import SINGLE, ChoiceSpec, in_force
from pitboss.law.odds import Tier
from pitboss.meters import Meter
from pitboss.money import Cents

AS_OF = date(2024, 6, 1)
STAKES = (100, 500, 1000, 1250, 101, 333, 2500, 5_000_000)
PROGRESSIVE_STAKES = (100, 500)

Draw = Callable[[st.SearchStrategy[Any]], Any]


@cache
def one_of(*options: Any) -> st.SearchStrategy[Any]:
    """``sampled_from``, built once for the same options: building strategies costs more than drawing from them."""
    return st.sampled_from(options)


@cache
def between(least: int, most: int) -> st.SearchStrategy[int]:
    return st.integers(least, most)


@cache
def _seat_numbers(seats: int) -> st.SearchStrategy[set[int]]:
    return st.sets(between(1, seats), min_size=1)


COIN = one_of(False, True)
MOSTLY = one_of(True, False, True)


@dataclass(frozen=True, repr=False)
class Scenario:
    """A lawful round with everything that settling it needs."""

    rules: Rules
    played: Round
    displayed: Displayed = field(default_factory=dict)
    reserves: Mapping[str, Cents] = field(default_factory=dict)

    @property
    def game(self) -> Game:
        return GAMES[self.rules.game]

    def settle(self) -> Settlement:
        settlement = settle(self.rules, self.played, self.displayed, self.reserves)
        assert settlement.findings == ()
        return settlement

    def opening(self) -> dict[str, Meter]:
        return opening_meters(self.rules, self.played, self.displayed, self.reserves)

    def with_round(self, played: Round) -> "Scenario":
        return replace(self, played=played)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:  # noqa: ARG002
        """Hypothesis would print the whole chapter."""
        printer.text(repr(self))

    def __repr__(self) -> str:
        """The round as a person would write it; the rules only by what was chosen."""
        played = self.played
        magic = "" if played.magic_card is None else show_card(played.magic_card)
        seats = [f"  seat {s.number}: {show_cards(s.cards)} {dict(s.wagers)} {_shown(s)}" for s in played.seats]
        head = f"{self.rules.game} {self.rules.choices}"
        extras = {name: show_cards(cards) for name, cards in played.extras.items()}
        table = f"  dealer: {show_cards(played.dealer)} extras {extras} magic {magic!r} lucky {played.lucky_position!r}"
        return "\n".join([head, table, *seats, f"  meters {self.displayed} reserves {self.reserves}"])


def _shown(seat: Seat) -> str:
    return ", then ".join(
        f"{made.choice} {made.amount or ''} {show_cards(made.discard)} {show_cards(made.drawn)}".rstrip()
        for made in seat.decisions.values()
    )


# Cards that some hands of the round are dealt from, so that jackpots, envy, the suit rows and ties do come up.
FAVOURITES: tuple[Hand, ...] = (
    (),
    *(tuple(c for c in DECK if suit_of(c) == suit and rank_of(c) >= ACE - 5) for suit in range(4)),
    *(tuple(c for c in DECK if suit_of(c) == suit and rank_of(c) >= ACE - 4) for suit in range(4)),
    *(tuple(c for c in DECK if suit_of(c) == suit and rank_of(c) >= QUEEN) for suit in range(4)),
    *(tuple(c for c in DECK if suit_of(c) == suit and rank_of(c) <= 4) for suit in range(2)),
    tuple(c for c in DECK if rank_of(c) in (ACE, KING)),
    tuple(c for c in DECK if rank_of(c) in (ACE, QUEEN)),
    tuple(c for c in DECK if rank_of(c) in (KING, QUEEN, JACK)),
    tuple(c for c in DECK if rank_of(c) in (ACE, QUEEN, 7)),
    tuple(c for c in DECK if rank_of(c) in (KING, 9, 3, 2)),
    tuple(c for c in DECK if rank_of(c) in (2, 3, 4, 5, 6)),
    tuple(c for c in DECK if is_red(c)),
)


class Deck:
    """A shuffled deck that deals some hands from its favourite cards as long as they last."""

    def __init__(self, seed: int, favourites: Hand) -> None:
        self.rng = Random(seed)
        self.cards = list(DECK)
        self.rng.shuffle(self.cards)
        self.favourites = frozenset(favourites)

    def deal(self, count: int, share: float = 0.6) -> Hand:
        if self.favourites and self.rng.random() < share:
            self.cards.sort(key=lambda card: card not in self.favourites)
        hand, self.cards = self.cards[:count], self.cards[count:]
        self.rng.shuffle(hand)
        self.rng.shuffle(self.cards)
        return tuple(hand)

    def deal_against(self, dealer: Hand, count: int) -> Hand:
        """A hand that now and then has the ranks of the dealer's, because chance alone hardly ever ties."""
        if self.rng.random() < 0.35:
            twins = [next((c for c in self.cards if rank_of(c) == rank_of(card)), None) for card in dealer[-count:]]
            hand = tuple(card for card in twins if card is not None)
            if len(set(hand)) == count:
                self.cards = [card for card in self.cards if card not in hand]
                return hand
        return self.deal(count)


@cache
def _letters(name: str) -> Mapping[str, tuple[str, ...]]:
    tables = in_force(GAMES[name].chapter.paytables, AS_OF)
    lettered = [table for table in tables if table.letter != SINGLE]
    return {t.wager: tuple(dict.fromkeys(o.letter for o in lettered if o.wager == t.wager)) for t in lettered}


@cache
def _readings(name: str) -> Mapping[tuple[str, str], tuple[str, ...]]:
    """By pay table and letter: the printed text, and every reading that has a table of its own."""
    tables = in_force(GAMES[name].chapter.paytables, AS_OF)
    read = dict.fromkeys((t.wager, t.letter) for t in tables if t.reading)
    return {key: tuple(dict.fromkeys(t.reading for t in tables if (t.wager, t.letter) == key)) for key in read}


def _option(draw: Draw, choice: ChoiceSpec) -> Any:
    """A lawful value of an option, or nothing: it may be left alone."""
    if choice.kind == "selection" or not draw(COIN):
        return None
    if choice.kind == "row":
        return {table: Fraction(101, 2) for table in choice.rows if draw(COIN)}
    return draw(one_of(*choice.values)) if choice.values else 5_000_000


def _choices(draw: Draw, name: str) -> Choices:
    """Any options, letters and readings; what an option opens goes with it, and with it alone."""
    chapter = GAMES[name].chapter
    options = {key: value for key, choice in chapter.options(AS_OF).items() if (value := _option(draw, choice))}
    letters = {}
    for table, printed in _letters(name).items():
        opened = {t.letter: t.when in options for t in chapter.tables(table, AS_OF) if t.when}
        fitting = [letter for letter in printed if opened.get(letter, not any(opened.values()))]
        letters[table] = draw(one_of(*fitting))
    for key, choice in chapter.options(AS_OF).items():
        if choice.into and key in options:
            taken = {t.letter for t in chapter.paytables if t.cite in choice.into}
            options[key] = {table: rate for table, rate in options[key].items() if letters[table] in taken}
    amount: Cents = draw(one_of(0, *PROGRESSIVE_STAKES))
    progressive = [wager.name for wager in in_force(chapter.wagers, AS_OF) if wager.meter]
    return Choices(
        letters=letters,
        device=draw(one_of(*(deal.device for deal in in_force(chapter.deals, AS_OF)))),
        amounts=dict.fromkeys(progressive, amount) if amount else {},
        options=options,
        readings={
            table: draw(one_of(*named))
            for (table, letter), named in _readings(name).items()
            if letters.get(table, SINGLE) == letter
        },
    )


def _wager_names(rules: Rules, number: int, numbers: list[int]) -> list[str]:
    """What the seat may stake before the cards; a wager on another seat is one wager for each of them."""
    names: list[str] = []
    for wager in rules.wagers.values():
        if wager.placed == "before":
            others = [f"{wager.name}_{other}" for other in numbers if other != number]
            names += others if wager.on_another_seat else wager.names(rules.seats, rules.choices.device)
    return names


def _wagers(draw: Draw, rules: Rules, number: int, numbers: list[int]) -> dict[str, Cents]:
    names = _wager_names(rules, number, numbers)
    wanted = draw(between(0, 2 ** len(names) - 1))
    base = draw(between(0, len(STAKES) - 1))
    stakes: dict[str, Cents] = {}
    for place, name in enumerate(names):
        wager = rules.wager_named(name)
        assert wager is not None
        lawful = all(need in stakes for need in wager.needs_all)
        lawful = lawful and (not wager.needs_any or any(need in stakes for need in wager.needs_any))
        if not lawful or not (wager.required or wanted >> place & 1):
            continue
        if wager.meter:
            stakes[name] = rules.choices.amounts.get(name) or PROGRESSIVE_STAKES[(base + place) % 2]
        else:
            stakes[name] = STAKES[base if wager.required else (base + place) % len(STAKES)]
    if not stakes:
        stakes[names[0]] = STAKES[base]
    return STAKES_OF[rules.game](draw, rules, stakes) if rules.game in STAKES_OF else stakes


def _three_card_stakes(draw: Draw, rules: Rules, stakes: dict[str, Cents]) -> dict[str, Cents]:  # noqa: ARG001
    """649a.7(e): equal Ante and Pair Plus Wagers satisfy each of the three versions."""
    if rules.option("version") is None or ("pair_plus" not in stakes and rules.option("version") != 3):
        return stakes
    ante = stakes.get("ante") or stakes["pair_plus"]
    return {**stakes, "ante": ante, "pair_plus": ante}


def _lunar_stakes(draw: Draw, rules: Rules, stakes: dict[str, Cents]) -> dict[str, Cents]:
    least = stakes["ante"] * rules.figure("super_least_antes")
    return {**stakes, "super": least + draw(one_of(0, 250))}


STAKES_OF: Mapping[str, Callable[[Draw, Rules, dict[str, Cents]], dict[str, Cents]]] = {
    "three-card-poker": _three_card_stakes,
    "lunar-poker": _lunar_stakes,
}


def decide(draw: Draw, rules: Rules, played: Round, seat: Seat, stub: list[Card]) -> Seat:
    """Any lawful choice at each step of the course, with any lawful amount; draws come from the stub."""
    game = GAMES[rules.game]
    for step in game.course.decides:
        sight = game.sight(rules, played, seat, step)
        ended = game.course.ended(rules, seat, before=step)
        options = [each for each in step.options(rules, sight) if each.draws is None or each.draws.least <= len(stub)]
        if ended or (step.on or game.course.unit) not in seat.wagers or not options:
            continue
        option = options[draw(between(0, len(options) - 1))]
        discard: Hand = ()
        count = 0
        if option.draws is not None:
            count = draw(between(option.draws.least, min(option.draws.most, len(stub))))
            discard = seat.cards[:count] if option.draws.discards else ()
        drawn = tuple(stub.pop(0) for _ in range(count))
        amounts = [_amount(draw, times, sight.stake) for times in option.puts.values()]
        amount = amounts[0] if amounts and option.draws is None else None
        seat = seat.deciding(step.name, Decision(option.name, amount, discard, drawn))
    return seat


def _amount(draw: Draw, times: Times, unit: Cents) -> Cents | None:
    least, most = times.least * unit, times.most * unit
    if not times.said:
        return least if draw(COIN) else None
    steps = times.most - times.least if times.whole else 100
    return least + (most - least) * int(draw(between(0, steps))) // max(steps, 1)


def _meters(draw: Draw, rules: Rules) -> tuple[Displayed, dict[str, Cents]]:
    displayed: dict[str, dict[Tier, Cents]] = {}
    reserves: dict[str, Cents] = {}
    for name, spec in rules.meters.items():
        if draw(COIN):
            displayed[name] = {tier: draw(between(100, 2_000_000)) for tier in spec.seed}
        if spec.reserve and draw(COIN):
            reserves[name] = draw(between(0, 100_000))
    return displayed, reserves


PLAYED = ("players", "players+dealer", "dealer", "discard")
"""Where cards are dealt that are no place of their own."""


@st.composite
def rounds(draw: Draw, name: str) -> Scenario:
    """A random round of the game that the rules accept."""
    rules, findings = resolve(GAMES[name].chapter, AS_OF, _choices(draw, name))
    assert rules is not None
    assert findings == ()
    numbers = sorted(draw(_seat_numbers(rules.seats)))
    deck = Deck(draw(between(0, 2**32 - 1)), draw(one_of(*FAVOURITES)))
    sizes = {figure.name: figure.value for figure in in_force(rules.chapter.figures, AS_OF)}
    dealer = deck.deal(sizes.get("dealer_cards", 0), 0.4)
    size = sizes.get("player_cards", 0)
    seats = [Seat(n, deck.deal_against(dealer, size), _wagers(draw, rules, n, numbers)) for n in numbers]
    extras: dict[str, Hand] = {}
    for step in deal_of(rules).steps:
        betting = [seat.number for seat in seats if not step.when or seat.wagers.keys() & set(step.when)]
        if step.own:
            extras |= {own_place(step.own, number): deck.deal(step.brings(step.own), 1.0) for number in betting}
        elif step.cards and betting and step.to not in PLAYED:
            extras[step.to] = deck.deal(step.brings(step.to), 1.0)
    thrown_step = thrown(rules)
    dice = () if thrown_step is None else tuple(draw(one_of(*counted(thrown_step))) for _ in range(thrown_step.dice))
    magic = draw(one_of(None, *DECK)) if "magic_card" in rules.tables else None
    positions = (None, "dealer", *range(1, rules.seats + 1))
    lucky = draw(one_of(*positions)) if "lucky_bonus" in rules.tables else None
    played = Round(dealer, tuple(seats), extras, magic, lucky, dice)
    played = played.with_seats([decide(draw, rules, played, seat, deck.cards) for seat in seats])
    found = verify(rules, played)
    assert found == (), f"the strategy made an unlawful round: {[str(finding) for finding in found]}"
    return Scenario(rules, played, *_meters(draw, rules))
