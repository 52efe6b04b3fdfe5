"""The kinds of drill, and one exercise of a kind from its seed."""

from collections.abc import Iterator, Mapping
from datetime import date
from random import Random
from types import MappingProxyType

from pitboss.findings import UnreadableError
from pitboss.games.registry import GAMES, game_named
from pitboss.school import choosing, live, procedures, reading, settling
from pitboss.school.exercise import Exercise
from pitboss.school.sheet import Asking, Drill

ATTEMPTS = 200
_ALL = (
    Drill("settle", "Settle this table", settling.settle_table, settling.against_house),
    Drill("stands", "What stands after a fold", settling.stands, settling.has_fold),
    Drill("pay", "What do you pay?", settling.what_do_you_pay, settling.against_house),
    Drill("read", "Read this hand", reading.read_hand, reading.has_hands),
    Drill("compare", "Who wins?", reading.who_wins, reading.compares),
    Drill("deal", "Deal it", reading.deal_it, reading.deals),
    Drill("irregular", "What now?", live.what_now, live.has_irregularities),
    Drill("mistake", "Spot the mistake", settling.mistake, settling.against_house),
    Drill("envy", "The Envy Bonus", settling.envy, settling.has_envy),
    Drill("meter", "The progressive meter", settling.meter, settling.has_meter),
    Drill("floor", "When the floorperson comes", settling.floor, settling.has_floor),
    Drill("choose", "May the player do this?", choosing.may_choose, choosing.decides),
    Drill("wager", "May this wager lie there?", choosing.may_wager),
    Drill("round", "The order of the round", procedures.order_of_round),
    Drill("procedure", "Who does this?", procedures.who_does_it),
    Drill("paragraph", "Which paragraph?", procedures.which_paragraph, procedures.has_paragraphs),
    Drill("shift", "A moment of a shift", live.moment),
)
DRILLS: Mapping[str, Drill] = MappingProxyType({drill.name: drill for drill in _ALL})


class NothingToAskError(UnreadableError):
    """A kind that a game gives no question of."""


def drill_named(name: str) -> Drill:
    if name not in DRILLS:
        raise UnreadableError(f"There is no kind of drill called {name!r}; the kinds are {', '.join(DRILLS)}.")
    return DRILLS[name]


def kinds_of(game: str) -> tuple[str, ...]:
    """The kinds that can be asked of a game."""
    known = game_named(game)
    return tuple(name for name, drill in DRILLS.items() if drill.fits(known))


def every_pair() -> Iterator[tuple[str, str]]:
    """Every kind with every game that it can be asked of."""
    return ((kind, game) for game in GAMES for kind in kinds_of(game))


def ask(kind: str, game: str, as_of: date, seed: int) -> Exercise:
    """One exercise; the same arguments give the same one."""
    drill, known = drill_named(kind), game_named(game)
    if kind not in kinds_of(game):
        raise NothingToAskError(f"{known.chapter.title} has no questions of the kind {drill.title!r}.")
    asking = Asking(game, as_of, seed)
    for attempt in range(ATTEMPTS):
        drawn = drill.draw(asking, Random(f"{kind} {game} {as_of} {seed} {attempt}"))
        if drawn is not None:
            return Exercise(kind=kind, game=game, as_of=as_of, seed=seed, **vars(drawn))
    raise NothingToAskError(f"No question of the kind {drill.title!r} was found for {known.chapter.title}.")
