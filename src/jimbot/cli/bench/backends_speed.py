"""Training libraries compared with the same network, batch size and epochs, and their use of the machine.

Every measurement runs in a process of its own. The first update, in which JAX compiles, is timed apart from the rest.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from jimbot.cli.bench.process import run_in_process, use_threads

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jimbot.training.config.trainer_config import TrainerConfig

__all__ = ["BackendMeasurement", "compare_backends", "format_ratios", "show_backends"]

ENVIRONMENTS = ("cartpole", "balatro", "balatro-small")
STEPS = 2_048
"""Of an update, by all environments together: fewer than documented, so that minutes are enough."""
N_ENVS = {"cartpole": 4, "balatro": 8, "balatro-small": 8}
"""Environments: the documented 8, and 4 on CartPole, as in the first example of Stable-Baselines3."""
AS_IT_COMES = "sb3 as it comes"
"""Stable-Baselines3 without jimbot's trainer: its own loops, environments one by one, the same network in torch."""
UPDATES = 4
"""Updates that are timed, after the first."""
MATRIX = 1_024
RATES = ("steps_per_second", "slowest", "fastest", "steps_per_processor_second")
GRADIENT_COST = 3
"""A step of training takes this many times the arithmetic of looking at an observation."""


@dataclass(frozen=True)
class BackendMeasurement:
    """A measurement of one library on one environment.

    Attributes:
        env: cartpole, balatro or balatro-small.
        backend: the library.
        threads: threads of the library.
        steps_per_second: median over updates, collecting and learning together.
        slowest: steps per second of the slowest update.
        fastest: steps per second of the fastest update.
        steps_per_processor_second: median; time of all processors together, which other work on the machine changes
            least.
        compile_seconds: how much longer the first update took.
        ceiling_share: arithmetic of the network's matrices in a second, beside the same threads' multiplication of
            large matrices.
        shares: share of the time per phase.
        parameters: number of parameters of the network.
    """

    env: str
    backend: str
    threads: int
    steps_per_second: float
    slowest: float
    fastest: float
    steps_per_processor_second: float
    compile_seconds: float
    ceiling_share: float
    shares: dict[str, float]
    parameters: int


def make_comparison_config(env: str, backend: str, threads: int, directory: str) -> TrainerConfig:
    """Return the documented defaults of PPO; on CartPole, the environments and towers of SB3's own example.

    ``balatro-small`` has the network of ``quick_train.py``.
    """
    from jimbot.training.config.trainer_config import get_default_config

    config = get_default_config("PPO").copy_with(
        env=env.partition("-")[0], backend=backend, threads=threads, n_envs=N_ENVS[env], save_dir=directory
    )
    config.hyperparams.algorithm_specific |= {"n_steps": STEPS // N_ENVS[env]}
    if env == "cartpole":
        config.hyperparams.policy_net_arch = config.hyperparams.value_net_arch = [64, 64]
    elif env == "balatro-small":
        config.hyperparams.features_dim = 128
        config.hyperparams.policy_net_arch = config.hyperparams.value_net_arch = [64]
    return config.check()


def measure_matrix_ceiling(threads: int) -> float:
    """Measure torch's best rate of multiply-adds per second on large float32 matrices."""
    import torch

    torch.set_num_threads(threads)
    one, other = torch.rand(MATRIX, MATRIX), torch.rand(MATRIX, MATRIX)
    best = float("inf")
    for _ in range(12):
        started = time.perf_counter()
        torch.mm(one, other)
        best = min(best, time.perf_counter() - started)
    return MATRIX**3 / best


def _measure_ceiling(queue: Any, threads: int) -> None:
    queue.put(measure_matrix_ceiling(threads))


def _measure(queue: Any, env: str, backend: str, threads: int, updates: int, directory: str) -> None:
    from jimbot.cli.bench.train_speed import prepare_library_updates, prepare_native_updates
    from jimbot.networks.flops import count_multiplications
    from jimbot.networks.layout import count_parameters
    from jimbot.training.config.network_choice import configured_spec
    from jimbot.training.envs.creation import Environments

    use_threads(threads)
    config = make_comparison_config(env, "sb3" if backend == AS_IT_COMES else backend, threads, directory)
    made = Environments.of(None, config).creator()
    spec = configured_spec(made.observation_space, made.action_space, config)
    made.close()
    if backend == AS_IT_COMES:
        update, close = prepare_library_updates(config, processes=False)
    else:
        update, close = prepare_native_updates(config)
    seconds: list[float] = []
    processor: list[float] = []
    spent: dict[str, float] = {}
    for number in range(updates + 1):
        started, busy = time.perf_counter(), time.process_time()
        iteration = update()
        seconds.append(time.perf_counter() - started)
        processor.append(time.process_time() - busy)
        for phase, each in iteration.seconds.items() if number else ():
            spent[phase] = spent.get(phase, 0.0) + each
    close()
    passes = config.hyperparams.algorithm_specific["n_epochs"]
    work = count_multiplications(spec) * STEPS * (1 + GRADIENT_COST * passes)
    queue.put(
        {
            "seconds": seconds,
            "processor_seconds": processor,
            "multiplications": work,
            "shares": {phase: each / sum(spent.values()) for phase, each in spent.items()},
            "parameters": count_parameters(spec),
        }
    )


def measure_backend(
    env: str, backend: str, threads: int, ceiling: float, updates: int = UPDATES
) -> BackendMeasurement:
    """Measure some updates of one library on one environment, in a fresh process."""
    with tempfile.TemporaryDirectory() as directory:
        found = run_in_process(_measure, env, backend, threads, updates, directory)
    first, *rest = found["seconds"]
    usual, steps = statistics.median(rest), STEPS
    return BackendMeasurement(
        env=env,
        backend=backend,
        threads=threads,
        steps_per_second=steps / usual,
        slowest=steps / max(rest),
        fastest=steps / min(rest),
        steps_per_processor_second=steps / statistics.median(found["processor_seconds"][1:]),
        compile_seconds=max(first - usual, 0.0),
        ceiling_share=found["multiplications"] / usual / ceiling,
        shares=found["shares"],
        parameters=found["parameters"],
    )


def compare_backends(
    backends: Iterable[str], environments: Iterable[str] = ENVIRONMENTS, updates: int = UPDATES
) -> dict[str, Any]:
    """Measure every library on every environment, with one thread and with one per processor.

    With ``sb3`` among them, Stable-Baselines3 as it comes is measured beside them.
    """
    from rich.console import Console

    from jimbot.balatro.seeds.seed_search import count_usable_processors
    from jimbot.cli.bench.report import make_machine_report

    libraries = list(backends)
    ways = [AS_IT_COMES, *libraries] if "sb3" in libraries else libraries
    counts = sorted({1, count_usable_processors()})
    measured: list[BackendMeasurement] = []
    with Console(stderr=True).status("measuring") as status:
        ceilings: dict[int, float] = {count: run_in_process(_measure_ceiling, count) for count in counts}
        for env in environments:
            for count in counts:
                for backend in ways:
                    status.update(f"{env}, {backend}, {count} threads")
                    measured.append(measure_backend(env, backend, count, ceilings[count], updates))
    return make_machine_report(max(counts), 0.0, []) | {
        "updates": updates,
        "steps_per_update": STEPS,
        "ceiling_gflops": {str(count): 2 * each / 1e9 for count, each in ceilings.items()},
        "measured": [asdict(each) for each in measured],
        "times_the_first": compute_ratios(libraries, measured),
        "times_as_it_comes": compute_ratios(ways, measured) if len(ways) > len(libraries) else {},
    }


def compute_ratios(libraries: list[str], measured: list[BackendMeasurement]) -> dict[str, dict[str, float]]:
    """Compute by environment the best rate of each library relative to the first library's best."""
    best: dict[tuple[str, str], float] = {}
    for each in measured:
        place = each.env, each.backend
        best[place] = max(best.get(place, 0.0), each.steps_per_second)
    environments = dict.fromkeys(env for env, _ in best)
    return {
        env: {name: best[env, name] / best[env, libraries[0]] for name in libraries} for env in environments
    }


def format_ratios(report: dict[str, Any]) -> list[str]:
    """Describe the ratios, over the first library and over unmodified Stable-Baselines3."""
    lines: list[str] = []
    for kind in ("times_the_first", "times_as_it_comes"):
        for env, times in report[kind].items():
            first, *others = times
            lines += [f"{env}: {name} makes {times[name]:.1f} times the steps of {first}" for name in others]
    return lines


def show_backends(report: dict[str, Any]) -> None:
    """Print the comparison as a table."""
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, padding=(0, 1), header_style="bold")
    for title in ("environment", "library"):
        table.add_column(title, no_wrap=True)
    for title in ("threads", "steps/s", "from", "to", "per cpu s", "compiling", "of ceiling"):
        table.add_column(title, justify="right", no_wrap=True)
    for each in report["measured"]:
        table.add_row(
            each["env"],
            each["backend"],
            str(each["threads"]),
            *(f"{each[name]:,.0f}" for name in RATES),
            f"{each['compile_seconds']:.1f} s",
            f"{each['ceiling_share']:.2f}",
        )
    console = Console(highlight=False)
    console.print(table)
    for line in format_ratios(report):
        console.print(line)
    ceilings = ", ".join(f"{each:.0f} with {count}" for count, each in report["ceiling_gflops"].items())
    console.print(f"ceiling (threads): {ceilings} GFLOP/s; load {report['load']:.1f}")
