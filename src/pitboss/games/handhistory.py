"""Rounds of players against each other as hand histories (PHH), which other poker programs read and write.

Amounts stand in whole chips of the table. What the format has no name for, the worth of a chip and the rake, stands in
fields of its own, which others pass over.
"""

import warnings
from collections import Counter
from datetime import date
from typing import Any

from pitboss.cards import Card, parse_card
from pitboss.documents import check_toml
from pitboss.findings import FindingsError, UnreadableError
from pitboss.games.betting import BRING_IN, CALL, CHECK, COMMUNITY, CONCEDE, FOLD, SHOWDOWN, UNKNOWN, Contest, more_of
from pitboss.games.registry import GAMES
from pitboss.games.round import Decision, Round, Seat, own_place
from pitboss.games.roundfile import dollars, round_data, write_round
from pitboss.games.rules import Choices, Rules, resolve
from pitboss.money import Cents
from pitboss.names import shortened

OWN = ("_chip_cents", "_rake_percent", "_rake_most", "_raises", "_disclosure")
"""Fields that only we know."""
MOST_PLAYERS = 52
"""As many as there are cards. How many a table seats, the law says."""
_NOT_A_HISTORY = (
    ArithmeticError, AssertionError, AttributeError, LookupError, RecursionError, TypeError, ValueError,
)  # fmt: skip
"""What the engine raises over a history that no game could be."""
MORE = "CompletionBettingOrRaisingTo"
"""How the engine calls betting more than others, whatever players call it."""


def contest_named(name: str) -> Contest:
    game = GAMES.get(name)
    if not isinstance(game, Contest):
        raise UnreadableError(
            f"Hand histories are for games in which players bet against each other; {name!r} isn't one."
        )
    return game


def written(rules: Rules, played: Round) -> str:
    """A finished round as a hand history; PokerKit and other programs give the same stacks for it."""
    from pokerkit import HandHistory

    game = contest_named(rules.game)
    findings = tuple(game.verify(rules, played))
    if findings:
        raise FindingsError(findings)
    hand, terms = game.begun(rules, played), game.terms(rules)
    history = HandHistory.from_game_state(
        game.variant(terms, len(hand.numbers)),
        hand.state,
        antes=[terms.ante] * len(hand.numbers),
        ante_trimming_status=True,
        seats=list(hand.numbers),
        players=[f"seat {number}" for number in hand.numbers],
        finishing_stacks=[int(stack) for stack in hand.state.stacks],
        currency="USD",
        user_defined_fields={
            "_chip_cents": terms.chip,
            "_rake_percent": terms.rake_percent or None,
            "_rake_most": terms.rake_most,
            "_raises": rules.option("raises"),
            "_disclosure": terms.disclosure or None,
        },
    )
    return f"{history.dumps()}\n"


def read(text: str, as_of: date) -> tuple[Rules, Round]:
    """The round of a hand history, with the limits that it was played at."""
    check_toml(text, "The hand history")
    from pokerkit import HandHistory

    try:
        history = _history(HandHistory, text)
        fields = history.user_defined_fields
        chip, percent, most, raises = (fields.get(name) for name in OWN[:4])
        game = next((g for g in GAMES.values() if isinstance(g, Contest) and _plays(g, history)), None)
        if game is None:
            raise UnreadableError(f"There is no game here that is written {history.variant!r} in a hand history.")
        options = _options(history, int(chip or 100), percent, most) | ({"raises": int(raises)} if raises else {})
        options |= {"disclosure": True} if fields.get("_disclosure") else {}
        rules, findings = resolve(game.chapter, as_of, Choices(device=game.chapter.deals[0].device, options=options))
        if rules is None or findings:
            raise FindingsError(findings)
        if percent:
            history = _history(HandHistory, text, rake=game.terms(rules).rake)
        with warnings.catch_warnings():  # of a card for all, which is dealt to each
            warnings.simplefilter("ignore")
            played, theirs = _replayed(game, rules, history)
    except UnreadableError:
        raise
    except _NOT_A_HISTORY as problem:
        raise UnreadableError(f"This is not a hand history that can be read: {problem}") from None
    if findings := tuple(game.verify(rules, played)):
        raise FindingsError(findings)
    ends = [int(stack) for stack in game.begun(rules, played).state.stacks]
    if ends != theirs:
        raise UnreadableError("The hand history does not end as the rules say: it was played by others.")
    numbers = history.seats or range(len(ends))
    try:
        said = [int(stack) for _, stack in sorted(zip(numbers, history.finishing_stacks or ends, strict=True))]
    except _NOT_A_HISTORY:
        raise UnreadableError("finishing_stacks should have one number of chips for each player.") from None
    if said != ends:
        raise UnreadableError(
            f"The hand history says that it ended with stacks of {said}; here it ends with {ends}. A rake is named by "
            "_rake_percent and _rake_most, in whole chips."
        )
    return rules, played


def _history(kind: Any, text: str, **options: Any) -> Any:
    with warnings.catch_warnings():  # of fields that the format does not have
        warnings.simplefilter("ignore")
        history = kind.loads(text, **options)
    if len(history.starting_stacks) > MOST_PLAYERS:
        raise UnreadableError(f"The hand history has more than {MOST_PLAYERS} players; remove those who did not play.")
    seats = history.seats or ()
    if not (isinstance(seats, list | tuple) and all(type(seat) is int and seat > 0 for seat in seats)):
        raise UnreadableError("seats should be a list of the players' seat numbers, such as [1, 2].")
    if len({*seats}) < len(seats):
        raise UnreadableError(f"seats gives two players the same seat: {shortened(str([*seats]))}.")
    return history


def _plays(game: Contest, history: Any) -> bool:
    rules, _ = resolve(game.chapter, max(each.period.start for each in game.chapter.wagers))
    return rules is not None and type(game.variant(game.terms(rules), 2)) is history.game_type


def _options(history: Any, chip: Cents, percent: Any, most: Any) -> dict[str, Any]:
    antes = set(history.antes)
    if len(antes) != 1:
        raise UnreadableError("Everybody posts the same Ante here; the hand history has several.")
    counted = {
        "ante": antes.pop(), "bring_in": history.bring_in, "small_bet": history.small_bet, "big_bet": history.big_bet,
        "rake_most": most,
    }  # fmt: skip
    found: dict[str, Any] = {name: int(value) * chip for name, value in counted.items() if value}
    return found | {"smallest_chip": chip} | ({"rake_percent": int(percent)} if percent else {})


def _replayed(game: Contest, rules: Rules, history: Any) -> tuple[Round, list[int]]:
    """The cards as they were dealt, each choice under the name it has when it is made, and the stacks at the end."""
    numbers = list(history.seats or range(1, len(history.starting_stacks) + 1))
    held: dict[int, list[Card]] = {number: [] for number in numbers}
    made: dict[int, dict[str, Decision]] = {number: {} for number in numbers}
    shared: list[Card] = []
    covered: Counter[int] = Counter()
    streets, chip, known = [street for street, _ in game.streets(rules)], game.terms(rules).chip, 0
    called = {"Folding": FOLD, "BringInPosting": BRING_IN}
    at = 0
    for state in history:
        for operation in state.operations[known:]:
            kind = type(operation).__name__
            if kind == "BoardDealing":
                shared += [parse_card(repr(card)) for card in operation.cards]
            elif kind == "HoleDealing":
                for card in map(repr, operation.cards):
                    if card == UNKNOWN:
                        covered[numbers[operation.player_index]] += 1
                    else:
                        _held(parse_card(card), held, shared, numbers[operation.player_index])
            elif kind == "HoleCardsShowingOrMucking" and covered[number := numbers[operation.player_index]]:
                if operation.hole_cards:
                    raise UnreadableError(f"The hand of seat {number} is shown, but was dealt unknown: give its cards.")
                made[number][SHOWDOWN] = Decision(CONCEDE)
            elif kind in called:
                number = numbers[operation.player_index]
                times = sum(name.partition(" ")[0] == streets[at].name for name in made[number])
                made[number][streets[at].turn(times)] = Decision(called[kind])
        known = len(state.operations)
        at = at if state.street_index is None else state.street_index
        called[MORE] = more_of(state)
        called["CheckingOrCalling"] = CALL if state.checking_or_calling_amount else CHECK
    unit = game.course.unit
    stakes = dict(zip(numbers, state.starting_stacks, strict=True))
    seats = tuple(
        Seat(number, tuple(held[number]), {unit: int(stakes[number]) * chip}, made[number])
        for number in sorted(numbers)
    )
    ends = dict(zip(numbers, state.stacks, strict=True))
    unknown = {own_place("seat", number): count for number, count in covered.items() if count}
    played = Round((), seats, extras={COMMUNITY: tuple(shared)} if shared else {}, covered=unknown)
    return played, [int(ends[number]) for number in sorted(numbers)]


def _held(card: Card, held: dict[int, list[Card]], shared: list[Card], number: int) -> None:
    """A card of one player, or one that is given to each, so that it is everybody's."""
    if card in shared:
        return
    holder = next((each for each, cards in held.items() if card in cards), None)
    if holder is None:
        held[number].append(card)
    else:
        held[holder].remove(card)
        shared.append(card)


def round_text(rules: Rules, played: Round) -> str:
    """A round of players against each other as a round file, which ``pitboss settle`` reads."""
    chosen = {choice.name: dollars(value) if choice.kind == "amount" else value for choice, value in rules.chosen}
    data = round_data(rules.game, rules.as_of, played)
    return write_round({"game": data.pop("game"), "as_of": data.pop("as_of"), **chosen, **data})
