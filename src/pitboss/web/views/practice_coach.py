"""The coach of a practice page: its verdicts as the page shows them, and what has to be counted for them."""

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from anyio import from_thread

from pitboss.findings import PitbossError
from pitboss.games.registry import GAMES
from pitboss.games.round import THEN
from pitboss.names import shown, units
from pitboss.table.ruling import game_at
from pitboss.web.coaching import Key, Noted, PracticeRules, RuleSheet, judged, rule_sheet, side_share
from pitboss.web.practice import PracticeGame
from pitboss.web.views import board
from pitboss.web.views.paper_page import document
from pitboss.web.visitor import house
from pitboss.web.workroom import COACH, LONG, Lane

if TYPE_CHECKING:
    from pitboss.exact.coach import Verdict

MOST_PINNED: Final = 3
LONG_WAIT: Final = "A large game is counted once, which can take a minute. Play on: the verdict appears here."
_tasks: set["asyncio.Task[None]"] = set()


@dataclass(frozen=True)
class Worth:
    """A choice of a judged decision with what it gains or loses on average."""

    name: str
    amount: str
    bar: float
    best: bool
    yours: bool


@dataclass(frozen=True)
class VerdictShown:
    """A decision as the coach shows it."""

    title: str
    tone: str
    """``best``, ``mistake``, ``waiting`` or ``refused``."""
    cost: str
    about: str
    why: str
    worth: tuple[Worth, ...]


def is_weighed(game: PracticeGame) -> bool:
    return bool(GAMES[game.game].course.weighed)


def coach(game: PracticeGame) -> dict[str, Any]:
    """The verdicts that the page shows: the last decision, this round's, and mistakes not yet seen."""
    coached = game.coached
    this_round = coached.of_round(game.leg, game.round)
    last = this_round[-1] if this_round else next(reversed(coached.noted), None)
    pinned = [key for key in coached.mistakes if key not in coached.seen and key[:2] != (game.leg, game.round)]
    hint = None
    if game.asked is not None:
        found = coached.judged.get(game.asked)
        hint = _hint(game.asked, found)
    score = coached.score
    noted = next(iter(coached.noted.values()), None)
    return {
        "weighed": is_weighed(game),
        "on": game.coach_on,
        "hint": hint,
        "last": _verdict(game, last) if last else None,
        "round": [(_verdict(game, key), key) for key in this_round],
        "pinned": [_verdict(game, key, late=True) for key in pinned[-MOST_PINNED:][::-1]],
        "more_pinned": max(0, len(pinned) - MOST_PINNED),
        "score": score,
        "right": score.decisions - score.mistakes,
        "cost": board.dollars(coached.cost, sign=False),
        "share": f"{100 * score.share(coached.rounds):.2f}%",
        "unit": units(noted.rules.unit) if noted else "",
        "sheet": game.sheet,
        "glance": document(game.sheet.glance, lambda _: None) if isinstance(game.sheet, RuleSheet) else "",
        "wants_sheet": game.wants_sheet,
        "doing": game.progress or LONG_WAIT,
        "can_sheet": noted is not None and not game.sheet,
    }


def _verdict(game: PracticeGame, key: Key, *, late: bool = False) -> VerdictShown:
    noted, found = game.coached.noted[key], game.coached.verdict(key)
    step = "" if noted.step == "decision" else "After the draw" if noted.step == THEN else shown(noted.step)
    where = ", ".join(part for part in (f"Round {key[1]}" if late else "", step) if part)
    cards = board.in_suits(noted.cards) + (f" with {board.in_suits(noted.up)}" if noted.up else "")
    made = shown(noted.made.choice).lower()
    if found is None:
        return VerdictShown(_titled(where, made), "waiting", "", cards, "", ())
    if isinstance(found, str):
        return VerdictShown(_titled(where, made), "refused", "", cards, found, ())
    cost = board.dollars(-found.cost * noted.stake) if found.cost else ""
    title = _titled(where, f"{found.made.replace('_', ' ')} was {'a mistake' if found.cost else 'right'}")
    return VerdictShown(
        title,
        "mistake" if found.cost else "best",
        cost,
        f"You had {cards}.",
        found.why(noted.rules.unit),
        tuple(_worth(noted, found, found.made)),
    )


def _titled(where: str, words: str) -> str:
    """
    >>> _titled("", "fold was right"), _titled("Flop", "check was right")
    ('Fold was right', 'Flop: check was right')
    """
    return f"{where}: {words}" if where else words[:1].upper() + words[1:]


def _worth(noted: Noted, found: "Verdict", made: str) -> Iterator[Worth]:
    values = {**found.values, **({made: found.worth} if made else {})}
    low, high = min(values.values()), max(values.values())
    for name, each in sorted(values.items(), key=lambda one: one[1], reverse=True):
        share = float((each - low) / (high - low)) if high > low else 1.0
        yield Worth(
            shown(name), board.dollars(each * noted.stake), round(20 + 80 * share, 1), name in found.best, name == made
        )


def _hint(noted: Noted, found: "Verdict | str | None") -> VerdictShown:
    if found is None:
        return VerdictShown("Counting every choice", "waiting", "", "", "", ())
    if isinstance(found, str):
        return VerdictShown("The coach can't say", "refused", "", "", found, ())
    best = " or ".join(shown(name) for name in found.best)
    return VerdictShown(f"Best now: {best}", "hint", "", "", found.facts, tuple(_worth(noted, found, "")))


# What workers count


def start_counting(game: PracticeGame) -> None:
    """Have the coach's worker count what waits. Called from a thread of a request."""
    if not game.counting and _has_work(game):
        game.counting = True
        from_thread.run_sync(_start, game)


def _has_work(game: PracticeGame) -> bool:
    return _next_work(game) is not None


def _start(game: PracticeGame) -> None:
    task = asyncio.get_running_loop().create_task(_work(game))
    _tasks.add(task)
    task.add_done_callback(_tasks.discard)


@dataclass(frozen=True)
class _Job:
    """A question for a worker, and where its answer goes."""

    lane: Lane
    work: Callable[..., Any]
    args: tuple[Any, ...]
    store: Callable[[Any], None]


def _next_work(game: PracticeGame) -> _Job | None:
    """The next thing to count: the decision asked about, then those made, then the rules, then what wagers gain."""
    coached = game.coached
    lane = LONG if GAMES[game.game].duel is None else COACH
    if game.coach_on and is_weighed(game):
        hint = game.asked if game.asked is not None and game.asked not in coached.judged else None
        noted = hint or next(coached.waiting(), None)
        if noted is not None:
            return _Job(lane, judged, (noted,), lambda found: coached.judged.__setitem__(noted, found))
        if game.wants_sheet and not game.sheet and coached.noted:
            rules = next(reversed(coached.noted.values())).rules

            def store(found: Any) -> None:
                game.sheet, game.wants_sheet = found, False

            return _Job(lane, rule_sheet, (rules,), store)
    main = game_at(game.table).course.main
    rules_now = game.live.rules
    for played in game.session():
        for wager in played.stakes:
            law = rules_now.wager_named(wager)
            if wager not in main and wager not in game.shares and law is not None and not law.meter:
                return _Job(COACH, side_share, (PracticeRules.of(game.table), wager), partial(_share, game, wager))
    return None


def _share(game: PracticeGame, wager: str, found: Any) -> None:
    game.shares[wager] = found if isinstance(found, Fraction) else None


async def _work(game: PracticeGame) -> None:
    """Ask the worker until nothing waits; while it counts, the page says how far it is."""
    try:
        while (job := _next_work(game)) is not None:
            asked_for = asyncio.create_task(job.lane.ask(job.work, *job.args))
            while not (await asyncio.wait({asked_for}, timeout=1))[0]:
                what, share = job.lane.progress
                _changed(game, f"Counting every hand ({what}, {share:.0%}). {LONG_WAIT}" if what and share else "")
            try:
                found = asked_for.result()
            except PitbossError as problem:
                found = str(problem)
            job.store(found)
            _changed(game, "")
    finally:
        game.counting = False


def _changed(game: PracticeGame, progress: str) -> None:
    game.progress = progress
    game.version += 1
    house().hub.wake(game.stream)
