"""Commands of exact mathematics. Imported with the command line, so everything heavy is imported inside them."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date, datetime
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pitboss.cli.options import (
    AsOf,
    ClusterAddress,
    GameName,
    Json,
    SubmissionFile,
    day_of,
    present,
    print_json,
    progress_bar,
    write_new,
)
from pitboss.findings import Finding, UnreadableError
from pitboss.names import all_shown, name_of, shown
from pitboss.typed import typed_dollars, typed_percent, within

if TYPE_CHECKING:
    from pitboss.exact.edge import Facts, Variant
    from pitboss.exact.redraw import Engine
    from pitboss.games.contract import Game
    from pitboss.games.rules import Rules


def _name(words: str | None) -> str | None:

    return None if words is None else name_of(words)


WagerName = Annotated[
    str | None, typer.Option("--wager", help="main, or a wager by its name or title.", callback=_name)
]
Letter = Annotated[str | None, typer.Option("--paytable", help="The letter of a pay table.")]
Reading = Annotated[
    str | None, typer.Option("--reading", help="Only one reading of the text, or part of the game, as edge names it.")
]
Pays = Annotated[list[str] | None, typer.Option("--pay", help="Change a row: ROW=ODDS, for example flush=7.")]
FactsSet = Annotated[
    list[str] | None,
    typer.Option("--fact", help="Set what is not printed, as a Rules Submission may: NAME=VALUE."),
]
TableFile = Annotated[Path | None, typer.Option("--table", help='A TOML file with rows = { flush = "7 to 1", ... }.')]
Stake = Annotated[str, typer.Option(help="Dollars wagered, for tables with fixed sums.")]
KnownWords = Annotated[
    list[str] | None,
    typer.Option("--known", help="A card that the player knows from the start: dealer=1, dealer=1,2, community=5."),
]


def register(app: typer.Typer) -> None:
    for command in (edge, equity, hand, strategy, target, progressive, joint, solve):
        app.command()(command)


def _asked(name: str, as_of: datetime | None, contest: bool = False) -> "tuple[Game, date]":
    """The game and the day that are asked about, if the game could be played on that day; of a game in which players
    bet against each other there is nothing to ask unless it is said so."""
    from pitboss.api import rules_for
    from pitboss.findings import UnreadableError
    from pitboss.games.registry import game_named

    game, day = game_named(name), day_of(as_of)
    rules_for(game.name, day)
    if game.no_edge and not contest:
        raise UnreadableError(f"{game.no_edge} pitboss equity compares hands.")
    return game, day


def _facts(game: "Game", day: date, given: list[str] | None) -> dict[str, str]:
    """``--fact yards=4``, if the chapter lets that be set."""
    from pitboss.api import rules_for
    from pitboss.games.rules import Choices

    pairs = {}
    for text in given or ():
        name, sign, value = (part.strip() for part in text.partition("="))
        if not (sign and name and value):
            known = ", ".join(fact.name for fact in game.chapter.facts(day)) or "none"
            raise UnreadableError(f"{text!r} sets no fact: write NAME=VALUE. Facts of {game.name}: {known}.")
        pairs[name] = value
    if pairs:
        rules_for(game.name, day, Choices(facts=pairs))
    return pairs


def _variant(
    game: "Game",
    day: date,
    wager: str | None,
    paytable: str | None,
    reading: str | None = None,
    facts: "Facts | None" = None,
) -> "Variant":
    from pitboss.exact.edge import MAIN, find_variant, variants

    found = find_variant(game, day, wager or MAIN, paytable, reading, facts or {})
    if found is None and reading is not None:
        readings = ", ".join(dict.fromkeys(v.reading for v in variants(game, day, wager or MAIN))) or "none"
        raise UnreadableError(f"{shown(wager or MAIN)} of {game.name} has no reading {reading!r}; it has {readings}.")
    if found is None:
        known = dict.fromkeys(variant.wager for variant in variants(game, day))
        unpaid = [f"{t.place}.{wager}" for t in game.chapter.paytables if wager in t.open_rows]
        if unpaid:
            sentence = f"No odds of {shown(wager or MAIN)} are known; set them: --fact '{unpaid[0]}=5 to 1'."
            raise UnreadableError(sentence)
        letters = dict.fromkeys(v.letter for v in variants(game, day, wager or MAIN))
        hint = f"pay tables {', '.join(letters)}" if letters else f"wagers {all_shown(known)}"
        lettered = f" with pay table {paytable!r}" if paytable else ""
        raise UnreadableError(f"{game.name} has no wager {shown(wager or MAIN)!r}{lettered}: {hint}.")
    return found


def _rules(
    game: "Game",
    day: date,
    variant: "Variant",
    pays: list[str] | None,
    table: Path | None,
    facts: "Facts | None" = None,
) -> "Rules":
    from pitboss.exact.edge import rules_of_variant
    from pitboss.exact.whatif import what_if, what_if_table

    rules = rules_of_variant(game, day, variant, facts or {})
    if table is not None:
        rules = what_if_table(game, rules, variant, table)
    return what_if(game, rules, variant, pays or ())


@contextmanager
def counting() -> Iterator[Callable[[str, float], None]]:
    """The bar of the exact engine, which says what it counts and which share of it is done."""
    with progress_bar() as tell:
        yield lambda what, share: tell(share, 1, what)


def lint_mathematics(day: date) -> "list[Finding]":
    """Findings from the holds of all pay tables; one note instead where the extra for it is not installed."""
    from pitboss.extras import sentence_of

    try:
        from pitboss.exact.lint import mathematics_findings
    except ModuleNotFoundError as missing:
        sentence = f"Holds were not computed. {sentence_of(missing)}"
        return [Finding("holds-not-computed", "", "the extra 'exact'", "not installed", sentence, severity="note")]
    with counting() as progress:
        return list(mathematics_findings(day, progress))


def edge(
    game: GameName,
    wager: WagerName = None,
    paytable: Letter = None,
    pay: Pays = None,
    table: TableFile = None,
    stake: Stake = "5",
    reading: Reading = None,
    fact: FactsSet = None,
    known: KnownWords = None,
    json: Json = False,
    as_of: AsOf = None,
) -> None:
    """The exact hold of every wager and pay table, or of the main wagers against who knows a card too early."""
    from pitboss.cli.screen.mathematics import show_edges
    from pitboss.exact.edge import MAIN, edge_rows, row, variants
    from pitboss.exact.exposed import read_known
    from pitboss.exact.side import kind_of

    played, day = _asked(game, as_of, contest=True)
    if played.no_edge:
        sentence = f"{played.no_edge} pitboss equity compares hands."
        present(json, {"game": played.name, "house_edge": None, "why": sentence}, lambda out: out.print(sentence))
        return
    amount, facts = typed_dollars(stake), _facts(played, day, fact)
    cards = read_known(played, known) if known else None
    if cards is not None and wager not in (None, MAIN):
        raise UnreadableError("Cards that are known change how the main wagers are played; leave --wager out.")
    wager = MAIN if cards is not None else wager and kind_of(played, wager)
    with counting() as progress:
        if pay or table:
            first = _variant(played, day, wager, paytable, reading, facts)
            rules = _rules(played, day, first, pay, table, facts)
            changes = [*(pay or []), *([str(table)] if table else [])]
            rows = [row(played, rules, first, amount, progress, cards) | {"changed": changes, "published": None}]
        else:
            if wager is not None:
                _variant(played, day, wager, paytable, facts=facts)
            listed = [each for each in variants(played, day, wager, facts) if paytable in (None, each.letter)]
            if not listed:
                letters = ", ".join(dict.fromkeys(each.letter for each in variants(played, day, wager)))
                raise UnreadableError(f"{played.name} has no pay table {paytable!r}; it has {letters}.")
            if reading is not None and reading not in (there := dict.fromkeys(each.reading for each in listed)):
                raise UnreadableError(f"{played.name} has no reading {reading!r} here; it has {', '.join(there)}.")
            rows = list(edge_rows(played, day, wager, paytable, amount, progress, reading, facts, cards))
            rows = [each | ({"facts": facts, "published": None} if facts else {}) for each in rows]
    present(json, rows, lambda out: show_edges(out, rows))


def equity(
    game: GameName,
    hands: Annotated[list[str], typer.Argument(metavar="CARDS...", help="One hand a player: 'As Ks Qs' '2c 2d 7h'.")],
    dead: Annotated[str, typer.Option(help="Cards that are known to be out, such as those folded face up.")] = "",
    pot: Annotated[str, typer.Option(help="Dollars in the pot, for the shares in dollars and the rake.")] = "100",
    submission: SubmissionFile = None,
    seed: Annotated[int, typer.Option(help="Which sample, where not every way is counted.")] = 1,
    json: Json = False,
    as_of: AsOf = None,
) -> None:
    """Players against each other: each hand's share of the pot, and the rake's."""
    from pitboss.api import lawful_rules, load_submission, rules_for
    from pitboss.cards import CardError, parse_cards
    from pitboss.cli.screen.mathematics import show_equities
    from pitboss.exact.equity import equities, rake_of, ways
    from pitboss.findings import UnreadableError
    from pitboss.games.handhistory import contest_named
    from pitboss.typed import typed_dollars

    played, day = _asked(game, as_of, contest=True)
    contest = contest_named(played.name)
    try:
        held, out_of_play = [parse_cards(cards) for cards in hands], parse_cards(dead)
    except CardError as problem:
        raise UnreadableError(str(problem)) from None
    rules = rules_for(game, day) if submission is None else lawful_rules(load_submission(submission, game), day)
    size = rules.figure("player_cards")
    found, many = equities(held, size, out_of_play, seed=seed), ways(held, size, out_of_play)
    taken = rake_of(contest.terms(rules), typed_dollars(pot))
    told = {
        "game": played.name,
        "ways": many,
        "hands": [each.as_dict() for each in found],
        "pot": taken.pot,
        "rake": taken.rake,
    }
    present(json, told, lambda out: show_equities(out, found, taken, many))


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
    json: Json = False,
    as_of: AsOf = None,
) -> None:
    """What each choice of one hand is worth."""
    from pitboss.cards import CardError, parse_card, parse_cards
    from pitboss.cli.screen.mathematics import show_hand
    from pitboss.exact.strategy import analyse_hand

    played, day = _asked(game, as_of)
    try:
        held, seen, turned = parse_cards(cards), parse_card(up) if up else None, parse_cards(board)
    except CardError as problem:
        raise UnreadableError(str(problem)) from None
    rules = _rules(played, day, _variant(played, day, "main", paytable, reading), pay, None)
    with counting() as progress:
        analysis = analyse_hand(
            played, rules, held, seen, exchange=exchange, board=turned, chosen=chosen or (), progress=progress
        )
    present(json, analysis, lambda out: show_hand(out, analysis))


def strategy(
    game: GameName,
    paytable: Letter = None,
    pay: Pays = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Write the exact table as CSV.")] = None,
    full: Annotated[bool, typer.Option(help="Every state, not grouped by hand value and up card.")] = False,
    reading: Reading = None,
    json: Json = False,
    as_of: AsOf = None,
) -> None:
    """Optimal play: rule lists with their cost, the table as CSV."""
    from pitboss.cli.screen.mathematics import show_strategy, show_whole
    from pitboss.exact.edge import whole_game
    from pitboss.exact.engine import play_of
    from pitboss.exact.rulelist import rule_lists
    from pitboss.exact.strategy import write_table
    from pitboss.games.structure import TIES

    played, day = _asked(game, as_of)
    variant = _variant(played, day, "main", paytable, reading)
    rules = _rules(played, day, variant, pay, None)
    scope = played.scope(variant.reading)
    if scope.restriction and scope.draws:
        there = all_shown([played.whole or "", played.played])
        raise UnreadableError(f"No lists are made for {variant.reading}; there are some for {there}.")
    head = {
        "game": played.name,
        "paytable": variant.letter,
        "reading": variant.reading,
        "denominator": played.course.unit,
        "tie_rule": TIES,
    }
    with counting() as progress:
        whole = None if scope.restriction else whole_game(played, rules, progress, lists=True)
        if output is not None and whole is not None:
            write_new(output, lambda path: write_table(path, played, rules, None, full, progress), quiet=json)
        best = play_of(played, rules, progress) if whole is None else None
    if whole is not None or best is None:
        assert whole is not None
        present(json, head | whole.as_dict(), lambda out: show_whole(out, played.name, variant, whole))
        return
    restriction = played.restriction
    if output is not None:
        write_new(output, lambda path: write_table(path, played, rules, best, full=full), quiet=json)
    lists = rule_lists(played, best)
    told = head | {
        "restriction": restriction or None,
        "expected_value": str(best.result.expected_value),
        "choices": {name: float(share) for name, share in best.result.choices.items()},
        "ties": best.ties,
        "rule_lists": [
            {
                "name": found.name,
                "rules": list(found.sentences),
                "expected_value": str(found.expected_value),
                "house_edge": float(-found.expected_value),
                "cost": str(found.cost),
            }
            for found in lists
        ],
    }
    present(json, told, lambda out: show_strategy(out, played.name, variant, best, lists, restriction))


def target(
    game: GameName,
    low: Annotated[str, typer.Argument(metavar="LOW", help="Least hold in percent.")],
    high: Annotated[str, typer.Argument(metavar="HIGH", help="Largest hold in percent.")],
    wager: WagerName = None,
    paytable: Letter = None,
    stake: Stake = "5",
    reading: Reading = None,
    json: Json = False,
    as_of: AsOf = None,
) -> None:
    """Single-row changes that bring the hold into a range."""
    from pitboss.cli.screen.mathematics import show_targets
    from pitboss.exact.progressive import ALONE, NoMeterError
    from pitboss.exact.target import denominator_of, feeds_meter, hold, targets

    bounds, amount = (typed_percent(low), typed_percent(high)), typed_dollars(stake)
    if bounds[0] > bounds[1]:
        raise UnreadableError(f"The least hold of {low} % is above the largest of {high} %.")
    played, day = _asked(game, as_of)
    variant = _variant(played, day, wager, paytable, reading)
    rules = _rules(played, day, variant, None, None)
    try:
        with counting() as progress:
            progress("counting", 0.0)
            now = hold(played, rules, variant, amount)
            changes = list(targets(played, rules, variant, *bounds, amount))
    except NoMeterError as problem:
        raise UnreadableError(str(problem)) from None
    contains = ALONE if feeds_meter(rules, variant) else ""
    denominator = denominator_of(variant)
    told = {
        "restriction": next((change.left_out for change in changes if change.left_out), None),
        "house_edge": float(now),
        "denominator": denominator,
        **({"house_edge_is_for": contains} if contains else {}),
        "changes": changes,
    }
    present(
        json,
        told,
        lambda out: show_targets(out, variant, now, changes, contains, denominator),
    )


def progressive(
    game: GameName,
    wager: Annotated[
        str, typer.Argument(metavar="WAGER", help="A progressive wager, by its name or title.", callback=_name)
    ],
    paytable: Letter = None,
    seats: Annotated[int | None, typer.Option(help="Most other seats to show holds for.")] = None,
    optimal: Annotated[bool, typer.Option(help="Main wagers played optimally: a fold forfeits the wager.")] = False,
    magic_chance: Annotated[str, typer.Option(help="Chance per round of a Magic Card, such as 1/100.")] = "0",
    lucky_chance: Annotated[str, typer.Option(help="Chance per round of a Lucky Bonus.")] = "0",
    json: Json = False,
    as_of: AsOf = None,
) -> None:
    """A progressive: jackpots, break-even meter, long-run cost."""
    from pitboss.cli.screen.mathematics import show_progressive
    from pitboss.exact.edge import optimal_play
    from pitboss.exact.progressive import NoMeterError, progressive_report

    played, day = _asked(game, as_of)
    variant = _variant(played, day, wager, paytable)
    rules = _rules(played, day, variant, None, None)
    named = rules.wagers.get(wager)
    if named is None or not named.meter:
        meters = all_shown(w.name for w in rules.wagers.values() if w.meter)
        raise UnreadableError(f"{shown(wager)!r} is not a progressive wager of {played.name}; those are: {meters}.")
    others = rules.seats - 1 if seats is None else within(seats, "The number of other seats", 0, rules.seats - 1)
    try:
        report = progressive_report(
            played,
            rules,
            wager,
            other_seats=range(others + 1),
            folds=optimal_play(played, rules) if optimal else None,
            chances={"magic_card": _chance(magic_chance), "lucky_bonus": _chance(lucky_chance)},
        )
    except NoMeterError as problem:
        raise UnreadableError(str(problem)) from None
    present(json, report, lambda out: show_progressive(out, report.as_dict()))


def _chance(text: str) -> Fraction:

    try:
        chance = Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise UnreadableError(f"{text!r} is not a chance: write it like 1/100 or 0.01.") from None
    if not 0 <= chance <= 1:
        raise UnreadableError(f"A chance is from 0 to 1, not {text}.")
    return chance


def joint(
    game: GameName,
    one: Annotated[
        str, typer.Argument(metavar="WAGER", help="main, or a wager on the player's own cards.", callback=_name)
    ],
    other: Annotated[str, typer.Argument(metavar="WAGER", callback=_name)],
    reading: Reading = None,
    json: Json = False,
    as_of: AsOf = None,
) -> None:
    """Covariance of two wagers at one seat, pay tables A."""
    from pitboss.api import rules_for
    from pitboss.exact.edge import MAIN, main_result, optimal_play, variants
    from pitboss.exact.facets import NotCountedError
    from pitboss.exact.side import covariance, reads_folded, side_result
    from pitboss.exact.value import root

    played, day = _asked(game, as_of)
    rules = rules_for(played.name, day)
    if reading is not None:
        rules = _rules(played, day, _variant(played, day, MAIN, None, reading), None, None)
        if played.scope(reading).restriction:
            raise UnreadableError(f"{reading} is a part of the game: two wagers are compared over the whole of it.")
    known = dict.fromkeys(variant.wager for variant in variants(played, day))
    for name in (one, other):
        if name not in known:
            raise UnreadableError(f"{played.name} has no wager {shown(name)!r}; the wagers are {all_shown(known)}.")
    whole = MAIN in (one, other) and one != other and played.whole is not None
    best = None if whole else optimal_play(played, rules)
    try:
        if played.whole is not None and whole:
            from pitboss.exact.draw_rows import drawn_covariance

            with counting() as progress:
                together = drawn_covariance(rules, other if one == MAIN else one, progress)
                main = main_result(played, rules, played.whole)
        else:
            together = covariance(played, rules, one, other, folds=best)
            main = best.result if best is not None else main_result(played, rules, played.played)
    except NotCountedError as problem:
        raise UnreadableError(str(problem)) from None
    results = [main if name == MAIN else side_result(played, rules, name, folds=best) for name in (one, other)]
    spreads = [result.variance for result in results]
    correlation = float(together) / (root(spreads[0]) * root(spreads[1]))
    both = {
        "expected_value": str(sum(result.expected_value for result in results)),
        "standard_deviation": root(sum(spreads) + 2 * together),
    }
    depends = any(name == MAIN or reads_folded(played, name) for name in (one, other))
    restriction = played.restriction if depends and not whole else ""
    if json:
        print_json(
            {
                "game": played.name,
                "wagers": [one, other],
                "restriction": restriction or None,
                "covariance": str(together),
                "correlation": correlation,
                "a_unit_of_each": both,
            }
        )
    else:
        names = f"{shown(one)} and {shown(other)}"
        typer.echo(f"{names}: covariance {together} = {float(together):.6f}, correlation {correlation:.4f}")
        mean, spread = float(Fraction(str(both["expected_value"]))), both["standard_deviation"]
        typer.echo(f"A unit of each: mean {mean:+.6f}, standard deviation {spread:.6f}")
        if restriction:
            typer.echo(f"Only a part of the game: {restriction}.")


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
    from pitboss.exact.redraw import shipped, solve_exchanges

    played, day = _asked(game, as_of)
    variant = _variant(played, day, "main", paytable, reading)
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
    rules = _rules(played, day, variant, pay, None)
    with counting() as progress:
        asked = exchange_question(rules, progress)
        if asked.key not in shipped()[0]:
            solve_exchanges(asked, _graphics() if gpu else None, progress, elsewhere)
    result, _ = drawing_result(rules, variant.reading, anew=True)
    name, unit = f"{played.name} {variant.letter} {variant.reading}", rules.chapter.unit_title
    typer.echo(f"{name}, best play: {result.expected_value} of the {unit} to the player.")


def _graphics() -> "Engine":

    try:
        from pitboss.exact.redraw_cuda import Graphics

        return Graphics()
    except Exception as problem:  # noqa: BLE001  (drivers and compilers fail in ways of their own)
        raise UnreadableError(f"No CUDA device can be used here: {problem}.") from None
