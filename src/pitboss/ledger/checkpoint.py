"""Checkpoints: what a verification had come to, so that the next one goes on from there.

A checkpoint is two things: a row with the state, and an event ``ledger.verified`` with the SHA-256 of that row, the
last event verified and its hash. The event stands in the chain and is anchored like any other, so whoever forges a
checkpoint has to forge the end of the chain and every anchor as well. What it cannot show is an event before it that
was changed afterwards: that is found by a full verification, or by the random part of it that each one repeats.
"""

import json
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pitboss.findings import Finding
from pitboss.ledger.store import HOUSE_STREAM, Reading, Store
from pitboss.table.events import Event, canonical, digest_of

VERIFIED = "ledger.verified"
EVERY = 1_000
"""Events since the last checkpoint that make another worth its row."""
REPEATED = 20_000
"""Events before the checkpoint that are checked again each time, wherever chance puts them."""


@dataclass(frozen=True)
class Checkpoint:
    """Everything up to event ``seq`` was verified and came to ``state``."""

    seq: int
    state: Mapping[str, Any]


def find(reading: Reading) -> tuple[Checkpoint | None, list[Finding]]:
    """The last checkpoint, if it is what was recorded; else why not, and everything has to be verified."""
    verified = reading.latest(VERIFIED)
    rows = dict(reading.rows("SELECT seq, state FROM checkpoints"))
    if verified is None:
        return None, [_wrong("there is a checkpoint that no verification wrote", "none")] if rows else []
    seq, told = verified.seq, verified.data
    text = rows.get(seq)
    if list(rows) != [seq] or text is None or digest_of(text) != told.get("state"):
        return None, [_wrong(f"the checkpoint is not the one that event {seq} recorded", f"event {seq}")]
    before = reading.event(int(told["seq"]))
    if before is None or before.hash.hex() != told.get("hash"):
        sentence = f"event {told['seq']} does not have the hash that it had when it was verified"
        return None, [_wrong(sentence, f"event {told['seq']}")]
    return Checkpoint(int(told["seq"]), json.loads(text)), []


def keep(store: Store, seq: int, digest: str, state: Mapping[str, Any], at: int) -> None:
    """Record that everything up to an event was verified, in place of the checkpoint before."""
    text = canonical(state)
    data = {"seq": seq, "hash": digest, "state": digest_of(text)}
    with store.writing() as writing:
        last = writing.latest(VERIFIED)
        if last is not None and last.seq > seq:
            return  # somebody else has come further meanwhile
        event = writing.append(
            [Event(VERIFIED, data)], stream=HOUSE_STREAM, round=0, actor="pitboss", role="system", at=at
        )[0]
        writing.keep_checkpoint(event.seq, text)


def repeated(seq: int) -> tuple[int, int]:
    """A part of the events before a checkpoint, chosen by chance: after the first up to the second number."""
    first = secrets.randbelow(max(1, seq - REPEATED))
    return first, min(seq, first + REPEATED)


def _wrong(sentence: str, where: str) -> Finding:
    return Finding("checkpoint", "", "what a verification left", "something else", sentence, where)
