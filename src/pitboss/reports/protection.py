"""What seen cards cost a table, as a document, and the sheet for the supervisor who watches it."""

from collections.abc import Iterator
from typing import Final

from pitboss.exact.edge import MAIN
from pitboss.exact.protect import Knowledge, Protection, seen_words
from pitboss.exact.seen_card import SeenCards
from pitboss.games.registry import GAMES
from pitboss.law.model import SINGLE, Procedure
from pitboss.money import show_dollars
from pitboss.names import listed, shown
from pitboss.paper.model import Block, CellKind, Column, Datum, Figures, Listing, Paper, Remark, Row
from pitboss.paper.model import passages as passages_of
from pitboss.paper.say import percent
from pitboss.reports.stamp import imprint_for

CARDS: Final = (
    Column("seen", "The player sees", CellKind.SENTENCE),
    Column("card", "It is"),
    Column("edge", "Player's edge", CellKind.PERCENT),
)
SIDES: Final = (
    Column("wager", "Wager"),
    Column("edge", "Without a card", CellKind.PERCENT, places=2),
    Column("worst", "Worst card"),
    Column("with", "Edge with it", CellKind.PERCENT, places=2),
    Column("betting", "Worth betting", CellKind.PERCENT, places=2),
    Column("per_bet", "Edge of those bets", CellKind.PERCENT, places=2, rank=2),
    Column("per_round", "Win per round", CellKind.PERCENT, rank=2),
    Column("exactly", "Win per round, exactly", CellKind.EXACT, rank=0),
)
SHARED: Final = (
    Column("seats", "Seats", CellKind.COUNT),
    Column("edge", "Player's edge", CellKind.PERCENT),
    Column("gain", "Gain", CellKind.PERCENT),
    Column("error", "Error of the sample", CellKind.PERCENT, places=4),
    Column("deals", "Deals", CellKind.COUNT, rank=3),
)
LISTS: Final = (
    Column("seen", "The player sees", CellKind.SENTENCE),
    Column("list", "List", CellKind.SENTENCE),
    Column("edge", "Player's edge", CellKind.PERCENT),
    Column("error", "Error of the sample", CellKind.PERCENT, places=4),
    Column("best", "Best play", CellKind.PERCENT, rank=2),
    Column("cost", "The list costs", CellKind.PERCENT),
    Column("published", "Published", CellKind.SENTENCE, rank=4),
    Column("exactly", "Edge, exactly", CellKind.EXACT, rank=0),
    Column("key", "As options read it", rank=0),
)
REVIEW: Final = (
    Column("scheme", "The dealer's help", CellKind.SENTENCE),
    Column("loss", "Cost per round", CellKind.PERCENT),
    Column("rounds", "Rounds until noticed", CellKind.COUNT),
    Column("hours", "Hours of one seat", CellKind.COUNT),
    Column("limit", "Look closer above, units", CellKind.FIGURE, places=1, rank=2),
    Column("false_alarm", "False alarms, exactly", CellKind.PERCENT, places=2, rank=2),
    Column("noticed", "Noticed, exactly", CellKind.PERCENT, places=2, rank=2),
)
SHEET: Final = (
    Column("seen", "If a player sees", CellKind.SENTENCE),
    Column("edge", "The player's edge is", CellKind.PERCENT, places=2),
)
DEFINITION: Final = (
    "Desirability is 1,000 × edge / deviation of a round. Score is its square: what a bankroll of $10,000, bet for the "
    "fastest safe growth, wins in 100 rounds, in dollars."
)
BY_HEART: Final = (
    "By heart: the edge of the best list to learn, with thresholds for each rank or class seen. It does not look at "
    "which cards the player's hand takes from the dealer."
)
STAND: Final = (
    "Sit for two rounds in the first seat and in the last one, as low as a player may. A card that you can read from "
    "there is a card that players read.",
    "Then stand behind the dealer, on the side of the shoe or shuffler: how far is each card lifted and tilted?",
    "Follow a player who looks at the dealer's hands while the cards are dealt.",
)
WATCH: Final = (
    "How hidden cards leave the shoe or shuffler: flat and face down, never lifted, never squared at an angle.",
    "The bottom card of the stub while it is carried, cut or placed in the discard rack.",
    "Backs whose pattern differs at the two ends: cards can be sorted by them. Change decks if a player asks that "
    "cards be turned end for end, or that one deck stay in play.",
)
NOT_PRINTED: Final = "nothing in print"


def protection_paper(found: Protection, printed: int | None = None) -> Paper:
    """Every figure, with the play behind it."""
    return Paper(
        "protection",
        f"{_title(found)}: what seen cards cost",
        (str(found.rules), f"{found.rounds} rounds an hour, one seat; {_stakes(found)}"),
        passages_of(
            ("Main wagers", tuple(_main(found))),
            ("By card", tuple(_cards(found))),
            ("Best play with it", tuple(_play(found))),
            ("Lists to learn", tuple(_lists(found))),
            ("The next card, seen before betting", tuple(_sides(found))),
            ("Players who show each other their cards", tuple(_shared(found))),
            ("A dealer who helps", tuple(_review(found))),
        ),
        imprint_for(found.rules.as_of, printed),
        main="knowledge",
    )


def sheet_paper(found: Protection, printed: int | None = None) -> Paper:
    """One page for the supervisor: where to stand, what to watch, what it costs, which paragraph applies."""
    return Paper(
        "supervisor",
        f"{_title(found)}: watching for seen cards",
        (str(found.rules), f"{found.rounds} rounds an hour, one seat; {_stakes(found)}"),
        passages_of(
            ("Where to stand", tuple(_stand(found))),
            ("What to watch", tuple(_watch(found))),
            ("What it costs", tuple(_costs(found))),
            ("If it happens", tuple(map(_remedy, found.procedures))),
        ),
        imprint_for(found.rules.as_of, printed),
        main="costs",
    )


def _title(found: Protection) -> str:
    letter = "" if found.variant.letter == SINGLE else f" {found.variant.letter}"
    return f"{found.rules.chapter.title}{letter}"


def _stakes(found: Protection) -> str:
    amounts = " and ".join(map(show_dollars, found.stakes))
    return f"{found.unit} of {amounts}, {'the limits of this table' if found.filed else 'as an example'}"


def _costing(found: Protection) -> tuple[Column, ...]:
    return tuple(Column(f"cost_{each}", f"An hour at {show_dollars(each)}", CellKind.MONEY) for each in found.stakes)


def _cost(found: Protection, row: Knowledge) -> Row:
    return tuple(row.cost(each, found.rounds) for each in found.stakes)


def _main(found: Protection) -> Iterator[Block]:
    yield Figures(
        (Datum(f"Hold without knowledge, of the {found.unit}", -found.normal.expected_value, CellKind.PERCENT),)
    )
    columns = (
        Column("seen", "The player sees", CellKind.SENTENCE),
        Column("edge", "Player's edge", CellKind.PERCENT),
        Column("by_heart", "By heart", CellKind.PERCENT, rank=2),
        Column("gain", "Gain", CellKind.PERCENT, rank=2),
        Column("deviation", "Deviation", CellKind.FIGURE, rank=2),
        Column("hits", "Hits", CellKind.PERCENT, rank=3),
        Column("desirability", "Desirability", CellKind.FIGURE, rank=2),
        Column("score", "Score", CellKind.FIGURE, rank=3, places=2),
        *_costing(found),
        Column("every", "Even, seen once in", CellKind.COUNT, rank=3),
        Column("published", "Published", CellKind.SENTENCE, rank=4),
        Column("exactly", "Edge, exactly", CellKind.EXACT, rank=0),
        Column("key", "As options read it", rank=0),
    )
    yield Listing("knowledge", columns, tuple(_row(found, each) for each in found.rows), empty="Nothing was counted.")
    yield Remark(DEFINITION, tone="fine")
    if any(each.by_heart is not None for each in found.rows):
        yield Remark(BY_HEART, tone="fine")
    for each in found.rows:
        if each.by_count is not None:
            yield Remark(
                f"{each.words[:1].upper()}{each.words[1:]}: {percent(each.by_count)} by a list that only counts cards "
                "of each class, the up card among them.",
                tone="fine",
            )
    yield Remark("Cost an hour: what the house loses against best play without the knowledge.", tone="fine")
    for sentence in dict.fromkeys(found.left_out):
        yield Remark(sentence, tone="warning")


def _row(found: Protection, each: Knowledge) -> Row:
    return (
        each.words,
        each.expected_value,
        each.by_heart,
        each.gain,
        each.deviation,
        each.hits,
        each.desirability,
        each.score,
        *_cost(found, each),
        each.every,
        each.published or NOT_PRINTED,
        each.expected_value,
        each.key,
    )


def _cards(found: Protection) -> Iterator[Block]:
    rows = tuple((each.words, card, worth) for each in found.rows for card, worth in each.by_card.items())
    if rows:
        yield Listing("cards", CARDS, rows)


def _play(found: Protection) -> Iterator[Block]:
    for each in found.rows:
        if each.sentences:
            yield Remark(f"{each.words[:1].upper()}{each.words[1:]}:")
            yield from (Remark(sentence) for sentence in each.sentences)


def _lists(found: Protection) -> Iterator[Block]:
    game = GAMES[found.rules.game]
    rows = tuple(
        (seen_words(game, each.sees), each.name, each.expected_value, each.error, each.best, each.cost,
         found.printed(each.sees) or NOT_PRINTED, None if each.error else each.expected_value, each.sees)
        for each in found.lists
    )  # fmt: skip
    if rows:
        yield Listing("lists", LISTS, rows)
        for each in found.lists:
            yield Remark(f"{each.name[:1].upper()}{each.name[1:]}:")
            yield from (Remark(sentence) for sentence in each.sentences)
        if any(each.best is None for each in found.lists):
            yield Remark("Best play with this knowledge is counted where it is asked for by its option.", tone="fine")
    priced = {each.sees for each in found.lists}
    if others := [seen_words(game, each.sees) for each in game.learned if each.sees not in priced]:
        sees = listed(others).replace(" or ", " and ")
        yield Remark(f"Lists for {sees} are priced where all lists are asked for.", tone="fine")


def _sides(found: Protection) -> Iterator[Block]:
    if found.sides:
        yield Listing("sides", SIDES, tuple(map(_side, found.sides)))
        yield Remark(
            "Players see the first card of their hand and make the wager only where it is worth more than "
            "nothing. For side wagers nobody folds, and a share of a meter counts as a lost wager.",
            tone="fine",
        )


def _shared(found: Protection) -> Iterator[Block]:
    rows = tuple(
        (each.seats, each.expected_value, each.gain, each.error, each.deals,
         *(found.cost(each, stake) for stake in found.stakes))
        for each in found.shared
    )  # fmt: skip
    if rows:
        costing = tuple(
            Column(f"cost_{each}", f"All seats, an hour at {show_dollars(each)}", CellKind.MONEY)
            for each in found.stakes
        )
        yield Listing("shared", (*SHARED, *costing), rows)
        yield Remark(
            "Every seat knows all cards of these seats. Without an error all deals are counted; with one, deals are "
            "sampled, each is valued against all that can come, and the error is one standard error of the mean.",
            tone="fine",
        )


def _side(each: SeenCards) -> Row:
    card, worth = each.worst
    letter = "" if each.letter == SINGLE else f" {each.letter}"
    figures = each.normal, card, worth, each.worth_betting, each.per_bet, each.per_round, each.per_round
    return f"{'Main wagers' if each.wager == MAIN else shown(each.wager)}{letter}", *figures


def _review(found: Protection) -> Iterator[Block]:
    rows = tuple(
        (each.words, each.loss, each.rounds, -(-each.rounds // found.rounds), each.limit, each.false_alarm, each.power)
        for each in found.notices
    )
    yield Listing("review", REVIEW, rows)
    yield Remark(
        f"The review adds up what players win and looks closer above the stated sum. It is set so that honest rounds "
        f"reach the sum in {percent(found.false_alarm, 2)} of such reviews and these rounds in "
        f"{percent(found.power, 0)}, "
        "by the normal law; the last columns say how often they do by the exact distribution.",
        tone="fine",
    )


def _stand(_: Protection) -> Iterator[Block]:
    yield from map(Remark, STAND)


def _watch(found: Protection) -> Iterator[Block]:
    yield from map(Remark, WATCH)
    best = [each for each in found.rows if each.sentences]
    if best:
        yield Remark(f"Play that gives it away, if it is right every time: {' '.join(best[0].sentences[:3])}")
    betting = [each for each in found.sides if each.per_round]
    if betting:
        worst = max(betting, key=lambda each: each.per_round)
        card, worth = worst.worst
        name = "The main wagers" if worst.wager == MAIN else shown(worst.wager)
        yield Remark(
            f"{name} made, or made larger, in some rounds only: with {card} as the next card the player's edge is "
            f"{percent(worth, 1)}."
        )


def _costs(found: Protection) -> Iterator[Block]:
    rows = tuple((each.words, each.expected_value, *_cost(found, each)) for each in found.rows)
    yield Listing("costs", (*SHEET, *_costing(found)), rows, empty="Nothing was counted.")
    if found.notices:
        soonest = min(found.notices, key=lambda each: each.rounds)
        latest = max(found.notices, key=lambda each: each.rounds)
        yield Remark(
            "Results alone take long to tell. In reviews with "
            f"{percent(found.false_alarm, 1)} false alarms, soonest: {soonest.words}, noticed after "
            f"{soonest.rounds:,} rounds. Latest: {latest.words}, after {latest.rounds:,}."
        )


def _remedy(each: Procedure) -> Remark:
    remedies = ", ".join(step.replace("-", " ") for step in each.remedy)
    when = f" {each.when}" if each.when else ""
    return Remark(f"{each.act.replace('-', ' ').capitalize()}{when}: {remedies}.", (str(each.cite),))
