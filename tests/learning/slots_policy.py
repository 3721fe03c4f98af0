"""A linear softmax policy over the fixed actions, and REINFORCE for it: NumPy only, a screenful each.

Every action has a row of features: a one for its group (play, discard, buy, ...) and, for plays and discards, what the
named cards are: pair, two pair, three of a kind, flush and so on. The policy is one weight per feature.
"""

from __future__ import annotations

import re

import numpy as np

from jimbot.balatro.env.schema import ACTIONS, meanings

WORDS = meanings()
GROUPS = [re.sub(r"[\s\d]+$", "", words) for words in WORDS]
NAMES = list(dict.fromkeys(GROUPS))
PLAYS = [i for i, name in enumerate(GROUPS) if name == "play hand cards"]
DISCARDS = [i for i, name in enumerate(GROUPS) if name == "discard hand cards"]
WINDOW = 8
RANKS, SUITS = 13, 4
CARD_FEATURES = 9

FIXED = np.zeros((ACTIONS, len(NAMES)), np.float32)
FIXED[np.arange(ACTIONS), [NAMES.index(name) for name in GROUPS]] = 1.0

SUBSETS = np.zeros((len(PLAYS), WINDOW), np.float32)
for row, slot in enumerate(PLAYS):
    SUBSETS[row, [int(position) for position in re.findall(r"\d+", WORDS[slot])]] = 1.0

FEATURES = len(NAMES) + 2 * CARD_FEATURES


def hand_features(cards, suits, subsets):
    """float32[games, subsets, CARD_FEATURES] of subsets of one-hot ranks and suits."""
    ranks = np.sort(subsets @ cards, axis=2)
    most, second = ranks[:, :, -1], ranks[:, :, -2]
    size = subsets.sum(axis=1)[None, :]
    return np.stack(
        [
            np.broadcast_to(size, most.shape) / 5,
            most == 2,
            (most == 2) & (second == 2),
            most == 3,
            (most == 3) & (second == 2),
            most >= 4,
            (subsets @ suits).max(axis=2) == 5,
            (subsets @ suits).max(axis=2) == 4,
            (subsets @ (cards @ (np.arange(RANKS, dtype=np.float32) / 13)[:, None]))[:, :, 0] / 5,
        ],
        axis=2,
    ).astype(np.float32)


def features_of(observation):
    """float32[games, ACTIONS, FEATURES] of observations of many games."""
    hand = observation["hand"][:, :WINDOW]
    rank = np.rint(hand[:, :, 5] * 14).astype(int)
    cards = np.eye(15, dtype=np.float32)[np.clip(rank, 0, 14)][:, :, 2:]
    cards = cards * (rank > 1)[:, :, None]
    suits = hand[:, :, 7 : 7 + SUITS]
    games = len(hand)
    features = np.zeros((games, ACTIONS, FEATURES), np.float32)
    features[:, :, : len(NAMES)] = FIXED
    first = len(NAMES)
    features[:, PLAYS, first : first + CARD_FEATURES] = hand_features(cards, suits, SUBSETS)
    # A discard is worth what it keeps.
    features[:, DISCARDS, first + CARD_FEATURES :] = hand_features(cards, suits, 1 - SUBSETS)
    return features


def probabilities_of(weights, features, masks):
    """float32[games, ACTIONS]: the softmax over legal actions."""
    scores = np.where(masks == 1, features @ weights, -np.inf)
    likely = np.exp(scores - scores.max(axis=1, keepdims=True))
    return likely / likely.sum(axis=1, keepdims=True)


def sample(probabilities, rng):
    """One action per row."""
    ends = probabilities.cumsum(axis=1)
    return (rng.random((len(ends), 1)) * ends[:, -1:] < ends).argmax(axis=1)


def returns_to_go(rewards, ended, discount):
    """float32[steps, games]: what follows each step, up to the end of its episode."""
    totals = np.zeros_like(rewards)
    running = np.zeros(rewards.shape[1], np.float32)
    for step in reversed(range(len(rewards))):
        running = rewards[step] + discount * running * ~ended[step]
        totals[step] = running
    return totals


def train(env, iterations, steps, discount, rate, seed):
    """REINFORCE with Adam on a vector environment; the weights."""
    rng = np.random.default_rng(seed)
    weights, first, second = (np.zeros(FEATURES, np.float32) for _ in range(3))
    observation, _ = env.reset(seed=seed)
    for iteration in range(1, iterations + 1):
        rewards, ended, directions = [], [], []
        for _ in range(steps):
            features = features_of(observation)
            chances = probabilities_of(weights, features, observation["action_mask"])
            actions = sample(chances, rng)
            expected = (chances[:, None, :] @ features)[:, 0]
            directions.append(features[np.arange(len(actions)), actions] - expected)
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
            batch = {name: observation[name][None] for name in ("hand", "action_mask")}
            chances = probabilities_of(weights, features_of(batch), batch["action_mask"])
            observation, _, terminated, truncated, info = env.step(sample(chances, rng)[0])
            done = terminated or truncated
        cleared.append(info["blinds"])
    return np.array(cleared)
