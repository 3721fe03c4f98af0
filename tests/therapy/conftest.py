"""Known answers of the model, read once."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

DATA = Path(__file__).resolve().parents[1] / "data" / "therapy"

CONFIGURATIONS: dict[str, dict[str, Any]] = {
    "rl_benchmark": {"threshold": 0.8, "entropy": 0.1},
    "env_default": {"threshold": 0.9, "entropy": 0.5},
    "env_default_no_distortion": {"threshold": 0.9, "entropy": 0.5, "enable_parataxic": False},
    "thr08_e05": {"threshold": 0.8, "entropy": 0.5},
}


def known(name: str) -> dict[str, Any]:
    """The known answers of a file."""
    return json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))


@pytest.fixture(scope="session")
def model() -> dict[str, Any]:
    """Known answers of the formulas."""
    return known("model")
