"""The keys of a round file as records: those of every game, and those that a game's chapter and course add."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Annotated, Any, Literal

from msgspec import Meta

from pitboss.findings import UnreadableError
from pitboss.games.chance import WORDS, Words
from pitboss.games.contract import Game
from pitboss.games.course import Betting, Decide
from pitboss.games.options import WithOptions, all_options, declared, kind_of
from pitboss.games.registry import GAMES
from pitboss.law.model import Chapter, ChoiceSpec, Face
from pitboss.money import Cents
from pitboss.reader import Balance, CardsText, Day, Dollars, Entries, Extensible, Parsed, Together, extended, names_of
from pitboss.records import Same
from pitboss.spoken import spelled

GameName = Annotated[str, Meta(description="the name of a game")]
Letters = Mapping[str, Annotated[str, Meta(description="the letter of a pay table")]]
Readings = Mapping[str, Annotated[str, Meta(description="the name of a reading")]]
Position = Annotated[int | str, Meta(description='a seat number or "dealer"')]


@dataclass(frozen=True, kw_only=True)
class GameKey:
    """What has to be known before any other key: which keys there are depends on the game."""

    game: GameName


@dataclass(frozen=True)
class TierKeys:
    """What the jackpots of one meter show."""

    meter: Balance | None = None
    mega: Balance | None = None
    major: Balance | None = None
    minor: Balance | None = None


@dataclass(frozen=True)
class StepKeys:
    """What a seat chose at one step, in turn, and how many units it staked on the one choice of a plain step."""

    choices: tuple[str, ...]
    times: int | None = None


@dataclass(frozen=True, kw_only=True)
class SeatKeys(Extensible, Together):
    """The keys of a seat. A game adds its steps, places of the seat's own, and wagers made after the cards."""

    number: Annotated[int, Meta(description="a seat number")]
    cards: CardsText = ()
    wagers: Mapping[str, Dollars] = field(default_factory=dict)
    decision: Annotated[str, Meta(description="a word such as play or fold")] | None = None
    discard: CardsText = ()
    drawn: CardsText = ()
    then: Annotated[str, Meta(description='"bet" or "fold"')] | None = None

    @property
    def amounts(self) -> dict[str, Cents]:
        """What the decision staked, by the wager that it made. There should be one."""
        return {name: value for name, value in self.more.items() if isinstance(value, int)}

    @property
    def decisions(self) -> dict[str, StepKeys]:
        return dict(self.more["decisions"].more) if "decisions" in self.more else {}

    def misfits(self) -> Iterator[str]:
        if self.decision is None and (self.amounts or self.discard or self.drawn or self.then):
            yield "decision is missing though an amount or drawn cards are given."
        if self.decision is not None and self.decisions:
            yield "decision and decisions say the same; give one of them."
        for words in self.wagers:
            if spelled(words) != words and spelled(words) in self.wagers:
                yield f"wagers names {spelled(words)} twice, also as {words!r}; give it once."


@dataclass(frozen=True, kw_only=True)
class RoundKeys(GameKey, WithOptions):
    """The keys of every round file. A game adds its seats, places, meters, devices, dice and options."""

    as_of: Day | None = None
    submission: Annotated[str, Meta(description="the path of a submission")] | None = None
    dealer: CardsText = ()
    magic_card: CardsText = ()
    lucky_position: Position | None = None
    paytables: Letters = field(default_factory=dict)
    readings: Readings = field(default_factory=dict)

    @property
    def seats(self) -> tuple[SeatKeys, ...]:
        seats: tuple[SeatKeys, ...] = self.more.get("seat", ())
        return seats

    def inner(self, name: str) -> Mapping[str, Any]:
        """The keys of one of the game's own tables, such as its meters."""
        return self.more[name].more if name in self.more else {}


def keys_of(game: Game, data: Mapping[str, Any]) -> type[RoundKeys]:
    """Return the keys of a file of this game. If it has names of other games, theirs too, for a finding on each."""
    own, own_seat = _round_keys(Same(game), False)
    seats = data.get("seat")
    tables = [each for each in seats if isinstance(each, Mapping)] if isinstance(seats, list) else []
    strange = set(data) - own
    strange_at_seats = {key for table in tables for key in table} - own_seat
    if strange or strange_at_seats:
        wide, wide_seat = _round_keys(Same(game), True)
        if strange & wide or strange_at_seats & wide_seat:
            return _round_of(Same(game), True)
    return _round_of(Same(game), False)


def seat_place(_: str, entry: int, table: object) -> str:
    """What messages call a seat: by its number, or by its place in the file where it has none.

    >>> seat_place("seat", 1, {"number": 4}), seat_place("seat", 1, {})
    ('seat 4', 'seat[1]')
    """
    number = table.get("number") if isinstance(table, Mapping) else None
    return f"seat {number}" if isinstance(number, int) and 0 < number < 100 else f"seat[{entry}]"


def feeds(chapter: Chapter) -> dict[str, str]:
    """The meter of each wager that feeds one of another name; either name finds it."""
    return {wager.name: wager.meter for wager in chapter.wagers if wager.meter not in ("", wager.name)}


def later(chapter: Chapter) -> list[str]:
    """The wagers made after the cards: a seat has a key of that name for the amount."""
    return [wager.name for wager in chapter.wagers if wager.placed == "after"]


def places(chapter: Chapter, own: bool = False) -> list[str]:
    """Where cards are dealt besides the players and the dealer: for all, or for a seat of its own."""
    steps = (step for deal in chapter.deals for step in deal.steps if step.cards and step.each is own)
    found = dict.fromkeys(step.to for step in steps)
    return [place for place in found if place not in ("players", "players+dealer", "dealer", "discard")]


def device_words(chapter: Chapter) -> Words | None:
    """How people speak of the dice or the wheel of a game that has them."""
    step = next((step for deal in chapter.deals for step in deal.steps if step.dice), None)
    return None if step is None else WORDS[step.to]


def _options(chapter: Chapter, wide: bool) -> dict[str, ChoiceSpec]:
    """The options that the author of a round may choose."""
    found = all_options(chapter) if wide else declared(chapter)
    return {name: choice for name, choice in found.items() if kind_of(choice).in_rounds}


@lru_cache(maxsize=256)
def _round_keys(same: Same[Game], wide: bool) -> tuple[frozenset[str], frozenset[str]]:
    """The names of a file's keys, and of its seats'."""
    kind = _round_of(same, wide)
    seat: Any = kind.EXTRA["seat"].__origin__.__args__[0]
    return frozenset(names_of(kind)), frozenset(names_of(seat))


@lru_cache(maxsize=256)
def _round_of(same: Same[Game], wide: bool) -> type[RoundKeys]:
    game, chapter = same.record, same.record.chapter
    amounts = {*later(chapter), *(name for each in GAMES.values() if wide for name in later(each.chapter))}
    faces: dict[str, Face] = {str(face): face for deal in chapter.deals for step in deal.steps for face in step.faces}
    seat: Any = extended(
        SeatKeys,
        {
            **dict.fromkeys(sorted(amounts), Dollars),
            **dict.fromkeys(places(chapter, own=True), CardsText),
            "decisions": extended(Extensible, {step.name: _chosen_at(step, game) for step in game.course.decides}),
            "earlier": _by_name(_thrown(faces, "what was thrown since the wager was made, such as '00 5'")),
        },
    )
    devices: Any = tuple(dict.fromkeys(deal.device for deal in chapter.deals))
    meters = [*dict.fromkeys(meter.wager for meter in chapter.meters), *feeds(chapter)]
    options = _options(chapter, wide)
    keys: dict[str, Any] = {
        "seat": Annotated[tuple[seat, ...], Entries(seat_place)],
        **dict.fromkeys(places(chapter), CardsText),
        "device": Literal[devices],
        "meters": extended(Extensible, dict.fromkeys(meters, Balance | TierKeys)),
        "reserves": extended(Extensible, dict.fromkeys(meters, Balance)),
        **{name: kind_of(each).annotation(each) for name, each in options.items()},
    }
    if (words := device_words(chapter)) is not None:
        shown = {str(face): face for deal in chapter.deals for face in deal.steps[0].faces}
        numbers = f"numbers from {min(map(int, shown))} to {max(map(int, shown))}"
        keys[words.key] = _thrown(shown, f"{numbers}, such as {words.example}")
    return extended(RoundKeys, keys, OPTIONS=options)


def _by_name(annotation: Any) -> Any:
    mapping: Any = Mapping
    return mapping[str, annotation]


def _thrown(faces: Mapping[str, Face], words: str) -> Any:
    def parse(text: str) -> tuple[Face, ...]:
        if not faces.keys() >= set(text.split()):
            raise TypeError
        return tuple(faces[each] for each in text.split())

    return Annotated[Any, Parsed(words, str, parse)]


def _chosen_at(step: Decide, game: Game) -> Any:
    """``third_street = "bet 3"``: a choice, and how many times the unit it stakes; where players bet against each
    other, every choice in turn: ``third_street = "check, call"``."""
    if isinstance(step, Betting):
        return Annotated[StepKeys, Parsed("choices such as 'check, call'", str, _in_turn)]
    return Annotated[StepKeys, Parsed("a choice such as 'bet 3' or 'fold'", str, partial(_choice, game.course.unit))]


def _in_turn(text: str) -> StepKeys:
    return StepKeys(tuple(text.replace(",", " ").split()))


def _choice(unit: str, text: str) -> StepKeys:
    choice, _, times = text.partition(" ")
    if times and not (times.isascii() and times.isdigit() and len(times) < 4):
        raise UnreadableError(f"{times!r} is not a number of times the {unit}")
    return StepKeys((choice,), int(times) if times else None)
