"""jimbot: a seed-exact headless Balatro engine, and reinforcement learning on it.

Importing this package imports neither NumPy nor Gymnasium, neither the compiled engine nor a training library: a name
below is imported when it is first used. The environments are registered with Gymnasium, whichever of the two packages
is imported first:

    >>> import gymnasium
    >>> import jimbot
    >>> env = gymnasium.make("jimbot/Balatro-v0")

Without an import of jimbot, ``gymnasium.make("jimbot:jimbot/Balatro-v0")`` does the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jimbot.lazy import lazy_attributes
from jimbot.registration import register_on_import

if TYPE_CHECKING:
    from jimbot.balatro.env.single import BalatroEnv
    from jimbot.balatro.env.vector import BalatroVectorEnv
    from jimbot.balatro.game.game import Game
    from jimbot.players import create_player
    from jimbot.registration import make, register_environments
    from jimbot.training.config.trainer_config import TrainerConfig
    from jimbot.training.framework import create_trainer

    __version__: str

__all__ = [
    "BalatroEnv",
    "BalatroVectorEnv",
    "Game",
    "TrainerConfig",
    "__version__",
    "create_player",
    "create_trainer",
    "make",
    "register_environments",
]

get_public_name = lazy_attributes(
    __name__,
    {
        ".balatro.env.single": ("BalatroEnv",),
        ".balatro.env.vector": ("BalatroVectorEnv",),
        ".balatro.game.game": ("Game",),
        ".players": ("create_player",),
        ".registration": ("make", "register_environments"),
        ".training.config.trainer_config": ("TrainerConfig",),
        ".training.framework": ("create_trainer",),
    },
)


def __getattr__(name: str) -> Any:
    """A public name, or ``__version__`` from the metadata of the installed package."""
    if name == "__version__":
        from importlib.metadata import version

        return version("jimbot")
    return get_public_name(name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


register_on_import()
