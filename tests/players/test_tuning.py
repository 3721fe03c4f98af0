"""Tuning: resumable, deterministic, on training seeds."""

from __future__ import annotations

import json

import pytest

from jimbot.players import weight_tuning as tuning
from jimbot.players.scripted_player import weight_list
from jimbot.players.weight_tuning import Search, TuningError, propose, tune


@pytest.fixture
def told(monkeypatch):
    """Plays nothing: weights with a larger dollar clear more blinds. What was asked is kept."""
    asked = []

    def blinds_of(seeds, weights, threads):
        values = weight_list(weights)
        asked.append((tuple(seeds), threads))
        return [round(1000 * sum(values)) + seed % 3 for seed in seeds]

    monkeypatch.setattr(tuning, "count_blinds", blinds_of)
    return asked


def test_proposals_are_decided_by_seed_and_number():
    assert propose(Search(1, 10), 4) == propose(Search(1, 10), 4)
    assert propose(Search(1, 10), 4) != propose(Search(2, 10), 4)
    for number in range(50):
        moved = propose(Search(1, 10), number)
        weight_list(moved)  # within bounds
        assert not set(moved) & tuning.FIXED


def test_steps_start_from_what_was_kept():
    number = next(n for n in range(99) if "dollar" in propose(Search(1, 10), n))
    assert (
        propose(Search(1, 10, {"dollar": 0.1}), number)["dollar"] > propose(Search(1, 10), number)["dollar"]
    )


def test_what_is_ahead_is_kept(told, tmp_path):
    search = tune(tmp_path / "search.json", 12, runs=4)
    for trial in search.trials:
        assert trial.kept == (trial.gain > trial.error)
    assert any(trial.kept for trial in search.trials)
    assert not all(trial.kept for trial in search.trials)
    assert sum(weight_list(search.weights)) > sum(weight_list())
    assert all(seed % 64 != 63 for seeds, _ in told for seed in seeds)


@pytest.mark.usefixtures("told")
def test_resuming_comes_to_the_same_end(tmp_path):
    tune(tmp_path / "a.json", 6, runs=4)
    tune(tmp_path / "b.json", 3, runs=4)
    tune(tmp_path / "b.json", 6, runs=4)
    assert (tmp_path / "a.json").read_text() == (tmp_path / "b.json").read_text()
    assert len(json.loads((tmp_path / "a.json").read_text())["trials"]) == 6


def test_with_real_runs(tmp_path):
    quick = {"hand_samples": 1, "close_samples": 1, "fresh_samples": 1, "strength_samples": 2}
    path = tmp_path / "search.json"
    tuning.save_search(path, Search(0, 2, dict(quick)))
    (trial,) = tune(path, 1).trials
    assert trial.runs in (2, 6)


def test_refusals(tmp_path):
    (tmp_path / "x.json").write_text("{}")
    with pytest.raises(TuningError, match="cannot resume"):
        tune(tmp_path / "x.json", 1)
    with pytest.raises(TuningError, match="at least 1 trial"):
        tune(tmp_path / "y.json", 0)
