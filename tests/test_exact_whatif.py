"""What if a row paid otherwise: every change that is accepted changes the wager, and every other is refused."""

from datetime import date
from fractions import Fraction
from pathlib import Path

import pytest

from pitboss.exact import draw
from pitboss.exact.board import BoardPlay
from pitboss.exact.decks import SmallDeck
from pitboss.exact.edge import MAIN, Variant, find_variant, main_result, optimal_play, rules_of_variant, variants
from pitboss.exact.figures import figures_of
from pitboss.exact.side import line_of, side_result, table_of
from pitboss.exact.whatif import tables_of, what_if, what_if_table
from pitboss.findings import UnreadableError
from pitboss.games.contract import Game
from pitboss.games.registry import BANKED as GAMES
from pitboss.games.repaying import with_rows
from pitboss.games.rules import Rules
from pitboss.hands.labels import TITLES
from pitboss.law.odds import ForOne, ToOne
from pitboss.names import shown
from tests.test_cli import Ran

TODAY = date(2024, 6, 1)


def wagers(game: Game) -> list[Variant]:
    """Every wager at its first letter, the main game as its options play it."""
    found = []
    for wager in dict.fromkeys(variant.wager for variant in variants(game, TODAY)):
        variant = find_variant(game, TODAY, wager, None, game.played if wager == MAIN else None)
        assert variant is not None
        found.append(variant)
    return found


def worth(game: Game, rules: Rules, variant: Variant) -> tuple[object, ...]:
    """What a wager is worth, and what it wins of a meter."""
    if variant.wager == MAIN:
        return (main_result(game, rules, variant.reading).expected_value,)
    found = side_result(game, rules, variant.wager)
    return found.expected_value, found.jackpots


def accepted(game: Game, rules: Rules, variant: Variant, change: str) -> Rules | None:
    """The changed rules; none if the change was refused with a sentence that says what can be changed."""
    try:
        return what_if(game, rules, variant, [change])
    except UnreadableError as problem:
        refused = str(problem)
    assert f"{shown(variant.wager)} can be changed in" in refused
    return None


@pytest.mark.parametrize("name", GAMES)
def test_what_is_accepted_changes_the_wager_and_what_changes_nothing_is_refused(name: str) -> None:
    """For every wager: every row of its own tables, every other hand it could be asked about, and other tables."""
    game = GAMES[name]
    unpaid = {("lunar-poker", MAIN): {"bet.royal_flush", "bet.straight_flush"}}
    shared: dict[str, tuple[set[str], set[str]]] = {}
    every = wagers(game)
    for variant in every:
        rules = rules_of_variant(game, TODAY, variant)
        before = worth(game, rules, variant)
        own = {f"{table}.{each}" for table in tables_of(rules, variant) for each in rules.tables[table].rows}
        taken = set()
        for table in rules.tables:
            labels = list(rules.tables[table].rows)
            if table not in tables_of(rules, variant):
                labels = labels[:1]
            elif variant.wager != MAIN:
                reads = game.lines.rules[line_of(game, variant.wager)].reads
                known = {str(label) for fact in reads for label in game.lines.domains[fact]} | {"win", "pair_of_aces"}
                labels = list(dict.fromkeys([*labels, *sorted(known & set(TITLES))]))
            for label in labels:
                changed = accepted(game, rules, variant, f"{table}.{label}=7919")
                if changed is None:
                    continue
                taken.add(f"{table}.{label}")
                if variant.wager == MAIN and isinstance(optimal_play(game, rules), BoardPlay):
                    continue  # that takes long to solve again; see the tests of boards
                assert worth(game, changed, variant) != before, f"{variant.wager} {table}.{label}"
        left = own - taken
        if sum(table_of(game, each.wager) == variant.table for each in every) > 1:
            # Rows of a table that several wagers are paid by: each must change one of them.
            shared.setdefault(variant.table, (own, set()))[1].update(taken)
        else:
            assert left == unpaid.get((name, variant.wager), set()), variant.wager
    for rows, found in shared.values():
        assert rows <= found


@pytest.mark.parametrize(
    ("game", "wager", "change"),
    [
        ("three-card-poker", MAIN, "win=2"),
        ("three-card-poker", MAIN, "pair_plus.flush=9"),
        ("three-card-poker", MAIN, "pair=none"),
        ("three-card-poker", "pair_plus", "win=2"),
        ("three-card-poker", "pair_plus", "ante_bonus.straight=9"),
        ("three-card-poker", "pair_plus", "four_of_a_kind=9"),
        ("three-card-poker", "pair_plus", "flush=4"),
        ("four-card-poker", "aces_up", "bad_beat.straight=9"),
        ("four-card-frenzy", MAIN, "odds.four_aces=900"),
        ("four-card-frenzy", MAIN, "win=2"),
        ("lunar-poker", MAIN, "bet.high_card=3"),
        ("lunar-poker", MAIN, "instant_payout.flush=30"),
        ("lunar-poker", MAIN, "win=2"),
    ],
)
def test_a_change_without_effect_is_refused_and_says_what_can_be_changed(game: str, wager: str, change: str) -> None:
    for command in (["edge", game, "--wager", wager], ["strategy", game], ["hand", game, "Qs 6d 4c"])[
        : 3 if wager == MAIN and game == "three-card-poker" else 1
    ]:
        ran = Ran(*command, "--pay", change, "--as-of", str(TODAY))
        assert (ran.code, ran.out) == (2, "")
        assert f"{shown(wager)} can be changed in " in ran.err


def test_a_row_named_twice_is_refused() -> None:
    ran = Ran("edge", "three-card-poker", "--wager", "pair_plus", "--pay", "flush=5", "--pay", "flush=4")
    assert ran.code == 2
    assert "twice" in ran.err


def test_a_row_with_an_effect_is_still_changed() -> None:
    (found,) = Ran("edge", "three-card-poker", "--wager", "main", "--pay", "ante.win=2", "--json").json
    assert found["changed"] == [{"table": "ante", "row": "win", "law": "1 to 1", "pays": "2 to 1"}]
    assert found["house_edge"] < 0


@pytest.mark.parametrize("text", ['rows = { win = "2 to 1" }', 'wager = "ante"\nrows = { win = "2 to 1" }', "same"])
def test_a_new_table_without_effect_is_refused(text: str, tmp_path: Path) -> None:
    game = GAMES["three-card-poker"]
    variant = find_variant(game, TODAY, "pair_plus", "A")
    assert variant is not None
    rules = rules_of_variant(game, TODAY, variant)
    rows = {each: str(odds) for each, odds in rules.tables["pair_plus"].rows.items()}
    same = "rows = { " + ", ".join(f'{each} = "{odds}"' for each, odds in rows.items()) + " }"
    path = tmp_path / "table.toml"
    path.write_text(same if text == "same" else text, encoding="utf-8")
    if text.startswith("rows"):  # takes every row out and adds one that no hand is paid by
        with pytest.raises(UnreadableError, match=r"Pair Plus\.Win has no part in Pair Plus"):
            what_if_table(game, rules, variant, path)
        return
    with pytest.raises(UnreadableError, match="would change nothing of Pair Plus"):
        what_if_table(game, rules, variant, path)


def test_rows_that_only_a_draw_can_win_may_be_changed_where_cards_are_drawn() -> None:
    """A straight flush of the first five cards is paid at once, so the Bet pays one only after a draw."""
    game = GAMES["lunar-poker"]
    counts = draw.count_states(SmallDeck((8, 9, 10, 11, 12)))
    for reading, draws in (("full", True), ("fold-bet-buy", True), ("fold-bet", False)):
        variant = find_variant(game, TODAY, MAIN, "A", reading)
        assert variant is not None
        rules = rules_of_variant(game, TODAY, variant)
        changed = accepted(game, rules, variant, "bet.royal_flush=9999")
        assert (changed is not None) == draws
        added = with_rows(rules, "bet", {"high_card": ToOne(Fraction(3))})
        assert accepted(game, rules, variant, "bet.high_card=3") is None
        before, after, idle = (
            draw.fold_bet_buy(each, counts=counts).result.expected_value for each in (rules, changed or rules, added)
        )
        assert (after > before) == draws
        assert idle == before


def test_a_share_of_a_meter_may_be_changed() -> None:
    game = GAMES["four-card-poker"]
    variant = find_variant(game, TODAY, "five_card_progressive", "A")
    assert variant is not None
    rules = rules_of_variant(game, TODAY, variant)
    changed = what_if(game, rules, variant, ["straight_flush=20% of meter"])
    assert figures_of(game, changed, variant).jackpots != figures_of(game, rules, variant).jackpots
    assert isinstance(rules.tables[variant.table].rows["flush"], ForOne)
