"""How the meters look: large figures for a wall screen, their tables, and what each paid last."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from pitboss.games.registry import GAMES
from pitboss.ledger.rows import shown_time
from pitboss.ledger.store import Store
from pitboss.money import Cents, show_dollars
from pitboss.web.pages.shell import escape
from pitboss.web.pages.theme import sheet

PAID: Final = "meter.paid"
FEWEST_SIGNS: Final = 11
"""Room for the next digit, so that a figure that grows stays in its place."""
STYLE: Final = sheet("meters.html")
BOARD_STYLE: Final = sheet("meter_board.html")
BOARD_LINKS: Final = """
<h1 style="position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden">Progressive meters</h1>
<div class="mt-top"><button type="button" onclick="document.documentElement.requestFullscreen()">Full screen</button>
<a href="/meters">Back</a></div>
"""
LINKS: Final = '<div class="mt-top"><a href="/meters?board=1">Show on a wall screen</a></div>'
SCRIPT: Final = sheet("meters_script.html")


@dataclass(frozen=True)
class LastJackpot:
    """What a meter paid last: when, where and how much."""

    amount: Cents
    table: str
    round: int
    at: int
    whole: bool
    """Whether the meter started again."""


@dataclass
class Jackpots:
    """The last jackpot of each meter; only events since the last look are read."""

    store: Store
    after: int = 0
    last: dict[str, LastJackpot] = field(default_factory=dict)

    def look(self) -> Mapping[str, LastJackpot]:
        with self.store.reading() as reading:
            paid, head = reading.events(after=self.after, kinds=(PAID,)), reading.head.seq
        for event in paid:
            amount, whole = event.data["amount"], bool(event.data["reseeded"])
            self.last[event.data["meter"]] = LastJackpot(amount, event.stream, event.round, event.at, whole)
        self.after = head
        return self.last


def amount_id(meter: str, tier: str) -> str:
    return f"amount-{meter}-{tier}"


def amounts_of(meters: Mapping[str, Mapping[str, Any]]) -> dict[str, Cents]:
    """Every amount on the board under the id of its place."""
    return {amount_id(m, tier): cents for m, known in meters.items() for tier, cents in known["amounts"].items()}


def sign(amount: Cents) -> str:
    """Always with cents, so that the figure does not change its width.

    >>> sign(1234567), sign(100)
    ('$12,345.67', '$1.00')
    """
    return f"${amount // 100:,}.{amount % 100:02d}"


def board_html(meters: Mapping[str, Mapping[str, Any]], last: Mapping[str, LastJackpot], *, links: bool) -> str:
    order = board_order(meters)
    cards = [meter_html(meter, meters[meter], last.get(meter), links=links) for meter in order]
    wide = columns(len(cards))
    longest = max([FEWEST_SIGNS, *(len(sign(amount)) for amount in amounts_of(meters).values())])
    shape = f"--mt-cols:{wide};--mt-rows:{max(1, -(-len(cards) // wide))};--mt-wide:{longest * 0.53:g}"
    empty = '<p class="pb-soft">The house has no meter.</p>'
    return f'<div class="mt-board" style="{shape}">{"".join(cards) or empty}</div>'


def meter_html(meter: str, known: Mapping[str, Any], jackpot: LastJackpot | None, *, links: bool = True) -> str:
    tiers = known["amounts"]
    shown = "".join(
        f'<div class="mt-tier{" mt-small" if len(tiers) > 1 and place else ""}">'
        f"{f'<span class=mt-name>{escape(tier)}</span>' if len(tiers) > 1 else ''}"
        f'<span class="mt-amount" id="{escape(amount_id(meter, tier))}">{sign(cents)}</span></div>'
        for place, (tier, cents) in enumerate(tiers.items())
    )
    game = GAMES[known["game"]].chapter.title if known["game"] in GAMES else known["game"]
    letter = "" if known["letter"] == "-" else f", pay table {known['letter']}"
    tables = [f'<a href="/table/{escape(t)}">{escape(t)}</a>' if links else escape(t) for t in known["tables"]]
    where = f"Played at {', '.join(tables)}" if tables else "No open table is linked"
    return (
        f'<section class="mt-meter" aria-label="Meter {escape(meter)}"><div>'
        f"<h2>{escape(meter_title(meter, known['name']))}</h2>"
        f'<div class="mt-game">{escape(game)} · {escape(known["name"].replace("_", " "))}{escape(letter)}</div></div>'
        f'{shown}<div class="mt-foot"><span>{where}</span><span>{_jackpot_html(jackpot)}</span></div></section>'
    )


def _jackpot_html(jackpot: LastJackpot | None) -> str:
    if jackpot is None:
        return "Nothing paid yet"
    when = shown_time(jackpot.at)[:16].replace("T", " ")
    again = ", meter started again" if jackpot.whole else ""
    return (
        f"Last paid <strong>{show_dollars(jackpot.amount)}</strong> at {escape(jackpot.table)}, round "
        f"{jackpot.round}, {when} UTC{again}"
    )


def meter_title(meter: str, name: str) -> str:
    """A table's own meter is known by its wager and the table; a linked one by the name it was given.

    >>> meter_title("pit-1-grand_meter", "grand_meter"), meter_title("wide-area", "grand_meter")
    ('Grand meter, pit-1', 'Wide area')
    """
    own = meter.removesuffix(f"-{name}")
    if own != meter:
        return f"{name.replace('_', ' ').capitalize()}, {own}"
    return meter.replace("-", " ").replace("_", " ").capitalize()


def board_order(meters: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """Meters that can be played for now come first, the largest before the others."""
    return sorted(
        meters, key=lambda meter: (not meters[meter]["tables"], -max(meters[meter]["amounts"].values()), meter)
    )


def columns(count: int) -> int:
    """How many meters stand side by side on a wall screen.

    >>> [columns(count) for count in (1, 2, 4, 5, 9, 10, 16)]
    [1, 2, 2, 3, 3, 4, 4]
    """
    return 1 if count <= 1 else 2 if count <= 4 else 3 if count <= 9 else 4
