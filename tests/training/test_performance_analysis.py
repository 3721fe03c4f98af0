"""Rankings, comparisons, files and the report of an analysis, on numbers whose answers are known."""

# pyright: reportArgumentType=false, reportOptionalOperand=false

from __future__ import annotations

import csv
import json
import math
import re
import shutil
from types import SimpleNamespace
from typing import Any

import pytest
from rich.console import Console

from jimbot.errors import JimbotError
from jimbot.training.analysis.metrics import training_rate
from jimbot.training.experiments.result import Curve, ExperimentResult
from jimbot.training.performance_analysis import PerformanceAnalyzer, PerformanceMetrics


def metrics(name: str, seed: int = 0, reward: float = 1.0, **more: Any) -> PerformanceMetrics:
    values = {"steps_per_second": 100.0, "mean_reward": reward, "scores": [reward - 1, reward + 1]}
    return PerformanceMetrics(name, name, seed, **{**values, **more})


def curve(*values: float) -> dict[str, list[Any]]:
    places = range(len(values))
    return {
        "steps": [10 * each for each in places],
        "values": list(values),
        "seconds": [0.5 * p for p in places],
    }


@pytest.fixture
def analyzer(tmp_path):
    """Three groups of five seeds: good is better than fair on every seed, quick is fastest and worst."""
    made = PerformanceAnalyzer(tmp_path)
    for seed in range(5):
        made.add_result(metrics("good", seed, 10.0 + seed, **curve(0, 4, 8, 10, 10), steps_per_second=50.0))
        made.add_result(
            metrics("fair", seed, 9.0 + seed, **curve(0, 9, 9, 9, 9), steps_per_second=60.0 + seed)
        )
        made.add_result(metrics("quick", seed, -5.0, **curve(0, -1, -2, -5, -5), steps_per_second=900.0))
    return made


def test_rankings_order_and_value(analyzer):
    assert analyzer.get_quality_ranking() == [("good", 12.0), ("fair", 11.0), ("quick", -5.0)]
    assert analyzer.get_throughput_ranking() == [("quick", 900.0), ("fair", 62.0), ("good", 50.0)]
    # good reaches 90 % of 10 at its fourth point, fair at its second, quick unlearns
    assert analyzer.get_convergence_ranking() == [("fair", 0.5), ("good", 1.5), ("quick", math.inf)]
    assert analyzer.get_convergence_ranking(0.5, unit="steps")[:2] == [("fair", 10.0), ("good", 20.0)]


def test_ties_are_overlaps_and_equal_values_share_a_rank(analyzer):
    good, fair, quick = analyzer.rank_quality()
    assert (good.tied_with, fair.tied_with, quick.tied_with) == (("fair",), ("good",), ())
    assert good.interval.low < 12.0 < good.interval.high
    same = PerformanceAnalyzer()
    same.add_results([metrics("a", reward=2.0), metrics("b", reward=2.0), metrics("c", reward=1.0)])
    assert [(each.rank, each.name) for each in same.rank_quality()] == [(1, "a"), (1, "b"), (3, "c")]


def test_pairs_on_common_seeds_see_what_independent_ones_cannot(analyzer):
    found = analyzer.compare("good", "fair")
    assert (found.difference.estimate, found.unit, found.told_apart) == (1.0, "seeds", True)
    assert found.seeds_needed is None
    assert found.improvement.estimate == 0.68  # 15 of 25 pairs above, 4 ties
    assert [(each.first, each.second) for each in analyzer.comparisons()] == [
        ("good", "fair"),
        ("good", "quick"),
        ("fair", "quick"),
    ]


def test_few_seeds_that_do_not_tell_get_advice():
    unsure = PerformanceAnalyzer()
    for seed, (mine, theirs) in enumerate([(1.0, 2.0), (5.0, 1.0), (3.0, 4.0)]):
        unsure.add_results([metrics("a", seed, mine), metrics("b", seed, theirs)])
    found = unsure.compare("a", "b")
    assert not found.told_apart
    assert found.seeds_needed > 3


def test_one_training_each_is_compared_by_episode():
    pair = PerformanceAnalyzer()
    pair.add_result(metrics("a", scores=[3.0, 4.0, 6.0, 1.0], mean_reward=3.5))
    pair.add_result(metrics("b", scores=[1.0, 2.0, 5.0], mean_reward=2.67))
    found = pair.compare("a", "b")
    assert (found.unit, found.difference.count) == ("episodes", 3)
    assert found.difference.estimate == pytest.approx(5 / 3)
    with pytest.raises(JimbotError, match="there is no 'c'; there are a, b"):
        pair.compare("a", "c")


def test_levels_are_measured_from_the_untrained_policy():
    run = metrics("a", **curve(-10, -8, 0, 6, 12, 10))
    assert (run.final_level, run.best_level) == (10, 12)
    assert run.time_to(0.5) == 1.0  # 0 is half way from -10 to 10
    assert run.time_to(0.9, "final") == 2.0
    assert run.time_to(0.9, "best", "steps") == 40.0
    assert run.convergence()["seconds_to_50_of_final"] == 1.0
    assert (run.steps_per_minute, run.steps_per_hour) == (6_000.0, 360_000.0)
    assert metrics("flat", **curve(5, 5, 5)).time_to(0.5) is None
    assert metrics("none").time_to(0.5) is None
    assert metrics("rounding", **curve(0, 1e-10, 1.9e-10)).time_to(0.9) is None
    assert metrics("little", **curve(0, 1e-5, 2e-5)).time_to(0.9) is not None


def test_bad_input_is_told_and_does_not_crash(tmp_path):
    empty = PerformanceAnalyzer(tmp_path)
    empty.add_results([])
    for call in (
        empty.print_summary,
        empty.get_quality_ranking,
        lambda: empty.export_csv("x.csv"),
        lambda: empty.generate_html_report("x.html"),
        lambda: empty.plot_quality_comparison("x.png"),
    ):
        with pytest.raises(JimbotError, match="no finished results to analyze"):
            call()
    empty.add_result(ExperimentResult("a", "PPO", 1, "failed", error="RuntimeError: no"))
    with pytest.raises(JimbotError, match="the 1 that were added failed"):
        empty.get_quality_ranking()
    with pytest.raises(JimbotError, match="lists of one length"):
        PerformanceMetrics("a", steps=[1, 2], values=[1.0], seconds=[0.0])
    with pytest.raises(JimbotError, match="got int"):
        empty.add_result(5)
    for given, kind in (
        (None, "NoneType"),
        (5, "int"),
        ("models/one", "str"),
        (metrics("a"), "PerformanceMetrics"),
    ):
        with pytest.raises(
            JimbotError, match=f"expected a list of results, .* got {kind}; add_result takes one"
        ):
            empty.add_results(given)
    with pytest.raises(JimbotError, match="is not a directory"):
        empty.add_result(tmp_path / "nowhere")
    one = PerformanceAnalyzer(tmp_path)
    one.add_result(metrics("a", env="X"))
    with pytest.raises(JimbotError, match="seed 0 twice"):
        one.add_result(metrics("a", env="X"))
    with pytest.raises(JimbotError, match="rewards on X and Y cannot be compared"):
        one.add_result(metrics("b", env="Y"))


def test_one_result_and_rewards_that_are_not_numbers(tmp_path):
    strange = PerformanceAnalyzer(tmp_path)
    strange.add_result(metrics("only", scores=[2.0], reward=2.0))
    strange.print_summary(Console(record=True, width=140))
    assert strange.get_quality_ranking() == [("only", 2.0)]
    strange.add_result(metrics("lost", reward=math.nan, **curve(1, math.nan, 2)))
    (first, second) = strange.get_quality_ranking()
    assert first == ("only", 2.0)
    assert second[0] == "lost"
    assert math.isnan(second[1])
    for path in (
        strange.export_json("a.json"),
        strange.export_csv("a.csv"),
        strange.generate_html_report("a.html"),
        strange.plot_throughput_comparison("a.png"),
        strange.plot_quality_comparison("b.png"),
    ):
        assert path.stat().st_size > 100
    json.loads((tmp_path / "a.json").read_text(), parse_constant=pytest.fail)


def test_one_name_for_two_configurations_is_two_groups():
    mixed = PerformanceAnalyzer()
    mixed.add_results(
        [metrics("PPO", recipe_hash="aaaaaaaa"), metrics("PPO", reward=2.0, recipe_hash="bbbbbbbb")]
    )
    assert [name for name, _ in mixed.get_quality_ranking()] == ["PPO (bbbbbb)", "PPO (aaaaaa)"]


def test_benchmark_results_bring_their_evaluation_curve():
    result = ExperimentResult("a", "PPO", 1, mean_reward=3.0, scores=[3.0], steps_per_second=7.0)
    result.curves["evaluation/mean_reward"] = Curve([0], [1.0], [0.0])
    result.curves["rollout/mean_reward"] = Curve([5, 9], [1.0, 2.0], [0.1, 0.2])
    assert PerformanceMetrics.of(result).steps == [5, 9]  # one evaluation is no curve
    result.curves["evaluation/mean_reward"] = Curve([0, 4], [1.0, 3.0], [0.0, 0.3])
    assert PerformanceMetrics.of(result).values == [1.0, 3.0]


def test_files_hold_every_training(analyzer):
    rows = list(csv.DictReader(analyzer.export_csv("a.csv").read_text().splitlines()))
    assert len(rows) == 15
    assert (rows[0]["name"], rows[0]["mean_reward"], rows[0]["seconds_to_90_of_final"]) == (
        "good",
        "10.0",
        "1.5",
    )
    document = json.loads(analyzer.export_json("sub/a.json").read_text())
    assert [each["name"] for each in document["rankings"]["quality"]] == ["good", "fair", "quick"]
    assert document["comparisons"][0]["probability_of_improvement"] > 0.5
    assert len(document["runs"]) == 15
    for picture in (analyzer.plot_throughput_comparison("t.png"), analyzer.plot_quality_comparison("q.png")):
        assert picture.read_bytes()[:4] == b"\x89PNG"


def test_the_summary_says_what_is_told_apart(analyzer):
    console = Console(record=True, width=140)
    analyzer.print_summary(console)
    text = console.export_text()
    assert "good - fair: +1" in text
    assert "5 common seeds" in text


def test_the_report_needs_nothing_else_and_escapes_names(analyzer):
    analyzer.add_result(metrics("<script>alert(1)</script>", reward=0.5))
    analyzer.add_result(
        ExperimentResult("broken", "PPO", 3, "failed", error="ValueError: <b>", traceback="Traceback <x>")
    )
    page = analyzer.generate_html_report("report.html").read_text()
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(1)" in page
    assert "ValueError: &lt;b&gt;" in page
    assert not re.search(r'(?:src|href)="(?!data:)', page)
    assert "http" not in page
    assert page.count("<svg") == 3


BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


@pytest.mark.skipif(BROWSER is None, reason="needs chromium")
def test_the_report_works_in_a_browser(analyzer):
    playwright = pytest.importorskip("playwright.sync_api")
    analyzer.add_result(metrics("lost", reward=math.nan))
    page_file = analyzer.generate_html_report("report.html")
    with playwright.sync_playwright() as browsers:
        browser = browsers.chromium.launch(
            executable_path=BROWSER,
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        page = browser.new_page(viewport={"width": 1280, "height": 1000})
        problems, requests = [], []
        page.on("console", lambda message: problems.append(message.text))
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.on("request", lambda request: requests.append(request.url))
        page.goto(page_file.as_uri())
        names = page.locator("#groups tbody tr td:first-child")
        speed = page.locator("#groups th button", has_text="steps/s")
        assert names.all_inner_texts() == ["good", "fair", "quick", "lost"]
        speed.click()
        assert names.all_inner_texts() == ["quick", "lost", "fair", "good"]
        speed.click()
        assert names.all_inner_texts() == ["good", "fair", "lost", "quick"]
        page.locator("#groups th button", has_text="reward").click()
        page.locator("#groups th button", has_text="reward").click()
        assert names.all_inner_texts() == ["quick", "fair", "good", "lost"]  # what is missing stays last
        page.screenshot(path=page_file.with_suffix(".png"), full_page=True)
        browser.close()
    assert problems == []
    assert [each for each in requests if not each.startswith(("file:", "data:"))] == []


def test_throughput_of_a_run_counts_training_and_not_its_pauses():
    """Two parts of a run: the logged seconds begin anew after a resume."""

    def event(step, env, learn, kind="metrics"):
        data = {"time/env_seconds": env, "time/learn_seconds": learn, "rollout/mean_reward": 1.0}
        return SimpleNamespace(kind=kind, step=step, numbers=lambda: data)

    events = [
        event(100, 1.0, 1.0),
        event(200, 2.0, 2.0),
        event(300, 0.5, 0.5),
        event(300, 9, 9, "evaluation"),
    ]
    assert training_rate(events) == pytest.approx(300 / 5.0)
    assert math.isnan(training_rate([SimpleNamespace(kind="metrics", step=5, numbers=dict)]))
