"""Callbacks for RLlib: what Balatro's episodes tell, in RLlib's own results, and a welcome for restarted runners."""

# The library is partly untyped.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
# pyright: reportUnknownParameterType=false, reportMissingTypeArgument=false

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ray.rllib.callbacks.callbacks import RLlibCallback

from jimbot.training.loop.episodes import UNLOGGED_NUMBERS

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["BalatroCallbacks"]

WINDOW = 100
"""Episodes over which RLlib takes means."""


class BalatroCallbacks(RLlibCallback):
    """Logs what ended episodes tell (won, ante, blinds, reward terms) under ``env_runners/balatro/``.

    A subclass of this can be named in ``backend_options.callbacks`` as ``module:Class``; it should call the methods it
    overrides.
    """

    def on_sample_end(
        self, *, env_runner: Any = None, metrics_logger: Any = None, samples: Any = None, **_: Any
    ) -> None:
        """Log the episodes that ended in a fragment."""
        del samples
        for episode in getattr(env_runner, "fresh", ()):
            for name, value in episode.numbers.items():
                if name not in UNLOGGED_NUMBERS:
                    metrics_logger.log_value(("balatro", name), value, window=WINDOW)

    def on_env_runners_recreated(
        self, *, algorithm: Any, env_runner_indices: Sequence[int], is_evaluation: bool = False, **_: Any
    ) -> None:
        """Give restarted runners seeds of their own, and all that the others know."""
        vectors = getattr(algorithm, "jimbot_vectors", None)
        if vectors is not None and not is_evaluation:
            vectors.welcome(list(env_runner_indices))
