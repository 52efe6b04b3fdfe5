"""The betting spots of one seat: which there are, what lies on them, and how each is drawn."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal

from pitboss.games.layout import required_layout
from pitboss.games.registry import GAMES
from pitboss.games.round import Decision, Seat
from pitboss.games.round import decided as decided_by_step
from pitboss.games.rules import Rules
from pitboss.law.model import Wager
from pitboss.money import Cents, show_dollars
from pitboss.reports.svg import FONT, Markup, element, halves, label, width_of

Kind = Literal["main", "side", "progressive", "electronic", "decision"]
LINE = "#e9d9a6"
INKS: dict[Kind, tuple[str, str]] = {
    "main": ("#123c2d", "#f4ecd0"),
    "side": ("#0f3527", "#e9d9a6"),
    "progressive": ("#4a1420", "#f0b9a8"),
    "electronic": ("#0c1d2b", "#8fd3f0"),
    "decision": ("#123c2d", "#e9d9a6"),
}
"""The ground of a spot and its line, which is also its lettering; each pair contrasts at more than 4.5 to 1."""
ROUND: dict[Kind, float] = {"main": 24, "side": 9, "progressive": 9, "electronic": 3, "decision": 9}
SHORT = {
    "Three-Card": "3-Card", "Four-Card": "4-Card", "Five-Card": "5-Card", "Six-Card": "6-Card", "Three Card": "3 Card",
    "Four Card": "4 Card", "Five Card": "5 Card", "Six Card": "6 Card", "Progressive Payout": "Progr.",
    "Progressive": "Progr.", " Wager": "", " Hand Bonus": "",
}  # fmt: skip
"""Words of the law that take too much room on a spot; the full title is the tooltip."""


@dataclass(frozen=True)
class Spot:
    """A place for chips, or one that stands for a decision."""

    name: str
    """The wager as a command names it, such as ``super_on_seat_3``; or the decision."""
    kind: Kind
    title: str
    words: str
    small: bool = False


def spots_of(rules: Rules, seat: int) -> tuple[Spot, ...]:
    """What one seat can bet on: only wagers on offer, and the areas that the layout gives to decisions."""
    return (*_wagers(rules, seat), *_decisions(rules))


def _wagers(rules: Rules, seat: int) -> Iterator[Spot]:
    electronic = {
        name for item in required_layout(rules) if item.item == "electronic_wagering_system" for name in item.when
    }
    for wager in rules.wagers.values():
        if wager.on_another_seat:
            for other in range(1, rules.seats + 1):
                if other != seat:
                    words = f"{wager.title.split(' Wager')[0]} seat {other}"
                    title = f"{wager.title}: seat {other}"
                    yield Spot(f"{wager.name}_{other}", "side", title, words, small=True)
        else:
            yield Spot(wager.name, _kind(wager, electronic), wager.title, short_title(wager.title))


def _kind(wager: Wager, electronic: set[str]) -> Kind:
    if wager.name in electronic:
        return "electronic"
    if wager.meter:
        return "progressive"
    return "main" if wager.required or wager.placed == "after" or wager.name == "ante" else "side"


def _decisions(rules: Rules) -> Iterator[Spot]:
    for item in required_layout(rules):
        decision = item.item.rpartition("_")[2]
        if item.per == "player" and item.item not in rules.wagers and decision in GAMES[rules.game].decisions:
            yield Spot(decision, "decision", item.inscription, item.inscription)


def short_title(title: str) -> str:
    """A wager's title as it fits on a spot.

    >>> short_title("Three-Card Progressive Payout Wager"), short_title("Super Wager on the player's own hand")
    ('3-Card Progr.', 'Super own')
    """
    head, _, about = title.partition(" on ")
    for long, brief in SHORT.items():
        head = head.replace(long, brief)
    words = [word.removesuffix("'s") for word in about.split() if word not in ("the", "hand", "another")]
    return f"{head} {words[-1]}" if words else head


@dataclass(frozen=True)
class Stake:
    """What lies on a spot: chips, or what has become of them."""

    amount: Cents
    settled: str = ""
    """The result of a settled wager, such as ``win``."""
    net: Cents = 0


def stakes_of(view: Mapping[str, Any], rules: Rules, seat: int) -> dict[str, Stake]:
    """The chips of a seat by spot: wagers made, what the decision put down, and the results of settled wagers."""
    played = view.get("round")
    key = str(seat)
    if played is None:
        return {name: Stake(amount) for name, amount in view["wagers"].get(key, {}).items()}
    made: dict[str, Cents] = dict(played["wagers"].get(key, {}))
    decided = played["decisions"].get(key)
    if decided is not None:
        steps = decided_by_step(Decision(decided["choice"], decided["amount"]), decided["then"])
        for name, amount in GAMES[rules.game].later_wagers(rules, Seat(seat, (), made, steps)).items():
            made[name if name in rules.wagers else decided["choice"]] = amount
    stakes = {name: Stake(amount) for name, amount in made.items()}
    for line in played["lines"]:
        name = line["settles"] or line["wager"]
        if line["seat"] == seat and name in stakes:
            stakes[name] = Stake(stakes[name].amount, line["result"], stakes[name].net + line["net"])
    return stakes


@lru_cache(maxsize=8192)
def spot_svg(
    spot: Spot, stake: Stake | None, seat: int, box: tuple[float, float, float, float], interactive: bool
) -> Markup:
    """One spot in its box (left, top, width, height)."""
    x, y, wide, high = box
    ground, ink = INKS[spot.kind]
    size = 13.0 if spot.small else 14.5
    lines = halves(spot.words.upper(), size, wide - 8)
    told = f"Seat {seat}, {spot.title}" + (f": {_told(stake)}" if stake else "")
    frame = element(
        "rect",
        x=x,
        y=y,
        width=wide,
        height=high,
        rx=min(ROUND[spot.kind], high / 2),
        fill=ground,
        stroke=ink,
        stroke_width=2,
        stroke_dasharray="6 4" if spot.kind == "decision" else None,
    )
    lift = 0.0 if stake else (high - 1.05 * size * len(lines)) / 2 - 4
    words = [
        label(line, x + wide / 2, y + 3 + lift + size * (1 + 1.05 * at), size, fit=wide - 8, fill=ink, font_weight=600)
        for at, line in enumerate(lines)
    ]
    keys = {"data_decision": spot.name} if spot.kind == "decision" else {"data_wager": spot.name}
    return element(
        "g",
        element("title", told),
        frame,
        *words,
        _chips(stake, x, y, wide, high) if stake else None,
        id=f"spot-{seat}-{spot.name}",
        class_=f"spot spot-{spot.kind}" + (" staked" if stake else ""),
        data_seat=seat,
        font_family=FONT,
        role="button" if interactive else None,
        tabindex=0 if interactive else None,
        aria_label=told if interactive else None,
        **keys,
    )


def _told(stake: Stake) -> str:
    if not stake.settled:
        return show_dollars(stake.amount)
    return f"{show_dollars(stake.amount)}, {stake.settled}, {signed(stake.net)}"


def signed(net: Cents) -> str:
    return f"+{show_dollars(net)}" if net > 0 else show_dollars(net).replace("-", "−")


CHIPS = ((100_000, "#c98a12"), (50_000, "#5b2a86"), (10_000, "#1c1c1c"), (2_500, "#1d6b34"), (500, "#a3182b"))
"""The colour of the largest chip in an amount; below $5 it is blue-grey."""
LOST, WON, EVEN = "#f2f2ee", "#ffe9a8", "#cfe8ff"


def chip_colour(amount: Cents) -> str:
    return next((colour for least, colour in CHIPS if amount >= least), "#4a5f78")


def _chips(stake: Stake, x: float, y: float, wide: float, high: float) -> Markup:
    """A chip and its amount at the foot of the spot; once settled, what was won or lost."""
    text = show_dollars(stake.amount) if not stake.settled else signed(stake.net) if stake.net else stake.settled
    gone = bool(stake.settled) and stake.net < 0
    size = 16.0
    base = y + high - 14
    fill = "#000000" if not stake.settled else "#3a0d14" if gone else "#1d4a12" if stake.net > 0 else "#1b2f45"
    ink = "#ffffff" if not stake.settled else LOST if gone else WON if stake.net > 0 else EVEN
    plate = element("rect", x=x + 5, y=base - 11, width=wide - 10, height=22, rx=11, fill=fill, stroke=ink)
    # The amount matters more than the picture of a chip, where there is not room for both.
    bare = gone or width_of(text, size, bold=True) > wide - 38
    disc = 0.0 if bare else 24.0
    chip = None if bare else chip_svg(stake.amount, x + 16, base, 11)
    middle = x + 5 + disc + (wide - 12 - disc) / 2
    amount = label(text, middle, base + 5.5, size, fit=wide - disc - 16, fill=ink, font_weight="bold")
    return element("g", plate, chip, amount, class_="chips")


def chip_svg(amount: Cents, x: float, y: float, radius: float) -> Markup:
    """A chip seen from above, in the colour of its value."""
    colour = chip_colour(amount)
    around = 2 * 3.14159 * radius * 0.82
    return element(
        "g",
        element("circle", cx=x, cy=y, r=radius, fill=colour, stroke="#ffffff", stroke_width=1),
        element(
            "circle",
            cx=x,
            cy=y,
            r=radius * 0.82,
            fill="none",
            stroke="#ffffff",
            stroke_width=radius * 0.3,
            stroke_dasharray=f"{around / 12:.2f} {around / 12:.2f}",
        ),
        element("circle", cx=x, cy=y, r=radius * 0.5, fill="#fffdf7"),
    )
