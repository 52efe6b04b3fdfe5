"""The bounds of the property: the most that the books take in one act, at one table and as one wager."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass

from pitboss.findings import Finding, refusal
from pitboss.money import MOST_CENTS, Cents, show_dollars
from pitboss.names import shown

MOST_CHIPS: Cents = MOST_CENTS // 10
"""What no property can set as a bound: far beyond any pit, and far below what the books can add up."""


@dataclass(frozen=True)
class Bounds:
    """Sums in cents; two people change them (``permissions.TWO_PEOPLE``)."""

    act: Cents = 100_000_000
    """Chips that one act brings to a table or takes from it, or changes for a player."""
    inventory: Cents = 1_000_000_000
    """Chips of the house at one table after a fill."""
    wager: Cents = 10_000_000
    """The greatest limit of a wager."""

    def findings(self) -> Iterator[Finding]:
        """Bounds that no property can have."""
        for name, value in asdict(self).items():
            if not 0 < value <= MOST_CHIPS:
                expected, found = f"$0.01 to {show_dollars(MOST_CHIPS)}", show_dollars(value)
                sentence = f"{shown(name)} can be set to {expected}, not to {found}."
                yield refusal("bound", expected, found, sentence, name)

    def beyond(self, name: str, amount: Cents, what: str, where: str = "") -> Iterator[Finding]:
        """The refusal of an amount above one of the bounds."""
        most = getattr(self, name)
        if amount > most:
            expected, found = f"at most {show_dollars(most)}", show_dollars(amount)
            sentence = f"{what} is {expected} at this property, not {found}. Two people can change that bound."
            yield refusal("beyond-bound", expected, found, sentence, where)


UNBOUNDED = Bounds(MOST_CHIPS, MOST_CHIPS, MOST_CHIPS)
"""For a table that no property has, in practice and in programs."""
