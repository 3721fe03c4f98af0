"""What the tests of crashes share."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def memory_path(tmp_path: Path) -> Iterator[Path]:
    """An empty directory in memory, where the system has one: hundreds of saves there wait for no disk."""
    memory = Path("/dev/shm")
    if memory.is_dir() and os.access(memory, os.W_OK):
        with tempfile.TemporaryDirectory(dir=memory) as directory:
            yield Path(directory)
    else:
        yield tmp_path
