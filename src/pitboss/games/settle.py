"""Settling a round: a pure function from rules, round and meters to lines and new meters."""

from collections.abc import Iterator, Mapping

from pitboss.findings import Finding, refusal
from pitboss.games.checks import OVERSIZED, verify_round
from pitboss.games.registry import GAMES
from pitboss.games.round import Round
from pitboss.games.rules import Rules
from pitboss.games.settlement import Book, Settlement, SettlementError, stake_faults
from pitboss.law.odds import Tier
from pitboss.meters import Meter
from pitboss.money import Cents, show_dollars
from pitboss.names import shown

Displayed = Mapping[str, Mapping[Tier, Cents]]
"""Amounts on the meters before the wagers of the round are added, by meter and jackpot."""


def verify(rules: Rules, played: Round) -> tuple[Finding, ...]:
    """Why the round cannot be settled: every reason, or none. Hands that no game deals are ranked by none."""
    findings = tuple(verify_round(rules, played))
    if not any(finding.code == OVERSIZED for finding in findings):
        findings = (*findings, *GAMES[rules.game].verify(rules, played))
    return (*findings, *meter_findings(rules, played))


ONLY_CARDS_TELL = frozenset(
    {"card-count", "card-missing", "decision-missing", "dice-count", "exchange-cards", "lucky-position", "raise-amount"}
)
"""Findings about cards and decisions, which do not exist yet when wagers are closed."""


def verify_stakes(rules: Rules, played: Round) -> tuple[Finding, ...]:
    """What is wrong with the wagers of a round for which no card is dealt yet."""
    return tuple(finding for finding in verify(rules, played) if finding.code not in ONLY_CARDS_TELL)


def settle(
    rules: Rules, played: Round, displayed: Displayed | None = None, reserves: Mapping[str, Cents] | None = None
) -> Settlement:
    """Settle every wager of a round in the order of the law; a round with findings settles nothing.

    >>> from datetime import date
    >>> from pitboss.cards import parse_cards
    >>> from pitboss.games.round import Decision, Seat, decided
    >>> from pitboss.games.rules import resolve
    >>> rules, _ = resolve(GAMES["three-card-poker"].chapter, date(2024, 6, 1))
    >>> seat = Seat(1, parse_cards("Qh 6d 4c"), {"ante": 1000}, decided(Decision("play")))
    >>> settlement = settle(rules, Round(parse_cards("Jc 9d 2s"), (seat,)))
    >>> [(line.wager, str(line.result), line.net, line.cite) for line in settlement.lines]
    [('ante', 'win', 1000, '649a.11(c)(3)(i)'), ('play', 'push', 0, '649a.11(c)(3)(i)')]
    """
    findings = (*verify(rules, played), *balance_findings(rules, displayed or {}, reserves or {}))
    if findings:
        return Settlement(findings=findings)
    book = Book(rules, opening_meters(rules, played, displayed or {}, reserves or {}))
    book.accept_wagers(played)
    game = GAMES[rules.game]
    game.settle(rules, played, book)
    stakes = {seat.number: game.due(rules, played, seat) for seat in played.seats}
    settled = [(line.seat, line.settles) for line in book.lines if line.settles]
    if faults := [sentence for _, _, sentence in stake_faults(stakes, settled)]:
        raise SettlementError(f"The round is not settled, by a fault of the program: {' '.join(faults)}")
    return book.close()


def opening_meters(
    rules: Rules, played: Round, displayed: Displayed, reserves: Mapping[str, Cents]
) -> dict[str, Meter]:
    """The meters that the round touches or that were given: as displayed, or else at their seed.

    Seeds depend on the amount of the wager on offer. Where no submission names it, it is the smallest amount staked.
    """
    meters = {}
    for name, spec in rules.meters.items():
        stakes = [
            stake
            for seat in played.seats
            for wager, stake in seat.wagers.items()
            if (known := rules.wager_named(wager)) is not None and known.meter == name
        ]
        if not stakes and name not in displayed:
            continue
        named = [amount for wager, amount in rules.choices.amounts.items() if rules.wagers[wager].meter == name]
        meter = Meter.seeded(name, spec, min(named or stakes or [100]))
        if name in displayed:
            meter = meter.showing(displayed[name], reserves.get(name, 0))
        elif name in reserves:
            meter = meter.showing(meter.displayed(), reserves[name])
        meters[name] = meter
    return meters


def balance_findings(rules: Rules, displayed: Displayed, reserves: Mapping[str, Cents]) -> Iterator[Finding]:
    """Amounts given for a jackpot or a reserve that the meter does not have."""
    for name, spec in rules.meters.items():
        if not set(displayed.get(name, ())) <= set(spec.seed):
            tiers = ", ".join(spec.seed)
            sentence = f"Under pay table {spec.letter} the meter {shown(name)} shows {tiers} and nothing else."
            yield refusal("meter-tier", tiers, ", ".join(displayed[name]), sentence, cite=spec.cite)
    for name, spec in rules.meters.items():
        if reserves.get(name) and not spec.reserve:
            found = show_dollars(reserves[name])
            sentence = f"The meter {shown(name)} has no reserve, so it cannot be {found}."
            yield refusal("reserve-without-rate", "no reserve", found, sentence, cite=spec.cite)


def meter_findings(rules: Rules, played: Round) -> Iterator[Finding]:
    """Until 30 August 2019 rate and seed stood in the Rules Submission, so without one a meter cannot be kept."""
    made = {known.meter for seat in played.seats for name in seat.wagers if (known := rules.wager_named(name))}
    for name, spec in rules.meters.items():
        if not spec.rate and name in made:
            left = f"the rate of the {shown(name)} meter was left to the Rules Submission"
            sentence = f"On {rules.as_of} {left}; give one."
            expected = "rate and seed named in the Rules Submission"
            yield refusal("meter-rate-missing", expected, "none", sentence, cite=spec.cite)
