"""The payout slip on paper: what is paid, why, out of which meter, and who signs for it."""

from collections.abc import Sequence
from datetime import date

from pitboss.games.registry import game_named
from pitboss.ledger.slips import PayoutSlip
from pitboss.money import show_dollars
from pitboss.names import shown
from pitboss.reports.page import cited, heading, page, section, table
from pitboss.reports.stamp import stamp_of
from pitboss.reports.svg import Markup, element, together

SIGNATURES = ("Dealer", "Floorperson or above", "Patron")


def slip_html(slips: Sequence[PayoutSlip]) -> str:
    """One or more slips, each on a sheet of its own."""
    first = slips[0]
    title = f"Payout slip, table {first.table}, round {first.round}"
    return page(title, stamp_of(date.fromisoformat(first.as_of)), *map(slip_part, slips))


def slip_part(slip: PayoutSlip) -> Markup:
    """One slip, as it stands on paper and on the screen of whoever validates it."""
    chapter = game_named(slip.game).chapter
    about = f"58 Pa. Code Chapter {chapter.chapter}, law of {slip.as_of}"
    rows = [
        ("Table, round, seat", f"{slip.table}, {slip.round}, {slip.seat}"),
        ("Patron", slip.player),
        ("Hand turned up", slip.hand or "none"),
        ("Dealer's hand", slip.dealers_hand or "none"),
        ("Dealer", slip.dealer),
        ("Validated by", slip.by or "not yet validated"),
        ("Time (UTC)", slip.at[:19].replace("T", " ")),
    ]
    lines = [
        (
            line.seat,
            shown(line.wager),
            show_dollars(line.stake),
            line.odds,
            show_dollars(line.amount),
            line.why,
            cited(line.cite),
        )
        for line in slip.lines
    ]
    meters = [
        (f"{shown(meter.name.replace('-', ' '))}{f', {meter.tier}' if meter.tier != 'meter' else ''}",
         show_dollars(meter.before), show_dollars(meter.after))
        for meter in slip.meters
    ]  # fmt: skip
    signed = [(name, element("span", class_="blank")) for name in SIGNATURES]
    heads = ("Seat", "Wager", "Stake", "Odds or share", "Amount", "Why", "Paragraph")
    told = together(*(part for cite in slip.cites for part in (cited(cite), " ")))
    return together(
        heading(f"Payout slip: {show_dollars(slip.amount)}", chapter.title, about),
        section("Who", table((), rows)),
        section("What is paid", table(heads, lines, numbers=[2, 4])),
        section("Meters", table(("Meter", "Before", "After"), meters, numbers=[1, 2])) if meters else None,
        section("Signatures", element("p", "A supervisor validates it by ", told), table((), signed)),
    )
