"""RLlib's document at its edges: defaults, missing graphics cards, running heads, tokens, policies, chart names."""

from __future__ import annotations

import contextlib
import logging
import os
import socket
from types import SimpleNamespace
from typing import Any

import pytest
from tests.contract.small import shorten
from tests.contract.test_rllib_pipeline import DEFAULT, documented

from jimbot.errors import JimbotError
from jimbot.training import export, run
from jimbot.training.config.trainer_config import ConfigError, TrainerConfig
from jimbot.training.framework import create_trainer
from jimbot.training.runs.opening import find_policy, policy_config

pytest.importorskip("ray")

from jimbot.training.backends.rllib import cluster
from jimbot.training.rllib_trainer import RLlibTrainer, rllib_config

OWN = "algorithm_specific"


# --- defaults --------------------------------------------------------------------------------------------------------


def test_names_of_rllib_bring_its_defaults():
    hyperparams = rllib_config({"num_workers": 2, "env": "BalatroEnv"}).hyperparams
    assert hyperparams.algorithm_specific == {
        "n_steps": 500,
        "batch_size": 128,
        "n_epochs": 30,
        "clip_range": 0.2,
    }
    assert (hyperparams.learning_rate, hyperparams.entropy_coefficient) == (5e-5, 0.01)
    assert (hyperparams.gamma, hyperparams.gae_lambda) == (0.99, 0.95)


def test_what_is_said_stays_in_either_language():
    config = rllib_config(
        {
            "lr": 1e-3,
            "num_workers": 1,
            "hyperparams": {"gamma": 0.9, OWN: {"n_epochs": 3}},
            "train_batch_size": 64,
        }
    )
    assert (config.hyperparams.learning_rate, config.hyperparams.gamma) == (1e-3, 0.9)
    assert config.hyperparams.algorithm_specific["n_epochs"] == 3
    assert config.hyperparams.algorithm_specific["batch_size"] == 64  # never more than a batch


def test_our_names_alone_and_other_algorithms_keep_our_defaults():
    ours = rllib_config({"name": "x", "hyperparams": {"gamma": 0.9}}).hyperparams
    assert ours.learning_rate == TrainerConfig().hyperparams.learning_rate != 5e-5
    assert ours.algorithm_specific["n_epochs"] != 30
    dqn = rllib_config({"algorithm": "DQN", "lr": 1e-3})
    assert "n_epochs" not in dqn.hyperparams.algorithm_specific


# --- graphics cards --------------------------------------------------------------------------------------------------


def test_the_documented_file_is_refused_for_the_graph_alone():
    """One line; without that field everything in it is taken."""
    with pytest.raises(ConfigError) as caught:
        rllib_config(documented(DEFAULT))
    assert str(caught.value).count("\n") == 0
    assert "memgraph_embedding_dim" in str(caught.value)
    values = documented(DEFAULT)
    del values["model"]["custom_model_config"]
    assert rllib_config(values).hyperparams.algorithm_specific["n_epochs"] == 30


@pytest.mark.parametrize("cards", [1, 2])
def test_a_machine_without_cards_warns_and_goes_on(cards, monkeypatch, caplog):
    monkeypatch.setattr("torch.cuda.device_count", lambda: 0)
    monkeypatch.setattr(cluster, "RaySession", stop_here)
    with create_trainer(None, rllib_config({"env": "CartPole-v1", "num_gpus": cards})) as trainer:
        with caplog.at_level(logging.WARNING), pytest.raises(ReachedRayError):
            _ = trainer.model
        assert trainer.arguments["learners"]["num_gpus_per_learner"] == 0.0
    assert f"num_gpus: {cards} asked for, torch finds no graphics card here" in caplog.text


def test_a_device_that_is_named_is_not_given_up(monkeypatch):
    monkeypatch.setattr("torch.cuda.device_count", lambda: 0)
    config = rllib_config({"env": "CartPole-v1", "device": "cuda"})
    with (
        create_trainer(None, config) as trainer,
        pytest.raises(ConfigError, match="device: cuda asks for a graphics"),
    ):
        _ = trainer.model


class ReachedRayError(Exception):
    """Ray would start now."""


def stop_here(*_: Any, **given: Any) -> None:
    assert given["gpus"] == 0
    raise ReachedRayError


@pytest.mark.parametrize(
    ("values", "learners", "of_runners"),
    [
        ({"num_gpus": 0.5}, {"num_learners": 0, "num_gpus_per_learner": 0.5}, 0.0),
        ({"num_gpus": 4}, {"num_learners": 4, "num_gpus_per_learner": 1.0}, 0.0),
        ({"num_gpus": 2, "num_learners": 4}, {"num_learners": 4, "num_gpus_per_learner": 0.5}, 0.0),
        (
            {"num_learner_workers": 2, "num_gpus_per_learner_worker": 1},
            {"num_learners": 2, "num_gpus_per_learner": 1.0},
            0.0,
        ),
        ({"num_gpus_per_worker": 0.25}, {"num_learners": 0, "num_gpus_per_learner": 0.0}, 0.25),
        ({"device": "cuda", "num_learners": 3}, {"num_learners": 3, "num_gpus_per_learner": 1.0}, 0.0),
    ],
)
def test_cards_and_learners_are_translated(values, learners, of_runners):
    translated = RLlibTrainer.translate(rllib_config({"num_workers": 2, **values}))
    assert translated["learners"] == learners
    assert translated["env_runners"]["num_gpus_per_env_runner"] == of_runners


def test_learners_share_the_batch():
    translated = RLlibTrainer.translate(
        rllib_config({"num_workers": 2, "train_batch_size": 4000, "num_gpus": 2})
    )
    assert translated["training"]["train_batch_size_per_learner"] == 2000


# --- Ray that runs already -------------------------------------------------------------------------------------------


@pytest.fixture
def written_head(monkeypatch):
    """What ``ray start --head`` wrote down: the address of something that listens."""
    monkeypatch.setenv("RAY_ADDRESS", "")  # and restored afterwards
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
        monkeypatch.setattr("ray._private.utils.read_ray_address", lambda: address)
        yield address


def test_a_running_head_is_joined(written_head, capsys):
    assert cluster.find_running_head() == written_head
    run.join_running_head(None)
    assert os.environ["RAY_ADDRESS"] == written_head == cluster.named_address()
    assert f"joining the Ray cluster at {written_head}" in capsys.readouterr().out


@pytest.mark.usefixtures("written_head")
@pytest.mark.parametrize("address", ["local", "10.0.0.1:6379"])
def test_an_address_goes_before_a_running_head(address, capsys):
    run.join_running_head(address)
    assert cluster.named_address() is None
    assert cluster.find_running_head() is None
    assert not capsys.readouterr().out


def test_a_head_that_has_gone_is_not_joined(monkeypatch):
    monkeypatch.setenv("RAY_ADDRESS", "")  # and restored afterwards
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"127.0.0.1:{server.getsockname()[1]}"
    for found in (address, "", None):
        monkeypatch.setattr("ray._private.utils.read_ray_address", lambda found=found: found)
        assert cluster.find_running_head() is None


def test_a_saved_token_is_sent(monkeypatch):
    """As ``ray start`` decides: a token that exists is used, a mode that was chosen is kept."""
    setup = pytest.importorskip("ray._private.authentication.authentication_token_setup")
    loader = SimpleNamespace(has_token=lambda **_: True)
    monkeypatch.setattr(setup.AuthenticationTokenLoader, "instance", lambda: loader)
    monkeypatch.setattr(setup, "_enable_token_auth", lambda: monkeypatch.setenv("RAY_AUTH_MODE", "token"))
    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    cluster.use_saved_token()
    assert os.environ["RAY_AUTH_MODE"] == "disabled"
    monkeypatch.delenv("RAY_AUTH_MODE")
    cluster.use_saved_token()
    assert os.environ["RAY_AUTH_MODE"] == "token"
    loader.has_token = lambda **_: False
    monkeypatch.delenv("RAY_AUTH_MODE")
    cluster.use_saved_token()
    assert "RAY_AUTH_MODE" not in os.environ


# --- paths of policies -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def small_run(tmp_path_factory):
    """A run with a best policy and a checkpoint, trained without Ray."""
    config = shorten(
        TrainerConfig(env="balatro", name="small", save_dir=str(tmp_path_factory.mktemp("models")))
    )
    config.env_kwargs = {"max_ante": 1, "actions": "candidates", "candidates": 32, "max_steps": 60}
    with create_trainer(None, config) as trainer:
        trainer.train(progress="silent")
        return trainer.run.path


def test_one_exported_file_is_a_policy_like_any_other(small_run, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert export.main(["--checkpoint", str(small_run / "best"), "--output", "production_model.pt"]) == 0
    assert "production_model.pt" in capsys.readouterr().out
    target = tmp_path / "production_model.pt"
    assert target.is_file()
    original, packed = find_policy(small_run), find_policy(target)
    assert packed.spec == original.spec
    assert all((packed.tensors[name] == each).all() for name, each in original.tensors.items())
    assert policy_config(target, packed).env_kwargs == policy_config(small_run, original).env_kwargs
    again = tmp_path / "again.pt"
    assert export.main(["--checkpoint", str(target), "--output", str(again)]) == 0
    import torch

    assert torch.export.load(str(target)).module() is not None  # without jimbot


@pytest.mark.parametrize("place", ["", "best", "best/policy.json", "checkpoint"])
def test_every_path_of_a_run_gives_a_policy(small_run, place):
    path = next((small_run / "checkpoints").glob("step_*")) if place == "checkpoint" else small_run / place
    assert find_policy(path).spec == find_policy(small_run).spec
    assert run.holds_only_a_policy(path) == place.startswith("best")


def test_what_is_no_policy_says_so(tmp_path):
    (tmp_path / "text.pt").write_text("nothing")
    with pytest.raises(JimbotError, match=r"cannot read a policy from .*text\.pt"):
        find_policy(tmp_path / "text.pt")
    import torch

    torch.save({"weights": torch.zeros(2)}, tmp_path / "weights.pt")
    with pytest.raises(
        JimbotError, match=r"weights\.pt holds no policy of jimbot; expected a file written with"
    ):
        find_policy(tmp_path / "weights.pt")


def test_a_single_file_has_one_format(small_run, tmp_path):
    with pytest.raises(JimbotError, match=r"--format: x\.pt is one file"):
        export.export_run(small_run, tmp_path / "x.pt", ("onnx",))
    with pytest.raises(JimbotError, match="there is no directory"):
        export.export_run(small_run, tmp_path / "missing" / "x.pt")


@pytest.mark.parametrize("exported", [False, True])
def test_training_starts_from_a_policy(small_run, exported, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    place = small_run / "best"
    if exported:
        place = tmp_path / "model.pt"
        export.export_run(small_run, place)
    given = run.parser().parse_args(["--checkpoint", str(place), "--experiment", "next", "--timesteps", "64"])
    with run.continued_policy(given) as trainer:
        tensors = trainer.policy_tensors()
        assert all((tensors[name] == each).all() for name, each in find_policy(small_run).tensors.items())
        assert (trainer.config.name, trainer.config.total_timesteps, trainer.timesteps) == ("next", 64, 0)
    assert "a new run starts from it" in capsys.readouterr().out


# --- tracking --------------------------------------------------------------------------------------------------------


def test_track_means_tensorboard_and_wandb(tmp_path):
    pytest.importorskip("wandb")
    pytest.importorskip("tensorboard")
    given = run.parser().parse_args(["--experiment", "x", "--track", "--set", f"save_dir={tmp_path}"])
    with contextlib.closing(run.new_trainer(given)) as trainer:
        assert list(trainer.config.trackers) == ["tensorboard", "wandb"]
    given = run.parser().parse_args(["--experiment", "y", "--set", f"save_dir={tmp_path}"])
    with contextlib.closing(run.new_trainer(given)) as trainer:
        assert "wandb" not in trainer.config.trackers


@pytest.mark.parametrize("backend", ["rllib", "sb3"])
def test_tensorboard_has_the_documented_names_of_rllib_runs(backend, tmp_path):
    pytest.importorskip("tensorboard")
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    from jimbot.tracking.events import Event
    from jimbot.tracking.run_info import RunInfo
    from jimbot.tracking.tensorboard_tracker import RLLIB_NAMES, TensorboardTracker

    tracker = TensorboardTracker()
    tracker.start(RunInfo("x", tmp_path, {"backend": backend}))
    values: dict[str, Any] = {name: float(number) for number, name in enumerate(RLLIB_NAMES)}
    tracker.log(Event(kind="metrics", sequence=1, time=1.0, step=10, values=values))
    tracker.close()
    found = EventAccumulator(str(tmp_path / "tensorboard"))
    found.Reload()
    tags = set(found.Tags()["scalars"])
    assert set(values) <= tags
    assert (set(RLLIB_NAMES.values()) <= tags) == (backend == "rllib")
    if backend == "rllib":
        for name, documented_name in RLLIB_NAMES.items():
            assert found.Scalars(documented_name)[0].value == values[name]
