"""Round files that say a thing twice or against the law: a finding each, and nothing is settled."""

from datetime import date
from pathlib import Path

import pytest

from pitboss.api import read_own_round, settle_file, settle_written
from pitboss.games.checks import MOST_CARDS, OVERSIZED
from pitboss.games.registry import GAMES

FRENZY = """game = "four-card-frenzy"
dealer = "9c 8d 5h 3s 2c"
[[seat]]
number = 1
cards = "As Ad Kc 7h 2d"
wagers = { ante = 10, odds = 10 }
decision = "raise"
raise = 30
"""
FOUR = """game = "four-card-poker"
dealer = "9c 8d 5h 3s 2c Jd"
[[seat]]
number = 1
cards = "As Ad Kc 7h 2d"
wagers = { ante = 10, five_card_hand_player = 1, four_card_progressive = 1 }
decision = "play"
play = 30
"""
LUNAR = """game = "lunar-poker"
dealer = "9c 8d 5h 3s 2c"
[[seat]]
number = 1
cards = "As Ad Kc 7h 2d"
wagers = { ante = 10, super = 10 }
decision = "exchange"
discard = "7h 2d"
drawn = "6h 6c"
then = "bet"
bet = 20
"""

WRONG = [
    ("limit below its floor", FRENZY, "", "payout_limit = 49999.99", "payout-limit-too-low", "684a.12(g)"),
    ("limit of nothing", FRENZY, "", "payout_limit = 0", "payout-limit-too-low", "684a.12(g)"),
    ("limit below zero", FRENZY, "", "payout_limit = -1", "payout-limit-too-low", "684a.12(g)"),
    ("two amounts", FRENZY, "raise = 30", "raise = 30\nplay = 10", "two-amounts", "684a.11(b)"),
    ("amount of another wager", FOUR, "play = 30", "raise = 30", "amount-of-another-wager", "641a.11(b)"),
    ("fold with an amount", FRENZY, '"raise"', '"fold"', "fold-with-amount", "684a.11(b)"),
    ("fold with an amount", FOUR, '"play"', '"fold"', "fold-with-amount", "641a.11(b)"),
    ("fold with an amount after a draw", LUNAR, '"bet"', '"fold"', "fold-with-amount", "671a.11(d)(3)"),
    (
        "one meter under two names",
        FOUR,
        "",
        "meters = { five_card_hand = 10000, five_card_hand_player = 20000 }",
        "meter-named-twice",
        "641a.12(g)(4)",
    ),
    (
        "one reserve under two names",
        FOUR,
        "",
        "reserves = { five_card_hand_dealer = 10, five_card_hand_player = 20 }",
        "meter-named-twice",
        "641a.12(g)(4)",
    ),
    ("two Magic Cards", FOUR, "", 'magic_card = "Ks Qs"', "magic-cards", "641a.12(g)(3)"),
    ("a Magic Card where none is", LUNAR, "", 'magic_card = "Ks"', "selection-not-offered", "671a.12"),
    ("a lucky position where none is", FRENZY, "", "lucky_position = 1", "selection-not-offered", "684a.12"),
    (
        "a reserve that the meter has not",
        FOUR,
        "",
        "reserves = { four_card_progressive = 10 }",
        "reserve-without-rate",
        "641a.12(d)(3)",
    ),
]


@pytest.mark.parametrize(("name", "text", "old", "new", "code", "cite"), WRONG, ids=[f"{w[0]} {w[5]}" for w in WRONG])
def test_a_round_that_cannot_be_is_a_finding(
    name: str, text: str, old: str, new: str, code: str, cite: str, tmp_path: Path
) -> None:
    file = tmp_path / "round.toml"
    file.write_text(text)
    assert settle_file(file, date(2024, 6, 1)).findings == (), name
    file.write_text(text.replace(old, new, 1) if old else f"{new}\n{text}")
    settled = settle_file(file, date(2024, 6, 1))
    assert [(finding.code, finding.cite) for finding in settled.findings] == [(code, cite)]
    assert all(finding.expected and finding.found and finding.sentence.endswith(".") for finding in settled.findings)
    assert settled.lines == ()


def test_a_magic_card_that_the_submission_does_not_offer_is_a_finding(tmp_path: Path) -> None:
    from pitboss.submission import template

    (tmp_path / "house.toml").write_text(template("four-card-poker", date(2024, 6, 1)))
    file = tmp_path / "round.toml"
    file.write_text(f'submission = "house.toml"\nmagic_card = "As"\nlucky_position = "dealer"\n{FOUR}')
    codes = [(finding.code, finding.cite) for finding in settle_file(file, date(2024, 6, 1)).findings]
    assert codes == [("selection-not-offered", "641a.12(g)(3)")] * 2


def test_every_finding_of_a_file_comes_at_once(tmp_path: Path) -> None:
    file = tmp_path / "round.toml"
    file.write_text(
        'magic_card = "Ks Qs"\nreserves = { four_card_progressive = 10 }\n' + FOUR.replace('"play"', '"fold"')
    )
    codes = {finding.code for finding in settle_file(file, date(2024, 6, 1)).findings}
    assert codes == {"magic-cards", "fold-with-amount", "reserve-without-rate"}


THREE = """game = "three-card-poker"
dealer = "9c 8d 5h"
[[seat]]
number = 1
cards = "As Ks Qs"
wagers = { ante = 10, pair_plus = 10 }
decision = "play"
"""
"""A royal flush of spades: 5 to 1 by table A of 649a.12(b), 50 to 1 by table A of (c)."""


@pytest.mark.law("649a.12(c)")
@pytest.mark.parametrize(
    ("head", "paid"),
    [("", 5000), ("version = 1", 50_000), ("version = 2", 50_000), ("version = 3", 50_000)],
)
def test_a_version_has_ante_bonus_tables_of_its_own(head: str, paid: int, tmp_path: Path) -> None:
    """Where no letter is given the version's table A pays, never that of the plain game."""
    (file := tmp_path / "round.toml").write_text(f"{head}\n{THREE}")
    settled = settle_file(file, date(2024, 6, 1))
    assert [line.net for line in settled.lines if line.wager == "ante_bonus"] == [paid]


@pytest.mark.parametrize(
    ("head", "code"),
    [
        ('version = 1\npaytables = { ante_bonus = "A" }', "version-ante-bonus"),
        ('paytables = { ante_bonus = "c:A" }', "version-missing"),
    ],
)
def test_a_table_of_the_other_game_is_a_finding(head: str, code: str, tmp_path: Path) -> None:
    (file := tmp_path / "round.toml").write_text(f"{head}\n{THREE}")
    settled = settle_file(file, date(2024, 6, 1))
    assert [(finding.code, finding.cite) for finding in settled.findings] == [(code, "649a.12(c)")]
    assert settled.lines == ()


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("cards", [MOST_CARDS, MOST_CARDS + 1, 4_000])
def test_a_hand_that_no_game_deals_is_not_ranked(game: str, cards: int) -> None:
    """The best four of 4,000 cards would be sought among 10^13."""
    own = " ".join(["As", "Kd", "7h", "3c"] * cards)[: 3 * cards]
    text = f'game = "{game}"\n[[seat]]\nnumber = 1\ncards = "{own}"\nwagers = {{ ante = 5, red = 5 }}\n'
    codes = {finding.code for finding in settle_written(read_own_round(text), date(2024, 6, 1)).findings}
    assert codes
    assert (OVERSIZED in codes) == (cards > MOST_CARDS)


@pytest.mark.parametrize("place", ["dealer", "drawn"])
def test_other_hands_that_no_game_deals_are_not_ranked(place: str) -> None:
    known = "9c 8d 5h 3s 2c" if place == "dealer" else "6h 6c"
    text = LUNAR.replace(known, "6h 6c 2c 3c " * 1_000)
    assert OVERSIZED in {finding.code for finding in settle_written(read_own_round(text), date(2024, 6, 1)).findings}


@pytest.mark.parametrize("game", ["sic-bo", "roulette"])
def test_cards_given_twice_in_a_game_without_cards_are_too_many(game: str) -> None:
    text = f'game = "{game}"\n[[seat]]\nnumber = 1\ncards = "As As"\nwagers = {{ red = 5 }}\n'
    assert "card-count" in {finding.code for finding in settle_written(read_own_round(text), date(2024, 6, 1)).findings}
