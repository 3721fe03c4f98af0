"""The interpersonal circle: eight behaviors, numbered clockwise from dominance.

An octant is an integer 0..7. Dominance and submission lie opposite each other (0 and 4), so do warmth and cold (2 and
6). Two behaviors *complement* each other when their dominance is opposite and their warmth is the same.
"""

from __future__ import annotations

from typing import Any, TypeVar

__all__ = [
    "COLD",
    "NUM_OCTANTS",
    "OCTANTS",
    "OCTANT_MEANINGS",
    "WARM",
    "anti_complement",
    "complement",
    "octant_distance",
]

Octants = TypeVar("Octants")
"""A number or an array of numbers."""

NUM_OCTANTS = 8

OCTANTS = ("D", "WD", "W", "WS", "S", "CS", "C", "CD")
"""Codes of the octants, by number."""

OCTANT_MEANINGS = (
    "dominant",
    "warm-dominant",
    "warm",
    "warm-submissive",
    "submissive",
    "cold-submissive",
    "cold",
    "cold-dominant",
)
"""Words for the octants, by number."""

WARM = (1, 2, 3)
COLD = (5, 6, 7)


def complement(octant: Octants) -> Octants:
    """Return the octant with opposite dominance and equal warmth, elementwise."""
    number: Any = octant
    return (4 - number) % NUM_OCTANTS


def anti_complement(octant: Octants) -> Octants:
    """Return the octant with equal dominance and opposite warmth, elementwise."""
    number: Any = octant
    return -number % NUM_OCTANTS


def octant_distance(first: Any, second: Any) -> Any:
    """Return the distance between two octants along the circle, 0 to 4, elementwise."""
    apart = (first - second) % NUM_OCTANTS
    return 4 - abs(4 - apart)
