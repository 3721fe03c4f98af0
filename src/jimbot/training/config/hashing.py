"""The hash that tells configurations apart: in run directories, checkpoints, policy files and results."""

from __future__ import annotations

import hashlib
import json
from typing import TYPE_CHECKING, Any, cast

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["config_hash"]

PLACES = frozenset({"name", "save_dir", "trackers", "use_wandb", "wandb_project"})
"""Fields that say where things go and change nothing about the training."""

LATER_CLONING_DEFAULTS: dict[str, Any] = {
    "balanced": False,
    "min_return": None,
    "min_ante": None,
    "won": None,
    "best_share": None,
    "dagger_episodes": None,
}
"""Fields of ``behavioral_cloning`` that came later: at their defaults they are left out, so old hashes stay."""


def config_hash(values: Mapping[str, Any]) -> str:
    """Twelve hexadecimal digits that differ when anything that shapes the result differs.

    Args:
        values: the configuration as plain data; the order of keys does not matter.
    """
    shaping = {key: value for key, value in values.items() if key not in PLACES}
    cloning = shaping.get("behavioral_cloning")
    if isinstance(cloning, dict):
        items = cast("dict[str, Any]", cloning).items()
        shaping["behavioral_cloning"] = {
            name: value
            for name, value in items
            if name not in LATER_CLONING_DEFAULTS or value != LATER_CLONING_DEFAULTS[name]
        }
    text = json.dumps(shaping, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:12]
