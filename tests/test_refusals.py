"""What a submission or a seat may not do, in every chapter that says so: one test for each function that refuses it."""

from dataclasses import replace

import pytest
from _pytest.mark.structures import ParameterSet

from pitboss.games.registry import GAMES
from pitboss.games.round import Round, Seat
from pitboss.games.rules import Rules
from pitboss.games.settle import verify
from pitboss.law.index import paragraphs
from pitboss.law.model import in_force
from pitboss.meters import Meter
from pitboss.submission import Submission, read_submission, rules_of
from pitboss.submission.check import check
from pitboss.submission.model import WagerChoice
from pitboss.table.roles import Role
from tests.table.driver import DAY, Bench, submission_text


def chapters_with(*functions: str) -> list[ParameterSet]:
    """The games in whose chapters a paragraph names one of the functions, each with those paragraphs."""
    found = []
    for game in GAMES.values():
        cites = [
            str(cite)
            for cite, paragraph in paragraphs().items()
            if cite.chapter == game.number and {*functions} & {*paragraph.functions}
        ]
        if cites:
            found.append(pytest.param(game.name, id=game.name, marks=pytest.mark.law(*cites)))
    return found


def filed(game: str) -> tuple[Submission, Rules]:
    submission = read_submission(submission_text(game))
    rules, _ = rules_of(submission, DAY)
    assert rules is not None
    return submission, rules


def refused(submission: Submission) -> set[tuple[str, str, str]]:
    return {(finding.code, finding.where, finding.cite) for finding in check(submission)}


@pytest.mark.parametrize("game", chapters_with("submission.check._preconditions"))
def test_a_wager_is_not_offered_without_those_that_it_follows(game: str) -> None:
    submission, _ = filed(game)
    chapter = GAMES[game].chapter
    asked = 0
    for wager, _ in submission.offered(chapter, DAY):
        for needs in ({need} for need in wager.needs_all) if wager.needs_all else ({*wager.needs_any},):
            if needs:
                without = {**submission.wagers, **dict.fromkeys(needs, WagerChoice(offered=False))}
                codes = refused(replace(submission, wagers=without))
                assert ("precondition", f"wagers.{wager.name}", str(wager.cite)) in codes
                asked += 1
    assert asked


@pytest.mark.parametrize("game", chapters_with("games.checks._precondition"))
def test_a_wager_is_not_made_without_those_that_it_follows(game: str) -> None:
    _, rules = filed(game)
    asked = 0
    for wager in rules.wagers.values():
        if wager.placed == "before" and (wager.needs_all or wager.needs_any) and not wager.on_another_seat:
            alone = Round((), (Seat(1, (), {wager.name: 500}),))
            found = {(finding.code, finding.cite) for finding in verify(rules, alone)}
            assert ("precondition", str(wager.cite)) in found, wager.name
            asked += 1
    assert asked


@pytest.mark.parametrize(
    "game", chapters_with("submission.wager_choices.check_seed", "submission.wager_choices.check_amount")
)
def test_a_progressive_wager_has_one_amount(game: str) -> None:
    submission, rules = filed(game)
    for name in [name for name, choice in submission.wagers.items() if choice.amount is not None]:
        cite = str(envies[0].cite if (envies := rules.envies.get(name, ())) else rules.wagers[name].cite)
        for change, code, key in (
            ({"amount": None}, "amount-missing", "amount"),
            ({"amount": -100}, "amount-not-allowed", "amount"),
            ({"minimum": 100}, "limits-on-progressive", "minimum"),
        ):
            choice = replace(submission.wagers[name], **change)
            codes = refused(replace(submission, wagers={**submission.wagers, name: choice}))
            assert (code, f"wagers.{name}.{key}", cite) in codes


@pytest.mark.parametrize("game", chapters_with("submission.check._shared_meters"))
def test_wagers_that_share_a_meter_are_offered_alike(game: str) -> None:
    submission, rules = filed(game)
    sharing = [w for w in rules.wagers.values() if w.meter == "five_card_hand" and w.name in submission.wagers]
    first, second = (wager.name for wager in sharing)
    one = submission.wagers[first]
    assert one.amount is not None
    other = replace(submission.wagers[second], amount=one.amount * 5)
    codes = refused(replace(submission, wagers={**submission.wagers, second: other}))
    assert ("shared-meter", f"wagers.{second}.amount", str(rules.meters["five_card_hand"].cite)) in codes


@pytest.mark.parametrize("game", chapters_with("meters.Meter.seeded"))
def test_a_meter_starts_with_its_seed_for_each_dollar_of_the_wager(game: str) -> None:
    for spec in in_force(GAMES[game].chapter.meters, DAY):
        for dollars in (1, 5):
            shown = Meter.seeded(spec.wager, spec, 100 * dollars).displayed()
            assert shown == {tier: seed * dollars for tier, seed in spec.seed.items()}


@pytest.mark.parametrize(
    "game", chapters_with("submission.table_choices.check_boxes", "table.seating.TakeBox.findings")
)
def test_a_player_has_as_many_boxes_as_the_submission_says(game: str) -> None:
    submission, rules = filed(game)
    cite = str(rules.chapter.cite_of("adjacent_boxes", "wagers"))
    for boxes, code in ((None, "adjacent-boxes-missing"), (0, "adjacent-boxes-range"), (99, "adjacent-boxes-range")):
        codes = refused(replace(submission, adjacent_boxes=boxes))
        fixed = ("adjacent-boxes-fixed", "adjacent_boxes", cite) in codes
        assert fixed or (code, "adjacent_boxes", cite) in codes or (boxes is None and rules.choices.adjacent_boxes == 1)
    bench = Bench(game).opened(1)
    for seat in range(2, 1 + (rules.choices.adjacent_boxes or 1)):
        bench.player("p1", "take_box", seat=seat)
    assert bench.why_not(Role.PLAYER, {"command": "take_box", "seat": rules.seats}, "p1")[0].code == "adjacent-boxes"
