"""Rounds written down are read again from their own text; the figures of the front page are those of the engine."""

from datetime import date

import pytest

from pitboss.api import rules_for, settle_text
from pitboss.api.playing import play
from pitboss.exact.published import edge_words
from pitboss.findings import UnreadableError
from pitboss.games.registry import GAMES
from pitboss.games.roundfile import read_round_text, round_data, write_round

DAY = date(2026, 1, 1)


@pytest.mark.parametrize("game", GAMES)
def test_a_round_written_down_is_the_round_and_settles_the_same(game: str) -> None:
    rules = rules_for(game, DAY)
    for seed in range(4):
        shown = play(rules, seed, seats=2).finish()
        text = write_round(round_data(game, DAY, shown.played))
        assert read_round_text(text).played == shown.played
        assert settle_text(text, DAY).lines == shown.settlement.lines


def test_a_round_from_a_stranger_reads_no_file_of_the_house() -> None:
    text = f'game = "{next(iter(GAMES))}"\nsubmission = "/etc/hostname"\n'
    with pytest.raises(UnreadableError, match="cannot name one"):
        settle_text(text, DAY)


@pytest.mark.parametrize("game", ["three-card-poker", "sic-bo", "mississippi-stud"])
def test_the_front_page_says_what_the_engine_counts(game: str) -> None:
    from pitboss.exact.edge import MAIN, row, rules_of_variant, variants

    known = GAMES[game]
    first = {each.wager: each for each in reversed(list(variants(known, DAY)))}
    shown = {MAIN: first[MAIN]} if MAIN in first else first
    edges = [100 * row(known, rules_of_variant(known, DAY, each), each)["house_edge"] for each in shown.values()]
    for edge in {min(edges), max(edges)}:
        assert f"{edge:.2f} %" in edge_words(game, "")
