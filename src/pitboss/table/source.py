"""Where cards, dice and spins come from: what is virtual is sealed before play, what is real is keyed in.

A virtual deck is shuffled with bytes of the operating system and sealed: the table publishes a SHA-256 commitment
before the first card leaves the deck, and cards and salt after the round. Anybody can then recompute the commitment
(``commitment_text`` piped into ``sha256sum``) and see with ``check_deal`` that the cards dealt were those of the deck.

How bytes become numbers is fixed here once, so that every shuffle can be repeated from its bytes: ``randbelow(n)``
reads the fewest bytes that can hold ``n`` values, as one big-endian number; it throws the number away and reads on if
it lies above the largest multiple of ``n``, and else returns the remainder by ``n``. Every value is equally likely.
"""

import hashlib
import os
import re
import threading
import weakref
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, Protocol

from pitboss.cards import DECK, Card, CardError, Hand, parse_card, parse_cards, show_card, show_cards
from pitboss.findings import Finding, refusal
from pitboss.law.model import DIE, Face
from pitboss.reader import Parsed

SALT_BYTES = 32
COMMITMENT_VERSION = "pitboss-deck-1"
DICE_VERSION = "pitboss-dice-1"

_BUFFER_BYTES = 4096


class Randomness(Protocol):
    """What a table needs from chance; it is always passed in."""

    def randbelow(self, n: int) -> int: ...

    def token(self, n: int) -> bytes: ...


class ByteRandomness:
    """The rule that turns bytes into numbers; a subclass says where the next block of bytes comes from.

    Safe between threads: no byte is handed out twice.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._buffer = b""
        self._read = 0

    def _block(self) -> bytes:
        raise NotImplementedError

    def _take(self, count: int) -> bytes:
        with self._lock:
            if self._read + count > len(self._buffer):
                parts = [self._buffer[self._read :]]
                held = len(parts[0])
                while held < count:
                    parts.append(self._block())
                    held += len(parts[-1])
                self._buffer, self._read = b"".join(parts), 0
            taken = self._buffer[self._read : self._read + count]
            self._read += count
            return taken

    def randbelow(self, n: int) -> int:
        """A number from 0 to ``n - 1``, each equally likely."""
        if n < 1:
            raise ValueError(f"a random number below {n} cannot be drawn: the bound must be at least 1")
        width = ((n - 1).bit_length() + 7) // 8
        span: int = 256**width
        limit = span - span % n
        while True:
            value = int.from_bytes(self._take(width))
            if value < limit:
                return value % n

    def token(self, n: int) -> bytes:
        """The next ``n`` bytes as they come."""
        return self._take(n)


class SystemRandomness(ByteRandomness):
    """The operating system's generator: the only source for live cards.

    Bytes are read ahead, so a copy, a pickle or a forked process must not inherit them: it would deal the same cards.
    Each of these starts with an empty buffer.
    """

    def __init__(self) -> None:
        super().__init__()
        _SYSTEM_SOURCES.add(self)

    def _block(self) -> bytes:
        return os.urandom(_BUFFER_BYTES)

    def token(self, n: int) -> bytes:
        """Fresh bytes, never from the buffer."""
        return os.urandom(n)

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), ())


_SYSTEM_SOURCES: "weakref.WeakSet[SystemRandomness]" = weakref.WeakSet()


def _forget_bytes_after_fork() -> None:
    for source in list(_SYSTEM_SOURCES):
        ByteRandomness.__init__(source)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_bytes_after_fork)


class SeededRandomness(ByteRandomness):
    """The same numbers for the same seed: for demonstrations and tests only, never for a live table.

    SHA-256 in counter mode: block ``k`` is the digest of ``pitboss-seed-1\\n<seed>\\n<k>\\n``, so anybody can repeat a
    demonstration in any language. The seeds ``7`` and ``"7"`` are the same seed.
    """

    def __init__(self, seed: int | str) -> None:
        super().__init__()
        self.seed = str(seed)
        self._counter = 0

    def _block(self) -> bytes:
        text = f"pitboss-seed-1\n{self.seed}\n{self._counter}\n"
        self._counter += 1
        return hashlib.sha256(text.encode()).digest()


def shuffle(randomness: Randomness, deck: Sequence[Card] = DECK) -> Hand:
    """Fisher–Yates from the last place down: place ``i`` is exchanged with a place drawn from 0 to ``i``.

    >>> show_cards(shuffle(SeededRandomness(7))[:5])
    '7c 3d Ad 7h 2h'
    """
    cards = list(deck)
    for place in range(len(cards) - 1, 0, -1):
        other = randomness.randbelow(place + 1)
        cards[place], cards[other] = cards[other], cards[place]
    return tuple(cards)


def roll(randomness: Randomness, dice: int, faces: Sequence[Face] = DIE) -> str:
    """So many dice, or spins of a wheel, each face equally likely, as they are written down.

    >>> roll(SeededRandomness(7), 3)
    '3 4 5'
    """
    return " ".join(str(faces[randomness.randbelow(len(faces))]) for _ in range(dice))


def is_dice(content: str) -> bool:
    """Whether what was sealed or dealt are dice, and not cards."""
    return content.replace(" ", "").isdigit()


@dataclass(frozen=True)
class Sealed:
    """A deck or a roll of dice, and what was promised about it. Only ``commitment`` is public before the round is over,
    so the text form of this object (a log, a traceback) does not show the content or the salt."""

    content: str = field(repr=False)
    salt: bytes = field(repr=False)
    commitment: str

    @property
    def cards(self) -> Hand:
        return parse_cards(self.content)


def commitment_text(content: Sequence[Card] | str, salt: bytes) -> str:
    """The text that the commitment is the SHA-256 of: version, salt in hexadecimal, cards from the top; three lines.

    The cards are in the order before any cut; dice stand in place of cards under a version of their own.
    """
    text = content if isinstance(content, str) else show_cards(content)
    return f"{DICE_VERSION if is_dice(text) else COMMITMENT_VERSION}\n{salt.hex()}\n{text}\n"


def commitment_of(content: Sequence[Card] | str, salt: bytes) -> str:
    """What ``sha256sum`` prints for ``commitment_text``."""
    return hashlib.sha256(commitment_text(content, salt).encode("ascii")).hexdigest()


def seal(content: Sequence[Card] | str, randomness: Randomness) -> Sealed:
    """Fix a deck or a roll before play. The salt keeps a commitment from being found by trying likely contents."""
    salt = randomness.token(SALT_BYTES)
    text = content if isinstance(content, str) else show_cards(content)
    return Sealed(text, salt, commitment_of(text, salt))


def cut(cards: Sequence[Card], at: int) -> Hand:
    """The ``at`` cards above the cover card go to the bottom. How deep a cut must be is not checked here.

    >>> show_cards(cut((Card(0), Card(1), Card(2), Card(3)), 1))
    '2d 2h 2s 2c'
    """
    if not 0 <= at <= len(cards):
        raise ValueError(f"a deck of {len(cards)} cards cannot be cut {at} cards from the top")
    return (*cards[at:], *cards[:at])


def _hexadecimal(text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError:
        raise TypeError from None


@dataclass(frozen=True, kw_only=True)
class DisclosedKeys:
    """A deal as a table disclosed it, in JSON."""

    commitment: str
    cards: str
    salt: Annotated[bytes, Parsed("hexadecimal digits", str, _hexadecimal)]
    cuts: tuple[int, ...]
    left_deck: str


def check_disclosed(commitment: str, content: str, salt: bytes, cuts: Sequence[int], left: str) -> tuple[Finding, ...]:
    """Whether what left the device, cards or dice as text, is what was promised; no finding means that it is."""
    if not is_dice(content):
        return check_deal(commitment, parse_cards(content), salt, cuts, parse_cards(left))
    computed = commitment_of(content, salt)
    findings = []
    if computed != commitment:
        sentence = f"The disclosed dice and salt give the commitment {computed}, but {commitment} was published."
        findings.append(refusal("commitment-differs", commitment, computed, sentence, "commitment"))
    if left and left != content:
        sentence = f"The dice showed {left}, but those under seal were {content}."
        findings.append(refusal("dice-differ", content, left, sentence, "dice"))
    return tuple(findings)


def check_deal(
    commitment: str, cards: Sequence[Card], salt: bytes, cuts: Sequence[int], dealt: Sequence[Card]
) -> tuple[Finding, ...]:
    """Whether a round was dealt from the deck that was promised; no finding means that it was.

    ``cards`` and ``salt`` are those disclosed after the round, ``cuts`` the depth of each cut in order, and ``dealt``
    every card that left the deck, burned cards too, in the order of leaving.
    """
    strangers = [card for card in cards if card not in DECK]
    if strangers:
        sentence = f"The disclosed deck holds {_name(strangers[0])}, which is not a card of a 52-card deck."
        return (refusal("deck-not-complete", "52 different cards", _name(strangers[0]), sentence, "deck"),)
    findings: list[Finding] = []
    computed, promised = commitment_of(cards, salt), commitment.strip().lower()
    if computed != promised:
        sentence = f"The disclosed deck and salt give the commitment {computed}, but {promised} was published."
        findings.append(refusal("commitment-differs", promised, computed, sentence, "commitment"))
    findings += _check_complete(cards)
    deck: Hand = tuple(cards)
    for number, at in enumerate(cuts, 1):
        if not 0 <= at <= len(deck):
            sentence = f"Cut {number} is said to lie {at} cards from the top of a deck of {len(deck)} cards."
            expected = f"0 to {len(deck)}"
            findings.append(refusal("cut-out-of-range", expected, at, sentence, f"cuts.{number}"))
            return tuple(findings)
        deck = cut(deck, at)
    findings += _check_order(deck, dealt)
    return tuple(findings)


def _check_complete(cards: Sequence[Card]) -> list[Finding]:
    twice = next((card for place, card in enumerate(cards) if card in cards[:place]), None)
    missing = [card for card in DECK if card not in cards]
    if twice is None and not missing:
        return []
    faults = []
    if twice is not None:
        faults.append(f"holds {show_card(twice)} more than once")
    if missing:
        faults.append(f"lacks {show_cards(missing)}")
    sentence = f"The disclosed deck of {len(cards)} cards {' and '.join(faults)}."
    different = len(set(cards))
    return [refusal("deck-not-complete", "52 different cards", f"{different} different", sentence, "deck")]


def _check_order(deck: Hand, dealt: Sequence[Card]) -> list[Finding]:
    """At most one finding, for the first card that is not the next one of the deck."""
    for number, card in enumerate(dealt, 1):
        where = f"dealt.{number}"
        if number > len(deck):
            sentence = f"Card {number} to leave the deck was {_name(card)}, but the deck had only {len(deck)} cards."
            return [refusal("dealt-beyond-deck", f"{len(deck)} cards", len(dealt), sentence, where)]
        if card != deck[number - 1]:
            due = show_card(deck[number - 1])
            sentence = f"Card {number} to leave the deck was {_name(card)}, but card {number} of the deck is {due}."
            return [refusal("dealt-card-differs", due, _name(card), sentence, where)]
    return []


def _name(card: Card) -> str:
    return show_card(card) if card in DECK else f"the number {card}"


def key_in(text: str, seen: Collection[Card], cite: str = "") -> tuple[Hand, tuple[Finding, ...]]:
    """Read cards that a dealer keys in; ``seen`` are the cards already known in this round.

    Blanks or commas part the cards; capital or small letters and ``10`` for ``T`` are understood. The cards returned
    are those without fault, in the order written; with any finding the entry as a whole should be refused.

    >>> hand, findings = key_in("as, 10d as", seen=())
    >>> show_cards(hand), findings[0].sentence
    ('As Td', 'As is written twice in this entry (cards 1 and 3): a deck holds it once. Look at the cards again.')
    """
    hand: list[Card] = []
    places: dict[Card, int] = {}
    findings: list[Finding] = []
    words = card_words(text)
    if len(words) > len(DECK):
        sentence = f"{len(words)} cards are keyed in at once: a deck has {len(DECK)}."
        return (), (refusal("card-count", f"at most {len(DECK)} cards", len(words), sentence, "cards", cite=cite),)
    if not words:
        sentence = "No card was keyed in: write the cards in the order dealt, for example As Td 2c."
        findings.append(refusal("no-card", "at least one card", "none", sentence, "cards", cite=cite))
    for number, word in enumerate(words, 1):
        try:
            card = parse_card(_spelled(word))
        except CardError:
            code, expected, name = "not-a-card", "a rank and a suit", word
            sentence = (
                f"Card {number}, {word!r}, is not a card: write a rank (2-9, T or 10, J, Q, K, A) and a suit "
                "(c, d, h, s) with a blank between cards, for example As Td."
            )
        else:
            name, first = show_card(card), places.setdefault(card, number)
            if first != number:
                code, expected = "card-twice", "a card not yet written"
                sentence = (
                    f"{name} is written twice in this entry (cards {first} and {number}): a deck holds it once. "
                    "Look at the cards again."
                )
            elif card in seen:
                code, expected = "card-already-seen", "a card not yet seen"
                sentence = (
                    f"{name} (card {number}) was already seen in this round. Look at the cards again; if the deck "
                    "really holds it twice, call the floorperson."
                )
            else:
                hand.append(card)
                continue
        findings.append(refusal(code, expected, name, sentence, f"cards.{number}", cite=cite))
    return tuple(hand), tuple(findings)


SUIT_SIGNS = str.maketrans("♣♧♦♢♥♡♠♤", "ccddhhss", "\ufe0e\ufe0f")
_ONE = r"(?:10|[2-9TJQKA])[CDHS]"
_SEVERAL = re.compile(f"(?:{_ONE})+", re.IGNORECASE)


def card_words(text: str) -> list[str]:
    """The cards of an entry one by one, with or without blanks and commas; what is no card stays as it was written.

    >>> card_words("qs6d 10♣"), card_words("Q♠, 6♦ 4x")
    (['qs', '6d', '10c'], ['Qs', '6d', '4x'])
    """
    words = text.translate(SUIT_SIGNS).replace(",", " ").split()
    return [
        card
        for word in words
        for card in (re.findall(_ONE, word, re.IGNORECASE) if _SEVERAL.fullmatch(word) else [word])
    ]


def _spelled(word: str) -> str:
    """``10S`` and ``ts`` as ``Ts``."""
    return (word[:-1].upper().replace("10", "T") + word[-1].lower()) if len(word) > 1 else word
