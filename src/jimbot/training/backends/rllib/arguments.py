"""One configuration translated for RLlib: which arguments each group of its configuration gets, what is refused.

Traps that this file is for: RLlib's value loss is clipped by its size and not by its change; APPO and IMPALA halve it;
PPO adds a KL term unless told not to; gradients are clipped by their global norm only if that is said.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jimbot.training.backends.rllib.options import ALGORITHMS, APPOOptions, AsynchronousOptions, RLlibOptions
from jimbot.training.config.backend_registry import UnsupportedError, read_options
from jimbot.training.config.trainer_config import ConfigError, DQNOptions, PPOOptions

if TYPE_CHECKING:
    from jimbot.training.config.trainer_config import TrainerConfig

__all__ = ["ADAM_EPSILON", "library_arguments"]

ADAM_EPSILON = {"PPO": 1e-5, "APPO": 1e-5, "IMPALA": 1e-5, "DQN": 1e-8}
"""As in the other backends; RLlib's own learners have torch's 1e-8 throughout."""
DQN_STEPS_PER_ITERATION = 1_000
"""Steps of DQN that one iteration of RLlib holds, so that its book-keeping stays cheap."""


def refuse(name: str, reason: str) -> None:
    """Raise for an option of the algorithm that the library cannot honor."""
    raise UnsupportedError(
        f"hyperparams.algorithm_specific.{name}", f"RLlibTrainer cannot honor it: {reason}"
    )


def library_arguments(config: TrainerConfig) -> dict[str, Any]:
    """Arguments by the group of ``AlgorithmConfig`` that receives them, and ``model`` for our modules."""
    own = read_options(RLlibOptions, config)
    options = config.options()
    if isinstance(options, PPOOptions):
        fragment, training, iteration = ppo_arguments(config, options, own)
    elif isinstance(options, AsynchronousOptions):
        fragment, training, iteration = asynchronous_arguments(config, options, own)
    elif isinstance(options, DQNOptions):
        fragment, training, iteration = dqn_arguments(config, options, own)
    else:
        raise ConfigError(f"algorithm: RLlib is given {', '.join(ALGORITHMS)} here, got {config.algorithm!r}")
    common = config.hyperparams
    training |= {
        "lr": common.learning_rate,
        "gamma": common.gamma,
        "grad_clip": common.max_grad_norm,
        "grad_clip_by": "global_norm",
    }
    return {
        "env_runners": {
            "num_env_runners": own.num_env_runners,
            "num_envs_per_env_runner": envs_per_runner(config, own),
            "num_cpus_per_env_runner": own.num_cpus_per_env_runner,
            "num_gpus_per_env_runner": own.num_gpus_per_env_runner,
            "rollout_fragment_length": fragment,
            "batch_mode": own.batch_mode,
            "sample_timeout_s": own.sample_timeout_s,
        },
        "training": training,
        "learners": {
            "num_learners": own.num_learners,
            "num_gpus_per_learner": gpus_per_learner(config, own),
        },
        "evaluation": {"evaluation_num_env_runners": own.evaluation_num_env_runners},
        "reporting": iteration,
        "fault_tolerance": {
            "restart_failed_env_runners": True,
            "max_num_env_runner_restarts": own.max_num_env_runner_restarts,
        },
        "model": model_arguments(config, options),
        "device": config.device,
    }


def gpus_per_learner(config: TrainerConfig, own: RLlibOptions) -> float:
    """Graphics cards per learner; ``device: cuda`` asks for one."""
    if config.device in ("auto", "cpu"):
        return own.num_gpus_per_learner
    if not config.device.startswith("cuda"):
        raise ConfigError(f"device: RLlib learns on cpu, cuda or auto, got {config.device!r}")
    return own.num_gpus_per_learner or 1.0


def envs_per_runner(config: TrainerConfig, own: RLlibOptions) -> int:
    """Environments of each runner."""
    runners = max(1, own.num_env_runners)
    if config.n_envs % runners:
        raise ConfigError(
            f"n_envs: {config.n_envs} environments cannot be shared out equally among {runners} env runners; "
            f"choose a multiple of {runners}"
        )
    return config.n_envs // runners


def nearest_divisor(steps: int, wanted: int) -> int:
    """The length nearest to ``wanted``, by its ratio, that cuts ``steps`` into equal parts."""
    lengths = [length for length in range(1, steps + 1) if steps % length == 0]
    return min(lengths, key=lambda length: max(length / wanted, wanted / length))


Parts = tuple[int, dict[str, Any], dict[str, Any]]
"""Fragment length, arguments of ``training``, arguments of ``reporting``."""


def ppo_arguments(config: TrainerConfig, options: PPOOptions, own: RLlibOptions) -> Parts:
    """PPO. Advantages are standardized over the whole batch, and minibatches have ``batch_size`` samples."""
    if options.clip_range_vf is not None:
        refuse("clip_range_vf", "the library clips the error of a value, not its change; see vf_clip_param")
    if options.target_kl is not None:
        refuse("target_kl", "the library makes every pass it is asked for; see backend_options.kl_coeff")
    if not options.normalize_advantage:
        refuse("normalize_advantage", "the library always standardizes advantages")
    fragment = own.rollout_fragment_length
    fragment = options.n_steps if fragment == "auto" else nearest_divisor(options.n_steps, fragment)
    common = config.hyperparams
    training = {
        "train_batch_size_per_learner": options.n_steps * config.n_envs // max(1, own.num_learners),
        "minibatch_size": options.batch_size,
        "num_epochs": options.n_epochs,
        "shuffle_batch_per_epoch": True,
        "clip_param": options.clip_range,
        "use_gae": True,
        "lambda_": common.gae_lambda,
        "entropy_coeff": common.entropy_coefficient,
        "vf_loss_coeff": common.value_function_coefficient,
        "vf_clip_param": float("inf") if own.vf_clip_param is None else own.vf_clip_param,
        "use_kl_loss": True,  # with a weight of 0 it is only measured
        "kl_coeff": own.kl_coeff,
        "kl_target": own.kl_target,
    }
    return fragment, training, {}


def asynchronous_arguments(config: TrainerConfig, options: AsynchronousOptions, own: RLlibOptions) -> Parts:
    """APPO and IMPALA: V-trace instead of GAE, and half the squared error of values."""
    if own.num_env_runners < 1:
        raise ConfigError(
            f"backend_options.num_env_runners: {config.algorithm} plays in processes of its own; give at least 1"
        )
    if own.batch_mode != "truncate_episodes":
        raise ConfigError(f"backend_options.batch_mode: {config.algorithm} has truncate_episodes only")
    fragment = own.rollout_fragment_length
    if fragment == "auto":
        fragment = options.n_steps
    common = config.hyperparams
    training: dict[str, Any] = {
        "train_batch_size_per_learner": options.batch_size,
        "vtrace": True,
        "broadcast_interval": options.broadcast_interval,
        "entropy_coeff": common.entropy_coefficient,
        "vf_loss_coeff": 2.0 * common.value_function_coefficient,
    }
    if isinstance(options, APPOOptions):
        training |= {
            "clip_param": options.clip_range,
            "target_network_update_freq": options.target_network_update_freq,
            "use_kl_loss": own.kl_coeff > 0,
            "kl_coeff": own.kl_coeff,
            "kl_target": own.kl_target,
        }
    steps = max(options.batch_size, fragment * config.n_envs)
    return fragment, training, {"min_time_s_per_iteration": 0, "min_sample_timesteps_per_iteration": steps}


def dqn_arguments(config: TrainerConfig, options: DQNOptions, own: RLlibOptions) -> Parts:
    """DQN: a plain replay buffer of episodes, no priorities, no duelling heads."""
    if own.batch_mode != "truncate_episodes":
        raise ConfigError("backend_options.batch_mode: DQN has truncate_episodes only")
    fragment = own.rollout_fragment_length
    if fragment == "auto":
        fragment = options.train_freq
    steps = fragment * config.n_envs
    updates = steps if options.gradient_steps < 0 else options.gradient_steps
    if updates == 0:
        refuse("gradient_steps", "the library updates at least once")
    runners = max(1, own.num_env_runners)
    training = {
        "train_batch_size_per_learner": options.batch_size // max(1, own.num_learners),
        # The library believes that the driver plays too, and counts one runner more than there are.
        "training_intensity": updates * options.batch_size * runners / (steps * (own.num_env_runners + 1)),
        "num_steps_sampled_before_learning_starts": options.learning_starts,
        "target_network_update_freq": options.target_update_interval,
        "tau": options.tau,
        "double_q": own.double_q,
        "dueling": False,
        "n_step": own.n_step,
        "num_atoms": 1,
        "noisy": False,
        "td_error_loss_fn": "huber",
        "replay_buffer_config": {"type": "EpisodeReplayBuffer", "capacity": options.buffer_size},
    }
    per_iteration = min(DQN_STEPS_PER_ITERATION, config.eval_freq, config.checkpoint_freq)
    return (
        fragment,
        training,
        {"min_time_s_per_iteration": 0, "min_sample_timesteps_per_iteration": per_iteration},
    )


def model_arguments(config: TrainerConfig, options: Any) -> dict[str, Any]:
    """What our modules and learners are told."""
    model: dict[str, Any] = {"adam_epsilon": ADAM_EPSILON[config.algorithm]}
    if isinstance(options, DQNOptions):
        model["exploration"] = {
            "initial": options.exploration_initial_eps,
            "final": options.exploration_final_eps,
            "steps": options.exploration_fraction * config.total_timesteps,
            "random_steps": options.learning_starts,
        }
    return model
