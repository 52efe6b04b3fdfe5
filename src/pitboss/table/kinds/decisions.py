"""What players choose, what a floorperson rules on it, and the cards that choices bring."""

from collections.abc import Mapping
from typing import Self

from msgspec import UNSET, Struct, UnsetType, field

from pitboss.cards import Card, Hand, parse_cards
from pitboss.games.betting import CONCEDE, SHOWDOWN
from pitboss.games.round import DECISION, THEN, Decision
from pitboss.money import Cents, show_dollars
from pitboss.names import several, shown
from pitboss.records import replace
from pitboss.table.happened import HIDDEN, Eyes, Happened, but, happens, if_set
from pitboss.table.kinds.cards import TurnsUp, uncovered
from pitboss.table.state import Table
from pitboss.table.words import card_words, in_words


class StoredDecision(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A decision as it is stored. Cards are numbers, or marks where the reader may not see them."""

    choice: str
    amount: Cents | UnsetType | None = UNSET
    discard: tuple[int | str, ...] | UnsetType = UNSET
    drawn: tuple[int | str, ...] | UnsetType = UNSET
    unseen: int | UnsetType = UNSET
    """Only where cards were given up that nobody saw, in a record of a decision; always with what lives on."""
    then: str | UnsetType | None = UNSET
    """Version 0.1 wrote what was decided after a draw into the decision before it."""

    @classmethod
    def whole(cls, made: Decision) -> "StoredDecision":
        return cls(made.choice, made.amount, made.discard, made.drawn, made.unseen)

    @classmethod
    def of(cls, made: Decision) -> "StoredDecision":
        return cls(made.choice, made.amount, made.discard, made.drawn, made.unseen or UNSET)

    @property
    def gave_up(self) -> tuple[int | str, ...]:
        return self.discard or ()

    @property
    def last(self) -> str:
        """What was chosen in the end."""
        return self.then or self.choice

    def decision(self) -> Decision:
        discard, drawn = (tuple(Card(int(card)) for card in held or ()) for held in (self.discard, self.drawn))
        return Decision(self.choice, if_set(self.amount), discard, drawn, if_set(self.unseen) or 0)

    def by_step(self) -> dict[str, Decision]:
        """Return decisions by step from the one record that version 0.1 wrote."""
        if not self.then:
            return {DECISION: self.decision()}
        return {DECISION: replace(self.decision(), amount=None), THEN: Decision(self.then)}

    def masked(self) -> "StoredDecision":
        """Return it without the cards that were given up and drawn: only what was decided is public."""
        discard, drawn = ((HIDDEN,) * len(held or ()) for held in (self.discard, self.drawn))
        return but(self, discard=discard, drawn=drawn)


@happens("decision.made")
class PlayerDecided(Happened, frozen=True, kw_only=True):
    seat: int
    player: str
    decision: StoredDecision
    later: dict[str, Cents]
    """Wagers that it places."""
    step: str | UnsetType = UNSET
    """Version 0.1 asked once and named no step."""
    back: dict[str, Cents] = field(default_factory=dict)
    """Wagers that it took back."""
    price: Cents = 0
    """Chips that went into the pot with it."""

    def fold(self, table: Table) -> Table:
        play = table.playing
        if not isinstance(self.step, UnsetType):
            return replace(table, play=play.deciding(self.seat, self.step, self.decision.decision()))
        return table.with_play(decisions={**play.decisions, self.seat: self.decision.by_step()})

    def covered(self, eyes: Eyes) -> Self:
        return self if self.seat in eyes.seats else but(self, decision=self.decision.masked())

    def says(self) -> str:
        made = self.decision
        put = sum(self.later.values()) if self.later else self.price
        cost = f" for {show_dollars(put)}" if put else ""
        gone = f", discarding {card_words(made.gave_up)}" if made.gave_up else ""
        gone += f", discarding {several(made.unseen, 'card')}" if made.unseen else ""
        back = f", taking back {show_dollars(sum(self.back.values()))}" if self.back else ""
        return f"Seat {self.seat} ({self.player}) decided to {in_words(made.last)}{cost}{back}{gone}."


@happens("decisions.locked", public=True)
class DecisionsLocked(Happened, frozen=True, kw_only=True):
    step: str | UnsetType = UNSET

    def fold(self, table: Table) -> Table:
        return table.with_play(locked=(*table.playing.locked, self.step or DECISION))

    def says(self) -> str:
        return "All decisions were locked in."


@happens("choice.ruled", significant="A floorperson ruled on a choice that the hand did not allow.", unusual=True)
class ChoiceRuled(Happened, frozen=True, kw_only=True):
    seat: int
    player: str
    step: str
    stands: bool
    why: str
    decision: StoredDecision | None = None
    """The most that the hand allowed, where the choice does not stand."""
    returned: Cents | UnsetType = UNSET

    def fold(self, table: Table) -> Table:
        play = table.playing
        if self.decision is not None:
            play = play.deciding(self.seat, self.step, self.decision.decision())
        ruled = (*play.ruled.get(self.seat, ()), self.step)
        return replace(table, play=replace(play, ruled={**play.ruled, self.seat: ruled}))

    def says(self) -> str:
        back = "lets it stand" if self.stands else f"cuts it and returns {show_dollars(self.returned or 0)}"
        choice = f"the choice of seat {self.seat} ({self.player}) at {shown(self.step)}, which the hand didn't allow"
        return f"A floorperson ruled on {choice}, and {back}: {self.why}."


@happens("hand.declared")
class HandDeclared(TurnsUp, frozen=True, kw_only=True):
    seat: int
    player: str
    cards: str
    """Only where the hand is paid at once, and so turned up."""

    def fold(self, table: Table) -> Table:
        play = table.playing
        table = table.with_play(declared=tuple(dict.fromkeys((*(play.declared or ()), self.seat))))
        return uncovered(table, self.faces()) if self.cards else table

    def faces(self) -> Mapping[str, Hand]:
        return {f"seat {self.seat}": parse_cards(self.cards)}

    def says(self) -> str:
        return f"Seat {self.seat} declared a winning hand{': ' * bool(self.cards)}{self.cards}."


@happens("hand.conceded")
class HandConceded(Happened, frozen=True, kw_only=True):
    seat: int
    player: str

    def fold(self, table: Table) -> Table:
        return replace(table, play=table.playing.deciding(self.seat, SHOWDOWN, Decision(CONCEDE)))

    def says(self) -> str:
        return f"Seat {self.seat} conceded the showdown; the hand was not turned up."


@happens("wagers.abandoned", unusual=True)
class WagersAbandoned(Happened, frozen=True, kw_only=True):
    seat: int
    fold_before: StoredDecision | UnsetType = field(default=UNSET, name="fold")
    """Version 0.1 wrote the fold that it stood for."""

    def fold(self, table: Table) -> Table:
        play = table.playing
        settled = sum(not line.abandoned for line in play.lines)
        return table.with_play(absent={**play.absent, self.seat: settled})

    def says(self) -> str:
        return f"The wagers left behind at seat {self.seat} were treated as lost."
