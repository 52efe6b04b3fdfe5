"""Meters of the house: their settings, their standing in the books, and changes that need two people."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from fractions import Fraction
from functools import lru_cache
from typing import Any

from pitboss.findings import Finding, UnreadableError, refusal
from pitboss.games.rules import Rules
from pitboss.law.cite import Cite
from pitboss.law.model import MeterSpec, Period
from pitboss.law.odds import Tier
from pitboss.ledger import queries
from pitboss.ledger.kinds.meters import MeterAdjustment, MeterOpened, MeterSettings
from pitboss.ledger.store import Reading, Writing
from pitboss.meters import UNITS_PER_CENT, Meter, Units
from pitboss.money import Cents, show_dollars
from pitboss.names import shortened
from pitboss.records import Fixed
from pitboss.table.canonical import canonical
from pitboss.table.desk import standing
from pitboss.table.events import HOUSE, Entry, Event, joined, meter_account, moved
from pitboss.typed import typed_chance

MODELLED_ON = "modelled on 9 NYCRR 5321.18"
"""Linked meters: the text of Pennsylvania's own rule is not at hand."""
RESERVE = "reserve"


def settings_of(rules: Rules, name: str) -> dict[str, Any]:
    """The settings with which the meter of a table starts."""
    spec = rules.meters[name]
    stakes = [amount for wager, amount in rules.choices.amounts.items() if rules.wagers[wager].meter == name]
    return {
        "name": name,
        "game": rules.game,
        "letter": spec.letter,
        "cite": str(spec.cite),
        "since": str(spec.period.start),
        "offered": min(stakes or [100]),
        "seed": dict(spec.seed),
        "reseed": dict(spec.reseed),
        "rate": {tier: str(rate) for tier, rate in spec.rate.items()},
        "reserve": str(spec.reserve),
        "chosen": spec.chosen,
    }


def meter_of(settings: Mapping[str, Any]) -> Meter:
    """A meter at its seed, from its settings."""
    return _seeded(canonical(settings))


@lru_cache(maxsize=256)
def _seeded(text: str) -> Meter:
    settings = json.loads(text)
    spec = MeterSpec(
        settings["name"],
        settings["letter"],
        Fixed(dict(settings["seed"])),
        Fixed(dict(settings["reseed"])),
        Fixed({tier: Fraction(rate) for tier, rate in settings["rate"].items()}),
        Fraction(settings["reserve"]),
        settings["chosen"],
        cite=Cite.parse(settings["cite"]),
        period=Period(date.fromisoformat(settings["since"])),
    )
    return Meter.seeded(settings["name"], spec, settings["offered"])


def _settings(reading: Reading, meter: str) -> str | None:
    row = reading.row(queries.METER, id=meter)
    return None if row is None else str(row[0])


def known_settings(reading: Reading, meter: str) -> dict[str, Any] | None:
    text = _settings(reading, meter)
    return None if text is None else dict(json.loads(text))


def known_meters(reading: Reading) -> dict[str, dict[str, Any]]:
    rows = reading.rows(queries.METERS)
    return {name: json.loads(settings) for name, settings in rows}


def save_settings(writing: Writing, meter: str, settings: Mapping[str, Any]) -> None:
    writing.save_meter(meter, canonical(settings))


def standing_meter(reading: Reading, meter: str) -> Meter | None:
    """A meter with the amounts that the books hold for it."""
    text = _settings(reading, meter)
    return None if text is None else _in_books(reading, meter, _seeded(text))


def in_books(reading: Reading, meter: str, settings: Mapping[str, Any]) -> Meter:
    return _in_books(reading, meter, meter_of(settings))


def _in_books(reading: Reading, meter: str, fresh: Meter) -> Meter:
    accounts = [meter_account(meter, tier) for tier in (*fresh.amounts, RESERVE)]
    return standing(fresh, meter, {account: reading.balance(account) for account in accounts})


def opened(meter: str, settings: Mapping[str, Any]) -> Event:
    """A meter begins at its seed, with the house's money."""
    seeded = meter_of(settings)
    entries = joined(moved(HOUSE, meter_account(meter, tier), units) for tier, units in seeded.amounts.items())
    return Event(MeterOpened(meter=meter, settings=MeterSettings(**settings)), (settings["cite"],), entries)


KIND = ("game", "name", "letter", "offered")
"""What meters of one kind have in common: game, wager, pay table and the amount of the wager on offer."""
MOST_ON_METER = 100_000_000_000
"""Cents: far beyond any jackpot, and far below what the books can add up."""


def change_findings(
    meter: str,
    settings: Mapping[str, Any] | None,
    change: MeterAdjustment,
    in_play: Iterable[str],
    target: Mapping[str, Any] | None = None,
) -> Iterator[Finding]:
    """Why a change cannot be made: no such meter, in play, against the law of its pay table, or nothing at all."""
    if settings is None:
        yield refusal("unknown-meter", "a meter of the house", meter, f"There is no meter {meter!r}.", "meter")
        return
    busy = sorted(in_play)
    if busy:
        tables = ", ".join(busy)
        sentence = f"The meter {meter} is in play at {tables}; change it when the rounds are over."
        yield refusal("meter-in-play", "no table of the link in a round", tables, sentence, cite=MODELLED_ON)
    if not change.reason.strip():
        yield refusal("reason", "a reason", "none", "Say why the meter is changed.", "reason", cite=MODELLED_ON)
    if not (change.amounts or change.transfer_to or change.rate or change.seed):
        yield refusal("nothing-to-change", "a change", "none", "Nothing would change.")
    tiers = set(settings["seed"])
    held = tiers | ({RESERVE} if Fraction(settings["reserve"]) else set())
    for name in sorted(({*change.rate, *change.seed} - tiers) | ({*change.amounts} - held)):
        sentence = f"The meter has no jackpot {name!r}."
        yield refusal("meter-tier", ", ".join(sorted(held)), name, sentence, cite=settings["cite"])
    for name, amount in (*change.amounts.items(), *change.seed.items()):
        if not 0 <= amount <= MOST_ON_METER:
            expected = f"$0 to {show_dollars(MOST_ON_METER)}"
            yield refusal("amount", expected, show_dollars(amount), f"{name} must be {expected}.")
    if change.transfer_to:
        yield from _transfer_findings(meter, settings, change, target)
    if (change.rate or change.seed) and not settings["chosen"]:
        sentence = "Rate and seed of this pay table are fixed by the law; only the amounts can be changed."
        yield refusal("fixed-by-law", "rate and seed as printed", "another", sentence, cite=settings["cite"])
    for name, text in change.rate.items():
        if not _is_rate(text):
            sentence = f"The rate of {name} cannot be read."
            yield refusal("rate", "a fraction such as 7/50", shortened(text), sentence, cite=settings["cite"])


def _transfer_findings(
    meter: str, settings: Mapping[str, Any], change: MeterAdjustment, target: Mapping[str, Any] | None
) -> Iterator[Finding]:
    """A transfer moves what the meter holds to another of its kind, and nothing else changes with it."""
    if target is None:
        yield refusal("unknown-meter", "a meter of the house", change.transfer_to, "That meter is unknown.")
        return
    if change.amounts:
        sentence = "A change sets amounts or transfers them, not both: propose one, then the other."
        yield refusal("transfer-and-amount", "amounts or a transfer", "both", sentence, cite=MODELLED_ON)
    if change.transfer_to == meter:
        sentence = "A meter is not transferred to itself."
        yield refusal("transfer-kind", "another meter", meter, sentence, cite=MODELLED_ON)
    mine, other = ([*(kept[name] for name in KIND), sorted(kept["seed"])] for kept in (settings, target))
    if mine != other:
        sentence = (
            f"{meter} and {change.transfer_to} are not of one kind: a transfer needs the same game, wager, pay table, "
            "jackpots and amount of the wager."
        )
        yield refusal("transfer-kind", " ".join(map(str, mine)), " ".join(map(str, other)), sentence, cite=MODELLED_ON)


def _is_rate(text: str) -> bool:
    try:
        return 0 < typed_chance(text) < 1
    except UnreadableError:
        return False


def approved_entries(
    balance: Callable[[str], Units], meter: str, settings: Mapping[str, Any], change: MeterAdjustment
) -> tuple[Entry, ...]:
    """The money that a change moves: between the house and the meter, or to another meter."""
    held = {name: balance(meter_account(meter, name)) for name in (*settings["seed"], RESERVE)}
    parts = [
        moved(HOUSE, meter_account(meter, name), amount * UNITS_PER_CENT - held[name])
        for name, amount in change.amounts.items()
    ]
    if change.transfer_to:
        for name, units in held.items():
            parts.append(moved(meter_account(meter, name), meter_account(change.transfer_to, name), units))
    return joined(parts)


def changed_settings(settings: Mapping[str, Any], change: MeterAdjustment) -> dict[str, Any]:
    rate = {**settings["rate"], **change.rate}
    seed = {**settings["seed"], **change.seed}
    return {**settings, "rate": rate, "seed": seed, "reseed": {**settings["reseed"], **change.seed}}


def displayed(meter: Meter) -> dict[str, Any]:
    """Whole cents for the sign; the remainder below a cent stays in the books."""
    amounts: Mapping[Tier, Cents] = meter.displayed()
    return {"amounts": dict(amounts), "reserve": meter.reserve // UNITS_PER_CENT}
