"""A linear softmax policy over candidates, and REINFORCE for it: NumPy only. One weight per feature of the rows."""

from __future__ import annotations

import numpy as np
from tests.learning.slots_policy import probabilities_of, returns_to_go, sample

from jimbot.balatro.env.schema import CANDIDATE_FEATURES

FEATURES = len(CANDIDATE_FEATURES)


def train(env, iterations, steps, discount, rate, seed):
    """REINFORCE with Adam on a vector environment; the weights."""
    rng = np.random.default_rng(seed)
    weights, first, second = (np.zeros(FEATURES, np.float32) for _ in range(3))
    observation, _ = env.reset(seed=seed)
    for iteration in range(1, iterations + 1):
        rewards, ended, directions = [], [], []
        for _ in range(steps):
            rows = observation["candidates"]
            chances = probabilities_of(weights, rows, observation["action_mask"])
            actions = sample(chances, rng)
            expected = (chances[:, None, :] @ rows)[:, 0]
            directions.append(rows[np.arange(len(actions)), actions] - expected)
            observation, reward, terminated, truncated, _ = env.step(actions)
            rewards.append(reward.copy())
            ended.append(terminated | truncated)
        totals = returns_to_go(np.array(rewards), np.array(ended), discount)
        advantages = (totals - totals.mean()) / (totals.std() + 1e-6)
        gradient = (advantages[:, :, None] * np.array(directions)).mean(axis=(0, 1))
        first = 0.9 * first + 0.1 * gradient
        second = 0.99 * second + 0.01 * gradient**2
        unbiased = first / (1 - 0.9**iteration), second / (1 - 0.99**iteration)
        weights = weights + rate * unbiased[0] / (np.sqrt(unbiased[1]) + 1e-6)
    return weights


def blinds_cleared(env, weights, episodes, seed):
    """int[episodes]: blinds cleared on the first evaluation seeds, one episode each."""
    rng = np.random.default_rng(seed)
    cleared = []
    for number in range(episodes):
        observation, _ = env.reset(options={"evaluation": number})
        done, info = False, {}
        while not done:
            rows, masks = observation["candidates"][None], observation["action_mask"][None]
            action = sample(probabilities_of(weights, rows, masks), rng)[0]
            observation, _, terminated, truncated, info = env.step(action)
            done = terminated or truncated
        cleared.append(info["blinds"])
    return np.array(cleared)
