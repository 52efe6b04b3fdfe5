"""The formulas of workbooks, computed without the values cached beside them, against exact fractions."""

from datetime import date

import pytest

from pitboss.exact.edge import MAIN, edge_figures
from pitboss.games.registry import BANKED
from pitboss.paper.workbook import FRONT, workbook_of
from pitboss.reports.figures import MAIN_NOTE, PAYS_NOTE, edges_paper
from tests.workbooks import (
    Computed,
    editable_rows,
    edits_of,
    exact_figures,
    off,
    places_of,
    read_cells,
    with_row_raised,
    without_values,
)

DAY = date(2024, 6, 1)
MOST = 1e-11
GAMES = ("three-card-poker", "caribbean-stud", "sic-bo")
"""Main wagers, shares of meters, fixed sums, pays for 1 and to 1; ``scripts/every_workbook.py`` takes every game."""


@pytest.mark.parametrize("game", GAMES)
def test_every_formula_gives_the_exact_figure_also_after_a_pay_is_edited(game: str) -> None:
    found = [*edge_figures(BANKED[game], DAY)]
    paper = edges_paper(found, outcomes=True)
    book, where = workbook_of(paper), places_of(paper)
    cells = read_cells(book)
    computed = Computed(without_values(book))
    formulas = [at for at, cell in cells.items() if cell.formula]
    assert len(formulas) > 10 * len(found)
    assert [at for at in formulas if off(computed[at], cells[at].value) > MOST] == []
    for number, each in enumerate(found, 1):
        for key, exact in exact_figures(each, number):
            assert off(computed[where[key]], exact) < MOST, (each.name, key)
    edits, expected = edits_of(found, 1, cells)
    assert expected
    edited = Computed(without_values(book, edits))
    for number, changed in expected.items():
        assert changed.hold < found[number - 1].hold
        for key, exact in exact_figures(changed, number):
            assert off(edited[where[key]], exact) < MOST, (changed.name, key)


def test_a_second_reading_takes_its_outcomes_from_its_own_rules() -> None:
    """The same letter under two readings: a workbook of both once had the outcomes of the first in both."""
    found = list(edge_figures(BANKED["four-card-frenzy"], DAY, "four_card_bonus", "A"))
    assert len({each.expected_value for each in found}) == len(found) > 1
    paper = edges_paper(found, outcomes=True)
    computed, where = Computed(without_values(workbook_of(paper))), places_of(paper)
    assert [computed[where[f"hold_{number}"]] for number in (1, 2)] == pytest.approx([float(f.hold) for f in found[:2]])


def test_a_workbook_says_what_may_be_edited_and_what_stays_as_filed() -> None:
    found = [*edge_figures(BANKED["three-card-poker"], DAY)]
    cells = read_cells(workbook_of(edges_paper(found, outcomes=True)))
    texts = {cell.value for cell in cells.values()}
    assert {MAIN_NOTE, PAYS_NOTE} <= texts
    main = {sheet for sheet, _ in cells if sheet.startswith("1 ")}
    assert found[0].wager == MAIN
    assert main == {"1 Outcomes Main"}, "the main wagers have no pays to edit"
    labels = [str(cell.value) for (sheet, at), cell in cells.items() if sheet == FRONT and at.startswith("A")]
    assert any(label.startswith("Expected value") and label.endswith("(as filed)") for label in labels)
    assert "Element of risk, of all wagered (as filed)" in labels
    assert "Hit frequency" in labels
    assert "Stake" in labels, "of a table with fixed sums"
    assert any("Fixed sums at a stake of $5." in str(text) for text in texts)
    assert [with_row_raised(each, 0) for each in found if editable_rows(each)]
