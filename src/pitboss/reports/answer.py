"""The answer to a dispute: for each seat one sentence on the hand, the card that decides it, and the money."""

from collections.abc import Iterator
from dataclasses import dataclass

from pitboss.cards import Hand
from pitboss.games.contract import Game
from pitboss.games.facts import AtLeast, Compare, Label, Position
from pitboss.games.registry import GAMES
from pitboss.games.round import Round, Seat
from pitboss.games.rules import Rules
from pitboss.games.settlement import Line, LineResult, Settlement
from pitboss.hands.deciding import PLACES, deciding
from pitboss.money import Cents, show_dollars


@dataclass(frozen=True)
class ShownHand:
    """The cards of one side, those that form its hand, and those that decide."""

    title: str
    cards: Hand
    plays: Hand
    words: str
    decides: Hand = ()


@dataclass(frozen=True)
class SeatVerdict:
    """The answer for one seat."""

    seat: int
    headline: str
    why: str
    cite: str
    net: Cents
    hands: tuple[ShownHand, ...] = ()
    """The player's hand and, where it was compared, the dealer's."""
    between: str = ""
    """What the first hand does to the second: "loses to"."""


def verdicts(rules: Rules, played: Round, settlement: Settlement) -> tuple[SeatVerdict, ...]:
    """One answer for each seat, in the order of the seats."""
    game, totals = GAMES[rules.game], settlement.totals
    return tuple(
        _verdict(game, rules, played, seat, lines, totals[seat.number])
        for seat in played.clockwise()
        if (lines := [line for line in settlement.lines if line.seat == seat.number])
    )


def _verdict(game: Game, rules: Rules, played: Round, seat: Seat, lines: list[Line], net: Cents) -> SeatVerdict:
    name, money = f"Seat {seat.number}", _money(net)
    line = _main(game, lines)
    if line.result == LineResult.FORFEIT:
        return SeatVerdict(seat.number, f"{name} folded", f"{line.why} {money}", line.cite, net)
    at = Position(rules, played, seat)
    compared = _compared(game, at, lines)
    if compared is not None and (found := _against_dealer(game, at, *compared, net)) is not None:
        return found
    hands = tuple(_own_hand(game, at, line))
    first, _, rest = line.why.partition(". ")
    if hands:
        does = "loses with" if line.net < 0 else "wins with" if line.net > 0 else "gets the wager back with"
        return SeatVerdict(
            seat.number, f"{name} {does} {hands[0].words}", f"{rest or f'{first}.'} {money}", line.cite, net, hands
        )
    end = "breaks even" if net == 0 else f"{'wins' if net > 0 else 'loses'} {show_dollars(abs(net))}"
    told = first.rstrip(".")
    return SeatVerdict(seat.number, f"{name} {end}: {told[:1].lower()}{told[1:]}", money, line.cite, net)


def _money(net: Cents) -> str:
    if net == 0:
        return "Over all wagers nothing changes hands."
    return f"Over all wagers the player {'wins' if net > 0 else 'loses'} {show_dollars(abs(net))}."


def _main(game: Game, lines: list[Line]) -> Line:
    """The line of the wager that others are multiples of; else the one that moves most."""
    main = [line for line in lines if line.settles in game.course.main]
    return main[0] if main else max(lines, key=lambda line: abs(line.net))


def _compared(game: Game, at: Position, lines: list[Line]) -> tuple[Line, Compare] | None:
    """A main line for which the hand was compared with another: the first that the comparison settled, if any did."""
    found = []
    for line in lines:
        wager, known = at.rules.wagers.get(line.settles), game.lines.rules.get(line.wager)
        main = line.settles in game.course.main or (wager is not None and wager.placed == "after")
        if main and known is not None and line.result != LineResult.FORFEIT:
            facts = (game.lines.facts.by_name[name] for name in known.reads)
            found += [(line, fact) for fact in facts if isinstance(fact, Compare)]
    found.sort(key=lambda each: (_unqualified(game, at, each[0]), each[0].result == LineResult.PUSH))
    return found[0] if found else None


def _against_dealer(game: Game, at: Position, line: Line, compare: Compare, net: Cents) -> SeatVerdict | None:
    mine, theirs, order = at.cards(compare.places), at.cards(compare.against), compare.order
    if min(len(mine), len(theirs)) < order.size:
        return None
    (my_score, my_hand), (their_score, their_hand) = order.best(mine), order.best(theirs)
    my_words, their_words = order.describe(my_score), order.describe(their_score)
    name, rest = f"Seat {at.seat.number}", line.why.partition(". ")[2]
    between = "beats" if my_score > their_score else "loses to" if my_score < their_score else "ties with"
    headline = f"{name} {between} the dealer: {my_words} against {their_words}"
    decides: tuple[Hand, Hand] = (), ()
    about = ""
    if my_score == their_score:
        headline = f"{name} ties with the dealer: both have {my_words}"
    elif (found := deciding(order, my_hand, their_hand)) is not None:
        decides = found.mine, found.theirs
        if my_words == their_words:
            own, others = found.ranks
            won = f"the {own} beats the dealer's {others}"
            lost = f"the dealer's {others} beats the {own}"
            headline = f"{name} {between} the dealer: {won if my_score > their_score else lost}"
            about = f"Both have {my_words}. The {PLACES[found.place]} card decides. "
    if _unqualified(game, at, line):
        headline = f"The dealer doesn't play with {their_words}; {name.lower()} has {my_words}"
    return SeatVerdict(
        at.seat.number,
        headline,
        f"{about}{rest} {_money(net)}",
        line.cite,
        net,
        (
            ShownHand(name, mine, my_hand, my_words, decides[0]),
            ShownHand("Dealer", theirs, their_hand, their_words, decides[1]),
        ),
        between,
    )


def _unqualified(game: Game, at: Position, line: Line) -> bool:
    """Whether the line's wager was settled by a dealer's hand that is too low to play."""
    facts = [game.lines.facts.by_name[name] for name in game.lines.rules[line.wager].reads]
    return any(isinstance(fact, AtLeast) and fact.places != ("own",) and fact.of(at) is False for fact in facts)


def _own_hand(game: Game, at: Position, line: Line) -> Iterator[ShownHand]:
    """The hand that a pay table pays, where it was compared with nobody's."""
    known = game.lines.rules.get(line.wager)
    for name in known.reads if known else ():
        fact = game.lines.facts.by_name[name]
        if isinstance(fact, Label) and fact.facet.order is not None and (hand := fact.hand(at)):
            score, best = fact.facet.order.best(hand)
            yield ShownHand(f"Seat {at.seat.number}", hand, best, fact.facet.order.describe(score))
            return
