"""Environment speed: random legal play with observation, mask and reward, from C++ and from Python."""

from __future__ import annotations

import time
from dataclasses import asdict, dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from jimbot.cli.bench.report import format_duration, format_rate, format_title, import_development_engine

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

__all__ = [
    "EnvMeasurement",
    "compute_ratios",
    "draw_legal_action",
    "draw_legal_actions",
    "make_env_report",
    "measure_bytes_per_environment",
    "measure_env",
    "print_env_table",
]


@dataclass(frozen=True)
class EnvMeasurement:
    """A measurement of random legal play in one kind of environment.

    Attributes:
        name: identifier in JSON.
        what: description in tables.
        per_second: steps per second.
        nanoseconds: time of one step.
        of_mock: share of the mock's steps per second, measured in the same run.
        games_per_hour: finished episodes, extrapolated to an hour; 0 where not measured.
    """

    name: str
    what: str
    per_second: float
    nanoseconds: float
    of_mock: float
    games_per_hour: float


NATIVE_WORK = (
    ("mock", "mock", 1, "mock of the same shape, the ceiling"),
    ("native", "steps", 1, "C++, seed-exact generator"),
    ("native_fast", "fast_steps", 1, "C++, fast generator"),
    ("native_two_threads", "steps", 2, "C++, seed-exact, two threads"),
    ("native_fast_two_threads", "fast_steps", 2, "C++, fast, two threads"),
    ("candidates", "candidates", 1, "C++, 64 candidates"),
    ("candidates_two_threads", "candidates", 2, "C++, 64 candidates, two threads"),
)
"""Identifier, name of the engine's benchmark, threads, and description."""

PYTHON_WORK = (
    ("single", "Python, one game"),
    ("single_with_choice", "Python, one game, with the choice"),
    ("vector", "Python, {games} games"),
    ("vector_with_choice", "Python, {games} games, with the choice"),
    ("vector_candidates", "Python, {games} games, candidates"),
    ("vector_candidates_with_choice", "Python, {games} games, candidates, with the choice"),
)


ROUNDS = 8
"""Turns in which the measurements of compiled code take their time."""


def measure_env(seconds: float, games: int) -> list[EnvMeasurement]:
    """Measure every kind of environment for about this many seconds each; vectors have this many games."""
    compiled = import_development_engine()
    measured: list[EnvMeasurement] = []

    def add(name: str, what: str, rate: float, games_per_hour: float) -> None:
        mock = measured[0].per_second if measured else rate
        measured.append(EnvMeasurement(name, what, rate, 1e9 / rate, rate / mock, games_per_hour))

    # Other work can only slow a measurement down, and comes and goes: several rounds, of which the best counts.
    best: dict[str, tuple[float, float]] = {}
    for _ in range(ROUNDS):
        for name, work, threads, _what in NATIVE_WORK:
            steps, elapsed, _, episodes = compiled.measure_env(work, seconds / ROUNDS, games, threads)
            best[name] = max(
                best.get(name, (0.0, 0.0)), (steps / elapsed, episodes / elapsed * 3600), key=itemgetter(0)
            )
    for name, _work, _threads, what in NATIVE_WORK:
        add(name, what, *best[name])
    timings = (
        *time_single(seconds),
        *time_vector(seconds, games, "slots"),
        *time_vector(seconds, games, "candidates"),
    )
    for (name, what), (steps, elapsed, episodes) in zip(PYTHON_WORK, timings, strict=True):
        add(name, what.format(games=games), steps / elapsed, episodes / elapsed * 3600)
    return measured


Timing = tuple[int, float, int]
"""Steps, seconds, episodes ended."""


def time_single(seconds: float) -> tuple[Timing, Timing]:
    """Time a Gymnasium environment: steps alone, and steps with random choices and resets."""
    import random

    from jimbot.balatro.env.single import BalatroEnv

    env, draw = BalatroEnv(), random.Random(0).random
    mask = env.reset(seed=0)[0]["action_mask"]

    def choose() -> int:
        return draw_legal_action(mask, draw)

    def after(result: Any) -> int:
        nonlocal mask
        ended = result[2] or result[3]
        observation = env.reset()[0] if ended else result[0]
        mask = observation["action_mask"]
        return int(ended)

    return time_steps(seconds, 1, choose, env.step, after)


def time_vector(seconds: float, games: int, actions: str) -> tuple[Timing, Timing]:
    """Time the native vector environment from Python: steps alone, and steps with random choices."""
    import numpy as np

    from jimbot.balatro.env.vector import BalatroVectorEnv

    env, rng = BalatroVectorEnv(games, actions=actions), np.random.default_rng(0)
    masks = env.reset(seed=0)[0]["action_mask"]  # a view: every step writes it anew
    return time_steps(
        seconds,
        games,
        lambda: draw_legal_actions(masks, rng),
        env.step,
        lambda result: int(np.count_nonzero(result[2] | result[3])),
    )


def time_steps(
    seconds: float,
    steps_per_call: int,
    choose: Callable[[], Any],
    step: Callable[[Any], Any],
    after: Callable[[Any], int],
) -> tuple[Timing, Timing]:
    """Repeat choosing and stepping; returns the time of the steps alone, and of everything."""
    after(step(choose()))
    calls, episodes, stepping = 0, 0, 0.0
    begun = now = time.perf_counter()
    while now - begun < seconds:
        action = choose()
        before = time.perf_counter()
        result = step(action)
        stepping += time.perf_counter() - before
        episodes += after(result)
        calls += 1
        now = time.perf_counter()
    steps = calls * steps_per_call
    return (steps, stepping, episodes), (steps, now - begun, episodes)


def draw_legal_action(mask: NDArray[np.uint8], draw: Callable[[], float]) -> int:
    """Draw a legal action of a mask, uint8[actions], uniformly; ``draw`` gives numbers from 0 to 1.

    In a round most actions are legal, and one try mostly finds one; listing them all is for the other cases.
    """
    tried = int(draw() * mask.size)
    if mask.item(tried):
        return tried
    legal = mask.view(bool).nonzero()[0]
    return legal.item(int(draw() * legal.size))


def draw_legal_actions(masks: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw a legal action per row of masks, uint8[games, actions], uniformly."""
    import numpy as np

    legal = np.ascontiguousarray(masks).view(np.bool_)
    counts = np.count_nonzero(legal, axis=1)
    first = np.cumsum(counts) - counts
    chosen = np.flatnonzero(legal)[first + (rng.random(len(legal)) * counts).astype(np.int64)]
    return chosen % legal.shape[1]


def measure_bytes_per_environment() -> dict[str, int]:
    """Return the memory of one environment of a vector: the episode, two observations, and its share of the buffers."""
    from jimbot import _engine
    from jimbot.balatro.env.options import EnvOptions

    episode: int = import_development_engine().episode_size
    runs = _engine.VectorEnv(1, EnvOptions().to_engine(), 1, 0)
    observations = runs.observations.nbytes + runs.final_observations.nbytes
    outputs = (runs.rewards, runs.terminated, runs.truncated, runs.final_infos, runs.end_records)
    results = sum(each.nbytes for each in outputs)
    return {
        "episode": episode,
        "observations": observations,
        "results": results,
        "total": episode + observations + results,
    }


def compute_ratios(measured: list[EnvMeasurement]) -> dict[str, float]:
    """Compute the ratios with targets: shares of the mock's speed, and the speedup by a second thread."""
    rates = {each.name: each.per_second for each in measured}
    return {
        "native_of_mock": rates["native"] / rates["mock"],
        "native_fast_of_mock": rates["native_fast"] / rates["mock"],
        "two_threads": rates["native_two_threads"] / rates["native"],
        "two_threads_fast": rates["native_fast_two_threads"] / rates["native_fast"],
        "two_threads_candidates": rates["candidates_two_threads"] / rates["candidates"],
    }


def make_env_report(measured: list[EnvMeasurement], games: int) -> dict[str, Any]:
    """Return what ``jimbot bench env --json`` adds to the description of the machine."""
    return {
        "games": games,
        "measurements": [asdict(each) for each in measured],
        "ratios": compute_ratios(measured),
        "bytes_per_environment": measure_bytes_per_environment(),
    }


def print_env_table(report: dict[str, Any], measured: list[EnvMeasurement]) -> None:
    """Print the measurements of the environments as a table."""
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, padding=(0, 1), header_style="bold")
    table.add_column("random legal play", no_wrap=True)
    for title in ("steps/s", "a step", "of mock", "games/hour"):
        table.add_column(title, justify="right", no_wrap=True)
    for each in measured:
        table.add_row(
            each.what,
            format_rate(each.per_second),
            format_duration(each.nanoseconds),
            f"{each.of_mock:.3f}",
            format_rate(each.games_per_hour),
        )
    memory, ratio = report["bytes_per_environment"], report["ratios"]
    console = Console(highlight=False)
    console.print(format_title(report))
    console.print(table)
    console.print(
        f"\na second thread brings {ratio['two_threads']:.2f} times the steps, {ratio['two_threads_fast']:.2f} "
        "with the fast generator"
    )
    console.print(
        f"an environment takes {memory['total']} bytes: episode {memory['episode']}, "
        f"two observations {memory['observations']}, results {memory['results']}"
    )
