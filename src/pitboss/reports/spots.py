"""The betting spots of one seat: which there are, what lies on them, and how each is drawn."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal

from pitboss.games.handover import Handover
from pitboss.games.layout import required_layout
from pitboss.games.registry import GAMES
from pitboss.games.round import Decision, Seat, decided
from pitboss.games.rules import Rules
from pitboss.law.model import Face, Wager
from pitboss.money import Cents, show_dollars
from pitboss.reports.board import ACROSS
from pitboss.reports.dice import die_svg
from pitboss.reports.svg import FONT, Markup, element, halves, label, rect, width_of
from pitboss.spoken import spoken

Kind = Literal["main", "side", "metered", "electronic", "decision"]
Shape = Literal["area", "number", "point"]
LINE = "#e9d9a6"
INK = "#14110c"
"""Letters on patrons' chips."""
INKS: dict[Kind, tuple[str, str]] = {
    "main": ("#123c2d", "#f4ecd0"),
    "side": ("#0f3527", "#e9d9a6"),
    "metered": ("#4a1420", "#f0b9a8"),
    "electronic": ("#0c1d2b", "#8fd3f0"),
    "decision": ("#123c2d", "#e9d9a6"),
}
"""The ground of a spot and its line, which is also its lettering; each pair contrasts at more than 4.5 to 1."""
ROUND: dict[Kind, float] = {"main": 24, "side": 9, "metered": 9, "electronic": 3, "decision": 9}
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
    """The wager as a command names it, with the numbers chosen; or the decision."""
    kind: Kind
    title: str
    words: str
    small: bool = False
    numbers: tuple[Face, ...] = ()
    """What was chosen, where a wager is made on faces of dice; on a wheel, what it covers."""
    pays: str = ""
    wager: str = ""
    """The entry of the law, without the numbers chosen."""
    shape: Shape = "area"
    """An area with its words, the box of a number, or a place on a line between such boxes."""
    fill: str = ""
    """The colour of its ground, where it is not that of its kind."""
    wheel: bool = False

    @property
    def faces(self) -> tuple[int, ...]:
        """The dice that show what was chosen, where dice are what a round is played with."""
        return () if self.wheel else tuple(map(int, self.numbers))


def spots_of(rules: Rules, seat: int) -> tuple[Spot, ...]:
    """What one seat can bet on: only wagers on offer, and the areas that the layout gives to decisions."""
    shared = {wager.name for wager in _shared(rules)}
    wagers = (wager for wager in rules.wagers.values() if wager.name not in shared)
    return (*(spot for wager in wagers for spot in _spots(rules, wager, seat)), *_decisions(rules))


def shared_spots(rules: Rules) -> tuple[Spot, ...]:
    """Areas that all seats bet on, each with its odds."""
    return tuple(spot for row in shared_rows(rules) for spot in row)


def shared_rows(rules: Rules) -> tuple[tuple[Spot, ...], ...]:
    """Areas that all seats bet on, as the law puts them on the table and not before each seat: the numbers of a wager,
    and neighbours without, side by side as long as a row has room for them."""
    blocks: list[tuple[Spot, ...]] = []
    picking = True
    for wager in _shared(rules):
        spots = tuple(replace(spot, pays=_pays(rules, wager)) for spot in _spots(rules, wager, 0))
        if wager.picks or picking:
            blocks.append(spots)
        else:
            blocks[-1] += spots
        picking = bool(wager.picks)
    rows: list[tuple[Spot, ...]] = []
    for block in blocks:
        if rows and len(rows[-1]) + len(block) <= ACROSS:
            rows[-1] += block
        else:
            rows.append(block)
    return tuple(rows)


def _shared(rules: Rules) -> list[Wager]:
    areas = [item.item for item in required_layout(rules) if item.per == "table"]
    return [wager for wager in rules.wagers.values() if wager.name in areas]


def _pays(rules: Rules, wager: Wager) -> str:
    """The odds of a wager: its own row of a table that it shares, or all rows that are no other wager's."""
    rows = rules.tables[wager.paytable].rows
    own = [wager.name] if wager.name in rows else [row for row in rows if row not in rules.wagers]
    odds = [rows[row] for row in own][::-1]
    figures = [str(each).split()[0] for each in odds]
    return rules.worded(odds[-1]).replace(figures[-1], ", ".join(figures))


def _spots(rules: Rules, wager: Wager, seat: int) -> Iterator[Spot]:
    for name in wager.names(rules.seats, rules.choices.device):
        picked = wager.picked(name) if wager.picks else ()
        if not wager.on_another_seat:
            title = spoken(name) or wager.title
            words = short_title(wager.title)
            yield Spot(name, _kind(rules, wager), title, words, numbers=picked, wager=wager.name)
        elif picked != (seat,):
            words = f"{wager.title.split(' Wager')[0]} seat {picked[0]}"
            yield Spot(name, "side", f"{wager.title}: seat {picked[0]}", words, small=True)


def _kind(rules: Rules, wager: Wager) -> Kind:
    electronic = (item.when for item in required_layout(rules) if item.item == "electronic_wagering_system")
    if any(wager.name in names for names in electronic):
        return "electronic"
    if wager.meter:
        return "metered"
    return "side" if wager.role == "side" else "main"


def _decisions(rules: Rules) -> Iterator[Spot]:
    for item in required_layout(rules):
        decision = item.item.rpartition("_")[2]
        if item.per == "player" and item.item not in rules.wagers and decision in GAMES[rules.game].decisions:
            yield Spot(decision, "decision", item.inscription, item.inscription)


def short_title(title: str) -> str:
    """A wager's title as it fits on a spot.

    >>> short_title("Seven-Card Progressive Payout Wager"), short_title("Great Wager on the player's own hand")
    ('Seven-Card Progr.', 'Great own')
    """
    head, _, about = title.partition(" on ")
    for long, brief in SHORT.items():
        head = head.replace(long, brief)
    words = [word.removesuffix("'s") for word in about.split() if word not in ("the", "hand", "another")]
    return f"{head} {words[-1]}" if words else head


PILE = 39.0
"""How high the bars of several patrons are together in a number's box."""
UNMOVED = Handover(0, 0, 0, 0)
PATRONS = ("#2fb3b9", "#f0943f", "#c08ae6", "#a9cf45", "#f08bb4", "#f0d04a", "#86bff0", "#cfa27a")
"""The colors of patrons' chips, by seat; each carries dark letters."""


@dataclass(frozen=True)
class Stake:
    """What lies on a spot: chips, or what has become of them."""

    amount: Cents
    settled: str = ""
    """The result of a settled wager, such as ``win``."""
    moves: Handover = UNMOVED
    patrons: tuple[tuple[int, "Stake"], ...] = ()
    """Whose chips they are, by seat, where several patrons bet on one spot."""

    @property
    def text(self) -> str:
        """The stake, or once settled what was handed over or taken."""
        return self.moves.brief(self.settled) if self.settled else show_dollars(self.amount)


def _moves(line: Mapping[str, Any]) -> Handover:
    return Handover(line["handed_over"], line["taken"], line["stays"], line["collected"])


def decisions_of(view: Mapping[str, Any], seat: int) -> dict[str, Decision]:
    """What a seat has decided so far, by step; cards as the view shows them."""
    made = ((view.get("round") or {}).get("decisions") or {}).get(str(seat)) or {}
    names = ("choice", "amount", "discard", "drawn")
    if "choice" in made:  # of a game that asks once
        return decided(Decision(*(made[name] for name in names)), made.get("then"))
    return {step: Decision(*(each[name] for name in names)) for step, each in made.items()}


def stakes_of(view: Mapping[str, Any], rules: Rules, seat: int) -> dict[str, Stake]:
    """The chips of a seat by spot: wagers made before the cards and by decisions, and the results of settled wagers."""
    played = view.get("round")
    key = str(seat)
    if played is None:
        lying = view["wagers"].get(key, {}) | {
            name: each["stake"] for name, each in (view.get("carried") or {}).get(key, {}).items()
        }
        return {name: Stake(amount) for name, amount in lying.items()}
    game, wagers, steps = GAMES[rules.game], played["wagers"].get(key, {}), decisions_of(view, seat)
    made: dict[str, Cents] = dict(wagers)
    for step, decision in steps.items():
        for name, amount in game.later_wagers(rules, Seat(seat, (), wagers, {step: decision})).items():
            made[name if name in rules.wagers else decision.choice] = amount
    back = game.course.taken_back(rules, Seat(seat, (), wagers, steps))
    stakes = {name: Stake(amount) for name, amount in made.items() if name not in back}
    if key in played.get("stacks", {}) and not played["lines"]:  # what is bet lies in the pot
        stakes[game.course.unit] = Stake(played["stacks"][key])
    for line in played["lines"]:
        name = line["settles"] or line["wager"]
        if line["seat"] == seat and name in stakes:
            stakes[name] = Stake(stakes[name].amount, line["result"], stakes[name].moves + _moves(line))
    return stakes


def merged(stakes: Iterable[Stake | None]) -> Stake | None:
    """The chips of several seats on one spot."""
    found = [stake for stake in stakes if stake is not None]
    if not found:
        return None
    settled = {stake.settled for stake in found}
    total = sum(stake.amount for stake in found)
    moves = sum((stake.moves for stake in found), UNMOVED)
    return Stake(total, settled.pop() if len(settled) == 1 else "settled", moves)


def shared_stake(stakes: Mapping[int, Mapping[str, Stake]], own: int, name: str, *, apart: bool) -> Stake | None:
    """What lies on a spot that all seats share: the viewer's chips, or where there are none everybody's.

    With ``apart`` it says whose chips lie there too.
    """
    stake = stakes.get(own, {}).get(name) or merged(made.get(name) for made in stakes.values())
    if stake is None or not apart:
        return stake
    return replace(stake, patrons=tuple((seat, made[name]) for seat, made in stakes.items() if name in made))


def patron_mark(seat: int) -> tuple[str, str]:
    """The letter and the color of a patron's chips where all bet on one layout.

    >>> patron_mark(1), patron_mark(8)[0]
    (('A', '#2fb3b9'), 'H')
    """
    return chr(ord("A") + seat - 1), PATRONS[(seat - 1) % len(PATRONS)]


@lru_cache(maxsize=8192)
def spot_svg(
    spot: Spot, stake: Stake | None, seat: int, box: tuple[float, float, float, float], interactive: bool
) -> Markup:
    """One spot in its box (left, top, width, height)."""
    x, y, wide, high = box
    ground, ink = INKS[spot.kind]
    told = (f"Seat {seat}, " if seat else "") + spot.title + (f", pays {spot.pays}" if spot.pays else "")
    told += f": {_told(stake)}" if stake else ""
    told += (
        "".join(f"; {patron_mark(seat)[0]}, seat {seat}, {own.text}" for seat, own in stake.patrons) if stake else ""
    )
    if spot.shape != "area":
        return _spot(spot, seat, told, interactive, *_on_numbers(spot, stake, box), staked=stake is not None)
    size = 13.0 if spot.small else 11.5 if spot.pays else 14.5
    lines = halves(spot.words.upper(), size, wide - 8)
    dashes, corner = "6 4" if spot.kind == "decision" else None, min(ROUND[spot.kind], high / 2)
    fill = spot.fill or ground
    frame = rect(x, y, wide, high, rx=corner, fill=fill, stroke=ink, stroke_width=2, stroke_dasharray=dashes)
    lift = 0.0 if stake or spot.pays else (high - 1.05 * size * len(lines)) / 2 - 4
    words = [
        label(line, x + wide / 2, y + 3 + lift + size * (1 + 1.05 * at), size, fit=wide - 8, fill=ink, font_weight=600)
        for at, line in enumerate(lines)
    ]
    if spot.pays:
        words.append(label(spot.pays, x + wide / 2, y + 0.68 * high, 13, fit=wide - 8, fill=ink))
    across = wide / 2 - 12 * len(spot.faces)
    dice = [die_svg(face, x + across + 24 * at + 1, y + 0.32 * high, 21) for at, face in enumerate(spot.faces)]
    chips = _chips(stake, x, y, wide, high) if stake else None
    if stake is not None and stake.patrons:
        chips = _apart(stake, x + wide / 2, y + high - 15, wide)
    elif spot.wheel and stake is not None:
        chips = _chip(stake, x + wide - 24, y + high / 2)
    return _spot(spot, seat, told, interactive, frame, *words, *dice, chips, staked=stake is not None)


def _spot(spot: Spot, seat: int, told: str, interactive: bool, *parts: Markup | None, staked: bool) -> Markup:
    """What is drawn of a spot, as a click or the keyboard finds it."""
    keys = {"data_decision": spot.name} if spot.kind == "decision" else {"data_wager": spot.name}
    shape = "" if spot.shape == "area" else f" spot-{spot.shape}"
    return element(
        "g",
        element("title", told),
        *parts,
        id=f"spot-{seat}-{spot.name}",
        class_=f"spot spot-{spot.kind}{shape}" + (" staked" if staked else ""),
        data_seat=seat or None,
        font_family=FONT,
        role="button" if interactive else None,
        tabindex=0 if interactive else None,
        aria_label=told if interactive else None,
        **keys,
    )


def _on_numbers(spot: Spot, stake: Stake | None, box: tuple[float, float, float, float]) -> Iterator[Markup]:
    """The box of a number, or a place on the line between some; its chip has the amount on it."""
    x, y, wide, high = box
    middle, centre = x + wide / 2, y + high / 2
    if spot.shape == "number":
        yield element("rect", x=x, y=y, width=wide, height=high, fill=spot.fill, stroke=LINE, stroke_width=2)
        low = 0 if stake is None else 22
        yield label(
            spot.numbers[0], middle, centre + 9 - low, 26 if stake is None else 20, fill="#ffffff", font_weight=600
        )
    else:
        yield element("rect", x=x, y=y, width=wide, height=high, rx=wide / 2, fill=LINE, fill_opacity=0.0)
        yield element("circle", cx=middle, cy=centre, r=3.5, fill=LINE, fill_opacity=0.75)
    if stake is not None and stake.patrons:
        yield _piled(stake, middle, y + 0.585 * high if spot.shape == "number" else centre)
    elif stake is not None:
        yield _chip(stake, middle, centre + (high * 0.16 if spot.shape == "number" else 0.0))


def _apart(stake: Stake, x: float, y: float, wide: float, radius: float = 14.0) -> Markup:
    """Each patron's chips in the patron's color, with letter and dollars; once settled, what was won or lost."""
    many = len(stake.patrons)
    step = min(2 * radius, (max(wide, 58) - 2 * radius) / max(many - 1, 1))
    drawn = []
    for at, (seat, own) in enumerate(stake.patrons):
        letter, color = patron_mark(seat)
        across = x + step * (at - (many - 1) / 2)
        drawn += [
            element("circle", cx=across, cy=y, r=radius, fill=color, **_ring(own)),
            label(letter, across, y - 1, 11.5, fill=INK, font_weight="bold"),
            label(own.text.replace("$", ""), across, y + 10, 10.5, fit=2 * radius - 4, fill=INK, font_weight=600),
        ]
    return element("g", *drawn, class_="chips")


def _piled(stake: Stake, x: float, y: float) -> Markup:
    """Chips of several patrons on one number or line, a bar each: what lies on the lines beside it stays free."""
    many = len(stake.patrons)
    if many == 1:
        return _apart(stake, x, y, 0, 12.5)
    high = min(13.0, PILE / many)
    drawn = []
    for at, (seat, own) in enumerate(stake.patrons):
        letter, color = patron_mark(seat)
        top, text = y + high * (at - many / 2), f"{letter} {own.text.replace('$', '')}"
        drawn += [
            rect(x - 13, top, 26, high, rx=high / 2, fill=color, **_ring(own)),
            label(text, x, top + 0.82 * high, 0.85 * high, fit=23, fill=INK, font_weight="bold"),
        ]
    return element("g", *drawn, class_="chips")


def _ring(own: Stake) -> dict[str, Any]:
    """The line around a patron's chips, which says once settled whether they won."""
    stroke = INK if not own.settled else WON if own.moves.paid > 0 else "#6b7076"
    return {"stroke": stroke, "stroke_width": 2 if own.settled else 1}


def _chip(stake: Stake, x: float, y: float) -> Markup:
    """A chip with its amount on it; once settled, what was won or lost."""
    ring = "#ffffff" if not stake.settled else WON if stake.moves.paid > 0 else "#6b7076"
    return element(
        "g",
        element("circle", cx=x, cy=y, r=18.5, fill=chip_colour(stake.amount), stroke=ring, stroke_width=3),
        label(stake.text, x, y + 5, 14, fit=31, fill="#ffffff", font_weight="bold"),
        class_="chips",
    )


def _told(stake: Stake) -> str:
    if not stake.settled:
        return show_dollars(stake.amount)
    return f"{show_dollars(stake.amount)}, {stake.settled}, {stake.moves.outcome(stake.settled)}"


def signed(net: Cents) -> str:
    return f"+{show_dollars(net)}" if net > 0 else show_dollars(net).replace("-", "−")


CHIPS = ((100_000, "#c98a12"), (50_000, "#5b2a86"), (10_000, "#1c1c1c"), (2_500, "#1d6b34"), (500, "#a3182b"))
"""The colour of the largest chip in an amount; below $5 it is blue-grey."""
LOST, WON, EVEN = "#f2f2ee", "#ffe9a8", "#cfe8ff"


def chip_colour(amount: Cents) -> str:
    return next((colour for least, colour in CHIPS if amount >= least), "#4a5f78")


def _chips(stake: Stake, x: float, y: float, wide: float, high: float) -> Markup:
    """A chip and its amount at the foot of the spot; once settled, what was won or lost."""
    text, won = stake.text, stake.moves.paid > 0
    gone = bool(stake.settled) and not won and not stake.moves.stays
    size = 16.0
    base = y + high - 14
    fill = "#000000" if not stake.settled else "#3a0d14" if gone else "#1d4a12" if won else "#1b2f45"
    ink = "#ffffff" if not stake.settled else LOST if gone else WON if won else EVEN
    plate = rect(x + 5, base - 11, wide - 10, 22, rx=11, fill=fill, stroke=ink)
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
