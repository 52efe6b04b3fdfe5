"""Any game as a Gymnasium environment, alone or many at once (extra ``gym``).

    import pitboss
    from pitboss.gym import TableEnv

    env = TableEnv(pitboss.rules(pitboss.game_names()[0], "2024-06-01"))
    observation, info = env.reset(seed=1)
    observation, reward, over, _, info = env.step(env.action_space.sample(info["action_mask"]))

An episode is one round at seat 1; others, if any, play plainly. Observations are what the law lets a player see, as
bits: own cards, cards turned up, the step of the course, and the actions taken so far. The reward is what the round
paid, in dollars.
"""

from itertools import combinations
from typing import Any

from pitboss.api.playing import BET, DEAL, State, Wagers, play
from pitboss.extras import MissingExtra, sentence_of
from pitboss.findings import PitbossError
from pitboss.games.course import Decide
from pitboss.games.registry import GAMES
from pitboss.games.rules import Rules, check_rules

try:
    import gymnasium
    import numpy as np
    import numpy.typing as npt
    from gymnasium.spaces import Discrete, MultiBinary
    from gymnasium.vector import SyncVectorEnv
except ModuleNotFoundError as missing:
    raise MissingExtra(sentence_of(missing)) from missing

Bits = npt.NDArray[np.int8]
CARDS, SEAT = 52, 1


class TableEnv(gymnasium.Env[Bits, np.int64]):
    """One seat at a table of any game, round by round.

    ``actions`` names what the numbers of the action space stand for; ``info["action_mask"]`` says which are open. An
    action that is not open changes nothing, and ``info["refused"]`` says why. With ``betting``, the default where a
    game asks for nothing but wagers, an episode begins before wagers are placed; after ``most_bets`` it is dealt.
    """

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012 - as Gymnasium has it
    render_mode = "ansi"

    def __init__(
        self,
        rules: Rules,
        wagers: Wagers | None = None,
        betting: bool | None = None,
        most_bets: int = 3,
        seats: int | None = None,
    ) -> None:
        check_rules(rules)
        game = GAMES[rules.game]
        self.rules, self.wagers, self.most_bets, self.seats = rules, wagers, most_bets, seats
        self.betting = all(step.even for step in game.course.decides) if betting is None else betting
        self.steps = ("bets", *(step.name for step in game.course.decides))
        bets = (*(f"{BET}{name}" for name in rules.names_at(SEAT)), DEAL) if self.betting else ()
        self.actions = tuple(
            dict.fromkeys((*bets, *(a for step in game.course.decides for a in _actions(rules, step))))
        )
        self._places = {name: place for place, name in enumerate(self.actions)}
        self._state: State | None = None
        self._taken: tuple[str, ...] = ()
        self.action_space: Discrete[np.int64] = Discrete(len(self.actions))
        self.observation_space = MultiBinary(2 * CARDS + len(self.steps) + len(self.actions))

    @property
    def state(self) -> State:
        """The current round."""
        if self._state is None:
            raise PitbossError("The environment has not been reset yet: call reset() first.")
        return self._state

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Bits, dict[str, Any]]:
        """Deal a round in which the seat is asked something."""
        super().reset(seed=seed, options=options)
        while True:
            number = int(self.np_random.integers(2**62))
            begun = play(self.rules, number, wagers=self.wagers, betting=self.betting, seats=self.seats)
            self._state, self._taken = self._others(begun), ()
            if not self._state.is_over:
                return self._seen(), self._info()

    def step(self, action: np.int64 | int) -> tuple[Bits, float, bool, bool, dict[str, Any]]:
        """Take an action by its number."""
        name = self.actions[int(action)] if 0 <= int(action) < len(self.actions) else str(action)
        if self.state.is_over:
            raise PitbossError("The round is over: call reset() for the next one.")
        if name not in self._open():
            return self._seen(), 0.0, False, False, {**self._info(), "refused": f"{name!r} is not open now."}
        self._state = self._others(self.state.apply(name))
        self._taken += (name,)
        over = self._state.is_over
        reward = self._state.returns()[SEAT] / 100 if over else 0.0
        return self._seen(), reward, over, False, self._info()

    def render(self) -> str:
        """The round in a line."""
        return repr(self.state)

    def _others(self, state: State) -> State:
        """The round up to the next turn of the seat: the others make plain wagers and play plainly."""
        while state.current_seat not in (SEAT, None):
            state = state.apply(state.plain_action())
        return state

    def _open(self) -> tuple[str, ...]:
        legal = self.state.legal_actions()
        enough = self.state.round is None and len(self._taken) >= self.most_bets and DEAL in legal
        return (DEAL,) if enough else legal

    def _info(self) -> dict[str, Any]:
        mask = np.zeros(len(self.actions), np.int8)
        mask[[self._places[name] for name in self._open()]] = 1
        return {"action_mask": mask}

    def _seen(self) -> Bits:
        sight, bits = self.state.observation(SEAT), np.zeros(self.observation_space.shape or (), np.int8)
        bits[list(sight.cards)] = 1
        bits[[CARDS + card for card in sight.up]] = 1
        if self.state.step is not None:
            bits[2 * CARDS + self.steps.index(self.state.step)] = 1
        bits[[2 * CARDS + len(self.steps) + self._places[name] for name in self._taken]] = 1
        return bits


def _actions(rules: Rules, step: Decide) -> tuple[str, ...]:
    """Everything that can ever be chosen at a step; cards given up are named by their places."""
    held = next((each.value for each in rules.chapter.figures if each.name == "player_cards"), 0)
    found: list[str] = []
    for choice in step.choices(rules):
        draws = choice.option.draws
        if draws is None or not draws.discards:
            found.append(choice.name)
            continue
        for count in range(draws.least, draws.most + 1):
            found += (" ".join((choice.name, *map(str, places))) for places in combinations(range(1, held + 1), count))
    return tuple(found)


def vector(rules: Rules, tables: int, **settings: Any) -> SyncVectorEnv:
    """Many tables of one game side by side, stepped together."""
    if not isinstance(tables, int) or tables < 1:
        raise PitbossError(f"The number of tables is a whole number from 1 on, not {tables!r}.")
    return SyncVectorEnv([lambda: TableEnv(rules, **settings)] * tables)


__all__ = ["TableEnv", "vector"]
