"""Commands of exact mathematics. Imported with the command line, so everything heavy is imported inside them."""

from datetime import date
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
    SignedNumbers,
    SubmissionFile,
    file_option,
    give_out,
    present,
    write_bytes,
    write_new,
    write_paper,
)
from pitboss.cli.questions import (
    FactsSet,
    KnownWords,
    Letter,
    Pays,
    Reading,
    Stake,
    StakeOfEdge,
    TableFile,
    WagerName,
    asked,
    counting,
    facts_given,
    rules_asked,
    variant_named,
)
from pitboss.findings import Finding, UnreadableError, refusal
from pitboss.names import all_shown, name_of
from pitboss.typed import typed_dollars, typed_percent, within

if TYPE_CHECKING:
    from pitboss.exact.redraw import Engine


def register(app: typer.Typer) -> None:
    for command in (edge, equity, hand, strategy, protect, solve):
        app.command()(command)
    app.command(cls=SignedNumbers)(target)
    app.command(cls=SignedNumbers)(design)


def lint_mathematics(day: date) -> "list[Finding]":
    """Findings from the holds of all pay tables; one note instead where the extra for it is not installed."""
    from pitboss.extras import sentence_of

    try:
        from pitboss.exact.lint import mathematics_findings
    except ModuleNotFoundError as missing:
        sentence = f"Holds were not computed. {sentence_of(missing)}"
        return [refusal("holds-not-computed", "the extra 'exact'", "not installed", sentence, severity="note")]
    with counting() as progress:
        return list(mathematics_findings(day, progress))


def edge(
    game: GameName,
    wager: WagerName = None,
    paytable: Letter = None,
    pay: Pays = None,
    table: TableFile = None,
    stake: StakeOfEdge = None,
    reading: Reading = None,
    fact: FactsSet = None,
    known: KnownWords = None,
    outcomes: Annotated[bool, typer.Option("--outcomes", help="Also show every outcome, with bars.")] = False,
    json: Json = False,
    output: PaperFile = None,
    as_of: AsOf = None,
) -> None:
    """The exact hold of every wager and pay table, or of the main wagers against who knows a card too early."""
    from pitboss.cli.screen import show_paper
    from pitboss.exact.edge import MAIN, edge_figures, variants
    from pitboss.exact.exposed import read_known
    from pitboss.exact.figures import figures_of
    from pitboss.exact.side import kind_of
    from pitboss.paper.files import kind_of as file_kind
    from pitboss.reports.figures import edges_paper, figures_file

    played, day = asked(game, as_of, contest=True)
    if played.no_edge:
        sentence = f"{played.no_edge} pitboss equity compares hands."
        present(json, {"game": played.name, "house_edge": None, "why": sentence}, lambda out: out.print(sentence))
        return
    amount, facts = None if stake is None else typed_dollars(stake), facts_given(played, day, fact)
    cards, refused = read_known(played, known) if known else None, list[str]()
    if cards is not None and wager not in (None, MAIN):
        raise UnreadableError("Cards that are known change how the main wagers are played; leave --wager out.")
    wager = MAIN if cards is not None else wager and kind_of(played, wager)
    with counting() as progress:
        if pay or table:
            first = variant_named(played, day, wager, paytable, reading, facts)
            rules = rules_asked(played, day, first, pay, table, facts)
            found = [figures_of(played, rules, first, amount, progress, cards)]
        else:
            if wager is not None:
                variant_named(played, day, wager, paytable, facts=facts)
            listed = [each for each in variants(played, day, wager, facts) if paytable in (None, each.letter)]
            if not listed:
                letters = ", ".join(dict.fromkeys(each.letter for each in variants(played, day, wager)))
                raise UnreadableError(f"{played.name} has no pay table {paytable!r}; it has {letters}.")
            if reading is not None and reading not in (there := dict.fromkeys(each.reading for each in listed)):
                raise UnreadableError(f"{played.name} has no reading {reading!r} here; it has {', '.join(there)}.")
            counted = edge_figures(played, day, wager, paytable, amount, progress, reading, facts, cards, refused)
            found = [*counted]
    if output is not None:
        write_bytes(output, figures_file(found, file_kind(output)))
        return
    present(json, found, lambda out: show_paper(out, edges_paper(found, outcomes=outcomes, left_out=refused)))


def equity(
    game: GameName,
    hands: Annotated[list[str], typer.Argument(metavar="CARDS...", help="One hand a player: 'As Ks Qs' '2c 2d 7h'.")],
    dead: Annotated[str, typer.Option(help="Cards that are known to be out, such as those folded face up.")] = "",
    pot: Annotated[str, typer.Option(help="Dollars in the pot, for the shares in dollars and the rake.")] = "100",
    submission: SubmissionFile = None,
    seed: Annotated[int, typer.Option(help="Which sample, where not every way is counted.")] = 1,
    output: PaperFile = None,
    json: Json = False,
    as_of: AsOf = None,
) -> None:
    """Players against each other: each hand's share of the pot, and the rake's."""
    from pitboss.api import lawful_rules, load_submission, rules_for
    from pitboss.cards import CardError, parse_cards
    from pitboss.exact.equity import equities, rake_of, ways
    from pitboss.games.handhistory import contest_named
    from pitboss.reports.hands import PotShares, equity_paper

    played, day = asked(game, as_of, contest=True)
    contest = contest_named(played.name)
    try:
        held, out_of_play = [parse_cards(cards) for cards in hands], parse_cards(dead)
    except CardError as problem:
        raise UnreadableError(str(problem)) from None
    rules = rules_for(game, day) if submission is None else lawful_rules(load_submission(submission, game), day)
    size = rules.figure("player_cards")
    found, many = equities(held, size, out_of_play, seed=seed), ways(held, size, out_of_play)
    taken = rake_of(contest.terms(rules), typed_dollars(pot))
    shares = PotShares(rules, found, many, taken)
    give_out(output, json, shares, partial(equity_paper, shares))


def hand(
    game: GameName,
    cards: Annotated[str, typer.Argument(metavar="CARDS", help="For example 'Qs 6d 4c'.")],
    up: Annotated[str | None, typer.Option(help="The dealer's up card, where one is seen.")] = None,
    board: Annotated[str, typer.Option(help="Cards turned up so far, where players are asked more than once.")] = "",
    chosen: Annotated[
        list[str] | None, typer.Option(help="What was chosen before, street by street; else the best that goes on.")
    ] = None,
    paytable: Letter = None,
    pay: Pays = None,
    reading: Reading = None,
    exchange: Annotated[
        bool, typer.Option(help="Where cards can be exchanged: value every exchange too (some seconds).")
    ] = True,
    output: PaperFile = None,
    json: Json = False,
    as_of: AsOf = None,
) -> None:
    """What each choice of one hand is worth."""
    from pitboss.cards import CardError, parse_card, parse_cards
    from pitboss.exact.edge import conditions_of_variant
    from pitboss.exact.strategy import analyse_hand
    from pitboss.reports.hands import HandFigures, hand_paper

    played, day = asked(game, as_of)
    try:
        held, seen, turned = parse_cards(cards), parse_card(up) if up else None, parse_cards(board)
    except CardError as problem:
        raise UnreadableError(str(problem)) from None
    variant = variant_named(played, day, "main", paytable, reading)
    rules = rules_asked(played, day, variant, pay, None)
    with counting() as progress:
        analysis = analyse_hand(
            played, rules, held, seen, exchange=exchange, board=turned, chosen=chosen or (), progress=progress
        )
    figures = HandFigures(rules, conditions_of_variant(rules, variant), analysis)
    give_out(output, json, figures, partial(hand_paper, figures))


def strategy(
    game: GameName,
    paytable: Letter = None,
    pay: Pays = None,
    output: Annotated[
        Path | None,
        file_option(*PAPER, more=" (.csv is the exact table)"),
    ] = None,
    full: Annotated[bool, typer.Option(help="In the table every state, not grouped by hand and up card.")] = False,
    reading: Reading = None,
    json: Json = False,
    as_of: AsOf = None,
) -> None:
    """Optimal play: rule lists with their cost, the table as CSV."""
    from pitboss.cli.screen import show_paper
    from pitboss.exact.strategy import write_table
    from pitboss.reports.strategies import strategy_figures, strategy_paper

    played, day = asked(game, as_of)
    variant = variant_named(played, day, "main", paytable, reading)
    rules = rules_asked(played, day, variant, pay, None)
    scope = played.scope(variant.reading)
    if scope.restriction and scope.draws:
        there = all_shown([played.whole or "", played.played])
        raise UnreadableError(f"No lists are made for {variant.reading}; there are some for {there}.")
    with counting() as progress:
        found, best = strategy_figures(played, rules, variant, progress)
        if output is not None and output.suffix.lower() == ".csv":
            write_new(output, lambda path: write_table(path, played, rules, best, full, progress), quiet=json)
    if output is not None and output.suffix.lower() != ".csv":
        write_paper(output, found, partial(strategy_paper, found), quiet=json)
    present(json, found, lambda out: show_paper(out, strategy_paper(found)))


def target(
    game: GameName,
    low: Annotated[str, typer.Argument(metavar="LOW", help="Least hold in percent.")],
    high: Annotated[str, typer.Argument(metavar="HIGH", help="Largest hold in percent.")],
    wager: WagerName = None,
    paytable: Letter = None,
    stake: Stake = "5",
    reading: Reading = None,
    output: PaperFile = None,
    json: Json = False,
    as_of: AsOf = None,
) -> None:
    """Single-row changes that bring the hold into a range."""
    from pitboss.exact.progressive import NoMeterError
    from pitboss.exact.target import search
    from pitboss.reports.targets import target_paper

    bounds, amount = (typed_percent(low), typed_percent(high)), typed_dollars(stake)
    if bounds[0] > bounds[1]:
        raise UnreadableError(f"The least hold of {low} % is above the largest of {high} %.")
    played, day = asked(game, as_of)
    variant = variant_named(played, day, wager, paytable, reading)
    rules = rules_asked(played, day, variant, None, None)
    try:
        with counting() as progress:
            found = search(played, rules, variant, *bounds, amount, progress)
    except NoMeterError as problem:
        raise UnreadableError(str(problem)) from None
    give_out(output, json, found, partial(target_paper, found))


def design(
    game: GameName,
    low: Annotated[str, typer.Argument(metavar="LOW", help="Least hold in percent.")],
    high: Annotated[str, typer.Argument(metavar="HIGH", help="Largest hold in percent.")],
    wager: WagerName = None,
    paytable: Letter = None,
    rows_of: Annotated[
        str | None, typer.Option("--of", help="The pay table to design, where main wagers have several.")
    ] = None,
    unit: Annotated[str, typer.Option(help="Rows pay multiples of it: 1, or 1/2 for halves.")] = "1",
    order: Annotated[
        str, typer.Option(help="below: every row below the next higher hand; level: not above it; any.")
    ] = "below",
    row: Annotated[
        list[str] | None, typer.Option("--row", help="Bounds of a row: flush=3..5, or pair=1 for a fixed pay.")
    ] = None,
    top: Annotated[str | None, typer.Option(help="The most that any row may pay, such as 50.")] = None,
    hits: Annotated[str | None, typer.Option(help="Hit frequency in percent, such as 20..30; low rows may go.")] = None,
    deviation: Annotated[str | None, typer.Option(help="Standard deviation, such as 2..4.")] = None,
    seen: Annotated[
        str | None, typer.Option(help="The most, in percent, that a player may gain who knows one card of the hand.")
    ] = None,
    taste: Annotated[
        str, typer.Option(help="What comes first: near (to the law's table), steady, lively, middle or all.")
    ] = "near",
    most: Annotated[int, typer.Option(help="How many tables to list.")] = 10,
    stake: Stake = "5",
    reading: Reading = None,
    save: Annotated[
        Path | None, typer.Option(help="Write the first table to this new file, as --table reads it.")
    ] = None,
    output: PaperFile = None,
    json: Json = False,
    as_of: AsOf = None,
) -> None:
    """Find pay tables with a wished hold, or prove that there are none."""
    from pitboss.exact.design import design as designed
    from pitboss.exact.design import table_file
    from pitboss.exact.wishes import read_wishes, taste_named
    from pitboss.reports.designs import design_paper

    wishes = read_wishes(
        low, high, unit=unit, order=order, rows=row or (), top=top, hits=hits, deviation=deviation, seen=seen
    )
    played, day = asked(game, as_of)
    variant = variant_named(played, day, wager, paytable, reading)
    rules = rules_asked(played, day, variant, None, None)
    with counting() as progress:
        progress("searching", 0.0)
        found = designed(
            played, rules, variant, wishes, taste_named(taste), within(most, "The number of tables", 1, 1000),
            typed_dollars(stake), rows_of and name_of(rows_of),
        )  # fmt: skip
    give_out(output, json, found, partial(design_paper, found))
    if save is not None:
        write_new(save, partial(Path.write_text, data=table_file(found), encoding="utf-8"), quiet=json)


def protect(
    game: GameName,
    paytable: Letter = None,
    known: Annotated[
        list[str] | None,
        typer.Option("--known", help="Cards that a player sees: dealer=1, 'dealer=1 community=5'. Repeat for more."),
    ] = None,
    backs: Annotated[
        list[str] | None, typer.Option("--backs", help="Ranks that backs give away: AKQ, or AKQ/JT9 for three classes.")
    ] = None,
    every: Annotated[int, typer.Option(help="A dealer helps in one of so many rounds.")] = 10,
    false_alarm: Annotated[str, typer.Option(help="How often a review may suspect honest rounds, in percent.")] = "1",
    stake: Annotated[list[str] | None, typer.Option(help="Dollars wagered, in place of the table's limits.")] = None,
    rounds: Annotated[int, typer.Option(help="Rounds an hour.")] = 40,
    seats: Annotated[
        list[int] | None, typer.Option("--seats", help="So many seats show each other their cards. Repeat for more.")
    ] = None,
    sample: Annotated[
        int | None, typer.Option(help="Deals sampled for --seats; without it as many as an error of 0.01 % takes.")
    ] = None,
    lists: Annotated[bool, typer.Option("--lists", help="Price all lists to learn that the game states.")] = False,
    submission: SubmissionFile = None,
    sheet: Annotated[bool, typer.Option("--sheet", help="The supervisor's page only.")] = False,
    reading: Reading = None,
    output: PaperFile = None,
    json: Json = False,
    as_of: AsOf = None,
) -> None:
    """What seen cards cost a table, card by card and by their backs, and how soon a review would notice."""
    from pitboss.api import lawful_rules, load_submission
    from pitboss.exact.backs import read_backs
    from pitboss.exact.edge import main_table
    from pitboss.exact.exposed import read_known
    from pitboss.exact.protect import protect as protected
    from pitboss.reports.protection import protection_paper, sheet_paper

    played, day = asked(game, as_of)
    rules = None if submission is None else lawful_rules(load_submission(submission, game), day)
    table = rules.tables.get(main_table(played)) if rules is not None else None
    variant = variant_named(played, day, "main", paytable or (table.letter if table else None), reading)
    rules = rules or rules_asked(played, day, variant, None, None)
    with counting() as progress:
        found = protected(
            played, rules, variant,
            known=[read_known(played, each.split()) for each in known or ()],
            backs=[read_backs(each) for each in backs or ()],
            stakes=[typed_dollars(each) for each in stake or ()],
            rounds=within(rounds, "The number of rounds", 1, 1000),
            every=within(every, "The number of rounds", 1, 1_000_000),
            false_alarm=typed_percent(false_alarm),
            seats=seats or (),
            sample=None if sample is None else within(sample, "The number of deals", 2, 100_000_000),
            lists=lists,
            progress=progress,
        )  # fmt: skip
    give_out(output, json, found, partial(sheet_paper if sheet else protection_paper, found))


def solve(
    game: GameName,
    paytable: Letter = None,
    pay: Pays = None,
    reading: Reading = None,
    gpu: Annotated[bool, typer.Option("--gpu", help="On a CUDA device, by CuPy; the same integers.")] = False,
    cluster: ClusterAddress = None,
    workers: Annotated[int, typer.Option(help="Processes of a local cluster, each with 700 MB.")] = 2,
    as_of: AsOf = None,
) -> None:
    """Exchanges of cards under pays other than the law's: hours on two cores; a stopped run goes on where it was."""
    from pitboss.exact.draw_rows import drawing_result, exchange_question
    from pitboss.exact.edge import conditions_of_variant
    from pitboss.exact.redraw import shipped, solve_exchanges

    played, day = asked(game, as_of)
    variant = variant_named(played, day, "main", paytable, reading)
    if not played.scope(variant.reading).exchanges:
        raise UnreadableError(
            f"Nothing of {played.name} {variant.reading} has to be solved ahead: edge counts it at once."
        )
    if gpu and cluster:
        raise UnreadableError("A CUDA device or a cluster: choose one of them.")
    elsewhere = None
    if cluster:
        from pitboss.simulate.cluster import Cluster

        elsewhere = Cluster(cluster, within(workers, "The number of workers", 1, 64)).each
    rules = rules_asked(played, day, variant, pay, None)
    with counting() as progress:
        question = exchange_question(rules, progress)
        if question.key not in shipped()[0]:
            solve_exchanges(question, _graphics() if gpu else None, progress, elsewhere)
    result, _ = drawing_result(rules, variant.reading, anew=True)
    name, unit = f"{played.name} {variant.letter} {variant.reading}", rules.chapter.unit_title
    changed = conditions_of_variant(rules, variant).changed
    under = f", {changed}" if changed else ""
    typer.echo(f"{name}{under}, best play: {result.expected_value} of the {unit} to the player.")


def _graphics() -> "Engine":

    try:
        from pitboss.exact.redraw_cuda import Graphics

        return Graphics()
    except Exception as problem:  # noqa: BLE001  (drivers and compilers fail in ways of their own)
        raise UnreadableError(f"No CUDA device can be used here: {problem}.") from None
