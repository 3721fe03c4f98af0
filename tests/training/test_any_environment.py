"""Any Gymnasium environment works: classic and continuous control, tables, dictionaries, several choices at once."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.spaces import Box, Dict, Discrete, MultiBinary, MultiDiscrete

pytest.importorskip("stable_baselines3")
from jimbot.networks import NetworkSpecError, check_spaces, load_policy
from jimbot.players.batch_policy import NetworkPolicy
from jimbot.training.config.trainer_config import ConfigError, TrainerConfig
from jimbot.training.framework import create_trainer, get_default_config, resume_run


class Target(gymnasium.Env):
    """Eight steps; an action pays the more the nearer it is to what is seen. Continuous, in any shape."""

    def __init__(self, shape: tuple[int, ...] = (2,), bound: float = 1.0) -> None:
        self.observation_space = Dict({"goal": Box(-1, 1, (2,), np.float32), "side": Discrete(2)})
        self.action_space = Box(-bound, bound, shape, np.float32)

    def observe(self):
        return {"goal": self.goal, "side": int(self.goal[0] > 0)}

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.steps = 0
        self.goal = self.np_random.uniform(-1, 1, 2).astype(np.float32)
        return self.observe(), {}

    def step(self, action: Any):
        assert self.action_space.contains(action), action
        self.steps += 1
        distance = float(np.square(action.ravel() - self.goal).sum())
        return self.observe(), -distance, self.steps == 8, False, {}


class Locks(gymnasium.Env):
    """One step: three wheels to turn to what is seen."""

    observation_space = MultiDiscrete([2, 3, 4])

    def __init__(self, action_space: gymnasium.Space[Any] | None = None) -> None:
        self.action_space = action_space or MultiDiscrete([2, 3, 4])

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.code = self.np_random.integers([2, 3, 4])
        return self.code, {}

    def step(self, action: Any):
        assert self.action_space.contains(action), action
        return self.code, float((np.asarray(action) == self.code).mean()), True, False, {}


def config(tmp_path, algorithm: str = "PPO", **changes: Any) -> TrainerConfig:
    made = get_default_config(algorithm).copy_with(
        total_timesteps=128, n_envs=2, eval_episodes=2, save_dir=str(tmp_path), name="run"
    )
    made.hyperparams.policy_net_arch = [16]
    made.hyperparams.value_net_arch = [16]
    own: dict[str, dict[str, Any]] = {
        "PPO": {"n_steps": 32, "batch_size": 32, "n_epochs": 2},
        "A2C": {"n_steps": 8},
        "SAC": {"learning_starts": 32, "batch_size": 16},
        "TD3": {"learning_starts": 32, "batch_size": 16},
    }
    made.hyperparams.algorithm_specific = own[algorithm]
    return made.copy_with(**changes)


ENVIRONMENTS = {
    "CartPole": "CartPole-v1",
    "Pendulum": "Pendulum-v1",
    "MountainCarContinuous": "MountainCarContinuous-v0",
    "FrozenLake": "FrozenLake-v1",
    "Dict and Box": Target,
    "Box of a shape": lambda: Target((1, 2)),
    "unbounded Box": lambda: Target(bound=np.inf),
    "MultiDiscrete": Locks,
    "MultiBinary": lambda: Locks(MultiBinary(3)),
}


@pytest.mark.parametrize("algorithm", ["PPO", "A2C"])
@pytest.mark.parametrize("env", ENVIRONMENTS.values(), ids=ENVIRONMENTS)
def test_trains_is_evaluated_and_its_policy_file_plays(tmp_path, env, algorithm):
    changes = {"env": env} if isinstance(env, str) else {}
    with create_trainer(None if changes else env, config(tmp_path, algorithm, **changes)) as trainer:
        result = trainer.train(progress="silent")
        assert result["timesteps"] == 128
        assert np.isfinite(result["mean_reward"])
        single = trainer.environments.creator()
        space = gymnasium.vector.utils.batch_space(single.observation_space, 5)
        space.seed(1)
        seen = space.sample()
        expected = trainer.policy()(seen)
    policy = NetworkPolicy(tmp_path / "run" / "final")
    assert (policy(seen) == expected).all()
    drawn = NetworkPolicy(tmp_path / "run" / "final", deterministic=False, seed=3)(seen)
    for action in [*expected, *drawn]:
        assert single.action_space.contains(action)


CONTINUOUS = ["Pendulum", "MountainCarContinuous", "Dict and Box", "Box of a shape"]


@pytest.mark.parametrize("algorithm", ["SAC", "TD3"])
@pytest.mark.parametrize("name", CONTINUOUS)
def test_sac_and_td3_train_and_their_policy_files_play(tmp_path, name, algorithm):
    env = ENVIRONMENTS[name]
    changes = {"env": env} if isinstance(env, str) else {}
    with create_trainer(None if changes else env, config(tmp_path, algorithm, **changes)) as trainer:
        result = trainer.train(progress="silent")
        assert result["timesteps"] == 128
        assert result["metrics"]["train/n_updates"] > 0
        single = trainer.environments.creator()
        space = gymnasium.vector.utils.batch_space(single.observation_space, 5)
        space.seed(1)
        seen = space.sample()
        expected = trainer.policy()(seen)
        drawn = trainer.policy(deterministic=False)(seen)
    found = NetworkPolicy(tmp_path / "run" / "final")(seen)
    assert found == pytest.approx(expected, abs=1e-5)
    for action in [*found, *drawn]:
        assert single.action_space.contains(action)
    other = config(tmp_path, algorithm, **changes, name="other", seed=7)
    with create_trainer(None if changes else env, other) as trainer:
        assert trainer.policy()(seen) != pytest.approx(expected, abs=1e-5)
        assert trainer.load(tmp_path / "run" / "final").policy()(seen) == pytest.approx(expected, abs=1e-5)


@pytest.mark.parametrize("algorithm", ["SAC", "TD3"])
@pytest.mark.parametrize("env", ["CartPole-v1", lambda: Target(bound=np.inf)], ids=["Discrete", "unbounded"])
def test_sac_and_td3_need_a_bounded_box(tmp_path, env, algorithm):
    with pytest.raises(ConfigError, match=rf"{algorithm} on backend sb3 cannot act in .* that can: PPO, A2C"):
        create_trainer(env, config(tmp_path, algorithm))


def test_cloning_needs_discrete_actions(tmp_path):
    with pytest.raises(ConfigError, match="use_behavioral_cloning: experts choose Discrete actions"):
        create_trainer(Target, config(tmp_path, use_behavioral_cloning=True))


def test_what_sac_does_not_use_is_refused(tmp_path):
    options = config(tmp_path, "SAC")
    options.hyperparams.gae_lambda = 0.5
    with pytest.raises(ConfigError, match=r"hyperparams\.gae_lambda: SAC does not use it, PPO, A2C"):
        create_trainer(Target, options)


@pytest.mark.parametrize(
    ("algorithm", "env"),
    [("PPO", Target), ("A2C", Target), ("SAC", Target), ("TD3", Target), ("PPO", Locks), ("A2C", Locks)],
)
def test_a_resumed_training_equals_an_unbroken_one(tmp_path, algorithm, env):
    with create_trainer(env, config(tmp_path / "whole", algorithm)) as whole:
        whole.train(progress="silent")
        expected = whole.policy_tensors()
    with create_trainer(env, config(tmp_path / "parts", algorithm)) as first:
        first.train(total_timesteps=64, progress="silent")
    with resume_run(tmp_path / "parts" / "run", env) as second:
        second.train(progress="silent")
        found = second.policy_tensors()
    assert expected.keys() == found.keys()
    assert all((found[name] == expected[name]).all() for name in expected)
    assert ("log_std" in found) == (env is Target)


@pytest.mark.parametrize("algorithm", ["SAC", "TD3"])
def test_sac_and_td3_learn(tmp_path, algorithm):
    options = config(tmp_path, algorithm, total_timesteps=1500, n_envs=2, eval_freq=100_000)
    options.hyperparams.learning_rate = 3e-3
    options.hyperparams.algorithm_specific = {"learning_starts": 200, "batch_size": 64}
    with create_trainer(Target, options) as trainer:
        before = trainer.evaluate(50)[0]
        trainer.train(progress="silent")
        assert trainer.evaluate(50)[0] > before / 2


@pytest.mark.parametrize(("env", "untrained", "goal"), [(Target, -4.0, -2.5), (Locks, 0.5, 0.8)])
def test_ppo_learns(tmp_path, env, untrained, goal):
    options = config(tmp_path, total_timesteps=8192, n_envs=8, eval_freq=100_000, eval_episodes=50)
    options.hyperparams.learning_rate = 3e-3
    options.hyperparams.entropy_coefficient = 0.0
    options.hyperparams.algorithm_specific = {"n_steps": 64, "batch_size": 128, "n_epochs": 8}
    with create_trainer(env, options) as trainer:
        assert trainer.evaluate(50)[0] < untrained
        trainer.train(progress="silent")
        assert trainer.evaluate(50)[0] > goal


def test_a_policy_of_other_bounds_is_refused(tmp_path):
    with create_trainer(Target, config(tmp_path)) as trainer:
        trainer.train(total_timesteps=64, progress="silent")
    spec = load_policy(tmp_path / "run" / "final").spec
    env, other = Target(), Target(bound=2.0)
    check_spaces(spec, env.observation_space, env.action_space)
    with pytest.raises(NetworkSpecError, match="are not those of the network"):
        check_spaces(spec, other.observation_space, other.action_space)


@pytest.mark.parametrize("backend", ["tianshou", "jax", "rllib"])
def test_a_backend_that_cannot_act_in_a_box_names_one_that_can(tmp_path, backend):
    with pytest.raises(ConfigError, match=rf"PPO on backend {backend} cannot act in Box.*that can: sb3"):
        create_trainer(None, config(tmp_path, backend=backend, env="Pendulum-v1"))


def test_an_algorithm_that_cannot_act_in_a_box_names_those_that_can(tmp_path):
    options = get_default_config("DQN").copy_with(env="Pendulum-v1", save_dir=str(tmp_path))
    with pytest.raises(
        ConfigError, match=r"DQN on backend sb3 cannot act in Box.*that can: PPO, A2C, SAC, TD3"
    ):
        create_trainer(None, options)
