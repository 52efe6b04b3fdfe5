"""Rounds as the interface shows them: the ledger's recall, as far as it is the caller's business."""

from typing import Literal

from pitboss.findings import Finding
from pitboss.ledger.people import Person
from pitboss.ledger.recall import (
    BalanceChange,
    CardDealt,
    DecisionMade,
    LinePaid,
    MeterMoved,
    NoRoundError,
    RoundStep,
    RoundSummary,
    StakePlaced,
    recall,
    recent,
)
from pitboss.ledger.store import Store
from pitboss.table.source import commitment_text
from pitboss.web.models import Shown


class RoundList(Shown):
    rounds: list[RoundSummary]


class RoundShown(Shown):
    """One round: everything needed to answer "why was I (not) paid?". While it lasts, hidden cards stay hidden."""

    table: str
    number: int
    state: Literal["wagering", "in play", "completed", "void"]
    game: str
    as_of: str
    began: str
    ended: str
    commitment: str
    steps: list[RoundStep]
    stakes: list[StakePlaced]
    cards: list[CardDealt]
    decisions: list[DecisionMade]
    lines: list[LinePaid]
    meters: list[MeterMoved]
    irregularities: list[RoundStep]
    totals: dict[str, int]
    balances: list[BalanceChange]


class DealShown(Shown):
    """Everything needed to check that a round was dealt from the deck that was promised."""

    table: str
    round: int
    commitment: str
    cards: str
    salt: str
    cuts: list[int]
    left_deck: str
    commitment_text: str
    """Its SHA-256 is the commitment."""
    verdict: str
    findings: list[Finding]


def last_rounds(store: Store, who: Person, table: str, last: int) -> list[RoundSummary]:
    """Newest first; never fewer than ten, if there are."""
    return list(recent(store, table, last, who))


def one_round(store: Store, who: Person, table: str, number: int) -> RoundShown:
    """A player is shown nothing of other patrons; cards that lie face down are hidden until the round is over."""
    found = recall(store, table, number, who)
    shown = found.as_dict()
    del shown["deal"]
    shown["commitment"] = found.deal.commitment
    return RoundShown(**shown)


def one_deal(store: Store, table: str, number: int) -> DealShown:
    """What was promised before the round and what was shown after it; a sentence says why there is nothing to show."""
    found = recall(store, table, number)
    deal = found.deal
    if not deal.cards:
        if deal.commitment:
            raise NoRoundError(
                f"The deck of round {number} is shown when the round is over; its commitment is {deal.commitment}."
            )
        wagering = found.state == "wagering"
        sentence = "has not begun" if wagering else "was keyed in from a deck of the house, so there is no commitment"
        raise NoRoundError(f"Round {number} {sentence}.")
    text = commitment_text(deal.cards, bytes.fromhex(deal.salt))
    return DealShown(table=table, round=number, commitment_text=text, verdict=deal.verdict, **vars(deal))
