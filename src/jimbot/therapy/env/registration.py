"""Tells Gymnasium about the environments."""

import gymnasium

__all__ = ["ID", "register_environments"]

ID = "jimbot/Therapy-v0"


def register_environments() -> None:
    """Register ``jimbot/Therapy-v0``, single and vectorised; a second call does nothing."""
    if ID not in gymnasium.registry:
        gymnasium.register(  # pyright: ignore[reportUnknownMemberType]
            id=ID,
            entry_point="jimbot.therapy.env.single:TherapyEnv",
            vector_entry_point="jimbot.therapy.env.vector:TherapyVectorEnv",
            disable_env_checker=True,
        )
