"""Seeds of an evaluation and what is measured on them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from jimbot import _engine
from jimbot.players.evaluation import (
    Evaluation,
    EvaluationError,
    RunRecord,
    evaluate_player,
    evaluation_seeds,
    played_run,
    scripted_runs,
    training_seeds,
)
from jimbot.players.scripted_player import weight_list


def test_evaluation_and_training_never_meet():
    evaluation, training = evaluation_seeds(3000), training_seeds(3000)
    assert {seed % 64 for seed in evaluation} == {63}
    assert 63 not in {seed % 64 for seed in training}
    assert len(set(evaluation)) == 3000
    assert evaluation_seeds(5, first=10) == evaluation_seeds(15)[10:]
    assert training_seeds(5, 1) == training_seeds(5, 1) != training_seeds(5, 2)


def record(**changes: Any) -> RunRecord:
    plain: dict[str, Any] = {
        "seed": "A",
        "won": False,
        "ante": 2,
        "blinds": 3,
        "reached": 0b1111,
        "cleared": 0b0111,
        "last_blind": "bl_small",
        "jokers": [],
        "best_hand": 100.0,
        "money": 4,
        "steps": 20,
    }
    return RunRecord(**(plain | changes))


def test_summary():
    runs = [
        record(),
        record(won=True, blinds=24, reached=2**24 - 1, cleared=2**24 - 1, last_blind="bl_final_bell"),
    ]
    summary = Evaluation.of("x", "b_red", 1, runs, 1.0)
    assert (summary.wins, summary.win_rate, summary.mean_blinds) == (1, 0.5, 13.5)
    assert summary.causes == {"bl_small": 1}
    assert len(summary.curve) == 24
    assert [(each.reached, each.cleared) for each in summary.curve[:5]] == [
        (2, 2),
        (2, 2),
        (2, 2),
        (2, 1),
        (1, 1),
    ]
    assert (summary.curve[3].ante, summary.curve[3].blind) == (2, "small")
    assert json.loads(json.dumps(summary.to_json()))["win_interval"] == list(summary.win_interval)
    with pytest.raises(EvaluationError, match="no runs"):
        Evaluation.of("x", "b_red", 1, [], 1.0)


def test_a_run_is_recorded_alike_in_the_engine_and_step_by_step():
    for seed in training_seeds(2, 3):
        (native,) = scripted_runs([seed], "b_red", 1, weight_list(), 1)
        stepped = played_run("scripted", seed, "b_red", 1)
        assert native == stepped
        assert native.seed == _engine.seed_at(seed)


def test_progress_is_told():
    told = []
    evaluate_player("random", training_seeds(3), on_progress=told.append)
    assert told == [3]


def test_refusals():
    for work, message in [
        (lambda: evaluate_player("x", [1]), "unknown player 'x'; expected one of greedy"),
        (
            lambda: evaluate_player("greedy", [1], weights={"dollar": 0.1}),
            "only the scripted player has weights",
        ),
        (lambda: evaluate_player("scripted", [1], deck="b_x"), "b_x"),
        (lambda: evaluate_player("scripted", []), "no runs"),
        (lambda: evaluation_seeds(0), "at least one seed"),
        (lambda: training_seeds(0), "at least one seed"),
    ]:
        with pytest.raises(EvaluationError, match=message):
            work()
