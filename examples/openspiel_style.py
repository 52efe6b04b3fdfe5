"""A round of any game with the names that OpenSpiel's algorithms use."""

import random

import pitboss


class Round:
    """Actions are numbers; the player of seat ``n`` is number ``n - 1``."""

    def __init__(self, state: pitboss.State) -> None:
        self.state = state

    def current_player(self) -> int:
        return -4 if self.is_terminal() else (self.state.current_seat or 0) - 1

    def legal_actions(self) -> list[int]:
        return list(range(len(self.state.legal_actions())))

    def action_to_string(self, action: int) -> str:
        return self.state.legal_actions()[action]

    def apply_action(self, action: int) -> None:
        self.state = self.state.apply(self.action_to_string(action))

    def is_terminal(self) -> bool:
        return self.state.is_over

    def returns(self) -> list[float]:
        return [cents / 100 for cents in self.state.returns().values()]

    def information_state_string(self) -> str:
        sight = self.state.observation()
        return f"{pitboss.show_cards(sight.cards)} | {pitboss.show_cards(sight.up)} | {list(sight.chosen)}"

    def clone(self) -> "Round":
        return Round(self.state)


rng = random.Random(1)
game = Round(pitboss.play(pitboss.rules("ultimate-texas-hold-em", "2024-06-01"), seed=1, seats=2))
while not game.is_terminal():
    action = rng.choice(game.legal_actions())
    print(game.current_player(), game.information_state_string(), "->", game.action_to_string(action))
    game.apply_action(action)
print(game.returns())
