"""Commands of single rounds: the games, a round file settled, a round dealt."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pitboss.cli.options import FOUND, AsOf, GameName, Json, PaperFile, SubmissionFile, day_of, give_out, print_json

if TYPE_CHECKING:
    from pitboss.demo.rounds import ShownRound
    from pitboss.paper.model import Paper


def register(app: typer.Typer) -> None:
    for command in (games, settle, deal, demo):
        app.command()(command)
    app.command("hand-history")(hand_history)


def games(json: Json = False, as_of: AsOf = None) -> None:
    """The games, with their wagers and pay tables in force."""
    from pitboss.catalog import catalog

    entries = catalog(day_of(as_of))
    if json:
        print_json(entries)
        return
    from pitboss.cli.screen import console

    out = console()
    for entry in entries:
        out.print(
            f"[bold]{entry['name']}[/bold]  {entry['title']}, chapter {entry['chapter']}, up to {entry['seats']} seats"
        )
        for wager in entry["wagers"]:
            letters = f"  pay tables {' '.join(wager['paytables'])}" if wager["paytables"] else ""
            offer = "optional" if wager["optional"] else ""
            out.print(f"  {wager['title']:<52}{wager['cite']:<16}{offer:<10}in files: {wager['name']}{letters}")


def settle(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A round in TOML.")],
    output: PaperFile = None,
    json: Json = False,
    as_of: AsOf = None,
) -> None:
    """Settle a round file, each line with its paragraph."""
    from pitboss.api import settle_file

    settlement = settle_file(file, day_of(as_of))
    if not settlement.findings:
        from pitboss.reports.settlement import settlement_paper

        give_out(output, json, settlement, partial(settlement_paper, settlement))
        return
    if json:
        print_json(settlement)
    for finding in settlement.findings:
        typer.echo(f"pitboss: {finding}", err=True)
    typer.echo("pitboss: nothing was settled.", err=True)
    raise typer.Exit(FOUND)


def deal(
    game: GameName,
    seats: Annotated[int | None, typer.Option(help="How many seats play; three if left out.")] = None,
    seed: Annotated[int | None, typer.Option(help="Deal the same round again.")] = None,
    submission: SubmissionFile = None,
    device: Annotated[str | None, typer.Option(help="manual-shoe, hand or automated-shoe.")] = None,
    output: PaperFile = None,
    json: Json = False,
    as_of: AsOf = None,
) -> None:
    """Deal a round by the book, play it, settle it."""
    from pitboss.demo.rounds import demonstrate

    shown = demonstrate(game, day_of(as_of), seats=seats, seed=seed, submission=submission, device=device)
    give_out(output, json, shown, partial(_shown_paper, shown))


def _shown_paper(shown: "ShownRound", printed: int | None = None) -> "Paper":
    from pitboss.cards import show_cards
    from pitboss.reports.settlement import settlement_paper

    played, up = shown.round.played, show_cards(shown.round.dealing.up())
    how = f"{'played with' if played.dice else 'dealt from'} {shown.device.replace('-', ' ')}, seed {shown.seed}"
    title = f"{shown.round.rules}, {how}" + (f", up card {up}" if up else "")
    return settlement_paper(shown.round.settlement, printed, title=title, played=played)


def demo(seed: Annotated[int, typer.Option(help="Which rounds.")] = 11, as_of: AsOf = None) -> None:
    """Deal and settle one demonstration round of every game."""
    from pitboss import NOTICE
    from pitboss.api import game_names
    from pitboss.cli.screen import console, show_paper
    from pitboss.demo.rounds import demonstrate

    out = console()
    for name in game_names():
        out.rule(name)
        show_paper(out, _shown_paper(demonstrate(name, day_of(as_of), seed=seed)))
    out.print(NOTICE)


def hand_history(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A round in TOML, or a hand history in PHH.")],
    as_of: AsOf = None,
) -> None:
    """Players against each other: a round file as a hand history (PHH), or back."""
    from pitboss.api import rules_of_file
    from pitboss.documents import read_text
    from pitboss.findings import FindingsError
    from pitboss.games.handhistory import read, round_text, written
    from pitboss.games.roundfile import read_round_file

    if file.suffix == ".phh":
        typer.echo(round_text(*read(read_text(file), day_of(as_of))), nl=False)
        return
    given = read_round_file(file)
    rules, findings = rules_of_file(given, file.parent, given.as_of or day_of(as_of))
    if rules is None or findings or given.findings:
        raise FindingsError((*findings, *given.findings))
    typer.echo(written(rules, given.played), nl=False)
