"""What the law says to a table: its rules, and the paragraph of each act, found in the chapter's own procedures."""

from datetime import date
from functools import lru_cache

from pitboss.games.contract import Game
from pitboss.games.deal import deal_of
from pitboss.games.registry import GAMES
from pitboss.games.rules import Limits, Rules
from pitboss.law.model import DEVICES, Device, Procedure, in_force
from pitboss.submission import Submission, read_submission, rules_of
from pitboss.table.state import SHOE, Table

STUB_ACT = "stub-to-discard-rack"
LOCK_ACT = "announce-all-decisions-locked-in"
DECK_COUNT_ACT = "count-deck-every-five-rounds"
REVEAL_THEN_SETTLE = (
    "reveal-dealer-hand-then-settle-from-dealers-right", "reveal-dealer-hand-then-settle-counterclockwise-from-right",
    "collect-forfeited-wagers-and-cards-then-reveal",
)  # fmt: skip
ALIASES = {
    "no-more-bets": ("announce-no-more-bets-lock-out-count-chips", "announce-no-more-bets"),
    "chips-only": (
        "accept-chips-refuse-spoken-cash-wagers", "refuse-verbal-wager-with-cash", "refuse-verbal-wagers-with-cash",
    ),
    "seated-only": (
        "wagers-from-seated-players-only", "only-seated-players-wager-and-stay-seated", "seated-players-only",
        "wagers-of-player-who-leaves-may-lose",
    ),
    "bets-closed": (
        "no-wager-made-or-changed-after-no-more-bets", "no-wager-changed-after-no-more-bets",
        "no-wager-made-changed-or-withdrawn-after-no-more-bets",
    ),
    "deck-ready": (
        "place-deck-in-manual-shoe", "place-deck-in-automated-shoe",
    ),
    "count": ("count-stub-every-five-rounds", DECK_COUNT_ACT),
    "reveal-dealer-hand": ("reveal-dealer-hand", *REVEAL_THEN_SETTLE),
    "reveal-dealer-hand-then-settle-from-dealers-right": REVEAL_THEN_SETTLE,
}  # fmt: skip
"""Acts that the chapters' data name differently."""


@lru_cache(maxsize=256)
def _submission(text: str) -> Submission:
    return read_submission(text)


def submission_of(table: Table) -> Submission:
    return _submission(table.submission)


@lru_cache(maxsize=256)
def _rules(text: str, as_of: str, device: str, limits: tuple[tuple[str, tuple[int, ...]], ...]) -> Rules:
    from dataclasses import replace

    rules, _ = rules_of(_submission(text), date.fromisoformat(as_of))
    assert rules is not None, "a table opens only under rules"
    changed = {name: Limits(low, high) for name, (low, high) in limits}
    known: Device = next(known for known in DEVICES if known == device)
    choices = replace(rules.choices, device=known, limits={**rules.choices.limits, **changed})
    return replace(rules, choices=choices)


def rules_at(table: Table) -> Rules:
    """The rules in force at the table: the submission under the law of the day, by the dealing method in use."""
    return _rules(table.submission, table.as_of, table.dealing, tuple(sorted(table.limits.items())))


def game_at(table: Table) -> Game:
    return GAMES[table.game]


@lru_cache(maxsize=4096)
def _procedure(game: str, as_of: str, dealing: str, act: str) -> Procedure | None:
    names = ALIASES.get(act, (act,))
    found = [p for p in in_force(GAMES[game].chapter.procedures, date.fromisoformat(as_of)) if p.act in names]
    by_device = [p for p in found if p.when == dealing]
    return next(iter(by_device), None) or next((p for p in found if p.when not in DEVICES), None)


def procedure_of(table: Table, act: str) -> Procedure | None:
    """The paragraph that prescribes an act, for the way cards are dealt now; none where the chapter has none."""
    return _procedure(table.game, table.as_of, table.dealing, act) if table.game else None


def cite_of(table: Table, act: str, otherwise: str = "") -> str:
    found = procedure_of(table, act)
    return str(found.cite) if found is not None else otherwise


def extras_of(rules: Rules) -> frozenset[str]:
    return frozenset(wager.extra for wager in rules.wagers.values() if wager.extra)


def shuffler_used(table: Table) -> bool:
    return submission_of(table).shuffler.used


def counts_cards(table: Table) -> bool:
    """Whether a device in use counts the deck after each shuffle, so that nobody else has to."""
    return submission_of(table).shuffler.counts_cards and table.shuffling == "device"


def reshuffles(table: Table) -> bool:
    """Section .5(g): a shoe that reshuffles by itself; cut, recut and idle spread do not apply."""
    return submission_of(table).shuffler.reshuffles and table.dealing == SHOE and table.shuffling == "device"


def deal_cite(table: Table) -> str:
    return str(deal_of(rules_at(table)).cite)
