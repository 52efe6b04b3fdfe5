"""Names of the files and programs as people read them."""

from collections.abc import Iterable

_SMALL = ("of", "on", "or", "the", "and", "a")


def shown(name: str) -> str:
    """A wager, meter, table or place by the words of its name; JSON and files keep the name itself.

    >>> shown("mega_jackpot"), shown("wager_on_seat_3")
    ('Mega Jackpot', 'Wager on Seat 3')
    """
    words = name.replace("_", " ").split()
    return " ".join(word if at and word in _SMALL else word[:1].upper() + word[1:] for at, word in enumerate(words))


def name_of(words: str) -> str:
    """The name behind the words, so that whoever is shown a name can type it; the name itself stays as it is.

    >>> name_of("Mega Jackpot"), name_of(shown("wager_on_seat_3")), name_of("mega_jackpot")
    ('mega_jackpot', 'wager_on_seat_3', 'mega_jackpot')
    """
    return "_".join(words.lower().split())


def all_shown(names: Iterable[str]) -> str:
    return ", ".join(shown(name) for name in names) or "none"


def shown_key(key: str) -> str:
    """A key of a file as a place: ``wagers.on_seat_3.minimum`` is "Wagers, On Seat 3, Minimum"."""
    return ", ".join(shown(part) for part in key.split("."))


def several(count: int, noun: str, more: str = "") -> str:
    """So many of something: the noun as it is for one, and its plural for any other number.

    >>> several(1, "chip"), several(0, "chip"), several(2, "box", "boxes")
    ('1 chip', '0 chips', '2 boxes')
    """
    return f"{count:,} {noun if count == 1 else more or f'{noun}s'}"


def listed(names: Iterable[str]) -> str:
    """Alternatives in words: ``a, b or c``."""
    words = list(names)
    return "".join(words) if len(words) < 2 else ", ".join(words[:-1]) + " or " + words[-1]
