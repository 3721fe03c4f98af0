"""The set of trackers: names, options, guards against trackers that fail or hang, and what they missed."""

from __future__ import annotations

import json
import sys
import threading
import warnings
from typing import Any

import pytest
from tests.tracking.helpers import log_steps, metrics, run_in
from tests.tracking.keeping import Keeping

from jimbot.errors import JimbotError
from jimbot.tracking import (
    RunInfo,
    TrackerSet,
    TrackerWarning,
    TrackingError,
    create_tracker,
    create_trackers,
    read_events,
    register_tracker,
    tracker_names,
)
from jimbot.tracking.registry import registered


@pytest.fixture(autouse=True)
def keeping(monkeypatch):
    Keeping.stores.clear()
    monkeypatch.setitem(registered, "keeping", Keeping)


def keeping_set(directory, **options: Any) -> TrackerSet:
    return create_trackers(["keeping"], run_in(directory, run_id="one"), {"keeping": options})


# --- names and options ------------------------------------------------------------------------------------------------


def test_unknown_name_is_refused_with_the_list(tmp_path):
    with pytest.raises(
        TrackingError,
        match="unknown tracker 'tensorbord'; did you mean 'tensorboard'",
    ):
        create_trackers(["tensorbord"], run_in(tmp_path))
    with pytest.raises(TrackingError, match="unknown tracker 'nothing'"):
        create_trackers([], run_in(tmp_path), {"nothing": {}})
    assert list(tmp_path.iterdir()) == []


def test_unknown_option_is_refused_with_the_list(tmp_path):
    with pytest.raises(
        TrackingError, match="tracker keeping has no option color; its options are store, fail_at"
    ):
        create_trackers(["keeping"], run_in(tmp_path), {"keeping": {"color": 1}})
    with pytest.raises(TrackingError, match="tracker jsonl has no options"):
        create_trackers([], run_in(tmp_path), {"jsonl": {"color": 1}})


def test_names_that_are_always_on_may_be_given(tmp_path):
    trackers = create_trackers(["jsonl", "csv", "keeping", "keeping"], run_in(tmp_path))
    assert trackers.names == ["jsonl", "csv", "keeping"]


def test_third_party_joins_with_a_decorator(monkeypatch):
    monkeypatch.delitem(registered, "keeping")
    register_tracker("keeping")(Keeping)
    assert "keeping" in tracker_names()
    assert isinstance(create_tracker("keeping", {"store": "x"}), Keeping)
    with pytest.raises(TrackingError, match="there is a tracker 'mlflow' already"):
        register_tracker("mlflow")(Keeping)
    with pytest.raises(TrackingError, match="one word"):
        register_tracker("two words")


@pytest.mark.parametrize(
    ("name", "module"), [("tensorboard", "tensorboard"), ("wandb", "wandb"), ("mlflow", "mlflow")]
)
def test_missing_library_is_one_line_when_the_tracker_is_created(tmp_path, monkeypatch, name, module):
    for loaded in [module, *(name for name in sys.modules if name.startswith(f"{module}."))]:
        monkeypatch.setitem(sys.modules, loaded, None)  # what Python takes for a module that is not there
    with pytest.raises(
        JimbotError,
        match=rf"^{module}.* is not installed; install it with: pip install 'jimbot\[tracking\]'$",
    ):
        create_trackers([name], run_in(tmp_path))
    assert list(tmp_path.iterdir()) == []


# --- guards -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("background", [False, True])
def test_every_event_arrives(tmp_path, background):
    with keeping_set(tmp_path, background=background).start() as trackers:
        log_steps(trackers, 1, 10)
    assert Keeping.stores["main"] == list(range(14))


@pytest.mark.parametrize("background", [False, True])
def test_failing_tracker_gives_one_warning_and_training_goes_on(tmp_path, background):
    trackers = keeping_set(tmp_path, fail_at=4, background=background).start()
    with pytest.warns(TrackerWarning) as caught:  # noqa: PT031 - a thread may fail at any of these
        log_steps(trackers, 1, 10)
        trackers.flush()
        trackers.end()
    (warning,) = caught
    assert str(warning.message) == (
        f"tracker keeping is switched off: the server went away; training continues. {tmp_path / 'events.jsonl'} "
        f"has all events; send them later with: jimbot track replay {tmp_path} --tracker keeping"
    )
    assert trackers.names == ["jsonl", "csv"]
    assert len(list(read_events(tmp_path / "events.jsonl"))) == 14


def test_failure_at_the_start_is_guarded_too(tmp_path, monkeypatch):
    def refuse(*_: object) -> None:
        raise OSError("no such host")

    monkeypatch.setattr(Keeping, "start", refuse)
    with pytest.warns(TrackerWarning, match="switched off: no such host"):
        trackers = keeping_set(tmp_path).start()
    log_steps(trackers, 1, 3)
    trackers.end()
    assert len(list(read_events(tmp_path / "events.jsonl"))) == 5


def test_hanging_tracker_blocks_neither_logging_nor_closing(tmp_path, monkeypatch):
    answer = threading.Event()
    monkeypatch.setattr(Keeping, "start", lambda *_: answer.wait())
    trackers = create_trackers(
        ["keeping"], run_in(tmp_path), {"keeping": {"background": True}}, close_seconds=0.05
    ).start()
    log_steps(trackers, 1, 10)
    with pytest.warns(TrackerWarning, match="switched off: its destination did not answer in time"):
        trackers.end()
    (thread,) = [thread for thread in threading.enumerate() if thread.name == "jimbot-keeping"]
    answer.set()
    thread.join()
    assert Keeping.stores["main"] == list(range(14))  # it woke up after all, and found everything in the file


# --- continuing -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("background", [False, True])
def test_resumed_tracker_has_every_event_once(tmp_path, background):
    first = keeping_set(tmp_path, background=background).start()
    log_steps(first, 1, 6)
    cursor = json.loads(json.dumps(first.cursor()))
    log_steps(first, 7, 9)
    first.end()
    with keeping_set(tmp_path, background=background).resume(cursor) as second:
        log_steps(second, 7, 12)
    assert Keeping.stores["main"] == [event.sequence for event in read_events(tmp_path / "events.jsonl")]


def test_tracker_that_had_not_begun_at_the_checkpoint_gets_everything_once(tmp_path, monkeypatch):
    answer, start = threading.Event(), Keeping.start

    def start_late(tracker: Keeping, run: RunInfo) -> None:
        answer.wait()
        start(tracker, run)

    monkeypatch.setattr(Keeping, "start", start_late)
    first = keeping_set(tmp_path, background=True).start()
    log_steps(first, 1, 6)
    cursor = json.loads(json.dumps(first.cursor()))
    assert cursor["trackers"] == {}
    answer.set()
    log_steps(first, 7, 9)
    first.end()
    assert len(Keeping.stores["main"]) == 12
    with keeping_set(tmp_path, background=True).resume(cursor) as second:
        log_steps(second, 7, 12)
    assert Keeping.stores["main"] == [event.sequence for event in read_events(tmp_path / "events.jsonl")]


@pytest.mark.parametrize("background", [False, True])
def test_tracker_that_failed_catches_up_when_the_run_is_resumed(tmp_path, background):
    first = keeping_set(tmp_path, background=background, fail_at=3).start()
    with pytest.warns(TrackerWarning):  # noqa: PT031
        log_steps(first, 1, 6)
        cursor = first.cursor()
        first.close()
    assert Keeping.stores["main"] == [0, 1, 2]
    with keeping_set(tmp_path, background=background).resume(cursor) as second:
        log_steps(second, 7, 8)
    assert Keeping.stores["main"] == list(range(11))


def test_tracker_that_joins_at_a_resume_gets_the_history(tmp_path):
    first = create_trackers([], run_in(tmp_path)).start()
    log_steps(first, 1, 6)
    cursor = first.cursor()
    first.close()
    keeping_set(tmp_path).resume(cursor).end()
    assert Keeping.stores["main"] == list(range(9))


def test_overwriting_forgets_what_was_delivered(tmp_path):
    with keeping_set(tmp_path).start() as trackers:
        log_steps(trackers, 1, 6)
    assert list((tmp_path / "delivered").iterdir())
    create_trackers([], run_in(tmp_path)).start(overwrite=True).close()
    assert not list((tmp_path / "delivered").iterdir())


def test_checkpoint_event_is_on_disk_when_it_returns(tmp_path, monkeypatch):
    synced = []
    monkeypatch.setattr("os.fsync", synced.append)
    trackers = create_trackers([], run_in(tmp_path)).start()
    synced.clear()
    trackers.log(metrics(1, loss=1.0, more=2.0))
    before = len(synced)
    trackers.log(metrics(2, loss=1.0, more=2.0))
    assert len(synced) == before
    trackers.log_checkpoint(2, "checkpoints/2", score=1.5)
    assert len(synced) == before + 2
    trackers.close()


def test_many_threads_may_log(tmp_path):
    trackers = create_trackers([], run_in(tmp_path)).start()
    threads = [threading.Thread(target=log_steps, args=(trackers, 1, 50)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    trackers.close()
    assert [event.sequence for event in read_events(tmp_path / "events.jsonl")] == list(range(241))


def test_healthy_set_warns_of_nothing(tmp_path):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with keeping_set(tmp_path).start() as trackers:
            log_steps(trackers, 1, 2)
