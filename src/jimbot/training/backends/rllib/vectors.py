"""All environments of an RLlib run, wherever they are played, as ``TrainingEnvironments``.

Episodes are drained from here, difficulty is set here, and a checkpoint asks here for the state of all env runners.
"""

# The library is partly untyped.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jimbot.networks.normalizer import RewardScaler
from jimbot.training.backends.rllib.statistics import Statistics
from jimbot.training.envs.episode_recorder import ResumeError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import gymnasium

    from jimbot.networks.normalizer import ObservationNormalizer
    from jimbot.training.config.trainer_config import TrainerConfig
    from jimbot.training.envs.protocol import Episode

__all__ = ["RunnerVectors"]


class RunnerVectors:
    """The environments of all runners.

    Args:
        spaces: observation and action space of one environment.
        methods: names of the methods every environment has.
        config: of the run.
    """

    def __init__(
        self,
        spaces: tuple[gymnasium.Space[Any], gymnasium.Space[Any]],
        methods: frozenset[str],
        config: TrainerConfig,
    ) -> None:
        self.observation_space, self.action_space = spaces
        self.num_envs = config.n_envs
        self.config = config
        self.statistics = Statistics(self.observation_space, config)
        self.taken = 0
        self.restarts = 0
        self.stage = 0
        self._methods = methods
        self._told: dict[str, tuple[str, Any, int]] = {}
        self._episodes: list[Episode] = []
        self._group: Any = None

    @property
    def normalizer(self) -> ObservationNormalizer | None:
        """Statistics of observations that all runners share."""
        return self.statistics.observations

    @normalizer.setter
    def normalizer(self, given: ObservationNormalizer | None) -> None:
        self.statistics.observations = given
        self.deliver()

    @property
    def scaler(self) -> RewardScaler | None:
        """What training's rewards go through, with the statistics of returns that all runners share."""
        if self.statistics.returns is None:
            return None
        scaler = RewardScaler(self.num_envs, discount=self.config.hyperparams.gamma)
        scaler.moments = self.statistics.returns
        return scaler

    def connect(self, group: Any) -> None:
        """Speak to these runners from now on."""
        self._group = group

    def ask(self, question: Callable[[Any], Any], indices: list[int] | None = None) -> list[Any]:
        """What the runners answer; those that are lost do not."""
        if self._group is None:
            return []
        remote = self._group.num_remote_env_runners() > 0
        return self._group.foreach_env_runner(
            question, local_env_runner=not remote, remote_worker_ids=indices, timeout_seconds=60.0
        )

    # --- training -------------------------------------------------------------------------------------------------

    def reset(self) -> None:
        """Start all environments."""
        seed = self.config.seed
        self.ask(lambda runner: runner.start(seed))
        self.deliver()

    def observation(self) -> None:
        """Observations stay where they are played."""

    def gather(self) -> float:
        """Fetch ended episodes and statistics, and deliver the whole; seconds the environments took."""
        seconds: list[float] = []
        for report in sorted(self.ask(lambda runner: runner.report()), key=lambda each: each["index"]):
            self._episodes += report["episodes"]
            self.statistics.merge(report["statistics"])
            seconds.append(report["seconds"])
        self.deliver()
        return max(seconds, default=0.0)

    def deliver(self, indices: list[int] | None = None) -> None:
        """Tell runners what all know together."""
        news = {
            "statistics": self.statistics.state(),
            "taken": self.taken,
            "told": list(self._told.values()),
        }
        self.ask(lambda runner: runner.learn_of(news), indices)

    def welcome(self, indices: list[int]) -> None:
        """Set up runners that took the place of lost ones: seeds of their own, and all that is known."""
        self.restarts += 1
        seed, restarts = self.config.seed, self.restarts
        self.deliver(indices)
        self.ask(lambda runner: runner.start(seed, restarts), indices)

    def drain(self) -> list[Episode]:
        """The episodes that ended since the last call."""
        ended, self._episodes = self._episodes, []
        return ended

    # --- difficulty -----------------------------------------------------------------------------------------------

    def has(self, method: str) -> bool:
        """Whether the environments have a method."""
        return method in self._methods

    def tell(self, method: str, value: Any, stage: int) -> None:
        """Call a method of every environment; episodes that begin from then on are of this stage."""
        self.stage = stage
        self._told = {method: (method, value, stage)}
        self.deliver()

    # --- snapshots ------------------------------------------------------------------------------------------------

    def snapshot(self) -> dict[str, Any]:
        """Statistics, and the state of every runner that answers."""
        states = self.ask(lambda runner: (runner.worker_index or 0, runner.snapshot()))
        return {
            "normaliser": None if self.normalizer is None else self.normalizer.state_dict(),
            "statistics": self.statistics.state(),
            "runners": {str(index): state for index, state in states},
            "restarts": self.restarts,
            "stage": self.stage,
        }

    def restore(self, tree: Mapping[str, Any]) -> None:
        """Restore a snapshot; runners whose state is not in it start anew."""
        self.statistics.restore(tree["statistics"])
        self.restarts = int(tree["restarts"])
        self.stage = int(tree["stage"])
        states = tree["runners"]
        present = self.ask(lambda runner: runner.worker_index or 0)
        unknown = [index for index in map(int, states) if index not in present]
        if unknown:
            raise ResumeError(
                f"the checkpoint holds runner {unknown[0]}, this run has {len(present)}; resume it with as many runners"
            )
        self.reset()
        self.ask(lambda runner: resume_runner(runner, states))

    def close(self) -> None:
        """Nothing: runners end with their algorithm."""


def resume_runner(runner: Any, states: Mapping[str, Any]) -> None:
    """Bring one runner back to its own state."""
    own = states.get(str(runner.worker_index or 0))
    if own is not None:
        runner.resume(own)
