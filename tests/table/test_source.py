"""Card sources: unbiased numbers, sealed decks that cannot be changed unnoticed, and cards keyed in by hand."""

import copy
import hashlib
import os
import pickle
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pitboss.cards import DECK, Card, Hand, parse_cards, show_card
from pitboss.table.source import (
    SALT_BYTES,
    ByteRandomness,
    Randomness,
    SeededRandomness,
    SystemRandomness,
    check_deal,
    commitment_of,
    commitment_text,
    cut,
    key_in,
    seal,
    shuffle,
)


class Scripted(ByteRandomness):
    """Reads the given bytes, one block of each, and then fails."""

    def __init__(self, *blocks: bytes) -> None:
        super().__init__()
        self._blocks: Iterator[bytes] = iter(blocks)

    def _block(self) -> bytes:
        return next(self._blocks)


class Chosen:
    """Answers ``randbelow`` from a list, to walk through every possible shuffle."""

    def __init__(self, answers: tuple[int, ...]) -> None:
        self._answers = iter(answers)

    def randbelow(self, n: int) -> int:
        answer = next(self._answers)
        assert 0 <= answer < n
        return answer

    def token(self, n: int) -> bytes:
        raise NotImplementedError


def first_accepted(n: int, width: int) -> Counter[int]:
    """The value that each possible first read leads to; -1 where the read is thrown away."""
    found: Counter[int] = Counter()
    for value in range(256**width):
        source = Scripted(value.to_bytes(width, "big"))
        try:
            found[source.randbelow(n)] += 1
        except StopIteration:
            found[-1] += 1
    return found


@pytest.mark.parametrize("n", [2, 3, 10, 32, 51, 52, 129, 255, 256])
def test_every_value_has_the_same_number_of_bytes(n: int) -> None:
    found = first_accepted(n, 1)
    assert found.pop(-1, 0) == 256 % n
    assert found == dict.fromkeys(range(n), 256 // n)


def test_a_range_above_256_reads_two_bytes() -> None:
    found = first_accepted(300, 2)
    assert found.pop(-1) == 65536 % 300
    assert found == dict.fromkeys(range(300), 65536 // 300)


def test_a_rejected_byte_is_followed_by_the_next_one() -> None:
    source = Scripted(bytes([208, 255, 207]), bytes([1]))
    assert source.randbelow(52) == 51
    assert source.randbelow(52) == 1


def test_a_single_value_reads_no_byte() -> None:
    assert Scripted().randbelow(1) == 0


@pytest.mark.parametrize("n", [0, -3])
def test_no_number_below_one_possible_value(n: int) -> None:
    with pytest.raises(ValueError, match="at least 1"):
        SystemRandomness().randbelow(n)


def test_a_number_may_straddle_two_blocks() -> None:
    source = Scripted(b"\x01", b"\x02\x03", b"\x04")
    assert source.token(1) == b"\x01"
    assert source.token(3) == b"\x02\x03\x04"


def test_seeded_numbers_are_sha256_in_counter_mode() -> None:
    stream = b"".join(hashlib.sha256(f"pitboss-seed-1\ndemo\n{k}\n".encode()).digest() for k in range(3))
    assert SeededRandomness("demo").token(90) == stream[:90]
    source = SeededRandomness("demo")
    assert [source.randbelow(256) for _ in range(90)] == list(stream[:90])


def test_seeds() -> None:
    assert shuffle(SeededRandomness(7)) == shuffle(SeededRandomness("7"))
    assert shuffle(SeededRandomness(7)) != shuffle(SeededRandomness(8))


def test_only_one_thread_at_a_time_is_served() -> None:
    class Slow(ByteRandomness):
        inside = most = blocks = 0

        def _block(self) -> bytes:
            self.inside += 1
            self.most = max(self.most, self.inside)
            time.sleep(0.02)  # lets every other thread come in, if it can
            self.inside -= 1
            self.blocks += 1
            return bytes([self.blocks])

    source = Slow()
    with ThreadPoolExecutor(4) as pool:
        tokens = list(pool.map(lambda _: source.token(1), range(8)))
    assert source.most == 1
    assert sorted(tokens) == [bytes([k]) for k in range(1, 9)]


def test_live_cards_come_from_the_operating_system_and_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "urandom", SeededRandomness("system").token)
    source, same_bytes = SystemRandomness(), SeededRandomness("system")
    assert [shuffle(source) for _ in range(200)] == [shuffle(same_bytes) for _ in range(200)]
    monkeypatch.setattr(os, "urandom", lambda n: b"\x05" * n)
    assert source.token(3) == b"\x05\x05\x05"


def primed() -> SystemRandomness:
    """A source with bytes in its buffer."""
    source = SystemRandomness()
    source.randbelow(52)
    return source


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_process_does_not_deal_the_same_cards() -> None:
    source = primed()
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writing, bytes(shuffle(source)))
        os._exit(0)
    os.waitpid(child, 0)
    try:
        assert os.read(reading, 64) != bytes(shuffle(source))
    finally:
        os.close(reading)
        os.close(writing)


@pytest.mark.parametrize(
    "duplicate", [copy.copy, copy.deepcopy, lambda source: pickle.loads(pickle.dumps(source))], ids=range(3)
)
def test_a_copy_does_not_deal_the_same_cards(duplicate: "type[SystemRandomness]") -> None:
    source = primed()
    twin = duplicate(source)  # type: ignore[call-arg]
    assert isinstance(twin, SystemRandomness)
    assert shuffle(twin) != shuffle(source)


@pytest.mark.parametrize("randomness", [SystemRandomness(), SeededRandomness(1)])
def test_a_shuffle_keeps_the_deck(randomness: Randomness) -> None:
    for _ in range(50):
        cards = shuffle(randomness)
        assert cards != DECK
        assert tuple(sorted(cards)) == DECK


def test_every_order_of_a_small_deck_comes_from_exactly_one_choice() -> None:
    small = DECK[:5]
    orders = [shuffle(Chosen(answers), small) for answers in product(range(5), range(4), range(3), range(2))]
    assert sorted(orders) == sorted(permutations(small))


SALT = bytes(range(32))


def test_the_commitment_is_what_sha256sum_prints() -> None:
    """The digest was made with ``printf 'pitboss-deck-1\\n0001…1f\\nAs Kd 2c\\n' | sha256sum``."""
    cards = parse_cards("As Kd 2c")
    assert commitment_text(cards, SALT) == f"pitboss-deck-1\n{SALT.hex()}\nAs Kd 2c\n"
    assert commitment_of(cards, SALT) == "d4fa8bc0db534069173df86e25f3fa0acf6e7a3f1f6439007b6a0d751301d19f"


def test_a_sealed_deck_keeps_its_secret() -> None:
    randomness = SeededRandomness("seal")
    cards = shuffle(randomness)
    sealed = seal(cards, randomness)
    assert sealed.cards == cards
    assert len(sealed.salt) == SALT_BYTES
    assert sealed.commitment == commitment_of(cards, sealed.salt)
    assert sealed.salt.hex() not in repr(sealed)
    assert str(cards[0]) + ", " + str(cards[1]) not in repr(sealed)
    assert sealed.commitment in repr(sealed)
    assert seal(cards, randomness).commitment != sealed.commitment


def test_a_cut_moves_the_cards_above_the_cover_card_to_the_bottom() -> None:
    assert cut(parse_cards("As Ks Qs Js Ts"), 2) == parse_cards("Qs Js Ts As Ks")
    assert cut(DECK, 0) == cut(DECK, 52) == DECK


@pytest.mark.parametrize("at", [-1, 53])
def test_a_cut_outside_the_deck(at: int) -> None:
    with pytest.raises(ValueError, match=f"52 cards cannot be cut {at} cards"):
        cut(DECK, at)


DECK_OF_ROUND = shuffle(SeededRandomness("round"))
PROMISE = commitment_of(DECK_OF_ROUND, SALT)
CUTS = (17, 30)
LEFT: Hand = cut(cut(DECK_OF_ROUND, 17), 30)[:23]


def codes(
    commitment: str = PROMISE,
    cards: Hand = DECK_OF_ROUND,
    salt: bytes = SALT,
    cuts: tuple[int, ...] = CUTS,
    dealt: Hand = LEFT,
) -> list[str]:
    return [finding.code for finding in check_deal(commitment, cards, salt, cuts, dealt)]


def test_an_honest_deal_has_no_finding() -> None:
    assert codes() == []
    assert codes(dealt=()) == []
    assert codes(cuts=(), dealt=DECK_OF_ROUND) == []
    assert codes(commitment=f" {PROMISE.upper()}\n") == []


def test_a_changed_salt_or_commitment() -> None:
    assert codes(salt=SALT[:-1] + b"\x00") == ["commitment-differs"]
    assert codes(commitment="0" * 64) == ["commitment-differs"]
    (finding,) = check_deal("0" * 64, DECK_OF_ROUND, SALT, CUTS, LEFT)
    assert PROMISE in finding.sentence


@given(st.integers(0, 51), st.integers(0, 51))
def test_any_two_cards_exchanged_after_the_promise_are_found(one: int, other: int) -> None:
    cards = list(DECK_OF_ROUND)
    cards[one], cards[other] = cards[other], cards[one]
    honest = cut(cut(cards, 17), 30)[:23]
    assert codes(cards=tuple(cards), dealt=honest) == ([] if one == other else ["commitment-differs"])


@given(st.integers(0, 22), st.sampled_from(DECK))
def test_any_wrong_card_is_named(place: int, card: Card) -> None:
    dealt = (*LEFT[:place], card, *LEFT[place + 1 :])
    findings = check_deal(PROMISE, DECK_OF_ROUND, SALT, CUTS, dealt)
    if card == LEFT[place]:
        assert findings == ()
    else:
        (finding,) = findings
        due = show_card(LEFT[place])
        assert (finding.code, finding.expected, finding.found) == ("dealt-card-differs", due, show_card(card))
        assert finding.sentence == (
            f"Card {place + 1} to leave the deck was {show_card(card)}, but card {place + 1} of the deck is {due}."
        )


def test_a_skipped_card_is_found_where_it_was_skipped() -> None:
    (finding,) = check_deal(PROMISE, DECK_OF_ROUND, SALT, CUTS, LEFT[:4] + LEFT[5:])
    assert finding.where == "dealt.5"


@pytest.mark.parametrize("cuts", [(), (17,), (30,), (17, 31)])
def test_another_cut_is_found(cuts: tuple[int, ...]) -> None:
    assert codes(cuts=cuts) == ["dealt-card-differs"]


def test_a_cut_outside_the_deck_is_a_finding() -> None:
    findings = check_deal(PROMISE, DECK_OF_ROUND, SALT, (17, 60), LEFT)
    assert [finding.code for finding in findings] == ["cut-out-of-range"]
    assert findings[0].sentence == "Cut 2 is said to lie 60 cards from the top of a deck of 52 cards."


def test_more_cards_than_the_deck_has() -> None:
    findings = check_deal(PROMISE, DECK_OF_ROUND, SALT, (), (*DECK_OF_ROUND, DECK_OF_ROUND[0]))
    assert [finding.code for finding in findings] == ["dealt-beyond-deck"]
    assert "Card 53" in findings[0].sentence


def test_a_promised_deck_with_a_card_twice() -> None:
    cards = (*DECK_OF_ROUND[:51], DECK_OF_ROUND[0])
    (finding,) = check_deal(commitment_of(cards, SALT), cards, SALT, (), cards[:5])
    assert finding.code == "deck-not-complete"
    assert f"holds {show_card(DECK_OF_ROUND[0])} more than once" in finding.sentence
    assert f"lacks {show_card(DECK_OF_ROUND[51])}" in finding.sentence


def test_a_promised_deck_with_a_card_missing_or_too_many() -> None:
    short, long = DECK_OF_ROUND[:51], (*DECK_OF_ROUND, DECK_OF_ROUND[9])
    assert codes(commitment_of(short, SALT), short, cuts=(), dealt=short) == ["deck-not-complete"]
    assert codes(commitment_of(long, SALT), long, cuts=(), dealt=long) == ["deck-not-complete"]


def test_a_number_that_is_no_card() -> None:
    assert codes(cards=(*DECK_OF_ROUND[:51], Card(52))) == ["deck-not-complete"]
    assert codes(cuts=(), dealt=(Card(-1),)) == ["dealt-card-differs"]


def test_cards_keyed_in() -> None:
    assert key_in("As Kd 2c", seen=parse_cards("Ks")) == (parse_cards("As Kd 2c"), ())
    assert key_in(" aS,10d , tH\n", seen=()) == (parse_cards("As Td Th"), ())
    for text in ("qs6d4c", "Q♠ 6♦ 4♣", "QS6♢4♣\ufe0e", "q♠,6d 4C"):
        assert key_in(text, seen=()) == (parse_cards("Qs 6d 4c"), ())


@pytest.mark.parametrize("word", ["1s", "Ax", "A", "10", "AsK", "110s", "AAs"])
def test_a_word_that_is_no_card(word: str) -> None:
    hand, (finding,) = key_in(f"As {word} 2c", seen=(), cite="649a.8(b)")
    assert hand == parse_cards("As 2c")
    assert (finding.code, finding.cite, finding.found, finding.where) == ("not-a-card", "649a.8(b)", word, "cards.2")
    assert repr(word) in finding.sentence


def test_a_card_keyed_in_twice() -> None:
    hand, (finding,) = key_in("As Kd as", seen=())
    assert hand == parse_cards("As Kd")
    assert finding.code == "card-twice"
    assert "As is written twice in this entry (cards 1 and 3)" in finding.sentence


def test_a_card_seen_before_in_the_round() -> None:
    hand, (finding,) = key_in("As Kd", seen=set(parse_cards("Kd 2c")))
    assert hand == parse_cards("As")
    assert finding.code == "card-already-seen"
    assert finding.sentence.startswith("Kd (card 2) was already seen in this round.")


def test_every_fault_of_an_entry_is_told() -> None:
    _, findings = key_in("Kd Kd xx", seen=parse_cards("Kd"))
    assert [finding.code for finding in findings] == ["card-already-seen", "card-twice", "not-a-card"]


def test_an_empty_entry() -> None:
    hand, (finding,) = key_in(" , ", seen=())
    assert hand == ()
    assert finding.code == "no-card"
