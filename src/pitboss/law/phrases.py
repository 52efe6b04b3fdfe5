"""The words by which a paragraph states a figure or names a thing, so that the lint can find it in the text.

A pattern captures the number, in digits or in words. One that captures nothing states "equal to", that is one.
"""

import re
from collections.abc import Mapping

from pitboss.data import data_rows

NUMBERS: Mapping[str, int] = {
    word: number
    for number, word in enumerate(
        ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"],
    )
} | {"twice": 2, "1/2": 2}
"""Half of the other wager is written here as the other wager's being at most twice this one."""


_PHRASES: dict[str, dict[str, str]] = {}
for _about, _name, _words in data_rows("law", "phrases.tsv"):
    _PHRASES.setdefault(_about, {})[_name] = _words
FIGURES, CHOICES = _PHRASES["figure"], _PHRASES["choice"]
ROWS = _PHRASES["row"]
"""Pay table rows that stand in a sentence; ``<letter>`` is that of the table."""
PLACES = _PHRASES["place"]
"""Cards dealt to places of their own, in the section of the deal."""
DEVICES = _PHRASES["device"]
"""How the heading of a dealing section, or the paragraph of a shaker, names the device."""
LAYOUT = _PHRASES["layout"]
"""Areas and inscriptions that are not simply the area of a wager."""
ACTS = _PHRASES["act"]
"""What a prescribed act is called in its paragraph."""
ACTORS = _PHRASES["actor"]
"""By which words an act is not the dealer's, to whom the text leaves what it says in the passive."""
WHEN, UNLESS, ASIDE = _PHRASES["when"], _PHRASES["unless"], _PHRASES["aside"]
"""On what condition an act is done, left out or set aside by another subsection, the narrower conditions first."""
REMEDIES = _PHRASES["remedy"]
"""What is done about a fault; one that ends with a colon names wagers."""


def number(text: str) -> int | None:
    """A number as the law writes it.

    >>> number("Seven"), number("50,000"), number("twice"), number("many")
    (7, 50000, 2, None)
    """
    plain = text.lower().replace(",", "")
    return int(plain) if plain.isdigit() else NUMBERS.get(plain)


def titled(title: str) -> re.Pattern[str]:
    """Finds a wager by its title, also where the law runs several together: "Ante, Play and Aces Up Wagers"."""
    head, _, tail = title.partition(" on ")
    name = re.escape(head.removesuffix(" Wager"))
    # Nothing capitalised may stand before it: "Progressive Payout Wager" is not the "Five-Card Progressive ..." one.
    before = r"(?:^|(?:All|An?) |[(,]\s?|(?<![A-Z0-9])\b[a-z]+,? )"
    also = r"(?:,? (?:and |or )?[A-Z][\w-]*(?: Up| Plus)?)*"
    whose = (
        r".*?\b" + re.escape(tail.replace("another", "other").replace("own ", "").removeprefix("the ")) if tail else ""
    )
    return re.compile(rf"{before}{name}{also} Wagers?{whose}", re.S)
