"""A training run from its first step to its last: iterations, evaluations, checkpoints, trackers, progress, all ends.

The order within a run is fixed by steps alone, never by the clock: a resumed run does what an unbroken one does.
"""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from collections import deque
from typing import TYPE_CHECKING, Any

from jimbot.errors import JimbotError
from jimbot.statistics.evaluation_sets import EvaluationSet
from jimbot.storage.signals import RepeatedSignal, handled_signals
from jimbot.training.envs.curriculum import AnteCurriculum, create_curriculum
from jimbot.training.envs.normalized_vector import NormalizedVector
from jimbot.training.loop.early_stop import EarlyStop
from jimbot.training.loop.episodes import average_episodes, pack_episode, unpack_episode
from jimbot.training.loop.phases import Phases
from jimbot.training.loop.progress import Progress, Refresher, Status, create_progress
from jimbot.training.loop.rng_state import own_generators, rng_state, saved_rng_state, set_rng_state
from jimbot.training.loop.run_trackers import open_trackers
from jimbot.training.runs.artifacts import log_artifacts

if TYPE_CHECKING:
    from collections.abc import Generator, Mapping
    from pathlib import Path

    from jimbot.tracking import TrackerSet
    from jimbot.training.envs.evaluation import EvaluationResult
    from jimbot.training.envs.protocol import Episode
    from jimbot.training.framework import Iteration, RLTrainer

__all__ = ["TrainingSession"]

WINDOW = 100
"""Number of last training episodes that the logged means are taken over."""
LOG_STEPS = 1_000
"""Fewest steps between two logged lines of metrics; short iterations are logged together."""
LAST_VALUES = frozenset({"train/n_updates", "rollout/env_runner_restarts"})
"""Metrics that count: of iterations logged together the last is logged, of all others the mean."""
TERMINATION_SECONDS = 5.0
"""How long the iteration may go on after SIGTERM."""
INTERRUPTED = "interrupted"


class TrainingSession:
    """Drives a trainer. One session lasts as long as its trainer; ``run`` may be called again to train on."""

    def __init__(self, trainer: RLTrainer) -> None:
        config = trainer.config
        self.trainer = trainer
        self.config = config
        self.curriculum = create_curriculum(config)
        if trainer.environments.curriculum is not None and self.curriculum is None:
            self.curriculum = AnteCurriculum(trainer.environments.curriculum)
        self.early_stop = EarlyStop(config.early_stop)
        self.manager = trainer.run.checkpoint_manager(keep_last=config.keep_checkpoints, keep_best=1)
        self.latest: dict[str, Any] = {}
        self.window: deque[Episode] = deque(maxlen=WINDOW)
        self.episodes = 0
        self.logged_at = self.evaluated_at = self.checkpointed_at = 0
        self.best: dict[str, float] | None = None
        self.pending: dict[str, list[float]] = {}
        self.trackers: TrackerSet | None = None
        self._cursor: dict[str, Any] | None = None
        self._resumed = False
        self._began = False
        self._stop_asked = threading.Event()
        self._reason = ""
        self._new_episodes: list[Episode] = []
        self.phases = Phases()

    # --- the loop -------------------------------------------------------------------------------------------------

    def run(self, goal: int, callback: Any, progress: str) -> dict[str, Any]:
        """Train until ``goal`` steps, an early stop, a callback's False, or an interrupt."""
        trainer = self.trainer
        self._stop_asked.clear()
        self._reason = ""
        trackers = self._open_trackers()
        screen = create_progress(progress)
        asked, goal = goal, trainer.reachable_timesteps(goal)
        status = Status(f"{self.config.algorithm} on {self.config.env} ({trainer.run.path})", goal)
        started, first = time.monotonic(), trainer.timesteps
        self.phases.start(trainer.timesteps)
        self._count_steps()
        status.watch(self.phases, trainer.update_timesteps())
        if goal != asked:
            screen.say(describe_goal(asked, goal, trainer.timestep_unit(), trainer.vector.num_envs))
        own_callback = callback if is_plain(callback) else None
        trainer.run.resume()
        trainer.run.update(trainer.timesteps, self.episodes, total_timesteps=goal)
        screen.start(status)
        try:
            with self._interruptible(screen, status), Refresher(screen, status):
                self._begin(goal, None if own_callback else callback, screen, status)
                while trainer.timesteps < goal:
                    logged = self._iterate(screen, status)
                    if logged and own_callback is not None and own_callback(dict(self.latest)) is False:
                        self.ask_to_stop("stopped by the callback")
                    if self.early_stop.due:
                        self.ask_to_stop(self.early_stop.reason)
                    if self._stop_asked.is_set():
                        self.ask_to_stop(INTERRUPTED)
                    if self._reason:
                        break
                reason = self._reason or "finished"
                self._finish_up(reason, screen, status)
                seconds = time.monotonic() - started
                result = self._result(reason, seconds, trainer.timesteps - first)
                if result["stopped"] != INTERRUPTED:
                    with saved_rng_state():
                        log_artifacts(trainer, trackers, result)
        except BaseException as error:
            self._fail(error)
            raise
        finally:
            screen.stop()
            self.manager.close()
        self._end(trackers, reason)
        return result

    def _count_steps(self) -> None:
        """Let the environments tell each of their steps, where they are stepped in this process."""
        if isinstance(self.trainer.vector, NormalizedVector):
            self.trainer.vector.on_step = self.phases.count

    def ask_to_stop(self, reason: str) -> None:
        """Stop training after the current iteration."""
        self._reason = reason

    def _begin(self, goal: int, callback: Any, screen: Progress, status: Status) -> None:
        trainer = self.trainer
        if not self._began:
            if self.config.use_behavioral_cloning and trainer.timesteps == 0:
                self._clone_expert(screen, status)
            if self.curriculum is not None:
                self.curriculum.begin(trainer.vector)
            if not self._resumed:
                trainer.vector.reset()
        trainer.begin(goal, callback)
        self._began = True

    def _clone_expert(self, screen: Progress, status: Status) -> None:
        """Clone the expert before the first iteration; the random numbers that training draws stay the same."""

        def tell(text: str) -> None:
            status.note = text
            screen.show(status)
            if self._stop_asked.is_set():
                raise KeyboardInterrupt

        with saved_rng_state(), self.phases.during("cloning"):
            values = self.trainer.clone_expert(tell)
        self.latest |= values
        self._tracked.log_metrics(0, values)
        status.note = (
            f"cloned {self.config.behavioral_cloning.expert}: accuracy {values['cloning/accuracy']:.1%}"
        )
        screen.show(status, force=True)

    def _iterate(self, screen: Progress, status: Status) -> bool:
        """Run one iteration, then log, evaluate and save as due; whether metrics were logged."""
        trainer = self.trainer
        self.phases.enter("collecting" if trainer.tells_phases else "updating")
        iteration = trainer.iterate()
        trainer.timesteps += iteration.timesteps
        self.phases.end_update(trainer.timesteps, iteration.seconds)
        self._collect(iteration)
        if self.curriculum is not None:
            self.curriculum.advance(trainer.vector, self._new_episodes, trainer.timesteps)
        logged = self._log_if_due()
        evaluated = self._evaluate_if_due(status)
        if trainer.timesteps - self.checkpointed_at >= self.config.checkpoint_freq:
            self.checkpoint(self.best["last"] if self.best else None)
            status.note = f"checkpoint at {trainer.timesteps:,}"
        if logged or evaluated:
            status.values = {
                name: value for name, value in self.latest.items() if isinstance(value, (int, float))
            }
        if evaluated:  # otherwise the refresher shows it
            status.refresh()
            screen.show(status, force=True)
        return logged

    def _collect(self, iteration: Iteration) -> None:
        self._new_episodes = self.trainer.vector.drain()
        self.window.extend(self._new_episodes)
        self.episodes += len(self._new_episodes)
        for name, value in iteration.metrics.items():
            self.pending.setdefault(name, []).append(float(value))

    def _log_if_due(self) -> bool:
        trainer = self.trainer
        if trainer.timesteps - self.logged_at < LOG_STEPS and trainer.timesteps < self.config.total_timesteps:
            return False
        values: dict[str, float] = {
            name: each[-1] if name in LAST_VALUES else sum(each) / len(each)
            for name, each in self.pending.items()
        }
        values |= average_episodes(self.window)
        values["rollout/episodes"] = self.episodes
        if self.curriculum is not None:
            values |= self.curriculum.metrics()
        self.pending.clear()
        self.logged_at = trainer.timesteps
        self.latest |= values
        self._tracked.log_metrics(trainer.timesteps, {**values, **self.phases.part_metrics()})
        return True

    @property
    def _tracked(self) -> TrackerSet:
        if self.trackers is None:
            raise JimbotError("the run's trackers are closed; call train first")
        return self.trackers

    # --- evaluation -----------------------------------------------------------------------------------------------

    def _evaluate_if_due(self, status: Status) -> bool:
        if self.trainer.timesteps - self.evaluated_at < self.config.eval_freq:
            return False
        self._evaluate(status)
        return True

    def _evaluate(self, status: Status) -> EvaluationResult:
        """Evaluate the policy; a new best is measured again on other episodes before it is believed."""
        with self.phases.during("evaluating"):
            return self._evaluate_policy(status)

    def _evaluate_policy(self, status: Status) -> EvaluationResult:
        trainer = self.trainer
        with saved_rng_state():
            result = trainer.evaluate_episodes(self.config.eval_episodes, EvaluationSet.SELECTION)
        self.evaluated_at = trainer.timesteps
        score = result.mean
        values = result.metrics()
        if self.best is None or score > self.best["score"]:
            with saved_rng_state():
                second = trainer.evaluate_episodes(self.config.eval_episodes, EvaluationSet.CONFIRMATION)
            self.best = {
                "score": score,
                "confirmed": second.mean,
                "timesteps": trainer.timesteps,
                "last": score,
            }
            values["confirmed_mean_reward"] = second.mean
            if trainer.network_spec() is not None:
                trainer.save_model("best")
            status.note = (
                f"best evaluation so far at {trainer.timesteps:,}: {score:.3f}, again {second.mean:.3f}"
            )
        self.best["last"] = score
        values["best"] = self.best["score"]
        self.latest |= {f"evaluation/{name}": value for name, value in values.items()}
        self._tracked.log_evaluation(trainer.timesteps, values)
        self.early_stop.see(score)
        return result

    # --- checkpoints ----------------------------------------------------------------------------------------------

    def checkpoint(self, score: float | None = None) -> Path:
        """Write a checkpoint with all of the run's state; returns its directory."""
        with self.phases.during("saving"):
            return self._write_checkpoint(score)

    def _write_checkpoint(self, score: float | None) -> Path:
        trainer = self.trainer
        self.checkpointed_at = trainer.timesteps
        opened = self.trackers is None
        trackers = self._open_trackers()
        trackers.log_checkpoint(trainer.timesteps, f"checkpoints/step_{trainer.timesteps:012}", score=score)
        tree = self._tree(trackers.cursor())
        path = self.manager.save(trainer.timesteps, tree, score)
        trainer.checkpointed(path)
        trainer.run.update(trainer.timesteps, self.episodes, self.best["score"] if self.best else None)
        if opened:
            self.close()
        return path

    def _tree(self, cursor: Mapping[str, Any]) -> dict[str, Any]:
        trainer = self.trainer
        return {
            "timesteps": trainer.timesteps,
            "training": trainer.training_state(),
            "vector": trainer.vector.snapshot(),
            "policy": {"spec": describe_network(trainer), "tensors": trainer.policy_tensors()},
            "curriculum": self.curriculum.state() if self.curriculum is not None else None,
            "rng": rng_state(),
            "tracker": dict(cursor),
            "session": {
                "episodes": self.episodes,
                "logged_at": self.logged_at,
                "evaluated_at": self.evaluated_at,
                "checkpointed_at": self.checkpointed_at,
                "best": self.best,
                "early_stop": self.early_stop.state(),
                "pending": self.pending,
                "latest": self.latest,
                "window": [pack_episode(each) for each in self.window],
            },
        }

    def restore(self, tree: Mapping[str, Any]) -> None:
        """Restore a checkpoint. The trainer's model exists and nothing has been trained yet."""
        trainer = self.trainer
        session = tree["session"]
        trainer.timesteps = int(tree["timesteps"])
        if self.curriculum is not None:
            self.curriculum.restore(tree["curriculum"])
            self.curriculum.begin(trainer.vector)
        trainer.vector.restore(tree["vector"])
        trainer.restore_training_state(tree["training"])
        self.episodes = session["episodes"]
        self.logged_at, self.evaluated_at = session["logged_at"], session["evaluated_at"]
        self.checkpointed_at = session["checkpointed_at"]
        self.best, self.latest = session["best"], session["latest"]
        self.pending = {name: list(values) for name, values in session["pending"].items()}
        self.early_stop.restore(session["early_stop"])
        self.window.extend(unpack_episode(each) for each in session["window"])
        self._cursor = tree["tracker"]
        self._resumed = self._began = True
        set_rng_state(own_generators(tree["rng"]))

    # --- trackers -------------------------------------------------------------------------------------------------

    def _open_trackers(self) -> TrackerSet:
        if self.trackers is not None:
            return self.trackers
        trackers = open_trackers(self.trainer.run, self.config, self._cursor)
        self._cursor = None
        self.trackers = trackers
        return trackers

    def close(self) -> None:
        """Close the trackers; the run's files stay."""
        if self.trackers is not None:
            self.trackers.close()
            self.trackers = None

    # --- ends -----------------------------------------------------------------------------------------------------

    @contextlib.contextmanager
    def _interruptible(self, screen: Progress, status: Status) -> Generator[None]:
        """The first Ctrl-C stops training after the current iteration, the second at once.

        SIGTERM comes from machines, which kill soon after: it is repeated if the iteration takes longer than
        ``TERMINATION_SECONDS``. The run can then be resumed from its last checkpoint.
        """
        repeated: list[RepeatedSignal] = []

        def ask(number: int, _: Any) -> None:
            if self._stop_asked.is_set():
                raise KeyboardInterrupt
            self._stop_asked.set()
            how = "again to stop at once"
            if number == signal.SIGTERM:
                repeated.append(RepeatedSignal(number, TERMINATION_SECONDS))
                how = f"at once in {TERMINATION_SECONDS:g} seconds"
            status.note = f"{signal.Signals(number).name}: stopping after this iteration; {how}"
            screen.show(status, force=True)

        try:
            with handled_signals(ask):
                yield
        finally:
            for each in repeated:
                each.cancel()

    def _finish_up(self, reason: str, screen: Progress, status: Status) -> None:
        trainer = self.trainer
        if reason != INTERRUPTED and self.evaluated_at < trainer.timesteps:
            self._evaluate(status)
        if self.checkpointed_at < trainer.timesteps:
            self.checkpoint(self.best["last"] if self.best else None)
        if trainer.network_spec() is not None:
            with self.phases.during("saving"):
                trainer.save_model("final")
        status.note = reason
        status.refresh()
        screen.show(status, force=True)

    def _end(self, trackers: TrackerSet, reason: str) -> None:
        run, best = self.trainer.run, self.best
        trackers.end(
            INTERRUPTED if reason == INTERRUPTED else "finished", self.trainer.timesteps, reason=reason
        )
        self.trackers = None
        run.update(self.trainer.timesteps, self.episodes, best["score"] if best else None)
        if reason == INTERRUPTED:
            run.interrupt()
        else:
            run.finish()

    def _fail(self, error: BaseException) -> None:
        """Record an unplanned end as far as that is still possible."""
        interrupted = isinstance(error, KeyboardInterrupt)
        with contextlib.suppress(JimbotError, OSError):
            if interrupted:
                self.trainer.run.interrupt()
            else:
                self.trainer.run.fail(error)
        if self.trackers is not None:
            with contextlib.suppress(JimbotError, OSError):
                state = INTERRUPTED if interrupted else "failed"
                self.trackers.end(state, self.trainer.timesteps, error=f"{type(error).__name__}: {error}")
            self.trackers = None

    def _result(self, reason: str, seconds: float, steps: int) -> dict[str, Any]:
        best = self.best or {}
        return {
            "run_directory": str(self.trainer.run.path),
            "timesteps": self.trainer.timesteps,
            "episodes": self.episodes,
            "seconds": seconds,
            "training_seconds": self.phases.training_seconds,
            "steps_per_second": steps / self.phases.training_seconds if steps else 0.0,
            "stopped": reason,
            "converged": self.early_stop.reached,
            "mean_reward": self.latest.get("evaluation/mean_reward"),
            "best_score": best.get("score"),
            "best_confirmed": best.get("confirmed"),
            "best_timesteps": best.get("timesteps"),
            "metrics": dict(self.latest),
        }


def is_plain(callback: Any) -> bool:
    """Whether a callback is a plain function of the metrics, not a callback object of the library or a list of them."""
    return callable(callback) and not hasattr(callback, "init_callback")


def describe_goal(asked: int, goal: int, unit: int | None, num_envs: int) -> str:
    """Say why training ends elsewhere than asked."""
    why = f"one step of each of the {num_envs:,} environments" if unit == num_envs else "an update"
    return f"training {goal:,} steps, not {asked:,}: {why} is {unit:,} steps"


def describe_network(trainer: RLTrainer) -> dict[str, Any] | None:
    """Return the description of the trainer's network as plain data."""
    spec = trainer.network_spec()
    return spec.to_json() if spec is not None else None
