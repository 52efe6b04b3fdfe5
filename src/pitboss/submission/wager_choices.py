"""Choices made for each wager: how the law leaves each open, and what it has against a value."""
# ruff: noqa: ARG001 - a function looks only at what it needs

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Final

from pitboss.findings import Finding
from pitboss.law.model import SINGLE, EnvyTable, MeterSpec, Wager, in_force
from pitboss.meters import UNITS_PER_CENT
from pitboss.money import Cents, plain_dollars, show_dollars
from pitboss.names import listed
from pitboss.submission.choice import ChoiceEntry, FiledChoice, LawCase, OpenChoice
from pitboss.submission.letters import table_cite

if TYPE_CHECKING:
    from pitboss.submission.resolve import Case

BASE: Final = (1_000, 100_000)
"""Limits of the unit and of what must be wagered with it, to be replaced by the operator's own."""
SIDE: Final = (500, 50_000)
AMOUNT: Final = 100
RATE: Final = "20%"
SMALLEST: Final = 100
"""No table deals in less than a dollar; a minimum below it is probably a slip of the decimal point."""

# Whether it is offered, and by which table it pays


def ask_offered(law: LawCase, choice: FiledChoice, wager: Wager | None) -> OpenChoice | None:
    assert wager is not None
    if wager.offer != "choice":
        return None
    known = law.rules is not None and wager.name in law.rules.wagers
    comment = "or false" if known else "its odds are to be set as a fact"
    return OpenChoice(known, str(wager.cite), comment)


def check_offered(case: "Case", entry: ChoiceEntry) -> Iterator[Finding]:
    if entry.on.offer == "always" and not entry.value:
        sentence = f"The {entry.on.title} is part of the game; it cannot be left out."
        expected = f"{entry.choice.name} = true"
        yield Finding("always-offered", str(entry.on.cite), expected, "false", sentence, entry.where)


def cite_letter(case: "Case", entry: ChoiceEntry) -> str:
    return table_cite(case, entry.on.paytable, str(entry.value))


# Limits


def ask_minimum(law: LawCase, choice: FiledChoice, wager: Wager | None) -> OpenChoice | None:
    return _ask_limit(law, wager, 0)


def ask_maximum(law: LawCase, choice: FiledChoice, wager: Wager | None) -> OpenChoice | None:
    return _ask_limit(law, wager, 1)


def _ask_limit(law: LawCase, wager: Wager | None, end: int) -> OpenChoice | None:
    assert wager is not None
    if wager.meter:
        return None
    # A second wager of a kind that must be made begins at the table minimum too.
    wagers = law.rules.wagers.values() if law.rules is not None else ()
    required = {other.paytable for other in wagers if other.required}
    limits = BASE if wager.role == "unit" or wager.paytable in required else SIDE
    return OpenChoice(plain_dollars(limits[end]), str(wager.cite))


def check_minimum(case: "Case", entry: ChoiceEntry) -> Iterator[Finding]:
    yield from check_maximum(case, entry)
    value, title, cite = entry.value, entry.on.title, str(entry.on.cite)
    if value is not None and not entry.on.meter and 1 <= value < SMALLEST:
        found, expected = show_dollars(value), f"at least {show_dollars(SMALLEST)}"
        sentence = f"The {title} may be as small as {found}; no value chip is so small. Is it a slip?"
        yield Finding("minimum-below-a-dollar", cite, expected, found, sentence, entry.where, "note")
    most = case.submission.wagers[entry.on.name].maximum if entry.on.name in case.submission.wagers else None
    if value is not None and most is not None and value > most and not entry.on.meter:
        least, expected = show_dollars(value), f"at most {show_dollars(most)}"
        sentence = f"The minimum of the {title}, {least}, is above its maximum, {show_dollars(most)}."
        yield Finding("limits-reversed", cite, expected, least, sentence, entry.where)


def check_maximum(case: "Case", entry: ChoiceEntry) -> Iterator[Finding]:
    """What any limit must be: there, above nothing, and not of a progressive wager."""
    name, title, cite = entry.choice.name, entry.on.title, str(entry.on.cite)
    if entry.on.meter:
        if entry.value is not None:
            sentence = f"The {title} is a progressive wager of one amount: it has no {name}."
            yield Finding("limits-on-progressive", stake_cite(case, entry.on), "amount", name, sentence, entry.where)
    elif entry.value is None:
        sentence = f"The submission gives no {name} for the {title}."
        yield Finding("limits-missing", cite, f"a {name} in dollars", "none", sentence, entry.where)
    elif entry.value < 1:
        sentence = f"The {name} of the {title} must be at least $0.01."
        yield Finding("limits-too-small", cite, "at least $0.01", show_dollars(entry.value), sentence, entry.where)


# Progressive wagers


def envies_of(law: LawCase, wager: Wager) -> tuple[EnvyTable, ...]:
    """The tables of the wager that say for which amounts it pays."""
    return law.rules.envies.get(wager.name, ()) if law.rules is not None else ()


def stake_cite(law: LawCase, wager: Wager) -> str:
    return next((str(envy.cite) for envy in envies_of(law, wager)), str(wager.cite))


def ask_amount(law: LawCase, choice: FiledChoice, wager: Wager | None) -> OpenChoice | None:
    assert wager is not None
    if not wager.meter:
        return None
    # A form asks for the amounts of every letter, the template for those of the letter that it has.
    envies = [envy for envy in in_force(law.chapter.envies, law.day) if envy.wager == wager.name]
    values = {plain_dollars(stake): show_dollars(stake) for stake in sorted({envy.stake for envy in envies})}
    stakes = sorted({envy.stake for envy in envies_of(law, wager)})
    comment = f"{listed(map(show_dollars, stakes))} [{stake_cite(law, wager)}]" if stakes else "in dollars"
    cite = str(envies[0].cite if envies else wager.cite)
    return OpenChoice(plain_dollars((stakes or [AMOUNT])[0]), cite, comment, values=values)


def cite_amount(case: "Case", entry: ChoiceEntry) -> str:
    found = (str(table.cite) for table in case.chapter.envies if table.wager == entry.on.name)
    return next(found, str(entry.on.cite))


def check_amount(case: "Case", entry: ChoiceEntry) -> Iterator[Finding]:
    if not entry.on.meter:
        yield from check_progressive(case, entry)
        return
    lawful = [table.stake for table in envies_of(case, entry.on)]
    expected = listed(dict.fromkeys(map(show_dollars, lawful))) if lawful else "an amount in dollars"
    cite, title = stake_cite(case, entry.on), entry.on.title
    if entry.value is None:
        sentence = f"The submission does not say at which amount the {title} is offered."
        yield Finding("amount-missing", cite, expected, "none", sentence, entry.where)
    elif entry.value < 1 or (lawful and entry.value not in lawful):
        amount = show_dollars(entry.value)
        sentence = f"The {title} may be offered at {expected}, not {amount}."
        yield Finding("amount-not-allowed", cite, expected, amount, sentence, entry.where)


def check_progressive(case: "Case", entry: ChoiceEntry) -> Iterator[Finding]:
    """What only a progressive wager has."""
    if entry.value is not None and not entry.on.meter:
        name, title = entry.choice.name, entry.on.title
        sentence = f"The {title} is not a progressive wager: it has a minimum and a maximum, and no {name}."
        yield Finding("not-progressive", str(entry.on.cite), f"no {name}", name, sentence, entry.where)


def ask_linked(law: LawCase, choice: FiledChoice, wager: Wager | None) -> OpenChoice | None:
    assert wager is not None
    spec = law.about(choice.name)
    cite = str(wager.cite if spec is None else spec.cite)
    return OpenChoice(choice.example, cite, choice.comment) if wager.meter else None


def cite_linked(case: "Case", entry: ChoiceEntry) -> str:
    return case.cite(entry.choice.name, entry.on.name)


def check_linked(case: "Case", entry: ChoiceEntry) -> Iterator[Finding]:
    title, cite, name = entry.on.title, entry.choice.cite(case, entry), entry.choice.name
    if entry.value and not entry.on.meter:
        sentence = f"The {title} is not a progressive wager, so it cannot be linked to other tables."
        yield Finding("linked-without-progressive", cite, f"{name} = false", "true", sentence, entry.where)
    elif entry.value:
        table = case.rules.tables.get(entry.on.paytable) if case.rules is not None else None
        if table is not None and not table.linkable:
            letters = listed(t.letter for t in case.chapter.tables(entry.on.paytable, case.day) if t.linkable)
            sentence = f"Table {table.letter} of the {title} may not be selected for linked games; {letters} may."
            expected = f"one of {letters}, or {name} = false"
            yield Finding("table-not-linkable", cite, expected, table.letter, sentence, entry.where)


# The meter


def ask_seed(law: LawCase, choice: FiledChoice, wager: Wager | None) -> OpenChoice | None:
    """Where the law leaves the meter to the submission; else what it fixes, to be explained."""
    assert wager is not None
    spec = law.meter(wager)
    if spec is None:
        return None
    if not spec.chosen:
        return OpenChoice(notes=tuple(_fixed_meters(law, wager)), indent="  ")
    least = min(spec.seed.values())
    floor = f"least {show_dollars(least)}"
    return OpenChoice(plain_dollars(least), str(spec.cite), f"at {floor} [{spec.cite}]", hint=f"At {floor}.")


def ask_rate(law: LawCase, choice: FiledChoice, wager: Wager | None) -> OpenChoice | None:
    assert wager is not None
    spec = law.meter(wager)
    if spec is None or not spec.chosen:
        return None
    comment = f"of each wager, added to the meter [{spec.cite}]"
    return OpenChoice(RATE, str(spec.cite), comment, hint="A percentage such as 20%.")


def _fixed_meters(law: LawCase, wager: Wager) -> Iterator[str]:
    for meter in in_force(law.chapter.meters, law.day):
        if meter.wager == wager.meter:
            table = "" if meter.letter == SINGLE else f" with table {meter.letter}"
            yield f"fixed by law{table}: {_meter(meter)} [{meter.cite}]"


def _meter(spec: MeterSpec) -> str:
    parts = []
    for tier, seed in spec.seed.items():
        again = show_dollars(spec.reseed[tier])
        parts.append(f"{tier} seed {show_dollars(seed)} for 1, reseed {again}, rate {_percent(spec.rate[tier])}")
    return "; ".join([*parts, *([f"reserve {_percent(spec.reserve)}"] if spec.reserve else [])])


def _percent(share: Fraction) -> str:
    return f"{float(share * 100):g}%"


def cite_meter(case: "Case", entry: ChoiceEntry) -> str:
    spec = case.meter(entry.on)
    return str(spec.cite if spec else entry.on.cite)


def check_meter(case: "Case", entry: ChoiceEntry) -> Iterator[Finding]:
    """A seed or a rate: given where the law leaves it open, and nowhere else."""
    name, spec = entry.choice.name, case.meter(entry.on)
    yield from check_progressive(case, entry)
    if spec is not None and entry.value is not None and not spec.chosen:
        sentence = f"The law fixes the {name} of this meter on {case.day}; a submission cannot choose it."
        yield Finding("meter-fixed", str(spec.cite), f"no {name}", name, sentence, entry.where)
    elif spec is not None and entry.value is None and spec.chosen:
        sentence = f"On {case.day} the law leaves the {name} of this meter to the submission, which gives none."
        yield Finding("meter-missing", str(spec.cite), f"a {name}", "none", sentence, entry.where)


def least_seed(case: "Case", entry: ChoiceEntry) -> Cents | None:
    """The least that the law asks for, where it leaves the seed to the submission."""
    spec = case.meter(entry.on)
    return min(spec.seed.values()) if spec is not None and spec.chosen else None


def check_seed(case: "Case", entry: ChoiceEntry) -> Iterator[Finding]:
    yield from check_meter(case, entry)
    if entry.value is not None and (least := least_seed(case, entry)) is not None and entry.value < least:
        expected = f"at least {show_dollars(least)}"
        sentence = f"The meter of the {entry.on.title} must be seeded with {expected}."
        yield Finding(
            "seed-too-low", cite_meter(case, entry), expected, show_dollars(entry.value), sentence, entry.where
        )


def seed_above_least(case: "Case", entry: ChoiceEntry) -> tuple[str, str, str] | None:
    least = least_seed(case, entry)
    if least is None or entry.value is None or entry.value <= least:
        return None
    return show_dollars(least), show_dollars(entry.value), cite_meter(case, entry)


def check_rate(case: "Case", entry: ChoiceEntry) -> Iterator[Finding]:
    """A rate that the meter can keep exactly: see ``pitboss.meters``."""
    yield from check_meter(case, entry)
    spec, rate = case.meter(entry.on), entry.value
    if spec is None or not spec.chosen or rate is None:
        return
    choice = case.submission.wagers.get(entry.on.name)
    amount = (choice.amount if choice is not None else None) or 0
    if not (0 < rate <= 1 and (amount * rate * UNITS_PER_CENT).denominator == 1):
        sentence = "The rate must be above 0% and at most 100%, and give whole units of 1/10,000 cent for each wager."
        found = entry.choice.kind.shown(rate)
        yield Finding("rate-not-countable", str(spec.cite), "such as 21%", found, sentence, entry.where)
