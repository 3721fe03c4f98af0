"""One run of Balatro as a Gymnasium environment: ``gymnasium.make("jimbot/Balatro-v0")``."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np

from jimbot import _engine
from jimbot.balatro.env_options import EnvOptionError, EnvOptions
from jimbot.balatro.game import Game, IllegalActionError
from jimbot.balatro.schema import ENDINGS, INFO_NAMES, REWARD_TERMS, action_space, observation_space, views_of
from jimbot.balatro.seeds import normalize_seed

_NO_AUTORESET = 2


class BalatroEnv(gymnasium.Env[Any, Any]):
    """A run with the fixed action space. Options are those of ``EnvOptions``.

    ``checked`` (the default) raises on an action that is not legal; otherwise it is counted and changes nothing.
    """

    metadata = {"render_modes": ["ansi", "rgb_array"], "render_fps": 4}  # noqa: RUF012  as Gymnasium declares it

    def __init__(self, *, render_mode: str | None = None, checked: bool = True, **options: Any) -> None:
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise EnvOptionError(f"unknown render_mode '{render_mode}'; expected ansi or rgb_array")
        self.render_mode = render_mode
        self.checked = checked
        self.options = EnvOptions.of(options)
        self.observation_space = observation_space()
        self.action_space = action_space()
        self._run = _engine.VectorEnv(1, self.options.for_engine(), 1, _NO_AUTORESET)
        self._views = views_of(self._run.observations)
        self._rewards = self._run.rewards
        self._terminated = self._run.terminated
        self._truncated = self._run.truncated
        self._action = np.zeros(1, np.int32)
        self._ended = True

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Start a run: on a drawn seed, on ``options={"seed": "7LB2WVPK"}``, or on an evaluation seed by number.

        ``options={"evaluation": 3}`` starts the fourth seed of the evaluation set.
        """
        super().reset(seed=seed)
        given = dict(options or {})
        unknown = sorted(set(given) - {"seed", "evaluation"})
        if unknown:
            raise EnvOptionError(f"unknown reset option '{unknown[0]}'; expected seed or evaluation")
        self._run.reset(int(self.np_random.integers(0, 2**63)))
        if "seed" in given:
            self._run.reset_one(0, _seed_number(given["seed"]))
        elif "evaluation" in given:
            self._run.reset_one(0, _engine.evaluation_seed(int(given["evaluation"])))
        self._ended = False
        return self._observation(), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Take the action of an index."""
        slot = int(action)
        if self._ended:
            raise IllegalActionError("the episode is over; call reset")
        if self.checked and not self._run.legal(0, slot):
            meaning = _engine.slot_meaning(slot) if 0 <= slot < _engine.slot_count else f"action {slot}"
            raise IllegalActionError(
                f"{meaning} (index {slot}) is not legal now; see observation['action_mask']"
            )
        self._action[0] = slot
        self._run.step(self._action)
        terminated, truncated = bool(self._terminated[0]), bool(self._truncated[0])
        self._ended = terminated or truncated
        return self._observation(), float(self._rewards[0]), terminated, truncated, self._info()

    def _observation(self) -> dict[str, Any]:
        return {name: view[0].copy() for name, view in self._views.items()}

    def _info(self) -> dict[str, Any]:
        if not self._ended:
            return {}
        numbers = self._run.info(0)
        info: dict[str, Any] = dict(zip(INFO_NAMES, numbers, strict=False))
        cleared, played = self._run.cleared(0)
        info["won"] = bool(info["won"])
        info["ending"] = ENDINGS[int(info["ending"])]
        info["cleared"] = [bool(cleared >> i & 1) for i in range(min(played, 64))]
        info["ledger"] = dict(zip(REWARD_TERMS, numbers[len(INFO_NAMES) :], strict=True))
        number = int(info["seed_number"])
        info["seed"] = _engine.seed_at(number) if number < _engine.seed_space else self.game().seed
        return info

    def action_masks(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Which actions are legal now, bool[actions]."""
        return self._views["action_mask"][0].astype(np.bool_)

    def game(self) -> Game:
        """A copy of the run, as a Game to look at and to play on with."""
        return Game.restore(self._run.game(0).snapshot())

    def render(self) -> Any:
        """The run as text (mode ansi) or as a picture, uint8[540, 960, 3] (mode rgb_array)."""
        if self.render_mode == "ansi":
            from jimbot.balatro.render import render_ansi

            return render_ansi(self.game())
        if self.render_mode == "rgb_array":
            from jimbot.balatro.picture import render_rgb

            return render_rgb(self.game())
        return None


def _seed_number(seed: str) -> int:
    text = normalize_seed(seed)
    try:
        return _engine.seed_number(text)
    except ValueError as error:
        raise EnvOptionError(str(error)) from None
