"""``python -m jimbot.training.export``: a trained policy in formats that need no training library.

python -m jimbot.training.export --checkpoint models/first_try --output exported
python -m jimbot.training.export --checkpoint models/first_try --output exported --format onnx
python -m jimbot.training.export --checkpoint models/first_try --output production_model.pt
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from jimbot.errors import JimbotError, exit_code, require

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from jimbot.training.exporters.onnx_format import Exported

__all__ = ["export_run", "main", "seen_observations"]

SIDE_BY_SIDE = 50
SINGLE_FILE = ".pt"


def seen_observations(environments: Any, count: int, seed: int = 0) -> dict[str, NDArray[Any]]:
    """Observations that random play meets, by name; every environment has some."""
    from jimbot.training.envs.evaluation import random_policy
    from jimbot.training.envs.vectors import TrainingVector, gymnasium_vector

    if environments.native is not None:
        made = environments.native(num_envs=SIDE_BY_SIDE)
    else:
        made = gymnasium_vector(environments.creator, min(SIDE_BY_SIDE, 4), in_processes=False)
    vector = TrainingVector(made, seed)
    policy = random_policy(vector.action_space, seed)
    batches: list[dict[str, NDArray[Any]]] = []
    observation = vector.reset()
    while len(batches) * vector.num_envs < count:
        parts = cast(
            "dict[str, Any]", observation if isinstance(observation, dict) else {"observation": observation}
        )
        batches.append({name: np.array(part) for name, part in parts.items()})
        observation = vector.step(policy(observation)).observation
    vector.close()
    return {name: np.concatenate([batch[name] for batch in batches])[:count] for name in batches[0]}


def export_run(checkpoint: Path, output: Path, formats: tuple[str, ...] | None = None) -> Exported:
    """Export the policy of a run (its best), of a checkpoint or of a policy file, and check what was written.

    Args:
        checkpoint: where the policy is.
        output: the directory to write to; or a file that ends in ``.pt``, which then holds the torch program and the
            policy.
        formats: ``policy``, ``torch``, ``onnx``; all of them if None. A ``.pt`` file takes none.
    """
    from jimbot.training.config.files import config_to_yaml
    from jimbot.training.envs.creation import Environments
    from jimbot.training.exporters.onnx_format import FORMATS, SAMPLES, export_policy, export_single_file
    from jimbot.training.runs.opening import find_policy, policy_config

    single = output.suffix == SINGLE_FILE and not output.is_dir()
    if single and formats:
        raise JimbotError(f"--format: {output.name} is one file; leave it out, or give a directory")
    if single and not output.absolute().parent.is_dir():
        raise JimbotError(f"cannot write {output}: there is no directory {output.parent}")
    if output.exists() and not output.is_dir() and not single:
        raise JimbotError(f"cannot write to {output}: expected a directory")
    policy = find_policy(checkpoint)
    config = policy_config(checkpoint, policy)
    environments = Environments.of(None, config)
    observations = seen_observations(environments, SAMPLES)
    require("torch", "export")
    from jimbot.training.backends.torch.state import one_thread

    with one_thread():
        if single:
            return export_single_file(policy, output, observations, config_to_yaml(config))
        return export_policy(policy, output, observations, formats or FORMATS)


def parser() -> argparse.ArgumentParser:
    """The flags."""
    made = argparse.ArgumentParser(
        prog="python -m jimbot.training.export", description="Export a trained policy."
    )
    made.add_argument(
        "--checkpoint", required=True, type=Path, metavar="PATH", help="a run, checkpoint or policy file"
    )
    made.add_argument(
        "--output", required=True, type=Path, metavar="PATH", help="directory for the files, or one .pt file"
    )
    made.add_argument(
        "--format",
        action="append",
        choices=("policy", "torch", "onnx"),
        help="repeatable; all of them without it",
    )
    return made


def told(found: Exported) -> str:
    """What was written, in lines."""
    lines: list[str] = []
    for name, path in found.files.items():
        away = found.differences.get(name)
        checked = "" if away is None else f"  differs by at most {away:.1e} on {found.samples:,} observations"
        lines.append(f"{name:7} {path}{checked}")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; its exit code."""
    given = parser().parse_args(arguments)
    return exit_code(lambda: run_command(given))


def run_command(given: argparse.Namespace) -> int:
    """Export and print what was written."""
    print(told(export_run(given.checkpoint, given.output, tuple(given.format) if given.format else None)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
