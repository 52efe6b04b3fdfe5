"""Set published figures of seen cards beside ours: ``python -m scripts.protection [--long] [--again] [--write]``.

Every row is counted (or sampled with its error) and compared with what is printed, to its last digit, and with the
figure that this repository ships in ``scripts/protection.toml``. A row that takes longer than ten minutes on two cores
is counted with ``--long`` only; without it the shipped figure is compared with the printed one. ``--again`` counts
without the cache, ``--write`` writes what was counted to the file and to ``docs/seen-cards.md``. Words on the command
line choose rows that have one of them; ``--cores=16`` counts in so many threads. Of a row of other seats' cards that
takes long a shorter sample with another seed is set against the shipped one: they may be ``CHECKED`` errors apart.
The exit status is 1 if a row differs without a reason or from what is shipped.
"""

import sys
import tempfile
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from fractions import Fraction
from functools import cache
from math import hypot
from os import environ
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from time import perf_counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pitboss.exact.backs import BackPlay
    from pitboss.exact.exposed import Exposed
    from pitboss.games.contract import Game
    from pitboss.games.rules import Rules

DAY = date(2024, 6, 1)
SHIPPED = Path(__file__).with_name("protection.toml")
PAGE = Path(__file__).parents[1] / "docs" / "seen-cards.md"
FIRST = "nothing: ours is the first"
NONE = "none that we know"
UNPRINTED = ("crazy-4-poker", "three-card-prime", "four-card-frenzy")
"""Games of which no figure of seen cards is in print."""
UNDRAWN = f"{FIRST}, for players who only fold or bet (normal play: -17.0876)"
LEAST = 3
"""Standard errors that a sampled figure may be away from a printed one."""
CHECKED = 4
"""Those that a shorter sample may be away from the shipped one."""
SHORT, SEED = 2_000, 2
"""Deals and seed of the shorter sample."""
DIGITS = 10
"""Digits of a sampled figure that are shipped."""


@dataclass(frozen=True)
class Row:
    """One figure: the player's edge in percent of the main wager."""

    game: str
    words: str
    """Cards as ``--known`` reads them; ``backs RANKS CARDS``; ``seats N``, with the deals of a list; after them
    what list plays: ``heart`` or ``count`` for the best of its kind, ``list`` for the one that the game states."""
    printed: str = ""
    """The printed figure in percent, signed; empty where there is none."""
    by: str = ""
    why: str = ""
    """Why ours differs, where it does."""
    pay: str = ""
    """A changed pay, as ``--pay`` reads it."""
    long: bool = False

    @property
    def key(self) -> str:
        return " ".join(filter(None, (self.game, self.pay, self.words)))


HIS_LIST = "His list, and ours the best of its kind: the next row."
LIST = "The printed figure is that of a list to learn; ours is best play."
FIFTH = "straight=5"
ROWS = (
    Row("three-card-poker", "dealer=1", "+3.4829", "Jacobson"),
    Row("three-card-poker", "dealer=1 heart"),
    Row("three-card-poker", "dealer=1 list", "+3.4829", "Jacobson; 9-2 behind Q, K and A, always against others"),
    Row("three-card-poker", "dealer=1,2"),
    Row("three-card-poker", "dealer=1,2,3"),
    Row("three-card-poker", "backs AKQ 1", "+1.837", "Jacobson", "Printed cut off."),
    Row("three-card-poker", "backs AKQ 2", by="Jacobson, in a picture only"),
    Row("three-card-poker", "backs AKQ 3", by="Jacobson, in a picture only"),
    Row("three-card-poker", "backs KQJ/A 1"),
    Row("three-card-poker", "backs KQJ/A 1 list", by="Q-J-5 or better against an unknown face card (Jacobson)"),
    Row("three-card-poker", "seats 2"),
    Row("three-card-poker", "seats 7", by="no edge (Jacobson)", long=True),
    Row("three-card-prime", "dealer=1"),
    Row("three-card-prime", "dealer=1,2"),
    Row("three-card-prime", "dealer=1,2,3"),
    Row("three-card-prime", "seats 2"),
    Row("three-card-prime", "seats 7", long=True),
    Row("crazy-4-poker", "dealer=1"),
    Row("crazy-4-poker", "dealer=1,2", long=True),
    Row("crazy-4-poker", "dealer=1,2,3", long=True),
    Row("crazy-4-poker", "dealer=1,2,3,4", long=True),
    Row("crazy-4-poker", "dealer=1,2,3,4,5"),
    Row("crazy-4-poker", "seats 2", long=True),
    Row("crazy-4-poker", "seats 7", long=True),
    Row("four-card-frenzy", "dealer=1"),
    Row("four-card-frenzy", "dealer=1,2", long=True),
    Row("four-card-frenzy", "dealer=1,2,3", long=True),
    Row("four-card-frenzy", "dealer=1,2,3,4", long=True),
    Row("four-card-frenzy", "dealer=1,2,3,4,5"),
    Row("four-card-frenzy", "seats 2", long=True),
    Row("four-card-frenzy", "seats 6", long=True),
    Row("four-card-poker", "dealer=1", long=True),
    Row("lunar-poker", "dealer=1", by=UNDRAWN, long=True),
    Row("lunar-poker", "dealer=1,2,3,4", by=UNDRAWN),
    Row("lunar-poker", "seats 2", by=UNDRAWN, long=True),
    Row("lunar-poker", "seats 5", by=UNDRAWN, long=True),
    Row("four-card-poker", "dealer=1,2,3,4,5"),
    Row("four-card-poker", "seats 2", long=True),
    Row("four-card-poker", "seats 6", "-1.7", "How: the house's edge falls from 3.4 to 1.7", LIST, long=True),
    Row("four-card-poker", "seats 7", long=True),
    Row(
        "caribbean-stud",
        "normal",
        "-5.23",
        "Grosjean",
        "Best play loses 5.2243, which rounds to 5.22.",
    ),
    Row(
        "caribbean-stud",
        "dealer=1",
        "-1.74",
        "Grosjean",
        "Not best play, probably a list: the best one with thresholds for the two ranks loses 1.5808 (next row).",
    ),
    Row(
        "caribbean-stud",
        "dealer=1 heart",
        "-1.74",
        "Grosjean",
        "The best list with thresholds for the two ranks; his is probably a shorter one.",
    ),
    Row("caribbean-stud", "dealer=1,2", "+11.57", "Grosjean", HIS_LIST),
    Row(
        "caribbean-stud",
        "dealer=1,2 heart",
        "+11.57",
        "Grosjean",
        "The best list with thresholds for the three ranks; his is probably a shorter one.",
    ),
    Row("caribbean-stud", "dealer=1,2,3", "+35.21", "Grosjean", HIS_LIST),
    Row(
        "caribbean-stud",
        "dealer=1,2,3 heart",
        "+35.21",
        "Grosjean",
        "The best list with thresholds for the four ranks; his is probably a shorter one.",
    ),
    Row(
        "caribbean-stud",
        "dealer=1,2,3,4",
        "+64.27",
        "Grosjean",
        "With all five cards known nothing is left to decide but a comparison: his figure is 0.01 too low.",
    ),
    Row("caribbean-stud", "backs AK 4", "+6.90", "Jacobson", "His player counts aces and kings only: the next row."),
    Row("caribbean-stud", "backs AK 4 count", "+6.90", "Jacobson"),
    Row("caribbean-stud", "backs AK 4 heart"),
    Row("caribbean-stud", "seats 2", long=True),
    Row("caribbean-stud", "seats 6", "-0.4", "Grosjean, by computer", long=True),
    Row("caribbean-stud", "seats 7", by="positive, nearly 2 with the burn card (Grosjean)", long=True),
    Row("let-it-ride", "community=2", "+24.43", "Jacobson"),
    Row("let-it-ride", "backs T 2", "+2.022", "Jacobson"),
    Row("let-it-ride", "seats 2", long=True),
    Row("let-it-ride", "seats 7", long=True),
    Row("mississippi-stud", "community=1", "+54.8660", "Jacobson"),
    Row("mississippi-stud", "community=3", "+104.47", "Jacobson"),
    Row("mississippi-stud", "backs J 3", "+38.489", "Jacobson; 39.489 on another page is the misprint"),
    Row("mississippi-stud", "backs J 3", "+39.7", "How, simulated", "Simulated.", FIFTH),
    Row("mississippi-stud", "backs QJ 3", "+48.9", "How, simulated", pay=FIFTH),
    Row("mississippi-stud", "backs KQJ 3", "+59.0", "How, simulated", "Simulated.", FIFTH),
    Row("mississippi-stud", "backs AKQJ 3", "+63.4", "How, simulated", pay=FIFTH),
    Row("mississippi-stud", "seats 2", long=True),
    Row("mississippi-stud", "seats 6", "+3.0", "How", LIST, FIFTH, long=True),
    Row("mississippi-stud", "seats 6", by="simulated by Jacobson, in a picture only", long=True),
    Row("mississippi-stud", "seats 6 8000000 list", "+0.5", 'How: "about"; a simplified list'),
    Row(
        "mississippi-stud",
        "seats 6 8000000 list",
        "+3.0",
        "How",
        "The simplified list; the printed figure is that of his full one, of some hundred lines.",
        FIFTH,
    ),
    Row("heads-up-hold-em", "dealer=1", "+12.6014", "Jacobson", long=True),
    Row("heads-up-hold-em", "dealer=1 community=1", "+17.1761", "Jacobson", long=True),
    Row("ultimate-texas-hold-em", "dealer=1", "+13.5922", "Jacobson", long=True),
    Row(
        "ultimate-texas-hold-em",
        "dealer=1 community=1",
        "+22.3286",
        "Jacobson; Grosjean's rules by heart win 20.74, but the list is not printed where we could read it",
        long=True,
    ),
    Row("ultimate-texas-hold-em", "dealer=1 community=5", "+26.1867", "Jacobson", long=True),
    Row("ultimate-texas-hold-em", "dealer=1,2", "+38.5816", "Jacobson", long=True),
    Row(
        "ultimate-texas-hold-em",
        "dealer=1,2 list",
        by="the list is printed, its figure is not: 4x, 2x if ahead, 1x if not behind (Jacobson)",
        long=True,
    ),
    Row("texas-hold-em-bonus", "dealer=1", "+7.61", "apheat", long=True),
    Row("ultimate-texas-hold-em", "seats 2", by="a gain of about 0.1 (How)", long=True),
    Row("ultimate-texas-hold-em", "seats 6", long=True),
    Row("texas-hold-em-bonus", "seats 2", long=True),
    Row("texas-hold-em-bonus", "seats 6", long=True),
    Row("heads-up-hold-em", "seats 2", long=True),
    Row("heads-up-hold-em", "seats 6", long=True),
)


@dataclass(frozen=True)
class Figure:
    """A figure that was counted or sampled."""

    exactly: Fraction
    error: float = 0.0
    """The standard error of a sample."""
    seconds: float = 0.0
    source: str = ""
    """Another program that counted it; empty where this one did."""

    @property
    def percent(self) -> str:
        text = f"{float(100 * self.exactly):+.4f}"
        return f"{text} ± {100 * self.error:.4f}" if self.error else text


def counted(row: Row, short: bool = False) -> Figure:
    """Count a row now; or sample other seats' cards of fewer deals, with another seed."""
    from pitboss.exact.edge import main_result
    from pitboss.exact.learned import list_prices
    from pitboss.exact.seats import shared_cards

    start = perf_counter()
    game, rules, reading = ruled(row.game, row.pay)
    error, words = 0.0, row.words.split()
    learned: Fraction | None
    match words:
        case ["normal"]:
            edge = main_result(game, rules, reading).expected_value
        case [*seen, "list"]:
            place, *figures = seen
            sample = int(figures[1]) if place == "seats" else 0
            sees = f"seats={figures[0]}" if place == "seats" else f"backs={'*'.join(figures)}"
            sees = sees if place in ("backs", "seats") else " ".join(seen)
            (price,) = list_prices(game, rules, sees=sees, sample=sample)
            edge, error = price.expected_value, price.error or 0.0
        case ["seats", seats]:
            size, seed = (SHORT, SEED) if short else (None, 1)
            shared = shared_cards(game, rules, int(seats), size, seed)
            edge, error = shared.expected_value, shared.error or 0.0
            edge = Fraction(round(edge, DIGITS)) if error else edge
        case ["backs", ranks, many, *list_]:
            backs = played_by_backs(row.game, row.pay, ranks, int(many))
            learned = backs.by_count if list_ == ["count"] else backs.by_heart
            edge = learned if list_ and learned is not None else backs.expected_value
        case [*cards, "heart"]:
            learned = known_to(row.game, row.pay, *cards).by_heart
            assert learned is not None
            edge = learned
        case _:
            edge = known_to(row.game, row.pay, *words).expected_value
    return Figure(edge, error, perf_counter() - start)


def ruled(name: str, pay: str) -> "tuple[Game, Rules, str]":
    """A game with its rules of the day, a pay changed, and the reading that is played."""
    from pitboss.exact.edge import MAIN, find_variant, rules_of_variant
    from pitboss.exact.whatif import what_if
    from pitboss.games.registry import GAMES

    game = GAMES[name]
    variant = find_variant(game, DAY, MAIN, None)
    assert variant is not None
    rules = rules_of_variant(game, DAY, variant)
    return game, what_if(game, rules, variant, [pay]) if pay else rules, variant.reading


@cache
def played_by_backs(game: str, pay: str, ranks: str, many: int) -> "BackPlay":
    """Several rows look at one play."""
    from pitboss.exact.backs import by_backs, read_backs

    return by_backs(*ruled(game, pay)[:2], read_backs(ranks), many)


@cache
def known_to(game: str, pay: str, *cards: str) -> "Exposed":
    """Several rows look at one play."""
    from pitboss.exact.exposed import exposed, read_known

    played, rules, _ = ruled(game, pay)
    return exposed(played, rules, read_known(played, cards))


def shipped() -> dict[str, Figure]:
    if not SHIPPED.exists():
        return {}
    found: dict[str, dict[str, Any]] = tomllib.loads(SHIPPED.read_text(encoding="utf-8"))
    return {
        key: Figure(Fraction(each["exactly"]), each.get("error", 0.0), each["seconds"], each.get("source", ""))
        for key, each in found.items()
    }


def write(figures: dict[str, Figure]) -> None:
    """The data file and the page, in the order of the rows."""
    lines = ["# What scripts/protection.py counted: shipped, so that a row that takes long can be compared at once."]
    for row in ROWS:
        if (found := figures.get(row.key)) is not None:
            lines += ["", f'["{row.key}"]', f'exactly = "{found.exactly}"', f"seconds = {found.seconds:.0f}.0"]
            lines += [f"error = {found.error!r}"] if found.error else []
            lines += [f'source = "{found.source}"'] if found.source else []
    SHIPPED.write_text("\n".join(lines) + "\n", encoding="utf-8")
    PAGE.write_text("\n".join(page(figures)) + "\n", encoding="utf-8")


def verdict(row: Row, found: Figure) -> tuple[bool, str]:
    """Whether a printed figure agrees, or differs for a stated reason; and what to say about it."""
    if not row.printed:
        return True, row.by or (FIRST if row.game in UNPRINTED else NONE)
    printed = Decimal(row.printed)
    step = Fraction(1, 10 ** max(0, -int(printed.as_tuple().exponent)))
    ours, difference = 100 * found.exactly, 100 * found.exactly - Fraction(printed)
    if found.error and abs(difference) <= step / 2 + LEAST * Fraction(100 * found.error):
        return True, f"{row.printed} ({row.by}): equal within the error"
    if abs(difference) <= step / 2:
        return True, f"{row.printed} ({row.by}): equal"
    cut = step * int(ours / step) == Fraction(printed)
    reason = row.why or ("Printed cut off." if cut else "")
    return bool(reason), f"{row.printed} ({row.by}): {float(difference):+.4f}. {reason or 'DIFFERS'}"


def page(figures: dict[str, Figure]) -> Iterator[str]:
    """The page of the documentation."""
    yield "# What seen cards are worth: ours and the printed figures"
    yield ""
    yield "The player's edge in percent of the Ante (or of one of the equal first wagers), with the best play that goes"
    yield "with what is known, as `python -m scripts.protection --write` counted it. `heart` is the best list with"
    yield "thresholds for each rank or class seen, `count` one that only counts cards of each class, `list` the list to"
    yield "learn that the game states, `seats n` what all cards of n seats are worth. A figure with ± is sampled, with"
    yield "one standard error; others are exact fractions, which `scripts/protection.toml` has. Seconds are those of"
    yield "a busy machine. How it is counted and why printed figures differ: [mathematics](mathematics.md)."
    yield ""
    yield "| game | known | ours | printed | seconds |"
    yield "|---|---|---|---|---|"
    for row in ROWS:
        if (found := figures.get(row.key)) is not None:
            known = " ".join(filter(None, (row.words, f"({row.pay})" if row.pay else "")))
            took = f"{found.seconds:.0f}{f', {found.source}' if found.source else ''}"
            yield f"| {row.game} | `{known}` | {found.percent} | {verdict(row, found)[1]} | {took} |"


def _peak() -> float:
    """The most memory that this process has had, in gigabytes."""
    return getrusage(RUSAGE_SELF).ru_maxrss / 1e6


def main() -> int:
    flags, names = {each for each in sys.argv[1:] if each.startswith("--")}, {*sys.argv[1:]}
    names -= flags
    for each in flags:
        if each.startswith("--cores="):
            from pitboss.exact import value

            value.WORKERS = int(each.removeprefix("--cores="))
    if "--again" in flags:
        environ["PITBOSS_CACHE"] = tempfile.mkdtemp(prefix="protection-")
    before, bad = shipped(), 0
    for row in ROWS:
        if names and not any(name in row.key for name in names):
            continue
        if row.long and "--long" not in flags:
            found = before.get(row.key)
            if found is None:
                print(f"{row.key}: not shipped; count it with --long", flush=True)
                continue
            if row.words.startswith("seats"):
                again = counted(row, short=True)
                apart = abs(float(again.exactly - found.exactly)) / hypot(again.error, found.error)
                bad += apart > CHECKED
                print(f"{row.key:58} {again.percent:>20}  a shorter sample: {apart:.1f} errors apart", flush=True)
        else:
            found = counted(row)
        old = before.get(row.key)
        same = old is None or (old.exactly, old.error) == (found.exactly, found.error)
        agrees, words = verdict(row, found)
        note = "" if same else f" SHIPPED {old.percent if old else ''}"
        bad += not (same and agrees)
        print(f"{row.key:58} {found.percent:>20}  {words}{note} ({found.seconds:.0f} s, {_peak():.1f} GB)", flush=True)
        if "--write" in flags:
            write(shipped() | {row.key: found})
    return int(bad > 0)


if __name__ == "__main__":
    sys.exit(main())
