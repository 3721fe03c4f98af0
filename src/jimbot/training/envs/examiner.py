"""The checks of a single environment, one method each; a failed check is a finding and never an exception."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, cast

import gymnasium
import numpy as np

from jimbot.training.envs.space_values import copied, mismatches, same, shape_of
from jimbot.training.envs.validation_report import Severity, ValidationReport

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

__all__ = ["MASK", "MISSING", "Examiner", "fitting_mask"]

MASK = "action_mask"
"""Key of the mask of legal actions in a Dict observation."""

MISSING: Any = object()


def fitting_mask(space: Any, actions: Any, report: ValidationReport) -> bool:
    """Whether observations of a space carry a mask that fits the actions; one that does not fit is reported."""
    if not isinstance(space, gymnasium.spaces.Dict) or MASK not in space.spaces:
        return False
    shape = space.spaces[MASK].shape
    if not isinstance(actions, gymnasium.spaces.Discrete):
        kind = type(actions).__name__
        report.add(Severity.ERROR, "mask", f"{MASK} needs a Discrete action space, got {kind}")
        return False
    if shape != (int(actions.n),):
        report.add(Severity.ERROR, "mask", f"{MASK} has shape {shape}, expected ({actions.n},)")
        return False
    return True


class Examiner:
    """The checks of one environment, in the order in which they make sense."""

    def __init__(self, env: Any, report: ValidationReport, rng: np.random.Generator, seed: int) -> None:
        self.env, self.report, self.rng, self.seed = env, report, rng, seed
        self.has_mask = False

    @property
    def observation_space(self) -> gymnasium.Space[Any]:
        """The environment's own, whatever its type says."""
        return self.env.observation_space

    def guarded(self, check: str, work: Callable[[], Any]) -> Any:
        """What the work returns, or MISSING after noting what it raised."""
        try:
            return work()
        except Exception as error:  # noqa: BLE001 - whatever a bad environment raises is the finding
            self.report.add(Severity.ERROR, check, f"raised {type(error).__name__}: {error}")
            return MISSING

    # --- spaces -------------------------------------------------------------------------------------------------

    def spaces(self) -> bool:
        """Whether both spaces are there; everything else needs them."""
        add = self.report.add
        if not isinstance(self.env, gymnasium.Env):
            add(Severity.WARNING, "type", f"{type(self.env).__name__} is not a gymnasium.Env")
        found = True
        for name in ("observation_space", "action_space"):
            space: Any = self.guarded("spaces", lambda name=name: getattr(self.env, name, None))
            if not isinstance(space, gymnasium.Space):
                add(Severity.ERROR, "spaces", f"{name} is {type(space).__name__}, expected a gymnasium.Space")
                found = False
        if found:
            self.bounds("observation", self.observation_space)
            self.mask_space()
        return found

    def bounds(self, name: str, space: gymnasium.Space[Any]) -> None:
        """Note spaces that a network cannot use as they are."""
        if isinstance(space, gymnasium.spaces.Dict):
            for key, inner in space.spaces.items():
                self.bounds(f"{name}['{key}']", inner)
        elif isinstance(space, gymnasium.spaces.Box):
            if (space.low > space.high).any():
                self.report.add(Severity.ERROR, "spaces", f"{name}: low is above high")
            elif not np.isfinite(space.low).all() or not np.isfinite(space.high).all():
                self.report.add(Severity.NOTE, "spaces", f"{name} is unbounded; a normalizer may be needed")

    def mask_space(self) -> None:
        """Whether the observations carry a mask, and whether it fits the actions."""
        self.has_mask = fitting_mask(self.env.observation_space, self.env.action_space, self.report)

    # --- playing ------------------------------------------------------------------------------------------------

    def reset(self, seed: int | None) -> Any:
        """The first observation, or MISSING."""
        result = self.guarded("reset", lambda: self.env.reset(seed=seed))
        if result is MISSING:
            return MISSING
        if not isinstance(result, tuple) or len(cast("tuple[Any, ...]", result)) != 2:
            self.report.add(
                Severity.ERROR, "reset", f"returned {shape_of(result)}, expected (observation, info)"
            )
            return MISSING
        observation, info = cast("tuple[Any, Any]", result)
        if not isinstance(info, dict):
            self.report.add(Severity.ERROR, "reset", f"info is {type(info).__name__}, expected dict")
        self.observation("reset", observation)
        return observation

    def stepped(self, action: Any) -> tuple[Any, Any, Any, Any, Any] | None:
        """The five parts of a step's result; None if it raised or has other parts."""
        result = self.guarded("step", lambda: self.env.step(action))
        if result is MISSING:
            return None
        if not isinstance(result, tuple) or len(cast("tuple[Any, ...]", result)) != 5:
            expected = "(observation, reward, terminated, truncated, info)"
            self.report.add(Severity.ERROR, "step", f"returned {shape_of(result)}, expected {expected}")
            return None
        return cast("tuple[Any, Any, Any, Any, Any]", result)

    def step(self, action: Any) -> tuple[Any, Any, bool, bool] | None:
        """Observation, reward, terminated, truncated; None if the step cannot be used."""
        parts = self.stepped(action)
        if parts is None:
            return None
        observation, reward, terminated, truncated, info = parts
        if not isinstance(info, dict):
            self.report.add(Severity.ERROR, "step", f"info is {type(info).__name__}, expected dict")
        self.observation("step", observation)
        self.reward(reward)
        for name, value in (("terminated", terminated), ("truncated", truncated)):
            if not isinstance(value, (bool, np.bool_)):
                self.report.add(Severity.ERROR, "ends", f"{name} is {type(value).__name__}, expected bool")
        if bool(terminated) and bool(truncated):
            self.report.add(
                Severity.WARNING,
                "ends",
                "a step was terminated and truncated at once; a learner treats it as terminated",
            )
        return observation, reward, bool(terminated), bool(truncated)

    def play(self, steps: int) -> list[Any]:
        """Play random legal actions and look at everything; the actions of the first seeded stretch."""
        first_actions: list[Any] = []
        observation = self.reset(self.seed)
        first_episode = True
        while observation is not MISSING and self.report.steps < steps:
            action = self.choose(observation)
            if action is MISSING:
                break
            if first_episode:
                first_actions.append(action)
            result = self.step(action)
            if result is None:
                break
            self.report.steps += 1
            observation = result[0]
            if result[2] or result[3]:
                self.report.episodes += 1
                first_episode = False
                self.time_limit(result[2], result[3])
                observation = self.reset(None)
        return first_actions

    def choose(self, observation: Any) -> Any:
        """A random action, legal if there is a mask; MISSING if none is."""
        if self.has_mask:
            mask = self.guarded("mask", lambda: np.asarray(observation[MASK]))
            if mask is MISSING or mask.shape != self.env.observation_space[MASK].shape:
                return MISSING
            legal = self.legal(mask)
            start = int(getattr(self.env.action_space, "start", 0))
            return start + int(self.rng.choice(legal)) if len(legal) else MISSING
        self.env.action_space.seed(int(self.rng.integers(2**31)))
        return self.env.action_space.sample()

    def legal(self, mask: NDArray[Any]) -> NDArray[np.intp]:
        """The legal actions of a mask, which is looked at too."""
        if not np.isin(mask, (0, 1)).all():
            self.report.add(Severity.ERROR, "mask", f"{MASK} holds values other than 0 and 1")
        legal = np.flatnonzero(mask)
        if not len(legal):
            self.report.add(
                Severity.ERROR, "mask", f"{MASK} allows no action although the episode is not over"
            )
        return legal

    def observation(self, where: str, observation: Any) -> None:
        """Whether an observation belongs to its space, and if not, why."""
        reasons = self.guarded(where, lambda: mismatches("observation", self.observation_space, observation))
        if reasons is not MISSING:
            for reason in reasons:
                self.report.add(Severity.ERROR, where, reason)

    def reward(self, reward: Any) -> None:
        """Whether a reward is a finite number."""
        if isinstance(reward, (bool, np.bool_)) or not isinstance(reward, (int, float, np.number)):
            self.report.add(Severity.ERROR, "reward", f"reward is {shape_of(reward)}, expected a number")
        elif not math.isfinite(float(cast("Any", reward))):
            self.report.add(Severity.ERROR, "reward", f"reward is {reward}, expected a finite number")

    def time_limit(self, terminated: bool, truncated: bool) -> None:
        """A limit of steps that ends episodes as terminated hides from a learner that the game goes on."""
        spec = getattr(self.env, "spec", None)
        limit = getattr(spec, "max_episode_steps", None)
        elapsed = getattr(self.env, "_elapsed_steps", None)
        if limit is not None and elapsed == limit and terminated and not truncated:
            self.report.add(
                Severity.NOTE,
                "ends",
                f"an episode of the limit of {limit} steps was terminated, not truncated",
            )

    # --- promises ---------------------------------------------------------------------------------------------------

    def determinism(self, actions: list[Any]) -> None:
        """The same seed and actions twice: the same observations, rewards and ends."""
        runs = [self.replay(actions), self.replay(actions)]
        for number, (first, second) in enumerate(zip(*runs, strict=False)):
            for name, one, other in zip(("observation", "reward", "end"), first, second, strict=True):
                if not same(one, other):
                    where = f"at step {number}" if number else "after reset"
                    self.report.add(
                        Severity.ERROR,
                        "determinism",
                        f"the same seed and actions gave another {name} {where}",
                    )
                    return

    def replay(self, actions: list[Any]) -> list[tuple[Any, Any, Any]]:
        """Observation, reward and end after the seeded reset and after each action."""
        trace: list[tuple[Any, Any, Any]] = [(copied(self.reset(self.seed)), 0.0, False)]
        for action in actions:
            result = self.step(action)
            if result is None:
                break
            trace.append((copied(result[0]), result[1], result[2:]))
            if result[2] or result[3]:
                break
        return trace

    def masked_actions(self) -> None:
        """An action that the mask forbids must be refused: by an error, or by changing nothing."""
        if not self.has_mask:
            return
        before = self.reset(self.seed)
        if before is MISSING:
            return
        before = copied(before)
        forbidden = np.flatnonzero(np.asarray(before[MASK]) == 0)
        if not len(forbidden):
            self.report.add(Severity.NOTE, "mask", f"{MASK} allows every action after reset")
            return
        action = int(getattr(self.env.action_space, "start", 0)) + int(self.rng.choice(forbidden))
        try:
            after = self.env.step(action)[0]
        except Exception as error:  # noqa: BLE001 - refusing is right
            self.report.add(
                Severity.NOTE, "mask", f"a masked action is refused: {type(error).__name__}: {error}"
            )
            return
        if not same(before, after):
            self.report.add(
                Severity.ERROR, "mask", f"masked action {action} was executed: the observation changed"
            )
