"""What a Stable-Baselines3 model consists of, as plain data and arrays, and back."""

# The library and torch are partly untyped.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from jimbot.training.backends.torch.state import (
    optimizer_state,
    parameter_arrays,
    restore_optimizer_state,
    restore_parameters,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["model_parts", "model_state", "restore_model_parts", "restore_model_state"]

REPLAY_ARRAYS = ("actions", "rewards", "dones", "timeouts")


def model_state(model: Any, counters: Iterable[str]) -> dict[str, Any]:
    """Everything that decides how the model goes on, but for the generators and the environments."""
    return model_parts(model, counters) | {"optimiser": plain_optimizer(model.policy)}


def model_parts(model: Any, counters: Iterable[str]) -> dict[str, Any]:
    """The same without the optimizers."""
    state: dict[str, Any] = {
        "policy": parameter_arrays(model.policy.state_dict()),
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
    restore_plain_optimizer(model.policy, state["optimiser"])
    restore_model_parts(model, state)


def restore_model_parts(model: Any, state: Mapping[str, Any]) -> None:
    """Go back to what ``model_parts`` gave."""
    restore_parameters(model.policy, state["policy"])
    for name, value in state["counters"].items():
        setattr(model, name, value)
    if state["last_obs"] is not None:
        model._last_obs = {name: np.array(array) for name, array in state["last_obs"].items()}  # noqa: SLF001
        model._last_episode_starts = np.array(state["last_starts"])  # noqa: SLF001
    if "replay" in state:
        restore_replay(model.replay_buffer, state["replay"])


def plain_optimizer(policy: Any) -> dict[str, Any]:
    """The optimizer's state by the network's own parameters, whether or not they are moved as one block."""
    state = optimizer_state(policy.optimizer)
    if policy.native is None:
        return state
    return state | {"moments": policy.native.split(state["moments"])}


def restore_plain_optimizer(policy: Any, state: Mapping[str, Any]) -> None:
    """Go back to the state of ``plain_optimizer``."""
    if policy.native is not None:
        state = {**state, "moments": policy.native.join(state["moments"])}
    restore_optimizer_state(policy.optimizer, state)


def plain(value: Any) -> Any:
    """NumPy's scalars as Python's."""
    return value.item() if isinstance(value, np.generic) else value


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
