"""Names of the files and programs as people read them."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

MOST_SHOWN = 80
"""Characters of a wrong value that a sentence repeats."""
FORBIDDEN: Final = re.compile(
    "[^\t\n\r\x20-\x7e\xa0-\u200d\u2010-\u2029\u202f-\u2065\u206a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]"
)
"""What XML can't carry, control characters that nobody can see, and marks that turn the direction of text around."""
_SMALL = ("of", "on", "or", "the", "and", "a")


@lru_cache(maxsize=4096)
def shown(name: str) -> str:
    """A wager, meter, table or place by the words of its name; JSON and files keep the name itself.

    >>> shown("mega_jackpot"), shown("wager_on_seat_3"), shown("corner_1")
    ('Mega Jackpot', 'Wager on Seat 3', 'Corner 1-2-4-5')
    """
    from pitboss.spoken import spoken

    if said := spoken(name):
        return said
    words = name.replace("_", " ").split()
    return " ".join(word if at and word in _SMALL else word[:1].upper() + word[1:] for at, word in enumerate(words))


def name_of(words: str) -> str:
    """Return the name behind the words, so that people can type what they are shown; a name stays as it is.

    >>> name_of("Mega Jackpot"), name_of(shown("wager_on_seat_3")), name_of("split 8/11"), name_of("Corner 1")
    ('mega_jackpot', 'wager_on_seat_3', 'split_8_11', 'corner_1')
    """
    from pitboss.spoken import spelled

    name = spelled(words)
    return "_".join(name.lower().split())


def clean(text: str) -> str:
    """Text that every medium can carry: what it can't becomes a sign for it.

    >>> clean("a\\x00b"), clean("\\u202eabc")
    ('a\\ufffdb', '\\ufffdabc')
    """
    return FORBIDDEN.sub("\ufffd", text)


def shortened(text: str) -> str:
    """Cut a value that somebody typed to what a reader needs to find it.

    >>> shortened("9" * 5000) == "9" * MOST_SHOWN + "…"
    True
    """
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"


def all_shown(names: Iterable[str]) -> str:
    return ", ".join(shown(name) for name in names) or "none"


def shown_key(key: str) -> str:
    """A key of a file as a place: ``wagers.on_seat_3.minimum`` is "Wagers, On Seat 3, Minimum".

    >>> shown_key("paytables.ante_bonus.-.straight")  # the dash stands for the letter that a single table lacks
    'Paytables, Ante Bonus, Straight'
    """
    return ", ".join(shown(part) for part in key.split(".") if part != "-")


def several(count: int, noun: str, more: str = "") -> str:
    """So many of something: the noun as it is for one, and its plural for any other number.

    >>> several(1, "chip"), several(0, "chip"), several(2, "box", "boxes")
    ('1 chip', '0 chips', '2 boxes')
    """
    return f"{count:,} {noun if count == 1 else more or f'{noun}s'}"


def units(unit: str) -> str:
    """Several of what figures are a share of.

    >>> units("Ante"), units("wager"), units("Let It Ride Wager 3")
    ('Antes', 'wagers', 'units of the Let It Ride Wager 3')
    """
    return f"units of the {unit}" if unit[-1:].isdigit() else f"{unit}s"


def listed(names: Iterable[str]) -> str:
    """Alternatives in words: ``a, b or c``."""
    words = list(names)
    return "".join(words) if len(words) < 2 else ", ".join(words[:-1]) + " or " + words[-1]
