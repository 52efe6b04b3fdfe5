"""Cards, decks and hands of cards: the only vocabulary every card game shares.

A card is a small integer, ``4 * rank + suit``, with ranks 0 (deuce) to 12 (ace) and suits 0 to 3
(clubs, diamonds, hearts, spades), so that tables over all hands can be indexed by it.
"""

from collections.abc import Iterable, Sequence
from typing import NewType, Protocol

from pitboss.findings import UnreadableError

Card = NewType("Card", int)
Hand = tuple[Card, ...]

RANKS = "23456789TJQKA"
SUITS = "cdhs"
DEUCE, ACE, KING, QUEEN, JACK = 0, 12, 11, 10, 9
CLUBS, DIAMONDS, HEARTS, SPADES = range(4)

RANK_NAMES = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king", "ace")
SUIT_NAMES = ("clubs", "diamonds", "hearts", "spades")

DECK: Hand = tuple(Card(number) for number in range(52))
_NAMES = tuple(rank + suit for rank in RANKS for suit in SUITS)
_CARDS = dict(zip(_NAMES, DECK, strict=True))


class CardError(UnreadableError):
    """A card text that names no card; the message is a sentence for the person who typed it."""


class ShuffleSource(Protocol):
    """The part of ``random.Random`` that shuffling needs; live tables pass a ``SystemRandom``."""

    def shuffle(self, x: list[Card]) -> None: ...
    def randrange(self, start: int) -> int: ...


def card_of(rank: int, suit: int) -> Card:
    return Card(4 * rank + suit)


def rank_of(card: Card) -> int:
    return card >> 2


def suit_of(card: Card) -> int:
    return card & 3


def is_red(card: Card) -> bool:
    return suit_of(card) in (DIAMONDS, HEARTS)


def parse_card(text: str) -> Card:
    """Read one card.

    >>> parse_card("As")
    51
    >>> parse_card("1s")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    pitboss.cards.CardError: '1s' is not a card: write a rank (2-9, T, J, Q, K, A) and a suit ...
    """
    card = _CARDS.get(text)
    if card is not None:
        return card
    raise CardError(
        f"{text!r} is not a card: write a rank (2-9, T, J, Q, K, A) and a suit (c, d, h, s), for example As or Td"
    )


def parse_cards(text: str) -> Hand:
    """Read cards separated by blanks, in the order written: ``parse_cards("As Kd")``."""
    if not isinstance(text, str):
        raise CardError(f"Cards are written like 'As Td', not {text!r}")
    return tuple(parse_card(word) for word in text.split())


def show_card(card: int) -> str:
    return _NAMES[card]


def show_cards(cards: Iterable[int]) -> str:
    """The inverse of ``parse_cards``, of card numbers.

    >>> show_cards(parse_cards("As Td 2c"))
    'As Td 2c'
    """
    try:
        return " ".join([_NAMES[card] for card in cards])
    except (IndexError, TypeError):
        raise CardError("Cards are numbers from 0 to 51, as parse_cards gives them") from None


def shuffled(rng: ShuffleSource, deck: Sequence[Card] = DECK) -> list[Card]:
    """A shuffled copy of the deck; the generator is always passed in, never global."""
    cards = list(deck)
    rng.shuffle(cards)
    return cards
