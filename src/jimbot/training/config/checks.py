"""What a whole configuration contradicts, found before anything is trained; ``TrainerConfig.check`` calls this."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jimbot.training.config.sections import (
    ACTOR_CRITIC_ONLY,
    ALGORITHM_OPTIONS,
    ConfigError,
    HyperparameterConfig,
    PPOOptions,
)

if TYPE_CHECKING:
    from jimbot.training.config.trainer_config import TrainerConfig

__all__ = ["check_combinations"]

VALUE_LEARNERS = ("DQN",)
"""Algorithms that learn the values of actions: no advantages, no entropy bonus, no separate estimate of the value."""


def check_combinations(config: TrainerConfig) -> None:
    """Raise ``ConfigError`` on valid fields that contradict each other."""
    check_batches(config)
    check_unused(config)
    check_difficulty(config)


def check_batches(config: TrainerConfig) -> None:
    """A minibatch of PPO is not larger than what an update has."""
    options = config.options()
    if isinstance(options, PPOOptions) and options.batch_size > options.n_steps * config.n_envs:
        raise ConfigError(
            f"hyperparams.algorithm_specific.batch_size: {options.batch_size} is more than the "
            f"{options.n_steps * config.n_envs} steps of an update (n_steps times n_envs)"
        )


def check_unused(config: TrainerConfig) -> None:
    """Fields that the algorithm does not look at are as they came.

    ``value_net_arch`` may also be the same as ``policy_net_arch``, one size of network for several algorithms, or
    empty, as in networks that other programs have trained without one.
    """
    if config.algorithm not in VALUE_LEARNERS:
        return
    given, default = config.hyperparams, HyperparameterConfig()
    users = ", ".join(name for name in ALGORITHM_OPTIONS if name not in VALUE_LEARNERS)
    for name in sorted(ACTOR_CRITIC_ONLY):
        value, usual = getattr(given, name), getattr(default, name)
        harmless: tuple[Any, ...] = (
            (usual, [], given.policy_net_arch) if name == "value_net_arch" else (usual,)
        )
        if value not in harmless:
            raise ConfigError(
                f"hyperparams.{name}: {config.algorithm} does not use it, {users} do; leave it at {usual}, got {value}"
            )


def check_difficulty(config: TrainerConfig) -> None:
    """Only one thing sets the finishing ante."""
    times = [each.timestep for each in config.difficulty_schedule]
    if times != sorted(set(times)):
        raise ConfigError(f"difficulty_schedule: timesteps must grow, got {times}")
    if config.use_curriculum and config.difficulty_schedule:
        raise ConfigError("difficulty_schedule: cannot be combined with use_curriculum; choose one")
    fixed = {"max_ante", "difficulty"} & set(config.env_kwargs)
    if fixed and (config.use_curriculum or config.difficulty_schedule):
        what = "use_curriculum" if config.use_curriculum else "difficulty_schedule"
        raise ConfigError(f"env_kwargs.{min(fixed)}: {what} sets the finishing ante; give one or the other")
