"""Records of the pit on a terminal: a round step by step, lists of rounds, significant events, a deal checked."""

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from pitboss.cards import parse_cards
from pitboss.cli.screen import table_of
from pitboss.cli.screen.rounds import WIDE, cards_text, show_findings
from pitboss.ledger.recall import DealRecord, LinePaid, Recall, RoundSummary
from pitboss.ledger.rows import shown_time
from pitboss.ledger.search import Found
from pitboss.ledger.significant import Significant
from pitboss.ledger.telling import account_words, shown_units
from pitboss.money import show_dollars, show_signed
from pitboss.names import shown
from pitboss.table.discretion import HIDDEN

COLOURS = {"win": "green", "lose": "red", "forfeit": "red", "push": "yellow", "void": "yellow"}


def show_recall(out: Console, recalled: Recall) -> None:
    """Every step with its time, its person and its paragraph; then cards, lines and balances at a glance."""
    out.print(
        Text(f"{recalled.table}, round {recalled.number}: {recalled.state}", style="bold"),
        Text(f"{recalled.game}, law of {recalled.as_of}, {recalled.began} to {recalled.ended or 'now'}"),
        soft_wrap=True,
    )
    for step in recalled.steps:
        cite = f"  [{', '.join(step.cites)}]" if step.cites else ""
        head = Text(f"{step.seq:>7}  {step.at[11:23]}  {step.who} ({step.role})  {step.kind}{cite}", style="dim")
        out.print(head, soft_wrap=True)
        out.print(Padding(Text(step.sentence), (0, 0, 0, 9), expand=False))
    _cards(out, recalled)
    _lines(out, recalled.lines)
    for moved in recalled.meters:
        sign = "+" if moved.units > 0 else ""
        out.print(f"meter {account_words(moved.account)}: {sign}{shown_units(moved.units)}", markup=False)
    for balance in recalled.balances:
        out.print(f"{balance.player}: {show_dollars(balance.before)} before, {show_dollars(balance.after)} after")
    if recalled.irregularities:
        out.print(f"{len(recalled.irregularities)} steps out of the ordinary:")
        for step in recalled.irregularities:
            out.print(f"  {step.seq}  {step.sentence}", markup=False, soft_wrap=True)
    show_deal(out, recalled.deal)


def _cards(out: Console, recalled: Recall) -> None:
    table = table_of(wrapped=("place", "cards, in the order of leaving the deck"))
    for place in dict.fromkeys(dealt.to for dealt in recalled.cards):
        cards = [dealt.card for dealt in recalled.cards if dealt.to == place]
        shown_cards = Text(" ".join(cards)) if HIDDEN in cards else cards_text(parse_cards(" ".join(cards)))
        table.add_row(place.replace("_", " "), shown_cards)
    if recalled.cards:
        out.print(table)


def _lines(out: Console, lines: Sequence[LinePaid]) -> None:
    if not lines:
        return
    table = table_of()
    for heading in ("seat", "wager", "stake", "result", "net", "paragraph", "chips after"):
        right = heading in ("seat", "stake", "net", "chips after")
        table.add_column(heading, justify="right" if right else "left", no_wrap=True)
    if out.width >= WIDE:
        table.add_column("odds", no_wrap=True)
    for line in lines:
        cells = (
            str(line.seat),
            shown(line.wager),
            show_dollars(line.stake),
            Text(line.result, style=COLOURS.get(line.result, "")),
            show_signed(line.net),
            line.cite,
            show_dollars(line.balance),
        )
        table.add_row(*cells, *((line.odds,) if out.width >= WIDE else ()))
    out.print(table)


def show_rounds(out: Console, name: str, rounds: Iterable[RoundSummary]) -> None:
    """A line for each round: what each seat gained or lost."""
    found = False
    for each in rounds:
        found = True
        totals = ", ".join(f"seat {seat} {show_signed(net)}" for seat, net in each.totals.items())
        style = {"void": "yellow", "in play": "green"}.get(each.state, "")
        out.print(
            Text(f"{each.number:>6}  {each.at[:19]}Z "), Text(f"{each.state:<10}", style=style),
            Text(each.note or totals), soft_wrap=True,
        )  # fmt: skip
    if not found:
        out.print(f"No round was played at {name}.", markup=False)


def show_found(out: Console, rounds: Sequence[Found]) -> None:
    """Rounds of several tables, with who played at which seat."""
    for each in rounds:
        players = ", ".join(f"seat {seat} {player}" for seat, player in each.seats.items())
        net = show_signed(sum(each.totals.values()))
        line = f"{each.table}  {each.number}  {each.at[:19]}Z  {each.state}  {players}  {each.note or net}"
        out.print(Text(line), soft_wrap=True)
    if not rounds:
        out.print("No round fits.", markup=False)


def show_significant(out: Console, events: Iterable[Significant]) -> None:
    for event in events:
        where = f"  {event.table}" + (f" round {event.round}" if event.round else "") if event.table else ""
        head = f"{event.seq:>7}  {shown_time(event.at)[:23]}Z  {event.kind}{where}  {event.who} ({event.role})"
        out.print(Text(head, style="bold"), soft_wrap=True)
        why = f" Why: {event.why}." if event.why and not event.why.startswith("[") else f" {event.why}"
        out.print(Padding(Text(event.sentence + why.rstrip()), (0, 0, 0, 9), expand=False))


def show_deal(out: Console, deal: DealRecord) -> None:
    """The commitment and whether the cards agree with it."""
    style = "green" if deal.verdict == "as promised" else "red" if deal.findings else "yellow"
    out.print(Text("deal:"), Text(deal.verdict, style=style), Text(deal.commitment), soft_wrap=True)
    show_findings(out, deal.findings)
