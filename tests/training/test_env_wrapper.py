"""The documented wrappers of single environments, and the curriculum of many."""

# pyright: reportArgumentType=false, reportAttributeAccessIssue=false, reportOperatorIssue=false

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from tests.training.tiny_envs import Identity, Ladder, MaskedBandit

from jimbot.training.config.trainer_config import ConfigError, CurriculumConfig, DifficultyStep
from jimbot.training.env_wrapper import (
    ActionMaskWrapper,
    BalatroGymWrapper,
    CurriculumWrapper,
    EnvironmentWrapper,
    RewardScalingWrapper,
    WrapperError,
    wrap_balatro_env,
)
from jimbot.training.envs.curriculum import AnteCurriculum, DifficultySchedule
from jimbot.training.envs.vectors import TrainingVector, gymnasium_vector
from jimbot.training.utils import create_balatro_env


def play(env, action=None):
    """One episode; the last step."""
    env.reset(seed=1)
    while True:
        chosen = env.action_space.sample() if action is None else action
        step = env.step(chosen)
        if step[2] or step[3]:
            return step


def test_the_balatro_wrapper_totals_an_episode():
    env = BalatroGymWrapper(create_balatro_env(checked=False))
    observation, _ = env.reset(seed=5)
    total, length = 0.0, 0
    while True:
        legal = np.flatnonzero(observation["action_mask"])
        observation, reward, terminated, truncated, info = env.step(legal[length % len(legal)])
        total, length = total + reward, length + 1
        if terminated or truncated:
            break
        assert "episode" not in info
    assert info["episode"] == {"r": pytest.approx(total), "l": length}
    assert env.action_masks().shape == (env.action_space.n,)
    with pytest.raises(WrapperError, match="expected a Dict observation with 'action_mask', got Box"):
        BalatroGymWrapper(gymnasium.make("CartPole-v1"))


def test_own_wrappers_change_what_they_like():
    class Doubling(EnvironmentWrapper):
        def step(self, action):
            observation, reward, terminated, truncated, info = self.env.step(action)
            return observation, 2 * reward, terminated, truncated, info

    env = Doubling(gymnasium.make("CartPole-v1"))
    env.reset(seed=1)
    assert env.step(0)[1] == 2.0


def test_a_curriculum_grows_when_enough_episodes_are_won_and_not_before():
    env = CurriculumWrapper(Ladder(), initial_max_ante=2, success_threshold=0.75, window=4, final_max_ante=4)
    for won in (True, True, False, True):
        assert env.max_ante == 2
        info = play(env, action=int(won))[4]
    assert info["curriculum_max_ante"] == env.max_ante == 3
    for _ in range(3):
        play(env, action=1)
    assert env.max_ante == 3  # the window starts anew
    for _ in range(9):
        play(env, action=1)
    assert env.max_ante == 4  # and ends at the final ante


def test_losing_never_raises_it():
    env = CurriculumWrapper(Ladder(), initial_max_ante=2, window=4)
    for _ in range(20):
        play(env, action=0)
    assert env.max_ante == 2


def test_a_curriculum_reaches_balatro_and_is_restored():
    env = wrap_balatro_env(
        create_balatro_env(seed=1),
        use_curriculum=True,
        curriculum_config={"initial_max_ante": 2, "ante_increment": 1, "success_threshold": 0.8},
    )
    assert env.unwrapped.options.max_ante == 2
    env.restore({"max_ante": 5, "outcomes": [True, False]})
    assert env.unwrapped.options.max_ante == 5
    assert env.state() == {"max_ante": 5, "outcomes": [True, False]}


def test_curricula_that_cannot_be():
    with pytest.raises(WrapperError, match="CartPoleEnv has no set_max_ante"):
        CurriculumWrapper(gymnasium.make("CartPole-v1"))
    with pytest.raises(ConfigError, match="there is no such field"):
        CurriculumWrapper(Ladder(), lives=3)
    with pytest.raises(WrapperError, match="use_curriculum is off"):
        wrap_balatro_env(create_balatro_env(), curriculum_config={"initial_max_ante": 2})
    assert isinstance(wrap_balatro_env(create_balatro_env()), BalatroGymWrapper)


def test_reward_scaling():
    env = RewardScalingWrapper(gymnasium.make("CartPole-v1"), scale=0.5)
    env.reset(seed=1)
    assert env.step(0)[1] == 0.5
    clipped = RewardScalingWrapper(gymnasium.make("CartPole-v1"), scale=-3.0, clip=1.0)
    clipped.reset(seed=1)
    assert clipped.step(0)[1] == -1.0
    with pytest.raises(WrapperError, match="clip must be positive"):
        RewardScalingWrapper(gymnasium.make("CartPole-v1"), clip=0)


def test_masks_of_a_method_come_into_the_observation():
    class Masking(Identity):
        def action_masks(self):
            return np.arange(4) == self.number

    env = ActionMaskWrapper(Masking())
    observation, _ = env.reset(seed=1)
    assert (
        observation["action_mask"].tolist()
        == (np.arange(4) == observation["observation"]).astype(int).tolist()
    )
    following = env.step(observation["observation"])[0]
    assert env.observation_space.contains({**following, "observation": np.int64(following["observation"])})
    with pytest.raises(WrapperError, match="has neither 'action_mask' in its observation nor a method"):
        ActionMaskWrapper(Identity())
    with pytest.raises(WrapperError, match="masks need a Discrete action space, got Box"):
        ActionMaskWrapper(gymnasium.make("Pendulum-v1"))
    bandit = MaskedBandit()
    assert ActionMaskWrapper(bandit).observation_space == bandit.observation_space


# --- many environments -----------------------------------------------------------------------------------------------


def ladder_vector() -> TrainingVector:
    vector = TrainingVector(gymnasium_vector(Ladder, 4, in_processes=False), 1)
    vector.reset()
    return vector


def test_only_episodes_begun_at_the_present_ante_count():
    vector = ladder_vector()
    curriculum = AnteCurriculum(
        CurriculumConfig(initial_max_ante=2, window=8, success_threshold=1.0, final_max_ante=3)
    )
    curriculum.begin(vector)
    vector.reset()
    for _ in range(4):  # two wins in each of the four environments: the window is full
        vector.step(np.ones(4, np.int64))
        curriculum.advance(vector, vector.drain(), 0)
    assert curriculum.max_ante == 3
    assert curriculum.metrics() == {"curriculum/max_ante": 3, "curriculum/success_rate": 0.0}
    for _ in range(2):  # these began before the change and end after it
        vector.step(np.ones(4, np.int64))
        curriculum.advance(vector, vector.drain(), 0)
    assert len(curriculum.window.outcomes) == 0
    for _ in range(3):
        vector.step(np.ones(4, np.int64))
        curriculum.advance(vector, vector.drain(), 0)
    assert len(curriculum.window.outcomes) == 4
    other = AnteCurriculum(curriculum.config)
    other.restore(curriculum.state())
    assert other.state() == curriculum.state()


def test_difficulties_begin_at_their_timestep():
    class Told:
        stage = 0
        said: list[str]

        def __init__(self) -> None:
            self.said = []

        def has(self, method):
            return method == "set_difficulty"

        def tell(self, method, difficulty, stage):
            assert method == "set_difficulty"
            self.said.append(difficulty)
            self.stage = stage

    steps = [DifficultyStep(timestep=0, difficulty="easy"), DifficultyStep(timestep=100, difficulty="hard")]
    schedule, told = DifficultySchedule(steps), Told()
    schedule.begin(told)
    for timestep in (50, 99, 100, 150):
        schedule.advance(told, [], timestep)
    assert told.said == ["easy", "hard"]
    resumed = DifficultySchedule(steps)
    resumed.restore(schedule.state())
    assert resumed.metrics() == {"curriculum/stage": 1}


def test_environments_without_antes_refuse_a_curriculum():
    vector = TrainingVector(gymnasium_vector(Identity, 2, in_processes=False), 1)
    with pytest.raises(ConfigError, match="use_curriculum: the environment has no set_max_ante"):
        AnteCurriculum(CurriculumConfig()).begin(vector)
    with pytest.raises(ConfigError, match="difficulty_schedule: the environment has no set_difficulty"):
        DifficultySchedule([DifficultyStep()]).begin(vector)
