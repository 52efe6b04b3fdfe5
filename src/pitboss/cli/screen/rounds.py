"""Cards and findings on a terminal."""

from collections.abc import Iterable

from rich.console import Console
from rich.text import Text

from pitboss.cards import DIAMONDS, HEARTS, Card, show_card, suit_of
from pitboss.findings import Finding

WIDE = 130
"""Columns from which a reason has room beside its line."""


def cards_text(cards: Iterable[Card]) -> Text:
    text = Text()
    for card in cards:
        red = suit_of(card) in (DIAMONDS, HEARTS)
        text.append(show_card(card) + " ", style="bold red" if red else "bold")
    text.rstrip()
    return text


def show_findings(out: Console, findings: Iterable[Finding]) -> None:
    for finding in findings:
        style = "red" if finding.severity == "error" else "yellow"
        out.print(Text(finding.severity, style=style), Text(f"{finding.code}: {finding}"), soft_wrap=True)
