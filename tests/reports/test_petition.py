"""Petitions: what is ticked is in the document, what isn't says what to add, and examples settle to what they say."""

import json
from dataclasses import replace
from fractions import Fraction
from functools import cache
from io import BytesIO
from pathlib import Path
from random import Random

import pytest
from pypdf import PdfReader

from pitboss.cards import shuffled
from pitboss.games.course import Decide
from pitboss.games.registry import GAMES
from pitboss.games.settle import settle
from pitboss.games.settlement import LineResult
from pitboss.games.walk import rolls, start
from pitboss.paper.model import Drawing, Listing, Paper, Remark
from pitboss.paper.page import html_of
from pitboss.paper.pdf import pdf_of
from pitboss.reports.flowchart import flow_of
from pitboss.reports.petition import NO_FIGURES, NO_PLAY, NO_REMEDIES, PARTS, Petition, petition_of
from pitboss.reports.requirements import requirements
from tests.reports.papers import GAME_NAMES, submitted, text_of
from tests.test_cli import Ran

STATES = ("NJ", "MA", "MD", "NV", "PA")
GAME = "three-card-poker"


@cache
def petition(game: str) -> Petition:
    """Without figures, which take long in some games."""
    return petition_of(*submitted(game), STATES[0], holds=False)


def listing(paper: Paper, key: str) -> Listing:
    return next(each for _, each in paper.listings() if each.key == key)


def test_five_states_ask_for_known_parts_and_say_what_to_add() -> None:
    assert tuple(requirements()) == STATES
    asked = [item for state in requirements().values() for item in state.items]
    assert {part for item in asked for part in item.parts} <= set(PARTS)
    assert any(item.parts for item in asked)
    assert any(item.add and not item.parts for item in asked)
    for state in requirements().values():
        assert any("odds" in item.parts for item in state.items) or state.state == "PA"
        assert state.source
        assert state.text


@pytest.mark.parametrize("game", GAME_NAMES)
def test_ticked_items_are_in_the_document_and_others_say_what_is_missing(game: str) -> None:
    for state in STATES:
        found = replace(petition(game), asked=requirements()[state])
        paper = found.paper()
        headings = {passage.title: passage.blocks for passage in paper.passages}
        rows = listing(paper, "checklist").rows
        assert [row[0] for row in rows] == [item.asks for item in found.asked.items]
        for row, item in zip(rows, found.asked.items, strict=True):
            if str(row[2]).startswith("✓"):
                assert item.parts
                numbers = [word.strip(",") for word in str(row[2]).split() if word.strip(",").isdigit()]
                assert {f"{number}. {PARTS[part]}" for number, part in _paired(numbers, item.parts)} <= set(headings)
                assert all(headings[f"{number}. {PARTS[part]}"] for number, part in _paired(numbers, item.parts))
            else:
                assert row[2] == "missing"
                assert row[3]


def _paired(numbers: list[str], parts: tuple[str, ...]) -> list[tuple[str, str]]:
    order = sorted(parts, key=list(PARTS).index)
    return list(zip(numbers, order, strict=True))


def test_a_part_that_is_left_out_or_unfinished_ticks_nothing() -> None:
    found = replace(petition(GAME), asked=requirements()["NV"])
    said = {item.asks: found.status(item) for item in found.asked.items}
    assert said["Statistical evaluation of the theoretical percentages"] == (False, NO_FIGURES)
    assert said["Rack card"] == (False, NO_PLAY)
    dice = replace(petition("sic-bo"), asked=requirements()["NV"])
    procedure = next(item for item in dice.asked.items if "irregularities" in item.parts)
    assert dice.status(procedure) == (False, NO_REMEDIES)
    stud = replace(petition("seven-card-stud"), asked=requirements()["MD"])
    odds = next(item for item in stud.asked.items if item.parts == ("odds",))
    assert stud.status(odds)[0]
    part = next(each for each in stud.parts() if each.key == "odds")
    assert part.blocks == (Remark(GAMES["seven-card-stud"].no_edge),)


@pytest.mark.parametrize("game", GAME_NAMES)
def test_examples_settle_to_what_they_say(game: str) -> None:
    examples = petition(game).examples
    rules = examples.rules
    assert {wager for wager, _ in examples.possible} == set(rules.wagers)
    assert not examples.missing
    for wager, result in examples.possible:
        number = examples.number((wager, result))
        assert number is not None
        lines = settle(rules, examples.rounds[number - 1].played).lines
        named = [(rules.wager_named(line.wager), line) for line in lines]
        those = [line for kind, line in named if kind is not None and kind.name == wager and line.result == result]
        assert those
        assert all(line.cite for line in those)
        signs = {LineResult.WIN: 1, LineResult.LOSE: -1, LineResult.PUSH: 0}
        assert all(line.net * signs[result] > 0 or line.net == signs[result] == 0 for line in those)
    for each in examples.rounds:
        if not each.given and not rolls(GAMES[game]):
            wagers = {seat.number: seat.wagers for seat in each.played.seats}
            again = start(rules, wagers, tuple(shuffled(Random(each.seed)))).played
            assert again.dealer == each.played.dealer
            assert all(
                seat.cards == each.played.seats[at].cards[: len(seat.cards)] for at, seat in enumerate(again.seats)
            )


@pytest.mark.parametrize("game", GAME_NAMES)
def test_the_flow_chart_has_every_choice_in_the_picture_and_in_words(game: str) -> None:
    rules = petition(game).rules
    steps = flow_of(rules)
    part = next(each for each in petition(game).parts() if each.key == "flow")
    drawn, table = part.blocks
    assert isinstance(drawn, Drawing)
    assert isinstance(table, Listing)
    assert len(table.rows) == len(steps)
    for step in (each for each in GAMES[game].course.flat if isinstance(each, Decide)):
        assert step.cite in {each.cite for each in steps}
        assert f"§ {step.cite}" in drawn.svg
        assert all(name.replace("_", " ") in drawn.words.lower() for name in step.names)
    assert all(each.words in drawn.words for each in steps)


@pytest.mark.parametrize(
    ("state", "game"), [*zip(STATES, [*GAME_NAMES[:3], "roulette", "seven-card-stud"], strict=True)]
)
def test_the_pdf_and_the_page_have_every_heading(state: str, game: str) -> None:
    paper = replace(petition(game), asked=requirements()[state]).paper(1_763_431_445_000_000)
    pages = [page.extract_text() for page in PdfReader(BytesIO(pdf_of(paper))).pages]
    read, page = "".join("".join(pages).split()), html_of(paper)
    for passage in paper.passages:
        assert "".join(passage.title.split()) in read
        assert passage.title in page
    assert 'role="img"' in page
    card = [text for text in pages if f"{PARTS['rack_card']}\n" in text]
    assert len(card) == 1
    assert PARTS["signature"] not in card[0]


def test_odds_sum_to_the_house_advantage_and_the_rack_card_has_basic_play() -> None:
    found = petition_of(*submitted(GAME), "NV")
    paper = found.paper()
    assert found.figures is not None
    titles = {str(title).partition(":")[0] for title, each in paper.listings() if each.key.startswith("odds_")}
    assert len(titles) == len({each.name for each in found.figures.found})
    for number, each in enumerate(found.figures.found, 1):
        parts = [one for _, one in paper.listings() if one.key == f"odds_{number}"]
        for one in parts:
            at = {column.key: place for place, column in enumerate(one.columns)}
            total = sum((Fraction(row[at["part"]]) for row in one.rows), Fraction(0))  # type: ignore[arg-type]
            assert total == -each.hold
            for row in one.rows:
                assert row[at["against"]] == 1 / Fraction(row[at["chance"]]) - 1  # type: ignore[arg-type]
    card = next(each for each in found.parts() if each.key == "rack_card")
    assert Remark("Play with Q-6-4 or better; otherwise fold.") in card.blocks
    assert all(found.status(item)[0] for item in found.asked.items if item.parts)


def test_the_command_writes_a_petition(tmp_path: Path) -> None:
    filed, written = tmp_path / "filed.toml", tmp_path / "petition.json"
    filed.write_text(text_of("sic-bo"), encoding="utf-8")
    ran = Ran("petition", str(filed), "--state", "nj", "--no-holds", "-o", str(written))
    assert ran.code == 0
    read = json.loads(written.read_text(encoding="utf-8"))
    assert read["petition"] == "NJ"
    assert {item["here"] for item in read["items"]} == {True, False}
    assert all(set(item["parts"]) <= set(read["parts"]) for item in read["items"])
    assert read["examples"]["rounds"]
    ran = Ran("petition", str(filed), "--state", "TX", "--no-holds")
    assert ran.code == 2
    assert "NJ, MA, MD, NV or PA" in ran.err
