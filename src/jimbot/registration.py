"""The Gymnasium environments of jimbot: their ids, their registration, and ``make``.

Gymnasium finds no environments by itself: an id is known only after somebody called ``gymnasium.register``.
``import jimbot`` takes care of that without importing Gymnasium, which takes five times as long as everything else it
does. If Gymnasium is already imported, the environments are registered at once; otherwise an import hook registers
them as soon as Gymnasium is imported. Registering is cheap: entry points are strings, and the engine is loaded when
the first environment is made.
"""

from __future__ import annotations

import sys
from importlib.abc import MetaPathFinder
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType

    import gymnasium
    from gymnasium.vector import VectorEnv

__all__ = ["BALATRO", "THERAPY", "make", "register_environments", "register_on_import"]

BALATRO, THERAPY = "jimbot/Balatro-v0", "jimbot/Therapy-v0"
ENTRY_POINTS = {
    BALATRO: ("jimbot.balatro.env.single:BalatroEnv", "jimbot.balatro.env.vector:BalatroVectorEnv"),
    THERAPY: ("jimbot.therapy.env.single:TherapyEnv", "jimbot.therapy.env.vector:TherapyVectorEnv"),
}
"""Environment id -> entry points of one environment and of many at once."""


def register_environments() -> None:
    """Register every environment of jimbot with Gymnasium; a second call does nothing."""
    import gymnasium

    for name, (single, vector) in ENTRY_POINTS.items():
        if name not in gymnasium.registry:
            gymnasium.register(  # pyright: ignore[reportUnknownMemberType]
                id=name, entry_point=single, vector_entry_point=vector, disable_env_checker=True
            )


class RegisterOnImport(MetaPathFinder):
    """Lets the other finders find Gymnasium, and registers the environments when its import has finished."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Find Gymnasium's own spec, with a loader that also registers; no other module is looked at."""
        if fullname != "gymnasium":
            return None
        others = [finder for finder in sys.meta_path if finder is not self]
        specs = (finder.find_spec(fullname, path, target) for finder in others)
        spec = next((spec for spec in specs if spec is not None), None)
        if spec is not None and spec.loader is not None:
            self._extend(spec.loader)
        return spec

    def _extend(self, loader: Any) -> None:
        load = loader.exec_module

        def load_and_register(module: ModuleType) -> None:
            loader.exec_module = load
            load(module)
            if self in sys.meta_path:
                sys.meta_path.remove(self)
            register_environments()

        loader.exec_module = load_and_register


def register_on_import() -> None:
    """Register the environments now if Gymnasium is imported, and otherwise as soon as it is."""
    if "gymnasium" in sys.modules:
        register_environments()
    elif not any(isinstance(finder, RegisterOnImport) for finder in sys.meta_path):
        sys.meta_path.insert(0, RegisterOnImport())


def make(
    id: str = BALATRO,  # noqa: A002 - Gymnasium's name
    *,
    num_envs: int | None = None,
    **options: Any,
) -> gymnasium.Env[Any, Any] | VectorEnv[Any, Any, Any]:
    """Make an environment, like ``gymnasium.make``; importing jimbot is all the registration it needs.

    Args:
        id: Gymnasium id of an environment.
        num_envs: If given, the environment is a vector environment with this many copies, like ``gymnasium.make_vec``
            makes it. Environments of jimbot step all copies in one call.
        options: Arguments of the environment or of ``gymnasium.make``, for example ``max_ante=3``.

    Example:
        >>> import jimbot
        >>> env = jimbot.make(actions="candidates")
        >>> observation, info = env.reset(seed=1)
    """
    import gymnasium

    register_environments()
    if num_envs is None:
        return gymnasium.make(id, **options)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    return gymnasium.make_vec(id, num_envs=num_envs, **options)  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
