"""Trainers on RLlib: PPO, APPO, IMPALA and DQN on Ray, on one machine or many, all with action masks.

RLlib's own ``training_step`` does the work. What is ours is the runners that play (many environments at once, arrays
in and out), the network, exact counting of steps, and the state that a checkpoint needs.
"""

# The library and torch are partly untyped.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

import logging
import math
import time
from typing import TYPE_CHECKING, Any, ClassVar, cast

from jimbot.errors import JimbotError, require
from jimbot.training.backends.rllib.arguments import library_arguments
from jimbot.training.backends.rllib.names import read_rllib_names
from jimbot.training.backends.rllib.options import ALGORITHMS, RLlibOptions
from jimbot.training.config.network_choice import configured_spec
from jimbot.training.config.trainer_config import ConfigError, PPOOptions, TrainerConfig
from jimbot.training.framework import Capabilities, Iteration, RLTrainer, read_options, seed_everything

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from numpy.typing import NDArray

    from jimbot.networks import NetworkSpec
    from jimbot.training.backends.rllib.callbacks import BalatroCallbacks
    from jimbot.training.backends.rllib.vectors import RunnerVectors
    from jimbot.training.envs.evaluation import BatchPolicy, EvaluationResult

__all__ = ["BalatroCallbacks", "RLlibTrainer", "rllib_config"]

log = logging.getLogger("jimbot.training.rllib_trainer")

EMPTY_ITERATIONS = 5
"""Training is given up after this many iterations in a row without a step."""
METRICS = {
    "total_loss": "train/loss",
    "policy_loss": "train/policy_gradient_loss",
    "mean_pi_loss": "train/policy_gradient_loss",
    "vf_loss": "train/value_loss",
    "mean_vf_loss": "train/value_loss",
    "entropy": "train/entropy",
    "mean_kl_loss": "train/kl",
    "vf_explained_var": "train/explained_variance",
    "qf_loss": "train/loss",
    "qf_mean": "train/q_mean",
    "td_error_mean": "train/td_error",
    "default_optimizer_learning_rate": "train/learning_rate",
}
"""RLlib's names of a module's losses, and ours."""


def __getattr__(name: str) -> Any:
    if name == "BalatroCallbacks":
        require("ray", "rllib")
        from jimbot.training.backends.rllib.callbacks import BalatroCallbacks

        return BalatroCallbacks
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def rllib_config(values: Mapping[str, Any]) -> TrainerConfig:
    """A configuration from a dictionary with RLlib's names, those of its older documents or today's."""
    from jimbot.training.config.files import build

    return build({"backend": "rllib", **values}, "the configuration")


class RLlibTrainer(RLTrainer):
    """PPO, APPO, IMPALA and DQN of RLlib's new API stack."""

    capabilities: ClassVar[Capabilities] = Capabilities(
        algorithms=ALGORITHMS,
        exact_resume=False,
        extra="rllib",
        options=RLlibOptions,
        cluster_address="ray_address",
        actions={},
    )

    @classmethod
    def read_names(cls, values: Mapping[str, Any]) -> dict[str, Any]:
        """RLlib's own names in a configuration file as the fields they mean."""
        return read_rllib_names(values)

    @classmethod
    def translate(cls, config: TrainerConfig) -> dict[str, Any]:
        """Arguments by the group of RLlib's configuration that receives them; see ``library_arguments``."""
        return library_arguments(config)

    def __init__(self, env: Any = None, config: TrainerConfig | None = None) -> None:
        super().__init__(env, config)
        self.options = read_options(RLlibOptions, self.config)
        if self.environments.vector is not None and self.options.num_env_runners:
            raise ConfigError(
                "env: a vector cannot be sent to env runners; give a name, an environment or a function that makes one"
            )
        wanted, taken = (
            self.options.rollout_fragment_length,
            self.arguments["env_runners"]["rollout_fragment_length"],
        )
        if wanted not in ("auto", taken):
            log.warning(
                "rollout_fragment_length: %s does not divide the steps that every environment takes between two "
                "updates; %s is used",
                wanted,
                taken,
            )
        self.result: dict[str, Any] = {}
        """RLlib's own results of the last iteration."""
        self._ray: Any = None
        self._counted = 0
        self._empty = 0

    # --- the model ------------------------------------------------------------------------------------------------

    @property
    def vector(self) -> RunnerVectors:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The environments of all runners."""
        if self._vector is None:
            from jimbot.training.backends.rllib.vectors import RunnerVectors

            probe = self.environments.training_vector(self.config, num_envs=1, vectorization="auto")
            methods = frozenset(each for each in ("set_max_ante", "set_difficulty") if probe.has(each))
            spaces = (probe.observation_space, probe.action_space)
            if self.environments.vector is None:
                probe.close()
            self._vector = cast("Any", RunnerVectors(spaces, methods, self.config))
        return cast("Any", self._vector)

    def create_model(self) -> Any:
        """The library's algorithm with our runners, network and learner, on a Ray of its own if there is none."""
        require("ray", "rllib")
        torch = cast("Any", require("torch", "rllib"))
        from jimbot.training.backends.rllib.algorithm import build_algorithm
        from jimbot.training.backends.rllib.cluster import RaySession, named_address, quiet_ray

        torch.set_num_threads(self.config.threads)
        learners = self.arguments["learners"]
        if self.arguments["device"] == "auto" and torch.cuda.is_available():
            learners["num_gpus_per_learner"] = learners["num_gpus_per_learner"] or 1.0
        # Errors in environments or network are raised before Ray starts.
        vectors, spec = self.vector, self.network_spec()
        own = self.options
        address = own.ray_address or named_address()
        if address is None and self.needed_gpus() and not torch.cuda.device_count():
            self.leave_out_gpus()
        cards = self.needed_gpus()
        if address is None and cards > torch.cuda.device_count():
            raise ConfigError(
                f"num_gpus: learners and runners ask for {cards} graphics cards, torch finds "
                f"{torch.cuda.device_count()} here; set num_gpus and num_gpus_per_worker to 0, or join a cluster that "
                "has them (--address)"
            )
        self._ray = RaySession(
            address,
            cpus=own.ray_cpus or self.needed_cpus(),
            gpus=cards,
            object_store_mb=own.object_store_mb,
        )
        self._ray.start()
        try:
            seed_everything(self.config.seed)
            with quiet_ray():
                algorithm = build_algorithm(self.config, self.arguments, self.environments, spec)
        except BaseException:
            self._ray.stop()
            raise
        algorithm.jimbot_vectors = vectors
        vectors.connect(algorithm.env_runner_group)
        seed_everything(self.config.seed)
        return algorithm

    def leave_out_gpus(self) -> None:
        """Train on the processor where a configuration counts graphics cards and this machine has none."""
        if self.config.device.startswith("cuda"):
            raise ConfigError(
                f"device: {self.config.device} asks for a graphics card and torch finds none here; set device to auto"
            )
        log.warning(
            "num_gpus: %s asked for, torch finds no graphics card here; training on the processor",
            self.needed_gpus(),
        )
        self.arguments["learners"]["num_gpus_per_learner"] = 0.0
        self.arguments["env_runners"]["num_gpus_per_env_runner"] = 0.0

    def needed_cpus(self) -> int:
        """CPUs that a local Ray has to offer."""
        own = self.options
        runners = own.num_env_runners + own.evaluation_num_env_runners
        return math.ceil(1 + own.num_cpus_per_env_runner * runners + own.num_learners)

    def needed_gpus(self) -> int:
        """GPUs that a local Ray has to offer."""
        own = self.options
        learning = self.arguments["learners"]["num_gpus_per_learner"] * max(1, own.num_learners)
        runners = own.num_env_runners + own.evaluation_num_env_runners
        return math.ceil(learning + self.arguments["env_runners"]["num_gpus_per_env_runner"] * runners)

    def network_spec(self) -> NetworkSpec:
        """The configuration's network for the environment's spaces."""
        return configured_spec(self.vector.observation_space, self.vector.action_space, self.config)

    @property
    def network(self) -> Any:
        """A torch network with the learner's parameters as they are now."""
        from jimbot.networks import create_network
        from jimbot.training.backends.torch.state import restore_parameters

        network = create_network(self.network_spec())
        restore_parameters(network, self.policy_tensors())
        return network.eval()

    # --- training -------------------------------------------------------------------------------------------------

    def begin(self, total_timesteps: int, callback: Any) -> None:
        """Nothing is scheduled; callbacks of the library are named in the configuration."""
        if callback is not None:
            raise ConfigError(
                f"callback: give a function of the metrics, or name RLlib callbacks in backend_options.callbacks; "
                f"got {type(callback).__name__}"
            )

    def update_timesteps(self) -> int | None:
        """Steps of one iteration of PPO; the other algorithms sample while they learn."""
        options = self.config.options()
        return options.n_steps * self.config.n_envs if isinstance(options, PPOOptions) else None

    def iterate(self) -> Iteration:
        """Run one iteration of the library; every step that an env runner delivered is counted once."""
        from jimbot.training.backends.rllib.algorithm import learner_numbers, sampled_steps, timer
        from jimbot.training.backends.rllib.cluster import quiet_ray

        model = self.model
        started = time.perf_counter()
        with quiet_ray():
            result = self.result = model.train()
            steps = sampled_steps(model) - self._counted
            self._counted += steps
            self.vector.taken = self.timesteps + steps
            env = self.vector.gather()
        self._watch(steps)
        spent = time.perf_counter() - started
        learn = min(timer(result, "learner_update_timer"), spent)
        found = learner_numbers(result)
        metrics = {METRICS[name]: value for name, value in found.items() if name in METRICS}
        metrics["rollout/env_runner_restarts"] = float(self.vector.restarts)
        return Iteration(
            steps, metrics, {"env": env, "policy": max(0.0, spent - learn - env), "learn": learn}
        )

    def _watch(self, steps: int) -> None:
        self._empty = 0 if steps else self._empty + 1
        if self._empty >= EMPTY_ITERATIONS:
            raise JimbotError(
                f"the env runners have not returned a step in {EMPTY_ITERATIONS} iterations; run with "
                "num_env_runners 0 to see what fails in them, or give them more time with "
                "backend_options.sample_timeout_s"
            )

    # --- choosing -------------------------------------------------------------------------------------------------

    def policy(self, *, deterministic: bool = True) -> BatchPolicy:
        """A policy of the current network; observations are normalized by the current statistics."""
        from jimbot.networks.torch.batch_policy import torch_policy

        _ = self.model
        return torch_policy(self.network, self.vector.normalizer, deterministic=deterministic)

    def evaluate_episodes(
        self,
        n_episodes: int,
        evaluation_set: int = 0,
        *,
        deterministic: bool = True,
        tell: Callable[[int, int], None] | None = None,
    ) -> EvaluationResult:
        """Play evaluation episodes, on the evaluation runners if there are any."""
        if not self.options.evaluation_num_env_runners or n_episodes < 1:
            return super().evaluate_episodes(
                n_episodes, evaluation_set, deterministic=deterministic, tell=tell
            )
        from jimbot.training.backends.rllib.evaluation import evaluate_remotely

        return evaluate_remotely(self, n_episodes, evaluation_set, deterministic=deterministic)

    def policy_tensors(self) -> dict[str, NDArray[Any]]:
        """The learner's parameters."""
        from jimbot.training.backends.rllib.state import network_tensors

        return network_tensors(self.model)

    def load_policy_tensors(self, tensors: Mapping[str, Any]) -> None:
        """Set the parameters of the network and the target network everywhere; the optimizer starts anew."""
        from jimbot.training.backends.rllib.state import set_network_tensors

        set_network_tensors(self.model, tensors)

    # --- checkpoints ----------------------------------------------------------------------------------------------

    def training_state(self) -> dict[str, Any]:
        """Parameters, optimizer, target network and counters of the learner."""
        from jimbot.training.backends.rllib.state import learner_state

        return {**learner_state(self.model), "counted": self.timesteps}

    def restore_training_state(self, state: Mapping[str, Any]) -> None:
        """Restore a training state."""
        from jimbot.training.backends.rllib.state import restore_learner_state

        restore_learner_state(self.model, state)
        self.vector.taken = self.timesteps
        self.vector.deliver()

    def checkpointed(self, path: Path) -> None:
        """Write RLlib's own checkpoint under ``ray_checkpoints/``, and remove those whose counterpart is gone.

        It is for use outside jimbot: loading such a checkpoint runs code from it.
        """
        if self.options.ray_checkpoints:
            from jimbot.training.backends.rllib.state import save_beside
            from jimbot.training.loop.rng_state import saved_rng_state

            with saved_rng_state():
                save_beside(self.model, path)

    def close(self) -> None:
        """Stop the algorithm, and Ray if this trainer started it; files stay."""
        from contextlib import suppress

        model, self._model = self._model, None
        try:
            super().close()
            if model is not None:
                from jimbot.training.backends.rllib.cluster import quiet_ray

                with quiet_ray(), suppress(Exception):
                    model.stop()
        finally:
            if self._ray is not None:
                self._ray.stop()
                self._ray = None
