"""The book of each game: what stands beside its hand-worked cases for tests that run over the registry."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

CASES = Path(__file__).parent / "cases"


@cache
def book_of(game: str) -> dict[str, Any]:
    """The table ``[book]`` of a game's case file: names of wagers and lines, published figures and the like."""
    book: dict[str, Any] = tomllib.loads((CASES / f"{game}.toml").read_text(encoding="utf-8"))["book"]
    return book
