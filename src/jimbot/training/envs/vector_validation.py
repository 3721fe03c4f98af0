"""Checks of vector environments: those of ``envs.validation`` for every row, and those of the batch."""

from __future__ import annotations

from typing import Any, cast

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from jimbot.training.envs.examiner import MASK, MISSING, Examiner, fitting_mask
from jimbot.training.envs.space_values import copied, same, shape_of
from jimbot.training.envs.validation_report import Severity, ValidationReport

__all__ = ["examine_vector", "is_vector"]

SPACES = ("single_observation_space", "single_action_space", "observation_space", "action_space")


def is_vector(env: Any) -> bool:
    """Whether this is a vector of environments."""
    return isinstance(env, VectorEnv)


def examine_vector(env: Any, report: ValidationReport, steps: int, seed: int) -> None:
    """Play a vector and add what is wrong with it; ``steps`` counts those of all its environments together."""
    examiner = VectorExaminer(env, report, np.random.default_rng(seed), seed)
    if not examiner.spaces():
        return
    actions = examiner.play(steps)
    if actions:
        examiner.determinism(actions)
        examiner.guarded("mask", examiner.masked_actions)


class VectorExaminer(Examiner):
    """The checks of one vector; actions are int[num_envs] where the single space is Discrete."""

    @property
    def count(self) -> int:
        """How many environments there are."""
        return int(self.env.num_envs)

    # --- spaces -------------------------------------------------------------------------------------------------

    def spaces(self) -> bool:
        """Whether all four spaces are there and fit each other, and how ended environments start again."""
        add = self.report.add
        count: Any = self.guarded("spaces", lambda: self.env.num_envs)
        if not isinstance(count, int) or count < 1:
            add(Severity.ERROR, "spaces", f"num_envs is {count!r}, expected a number of environments")
            return False
        found: list[Any] = []
        for name in SPACES:
            space: Any = self.guarded("spaces", lambda name=name: getattr(self.env, name, None))
            if not isinstance(space, gymnasium.Space):
                add(Severity.ERROR, "spaces", f"{name} is {type(space).__name__}, expected a gymnasium.Space")
            else:
                found.append(cast("Any", space))
        if len(found) < len(SPACES):
            return False
        for single, batched, name in zip(found[:2], found[2:], SPACES[2:], strict=True):
            if batch_space(single, count) != batched:
                add(Severity.ERROR, "spaces", f"{name} is not single_{name} of {count} environments")
                return False
        self.bounds("observation", found[0])
        self.mask_space()
        if not isinstance(self.mode, AutoresetMode):
            add(
                Severity.WARNING,
                "autoreset",
                "metadata['autoreset_mode'] does not say how ended environments go on",
            )
        return True

    @property
    def mode(self) -> Any:
        """How ended environments start again, as far as the vector says it."""
        metadata: dict[str, Any] = getattr(self.env, "metadata", None) or {}
        return metadata.get("autoreset_mode")

    def mask_space(self) -> None:
        """Whether the observations carry masks, and whether they fit the actions."""
        space, actions = self.env.single_observation_space, self.env.single_action_space
        self.has_mask = fitting_mask(space, actions, self.report)

    # --- playing ------------------------------------------------------------------------------------------------

    def play(self, steps: int) -> list[Any]:
        """Play random legal actions and look at everything; all the actions."""
        taken: list[Any] = []
        observation = self.reset(self.seed)
        waiting = np.zeros(self.count, np.bool_)
        while observation is not MISSING and self.report.steps < steps:
            actions = self.choose_all(observation, waiting)
            if actions is MISSING:
                break
            result = self.step_all(actions)
            if result is None:
                break
            taken.append(actions)
            observation, _, ended = result
            self.report.steps += int(np.count_nonzero(~waiting))
            self.report.episodes += int(np.count_nonzero(ended))
            waiting = ended if self.mode is AutoresetMode.NEXT_STEP else np.zeros_like(ended)
            if self.mode is AutoresetMode.DISABLED and ended.any():
                observation = self.reset(None)
        return taken

    def choose_all(self, observation: Any, waiting: Any) -> Any:
        """A random action for every environment, legal where there is a mask; MISSING if one has none."""
        if not self.has_mask:
            self.env.action_space.seed(int(self.rng.integers(2**31)))
            return self.env.action_space.sample()
        masks = self.guarded("mask", lambda: np.asarray(observation[MASK]))
        if masks is MISSING or masks.shape != self.env.observation_space[MASK].shape:
            return MISSING
        start = int(getattr(self.env.single_action_space, "start", 0))
        actions = np.full(self.count, start, np.int64)
        for row in np.flatnonzero(~waiting):  # one that waits starts anew, whatever its action
            legal = self.legal(masks[row])
            if not len(legal):
                return MISSING
            actions[row] += int(self.rng.choice(legal))
        return actions

    def step_all(self, actions: Any) -> tuple[Any, Any, Any] | None:
        """Observation, rewards and ends, bool[num_envs]; None if the step cannot be used."""
        parts = self.stepped(actions)
        if parts is None:
            return None
        observation, rewards, terminated, truncated, infos = parts
        self.observation("step", observation)
        usable = self.rows("reward", rewards, "fiu")
        usable &= self.rows("terminated", terminated, "b") and self.rows("truncated", truncated, "b")
        if not usable:
            return None
        if not np.isfinite(rewards).all():
            self.report.add(Severity.ERROR, "reward", "a reward is not a finite number")
        ended = np.asarray(terminated) | np.asarray(truncated)
        self.infos(infos, ended)
        return observation, np.array(rewards), ended

    def rows(self, name: str, values: Any, kinds: str) -> bool:
        """Whether something is an array with one value of such a kind per environment."""
        array: Any = cast("Any", values) if isinstance(values, np.ndarray) else None
        if array is not None and array.shape == (self.count,) and array.dtype.kind in kinds:
            return True
        given = shape_of(values) if array is None else f"{array.dtype} of shape {array.shape}"
        self.report.add(Severity.ERROR, "step", f"{name} is {given}, expected one value per environment")
        return False

    def infos(self, infos: Any, ended: Any) -> None:
        """Whether infos are a dict, and hold the last observations of what ended and started again at once."""
        if not isinstance(infos, dict):
            self.report.add(Severity.ERROR, "step", f"info is {type(infos).__name__}, expected dict")
        elif self.mode is AutoresetMode.SAME_STEP and ended.any():
            given = cast("dict[str, Any]", infos)
            for name in ("final_obs", "final_info"):
                if name not in given:
                    self.report.add(
                        Severity.ERROR, "autoreset", f"an environment ended and infos lack '{name}'"
                    )
                elif not same(given.get(f"_{name}"), ended):
                    self.report.add(Severity.ERROR, "autoreset", f"infos['_{name}'] does not say which ended")

    # --- promises -----------------------------------------------------------------------------------------------

    def replay(self, actions: list[Any]) -> list[tuple[Any, Any, Any]]:
        """Observation, rewards and ends after the seeded reset and after each action."""
        trace: list[tuple[Any, Any, Any]] = [(copied(self.reset(self.seed)), 0.0, False)]
        for each in actions[: max(1, 200 // self.count)]:
            result = self.step_all(each)
            if result is None:
                break
            trace.append((copied(result[0]), result[1], result[2]))
        return trace

    def masked_actions(self) -> None:
        """Actions that the masks forbid must be refused: by an error, or by changing nothing."""
        before = self.reset(self.seed) if self.has_mask else MISSING
        if before is MISSING:
            return
        before = copied(before)
        masks = np.asarray(before[MASK])
        if (masks != 0).all(axis=1).any():
            self.report.add(Severity.NOTE, "mask", f"{MASK} allows every action after reset")
            return
        start = int(getattr(self.env.single_action_space, "start", 0))
        actions = np.array([start + int(self.rng.choice(np.flatnonzero(mask == 0))) for mask in masks])
        try:
            after, _, terminated, truncated, _ = self.env.step(actions)
        except Exception as error:  # noqa: BLE001 - refusing is right
            text = f"a masked action is refused: {type(error).__name__}: {error}"
            self.report.add(Severity.NOTE, "mask", text)
            return
        for row in np.flatnonzero(~(np.asarray(terminated) | np.asarray(truncated))):
            if not same(row_of(before, row), row_of(after, row)):
                text = f"masked action {actions[row]} was executed: the observation changed"
                self.report.add(Severity.ERROR, "mask", text)
                return


def row_of(observation: Any, row: Any) -> Any:
    """The arrays of one environment."""
    return {name: np.asarray(part)[row] for name, part in observation.items()}
