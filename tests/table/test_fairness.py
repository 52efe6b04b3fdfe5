"""The shuffle is fair, and the test that says so finds shuffles that are not."""

import importlib.util
import math
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from pitboss.cards import DECK
from pitboss.table.source import ByteRandomness, SeededRandomness, SystemRandomness, shuffle
from tests.fairness import (
    STREAM_BYTES,
    batch_chi_square,
    batch_shuffle,
    batches,
    chi_square,
    position_chi_square,
    position_table,
    upper_gamma,
)

LEAST_P = 1e-6
Decks = NDArray[Any]


class Replay(ByteRandomness):
    def __init__(self, stream: bytes) -> None:
        super().__init__()
        self._stream = stream

    def _block(self) -> bytes:
        block, self._stream = self._stream, b""
        assert block, "the live shuffle read more bytes than the batch"
        return block


def streams(seed: str, rows: int, width: int = STREAM_BYTES) -> Decks:
    return np.frombuffer(SeededRandomness(seed).token(rows * width), np.uint8).reshape(rows, width)


# --- batch and live are one shuffle -----------------------------------------------------------------------------------


def test_batch_and_live_shuffle_agree_byte_for_byte() -> None:
    rows = streams("agree", 2000)
    batch = batch_shuffle(rows)
    for stream, deck in zip(rows, batch, strict=True):
        assert shuffle(Replay(stream.tobytes())) == tuple(deck)


def test_a_batch_that_runs_out_of_bytes_goes_on_where_it_stopped() -> None:
    rows, later = streams("first", 300, 50), streams("later", 300)
    batch = batch_shuffle(rows, lambda _: later.tobytes())
    for stream, more, deck in zip(rows, later, batch, strict=True):
        assert shuffle(Replay(stream.tobytes() + more.tobytes())) == tuple(deck)


def test_batches_give_the_number_asked_for() -> None:
    assert [len(decks) for decks in batches(40_500, bytes)] == [20_000, 20_000, 500]


# --- the chi-square ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("a", [1, 2, 7, 51, 300])
@pytest.mark.parametrize("ratio", [0.3, 0.9, 1.0, 1.1, 1.6])
def test_the_gamma_function_of_a_whole_number_is_a_poisson_sum(a: int, ratio: float) -> None:
    x = a * ratio
    poisson = math.fsum(math.exp(k * math.log(x) - x - math.lgamma(k + 1)) for k in range(a))
    assert math.isclose(upper_gamma(a, x), poisson, rel_tol=1e-10)


@pytest.mark.parametrize("x", [0.01, 0.4, 1.4, 1.6, 9.0])
def test_the_gamma_function_of_one_half_is_the_normal_tail(x: float) -> None:
    half = math.erfc(math.sqrt(x))
    assert math.isclose(upper_gamma(0.5, x), half, rel_tol=1e-12)
    assert math.isclose(upper_gamma(1.5, x), half + 2 * math.sqrt(x / math.pi) * math.exp(-x), rel_tol=1e-12)


def test_z_and_p_tell_the_same_story() -> None:
    for statistic in (2300, 2601, 2700, 2950):
        result = chi_square(statistic, 2601)
        assert math.isclose(result.p, math.erfc(result.z / math.sqrt(2)) / 2, rel_tol=0.01)


def test_nothing_and_far_too_much() -> None:
    assert chi_square(0, 51).p == 1
    assert chi_square(1e6, 51).p == 0


def test_the_statistic_has_the_mean_that_two_fixed_margins_and_a_deck_give() -> None:
    """Without the factor 51/52 the mean would be 2652, seven standard errors away."""
    token = SeededRandomness("mean").token
    statistics = [batch_chi_square(200, token).statistic for _ in range(100)]
    assert abs(float(np.mean(statistics)) - 2601) < 4 * math.sqrt(2 * 2601 / 100)
    assert 0.8 < float(np.std(statistics)) / math.sqrt(2 * 2601) < 1.2


def test_the_table_counts_cards_by_place() -> None:
    turned = [*range(1, 52), 0]
    table = position_table([DECK, DECK, turned])
    assert table[5, 5] == 2
    assert table[5, 4] == 1
    assert table.sum(axis=0).tolist() == table.sum(axis=1).tolist() == [3] * 52


@pytest.mark.parametrize("shuffles", [[], [range(51)], [[0] * 52], [[*range(51), 52]]])
def test_what_is_no_shuffle_is_refused(shuffles: list[list[int]]) -> None:
    with pytest.raises(ValueError, match=r"52 cards, and at least one|once"):
        position_chi_square(shuffles)


# --- fair and unfair shuffles -----------------------------------------------------------------------------------------


def test_the_live_shuffle_is_fair_on_60_000_decks() -> None:
    result = batch_chi_square(60_000, SeededRandomness("fair").token)
    assert LEAST_P < result.p < 1 - LEAST_P


def test_live_decks_one_by_one_are_fair() -> None:
    source = SeededRandomness("one by one")
    result = position_chi_square(shuffle(source) for _ in range(3000))
    assert LEAST_P < result.p < 1 - LEAST_P


def test_the_live_shuffle_is_fair_on_a_million_decks() -> None:
    result = batch_chi_square(1_000_000, SystemRandomness().token)
    assert LEAST_P < result.p < 1 - LEAST_P


Draw = Callable[[np.random.Generator, int, int], Decks]


def planted(count: int, places: range, draw: Draw) -> Decks:
    """Shuffles that exchange every place of ``places`` with the one that ``draw(rng, place, count)`` says."""
    rng = np.random.default_rng(26)
    cards = np.repeat(np.arange(52)[:, None], count, axis=1)
    columns = np.arange(count)
    for place in places:
        other = draw(rng, place, count)
        taken = cards[other, columns]
        cards[other, columns] = cards[place]
        cards[place] = taken
    return cards.T


def naive(rng: np.random.Generator, _place: int, count: int) -> Decks:
    return rng.integers(0, 52, count)


def sattolo(rng: np.random.Generator, place: int, count: int) -> Decks:
    return rng.integers(0, place, count)


def byte_remainder(rng: np.random.Generator, place: int, count: int) -> Decks:
    return rng.integers(0, 256, count) % (place + 1)


def correct(rng: np.random.Generator, place: int, count: int) -> Decks:
    return rng.integers(0, place + 1, count)


DOWN = range(51, 0, -1)


@pytest.mark.parametrize("count", [20_000, 60_000])
@pytest.mark.parametrize(
    ("places", "draw"),
    [(range(52), naive), (DOWN, sattolo), (DOWN, byte_remainder), (range(51, 1, -1), correct)],
    ids=["naive exchange with any", "off by one", "byte remainder", "stops one place early"],
)
def test_a_planted_unfair_shuffle_is_found(places: range, draw: Draw, count: int) -> None:
    result = position_chi_square(planted(count, places, draw))
    assert result.p < 1e-12
    assert result.z > 7


def test_the_frame_of_the_planted_shuffles_is_itself_fair() -> None:
    result = position_chi_square(planted(60_000, DOWN, correct))
    assert LEAST_P < result.p < 1 - LEAST_P


def test_decks_that_are_too_even_are_found() -> None:
    """Every card exactly equally often in every place is no more random than a bias."""
    turned = np.array([np.roll(np.arange(52), turn) for turn in range(52)] * 100)
    assert position_chi_square(turned).p > 1 - LEAST_P


# --- the fifteen tests of the generator -------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def generator() -> ModuleType:
    path = Path(__file__).parents[2] / "scripts" / "p26_generator.py"
    spec = importlib.util.spec_from_file_location("p26_generator", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def draws() -> Decks:
    source = SeededRandomness("draws")
    return np.array([source.randbelow(52) for _ in range(100_000)], np.uint8)


NUMBERS = range(15)


@pytest.mark.parametrize("number", NUMBERS)
def test_a_fair_generator_passes(generator: ModuleType, draws: Decks, number: int) -> None:
    _, test, _ = generator.TESTS[number]
    assert test(draws).p >= generator.LEVEL


@pytest.mark.parametrize("number", NUMBERS)
def test_the_fault_planted_for_it_fails(generator: ModuleType, draws: Decks, number: int) -> None:
    _, test, bad = generator.TESTS[number]
    assert test(bad(np.random.default_rng([26, number + 1]), len(draws))).p < generator.LEVEL


def test_there_are_fifteen_and_the_level_allows_for_it(generator: ModuleType) -> None:
    assert len(generator.TESTS) == len(NUMBERS)
    assert math.isclose(generator.LEVEL, 0.05 / 15)
