"""Environments as pure JAX functions: the protocol they follow, and batches of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jimbot.lazy import lazy_attributes

if TYPE_CHECKING:
    from jimbot.functional.jax_batch import BatchStep, Environment, reset_batch, run_actions, step_batch

__all__ = ["BatchStep", "Environment", "reset_batch", "run_actions", "step_batch"]

__getattr__ = lazy_attributes(
    __name__,
    {".jax_batch": ("BatchStep", "Environment", "reset_batch", "run_actions", "step_batch")},
    needs={"jax": "jax"},
)
