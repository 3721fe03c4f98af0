"""Who may import whom: the rules of docs/explanation/architecture.md, held by reading the source.

Packages import downward only; trainers and backends never import each other; a heavy library is imported inside a
function, or at the top of a file that is named after it; the top of ``training/`` holds only the documented modules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from tools.import_graph import Import, cycles, imports_of, module_imports, package_imports

# Layer of every package. A package may import packages of its own layer and below.
LAYERS = {
    "__init__": 0,
    "_engine": 0,
    "_engine_dev": 0,
    "errors": 0,
    "field_errors": 0,
    "lazy": 0,
    "registration": 0,
    "statistics": 0,
    "storage": 0,
    "balatro": 1,
    "cartpole": 1,
    "functional": 1,
    "therapy": 1,
    "knowledge": 2,
    "tracking": 2,
    "networks": 3,
    "players": 3,
    "training": 4,
    "cli": 5,
    "dashboard": 5,
    "live": 5,
    "__main__": 6,
}

# Heavy library -> words that entitle a file to import it at its top, besides the library's own name.
HEAVY: dict[str, set[str]] = {
    "alembic": {"mlflow"},
    "anthropic": set(),
    "chex": {"jax", "flax"},
    "flax": {"jax"},
    "jax": {"flax"},
    "ladybug": set(),
    "matplotlib": {"plot", "plots"},
    "mcp": set(),
    "mlflow": set(),
    "neo4j": {"bolt", "memgraph"},
    "onnx": set(),
    "onnxruntime": {"onnx"},
    "onnxscript": {"onnx"},
    "optax": {"jax", "flax"},
    "optuna": set(),
    "orbax": {"jax", "flax"},
    "pandas": {"dashboard", "streamlit"},
    "plotly": {"dashboard", "streamlit"},
    "questdb": set(),
    "ray": {"rllib"},
    "sb3_contrib": {"sb3"},
    "scipy": set(),
    "sqlalchemy": {"mlflow"},
    "stable_baselines3": {"sb3"},
    "streamlit": {"dashboard"},
    "tensorboard": set(),
    "tianshou": set(),
    "torch": {"sb3", "rllib", "tianshou"},
    "wandb": set(),
    "websockets": {"websocket"},
}


# The modules that the documentation names, and nothing else, at the top of training/.
TRAINING_MODULES = {
    "__init__",
    "analyze",
    "behavioral_cloning",
    "callbacks",
    "env_wrapper",
    "experiment",
    "export",
    "framework",
    "jax_trainer",
    "metrics",
    "performance_analysis",
    "puffer_trainer",
    "rllib_trainer",
    "run",
    "sb3_trainer",
    "templates",
    "tianshou_trainer",
    "train_ppo",
    "utils",
}


def violations(package_directory: Path) -> list[str]:
    """Every broken rule below a directory laid out like src/jimbot, as ``file:line: what is wrong``."""
    found = []
    for path in sorted(package_directory.rglob("*.py*")):
        if path.suffix not in (".py", ".pyi"):
            continue
        relative = path.relative_to(package_directory)
        package_name = relative.parts[0].split(".")[0]
        if package_name not in LAYERS:
            found.append(
                f"{relative}:1: package {package_name!r} has no layer; give it one here and in the docs"
            )
            continue
        package = ".".join(["jimbot", *relative.parts[:-1]])
        for item in imports_of(path.read_text(encoding="utf-8"), package):
            found += [
                f"{relative}:{item.line}: {text}" for text in broken_rules(relative, package_name, item)
            ]
    return found


def broken_rules(file: Path, package_name: str, item: Import) -> Iterator[str]:
    parts = item.module.split(".")
    if parts[0] == "jimbot" and len(parts) > 1 and LAYERS.get(parts[1], 0) > LAYERS[package_name]:
        yield f"{package_name} imports {parts[1]}, which is above it"
    if file.stem.endswith("_trainer"):
        other = next((part for part in parts if part.endswith("_trainer") and part != file.stem), None)
        if other and parts[0] == "jimbot":
            yield f"{file.stem} imports {other}: trainers never import each other"
    backend, other_backend = backend_of(list(file.parts)), backend_of(parts[1:])
    if (
        backend and other_backend and "torch" != other_backend != backend
    ):  # torch/ is what the torch libraries share
        yield f"backend {backend} imports backend {other_backend}: backends never import each other"
    if item.at_top and parts[0] in HEAVY:
        words = set(re.split(r"[_./\\]", str(file.with_suffix("")))) | {file.stem, *file.parts[:-1]}
        if not words & (HEAVY[parts[0]] | {parts[0]}):
            yield f"{parts[0]} is imported at the top of a file that is not named after it"


def backend_of(parts: list[str]) -> str | None:
    """The backend that a file or module, given by the parts of its path below jimbot, belongs to."""
    inside = parts[:2] == ["training", "backends"] and len(parts) > 2
    return parts[2] if inside and parts[2] not in ("registry", "registry.py") else None


def test_top_of_training_holds_only_documented_modules(root):
    found = {path.stem for path in (root / "src" / "jimbot" / "training").glob("*.py")}
    assert found - TRAINING_MODULES == set()


def test_source_keeps_the_rules(root):
    assert violations(root / "src" / "jimbot") == []


@pytest.mark.parametrize("depth", [1, 2])
def test_packages_do_not_import_each_other_in_circles(depth):
    """Neither ``jimbot.X`` nor ``jimbot.X.Y``, imports inside functions included."""
    assert cycles(package_imports(depth=depth)) == []


def test_modules_do_not_import_each_other_in_circles():
    """Also not inside functions."""
    assert cycles(module_imports()) == []


def test_planted_cycle_is_found(tmp_path):
    """Also one through an import inside a function; one for type checkers only is none."""
    source = tmp_path / "jimbot"
    for name, text in {
        "training/runs/opening": "def f():\n    from jimbot.training.loop import session\n",
        "training/loop/session": "from jimbot.training.runs.opening import f\n",
        "training/config/files": "if TYPE_CHECKING:\n    from jimbot.training.loop import session\n",
    }.items():
        (source / name).parent.mkdir(parents=True)
        (source / f"{name}.py").write_text(text)
    assert cycles(package_imports(source, depth=2)) == [["training.loop", "training.runs"]]
    (source / "training/runs/opening.py").write_text("")
    assert cycles(package_imports(source, depth=2)) == []


@pytest.mark.parametrize(
    ("file", "source", "expected"),
    [
        ("balatro/env/single.py", "from jimbot.training import framework\n", "balatro imports training"),
        ("balatro/env/single.py", "from jimbot import cli\n", "balatro imports cli"),
        (
            "balatro/env/single.py",
            "def f():\n    import jimbot.players.scripted\n",
            "balatro imports players",
        ),
        ("networks/masked.py", "from ..training import framework\n", "networks imports training"),
        ("tracking/events.py", "import jimbot.training\n", "tracking imports training"),
        ("errors.py", "from .cli import main\n", "errors imports cli"),
        ("training/sb3_trainer.py", "from .jax_trainer import x\n", "trainers never import each other"),
        (
            "training/backends/sb3/ppo.py",
            "from jimbot.training.backends.jax import ppo\n",
            "backends never import each other",
        ),
        ("training/framework.py", "import torch\n", "torch is imported at the top"),
        (
            "training/framework.py",
            "try:\n    import ray\nfinally:\n    pass\n",
            "ray is imported",
        ),
        ("training/framework.py", "class A:\n    import jax.numpy as jnp\n", "jax is imported at the top"),
        ("training/framework.py", "torch = require('torch', 'sb3')\n", "torch is imported at the top"),
        ("attic/thing.py", "", "package 'attic' has no layer"),
    ],
)
def test_planted_violation_is_found(tmp_path, file, source, expected):
    planted = tmp_path / file
    planted.parent.mkdir(parents=True, exist_ok=True)
    planted.write_text(source)
    found = violations(tmp_path)
    assert len(found) == 1
    assert expected in found[0]
    assert found[0].startswith(f"{Path(file)}:")


@pytest.mark.parametrize(
    ("file", "source"),
    [
        ("training/framework.py", "from jimbot.balatro import Game\nfrom jimbot.tracking import events\n"),
        ("training/framework.py", "def f():\n    import torch\n    return torch\n"),
        ("training/framework.py", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import torch\n"),
        ("training/sb3_trainer.py", "import torch\nfrom stable_baselines3 import PPO\n"),
        ("training/backends/sb3/ppo.py", "from jimbot.training.backends.torch import device\n"),
        ("training/jax_trainer.py", "import jax\nimport optax\n"),
        ("networks/torch_network.py", "import torch\n"),
        ("tracking/mlflow.py", "import mlflow\n"),
        ("dashboard/app.py", "import streamlit\n"),
        ("cli/train.py", "from ..training import framework\n"),
        ("balatro/env/single.py", "from jimbot.errors import require\nimport numpy\n"),
    ],
)
def test_allowed_import_is_allowed(tmp_path, file, source):
    planted = tmp_path / file
    planted.parent.mkdir(parents=True)
    planted.write_text(source)
    assert violations(tmp_path) == []
