"""The manager: what it keeps, what it finds, who may write, and old formats."""

from __future__ import annotations

import errno
import json
import math
import os
import subprocess
import sys
import warnings

import numpy as np
import pytest

from jimbot.storage.processes import ProcessIdentity
from jimbot.training.checkpoints import manifest
from jimbot.training.checkpoints.manager import (
    CheckpointError,
    CheckpointManager,
    CheckpointWarning,
    migration,
)


def names(manager: CheckpointManager) -> list[int]:
    return [info.step for info in manager.list()]


def damage(path, name="state.json"):
    data = bytearray((path / name).read_bytes())
    data[len(data) // 2] ^= 1
    (path / name).write_bytes(data)


def newest(manager: CheckpointManager):
    info = manager.latest()
    assert info is not None
    return info


# --- saving and loading ---------------------------------------------------------------------------------------------


def test_a_checkpoint_is_a_directory_with_a_manifest(tmp_path):
    manager = CheckpointManager(tmp_path / "a" / "checkpoints", writer={"backend": "sb3", "algorithm": "PPO"})
    path = manager.save(
        12345,
        {"weights": np.ones((2, 3), np.float32), "replay": {"obs": np.zeros(5, np.uint8)}, "step": 12345},
        score=1.5,
        metadata={"why": "evaluation"},
        groups=("replay",),
    )
    assert path == tmp_path / "a" / "checkpoints" / "step_000000012345"
    files = sorted(file.name for file in path.iterdir())
    assert files == ["manifest.json", "replay.safetensors", "state.json", "tensors.safetensors"]
    manifest = json.loads((path / "manifest.json").read_text())
    assert manifest["format_version"] == 1
    assert (manifest["step"], manifest["score"], manifest["metadata"]) == (12345, 1.5, {"why": "evaluation"})
    assert manifest["writer"] == {"backend": "sb3", "algorithm": "PPO"}
    assert manifest["versions"]["numpy"] == np.__version__
    assert manifest["files"]["replay.safetensors"]["tensors"] == {"replay/obs": {"dtype": "U8", "shape": [5]}}
    loaded = manager.load(path)
    assert loaded.manifest.step == 12345
    assert loaded.tree["weights"].tolist() == [[1, 1, 1]] * 2
    assert loaded.tree["step"] == 12345


def test_a_group_can_be_left_out_without_being_read(tmp_path):
    manager = CheckpointManager(tmp_path)
    path = manager.save(1, {"w": np.ones(2), "replay": {"obs": np.zeros(5), "next": 3}}, groups=("replay",))
    (path / "replay.safetensors").unlink()
    assert list(manager.load(path, without=["replay"]).tree) == ["w"]
    with pytest.raises(CheckpointError, match=r"replay\.safetensors is missing"):
        manager.load(path)
    with pytest.raises(CheckpointError, match="no group 'other' to leave out"):
        manager.load(path, without=["other"])


@pytest.mark.parametrize("group", ["Replay", "../x", "tensors", "", "a.b", "absent"])
def test_groups_are_keys_that_can_name_a_file(tmp_path, group):
    with pytest.raises(CheckpointError):
        CheckpointManager(tmp_path).save(
            1, {"Replay": 1, "../x": 1, "tensors": 1, "": 1, "a.b": 1}, groups=(group,)
        )
    assert CheckpointManager(tmp_path).paths() == []


def test_bad_arguments_are_refused_before_anything_is_written(tmp_path):
    manager = CheckpointManager(tmp_path / "c")
    with pytest.raises(CheckpointError, match="step is -1"):
        manager.save(-1, {})
    with pytest.raises(CheckpointError, match=r"'x' is a builtins\.object"):
        manager.save(1, {"x": object()})
    assert not (tmp_path / "c").exists()
    with pytest.raises(CheckpointError, match="arrays belong into the tree"):
        manager.save(1, {}, metadata={"a": np.zeros(1)})
    assert manager.paths() == []
    with pytest.raises(CheckpointError, match="keep_last is 0"):
        CheckpointManager(tmp_path, keep_last=0)
    with pytest.raises(CheckpointError, match="keep_best is -1"):
        CheckpointManager(tmp_path, keep_best=-1)


def test_reading_an_empty_or_absent_directory_makes_nothing(tmp_path):
    manager = CheckpointManager(tmp_path / "absent")
    assert manager.latest() is None
    assert manager.best() is None
    assert manager.list() == []
    assert not (tmp_path / "absent").exists()


# --- retention ------------------------------------------------------------------------------------------------------


def test_the_last_and_the_best_stay(tmp_path):
    manager = CheckpointManager(tmp_path, keep_last=2, keep_best=1)
    for step, score in enumerate([1.0, 9.0, 2.0, math.nan, 3.0, None]):
        manager.save(step, {"step": step}, score)
    assert names(manager) == [1, 4, 5]
    best = manager.best()
    assert best is not None
    assert (best.step, best.score) == (1, 9.0)
    assert newest(manager).step == 5


def test_lower_can_be_better_and_more_than_one_best_can_stay(tmp_path):
    manager = CheckpointManager(tmp_path, keep_last=1, keep_best=2, higher_is_better=False)
    for step, score in enumerate([3.0, -1.0, 2.0, math.inf, 5.0]):
        manager.save(step, {}, score)
    assert names(manager) == [1, 2, 4]
    best = manager.best()
    assert best is not None
    assert best.step == 1


def test_nan_and_none_are_never_best(tmp_path):
    manager = CheckpointManager(tmp_path, keep_last=1)
    manager.save(1, {}, math.nan)
    manager.save(2, {}, None)
    assert manager.best() is None
    assert names(manager) == [2]
    manager.save(3, {}, -math.inf)
    manager.save(4, {}, math.nan)
    best = manager.best()
    assert best is not None
    assert best.step == 3
    assert math.isnan(newest(manager).score or 0)


def test_of_equal_scores_the_newer_is_best(tmp_path):
    manager = CheckpointManager(tmp_path, keep_last=1)
    for step in (1, 2, 3):
        manager.save(step, {}, 7.0 if step < 3 else 0.0)
    best = manager.best()
    assert best is not None
    assert best.step == 2
    assert names(manager) == [2, 3]


def test_keep_last_none_keeps_all(tmp_path):
    manager = CheckpointManager(tmp_path, keep_last=None)
    for step in range(6):
        manager.save(step, {})
    assert names(manager) == list(range(6))


def test_going_back_to_an_earlier_step_is_newer_than_what_came_after_it(tmp_path):
    manager = CheckpointManager(tmp_path, keep_last=2)
    for step in (1000, 2000, 3000, 1500):
        manager.save(step, {"step": step})
    assert newest(manager).step == 1500
    assert names(manager) == [3000, 1500]


def test_saving_a_step_again_replaces_it_only_when_the_new_one_is_whole(tmp_path):
    manager = CheckpointManager(tmp_path, keep_last=2)
    manager.save(1, {"try": 0})
    manager.save(2, {"try": 1})
    path = manager.save(2, {"try": 2})
    assert path.name == "step_000000000002-2"
    assert [info.path.name for info in manager.list()] == ["step_000000000001", "step_000000000002-2"]
    assert manager.load(newest(manager)).tree == {"try": 2}
    assert manager.save(2, {"try": 3}).name == "step_000000000002"


def test_damaged_ones_do_not_count_and_are_not_deleted(tmp_path):
    manager = CheckpointManager(tmp_path, keep_last=2, keep_best=1)
    for step, score in ((1, 5.0), (2, 9.0), (3, 0.0)):
        manager.save(step, {"step": step}, score)
    assert names(manager) == [2, 3]
    damage(tmp_path / "step_000000000002")
    other = CheckpointManager(tmp_path, keep_last=2, keep_best=1)
    manager.close()
    with pytest.warns(CheckpointWarning, match="step_000000000002 is passed over: state.json is damaged"):
        other.save(4, {"step": 4}, 1.0)
    other.save(5, {"step": 5}, 0.5)
    assert sorted(path.name[-1] for path in other.paths()) == ["2", "4", "5"]
    with pytest.warns(CheckpointWarning, match="step_000000000002 is passed over"):
        best = other.best()
    assert best is not None
    assert best.step == 4


# --- finding --------------------------------------------------------------------------------------------------------


def test_latest_passes_damaged_ones_over_and_says_why(tmp_path):
    manager = CheckpointManager(tmp_path)
    for step in (1, 2, 3):
        manager.save(step, {"step": step, "a": np.ones(3)})
    damage(tmp_path / "step_000000000003", "tensors.safetensors")
    (tmp_path / "step_000000000002" / "manifest.json").unlink()
    with pytest.warns(CheckpointWarning) as caught:
        assert newest(manager).step == 1
    texts = " ".join(str(warning.message) for warning in caught)
    assert "step_000000000003 is passed over: tensors.safetensors is damaged: its SHA-256" in texts
    assert "step_000000000002 is passed over: it holds no manifest.json" in texts
    with pytest.raises(
        CheckpointError, match=r"step_000000000003 is not whole: tensors\.safetensors is damaged"
    ):
        manager.verify(tmp_path / "step_000000000003")
    assert manager.verify(tmp_path / "step_000000000001").step == 1


def test_a_directory_of_other_things_holds_no_checkpoint(tmp_path):
    (tmp_path / "step_five").mkdir()
    (tmp_path / "model.zip").write_text("x")
    assert CheckpointManager(tmp_path).latest() is None


def test_a_marked_checkpoint_is_best_and_stays(tmp_path):
    manager = CheckpointManager(tmp_path, keep_last=1, keep_best=1)
    first = manager.save(1, {}, 1.0)
    manager.mark_best(first)
    for step in (2, 3, 4):
        manager.save(step, {}, float(10 - step))
    assert names(manager) == [1, 2, 4]
    best = CheckpointManager(tmp_path).best()
    assert best is not None
    assert best.path == first
    manager.mark_best(None)
    best = manager.best()
    assert best is not None
    assert best.step == 2
    manager.save(5, {})
    assert names(manager) == [2, 5]
    with pytest.raises(CheckpointError, match="is not a checkpoint of"):
        manager.mark_best(tmp_path / "elsewhere" / "step_000000000001")
    with pytest.raises(CheckpointError, match="there is no such directory"):
        manager.mark_best(first)


def test_a_damaged_mark_is_passed_over(tmp_path):
    manager = CheckpointManager(tmp_path)
    manager.save(1, {}, 1.0)
    (tmp_path / "best.json").write_text("{")
    with pytest.warns(CheckpointWarning, match=r"best\.json is passed over"):
        best = manager.best()
    assert best is not None
    assert best.step == 1


# --- lock -----------------------------------------------------------------------------------------------------------

HOLD = """
import sys, time
from jimbot.training.checkpoints.manager import CheckpointManager
manager = CheckpointManager(sys.argv[1]).open()
print("held", flush=True)
time.sleep(600)
"""


@pytest.fixture
def holder(tmp_path):
    """A process that holds the lock of ``tmp_path``."""
    child = subprocess.Popen([sys.executable, "-c", HOLD, str(tmp_path)], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "held\n"
    yield child
    child.kill()
    child.communicate()


def test_two_processes_cannot_write_and_the_dead_one_is_taken_over(tmp_path, holder):
    manager = CheckpointManager(tmp_path)
    with pytest.raises(
        CheckpointError, match=f"process {holder.pid} on .* writes checkpoints into {tmp_path}"
    ):
        manager.save(1, {})
    assert manager.latest() is None  # reading is free
    holder.kill()
    holder.wait()
    manager.save(1, {})
    assert newest(manager).step == 1


def test_two_managers_of_one_process_cannot_write(tmp_path):
    with CheckpointManager(tmp_path) as first:
        first.save(1, {})
        with pytest.raises(CheckpointError, match=rf"this process \({os.getpid()}\), through another writer"):
            CheckpointManager(tmp_path).save(2, {})
        assert CheckpointManager(tmp_path).load(first.paths()[0]).tree == {}
    CheckpointManager(tmp_path).save(2, {})  # and a manager that is dropped lets go
    CheckpointManager(tmp_path).save(3, {})


def test_a_lock_file_without_a_lock_is_taken_over(tmp_path):
    gone = ProcessIdentity(2**22 + 5, 1, "elsewhere", "")
    for content in (
        json.dumps(gone.to_plain()),
        "",
        "not JSON",
        json.dumps(ProcessIdentity.current().to_plain()),
    ):
        (tmp_path / ".lock").write_text(content)
        with CheckpointManager(tmp_path):
            written = json.loads((tmp_path / ".lock").read_text())
            assert written["pid"] == os.getpid()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_fork_neither_holds_nor_uses_the_lock_of_its_parent(tmp_path, run_python):
    program = f"""
import os, signal, sys
from jimbot.training.checkpoints.manager import CheckpointError, CheckpointManager
manager = CheckpointManager({str(tmp_path / "c")!r}).open()
read, write = os.pipe()
child = os.fork()
if not child:
    try:
        manager.save(1, {{}})
    except CheckpointError as error:
        os.write(write, str(error).encode())
    signal.pause()
message = os.read(read, 1000).decode()
assert f"process {{os.getpid()}} on" in message, message
manager.close()  # the child lives and has the file inherited, and yet
CheckpointManager({str(tmp_path / "c")!r}).save(2, {{}})
os.kill(child, signal.SIGKILL)
os.waitpid(child, 0)
"""
    finished = run_python("-c", program)
    assert finished.returncode == 0, finished.stderr


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.ENOSYS])
def test_without_system_locks_the_file_decides(tmp_path, monkeypatch, holder, number):
    fcntl = pytest.importorskip("fcntl")

    def no_locks(_descriptor, _operation):
        raise OSError(number, "no locks")

    monkeypatch.setattr(fcntl, "flock", no_locks)
    with pytest.raises(CheckpointError, match=f"process {holder.pid} on"):
        CheckpointManager(tmp_path).open()
    holder.kill()
    holder.wait()
    CheckpointManager(tmp_path).open().close()
    elsewhere = ProcessIdentity(1, 1, "another-machine", "")
    (tmp_path / ".lock").write_text(json.dumps(elsewhere.to_plain()))
    with pytest.raises(CheckpointError, match="process 1 on another-machine"):
        CheckpointManager(tmp_path).open()


# --- formats --------------------------------------------------------------------------------------------------------


def test_old_trees_are_migrated_step_by_step_and_newer_ones_refused(tmp_path, monkeypatch):
    monkeypatch.setattr("jimbot.training.checkpoints.migration.steps", {})
    manager = CheckpointManager(tmp_path)
    path = manager.save(1, {"lr": 0.1})
    seen = []

    @migration(1)
    def rename(tree, manifest):
        seen.append(manifest.format_version)
        return {"learning_rate": tree["lr"]}

    @migration(2)
    def nest(tree, _manifest):
        return {"optimizer": tree}

    with pytest.raises(ValueError, match="there is a migration from format 1 already"):
        migration(1)(nest)
    monkeypatch.setattr(manifest, "FORMAT_VERSION", 3)
    assert manager.load(path).tree == {"optimizer": {"learning_rate": 0.1}}
    assert seen == [1]
    assert rename({"lr": 2}, manager.list()[0].manifest) == {"learning_rate": 2}
    monkeypatch.setattr(manifest, "FORMAT_VERSION", 4)
    with pytest.raises(CheckpointError, match="format 3, which can no longer be read"):
        manager.load(path)


def test_newer_formats_are_refused(tmp_path):
    manager = CheckpointManager(tmp_path)
    path = manager.save(1, {})
    content = json.loads((path / "manifest.json").read_text())
    content["format_version"] = 2
    (path / "manifest.json").write_bytes(manifest.sealed(content))
    for read in (manager.load, manager.verify):
        with pytest.raises(
            CheckpointError, match="it has format 2, and this jimbot knows formats up to 1; update jimbot"
        ):
            read(path)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert manager.latest() is None
    assert "update jimbot" in str(caught[0].message)
