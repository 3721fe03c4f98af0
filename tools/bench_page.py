"""Writes ``docs/reference/performance.md`` from the measurements in ``results/``: ``python -m tools.bench_page``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from jimbot.cli.bench import format_duration, format_rate
from jimbot.cli.bench.backends_speed import format_ratios
from jimbot.cli.bench.env_speed import ROUNDS
from jimbot.errors import JimbotError
from jimbot.storage.atomic import write_file_atomically
from jimbot.storage.strict_json import read_json

__all__ = ["FILES", "main", "performance_page"]

FILES = {
    "env": "bench_env.json",
    "engine": "bench_engine.json",
    "seeds": "bench_seeds.json",
}
"""The word after ``jimbot bench``, and the file its JSON stands in."""

TRAINING = "bench_train_backends.json"
"""What ``jimbot bench train --backends sb3,jax --json`` wrote; the page does without, where it was not measured."""
NATIVE_TRAINING = "bench_train.json"
"""The same of ``jimbot bench train --json``."""
RUNNERS = "bench_rllib.json"
"""The same of ``jimbot bench rllib --write``."""

INTRODUCTION = """# Performance

This page is written by `make docs` from the measurements in `results/`; change nothing here by hand.
Every table was measured in one run, one row after another. Other work on the machine lowers the numbers, those of two
threads most: the load beside each table is the average number of busy threads in the minute before its end, and the
rows for two threads say something only where it is not above 2. A virtual machine's processors may share one core for
minutes, unseen from inside; two threads then gain little. The environments here were measured when a short
trial of two threads had shown two cores, so their rows are what two cores give, not what every run does. To measure
again, and to write the page:

```text
jimbot bench env --json > results/bench_env.json
jimbot bench engine --json > results/bench_engine.json
jimbot bench seeds --json > results/bench_seeds.json
jimbot bench train --backends sb3,jax --json > results/bench_train_backends.json
jimbot bench train --json > results/bench_train.json
jimbot bench rllib --rounds 3 --write results/bench_rllib.json
make docs
```
"""


def read_report(path: Path) -> dict[str, Any]:
    """One file of measurements; whatever is wrong with it is said in one line."""
    try:
        return read_json(path)
    except OSError as error:
        raise JimbotError(f"cannot read {path}: {error.strerror}; jimbot bench --json writes it") from None
    except ValueError as error:
        raise JimbotError(f"{path} is not JSON: {error}") from None


def performance_page(results: Path) -> str:
    """The page, from the files of a directory."""
    reports = {name: read_report(results / file) for name, file in FILES.items()}
    parts = [
        INTRODUCTION,
        env_section(reports["env"]),
        work_section(
            "The game",
            "`jimbot bench engine`: one thread. A mock that does next to nothing is the ceiling.",
            reports["engine"],
        ),
        work_section(
            "Seeds",
            f"`jimbot bench seeds`: one thread, and {reports['seeds']['threads']} in the last row.",
            reports["seeds"],
        ),
    ]
    optional = ((TRAINING, training_section), (NATIVE_TRAINING, native_section), (RUNNERS, runner_section))
    parts += [section(read_report(results / file)) for file, section in optional if (results / file).exists()]
    return "\n".join(parts)


def origin(report: dict[str, Any], how_long: str = "") -> str:
    """Where a report's numbers come from."""
    engine = report["engine"]
    build = (
        f"{engine['compiler']}, {engine['optimization']}{', link-time optimized' if engine['lto'] else ''}"
    )
    how_long = how_long or f"{report['seconds_each']:g} s each"
    commit = f"commit `{report['commit'][:12]}`" if report.get("commit") else "no commit recorded"
    return (
        f"Measured with jimbot {engine['version']} ({build}), Python {report['python']}, {report['machine']}, "
        f"{report['processors']} processors, {how_long}, load {report['load']:.1f}; {commit}."
    )


def env_section(report: dict[str, Any]) -> str:
    """The environments: steps, shares of the mock, games, memory."""
    rows = [
        f"| {each['what']} | {format_rate(each['per_second'])} | {format_duration(each['nanoseconds'])} | "
        f"{each['of_mock']:.3f} | {format_rate(each['games_per_hour'])} |"
        for each in report["measurements"]
    ]
    ratio, memory = report["ratios"], report["bytes_per_environment"]
    return "\n".join(
        [
            "## Environments",
            "",
            "`jimbot bench env`: random legal play with observation, mask and reward; new games included.",
            "The mock is a card game of the same shape that does next to nothing: as large an observation and mask.",
            f"The mock and the rows of C++ are the best of {ROUNDS} rounds, in which they take turns; those of Python",
            "are one measurement: of the steps alone, and of everything, with a random legal choice and the resets.",
            "",
            "| random legal play | steps/s | a step takes | of the mock | games an hour |",
            "| --- | ---: | ---: | ---: | ---: |",
            *rows,
            "",
            f"With {report['games']} games a second thread brings {ratio['two_threads']:.2f} times the steps,",
            f"{ratio['two_threads_fast']:.2f} with the fast generator and {ratio['two_threads_candidates']:.2f} with",
            "candidates.",
            f"An environment of a vector takes {memory['total']:,} bytes: the episode {memory['episode']:,},",
            f"its last and its final observation {memory['observations']:,}, results {memory['results']:,}.",
            "",
            origin(report),
            "",
        ]
    )


def work_section(title: str, text: str, report: dict[str, Any]) -> str:
    """A table of kinds of work, each with its time in divisions of the reference chain."""
    rows = [
        f"| {each['what']} | {format_rate(each['per_second'])} | {format_duration(each['nanoseconds'])} | "
        f"{each['divisions']:,.1f} |"
        for each in report["measurements"]
    ]
    head = ["| one operation is a | per second | takes | divisions |", "| --- | ---: | ---: | ---: |"]
    closing = "Divisions: the time of one operation, in dependent divisions on the same machine."
    return "\n".join([f"## {title}", "", text, "", *head, *rows, "", closing, "", origin(report), ""])


def training_section(report: dict[str, Any]) -> str:
    """Training libraries side by side."""
    rows = [
        f"| {each['env']} | {each['backend']} | {each['threads']} | {format_rate(each['steps_per_second'])} | "
        f"{format_rate(each['slowest'])} to {format_rate(each['fastest'])} | "
        f"{format_rate(each['steps_per_processor_second'])} | {each['compile_seconds']:.1f} s | "
        f"{each['ceiling_share']:.2f} |"
        for each in report["measured"]
    ]
    times = [f"- {line}" for line in format_ratios(report)]
    ceilings = ", ".join(
        f"{each:.0f} GFLOP/s with {count} threads" for count, each in report["ceiling_gflops"].items()
    )
    return "\n".join(
        [
            "## Training",
            "",
            "`jimbot bench train --backends sb3,jax`: PPO with the documented defaults (minibatches of 64, 10 passes),",
            f"{report['steps_per_update']:,} steps to an update, {report['updates']} updates after the first, one",
            "network for all libraries. Compiling is what the first update took longer. The ceiling is the",
            f"multiplication of large float32 matrices by as many threads, here {ceilings};",
            "the share counts the matrices of the network alone. Balatro has the documented 8 environments, CartPole 4",
            "and towers of 64 and 64; `balatro-small` is Balatro with features of 128 and towers of 64. `sb3` is",
            "jimbot's trainer, which computes Balatro's network in the engine; `sb3 as it comes` is the library's PPO",
            "with the same network in torch, its environments stepped one by one in the same process.",
            "",
            "| environment | library | threads | steps/s | from to | per cpu second | compiling | of ceiling |",
            "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |",
            *rows,
            "",
            "Each with its best number of threads:",
            "",
            *times,
            "",
            origin(report, f"{report['updates']} updates each"),
            "",
        ]
    )


def native_section(report: dict[str, Any]) -> str:
    """Native environments beside a Python process for each."""
    slow = {
        each["n_envs"]: each["steps_per_second"]
        for each in report["measured"]
        if each["environments"] != "native"
    }
    rows = [
        f"| {each['backend']} | {each['environments']} | {each['n_envs']} | {format_rate(each['steps_per_second'])} | "
        f"{each['steps_per_second'] / slow[each['n_envs']]:.2f} | {each['peak_megabytes']:,.0f} MB | "
        f"{', '.join(f'{phase} {share:.0%}' for phase, share in each['shares'].items())} |"
        for each in report["measured"]
    ]
    return "\n".join(
        [
            "## Training on native environments",
            "",
            "`jimbot bench train`: PPO on Balatro with the documented defaults, in jimbot's trainers on native",
            "environments, and in Stable-Baselines3 as it comes on a SubprocVecEnv of the Gymnasium environment, with",
            f"the same network and masks, each with {report['threads']} threads. In its first update JAX compiles; it",
            "is not counted.",
            "",
            "| library | environments | side by side | steps/s | times SubprocVecEnv | memory | time |",
            "| --- | --- | ---: | ---: | ---: | ---: | --- |",
            *rows,
            "",
            origin(report, "at least one update each"),
            "",
        ]
    )


def runner_section(report: dict[str, Any]) -> str:
    """RLlib beside Stable-Baselines3, and where more runners stop helping."""
    rows = [
        f"| {way} | {format_rate(each['steps_per_second']['mean'])} | "
        f"{format_rate(each['steps_per_second']['low'])} to "
        f"{format_rate(each['steps_per_second']['high'])} | {format_rate(each['games_per_hour']['mean'])} | "
        f"{each['times_the_floor']:.0f} | {each['peak_megabytes']:,.0f} MB |"
        for way, each in report["ways"].items()
    ]
    return "\n".join(
        [
            "## RLlib",
            "",
            f"`jimbot bench rllib`: PPO on Balatro's candidates with {report['n_envs']} environments,",
            f"{report['rounds']} rounds, with 95 % intervals. Memory is that of the whole tree of processes; the floor",
            f"is {report['floor_games_per_hour']:,} games an hour.",
            "",
            "| way | steps/s | 95 % | games an hour | times the floor | memory |",
            "| --- | ---: | ---: | ---: | ---: | ---: |",
            *rows,
            "",
            *(scaling_lines(report) if report["scaling"] is not None else ()),
            f"Measured with load {report['load_average']:.1f}; commit `{report['commit'][:12]}`.",
            "",
        ]
    )


def scaling_lines(report: dict[str, Any]) -> list[str]:
    """What the model of scaling predicts by runners, beside what was measured."""
    scaling = report["scaling"]
    one, two, learn = (
        format_duration(1e9 * scaling[f"{part}_seconds_per_step{end}"])
        for part, end in (("play", "_one_runner"), ("play", "_two_runners"), ("learn", ""))
    )
    half = scaling["runners_for_half_of_the_ceiling"]
    measured = {
        runners: format_rate(report["ways"][way]["steps_per_second"]["mean"])
        for runners, way in (("1", "rllib, 1 runner"), ("2", "rllib, 2 runners"))
        if way in report["ways"]
    }
    return [
        f"A step takes {one} of playing with one runner, {two} with two",
        f"({scaling['play_speedup_of_two']:.2f} times as fast), and {learn} of learning. The model in",
        "[rllib.md](../guides/rllib.md), which has a processor for every runner, predicts from that, in steps/s:",
        "",
        "| runners | predicted | measured here |",
        "| ---: | ---: | ---: |",
        *(
            f"| {runners} | {format_rate(speed)} | {measured.get(runners, 'not measured')} |"
            for runners, speed in scaling["predicted_steps_per_second"].items()
        ),
        "",
        (
            f"Never more than {format_rate(scaling['steps_per_second_at_most'])}, "
            f"and half of that with {half:.1f} runners."
        ),
        "",
    ]


def main() -> None:
    """Write the page of the checkout in the current directory."""
    try:
        page = performance_page(Path("results"))
    except JimbotError as error:
        sys.exit(f"jimbot: error: {error}")
    write_file_atomically(Path("docs", "reference", "performance.md"), page)


if __name__ == "__main__":
    main()
