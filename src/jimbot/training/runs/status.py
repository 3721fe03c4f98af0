"""``status.json``: the state of a run, with which a reader can tell whether its process has died."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from typing import Any, cast

from jimbot.storage.processes import ProcessIdentity
from jimbot.storage.strict_json import dump_json, parse_json
from jimbot.training.checkpoints.codec import decode, encode
from jimbot.training.checkpoints.errors import CheckpointError

__all__ = ["STATES", "RunStatus", "now"]

STATES = ("running", "finished", "interrupted", "failed")
"""States that a run records. A reader may see two more: killed and elsewhere."""


def now() -> str:
    """UTC, ISO 8601, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


@dataclass(frozen=True)
class RunStatus:
    """What ``status.json`` says.

    Attributes:
        state: running, finished, interrupted or failed.
        process: the one that runs it, or ran it last.
        started_at: when that process began with it; UTC, ISO 8601.
        updated_at: when this was written.
        steps: environment steps so far.
        episodes: episodes so far.
        best_score: the best evaluation so far, or None.
        error: why it failed, in one line.
        counters: whatever else the trainer counts.
    """

    state: str
    process: ProcessIdentity
    started_at: str
    updated_at: str
    steps: int = 0
    episodes: int = 0
    best_score: float | None = None
    error: str | None = None
    counters: dict[str, Any] = field(default_factory=dict[str, Any])

    @property
    def seen_state(self) -> str:
        """The state as it really is: a run whose process died is ``killed``, one of another machine ``elsewhere``."""
        if self.state != "running":
            return self.state
        return {True: "running", False: "killed", None: "elsewhere"}[self.process.is_alive()]

    def to_text(self) -> str:
        """The content of ``status.json``."""
        plain, _ = encode(asdict(self))
        return dump_json(plain, indent=1) + "\n"

    @classmethod
    def from_bytes(cls, data: bytes) -> RunStatus:
        """What ``to_text`` gave; ``CheckpointError`` if it is something else."""
        plain = decode(parse_json(data, "status.json", error=CheckpointError), {})
        if not isinstance(plain, dict):
            raise CheckpointError("status.json is not an object")
        fields = cast("dict[str, Any]", plain)
        process = ProcessIdentity.from_plain(fields.get("process"))
        if process is None or fields.get("state") not in STATES:
            raise CheckpointError(
                f"status.json does not name its process and one of the states {', '.join(STATES)}"
            )
        try:
            fields["process"] = process
            return cls(**fields)
        except TypeError as error:
            raise CheckpointError(f"status.json is malformed: {error}") from error
