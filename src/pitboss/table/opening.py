"""Opening and closing a table, its chips and its limits."""

from collections.abc import Iterator
from dataclasses import field, replace
from datetime import date
from typing import NamedTuple

from pitboss.clock import day_of, property_zone
from pitboss.findings import Finding, UnreadableError, errors, refusal
from pitboss.games.contract import Game
from pitboss.games.course import Deal
from pitboss.games.registry import GAMES
from pitboss.law.loader import chapter
from pitboss.law.model import Chapter, MeterSpec, in_force
from pitboss.money import Cents, show_dollars
from pitboss.names import listed, shown
from pitboss.submission import Difference, Submission, check, departures, read_submission, rules_of
from pitboss.table.command import Command, command
from pitboss.table.desk import Desk
from pitboss.table.events import CAGE, Event, drop_account, inventory_account, move, moved
from pitboss.table.kinds.house import Differing, LimitsChanged, TableClosed, TableOpened
from pitboss.table.ruling import deals_streets, rules_at
from pitboss.table.state import BETWEEN_ROUNDS, CHIP_LIMIT, KEYED, PHYSICAL, SOURCES, Phase, Table


@command("open_table", {Phase.CLOSED})
class OpenTable(Command):
    """Open a table under a Rules Submission; the law is that of the day of opening."""

    submission: str
    """TOML text."""
    source: str = "virtual"
    meters: dict[str, str] = field(default_factory=dict)
    """Meters of the house to which the table is linked; a meter not named is the table's own."""
    fill: Cents = 0
    chip_limit: Cents = CHIP_LIMIT
    """The most that one act changes into chips, back, or brings to the table, without a pit manager."""

    def two_people(self, table: Table, desk: Desk) -> str:
        """A table of other pays than the law's own, or one that was open before; whether it was closed on this very
        day only the ledger knows."""
        if self.differences(day_of(desk.now, desk.zone)):
            return "table.open-differing"
        return "table.reopen" if table.events else ""

    def differences(self, day: date) -> tuple[Difference, ...]:
        """What the submission sets otherwise than the law's own data; nothing where it can't be read."""
        try:
            return departures(read_submission(self.submission), day)
        except UnreadableError:
            return ()

    def phase_sentence(self, table: Table) -> str:
        title = rules_at(table).chapter.title
        return f"The name {table.id} is in use: {title} is open there. Choose another name, or close that table first."

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:  # noqa: ARG002
        if self.source not in SOURCES:
            yield refusal("card-source", " or ".join(SOURCES), self.source, f"There is no card source {self.source!r}.")
        if self.fill < 0:
            yield refusal("amount", "$0 or more", show_dollars(self.fill), "A fill is $0 or more.")
        if self.chip_limit <= 0:
            sentence = "The limit of one act with chips is more than $0."
            yield refusal("amount", "more than $0", show_dollars(self.chip_limit), sentence)
        yield from desk.bounds.beyond("act", self.fill, "A fill", "fill")
        yield from desk.bounds.beyond("act", self.chip_limit, "The limit of one act with chips", "chip_limit")
        try:
            submission = read_submission(self.submission)
        except UnreadableError as problem:
            yield refusal("submission-unreadable", "a Rules Submission in TOML", "", str(problem))
            return
        day = day_of(desk.now, desk.zone)
        if submission.effective > day:
            found = str(submission.effective)
            sentence = f"The submission takes effect on {submission.effective}; today is {day}."
            yield refusal("not-yet-effective", f"a submission in effect on {day}", found, sentence)
        yield from errors(check(submission))
        for name, choice in submission.wagers.items():
            for key, most in (("maximum", choice.maximum), ("amount", choice.amount), ("seed", choice.seed)):
                bound = "act" if key == "seed" else "wager"
                yield from desk.bounds.beyond(bound, most or 0, f"The {key} of a wager", f"wagers.{name}.{key}")
        rules, findings = rules_of(submission, day)
        yield from errors(findings)
        if self.source == PHYSICAL and (why := not_physical(GAMES[submission.game])):
            yield refusal("card-source", KEYED, PHYSICAL, f'{why} Open the table with the source "{KEYED}".')
        if rules is not None:
            yield from self._links(submission, desk)

    def _links(self, submission: Submission, desk: Desk) -> Iterator[Finding]:
        rules, _ = rules_of(submission, day_of(desk.now, desk.zone))
        assert rules is not None
        linked = str(rules.chapter.cite_of("linked", "paytables"))
        for name, house_name in self.meters.items():
            spec, meter = rules.meters.get(name), desk.meter(house_name)
            if spec is None or meter is None:
                what = f"no meter {house_name!r} in the house" if spec else f"no meter {name!r} in this game"
                yield refusal("meter-link", "a known meter", name, f"There is {what}.", cite=linked)
                continue
            stakes = {amount for wager, amount in rules.choices.amounts.items() if rules.wagers[wager].meter == name}
            if stakes != {meter.offered}:
                found = ", ".join(map(show_dollars, sorted(stakes)))
                sentence = f"The meter {house_name} is for a wager of {show_dollars(meter.offered)}, not {found}."
                yield refusal("meter-link", show_dollars(meter.offered), found, sentence, cite=linked)
            theirs = _tables(chapter(meter.spec.cite.chapter), meter.spec.wager, rules.as_of)
            wanted = theirs.get(meter.spec.letter, (None, None))[0], _terms(meter.spec)
            mine = _tables(rules.chapter, name, rules.as_of)
            if (mine.get(spec.letter, (None, None))[0], _terms(spec)) != wanted or wanted[0] is None:
                fits = [letter for letter, table in mine.items() if table == wanted]
                expected = f"table {listed(fits)}" if fits else "no table of this chapter"
                equal = f"table {listed(fits)} of {shown(name)} is" if fits else f"no table of {shown(name)} is"
                sentence = f"A link joins equal tables: with {house_name}, opened by {meter.spec.cite}, {equal} equal."
                yield refusal("meter-link", expected, f"table {spec.letter}", sentence, cite=linked)

    def events(self, table: Table, desk: Desk) -> Iterator[Event]:
        submission = read_submission(self.submission)
        day = day_of(desk.now, desk.zone)
        rules, _ = rules_of(submission, day)
        assert rules is not None
        zone, differing = desk.zone or property_zone(), self.differences(day)
        slip = numbered(replace(table, zone=zone), desk.now) if self.fill else NO_SLIP
        yield Event(
            TableOpened(
                game=submission.game,
                submission=self.submission,
                as_of=str(day),
                zone=zone,
                source=self.source,
                meters={name: self.meters.get(name, f"{table.id}-{name}") for name in rules.meters},
                dealing=rules.choices.device,
                shuffling="device" if submission.shuffler.used or submission.shuffler.reshuffles else "hand",
                fill=self.fill,
                chip_limit=self.chip_limit,
                streets=deals_streets(rules),
                slip=slip.number,
                day=slip.day,
                differences=tuple(Differing(**each.as_dict()) for each in differing),
                phase=Phase.OPENING,
            ),
            (str(rules.chapter.cite_of("opening", "deals").section_cite),),
            move(CAGE, inventory_account(table.id), self.fill),
        )


def not_physical(game: Game) -> str:
    """Why a game is not played with cards that are keyed in only when they are turned up; empty if it is."""
    title = game.chapter.title
    if not game.course.has(Deal):
        return f"{title} has no cards that lie face down."
    return ""


def _tables(law: Chapter, meter: str, day: date) -> dict[str, tuple[object, object]]:
    """What each pay table behind a meter that may be linked pays, and how its meter is fed, by letter."""
    paytables = {wager.paytable for wager in in_force(law.wagers, day) if wager.meter == meter}
    specs = {spec.letter: spec for spec in in_force(law.meters, day) if spec.wager == meter}
    tables = (table for paytable in paytables for table in law.tables(paytable, day) if table.linkable)
    return {table.letter: (table.rows, _terms(specs[table.letter])) for table in tables if table.letter in specs}


def _terms(spec: MeterSpec) -> object:
    return spec.seed, spec.reseed, spec.rate, spec.reserve


def next_slip(table: Table, now: int) -> int:
    """The number of the next slip: each table has one series a gaming day, for fills, credits, buy-ins and cash-outs.

    Slips are used in the order of their numbers, so a number is never used twice and a missing one is seen.
    """
    return table.last_slip + 1 if table.slip_day == str(day_of(now, table.zone)) else 1


class NumberedSlip(NamedTuple):
    """The number of a slip, and the gaming day of its series; 0 and nothing for none."""

    number: int
    day: str


NO_SLIP = NumberedSlip(0, "")


def numbered(table: Table, now: int, number: int = 0) -> NumberedSlip:
    """Return a slip of today, with the next number if none is given."""
    return NumberedSlip(number or next_slip(table, now), str(day_of(now, table.zone)))


@command("close_table", BETWEEN_ROUNDS | {Phase.OPENING, Phase.IDLE})
class CloseTable(Command):
    """Close the table; its chips go back to the cage."""

    reason: str = ""

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:  # noqa: ARG002
        if table.staged or table.carried:
            seats = ", ".join(map(str, sorted({*table.staged, *table.carried})))
            yield refusal("wagers-on-layout", "no wager", f"seats {seats}", f"Wagers still lie at seats {seats}.")

    def events(self, table: Table, desk: Desk) -> Iterator[Event]:
        chips = moved(inventory_account(table.id), CAGE, desk.balance(inventory_account(table.id)))
        drop = moved(drop_account(table.id), CAGE, desk.balance(drop_account(table.id)))
        yield Event(TableClosed(reason=self.reason, phase=Phase.CLOSED), (), chips + drop)


@command("change_limits", BETWEEN_ROUNDS | {Phase.OPENING, Phase.IDLE})
class ChangeLimits(Command):
    """New table limits of one wager, between rounds and with nothing on the layout."""

    wager: str
    minimum: Cents
    maximum: Cents

    def two_people(self, table: Table, desk: Desk) -> str:  # noqa: ARG002
        return "table.limits-seated" if table.boxes else ""

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:
        yield from desk.bounds.beyond("wager", self.maximum, "The maximum of a wager", "maximum")
        known = rules_at(table).wagers.get(self.wager)
        if known is None or known.meter or known.placed != "before":
            sentence = f"{self.wager!r} has no limits to change here."
            yield refusal("unknown-wager", "a wager with limits", self.wager, sentence)
        if not 0 < self.minimum <= self.maximum:
            sentence = "Those are not limits."
            yield refusal("limits", "0 < minimum <= maximum", f"{self.minimum} to {self.maximum}", sentence)
        if table.staged:
            yield refusal("wagers-on-layout", "no wager", "wagers", "Limits do not change while wagers lie there.")

    def events(self, table: Table, desk: Desk) -> Iterator[Event]:  # noqa: ARG002
        yield Event(LimitsChanged(wager=self.wager, minimum=self.minimum, maximum=self.maximum))
