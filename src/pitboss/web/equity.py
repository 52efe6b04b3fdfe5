"""Players against each other: each hand's share of the pot, and the rake; for a worker to find."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import date
from functools import partial
from typing import TYPE_CHECKING

from pitboss.cards import CardError, parse_cards
from pitboss.findings import UnreadableError
from pitboss.paper.model import Passage
from pitboss.reports.export import exported

if TYPE_CHECKING:
    from pitboss.reports.hands import PotShares

MOST_TYPED = 400


@dataclass(frozen=True)
class EquityQuestion:
    """Hands as they are typed, one a line, with the cards that are out, the pot in dollars and the rake in percent."""

    game: str = ""
    typed: str = ""
    dead: str = ""
    pot: str = "100"
    rake: str = "5"


def pot_shares(as_of: date, asked: EquityQuestion) -> "PotShares":
    """Each hand's share of the pot, and the rake's; refuses in a sentence what cannot be read."""
    from dataclasses import replace

    from pitboss.api import rules_for
    from pitboss.exact.equity import equities, rake_of, ways
    from pitboss.games.handhistory import contest_named
    from pitboss.reports.hands import PotShares
    from pitboss.typed import typed_dollars, within

    if len(asked.typed) + len(asked.dead) > MOST_TYPED:
        raise UnreadableError("These are more cards than a deck has.")
    contest, rules = contest_named(asked.game), rules_for(asked.game, as_of)
    try:
        hands = [parse_cards(line) for line in asked.typed.splitlines() if line.strip()]
        out = parse_cards(asked.dead)
    except CardError as problem:
        raise UnreadableError(str(problem)) from None
    if not asked.rake.isascii() or not asked.rake.isdigit():
        raise UnreadableError("The rake is a whole number of percent, such as 5.")
    size = rules.figure("player_cards")
    found = equities(hands, size, out)
    terms = replace(contest.terms(rules), rake_percent=within(int(asked.rake), "The rake", 0, 10))
    return PotShares(rules, found, ways(hands, size, out), rake_of(terms, typed_dollars(asked.pot)))


def equity_passages(as_of: date, asked: EquityQuestion) -> tuple[Passage, ...]:
    """What ``pitboss equity`` prints."""
    from pitboss.reports.hands import equity_passages

    return equity_passages(pot_shares(as_of, asked))


def equity_file(as_of: date, asked: EquityQuestion, kind: str) -> bytes:
    """What ``pitboss equity`` prints, as a file."""
    from pitboss.reports.hands import equity_paper

    found = pot_shares(as_of, asked)
    return exported(kind, found, partial(equity_paper, found))


def equity_asked(given: Mapping[str, str]) -> EquityQuestion:
    """The question of an address."""
    return EquityQuestion(**{each.name: given[each.name] for each in fields(EquityQuestion) if each.name in given})
