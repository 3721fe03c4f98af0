"""What the storage layer raises."""

from __future__ import annotations

from jimbot.errors import JimbotError

__all__ = ["StorageError"]


class StorageError(JimbotError):
    """A file or directory cannot be written, or its content cannot be trusted; the message says which and why."""
