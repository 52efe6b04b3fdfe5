"""Signs, layouts and forms: everything the submission offers and the law requires is on them, with its paragraph."""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from io import BytesIO
from typing import Any
from xml.etree import ElementTree

import pytest
from pypdf import PageObject, PdfReader

from pitboss.games.layout import required_layout
from pitboss.games.registry import GAMES
from pitboss.games.rules import Rules
from pitboss.hands.labels import TITLES
from pitboss.law.index import paragraphs
from pitboss.law.model import in_force
from pitboss.ledger.selfcheck import files_digest, law_files
from pitboss.names import shown as name_in_words
from pitboss.paper.model import SHEETS, Drawing, Paper
from pitboss.paper.page import html_of
from pitboss.paper.pdf import pdf_of, typeset
from pitboss.reports.felt import felt_svg
from pitboss.reports.form import NO_FINDINGS, SIGNATURES, form_paper
from pitboss.reports.layout import CLOTH, EDGE, SCALES, STRIP, layout_paper, layout_svg
from pitboss.reports.offer import offered_tables
from pitboss.reports.sign import sign_paper
from pitboss.reports.sources import not_printed
from pitboss.reports.stamp import law_digest, stamp_of
from pitboss.reports.svg import plain
from pitboss.spoken import also_known
from pitboss.submission import Submission, check, read_submission, rules_of
from tests.reports.papers import (
    DAY,
    GAME_NAMES,
    HOSTILE,
    no_reference_leaves,
    parsed,
    submitted,
    text_of,
    without,
)
from tests.reports.papers import words as all_words

SVG = "{http://www.w3.org/2000/svg}"


PRINTED_AT = 1_763_431_445_000_000


def sign_html(submission: Submission, rules: Rules, size: str = "letter") -> str:
    return html_of(sign_paper(submission, rules, size))


def form_html(submission: Submission, holds: dict[str, str] | None = None) -> str:
    return html_of(form_paper(submission, holds))


def panels(page: str) -> dict[str, list[tuple[str, str]]]:
    """The pay tables of a page by their headings, cite included."""
    found = {}
    for each in parsed(page).iter("section"):
        heading = [all_words(part) for part in each if part.tag in ("h2", "p")]
        rows = [tuple(all_words(cell) for cell in row.iter("td")) for row in each.iter("tr")]
        found[" ".join(heading)] = [(row[0], row[1]) for row in rows if len(row) == 2]
    return found


def squeezed(text: str) -> str:
    """A text without its blanks, of which a reader of PDFs finds too many and too few."""
    return "".join(text.split())


@pytest.mark.parametrize("game", GAME_NAMES)
@pytest.mark.parametrize("size", ["letter", "large"])
def test_the_sign_has_every_row_of_every_table_on_offer(game: str, size: str) -> None:
    submission, rules = submitted(game)
    shown = panels(sign_html(submission, rules, size))
    offered = offered_tables(rules)
    assert {wager.paytable for wager in rules.wagers.values() if wager.paytable in rules.tables} <= {
        each.name for each in offered
    }
    for each in offered:
        titles = (each.title, name_in_words(each.name))
        heading = next(text for text in shown if f"§ {each.table.cite}" in text and text.startswith(titles))
        assert not_printed(each.table) in heading.lower() or not_printed(each.table)[1:] in heading
        names = [
            also_known(rules.chapter.row_name(row, each.table) or TITLES[row], row, each.name)
            for row in each.table.rows
        ]
        assert shown[heading] == [(name, str(odds)) for name, odds in zip(names, each.table.rows.values(), strict=True)]


PRINTED = {
    ("three-card-poker", "649a.12(c)"): ["Ace, king, queen of spades", "Ace, king, queen of hearts, diamonds or clubs"],
    ("three-card-poker", "649a.12(e)(1)"): ["Ace, king and queen of spades"],
    ("three-card-poker", "649a.12(j)(1)"): ["Royal flush of spades", "Royal flush of clubs, diamonds or hearts"],
    ("four-card-poker", "641a.12(g)(3)"): ["Magic Card"],
    ("lunar-poker", "671a.12(d)"): ["One pair", "Ace-king"],
    ("four-card-frenzy", "684a.12(e)"): ["Any other four-of-a-kind", "Two pair—other than two aces and two queens"],
}


@pytest.mark.parametrize(("game", "cite"), PRINTED)
def test_the_sign_names_rows_as_the_law_prints_them(game: str, cite: str) -> None:
    changes = {'ante_bonus = "A"': 'ante_bonus = "c:A"', "# version": "version"} if cite.endswith("(c)") else {}
    shown = panels(sign_html(*submitted(game, **changes)))
    rows = [name for heading, rows in shown.items() if heading.endswith(f"§ {cite}") for name, _ in rows]
    assert set(PRINTED[game, cite]) <= set(rows)


@pytest.mark.parametrize("game", GAME_NAMES)
def test_no_paper_shows_an_internal_name(game: str) -> None:
    submission, rules = submitted(game)
    for paper in (sign_html(submission, rules), layout_svg(submission, rules), form_html(submission)):
        assert re.findall(r"\b[a-z0-9]+(?:_[a-z0-9]+)+\b", all_words(parsed(paper))) == []


def test_a_wager_not_offered_takes_its_table_and_bonus_off_the_sign() -> None:
    full = {each.name for each in offered_tables(submitted("three-card-poker")[1])}
    _, rules = without("three-card-poker", "five_card_hand_player", "five_card_hand_dealer", "six_card_bonus")
    left = {each.name for each in offered_tables(rules)}
    assert full - left == {"five_card_hand", "magic_card", "six_card_bonus"}
    assert "ante_bonus" in left


def test_a_chosen_letter_is_the_one_on_the_sign() -> None:
    submission, rules = submitted("four-card-frenzy", **{'paytable = "A"  # A or B\n': 'paytable = "B"\n'})
    shown = panels(sign_html(submission, rules))
    assert shown["Prime Wager, table B § 684a.12(d)"] == [
        ("All five of the same color", "5 to 1"),
        ("Four of the same color", "1 to 1"),
    ]


def test_the_payout_limit_is_on_sign_and_layout() -> None:
    submission, rules = submitted("four-card-frenzy")
    assert "pay at most $50,000 in one round" in sign_html(submission, rules)
    assert "Payout limit: $50,000 per player and round" in layout_svg(submission, rules)
    plain_one = replace(submission, options={})
    bare, _ = rules_of(plain_one)
    assert bare is not None
    assert "ayout limit" not in sign_html(plain_one, bare)
    assert "ayout limit" not in layout_svg(plain_one, bare)


@pytest.mark.law("637a.10(b)")
def test_the_sign_tells_whether_an_ante_is_required_and_how_much() -> None:
    for change, said in (({}, "No Ante bet is required"), ({"# ante = 1\n": "ante = 2\n"}, "Ante bet: $2")):
        submission, rules = submitted("seven-card-stud", **change)
        assert f"{said}." in sign_html(submission, rules)
        assert said in layout_svg(submission, rules)
        assert said in felt_svg({"wagers": {}}, rules)


@pytest.mark.parametrize("game", GAME_NAMES)
def test_limits_and_envy_bonuses_are_on_the_sign(game: str) -> None:
    submission, rules = submitted(game)
    text = all_words(parsed(sign_html(submission, rules)))
    for wager in rules.wagers.values():
        assert wager.title in text
        assert str(wager.cite) in text
        for envy in rules.envies.get(wager.name, ()):
            # Only the Envy Bonus for the amount that is offered applies at the table.
            chosen = envy.stake == rules.choices.amounts[wager.name]
            assert (f"${min(envy.rows.values()) // 100}" in text) or not chosen
    assert all(f"§ {spec.cite}" in text for spec in rules.meters.values())


def test_only_the_envy_bonus_for_the_offered_amount_is_on_the_sign() -> None:
    one = sign_html(*submitted("three-card-poker"))
    five = sign_html(*submitted("three-card-poker", **{"amount = 1 ": "amount = 5 "}))
    assert "per $1 wager" in one
    assert "per $5 wager" not in one
    assert "per $5 wager" in five
    assert "per $1 wager" not in five
    # 649a.12(e)(3): the seed of $1,000 is for each dollar of the wager.
    assert "$5,000" in five


def entries(root: ElementTree.Element) -> list[tuple[str, str]]:
    return [
        (str(each.get("data-item")), str(each.get("data-cite")))
        for each in root.iter(f"{SVG}g")
        if each.get("data-item") is not None
    ]


def drawn(game: str) -> list[str]:
    """The paragraphs whose areas and inscriptions the drawing of a game must show."""
    return sorted({str(item.cite) for item in in_force(GAMES[game].chapter.layout, DAY) if item.cite in paragraphs()})


@pytest.mark.parametrize("game", [pytest.param(game, marks=pytest.mark.law(*drawn(game))) for game in GAME_NAMES])
def test_every_layout_entry_in_force_is_in_the_legend_once_and_on_the_cloth(game: str) -> None:
    submission, rules = submitted(game)
    root = parsed(layout_svg(submission, rules))
    required = required_layout(rules)
    assert entries(root) == [(item.item, str(item.cite)) for item in required]
    areas = [each.get("data-area") for each in root.iter(f"{SVG}g") if each.get("data-area")]
    for item in required:
        if item.item == "rules_sign":
            assert item.item not in areas
        else:
            assert areas.count(item.item) == (rules.seats if item.per == "player" else 1)
    everything = {item.item for item in in_force(rules.chapter.layout, DAY)}
    assert set(areas) <= everything


@pytest.mark.parametrize("game", GAME_NAMES)
def test_legend_words_and_cites_are_readable_in_the_drawing(game: str) -> None:
    submission, rules = submitted(game)
    text = all_words(parsed(layout_svg(submission, rules)))
    for item in required_layout(rules):
        assert f"§ {item.cite}" in text
    assert submission.certificate_holder in text


def test_areas_of_wagers_not_offered_are_not_drawn() -> None:
    submission, rules = without("four-card-poker", "bad_beat", "six_card_bonus")
    names = {name for name, _ in entries(parsed(layout_svg(submission, rules)))}
    assert not names & {"bad_beat", "six_card_bonus", "six_card_bonus_card"}
    assert "progressive" in names


def test_the_layout_is_to_scale() -> None:
    submission, rules = submitted("three-card-poker")
    root = parsed(layout_svg(submission, rules))
    _, _, wide, high = map(float, str(root.get("viewBox")).split())
    assert root.get("width") == f"{wide / 500:g}in"
    assert root.get("height") == f"{high / 500:g}in"
    circles = [each for each in root.iter(f"{SVG}g") if each.get("data-area") == "ante"]
    assert {next(each.iter(f"{SVG}circle")).get("r") for each in circles} == {"160"}


@pytest.mark.parametrize("game", GAME_NAMES)
def test_the_form_shows_every_choice_and_finding(game: str) -> None:
    submission, rules = submitted(game)
    page = form_html(submission, holds={next(iter(rules.wagers)): "1.2345 %"})
    text = all_words(parsed(page))
    for wager in rules.wagers.values():
        assert wager.title in text
    for finding in check(submission):
        assert f"{plain(finding.sentence)} [{finding.cite}]" in text
    assert "1.2345 %" in text
    assert NO_FINDINGS in text
    assert "Holds were not computed" in all_words(parsed(form_html(submission)))


def test_a_form_of_an_unlawful_submission_says_why() -> None:
    submission = read_submission(text_of("three-card-poker").replace("seats = 7", "seats = 9"))
    text = all_words(parsed(form_html(submission)))
    assert "at most 7 seats, not 9" in text
    assert NO_FINDINGS not in text


def test_a_form_before_the_chapter_was_in_force_is_still_a_form() -> None:
    early = read_submission(text_of("four-card-frenzy").replace("effective = 2024-06-01", "effective = 2018-01-01"))
    text = all_words(parsed(form_html(early)))
    assert "cannot be played by these rules on 2018-01-01" in text


@pytest.mark.parametrize("game", GAME_NAMES)
def test_papers_are_the_same_each_time_escape_names_and_fetch_nothing(game: str) -> None:
    submission, rules = submitted(game)
    hostile = replace(submission, certificate_holder=HOSTILE)
    makers: tuple[Callable[[], str], ...] = (
        lambda: sign_html(hostile, rules),
        lambda: sign_html(hostile, rules, "large"),
        lambda: layout_svg(hostile, rules),
        lambda: html_of(layout_paper(hostile, rules)),
        lambda: form_html(hostile),
    )
    for make in makers:
        page = make()
        assert page == make()
        assert no_reference_leaves(page)
        assert "<script" not in page
        text = all_words(parsed(page))
        assert "<script>alert(1)</script> &" in text
        assert str(stamp_of(DAY)) in text
        assert "Not approved for wagering money" in text
        for drawn in parsed(page).iter(f"{SVG}svg"):
            assert drawn.find(f"{SVG}title") is not None
            assert drawn.find(f"{SVG}desc") is not None


def test_papers_name_the_same_law_as_the_house_records() -> None:
    assert law_digest() == files_digest(law_files())


def test_the_form_says_what_is_not_printed_and_what_the_submission_sets() -> None:
    submission, _ = submitted("mississippi-stud")
    plain = all_words(parsed(form_html(submission)))
    assert "Facts that are not printed" in plain
    assert "set by the Rules Submission" not in plain
    corrected = replace(submission, facts={"paytables.ante.-.royal_flush": "800 to 1"})
    words = all_words(parsed(form_html(corrected)))
    assert "800 to 1" in words
    assert "set by the Rules Submission" in words
    assert "Facts that are not printed" not in form_html(submitted("three-card-poker")[0])


def papers(submission: Submission, rules: Rules) -> Iterator[Paper]:
    for build in (sign_paper, layout_paper):
        yield build(submission, rules, "letter", PRINTED_AT)
    yield form_paper(submission, {}, PRINTED_AT)


@pytest.mark.parametrize("game", GAMES)
def test_papers_as_pdf_are_tagged_the_same_each_time_and_say_everything(game: str) -> None:
    """Each names its law, its program, the time of printing and its page; the sign fits one sheet."""
    submission, rules = submitted(game)
    hostile = replace(submission, certificate_holder=HOSTILE)
    for paper in papers(hostile, rules):
        made = pdf_of(paper)
        assert made == pdf_of(paper), "typst keeps nothing from one call to the next that shows"
        reader = PdfReader(BytesIO(made))
        catalog: Any = reader.root_object
        assert catalog["/MarkInfo"]["/Marked"]
        assert catalog["/Lang"] == "en"
        assert "/StructTreeRoot" in catalog
        assert reader.metadata is not None
        assert reader.metadata.title == paper.title
        pages = [squeezed(page.extract_text()) for page in reader.pages]
        for number, page in enumerate(pages, 1):
            for text in (str(stamp_of(DAY)), "Nov 17, 2025, 9:04:05 p.m. EST", f"Page {number} of {len(pages)}"):
                assert squeezed(text) in page, (paper.key, number, text)
        text = "".join(pages)
        assert squeezed("<script>alert(1)</script> &") in text
        if paper.key == "sign":
            assert len(pages) == 1
            for offered in offered_tables(rules):
                for row, odds in offered.rows:
                    assert squeezed(row) in text, (offered.name, row)
                    assert squeezed(odds) in text, (offered.name, odds)
            assert all(squeezed(wager.title) in text for wager in rules.wagers.values())
        elif paper.key == "layout":
            assert all(squeezed(f"{item.cite}") in text for item in required_layout(rules))
        else:
            assert all(squeezed(label) in text for label in SIGNATURES)


POINTS = {"letter": 8.0, "tabloid": 10.0, "large": 22.0}
"""The least size of type in which the sign of every game is set on a sheet of each size."""


@pytest.mark.parametrize("size", SHEETS)
def test_a_sign_is_as_large_as_its_sheet_allows(size: str) -> None:
    submission, rules = submitted("three-card-poker")
    made = typeset(sign_paper(submission, rules, size))
    wide, high = SHEETS[size].wide, SHEETS[size].high
    said = re.fullmatch(r"Fits one sheet of (\S+) × (\S+) inches, set in ([\d.]+) point\.", made.fit())
    assert said is not None, made.fit()
    assert (float(said[1]), float(said[2])) == (wide, high)
    (page,) = PdfReader(BytesIO(made.pdf())).pages
    assert (float(page.mediabox.width), float(page.mediabox.height)) == (72 * wide, 72 * high)
    assert float(said[3]) >= POINTS[size]
    (picture,) = made.pictures()
    assert f'viewBox="0 0 {72 * wide:g} {72 * high:g}"' in picture


Point = tuple[float, float]
Matrix = tuple[float, float, float, float, float, float]


def painted(page: PageObject, color: str = "") -> list[Point]:
    """The corners of every path that is filled or drawn, or filled with a color, in points from the lower left."""
    contents = page.get_contents()
    assert contents is not None
    matrix: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)
    fill = ""
    states: list[tuple[Matrix, str]] = []
    path: list[Point] = []
    found: list[Point] = []
    for operands, operator in contents.operations:
        numbers = [float(each) for each in operands if isinstance(each, int | float)]
        match operator:
            case b"q":
                states.append((matrix, fill))
            case b"Q":
                matrix, fill = states.pop()
            case b"cm":
                a, b, c, d, e, f = matrix
                p, q, r, s, x, y = numbers
                matrix = (
                    p * a + q * c,
                    p * b + q * d,
                    r * a + s * c,
                    r * b + s * d,
                    x * a + y * c + e,
                    x * b + y * d + f,
                )
            case b"scn":
                fill = "#" + "".join(f"{round(255 * each):02x}" for each in numbers)
            case b"m" | b"l" | b"c":
                a, b, c, d, e, f = matrix
                x, y = numbers[-2:]
                path.append((a * x + c * y + e, b * x + d * y + f))
            case b"f" | b"f*" | b"B" | b"B*" | b"S" | b"n":
                found += path if operator != b"n" and color in ("", fill) else ()
                path = []
    return found


@pytest.mark.parametrize("size", SCALES)
def test_a_layout_on_paper_is_true_to_its_scale(size: str) -> None:
    """The straight edge and the strip along it measure what the scale says, to a twentieth of a millimeter."""
    submission, rules = submitted("three-card-poker")
    paper = layout_paper(submission, rules, size)
    assert f"Scale 1:{SCALES[size]}." in paper.lead[-1]
    first, *others = PdfReader(BytesIO(pdf_of(paper))).pages
    assert others, "the list of areas is on the pages behind the drawing"
    sheet = SHEETS[size]
    assert (float(first.mediabox.width), float(first.mediabox.height)) == (72 * sheet.high, 72 * sheet.wide)
    corners = painted(first, CLOTH)
    left, right = min(x for x, _ in corners), max(x for x, _ in corners)
    side = [y for x, y in corners if x > right - 0.1]
    millimeter = 72 / 25.4
    assert right - left == pytest.approx(72 * EDGE / 100 / SCALES[size], abs=0.05 * millimeter)
    assert max(side) - min(side) == pytest.approx(72 * STRIP / 100 / SCALES[size], abs=0.05 * millimeter)
    assert all(0 <= x <= 72 * sheet.high and 0 <= y <= 72 * sheet.wide for x, y in painted(first))


@pytest.mark.parametrize("game", GAMES)
def test_a_layout_lists_its_areas_once_and_draws_what_the_svg_draws(game: str) -> None:
    submission, rules = submitted(game)
    paper = layout_paper(submission, rules)
    listed = [(row[0], row[4]) for row in paper.listing().rows]
    assert listed == [(at, (str(item.cite),)) for at, item in enumerate(required_layout(rules), 1)]
    (drawn,) = (block for passage in paper.passages for block in passage.blocks if isinstance(block, Drawing))
    shown, whole = (
        [each.get("data-area") for each in parsed(svg).iter(f"{SVG}g") if each.get("data-area")]
        for svg in (drawn.svg, layout_svg(submission, rules))
    )
    assert shown == whole
    assert entries(parsed(drawn.svg)) == [], "the list stands beside the drawing"
