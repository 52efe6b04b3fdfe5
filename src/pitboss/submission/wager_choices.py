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
from pitboss.submission.choice import ChoiceMade, FiledChoice, LawCase, OpenChoice
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


def check_offered(case: "Case", made: ChoiceMade) -> Iterator[Finding]:
    if made.on.offer == "always" and not made.value:
        sentence = f"The {made.on.title} is part of the game; it cannot be left out."
        expected = f"{made.choice.name} = true"
        yield Finding("always-offered", str(made.on.cite), expected, "false", sentence, made.where)


def cite_letter(case: "Case", made: ChoiceMade) -> str:
    return table_cite(case, made.on.paytable, str(made.value))


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


def check_minimum(case: "Case", made: ChoiceMade) -> Iterator[Finding]:
    yield from check_maximum(case, made)
    value, title, cite = made.value, made.on.title, str(made.on.cite)
    if value is not None and not made.on.meter and 1 <= value < SMALLEST:
        found, expected = show_dollars(value), f"at least {show_dollars(SMALLEST)}"
        sentence = f"The {title} may be as small as {found}; no value chip is so small. Is it a slip?"
        yield Finding("minimum-below-a-dollar", cite, expected, found, sentence, made.where, "note")
    most = case.submission.wagers[made.on.name].maximum if made.on.name in case.submission.wagers else None
    if value is not None and most is not None and value > most and not made.on.meter:
        least, expected = show_dollars(value), f"at most {show_dollars(most)}"
        sentence = f"The minimum of the {title}, {least}, is above its maximum, {show_dollars(most)}."
        yield Finding("limits-reversed", cite, expected, least, sentence, made.where)


def check_maximum(case: "Case", made: ChoiceMade) -> Iterator[Finding]:
    """What any limit must be: there, above nothing, and not of a progressive wager."""
    name, title, cite = made.choice.name, made.on.title, str(made.on.cite)
    if made.on.meter:
        if made.value is not None:
            sentence = f"The {title} is a progressive wager of one amount: it has no {name}."
            yield Finding("limits-on-progressive", stake_cite(case, made.on), "amount", name, sentence, made.where)
    elif made.value is None:
        sentence = f"The submission gives no {name} for the {title}."
        yield Finding("limits-missing", cite, f"a {name} in dollars", "none", sentence, made.where)
    elif made.value < 1:
        sentence = f"The {name} of the {title} must be at least $0.01."
        yield Finding("limits-too-small", cite, "at least $0.01", show_dollars(made.value), sentence, made.where)


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


def cite_amount(case: "Case", made: ChoiceMade) -> str:
    found = (str(table.cite) for table in case.chapter.envies if table.wager == made.on.name)
    return next(found, str(made.on.cite))


def check_amount(case: "Case", made: ChoiceMade) -> Iterator[Finding]:
    if not made.on.meter:
        yield from check_progressive(case, made)
        return
    lawful = [table.stake for table in envies_of(case, made.on)]
    expected = listed(dict.fromkeys(map(show_dollars, lawful))) if lawful else "an amount in dollars"
    cite, title = stake_cite(case, made.on), made.on.title
    if made.value is None:
        sentence = f"The submission does not say at which amount the {title} is offered."
        yield Finding("amount-missing", cite, expected, "none", sentence, made.where)
    elif made.value < 1 or (lawful and made.value not in lawful):
        amount = show_dollars(made.value)
        sentence = f"The {title} may be offered at {expected}, not {amount}."
        yield Finding("amount-not-allowed", cite, expected, amount, sentence, made.where)


def check_progressive(case: "Case", made: ChoiceMade) -> Iterator[Finding]:
    """What only a progressive wager has."""
    if made.value is not None and not made.on.meter:
        name, title = made.choice.name, made.on.title
        sentence = f"The {title} is not a progressive wager: it has a minimum and a maximum, and no {name}."
        yield Finding("not-progressive", str(made.on.cite), f"no {name}", name, sentence, made.where)


def ask_linked(law: LawCase, choice: FiledChoice, wager: Wager | None) -> OpenChoice | None:
    assert wager is not None
    spec = law.about(choice.name)
    cite = str(wager.cite if spec is None else spec.cite)
    return OpenChoice(choice.example, cite, choice.comment) if wager.meter else None


def cite_linked(case: "Case", made: ChoiceMade) -> str:
    return case.cite(made.choice.name, made.on.name)


def check_linked(case: "Case", made: ChoiceMade) -> Iterator[Finding]:
    title, cite, name = made.on.title, made.choice.cite(case, made), made.choice.name
    if made.value and not made.on.meter:
        sentence = f"The {title} is not a progressive wager, so it cannot be linked to other tables."
        yield Finding("linked-without-progressive", cite, f"{name} = false", "true", sentence, made.where)
    elif made.value:
        table = case.rules.tables.get(made.on.paytable) if case.rules is not None else None
        if table is not None and not table.linkable:
            letters = listed(t.letter for t in case.chapter.tables(made.on.paytable, case.day) if t.linkable)
            sentence = f"Table {table.letter} of the {title} may not be selected for linked games; {letters} may."
            expected = f"one of {letters}, or {name} = false"
            yield Finding("table-not-linkable", cite, expected, table.letter, sentence, made.where)


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


def cite_meter(case: "Case", made: ChoiceMade) -> str:
    spec = case.meter(made.on)
    return str(spec.cite if spec else made.on.cite)


def check_meter(case: "Case", made: ChoiceMade) -> Iterator[Finding]:
    """A seed or a rate: given where the law leaves it open, and nowhere else."""
    name, spec = made.choice.name, case.meter(made.on)
    yield from check_progressive(case, made)
    if spec is not None and made.value is not None and not spec.chosen:
        sentence = f"The law fixes the {name} of this meter on {case.day}; a submission cannot choose it."
        yield Finding("meter-fixed", str(spec.cite), f"no {name}", name, sentence, made.where)
    elif spec is not None and made.value is None and spec.chosen:
        sentence = f"On {case.day} the law leaves the {name} of this meter to the submission, which gives none."
        yield Finding("meter-missing", str(spec.cite), f"a {name}", "none", sentence, made.where)


def least_seed(case: "Case", made: ChoiceMade) -> Cents | None:
    """The least that the law asks for, where it leaves the seed to the submission."""
    spec = case.meter(made.on)
    return min(spec.seed.values()) if spec is not None and spec.chosen else None


def check_seed(case: "Case", made: ChoiceMade) -> Iterator[Finding]:
    yield from check_meter(case, made)
    if made.value is not None and (least := least_seed(case, made)) is not None and made.value < least:
        expected = f"at least {show_dollars(least)}"
        sentence = f"The meter of the {made.on.title} must be seeded with {expected}."
        yield Finding("seed-too-low", cite_meter(case, made), expected, show_dollars(made.value), sentence, made.where)


def seed_above_least(case: "Case", made: ChoiceMade) -> tuple[str, str, str] | None:
    least = least_seed(case, made)
    if least is None or made.value is None or made.value <= least:
        return None
    return show_dollars(least), show_dollars(made.value), cite_meter(case, made)


def check_rate(case: "Case", made: ChoiceMade) -> Iterator[Finding]:
    """A rate that the meter can keep exactly: see ``pitboss.meters``."""
    yield from check_meter(case, made)
    spec, rate = case.meter(made.on), made.value
    if spec is None or not spec.chosen or rate is None:
        return
    choice = case.submission.wagers.get(made.on.name)
    amount = (choice.amount if choice is not None else None) or 0
    if not (0 < rate <= 1 and (amount * rate * UNITS_PER_CENT).denominator == 1):
        sentence = "The rate must be above 0% and at most 100%, and give whole units of 1/10,000 cent for each wager."
        found = made.choice.kind.shown(rate)
        yield Finding("rate-not-countable", str(spec.cite), "such as 21%", found, sentence, made.where)
