"""Experiments and benchmarks: many trainings side by side, measured alike, kept on disk, resumable after a crash.

A benchmark's directory holds ``results/<key>.json``, one file per experiment that ended, and ``runs/<key>/``, its
training run. The key is made of configuration and seed: what finished is not run again, and what was cut off goes on
from its last checkpoint.
"""

from __future__ import annotations

import math
import multiprocessing
import os
import pickle
import threading
from contextlib import contextmanager
from multiprocessing.connection import wait
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from jimbot.errors import JimbotError
from jimbot.storage.atomic import make_directories
from jimbot.storage.signals import interrupt_on_termination, interrupted_by_termination
from jimbot.training.config.trainer_config import DEFAULTS, ConfigError
from jimbot.training.experiments.config import ExperimentConfig, creator_name
from jimbot.training.experiments.progress import BenchmarkProgress, print_results
from jimbot.training.experiments.result import Curve, ExperimentResult
from jimbot.training.experiments.run import ExperimentTask, run_experiment
from jimbot.training.runs.directory import RUN_NAME

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable

__all__ = ["Curve", "ExperimentConfig", "ExperimentResult", "MultiAlgorithmBenchmark"]

THREAD_VARIABLES = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS", "NUMEXPR_NUM_THREADS")
PATIENCE_SECONDS = 60.0
"""How long interrupted experiments may take to write their checkpoints."""


class MultiAlgorithmBenchmark:
    """Runs experiments and compares them.

    Attributes:
        experiments: those added, in order.
        results: those of the last ``run_all``, in the same order.
        directory: holds results and runs.
    """

    def __init__(
        self,
        env_creator: Callable[..., Any] | None = None,
        benchmark_name: str = "benchmark",
        output_dir: str | Path = "benchmarks",
        workers: int = 1,
        *,
        retry_failed: bool = True,
    ) -> None:
        """A benchmark, new or one to go on with.

        Args:
            env_creator: makes an environment, with an experiment's ``env_kwargs`` as arguments; for experiments that
                name no ``env``. Balatro if None.
            benchmark_name: name of its directory.
            output_dir: directory that holds it.
            workers: processes side by side; 1 runs everything in this one. With more, ``env_creator`` must be
                importable by name, each uses the experiment's ``threads``, and the calling script needs
                ``if __name__ == "__main__":``.
            retry_failed: whether experiments that failed in an earlier process are run anew; else they stay failed.
        """
        if not RUN_NAME.fullmatch(benchmark_name):
            raise ConfigError(
                f"benchmark_name: {benchmark_name!r} cannot name a directory; use letters, digits, '.', '_' and '-'"
            )
        if workers < 1:
            raise ConfigError(f"workers: must be at least 1, got {workers}")
        self.env_creator = env_creator
        self.directory = Path(output_dir) / benchmark_name
        self.workers = workers
        self.retry_failed = retry_failed
        self.experiments: list[ExperimentConfig] = []
        self.results: list[ExperimentResult] = []
        self._asked = False
        self._keys: dict[str, int] = {}
        self._ran: set[str] = set()

    # --- what to run ------------------------------------------------------------------------------------------------

    def add_experiment(self, config: ExperimentConfig) -> None:
        """Add one; refused if its configuration is wrong or there already."""
        self._asked = True
        if not isinstance(cast("Any", config), ExperimentConfig):
            raise ConfigError(f"expected an ExperimentConfig, got {type(config).__name__}")
        config.check()
        key = config.key(creator_name(self.env_creator))
        if key in self._keys:
            other = self.experiments[self._keys[key]].label
            raise ConfigError(
                f"seed: {config.label} with seed {config.seed} was added already as {other}; give it another seed"
            )
        self._keys[key] = len(self.experiments)
        self.experiments.append(config.model_copy(deep=True))

    def add_experiments(self, configs: Iterable[ExperimentConfig]) -> None:
        """Add several."""
        self._asked = True
        for config in configs:
            self.add_experiment(config)

    # --- running ----------------------------------------------------------------------------------------------------

    def run_all(self, verbose: bool = True) -> list[ExperimentResult]:
        """Run what has not finished; results of all experiments, in the order they were added.

        A benchmark that was never given an experiment compares PPO, A2C and DQN with their defaults.
        A failed experiment is a result with status ``failed``. Ctrl-C ends the present experiments at a checkpoint
        and raises ``KeyboardInterrupt``, and so does SIGTERM; running the same benchmark again goes on.
        """
        with interrupted_by_termination():
            return self._run_all(verbose)

    def _run_all(self, verbose: bool) -> list[ExperimentResult]:
        if not self._asked:
            self.add_experiments(standard_experiments())
        make_directories(self.directory / "results")
        make_directories(self.directory / "runs")
        if self.workers > 1:
            self._check_picklable()
        tasks = [self._task(key) for key in self._keys]
        known = {task.key: self._known(task) for task in tasks}
        open_tasks = [task for task in tasks if known[task.key] is None]
        with BenchmarkProgress(tasks, verbose=verbose) as progress:
            for task in tasks:
                progress.known(task, known[task.key])
            if self.workers == 1:
                for task in open_tasks:
                    self._run_here(task, progress)
            else:
                self._run_in_processes(open_tasks, progress)
        self.results = [self._load(task) for task in tasks]
        if verbose and any(not each.finished for each in self.results):
            print_failures(self.results)
        return list(self.results)

    def _task(self, key: str) -> ExperimentTask:
        config = self.experiments[self._keys[key]]
        return ExperimentTask(config, self.env_creator, self.directory / "runs", key)

    def _path(self, task: ExperimentTask) -> Path:
        return self.directory / "results" / f"{task.key}.json"

    def _load(self, task: ExperimentTask) -> ExperimentResult:
        result = ExperimentResult.load(self._path(task))
        result.name = task.config.label  # a new name does not make it another experiment
        return result

    def _known(self, task: ExperimentTask) -> ExperimentResult | None:
        """The result that need not be made again."""
        if not self._path(task).exists():
            return None
        result = self._load(task)
        return result if result.finished or task.key in self._ran or not self.retry_failed else None

    def _afresh(self, task: ExperimentTask) -> bool:
        """A failed run is not gone on with: what broke it may be in its checkpoints."""
        return self._path(task).exists()

    def _run_here(self, task: ExperimentTask, progress: BenchmarkProgress) -> None:
        progress.begin(task)
        result = run_experiment(task, lambda steps: progress.steps(task, steps), afresh=self._afresh(task))
        result.save(self._path(task))
        self._ran.add(task.key)
        progress.end(task, result)

    # --- several processes ------------------------------------------------------------------------------------------

    def _check_picklable(self) -> None:
        try:
            pickle.dumps(self.env_creator)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise ConfigError(
                f"env_creator: other processes cannot import it ({error}); give a function of a module, or workers=1"
            ) from None

    def _run_in_processes(self, tasks: list[ExperimentTask], progress: BenchmarkProgress) -> None:
        """As many processes as workers, a fresh one for every experiment: a crash costs that experiment alone."""
        context = multiprocessing.get_context("spawn")
        waiting, running = list(tasks), dict[int, tuple[Any, ExperimentTask]]()
        try:
            while waiting or running:
                while waiting and len(running) < self.workers:
                    task = waiting.pop(0)
                    afresh = self._afresh(task)
                    if afresh:
                        self._path(task).unlink()
                    process = context.Process(
                        target=run_in_process,
                        args=(task, self._path(task), afresh),
                        daemon=True,
                    )
                    with bounded_threads(task.config.trainer_config().threads):
                        process.start()
                    running[process.sentinel] = (process, task)
                    progress.begin(task)
                for sentinel in wait(list(running)):
                    process, task = running.pop(cast("int", sentinel))
                    process.join()
                    self._collect(task, process.exitcode, progress)
        finally:
            stop([process for process, _ in running.values()])

    def _collect(self, task: ExperimentTask, exit_code: int | None, progress: BenchmarkProgress) -> None:
        path = self._path(task)
        if not path.exists():
            if exit_code == EXIT_INTERRUPTED:
                raise KeyboardInterrupt
            lost = ExperimentResult(
                task.config.label, task.config.algorithm, task.config.seed, "failed", task.key
            )
            lost.error = f"its process ended with code {exit_code} and left no result"
            lost.save(path)
        self._ran.add(task.key)
        progress.end(task, self._load(task))

    # --- what came out ----------------------------------------------------------------------------------------------

    def print_summary(self, console: Any = None) -> None:
        """Print a table of all results, the best first, and what failed."""
        if not self.results:
            raise JimbotError("there are no results yet; add experiments and call run_all first")
        print_results(self.results, self.directory, console)

    def get_best_result(self, metric: str = "mean_reward") -> ExperimentResult:
        """The finished result with the highest number; one that is not a number is no candidate."""
        finished = [each for each in self.results if each.finished]
        if not finished:
            failed = len(self.results)
            raise JimbotError(
                f"there is no finished result ({failed} failed); "
                + ("see print_summary for the errors" if failed else "add experiments and call run_all first")
            )
        candidates = [each for each in finished if not math.isnan(each.number(metric))]
        if not candidates:
            raise JimbotError(f"{metric} is not a number in any of the {len(finished)} results")
        return max(candidates, key=lambda each: each.number(metric))


def standard_experiments() -> list[ExperimentConfig]:
    """What is compared if nothing else is said: the algorithms that have defaults, with these."""
    return [ExperimentConfig(algorithm=each) for each in DEFAULTS]


EXIT_INTERRUPTED = 130


def run_in_process(task: ExperimentTask, path: Path, afresh: bool) -> None:
    """The life of a process that runs one experiment."""
    interrupt_on_termination()
    threading.Thread(target=end_with_parent, daemon=True).start()
    try:
        run_experiment(task, afresh=afresh).save(path)
    except KeyboardInterrupt:
        os._exit(EXIT_INTERRUPTED)


def end_with_parent() -> None:
    """Stop at the next iteration, with a checkpoint, when the benchmark's process is gone."""
    import signal

    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os.kill(os.getpid(), signal.SIGTERM)


@contextmanager
def bounded_threads(threads: int) -> Generator[None]:
    """Within, processes that are started use so many threads of arithmetic."""
    before = {name: os.environ.get(name) for name in THREAD_VARIABLES}
    os.environ.update(dict.fromkeys(THREAD_VARIABLES, str(threads)))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def stop(processes: list[Any]) -> None:
    """Ask processes to end at a checkpoint, then make them."""
    for process in processes:
        process.terminate()
    for process in processes:
        process.join(PATIENCE_SECONDS)
        if process.is_alive():
            process.kill()
            process.join()


def print_failures(results: list[ExperimentResult]) -> None:
    """One line per failure, on standard error."""
    from rich.console import Console

    console = Console(stderr=True)
    for result in results:
        if not result.finished:
            console.print(
                f"failed: {result.name}, seed {result.seed}: {result.error}", markup=False, soft_wrap=True
            )
