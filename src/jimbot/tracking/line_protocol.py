"""Events as lines of the InfluxDB line protocol, for QuestDB and other time-series databases.

One line is one event: ``table,run=…,kind=… step=…i,sequence=…i,loss=… nanoseconds``. Numbers are always written as
floating point, since a database gives a column its type for good when it first appears. Values that are not finite are
left out: these databases store them as null anyway.
"""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from jimbot.tracking.tracker import TrackingError

if TYPE_CHECKING:
    from jimbot.tracking.events import Event
    from jimbot.tracking.run_info import RunInfo

__all__ = ["ColumnNames", "format_line"]

NANOSECONDS = 1_000_000_000
OWN_COLUMNS = ("run", "run_id", "kind", "step", "sequence", "timestamp")
NOT_A_COLUMN_SIGN = re.compile(r"[^0-9A-Za-z_]")


class ColumnNames:
    """Unique column names for names of values: ``train/loss`` becomes ``train_loss``."""

    def __init__(self) -> None:
        self._name_of: dict[str, str] = {}

    def column(self, name: str) -> str:
        """Return the column of a name."""
        column = NOT_A_COLUMN_SIGN.sub("_", name)
        if column.lower() in OWN_COLUMNS:
            column = f"value_{column}"
        known = self._name_of.setdefault(column.lower(), name)
        if known != name:
            raise TrackingError(
                f"the values {known!r} and {name!r} would share the column {column!r}; rename one of them"
            )
        return column


def format_line(event: Event, run: RunInfo, table: str, names: ColumnNames) -> str:
    """Format the event as one line, without the line ending."""
    fields = [f"step={event.step}i", f"sequence={event.sequence}i"]
    for name, value in event.values.items():
        column = names.column(event.chart_name(name))
        if isinstance(value, bool):
            fields.append(f"{column}={'t' if value else 'f'}")
        elif isinstance(value, str):
            fields.append(f'{column}="{quote_text(value)}"')
        elif value is not None and math.isfinite(value):
            fields.append(f"{column}={float(value)!r}")
    tags = {"run": run.name, "run_id": run.run_id, "kind": event.kind}
    labels = "".join(f",{name}={escape_label(value)}" for name, value in tags.items())
    return f"{table}{labels} {','.join(fields)} {to_nanoseconds(event.time)}"


def to_nanoseconds(time: float) -> int:
    """Convert seconds since 1970 to nanoseconds, in whole microseconds: a double is not more precise."""
    return round(time * 1e6) * (NANOSECONDS // 1_000_000)


def escape_label(text: str) -> str:
    """Escape a label: commas, equals signs, spaces and backslashes get a backslash; line breaks become spaces."""
    return re.sub(r"([,= \\])", r"\\\1", re.sub(r"[\r\n\0]+", " ", text))


def quote_text(text: str) -> str:
    """Quote a text field."""
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\0", "").replace("\n", "\\\n")
