"""Writes the measured parts of ``docs/guides/jax.md`` from ``results/jax_cartpole.json``.

``python -m tools.jax_solve_page`` puts them between their marks; everything else on the page is by hand.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from tools.page_marks import filled

from jimbot.errors import JimbotError, exit_code
from jimbot.storage.atomic import write_file_atomically
from jimbot.storage.strict_json import read_json

__all__ = ["main", "measured_parts"]

RESULTS, PAGE = Path("results", "jax_cartpole.json"), Path("docs", "guides", "jax.md")


def measured_parts(numbers: dict[str, Any]) -> dict[str, str]:
    """The parts by their marks, from what ``tools.jax_solve`` wrote."""
    return {"solved": solved_part(numbers), "speed": speed_part(numbers)}


def solved_part(numbers: dict[str, Any]) -> str:
    """How many seeds solved CartPole, after how many episodes, how well."""
    seeds = numbers["seeds"]
    converged = [each for each in seeds if each["converged"]]
    episodes = [each["episodes"] for each in converged]
    least = min(each["mean_reward"] for each in seeds)
    target, count = f"{numbers['solved_at']:g}", len(seeds)
    first = (
        f"With the defaults and `target_reward={target}`, {len(converged)} of {count} seeds converge, after "
        f"{min(episodes)} to {max(episodes)} episodes,"
    )
    second = (
        f"and {numbers['solved']} of {count} then have a mean reward of at least {target} over "
        f"{numbers['evaluation_episodes']} episodes (the lowest mean is {least:g})."
    )
    return f"{first}\n{second}"


def speed_part(numbers: dict[str, Any]) -> str:
    """Steps per second of every shape that was timed, and how long it took to compile."""
    lines = [
        "| environments | rollout | minibatch | passes | steps/s | steps per processor second | compiling, s |",
        "| ---: | ---: | ---: | ---: | ---: | ---: | ---: |",
    ]
    for each in numbers["speed"]:
        cells = [
            *(
                str(each[name])
                for name in ("num_envs", "rollout_steps", "minibatch_size", "epochs_per_update")
            ),
            *(f"{each[name]:,}" for name in ("steps_per_second", "steps_per_processor_second")),
            f"{each['compile_seconds']:.0f}",
        ]
        lines.append(f"| {' | '.join(cells)} |")
    load = numbers.get("load")
    beside = "" if load is None else f", load {load:.1f}"
    lines += [
        "",
        f"JAX {numbers['jax']} on {numbers['processors']} processors{beside}; commit `{numbers['commit'][:12]}`.",
    ]
    return "\n".join(lines)


def main() -> int:
    """Write the page of the checkout in the current directory."""
    try:
        numbers = read_json(RESULTS)
        page = PAGE.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise JimbotError(f"run this in a checkout: {error}") from None
    write_file_atomically(PAGE, filled(page, measured_parts(numbers)))
    return 0


if __name__ == "__main__":
    sys.exit(exit_code(main))
