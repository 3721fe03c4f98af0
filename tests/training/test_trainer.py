"""The trainer as documented: usage patterns, results, files, refusals, callbacks, other people's trainers."""

# pyright: reportAttributeAccessIssue=false, reportOptionalMemberAccess=false

from __future__ import annotations

import json

import gymnasium
import numpy as np
import pytest
from tests.training.tiny_envs import Identity, Ladder, MaskedBandit

from jimbot.errors import JimbotError
from jimbot.networks import load_policy
from jimbot.players.batch_policy import NetworkPolicy
from jimbot.training.config.trainer_config import EarlyStopConfig
from jimbot.training.env_wrapper import wrap_balatro_env
from jimbot.training.framework import (
    Capabilities,
    ConfigError,
    HyperparameterConfig,
    Iteration,
    RLTrainer,
    TrainerConfig,
    create_trainer,
    get_default_config,
    register_trainer,
)
from jimbot.training.loop.early_stop import EarlyStop
from jimbot.training.runs.plots import learning_curves, plot_run
from jimbot.training.utils import create_balatro_env, make_vectorized_env

SMALL = HyperparameterConfig(
    policy_net_arch=[16],
    value_net_arch=[16],
    features_dim=16,
    algorithm_specific={"n_steps": 32, "batch_size": 32, "n_epochs": 1},
)


@pytest.fixture
def small(tmp_path):
    """A configuration that trains in about a second."""
    return TrainerConfig(
        env="CartPole-v1",
        total_timesteps=256,
        n_envs=2,
        eval_freq=128,
        eval_episodes=2,
        checkpoint_freq=128,
        save_dir=str(tmp_path / "models"),
        hyperparams=SMALL.model_copy(deep=True),
    )


def make_cartpole():
    return gymnasium.make("CartPole-v1")


# --- the documents' usage patterns -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "make_env",
    [lambda: create_balatro_env(seed=42, max_steps=200), make_cartpole],
    ids=["balatro", "cartpole"],
)
def test_pattern_single_training(make_env, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    config = get_default_config("PPO")
    config.total_timesteps = 256
    config.n_envs = 2
    config.hyperparams = SMALL.model_copy(deep=True)
    env = make_env()
    trainer = create_trainer(env, config)
    trainer.train(progress="silent")
    mean, deviation = trainer.evaluate(n_episodes=3)
    path = trainer.save_model()
    trainer.close()
    assert np.isfinite(mean)
    assert deviation >= 0
    assert (path / "policy.safetensors").exists()
    assert path.parent.parent == tmp_path / "models" or path.parent.parent.name == "models"


@pytest.mark.parametrize(
    "make_env", [lambda: create_balatro_env(seed=42), make_cartpole], ids=["balatro", "cartpole"]
)
def test_pattern_custom_hyperparameters(make_env, tmp_path):
    hyperparams = HyperparameterConfig(
        learning_rate=1e-3,
        gamma=0.995,
        policy_net_arch=[32, 32],
        algorithm_specific={"n_steps": 64, "batch_size": 128},
    )
    config = TrainerConfig(
        algorithm="PPO", hyperparams=hyperparams, total_timesteps=512, save_dir=str(tmp_path)
    )
    with create_trainer(make_env(), config) as trainer:
        assert trainer.model.n_steps == 64
        assert trainer.model.gamma == 0.995
        assert trainer.network_spec().policy_net_arch == (32, 32)
        assert trainer.train(progress="silent")["timesteps"] == 512


def test_pattern_curriculum(small):
    env = wrap_balatro_env(
        create_balatro_env(seed=1),
        use_curriculum=True,
        curriculum_config={"initial_max_ante": 2, "ante_increment": 1, "success_threshold": 0.8},
    )
    with create_trainer(env, small) as trainer:
        result = trainer.train(progress="silent")
        assert trainer.vector.vector.vector.options.max_ante == 2
        assert result["metrics"]["curriculum/max_ante"] == 2


@pytest.mark.parametrize("creator", [create_balatro_env, make_cartpole], ids=["balatro", "cartpole"])
def test_pattern_vectorized(creator, small):
    env = make_vectorized_env(creator, n_envs=4, seed=42)
    with create_trainer(env, small) as trainer:
        assert trainer.vector.num_envs == 4
        assert trainer.train(progress="silent")["timesteps"] == 256


def test_a_curriculum_rises_in_training(small):
    small.use_curriculum = True
    small.curriculum.window = 4
    small.curriculum.success_threshold = 0.01
    small.hyperparams.learning_rate = 1e-2
    with create_trainer(Ladder, small) as trainer:
        result = trainer.train(progress="silent")
    assert result["metrics"]["curriculum/max_ante"] > 2


# --- results and files -----------------------------------------------------------------------------------------------


def test_a_run_is_a_directory_with_everything_in_it(small):
    with create_trainer(None, small) as trainer:
        result = trainer.train(progress="silent")
        run = trainer.run.path
    names = {path.name for path in run.iterdir()}
    assert {
        "config.yaml",
        "events.jsonl",
        "progress.csv",
        "checkpoints",
        "best",
        "final",
        "provenance.json",
        "status.json",
    } <= names
    kinds = [json.loads(line)["kind"] for line in (run / "events.jsonl").read_text().splitlines()]
    assert kinds[0] == "run_started"
    assert kinds[-1] == "run_ended"
    assert {"metrics", "evaluation", "checkpoint"} <= set(kinds)
    assert result["run_directory"] == str(run)
    assert json.loads((run / "status.json").read_text())["state"] == "finished"
    curves = learning_curves(run)
    assert curves["rollout/mean_reward"][0][-1] == 256
    (picture,) = plot_run(run)
    assert picture.read_bytes()[:4] == b"\x89PNG"


def test_what_a_policy_file_plays_is_what_the_trainer_plays(small):
    small.env = "jimbot/Balatro-v0"
    with create_trainer(None, small) as trainer:
        trainer.train(progress="silent")
        path = trainer.save_model("mine")
        observation = trainer.vector.vector.observation()
        expected = trainer.policy()(observation)
        np.testing.assert_array_equal(NetworkPolicy(path)(observation), expected)
        ours = trainer.evaluate_episodes(4, 5)
        theirs = trainer.environments.evaluate(NetworkPolicy(path), 4, 5)
    np.testing.assert_array_equal(ours.rewards, theirs.rewards)


@pytest.mark.parametrize("algorithm", ["PPO", "DQN"])
def test_loading_brings_parameters_and_statistics(small, algorithm):
    small.algorithm = algorithm
    if algorithm == "DQN":
        small.hyperparams.algorithm_specific = {"learning_starts": 10, "buffer_size": 100}
    with create_trainer(None, small) as trainer:
        trainer.train(progress="silent")
        run = trainer.run.path
        trained, evaluated = trainer.policy_tensors(), trainer.evaluate(5)
    for source in (run / "final", run / "checkpoints" / f"step_{256:012}"):
        with create_trainer(None, small.copy_with(seed=7)) as other:
            assert any(not np.array_equal(other.policy_tensors()[name], trained[name]) for name in trained)
            other.load(source)
            assert all(np.array_equal(other.policy_tensors()[name], trained[name]) for name in trained)
            assert other.evaluate(5) == evaluated
    policy = load_policy(run / "final")
    assert policy.metadata["timesteps"] == 256
    with pytest.raises(JimbotError, match="holds no policy"), create_trainer(None, small) as other:
        other.load(run.parent)


def test_the_best_evaluation_is_measured_again(small):
    with create_trainer(None, small) as trainer:
        result = trainer.train(progress="silent")
    assert result["best_confirmed"] == result["metrics"].get(
        "evaluation/confirmed_mean_reward", result["best_confirmed"]
    )
    assert result["best_timesteps"] in (128, 192, 256)


def test_early_stop_on_a_score_and_on_patience(small):
    small.early_stop = EarlyStopConfig(target_score=1.0)
    with create_trainer(None, small) as trainer:
        result = trainer.train(progress="silent")
    assert (result["stopped"], result["converged"], result["timesteps"]) == ("reached 1", True, 128)
    small.early_stop = EarlyStopConfig(patience=1, min_improvement=1e9)
    with create_trainer(None, small) as trainer:
        result = trainer.train(progress="silent")
    assert (result["stopped"], result["converged"]) == ("no better evaluation in 1", False)
    small.early_stop = EarlyStopConfig(target_score=1e9)
    with create_trainer(None, small) as trainer:
        assert trainer.train(progress="silent")["converged"] is False


def test_only_a_reached_target_is_convergence():
    """Also where an evaluation reaches it that is hardly better than the last, and after a resume."""
    stop = EarlyStop(EarlyStopConfig(target_score=10.0, patience=2, min_improvement=5.0))
    for score, due, reached in ((7.0, False, False), (8.0, False, False), (10.0, True, True)):
        stop.see(score)
        assert (stop.due, stop.reached) == (due, reached)
    weary = EarlyStop(EarlyStopConfig(target_score=10.0, patience=2, min_improvement=5.0))
    for score, due in ((7.0, False), (8.0, False), (9.0, True)):
        weary.see(score)
        assert (weary.due, weary.reached) == (due, False)
    assert weary.reason == "no better evaluation in 2"
    for known in (stop, weary):
        again = EarlyStop(known.config)
        again.restore(known.state())
        assert (again.due, again.reached, again.state()) == (known.due, known.reached, known.state())
        old = {name: value for name, value in known.state().items() if name != "reached"}
        again.restore(old)
        assert again.reached is known.reached
    assert not EarlyStop(None).due


def test_callbacks_see_metrics_and_can_stop(small):
    small.total_timesteps = 20_000
    seen = []

    def callback(metrics):
        seen.append(metrics)
        return len(seen) < 2

    with create_trainer(None, small) as trainer:
        result = trainer.train(callback=callback, progress="silent")
        assert trainer.get_metrics()["timesteps"] == result["timesteps"] < 20_000
    assert result["stopped"] == "stopped by the callback"
    assert "train/value_loss" in seen[0]


def test_callbacks_of_the_library_work_too(small):
    from stable_baselines3.common.callbacks import BaseCallback

    class StopAfterHundred(BaseCallback):
        def _on_step(self):
            return self.num_timesteps < 100

    with create_trainer(None, small) as trainer:
        result = trainer.train(callback=StopAfterHundred(), progress="silent")
    assert result["stopped"] == "stopped by the callback"
    assert result["timesteps"] < 256


def test_training_goes_on_when_asked_again(small):
    with create_trainer(None, small) as trainer:
        trainer.train(progress="silent")
        assert trainer.train(total_timesteps=128, progress="silent")["timesteps"] == 384


# --- refusals --------------------------------------------------------------------------------------------------------


def test_unknown_backends_and_algorithms_name_what_there_is(small):
    with pytest.raises(ConfigError, match="backend: there is no 'torchrl'; allowed are sb3"):
        create_trainer(None, small.copy_with(backend="torchrl"))
    with pytest.raises(ConfigError, match=r"algorithm: backend sb3 has PPO, A2C, DQN, SAC, TD3, not 'TRPO'"):
        create_trainer(None, small.copy_with(algorithm="TRPO"))
    with pytest.raises(
        ConfigError, match=r"SAC on backend sb3 cannot act in Discrete.*that can: PPO, A2C, DQN"
    ):
        create_trainer("CartPole-v1", get_default_config("SAC"))


def test_episodes_must_be_some(small):
    with (
        create_trainer(None, small) as trainer,
        pytest.raises(ConfigError, match="n_episodes must be at least 1"),
    ):
        trainer.evaluate(0)


def test_an_unwritable_place_is_told_before_training(small, tmp_path):
    (tmp_path / "file").write_text("")
    small.save_dir = str(tmp_path / "file" / "models")
    with (
        create_trainer(None, small) as trainer,
        pytest.raises(JimbotError, match="cannot make a run directory"),
    ):
        trainer.train(progress="silent")


def test_options_of_the_environment_reach_a_function_that_makes_it(small):
    small.env_kwargs = {"actions": 7, "legal": 2}
    with create_trainer(MaskedBandit, small) as trainer:
        assert trainer.vector.action_space.n == 7
        assert trainer.environments.creator().legal == 2
    small.env_kwargs = {"max_ante": 3}
    with create_trainer(create_balatro_env, small) as trainer:
        assert trainer.vector.vector.vector.options.max_ante == 3
        assert trainer.environments.native is not None


def test_options_of_the_environment_that_cannot_reach_it_are_refused(small):
    small.env_kwargs = {"legal": 2, "color": "red"}
    with pytest.raises(ConfigError, match=r"env_kwargs: the function MaskedBandit does not take .*'color'"):
        create_trainer(MaskedBandit, small)
    with pytest.raises(ConfigError, match=r"env_kwargs: the function make_cartpole does not take"):
        create_trainer(make_cartpole, small)
    for made in (MaskedBandit(), make_vectorized_env(make_cartpole, n_envs=2)):
        with pytest.raises(
            ConfigError, match="env_kwargs: legal, color cannot reach an environment that is made"
        ):
            create_trainer(made, small)
        made.close()


def test_network_sizes_are_checked(small):
    small.env, small.network_sizes = "jimbot/Balatro-v0", {"joker_embeding": 3}
    with create_trainer(None, small) as trainer, pytest.raises(ConfigError, match="unknown network size"):
        _ = trainer.model


# --- other people's trainers -----------------------------------------------------------------------------------------


def test_a_trainer_joins_by_the_decorator(small):
    @register_trainer("lucky")
    class LuckyTrainer(RLTrainer):
        """Guesses until an action pays."""

        capabilities = Capabilities(
            algorithms=("Lucky",), unsupported={"normalize_reward": "it does not learn"}
        )

        def create_model(self):
            return {"guess": 0}

        def iterate(self):
            step = self.vector.step(np.full(self.vector.num_envs, self.model["guess"] % 4))
            self.model["guess"] += int(step.rewards.mean() < 0.5)
            return Iteration(self.vector.num_envs, {"guess": self.model["guess"]})

        def policy(self, *, deterministic=True):
            return lambda observation: np.full(len(observation), self.model["guess"] % 4)

        def training_state(self):
            return dict(self.model)

        def restore_training_state(self, state):
            self.model.update(state)

    config = small.copy_with(backend="lucky", algorithm="Lucky")
    with create_trainer(Identity, config) as trainer:
        assert isinstance(trainer, LuckyTrainer)
        assert trainer.train(progress="silent")["timesteps"] == 256
        assert trainer.save_checkpoint(1.0).is_dir()
    assert isinstance(create_trainer(Identity, small.copy_with(algorithm="Lucky")), LuckyTrainer)
    with pytest.raises(
        ConfigError, match="normalize_reward: LuckyTrainer cannot honor it: it does not learn"
    ):
        create_trainer(Identity, config.copy_with(normalize_reward=False))
    with pytest.raises(ConfigError, match="there is a trainer 'sb3' already"):
        register_trainer("sb3")(LuckyTrainer)
    assert register_trainer("lucky")(LuckyTrainer) is LuckyTrainer
    with pytest.raises(ConfigError, match="there is a trainer 'lucky' already"):

        @register_trainer("lucky")
        class OtherTrainer(LuckyTrainer):
            """Another class under the same name."""


def test_masked_environments_of_others_work_from_a_function(small):
    with create_trainer(MaskedBandit, small) as trainer:
        trainer.train(progress="silent")
        assert trainer.vector.num_envs == 2
