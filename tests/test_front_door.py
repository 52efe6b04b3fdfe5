"""``import pitboss``: what it offers is there, documented, typed, quick to import, and refuses in sentences."""

import copy
import inspect
import io
import math
import os
import pickle
import runpy
import subprocess
import sys
import warnings
from collections.abc import Callable
from contextlib import redirect_stdout
from datetime import date
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scripts.every_episode import Compared

import pitboss
from pitboss.findings import PitbossError
from pitboss.games.registry import GAMES
from pitboss.public import ill_made
from pitboss.simulate.plan import every_wager, make_plan

ROOT = Path(__file__).parents[1]
DAY = "2024-06-01"
ROOMS = ("law", "games", "exact", "simulate", "table", "hands")
FRESH = ROOT / "examples" / "fresh_environment.py"
EXAMPLES = sorted({*(ROOT / "examples").glob("*.py")} - {FRESH})
QUICK = {"own_strategy": ["100000"], "rank_hands": ["20000"], "sweep_a_row": ["sweep.svg"]}
RULES = pitboss.rules("three-card-poker", DAY)


def public() -> dict[str, Any]:
    found = {f"pitboss.{name}": getattr(pitboss, name) for name in pitboss.__all__}
    for room in ROOMS:
        package = getattr(pitboss, room)
        found |= {f"pitboss.{room}.{name}": getattr(package, name) for name in package.__all__}
    return found


def test_every_public_object_is_there_and_says_what_it_is() -> None:
    silent = []
    for name, thing in public().items():
        if inspect.isclass(thing) or inspect.isfunction(thing) or inspect.ismodule(thing):
            members = [(name, thing)]
            if inspect.isclass(thing) and name.count(".") == 1:
                own = ((f"{name}.{each}", getattr(thing, each)) for each in vars(thing) if not each.startswith("_"))
                members += [(each, it) for each, it in own if inspect.isfunction(it)]
            silent += [each for each, it in members if not it.__doc__ or it.__doc__.startswith(f"{it.__name__}(")]
    assert silent == []
    assert dir(pitboss) == sorted(pitboss.__all__)
    with pytest.raises(AttributeError):
        _ = pitboss.sttle  # type: ignore[attr-defined]


def test_importing_loads_nothing() -> None:
    """Names come when they are asked for; a clock would only tell how busy the machine is."""
    script = "import sys; before = set(sys.modules); import pitboss; print(*sorted(set(sys.modules) - before))"
    loaded = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True).stdout.split()
    assert {name for name in loaded if name.startswith("pitboss")} == {"pitboss", "pitboss.lazy"}
    assert not {"numpy", "numba", "typer", "tomllib", "datetime", "dataclasses"} & set(loaded)


@pytest.mark.parametrize("path", EXAMPLES, ids=[path.stem for path in EXAMPLES])
def test_examples(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each runs without a warning and says something."""
    text = path.read_text(encoding="utf-8")
    code = [line for line in text.split('"""', 2)[2].splitlines() if line.strip()]
    assert len(code) <= 15 or "class" in text, f"{len(code)} lines"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("MPLBACKEND", "agg")
    monkeypatch.setattr(sys, "argv", [str(path), *QUICK.get(path.stem, [])])
    out = io.StringIO()
    with warnings.catch_warnings(), redirect_stdout(out):
        warnings.simplefilter("error")
        runpy.run_path(str(path), run_name="__main__")
    assert out.getvalue().strip()


def test_the_wheel_in_a_fresh_environment() -> None:
    """Built, installed without extras, and a round settled; the metadata needs nothing of the repository."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    ran = subprocess.run([sys.executable, str(FRESH)], capture_output=True, text=True, check=False, env=environment)
    if ran.returncode and ("No matching distribution" in ran.stderr or "Failed to establish" in ran.stderr):
        pytest.skip("no package index can be reached to build and install from")
    assert ran.returncode == 0, ran.stderr
    assert "<Settlement: 3 lines" in ran.stdout


@pytest.mark.parametrize("game", GAMES)
def test_episodes_come_to_the_same_money_everywhere(game: str) -> None:
    """Random play through ``State`` against the settlement and against the live table."""
    compared = Compared(game)
    for number in range(20 if game != "roulette" else 6):
        compared.episode(number)


@pytest.mark.parametrize("game", GAMES)
def test_records_travel(game: str) -> None:
    """Rules, rounds, states and settlements: pickled, copied, hashed, and printed in a line."""
    rules = pitboss.rules(game, DAY)
    state = pitboss.play(rules, seed=3, seats=2).finish()
    for record in (rules, rules.chapter, state, state.settlement):
        again = pickle.loads(pickle.dumps(record))
        assert again == record == copy.deepcopy(record)
        assert hash(again) == hash(record)
        assert len(repr(record)) < 120
    assert sum(state.returns().values()) == sum(line.net for line in state.settlement.lines)


def test_a_state_never_changes() -> None:
    state = pitboss.play(RULES, seed=1)
    folded, played = state.apply("fold"), state.apply(pitboss.Decision("play"))
    assert state.legal_actions() == ("play", "fold")
    assert folded.is_over
    assert played.is_over
    assert folded != played
    assert len(state.observation().cards) == 3
    assert state.observation().up == ()
    assert len(played.observation().up) == 3
    assert repr(folded.observation()).startswith("<Sight: ")
    assert pitboss.show_cards(played.played.dealer) in repr(played.played)


def test_what_a_seat_may_look_at_grows_with_the_course() -> None:
    """Nobody sees a card before it is turned up; draws are named by the places of the cards given up."""
    state = pitboss.play(pitboss.rules("ultimate-texas-hold-em", DAY), seed=1)
    seen = []
    while not state.is_over:
        seen.append((state.step, len(state.observation().up)))
        state = state.apply(next(a for a in state.legal_actions() if a in ("check", "fold")))
    assert seen == [("preflop", 0), ("flop", 3), ("river", 5)]
    lunar = pitboss.play(pitboss.rules("lunar-poker", DAY), seed=1)
    gone = lunar.observation().cards[:2]
    after = lunar.apply("exchange 1 2")
    assert set(gone).isdisjoint(after.observation().cards)
    assert len(after.observation().cards) == 5


def test_edges_are_those_of_the_command_line() -> None:
    from pitboss.exact.edge import edge_rows

    rows = {row["wager"]: row for row in edge_rows(GAMES["three-card-poker"], RULES.as_of, "pair_plus", "A")}
    edge = pitboss.edge(RULES, "Pair Plus")
    assert edge.as_dict() == rows["pair_plus"]
    assert edge.house_edge == -Fraction(rows["pair_plus"]["expected_value"])
    assert sum(row.contribution for row in edge.rows) == edge.expected_value
    assert sum(row.chance for row in edge.rows) == 1
    assert "<table>" in edge._repr_html_()
    assert pickle.loads(pickle.dumps(edge)) == edge
    assert hash(edge) == hash(pitboss.edge(RULES, "pair_plus"))


def test_a_changed_row_and_a_sweep_agree() -> None:
    sweep = pitboss.sweep(RULES, "pair_plus", "flush", range(1, 6))
    assert sweep[2].house_edge == pitboss.edge(RULES.with_pay("pair_plus", flush=3), "pair_plus").house_edge
    assert sweep[3].house_edge == pitboss.edge(RULES, "pair_plus").house_edge
    holds = sweep.house_edges
    assert {before - after for before, after in pairwise(holds)} == {Fraction(1096, 22100)}
    assert len(pitboss.sweep(RULES, "main", "ante_bonus.straight", (1, "2 to 1"))) == 2


def test_a_solution_as_arrays() -> None:
    solution = pitboss.solve(RULES)
    assert solution.evaluate(solution.best).house_edge == solution.edge.house_edge == Fraction(686689, 20358520)
    assert pickle.loads(pickle.dumps(solution)).expected_value == solution.expected_value
    weighed = (solution.values.max(axis=1) * solution.weights).sum() / solution.weights.sum()
    assert weighed == pytest.approx(float(solution.expected_value))

    def mimic(sight: pitboss.Sight) -> str:
        return (
            "play" if max(card >> 2 for card in sight.cards) >= 10 or len({c >> 2 for c in sight.cards}) < 3 else "fold"
        )

    own = solution.evaluate(mimic)
    assert own.house_edge > solution.edge.house_edge
    assert own.as_dict()["play"] == "own choices"
    run = pitboss.simulate(RULES, 200_000, wagers={"ante": 1000}, strategy=mimic, seed=1)
    assert run["main"].exact == own.expected_value
    assert abs(run["main"].z or 0) < 5
    values, counts = run.histogram("main")
    assert counts.sum() == 200_000
    assert Fraction(int((values * counts).sum()), 1000 * 200_000) == run["main"].mean
    same = pitboss.simulate(RULES, 2000, wagers={"ante": 1000}, strategy=solution.best, seed=1)
    assert same["main"].mean == pitboss.simulate(RULES, 2000, wagers={"ante": 1000}, seed=1)["main"].mean


def test_a_strategy_is_asked_street_by_street() -> None:
    """A game that asks twice: the function made into tables plays as the function does round by round."""
    from pitboss.simulate.plan import make_plan
    from pitboss.simulate.results import rows
    from pitboss.simulate.runs import simulate

    rules, wagers = pitboss.rules("let-it-ride", DAY), {"bet_1": 1000, "bet_2": 1000, "bet_3": 1000}

    def pairs(sight: pitboss.Sight) -> str:
        seen = [card >> 2 for card in (*sight.cards, *sight.up)]
        return "ride" if len(set(seen)) < len(seen) else "take_back"

    run = pitboss.simulate(rules, 300, wagers=wagers, strategy=pairs, seed=5)
    called = simulate(make_plan(rules, {1: wagers}, lambda sight: pitboss.Decision(pairs(sight))), 300, 5)
    assert run["main"].mean == next(row for row in rows(called) if row.wager == "main").mean
    assert run["main"].exact is not None

    def mine(sight: pitboss.Sight) -> str:
        return "ride" if sight.cards[0] & 3 else "take_back"

    with pytest.raises(PitbossError, match="apart"):
        pitboss.solve(rules).evaluate(mine)
    assert pitboss.simulate(rules, 20, wagers=wagers, strategy=mine)["main"].exact is None


def asked(call: Callable[[], Any]) -> str:
    with pytest.raises(PitbossError) as refused:
        call()
    return str(refused.value)


BAD: dict[str, Callable[[], Any]] = {
    "no such game": lambda: pitboss.rules("snap", DAY),
    "no such day": lambda: pitboss.rules("sic-bo", "June"),
    "a number for a day": lambda: pitboss.rules("sic-bo", 5),  # type: ignore[arg-type]
    "before the law": lambda: pitboss.rules("three-card-poker", "1999-01-01"),
    "no such letter": lambda: pitboss.rules("three-card-poker", DAY, pair_plus="Z"),
    "no such table": lambda: pitboss.rules("three-card-poker", DAY, pear_plus="A"),
    "a letter that is none": lambda: pitboss.rules("three-card-poker", DAY, pair_plus=3),
    "no such device": lambda: pitboss.rules("three-card-poker", DAY, device="hat"),
    "too many seats": lambda: pitboss.rules("three-card-poker", DAY, seats=99),
    "no such wager offered": lambda: pitboss.rules("three-card-poker", DAY, offered=["luck"]),
    "an amount of nothing": lambda: pitboss.rules("three-card-poker", DAY, amounts={"luck": 1}),
    "no such wager": lambda: pitboss.edge(RULES, "luck"),
    "no main wager": lambda: pitboss.edge(pitboss.rules("sic-bo", DAY)),
    "no rules": lambda: pitboss.edge("three-card-poker"),  # type: ignore[arg-type]
    "no stake": lambda: pitboss.edge(RULES, "pair_plus", stake=0),
    "no such row": lambda: RULES.with_pay("pair_plus", flsh=3),
    "no such pay table": lambda: RULES.with_pay("luck", flush=3),
    "odds that are none": lambda: RULES.with_pay("pair_plus", flush="lots"),
    "odds below nothing": lambda: RULES.with_pay("pair_plus", flush=-1),
    "odds that are a list": lambda: RULES.with_pay("pair_plus", flush=[3]),  # type: ignore[arg-type]
    "a sweep of nothing": lambda: pitboss.sweep(RULES, "pair_plus", "flush", 5),  # type: ignore[arg-type]
    "a sweep of no row": lambda: pitboss.sweep(RULES, "pair_plus", "flsh", range(3)),
    "too many players": lambda: pitboss.play(RULES, seats=9),
    "a wager of nobody": lambda: pitboss.play(RULES, wagers={"luck": 100}),
    "a stake in dollars": lambda: pitboss.play(RULES, wagers={"ante": 1.5}),  # type: ignore[arg-type]
    "a stake below the least": lambda: pitboss.play(RULES, wagers={"ante": 1}),
    "seats of nobody": lambda: pitboss.play(RULES, wagers={"one": {"ante": 1000}}),  # type: ignore[arg-type]
    "an action of nobody": lambda: pitboss.play(RULES, seed=1).apply("dance"),
    "a decision of nobody": lambda: pitboss.play(RULES, seed=1).apply(pitboss.Decision("play", 7)),
    "an action too late": lambda: pitboss.play(RULES, seed=1).apply("fold").apply("fold"),
    "returns too early": lambda: pitboss.play(RULES, seed=1).returns(),
    "an empty seat": lambda: pitboss.play(RULES, seed=1).observation(5),
    "cards of another game": lambda: pitboss.solve(RULES).ev("As Kd"),
    "no cards": lambda: pitboss.solve(RULES).ev("As Kd Zz"),
    "an up card": lambda: pitboss.solve(RULES).ev("As Kd 2c", up="3c"),
    "choices of another shape": lambda: pitboss.solve(RULES).evaluate([0, 1]),
    "a choice that is none": lambda: pitboss.solve(RULES).evaluate(lambda _: "dance"),
    "no rounds": lambda: pitboss.simulate(RULES, 0),
    "a strategy of nobody": lambda: pitboss.simulate(RULES, 10, strategy="luck"),
    "a histogram of nothing": lambda: pitboss.simulate(RULES, 10, wagers={"ante": 1000}).histogram("luck"),
    "sessions of nothing": lambda: pitboss.simulate(RULES, 10, wagers={"ante": 1000}).histogram("house"),
    "cards that are none": lambda: pitboss.parse_cards("Ax"),
    "cards of no deck": lambda: pitboss.show_cards([99]),
    "hands of two cards": lambda: pitboss.hands.rank(["As Kd"], "five-card"),
    "hands of many sizes": lambda: pitboss.hands.rank([[1, 2], [3]], "five-card"),
    "no such order": lambda: pitboss.hands.rank(["As Kd 2c"], "two-and-a-half-card"),
    "no such chapter": lambda: pitboss.law.chapter("1a"),
    "no such figure": lambda: RULES.chapter.figure("luck", RULES.as_of),
    "no such cite": lambda: pitboss.law.Cite.parse("nonsense"),
    "no submission": lambda: pitboss.load_submission("nowhere.toml"),
    "no round file": lambda: pitboss.settle_file("nowhere.toml", DAY),
    "a live table of nothing": lambda: pitboss.LiveTable("snap", DAY),
    "a command of nobody": lambda: pitboss.LiveTable("sic-bo", DAY).do("dealer", "dance"),
    "somebody of nobody": lambda: pitboss.LiveTable("sic-bo", DAY).do("juggler", "sit", seat=1, player="ann"),
    "a seat that is none": lambda: pitboss.LiveTable("sic-bo", DAY).sit(99, "ann"),
}


@pytest.mark.parametrize("what", BAD)
def test_bad_arguments_are_refused_in_a_sentence(what: str) -> None:
    said = asked(BAD[what])
    assert said[:1].isupper() or said[:1] in "'\"" or ":" in said or " " in said
    assert len(said) > 15


@pytest.mark.parametrize("junk", [None, 1.5, b"x", [], {1: 2}, object()], ids=lambda junk: type(junk).__name__)
def test_arguments_of_another_kind_are_named(junk: Any) -> None:
    """What type checkers would have said, for those who do not ask them."""
    state, live = pitboss.play(RULES, seed=1), pitboss.LiveTable("sic-bo", DAY)
    calls: list[Callable[[], Any]] = [
        lambda: pitboss.rules(junk, DAY),
        lambda: pitboss.settle(junk, state.played),
        lambda: pitboss.settle(RULES, junk),
        lambda: pitboss.load_submission(junk),
        lambda: pitboss.check_submission(junk),
        lambda: pitboss.edge(junk),
        lambda: pitboss.sweep(RULES, "pair_plus", junk, (1,)),
        lambda: state.apply(junk),
        lambda: live.do(junk, "sit", seat=1, player="ann"),
        lambda: live.do("dealer", junk),
        lambda: pitboss.hands.rank(["As Kd Qc Jc 9d"], junk),
        lambda: pitboss.law.Cite.parse(junk),
        lambda: pitboss.law.parse_odds(junk),
    ]
    assert all(len(asked(call)) > 15 for call in calls)
    assert asked(lambda: pitboss.law.Cite.parse(1.5)) == "parse(text) should be str, not 1.5."  # type: ignore[arg-type]


JUNK = [
    None, "", "x", "\0", -1, 0, 10**30, 1.5, math.nan, True, b"x", [], [None], [[]], {}, {1: 2}, {"ante": math.nan},
    {"ante": -5}, {"ante": 10**30}, object(), int, np.array([1, 2]), (1, "x"), frozenset(), "9" * 5000, "As As", ["As"],
]  # fmt: skip


def fuzzed() -> dict[str, tuple[Callable[..., Any], tuple[Any, ...], dict[str, Any]]]:
    """Public callables with arguments that are good; one of them at a time is made bad."""
    game, day = GAMES["three-card-poker"], date.fromisoformat(DAY)
    solution, state, live = pitboss.solve(RULES), pitboss.play(RULES, seed=1), pitboss.LiveTable("sic-bo", DAY)
    run, text = pitboss.simulate(RULES, 10, wagers={"ante": 1000}), pitboss.template("three-card-poker", DAY)
    hand, dealer = pitboss.parse_cards("Kh 9h 4h"), pitboss.parse_cards("Tc Jd Qs")
    command = pitboss.table.read_command({"command": "sit", "seat": 2, "player": "bob"})

    def settled(number: Any, cards: Any, wagers: Any, decisions: Any, dealer: Any) -> None:
        pitboss.settle(RULES, pitboss.Round(dealer, (pitboss.Seat(number, cards, wagers, decisions),)))

    def decided(choice: Any, amount: Any) -> None:
        settled(1, hand, {"ante": 1000}, {"decision": pitboss.Decision(choice, amount)}, dealer)

    folded = {"decision": pitboss.Decision("fold")}
    return {
        "rules": (
            pitboss.rules, ("three-card-poker", DAY),
            {"offered": ["ante"], "seats": 3, "device": "hand", "readings": {}, "amounts": {}, "pair_plus": "A"},
        ),
        "settle": (pitboss.settle, (RULES, state.apply("fold").played), {}),
        "settled": (settled, (1, hand, {"ante": 1000}, folded, dealer), {}),
        "decided": (decided, ("play", 1000), {}),
        "settle_file": (pitboss.settle_file, ("nowhere.toml", DAY), {}),
        "template": (pitboss.template, ("three-card-poker", DAY), {}),
        "load_submission": (pitboss.load_submission, (text, "three-card-poker"), {}),
        "check_submission": (pitboss.check_submission, (pitboss.load_submission(text),), {}),
        "edge": (pitboss.edge, (RULES, "pair_plus", 500), {}),
        "simulate": (
            pitboss.simulate, (RULES, 10),
            {"wagers": {"ante": 1000}, "seats": 1, "strategy": "always", "seed": 1, "session": 0},
        ),
        "bankroll": (
            pitboss.bankroll, (pitboss.rules("roulette", DAY),),
            {"wagers": {"red": 1000}, "seats": 1, "risk": "0.01", "session": 9, "rounds": 9, "strategy": "optimal",
             "seed": 1},
        ),
        "play": (pitboss.play, (RULES, 1), {"wagers": {"ante": 1000}, "seats": 1, "betting": False, "rng": None}),
        "apply": (state.apply, ("play",), {}),
        "observation": (state.observation, (1,), {}),
        "ev": (solution.ev, ("As Kd 2c",), {"up": None, "board": (), "chosen": ()}),
        "on": (solution.on, ("As Kd 2c",), {"chosen": ()}),
        "evaluate": (solution.evaluate, (solution.best,), {}),
        "histogram": (run.histogram, ("main",), {}),
        "with_pay": (RULES.with_pay, ("pair_plus",), {"flush": 3}),
        "show_cards": (pitboss.show_cards, (hand,), {}),
        "hands.rank": (pitboss.hands.rank, (["As Kd Qc Jc 9d"], "five-card"), {}),
        "hands.order_named": (pitboss.hands.order_named, ("five-card",), {}),
        "law.chapter": (pitboss.law.chapter, ("649a",), {}),
        "law.figure": (RULES.chapter.figure, ("seats", day), {}),
        "law.in_force": (pitboss.law.in_force, (RULES.chapter.wagers, day), {}),
        "law.parse_odds": (pitboss.law.parse_odds, ("3 to 1",), {}),
        "games.resolve": (pitboss.games.resolve, (RULES.chapter, day, None), {}),
        "games.start": (pitboss.games.start, (RULES, {1: {"ante": 1000}}, tuple(range(52))), {}),
        "exact.variants": (pitboss.exact.variants, (game, day, "pair_plus"), {}),
        "exact.analyse_hand": (pitboss.exact.analyse_hand, (game, RULES, hand, None), {}),
        "simulate.every_wager": (every_wager, (RULES, 1), {}),
        "simulate.make_plan": (make_plan, (RULES, {1: {"ante": 1000}}, "always"), {}),
        "table.verify": (pitboss.table.verify, (live.table, command, live.desk), {}),
        "table.read_command": (pitboss.table.read_command, ({"command": "sit", "seat": 2, "player": "bob"},), {}),
        "LiveTable.why_not": (live.why_not, ("dealer", "sit"), {"person": "", "seat": 2, "player": "bob"}),
    }  # fmt: skip


def test_bad_arguments_in_any_place_of_any_call_are_refused() -> None:
    """Nothing but ``PitbossError`` comes out; what a strategy raises itself is its own."""
    leaked = []
    for name, (call, args, keywords) in fuzzed().items():
        for place in (*range(len(args)), *keywords):
            for junk in JUNK:
                if junk is int and (name, place) in (
                    ("simulate", "strategy"),
                    ("bankroll", "strategy"),
                    ("evaluate", 0),
                ):
                    continue
                given = [junk if at == place else each for at, each in enumerate(args)]
                try:
                    call(*given, **keywords | ({place: junk} if isinstance(place, str) else {}))
                except PitbossError:
                    pass
                except Exception as leak:  # noqa: BLE001 - this is what is looked for
                    leaked.append((name, place, repr(junk)[:40], repr(leak)[:80]))
    assert leaked == []


def test_money_in_a_round_is_whole_cents() -> None:
    """A decision of 1000.0 would settle to floats unnoticed."""
    seat = pitboss.Seat(1, pitboss.parse_cards("Kh 9h 4h"), {"ante": 1000}, {"decision": pitboss.Decision("play", 1e3)})  # type: ignore[arg-type]
    with pytest.raises(pitboss.UnreadableError, match=r"Decision\.\w+ should be int"):
        pitboss.settle(RULES, pitboss.Round(pitboss.parse_cards("Tc Jd Qs"), (seat,)))


@pytest.mark.parametrize("game", GAMES)
def test_good_records_are_never_blamed(game: str) -> None:
    """Whatever fails inside with good arguments stays a fault of ours."""
    state = pitboss.play(pitboss.rules(game, DAY), seed=3, seats=2).finish()
    assert [*ill_made(state), *ill_made(state.settlement)] == []


def test_a_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(pitboss.MissingExtra, match=r"pip install 'pitboss\[pandas\]'"):
        pitboss.sweep(RULES, "pair_plus", "flush", (1, 2)).to_pandas()


def test_environments() -> None:
    """Gymnasium's own check, and tables side by side."""
    gymnasium = pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    from pitboss.gym import TableEnv, vector

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it has opinions on the number of actions
        for game in GAMES:
            check_env(TableEnv(pitboss.rules(game, DAY)), skip_render_check=True)
    several = vector(RULES, 3)
    several.action_space.seed(1)
    several.reset(seed=1)
    rewards = [several.step(several.action_space.sample())[1].tolist() for _ in range(6)]
    assert len(rewards[0]) == 3
    assert any(any(row) for row in rewards)
    env = TableEnv(RULES)
    assert isinstance(env, gymnasium.Env)
    with pytest.raises(PitbossError):
        env.step(0)
    first = env.reset(seed=4)[0].tolist()
    assert env.reset(seed=4)[0].tolist() == first
    assert sum(first) == 3 + 1
