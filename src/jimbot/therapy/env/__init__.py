"""Therapy as a Gymnasium environment: one client (``TherapyEnv``) or many at once (``TherapyVectorEnv``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jimbot.lazy import lazy_attributes

if TYPE_CHECKING:
    from jimbot.therapy.env.single import TherapyEnv
    from jimbot.therapy.env.vector import TherapyVectorEnv

__all__ = ["TherapyEnv", "TherapyVectorEnv"]

__getattr__ = lazy_attributes(__name__, {".single": ("TherapyEnv",), ".vector": ("TherapyVectorEnv",)})
