"""One configuration on several libraries: what each makes of every field, and whether they end up equally good.

``python -m jimbot.training.parity --output results/parity.json`` trains the same PPO on CartPole with every library and
seed and prints both tables. A library that joins the framework joins the tables by its name.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from jimbot.errors import JimbotError
from jimbot.training.atomic import write_file_atomically
from jimbot.training.config import ConfigError, HyperparameterConfig, TrainerConfig
from jimbot.training.framework import check_capabilities, create_trainer, find_trainer, value_at
from jimbot.training.provenance import git_state, library_versions
from jimbot.training.statistics import mean_interval

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = ["CHANGES", "field_table", "main", "overlapping", "parity_config", "trained_returns"]

BACKENDS = "sb3,tianshou,jax,rllib"
PANEL = 7
"""Episodes that no training chooses by."""
EPISODES = 100
OPTIONS = "hyperparams.algorithm_specific"
CHANGES: dict[str, Any] = {
    "hyperparams.learning_rate": 1e-4,
    "hyperparams.gamma": 0.9,
    "hyperparams.gae_lambda": 0.8,
    "hyperparams.entropy_coefficient": 0.05,
    "hyperparams.value_function_coefficient": 0.25,
    "hyperparams.max_grad_norm": 1.0,
    f"{OPTIONS}.n_steps": 64,
    f"{OPTIONS}.batch_size": 32,
    f"{OPTIONS}.n_epochs": 3,
    f"{OPTIONS}.clip_range": 0.1,
    f"{OPTIONS}.clip_range_vf": 0.3,
    f"{OPTIONS}.normalize_advantage": False,
    f"{OPTIONS}.target_kl": 0.02,
    "device": "cuda",
}
"""Every field that a library itself has to honour, and a value that is not its default; all others are honoured by the
framework, the same for all libraries."""


def parity_config(backend: str, seed: int, timesteps: int, save_dir: str) -> TrainerConfig:
    """The configuration that all libraries get: PPO on CartPole-v1, without panels and checkpoints on the way."""
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


def field_table(backends: Iterable[str]) -> dict[str, dict[str, str]]:
    """By field and library: the names under which the library gets it, or why it is refused.

    Read off the translations themselves: the field is changed, and what changed with it is named. A field that changes
    nothing and is not refused is ``ignored``, which no library of the framework may do.
    """
    trainers = {name: find_trainer(name) for name in backends}
    table: dict[str, dict[str, str]] = {}
    for path, value in CHANGES.items():
        table[path] = {name: honoured(trainer, path, value) for name, trainer in trainers.items()}
    return table


def honoured(trainer: Any, path: str, value: Any) -> str:
    """What a trainer does with a field."""
    plain = TrainerConfig()
    changed = changed_config(plain, path, value)
    try:
        check_capabilities(trainer, changed)
        before, after = flat(trainer.translate(plain)), flat(trainer.translate(changed))
    except ConfigError as error:
        reason = str(error).partition("cannot honour it: ")[2] or str(error)
        return f"refused: {reason.partition('; backends that can')[0]}"
    names = [name for name in after.keys() | before.keys() if str(after.get(name)) != str(before.get(name))]
    return " and ".join(sorted(names)) if names else "ignored"


def changed_config(config: TrainerConfig, path: str, value: Any) -> TrainerConfig:
    """A copy with another value at a dotted path."""
    values = config.model_dump()
    place: dict[str, Any] = values
    *parts, last = path.split(".")
    for part in parts:
        place = place[part]
    place[last] = value
    return TrainerConfig(**values)


def flat(arguments: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Nested arguments by dotted names."""
    found: dict[str, Any] = {}
    for name, value in arguments.items():
        if isinstance(value, dict):
            found |= flat(cast("dict[str, Any]", value), f"{prefix}{name}.")
        else:
            found[f"{prefix}{name}"] = value
    return found


# --- returns ---------------------------------------------------------------------------------------------------------


def trained_returns(backend: str, seeds: Sequence[int], timesteps: int) -> dict[str, Any]:
    """Train every seed; mean returns over episodes nobody trained or chose on, with the interval of their mean."""
    means: list[float] = []
    seconds = 0.0
    for seed in seeds:
        with tempfile.TemporaryDirectory() as directory:
            config = parity_config(backend, seed, timesteps, directory)
            started = time.perf_counter()
            with create_trainer(None, config) as trainer:
                result = trainer.train(progress="silent")
                if result["stopped"] == "interrupted":
                    raise KeyboardInterrupt
                seconds += time.perf_counter() - started
                means.append(trainer.evaluate_panel(EPISODES, PANEL).mean)
        print(f"{backend}, seed {seed}: {means[-1]:.1f}", flush=True)
    interval = mean_interval(means)
    # No episode is longer than 500 steps: an interval of Student's distribution does not know that.
    return {
        "returns": means,
        "mean": interval.estimate,
        "low": max(interval.low, 0.0),
        "high": min(interval.high, 500.0),
        "seconds": round(seconds, 1),
    }


def overlapping(found: Mapping[str, Mapping[str, Any]]) -> bool:
    """Whether the intervals of all libraries have a point in common."""
    return max(each["low"] for each in found.values()) <= min(each["high"] for each in found.values())


def show(fields: Mapping[str, Mapping[str, str]], found: Mapping[str, Mapping[str, Any]]) -> None:
    """Both tables, for people."""
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
    """Compare, print, write."""
    parser = argparse.ArgumentParser(description="The same configuration on several training libraries.")
    parser.add_argument("--backends", default=BACKENDS, help="libraries, with commas between")
    parser.add_argument(
        "--seeds", type=int, default=5, help="how many seeds, from 0; 0 shows the fields alone"
    )
    parser.add_argument("--timesteps", type=int, default=10_000, help="steps of each training")
    parser.add_argument("--output", type=Path, help="a JSON file for the numbers")
    options = parser.parse_args(arguments)
    names: list[str] = options.backends.split(",")
    fields = field_table(names)
    ignored = [f"{path} by {name}" for path, row in fields.items() for name in row if row[name] == "ignored"]
    if ignored:
        raise JimbotError(f"ignored, which is a mistake in the library's translation: {', '.join(ignored)}")
    seeds = range(options.seeds)
    found = {name: trained_returns(name, seeds, options.timesteps) for name in names} if seeds else {}
    show(fields, found)
    if options.output is None:
        return
    config = parity_config(names[0], 0, options.timesteps, "models")
    numbers = {
        "commit": (git_state(Path(__file__).parent) or {}).get("commit", ""),
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
    write_file_atomically(options.output, json.dumps(numbers, indent=2) + "\n")


def value_of_default(path: str) -> Any:
    """The default at a dotted path."""
    plain = TrainerConfig()
    if path.startswith(OPTIONS):
        return getattr(plain.options(), path.removeprefix(f"{OPTIONS}."))
    return value_at(plain, path)


if __name__ == "__main__":
    main()
