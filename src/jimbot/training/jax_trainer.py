"""``PPOTrainer``: PPO in JAX episode by episode, with evaluation, convergence, tracking and artifacts.

This is the trainer for one small environment, usually ``CartPoleWrapper``. It collects whole episodes and updates the
policy as soon as it has ``batch_size`` steps. For throughput, see
``jimbot.training.backends.jax``: ``JaxRunner`` and ``VectorCollector`` feed the same update from many environments
at once.
"""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np

from jimbot.errors import JimbotError, require
from jimbot.lazy import lazy_attributes
from jimbot.statistics.evaluation_sets import JAX_EVALUATION_KEY, EvaluationSet

for _library in ("jax", "flax", "optax"):
    require(_library, "jax")

from jimbot.training.backends.jax.agent import PPOAgent  # noqa: E402  only once the libraries are known to exist
from jimbot.training.backends.jax.config import check_parameter_names  # noqa: E402
from jimbot.training.backends.jax.convergence import ConvergenceMonitor  # noqa: E402
from jimbot.training.backends.jax.episodes import SteppedEpisodes, compiled_episodes, join_episodes  # noqa: E402
from jimbot.training.backends.jax.state import from_tree, state_tree  # noqa: E402
from jimbot.training.backends.jax.tracking import Tracking, default_logger, progress_line  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import Unpack

    from jimbot.cartpole.jax_wrapper import CartPoleWrapper
    from jimbot.tracking.mlflow.logger import MLflowLogger
    from jimbot.training.backends.jax.config import PPOParameters
    from jimbot.training.backends.jax.episodes import EpisodeData, EpisodeSource
    from jimbot.training.backends.jax.tracking import ExperimentLogger

    Callback = Callable[[dict[str, Any]], object]

__all__ = ["CartPoleWrapper", "MLflowLogger", "PPOAgent", "PPOTrainer"]

__getattr__ = lazy_attributes(
    __name__,
    {"jimbot.cartpole.jax_wrapper": ("CartPoleWrapper",), "jimbot.tracking.mlflow.logger": ("MLflowLogger",)},
)


class SingleEnvironment(Protocol):
    """A Gymnasium environment; one that also has ``environment`` (pure functions) runs compiled."""

    def reset(self) -> tuple[Any, dict[str, Any]]:
        """Observation and infos."""
        ...

    def step(self, action: int) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Observation, reward, terminated, truncated, infos."""
        ...


class PPOTrainer:
    """Trains a ``PPOAgent`` on an environment.

    Args:
        agent: the agent to train; its hyperparameters are set to those given here.
        env: ``CartPoleWrapper`` or any Gymnasium environment with vector observations and discrete actions.
        max_episodes: maximum training episodes.
        max_steps_per_episode: maximum steps per episode; an episode that reaches it is truncated.
        target_reward: target average reward for convergence.
        convergence_window: window size for convergence checking, episodes.
        early_stopping_patience: episodes to wait after convergence; see ``ConvergenceMonitor``.
        eval_frequency: episodes between evaluations.
        eval_episodes: number of episodes of an evaluation.
        batch_size: steps to collect before an update; the episode that reaches the number is finished first.
        log_frequency: every so many episodes a line of progress is printed and metrics go to the logger; 1 logs every
            episode.
        enable_mlflow: whether parameters, metrics, artifacts and a converged model go to MLflow.
        logger: used instead of the ``MLflowLogger`` that ``enable_mlflow`` creates.
        output_directory: if given, model, results, plots and animation are written there.
        eval_env: environment for evaluations; by default ``env``. Evaluations do not affect an environment of pure
            functions; any other one continues with other episodes after an evaluation unless ``eval_env`` is given.
        parameters: hyperparameters of PPO; see ``PPOConfig``. The agent's apply where none is given.
    """

    def __init__(
        self,
        agent: PPOAgent,
        env: SingleEnvironment,
        max_episodes: int = 1000,
        max_steps_per_episode: int = 500,
        target_reward: float = 195.0,
        convergence_window: int = 100,
        early_stopping_patience: int = 10,
        eval_frequency: int = 50,
        eval_episodes: int = 10,
        *,
        batch_size: int = 64,
        log_frequency: int = 10,
        enable_mlflow: bool = False,
        logger: ExperimentLogger | None = None,
        output_directory: str | Path | None = None,
        eval_env: SingleEnvironment | None = None,
        **parameters: Unpack[PPOParameters],
    ) -> None:
        limits = {
            "max_episodes": max_episodes,
            "max_steps_per_episode": max_steps_per_episode,
            "eval_frequency": eval_frequency,
            "eval_episodes": eval_episodes,
            "batch_size": batch_size,
            "log_frequency": log_frequency,
        }
        for name, value in limits.items():
            if value < 1:
                raise JimbotError(f"{name} must be at least 1, got {value}")
        check_parameter_names(parameters)
        agent.check_environment(env)
        if eval_env is not None:
            agent.check_environment(eval_env, "eval_env")
        self.agent, self.env, self.eval_env = agent, env, eval_env or env
        agent.configure(**parameters)
        self.max_episodes, self.max_steps_per_episode = max_episodes, max_steps_per_episode
        self.eval_frequency, self.eval_episodes = eval_frequency, eval_episodes
        self.batch_size, self.log_frequency = batch_size, log_frequency
        self.monitor = ConvergenceMonitor(target_reward, convergence_window, early_stopping_patience)
        if logger is None and enable_mlflow:
            logger = default_logger()
        self.tracking = Tracking(logger, output_directory)
        self.source = self.episode_source(env)
        self.start()

    def episode_source(self, env: Any) -> EpisodeSource:
        """Plays episodes of an environment, in compiled code if it is one of pure functions."""
        functions = getattr(env, "environment", None)
        if functions is not None:
            return compiled_episodes(self.agent.ppo, functions, self.max_steps_per_episode)
        return SteppedEpisodes(self.agent.ppo, env, self.max_steps_per_episode)

    def start(self) -> None:
        """Reset the progress of an earlier run; the agent keeps what it has learned."""
        before = self.monitor
        self.monitor = ConvergenceMonitor(before.target, before.window, before.patience)
        self.rewards: list[float] = []
        self.lengths: list[int] = []
        self.pending: list[EpisodeData] = []
        self.evaluated: list[dict[str, float]] = []
        self.updates: list[dict[str, float]] = []
        self.finished = False

    @property
    def total_steps(self) -> int:
        """Environment steps in this run."""
        return sum(self.lengths)

    def settings(self) -> dict[str, Any]:
        """Every parameter of the run by its documented name."""
        own = {
            name: getattr(self, name)
            for name in (
                "max_episodes",
                "max_steps_per_episode",
                "eval_frequency",
                "eval_episodes",
                "batch_size",
                "log_frequency",
            )
        }
        monitor = self.monitor
        own |= {
            "target_reward": monitor.target,
            "convergence_window": monitor.window,
            "early_stopping_patience": monitor.patience,
        }
        agent = self.agent
        parameters = {name: value for name, value in vars(agent.config).items() if name != "schedule"}
        return own | parameters | {"hidden_sizes": list(agent.hidden_sizes), "seed": agent.seed}

    # --- training ------------------------------------------------------------------------------------------------

    def train(self, callback: Callback | None = None) -> dict[str, Any]:
        """Train until convergence or ``max_episodes``.

        After a finished run, a new one starts with what the agent has learned; a restored run continues.

        Args:
            callback: called after every episode with ``episode``, ``step_metrics`` (``avg_reward`` over the window,
                ``episode_reward``, ``episode_length``, ``total_steps`` and the metrics of the last update), the
                ``episode_data`` and, if there was one, ``eval_metrics``. If it returns False, training stops.

        Returns:
            ``converged``, ``episodes``, ``total_steps``, ``avg_reward`` and ``best_avg_reward`` over the window,
            ``episode_rewards``, ``episode_lengths``, ``evaluations``, ``updates`` (metrics of each), ``seconds`` and
            ``final_evaluation``.
        """
        if self.finished:
            self.start()
        begin = time.perf_counter()
        with self.tracking.run(self.settings()):
            running = True
            while running and self.monitor.episode < self.max_episodes and not self.monitor.converged:
                running = self.train_episode(callback) is not False
            self.finished = True
            results = self.results(time.perf_counter() - begin)
            self.tracking.save(self, results)
        return results

    def train_episode(self, callback: Callback | None) -> object:
        """Collect an episode, update and evaluate if it is time; what the callback returned."""
        data = self.source.play(self.agent.state, self.agent.next_key(), greedy=False)
        self.pending.append(data)
        self.rewards.append(float(np.sum(np.asarray(data["rewards"], np.float64))))
        self.lengths.append(len(data["rewards"]))
        if sum(len(episode["rewards"]) for episode in self.pending) >= self.batch_size:
            self.update()
        self.monitor.add(self.rewards[-1])
        episode = self.monitor.episode
        step_metrics = {
            "avg_reward": self.monitor.average,
            "episode_reward": self.rewards[-1],
            "episode_length": float(self.lengths[-1]),
            "total_steps": float(self.total_steps),
            **(self.updates[-1] if self.updates else {}),
        }
        report: dict[str, Any] = {"episode": episode, "step_metrics": step_metrics, "episode_data": data}
        if episode % self.eval_frequency == 0:
            report["eval_metrics"] = self.evaluate()
            self.evaluated.append({"episode": float(episode), **report["eval_metrics"]})
        self.log(report)
        return callback(report) if callback is not None else None

    def update(self) -> None:
        """One update from the episodes collected since the last."""
        capacity = self.batch_size + self.max_steps_per_episode - 1
        rollout = join_episodes(self.pending, capacity)
        self.pending = []
        self.agent.state, metrics = self.agent.ppo.update(self.agent.state, rollout)
        self.updates.append({name: float(value) for name, value in metrics.items()})

    def log(self, report: dict[str, Any]) -> None:
        """Print and log an episode if ``log_frequency`` says so, or if there was an evaluation."""
        episode, metrics = report["episode"], dict(report["step_metrics"])
        measured: dict[str, float] = report.get("eval_metrics", {})
        metrics |= {f"eval_{name}": value for name, value in measured.items()}
        if episode % self.log_frequency == 0 or measured:
            print(progress_line(report), flush=True)
            self.tracking.metrics(metrics, episode)

    # --- evaluation ----------------------------------------------------------------------------------------------

    def evaluate(
        self,
        num_episodes: int | None = None,
        *,
        deterministic: bool = True,
        evaluation_set: int = EvaluationSet.SELECTION,
    ) -> dict[str, float]:
        """Evaluate the current policy; its parameters, normalizer and random key do not change.

        Args:
            num_episodes: number of episodes; by default ``eval_episodes``.
            deterministic: whether to take the most likely action instead of sampling one.
            evaluation_set: which set of episodes; the same set and number give the same episodes.

        Returns:
            ``avg_reward``, ``std_reward``, ``min_reward``, ``max_reward``, ``avg_length`` and ``episodes``.
        """
        import jax

        episodes = self.eval_episodes if num_episodes is None else num_episodes
        if episodes < 1:
            raise JimbotError(f"num_episodes must be at least 1, got {episodes}")
        key = jax.random.fold_in(jax.random.PRNGKey(JAX_EVALUATION_KEY), int(evaluation_set))
        source = self.episode_source(self.eval_env)
        rewards, lengths = source.evaluate(self.agent.state, key, episodes, greedy=deterministic)
        return {
            "avg_reward": float(rewards.mean()),
            "std_reward": float(rewards.std()),
            "min_reward": float(rewards.min()),
            "max_reward": float(rewards.max()),
            "avg_length": float(lengths.mean()),
            "episodes": float(episodes),
        }

    def results(self, seconds: float) -> dict[str, Any]:
        """What ``train`` returns."""
        return {
            "converged": self.monitor.converged,
            "episodes": self.monitor.episode,
            "total_steps": self.total_steps,
            "avg_reward": self.monitor.average,
            "best_avg_reward": self.monitor.best_average,
            "episode_rewards": list(self.rewards),
            "episode_lengths": list(self.lengths),
            "evaluations": list(self.evaluated),
            "updates": list(self.updates),
            "seconds": seconds,
            "final_evaluation": self.evaluate(evaluation_set=EvaluationSet.CONFIRMATION),
        }

    # --- resuming ------------------------------------------------------------------------------------------------

    def state_tree(self) -> dict[str, Any]:
        """The agent and the progress of the run as nested dictionaries of NumPy arrays.

        Taken between episodes (in a callback), it continues bit for bit with an environment of pure functions, which
        keeps nothing between episodes. The histories of evaluations and updates are not saved and start empty.
        """
        best = self.monitor.best_average
        return {
            "agent": self.agent.state_tree(),
            "rewards": np.array(self.rewards, np.float64),
            "lengths": np.array(self.lengths, np.int64),
            "monitor": {
                "at_target": np.array(self.monitor.at_target),
                "best_average": np.array(math.nan if best is None else best),
                "converged": np.array(self.monitor.converged),
            },
            "pending": {str(number): state_tree(dict(data)) for number, data in enumerate(self.pending)},
        }

    def restore(self, tree: dict[str, Any]) -> None:
        """Continue from a tree of ``state_tree``; ``train`` then runs to ``max_episodes``."""
        self.start()
        self.agent.state = from_tree(tree["agent"], self.agent.state)
        self.rewards = [float(reward) for reward in tree["rewards"]]
        self.lengths = [int(length) for length in tree["lengths"]]
        best = float(tree["monitor"]["best_average"])
        self.monitor.restore(
            {
                "recent": self.rewards[-self.monitor.window :],
                "episode": len(self.rewards),
                "at_target": int(tree["monitor"]["at_target"]),
                "best_average": None if math.isnan(best) else best,
                "converged": bool(tree["monitor"]["converged"]),
            }
        )
        pending = tree["pending"]
        self.pending = [cast("EpisodeData", dict(pending[str(number)])) for number in range(len(pending))]
