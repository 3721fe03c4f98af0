"""RLlib's ``model:`` and ``callbacks:`` in a configuration file, as fields of ours."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from jimbot.training.config.trainer_config import ConfigError

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["callbacks_name", "model_fields"]

NETWORK = "BalatroNet"
CALLBACKS = "BalatroCallbacks"
NOT_SIZES = frozenset(
    {"version", "kind", "fields", "dict_observation", "actions", "action_mode", "knowledge_dim"}
)
"""Parts of a network's description that follow from the environment."""
IN_HYPERPARAMS = frozenset({"features_dim", "policy_net_arch", "value_net_arch"})
"""Sizes that every backend has among its hyperparameters; the others are in ``network_sizes``."""


def model_fields(model: Any) -> Iterator[tuple[str, str, Any, bool]]:
    """Name in the file, path of our field, value, and whether it was given, for everything that ``model:`` says.

    ``custom_model: BalatroNet`` is the network with the sizes of its first design; those that
    ``custom_model_config`` names take their place.
    """
    from jimbot.networks import COMPACT_SIZES

    values = section(model, "model")
    unknown = set(values) - {"custom_model", "custom_model_config"}
    if unknown:
        raise ConfigError(
            f"model.{min(unknown)}: there is no such field; allowed are custom_model, custom_model_config"
        )
    named = values.get("custom_model")
    if named not in (None, NETWORK):
        raise ConfigError(f"model.custom_model: the network here is {NETWORK}, got {named!r}")
    given = section(values.get("custom_model_config"), "model.custom_model_config")
    sizes = documented_sizes()
    for name in given:
        if name not in sizes:
            raise ConfigError(
                f"model.custom_model_config.{name}: there is no such size; allowed are {', '.join(sorted(sizes))}"
            )
    if named is not None:
        yield "model.custom_model", "feature_extractor_type", "balatro", True
    for name, size in sizes.items():
        place = "hyperparams" if name in IN_HYPERPARAMS else "network_sizes"
        if name in given:
            yield f"model.custom_model_config.{name}", f"{place}.{name}", given[name], True
        elif named is not None and name in COMPACT_SIZES and place == "network_sizes":
            yield "model.custom_model", f"{place}.{name}", size, False


def documented_sizes() -> dict[str, Any]:
    """The sizes of a network by name, as its first design has them."""
    from jimbot.networks import NetworkSpec

    defaults: dict[str, Any] = {
        name: cast("Any", field).default
        for name, field in NetworkSpec.model_fields.items()
        if name not in NOT_SIZES
    }
    return {name: plain(each) for name, each in defaults.items()}


def plain(value: Any) -> Any:
    """A size as a file has it."""
    return [*cast("tuple[int, ...]", value)] if isinstance(value, tuple) else value


def section(value: Any, path: str) -> dict[str, Any]:
    """A section of a file; an empty one if it is not there."""
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise ConfigError(f"{path}: expected fields and values, got {value!r}")
    return cast("dict[str, Any]", value)


def callbacks_name(value: Any) -> str | None:
    """``module:Class`` of callbacks that are given as a class, as ``BalatroCallbacks`` or as a dotted name."""
    if value is None or value == CALLBACKS:
        return None
    if isinstance(value, type):
        return f"{value.__module__}:{value.__qualname__}"
    module, _, name = str(value).replace(":", ".").rpartition(".")
    if not isinstance(value, str) or not module or not name:
        raise ConfigError(
            f"callbacks: expected a class of RLlib callbacks, {CALLBACKS} or module:Class, got {value!r}"
        )
    return f"{module}:{name}"
