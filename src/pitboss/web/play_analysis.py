"""More that the Analyst asks: strategies, single hands, progressives and the printed report; for a worker to answer."""

import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pitboss.cards import show_card
from pitboss.findings import UnreadableError, errors
from pitboss.games.registry import GAMES
from pitboss.names import shown
from pitboss.paper.model import Passage
from pitboss.reports.export import exported
from pitboss.web.analysis import MAIN, Question, settled
from pitboss.web.views.submission_holds import lettered
from pitboss.web.workroom import tell

if TYPE_CHECKING:
    from pitboss.exact.board import BoardPlay
    from pitboss.exact.draw_table import DrawTable
    from pitboss.exact.joint import JointWagers
    from pitboss.exact.plan import Staged
    from pitboss.exact.solo import Play
    from pitboss.exact.value import Valued
    from pitboss.reports.hands import HandFigures
    from pitboss.reports.progressives import MeteredWager
    from pitboss.reports.strategies import StrategyFigures

POINTS: Final = 41
"""Points of a break-even line; it is straight, but a plot may want to be read at any of them."""


@dataclass(frozen=True)
class ChartRow:
    """Hands that are treated alike, by what else is seen: how often each choice is the best."""

    first: str
    last: str
    shares: tuple[tuple[float, ...], ...]
    """For each column the share of each choice."""


@dataclass(frozen=True)
class Chart:
    """What to do at one decision, by hand and by what else is seen."""

    title: str
    over: str
    """What the columns are."""
    names: tuple[str, ...]
    """The choices, the smallest wager first."""
    columns: tuple[str, ...]
    rows: tuple[ChartRow, ...]


@dataclass(frozen=True)
class BestPlay:
    """The best play of the main game as a document, and charts of it."""

    passages: tuple[Passage, ...]
    charts: tuple[Chart, ...]
    """One for each decision."""
    restriction: str = ""
    """What this play leaves out of the game."""
    changed: str = ""
    """The rows behind it that do not pay what the law's tables pay, in words."""


def strategy_file(question: Question, kind: str) -> bytes:
    """What ``pitboss strategy`` prints, as a file."""
    from pitboss.reports.strategies import strategy_paper

    found = _strategy(question)[0]
    return exported(kind, found, partial(strategy_paper, found))


def _strategy(question: Question) -> "tuple[StrategyFigures, Valued | Staged | None]":
    game = GAMES[question.game]
    if not game.course.weighed:
        raise UnreadableError(f"Nothing is decided in {game.chapter.title}.")
    variant, rules = settled(question.main)
    from pitboss.reports.strategies import strategy_figures

    tell("counting", 0.0)
    return strategy_figures(game, rules, variant, tell)


def strategy(question: Question) -> BestPlay:
    from pitboss.exact.board import BoardPlay
    from pitboss.exact.solo import Play
    from pitboss.reports.strategies import strategy_passages

    found, best = _strategy(question)
    if found.table is not None:
        charts: tuple[Chart, ...] = (_by_draw(found.table),)
    elif isinstance(best, BoardPlay):
        charts = (_starts(best),)
    elif isinstance(best, Play):
        charts = tuple(_streets(best))
    else:
        charts = (_by_hand(GAMES[question.game], best),)
    return BestPlay(strategy_passages(found), charts, found.restriction, found.conditions.changed)


def _by_hand(game: Any, best: Any) -> Chart:
    """States by hand in words and up card."""
    import numpy as np

    from pitboss.cards import RANKS
    from pitboss.exact.rulelist import ladder, up_ranks

    names = tuple(sorted(best.grid.names, key=lambda name: best.grid.wagered[name]))
    rungs, (ups, ranks) = ladder(game.duel, best), up_ranks(best.solved)
    words = [game.duel.order.describe(int(score)) for score in rungs.scores]
    place = {hand: at for at, hand in enumerate(dict.fromkeys(words))}
    hand_of_rung = np.array([place[hand] for hand in words])
    choice_of = np.array([names.index(name) for name in best.grid.names])
    counts = np.zeros((len(place), len(ranks), len(names)))
    hands = hand_of_rung[rungs.rung_of_kind[best.solved.kinds]]
    np.add.at(counts, (hands, ups, choice_of[best.picked]), best.solved.weights)
    columns = tuple("" if rank is None else RANKS[rank].replace("T", "10") for rank in ranks)
    return Chart("", "dealer shows", names, columns, _rows(place, counts))


def _by_draw(laid: "DrawTable") -> Chart:
    """States by hand in words and up card, exchanges by how many cards they give up."""
    kinds = dict(reversed(laid.kinds.items()))
    place = {kind: at for at, kind in enumerate(kinds)}
    return Chart("", "dealer shows", laid.names, laid.columns, _rows(place, list(kinds.values())))


def _streets(play: "Play") -> Iterator[Chart]:
    """States of each street by their highest cards and by whether all are of one suit."""
    import numpy as np

    for street in play.streets:
        wagered = street.puts[0]
        order = sorted(range(len(street.names)), key=lambda at: wagered[at].wagered if at in wagered else 0)
        hands = play.counts.deck.cards[street.level.classes.hands].astype(np.int64)
        suited = ((hands & 3) == (hands & 3)[:, :1]).all(axis=1)
        named = [_highest(row) for row in (hands >> 2).tolist()]
        place = {words: at for at, (_, words) in enumerate(sorted(set(named)))}
        counts = np.zeros((len(place), 2, len(order)))
        rows = np.array([place[words] for _, words in named])
        weights = street.level.classes.weights[:, None] * street.reach
        chosen = np.argsort(order)[street.picked]
        for history in range(weights.shape[1]):
            np.add.at(counts, (rows, 1 - suited, chosen[:, history]), weights[:, history])
        names = tuple(street.names[at] for at in order)
        yield Chart(shown(street.step), "cards seen", names, ("one suit", "mixed"), _rows(place, counts))


def _starts(play: "BoardPlay") -> Chart:
    """Starting cards by name; what comes later has too many states for a chart."""
    import numpy as np

    from pitboss.exact.board_lists import starts_of

    starts = tuple(reversed(starts_of(play)))
    step = play.plan.steps[0]
    names = tuple(sorted(starts[0].values, key=lambda name: step.puts[0][step.names.index(name)].wagered))
    counts = np.zeros((len(starts), 1, len(names)))
    for at, start in enumerate(starts):
        counts[at, 0, names.index(start.best)] = start.weight
    rows = _rows({start.name: at for at, start in enumerate(starts)}, counts)
    return Chart(shown(step.step.name), "cards seen", names, ("",), rows)


def _highest(ranks: Sequence[int]) -> tuple[tuple[int, ...], str]:
    """How good a few cards look, and in words.

    >>> _highest([9, 9, 3]), _highest([12, 11])
    (((2, 1, 9), 'pair of jacks'), ((1, 0, 12), 'ace high'))
    """
    from pitboss.cards import RANK_NAMES

    (most, rank), *rest = sorted(((ranks.count(each), each) for each in set(ranks)), reverse=True)
    again = sum(many > 1 for many, _ in rest) + (most > 1)
    if most == 1:
        return (1, 0, rank), f"{RANK_NAMES[rank]} high"
    if most == 2 and again == 1:
        return (2, 1, rank), f"pair of {RANK_NAMES[rank]}s"
    return (most, again), {2: "two pair", 3: "three of a kind"}.get(most, "four of a kind")


def _rows(place: Mapping[str, int], counts: Any) -> tuple[ChartRow, ...]:
    """The shares of each choice, the best hand first; neighbours that are played alike share a row."""
    import numpy as np

    found: list[ChartRow] = []
    for hand, at in place.items():
        totals = counts[at].sum(axis=1, keepdims=True)
        known = np.where(totals > 0, counts[at] / np.maximum(totals, 1), 0.0)
        shares = tuple(tuple(float(share) for share in column) for column in known)
        alike = _together(found[-1].shares, shares) if found else None
        if alike is not None:
            found[-1] = ChartRow(found[-1].first, hand, alike)
        else:
            found.append(ChartRow(hand, hand, shares))
    return tuple(reversed(found))


Shares = tuple[tuple[float, ...], ...]


def _together(one: Shares, other: Shares) -> Shares | None:
    """Two rows as one where every column agrees; a column in which a hand cannot occur agrees with any.

    >>> _together(((1.0, 0.0), (0.0, 0.0)), ((1.0, 0.0), (0.0, 1.0)))
    ((1.0, 0.0), (0.0, 1.0))
    """
    joined = []
    for a, b in zip(one, other, strict=True):
        if any(a) and any(b) and a != b:
            return None
        joined.append(a if any(a) else b)
    return tuple(joined)


def strategy_csv(question: Question) -> str:
    """The grouped table that ``pitboss strategy --output`` writes."""
    from pitboss.exact.engine import play_of
    from pitboss.exact.strategy import write_table

    game = GAMES[question.game]
    _, rules = settled(question.main)
    best = None if game.whole else play_of(game, rules, tell)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "strategy.csv"
        write_table(path, game, rules, best, progress=tell)
        return path.read_text(encoding="utf-8")


@dataclass(frozen=True)
class HandShown:
    """One hand: its cards, those turned up, and what each choice is worth as a document."""

    cards: tuple[str, ...]
    up: tuple[str, ...]
    about: str
    passages: tuple[Passage, ...]


def hand(question: Question, cards: str, up: str) -> HandShown:
    """What each choice with these cards is worth."""
    from pitboss.reports.hands import hand_passages, seen_words, turned_up

    found = hand_figures(question, cards, up)
    held, seen = (tuple(map(show_card, each)) for each in (found.analysis.cards, turned_up(found.analysis)))
    return HandShown(held, seen, seen_words(found.analysis), hand_passages(found))


def hand_figures(question: Question, cards: str, up: str) -> "HandFigures":
    from pitboss.cards import CardError, parse_cards
    from pitboss.exact.edge import conditions_of_variant
    from pitboss.exact.strategy import analyse_hand
    from pitboss.reports.hands import HandFigures

    try:
        held, seen = parse_cards(tidy_cards(cards)), parse_cards(tidy_cards(up))
    except CardError as problem:
        raise UnreadableError(f"{problem}.") from None
    game, (variant, rules) = GAMES[question.game], settled(question.main)
    tell("counting", 0.0)
    if game.duel is None:
        analysis = analyse_hand(game, rules, held, board=seen)
    elif len(seen) > 1:
        raise UnreadableError("At most one card of the dealer's is seen before players decide.")
    else:
        analysis = analyse_hand(game, rules, held, next(iter(seen), None))
    return HandFigures(rules, conditions_of_variant(rules, variant), analysis)


def hand_file(question: Question, cards: str, up: str, kind: str) -> bytes:
    """What ``pitboss hand`` prints, as a file."""
    from pitboss.reports.hands import hand_paper

    found = hand_figures(question, cards, up)
    return exported(kind, found, partial(hand_paper, found))


def tidy_cards(text: str) -> str:
    """Cards as people type them: commas, tens written out, any case.

    >>> tidy_cards("qs, 6D 10c")
    'Qs 6d Tc'
    """
    words = text[:80].replace(",", " ").replace("10", "T").split()
    return " ".join(word[:-1].upper() + word[-1:].lower() for word in words)


def joint(question: Question, other: str) -> tuple[Passage, ...]:
    """What ``pitboss joint`` prints of the question's wager and another at the same seat."""
    from pitboss.reports.joint import joint_paper

    return joint_paper(_joint(question, other)).passages


def joint_file(question: Question, other: str, kind: str) -> bytes:
    """What ``pitboss joint`` prints, as a file."""
    from pitboss.reports.joint import joint_paper

    found = _joint(question, other)
    return exported(kind, found, partial(joint_paper, found))


def _joint(question: Question, other: str) -> "JointWagers":
    from pitboss.exact.facets import NotCountedError
    from pitboss.exact.joint import joint_wagers

    _, rules = settled(question)
    if other == question.wager or (other != MAIN and other not in rules.wagers):
        raise UnreadableError("Choose another wager beside this one.")
    tell("counting", 0.0)
    try:
        return joint_wagers(GAMES[question.game], rules, question.wager, other, tell)
    except NotCountedError as problem:
        raise UnreadableError(re.sub(r"'(\w+)'", lambda name: shown(name[1]), str(problem))) from None


@dataclass(frozen=True)
class MeterLine:
    """One meter of a progressive: the player's expected value against the amount that it shows, in dollars."""

    tier: str
    alone: tuple[tuple[float, float], ...]
    full: tuple[tuple[float, float], ...]
    """With wagers on every other seat, Envy Bonuses included."""
    even_alone: Fraction
    even_full: Fraction
    seed: Fraction
    mean: Fraction


@dataclass(frozen=True)
class Progressive:
    """What ``pitboss progressive`` prints as a document, and the lines of its plot."""

    passages: tuple[Passage, ...]
    lines: tuple[MeterLine, ...]
    others: int
    changed: str = ""
    """The rows behind it that do not pay what the law's tables pay, in words."""


def progressive(question: Question, optimal: bool = False) -> Progressive:
    from pitboss.reports.progressives import progressive_passages

    found = metered(question, optimal)
    most = found.rules.seats - 1
    return Progressive(progressive_passages(found), _lines(found), most, found.conditions.changed)


def metered(question: Question, optimal: bool = False) -> "MeteredWager":
    from pitboss.exact.edge import conditions_of_variant, optimal_play
    from pitboss.exact.progressive import NoMeterError, progressive_report
    from pitboss.reports.progressives import MeteredWager

    variant, rules = settled(question)
    game, wager = GAMES[question.game], rules.wagers.get(question.wager)
    if wager is None or not wager.meter:
        raise UnreadableError("This wager feeds no meter; a progressive wager does.")
    tell("counting", 0.0)
    folds = optimal_play(game, rules) if optimal else None
    try:
        report = progressive_report(game, rules, question.wager, other_seats=range(rules.seats), folds=folds)
    except NoMeterError as problem:
        raise UnreadableError(str(problem)) from None
    return MeteredWager(rules, conditions_of_variant(rules, variant), report)


def _lines(found: "MeteredWager") -> tuple[MeterLine, ...]:
    """The player's expected value at points of each meter, alone and at a full table."""
    report = found.report
    others, dollars = found.rules.seats - 1, Fraction(report.stake, 100)
    seeds = {tier.tier: tier.seed for tier in report.tiers}
    lines = []
    for tier in report.tiers:
        evens = report.break_even(tier.tier), report.break_even(tier.tier, others)
        reach = max(*evens, tier.mean_meter, tier.seed) * Fraction(5, 4)
        meters = [reach * at / (POINTS - 1) for at in range(POINTS)]
        alone, full = (
            tuple(
                (float(meter * dollars), float(report.expected_value({**seeds, tier.tier: meter}, seats)))
                for meter in meters
            )
            for seats in (0, others)
        )
        sums = (amount * dollars for amount in (*evens, tier.seed, tier.mean_meter))
        lines.append(MeterLine(tier.tier, alone, full, *sums))
    return tuple(lines)


def progressive_file(question: Question, optimal: bool, kind: str) -> bytes:
    """What ``pitboss progressive`` prints, with the break-even lines."""
    from pitboss.reports.progressives import progressive_paper
    from pitboss.web.charts import break_even_plot

    found = metered(question, optimal)
    most, changed = found.rules.seats - 1, found.conditions.changed
    plots = [break_even_plot(f"{found.title}: {line.tier}", line, most, changed) for line in _lines(found)]
    return exported(kind, found, partial(progressive_paper, found, plots=plots))


def report_document(question: Question, kind: str) -> bytes:
    """The mathematics report of the law's template for the game, with the question's letter and its changed rows."""
    from pitboss.exact.whatif import what_if
    from pitboss.reports.math_report import report_file
    from pitboss.submission import check, read_submission, rules_of, template

    variant, _ = settled(question)
    submission = read_submission(template(question.game, question.as_of))
    chosen = lettered(submission, GAMES[question.game].chapter, question.wager, variant.letter)
    rules, findings = rules_of(chosen)
    if (refused := (*errors(check(chosen)), *findings)) or rules is None:
        raise UnreadableError("; ".join(map(str, refused)))
    changed = what_if(GAMES[question.game], rules, variant, question.changes, question.stake)
    return report_file(chosen, changed, kind, tell)
