"""A choice of a submission is declared once: a new one is read, checked, compared and asked for by that alone."""

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import Any

import httpx
import pytest

import pitboss
from pitboss.findings import Finding, UnreadableError
from pitboss.games.registry import GAMES
from pitboss.paper.model import Listing
from pitboss.reports.form import form_paper
from pitboss.submission import (
    Shuffler,
    Submission,
    WagerChoice,
    check,
    diff,
    read_submission,
    registry,
    rules_of,
    starting_point,
    template,
    write_submission,
)
from pitboss.submission.choice import ChoiceEntry, CountKey, FiledChoice, FiledTable, declare
from pitboss.submission.registry import choices_of_table, head, tables
from pitboss.submission.resolve import Case
from pitboss.web.reading import READER
from pitboss.web.views import submission_desk, submission_draft
from pitboss.web.views.submission_form import parts_of
from tests.web.harness import running
from tests.web.test_submission_form import CASES

DAY, GAME = date(2024, 6, 1), "three-card-poker"


def check_calls(case: Case, entry: ChoiceEntry) -> Iterator[Finding]:
    if entry.value is None or not 0 <= entry.value <= 3:
        sentence = f"A patron calls 0 to 3 times in {case.chapter.title}, not {entry.value}."
        yield Finding("calls-range", entry.choice.cite(case, entry), "0 to 3", str(entry.value), sentence, entry.where)


@dataclass(frozen=True)
class CalledWager(WagerChoice):
    calls: int | None = field(default=None, metadata=declare(FiledChoice(
        CountKey("a number of calls"), "Calls", example="1", comment="by one patron [{cite}]", check=check_calls,
    )))  # fmt: skip


@dataclass(frozen=True)
class CalledSubmission(Submission):
    most_calls: int | None = field(default=None, metadata=declare(FiledChoice(
        CountKey("a number of calls"), "Calls in a round", "Calls of one patron in a round", matters=("seats",),
        example="2", comment="0 to 3 [{cite}]", check=check_calls,
    )))  # fmt: skip
    wagers: Mapping[str, WagerChoice] = field(
        default_factory=dict, metadata=declare(FiledTable(record=CalledWager, by_wager=True))
    )


@pytest.fixture
def declared(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Two more choices, one about the table and one about each wager."""
    caches = (starting_point, submission_desk._parts, submission_draft._template, submission_draft._judged)
    monkeypatch.setattr(registry, "RECORD", CalledSubmission)
    monkeypatch.setattr(READER, "ask", lambda work, *args: work(*args))  # another process has the real model
    for cached in caches:
        cached.cache_clear()
    yield
    for cached in caches:
        cached.cache_clear()


def called(text: str) -> Any:
    return read_submission(text)


@pytest.mark.usefixtures("declared")
def test_a_new_choice_is_read_checked_written_and_compared() -> None:
    text = template(GAME, DAY)
    assert "\nmost_calls = 2  # 0 to 3 [649a.2(a)]\n" in text
    assert text.count("\ncalls = 1  # by one patron [649a.7(d)") == len(called(text).wagers)
    submission = called(text)
    assert (submission.most_calls, submission.wagers["ante"].calls) == (2, 1)
    assert check(submission) == check(replace(submission, most_calls=0))
    assert read_submission(write_submission(submission)) == submission
    for wrong, message in (
        (text.replace("most_calls = 2", "most_calls = true"), "most_calls should be a number of calls, not True"),
        (
            text.replace("most_calls = 2", "most_call = 2"),
            "most_call is not a key .*; did you mean most_calls",
        ),
        (text.replace("\ncalls = 1", '\ncalls = "A"', 1), "wagers.ante.calls should be a number of calls, not 'A'"),
    ):
        with pytest.raises(UnreadableError, match=message):
            read_submission(wrong)
    ante = replace(submission.wagers["ante"], calls=7)
    other = replace(submission, most_calls=None, wagers={**submission.wagers, "ante": ante})
    found = [(each.code, each.cite, each.where) for each in check(other) if each.code == "calls-range"]
    assert found == [
        ("calls-range", "649a.2(a)", "most_calls"), ("calls-range", "649a.7(d)(1)", "wagers.ante.calls"),
    ]  # fmt: skip
    assert [(each.key, each.before, each.after, each.cite) for each in diff(submission, other)] == [
        ("most_calls", "2", "", "649a.2(a)"), ("wagers.ante.calls", "1", "7", "649a.7(d)(1)"),
    ]  # fmt: skip
    again = template(GAME, DAY, other)
    assert "\n# most_calls = 2  #" in again
    assert read_submission(again) == other
    assert write_submission(other).count("calls = 7\n") == 1


@pytest.mark.usefixtures("declared")
def test_a_new_choice_stands_on_the_form_and_on_the_page(tmp_path: Path) -> None:
    paper = form_paper(read_submission(template(GAME, DAY)))
    listings = {block.key: block for each in paper.passages for block in each.blocks if isinstance(block, Listing)}
    assert ("Calls in a round", "2", ("649a.2(a)",)) in listings["table"].rows
    assert ("Ante Wager: Calls", "1", ("649a.7(d)(1)",)) in listings["choices of wagers"].rows
    fields = {each.key: each for part in parts_of(GAMES[GAME].chapter, DAY) for each in part.fields}
    asked = fields["most_calls"]
    assert (asked.label, asked.kind, asked.cite) == ("Calls of one patron in a round", "number", "649a.2(a)")
    with running(f"sqlite:///{tmp_path / 'ledger.db'}", pages=True, staff=False) as house:
        where = {"game": GAME, "effective": str(DAY), "most_calls": "9", "check": "1"}
        page = httpx.get(f"{house.url}/submissions", params=where, timeout=60)
    assert page.status_code == 422
    assert 'name="most_calls" value="9"' in page.text
    assert 'name="wagers.ante.calls" value="1"' in page.text
    assert "A patron calls 0 to 3 times in Three Card Poker, not 9." in page.text


# The template of a submission


@pytest.mark.parametrize(("game", "day"), CASES)
def test_the_template_of_a_submission_has_its_choices(game: str, day: date) -> None:
    base = starting_point(game, day)
    assert template(game, day, base) == template(game, day)
    names = [name for name, each in base.wagers.items() if each.minimum is not None]
    wagers = {**base.wagers, names[0]: replace(base.wagers[names[0]], minimum=1_250, maximum=None)}
    device = GAMES[game].chapter.devices(day)[-1]
    facts = {fact.name: fact.value for fact in GAMES[game].chapter.facts(day)}
    cards = Shuffler(used=True, counts_cards=True, decks=1) if base.shuffler != Shuffler() else Shuffler()
    changed = replace(
        base, certificate_holder='A "house"', seats=None, dealing=device, shuffler=cards, wagers=wagers, facts=facts
    )
    assert read_submission(template(game, day, changed)) == changed
    assert read_submission(write_submission(changed, "A remark")) == changed
    assert rules_of(read_submission(write_submission(base)))[0] == rules_of(base)[0]


# What findings and forms say of a choice


def test_a_note_on_boxes_leads_to_the_number_of_boxes() -> None:
    for game in GAMES:
        base = starting_point(game, DAY)
        found = [each for each in check(replace(base, adjacent_boxes=2)) if each.code == "payout-limit-with-boxes"]
        where = "options.payout_limit" if "payout_limit" in GAMES[game].chapter.options(DAY) else "adjacent_boxes"
        assert {each.where for each in found} <= {where}
        if any(figure.caps for figure in GAMES[game].chapter.figures) and base.adjacent_boxes is not None:
            assert [each.where for each in found] == ["adjacent_boxes"]


def test_a_form_says_that_the_rate_of_a_meter_is_not_given() -> None:
    base = starting_point("four-card-poker", date(2016, 1, 1))
    name = "five_card_progressive"
    paper = form_paper(replace(base, wagers={**base.wagers, name: replace(base.wagers[name], rate=None)}))
    listings = {block.key: block for each in paper.passages for block in each.blocks if isinstance(block, Listing)}
    rates = {row[0]: row[2] for row in listings["meters"].rows}
    assert rates["Five Card Progressive"] == "not given"
    assert rates["Four Card Progressive"] == "20 %"


# Where a choice is named

HOUSE = Path(pitboss.__file__).parent
PAPERS = ("submission/", "reports/form.py", "reports/filing.py", "web/views/submission", "web/submitted.py",
          "web/filing.py", "cli/submission.py", "exact/filed_", "school/live.py", "school/rounds.py",
          "demo/driver.py", "web/practice.py")  # fmt: skip
"""Where submissions are handled: a literal there is the key of a choice, whatever other things bear its name."""
OWN = frozenset({"adjacent_boxes", "counts_cards", "reshuffles", "used"})
"""Choices whose name is nothing else's, so that a literal anywhere is their key."""
NAMED = {
    "submission/read.py": {"game"},  # read first: it decides what else can be read
    "submission/model.py": {"adjacent_boxes", "decks", "seats"},  # the declarations: what they set and are cited to
    "submission/letters.py": {"paytable"},  # the key of a letter, which stands under a wager or by itself
    "submission/table_choices.py": {"seats"},  # boxes are bounded by the law's figure for seats
    "submission/wager_choices.py": {"amount"},  # what a progressive wager has instead of limits
    "submission/resolve.py": {"effective"},  # a chapter that is not in force is a finding on the day
    "submission/write.py": {"game"},  # options are written as the game's chapter says
    "reports/form.py": {"linked", "rate", "seed"},  # columns of the listing of meters
    "web/views/submission_text.py": {"effective", "game"},  # the page asks for the game and the day by itself
    "web/views/submission_draft.py": {"effective", "game"},
    "web/views/submission_desk.py": {"effective", "game"},
    "web/views/submission_holds.py": {"effective"},  # without a day no hold is counted
    "web/views/submissions.py": {"game"},
    "school/live.py": {"seats"},  # the figure of the law
    "cli/submission.py": {"game"},  # a key of the command's JSON
    "games/contract.py": {"adjacent_boxes"},  # the rule about payout limits of a player with several boxes
    "table/seating.py": {"adjacent_boxes"},  # the rule about taking a box
}


def literals(path: Path) -> Iterator[str]:
    """The strings of a module that are a key, or end in the last step of one."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " not in node.value:
            yield node.value.rpartition(".")[2]


def test_no_choice_is_named_beside_its_declaration_and_the_rules_that_use_it() -> None:
    keys = {choice.name for table in tables() for choice in choices_of_table(table)} | {each.name for each in head()}
    assert keys >= OWN
    named: dict[str, set[str]] = {}
    for path in sorted(HOUSE.rglob("*.py")):
        place = path.relative_to(HOUSE).as_posix()
        for word in keys.intersection(literals(path)):
            if word in OWN or place.startswith(PAPERS):
                named.setdefault(place, set()).add(word)
    assert named == NAMED


def test_no_program_replaces_the_text_of_a_submission() -> None:
    """Where a submission's text is at hand, nothing is replaced in it by a line that assigns."""
    found = []
    for path in sorted(HOUSE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in ("replace", "sub"):
                words = [n.value for each in node.args for n in ast.walk(each) if isinstance(n, ast.Constant)]
                found += [str(path) for word in words if isinstance(word, str) and " = " in word]
    assert found == []
