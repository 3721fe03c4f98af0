"""Trackers by name. Built-in ones are imported on request; others register by a decorator or an entry point.

An installed package offers a tracker to every command with an entry point in the group ``jimbot.trackers``.
"""

from __future__ import annotations

import inspect
from importlib import import_module
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any, TypeVar

from jimbot.errors import suggest
from jimbot.tracking.tracker import Tracker, TrackingError
from jimbot.tracking.tracker_set import CLOSE_SECONDS, TrackerSet

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from jimbot.tracking.run_info import RunInfo

__all__ = [
    "ALWAYS_ON",
    "check_trackers",
    "create_tracker",
    "create_trackers",
    "register_tracker",
    "tracker_names",
]

ALWAYS_ON = ("jsonl", "csv")
ENTRY_POINTS = "jimbot.trackers"

# name -> module:class
READY = {
    "tensorboard": "jimbot.tracking.tensorboard_tracker:TensorboardTracker",
    "wandb": "jimbot.tracking.wandb_tracker:WandbTracker",
    "mlflow": "jimbot.tracking.mlflow.tracker:MLflowTracker",
    "questdb": "jimbot.tracking.questdb_tracker:QuestdbTracker",
}

registered: dict[str, Callable[..., Tracker]] = {}

Factory = TypeVar("Factory", bound="Callable[..., Tracker]")


def register_tracker(name: str) -> Callable[[Factory], Factory]:
    """Register a tracker class, or a function that creates a tracker, under a name (decorator).

    Its keyword parameters are its options.
    """
    if not name.isidentifier():
        raise TrackingError(f"a tracker's name must be one word of letters, digits and _, got {name!r}")

    def join(factory: Factory) -> Factory:
        if name in ALWAYS_ON or name in READY or registered.get(name, factory) is not factory:
            raise TrackingError(f"there is a tracker {name!r} already; choose another name")
        registered[name] = factory
        return factory

    return join


def tracker_names() -> list[str]:
    """Return the names that ``create_trackers`` takes."""
    offered = [point.name for point in entry_points(group=ENTRY_POINTS)]
    return list(dict.fromkeys([*ALWAYS_ON, *READY, *registered, *offered]))


def find_factory(name: str) -> Callable[..., Tracker]:
    """Return the class or function behind a name."""
    if name in READY:
        module, _, attribute = READY[name].partition(":")
        return getattr(import_module(module), attribute)
    if name in registered:
        return registered[name]
    for point in entry_points(group=ENTRY_POINTS, name=name):
        return point.load()
    raise TrackingError(f"unknown tracker {name!r}; {suggest(name, tracker_names())}")


def create_tracker(name: str, options: Mapping[str, Any] | None = None) -> Tracker:
    """Create one tracker with its options. A missing library is reported here."""
    factory = find_factory(name)
    given = dict(options or {})
    parameters = inspect.signature(factory).parameters.values()
    known = [parameter.name for parameter in parameters if parameter.kind is not parameter.VAR_KEYWORD]
    unknown = [option for option in given if option not in known]
    if unknown and len(known) == len(parameters):
        raise TrackingError(
            f"tracker {name} has no option {', '.join(unknown)}; its options are {', '.join(known) or 'none'}"
        )
    return factory(**given)


def check_trackers(names: Iterable[str]) -> None:
    """Raise for an unknown tracker or one whose library is missing, without writing or sending anything."""
    for name in dict.fromkeys(names):
        if name not in ALWAYS_ON:
            create_tracker(name)


def create_trackers(
    names: Iterable[str],
    run_info: RunInfo,
    options: Mapping[str, Mapping[str, Any]] | None = None,
    *,
    close_seconds: float = CLOSE_SECONDS,
) -> TrackerSet:
    """Create the trackers of one run; call ``start`` or ``resume`` on the set next.

    Args:
        names: the trackers; ``jsonl`` and ``csv`` are always on and need not be named.
        run_info: the run.
        options: options by tracker name; see the class of each tracker.
        close_seconds: how many seconds closing may wait for the network.
    """
    given = dict(options or {})
    wanted = [name for name in dict.fromkeys(names) if name not in ALWAYS_ON]
    trackers = {name: create_tracker(name, given.get(name)) for name in wanted}
    for name in given:
        if name in ALWAYS_ON:
            raise TrackingError(f"tracker {name} has no options")
        if name not in wanted:
            find_factory(name)  # an unknown name is refused; options of a tracker that is off are not used
    return TrackerSet(run_info, trackers, close_seconds)
