"""One round walked along its course: an immutable state that says who is asked what, what they see, and what follows.

Cards come from a deck in the order of the law. Round files, demonstrations, scalar simulation and the trainer step
this state; the live table keeps the same steps under commands and events.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from pitboss.cards import Card, Hand, ShuffleSource, shuffled
from pitboss.findings import Finding
from pitboss.games.chance import rolled
from pitboss.games.contract import Game
from pitboss.games.course import Betting, Decide, Option, Roll, Sight
from pitboss.games.deal import Dealing, DealtCard, DeckError, deal_round
from pitboss.games.registry import GAMES
from pitboss.games.round import Decision, Round, Seat
from pitboss.games.rules import Rules
from pitboss.games.settle import Displayed, settle
from pitboss.games.settlement import Settlement
from pitboss.law.model import Device, Face
from pitboss.money import Cents
from pitboss.public import public

Player = Callable[[int, Sight], Decision]
"""Chooses for a seat from what it sees."""


@dataclass(frozen=True)
class RoundState:
    """A round in play: all cards lie, seats decide in turn, and draws come off the stub.

    >>> from datetime import date
    >>> from pitboss.cards import DECK
    >>> from pitboss.games.rules import resolve
    >>> rules, _ = resolve(GAMES["three-card-poker"].chapter, date(2024, 6, 1))
    >>> state = start(rules, {1: {"ante": 1000}}, DECK)
    >>> state.asked, [option.name for option in state.options]
    ((1, 'decision'), ['play', 'fold'])
    >>> state.apply(Decision("play")).is_over
    True
    """

    rules: Rules
    played: Round
    stub: tuple[Card, ...] = ()
    dealing: Dealing | None = field(default=None, compare=False)
    """How the cards left the deck, where they did."""

    @property
    def game(self) -> Game:
        return GAMES[self.rules.game]

    @property
    def asked(self) -> tuple[int, str] | None:
        """The seat and the step whose choice the round waits for; none when everybody has chosen."""
        found = self._asked()
        return None if found is None else (found[0].number, found[1].name)

    def _due(self) -> tuple[Seat, Decide]:
        if (found := self._asked()) is None:
            raise ValueError("Nobody is asked: everybody has chosen.")
        return found

    def _asked(self) -> tuple[Seat, Decide] | None:
        for step in self.game.course.decides:
            for seat in self.played.clockwise():
                open_to = isinstance(step, Betting) or step.name not in seat.decisions
                if open_to and self.game.options(self.rules, self.played, seat, step):
                    return seat, step
        return None

    @property
    def options(self) -> tuple[Option, ...]:
        """What the seat that is asked may choose."""
        found = self._asked()
        return () if found is None else self.game.options(self.rules, self.played, *found)

    @property
    def sight(self) -> Sight:
        """What the seat that is asked sees."""
        return self.game.sight(self.rules, self.played, *self._due())

    @property
    def is_over(self) -> bool:
        return self._asked() is None

    def findings(self, decision: Decision) -> tuple[Finding, ...]:
        """Why the seat that is asked may not choose this."""
        seat, step = self._due()
        return tuple(self.game.decision_findings(self.rules, self.played, step, seat, decision))

    def apply(self, decision: Decision) -> "RoundState":
        """The round after the choice of the seat that is asked; what it buys comes off the stub."""
        seat, step = self._due()
        count = self.game.draws(decision)
        if count > len(self.stub):
            raise DeckError(f"The stub holds {len(self.stub)} cards; seat {seat.number} asks for {count}.")
        made = replace(decision, drawn=self.stub[:count]) if count else decision
        name = self.game.turn(self.rules, self.played, step, seat.number)
        played = self.played.with_seats([seat.deciding(name, made)])
        return replace(self, played=played, stub=self.stub[count:]).dealt_on()

    def dealt_on(self) -> "RoundState":
        """The round with the cards that follow for those who are still in, until somebody is asked or it is over."""
        state = self
        while (hand := state.game.hand(state.rules, state.played)) is not None and hand.due:
            slots = hand.slots[-hand.due :]
            if len(slots) > len(state.stub):
                raise DeckError(f"The stub holds {len(state.stub)} cards; {len(slots)} are to be dealt.")
            cards: dict[str, Hand] = {}
            for slot, card in zip(slots, state.stub, strict=False):
                cards[slot.to] = (*cards.get(slot.to, ()), card)
            dealt = [DealtCard(card, slot.to, slot.face_up) for slot, card in zip(slots, state.stub, strict=False)]
            before = state.dealing.order if state.dealing is not None else []
            stub = state.stub[len(slots) :]
            dealing = Dealing(list(stub), [*before, *dealt])
            state = replace(state, played=state.played.receiving(cards), stub=stub, dealing=dealing)
        return state

    def play(self, player: Player) -> "RoundState":
        """The round after all choices of one player who plays every seat."""
        state = self
        while (asked := state.asked) is not None:
            state = state.apply(player(asked[0], state.sight))
        return state

    def settle(self, displayed: Displayed | None = None, reserves: Mapping[str, Cents] | None = None) -> Settlement:
        return settle(self.rules, self.played, displayed, reserves)


@public
def start(
    rules: Rules,
    wagers: Mapping[int, Mapping[str, Cents]],
    source: Sequence[Card] | Sequence[Face],
    device: Device | None = None,
) -> RoundState:
    """The round when all cards lie, or the dice have been read, and nobody has chosen yet."""
    if rolls(GAMES[rules.game]):
        seats = tuple(Seat(number, (), made) for number, made in sorted(wagers.items()))
        return RoundState(rules, Round((), seats, dice=tuple(source)))
    played, dealing = deal_round(rules, wagers, source, device)  # type: ignore[arg-type]
    return RoundState(rules, played, tuple(dealing.stub), dealing).dealt_on()


def rolls(game: Game) -> bool:
    """Whether a game is played with dice or a wheel."""
    return any(isinstance(step, Roll) for step in game.course.flat)


def chance(rules: Rules, rng: ShuffleSource, whole: bool = False) -> Sequence[Card] | Sequence[Face]:
    """What chance gives a round: the dice or the ball as they fall, or a shuffled deck; ``whole`` with the throws of
    later rounds, for wagers that live on."""
    return rolled(rules, rng, whole) if rolls(GAMES[rules.game]) else tuple(shuffled(rng))


def play_plainly(rules: Rules, state: RoundState) -> RoundState:
    """Let every seat decide by the game's plain strategy; draws come from the stub, from the dealer's left."""
    game = GAMES[rules.game]
    return state.play(lambda _seat, sight: game.plain_decision(rules, sight))


def plain_wagers(rules: Rules) -> dict[str, Cents]:
    """The game's plain wagers, fitted to what this table offers and to its limits."""
    fitted = {}
    for name, stake in GAMES[rules.game].plain_wagers.items():
        if (wager := rules.wager_named(name)) is not None:
            limits = rules.limits(wager.name)
            fitted[name] = rules.choices.amounts.get(name) or min(max(stake, limits.minimum), limits.maximum)
    return fitted
