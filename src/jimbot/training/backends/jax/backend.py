"""JAX behind the framework: PPO compiled as a whole, masked, resumable bit for bit.

An environment that is written in JAX is compiled together with the training. All others (Balatro's native vector, any
Gymnasium environment) are stepped from Python, all at once, into arrays that the same compiled update learns from.
"""

# JAX's own signatures name types that it does not describe.
# pyright: reportUnknownMemberType=false
from __future__ import annotations

import os
import time
from contextlib import AbstractContextManager, nullcontext
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, cast

import numpy as np

from jimbot.errors import require
from jimbot.training.backends.jax.arguments import COMPILED, JaxOptions, translate_config
from jimbot.training.config.network_choice import configured_spec
from jimbot.training.config.trainer_config import ConfigError, TrainerConfig
from jimbot.training.envs.creation import ALIASES
from jimbot.training.envs.packing import Packing
from jimbot.training.framework import Capabilities, Iteration, RLTrainer, seed_everything

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from jimbot.networks import NetworkSpec
    from jimbot.training.backends.jax import PPOState
    from jimbot.training.envs.evaluation import BatchPolicy

__all__ = ["JaxTrainer"]

METRICS = {
    "loss": "train/loss",
    "policy_loss": "train/policy_gradient_loss",
    "value_loss": "train/value_loss",
    "approx_kl": "train/approx_kl",
    "clip_fraction": "train/clip_fraction",
    "gradient_norm": "train/gradient_norm",
    "explained_variance": "train/explained_variance",
    "learning_rate": "train/learning_rate",
}
"""Metrics of an update, and their names in the files that every backend writes."""
THREADS = "PJRT_NPROC"
"""The environment variable from which XLA takes its number of threads when a process first uses it."""


class JaxTrainer(RLTrainer):
    """PPO in JAX."""

    capabilities: ClassVar[Capabilities] = Capabilities(
        algorithms=("PPO",),
        extra="jax",
        options=JaxOptions,
        compiled_environments=COMPILED,
        compiles=True,
        actions={},
    )

    def __init__(self, env: Any = None, config: TrainerConfig | None = None) -> None:
        super().__init__(env, config)
        known = ALIASES.get(self.config.env, self.config.env)
        own = env is None or (isinstance(env, str) and ALIASES.get(env, env) == known)
        self.compiled = own and self.arguments["environments"] == "compiled"

    @classmethod
    def translate(cls, config: TrainerConfig) -> dict[str, Any]:
        """The arguments of the algorithm and of the loop around it; see ``translate_config``."""
        return translate_config(config)

    # --- the model ------------------------------------------------------------------------------------------------

    def create_model(self) -> PPOState:
        """The state of training; the compiled algorithm is ``self.ppo``."""
        import jax

        from jimbot.networks import create_flax_network, initialize_tensors, to_flax
        from jimbot.training.backends.jax import PPOConfig, VectorCollector, apply_function
        from jimbot.training.backends.jax.ppo import cached_ppo
        from jimbot.training.backends.jax.rollout_compiled import CompiledRollout

        seed_everything(self.config.seed)
        spec, vector = self.network_spec(), self.vector
        config = PPOConfig(**self.arguments["ppo"])
        steps = self.arguments["rollout_steps"]
        with self.on_device():
            self.packing = None if self.compiled else Packing(vector.observation_space)
            self.ppo = cached_ppo(apply_function(create_flax_network(spec), self.packing), config)
            if self.packing is None:
                normalize, scale = self.config.normalize_obs, self.config.normalize_reward
                self.rollout = CompiledRollout(
                    self.ppo, vector.environment, vector.num_envs, steps, normalize, scale
                )
                example: Any = np.zeros(vector.observation_space.shape, np.float32)
            else:
                self.collector = VectorCollector(self.ppo, vector, steps, layout=self.packing)
                example = {name: block[0] for name, block in self.packing.empty(1).items()}
            params = to_flax(initialize_tensors(spec, self.config.seed))
            return self.ppo.init(params, jax.random.PRNGKey(self.config.seed), example)

    def on_device(self) -> AbstractContextManager[Any]:
        """A context in which JAX computes on the device of the configuration."""
        for library in ("jax", "flax", "optax"):
            require(library, "jax")
        os.environ.setdefault(THREADS, str(self.arguments["threads"]))
        import jax

        name = self.arguments["device"]
        if name == "auto":
            return nullcontext()
        try:
            device = cast("Any", jax.devices)("gpu" if name.startswith("cuda") else name)[0]
        except RuntimeError as error:
            raise ConfigError(f"device: JAX has no {name!r}: {error}; auto takes what is available") from None
        return jax.default_device(device)

    @property
    def vector(self) -> Any:
        """The environments, created when they are first needed."""
        if not self.compiled:
            return super().vector
        if self._vector is None:
            with self.on_device():
                from jimbot.training.backends.jax.compiled_vector import CompiledVector

                known = ALIASES.get(self.config.env, self.config.env)
                module, _, name = COMPILED[known].partition(":")
                environment = getattr(import_module(module), name)()
                self._vector = cast(
                    "Any", CompiledVector(environment, self.environments.creator(), self.config)
                )
        return self._vector

    def network_spec(self) -> NetworkSpec:
        """The network the configuration asks for, on the environment's spaces."""
        return configured_spec(self.vector.observation_space, self.vector.action_space, self.config)

    # --- training -------------------------------------------------------------------------------------------------

    def begin(self, total_timesteps: int, callback: Any) -> None:
        """Nothing to prepare: what changes over time is in the state."""
        del total_timesteps
        if callback is not None:
            raise ConfigError(
                f"callback: JAX has no callbacks, got {type(callback).__name__}; give a function of the metrics"
            )

    def update_timesteps(self) -> int:
        """Steps of a rollout, which is compiled for this number."""
        return self.arguments["rollout_steps"] * self.vector.num_envs

    def iterate(self) -> Iteration:
        """One rollout and one update."""
        with self.on_device():
            metrics, seconds = self._iterate_compiled() if self.compiled else self._iterate_vector()
        found = {METRICS[name]: float(metrics[name]) for name in METRICS}
        found["train/entropy_loss"] = -float(metrics["entropy"])
        found["train/n_updates"] = float(self._model.updates)
        return Iteration(self.update_timesteps(), found, seconds)

    def _iterate_compiled(self) -> tuple[dict[str, Any], dict[str, float]]:
        import jax

        from jimbot.training.backends.jax.rollout_compiled import train_step

        started = time.perf_counter()
        vector = self.vector
        self._model, vector.envs, metrics, episodes, truncated = train_step(
            self.rollout, self.model, vector.envs
        )
        metrics = jax.device_get(metrics)
        vector.take_episodes(episodes, truncated)
        return metrics, {"learn": time.perf_counter() - started}

    def _iterate_vector(self) -> tuple[dict[str, Any], dict[str, float]]:
        import jax

        started, env = time.perf_counter(), self.collector.env_seconds
        state, rollout = self.collector.collect(self.model)
        collected = time.perf_counter()
        self._model, metrics = self.ppo.update(state, rollout)
        metrics = jax.device_get(metrics)
        env = self.collector.env_seconds - env
        learn = time.perf_counter() - collected
        return metrics, {"env": env, "policy": collected - started - env, "learn": learn}

    # --- acting ---------------------------------------------------------------------------------------------------

    def policy(self, *, deterministic: bool = True) -> BatchPolicy:
        """Actions of the current network; observations go through the current normalizer."""
        import jax

        state, ppo, normalizer = self.model, self.ppo, self.vector.normalizer
        largest = 0

        def choose(observation: Any) -> NDArray[np.int64]:
            nonlocal largest
            batch = observation if normalizer is None else normalizer.normalize(observation)
            batch = batch if self.packing is None else pack(self.packing, batch)
            rows = count_rows(batch)
            largest = max(largest, rows)
            # An evaluation asks for fewer and fewer rows; each number of rows would be compiled on its own.
            batch = pad_rows(batch, largest)
            with self.on_device():
                if deterministic:
                    choice = ppo.act_greedily(state.params, state.normalizer, batch)
                else:
                    seed = int(np.random.randint(2**31))  # noqa: NPY002  the generator that checkpoints save
                    choice = ppo.act(state.params, state.normalizer, batch, jax.random.PRNGKey(seed))
            return np.asarray(choice.actions, np.int64)[:rows]

        return choose

    def policy_tensors(self) -> dict[str, NDArray[Any]]:
        """The network's parameters, by the names of the policy file."""
        from jimbot.networks import from_flax

        return cast("dict[str, NDArray[Any]]", from_flax(self.model.params))

    def load_policy_tensors(self, tensors: Mapping[str, Any]) -> None:
        """Set the network's parameters and reset Adam."""
        from jimbot.networks import to_flax
        from jimbot.training.backends.jax.optimizer import init_adam

        state = self.model
        with self.on_device():
            params = to_flax(tensors)
            self._model = state._replace(params=params, optimizer=init_adam(params))

    # --- checkpoints ----------------------------------------------------------------------------------------------

    def training_state(self) -> dict[str, Any]:
        """Parameters, Adam, the random key and the counters."""
        from jimbot.training.backends.jax import state_tree

        return state_tree(self.model)

    def restore_training_state(self, state: Mapping[str, Any]) -> None:
        """Go back to a training state."""
        from jimbot.training.backends.jax import from_tree

        with self.on_device():
            self._model = from_tree(dict(state), self.model)


def pack(packing: Packing, observation: Any) -> dict[str, NDArray[Any]]:
    """Observations in new blocks."""
    blocks = packing.empty(count_rows(observation))
    packing.pack(observation, blocks)
    return blocks


def count_rows(observation: Any) -> int:
    """The number of observations in a batch."""
    if isinstance(observation, dict):
        return len(next(iter(cast("dict[str, Any]", observation).values())))
    return len(observation)


def pad_rows(observation: Any, rows: int) -> Any:
    """A batch with its first observation appended until it has ``rows`` rows."""
    if isinstance(observation, dict):
        return {name: pad_rows(part, rows) for name, part in cast("dict[str, Any]", observation).items()}
    part = np.asarray(observation)
    if len(part) == rows:
        return part
    return np.concatenate([part, np.repeat(part[:1], rows - len(part), axis=0)])
