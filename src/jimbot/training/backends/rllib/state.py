"""What RLlib's learner consists of, as plain data and arrays, and back; and RLlib's own checkpoints beside ours."""

# The library and torch are partly untyped.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from jimbot.storage.atomic import atomic_directory, remove_directory

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy.typing import NDArray

__all__ = [
    "learner_state",
    "network_tensors",
    "restore_learner_state",
    "save_beside",
    "set_network_tensors",
]

MODULE = "default_policy"
NETWORK, TARGET = "network.", "target."


def module_arrays(algorithm: Any) -> dict[str, NDArray[Any]]:
    """All arrays of the learner's module, target network included."""
    state = algorithm.learner_group.get_state(components="learner/rl_module")
    return {name: np.array(value) for name, value in state["learner"]["rl_module"][MODULE].items()}


def network_tensors(algorithm: Any) -> dict[str, NDArray[Any]]:
    """The parameters of the policy file's network."""
    arrays = module_arrays(algorithm)
    return {name.removeprefix(NETWORK): value for name, value in arrays.items() if name.startswith(NETWORK)}


def set_network_tensors(algorithm: Any, tensors: Mapping[str, Any]) -> None:
    """Set parameters of the network and of the target network, in learners and runners; a new optimizer."""
    arrays = module_arrays(algorithm)
    for prefix in (NETWORK, TARGET):
        for name, value in tensors.items():
            if prefix + name in arrays:
                arrays[prefix + name] = np.array(value)
    set_module(algorithm, arrays)
    algorithm.learner_group.foreach_learner(forget_moments)


def forget_moments(learner: Any) -> None:
    """Empty a learner's optimizers."""
    for optimizer in learner._named_optimizers.values():  # noqa: SLF001
        optimizer.state.clear()


def set_module(algorithm: Any, arrays: Mapping[str, Any]) -> None:
    """Set all arrays of the learner's module, and bring the runners up to date."""
    algorithm.learner_group.set_state({"learner": {"rl_module": {MODULE: dict(arrays)}}})
    algorithm.env_runner_group.sync_weights(
        from_worker_or_learner_group=algorithm.learner_group, inference_only=True
    )


def learner_state(algorithm: Any) -> dict[str, Any]:
    """Parameters, target network, optimizer, and the weight of the KL term."""
    extras = one_learner(algorithm, learner_extras)
    return {"module": module_arrays(algorithm), **extras}


def learner_extras(learner: Any) -> dict[str, Any]:
    """What a learner knows besides its module; runs where the learner is."""
    from jimbot.training.backends.torch.state import optimizer_state

    weights = getattr(learner, "curr_kl_coeffs_per_module", {})
    return {
        "optimisers": {name: optimizer_state(each) for name, each in learner._named_optimizers.items()},  # noqa: SLF001
        "kl_coefficient": float(weights[MODULE]) if MODULE in weights else None,
    }


def one_learner(algorithm: Any, question: Any) -> Any:
    """What the first learner answers; all learners know the same."""
    answers = list(algorithm.learner_group.foreach_learner(question))
    return getattr(answers[0], "get", lambda: answers[0])()


def restore_learner_state(algorithm: Any, state: Mapping[str, Any]) -> None:
    """Go back to a learner state, in learners and runners."""
    set_module(algorithm, state["module"])
    extras = {"optimisers": state["optimisers"], "kl_coefficient": state["kl_coefficient"]}

    def restore(learner: Any) -> None:
        restore_extras(learner, extras)

    algorithm.learner_group.foreach_learner(restore)


def restore_extras(learner: Any, extras: Mapping[str, Any]) -> None:
    """Bring a learner back to what it knew; runs where the learner is."""
    from jimbot.training.backends.torch.state import restore_optimizer_state

    for name, saved in extras["optimisers"].items():
        restore_optimizer_state(learner._named_optimizers[name], saved)  # noqa: SLF001
    if extras["kl_coefficient"] is not None:
        learner.curr_kl_coeffs_per_module[MODULE] = torch.tensor(extras["kl_coefficient"])


def save_beside(algorithm: Any, checkpoint: Path) -> Path:
    """Write RLlib's own checkpoint for one of ours, whole or not at all; the directory.

    ``checkpoints/step_…`` gets its counterpart ``ray_checkpoints/step_…``; counterparts of what is gone are removed.
    """
    place = checkpoint.parent.parent / "ray_checkpoints"
    place.mkdir(exist_ok=True)
    kept = {each.name for each in checkpoint.parent.iterdir()}
    for old in place.iterdir():
        if old.name not in kept:
            remove_directory(old)
    target = place / checkpoint.name
    with atomic_directory(target) as temporary:
        algorithm.save_to_path(str(temporary.resolve()))
    return target
