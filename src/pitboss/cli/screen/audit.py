"""A verified deal on a terminal."""

from rich.console import Console
from rich.text import Text

from pitboss.cli.screen.rounds import show_findings
from pitboss.ledger.recall import DealRecord


def show_deal(out: Console, deal: DealRecord) -> None:
    """The commitment and whether the cards agree with it."""
    style = "green" if deal.verdict == "as promised" else "red" if deal.findings else "yellow"
    out.print(Text("deal:"), Text(deal.verdict, style=style), Text(deal.commitment), soft_wrap=True)
    show_findings(out, deal.findings)
