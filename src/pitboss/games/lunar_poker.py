"""Lunar Poker, 58 Pa. Code Chapter 671a. Five cards each, one dealer card up; fold, bet, buy a card or exchange."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from fractions import Fraction

from pitboss.cards import Card, Hand, show_cards
from pitboss.findings import Finding
from pitboss.games.checks import amount_among, ante_decision
from pitboss.games.contract import Lines, Versus, View
from pitboss.games.round import Decision, Round, Seat
from pitboss.games.rules import Rules
from pitboss.games.second_combination import second_label
from pitboss.games.settlement import Book, Pay, Stage, forfeit, lose, push, win
from pitboss.games.shared import by_table
from pitboss.games.structure import Duel, Facts, Option, Scope, option
from pitboss.hands import LUNAR
from pitboss.hands import facets as hand_facets
from pitboss.hands.labels import LUNAR_LABELS, NOTHING, SUPER_LABELS, TITLES, lunar_label, super_label
from pitboss.law.loader import chapter
from pitboss.law.model import Chapter
from pitboss.money import show_dollars

ON_SEAT = "super_on_seat_"
INSTANT = ("royal_flush", "straight_flush")


ACE_KING = LUNAR.at_least("ace_king")
"""671a.11(f): the least hand with which the dealer qualifies."""


class Ending(StrEnum):
    """How a player's part in the round ended."""

    INSTANT = "instant"
    FOLD = "fold"
    BET = "bet"


@dataclass(frozen=True)
class Outcome:
    """A finished round of Lunar Poker as one seat sees it."""

    ending: Ending
    drew: bool
    """Whether an Options fee was paid."""
    qualifies: bool
    versus: Versus
    first_hand: str
    """The category of the first five cards, for the instant payout."""
    hand: str
    """The category of the final hand, best five of five or six."""
    second: str
    """The best second combination, if the final hand has one."""
    super_hand: str
    dealer_super_hand: str


LINES: Lines[Outcome] = Lines(
    Outcome,
    {
        "ending": tuple(Ending),
        "drew": (False, True),
        "qualifies": (False, True),
        "versus": tuple(Versus),
        "first_hand": LUNAR_LABELS,
        "hand": LUNAR_LABELS,
        "second": (*LUNAR_LABELS[:-1], NOTHING),
        "super_hand": SUPER_LABELS,
        "dealer_super_hand": SUPER_LABELS,
    },
)


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


def final_cards(seat: Seat) -> Hand:
    """The five or six cards a player holds after buying or exchanging."""
    decision = seat.decision
    if decision is None:
        return seat.cards
    return tuple(card for card in seat.cards if card not in decision.discard) + decision.drawn


def has_instant_payout(cards: Hand) -> bool:
    return len(cards) == LUNAR.size and lunar_label(cards) in INSTANT


def _facts(rules: Rules, cards: Hand) -> Facts:
    return {"hand": lunar_label(cards), "first_hand": lunar_label(cards), "second": second_label(rules, cards)}


def _options(rules: Rules, facts: Facts) -> tuple[Option, ...]:
    """Without drawing: an instant payout leaves nothing to choose; otherwise bet or fold."""
    if facts["first_hand"] in INSTANT:
        return (option("instant", {"ending": Ending.INSTANT, "drew": False}, {"instant_payout": 1}),)
    betting = {"ante": 1, "bet": rules.figure("bet_antes")}
    return (
        option("bet", {"ending": Ending.BET, "drew": False}, betting, {"second_combination": betting["bet"]}),
        option("fold", {"ending": Ending.FOLD, "drew": False}, {"ante": 1}),
    )


NO_DRAW = "fold or bet only, without the sixth card and the exchange of cards that 671a.11(b)(3) allows"
NO_EXCHANGE = "fold, bet or a sixth card, without the exchange of cards that 671a.11(b)(3) allows"
"""What the parts of the game that can be counted leave out."""

DUEL = Duel(
    order=LUNAR,
    player_cards=5,
    dealer_cards=5,
    up_card=True,
    facts=_facts,
    options=_options,
    required=Fraction(1),
    qualifies=ACE_KING,
    facts_read=("bet",),
    readings=("full", "fold-bet-buy", "fold-bet", "fold-bet-buy second-combination-distinct"),
    scopes={
        "full": Scope(draws=True, bound=True),
        "fold-bet-buy": Scope(NO_EXCHANGE, draws=True),
        "fold-bet": Scope(NO_DRAW),
        "fold-bet-buy second-combination-distinct": Scope(NO_EXCHANGE, draws=True),
    },
    played="fold-bet",
    paytable="instant_payout",
)


class LunarPoker:
    """Ante and Super Wager before the cards; then fold, bet twice the Ante, or pay an Ante to draw."""

    name = "lunar-poker"
    decisions = ("bet", "fold", "buy", "exchange")
    lines = LINES
    duel = DUEL
    facets: Mapping[str, hand_facets.Facet] = {
        "first_hand": hand_facets.LUNAR_FIVE,
        "super_hand": hand_facets.SUPER,
        "dealer_super_hand": hand_facets.SUPER,
    }

    @property
    def chapter(self) -> Chapter:
        return chapter("671a")

    def verify(self, rules: Rules, played: Round) -> Iterator[Finding]:
        for seat in played.clockwise():
            yield from self._supers(rules, played, seat)
            if "ante" in seat.wagers and has_instant_payout(seat.cards):
                yield from self._instant(seat)
                continue
            yield from ante_decision(seat, self.decisions, "671a.11(b)")
            if seat.decision is not None and seat.decision.choice in self.decisions and "ante" in seat.wagers:
                yield from self._draw(rules, seat, seat.decision)
                if "bet" in (seat.decision.choice, seat.decision.then) and seat.decision.amount is not None:
                    yield from amount_among(seat, "bet", [rules.figure("bet_antes")], rules.figure_cite("bet_antes"))

    def _supers(self, rules: Rules, played: Round, seat: Seat) -> Iterator[Finding]:
        where = f"seat {seat.number}"
        ante_stake, own = seat.stake("ante"), seat.stake("super")
        least = ante_stake * rules.figure("super_least_antes")
        if ante_stake and "super" not in seat.wagers:
            yield Finding(
                "super-missing",
                "671a.7(c)(2)",
                f"a Super Wager of at least {show_dollars(least)}",
                "none",
                f"Seat {seat.number} made an Ante Wager and must make a Super Wager: {show_dollars(least)} or more.",
                where,
            )
        elif own < least:
            yield Finding(
                "super-below-ante",
                "671a.7(c)(2)",
                f"at least {show_dollars(least)}",
                show_dollars(own),
                f"The Super Wager of {show_dollars(own)} is less than the Ante of {show_dollars(ante_stake)}.",
                where,
            )
        for name in seat.wagers:
            target = name.removeprefix(ON_SEAT)
            # A wager on no other seat of the table at all is unknown, which the common checks say.
            known = name.startswith(ON_SEAT) and name in rules.names_at(seat.number)
            if known and played.seat(int(target)) is None:
                yield Finding(
                    "super-on-seat",
                    "671a.7(c)(3)",
                    "another seat that plays this round",
                    target,
                    f"Seat {seat.number} cannot make a Super Wager on seat {target}: it must be another player's hand.",
                    where,
                )

    def _instant(self, seat: Seat) -> Iterator[Finding]:
        if seat.decision is None:
            return
        bets = seat.decision.choice == "bet"
        yield Finding(
            "bet-with-instant-payout" if bets else "decision-not-allowed",
            "671a.11(b)(2)",
            "no decision",
            seat.decision.choice,
            f"Seat {seat.number} has a {LUNAR.describe(LUNAR.score(seat.cards))} and is paid at once.",
            f"seat {seat.number}",
        )

    def _draw(self, rules: Rules, seat: Seat, decision: Decision) -> Iterator[Finding]:
        where = f"seat {seat.number}"
        drawn, discard = len(decision.drawn), decision.discard
        if decision.choice not in ("buy", "exchange"):
            if drawn or discard or decision.then:
                yield Finding(
                    "decision-not-allowed",
                    "671a.11(b)(3)",
                    "no drawn cards",
                    f"{decision.choice} with discard, drawn or then",
                    f"Seat {seat.number} decided to {decision.choice}; only who pays the Options fee draws cards.",
                    where,
                )
            return
        if decision.then not in ("bet", "fold"):
            yield Finding(
                "decision-missing",
                "671a.11(d)(3)",
                'then = "bet" or "fold"',
                decision.then or "none",
                f"After drawing, seat {seat.number} must bet or fold.",
                where,
            )
        if decision.choice == "buy":
            if drawn != 1 or discard:
                yield Finding(
                    "card-count",
                    "671a.11(d)(1)(i)",
                    "one drawn card and no discard",
                    f"{drawn} drawn, {len(discard)} discarded",
                    f"Seat {seat.number} bought a sixth card: exactly one card is drawn and none discarded.",
                    where,
                )
            return
        least, most = rules.figure("exchange_least"), rules.figure("exchange_most")
        if not least <= len(discard) <= most:
            yield Finding(
                "exchange-count",
                rules.figure_cite("exchange_least"),
                f"{least} to {most} cards",
                f"{len(discard)} cards",
                f"Seat {seat.number} may exchange {least} to {most} cards, not {len(discard)}.",
                where,
            )
        if not set(discard) <= set(seat.cards) or len(set(discard)) != len(discard) or drawn != len(discard):
            yield Finding(
                "exchange-cards",
                "671a.11(d)(1)(ii)",
                "cards of the hand, replaced by as many new ones",
                f"discard {show_cards(discard)}, drawn {show_cards(decision.drawn)}",
                f"Seat {seat.number} must discard cards of the own hand and draw as many.",
                where,
            )

    def outcome(self, rules: Rules, played: Round, seat: Seat) -> Outcome:
        cards = final_cards(seat)
        dealer = LUNAR.score(played.dealer)
        instant = has_instant_payout(seat.cards)
        return Outcome(
            ending=Ending.INSTANT if instant else Ending.FOLD if seat.folded else Ending.BET,
            drew=seat.decision is not None and seat.decision.choice in ("buy", "exchange"),
            qualifies=dealer >= ACE_KING,
            versus=Versus.of(LUNAR.best(cards)[0], dealer),
            first_hand=lunar_label(seat.cards),
            hand=lunar_label(cards),
            second=second_label(rules, cards),
            super_hand=super_label(seat.cards),
            dealer_super_hand=super_label(played.dealer),
        )

    def settle(self, rules: Rules, played: Round, book: Book) -> None:
        outcomes = {seat.number: self.outcome(rules, played, seat) for seat in played.seats}
        self._before_draw(rules, played, outcomes, book)
        self._draws(rules, played, outcomes, book)
        self._dealer_supers(rules, played, outcomes, book)
        self._against_dealer(rules, played, outcomes, book)

    def _before_draw(self, rules: Rules, played: Round, outcomes: Mapping[int, Outcome], book: Book) -> None:
        """From the dealer's left: Super Wagers on each hand, the owner's first; instant payouts; folded Antes."""
        for seat in played.clockwise():
            outcome = outcomes[seat.number]
            book.turn(Stage.LOCKED_IN, seat.number)
            pay = LINES.pay("super", rules, outcome)
            hand = f"{show_cards(seat.cards)}"
            book.enter(seat.number, "super", seat.stake("super"), pay, hand)
            for other in played.betting(f"{ON_SEAT}{seat.number}"):
                name = f"{ON_SEAT}{seat.number}"
                book.enter(other.number, name, other.stake(name), pay, f"Seat {seat.number} has {hand}")
            if outcome.ending == Ending.INSTANT:
                book.enter(
                    seat.number,
                    "instant_payout",
                    seat.stake("ante"),
                    LINES.pay("instant_payout", rules, outcome),
                    LUNAR.show_best(seat.cards),
                    settles="ante",
                )
            elif outcome.ending == Ending.FOLD and not outcome.drew:
                book.enter(seat.number, "ante", seat.stake("ante"), LINES.pay("ante", rules, outcome))

    def _draws(self, rules: Rules, played: Round, outcomes: Mapping[int, Outcome], book: Book) -> None:
        """From the dealer's left: Options fees, and the Antes of those who drew and then folded."""
        for seat in played.clockwise():
            outcome = outcomes[seat.number]
            if outcome.drew:
                fee = self.later_wagers(rules, seat)["options_fee"]
                book.turn(Stage.FEE, seat.number)
                book.enter(seat.number, "options_fee", fee, LINES.pay("options_fee", rules, outcome))
                if outcome.ending == Ending.FOLD:
                    book.turn(Stage.AFTER_DRAW, seat.number)
                    book.enter(seat.number, "ante", seat.stake("ante"), LINES.pay("ante", rules, outcome))

    def _dealer_supers(self, rules: Rules, played: Round, outcomes: Mapping[int, Outcome], book: Book) -> None:
        """From the dealer's left: Super Wagers on the dealer's hand."""
        for seat in played.betting("super_on_dealer"):
            book.turn(Stage.DEALER, seat.number)
            pay = LINES.pay("super_on_dealer", rules, outcomes[seat.number])
            book.enter(
                seat.number,
                "super_on_dealer",
                seat.stake("super_on_dealer"),
                pay,
                f"The dealer has {show_cards(played.dealer)}",
            )

    def _against_dealer(self, rules: Rules, played: Round, outcomes: Mapping[int, Outcome], book: Book) -> None:
        """The order reverses: from the dealer's right, every hand that placed a Bet Wager."""
        for seat in played.counterclockwise():
            outcome = outcomes[seat.number]
            if outcome.ending != Ending.BET:
                continue
            book.turn(Stage.HANDS, seat.number)
            stakes = {"ante": seat.stake("ante"), "bet": self.later_wagers(rules, seat)["bet"]}
            stakes["second_combination"] = stakes["bet"]
            order = ("ante", "bet", "second_combination") if outcome.qualifies else ("bet", "ante")
            against = f"{LUNAR.show_best(final_cards(seat))} against {LUNAR.show_best(played.dealer)}"
            for line in order:
                book.enter(seat.number, line, stakes[line], LINES.pay(line, rules, outcome), against)

    def plain_decision(self, rules: Rules, view: View) -> Decision:  # noqa: ARG002
        """Bet ace-king or better, buy a sixth card with four to a flush, else fold."""
        if LUNAR.score(view.cards) >= LUNAR.at_least("ace_king"):
            return Decision("bet")
        suits = [card & 3 for card in view.cards]
        if max(suits.count(suit) for suit in suits) == 4:
            return Decision("buy", then="bet")
        return Decision("fold")

    def plain_wagers(self) -> Mapping[str, int]:
        return {"ante": 1000, "super": 1000, "super_on_dealer": 1000}

    def later_wagers(self, rules: Rules, seat: Seat) -> Mapping[str, int]:
        decision, ante_stake = seat.decision, seat.stake("ante")
        if decision is None:
            return {}
        wagers = {}
        if decision.choice in ("buy", "exchange"):
            wagers["options_fee"] = ante_stake * rules.figure("options_fee_antes")
        if "bet" in (decision.choice, decision.then):
            wagers["bet"] = ante_stake * rules.figure("bet_antes")
        return wagers

    def paid_at_once(self, rules: Rules, seat: Seat) -> bool:  # noqa: ARG002
        return has_instant_payout(seat.cards)

    def draws(self, decision: Decision) -> int:
        return {"buy": 1, "exchange": len(decision.discard)}.get(decision.choice, 0)

    def after_draw(self, rules: Rules, seat: Seat) -> str:  # noqa: ARG002
        return "bet" if LUNAR.best(final_cards(seat))[0] >= ACE_KING else "fold"

    def draw(self, rules: Rules, seat: Seat, stub: list[Card]) -> Seat:
        """Deal what the player bought or exchanged; a hand that draws nothing good folds."""
        if seat.decision is None:
            return seat
        if has_instant_payout(seat.cards):
            return replace(seat, decision=None)
        count = self.draws(seat.decision)
        drawn = tuple(stub.pop(0) for _ in range(count))
        seat = replace(seat, decision=replace(seat.decision, drawn=drawn))
        if count:
            assert seat.decision is not None
            seat = replace(seat, decision=replace(seat.decision, then=self.after_draw(rules, seat)))
        return seat
