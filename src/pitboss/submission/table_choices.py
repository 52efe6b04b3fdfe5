"""Choices about the table as a whole: how the law leaves each open, and what it has against a value."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from pitboss.findings import Finding
from pitboss.games.rules import Choices
from pitboss.law.model import Device, Wager, in_force
from pitboss.names import listed
from pitboss.submission.choice import (
    ChoiceEntry,
    FiledChoice,
    LawCase,
    OpenChoice,
    ask_as_declared,
    cite_of,
    notes_about,
)
from pitboss.submission.letters import table_cite

if TYPE_CHECKING:
    from pitboss.submission.resolve import Case

PLACEHOLDER: Final = "Name of the certificate holder"
"""What a template has where the operator's name belongs."""
PLACEHOLDERS: Final = frozenset(
    {PLACEHOLDER.casefold(), "certificate holder", "name", "your name", "tbd", "todo", "xxx", "..."}
)
"""Names that nobody bears, as templates have them."""
COUNTS: Final = "check-shuffler-count"
RESHUFFLES: Final = "use-approved-reshuffling-shoe"
FROM_HAND: Final = "shuffler-required-for-dealing-from-hand"
TWO_DECKS: Final = "decks_with_shuffler"

# The head of the file


def ask_game(law: LawCase, choice: FiledChoice, wager: Wager | None) -> OpenChoice:  # noqa: ARG001
    return OpenChoice(law.chapter.game)


def other_game(old: "Case", new: "Case") -> str:
    return f"These are different games, {old.chapter.title} and {new.chapter.title}, under different chapters."


def ask_day(law: LawCase, choice: FiledChoice, wager: Wager | None) -> OpenChoice:  # noqa: ARG001
    return OpenChoice(law.day.isoformat())


def check_day(case: "Case", entry: ChoiceEntry) -> Iterator[Finding]:  # noqa: ARG001
    """What the law of the day has against the pay tables, meters and options chosen."""
    yield from case.findings


def ask_holder(law: LawCase, choice: FiledChoice, wager: Wager | None) -> OpenChoice:
    cite = cite_of(choice, law, wager)
    return OpenChoice(PLACEHOLDER, cite, f"on the layout [{cite}]", hint="The layout carries this name.")


def check_holder(case: "Case", entry: ChoiceEntry) -> Iterator[Finding]:
    name, cite, where = entry.value, entry.choice.cite(case, entry), entry.where
    if not name.strip():
        sentence = "The submission names no certificate holder; the layout must carry the name."
        yield Finding("certificate-holder-missing", cite, "a name", repr(name), sentence, where)
    elif name.strip().casefold() in PLACEHOLDERS:
        sentence = f"{name.strip()!r} stands for a name; the layout must carry the certificate holder's own."
        yield Finding("certificate-holder-placeholder", cite, "a name", repr(name), sentence, where, "note")


# Seats


def at_least_one(law: LawCase, value: int | None) -> int | None:  # noqa: ARG001
    """A number that makes sense, for the rules; another is left at the law's."""
    return value if value is not None and value >= 1 else None


def ask_seats(law: LawCase, choice: FiledChoice, wager: Wager | None) -> OpenChoice:
    most = law.figure(choice.name)
    if most is None:
        return ask_as_declared(law, choice, wager)
    cite, range_ = str(most.cite), f"1 to {most.value}"
    return OpenChoice(str(most.value), cite, f"{range_} [{cite}]", hint=f"{range_}.")


def check_seats(case: "Case", entry: ChoiceEntry) -> Iterator[Finding]:
    seats, most, where = entry.value, case.figure(entry.choice.name), entry.where
    if most is None:
        return
    expected, title = f"1 to {most.value}", case.chapter.title
    if seats is None:
        sentence = f"The submission does not say how many seats the table has; {title} allows up to {most.value}."
        yield Finding("seats-missing", str(most.cite), expected, "none", sentence, where)
    elif seats < 1:
        yield Finding("seats-too-few", str(most.cite), expected, str(seats), "A table needs a seat.", where)
    elif seats > most.value:
        sentence = f"{title} is played at a table with at most {most.value} seats, not {seats}."
        yield Finding("seats-too-many", str(most.cite), expected, str(seats), sentence, where)


def ask_boxes(law: LawCase, choice: FiledChoice, wager: Wager | None) -> OpenChoice | None:
    """One number where the law fixes it, and a choice where the chapter has one."""
    if (fixed := law.figure(choice.name)) is not None:
        cite = str(fixed.cite)
        return OpenChoice(str(fixed.value), cite, f"fixed by law [{cite}]", hint=f"Fixed by law: {fixed.value}.")
    return ask_as_declared(law, choice, wager) if law.about(choice.name) is not None else None


def check_boxes(case: "Case", entry: ChoiceEntry) -> Iterator[Finding]:
    boxes, fixed, where = entry.value, case.figure(entry.choice.name), entry.where
    if fixed is not None:
        if boxes not in (None, fixed.value):
            sentence = f"A player may wager on one position only in {case.chapter.title}."
            yield Finding("adjacent-boxes-fixed", str(fixed.cite), str(fixed.value), str(boxes), sentence, where)
        return
    if case.about(entry.choice.name) is None:
        return
    cite = case.cite(entry.choice.name)
    law = case.figure("seats")
    seats = case.submission.seats or (law.value if law else boxes)
    if boxes is None:
        sentence = "The submission must say on how many adjacent boxes one player may wager."
        yield Finding("adjacent-boxes-missing", cite, "a number of boxes", "none", sentence, where)
    elif boxes < 1 or (seats is not None and 1 <= seats < boxes):
        sentence = f"A player cannot be allowed {boxes} adjacent boxes at a table with {seats} seats."
        yield Finding("adjacent-boxes-range", cite, f"1 to {seats}", str(boxes), sentence, where)


# Dealing


def device_of(law: LawCase, value: str) -> Device:
    """The device that was chosen; the law's first for one that it does not have."""
    devices = law.chapter.devices(law.day) or (Choices().device,)
    return next((device for device in devices if device == value), devices[0])


def ask_dealing(law: LawCase, choice: FiledChoice, wager: Wager | None) -> OpenChoice:  # noqa: ARG001
    deals = in_force(law.chapter.deals, law.day)
    devices = listed(f"{deal.device} [{deal.cite}]" for deal in deals)
    needed = next((p.cite for p in law.chapter.procedures if p.act == FROM_HAND), None)
    only = "" if needed is None else f"; from the hand only with a shuffler [{needed}]"
    return OpenChoice(
        law.chapter.devices(law.day)[0],
        law.cite("deals"),
        hint="From the hand only with a shuffler." if needed else "",
        values={deal.device: f"{deal.device.replace('-', ' ').capitalize()} (§ {deal.cite})" for deal in deals},
        notes=(*notes_about(law, choice.name), f"Dealing: {devices}{only}."),
    )


def cite_dealing(case: "Case", entry: ChoiceEntry) -> str:
    own = (str(deal.cite) for deal in case.chapter.deals if deal.device == entry.value)
    return next(own, case.cite("deals"))


def check_dealing(case: "Case", entry: ChoiceEntry) -> Iterator[Finding]:
    devices = dict.fromkeys(deal.device for deal in case.chapter.deals)
    if entry.value not in devices:
        expected = listed(devices)
        sentence = f"{case.chapter.title} is played with a device called {expected}, not {entry.value!r}."
        yield Finding("unknown-device", case.cite("deals"), expected, entry.value or "none", sentence, entry.where)
    act = next((p for p in case.chapter.procedures if p.act == FROM_HAND), None)
    if by_hand(entry.value) and act is not None and not case.submission.shuffler.used:
        sentence = "Cards may be dealt from the hand only if an automated device shuffles them."
        yield Finding("hand-without-shuffler", str(act.cite), "an automated shuffler", "none", sentence, entry.where)


def by_hand(value: Any) -> bool:
    return bool(value == "hand")


# The shuffler and its decks


def ask_shuffler(law: LawCase, choice: FiledChoice, wager: Wager | None) -> OpenChoice | None:
    """What a shuffler is and does, where the game is played with one deck or, with a shuffler, two."""
    return ask_as_declared(law, choice, wager) if law.figure(TWO_DECKS) is not None else None


def check_count(case: "Case", entry: ChoiceEntry) -> Iterator[Finding]:
    shuffler = case.submission.shuffler
    if not shuffler.used:
        yield from check_unused(case, entry)
    elif shuffler.reshuffles and not entry.value:
        sentence = "A shoe or device that reshuffles by itself may be used only if it counts the cards as well."
        expected = f"{entry.choice.name} = true"
        yield Finding("reshuffles-without-count", case.cite(RESHUFFLES), expected, "false", sentence, entry.where)


def check_unused(case: "Case", entry: ChoiceEntry) -> Iterator[Finding]:
    """What only a shuffler can do, said of a table without one."""
    if entry.value and not case.submission.shuffler.used:
        sentence = f"The submission says {entry.choice.name} = true, but no automated shuffler is used."
        cite = entry.choice.cite(case, entry)
        yield Finding("shuffler-not-used", cite, "shuffler.used = true", "false", sentence, entry.where)


def ask_decks(law: LawCase, choice: FiledChoice, wager: Wager | None) -> OpenChoice | None:  # noqa: ARG001
    one, two = law.figure(choice.name), law.figure(TWO_DECKS)
    if one is None or two is None:
        return None
    return OpenChoice(
        str(two.value),
        str(law.chapter.cite_of(choice.name).section_cite),
        f"{one.value} [{one.cite}] or {two.value} [{two.cite}]",
        hint="Two only with a shuffler.",
        values={str(figure.value): f"{figure.value} (§ {figure.cite})" for figure in (one, two)},
    )


def check_decks(case: "Case", entry: ChoiceEntry) -> Iterator[Finding]:
    decks, one, two = entry.value, case.figure(entry.choice.name), case.figure(TWO_DECKS)
    if one is None or two is None or decks == one.value:
        return
    if decks != two.value:
        expected = f"{one.value} or, with a shuffler, {two.value}"
        sentence = f"{case.chapter.title} is played with {expected} decks, not {decks}."
        yield Finding("decks-number", str(one.cite), expected, str(decks), sentence, entry.where)
    elif not case.submission.shuffler.used:
        sentence = "Two decks may be used only with an automated shuffler."
        yield Finding("decks-without-shuffler", str(two.cite), str(one.value), str(decks), sentence, entry.where)


# Tables of texts


def cite_reading(law: LawCase, name: str, text: str) -> str:  # noqa: ARG001
    return table_cite(law, name, "")


def cite_fact(law: LawCase, name: str, text: str) -> str:  # noqa: ARG001
    found = (fact.cite for fact in law.chapter.facts(law.day) if fact.name == name)
    return str(next(found, law.chapter.cite_of()))
