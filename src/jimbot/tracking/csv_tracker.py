"""``progress.csv``: the metrics and evaluations of a run as a table. Always active.

One row per event. The columns are ``sequence``, ``step``, ``time``, ``kind`` and then every value in the order of its
first appearance; evaluations carry ``evaluation/`` before their names. When a new name appears, the table is written
anew with the wider header and takes the old one's place at one instant. A resumed run's table is made again from its
events, so that the two always agree.
"""

from __future__ import annotations

import csv
import io
import os
from typing import TYPE_CHECKING, Any

from jimbot.tracking.events import EVENTS_FILE, Event, Value, read_events
from jimbot.tracking.files import append_line, make_directory, write_whole, writing
from jimbot.tracking.tracker import TrackingError

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path
    from typing import BinaryIO

    from jimbot.tracking.run_info import RunInfo

__all__ = ["FIXED_COLUMNS", "PROGRESS_FILE", "CsvTracker"]

PROGRESS_FILE = "progress.csv"
FIXED_COLUMNS = ("sequence", "step", "time", "kind")
TABULATED = ("metrics", "evaluation")


class CsvTracker:
    """Appends metrics and evaluations to ``progress.csv`` in the run's directory.

    Attributes:
        path: the file; set when tracking starts or resumes.
        columns: the columns of the header.
    """

    path: Path

    def __init__(self) -> None:
        self.columns: list[str] = []
        self._file: BinaryIO | None = None
        self._size = 0

    def start(self, run: RunInfo) -> None:
        """Start an empty table."""
        make_directory(run.directory)
        self.path = run.directory / PROGRESS_FILE
        self._write_table([])

    def resume(self, run: RunInfo, cursor: dict[str, Any]) -> None:
        """Rebuild the table from the events before the cursor, and continue."""
        self.path = run.directory / PROGRESS_FILE
        events = read_events(run.directory / EVENTS_FILE, before=int(cursor["sequence"]), kinds=TABULATED)
        self._write_table(list(events))

    def log(self, event: Event) -> None:
        """Append a row if the event is a metric or an evaluation."""
        if event.kind not in TABULATED:
            return
        row = make_row(event)
        new = [name for name in row if name not in self.columns]
        if new:
            self._widen(new)
        file = self._require_open()
        line = format_rows([[format_cell(row.get(name)) for name in self.columns]])
        append_line(file, line, self._size, self.path)
        self._size += len(line)

    def flush(self) -> None:
        """Flush the table to disk."""
        if self._file is not None:
            with writing(self.path):
                os.fsync(self._file.fileno())

    def cursor(self) -> dict[str, Any]:
        """Return an empty cursor: the table can be rebuilt from the events."""
        return {}

    def close(self) -> None:
        """Flush the table to disk and close it."""
        try:
            self.flush()
        finally:
            self._close_file()

    def _require_open(self) -> BinaryIO:
        if self._file is None:
            raise TrackingError("the table of progress is not open; start or resume it first")
        return self._file

    def _close_file(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def _write_table(self, events: list[Event]) -> None:
        rows = [make_row(event) for event in events]
        self.columns = list(dict.fromkeys([*FIXED_COLUMNS, *(name for row in rows for name in row)]))
        table = [[format_cell(row.get(name)) for name in self.columns] for row in rows]
        self._replace(format_rows([self.columns, *table]))

    def _widen(self, new: list[str]) -> None:
        with self.path.open(newline="", encoding="utf-8") as file:
            _, *rows = csv.reader(file)
        self.columns.extend(new)
        filler = [""] * len(new)
        self._replace(format_rows([self.columns, *([*row, *filler] for row in rows)]))

    def _replace(self, content: bytes) -> None:
        self._close_file()
        write_whole(self.path, content)
        with writing(self.path):
            self._file = self.path.open("ab", buffering=0)
        self._size = len(content)


def make_row(event: Event) -> dict[str, Value]:
    """Return the table row of an event, by column."""
    fixed: dict[str, Value] = {
        "sequence": event.sequence,
        "step": event.step,
        "time": event.time,
        "kind": event.kind,
    }
    # A value that has a fixed column's name gets its own column.
    named = {event.chart_name(name): value for name, value in event.values.items()}
    return fixed | {(f"value/{name}" if name in fixed else name): value for name, value in named.items()}


def format_cell(value: Value) -> str:
    """Format a value as a cell; None is an empty cell."""
    return "" if value is None else str(value)


def format_rows(rows: Iterable[Iterable[str]]) -> bytes:
    """Format rows as lines of CSV."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    return text.getvalue().encode()
