"""What MLflow has of a training run at its end: policies, configuration, pictures, and the registered model."""

# pyright: reportAttributeAccessIssue=false

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any, cast

import gymnasium
import numpy as np
import pytest

from jimbot import cli
from jimbot.tracking import TrackerWarning
from jimbot.tracking.events import read_events
from jimbot.tracking.mlflow.logger import MLflowLogger
from jimbot.training.config.trainer_config import EarlyStopConfig, HyperparameterConfig, TrainerConfig
from jimbot.training.framework import create_trainer, resume_run

pytest.importorskip("mlflow")
pytest.importorskip("matplotlib")
image = pytest.importorskip("PIL.Image")

# MLflow and SQLAlchemy use things of each other that they have deprecated.
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
]

EVERYTHING = {
    "config.yaml",
    "provenance.json",
    "result.json",
    "best/policy.json",
    "best/policy.safetensors",
    "final/policy.json",
    "final/policy.safetensors",
    "plots/training.png",
    "plots/policy.gif",
}


def configuration(directory: Path, **changes: Any) -> TrainerConfig:
    """A run of a second."""
    values: dict[str, Any] = {
        "env": "CartPole-v1",
        "name": "kept",
        "total_timesteps": 256,
        "n_envs": 2,
        "eval_freq": 128,
        "eval_episodes": 2,
        "checkpoint_freq": 128,
        "save_dir": str(directory),
        "trackers": ["mlflow"],
        "hyperparams": HyperparameterConfig(
            policy_net_arch=[8],
            value_net_arch=[8],
            features_dim=8,
            algorithm_specific={"n_steps": 32, "batch_size": 32, "n_epochs": 1},
        ),
    }
    return TrainerConfig(**values | changes)


def train(config: TrainerConfig, env: Any = None) -> dict[str, Any]:
    with create_trainer(env, config) as trainer:
        return trainer.train(progress="silent")


def kept_files(directory: Path) -> set[str]:
    """The artifacts of the only run in a store, without the copies that the registry points at."""
    client = MLflowLogger(directory=directory).store.client
    (run,) = client.search_runs([client.get_experiment_by_name("jimbot").experiment_id])
    place = Path(client.download_artifacts(run.info.run_id, ""))
    files = {path.relative_to(place).as_posix() for path in place.rglob("*") if path.is_file()}
    return {name for name in files if not name.startswith("models/")}


def versions(directory: Path) -> list[tuple[str, str, list[str]]]:
    """Name, number and aliases of every registered version."""
    client = MLflowLogger(directory=directory).store.client
    found = [(each.name, each.version) for each in client.search_model_versions("name != ''")]
    return sorted(
        (name, str(number), list(client.get_model_version(name, number).aliases)) for name, number in found
    )


def frames_of(path: Path) -> int:
    with image.open(path) as picture:
        return picture.n_frames


@pytest.mark.parametrize("backend", ["sb3", "jax"])
def test_a_converged_run_is_kept_and_registered(backend, store_directory):
    if backend == "jax":
        pytest.importorskip("flax")
    config = configuration(store_directory, backend=backend, early_stop=EarlyStopConfig(target_score=1.0))
    with create_trainer(None, config) as trainer:
        result = trainer.train(progress="silent")
        played = trainer.evaluate(6)
    assert result["converged"] is True
    assert kept_files(store_directory) == EVERYTHING
    assert versions(store_directory) == [("PPO-CartPole-v1", "1", ["converged"])]
    assert frames_of(store_directory / "kept" / "plots" / "policy.gif") > 5
    place = MLflowLogger(directory=store_directory).load_registered("PPO-CartPole-v1", "converged")
    with create_trainer(None, configuration(store_directory, backend=backend, trackers=[], seed=9)) as other:
        assert other.load(place).evaluate(6) == played  # stopped where it converged: the best is the last
    assert json.loads((store_directory / "kept" / "result.json").read_text())["converged"] is True


def test_a_run_out_of_patience_is_kept_but_not_registered(store_directory):
    stop = EarlyStopConfig(target_score=1e9, patience=1, min_improvement=1e9)
    result = train(configuration(store_directory, early_stop=stop))
    assert (result["stopped"], result["converged"]) == ("no better evaluation in 1", False)
    assert kept_files(store_directory) == EVERYTHING
    assert versions(store_directory) == []


def test_a_replay_brings_what_live_tracking_would_have(store_directory, capsys):
    """The run had no MLflow, and no pictures; they are drawn for the replay. A second one registers nothing twice."""
    config = configuration(store_directory, trackers=[], early_stop=EarlyStopConfig(target_score=1.0))
    train(config)
    run = store_directory / "kept"
    assert not (run / "plots").exists()
    for again in ([], ["--again"]):
        with pytest.raises(SystemExit) as caught:
            cli.main(["track", "replay", str(run), "--tracker", "mlflow", *again])
        assert caught.value.code == 0
        assert kept_files(store_directory) == EVERYTHING
        assert versions(store_directory) == [("PPO-CartPole-v1", "1", ["converged"])]
    assert "had been sent before" in capsys.readouterr().out


def test_a_moved_run_is_replayed_with_its_files(store_directory, tmp_path):
    train(configuration(store_directory, trackers=[]))
    moved = (store_directory / "kept").rename(tmp_path / "moved")
    with pytest.raises(SystemExit):
        cli.main(["track", "replay", str(moved), "--tracker", "mlflow"])
    assert kept_files(store_directory) == EVERYTHING


def test_an_interrupted_run_is_kept_when_it_ends(store_directory):
    """What belongs to the end is told of at the end, once."""
    config = configuration(store_directory, trackers=[])
    with create_trainer(None, config) as trainer:
        trainer.train(128, progress="silent")
    with resume_run(store_directory / "kept") as resumed:
        resumed.train(progress="silent")
    events = list(read_events(store_directory / "kept" / "events.jsonl"))
    told = [event.values["path"] for event in events if event.kind == "artifact"]
    assert told == ["config.yaml", "provenance.json", "result.json", "final", "plots", "best"]
    assert all(event.step == 256 for event in events if event.kind == "artifact")


def test_a_tracker_that_fails_at_the_end_stops_nothing(store_directory, monkeypatch):
    def refuse(*_: Any, **__: Any) -> int:
        raise OSError("the registry is closed")

    monkeypatch.setattr(MLflowLogger, "register_once", refuse)
    config = configuration(store_directory, early_stop=EarlyStopConfig(target_score=1.0))
    with pytest.warns(TrackerWarning, match="mlflow is switched off: the registry is closed"):
        result = train(config)
    assert result["converged"] is True
    assert kept_files(store_directory) == EVERYTHING
    assert versions(store_directory) == []


class Painted(gymnasium.Env[Any, Any]):
    """Twelve steps; every picture has one color, brighter with each. May refuse to be drawn."""

    metadata = {"render_modes": ["rgb_array"], "render_fps": 10}  # noqa: RUF012
    observation_space = gymnasium.spaces.Box(0, 1, (2,), np.float32)
    action_space = gymnasium.spaces.Discrete(2)

    def __init__(self, render_mode: str | None = None, broken: bool = False) -> None:
        self.render_mode, self.broken, self.steps = render_mode, broken, 0

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> Any:
        super().reset(seed=seed, options=options)
        self.steps = 0
        return np.zeros(2, np.float32), {}

    def step(self, action: Any) -> Any:
        del action
        self.steps += 1
        return np.zeros(2, np.float32), 1.0, self.steps == 12, False, {}

    def render(self) -> Any:
        if self.broken:
            raise RuntimeError("no paint")
        return np.full((30, 600, 3), 10 * self.steps, np.uint8)


@pytest.fixture
def painted():
    name = "jimbot-tests/Painted-v0"
    gymnasium.register(name, entry_point=cast("Any", Painted))
    yield name
    del gymnasium.registry[name]


def test_any_environment_that_draws_itself_is_shown(store_directory, painted):
    train(configuration(store_directory, env=painted))
    assert "plots/policy.gif" in kept_files(store_directory)
    with image.open(store_directory / "kept" / "plots" / "policy.gif") as picture:
        assert picture.n_frames == 13
        assert picture.size == (480, 24)


def test_what_cannot_be_drawn_is_one_line_and_no_more(store_directory, painted, caplog):
    for env, options, line in (
        ("jimbot/Therapy-v0", {}, "jimbot/Therapy-v0 draws no pictures (rgb_array)"),
        (painted, {"broken": True}, "RuntimeError: no paint"),
    ):
        caplog.clear()
        with caplog.at_level(logging.INFO, "jimbot.training.runs.artifacts"):
            config = configuration(store_directory, env=env, env_kwargs=options, name=f"run{len(options)}")
            assert train(config)["stopped"] == "finished"
        assert caplog.messages == [f"no picture of the policy at play: {line}"]
