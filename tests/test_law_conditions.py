"""The lint beside the texts: wrong actors, conditions, remedies, needs, offers and limits, planted in every entry."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import replace
from itertools import product
from typing import Any

import pytest

from pitboss.law.conditions import check_act, check_complete, check_item, check_limit, check_wager
from pitboss.law.index import paragraphs
from pitboss.law.loader import CHAPTERS, chapter
from pitboss.law.model import Chapter, ChoiceSpec, Dated, Figure, Role, Wager
from pitboss.law.phrases import ACTORS
from pitboss.law.texts import find_text
from tests.test_law import LAW_TEXTS, needs_texts

Plant = tuple[str, Any, Dated]
"""What is wrong, how the lint looks at it, and the wrong entry."""


SILENT = {
    "needs": {
        "647a.11(b) Flop", "647a.12(c) Turn", "647a.12(c) River", "647a.11(b)(2)(ii) Bonus", "647a.12(d) Progressive",
    },
    "optional": {
        "617a.3(e)(14) 19 to 36", "639a.10(b) Ante", "643a.7(k) Five Card Bonus", "643a.7(k) Three Card Bonus",
        "643a.11(g)(3) Three Card Progressive", "643a.11(g)(4) Five Card Progressive", "647a.11(b) Ante",
        "647a.11(b)(2)(ii) Bonus", "655a.7(c) Ante", "657a.11(b) Ante",
        "657a.11(b) Super Bonus", "657a.11(b)(1) Queens Up", "677a.12(f) Ante", "677a.12(f) Odds", "677a.12(f) Raise",
        "677a.12(f) Trips Plus", "677a.12(f) Pocket Bonus",
    },
}  # fmt: skip
"""Wagers whose printed paragraphs do not say what must be placed before them, or who must make them."""


def acts(loaded: Chapter) -> Iterator[Plant]:
    for act in (act for act in loaded.procedures if not act.source):
        for actor in {"dealer", *ACTORS} - {act.actor}:
            yield "actor", check_act, replace(act, actor=actor)
        for when in {"", "hand", "won", "folded", "two decks"} - {act.when}:
            yield "condition", check_act, replace(act, when=when)
        for unless in {"", "preinspected", "reshuffling shoe", "play"} - {act.unless}:
            yield "condition", check_act, replace(act, unless=unless)
        names = {"void-hands", "return-wagers", "reshuffle"} - {*act.remedy}
        for remedy in (act.remedy[:-1], act.remedy[::-1], *((*act.remedy, name) for name in names)):
            if remedy != act.remedy:
                yield "remedy", check_act, replace(act, remedy=remedy)


def others(loaded: Chapter) -> Iterator[Plant]:
    for item in (item for item in loaded.layout if not item.source):
        for wager in loaded.wagers:
            when = tuple(name for name in item.when if name != wager.name)
            changed = when if wager.name in item.when else (*item.when, wager.name)
            yield "condition", check_item, replace(item, when=changed)
        yield "condition", check_item, replace(item, per="table" if item.per == "player" else "player")
    limits: tuple[Figure | ChoiceSpec, ...] = (*loaded.figures, *loaded.choices)
    for limit in (each for each in limits if each.caps and not each.source):
        for wager in loaded.wagers:
            caps = tuple(name for name in limit.caps if name != wager.name)
            changed = caps if wager.name in limit.caps else (*limit.caps, wager.name)
            yield "caps", check_limit, replace(limit, caps=changed)


def needs(loaded: Chapter, wager: Wager) -> Iterator[Wager]:
    for field, other in (("needs_all", "needs_any"), ("needs_any", "needs_all")):
        names = getattr(wager, field)
        if len(names) > 1:
            yield changed(wager, {field: (), other: names})
        yield from (changed(wager, {field: tuple(each for each in names if each != name)}) for name in names)
    optional = [each.name for each in loaded.wagers if each.role == "side" and each is not wager]
    yield from (changed(wager, {"needs_all": (*wager.needs_all, name)}) for name in optional)


def changed(wager: Wager, values: dict[str, Any]) -> Wager:
    return replace(wager, **values)


def wagers(loaded: Chapter) -> Iterator[Plant]:
    for wager in (wager for wager in loaded.wagers if not wager.source):
        before = allowed(loaded, wager)
        for wrong in needs(loaded, wager):
            if allowed(loaded, wrong) != before:
                yield "needs", check_wager, wrong
        yield "optional", check_wager, replace(wager, offer="choice" if wager.offer == "always" else "always")
        roles: set[Role] = {"unit", "required", "later", "side"}
        for role in roles - {wager.role}:
            yield "optional", check_wager, replace(wager, role=role)
        if wager.role == "unit":
            yield "optional", check_wager, replace(wager, optional=not wager.optional)


def allowed(loaded: Chapter, wager: Wager) -> list[bool]:
    """For each set of wagers that can lie on the layout: whether this one may be placed beside them."""
    others = [each for each in loaded.wagers if each.name in {*wager.needs_all, *wager.needs_any} or each.required]
    sets = [
        {o.name for o, lies in zip(others, chosen, strict=True) if lies}
        for chosen in product((True, False), repeat=len(others))
    ]
    lawful = [each for each in sets if all(not o.required or o.optional or o.name in each for o in others) or not each]
    return [{*wager.needs_all} <= each and (not wager.needs_any or bool(each & {*wager.needs_any})) for each in lawful]


@needs_texts
def test_wrong_actors_conditions_remedies_needs_and_limits_are_found() -> None:
    found, missed = Counter[str](), defaultdict[str, set[str]](set)
    for name in CHAPTERS:
        loaded, text = chapter(name), find_text(LAW_TEXTS, name) or ""
        for kind, check, wrong in (*acts(loaded), *others(loaded), *wagers(loaded)):
            if any(True for _ in check(loaded, wrong, text)):
                found[kind] += 1
            else:
                missed[kind].add(f"{wrong.cite} {wrong.key.removeprefix('wager ')}")
    assert missed == SILENT
    assert {kind for kind, count in found.items() if count >= 40} == {
        "actor", "condition", "remedy", "needs", "optional", "caps"
    }  # fmt: skip


def without(loaded: Chapter) -> Iterator[tuple[str, Chapter]]:
    """The chapter with one printed entry less: an act that its section has once, an area, a choice."""
    acts = Counter((act.cite.section_cite, act.act) for act in loaded.procedures)
    for act in loaded.procedures:
        if not act.source and acts[act.cite.section_cite, act.act] == 1:
            yield act.key, replace(loaded, procedures=tuple(each for each in loaded.procedures if each is not act))
    for item in loaded.layout:
        if not item.source and item.cite.section == 2:
            yield item.key, replace(loaded, layout=tuple(each for each in loaded.layout if each is not item))
    for choice in loaded.choices:
        if not choice.source:
            yield choice.key, replace(loaded, choices=tuple(each for each in loaded.choices if each is not choice))


@needs_texts
@pytest.mark.parametrize("name", CHAPTERS)
def test_a_missing_act_area_or_choice_is_found(name: str) -> None:
    loaded, text = chapter(name), find_text(LAW_TEXTS, name) or ""
    known = [cite for cite in paragraphs() if cite.chapter == name]
    assert [*check_complete(loaded, text, known)] == []
    assert [key for key, less in without(loaded) if not any(True for _ in check_complete(less, text, known))] == []
