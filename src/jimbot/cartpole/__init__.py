"""CartPole-v1 as pure JAX functions, alone and in batches, and as a simple object.

The dynamics are those of Gymnasium's CartPole-v1. Falling (or leaving the track) terminates an episode; reaching the
limit of 500 steps truncates it, and the two are told apart everywhere.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jimbot.lazy import lazy_attributes

if TYPE_CHECKING:
    from jimbot.cartpole.jax_dynamics import CartPole, CartPoleParameters, CartPoleState, Step
    from jimbot.cartpole.jax_wrapper import CartPoleWrapper
    from jimbot.functional import BatchStep, Environment, reset_batch, run_actions, step_batch

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

__getattr__ = lazy_attributes(
    __name__,
    {
        ".jax_dynamics": (
            "CartPole",
            "CartPoleParameters",
            "CartPoleState",
            "Step",
        ),
        ".jax_wrapper": ("CartPoleWrapper",),
        "jimbot.functional": (
            "BatchStep",
            "Environment",
            "reset_batch",
            "run_actions",
            "step_batch",
        ),
    },
    needs={"jax": "jax"},
)
