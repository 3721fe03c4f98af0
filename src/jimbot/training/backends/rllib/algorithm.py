"""From our configuration to RLlib's algorithm, and from its results back to numbers."""

# The library is partly untyped.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

import importlib
import logging
import tempfile
from typing import TYPE_CHECKING, Any

import ray
from ray.rllib.algorithms import algorithm as library
from ray.rllib.algorithms.appo import APPO, APPOConfig
from ray.rllib.algorithms.dqn import DQN, DQNConfig
from ray.rllib.algorithms.impala import IMPALA, IMPALAConfig
from ray.rllib.algorithms.ppo import PPO, PPOConfig
from ray.rllib.callbacks.callbacks import RLlibCallback
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.env_runner_group import EnvRunnerGroup
from ray.rllib.utils.metrics import (
    ENV_RUNNER_RESULTS,
    LEARNER_RESULTS,
    NUM_ENV_STEPS_SAMPLED_LIFETIME,
    TIMERS,
)
from ray.tune.registry import register_env

from jimbot.training.backends.rllib.callbacks import BalatroCallbacks
from jimbot.training.backends.rllib.learners import LEARNERS
from jimbot.training.backends.rllib.module import MaskedPolicyModule, MaskedQModule, MaskedTargetModule
from jimbot.training.backends.rllib.runner import VectorEnvRunner
from jimbot.training.config.trainer_config import ConfigError
from jimbot.training.envs.packing import Packing

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jimbot.networks import NetworkSpec
    from jimbot.training.config.trainer_config import TrainerConfig
    from jimbot.training.envs.creation import Environments

__all__ = ["build_algorithm", "learner_numbers", "sampled_steps", "timer"]


class RestartableGroup(EnvRunnerGroup):
    """Runners that hold their configuration themselves.

    The library's own group puts it into the object store and hands every runner a reference. Ray then cannot promise
    to restart a runner, and says so as an error: what the reference leads to may be gone by then.
    """

    def _make_worker(self, *, config: Any, **named: Any) -> Any:
        held = self._remote_config if isinstance(config, ray.ObjectRef) else config
        return super()._make_worker(config=held, **named)


class Plain:
    """What the algorithms below share."""

    def setup(self, config: Any) -> None:
        """Set up, with runners that can be restarted."""
        module: Any = library
        usual = module.EnvRunnerGroup
        module.EnvRunnerGroup = RestartableGroup  # the library has no other way to choose the group
        try:
            super().setup(config)  # pyright: ignore[reportAttributeAccessIssue]
        finally:
            module.EnvRunnerGroup = usual

    def _setup_logdir(self) -> None:
        """Make no directory in the user's home; the run's files are ours."""
        self._logdir = tempfile.gettempdir()


class PlainPPO(Plain, PPO):
    """PPO."""


class PlainAPPO(Plain, APPO):
    """APPO."""


class PlainIMPALA(Plain, IMPALA):
    """IMPALA."""


class PlainDQN(Plain, DQN):
    """DQN."""


CONFIGS: dict[str, tuple[Any, type]] = {
    "PPO": (PPOConfig, PlainPPO),
    "APPO": (APPOConfig, PlainAPPO),
    "IMPALA": (IMPALAConfig, PlainIMPALA),
    "DQN": (DQNConfig, PlainDQN),
}
MODULES: dict[str, type] = {
    "PPO": MaskedPolicyModule,
    "IMPALA": MaskedPolicyModule,
    "APPO": MaskedTargetModule,
    "DQN": MaskedQModule,
}
ENV_NAME = "jimbot"
MODULE = "default_policy"


def no_env(_: Any) -> None:
    """RLlib wants a function by name; our runner makes its environments itself."""


def build_algorithm(
    config: TrainerConfig, arguments: Mapping[str, Any], environments: Environments, spec: NetworkSpec
) -> Any:
    """RLlib's algorithm, ready to train. Writes nothing to disk."""
    kind, algorithm = CONFIGS[config.algorithm]
    made = kind(algo_class=algorithm)
    observation_space, action_space = spaces_of(environments, config)
    packing = Packing(observation_space)
    register_env(ENV_NAME, no_env)
    model = {
        **arguments["model"],
        "spec": spec.to_json(),
        "packing": packing,
        "double_q": arguments["training"].get("double_q", False),
    }
    made.api_stack(enable_rl_module_and_learner=True, enable_env_runner_and_connector_v2=True)
    made.framework("torch")
    made.environment(
        ENV_NAME,
        observation_space=packing.space,
        action_space=action_space,
        env_config={"config": config, "environments": environments},
        disable_env_checking=True,
    )
    made.env_runners(
        env_runner_cls=VectorEnvRunner, create_env_on_local_worker=False, **arguments["env_runners"]
    )
    made.training(**arguments["training"])
    made.learners(learner_class=LEARNERS[config.algorithm], **arguments["learners"])
    made.rl_module(rl_module_spec=RLModuleSpec(module_class=MODULES[config.algorithm], model_config=model))
    made.callbacks(callbacks_of(config))
    made.evaluation(**arguments["evaluation"])
    made.reporting(**arguments["reporting"])
    made.fault_tolerance(**arguments["fault_tolerance"])
    made.debugging(seed=config.seed, log_level="ERROR")
    if hasattr(made, "use_env_runner_state_server"):
        made.use_env_runner_state_server = False
    logging.getLogger("ray.rllib").setLevel(logging.ERROR)
    return made.build_algo()


def spaces_of(environments: Environments, config: TrainerConfig) -> tuple[Any, Any]:
    """Spaces of one environment."""
    probe = environments.training_vector(config, num_envs=1)
    spaces = probe.observation_space, probe.action_space
    if environments.vector is None:
        probe.close()
    return spaces


def callbacks_of(config: TrainerConfig) -> type:
    """The callbacks of the configuration."""
    named = config.backend_options.get("callbacks")
    if named is None:
        return BalatroCallbacks
    module, colon, name = str(named).partition(":")
    try:
        found = getattr(importlib.import_module(module), name) if colon else None
    except (ImportError, AttributeError):
        found = None
    if not (isinstance(found, type) and issubclass(found, RLlibCallback)):
        raise ConfigError(
            f"backend_options.callbacks: expected module:Class of RLlib callbacks, got {named!r}"
        )
    return found


def sampled_steps(algorithm: Any) -> int:
    """Steps that runners have handed over since the algorithm was built."""
    return int(algorithm.metrics.peek((ENV_RUNNER_RESULTS, NUM_ENV_STEPS_SAMPLED_LIFETIME), default=0))


def learner_numbers(result: Mapping[str, Any]) -> dict[str, float]:
    """The learner's numbers of an iteration, by RLlib's names."""
    numbers = result.get(LEARNER_RESULTS, {}).get(MODULE, {})
    return {name: float(value) for name, value in numbers.items() if isinstance(value, (int, float))}


def timer(result: Mapping[str, Any], name: str) -> float:
    """Seconds of one of RLlib's timers in an iteration."""
    value = result.get(TIMERS, {}).get(name, 0.0)
    return float(value) if isinstance(value, (int, float)) else 0.0
