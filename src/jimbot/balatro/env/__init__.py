"""Balatro as a Gymnasium environment: one run (``BalatroEnv``) or many at once (``BalatroVectorEnv``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jimbot.lazy import lazy_attributes

if TYPE_CHECKING:
    from jimbot.balatro.env.single import BalatroEnv
    from jimbot.balatro.env.vector import BalatroVectorEnv

__all__ = ["BalatroEnv", "BalatroVectorEnv"]

__getattr__ = lazy_attributes(__name__, {".single": ("BalatroEnv",), ".vector": ("BalatroVectorEnv",)})
