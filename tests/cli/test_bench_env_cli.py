"""``jimbot bench env``: every number is there, positive and consistent. How large they are is not tested."""

from __future__ import annotations

import json
import random

import numpy as np
import pytest

from jimbot import _engine
from jimbot.cli.bench.env_speed import draw_legal_action, draw_legal_actions

_engine_dev = pytest.importorskip(
    "jimbot._engine_dev", reason="the benchmarks are in development builds alone"
)

NAMES = [
    "mock",
    "native",
    "native_fast",
    "native_two_threads",
    "native_fast_two_threads",
    "candidates",
    "candidates_two_threads",
    "single",
    "single_with_choice",
    "vector",
    "vector_with_choice",
    "vector_candidates",
    "vector_candidates_with_choice",
]


def test_json(jimbot):
    finished = jimbot("bench", "env", "--json", "--seconds", "0.02", "--games", "8")
    assert finished.code == 0, finished.err
    report = json.loads(finished.out)
    assert report["engine"] == _engine.build_info()
    measured = {each["name"]: each for each in report["measurements"]}
    assert list(measured) == NAMES
    mock = measured["mock"]["per_second"]
    for each in measured.values():
        assert each["per_second"] > 0
        assert each["games_per_hour"] >= 0
        assert each["nanoseconds"] == pytest.approx(1e9 / each["per_second"])
        assert each["of_mock"] == pytest.approx(each["per_second"] / mock)
    assert report["ratios"]["native_of_mock"] == pytest.approx(measured["native"]["of_mock"])
    memory = report["bytes_per_environment"]
    assert memory["total"] == memory["episode"] + memory["observations"] + memory["results"]
    assert memory["episode"] > _engine.state_size
    assert memory["observations"] == 2 * _engine.observation_size(0)


def test_table(jimbot):
    finished = jimbot("bench", "env", "--seconds", "0.01", "--games", "4")
    assert finished.code == 0, finished.err
    for part in ("steps/s", "of mock", "two threads", "Python, 4 games", "bytes"):
        assert part in finished.out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--seconds", "0"], "seconds must be more than 0 and at most 3600, got 0"),
        (["--games", "0"], "games must be 1 to 65536, got 0"),
    ],
)
def test_bad_input_gets_one_line(options, message, jimbot):
    finished = jimbot("bench", "env", *options)
    assert (finished.code, finished.out, finished.err) == (2, "", f"jimbot: error: {message}\n")


@pytest.mark.parametrize("name", ["mock", "steps", "fast_steps", "candidates"])
def test_engine_plays_whole_games(name):
    steps, seconds, rewards, episodes = _engine_dev.measure_env(name, 0.05, 16, 1)
    assert seconds >= 0.05
    assert 3 < steps / episodes < 100
    assert rewards != 0


def test_unknown_benchmark():
    with pytest.raises(
        ValueError, match="unknown benchmark 'x'; expected mock, steps, fast_steps or candidates"
    ):
        _engine_dev.measure_env("x", 0.1, 1, 1)
    with pytest.raises(ValueError, match="at least one game"):
        _engine_dev.measure_env("steps", 0.1, 0, 1)


@pytest.mark.parametrize("mask", [[0, 1, 1, 0, 1], [0, 0, 0, 1, 0], [1, 1, 1, 1, 1]])
def test_one_random_choice_is_legal_and_even(mask):
    draw = random.Random(0).random
    legal = np.array(mask, np.uint8)
    counts = np.bincount([draw_legal_action(legal, draw) for _ in range(6000)], minlength=5)
    assert not counts[legal == 0].any()
    assert counts[legal == 1] == pytest.approx(6000 / legal.sum(), rel=0.15)


def test_random_choice_is_legal_and_even():
    rng = np.random.default_rng(0)
    masks = np.array([[0, 1, 1, 0, 1], [1, 0, 0, 0, 0], [1, 1, 1, 1, 1]], np.uint8)
    chosen = np.array([draw_legal_actions(masks, rng) for _ in range(6000)])
    for row, mask in enumerate(masks):
        counts = np.bincount(chosen[:, row], minlength=5)
        assert not counts[mask == 0].any()
        assert counts[mask == 1] == pytest.approx(6000 / mask.sum(), rel=0.15)
