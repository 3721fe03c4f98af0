"""The study of trained therapists: comparison, training that goes on where it was, and what it writes."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from tools.therapy_study import SETTINGS, StudyConfig, compared, main

from jimbot.networks import load_policy
from jimbot.players.therapist import create_policy_therapist
from jimbot.therapy.env.vector import TherapyVectorEnv
from jimbot.therapy.evaluation import Evaluation
from jimbot.therapy.therapists.scripted import create_therapist

TINY = {"batch": 8, "hidden": (16,), "measure_every": 1, "measure_clients": 8, "minibatch": 400}


def evaluation(success: Any) -> Evaluation:
    success = np.array(success, np.bool_)
    zeros = np.zeros(len(success))
    return Evaluation(zeros.astype(np.int64), success, ~success, zeros.astype(np.int64), zeros, zeros, zeros)


def test_differences_are_paired():
    ours, theirs = evaluation([1, 1, 1, 0] * 25), evaluation([1, 0, 0, 0] * 25)
    found = compared(ours, theirs)
    assert (found["difference"], found["ratio"]) == (0.5, 3.0)
    assert (found["only_ours"], found["only_theirs"]) == (50, 0)
    half = 1.96 * np.std([0, 1, 1, 0] * 25, ddof=1) / 10
    assert found["difference_low"] == pytest.approx(0.5 - half, abs=1e-4)
    assert compared(ours, evaluation([0] * 100))["ratio"] is None


def test_numbers_that_make_no_study_are_refused(tmp_path, capsys):
    for flag in ("--updates", "--batch", "--clients"):
        assert main([flag, "0", "--output", str(tmp_path / "study.json")]) == 2
        assert f"{flag} must be at least 1, got 0" in capsys.readouterr().err
    for flag in ("--further", "--planned", "--foreseen"):
        assert main([flag, "-1", "--output", str(tmp_path / "study.json")]) == 2
        assert f"{flag} must be at least 0, got -1" in capsys.readouterr().err
    assert not (tmp_path / "study.json").exists()


@pytest.mark.slow
def test_the_taught_policy_is_the_preparing_therapist(tmp_path):
    pytest.importorskip("jax")
    from tools.therapy_training import TherapyRun

    run = TherapyRun(StudyConfig("benchmark", updates=1, measure_clients=64), tmp_path)
    assert run.best["updates"] == 0
    ours, theirs = create_policy_therapist(load_policy(tmp_path / "taught")), create_therapist("preparing")
    env = TherapyVectorEnv(64, **SETTINGS["benchmark"])
    observations, _ = env.reset(seed=0)
    same: list[Any] = []
    for _ in range(90):
        wanted = np.asarray(theirs(observations))
        same.append(np.asarray(ours(observations)) == wanted)
        observations = env.step(wanted)[0]
    assert np.mean(same) > 0.95


@pytest.mark.slow
def test_training_goes_on_where_it_was(tmp_path):
    jax: Any = pytest.importorskip("jax")
    from tools.therapy_training import TherapyRun

    from jimbot.errors import JimbotError

    config = StudyConfig("mix", updates=2, **TINY)
    whole = TherapyRun(config, tmp_path / "whole")
    whole.advance()
    whole.advance()
    first = TherapyRun(config, tmp_path / "parts")
    first.advance()
    second = TherapyRun(config, tmp_path / "parts")
    assert second.progress["updates"] == 1
    assert second.best["updates"] == 1
    second.advance()
    for ours, theirs in zip(jax.tree.leaves(whole.state), jax.tree.leaves(second.state), strict=True):
        np.testing.assert_array_equal(ours, theirs)
    assert [each["success"] for each in whole.progress["measured"]] == [
        each["success"] for each in second.progress["measured"]
    ]
    with pytest.raises(JimbotError, match="holds another training"):
        TherapyRun(StudyConfig("mix", updates=3, **TINY), tmp_path / "parts")


@pytest.mark.slow
def test_a_study_is_written_with_what_it_was_made_with(tmp_path):
    pytest.importorskip("jax")
    words = ["--setting", "benchmark", "--updates", "1", "--batch", "8", "--clients", "20"]
    words += ["--save-dir", str(tmp_path), "--further", "10", "--planned", "2", "--foreseen", "1"]
    assert main([*words, "--output", str(tmp_path / "study.json")]) == 0
    document = json.loads((tmp_path / "study.json").read_text())
    (found,) = document["studies"]
    assert found["clients"] == [1_000_000, 1_000_019]
    others = {"complementary", "preparing", "row_maximum", "taught"}
    assert set(found["therapists"]) == {*others, "trained"}
    assert set(found["trained_against"]) == others
    assert found["further"]["clients"] == [2_000_000, 2_000_009]
    assert set(found["further"]["trained_against"]) == {"complementary", "taught"}
    assert found["therapists"]["trained"]["episodes"] == 20
    assert found["updates"] == 1
    assert found["limits"]["planning"]["episodes"] == 2
    assert found["limits"]["foresight"]["complementary"]["episodes"] == 1
    assert 0 < found["sessions"] <= 800
    assert document["command"][3:] == [*words, "--output", str(tmp_path / "study.json")]
