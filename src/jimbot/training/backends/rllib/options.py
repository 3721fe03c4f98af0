"""What only RLlib has: the fields of ``backend_options``, and the options of its asynchronous algorithms."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from jimbot.training.config.trainer_config import ALGORITHM_OPTIONS, Section

__all__ = ["ALGORITHMS", "APPOOptions", "IMPALAOptions", "RLlibOptions"]

ALGORITHMS = ("PPO", "APPO", "IMPALA", "DQN")

Positive = Annotated[int, Field(ge=1)]
Count = Annotated[int, Field(ge=0)]
NotNegative = Annotated[float, Field(ge=0.0)]
Seconds = Annotated[float, Field(gt=0.0)]


class RLlibOptions(Section):
    """``backend_options`` of this backend."""

    num_env_runners: Count = 0
    """Processes that play; n_envs is shared out among them. 0 plays in the driver."""
    num_cpus_per_env_runner: NotNegative = 1.0
    """Processors that Ray sets aside for each of them; fractions are allowed."""
    rollout_fragment_length: Positive | Literal["auto"] = "auto"
    """Steps of every environment in one call of a runner; auto takes the algorithm's n_steps at once. PPO takes the
    nearest length that divides its n_steps."""
    batch_mode: Literal["truncate_episodes", "complete_episodes"] = "truncate_episodes"
    """complete_episodes hands out whole episodes only; unfinished ones wait for the next batch."""
    num_learners: Count = 0
    """Processes that learn; 0 learns in the driver."""
    num_gpus_per_learner: NotNegative = 0.0
    """Graphics cards of each learner."""
    num_gpus_per_env_runner: NotNegative = 0.0
    """Graphics cards of each runner."""
    evaluation_num_env_runners: Count = 0
    """Processes that play evaluation episodes; 0 plays them in the driver."""
    max_num_env_runner_restarts: Count = 1_000
    """How often a lost runner is started again."""
    sample_timeout_s: Seconds = 120.0
    """Seconds after which a runner that has not answered counts as lost."""
    kl_coeff: NotNegative = 0.0
    """PPO and APPO: weight of the distance to the policy that played; 0 leaves it out."""
    kl_target: Annotated[float, Field(gt=0.0)] = 0.01
    """PPO and APPO: distance that the weight is steered towards."""
    vf_clip_param: Annotated[float, Field(gt=0.0)] | None = None
    """PPO: largest squared error of a value that still counts; none leaves it free."""
    double_q: bool = False
    """DQN: choose by the network, value by the target network."""
    n_step: Positive = 1
    """DQN: rewards counted before bootstrapping."""
    callbacks: str | None = None
    """``module:Class`` of RLlib callbacks to use instead of BalatroCallbacks."""
    ray_address: str | None = None
    """Address of a running Ray cluster to join; none starts a local Ray and stops it again."""
    ray_cpus: Positive | None = None
    """Processors a local Ray gives out; none takes what the runners and learners need."""
    object_store_mb: Annotated[int, Field(ge=80)] = 200
    """Shared memory of a local Ray, in megabytes."""
    ray_checkpoints: bool = True
    """Write Ray's own checkpoint beside every one of ours."""


class AsynchronousOptions(Section):
    """What APPO and IMPALA share: runners play on while the learner learns."""

    n_steps: Positive = 50
    """Steps of every environment in one fragment."""
    batch_size: Positive = 500
    """Steps in an update."""
    broadcast_interval: Positive = 1
    """Updates between two deliveries of the network to the runners."""


class IMPALAOptions(AsynchronousOptions):
    """What only IMPALA has."""


class APPOOptions(AsynchronousOptions):
    """What only APPO has."""

    clip_range: Annotated[float, Field(gt=0.0)] = 0.4
    """Clip range of the ratio of new to old action probability."""
    target_network_update_freq: Positive = 2
    """Updates between two refreshes of the policy that updates are measured against."""


ALGORITHM_OPTIONS.setdefault("APPO", APPOOptions)
ALGORITHM_OPTIONS.setdefault("IMPALA", IMPALAOptions)
