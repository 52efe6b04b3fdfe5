"""Lunar Poker, 58 Pa. Code Chapter 671a. Five cards each, one dealer card up; fold, bet, buy a card or exchange."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from functools import cached_property
from types import MappingProxyType
from typing import Annotated, Any

from pitboss.cards import Hand, show_cards
from pitboss.findings import Finding, refusal
from pitboss.games.contract import Game, Lines
from pitboss.games.course import (
    FOLD,
    HANDS,
    Bets,
    Course,
    Deal,
    Decide,
    Draw,
    Draws,
    EachSeat,
    Option,
    Post,
    Settle,
    Sight,
    TurnUp,
    exactly,
)  # fmt: skip
from pitboss.games.facts import DEALER, FINAL, OWN, AtLeast, Chosen, Compare, Derived, Label, Position, Versus
from pitboss.games.round import DECISION, THEN, Decision, Round, Seat
from pitboss.games.rules import Rules
from pitboss.games.second_combination import DISTINCT, second_label
from pitboss.games.settlement import Book, Pay, forfeit, lose, push, win
from pitboss.games.shared import by_table
from pitboss.games.structure import Duel, Guide, Held, Keep, Maxim, Outlay, Scope
from pitboss.hands import LUNAR, facets
from pitboss.hands.labels import LUNAR_LABELS, NOTHING, TITLES, lunar_label
from pitboss.money import show_dollars

ON_SEAT = "super_on_seat_"
INSTANT = ("royal_flush", "straight_flush")
LOCKED_IN, FEE, AFTER_DRAW, ON_DEALER = "locked in", "fee", "after draw", "dealer"
"""Stages of the settlement before the hands: before any further card, before and after a draw, the dealer's hand."""

ACE_KING = LUNAR.at_least("ace_king")
"""671a.11(f): the least hand with which the dealer qualifies."""


class Ending(StrEnum):
    """How a player's part in the round ended."""

    INSTANT = "instant"
    FOLD = "fold"
    BET = "bet"


def _ending(choices: Mapping[str, str]) -> Ending:
    """Only a hand that is paid at once has nothing to choose."""
    if not choices:
        return Ending.INSTANT
    return Ending.FOLD if "fold" in choices.values() else Ending.BET


def _drew(choices: Mapping[str, str]) -> bool:
    return choices.get(DECISION) in ("buy", "exchange")


def _best(rules: Rules, cards: Hand) -> str:  # noqa: ARG001
    return lunar_label(cards)


@dataclass(frozen=True)
class Outcome:
    """A finished round of Lunar Poker as one seat sees it."""

    ending: Annotated[Ending, Chosen(_ending, tuple(Ending))]
    drew: Annotated[bool, Chosen(_drew)]
    """Whether an Options fee was paid."""
    qualifies: Annotated[bool, AtLeast(LUNAR, ACE_KING, DEALER)]
    versus: Annotated[Versus, Compare(LUNAR, FINAL, DEALER)]
    first_hand: Annotated[str, Label(facets.LUNAR_FIVE, OWN)]
    """The category of the first five cards, for the instant payout."""
    hand: Annotated[str, Derived(_best, FINAL, LUNAR_LABELS)]
    """The category of the final hand, best five of five or six."""
    second: Annotated[str, Derived(second_label, FINAL, (*LUNAR_LABELS[:-1], NOTHING), ("bet",))]
    """The best second combination, if the final hand has one."""
    super_hand: Annotated[str, Label(facets.SUPER, OWN)]
    dealer_super_hand: Annotated[str, Label(facets.SUPER, DEALER)]


LINES: Lines[Outcome] = Lines(Outcome)


@LINES.rule("super", ["super_hand"])
def super_wager(rules: Rules, outcome: Outcome) -> Pay:
    return by_table(rules, "super", super_row(rules, outcome.super_hand), "671a.11(c)(2)", "671a.11(c)(1)")


@LINES.rule("super_on_dealer", ["dealer_super_hand"])
def super_on_dealer(rules: Rules, outcome: Outcome) -> Pay:
    return by_table(rules, "super", super_row(rules, outcome.dealer_super_hand), "671a.11(e)(2)", "671a.11(e)(1)")


STRAIGHT_FLUSH_AS_FLUSH = "super-straight-flush-as-flush"
"""The other reading of 671a.6(d): five cards of one suit are a flush even in sequence."""


def super_row(rules: Rules, label: str) -> str:
    """A straight flush is no "flush" (not consecutive) and no "straight" (more than one suit): the rest of it pays."""
    if label not in INSTANT:
        return label
    if rules.reading("super") == STRAIGHT_FLUSH_AS_FLUSH:
        return "flush"
    return "ace_king_queen" if label == "royal_flush" else "same_colored_five"


@LINES.rule("instant_payout", ["first_hand"])
def instant_payout(rules: Rules, outcome: Outcome) -> Pay | None:
    paid = rules.odds("instant_payout", outcome.first_hand)
    if paid is None:
        return None
    row, odds = paid
    why = f"{TITLES[row]} on the first five cards: an instant payout of {odds} on the Ante."
    return win("671a.11(c)(3)", why, odds, rules.table_cite("instant_payout"))


@LINES.rule("options_fee", [])
def options_fee(rules: Rules, outcome: Outcome) -> Pay:  # noqa: ARG001
    return lose("671a.11(d)(1)", "The Options fee is collected before the cards are drawn.")


@LINES.rule("ante", ["ending", "drew", "qualifies", "versus", "hand"])
def ante(rules: Rules, outcome: Outcome) -> Pay | None:
    if outcome.ending == Ending.INSTANT:
        return None  # paid on the line of the instant payout
    if outcome.ending == Ending.FOLD:
        return forfeit("671a.11(d)(4)" if outcome.drew else "671a.11(c)(4)", "The player folded and forfeits the Ante.")
    if not outcome.qualifies:
        straight = LUNAR_LABELS.index(outcome.hand) <= LUNAR_LABELS.index("straight")
        odds = rules.tables["ante_unqualified"].rows["straight_or_higher" if straight else "any"]
        why = f"The dealer has less than ace-king; the Ante pays {odds}."
        return win("671a.11(f)(1)", why, odds, rules.table_cite("ante_unqualified"))
    match outcome.versus:
        case Versus.LOWER:
            return lose("671a.11(f)(2)(i)", "The dealer's hand is higher.")
        case Versus.EQUAL:
            return push("671a.11(f)(2)(iii)", "The hands are equal and the Ante is returned.")
    return push("671a.11(f)(2)(ii)", "The hand beats the dealer's: the Ante is returned and the Bet is paid.")


@LINES.rule("bet", ["qualifies", "versus", "hand"])
def bet(rules: Rules, outcome: Outcome) -> Pay:
    if not outcome.qualifies:
        return push("671a.11(f)(1)", "The dealer has less than ace-king; the Bet is returned.")
    match outcome.versus:
        case Versus.LOWER:
            return lose("671a.11(f)(2)(i)", "The dealer's hand is higher.")
        case Versus.EQUAL:
            return push("671a.11(f)(2)(iii)", "The hands are equal and the Bet is returned.")
    return by_table(rules, "bet", outcome.hand, "671a.11(f)(2)(ii)")


@LINES.rule("second_combination", ["qualifies", "versus", "second"])
def second_combination(rules: Rules, outcome: Outcome) -> Pay | None:
    """Only for a hand that beats a qualified dealer; paid even if the second combination alone would not."""
    if not outcome.qualifies or outcome.versus != Versus.HIGHER:
        return None
    paid = rules.odds("bet", outcome.second)
    if paid is None:
        return None
    row, odds = paid
    why = f"A second combination, {TITLES[row].lower()}, with a card outside the winning one pays {odds}."
    return win("671a.11(f)(2)(ii)", why, odds, rules.table_cite("bet"), additional=True)


def has_instant_payout(cards: Hand) -> bool:
    return len(cards) == LUNAR.size and lunar_label(cards) in INSTANT


def _options(rules: Rules, sight: Sight | None) -> tuple[Option, ...]:
    """A hand that is paid at once leaves nothing to choose."""
    if sight is not None and has_instant_payout(sight.cards):
        return ()
    fee = {"options_fee": exactly(rules, "options_fee_antes")}
    exchange = Draws(rules.figure("exchange_least"), rules.figure("exchange_most"), discards=True)
    return (
        Option("bet", {"bet": exactly(rules, "bet_antes")}),
        FOLD,
        Option("buy", fee, draws=Draws(1, 1, discards=False)),
        Option("exchange", fee, draws=exchange),
    )


def _options_after(rules: Rules, sight: Sight | None) -> tuple[Option, ...]:
    """Who has drawn bets or folds."""
    if sight is not None and not _drew({step: made.choice for step, made in sight.chosen.items()}):
        return ()
    return Option("bet", {"bet": exactly(rules, "bet_antes")}), FOLD


NO_DRAW = "fold or bet only, without the sixth card and the exchange of cards that 671a.11(b)(3) allows"
NO_EXCHANGE = "fold, bet or a sixth card, without the exchange of cards that 671a.11(b)(3) allows"
"""What the parts of the game that can be counted leave out."""

EIGHT, TEN, JACK, QUEEN, KING, ACE = 6, 8, 9, 10, 11, 12
_BEST = ("two_pair", "full_house", "four_of_a_kind")
_ALONE = {ACE: KING, KING: TEN, QUEEN: 5, JACK: 4, TEN: 3, 7: 2}
"""The highest up card against which a card is kept alone, by its rank."""


def _to_come(held: Held) -> Any:
    """Four cards to a flush or to a straight that two ranks complete; with a pair, to any straight."""
    more = (held.suited >= 4) | (held.straight >= 2) | (held.has("pair") & (held.straight >= 1))
    return held.has("straight", "flush") | more


def _alone(held: Held, further: int = 0) -> Any:
    """A highest card that is kept alone, against an up card so much higher than it should be."""
    return (
        held.has("high_card")
        & sum(
            (held.lead == rank) & (held.up <= most + further)
            for rank, most in _ALONE.items()
            if rank != ACE or not further
        )
        > 0
    )


def _inside(held: Held) -> Any:
    high = held.has("high_card") & (held.lead < ACE) & (held.second >= TEN) & (held.up <= EIGHT)
    return (held.straight >= 1) & (held.has("ace_king") | high)


def _trips_and_court(held: Held) -> Any:
    return held.has("three_of_a_kind") & (held.second >= KING) & (held.up < KING)


def _neighbors(held: Held) -> Any:
    """King-queen, queen-jack or jack-ten, each against up cards in the middle."""
    pairs = ((KING, 5, JACK), (QUEEN, 3, EIGHT), (JACK, 3, 5))
    return (
        held.has("high_card")
        & sum((held.lead == top) & (held.second == top - 1) & (low <= held.up <= high) for top, low, high in pairs)
        > 0
    )


def _bets_from(category: str, up: int) -> int:
    """Cards of the up card's rank that must have been seen for a bet: none with a pair, one with ace-king, or two."""
    if category not in ("ace_king", "high_card"):
        return 0
    court = up >= KING
    return (2 if court else 1) if category == "ace_king" else 9 if court else 2


_THEN = (
    "After a draw: bet with a pair or better; with ace-king if among your cards and discards there is one of the rank "
    "that the dealer shows, besides those two; with less only if there are two, and never against an ace or a king."
)
_TRIPS = Maxim("Exchange two cards: keep three of a kind.", "exchange", lambda held: held.has("three_of_a_kind"))
_PAIR = Maxim("Exchange three cards: keep any other pair.", "exchange", lambda held: held.has("pair"))
_ACE_KING = Maxim("Exchange three cards: keep ace-king.", "exchange", lambda held: held.has("ace_king"), Keep.TWO)
_FOLD = Maxim("Fold everything else.", "fold", lambda held: held.category >= 0)
_ONE = (
    "Exchange four cards: keep an ace unless the dealer shows one, a king against a 10 or lower, a queen against a 7, "
    "a jack against a 6, a 10 against a 5, a 9 against a 4, or lower"
)
SHORT_LIST = Guide(
    "eight sentences",
    (
        Maxim(
            "Buy a card with a straight or a flush; with four cards to a flush, or to a straight that two ranks "
            "complete; with a pair and four cards to any straight.",
            "buy",
            _to_come,
        ),
        _TRIPS,
        Maxim(
            "Bet two pair or better, and a pair that is not lower than the dealer's card.",
            "bet",
            lambda held: held.has(*_BEST) | (held.has("pair") & (held.lead >= held.up)),
        ),
        _PAIR,
        _ACE_KING,
        Maxim(f"{_ONE}.", "exchange", _alone, Keep.ONE),
        _FOLD,
    ),
    _THEN,
    _bets_from,
)
LONG_LIST = Guide(
    "ten sentences",
    (
        Maxim(
            "Buy a card with a straight or a flush; with four cards to a flush, or to a straight that two ranks "
            "complete; with a pair or ace-king and four cards to any straight; with king, queen or jack high, another "
            "card of ten or higher and four cards to any straight against an 8 or lower; with three of a kind and an "
            "ace or a king unless the dealer shows an ace or a king.",
            "buy",
            lambda held: _to_come(held) | _inside(held) | _trips_and_court(held),
        ),
        _TRIPS,
        Maxim(
            "Bet two pair or better; a pair that is not lower than the dealer's card; tens and jacks also against a "
            "jack or a queen.",
            "bet",
            lambda held: (
                held.has(*_BEST)
                | (held.has("pair") & ((held.lead >= held.up) | ((held.lead >= TEN) & (JACK <= held.up <= QUEEN))))
            ),
        ),
        _PAIR,
        _ACE_KING,
        Maxim(
            "Exchange three cards: keep king-queen against a 7 to a jack, queen-jack against a 5 to an 8, jack-10 "
            "against a 5 to a 7.",
            "exchange",
            _neighbors,
            Keep.TWO,
        ),
        Maxim(
            f"{_ONE}; against the next higher card (not for an ace) only if you hold one of the dealer's rank.",
            "exchange",
            lambda held: _alone(held) | (_alone(held, 1) & (held.alike > 0) & (held.lead != held.up)),
            Keep.ONE,
        ),
        Maxim(
            "Exchange two cards: keep three cards to a straight flush.",
            "exchange",
            lambda held: held.has("high_card") & (held.suited == 3) & (held.run > 0),
            Keep.SUITED,
        ),
        _FOLD,
    ),
    _THEN,
    _bets_from,
)

FIRST = Decide(DECISION, "671a.11(b)", ("bet", "fold", "buy", "exchange"), _options, together=True)
SECOND = Decide(THEN, "671a.11(d)(3)", ("bet", "fold"), _options_after)


class LunarPoker(Game):
    """Ante and Super Wager before the cards; then fold, bet twice the Ante, or pay an Ante to draw."""

    name = "lunar-poker"
    number = "671a"
    lines = LINES
    plain_wagers: Mapping[str, int] = {"ante": 1000, "super": 1000, "super_on_dealer": 1000}
    readings = ("full", f"full {DISTINCT}", "fold-bet-buy", "fold-bet", f"fold-bet-buy {DISTINCT}")
    scopes = MappingProxyType(
        {
            "full": Scope(draws=True, exchanges=True),
            f"full {DISTINCT}": Scope(draws=True, exchanges=True, readings={"bet": DISTINCT}),
            "fold-bet-buy": Scope(NO_EXCHANGE, draws=True),
            "fold-bet": Scope(NO_DRAW),
            f"fold-bet-buy {DISTINCT}": Scope(NO_EXCHANGE, draws=True, readings={"bet": DISTINCT}),
        }
    )
    played = "fold-bet"
    guides = (SHORT_LIST, LONG_LIST)
    paytable = "instant_payout"
    course = Course(
        "ante",
        (
            Bets(),
            Deal(),
            FIRST,
            Settle(LOCKED_IN, first="left"),
            EachSeat(
                (
                    Settle(FEE, (Post("options_fee"),), "left", lambda outcome: outcome.drew),
                    Draw(),
                    SECOND,
                    Settle(
                        AFTER_DRAW,
                        (Post("ante"),),
                        "left",
                        lambda outcome: outcome.drew and outcome.ending == Ending.FOLD,
                    ),
                )
            ),
            TurnUp("dealer", cite="671a.11(e)"),
            Settle(ON_DEALER, first="left"),
            Settle(HANDS, who=lambda outcome: outcome.ending == Ending.BET),
        ),
    )

    @cached_property
    def duel(self) -> Duel:
        """Without drawing: an instant payout leaves nothing to choose; otherwise bet or fold."""

        def facts(rules: Rules, cards: Hand) -> Mapping[str, Any]:
            label = lunar_label(cards)
            return {"hand": label, "first_hand": label, "second": second_label(rules, cards)}

        def options(rules: Rules, known: Mapping[str, Any]) -> tuple[Outlay, ...]:
            return tuple(outlays(rules, known["first_hand"]))

        return Duel(
            order=LUNAR,
            player_cards=5,
            dealer_cards=5,
            up_card=True,
            facts=facts,
            options=options,
            required=Fraction(1),
            qualifies=ACE_KING,
            facts_read=("bet",),
        )

    @cached_property
    def main_posts(self) -> tuple[Post, ...]:
        """With the lines that its own settlement enters."""
        own = Post("bet"), Post("second_combination", on="bet"), Post("instant_payout", on="ante")
        return (*own, *super().main_posts)

    def verify(self, rules: Rules, played: Round) -> Iterator[Finding]:
        for seat in played.clockwise():
            yield from self._supers(rules, played, seat)
            yield from self.choice_findings(rules, FIRST, self.sight(rules, played, seat, FIRST), seat)
            made = seat.decision
            if made is None or "ante" not in seat.wagers or has_instant_payout(seat.cards):
                continue
            if made.choice in FIRST.names:
                yield from self._drawn(seat, made)
            if _drew({DECISION: made.choice}) and THEN in seat.decisions:
                yield from self.choice_findings(rules, SECOND, self.sight(rules, played, seat, SECOND), seat)

    def choice_findings(self, rules: Rules, step: Decide, sight: Sight, seat: Seat) -> Iterator[Finding]:
        if step is FIRST and "ante" in seat.wagers and has_instant_payout(seat.cards):
            yield from self._instant(seat)
            return
        yield from super().choice_findings(rules, step, sight, seat)
        made = seat.decisions.get(step.name)
        if step is FIRST and made is not None and made.choice in FIRST.names and "ante" in seat.wagers:
            yield from self._discards(rules, seat, made)

    def verify_choices(self, rules: Rules) -> Iterator[Finding]:
        """The Super Wager on one's own hand is at least the Ante; others may be as low as the table minimum."""
        yield from super().verify_choices(rules)
        limits, least = rules.choices.limits, rules.figure("super_least_antes")
        if (ante_limits := limits.get("ante")) is None:
            return
        for wager in rules.wagers.values():
            own = limits.get(wager.name)
            if wager.paytable != "super" or own is None:
                continue
            for key in ("minimum", "maximum") if wager.required else ():
                floor, limit = getattr(ante_limits, key) * least, getattr(own, key)
                if limit < floor:
                    expected, found = f"at least {show_dollars(floor)}", show_dollars(limit)
                    sentence = f"The Super Wager must be at least the Ante, so its {key} cannot be below the Ante's."
                    cite, where = rules.figure_cite("super_least_antes"), f"wagers.{wager.name}.{key}"
                    yield refusal("super-below-ante", expected, found, sentence, where, cite=cite)
            if not wager.required and own.minimum != ante_limits.minimum:
                table, found = show_dollars(ante_limits.minimum), show_dollars(own.minimum)
                more = own.minimum > ante_limits.minimum
                side, expected = ("above", f"at most {table}") if more else ("below", f"at least {table}")
                sentence = (
                    f"An additional Super Wager may be any amount from the table minimum up: the Ante begins at "
                    f"{table} and the {wager.title} at {found}."
                )
                code, where = f"super-{side}-table-minimum", f"wagers.{wager.name}.minimum"
                yield refusal(code, expected, found, sentence, where, cite=wager.cite, severity="note")

    def _supers(self, rules: Rules, played: Round, seat: Seat) -> Iterator[Finding]:
        where = f"seat {seat.number}"
        ante_stake, own = seat.stake("ante"), seat.stake("super")
        least = ante_stake * rules.figure("super_least_antes")
        if ante_stake and "super" not in seat.wagers:
            sentence = (
                f"Seat {seat.number} made an Ante Wager and must make a Super Wager: {show_dollars(least)} or more."
            )
            expected = f"a Super Wager of at least {show_dollars(least)}"
            yield refusal("super-missing", expected, "none", sentence, where, cite="671a.7(c)(2)")
        elif own < least:
            sentence = f"The Super Wager of {show_dollars(own)} is less than the Ante of {show_dollars(ante_stake)}."
            expected = f"at least {show_dollars(least)}"
            yield refusal("super-below-ante", expected, show_dollars(own), sentence, where, cite="671a.7(c)(2)")
        for name in seat.wagers:
            target = name.removeprefix(ON_SEAT)
            # A wager on no other seat of the table at all is unknown, which the common checks say.
            known = name.startswith(ON_SEAT) and name in rules.names_at(seat.number)
            if known and played.seat(int(target)) is None:
                sentence = (
                    f"Seat {seat.number} cannot make a Super Wager on seat {target}: it must be another player's hand."
                )
                expected = "another seat that plays this round"
                yield refusal("super-on-seat", expected, target, sentence, where, cite="671a.7(c)(3)")

    def _instant(self, seat: Seat) -> Iterator[Finding]:
        if seat.decision is None:
            return
        bets = seat.decision.choice == "bet"
        sentence = f"Seat {seat.number} has a {LUNAR.describe(LUNAR.score(seat.cards))} and is paid at once."
        code = "bet-with-instant-payout" if bets else "decision-not-allowed"
        yield refusal(code, "no decision", seat.decision.choice, sentence, cite="671a.11(b)(2)", seat=seat.number)

    def _discards(self, rules: Rules, seat: Seat, decision: Decision) -> Iterator[Finding]:
        """Cards given up: none of a hand that stays, so many for an exchange."""
        where, discard = f"seat {seat.number}", decision.discard
        count = decision.unseen or len(discard)
        if decision.choice not in ("buy", "exchange"):
            if count:
                yield _only_with_fee(seat, decision)
        elif decision.choice == "buy":
            if count:
                yield _one_card(seat, decision)
        else:
            least, most = rules.figure("exchange_least"), rules.figure("exchange_most")
            if not least <= count <= most:
                sentence = f"Seat {seat.number} may exchange {least} to {most} cards, not {count}."
                cite, expected = rules.figure_cite("exchange_least"), f"{least} to {most} cards"
                yield refusal("exchange-count", expected, f"{count} cards", sentence, where, cite=cite)
            if not set(discard) <= set(seat.cards) or len(set(discard)) != len(discard):
                yield _as_many(seat, decision)

    def _drawn(self, seat: Seat, decision: Decision) -> Iterator[Finding]:
        """Cards drawn, and what was chosen with them."""
        drawn, then = len(decision.drawn), seat.decisions[THEN].choice if THEN in seat.decisions else None
        if decision.choice not in ("buy", "exchange"):
            if drawn or then:
                yield _only_with_fee(seat, decision)
            return
        if then not in SECOND.names:
            sentence = f"After drawing, seat {seat.number} must bet or fold."
            expected, where = 'then = "bet" or "fold"', f"seat {seat.number}"
            yield refusal("decision-missing", expected, then or "none", sentence, where, cite="671a.11(d)(3)")
        if decision.choice == "buy" and drawn != 1:
            yield _one_card(seat, decision)
        if decision.choice == "exchange" and drawn != len(decision.discard):
            yield _as_many(seat, decision)

    def settle_seat(self, step: Settle, at: Position, outcome: Outcome, done: set[tuple[int, str]], book: Book) -> None:
        match step.stage:
            case "locked in":
                self._before_draw(at, outcome, book)
            case "dealer":
                self._dealer_super(at, outcome, book)
            case "hands":
                self._against_dealer(at, outcome, book)
            case _:
                super().settle_seat(step, at, outcome, done, book)

    def _before_draw(self, at: Position, outcome: Outcome, book: Book) -> None:
        """Super Wagers on each hand, the owner's first; instant payouts; folded Antes."""
        seat, rules = at.seat, at.rules
        if seat.declared:
            pay, hand = LINES.pay("super", rules, outcome), show_cards(seat.cards)
        else:
            pay, hand = lose("671a.11(c)(1)", "No winning hand was declared."), ""
        book.enter(seat.number, "super", seat.stake("super"), pay, hand)
        name = f"{ON_SEAT}{seat.number}"
        for other in at.played.betting(name):
            whose = f"Seat {seat.number} has {hand}" if hand else ""
            book.enter(other.number, name, other.stake(name), pay, whose)
        if outcome.ending == Ending.INSTANT:
            paid = LINES.pay("instant_payout", rules, outcome)
            shown = LUNAR.show_best(seat.cards)
            book.enter(seat.number, "instant_payout", seat.stake("ante"), paid, shown, settles="ante")
        elif outcome.ending == Ending.FOLD and not outcome.drew:
            book.enter(seat.number, "ante", seat.stake("ante"), LINES.pay("ante", rules, outcome))

    def _dealer_super(self, at: Position, outcome: Outcome, book: Book) -> None:
        """Super Wagers on the dealer's hand."""
        if "super_on_dealer" in at.seat.wagers:
            pay = LINES.pay("super_on_dealer", at.rules, outcome)
            shown = f"The dealer has {show_cards(at.played.dealer)}"
            book.enter(at.seat.number, "super_on_dealer", at.seat.stake("super_on_dealer"), pay, shown)

    def _against_dealer(self, at: Position, outcome: Outcome, book: Book) -> None:
        """Every hand that placed a Bet Wager; the Bet comes first where the dealer does not qualify."""
        seat, stakes = at.seat, self.stakes(at.rules, at.seat)
        if "bet" not in stakes:
            return  # the player left after drawing
        stakes["second_combination"] = stakes["bet"]
        order = ("ante", "bet", "second_combination") if outcome.qualifies else ("bet", "ante")
        for line in order:
            against = "" if book.takes_over else LINES.versus(line, "versus", at)
            book.enter(seat.number, line, stakes[line], LINES.pay(line, at.rules, outcome), against)

    def plain_decision(self, rules: Rules, sight: Sight) -> Decision:  # noqa: ARG002
        """Bet ace-king or better, buy a sixth card with four to a flush, else fold."""
        if LUNAR.best(sight.cards)[0] >= ACE_KING:
            return Decision("bet")
        suits = [card & 3 for card in sight.cards]
        if not sight.chosen and max(suits.count(suit) for suit in suits) == 4:
            return Decision("buy")
        return Decision("fold")

    def after_draw(self, rules: Rules) -> tuple[Outlay, ...]:
        return tuple(outlays(rules, "", drew=True))

    def draws(self, decision: Decision) -> int:
        return {"buy": 1, "exchange": decision.unseen or len(decision.discard)}.get(decision.choice, 0)


def _only_with_fee(seat: Seat, decision: Decision) -> Finding:
    sentence = f"Seat {seat.number} decided to {decision.choice}; only who pays the Options fee draws cards."
    found = f"{decision.choice} with discard, drawn or then"
    return refusal("decision-not-allowed", "no drawn cards", found, sentence, cite="671a.11(b)(3)", seat=seat.number)


def _one_card(seat: Seat, decision: Decision) -> Finding:
    sentence = f"Seat {seat.number} bought a sixth card: exactly one card is drawn and none discarded."
    found, expected = f"{len(decision.drawn)} drawn, {len(decision.discard)} discarded", "one drawn card and no discard"
    return refusal("card-count", expected, found, sentence, cite="671a.11(d)(1)(i)", seat=seat.number)


def _as_many(seat: Seat, decision: Decision) -> Finding:
    sentence = f"Seat {seat.number} must discard cards of their own hand and draw as many."
    found = f"discard {show_cards(decision.discard)}, drawn {show_cards(decision.drawn)}"
    expected = "cards of the hand, replaced by as many new ones"
    return refusal("exchange-cards", expected, found, sentence, cite="671a.11(d)(1)(ii)", seat=seat.number)


def outlays(rules: Rules, first_hand: str, drew: bool = False) -> Iterator[Outlay]:
    """What the choices without a draw, or after one, lay out; an instant payout leaves nothing to choose."""
    fee = {"options_fee": Fraction(rules.figure("options_fee_antes"))} if drew else {}
    ante, bet = Fraction(1), Fraction(rules.figure("bet_antes"))
    spent = sum(fee.values(), Fraction(0))
    if first_hand in INSTANT and not drew:
        yield Outlay("instant", {"ending": Ending.INSTANT, "drew": False}, {"instant_payout": ante}, ante)
        return
    betting = {"ante": ante, "bet": bet, "second_combination": bet, **fee}
    yield Outlay("bet", {"ending": Ending.BET, "drew": drew}, betting, ante + bet + spent)
    yield Outlay("fold", {"ending": Ending.FOLD, "drew": drew}, {"ante": ante, **fee}, ante + spent)
