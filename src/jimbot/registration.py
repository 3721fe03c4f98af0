"""The Gymnasium environments of jimbot: their ids, their registration, and ``make``.

Gymnasium has no plugin entry points, so an environment is known only after somebody called ``gymnasium.register``.
``import jimbot`` does that when Gymnasium is already imported, which costs nothing: entry points are strings, and the
engine is loaded by the first environment that is made. ``jimbot.make`` and importing ``jimbot.balatro`` or
``jimbot.therapy`` register as well, in any order of imports.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import gymnasium
    from gymnasium.vector import VectorEnv

__all__ = ["BALATRO", "THERAPY", "make", "register_environments"]

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
