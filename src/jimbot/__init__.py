"""jimbot: a seed-exact headless Balatro engine, and reinforcement learning on it.

Importing this package imports nothing else: not numpy, not the compiled engine, no training library. A name below is
imported when it is first used, and each package (``jimbot.balatro``, ``jimbot.cli``, …) brings what it needs.

If Gymnasium is imported already, the environments are registered with it: ``import gymnasium, jimbot`` is enough for
``gymnasium.make("jimbot/Balatro-v0")``. See ``jimbot.registration`` for the other ways.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from jimbot.lazy import lazy_attributes

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


if "gymnasium" in sys.modules:
    from jimbot import registration

    registration.register_environments()
