"""``jimbot bench engine`` and ``jimbot bench seeds``: the compiled engine, measured beside a chain of divisions."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

from jimbot.cli.bench.report import (
    Measurement,
    format_duration,
    format_rate,
    format_title,
    import_development_engine,
)

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["measure_engine", "measure_seeds", "print_table"]

ENGINE_WORK = {
    "divisions": "division in a chain, the reference",
    "hashes": "hash of an 18-character key",
    "seedings": "generator seeded and used once",
    "draws": "stream draw",
    "explorations": "seed explored, 8 antes",
}


def measure_seeds(seconds: float, threads: int) -> list[Measurement]:
    """Measure the parts of seed generation, each for about this many seconds."""
    from jimbot import _engine
    from jimbot.balatro import seeds

    compiled = import_development_engine()

    def engine_rate(what: str) -> float:
        operations, elapsed, _ = compiled.measure_seeds(what, seconds)
        return operations / elapsed

    def explore_all(index: int) -> object:
        return seeds.explore(_engine.seed_at(index), "walk")

    reference = engine_rate("divisions")
    measured: list[Measurement] = []

    def add(name: str, what: str, rate: float) -> None:
        measured.append(Measurement(name, what, rate, 1e9 / rate, reference / rate))

    for name, what in ENGINE_WORK.items():
        add(name, what, reference if name == "divisions" else engine_rate(name))
    add("explorations_python", "seed explored, as Python lists", measure_python_rate(explore_all, seconds))
    add("find", "seed searched, one thread", engine_rate("find"))
    with ThreadPoolExecutor(threads) as pool:
        rates = list(pool.map(engine_rate, ["find"] * threads))
    add("find_total", f"seed searched, {threads} threads", sum(rates))
    return measured


def measure_python_rate(work: Callable[[int], object], seconds: float) -> float:
    """Measure calls per second of a Python function that takes the number of the call."""
    work(0)
    calls, begun, elapsed = 0, time.perf_counter(), 0.0
    while elapsed < seconds:
        work(calls)
        calls += 1
        elapsed = time.perf_counter() - begun
    return calls / elapsed


GAME_WORK = {
    "mock": "decision of a mock card game, the ceiling",
    "decisions": "random legal decision, new games included",
    "fast_decisions": "the same with the fast generator",
    "clones": "clone of a run",
    "resampled_copies": "clone with everything hidden resampled",
    "previews": "play of 5 cards previewed",
    "all_previews": "hand of 8 cards, all 218 plays previewed",
}


def measure_engine(seconds: float) -> list[Measurement]:
    """Measure the whole game on one thread, each kind of work for about this many seconds."""
    compiled = import_development_engine()
    operations, elapsed, _ = compiled.measure_seeds("divisions", seconds)
    reference = operations / elapsed
    measured: list[Measurement] = []
    for name, what in GAME_WORK.items():
        operations, elapsed, _ = compiled.measure_game(name, seconds)
        rate = operations / elapsed
        measured.append(Measurement(name, what, rate, 1e9 / rate, reference / rate))
    return measured


def print_table(report: dict[str, Any], measured: list[Measurement]) -> None:
    """Print the measurements as a table."""
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, padding=(0, 2), header_style="bold")
    table.add_column("one operation is a")
    for title in ("per second", "takes", "divisions"):
        table.add_column(title, justify="right")
    for each in measured:
        table.add_row(
            each.what,
            format_rate(each.per_second),
            format_duration(each.nanoseconds),
            f"{each.divisions:,.1f}",
        )
    console = Console(highlight=False)
    console.print(format_title(report))
    console.print(table)
    console.print(
        "\n[dim]divisions: the time of one operation, in dependent divisions on the same machine[/]"
    )
