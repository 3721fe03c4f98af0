"""A wrapper that adds the client's inner state to the observations of a single therapy environment."""

from __future__ import annotations

from typing import Any, cast

import gymnasium

from jimbot.therapy.env.observations import make_omniscient_arrays, observation_space
from jimbot.therapy.env.single import TherapyEnv
from jimbot.therapy.model.utilities import TherapyError

__all__ = ["OmniscientWrapper"]


class OmniscientWrapper(gymnasium.ObservationWrapper[Any, Any, Any]):
    """Adds utilities, satisfaction, bond, mechanism and perception to each observation.

    The option ``omniscient=True`` of the environments does the same, and is the only way for the vector environment.
    """

    def __init__(self, env: gymnasium.Env[Any, Any]) -> None:
        super().__init__(env)
        if not isinstance(env.unwrapped, TherapyEnv):
            raise TherapyError(f"expected a therapy environment, got {type(env.unwrapped).__name__}")
        self.observation_space = observation_space(omniscient=True)

    def observation(self, observation: Any) -> Any:
        """Add the inner state to an observation."""
        inner = make_omniscient_arrays(cast("TherapyEnv", self.unwrapped).clients)
        return observation | {name: values[0] for name, values in inner.items()}
