"""What chance gives a game without cards: dice in a shaker, or a ball in a wheel, as the deals of its chapter say."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from pitboss.cards import ShuffleSource
from pitboss.games.deal import deal_of
from pitboss.games.rules import Rules
from pitboss.law.model import DealStep, Face


@dataclass(frozen=True)
class Words:
    """How people speak of a device: the table, its pages and round files."""

    key: str
    """What a round file calls what was read."""
    things: str
    ready: str
    start: str
    read: str
    clear: str
    keyed: str
    example: str
    button: str
    shows: str
    """Before what was read."""
    opened: str
    shaken: str
    cleared: str
    """What an event of the ledger tells."""


RED: frozenset[Face] = frozenset({1, 3, 5, 7, 9, 12, 14, 16, 18, 19, 21, 23, 25, 27, 30, 32, 34, 36})
"""The red compartments of a wheel; 0 and 00 are green, the others black."""
WORDS: Mapping[str, Words] = {
    "shaker": Words(
        "dice", "dice", "Put the dice into the shaker and close it.", "Shake the dice.",
        "Uncover the dice and call them.", "Clear the winning combinations.", "What the dice show, such as 3 5 1",
        "'2 5 5'", "Roll", "the dice show",
        "{dice} dice were put into the {device}, and it was closed.", "The dice were shaken",
        "The dealer cleared the winning combinations.",
    ),
    "wheel": Words(
        "spin", "wheel", "Make the wheel and the ball ready.", "Spin the wheel and the ball.",
        "Call the number and mark it on the layout.", "Take the marker off the layout.",
        "Where the ball came to rest, such as 17", "'17'", "Spin", "the ball came to rest in",
        "The wheel, used as {device}, and its ball were made ready.", "The wheel and the ball were spun",
        "The dealer took the marker off the layout.",
    ),
}  # fmt: skip
"""By the place to which a chapter sends what chance gives."""


def thrown(rules: Rules) -> DealStep | None:
    """What is rolled or spun with the device in use; nothing where cards are dealt."""
    return next((step for step in deal_of(rules).steps if step.dice), None)


def words_of(rules: Rules) -> Words | None:
    """How people speak of what the table rolls or spins; nothing where it deals cards."""
    step = thrown(rules)
    return None if step is None else WORDS[step.to]


def spoken_of(rules: Rules) -> Words:
    """The same, where there is such a device."""
    words = words_of(rules)
    assert words is not None, "only a game with dice or a wheel rolls"
    return words


def counted(step: DealStep) -> tuple[Face, ...]:
    """What each die may show, or where the ball may come to rest so that it counts."""
    return tuple(each for each in step.faces if each not in step.void)


def all_rolls(rules: Rules) -> Sequence[tuple[Face, ...]]:
    """Everything that can be read in a round, by number; all of it is equally likely."""
    step = thrown(rules)
    assert step is not None, "only a game with dice or a wheel rolls"
    return list(product(counted(step), repeat=step.dice))


def rolled(rules: Rules, rng: ShuffleSource, whole: bool = False) -> tuple[Face, ...]:
    """What chance gives a round, or also the rounds that a wager lives over; what does not count was thrown again."""
    step = thrown(rules)
    assert step is not None, "only a game with dice or a wheel rolls"
    return tuple(counted(step)[rng.randrange(len(counted(step)))] for _ in range(step.dice + whole * step.more))


def shown_faces(faces: Iterable[Face]) -> str:
    """As they are written down, in files, events and commitments.

    >>> shown_faces((2, 5, 5)), shown_faces(("00",))
    ('2 5 5', '00')
    """
    return " ".join(map(str, faces))


def read_faces(text: str, step: DealStep) -> tuple[Face, ...] | None:
    """What was written down; nothing where it is not what the device can show."""
    parts = text.replace(",", " ").split()
    known = {str(each): each for each in step.faces}
    return tuple(known[part] for part in parts) if len(parts) == step.dice and known.keys() >= set(parts) else None
