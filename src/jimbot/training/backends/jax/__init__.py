"""Proximal policy optimisation in JAX: a functional core, and loops around it for environments of every kind.

``PPO`` compiles acting and updating; ``JaxRunner`` runs environments written in JAX end to end in compiled code;
``VectorCollector`` collects from any Gymnasium vector environment into arrays that the same update learns from.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jimbot.lazy import lazy_attributes

if TYPE_CHECKING:
    from jimbot.training.backends.jax.agent import PPOAgent
    from jimbot.training.backends.jax.evaluation import Evaluation
    from jimbot.training.backends.jax.networks import (
        ActorNetwork,
        CriticNetwork,
        PPONetwork,
        apply_function,
        initial_parameters,
    )
    from jimbot.training.backends.jax.ppo import PPO, Choice
    from jimbot.training.backends.jax.rollout import Episode, VectorCollector
    from jimbot.training.backends.jax.runner import JaxRunner, RunnerState
    from jimbot.training.backends.jax.tree import from_tree, load_arrays, save_arrays, state_tree
    from jimbot.training.backends.jax.types import PPOConfig, PPOState, Rollout

__all__ = [
    "PPO",
    "ActorNetwork",
    "Choice",
    "CriticNetwork",
    "Episode",
    "Evaluation",
    "JaxRunner",
    "PPOAgent",
    "PPOConfig",
    "PPONetwork",
    "PPOState",
    "Rollout",
    "RunnerState",
    "VectorCollector",
    "apply_function",
    "from_tree",
    "initial_parameters",
    "load_arrays",
    "save_arrays",
    "state_tree",
]

__getattr__ = lazy_attributes(
    __name__,
    {
        ".agent": ("PPOAgent",),
        ".evaluation": ("Evaluation",),
        ".networks": (
            "ActorNetwork",
            "CriticNetwork",
            "PPONetwork",
            "apply_function",
            "initial_parameters",
        ),
        ".ppo": (
            "Choice",
            "PPO",
        ),
        ".rollout": (
            "Episode",
            "VectorCollector",
        ),
        ".runner": (
            "JaxRunner",
            "RunnerState",
        ),
        ".tree": (
            "from_tree",
            "load_arrays",
            "save_arrays",
            "state_tree",
        ),
        ".types": (
            "PPOConfig",
            "PPOState",
            "Rollout",
        ),
    },
    needs={"jax": "jax", "flax": "jax", "optax": "jax"},
)
