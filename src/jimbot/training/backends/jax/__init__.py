"""PPO in JAX: pure functions that are compiled once, and collectors for environments of every kind.

``PPO`` compiles acting and updating; ``JaxRunner`` trains on environments written in JAX, end to end in compiled code;
``VectorCollector`` collects from any Gymnasium vector environment into arrays that the same update learns from;
``PPOAgent`` is trained by ``jimbot.training.jax_trainer.PPOTrainer``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jimbot.lazy import lazy_attributes

if TYPE_CHECKING:
    from jimbot.training.backends.jax.agent import PPOAgent
    from jimbot.training.backends.jax.config import PPOConfig
    from jimbot.training.backends.jax.networks import (
        ActorNetwork,
        CriticNetwork,
        PPONetwork,
        apply_function,
        initial_parameters,
    )
    from jimbot.training.backends.jax.ppo import PPO, Choice
    from jimbot.training.backends.jax.rollout_compiled import EnvState, JaxRunner, RunnerState
    from jimbot.training.backends.jax.rollout_host import Episode, VectorCollector
    from jimbot.training.backends.jax.state import (
        PPOState,
        Rollout,
        from_tree,
        load_arrays,
        save_arrays,
        state_tree,
    )

__all__ = [
    "PPO",
    "ActorNetwork",
    "Choice",
    "CriticNetwork",
    "EnvState",
    "Episode",
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
        ".config": ("PPOConfig",),
        ".networks": (
            "ActorNetwork",
            "CriticNetwork",
            "PPONetwork",
            "apply_function",
            "initial_parameters",
        ),
        ".ppo": ("Choice", "PPO"),
        ".rollout_compiled": ("EnvState", "JaxRunner", "RunnerState"),
        ".rollout_host": ("Episode", "VectorCollector"),
        ".state": (
            "PPOState",
            "Rollout",
            "from_tree",
            "load_arrays",
            "save_arrays",
            "state_tree",
        ),
    },
    needs={"jax": "jax", "flax": "jax", "optax": "jax"},
)
