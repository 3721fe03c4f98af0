"""Writes ``docs/reference/backends.md`` from ``results/parity.json``: ``python -m tools.parity_page``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tools.paragraphs import wrap_paragraph
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
    """Return the page, from the numbers that ``tools.parity`` wrote."""
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
        wrap_paragraph(
            "`python -m tools.parity_page` writes this page from [results/parity.json](../../results/parity.json);",
            f"do not edit it by hand. `{make_command(numbers)}` measures the numbers; `--backends` chooses the",
            "libraries.",
        ),
        "",
        "## How each library translates a field",
        "",
        wrap_paragraph(
            "The tables show which of the library's own arguments each field of the configuration sets. They",
            "are found by",
            "changing one field and listing the arguments that change with it. A backend translates a field or refuses",
            "it; none may ignore one. Fields that are not listed (environments, normalization, network, evaluation,",
            "checkpoints, trackers) belong to the framework and work the same with every library.",
        ),
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
        wrap_paragraph(
            "DQN has no advantages, no entropy bonus and no separate value function. Every library therefore refuses",
            "`gae_lambda`, `entropy_coefficient`, `value_function_coefficient` and `value_net_arch` unless",
            "they have their",
            "default values (`value_net_arch` may also be empty, or equal to `policy_net_arch`).",
        ),
        "",
        *table_lines(dqn),
        "",
        "## Do they learn equally well?",
        "",
        wrap_paragraph(
            f"Every library trains PPO on CartPole-v1 with the same settings for {numbers['timesteps']:,}",
            f"steps{remark(numbers)}.",
            f"The table shows the mean return over {numbers['evaluation_episodes']} held-out episodes, and the 95 %",
            "confidence interval of its mean over seeds.",
        ),
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
    """Return a table of fields by library, in Markdown."""
    names = list(next(iter(fields.values())))
    rows = [
        f"| `{path.removeprefix(PREFIX).removeprefix(OPTIONS)}` | "
        + " | ".join(format_cell(row[name]) for name in names)
        + " |"
        for path, row in fields.items()
    ]
    return [f"| field | {' | '.join(names)} |", "| --- |" + " --- |" * len(names), *rows]


def make_command(numbers: dict[str, Any]) -> str:
    """Return the command that measured the numbers."""
    given = (("timesteps", numbers["timesteps"], TIMESTEPS), ("seeds", len(numbers["seeds"]), SEEDS))
    flags = "".join(f"--{name} {value} " for name, value, usual in given if value != usual)
    return f"python -m tools.parity {flags}--output results/parity.json"


def remark(numbers: dict[str, Any]) -> str:
    """Return a caveat if the trainings were short."""
    return ", so few that results vary much from seed to seed" if numbers["timesteps"] <= TIMESTEPS else ""


def format_cell(cell: str) -> str:
    """Format a cell of the table: arguments as code, refusals as text."""
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
