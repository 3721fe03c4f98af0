"""Writes ``docs/backends.md`` from ``results/parity.json``: ``python -m jimbot.training.parity_page``."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from jimbot.errors import JimbotError
from jimbot.training.atomic import write_file_atomically

__all__ = ["backends_page", "main"]

PREFIX = "hyperparams."
OPTIONS = "algorithm_specific."


def backends_page(numbers: dict[str, Any]) -> str:
    """The page, from what ``jimbot.training.parity`` wrote."""
    names = list(next(iter(numbers["fields"].values())))
    fields = [
        f"| `{path.removeprefix(PREFIX).removeprefix(OPTIONS)}` | "
        + " | ".join(worded(row[name]) for name in names)
        + " |"
        for path, row in numbers["fields"].items()
    ]
    returns = [
        f"| {name} | {each['mean']:.1f} | {each['low']:.1f} to {each['high']:.1f} | "
        f"{', '.join(format(value, '.0f') for value in each['returns'])} |"
        for name, each in numbers["found"].items()
    ]
    verdict = "The intervals overlap." if numbers["overlap"] else "The intervals do not overlap."
    lines = [
        "# Training libraries side by side",
        "",
        "This page is written by `python -m jimbot.training.parity_page` from [results/](../results/parity.json);",
        "change nothing here by hand. `python -m jimbot.training.parity --output results/parity.json` makes the",
        "numbers; `--backends` names the libraries.",
        "",
        "## What each makes of a field",
        "",
        "Read off the translations: the field is changed, and the argument that changed with it is named. No library",
        "of the framework may ignore a field. Fields that are not here (environments, normalisation, network, panels,",
        "checkpoints, trackers) are honoured by the framework, the same for all.",
        "",
        f"| field | {' | '.join(names)} |",
        "| --- |" + " --- |" * len(names),
        *fields,
        "",
        "## What comes out",
        "",
        f"The same PPO on CartPole-v1, {numbers['timesteps']:,} steps, which is short enough for luck to show: mean",
        f"return of {numbers['evaluation_episodes']} episodes that nothing was trained or chosen on, with the 95 %",
        "interval of the mean over seeds.",
        "",
        "| library | mean return | 95 % interval | each seed |",
        "| --- | ---: | ---: | --- |",
        *returns,
        "",
        f"{verdict} Commit `{numbers['commit'][:12]}`.",
        "",
    ]
    return "\n".join(line.rstrip() for line in lines)


def worded(cell: str) -> str:
    """A cell of the table: arguments as code, refusals as words."""
    return cell if cell.startswith("refused") else f"`{cell}`"


def main() -> None:
    """Write the page of the checkout in the current directory."""
    try:
        numbers = json.loads(Path("results", "parity.json").read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        sys.exit(f"jimbot: error: {JimbotError(f'results/parity.json cannot be read: {error}')}")
    write_file_atomically(Path("docs", "backends.md"), backends_page(numbers))


if __name__ == "__main__":
    main()
