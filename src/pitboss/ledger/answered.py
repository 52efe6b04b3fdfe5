"""Request keys held against the events: what was answered under a key is what was recorded under it, once."""

import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from pitboss.findings import Finding
from pitboss.ledger.store import Reading, Recorded

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

    def __init__(self, say: Say) -> None:
        self.acts = 0
        self._say = say
        self._act: _Act | None = None

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
        where, answer = f"event {act.events[0][0]}", reading.answer(act.key)
        if answer is None:
            sentence = f"nothing was answered under its key {act.key!r}"
            self._say(Finding("request", "", "an answer", "none", sentence, where))
            return
        told = [(each["seq"], each["kind"], each["hash"]) for each in json.loads(answer.answer).get("events", ())]
        if (answer.status, answer.stream, answer.actor, answer.at) != (200, act.stream, act.actor, act.at):
            sentence = f"the answer under its key {act.key!r} is another's: {answer.actor} at {answer.stream}"
            self._say(Finding("request", "", f"{act.actor} at {act.stream}", answer.actor, sentence, where))
        elif told != act.events:
            sentence = f"the answer under its key {act.key!r} told of other events than those recorded"
            self._say(Finding("request", "", _seqs(act.events), _seqs(told), sentence, where))

    def finish(self, answered: int) -> None:
        """``answered`` commands have an answer that says they were carried out."""
        if answered != self.acts:
            sentence = f"{answered} commands were answered as carried out, but the events are those of {self.acts}"
            self._say(Finding("request", "", str(self.acts), str(answered), sentence))


def _seqs(events: Iterable[tuple[Any, ...]]) -> str:
    return ", ".join(str(event[0]) for event in events) or "none"
