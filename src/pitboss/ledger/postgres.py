"""PostgreSQL's driver with a deadline on every call: a server that is stopped never closes a connection by itself."""

import time
from collections.abc import Generator
from typing import Any, ClassVar, Self, TypeVar

from psycopg import Connection, OperationalError

from pitboss.findings import PitbossError
from pitboss.ledger import deadlines
from pitboss.ledger.deadlines import Pulse, silence, within

T = TypeVar("T")


class NoAnswerError(PitbossError, OperationalError):
    """Silence for too long. What was sent may still be carried out when the server goes on."""


class TimedConnection(Connection[Any]):
    """Gives up, and closes itself, when the server says nothing for as long as the caller may wait."""

    pulse: ClassVar[Pulse]

    @classmethod
    def connect(cls, *args: Any, **options: Any) -> Self:
        if not cls.pulse.may_try():
            raise NoAnswerError("it did not answer a moment ago, and somebody is trying already")
        try:
            with within(deadlines.ANSWER_S):
                made = super().connect(*args, **options)
        except OperationalError:
            cls.pulse.failed()
            raise
        cls.pulse.answered()
        return made

    @classmethod
    def _connect_gen(cls, *args: Any, **options: Any) -> Any:
        return _heard(super()._connect_gen(*args, **options))

    def wait(self, gen: Any, *args: Any, **options: Any) -> Any:
        try:
            return super().wait(_heard(gen), *args, **options)
        except NoAnswerError:
            self.pulse.failed()
            self.close()
            raise


def timed_connection(pulse: Pulse) -> type[TimedConnection]:
    """The connections of one database, which share what is known of it."""
    return type("TimedConnection", (TimedConnection,), {"pulse": pulse})


def _heard(asking: Generator[Any, int, T]) -> Generator[Any, int, T]:
    """The driver resumes a question when the server has said something, and ten times a second when it has not."""
    limit = silence()
    until = time.monotonic() + limit
    try:
        wanted = next(asking)
        while True:
            ready = yield wanted
            if ready:
                until = time.monotonic() + silence()
            elif time.monotonic() >= until:
                asking.close()
                raise NoAnswerError(f"no answer within {limit:.1f} seconds")
            wanted = asking.send(ready)
    except StopIteration as done:
        value: T = done.value
        return value
