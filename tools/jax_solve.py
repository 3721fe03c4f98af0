"""Solve CartPole from several seeds, and time compiled training: ``python -m tools.jax_solve``.

Each seed trains with the documented defaults and a target of 475 until it converges. It has solved CartPole if the
final policy has a mean reward of at least 475 over 100 held-out evaluation episodes. The numbers go to a file with the
commit they were measured on.
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import time
from pathlib import Path
from typing import Any

import jax
import numpy as np

from jimbot.cartpole import CartPole, CartPoleWrapper
from jimbot.statistics.evaluation_sets import EvaluationSet
from jimbot.storage.strict_json import write_json
from jimbot.training.backends.jax import (
    PPO,
    JaxRunner,
    PPOConfig,
    PPONetwork,
    apply_function,
    initial_parameters,
)
from jimbot.training.jax_trainer import PPOAgent, PPOTrainer

__all__ = ["measure_speed", "solve"]

SOLVED = 475.0
EPISODES = 100


def solve(seed: int) -> dict[str, Any]:
    """Train one seed with the documented defaults and evaluate it."""
    trainer = PPOTrainer(PPOAgent(4, 2, seed=seed), CartPoleWrapper(), target_reward=SOLVED)
    processor = time.process_time()
    results = trainer.train()
    measured = trainer.evaluate(EPISODES, evaluation_set=EvaluationSet.CONFIRMATION)
    return {
        "seed": seed,
        "solved": measured["avg_reward"] >= SOLVED,
        "mean_reward": measured["avg_reward"],
        "lowest_reward": measured["min_reward"],
        "converged": results["converged"],
        "episodes": results["episodes"],
        "steps": results["total_steps"],
        "updates": len(results["updates"]),
        "seconds": round(results["seconds"], 2),
        "processor_seconds": round(time.process_time() - processor, 2),
    }


def measure_speed(num_envs: int, rollout_steps: int, minibatch_size: int, epochs: int) -> dict[str, Any]:
    """Steps per second of compiled training, rollouts and updates together; compiling is timed apart.

    Per second of processor time as well, which other programs on the machine disturb less. The best of three.
    """
    network = PPONetwork(2)
    ppo = PPO(apply_function(network), PPOConfig(minibatch_size=minibatch_size, epochs_per_update=epochs))
    runner = JaxRunner(
        ppo,
        CartPole(),
        lambda key: initial_parameters(network, key, np.zeros(4, np.float32)),
        num_envs=num_envs,
        rollout_steps=rollout_steps,
    )
    state = runner.init(jax.random.PRNGKey(0))
    updates = max(1, 100_000 // runner.steps_per_update)
    start = time.perf_counter()
    lowered: Any = runner.train
    lowered.lower(state, updates).compile()
    compile_seconds = time.perf_counter() - start
    state, _ = runner.train(state, updates)
    per_second, per_processor_second = 0.0, 0.0
    for _ in range(3):
        jax.block_until_ready(state)  # pyright: ignore[reportUnknownMemberType]
        start, processor = time.perf_counter(), time.process_time()
        state, _ = runner.train(state, updates)
        jax.block_until_ready(state)  # pyright: ignore[reportUnknownMemberType]
        steps = updates * runner.steps_per_update
        per_second = max(per_second, steps / (time.perf_counter() - start))
        per_processor_second = max(per_processor_second, steps / (time.process_time() - processor))
    return {
        "num_envs": num_envs,
        "rollout_steps": rollout_steps,
        "minibatch_size": minibatch_size,
        "epochs_per_update": epochs,
        "steps_per_second": round(per_second),
        "steps_per_processor_second": round(per_processor_second),
        "compile_seconds": round(compile_seconds, 2),
    }


def commit() -> str:
    """The commit of the source, or empty outside a checkout."""
    command = ["git", "-C", str(Path(__file__).parent), "rev-parse", "HEAD"]
    found = subprocess.run(command, capture_output=True, text=True, check=False)
    return found.stdout.strip() if found.returncode == 0 else ""


def main() -> None:
    """Solve, measure, print, write."""
    parser = argparse.ArgumentParser(description="Solve CartPole with PPO in JAX and measure its speed.")
    parser.add_argument("--seeds", type=int, default=5, help="how many seeds, from 0")
    parser.add_argument("--output", type=Path, help="a JSON file for the numbers")
    parser.add_argument("--no-speed", action="store_true", help="leave the speed out")
    options = parser.parse_args()
    solutions: list[dict[str, Any]] = []
    for seed in range(options.seeds):
        solutions.append(solve(seed))
        print(solutions[-1], flush=True)
    speeds: list[dict[str, Any]] = []
    if not options.no_speed:
        for shape in ((16, 128, 256, 4), (64, 32, 256, 4), (64, 128, 256, 4), (16, 128, 64, 10)):
            speeds.append(measure_speed(*shape))
            print(speeds[-1], flush=True)
    numbers = {
        "commit": commit(),
        "machine": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "jax": jax.__version__,
        "processors": os.cpu_count(),
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else None,
        "solved_at": SOLVED,
        "evaluation_episodes": EPISODES,
        "solved": sum(solution["solved"] for solution in solutions),
        "seeds": solutions,
        "speed": speeds,
    }
    if options.output is not None:
        write_json(options.output, numbers, nonfinite="null")


if __name__ == "__main__":
    main()
