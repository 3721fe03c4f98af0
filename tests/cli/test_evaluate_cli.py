"""``jimbot evaluate``: tables, JSON with its provenance, and refusals in one line."""

from __future__ import annotations

import json

import pytest

from jimbot.cli import evaluate as evaluate_command
from jimbot.players.evaluation import evaluate_player, evaluation_seeds

QUICK = {"hand_samples": 1, "close_samples": 1, "fresh_samples": 1, "strength_samples": 2}


@pytest.fixture
def quick(tmp_path):
    path = tmp_path / "weights.json"
    path.write_text(json.dumps({"weights": QUICK}))
    return path


def test_scripted_as_tables_and_json(jimbot, tmp_path, quick):
    target = tmp_path / "result.json"
    finished = jimbot(
        "evaluate", "scripted", "--episodes", "4", "--weights", str(quick), "--save", str(target)
    )
    assert finished.code == 0, finished.err
    assert "4 runs on evaluation seeds" in finished.out
    assert "wins" in finished.out
    assert "bl_" not in finished.out
    assert "±" not in finished.out  # intervals are written out where one player stands alone
    report = json.loads(target.read_text())
    assert report["evaluation_set"] == {"set": "evaluation", "first": 0, "episodes": 4}
    assert report["weights"] == QUICK
    assert len(report["curve"]) == 24
    measured = evaluate_player("scripted", evaluation_seeds(4), weights=QUICK)
    assert report["mean_blinds"] == measured.mean_blinds
    assert {"commit", "win_interval", "causes"} <= set(report)
    assert report["blinds_interval"][0] <= report["mean_blinds"] <= report["blinds_interval"][1]


def test_other_players_decks_and_seeds(jimbot):
    finished = jimbot(
        "evaluate", "random", "--episodes", "2", "--training", "--deck", "b_ghost", "--stake", "3"
    )
    assert finished.code == 0, finished.err
    assert "Ghost Deck, Green Stake, 2 runs on training seeds" in finished.out


def test_other_things_can_say_how_they_are_measured(jimbot, monkeypatch):
    result = evaluate_player("random", [1])
    asked = []

    def directory(request):
        asked.append(request.name)
        return result if request.name == "some/run" else None

    monkeypatch.setattr(evaluate_command, "EVALUATORS", [*evaluate_command.EVALUATORS, directory])
    assert jimbot("evaluate", "some/run", "--episodes", "1").code == 0
    assert asked == ["some/run"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nobody"], "there is no player and no path 'nobody'; expected greedy, random or scripted"),
        (["scripted", "--episodes", "0"], "episodes must be 1 to"),
        (["scripted", "--first", "-1"], "first must be 0 or more"),
        (["scripted", "--stake", "9"], "stake must be 1 to 8, got 9"),
        (["scripted", "--threads", "0"], "threads must be 1 to"),
        (["scripted", "--deck", "b_x", "--episodes", "1"], "b_x"),
        (["scripted", "--weights", "missing.json"], "cannot read missing.json"),
        (["scripted", "--save", "missing/x.json"], "there is no directory missing"),
    ],
)
def test_refusals(jimbot, arguments, message):
    finished = jimbot("evaluate", *arguments)
    assert finished.code == 2
    assert message in finished.err


@pytest.mark.parametrize("content", ["[1]", "nonsense", '{"dollar": "x"}', '{"weights": 3}'])
def test_weights_that_are_none(jimbot, tmp_path, content):
    path = tmp_path / "weights.json"
    path.write_text(content)
    finished = jimbot("evaluate", "scripted", "--weights", str(path))
    assert finished.code == 2
    assert str(path) in finished.err
