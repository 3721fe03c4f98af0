"""Files that earlier versions wrote are read today, and mean what they meant."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.golden.make_golden import RUNS, STEPS, step_many

from conftest import ROOT
from jimbot import cli
from jimbot.balatro import Game, Replay
from jimbot.errors import JimbotError
from jimbot.tracking.events import read_events
from jimbot.training.checkpoints.manager import CheckpointManager
from jimbot.training.config.files import load_config
from jimbot.training.experiments.result import ExperimentResult
from jimbot.training.runs.directory import RunDirectory, list_runs

GOLDEN = ROOT / "tests" / "data" / "golden" / "0.1.0"
LIBRARIES = {"sb3": "stable_baselines3", "jax": "jax", "tianshou": "tianshou", "rllib": "ray"}
SLOW = [pytest.param(name, marks=pytest.mark.slow) if "rllib" in name else name for name in RUNS]


def need(name: str) -> None:
    """Skip unless the library that a run was trained with is installed."""
    pytest.importorskip(LIBRARIES[name.partition("_")[0]])


def copied(name: str, place: Path) -> Path:
    """A run that can be written to."""
    return Path(shutil.copytree(GOLDEN / "runs" / name, place / name))


# --- runs and checkpoints --------------------------------------------------------------------------------------------


def test_runs_are_listed(capsys):
    with pytest.raises(SystemExit) as caught:
        cli.main(["runs", str(GOLDEN / "runs"), "--json"])
    assert caught.value.code == 0
    listed = json.loads(capsys.readouterr().out)
    assert {run["name"] for run in listed} == set(RUNS)
    for run in listed:
        assert (run["state"], run["steps"]) == ("finished", STEPS)
        assert run["algorithm"] == RUNS[run["name"]].get("algorithm", "PPO")
        assert run["best_score"] is not None


@pytest.mark.parametrize("name", RUNS)
def test_files_of_a_run_are_read(name):
    run = RunDirectory.open(GOLDEN / "runs" / name)
    assert run.reload().state == "finished"
    config = load_config(run.path / "config.yaml")
    assert (config.name, config.total_timesteps, config.n_envs) == (name, STEPS, 2)
    kinds = [event.kind for event in read_events(run.events_path)]
    assert kinds[0] == "run_started"
    assert kinds[-1] == "run_ended"
    assert {"metrics", "evaluation", "checkpoint"} < set(kinds)


@pytest.mark.parametrize("name", RUNS)
def test_checkpoints_are_whole(name):
    manager = CheckpointManager(GOLDEN / "runs" / name / "checkpoints")
    latest = manager.latest()
    assert latest is not None
    assert latest.step == STEPS
    assert set(manager.load(latest).tree) >= {"training", "vector", "policy"}


@pytest.mark.parametrize("name", SLOW)
def test_checkpoint_goes_on(name, tmp_path):
    need(name)
    from jimbot.training.framework import resume_run

    place = copied(name, tmp_path)
    with resume_run(place) as trainer:
        assert trainer.timesteps == STEPS
        before = trainer.policy_tensors()
        result = trainer.train(32, progress="silent")
        after = trainer.policy_tensors()
    assert (result["stopped"], result["timesteps"]) == ("finished", STEPS + 32)
    assert any(not np.array_equal(before[each], after[each]) for each in before)
    (run,) = list_runs(tmp_path)
    assert run.summary().steps == STEPS + 32


def test_damaged_checkpoint_is_refused(tmp_path):
    run = copied("sb3_a2c_cartpole", tmp_path)
    (tensors,) = run.rglob("tensors.safetensors")
    content = bytearray(tensors.read_bytes())
    content[-1] ^= 1
    tensors.write_bytes(content)
    manager = CheckpointManager(run / "checkpoints")
    with pytest.raises(JimbotError, match="damaged: its SHA-256"):
        manager.load(tensors.parent)


# --- policies --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*RUNS, "therapy"])
def test_policy_plays_the_same(name):
    pytest.importorskip("torch")
    from jimbot.players.batch_policy import NetworkPolicy

    place = GOLDEN / "therapy" / "policy" if name == "therapy" else GOLDEN / "runs" / name / "final"
    recorded = np.load(GOLDEN / "policies" / f"{name}.npz")
    arrays = {
        key.removeprefix("observation/"): recorded[key] for key in recorded if key.startswith("observation/")
    }
    observation: Any = arrays.get("observation", arrays) if len(arrays) == 1 else arrays
    player = NetworkPolicy(place)
    np.testing.assert_array_equal(player(observation), recorded["actions"])
    logits, values = player.outputs(observation)
    np.testing.assert_allclose(logits, recorded["logits"], rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(values, recorded["values"], rtol=1e-5, atol=1e-5)


def test_checkpoint_holds_the_policy_that_was_saved():
    from jimbot.networks import load_policy
    from jimbot.training.runs.opening import find_policy

    for name in RUNS:
        (checkpoint,) = (GOLDEN / "runs" / name / "checkpoints").glob("step_*")
        inside, saved = find_policy(checkpoint), load_policy(GOLDEN / "runs" / name / "final")
        assert inside.spec == saved.spec
        assert all(np.array_equal(inside.tensors[each], saved.tensors[each]) for each in saved.tensors)


def test_agent_acts_the_same():
    pytest.importorskip("jax")
    from jimbot.training.jax_trainer import CartPoleWrapper, PPOAgent, PPOTrainer

    agent = PPOAgent.load(GOLDEN / "agent")
    recorded = np.load(GOLDEN / "policies" / "agent.npz")
    actions = [agent.select_action(each, deterministic=True)[0] for each in recorded["observations"]]
    assert actions == recorded["actions"].tolist()
    result = PPOTrainer(agent=agent, env=CartPoleWrapper(), max_episodes=1, eval_episodes=1).train()
    assert result["episodes"] == 1


# --- therapy ---------------------------------------------------------------------------------------------------------


def test_therapist_files_are_read(tmp_path):
    torch = pytest.importorskip("torch")
    pytest.importorskip("tianshou")
    from jimbot.training.therapy.files_torch import read_policy
    from jimbot.training.train_ppo import main

    models = GOLDEN / "therapy" / "models"
    recorded = np.load(GOLDEN / "policies" / "therapy.npz")
    observation = {key.partition("/")[2]: recorded[key] for key in recorded if key.startswith("observation/")}
    with torch.no_grad():
        logits = read_policy(models / "policy_best.pth").policy_logits(observation).numpy()
    np.testing.assert_array_equal(logits.argmax(-1), recorded["actions"])
    shutil.copytree(models, tmp_path / "models")
    words = ["--resume-from", str(tmp_path / "models" / "checkpoint_64.pth"), "--total-timesteps", "96"]
    assert main([*words, "--log-dir", str(tmp_path / "logs"), "--progress", "silent"]) == 0
    assert (tmp_path / "models" / "policy_final.pth").exists()


def test_therapy_configurations_are_read():
    from jimbot.training.therapy.config import load_config as load_training_config

    written = load_training_config(GOLDEN / "therapy" / "models" / "config.yaml")
    assert (written.experiment_name, written.total_timesteps, written.hidden_size) == ("therapy", 64, 4)
    assert load_training_config(GOLDEN / "therapy" / "test_training.yaml").n_envs == 2
    assert load_training_config(GOLDEN / "therapy" / "example_experiment.yaml").patterns == ["cold_stuck"]


# --- configurations and results --------------------------------------------------------------------------------------


def golden_configurations() -> list[Path]:
    return sorted((GOLDEN / "configurations").glob("*.yaml"))


@pytest.mark.parametrize("path", golden_configurations(), ids=lambda path: path.stem)
def test_configuration_means_the_same(path):
    meant = json.loads(path.with_suffix(".json").read_text())
    found = json.loads(json.dumps(load_config(path).to_dict()))
    assert fields_of(meant, found) == meant


def fields_of(meant, found):
    """What is found under the names that were meant, in sections too: fields may have come since."""
    if not (isinstance(meant, dict) and isinstance(found, dict)):
        return found
    return {name: fields_of(value, found[name]) for name, value in meant.items() if name in found}


@pytest.mark.parametrize("path", sorted((GOLDEN / "templates").glob("*.yaml")), ids=lambda path: path.stem)
def test_template_makes_experiments(path):
    from jimbot.training.templates import TemplateRegistry

    experiments = TemplateRegistry().load(path)
    assert len(experiments) > 1
    for each in experiments:
        each.check()


def test_results_of_a_comparison_are_read():
    paths = sorted((GOLDEN / "benchmarks" / "comparison" / "results").glob("*.json"))
    results = [ExperimentResult.load(path) for path in paths]
    assert [(each.algorithm, each.status, each.timesteps) for each in results] == [
        ("A2C", "finished", STEPS),
        ("PPO", "finished", STEPS),
    ]
    assert all(len(each.scores) == 2 and each.curves for each in results)


def test_study_goes_on(tmp_path):
    pytest.importorskip("optuna")
    pytest.importorskip("stable_baselines3")
    from jimbot.training.tuning import Tuning

    place = Path(shutil.copytree(GOLDEN / "study", tmp_path / "study"))
    study = Tuning.open(place)
    assert len(study.finished()) == 2
    study.search(3)
    assert len(Tuning.open(place).finished()) == 3
    assert load_config(place / "best.yaml").algorithm == "A2C"


def test_demonstrations_are_replayed():
    from jimbot.training.behavioral_cloning import load_trajectories

    trajectories = load_trajectories(GOLDEN / "demonstrations.trajectories")
    assert len(trajectories) == 3
    for each in trajectories:
        transitions = each.transitions  # checks every observation against its digest
        assert len(transitions) == len(each.actions) > 10
        assert each.total_reward == pytest.approx(sum(step.reward for step in transitions))


# --- games -----------------------------------------------------------------------------------------------------------


def games() -> dict[str, dict[str, Any]]:
    return json.loads((GOLDEN / "games" / "recorded.json").read_text())


@pytest.mark.parametrize(("seed", "recorded"), games().items())
@pytest.mark.parametrize("kind", ["snapshot", "replay"])
def test_run_of_balatro_comes_back(seed, recorded, kind):
    path = GOLDEN / "games" / f"{seed}.{kind}"
    game = Game.restore(path.read_bytes()) if kind == "snapshot" else Replay.load(path).play()
    assert f"{game.hash:016x}" == recorded["hash"]
    assert (game.deck, game.stake, game.ante, game.money, game.phase.name) == tuple(
        recorded[name] for name in ("deck", "stake", "ante", "money", "phase")
    )
    assert [str(card) for card in game.hand] == recorded["hand"]
    assert [joker.key for joker in game.jokers] == recorded["jokers"]
    if kind == "replay":
        assert len(game.actions or []) == recorded["actions"]


def test_environment_goes_on():
    from jimbot.training.utils import create_balatro_env

    env = create_balatro_env(actions="candidates", candidates=16)
    env.reset(seed=999)
    env.restore((GOLDEN / "games" / "environment.state").read_bytes())
    rewards = json.loads((GOLDEN / "games" / "environment.json").read_text())
    assert step_many(env, len(rewards)) == rewards


def test_environment_of_other_options_is_refused():
    from jimbot.training.utils import create_balatro_env

    env = create_balatro_env(actions="slots")
    env.reset(seed=1)
    with pytest.raises(JimbotError):
        env.restore((GOLDEN / "games" / "environment.state").read_bytes())


def test_golden_files_stay_small_and_private():
    files = [path for path in GOLDEN.rglob("*") if path.is_file()]
    assert sum(path.stat().st_size for path in files) < 3 * 2**20
    assert not any(path.suffix in (".pkl", ".lock") for path in files)
    assert not any(os.fsencode("/" + "work/") in path.read_bytes() for path in files)
