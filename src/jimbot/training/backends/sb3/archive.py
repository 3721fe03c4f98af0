"""Stable-Baselines3's own ``.zip`` archives: written for use outside jimbot, and read back as a run.

Such an archive holds pickles, and a pickle can run code when it is read. So none is read unless the caller says that
the archive is trusted, and even then only what is needed: the tensors, by torch's reader that makes nothing else. Only
the description of a network of jimbot's own that another program saved again is unpickled.
"""

# The library and torch are partly untyped.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

import base64
import io
import pickle
import re
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from jimbot.errors import JimbotError, require
from jimbot.networks import (
    NetworkSpec,
    ObservationNormalizer,
    PolicyFile,
    check_spaces,
    list_parameter_shapes,
    save_policy,
)
from jimbot.storage.atomic import write_file_atomically
from jimbot.storage.strict_json import dump_json, parse_json
from jimbot.training.backends.sb3.mlp import is_mlp, mlp_policy
from jimbot.training.config.files import config_from_yaml, config_to_yaml

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from jimbot.training.config.trainer_config import TrainerConfig
    from jimbot.training.framework import RLTrainer
    from jimbot.training.runs.directory import RunDirectory

__all__ = ["ArchiveError", "export_archive", "import_archive"]

DESCRIPTION = "jimbot.json"
"""What jimbot adds to an archive: network, statistics, configuration. The library does not look at it."""
LARGEST_PART = 4 * 1024**3
PREFIXES = ("network.", "q_net.network.")
"""Where networks of jimbot lie among the parameters of PPO and A2C, and of DQN."""


class ArchiveError(JimbotError):
    """An archive that cannot be read; the message says which and why."""


@dataclass(frozen=True)
class Archive:
    """What is read of an archive without running anything of it.

    Attributes:
        path: the file.
        data: the library's description; what JSON cannot hold is in it as pickles, not read.
        tensors: the policy's parameters by the library's names.
        description: what jimbot added, if it wrote the archive.
    """

    path: Path
    data: dict[str, Any]
    tensors: dict[str, NDArray[np.float32]]
    description: dict[str, Any] = field(default_factory=dict[str, Any])

    @property
    def algorithm(self) -> str:
        """PPO, A2C or DQN, as far as an archive tells: PPO clips, A2C does not."""
        if any(name.startswith("q_net.") for name in self.tensors):
            return "DQN"
        return "PPO" if "clip_range" in self.data else "A2C"

    @property
    def timesteps(self) -> int:
        """Steps that were trained."""
        steps = self.data.get("num_timesteps", 0)
        return steps if isinstance(steps, int) else 0


def export_archive(trainer: RLTrainer, path: str | Path) -> Path:
    """Write the library's archive of a trainer's model, whole or not at all."""
    content = io.BytesIO()
    trainer.model.save(content)
    spec, normalizer = trainer.network_spec(), trainer.vector.normalizer
    assert spec is not None
    added = {
        "spec": spec.to_json(),
        "normaliser": None
        if normalizer is None
        else {name: array.tolist() for name, array in normalizer.state_dict().items()},
        "config": config_to_yaml(trainer.config),
    }
    with zipfile.ZipFile(content, "a") as archive:
        archive.writestr(DESCRIPTION, dump_json(added))
    target = Path(path)
    try:
        write_file_atomically(target, content.getvalue())
    except OSError as error:
        raise ArchiveError(f"cannot write {target}: {error.strerror or error}") from None
    return target


def import_archive(
    path: str | Path,
    *,
    trust_pickle: bool = False,
    env: str | None = None,
    name: str | None = None,
    save_dir: str | Path = "models",
) -> RunDirectory:
    """Make a run of an archive: its policy can be evaluated, loaded and trained on like any other.

    Args:
        path: the archive.
        trust_pickle: that whoever made the archive may run code here. Without it nothing in the archive is read.
        env: the environment the policy is for; needed unless jimbot wrote the archive.
        name: of the run.
        save_dir: holds the runs.
    """
    path = Path(path)
    if not trust_pickle:
        raise ArchiveError(
            f"{path} is an archive with pickles, which can run code when they are read; if you trust who made it, "
            "say so with --trust-pickle (in Python trust_pickle=True)"
        )
    archive = read_archive(path)
    config = configuration(archive, env)
    policy = policy_of(archive, config)
    return write_run(archive, config, policy, name, save_dir)


def read_archive(path: Path) -> Archive:
    """Open an archive; tensors are read by torch's reader that refuses everything else."""
    torch = cast("Any", require("torch", "sb3"))
    try:
        with zipfile.ZipFile(path) as archive:
            data = parse_json(part(archive, "data"), "data", nonfinite="accept")  # the library's own
            stored = torch.load(
                io.BytesIO(part(archive, "policy.pth")), map_location="cpu", weights_only=True
            )
            added = (
                parse_json(part(archive, DESCRIPTION), DESCRIPTION, nonfinite="accept")
                if DESCRIPTION in archive.namelist()
                else {}
            )
        if not isinstance(data, dict) or not isinstance(stored, dict) or not isinstance(added, dict):
            raise ArchiveError(f"{path} is not an archive of Stable-Baselines3")
        tensors = {str(key): np.asarray(tensor.numpy(), np.float32) for key, tensor in stored.items()}
    except OSError as error:
        raise ArchiveError(f"cannot read {path}: {error.strerror or error}") from None
    except pickle.UnpicklingError:
        raise ArchiveError(
            f"{path}: policy.pth holds something else than tensors; it was not read further"
        ) from None
    except (zipfile.BadZipFile, KeyError, ValueError, AttributeError, RuntimeError, EOFError) as error:
        reason = " ".join(str(error).split())[:200]
        raise ArchiveError(f"{path} is not a whole archive of Stable-Baselines3: {reason}") from None
    return Archive(path, data, tensors, added)


def part(archive: zipfile.ZipFile, name: str) -> bytes:
    """One file of an archive."""
    if archive.getinfo(name).file_size > LARGEST_PART:
        raise ArchiveError(f"{archive.filename}: {name} is larger than {LARGEST_PART:,} bytes")
    return archive.read(name)


def configuration(archive: Archive, env: str | None) -> TrainerConfig:
    """The configuration jimbot wrote into the archive, or the default of its algorithm on ``env``."""
    from jimbot.training.config.trainer_config import get_default_config

    text = archive.description.get("config")
    if isinstance(text, str):
        config = config_from_yaml(text, f"{archive.path}: {DESCRIPTION}")
        return config if env is None else config.copy_with(env=env)
    if env is None:
        raise ArchiveError(f"{archive.path} does not say which environment it is for; name it with --env")
    return get_default_config(archive.algorithm).copy_with(env=env)


def policy_of(archive: Archive, config: TrainerConfig) -> PolicyFile:
    """The archive's policy as one of ours, checked against its environment."""
    from jimbot.training.envs.creation import Environments

    made = Environments.of(None, config).creator()
    spaces = made.observation_space, made.action_space
    made.close()
    own = next((each for each in PREFIXES if any(key.startswith(each) for key in archive.tensors)), None)
    if own is not None:
        spec = network_of(archive)
        tensors = {
            key.removeprefix(own): value for key, value in archive.tensors.items() if key.startswith(own)
        }
    elif is_mlp(archive.tensors):
        spec, tensors = mlp_policy(archive.tensors, *spaces, activation(archive))
    else:
        raise ArchiveError(
            f"{archive.path} holds a network that jimbot cannot play; it reads its own networks and MlpPolicy"
        )
    check_spaces(spec, *spaces)
    shapes = {key: array.shape for key, array in tensors.items()}
    if shapes != list_parameter_shapes(spec):
        raise ArchiveError(
            f"the network in {archive.path} does not fit {config.env}; name its environment with --env"
        )
    return PolicyFile(spec, tensors, statistics(archive))


def network_of(archive: Archive) -> NetworkSpec:
    """The description of a network of jimbot's: as it was added, else from the archive's trusted pickle."""
    if "spec" in archive.description:
        return NetworkSpec.from_json(archive.description["spec"])
    try:
        arguments = pickle.loads(base64.b64decode(archive.data["policy_kwargs"][":serialized:"]))  # noqa: S301
        spec = arguments["spec"]
    except Exception as error:  # noqa: BLE001  a pickle may raise anything
        reason = f"{type(error).__name__}: {error}"
        raise ArchiveError(f"{archive.path} does not describe its network: {reason}") from None
    if not isinstance(spec, NetworkSpec):
        raise ArchiveError(
            f"{archive.path} describes its network as {type(spec).__name__}, not as jimbot does"
        )
    return spec


def activation(archive: Archive) -> str:
    """The activation of an MlpPolicy: named in the archive, else the library's default."""
    named = archive.data.get("policy_kwargs", {})
    text = str(cast("Mapping[str, Any]", named).get("activation_fn", "")) if isinstance(named, dict) else ""
    if not text:
        return "relu" if archive.algorithm == "DQN" else "tanh"
    found = re.search(r"\.(ReLU|Tanh|SiLU)'", text)
    if found is None:
        raise ArchiveError(f"{archive.path}: its activation is {text}; jimbot has ReLU, Tanh and SiLU")
    return found[1].lower()


def statistics(archive: Archive) -> ObservationNormalizer | None:
    """The normalizer that jimbot added."""
    state = archive.description.get("normaliser")
    if state is None:
        return None
    arrays = {key: np.asarray(value, np.float64) for key, value in state.items()}
    return ObservationNormalizer.from_state_dict(arrays).freeze()


def write_run(
    archive: Archive, config: TrainerConfig, policy: PolicyFile, name: str | None, save_dir: str | Path
) -> RunDirectory:
    """The directory of a finished run with the policy in it."""
    from jimbot.training.runs.directory import create_run

    config = config.copy_with(name=name, save_dir=str(save_dir))
    if not archive.description:
        sizes: dict[str, Any] = {
            "policy_net_arch": list(policy.spec.policy_net_arch),
            "value_net_arch": list(policy.spec.value_net_arch),
        }
        config = config.copy_with(
            use_feature_extractor=False,
            normalize_obs=False,
            hyperparams=config.hyperparams.model_copy(update=sizes),
            network_sizes={"activation": policy.spec.activation},
        )
    run = create_run(config)
    metadata = {
        "algorithm": config.algorithm,
        "backend": config.backend,
        "env": config.env,
        "timesteps": archive.timesteps,
        "imported_from": archive.path.name,
    }
    with run.running():
        save_policy(run.path / "final", policy.spec, policy.tensors, policy.normalizer, metadata)
        run.update(steps=archive.timesteps)
    return run
