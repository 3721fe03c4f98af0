"""An agent for vector observations: network, optimizer state and normalizer in one object."""

# JAX's own signatures name types that it does not describe.
# pyright: reportUnknownMemberType=false
from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import jax
import jax.numpy as jnp
import numpy as np
from gymnasium.spaces import Box, Discrete

from jimbot.errors import JimbotError
from jimbot.storage.strict_json import read_json, write_json
from jimbot.training.backends.jax.config import PPOConfig, PPOParameters, current_parameter_names
from jimbot.training.backends.jax.networks import PPONetwork, apply_function, initial_parameters
from jimbot.training.backends.jax.ppo import cached_ppo
from jimbot.training.backends.jax.state import from_tree, load_arrays, save_arrays, state_tree

if TYPE_CHECKING:
    from typing import Self, Unpack

    from jax import Array
    from numpy.typing import ArrayLike

    from jimbot.training.backends.jax.ppo import PPO
    from jimbot.training.backends.jax.state import PPOState

__all__ = ["PPOAgent"]


class PPOAgent:
    """A policy and a value function, with everything needed to continue training them.

    Args:
        observation_dim: size of an observation.
        action_dim: number of actions.
        hidden_sizes: widths of the hidden layers of actor and critic.
        seed: decides the initial parameters and everything random in training.
        parameters: hyperparameters; see ``PPOConfig``. A trainer may change them.

    Attributes:
        state: the ``PPOState``.
        ppo: the compiled algorithm.
    """

    def __init__(
        self,
        observation_dim: int,
        action_dim: int,
        *,
        hidden_sizes: tuple[int, ...] = (64, 64),
        seed: int = 0,
        **parameters: Unpack[PPOParameters],
    ) -> None:
        if observation_dim < 1 or action_dim < 1:
            raise JimbotError(
                f"observation_dim and action_dim must be at least 1, got {observation_dim} and {action_dim}"
            )
        self.observation_dim, self.action_dim, self.hidden_sizes = (
            observation_dim,
            action_dim,
            tuple(hidden_sizes),
        )
        self.seed = seed
        self.network = PPONetwork(action_dim, self.hidden_sizes)
        self.config = PPOConfig(**parameters)
        self.ppo: PPO = cached_ppo(apply_function(self.network), self.config)
        example = np.zeros(observation_dim, np.float32)
        params = initial_parameters(self.network, seed, example)
        self.state: PPOState = self.ppo.init(params, jax.random.PRNGKey(seed + 1_000_003), example)

    def configure(self, **parameters: Unpack[PPOParameters]) -> None:
        """Change hyperparameters and keep the state. Only an untrained agent can start or stop normalizing."""
        config = dataclasses.replace(self.config, **parameters)
        if config == self.config:
            return
        self.ppo = cached_ppo(apply_function(self.network), config)
        if config.normalize_observations != self.config.normalize_observations:
            if int(self.state.updates):
                raise JimbotError("normalize_observations cannot change after training; make a new PPOAgent")
            example = np.zeros(self.observation_dim, np.float32)
            new = self.ppo.init(self.state.params, self.state.key, example)
            self.state = self.state._replace(normalizer=new.normalizer)
        if "learning_rate" in parameters:
            self.state = self.state._replace(learning_rate=jnp.asarray(config.learning_rate, jnp.float32))
        self.config = config

    def check_environment(self, env: Any, parameter: str = "env") -> None:
        """Raise if the agent's observations or actions are not those of an environment.

        Args:
            env: has pure functions (``environment``) or Gymnasium's spaces; of any other, nothing is known here.
            parameter: the parameter that gave it, for the message.
        """
        functions = getattr(env, "environment", None)
        if functions is not None:
            size, actions = int(functions.observation_size), int(functions.num_actions)
        elif hasattr(env, "observation_space") and hasattr(env, "action_space"):
            size = vector_size(env.observation_space, parameter)
            actions = action_count(env.action_space, parameter)
        else:
            return
        if (size, actions) != (self.observation_dim, self.action_dim):
            raise JimbotError(
                f"{parameter}: observations of {size} numbers and {actions} actions do not fit the agent, which has "
                f"observation_dim {self.observation_dim} and action_dim {self.action_dim}; make it with "
                f"PPOAgent({size}, {actions})"
            )

    # --- acting --------------------------------------------------------------------------------------------------

    def next_key(self) -> Array:
        """A new random key; the state's own key advances."""
        key, new = jax.random.split(self.state.key)
        self.state = self.state._replace(key=key)
        return new

    def select_action(
        self, observation: ArrayLike, *, deterministic: bool = False
    ) -> tuple[int, float, float]:
        """Action for one observation float[observation_dim], its log probability, and the value."""
        batch = np.asarray(observation, np.float32)[None]
        if batch.shape != (1, self.observation_dim):
            raise JimbotError(
                f"an observation has shape {batch.shape[1:]}, expected ({self.observation_dim},)"
            )
        params, normalizer = self.state.params, self.state.normalizer
        if deterministic:
            choice = self.ppo.act_greedily(params, normalizer, batch)
        else:
            choice = self.ppo.act(params, normalizer, batch, self.next_key())
        return int(choice.actions[0]), float(choice.log_probs[0]), float(choice.values[0])

    # --- saving -------------------------------------------------------------------------------------------------

    def state_tree(self) -> dict[str, Any]:
        """Everything that changes, as nested dictionaries of NumPy arrays."""
        return state_tree(self.state)

    def restore(self, tree: Any) -> None:
        """Continue from a tree of ``state_tree``."""
        self.state = from_tree(tree, self.state)

    def save(self, directory: str | Path) -> Path:
        """Write the agent as ``agent.json`` and ``agent.npz`` into a directory; returns the directory."""
        path = Path(directory)
        path.mkdir(parents=True, exist_ok=True)
        parameters = {name: getattr(self.config, name) for name in PPOParameters.__annotations__}
        shape = {
            "observation_dim": self.observation_dim,
            "action_dim": self.action_dim,
            "hidden_sizes": list(self.hidden_sizes),
            "seed": self.seed,
        }
        save_arrays(path / "agent.npz", self.state_tree())
        write_json(path / "agent.json", {**shape, "parameters": parameters})
        return path

    @classmethod
    def load(cls, directory: str | Path) -> Self:
        """An agent that ``save`` wrote, ready to act and to continue training."""
        path = Path(directory)
        try:
            saved = cast("dict[str, Any]", read_json(path / "agent.json"))
            agent = cls(
                saved["observation_dim"],
                saved["action_dim"],
                hidden_sizes=tuple(saved["hidden_sizes"]),
                seed=saved["seed"],
                **cast("PPOParameters", current_parameter_names(saved["parameters"])),
            )
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise JimbotError(
                f"cannot load an agent from {path}: {error}; expected a directory of save()"
            ) from None
        agent.restore(load_arrays(path / "agent.npz"))
        return agent


def vector_size(space: Any, parameter: str) -> int:
    """The size of an observation, which has to be a vector."""
    if not isinstance(space, Box) or len(space.shape) != 1:
        raise JimbotError(
            f"{parameter}: PPOTrainer takes vector observations, a Box with one axis; got the observation space "
            f"{shorten(space)}. create_trainer with backend jax takes dictionaries and masks"
        )
    return int(space.shape[0])


def action_count(space: Any, parameter: str) -> int:
    """The number of actions, which have to count from 0."""
    if not isinstance(space, Discrete) or int(space.start) != 0:
        raise JimbotError(
            f"{parameter}: PPOTrainer takes discrete actions that count from 0; got the action space {shorten(space)}"
        )
    return int(space.n)


def shorten(space: Any) -> str:
    """A space in at most 80 characters."""
    text = " ".join(str(space).split())
    return text if len(text) <= 80 else f"{text[:77]}..."
