"""Weights & Biases: online with an account, offline without one; ``wandb sync`` sends an offline run later.

An event's sequence number serves as W&B's own step, which must not go back: events that arrive twice after a resume or
a replay are ignored there. The charts' horizontal axis is the environment step.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any

from jimbot.errors import require
from jimbot.tracking.events import flatten_names
from jimbot.tracking.tracker import TrackingError

if TYPE_CHECKING:
    from pathlib import Path

    from jimbot.tracking.events import Event
    from jimbot.tracking.run_info import RunInfo

__all__ = ["MODES", "WandbTracker"]

MODES = ("online", "offline", "disabled")
INITIALIZE_SECONDS = 30


class WandbTracker:
    """Logs a run to Weights & Biases, in its own thread.

    Attributes:
        destination: mode and project.
        mode: ``online``, ``offline`` or ``disabled``.
    """

    background = True
    keeps_files = True

    def __init__(
        self,
        project: str = "balatro-rl",
        entity: str | None = None,
        mode: str | None = None,
        group: str | None = None,
    ) -> None:
        """Check that the library is there and decide on the mode.

        Args:
            project: the W&B project.
            entity: the W&B user or team.
            mode: by default ``WANDB_MODE``, and without it ``online`` if ``WANDB_API_KEY`` is set, else ``offline``.
            group: the W&B group of the run.
        """
        self._wandb: Any = require("wandb", "tracking")
        default = "online" if os.environ.get("WANDB_API_KEY") else "offline"
        self.mode = mode or os.environ.get("WANDB_MODE") or default
        if self.mode not in MODES:
            raise TrackingError(f"unknown mode of wandb {self.mode!r}; expected {', '.join(MODES)}")
        self._project, self._entity, self._group = project, entity, group
        self.destination = " ".join(filter(None, [self.mode, entity, project]))
        self._run: Any = None
        self._info: RunInfo | None = None
        self._exit_code = 0

    def start(self, run: RunInfo) -> None:
        """Start the W&B run, with the id of our run."""
        self._begin(run, resume=None)

    def resume(self, run: RunInfo, cursor: dict[str, Any]) -> None:
        """Continue the W&B run with the same id; an offline run continues in a second directory that syncs into it."""
        del cursor
        self._begin(run, resume="allow" if self.mode == "online" else None)

    def log(self, event: Event) -> None:
        """Log numbers and texts; artifacts are kept by W&B."""
        if event.kind in ("metrics", "episode", "evaluation", "text"):
            texts = {
                event.chart_name(name): value
                for name, value in event.values.items()
                if isinstance(value, str)
            }
            self._run.log({**event.numbers(), **texts, "step": event.step}, step=event.sequence)
        elif event.kind == "checkpoint":
            self._run.summary["last_checkpoint"] = str(event.values.get("path", ""))
        elif event.kind == "artifact":
            self._log_artifact(event)
        elif event.kind == "run_ended":
            self._run.summary["status"] = str(event.values.get("status", ""))
            self._exit_code = int(event.values.get("status") == "failed")

    def flush(self) -> None:
        """Do nothing: W&B sends by itself."""

    def cursor(self) -> dict[str, Any]:
        """Return the W&B run's id and the directory of its files."""
        return {} if self._run is None else {"id": self._run.id, "directory": str(self._run.dir)}

    def close(self) -> None:
        """Finish the W&B run."""
        if self._run is not None:
            self._run.finish(exit_code=self._exit_code)
            self._run = None

    def _begin(self, run: RunInfo, resume: str | None) -> None:
        self._info = run
        directory: Path = run.directory / "wandb_files"
        directory.mkdir(parents=True, exist_ok=True)
        self._run = self._wandb.init(
            project=self._project,
            entity=self._entity,
            group=self._group,
            name=run.name,
            id=run.run_id,
            dir=str(directory),
            config={**run.config, "provenance": run.provenance},
            tags=[f"{name}:{value}"[:64] for name, value in run.tags.items()],
            mode=self.mode,
            resume=resume,
            reinit="create_new",
            settings=self._wandb.Settings(init_timeout=INITIALIZE_SECONDS, silent=True, console="off"),
        )
        self._run.define_metric("step")
        self._run.define_metric("*", step_metric="step")
        for name, value in flatten_names(run.tags, "tag.").items():
            self._run.summary[name] = value

    def _log_artifact(self, event: Event) -> None:
        assert self._info is not None
        path = self._info.file(str(event.values["path"]))
        if not path.exists():  # a replay may come after the file has gone
            return
        name = str(event.values.get("name") or path.name)
        artifact = self._wandb.Artifact(re.sub(r"[^\w.-]", "_", f"{self._run.id}-{name}"), type="file")
        if path.is_dir():
            artifact.add_dir(str(path))
        else:
            artifact.add_file(str(path))
        self._run.log_artifact(artifact)
