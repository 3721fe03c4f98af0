"""The scripts at the root: what the user can put right is one line and code 2, as with ``jimbot``."""

from __future__ import annotations

import pytest


@pytest.mark.parametrize(
    ("script", "words", "message"),
    [
        ("quick_train.py", ["--algorithm", "FOO"], "--algorithm: expected PPO, A2C, DQN, got 'FOO'"),
        (
            "quick_train.py",
            ["--timesteps", "0"],
            "total_timesteps: expected a whole number of at least 1, got 0",
        ),
        ("quick_train.py", ["--episodes", "0"], "--episodes must be at least 1, got 0"),
        (
            "quick_train.py",
            ["--progress", "fancy"],
            "progress: expected auto, live, plain, silent, got 'fancy'",
        ),
        ("train_with_framework.py", ["--env", "nope"], "env: Gymnasium cannot make 'nope'"),
        ("train_with_framework.py", ["--set", "n_envs=0"], "the configuration: n_envs: "),
        (
            "compare_algorithms.py",
            ["--set", "n_envs=0"],
            "n_envs: expected a whole number of at least 1, got 0",
        ),
        ("compare_algorithms.py", ["--episodes", "0"], "evaluation_episodes: "),
    ],
)
def test_a_bad_flag_is_one_line(root, run_python, tmp_path, script, words, message):
    finished = run_python(str(root / script), *words)
    assert finished.returncode == 2, finished.stderr
    assert finished.stderr.startswith(f"jimbot: error: {message}"), finished.stderr
    assert finished.stderr.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_a_place_that_cannot_be_written_is_one_line(root, run_python, tmp_path):
    (tmp_path / "file").write_text("")
    words = ["--save-dir", str(tmp_path / "file" / "models"), "--timesteps", "64", "--progress", "silent"]
    finished = run_python(str(root / "quick_train.py"), *words)
    assert finished.returncode == 2
    assert finished.stderr.startswith("jimbot: error: cannot make a run directory in ")
    assert finished.stderr.count("\n") == 1


@pytest.mark.parametrize("script", ["quick_train.py", "train_with_framework.py", "compare_algorithms.py"])
def test_scripts_show_their_own_name(root, run_python, script):
    finished = run_python(str(root / script), "--help")
    assert finished.returncode == 0, finished.stderr
    assert f"Usage: {script}" in finished.stdout
    assert run_python(str(root / script), "--no-such-flag").returncode == 2


def test_quick_train_starts_from_a_clone_and_says_what_to_do_next(root, tmp_path, monkeypatch, capsys):
    from jimbot.cli import quick_train
    from jimbot.training.config.files import load_config

    def smaller(config):
        clone_first(config)
        config.behavioral_cloning.n_episodes = config.behavioral_cloning.dagger_episodes = 2
        config.behavioral_cloning.n_epochs = config.eval_episodes = 1
        config.env_kwargs["max_ante"] = 1

    clone_first = quick_train.clone_first
    monkeypatch.setattr(quick_train, "clone_first", smaller)
    quick_train.quick_train(timesteps=2_048, episodes=2, save_dir=str(tmp_path), progress="plain")
    captured = capsys.readouterr()
    told = captured.out + captured.err
    (run,) = tmp_path.iterdir()
    assert (run / "cloned" / "policy.safetensors").exists()
    assert "scripted demonstrates: episode" in told
    assert f"jimbot watch {run}" in told
    assert f"jimbot train --config {quick_train.RECIPE}" in told
    assert load_config(root / quick_train.RECIPE).use_behavioral_cloning
