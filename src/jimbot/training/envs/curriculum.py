"""Curricula: finishing antes that grow with success, or difficulties by timestep."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any, Protocol

from jimbot.training.config.trainer_config import ConfigError, CurriculumConfig, DifficultyStep, TrainerConfig

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from jimbot.training.envs.protocol import Episode, TrainingEnvironments

__all__ = ["AnteCurriculum", "Curriculum", "DifficultySchedule", "SuccessWindow", "create_curriculum"]


class SuccessWindow:
    """The share of successes among the last whole episodes of one stage."""

    def __init__(self, size: int) -> None:
        self.outcomes: deque[bool] = deque(maxlen=size)

    def add(self, success: bool) -> None:
        """Count an episode."""
        self.outcomes.append(success)

    @property
    def rate(self) -> float:
        """Share of successes; 0 without episodes."""
        return sum(self.outcomes) / len(self.outcomes) if self.outcomes else 0.0

    @property
    def full(self) -> bool:
        """Whether there are as many episodes as the window holds."""
        return len(self.outcomes) == self.outcomes.maxlen

    def passes(self, threshold: float) -> bool:
        """Whether enough episodes succeeded."""
        return self.full and self.rate >= threshold


class Curriculum(Protocol):
    """Decides, from episodes and timesteps, how difficult the environments are from now on."""

    def begin(self, vector: TrainingEnvironments) -> None:
        """Set the environments up, at the start or after a restore."""
        ...

    def advance(self, vector: TrainingEnvironments, episodes: Iterable[Episode], timesteps: int) -> None:
        """Change the difficulty if the ended episodes or the timesteps call for it."""
        ...

    def metrics(self) -> dict[str, float]:
        """What to log."""
        ...

    def state(self) -> dict[str, Any]:
        """Plain data for a checkpoint."""
        ...

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restore from a checkpoint; ``begin`` follows."""
        ...


class AnteCurriculum:
    """Raises the finishing ante when enough of the last episodes, begun at the present one, were won."""

    def __init__(self, config: CurriculumConfig) -> None:
        self.config = config
        self.max_ante = config.initial_max_ante
        self.stage = 0
        self.window = SuccessWindow(config.window)

    def begin(self, vector: TrainingEnvironments) -> None:
        """Set the present finishing ante."""
        if not vector.has("set_max_ante"):
            raise ConfigError(
                "use_curriculum: the environment has no set_max_ante; it cannot have a curriculum of antes"
            )
        vector.tell("set_max_ante", self.max_ante, self.stage)

    def advance(self, vector: TrainingEnvironments, episodes: Iterable[Episode], timesteps: int) -> None:
        """Count the episodes of this stage; raise the ante when they suffice."""
        del timesteps
        for episode in episodes:
            if episode.stage == self.stage:
                self.window.add(episode.numbers.get("won", 0.0) > 0)
        if self.max_ante < self.config.final_max_ante and self.window.passes(self.config.success_threshold):
            self.max_ante = min(self.max_ante + self.config.ante_increment, self.config.final_max_ante)
            self.stage += 1
            self.window.outcomes.clear()
            vector.tell("set_max_ante", self.max_ante, self.stage)

    def metrics(self) -> dict[str, float]:
        """The finishing ante and the success on it."""
        return {"curriculum/max_ante": self.max_ante, "curriculum/success_rate": self.window.rate}

    def state(self) -> dict[str, Any]:
        """Ante, stage and window."""
        return {"max_ante": self.max_ante, "stage": self.stage, "outcomes": list(self.window.outcomes)}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restore from a checkpoint."""
        self.max_ante, self.stage = int(state["max_ante"]), int(state["stage"])
        self.window.outcomes.clear()
        self.window.outcomes.extend(bool(each) for each in state["outcomes"])


class DifficultySchedule:
    """Changes the difficulty at given timesteps."""

    def __init__(self, steps: list[DifficultyStep]) -> None:
        self.steps = steps
        self.stage = 0

    def begin(self, vector: TrainingEnvironments) -> None:
        """Set the present difficulty."""
        if not vector.has("set_difficulty"):
            raise ConfigError("difficulty_schedule: the environment has no set_difficulty")
        vector.tell("set_difficulty", self.steps[self.stage].difficulty, self.stage)

    def advance(self, vector: TrainingEnvironments, episodes: Iterable[Episode], timesteps: int) -> None:
        """Change it when its time has come."""
        del episodes
        due = max((i for i, step in enumerate(self.steps) if step.timestep <= timesteps), default=0)
        if due != self.stage:
            self.stage = due
            vector.tell("set_difficulty", self.steps[due].difficulty, due)

    def metrics(self) -> dict[str, float]:
        """The number of the present difficulty."""
        return {"curriculum/stage": self.stage}

    def state(self) -> dict[str, Any]:
        """Which difficulty holds."""
        return {"stage": self.stage}

    def restore(self, state: Mapping[str, Any]) -> None:
        """Restore from a checkpoint."""
        self.stage = int(state["stage"])


def create_curriculum(config: TrainerConfig) -> Curriculum | None:
    """The curriculum of a configuration, if it has one."""
    if config.use_curriculum:
        return AnteCurriculum(config.curriculum)
    if config.difficulty_schedule:
        return DifficultySchedule(config.difficulty_schedule)
    return None
