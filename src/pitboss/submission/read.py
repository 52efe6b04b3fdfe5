"""Submission files in TOML. Reading is strict about keys and types; what the choices mean is judged elsewhere."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, make_dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Final

from msgspec import Meta

from pitboss.documents import parse_toml, read_toml
from pitboss.findings import UnreadableError
from pitboss.games.contract import Game
from pitboss.games.options import WithOptions, all_options, declared, kind_of
from pitboss.games.registry import game_named
from pitboss.games.roundkeys import GameKey, Readings
from pitboss.reader import Extensible, Parsed, ValueLimits, extended, naming, required
from pitboss.records import Same
from pitboss.submission import registry
from pitboss.submission.choice import FiledChoice, FiledTable
from pitboss.submission.model import Submission
from pitboss.submission.registry import choices_of_table, head, tables

LIMITS: Final = ValueLimits(digits=15, storable=False)
Fact = Annotated[str, Parsed("a number, or odds or dollars in quotes", (int, str), str)]


@dataclass(frozen=True, kw_only=True)
class OptionKeys(WithOptions):
    """The options of a submission. A game adds its own."""

    readings: Readings = field(default_factory=dict)


def read_submission(source: Path | str) -> Submission:
    """A submission from a file (a ``Path``) or from its text (a ``str``).

    Raise ``UnreadableError`` with a sentence for everything that can't be read.

    >>> from pitboss.games.registry import GAMES
    >>> read_submission(f'game = "{min(GAMES)}"\\nefective = 2024-06-01\\nseats = "x"')  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    pitboss.findings.FieldsError: efective is not a key here; did you mean effective? effective is missing: ...
    """
    if isinstance(source, str):
        return _submission(parse_toml(source, "The submission"))
    with naming(str(source)):
        return _submission(read_toml(source))


def _submission(data: dict[str, Any]) -> Submission:
    name = required(GameKey, {key: data[key] for key in data if key == "game"}, limits=LIMITS).game
    try:
        game = game_named(name)
    except UnreadableError as problem:
        raise UnreadableError(f"game: {problem}") from None
    for table in tables():
        if table.nested and isinstance(facts := data.get(table.key), dict):
            data = data | {table.key: dict(_flat(facts))}
    given = required(_keys_of(game, data), data, limits=LIMITS)
    options: OptionKeys = given.more.get("options", OptionKeys())
    values = {choice.name: getattr(given, choice.name) for choice in head()} | {"game": game.name}
    for table in tables():
        if table.of_law:
            values[table.name] = options.options
        elif "." in table.key:
            values[table.name] = getattr(options, table.name)
        else:
            values[table.name] = _table(table, getattr(given, table.name))
    return registry.RECORD(**values)


def _table(table: FiledTable, given: Any) -> Any:
    """A record, a record for each wager, or a text for each name."""
    if table.record is None:
        return given
    if table.by_wager:
        return {name: table.record(**vars(keys)) for name, keys in given.items()}
    return table.record(**vars(given))


def _flat(table: Mapping[str, Any], above: str = "") -> Iterator[tuple[str, Any]]:
    """Names with dots may be written as tables within tables."""
    for name, value in table.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{above}{name}.")
        else:
            yield f"{above}{name}", value


def _keys_of(game: Game, data: Mapping[str, Any]) -> type[Any]:
    """Return the keys of a submission of this game. If it has other games' options, theirs too: that is a finding."""
    options = data.get("options")
    strange = options.keys() - declared(game.chapter).keys() if isinstance(options, dict) else frozenset()
    return _kind(Same(game), bool(strange and strange & all_options(game.chapter).keys()), registry.RECORD.__qualname__)


@lru_cache(maxsize=256)
def _kind(same: Same[Game], wide: bool, record: str) -> type[Any]:
    chapter = same.record.chapter
    options = all_options(chapter) if wide else declared(chapter)
    keys = {name: kind_of(choice).annotation(choice) for name, choice in options.items()}
    return extended(_submission_keys(record), {"options": extended(OptionKeys, keys, OPTIONS=options)})


@lru_cache(maxsize=8)
def _submission_keys(record: str) -> type[Any]:  # noqa: ARG001 - the name of the record that head() and tables() are of
    """The keys of a submission, as the model declares them."""
    own = [choice for choice in head() if choice.name != "game"]
    found = [*map(_key, own), *(_table_key(table) for table in tables() if not table.of_law and "." not in table.key)]
    return make_dataclass("SubmissionKeys", found, bases=(GameKey, Extensible), frozen=True, kw_only=True)


def _key(choice: FiledChoice) -> Any:
    annotation = choice.kind.annotation
    if choice.required:
        return choice.name, annotation
    return choice.name, annotation | None if choice.default is None else annotation, field(default=choice.default)


def _table_key(table: FiledTable) -> Any:
    if table.record is None:
        text = Fact if table.nested else Annotated[str, Meta(description=table.what)]
        return table.name, Mapping[str, text], field(default_factory=dict)  # type: ignore[valid-type]
    keys = _record_keys(choices_of_table(table), table.record.__name__)
    if table.by_wager:
        return table.name, Mapping[str, keys], field(default_factory=dict)  # type: ignore[valid-type]
    return table.name, keys, field(default_factory=keys)


def _record_keys(choices: Iterable[FiledChoice], name: str) -> type[Any]:
    return make_dataclass(f"{name}Keys", map(_key, choices), frozen=True, kw_only=True)
