"""Configurations as YAML files, and the layers they are put together from.

Defaults lie below the file, the file below environment variables (``JIMBOT_TOTAL_TIMESTEPS``,
``JIMBOT_HYPERPARAMS__LEARNING_RATE``), those below flags.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import yaml

from jimbot.training.config.trainer_config import DEFAULTS, ConfigError, TrainerConfig, get_default_config

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "config_from_yaml",
    "config_to_yaml",
    "layered_config",
    "load_config",
    "parse_assignment",
    "save_config",
]

PREFIX = "JIMBOT_"
SEPARATOR = "__"


class UniqueKeyLoader(yaml.SafeLoader):
    """Plain YAML in which a repeated key is an error and ``3e-4`` is a number."""


def _mapping(loader: UniqueKeyLoader, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
    seen: set[Any] = set()
    for key_node, _ in node.value:
        key: Any = cast("Any", loader).construct_object(key_node, deep=deep)
        if key in seen:
            raise ConfigError(f"line {key_node.start_mark.line + 1}: {key!r} is given twice")
        seen.add(key)
    return yaml.SafeLoader.construct_mapping(loader, node, deep=deep)


UniqueKeyLoader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _mapping)


def parse_yaml(text: str, origin: str) -> Any:
    """The data of a YAML text; ``origin`` names it in errors."""
    loader = UniqueKeyLoader(text)
    try:
        return numbers_from_words(loader.get_single_data())
    except ConfigError as error:
        raise ConfigError(f"{origin}: {error}") from None
    except yaml.YAMLError as error:
        raise ConfigError(f"{origin} is not YAML: {' '.join(str(error).split())}") from None
    finally:
        cast("Any", loader).dispose()


def numbers_from_words(value: Any) -> Any:
    """YAML 1.1 reads ``3e-4`` as a word; here it is the number it looks like."""
    if isinstance(value, dict):
        return {key: numbers_from_words(each) for key, each in cast("dict[Any, Any]", value).items()}
    if isinstance(value, list):
        return [numbers_from_words(each) for each in cast("list[Any]", value)]
    if isinstance(value, str) and "e" in value.lower() and value[:1] in "-+.0123456789":
        try:
            return float(value)
        except ValueError:
            return value
    return value


def config_from_yaml(text: str, origin: str = "the configuration") -> TrainerConfig:
    """A configuration from YAML text."""
    return build(as_mapping(parse_yaml(text, origin), origin), origin)


def load_config(path: str | Path) -> TrainerConfig:
    """A configuration from a YAML file, without any other layer."""
    return build(read_mapping(Path(path)), str(path))


def config_to_yaml(config: TrainerConfig) -> str:
    """The whole configuration as YAML; reading it gives the same configuration."""
    return yaml.safe_dump(config.to_dict(), sort_keys=False, allow_unicode=True)


def save_config(config: TrainerConfig, path: str | Path) -> Path:
    """Write a configuration to a file, all at once."""
    from jimbot.storage.atomic import write_file_atomically

    target = Path(path)
    try:
        write_file_atomically(target, config_to_yaml(config))
    except OSError as error:
        raise ConfigError(f"cannot write the configuration {target}: {error.strerror}") from None
    return target


def layered_config(
    file: str | Path | None = None,
    flags: Mapping[str, Any] | None = None,
    environment: Mapping[str, str] | None = None,
) -> TrainerConfig:
    """Defaults, then a file, then environment variables, then flags.

    Args:
        file: a YAML file.
        flags: values by dotted path (``hyperparams.learning_rate``); None values are not given.
        environment: variables; those of the process if None.
    """
    values = read_mapping(Path(file)) if file is not None else {}
    variables = os.environ if environment is None else environment
    for name in sorted(variables):
        if name.startswith(PREFIX) and name not in RESERVED:
            path = name.removeprefix(PREFIX).lower().split(SEPARATOR.lower())
            put(values, path, parse_yaml(variables[name], f"the variable {name}"), f"the variable {name}")
    for name, value in (flags or {}).items():
        if value is not None:
            put(values, name.split("."), value, name)
    return build(values, str(file) if file is not None else "the configuration")


RESERVED = frozenset({"JIMBOT_LOG_LEVEL"})
"""Variables that are not fields."""


def parse_assignment(text: str) -> tuple[str, Any]:
    """Path and value of ``hyperparams.learning_rate=1e-4``."""
    path, equals, value = text.partition("=")
    if not equals or not path.strip():
        raise ConfigError(f"expected FIELD=VALUE, got {text!r}")
    return path.strip(), parse_yaml(value, path.strip())


def read_mapping(path: Path) -> dict[str, Any]:
    """The mapping a YAML file holds."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"cannot read the configuration {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{path} is not text") from None
    return as_mapping(parse_yaml(text, str(path)), str(path))


def as_mapping(data: Any, origin: str) -> dict[str, Any]:
    """The data if it is a mapping of names; an empty file is an empty one."""
    if data is None:
        return {}
    if not isinstance(data, dict):
        raise ConfigError(f"{origin}: expected fields and values, got {type(data).__name__}")
    return cast("dict[str, Any]", data)


def put(values: dict[str, Any], path: list[str], value: Any, origin: str) -> None:
    """Set a value deep inside; mappings on the way are made."""
    inner = values
    for part in path[:-1]:
        following: Any = inner.setdefault(part, {})
        if not isinstance(following, dict):
            raise ConfigError(f"{origin}: {part} is not a section")
        inner = cast("dict[str, Any]", following)
    inner[path[-1]] = value


def build(values: dict[str, Any], origin: str) -> TrainerConfig:
    """A configuration in which fields that were not given have their algorithm's defaults."""
    if values.get("backend") == "rllib":
        from jimbot.training.backends.rllib.names import with_our_names

        try:
            values = with_our_names(values)
        except ConfigError as error:
            raise ConfigError(f"{origin}: {error}") from None
    algorithm = values.get("algorithm", "PPO")
    base = get_default_config(algorithm).to_dict() if algorithm in DEFAULTS else {}
    try:
        return TrainerConfig.from_dict(merge(base, values)).check()
    except ConfigError as error:
        raise ConfigError(f"{origin}: {error}") from None


def merge(base: Mapping[str, Any], over: Mapping[str, Any]) -> dict[str, Any]:
    """Two layers in one; sections are merged field by field."""
    merged = dict(base)
    for key, value in over.items():
        below = merged.get(key)
        if isinstance(below, dict) and isinstance(value, dict):
            merged[key] = merge(cast("dict[str, Any]", below), cast("dict[str, Any]", value))
        else:
            merged[key] = value
    return merged
