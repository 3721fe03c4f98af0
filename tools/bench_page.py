"""Writes ``docs/reference/performance.md`` from the measurements in ``results/``: ``python -m tools.bench_page``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from tools.paragraphs import wrap_paragraph

from jimbot.cli.bench.backends_speed import format_ratios
from jimbot.cli.bench.env_speed import ROUNDS
from jimbot.cli.bench.report import format_duration, format_rate
from jimbot.errors import JimbotError
from jimbot.storage.atomic import write_file_atomically
from jimbot.storage.strict_json import read_json

__all__ = ["FILES", "main", "performance_page"]

FILES = {
    "env": "bench_env.json",
    "engine": "bench_engine.json",
    "seeds": "bench_seeds.json",
}
"""The subcommand of ``jimbot bench``, and the file with its JSON."""

TRAINING = "bench_train_backends.json"
"""The JSON of ``jimbot bench train --backends sb3,jax``; without this file the page leaves the section out."""
NATIVE_TRAINING = "bench_train.json"
"""The JSON of ``jimbot bench train``, optional too."""
RUNNERS = "bench_rllib.json"
"""The JSON of ``jimbot bench rllib --write``, optional too."""

INTRODUCTION = """# Performance

`make docs` writes this page from the measurements in `results/`; do not edit it by hand.

Every table comes from a single run, in which the rows were measured one after another. Other work on the machine lowers
the numbers, those for two threads most. The load given with each table is the average number of busy threads in the
last minute of the measurement; rows for two threads mean something only where it is at most 2. The two processors of a
virtual machine may share one physical core for minutes without the guest noticing; a second thread then gains little.
The environments were measured right after a short trial had found two cores available, so their rows show what two
cores can do, not what every run achieves. To measure again and write the page:

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
    """Read one file of measurements; ``JimbotError`` if that fails."""
    try:
        return read_json(path)
    except OSError as error:
        raise JimbotError(f"cannot read {path}: {error.strerror}; jimbot bench --json writes it") from None
    except ValueError as error:
        raise JimbotError(f"{path} is not JSON: {error}") from None


def performance_page(results: Path) -> str:
    """Return the page, from the files of a directory."""
    reports = {name: read_report(results / file) for name, file in FILES.items()}
    parts = [
        INTRODUCTION,
        env_section(reports["env"]),
        work_section(
            "The game",
            "`jimbot bench engine`, on one thread. The first row is a mock that does almost no work: an upper bound.",
            reports["engine"],
        ),
        work_section(
            "Seeds",
            f"`jimbot bench seeds`, on one thread; the last row uses {reports['seeds']['threads']}.",
            reports["seeds"],
        ),
    ]
    optional = ((TRAINING, training_section), (NATIVE_TRAINING, native_section), (RUNNERS, runner_section))
    parts += [section(read_report(results / file)) for file, section in optional if (results / file).exists()]
    return "\n".join(parts)


def origin(report: dict[str, Any], how_long: str = "") -> str:
    """Return a sentence on where a report's numbers come from."""
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
    """Return the section on environments: steps, shares of the mock's speed, games, memory."""
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
            wrap_paragraph(
                "`jimbot bench env` plays random legal actions with observations, masks and rewards, new games",
                "included.",
                "The mock is a card game with observations and masks of the same size that does almost no",
                "work: an upper bound.",
                f"The mock and the C++ rows are the best of {ROUNDS} rounds, measured in turns.",
                "The Python rows are single measurements, once of the steps alone and once including resets",
                "and the random",
                "choice of a legal action.",
            ),
            "",
            "| random legal play | steps/s | a step takes | share of the mock | games per hour |",
            "| --- | ---: | ---: | ---: | ---: |",
            *rows,
            "",
            wrap_paragraph(
                f"With {report['games']} games, two threads make {ratio['two_threads']:.2f} times the steps of one;",
                f"{ratio['two_threads_fast']:.2f} times with the fast generator,",
                f"{ratio['two_threads_candidates']:.2f} times with candidates.",
                f"Each environment of a vector takes {memory['total']:,} bytes: {memory['episode']:,} for the episode,",
                f"{memory['observations']:,} for its current and its final observation, {memory['results']:,}",
                "for results.",
            ),
            "",
            origin(report),
            "",
        ]
    )


def work_section(title: str, text: str, report: dict[str, Any]) -> str:
    """Return a table of kinds of work, each with its time in divisions of the reference chain."""
    rows = [
        f"| {each['what']} | {format_rate(each['per_second'])} | {format_duration(each['nanoseconds'])} | "
        f"{each['divisions']:,.1f} |"
        for each in report["measurements"]
    ]
    head = ["| operation | per second | takes | divisions |", "| --- | ---: | ---: | ---: |"]
    closing = (
        "The last column is the time of one operation in units of one floating-point division, measured on the same "
        "machine in a chain of dependent divisions."
    )
    return "\n".join([f"## {title}", "", text, "", *head, *rows, "", closing, "", origin(report), ""])


def training_section(report: dict[str, Any]) -> str:
    """Return the section that compares training libraries."""
    rows = [
        f"| {each['env']} | {each['backend']} | {each['threads']} | {format_rate(each['steps_per_second'])} | "
        f"{format_rate(each['slowest'])} to {format_rate(each['fastest'])} | "
        f"{format_rate(each['steps_per_processor_second'])} | {each['compile_seconds']:.1f} s | "
        f"{each['ceiling_share']:.2f} |"
        for each in report["measured"]
    ]
    times = [f"- {line}" for line in format_ratios(report)]
    ceilings = ", ".join(
        f"{each:.0f} GFLOP/s on {count} thread{'' if int(count) == 1 else 's'}"
        for count, each in report["ceiling_gflops"].items()
    )
    return "\n".join(
        [
            "## Training",
            "",
            wrap_paragraph(
                "`jimbot bench train --backends sb3,jax` trains PPO with the documented defaults (minibatches",
                "of 64, 10 epochs)",
                f"and the same network in every library: {report['steps_per_update']:,} steps per update,",
                f"{report['updates']} updates after the first. The compile time is how much longer the first",
                "update took.",
                "The last column compares the network's matrix products with the machine's peak, the",
                "multiplication of large",
                f"float32 matrices ({ceilings}).",
                "Balatro runs with the documented 8 environments, CartPole with 4 and towers of 64 and 64;",
                "`balatro-small` is",
                "Balatro with 128 features and towers of 64. `sb3` is jimbot's trainer, which computes",
                "Balatro's network in",
                "the engine. `sb3 as it comes` is the library's own PPO with the same network in torch; it steps its",
                "environments one by one in the same process.",
            ),
            "",
            "| environment | library | threads | steps/s | from to | per CPU second | compile time | of peak |",
            "| --- | --- | ---: | ---: | ---: | ---: | ---: | ---: |",
            *rows,
            "",
            "Each library with the number of threads that suits it best:",
            "",
            *times,
            "",
            origin(report, f"{report['updates']} updates each"),
            "",
        ]
    )


def native_section(report: dict[str, Any]) -> str:
    """Return the section that compares native environments with one Python process per environment."""
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
            wrap_paragraph(
                "`jimbot bench train` trains PPO on Balatro with the documented defaults: jimbot's trainers on native",
                "environments, and Stable-Baselines3 as it comes on a `SubprocVecEnv` of the Gymnasium environment.",
                f"Networks and masks are the same; each uses {report['threads']} threads.",
                "JAX's first update, in which it compiles, is not counted.",
            ),
            "",
            "| library | environments | how many | steps/s | times SubprocVecEnv | memory | where the time goes |",
            "| --- | --- | ---: | ---: | ---: | ---: | --- |",
            *rows,
            "",
            origin(report, "at least one update each"),
            "",
        ]
    )


def runner_section(report: dict[str, Any]) -> str:
    """Return the section that compares RLlib with Stable-Baselines3, and shows where more runners stop helping."""
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
            wrap_paragraph(
                f"`jimbot bench rllib` trains PPO on Balatro's candidates with {report['n_envs']} environments:",
                f"{report['rounds']} rounds, with 95 % intervals. Memory is that of all processes together.",
                f"The required minimum is {report['floor_games_per_hour']:,} games per hour.",
            ),
            "",
            "| setup | steps/s | 95 % interval | games per hour | times the minimum | memory |",
            "| --- | ---: | ---: | ---: | ---: | ---: |",
            *rows,
            "",
            *(scaling_lines(report) if report["scaling"] is not None else ()),
            f"Measured with load {report['load_average']:.1f}; commit `{report['commit'][:12]}`.",
            "",
        ]
    )


def scaling_lines(report: dict[str, Any]) -> list[str]:
    """Return the steps per second that the scaling model predicts by number of runners, beside the measured ones."""
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
        wrap_paragraph(
            f"Playing takes {one} per step with one runner and {two} with two",
            f"({scaling['play_speedup_of_two']:.2f} times as fast); learning takes {learn} per step.",
            "From these times, the model in [rllib.md](../guides/rllib.md), which assumes a processor for",
            "every runner,",
            "predicts these steps per second:",
        ),
        "",
        "| runners | predicted | measured here |",
        "| ---: | ---: | ---: |",
        *(
            f"| {runners} | {format_rate(speed)} | {measured.get(runners, 'not measured')} |"
            for runners, speed in scaling["predicted_steps_per_second"].items()
        ),
        "",
        (
            f"The limit is {format_rate(scaling['steps_per_second_at_most'])} steps per second; "
            f"{half:.1f} runners reach half of it."
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
