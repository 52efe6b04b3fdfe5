"""Commands of simulation. Imported with the command line, so everything heavy is imported inside them."""

from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pitboss.cli.options import (
    PAPER,
    AsOf,
    ClusterAddress,
    GameName,
    Json,
    PaperFile,
    SubmissionFile,
    check_new,
    day_of,
    give_out,
    is_paper,
    present,
    progress_bar,
    write_paper,
)
from pitboss.cli.questions import LetterList, TableFile, letters_of
from pitboss.findings import UnreadableError
from pitboss.names import all_shown, listed, name_of
from pitboss.typed import typed_count, typed_dollars, typed_percent, within

if TYPE_CHECKING:
    from pitboss.games.rules import Rules
    from pitboss.simulate.plan import Plan
    from pitboss.simulate.totals import Totals

INTERRUPTED, CONTRADICTED = 130, 3
"""Exit codes: the run was interrupted; simulation and exact count contradict each other."""
Seats = Annotated[int, typer.Option(help="How many seats play.")]
Seed = Annotated[int, typer.Option(help="Which rounds: the same seed deals the same cards everywhere.")]
StrategyName = Annotated[
    str,
    typer.Option("--strategy", help="optimal, whole-hands, thresholds, always, never, ...; a wrong name lists all."),
]
Workers = Annotated[int | None, typer.Option(help="Processes on this machine; one for each core if left out.")]
Checkpoint = Annotated[
    Path | None, typer.Option(help="Save the totals here; a run that finds its own file continues from it.")
]
WagerList = Annotated[
    list[str] | None, typer.Option("--wager", help="WAGER=DOLLARS; every wager of the table if left out.")
]
Magic = Annotated[bool, typer.Option(help="Let the system select a Magic Card and a lucky position in every round.")]


def register(app: typer.Typer) -> None:
    app.command()(simulate)
    app.command("shift-report")(shift_report)
    app.command()(bankroll)


def simulate(
    game: GameName,
    rounds: Annotated[str, typer.Option(help="How many rounds: 1000000, 1e8, ...")] = "1e6",
    seats: Seats = 1,
    seed: Seed = 1,
    strategy: StrategyName = "optimal",
    submission: SubmissionFile = None,
    workers: Workers = None,
    cluster: ClusterAddress = None,
    checkpoint: Checkpoint = None,
    wager: WagerList = None,
    magic: Magic = False,
    table: TableFile = None,
    session: Annotated[int, typer.Option(help="Also cut the rounds into sessions of this length.")] = 0,
    output: PaperFile = None,
    json: Json = False,
    as_of: AsOf = None,
) -> None:
    """Play many rounds and set each wager beside its exact value."""
    from pitboss.cli.screen import show_paper
    from pitboss.reports.simulations import run_paper
    from pitboss.simulate.figures import run_figures

    within(session, "The number of rounds in a session", 0, 10**9)
    wanted = typed_count(rounds)
    plan = _plan(game, seats, strategy, submission, wager, magic, as_of, table)
    totals = _run(plan, wanted, seed, workers, cluster, checkpoint, session)
    found = run_figures(totals)
    if output is not None:
        write_paper(output, found, partial(run_paper, found), quiet=json)
    present(json, found.rows, lambda out: show_paper(out, run_paper(found)))
    for sentence in filter(None, (found.slow, *found.alarms) if json else ()):
        typer.echo(f"pitboss: {sentence}", err=True)
    if any(row.wrong for row in found.rows):
        raise typer.Exit(CONTRADICTED)


def shift_report(
    game: GameName,
    rounds: Annotated[int, typer.Option(help="Rounds in a shift.")] = 400,
    shifts: Annotated[str, typer.Option(help="How many shifts to play.")] = "1e4",
    seats: Seats = 4,
    seed: Seed = 1,
    strategy: StrategyName = "optimal",
    submission: SubmissionFile = None,
    workers: Workers = None,
    cluster: ClusterAddress = None,
    checkpoint: Checkpoint = None,
    wager: WagerList = None,
    magic: Magic = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "--output",
            "-o",
            help=f"A new folder for CSV files and plots, or a file: {listed(f'.{kind}' for kind in PAPER)}.",
        ),
    ] = None,
    json: Json = False,
    as_of: AsOf = None,
) -> None:
    """How a table and a player stand after a shift: distribution, drawdown, losing shifts, meters at hits."""
    from pitboss.cli.screen import show_paper
    from pitboss.extras import hint
    from pitboss.reports.simulations import shift_paper
    from pitboss.simulate.figures import run_figures
    from pitboss.simulate.risk import write_shift_report

    wanted = typed_count(shifts, "shifts", 10**9) * within(rounds, "The number of rounds in a shift", 1, 10**9)
    check_new(output)
    plan = _plan(game, seats, strategy, submission, wager, magic, as_of)
    totals = _run(plan, wanted, seed, workers, cluster, checkpoint, rounds)
    found = run_figures(totals)
    paper, folder = (output, None) if output is not None and is_paper(output) else (None, output)
    if paper is not None:
        write_paper(paper, found, partial(shift_paper, found), quiet=json)
    written = [] if folder is None else write_shift_report(totals, folder)
    files = [str(path) for path in (*([paper] if paper else ()), *written)]
    present(json, found.as_dict() | {"files": files}, lambda out: show_paper(out, shift_paper(found)))
    for path in written if not json else ():
        typer.echo(f"Wrote {path}.")
    if folder is not None and (missing := hint("matplotlib")):
        typer.echo(f"pitboss: no plots were drawn. {missing}", err=True)


def bankroll(
    game: GameName,
    seats: Seats = 1,
    wager: WagerList = None,
    paytable: LetterList = None,
    risk: Annotated[str, typer.Option(help="Chance in percent to lose the whole bankroll.")] = "1",
    session: Annotated[int, typer.Option(help="Rounds that a player's bankroll must last.")] = 400,
    rounds: Annotated[str, typer.Option(help="Rounds to play, where cards are dealt.")] = "1e6",
    seed: Seed = 1,
    strategy: StrategyName = "optimal",
    submission: SubmissionFile = None,
    table: TableFile = None,
    output: PaperFile = None,
    json: Json = False,
    as_of: AsOf = None,
) -> None:
    """How a table's wagers and seats vary together, and the bankroll for a stated risk."""
    from pitboss.reports.bankroll import bankroll_paper
    from pitboss.simulate.whole_table import LONGEST_SESSION, MOST_ROUNDS, whole_table

    within(session, "The number of rounds in a session", 1, LONGEST_SESSION)
    wanted = within(typed_count(rounds), "The number of rounds", 1, MOST_ROUNDS)
    share = typed_percent(risk, "risk")
    plan = _plan(game, seats, strategy, submission, wager, False, as_of, table, paytable)
    with progress_bar("rounds") as tell:
        found = whole_table(plan, wanted, _seed(seed), session, share, tell)
    give_out(output, json, found, partial(bankroll_paper, found))


def _rules(game: str, submission: Path | None, as_of: datetime | None, paytable: list[str] | None) -> "Rules":
    from pitboss.api import lawful_rules, load_submission, rules_for
    from pitboss.games.registry import game_named
    from pitboss.games.rules import Choices

    if submission is None:
        day = day_of(as_of)
        return rules_for(game, day, Choices(letters=letters_of(game_named(game), day, paytable or ())))
    if paytable:
        raise UnreadableError("A submission names its pay tables; leave --paytable out.")
    return lawful_rules(load_submission(submission, game), as_of.date() if as_of else None)


def _plan(
    game: str,
    seats: int,
    strategy: str,
    submission: Path | None,
    wager: list[str] | None,
    magic: bool,
    as_of: datetime | None,
    table: Path | None = None,
    paytable: list[str] | None = None,
) -> "Plan":
    from pitboss.simulate.plan import every_wager, make_plan

    rules = _rules(game, submission, as_of, paytable)
    if table is not None:
        from pitboss.exact.whatif import what_if_file

        rules = what_if_file(rules, table)
    if not 1 <= seats <= rules.seats:
        raise UnreadableError(f"This table has seats 1 to {rules.seats}; {seats} cannot play.")
    return make_plan(rules, every_wager(rules, seats, _stakes(rules, wager)), strategy, magic)


def _seed(seed: int) -> int:
    if not 0 <= seed < 2**64:
        raise UnreadableError(f"A seed is a whole number from 0 to 2^64 - 1, not {seed}.")
    return seed


def _stakes(rules: "Rules", given: list[str] | None) -> dict[str, int] | None:

    if not given:
        return None
    stakes = {}
    for text in given:
        words, _, dollars = text.partition("=")
        name = name_of(words)
        try:
            stakes[name] = typed_dollars(dollars)
        except UnreadableError as problem:
            raise UnreadableError(f"{text!r} is not a wager, write WAGER=DOLLARS: {problem}") from None
        wager = rules.wagers.get(name) or rules.wager_named(name)
        if wager is None or wager.placed != "before":
            known = all_shown(w.name for w in rules.wagers.values() if w.placed == "before")
            raise UnreadableError(f"{rules.game} has no wager {words!r} before the cards; there are {known}.")
    return stakes


def _run(
    plan: "Plan",
    rounds: int,
    seed: int,
    workers: int | None,
    cluster: str | None,
    checkpoint: Path | None,
    session: int,
) -> "Totals":
    import os

    from pitboss.simulate.cluster import Cluster
    from pitboss.simulate.runs import BATCH, simulate

    _seed(seed)
    if workers is not None:
        within(workers, "The number of processes", 1, 1024)
    count = workers or os.cpu_count() or 1
    # A small run is over before a second process has started.
    used = 1 if workers is None and rounds <= 2 * BATCH else count
    source = None if cluster is None else Cluster(cluster, count)
    with progress_bar("rounds") as tell:
        try:
            return simulate(
                plan, rounds, seed, workers=used, session=session, source=source, checkpoint=checkpoint, progress=tell
            )
        except KeyboardInterrupt:
            kept = f"run the same command again to continue from {checkpoint}" if checkpoint else "nothing was saved"
            typer.echo(f"pitboss: interrupted; {kept}.", err=True)
            raise typer.Exit(INTERRUPTED) from None
