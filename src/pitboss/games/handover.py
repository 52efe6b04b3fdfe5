"""What a dealer does with the chips of one settled line: the only place that turns a line into movements of chips."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from pitboss.games.registry import GAMES
from pitboss.games.round import Round
from pitboss.games.rules import Rules
from pitboss.games.settlement import LineResult, SettledWager
from pitboss.money import Cents, show_dollars

ELECTRONIC = "electronic_wagering_system"
"""What the layout has for wagers that are made without chips."""


@dataclass(frozen=True)
class Handover:
    """Chips of one line, of which the dealer hands some over or takes some, never both; or of several lines."""

    handed_over: Cents
    """What the dealer gives the player, besides chips of the player's that stay where they lie."""
    taken: Cents
    """What the dealer takes off the layout for the house."""
    stays: Cents
    """What of the stake on the layout remains the player's."""
    collected: Cents
    """What of the stake had left the layout before: progressive chips after "no more bets", bets in a pot."""
    from_pot: bool = False
    """Whether the other players pay, not the house."""

    @property
    def paid(self) -> Cents:
        """What the dealer pays, or takes if negative."""
        return self.handed_over - self.taken

    def as_dict(self) -> dict[str, Cents]:
        return {"handed_over": self.handed_over, "taken": self.taken, "stays": self.stays, "collected": self.collected}

    def order(self, wager: str, result: str) -> str:
        """Return what the dealer has to do.

        >>> Handover(1_000, 0, 1_000, 0).order("Ante", LineResult.WIN)
        'pay Ante $10'
        >>> Handover(0, 500, 500, 0).order("Red", LineResult.LOSE)
        'take $5 of Red and leave $5'
        >>> Handover(0, 0, 0, 100).order("Grand", LineResult.LOSE)
        'Grand loses ($1 was collected before)'
        """
        handed, taken, stays = map(show_dollars, (self.handed_over, self.taken, self.stays))
        if self.handed_over:
            verb = "give back" if self._returned(result) else "pay"
            return f"{verb} {wager} {handed}" + (" from the pot" if self.from_pot else "")
        if self.taken:
            return f"take {taken} of {wager} and leave {stays}" if self.stays else f"take {wager} {taken}"
        if self.from_pot:
            return f"nothing for {wager}"
        if self.stays:
            return f"leave {wager} {stays} ({result})"
        return f"{wager} loses" + (f" ({show_dollars(self.collected)} was collected before)" if self.collected else "")

    def outcome(self, result: str) -> str:
        """Return what the dealer has done.

        >>> Handover(100_028, 0, 0, 100).outcome(LineResult.WIN), Handover(0, 0, 0, 100).outcome(LineResult.LOSE)
        ('$1,000.28 paid', 'lost')
        """
        parts = [
            f"{show_dollars(amount)} {words}"
            for amount, words in (
                (self.handed_over, "given back" if self._returned(result) else "paid"),
                (self.taken, "taken"),
                (self.stays, "stays"),
            )
            if amount
        ]
        return ", ".join(parts) or "lost"

    def _returned(self, result: str) -> bool:
        """Whether the player's own chips come back, not a part of a pot."""
        return not self.from_pot and result in (LineResult.PUSH, LineResult.VOID)

    def brief(self, result: str) -> str:
        """Return the same in the space of a chip: handed over with a plus sign, taken with a minus sign.

        >>> Handover(100_028, 0, 0, 100).brief(LineResult.WIN), Handover(0, 500, 0, 0).brief(LineResult.LOSE)
        ('+$1,000.28', '−$5')
        """
        if self.paid:
            return f"+{show_dollars(self.paid)}" if self.paid > 0 else f"−{show_dollars(-self.paid)}"
        return str(result) if self.stays else "lost"

    def __add__(self, other: "Handover") -> "Handover":
        """Return the chips of two lines together."""
        return Handover(
            self.handed_over + other.handed_over,
            self.taken + other.taken,
            self.stays + other.stays,
            self.collected + other.collected,
            self.from_pot or other.from_pot,
        )


def handover(line: SettledWager, collected: Cents, *, from_pot: bool = False) -> Handover:
    """Split a line into chips that move and chips that stay, where ``collected`` of its stake has left the layout."""
    lying = line.on_layout - collected
    stays = min(lying, line.paid)
    return Handover(line.paid - stays, lying - stays, stays, collected, from_pot)


def handover_in(rules: Rules, played: Round, line: SettledWager) -> Handover:
    """Return what moves with a line of a round that was dealt and decided."""
    game = GAMES[rules.game]
    if game.course.contest and (hand := game.hand(rules, played)) is not None:
        return handover(line, hand.put[line.seat], from_pot=True)
    seat = played.seat(line.seat)
    gone = collected_wagers(rules, seat.wagers) if seat is not None else ()
    return handover(line, line.on_layout if line.settles in gone else 0)


def electronic_wagers(rules: Rules) -> frozenset[str]:
    return frozenset(name for item in rules.chapter.layout if item.item == ELECTRONIC for name in item.when)


def chip_wagers(rules: Rules, wagers: Mapping[str, Cents]) -> list[str]:
    """Progressive wagers made with a chip on a sensor, which the dealer collects and counts."""
    electronic = electronic_wagers(rules)
    return [
        name for name in wagers if (wager := rules.wager_named(name)) and wager.meter and wager.name not in electronic
    ]


def collected_wagers(rules: Rules, wagers: Mapping[str, Cents]) -> Collection[str]:
    """Wagers of which nothing lies on the layout when the cards come."""
    return {*chip_wagers(rules, wagers), *(wagers.keys() & electronic_wagers(rules))}
