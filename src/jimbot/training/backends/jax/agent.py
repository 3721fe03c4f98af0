"""An agent for observations that are vectors: networks, optimiser state and normaliser in one object."""

# JAX's own signatures name types that it does not describe.
# pyright: reportUnknownMemberType=false
from __future__ import annotations

import dataclasses
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypedDict, cast

import jax
import jax.numpy as jnp
import numpy as np

from jimbot.errors import JimbotError
from jimbot.storage.strict_json import read_json, write_json
from jimbot.training.backends.jax.networks import PPONetwork, apply_function, initial_parameters
from jimbot.training.backends.jax.ppo import PPO
from jimbot.training.backends.jax.tree import from_tree, load_arrays, save_arrays, state_tree
from jimbot.training.backends.jax.types import PPOConfig

if TYPE_CHECKING:
    from typing import Self, Unpack

    from jax import Array
    from numpy.typing import ArrayLike

    from jimbot.training.backends.jax.types import PPOState

__all__ = ["PPOAgent", "PPOParameters"]


class PPOParameters(TypedDict, total=False):
    """The hyperparameters of ``PPOConfig``, which explains them, as keyword arguments."""

    learning_rate: float
    clip_epsilon: float
    gamma: float
    gae_lambda: float
    entropy_coef: float
    value_coef: float
    max_grad_norm: float
    epochs_per_update: int
    minibatch_size: int
    value_clip: float | None
    value_loss_scale: float
    normalise_advantages: bool
    normalise_observations: bool
    target_kl: float | None
    adam_epsilon: float


@lru_cache(maxsize=32)
def shared_ppo(action_dim: int, hidden_sizes: tuple[int, ...], config: PPOConfig) -> PPO:
    """The algorithm for a network and hyperparameters: agents that have both in common share the compiled code."""
    return PPO(apply_function(PPONetwork(action_dim, hidden_sizes)), config)


class PPOAgent:
    """A policy with its value function, and all that is needed to go on training it.

    Args:
        observation_dim: numbers in an observation.
        action_dim: number of actions.
        hidden_sizes: widths of the layers, of actor and critic each.
        seed: decides the first parameters and everything random in training.
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
        self.ppo = shared_ppo(action_dim, self.hidden_sizes, self.config)
        blank = np.zeros(observation_dim, np.float32)
        params = initial_parameters(self.network, seed, blank)
        self.state: PPOState = self.ppo.init(params, jax.random.PRNGKey(seed + 1_000_003), blank)

    def configure(self, **parameters: Unpack[PPOParameters]) -> None:
        """Change hyperparameters; what was learned stays. Only an untrained agent can begin or stop normalising."""
        config = dataclasses.replace(self.config, **parameters)
        if config == self.config:
            return
        if config.normalise_observations != self.config.normalise_observations:
            if int(self.state.updates):
                raise JimbotError("normalise_observations cannot change after training; make a new PPOAgent")
            fresh = shared_ppo(self.action_dim, self.hidden_sizes, config).init(
                self.state.params, self.state.key, np.zeros(self.observation_dim, np.float32)
            )
            self.state = self.state._replace(normaliser=fresh.normaliser)
        if "learning_rate" in parameters:
            self.state = self.state._replace(learning_rate=jnp.asarray(config.learning_rate, jnp.float32))
        self.config = config
        self.ppo = shared_ppo(self.action_dim, self.hidden_sizes, config)

    # --- acting --------------------------------------------------------------------------------------------------

    def next_key(self) -> Array:
        """A fresh random key; the state's own key moves on."""
        key, fresh = jax.random.split(self.state.key)
        self.state = self.state._replace(key=key)
        return fresh

    def select_action(
        self, observation: ArrayLike, *, deterministic: bool = False
    ) -> tuple[int, float, float]:
        """Action for one observation float[observation_dim], its log probability, and the value."""
        batch = np.asarray(observation, np.float32)[None]
        if batch.shape != (1, self.observation_dim):
            raise JimbotError(
                f"an observation has shape {batch.shape[1:]}, expected ({self.observation_dim},)"
            )
        params, statistics = self.state.params, self.state.normaliser
        if deterministic:
            choice = self.ppo.act_greedily(params, statistics, batch)
        else:
            choice = self.ppo.act(params, statistics, batch, self.next_key())
        return int(choice.actions[0]), float(choice.log_probs[0]), float(choice.values[0])

    # --- keeping -------------------------------------------------------------------------------------------------

    def state_tree(self) -> dict[str, Any]:
        """Everything that changes, as nested dictionaries of NumPy arrays."""
        return state_tree(self.state)

    def restore(self, tree: Any) -> None:
        """Go on from a tree of ``state_tree``."""
        self.state = from_tree(tree, self.state)

    def save(self, directory: str | Path) -> Path:
        """Write the agent as ``agent.json`` and ``agent.npz`` into a directory; returns the directory."""
        place = Path(directory)
        place.mkdir(parents=True, exist_ok=True)
        parameters = {name: getattr(self.config, name) for name in PPOParameters.__annotations__}
        shape = {
            "observation_dim": self.observation_dim,
            "action_dim": self.action_dim,
            "hidden_sizes": list(self.hidden_sizes),
            "seed": self.seed,
        }
        save_arrays(place / "agent.npz", self.state_tree())
        write_json(place / "agent.json", {**shape, "parameters": parameters})
        return place

    @classmethod
    def load(cls, directory: str | Path) -> Self:
        """An agent that ``save`` wrote: ready to act, and to be trained on."""
        place = Path(directory)
        try:
            described = cast("dict[str, Any]", read_json(place / "agent.json"))
            agent = cls(
                described["observation_dim"],
                described["action_dim"],
                hidden_sizes=tuple(described["hidden_sizes"]),
                seed=described["seed"],
                **described["parameters"],
            )
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise JimbotError(
                f"cannot load an agent from {place}: {error}; expected a directory of save()"
            ) from None
        agent.restore(load_arrays(place / "agent.npz"))
        return agent
