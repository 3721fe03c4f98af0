"""Environments side by side: episodes counted, ends kept, snapshots exact, seeds of training and evaluation apart."""

from __future__ import annotations

import functools
from typing import Any

import gymnasium
import numpy as np
import pytest
from tests.training.tiny_envs import Drifting, Identity, Ladder, MaskedBandit

from jimbot.statistics.evaluation_sets import FIRST_EVALUATION_SEED
from jimbot.training.config.trainer_config import ConfigError, TrainerConfig, get_default_config
from jimbot.training.envs.creation import Environments, environment_id
from jimbot.training.envs.episode_recorder import EpisodeRecorder, ResumeError
from jimbot.training.envs.evaluation import evaluate_gymnasium, random_policy
from jimbot.training.envs.normalized_vector import NormalizedVector, unbounded_fields
from jimbot.training.envs.packing import Packing
from jimbot.training.envs.vectors import TrainingVector, gymnasium_vector
from jimbot.training.utils import create_balatro_env, make_vectorized_env


def config_for(env: str, **values: Any) -> TrainerConfig:
    return get_default_config("PPO").copy_with(env=env, n_envs=3, **values)


def vector_of(env: str, **values: Any) -> TrainingVector:
    config = config_for(env, **values)
    return Environments.of(None, config).training_vector(config)


def random_actions(vector: TrainingVector, rng: np.random.Generator) -> Any:
    return random_policy(vector.action_space, int(rng.integers(2**31)))(vector.observation())


def trace(vector: TrainingVector, rng: np.random.Generator, steps: int) -> list[Any]:
    """Everything a learner would see in some random steps."""
    seen: list[Any] = []
    for _ in range(steps):
        step = vector.step(random_actions(vector, rng))
        observation = step.observation
        arrays = observation.values() if isinstance(observation, dict) else [observation]
        seen.append(
            [
                *(np.array(each).tobytes() for each in arrays),
                step.rewards.tobytes(),
                step.terminated.tobytes(),
            ]
        )
    return [*seen, vector.drain()]


@pytest.mark.parametrize("env", ["CartPole-v1", "balatro"])
def test_a_restored_vector_goes_on_exactly(env):
    first = vector_of(env)
    first.reset()
    trace(first, np.random.default_rng(0), 40)
    tree = first.snapshot()
    expected = trace(first, np.random.default_rng(1), 60)
    second = vector_of(env)
    second.restore(tree)
    assert trace(second, np.random.default_rng(1), 60) == expected
    assert expected[-1], "no episode ended: the test is too short to show anything"


def test_subprocesses_restore_exactly_too():
    config = config_for("CartPole-v1", vectorization="subprocess")
    first = Environments.of(None, config).training_vector(config)
    second = Environments.of(None, config).training_vector(config)
    try:
        first.reset()
        trace(first, np.random.default_rng(0), 15)
        second.restore(first.snapshot())
        assert trace(second, np.random.default_rng(1), 30) == trace(first, np.random.default_rng(1), 30)
    finally:
        first.close()
        second.close()


def test_a_vector_of_another_size_is_refused():
    tree = vector_of("CartPole-v1")
    tree.reset()
    other = TrainingVector(gymnasium_vector(lambda: gymnasium.make("CartPole-v1"), 2, in_processes=False), 1)
    with pytest.raises(ResumeError, match="the checkpoint has 3 environments, this run 2"):
        other.restore(tree.snapshot())


def test_an_environment_that_its_seed_does_not_determine_is_found_out():
    Drifting.drift = 0
    vector = TrainingVector(gymnasium_vector(Drifting, 2, in_processes=False), 1)
    vector.reset()
    for _ in range(5):
        vector.step(np.zeros(2, np.int64))
    tree = vector.snapshot()
    with pytest.raises(ResumeError, match=r"ended at step 1 when played again.*not determined by its seed"):
        TrainingVector(gymnasium_vector(Drifting, 2, in_processes=False), 1).restore(tree)


def test_episodes_tell_what_the_environment_tells():
    vector = TrainingVector(gymnasium_vector(Ladder, 2, in_processes=False), 1)
    vector.reset()
    for _ in range(8):
        vector.step(np.array([1, 0]))
    won, *lost = sorted(vector.drain(), key=lambda each: -each.length)
    assert (won.length, won.reward, won.numbers["won"], won.numbers["ante"]) == (8, 1.0, 1.0, 8.0)
    assert len(lost) == 8
    assert all(each.length == 1 and each.numbers["won"] == 0.0 for each in lost)
    assert vector.drain() == []


def test_training_seeds_lie_below_evaluation_seeds():
    recorder = EpisodeRecorder(gymnasium.make("CartPole-v1"))
    recorder.reset(seed=3)
    seeds = []
    for _ in range(200):
        recorder.reset()
        seeds.append(recorder.episode_seed)
    assert max(seeds) < FIRST_EVALUATION_SEED
    assert len(set(seeds)) == 200


def test_the_same_set_is_the_same_episodes():
    policy = lambda obs: np.zeros(len(obs), np.int64)  # noqa: E731
    make = functools.partial(gymnasium.make, "CartPole-v1")
    one, again, other = (evaluate_gymnasium(policy, make, 5, number) for number in (0, 0, 1))
    assert one.lengths.tolist() == again.lengths.tolist()
    assert one.lengths.tolist() != other.lengths.tolist()


def test_every_begun_episode_is_counted_once():
    """An evaluation of many short and few long episodes would be skewed if only the first to end were counted."""

    class ShortOrLong(Identity):
        def reset(self, *, seed=None, options=None):
            result = super().reset(seed=seed)
            self.length = 1 if self.np_random.random() < 0.5 else 50
            return result

        def step(self, action):
            observation, paid, _, _, info = super().step(action)
            return observation, paid, self.steps >= self.length, False, info

    result = evaluate_gymnasium(lambda obs: np.zeros(len(obs), np.int64), ShortOrLong, 200)
    assert len(result.lengths) == 200
    assert set(result.lengths.tolist()) == {1, 50}
    assert 60 < (result.lengths == 50).sum() < 140


# --- where environments come from -----------------------------------------------------------------------------------


def test_names_and_aliases():
    assert environment_id("cartpole") == "CartPole-v1"
    assert environment_id("balatro") == "jimbot/Balatro-v0"
    assert environment_id("Acrobot-v1") == "Acrobot-v1"
    with pytest.raises(ConfigError, match="env: Gymnasium cannot make 'NoSuch-v0'"):
        vector_of("NoSuch-v0")
    with pytest.raises(ConfigError, match="env_kwargs: CartPole-v1 refused them"):
        vector_of("CartPole-v1", env_kwargs={"wheels": 3})


def test_a_balatro_environment_becomes_a_native_vector_with_its_options():
    config = config_for("balatro")
    found = Environments.of(create_balatro_env(seed=1, max_ante=3), config)
    vector: Any = found.training_vector(config).vector
    assert type(vector).__name__ == "BalatroVectorEnv"
    assert (vector.num_envs, vector.options.max_ante) == (3, 3)
    assert vector.options.discount == 1.0  # what the given environment has
    named: Any = vector_of("balatro").vector
    assert named.options.discount == config.hyperparams.gamma  # shaping by the learner's own discount


def test_vectors_creators_and_instances():
    config = config_for("CartPole-v1")
    given = make_vectorized_env(create_balatro_env, n_envs=5, seed=1)
    assert Environments.of(given, config).training_vector(config).num_envs == 5
    assert Environments.of(Ladder, config).training_vector(config).num_envs == 3
    assert Environments.of(gymnasium.make("CartPole-v1"), config).training_vector(config).num_envs == 3
    assert Environments.of(Ladder(), config).training_vector(config).num_envs == 3
    with pytest.raises(ConfigError, match=r"expected an environment, .* got int"):
        Environments.of(3, config)
    with pytest.raises(ConfigError, match=r"the function made int, expected a gymnasium.Env"):
        Environments.of(lambda: 3, config)
    with pytest.raises(ConfigError, match="vectorization: CartPole-v1 has no native vector"):
        vector_of("CartPole-v1", vectorization="native")


def test_evaluation_of_balatro_is_on_evaluation_seeds():
    config = config_for("balatro")
    found = Environments.of(None, config)
    native: Any = found._evaluation_vector(1, 2)
    assert native.options.seeds == "evaluation"
    training: Any = found.training_vector(config).vector
    assert training.options.seeds == "training"


# --- normalizing and packing ----------------------------------------------------------------------------------------


def test_only_unbounded_arrays_are_normalized():
    assert unbounded_fields(gymnasium.make("CartPole-v1").observation_space) == {"observation": (4,)}
    assert unbounded_fields(create_balatro_env().observation_space) == {}


def test_normalized_observations_and_rewards_and_their_snapshot():
    config = config_for("CartPole-v1")
    vector = NormalizedVector(vector_of("CartPole-v1"), config)
    vector.reset()
    rng = np.random.default_rng(0)
    for _ in range(50):
        step = vector.step(rng.integers(2, size=3))
    assert not np.array_equal(step.observation, vector.vector.observation())
    assert not np.allclose(step.rewards, 1.0)
    other = NormalizedVector(vector_of("CartPole-v1"), config)
    np.testing.assert_array_equal(other.restore(vector.snapshot()), vector.observation())
    actions = rng.integers(2, size=3)
    one, two = vector.step(actions), other.step(actions)
    np.testing.assert_array_equal(one.observation, two.observation)
    np.testing.assert_array_equal(one.rewards, two.rewards)
    plain = NormalizedVector(
        vector_of("CartPole-v1"), config.copy_with(normalize_obs=False, normalize_reward=False)
    )
    plain.reset()
    assert (plain.step(actions).rewards == 1.0).all()
    assert plain.normalizer is None


@pytest.mark.parametrize("make", [MaskedBandit, Identity, create_balatro_env, Ladder])
def test_packing_loses_nothing(make):
    env = make()
    packing = Packing(env.observation_space)
    observations = [env.reset(seed=seed)[0] for seed in range(4)]
    batch: Any = gymnasium.vector.utils.create_empty_array(env.observation_space, 4)
    for row, observation in enumerate(observations):
        if isinstance(batch, dict):
            for name, array in batch.items():
                array[row] = observation[name]
        else:
            batch[row] = observation
    blocks = packing.empty(4)
    packing.pack(batch, blocks)
    back = packing.unpack(blocks)
    if isinstance(batch, dict):
        assert back.keys() == batch.keys()
        for name, array in batch.items():
            np.testing.assert_array_equal(back[name], array)
    else:
        np.testing.assert_array_equal(back, batch)


def test_an_evaluation_asks_the_policy_only_where_an_episode_is_open():
    """Ended episodes play on unseen, by legal actions, and change nothing."""
    asked = []

    def first_legal(observation):
        asked.append(len(observation["action_mask"]))
        return np.argmax(observation["action_mask"] > 0, axis=1)

    config = TrainerConfig(env="jimbot/Balatro-v0", env_kwargs={"max_steps": 60})
    environments = Environments.of(None, config)
    together = environments.evaluate(first_legal, 12, 3)
    assert asked[0] == 12
    assert asked == sorted(asked, reverse=True)
    assert sum(asked) == together.lengths.sum()
    alone = [environments.evaluate(first_legal, count, 3) for count in (1, 5)]
    for each in alone:
        np.testing.assert_array_equal(each.rewards, together.rewards[: len(each.rewards)])
