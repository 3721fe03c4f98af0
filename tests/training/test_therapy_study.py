"""The study of trained therapists: teaching, comparison, and what it writes."""

# pyright: reportArgumentType=false

from __future__ import annotations

import json

import numpy as np
import pytest

from jimbot.therapy.evaluation import Evaluation, evaluate
from jimbot.therapy.therapists import create_therapist
from jimbot.training.framework import create_trainer
from jimbot.training.therapy_study import SETTINGS, compared, main, study_config, teach_complementarity


def evaluation(success):
    success = np.array(success, np.bool_)
    zeros = np.zeros(len(success))
    return Evaluation(zeros, success, ~success, zeros, zeros, zeros, zeros)


def test_differences_are_paired():
    ours, theirs = evaluation([1, 1, 1, 0] * 25), evaluation([1, 0, 0, 0] * 25)
    found = compared(ours, theirs)
    assert (found["difference"], found["ratio"]) == (0.5, 3.0)
    assert (found["only_ours"], found["only_theirs"]) == (50, 0)
    half = 1.96 * np.std([0, 1, 1, 0] * 25, ddof=1) / 10
    assert found["difference_low"] == pytest.approx(0.5 - half, abs=1e-4)
    assert compared(ours, evaluation([0] * 100))["ratio"] is None


def test_the_taught_policy_is_the_complementary_therapist(tmp_path):
    with create_trainer(None, study_config("benchmark", "sb3", 6_400, 0, str(tmp_path))) as trainer:
        assert teach_complementarity(trainer, batches=150) > 0.99
        seeds = range(50)
        ours = evaluate(trainer.policy(), seeds, **SETTINGS["benchmark"])
        theirs = evaluate(create_therapist("complementary"), seeds, **SETTINGS["benchmark"])
    np.testing.assert_array_equal(ours.success, theirs.success)


def test_an_interrupted_study_writes_nothing(tmp_path, monkeypatch, capsys):
    def interrupted(*_: object, **__: object):
        return {"stopped": "interrupted", "timesteps": 64}

    monkeypatch.setattr("jimbot.training.framework.RLTrainer.train", interrupted)
    words = ["--setting", "benchmark", "--clients", "2", "--save-dir", str(tmp_path), "--progress", "silent"]
    assert main([*words, "--output", str(tmp_path / "study.json")]) == 2
    assert "was interrupted after 64 steps" in capsys.readouterr().err
    assert not (tmp_path / "study.json").exists()


@pytest.mark.slow
def test_a_study_is_written_with_what_it_was_made_with(tmp_path):
    words = ["--setting", "benchmark", "--timesteps", "6400", "--clients", "20", "--save-dir", str(tmp_path)]
    assert main([*words, "--output", str(tmp_path / "study.json"), "--progress", "silent"]) == 0
    document = json.loads((tmp_path / "study.json").read_text())
    (found,) = document["studies"]
    assert found["clients"] == [1_000_000, 1_000_019]
    assert set(found["therapists"]) == {"complementary", "row_maximum", "taught", "trained", "trained_last"}
    assert found["therapists"]["trained"]["episodes"] == 20
    assert found["timesteps"] == 6_400
    assert document["command"]
