"""Where demonstrations were played, so that they can be played again: in this process, or from a file years later."""

from __future__ import annotations

import base64
from dataclasses import asdict
from typing import TYPE_CHECKING, Any, cast

import gymnasium
from gymnasium.wrappers import OrderEnforcing, PassiveEnvChecker

from jimbot.balatro.env.single import BalatroEnv
from jimbot.storage.strict_json import dump_json
from jimbot.training.envs.wrappers import BalatroGymWrapper, CurriculumWrapper

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["EpisodeSource", "inner_balatro", "passes_through", "vector_options"]

PASSED_THROUGH = (OrderEnforcing, PassiveEnvChecker, BalatroGymWrapper, CurriculumWrapper)
"""Wrappers that change neither observations nor rewards."""


class EpisodeSource:
    """An environment of one's own to play episodes again in, and its description if there can be one.

    Args:
        env: where episodes are played; if it can be made anew from a description, another one is used to replay.
        description: plain data that make it, or None.
    """

    def __init__(self, env: gymnasium.Env[Any, Any] | None, description: dict[str, Any] | None) -> None:
        self._given = env
        self._made: gymnasium.Env[Any, Any] | None = None
        self.description = description

    @classmethod
    def of(cls, env: gymnasium.Env[Any, Any]) -> EpisodeSource:
        """The source that an environment is."""
        balatro = inner_balatro(env)
        if balatro is not None:
            return cls(env, {"balatro": balatro_options(balatro), "checked": balatro.checked})
        return cls(env, registered_description(env))

    def env(self) -> gymnasium.Env[Any, Any]:
        """The environment to replay in, made when it is first needed."""
        if self._made is None:
            self._made = self._given if self.description is None else make(self.description)
        if self._made is None:
            from jimbot.training.cloning.trajectories import CloningError

            raise CloningError(
                "these demonstrations were played in an environment that has no description; give it as env"
            )
        return self._made

    def same_as(self, env: gymnasium.Env[Any, Any]) -> bool:
        """Whether an environment is still as it was when this source was made of it."""
        balatro = inner_balatro(env)
        if balatro is None or self.description is None:
            return True
        return self.description.get("balatro") == balatro_options(balatro)


def inner_balatro(env: gymnasium.Env[Any, Any]) -> BalatroEnv | None:
    """The Balatro environment inside wrappers that pass everything through."""
    inner: Any = env
    while isinstance(inner, PASSED_THROUGH):
        inner = cast("Any", inner).env
    return inner if isinstance(inner, BalatroEnv) else None


def passes_through(env: gymnasium.Env[Any, Any]) -> bool:
    """Whether an environment is Balatro, refuses illegal actions, and no wrapper around it changes anything at all."""
    inner: Any = env
    while isinstance(inner, PASSED_THROUGH) and not isinstance(inner, CurriculumWrapper):
        inner = cast("Any", inner).env
    return isinstance(inner, BalatroEnv) and inner.checked


def balatro_options(env: BalatroEnv) -> dict[str, Any]:
    """The options as plain data."""
    from jimbot.training.envs.copying import balatro_options as changed_options

    plain: dict[str, Any] = {}
    for name, value in changed_options(env.options).items():
        if name == "starts":
            plain[name] = [base64.b64encode(start).decode() for start in value]
        elif name == "rewards":
            plain[name] = asdict(value)
        else:
            plain[name] = list(cast("tuple[Any, ...]", value)) if isinstance(value, tuple) else value
    return plain


def registered_description(env: gymnasium.Env[Any, Any]) -> dict[str, Any] | None:
    """Id and options of a registered environment; None for one that is wrapped further or cannot be made by its id."""
    from jimbot.training.envs.copying import copyable_spec

    spec = copyable_spec(env)
    if spec is None or spec.additional_wrappers or ":" in spec.id or spec.id not in gymnasium.registry:
        return None
    if gymnasium.registry[spec.id].entry_point != spec.entry_point:
        return None
    description: dict[str, Any] = {
        "gymnasium": spec.id,
        "options": {
            name: value
            for name, value in cast("dict[str, Any]", cast("Any", spec).kwargs).items()
            if name != "render_mode"
        },
        "max_episode_steps": spec.max_episode_steps,
    }
    try:
        dump_json(description)
    except (ValueError, TypeError):
        return None
    return description


def vector_options(description: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """Options of a native vector that plays the episodes of a description; None if it is not of plain Balatro."""
    if description is None or "balatro" not in description or not description.get("checked", True):
        return None
    return decoded(description["balatro"])


def decoded(options: Mapping[str, Any]) -> dict[str, Any]:
    """Balatro's options from plain data."""
    found = dict(options)
    if "starts" in found:
        found["starts"] = [base64.b64decode(start) for start in found["starts"]]
    return found


def make(description: Mapping[str, Any]) -> gymnasium.Env[Any, Any]:
    """The environment of a description: Balatro, or one that is registered under its id."""
    if "balatro" in description:
        options = decoded(description["balatro"])
        return BalatroEnv(checked=bool(description.get("checked", True)), **options)
    from jimbot.training.cloning.trajectories import CloningError
    from jimbot.training.envs.creation import environment_id

    name = str(description["gymnasium"])
    environment_id(name)  # registers what is ours
    if ":" in name or name not in gymnasium.registry:
        raise CloningError(
            f"the demonstrations are of {name!r}, which is not registered; import what registers it"
        )
    limit = description["max_episode_steps"]
    return cast("Any", gymnasium).make(name, max_episode_steps=limit, **description["options"])
