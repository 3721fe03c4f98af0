"""RLlib's own names in a configuration file, those of its documents of old and of today, as fields of ours.

A file with ``backend: rllib`` may say ``num_workers: 2`` or ``num_env_runners: 2``, flat or under the headings of
RLlib's configuration (``training:``, ``env_runners:``, …). What has no meaning here is refused.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from jimbot.training.backends.rllib.model_names import callbacks_name, model_fields
from jimbot.training.backends.rllib.unsupported import refuse_unsupported
from jimbot.training.config.trainer_config import ConfigError, TrainerConfig, get_default_config

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["NAMES", "read_rllib_names"]

OWN = "hyperparams.algorithm_specific."
BACKEND = "backend_options."
HEADINGS = frozenset(
    {
        "debugging",
        "env_runners",
        "environment",
        "evaluation",
        "fault_tolerance",
        "learners",
        "reporting",
        "resources",
        "rollouts",
        "training",
    }
)
"""Sections of RLlib's configuration; what is in them counts as if it stood alone."""

NAMES: dict[str, str] = {
    "lr": "hyperparams.learning_rate",
    "gamma": "hyperparams.gamma",
    "lambda": "hyperparams.gae_lambda",
    "lambda_": "hyperparams.gae_lambda",
    "entropy_coeff": "hyperparams.entropy_coefficient",
    "vf_loss_coeff": "hyperparams.value_function_coefficient",
    "grad_clip": "hyperparams.max_grad_norm",
    "sgd_minibatch_size": OWN + "batch_size",
    "minibatch_size": OWN + "batch_size",
    "num_sgd_iter": OWN + "n_epochs",
    "num_epochs": OWN + "n_epochs",
    "clip_param": OWN + "clip_range",
    "num_steps_sampled_before_learning_starts": OWN + "learning_starts",
    "num_workers": BACKEND + "num_env_runners",
    "num_rollout_workers": BACKEND + "num_env_runners",
    "num_env_runners": BACKEND + "num_env_runners",
    "num_cpus_per_worker": BACKEND + "num_cpus_per_env_runner",
    "num_cpus_per_env_runner": BACKEND + "num_cpus_per_env_runner",
    "num_gpus_per_worker": BACKEND + "num_gpus_per_env_runner",
    "num_gpus_per_env_runner": BACKEND + "num_gpus_per_env_runner",
    "num_gpus_per_learner": BACKEND + "num_gpus_per_learner",
    "num_gpus_per_learner_worker": BACKEND + "num_gpus_per_learner",
    "num_learners": BACKEND + "num_learners",
    "num_learner_workers": BACKEND + "num_learners",
    "rollout_fragment_length": BACKEND + "rollout_fragment_length",
    "batch_mode": BACKEND + "batch_mode",
    "kl_coeff": BACKEND + "kl_coeff",
    "kl_target": BACKEND + "kl_target",
    "vf_clip_param": BACKEND + "vf_clip_param",
    "double_q": BACKEND + "double_q",
    "n_step": BACKEND + "n_step",
    "sample_timeout_s": BACKEND + "sample_timeout_s",
    "max_num_worker_restarts": BACKEND + "max_num_env_runner_restarts",
    "max_num_env_runner_restarts": BACKEND + "max_num_env_runner_restarts",
    "evaluation_num_workers": BACKEND + "evaluation_num_env_runners",
    "evaluation_num_env_runners": BACKEND + "evaluation_num_env_runners",
    "evaluation_duration": "eval_episodes",
    "env_config": "env_kwargs",
    "timesteps_total": "total_timesteps",
    "experiment_name": "name",
}
"""RLlib's names that say one thing, and where it stands in our configuration."""

FIXED: dict[str, tuple[Any, ...]] = {
    "framework": ("torch",),
    "use_gae": (True,),
    "use_critic": (True,),
    "vtrace": (True,),
    "grad_clip_by": ("global_norm",),
    "evaluation_duration_unit": ("episodes",),
    "simple_optimizer": (True, False),
    "recreate_failed_workers": (True,),
    "restart_failed_env_runners": (True,),
    "shuffle_sequences": (True,),
    "shuffle_batch_per_epoch": (True,),
}
"""Settings that have one value here; naming it is fine."""

COMPUTED = (
    "num_envs_per_worker",
    "num_envs_per_env_runner",
    "train_batch_size",
    "train_batch_size_per_learner",
    "evaluation_interval",
    "checkpoint_frequency",
    "observation_filter",
    "stop",
    "num_gpus",
    "model",
    "callbacks",
)
"""RLlib's names whose meaning depends on other fields."""

RUNNER_NAMES = ("num_workers", "num_rollout_workers", "num_env_runners")
ENVS_PER_RUNNER = 4
"""Environments of each runner where a file names the runners in RLlib's words and says no more."""


DEFAULTS: dict[str, Any] = {
    "lr": 5e-5,
    "gamma": 0.99,
    "lambda": 0.95,
    "entropy_coeff": 0.01,
    "clip_param": 0.2,
    "sgd_minibatch_size": 128,
    "num_sgd_iter": 30,
}
"""Documented defaults of PPO, for what a file in RLlib's words leaves out."""
TRAIN_BATCH_SIZE = 4000
"""The documented batch; the nearest number of steps that all environments share equally is taken."""
TELLING = frozenset(
    {
        *DEFAULTS,
        "lambda_",
        "minibatch_size",
        "num_epochs",
        "train_batch_size",
        "train_batch_size_per_learner",
        "num_workers",
        "num_rollout_workers",
        "num_env_runners",
        "num_envs_per_worker",
        "num_envs_per_env_runner",
    }
) - {"gamma"}
"""Names that tell that a file speaks RLlib's language, and means RLlib's defaults by what it does not say."""


def read_rllib_names(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values of a file under our names; ``ConfigError`` names what cannot be honored.

    A file for PPO that sets its training in RLlib's words gets the documented defaults for the rest of it.
    """
    given = refuse_unsupported(without_headings(values))
    for name, allowed in FIXED.items():
        if name in given and given.pop(name) not in allowed:
            raise ConfigError(f"{name}: RLlib has {' or '.join(map(str, allowed))} here; leave it out")
    found: dict[str, Any] = {name: each for name, each in given.items() if is_ours(name)}
    said: dict[str, str] = {}
    for name in [name for name in given if name in NAMES]:
        put_once(found, NAMES[name], given[name], name, said)
    lift_schedule(found, said)
    put_network(found, given, said)
    compute(found, given, said)
    if TELLING & set(given):
        fill_defaults(found)
    known = {*NAMES, *COMPUTED, *TrainerConfig.model_fields}
    for name in given:
        if name not in known:
            found[name] = given[name]  # refused with the others that no configuration has
    return found


def is_ours(name: str) -> bool:
    """Whether a name is a field of our configuration."""
    return name in TrainerConfig.model_fields


def without_headings(values: Mapping[str, Any]) -> dict[str, Any]:
    """What stands under RLlib's headings, put beside the rest; a name twice is an error."""
    flat: dict[str, Any] = {}
    for name, value in values.items():
        inner = (
            cast("dict[str, Any]", value) if name in HEADINGS and isinstance(value, dict) else {name: value}
        )
        for key, each in inner.items():
            if key in flat:
                raise ConfigError(f"{key}: is given twice, under different headings")
            flat[key] = each
    return flat


def put_once(found: dict[str, Any], path: str, value: Any, name: str, said: dict[str, str]) -> None:
    """Set a field; two names that say different things about it are an error."""
    inner = found
    *sections, last = path.split(".")
    for section in sections:
        inner[section] = dict(inner.get(section) or {})
        inner = inner[section]
    if last in inner and inner[last] != value:
        raise ConfigError(
            f"{name}: says {value!r}, but {said.get(path, path)} says {inner[last]!r}; they are one setting"
        )
    inner[last] = value
    said[path] = name


def lift_schedule(found: dict[str, Any], said: dict[str, str]) -> None:
    """Put a schedule of difficulties, wherever it stands, where ours is, as our list of steps."""
    if isinstance(found.get("difficulty_schedule"), dict):
        found["difficulty_schedule"] = schedule_of(found["difficulty_schedule"])
    options = section(found, "env_kwargs")
    if "difficulty_schedule" in options:
        schedule = options["difficulty_schedule"]
        found["env_kwargs"] = {name: each for name, each in options.items() if name != "difficulty_schedule"}
        steps = schedule_of(cast("dict[Any, Any]", schedule)) if isinstance(schedule, dict) else schedule
        put_once(found, "difficulty_schedule", steps, "env_config.difficulty_schedule", said)


def put_network(found: dict[str, Any], given: Mapping[str, Any], said: dict[str, str]) -> None:
    """Put in what ``model:`` says of the network, and the callbacks."""
    own = section(found, "network_sizes")
    for name, path, value, asked in model_fields(given.get("model")):
        if asked or path.removeprefix("network_sizes.") not in own:
            put_once(found, path, value, name, said)
    if "callbacks" in given:
        named = callbacks_name(given["callbacks"])
        if named is not None:
            put_once(found, BACKEND + "callbacks", named, "callbacks", said)


def put_gpus(found: dict[str, Any], given: Mapping[str, Any], said: dict[str, str]) -> None:
    """Graphics cards of all learners together: one each, and as many learners where there are several."""
    if "num_gpus" not in given:
        return
    cards = given["num_gpus"]
    if isinstance(cards, bool) or not isinstance(cards, (int, float)) or cards < 0:
        raise ConfigError(f"num_gpus: expected a number of graphics cards, got {cards!r}")
    learners = number(section(found, "backend_options").get("num_learners", 0), "num_learners")
    if cards > 1 and not learners:
        learners = number(cards, "num_gpus")
        put_once(found, BACKEND + "num_learners", learners, "num_gpus", said)
    put_once(found, BACKEND + "num_gpus_per_learner", cards / max(1, learners), "num_gpus", said)


def compute(found: dict[str, Any], given: Mapping[str, Any], said: dict[str, str]) -> None:
    """Put in what RLlib counts per runner or per iteration."""
    put_gpus(found, given, said)
    backend = section(found, "backend_options")
    runners = max(1, number(backend.get("num_env_runners", 0), "num_env_runners"))
    learners = max(1, number(backend.get("num_learners", 0), "num_learners"))
    for name in ("num_envs_per_worker", "num_envs_per_env_runner"):
        if name in given:
            put_once(found, "n_envs", number(given[name], name) * runners, name, said)
    if "n_envs" not in found and any(name in given for name in RUNNER_NAMES):
        found["n_envs"] = ENVS_PER_RUNNER * runners
    batch = None
    for name, times in (("train_batch_size", 1), ("train_batch_size_per_learner", learners)):
        if name in given:
            batch = number(given[name], name) * times
            put_batch(found, batch, name, said)
    for name, path in (("evaluation_interval", "eval_freq"), ("checkpoint_frequency", "checkpoint_freq")):
        if given.get(name):
            steps = batch or steps_per_iteration(found)
            put_once(found, path, number(given[name], name) * steps, name, said)
    if "observation_filter" in given:
        put_once(found, "normalize_obs", filter_of(given["observation_filter"]), "observation_filter", said)
    if "stop" in given:
        stop = given["stop"]
        if not isinstance(stop, dict) or set(cast("dict[str, Any]", stop)) != {"timesteps_total"}:
            raise ConfigError(f"stop: expected timesteps_total alone, got {stop!r}")
        put_once(found, "total_timesteps", stop["timesteps_total"], "stop.timesteps_total", said)


def fill_defaults(found: dict[str, Any]) -> None:
    """Put in the documented defaults of PPO where neither RLlib's names nor ours say anything."""
    if found.get("algorithm", "PPO") != "PPO":
        return
    hyperparams = found["hyperparams"] = dict(section(found, "hyperparams"))
    own = hyperparams["algorithm_specific"] = dict(section(hyperparams, "algorithm_specific"))
    envs = number(found.get("n_envs", TrainerConfig().n_envs), "n_envs")
    own.setdefault("n_steps", max(1, round(TRAIN_BATCH_SIZE / envs)))
    for name, value in DEFAULTS.items():
        *sections, last = NAMES[name].split(".")
        place = own if len(sections) > 1 else hyperparams
        if name == "sgd_minibatch_size":
            value = min(value, number(own["n_steps"], "n_steps") * envs)  # noqa: PLW2901  never more than a batch
        place.setdefault(last, value)


def put_batch(found: dict[str, Any], batch: int, name: str, said: dict[str, str]) -> None:
    """The steps of an update: per environment for PPO, as they are for the others."""
    if found.get("algorithm", "PPO") != "PPO":
        put_once(found, OWN + "batch_size", batch, name, said)
        return
    envs = number(found.get("n_envs", TrainerConfig().n_envs), "n_envs")
    if batch % envs:
        raise ConfigError(
            f"{name}: {batch} steps cannot be shared out equally among {envs} environments; choose a multiple, such as "
            f"{max(1, round(batch / envs)) * envs}"
        )
    put_once(found, OWN + "n_steps", batch // envs, name, said)


def steps_per_iteration(found: Mapping[str, Any]) -> int:
    """Steps of an iteration of PPO."""
    own = section(section(found, "hyperparams"), "algorithm_specific")
    default = get_default_config().hyperparams.algorithm_specific["n_steps"]
    envs = found.get("n_envs", TrainerConfig().n_envs)
    return number(own.get("n_steps", default), "n_steps") * number(envs, "n_envs")


def section(values: Mapping[str, Any], name: str) -> dict[str, Any]:
    """A section of the values; an empty one if it is not there."""
    return cast("dict[str, Any]", values.get(name) or {})


def number(value: Any, name: str) -> int:
    """A whole number."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != int(value) or value < 0:
        raise ConfigError(f"{name}: expected a whole number, got {value!r}")
    return int(value)


def filter_of(value: Any) -> bool:
    """Whether RLlib's observation filter normalizes."""
    known = {"MeanStdFilter": True, "NoFilter": False}
    if value not in known:
        raise ConfigError(f"observation_filter: expected MeanStdFilter or NoFilter, got {value!r}")
    return known[value]


def schedule_of(schedule: Mapping[Any, Any]) -> list[dict[str, Any]]:
    """``{easy: 0, medium: 100000}`` or ``{0: easy, 100000: medium}`` as our list of steps."""
    steps = [
        {"timestep": each, "difficulty": key}
        if isinstance(key, str)
        else {"timestep": key, "difficulty": each}
        for key, each in schedule.items()
    ]
    return sorted(steps, key=lambda step: number(step["timestep"], "difficulty_schedule"))
