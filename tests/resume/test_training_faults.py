"""A whole training on a disk that fills or goes read-only, and under Ctrl-C: one clear error, nothing lost."""

from __future__ import annotations

import contextlib
import errno
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.resume.faults import faulty_calls
from tests.resume.test_sb3_resume import TOTAL, configuration, equal, events_of, parameters_of

from jimbot import cli
from jimbot.errors import JimbotError
from jimbot.training.checkpoints.manager import CheckpointManager
from jimbot.training.framework import create_trainer, resume_run

Disk = tuple[Path, Callable[..., None]]


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    """A small file system of its own, and a function that changes its mount options; skips where none can be made."""
    place = tmp_path / "disk"
    place.mkdir()

    def mount(*options: str) -> bool:
        command = ["mount", "-t", "tmpfs", "-o", ",".join(options), "tmpfs", str(place)]
        return subprocess.run(command, capture_output=True, check=False).returncode == 0

    if sys.platform != "linux" or not mount("size=2m"):
        pytest.skip("no file system can be mounted here")

    def change(*options: str) -> None:
        assert mount("remount", *options)

    try:
        yield place, change
    finally:
        subprocess.run(["umount", str(place)], check=True)


@pytest.fixture(scope="module")
def unbroken(tmp_path_factory) -> Path:
    """The run that nothing disturbed."""
    config = configuration("PPO", "CartPole-v1", tmp_path_factory.mktemp("unbroken"))
    with create_trainer(None, config) as trainer:
        trainer.train(progress="silent")
        return trainer.run.path


def fill(place: Path, left: int) -> Path:
    """Write a file until so many bytes are left; the file."""
    filler = place / "filler"
    free = os.statvfs(place).f_bavail * os.statvfs(place).f_frsize
    filler.write_bytes(bytes(max(free - left, 0)))
    return filler


def train_until_it_fails(place: Path, disturb: Callable[[], None], *, after: int) -> tuple[Path, str]:
    """Disturb a training after some steps; its run and what it said."""
    with create_trainer(None, configuration("PPO", "CartPole-v1", place)) as trainer:
        usual = trainer.iterate

        def iterate():
            if trainer.timesteps >= after:
                disturb()
            return usual()

        trainer.iterate = iterate
        with pytest.raises(JimbotError) as caught:
            trainer.train(progress="silent")
        run = trainer.run.path
    message = str(caught.value)
    assert "\n" not in message
    assert str(place) in message
    return run, message


def ends_like(run: Path, unbroken: Path) -> None:
    """Resumed, the run becomes what it would have been."""
    with resume_run(run) as resumed:
        assert 100 <= resumed.timesteps < TOTAL
        resumed.train(progress="silent")
    assert equal(parameters_of(run), parameters_of(unbroken))
    assert events_of(run) == events_of(unbroken)


@pytest.mark.parametrize("left", [0, 4_096, 16_384, 32_768])
def test_a_disk_that_fills_stops_training_with_one_error_and_it_goes_on_later(left, disk, unbroken):
    place, _ = disk
    filler = place / "filler"

    def disturb() -> None:
        if not filler.exists():
            fill(place, left)

    run, message = train_until_it_fails(place, disturb, after=140)
    assert "No space left on device" in message
    assert CheckpointManager(run / "checkpoints").latest() is not None
    assert [path.name for path in (run / "checkpoints").iterdir() if path.name.startswith(".saving")] == []
    filler.unlink()
    ends_like(run, unbroken)


def test_a_disk_that_is_full_from_the_start_is_told_before_training(disk):
    place, _ = disk
    fill(place, 0)
    with (
        create_trainer(None, configuration("PPO", "CartPole-v1", place / "models")) as trainer,
        pytest.raises(JimbotError, match=r"cannot make a run directory in .*: No space left on device"),
    ):
        trainer.train(progress="silent")


@pytest.mark.parametrize(
    "code", [errno.ENOSPC, errno.EROFS, errno.EACCES], ids=lambda code: errno.errorcode[code]
)
@pytest.mark.parametrize("at", [1, 9, 40])
def test_a_call_that_fails_anywhere_is_one_error_and_training_goes_on_later(at, code, tmp_path, unbroken):
    """The same where nothing can be mounted: a call of the system says that nothing can be written."""

    def refuse() -> None:
        raise OSError(code, os.strerror(code))

    with contextlib.ExitStack() as stack:
        calls: list[list[str]] = []

        def disturb() -> None:
            if not calls:
                calls.append(
                    stack.enter_context(faulty_calls(at, refuse, ("open", "write", "fsync", "mkdir")))
                )

        run, message = train_until_it_fails(tmp_path, disturb, after=140)
    assert os.strerror(code) in message
    ends_like(run, unbroken)


def test_the_command_says_one_line_and_resumes_when_there_is_space(disk, capsys):
    place, change = disk

    def jimbot(*arguments: str) -> tuple[object, str, str]:
        with pytest.raises(SystemExit) as caught:
            cli.main(arguments)
        return (caught.value.code, *capsys.readouterr())

    change("size=400k")
    settings = (
        "hyperparams.policy_net_arch=[16]",
        "hyperparams.value_net_arch=[16]",
        "hyperparams.algorithm_specific={n_steps: 16, batch_size: 16, n_epochs: 1}",
        "checkpoint_freq=64",
        "keep_checkpoints=50",
        "eval_freq=1000",
        "eval_episodes=2",
    )
    arguments = ["train", "--env", "cartpole", "--timesteps", "640", "--n-envs", "2", "--name", "full"]
    arguments += [part for setting in settings for part in ("--set", setting)]
    code, _, err = jimbot(*arguments, "--save-dir", str(place), "--progress", "silent")
    assert code == 2
    assert err.count("\n") == 1
    assert err.startswith("jimbot: error: ")
    assert "No space left on device" in err
    change("size=8m")
    assert jimbot("checkpoints", "verify", str(place / "full"))[0] == 0
    code, out, err = jimbot("resume", str(place / "full"), "--progress", "silent")
    assert (code, err) == (0, "")
    assert "finished after 640 steps" in out


# --- Ctrl-C ----------------------------------------------------------------------------------------------------------


def test_the_second_interrupt_stops_at_once_and_the_run_goes_on_from_its_checkpoint(tmp_path, unbroken):
    with create_trainer(None, configuration("PPO", "CartPole-v1", tmp_path)) as trainer:
        usual = trainer.iterate

        def iterate():
            if trainer.timesteps >= 200:
                signal.raise_signal(signal.SIGINT)
                signal.raise_signal(signal.SIGINT)
            return usual()

        trainer.iterate = iterate
        before = signal.getsignal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            trainer.train(progress="silent")
        assert signal.getsignal(signal.SIGINT) is before
        assert trainer.run.reload().state == "interrupted"
        run = trainer.run.path
    ends_like(run, unbroken)


@pytest.mark.slow
def test_ctrl_c_on_the_command_saves_says_so_and_the_run_can_be_resumed(tmp_path):
    setting = "hyperparams.algorithm_specific={n_steps: 16, batch_size: 16, n_epochs: 1}"
    command = [sys.executable, "-m", "jimbot", "train", "--env", "cartpole", "--timesteps", "1000000"]
    command += ["--name", "stopped", "--save-dir", str(tmp_path), "--set", setting]
    command += ["--set", "checkpoint_freq=500", "--set", "eval_freq=1000000", "--progress", "silent"]
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 120
    while not list((tmp_path / "stopped" / "checkpoints").glob("step_*")) and child.poll() is None:
        assert time.monotonic() < deadline, "the command wrote no checkpoint"
        time.sleep(0.05)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=120)
    assert (child.returncode, err) == (130, "")
    assert "interrupted after" in out
    assert "jimbot resume" in out
    with resume_run(tmp_path / "stopped") as resumed:
        steps = resumed.timesteps
        assert f"interrupted after {steps:,} steps" in out
        assert resumed.train(64, progress="silent")["timesteps"] >= steps + 64
