"""Speed of the therapy environments: sessions per second of single clients and of batches.

Every form treats clients of the benchmark complementarily, new clients included, and is measured in the same run.
"""

from __future__ import annotations

import os
import platform
import time
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jimbot.cli.files import check_target, write_report
from jimbot.errors import JimbotError
from jimbot.storage.strict_json import dump_json

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["TherapyMeasurement", "bench_therapy", "measure_therapy"]

RESULTS = Path("results", "bench_therapy.json")
CLIENTS = 2048
"""Clients of a batch."""


@dataclass(frozen=True)
class TherapyMeasurement:
    """A measurement of one form of the environment.

    Attributes:
        name: identifier in JSON.
        what: description in tables.
        clients: number of clients that one call advances.
        per_second: client-sessions per second.
        nanoseconds: time of one client-session.
        times_single: speed relative to one client at a time.
    """

    name: str
    what: str
    clients: int
    per_second: float
    nanoseconds: float
    times_single: float


def bench_therapy(which: str, seconds: float, *, as_json: bool, write: bool) -> None:
    """Measure, and print or write, for ``jimbot bench env --env therapy``."""
    if which != "therapy":
        raise JimbotError(
            f"--env is balatro or therapy and --write is for therapy, got --env {which}; "
            "jimbot bench env --json prints what a file of results/ holds"
        )
    if write:
        check_target(RESULTS)
    report = make_therapy_report(seconds, measure_therapy(seconds))
    if write:
        write_report(RESULTS, report)
    if as_json:
        print(dump_json(report, indent=2, nonfinite="null"))
    else:
        print_therapy_table(report)


def measure_therapy(seconds: float, clients: int = CLIENTS) -> list[TherapyMeasurement]:
    """Measure every form for about this many seconds each."""
    forms: list[tuple[str, str, int, Callable[[], int]]] = [
        ("single", "Gymnasium, one client", 1, prepare_single()),
        ("batch", f"batch, {clients} clients", clients, prepare_batch(clients)),
        ("vector", f"vector environment, {clients} clients", clients, prepare_vector(clients)),
    ]
    if find_spec("jax") is not None:
        forms.append(("jax", f"JAX, {clients} clients, whole episodes", clients, prepare_jax(clients)))
    measured: list[TherapyMeasurement] = []
    for name, what, size, work in forms:
        rate = measure_session_rate(work, seconds)
        single = measured[0].per_second if measured else rate
        measured.append(TherapyMeasurement(name, what, size, rate, 1e9 / rate, rate / single))
    return measured


def measure_session_rate(work: Callable[[], int], seconds: float) -> float:
    """Measure client-sessions per second of a function that returns the number of sessions it ran."""
    work()
    sessions, begun, elapsed = 0, time.perf_counter(), 0.0
    while elapsed < seconds:
        sessions += work()
        elapsed = time.perf_counter() - begun
    return sessions / elapsed


def prepare_single() -> Callable[[], int]:
    """Prepare one client after another through Gymnasium's interface."""
    from jimbot.therapy.env.options import BENCHMARK
    from jimbot.therapy.env.single import TherapyEnv

    env = TherapyEnv(**BENCHMARK)
    state: dict[str, Any] = {"shown": env.reset(seed=0)[0]["client_action"]}

    def work() -> int:
        observation, _, terminated, truncated, _ = env.step((4 - state["shown"]) % 8)
        if terminated or truncated:
            observation, _ = env.reset()
        state["shown"] = observation["client_action"]
        return 1

    return work


def prepare_batch(clients: int) -> Callable[[], int]:
    """Prepare the batch of clients alone, without observations."""
    import numpy as np

    from jimbot.therapy.env.options import BENCHMARK, TherapyOptions
    from jimbot.therapy.model.clients import ClientBatch
    from jimbot.therapy.model.episodes import EpisodeSource

    options = TherapyOptions.of(BENCHMARK)
    batch, source, rng = ClientBatch(options, clients), EpisodeSource(options), np.random.default_rng(0)

    def replace() -> None:
        ended = np.flatnonzero(batch.ended)
        drawn = [source.draw(rng) for _ in ended]
        batch.begin(ended, source.make([name for name, _ in drawn], [seed for _, seed in drawn]))

    replace()

    def work() -> int:
        batch.advance((4 - batch.action) % 8)
        if batch.ended.any():
            replace()
        return clients

    return work


def prepare_vector(clients: int) -> Callable[[], int]:
    """Prepare the vector environment, with observations."""
    from jimbot.therapy.env.options import BENCHMARK
    from jimbot.therapy.env.vector import TherapyVectorEnv

    env = TherapyVectorEnv(clients, **BENCHMARK)
    shown = env.reset(seed=0)[0]["client_action"]  # every step writes it anew

    def work() -> int:
        env.step((4 - shown) % 8)
        return clients

    return work


def prepare_jax(clients: int) -> Callable[[], int]:
    """Prepare whole episodes in one compiled call; sessions after an episode's end are not counted."""
    from functools import partial

    import jax

    from jimbot.therapy.env.options import BENCHMARK, TherapyOptions
    from jimbot.therapy.jax import clients as jax_clients

    def complementary(observation: dict[str, Any], key: Any) -> Any:
        del key
        return (4 - observation["client_action"]) % 8

    options = TherapyOptions.of(BENCHMARK)
    compiled: Any = jax
    run = compiled.jit(jax.vmap(partial(jax_clients.therapy, options, complementary)))
    keys: Any = jax.random.split(jax.random.key(0), clients)

    def work() -> int:
        client, _, _ = run(keys)
        return int(client.sessions.sum())

    return work


def make_therapy_report(seconds: float, measured: list[TherapyMeasurement]) -> dict[str, Any]:
    """Return the measurements with a description of the machine."""
    import numpy as np

    from jimbot.balatro.seeds.seed_search import count_usable_processors
    from jimbot.cli.bench.report import find_source_commit

    return {
        "commit": find_source_commit(),
        "machine": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "numpy": np.__version__,
        "processors": count_usable_processors(),
        "load": os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0,
        "seconds_each": seconds,
        "measurements": [asdict(each) for each in measured],
    }


def print_therapy_table(report: dict[str, Any]) -> None:
    """Print the measurements as a table."""
    from rich.console import Console
    from rich.table import Table

    from jimbot.cli.bench.report import format_duration, format_rate

    table = Table(box=None, padding=(0, 2), header_style="bold")
    table.add_column("complementary therapy", no_wrap=True)
    for title in ("sessions/s", "a session", "times one"):
        table.add_column(title, justify="right", no_wrap=True)
    for each in report["measurements"]:
        ratio = f"x {each['times_single']:.1f}"
        table.add_row(
            each["what"], format_rate(each["per_second"]), format_duration(each["nanoseconds"]), ratio
        )
    Console(highlight=False).print(table)
