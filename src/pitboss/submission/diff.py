"""What changed between two submissions, choice by choice, each with the paragraph that governs it."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any

from pitboss.games.options import Law, Leaf, Selection, declared, kind_of, leaves_of, option_named
from pitboss.law.model import Wager
from pitboss.money import decimal_of, plain_dollars, show_dollars
from pitboss.submission.model import Submission
from pitboss.submission.resolve import Case, chapter_of, rules_of

TOP = ("game", "certificate_holder", "effective", "seats", "adjacent_boxes", "dealing")
MONEY = ("minimum", "maximum", "amount", "seed")
ABSENT = ""


@dataclass(frozen=True)
class Difference:
    """One choice that differs; an empty ``before`` or ``after`` means that the choice is not made there."""

    key: str
    before: str
    after: str
    cite: str
    sentence: str

    def __str__(self) -> str:
        return f"{self.key}: {self.sentence} [{self.cite}]"

    def as_dict(self) -> dict[str, str]:
        return asdict(self)


def diff(a: Submission, b: Submission) -> tuple[Difference, ...]:
    """Every choice that differs from ``a`` to ``b``, in the order of the file."""
    before, after = _shown(a), _shown(b)
    old, new = _case(a), _case(b)
    changes = []
    for key in dict.fromkeys((*before, *after)):
        was, now = before.get(key, ABSENT), after.get(key, ABSENT)
        if was != now:
            # A choice that only the old submission makes is governed by the old submission's law.
            cite = _cite(new, key, now) if now else _cite(old, key, was)
            changes.append(Difference(key, was, now, cite, _sentence(key, was, now, old, new)))
    return tuple(changes)


def _sentence(key: str, was: str, now: str, old: Case, new: Case) -> str:
    if key == "game":
        return f"These are different games, {old.chapter.title} and {new.chapter.title}, under different chapters."
    if not was:
        return f"now {now}; not chosen before."
    return f"was {was}, now {now}." if now else f"was {was}; no longer chosen."


def _shown(submission: Submission) -> dict[str, str]:
    """As a person reads it; a selection that is not spoken of is not offered."""
    silent = {n: Selection() for n, choice in declared(chapter_of(submission)).items() if choice.kind == "selection"}
    spoken = replace(submission, options={**silent, **submission.options})
    return {leaf.key: leaf.shown for leaf in leaves(spoken)}


def _case(submission: Submission) -> Case:
    return Case(submission, chapter_of(submission), submission.effective, rules_of(submission)[0])


def leaves(submission: Submission) -> Iterator[Leaf]:
    """Every choice by its dotted key, as the file has it and as a person reads it."""
    for key in TOP:
        yield _leaf(key, getattr(submission, key))
    for key, value in asdict(submission.shuffler).items():
        yield _leaf(f"shuffler.{key}", value)
    for name, choice in submission.wagers.items():
        for key, value in asdict(choice).items():
            yield _leaf(f"wagers.{name}.{key}", value)
    for key, leaf in leaves_of(chapter_of(submission), submission.options):
        yield replace(leaf, key=f"options.{key}")
    for place, texts in (
        ("paytables", submission.paytables),
        ("options.readings", submission.readings),
        ("facts", submission.facts),
        ("acknowledged", submission.acknowledged),
    ):
        yield from (Leaf(f"{place}.{name}", text, text) for name, text in texts.items())


def _leaf(key: str, value: Any) -> Leaf:
    last = key.rpartition(".")[2]
    if value is None:
        return Leaf(key, ABSENT, ABSENT)
    if isinstance(value, bool):
        return Leaf(key, value, "true" if value else "false")
    if last in MONEY:
        return Leaf(key, plain_dollars(value), show_dollars(value))
    if last == "rate":
        return Leaf(key, f"{decimal_of(value * 100)}%", f"{float(value * 100):g}%")
    return Leaf(key, str(value), str(value))


def _cite(case: Case, key: str, value: str) -> str:
    head, _, rest = key.partition(".")
    name, _, last = rest.partition(".")
    if head == "wagers":
        return _wager_cite(case, name, last, value)
    if head == "paytables":
        return _table_cite(case, name, value)
    if head == "shuffler":
        matters = {"decks": "decks_with_shuffler", "reshuffles": "use-approved-reshuffling-shoe"}
        return case.cite(matters.get(name, "check-shuffler-count"))
    if head == "facts":
        found = (fact.cite for fact in case.chapter.facts(case.day) if fact.name == rest)
        return str(next(found, case.chapter.cite_of()))
    if head == "options":
        return _option_cite(case, name, last)
    if head == "dealing":
        return next((str(deal.cite) for deal in case.chapter.deals if deal.device == value), case.cite("deals"))
    return case.cite(head)


def _wager_cite(case: Case, name: str, key: str, value: str) -> str:
    wager = next((wager for wager in case.chapter.wagers if wager.name == name), None)
    if wager is None:
        return case.cite("wagers")
    if key == "paytable":
        return _table_cite(case, wager.paytable, value)
    if key in ("seed", "rate"):
        spec = case.meter(wager)
        return str(spec.cite if spec else wager.cite)
    if key == "amount":
        return _envy_cite(case, wager)
    return case.cite("linked", wager.name) if key == "linked" else str(wager.cite)


def _envy_cite(case: Case, wager: Wager) -> str:
    return next((str(table.cite) for table in case.chapter.envies if table.wager == wager.name), str(wager.cite))


def _table_cite(case: Case, table: str, letter: str) -> str:
    tables = [t for t in case.chapter.paytables if t.wager == table]
    return next((str(t.cite) for t in (*(t for t in tables if t.letter == letter), *tables)), case.cite("paytables"))


def _option_cite(case: Case, name: str, last: str) -> str:
    if name == "readings":
        return _table_cite(case, last, "")
    choice = option_named(case.chapter, name)
    assert choice is not None
    own = name in case.chapter.options(case.day)
    return str(kind_of(choice).cite(choice, last, Law(case.chapter, case.day)) if own else choice.cite)
