"""REINFORCE with a linear policy in plain NumPy, on the vector environment: ``python examples/numpy_policy.py``."""

import argparse

import numpy as np

from jimbot.balatro.env.vector import BalatroVectorEnv

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=2000)
arguments = parser.parse_args()
NUM_ENVS, LEARNING_RATE = 32, 0.01

envs = BalatroVectorEnv(NUM_ENVS, max_ante=1)
rng = np.random.default_rng(0)
observations, _ = envs.reset(seed=1)
weights = np.zeros((observations["globals"].shape[1], observations["action_mask"].shape[1]))

history = []
for _ in range(arguments.steps):
    features = observations["globals"].astype(float)  # a copy: the next step overwrites the buffers
    legal = observations["action_mask"].astype(bool)
    logits = np.where(legal, features @ weights, -np.inf)
    probabilities = np.exp(logits - logits.max(axis=1, keepdims=True))
    probabilities /= probabilities.sum(axis=1, keepdims=True)
    actions = np.array([rng.choice(len(row), p=row) for row in probabilities])

    observations, rewards, *_ = envs.step(actions)
    advantages = rewards - rewards.mean()  # a step's own reward stands in for the return
    gradient = -probabilities
    gradient[np.arange(NUM_ENVS), actions] += 1
    weights += LEARNING_RATE * features.T @ (gradient * advantages[:, None]) / NUM_ENVS
    history.append(rewards.mean())

half = len(history) // 2
print(f"reward per step: first half {np.mean(history[:half]):.4f}, second half {np.mean(history[half:]):.4f}")
