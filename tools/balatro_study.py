"""How much better than chance a trained network plays Balatro, on seeds that it has never seen.

    python -m tools.balatro_study --output results/ppo_balatro.json

trains one configuration, takes its best policy, and lets it and random play meet the same seeds. Nothing was trained on
these seeds or chosen by them. The file has both results with intervals, their difference seed by seed, and what is
needed to do it again: command, commit, configuration and its hash. A training that was interrupted goes on when the
same command is given again.
"""

from __future__ import annotations

import argparse
import os
import platform
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jimbot.errors import exit_code
from jimbot.statistics.evaluation_sets import EvaluationSet
from jimbot.statistics.intervals import mean_interval, paired_difference
from jimbot.storage.strict_json import write_json
from jimbot.training.checkpoints.provenance import git_state, library_versions
from jimbot.training.config.files import load_config
from jimbot.training.config.trainer_config import HyperparameterConfig, TrainerConfig
from jimbot.training.envs.evaluation import random_policy
from jimbot.training.framework import create_trainer, resume_run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jimbot.statistics.intervals import Interval
    from jimbot.training.envs.evaluation import EvaluationResult
    from jimbot.training.framework import RLTrainer

__all__ = ["main", "study", "study_config", "summarize_result"]

SHOWN = ("blinds", "ante")
"""What is told of both besides reward, length and wins, with the interval of its mean."""


def study_config(timesteps: int, seed: int, save_dir: str) -> TrainerConfig:
    """A small network on candidates: PPO that learns something within half a minute on two processor cores."""
    return TrainerConfig(
        algorithm="PPO",
        env="balatro",
        env_kwargs={"actions": "candidates", "fast": True},
        total_timesteps=timesteps,
        n_envs=16,
        seed=seed,
        eval_freq=max(timesteps // 10, 10_000),
        eval_episodes=100,
        checkpoint_freq=max(timesteps // 10, 10_000),
        save_dir=save_dir,
        hyperparams=HyperparameterConfig(
            features_dim=128,
            policy_net_arch=[64],
            value_net_arch=[64],
            algorithm_specific={"n_steps": 128, "batch_size": 256, "n_epochs": 4},
        ),
    )


def study(
    config: TrainerConfig, episodes: int, *, evaluation_set: int = EvaluationSet.TEST, progress: str = "auto"
) -> dict[str, Any]:
    """Train, then measure the best policy and random play on the same seeds."""
    with trainer_of(config) as trainer:
        if trainer.timesteps < config.total_timesteps:
            result = trainer.train(config.total_timesteps - trainer.timesteps, progress=progress)
            if result["stopped"] == "interrupted":
                raise KeyboardInterrupt
        steps = trainer.timesteps
        trainer.load(trainer.run.path / "best")
        trained = trainer.evaluate_episodes(episodes, evaluation_set)
        luck = random_policy(trainer.vector.action_space, config.seed)
        random = trainer.environments.evaluate(luck, episodes, evaluation_set)
    differences = {
        name: interval_of(paired_difference(trained.numbers[name], random.numbers[name])) for name in SHOWN
    }
    return {
        "config": config.to_dict(),
        "config_hash": config.hash(),
        "timesteps": steps,
        "evaluation_set": evaluation_set,
        "episodes": episodes,
        "trained": summarize_result(trained),
        "random": summarize_result(random),
        "trained_minus_random_on_the_same_seeds": differences,
    }


def trainer_of(config: TrainerConfig) -> RLTrainer:
    """The trainer of a study: at the last checkpoint, if its run has begun; its name tells the configuration."""
    name = f"balatro-study-{config.hash()}"
    run = Path(config.save_dir) / name
    if any((run / "checkpoints").glob("step_*")):
        return resume_run(run)
    return create_trainer(None, config.copy_with(name=name if not run.exists() else None))


def summarize_result(result: EvaluationResult) -> dict[str, Any]:
    """A result for the file: means with 95 % intervals, the share of runs that cleared each blind, every episode."""
    found: dict[str, Any] = {
        "reward": interval_of(mean_interval(result.rewards)),
        "length": interval_of(mean_interval(result.lengths)),
    }
    found |= {name: interval_of(mean_interval(result.numbers[name])) for name in SHOWN}
    metrics = result.metrics()
    found["win_rate"] = {  # a share has an interval of its own kind
        "mean": metrics["win_rate"],
        "low": metrics["win_rate_low"],
        "high": metrics["win_rate_high"],
    }
    return {
        **found,
        "clear_curve": result.clear_curve(),
        "blinds_of_each": result.numbers["blinds"].astype(int).tolist(),
    }


def interval_of(interval: Interval) -> dict[str, float]:
    """A mean and its interval as plain data."""
    return {"mean": interval.estimate, "low": interval.low, "high": interval.high}


def show(found: dict[str, Any]) -> None:
    """Both results, for people."""
    print(f"{found['episodes']:,} unseen seeds after {found['timesteps']:,} steps")
    for who in ("trained", "random"):
        blinds = found[who]["blinds"]
        wins = found[who]["win_rate"]["mean"]
        print(
            f"{who:8} {blinds['mean']:6.3f} blinds ({blinds['low']:.3f} to {blinds['high']:.3f}), {wins:.1%} won"
        )


def main(arguments: Sequence[str] | None = None) -> None:
    """Train, measure, print, write."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.balatro_study",
        description="A trained network and random play on the same unseen seeds of Balatro.",
    )
    parser.add_argument("--config", type=Path, help="YAML file of another configuration")
    parser.add_argument(
        "--timesteps", type=int, default=20_000, help="steps to train; a file of your own says it itself"
    )
    parser.add_argument("--episodes", type=int, default=1_000, help="seeds that both meet")
    parser.add_argument("--seed", type=int, default=42, help="of training and of random play")
    parser.add_argument("--save-dir", default="models", help="directory that holds the run's directory")
    parser.add_argument("--output", type=Path, help="a JSON file for the numbers")
    parser.add_argument("--progress", default="auto", help="auto, live, plain or silent")
    options = parser.parse_args(arguments)
    if options.config is None:
        config = study_config(options.timesteps, options.seed, options.save_dir)
    else:
        config = load_config(options.config).copy_with(save_dir=options.save_dir)
    found = study(config, options.episodes, progress=options.progress)
    show(found)
    if options.output is None:
        return
    given = sys.argv[1:] if arguments is None else list(arguments)
    state = git_state(Path(__file__).parent) or {}
    numbers = {
        "command": shlex.join(["python", "-m", "tools.balatro_study", *given]),
        "commit": state.get("commit", ""),
        "files_changed_since": state.get("dirty"),
        "machine": f"{platform.system()} {platform.machine()}",
        "processors": os.cpu_count(),
        "libraries": library_versions(),
        **found,
    }
    write_json(options.output, numbers, indent=1, nonfinite="null")


if __name__ == "__main__":
    sys.exit(exit_code(lambda: main() or 0))
