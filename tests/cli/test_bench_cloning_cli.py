"""``jimbot bench cloning``: every number is there, positive and consistent. How large they are is not tested."""

from __future__ import annotations

import json

import pytest


def test_json(jimbot):
    finished = jimbot("bench", "cloning", "--json", "--runs", "3")
    assert finished.code == 0, finished.err
    report = json.loads(finished.out)
    assert report["runs"] == 3
    measured = {each["name"]: each for each in report["measurements"]}
    assert list(measured) == ["expert", "slots", "candidates"]
    alone = measured["expert"]["runs_per_second"]
    for name, each in measured.items():
        assert each["decisions_per_second"] > each["runs_per_second"] > 0
        assert each["of_expert"] == pytest.approx(each["runs_per_second"] / alone)
        assert (each["bytes_per_decision"] > 0) == (name != "expert")


def test_table(jimbot):
    finished = jimbot("bench", "cloning", "--runs", "2")
    assert finished.code == 0, finished.err
    for part in ("runs/s", "of the expert", "the scripted player alone", "candidates"):
        assert part in finished.out


def test_bad_input_gets_one_line(jimbot):
    finished = jimbot("bench", "cloning", "--runs", "0")
    assert (finished.code, finished.out) == (2, "")
    assert finished.err == "jimbot: error: runs must be 1 to 100000, got 0\n"
