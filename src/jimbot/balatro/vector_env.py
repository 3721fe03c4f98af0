"""Many runs at once: a Gymnasium vector environment that is native all the way down.

One call steps every run, with the interpreter lock released, and writes observations, masks, rewards and ends into
buffers that stay where they are. ``reset`` and ``step`` return views of those buffers: copy what you keep.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from jimbot import _engine
from jimbot.balatro.env_options import EnvOptionError, EnvOptions, finishing_ante
from jimbot.balatro.env_state import episode_replay, restore_engine
from jimbot.balatro.schema import ENDINGS, INFO_NAMES, REWARD_TERMS, action_space, observation_space, views_of

if TYPE_CHECKING:
    from jimbot.balatro.replay import Replay

_AUTORESET = {"same_step": (0, AutoresetMode.SAME_STEP), "next_step": (1, AutoresetMode.NEXT_STEP)}


class BalatroVectorEnv(VectorEnv[Any, Any, Any]):
    """``num_envs`` runs of Balatro. Options are those of ``EnvOptions``.

    ``records`` and ``final_records`` are the engine's own observations, uint8[num_envs, bytes], as
    ``schema.observation_dtype`` lays them out; the arrays of an observation are views of them.
    """

    evaluation_options: ClassVar[dict[str, Any]] = {"seeds": "evaluation"}
    """Options that put the same environment on seeds that are never trained on."""

    def __init__(
        self, num_envs: int = 1, *, threads: int = 1, autoreset: str = "same_step", **options: Any
    ) -> None:
        if autoreset not in _AUTORESET:
            raise EnvOptionError(f"unknown autoreset '{autoreset}'; expected same_step or next_step")
        if num_envs < 1 or threads < 1:
            raise EnvOptionError(f"num_envs and threads must be at least 1, got {num_envs} and {threads}")
        options.pop("render_mode", None)
        self.options = EnvOptions.of(options)
        number, mode = _AUTORESET[autoreset]
        self.num_envs = num_envs
        self.metadata = {"autoreset_mode": mode, "render_modes": []}
        listed = self.options.listed
        self.single_observation_space = observation_space(listed)
        self.single_action_space = action_space(listed)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._same_step = number == 0
        self._runs = _engine.VectorEnv(num_envs, self.options.for_engine(), threads, number)
        self.records = self._runs.observations
        self.final_records = self._runs.final_observations
        self._observations = views_of(self.records, listed)
        self._final_observations = views_of(self.final_records, listed)
        self._rewards = self._runs.rewards
        self._terminated = self._runs.terminated.view(np.bool_)
        self._truncated = self._runs.truncated.view(np.bool_)
        self._final_infos = self._runs.final_infos
        self._actions = np.zeros(num_envs, np.int32)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start every run anew. Each draws its seeds from a generator of its own, started by ``seed``."""
        del options
        start = int(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0])
        self._runs.reset(start)
        return self._observations, {}

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, Any]]:
        """One action per run. An action that is not legal is counted and changes nothing."""
        np.copyto(self._actions, actions, casting="unsafe")
        self._runs.step(self._actions)
        return self._observations, self._rewards, self._terminated, self._truncated, self._infos()

    def _infos(self) -> dict[str, Any]:
        ended = self._terminated | self._truncated
        if not ended.any():
            return {}
        final_info: dict[str, Any] = {name: self._final_infos[:, i] for i, name in enumerate(INFO_NAMES)}
        final_info["ledger"] = {
            term: self._final_infos[:, len(INFO_NAMES) + i] for i, term in enumerate(REWARD_TERMS)
        }
        infos: dict[str, Any] = {"final_info": final_info, "_final_info": ended}
        if self._same_step:
            infos |= {"final_obs": self._final_observations, "_final_obs": ended}
        return infos

    def set_max_ante(self, max_ante: int) -> None:
        """Change the finishing ante; it holds from each run's next start on."""
        self.options = self.options.with_max_ante(max_ante)
        self._runs.set_max_ante(max_ante)

    def set_difficulty(self, difficulty: str) -> None:
        """Change the difficulty; it holds from each run's next start on."""
        self.set_max_ante(finishing_ante(difficulty))

    def observations(self) -> dict[str, Any]:
        """The current observations: the same views that ``step`` returns."""
        return self._observations

    def snapshot(self) -> bytes:
        """Everything that decides what later steps give: all runs with their generators, counters and ledgers.

        Versioned and checksummed. ``reset`` without a seed is not decided by it: it draws a fresh one.
        """
        return self._runs.snapshot(b"vector")

    def restore(self, snapshot: bytes) -> None:
        """Go on where the snapshot was made; it must be of an environment with the same options and runs."""
        restore_engine(self._runs, snapshot)
        self.options = self.options.with_max_ante(self._runs.max_ante)

    def replay(self, index: int) -> Replay | None:
        """The last episode that ended at a place of the vector; None if none has."""
        last = self._runs.replay_of_last(index)
        return None if last is None else episode_replay(last)

    def ending(self, index: int) -> str:
        """How the last episode of a run ended."""
        return ENDINGS[int(self._final_infos[index, INFO_NAMES.index("ending")])]
