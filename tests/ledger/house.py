"""A house in a test: one ledger, its people, and tables that are played through the pit as anybody would."""

import itertools
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, cast

from tests.table.driver import PEOPLE, submission_text

from pitboss.cards import DECK, parse_cards, show_cards
from pitboss.ledger.desk import LedgerDesk
from pitboss.ledger.people import Person
from pitboss.ledger.pit import Pit, Reply
from pitboss.ledger.store import Store, Writing
from pitboss.table.autoplay import automatic, plain_wagers
from pitboss.table.dealing import TakesCards, slots_left
from pitboss.table.opening import next_slip
from pitboss.table.roles import Role
from pitboss.table.ruling import game_at
from pitboss.table.source import SeededRandomness
from pitboss.table.state import Phase, Table

START = 1_717_250_400_000_000
"""A day in June 2024, two in the afternoon, in microseconds."""


class RefusedError(AssertionError):
    """A command of a test that the pit did not carry out."""


@dataclass
class House:
    """Everything that a test needs to run a pit: commands say who acts, keys and the clock run by themselves."""

    store: Store
    seed: int = 1
    now: int = START
    pit: Pit = field(init=False)
    _keys: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def __post_init__(self) -> None:
        self.pit = Pit(self.store, self.clock, SeededRandomness(self.seed), lambda: self.now)

    def clock(self) -> int:
        self.now += 1_000
        return self.now

    def person(self, role: Role, name: str = "") -> Person:
        return Person(name or PEOPLE.get(role, str(role).replace(" ", "-")), name, role)

    def act(self, table: str, role: Role, command: str, who: str = "", **fields: Any) -> Reply:
        """Whatever the pit answers."""
        body = {"command": command, **fields}
        return self.pit.act(table, body, self.person(role, who), f"key-{self.seed}-{next(self._keys):06d}")

    def do(self, table: str, role: Role, command: str, who: str = "", **fields: Any) -> Reply:
        """A command that must be carried out; a table that pays otherwise than the law is opened by two people, and a
        wager that the hand did not allow stands by two."""
        reply = self.act(table, role, command, who, **fields)
        if reply.status == 202 and (
            second := {"open_table": Role.AUDITOR, "rule_choice": Role.PIT_MANAGER}.get(command)
        ):
            self.pit.approve(int(reply.body["proposal"]), self.person(second, "the-second"))
            return reply
        if not reply.accepted:
            raise RefusedError(f"{command} {fields}: {reply.text}")
        return reply

    def dealer(self, table: str, command: str, **fields: Any) -> Reply:
        return self.do(table, Role.DEALER, command, **fields)

    def floor(self, table: str, command: str, **fields: Any) -> Reply:
        return self.do(table, Role.FLOORPERSON, command, **fields)

    def manager(self, table: str, command: str, **fields: Any) -> Reply:
        return self.do(table, Role.PIT_MANAGER, command, **fields)

    def by_two(self, table: str, role: Role, command: str, second: Role = Role.PIT_MANAGER, **fields: Any) -> int:
        """A command that a second person has to consent to, with that consent; the number of the proposal."""
        reply = self.act(table, role, command, **fields)
        assert reply.status == 202, reply.text
        number = int(reply.body["proposal"])
        self.pit.approve(number, self.person(second, "the-second"))
        return number

    def opened(
        self,
        table: str,
        game: str,
        dealing: str = "manual-shoe",
        seats: tuple[int, ...] = (1, 2),
        *,
        source: str = "virtual",
        meters: dict[str, str] | None = None,
        chips: int = 1_000_000,
        **choices: Any,
    ) -> "House":
        """Open a table and seat players who have bought in; seat 1 of t1 is p1 of every table."""
        text = submission_text(game, dealing, **choices)
        self.manager(table, "open_table", submission=text, source=source, meters=meters or {}, fill=50_000_000)
        for seat in seats:
            self.dealer(table, "sit", seat=seat, player=f"p{seat}")
            self.buy_in(table, f"p{seat}", chips)
        return self

    def buy_in(self, table: str, player: str, amount: int) -> Reply:
        """Chips from the pit manager, whom no limit stops."""
        return self.manager(table, "buy_in", player=player, amount=amount, slip=self.slip(table))

    def slip(self, table: str) -> int:
        return next_slip(self.pit.table(table), self.now)

    @contextmanager
    def desk(self) -> Iterator[LedgerDesk]:
        """Surroundings to ask for the next step; nothing is written through them."""
        with self.store.reading() as reading:
            person = self.person(Role.DEALER)
            yield LedgerDesk(cast(Writing, reading), self.now, person.id, person.role, self.pit.randomness)

    def step(self, table: str) -> Reply:
        """Whatever the procedure asks for next, by whom it asks; a dealer speaks for the players."""
        with self.desk() as desk:
            following = automatic(self.pit.table(table), desk)
        assert following is not None, f"nothing to do at {table}"
        asked, command = following
        body, now = command.as_dict(), self.pit.table(table)
        if isinstance(command, TakesCards) and now.source == "keyed" and command.wanted(now):
            body["cards"] = self._cards(now, {})
        role = Role.DEALER if asked.role == Role.PLAYER else asked.role
        return self.do(table, role, body.pop("command"), **body)

    def until(self, table: str, *phases: str, most: int = 300) -> "House":
        for _ in range(most):
            if self.pit.table(table).phase in phases:
                return self
            self.step(table)
        raise AssertionError(f"{table} never came to {phases}")

    def wagers(self, table: str, *seats: int) -> "House":
        """The demonstration wagers at the seats, at a table where wagers may be placed."""
        self.until(table, "wagering")
        for seat in seats or sorted(self.pit.table(table).boxes):
            for wager, amount in plain_wagers(self.pit.table(table), seat).items():
                self.dealer(table, "wager", seat=seat, wager=wager, amount=amount)
        return self

    def round(self, table: str, *seats: int) -> Table:
        """One whole round, from the shuffle to the discard rack."""
        self.wagers(table, *seats)
        before = self.pit.table(table).rounds
        for _ in range(300):
            self.step(table)
            now = self.pit.table(table)
            if now.rounds > before and now.play is None:
                return now
        raise AssertionError(f"the round at {table} never ended")

    def rounds(self, table: str, count: int, *seats: int) -> "House":
        for _ in range(count):
            self.round(table, *seats)
        return self

    def key_in(self, table: str, hands: Mapping[str, str]) -> "House":
        """At a table with keyed-in cards that is about to deal: these hands by place, any cards for the rest."""
        now = self.pit.table(table)
        self.dealer(table, "deal" if now.phase == Phase.DEALING else "reveal", cards=self._cards(now, hands))
        return self

    def _cards(self, now: Table, hands: Mapping[str, str]) -> str:
        planned = {place: list(parse_cards(cards)) for place, cards in hands.items()}
        taken = {*now.playing.left_deck, *(card for cards in planned.values() for card in cards)}
        spare = [card for card in DECK if card not in taken]
        return show_cards(planned[slot.to].pop(0) if planned.get(slot.to) else spare.pop(0) for slot in slots_left(now))

    def trouble(self, table: str) -> "House":
        """A round with a card found face up, a player who leaves, then a round that is void."""
        self.wagers(table).until(table, "dealing")
        self.dealer(table, "irregularity", what="card-face-up-in-shoe", count=1)
        self.until(table, "deciding")
        seat = max(self.pit.table(table).boxes)
        self.dealer(table, "leave", seat=seat)
        if not game_at(self.pit.table(table)).course.contest:  # there the dealer folds the hand in its turn
            self.floor(table, "abandon", seat=seat)
        self.until(table, "shuffling", "wagering", "deck count")
        self.dealer(table, "sit", seat=seat, player=f"p{seat}")
        self.wagers(table).until(table, "deciding")
        self.dealer(table, "irregularity", what="wrong-number-of-cards", seat=seat, note="four cards")
        return self
