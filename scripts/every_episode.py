"""Random episodes of every game: ``pitboss.State``, ``pitboss.settle`` and the live table come to the same money.

    python scripts/every_episode.py [episodes of each game, 1000 if left out]

Every game is played at two seats by random actions, once as a state and once at a keyed-in live table with the same
cards and decisions. What each seat has gained must be the same in the state, in the settlement of its round, and in the
chips of the players at the table.
"""

import random
import sys
from collections.abc import Mapping
from time import perf_counter

import pitboss
from pitboss.cards import show_cards
from pitboss.games.round import Decision
from pitboss.table import Phase
from pitboss.table.dealing import TakesCards

DAY = "2024-06-01"
CHIPS = 10_000_000
SEATS = (1, 2)


class Compared:
    """One game, and a live table at which its episodes are played again."""

    def __init__(self, game: str) -> None:
        self.game = game
        self.live = self._opened()

    def _opened(self) -> pitboss.LiveTable:
        live = pitboss.LiveTable(self.game, DAY, source="keyed", fill=1_000_000_000)
        for seat in SEATS:
            live.sit(seat, f"p{seat}", CHIPS)
        return live

    def episode(self, number: int) -> int:
        """Play one and compare; how many decisions it took."""
        rng = random.Random(f"{self.game} {number}")
        if self.live.table.carried or self.live.table.stacks:
            self.live = self._opened()  # wagers or chips of the last episode still lie on the other one
        state = pitboss.play(self.live.rules, rng.randrange(2**32), seats=len(SEATS), betting=number % 2 == 1)
        taken = 0
        while not state.is_over:
            actions = state.legal_actions()
            over = "deal" in actions and rng.random() < 0.5
            state = state.apply("deal" if over else rng.choice(actions))
            taken += 1
        assert state.round is not None
        live = self.live
        meters = {
            name: meter.displayed()
            for name, house in live.table.meters.items()
            if (meter := live.desk.meter(house)) is not None
        }
        settled = pitboss.settle(live.rules, state.round.played, meters)
        assert not settled.findings, settled.findings
        if not meters:
            assert state.returns() == {**dict.fromkeys(SEATS, 0), **settled.totals}
        before = {seat: self._worth(seat) for seat in SEATS}
        self._replay(state)
        moved = {seat: self._worth(seat) - before[seat] for seat in SEATS}
        assert moved == {**dict.fromkeys(SEATS, 0), **settled.totals}, (self.game, number, moved, settled.totals)
        return taken

    def _worth(self, seat: int) -> int:
        """Chips of a player, with those that lie before them and those of wagers that live on."""
        table, living = self.live.table, self.live.table.carried.get(seat, {}).values()
        return self.live.chips(f"p{seat}") + table.stacks.get(seat, 0) + sum(each.stake for each in living)

    def _replay(self, state: pitboss.State) -> None:
        """The same round at the live table: cards keyed in as they left the deck, decisions as they were made."""
        assert state.round is not None
        live, played = self.live, state.round.played
        cards = [] if state.round.dealing is None else [dealt.card for dealt in state.round.dealing.order]
        decisions: Mapping[int, list[Decision]] = {seat.number: list(seat.decisions.values()) for seat in played.seats}
        drawn = {seat: [card for made in listed for card in made.drawn] for seat, listed in decisions.items()}
        live.until(Phase.WAGERING)
        for seat, made in state.wagers.items():
            for wager, amount in made.items():
                live.do("dealer", "wager", seat=seat, wager=wager, amount=amount)
        rounds = live.table.rounds
        while live.table.rounds == rounds or live.table.play is not None:
            step = live.next_step
            assert step is not None
            name = "" if step.command is None else step.command.name
            many = step.command.wanted(live.table) if isinstance(step.command, TakesCards) else 0
            if many and name != "draw":  # the hands, or a street
                live.step(cards=show_cards(cards[:many]))
                del cards[:many]
            elif name == "draw":
                assert step.seat is not None
                live.step(cards=show_cards(drawn[step.seat]))
            elif name == "roll":
                live.step(dice=" ".join(map(str, played.dice)))
            elif step.role == "player":
                live.step(lambda seat, _: decisions[seat].pop(0))
            else:
                live.step()


def main(episodes: int) -> None:
    for game in pitboss.game_names():
        start, compared = perf_counter(), Compared(game)
        taken = sum(compared.episode(number) for number in range(episodes))
        print(f"{game:24} {episodes:6} episodes {taken:7} decisions {perf_counter() - start:7.1f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
