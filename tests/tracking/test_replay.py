"""Replaying: what a tracker missed arrives later, once, and as live tracking would have written it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.tracking.helpers import log_steps, metrics, run_in
from tests.tracking.keeping import Keeping

from jimbot.tracking import TrackerWarning, TrackingError, create_trackers
from jimbot.tracking import replay as replay_module
from jimbot.tracking.registry import registered
from jimbot.tracking.replay import ReplayResult, replay

MLFLOW_WARNINGS = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::FutureWarning")


@pytest.fixture(autouse=True)
def keeping(monkeypatch):
    Keeping.stores.clear()
    monkeypatch.setitem(registered, "keeping", Keeping)


@pytest.fixture
def finished_run(tmp_path) -> Path:
    """The directory of a run of 14 events with no tracker but the files."""
    directory = tmp_path / "run"
    with create_trackers([], run_in(directory, run_id="one")).start() as trackers:
        log_steps(trackers, 1, 10)
    return directory


def test_everything_is_sent_once(finished_run):
    assert replay(finished_run, "keeping") == ReplayResult(sent=14, before=0)
    assert replay(finished_run, "keeping") == ReplayResult(sent=0, before=14)
    assert Keeping.stores["main"] == list(range(14))


def test_every_destination_is_recorded_on_its_own(finished_run):
    replay(finished_run, "keeping")
    assert replay(finished_run, "keeping", {"store": "second"}).sent == 14
    assert Keeping.stores["second"] == list(range(14))


def test_again_sends_everything(finished_run):
    replay(finished_run, "keeping")
    assert replay(finished_run, "keeping", again=True) == ReplayResult(sent=14, before=0)
    assert Keeping.stores["main"] == list(range(14))


def test_only_what_a_failed_tracker_missed_is_sent(tmp_path):
    options = {"keeping": {"fail_at": 8}}
    trackers = create_trackers(["keeping"], run_in(tmp_path), options).start()
    log_steps(trackers, 1, 3)
    trackers.flush()
    with pytest.warns(TrackerWarning):
        log_steps(trackers, 4, 10)
    trackers.end()
    result = replay(tmp_path, "keeping")
    assert result == ReplayResult(sent=10, before=4)
    assert Keeping.stores["main"] == list(range(14))


def test_nothing_is_sent_after_live_tracking(tmp_path):
    with create_trackers(["keeping"], run_in(tmp_path)).start() as trackers:
        log_steps(trackers, 1, 10)
    assert replay(tmp_path, "keeping") == ReplayResult(sent=0, before=14)


def test_interrupted_replay_goes_on(finished_run, monkeypatch):
    monkeypatch.setattr(replay_module, "BATCH_EVENTS", 4)
    with pytest.raises(
        TrackingError,
        match="tracker keeping failed: the server went away; 8 of 14 events were sent; run the same",
    ):
        replay(finished_run, "keeping", {"fail_at": 9})
    seen: list[tuple[int, int]] = []
    assert replay(finished_run, "keeping", progress=lambda *counts: seen.append(counts)).sent == 6
    assert Keeping.stores["main"] == list(range(14))
    assert seen == [(4, 6), (6, 6)]


def test_tensorboard_replay_has_the_bytes_of_live_tracking(finished_run, tmp_path):
    pytest.importorskip("tensorboard")
    events = (finished_run / "events.jsonl").read_text()
    live = tmp_path / "live" / "run"
    with create_trackers(["tensorboard"], run_in(live, run_id="one")).start() as trackers:
        log_steps(trackers, 1, 10)
    (live / "delivered").rename(live / "hidden")
    (expected,) = (live / "tensorboard").iterdir()
    written = expected.read_bytes()
    expected.unlink()
    replay(live, "tensorboard")
    (again,) = (live / "tensorboard").iterdir()
    assert again.read_bytes() == written
    assert events.count("\n") == 14


def test_questdb_replay_sends_the_lines_of_live_tracking(tmp_path, line_server, closed_port):
    live, late = tmp_path / "live", tmp_path / "late"
    address = line_server.address
    trackers = create_trackers(
        ["questdb"], run_in(live, run_id="one"), {"questdb": {"address": address}}
    ).start()
    log_steps(trackers, 1, 10)
    trackers.close()
    expected = [*line_server.lines]
    line_server.lines.clear()

    down = f"http://127.0.0.1:{closed_port}"
    trackers = create_trackers(
        ["questdb"], run_in(late, run_id="one"), {"questdb": {"address": down}}
    ).start()
    with pytest.warns(TrackerWarning, match="cannot be reached"):  # noqa: PT031 - the thread may fail at any of these
        log_steps(trackers, 1, 10)
        trackers.close()
    assert line_server.lines == []
    assert replay(late, "questdb", {"address": address}).sent == 13

    def without_start_time(lines: list[str]) -> list[str]:
        return [re.sub(r"\d+$", "", line) if "run_started" in line else line for line in lines]

    assert len(expected) == 13
    assert without_start_time(line_server.lines) == without_start_time(expected)
    assert replay(late, "questdb", {"address": address}).sent == 0


@MLFLOW_WARNINGS
def test_mlflow_replay_equals_live_tracking(store_directory):
    pytest.importorskip("mlflow")
    from jimbot.tracking.mlflow.store import connect, make_local_uri

    directory = store_directory / "run"
    options = {"mlflow": {"experiment": "live"}}
    trackers = create_trackers(["mlflow"], run_in(directory, run_id="one"), options).start()
    log_steps(trackers, 1, 10)
    trackers.log(metrics(11, more=2.0))
    trackers.end()
    replay(directory, "mlflow", {"experiment": "late"})
    client = connect(make_local_uri(store_directory)).client
    found = {}
    for experiment in ("live", "late"):
        (run,) = client.search_runs([client.get_experiment_by_name(experiment).experiment_id])
        histories = {
            name: sorted(
                (each.step, each.value, each.timestamp)
                for each in client.get_metric_history(run.info.run_id, name)
            )
            for name in run.data.metrics
        }
        found[experiment] = (run.data.params, run.info.status, histories)
    assert found["late"] == found["live"]
    assert len(found["late"][2]["loss"]) == 10


@MLFLOW_WARNINGS
def test_replay_to_an_absent_mlflow_server_is_an_error(finished_run, closed_port):
    pytest.importorskip("mlflow")
    with pytest.raises(TrackingError, match=r"cannot be reached: .*; 0 of 14 events were sent"):
        replay(finished_run, "mlflow", {"uri": f"http://127.0.0.1:{closed_port}"})


def test_directory_that_is_no_run_is_refused(tmp_path):
    with pytest.raises(TrackingError, match="is not the directory of a tracked run"):
        replay(tmp_path, "keeping")
