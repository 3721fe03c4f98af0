"""One run of Balatro as a Gymnasium environment: ``gymnasium.make("jimbot/Balatro-v0")``."""

from __future__ import annotations

from operator import index
from typing import Any

import gymnasium
import numpy as np

from jimbot import _engine
from jimbot.balatro.env.episode_info import read_blind_outcomes, view_end_records
from jimbot.balatro.env.observation_pool import ObservationPool
from jimbot.balatro.env.option_checks import check_bool, format_given
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
from jimbot.balatro.game.actions import Action
from jimbot.balatro.game.game import Game, IllegalActionError
from jimbot.balatro.names import get_name
from jimbot.storage.strict_json import dump_json, parse_json

_NO_AUTORESET = 2


class BalatroEnv(gymnasium.Env[Any, Any]):
    """One run at a time. Options are those of ``EnvOptions``.

    ``checked`` (the default) raises on an action that is not legal; otherwise it is counted and changes nothing.
    ``records`` is the engine's own observation, uint8[1, bytes], as ``schema.observation_dtype`` lays it out.
    """

    metadata = {"render_modes": ["ansi", "rgb_array"], "render_fps": 4}  # noqa: RUF012  as Gymnasium declares it

    def __init__(self, *, render_mode: str | None = None, checked: bool = True, **options: Any) -> None:
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise EnvOptionError(
                f"unknown render_mode {format_given(render_mode)}; expected ansi or rgb_array"
            )
        self.render_mode = render_mode
        self.checked = check_bool("checked", checked)
        self.options = EnvOptions.of(options)
        candidates = self.options.num_candidates
        self.observation_space = observation_space(candidates)
        self.action_space = action_space(candidates)
        self._run = _engine.VectorEnv(1, self.options.to_engine(), 1, _NO_AUTORESET)
        self.records = self._run.observations
        self._mask = view_arrays(self.records, candidates)["action_mask"][0]
        self._pool = ObservationPool(self.records[0], candidates)
        self._observation = self._pool.observation
        self._end = view_end_records(self._run.end_records)
        self._ended = True

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start a run: on a drawn seed, on ``options={"seed": "7LB2WVPK"}``, or on an evaluation seed by number.

        ``options={"evaluation": 3}`` starts the fourth seed of the evaluation set.
        """
        asked = parse_reset_seeds(options, 1)
        super().reset(seed=seed)
        self._run.reset(int(self.np_random.integers(0, 2**63)))
        if asked is not None:
            self._run.reset_on(asked)
        self._ended = False
        return self._observation(), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Take the action with this index."""
        if self._ended:
            raise IllegalActionError("the episode is over; call reset")
        try:
            result = self._run.step_only(index(action), self.checked)
        except TypeError:
            result = self._step_array(action)
        if result is None:
            number = int(np.asarray(action).item())
            raise IllegalActionError(explain_refusal(self._run, 0, number, self.options.num_candidates))
        reward, terminated, truncated = result
        self._ended = terminated or truncated
        return self._observation(), reward, terminated, truncated, self._info() if self._ended else {}

    def _step_array(self, action: Any) -> tuple[float, bool, bool] | None:
        """Step with an action that is not a plain integer, such as an array with one element."""
        array = np.asarray(action)
        if array.size != 1 or not (array.dtype.kind in "iu" or isinstance(action, int)):
            raise IllegalActionError(f"an action is one whole number, got {format_given(action)}")
        known = array.dtype.kind in "iu" and 0 <= array.item() < _engine.slot_count
        return self._run.step_only(array.item() if known else -1, self.checked)

    def _info(self) -> dict[str, Any]:
        numbers, end = self._run.info(0), self._end[0]
        info: dict[str, Any] = dict(zip(INFO_NAMES, numbers, strict=False))
        info["won"] = bool(info["won"])
        info["ending"] = ENDINGS[int(info["ending"])]
        info["blind"] = str(end["blind"])
        info["blind_name"] = get_name(info["blind"])
        info["played"] = int(end["played"])
        info["outcomes"] = read_blind_outcomes(end)
        info["cleared"] = [outcome.cleared for outcome in info["outcomes"]]
        info["ledger"] = dict(zip(REWARD_TERMS, numbers[len(INFO_NAMES) :], strict=True))
        info["seed"] = str(end["seed"])
        info["replay"] = make_replay(self._run.replay(0), info["seed"])
        return info

    def set_max_ante(self, max_ante: int) -> None:
        """Change the finishing ante; it takes effect at the next reset."""
        self.options = self.options.with_max_ante(max_ante)
        self._run.set_max_ante(int(max_ante))

    def set_difficulty(self, difficulty: str) -> None:
        """Change the difficulty; it takes effect at the next reset."""
        self.set_max_ante(get_finishing_ante(difficulty))

    def action_masks(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Return the mask of legal actions, bool[actions]."""
        return self._mask.astype(np.bool_)

    def candidate_actions(self) -> list[tuple[Action, ...]]:
        """Return the actions of each candidate: one, or a free reordering followed by the action it prepares."""
        return [tuple(map(Action.decode, actions)) for actions in self._run.candidates(0)]

    def actions_taken(self) -> list[Action]:
        """Return the game actions of the episode so far; one step takes none, one or two of them."""
        return [Action.decode(encoded) for encoded in self._run.replay(0)[4]]

    def target_pending(self) -> bool:
        """Return whether a consumable has been chosen and needs its targets (fixed actions only)."""
        return bool(self._run.pending(0))

    def observation(self) -> dict[str, Any]:
        """Return the current observation."""
        return self._observation()

    def snapshot(self) -> bytes:
        """Serialize everything that determines later steps and resets, as versioned, checksummed bytes."""
        extra = {"ended": self._ended, "random": self.np_random.bit_generator.state}
        return self._run.snapshot(dump_json(extra).encode())

    def restore(self, snapshot: bytes) -> None:
        """Restore a snapshot of an environment with the same options."""
        kept = parse_json(restore_engine(self._run, snapshot), "the snapshot")
        self._ended = bool(kept["ended"])
        self.np_random.bit_generator.state = kept["random"]

    def game(self) -> Game:
        """Return a copy of the run as a ``Game``."""
        return Game.restore(self._run.game(0).snapshot())

    def render(self) -> Any:
        """Render the run as text (mode ansi) or as an image, uint8[540, 960, 3] (mode rgb_array)."""
        if self.render_mode == "ansi":
            from jimbot.balatro.drawing.text import render_ansi

            return render_ansi(self.game())
        if self.render_mode == "rgb_array":
            from jimbot.balatro.drawing.picture import render_rgb

            return render_rgb(self.game())
        return None
