"""Pay tables to order: the search against plain enumeration, impossible wishes, and main wagers counted again."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import date
from fractions import Fraction
from functools import cache
from hashlib import sha256
from itertools import combinations, pairwise, product
from math import comb
from pathlib import Path

import pytest
from typer.testing import CliRunner

from pitboss.cli import app
from pitboss.exact import design_main
from pitboss.exact.design import DesignSearch, design, table_file
from pitboss.exact.edge import MAIN, Variant, find_variant, main_result, rules_of_variant
from pitboss.exact.whatif import rules_with_table
from pitboss.exact.wishes import Wishes, read_wishes
from pitboss.findings import FieldsError, UnreadableError
from pitboss.games.registry import GAMES
from pitboss.games.repaying import with_rows
from pitboss.games.rules import Rules
from pitboss.law.odds import ToOne
from pitboss.paper.files import file_of
from pitboss.paper.model import Plot
from pitboss.reports.designs import design_paper, reasons
from pitboss.submission import departures, read_submission

DAY = date(2024, 6, 1)
HANDS = {"straight_flush": 48, "three_of_a_kind": 52, "straight": 720, "flush": 1096, "pair": 3744}
"""Published counts of three-card hands, the highest first."""
DEALS = comb(52, 3)


def ruled(game: str, wager: str, letter: str | None = None) -> tuple[Rules, Variant]:
    variant = find_variant(GAMES[game], DAY, wager, letter, None, {})
    assert variant is not None
    return rules_of_variant(GAMES[game], DAY, variant, {}), variant


def designed(wishes: Wishes, taste: str = "all", most: int = 100_000) -> DesignSearch:
    rules, variant = ruled("three-card-poker", "pair_plus", "A")
    return design(GAMES["three-card-poker"], rules, variant, wishes, taste, most)  # type: ignore[arg-type]


def enumerated(wishes: Wishes, tops: Mapping[str, int]) -> Iterator[tuple[Fraction | None, ...]]:
    """Every table by plain loops over all pays up to the tops, the highest hand first."""
    gap = {"below": wishes.unit, "level": 0, "any": None}[wishes.order]
    steps = {row: [wishes.unit * n for n in range(1, int(top / wishes.unit) + 1)] for row, top in tops.items()}
    for unpaid in range(len(HANDS) if wishes.hits else 1):
        rows = list(HANDS)[: len(HANDS) - unpaid]
        hits = Fraction(sum(HANDS[row] for row in rows), DEALS)
        if wishes.hits and not wishes.hits[0] <= hits <= wishes.hits[1]:
            continue
        for pays in product(*(steps[row] for row in rows)):
            table = dict(zip(rows, pays, strict=True))
            if gap is not None and any(one < other + gap for one, other in pairwise(pays)):
                continue
            if any(not low <= table.get(row, 0) <= high for row, (low, high) in wishes.bounds.items()):
                continue
            lost = DEALS - sum(HANDS[row] for row in rows)
            value = Fraction(sum(HANDS[row] * pay for row, pay in table.items()) - lost, DEALS)
            square = Fraction(sum(HANDS[row] * pay**2 for row, pay in table.items()) + lost, DEALS)
            spread = wishes.deviation
            if spread and not spread[0] ** 2 <= square - value**2 <= spread[1] ** 2:
                continue
            if wishes.low <= -value <= wishes.high:
                yield tuple(table.get(row) for row in HANDS)


@pytest.mark.parametrize(
    ("wishes", "tops"),
    [
        (read_wishes("2", "3", order="level", rows=["straight_flush=40", "pair=1"]), (40, 40, 20, 15, 1)),
        (read_wishes("2", "6", top="12"), (12, 12, 12, 9, 3)),
        (read_wishes("-1", "4", order="any", top="7"), (7, 7, 7, 7, 3)),
        (read_wishes("3", "4", unit="1/2", rows=["pair=1", "straight=6..7"], top="14"), (14, 14, 7, 7, 1)),
        (
            read_wishes(
                "25", "30", hits="2..20", top="30", rows=["three_of_a_kind=20..30", "straight=1..18", "flush=1..15"]
            ),
            (30, 30, 18, 15, 3),
        ),
        (read_wishes("2", "4", deviation="2.2..2.4", top="25", rows=["pair=1"]), (25, 25, 14, 10, 1)),
    ],
)
def test_no_table_is_missing_and_none_too_many(wishes: Wishes, tops: tuple[int, ...]) -> None:
    found = designed(wishes)
    listed = {tuple(odds.rate if odds else None for odds in each.pays.values()) for each in found.tables}
    assert found.complete
    assert listed == set(enumerated(wishes, dict(zip(HANDS, tops, strict=True))))
    assert len(listed) == found.count > 4


@cache
def by_known_card() -> tuple[Counter[str], ...]:
    """The 1,275 hands that hold the card, by name, for each card of one suit: all suits are alike."""
    found = []
    for known in range(13):
        names: Counter[str] = Counter()
        for others in combinations([card for card in range(52) if card != 4 * known], 2):
            ranks = sorted(card // 4 for card in (4 * known, *others))
            flush = len({card % 4 for card in (4 * known, *others)}) == 1
            straight = ranks in ([0, 1, 12], [ranks[0], ranks[0] + 1, ranks[0] + 2])
            same = len(set(ranks))
            name = "straight_flush" if flush and straight else "straight" if straight else "flush" if flush else ""
            names[name or ("three_of_a_kind", "pair", "")[same - 1]] += 1
        found.append(names)
    return tuple(found)


def edge_with_a_card(pays: tuple[Fraction | None, ...]) -> Fraction:
    """What the best card to know makes of a table, by all hands that hold it."""
    nets = {name: Fraction(-1) if pay is None else pay for name, pay in zip(HANDS, pays, strict=True)} | {"": -1}
    return max(Fraction(sum(nets[name] * n for name, n in names.items())) / 1275 for names in by_known_card())


@pytest.mark.parametrize(
    ("wishes", "tops"),
    [
        (read_wishes("2", "6", top="12", seen="-1"), (12, 12, 12, 9, 3)),
        (read_wishes("3", "30", hits="2..30", top="20", unit="2", seen="-8"), (20, 20, 20, 20, 20)),
    ],
)
def test_what_a_known_card_may_be_worth_is_kept_by_every_table_and_costs_none(
    wishes: Wishes, tops: tuple[int, ...]
) -> None:
    assert wishes.seen is not None
    free = [*enumerated(wishes, dict(zip(HANDS, tops, strict=True)))]
    kept = {table for table in free if edge_with_a_card(table) <= wishes.seen}
    found = designed(wishes)
    listed = {tuple(odds.rate if odds else None for odds in each.pays.values()): each.seen for each in found.tables}
    assert found.complete
    assert 4 < len(kept) < len(free)
    assert listed == {table: edge_with_a_card(table) for table in kept}


def test_an_edge_with_a_known_card_that_no_table_keeps_is_refused_in_words() -> None:
    wishes = read_wishes("2", "6", top="12", seen="-7")
    found = designed(wishes)
    assert (found.count, found.complete) == (0, True)
    assert "an edge of at most -7.00% for a player who knows one card" in next(reasons(found))
    assert any(words.startswith("with any edge from a known card") for words in found.instead)
    rules, variant = ruled("let-it-ride", MAIN)
    with pytest.raises(UnreadableError, match="side wagers"):
        design(GAMES["let-it-ride"], rules, variant, wishes, "near", 1)


def test_a_design_with_its_frontier_is_a_file_of_every_kind() -> None:
    paper = design_paper(designed(read_wishes("2", "6", top="40", seen="5"), "steady", 3))
    (plot,) = (block for passage in paper.passages for block in passage.blocks if isinstance(block, Plot))
    holds = [float(str(hold)) for hold in plot.column("hold")[1]]
    assert holds == sorted(holds)
    assert "<polyline" in file_of(paper, "html").decode()
    assert file_of(paper, "pdf").startswith(b"%PDF")
    assert b"straight_flush" in file_of(paper, "csv")


def test_the_45_tables_of_a_pair_plus_with_40_for_the_straight_flush() -> None:
    assert designed(read_wishes("2", "3", order="level", rows=["straight_flush=40", "pair=1"])).count == 45


@pytest.mark.parametrize("taste", ["near", "steady", "lively", "middle"])
def test_a_taste_lists_the_best_of_all(taste: str) -> None:
    wishes = read_wishes("2", "3", top="45", rows=["pair=1"])
    law = {"straight_flush": 35, "three_of_a_kind": 25, "straight": 6, "flush": 4, "pair": 1}
    every = designed(wishes).tables
    measures = {
        "near": lambda each: (
            sum(odds.rate != law[row] for row, odds in each.pays.items()),
            sum(abs(odds.rate - law[row]) for row, odds in each.pays.items()),
        ),
        "steady": lambda each: each.variance,
        "lively": lambda each: -each.variance,
        "middle": lambda each: abs(each.hold - Fraction(5, 200)),
    }
    best = designed(wishes, taste, 12)
    assert best.best
    assert list(map(measures[taste], best.tables)) == sorted(map(measures[taste], every))[:12]
    steady, lively = (min(map(measures[name], every)) for name in ("steady", "lively"))
    assert min(each.steady.variance for each in best.frontier) == steady
    assert max(each.lively.variance for each in best.frontier) == -lively


@pytest.mark.parametrize(
    ("wishes", "tops"),
    [
        (read_wishes("2", "3", top="9", rows=["pair=1"]), (9, 9, 9, 9, 1)),
        (read_wishes("2.1", "2.2", order="any", unit="2", rows=["pair=2"], top="6"), (6, 6, 6, 6, 2)),
        (read_wishes("0.5", "0.9", order="level", top="8", rows=["flush=3", "pair=1..2"]), (8, 8, 8, 3, 2)),
    ],
)
def test_the_impossible_is_proved_by_the_holds_next_to_it(wishes: Wishes, tops: tuple[int, ...]) -> None:
    every = dict(zip(HANDS, tops, strict=True))
    assert not list(enumerated(wishes, every))
    found = designed(wishes)
    assert (found.count, found.complete) == (0, True)
    wide = Wishes(Fraction(-100), Fraction(1), wishes.unit, wishes.order, wishes.bounds, wishes.top)
    lost = DEALS - sum(HANDS.values())
    holds = {
        Fraction(lost - sum(HANDS[row] * (pay or 0) for row, pay in zip(HANDS, each, strict=True)), DEALS)
        for each in enumerated(wide, every)
    }
    assert found.below is not None
    assert found.below.hold == max(hold for hold in holds if hold < wishes.low)
    assert found.above is not None
    assert found.above.hold == min(hold for hold in holds if hold > wishes.high)
    assert "No such table exists" in next(reasons(found))
    assert found.instead


@pytest.mark.parametrize(("game", "low", "high"), [("mississippi-stud", "4", "4.5"), ("let-it-ride", "2", "3")])
def test_tables_of_main_wagers_hold_what_is_said_with_best_play(game: str, low: str, high: str) -> None:
    rules, variant = ruled(game, MAIN)
    wishes = read_wishes(low, high)
    found = design(GAMES[game], rules, variant, wishes, "near", 3)
    assert len(found.tables) == 3
    for each in found.tables:
        made = main_result(GAMES[game], with_rows(rules, variant.table, each.pays), variant.reading)
        assert (made.house_edge_required, made.variance) == (each.hold, each.variance)
        assert wishes.low <= each.hold <= wishes.high
    assert not found.complete


def test_what_no_main_table_reaches_is_proved_by_the_table_that_pays_most() -> None:
    rules, variant = ruled("let-it-ride", MAIN)
    found = design(
        GAMES["let-it-ride"],
        rules,
        variant,
        read_wishes("-3", "0", top="4", order="level", rows=["two_pair=2", "pair_of_tens_or_better=1"]),
        "near",
        3,
    )
    assert (found.tables, found.complete) == ((), True)
    assert found.above is not None
    assert found.above.hold > 0


def test_a_gap_between_few_tables_of_main_wagers_is_proved() -> None:
    rules, variant = ruled("let-it-ride", MAIN)
    law = {row: str(odds).partition(" ")[0].replace(",", "") for row, odds in rules.tables[variant.table].rows.items()}
    fixed = {row: f"{row}={pays}" for row, pays in law.items()} | {"three_of_a_kind": "three_of_a_kind=3..4"}
    few = read_wishes("0.5", "0.6", rows=fixed.values())
    found = design(GAMES["let-it-ride"], rules, variant, few, "near", 3)
    holds = [
        main_result(GAMES["let-it-ride"], with_rows(rules, variant.table, {"three_of_a_kind": ToOne(Fraction(pays))}),
                    variant.reading).house_edge_required
        for pays in (3, 4)
    ]  # fmt: skip
    assert (found.tables, found.complete) == ((), True)
    assert found.above is not None
    assert found.below is not None
    assert (found.above.hold, found.below.hold) == (holds[0], holds[1])
    assert "The smallest hold above the range is 1.1686 %" in " ".join(reasons(found))
    both = design(GAMES["let-it-ride"], rules, variant, read_wishes("-5", "5", rows=fixed.values()), "middle", 1)
    assert (len(both.tables), both.count, both.complete) == (1, 2, True)


def free_rows(*rows: str) -> dict[str, str]:
    """The law's pays of Let It Ride as bounds, with other bounds for some rows."""
    rules, variant = ruled("let-it-ride", MAIN)
    law = {row: str(odds).partition(" ")[0].replace(",", "") for row, odds in rules.tables[variant.table].rows.items()}
    return {row: f"{row}={pays}" for row, pays in law.items()} | {each.partition("=")[0]: each for each in rows}


def test_a_gap_that_is_proved_by_corners_is_that_of_every_table(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nine tables, counted one by one by the engine; the proof may not count them all beforehand."""
    monkeypatch.setattr(design_main, "MOST_COUNTED", 1)
    rules, variant = ruled("let-it-ride", MAIN)
    game, rows = GAMES["let-it-ride"], free_rows("three_of_a_kind=3..5", "flush=8..10", "full_house=12")
    holds = sorted(
        main_result(
            game,
            with_rows(rules, variant.table, {"three_of_a_kind": ToOne(Fraction(three)), "flush": ToOne(Fraction(flush)),
                                             "full_house": ToOne(Fraction(12))}),
            variant.reading,
        ).house_edge_required
        for three in (3, 4, 5) for flush in (8, 9, 10)
    )  # fmt: skip
    for low, high in list(pairwise(holds))[2:7:2]:
        wishes = replace(
            read_wishes("0", "0", rows=rows.values()), low=low + (high - low) / 3, high=high - (high - low) / 3
        )
        found = design(game, rules, variant, replace(wishes, order="level"), "near", 3)
        assert (found.tables, found.complete, found.decided) == ((), True, (9, 9))
        assert found.below is not None
        assert found.above is not None
        assert (found.below.hold, found.above.hold) == (low, high)
    inside = design(game, rules, variant, replace(wishes, order="level", low=holds[4], high=holds[4]), "near", 1)
    assert [each.hold for each in inside.tables] == [holds[4]]


def test_a_gap_between_many_tables_is_proved_and_one_that_needs_more_time_says_how_far_it_came(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rules, variant = ruled("let-it-ride", MAIN)
    rows = free_rows("three_of_a_kind=3..4", "royal_flush=800..1000", "straight_flush=200..220")
    wishes = read_wishes("0.5", "0.6", rows=rows.values())
    found = design(GAMES["let-it-ride"], rules, variant, wishes, "near", 3)
    assert (found.tables, found.complete, found.decided) == ((), True, (2 * 201 * 21, 2 * 201 * 21))
    assert found.below is not None
    assert found.above is not None
    ends = ("royal_flush", "straight_flush", "three_of_a_kind")
    assert [found.above.pays[row] for row in ends] == [ToOne(Fraction(pay)) for pay in (1000, 220, 3)]
    assert [found.below.pays[row] for row in ends] == [ToOne(Fraction(pay)) for pay in (800, 200, 4)]
    assert "No such table exists" in " ".join(reasons(found))
    monkeypatch.setattr(design_main, "SECONDS", 0.0)
    hurried = design(GAMES["let-it-ride"], rules, variant, wishes, "near", 3)
    assert (hurried.tables, hurried.complete, hurried.decided) == ((), False, (0, 2 * 201 * 21))
    said = " ".join(reasons(hurried))
    assert "The search is not complete" in said
    assert "0 of 8,442 tables in these bounds are proved to hold less or more" in said
    assert "The smallest hold above" not in said


def test_a_design_is_saved_as_a_table_that_other_commands_read(tmp_path: Path) -> None:
    found = designed(read_wishes("2", "3", hits="5..20", top="60"), "steady", 1)
    (tmp_path / "table.toml").write_text(table_file(found))
    rules, variant = ruled("three-card-poker", "pair_plus", "A")
    made, table = rules_with_table(rules, variant.table, tmp_path / "table.toml")
    assert {row: made.tables[table].rows.get(row) for row in HANDS} == found.tables[0].pays
    command = ["edge", "three-card-poker", "--wager", "pair_plus", "--table", str(tmp_path / "table.toml"), "--json"]
    assert str(-found.tables[0].hold) in ran(*command, "--as-of", "2024-06-01")
    with pytest.raises(UnreadableError, match="no table 2"):
        table_file(found, 2)


def ran(*words: str | Path) -> str:
    """What a command prints, refusals included."""
    result = CliRunner().invoke(app, [*map(str, words)])
    return f"{result.output} {result.exception or ''}"


def test_a_saved_design_is_simulated_reported_and_filed_where_the_law_lets_it(tmp_path: Path) -> None:
    saved, house, report = tmp_path / "table.toml", tmp_path / "house.toml", tmp_path / "report.json"
    found = designed(read_wishes("2", "3", order="level", rows=["straight_flush=40", "pair=1"]), "near", 1)
    saved.write_text(table_file(found), encoding="utf-8")
    game, day = "three-card-poker", ["--as-of", "2024-06-01"]
    (row,) = (
        row
        for row in json.loads(ran("simulate", game, "--rounds", "2000", "--table", saved, "--json", *day))
        if row["wager"] == "pair_plus"
    )
    assert row["exact"] == pytest.approx(-float(found.tables[0].hold))
    ran("submission", "new", game, "-o", house, *day)
    ran("report", house, "--no-play", "--table", saved, "-o", report)
    plain = json.loads(report.read_text(encoding="utf-8"))
    (wager,) = (each for each in plain["wagers"] if each["line"] == "pair_plus")
    assert wager["expected_value"] == str(-found.tables[0].hold)
    assert plain["table_sha256"] == sha256(saved.read_bytes()).hexdigest()
    assert "a submission can't offer it" in ran("submission", "new", game, "--table", saved, *day)
    saved.write_text(
        'wager = "pair_plus"\nrows = { straight_flush = "40 to 1", three_of_a_kind = "30 to 1", straight = "6 to 1", '
        'flush = "3 to 1", pair = "1 to 1" }\n',
        encoding="utf-8",
    )
    lawful = read_submission(ran("submission", "new", game, "--table", saved, *day))
    assert lawful.wagers["pair_plus"].paytable == "C"
    text = 'rows = { royal_flush = "50 to 1", straight_flush = "40 to 1", four_of_a_kind = "30 to 1", '
    more = 'full_house = "9 to 1", flush = "6 to 1", straight = "4 to 1", three_of_a_kind = "3 to 1" }\n'
    saved.write_text(f'wager = "trips"\n{text}{more}', encoding="utf-8")
    open_table = read_submission(ran("submission", "new", "ultimate-texas-hold-em", "--table", saved, *day))
    assert [str(each.after) for each in departures(open_table)] == ["6 to 1"]
    saved.write_text(text + more, encoding="utf-8")
    assert "has several pay tables" in ran("simulate", game, "--table", saved, *day)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"unit": "0"}, "no unit of pays"),
        ({"order": "up"}, "order should be below, level or any, not 'up'"),
        ({"rows": ["flush"]}, "bounds no row"),
        ({"rows": ["flush=5..3"]}, "goes down"),
        ({"top": "1e999"}, "no number"),
        ({"deviation": "much"}, "no number"),
    ],
)
def test_a_wish_that_cannot_be_read_is_a_sentence(options: dict[str, object], sentence: str) -> None:
    with pytest.raises(UnreadableError, match=sentence):
        read_wishes("2", "3", **options)  # type: ignore[arg-type]
    with pytest.raises(FieldsError) as caught:
        read_wishes("3", "2", **{"top": "x", **options})  # type: ignore[arg-type]
    assert len(caught.value.findings) == (1 if "top" in options else 2)
    with pytest.raises(UnreadableError, match="no row of this table"):
        designed(read_wishes("2", "3", rows=["royal_flush=3"]))
