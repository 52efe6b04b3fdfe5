"""Drills about cards: read this hand, who wins, deal it."""

from random import Random

from pitboss.games.contract import Game
from pitboss.games.course import Deal
from pitboss.games.deal import deal_of
from pitboss.games.facts import AtLeast, Compare, Places, Position, Versus
from pitboss.games.registry import GAMES
from pitboss.games.settlement import LineResult
from pitboss.law.model import SINGLE
from pitboss.names import shown
from pitboss.school.exercise import Drawn, Item
from pitboss.school.layout import of_cards, of_wagers, wager_title
from pitboss.school.rounds import (
    Wish,
    begin,
    paying,
    row_words,
    rules_for,
    school_round,
    wagers_for,
)
from pitboss.school.settling import line_cites
from pitboss.school.sheet import Asking, among, yes_no

LOSES = "None: the wager loses"
HIGHER, EQUAL, LOWER = "The player's", "Neither: they are equal", "The dealer's"
BETTER = {Versus.HIGHER: HIGHER, Versus.EQUAL: EQUAL, Versus.LOWER: LOWER}


def has_hands(game: Game) -> bool:
    return bool(game.lines.facts.labels)


def read_hand(asking: Asking, rng: Random) -> Drawn | None:
    """Which row of a pay table the cards behind a wager fall in."""
    rules = rules_for(asking.game, asking.as_of, rng)
    if not paying(rules):
        return None
    paid = rng.choice(paying(rules))
    fact = GAMES[asking.game].lines.facts.labels[paid.fact]
    labels = fact.facet.labels if rng.random() < 0.3 else paid.labels(rules)
    before = paid.wager if rules.wagers[paid.wager].placed == "before" else ""
    done = school_round(rules, rng, 1, 1, Wish(0, paid.fact, rng.choice(labels)), staying=True, everybody=before)
    line = None if done is None else next((each for each in done.lines if each.wager == paid.line), None)
    if done is None or line is None or line.result == LineResult.FORFEIT:
        return None
    seat, table = done.played.seats[0], rules.tables[paid.table]
    at = Position(rules, done.played, seat)
    row = rules.odds(paid.table, fact.of(at))
    if line.odds != ("" if row is None else str(row[1])):
        return None  # the game pays this hand by more than its name
    words = {each: row_words(rules, each, table) for each in table.rows}
    options = (*words.values(), LOSES)
    if len(set(options)) < len(options):
        return None
    right = LOSES if row is None else words[row[0]]
    letter = "" if table.letter == SINGLE else f", table {table.printed_letter}"
    item = Item("row", "Which row is it?", "one", right, line_cites(line), line.why, options)
    laid = of_cards(**{_whose(fact.places): fact.hand(at)})
    return Drawn(f"Read this hand for {wager_title(rules, paid.line)}{letter}.", (item,), laid, basis=done)


def _whose(places: Places) -> str:
    words = {"own": "the player's cards", "final": "the player's cards", "dealer": "the dealer's cards"}
    said = " and ".join(words.get(place, f"the {shown(place)}".lower()) for place in places)
    return f"{said[:1].upper()}{said[1:]}"


def compares(game: Game) -> bool:
    return any(isinstance(fact, Compare) for fact in game.lines.facts.by_name.values())


def who_wins(asking: Asking, rng: Random) -> Drawn | None:
    """The player's hand against the dealer's, and whether the dealer's hand is good enough to play."""
    rules = rules_for(asking.game, asking.as_of, rng)
    facts = GAMES[asking.game].lines.facts.by_name
    compare = next(fact for fact in facts.values() if isinstance(fact, Compare))
    least = next((fact for fact in facts.values() if isinstance(fact, AtLeast)), None)
    wanted = rng.choice((*Versus, Versus.HIGHER, Versus.LOWER))
    unit = GAMES[asking.game].course.unit
    for _ in range(40):
        done = school_round(rules, rng, 1, 1, staying=True)
        line = None if done is None else next((each for each in done.lines if each.settles == unit), None)
        if done is None or line is None or line.result == LineResult.FORFEIT:
            continue
        at = Position(rules, done.played, done.played.seats[0])
        found = compare.of(at)
        if found is None or found != wanted:
            continue
        items = [
            Item(
                "better", "Whose hand is higher?", "one", BETTER[found], (line.cite,), line.why, (HIGHER, EQUAL, LOWER)
            )
        ]
        if least is not None and least.places == compare.against:
            plays = bool(least.of(at))
            items.append(yes_no("plays", "Is the dealer's hand good enough to play?", plays, (line.cite,), line.why))
        laid = of_cards(
            **{
                _whose(compare.against): at.cards(compare.against),
                _whose(compare.places): at.cards(compare.places),
            }
        )
        return Drawn("Who wins?", tuple(items), laid, basis=done)
    return None


# Deal it


def deals(game: Game) -> bool:
    return game.course.has(Deal)


def deal_it(asking: Asking, rng: Random) -> Drawn | None:
    """Where a card goes, which way up, and how many are left, by the device in use."""
    device = rng.choice(GAMES[asking.game].chapter.devices(asking.as_of))
    rules = rules_for(asking.game, asking.as_of, rng, device)
    count = rng.randint(1, min(4, rules.seats))
    seats = sorted(rng.sample(range(1, rules.seats + 1), count))
    wagers = {number: wagers_for(rules, rng, number, seats, 2) for number in seats}
    state = begin(rules, wagers, rng)
    if state is None or state.dealing is None:
        return None
    order, deal = state.dealing.order, deal_of(rules, device)
    places = list(dict.fromkeys(dealt.to for dealt in order))
    cites = (str(deal.cite),)
    items: list[Item | None] = []
    for number in sorted(rng.sample(range(len(order)), min(2, len(order)))):
        dealt = order[number]
        words = {place: f"{place[:1].upper()}{place[1:].replace('_', ' ')}" for place in (*places, "dealer", "discard")}
        why = f"Card {number + 1} of the deal goes to {words[dealt.to].lower()}."
        ask = f"Card number {number + 1} of the deal: where does it go?"
        items.append(among(f"to {number}", ask, words[dealt.to], words.values(), cites, why, rng))
        up = "It is dealt face up." if dealt.face_up else "It is dealt face down."
        items.append(yes_no(f"up {number}", f"Card number {number + 1}: face up?", dealt.face_up, cites, up))
    left = len(state.stub)
    numbers = {str(left + step) for step in (-5, -3, -2, -1, 1, 2, 3, 4)}
    why = f"{len(order)} cards leave the deck, and {left} are left."
    items.append(among("stub", "How many cards are left in the deck?", str(left), sorted(numbers), cites, why, rng))
    told = f"Dealt by {device.replace('-', ' ')} to {len(seats)} player{'s' if len(seats) > 1 else ''}."
    found = tuple(item for item in items if item is not None)
    return Drawn("Deal this round.", found, of_wagers(rules, wagers), (told,))
