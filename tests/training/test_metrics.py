"""Episodes summed up, curves smoothed and drawn, algorithms side by side."""

from __future__ import annotations

import io
import math
import sys
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from jimbot.errors import JimbotError, MissingExtraError
from jimbot.statistics.intervals import mean_interval, wilson_interval
from jimbot.training.metrics import (
    BalatroMetrics,
    compute_moving_average,
    plot_training_curves,
    print_comparison_table,
)


def test_documented_use():
    metrics = BalatroMetrics()
    metrics.add_episode(reward=100, ante=5, score=50000, length=500)
    summary = metrics.get_summary()
    assert summary["episodes"] == 1
    assert summary["mean_reward"] == 100.0
    assert summary["max_ante"] == 5.0
    assert summary["max_score"] == 50000.0
    assert summary["mean_length"] == 500.0
    assert summary["win_rate"] == 0.0


def test_summary_of_several_episodes():
    metrics = BalatroMetrics()
    for reward, ante, score in [(1.0, 2, 9.0), (3.0, 9, 99.0), (8.0, 4, 999.0)]:
        metrics.add_episode(reward, ante, score, 10, money=reward * 2)
    metrics.add_episode(4.0, 8, 0.0, 30, won=True)
    summary = metrics.get_summary()
    assert summary["mean_reward"] == 4.0
    assert summary["std_reward"] == pytest.approx(np.std([1, 3, 8, 4]))
    assert (summary["min_reward"], summary["max_reward"]) == (1.0, 8.0)
    assert summary["wins"] == 2  # one went beyond ante 8, one said so itself
    expected = wilson_interval(2, 4)
    assert (summary["win_rate_low"], summary["win_rate_high"]) == (expected.low, expected.high)
    assert summary["mean_reward_low"] == mean_interval([1, 3, 8, 4]).low
    assert summary["median_score"] == 54.0
    assert summary["mean_log10_score"] == 1.5
    assert summary["mean_money"] == 8.0  # of the three that have it
    assert summary["total_steps"] == 60


def test_reaching_ante_8_is_not_winning():
    metrics = BalatroMetrics()
    metrics.add_episode(1.0, 8, 1.0, 1)
    metrics.add_episode(1.0, 9, 1.0, 1, won=False)
    assert metrics.get_summary()["wins"] == 0


def test_recent_episodes_are_the_last_hundred():
    metrics = BalatroMetrics()
    for reward in range(150):
        metrics.add_episode(reward, 1, 0, 1)
    assert metrics.get_summary()["recent_mean_reward"] == np.mean(range(50, 150))


def test_nothing_yet_and_nothing_any_more():
    metrics = BalatroMetrics()
    assert metrics.get_summary() == {"episodes": 0, "total_steps": 0}
    metrics.add_episode(1, 1, 1, 1)
    assert len(metrics) == 1
    metrics.reset()
    assert metrics.get_summary() == {"episodes": 0, "total_steps": 0}
    with pytest.raises(JimbotError, match="length must not be negative"):
        metrics.add_episode(1, 1, 1, -1)


def test_enormous_scores_do_not_break_the_summary():
    metrics = BalatroMetrics()
    for _ in range(3):
        metrics.add_episode(1, 1, 1e308, 1)
    summary = metrics.get_summary()
    assert summary["mean_log10_score"] == pytest.approx(308.0)
    assert all(math.isfinite(value) for value in summary.values())


# --- moving average ---------------------------------------------------------------------------------------------------


@given(st.lists(st.floats(-1e6, 1e6), max_size=30), st.integers(1, 12))
def test_moving_average_is_the_mean_of_the_last_values(values, window):
    found = compute_moving_average(values, window)
    expected = [np.mean(values[max(0, end - window) : end]) for end in range(1, len(values) + 1)]
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-6)


def test_moving_average_leaves_out_what_is_no_number():
    found = compute_moving_average([math.nan, 2.0, math.nan, 4.0], 2)
    assert math.isnan(found[0])
    assert list(found[1:]) == [2.0, 2.0, 4.0]
    assert list(compute_moving_average([1.0, math.inf, 1.0, 1.0], 2)) == [1.0, math.inf, math.inf, 1.0]
    with pytest.raises(JimbotError, match="a window must hold 1 value at least"):
        compute_moving_average([1.0], 0)


# --- pictures ---------------------------------------------------------------------------------------------------------


def test_curves_are_drawn(tmp_path):
    pytest.importorskip("matplotlib")
    path = tmp_path / "plot.png"
    curves = {
        "reward": [1.0, 2.0, 3.0],
        "loss": ([10, 20], [0.5, 0.25]),
        "by algorithm": {"PPO": [1, 2], "A2C": ([0, 5], [2, 1])},
    }
    figure = plot_training_curves(curves, save_path=path, window=2, title="A run")
    assert path.read_bytes().startswith(b"\x89PNG")
    panels = [panel for panel in figure.axes if panel.get_visible()]
    assert [panel.get_title() for panel in panels] == ["reward", "loss", "by algorithm"]
    assert list(panels[1].lines[0].get_xdata()) == [10, 20]
    assert list(panels[0].lines[1].get_ydata()) == [1.0, 1.5, 2.5]
    assert [text.get_text() for text in panels[2].get_legend().get_texts()] == ["PPO", "A2C"]


@pytest.mark.parametrize(
    ("curves", "message"),
    [
        ({}, "there is nothing to plot"),
        ({"x": ([1, 2], [1])}, "the metric 'x' must be values, or a pair of steps and values of one length"),
        ({"x": [[1, 2], [3, 4]]}, "the metric 'x' must be a list of numbers"),
    ],
)
def test_odd_curves_are_refused(curves, message):
    pytest.importorskip("matplotlib")
    with pytest.raises(JimbotError, match=message):
        plot_training_curves(curves)


def test_picture_that_cannot_be_written_is_one_clear_error(tmp_path):
    pytest.importorskip("matplotlib")
    with pytest.raises(JimbotError, match="cannot write the picture"):
        plot_training_curves({"x": [1, 2]}, tmp_path / "nowhere" / "plot.png")


def test_matplotlib_is_needed_for_pictures_only(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'jimbot\[plots\]'"):
        plot_training_curves({"x": [1, 2]})


# --- tables -----------------------------------------------------------------------------------------------------------


@dataclass
class Result:
    """As a benchmark would give it."""

    algorithm: str
    mean_reward: float
    steps: int


def printed(results: Any, *arguments: Any, **options: Any) -> list[list[str]]:
    text = io.StringIO()
    console = Console(file=text, width=200)
    print_comparison_table(results, *arguments, console=console, **options)
    rows = [
        line.replace("┃", "│").split("│")
        for line in text.getvalue().splitlines()
        if "│" in line or "┃" in line
    ]
    return [[each.strip() for each in row if each.strip()] for row in rows]


def test_best_comes_first():
    results = {
        "A2C": {"mean_reward": 1.0, "steps": 1000, "note": "text"},
        "PPO": {"mean_reward": 2.5, "steps": 2_000_000},
        "DQN": {"mean_reward": math.nan},
    }
    assert printed(results) == [
        ["algorithm", "mean_reward", "steps"],
        ["PPO", "2.5", "2,000,000"],
        ["A2C", "1", "1,000"],
        ["DQN", "nan", "-"],
    ]
    assert [row[0] for row in printed(results, ["steps"], sort_by="steps")] == [
        "algorithm",
        "PPO",
        "A2C",
        "DQN",
    ]


def test_lists_of_results_and_metrics_are_welcome():
    assert printed([Result("PPO", 1.0, 5), {"name": "mine", "mean_reward": 2.0}])[1][0] == "mine"
    metrics = BalatroMetrics()
    metrics.add_episode(3.0, 1, 1e9, 1)
    assert printed({"random": metrics}, ["mean_reward", "max_score"])[1] == ["random", "3", "1.000e+09"]
    with pytest.raises(
        JimbotError, match="a result must be a mapping, a dataclass or BalatroMetrics, got int"
    ):
        printed({"PPO": 3})
