"""Dice in a shaker, or a ball in a wheel."""

from msgspec import field

from pitboss.games.chance import WORDS, Words
from pitboss.law.model import Face
from pitboss.records import replace
from pitboss.table.happened import Happened, happens
from pitboss.table.kinds.shuffling import shuffled
from pitboss.table.state import DICE, VIRTUAL, Deck, Table
from pitboss.table.words import comma_list


class Thrown(Happened, frozen=True, kw_only=True):
    """What happens to a device that gives chance."""

    device_of: str = field(default="shaker", name="in")
    """What is thrown: a key of ``WORDS``."""

    @property
    def words(self) -> Words:
        return WORDS[self.device_of]


@happens("shaker.opened", public=True)
class ShakerOpened(Thrown, frozen=True, kw_only=True):
    device: str
    dice: int
    at: int

    def fold(self, table: Table) -> Table:
        return replace(table, decks={DICE: Deck(self.at)}, active=DICE)

    def says(self) -> str:
        return self.words.opened.format(dice=self.dice, device=self.device)


@happens("dice.shaken", public=True)
class DiceShaken(Thrown, frozen=True, kw_only=True):
    deck: str
    method: str
    commitment: str

    def fold(self, table: Table) -> Table:
        return shuffled(table, self.deck, self.method, self.commitment)

    def says(self) -> str:
        they = "they are" if self.device_of == "shaker" else "it is"
        sealed = f"; {they} sealed as {self.commitment}" if self.commitment else ""
        return f"{self.words.shaken}{sealed}."


class Read(Thrown, frozen=True, kw_only=True):
    """What the dice or the wheel show; a throw may not count."""

    dice: tuple[Face, ...]
    void: bool = False

    def fold(self, table: Table) -> Table:
        table = table.with_play(dice=self.dice, called=table.source != VIRTUAL)
        return table.with_deck(DICE, shuffled="") if self.void else table  # the next throw follows

    def says(self) -> str:
        return f"T{self.words.shows[1:]} {comma_list(self.dice)}{': no spin' * self.void}."


@happens("dice.rolled", public=True)
class DiceRolled(Read, frozen=True, kw_only=True):
    pass


@happens("dice.corrected", public=True)
class DiceCorrected(Read, frozen=True, kw_only=True):
    wrong: tuple[Face, ...]

    def fold(self, table: Table) -> Table:
        """A throw that counts after all is not thrown again."""
        return super().fold(table.with_deck(DICE, shuffled=table.dealing))

    def says(self) -> str:
        return f"Corrected: {super().says()} {comma_list(self.wrong)} was keyed in before."


@happens("dice.cleared", public=True)
class DiceCleared(Thrown, frozen=True, kw_only=True):
    def says(self) -> str:
        return self.words.cleared
