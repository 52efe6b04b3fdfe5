"""A Gymnasium environment for any game, played at random."""

import pitboss
from pitboss.gym import TableEnv

for game in pitboss.game_names():
    env = TableEnv(pitboss.rules(game, "2024-06-01"))
    env.action_space.seed(1)
    seen, info = env.reset(seed=1)
    while not env.state.is_over:
        seen, reward, over, cut, info = env.step(env.action_space.sample(info["action_mask"]))
    print(f"{game:24} {len(env.actions):4} actions  {reward:+8.2f}")
