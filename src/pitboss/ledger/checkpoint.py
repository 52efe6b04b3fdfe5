"""Checkpoints: what a verification had come to, so that the next one goes on from there.

A checkpoint is two things: a row with the state, and an event ``ledger.verified`` with the SHA-256 of that row, the
last event verified and its hash. The event stands in the chain and is anchored like any other, so forging a
checkpoint means to forge the end of the chain and every anchor as well. What it cannot show is an event or an answer
before it that was changed afterwards: that is found by a full verification, or by the random part of it that each one
repeats.
"""

import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pitboss.findings import Finding, refusal
from pitboss.ledger import queries
from pitboss.ledger.chain import GENESIS
from pitboss.ledger.kinds.system import LedgerVerified
from pitboss.ledger.schema import requests
from pitboss.ledger.store import HOUSE_STREAM, Reading, Store
from pitboss.names import several
from pitboss.table.canonical import canonical, digest_of
from pitboss.table.events import Event

EVERY = 1_000
"""Events or answers since the last checkpoint that make another worth its row."""
REPEATED = 20_000
"""Events, and answers, before the checkpoint that are checked again each time, wherever chance puts them."""

Part = tuple[int, int]
"""After the first number, up to the second."""


@dataclass(frozen=True)
class Checkpoint:
    """Everything up to event ``seq`` and answer ``answers`` was verified and came to ``state``."""

    seq: int
    answers: int
    state: Mapping[str, Any]
    again: Part
    """The events before it whose hashes are computed again this time."""
    answers_again: Part


@dataclass(frozen=True)
class Reach:
    """How far a verification looked."""

    events: int
    answers: int
    since: Checkpoint | None = None

    @property
    def sentence(self) -> str:
        """What was checked, what was taken from a checkpoint, and what of that was not looked at."""
        since = self.since
        if since is None:
            return (
                f"Everything was checked: {several(self.events, 'event')}, {several(self.answers, 'answer')}, every "
                "round replayed, nothing taken from a checkpoint."
            )
        checked = _spans("event", [(since.seq, self.events)]), _spans("answer", [(since.answers, self.answers)])
        again = _spans("event", [since.again]), _spans("answer", [since.answers_again])
        left = (
            _spans("event", _around(since.again, since.seq)),
            _spans("answer", _around(since.answers_again, since.answers)),
        )
        unseen = " and ".join(filter(None, left))
        return (
            f"Checked and replayed: {' and '.join(filter(None, checked)) or 'nothing new'}. Taken from the checkpoint: "
            f"all before, up to event {since.seq:,} and answer {since.answers:,}; its events and answers were counted "
            f"and the hashes of {' and '.join(filter(None, again))} computed again. Not looked at: "
            f"{f'the contents of {unseen}, ' if unseen else ''}the rounds and money before the checkpoint. The "
            "database's own check of its file was not run. pitboss audit verify --full checks everything."
        )


def _around(part: Part, last: int) -> list[Part]:
    return [(0, part[0]), (part[1], last)]


def _spans(noun: str, parts: Sequence[Part]) -> str:
    """Parts as numbers that people count from 1; empty if there is nothing in them."""
    spans = [
        f"{first + 1:,} to {until:,}" if until - first > 1 else f"{until:,}" for first, until in parts if until > first
    ]
    more = "" if len(spans) == 1 and " to " not in spans[0] else "s"
    return f"{noun}{more} {' and '.join(spans)}" if spans else ""


def find(reading: Reading) -> tuple[Checkpoint | None, list[Finding]]:
    """The last checkpoint, if it is what was recorded; else why not, and everything has to be verified."""
    verified = reading.latest(LedgerVerified)
    rows = dict(reading.rows(queries.CHECKPOINTS))
    if verified is None:
        return None, [_wrong("there is a checkpoint that no verification wrote", "none")] if rows else []
    seq, told = verified.seq, verified.fact
    text = rows.get(seq)
    if list(rows) != [seq] or text is None or not isinstance(told, LedgerVerified) or digest_of(text) != told.state:
        return None, [_wrong(f"the checkpoint is not the one that event {seq} recorded", f"event {seq}")]
    before = reading.event(told.seq)
    if before is None or before.hash.hex() != told.hash:
        sentence = f"event {told.seq} does not have the hash that it had when it was verified"
        return None, [_wrong(sentence, f"event {told.seq}")]
    state = json.loads(text)
    answers, digest = state.get("answered", (0, GENESIS.hex()))
    stands = reading.row(queries.hash_at(requests), seq=answers) if answers else (GENESIS,)
    if stands is None or bytes(stands[0]).hex() != digest:
        sentence = f"answer {answers} does not have the hash that it had when it was verified"
        return None, [_wrong(sentence, f"answer {answers}")]
    last = told.seq
    return Checkpoint(last, answers, state, repeated(last), repeated(answers)), []


def keep(store: Store, seq: int, digest: str, state: Mapping[str, Any], at: int) -> None:
    """Record that everything up to an event was verified, in place of the checkpoint before."""
    text = canonical(state)
    verified = LedgerVerified(seq=seq, hash=digest, state=digest_of(text))
    with store.writing() as writing:
        last = writing.latest(LedgerVerified)
        if last is not None and last.seq > seq:
            return  # somebody else has come further meanwhile
        event = writing.append([Event(verified)], stream=HOUSE_STREAM, round=0, actor="pitboss", role="system", at=at)[
            0
        ]
        writing.keep_checkpoint(event.seq, text)


def repeated(seq: int) -> Part:
    """A part of the events, or answers, up to a checkpoint, chosen by chance."""
    first = secrets.randbelow(max(0, seq - REPEATED) + 1)
    return first, min(seq, first + REPEATED)


def _wrong(sentence: str, where: str) -> Finding:
    return refusal("checkpoint", "what a verification left", "something else", sentence, where)
