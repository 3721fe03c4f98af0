"""What a Stable-Baselines3 model consists of, as plain data and arrays, and back."""

# The library and torch are partly untyped.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["model_state", "optimiser_state", "restore_model_state", "restore_optimiser_state"]

REPLAY_ARRAYS = ("actions", "rewards", "dones", "timeouts")


def model_state(model: Any, counters: Iterable[str]) -> dict[str, Any]:
    """Everything that decides how the model goes on, but for the generators and the environments."""
    state: dict[str, Any] = {
        "policy": tensors(model.policy.state_dict()),
        "optimiser": optimiser_state(model.policy.optimizer),
        "counters": {name: plain(getattr(model, name)) for name in counters},
        "last_obs": {name: np.array(array) for name, array in model._last_obs.items()}  # noqa: SLF001
        if model._last_obs is not None  # noqa: SLF001
        else None,
        "last_starts": np.array(model._last_episode_starts)  # noqa: SLF001
        if model._last_episode_starts is not None  # noqa: SLF001
        else None,
    }
    if hasattr(model, "replay_buffer"):
        state["replay"] = replay_state(model.replay_buffer)
    return state


def restore_model_state(model: Any, state: Mapping[str, Any]) -> None:
    """Go back to a model state."""
    model.policy.load_state_dict(
        {name: torch.from_numpy(np.array(array)) for name, array in state["policy"].items()}
    )
    restore_optimiser_state(model.policy.optimizer, state["optimiser"])
    for name, value in state["counters"].items():
        setattr(model, name, value)
    if state["last_obs"] is not None:
        model._last_obs = {name: np.array(array) for name, array in state["last_obs"].items()}  # noqa: SLF001
        model._last_episode_starts = np.array(state["last_starts"])  # noqa: SLF001
    if "replay" in state:
        restore_replay(model.replay_buffer, state["replay"])


def plain(value: Any) -> Any:
    """NumPy's scalars as Python's."""
    return value.item() if isinstance(value, np.generic) else value


def tensors(state: Mapping[str, Any]) -> dict[str, Any]:
    """Torch's state dict as NumPy arrays."""
    return {name: tensor.detach().cpu().numpy().copy() for name, tensor in state.items()}


def optimiser_state(optimiser: Any) -> dict[str, Any]:
    """The optimiser's moments and settings; parameters are named by their place."""
    state = optimiser.state_dict()
    moments = {
        str(number): {
            name: value.detach().cpu().numpy().copy() if isinstance(value, torch.Tensor) else value
            for name, value in each.items()
        }
        for number, each in state["state"].items()
    }
    return {"moments": moments, "rates": [float(group["lr"]) for group in state["param_groups"]]}


def restore_optimiser_state(optimiser: Any, state: Mapping[str, Any]) -> None:
    """Go back to an optimiser's state."""
    current = optimiser.state_dict()
    current["state"] = {
        int(number): {
            name: torch.from_numpy(np.array(value)) if isinstance(value, np.ndarray) else value
            for name, value in each.items()
        }
        for number, each in state["moments"].items()
    }
    for group, rate in zip(current["param_groups"], state["rates"], strict=True):
        group["lr"] = rate
    optimiser.load_state_dict(current)


def replay_state(buffer: Any) -> dict[str, Any]:
    """The filled part of a replay buffer."""
    filled = buffer.buffer_size if buffer.full else buffer.pos
    return {
        "pos": int(buffer.pos),
        "full": bool(buffer.full),
        "observations": {name: array[:filled] for name, array in buffer.observations.items()},
        "next_observations": {name: array[:filled] for name, array in buffer.next_observations.items()},
        **{name: getattr(buffer, name)[:filled] for name in REPLAY_ARRAYS},
    }


def restore_replay(buffer: Any, state: Mapping[str, Any]) -> None:
    """Go back to a replay buffer's content."""
    buffer.pos, buffer.full = int(state["pos"]), bool(state["full"])
    filled = buffer.buffer_size if buffer.full else buffer.pos
    for part in ("observations", "next_observations"):
        for name, array in getattr(buffer, part).items():
            array[:filled] = state[part][name]
    for name in REPLAY_ARRAYS:
        getattr(buffer, name)[:filled] = state[name]
