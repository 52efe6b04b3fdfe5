"""Bets as people call them: a corner by its four numbers, a line by its first and last, a dozen by its place.

Files, events and JSON keep the names of the rules; ``law/spoken.tsv`` has the words that people read and may type. Its
lines are a name, how many numbers stand behind it, the words, and on signs the pay table and the word for the kind.
``{0}`` is the first of the numbers, ``{0+3}`` the one that is higher by three.
"""

import re
from functools import cache, lru_cache
from typing import Final

from pitboss.data import data_rows

_NUMBERS: Final = re.compile(r"(\w+?)((?:_\d{1,2})+)")
_PLACE: Final = re.compile(r"\{(\d)(?:\+(\d))?\}")


@cache
def _words() -> dict[tuple[str, int], str]:
    return {(name, int(count)): words for name, count, words, _, _ in data_rows("law", "spoken.tsv")}


@cache
def _kinds() -> dict[tuple[str, str], str]:
    return {(table, name): kind for name, _, _, table, kind in data_rows("law", "spoken.tsv") if kind}


def also_known(title: str, name: str, table: str) -> str:
    """Add to a title what people call that kind of bet, where it is another word: "Four number (corner)"."""
    kind = _kinds().get((table, name), "")
    return f"{title} ({kind})" if kind else title


@lru_cache(maxsize=1024)
def spoken(name: str) -> str:
    """Return the words for a bet; empty where people say its name as it is written.

    >>> spoken("corner_1"), spoken("street_0_00_2"), spoken("line_7"), spoken("dozen_1"), spoken("mega_jackpot")
    ('Corner 1-2-4-5', 'Street 0-00-2', 'Line 7 to 12', 'First dozen', '')
    """
    if words := _words().get((name, 0)):
        return words
    found = _NUMBERS.fullmatch(name)
    numbers = found[2][1:].split("_") if found else []
    words = _words().get((found[1], len(numbers)), "") if found else ""
    return _PLACE.sub(lambda place: _number(numbers[int(place[1])], place[2]), words)


def _number(number: str, more: str | None) -> str:
    return number if more is None else str(int(number) + int(more))


@lru_cache(maxsize=1024)
def spelled(words: str) -> str:
    """Return the name of a bet from the words for it, in any case; any other text comes back as it is.

    >>> spelled("Corner 1-2-4-5"), spelled("split 8/11"), spelled("1 to 18"), spelled("Corner 1")
    ('corner_1', 'split_8_11', 'low', 'Corner 1')
    """
    wanted = " ".join(words.lower().split())
    numbers = re.findall(r"\d{1,2}", wanted) if len(wanted) < 40 else []
    # Lines, corners and streets go by their lowest number, except with a zero, where they go by all of them.
    by_all = bool(numbers) and int(numbers[0]) == 0
    for name, count in sorted(_words(), key=lambda known: known[1], reverse=by_all):
        full = "_".join((name, *numbers[:count]))
        if count <= len(numbers) and spoken(full).lower() == wanted:
            return full
    return words
