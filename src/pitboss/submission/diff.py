"""What changed between two submissions, choice by choice, each with the paragraph that governs it."""

from dataclasses import asdict, dataclass, replace

from pitboss.games.options import Law, Selection, declared, kind_of, option_named
from pitboss.submission.model import Submission
from pitboss.submission.registry import choice_at, entries_of, leaves, table_of
from pitboss.submission.resolve import Case, chapter_of, rules_of

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
    choice = choice_at(key)
    if choice is not None and choice.changed is not None:
        return choice.changed(old, new)
    if not was:
        return f"now {now}; not chosen before."
    return f"was {was}, now {now}." if now else f"was {was}; no longer chosen."


def _shown(submission: Submission) -> dict[str, str]:
    """As a person reads it; a selection that is not spoken of is not offered."""
    silent = {n: Selection() for n, choice in declared(chapter_of(submission)).items() if choice.kind == "selection"}
    spoken = replace(submission, options={**silent, **submission.options})
    return {leaf.key: leaf.shown for leaf in leaves(spoken)}


def _case(submission: Submission) -> Case:
    return Case(chapter_of(submission), submission.effective, rules_of(submission)[0], submission)


def _cite(case: Case, key: str, value: str) -> str:
    """The paragraph of a choice; ``value`` is what the submission of the case has for it."""
    table = table_of(key)
    if table is not None and table.of_law:
        name, _, last = key.removeprefix(f"{table.key}.").partition(".")
        return _option_cite(case, name, last)
    if table is not None and table.record is None:
        name = key.removeprefix(f"{table.key}.")
        return table.cited(case, name, value) if table.cited else case.cite(table.name)
    entry = next(entry for entry in entries_of(case.submission, table) if entry.where == key)
    if table is not None and table.by_wager and entry.wager is None:
        return case.cite(table.name)
    return entry.choice.cite(case, entry)


def _option_cite(case: Case, name: str, last: str) -> str:
    choice = option_named(case.chapter, name)
    assert choice is not None
    own = name in case.chapter.options(case.day)
    return str(kind_of(choice).cite(choice, last, Law(case.chapter, case.day)) if own else choice.cite)
