"""Rounds, settlements and findings on a terminal."""

from collections.abc import Iterable

from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from pitboss.cards import DIAMONDS, HEARTS, Card, show_card, show_cards, suit_of
from pitboss.cli.screen import table_of
from pitboss.demo.rounds import ShownRound
from pitboss.findings import Finding
from pitboss.games.chance import shown_faces
from pitboss.games.round import Decision, Round, Seat
from pitboss.games.settlement import Line, LineResult, Settlement
from pitboss.money import show_dollars, show_signed
from pitboss.names import shown

WIDE = 130
"""Columns from which a reason has room beside its line."""

_COLOURS = {
    LineResult.WIN: "green",
    LineResult.LOSE: "red",
    LineResult.FORFEIT: "red",
    LineResult.PUSH: "yellow",
    LineResult.VOID: "yellow",
}


def cards_text(cards: Iterable[Card]) -> Text:
    text = Text()
    for card in cards:
        red = suit_of(card) in (DIAMONDS, HEARTS)
        text.append(show_card(card) + " ", style="bold red" if red else "bold")
    text.rstrip()
    return text


def show_demonstration(out: Console, shown: ShownRound) -> None:
    """A round with what deals it again, its cards and its settlement."""
    up = show_cards(shown.round.dealing.up())
    device = shown.device.replace("-", " ")
    how = "played with" if shown.round.played.dice else "dealt from"
    out.print(f"{shown.round.rules}, {how} {device}, seed {shown.seed}" + (f", up card {up}" if up else ""))
    show_table(out, shown.round.played)
    show_settlement(out, shown.round.settlement)


def show_table(out: Console, played: Round) -> None:
    """The cards and wagers of a round, seat by seat."""
    table = table_of(wrapped=("", "cards", "wagers", "decision"))
    if played.dealer:
        table.add_row("dealer", cards_text(played.dealer), "", "")
    if played.dice:
        table.add_row("dice" if len(played.dice) > 1 else "spin", shown_faces(played.dice), "", "")
    for name, cards in played.extras.items():
        table.add_row(shown(name), cards_text(cards), "", "")
    for seat in played.clockwise():
        wagers = ", ".join(f"{shown(name)} {show_dollars(stake)}" for name, stake in seat.wagers.items())
        table.add_row(f"seat {seat.number}", cards_text(seat.cards), wagers, decision_text(seat))
    out.print(table)


def decision_text(seat: Seat) -> str:
    """What a seat chose, step by step."""
    return ", then ".join(_decision(decision) for decision in seat.decisions.values()) or "–"


def _decision(decision: Decision) -> str:
    words = decision.choice.replace("_", " ")
    if decision.amount is not None:
        words += f" {show_dollars(decision.amount)}"
    if decision.discard:
        words += " " + " ".join(map(show_card, decision.discard))
    if decision.drawn:
        words += " → " + " ".join(map(show_card, decision.drawn))
    return words


def show_settlement(out: Console, settlement: Settlement) -> None:
    """Lines in the order of the law, then what each seat gained or lost, then the meters."""
    if out.width >= WIDE:
        out.print(_lines_table(settlement.lines))
    else:
        _lines_below_each_other(out, settlement.lines)
    for seat, total in settlement.totals.items():
        out.print(f"seat {seat}: {show_signed(total)}")
    for name, balance in settlement.as_dict()["meters"].items():
        amounts = balance if isinstance(balance, dict) else {"": balance}
        parts = ", ".join(f"{tier} {show_dollars(amount)}".strip() for tier, amount in amounts.items())
        out.print(f"meter {shown(name)}: {parts}")


def _lines_table(lines: Iterable[Line]) -> Table:
    table = table_of()
    table.add_column("seat", justify="right")
    table.add_column("wager", no_wrap=True)
    table.add_column("stake", justify="right")
    table.add_column("result")
    table.add_column("net", justify="right")
    table.add_column("paragraph", no_wrap=True)
    table.add_column("why", ratio=1)
    for line in lines:
        table.add_row(
            str(line.seat),
            shown(line.wager),
            show_dollars(line.stake),
            Text(str(line.result), style=_COLOURS[line.result]),
            show_signed(line.net),
            line.cite,
            escape(_why(line)),
        )
    return table


def _lines_below_each_other(out: Console, lines: Iterable[Line]) -> None:
    """On a narrow screen the reason stands under its line, where it can be read."""
    for line in lines:
        head = Text(f"{line.seat:>2}  {shown(line.wager):<24}{show_dollars(line.stake):>9}  ")
        head.append(f"{line.result!s:<8}", style=_COLOURS[line.result])
        head.append(f"{show_signed(line.net):>12}  {line.cite}")
        out.print(head, soft_wrap=True)
        out.print(Padding(Text(_why(line), style="dim"), (0, 0, 0, 4)))
    out.print()


def _why(line: Line) -> str:
    people = [act.act.replace("-", " ") for act in line.acts if act.actor == "floorperson"]
    return line.why + (f" Floorperson: {', '.join(people)}." if people else "")


def show_findings(out: Console, findings: Iterable[Finding]) -> None:
    for finding in findings:
        style = "red" if finding.severity == "error" else "yellow"
        out.print(Text(finding.severity, style=style), Text(f"{finding.code}: {finding}"), soft_wrap=True)
