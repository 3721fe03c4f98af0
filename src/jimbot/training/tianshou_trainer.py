"""Trainers on Tianshou 2: PPO, A2C and DQN, all with action masks, all resumable bit for bit.

The library's own ``update`` does the learning, on its own replay buffer. What is ours is the stepping of environments
(many at once, arrays in and out), the network, and the state that a checkpoint needs.
"""

# The library and torch are partly untyped.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, ClassVar, cast

import numpy as np

from jimbot.errors import require
from jimbot.training.backends.tianshou.arguments import TianshouOptions, library_arguments
from jimbot.training.backends.tianshou.network_choice import NETWORKS, find_network
from jimbot.training.config.trainer_config import ConfigError, TrainerConfig
from jimbot.training.envs.packing import Packing
from jimbot.training.framework import Capabilities, Iteration, RLTrainer, seed_everything

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from jimbot.networks import NetworkSpec
    from jimbot.training.backends.tianshou.network_choice import NetworkChoice
    from jimbot.training.envs.evaluation import BatchPolicy

__all__ = ["TianshouTrainer"]


class TianshouTrainer(RLTrainer):
    """PPO, A2C and DQN of Tianshou 2."""

    capabilities: ClassVar[Capabilities] = Capabilities(
        algorithms=("PPO", "A2C", "DQN"),
        extra="tianshou",
        options=TianshouOptions,
        networks=tuple(NETWORKS),
        actions={},
    )
    tells_phases: ClassVar[bool] = True

    @classmethod
    def translate(cls, config: TrainerConfig) -> dict[str, Any]:
        """The library's own arguments, by what receives them; see ``library_arguments``."""
        return library_arguments(config)

    # --- the model ------------------------------------------------------------------------------------------------

    def create_model(self) -> Any:
        """The library's algorithm with our network, and its buffer."""
        require("tianshou", "tianshou")
        torch = cast("Any", require("torch", "tianshou"))
        from jimbot.training.backends.tianshou.buffer import create_buffer
        from jimbot.training.backends.torch.state import torch_device

        device = torch_device(self.arguments["device"])
        torch.set_num_threads(self.config.threads)
        seed_everything(self.config.seed)
        self.packing = Packing(self.vector.observation_space)
        vector, chosen = self.vector, self._network_choice
        self.network = chosen.create(vector.observation_space, vector.action_space, self.config).to(device)
        self.total_timesteps = self.config.total_timesteps
        self.updates = 0
        collect = self.arguments["collect"]
        steps = collect["steps"]
        if self.config.algorithm == "DQN":
            steps = -(-collect["buffer_size"] // self.vector.num_envs)
        self.buffer = create_buffer(self.packing, self.vector.num_envs, steps)
        algorithm = (
            self._create_q_learning() if self.config.algorithm == "DQN" else self._create_actor_critic()
        )
        seed_everything(self.config.seed)
        return algorithm

    @property
    def _network_choice(self) -> NetworkChoice:
        return find_network(self.arguments["network"])

    def _optimizer(self) -> Any:
        import torch
        from tianshou.algorithm.optim import TorchOptimizerFactory

        named = dict(self.arguments["optimizer"])
        kind: Any = getattr(torch.optim, named.pop("name"))
        return TorchOptimizerFactory(kind, **named)

    def _create_actor_critic(self) -> Any:
        from tianshou.algorithm.modelfree.a2c import A2C
        from tianshou.algorithm.modelfree.ppo import PPO
        from tianshou.algorithm.modelfree.reinforce import DiscreteActorPolicy

        from jimbot.networks import MaskedCategorical
        from jimbot.training.backends.tianshou.networks import ActorNetwork, CriticNetwork

        policy = DiscreteActorPolicy(
            actor=cast("Any", ActorNetwork(self.network, self.packing)),
            dist_fn=cast("Any", MaskedCategorical),
            action_space=self.vector.action_space,
        )
        kind: Any = PPO if self.config.algorithm == "PPO" else A2C
        critic = CriticNetwork(self.network, self.packing)
        return kind(policy=policy, critic=critic, optim=self._optimizer(), **self.arguments["algorithm"])

    def _create_q_learning(self) -> Any:
        from jimbot.training.backends.tianshou.networks import ActorNetwork, MaskedDQN, MaskedQPolicy

        policy = MaskedQPolicy(
            model=ActorNetwork(self.network, self.packing), action_space=self.vector.action_space
        )
        return MaskedDQN(policy=policy, optim=self._optimizer(), **self.arguments["algorithm"])

    def network_spec(self) -> NetworkSpec:
        """The network of the policy file."""
        return self._network_choice.spec(self.vector.observation_space, self.vector.action_space, self.config)

    # --- training -------------------------------------------------------------------------------------------------

    def begin(self, total_timesteps: int, callback: Any) -> None:
        """Set the schedules' last step."""
        if callback is not None:
            raise ConfigError(
                f"callback: Tianshou has no callbacks, got {type(callback).__name__}; give a function of the metrics"
            )
        self.total_timesteps = total_timesteps
        cast("Any", require("torch", "tianshou")).set_num_threads(
            self.config.threads
        )  # a loaded policy sets one

    def iterate(self) -> Iteration:
        """Steps of every environment into the library's buffer, then its update."""
        from tianshou.utils.torch_utils import policy_within_training_step

        started = time.perf_counter()
        with policy_within_training_step(self.model.policy):
            steps = self._rollout_steps()
            env, metrics = self._collect()
            collected = time.perf_counter()
            self.enter_phase("learning")
            if steps * self.vector.num_envs > 1:  # advantages of one step cannot be normalized
                metrics |= self._learn()
        learn = time.perf_counter() - collected
        return Iteration(
            steps * self.vector.num_envs,
            metrics,
            {"env": env, "policy": collected - started - env, "learn": learn},
        )

    def update_timesteps(self) -> int:
        """Steps of every environment before an update."""
        return self.arguments["collect"]["steps"] * self.vector.num_envs

    def timestep_unit(self) -> int:
        """One step of every environment: the last update is cut short."""
        return self.vector.num_envs

    def _rollout_steps(self) -> int:
        left = (self.total_timesteps - self.timesteps) // self.vector.num_envs
        return min(self.arguments["collect"]["steps"], max(1, left))

    def _collect(self) -> tuple[float, dict[str, float]]:
        """Fill the buffer with steps of every environment; returns their seconds, and exploration metrics."""
        from tianshou.data import Batch

        metrics: dict[str, float] = {}
        seen = self.vector.observation()
        blocks = self.packed(self.vector.reset() if seen is None else seen)
        env = 0.0
        for number in range(self._rollout_steps()):
            if self.config.algorithm == "DQN":
                taken = self.timesteps + number * self.vector.num_envs
                metrics["rollout/exploration_rate"] = self.model.policy.eps_training = self.exploration(taken)
            actions = self._choose(blocks)
            started = time.perf_counter()
            step = self.vector.step(actions)
            env += time.perf_counter() - started
            following = self.packed(step.observation)
            ended = step.terminated | step.truncated
            last = following
            if ended.any():
                last = {block: array.copy() for block, array in following.items()}
                final = self.packed(step.final)
                for block, array in last.items():
                    array[ended] = final[block][ended]
            content: dict[str, Any] = {
                "obs": Batch(blocks),
                "act": actions,
                "rew": step.rewards.astype(np.float64),
                # The library takes termination and truncation as exclusive, and bootstraps from truncation only.
                "terminated": step.terminated.copy(),
                "truncated": step.truncated & ~step.terminated,
                "obs_next": Batch(last),
            }
            self.buffer.add(cast("Any", Batch(content)))
            blocks = following
        return env, metrics

    def packed(self, observation: Any) -> dict[str, NDArray[Any]]:
        """Observations packed into new arrays: the buffer and the next step must not share them."""
        blocks = self.packing.empty(self.vector.num_envs)
        self.packing.pack(observation, blocks)
        return blocks

    def _choose(self, blocks: dict[str, NDArray[Any]]) -> NDArray[np.int64]:
        import torch
        from tianshou.data import Batch

        batch: Any = Batch(obs=Batch(blocks), info=Batch())
        with torch.no_grad():
            actions = self.model.policy(batch).act
        if isinstance(actions, torch.Tensor):
            actions = actions.cpu().numpy()
        return np.asarray(self.model.policy.add_exploration_noise(actions, batch), np.int64)

    def exploration(self, taken: int) -> float:
        """DQN's probability of a random legal action at a timestep; 1 until learning starts."""
        collect = self.arguments["collect"]
        if taken < collect["learning_starts"]:
            return 1.0
        first, last, share = collect["exploration"]
        if share == 0.0:
            return last
        return first + (last - first) * min(1.0, taken / self.total_timesteps / share)

    def _learn(self) -> dict[str, float]:
        return self._learn_values() if self.config.algorithm == "DQN" else self._learn_policy()

    def _learn_policy(self) -> dict[str, float]:
        model = self.model
        found = model.update(self.buffer, **self.arguments["update"])
        self.buffer.reset(keep_statistics=True)
        self.updates += int(found.gradient_steps)
        return {
            "train/loss": found.loss.mean,
            "train/policy_gradient_loss": found.actor_loss.mean,
            "train/value_loss": found.vf_loss.mean,
            "train/entropy_loss": -found.ent_loss.mean,
            "train/learning_rate": self.arguments["optimizer"]["lr"],
            "train/n_updates": float(self.updates),
        }

    def _learn_values(self) -> dict[str, float]:
        collect = self.arguments["collect"]
        after = self.timesteps + collect["steps"] * self.vector.num_envs
        if after <= collect["learning_starts"] or not collect["updates"]:
            return {}
        losses = [
            float(self.model.update(self.buffer, **self.arguments["update"]).loss)
            for _ in range(collect["updates"])
        ]
        self.updates += len(losses)
        return {
            "train/loss": sum(losses) / len(losses),
            "train/learning_rate": self.arguments["optimizer"]["lr"],
            "train/n_updates": float(self.updates),
        }

    # --- choosing -------------------------------------------------------------------------------------------------

    def policy(self, *, deterministic: bool = True) -> BatchPolicy:
        """A policy of the current network; observations are normalized by the current statistics."""
        from jimbot.networks.torch.batch_policy import torch_policy

        _ = self.model
        return torch_policy(self.network, self.vector.normalizer, deterministic=deterministic)

    def policy_tensors(self) -> dict[str, NDArray[Any]]:
        """The parameters of the policy file's network."""
        _ = self.model
        return self._network_choice.tensors(self.network)

    def load_policy_tensors(self, tensors: Mapping[str, Any]) -> None:
        """Set the parameters of the network and, for DQN, of the target network."""
        from jimbot.training.backends.torch.state import restore_parameters

        _ = self.model
        self._network_choice.load(self.network, tensors)
        if self.config.algorithm == "DQN":
            restore_parameters(self.model.model_old.module.network, tensors)

    # --- checkpoints ----------------------------------------------------------------------------------------------

    def training_state(self) -> dict[str, Any]:
        """Parameters, optimizer, counters, running statistics of returns, and DQN's target network and buffer."""
        from jimbot.training.backends.tianshou.buffer import buffer_state
        from jimbot.training.backends.torch.state import optimizer_state, parameter_arrays

        model = self.model
        state: dict[str, Any] = {
            "network": parameter_arrays(self.network.state_dict()),
            "optimiser": optimizer_state(model.optim._optim),  # noqa: SLF001
            "updates": self.updates,
        }
        if self.config.algorithm == "DQN":
            state["target"] = parameter_arrays(model.model_old.module.network.state_dict())
            state["iterations"] = model._iter  # noqa: SLF001
            state["buffer"] = buffer_state(self.buffer)
        else:
            moments = model.ret_rms
            state["returns"] = [float(moments.mean), float(moments.var), int(moments.count)]
        return state

    def restore_training_state(self, state: Mapping[str, Any]) -> None:
        """Restore a training state."""
        from jimbot.training.backends.tianshou.buffer import restore_buffer
        from jimbot.training.backends.torch.state import restore_optimizer_state, restore_parameters

        model = self.model
        restore_parameters(self.network, state["network"])
        restore_optimizer_state(model.optim._optim, state["optimiser"])  # noqa: SLF001
        self.updates = int(state["updates"])
        if self.config.algorithm == "DQN":
            restore_parameters(model.model_old.module.network, state["target"])
            model._iter = int(state["iterations"])  # noqa: SLF001
            restore_buffer(self.buffer, state["buffer"])
        else:
            moments = model.ret_rms
            moments.mean, moments.var, moments.count = state["returns"]
