"""What is killed under a training on Ray: a runner, the driver, a node; and what is left behind: nothing."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import psutil
import pytest

from jimbot.storage.processes import descendants
from jimbot.training.backends.rllib.cluster import PREFIX
from jimbot.training.checkpoints.manager import CheckpointManager

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs /proc"),
]

SCRIPT = Path(__file__).with_name("rllib_run.py")
WAIT = 240


def is_running(pid: int) -> bool:
    """Whether a process runs; a zombie does not."""
    try:
        return psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


class Training:
    """``rllib_run.py`` in a process group of its own, in a temporary directory of its own."""

    def __init__(self, directory: Path, timesteps: int, *options: str) -> None:
        self.temporary = Path(tempfile.mkdtemp(prefix="t"))
        environment = {**os.environ, "TMPDIR": str(self.temporary), "OMP_NUM_THREADS": "1"}
        self.process = subprocess.Popen(
            [sys.executable, str(SCRIPT), str(directory), str(timesteps), *options],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        self.seen: set[int] = set()

    def line(self) -> dict[str, Any]:
        """The next thing it tells."""
        assert self.process.stdout is not None
        text = " "
        while text and not text.startswith("{"):  # Ray tells about lost workers there too
            text = self.process.stdout.readline()
        self.seen |= descendants(self.process.pid)
        assert text, self.process.communicate()[1][-3000:]
        return json.loads(text)

    def lines_until(self, key: str) -> list[dict[str, Any]]:
        """What it tells up to a line with a key."""
        lines = [self.line()]
        while key not in lines[-1]:
            lines.append(self.line())
        return lines

    def end(self) -> int:
        """Wait for its end; its exit code."""
        self.seen |= descendants(self.process.pid)
        self.process.communicate(timeout=WAIT)
        return self.process.returncode

    def assert_nothing_left(self) -> None:
        """Neither processes of it nor anything of Ray's in its temporary directory."""
        deadline = time.monotonic() + 20
        while any(map(is_running, self.seen)) and time.monotonic() < deadline:
            time.sleep(0.1)
        left = [pid for pid in self.seen if is_running(pid)]
        assert not left, [Path(f"/proc/{pid}/cmdline").read_text() for pid in left]
        assert not [each for each in self.temporary.iterdir() if "ray" in each.name]


@pytest.fixture
def start(tmp_path):
    """Starts trainings, and ends those that are still there."""
    begun: list[Training] = []

    def begin(timesteps: int, *options: str) -> Training:
        begun.append(Training(tmp_path, timesteps, *options))
        return begun[-1]

    yield begin
    for each in begun:
        each.seen |= descendants(each.process.pid)
        for pid in [each.process.pid, *each.seen]:
            if is_running(pid):
                os.kill(pid, signal.SIGKILL)
        each.process.communicate()


def test_training_goes_on_when_a_runner_is_killed(start, tmp_path):
    training = start(8_192)
    before = training.lines_until("pids")[-1]
    os.kill(before["pids"][0], signal.SIGKILL)
    after = training.lines_until("done")
    assert after[-1]["done"] >= 8_192
    assert after[-1]["restarts"] >= 1
    last = [line for line in after if "pids" in line][-1]
    assert len(last["pids"]) == 2  # there are two again
    assert before["pids"][0] not in last["pids"]
    steps = [line["timesteps"] for line in after if "pids" in line]
    assert steps == sorted(steps)
    assert training.end() == 0
    # Every checkpoint that was due is there, whole.
    found = CheckpointManager(tmp_path / "run/checkpoints").list()
    assert len(found) >= 8_192 // 1_536
    training.assert_nothing_left()


def test_a_killed_driver_goes_on_with_equal_counters(start, tmp_path):
    training = start(6_144)
    while (tmp_path / "run/checkpoints").exists() is False or training.line().get("timesteps", 0) < 2_560:
        pass
    training.process.kill()
    training.process.wait()
    deadline = time.monotonic() + WAIT
    while any(map(is_running, training.seen)) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not [pid for pid in training.seen if is_running(pid)]  # Ray's processes end with their driver
    latest = CheckpointManager(tmp_path / "run/checkpoints").latest()
    assert latest is not None
    tree = CheckpointManager(tmp_path / "run/checkpoints").load(latest.path).tree
    again = start(6_144)
    assert again.line()["started_at"] == tree["timesteps"]
    done = again.lines_until("done")[-1]
    assert done["done"] == 6_144
    assert again.end() == 0
    lines = [json.loads(line) for line in (tmp_path / "run/events.jsonl").read_text().splitlines()]
    logged = [line["step"] for line in lines if line["kind"] == "metrics"]
    assert logged == sorted(set(logged))  # no step is told twice
    again.assert_nothing_left()


@pytest.mark.parametrize("how", ["success", "failure", "interrupt"])
def test_nothing_is_left_behind(start, how):
    training = start(2_048 if how == "success" else 10**9, *(["fails=true"] if how == "failure" else []))
    training.lines_until("pids")
    assert len(list(training.temporary.glob(f"{PREFIX}*"))) == 1
    if how == "interrupt":
        os.killpg(training.process.pid, signal.SIGINT)  # as a terminal does: to all of the group
    code = training.end()
    assert (code == 0) == (how != "failure")
    training.assert_nothing_left()


def test_an_abandoned_directory_is_removed_by_the_next_start(tmp_path, monkeypatch):
    from jimbot.training.backends.rllib import cluster

    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    abandoned, living = tmp_path / f"{PREFIX}old", tmp_path / f"{PREFIX}new"
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    identity = cluster.ProcessIdentity.current().to_plain()
    for place, pid in ((abandoned, ended.pid), (living, os.getpid())):
        place.mkdir()
        (place / cluster.OWNER).write_text(json.dumps({**identity, "pid": pid}))
    cluster.remove_abandoned()
    assert living.exists()
    assert not abandoned.exists()


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_cluster_of_two_nodes_survives_the_loss_of_one(start):
    from ray.cluster_utils import Cluster

    cluster = Cluster(
        initialize_head=True,
        head_node_args={"num_cpus": 2, "include_dashboard": False, "object_store_memory": 100 * 2**20},
    )
    try:
        second = cluster.add_node(num_cpus=1, object_store_memory=100 * 2**20)
        options = [f'ray_address="{cluster.address}"', "num_env_runners=2", "num_cpus_per_env_runner=1"]
        training = start(8_192, *options)
        before = training.lines_until("pids")[-1]
        assert len(before["pids"]) == 2
        cluster.remove_node(second, allow_graceful=False)
        after = training.lines_until("done")
        assert after[-1]["done"] >= 8_192
        assert training.end() == 0
        training.assert_nothing_left()
    finally:
        cluster.shutdown()
