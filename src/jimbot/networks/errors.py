"""What can be wrong with a network's description, its mask or its file."""

from __future__ import annotations

from jimbot.errors import JimbotError

__all__ = ["MaskError", "NetworkSpecError", "NormaliserError", "PolicyFileError"]


class NetworkSpecError(JimbotError, ValueError):
    """A description from which no network can be built."""


class MaskError(JimbotError, ValueError):
    """A mask that leaves nothing to choose from."""


class NormaliserError(JimbotError, ValueError):
    """Statistics that do not fit the observations or each other."""


class PolicyFileError(JimbotError, ValueError):
    """A policy file that is missing, broken, foreign or does not fit."""
