"""The same totals on one or two workers, in any batches, after an interruption and after a worker was killed."""

import json
import os
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from time import sleep

import pytest

from pitboss.findings import UnreadableError
from pitboss.simulate import runs
from pitboss.simulate.batches import Batch, run_batch
from pitboss.simulate.plan import Plan
from pitboss.simulate.runs import Processes, Span, in_this_process, simulate, spans
from pitboss.simulate.totals import Totals

from .plans import SEED, plan_of

ROUNDS = 60_000
SESSION = 250


@pytest.fixture(scope="module")
def plan() -> Plan:
    return plan_of("three-card-poker", 3, magic=True)


@pytest.fixture(scope="module")
def once(plan: Plan) -> str:
    totals = simulate(plan, ROUNDS, SEED, session=SESSION)
    assert totals.meters.rows, "the run must hold jackpots, or it proves little"
    return text(totals)


def text(totals: Totals) -> str:
    return json.dumps(totals.state())


@pytest.mark.parametrize("batch", [SESSION, 1_000, 7_777, 59_999])
def test_batches_of_any_size_add_up_to_the_same(plan: Plan, once: str, batch: int) -> None:
    assert text(simulate(plan, ROUNDS, SEED, session=SESSION, batch=batch)) == once


def test_two_workers_come_to_the_same(plan: Plan, once: str) -> None:
    assert text(simulate(plan, ROUNDS, SEED, session=SESSION, batch=5_000, workers=2)) == once


def test_batches_may_come_in_any_order(plan: Plan, once: str) -> None:
    def backwards(plan: Plan, seed: int, session: int, wanted: Iterator[Span]) -> Iterator[Batch]:
        yield from reversed(list(in_this_process(plan, seed, session, wanted)))

    assert text(simulate(plan, ROUNDS, SEED, session=SESSION, batch=9_000, source=backwards)) == once


def test_a_killed_worker_changes_nothing(plan: Plan, once: str) -> None:
    """One worker after the other is killed while the run goes on."""
    killed = []

    def kill(pool: object) -> None:
        for _ in range(40):
            sleep(0.05)
            for process in list((getattr(pool, "_processes", None) or {}).values()):
                os.kill(process.pid, signal.SIGKILL)
                killed.append(process.pid)
                return

    class Fragile(Processes):
        def _pool(self, path: Path):  # type: ignore[no-untyped-def]
            pool = super()._pool(path)
            if len(killed) < 2:
                pool.submit(os.getpid)
                threading.Thread(target=kill, args=(pool,), daemon=True).start()
            return pool

    assert text(simulate(plan, ROUNDS, SEED, session=SESSION, batch=5_000, source=Fragile(2))) == once
    assert killed


def test_workers_that_always_die_stop_the_run(plan: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    class Doomed(Processes):
        def _pool(self, path: Path):  # type: ignore[no-untyped-def]
            path.write_bytes(b"no plan at all")
            return super()._pool(path)

    monkeypatch.setattr(runs, "MOST_RESTARTS", 1)
    with pytest.raises(runs.WorkersLostError, match="a worker was lost"):
        simulate(plan, ROUNDS, SEED, source=Doomed(1))


def test_an_interrupted_run_goes_on_where_it_stopped(plan: Plan, once: str, tmp_path: Path) -> None:
    checkpoint = tmp_path / "run.json"
    for stop in (11_000, 30_000):

        def interrupt(done: int, _wanted: int, stop: int = stop) -> None:
            if done >= stop:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            simulate(plan, ROUNDS, SEED, session=SESSION, batch=4_000, checkpoint=checkpoint, progress=interrupt)
        assert stop <= json.loads(checkpoint.read_text())["rounds"] < stop + 8_000
    assert text(simulate(plan, ROUNDS, SEED, session=SESSION, batch=13_000, checkpoint=checkpoint)) == once
    assert text(simulate(plan, ROUNDS, SEED, session=SESSION, checkpoint=checkpoint)) == once


def test_a_checkpoint_of_another_run_is_refused(plan: Plan, tmp_path: Path) -> None:
    checkpoint = tmp_path / "run.json"
    simulate(plan, 1_000, SEED, checkpoint=checkpoint)
    with pytest.raises(UnreadableError, match="its seed differ"):
        simulate(plan, 1_000, SEED + 1, checkpoint=checkpoint)
    with pytest.raises(UnreadableError, match="plan"):
        simulate(plan_of("three-card-poker", 1), 1_000, SEED, checkpoint=checkpoint)
    checkpoint.write_text("{")
    with pytest.raises(UnreadableError, match="not a checkpoint"):
        simulate(plan, 1_000, SEED, checkpoint=checkpoint)


def test_a_longer_run_continues_a_shorter_one(plan: Plan, tmp_path: Path) -> None:
    checkpoint = tmp_path / "run.json"
    simulate(plan, 20_000, SEED, checkpoint=checkpoint)
    assert text(simulate(plan, 30_000, SEED, checkpoint=checkpoint)) == text(simulate(plan, 30_000, SEED))


def test_batches_are_whole_sessions() -> None:
    assert list(spans(0, 1_000, 300, 0)) == [(0, 300), (300, 300), (600, 300), (900, 100)]
    assert list(spans(500, 1_300, 300, 250)) == [(500, 250), (750, 250), (1_000, 250), (1_250, 50)]
    assert list(spans(0, 500, 100, 250)) == [(0, 250), (250, 250)]


def test_batches_must_be_absorbed_in_order(plan: Plan) -> None:
    totals = Totals.empty(plan, SEED)
    with pytest.raises(ValueError, match="starts at round 0"):
        totals.absorb(run_batch(plan.work, SEED, 100, 10))
