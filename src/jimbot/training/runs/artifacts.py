"""The artifacts of a finished run, reported to its trackers: policies, configuration, result, plots.

Paths in the events are relative to the run's directory, so that a replay finds the files wherever the run has moved.
"""

from __future__ import annotations

import logging
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from jimbot.errors import JimbotError
from jimbot.storage.strict_json import write_json
from jimbot.training.runs.plots import plot_run
from jimbot.training.runs.policy_animation import animate_episode

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from jimbot.tracking import TrackerSet
    from jimbot.training.config.trainer_config import TrainerConfig
    from jimbot.training.framework import RLTrainer

__all__ = ["ALIAS", "draw_missing", "log_artifacts", "registered_name"]

ALIAS = "converged"
"""Alias of the newest version of a registered model; only converged runs are registered."""
RESULT = "result.json"
PLOTS = "plots"
ANIMATION = "policy.gif"
FILES = ("config.yaml", "provenance.json", RESULT, "final")
"""Artifacts of every run, besides its best policy and its plots; missing ones are left out."""

log = logging.getLogger("jimbot.training.runs.artifacts")


def log_artifacts(trainer: RLTrainer, trackers: TrackerSet, result: Mapping[str, Any]) -> None:
    """Report the files of a finished run to the trackers; the best policy of a converged run is registered.

    Pictures take time: they are drawn only if a tracker keeps files. ``plots`` is told of in any case, since pictures
    may be drawn before a replay.
    """
    run, step = trainer.run.path, trainer.timesteps
    write_json(run / RESULT, plain(result))
    if trackers.keeps_files:
        attempt("the learning curves", lambda: plot_run(run))
        attempt("the policy at play", lambda: animate(trainer))
    for name in FILES:
        if (run / name).exists():
            trackers.log_artifact(step, name)
    trackers.log_artifact(step, PLOTS)
    if (run / "best").exists():
        model = registered_name(trainer.config) if result["converged"] else None
        trackers.log_artifact(step, "best", model=model, alias=ALIAS)


def registered_name(config: TrainerConfig) -> str:
    """The registered model that a converged run becomes a version of: what was trained, on what."""
    return f"{config.algorithm}-{config.env}".replace("/", "-").replace(":", "-")


def draw_missing(directory: str | Path) -> None:
    """Draw the pictures of a run that has ended, if they are not there: for a tracker that it did not have."""
    run = Path(directory)
    if not (run / "final").exists():
        return  # not a run of the framework, or not at its end
    if not (run / PLOTS / "training.png").exists():
        attempt("the learning curves", lambda: plot_run(run))
    if not (run / PLOTS / ANIMATION).exists():
        attempt("the policy at play", lambda: animate_saved(run))


def animate(trainer: RLTrainer) -> Path:
    """The policy that a trainer has at its end, at play."""
    target = trainer.run.path / PLOTS / ANIMATION
    target.parent.mkdir(exist_ok=True)
    return animate_episode(trainer.policy(deterministic=True), trainer.environments.creator, target)


def animate_saved(run: Path) -> Path:
    """The same from the run's files."""
    from jimbot.players.batch_policy import NetworkPolicy
    from jimbot.training.config.files import load_config
    from jimbot.training.envs.creation import Environments

    target = run / PLOTS / ANIMATION
    target.parent.mkdir(exist_ok=True)
    environments = Environments.of(None, load_config(run / "config.yaml"))
    return animate_episode(NetworkPolicy(run / "final"), environments.creator, target)


def attempt(what: str, draw: Callable[[], object]) -> None:
    """Draw; what cannot be drawn is one line in the log, and never the end of a training that went well."""
    try:
        draw()
    except JimbotError as error:
        log.info("no picture of %s: %s", what, error)
    except Exception as error:  # noqa: BLE001  an environment's own drawing may raise anything
        log.warning("no picture of %s: %s: %s", what, type(error).__name__, " ".join(str(error).split()))


def plain(value: Any) -> Any:
    """A result as JSON can hold it: numbers of NumPy as Python's, what is not finite as None."""
    if isinstance(value, dict):
        return {name: plain(each) for name, each in cast("dict[str, Any]", value).items()}
    if value is None or isinstance(value, (bool, int, str)):
        return value
    number = float(value)
    return number if math.isfinite(number) else None
