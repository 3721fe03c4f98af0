"""``jimbot evaluate RUN``: how good a trained policy is, on a panel of episodes that no training has seen."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from jimbot.cli.files import check_target, written_whole

if TYPE_CHECKING:
    from pathlib import Path

    from jimbot.training.config import TrainerConfig
    from jimbot.training.evaluation import PanelResult

__all__ = ["evaluate_run"]

PANEL = 10
"""Neither the panel that selects the best policy nor the one that confirms it."""


def evaluate_run(path: Path, episodes: int, json_file: Path | None = None) -> PanelResult:
    """Measure the policy of a run (its best), of a checkpoint or of a policy file; print, and write if asked."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    from jimbot.players.policy_player import NetworkPolicy
    from jimbot.training.environments import Environments
    from jimbot.training.runs import find_policy, policy_config

    if json_file is not None:
        check_target(json_file)
    policy = find_policy(path)
    config = policy_config(path, policy)
    environments = Environments.of(None, config)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=Console(file=sys.stderr), transient=True) as progress:
        task = progress.add_task(str(path), total=episodes)
        player = NetworkPolicy(policy)
        result = environments.panel(
            player, episodes, PANEL, lambda done, _: progress.update(task, completed=done)
        )
    show(Console(highlight=False), path, config, result)
    if json_file is not None:
        from jimbot.cli.bench import source_commit

        content = {
            "commit": source_commit(),
            "policy": path.name,
            "config_hash": config.hash(),
            **result.to_dict(),
        }
        with written_whole(json_file) as partial:
            partial.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")
    return result


def show(console: Any, path: Path, config: TrainerConfig, result: PanelResult) -> None:
    """The panel as tables."""
    from rich.table import Table

    values = result.metrics()
    measured = f"{config.algorithm} on {config.env}, {len(result.rewards)} unseen episodes"
    console.print(f"[bold]{path}[/]  {measured}", soft_wrap=True)
    console.print(f"reward {result.mean:.3f} ± {result.std:.3f}   length {values['mean_length']:.1f}")
    if "win_rate" in values:
        low, high = 100 * values["win_rate_low"], 100 * values["win_rate_high"]
        console.print(f"wins {100 * values['win_rate']:.1f} %  (95 %: {low:.1f} to {high:.1f})")
    curve = result.clear_curve()
    if curve is None:
        return
    console.print(f"blinds cleared {values['mean_blinds']:.2f}")
    table = Table("ante", "blind", "reached", "cleared", "rate")
    for entry in curve:
        blind = int(entry["blind"]) - 1
        name = ("small", "big", "boss")[blind % 3]
        reached, cleared = int(entry["reached"]), int(entry["cleared"])
        table.add_row(str(blind // 3 + 1), name, str(reached), str(cleared), f"{100 * entry['rate']:.1f} %")
    console.print(table)
