"""``jimbot bench cloning``: demonstrations a second, beside the scripted player that plays alone."""

from __future__ import annotations

import json
import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["CloningMeasurement", "bench_cloning", "measure_cloning"]

ROUNDS = 3
"""Turns in which the measurements take their time; of each the best counts."""
FIRST_SEED = 1_000


@dataclass(frozen=True)
class CloningMeasurement:
    """One way to play runs of the scripted player.

    Attributes:
        name: identifier in JSON.
        what: description in tables.
        runs_per_second: runs of the scripted player per second of one processor.
        decisions_per_second: its decisions per second of one processor.
        of_expert: runs per second relative to the scripted player alone, measured in the same run.
        bytes_per_decision: memory of the stored data; 0 if nothing is stored.
    """

    name: str
    what: str
    runs_per_second: float
    decisions_per_second: float
    of_expert: float
    bytes_per_decision: float


def measure_cloning(runs: int) -> list[CloningMeasurement]:
    """Measure every way with so many runs."""
    ways: list[tuple[str, str, Callable[[int], tuple[int, int]]]] = [
        ("expert", "the scripted player alone", play_alone),
        ("slots", "with fixed actions", lambda n: demonstrate(n, {})),
        (
            "candidates",
            "with candidates",
            lambda n: demonstrate(n, {"actions": "candidates"}),
        ),
    ]
    best: dict[str, tuple[float, int, int]] = {}
    for _ in range(ROUNDS):
        for name, _what, play in ways:
            begun = time.process_time()
            decisions, kept = play(runs)
            best[name] = min(
                best.get(name, (float("inf"), 0, 0)), (time.process_time() - begun, decisions, kept)
            )
    alone = runs / best["expert"][0]
    measured: list[CloningMeasurement] = []
    for name, what, _play in ways:
        seconds, decisions, kept = best[name]
        rate = runs / seconds
        measured.append(
            CloningMeasurement(name, what, rate, decisions / seconds, rate / alone, kept / decisions)
        )
    return measured


def play_alone(runs: int) -> tuple[int, int]:
    """Decisions of the scripted player, and no bytes."""
    from jimbot import _engine
    from jimbot.players.scripted_player import weight_list

    seeds = list(range(FIRST_SEED, FIRST_SEED + runs))
    return int(_engine.expert_play(seeds, "b_red", 1, weight_list(), 1, 8)["steps"].sum()), 0


def demonstrate(runs: int, options: dict[str, Any]) -> tuple[int, int]:
    """Decisions in demonstrations, and the bytes that they take."""
    from jimbot.balatro.env.single import BalatroEnv
    from jimbot.training.cloning.collector import TrajectoryCollector

    shown = TrajectoryCollector("scripted", BalatroEnv(**options)).collect(runs)
    kept = shown[0].rows
    assert kept is not None  # the engine collects them
    return sum(map(len, shown)), kept.store.nbytes


def bench_cloning(runs: int, *, as_json: bool) -> None:
    """Measure and print."""
    from jimbot.cli.bench.report import format_rate, format_title, make_machine_report

    measured = measure_cloning(runs)
    report = make_machine_report(1, 0.0, []) | {
        "runs": runs,
        "measurements": [asdict(each) for each in measured],
    }
    if as_json:
        print(json.dumps(report, indent=2))
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, padding=(0, 2), header_style="bold")
    table.add_column("one thread")
    for title in ("runs/s", "decisions/s", "of the expert", "bytes each"):
        table.add_column(title, justify="right")
    for each in measured:
        table.add_row(
            each.what,
            format_rate(each.runs_per_second),
            format_rate(each.decisions_per_second),
            f"{each.of_expert:.2f}",
            format_rate(each.bytes_per_decision),
        )
    console = Console(highlight=False)
    console.print(format_title(report))
    console.print(table)
