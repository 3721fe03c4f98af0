"""What the tests of tracking share: a run in a directory, events with fixed times, comparison of event files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from jimbot.tracking import Event, RunInfo, TrackerSet, read_events


def run_in(directory: Path, **more: Any) -> RunInfo:
    config = {"learning_rate": 0.0003, "network": {"layers": [256, 256]}, "algorithm": "PPO"}
    return RunInfo("a run", directory, config, {"purpose": "test"}, {"commit": "abc"}, **more)


def metrics(step: int, **values: Any) -> Event:
    """Metrics of a step, at a time that follows from the step."""
    return Event("metrics", step, values, 1_700_000_000.0 + step)


def evaluation(step: int, **values: Any) -> Event:
    return Event("evaluation", step, values, 1_700_000_000.5 + step)


def log_steps(trackers: TrackerSet, first: int, last: int) -> None:
    """Metrics of the steps first to last, and an evaluation at every fifth."""
    for step in range(first, last + 1):
        trackers.log(metrics(step, loss=1.0 / (step + 1), entropy=0.5))
        if step % 5 == 0:
            trackers.log(evaluation(step, mean_reward=float(step)))


def contents(directory: Path) -> list[tuple[int, str, int, str]]:
    """The events of a run without their times."""
    return [
        (event.sequence, event.kind, event.step, json.dumps(event.values, sort_keys=True))
        for event in read_events(directory / "events.jsonl")
    ]
