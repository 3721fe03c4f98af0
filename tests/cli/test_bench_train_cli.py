"""``jimbot bench train``: both ways of training are measured alike."""

from __future__ import annotations

import json

import pytest

from jimbot.cli.bench import train_speed as bench_train


@pytest.mark.parametrize("updates", [bench_train.prepare_native_updates, bench_train.prepare_library_updates])
def test_both_ways_train_and_tell_their_phases(updates, tmp_path):
    pytest.importorskip("stable_baselines3")
    config = bench_train.make_configuration("sb3", 2, 64, 1, str(tmp_path))
    config.hyperparams.algorithm_specific = {**config.hyperparams.algorithm_specific, "n_epochs": 1}
    update, close = updates(config)
    try:
        done = update()
    finally:
        close()
    assert done.timesteps == 128
    assert set(done.seconds) == {"env", "policy", "learn"}
    assert all(seconds > 0 for seconds in done.seconds.values())


@pytest.mark.slow
def test_the_report_holds_every_measurement(jimbot):
    finished = jimbot("bench", "train", "--envs", "1,2", "--steps", "64", "--threads", "1", "--json")
    assert finished.code == 0
    report = json.loads(finished.out)
    measured = report["measured"]
    assert [(each["backend"], each["environments"], each["n_envs"]) for each in measured] == [
        ("sb3", "native", 1),
        ("sb3", "native", 2),
        ("jax", "native", 1),
        ("jax", "native", 2),
        ("sb3", "SubprocVecEnv", 1),
        ("sb3", "SubprocVecEnv", 2),
    ]
    assert report["threads"] == 1
    for each in measured:
        assert each["threads"] == 1
        assert each["steps_per_second"] > 0
        assert sum(each["shares"].values()) == pytest.approx(1)


def test_wrong_numbers_are_one_clear_line(jimbot):
    for wrong in ("0", "two"):
        finished = jimbot("bench", "train", "--envs", wrong)
        assert finished.code == 2
        assert "--envs must be" in finished.err
