"""Translates a ``TrainerConfig`` into the arguments of PPO in JAX; imports nothing but the configuration."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from jimbot.training.config.backend_registry import read_options
from jimbot.training.config.trainer_config import ConfigError, PPOOptions, Section
from jimbot.training.envs.creation import ALIASES

if TYPE_CHECKING:
    from jimbot.training.config.trainer_config import TrainerConfig

__all__ = ["COMPILED", "JaxOptions", "is_compiled", "translate_config"]

COMPILED = {"CartPole-v1": "jimbot.cartpole:CartPole"}
"""Environments that also exist as pure functions, which are compiled together with the training."""


class JaxOptions(Section):
    """``backend_options`` of this backend."""

    adam_epsilon: Annotated[float, Field(gt=0.0)] = 1e-5
    """Added to the denominator of Adam; 1e-5 as in the other backends."""


def is_compiled(config: TrainerConfig) -> bool:
    """Whether the environments of a configuration are compiled together with the training.

    That needs an environment of pure functions without options. Behavioral cloning lets an expert play step by step, so
    with it the environments are stepped from Python, as with ``vectorization: sync`` and ``subprocess``.
    """
    known = ALIASES.get(config.env, config.env) in COMPILED and not config.env_kwargs
    return known and config.vectorization in ("auto", "native") and not config.use_behavioral_cloning


def translate_config(config: TrainerConfig) -> dict[str, Any]:
    """The arguments by receiver: ``ppo`` are the fields of ``PPOConfig``, the others are read by the trainer.

    ``batch_size`` is the size of a minibatch; the value loss is not halved; ``max_grad_norm`` limits the norm over all
    parameters; ``clip_range_vf`` limits how far a value may leave its value at collection.
    """
    options = config.options()
    if not isinstance(options, PPOOptions):
        raise ConfigError(f"algorithm: JaxTrainer has PPO, got {config.algorithm!r}")
    own = read_options(JaxOptions, config)
    shared = config.hyperparams
    ppo: dict[str, Any] = {
        "learning_rate": shared.learning_rate,
        "gamma": shared.gamma,
        "gae_lambda": shared.gae_lambda,
        "entropy_coef": shared.entropy_coefficient,
        "value_coef": shared.value_function_coefficient,
        "max_grad_norm": shared.max_grad_norm,
        "clip_epsilon": options.clip_range,
        "value_clip": options.clip_range_vf,
        "normalize_advantages": options.normalize_advantage,
        "target_kl": options.target_kl,
        "epochs_per_update": options.n_epochs,
        "minibatch_size": options.batch_size,
        "adam_epsilon": own.adam_epsilon,
    }
    return {
        "ppo": ppo,
        "rollout_steps": options.n_steps,
        "environments": "compiled" if is_compiled(config) else "vector",
        "device": config.device,
        "threads": config.threads,
    }
