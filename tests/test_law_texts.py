"""The lint beside the texts of the law: every figure, planted wrong, is found."""
# ruff: noqa: E501 -- each plant is a line of a law file, and those are long

import re
from importlib.resources import files

import pytest

from pitboss.findings import errors
from pitboss.law.lint import lint_chapter
from pitboss.law.loader import CHAPTERS, LawError, chapter, read_chapter
from tests.test_law import LAW_TEXTS, needs_texts

PLANTED = [
    # Cells of pay tables
    ("641a", 'straight_flush = "20 to 1", three_of_a_kind = "2 to 1"', 'straight_flush = "20 to 1", three_of_a_kind = "3 to 1"'),
    ("641a", 'rows = { win = "1 to 1" }', 'rows = { win = "2 to 1" }'),
    ("641a", 'four_of_a_kind = "25,000 to 1"', 'four_of_a_kind = "2,500 to 1"'),
    ("641a", '{ match = "20 for 1" }', '{ match = "5 for 1" }'),
    ("641a", 'straight_flush = "10% of meter", four_of_a_kind = "300 for 1"', 'straight_flush = "1% of meter", four_of_a_kind = "300 for 1"'),
    ("641a", '"100% minor jackpot"', '"100% major jackpot"'),
    ("649a", 'letter = "c:C", cite = "649a.12(c)", rows = { mini_royal_of_spades = "50 to 1", mini_royal = "10 to 1"', 'letter = "c:C", cite = "649a.12(c)", rows = { mini_royal_of_spades = "50 to 1", mini_royal = "50 to 1"'),
    ("649a", 'six_card_royal = "$100,000"', 'six_card_royal = "$10,000"'),
    ("671a", 'straight_or_higher = "4 to 1", any = "1 to 1"', 'straight_or_higher = "1 to 1", any = "4 to 1"'),
    ("671a", 'letter = "B", cite = "671a.12(a)", rows = { royal_flush = "1,000 to 1"', 'letter = "B", cite = "671a.12(a)", rows = { royal_flush = "1,500 to 1"'),
    ("684a", 'flush = "3 to 2"', 'flush = "2 to 3"'),
    ("684a", 'four_same_color = "1 to 1"', 'four_same_color = "1 for 1"'),
    ("684a", 'reading = "hold-consistent", rows = { four_aces = "50 to 1", four_of_a_kind = "50 to 1"', 'reading = "hold-consistent", rows = { four_aces = "50 to 1", four_of_a_kind = "60 to 1"'),
    # Names of rows
    ("649a", 'printed = "Super Royal of diamonds"', 'printed = "Royal of diamonds"'),
    ("684a", 'printed = "Any other three-of-a-kind"', 'printed = "Three-of-a-kind"'),
    # Meters: seeds, rates, reserve, and the columns they stand in
    ("641a", 'letter = "A", cite = "641a.12(d)(3)", seed = { meter = "$5,000" }', 'letter = "A", cite = "641a.12(d)(3)", seed = { meter = "$1,000" }'),
    ("641a", 'rate = { meter = "25%" }, reserve = "5%"', 'rate = { meter = "29%" }, reserve = "5%"'),
    ("641a", 'reserve = "5%"', 'reserve = "8%"'),
    ("641a", 'mega = "9%", major = "7%", minor = "3%"', 'mega = "7%", major = "9%", minor = "3%"'),
    ("641a", 'rate = { mega = "10%", major = "8%", minor = "3%" }', 'rate = { mega = "9%", major = "7%", minor = "3%" }'),
    ("641a", 'minor = "$250" }, rate = { mega = "9%"', 'minor = "$1,000" }, rate = { mega = "9%"'),
    ("641a", 'reseed = { meter = "$0" }', 'reseed = { meter = "$10,000" }'),
    ("641a", 'chosen = true, seed = { meter = "$5,000" }', 'chosen = true, seed = { meter = "$1,000" }'),
    ("649a", 'rate = { meter = "14%" }', 'rate = { meter = "20%" }'),
    ("649a", 'rate = { meter = "21%" }, reserve = "8%"', 'rate = { meter = "13%" }, reserve = "8%"'),
    ("649a", 'rate = { meter = "21%" }, reserve = "8%"', 'rate = { meter = "21%" }'),
    # Envy Bonuses: amounts, columns and stakes
    ("641a", 'stake = 1, cite = "641a.12(d)(5)", from = 2014-12-13, rows = { four_aces = "$100", four_of_a_kind = "$10"', 'stake = 1, cite = "641a.12(d)(5)", from = 2014-12-13, rows = { four_aces = "$100", four_of_a_kind = "$25"'),
    ("641a", '{ four_aces = "$500", four_of_a_kind = "$125" }', '{ four_aces = "$500", four_of_a_kind = "$50" }'),
    ("641a", '{ royal_flush = "$1,000", straight_flush = "$300" }', '{ royal_flush = "$5,000", straight_flush = "$1,500" }'),
    ("649a", '{ mini_royal_of_spades = "$500", mini_royal = "$125" }', '{ mini_royal_of_spades = "$100", mini_royal = "$25" }'),
    ("649a", '{ royal_flush_of_spades = "$100", royal_flush = "$50" }', '{ royal_flush_of_spades = "$50", royal_flush = "$100" }'),
    # Figures: seats, decks, hours, cards, multiples, floors
    ("641a", 'name = "seats", value = 7', 'name = "seats", value = 6'),
    ("641a", 'name = "player_cards", value = 5', 'name = "player_cards", value = 6'),
    ("641a", 'name = "play_most_antes", value = 3', 'name = "play_most_antes", value = 1'),
    ("649a", 'name = "version_2_pair_plus_most_antes", value = 2', 'name = "version_2_pair_plus_most_antes", value = 1'),
    ("649a", 'name = "version_3_ratio_most", value = 5', 'name = "version_3_ratio_most", value = 3'),
    ("649a", 'name = "mini_royal_least_pair_plus", value = 40', 'name = "mini_royal_least_pair_plus", value = 5'),
    ("671a", 'name = "bet_antes", value = 2', 'name = "bet_antes", value = 1'),
    ("671a", 'name = "exchange_least", value = 2', 'name = "exchange_least", value = 5'),
    ("671a", 'name = "seats", value = 5', 'name = "seats", value = 6'),
    ("684a", 'name = "payout_limit_least", value = 50000', 'name = "payout_limit_least", value = 5000'),
    ("684a", 'name = "raise_most_antes", value = 3', 'name = "raise_most_antes", value = 2'),
    ("684a", 'name = "deck_change_hours_hand", value = 4', 'name = "deck_change_hours_hand", value = 8'),
    ("684a", 'name = "cut_depth", value = 10', 'name = "cut_depth", value = 5'),
    ("684a", "floor = \"the greater of $50,000", "floor = \"the greater of $5,000"),
    # Dates: adoption, amendments, sections, entries
    ("641a", "adopted = 2012-07-07", "adopted = 2012-07-06"),
    ("641a", 'title = "Rankings", from = 2019-08-31, amended = [2014-08-16, 2019-08-31]', 'title = "Rankings", from = 2019-08-31, amended = [2014-12-13, 2019-08-31]'),
    ("641a", 'name = "seats", value = 7, cite = "641a.2(a)", from = 2014-12-13', 'name = "seats", value = 7, cite = "641a.2(a)", from = 2014-12-12'),
    ("649a", 'title = "Wagers", from = 2019-11-02', 'title = "Wagers", from = 2019-08-31'),
    ("671a", 'title = "Payout odds", from = 2016-08-27', 'title = "Payout odds", from = 2016-08-26'),
    ("684a", 'source = "49 Pa.B. 4956"', 'source = "49 Pa.B. 6676"'),
    # Cites
    ("641a", 'letter = "A", cite = "641a.12(f)"', 'letter = "A", cite = "641a.12(c)"'),
    ("641a", 'title = "Bad Beat Bonus Wager", cite = "641a.7(d)(6)"', 'title = "Bad Beat Bonus Wager", cite = "641a.7(d)(5)"'),
    ("649a", 'title = "Three-Card Progressive Payout Wager", cite = "649a.7(d)(4)"', 'title = "Three-Card Progressive Payout Wager", cite = "649a.7(d)(6)"'),
    ("649a", 'value = 4, cite = "649a.3(c)(1)"', 'value = 4, cite = "649a.3(c)"'),
    ("671a", 'title = "Super Wager on the dealer\'s hand", cite = "671a.7(c)(3)"', 'title = "Super Wager on the dealer\'s hand", cite = "671a.7(c)(2)"'),
    ("671a", 'item = "options", cite = "671a.2(b)(4)"', 'item = "options", cite = "671a.2(b)(5)"'),
    ("684a", 'cite = "684a.13(b)", stage = "irregularity"', 'cite = "684a.13(e)", stage = "irregularity"'),
    ("684a", 'name = "adjacent_boxes", cite = "684a.7(e)"', 'name = "adjacent_boxes", cite = "684a.7(d)"'),
    ("684a", 'cite = "684a.9(b)"\nsteps', 'cite = "684a.8(c)"\nsteps'),
    # Chapters of which only parts are printed
    ("655a", 'four_of_a_kind = "300 for 1"', 'four_of_a_kind = "200 for 1"'),
    ("655a", 'three_of_a_kind = "10 for 1"', 'three_of_a_kind = "9 for 1"'),
    ("655a", 'six_card_royal = "20,000 to 1", ', ""),
    ("655a", 'rate = { mega = "9%", major = "7%", minor = "3%" }', 'rate = { mega = "10%", major = "8%", minor = "3%" }'),
    ("655a", 'reserve = "8%"', 'reserve = "5%"'),
    ("655a", 'name = "player_cards", value = 2', 'name = "player_cards", value = 3'),
    ("655a", 'name = "fourth_street_most_antes", value = 3', 'name = "fourth_street_most_antes", value = 2'),
    ("655a", 'source = "49 Pa.B. 4956"', 'source = "49 Pa.B. 4965"'),
    ("655a", 'title = "Hand rankings"', 'title = "Hand wagers"'),
    ("655a", 'title = "Six Card Bonus Wager", cite = "655a.7(d)(6)"', 'title = "Six Card Bonus Wager", cite = "655a.7(e)"'),
    ("655a", '{ to = "six_card_bonus_cards", cards = 4', '{ to = "six_card_bonus_cards", cards = 3'),
    ("655a", '{ to = "community", cards = 3 }', '{ to = "community", cards = 2 }'),
    ("655a", 'cite = "655a.13(d)", stage', 'cite = "655a.13(e)", stage'),
    ("655a", 'item = "payout_odds", per = "table", cite = "655a.2(b)(8)"', 'item = "payout_odds", per = "table", cite = "655a.2(b)(6)"'),
    ("655a", 'cite = "655a.12(f)", rows', 'cite = "655a.12(g)", rows'),
    ("625a", 'three_of_a_kind = "180 to 1"', 'three_of_a_kind = "150 to 1"'),
    ("625a", 'total_13 = "8 to 1"', 'total_13 = "6 to 1"'),
    ("625a", 'three_dice = "12 to 1"', 'three_dice = "3 to 1"'),
    ("625a", 'one_die = "1 to 1"', 'one_die = "2 to 1"'),
    ("625a", 'name = "dice", value = 3', 'name = "dice", value = 2'),
    ("625a", '{ to = "shaker", dice = 3 }', '{ to = "shaker", dice = 4 }'),
    ("625a", 'device = "automated-shaker"\ncite = "625a.1(d)(2)"', 'device = "automated-shaker"\ncite = "625a.5(f)"'),
    ("639a", 'straight_flush = "5,000 for 1"', 'straight_flush = "500 for 1"'),
    ("639a", 'rate = { meter = "53%" }, reserve = "15%"', 'rate = { meter = "53%" }, reserve = "5%"'),
    ("639a", 'letter = "E", cite = "639a.12(d)(1)", linkable = false', 'letter = "E", cite = "639a.12(d)(1)"'),
    ("639a", 'letter = "D", cite = "639a.12(d)(1)"', 'letter = "D", cite = "639a.12(d)(1)", linkable = false'),
    ("639a", 'name = "dealer_cards", value = 5', 'name = "dealer_cards", value = 4'),
    ("639a", '{ to = "dealer", cards = 4, from_stack = true }', '{ to = "dealer", cards = 3, from_stack = true }'),
    ("643a", 'royal_flush = "25,000 to 1"', 'royal_flush = "20,000 to 1"'),
    ("643a", 'two_pair = "3 to 1", pair_of_tens_or_better = "2 to 1"', 'two_pair = "3 to 1"'),
    ("643a", 'pair_of_tens_or_better = "2 for 1"', 'pair_of_tens_or_better = "3 for 1"'),
    ("643a", 'rate = { meter = "14%" }', 'rate = { meter = "20%" }'),
    ("643a", 'name = "community_cards", value = 2', 'name = "community_cards", value = 3'),
    ("643a", 'name = "payout_limit_least", value = 50000', 'name = "payout_limit_least", value = 5000'),
    ("643a", '{ to = "community", cards = 2, from_stack = true }', '{ to = "community", cards = 1, from_stack = true }'),
    ("643a", 'cite = "643a.11(g)(6)", stage', 'cite = "643a.11(h)", stage'),
    ("657a", 'name = "play_most_antes", value = 3', 'name = "play_most_antes", value = 2'),
    ("657a", 'seed = { meter = "$1,000" }, rate = { meter = "25%" }', 'seed = { meter = "$5,000" }, rate = { meter = "25%" }'),
    ("657a", 'item = "dealer_qualifies", per = "table", cite = "657a.2(b)(7)(ii)"', 'item = "dealer_qualifies", per = "table", cite = "657a.2(b)(7)(i)"'),
    ("657a", 'title = "Queens Up Wager", cite = "657a.11(b)(1)"', 'title = "Queens Up Wager", cite = "657a.11(b)(2)"'),
    ("657a", '{ to = "players+dealer", cards = 1, times = 5 }', '{ to = "players+dealer", cards = 1, times = 4 }'),
    ("679a", 'name = "dealer_cards", value = 3', 'name = "dealer_cards", value = 4'),
    ("679a", 'title = "One Pair Bonus community card", cite = "679a.8(h)"', 'title = "One Pair Bonus community card", cite = "679a.8(g)"'),
    ("679a", 'cite = "679a.10(g)(2)", stage', 'cite = "679a.10(g)(1)", stage'),
    ("679a", '$50,000', '$500,000'),
    ("647a", 'name = "flop_antes", value = 2', 'name = "flop_antes", value = 1'),
    ("647a", 'name = "community_cards", value = 5', 'name = "community_cards", value = 4'),
    ("647a", 'name = "stub_count_rounds", value = 5', 'name = "stub_count_rounds", value = 4'),
    ("647a", 'name = "payout_limit", value = 50000', 'name = "payout_limit", value = 5000'),
    ("647a", 'three_of_a_kind = "10 for 1"', 'three_of_a_kind = "9 for 1"'),
    ("647a", 'rate = { mega = "10%", major = "8%", minor = "3%" }', 'rate = { mega = "9%", major = "7%", minor = "3%" }'),
    ("647a", 'reserve = "8%"', 'reserve = "5%"'),
    ("647a", 'six_card_royal = "20,000 to 1", ', ""),
    ("647a", 'title = "Turn Wager", cite = "647a.12(c)"', 'title = "Turn Wager", cite = "647a.11(b)"'),
    ("647a", 'item = "ante_returned", per = "table", cite = "647a.2(b)(10)(i)"', 'item = "ante_returned", per = "table", cite = "647a.2(b)(10)(ii)"'),
    ("647a", 'cite = "647a.11(b)(2)(i)(B)", stage', 'cite = "647a.11(b)(2)(i)(C)", stage'),
    ("647a", '{ to = "six_card_bonus_cards", cards = 4', '{ to = "six_card_bonus_cards", cards = 3'),
    ("677a", 'name = "payout_limit_least", value = 50000', 'name = "payout_limit_least", value = 5000'),
    ("677a", 'title = "Raise Wager"', 'title = "Play Wager"'),
    ("677a", 'name = "adjacent_boxes", cite = "677a.7(e)"', 'name = "adjacent_boxes", cite = "677a.12(f)"'),
    # Former text, as far as the deleted words give it
    ("637a", 'deleted = ["eight"]', 'deleted = ["seven"]'),
    ("643a", 'royal_flush = "$25,000"', 'royal_flush = "$20,000"'),
    ("643a", 'three_of_a_kind = "$5", two_pair = "$4", pair_of_tens_or_better = "$1"', 'three_of_a_kind = "$5", two_pair = "$4"'),
    ("655a", 'cite = "655a.11(h)", until = 2019-08-30', 'cite = "655a.11(h)", until = 2019-08-29'),
    ("657a", 'cite = "657a.12(e)(3)", until', 'cite = "657a.12(d)(3)", until'),
    # Cards of a deal
    ("649a", '{ to = "community", cards = 2,', '{ to = "community", cards = 3,'),
    ("671a", '{ to = "players+dealer", cards = 1, times = 4 }', '{ to = "players+dealer", cards = 1, times = 3 }'),
    # Actors, conditions, remedies, needs, offers, limits; tests/test_law_conditions.py plants them in every entry
    ("641a", 'actor = "floorperson", act = "order-recut', 'actor = "dealer", act = "order-recut'),
    ("684a", 'actor = "player", act = "seated', 'actor = "dealer", act = "seated'),
    ("641a", 'act = "ask-play-or-fold-clockwise-from-left", when = "ante"', 'act = "ask-play-or-fold-clockwise-from-left"'),
    ("671a", 'act = "no-wager-changed-after-no-more-bets", unless = "bet"', 'act = "no-wager-changed-after-no-more-bets"'),
    ("649a", 'act = "dealer-card-exposed", remedy = ["void-hands", "return-wagers", "reshuffle"]', 'act = "dealer-card-exposed", remedy = ["void-hands", "reshuffle"]'),
    ("655a", '"if-several: void-hands, return-wagers, reshuffle"', '"if-several: void-hands, reshuffle"'),
    ("653a", 'needs_all = ["ante", "blind", "trips"]', 'needs_all = ["ante", "blind"]'),
    ("641a", 'offer = "choice", needs_any = ["ante", "aces_up"]', 'offer = "choice", needs_all = ["ante", "aces_up"]'),
    ("649a", 'role = "unit", optional = true', 'role = "unit"'),
    ("671a", 'cite = "671a.7(c)(2)", role = "required"', 'cite = "671a.7(c)(2)"'),
    ("684a", 'caps = ["ante", "raise", "odds"]', 'caps = ["ante", "raise"]'),
    ("647a", 'caps = ["ante", "flop", "turn", "river"]', 'caps = ["ante", "flop", "turn"]'),
]  # fmt: skip


@needs_texts
@pytest.mark.parametrize("name", CHAPTERS)
def test_the_law_files_agree_with_the_texts(name: str) -> None:
    assert errors(lint_chapter(chapter(name), LAW_TEXTS)) == ()


@needs_texts
@pytest.mark.parametrize(("name", "right", "wrong"), PLANTED, ids=[f"{n}: {w[-60:]}" for n, _, w in PLANTED])
def test_a_planted_error_is_found(name: str, right: str, wrong: str) -> None:
    text = files("pitboss.law").joinpath(f"{name}.toml").read_text(encoding="utf-8")
    assert right in text
    try:
        changed = read_chapter(f"{name}.toml", text.replace(right, wrong, 1))
    except LawError:
        return
    assert errors(lint_chapter(changed, LAW_TEXTS))


@needs_texts
@pytest.mark.parametrize("name", [name for name in CHAPTERS if chapter(name).partly])
def test_everything_that_the_deleted_words_give_is_carried(name: str) -> None:
    text = next((LAW_TEXTS / "partial").glob(f"{name}*.txt")).read_text(encoding="utf-8")
    listed = set(re.findall(r"^DELETED (\d\S+?):", text, re.M))
    assert {str(entry.cite) for entry in chapter(name).earlier} >= listed
