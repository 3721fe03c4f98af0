"""``python -m jimbot.training.therapy_study``: can a trained therapist beat always answering complementarily?

A policy that sees only the documented observation is first taught to answer complementarily, since random answers never
succeed and leave nothing to learn from, and then trained with PPO on the reward of the environment as it is. It and the
scripted therapists treat the same held-out clients. The result is written with its intervals, seeds and command.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from jimbot.errors import JimbotError, require
from jimbot.therapy.evaluation import Evaluation, evaluate
from jimbot.therapy.octants import complement
from jimbot.therapy.options import BENCHMARK
from jimbot.therapy.patterns import DEFAULT_PATTERNS
from jimbot.therapy.therapists import create_therapist
from jimbot.training.atomic import make_directories, write_file_atomically
from jimbot.training.config import HyperparameterConfig, TrainerConfig
from jimbot.training.framework import create_trainer
from jimbot.training.provenance import git_state, library_versions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jimbot.training.framework import RLTrainer

__all__ = ["SETTINGS", "compared", "main", "study", "teach_complementarity"]

SETTINGS: dict[str, dict[str, Any]] = {
    "benchmark": dict(BENCHMARK),
    "mix": {**BENCHMARK, "patterns": list(DEFAULT_PATTERNS)},
}
"""The benchmark's clients, and the five patterns with everything else as in the benchmark."""

FIRST_SEED = 1_000_000
"""The held-out clients are those of environment seeds from here on."""
REFERENCES = ("complementary", "row_maximum")
SMOOTHING = 0.02
"""Chance the taught policy leaves to other answers, so that there is something to explore."""


def study_config(setting: str, backend: str, timesteps: int, seed: int, save_dir: str) -> TrainerConfig:
    """The training of one setting."""
    hyperparams = HyperparameterConfig(
        learning_rate=2e-4,
        gamma=0.995,
        entropy_coefficient=0.0005,
        policy_net_arch=[128, 128],
        value_net_arch=[128, 128],
        algorithm_specific={"n_steps": 100, "batch_size": 1_600, "n_epochs": 4},
    )
    return TrainerConfig(
        backend=backend,
        env="therapy",
        env_kwargs=SETTINGS[setting],
        name=f"therapy-{setting}",
        total_timesteps=timesteps,
        seed=seed,
        n_envs=64,
        use_feature_extractor=False,
        normalize_obs=False,
        eval_freq=max(6_400, timesteps // 10),
        eval_episodes=400,
        checkpoint_freq=max(6_400, timesteps // 5),
        save_dir=save_dir,
        hyperparams=hyperparams,
    )


def teach_complementarity(trainer: RLTrainer, batches: int = 400, rows: int = 512, seed: int = 0) -> float:
    """Fit the policy to the complementary answer on random observations; the share it then answers so."""
    torch: Any = require("torch", "sb3")
    _ = trainer.model
    network: Any = getattr(trainer, "network", None)
    if network is None:
        raise JimbotError(f"{type(trainer).__name__} has no torch network to teach")
    rng = np.random.default_rng(seed)
    optimiser = torch.optim.Adam(
        [value for name, value in network.named_parameters() if "value" not in name], lr=2e-3
    )
    right = 0.0
    for _ in range(batches):
        observation = random_observations(rng, rows)
        target = torch.from_numpy(complement(observation["client_action"]))
        logits = network.policy_logits({name: torch.from_numpy(each) for name, each in observation.items()})
        loss = torch.nn.functional.cross_entropy(logits, target, label_smoothing=SMOOTHING)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        right = float((logits.argmax(1) == target).float().mean())
    return right


def random_observations(rng: np.random.Generator, rows: int) -> dict[str, Any]:
    """Observations of any length of history, with any content."""
    held = rng.integers(0, 26, rows)
    history = rng.integers(0, 8, (rows, 50))
    history[np.arange(50) >= 2 * held[:, np.newaxis]] = 8
    return {
        "client_action": rng.integers(0, 8, rows),
        "history": history,
        "session_number": rng.random((rows, 1), np.float32),
    }


def compared(ours: Evaluation, theirs: Evaluation) -> dict[str, Any]:
    """Difference of success rates on the same clients, with the 95 % interval of paired shares."""
    difference = ours.success.astype(float) - theirs.success.astype(float)
    half = 1.959963984540054 * float(difference.std(ddof=1)) / len(difference) ** 0.5
    mean = float(difference.mean())
    base = float(theirs.success.mean())
    return {
        "difference": mean,
        "difference_low": mean - half,
        "difference_high": mean + half,
        "ratio": float(ours.success.mean()) / base if base else None,
        "only_ours": int((difference > 0).sum()),
        "only_theirs": int((difference < 0).sum()),
    }


def measured(policy: Any, seeds: Sequence[int], options: dict[str, Any]) -> Evaluation:
    """What a batch policy does with one client per seed; a policy is a therapist that answers batches only."""
    return evaluate(policy, seeds, **options)


def study(
    setting: str,
    *,
    backend: str = "sb3",
    timesteps: int = 1_000_000,
    seed: int = 0,
    clients: int = 1_000,
    save_dir: str = "models",
    progress: str = "auto",
) -> dict[str, Any]:
    """Train on one setting and measure on held-out clients."""
    from jimbot.players.policy_player import NetworkPolicy
    from jimbot.training.runs import find_policy

    config = study_config(setting, backend, timesteps, seed, save_dir)
    seeds = range(FIRST_SEED, FIRST_SEED + clients)
    options = SETTINGS[setting]
    found = {name: evaluate(create_therapist(name), seeds, **options) for name in REFERENCES}
    with create_trainer(None, config) as trainer:
        taught = teach_complementarity(trainer, seed=seed)
        found["taught"] = measured(trainer.policy(), seeds, options)
        result = trainer.train(progress=progress)
        if result["stopped"] != "finished":
            raise JimbotError(
                f"the training on {setting} was {result['stopped']} after {result['timesteps']} steps; nothing is "
                "written of a study that is not whole"
            )
        best = NetworkPolicy(find_policy(trainer.run.path))
        found["trained"] = measured(best, seeds, options)
        found["trained_last"] = measured(trainer.policy(), seeds, options)
    return {
        "setting": setting,
        "options": options,
        "clients": [seeds[0], seeds[-1]],
        "config": {name: value for name, value in config.to_dict().items() if name != "save_dir"},
        "config_hash": config.hash(),
        "timesteps": result["timesteps"],
        "seconds": result["seconds"],
        "best_timesteps": result["best_timesteps"],
        "taught_accuracy": taught,
        "therapists": {name: each.summary() for name, each in found.items()},
        "trained_against": {name: compared(found["trained"], found[name]) for name in REFERENCES},
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; its exit code."""
    parser = argparse.ArgumentParser(prog="python -m jimbot.training.therapy_study", description=__doc__)
    parser.add_argument("--setting", nargs="+", choices=tuple(SETTINGS), default=list(SETTINGS))
    parser.add_argument("--backend", default="sb3", choices=("sb3", "tianshou"))
    parser.add_argument("--timesteps", type=int, default=1_000_000, help="steps of training per setting")
    parser.add_argument("--clients", type=int, default=1_000, help="held-out clients per setting")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--save-dir", default="models")
    parser.add_argument("--output", type=Path, default=Path("results", "therapy_policy.json"))
    parser.add_argument("--progress", default="auto", choices=("auto", "live", "plain", "silent"))
    given = parser.parse_args(arguments)
    named = {
        name: getattr(given, name)
        for name in ("backend", "timesteps", "seed", "clients", "save_dir", "progress")
    }
    try:
        studies = [study(setting, **named) for setting in given.setting]
        document = {
            "command": ["python", "-m", "jimbot.training.therapy_study", *sys.argv[1:]],
            "git": git_state(),
            "versions": library_versions(),
            "studies": studies,
        }
        make_directories(given.output.parent)
        write_file_atomically(given.output, json.dumps(document, indent=2) + "\n")
    except JimbotError as error:
        print(f"jimbot: error: {error}", file=sys.stderr)
        return 2
    for each in studies:
        for name, cell in each["therapists"].items():
            rate, low, high = (100 * cell[key] for key in ("success_rate", "wilson_low", "wilson_high"))
            print(
                f"{each['setting']:10} {name:14} {rate:5.1f} % [{low:.1f}, {high:.1f}], {cell['dropouts']} dropouts"
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
