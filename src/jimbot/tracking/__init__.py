"""Trackers: where the metrics of a training run go.

``create_trackers`` makes the trackers of a run. ``events.jsonl`` and ``progress.csv`` are always written; TensorBoard,
Weights & Biases, MLflow and QuestDB are used on request, and can be filled later from the event file.
"""

from jimbot.tracking.events import EVENTS_FILE, Event, EventKind, Value, read_events
from jimbot.tracking.registry import (
    check_trackers,
    create_tracker,
    create_trackers,
    register_tracker,
    tracker_names,
)
from jimbot.tracking.run_info import RunInfo
from jimbot.tracking.tracker import ResumableTracker, Tracker, TrackerWarning, TrackingError
from jimbot.tracking.tracker_set import TrackerSet

__all__ = [
    "EVENTS_FILE",
    "Event",
    "EventKind",
    "ResumableTracker",
    "RunInfo",
    "Tracker",
    "TrackerSet",
    "TrackerWarning",
    "TrackingError",
    "Value",
    "check_trackers",
    "create_tracker",
    "create_trackers",
    "read_events",
    "register_tracker",
    "tracker_names",
]
