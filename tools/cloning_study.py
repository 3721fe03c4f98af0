"""What cloning saves: PPO after cloning against PPO alone, in steps to the same level, on two environments.

    python -m tools.cloning_study --output results/cloning.json

The level of a seed is the best that PPO alone reached in its evaluations. Steps of the cloned arm count the
expert's own decisions too: demonstrations are not free. Runs that are in the output file already are not repeated.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jimbot.storage.strict_json import read_json, write_json
from jimbot.tracking.events import EVENTS_FILE, read_events
from jimbot.training.checkpoints.provenance import git_state, library_versions
from jimbot.training.config.trainer_config import BehavioralCloningConfig, HyperparameterConfig, TrainerConfig

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["STUDIES", "Study", "balance", "main", "steps_to"]

Curve = list[tuple[int, float]]
"""Steps and the level of the evaluation, in order."""


def balance(observation: Any) -> int:
    """CartPole's expert: push towards where the pole is falling, and a little towards the middle."""
    place, speed, angle, turning = (float(each) for each in observation)
    return int(angle + 0.3 * turning + 0.02 * place + 0.06 * speed > 0)


@dataclass(frozen=True)
class Study:
    """One environment of the comparison.

    Attributes:
        env: its id.
        env_kwargs: its options.
        level: what the level is called.
        expert: a player's name or a function of the observation.
        n_episodes: demonstrations.
        n_epochs: passes over them.
        hyperparams: of both arms.
    """

    env: str
    env_kwargs: dict[str, Any]
    level: str
    expert: str | Callable[[Any], int]
    n_episodes: int
    n_epochs: int
    hyperparams: HyperparameterConfig

    def config(self, seed: int, timesteps: int, directory: str, *, cloned: bool) -> TrainerConfig:
        """The configuration of one run; the arms differ in cloning alone."""
        named = self.expert if isinstance(self.expert, str) else "scripted"
        return TrainerConfig(
            env=self.env,
            env_kwargs=self.env_kwargs,
            seed=seed,
            n_envs=16,
            total_timesteps=timesteps,
            eval_freq=max(timesteps // 12, 1),
            eval_episodes=64,
            checkpoint_freq=timesteps,
            save_dir=directory,
            hyperparams=self.hyperparams,
            use_behavioral_cloning=cloned and isinstance(self.expert, str),
            behavioral_cloning=BehavioralCloningConfig(
                expert=named, n_episodes=self.n_episodes, n_epochs=self.n_epochs
            ),
        )


STUDIES = {
    "balatro": Study(
        env="jimbot/Balatro-v0",
        env_kwargs={"actions": "candidates", "fast": True, "max_ante": 4, "max_steps": 1_000},
        level="per-blind clear rate",
        expert="scripted",
        n_episodes=30,
        n_epochs=6,
        hyperparams=HyperparameterConfig(
            features_dim=64,
            policy_net_arch=[64],
            value_net_arch=[64],
            algorithm_specific={"n_steps": 128, "batch_size": 256, "n_epochs": 4},
        ),
    ),
    "cartpole": Study(
        env="CartPole-v1",
        env_kwargs={},
        level="mean reward",
        expert=balance,
        n_episodes=4,
        n_epochs=100,
        hyperparams=HyperparameterConfig(
            policy_net_arch=[64],
            value_net_arch=[64],
            entropy_coefficient=0.0,
            algorithm_specific={"n_steps": 64, "batch_size": 256, "n_epochs": 10},
        ),
    ),
}


def level_of(values: dict[str, Any]) -> float:
    """Of Balatro, blinds cleared of blinds played; of others, the mean reward."""
    if "mean_blinds" not in values:
        return float(values["mean_reward"])
    lost = 1.0 - float(values["win_rate"])
    return float(values["mean_blinds"]) / max(float(values["mean_blinds"]) + lost, 1e-9)


def run_arm(study: Study, seed: int, timesteps: int, *, cloned: bool) -> dict[str, Any]:
    """Train one run; its curve begins before the first step."""
    from jimbot.training.behavioral_cloning import BehavioralCloning, TrajectoryCollector, load_trajectories
    from jimbot.training.framework import create_trainer

    with tempfile.TemporaryDirectory() as directory:
        config = study.config(seed, timesteps, directory, cloned=cloned)
        with create_trainer(None, config) as trainer:
            demonstrations = 0
            if cloned and not config.use_behavioral_cloning:
                shown = TrajectoryCollector(study.expert, trainer.environments.creator(), seed=seed).collect(
                    study.n_episodes
                )
                BehavioralCloning(trainer, shown).pretrain(study.n_epochs, verbose=False)
                demonstrations = sum(map(len, shown))
            begun = trainer.evaluate_episodes(config.eval_episodes).metrics()
            trainer.train(progress="silent")
            run = trainer.run.path
            if config.use_behavioral_cloning:
                demonstrations = sum(map(len, load_trajectories(run / "demonstrations.trajectories")))
                begun = start_of(config, run)
            curve: Curve = [(0, level_of(begun))]
            curve += [
                (event.step, level_of(dict(event.values)))
                for event in read_events(run / EVENTS_FILE)
                if event.kind == "evaluation"
            ]
    return {"seed": seed, "cloned": cloned, "demonstrations": demonstrations, "curve": curve}


def start_of(config: TrainerConfig, run: Path) -> dict[str, Any]:
    """Evaluation of the cloned policy before training."""
    from jimbot.training.framework import create_trainer

    plain = config.copy_with(use_behavioral_cloning=False, name="start")
    with create_trainer(None, plain) as trainer:
        return trainer.load(run / "cloned").evaluate_episodes(config.eval_episodes).metrics()


def steps_to(curve: Sequence[Sequence[float]], level: float) -> int | None:
    """Steps after which a curve is first at a level; None if it never is."""
    return next((int(step) for step, value in curve if value >= level), None)


def summary(runs: list[dict[str, Any]]) -> dict[str, Any]:
    """Per seed: the level PPO alone reached, and the steps both arms took to it."""
    alone = {run["seed"]: run for run in runs if not run["cloned"]}
    cloned = {run["seed"]: run for run in runs if run["cloned"]}
    seeds: list[dict[str, Any]] = []
    for seed in sorted(alone.keys() & cloned.keys()):
        level = max(value for _, value in alone[seed]["curve"])
        slow, fast = steps_to(alone[seed]["curve"], level), steps_to(cloned[seed]["curve"], level)
        counted = None if fast is None else fast + cloned[seed]["demonstrations"]
        seeds.append(
            {
                "seed": seed,
                "level": level,
                "steps_alone": slow,
                "steps_cloned": fast,
                "steps_cloned_with_demonstrations": counted,
                "ratio": None if counted is None or slow is None else slow / max(counted, 1),
                "best_alone": level,
                "best_cloned": max(value for _, value in cloned[seed]["curve"]),
                "end_alone": alone[seed]["curve"][-1][1],
                "end_cloned": cloned[seed]["curve"][-1][1],
            }
        )
    ratios = [each["ratio"] for each in seeds]
    known = [ratio for ratio in ratios if ratio is not None]
    whole = bool(ratios) and len(known) == len(ratios)
    return {"seeds": seeds, "median_ratio": statistics.median(known) if whole else None}


def main(arguments: Sequence[str] | None = None) -> None:
    """Run what is missing and write the file after every run."""
    parser = argparse.ArgumentParser(description="steps to the same level, with cloning and without")
    parser.add_argument("--output", type=Path, default=Path("results/cloning.json"))
    parser.add_argument("--timesteps", type=int, default=40_000, help="of every run")
    parser.add_argument("--seeds", type=int, default=3, help="runs of each arm")
    parser.add_argument("--only", choices=list(STUDIES), help="one environment instead of both")
    chosen = parser.parse_args(arguments)
    commit = (git_state(Path(__file__).parent) or {}).get("commit")
    content: dict[str, Any] = {
        "libraries": library_versions(),
        "timesteps": chosen.timesteps,
        "studies": {},
    }
    if chosen.output.exists():
        before: dict[str, Any] = read_json(chosen.output)
        if before["timesteps"] == chosen.timesteps:
            content["studies"] = before["studies"]
    for name in [chosen.only] if chosen.only else list(STUDIES):
        study = STUDIES[name]
        part: dict[str, Any] = content["studies"].setdefault(name, {"level": study.level, "runs": []})
        for seed in range(1, chosen.seeds + 1):
            for cloned in (False, True):
                if any(run["seed"] == seed and run["cloned"] == cloned for run in part["runs"]):
                    continue
                run = run_arm(study, seed, chosen.timesteps, cloned=cloned)
                run["commit"] = commit
                part["runs"].append(run)
                part["summary"] = summary(part["runs"])
                write_json(chosen.output, content, indent=1)
                levels = " ".join(f"{value:.3f}" for _, value in run["curve"])
                print(f"{name} seed {seed} {'cloned' if cloned else 'alone'}: {levels}", flush=True)
        if part["summary"]["median_ratio"] is not None:
            print(
                f"{name}: {part['summary']['median_ratio']:.1f} times fewer steps to {study.level}",
                flush=True,
            )


if __name__ == "__main__":
    main()
