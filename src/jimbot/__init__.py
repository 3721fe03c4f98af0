"""jimbot: a seed-exact headless Balatro engine, and reinforcement learning on it.

Importing this package imports nothing else: not numpy, not the compiled engine, no training library. Each
room (``jimbot.balatro``, ``jimbot.cli``, …) is imported on its own, and brings what it needs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

__all__ = ["__version__"]

if TYPE_CHECKING:
    __version__: str
else:

    def __getattr__(name: str) -> str:
        """``__version__``, read from the installed package's metadata when it is first asked for."""
        if name == "__version__":
            from importlib.metadata import version

            return version("jimbot")
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
