"""Observations to try networks on: of Balatro as it is played, and with candidates made up beside it."""

from __future__ import annotations

import functools
from typing import Any, cast

import gymnasium
import numpy as np
from gymnasium import spaces
from tests.balatro import scenes
from tests.probes.table import start

from jimbot.balatro.env.vector import BalatroVectorEnv

CANDIDATES, CANDIDATE_WIDTH = 96, 20
SHELF_HIGH = 318

SMALL = {
    "features_dim": 32,
    "shared_layers": (24,),
    "policy_net_arch": (16,),
    "value_net_arch": (16, 8),
    "card_encoder": (16, 8),
    "joker_encoder": (16, 8),
    "consumable_encoder": (8, 4),
    "shelf_encoder": (8, 4),
    "candidate_encoder": (16, 8),
}
"""Sizes that make tests quick."""


@functools.cache
def balatro_batch(games: int = 16, steps: int = 12, seed: int = 3):
    """Space, actions and a batch of observations out of the middle of runs: blinds, shops and packs, with jokers."""
    starts = [scene().snapshot() for scene in (scenes.in_round, scenes.in_shop, scenes.in_pack, start)]
    env = BalatroVectorEnv(games, starts=starts)
    rng = np.random.default_rng(seed)
    obs, _ = env.reset(seed=seed)
    for step in range(steps):
        masks = obs["action_mask"]
        actions = (rng.random(masks.shape) * masks).argmax(axis=1)
        # Each run stops somewhere else: an action that does not exist changes nothing.
        actions = np.where(np.arange(games) * steps // games <= step, actions, 10**6)
        obs, *_ = env.step(actions)
    batch = {name: values.copy() for name, values in obs.items()}
    space = cast("spaces.Dict", env.single_observation_space)
    return space, env.single_action_space, batch


@functools.cache
def candidate_batch(high: int = SHELF_HIGH, count: int = CANDIDATES):
    """The same with candidates in place of fixed actions; about one in four is legal."""
    space, _, batch = balatro_batch()
    rng = np.random.default_rng(0)
    games = len(batch["hand"])
    entries: dict[str, Any] = dict(space.spaces) | {
        "candidates": spaces.Box(-2, 2, (count, CANDIDATE_WIDTH), np.float32),
        "candidate_ids": spaces.Box(0, high, (count, 2), np.int16),
        "action_mask": spaces.Box(0, 1, (count,), np.uint8),
    }
    mask = (rng.random((games, count)) < 0.25).astype(np.uint8)
    mask[:, 0] = 1
    obs = dict(batch) | {
        "candidates": rng.normal(size=(games, count, CANDIDATE_WIDTH)).astype(np.float32),
        "candidate_ids": rng.integers(0, high + 1, (games, count, 2), dtype=np.int16),
        "action_mask": mask,
    }
    return spaces.Dict(entries), spaces.Discrete(count), obs


@functools.cache
def flat_batch():
    """A Dict of everything that a flat network takes, with a mask."""
    space = spaces.Dict(
        {
            "position": spaces.Box(-np.inf, np.inf, (3, 2), np.float32),
            "picture": spaces.Box(0, 255, (4, 4), np.uint8),
            "place": spaces.Discrete(5, start=2),
            "kinds": spaces.MultiDiscrete([3, 4]),
            "lights": spaces.MultiBinary(3),
            "action_mask": spaces.Box(0, 1, (7,), np.int8),
        }
    )
    space.seed(0)
    samples = [space.sample() for _ in range(12)]
    obs = {name: np.stack([np.asarray(sample[name]) for sample in samples]) for name in space.spaces}
    obs["action_mask"][:, 3] = 1
    return space, spaces.Discrete(7), obs


def plain_batch():
    """CartPole: one Box, no mask."""
    env = gymnasium.make("CartPole-v1")
    obs = np.random.default_rng(0).normal(size=(9, 4)).astype(np.float32)
    return env.observation_space, env.action_space, obs
