"""``jimbot track``: replay and tail at the command line."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from tests.tracking.helpers import evaluation, metrics, run_in

from jimbot import cli
from jimbot.cli.track import parse_options
from jimbot.errors import JimbotError
from jimbot.tracking import create_trackers


@pytest.fixture
def run_directory(tmp_path) -> Path:
    """A finished run with three metrics, an evaluation and an episode."""
    with create_trackers([], run_in(tmp_path / "run")).start() as trackers:
        trackers.log(metrics(1000, loss=1 / 3))
        trackers.log_episode(1500, {"reward": 2.0})
        trackers.log(metrics(2000, loss=0.25, note="two\nlines"))
        trackers.log(evaluation(2000, mean_reward=12))
        trackers.log(metrics(3000, loss=0.125))
    return tmp_path / "run"


def run(*arguments: str) -> object:
    with pytest.raises(SystemExit) as caught:
        cli.main(["track", *arguments])
    return caught.value.code


def test_tail_prints_the_last_metrics(run_directory, capsys):
    assert run("tail", str(run_directory), "--lines", "3") == 0
    assert capsys.readouterr().out.splitlines() == [
        "       2,000  22:46:40  metrics     loss 0.25  note two lines",
        "       2,000  22:46:40  evaluation  mean_reward 12",
        "       3,000  23:03:20  metrics     loss 0.125",
    ]


def test_tail_of_one_kind(run_directory, capsys):
    assert run("tail", str(run_directory), "--kind", "episode") == 0
    assert re.fullmatch(r" +1,500  \d\d:\d\d:\d\d  episode     reward 2\n", capsys.readouterr().out)


def test_tail_refuses_what_is_no_run(tmp_path, capsys):
    assert run("tail", str(tmp_path)) == 2
    assert "has no events.jsonl; give the directory of a run" in capsys.readouterr().err
    assert run("tail", str(tmp_path), "--kind", "metric") == 2
    assert "unknown kind of event 'metric'" in capsys.readouterr().err


def test_tail_follows_until_the_run_ends(tmp_path):
    trackers = create_trackers([], run_in(tmp_path)).start()
    trackers.log(metrics(1, loss=1.0))
    command = [sys.executable, "-u", "-m", "jimbot", "track", "tail", str(tmp_path), "--follow"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        assert child.stdout.readline().endswith("loss 1\n")
        trackers.log(metrics(2, loss=2.0))
        assert child.stdout.readline().endswith("loss 2\n")
        trackers.end()
        assert child.stdout.read() == ""
        assert child.wait() == 0


def test_replay_tells_what_was_sent(run_directory, capsys):
    pytest.importorskip("tensorboard")
    assert run("replay", str(run_directory), "--tracker", "tensorboard") == 0
    assert capsys.readouterr().out.splitlines()[-1] == "tensorboard: 7 events sent, 0 had been sent before"
    assert run("replay", str(run_directory), "--tracker", "tensorboard") == 0
    assert capsys.readouterr().out.splitlines()[-1] == "tensorboard: 0 events sent, 7 had been sent before"
    assert run("replay", str(run_directory), "--tracker", "tensorboard", "--option", "directory=other") == 0
    assert list((run_directory / "other").iterdir())


def test_replay_refuses_an_unknown_tracker(run_directory, capsys):
    assert run("replay", str(run_directory), "--tracker", "nothing") == 2
    assert "unknown tracker 'nothing'; expected" in capsys.readouterr().err


def test_options_are_read():
    assert parse_options(["uri=http://host:1?a=b", "timeout=2.5", "fallback=false"]) == {
        "uri": "http://host:1?a=b",
        "timeout": 2.5,
        "fallback": False,
    }
    with pytest.raises(JimbotError, match="not an option: 'timeout'; expected NAME=VALUE"):
        parse_options(["timeout"])
