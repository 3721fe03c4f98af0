"""The policy file: a trained network that any trainer, player or server can load.

Two files side by side: ``policy.safetensors`` with the numbers and ``policy.json`` with the description of the network,
the versions of what it sees and does, and the checksum of the numbers. Nothing in them is ever executed. The JSON is
written last, so a policy that was not written to its end is refused and not half loaded.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from jimbot.networks.errors import NetworkSpecError, NormalizerError, PolicyFileError
from jimbot.networks.layout import list_parameter_shapes
from jimbot.networks.normalizer import ObservationNormalizer
from jimbot.networks.spec import NetworkSpec
from jimbot.storage.atomic import write_files_atomically
from jimbot.storage.strict_json import InvalidJsonError, dump_json, parse_json

if TYPE_CHECKING:
    import os
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from jimbot.networks.torch.networks import PolicyValueNet

__all__ = ["FILE_VERSION", "PolicyFile", "load_network", "load_policy", "save_policy"]

FORMAT = "jimbot policy"
FILE_VERSION = 1
STEM = "policy"
SUFFIXES = (".json", ".safetensors")
_NORMALIZER = "normaliser:"
_KEYS = {"format", "version", "sha256", "spec", "observation_version", "action_version", "metadata"}


@dataclass(frozen=True)
class PolicyFile:
    """The contents of a policy file.

    Attributes:
        spec: the description of the network.
        tensors: its parameters by torch's names, float32.
        normalizer: statistics of observations, frozen; None if it sees them as they are.
        observation_version: version of Balatro's observation it was trained on; None for other environments.
        action_version: the same for the actions.
        metadata: whatever the trainer wrote down.
    """

    spec: NetworkSpec
    tensors: dict[str, NDArray[np.float32]]
    normalizer: ObservationNormalizer | None = None
    observation_version: int | None = None
    action_version: int | None = None
    metadata: dict[str, Any] = field(default_factory=dict[str, Any])

    def require_current(self) -> None:
        """Raise if the policy was trained on another version of Balatro's observations or actions."""
        if self.spec.kind != "balatro":
            return
        now = get_current_versions()
        for name, own, expected in (
            ("observations", self.observation_version, now[0]),
            ("actions", self.action_version, now[1]),
        ):
            if own != expected:
                raise PolicyFileError(
                    f"the policy was trained on version {own} of Balatro's {name}, this is version {expected}; "
                    "use the jimbot it was trained with, or train it again"
                )

    def network(self) -> PolicyValueNet:
        """Build the torch network, in evaluation mode. Torch uses one thread from then on, see ``limit_threads``."""
        from jimbot.errors import require

        torch = require("torch", "sb3")
        from jimbot.networks.torch.creation import create_network
        from jimbot.networks.torch.threads import limit_threads

        limit_threads()

        with torch.random.fork_rng(
            devices=[]
        ):  # a new network draws numbers; nobody's draws may change by it
            network = create_network(self.spec)
        network.load_state_dict(
            {name: torch.from_numpy(array.copy()) for name, array in self.tensors.items()}
        )
        return network.eval()


def get_current_versions() -> tuple[int, int]:
    """Return the versions of Balatro's observations and actions in this engine."""
    from jimbot.balatro.env import schema

    return schema.OBSERVATION_VERSION, int(getattr(schema, "ACTION_VERSION", schema.OBSERVATION_VERSION))


def resolve_policy_paths(path: str | os.PathLike[str]) -> tuple[Path, Path]:
    """Return the JSON and the tensor file of a path: the file and its sibling, or the two files in a directory."""
    given = Path(path)
    if given.suffix in SUFFIXES and not given.is_dir():
        return given.with_suffix(".json"), given.with_suffix(".safetensors")
    return given / f"{STEM}.json", given / f"{STEM}.safetensors"


def save_policy(
    path: str | os.PathLike[str],
    spec: NetworkSpec,
    tensors: Mapping[str, Any],
    normalizer: ObservationNormalizer | None = None,
    metadata: Mapping[str, Any] | None = None,
) -> Path:
    """Write a policy: a directory with ``policy.json`` and ``policy.safetensors``, or ``name.json`` and its sibling.

    Args:
        path: a directory, made if it is not there; or a file name that ends in ``.json`` or ``.safetensors``.
        spec: the description of the network.
        tensors: its parameters by torch's names, NumPy arrays or torch tensors; others than float32 are refused.
        normalizer: statistics that its observations go through.
        metadata: anything JSON can hold.

    Returns:
        The path of the JSON file.
    """
    from safetensors.numpy import save

    description, numbers = resolve_policy_paths(path)
    arrays = {name: _to_array(tensor) for name, tensor in tensors.items()}
    _check_tensors(spec, arrays, "the policy")
    stored: dict[str, NDArray[Any]] = dict(arrays)
    if normalizer is not None:
        stored |= {f"{_NORMALIZER}{name}": array for name, array in normalizer.state_dict().items()}
    # Scalars and views have to be plain blocks of memory for the format.
    payload = save({name: np.ascontiguousarray(array).reshape(array.shape) for name, array in stored.items()})
    versions = get_current_versions() if spec.kind == "balatro" else (None, None)
    content = {
        "format": FORMAT,
        "version": FILE_VERSION,
        "sha256": hashlib.sha256(payload).hexdigest(),
        "spec": spec.to_json(),
        "observation_version": versions[0],
        "action_version": versions[1],
        "metadata": dict(metadata or {}),
    }
    try:
        text = dump_json(content, indent=2) + "\n"
    except (TypeError, ValueError) as error:
        raise PolicyFileError(f"the metadata of a policy must be what JSON can hold: {error}") from None
    try:
        description.parent.mkdir(parents=True, exist_ok=True)
        # The numbers first: a description without its numbers is refused, and so is one of other numbers.
        write_files_atomically({numbers: payload, description: text})
    except OSError as error:
        reason = error.strerror or error
        raise PolicyFileError(f"cannot write the policy {description.parent}: {reason}") from error
    return description


def load_policy(path: str | os.PathLike[str]) -> PolicyFile:
    """Load a policy written by ``save_policy``; an invalid file raises a one-line error."""
    from safetensors import SafetensorError
    from safetensors.numpy import load

    description, numbers = resolve_policy_paths(path)
    content = _read_description(description)
    try:
        spec = NetworkSpec.from_json(content["spec"])
    except NetworkSpecError as error:
        raise PolicyFileError(f"{description}: {error}") from None
    payload = _read(numbers)
    if hashlib.sha256(payload).hexdigest() != content["sha256"]:
        raise PolicyFileError(
            f"{numbers} is not the file that {description.name} was written with (checksum differs); "
            "it was cut off or changed: take another copy"
        )
    try:
        stored = load(payload)
    except (SafetensorError, ValueError, KeyError, TypeError) as error:
        raise PolicyFileError(f"{numbers} is no safetensors file: {error}") from None
    tensors = {name: array for name, array in stored.items() if not name.startswith(_NORMALIZER)}
    statistics = {
        name.removeprefix(_NORMALIZER): array
        for name, array in stored.items()
        if name.startswith(_NORMALIZER)
    }
    _check_tensors(spec, tensors, str(numbers))
    try:
        normalizer = ObservationNormalizer.from_state_dict(statistics).freeze() if statistics else None
    except NormalizerError as error:
        raise PolicyFileError(f"{numbers}: {error}") from None
    _check_normalizer(spec, normalizer, numbers)
    return PolicyFile(
        spec=spec,
        tensors=tensors,
        normalizer=normalizer,
        observation_version=content["observation_version"],
        action_version=content["action_version"],
        metadata=content["metadata"],
    )


def load_network(path: str | os.PathLike[str]) -> PolicyValueNet:
    """Load the torch network of a policy file, in evaluation mode."""
    policy = load_policy(path)
    policy.require_current()
    return policy.network()


def _to_array(tensor: Any) -> NDArray[Any]:
    return tensor.detach().cpu().numpy() if hasattr(tensor, "detach") else np.asarray(tensor)


def _check_tensors(spec: NetworkSpec, tensors: Mapping[str, NDArray[Any]], place: str) -> None:
    expected = list_parameter_shapes(spec)
    for name in sorted(expected.keys() | tensors.keys()):
        if name not in tensors:
            raise PolicyFileError(f"{place} lacks the parameter {name} of its network")
        if name not in expected:
            raise PolicyFileError(f"{place} has the parameter {name}, which its network does not have")
        array = tensors[name]
        if array.shape != expected[name]:
            raise PolicyFileError(f"{place}: {name} has shape {array.shape}, its network {expected[name]}")
        if array.dtype != np.float32:
            raise PolicyFileError(f"{place}: {name} is {array.dtype}, expected float32")
        if not np.isfinite(array).all():
            raise PolicyFileError(f"{place}: {name} holds numbers that are not finite; the training diverged")


def _check_normalizer(spec: NetworkSpec, normalizer: ObservationNormalizer | None, place: Path) -> None:
    for name, moments in normalizer.moments.items() if normalizer else ():
        if name not in spec or spec.field(name).shape != moments.shape:
            raise PolicyFileError(
                f"{place}: statistics of '{name}' do not fit the observation of its network"
            )


def _read_description(path: Path) -> dict[str, Any]:
    raw = _read(path)
    try:
        content = parse_json(raw, str(path))
    except InvalidJsonError:
        raise PolicyFileError(f"{path} is not JSON; it was cut off or is no policy file") from None
    if not isinstance(content, dict) or cast("dict[str, Any]", content).get("format") != FORMAT:
        raise PolicyFileError(f"{path} is no policy file of jimbot; expected one that save_policy wrote")
    content = cast("dict[str, Any]", content)
    if content.get("version") != FILE_VERSION:
        raise PolicyFileError(
            f"{path} is a policy file of version {content.get('version')!r}; this jimbot reads {FILE_VERSION}"
        )
    versions = (content.get("observation_version"), content.get("action_version"))
    fits = isinstance(content.get("spec"), dict) and isinstance(content.get("metadata"), dict)
    if content.keys() != _KEYS or not fits or not all(v is None or isinstance(v, int) for v in versions):
        raise PolicyFileError(
            f"{path} has other entries than a policy file; expected {', '.join(sorted(_KEYS))}"
        )
    return content


def _read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except FileNotFoundError:
        raise PolicyFileError(f"there is no policy file {path}") from None
    except OSError as error:
        raise PolicyFileError(f"the policy file {path} cannot be read: {error.strerror}") from None
