"""``jimbot evaluate RUN``: measure a trained policy on held-out evaluation episodes."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from jimbot.cli.files import check_target, write_report
from jimbot.errors import JimbotError
from jimbot.statistics.evaluation_sets import EvaluationSet
from jimbot.statistics.intervals import mean_interval
from jimbot.storage.strict_json import dump_json

if TYPE_CHECKING:
    from pathlib import Path

    from jimbot.training.config.trainer_config import TrainerConfig
    from jimbot.training.envs.creation import Environments
    from jimbot.training.envs.evaluation import EvaluationResult

__all__ = ["evaluate_run"]


def evaluate_run(
    path: Path,
    episodes: int,
    save: Path | None = None,
    *,
    as_json: bool = False,
    first: int = 0,
    deck: str | None = None,
    stake: int | None = None,
    threads: int = 1,
) -> EvaluationResult:
    """Evaluate the best policy of a run, or the policy of a checkpoint or policy file; print and save the result.

    Args:
        path: of the run, the checkpoint or the policy file.
        episodes: how many.
        save: where to write the result as JSON.
        as_json: print JSON instead of tables.
        first: the first episode of the evaluation set that is played.
        deck: key of the deck to play with instead of the run's own.
        stake: the same for the stake.
        threads: of the environments, if they are native ones.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    from jimbot.players.batch_policy import NetworkPolicy
    from jimbot.training.envs.creation import Environments
    from jimbot.training.runs.opening import find_policy, policy_config

    if save is not None:
        check_target(save)
    policy = find_policy(path)
    config = policy_config(path, policy)
    played = set_deck(config, deck, stake)
    environments = Environments.of(None, played)
    check_environments(environments, played, threads)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    screen = Console(file=sys.stderr)
    with Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal) as progress:
        task = progress.add_task(str(path), total=episodes)
        player = NetworkPolicy(policy)
        result = environments.evaluate(
            player,
            episodes,
            EvaluationSet.TEST,
            lambda done, _: progress.update(task, completed=done),
            first=first,
            threads=threads,
        )
    from jimbot.cli.bench.report import find_source_commit

    content = {
        "commit": find_source_commit(),
        "policy": path.name,
        "config_hash": config.hash(),
        "env_kwargs": played.to_dict()["env_kwargs"],
        "first": first,
        **result.to_dict(),
    }
    if as_json:
        print(dump_json(content, indent=2, nonfinite="null"))
    else:
        show(Console(highlight=False), path, played, result)
    if save is not None:
        write_report(save, content)
    return result


def set_deck(config: TrainerConfig, deck: str | None, stake: int | None) -> TrainerConfig:
    """Return the configuration of a run with another deck or stake."""
    from jimbot.training.envs.creation import BALATRO, environment_id

    wanted = {"decks": deck, "stakes": stake}
    given = {name: [value] for name, value in wanted.items() if value is not None}
    if given and environment_id(config.env) != BALATRO:
        flag = "--deck" if deck is not None else "--stake"
        raise JimbotError(f"{flag}: {config.env} has neither decks nor stakes; leave it out")
    return config.copy_with(env_kwargs={**config.env_kwargs, **given}) if given else config


def check_environments(environments: Environments, config: TrainerConfig, threads: int) -> None:
    """Raise if the environments cannot be created, before anything is printed or played."""
    if environments.native is not None:
        environments.native(num_envs=1, threads=threads).close()
    elif threads > 1:
        raise JimbotError(f"--threads: {config.env} is stepped on one thread, got {threads}; leave it out")


def show(console: Any, path: Path, config: TrainerConfig, result: EvaluationResult) -> None:
    """Print the evaluation as tables."""
    from rich.table import Table

    values = result.metrics()
    measured = f"{config.algorithm} on {config.env}, {len(result.rewards)} unseen episodes"
    console.print(f"[bold]{path}[/]  {measured}", soft_wrap=True)
    reward = mean_interval(result.rewards)
    spread = f" (95 %: {reward.low:.3f} to {reward.high:.3f})" if reward.count > 1 else ""
    console.print(f"reward {reward.estimate:.3f}{spread}   length {values['mean_length']:.1f}")
    if "win_rate" in values:
        low, high = 100 * values["win_rate_low"], 100 * values["win_rate_high"]
        console.print(f"wins {100 * values['win_rate']:.1f} %  (95 %: {low:.1f} to {high:.1f})")
    curve = result.clear_curve()
    if curve is None:
        return
    blinds = mean_interval(result.numbers["blinds"])
    spread = f" (95 %: {blinds.low:.2f} to {blinds.high:.2f})" if blinds.count > 1 else ""
    console.print(f"blinds cleared {blinds.estimate:.2f}{spread}")
    table = Table("ante", "blind", "reached", "cleared", "rate")
    for entry in curve:
        blind = int(entry["blind"]) - 1
        name = ("small", "big", "boss")[blind % 3]
        reached, cleared = int(entry["reached"]), int(entry["cleared"])
        table.add_row(str(blind // 3 + 1), name, str(reached), str(cleared), f"{100 * entry['rate']:.1f} %")
    console.print(table)
