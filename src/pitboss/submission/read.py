"""Submission files in TOML. Reading is strict about keys and types; what the choices mean is judged elsewhere."""

from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from difflib import get_close_matches
from fractions import Fraction
from pathlib import Path
from typing import TypeVar

from pitboss.documents import parse_toml, read_toml
from pitboss.findings import UnreadableError
from pitboss.games.options import read_options
from pitboss.games.registry import game_named
from pitboss.games.roundfile import Fields
from pitboss.law.odds import OddsError, parse_percent
from pitboss.submission.model import Shuffler, Submission, WagerChoice

T = TypeVar("T")
_DIGITS = 15


class _Table(Fields):
    """A table whose places are dotted keys and whose unknown keys are answered with the key that was meant."""

    def __init__(self, place: str, table: object) -> None:
        super().__init__(place, table)
        self.known: list[str] = []

    def at(self, key: str) -> str:
        return f"{self.place}.{key}" if self.place else key

    def get(self, key: str, kind: type[T] | tuple[type[T], ...], what: str, default: T | None = None) -> T | None:
        self.known.append(key)
        value = super().get(key, kind, what, default)
        if isinstance(value, int | Decimal) and not _ordinary(value):
            raise UnreadableError(f"{self.at(key)} should be {what}: the number is out of range")
        return value

    def flag(self, key: str, default: bool = False) -> bool:
        return bool(self.get(key, bool, "true or false", default))

    def done(self) -> None:
        for key in sorted(self.left):
            close = get_close_matches(key, self.known, n=1)
            hint = f"did you mean {close[0]}?" if close else f"the keys are {', '.join(self.known)}"
            raise UnreadableError(f"{self.at(key)} is not a key of a submission; {hint}")


def _ordinary(number: int | Decimal) -> bool:
    exact = Decimal(number)
    return exact.is_finite() and len(exact.as_tuple().digits) <= 2 * _DIGITS and abs(exact.adjusted()) <= _DIGITS


def read_submission(source: Path | str) -> Submission:
    """A submission from a file (a ``Path``) or from its text (a ``str``).

    >>> from pitboss.games.registry import GAMES
    >>> read_submission(f'game = "{min(GAMES)}"\\neffective = 2024-06-01\\nseat = 5')
    Traceback (most recent call last):
    pitboss.findings.UnreadableError: seat is not a key of a submission; did you mean seats?
    """
    if isinstance(source, str):
        return _submission(_Table("", parse_toml(source, "The submission")))
    try:
        return _submission(_Table("", read_toml(source)))
    except UnreadableError as problem:
        raise UnreadableError(str(problem) if str(source) in str(problem) else f"{source}: {problem}") from None


def _submission(top: _Table) -> Submission:
    name = top.need("game", str, "the name of a game")
    try:
        game = game_named(name)
    except UnreadableError as problem:
        raise UnreadableError(f"game: {problem}") from None
    options = top.inner("options")
    submission = Submission(
        game=game.name,
        effective=top.need("effective", date, "a date such as 2024-06-01"),
        certificate_holder=top.get("certificate_holder", str, "a name", "") or "",
        seats=top.get("seats", int, "a number of seats"),
        adjacent_boxes=top.get("adjacent_boxes", int, "a number of boxes"),
        dealing=top.get("dealing", str, "the name of a device", "") or "",
        shuffler=_shuffler(top.inner("shuffler")),
        wagers=top.mapping("wagers", _wager),
        paytables=top.mapping("paytables", lambda inner, name: inner.need(name, str, "the letter of a pay table")),
        readings=options.mapping("readings", lambda inner, name: inner.need(name, str, "the name of a reading")),
        options=read_options(options, game.chapter),
        facts=dict(_facts(top.inner("facts"))),
        acknowledged=top.mapping("acknowledged", lambda inner, name: inner.need(name, str, "the name of a person")),
    )
    options.done()
    top.done()
    return submission


def _facts(table: _Table, above: str = "") -> Iterator[tuple[str, str]]:
    """Names with dots may be written as tables within tables."""
    for name, value in table.table.items():
        if isinstance(value, dict):
            yield from _facts(table.inner(name), f"{above}{name}.")
        else:
            yield f"{above}{name}", str(table.get(name, (int, str), "a number, or odds or dollars in quotes"))


def _shuffler(table: _Table) -> Shuffler:
    decks = table.get("decks", int, "a number of decks", 1)
    shuffler = Shuffler(
        used=table.flag("used"),
        counts_cards=table.flag("counts_cards"),
        decks=1 if decks is None else decks,
        reshuffles=table.flag("reshuffles"),
    )
    table.done()
    return shuffler


def _wager(wagers: _Table, name: str) -> WagerChoice:
    table = wagers.inner(name)
    rate = table.get("rate", str, "a percentage such as '21%'")
    choice = WagerChoice(
        offered=table.flag("offered", True),
        paytable=table.get("paytable", str, "the letter of a pay table"),
        minimum=table.money("minimum"),
        maximum=table.money("maximum"),
        amount=table.money("amount"),
        linked=table.flag("linked"),
        seed=table.money("seed"),
        rate=None if rate is None else _percent(table.at("rate"), rate),
    )
    table.done()
    return choice


def _percent(place: str, text: str) -> Fraction:
    try:
        if len(text) > 2 * _DIGITS:
            raise OddsError("the percentage is too long")
        return parse_percent(text)
    except (OddsError, ArithmeticError) as problem:
        raise UnreadableError(f"{place}: {problem}") from None
