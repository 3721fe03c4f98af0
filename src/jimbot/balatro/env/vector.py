"""A Gymnasium vector environment that steps many runs in one call of the engine.

One call steps every run, with the interpreter lock released, and writes observations, masks, rewards and ends into
buffers that stay where they are. ``reset`` and ``step`` return views of those buffers: copy what you keep.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from gymnasium.utils.seeding import np_random
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from jimbot import _engine
from jimbot.balatro.env.episode_info import BlindOutcome, read_blind_outcomes, view_end_records
from jimbot.balatro.env.option_checks import check_bool, check_choice, check_integer, format_given
from jimbot.balatro.env.options import EnvOptionError, EnvOptions, get_finishing_ante
from jimbot.balatro.env.reset_options import parse_reset_seeds
from jimbot.balatro.env.schema import (
    ENDINGS,
    INFO_NAMES,
    REWARD_TERMS,
    action_space,
    explain_refusal,
    observation_space,
    view_arrays,
)
from jimbot.balatro.env.state import make_replay, restore_engine
from jimbot.balatro.game.game import IllegalActionError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from jimbot.balatro.game.replay import Replay

_AUTORESET = {"same_step": (0, AutoresetMode.SAME_STEP), "next_step": (1, AutoresetMode.NEXT_STEP)}
_INDEX_TYPES = (np.dtype(np.int64), np.dtype(np.int32))
"""Types of actions that the engine reads as they are."""
_MOST_GAMES = 2**20
_MOST_THREADS = 1024


class BalatroVectorEnv(VectorEnv[Any, Any, Any]):
    """``num_envs`` runs of Balatro. Options are those of ``EnvOptions``.

    ``checked`` raises, before any run is stepped, if an action is not legal; by default such an action is counted and
    changes nothing.
    ``records`` and ``final_records`` are the engine's own observations, uint8[num_envs, bytes], as
    ``schema.observation_dtype`` lays them out; the arrays of an observation are views of them.
    """

    evaluation_options: ClassVar[dict[str, Any]] = {"seeds": "evaluation"}
    """Options that put the same environment on seeds that are never trained on."""

    def __init__(
        self,
        num_envs: int = 1,
        *,
        threads: int = 1,
        autoreset: str = "same_step",
        checked: bool = False,
        render_mode: None = None,
        **options: Any,
    ) -> None:
        number, mode = _AUTORESET[check_choice("autoreset", autoreset, _AUTORESET)]
        self.num_envs = num_envs = check_integer("num_envs", num_envs, 1, _MOST_GAMES)
        threads = check_integer("threads", threads, 1, _MOST_THREADS)
        if render_mode is not None:
            raise EnvOptionError(
                f"render_mode must be None, got {format_given(render_mode)}: a vector does not draw; BalatroEnv does"
            )
        self.checked = check_bool("checked", checked)
        self.options = EnvOptions.of(options)
        self.metadata = {"autoreset_mode": mode, "render_modes": []}
        candidates = self.options.num_candidates
        self.single_observation_space = observation_space(candidates)
        self.single_action_space = action_space(candidates)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._same_step = number == 0
        self._runs = _engine.VectorEnv(num_envs, self.options.to_engine(), threads, number)
        self.records = self._runs.observations
        self.final_records = self._runs.final_observations
        self._observations = view_arrays(self.records, candidates)
        self._final_observations = view_arrays(self.final_records, candidates)
        self._rewards = self._runs.rewards
        self._terminated = self._runs.terminated.view(np.bool_)
        self._truncated = self._runs.truncated.view(np.bool_)
        self._final_infos = self._runs.final_infos
        self._ends = view_end_records(self._runs.end_records)
        self._final_info = self._final_info_views()
        self._shape = (num_envs,)

    def _final_info_views(self) -> dict[str, Any]:
        """View the numbers of ended episodes by name, each an array with one row per run."""
        views: dict[str, Any] = {name: self._final_infos[:, i] for i, name in enumerate(INFO_NAMES)}
        views["ledger"] = {
            term: self._final_infos[:, len(INFO_NAMES) + i] for i, term in enumerate(REWARD_TERMS)
        }
        views |= {name: self._ends[name] for name in ("seed", "blind", "played")}
        views["cleared"] = self._ends["played_blinds"]["cleared"]
        return views

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start every run anew. Each run draws its seeds from its own generator, which ``seed`` initializes.

        A list of seeds starts the generator of each run by a seed of its own, as ``BalatroEnv.reset`` would.
        ``options`` choose the runs: ``{"seed": ...}`` or ``{"evaluation": ...}``, see ``parse_reset_seeds``.
        """
        asked = parse_reset_seeds(options, self.num_envs)
        self._start(seed)
        if asked is not None:
            self._runs.reset_on(asked)
        return self._observations, {}

    def _start(self, seed: Any) -> None:
        if seed is None or not hasattr(seed, "__iter__"):
            entropy = None if seed is None else check_integer("seed", seed, 0)
            start = int(np.random.SeedSequence(entropy).generate_state(1, np.uint64)[0])
            self._runs.reset(start)
            return
        seeds = [None if each is None else check_integer("seed", each, 0) for each in seed]
        if len(seeds) != self.num_envs:
            raise EnvOptionError(
                f"seed must be one number or a list of one per run, {self.num_envs}; got a list of {len(seeds)}"
            )
        self._runs.reset_each([generator_start(each) for each in seeds])

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """Take one action per run, integers[num_envs]. An illegal action is counted and changes nothing."""
        if (
            type(actions) is not np.ndarray
            or actions.shape != self._shape
            or actions.dtype not in _INDEX_TYPES
            or not actions.flags.c_contiguous
        ):
            actions = self._indices(actions)
        if self.checked:
            self._refuse_illegal(actions)
        self._runs.step(actions)
        return self._observations, self._rewards, self._terminated, self._truncated, self._infos()

    def _indices(self, actions: Any) -> NDArray[np.int64]:
        """Convert actions to an integer array that the engine takes; anything but one integer per run is refused."""
        given = np.asarray(actions)
        if given.dtype.kind not in "iu" or given.shape != self._shape:
            raise IllegalActionError(
                f"actions must be integers of shape ({self.num_envs},), one per run; got {given.dtype} of shape "
                f"{given.shape}"
            )
        return np.ascontiguousarray(
            given, np.int64
        )  # what is too large turns negative: no action has that index

    def _refuse_illegal(self, actions: NDArray[Any]) -> None:
        masks = self._observations["action_mask"]
        inside = (actions >= 0) & (actions < masks.shape[1])
        legal = masks[np.arange(self.num_envs), np.where(inside, actions, 0)].view(np.bool_) & inside
        if not self._same_step:
            legal |= self._terminated | self._truncated  # what starts anew takes no action
        if not legal.all():
            place = int(legal.argmin())
            words = explain_refusal(self._runs, place, int(actions[place]), self.options.num_candidates)
            raise IllegalActionError(f"run {place} of {self.num_envs}: {words}; nothing was stepped")

    def _infos(self) -> dict[str, Any]:
        ended = self._terminated | self._truncated
        if not ended.any():
            return {}
        infos: dict[str, Any] = {"final_info": dict(self._final_info), "_final_info": ended}
        if self._same_step:
            infos |= {"final_obs": self._final_observations, "_final_obs": ended}
        return infos

    def set_max_ante(self, max_ante: int) -> None:
        """Change the finishing ante; it takes effect at each run's next start."""
        self.options = self.options.with_max_ante(max_ante)
        self._runs.set_max_ante(int(max_ante))

    def set_difficulty(self, difficulty: str) -> None:
        """Change the difficulty; it takes effect at each run's next start."""
        self.set_max_ante(get_finishing_ante(difficulty))

    @property
    def runs(self) -> _engine.VectorEnv:
        """The engine's own vector, for what acts on all runs at once beside stepping them."""
        return self._runs

    def restart(self, places: Sequence[int], seeds: Sequence[int]) -> None:
        """Start the runs at some places anew, as ``BalatroEnv.reset(seed=...)`` would, and leave the others alone."""
        _engine.restart(self._runs, list(places), [generator_start(seed) for seed in seeds])

    def final_numbers(self, index: int) -> dict[str, float]:
        """Return what the last episode that ended at a place told, its ledger as ``reward/<term>``."""
        values = self._final_infos[index].tolist()
        numbers: dict[str, float] = dict(zip(INFO_NAMES, values, strict=False))
        numbers["played"] = float(self._ends[index]["played"])
        terms = zip(REWARD_TERMS, values[len(INFO_NAMES) :], strict=True)
        return numbers | {f"reward/{term}": value for term, value in terms}

    def observations(self) -> dict[str, Any]:
        """Return the current observations: the same views that ``step`` returns."""
        return self._observations

    def snapshot(self) -> bytes:
        """Serialize everything that determines later steps: all runs with their generators, counters and ledgers.

        Versioned and checksummed. ``reset`` without a seed is not decided by it: it draws a fresh one.
        """
        return self._runs.snapshot(b"vector")

    def restore(self, snapshot: bytes) -> None:
        """Restore a snapshot of an environment with the same options and number of runs."""
        restore_engine(self._runs, snapshot)
        self.options = self.options.with_max_ante(self._runs.max_ante)

    def replay(self, index: int) -> Replay | None:
        """Return the replay of the last finished episode at an index; None if none has finished."""
        last = self._runs.replay_of_last(index)
        return None if last is None else make_replay(last)

    def outcomes(self, index: int) -> list[BlindOutcome]:
        """Return the outcome of every blind of the last finished episode at an index; empty if none has finished."""
        return read_blind_outcomes(self._ends[index])

    def ending(self, index: int) -> str:
        """Return how the last finished episode at an index ended."""
        return ENDINGS[int(self._final_infos[index, INFO_NAMES.index("ending")])]


def generator_start(seed: int | None) -> int:
    """Return what a run's generator is started by when it is reset with a seed, as in ``BalatroEnv.reset``."""
    return int(np_random(seed)[0].integers(0, 2**63))
