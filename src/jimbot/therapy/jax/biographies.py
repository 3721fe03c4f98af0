"""Utilities and biographies drawn from JAX keys: the distributions of ``patterns`` and ``utilities``."""

# JAX types the dtype arguments of its functions loosely.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import jax
import jax.numpy as jnp
from jax import Array

from jimbot.therapy.model.octants import anti_complement, complement
from jimbot.therapy.model.patterns import CONSTANT, PERFECT_GROUPS, PROBLEM_SHARE, STUCK
from jimbot.therapy.model.satisfaction import MEMORY_SIZE
from jimbot.therapy.model.utilities import HALF_WIDTH, MIDPOINTS

if TYPE_CHECKING:
    from jimbot.therapy.env.options import TherapyOptions

__all__ = ["sample_memory", "sample_utilities"]


def sample_utilities(key: Array) -> Array:
    """Draw a client's utilities, float[8, 8]; rows are the client's actions."""
    uniform = jax.random.uniform(key, (8, 8), minval=-HALF_WIDTH, maxval=HALF_WIDTH)
    return jnp.asarray(MIDPOINTS) + uniform


def sample_memory(options: TherapyOptions, key: Array) -> Array:
    """Draw a biography of one of the options' patterns, int32[50, 2]."""
    pattern_key, key = jax.random.split(key)
    makers = [partial(_memory, name, options.generator) for name in options.pattern_names]
    chosen = jax.random.randint(pattern_key, (), 0, len(makers))
    return jax.lax.switch(chosen, makers, key)  # pyright: ignore[reportUnknownVariableType]


def _memory(pattern: str, generator: str, key: Array) -> Array:
    size = MEMORY_SIZE
    group_key, shown_key, answer_key, anywhere_key = jax.random.split(key, 4)
    anywhere = jax.random.randint(anywhere_key, (size, 2), 0, 8, jnp.int32)
    if pattern in CONSTANT:
        return jnp.tile(jnp.array(CONSTANT[pattern], jnp.int32), (size, 1))
    if pattern == "mixed_random":
        return anywhere
    uniforms = jax.random.uniform(group_key, (size,))
    if pattern == "complementary_perfect":
        shares = jnp.array([share for share, _ in PERFECT_GROUPS[:-1]])
        group = jnp.searchsorted(shares, uniforms, side="right")
        keys = jax.random.split(shown_key, len(PERFECT_GROUPS))
        drawn = [
            jax.random.choice(each, jnp.array(octants, jnp.int32), (size,))
            for each, (_, octants) in zip(keys, PERFECT_GROUPS, strict=True)
        ]
        shown = jnp.stack(drawn)[group, jnp.arange(size)]
        return jnp.stack([shown, complement(shown)], axis=1)
    stuck = STUCK[pattern]
    problem = jnp.array(stuck.problem, jnp.int32)
    shown = jnp.where(
        uniforms < PROBLEM_SHARE, jax.random.choice(shown_key, problem, (size,)), anywhere[:, 0]
    )
    if generator == "v1":
        drawn = jax.random.choice(answer_key, jnp.array(stuck.answers, jnp.int32), (size,))
    else:
        drawn = anti_complement(shown)
    answer = jnp.where(jnp.isin(shown, problem), drawn, anywhere[:, 1])
    return jnp.stack([shown, answer], axis=1)
