"""Callbacks of the training libraries, where documents look for them: ``BalatroCallbacks`` for RLlib.

``config["callbacks"] = BalatroCallbacks`` in RLlib's words, or ``backend_options.callbacks: module:Class`` in ours.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jimbot.errors import require

if TYPE_CHECKING:
    from jimbot.training.backends.rllib.callbacks import BalatroCallbacks
    from jimbot.training.backends.sb3.callbacks import BalatroMetricsCallback

__all__ = ["BalatroCallbacks", "BalatroMetricsCallback"]


def __getattr__(name: str) -> Any:
    if name == "BalatroCallbacks":
        require("ray", "rllib")
        from jimbot.training.backends.rllib.callbacks import BalatroCallbacks

        return BalatroCallbacks
    if name == "BalatroMetricsCallback":
        require("stable_baselines3", "sb3")
        from jimbot.training.backends.sb3.callbacks import BalatroMetricsCallback

        return BalatroMetricsCallback
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
