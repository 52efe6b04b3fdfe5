"""What each state asks for with a new game, from ``petition.toml``, and whether a document has it."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

FILE: Final = "petition.toml"


@dataclass(frozen=True)
class Requirement:
    """One item that a state asks for."""

    asks: str
    cite: str
    parts: tuple[str, ...] = ()
    """The parts of a petition that show it; empty where no petition of ours can."""
    add: str = ""
    """What the petitioner has to add or to do."""

    def shown_by(self, parts: Iterable[str]) -> bool:
        """Whether a document with these parts has it."""
        return bool(self.parts) and {*self.parts} <= {*parts}


@dataclass(frozen=True)
class StateRequirements:
    """Everything that one state asks for, with its source."""

    state: str
    name: str
    authority: str
    source: str
    text: str
    """Which text of the source the items were taken from."""
    items: tuple[Requirement, ...]


@cache
def requirements() -> Mapping[str, StateRequirements]:
    """Every state's requirements, by the state's two letters."""
    read = tomllib.loads(files("pitboss.reports").joinpath(FILE).read_text(encoding="utf-8"))
    return {state: _state(state, entries) for state, entries in read.items()}


def _state(state: str, entries: Mapping[str, object]) -> StateRequirements:
    said = {key: str(entries[key]) for key in ("name", "authority", "source", "text")}
    items = entries["item"]
    assert isinstance(items, list), f"the items of {state} are a list"
    return StateRequirements(state, items=tuple(map(_item, items)), **said)


def _item(entry: Mapping[str, object]) -> Requirement:
    parts = entry.get("parts", ())
    assert isinstance(parts, list | tuple), "the parts of an item are a list"
    found = Requirement(str(entry["asks"]), str(entry["cite"]), tuple(map(str, parts)), str(entry.get("add", "")))
    assert found.parts or found.add, f"{found.asks}: no part shows it, and nothing says what to add"
    return found
