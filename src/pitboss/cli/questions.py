"""What commands of exact mathematics ask for: options that repeat, and the game, table and rules behind them."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pitboss.cli.options import day_of, progress_bar
from pitboss.findings import UnreadableError
from pitboss.names import all_shown, name_of, shown

if TYPE_CHECKING:
    from pitboss.exact.edge import Facts, Variant
    from pitboss.games.contract import Game
    from pitboss.games.rules import Rules


def wager_word(words: str | None) -> str | None:

    return None if words is None else name_of(words)


WagerName = Annotated[
    str | None, typer.Option("--wager", help="main, or a wager by its name or title.", callback=wager_word)
]
Letter = Annotated[str | None, typer.Option("--paytable", help="The letter of a pay table.")]
LetterList = Annotated[
    list[str] | None, typer.Option("--paytable", help="WAGER=LETTER, such as B; table A if left out.")
]
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
StakeOfEdge = Annotated[
    str | None,
    typer.Option("--stake", help="Dollars wagered (the Ante): the hold under a payout limit, and of fixed sums."),
]
KnownWords = Annotated[
    list[str] | None,
    typer.Option("--known", help="A card that the player knows from the start: dealer=1, dealer=1,2, community=5."),
]


def asked(name: str, as_of: datetime | None, contest: bool = False) -> "tuple[Game, date]":
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


def facts_given(game: "Game", day: date, given: list[str] | None) -> dict[str, str]:
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


def variant_named(
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


def rules_asked(
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


def letters_of(game: "Game", day: date, given: Iterable[str]) -> dict[str, str]:
    """``WAGER=B`` as the letter of the wager's pay table."""
    found = {}
    for text in given:
        words, sign, letter = (part.strip() for part in text.partition("="))
        if not (sign and words and letter):
            raise UnreadableError(
                f"{text!r} chooses no pay table: write WAGER=LETTER, with one of its letters, such as B."
            )
        variant = variant_named(game, day, name_of(words), letter)
        found[variant.table] = variant.letter
    return found
