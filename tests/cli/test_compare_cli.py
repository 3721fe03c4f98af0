"""``jimbot compare``: lists of algorithms and seeds, fields set by name, finished trainings not repeated."""

# pyright: reportArgumentType=false

from __future__ import annotations

import json

import pytest
from tests.training import quick_trainer
from typer.testing import CliRunner

from jimbot.cli.compare import app

ARGUMENTS = [
    *("--algorithms", "Counting", "Guessing", "--seeds", "1", "2", "--backend", "counting"),
    *("--env", "jimbot-tests/Bandit-v0", "--timesteps", "60", "--episodes", "4", "--silent"),
    *(
        "--set",
        "n_envs=2",
        "--set",
        "eval_freq=20",
        "--set",
        "eval_episodes=3",
        "--set",
        "normalize_reward=false",
    ),
    *("--set", "normalize_obs=false"),
]


@pytest.fixture
def compare(tmp_path):
    import gymnasium

    if "jimbot-tests/Bandit-v0" not in gymnasium.registry:
        gymnasium.register("jimbot-tests/Bandit-v0", quick_trainer.bandit, disable_env_checker=True)
    return lambda *words: CliRunner().invoke(app, [*ARGUMENTS, "--output-dir", str(tmp_path), *words])


def test_compare_trains_every_algorithm_on_every_seed_once(compare, tmp_path):
    done = compare()
    assert done.exit_code == 0, done.output
    files = sorted((tmp_path / "comparison" / "results").iterdir())
    results = [json.loads(path.read_text()) for path in files]
    assert sorted((each["algorithm"], each["seed"]) for each in results) == [
        ("Counting", 1),
        ("Counting", 2),
        ("Guessing", 1),
        ("Guessing", 2),
    ]
    assert "Counting - Guessing" in done.output
    assert (tmp_path / "comparison" / "report.html").exists()
    times = [path.stat().st_mtime_ns for path in files]
    assert compare().exit_code == 0
    assert [path.stat().st_mtime_ns for path in files] == times


def test_compare_refuses_an_algorithm_that_nobody_has(tmp_path):
    words = ["--algorithms", "PPO", "FOO", "--output-dir", str(tmp_path / "out")]
    done = CliRunner().invoke(app, words)
    assert "algorithm: backend sb3 has PPO, A2C, DQN, SAC, TD3, not 'FOO'" in str(done.exception)
    assert not (tmp_path / "out").exists()


def test_compare_exits_with_1_when_a_training_failed(compare):
    done = compare("--set", "backend_options={fail_at: 20}")
    assert done.exit_code == 1
    assert "the card table collapsed" in done.output
