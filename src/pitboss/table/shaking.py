"""Dice in a shaker: it is made ready, shaken before the wagers or after them as the device has it, and read."""

from collections.abc import Iterator

from pitboss.findings import Finding
from pitboss.games.course import Roll
from pitboss.table.command import Command, command
from pitboss.table.dealing import DeckLostError
from pitboss.table.desk import Desk
from pitboss.table.events import Event
from pitboss.table.roles import Role
from pitboss.table.ruling import (
    SEATED,
    SHAKE_FIRST,
    SHAKE_LATER,
    before_wagers,
    cite_of,
    deal_cite,
    dice_of,
    procedure_of,
)
from pitboss.table.source import FACES, roll, seal
from pitboss.table.state import DICE, Phase, Table
from pitboss.table.turns import followed


@command("open_shaker", {Phase.OPENING}, "use-approved-shaker", needs=Roll)
class OpenShaker(Command):
    """The dice are put into the shaker, and it is closed."""

    def events(self, table: Table, desk: Desk) -> Iterator[Event]:
        data = {"device": table.dealing, "dice": dice_of(table), "at": desk.now, "phase": before_wagers(table)}
        yield Event("shaker.opened", data, (cite_of(table, self.act),))


@command("shake", {Phase.SHUFFLING, Phase.DEALING}, SHAKE_LATER, needs=Roll)
class Shake(Command):
    """The shaker is activated. Virtual dice are sealed; only their commitment is told."""

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:
        assert table.deck is not None
        if table.deck.shuffled:
            yield Finding("shaken-already", deal_cite(table), "one shake", "two", "The dice have been shaken already.")
        if desk.role == Role.PLAYER and procedure_of(table, "activate-shaker") is None:
            sentence = "The dealer activates this shaker; no player does."
            yield Finding("not-yours", deal_cite(table), "the dealer", desk.person, sentence)
        elif desk.role == Role.PLAYER and desk.person not in table.homes:
            sentence = "Only a player who is seated here activates the shaker."
            yield Finding("not-seated", cite_of(table, SEATED), "a seat", "none", sentence)

    def _act(self, table: Table) -> str:
        return SHAKE_FIRST if table.phase == Phase.SHUFFLING else SHAKE_LATER

    def events(self, table: Table, desk: Desk) -> Iterator[Event]:
        commitment = ""
        if table.source == "virtual":
            sealed = seal(roll(desk.randomness, dice_of(table)), desk.randomness)
            desk.seal(table.id, DICE, sealed)
            commitment = sealed.commitment
        data = {"deck": DICE, "method": table.dealing, "commitment": commitment}
        phase = {"phase": Phase.WAGERING} if table.phase == Phase.SHUFFLING else {}
        yield Event("dice.shaken", data | phase, (cite_of(table, self._act(table)),))


@command("roll", {Phase.DEALING}, "announce-dice-and-light-winning-combinations", needs=Roll)
class ReadDice(Command):
    """The dealer uncovers the dice, calls them and marks what has won."""

    dice: str = ""
    """Keyed in where the dice are real: ``3 5 1``."""

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:  # noqa: ARG002
        assert table.deck is not None
        cite, count = cite_of(table, self.act), dice_of(table)
        if not table.deck.shuffled:
            yield Finding("not-shaken", cite, "dice that were shaken", "none", "Shake the dice first.")
        if table.source == "virtual":
            if self.dice:
                yield Finding("dice-source", cite, "no dice", self.dice, "The dice of this table are virtual.")
            return
        shown = self.dice.replace(",", " ").split()
        if len(shown) != count or any(face not in map(str, range(1, FACES + 1)) for face in shown):
            expected = f"{count} numbers from 1 to {FACES}"
            yield Finding("dice", cite, expected, self.dice or "none", f"Key in what the dice show: {expected}.")

    def events(self, table: Table, desk: Desk) -> Iterator[Event]:
        assert table.deck is not None
        sealed = desk.sealed(table.id, DICE) if table.source == "virtual" else None
        if table.source == "virtual" and (sealed is None or sealed.commitment != table.deck.commitment):
            raise DeckLostError("the dice are no longer under seal as they were committed to")
        content = sealed.content if sealed is not None else self.dice.replace(",", " ")
        dice = [int(face) for face in content.split()]
        yield from followed(table, desk, (Event("dice.rolled", {"dice": dice}, (cite_of(table, self.act),)),))
        if sealed is not None:
            shown = {"commitment": sealed.commitment, "cards": content, "salt": sealed.salt.hex(), "cuts": []}
            yield Event("deck.revealed", {"round": table.playing.number, "deck": DICE, **shown, "left_deck": content})
