"""The events of a training run, and their representation as lines of JSON.

A line is an object with the keys ``version``, ``sequence``, ``kind``, ``step``, ``time`` and ``values``. JSON knows no
NaN and no infinity, so these are written as ``{"float": "nan"}``, ``{"float": "inf"}`` and ``{"float": "-inf"}``.
Values are never objects otherwise, so that every line is valid JSON and comes back as what was written.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, cast, get_args

from jimbot.storage.strict_json import dump_json, parse_json
from jimbot.tracking.tracker import TrackingError

if TYPE_CHECKING:
    from collections.abc import Container, Generator, Mapping
    from pathlib import Path

__all__ = ["EVENTS_FILE", "KINDS", "UNNUMBERED", "Event", "EventKind", "Value", "read_events", "to_scalar"]

EventKind = Literal[
    "run_started", "metrics", "episode", "evaluation", "checkpoint", "text", "artifact", "run_ended"
]
KINDS: tuple[str, ...] = get_args(EventKind)

Value = float | int | str | bool | None

VERSION = 1
UNNUMBERED = -1
"""The sequence number of an event that no tracker set has numbered yet."""

EVENTS_FILE = "events.jsonl"
"""The name of the event file in a run's directory."""

MOST_AT_ONCE = 10_000
"""How many events are read into memory at once."""

LINE_HEAD = re.compile(rb'\{"version":1,"sequence":(\d+),"kind":"(\w+)",')
"""How ``Event.to_json`` begins a line; other ways of writing the same JSON are parsed in full."""

LONGEST_NAME = 200
NOT_A_NAME = "\0\r\n"


@dataclass(frozen=True)
class Event:
    """An event of a run.

    Attributes:
        kind: one of ``KINDS``.
        step: the number of environment steps taken so far.
        values: values by name. NumPy scalars and 0-dimensional arrays and tensors become Python numbers.
        time: seconds since 1970 (UTC).
        sequence: the event's number in its run, from 0 without gaps.
    """

    kind: EventKind
    step: int
    values: dict[str, Value]
    time: float
    sequence: int = field(default=UNNUMBERED)

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise TrackingError(f"unknown kind of event {self.kind!r}; expected {', '.join(KINDS)}")
        object.__setattr__(self, "step", check_integer("step", self.step, at_least=0))
        object.__setattr__(self, "sequence", check_integer("sequence", self.sequence, at_least=UNNUMBERED))
        time = to_scalar("time", self.time)
        if isinstance(time, bool) or not isinstance(time, int | float) or not math.isfinite(time):
            raise TrackingError(f"an event's time must be seconds as a finite number, got {self.time!r}")
        object.__setattr__(self, "time", float(time))
        cleaned = {check_name(name): to_scalar(name, value) for name, value in self.values.items()}
        object.__setattr__(self, "values", cleaned)

    def to_json(self) -> str:
        """Format the event as one line of JSON, without the line ending."""
        written = {
            "version": VERSION,
            "sequence": self.sequence,
            "kind": self.kind,
            "step": self.step,
            "time": self.time,
            "values": {name: encode_value(value) for name, value in self.values.items()},
        }
        return dump_json(written, compact=True)

    @staticmethod
    def from_json(line: str | bytes) -> Event:
        """Parse an event from a line; ``TrackingError`` says what is wrong with the line."""
        try:
            parsed: Any = parse_json(line, "the line")
        except ValueError as error:
            raise TrackingError(f"not an event: {error}") from None
        if not isinstance(parsed, dict):
            raise TrackingError("not an event: expected a JSON object")
        read = cast("dict[str, Any]", parsed)
        version = read.get("version")
        if version != VERSION:
            raise TrackingError(
                f"the event has version {version!r}, this jimbot reads version {VERSION}; use the jimbot that wrote it"
            )
        missing = {"sequence", "kind", "step", "time", "values"} - read.keys()
        if missing:
            raise TrackingError(f"not an event: {', '.join(sorted(missing))} is missing")
        if not isinstance(read["values"], dict):
            raise TrackingError("not an event: values must be an object")
        values = {
            name: decode_value(name, value) for name, value in cast("dict[str, Any]", read["values"]).items()
        }
        return Event(read["kind"], read["step"], values, read["time"], read["sequence"])

    def numbers(self) -> dict[str, float]:
        """Return the numeric values (booleans as 0 and 1), under the names used in charts.

        Values of events other than ``metrics`` carry the kind before their name, such as ``evaluation/mean_reward``,
        so that a training metric and an evaluation of the same name keep apart.
        """
        return {
            self.chart_name(name): float(value)
            for name, value in self.values.items()
            if isinstance(value, int | float)
        }

    def chart_name(self, name: str) -> str:
        """Return the chart name of a value: prefixed with the event's kind, unless it is a metric or has the prefix."""
        prefix = f"{self.kind}/"
        return name if self.kind == "metrics" or name.startswith(prefix) else prefix + name


def check_integer(what: str, value: Any, at_least: int) -> int:
    """Return the value as an int; any other value raises ``TrackingError``."""
    number = to_scalar(what, value)
    if isinstance(number, bool) or not isinstance(number, int) or number < at_least:
        raise TrackingError(f"an event's {what} must be a whole number of at least {at_least}, got {value!r}")
    return number


def check_name(name: Any) -> str:
    """Return the name of a value; an invalid one raises ``TrackingError``."""
    if (
        not isinstance(name, str)
        or not name.strip()
        or len(name) > LONGEST_NAME
        or any(sign in NOT_A_NAME for sign in name)
    ):
        raise TrackingError(
            f"a value's name must be text of 1 to {LONGEST_NAME} characters on one line, got {name!r}"
        )
    return name


def to_scalar(name: str, value: Any) -> Value:
    """Convert a value to float, int, str, bool or None; any other value raises ``TrackingError``."""
    if value is None or type(value) in (bool, int, float, str):
        return value
    for plain in (bool, int, float, str):
        if isinstance(value, plain):  # a subclass, such as numpy.float64 or an enumeration of strings
            return plain(value)
    if hasattr(value, "item") and getattr(value, "ndim", 0) == 0:
        item = value.item()
        if item is None or type(item) in (bool, int, float, str):
            return item
    raise TrackingError(
        f"the value {name!r} must be a number, text, truth value or None, got {type(value).__name__}; "
        "log one value per name"
    )


def encode_value(value: Value) -> Value | dict[str, str]:
    """Encode a value for JSON."""
    if isinstance(value, float) and not math.isfinite(value):
        return {"float": repr(value)}
    return value


def decode_value(name: str, value: Any) -> Value:
    """Decode a value of ``encode_value``."""
    if isinstance(value, dict):
        written = cast("dict[str, Any]", value)
        text = written.get("float")
        if len(written) != 1 or text not in ("nan", "inf", "-inf"):
            raise TrackingError(f"not an event: the value {name!r} is an object")
        return float(text)
    return to_scalar(name, value)


def read_events(
    path: Path, *, after: int = UNNUMBERED, before: int | None = None, kinds: Container[str] = KINDS
) -> Generator[Event]:
    """Yield the events of a file, in order. An incomplete last line is ignored.

    Args:
        path: an event file.
        after: only events with a higher sequence number.
        before: only events with a lower sequence number.
        kinds: only events of these kinds; other lines are skipped without being parsed.
    """
    for line, start, _ in read_whole_lines(path):
        head = LINE_HEAD.match(line)
        if head is not None:
            sequence = int(head[1])
            if before is not None and sequence >= before:
                return
            if sequence <= after or head[2].decode() not in kinds:
                continue
        yield parse_event(path, line, start)


def read_new_events(path: Path, offset: int) -> tuple[list[Event], int]:
    """Read the complete events from a byte offset on; returns them and the offset to continue from."""
    events: list[Event] = []
    for line, start, end in read_whole_lines(path, offset):
        events.append(parse_event(path, line, start))
        offset = end
        if len(events) == MOST_AT_ONCE:
            break
    return events, offset


def read_whole_lines(path: Path, offset: int = 0) -> Generator[tuple[bytes, int, int]]:
    """Yield every complete line, with the offsets of its first byte and of the byte after it."""
    try:
        with path.open("rb") as file:
            file.seek(offset)
            for line in file:
                if not line.endswith(b"\n"):
                    return
                yield line, offset, offset + len(line)
                offset += len(line)
    except OSError as error:
        raise TrackingError(f"cannot read {path}: {error.strerror}") from None


def parse_event(path: Path, line: bytes, start: int) -> Event:
    """Parse the event of a line of a file."""
    try:
        return Event.from_json(line)
    except TrackingError as error:
        raise TrackingError(
            f"{path} is damaged at byte {start}: {error}; resume from a checkpoint, or remove the line"
        ) from None


def flatten_names(values: Mapping[str, Any], prefix: str = "") -> dict[str, Value]:
    """Flatten nested mappings, joining names by dots; lists and other values become text."""
    flat: dict[str, Value] = {}
    for key, value in values.items():
        name = f"{prefix}{key}"
        if isinstance(value, dict):
            flat.update(flatten_names(cast("dict[str, Any]", value), f"{name}."))
        else:
            try:
                flat[name] = to_scalar(name, value)
            except TrackingError:
                flat[name] = dump_json(value, default=str, nonfinite="null")
    return flat
