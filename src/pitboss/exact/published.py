"""Published figures to stand beside ours, from a data file. Each is a witness, not the truth."""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from pitboss.games.structure import PRINTED

Printed = Mapping[str, Any]


@cache
def _figures() -> Mapping[str, Mapping[str, list[Printed]]]:
    """By game and wager."""
    return tomllib.loads(files("pitboss.exact").joinpath("published.toml").read_text(encoding="utf-8"))


def _of(game: str, wager: str) -> list[Printed]:
    return _figures().get(game, {}).get(wager, [])


def published(game: str, wager: str, paytable: str, reading: str, known: str = "") -> str | None:
    """What others have printed about a row, if anything; or about a player who knows cards that ought to be hidden."""
    asked = reading, known
    found = (each for each in _of(game, wager) if (each.get("reading", PRINTED), each.get("known", "")) == asked)
    return next((each["says"] for each in found if each["table"] in (paytable, "*")), None)


@cache
def _edges() -> Mapping[str, tuple[float, ...]]:
    return tomllib.loads(files("pitboss.exact").joinpath("edges.toml").read_text(encoding="utf-8"))


def main_edge(game: str) -> float | None:
    """The counted house edge of a game's main wagers in percent of their unit; ``None`` where wagers stand alone."""
    match _edges().get(game, ()):
        case [edge]:
            return edge
    return None


def edge_words(game: str, unit: str) -> str:
    """The house edge of a game as it was counted, in words; nothing where it has not been."""
    match _edges().get(game, ()):
        case [edge]:
            return f"{'House' if edge >= 0 else 'Player’s'} edge {abs(edge):.2f} % of the {unit}"
        case [least, most]:
            return f"House edge {least:.2f} % to {most:.2f} %, by wager"
    return ""


def outside_approved(game: str, wager: str, hold: float) -> str | None:
    """The approved range, if the rulemaking states one and a hold (as a share) falls outside it as printed there."""
    stated = next((each for each in _of(game, wager) if "approved" in each), None)
    if stated is None:
        return None
    least, most = stated["approved"]
    # The preamble prints two or three digits, rounded or cut off.
    inside = least - 0.01 < 100 * hold < most + 0.01
    return None if inside else f"{least} % to {most} % of {stated['of']}"
