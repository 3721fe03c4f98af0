"""CartPole-v1 as pure JAX functions, alone and in batches, and as a simple object.

The dynamics are those of Gymnasium's CartPole-v1. Falling (or leaving the track) terminates an episode; reaching the
limit of 500 steps truncates it, and the two are told apart everywhere.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from jimbot.errors import require

if TYPE_CHECKING:
    from jimbot.cartpole.jax_batch import BatchStep, Environment, reset_batch, run_actions, step_batch
    from jimbot.cartpole.jax_dynamics import CartPole, CartPoleParameters, CartPoleState, Step
    from jimbot.cartpole.jax_wrapper import CartPoleWrapper

__all__ = [
    "BatchStep",
    "CartPole",
    "CartPoleParameters",
    "CartPoleState",
    "CartPoleWrapper",
    "Environment",
    "Step",
    "reset_batch",
    "run_actions",
    "step_batch",
]

_HOMES = {
    "jax_batch": ("BatchStep", "Environment", "reset_batch", "run_actions", "step_batch"),
    "jax_dynamics": ("CartPole", "CartPoleParameters", "CartPoleState", "Step"),
    "jax_wrapper": ("CartPoleWrapper",),
}


def __getattr__(name: str) -> Any:
    """Import JAX only when something of this room is asked for, and say what brings it if it is absent."""
    for module, names in _HOMES.items():
        if name in names:
            require("jax", "jax")
            return getattr(importlib.import_module(f"jimbot.cartpole.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
