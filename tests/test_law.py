"""The law as data: what the loader refuses, what the index accounts for, what the lint reports."""

import os
import sys
from datetime import date
from fractions import Fraction
from importlib.resources import files
from pathlib import Path

import pytest

from pitboss.findings import UnreadableError, errors
from pitboss.games.contract import Game
from pitboss.games.registry import GAMES
from pitboss.hands.labels import TITLES
from pitboss.law.cite import Cite, CiteError
from pitboss.law.comparison import check_against_text
from pitboss.law.coverage import STATUSES, coverage, covered, not_counted, with_status
from pitboss.law.index import paragraphs, places, proofs
from pitboss.law.lint import lint, lint_chapter
from pitboss.law.loader import CHAPTERS, LawError, chapter, read_chapter
from pitboss.law.model import Chapter, in_force
from pitboss.law.notes import notes, notes_page
from pitboss.law.odds import FixedSum, ForOne, MeterShare, OddsError, ToOne, parse_odds
from pitboss.law.report import paragraph_report
from pitboss.law.texts import find_annex, find_text
from tests.conftest import PROOFS

LAW_TEXTS = Path(os.environ.get("PITBOSS_LAW_TEXTS", Path(__file__).parents[2] / "shared" / "law"))
TODAY = date(2024, 6, 1)
PLAYED = {game.chapter.chapter for game in GAMES.values()}
"""Chapters whose game exists: the law file of another may come first."""

needs_texts = pytest.mark.skipif(
    not LAW_TEXTS.is_dir(), reason="the texts of the law are not here; set PITBOSS_LAW_TEXTS to their folder"
)

SMALL = """
chapter = "641a"
game = "four-card-poker"
title = "Four Card Poker"
adopted = 2012-07-07
source = "42 Pa.B. 4333"
section = [
  { number = 2, title = "Table", from = 2012-07-07 },
  { number = 12, title = "Odds", from = 2019-08-31 },
]
figure = [ { name = "seats", value = 7, cite = "641a.2(a)" } ]
paytable = [
  { wager = "aces_up", letter = "A", cite = "641a.12(c)", rows = { flush = "6 to 1", straight = "4 to 1" } },
]
"""


def test_a_small_chapter_loads_with_the_dates_of_its_sections() -> None:
    small = read_chapter("small.toml", SMALL)
    assert small.figure("seats", TODAY).value == 7
    assert small.paytables[0].period.start == date(2019, 8, 31)
    assert in_force(small.paytables, date(2019, 8, 30)) == ()


@pytest.mark.parametrize(
    ("change", "to", "said"),
    [
        ("value = 7", 'value = "7"', "figure[1] seats.value should be a whole number, not '7'."),
        ("value = 7", 'value = 7, colour = "green"', "colour is not a key here"),
        ('cite = "641a.2(a)"', 'cite = "641a.2a"', "is not a citation"),
        ('cite = "641a.2(a)"', 'cite = "649a.2(a)"', "not in chapter 641a"),
        ('cite = "641a.2(a)"', 'cite = "641a.9(a)"', "in no section of this file"),
        ('cite = "641a.2(a)"', "value2 = 1", "cite is missing"),
        ('flush = "6 to 1"', 'flush = "six to 1"', "is not a way of paying"),
        ('flush = "6 to 1"', 'Flush = "6 to 1"', "lower case"),
        ('flush = "6 to 1"', 'straight = "6 to 1"', "straight"),
        ('{ flush = "6 to 1", straight = "4 to 1" }', "{}", "rows should be a table with a row or more"),
        (
            'source = "42 Pa.B. 4333"',
            'source = "42 Pa.B. 4333"\nsauce = 1',
            "sauce is not a key here; did you mean source?",
        ),
        ('chapter = "641a"', 'chapter = "641a', "TOML"),
    ],
)
def test_a_defect_of_a_law_file_is_named_with_file_and_key(change: str, to: str, said: str) -> None:
    assert change in SMALL
    with pytest.raises(LawError) as caught:
        read_chapter("small.toml", SMALL.replace(change, to, 1))
    assert str(caught.value).startswith("small.toml: ")
    assert said in str(caught.value)


def test_all_defects_of_a_law_file_are_named_at_once() -> None:
    text = SMALL.replace("value = 7", 'value = "7"').replace('flush = "6 to 1"', 'flush = "six"')
    with pytest.raises(LawError) as caught:
        read_chapter("small.toml", text)
    assert "seats.value should be a whole number" in str(caught.value)
    assert "rows.flush: 'six' is not a way of paying" in str(caught.value)
    text = SMALL.replace('cite = "641a.2(a)"', 'cite = "641a.9(a)"').replace('"641a.12(c)"', '"649a.12(c)"')
    with pytest.raises(LawError, match=r"no section of this file.*aces_up A.cite: 649a.12.c. is not in chapter 641a"):
        read_chapter("small.toml", text)


SIX = "{ name = 'seats', value = 6, cite = '641a.2(a)', from = 2012-07-07 }"
SEVEN = "{ name = 'seats', value = 7, cite = '641a.2(a)', from = 2014-01-01 }"


@pytest.mark.parametrize(
    ("versions", "said"),
    [
        (f"{SIX}, {SEVEN}", "two versions apply on 2014-01-01"),
        (f"{SIX.replace(' }', ', until = 2013-12-30 }')}, {SEVEN}", "no version applies between 2013-12-30"),
        (SIX.replace(" }", ", until = 2012-07-01 }"), "before"),
    ],
)
def test_gaps_and_overlaps_of_dates_are_refused(versions: str, said: str) -> None:
    figures = "figure = [ " + versions + " ]"
    text = SMALL.replace('figure = [ { name = "seats", value = 7, cite = "641a.2(a)" } ]', figures)
    with pytest.raises(LawError, match=said):
        read_chapter("small.toml", text)


def test_versions_that_follow_each_other_are_accepted_and_chosen_by_date() -> None:
    figures = """figure = [ { name = 'seats', value = 6, cite = '641a.2(a)', until = 2013-12-31 },
      { name = 'seats', value = 7, cite = '641a.2(a)', from = 2014-01-01 } ]"""
    text = SMALL.replace('figure = [ { name = "seats", value = 7, cite = "641a.2(a)" } ]', figures)
    small = read_chapter("small.toml", text)
    assert [small.figure("seats", day).value for day in (date(2013, 12, 31), date(2014, 1, 1))] == [6, 7]


def test_an_unknown_chapter_is_refused_in_a_sentence() -> None:
    with pytest.raises(LawError, match="is not one of 617a, 6"):
        chapter("999a")


@pytest.mark.parametrize(
    ("text", "odds"),
    [
        ("3 to 2", ToOne(Fraction(3, 2))),
        ("25,000 to 1", ToOne(Fraction(25_000))),
        ("9 for 1", ForOne(Fraction(9))),
        ("10% of meter", MeterShare(Fraction(1, 10))),
        ("100% mega jackpot", MeterShare(Fraction(1), "mega")),
        ("$1,000,000", FixedSum(100_000_000)),
    ],
)
def test_odds_read_and_print_as_the_law_does(text: str, odds: object) -> None:
    assert parse_odds(text) == odds
    assert str(odds) == text


@pytest.mark.parametrize("text", ["", "3", "3 to", "three to 1", "10 % meter", "$", "1 too 1", "100% giga jackpot"])
def test_odds_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(OddsError):
        parse_odds(text)


@pytest.mark.parametrize("text", ["641a", "641a.", "641.2", "641a.2()", "641a.2(a", "x641a.2", "641a.2 (a) b"])
def test_texts_that_are_no_citations_are_refused(text: str) -> None:
    with pytest.raises(CiteError):
        Cite.parse(text)


def test_citations_sort_as_they_stand_in_the_text() -> None:
    texts = ["641a.2", "641a.2(b)", "641a.2(b)(2)", "641a.2(b)(10)", "641a.12(a)"]
    assert sorted((Cite.parse(text) for text in reversed(texts)), key=lambda cite: cite) == [
        Cite.parse(t) for t in texts
    ]


# The index


def test_every_paragraph_has_exactly_one_status_and_none_is_missing() -> None:
    counts = coverage()
    wholly = {"641a": 181, "649a": 190, "671a": 137, "684a": 153}
    partly = {
        "617a": 19,
        "625a": 16, "637a": 2, "639a": 14, "643a": 79, "647a": 66, "653a": 76, "655a": 78, "657a": 64,
        "677a": 4, "679a": 20,
    }  # fmt: skip
    assert {name: row["paragraphs"] for name, row in counts.items()} == wholly | partly
    assert {name for name in CHAPTERS if chapter(name).partly} == set(partly)
    for name, row in counts.items():
        assert row["paragraphs"] == sum(row[status] for status in STATUSES), name
    assert [p for p in with_status("missing") if p.cite.chapter in PLAYED] == []


def test_every_rule_names_the_place_where_it_lives() -> None:
    for cite, paragraph in paragraphs().items():
        if paragraph.kind == "rule" and cite.chapter in PLAYED:
            assert covered(cite).places, cite
        if paragraph.kind == "physical":
            assert cite not in places(), f"{cite} is called physical but is cited by {places()[cite]}"


def test_rankings_wagers_settlement_and_odds_are_not_excused_as_physical() -> None:
    excused = [p for p in with_status("physical") if p.cite.section in (6, 7, 11, 12)]
    assert all(p.cite.section == 11 and p.cite.steps[:1] == ("a",) for p in excused), [str(p.cite) for p in excused]


def test_the_record_of_proofs_is_that_of_the_marks(
    collected: frozenset[tuple[str, str]], request: pytest.FixtureRequest
) -> None:
    """proofs.tsv is written by `make proofs`; this fails when a mark changed and the file did not."""
    recorded = {(str(cite), test) for cite, tests in proofs().items() for test in tests}
    names = {path.name for path in PROOFS.parents[3].joinpath("tests").glob("test_*.py")}
    seen = {item.path.name for item in request.session.items}
    if names <= seen:
        assert recorded == collected
    else:
        assert collected <= recorded


@needs_texts
def test_the_list_of_paragraphs_is_the_yardstick() -> None:
    texts = [(LAW_TEXTS / name).read_text(encoding="utf-8") for name in ("paragraphs.tsv", "paragraphs-2019.tsv")]
    listed = [line.split("\t")[0] for text in texts for line in text.splitlines()]
    for name in CHAPTERS:
        of_chapter = [cite for cite in listed if cite.startswith(f"{name}.")]
        assert of_chapter == [str(cite) for cite in paragraphs() if cite.chapter == name]


# The lint


def test_the_rulebook_has_no_errors_and_reports_the_known_oddities() -> None:
    findings = lint()
    assert [finding for finding in findings if finding.severity == "error"] == []
    identical = [finding.found for finding in findings if finding.code == "identical-tables"]
    assert identical == ["F and H"]
    assert {finding.cite for finding in findings if finding.code == "not-monotonic"} == {"684a.12(e)"}


@needs_texts
@pytest.mark.parametrize("name", CHAPTERS)
def test_every_figure_stands_in_the_text(name: str) -> None:
    text = find_text(LAW_TEXTS, name)
    assert text is not None
    known = [cite for cite in paragraphs() if cite.chapter == name]
    assert list(check_against_text(chapter(name), text, find_annex(LAW_TEXTS), known)) == []


FAKE = """§ 641a.12. Odds.

(c) Aces Up:

Hand\tPaytable A\tPaytable B
Flush\t6 to 1\t5 to 1
Straight\t4 to 1

(d) Else:
Flush\t9 to 1
"""


@pytest.mark.parametrize(
    ("change", "to", "codes"),
    [
        ("", "", {"text-not-carried"}),
        ("Flush\t6 to 1\t5 to 1", "Flush\t6 to 1", set()),
        ("Flush\t6 to 1\t5 to 1", "Flush\t7 to 1", {"text-differs"}),
        ("Straight\t4 to 1", "Straight\t\t4 to 1", {"text-differs", "text-not-carried"}),
    ],
)
def test_a_figure_that_differs_from_the_text_is_found(change: str, to: str, codes: set[str]) -> None:
    small = read_chapter("small.toml", SMALL)
    found = check_against_text(small, FAKE.replace(change, to))
    assert {
        finding.code for finding in found if finding.cite == "641a.12(c)" and "from" not in finding.sentence
    } == codes


# What the entries say


EACH = [pytest.param(chapter(name), id=name) for name in CHAPTERS if not chapter(name).partly]


@pytest.mark.parametrize("law", EACH)
@pytest.mark.law(
    "641a.2(a)", "649a.2(a)", "671a.2(a)", "684a.2(a)", "641a.3(a)", "649a.3(a)", "671a.3(a)", "684a.3(a)",
    "641a.3(b)", "649a.3(b)", "671a.3(b)", "684a.3(b)", "641a.3(c)", "649a.3(c)", "671a.3(c)", "684a.3(c)",
    "641a.3(c)(1)", "649a.3(c)(1)", "671a.3(c)(1)", "684a.3(c)(1)", "641a.3(c)(2)", "649a.3(c)(2)", "671a.3(c)(2)",
    "684a.3(c)(2)", "671a.11(h)",
)  # fmt: skip
def test_figures_of_the_table(law: Chapter) -> None:
    names = (
        "seats",
        "decks",
        "decks_with_shuffler",
        "deck_change_hours_hand",
        "deck_change_hours_shoe",
        "cut_depth",
        "stub_count_rounds",
    )
    seats = {"641a": 7, "649a": 7, "671a": 5, "684a": 6}[law.chapter]
    assert [law.figure(name, TODAY).value for name in names] == [seats, 1, 2, 4, 8, 10, 5]


@pytest.mark.parametrize("law", EACH)
@pytest.mark.law("641a.7(c)", "649a.7(c)", "671a.7(d)", "684a.7(c)")
def test_only_one_wager_is_placed_after_no_more_bets(law: Chapter) -> None:
    after = [wager.name for wager in law.wagers if wager.placed == "after"]
    assert after == {"641a": ["play"], "649a": ["play"], "671a": ["bet"], "684a": ["raise"]}[law.chapter]


@pytest.mark.parametrize("law", EACH)
def test_rows_are_hands_and_devices_are_complete(law: Chapter) -> None:
    assert {row for table in law.paytables for row in table.rows} <= set(TITLES)
    assert set(law.devices(TODAY)) == {"manual-shoe", "hand", "automated-shoe"}


@pytest.mark.parametrize("name", CHAPTERS)
def test_a_chapter_has_one_unit_at_most_and_names_every_table(name: str) -> None:
    law = chapter(name)
    roles = [wager.role for wager in law.wagers]
    assert roles.count("unit") <= 1
    assert ("unit" in roles) or not {"required", "later"} & set(roles)
    tables = {table.wager for table in law.paytables}
    assert {wager.paytable for wager in law.wagers if not GAMES[law.game].course.contest} <= tables
    assert {wager.meter for wager in law.wagers if wager.meter} == {meter.wager for meter in law.meters}
    assert all(need in {w.name for w in law.wagers} for w in law.wagers for need in (*w.needs_all, *w.needs_any))


@pytest.mark.parametrize("game", GAMES.values(), ids=list(GAMES))
def test_a_reading_that_can_be_chosen_changes_something(game: Game) -> None:
    """Another reading than the first of a note is a table of its own, or the game's module has its name."""
    names = [value for value in vars(sys.modules[type(game).__module__]).values() if isinstance(value, str)]
    known = {*names, *(table.reading for table in game.chapter.paytables)}
    cites = {table.cite for table in game.chapter.paytables}
    for note in game.chapter.notes:
        if cites & {note.cite, *note.also}:
            assert set(note.readings[1:]) <= known, note.name


# What is not printed


def test_an_entry_of_a_partly_printed_chapter_says_what_it_rests_on() -> None:
    text = SMALL.replace('source = "42', 'printed = "partly"\nsource = "42')
    assert text != SMALL
    assert read_chapter("small.toml", text).facts(TODAY) == ()
    seats = text.replace(
        'cite = "641a.2(a)"', 'range = [1, 9], cite = "641a.2(a)", source = "assumed", source_note = "a guess"'
    )
    row = 'row_source = { straight = { source = "public", source_note = "a casino" } }, rows = { flush'
    facts = read_chapter("small.toml", seats.replace("rows = { flush", row)).facts(TODAY)
    assert [(fact.name, fact.value, str(fact.source)) for fact in facts] == [
        ("seats", "7", "assumed: a guess"),
        ("paytables.aces_up.A.straight", "4 to 1", "public: a casino"),
    ]


@pytest.mark.parametrize(
    ("addition", "said"),
    [
        ('source = "heard"', "should be printed, sibling, public or assumed, not 'heard'"),
        ('source = "sibling"', "source_note is missing"),
        ('source = "assumed"', "the chapter is printed wholly"),
    ],
)
def test_a_source_that_is_none_is_refused(addition: str, said: str) -> None:
    text = SMALL.replace('cite = "641a.2(a)"', f'cite = "641a.2(a)", {addition}')
    with pytest.raises(LawError, match=said):
        read_chapter("small.toml", text)


def test_what_is_not_printed_is_shown_and_not_counted() -> None:
    hidden = Cite.parse("655a.12(d)")
    assert hidden in not_counted()
    assert hidden not in paragraphs()
    assert "public: Ocean" in covered(hidden).places[0]
    report = paragraph_report("655a.12(d)")
    assert (report["printed"], report["status"]) == ("partly", "unprinted")
    assert any("(public: " in place for place in paragraph_report("655a.12(a)")["where"])
    with pytest.raises(UnreadableError, match=r"no paragraph 655a\.12\(g\) printed"):
        paragraph_report("655a.12(g)")


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ('name = "cut_depth", value = 10', 'name = "cut_depth", value = 5'),
        ('straight_flush = "$300"', 'straight_flush = "$400"'),
        ('match = "20 for 1"', 'match = "10 for 1"'),
        ('source_note = "641a.5(d)"', 'source_note = "641a.5(k)"'),
    ],
)
def test_what_was_taken_from_a_sibling_chapter_is_held_against_it(right: str, wrong: str) -> None:
    text = files("pitboss.law").joinpath("655a.toml").read_text(encoding="utf-8")
    assert lint_chapter(read_chapter("655a.toml", text)) == ()
    assert right in text
    assert errors(lint_chapter(read_chapter("655a.toml", text.replace(right, wrong, 1))))


def test_numbers_picked_stand_behind_the_name_of_a_wager() -> None:
    wagers = {wager.name: wager for wager in chapter("625a").wagers}
    assert len([name for wager in wagers.values() for name in wager.names(7)]) == 6 * 3 + 15 + 17
    pair = wagers["two_dice_combination"]
    assert (pair.names(7)[0], pair.names(7)[-1]) == ("two_dice_combination_1_2", "two_dice_combination_5_6")
    assert (pair.picked("two_dice_combination_2_5"), wagers["total_4"].picked("total_4")) == ((2, 5), ())


@pytest.mark.law("641a.1")
def test_definitions_of_641a_agree_with_the_tables() -> None:
    """Envy for a straight flush or better (five cards), progressive payouts from three-of-a-kind."""
    law = chapter("641a")
    assert {tuple(envy.rows) for envy in law.envies if envy.line == "five_card_envy"} == {
        ("royal_flush", "straight_flush")
    }
    by_letter = {envy.letter: list(envy.rows)[-1] for envy in law.envies if envy.line == "four_card_envy"}
    assert by_letter == {"A": "straight_flush", "B": "four_of_a_kind"}
    for wager in ("four_card_progressive", "five_card_progressive"):
        assert {list(table.rows)[-1] for table in law.paytables if table.wager == wager} == {"three_of_a_kind"}


@pytest.mark.law("649a.1")
def test_definitions_of_649a_agree_with_the_tables() -> None:
    law = chapter("649a")
    rows = {envy.line: tuple(envy.rows) for envy in law.envies}
    assert rows == {
        "three_card_envy": ("mini_royal_of_spades", "mini_royal"),
        "five_card_envy": ("royal_flush", "straight_flush"),
        "five_of_six_envy": ("royal_flush_of_spades", "royal_flush"),
    }
    lowest = {table.letter: list(table.rows)[-1] for table in law.paytables if table.wager == "three_card_progressive"}
    assert lowest == {"A": "straight", "B": "three_of_a_kind"}


@pytest.mark.law("671a.1")
def test_definitions_of_671a_agree_with_the_figures() -> None:
    """A draw is two to five cards or a sixth one, for a fee; the Super Wager plays against a posted pay table."""
    law = chapter("671a")
    assert [law.figure(name, TODAY).value for name in ("exchange_least", "exchange_most", "options_fee_antes")] == [
        2,
        5,
        1,
    ]
    assert next(wager for wager in law.wagers if wager.name == "super").paytable == "super"


@pytest.mark.law("684a.1")
def test_definitions_of_684a_agree_with_the_wagers() -> None:
    """Ante and Odds are required, three wagers are optional, the Raise comes later."""
    law = chapter("684a")
    assert [wager.name for wager in law.wagers if wager.required] == ["ante", "odds"]
    assert [wager.name for wager in law.wagers if wager.offer == "choice"] == ["prime", "four_card_bonus", "all_six"]


def test_the_page_of_law_notes_is_that_of_the_law_files() -> None:
    """docs/law-notes.md is written by `make notes`."""
    assert (PROOFS.parents[3] / "docs" / "law-notes.md").read_text(encoding="utf-8") == notes_page()


def test_every_note_says_what_is_done() -> None:
    names = [(note["chapter"], note["name"]) for note in notes()]
    assert len(names) == len(set(names))
    assert all(note["text"].strip().endswith((".", ")")) for note in notes())
