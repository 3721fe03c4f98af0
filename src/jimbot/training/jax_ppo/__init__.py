"""Proximal policy optimisation in JAX: a functional core, and loops around it for environments of every kind.

``PPO`` compiles acting and updating; ``JaxRunner`` runs environments written in JAX end to end in compiled code;
``VectorCollector`` collects from any Gymnasium vector environment into arrays that the same update learns from.
"""

from jimbot.errors import require

for _library in ("jax", "flax", "optax"):
    require(_library, "jax")

from jimbot.training.jax_ppo.agent import PPOAgent  # noqa: E402 - only after the libraries are known to be there
from jimbot.training.jax_ppo.collector import Episode, VectorCollector  # noqa: E402
from jimbot.training.jax_ppo.evaluation import Evaluation  # noqa: E402
from jimbot.training.jax_ppo.networks import (  # noqa: E402
    ActorNetwork,
    CriticNetwork,
    PPONetwork,
    apply_function,
    initial_parameters,
)
from jimbot.training.jax_ppo.ppo import PPO, Choice  # noqa: E402
from jimbot.training.jax_ppo.runner import JaxRunner, RunnerState  # noqa: E402
from jimbot.training.jax_ppo.tree import from_tree, load_arrays, save_arrays, state_tree  # noqa: E402
from jimbot.training.jax_ppo.types import PPOConfig, PPOState, Rollout  # noqa: E402

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
