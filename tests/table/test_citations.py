"""The paragraph beside each next step and each event: one of the game's chapter that speaks of it."""

import re
from datetime import date

import pytest

from pitboss.games.registry import GAMES
from pitboss.law.cite import Cite
from pitboss.law.index import paragraphs, unprinted
from pitboss.law.model import in_force
from pitboss.law.phrases import ACTS
from pitboss.law.texts import find_text, own_text, plain
from pitboss.table.deciding import deciding_now
from pitboss.table.guide import next_step
from pitboss.table.settling import SettleTurns, Validate
from pitboss.table.state import Phase
from tests.table.driver import Bench, devices_of, submission_text
from tests.test_law import LAW_TEXTS

TODAY = date(2024, 6, 1)
ROUNDS = 3


def check(game: str, cite: str, what: str) -> None:
    chapter = GAMES[game].chapter
    at = Cite.parse(cite)
    assert at.chapter == chapter.chapter, (what, cite)
    opened = any(at.steps[:1] == known.steps[:1] and at.section_cite == known.section_cite for known in paragraphs())
    assert at in paragraphs() or (chapter.partly and (at in unprinted() or not opened)), (what, cite)


def says(game: str, cite: str, act: str) -> bool:
    """Whether the text of a printed paragraph speaks of an act; where the texts are not at hand, its entries."""
    chapter = GAMES[game].chapter
    text = find_text(LAW_TEXTS, chapter.chapter)
    at = Cite.parse(cite)
    if text is None or at not in paragraphs():
        return any(each.cite == at and each.act == act for each in in_force(chapter.procedures, TODAY))
    return re.search(ACTS[act], plain(own_text(text, at)), re.I) is not None


@pytest.mark.parametrize("device", [0, -1], ids=["first", "last"])
@pytest.mark.parametrize("game", [name for name in GAMES if not GAMES[name].course.contest])
def test_every_step_and_event_cites_its_own_paragraph(game: str, device: int) -> None:
    """Two hands a round, of which one folds where that is possible."""
    chapter = GAMES[game].chapter
    bench = Bench(game, submission_text(game, devices_of(game)[device]), seed=3).opened(1, 2)
    printed = {act.act for act in in_force(chapter.procedures, TODAY) if not act.source}
    for _ in range(ROUNDS):
        bench.ready()
        bench.wager_all(1, 2)
        rounds = bench.table.rounds
        while bench.table.rounds == rounds or bench.table.play is not None:
            step = next_step(bench.table, bench.desk)
            assert step is not None
            if step.cite:
                check(game, step.cite, step.say)
            act = step.command.act if step.command is not None else ""
            folding = isinstance(step.command, SettleTurns) and step.cite not in settled_by(game)
            if act in printed and not isinstance(step.command, Validate) and is_rule(step.cite):
                assert folding or says(game, step.cite, act), (step.say, step.cite)
            asked = deciding_now(bench.table)[0] if bench.table.phase == Phase.DECIDING else None
            if step.seat == 2 and asked is not None and "fold" in asked.names:
                events = bench.dealer("decide", seat=2, choice="fold")
            else:
                events = bench.step()
            for event in events:
                for cite in event.cites:
                    check(game, cite, event.kind)


def settled_by(game: str) -> set[str]:
    acts = in_force(GAMES[game].chapter.procedures, TODAY)
    return {str(act.cite) for act in acts if act.act == SettleTurns.act}


def test_a_folded_hand_is_collected_by_the_paragraph_of_folding() -> None:
    """647a.11(h), which settles hands, is not printed; (b)(2), which collects the Ante of a folded one, is."""
    bench = Bench("texas-hold-em-bonus", seed=3).opened(1, 2).ready()
    bench.wager_all(1, 2)
    bench.until("deciding")
    for seat in (1, 2):
        bench.dealer("decide", seat=seat, choice="fold")
    steps = [step for _ in range(2) if (step := next_step(bench.table, bench.desk)) and bench.step()]
    assert {step.cite for step in steps if isinstance(step.command, SettleTurns)} == {"647a.11(b)(2)"}


def is_rule(cite: str) -> bool:
    return (at := Cite.parse(cite)) in paragraphs() and paragraphs()[at].kind == "rule"
