"""A snapshot of every printed entry at the far end: what a table that plays by it pays, deals, requires and asks.

``tests/printed/NNNa.tsv`` holds one line for each printed entry: paragraph, kind, subject, content. The lines were
written by the software itself, so they notice a change and say nothing about its correctness: that is for the lint
beside the texts of the law. After a change that was checked against the text, ``PITBOSS_PRINTED=1 pytest
tests/test_printed.py`` writes the files again; read the difference before committing it.
"""

import os
from collections.abc import Iterator, Mapping
from datetime import date
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest

from pitboss.cards import DECK
from pitboss.games.deal import deal_cards, deal_of
from pitboss.games.layout import required_layout
from pitboss.games.options import kind_of
from pitboss.games.rules import Choices, Rules, resolve
from pitboss.law.loader import CHAPTERS, chapter
from pitboss.law.model import Chapter, ChoiceSpec, PayTable, in_force
from pitboss.money import show_dollars

FOLDER = Path(__file__).parent / "printed"
AS_OF = date(2024, 6, 1)
Line = tuple[str, str, str, str]


def _option(choice: ChoiceSpec, law: Chapter) -> Any:
    """A lawful value of an option, so that what depends on it can be seen."""
    if choice.values:
        return choice.values[0]
    least = 100 * law.figure(choice.least, AS_OF).value if choice.least else 10_000_000
    return {"flag": True, "amount": least, "integer": 1}.get(choice.kind)


@cache
def _rules(
    name: str, table: str = "", letter: str = "", reading: str = "", device: str = "", option: str = ""
) -> Rules:
    law = chapter(name)
    options = {option: _option(law.options(AS_OF)[option], law)} if option else {}
    choices = Choices(
        letters={table: letter} if table else {},
        readings={table: reading} if reading else {},
        device=device or law.deals[0].device,
        options=options,
    )
    rules, _ = resolve(law, AS_OF, choices)
    assert rules is not None
    return rules


def _paid(name: str, table: PayTable) -> str:
    rules = _rules(name, table.wager, table.letter, table.reading, option=table.when)
    paid = {row: rules.odds(table.wager, row) for row in table.rows}
    return "; ".join(f"{row} pays {found[1]} as {found[0]}" for row, found in paid.items() if found)


def _needed(parts: Mapping[str, object]) -> str:
    return "; ".join(f"{name}: {value}" for name, value in parts.items() if value not in ("", (), None, False, {}))


def _listed(values: object) -> str:
    return ", ".join(map(str, values)) if isinstance(values, tuple | list) else str(values)


def _wagers(law: Chapter) -> Iterator[Line]:
    for wager in in_force(law.wagers, AS_OF):
        names = {device: len(wager.names(3, device)) for device in (deal.device for deal in law.deals)}
        parts: dict[str, object] = {
            "offer": wager.offer,
            "role": wager.role,
            "placed": wager.placed,
            "required": wager.required,
            "needs all of": _listed(wager.needs_all),
            "needs one of": _listed(wager.needs_any),
            "needs the option": wager.needs_option,
            "paid by": wager.paytable,
            "meter": wager.meter,
            "cards": wager.extra,
            "divided": wager.divided,
            "names at three seats": _listed([f"{device} {count}" for device, count in names.items()]),
            "first": wager.names(3)[0],
            "last": wager.names(3)[-1],
        }
        if not wager.source:
            yield str(wager.cite), "wager", wager.name, _needed(parts)


def _dealt(name: str, device: str) -> str:
    """Where each card goes, and which way up, with seats 1 and 3 in every wager."""
    rules = _rules(name, device=device)
    made = {seat: dict.fromkeys(rules.names_at(seat), 500) for seat in (1, 3)}
    steps = _listed([_needed({k: v for k, v in vars(step).items() if k != "void"}) for step in deal_of(rules).steps])
    if any(getattr(step, "dice", 0) for step in deal_of(rules).steps):
        return steps
    order = deal_cards(deal_of(rules), made, DECK).order
    runs = [(key, len([*cards])) for key, cards in groupby(order, key=lambda dealt: (dealt.to, dealt.face_up))]
    return "; ".join(f"{count} to {to} face {'up' if up else 'down'}" for (to, up), count in runs) + f" | {steps}"


def _lines(name: str) -> Iterator[Line]:
    law = chapter(name)
    for table in in_force(law.paytables, AS_OF):
        if not table.source:
            subject = " ".join(filter(None, (table.wager, table.letter, table.reading)))
            yield str(table.cite), "pay table", subject, _paid(name, table)
    for spec in in_force(law.meters, AS_OF):
        if not spec.source:
            resolved = _rules(name, spec.wager, spec.letter).meters.get(spec.wager, spec)
            shown = [
                f"{part} {tier} {show_dollars(amount)}"
                for part, tiers in (("seed", spec.seed), ("reseed", spec.reseed))
                for tier, amount in tiers.items()
            ] + [f"rate {tier} {rate}" for tier, rate in spec.rate.items()]
            content = f"{'; '.join(shown)}; reserve {spec.reserve}; same at the table: {resolved == spec}"
            yield str(spec.cite), "meter", f"{spec.wager} {spec.letter}", content
    for envy in in_force(law.envies, AS_OF):
        if not envy.source:
            rows = "; ".join(f"{row} {show_dollars(amount)}" for row, amount in envy.rows.items())
            at_table = any(envy in found for found in _rules(name, envy.wager, envy.letter).envies.values())
            subject = f"{envy.line} {envy.letter} {show_dollars(envy.stake)}"
            yield str(envy.cite), "envy", subject, f"{rows}; at the table: {at_table}"
    rules = _rules(name)
    parts: dict[str, object]
    for figure in in_force(law.figures, AS_OF):
        if not figure.source:
            parts = {"value": str(rules.figure(figure.name)), "bounds": _listed(figure.caps)}
            yield str(figure.cite), "figure", figure.name, _needed(parts)
    yield from _wagers(law)
    for (of, row), printed in law.row_names.items():
        if cite := law.row_cites.get(row):
            yield str(cite), "row", f"{of} {row}".strip(), printed
    for deal in in_force(law.deals, AS_OF):
        if not deal.source:
            yield str(deal.cite), "deal", deal.device, _dealt(name, deal.device)
    for act in in_force(law.procedures, AS_OF):
        if not act.source:
            parts = {
                "stage": act.stage, "actor": act.actor, "when": act.when, "unless": act.unless,
                "then": _listed(act.remedy),
            }  # fmt: skip
            yield str(act.cite), "act", act.act, _needed(parts)
    required = {device: required_layout(_rules(name, device=device)) for device in (deal.device for deal in law.deals)}
    for item in in_force(law.layout, AS_OF):
        if not item.source:
            devices = _listed([device for device, items in required.items() if item in items])
            parts = {"per": item.per, "for": _listed(item.when), "reads": item.inscription, "required with": devices}
            yield str(item.cite), "layout", item.item, _needed(parts)
    for choice in in_force(law.choices, AS_OF):
        if not choice.source:
            parts = {
                "kind": choice.kind, "values": _listed(choice.values), "least": choice.least, "floor": choice.floor,
                "caps": _listed(choice.caps), "spares": _listed(choice.spares), "paid on": choice.paid_on,
                "rows": _listed(list(choice.rows.items())), "into": _listed(choice.into),
                "unattended": choice.unattended,
            }  # fmt: skip
            assert choice.kind in ("",) or kind_of(choice) is not None
            yield str(choice.cite), "choice", choice.name, _needed(parts)


@cache
def lines(name: str) -> tuple[Line, ...]:
    return tuple(sorted(set(_lines(name))))


def recorded(name: str) -> list[Line]:
    if os.environ.get("PITBOSS_PRINTED") == "1":
        FOLDER.mkdir(exist_ok=True)
        text = "".join("\t".join(line) + "\n" for line in lines(name))
        FOLDER.joinpath(f"{name}.tsv").write_text(text, encoding="utf-8")
    rows = [line.split("\t") for line in FOLDER.joinpath(f"{name}.tsv").read_text(encoding="utf-8").splitlines()]
    return [(cite, kind, subject, content) for cite, kind, subject, content in rows]


PARAGRAPHS = {(name, cite): [*rows] for name in CHAPTERS for cite, rows in groupby(recorded(name), lambda row: row[0])}


@pytest.mark.parametrize(
    ("name", "cite"), [pytest.param(*key, id=key[1], marks=pytest.mark.law(key[1])) for key in PARAGRAPHS]
)
def test_a_paragraph_does_what_is_printed(name: str, cite: str) -> None:
    assert [line for line in lines(name) if line[0] == cite] == PARAGRAPHS[name, cite]


def test_every_printed_entry_has_its_second_copy() -> None:
    assert {line[0] for name in CHAPTERS for line in lines(name)} == {cite for _, cite in PARAGRAPHS}
