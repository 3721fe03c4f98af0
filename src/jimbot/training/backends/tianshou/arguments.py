"""One configuration translated for Tianshou: which arguments its algorithms get, and what is refused."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from pydantic import AfterValidator, Field

from jimbot.training.backends.tianshou.network_choice import NETWORKS
from jimbot.training.config.backend_registry import UnsupportedError, read_options
from jimbot.training.config.trainer_config import A2COptions, ConfigError, DQNOptions, PPOOptions, Section

if TYPE_CHECKING:
    from jimbot.training.config.trainer_config import TrainerConfig

__all__ = ["TianshouOptions", "library_arguments"]

VALUE_CHUNK = 4_096
"""Observations whose values are computed at once; the library's 256 makes many small calls."""
ADAM_EPSILON = 1e-5
"""As in the other implementations of PPO; the library's default is torch's 1e-8."""


def known_network(name: str) -> str:
    """The name, if there is such a network."""
    if name not in NETWORKS:
        raise ValueError(f"expected one of {', '.join(NETWORKS)}, got {name!r}")
    return name


class TianshouOptions(Section):
    """``backend_options`` of this backend: what only Tianshou has."""

    network: Annotated[str, AfterValidator(known_network)] = "chosen"
    """chosen: the network of the configuration; therapy: TherapyNet of width features_dim, actor and critic apart."""
    dual_clip: Annotated[float, Field(gt=1.0)] | None = None
    """PPO: a floor under the objective of bad actions."""
    recompute_advantage: bool = False
    """PPO: compute advantages anew before every pass."""
    return_scaling: bool = False
    """PPO and A2C: divide returns by their running deviation, besides normalize_reward."""
    is_double: bool = False
    """DQN: choose by the network, value by the target network."""
    n_step_return_horizon: Annotated[int, Field(ge=1)] = 1
    """DQN: rewards counted before bootstrapping."""


def refuse(name: str, reason: str) -> None:
    """Raise for an option of the algorithm that the library cannot honor."""
    raise UnsupportedError(
        f"hyperparams.algorithm_specific.{name}", f"TianshouTrainer cannot honor it: {reason}"
    )


def library_arguments(config: TrainerConfig) -> dict[str, Any]:
    """Arguments by receiver.

    ``algorithm``: keywords of the library's algorithm; ``optimizer``: its name and keywords; ``update``: keywords of
    every call of ``update``; ``collect``: steps of every environment between two updates, and DQN's schedule;
    ``device`` and ``network``.
    """
    options = config.options()
    own = read_options(TianshouOptions, config)
    if isinstance(options, PPOOptions):
        parts = ppo_arguments(config, options, own)
    elif isinstance(options, A2COptions):
        parts = a2c_arguments(config, options, own)
    elif isinstance(options, DQNOptions):
        parts = dqn_arguments(config, options, own)
    else:
        raise ConfigError(f"algorithm: Tianshou is given PPO, A2C or DQN here, got {config.algorithm!r}")
    return {**parts, "device": config.device, "network": own.network}


def actor_critic_arguments(config: TrainerConfig, own: TianshouOptions) -> dict[str, Any]:
    """What PPO and A2C share. The value loss has no factor of one half in the library either."""
    common = config.hyperparams
    return {
        "gamma": common.gamma,
        "gae_lambda": common.gae_lambda,
        "ent_coef": common.entropy_coefficient,
        "vf_coef": common.value_function_coefficient,
        "max_grad_norm": common.max_grad_norm,
        "return_scaling": own.return_scaling,
        "max_batchsize": VALUE_CHUNK,
    }


def ppo_arguments(config: TrainerConfig, options: PPOOptions, own: TianshouOptions) -> dict[str, Any]:
    """PPO. Its ``batch_size`` is a size, and the last minibatch takes what is left over."""
    if options.target_kl is not None:
        refuse("target_kl", "the library makes every pass it is asked for")
    if options.clip_range_vf not in (None, options.clip_range):
        refuse(
            "clip_range_vf", f"the library clips values by clip_range ({options.clip_range}) or not at all"
        )
    algorithm = actor_critic_arguments(config, own) | {
        "eps_clip": options.clip_range,
        "value_clip": options.clip_range_vf is not None,
        "advantage_normalization": options.normalize_advantage,
        "dual_clip": own.dual_clip,
        "recompute_advantage": own.recompute_advantage,
    }
    return {
        "algorithm": algorithm,
        "optimizer": {"name": "Adam", "lr": config.hyperparams.learning_rate, "eps": ADAM_EPSILON},
        "update": {"batch_size": options.batch_size, "repeat": options.n_epochs},
        "collect": {"steps": options.n_steps},
    }


def a2c_arguments(config: TrainerConfig, options: A2COptions, own: TianshouOptions) -> dict[str, Any]:
    """A2C: one pass over one batch of everything."""
    if options.normalize_advantage:
        refuse("normalize_advantage", "the library's A2C takes advantages as they are")
    rate = config.hyperparams.learning_rate
    optimizer = {"name": "Adam", "lr": rate, "eps": ADAM_EPSILON}
    if options.use_rms_prop:
        optimizer = {"name": "RMSprop", "lr": rate, "eps": options.rms_prop_eps, "alpha": 0.99}
    return {
        "algorithm": actor_critic_arguments(config, own),
        "optimizer": optimizer,
        "update": {"batch_size": None, "repeat": 1},
        "collect": {"steps": options.n_steps},
    }


def dqn_arguments(config: TrainerConfig, options: DQNOptions, own: TianshouOptions) -> dict[str, Any]:
    """DQN. The library counts updates where the configuration counts steps between refreshes of the target."""
    if options.tau != 1.0:
        refuse("tau", "the library replaces the target network as a whole")
    steps = options.train_freq * config.n_envs
    updates = options.gradient_steps if options.gradient_steps >= 0 else steps
    algorithm = {
        "gamma": config.hyperparams.gamma,
        "max_grad_norm": config.hyperparams.max_grad_norm,
        "target_update_freq": max(1, round(options.target_update_interval * updates / steps)),
        "is_double": own.is_double,
        "n_step_return_horizon": own.n_step_return_horizon,
        "huber_loss_delta": 1.0,
    }
    return {
        "algorithm": algorithm,
        "optimizer": {"name": "Adam", "lr": config.hyperparams.learning_rate, "eps": 1e-8},
        "update": {"sample_size": options.batch_size},
        "collect": {
            "steps": options.train_freq,
            "updates": updates,
            "learning_starts": options.learning_starts,
            "buffer_size": options.buffer_size,
            "exploration": [
                options.exploration_initial_eps,
                options.exploration_final_eps,
                options.exploration_fraction,
            ],
        },
    }
