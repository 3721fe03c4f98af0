"""Where a hyperparameter may be searched: written beside its default, read by tuning."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

__all__ = ["Choices", "Range", "Searchable"]


@dataclass(frozen=True)
class Range:
    """Numbers from ``low`` to ``high``, both included; whole ones if both are; evenly in their logarithm if ``log``."""

    low: float
    high: float
    log: bool = False

    def __post_init__(self) -> None:
        if not self.low < self.high or (self.log and self.low <= 0):
            raise ValueError(
                f"a range goes up, and from above 0 if it is logarithmic, got {self.low} to {self.high}"
            )

    @property
    def whole(self) -> bool:
        """Whether only whole numbers are meant."""
        return isinstance(self.low, int) and isinstance(self.high, int)

    def holds(self, value: Any) -> bool:
        """Whether a value lies in it."""
        return isinstance(value, (int, float)) and self.low <= value <= self.high


@dataclass(frozen=True)
class Choices:
    """One of some values."""

    values: tuple[float | int | bool | str, ...]

    def holds(self, value: Any) -> bool:
        """Whether a value is one of them."""
        return value in self.values


Searchable = Range | Choices
