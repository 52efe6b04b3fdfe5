"""The record of the broken law: what is called tested had every break noticed, by tests that still name it."""

import gc
from importlib import import_module
from typing import Any

import pytest
from scripts.break_law import in_a_child
from scripts.law_breaks import Break, State, breaks

from pitboss.law.breaks import broken, fingerprints
from pitboss.law.coverage import covered, with_status
from pitboss.law.index import places, proofs
from pitboss.law.loader import chapter


def name_of(test: str) -> str:
    """A test as the record of proofs has it."""
    head, _, case = test.partition("[")
    return f"{head}: {case.removesuffix(']')}" if head.endswith("test_cases.py::test_case") else head


def test_what_is_tested_was_broken_and_every_break_was_noticed() -> None:
    for paragraph in with_status("tested"):
        record = broken().get(paragraph.cite)
        if record is None:
            assert paragraph.kind == "heading", paragraph.cite
            continue
        assert record.caught, paragraph.cite
        assert record.unnoticed == (), paragraph.cite
        assert record.fingerprint == fingerprints()[str(paragraph.cite)], paragraph.cite


def test_the_tests_that_noticed_a_break_still_name_the_paragraph() -> None:
    for cite, record in broken().items():
        gone = [test for test in record.tests if name_of(test) not in proofs()[cite]]
        assert not gone, f"{cite}: {gone}; run `make breaks`"


@pytest.mark.parametrize(
    "cite",
    [
        *(f"643a.11(g)({step})" for step in ("3)(iv", "4)(iv", "5)(ii", "5)(iii")),
        *(f"647a.11(j)({step})" for step in (1, 2, 3)),
        *(f"655a.11(i)({step})" for step in ("1)(iv", "3)(ii", "3)(iii")),
        *(f"657a.11(f)({step})" for step in (2, 3)),
        "625a.5(f)",
    ],
)
def test_acts_that_no_test_once_looked_at_are_tested(cite: str) -> None:
    assert covered(next(at for at in broken() if str(at) == cite)).status == "tested"


def test_every_paragraph_that_lives_somewhere_can_be_broken() -> None:
    breakable = {change.cite for change in breaks()}
    assert [str(cite) for cite in places() if str(cite) in {*map(str, proofs())} and str(cite) not in breakable] == []


def in_a_broken_process(change: Break, look: Any) -> Any:
    def job() -> Any:
        gc.freeze()  # as a server does that a test has started
        return [State().apply(change), look()]

    return in_a_child(job)


def acts() -> list[str]:
    return [act.act for act in chapter("643a").procedures if str(act.cite) == "643a.11(g)(5)(ii)"]


def test_a_break_of_the_data_reaches_a_chapter_that_is_already_held() -> None:
    held = chapter("643a")
    deleted = next(
        change for change in breaks() if change.cite == "643a.11(g)(5)(ii)" and change.what.endswith("deleted")
    )

    def look() -> list[list[str]]:
        return [acts(), [act.act for act in held.procedures if str(act.cite) == deleted.cite]]

    assert look() == [["verify-five-card-hand-large-payout"]] * 2
    assert in_a_broken_process(deleted, look) == [True, [[], []]]


def test_a_break_that_the_loader_refuses_is_no_break() -> None:
    change = Break("643a.2", "seats = 0", "643a", ("figure", 0, "value"), "none")
    assert in_a_broken_process(change, lambda: 0) == [False, 0]


def test_a_neutralized_function_is_another_one_for_all_who_hold_it() -> None:
    held = import_module("pitboss.games.roulette").covered
    change = Break("617a.3(e)(14)", "", function="games.roulette.covered")
    assert held("red", ())
    assert in_a_broken_process(change, lambda: [*held("red", ())]) == [True, []]
