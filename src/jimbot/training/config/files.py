"""Configurations as YAML files, and the layers they are put together from.

Defaults lie below the file, the file below environment variables (``JIMBOT_TOTAL_TIMESTEPS``,
``JIMBOT_HYPERPARAMS__LEARNING_RATE``), those below flags.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import yaml

from jimbot.field_errors import unknown_field
from jimbot.training.config.file_kinds import CONFIGURATION, FileKind, check_kind
from jimbot.training.config.recipes import SAVED_ACTIONS, recipe_values, with_actions
from jimbot.training.config.trainer_config import (
    DEFAULT_BACKEND,
    ConfigError,
    HyperparameterConfig,
    TrainerConfig,
    default_values,
    field_candidates,
)

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
    return build(read_file(path, CONFIGURATION), str(path))


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
    address: str | None = None,
    *,
    recipe: bool = False,
) -> TrainerConfig:
    """Defaults, then a file, then environment variables, then flags.

    A flag or variable may leave the section out where that is clear: ``learning_rate`` is
    ``hyperparams.learning_rate``.

    Args:
        file: a YAML file.
        flags: values by dotted path (``hyperparams.learning_rate``); None values are not given.
        environment: variables; those of the process if None.
        address: of a cluster to join, for backends that can.
        recipe: without a file, take Balatro's recipe of the algorithm for defaults if there is one.
    """
    values = read_file(file, CONFIGURATION) if file is not None else {}
    saved = is_whole(values)
    variables = os.environ if environment is None else environment
    origins: dict[str, str] = {}
    for name in sorted(variables):
        if name.startswith(PREFIX) and name not in RESERVED:
            path = name.removeprefix(PREFIX).lower().split(SEPARATOR.lower())
            origin = origins[path[0]] = f"the variable {name}"
            put(values, path, parse_yaml(variables[name], origin), origin)
    for name, value in (flags or {}).items():
        if value is not None:
            put(values, name.split("."), value, name)
            origins[name.split(".")[0]] = name
    if address is not None:
        put(values, ["backend_options", address_option(backend_name(values))], address, "--address")
    origin = str(file) if file is not None else "the configuration"
    config = build(values, origin, loose=origins, recipe=recipe and file is None)
    # A saved configuration spells out everything; older ones say nothing about a mode that was the only default.
    return with_actions(config, actions=SAVED_ACTIONS) if saved else config


RESERVED = frozenset({"JIMBOT_LOG_LEVEL"})
"""Variables that are not fields."""


def parse_assignment(text: str) -> tuple[str, Any]:
    """Path and value of ``hyperparams.learning_rate=1e-4``."""
    path, equals, value = text.partition("=")
    if not equals or not path.strip():
        raise ConfigError(f"expected FIELD=VALUE, got {text!r}")
    return path.strip(), parse_yaml(value, path.strip())


def read_file(path: str | Path, kind: FileKind) -> dict[str, Any]:
    """The mapping a YAML file holds; a file that another command takes is refused with that command.

    ``extends: other.yaml`` takes over another file, relative to this one; what this file says comes on top.
    """
    values = read_mapping(Path(path))
    check_kind(values, kind, Path(path))
    return values


def read_mapping(path: Path, within: tuple[Path, ...] = ()) -> dict[str, Any]:
    """The mapping a YAML file holds, whatever it is for, over those that it extends."""
    if path.resolve() in within:
        raise ConfigError(f"{path}: extends itself")
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"cannot read the configuration {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ConfigError(f"{path} is not text") from None
    values = as_mapping(parse_yaml(text, str(path)), str(path))
    base = values.pop("extends", None)
    if base is None:
        return values
    if not isinstance(base, str):
        raise ConfigError(f"{path}: extends: expected the path of a file, got {base!r}")
    return merge(read_mapping(path.parent / base, (*within, path.resolve())), values)


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


def build(
    values: dict[str, Any], origin: str, *, loose: Mapping[str, str] | None = None, recipe: bool = False
) -> TrainerConfig:
    """A configuration in which fields that were not given have their algorithm's defaults.

    Args:
        values: as a file has them, in the words of its backend.
        origin: names them in errors.
        loose: names at the top that may stand for a field further inside, and what to call each in errors.
        recipe: whether Balatro's recipe takes the place of the algorithm's defaults.
    """
    try:
        values = translate_names(values)
        values = find_sections(values, loose or {})
        algorithm = values.get("algorithm", "PPO")
        base = default_values(algorithm) if isinstance(algorithm, str) and not is_whole(values) else {}
        if recipe:
            base = merge(base, recipe_values(values))
        return TrainerConfig.from_dict(merge(base, values)).check_combinations()
    except ConfigError as error:
        raise ConfigError(f"{origin}: {error}") from None


def is_whole(values: Mapping[str, Any]) -> bool:
    """Whether every hyperparameter is given, as in a file that ``save_config`` wrote: nothing is added to it."""
    given = values.get("hyperparams")
    return isinstance(given, dict) and set(cast("Any", given)) >= set(HyperparameterConfig.model_fields)


def backend_name(values: Mapping[str, Any]) -> str:
    """The backend that a file names."""
    return str(values.get("backend", DEFAULT_BACKEND))


def address_option(backend: str) -> str:
    """The option of a backend that holds the address of a cluster."""
    from jimbot.training.config.backend_registry import available_trainers, find_trainer

    option = find_trainer(backend).capabilities.cluster_address
    if option is None:
        able = [name for name in available_trainers() if find_trainer(name).capabilities.cluster_address]
        raise ConfigError(
            f"--address: backend {backend} joins no cluster; backends that do: {', '.join(able)}"
        )
    return option


def translate_names(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values under the configuration's own names; a backend may have others for them."""
    if backend_name(values) == DEFAULT_BACKEND:
        return dict(values)
    from jimbot.training.config.backend_registry import find_trainer

    return find_trainer(backend_name(values)).read_names(values)


def find_sections(values: Mapping[str, Any], loose: Mapping[str, str]) -> dict[str, Any]:
    """The values with names given alone put where the only field of that name is."""
    found = dict(values)
    for name, origin in loose.items():
        if name not in found or name in TrainerConfig.model_fields:
            continue
        known = field_candidates(found.get("algorithm", "PPO"))
        paths = [path for path in known if path.endswith(f".{name}")]
        paths = [path for path in paths if path.startswith("hyperparams.")] or paths
        if name in SHORT_NAMES:
            paths = [f"hyperparams.{SHORT_NAMES[name]}"]
        if len(paths) != 1:
            text = unknown_field(name, paths or [*known, *field_candidates()])
            text += "" if "did you mean" in text else f"; {TrainerConfig.fields_are_listed_by} lists them all"
            raise ConfigError(text if origin == name else f"{origin}: {text}")
        found = merge(found, nested(paths[0].split("."), found.pop(name)))
    return found


SHORT_NAMES = {
    "lr": "learning_rate",
    "ent_coef": "entropy_coefficient",
    "vf_coef": "value_function_coefficient",
}
"""Other libraries' names of hyperparameters that mean one field here."""


def nested(path: list[str], value: Any) -> dict[str, Any]:
    """A value inside a mapping for every part of a path."""
    return {path[0]: nested(path[1:], value) if len(path) > 1 else value}


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
