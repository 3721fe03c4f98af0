"""``jimbot bench rllib``: what it makes of measurements."""

from __future__ import annotations

import pytest

from jimbot.cli.bench_rllib import WAYS, RunnerMeasurement, scaling_model, summarised


def test_learning_is_the_ceiling():
    model = scaling_model(one=0.003, two=0.0015, learn=0.001)
    assert model["steps_per_second_at_most"] == pytest.approx(1000.0)
    assert model["play_speedup_of_two"] == pytest.approx(2.0)
    assert model["predicted_steps_per_second"]["1"] == pytest.approx(250.0)
    assert model["predicted_steps_per_second"]["2"] == pytest.approx(400.0)
    assert model["runners_for_half_of_the_ceiling"] == pytest.approx(3.0)  # 3 ms / 3 + 1 ms are 2 ms
    assert model["runners_for_90_percent_of_the_ceiling"] == pytest.approx(27.0)


def test_measurements_in_one_report():
    measured = [
        RunnerMeasurement(way, 1000, seconds, 50, seconds - 0.5, 0.5, 900.0)
        for seconds in (2.0, 4.0)
        for way, *_ in WAYS
    ]
    report = summarised(measured, 2, 1)
    sb3 = report["ways"]["sb3"]
    assert sb3["steps_per_second"]["mean"] == pytest.approx(375.0)
    assert sb3["games_per_hour"]["mean"] == pytest.approx(50 * 3600 * (1 / 2 + 1 / 4) / 2)
    assert sb3["times_the_floor"] == pytest.approx(sb3["games_per_hour"]["mean"] / 1250)
    assert report["scaling"]["learn_seconds_per_step"] == pytest.approx(1.0 / 2000)
