"""The single environment: Gymnasium's contract, known episodes, options, snapshots."""

from __future__ import annotations

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import jimbot.therapy
from jimbot.therapy import OmniscientWrapper, TherapyEnv, TherapyError, TherapyOptions, TherapyVectorEnv

from .conftest import known

EPISODES = known("episodes")["env_traces"]


@pytest.mark.parametrize("index", range(len(EPISODES)))
def test_known_episodes(index):
    case = EPISODES[index]
    env = TherapyEnv(**case["config"], generator=case["generator"])
    observation, info = env.reset(seed=case["reset_seed"])
    for name in ("pattern", "episode_seed"):
        assert info[name] == case[name]
    for name in ("rs_threshold", "initial_rs", "initial_bond"):
        assert info[name] == pytest.approx(case[name], abs=1e-9)
    luck = np.random.RandomState(777)
    for session in range(case["sessions"]):
        shown = int(observation["client_action"])
        assert shown == case["client_actions"][session]
        action = (4 - shown) % 8 if case["policy"] == "complement" else int(luck.randint(0, 8))
        assert action == case["therapist_actions"][session]
        observation, reward, terminated, truncated, info = env.step(action)
        assert env.clients.last_perceived[0] == case["perceived"][session]
        assert info["rs"] == pytest.approx(case["rs"][session], abs=1e-8)
        assert info["bond"] == pytest.approx(case["bond"][session], abs=1e-8)
        assert (terminated or truncated) is (session + 1 == case["sessions"])
        assert (info["client_action"], info["therapist_action"]) == (shown, action)
    assert (reward, terminated, truncated) == (case["final_reward"], case["terminated"], case["truncated"])
    assert (info["success"], info["dropped_out"]) == (case["success"], case["dropped_out"])
    assert info["session"] == case["sessions"]
    assert observation["history"].tolist() == case["final_history_obs"]
    assert observation["session_number"].tolist() == pytest.approx(case["final_session_number_obs"], abs=1e-9)
    assert int(observation["client_action"]) == case["client_actions"][-1]


@pytest.mark.parametrize("omniscient", [False, True])
def test_gymnasium_finds_nothing_wrong(omniscient):
    env = gymnasium.make("jimbot/Therapy-v0", omniscient=omniscient)
    check_env(env.unwrapped, skip_render_check=True)


def test_documented_options_reach_the_clients():
    env = gymnasium.make(
        "jimbot/Therapy-v0",
        patterns=["cold_stuck", "cold_warm"],
        mechanism="conditional_amplifier",
        threshold=0.8,
        max_sessions=7,
        entropy=1.5,
    )
    seen = {env.reset(seed=seed)[1]["pattern"] for seed in range(20)}
    assert seen == {"cold_stuck", "cold_warm"}
    unwrapped = env.unwrapped
    assert isinstance(unwrapped, TherapyEnv)
    assert unwrapped.options.mechanism_number == 2
    steps = 0
    truncated = False
    while not truncated:
        _, reward, terminated, truncated, info = env.step(0)
        assert not terminated
        steps += 1
    assert (steps, reward, info["max_reached"]) == (7, 0, True)


def test_history_shows_what_was_done_not_what_was_perceived():
    env = TherapyEnv(patterns="cold_stuck", baseline_accuracy=0.0, threshold=1.0, max_sessions=60)
    observation, _ = env.reset(seed=1)
    assert (observation["history"] == 8).all()
    pairs: list[int] = []
    info = {}
    for session in range(40):
        pairs += [int(observation["client_action"]), session % 8]
        observation, _, terminated, _, info = env.step(session % 8)
        expected = pairs[-50:] + [8] * (50 - len(pairs))
        assert observation["history"].tolist() == expected
        assert observation["session_number"] == np.float32((session + 1) / 60)
        if terminated:
            break
    assert info["misperceptions"] > 0
    assert info["accurate_perceptions"] == 0
    assert info["distortion_rate"] == info["misperceptions"] / info["session"]


def test_perfect_accuracy_perceives_everything():
    env = TherapyEnv(patterns="cold_stuck", baseline_accuracy=1.0)
    env.reset(seed=1)
    info = {}
    for action in range(8):
        info = env.step(action)[4]
        assert info["perceived_action"] == action
    assert (info["misperceptions"], info["accurate_perceptions"]) == (0, 8)


def test_a_client_that_is_worse_off_leaves_after_the_tenth_session():
    env = TherapyEnv(patterns="complementary_perfect", threshold=1.0, enable_parataxic=False)
    observation, start = env.reset(seed=0)
    for session in range(1, 11):
        answer = (int(observation["client_action"]) * -1) % 8  # the anti-complement hurts
        observation, reward, terminated, _, info = env.step(answer)
        assert terminated is (session == 10)
    assert info["dropped_out"]
    assert info["rs"] < start["initial_rs"]
    assert reward == -150


def test_a_chosen_client():
    env = TherapyEnv(patterns="mixed_random")
    _, info = env.reset(seed=0, options={"episode_seed": 41, "pattern": "cw_50_50"})
    assert (info["episode_seed"], info["pattern"], env.pattern) == (41, "cold_warm", "cold_warm")
    np.testing.assert_array_equal(env.clients.utilities[:, :, 0].T, jimbot.therapy.sample_utilities(41))


@pytest.mark.parametrize("seeding", ["compatible", "independent"])
def test_the_same_seed_is_the_same_therapy(seeding):
    def run(seed: int) -> list[object]:
        env = TherapyEnv(seeding=seeding, max_sessions=20)
        rows: list[object] = [env.reset(seed=seed)[1]]
        for _ in range(3):
            done = False
            while not done:
                _, reward, terminated, truncated, info = env.step(5)
                rows.append((reward, info))
                done = terminated or truncated
            rows.append(env.reset()[1])
        return rows

    assert run(5) == run(5)
    assert run(5) != run(6)


def test_fixed_utilities():
    for given in ("cold_trap", jimbot.therapy.get_utilities("cold_trap")):
        env = TherapyEnv(utilities=given)
        for seed in range(3):
            _, info = env.reset(seed=seed)
            assert info["rs_threshold"] == pytest.approx(-52 + 0.9 * 120)


def test_omniscient_wrapper_tells_the_inner_state():
    plain = gymnasium.make("jimbot/Therapy-v0", patterns="cold_stuck", mechanism=3, entropy=3.25)
    env = OmniscientWrapper(plain)
    option = TherapyEnv(patterns="cold_stuck", mechanism=3, entropy=3.25, omniscient=True)
    unwrapped = env.unwrapped
    assert isinstance(unwrapped, TherapyEnv)
    for seed in (1, 2):
        observation, _ = env.reset(seed=seed)
        same, _ = option.reset(seed=seed)
        assert observation["last_actual_action"] == observation["last_perceived_action"] == 8
        assert observation["parataxic_distortion_rate"] == 0
        for action in range(7):
            assert env.observation_space.contains(observation)
            assert set(observation) == set(same)
            for name, value in observation.items():
                np.testing.assert_array_equal(value, same[name])
            observation, _, _, _, info = env.step(action)
            same = option.step(action)[0]
            assert observation["last_actual_action"] == action
            assert observation["last_perceived_action"] == info["perceived_action"]
            assert observation["parataxic_distortion_rate"][0] == np.float32(info["distortion_rate"])
            assert observation["bond"][0] == np.float32(info["bond"])
    u = unwrapped.clients.utilities[:, :, 0].T
    scaled = 2 * (u - u.min()) / (u.max() - u.min()) - 1
    np.testing.assert_allclose(observation["u_matrix"].reshape(8, 8), scaled, atol=1e-6)
    satisfaction = 2 * (info["rs"] - u.min()) / (u.max() - u.min()) - 1
    assert observation["relationship_satisfaction"][0] == pytest.approx(satisfaction, abs=1e-6)
    assert observation["entropy"][0] == pytest.approx(0)
    assert (observation["mechanism_type"], observation["parataxic_enabled"]) == (3, 1)


def test_omniscient_wrapper_wants_therapy():
    with pytest.raises(TherapyError, match="expected a therapy environment, got CartPoleEnv"):
        OmniscientWrapper(gymnasium.make("CartPole-v1"))


def test_a_restored_environment_goes_on_exactly():
    options = {"max_sessions": 30, "patterns": ["cold_stuck", "complementary_perfect"]}
    env, other = TherapyEnv(**options), TherapyEnv(**options)
    observation, _ = env.reset(seed=4, options={"pattern": "cold_stuck"})
    for action in range(8):
        observation = env.step(action)[0]
    saved = env.snapshot()
    restored = other.restore(saved)
    for name, value in observation.items():
        np.testing.assert_array_equal(value, restored[name])
    for _ in range(3):
        done = False
        while not done:
            first, second = env.step(3), other.step(3)
            assert first[1:] == second[1:]
            assert {name: np.asarray(value).tolist() for name, value in first[0].items()} == {
                name: np.asarray(value).tolist() for name, value in second[0].items()
            }
            done = first[2] or first[3]
        assert env.reset()[1] == other.reset()[1]
    assert env.snapshot() == other.snapshot()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"patterns": "happy"}, "unknown pattern 'happy'"),
        ({"patterns": []}, "patterns must be a name or a list of names, got []"),
        ({"patterns": 3}, "patterns must be a name or a list of names, got 3"),
        ({"patterns": ["cold_warm"], "pattern": "cold_stuck"}, "both pattern and patterns are given"),
        ({"mechanism": 5}, "unknown mechanism 5"),
        ({"mechanism": True}, "unknown mechanism True"),
        ({"threshold": 1.1}, "threshold must be 0 to 1, got 1.1"),
        ({"threshold": "high"}, "threshold must be a number, got 'high'"),
        ({"entropy": 0}, "entropy must be more than 0, got 0"),
        ({"entropy": float("nan")}, "entropy must be more than 0, got nan"),
        ({"recency_factor": 0.9}, "recency_factor must be at least 1, got 0.9"),
        ({"history_weight": float("inf")}, "history_weight must be a finite number, got inf"),
        ({"baseline_accuracy": -0.1}, "baseline_accuracy must be 0 to 1, got -0.1"),
        ({"max_sessions": 0}, "max_sessions must be a whole number 1 to 100000, got 0"),
        ({"max_sessions": 2.5}, "max_sessions must be a whole number 1 to 100000, got 2.5"),
        ({"generator": "v3"}, "unknown generator 'v3'"),
        ({"seeding": "lucky"}, "unknown seeding 'lucky'; expected compatible or independent"),
        ({"utilities": "warm"}, "unknown utilities 'warm'"),
        ({"enable_parataxic": "yes"}, "enable_parataxic must be True or False, got 'yes'"),
        ({"treshold": 0.9}, "unknown option 'treshold'; expected one of patterns, mechanism"),
        ({"render_mode": "human"}, "unknown render_mode 'human'"),
    ],
)
def test_bad_options_get_one_line(options, message):
    with pytest.raises(TherapyError) as caught:
        TherapyEnv(**options)
    assert str(caught.value).startswith(message)


def test_misuse_gets_one_line():
    env = TherapyEnv(max_sessions=1)
    with pytest.raises(TherapyError, match="there is no client; call reset"):
        env.step(0)
    env.reset(seed=0)
    for bad in (8, -1, 1.5):
        with pytest.raises(TherapyError, match="an action is an octant, a whole number 0 to 7"):
            env.step(bad)
    env.step(0)
    with pytest.raises(TherapyError, match="there is no client; call reset"):
        env.step(0)
    with pytest.raises(TherapyError, match="unknown reset option 'level'"):
        env.reset(options={"level": 1})
    with pytest.raises(TherapyError, match="episode_seed must be a whole number"):
        env.reset(options={"episode_seed": -1})


def test_bad_snapshots_get_one_line():
    env = TherapyEnv()
    env.reset(seed=0)
    saved = env.snapshot()
    for bad in (b"", b"nothing", saved[: len(saved) // 2]):
        with pytest.raises(TherapyError, match="this is no snapshot of a therapy environment"):
            env.restore(bad)
    with pytest.raises(TherapyError, match="made with other options"):
        TherapyEnv(entropy=2.0).restore(saved)
    with pytest.raises(TherapyError, match="is of a single environment; this one is vector"):
        TherapyVectorEnv(1).restore(saved)
    two, three = TherapyVectorEnv(2), TherapyVectorEnv(3)
    two.reset(seed=0)
    with pytest.raises(TherapyError, match="has 2 clients; this environment has 3"):
        three.restore(two.snapshot())


def test_equal_options_are_equal_however_they_are_given():
    first = TherapyOptions.of({"pattern": "cw_50_50", "mechanism": 2})
    second = TherapyOptions.of({"patterns": "cold_warm", "mechanism": "conditional_amplifier"})
    assert first == second
    assert hash(first) == hash(second)
    assert first.as_json() == second.as_json()
