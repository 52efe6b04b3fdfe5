"""Breaks of the law, one at a time: a changed value of a printed entry, or a function that has lost its rule.

A break is applied in a process of its own, after everything is imported: the chapters that others hold are changed
where they lie, functions get other code, and what was cached of them is forgotten.
"""

import copy
import dataclasses
import functools
import gc
import importlib
import re
import sys
import tomllib
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from fractions import Fraction
from pathlib import Path
from typing import Any

from pitboss.law.breaks import named_functions, printed_entries

ROOT = Path(__file__).parents[1]
LAW = ROOT / "src" / "pitboss" / "law"
Keys = tuple[str | int, ...]
Changes = Iterator[tuple[Keys, Any]]


@dataclass(frozen=True)
class Break:
    """One change of the software, in the name of one paragraph."""

    cite: str
    what: str
    chapter: str = ""
    path: Keys = ()
    """Where the value stands in the parsed law file."""
    value: Any = None
    """The value to put there; ``None`` deletes it."""
    function: str = ""
    """Or the function to neutralize, from the package on."""


# What can be broken in a law file


def _bumped(text: str) -> str:
    """The text with its first number one higher."""
    return re.sub(r"\d[\d,]*", lambda number: str(int(number.group().replace(",", "")) + 1), text, count=1)


def _of_amounts(key: str, table: Mapping[str, Any]) -> Changes:
    """The first and the last amount: the lint beside the texts compares every one."""
    for name in dict.fromkeys([*table][:1] + [*table][-1:]):
        yield (key, name), _bumped(table[name])


def _of_deal(steps: list[dict[str, Any]]) -> Changes:
    for number, step in enumerate(steps):
        for key in step:
            if key in ("cards", "dice"):
                yield ("steps", number, key), step[key] + 1
            elif key in ("face_up", "choice", "unless", "void"):
                yield ("steps", number, key), None
        if number + 1 < len(steps) and step != steps[number + 1]:
            yield ("steps",), [*steps[:number], steps[number + 1], step, *steps[number + 2 :]]


DELETED: Mapping[str, tuple[str, ...]] = {
    "figure": ("caps",),
    "procedure": ("when", "unless", "remedy"),
    "wager": ("needs_all", "needs_any", "offer", "optional", "meter", "divided", "picks", "only", "needs_option"),
    "layout": ("when", "per"),
    "choice": ("values", "least", "caps", "spares", "paid_on", "floor"),
}
"""Keys without which an entry says something else."""
WHOLE = ("procedure", "layout", "choice")
"""Entries that can be missing altogether."""


def _of_entry(kind: str, entry: Mapping[str, Any]) -> Changes:
    """Every change of one entry: where in it, and the value put there."""
    if kind in WHOLE:
        yield (), None
    if kind in ("paytable", "envy"):
        yield from _of_amounts("rows", entry["rows"])
    elif kind == "meter":
        for key in ("seed", "rate", "reseed"):
            yield from _of_amounts(key, entry.get(key, {}))
        if "reserve" in entry:
            yield ("reserve",), _bumped(entry["reserve"])
    elif kind == "figure":
        value = entry["value"]
        yield ("value",), not value if type(value) is bool else value + 1
    elif kind == "deal":
        yield from _of_deal(entry["steps"])
    elif kind == "procedure":
        yield ("actor",), "dealer" if entry["actor"] != "dealer" else "floorperson"
    elif kind == "layout" and "inscription" in entry:
        yield ("inscription",), "Other words"
    elif kind == "row":
        yield ("printed",), "Other words"
    for key in DELETED.get(kind, ()):
        if key in entry:
            yield (key,), None


def _shown(kind: str, entry: Mapping[str, Any], path: Keys, value: Any) -> str:
    names = ("name", "wager", "letter", "line", "stake", "reading", "device", "act", "item")
    name = " ".join(str(entry[key]) for key in names if key in entry)
    where = ".".join(map(str, path))
    if value is None:
        return f"{kind} {name}: without {where}" if path else f"{kind} {name}: deleted"
    return f"{kind} {name}: {where} = {'in another order' if where == 'steps' else value}"


def breaks() -> Iterator[Break]:
    """One for each value of every printed entry, and one for each function that carries out a paragraph."""
    for chapter, kind, number, entry in printed_entries():
        for path, value in _of_entry(kind, entry):
            yield Break(entry["cite"], _shown(kind, entry, path, value), chapter, (kind, number, *path), value)
    for cite, function in named_functions():
        yield Break(cite, f"neutralized: {function}", function=function)


# Breaking


class State:
    """What the process holds of the law: looked up once, before the breaks."""

    def __init__(self) -> None:
        from pitboss.law.model import Chapter

        gc.unfreeze()  # a server that was started in this process has set objects aside
        alive = gc.get_objects()
        self.chapters = [each for each in alive if isinstance(each, Chapter)]
        self.caches = [
            each
            for each in alive
            if isinstance(each, functools._lru_cache_wrapper)
            and re.match(r"(pitboss|tests)\b(?!\.law\.(texts|conditions))", str(getattr(each, "__module__", "")))
        ]

    def apply(self, change: Break) -> bool:
        """Whether the change could be made; one that the loader refuses proves nothing of a test."""
        changed = self._break_data(change) if change.chapter else self._break_function(change)
        self._forget()
        return changed

    def _forget(self) -> None:
        for cached in self.caches:
            cached.cache_clear()

    # The law

    def _break_data(self, change: Break) -> bool:
        from pitboss.law import loader

        original = (LAW / f"{change.chapter}.toml").read_text(encoding="utf-8")

        def loads(text: str) -> dict[str, Any]:
            data = tomllib.loads(text)
            return _put(data, change.path, change.value) if text == original else data

        vars(loader)["tomllib"] = types.SimpleNamespace(loads=loads, TOMLDecodeError=tomllib.TOMLDecodeError)
        self._forget()
        try:
            broken = loader.chapter(change.chapter)
        except loader.LawError:
            return False
        for held in self.chapters:
            if held.chapter == change.chapter:
                _become(held, {field.name: getattr(broken, field.name) for field in dataclasses.fields(broken)})
        return True

    # The functions

    def _break_function(self, change: Break) -> bool:
        if change.function in AT_IMPORT:
            return self._break_game(change)
        module_name, path = _module_of(change.function)
        module = importlib.import_module(module_name)
        value = getattr(module, path[0])
        if len(path) > 1:
            return self._break_member(value, path[1], change.cite)
        if isinstance(value, type):
            names = [name for name, each in vars(value).items() if not name.startswith("__") and _bare(each)]
            return sum(self._break_member(value, name, change.cite) for name in names) > 0
        if function := _bare(value):
            return self._neutralize(function)
        if type(value) is dict:
            value.update({key: f"{each}?" for key, each in value.items() if isinstance(each, str)})
            return True
        other = perturbed(value)
        for holder in [each for name, each in sys.modules.items() if name.partition(".")[0] in ("pitboss", "tests")]:
            for name in [name for name, held in vars(holder).items() if held is value]:
                setattr(holder, name, other)
        return bool(other != value)

    def _break_game(self, change: Break) -> bool:
        """What a function gave the game when it was imported: its posts are dropped, its rules neutralized."""
        from pitboss.games.registry import GAMES

        game = next(game for game in GAMES.values() if change.cite.startswith(f"{game.number}."))
        if change.function.endswith(".posts"):
            steps = tuple(_without_posts(game.course.steps))
            changed = steps != game.course.steps
            fields = {field.name: getattr(game.course, field.name) for field in dataclasses.fields(game.course)}
            _become(game.course, fields | {"steps": steps})
            return changed
        rules = [rule for rule in game.lines.rules.values() if rule.pay.__module__ == "pitboss.games.five_card_hand"]
        pays = [function for rule in rules if (function := _bare(rule.pay))]
        return sum(self._neutralize(function) for function in pays) > 0

    def _break_member(self, owner: type, name: str, cite: str) -> bool:
        home = next((each for each in owner.__mro__ if name in vars(each)), None)
        if home is None:
            return False
        member = vars(home)[name]
        if function := _bare(member):
            return self._neutralize(function)
        if dataclasses.is_dataclass(member) and hasattr(member, "steps"):
            return self._break_course(member, cite)
        other = perturbed(member)
        setattr(home, name, other)
        return bool(other != member)

    def _neutralize(self, function: types.FunctionType) -> bool:
        """Change a function where it lies, so that everybody who has imported it meets the change."""
        key, code = f"{function.__qualname__} {id(function)}", function.__code__
        returns = function.__annotations__.get("return", "")
        original = types.FunctionType(code, function.__globals__, function.__name__, None, function.__closure__)
        original.__defaults__, original.__kwdefaults__ = function.__defaults__, function.__kwdefaults__
        ORIGINALS[key] = original
        body = f"        from {__name__} import result_of\n        return result_of({key!r}, args, kwargs)"
        if returns in (None, "None"):
            body = "        return None"
        free = "".join(f"    {name} = None\n" for name in code.co_freevars)
        touch = "".join(f"        {name}\n" for name in code.co_freevars)
        scope: dict[str, Any] = {}
        exec(f"def outer():\n{free}    def other(*args, **kwargs):\n{touch}{body}\n    return other\n", scope)
        function.__code__ = scope["outer"]().__code__
        function.__defaults__ = function.__kwdefaults__ = None
        return True

    def _break_course(self, course: Any, cite: str) -> bool:
        """The course without the steps of this paragraph; if none bears its citation, its lines in another order."""
        steps = tuple(_without(course.steps, cite))
        if steps == course.steps:
            steps = tuple(_turned(course.steps))
        if steps == course.steps:
            steps = course.steps[::-1]
        changed = steps != course.steps
        _become(course, {field.name: getattr(course, field.name) for field in dataclasses.fields(course)})
        course.__dict__["steps"] = steps
        return bool(changed)


AT_IMPORT = ("games.five_card_hand.posts", "games.five_card_hand.register")
"""Functions that are called when games are imported, so that a change of their code comes too late."""
ORIGINALS: dict[str, Callable[..., Any]] = {}
"""The functions that are neutralized now."""


def result_of(key: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    return perturbed(ORIGINALS[key](*args, **kwargs))


def _become(record: Any, values: dict[str, Any]) -> None:
    """Give a frozen record other values, without what was worked out of the old ones."""
    record.__dict__.clear()
    record.__dict__.update(values)


def _put(data: dict[str, Any], path: Keys, value: Any) -> dict[str, Any]:
    place: Any = data
    for step in path[:-1]:
        place = place[step]
    if value is None:
        del place[path[-1]]
    else:
        place[path[-1]] = value
    return data


def perturbed(value: Any, depth: int = 0) -> Any:
    """Another value of the same type: what a function that has lost its rule might return."""
    if isinstance(value, types.GeneratorType | map | filter | zip):
        return iter(())
    if isinstance(value, bool):
        return not value
    if isinstance(value, IntEnum):
        return value
    if isinstance(value, int | Fraction):
        return value + 1
    if isinstance(value, str):
        return f"{value}?"
    if isinstance(value, dict) and type(value) is not dict:
        return type(value)({key: perturbed(each, depth) for key, each in value.items()})
    if isinstance(value, tuple | list | set | frozenset | dict):
        return type(value)() if type(value) in (tuple, list, set, frozenset, dict) else value
    if dataclasses.is_dataclass(value) and not isinstance(value, type) and depth == 0:
        other = copy.copy(value)
        for field in dataclasses.fields(value):
            old = getattr(value, field.name, None)
            if isinstance(old, bool | int | str | tuple | list | dict | frozenset | Fraction) and old != perturbed(
                old, 1
            ):
                object.__setattr__(other, field.name, perturbed(old, 1))
        return other
    return value


def _bare(value: Any) -> types.FunctionType | None:
    """The function behind what decorators have put around it."""
    while not isinstance(value, types.FunctionType) or hasattr(value, "__wrapped__"):
        behind = getattr(value, "__wrapped__", None) or getattr(value, "__func__", None)
        behind = behind or getattr(value, "func", None) or getattr(value, "fget", None)
        if behind is None:
            return None
        value = behind
    return value


def _without(steps: Iterable[Any], cite: str) -> Iterator[Any]:
    for step in steps:
        if getattr(step, "cite", "") != cite:
            inner = getattr(step, "steps", None)
            yield step if inner is None else dataclasses.replace(step, steps=tuple(_without(inner, cite)))


def _without_posts(steps: Iterable[Any]) -> Iterator[Any]:
    for step in steps:
        if (inner := getattr(step, "steps", None)) is not None:
            yield dataclasses.replace(step, steps=tuple(_without_posts(inner)))
        elif posts := getattr(step, "posts", ()):
            left = tuple(
                post for post in posts if not post.line.startswith(("five_card_hand", "magic_card", "lucky_bonus"))
            )
            yield dataclasses.replace(step, posts=left)
        else:
            yield step


def _turned(steps: Iterable[Any]) -> Iterator[Any]:
    for step in steps:
        if (inner := getattr(step, "steps", None)) is not None:
            yield dataclasses.replace(step, steps=tuple(_turned(inner)))
        elif len(getattr(step, "posts", ())) > 1:
            yield dataclasses.replace(step, posts=step.posts[::-1])
        else:
            yield step


def _module_of(function: str) -> tuple[str, tuple[str, ...]]:
    parts = function.split(".")
    for length in range(len(parts) - 1, 0, -1):
        base = ROOT.joinpath("src", "pitboss", *parts[:length])
        if base.with_suffix(".py").is_file() or base.joinpath("__init__.py").is_file():
            return ".".join(("pitboss", *parts[:length])), tuple(parts[length:])
    raise SystemExit(f"no module of the package carries {function}")
