"""``jimbot evaluate RUN``: flags that make sense for a run are honoured, the others refused by name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from jimbot.training.config.trainer_config import HyperparameterConfig, TrainerConfig
from jimbot.training.framework import create_trainer


def policy_of(directory: Path, env: str, **env_kwargs: Any) -> Path:
    """The policy file of an untrained network, in a run of its own."""
    config = TrainerConfig(
        env=env,
        env_kwargs=env_kwargs,
        n_envs=1,
        save_dir=str(directory),
        hyperparams=HyperparameterConfig(policy_net_arch=[8], value_net_arch=[8], features_dim=8),
    )
    with create_trainer(None, config) as trainer:
        return trainer.save_model()


@pytest.fixture(scope="module")
def balatro(tmp_path_factory):
    return policy_of(tmp_path_factory.mktemp("balatro"), "balatro", max_steps=60, stakes=[1])


@pytest.fixture(scope="module")
def cartpole(tmp_path_factory):
    return policy_of(tmp_path_factory.mktemp("cartpole"), "CartPole-v1")


@pytest.fixture
def measured(jimbot, tmp_path):
    """A function that evaluates with flags, and gives the result's JSON."""

    def measure(policy: Path, *words: str) -> dict[str, Any]:
        target = tmp_path / "result.json"
        finished = jimbot("evaluate", str(policy), *words, "--save", str(target))
        assert finished.code == 0, finished.err
        return json.loads(target.read_text())

    return measure


@pytest.mark.parametrize("which", ["balatro", "cartpole"])
def test_the_first_episode_can_be_chosen(which, measured, request):
    policy = request.getfixturevalue(which)
    whole = measured(policy, "--episodes", "6")
    end = measured(policy, "--episodes", "4", "--first", "2")
    assert (whole["first"], end["first"]) == (0, 2)
    assert end["rewards"] == whole["rewards"][2:]
    assert end["lengths"] == whole["lengths"][2:]


def test_decks_and_stakes_reach_the_environment(balatro, measured):
    plain = measured(balatro, "--episodes", "8")
    assert plain["env_kwargs"] == {"actions": "candidates", "max_steps": 60, "stakes": [1]}
    same = measured(balatro, "--episodes", "8", "--deck", "b_red", "--stake", "1")
    assert same["rewards"] == plain["rewards"]
    other = measured(balatro, "--episodes", "8", "--deck", "b_blue", "--stake", "5")
    assert other["env_kwargs"] == {
        "actions": "candidates",
        "max_steps": 60,
        "stakes": [5],
        "decks": ["b_blue"],
    }
    assert other["rewards"] != plain["rewards"]
    assert other["config_hash"] == plain["config_hash"]


def test_threads_change_only_the_time(balatro, measured):
    one, two = (measured(balatro, "--episodes", "6", "--threads", count) for count in ("1", "2"))
    assert one["rewards"] == two["rewards"]


@pytest.mark.parametrize(
    ("which", "words", "message"),
    [
        ("balatro", ["--training"], "--training: a trained policy has no weights and is measured on unseen"),
        ("balatro", ["--weights", "w.json"], "--weights: a trained policy has no weights"),
        ("balatro", ["--episodes", "0"], "episodes must be 1 to"),
        ("balatro", ["--stake", "0"], "stake must be 1 to 8, got 0"),
        ("balatro", ["--deck", "b_x", "--episodes", "1"], "unknown deck 'b_x'; expected one of b_red"),
        ("cartpole", ["--deck", "b_red"], "--deck: CartPole-v1 has neither decks nor stakes; leave it out"),
        ("cartpole", ["--stake", "2"], "--stake: CartPole-v1 has neither decks nor stakes; leave it out"),
        ("cartpole", ["--threads", "2"], "--threads: CartPole-v1 is stepped on one thread, got 2"),
    ],
)
def test_refusals(which, words, message, jimbot, request):
    finished = jimbot("evaluate", str(request.getfixturevalue(which)), *words)
    assert finished.code == 2
    assert finished.err.startswith(f"jimbot: error: {message}")
    assert finished.err.count("\n") == 1
