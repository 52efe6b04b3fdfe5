"""Rules Submissions: a clean template with one thing broken gives exactly the finding that names it."""

import json
import re
import tomllib
from collections import Counter
from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from fractions import Fraction
from functools import cache
from importlib.resources import files
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitboss.cards import parse_cards
from pitboss.findings import Finding, FindingsError, UnreadableError, errors
from pitboss.games import registry, roundfile, walk
from pitboss.games.contract import Game, Lines
from pitboss.games.course import Bets, Course
from pitboss.games.registry import GAMES
from pitboss.games.round import Decision, Round, Seat, decided
from pitboss.games.rules import Choices, resolve
from pitboss.games.settle import settle
from pitboss.law import loader
from pitboss.law.domains import Numbers, Payouts
from pitboss.law.facts import with_facts
from pitboss.law.loader import CHAPTERS
from pitboss.reports.offer import offered_tables
from pitboss.reports.spots import shared_rows
from pitboss.submission import Selection, Submission, check, diff, read_submission, rules_of, template
from pitboss.submission.model import PLACEHOLDER

TODAY, BEFORE_2019 = date(2024, 6, 1), date(2016, 1, 1)
THREE, FOUR, FRENZY, LUNAR = "three-card-poker", "four-card-poker", "four-card-frenzy", "lunar-poker"
BONUS, HEADS_UP = "texas-hold-em-bonus", "heads-up-hold-em"
TEMPLATES = [*((game, TODAY) for game in GAMES), (FOUR, BEFORE_2019)]
GONE = object()


@cache
def _template(game: str, day: date) -> dict[str, Any]:
    return tomllib.loads(template(game, day), parse_float=Decimal)


def parsed(game: str, day: date = TODAY) -> dict[str, Any]:
    return deepcopy(_template(game, day))


def toml(value: object) -> str:
    """Enough of a TOML writer for these tests: everything below the top level is inline."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{json.dumps(k)} = {toml(v)}" for k, v in value.items()) + " }"
    if isinstance(value, list):
        return "[" + ", ".join(map(toml, value)) + "]"
    if isinstance(value, bool | str):
        return json.dumps(value, ensure_ascii=False)
    return str(value)


def document(data: Mapping[str, Any]) -> str:
    return "".join(f"{json.dumps(key)} = {toml(value)}\n" for key, value in data.items())


def changed(game: str, changes: Mapping[str, object], day: date = TODAY) -> Submission:
    """The template of a game with dotted keys set to other values, or taken out."""
    data = parsed(game, day)
    for key, value in changes.items():
        *path, last = key.split(".")
        table = data
        for step in path:
            table = table.setdefault(step, {})
        if value is GONE:
            del table[last]
        else:
            table[last] = value
    return read_submission(document(data))


def faults(submission: Submission) -> list[tuple[str, str, str]]:
    return [(finding.code, finding.cite, finding.where) for finding in errors(check(submission))]


def notes(submission: Submission) -> set[str]:
    return {finding.found for finding in check(submission) if finding.severity == "note"}


RESHUFFLING: dict[str, object] = {"used": True, "decks": 1, "counts_cards": False, "reshuffles": True}
VERSION: dict[str, object] = {"paytables.ante_bonus": "c:A"}
"""A version of 649a.7(e) has an Ante Bonus table of 649a.12(c)."""

# Game, what is broken, and the one finding: code, paragraph, key.
BROKEN: list[tuple[str, Mapping[str, object], str, str, str]] = [
    (THREE, {"certificate_holder": "  "}, "certificate-holder-missing", "649a.2(b)(1)", "certificate_holder"),
    (THREE, {"seats": 8}, "seats-too-many", "649a.2(a)", "seats"),
    (FOUR, {"seats": 8}, "seats-too-many", "641a.2(a)", "seats"),
    (FRENZY, {"seats": 7}, "seats-too-many", "684a.2(a)", "seats"),
    (LUNAR, {"seats": 6}, "seats-too-many", "671a.2(a)", "seats"),
    (LUNAR, {"seats": 0}, "seats-too-few", "671a.2(a)", "seats"),
    (THREE, {"seats": GONE}, "seats-missing", "649a.2(a)", "seats"),
    (FOUR, {"adjacent_boxes": GONE}, "adjacent-boxes-missing", "641a.7(e)", "adjacent_boxes"),
    (THREE, {"adjacent_boxes": GONE}, "adjacent-boxes-missing", "649a.7(f)", "adjacent_boxes"),
    (FRENZY, {"adjacent_boxes": 0}, "adjacent-boxes-range", "684a.7(e)", "adjacent_boxes"),
    (FOUR, {"seats": 4, "adjacent_boxes": 5}, "adjacent-boxes-range", "641a.7(e)", "adjacent_boxes"),
    (LUNAR, {"adjacent_boxes": 2}, "adjacent-boxes-fixed", "671a.7(e)", "adjacent_boxes"),
    (BONUS, {"adjacent_boxes": GONE}, "adjacent-boxes-missing", "647a.7(e)", "adjacent_boxes"),
    (HEADS_UP, {"adjacent_boxes": GONE}, "adjacent-boxes-missing", "677a.7(e)", "adjacent_boxes"),
    (BONUS, {"wagers.ante.paytable": "pair"}, "unknown-letter", "647a.2(b)(10)(i)", "wagers.ante.paytable"),
    (HEADS_UP, {"options.payout_limit": 49_999}, "payout-limit-too-low", "677a.12(f)", "options.payout_limit"),
    (THREE, {"dealing": "machine"}, "unknown-device", "649a.8", "dealing"),
    *(
        (game, {"dealing": "hand", "shuffler": {}}, "hand-without-shuffler", f"{chapter}.9(a)(1)", "dealing")
        for game, chapter in ((FOUR, "641a"), (THREE, "649a"), (LUNAR, "671a"), (FRENZY, "684a"))
    ),
    *(
        (game, {"shuffler": {"decks": 2}}, "decks-without-shuffler", f"{chapter}.3(b)", "shuffler.decks")
        for game, chapter in ((FOUR, "641a"), (THREE, "649a"), (LUNAR, "671a"), (FRENZY, "684a"))
    ),
    *(
        (game, {"shuffler.decks": 3}, "decks-number", f"{chapter}.3(a)", "shuffler.decks")
        for game, chapter in ((FOUR, "641a"), (THREE, "649a"), (LUNAR, "671a"), (FRENZY, "684a"))
    ),
    (THREE, {"shuffler": {"counts_cards": True}}, "shuffler-not-used", "649a.5(b)", "shuffler.counts_cards"),
    (FRENZY, {"shuffler": {"reshuffles": True}}, "shuffler-not-used", "684a.5(g)", "shuffler.reshuffles"),
    (THREE, {"wagers.aces_up": {}}, "unknown-wager", "649a.7", "wagers.aces_up"),
    (FOUR, {"wagers.play": {}}, "wager-not-a-choice", "641a.7(d)(1)", "wagers.play"),
    (FOUR, {"wagers.aces_up.offered": False}, "always-offered", "641a.7(d)(2)", "wagers.aces_up.offered"),
    (FOUR, {"wagers.aces_up.paytable": "G"}, "unknown-letter", "641a.12(c)", "wagers.aces_up.paytable"),
    (FOUR, {"wagers.ante.paytable": "B"}, "unknown-letter", "641a.12(a)", "wagers.ante.paytable"),
    (LUNAR, {"paytables.instant_payout": "D"}, "unknown-letter", "671a.12(a)", "paytables.instant_payout"),
    (FRENZY, {"wagers.odds.paytable": "E"}, "unknown-letter", "684a.12(c)", "wagers.odds.paytable"),
    (THREE, {"paytables.aces_up": "A"}, "unknown-paytable", "649a.12", "paytables.aces_up"),
    (THREE, {"paytables.ante_bonus": GONE}, "paytable-missing", "649a.12(b)", "paytables.ante_bonus"),
    (THREE, {"wagers.pair_plus.paytable": GONE}, "paytable-missing", "649a.12(d)", "wagers.pair_plus.paytable"),
    (THREE, {"paytables.pair_plus": "A"}, "paytable-misplaced", "649a.7(d)(2)", "paytables.pair_plus"),
    (THREE, {"wagers.ante.minimum": GONE}, "limits-missing", "649a.7(d)(1)", "wagers.ante.minimum"),
    (FOUR, {"wagers.bad_beat.maximum": GONE}, "limits-missing", "641a.7(d)(6)", "wagers.bad_beat.maximum"),
    (THREE, {"wagers.ante.minimum": 0}, "limits-too-small", "649a.7(d)(1)", "wagers.ante.minimum"),
    (THREE, {"wagers.ante.minimum": 1001}, "limits-reversed", "649a.7(d)(1)", "wagers.ante.minimum"),
    (THREE, {"wagers.ante.amount": 1}, "not-progressive", "649a.7(d)(1)", "wagers.ante.amount"),
    (THREE, {"wagers.ante.seed": 1}, "not-progressive", "649a.7(d)(1)", "wagers.ante.seed"),
    (THREE, {"wagers.pair_plus.linked": True}, "linked-without-progressive", "649a.2(c)", "wagers.pair_plus.linked"),
    (FRENZY, {"wagers.prime.linked": True}, "linked-without-progressive", "684a.7(d)(2)", "wagers.prime.linked"),
    (FRENZY, {"wagers.odds.minimum": 15}, "odds-not-ante", "684a.7(d)(1)", "wagers.odds.minimum"),
    (FRENZY, {"wagers.ante.maximum": 500}, "odds-not-ante", "684a.7(d)(1)", "wagers.odds.maximum"),
    (LUNAR, {"wagers.super.minimum": 5}, "super-below-ante", "671a.7(c)(2)", "wagers.super.minimum"),
    (LUNAR, {"wagers.super.maximum": 500}, "super-below-ante", "671a.7(c)(2)", "wagers.super.maximum"),
    (
        FOUR,
        {"wagers.four_card_progressive.amount": 2},
        "amount-not-allowed",
        "641a.12(d)(5)",
        "wagers.four_card_progressive.amount",
    ),
    (
        FOUR,
        {"wagers.five_card_progressive.amount": 10},
        "amount-not-allowed",
        "641a.12(e)(5)",
        "wagers.five_card_progressive.amount",
    ),
    (
        THREE,
        {"wagers.three_card_progressive.amount": 3},
        "amount-not-allowed",
        "649a.12(e)(5)",
        "wagers.three_card_progressive.amount",
    ),
    (
        THREE,
        {"wagers.five_card_progressive.amount": Decimal("0.5")},
        "amount-not-allowed",
        "649a.12(h)(5)",
        "wagers.five_card_progressive.amount",
    ),
    (
        THREE,
        {"wagers.five_of_six_progressive.amount": GONE},
        "amount-missing",
        "649a.12(j)(5)",
        "wagers.five_of_six_progressive.amount",
    ),
    (
        THREE,
        {"wagers.five_of_six_progressive.minimum": 1},
        "limits-on-progressive",
        "649a.12(j)(5)",
        "wagers.five_of_six_progressive.minimum",
    ),
    (
        FOUR,
        {"wagers.five_card_hand_dealer.amount": 5},
        "shared-meter",
        "641a.12(g)(4)",
        "wagers.five_card_hand_dealer.amount",
    ),
    (
        THREE,
        {"wagers.five_card_hand_player.linked": True},
        "shared-meter",
        "649a.12(i)(4)",
        "wagers.five_card_hand_dealer.linked",
    ),
    (
        FOUR,
        {"wagers.four_card_progressive.seed": 5000},
        "meter-fixed",
        "641a.12(d)(3)",
        "wagers.four_card_progressive.seed",
    ),
    (
        THREE,
        {"wagers.five_card_progressive.rate": "21%"},
        "meter-fixed",
        "649a.12(h)(3)",
        "wagers.five_card_progressive.rate",
    ),
    (THREE, {"paytables.ante_bonus": "c:A"}, "version-missing", "649a.12(c)", "paytables.ante_bonus"),
    (THREE, {"options.version": 2}, "version-ante-bonus", "649a.12(c)", "paytables.ante_bonus"),
    (FOUR, {"shuffler": RESHUFFLING}, "reshuffles-without-count", "641a.5(g)", "shuffler.counts_cards"),
    (LUNAR, {"shuffler": RESHUFFLING}, "reshuffles-without-count", "671a.5(g)", "shuffler.counts_cards"),
    (THREE, {"options.version": 4}, "version-unknown", "649a.7(e)", "options.version"),
    (FOUR, {"options.version": 1}, "version-not-available", "641a.7", "options.version"),
    (
        THREE,
        {**VERSION, "options.version": 1, "wagers.ante.maximum": 20, "wagers.pair_plus.minimum": 25},
        "version-limits",
        "649a.7(e)(1)",
        "options.version",
    ),
    (
        THREE,
        {**VERSION, "options.version": 2, "wagers.ante.maximum": 20, "wagers.pair_plus.minimum": 41},
        "version-limits",
        "649a.7(e)(2)",
        "options.version",
    ),
    (
        THREE,
        {**VERSION, "options.version": 3, "wagers.ante.minimum": 51, "wagers.pair_plus.maximum": 10},
        "version-limits",
        "649a.7(e)(3)",
        "options.version",
    ),
    (
        THREE,
        {"options.mini_royal": {"ante_bonus": 4}},
        "mini-royal-below-floor",
        "649a.12(g)(1)",
        "options.mini_royal.ante_bonus",
    ),
    (
        THREE,
        {"options.mini_royal": {"pair_plus": Decimal("39.5")}},
        "mini-royal-below-floor",
        "649a.12(g)(2)",
        "options.mini_royal.pair_plus",
    ),
    (
        LUNAR,
        {"options": {"mini_royal": {"ante_bonus": 5}}},
        "mini-royal-not-available",
        "671a.12",
        "options.mini_royal.ante_bonus",
    ),
    (
        THREE,
        {"options.mini_royal": {"ante_bonus": 50}, "options.version": 1, "paytables.ante_bonus": "c:A"},
        "mini-royal-not-available",
        "649a.12(g)",
        "options.mini_royal.ante_bonus",
    ),
    (FRENZY, {"options.payout_limit": 49_999}, "payout-limit-too-low", "684a.12(g)", "options.payout_limit"),
    (THREE, {"options.payout_limit": 50_000}, "payout-limit-not-available", "649a.12", "options.payout_limit"),
    (
        FRENZY,
        {"options": {"magic_card": {"chance": "1/9"}}},
        "bonus-not-available",
        "684a.7",
        "options.magic_card",
    ),
    (
        THREE,
        {
            "options.lucky_bonus.offered": True,
            "wagers.five_card_hand_player": GONE,
            "wagers.five_card_hand_dealer.offered": False,
        },
        "bonus-without-wager",
        "649a.12(i)(3)",
        "options.lucky_bonus",
    ),
    (
        FOUR,
        {"options.magic_card": {"offered": True}},
        "chance-missing",
        "641a.12(g)(3)",
        "options.magic_card.chance",
    ),
    (
        FOUR,
        {"options.magic_card": {"chance": "3/2"}},
        "chance-range",
        "641a.12(g)(3)",
        "options.magic_card.chance",
    ),
    (
        THREE,
        {"options.lucky_bonus": {"chance": "0/1"}},
        "chance-range",
        "649a.12(i)(3)",
        "options.lucky_bonus.chance",
    ),
    (
        FRENZY,
        {"options": {"readings": {"four_card_bonus": "generous"}}},
        "unknown-reading",
        "684a.12(e)",
        "options.readings.four_card_bonus",
    ),
    (
        FRENZY,
        {"options": {"readings": {"aces_up": "hold-consistent"}}},
        "unknown-reading",
        "684a.12",
        "options.readings.aces_up",
    ),
]


@pytest.mark.parametrize(
    ("game", "changes", "code", "cite", "where"),
    [pytest.param(*row, marks=pytest.mark.law(row[3]), id=f"{row[2]} {row[0]} {row[4]}") for row in BROKEN],
)
def test_one_thing_broken_gives_one_finding(
    game: str, changes: Mapping[str, object], code: str, cite: str, where: str
) -> None:
    assert faults(changed(game, changes)) == [(code, cite, where)]


EARLIER: list[tuple[dict[str, object], str, str, str]] = [
    ({"wagers.six_card_bonus": {}}, "wager-not-in-force", "641a.7(d)(8)", "wagers.six_card_bonus"),
    (
        {"wagers.five_card_progressive.paytable": "B"},
        "table-not-in-force",
        "641a.12(e)(1)",
        "wagers.five_card_progressive.paytable",
    ),
    (
        {"wagers.four_card_progressive.seed": 4999},
        "seed-too-low",
        "641a.12(d)(3)",
        "wagers.four_card_progressive.seed",
    ),
    (
        {"wagers.five_card_progressive.seed": GONE},
        "meter-missing",
        "641a.12(e)(3)",
        "wagers.five_card_progressive.seed",
    ),
    (
        {"wagers.five_card_progressive.rate": GONE},
        "meter-missing",
        "641a.12(e)(3)",
        "wagers.five_card_progressive.rate",
    ),
    (
        {"wagers.four_card_progressive.rate": "0%"},
        "rate-not-countable",
        "641a.12(d)(3)",
        "wagers.four_card_progressive.rate",
    ),
    (
        {"wagers.four_card_progressive.rate": "13.371234567%"},
        "rate-not-countable",
        "641a.12(d)(3)",
        "wagers.four_card_progressive.rate",
    ),
    (
        {"wagers.five_card_hand_dealer.seed": 20_000},
        "shared-meter",
        "641a.12(g)(4)",
        "wagers.five_card_hand_dealer.seed",
    ),
]


@pytest.mark.parametrize(
    ("changes", "code", "cite", "where"),
    [pytest.param(*row, marks=pytest.mark.law(row[2]), id=f"{row[1]} {row[3]}") for row in EARLIER],
)
def test_four_card_poker_under_the_law_before_2019(
    changes: dict[str, object], code: str, cite: str, where: str
) -> None:
    assert faults(changed(FOUR, changes, BEFORE_2019)) == [(code, cite, where)]


@pytest.mark.law("641a.7(d)(7)", "641a.7(d)(8)")
def test_a_wager_whose_precondition_is_not_offered() -> None:
    found = faults(changed(FOUR, {"wagers.ante.offered": False}))
    assert ("always-offered", "641a.7(d)(1)", "wagers.ante.offered") in found
    assert [row for row in found if row[0] == "precondition"] == [
        ("precondition", "641a.7(d)(7)", "wagers.five_card_hand_player"),
        ("precondition", "641a.7(d)(7)", "wagers.five_card_hand_dealer"),
        ("precondition", "641a.7(d)(8)", "wagers.six_card_bonus"),
    ]


def test_chapter_not_in_force_and_other_faults_are_told_together() -> None:
    found = faults(changed(LUNAR, {"effective": date(2016, 8, 26), "dealing": "hand", "shuffler": {}}))
    assert found == [
        ("chapter-not-in-force", "671a.1", "effective"),
        ("hand-without-shuffler", "671a.9(a)(1)", "dealing"),
    ]


def test_all_findings_come_at_once() -> None:
    changes: dict[str, object] = {
        "seats": 9,
        "adjacent_boxes": GONE,
        "dealing": "hand",
        "shuffler": {"decks": 2, "counts_cards": True},
        "wagers.pair_plus.paytable": "Z",
        "wagers.ante.minimum": 2000,
        "wagers.three_card_progressive.amount": 2,
        "paytables.ante_bonus": "c:B",
        "options.mini_royal": {"pair_plus": 1},
        "options.payout_limit": 1,
        "options.magic_card": {"offered": True},
    }
    assert {code for code, _, _ in faults(changed(THREE, changes))} == {
        "seats-too-many",
        "adjacent-boxes-missing",
        "hand-without-shuffler",
        "decks-without-shuffler",
        "shuffler-not-used",
        "unknown-letter",
        "limits-reversed",
        "amount-not-allowed",
        "version-missing",
        "mini-royal-below-floor",
        "payout-limit-not-available",
        "chance-missing",
    }


# What the law allows, at its edges.
ALLOWED: list[tuple[str, dict[str, object], str]] = [
    (THREE, {"seats": 1}, "649a.2(a)"),
    (THREE, {"adjacent_boxes": 7}, "649a.7(f)"),
    (LUNAR, {"adjacent_boxes": GONE}, "671a.7(e)"),
    (FRENZY, {"dealing": "hand"}, "684a.9(a)(1)"),
    (FRENZY, {"shuffler": {}}, "684a.3(a)"),
    (THREE, {"wagers.five_card_progressive.paytable": "A"}, "649a.12(h)(1)"),
    (THREE, {"wagers.five_card_progressive.paytable": "-"}, "649a.12(h)(1)"),
    (THREE, {"wagers.three_card_progressive.amount": 5}, "649a.12(e)(5)"),
    (FOUR, {"wagers.five_card_progressive.linked": True}, "641a.2(c)"),
    (THREE, {"wagers.six_card_bonus": GONE}, "649a.7(d)(5)"),
    (THREE, {"wagers.six_card_bonus": {"offered": False, "paytable": "Z"}}, "649a.7(d)(5)"),
    (THREE, {"options.version": 3, "paytables.ante_bonus": "c:C"}, "649a.12(c)"),
    (THREE, {**VERSION, "options.version": 2}, "649a.7(e)(2)"),
    (
        THREE,
        {**VERSION, "options.version": 2, "wagers.ante.maximum": 20, "wagers.pair_plus.minimum": 40},
        "649a.7(e)(2)",
    ),
    (
        THREE,
        {**VERSION, "options.version": 3, "wagers.ante.minimum": 50, "wagers.pair_plus.maximum": 10},
        "649a.7(e)(3)",
    ),
    (THREE, {"options.mini_royal": {"ante_bonus": 5, "pair_plus": 40}}, "649a.12(g)(1)"),
    (FRENZY, {"options.payout_limit": 50_000}, "684a.12(g)"),
    (FOUR, {"options.magic_card": {"offered": True, "chance": "1/1"}}, "641a.12(g)(3)"),
    (FRENZY, {"options": {"readings": {"four_card_bonus": "hold-consistent"}}}, "684a.12(e)"),
    (FRENZY, {"options": {"readings": {"four_card_bonus": "printed"}}}, "684a.12(e)"),
]


@pytest.mark.parametrize(
    ("game", "changes"),
    [
        pytest.param(game, changes, marks=pytest.mark.law(cite), id=f"{game} {' '.join(changes)} {number}")
        for number, (game, changes, cite) in enumerate(ALLOWED)
    ],
)
def test_what_the_law_allows_has_no_error(game: str, changes: dict[str, object]) -> None:
    assert faults(changed(game, changes)) == []


WARNED: list[tuple[str, dict[str, object], str, str, str]] = [
    (
        FRENZY,
        {"options.payout_limit": 60_000, "adjacent_boxes": 2},
        "payout-limit-with-boxes",
        "684a.12(g)",
        "options.payout_limit",
    ),
    (
        LUNAR,
        {"wagers.super_on_dealer.minimum": 5},
        "super-below-table-minimum",
        "671a.7(c)(3)",
        "wagers.super_on_dealer.minimum",
    ),
    (
        FOUR,
        {"wagers.five_card_hand_dealer.offered": False},
        "one-hand-only",
        "641a.7(d)(7)",
        "wagers.five_card_hand_dealer",
    ),
    (
        THREE,
        {"wagers.five_card_hand_player.offered": False},
        "one-hand-only",
        "649a.7(d)(7)",
        "wagers.five_card_hand_player",
    ),
    (THREE, {"wagers.ante.minimum": Decimal("0.01")}, "minimum-below-a-dollar", "649a.7(d)(1)", "wagers.ante.minimum"),
    (FRENZY, {"certificate_holder": "TBD"}, "certificate-holder-placeholder", "684a.2(b)(1)", "certificate_holder"),
]


@pytest.mark.parametrize(("game", "changes", "code", "cite", "where"), WARNED, ids=[w[2] for w in WARNED])
def test_what_is_lawful_but_probably_a_slip_is_pointed_out(
    game: str, changes: dict[str, object], code: str, cite: str, where: str
) -> None:
    def told(submission: Submission) -> set[tuple[str, str, str]]:
        return {(f.code, f.cite, f.where) for f in check(submission) if f.severity == "note"}

    submission = changed(game, changes)
    assert faults(submission) == []
    assert (code, cite, where) in told(submission)
    assert code not in {told_code for told_code, _, _ in told(changed(game, {"certificate_holder": "A casino"}))}


def test_slips_begin_where_they_are_said_to() -> None:
    """A cent below a dollar and not at a dollar; two boxes and not one; also the name that a template leaves open."""

    def told(game: str, changes: dict[str, object]) -> set[str]:
        return {f.code for f in check(changed(game, changes)) if f.severity == "note"}

    assert "minimum-below-a-dollar" in told(THREE, {"wagers.ante.minimum": Decimal("0.99")})
    assert "minimum-below-a-dollar" not in told(THREE, {"wagers.ante.minimum": 1})
    assert "payout-limit-with-boxes" not in told(FRENZY, {"options.payout_limit": 60_000, "adjacent_boxes": 1})
    assert "certificate-holder-placeholder" in told(FRENZY, {"certificate_holder": PLACEHOLDER})


@pytest.mark.law("684a.12(g)")
def test_payout_limit_follows_the_most_won_at_the_minimum() -> None:
    """Table D pays a beaten four-of-a-kind 500 to 1: at a $200 minimum $100,000, more than four aces unbeaten."""
    limits = {"minimum": 200, "maximum": 1000}
    odds = {**limits, "paytable": "D"}
    base: dict[str, object] = {"wagers.ante": limits, "wagers.odds": odds}
    floor = 200 * 500
    # The beaten hand also loses Ante and Raise; only what is paid counts.
    assert faults(changed(FRENZY, {**base, "options.payout_limit": floor})) == []
    low = errors(check(changed(FRENZY, {**base, "options.payout_limit": floor - 1})))
    assert [(finding.code, finding.expected) for finding in low] == [("payout-limit-too-low", "at least $100,000")]


@pytest.mark.law("643a.12(h)")
def test_a_payout_limit_leaves_room_for_all_wagers_it_bounds() -> None:
    """Three wagers of $50 each at 1,000 to 1 for a royal flush: $150,000."""
    limits = {f"wagers.bet_{number}": {"minimum": 50, "maximum": 500} for number in (1, 2, 3)}
    ride = "let-it-ride"
    assert faults(changed(ride, {**limits, "options.payout_limit": 150_000})) == []
    low = errors(check(changed(ride, {**limits, "options.payout_limit": 149_999})))
    assert [(finding.code, finding.expected) for finding in low] == [("payout-limit-too-low", "at least $150,000")]


def test_a_limit_that_the_law_sets_grows_with_the_minimum() -> None:
    """655a.12(b): ten Antes at 500 to 1 are $50,000 at a minimum of $10 and $125,000 at one of $25."""
    for minimum, most in ((5, 50_000), (10, 50_000), (25, 125_000)):
        rules, _ = rules_of(changed("mississippi-stud", {"wagers.ante": {"minimum": minimum, "maximum": 1000}}))
        assert rules is not None
        assert [(cap.choice, str(cap.cite), cap.most) for cap in rules.caps] == [(None, "655a.12(b)", 100 * most)]


@pytest.mark.law("684a.12(e)", "649a.12(i)(4)")
def test_defects_of_the_law_are_notes_that_fail_nothing() -> None:
    frenzy = changed(FRENZY, {"wagers.four_card_bonus.paytable": "F"})
    assert errors(check(frenzy)) == ()
    assert {"four-card-bonus-two-readings", "tables-f-and-h-identical"} <= notes(frenzy)
    identical = [finding for finding in check(frenzy) if finding.code == "identical-tables"]
    assert [(finding.found, finding.where) for finding in identical] == [("H", "wagers.four_card_bonus.paytable")]
    assert not any(f.code == "identical-tables" for f in check(changed(FRENZY, {})))
    assert "five-card-hand-rate" in notes(changed(THREE, {}))
    # The note also names the meter of the Five-Card Progressive, with which it compares.
    without = {f"wagers.five_card_{name}": GONE for name in ("hand_player", "hand_dealer", "progressive")}
    assert "five-card-hand-rate" not in notes(changed(THREE, without))
    assert "four-card-bonus-two-readings" not in notes(changed(FRENZY, {"wagers.four_card_bonus": GONE}))


@pytest.mark.law("671a.7(c)(3)")
def test_additional_super_wager_above_the_table_minimum_is_noted() -> None:
    finding = next(f for f in check(changed(LUNAR, {"wagers.super_on_dealer.minimum": 25})) if "super" in f.code)
    assert (finding.code, finding.severity) == ("super-above-table-minimum", "note")


# Templates.


@pytest.mark.parametrize(("game", "day"), TEMPLATES)
def test_template_checks_clean_and_names_every_choice(game: str, day: date) -> None:
    text = template(game, day)
    submission = read_submission(text)
    assert errors(check(submission)) == ()
    chapter = GAMES[game].chapter
    for wager in chapter.wagers:
        named = f"[wagers.{wager.name}]" in text
        assert named == (wager.placed == "before" and wager.period.covers(day))
    for table in chapter.paytables:
        if table.period.covers(day) and not table.reading and table.letter != "-":
            assert re.search(rf"^# +{table.letter}: .*", text, re.MULTILINE)
    rules, findings = rules_of(submission)
    assert rules is not None
    assert findings == ()


@pytest.mark.parametrize(("game", "day"), TEMPLATES)
def test_options_of_a_template_are_lawful_when_uncommented(game: str, day: date) -> None:
    text = template(game, day)
    options = r"^# (?=(version|mini_royal|payout_limit|readings) = )"
    full = re.sub(options, "", text, flags=re.MULTILINE)
    # A version has a table of 649a.12(c), to which 649a.12(g) adds no row.
    full = full.replace('ante_bonus = "A"', 'ante_bonus = "c:A"').replace("{ ante_bonus = 5, ", "{ ")
    assert errors(check(read_submission(full))) == ()
    if game in (THREE, FRENZY):
        assert re.search(options, text, re.MULTILINE)


def test_template_refuses_an_unknown_game_and_a_day_before_the_law() -> None:
    with pytest.raises(UnreadableError, match="no game called 'faro'"):
        template("faro", TODAY)
    with pytest.raises(FindingsError, match=r"684a\.1"):
        template(FRENZY, date(2019, 8, 30))


@pytest.mark.parametrize(("game", "day"), TEMPLATES)
def test_rewriting_a_submission_changes_nothing(game: str, day: date) -> None:
    submission = read_submission(template(game, day))
    again = read_submission(document(parsed(game, day)))
    assert again == submission
    assert diff(submission, again) == ()


# Reading.


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("seat", 7, "seat is not a key here; did you mean seats?"),
        ("wagers.ante.minimun", 7, "wagers.ante.minimun is not a key here; did you mean minimum?"),
        ("options.mini_roial", {}, "did you mean mini_royal?"),
        (
            "shuffler.colour",
            "red",
            "shuffler.colour is not a key here; the keys are used, counts_cards, decks and reshuffles.",
        ),
        ("seats", "seven", "seats should be a number of seats, not 'seven'"),
        ("seats", True, "seats should be a number of seats, not True"),
        ("seats", 10**16, "seats should be a number of at most 15 digits."),
        ("wagers.ante", 10, "wagers.ante should be a table, not 10"),
        ("wagers.ante.minimum", Decimal("0.001"), "wagers.ante.minimum: \\$0.001 is not a whole number of cents"),
        ("wagers.ante.offered", "no", "wagers.ante.offered should be true or false"),
        (
            "effective",
            datetime(2024, 6, 1, 12),
            "effective should be a date such as 2024-06-01, not 2024-06-01 12:00:00.",
        ),
        ("effective", GONE, "effective is missing"),
        ("game", GONE, "game is missing"),
        ("game", "faro", "game: There is no game called 'faro'"),
        ("options.magic_card.chance", "often", "options.magic_card.chance should be a fraction"),
        ("options.magic_card.chance", "1/0", "options.magic_card.chance should be a fraction"),
        ("wagers.five_card_progressive.rate", "a fifth", "wagers.five_card_progressive.rate: 'a fifth' is not a perc"),
    ],
)
def test_unreadable_submissions_are_answered_with_a_sentence(key: str, value: object, message: str) -> None:
    with pytest.raises(UnreadableError, match=message):
        changed(THREE, {key: value})


def test_a_file_is_named_in_the_sentence(tmp_path: Path) -> None:
    path = tmp_path / "house.toml"
    with pytest.raises(UnreadableError, match=r"There is no file .*house\.toml"):
        read_submission(path)
    path.write_text(template(LUNAR, TODAY), encoding="utf-8")
    assert read_submission(path) == read_submission(template(LUNAR, TODAY))
    for text, message in (
        ("game = ", "house.toml is not valid TOML"),
        ("game = 7", "house.toml: game should be the name of a game, not 7"),
        (f'game = "{LUNAR}"\nseats = {"9" * 5000}', "house.toml, line 2: a number has more than 40 characters"),
    ):
        path.write_text(text, encoding="utf-8")
        with pytest.raises(UnreadableError, match=message):
            read_submission(path)
    with pytest.raises(UnreadableError, match="not valid TOML"):
        read_submission("game = ")


# Rules.


@pytest.mark.law("649a.12(b)", "649a.12(d)", "649a.12(g)", "649a.7(d)(5)", "649a.7(f)")
def test_rules_of_a_submission_carry_its_choices() -> None:
    changes: dict[str, object] = {
        "seats": 5,
        "adjacent_boxes": 2,
        "dealing": "automated-shoe",
        "wagers.pair_plus.paytable": "C",
        "wagers.six_card_bonus.offered": False,
        "wagers.five_card_hand_dealer": GONE,
        "wagers.three_card_progressive.amount": 5,
        "paytables.ante_bonus": "B",
        "options.mini_royal": {"pair_plus": 50},
    }
    rules, findings = rules_of(changed(THREE, changes))
    assert rules is not None
    assert findings == ()
    assert (rules.seats, rules.choices.adjacent_boxes, rules.choices.device) == (5, 2, "automated-shoe")
    assert rules.tables["pair_plus"].letter == "C"
    assert str(rules.tables["pair_plus"].rows["mini_royal"]) == "50 to 1"
    assert rules.tables["ante_bonus"].letter == "B"
    assert {"six_card_bonus", "five_card_hand_dealer"}.isdisjoint(rules.wagers)
    assert "five_card_hand_player" in rules.wagers
    assert rules.choices.amounts["three_card_progressive"] == 500
    assert (rules.limits("ante").minimum, rules.limits("ante").maximum) == (1000, 100_000)
    assert {"magic_card", "lucky_bonus"}.isdisjoint(rules.tables)


@pytest.mark.law("641a.12(d)(3)", "641a.12(e)(3)")
def test_a_meter_follows_the_submission_until_the_law_fixes_it() -> None:
    submission = changed(FOUR, {"wagers.five_card_progressive.seed": 15_000}, BEFORE_2019)
    before, after = rules_of(submission)[0], rules_of(submission, TODAY)[0]
    assert before is not None
    assert after is not None
    chosen, fixed = before.meters["five_card_progressive"], after.meters["five_card_progressive"]
    assert (chosen.seed["meter"], chosen.rate["meter"]) == (1_500_000, Fraction(1, 5))
    assert (fixed.seed["meter"], fixed.rate["meter"]) == (1_000_000, Fraction(21, 100))


@pytest.mark.law("641a.12(e)(3)")
def test_a_round_before_2019_is_settled_on_the_chosen_meter() -> None:
    rules, _ = rules_of(read_submission(template(FOUR, BEFORE_2019)))
    assert rules is not None
    wagers = {"ante": 1000, "five_card_progressive": 100}
    seat = Seat(1, parse_cards("As Ad 9c 4h 2d"), wagers, decided(Decision("play", 1000)))
    settled = settle(rules, Round(parse_cards("2c 7d 7h Jc Qs 3d"), (seat,)))
    assert settled.findings == ()
    assert settled.as_dict()["meters"]["five_card_progressive"] == 1_000_000 + 20


# Differences.


@pytest.mark.law("649a.12(d)", "649a.7(d)(1)", "649a.12(e)(5)")
def test_diff_names_each_changed_choice_and_its_paragraph() -> None:
    changes: dict[str, object] = {
        "seats": 6,
        "dealing": "hand",
        "wagers.ante.minimum": 25,
        "wagers.pair_plus.paytable": "D",
        "wagers.three_card_progressive.amount": 5,
        "paytables.ante_bonus": "c:A",
        "options.version": 1,
    }
    found = diff(changed(THREE, {}), changed(THREE, changes))
    assert [(c.key, c.before, c.after, c.cite) for c in found] == [
        ("seats", "7", "6", "649a.2(a)"),
        ("dealing", "manual-shoe", "hand", "649a.9(b)"),
        ("wagers.ante.minimum", "$10", "$25", "649a.7(d)(1)"),
        ("wagers.pair_plus.paytable", "A", "D", "649a.12(d)"),
        ("wagers.three_card_progressive.amount", "$1", "$5", "649a.12(e)(5)"),
        ("paytables.ante_bonus", "A", "c:A", "649a.12(c)"),
        ("options.version", "", "1", "649a.7(e)"),
    ]
    assert str(found[0]) == "seats: was 7, now 6. [649a.2(a)]"


def test_diff_of_a_wager_taken_out_cites_the_old_law() -> None:
    found = diff(changed(FRENZY, {}), changed(FRENZY, {"wagers.prime": GONE}))
    assert {c.key for c in found} == {
        f"wagers.prime.{k}" for k in ("offered", "paytable", "minimum", "maximum", "linked")
    }
    assert {c.cite for c in found} == {"684a.7(d)(2)", "684a.12(d)"}
    assert {c.after for c in found} == {""}


def test_diff_of_different_games_says_so() -> None:
    first, *others = diff(changed(FRENZY, {}), changed(LUNAR, {}))
    assert (first.key, first.before, first.after) == ("game", FRENZY, LUNAR)
    assert "different games" in first.sentence
    cites = {change.key: change.cite for change in others}
    assert cites["wagers.prime.minimum"] == "684a.7(d)(2)"
    assert cites["wagers.super.minimum"] == "671a.7(c)(2)"
    assert cites["paytables.instant_payout"] == "671a.12(a)"


# Nothing but a sentence ever comes out, whatever goes in.

PARAGRAPHS = {
    line.split("\t")[0]
    for number in CHAPTERS
    for line in (files("pitboss.law") / "paragraphs" / f"{number}.tsv").read_text(encoding="utf-8").splitlines()
} | {str(entry.cite) for number in CHAPTERS for entry in loader.chapter(number).unprinted()}
"""Every paragraph that is printed, and what is carried without one."""
OTHERS = [read_submission(template(game, TODAY)) for game in (THREE, LUNAR)]
WORDS = ["", "A", "-", "c:B", "Z", "hand", "1/7", "7/1", "0/1", "21%", "0.00001%", "printed", "hold-consistent", LUNAR]
ALIKE: dict[type, st.SearchStrategy[object]] = {
    bool: st.booleans(),
    int: st.integers(-3, 12) | st.sampled_from([49_999, 50_000, 10**12]),
    str: st.sampled_from(WORDS),
    date: st.sampled_from([date(2012, 1, 1), BEFORE_2019, date(2019, 8, 30), date(2019, 8, 31), TODAY]),
}
WILD: st.SearchStrategy[object] = st.one_of(
    *ALIKE.values(),
    st.integers(),
    st.decimals(allow_nan=False, allow_infinity=False, min_value=-(10**6), max_value=10**6, places=2),
    st.text(max_size=5),
    st.dates(),
    st.datetimes(),
    st.lists(st.integers(), max_size=2),
    st.dictionaries(st.sampled_from(["ante_bonus", "offered", "x"]), st.integers() | st.booleans(), max_size=2),
)
OPTIONS: dict[str, st.SearchStrategy[object]] = {
    "version": st.integers(0, 4),
    "payout_limit": ALIKE[int],
    "mini_royal": st.dictionaries(st.sampled_from(["ante_bonus", "pair_plus", "x"]), st.integers(-1, 60)),
    "readings": st.dictionaries(st.sampled_from(["four_card_bonus", "ante_bonus", "x"]), ALIKE[str]),
    "magic_card": st.fixed_dictionaries({"offered": st.booleans()}, optional={"chance": st.sampled_from(WORDS[6:9])}),
}


def tables_of(data: dict[str, Any]) -> list[dict[str, Any]]:
    return [data, *(table for value in data.values() if isinstance(value, dict) for table in tables_of(value))]


@st.composite
def mutated(draw: st.DrawFn) -> str:
    """A template with a few values replaced, mostly by others of their kind, taken out, renamed or added."""
    data = parsed(*draw(st.sampled_from(TEMPLATES)))
    for _ in range(draw(st.integers(1, 5))):
        how = draw(st.sampled_from(["alike"] * 8 + ["option"] * 4 + ["drop", "drop", "rename", "wild"]))
        if how == "option" and isinstance(data.setdefault("options", {}), dict):
            name = draw(st.sampled_from(sorted(OPTIONS)))
            data["options"][name] = draw(OPTIONS[name])
            continue
        table = draw(st.sampled_from([table for table in tables_of(data) if table]))
        key = draw(st.sampled_from(sorted(table)))
        value = table.pop(key)
        if how == "rename":
            table[draw(st.sampled_from(["odds", "super", "seed", "rate", "amount", "linked", "paytable"]))] = value
        elif how != "drop":
            table[key] = draw(WILD if how == "wild" else ALIKE.get(type(value), st.just(value)))
    return document(data)


@settings(max_examples=250, deadline=None, derandomize=True)
@given(mutated())
def test_any_submission_is_unreadable_or_answered_with_cited_findings(text: str) -> None:
    try:
        submission = read_submission(text)
    except UnreadableError:
        return
    findings: tuple[Finding, ...] = check(submission)
    for finding in findings:
        assert finding.cite in PARAGRAPHS, finding
        assert finding.sentence
        assert finding.where, finding
    for other in OTHERS:
        for change in (*diff(submission, other), *diff(other, submission)):
            assert change.cite in PARAGRAPHS, change


# A chapter that is not there yet needs no code.

IMAGINED = """
chapter = "699a"
game = "imagined"
title = "Imagined Game"
printed = "partly"
adopted = 2020-01-01
source = "a test"
section = [{ number = 1, title = "All of it", from = 2020-01-01 }]
figure = [
  { name = "seats", value = 6, range = [1, 9], cite = "699a.1(a)", source = "assumed" },
  { name = "rake_least", value = 20, cite = "699a.1(b)" },
  { name = "jackpot_least", value = 30, cite = "699a.1(c)" },
]
wager = [{ name = "blind", title = "Blind Wager", cite = "699a.1(d)", role = "unit", paytable = "blind" }]
paytable = [
  { wager = "blind", letter = "A", cite = "699a.1(e)", rows = { pair = "1 to 1" } },
  { wager = "blind", letter = "B", cite = "699a.1(f)", rows = { pair = "2 to 1" }, when = "doubled" },
  { wager = "gong", cite = "699a.1(g)", rows = { match = "9 to 1" }, source = "assumed" },
]
choice = [
  { name = "doubled", kind = "flag", cite = "699a.1(f)", about = "whether pairs are paid double" },
  { name = "rake", kind = "amount", cite = "699a.1(b)", least = "rake_least", caps = ["blind"], about = "the most" },
  { name = "bell", kind = "text", values = ["brass", "tin"], cite = "699a.1(h)", about = "the bell" },
  { name = "royal_flush", kind = "row", cite = "699a.1(i)", rows = { blind = "jackpot_least" }, about = "a row" },
  { name = "gong", kind = "selection", cite = "699a.1(g)", paid_on = "blind", about = "a gong in some rounds" },
]
deal = [{ device = "hand", cite = "699a.1(j)", steps = [{ to = "players", cards = 5 }] }]
"""


@dataclass(frozen=True)
class Nothing:
    """The outcome of a game in which nothing happens."""


class Imagined(Game):
    name, number, course = "imagined", "699a", Course("blind", (Bets(),))
    chapter = loader.read_chapter("699a.toml", IMAGINED)
    lines = Lines(Nothing)


@pytest.fixture
def imagined(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(registry, "GAMES", {**GAMES, "imagined": Imagined()})
    monkeypatch.setitem(roundfile.__dict__, "GAMES", registry.GAMES)
    return template("imagined", TODAY)


def test_options_of_a_new_chapter_are_read_checked_resolved_and_compared_without_code(imagined: str) -> None:
    full = re.sub(r"^# (?=(doubled|rake|bell|royal_flush) = )", "", imagined, flags=re.MULTILINE)
    full = full.replace('paytable = "A"', 'paytable = "B"').replace("offered = false", "offered = true")
    plain, submission = read_submission(imagined), read_submission(full)
    assert errors(check(plain)) == errors(check(submission)) == ()
    chosen = {"doubled": True, "rake": 2000, "bell": "brass", "royal_flush": {"blind": 30}}
    assert submission.options == {**chosen, "gong": Selection(True, Fraction(1, 100))}
    rules = rules_of(submission)[0]
    assert rules is not None
    assert (rules.option("rake"), rules.cap_on("blind"), rules.cap_on("gong")) == (2000, rules.caps[0], None)
    assert [str(odds) for odds in rules.tables["blind"].rows.values()] == ["30 to 1", "2 to 1"]
    assert "gong" in rules.tables
    silent = rules_of(plain)[0]
    assert silent is not None
    assert "gong" not in silent.tables
    changes = {change.key: (change.before, change.after, change.cite) for change in diff(plain, submission)}
    assert changes["options.rake"] == ("", "$20", "699a.1(b)")
    assert changes["options.royal_flush.blind"] == ("", "30 to 1", "699a.1(c)")
    assert changes["options.gong.offered"] == ("false", "true", "699a.1(g)")


@pytest.mark.parametrize(
    ("written", "code", "where"),
    [
        ("rake = 19.99", "rake-too-low", "options.rake"),
        ('bell = "gold"', "bell-unknown", "options.bell"),
        ("royal_flush = { blind = 29 }", "royal-flush-below-floor", "options.royal_flush.blind"),
        ("doubled = true", "doubled-blind", "wagers.blind.paytable"),
        ('gong = { chance = "2/1" }', "chance-range", "options.gong.chance"),
        ("version = 1", "version-not-available", "options.version"),
    ],
)
def test_a_wrong_option_of_a_new_chapter_is_found_without_code(
    imagined: str, written: str, code: str, where: str
) -> None:
    text = re.sub(r"^gong = .*\n", "", imagined, flags=re.MULTILINE)
    found = faults(read_submission(text.replace("[options]\n", f"[options]\n{written}\n")))
    assert [(found_code, found_where) for found_code, _, found_where in found] == [(code, where)]


def test_what_is_not_printed_may_be_set_as_a_fact_and_nothing_else(imagined: str) -> None:
    text = imagined.replace("seats = 6  # 1 to 6", "seats = 8  # 1 to 6")
    assert [code for code, _, _ in faults(read_submission(text))] == ["seats-too-many"]
    corrected = text.replace("[facts]\n", "[facts]\nseats = 8\n").replace("9 to 1", "11 to 1")
    submission = read_submission(corrected)
    assert faults(submission) == []
    rules = rules_of(submission)[0]
    assert rules is not None
    assert rules.figure("seats") == 8
    assert str(rules.chapter.tables("gong", TODAY)[0].rows["match"]) == "11 to 1"
    assert {str(fact.source) for fact in rules.chapter.facts(TODAY)} == {"set by the Rules Submission"}
    changes = {change.key: (change.after, change.cite) for change in diff(read_submission(text), submission)}
    assert changes == {"facts.seats": ("8", "699a.1(a)"), "facts.paytables.gong.-.match": ("11 to 1", "699a.1(g)")}
    for key, value, code in (
        ("rake_least", 1, "fact-not-open"),
        ("seats", 0, "fact-value"),
        ("seats", 10**9, "fact-value"),
        ("faro", 2, "fact-unknown"),
    ):
        wrong = read_submission(imagined.replace("[facts]\n", f"[facts]\n{key} = {value}\n"))
        assert [(c, where) for c, _, where in faults(wrong)] == [(code, f"facts.{key}")]


@pytest.mark.parametrize(
    "value",
    [f"1 to {10**9 + 1}", f"${'9' * 20}", "9" * 5000],
)
def test_no_fact_has_more_digits_than_anybody_can_mean(value: str) -> None:
    kinds = Counter[str]()
    for chapter in (game.chapter for game in GAMES.values()):
        for fact in chapter.facts(TODAY):
            (finding,) = with_facts(chapter, TODAY, {fact.name: value})[1]
            assert (finding.code, finding.where) == ("fact-value", f"facts.{fact.name}")
            assert len(finding.sentence) < 300
            kinds[fact.name.partition(".")[0]] += 1
    assert {"paytables", "envies"} < kinds.keys()


@pytest.mark.parametrize("game", GAMES)
def test_every_fact_has_a_domain_and_a_table_can_be_played_at_its_ends(game: str) -> None:
    """What is beyond an end is refused with what is accepted; at each end a whole round is dealt and settled."""
    chapter = GAMES[game].chapter
    for fact in chapter.facts(TODAY):
        domain, inside, outside = fact.domain, [fact.value], ["", "-1", "0", "many", "1,000,000,001 to 1"]
        if isinstance(domain, Numbers):
            inside, outside = (
                [str(domain.least), str(domain.most)],
                [*outside, "1.5", str(domain.least - 1), str(domain.most + 1)],
            )
        elif isinstance(domain, Payouts):
            inside, outside = ["1 to 1", "1,000 to 1"], [*outside, "0 to 1", "100% mega jackpot of", "-1 to 1"]
            outside += [] if domain.tiers else ["10% of meter"]
        for text in outside:
            (finding,) = with_facts(chapter, TODAY, {fact.name: text})[1]
            assert (finding.code, finding.expected, finding.cite) == ("fact-value", str(domain), str(fact.cite))
        for text in inside:
            if text == "unknown":
                continue
            rules, findings = resolve(chapter, TODAY, Choices(facts={fact.name: text}))
            if rules is None or findings or not isinstance(domain, Numbers):
                assert {finding.code for finding in findings} <= {"fact-value"}, (fact, findings)
                continue
            if list(GAMES[game].verify_choices(rules)):
                continue  # alone it doesn't fit the other bets, and a finding says so
            numbers = range(1, max(1, min(rules.seats, 2 if GAMES[game].course.contest else 1)) + 1)
            wagers = {number: walk.plain_wagers(rules) for number in numbers}
            if len(numbers) >= rules.least_players:
                state = walk.start(rules, wagers, walk.chance(rules, Random(5)))
                assert walk.play_plainly(rules, state).settle().lines is not None


@pytest.mark.parametrize(
    ("facts", "accepted"),
    [
        ({"seats": "9999"}, "1 to 12"),
        ({"yards_31_36": "99999"}, "1 to 50"),
        ({"paytables.roulette.-.red": "10% of meter"}, "odds such as 4 to 1"),
    ],
)
def test_what_a_fact_can_be_set_to_is_named(facts: dict[str, str], accepted: str) -> None:
    (finding,) = with_facts(GAMES["roulette"].chapter, TODAY, facts)[1]
    assert accepted in finding.sentence


def test_bounds_of_one_wager_are_not_set_beyond_each_other() -> None:
    found = with_facts(GAMES["ultimate-texas-hold-em"].chapter, TODAY, {"preflop_least_antes": "5"})[1]
    assert [(f.code, f.where) for f in found] == [("fact-value", "facts.preflop_least_antes")]
    stud = with_facts(GAMES["seven-card-stud"].chapter, TODAY, {"least_players": "1"})[1]
    assert "2 to 9" in stud[0].sentence


@pytest.mark.parametrize(
    ("game", "name", "cite", "words"),
    [
        ("let-it-ride", "paytables.five_card_bonus.A.flush", "643a.12(b)", "is printed as 50 to 1"),
        ("mississippi-stud", "fourth_street_most_antes", "655a.11(d)", "is printed as 3"),
        ("crazy-4-poker", "envies.four_card_progressive.A.1.four_ace", "657a.12", "did you mean 'envies.four"),
        ("mississippi-stud", "seat", "655a.", "did you mean 'seats'?"),
    ],
)
def test_a_fact_that_cannot_be_set_is_cited_to_what_is_printed(game: str, name: str, cite: str, words: str) -> None:
    chapter = GAMES[game].chapter
    (finding,) = with_facts(chapter, TODAY, {name: "5"})[1]
    assert words in finding.sentence
    assert finding.cite.startswith(cite)


@pytest.mark.law("617a.1(f)(5)")
def test_touchdown_needs_the_wheel_that_its_paragraph_names() -> None:
    choices = Choices(device="single-zero", offered=frozenset({"touchdown"}), options={"automated": True})
    _, findings = resolve(GAMES["roulette"].chapter, TODAY, choices)
    assert [(f.code, f.cite) for f in findings] == [("wager-needs-device", "617a.1(f)(5)")]


def test_an_unreadable_chance_is_cited() -> None:
    with pytest.raises(UnreadableError, match=r"a fraction such as '1/100', not 'often' \[641a\.12\(g\)\(3\)\]"):
        changed(FOUR, {"options.magic_card": {"offered": True, "chance": "often"}})


@pytest.mark.law("625a.6(c)")
def test_odds_are_worded_as_the_submission_says() -> None:
    """Another way to write the same odds: on the sign and on the felt, not in the settlement."""
    for value, three, one in (("to 1", "150 to 1", "1, 2, 3 to 1"), ("1 wins", "1 wins 150", "1 wins 1, 2, 3")):
        submission = changed("sic-bo", {"options.odds_wording": value})
        assert faults(submission) == []
        rules, _ = rules_of(submission)
        assert rules is not None
        (table,) = offered_tables(rules)
        assert dict(table.rows)["Three of a Kind (triple)"] == three
        pays = {spot.pays for block in shared_rows(rules) for spot in block}
        assert {three, one} <= pays
    assert [code for code, _, _ in faults(changed("sic-bo", {"options.odds_wording": "for 1"}))] == [
        "odds-wording-unknown"
    ]


PRIME = "three-card-prime"
UNKNOWN = {
    "play": "679a.12(b)",
    "bad_beat_bonus": "679a.12(c)",
    "pair_bonus": "679a.12(e)",
    "pair_bonus_with_two": "679a.12(f)",
}


def without_facts(text: str, *tables: str) -> str:
    """A submission in which the odds of some tables are left out again."""
    names = "|".join(tables)
    return re.sub(rf'^"paytables\.({names})\.', lambda found: f"# {found[0]}", text, flags=re.MULTILINE)


@pytest.mark.law("679a.12", "679a.11(d)(2)(ii)(A)", "679a.11(d)(2)(ii)(B)")
def test_nobody_is_paid_by_odds_that_are_only_assumed() -> None:
    """No table of 679a is printed: a submission gives the odds, or is told which are missing."""
    text = template(PRIME, TODAY)
    assert {f.code for f in check(read_submission(text))} == {
        "certificate-holder-placeholder",
        "odds-as-assumed",
        "law-note",
    }
    for table, cite in UNKNOWN.items():
        found = faults(read_submission(without_facts(text, table)))
        assert [(code, paragraph) for code, paragraph, _ in found] == [("odds-not-known", cite)]
        assert found[0][2].startswith(f"facts.paytables.{table}.A.")
    off = text.replace("[wagers.pair_bonus]\noffered = true", "[wagers.pair_bonus]\noffered = false")
    assert faults(read_submission(without_facts(off, "pair_bonus", "pair_bonus_with_two"))) == []
    none = faults(read_submission(without_facts(off, *UNKNOWN)))
    assert [paragraph for _, paragraph, _ in none] == ["679a.12(b)", "679a.12(c)"]


def test_the_rows_of_unknown_odds_are_the_submissions_too() -> None:
    """A flush earns a Bad Beat Bonus by some tables (679a.1): a row that is not among those that stand in its place."""
    lines = """"paytables.bad_beat_bonus.A.flush" = "2 to 1"\n"paytables.bad_beat_bonus.A.straight_flush" = "none"\n"""
    text = without_facts(template(PRIME, TODAY), "bad_beat_bonus")
    one = '"paytables.bad_beat_bonus.A.three_of_a_kind" = "9 to 1"\n"paytables.bad_beat_bonus.A.straight" = "4 to 1"\n'
    submission = read_submission(text.replace("[facts]\n", f"[facts]\n{lines}{one}"))
    assert faults(submission) == []
    rules, _ = rules_of(submission)
    assert rules is not None
    rows = {row: str(odds) for row, odds in rules.tables["bad_beat_bonus"].rows.items()}
    assert [*rows.items()] == [("three_of_a_kind", "9 to 1"), ("straight", "4 to 1"), ("flush", "2 to 1")]
    changes = {change.key for change in diff(read_submission(template(PRIME, TODAY)), submission)}
    assert "facts.paytables.bad_beat_bonus.A.flush" in changes
    wrong = text.replace("[facts]\n", '[facts]\n"paytables.bad_beat_bonus.A.rainbow" = "2 to 1"\n')
    assert "fact-unknown" in {code for code, _, _ in faults(read_submission(wrong))}


@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        ('kind = "flag"', 'kind = "whim"', "kind should be , integer,"),
        ('least = "rake_least"', 'least = "rake_most"', "least: rake_most is not in this chapter"),
        ('caps = ["blind"]', 'caps = ["ante"]', "caps: ante is not in this chapter"),
        ('when = "doubled"', 'when = "tripled"', "when: tripled is not an option of this chapter"),
        ('paid_on = "blind"', 'paid_on = "deaf"', "paid_on: deaf is not in this chapter"),
    ],
)
def test_an_option_that_names_what_is_not_there_is_a_defect_of_the_law_file(
    right: str, wrong: str, message: str
) -> None:
    with pytest.raises(loader.LawError, match=message):
        loader.read_chapter("699a.toml", IMAGINED.replace(right, wrong))
