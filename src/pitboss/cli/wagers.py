"""Commands of single wagers beside the main game: progressives, and two wagers at one seat."""

from functools import partial
from typing import Annotated

import typer

from pitboss.cli.options import AsOf, GameName, Json, PaperFile, give_out
from pitboss.cli.questions import (
    Letter,
    LetterList,
    Reading,
    Stake,
    asked,
    counting,
    letters_of,
    rules_asked,
    variant_named,
    wager_word,
)
from pitboss.findings import UnreadableError
from pitboss.money import show_dollars
from pitboss.names import all_shown, listed, shown
from pitboss.typed import typed_chance, typed_dollars, within

MOST_LINKED = 1000


def register(app: typer.Typer) -> None:
    for command in (progressive, joint):
        app.command()(command)


def progressive(
    game: GameName,
    wager: Annotated[
        str, typer.Argument(metavar="WAGER", help="A progressive wager, by its name or title.", callback=wager_word)
    ],
    paytable: Letter = None,
    stake: Stake = "5",
    linked: Annotated[int, typer.Option("--linked", help="Tables that feed the meter together.")] = 1,
    seats: Annotated[int | None, typer.Option(help="Most other seats to show holds for.")] = None,
    optimal: Annotated[bool, typer.Option(help="Main wagers played optimally: a fold forfeits the wager.")] = False,
    magic_chance: Annotated[str, typer.Option(help="Chance per round of a Magic Card, such as 1/100.")] = "0",
    lucky_chance: Annotated[str, typer.Option(help="Chance per round of a Lucky Bonus.")] = "0",
    output: PaperFile = None,
    json: Json = False,
    as_of: AsOf = None,
) -> None:
    """A progressive: jackpots, break-even meter, long-run cost."""
    from pitboss.exact.edge import conditions_of_variant, optimal_play
    from pitboss.exact.progressive import NoMeterError, progressive_report
    from pitboss.reports.progressives import MeteredWager, progressive_paper

    played, day = asked(game, as_of)
    variant = variant_named(played, day, wager, paytable)
    rules = rules_asked(played, day, variant, None, None)
    named = rules.wagers.get(wager)
    if named is None or not named.meter:
        meters = all_shown(w.name for w in rules.wagers.values() if w.meter)
        raise UnreadableError(f"{shown(wager)!r} is not a progressive wager of {played.name}; those are: {meters}.")
    amount = typed_dollars(stake)
    paid = {envy.stake: str(envy.cite) for envy in rules.envies.get(wager, ())}
    if paid and amount not in paid:
        amounts, cite = listed(map(show_dollars, sorted(paid))), next(iter(paid.values()))
        raise UnreadableError(f"The {shown(wager)} is a wager of {amounts}, not of {show_dollars(amount)}. ({cite})")
    others = rules.seats - 1 if seats is None else within(seats, "The number of other seats", 0, rules.seats - 1)
    try:
        report = progressive_report(
            played,
            rules,
            wager,
            other_seats=range(others + 1),
            stake=amount,
            folds=optimal_play(played, rules) if optimal else None,
            chances={"magic_card": typed_chance(magic_chance), "lucky_bonus": typed_chance(lucky_chance)},
        )
    except NoMeterError as problem:
        raise UnreadableError(str(problem)) from None
    tables = within(linked, "The number of linked tables", 1, MOST_LINKED)
    if tables > 1 and not rules.tables[variant.table].linkable:
        raise UnreadableError(
            f"Pay table {variant.letter} of {shown(wager)} may not be chosen where linked games share the jackpot. "
            f"({variant.cite})"
        )
    found = MeteredWager(rules, conditions_of_variant(rules, variant), report, tables)
    give_out(output, json, found, partial(progressive_paper, found))


def joint(
    game: GameName,
    one: Annotated[
        str, typer.Argument(metavar="WAGER", help="main, or a wager on the player's own cards.", callback=wager_word)
    ],
    other: Annotated[str, typer.Argument(metavar="WAGER", callback=wager_word)],
    paytable: LetterList = None,
    reading: Reading = None,
    output: PaperFile = None,
    json: Json = False,
    as_of: AsOf = None,
) -> None:
    """Covariance of two wagers at one seat."""
    from pitboss.api import rules_for
    from pitboss.exact.edge import MAIN, variants
    from pitboss.exact.facets import NotCountedError
    from pitboss.exact.joint import joint_wagers
    from pitboss.games.rules import Choices
    from pitboss.reports.joint import joint_paper

    played, day = asked(game, as_of)
    letters = letters_of(played, day, paytable or ())
    rules = rules_for(played.name, day, Choices(letters=letters))
    if reading is not None:
        read = rules_asked(played, day, variant_named(played, day, MAIN, None, reading), None, None).choices.readings
        rules = rules_for(played.name, day, Choices(letters=letters, readings=read))
        if played.scope(reading).restriction:
            raise UnreadableError(f"{reading} is a part of the game: two wagers are compared over the whole of it.")
    known = dict.fromkeys(variant.wager for variant in variants(played, day))
    for name in (one, other):
        if name not in known:
            raise UnreadableError(f"{played.name} has no wager {shown(name)!r}; the wagers are {all_shown(known)}.")
    try:
        with counting() as progress:
            found = joint_wagers(played, rules, one, other, progress)
    except NotCountedError as problem:
        raise UnreadableError(str(problem)) from None
    give_out(output, json, found, partial(joint_paper, found))
