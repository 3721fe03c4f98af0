"""A Gymnasium loop: random legal actions in one game of Balatro. ``python examples/gymnasium_loop.py``."""

import gymnasium
import numpy as np

import jimbot  # noqa: F401  registers jimbot/Balatro-v0

env = gymnasium.make("jimbot/Balatro-v0", max_ante=1)
rng = np.random.default_rng(0)

observation, info = env.reset(seed=1)
total, done = 0.0, False
while not done:
    action = rng.choice(np.flatnonzero(observation["action_mask"]))
    observation, reward, terminated, truncated, info = env.step(action)
    total += float(reward)
    done = terminated or truncated

print(f"{info['ending']} after {info['blinds']} blinds, return {total:.2f}")
