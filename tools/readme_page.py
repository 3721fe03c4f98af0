"""Writes the table of measured numbers in README.md from the files in results/: ``python -m tools.readme_page``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tools.page_marks import filled

from jimbot.storage.atomic import write_file_atomically
from jimbot.storage.strict_json import read_json

__all__ = ["main", "numbers_text", "readme_page"]

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "README.md"
RESULTS = ROOT / "results"


def numbers_text(results: Path = RESULTS) -> str:
    """The headline numbers as a table; each row links to the file it was read from."""
    rows = [
        differential_row(read(results, "reference_differential")),
        conformance_row(read(results, "conformance")),
        scripted_row(read(results, "scripted_player")),
        training_row(read(results, "ppo_balatro")),
        speed_row(read(results, "bench_env")),
        throughput_row(read(results, "bench_train")),
    ]
    files = [
        "reference_differential",
        "conformance",
        "scripted_player",
        "ppo_balatro",
        "bench_env",
        "bench_train",
    ]
    lines = ["| what | measured | source |", "| --- | --- | --- |"]
    lines += [
        f"| {what} | {measured} | [{file}](results/{file}.json) |"
        for (what, measured), file in zip(rows, files, strict=True)
    ]
    return "\n".join(lines)


def read(results: Path, name: str) -> dict[str, Any]:
    """One file of results."""
    return read_json(results / f"{name}.json")


def differential_row(report: dict[str, Any]) -> tuple[str, str]:
    """Scoring compared with an independent model of the rules."""
    measured = f"{report['disagreements']} differences in {report['cases']:,} random hands"
    return "Scoring, against an independent reference in plain Python", measured


def conformance_row(report: dict[str, Any]) -> tuple[str, str]:
    """Random games in which every invariant is checked."""
    failures = sum(report["failures"].values())
    return "Random games with every invariant checked", f"{failures} failures in {report['games']:,} games"


def scripted_row(report: dict[str, Any]) -> tuple[str, str]:
    """The scripted player's win rate."""
    low, high = report["win_interval"]
    measured = (
        f"{report['win_rate']:.1%} of {report['episodes']:,} runs won (95 % interval {low:.1%} to {high:.1%})"
    )
    return "Scripted player, White Stake, held-out seeds", measured


def training_row(report: dict[str, Any]) -> tuple[str, str]:
    """A short training against random play on the same seeds."""
    trained, random = report["trained"]["blinds"], report["random"]["blinds"]
    measured = f"{interval(trained)} blinds cleared; random play {interval(random)}"
    return f"PPO after {report['timesteps']:,} steps, {report['episodes']:,} held-out seeds", measured


def interval(numbers: dict[str, float]) -> str:
    """A mean with its 95 % interval."""
    return f"{numbers['mean']:.2f} [{numbers['low']:.2f}, {numbers['high']:.2f}]"


def speed_row(report: dict[str, Any]) -> tuple[str, str]:
    """Steps of the environment alone."""
    speed = {each["name"]: each["per_second"] for each in report["measurements"]}
    native, python = (f"{speed[name] / 1e6:.1f} million" for name in ("native", "vector"))
    measured = f"{native} steps/s in C++, {python} from Python, one core"
    return f"Environment, {report['games']} games at once, the steps alone", measured


def throughput_row(report: dict[str, Any]) -> tuple[str, str]:
    """Steps of training, beside Stable-Baselines3 as it comes, with 16 environments."""
    speed = {
        each["environments"]: each["steps_per_second"]
        for each in report["measured"]
        if each["backend"] == "sb3" and each["n_envs"] == 16
    }
    ours, library = speed["native"], speed["SubprocVecEnv"]
    measured = f"{ours:,.0f} steps/s; the library as it comes on a `SubprocVecEnv` {library:,.0f}"
    return f"PPO of Stable-Baselines3, 16 environments, {report['threads']} threads", measured


def readme_page(page: str) -> str:
    """The page with its table written anew."""
    return filled(page, {"numbers": numbers_text()})


def main() -> None:
    """Write the page."""
    write_file_atomically(PAGE, readme_page(PAGE.read_text(encoding="utf-8")))


if __name__ == "__main__":
    main()
