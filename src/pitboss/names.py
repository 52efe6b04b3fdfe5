"""Names of the files and programs as people read them."""

_SMALL = ("of", "on", "the", "and")


def shown(name: str) -> str:
    """A wager, meter, table or place by the words of its name; JSON and files keep the name itself.

    >>> shown("five_card_progressive"), shown("super_on_seat_3"), shown("six_card_bonus_card")
    ('Five Card Progressive', 'Super on Seat 3', 'Six Card Bonus Card')
    """
    words = name.replace("_", " ").split()
    return " ".join(word if at and word in _SMALL else word[:1].upper() + word[1:] for at, word in enumerate(words))


def shown_key(key: str) -> str:
    """A key of a file as a place: ``wagers.all_six.minimum`` is "Wagers, All Six, Minimum"."""
    return ", ".join(shown(part) for part in key.split("."))
