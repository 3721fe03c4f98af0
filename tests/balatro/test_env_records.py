"""Records at the start of an episode: whatever was in the buffer before, they are those of the new run."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from jimbot.balatro import Action, Game
from jimbot.balatro.env.single import BalatroEnv
from jimbot.balatro.env.vector import BalatroVectorEnv

MODES: list[dict[str, Any]] = [{}, {"actions": "candidates", "candidates": 32}]
both_modes = pytest.mark.parametrize("mode", MODES, ids=["slots", "candidates"])

ENHANCEMENTS = ("m_glass", "m_gold", "m_stone", "m_wild", "m_lucky")


def edited_starts() -> tuple[bytes, ...]:
    """Runs that agree in card counts, creation numbers and tarots used, and differ in the cards themselves."""
    found: list[bytes] = []
    for number, enhancement in enumerate(ENHANCEMENTS):
        game = Game("STARTS")
        game.step(Action.select_blind())
        rank = "23456789TJQKA"[number * 2]
        game.edit(
            hand=[f"{suit}_{rank};h={enhancement}" for suit in "SHDCSHDC"],
            draw_pile=[
                f"{suit}_{rank}" + (f";h={enhancement}" if i % 2 else "")
                for i in range(11)
                for suit in "SHDC"
            ],
        )
        found.append(game.snapshot())
    return tuple(found)


def differing(env: BalatroVectorEnv | BalatroEnv) -> list[int]:
    """The games whose record is not what is written from their state alone."""
    engine = env._run if isinstance(env, BalatroEnv) else env._runs
    records = engine.observations
    return [i for i in range(len(records)) if records[i].tobytes() != engine.fresh_record(i)]


def step_at_random(env: BalatroVectorEnv, rng: np.random.Generator) -> None:
    masks = env.observations()["action_mask"]
    env.step((rng.random(masks.shape) * masks).argmax(axis=1))


@both_modes
def test_reset_forgets_the_run_before(mode):
    env = BalatroVectorEnv(4, starts=edited_starts(), **mode)
    for seed in range(20):
        env.reset(seed=seed)
        assert differing(env) == []
        env.reset(seed=[seed, seed + 1, seed + 2, seed + 3])
        assert differing(env) == []


@both_modes
def test_reset_options_forget_the_run_before(mode):
    env = BalatroVectorEnv(2, starts=edited_starts(), **mode)
    for seed in range(10):
        env.reset(seed=seed)
        env.reset(seed=seed, options={"evaluation": seed})
        assert differing(env) == []
        env.reset(seed=seed, options={"seed": ["STARTS11", "7LB2WVPK"]})
        assert differing(env) == []


@both_modes
@pytest.mark.parametrize("autoreset", ["same_step", "next_step"])
def test_autoreset_forgets_the_run_before(mode, autoreset):
    env = BalatroVectorEnv(4, starts=edited_starts(), autoreset=autoreset, max_steps=3, **mode)
    env.reset(seed=1)
    rng = np.random.default_rng(2)
    for _ in range(60):
        step_at_random(env, rng)
        assert differing(env) == []


@both_modes
def test_restore_forgets_the_run_before(mode):
    env = BalatroVectorEnv(4, starts=edited_starts(), max_steps=5, **mode)
    env.reset(seed=1)
    kept = env.snapshot()
    rng = np.random.default_rng(3)
    for _ in range(10):
        step_at_random(env, rng)
        env.restore(kept)
        assert differing(env) == []


@both_modes
def test_single_environment_forgets_the_run_before(mode):
    env = BalatroEnv(starts=edited_starts(), **mode)
    for seed in range(20):
        env.reset(seed=seed)
        assert differing(env) == []
