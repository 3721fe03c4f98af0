"""A policy in formats that need no jimbot: a ``torch.export`` program and ONNX, both checked against the network.

What is exported takes observations as the environment gives them, normalizes them if the policy does, masks its logits,
and gives ``logits`` and ``value``. Batches may have any size.
"""

# Torch and ONNX are partly untyped.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

import contextlib
import io
import logging
import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from jimbot.errors import JimbotError, require
from jimbot.networks.single_file import pack_policy
from jimbot.storage.atomic import write_file_atomically
from jimbot.storage.strict_json import write_json

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from jimbot.networks import PolicyFile

__all__ = ["FORMATS", "Exported", "export_policy", "export_single_file"]

FORMATS = ("policy", "torch", "onnx")
TOLERANCE = 1e-5
SAMPLES = 1_000
"""Observations on which what was exported must agree with the network."""
LEGAL_ONLY = -1e8
"""Logits below this are of illegal actions."""


@dataclass(frozen=True)
class Exported:
    """What was written.

    Attributes:
        files: by format.
        differences: largest difference from the network on ``samples`` observations, by format.
        samples: how many observations were compared.
    """

    files: dict[str, Path]
    differences: dict[str, float]
    samples: int


class ExportError(JimbotError):
    """A policy that cannot be exported, or not truly."""


def export_policy(
    policy: PolicyFile,
    output: Path,
    observations: dict[str, NDArray[Any]],
    formats: tuple[str, ...] = FORMATS,
) -> Exported:
    """Write a policy to a directory in the formats asked for.

    Args:
        policy: what to export.
        output: the directory, made if it is not there.
        observations: real observations by name, all with the same number of rows, to compare on; an environment whose
            observations are one array has them under ``observation``.
        formats: ``policy``, ``torch``, ``onnx``.
    """
    unknown = [each for each in formats if each not in FORMATS]
    if unknown or not formats:
        raise ExportError(
            f"formats: expected some of {', '.join(FORMATS)}, got {', '.join(formats) or 'none'}"
        )
    output.mkdir(parents=True, exist_ok=True)
    files: dict[str, Path] = {}
    differences: dict[str, float] = {}
    names = [field.name for field in policy.spec.fields]
    inputs = {name: typed(observations[name]) for name in names}
    rows = len(inputs[names[0]])
    if "policy" in formats:
        from jimbot.networks import save_policy

        files["policy"] = save_policy(output, policy.spec, policy.tensors, policy.normalizer, policy.metadata)
    if "torch" in formats or "onnx" in formats:
        expected = reference(policy, inputs)
        module, program, example, shapes = torch_program(policy, inputs)
        if "torch" in formats:
            files["torch"] = write_torch(program, output / "policy.pt2")
            differences["torch"] = compare(run_torch(files["torch"], inputs), expected, "torch")
        if "onnx" in formats:
            files["onnx"] = write_onnx(module, example, names, shapes, output / "policy.onnx")
            differences["onnx"] = compare(run_onnx(files["onnx"], inputs), expected, "onnx")
    found = Exported(files, differences, rows)
    write_json(output / "interface.json", interface(policy, found))
    return found


def torch_program(
    policy: PolicyFile, inputs: dict[str, NDArray[Any]]
) -> tuple[Any, Any, tuple[Any, ...], dict[str, Any]]:
    """The policy as a module and as a ``torch.export`` program for batches of any size, with what it was traced on."""
    torch = cast("Any", require("torch", "export"))
    module = exported_module(policy).eval()
    example = tuple(torch.from_numpy(array[:2].copy()) for array in inputs.values())
    batch = torch.export.Dim("batch", min=1, max=1 << 20)
    shapes = {"observation": tuple({0: batch} for _ in inputs)}
    with silent():
        return module, torch.export.export(module, example, dynamic_shapes=shapes), example, shapes


def export_single_file(
    policy: PolicyFile, output: Path, observations: dict[str, NDArray[Any]], config_text: str
) -> Exported:
    """Write one file: the ``torch.export`` program, with the policy file and its configuration inside.

    ``torch.export.load`` runs it without jimbot; jimbot reads the policy file in it, and unpickles nothing.
    """
    inputs = {field.name: typed(observations[field.name]) for field in policy.spec.fields}
    _, program, _, _ = torch_program(policy, inputs)
    write_torch(program, output, pack_policy(policy, config_text))
    difference = compare(run_torch(output, inputs), reference(policy, inputs), "torch")
    return Exported({"torch": output}, {"torch": difference}, len(next(iter(inputs.values()))))


def typed(array: NDArray[Any]) -> NDArray[Any]:
    """An array as exported programs take it: numbers as float32, identities as int64, as the network uses them."""
    return np.ascontiguousarray(array, np.float32 if array.dtype.kind == "f" else np.int64)


def exported_module(policy: PolicyFile) -> Any:
    """The network with its normalizer, taking the arrays of an observation in the order of the description."""
    import torch

    from jimbot.training.exporters.torch_module import ExportedPolicy

    with torch.random.fork_rng(devices=[]):
        return ExportedPolicy(policy)


def reference(policy: PolicyFile, inputs: dict[str, NDArray[Any]]) -> tuple[NDArray[Any], NDArray[Any]]:
    """Logits and values of the network itself."""
    from jimbot.players.batch_policy import NetworkPolicy

    return NetworkPolicy(policy).outputs(
        inputs if policy.spec.dict_observation else next(iter(inputs.values()))
    )


def compare(found: tuple[Any, Any], expected: tuple[Any, Any], name: str) -> float:
    """The largest difference of logits of legal actions and of values; an export that differs is refused."""
    legal = expected[0] > LEGAL_ONLY
    if not np.array_equal(found[0] > LEGAL_ONLY, legal):
        raise ExportError(
            f"the {name} export allows other actions than the network; it was not written for use"
        )
    away = max(
        float(np.abs(found[0] - expected[0])[legal].max(initial=0.0)),
        float(np.abs(found[1] - expected[1]).max(initial=0.0)),
    )
    scale = max(1.0, float(np.abs(expected[0][legal]).max(initial=0.0)))
    if not away <= TOLERANCE * scale:
        raise ExportError(
            f"the {name} export differs from the network by {away:.2g}; at most {TOLERANCE} is allowed"
        )
    return away


@contextlib.contextmanager
def silent() -> Generator[None]:
    """Exporting prints and warns about its own insides."""
    logger = logging.getLogger("torch.onnx")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            yield
    finally:
        logger.setLevel(level)


def write_torch(program: Any, path: Path, extra: Mapping[str, str] | None = None) -> Path:
    """Write a ``torch.export`` program; ``extra`` are texts by name that go into the same file."""
    import torch

    content = io.BytesIO()
    with silent():
        torch.export.save(program, content, extra_files=dict(extra or {}))
    write_file_atomically(path, content.getvalue())
    return path


def run_torch(path: Path, inputs: dict[str, NDArray[Any]]) -> tuple[Any, Any]:
    """Logits and values from the written program alone."""
    import torch

    with silent():
        module = torch.export.load(str(path)).module()
    with torch.inference_mode():
        logits, values = module(*(torch.from_numpy(each.copy()) for each in inputs.values()))
    return logits.numpy(), values.numpy()


def write_onnx(module: Any, example: Any, names: list[str], shapes: Any, path: Path) -> Path:
    """Write one ONNX file."""
    torch = cast("Any", require("torch", "export"))
    for needed in ("onnx", "onnxscript", "onnxruntime"):
        require(needed, "export")
    with silent():
        program = torch.onnx.export(
            module,
            example,
            dynamo=True,
            dynamic_shapes=shapes,
            input_names=names,
            output_names=["logits", "value"],
            verbose=False,
        )
        content = program.model_proto.SerializeToString()
    write_file_atomically(path, content)
    return path


def run_onnx(path: Path, inputs: dict[str, NDArray[Any]]) -> tuple[Any, Any]:
    """Logits and values from the written file alone, by onnxruntime."""
    onnxruntime = cast("Any", require("onnxruntime", "export"))
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.log_severity_level = 3
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    wanted = {each.name for each in session.get_inputs()}
    logits, values = session.run(None, {name: each for name, each in inputs.items() if name in wanted})
    return logits, values


def interface(policy: PolicyFile, found: Exported) -> dict[str, Any]:
    """What a program that plays from the exported files has to know."""
    return {
        "inputs": [
            {
                "name": field.name,
                "shape": [None, *field.shape],
                "type": "float32" if field.dtype.startswith("float") else "int64",
            }
            for field in policy.spec.fields
        ],
        "outputs": ["logits", "value"],
        "actions": policy.spec.actions,
        "illegal_logit_below": LEGAL_ONLY,
        "observation_version": policy.observation_version,
        "action_version": policy.action_version,
        "largest_differences": found.differences,
        "compared_observations": found.samples,
        "metadata": policy.metadata,
    }
