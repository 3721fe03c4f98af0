"""Runs as directories: made, opened, listed; how they ended, and that a killed one is told."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from datetime import UTC, datetime

import numpy as np
import pytest

from jimbot.storage.processes import ProcessIdentity
from jimbot.training.checkpoints.provenance import git_state, hardware, library_versions
from jimbot.training.config.hashing import config_hash
from jimbot.training.runs.directory import RunDirectory, RunError, RunWarning, list_runs, run_name

CONFIG = {"algorithm": "PPO", "env": "jimbot/Balatro-v0", "backend": "sb3", "learning_rate": 3e-4}

HOLD_A_RUN = """
import sys, time
from jimbot.training.runs.directory import RunDirectory
run = RunDirectory.create(sys.argv[1], "held", {"algorithm": "DQN"})
run.update(steps=77)
print("running", flush=True)
time.sleep(600)
"""


@pytest.fixture
def holder(tmp_path):
    """A process that runs the run ``held`` in ``tmp_path``."""
    child = subprocess.Popen(
        [sys.executable, "-c", HOLD_A_RUN, str(tmp_path)], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    assert child.stdout.readline() == "running\n"
    yield child
    child.kill()
    child.communicate()


def test_a_run_is_a_directory_that_tells_where_it_came_from(tmp_path):
    run = RunDirectory.create(tmp_path / "runs", config=CONFIG, config_text="algorithm: PPO\n")
    assert re.fullmatch(r"ppo-balatro-\d{8}-\d{6}", run.name)
    assert (run.path / "config.yaml").read_text() == "algorithm: PPO\n"
    provenance = json.loads((run.path / "provenance.json").read_text())
    assert provenance["versions"]["numpy"] == np.__version__
    assert provenance["hardware"]["cores"] == os.cpu_count()
    assert provenance["config"] == CONFIG
    assert provenance["config_hash"] == config_hash(CONFIG)
    assert provenance["command"][0]
    assert "git" in provenance
    status = json.loads((run.path / "status.json").read_text())
    assert (status["state"], status["process"]["pid"]) == ("running", os.getpid())
    opened = RunDirectory.open(run.path)
    assert opened.config == CONFIG
    assert opened.config_text == "algorithm: PPO\n"
    assert opened.summary() == run.summary()


@pytest.mark.parametrize(
    ("config", "name"),
    [
        ({"algorithm": "PPO", "env": "jimbot/Balatro-v0"}, "ppo-balatro-20261116-001507"),
        ({"algorithm": "A2C", "env": "CartPole-v1"}, "a2c-cartpole-20261116-001507"),
        ({"env": "ALE/Space Invaders!-v5"}, "space-invaders-20261116-001507"),
        ({}, "20261116-001507"),
        ({"algorithm": "../../x", "env": None}, "x-20261116-001507"),
    ],
)
def test_names_are_readable(config, name):
    assert run_name(config, datetime(2026, 11, 16, 0, 15, 7, tzinfo=UTC)) == name


def test_no_run_is_written_over(tmp_path):
    paths = [RunDirectory.create(tmp_path, "mine", CONFIG).path.name for _ in range(3)]
    assert paths == ["mine", "mine-2", "mine-3"]
    with pytest.raises(RunError, match=r"'\.\./x' cannot name a run"):
        RunDirectory.create(tmp_path, "../x", CONFIG)


def test_without_text_the_configuration_is_written_as_json_which_is_yaml(tmp_path):
    run = RunDirectory.create(tmp_path, config=CONFIG)
    assert json.loads(run.config_text) == CONFIG
    with pytest.raises(RunError, match="the configuration holds the array 'a'"):
        RunDirectory.create(tmp_path, config={"a": np.zeros(2)})


def test_how_the_block_is_left_says_how_the_run_ended(tmp_path):
    def leave_with(error: BaseException | None) -> RunDirectory:
        run = RunDirectory.create(tmp_path, "r", CONFIG)
        if error is None:
            with run.running():
                run.update(steps=10, episodes=2, best_score=0.5, updates=4)
        else:
            with pytest.raises(type(error)), run.running():
                raise error
        return RunDirectory.open(run.path)

    finished = leave_with(None)
    assert finished.status.state == "finished"
    assert (finished.status.steps, finished.status.episodes, finished.status.best_score) == (10, 2, 0.5)
    assert finished.status.counters == {"updates": 4}
    assert leave_with(KeyboardInterrupt()).status.state == "interrupted"
    assert leave_with(SystemExit(143)).status.state == "interrupted"
    failed = leave_with(ValueError("a\nb"))
    assert (failed.status.state, failed.status.error) == ("failed", "ValueError: a b")


def test_an_update_keeps_what_is_not_given(tmp_path):
    run = RunDirectory.create(tmp_path, config=CONFIG)
    run.update(steps=5, best_score=1.0, a=1)
    run.update(episodes=3, b=2)
    status = RunDirectory.open(run.path).status
    assert (status.steps, status.episodes, status.best_score, status.counters) == (
        5,
        3,
        1.0,
        {"a": 1, "b": 2},
    )
    run.fail("out of memory")
    run.resume()
    status = RunDirectory.open(run.path).status
    assert (status.state, status.error, status.steps) == ("running", None, 5)


def test_a_killed_run_is_told_and_can_be_resumed(tmp_path, holder):
    run = RunDirectory.open(tmp_path / "held")
    assert run.summary().state == "running"
    with pytest.raises(RunError, match=f"process {holder.pid} still runs"):
        run.resume()
    holder.kill()
    holder.wait()
    assert run.summary().state == "killed"
    assert [one.summary().state for one in list_runs(tmp_path)] == ["killed"]
    leftover = tmp_path / "held" / f".writing-status.json.{holder.pid}.1.0badcafe"
    leftover.write_text("{")
    run.resume()
    assert run.summary().state == "running"
    assert run.status.steps == 77
    assert not leftover.exists()


def test_a_run_of_another_machine_is_elsewhere(tmp_path):
    run = RunDirectory.create(tmp_path, config=CONFIG)
    status = json.loads((run.path / "status.json").read_text())
    status["process"]["host"] = "another-machine"
    (run.path / "status.json").write_text(json.dumps(status))
    assert RunDirectory.open(run.path).summary().state == "elsewhere"


def test_the_checkpoints_of_a_run_say_whose_they_are(tmp_path):
    run = RunDirectory.create(tmp_path, "mine", CONFIG)
    with run.checkpoint_manager(keep_last=1) as manager:
        path = manager.save(5, {"a": 1})
    assert path.parent == run.checkpoints_path == run.path / "checkpoints"
    assert manager.list()[0].manifest.writer == {
        "backend": "sb3",
        "algorithm": "PPO",
        "config_hash": config_hash(CONFIG),
        "run": "mine",
    }


def test_what_is_no_run_is_refused_in_one_line(tmp_path):
    def refused(reason: str) -> None:
        with pytest.raises(RunError, match=reason) as caught:
            RunDirectory.open(path)
        assert str(path) in str(caught.value)
        assert "\n" not in str(caught.value)

    path = tmp_path / "absent"
    refused("is not a directory")
    path = tmp_path / "empty"
    path.mkdir()
    refused(r"is not a run of jimbot: it has no provenance\.json")
    (path / "provenance.json").write_text('{"other": 1}')
    refused("says something else")
    (path / "provenance.json").write_text("{")
    refused("is not a whole run")
    path = RunDirectory.create(tmp_path, "r", CONFIG).path
    whole = (path / "status.json").read_text()
    for content, reason in (
        ("{", "not valid JSON"),
        ("[]", "not an object"),
        ("{}", "does not name its process"),
    ):
        (path / "status.json").write_text(content)
        refused(reason)
    (path / "status.json").write_text(whole.replace('"steps"', '"stepz"'))
    refused("malformed")
    (tmp_path / "empty" / "provenance.json").unlink()  # then it is no broken run, but no run at all
    with pytest.warns(RunWarning, match="malformed"):
        assert list_runs(tmp_path) == []
    (path / "status.json").write_text(whole)
    (path / "config.yaml").unlink()
    refused(r"it has no config\.yaml")
    newer = json.loads((path / "provenance.json").read_text()) | {"format_version": 2}
    (path / "provenance.json").write_text(json.dumps(newer))
    refused("run format 2; this jimbot knows up to 1: update it")


def test_runs_are_listed_oldest_first_and_other_directories_left_alone(tmp_path):
    (tmp_path / "notes").mkdir()
    (tmp_path / "file.txt").write_text("x")
    for name in ("b", "a"):
        run = RunDirectory.create(tmp_path, name, CONFIG)
        run.provenance["created_at"] = {"b": "2026-01-01", "a": "2026-01-02"}[name]
        (run.path / "provenance.json").write_text(json.dumps(run.provenance))
    assert [run.name for run in list_runs(tmp_path)] == ["b", "a"]
    with pytest.raises(RunError, match="expected the directory that holds the runs"):
        list_runs(tmp_path / "absent")


def test_hashes_of_configurations_follow_their_values():
    assert config_hash({"a": 1, "b": 2.0}) == config_hash({"b": 2.0, "a": 1})
    others = [{"a": 1, "b": 2}, {"a": 1}, {"a": True, "b": 2.0}, {"a": 1, "b": 2.0, "c": None}]
    assert len({config_hash(config) for config in [{"a": 1, "b": 2.0}, *others]}) == 5


def test_git_state_knows_commit_and_changes(tmp_path):
    assert git_state(tmp_path) is None or (tmp_path / ".git").exists()
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}

    def git(*arguments: str) -> None:
        identity = ["-c", "user.name=a", "-c", "user.email=a@b"]
        subprocess.run(
            ["git", *identity, *arguments], cwd=tmp_path, env=environment, check=True, capture_output=True
        )

    git("init")
    (tmp_path / "file").write_text("1")
    git("add", "file")
    git("commit", "-m", "one")
    state = git_state(tmp_path)
    assert state is not None
    assert re.fullmatch(r"[0-9a-f]{40}", state["commit"])
    assert state["dirty"] is False
    (tmp_path / "file").write_text("2")
    assert git_state(tmp_path) == {**state, "dirty": True}


def test_provenance_imports_no_library(run_python):
    program = (
        "import sys\nfrom jimbot.training.checkpoints.provenance import *\nlibrary_versions(), hardware()\n"
        "assert not {'torch', 'jax', 'ray'} & set(sys.modules)"
    )
    finished = run_python("-c", program)
    assert finished.returncode == 0, finished.stderr
    assert library_versions()["python"] == ".".join(map(str, sys.version_info[:3]))
    assert hardware()["memory_bytes"] is None or hardware()["memory_bytes"] > 1e6


def test_identities_tell_processes_apart():
    here = ProcessIdentity.current()
    assert here.is_alive() is True
    assert ProcessIdentity(here.pid, here.started + 1, here.host, here.boot).is_alive() is False
    assert ProcessIdentity(here.pid, here.started, here.host, "an earlier boot").is_alive() is False
    assert ProcessIdentity(here.pid, here.started, "elsewhere", here.boot).is_alive() is None
    assert ProcessIdentity.from_plain(here.to_plain()) == here
    for other in (None, {}, {**here.to_plain(), "pid": "x"}, {**here.to_plain(), "pid": 0}):
        assert ProcessIdentity.from_plain(other) is None
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    child.communicate(b"\n")
    assert ProcessIdentity(child.pid, here.started, here.host, here.boot).is_alive() is False
