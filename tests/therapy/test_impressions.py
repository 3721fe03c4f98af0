"""What a therapist gathers from observations: the same in NumPy and JAX, in a mirror, alone and in a batch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from jimbot.therapy import BENCHMARK, TherapyVectorEnv, complement, create_therapist, evaluate
from jimbot.therapy.env.single import TherapyEnv
from jimbot.therapy.therapists.impression_therapist import ImpressionTherapist
from jimbot.therapy.therapists.impressions import (
    FEATURES,
    Impression,
    build_features,
    is_mirrored,
    make_first_impression,
    mirror_octant,
    rotate_to_frame,
    update_impression,
)


def course(xp: Any, shown: Any, given: Any) -> Impression:
    """Impressions after sessions int[sessions, clients]."""
    seen = make_first_impression(xp, (shown.shape[1],))
    for number in range(len(shown)):
        seen = update_impression(xp, seen, xp.asarray(shown[number]), xp.asarray(given[number]))
    return seen


def sessions(count: int = 30, clients: int = 6) -> tuple[Any, Any]:
    rng = np.random.default_rng(3)
    return rng.integers(0, 8, (count, clients)), rng.integers(0, 8, (count, clients))


def choose_complement(vectors: Any) -> Any:
    """The complementary answer in the frame of the vectors, whose first eight numbers say what the client shows."""
    return complement(vectors[:, :8].argmax(axis=1))


def test_a_vector_says_what_happened():
    shown, given = np.array([[6], [6], [7]]), np.array([[6], [6], [5]])
    seen = course(np, shown, given)
    vector = build_features(np, seen, np.array([7]))
    assert vector.shape == (1, FEATURES)
    assert vector.dtype == np.float32
    assert (seen.sessions, seen.run) == (3, 1)
    assert seen.met[0].tolist() == [0, 0, 0, 0, 0, 0, 2, 1]
    assert seen.before[0].argmax() == 6
    assert seen.perceived.sum(axis=-1) == pytest.approx(1)
    # Cold met cold twice: the client has come to expect it.
    assert seen.shares[0].argmax() == 6
    assert seen.values[0, -2] > seen.values[0, 0]


def test_a_mirrored_client_looks_the_same():
    shown, given = sessions()
    now = np.array([0, 1, 3, 5, 7, 4])
    here = course(np, shown, given)
    there = course(np, complement(shown), complement(given))
    vectors = build_features(np, here, now)
    turned = build_features(np, there, complement(now))
    np.testing.assert_allclose(vectors[:, :88], turned[:, :88], atol=1e-6)
    mirror = is_mirrored(np, here, now)
    assert (vectors[:, 88] == np.where(mirror, 1, -1)).all()
    assert (turned[:, 88] == -vectors[:, 88]).all()
    assert mirror.tolist() == [False, False, True, True, False, True]
    assert (is_mirrored(np, there, complement(now)) == ~mirror).all()
    assert mirror_octant(np, mirror, mirror_octant(np, mirror, now)).tolist() == now.tolist()
    one_hot = np.eye(8)[now]
    assert (
        rotate_to_frame(np, mirror, one_hot).argmax(axis=1).tolist()
        == mirror_octant(np, mirror, now).tolist()
    )


def test_jax_gathers_the_same():
    jnp: Any = pytest.importorskip("jax.numpy")
    shown, given = sessions(5)
    now = np.array([0, 2, 6, 5, 7, 4])
    ours, theirs = course(np, shown, given), course(jnp, shown, given)
    for name in Impression._fields:
        np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), atol=1e-5, err_msg=name)
    np.testing.assert_allclose(
        build_features(np, ours, now), build_features(jnp, theirs, jnp.asarray(now)), atol=1e-5
    )


def test_answers_are_turned_back():
    therapist = ImpressionTherapist(choose_complement)
    seeds = range(40)
    ours = evaluate(therapist, seeds, **BENCHMARK)
    theirs = evaluate(create_therapist("complementary"), seeds, **BENCHMARK)
    np.testing.assert_array_equal(ours.final_rs, theirs.final_rs)


def test_a_therapist_follows_every_client():
    seen: list[Any] = []

    def choose(vectors: Any) -> Any:
        seen.append(vectors)
        return choose_complement(vectors)

    therapist = ImpressionTherapist(choose, max_sessions=30)
    env = TherapyVectorEnv(5, **{**BENCHMARK, "max_sessions": 30})
    observations, _ = env.reset(seed=4)
    shown: list[Any] = []
    for number in range(29):
        answers = therapist({name: array.copy() for name, array in observations.items()})
        shown.append(observations["client_action"].copy())
        assert (answers == complement(shown[-1])).all()
        if not (observations["session_number"] == np.float32(number / 30)).all():
            break  # a client has left and another has come
        pairs = np.stack(shown[:-1]) if number else np.zeros((0, 5), int)
        expected = build_features(np, course(np, pairs, complement(pairs)), shown[-1], 30)
        np.testing.assert_allclose(seen[-1], expected, atol=1e-6)
        observations = env.step(answers)[0]
    assert len(shown) > 10


def test_a_client_in_the_middle_of_therapy_is_known_from_the_history():
    env = TherapyEnv(**BENCHMARK)
    observation, _ = env.reset(seed=1)
    followed = ImpressionTherapist(choose_complement)
    for number in range(12):
        answer = followed(observation)
        assert isinstance(answer, int)
        late = ImpressionTherapist(choose_complement)
        assert late(observation) == answer
        assert late(observation) == answer  # asking twice changes nothing
        for name in Impression._fields:
            np.testing.assert_allclose(getattr(late._seen, name), getattr(followed._seen, name), err_msg=name)
        observation = env.step(answer)[0]
        assert followed._seen.sessions == number


def test_a_new_client_is_met_without_prejudice():
    therapist = ImpressionTherapist(choose_complement)
    env = TherapyEnv(**BENCHMARK)
    observation, _ = env.reset(seed=1)
    for _ in range(3):
        observation = env.step(therapist(observation))[0]
        therapist(observation)
    observation, _ = env.reset(seed=2)
    therapist(observation)
    for kept, fresh in zip(therapist._seen, make_first_impression(np, (1,)), strict=True):
        np.testing.assert_array_equal(kept, fresh)
