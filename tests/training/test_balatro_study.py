"""The study of trained against random play: the same seeds for both, honest numbers, and all that repeats it."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tools import balatro_study

from jimbot.statistics.evaluation_sets import EvaluationSet
from jimbot.training.envs.evaluation import random_policy
from jimbot.training.framework import create_trainer


@pytest.fixture
def short(monkeypatch):
    """The study's configuration with a training of a second."""
    whole = balatro_study.study_config

    def config(timesteps: int, seed: int, save_dir: str):
        made = whole(timesteps, seed, save_dir)
        made.n_envs, made.eval_freq, made.eval_episodes, made.checkpoint_freq = 4, 10**9, 2, 128
        made.hyperparams.features_dim = 8
        made.hyperparams.algorithm_specific = {"n_steps": 32, "batch_size": 64, "n_epochs": 1}
        return made

    monkeypatch.setattr(balatro_study, "study_config", config)
    return config


def test_a_short_study_is_written_with_all_that_repeats_it(short, tmp_path, capsys):
    output = tmp_path / "study.json"
    words = ["--timesteps", "256", "--episodes", "6", "--seed", "7", "--save-dir", str(tmp_path / "models")]
    words += ["--progress", "silent", "--output", str(output)]
    balatro_study.main(words)
    numbers = json.loads(output.read_text())
    assert numbers["command"].startswith("python -m tools.balatro_study --timesteps 256 --episodes 6")
    assert set(numbers) >= {"commit", "files_changed_since", "libraries", "machine", "processors"}
    config = short(256, 7, "anywhere")
    assert numbers["config_hash"] == config.hash()
    assert numbers["config"]["hyperparams"] == config.to_dict()["hyperparams"]
    assert (numbers["timesteps"], numbers["episodes"], numbers["evaluation_set"]) == (
        256,
        6,
        EvaluationSet.TEST,
    )
    for who in ("trained", "random"):
        found = numbers[who]
        assert len(found["blinds_of_each"]) == 6
        for name in ("blinds", "ante", "reward", "length", "win_rate"):
            assert found[name]["low"] <= found[name]["mean"] <= found[name]["high"]
        assert found["blinds"]["mean"] == pytest.approx(sum(found["blinds_of_each"]) / 6)
        assert found["clear_curve"][0]["reached"] == 6
    difference = numbers["trained_minus_random_on_the_same_seeds"]["blinds"]["mean"]
    means = [numbers[who]["blinds"]["mean"] for who in ("trained", "random")]
    assert difference == pytest.approx(means[0] - means[1])
    shown = capsys.readouterr().out
    assert "6 unseen seeds after 256 steps" in shown
    assert "random " in shown


def test_random_play_meets_the_seeds_of_the_evaluation(short, tmp_path):
    """The numbers of random play are those of the evaluation set, which neither chose nor confirmed the policy."""
    config = short(128, 3, str(tmp_path / "models"))
    found = balatro_study.study(config, 5, progress="silent")
    with create_trainer(None, config.copy_with(name="other")) as trainer:
        luck = random_policy(trainer.vector.action_space, 3)
        expected = trainer.environments.evaluate(luck, 5, EvaluationSet.TEST)
    assert found["random"]["blinds_of_each"] == expected.numbers["blinds"].astype(int).tolist()
    assert found["random"]["reward"]["mean"] == pytest.approx(expected.mean)
    assert EvaluationSet.TEST not in (EvaluationSet.SELECTION, EvaluationSet.CONFIRMATION)


def test_an_interrupted_study_goes_on(short, tmp_path, monkeypatch):
    """The same command goes on from the last checkpoint and ends as an unbroken one."""
    config = short(256, 7, str(tmp_path / "models"))
    with balatro_study.trainer_of(config) as trainer:
        iterate = trainer.iterate

        def once() -> Any:
            if trainer.timesteps:
                raise RuntimeError("the power fails")
            return iterate()

        trainer.iterate = once
        with pytest.raises(RuntimeError, match="the power fails"):
            trainer.train(progress="silent")
    begun = []
    resume = balatro_study.resume_run

    def watched(run):
        trainer = resume(run)
        begun.append(trainer.timesteps)
        return trainer

    monkeypatch.setattr(balatro_study, "resume_run", watched)
    broken = balatro_study.study(config, 4, progress="silent")
    assert begun == [128]
    whole = balatro_study.study(config.copy_with(save_dir=str(tmp_path / "whole")), 4, progress="silent")
    assert broken["trained"] == whole["trained"]
    assert broken["timesteps"] == whole["timesteps"] == 256
