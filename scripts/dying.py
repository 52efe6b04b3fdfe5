"""A dealer in a process of its own, who tells what is asked and answered, and who can be killed at any moment.

The process is forked from one that has no ledger open and no thread running, and never returns: it dies by SIGKILL.
"""

import hashlib
import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from tests.table.driver import submission_text
from tests.table.invariants import on_layout

from pitboss.findings import errors
from pitboss.ledger.audit import audit_store
from pitboss.ledger.people import Person
from pitboss.ledger.pit import Pit, Reply
from pitboss.ledger.store import Store
from pitboss.meters import UNITS_PER_CENT
from pitboss.table.autoplay import plain_wagers
from pitboss.table.canonical import canonical
from pitboss.table.codec import encode
from pitboss.table.fold import apply
from pitboss.table.ruling import rules_at
from pitboss.table.state import Phase, Table
from scripts.common import DEALER, Clerk
from scripts.house import asked, open_table

FORK = multiprocessing.get_context("fork")
STEPS = ("begin", "events", "balances", "entries", "before-commit", "after-commit", "after-anchor")
"""Where ``Store.hook`` is called in a transaction."""
SEATS = (1, 2, 4)


@dataclass(frozen=True)
class Asked:
    """A command that was sent, and may or may not have been answered."""

    key: str
    body: Mapping[str, Any]
    who: Person


@dataclass
class Told:
    """Everything that came through the pipe before the end."""

    answers: dict[str, Reply] = field(default_factory=dict)
    open: Asked | None = None
    """Sent, and not answered."""
    state: str = ""
    """The fingerprint of the table and its sealed decks, after the last answer."""
    rounds: int = 0


def prepare(url: str, anchor: Path, game: str, dealing: str = "manual-shoe") -> None:
    with Store(url, anchor) as store:
        players = {seat: f"player-{seat}" for seat in SEATS}
        open_table(Clerk(Pit(store).act), "t1", submission_text(game, dealing), players)


def fingerprint(pit: Pit) -> str:
    """The table to the last card, face down and undealt ones too."""
    table = pit.table("t1")
    with pit.store.reading() as reading:
        sealed = [reading.sealed("t1", deck) for deck in sorted(table.decks)]
    cards = [None if deck is None else [deck.commitment, deck.cards, deck.salt] for deck in sealed]
    return hashlib.sha256(canonical([encode(table), cards]).encode()).hexdigest()


def wanted(pit: Pit, table: Table) -> tuple[Person, dict[str, Any]]:
    """What comes next: wagers for every seat, one of them progressive, then whatever the procedure asks for."""
    if table.phase == Phase.WAGERING:
        progressive = dict(list(rules_at(table).choices.amounts.items())[:1])
        for seat in SEATS:
            for wager, amount in {**plain_wagers(table), **progressive}.items():
                if wager not in table.staged.get(seat, {}):
                    return DEALER, {"command": "wager", "seat": seat, "wager": wager, "amount": amount}
    following = asked(pit, table)
    assert following is not None
    return following


def deal(url: str, anchor: Path, name: str, pipe: Connection, suicide: "Suicide") -> None:
    """Play on for ever, telling each question before and each answer after."""
    store = Store(url, anchor)
    pit = Pit(store)
    number = 0
    while True:
        table = pit.table("t1")
        suicide.at_phase(table.phase)
        who, body = wanted(pit, table)
        number += 1
        key = f"{name}-{number:06}"
        pipe.send(Asked(key, body, who))
        store.hook = suicide.hook(body["command"])
        reply = pit.act("t1", body, who, key)
        store.hook = None
        pipe.send((key, reply, fingerprint(pit) if suicide.phase else "", pit.table("t1").rounds))


@dataclass
class Suicide:
    """Where the dealer dies by the own hand: at a step of the transaction of a command, or in a phase."""

    step: str = ""
    command: str = "settle"
    phase: str = ""

    def hook(self, command: str) -> Callable[[str], None] | None:
        if not self.step or command != self.command:
            return None
        return lambda reached: kill() if reached == self.step else None

    def at_phase(self, phase: str) -> None:
        if phase == self.phase:
            kill()


def kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def run(
    url: str,
    anchor: Path,
    name: str,
    *,
    suicide: Suicide | None = None,
    after: Callable[[Told], float | None] = lambda told: None,  # noqa: ARG005
) -> Told:
    """Fork the dealer and listen to the end. ``after`` says how long to wait, once it is time to kill."""
    ours, theirs = FORK.Pipe()
    process = FORK.Process(target=deal, args=(url, anchor, name, theirs, suicide or Suicide()))
    process.start()
    theirs.close()
    told = Told()
    doomed = False
    try:
        while True:
            heard = ours.recv()
            if isinstance(heard, Asked):
                told.open = heard
            else:
                key, reply, told.state, told.rounds = heard
                told.answers[key], told.open = reply, None
            if not doomed and (delay := after(told)) is not None:
                doomed = True
                time.sleep(delay)
                process.kill()
    except EOFError:
        pass
    process.join()
    if process.exitcode != -signal.SIGKILL:
        raise RuntimeError(f"the dealer ended with {process.exitcode}")
    return told


def judge(url: str, anchor: Path, told: Told) -> list[str]:
    """What is wrong with the ledger after the kill; then the open question is asked again, twice."""
    wrong: list[str] = []
    with Store(url, anchor) as store:
        pit = Pit(store)
        wrong += [str(finding) for finding in errors(audit_store(store))]
        wrong += _answers(store, told) + _halves(store) + _table(pit)
        if told.open is not None:
            first = pit.act("t1", told.open.body, told.open.who, told.open.key)
            if pit.act("t1", told.open.body, told.open.who, told.open.key) != first:
                wrong.append(f"{told.open.key}: two answers under one key")
            if not first.accepted:
                wrong.append(f"{told.open.key}: refused when asked again: {first.text}")
            wrong += _halves(store) + _table(pit)
    return wrong


def _answers(store: Store, told: Told) -> list[str]:
    """Nothing that was acknowledged is lost."""
    with store.reading() as reading:
        kept = {key: reading.answer(key) for key in told.answers}
    return [
        f"{key}: the acknowledged answer is lost or another"
        for key, reply in told.answers.items()
        if (found := kept[key]) is None or found.answer != reply.text
    ]


def _halves(store: Store) -> list[str]:
    """Every command is stored whole: its events are those of its answer, and every round sums to zero."""
    wrong = []
    with store.reading() as reading:
        recorded = reading.events("t1")
        by_key: dict[str, list[int]] = {}
        sums: dict[int, int] = {}
        for event in recorded:
            by_key.setdefault(event.request, []).append(event.seq)
            sums[event.round] = sums.get(event.round, 0) + sum(entry.units for entry in event.entries)
        for key, seqs in by_key.items():
            answer = reading.answer(key)
            if answer is None or [e["seq"] for e in Reply(200, answer.answer).body["events"]] != seqs:
                wrong.append(f"{key}: stored by half")
    return wrong + [f"round {number}: entries sum to {total}" for number, total in sums.items() if total]


def _table(pit: Pit) -> list[str]:
    """The table is the fold of its events, and its layout holds what it says."""
    table = Table("t1")
    with pit.store.reading() as reading:
        for event in reading.events("t1"):
            table = apply(table, event.fact)
        lying = reading.balance("layout:t1")
    wrong = [] if table == pit.table("t1") else ["the table is not the fold of its events"]
    if lying != on_layout(table) * UNITS_PER_CENT:
        wrong.append(f"{lying} units lie on the layout, and {on_layout(table)} cents should")
    return wrong
