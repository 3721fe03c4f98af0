"""A training on Ray in a process of its own, for tests that kill things: ``rllib_run.py DIRECTORY STEPS [NAME=VALUE]``.

Prints a line of JSON after every log, with the process numbers of the env runners.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from jimbot.training.config.trainer_config import HyperparameterConfig, TrainerConfig
from jimbot.training.framework import create_trainer, resume_run

SIZES = {"policy_net_arch": [8], "value_net_arch": [8], "features_dim": 8}
UPDATE = {"n_steps": 64, "batch_size": 128, "n_epochs": 1}


def configuration(directory: str, timesteps: int, **options: Any) -> TrainerConfig:
    """Balatro with two runners."""
    return TrainerConfig(
        backend="rllib",
        env_kwargs={"actions": "candidates", "fast": True},
        total_timesteps=timesteps,
        n_envs=8,
        eval_freq=10**9,
        eval_episodes=2,
        checkpoint_freq=1_024,
        keep_checkpoints=100,
        save_dir=directory,
        name="run",
        backend_options={"num_env_runners": 2, "sample_timeout_s": 30.0, **options},
        hyperparams=HyperparameterConfig(**SIZES, algorithm_specific=UPDATE),
    )


def runner_pids(trainer: Any) -> list[int]:
    """Where the runners live now."""
    return trainer.vector.ask(lambda _: __import__("os").getpid())


def main(directory: str, timesteps: str, *pairs: str) -> None:
    """Train, or go on with the run that is there."""
    from pathlib import Path

    options = {name: json.loads(value) for name, _, value in (pair.partition("=") for pair in pairs)}
    place = Path(directory) / "run"
    fails = options.pop("fails", False)
    started = place.exists()
    trainer = (
        resume_run(place)
        if started
        else create_trainer(None, configuration(directory, int(timesteps), **options))
    )
    with trainer:
        print(json.dumps({"started_at": trainer.timesteps}), flush=True)

        def tell(metrics: dict[str, Any]) -> None:
            restarts = metrics["rollout/env_runner_restarts"]
            news = {"timesteps": trainer.timesteps, "restarts": restarts, "pids": runner_pids(trainer)}
            print(json.dumps(news), flush=True)
            if fails:
                raise RuntimeError("as asked")

        goal = int(timesteps) - trainer.timesteps
        result = trainer.train(goal, tell, progress="silent")
        lost = result["metrics"]["rollout/env_runner_restarts"]
    print(
        json.dumps({"done": result["timesteps"], "episodes": result["episodes"], "restarts": lost}),
        flush=True,
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
