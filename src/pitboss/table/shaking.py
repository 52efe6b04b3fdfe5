"""Dice in a shaker or a ball in a wheel: made ready, set in motion before the wagers or after them as the device has
it, and read. What does not count is announced and thrown again."""

from collections.abc import Iterator

from pitboss.findings import Finding, refusal
from pitboss.games.chance import read_faces, spoken_of
from pitboss.games.course import Roll
from pitboss.law.model import DealStep, Face
from pitboss.table.act import Act
from pitboss.table.command import Command, command
from pitboss.table.dealing import DeckLostError
from pitboss.table.desk import Desk
from pitboss.table.events import Event
from pitboss.table.kinds.cards import DeckRevealed
from pitboss.table.kinds.chance import DiceCorrected, DiceRolled, DiceShaken, ShakerOpened
from pitboss.table.roles import Role
from pitboss.table.ruling import (
    SEATED,
    SHAKE_FIRST,
    SHAKE_LATER,
    before_wagers,
    cite_of,
    deal_cite,
    procedure_of,
    rules_at,
    thrown_at,
)
from pitboss.table.source import roll, seal
from pitboss.table.state import DICE, IN_ROUND, VIRTUAL, Phase, Table
from pitboss.table.turns import followed


def _thrown(table: Table) -> DealStep:
    step = thrown_at(table)
    assert step is not None, "the command belongs to games with dice or a wheel"
    return step


@command("open_shaker", {Phase.OPENING}, "use-approved-device", needs=Roll)
class OpenShaker(Command):
    """The dice are put into the shaker, and it is closed; or the wheel and its ball are made ready."""

    def events(self, table: Table, desk: Desk) -> Iterator[Event]:
        step = _thrown(table)
        opened = ShakerOpened(
            device=table.dealing, dice=step.dice, at=desk.now, device_of=step.to, phase=before_wagers(table)
        )
        yield Event(opened, (cite_of(table, self.act),))


@command("shake", {Phase.SHUFFLING, Phase.DEALING}, SHAKE_LATER, needs=Roll)
class Shake(Command):
    """The shaker is activated or the ball spun. What is virtual is sealed; only its commitment is published."""

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:
        assert table.deck is not None
        if table.deck.shuffled:
            sentence = f"That is done already: {spoken_of(rules_at(table)).shaken.lower()}."
            yield refusal("shaken-already", "once", "twice", sentence, cite=deal_cite(table))
        if desk.role == Role.PLAYER and procedure_of(table, "activate-shaker") is None:
            sentence = "The dealer activates this device; no player does."
            yield refusal("not-yours", "the dealer", desk.person, sentence, cite=deal_cite(table))
        elif desk.role == Role.PLAYER and desk.person not in table.homes:
            sentence = "Only a player who is seated here activates the device."
            yield refusal("not-seated", "a seat", "none", sentence, cite=cite_of(table, SEATED))

    def _act(self, table: Table) -> str:
        return SHAKE_FIRST if table.phase == Phase.SHUFFLING else SHAKE_LATER

    def events(self, table: Table, desk: Desk) -> Iterator[Event]:
        step, sealed = _thrown(table), None
        if table.source == "virtual":
            sealed = seal(roll(desk.randomness, step.dice, step.faces), desk.randomness)
        shaken = DiceShaken(
            deck=DICE,
            method=table.dealing,
            commitment="" if sealed is None else sealed.commitment,
            device_of=step.to,
            phase=Phase.WAGERING if table.phase == Phase.SHUFFLING else None,
        )
        yield Event(shaken, (cite_of(table, self._act(table)),), sealed=sealed)


@command("roll", {Phase.DEALING}, "announce-and-mark-what-has-won", needs=Roll)
class ReadDice(Command):
    """The dealer uncovers the dice or looks where the ball has come to rest, calls it and marks what has won."""

    dice: str = ""
    """Keyed in where the dice or the wheel are real: ``3 5 1``, ``00``."""

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:  # noqa: ARG002
        assert table.deck is not None
        cite, words = cite_of(table, self.act), spoken_of(rules_at(table))
        if not table.deck.shuffled:
            yield refusal("not-shaken", f"{words.key} to read", "none", f"First: {words.start}", cite=cite)
        if table.source == "virtual":
            if self.dice:
                sentence = "What falls at this table is virtual."
                yield refusal("dice-source", "nothing keyed in", self.dice, sentence, cite=cite)
        else:
            yield from _unreadable(table, self.dice, cite)

    def events(self, table: Table, desk: Desk) -> Iterator[Event]:
        assert table.deck is not None
        step = _thrown(table)
        sealed = desk.sealed(table.id, DICE) if table.source == "virtual" else None
        if table.source == "virtual" and (sealed is None or sealed.commitment != table.deck.commitment):
            raise DeckLostError(
                f"the {spoken_of(rules_at(table)).things} is no longer under seal as it was committed to"
            )
        content = sealed.content if sealed is not None else self.dice.replace(",", " ")
        shown = read_faces(content, step)
        assert shown is not None, "what was keyed in has been looked at"
        void, cites = _counts(table, shown, self.act)
        rolled = DiceRolled(dice=shown, device_of=step.to, void=void)
        yield from followed(table, desk, (Event(rolled, cites),))
        if sealed is not None:
            yield Event(
                DeckRevealed(
                    round=table.playing.number, deck=DICE, commitment=sealed.commitment, cards=content,
                    salt=sealed.salt.hex(), cuts=(), left_deck=content,
                )
            )  # fmt: skip


@command("correct_throw", IN_ROUND, "announce-and-mark-what-has-won", needs=Roll)
class CorrectThrow(Command):
    """What the dice or the wheel show, instead of what the dealer keyed in, as long as nothing else has happened in the
    round since."""

    dice: str = ""

    def findings(self, table: Table, desk: Desk) -> Iterator[Finding]:  # noqa: ARG002
        play, cite = table.playing, cite_of(table, self.act)
        if not play.called:
            sentence = (
                "What is thrown at this table is virtual; nothing was keyed in."
                if table.source == VIRTUAL
                else "A throw can be corrected only until the next act of the round; call the floorperson."
            )
            yield refusal("not-keyed", "a throw keyed in just now", "none", sentence, cite=cite)
        elif read_faces(self.dice, _thrown(table)) == play.dice:
            yield refusal("same", "another throw", self.dice, "That is what was keyed in.", cite=cite)
        else:
            yield from _unreadable(table, self.dice, cite)

    def events(self, table: Table, desk: Desk) -> Act:
        step = _thrown(table)
        shown = read_faces(self.dice, step)
        assert shown is not None, "what was keyed in has been looked at"
        void, cites = _counts(table, shown, self.act)
        corrected = DiceCorrected(dice=shown, wrong=table.playing.dice, device_of=step.to, void=void)
        return followed(table, desk, (Event(corrected, cites),))


def _unreadable(table: Table, dice: str, cite: str) -> Iterator[Finding]:
    """What was keyed in, where the device can't show it."""
    step = _thrown(table)
    if read_faces(dice, step) is None:
        numbers = sorted(map(int, step.faces))
        expected = f"{step.dice} number{'s' if step.dice > 1 else ''} from {numbers[0]} to {numbers[-1]}"
        expected += "".join(f" or {face}" for face in step.faces if isinstance(face, str))
        yield refusal("dice", expected, dice or "none", f"Key in what is shown: {expected}.", cite=cite)


def _counts(table: Table, shown: tuple[Face, ...], act: str) -> tuple[bool, tuple[str, ...]]:
    """Return whether a throw is void, and the paragraph by which it is read."""
    void = not set(_thrown(table).void).isdisjoint(shown)
    return void, (cite_of(table, "announce-no-spin" if void else act),)
