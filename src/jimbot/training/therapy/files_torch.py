"""The ``.pth`` files of ``train_ppo``: flat dictionaries of tensors, read without executing anything.

A policy holds the parameters of actor and critic (``actor.…``, ``critic.…``). A checkpoint holds them too, and the
whole state of the run beside them: its arrays as ``state/…``, and the rest as JSON in the bytes of ``state.json``.
"""

# Torch is partly untyped.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

import io
import pickle
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from jimbot.networks import save_policy
from jimbot.networks.torch.therapy_policy import TherapyPolicyNet
from jimbot.storage.atomic import make_directories, write_file_atomically
from jimbot.storage.strict_json import dump_json, parse_json
from jimbot.therapy.env.observations import action_space, observation_space
from jimbot.training.checkpoints.codec import decode, encode
from jimbot.training.checkpoints.errors import CheckpointError

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["convert_policy", "read_checkpoint", "read_policy", "write_checkpoint", "write_policy"]

STATE = "state/"
STRUCTURE = "state.json"


def write_policy(path: Path, network: Any) -> None:
    """Write the parameters of a ``TherapyPolicyNet``."""
    write_tensors(path, dict(network.state_dict()))


def write_checkpoint(path: Path, network: Any, tree: Mapping[str, Any]) -> None:
    """Write the parameters and a run's state."""
    plain, arrays = encode(dict(tree))
    text = np.frombuffer(dump_json(plain).encode(), np.uint8)
    state = {STATE + name: torch.from_numpy(np.array(array)) for name, array in arrays.items()}
    write_tensors(path, {**network.state_dict(), **state, STRUCTURE: torch.from_numpy(text.copy())})


def write_tensors(path: Path, tensors: Mapping[str, Any]) -> None:
    """Write a dictionary of tensors, whole or not at all."""
    content = io.BytesIO()
    torch.save({name: tensor.detach().cpu().clone() for name, tensor in tensors.items()}, content)
    make_directories(path.parent)
    write_file_atomically(path, content.getvalue())


def read_tensors(path: Path) -> dict[str, Any]:
    """Read a dictionary of tensors; anything else is refused."""
    try:
        found = torch.load(path, map_location="cpu", weights_only=True)
    except FileNotFoundError:
        raise CheckpointError(f"there is no file {path}") from None
    except OSError as error:
        raise CheckpointError(f"cannot read {path}: {error.strerror or error}") from None
    except pickle.UnpicklingError:  # torch's own text would advise to read it with everything in it executed
        raise CheckpointError(
            f"{path} is no file of train_ppo: it is damaged, or holds something else than tensors, of which nothing "
            "was executed; take another checkpoint"
        ) from None
    except (RuntimeError, ValueError, EOFError, KeyError, AttributeError, IndexError, TypeError):
        raise CheckpointError(
            f"{path} is no file of train_ppo, or not a whole one; take another checkpoint"
        ) from None
    if not isinstance(found, dict) or not all(isinstance(each, torch.Tensor) for each in found.values()):
        raise CheckpointError(f"{path} is no file of train_ppo: expected a dictionary of tensors")
    return found


def read_checkpoint(path: Path) -> dict[str, Any]:
    """The state of the run in a checkpoint."""
    tensors = read_tensors(path)
    if STRUCTURE not in tensors:
        raise CheckpointError(f"{path} holds a policy and no run; go on from a checkpoint_*.pth")
    plain = parse_json(tensors[STRUCTURE].numpy().tobytes(), STRUCTURE, error=CheckpointError)
    arrays = {
        name.removeprefix(STATE): tensor.numpy() for name, tensor in tensors.items() if name.startswith(STATE)
    }
    return decode(plain, arrays)


def read_policy(path: Path) -> TherapyPolicyNet:
    """The actor and critic of a policy or a checkpoint."""
    tensors = {
        name: tensor for name, tensor in read_tensors(path).items() if name.startswith(("actor.", "critic."))
    }
    head = tensors.get("actor.head.weight")
    if head is None or head.ndim != 2:
        raise CheckpointError(f"{path} holds no therapist: expected actor.head.weight among its tensors")
    with torch.random.fork_rng(devices=[]):  # a new network draws numbers; nobody's draws may change by it
        network = TherapyPolicyNet(observation_space(), action_space(), int(head.shape[1]))
    try:
        network.load_state_dict(tensors)
    except RuntimeError as error:
        raise CheckpointError(
            f"{path} does not fit TherapyNet: {str(error).splitlines()[-1].strip()}"
        ) from None
    return network.eval()


def convert_policy(source: str | Path, target: str | Path) -> Path:
    """Write the policy file that plays as a ``.pth`` file does; the path of its JSON."""
    network = read_policy(Path(source))
    metadata = {"algorithm": "PPO", "backend": "tianshou", "env": "therapy", "source": Path(source).name}
    return save_policy(target, network.spec, network.flat_tensors(), metadata=metadata)
