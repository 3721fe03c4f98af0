"""What torch computes on, and its parameters and optimizers as plain data and arrays and back."""

# Torch is partly untyped.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from jimbot.training.config.trainer_config import ConfigError

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping

__all__ = [
    "one_thread",
    "optimizer_state",
    "parameter_arrays",
    "restore_optimizer_state",
    "restore_parameters",
    "torch_device",
]


def torch_device(name: str) -> str:
    """The device behind the configuration's ``device``; ``ConfigError`` if torch does not know it or it is not there.

    ``auto`` is a graphics card if there is one, otherwise the processor.
    """
    if name == "auto":
        return "cuda" if torch.cuda.is_available() else "cpu"
    try:
        device = torch.device(name)
    except RuntimeError:
        raise ConfigError(
            f"device: torch knows no {name!r}; expected auto, cpu, cuda, cuda:1, mps, …"
        ) from None
    try:
        float(torch.zeros(1, device=device))  # to hold a number and to give it back is all that is asked
    except (RuntimeError, AssertionError, NotImplementedError) as error:
        reason = str(error).strip().splitlines()[:1] or [type(error).__name__]
        raise ConfigError(
            f"device: torch cannot compute on {name!r} here ({reason[0].rstrip('.')}); auto takes what is there"
        ) from None
    return name


@contextmanager
def one_thread() -> Generator[None]:
    """Within, torch computes on one thread: for small networks the fastest, whatever else the machine does."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def parameter_arrays(state: Mapping[str, Any]) -> dict[str, Any]:
    """Torch's state dict as NumPy arrays."""
    return {name: tensor.detach().cpu().numpy().copy() for name, tensor in state.items()}


def restore_parameters(module: Any, arrays: Mapping[str, Any]) -> None:
    """Set the parameters of a module."""
    module.load_state_dict({name: torch.from_numpy(np.array(array)) for name, array in arrays.items()})


def optimizer_state(optimizer: Any) -> dict[str, Any]:
    """The optimizer's moments and settings; parameters are named by their place."""
    state = optimizer.state_dict()
    moments = {
        str(number): {
            name: value.detach().cpu().numpy().copy() if isinstance(value, torch.Tensor) else value
            for name, value in each.items()
        }
        for number, each in state["state"].items()
    }
    return {"moments": moments, "rates": [float(group["lr"]) for group in state["param_groups"]]}


def restore_optimizer_state(optimizer: Any, state: Mapping[str, Any]) -> None:
    """Restore an optimizer's state."""
    current = optimizer.state_dict()
    current["state"] = {
        int(number): {
            name: torch.from_numpy(np.array(value)) if isinstance(value, np.ndarray) else value
            for name, value in each.items()
        }
        for number, each in state["moments"].items()
    }
    for group, rate in zip(current["param_groups"], state["rates"], strict=True):
        group["lr"] = rate
    optimizer.load_state_dict(current)
