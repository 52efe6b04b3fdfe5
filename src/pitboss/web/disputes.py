"""Disputes: what the reader's process makes of a round that a stranger wrote. A meter is never taken at its seed."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path

from pitboss.api import read_own_round, rules_of_file, settle_written
from pitboss.cards import Card, Hand
from pitboss.findings import Finding, refusal
from pitboss.games.round import Decision, Round, Seat
from pitboss.games.roundfile import RoundFile
from pitboss.games.rules import Rules
from pitboss.games.settlement import Settlement
from pitboss.money import Cents
from pitboss.names import shown
from pitboss.reports.answer import SeatVerdict, verdicts


@dataclass(frozen=True)
class Judged:
    """A settled dispute, or the findings for which nothing was settled."""

    game: str
    day: date
    played: Round
    settlement: Settlement
    verdicts: tuple[SeatVerdict, ...] = ()
    otherwise: dict[int, Cents] = field(default_factory=dict)
    """The net of each seat in the round as it was played, where one card has been changed."""
    as_played: tuple[Finding, ...] = ()
    """Why the round as it was played could not be settled, where one card has been changed."""


def judge(text: str, day: date, was: Card | None = None, would: Card | None = None) -> Judged:
    """Settle a round written as a round file, with one card changed into another if two are given."""
    file = read_own_round(text)
    day = file.as_of or day
    rules, _ = rules_of_file(file, Path(), day)
    before = _settled(file, rules, day)
    changed, after = file, before
    if was is not None and would is not None:
        changed = replace(file, played=with_card(file.played, was, would))
        after = _settled(changed, rules, day)
    settled = rules is not None and not after.findings
    return Judged(
        file.game,
        day,
        changed.played,
        after,
        verdicts(rules, changed.played, after) if rules is not None and settled else (),
        {} if changed is file else before.totals,
        () if changed is file else before.findings,
    )


def _settled(file: RoundFile, rules: Rules | None, day: date) -> Settlement:
    found = settle_written(file, day)
    missing = () if rules is None else tuple(missing_meters(rules, file))
    return replace(Settlement(), findings=(*found.findings, *missing)) if missing else found


def missing_meters(rules: Rules, file: RoundFile) -> Iterator[Finding]:
    """What the meters showed decides what a progressive pays, so each that the round feeds must be given."""
    made = {
        wager.meter
        for seat in file.played.seats
        for name in seat.wagers
        if (wager := rules.wager_named(name)) is not None
    }
    for name, spec in rules.meters.items():
        for tier in spec.seed:
            if name in made and tier not in file.displayed.get(name, {}):
                title = meter_title(rules, name, tier)
                sentence = f"The {title} shows an amount. Write what it showed before the round; it is never guessed."
                yield refusal("meter-missing", "an amount", "none", sentence, f"meters.{name}.{tier}", cite=spec.cite)


def meter_title(rules: Rules, name: str, tier: str) -> str:
    """What people call a meter, or one jackpot of it."""
    return f"{shown(name)} meter" + (f", {tier}" if len(rules.meters[name].seed) > 1 else "")


def with_card(played: Round, was: Card, would: Card) -> Round:
    """The round with one card changed into another wherever it lies."""

    def swapped(cards: Hand) -> Hand:
        return tuple(would if card == was else card for card in cards)

    def decided(made: Decision) -> Decision:
        return replace(made, discard=swapped(made.discard), drawn=swapped(made.drawn))

    def seated(seat: Seat) -> Seat:
        decisions = {step: decided(made) for step, made in seat.decisions.items()}
        return replace(seat, cards=swapped(seat.cards), decisions=decisions)

    return replace(
        played,
        dealer=swapped(played.dealer),
        seats=tuple(map(seated, played.seats)),
        extras={place: swapped(cards) for place, cards in played.extras.items()},
        magic_card=would if played.magic_card == was else played.magic_card,
    )
