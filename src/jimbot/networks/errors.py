"""Errors about network descriptions, masks, statistics and policy files."""

from __future__ import annotations

from jimbot.errors import JimbotError

__all__ = ["MaskError", "NetworkSpecError", "NormalizerError", "PolicyFileError"]


class NetworkSpecError(JimbotError, ValueError):
    """Raised for a description from which no network can be built."""


class MaskError(JimbotError, ValueError):
    """Raised for a mask without a legal action."""


class NormalizerError(JimbotError, ValueError):
    """Statistics that do not fit the observations or each other."""


class PolicyFileError(JimbotError, ValueError):
    """Raised for a policy file that is missing, broken or incompatible."""
