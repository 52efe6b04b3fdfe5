"""What the law says to a table: its rules, and the paragraph of each act, found in the chapter's own procedures."""

from datetime import date, timedelta
from functools import lru_cache

from pitboss.clock import day_of, day_words
from pitboss.findings import Finding, refusal
from pitboss.games.betting import PokerHand
from pitboss.games.chance import thrown
from pitboss.games.contract import Game
from pitboss.games.deal import deal_of
from pitboss.games.registry import GAMES
from pitboss.games.rules import Limits, Rules
from pitboss.law.model import DealStep, Procedure, in_force
from pitboss.submission import Submission, read_submission, rules_of
from pitboss.table.state import SHOE, Phase, Table

STUB_ACT = "stub-to-discard-rack"
DECK_COUNT_ACT = "count-deck-every-five-rounds"
SEATED = "seated-players-only"
STAYS = "chips-stay-on-the-table"


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
    choices = replace(rules.choices, device=device, limits={**rules.choices.limits, **changed})
    return replace(rules, choices=choices)


def rules_at(table: Table) -> Rules:
    """The rules in force at the table: the submission under the law of the day, by the dealing method in use."""
    return _rules(table.submission, table.as_of, table.dealing, tuple(sorted(table.limits.items())))


def filed_rules(table: Table) -> Rules:
    """The same with the limits of the submission, whatever they have become since."""
    return _rules(table.submission, table.as_of, table.dealing, ())


def unattended(table: Table) -> bool:
    """Whether the table runs by itself: its rules say so, and nobody has to look at real cards, dice or a wheel."""
    chosen = rules_at(table).chosen if table.game and table.source == "virtual" else ()
    return any(choice.unattended for choice, _ in chosen)


def game_at(table: Table) -> Game:
    return GAMES[table.game]


def is_private(table: Table) -> bool:
    """Whether players need not show each other their cards, not even after the round."""
    return bool(game_at(table).course.contest)


def hand_at(table: Table) -> PokerHand | None:
    """How far the round has come where players bet against each other; nothing in other games."""
    game = game_at(table)
    return game.hand(rules_at(table), table.playing.as_round()) if game.course.contest else None


@lru_cache(maxsize=4096)
def _procedure(game: str, as_of: str, dealing: str, act: str) -> Procedure | None:
    chapter = GAMES[game].chapter
    devices = {deal.device for deal in chapter.deals}
    found = [p for p in in_force(chapter.procedures, date.fromisoformat(as_of)) if p.act == act]
    by_device = [p for p in found if dealing in p.when.split(" or ")]
    others = (p for p in found if not devices & {*p.when.split(" or ")} and dealing not in p.unless.split(" or "))
    return next(iter(by_device), None) or next(others, None)


def procedure_of(table: Table, act: str) -> Procedure | None:
    """The paragraph that prescribes an act, for the way cards are dealt now; none where the chapter has none."""
    return _procedure(table.game, table.as_of, table.dealing, act) if table.game else None


@lru_cache(maxsize=4096)
def _cite(game: str, as_of: str, dealing: str, act: str) -> str:
    found = _procedure(game, as_of, dealing, act)
    return "" if found is None else str(found.cite)


def cite_of(table: Table, act: str, otherwise: str = "") -> str:
    return (_cite(table.game, table.as_of, table.dealing, act) if table.game else "") or otherwise


def deals_streets(rules: Rules) -> bool:
    """Whether the chapter has a board dealt street by street, from any device."""
    return any(step.street for deal in in_force(rules.chapter.deals, rules.as_of) for step in deal.steps)


@lru_cache(maxsize=256)
def _changed(game: str, opened: date, day: date) -> tuple[str, date] | None:
    """The first entry of a chapter whose version is another one, with the day of the change."""
    for entry in GAMES[game].chapter.entries():
        if entry.period.covers(opened) != entry.period.covers(day):
            dates = (entry.period.start, entry.period.end and entry.period.end + timedelta(days=1))
            return str(entry.cite), next(each for each in dates if each and opened < each <= day)
    return None


def law_changed(table: Table, now: int) -> Finding | None:
    """Return why no round begins: the law of its gaming day is not that under which the table was opened."""
    day, opened = day_of(now, table.zone), date.fromisoformat(table.as_of)
    found = _changed(table.game, opened, day) if day > opened else None
    if found is None or table.carried:  # a wager that lives on is played to its end as it began
        return None
    cite, since = found
    sentence = (
        f"The law changed on {day_words(since)}; this table was opened under that of {day_words(opened)}. "
        "Close it and open it again."
    )
    return refusal("law-changed", f"the law of {day}", f"the law of {opened}", sentence, cite=cite)


def thrown_at(table: Table) -> DealStep | None:
    """The dice that are rolled or the ball that is spun; nothing in a game of cards."""
    return thrown(rules_at(table))


SHAKE_FIRST, SHAKE_LATER = "shake-dice-before-wagers", "set-in-motion-after-no-more-bets"


def before_wagers(table: Table) -> Phase:
    """What a table with dice does before wagers: dice under a cover are shaken first."""
    return Phase.SHUFFLING if procedure_of(table, SHAKE_FIRST) is not None else Phase.WAGERING


def counts_cards(table: Table) -> bool:
    """Whether a device in use counts the deck after each shuffle, so that nobody else has to."""
    return submission_of(table).shuffler.counts_cards and table.shuffling == "device"


def reshuffles(table: Table) -> bool:
    """Section .5(g): a shoe that reshuffles by itself; cut, recut and idle spread do not apply."""
    return submission_of(table).shuffler.reshuffles and table.dealing == SHOE and table.shuffling == "device"


def deal_cite(table: Table) -> str:
    return str(deal_of(rules_at(table)).cite)
