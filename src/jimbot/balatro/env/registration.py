"""Tells Gymnasium about the environments."""

import gymnasium

ID = "jimbot/Balatro-v0"


def register_environments() -> None:
    """Register ``jimbot/Balatro-v0``, single and vectorised; a second call does nothing."""
    if ID not in gymnasium.registry:
        gymnasium.register(  # pyright: ignore[reportUnknownMemberType]
            id=ID,
            entry_point="jimbot.balatro.env.single:BalatroEnv",
            vector_entry_point="jimbot.balatro.env.vector:BalatroVectorEnv",
            disable_env_checker=True,
        )
