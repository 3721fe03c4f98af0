"""What the checkpoint store says when something is wrong."""

from __future__ import annotations

from jimbot.storage.errors import StorageError

__all__ = ["CheckpointError", "CheckpointWarning"]


class CheckpointError(StorageError):
    """A checkpoint cannot be written, or what is on disk cannot be trusted; the message says which and why."""


class CheckpointWarning(UserWarning):
    """A checkpoint was passed over; the message says which and why."""
