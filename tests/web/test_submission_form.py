"""The form of the submission desk: made of the law's choices, the same as its TOML, findings that lead to a field."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import date
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pitboss.exact.edge import edge_rows
from pitboss.findings import UnreadableError
from pitboss.games.registry import GAMES
from pitboss.law.model import SINGLE, Chapter, Dated, in_force
from pitboss.paper.say import percent
from pitboss.submission import Selection, Submission, WagerChoice, check, read_submission, template
from pitboss.submission.letters import letters_in_force
from pitboss.submission.write import Values, toml_of, values_of
from pitboss.web.submitted import MOST, read_text
from pitboss.web.views.submission_draft import template_values
from pitboss.web.views.submission_form import Part, field_of, parts_of, unknown_keys
from pitboss.web.views.submission_holds import MAIN, holds, question_of
from pitboss.web.views.submission_text import read_values

DAY = date(2024, 6, 1)


def days_of(chapter: Chapter) -> list[date]:
    """The first day of every state of a chapter's choices."""
    entries: tuple[Dated, ...] = (*chapter.wagers, *chapter.paytables, *chapter.meters, *chapter.figures)
    first = min(wager.period.start for wager in chapter.wagers)
    return sorted({entry.period.start for entry in entries if entry.period.start >= first} | {DAY})


CASES = [(name, day) for name, game in GAMES.items() for day in days_of(game.chapter)]


def keys_of(parts: tuple[Part, ...]) -> Iterator[str]:
    for part in parts:
        for each in part.fields:
            yield each.key


def submitted(game: str, day: date = DAY) -> Submission:
    return read_submission(template(game, day))


def part_named(game: str, name: str, day: date = DAY) -> Part:
    return next(part for part in parts_of(GAMES[game].chapter, day) if part.name == name)


@pytest.mark.parametrize(("game", "day"), CASES)
def test_the_form_has_a_field_for_everything_in_the_law_template(game: str, day: date) -> None:
    submission, chapter = submitted(game, day), GAMES[game].chapter
    parts = parts_of(chapter, day)
    values = values_of(submission)
    assert unknown_keys(values, parts, chapter, day) == ()
    read = read_values(values, day)
    assert read.submission == submission
    assert read.findings == ()
    keys = list(keys_of(parts))
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize(("game", "day"), CASES)
def test_a_pay_table_offers_the_letters_of_the_day_with_all_their_rows(game: str, day: date) -> None:
    chapter = GAMES[game].chapter
    lettered = 0
    for part in parts_of(chapter, day):
        for each in part.fields:
            if each.label == "Pay table":
                assert part.sheet is not None
                assert tuple(each.options) == letters_in_force(chapter, part.sheet.name, day)
                assert set(part.sheet.rows) == {row for table in part.sheet.tables for row in table.rows}
                lettered += 1
    assert lettered or all(table.letter == SINGLE for table in in_force(chapter.paytables, day))


def test_the_rows_of_several_tables_stand_in_the_order_of_the_law() -> None:
    sheet = part_named("three-card-poker", "six_card_bonus").sheet
    assert sheet is not None
    for table in sheet.tables:
        assert [row for row in sheet.rows if row in table.rows] == list(table.rows)


def test_seed_and_rate_are_fields_only_while_the_law_leaves_them_open() -> None:
    seen = set()
    for game, day in CASES:
        chapter = GAMES[game].chapter
        keys = set(keys_of(parts_of(chapter, day)))
        for wager in in_force(chapter.wagers, day):
            open_ = any(spec.chosen for spec in in_force(chapter.meters, day) if spec.wager == wager.meter)
            assert (f"wagers.{wager.name}.seed" in keys) == open_
            assert (f"wagers.{wager.name}.rate" in keys) == open_
            seen.add(open_)
    assert seen == {True, False}


TYPED = st.one_of(
    st.text(max_size=12),
    st.sampled_from(["", "A", "Z", "5", "$1,250.50", "-3", "20%", "1/100", "7/0", "printed", "1e3"]),
)


@settings(max_examples=40, deadline=None)
@given(data=st.data(), game=st.sampled_from(sorted(GAMES)))
def test_form_to_toml_to_the_same_form(data: st.DataObject, game: str) -> None:
    values = values_of(submitted(game))
    keys = (*keys_of(parts_of(GAMES[game].chapter, DAY)), "wagers.a.b.maximum", "paytables.é x")
    for key in data.draw(st.lists(st.sampled_from(keys), max_size=6)):
        flag = key.endswith((".used", ".offered", ".linked", ".counts_cards", ".reshuffles"))
        values[key] = data.draw(st.booleans()) if flag else data.draw(TYPED)
    read = read_values(values, DAY)
    written = toml_of(values_of(read.submission), "A remark\nof two lines")
    assert read_submission(written) == read.submission
    assert values_of(read_submission(written)) == values_of(read.submission)
    check(read.submission)


def test_quotes_control_characters_and_dotted_names_survive() -> None:
    submission = replace(
        submitted("lunar-poker"),
        certificate_holder='A "house" \\ of\tcards\x00\x7f\n♠',
        wagers={'a."b"': WagerChoice(minimum=1050, rate=Fraction(1, 8), linked=True), "": WagerChoice(offered=False)},
        readings={"é": "as it is"},
        options={"mini_royal": {"x.y": Fraction(81, 2)}, "lucky_bonus": Selection(True, Fraction(2, 300))},
    )
    assert read_submission(toml_of(values_of(submission))) == submission
    assert read_values(values_of(submission), DAY).submission == submission


@pytest.mark.parametrize(
    ("key", "typed"),
    [
        ("seats", "seven"),
        ("seats", "7.5"),
        ("wagers.ante.minimum", "ten"),
        ("wagers.ante.minimum", "0.001"),
        ("wagers.ante.maximum", "9" * 60),
        ("options.magic_card.chance", "1/0"),
        ("options.mini_royal.pair_plus", "forty"),
    ],
)
def test_a_field_that_cannot_be_read_is_said_and_hides_no_other(key: str, typed: str) -> None:
    values = {**values_of(submitted("three-card-poker")), key: typed, "adjacent_boxes": "3"}
    read = read_values(values, DAY)
    assert [(finding.where, finding.found) for finding in read.findings] == [(key, typed)]
    assert read.submission.adjacent_boxes == 3
    assert key not in values_of(read.submission)


@pytest.mark.parametrize("typed", ["", "soon", "2024-02-30", "01/06/2024"])
def test_a_date_that_cannot_be_read_leaves_the_form_at_its_day(typed: str) -> None:
    read = read_values({**values_of(submitted("lunar-poker")), "effective": typed}, DAY)
    assert read.submission.effective == DAY
    assert [finding.where for finding in read.findings] == ["effective"]


def test_dollar_signs_commas_and_bare_percentages_are_understood() -> None:
    values: Values = {**values_of(submitted("three-card-poker")), "wagers.ante.maximum": "$1,250.50"}
    values["wagers.five_card_progressive.rate"] = "12.5"
    choices = read_values(values, DAY).submission.wagers
    assert choices["ante"].maximum == 125050
    assert choices["five_card_progressive"].rate == Fraction(1, 8)


def wrong(game: str) -> Submission:
    """As many findings as one submission can have."""
    good = submitted(game)
    wagers = {
        name: replace(choice, minimum=-5, maximum=-9, amount=3, paytable="Q") for name, choice in good.wagers.items()
    }
    return replace(
        good,
        certificate_holder="",
        seats=99,
        adjacent_boxes=0,
        dealing="hand",
        shuffler=replace(good.shuffler, used=False, reshuffles=True, decks=5),
        wagers={**wagers, "no_such_wager": WagerChoice()},
        paytables=dict.fromkeys(good.paytables, "Q") | {"no_such_table": "A"},
        options={
            "version": 7,
            "mini_royal": {"pair_plus": Fraction(1), "no_such_table": Fraction(1)},
            "payout_limit": 1,
            "magic_card": Selection(True),
        },
        readings={"no_such_table": "odd", "ante_bonus": "odd"},
    )


@pytest.mark.parametrize("game", sorted(GAMES))
def test_every_finding_that_names_a_place_leads_to_a_field(game: str) -> None:
    submission, chapter = wrong(game), GAMES[game].chapter
    parts, values = parts_of(chapter, DAY), values_of(submission)
    keys = ("effective", *keys_of(parts), *unknown_keys(values, parts, chapter, DAY))
    findings = check(submission)
    assert len(findings) > 15
    assert [finding.where for finding in findings if finding.where and not field_of(finding.where, keys)] == []


def test_a_finding_on_a_field_leads_to_that_field_and_no_other() -> None:
    keys = ("seats", "wagers.ante.minimum", "wagers.ante.maximum", "wagers.ante_x.minimum")
    assert field_of("wagers.ante.maximum", keys) == "wagers.ante.maximum"
    assert field_of("wagers.ante_x", keys) == "wagers.ante_x.minimum"
    assert field_of("options.version", keys) == ""
    assert field_of("", keys) == ""


def test_entries_that_the_law_does_not_know_are_kept_and_named() -> None:
    text = template("lunar-poker", DAY) + '\n[wagers.pair_plus]\npaytable = "A"\n[options]\nversion = 1\n'
    submission, chapter = read_submission(text), GAMES["lunar-poker"].chapter
    values = values_of(submission)
    unknown = unknown_keys(values, parts_of(chapter, DAY), chapter, DAY)
    assert set(unknown) == {"wagers.pair_plus.offered", "wagers.pair_plus.paytable", "options.version"}
    assert read_values(values, DAY).submission == submission


def test_before_the_chapter_there_is_a_form_and_a_finding() -> None:
    day = date(2001, 1, 1)
    values = template_values("four-card-frenzy", day)
    submission = read_values(values, day).submission
    assert submission.effective == day
    assert parts_of(GAMES["four-card-frenzy"].chapter, day)
    assert "chapter-not-in-force" in [finding.code for finding in check(submission)]


@pytest.mark.parametrize("text", ["", "  \n", "seats = = 4", "game = 'bridge'", "#" * (MOST + 1)])
def test_text_that_is_no_submission_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(UnreadableError, match=r"\w+ \w+"):
        read_text(text)


# Holds


def test_holds_are_those_of_the_command_line_for_every_letter() -> None:
    found = holds(question_of(submitted("three-card-poker"), "pair_plus"), "pair_plus")
    rows = {
        row["paytable"]: Fraction(row["expected_value"])
        for row in edge_rows(GAMES["three-card-poker"], DAY, "pair_plus")
    }
    assert {letter: hold.share for letter, hold in found.items()} == {
        letter: percent(-value) for letter, value in rows.items()
    }
    assert len(found) == 5


def test_a_mini_royal_row_lowers_the_hold() -> None:
    plain = submitted("three-card-poker")
    richer = replace(plain, options={"mini_royal": {"pair_plus": Fraction(200)}})
    before, after = (holds(question_of(each, "pair_plus"), "pair_plus")["A"].share for each in (plain, richer))
    assert float(after.split()[0]) < float(before.split()[0])


def test_a_question_carries_only_what_the_hold_depends_on() -> None:
    plain = submitted("three-card-poker")
    letter = replace(plain.wagers["pair_plus"], paytable="D")
    other = replace(
        plain, certificate_holder="Another", seats=3, dealing="hand", wagers={**plain.wagers, "pair_plus": letter}
    )
    assert question_of(plain, "pair_plus") == question_of(other, "pair_plus") != ""
    assert question_of(plain, MAIN) == question_of(other, MAIN) != ""
    progressive = question_of(plain, "five_card_progressive"), question_of(other, "five_card_progressive")
    assert progressive[0] != progressive[1]


def test_a_wager_with_findings_or_not_offered_asks_nothing() -> None:
    plain = submitted("three-card-poker")
    for choice in (
        replace(plain.wagers["three_card_progressive"], amount=300),
        replace(plain.wagers["three_card_progressive"], offered=False),
    ):
        asked = replace(plain, wagers={**plain.wagers, "three_card_progressive": choice})
        assert question_of(asked, "three_card_progressive") == ""
        assert question_of(asked, "pair_plus") != ""
