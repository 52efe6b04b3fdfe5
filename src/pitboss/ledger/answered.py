"""Request keys held against the events: what was answered under a key is what was recorded under it, once."""

import json
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from pitboss.findings import Finding, refusal
from pitboss.ledger import queries
from pitboss.ledger.chain import GENESIS, LIMIT, answer_link, verify_numbers
from pitboss.ledger.checkpoint import Part
from pitboss.ledger.schema import requests
from pitboss.ledger.store import Answer, Reading, Recorded

PAGE, AHEAD = 5_000, 1_000
Say = Callable[[Finding], None]


@dataclass
class _Act:
    """The events recorded under one request key."""

    key: str
    stream: str
    actor: str
    at: int
    events: list[tuple[int, str, str]] = field(default_factory=list)


class Answers:
    """Follows the events in their order; those of one request stand together."""

    def __init__(self, say: Say, seq: int = 0, digest: bytes = GENESIS, again: Part = (0, 0)) -> None:
        """``seq`` and ``digest``: the answer up to which the chain of answers was verified before.

        Of those up to there the part ``again`` is walked once more, and none may be missing.
        """
        self.acts = 0
        self.answered = 0
        """Commands that have an answer that says they were carried out."""
        self.seq, self.digest = seq, digest
        self._again = again
        self._say = say
        self._act: _Act | None = None
        self._ahead: deque[tuple[int, Answer]] = deque()
        self._read = seq

    def follow(self, event: Recorded, reading: Reading) -> None:
        if self._act is not None and self._act.key != event.request:
            self.end(reading)
        if event.request:
            if self._act is None:
                self._act = _Act(event.request, event.stream, event.actor, event.at)
            self._act.events.append((event.seq, event.kind, event.hash.hex()))

    def end(self, reading: Reading) -> None:
        """No more events belong to the request that was followed last."""
        act, self._act = self._act, None
        if act is None:
            return
        self.acts += 1
        where, answer = f"event {act.events[0][0]}", self._under(act.key, reading)
        if answer is None:
            self._say(refusal("request", "an answer", "none", f"nothing was answered under its key {act.key!r}", where))
            return
        told = [(each["seq"], each["kind"], each["hash"]) for each in json.loads(answer.answer).get("events", ())]
        if (answer.status, answer.stream, answer.actor, answer.at) != (200, act.stream, act.actor, act.at):
            sentence = f"the answer under its key {act.key!r} is another's: {answer.actor} at {answer.stream}"
            self._say(refusal("request", f"{act.actor} at {act.stream}", answer.actor, sentence, where))
        elif told != act.events:
            sentence = f"the answer under its key {act.key!r} named other events than those recorded"
            self._say(refusal("request", _seqs(act.events), _seqs(told), sentence, where))

    def _under(self, key: str, reading: Reading) -> Answer | None:
        """Acts are answered in their order, so it is the next one; where it is not, it is looked for by its key."""
        if not self._ahead:
            self._ahead.extend(reading.accepted(self._read, AHEAD))
            self._read = self._ahead[-1][0] if self._ahead else self._read
        if self._ahead and self._ahead[0][1].key == key:
            return self._ahead.popleft()[1]
        return reading.answer(key)

    def walk(self, reading: Reading) -> None:
        """Every answer, accepted or refused, is the one that was given, and none is missing."""
        first, until = self._again
        if until:
            for finding in (*verify_numbers(reading.connection, "answer", requests), *_walked(reading, first, until)):
                self._say(finding)
        for finding in self._links(reading):
            self._say(finding)
        ids = sorted(row[0] for row in reading.rows(queries.HEADS))
        if ids != [1, 2]:
            self._say(refusal("chain-head", "1, 2", ids, f"the heads of the chains are the rows 1 and 2, not {ids}"))

    def _links(self, reading: Reading) -> Iterator[Finding]:
        """From the checkpoint to the end, which the head of the answers must say as well."""
        for row in _linked(reading, self.seq, self.digest):
            if isinstance(row, Finding):
                yield row
                return
            self.seq, self.digest = row[0], bytes(row[-1])
            self.answered += row[4] == 200 and row[6] != ""
        head = reading.answers_head()
        if (head.seq, head.hash) != (self.seq, self.digest):
            sentence = f"the answers end at {self.seq}, but their head is at {head.seq} or has another hash"
            yield refusal("answer", f"answer {self.seq}", f"answer {head.seq}", sentence, f"answer {self.seq + 1}")

    def finish(self) -> None:
        answered = self.answered
        if answered != self.acts:
            sentence = f"{answered} commands were answered as carried out, but the events are those of {self.acts}"
            self._say(refusal("request", self.acts, answered, sentence))


def _walked(reading: Reading, first: int, until: int) -> Iterator[Finding]:
    """What is wrong with the answers after ``first`` up to ``until``; the stored hash of ``first`` is trusted."""
    row = reading.row(queries.hash_at(requests), seq=first) if first else (GENESIS,)
    if row is not None:
        yield from (found for found in _linked(reading, first, bytes(row[0]), until) if isinstance(found, Finding))


def _linked(reading: Reading, seq: int, digest: bytes, until: int = LIMIT) -> Iterator[Any]:
    """Each answer whose columns give its hash, up to the first for which something is wrong: a finding then."""
    while True:
        rows = reading.rows(queries.ANSWERS, after=seq, until=until, limit=PAGE)
        for row in rows:
            where = f"answer {seq + 1}"
            if row[0] != seq + 1:
                yield refusal("answer", where, f"answer {row[0]}", f"{where} is missing", where)
                return
            digest = answer_link(digest, row[:-1])
            if digest != bytes(row[-1]):
                sentence = f"{where}, under the key {row[1]!r}, is not the one that was given"
                yield refusal("answer", digest.hex(), bytes(row[-1]).hex(), sentence, where)
                return
            seq = row[0]
            yield row
        if len(rows) < PAGE:
            return


def _seqs(events: Iterable[tuple[Any, ...]]) -> str:
    return ", ".join(str(event[0]) for event in events) or "none"
