"""What training on Balatro uses where nothing is said: the action mode, and hyperparameters that learn from the start.

``TrainerConfig()`` keeps the documented defaults of the algorithms. They make few, large updates on fixed action
indices, and need many steps before they clear a blind. ``jimbot train`` without a configuration file uses a recipe
instead: small updates, a compact network, actions chosen by their features.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from jimbot.training.config.env_names import BALATRO, known_id

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jimbot.training.config.trainer_config import TrainerConfig

__all__ = ["SAVED_ACTIONS", "TRAINING_ACTIONS", "describe_recipe", "recipe_values", "with_actions"]

TRAINING_ACTIONS = "candidates"
"""Action mode of a new training run on Balatro whose ``env_kwargs`` name none."""
SAVED_ACTIONS = "slots"
"""What whole configurations and studies without a named action mode were trained with."""

COMMON: dict[str, Any] = {
    "env_kwargs": {"actions": TRAINING_ACTIONS, "fast": True},
    "n_envs": 16,
    "eval_freq": 50_000,
    "eval_episodes": 200,
    "checkpoint_freq": 100_000,
}
NETWORK: dict[str, Any] = {"features_dim": 128, "policy_net_arch": [64], "value_net_arch": [64]}
HYPERPARAMS: dict[str, dict[str, Any]] = {
    "PPO": {
        "learning_rate": 3e-4,
        "algorithm_specific": {"n_steps": 128, "batch_size": 256, "n_epochs": 4},
    },
    "A2C": {"learning_rate": 7e-4, "gae_lambda": 1.0, "algorithm_specific": {"n_steps": 16}},
    "DQN": {
        "learning_rate": 3e-4,
        "algorithm_specific": {
            "buffer_size": 100_000,
            "learning_starts": 5_000,
            "batch_size": 128,
            "train_freq": 4,
            "gradient_steps": 2,
            "target_update_interval": 2_000,
            "exploration_fraction": 0.1,
            "exploration_final_eps": 0.02,
        },
    },
}
"""Per algorithm, as in ``configs/balatro/``."""


def recipe_values(given: Mapping[str, Any]) -> dict[str, Any]:
    """The recipe below some given values, as plain data; empty where there is none for their algorithm and environment.

    Args:
        given: what files, variables and flags say; it is laid over the recipe by the caller.
    """
    algorithm = given.get("algorithm", "PPO")
    env = given.get("env", BALATRO)
    if algorithm not in HYPERPARAMS or not isinstance(env, str) or known_id(env) != BALATRO:
        return {}
    own = dict(HYPERPARAMS[algorithm]["algorithm_specific"])
    if algorithm == "PPO":
        own["batch_size"] = fitting_batch(given, own)
    hyperparams = {**NETWORK, **HYPERPARAMS[algorithm], "algorithm_specific": own}
    return {**COMMON, "env_kwargs": dict(COMMON["env_kwargs"]), "hyperparams": hyperparams}


def fitting_batch(given: Mapping[str, Any], own: Mapping[str, Any]) -> int:
    """The recipe's minibatch, or the whole update where the given sizes make that smaller."""
    steps: Any = inner(inner(given, "hyperparams"), "algorithm_specific").get("n_steps", own["n_steps"])
    count: Any = given.get("n_envs", COMMON["n_envs"])
    if not isinstance(steps, int) or not isinstance(count, int):
        return own["batch_size"]  # refused later, by its name
    return max(1, min(own["batch_size"], steps * count))


def inner(values: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """A section of plain data; empty if there is none, or something that will be refused."""
    found: Any = values.get(name, {})
    return cast("Mapping[str, Any]", found) if isinstance(found, dict) else {}


def describe_recipe(config: TrainerConfig) -> str:
    """The recipe that a configuration was made from, in one line."""
    sizes = "-".join(map(str, [config.hyperparams.features_dim, *config.hyperparams.policy_net_arch]))
    return (
        f"{config.algorithm} recipe for Balatro: {config.n_envs} environments, network {sizes}, "
        f"actions: {config.env_kwargs.get('actions')} (--config FILE or --set FIELD=VALUE to change it)"
    )


def with_actions(config: TrainerConfig, env: Any = None, actions: str = TRAINING_ACTIONS) -> TrainerConfig:
    """The configuration with an action mode, if it trains on Balatro and names none.

    Args:
        config: of a training run.
        env: what the trainer is given besides; environments that exist, and functions, keep what they have.
        actions: the mode.
    """
    if env is not None and not isinstance(env, str):
        return config
    if known_id(env or config.env) != BALATRO or "actions" in config.env_kwargs:
        return config
    return config.copy_with(env_kwargs={**config.env_kwargs, "actions": actions})
