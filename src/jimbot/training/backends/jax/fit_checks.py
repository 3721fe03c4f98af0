"""Whether an agent fits the environment it is to be trained on, and parameters have known names; asked first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gymnasium.spaces import Box, Discrete

from jimbot.errors import JimbotError
from jimbot.training.backends.jax.agent import PPOParameters

if TYPE_CHECKING:
    from collections.abc import Iterable

    from jimbot.training.backends.jax.agent import PPOAgent

__all__ = ["check_fit", "check_names"]


def check_names(names: Iterable[str]) -> None:
    """Raise for a hyperparameter that there is not."""
    known = sorted(PPOParameters.__annotations__)
    for name in names:
        if name not in known:
            raise JimbotError(f"there is no parameter {name!r}; the hyperparameters are {', '.join(known)}")


def check_fit(agent: PPOAgent, env: Any, what: str = "env") -> None:
    """Raise if an agent cannot look at the environment's observations, or its actions are not the environment's.

    Args:
        agent: what is to be trained.
        env: with pure functions (``environment``) or with Gymnasium's spaces; of any other, nothing is known here.
        what: the parameter that gave it.
    """
    functions = getattr(env, "environment", None)
    if functions is not None:
        seen, actions = int(functions.observation_size), int(functions.num_actions)
    elif hasattr(env, "observation_space") and hasattr(env, "action_space"):
        seen, actions = vector_size(env.observation_space, what), action_count(env.action_space, what)
    else:
        return
    if (seen, actions) != (agent.observation_dim, agent.action_dim):
        raise JimbotError(
            f"{what}: observations of {seen} numbers and {actions} actions do not fit the agent, which has "
            f"observation_dim {agent.observation_dim} and action_dim {agent.action_dim}; make it with "
            f"PPOAgent({seen}, {actions})"
        )


def vector_size(space: Any, what: str) -> int:
    """How many numbers an observation has; it has to be a vector."""
    if not isinstance(space, Box) or len(space.shape) != 1:
        raise JimbotError(
            f"{what}: PPOTrainer looks at vectors, a Box of one axis; got the observation space {shown(space)}. "
            "create_trainer with backend jax takes dictionaries and masks"
        )
    return int(space.shape[0])


def action_count(space: Any, what: str) -> int:
    """How many actions there are; they have to be counted from 0."""
    if not isinstance(space, Discrete) or int(space.start) != 0:
        raise JimbotError(
            f"{what}: PPOTrainer has discrete actions from 0 on; got the action space {shown(space)}"
        )
    return int(space.n)


def shown(space: Any) -> str:
    """A space in few words."""
    text = " ".join(str(space).split())
    return text if len(text) <= 80 else f"{text[:77]}..."
