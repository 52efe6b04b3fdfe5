"""Seven-card Stud, 58 Pa. Code Chapter 637a. Two to nine players bet against each other; the dealer does not play."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pitboss.cards import rank_of
from pitboss.findings import Finding, refusal
from pitboss.games.betting import BET, BRING_IN, CALL, CHECK, COMPLETE, FOLD, RAISE, Contest, Terms
from pitboss.games.contract import Lines
from pitboss.games.course import Bets, Betting, Course, Deal, Option, Settle, Sight, Step, TurnUp
from pitboss.games.round import Decision
from pitboss.games.rules import Rules
from pitboss.money import show_dollars

STREETS = ("third_street", "fourth_street", "fifth_street", "sixth_street", "seventh_street")
ASKED = "637a.7(c)"
LATER = (CHECK, CALL, BET, RAISE, FOLD)
AMOUNTS = ("bring_in", "small_bet", "big_bet")
TEN = 8
"""The rank of a ten: a plain player stays in with higher cards."""


def _names(street: str) -> tuple[str, ...]:
    return (BRING_IN, COMPLETE, *LATER) if street == STREETS[0] else LATER


def _ever(street: str) -> Betting:
    return Betting(street, ASKED, _names(street), lambda _, sight: _offered(street, sight))


def _offered(street: str, sight: Sight | None) -> tuple[Option, ...]:
    return tuple(Option(name, ends=name == FOLD) for name in _names(street)) if sight is None else sight.options


def _street(name: str) -> tuple[Step, ...]:
    return (Deal(name), _ever(name))


@dataclass(frozen=True)
class Outcome:
    """Nothing that a pay table could read: what a round brings depends on everybody's chips and choices."""


class SevenCardStud(Contest):
    """Five rounds of betting at fixed limits, third street to seventh; the best five of seven cards take the pot."""

    name = "seven-card-stud"
    number = "637a"
    lines = Lines(Outcome)
    plain_wagers: Mapping[str, int] = {"table_stake": 40_000}
    course = Course(
        "table_stake",
        (
            Bets(),
            *(step for street in STREETS for step in _street(street)),
            TurnUp("hands", cite="637a.18(e)"),
            Settle("pots"),
        ),
    )

    def terms(self, rules: Rules) -> Terms:
        chip = rules.option("smallest_chip") or 100 * rules.figure("chip_dollars")
        bets = {name: (rules.option(name) or 100 * rules.figure(f"{name}_dollars")) // chip for name in AMOUNTS}
        most = rules.option("rake_most")
        return Terms(
            chip=chip,
            ante=(rules.option("ante") or 0) // chip,
            raises=rules.option("raises") or rules.figure("raises"),
            rake_percent=rules.option("rake_percent") or 0,
            rake_most=None if most is None else most // chip,
            disclosure=bool(rules.option("disclosure")),
            **bets,
        )

    def variant(self, terms: Terms, players: int) -> Any:
        """The engine's fixed-limit game; all that is not a player's or a dealer's act it does by itself."""
        from dataclasses import replace

        from pokerkit import Automation, FixedLimitSevenCardStud, Mode

        game = FixedLimitSevenCardStud(
            (
                Automation.ANTE_POSTING, Automation.BET_COLLECTION, Automation.BLIND_OR_STRADDLE_POSTING,
                Automation.RUNOUT_COUNT_SELECTION, Automation.HAND_KILLING, Automation.CHIPS_PULLING,
            ),
            True,
            (terms.ante,) * players,
            terms.bring_in,
            terms.small_bet,
            terms.big_bet,
            mode=Mode.CASH_GAME,
            rake=terms.rake,
        )  # fmt: skip
        most = terms.raises + 1
        game.streets = tuple(replace(each, max_completion_betting_or_raising_count=most) for each in game.streets)
        return game

    def verify_choices(self, rules: Rules) -> Iterator[Finding]:
        yield from super().verify_choices(rules)
        chip = rules.option("smallest_chip") or 100 * rules.figure("chip_dollars")
        amounts = {name: rules.option(name) for name in ("ante", *AMOUNTS, "rake_most")}
        for name, amount in amounts.items():
            if amount is not None and (amount <= 0 or amount % chip):
                expected, cite = f"a multiple of {show_dollars(chip)}", str(rules.chapter.cite_of(name))
                sentence = f"{rules.chapter.options(rules.as_of)[name].title} is {expected}, the smallest chip."
                found = show_dollars(amount)
                yield refusal(f"{name.replace('_', '-')}-odd", expected, found, sentence, name, cite=cite)
                return
        terms = self.terms(rules)
        for low, high in (("bring_in", "small_bet"), ("small_bet", "big_bet"), ("ante", "small_bet")):
            one, other = getattr(terms, low), getattr(terms, high)
            if one > other or (one == other and low == "bring_in"):
                choices, cite = rules.chapter.options(rules.as_of), str(rules.chapter.cite_of(low))
                expected = f"{'less' if low == 'bring_in' else 'no more'} than {show_dollars(other * chip)}"
                sentence = f"{choices[low].title} must be {expected}, the {choices[high].title.lower()}."
                found = show_dollars(one * chip)
                yield refusal(f"{low.replace('_', '-')}-too-high", expected, found, sentence, low, cite=cite)

    def plain_decision(self, rules: Rules, sight: Sight) -> Decision:  # noqa: ARG002
        """Bet three of a kind or better ranks, stay in with a pair or high cards, otherwise pay nothing."""
        names = [option.name for option in sight.options]
        ranks = sorted((rank_of(card) for card in sight.cards), reverse=True)
        most = max(ranks.count(rank) for rank in ranks)
        pairs = sum(ranks.count(rank) == 2 for rank in set(ranks))
        for name in (COMPLETE, BET, RAISE):
            if name in names and (most > 2 or pairs > 1):
                return Decision(name)
        if CALL in names:
            stays = most > 1 or (len(ranks) < 5 and ranks[2 if len(ranks) > 2 else -1] >= TEN)
            return Decision(CALL if stays else FOLD)
        return Decision(names[0])
