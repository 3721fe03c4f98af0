"""Initial parameters of a network, drawn by NumPy with the same distributions as in torch.

JAX compiles for many seconds to draw orthogonal matrices; this takes milliseconds, and a run in torch and one in flax
can begin with the same numbers.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from jimbot.networks.layout import list_parameter_shapes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from jimbot.networks.spec import NetworkSpec

__all__ = ["EMBEDDING_SPREAD", "HIDDEN_GAIN", "POLICY_GAIN", "VALUE_GAIN", "initialize_tensors"]

HIDDEN_GAIN = math.sqrt(2.0)
POLICY_GAIN = 0.01
"""Small, so that a new policy is nearly uniform over what is legal."""
VALUE_GAIN = 1.0
EMBEDDING_SPREAD = 0.5
"""Standard deviation of new embeddings: of the order of the features that stand beside them."""


def initialize_tensors(spec: NetworkSpec, seed: int = 0) -> dict[str, NDArray[np.float32]]:
    """Draw parameters under torch's names, float32: orthogonal weights, zero biases, normal embeddings."""
    rng = np.random.default_rng(seed)
    tensors: dict[str, NDArray[np.float32]] = {}
    for name, shape in list_parameter_shapes(spec).items():
        if name.endswith("_embedding.weight"):
            tensors[name] = rng.normal(0.0, EMBEDDING_SPREAD, shape).astype(np.float32)
        elif name.endswith(".bias") or name == "log_std":
            tensors[name] = np.zeros(shape, np.float32)
        else:
            tensors[name] = draw_orthogonal(rng, shape, get_gain(name))
    return tensors


def get_gain(name: str) -> float:
    """Return the gain of a layer's initial weights."""
    if name in ("policy_head.weight", "policy_head.score.weight"):
        return POLICY_GAIN
    if name == "value_head.weight" or name.endswith(".position.weight"):
        return VALUE_GAIN
    return HIDDEN_GAIN


def draw_orthogonal(rng: np.random.Generator, shape: tuple[int, ...], gain: float) -> NDArray[np.float32]:
    """Draw float32[shape] with orthogonal rows or columns, whichever are fewer, of length ``gain``."""
    rows, columns = shape
    basis, upper = np.linalg.qr(rng.normal(size=(max(shape), min(shape))))
    basis *= np.sign(np.diag(upper))  # without this not every rotation would be equally likely
    return np.ascontiguousarray(gain * (basis if rows >= columns else basis.T), dtype=np.float32)
