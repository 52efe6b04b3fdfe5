"""The same batches on Dask, with a worker killed on the way."""

import json
import os
import signal
from collections.abc import Iterator
from multiprocessing import active_children

import pytest

from pitboss.findings import UnreadableError
from pitboss.simulate.batches import Batch
from pitboss.simulate.cluster import Cluster, batches_on
from pitboss.simulate.plan import Plan
from pitboss.simulate.runs import Span, simulate

from .plans import SEED, plan_of

distributed = pytest.importorskip("distributed")
ROUNDS = 400_000


@pytest.fixture(scope="module")
def plan() -> Plan:
    return plan_of("four-card-frenzy", 2)


def test_a_local_cluster_with_a_killed_worker_comes_to_the_same(plan: Plan) -> None:
    killed: list[int] = []

    def source(plan: Plan, seed: int, session: int, wanted: Iterator[Span]) -> Iterator[Batch]:
        with Cluster("local", 2).client() as client:
            for batch in batches_on(client, plan, seed, session, wanted):
                if not killed:
                    killed.append(next(iter(client.run(os.getpid).values())))
                    os.kill(killed[0], signal.SIGKILL)
                yield batch

    totals = simulate(plan, ROUNDS, SEED, batch=20_000, source=source)
    assert killed
    assert json.dumps(totals.state()) == json.dumps(simulate(plan, ROUNDS, SEED).state())


def test_work_that_was_lost_with_its_only_worker_is_sent_again(plan: Plan) -> None:
    lost: list[str] = []

    def source(plan: Plan, seed: int, session: int, wanted: Iterator[Span]) -> Iterator[Batch]:
        with Cluster("local", 1).client() as client:
            for batch in batches_on(client, plan, seed, session, wanted):
                if not lost:
                    lost.extend(key for key in client.futures if str(key).startswith("Work"))
                    client.cancel([distributed.Future(key, client) for key in lost], force=True)
                yield batch

    totals = simulate(plan, ROUNDS, SEED, batch=20_000, source=source)
    assert lost
    assert json.dumps(totals.state()) == json.dumps(simulate(plan, ROUNDS, SEED).state())


def test_the_workers_of_a_local_cluster_end_with_its_client() -> None:
    before = set(active_children())
    with Cluster("local", 2).client() as client:
        started = set(active_children()) - before
        assert len(started) == len(client.scheduler_info()["workers"]) == 2
    assert started.isdisjoint(active_children())


def test_an_address_without_a_scheduler_is_said_so(plan: Plan) -> None:
    with pytest.raises(UnreadableError, match="No scheduler answers"):
        list(Cluster("tcp://127.0.0.1:9", patience=1)(plan, SEED, 0, iter([(0, 10)])))
