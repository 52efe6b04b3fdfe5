"""Players against each other: seats bet in turn into a pot, and the house has no part in it but its rake.

The betting engine is PokerKit (extra ``poker``). It is given the cards and the choices of a round and says whose turn
it is, what may be chosen and at what price, which pots there are and who takes them; none of that is written here.
"""

import warnings
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from typing import Any

from pitboss.cards import DECK, Card, Hand, show_card, show_cards
from pitboss.extras import hint
from pitboss.findings import Finding, refusal
from pitboss.games.contract import Game
from pitboss.games.course import Betting, Decide, Option, Settle, Sight, UnseenSight
from pitboss.games.deal import Slot, deal_of
from pitboss.games.facts import FINAL
from pitboss.games.round import Decision, Round, Seat, own_place
from pitboss.games.rules import Rules
from pitboss.games.settlement import Book, LineResult, Pay
from pitboss.hands.deciding import kicker
from pitboss.hands.orders import FIVE_CARD
from pitboss.law.model import DealStep
from pitboss.money import Cents, show_dollars
from pitboss.names import listed, shown
from pitboss.records import Same, kept

COMMUNITY, ENGINE = "community", "pokerkit"
Streets = Sequence[tuple[Betting, tuple[DealStep, ...]]]
HeldSeat = tuple[int, Hand, int, Cents, tuple[tuple[str, Decision], ...]]
"""A seat as the engine knows it: number, known cards, how many others lie face down, stake and choices."""
UNKNOWN = "??"
"""A card that the engine doesn't know, as one that is burned."""
FOLD, CHECK, CALL, BRING_IN, COMPLETE, BET, RAISE = "fold", "check", "call", "bring_in", "complete", "bet", "raise"
SHOWDOWN, SHOW, CONCEDE = "showdown", "show", "concede"
"""What a player does at the showdown with a hand that nobody else has seen, and under which name it is kept."""


@dataclass(frozen=True)
class Terms:
    """What is bet at a table, in whole chips."""

    chip: Cents
    """What one of them is worth; pots are divided in it."""
    ante: int
    bring_in: int
    small_bet: int
    big_bet: int
    raises: int
    rake_percent: int = 0
    rake_most: int | None = None
    disclosure: bool = False
    """Whether everybody in the showdown shows the cards."""

    def rake(self, amount: int, _state: object = None) -> tuple[int, int]:
        """What the house takes of a pot, in whole chips, and what is left.

        >>> Terms(100, 0, 3, 10, 20, 3, rake_percent=5, rake_most=4).rake(50)
        (2, 48)
        >>> Terms(100, 0, 3, 10, 20, 3, rake_percent=5, rake_most=4).rake(200)
        (4, 196)
        """
        taken = amount * self.rake_percent // 100
        taken = taken if self.rake_most is None else min(taken, self.rake_most)
        return taken, amount - taken


@dataclass(frozen=True)
class Pot:
    """The main pot or a side pot: how much is in it, for whom, and who has taken how much."""

    amount: Cents
    seats: tuple[int, ...]
    """Who can win it."""
    rake: Cents = 0
    won: Mapping[int, Cents] | None = None


class PokerHand:
    """A round as far as its cards and choices go: who is asked what now, which cards come next, or who has won."""

    def __init__(self, state: Any, terms: Terms, streets: Streets, played: Round):
        self.state, self.terms, self.streets = state, terms, streets
        self.seats = played.clockwise()
        self.numbers = tuple(seat.number for seat in self.seats)
        faces = faces_of(streets)
        self._held = {seat.number: [*positions(played, seat, faces)] for seat in self.seats}
        self._shared = list(played.place(COMMUNITY))
        self.slots: list[Slot] = []
        """Every card that has left the deck or is about to, in order."""
        self.due = 0
        """How many of them have not been dealt."""
        self.made: dict[int, list[str]] = {number: [] for number in self.numbers}
        """The choices of each seat that were taken, by the names under which they are kept."""
        self.put: dict[int, Cents] = dict.fromkeys(self.numbers, 0)
        """Chips of each seat that went into the pots."""
        self.shown: list[int] = []
        """Seats that show their cards, in order."""
        self.showing: int | None = None
        """The seat that is next to show its hand or to concede, while nobody else knows its cards."""
        self.pots: tuple[Pot, ...] = ()
        """When it is over: what was in each pot and who took it."""
        self.fault: tuple[int, str] | None = None
        """A seat and what it chose, where it may not."""
        stacks = zip(self.numbers, state.starting_stacks, strict=True)
        self._note_puts({seat: min(terms.ante, int(stack)) for seat, stack in stacks})
        self._run()

    # What it has come to

    @property
    def street(self) -> Betting:
        index = self.state.street_index
        return self.streets[-1 if index is None else index][0]

    @property
    def is_over(self) -> bool:
        return not self.state.status

    @property
    def asked(self) -> int | None:
        """The seat whose choice is awaited."""
        index = self.state.actor_index if self.state.status and not self.due and self.fault is None else None
        return None if index is None else self.numbers[index]

    def turn(self, seat: int) -> str:
        """Under which name the next choice of a seat is kept."""
        street = self.street
        return street.turn(sum(name.partition(" ")[0] == street.name for name in self.made[seat]))

    @cached_property
    def options(self) -> tuple[Option, ...]:
        """What the seat that is asked may choose."""
        return self._options() if self.asked is not None else ()

    @property
    def in_pots(self) -> tuple[Pot, ...]:
        """The pots now, without the bets that are still in front of the players."""
        if self.is_over:
            return self.pots
        return tuple(self._pot(pot) for pot in self.state.pots)

    def stack(self, seat: int) -> Cents:
        """Chips that a seat has left, or at the end has."""
        return int(self.state.stacks[self.numbers.index(seat)]) * self.terms.chip

    def bet(self, seat: int) -> Cents:
        """Chips of a seat in front of it, in this round of betting."""
        return int(self.state.bets[self.numbers.index(seat)]) * self.terms.chip

    def is_in(self, seat: int) -> bool:
        """Whether a seat has not folded."""
        return self.folded_at(seat) is None

    def folded_at(self, seat: int) -> str | None:
        chosen = next(each for each in self.seats if each.number == seat).decisions
        return next((name for name in self.made[seat] if chosen[name].choice == FOLD), None)

    @property
    def left_over(self) -> Iterator[tuple[int, str]]:
        """Choices of seats that were not asked for them."""
        for seat in self.seats:
            yield from ((seat.number, name) for name in seat.decisions if name not in self.made[seat.number])

    @property
    def cards_over(self) -> bool:
        """Whether somebody holds a card that was not to be dealt."""
        return bool(self._shared) or any(self._held.values())

    @property
    def all_in(self) -> bool:
        """Whether somebody is all-in at the showdown: then every hand is shown."""
        return bool(self.state.all_in_status)

    @property
    def rake(self) -> Cents:
        return sum(pot.rake for pot in self.pots)

    def rake_with(self, seat: int) -> Cents:
        """Rake that is taken when a seat is paid: that of each pot with the first who has won of it."""
        return sum(pot.rake for pot in self.pots if next(iter(pot.won or {}), None) == seat)

    def final_cards(self, seat: int) -> Hand:
        """The cards of which a seat makes its hand."""
        index = self.numbers.index(seat)
        shared = self._community[: len(self._community) - len(self._shared)]
        return tuple(dict.fromkeys((*self.seats[index].cards, *shared)))

    # The engine learns what happened

    def _run(self) -> None:
        state = self.state
        self._community = tuple(self._shared)
        while state.status and not self.due and self.fault is None:
            if state.card_burning_status or any(state.hole_dealing_statuses) or any(state.board_dealing_counts):
                self._deal()
            elif state.actor_index is not None:
                if not self._act():
                    break
            elif state.can_show_or_muck_hole_cards(False):
                if not self._show():
                    break
            else:
                self._push()

    def _deal(self) -> None:
        _, steps = self.streets[self.state.street_index]
        live = [number for number, status in zip(self.numbers, self.state.statuses, strict=True) if status]
        slots = [
            Slot(to, step.face_up)
            for step in steps
            for _ in range(step.times)
            for to in ([f"seat {number}" for number in live] if step.to == "players" else [step.to])
            for _ in range(step.cards)
        ]
        left = len(DECK) - len(self.slots)
        to_come = len(self.streets) - 1 - self.state.street_index
        short = len(slots) + to_come > left
        if short:
            slots = [*[Slot("discard", face_up=False)] * (left > 1), Slot(COMMUNITY, face_up=True)]
        self.slots += slots
        wanted = {number: sum(slot.to == f"seat {number}" for slot in slots) for number in live}
        if len(self._shared) < short or any(len(self._held[number]) < count for number, count in wanted.items()):
            self.due = len(slots)
            return
        if self.state.card_burning_status:
            self.state.burn_card(UNKNOWN)
        if short:
            self._deal_to_all(_engine_card(self._shared.pop(0)))
            return
        for number, count in wanted.items():
            for _ in range(count):
                self.state.deal_hole(_engine_card(self._held[number].pop(0)), self.numbers.index(number))

    def _deal_to_all(self, card: Any) -> None:
        """One card for everybody; where the engine would mix folded cards in again, each gets the same card."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if any(self.state.board_dealing_counts):
                self.state.deal_board(card)
            for index in [at for at, statuses in enumerate(self.state.hole_dealing_statuses) if statuses]:
                self.state.deal_hole(card, index)

    def _act(self) -> bool:
        """Whether the choice that is awaited has been made."""
        number = self.numbers[self.state.actor_index]
        name = self.turn(number)
        made = next(seat for seat in self.seats if seat.number == number).decisions.get(name)
        if made is None:
            return False
        put = self._take(made)
        if put is None:
            self.fault = number, made.choice
            return False
        self.made[number].append(name)
        self._note_puts({number: put})
        return True

    def _take(self, made: Decision) -> int | None:
        """Carry a choice out: Return the chips that it stakes, or None if it isn't open."""
        state = self.state
        more, before = more_of(state), state.bets[state.actor_index]
        opens = state.bring_in_status
        owed = 0 if opens else state.checking_or_calling_amount
        said = None if made.amount is None else made.amount // self.terms.chip
        match made.choice:
            case "fold" if owed and said is None:
                state.fold()
                return 0
            case "check" if not owed and not opens and said is None:
                return int(state.check_or_call().amount)
            case "call" if owed and said in (None, owed):
                return int(state.check_or_call().amount)
            case "bring_in" if opens and said in (None, state.effective_bring_in_amount):
                return int(state.post_bring_in().amount)
            case name if name == more and state.can_complete_bet_or_raise_to():
                least = state.min_completion_betting_or_raising_to_amount
                if said in (None, least - before):
                    return int(state.complete_bet_or_raise_to(least).amount) - int(before)
        return None

    def _options(self) -> tuple[Option, ...]:
        state, chip = self.state, self.terms.chip
        found = []
        if state.can_post_bring_in():
            found.append(Option(BRING_IN, price=state.effective_bring_in_amount * chip))
        else:
            cost = state.checking_or_calling_amount * chip
            found.append(Option(CALL if cost else CHECK, price=cost or None))
        if state.can_complete_bet_or_raise_to():
            more = state.min_completion_betting_or_raising_to_amount - state.bets[state.actor_index]
            found.append(Option(more_of(state), price=more * chip))
        if found[0].name == CALL:
            found.append(Option(FOLD, ends=True))
        return tuple(found)

    def _note_puts(self, chips: Mapping[int, int]) -> None:
        for number, count in chips.items():
            self.put[number] += count * self.terms.chip

    def _show(self) -> bool:
        """The last to bet shows first, the rest in turn; a loser may concede unseen, unless everybody shows.

        A hand that nobody else has seen waits for its player, and no pot is pushed before.
        """
        state, number = self.state, self.numbers[self.state.showdown_index]
        known = all(state.hole_cards[state.showdown_index])
        made = next(seat for seat in self.seats if seat.number == number).decisions.get(SHOWDOWN)
        shows: Any = self.terms.disclosure or None
        if not known and state.street is not state.streets[-1]:  # all-in: its cards are shown when all are dealt
            state.show_or_muck_hole_cards(tuple(filter(None, state.hole_cards[state.showdown_index])))
            return True
        if made is not None:
            if made.choice not in ((SHOW,) if known else (CONCEDE,) if self.may_concede(number) else ()):
                self.fault = number, made.choice
                return False
            self.made[number] += [] if SHOWDOWN in self.made[number] else [SHOWDOWN]
            shows = made.choice == SHOW
        elif not known:
            self.showing = number
            return False
        if state.show_or_muck_hole_cards(shows).hole_cards and number not in self.shown:
            self.shown.append(number)
        return True

    def may_concede(self, seat: int) -> bool:
        """Whether a hand may be conceded unseen: nobody is all-in, and each of its pots has a hand that is shown."""
        pots = [pot for pot in self.in_pots if seat in pot.seats]
        free = not (self.terms.disclosure or self.all_in)
        return free and all(not {*pot.seats}.isdisjoint(self.shown) for pot in pots)

    def _push(self) -> None:
        """Every pot to the best hand among those who can win it; an odd chip to the first of equals from the left."""
        pots = [self._pot(pot) for pot in self.state.pots]
        won: list[dict[int, Cents]] = [{} for _ in pots]
        while self.state.can_push_chips():
            pushed = self.state.push_chips()
            for number, amount in zip(self.numbers, pushed.amounts, strict=True):
                if amount:
                    taken = won[pushed.pot_index]
                    taken[number] = taken.get(number, 0) + amount * self.terms.chip
        self.pots = tuple(replace(pot, won=taken) for pot, taken in zip(pots, won, strict=True))

    def _pot(self, pot: Any) -> Pot:
        chip = self.terms.chip
        return Pot(pot.amount * chip, tuple(self.numbers[at] for at in pot.player_indices), pot.raked_amount * chip)


def more_of(state: Any) -> str:
    """What betting more than others is called now."""
    return COMPLETE if state.completion_status else RAISE if any(state.bets) else BET


@cache
def _engine_card(card: Card | None) -> Any:
    from pokerkit import Card as EngineCard

    return tuple(EngineCard.parse(UNKNOWN if card is None else show_card(card)))


def faces_of(streets: Streets) -> tuple[bool, ...]:
    """Whether each card of a player lies face up, in the order in which they are dealt."""
    steps = (step for _, steps in streets for step in steps if step.to == "players")
    return tuple(step.face_up for step in steps for _ in range(step.times * step.cards))


def positions(played: Round, seat: Seat, faces: Sequence[bool]) -> tuple[Card | None, ...]:
    """The cards of a seat in the order in which they were dealt; None where one lies face down and nobody knows it."""
    covered = played.covered.get(own_place("seat", seat.number), 0)
    known, found = iter(seat.cards), list[Card | None]()
    for face_up in faces[: len(seat.cards) + covered]:
        unknown = not face_up and found.count(None) < covered
        found.append(None if unknown else next(known, None))
    return (*found, *known)


class Contest(Game, ABC):
    """A game of players against each other. It says what is bet and how the engine is set up; the rest follows."""

    @abstractmethod
    def terms(self, rules: Rules) -> Terms:
        """What is bet at a table."""

    @abstractmethod
    def variant(self, terms: Terms, players: int) -> Any:
        """The engine's own definition of the game."""

    def streets(self, rules: Rules) -> tuple[tuple[Betting, tuple[DealStep, ...]], ...]:
        """The rounds of betting, each with what is dealt before it."""
        bets = [step for step in self.course.decides if isinstance(step, Betting)]
        steps = deal_of(rules).steps
        first = tuple(step for step in steps if not step.later)
        return tuple(
            (bet, first if bet is bets[0] else tuple(step for step in steps if step.before == bet.name)) for bet in bets
        )

    def _terms(self, rules: Rules) -> Terms:
        return kept(rules, "terms", lambda: self.terms(rules))

    def hand(self, rules: Rules, played: Round) -> PokerHand | None:
        """Nothing where the stakes do not let the engine begin."""
        return self.begun(rules, played) if self.playable(rules, played) else None

    def begun(self, rules: Rules, played: Round) -> PokerHand:
        """The round as far as it has come."""
        return self._engine(Same(rules), *kept(played, "told", lambda: self._cards(played)))

    def _cards(self, played: Round) -> tuple[tuple[HeldSeat, ...], Hand]:
        """All that the engine knows of a round: rounds that differ in their lines only are the same to it."""
        unit = self.course.unit
        seats = (
            (
                s.number,
                s.cards,
                played.covered.get(own_place("seat", s.number), 0),
                s.stake(unit),
                (*s.decisions.items(),),
            )
            for s in played.clockwise()
        )
        return tuple(seats), played.place(COMMUNITY)

    @lru_cache(maxsize=256)  # noqa: B019 - there is one object of a game
    def _engine(self, rules: Same[Rules], held: tuple[HeldSeat, ...], shared: Hand) -> PokerHand:
        terms, unit = self._terms(rules.record), self.course.unit
        seats = tuple(Seat(number, cards, {unit: stake}, dict(made)) for number, cards, _, stake, made in held)
        stacks = [seat.stake(unit) // terms.chip for seat in seats]
        state = self.variant(terms, len(stacks))(stacks, len(stacks))
        covered = {own_place("seat", number): count for number, _, count, *_ in held if count}
        played = Round((), seats, extras={COMMUNITY: shared} if shared else {}, covered=covered)
        return PokerHand(state, terms, self.streets(rules.record), played)

    def playable(self, rules: Rules, played: Round) -> bool:
        """Whether the stakes let the engine begin."""
        return kept(played, "playable", lambda: not any(self._stake_findings(rules, played)))

    # What is asked of every game

    def verify(self, rules: Rules, played: Round) -> Iterator[Finding]:
        wrong = tuple(self._stake_findings(rules, played))
        yield from wrong
        if wrong:
            return
        hand = self.begun(rules, played)
        cite = str(rules.chapter.cite_of("deals"))
        if hand.fault is not None:
            yield self._refused(hand, *hand.fault)
            return
        if hand.asked is not None:
            names, where = listed(shown(option.name) for option in hand.options), f"seat {hand.asked}"
            sentence = f"Seat {hand.asked} must decide at {shown(hand.street.name)}: {names}."
            yield refusal("decision-missing", names, "none", sentence, where, cite=hand.street.cite)
        if hand.showing is not None:
            where, sentence = f"seat {hand.showing}", f"Seat {hand.showing} must show its hand or concede."
            yield refusal("decision-missing", listed((SHOW, CONCEDE)), "none", sentence, where, cite=cite)
        for seat, name in hand.left_over:
            where = f"seat {seat}"
            made = next(each for each in hand.seats if each.number == seat).decisions[name].choice
            sentence = f"Seat {seat} is not asked at {shown(name)}, so it cannot {shown(made)}."
            yield refusal("decision-not-allowed", "no decision", made, sentence, where, cite=hand.street.cite)
        if hand.due:
            missing = ", ".join(dict.fromkeys(shown(slot.to) for slot in hand.slots[-hand.due :]))
            sentence = f"Cards for {shown(hand.street.name)} are missing: one each for {missing}."
            yield refusal("card-count", f"cards for {missing}", "none", sentence, cite=cite)
        elif hand.is_over and hand.cards_over:
            sentence = "Cards were dealt to somebody who was to get none: a player who had folded, or after the end."
            yield refusal("card-count", "no more cards", "more cards", sentence, cite=cite)

    def _stake_findings(self, rules: Rules, played: Round) -> Iterator[Finding]:
        if missing := hint(ENGINE):
            yield refusal("extra-missing", "the extra 'poker'", "not installed", missing)
            return
        least, count, terms = rules.figure("least_players"), len(played.seats), self._terms(rules)
        if count < least:
            sentence = f"At least {least} players take part in a round; there {'is' if count == 1 else 'are'} {count}."
            expected = f"{least} players"
            yield refusal("too-few-players", expected, count, sentence, cite=rules.figure_cite("least_players"))
        for seat in played.clockwise():
            stake, where = seat.stake(self.course.unit), f"seat {seat.number}"
            wager = rules.wagers[self.course.unit]
            if stake <= 0 or stake % terms.chip:
                chip = show_dollars(terms.chip)
                found = show_dollars(stake)
                sentence = f"The {wager.title} of seat {seat.number} is played in chips of {chip}; it is {found}."
                expected = f"a multiple of {chip}"
                yield refusal("odd-stake", expected, show_dollars(stake), sentence, where, cite=wager.cite)

    def entry_findings(self, rules: Rules, seat: Seat) -> Iterator[Finding]:
        """Who comes in has enough for a round; with what is left of one he may be all-in for less."""
        terms, wager, stake = self._terms(rules), rules.wagers[self.course.unit], seat.stake(self.course.unit)
        needed = (terms.ante + terms.big_bet) * terms.chip
        if stake < needed:
            sentence = (
                f"The {wager.title} of seat {seat.number} must be enough for the Ante and one big bet, "
                f"{show_dollars(needed)}; it is {show_dollars(stake)}."
            )
            expected, where = f"at least {show_dollars(needed)}", f"seat {seat.number}"
            yield refusal("stake-too-small", expected, show_dollars(stake), sentence, where, cite=wager.cite)

    def _refused(self, hand: PokerHand, seat: int, choice: str) -> Finding:
        offered = ", ".join(shown(option.name) for option in hand._options())
        sentence = f"Seat {seat} cannot {shown(choice) or 'choose nothing'} here; it may {offered}."
        return refusal("unknown-decision", offered, choice, sentence, cite=hand.street.cite, seat=seat)

    def sight(self, rules: Rules, played: Round, seat: Seat, step: Decide) -> Sight:
        """Players see their own cards, all face-up cards, and their choices."""
        up = [*played.place(COMMUNITY)]
        faces = faces_of(self.streets(rules))
        for other in played.clockwise():
            if other.number != seat.number:
                lie = zip(positions(played, other, faces), faces, strict=False)
                up += [card for card, face_up in lie if face_up and card is not None]
        options, stake, made = self.options(rules, played, seat, step), seat.stake(self.course.unit), {**seat.decisions}
        if covered := played.covered_at(FINAL[0], seat.number):
            return UnseenSight((), tuple(up), stake, made, options=options, covered=covered)
        return Sight(seat.cards, tuple(up), stake, made, options=options)

    def options(self, rules: Rules, played: Round, seat: Seat, step: Decide) -> tuple[Option, ...]:
        hand = self.hand(rules, played)
        asked = hand is not None and hand.asked == seat.number and hand.street.name == step.name
        return hand.options if hand is not None and asked else ()

    def turn(self, rules: Rules, played: Round, step: Decide, seat: int) -> str:
        return self.begun(rules, played).turn(seat) if isinstance(step, Betting) else step.name

    def decision_findings(
        self, rules: Rules, played: Round, step: Decide, seat: Seat, decision: Decision
    ) -> Iterator[Finding]:
        """What is against a choice of the seat that is asked."""
        options = {option.name: option for option in self.options(rules, played, seat, step)}
        option = options.get(decision.choice)
        if option is None:
            yield self._refused(self.begun(rules, played), seat.number, decision.choice)
        elif decision.amount not in (None, option.price):
            expected, found = show_dollars(option.price or 0), show_dollars(decision.amount or 0)
            sentence = f"To {shown(option.name)} seat {seat.number} puts {expected} into the pot, not {found}."
            yield refusal("bet-amount", expected, found, sentence, cite=step.cite, seat=seat.number)
        if cards := (*decision.discard, *decision.drawn):
            sentence = f"Nobody gives up or draws cards in {rules.chapter.title}, so seat {seat.number} cannot either."
            yield refusal("cards-not-drawn", "no cards", show_cards(cards), sentence, cite=step.cite, seat=seat.number)

    def settle(
        self, rules: Rules, played: Round, book: Book, groups: Sequence[tuple[Settle, ...]] | None = None
    ) -> None:
        hand = self.begun(rules, played)
        for step, *_ in self.course.settle_groups if groups is None else groups:
            for number in hand.numbers if hand.is_over else ():
                book.turn(step.stage, number)
                seat = hand.seats[hand.numbers.index(number)]
                stake = seat.stake(self.course.unit)
                pay, net = self._pay(rules, hand, number), hand.stack(number) - stake
                book.enter(number, self.course.unit, stake, pay, net=net)

    def _pay(self, rules: Rules, hand: PokerHand, number: int) -> Pay:
        """What came of a seat's stake, in words that tell of its cards only if they were shown."""
        net = hand.stack(number) - hand.seats[hand.numbers.index(number)].stake(self.course.unit)
        cite = str(rules.chapter.cite_of("settle-in-turn"))
        result = LineResult.WIN if net > 0 else LineResult.PUSH if net == 0 else LineResult.LOSE
        with_what = _with_what(hand, number)
        if (folded := hand.folded_at(number)) is not None:
            return Pay(LineResult.FORFEIT, cite, f"Folded on {shown(folded.partition(' ')[0])}.")
        taken = [(place, pot) for place, pot in enumerate(hand.pots) if (pot.won or {}).get(number)]
        if not taken and not hand.shown:
            return Pay(result, cite, "Everybody else folded, and nothing was in the pot but what came back.")
        if not taken:
            return Pay(result, cite, f"Lost the showdown{with_what}." if with_what else "Conceded the showdown unseen.")
        parts = []
        for place, pot in taken:
            name = "the pot" if len(hand.pots) == 1 else "the main pot" if not place else f"side pot {place}"
            won = (pot.won or {})[number]
            how = "" if won == pot.amount - pot.rake else f" of {show_dollars(pot.amount - pot.rake)}"
            parts.append(f"{show_dollars(won)} of {name}" if how else f"{name} of {show_dollars(pot.amount)}")
        rake = sum(pot.rake for _, pot in taken)
        less = f", less {show_dollars(rake)} rake" if rake else ""
        alone = "" if hand.shown else ": everybody else folded"
        return Pay(result, cite, f"Won {' and '.join(parts)}{less}{with_what}{alone}.")


def _with_what(hand: PokerHand, number: int) -> str:
    """The shown hand of a seat in words, with the card that decided against a shown hand of the same name."""
    known = {seat: cards for seat in hand.shown if len(cards := hand.final_cards(seat)) >= FIVE_CARD.size}
    if number not in known:
        return ""
    score, mine = FIVE_CARD.best(known[number])
    words = FIVE_CARD.describe(score)
    others = {seat: FIVE_CARD.best(cards) for seat, cards in known.items() if seat != number}
    namesakes = {seat: each for seat, each in others.items() if FIVE_CARD.describe(each[0]) == words}
    beaten = [seat for seat, each in namesakes.items() if each[0] < score]
    better = [seat for seat, each in namesakes.items() if each[0] > score]
    rival = max(better or beaten, key=lambda seat: namesakes[seat][0], default=None)
    found = None if rival is None else kicker(FIVE_CARD, mine, namesakes[rival][1])
    if found is None:
        return f" with {FIVE_CARD.show_best(known[number])}"
    own, theirs = found.ranks
    end = f"the {own} beats the {theirs} of seat {rival}" if not better else f"the {theirs} of seat {rival} beats it"
    return f" with {words}, {own} ({show_cards(mine)}); {end}"
