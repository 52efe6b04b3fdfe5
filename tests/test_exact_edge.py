"""Rows of the edge command, what-if, target and findings from mathematics."""

import json
import warnings
from datetime import date
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

from pitboss.exact import cache
from pitboss.exact.edge import MAIN, edge_rows, find_variant, rules_of_variant, variants
from pitboss.exact.figures import figures_of
from pitboss.exact.lint import mathematics_findings
from pitboss.exact.published import outside_approved, published
from pitboss.exact.target import hold, targets
from pitboss.exact.whatif import rules_with_table, tables_of, what_if
from pitboss.findings import UnreadableError
from pitboss.games.contract import Game
from pitboss.games.registry import BANKED as GAMES
from pitboss.games.repaying import with_rows
from pitboss.law.odds import ForOne, ToOne
from tests.states import changed_rules
from tests.test_cli import Ran

TODAY = date(2024, 6, 1)
TCP, FCP = GAMES["three-card-poker"], GAMES["four-card-poker"]
FCF, LUNAR = GAMES["four-card-frenzy"], GAMES["lunar-poker"]


def figures(game: Game, wager: str, letter: str, reading: str | None = None) -> dict[str, object]:
    variant = find_variant(game, TODAY, wager, letter, reading)
    assert variant is not None
    return figures_of(game, rules_of_variant(game, TODAY, variant), variant).as_dict()


def test_every_wager_letter_and_reading_has_one_row() -> None:
    for game in GAMES.values():
        keys = [(v.wager, v.letter, v.reading) for v in variants(game, TODAY)]
        assert len(keys) == len(set(keys))
        before = {wager.name for wager in game.chapter.wagers if wager.placed == "before" and wager.picks != "seats"}
        unknown = {row for table in game.chapter.paytables for row in table.open_rows}
        assert before - set(game.course.main) - unknown <= {wager for wager, _, _ in keys}
    assert [v.letter for v in variants(FCF, TODAY, MAIN)] == list("ABCD")
    assert {v.letter for v in variants(TCP, TODAY, MAIN)} == {"A", "B", "C", "c:A", "c:B", "c:C"}
    assert [v.reading for v in variants(LUNAR, TODAY, MAIN)][2:4] == ["fold-bet-buy", "fold-bet"]


def test_prime_as_published() -> None:
    prime = figures(FCF, "prime", "A")
    assert prime["expected_value"] == "-79/1666"
    assert prime["denominator"] == "wager"
    assert prime["cite"] == "684a.12(d)"
    assert figures(FCF, "prime", "B")["expected_value"] == "-5/51"


def test_the_rulemaking_s_holds_come_out() -> None:
    """Both ends of every range that the preamble of 2019 states, as it prints them."""
    required = [row["house_edge_required"] for row in edge_rows(FCF, TODAY, MAIN)]
    assert (round(100 * min(required), 3), round(100 * max(required), 3)) == (1.198, 1.674)
    for wager, least, most in (("prime", 4.74, 9.80), ("all_six", 6.74, 18.10)):
        holds = [row["house_edge"] for row in edge_rows(FCF, TODAY, wager)]
        assert (round(100 * min(holds), 2), round(100 * max(holds), 2)) == (least, most)


def test_the_four_card_bonus_holds_as_approved_only_under_the_other_reading() -> None:
    rows = list(edge_rows(FCF, TODAY, "four_card_bonus"))
    consistent = [r["house_edge"] for r in rows if r["reading"] == "hold-consistent"]
    printed = [r["house_edge"] for r in rows if r["reading"] == "printed"]
    assert (round(100 * min(consistent), 2), round(100 * max(consistent), 2)) == (1.70, 7.23)
    assert min(printed) > 0.2


def test_the_famous_disagreement_about_four_card_poker_is_a_reading() -> None:
    """2.79 % if a beaten hand is paid its Ante Bonus, about 2.9 % if it is not."""
    always = figures(FCP, MAIN, "-", "printed")
    unless = figures(FCP, MAIN, "-", "ante-bonus-unless-beaten")
    assert round(100 * float(str(always["house_edge"])), 2) == 2.79
    assert round(100 * float(str(always["element_of_risk"])), 2) == 1.30
    assert round(100 * float(str(unless["house_edge"])), 1) == 2.9


def test_main_rows_have_every_published_key() -> None:
    main = figures(TCP, MAIN, "A")
    wanted = {"house_edge_required", "element_of_risk", "average_total_wager", "choices", "standard_deviation"}
    assert wanted <= set(main)
    assert main["expected_value"] == "-686689/20358520"
    assert main["denominator"] == "ante"
    assert "Wizard" in str(main["published"])


def test_progressive_rows_leave_the_meter_out_and_name_its_jackpots() -> None:
    progressive = figures(FCP, "five_card_progressive", "A")
    jackpots = progressive["jackpots"]
    assert isinstance(jackpots, dict)
    assert jackpots["meter"] == {"probability": "1/649740", "share": 1.0}
    assert jackpots["meter 10%"] == {"probability": "3/216580", "share": 0.1}
    tiers = figures(FCP, "five_card_progressive", "C")["jackpots"]
    assert isinstance(tiers, dict)
    assert list(tiers) == ["mega", "major", "minor"]
    assert "optimal_play" in progressive


def test_fixed_sums_depend_on_the_stake() -> None:
    variant = find_variant(TCP, TODAY, "six_card_bonus", "E")
    assert variant is not None
    rules = rules_of_variant(TCP, TODAY, variant)
    holds = [float(figures_of(TCP, rules, variant, stake).hold) for stake in (100, 500)]
    assert holds[0] < holds[1]


def test_more_pay_never_raises_the_hold_and_play_is_chosen_anew() -> None:
    variant = find_variant(FCF, TODAY, MAIN, "A")
    assert variant is not None
    rules = rules_of_variant(FCF, TODAY, variant)
    better = changed_rules(rules, "odds", ["raise.win=2", "straight=5 to 1"])
    before, after = (figures_of(FCF, r, variant).as_dict() for r in (rules, better))
    assert after["house_edge"] < before["house_edge"]
    assert after["choices"] != before["choices"]


def test_a_changed_row_moves_the_hold_by_its_probability() -> None:
    variant = find_variant(TCP, TODAY, "pair_plus", "A")
    assert variant is not None
    rules = rules_of_variant(TCP, TODAY, variant)
    values = [
        figures_of(TCP, r, variant).expected_value for r in (rules, changed_rules(rules, "pair_plus", ["flush=5"]))
    ]
    assert values[1] - values[0] == Fraction(1_096, 22_100)


def test_changes_are_read_in_the_way_of_the_table() -> None:
    variant = find_variant(FCP, TODAY, "four_card_progressive", "A")
    assert variant is not None
    rules = rules_of_variant(FCP, TODAY, variant)
    table = changed_rules(rules, variant.table, ["three_of_a_kind=12", "flush=2 to 1", "straight_flush=none"]).tables[
        variant.table
    ]
    assert table.rows["three_of_a_kind"] == ForOne(Fraction(12))
    assert table.rows["flush"] == ToOne(Fraction(2))
    assert "straight_flush" not in table.rows
    assert with_rows(rules, variant.table, {}).tables == rules.tables


@pytest.mark.parametrize("change", ["flush", "flush=", "=7", "flush=seven", "nobody=7", "nowhere.flush=7"])
def test_changes_that_cannot_be_read(change: str) -> None:
    variant = find_variant(FCP, TODAY, "aces_up", "A")
    assert variant is not None
    rules = rules_of_variant(FCP, TODAY, variant)
    if change == "flush=":
        assert "flush" not in changed_rules(rules, "aces_up", [change]).tables["aces_up"].rows
    else:
        with pytest.raises(UnreadableError):
            changed_rules(rules, "aces_up", [change])


def test_a_whole_new_table_from_a_file(tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text('rows = { flush = "7 to 1", pair_of_aces = "1 to 1" }', encoding="utf-8")
    variant = find_variant(FCP, TODAY, "aces_up", "A")
    assert variant is not None
    rules, _ = rules_with_table(rules_of_variant(FCP, TODAY, variant), "aces_up", path)
    assert list(rules.tables["aces_up"].rows) == ["flush", "pair_of_aces"]
    for bad in ("rows = {}", "rows = { flush = 7 }", 'rows = { flash = "7 to 1" }', 'rows = { flush = "7" }', "x = 1"):
        path.write_text(bad, encoding="utf-8")
        with pytest.raises(UnreadableError):
            rules_with_table(rules, "aces_up", path)


@pytest.mark.parametrize(
    ("game", "wager", "letter", "low", "high"),
    [(TCP, "pair_plus", "A", "2", "3"), (TCP, MAIN, "A", "2", "3"), (FCF, "prime", "A", "0", "20")],
)
def test_targets_are_exactly_the_odds_inside_the_range(
    game: Game, wager: str, letter: str, low: str, high: str
) -> None:
    variant = find_variant(game, TODAY, wager, letter)
    assert variant is not None
    rules = rules_of_variant(game, TODAY, variant)
    least, most = Fraction(low) / 100, Fraction(high) / 100
    found = {change.row: change for change in targets(game, rules, variant, least, most)}
    for name, odds in rules.tables[variant.table].rows.items():
        assert isinstance(odds, ToOne)
        inside = [
            rate
            for rate in range(60)
            if least <= hold(game, with_rows(rules, variant.table, {name: ToOne(Fraction(rate))}), variant, 500) <= most
        ]
        if inside and [ToOne(Fraction(rate)) for rate in inside] != [odds]:
            assert (found[name].least, found[name].most) == (ToOne(Fraction(inside[0])), ToOne(Fraction(inside[-1])))
        else:
            assert name not in found, "out of the range, or nothing but what it pays already"


@pytest.mark.parametrize(
    ("name", "low", "high", "path", "pays", "percent"),
    [
        ("caribbean-stud", "3", "6", "bet.flush", "4", "5.4436"),
        ("crazy-4-poker", "3", "4", "super_bonus.straight", "0", "3.6681"),
        ("four-card-frenzy", "1", "1.1", "odds_win.four_aces", "900", None),
    ],
)
def test_targets_are_looked_for_in_every_table_of_the_wager(
    name: str, low: str, high: str, path: str, pays: str, percent: str | None
) -> None:
    game = GAMES[name]
    variant = find_variant(game, TODAY, MAIN, None)
    assert variant is not None
    rules = rules_of_variant(game, TODAY, variant)
    least, most = Fraction(low) / 100, Fraction(high) / 100
    found = {change.path: change for change in targets(game, rules, variant, least, most)}
    assert {change.table for change in found.values()} <= set(tables_of(rules, variant))
    ends = found[path].least, found[path].most
    assert isinstance(ends[0], ToOne)
    assert isinstance(ends[1], ToOne)
    assert ends[0].rate <= Fraction(pays) <= ends[1].rate
    changed = hold(game, what_if(game, rules, variant, [f"{path}={pays}"]), variant, 500)
    assert least <= changed <= most
    assert percent is None or f"{100 * float(changed):.4f}" == percent
    assert not any(change.least == change.most == change.was for change in found.values()), "a change changes"


def test_a_target_below_zero_is_a_number_and_not_an_option() -> None:
    asked = ["target", "crazy-4-poker", "-50", "-40", "--json"]
    found = Ran(*asked).json
    assert found == Ran("target", "crazy-4-poker", "--json", "--", "-50", "-40").json
    assert {change["path"].partition(".")[0] for change in found["changes"]} == {"super_bonus"}
    assert "No such option" in Ran("target", "crazy-4-poker", "-50", "-40", "--jsn").err


def test_findings_from_mathematics() -> None:
    found = list(mathematics_findings(TODAY))
    codes = {finding.code for finding in found}
    assert {"hold-not-approved", "hold-above-quarter", "identical-hold"} <= codes
    assert {f.cite for f in found if f.code == "hold-not-approved"} == {"684a.12(e)"}
    assert all("inside" in f.sentence for f in found if f.code == "hold-not-approved")
    # A pay table that favors the player is one that is not wholly printed, or printed with odds of doubtful kind; but
    # for the game that is played with a compulsory wager beside its main ones.
    whole = {game.number for game in GAMES.values() if not game.chapter.unprinted()}
    negative = [f for f in found if f.code == "hold-negative" and f.cite.partition(".")[0] in whole]
    assert [f.found for f in negative] == ["−1.3865 %", "−1.3788 %", "−1.3095 %"]
    assert all(f.sentence.startswith("lunar-poker, Main table") for f in negative)


def test_approved_ranges_and_published_figures() -> None:
    assert outside_approved("four-card-frenzy", "prime", 0.0474) is None
    assert outside_approved("four-card-frenzy", "prime", 0.2) == "4.74 % to 9.8 % of wager"
    assert outside_approved("lunar-poker", "super", 0.2) is None
    assert published("three-card-poker", "pair_plus", "D", "printed") == "2.32 %"
    assert published("lunar-poker", "super", "-", "printed") is None


# The cache


def test_a_kept_result_comes_back_and_a_damaged_one_does_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PITBOSS_CACHE", str(tmp_path))
    numbers = np.arange(10)
    cache.keep("thing", "key", {"numbers": numbers}, {"size": 10})
    loaded = cache.load("thing", "key")
    assert loaded is not None
    assert (loaded[0]["numbers"] == numbers).all()
    assert loaded[1] == {"size": 10}
    assert cache.load("thing", "other") is None
    (tmp_path / "thing-key" / "numbers.npy").write_bytes(b"torn")
    with pytest.warns(cache.DamagedCacheWarning, match=r"thing-key do not match their checksum \(numbers\.npy\)"):
        assert cache.load("thing", "key") is None


@pytest.mark.parametrize("file", ["numbers.npy", "about.json"])
def test_a_changed_number_of_the_cache_is_noticed_and_counted_again(
    file: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every byte: the array's header and numbers, and the figures. Counts moved a hold from 3.373 to 3.666 %."""
    monkeypatch.setenv("PITBOSS_CACHE", str(tmp_path))
    numbers, figures = np.arange(5, dtype=np.int64), {"size": 5, "deals": 22100}
    cache.keep("thing", "key", {"numbers": numbers}, figures)
    path = tmp_path / "thing-key" / file
    whole = path.read_bytes()
    for at in range(len(whole)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        with warnings.catch_warnings(record=True):
            warnings.simplefilter("always")
            found = cache.load("thing", "key")
        assert found is None or (
            file == "about.json" and found[1] == figures and (found[0]["numbers"] == numbers).all()
        )
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        again, _ = cache.kept("thing", "key", lambda: ({"numbers": numbers}, figures))
    assert (again["numbers"] == numbers).all()
    assert [warning.category for warning in said][:1] == [cache.DamagedCacheWarning]
    assert cache.load("thing", "key") is not None, "the new result has taken the place of the damaged one"


def test_an_interrupted_write_leaves_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PITBOSS_CACHE", str(tmp_path))

    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(np, "save", stop)
    with pytest.raises(KeyboardInterrupt):
        cache.keep("thing", "key", {"numbers": np.arange(3)}, {})
    assert list(tmp_path.iterdir()) == []


def test_a_cache_that_cannot_be_written_is_no_obstacle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("in the way", encoding="utf-8")
    monkeypatch.setenv("PITBOSS_CACHE", str(blocked / "below"))
    arrays, figures = cache.kept("thing", "key", lambda: ({"numbers": np.arange(3)}, {"size": 3}))
    assert len(arrays["numbers"]) == figures["size"]


def test_the_name_of_a_result_changes_with_the_code_and_the_structure() -> None:
    one = cache.fingerprint(("a", 1))
    assert one == cache.fingerprint(("a", 1))
    assert one != cache.fingerprint(("a", 2))
    assert one != cache.fingerprint(("a", 1), ("cards.py",))


# The command line


def test_edge_hand_strategy_target_on_the_command_line() -> None:
    rows = Ran("edge", "four-card-frenzy", "--wager", "prime", "--json").json
    assert [r["expected_value"] for r in rows] == ["-79/1666", "-5/51"]
    changed = Ran("edge", "four-card-poker", "--wager", "aces_up", "--paytable", "C", "--pay", "flush=7", "--json").json
    assert len(changed) == 1
    assert changed[0]["changed"] == [{"table": "aces_up", "row": "flush", "law": "5 to 1", "pays": "7 to 1"}]
    assert "3.3730 %" in Ran("edge", "three-card-poker", "--wager", "main").out
    hand = Ran("hand", "three-card-poker", "Qs 6d 4c", "--json").json
    assert hand["best"] == "play"
    assert hand["values"]["play"] == "-9151/9212"
    assert "Q-6-4" in Ran("strategy", "three-card-poker").out
    found = Ran("target", "three-card-poker", "2", "3", "--wager", "pair_plus", "--json").json
    assert {change["row"] for change in found["changes"]} == {"straight_flush", "three_of_a_kind"}


def test_joint_and_progressive_on_the_command_line() -> None:
    joint = Ran("joint", "three-card-poker", "main", "pair_plus", "--json").json
    assert 0 < joint["correlation"] < 1
    assert Fraction(joint["covariance"]) > 0
    assert "Correlation" in Ran("joint", "four-card-frenzy", "prime", "four_card_bonus").out
    report = Ran("progressive", "four-card-poker", "five_card_progressive", "--json").json
    assert report["jackpots"]["meter"]["probability"] == "1/649740"
    assert (
        "Hold, meter included"
        in Ran("progressive", "four-card-poker", "five_card_hand_player", "--magic-chance", "1/100").out
    )


def test_the_exact_table_is_written_once(tmp_path: Path) -> None:
    path = tmp_path / "table.csv"
    assert Ran("strategy", "three-card-poker", "-o", path).code == 0
    assert path.read_text(encoding="utf-8").count("\n") > 100
    assert Ran("strategy", "three-card-poker", "-o", path).code == 2


@pytest.mark.parametrize(
    "arguments",
    [
        ["edge", "whist"],
        ["edge", "three-card-poker", "--wager", "nothing"],
        ["edge", "three-card-poker", "--wager", "main", "--paytable", "Z"],
        ["edge", "three-card-poker", "--paytable", "Z"],
        ["edge", "three-card-poker", "--reading", "guess"],
        ["edge", "three-card-poker", "--wager", "pair_plus", "--paytable", "A", "--pay", "flush"],
        ["edge", "three-card-poker", "--wager", "pair_plus", "--table", "nowhere.toml"],
        ["edge", "three-card-poker", "--wager", "main", "--pay", "straight=$50"],
        ["edge", "lunar-poker", "--wager", "main", "--pay", "bet.flush=10% of meter"],
        ["hand", "three-card-poker", "Qs 6d"],
        ["hand", "three-card-poker", "Qs 6d 1c"],
        ["hand", "four-card-poker", "As Ad 9c 4h 2d"],
        ["hand", "three-card-poker", "Qs 6d 4c", "--up", "2c"],
        ["target", "three-card-poker", "5", "2"],
        ["progressive", "three-card-poker", "pair_plus"],
        ["progressive", "three-card-poker", "nothing"],
        ["progressive", "three-card-poker", "five_card_hand_player", "--magic-chance", "often"],
        ["progressive", "three-card-poker", "five_card_hand_player", "--magic-chance", "2"],
        ["joint", "three-card-poker", "main", "nothing"],
        ["joint", "three-card-poker", "main", "six_card_bonus"],
        ["edge", "roulette", "--wager", "five_adjacent"],
        ["edge", "roulette", "--fact", "yards_1_10"],
    ],
)
def test_bad_questions_get_a_sentence(arguments: list[str]) -> None:
    ran = Ran(*arguments)
    assert ran.code == 2
    assert ran.err.startswith("pitboss: ")


def test_what_is_not_printed_can_be_set_for_a_row() -> None:
    """A wager without odds has rows once they are given, by wheel; what is printed stays as it is."""
    odds = "paytables.roulette.-.five_adjacent=6 to 1"
    rows = json.loads(Ran("edge", "roulette", "--wager", "five_adjacent_17", "--fact", odds, "--json").out)
    wheels = {"double-zero": "-3/38", "single-zero": "-2/37", "double-zero-as-single": "-2/37"}
    assert {row["reading"]: row["expected_value"] for row in rows} == wheels
    five = json.loads(Ran("edge", "roulette", "--wager", "five_number", "--json").out)
    assert [(row["reading"], row["expected_value"]) for row in five] == [("double-zero", "-3/38")]
    assert Ran("edge", "roulette", "--wager", "touchdown", "--fact", "downs=3").code == 1


def test_mathematics_before_the_law_is_a_finding() -> None:
    assert Ran("edge", "four-card-frenzy", "--as-of", "2019-08-30").code == 1


def test_the_rows_are_plain_json() -> None:
    json.dumps(list(edge_rows(TCP, TODAY, "pair_plus")))


def test_a_card_known_too_early_is_worth_what_is_published() -> None:
    """Three Card Poker and Mississippi Stud (Jacobson): what the player wins, and how often."""
    (found,) = Ran("edge", TCP.name, "--paytable", "A", "--reading", "printed", "--known", "dealer=1", "--json").json
    assert (found["expected_value"], found["known"]) == ("443162/12724075", "dealer=1")
    assert (f"{-100 * found['house_edge']:.4f}", f"{100 * found['hit_frequency']:.4f}") == ("3.4829", "54.2203")
    by_card = found["house_edge_by_known_card"]
    assert min(by_card, key=by_card.__getitem__) == "Q"
    assert sum(by_card.values()) / len(by_card) == pytest.approx(found["house_edge"])
    shown = Ran("edge", "mississippi-stud", "--known", "community=1").out
    assert "−54.8660 %" in shown
    assert "The player knows community=1." in shown


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ([TCP.name, "--known", "dealer=4"], "dealer has the cards 1 to 3"),
        ([TCP.name, "--known", "dealer"], "dealer has the cards 1 to 3"),
        ([TCP.name, "--known", "community=1"], "say dealer=1 to dealer=3"),
        ([TCP.name, "--known", "dealer=1", "--wager", "pair_plus"], "leave --wager out"),
        ([FCP.name, "--known", "dealer=1,2,3,4,5,6"], "lies face up already"),
        ([LUNAR.name, "--known", "dealer=1,2,3,4,5"], "lies face up already"),
        (["sic-bo", "--known", "dealer=1"], "Nothing is dealt"),
        (["mississippi-stud", "--known", "dealer=1"], "say community=1"),
        (["ultimate-texas-hold-em", "--known", "community=4,5"], "Two decisions with the whole board"),
    ],
)
def test_cards_that_cannot_be_known_are_refused_in_a_sentence(words: list[str], sentence: str) -> None:
    found = Ran("edge", *words)
    assert found.code == 2
    assert sentence in " ".join(found.err.split())
