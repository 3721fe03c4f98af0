"""More environments like one that exists already, wrappers included.

A wrapper is copied with everything it holds; only the environment below the wrappers is made anew where
that is possible, because compiled games and open windows cannot be copied.
"""

from __future__ import annotations

import copy
import functools
import inspect
from dataclasses import fields
from typing import TYPE_CHECKING, Any, cast

import gymnasium

from jimbot.balatro.env.options import EnvOptions
from jimbot.balatro.env.single import BalatroEnv
from jimbot.training.config.trainer_config import ConfigError, CurriculumConfig
from jimbot.training.envs.wrappers import CurriculumWrapper

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from gymnasium.envs.registration import EnvSpec

__all__ = ["balatro_options", "copyable_spec", "create_copier", "make_from_spec"]

ADVICE = (
    "give create_trainer the class, or a function that makes one with its wrappers: "
    "create_trainer(lambda: MyWrapper(MyEnvironment()), config)"
)


class Placeholder(gymnasium.Env[Any, Any]):
    """Stands in a copied stack of wrappers for the environment that is made anew."""


def create_copier(
    env: gymnasium.Env[Any, Any],
) -> tuple[Callable[[], gymnasium.Env[Any, Any]], CurriculumConfig | None]:
    """A function that makes environments like this one, and the curriculum of a wrapper among its wrappers.

    The curriculum is left out of the copies: the trainer raises the finishing ante of all its environments together.

    Raises:
        ConfigError: if no second environment can be made.
    """
    spec = copyable_spec(env)
    if spec is not None:
        return functools.partial(make_from_spec, spec, {}), None
    base = env.unwrapped
    name = describe_stack(env)
    maker = base_maker(base)
    placeholder = Placeholder()
    try:
        template = copy.deepcopy(env, {id(base): placeholder})
        template, curriculum = without_curriculum(template)
        copier = functools.partial(copy_stack, template, placeholder, maker)
        copier().close()
    except Exception as error:  # noqa: BLE001  a wrapper's own copying may raise anything
        reason = " ".join(str(error).split())
        raise ConfigError(
            f"env: a second {name} cannot be made ({type(error).__name__}: {reason}), which n_envs and evaluations "
            f"need; {ADVICE}"
        ) from None
    return copier, curriculum


def copy_stack(
    template: gymnasium.Env[Any, Any], placeholder: Placeholder, maker: Callable[[], gymnasium.Env[Any, Any]]
) -> gymnasium.Env[Any, Any]:
    """A copy of a stack of wrappers around a new environment."""
    return copy.deepcopy(template, {id(placeholder): maker()})


def base_maker(base: gymnasium.Env[Any, Any]) -> Callable[[], gymnasium.Env[Any, Any]]:
    """What makes one more of an environment without wrappers."""
    if type(base) is BalatroEnv:
        options = {"discount": base.options.discount, **balatro_options(base.options)}
        return functools.partial(BalatroEnv, checked=base.checked, **options)
    spec = copyable_spec(base)
    if spec is not None:
        return functools.partial(make_unwrapped, spec)
    try:
        pristine = copy.deepcopy(base)
    except Exception:  # noqa: BLE001  so may an environment's
        if inspect.signature(type(base)).parameters:
            raise_not_copyable(base)
        return type(base)
    return functools.partial(copy.deepcopy, pristine)


def raise_not_copyable(base: gymnasium.Env[Any, Any]) -> None:
    """Refuse an environment whose arguments are not known and that cannot be copied."""
    raise ConfigError(
        f"env: this {type(base).__name__} cannot be copied, and the arguments it was made with are not known; {ADVICE}"
    )


def make_unwrapped(spec: EnvSpec) -> gymnasium.Env[Any, Any]:
    """One environment of a specification, without the wrappers that ``gymnasium.make`` puts around it."""
    return make_from_spec(spec, {}).unwrapped


def without_curriculum(
    env: gymnasium.Env[Any, Any],
) -> tuple[gymnasium.Env[Any, Any], CurriculumConfig | None]:
    """A stack of wrappers without its CurriculumWrapper, and what that asked for."""
    curriculum: CurriculumConfig | None = None
    outer: Any = None
    layer: Any = env
    while isinstance(layer, gymnasium.Wrapper):
        below = cast("Any", layer).env
        if isinstance(layer, CurriculumWrapper):
            curriculum = layer.config
            if outer is None:
                env = below
            else:
                outer.env = below
        else:
            outer = cast("Any", layer)
        layer = below
    return env, curriculum


def describe_stack(env: gymnasium.Env[Any, Any]) -> str:
    """The names of an environment and its wrappers, outermost first."""
    names: list[str] = []
    layer: Any = env
    while isinstance(layer, gymnasium.Wrapper):
        names.append(type(cast("Any", layer)).__name__)
        layer = cast("Any", layer).env
    return " around ".join([*names, type(layer).__name__])


def make_from_spec(spec: EnvSpec, options: Mapping[str, Any]) -> gymnasium.Env[Any, Any]:
    """One environment of a specification."""
    try:
        return cast("Any", gymnasium).make(spec, **options)
    except TypeError as error:
        raise ConfigError(f"env_kwargs: {spec.id} refused them: {error}") from None
    except (gymnasium.error.DependencyNotInstalled, ImportError) as error:
        raise ConfigError(
            f"env: {spec.id} needs a library that is not installed: {' '.join(str(error).split())}"
        ) from None


def copyable_spec(env: gymnasium.Env[Any, Any]) -> EnvSpec | None:
    """The specification that makes more of an environment, wrappers included; None if there is none."""
    try:
        spec = env.spec
    except ValueError:
        return None
    if spec is None or spec.entry_point is None:
        return None
    try:
        make_from_spec(spec, {}).close()
    except (gymnasium.error.Error, ValueError, ConfigError):
        return None
    return spec


def balatro_options(options: EnvOptions) -> dict[str, Any]:
    """Balatro's options as keyword arguments, as far as they are not the defaults."""
    default = EnvOptions()
    values = {
        each.name: getattr(options, each.name)
        for each in fields(options)
        if getattr(options, each.name) != getattr(default, each.name)
    }
    if "difficulty" in values:  # it sets the finishing ante
        values.pop("max_ante", None)
    return values
