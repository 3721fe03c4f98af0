"""Trainers on Stable-Baselines3: PPO, A2C and DQN, all with action masks, all resumable bit for bit.

The library's own ``collect_rollouts`` and ``train`` do the work; what is ours is the environments, the network, and the
state that a checkpoint needs.
"""

# The library and torch are partly untyped.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, ClassVar, cast

import numpy as np

from jimbot.errors import require
from jimbot.training.config.network_choice import configured_spec
from jimbot.training.config.trainer_config import (
    A2COptions,
    ConfigError,
    DQNOptions,
    PPOOptions,
    TrainerConfig,
)
from jimbot.training.envs.packing import Packing
from jimbot.training.framework import Capabilities, Iteration, RLTrainer, seed_everything

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from jimbot.networks import NetworkSpec
    from jimbot.training.backends.sb3.callbacks import BalatroMetricsCallback
    from jimbot.training.backends.sb3.policies import BalatroFeaturesExtractor
    from jimbot.training.envs.evaluation import BatchPolicy

__all__ = ["BalatroFeaturesExtractor", "BalatroMetricsCallback", "SB3Trainer"]

ON_POLICY_COUNTERS = ("_n_updates", "_current_progress_remaining")
EVERY_KIND = ("Discrete", "MultiDiscrete", "MultiBinary", "Box", "unbounded Box")
CONTINUOUS = ("SAC", "TD3")
OFF_POLICY_COUNTERS = (*ON_POLICY_COUNTERS, "_n_calls", "_episode_num", "exploration_rate")


def __getattr__(name: str) -> Any:
    if name == "BalatroFeaturesExtractor":
        require("stable_baselines3", "sb3")
        from jimbot.training.backends.sb3.policies import BalatroFeaturesExtractor

        return BalatroFeaturesExtractor
    if name == "BalatroMetricsCallback":
        require("stable_baselines3", "sb3")
        from jimbot.training.backends.sb3.callbacks import BalatroMetricsCallback

        return BalatroMetricsCallback
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


class SB3Trainer(RLTrainer):
    """PPO, A2C and DQN of Stable-Baselines3, and SAC and TD3 for continuous actions."""

    capabilities: ClassVar[Capabilities] = Capabilities(
        algorithms=("PPO", "A2C", "DQN", *CONTINUOUS),
        extra="sb3",
        actions={"PPO": EVERY_KIND, "A2C": EVERY_KIND, "SAC": ("Box",), "TD3": ("Box",)},
    )
    tells_phases: ClassVar[bool] = True

    @classmethod
    def translate(cls, config: TrainerConfig) -> dict[str, Any]:
        """The keyword arguments of the library's algorithm, without policy and environment."""
        for name in config.backend_options:
            raise ConfigError(
                f"backend_options.{name}: there is no such field; this backend has no options, leave it out"
            )
        common = config.hyperparams
        options = config.options()
        arguments: dict[str, Any] = {
            "learning_rate": common.learning_rate,
            "gamma": common.gamma,
            "max_grad_norm": common.max_grad_norm,
            "device": config.device,
        }
        if isinstance(options, (PPOOptions, A2COptions)):
            arguments |= {
                "gae_lambda": common.gae_lambda,
                "ent_coef": common.entropy_coefficient,
                "vf_coef": common.value_function_coefficient,
            }
        if isinstance(options, DQNOptions):
            arguments["train_freq"] = (options.train_freq, "step")
            arguments["target_update_interval"] = options.target_update_interval
        own = options.model_dump() if options is not None else {}
        if config.algorithm in CONTINUOUS:
            del arguments["max_grad_norm"]
            own["train_freq"] = (own["train_freq"], "step")
        if config.algorithm == "SAC":
            temperature = own.pop("temperature")
            own["ent_coef"] = "auto" if temperature is None else temperature
        return {**own, **arguments}

    def create_model(self) -> Any:
        """The library's algorithm on our environments with our network."""
        require("stable_baselines3", "sb3")
        torch = cast("Any", require("torch", "sb3"))
        from stable_baselines3 import A2C
        from stable_baselines3.common.logger import Logger

        from jimbot.training.backends.sb3.policies import MaskedActorCriticPolicy, MaskedDQN, MaskedDQNPolicy
        from jimbot.training.backends.sb3.ppo import NativePPO
        from jimbot.training.backends.sb3.vector import SB3Vector, TensorRolloutBuffer
        from jimbot.training.backends.torch.state import torch_device

        device = torch_device(self.arguments["device"])  # the library would take the processor without a word
        torch.set_num_threads(self.config.threads)
        seed_everything(self.config.seed)
        algorithms: dict[str, tuple[Any, Any]] = {
            "PPO": (NativePPO, MaskedActorCriticPolicy),
            "A2C": (A2C, MaskedActorCriticPolicy),
            "DQN": (MaskedDQN, MaskedDQNPolicy),
        }
        self.packing = Packing(self.vector.observation_space)
        self.adapter = SB3Vector(self.vector)
        if self.config.algorithm in CONTINUOUS:
            return self._create_continuous(device)
        algorithm, policy = algorithms[self.config.algorithm]
        network: dict[str, Any] = {"spec": self.network_spec(), "packing": self.packing}
        own: dict[str, Any] = {}
        if self.config.algorithm != "DQN":
            own["rollout_buffer_class"] = TensorRolloutBuffer
            if torch.device(device).type == "cpu":
                network["native_threads"] = self.config.threads
        model = algorithm(
            policy,
            self.adapter,
            policy_kwargs=network,
            **own,
            **{**self.arguments, "device": device},
        )
        model.set_logger(Logger(folder=None, output_formats=[]))
        self._set_threads(model)
        return model

    def _create_continuous(self, device: str) -> Any:
        from stable_baselines3.common.logger import Logger

        from jimbot.training.backends.sb3.continuous import create_continuous_model

        model = create_continuous_model(
            self.config.algorithm,
            self.adapter,
            self.network_spec(),
            self.packing,
            list(self.config.hyperparams.value_net_arch),
            {**self.arguments, "device": device},
        )
        model.set_logger(Logger(folder=None, output_formats=[]))
        return model

    def _set_threads(self, model: Any) -> None:
        """Torch's threads while training; a policy that was loaded in between may have changed them."""
        import torch

        # Where the engine computes, little work is left to torch, and its threads would compete.
        native = getattr(model.policy, "native", None)
        torch.set_num_threads(1 if native is not None else self.config.threads)

    def network_spec(self) -> NetworkSpec:
        """The configuration's network for the environment's spaces; of SAC and TD3 the actor's."""
        spec = configured_spec(self.vector.observation_space, self.vector.action_space, self.config)
        if self.config.algorithm not in CONTINUOUS:
            return spec
        from jimbot.training.backends.sb3.continuous import actor_spec

        return actor_spec(spec)

    @property
    def _off_policy(self) -> bool:
        return self.config.algorithm not in ("PPO", "A2C")

    @property
    def network(self) -> Any:
        """The torch network that is trained."""
        policy = self.model.policy
        return policy.q_net.network if self.config.algorithm == "DQN" else policy.network

    # --- training -------------------------------------------------------------------------------------------------

    def begin(self, total_timesteps: int, callback: Any) -> None:
        """Set up the library's training loop without starting it."""
        from stable_baselines3.common.callbacks import CallbackList

        model = self.model
        self._set_threads(model)
        remembered = model._current_progress_remaining, model.__dict__.get("exploration_rate")  # noqa: SLF001
        model.num_timesteps = self.timesteps
        kept = model._last_obs, model._last_episode_starts  # noqa: SLF001
        _, self._callback = model._setup_learn(  # noqa: SLF001
            total_timesteps - self.timesteps,
            CallbackList([]) if callback is None else callback,
            False,
            "run",
            False,
        )
        model._total_timesteps = self._goal = total_timesteps  # noqa: SLF001
        model._num_timesteps_at_start = 0  # noqa: SLF001
        if kept[0] is not None:
            model._last_obs, model._last_episode_starts = kept  # noqa: SLF001
        model._current_progress_remaining = remembered[0]  # noqa: SLF001
        if remembered[1] is not None:
            model.exploration_rate = remembered[1]
        self._callback.on_training_start(locals(), globals())

    def iterate(self) -> Iteration:
        """The library's rollout, then its update."""
        model = self.model
        before, env_before, started = model.num_timesteps, self.adapter.seconds, time.perf_counter()
        going_on = self._collect()
        collected = time.perf_counter()
        if going_on:
            self.enter_phase("learning")
            self._learn()
        ended = time.perf_counter()
        if not going_on and self.session is not None:
            self.session.ask_to_stop("stopped by the callback")
        env = self.adapter.seconds - env_before
        metrics = {
            name: float(value)
            for name, value in model.logger.name_to_value.items()
            if name.startswith(("train/", "rollout/exploration"))
        }
        model.logger.dump(model.num_timesteps)
        seconds = {"env": env, "policy": collected - started - env, "learn": ended - collected}
        return Iteration(model.num_timesteps - before, metrics, seconds)

    def update_timesteps(self) -> int:
        """Steps of every environment before an update."""
        options = self.arguments
        steps = options["train_freq"][0] if self._off_policy else options["n_steps"]
        return steps * self.vector.num_envs

    def timestep_unit(self) -> int:
        """One step of every environment: the last update is cut short."""
        return self.vector.num_envs

    def _collect(self) -> bool:
        model = self.model
        left = max(1, (self._goal - model.num_timesteps) // model.n_envs)
        if self._off_policy:
            frequency = model.train_freq
            rollout = model.collect_rollouts(
                model.env,
                train_freq=frequency._replace(frequency=min(frequency.frequency, left)),
                action_noise=model.action_noise,
                callback=self._callback,
                learning_starts=model.learning_starts,
                replay_buffer=model.replay_buffer,
                log_interval=None,
            )
            return bool(rollout.continue_training)
        steps = model.rollout_buffer.buffer_size = min(
            model.n_steps, left
        )  # the library makes its arrays anew
        return bool(model.collect_rollouts(model.env, self._callback, model.rollout_buffer, steps))

    def _learn(self) -> None:
        model = self.model
        if not self._off_policy:
            model._update_current_progress_remaining(model.num_timesteps, model._total_timesteps)  # noqa: SLF001
            # Advantages of a single step cannot be normalized.
            if model.rollout_buffer.buffer_size * model.n_envs > 1:
                model.train()
        elif model.num_timesteps > model.learning_starts:
            steps = model.gradient_steps
            steps = steps if steps >= 0 else int(model.train_freq.frequency) * model.n_envs
            if steps > 0:
                model.train(batch_size=model.batch_size, gradient_steps=steps)

    # --- choosing -------------------------------------------------------------------------------------------------

    def policy(self, *, deterministic: bool = True) -> BatchPolicy:
        """A policy of the current network; observations are normalized by the current statistics."""
        if self.config.algorithm in CONTINUOUS:
            from jimbot.training.backends.sb3.continuous import continuous_policy

            return continuous_policy(
                self.model, self.packing, self.vector.normalizer, deterministic=deterministic
            )
        from jimbot.networks.torch.batch_policy import torch_policy

        return torch_policy(self.network, self.vector.normalizer, deterministic=deterministic)

    def policy_tensors(self) -> dict[str, NDArray[Any]]:
        """The network's parameters."""
        if self.config.algorithm in CONTINUOUS:
            from jimbot.training.backends.sb3.continuous import actor_tensors

            return actor_tensors(self.model, self.network_spec())
        from jimbot.networks import get_tensors

        return get_tensors(self.network)

    def load_policy_tensors(self, tensors: Mapping[str, Any]) -> None:
        """Set the parameters of the network and, for DQN, of the target network."""
        if self.config.algorithm in CONTINUOUS:
            from jimbot.training.backends.sb3.continuous import load_actor

            load_actor(self.model, self.network_spec(), tensors)
            return
        import torch

        state = {name: torch.from_numpy(np.array(array)) for name, array in tensors.items()}
        self.network.load_state_dict(state)
        if self.config.algorithm == "DQN":
            self.model.q_net_target.network.load_state_dict(state)

    # --- checkpoints ----------------------------------------------------------------------------------------------

    def training_state(self) -> dict[str, Any]:
        """Parameters, optimizer, counters, and DQN's target network and replay buffer."""
        if self.config.algorithm in CONTINUOUS:
            from jimbot.training.backends.sb3.continuous import continuous_state

            return continuous_state(self.model)
        from jimbot.training.backends.sb3.state import model_state

        names = OFF_POLICY_COUNTERS if self.config.algorithm == "DQN" else ON_POLICY_COUNTERS
        return model_state(self.model, names)

    def restore_training_state(self, state: Mapping[str, Any]) -> None:
        """Restore a training state."""
        from jimbot.training.backends.sb3.state import restore_model_state

        if self.config.algorithm in CONTINUOUS:
            from jimbot.training.backends.sb3.continuous import restore_continuous_state

            restore_continuous_state(self.model, state)
        else:
            restore_model_state(self.model, state)
        self.model.num_timesteps = self.timesteps

    def export_zip(self, path: str | Path) -> Path:
        """Write an archive of the library's own format, for use outside jimbot. Loading one executes code from it."""
        from jimbot.training.backends.sb3.archive import export_archive

        return export_archive(self, path)
