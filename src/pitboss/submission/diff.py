"""What changed between two submissions, choice by choice, each with the paragraph that governs it."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from fractions import Fraction

from pitboss.law.model import Wager
from pitboss.money import show_dollars
from pitboss.submission.model import Submission
from pitboss.submission.resolve import Case, chapter_of, rules_of

MONEY = ("minimum", "maximum", "amount", "seed", "payout_limit")
ABSENT = ""


@dataclass(frozen=True)
class Change:
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


def diff(a: Submission, b: Submission) -> tuple[Change, ...]:
    """Every choice that differs from ``a`` to ``b``, in the order of the file."""
    before, after = dict(_flat(a)), dict(_flat(b))
    old, new = _case(a), _case(b)
    changes = []
    for key in dict.fromkeys((*before, *after)):
        was, now = before.get(key, ABSENT), after.get(key, ABSENT)
        if was != now:
            # A choice that only the old submission makes is governed by the old submission's law.
            cite = _cite(new, key, now) if now else _cite(old, key, was)
            changes.append(Change(key, was, now, cite, _sentence(key, was, now, old, new)))
    return tuple(changes)


def _sentence(key: str, was: str, now: str, old: Case, new: Case) -> str:
    if key == "game":
        return f"These are different games, {old.chapter.title} and {new.chapter.title}, under different chapters."
    if not was:
        return f"now {now}; not chosen before."
    return f"was {was}, now {now}." if now else f"was {was}; no longer chosen."


def _case(submission: Submission) -> Case:
    return Case(submission, chapter_of(submission), submission.effective, rules_of(submission)[0])


def _flat(submission: Submission) -> Iterator[tuple[str, str]]:
    """Every choice as a dotted key and the value as a person reads it."""
    for key in ("game", "certificate_holder", "effective", "seats", "adjacent_boxes", "dealing"):
        yield key, _shown(key, getattr(submission, key))
    for key, value in asdict(submission.shuffler).items():
        yield f"shuffler.{key}", _shown(key, value)
    for name, choice in submission.wagers.items():
        for key, value in asdict(choice).items():
            yield f"wagers.{name}.{key}", _shown(key, value)
    for name, letter in submission.paytables.items():
        yield f"paytables.{name}", letter
    yield "options.version", _shown("version", submission.version)
    for name, rate in submission.mini_royal.items():
        yield f"options.mini_royal.{name}", f"{rate} to 1"
    yield "options.payout_limit", _shown("payout_limit", submission.payout_limit)
    for name, selection in submission.selections.items():
        for key, value in asdict(selection).items():
            yield f"options.{name}.{key}", _shown(key, value)
    for name, reading in submission.readings.items():
        yield f"options.readings.{name}", reading


def _shown(key: str, value: object) -> str:
    if value is None:
        return ABSENT
    if isinstance(value, bool):
        return "true" if value else "false"
    if key in MONEY and isinstance(value, int):
        return show_dollars(value)
    if key == "rate" and isinstance(value, Fraction):
        return f"{float(value * 100):g}%"
    return str(value)


def _cite(case: Case, key: str, value: str) -> str:
    head, _, rest = key.partition(".")
    name, _, last = rest.partition(".")
    if head == "wagers":
        return _wager_cite(case, name, last, value)
    if head == "paytables":
        return _table_cite(case, name, value)
    if head == "shuffler":
        return case.cite({"decks": "3(b)", "reshuffles": "5(g)"}.get(name, "5(b)"))
    if head == "options":
        return _option_cite(case, name, last)
    if head == "seats":
        figure = case.figure("seats")
        return str(figure.cite) if figure else case.cite("2(a)")
    if head == "adjacent_boxes":
        figure = case.figure("adjacent_boxes")
        return str(figure.cite) if figure else case.choice_cite("adjacent_boxes", case.cite("7"))
    if head == "dealing":
        return next((str(deal.cite) for deal in case.chapter.deals if deal.device == value), case.cite("8"))
    return case.cite("2(b)(1)" if head == "certificate_holder" else "1")


def _wager_cite(case: Case, name: str, key: str, value: str) -> str:
    wager = next((wager for wager in case.chapter.wagers if wager.name == name), None)
    if wager is None:
        return case.cite("7")
    if key == "paytable":
        return _table_cite(case, wager.paytable, value)
    if key in ("seed", "rate"):
        spec = case.meter(wager)
        return str(spec.cite if spec else wager.cite)
    if key == "amount":
        return _envy_cite(case, wager)
    return case.choice_cite("linked", str(wager.cite)) if key == "linked" else str(wager.cite)


def _envy_cite(case: Case, wager: Wager) -> str:
    return next((str(table.cite) for table in case.chapter.envies if table.wager == wager.name), str(wager.cite))


def _table_cite(case: Case, table: str, letter: str) -> str:
    tables = [t for t in case.chapter.paytables if t.wager == table]
    return next((str(t.cite) for t in (*(t for t in tables if t.letter == letter), *tables)), case.cite("12"))


def _option_cite(case: Case, name: str, last: str) -> str:
    if name == "readings":
        return _table_cite(case, last, "")
    if name == "mini_royal":
        figure = case.figure(f"mini_royal_least_{last}")
        return str(figure.cite) if figure else "649a.12(g)"
    matter, elsewhere = {
        "version": ("version", "649a.7(e)"),
        "payout_limit": ("payout_limit", "684a.12(g)"),
    }.get(name, ("magic_lucky", "641a.12(g)(3)"))
    return case.choice_cite(matter, elsewhere)
