"""``jimbot bench rllib``: what it makes of measurements."""

from __future__ import annotations

import pytest

from jimbot.cli.bench.rllib_speed import (
    RunnerMeasurement,
    bench_rllib,
    fit_scaling_model,
    select_ways,
    summarize,
)
from jimbot.errors import JimbotError


def test_learning_is_the_ceiling():
    model = fit_scaling_model(one=0.003, two=0.0015, learn=0.001)
    assert model["steps_per_second_at_most"] == pytest.approx(1000.0)
    assert model["play_speedup_of_two"] == pytest.approx(2.0)
    assert model["predicted_steps_per_second"]["1"] == pytest.approx(250.0)
    assert model["predicted_steps_per_second"]["2"] == pytest.approx(400.0)
    assert model["runners_for_half_of_the_ceiling"] == pytest.approx(3.0)  # 3 ms / 3 + 1 ms are 2 ms
    assert model["runners_for_90_percent_of_the_ceiling"] == pytest.approx(27.0)


def test_measurements_in_one_report():
    measured = [
        RunnerMeasurement(way.name, 1000, seconds, 50, seconds - 0.5, 0.5, 900.0)
        for seconds in (2.0, 4.0)
        for way in select_ways(["PPO"])
    ]
    report = summarize(measured, 2, 1)
    sb3 = report["ways"]["sb3"]
    assert sb3["steps_per_second"]["mean"] == pytest.approx(375.0)
    assert sb3["games_per_hour"]["mean"] == pytest.approx(50 * 3600 * (1 / 2 + 1 / 4) / 2)
    assert sb3["times_the_floor"] == pytest.approx(sb3["games_per_hour"]["mean"] / 1250)
    assert report["scaling"]["learn_seconds_per_step"] == pytest.approx(1.0 / 2000)


def test_algorithms_that_play_while_they_learn_are_ways_too():
    ways = select_ways(["PPO", "APPO", "IMPALA", "APPO"])
    assert [way.name for way in ways] == [
        "sb3",
        "rllib, in the driver",
        "rllib, 1 runner",
        "rllib, 2 runners",
        "rllib APPO, 1 runner",
        "rllib APPO, 2 runners",
        "rllib IMPALA, 1 runner",
        "rllib IMPALA, 2 runners",
    ]
    assert {(way.algorithm, way.runners) for way in ways[4:]} == {
        (algorithm, runners) for algorithm in ("APPO", "IMPALA") for runners in (1, 2)
    }
    with pytest.raises(JimbotError, match="algorithms: expected some of PPO, APPO, IMPALA, got 'SAC'"):
        select_ways(["SAC"])


def test_without_ppo_there_is_no_model_of_scaling(monkeypatch, capsys):
    asked: list[str] = []

    def measure(way, iterations):
        asked.append(way.algorithm)
        return RunnerMeasurement(way.name, 1000 * iterations, 2.0, 50, 1.5, 0.5, 900.0)

    monkeypatch.setattr("jimbot.cli.bench.rllib_speed.measure", measure)
    bench_rllib(1, 1, as_json=False, algorithms=["IMPALA"])
    assert asked == ["IMPALA", "IMPALA"]
    shown = capsys.readouterr().out
    assert "IMPALA" in shown
    assert "two runners play" not in shown


@pytest.mark.slow
def test_impala_is_measured():
    from jimbot.cli.bench.rllib_speed import measure

    found = measure(select_ways(["IMPALA"])[0], 1)
    assert found.way == "rllib IMPALA, 1 runner"
    assert found.timesteps >= 4096
    assert found.games > 0
