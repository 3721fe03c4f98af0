"""``jimbot bench seeds``: every number is there, positive and consistent. How large they are is not tested."""

from __future__ import annotations

import json
import os
import sys

import pytest

from jimbot import _engine
from jimbot.cli.bench import report
from jimbot.errors import JimbotError

_engine_dev = pytest.importorskip(
    "jimbot._engine_dev", reason="the benchmarks are in development builds alone"
)

NAMES = [
    "divisions",
    "hashes",
    "seedings",
    "draws",
    "explorations",
    "explorations_python",
    "find",
    "find_total",
]


def test_json(jimbot):
    finished = jimbot("bench", "seeds", "--json", "--seconds", "0.02", "--threads", "2")
    assert finished.code == 0, finished.err
    report = json.loads(finished.out)
    assert report["engine"] == _engine.build_info()
    assert 1 <= report["processors"] <= (os.cpu_count() or 1)
    assert (report["threads"], report["seconds_each"]) == (2, 0.02)
    measured = {each["name"]: each for each in report["measurements"]}
    assert list(measured) == NAMES
    for each in measured.values():
        assert each["per_second"] > 0
        assert each["nanoseconds"] == pytest.approx(1e9 / each["per_second"])
        assert each["divisions"] == pytest.approx(measured["divisions"]["per_second"] / each["per_second"])
    assert measured["divisions"]["divisions"] == 1


def test_table(jimbot):
    finished = jimbot("bench", "seeds", "--seconds", "0.01")
    assert finished.code == 0, finished.err
    for part in (
        "per second",
        "hash of an 18-character key",
        "seed explored, 8 antes",
        "seed searched, one thread",
    ):
        assert part in finished.out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--seconds", "0"], "seconds must be more than 0 and at most 3600, got 0"),
        (["--threads", "0"], "threads must be 1 to 1024, got 0"),
    ],
)
def test_bad_input_gets_one_line(options, message, jimbot):
    finished = jimbot("bench", "seeds", *options)
    assert (finished.code, finished.out, finished.err) == (2, "", f"jimbot: error: {message}\n")


@pytest.mark.parametrize("name", ["divisions", "hashes", "seedings", "draws", "explorations", "find"])
def test_engine_measures_real_work(name):
    operations, seconds, checksum = _engine_dev.measure_seeds(name, 0.01)
    assert operations > 0
    assert seconds >= 0.01
    assert checksum > 0


def test_find_benchmark_finds_blueprints():
    """One seed in about 280 has Blueprint in its first shop; a search that finds none would be fast for nothing."""
    operations, _, found = _engine_dev.measure_seeds("find", 0.05)
    assert 0.5 < found / operations * 280 < 2


def test_unknown_benchmark():
    with pytest.raises(ValueError, match="unknown benchmark 'x'; expected one of divisions hashes"):
        _engine_dev.measure_seeds("x", 0.1)


def test_unknown_benchmark_of_the_game():
    with pytest.raises(ValueError, match="unknown benchmark 'x'; expected one of mock decisions"):
        _engine_dev.measure_game("x", 0.1)


@pytest.mark.parametrize("command", ["engine", "env", "seeds"])
def test_without_the_development_build_one_line_says_how_to_get_it(command, jimbot, monkeypatch):
    monkeypatch.setitem(sys.modules, "jimbot._engine_dev", None)
    monkeypatch.delattr("jimbot._engine_dev")
    with pytest.raises(JimbotError, match="make setup"):
        report.import_development_engine()
    finished = jimbot("bench", command, "--seconds", "0.01")
    message = (
        "the compiled benchmarks are not part of this installation; they are built in a checkout of the repository: "
        "make setup"
    )
    assert (finished.code, finished.out, finished.err) == (2, "", f"jimbot: error: {message}\n")


@pytest.mark.parametrize(
    ("nanoseconds", "text"), [(5.82, "5.8 ns"), (1500, "1.5 µs"), (123456, "123.5 µs"), (2.5e6, "2.5 ms")]
)
def test_durations_have_fitting_units(nanoseconds, text):
    assert report.format_duration(nanoseconds) == text
    assert report.format_rate(1234567.8) == "1,234,568"
    assert report.format_rate(9.876) == "9.88"


@pytest.mark.parametrize(
    ("backends", "wrong"), [("sb3,nope", "nope"), ("nope", "nope"), ("sb3,", ""), ("sb3, jaxx", "jaxx")]
)
def test_an_unknown_training_library_is_refused_before_anything_is_measured(jimbot, backends, wrong):
    finished = jimbot("bench", "train", "--backends", backends)
    message = f"jimbot: error: --backends must be of sb3, tianshou, jax, rllib, got '{wrong}'\n"
    assert (finished.code, finished.out, finished.err) == (2, "", message)
