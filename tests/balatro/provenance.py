"""Numbers for ``results/``: what was measured, by which command, on which commit and engine."""

from __future__ import annotations

import hashlib
import json
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from jimbot import _engine

ROOT = Path(__file__).resolve().parents[2]


def commit() -> str:
    """The commit the working tree stands on; empty outside a checkout."""
    done = subprocess.run(["git", "rev-parse", "HEAD"], cwd=ROOT, capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else ""


def engine_sources() -> str:
    """A hash of the engine's own sources, which tells states of the tree apart that one commit does not."""
    digest = hashlib.sha256()
    for room in ("core", "catalog", "rules", "view"):
        for path in sorted((ROOT / "engine" / room).glob("*.?pp")) + sorted(
            (ROOT / "engine" / room).glob("*.inl")
        ):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def write_result(path: str | Path, outcome: dict[str, Any], command: str) -> None:
    """Write an outcome with its provenance."""
    build = _engine.build_info()
    whole = outcome | {
        "command": command,
        "commit": commit(),
        "engine_sources": engine_sources(),
        "engine": {name: build[name] for name in ("version", "compiler", "optimization", "lto")},
        "date": datetime.now(UTC).date().isoformat(),
    }
    Path(path).write_text(json.dumps(whole, indent=2) + "\n", encoding="utf-8")
