"""One configuration on several libraries: how each translates every field, and whether they learn equally well.

``python -m tools.parity --output results/parity.json`` trains the same PPO on CartPole with every library and
seed and prints both tables; ``--backends`` names the libraries. With ``--output`` every finished training is kept in a
file beside the output, so the same command continues after an interruption.
"""

from __future__ import annotations

import argparse
import os
import platform
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from jimbot.errors import JimbotError
from jimbot.statistics.evaluation_sets import EvaluationSet
from jimbot.statistics.intervals import mean_interval
from jimbot.storage.strict_json import read_json, write_json
from jimbot.training.checkpoints.provenance import git_state, library_versions
from jimbot.training.config.trainer_config import (
    UNUSED,
    ConfigError,
    HyperparameterConfig,
    TrainerConfig,
)
from jimbot.training.framework import check_capabilities, create_trainer, find_trainer, value_at

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = [
    "CHANGES",
    "changes_of",
    "field_table",
    "libraries_with",
    "main",
    "overlapping",
    "parity_config",
    "trained_returns",
]

BACKENDS = "sb3,tianshou,jax,rllib"
EPISODES = 100
TIMESTEPS, SEEDS = 10_000, 5
"""Steps of each training, and number of seeds, by default."""
OPTIONS = "hyperparams.algorithm_specific"
COMMON: dict[str, Any] = {
    "hyperparams.learning_rate": 1e-4,
    "hyperparams.gamma": 0.9,
    "hyperparams.gae_lambda": 0.8,
    "hyperparams.entropy_coefficient": 0.05,
    "hyperparams.value_function_coefficient": 0.25,
    "hyperparams.max_grad_norm": 1.0,
}
OWN: dict[str, dict[str, Any]] = {
    "PPO": {
        "n_steps": 64,
        "batch_size": 32,
        "n_epochs": 3,
        "clip_range": 0.1,
        "clip_range_vf": 0.3,
        "normalize_advantage": False,
        "target_kl": 0.02,
    },
    "A2C": {"n_steps": 64, "use_rms_prop": False, "rms_prop_eps": 1e-4, "normalize_advantage": True},
    "DQN": {
        "buffer_size": 50_000,
        "learning_starts": 100,
        "batch_size": 64,
        "train_freq": 8,
        "gradient_steps": 2,
        "target_update_interval": 500,
        "tau": 0.5,
        "exploration_fraction": 0.3,
        "exploration_initial_eps": 0.9,
        "exploration_final_eps": 0.02,
    },
}


def changes_of(algorithm: str) -> dict[str, Any]:
    """Return the fields that a library itself must honor for an algorithm, each with a value other than its default.

    The framework honors all other fields, the same way for every library. Fields that DQN does not use are refused by
    the configuration itself.
    """
    unused = UNUSED.get(algorithm, frozenset())
    common = {path: value for path, value in COMMON.items() if path.rpartition(".")[2] not in unused}
    return {
        **common,
        **{f"{OPTIONS}.{name}": value for name, value in OWN[algorithm].items()},
        "device": "cuda",
    }


CHANGES = changes_of("PPO")


def parity_config(backend: str, seed: int, timesteps: int, save_dir: str) -> TrainerConfig:
    """Return the configuration for every library: PPO on CartPole-v1, no evaluations or checkpoints before the end."""
    return TrainerConfig(
        backend=backend,
        env="CartPole-v1",
        seed=seed,
        total_timesteps=timesteps,
        n_envs=8,
        eval_freq=10 * timesteps,
        eval_episodes=1,
        checkpoint_freq=10 * timesteps,
        save_dir=save_dir,
        hyperparams=HyperparameterConfig(
            learning_rate=1e-3,
            policy_net_arch=[64, 64],
            value_net_arch=[64, 64],
            algorithm_specific={"n_steps": 128, "batch_size": 128, "n_epochs": 6},
        ),
    ).check()


# --- fields ----------------------------------------------------------------------------------------------------------


def libraries_with(algorithm: str, backends: Iterable[str]) -> list[str]:
    """Return the libraries that have an algorithm."""
    return [name for name in backends if algorithm in find_trainer(name).capabilities.algorithms]


def field_table(backends: Iterable[str], algorithm: str = "PPO") -> dict[str, dict[str, str]]:
    """Return, by field and library, the library's arguments that the field sets, or why it is refused.

    Found by experiment: one field is changed, and the arguments that change with it are listed. A field that changes
    nothing and is not refused is ``ignored``, which no library of the framework may do.
    """
    trainers = {name: find_trainer(name) for name in backends}
    table: dict[str, dict[str, str]] = {}
    for path, value in changes_of(algorithm).items():
        table[path] = {
            name: describe_translation(trainer, path, value, algorithm) for name, trainer in trainers.items()
        }
    return table


def describe_translation(trainer: Any, path: str, value: Any, algorithm: str = "PPO") -> str:
    """Name the arguments that a trainer sets from a field, or say why it refuses the field."""
    plain = TrainerConfig(algorithm=algorithm)
    changed = changed_config(plain, path, value)
    try:
        check_capabilities(trainer, changed)
        before, after = flat(trainer.translate(plain)), flat(trainer.translate(changed))
    except ConfigError as error:
        reason = str(error).partition("cannot honor it: ")[2] or str(error)
        return f"refused: {reason.partition('; backends that can')[0]}"
    names = [name for name in after.keys() | before.keys() if str(after.get(name)) != str(before.get(name))]
    return " and ".join(sorted(names)) if names else "ignored"


def changed_config(config: TrainerConfig, path: str, value: Any) -> TrainerConfig:
    """Return a copy with another value at a dotted path."""
    values = config.model_dump()
    place: dict[str, Any] = values
    *parts, last = path.split(".")
    for part in parts:
        place = place[part]
    place[last] = value
    return TrainerConfig(**values)


def flat(arguments: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Flatten nested arguments to dotted names."""
    found: dict[str, Any] = {}
    for name, value in arguments.items():
        if isinstance(value, dict):
            found |= flat(cast("dict[str, Any]", value), f"{prefix}{name}.")
        else:
            found[f"{prefix}{name}"] = value
    return found


# --- returns ---------------------------------------------------------------------------------------------------------


def trained_return(backend: str, seed: int, timesteps: int) -> dict[str, float]:
    """Train one seed; return the mean return on held-out episodes and the seconds of the training."""
    with tempfile.TemporaryDirectory() as directory:
        config = parity_config(backend, seed, timesteps, directory)
        started = time.perf_counter()
        with create_trainer(None, config) as trainer:
            result = trainer.train(progress="silent")
            if result["stopped"] == "interrupted":
                raise KeyboardInterrupt
            seconds = time.perf_counter() - started
            return {
                "return": trainer.evaluate_episodes(EPISODES, EvaluationSet.PARITY).mean,
                "seconds": seconds,
            }


def trained_returns(
    backends: Sequence[str], seeds: Sequence[int], timesteps: int, kept: Kept | None = None
) -> dict[str, dict[str, Any]]:
    """Train every library on every seed; return each library's returns with the interval of their mean.

    Args:
        backends: The libraries.
        seeds: The seeds. Every library trains on one before any trains on the next, so that the finished trainings can
            be compared at any time.
        timesteps: Steps of each training.
        kept: Trainings finished earlier; new ones are added.
    """
    kept = kept or Kept()
    total, begun = len(seeds) * len(backends), time.perf_counter()
    missing = total - sum(kept.has(backend, seed) for seed in seeds for backend in backends)
    trained = 0
    for seed in seeds:
        for backend in backends:
            if kept.has(backend, seed):
                continue
            found = trained_return(backend, seed, timesteps)
            kept.add(backend, seed, found)
            trained += 1
            left = (time.perf_counter() - begun) / trained * (missing - trained)
            print(
                f"{total - missing + trained} of {total}: {backend}, seed {seed}: {found['return']:.1f} in "
                f"{found['seconds']:.0f} s; about {left / 60:.0f} min left",
                flush=True,
            )
    return {backend: summary([kept.of(backend, seed) for seed in seeds]) for backend in backends}


def summary(trainings: Sequence[Mapping[str, float]]) -> dict[str, Any]:
    """Return the returns of a library's trainings with the interval of their mean."""
    means = [each["return"] for each in trainings]
    interval = mean_interval(means)
    # Returns lie between 0 and 500, which Student's interval does not know.
    return {
        "returns": means,
        "mean": interval.estimate,
        "low": max(interval.low, 0.0),
        "high": min(interval.high, 500.0),
        "seconds": round(sum(each["seconds"] for each in trainings), 1),
    }


class Kept:
    """Finished trainings, in a file beside the output until all have finished, so that none is repeated.

    Args:
        output: The file of the study; None keeps nothing on disk.
        what: Configuration and commit. Trainings of another configuration or commit are not reused.
    """

    def __init__(self, output: Path | None = None, what: str = "") -> None:
        self.path = None if output is None else output.with_suffix(".partial.json")
        self.what = what
        self.trainings: dict[str, dict[str, float]] = {}
        if self.path is not None and self.path.exists():
            read: dict[str, Any] = read_json(self.path)
            if read["what"] == what:
                self.trainings = read["trainings"]

    def has(self, backend: str, seed: int) -> bool:
        """Whether a training has finished."""
        return f"{backend} {seed}" in self.trainings

    def of(self, backend: str, seed: int) -> dict[str, float]:
        """Return the result of a training."""
        return self.trainings[f"{backend} {seed}"]

    def add(self, backend: str, seed: int, found: dict[str, float]) -> None:
        """Keep the result of a training."""
        self.trainings[f"{backend} {seed}"] = found
        if self.path is not None:
            content = {"what": self.what, "trainings": self.trainings}
            write_json(self.path, content, indent=1)

    def forget(self) -> None:
        """Remove the file once the study is written."""
        if self.path is not None:
            self.path.unlink(missing_ok=True)


def overlapping(found: Mapping[str, Mapping[str, Any]]) -> bool:
    """Whether the intervals of all libraries have a point in common."""
    return max(each["low"] for each in found.values()) <= min(each["high"] for each in found.values())


def print_tables(fields: Mapping[str, Mapping[str, str]], found: Mapping[str, Mapping[str, Any]]) -> None:
    """Print both tables."""
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False)
    names = list(next(iter(fields.values())))
    table = Table(box=None, header_style="bold")
    for title in ("field", *names):
        table.add_column(title, overflow="fold")
    for path, row in fields.items():
        table.add_row(path.removeprefix("hyperparams.").removeprefix("algorithm_specific."), *row.values())
    console.print(table)
    if not found:
        return
    table = Table(
        "library", "mean return", "95 % interval", "seeds", "seconds", box=None, header_style="bold"
    )
    for name, each in found.items():
        interval = f"{each['low']:.1f} to {each['high']:.1f}"
        table.add_row(
            name, f"{each['mean']:.1f}", interval, str(len(each["returns"])), f"{each['seconds']:.0f}"
        )
    console.print(table)
    console.print("the intervals overlap" if overlapping(found) else "the intervals do not overlap")


def main(arguments: Sequence[str] | None = None) -> None:
    """Compare the libraries, print the tables and write the numbers."""
    parser = argparse.ArgumentParser(description="The same configuration on several training libraries.")
    parser.add_argument("--backends", default=BACKENDS, help="libraries, separated by commas")
    parser.add_argument(
        "--seeds", type=int, default=SEEDS, help="number of seeds; with 0, only the table of fields"
    )
    parser.add_argument("--timesteps", type=int, default=TIMESTEPS, help="steps of each training")
    parser.add_argument("--output", type=Path, help="a JSON file for the numbers")
    options = parser.parse_args(arguments)
    names: list[str] = options.backends.split(",")
    fields = field_table(names)
    tables = [fields, *(field_table(libraries_with(each, names), each) for each in OWN if each != "PPO")]
    ignored = [
        f"{path} by {name}"
        for table in tables
        for path, row in table.items()
        for name in row
        if row[name] == "ignored"
    ]
    if ignored:
        raise JimbotError(
            f"fields ignored by a backend's translation, which must translate or refuse them: {', '.join(ignored)}"
        )
    seeds = range(options.seeds)
    config = parity_config(names[0], 0, options.timesteps, "models")
    commit = (git_state(Path(__file__).parent) or {}).get("commit", "")
    kept = Kept(options.output, f"{config.copy_with(backend='sb3').hash()} {commit}")
    found = trained_returns(names, seeds, options.timesteps, kept) if seeds else {}
    print_tables(fields, found)
    if options.output is None:
        return
    numbers = {
        "commit": commit,
        "machine": f"{platform.system()} {platform.machine()}",
        "processors": os.cpu_count(),
        "libraries": library_versions(),
        "config_hash_without_backend": config.copy_with(backend="sb3").hash(),
        "default": {path: value_of_default(path) for path in fields},
        "timesteps": options.timesteps,
        "seeds": list(seeds),
        "evaluation_episodes": EPISODES,
        "fields": fields,
        "found": found,
        "overlap": overlapping(found) if found else None,
    }
    write_json(options.output, numbers, nonfinite="null")
    kept.forget()


def value_of_default(path: str, algorithm: str = "PPO") -> Any:
    """Return the default at a dotted path."""
    plain = TrainerConfig(algorithm=algorithm)
    if path.startswith(OPTIONS):
        return getattr(plain.options(), path.removeprefix(f"{OPTIONS}."))
    return value_at(plain, path)


if __name__ == "__main__":
    main()
