"""SIGTERM ends training, benchmarks and searches within seconds, and the status of their runs says so."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from tests.training.quick_trainer import bandit, counting

from jimbot.errors import EXIT_INTERRUPTED
from jimbot.storage.signals import RepeatedSignal, interrupted_by_termination
from jimbot.training.framework import create_trainer

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(os.name == "nt", reason="needs POSIX signals")
BENCHMARK = """
import sys
from tests.training.quick_trainer import bandit, counting
from jimbot.errors import exit_code
from jimbot.training.experiment import MultiAlgorithmBenchmark
SLOW = {"slow": 600.0}

def run(workers):
    benchmark = MultiAlgorithmBenchmark(bandit, "slow", sys.argv[1], workers=workers)
    benchmark.add_experiments([counting(backend_options=SLOW, seed=seed) for seed in (1, 2)])
    benchmark.run_all(verbose=False)
    return 0

if __name__ == "__main__":
    sys.exit(exit_code(lambda: run(int(sys.argv[2]))))
"""
SEARCH = """
import sys
import tests.training.quick_trainer
from pathlib import Path
from jimbot.errors import exit_code
from jimbot.training.config.trainer_config import TrainerConfig
from jimbot.training.tuning.search import Tuning, TuningSettings
from tests.training.quick_trainer import bandit
from jimbot.training.tuning import search

def run():
    config = TrainerConfig(algorithm="Counting", backend="counting", n_envs=2, normalize_reward=False,
                           total_timesteps=100, backend_options={"slow": 600.0})
    settings = TuningSettings(seeds=1, search=("learning_rate",))
    search.Tuning(config, Path(sys.argv[1]) / "slow", settings, env=bandit).run(2)
    return 0

sys.exit(exit_code(run))
"""


def start(script: str, *arguments: str) -> subprocess.Popen[str]:
    path = Path(arguments[0]) / "script.py"
    path.write_text(script, encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "src")])}
    return subprocess.Popen(
        [sys.executable, str(path), *arguments], env=environment, stderr=subprocess.PIPE, text=True, cwd=ROOT
    )


def states(directory: Path) -> list[str]:
    return [json.loads(each.read_text())["state"] for each in directory.rglob("status.json")]


def wait_for_runs(directory: Path, count: int, process: subprocess.Popen[str]) -> None:
    """Until so many trainings run; their first iterations take ten minutes."""
    patience = time.monotonic() + 120
    while states(directory).count("running") < count and time.monotonic() < patience:
        assert process.poll() is None, process.stderr.read() if process.stderr else ""
        time.sleep(0.05)


@pytest.mark.parametrize("workers", [1, 2])
def test_a_benchmark(tmp_path: Path, workers: int) -> None:
    process = start(BENCHMARK, str(tmp_path), str(workers))
    wait_for_runs(tmp_path, workers, process)
    process.terminate()
    process.communicate(timeout=60)
    assert process.returncode == EXIT_INTERRUPTED
    assert states(tmp_path) == ["interrupted"] * workers


def test_a_search(tmp_path: Path) -> None:
    process = start(SEARCH, str(tmp_path))
    wait_for_runs(tmp_path, 1, process)
    process.terminate()
    process.communicate(timeout=60)
    assert process.returncode == EXIT_INTERRUPTED
    assert states(tmp_path) == ["interrupted"]


def test_an_iteration_that_ends_soon_is_finished(tmp_path: Path) -> None:
    """The signal comes within an iteration, which is counted and saved."""
    config = counting(backend_options={"slow": 0.001}).trainer_config().copy_with(save_dir=str(tmp_path))
    with create_trainer(bandit, config) as trainer:

        def stop(_: Any) -> None:
            os.kill(os.getpid(), signal.SIGTERM)

        result = trainer.train(callback=stop, progress="silent")
        assert result["stopped"] == "interrupted"
        assert result["timesteps"] == trainer.timesteps > 0
        assert states(tmp_path) == ["interrupted"]


def test_a_signal_is_repeated_unless_it_was_in_time() -> None:
    with interrupted_by_termination():
        RepeatedSignal(signal.SIGTERM, 60).cancel()
        RepeatedSignal(signal.SIGTERM, 0.2)
        with pytest.raises(KeyboardInterrupt):
            time.sleep(60)
