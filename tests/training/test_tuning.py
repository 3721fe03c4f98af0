"""Tuning: spaces beside their fields, trials that count once, kills that lose nothing, winners measured twice."""

# pyright: reportOptionalMemberAccess=false, reportOptionalIterable=false

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from tests.training.test_behavioral_cloning import small_config
from tests.training.tiny_envs import Identity, MaskedBandit

from conftest import ROOT
from jimbot.training.config.files import load_config
from jimbot.training.config.search_space import Choices, Range
from jimbot.training.config.trainer_config import TrainerConfig, get_default_config, search_spaces
from jimbot.training.tuning.search import Tuning, TuningError, TuningSettings, config_with

pytest.importorskip("optuna")

QUICK = TuningSettings(
    seeds=1, search=("learning_rate", "n_epochs"), startup_trials=2, final_seeds=1, final_episodes=8
)


def states(tuning):
    return [each.state.name for each in tuning.study().get_trials()]


@pytest.mark.parametrize("algorithm", ["PPO", "A2C", "DQN"])
def test_every_space_fits_its_field(algorithm):
    config = get_default_config(algorithm)
    spaces = search_spaces(config)
    assert "hyperparams.learning_rate" in spaces
    assert ("hyperparams.gae_lambda" in spaces) == (algorithm != "DQN")
    for path, space in spaces.items():
        values = space.values if isinstance(space, Choices) else (space.low, space.high)
        for value in values:
            config_with(config, {path: value})  # raises if the field does not take it


def test_ranges_that_make_no_sense():
    with pytest.raises(ValueError, match="goes up"):
        Range(2, 1)
    with pytest.raises(ValueError, match="above 0"):
        Range(0.0, 1.0, log=True)
    assert Range(1, 20).whole
    assert not Range(0.1, 1.0).whole


def test_a_search_names_a_winner_that_was_measured_on_fresh_seeds(tmp_path):
    config = small_config(tmp_path, total_timesteps=256, eval_freq=128)
    tuning = Tuning(config, tmp_path / "study", QUICK, env=MaskedBandit)
    told = []
    result = tuning.run(4, tell=told.append)
    assert result.trials == 4
    assert len(result.finalists) == 3 - max(0, result.pruned - 1)
    means = [each.mean for each in result.finalists]
    assert means == sorted(means, reverse=True)
    fresh = {int(seed) for each in result.finalists for seed in each.scores}
    assert fresh.isdisjoint({config.seed, config.seed + 1})
    best = load_config(tmp_path / "study" / "best.yaml")
    assert best.hyperparams.learning_rate == result.finalists[0].values["hyperparams.learning_rate"]
    assert (tmp_path / "study" / "history.png").stat().st_size > 1_000
    assert any(line.startswith("trial 0: ") for line in told)
    first = tuning.study().get_trials()[0].params  # the configuration itself is the first to be beaten
    assert first["hyperparams.learning_rate"] == config.hyperparams.learning_rate
    # Called again, nothing is trained again.
    before = sorted((tmp_path / "study").rglob("events.jsonl"))
    again = Tuning(config, tmp_path / "study", QUICK, env=MaskedBandit).run(4)
    assert [each.scores for each in again.finalists] == [each.scores for each in result.finalists]
    assert sorted((tmp_path / "study").rglob("events.jsonl")) == before


def test_a_stopped_search_proposes_what_an_unbroken_one_does(tmp_path):
    config = small_config(tmp_path, total_timesteps=64)
    whole = Tuning(config, tmp_path / "whole", QUICK, env=Identity)
    whole.run(4, finals=False)
    for trials in (2, 4):
        parts = Tuning(config, tmp_path / "parts", QUICK, env=Identity)
        parts.run(trials, finals=False)
    one, two = ([(t.params, t.value) for t in each.study().get_trials()] for each in (whole, parts))
    assert one == two


def test_bad_trials_are_pruned_by_their_evaluations(tmp_path, monkeypatch):
    tuning = Tuning(small_config(tmp_path), tmp_path / "study", QUICK, env=Identity)
    asked = []

    def train(trial, _, number, before):
        asked.append((number, list(before)))
        score = 1.0 if trial.number < 3 else -1.0
        trial.report(score, 0)
        if trial.should_prune():
            raise tuning.optuna.TrialPruned
        return score

    monkeypatch.setattr(tuning, "_train", train)
    tuning.run(5, finals=False)
    assert states(tuning) == ["COMPLETE"] * 3 + ["PRUNED"] * 2


def test_values_that_do_not_go_together_are_pruned_and_noted(tmp_path):
    config = small_config(tmp_path, total_timesteps=64)
    settings = TuningSettings(seeds=1, search=("batch_size",), startup_trials=9)
    tuning = Tuning(config, tmp_path / "study", settings, env=Identity)  # 64 steps an update
    tuning.study().enqueue_trial({"hyperparams.algorithm_specific.batch_size": 512})
    tuning.run(1, finals=False)
    trial = tuning.study().get_trials()[0]
    assert trial.state.name == "PRUNED"
    assert "batch_size: 512 is more than the 64 steps" in trial.user_attrs["refused"]


def test_a_study_of_something_else_is_refused(tmp_path):
    config = small_config(tmp_path)
    Tuning(config, tmp_path / "study", QUICK).begin()
    with pytest.raises(TuningError, match="another configuration or other settings"):
        Tuning(config.copy_with(n_envs=4), tmp_path / "study", QUICK)
    with pytest.raises(TuningError, match="is no study"):
        Tuning.open(tmp_path)
    with pytest.raises(TuningError, match="nothing cannot be searched"):
        Tuning(config, tmp_path / "other", TuningSettings(search=("nothing",)))


def test_a_study_that_was_begun_with_options_left_to_their_defaults_opens_again(tmp_path):
    """A worker opens the study from its files, which spell out what the configuration in Python did not."""
    config = small_config(tmp_path)
    assert "clip_range" not in config.hyperparams.algorithm_specific
    Tuning(config, tmp_path / "study", QUICK).begin()
    opened = Tuning.open(tmp_path / "study")
    assert opened.config.options() == config.options()
    Tuning(config, tmp_path / "study", QUICK)


SCRIPT = """
import sys
from tests.training.tiny_envs import Identity
from jimbot.training.config.files import load_config
from jimbot.training.tuning.search import Tuning, TuningSettings
settings = TuningSettings(seeds=1, search=("learning_rate",), startup_trials=2, prune=False)
tuning = Tuning(load_config(sys.argv[1]), sys.argv[2], settings, env=Identity)
tuning.run(int(sys.argv[3]), tell=lambda line: print(line, flush=True), finals=False)
"""


def test_a_killed_search_goes_on_without_losing_or_repeating_finished_trials(tmp_path):
    from jimbot.training.config.files import save_config

    path = save_config(small_config(tmp_path, total_timesteps=128), tmp_path / "config.yaml")
    command = [sys.executable, "-c", SCRIPT, str(path), str(tmp_path / "study"), "4"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "src")])}
    process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True, cwd=ROOT)
    for line in process.stdout:
        if line.startswith("trial 1:"):
            break
    journal = tmp_path / "study" / "study.journal"
    size, patience = journal.stat().st_size, time.monotonic() + 60
    while journal.stat().st_size == size and time.monotonic() < patience:
        time.sleep(0.01)  # until the next trial is under way
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()
    with journal.open("ab") as file:
        file.write(b'{"op_code":4,"half')  # a line the kill cut off

    def finished():
        found = Tuning.open(tmp_path / "study", Identity).study().get_trials()
        return {each.number: (each.params, each.value) for each in found if each.state.name == "COMPLETE"}

    journal_before = journal.read_bytes()
    journal.write_bytes(journal_before[: journal_before.rfind(b"\n") + 1])
    journal.with_name("study.journal.lock").unlink(missing_ok=True)  # the kill may have left it
    before = finished()
    journal.write_bytes(journal_before)
    runs = {each: each.stat().st_mtime_ns for each in (tmp_path / "study" / "runs").rglob("events.jsonl")}
    told: list[str] = []
    again = TuningSettings(seeds=1, search=("learning_rate",), startup_trials=2, prune=False)
    Tuning(load_config(path), tmp_path / "study", again, env=Identity).run(4, tell=told.append, finals=False)
    after = finished()
    assert 2 <= len(before) < 4
    assert before.items() <= after.items()
    assert len(after) == 4
    tried = [params["hyperparams.learning_rate"] for params, _ in after.values()]
    assert len(set(tried)) == 4
    for run, changed in runs.items():
        number = int(run.parent.parent.name.removeprefix("trial_"))
        if number in before:
            assert run.stat().st_mtime_ns == changed
    assert any("going on with" in line for line in told)


@pytest.mark.slow
def test_workers_search_side_by_side(tmp_path):
    config = TrainerConfig(**{**small_config(tmp_path).to_dict(), "env": "CartPole-v1"})
    tuning = Tuning(config, tmp_path / "study", QUICK)
    result = tuning.run(4, workers=2)
    assert result.trials >= 4
    assert set(states(tuning)) <= {"COMPLETE", "PRUNED"}


@pytest.mark.slow
def test_the_command(tmp_path):
    command = [
        sys.executable,
        "-m",
        "jimbot",
        "tune",
        str(tmp_path / "study"),
        "--trials",
        "2",
        "--seeds",
        "1",
    ]
    command += ["--env", "cartpole", "--timesteps", "256", "--set", "n_envs=2", "--search", "learning_rate"]
    command += [
        "--set",
        "hyperparams.algorithm_specific.n_steps=64",
        "--final-seeds",
        "1",
        "--final-episodes",
        "4",
    ]
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Train the winner with: jimbot train --config" in done.stdout
    assert (tmp_path / "study" / "best.yaml").exists()


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["--trials", "0"], "trials and workers must be at least 1, got 0 and 1"),
        (["--workers", "0"], "trials and workers must be at least 1"),
        (["--algorithm", "FOO"], "algorithm: backend sb3 has PPO, A2C, DQN, SAC, TD3, not 'FOO'"),
        (["--env", "nope"], "env: Gymnasium cannot make 'nope'"),
        (["--set", "env_kwargs.nothing=1"], "nothing"),
        (["--set", "backend=nothing"], "backend: there is no 'nothing'"),
        (["--set", "network_sizes.nothing=1"], "nothing"),
        (["--search", "nothing"], "nothing cannot be searched"),
        (["--top", "0"], "top must be at least 1"),
    ],
)
def test_a_refused_command_writes_nothing(tmp_path, words, reason):
    """So that the corrected command is not told of another study in the same directory."""
    from typer.testing import CliRunner

    from jimbot.cli.tune import app

    place = tmp_path / "study"
    done = CliRunner().invoke(app, [str(place), *words])
    assert reason in str(done.exception)
    assert not place.exists()


def test_a_tie_is_told(tmp_path, monkeypatch):
    """Two finalists of the same mean on fresh seeds: the winner is named for its search score, and that is said."""
    from jimbot.cli.tune import describe_tie
    from jimbot.training.tuning.search import Finalist, TuningResult

    tuning = Tuning(small_config(tmp_path), tmp_path / "study", QUICK, env=Identity)
    monkeypatch.setattr(tuning, "_train", lambda trial, *_: float(trial.number % 2))
    monkeypatch.setattr(tuning, "_train_anew", lambda *_: 7.0)
    result = tuning.run(2)
    assert result is not None
    assert [each.trial for each in result.finalists] == [1, 0]
    assert [each.trial for each in result.tied] == [0]
    assert json.loads((tmp_path / "study" / "summary.json").read_text())["tied_with"] == [0]
    assert describe_tie(result) == (
        "a tie: trial 1 is no better than trial 0; it is chosen because its score in the search is higher"
    )
    equal = [Finalist(number, {}, 1.0, {"9": 7.0}) for number in range(3)]
    same = TuningResult(tmp_path, 3, 0, equal, tuning.config)
    assert describe_tie(same).endswith("than trial 1 and trial 2; it is chosen because it came first")
    alone = TuningResult(tmp_path, 3, 0, [equal[0], Finalist(1, {}, 1.0, {"9": 6.0})], tuning.config)
    assert alone.tied == []
