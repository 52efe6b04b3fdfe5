"""Figures of a run: means against exact values, meters against plain settlement, sessions against plain sums."""

from dataclasses import replace
from fractions import Fraction
from math import sqrt

import numpy as np
import pytest

from pitboss.exact.progressive import progressive_report
from pitboss.games.registry import BANKED as GAMES
from pitboss.games.repaying import with_rows
from pitboss.law.odds import MeterShare
from pitboss.meters import UNITS_PER_CENT
from pitboss.simulate.batches import list_nets
from pitboss.simulate.figures import run_figures
from pitboss.simulate.groups import MAIN
from pitboss.simulate.jackpots import DisagreementError, Meters
from pitboss.simulate.plan import Plan, every_wager, make_plan
from pitboss.simulate.results import choices, rows
from pitboss.simulate.runs import simulate
from pitboss.simulate.scalar import ScalarTable
from pitboss.simulate.strategies import ALWAYS, NEVER, NO_EXCHANGE, OPTIMAL, PLAIN, draws_cards
from pitboss.simulate.totals import Spread, Totals

from .letters import every_row, with_planted_error
from .plans import EXACT, SEED, plan_of, rules_of, run_of

MOST_ERRORS = 4


STRATEGIES = [
    (name, strategy)
    for name, game in GAMES.items()
    for strategy in (
        (OPTIMAL, ALWAYS, NEVER, "thresholds")
        if game.duel is not None
        else (OPTIMAL, PLAIN, ALWAYS, NEVER)
        if game.plain
        else (OPTIMAL, ALWAYS, NEVER)
    )
    if strategy != OPTIMAL or not draws_cards(game)
] + [
    ("three-card-poker", "whole-hands"),
    ("four-card-poker", "thresholds-by-up-card"),
    ("four-card-poker", "always:play 3x"),
    ("lunar-poker", NO_EXCHANGE),
]


@pytest.mark.parametrize(("game", "strategy"), STRATEGIES)
def test_means_lie_at_their_exact_values(game: str, strategy: str) -> None:
    found = rows(run_of(game, strategy))
    known = [row for row in found if row.z is not None]
    valued = GAMES[game].course.weighed and (strategy == OPTIMAL or not GAMES[game].plain)
    assert MAIN in {row.wager for row in known} or strategy == NEVER or not valued
    for row in known:
        assert row.z is not None
        assert abs(row.z) < MOST_ERRORS, row


@pytest.mark.parametrize("game", GAMES)
def test_a_full_table_has_the_same_means_with_an_error_of_its_own(game: str) -> None:
    """Seats share the dealer's hand, so their results hang together: the error is larger than of single seats."""
    seats = rules_of(game).seats
    found = {row.wager: row for row in rows(simulate(plan_of(game, seats), 100_000, SEED))}
    for row in found.values():
        assert row.z is None or abs(row.z) < MOST_ERRORS, row
    if game == "three-card-poker":
        main = found[MAIN]
        alone = plan_of(game, 1).strategy.result
        assert alone is not None
        independent = alone.standard_deviation / sqrt(100_000 * seats)
        assert independent * 1.2 < main.standard_error < independent * sqrt(seats)


@pytest.mark.parametrize("game", GAMES)
def test_one_run_serves_every_letter(game: str) -> None:
    totals = run_of(game, EXACT[game])
    found = list(every_row(totals))
    assert {row.wager for row in found} == set(totals.plan.wager_names)
    if GAMES[game].plain:
        found = [row for row in found if row.z is not None]
    assert all(row.z is not None and abs(row.z) < MOST_ERRORS for row in found), found
    letters = {(row.wager, row.paytable, row.reading) for row in found}
    assert len(letters) == len(found)


@pytest.mark.parametrize("game", GAMES)
def test_a_planted_error_of_one_row_is_found(game: str) -> None:
    right, wrong = with_planted_error(run_of(game, EXACT[game]))
    assert right.z is not None
    assert wrong.z is not None
    assert abs(wrong.z) > MOST_ERRORS > abs(right.z)


def test_choices_come_as_often_as_they_should() -> None:
    totals = simulate(plan_of("four-card-poker"), 300_000, SEED)
    result = totals.plan.strategy.result
    assert result is not None
    for name, share in choices(totals).items():
        error = sqrt(result.choices[name] * (1 - result.choices[name]) / totals.rounds)
        assert abs(float(share - result.choices[name])) < MOST_ERRORS * error


@pytest.fixture(scope="module")
def jackpots() -> Totals:
    totals = simulate(plan_of("three-card-poker", 5), 12_000, 3, session=300)
    assert totals.meters.listed, "no share of a meter was won"
    return totals


def test_meters_are_those_of_settling_every_round(jackpots: Totals) -> None:
    """Round by round by the scalar rules, nothing skipped: the same meters to the last unit, the same hits."""
    table, meters = ScalarTable(jackpots.plan), jackpots.plan.meters()
    hits: list[tuple[int, int, int]] = []
    first = jackpots.meters.listed[0].round
    last = min(first + 40, jackpots.rounds)
    assert first < 2_000, "this would take long"
    for number in range(last):
        settlement = table.settle(table.play(jackpots.seed, number), meters)
        meters = dict(settlement.meters)
        hits += [(number, line.seat, line.net + line.stake) for line in settlement.lines if line.from_meter]
    expected = simulate(jackpots.plan, last, jackpots.seed).meters
    assert {name: (dict(m.amounts), m.reserve) for name, m in expected.meters.items()} == {
        name: (dict(m.amounts), m.reserve) for name, m in meters.items()
    }
    assert hits == [(hit.round, hit.seat, hit.paid) for hit in expected.listed]
    assert hits


def test_increments_are_those_of_the_meter_itself() -> None:
    plan = plan_of("three-card-poker", 2)
    table, meters = ScalarTable(plan), plan.meters()
    for number in range(25):
        meters = dict(table.settle(table.play(SEED, number), meters).meters)
    quick = Meters(plan, SEED)
    quick.advance(25)
    assert {name: dict(meter.amounts) for name, meter in quick.meters.items()} == {
        name: dict(meter.amounts) for name, meter in meters.items()
    }


def test_a_path_falls_at_hits_and_grows_evenly_between_them(jackpots: Totals) -> None:
    meters = jackpots.meters
    paths = meters.paths()
    assert {(fall.round, fall.meter) for fall in meters.falls} == {(hit.round, hit.meter) for hit in meters.listed}
    for (name, jackpot), points in paths.items():
        grows = meters._grows[name][0][jackpot]
        assert points[0] == (0, jackpots.plan.meters()[name].displayed()[jackpot])
        assert points[-1] == (jackpots.rounds, meters.displayed()[name][jackpot])
        for (first, low), (last, high) in zip(points[::2], points[1::2], strict=True):
            assert abs((high - low) * 10_000 - (last - first) * grows) <= 20_000, "a cent is cut off at each end"


def test_a_compiled_round_that_disagrees_with_the_rules_stops_the_run(jackpots: Totals) -> None:
    pays = replace(jackpots.plan.pays, nets=jackpots.plan.pays.nets + 1)
    spoiled = replace(jackpots.plan, pays=pays)
    with pytest.raises(DisagreementError, match="the compiled round moves"):
        simulate(spoiled, jackpots.meters.listed[0].round + 1, jackpots.seed)


def test_sessions_are_plain_sums_of_rounds(jackpots: Totals) -> None:
    """The player's sessions from the nets of single rounds and the hits, without any batch."""
    plan, session = jackpots.plan, jackpots.session
    _, mine = list_nets(plan.work, jackpots.seed, 0, jackpots.rounds)
    for hit in jackpots.meters.listed:
        if hit.seat == plan.numbers[0]:
            mine[hit.round] += hit.paid
    results = mine.reshape(-1, session).sum(axis=1) * UNITS_PER_CENT
    paths = np.concatenate([np.zeros((len(results), 1), np.int64), mine.reshape(-1, session).cumsum(axis=1)], axis=1)
    falls = (np.maximum.accumulate(paths, axis=1) - paths).max(axis=1) * UNITS_PER_CENT
    found = jackpots.player
    assert (found.results.total, found.results.least, found.results.most) == (
        results.sum(),
        results.min(),
        results.max(),
    )
    assert (found.drawdowns.total, found.drawdowns.most) == (falls.sum(), falls.max())
    assert found.results.losing == (results < 0).sum()
    assert sum(found.results.bins.values()) == found.results.count == len(results)


def test_the_house_wins_what_players_and_meters_lose(jackpots: Totals) -> None:
    """Over the whole run: house + players + growth of the meters = 0, to the unit."""
    plan = jackpots.plan
    start, end = plan.meters(), jackpots.meters.meters
    grown = sum(sum(m.amounts.values()) + m.reserve for m in end.values()) - sum(
        sum(m.amounts.values()) + m.reserve for m in start.values()
    )
    paid = sum(hit.paid for hit in jackpots.meters.listed)
    players = (jackpots.sums[-1] + paid) * UNITS_PER_CENT
    assert jackpots.house.results.total + players + grown == 0


def test_the_report_has_the_published_columns(jackpots: Totals) -> None:
    shown = run_figures(jackpots).as_dict()
    columns = {"wager", "paytable", "rounds", "mean", "standard_error", "exact", "z", "hit_frequency"}
    assert all(columns <= set(row) for row in shown["rows"])
    assert shown["sessions"]["house"]["sessions"] == 40
    assert shown["jackpots"]


def test_a_spread_adds_up() -> None:
    cent = UNITS_PER_CENT
    spread = Spread(10 * cent)
    spread.add(cent * np.array([-25, -1, 0, 9, 10, 100]))
    assert dict(spread.bins) == {-3: 1, -1: 1, 0: 2, 1: 1, 10: 1}
    assert (spread.losing, spread.least, spread.most, spread.total) == (2, -25 * cent, 100 * cent, 93 * cent)
    exact = Fraction(spread.squares, 6) - Fraction(spread.total, 6) ** 2
    assert spread.deviation == pytest.approx(sqrt(exact * 6 / 5))
    assert Spread.resumed(spread.state()) == spread


def test_quantiles_are_values_that_came() -> None:
    values = np.random.default_rng(7).integers(-3_000_00, 9_000_00, 5_000) * UNITS_PER_CENT
    spread = Spread(250_00 * UNITS_PER_CENT)
    spread.add(values[:1_700])
    spread.add(values[1_700:])
    for share in (0.01, 0.05, 0.25, 0.5, 0.99):
        assert spread.quantile(share) == sorted(values)[round(share * 5_000) - 1]
    assert spread.grain == UNITS_PER_CENT


def test_too_many_values_are_counted_in_cells_whatever_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pitboss.simulate.totals.MOST_VALUES", 300)
    values = np.random.default_rng(7).integers(-3_000_00, 9_000_00, 5_000) * UNITS_PER_CENT
    one, other = Spread(250_00 * UNITS_PER_CENT), Spread(250_00 * UNITS_PER_CENT)
    one.add(values)
    for part in np.array_split(values[::-1], 9):
        other.add(part)
    assert one == other
    assert one.grain > UNITS_PER_CENT
    assert sum(one.bins.values()) == one.count
    for share in (0.05, 0.5, 0.95):
        assert abs(one.quantile(share) - sorted(values)[round(share * 5_000) - 1]) <= one.grain


def test_envy_is_per_unit_wagered_and_of_every_other_hand() -> None:
    """Four seats that never fold: three other hands earn each wager 175/22,100, whatever the number of pairs."""
    rules = rules_of("three-card-poker")
    plan = make_plan(rules, every_wager(rules, 4, {"ante": 1000, "three_card_progressive": 500}), "always")
    envy = {row.wager: row for row in rows(simulate(plan, 200_000, SEED))}["three_card_envy"]
    assert envy.denominator == "three_card_progressive"
    assert envy.exact == Fraction(3 * 175, 22_100)
    assert envy.z is not None
    assert abs(envy.z) < MOST_ERRORS
    assert envy.stakes == (500,)
    assert abs(float(envy.mean) - 3 * 175 / 22_100) < MOST_ERRORS * envy.standard_error
    hits = 3 * 4 / 22_100
    assert abs(float(envy.hit_frequency) - hits) < MOST_ERRORS * sqrt(hits / (4 * 200_000)) * 2


def test_deviations_of_one_seat_and_of_the_table() -> None:
    rules = rules_of("three-card-poker")
    plan = make_plan(rules, every_wager(rules, 5, {"ante": 1000, "five_card_hand_dealer": 500}), "optimal")
    found = {row.wager: row for row in rows(simulate(plan, 60_000, SEED))}
    assert plan.strategy.result is not None
    alone = plan.strategy.result.standard_deviation
    main, dealer = found[MAIN], found["five_card_hand_dealer"]
    assert main.deviation == pytest.approx(alone, rel=0.02)
    assert sqrt(5) * alone * 1.2 < main.table_deviation < 5 * alone
    # One hand decides for all five: their results are one result.
    assert dealer.table_deviation == pytest.approx(5 * dealer.deviation)
    assert float(dealer.hit_frequency) == pytest.approx((624 + 3744 + 5108) / 2_598_960, rel=0.2)


def test_the_long_run_of_a_shared_meter_at_a_table_of_five() -> None:
    """Full houses win the meter and flushes a tenth, so that it turns; every hit is settled by the rules."""
    rules = with_rows(
        rules_of("three-card-poker"),
        "five_card_hand",
        {"full_house": MeterShare(Fraction(1)), "flush": MeterShare(Fraction(1, 10))},
    )
    made = {"ante": 1000, "five_card_hand_player": 500, "five_card_hand_dealer": 500}
    totals = simulate(make_plan(rules, every_wager(rules, 5, made), "always"), 52_000, SEED)
    # The seed is gone after some hundred rounds; what stays on the meter in the end is that of as many.
    start, parts, length = 2_000, 20, 2_500
    for wager in ("five_card_hand_player", "five_card_hand_dealer"):
        paid = np.zeros(parts)
        for hit in totals.meters.listed:
            if hit.wager == wager and hit.round >= start:
                paid[(hit.round - start) // length] += hit.paid / (500 * 5 * length)
        expected = progressive_report(GAMES[rules.game], rules, wager).at_seats(5)
        assert abs(paid.mean() - float(expected.meter)) < MOST_ERRORS * paid.std(ddof=1) / sqrt(parts), wager
        assert expected.meter == Fraction(29, 100) * 10 / 6 / (5 if wager.endswith("dealer") else 1)


def test_divided_and_tiered_jackpots_are_settled_too() -> None:
    """Five Card Hand Bonus on the dealer's hand by four seats: a share is divided, whoever comes first."""
    rules = rules_of("four-card-poker")
    wagers = every_wager(rules, 4, {"ante": 1000, "five_card_hand_dealer": 500})
    plan: Plan = make_plan(rules, wagers, "always")
    for seed in range(20):
        totals = simulate(plan, 20_000, seed)
        if totals.meters.listed:
            first = [hit for hit in totals.meters.listed if hit.round == totals.meters.listed[0].round]
            assert len(first) == 4
            assert len({hit.paid for hit in first}) == 1
            # Four parts, but one hit of the meter, which paid all of them.
            shown = run_figures(totals).as_dict()["jackpots"]
            assert sum(row["hits"] for row in shown.values()) == len({hit.round for hit in totals.meters.listed})
            name = f"{first[0].wager}: {first[0].odds}"
            assert shown[name]["most_paid"] >= 4 * first[0].paid
            assert shown[name]["rounds_between"] == totals.rounds / shown[name]["hits"]
            return
    raise AssertionError("no jackpot on the dealer's hand in 400,000 rounds")
