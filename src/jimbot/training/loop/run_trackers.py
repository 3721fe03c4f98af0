"""The trackers of a run, started for a new run or resumed where its checkpoint left them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jimbot.tracking import RunInfo, create_trackers

if TYPE_CHECKING:
    from jimbot.tracking import TrackerSet
    from jimbot.training.config.trainer_config import TrainerConfig
    from jimbot.training.runs.directory import RunDirectory

__all__ = ["open_trackers"]


def open_trackers(
    run: RunDirectory, config: TrainerConfig, cursor: dict[str, Any] | None = None
) -> TrackerSet:
    """Open the trackers that a configuration names.

    Args:
        run: The directory that the trackers write to.
        config: Names the trackers, and describes the run to them.
        cursor: The trackers' state in the checkpoint that training resumes from. Without one, a run that has events
            already continues after the last of them.
    """
    info = RunInfo(
        name=run.name,
        directory=run.path,
        config=config.to_dict(),
        tags={"algorithm": config.algorithm, "backend": config.backend, "env": config.env},
        provenance=run.provenance,
    )
    options: dict[str, dict[str, Any]] = {}
    if "wandb" in config.tracker_names():
        options["wandb"] = {"project": config.wandb_project}
    trackers = create_trackers(config.tracker_names(), info, options)
    if cursor is not None or (run.path / "events.jsonl").exists():
        trackers.resume(cursor)
    else:
        trackers.start()
    return trackers
