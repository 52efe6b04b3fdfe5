"""Set published figures of seen cards beside ours: ``python -m scripts.protection`` (minutes; ``--boards`` for hours).

What is counted stays in the cache, so a second run takes seconds. Every row is the player's edge in percent.
"""

import sys
from collections.abc import Iterator
from datetime import date
from fractions import Fraction
from time import perf_counter

from pitboss.exact.backs import by_backs, read_backs
from pitboss.exact.edge import MAIN, find_variant, rules_of_variant
from pitboss.exact.exposed import exposed, read_known
from pitboss.exact.whatif import what_if
from pitboss.games.registry import GAMES

DAY = date(2024, 6, 1)
ROWS = (
    ("three-card-poker", "", "dealer=1", "+3.4829 (Jacobson)"),
    ("three-card-poker", "", "dealer=1,2", "-"),
    ("three-card-poker", "", "dealer=1,2,3", "-"),
    ("three-card-poker", "", "backs AKQ 1", "+1.837, cut off (Jacobson)"),
    ("three-card-poker", "", "backs AKQ 2", "in a picture only"),
    ("three-card-poker", "", "backs AKQ 3", "in a picture only"),
    ("three-card-prime", "", "dealer=1", "-"),
    ("crazy-4-poker", "", "dealer=1", "-"),
    ("four-card-frenzy", "", "dealer=1", "-"),
    ("caribbean-stud", "", "dealer=1", "-1.74 (Grosjean)"),
    ("let-it-ride", "", "community=2", "+24.43 (Jacobson)"),
    ("let-it-ride", "", "backs T 2", "+2.022 (Jacobson)"),
    ("mississippi-stud", "", "community=1", "+54.8660 (Jacobson)"),
    ("mississippi-stud", "", "community=3", "+104.47 (Jacobson)"),
    ("mississippi-stud", "", "backs J 3", "+38.489, or 39.489 (Jacobson)"),
    ("mississippi-stud", "straight=5", "backs J 3", "+39.7, simulated (How)"),
    ("mississippi-stud", "straight=5", "backs QJ 3", "+48.9, simulated (How)"),
    ("mississippi-stud", "straight=5", "backs KQJ 3", "+59.0, simulated (How)"),
    ("mississippi-stud", "straight=5", "backs AKQJ 3", "+63.4, simulated (How)"),
)
BOARDS = (
    ("ultimate-texas-hold-em", "", "dealer=1", "+13.5922 (Jacobson)"),
    ("ultimate-texas-hold-em", "", "dealer=1 community=1", "+22.3286 (Jacobson)"),
    ("ultimate-texas-hold-em", "", "dealer=1 community=5", "+26.1867 (Jacobson)"),
    ("ultimate-texas-hold-em", "", "dealer=1,2", "+38.5816 (Jacobson)"),
    ("texas-hold-em-bonus", "", "dealer=1", "+7.61 (apheat)"),
    ("caribbean-stud", "", "backs AK 4", "about +6.90 (Jacobson)"),
)


def edge(game: str, pay: str, words: str) -> Fraction:
    played = GAMES[game]
    variant = find_variant(played, DAY, MAIN, None)
    assert variant is not None
    rules = rules_of_variant(played, DAY, variant)
    rules = what_if(played, rules, variant, [pay]) if pay else rules
    if words.startswith("backs "):
        _, ranks, many = words.split()
        return by_backs(played, rules, read_backs(ranks), int(many)).expected_value
    return exposed(played, rules, read_known(played, words.split())).expected_value


def lines(boards: bool) -> Iterator[str]:
    for game, pay, words, printed in (*ROWS, *(BOARDS if boards else ())):
        start = perf_counter()
        worth = edge(game, pay, words)
        ours = f"{float(100 * worth):+.4f}"
        yield f"{game:24} {pay:12} {words:24} {ours:>10}  {printed:34} {worth} ({perf_counter() - start:.0f} s)"


if __name__ == "__main__":
    for line in lines("--boards" in sys.argv):
        print(line, flush=True)
