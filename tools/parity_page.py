"""Writes ``docs/reference/backends.md`` from ``results/parity.json``: ``python -m tools.parity_page``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tools.parity import SEEDS, TIMESTEPS, field_table, libraries_with

from jimbot.errors import JimbotError
from jimbot.storage.atomic import write_file_atomically
from jimbot.storage.strict_json import read_json

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["backends_page", "main"]

PREFIX = "hyperparams."
OPTIONS = "algorithm_specific."


def backends_page(numbers: dict[str, Any]) -> str:
    """The page, from what ``tools.parity`` wrote."""
    names = list(next(iter(numbers["fields"].values())))
    a2c, dqn = (field_table(libraries_with(each, names), each) for each in ("A2C", "DQN"))
    returns = [
        f"| {name} | {each['mean']:.1f} | {each['low']:.1f} to {each['high']:.1f} | "
        f"{', '.join(format(value, '.0f') for value in each['returns'])} |"
        for name, each in numbers["found"].items()
    ]
    verdict = "The intervals overlap." if numbers["overlap"] else "The intervals do not overlap."
    lines = [
        "# Training libraries side by side",
        "",
        "This page is written by `python -m tools.parity_page` from [results/](../../results/parity.json);",
        f"change nothing here by hand. `{command(numbers)}` makes the",
        "numbers; `--backends` names the libraries.",
        "",
        "## What each makes of a field",
        "",
        "Read off the translations: the field is changed, and the argument that changed with it is named. No library",
        "of the framework may ignore a field. Fields not here (environments, normalization, network, evaluation,",
        "checkpoints, trackers) are honoured by the framework, the same for all.",
        "",
        "### PPO",
        "",
        *table_lines(numbers["fields"]),
        "",
        "### A2C",
        "",
        *table_lines(a2c),
        "",
        "### DQN",
        "",
        "It has neither advantages nor an entropy bonus nor a value apart from those of actions: `gae_lambda`,",
        "`entropy_coefficient`, `value_function_coefficient` and `value_net_arch` are refused by all libraries when",
        "they differ from their defaults (`value_net_arch` may be empty, or the same as `policy_net_arch`).",
        "",
        *table_lines(dqn),
        "",
        "## What comes out",
        "",
        f"The same PPO on CartPole-v1, {numbers['timesteps']:,} steps{remark(numbers)}: mean",
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


def table_lines(fields: Mapping[str, Mapping[str, str]]) -> list[str]:
    """A table of fields by library, in Markdown."""
    names = list(next(iter(fields.values())))
    rows = [
        f"| `{path.removeprefix(PREFIX).removeprefix(OPTIONS)}` | "
        + " | ".join(worded(row[name]) for name in names)
        + " |"
        for path, row in fields.items()
    ]
    return [f"| field | {' | '.join(names)} |", "| --- |" + " --- |" * len(names), *rows]


def command(numbers: dict[str, Any]) -> str:
    """What made the numbers."""
    given = (("timesteps", numbers["timesteps"], TIMESTEPS), ("seeds", len(numbers["seeds"]), SEEDS))
    flags = "".join(f"--{name} {value} " for name, value, usual in given if value != usual)
    return f"python -m tools.parity {flags}--output results/parity.json"


def remark(numbers: dict[str, Any]) -> str:
    """What is to be said about so many steps."""
    return ", which is short enough for luck to show" if numbers["timesteps"] <= TIMESTEPS else ""


def worded(cell: str) -> str:
    """A cell of the table: arguments as code, refusals as words."""
    return cell if cell.startswith("refused") else f"`{cell}`"


def main() -> None:
    """Write the page of the checkout in the current directory."""
    try:
        numbers = read_json(Path("results", "parity.json"))
    except (OSError, ValueError) as error:
        sys.exit(f"jimbot: error: {JimbotError(f'results/parity.json cannot be read: {error}')}")
    write_file_atomically(Path("docs", "reference", "backends.md"), backends_page(numbers))


if __name__ == "__main__":
    main()
