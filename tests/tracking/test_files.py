"""events.jsonl and progress.csv: appended, cut at a cursor, whole after a kill, and clear when the disk is full."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from tests.tracking.helpers import contents, evaluation, log_steps, metrics, run_in

from jimbot.tracking import RunInfo, TrackerSet, TrackingError, create_trackers, read_events
from jimbot.tracking.csv_tracker import CsvTracker
from jimbot.tracking.jsonl_tracker import JsonlTracker


def rows_of(directory: Path) -> list[dict[str, str]]:
    with (directory / "progress.csv").open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture
def trackers(tmp_path):
    trackers = create_trackers([], run_in(tmp_path)).start()
    yield trackers
    trackers.close()


def test_events_are_numbered_and_readable_at_once(trackers, tmp_path):
    trackers.log_metrics(10, {"loss": 0.5})
    trackers.log_text(11, "note", "hello\nworld")
    events = list(read_events(tmp_path / "events.jsonl"))
    assert [(event.sequence, event.kind, event.step) for event in events] == [
        (0, "run_started", 0),
        (1, "metrics", 10),
        (2, "text", 11),
    ]
    assert events[0].values == {"run": "a run", "run_id": trackers.run.run_id}
    assert events[2].values == {"note": "hello\nworld"}


def test_run_info_comes_back(trackers, tmp_path):
    assert RunInfo.load(tmp_path) == trackers.run


def test_table_has_metrics_and_evaluations_only(trackers, tmp_path):
    trackers.log_metrics(1, {"loss": 0.5, "step": 7})
    trackers.log_episode(1, {"reward": 3})
    trackers.log(evaluation(1, loss=0.25, note='a "quoted", note'))
    rows = rows_of(tmp_path)
    assert [row["sequence"] for row in rows] == ["1", "3"]
    assert list(rows[0]) == [
        *("sequence", "step", "time", "kind", "loss", "value/step"),
        *("evaluation/loss", "evaluation/note"),
    ]
    assert rows[0]["loss"] == "0.5"
    assert rows[0]["value/step"] == "7"
    assert rows[0]["evaluation/loss"] == ""
    assert rows[1]["evaluation/note"] == 'a "quoted", note'


def test_new_column_keeps_the_old_rows(trackers, tmp_path):
    trackers.log(metrics(1, a=1))
    trackers.log(metrics(2, a=2))
    trackers.log(metrics(3, b=float("nan")))
    assert [(row["a"], row["b"]) for row in rows_of(tmp_path)] == [("1", ""), ("2", ""), ("", "nan")]
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".progress")]


def test_resumed_run_equals_an_uninterrupted_one(tmp_path):
    whole, broken = tmp_path / "whole", tmp_path / "broken"
    with create_trackers([], run_in(whole, run_id="one")).start() as trackers:
        log_steps(trackers, 1, 20)

    first = create_trackers([], run_in(broken, run_id="one")).start()
    log_steps(first, 1, 12)
    cursor = json.loads(json.dumps(first.cursor()))
    first.log(metrics(13, loss=9.0, a_column_of_later=1.0))
    first.end()
    with create_trackers([], run_in(broken)).resume(cursor) as second:
        assert second.run.run_id == "one"
        log_steps(second, 13, 20)
    assert contents(broken) == contents(whole)
    own_times = [row | {"time": ""} for row in rows_of(broken)]
    assert own_times == [row | {"time": ""} for row in rows_of(whole)]
    assert (broken / "progress.csv").read_bytes() == (whole / "progress.csv").read_bytes()


def test_resume_without_cursor_goes_on_after_the_last_whole_event(tmp_path):
    with create_trackers([], run_in(tmp_path)).start() as trackers:
        log_steps(trackers, 1, 3)
    with (tmp_path / "events.jsonl").open("ab") as file:
        file.write(b'{"version":1,"sequence":5,"kind":"me')
    with create_trackers([], run_in(tmp_path)).resume(None) as trackers:
        assert trackers.next_sequence == 5
        trackers.log_text(4, "note", "later")
    events = list(read_events(tmp_path / "events.jsonl"))
    assert [event.sequence for event in events] == list(range(7))
    assert (events[-1].kind, events[-1].step) == ("run_ended", 4)


def test_end_takes_the_last_step_after_a_resume_too(tmp_path):
    trackers = create_trackers([], run_in(tmp_path)).start()
    trackers.log(metrics(40, loss=1.0))
    cursor = trackers.cursor()
    trackers.close()
    create_trackers([], run_in(tmp_path)).resume(cursor).end("interrupted")
    assert list(read_events(tmp_path / "events.jsonl"))[-1].step == 40


def test_very_long_last_line_is_found_again(tmp_path):
    trackers = create_trackers([], run_in(tmp_path)).start()
    trackers.log_text(3, "long", "x" * 300_000)
    cursor = trackers.cursor()
    trackers.close()
    resumed = create_trackers([], run_in(tmp_path)).resume(cursor)
    assert resumed.next_sequence == 2
    resumed.close()


WRITE_UNTIL_KILLED = """
import json, sys
from pathlib import Path
from jimbot.tracking import RunInfo, create_trackers
directory = Path(sys.argv[1])
trackers = create_trackers([], RunInfo("a run", directory)).start()
step = 0
while True:
    step += 1
    trackers.log_metrics(step, {"loss": 1.0 / step, f"column {step // 50}": 1.0})
    if step == 100:
        (directory / "cursor.json").write_text(json.dumps(trackers.cursor()))
    if step == 400:
        print("far enough", flush=True)
"""


def test_kill_in_the_middle_of_writing(tmp_path):
    with subprocess.Popen(
        [sys.executable, "-c", WRITE_UNTIL_KILLED, str(tmp_path)], stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "far enough\n"
        child.send_signal(signal.SIGKILL)
    path = tmp_path / "events.jsonl"
    before = list(read_events(path))
    assert [event.sequence for event in before] == list(range(len(before)))
    assert len(before) > 400
    with path.open("ab") as file:  # what a machine that loses power can leave
        file.write(b'{"version":1,"sequence":')
    cursor = json.loads((tmp_path / "cursor.json").read_text())
    with create_trackers([], run_in(tmp_path)).resume(cursor) as trackers:
        trackers.log(metrics(101, loss=7.0))
    events = list(read_events(path))
    assert [event.sequence for event in events] == list(range(103))
    assert events[101].values == {"loss": 7.0}
    rows = rows_of(tmp_path)
    assert [int(row["step"]) for row in rows] == list(range(1, 102))
    assert "column 2" in rows[0]
    assert "column 3" not in rows[0]


def test_second_process_is_kept_out(tmp_path):
    with subprocess.Popen(
        [sys.executable, "-c", WRITE_UNTIL_KILLED, str(tmp_path)], stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        child.stdout.readline()
        cursor = json.loads((tmp_path / "cursor.json").read_text())
        with pytest.raises(TrackingError, match="writes events into"):
            create_trackers([], run_in(tmp_path)).resume(cursor)
        child.kill()
    create_trackers([], run_in(tmp_path)).resume(cursor).close()


def test_directory_with_events_is_not_started_again(tmp_path):
    create_trackers([], run_in(tmp_path)).start().close()
    with pytest.raises(TrackingError, match="already holds the events of a run; resume that run"):
        create_trackers([], run_in(tmp_path)).start()
    create_trackers([], run_in(tmp_path)).start(overwrite=True).close()
    assert len(list(read_events(tmp_path / "events.jsonl"))) == 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda path: path.write_bytes(path.read_bytes()[:-40]), "bytes, the checkpoint was made at"),
        (lambda path: path.unlink(), "No such file or directory; the checkpoint belongs to another"),
        (lambda path: path.write_bytes(b"x" * 10_000), "it belongs to another run"),
    ],
)
def test_cursor_of_other_events_is_refused(tmp_path, change, message):
    trackers = create_trackers([], run_in(tmp_path)).start()
    log_steps(trackers, 1, 5)
    cursor = trackers.cursor()
    trackers.close()
    change(tmp_path / "events.jsonl")
    with pytest.raises(TrackingError, match=message):
        create_trackers([], run_in(tmp_path)).resume(cursor)


def test_what_is_not_a_cursor_is_refused(tmp_path):
    with pytest.raises(
        TrackingError, match="not a cursor of version 1: run_id, bytes, sequence, trackers is wrong"
    ):
        TrackerSet(run_in(tmp_path)).resume({"version": 1})


def test_logging_before_start_and_starting_twice_are_refused(tmp_path):
    trackers = TrackerSet(run_in(tmp_path))
    with pytest.raises(TrackingError, match="the run is not open"):
        trackers.log_metrics(0, {})
    trackers.start()
    with pytest.raises(TrackingError, match="the run is open already"):
        trackers.start()
    trackers.close()
    trackers.close()


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
@pytest.mark.parametrize("name", ["events.jsonl", "progress.csv"])
def test_full_disk_is_one_clear_error(tmp_path, name):
    trackers = create_trackers([], run_in(tmp_path)).start()
    trackers.log(metrics(1, loss=0.5))
    tracker = trackers._jsonl if name == "events.jsonl" else trackers._csv
    assert isinstance(tracker, JsonlTracker | CsvTracker)
    whole = tracker._file
    with open("/dev/full", "wb", buffering=0) as full:  # noqa: PTH123
        tracker._file = full  # pyright: ignore[reportAttributeAccessIssue]
        with pytest.raises(
            TrackingError, match=rf"cannot write .*{name}: No space left on device; make room"
        ):
            trackers.log(metrics(2, loss=0.25))
    tracker._file = whole
    trackers.close()


def test_line_that_does_not_fit_is_taken_back(tmp_path):
    limit = 20_000
    code = f"""
import resource, signal, sys
sys.path.insert(0, {str(Path(__file__).parents[2])!r})
from pathlib import Path
from jimbot.tracking import RunInfo, TrackingError, create_trackers
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, ({limit}, {limit}))
trackers = create_trackers([], RunInfo("a run", Path(sys.argv[1]))).start()
try:
    for step in range(10_000):
        trackers.log_episode(step, {{"reward": 1.0}})
except TrackingError as error:
    print(error)
trackers.close()
"""
    finished = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert "events.jsonl: File too large; make room" in finished.stdout
    content = (tmp_path / "events.jsonl").read_bytes()
    assert limit - 200 < len(content) <= limit
    assert content.endswith(b"\n")
    events = list(read_events(tmp_path / "events.jsonl"))
    assert [event.sequence for event in events] == list(range(len(events)))


@pytest.mark.parametrize(
    ("error", "status"),
    [(None, "finished"), (KeyboardInterrupt(), "interrupted"), (ValueError("odd"), "failed")],
)
def test_context_manager_ends_the_run(tmp_path, error, status):
    trackers = create_trackers([], run_in(tmp_path)).start()
    if error is None:
        with trackers:
            pass
    else:
        with pytest.raises(type(error)), trackers:
            raise error
    last = list(read_events(tmp_path / "events.jsonl"))[-1]
    assert (last.kind, last.values["status"]) == ("run_ended", status)
    assert (last.values.get("error") == "ValueError: odd") == (status == "failed")


def test_directory_that_is_no_run_is_named(tmp_path):
    with pytest.raises(TrackingError, match="is not the directory of a tracked run"):
        RunInfo.load(tmp_path)


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="the superuser may write anywhere")
def test_unwritable_directory_is_one_clear_error(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(TrackingError, match="cannot write"):
        create_trackers([], run_in(tmp_path / "run")).start()
    tmp_path.chmod(0o700)
