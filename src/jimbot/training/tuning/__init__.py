"""Hyperparameter search with Optuna: settings, search, worker processes, report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jimbot.lazy import lazy_attributes

if TYPE_CHECKING:
    from jimbot.training.tuning.search import Tuning, config_with
    from jimbot.training.tuning.types import Finalist, TuningError, TuningResult, TuningSettings

__all__ = ["Finalist", "Tuning", "TuningError", "TuningResult", "TuningSettings", "config_with"]

__getattr__ = lazy_attributes(
    __name__,
    {
        ".search": ("Tuning", "config_with"),
        ".types": ("Finalist", "TuningError", "TuningResult", "TuningSettings"),
    },
)
