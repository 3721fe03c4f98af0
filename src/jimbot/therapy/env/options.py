"""Options of the therapy environments, validated once and frozen."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

import numpy as np

from jimbot.therapy.model.mechanisms import MECHANISMS, get_mechanism_index
from jimbot.therapy.model.patterns import DEFAULT_PATTERNS, check_generator, check_pattern
from jimbot.therapy.model.satisfaction import check_utilities
from jimbot.therapy.model.utilities import TherapyError, get_utilities

__all__ = ["BENCHMARK", "SEEDINGS", "TherapyOptions"]

SEEDINGS = ("compatible", "independent")
MOST_SESSIONS = 100_000

BENCHMARK: dict[str, Any] = {
    "patterns": "cold_stuck",
    "mechanism": "frequency_amplifier",
    "threshold": 0.8,
    "entropy": 0.1,
}
"""Options of the benchmark that policies are compared on; everything else as by default."""


@dataclass(frozen=True)
class TherapyOptions:
    """Options of the therapy environments.

    Attributes:
        patterns: biographies; one is drawn per episode. One name alone is not drawn at all.
        mechanism: how clients decide, by name or by number 0..4.
        threshold: share of the way from least to greatest utility at which therapy has succeeded.
        max_sessions: sessions after which an episode is cut off (truncated).
        entropy: temperature of the clients' choices.
        enable_parataxic: whether clients misperceive the therapist.
        baseline_accuracy: how likely a client is to see what the therapist did.
        bond_alpha: steepness of the bond.
        bond_offset: where between least and greatest satisfaction the bond is one half.
        history_weight: strength of the amplification by frequency.
        smoothing_alpha: Laplace's constant of conditional frequencies.
        bond_power: exponent of the bond in the bond-weighted mechanisms.
        recency_factor: weight of the newest remembered interaction over that of the oldest.
        generator: generation of the biographies, ``v1`` or ``v2``.
        utilities: ``sampled`` per client, a name (``average``, ``cold_trap``), or a matrix, [8, 8].
        seeding: ``compatible`` reproduces the original study's episodes, where utilities, memory and the client's
            random draws share one stream of random numbers; ``independent`` gives each its own.
        omniscient: whether observations also hold the client's inner state.
    """

    patterns: tuple[str, ...] | str = DEFAULT_PATTERNS
    mechanism: str = "frequency_amplifier"
    threshold: float = 0.9
    max_sessions: int = 100
    entropy: float = 0.5
    enable_parataxic: bool = True
    baseline_accuracy: float = 0.5
    bond_alpha: float = 5.0
    bond_offset: float = 0.7
    history_weight: float = 1.0
    smoothing_alpha: float = 0.1
    bond_power: float = 1.0
    recency_factor: float = 2.0
    generator: str = "v1"
    utilities: str | tuple[tuple[float, ...], ...] = "sampled"
    seeding: str = "compatible"
    omniscient: bool = False

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> TherapyOptions:
        """Build options from keyword arguments. ``pattern`` is a synonym of ``patterns``."""
        values = dict(given)
        if "pattern" in values:
            if "patterns" in values:
                raise TherapyError("both pattern and patterns are given; they mean the same, give one")
            values["patterns"] = values.pop("pattern")
        known = [field.name for field in fields(cls)]
        unknown = sorted(set(values) - set(known))
        if unknown:
            raise TherapyError(f"unknown option '{unknown[0]}'; expected one of {', '.join(known)}")
        return cls(**values)

    def __post_init__(self) -> None:
        put = object.__setattr__  # the fields are brought into one form here and fixed from then on
        put(self, "patterns", _check_patterns(self.patterns))
        put(self, "mechanism", MECHANISMS[get_mechanism_index(self.mechanism)])
        check_generator(self.generator)
        if self.seeding not in SEEDINGS:
            raise TherapyError(f"unknown seeding '{self.seeding}'; expected {' or '.join(SEEDINGS)}")
        put(self, "utilities", _check_utilities(self.utilities))
        for name, (least, greatest, open_end) in _RANGES.items():
            put(self, name, _check_number(name, getattr(self, name), least, greatest, open_end=open_end))
        for name in ("enable_parataxic", "omniscient"):
            if not isinstance(getattr(self, name), (bool, np.bool_)):
                raise TherapyError(f"{name} must be True or False, got {getattr(self, name)!r}")
            put(self, name, bool(getattr(self, name)))
        sessions: Any = self.max_sessions
        if isinstance(sessions, bool) or int(sessions) != sessions or not 1 <= sessions <= MOST_SESSIONS:
            raise TherapyError(f"max_sessions must be a whole number 1 to {MOST_SESSIONS}, got {sessions!r}")
        put(self, "max_sessions", int(sessions))

    @property
    def pattern_names(self) -> tuple[str, ...]:
        """The patterns, as a tuple also if one name was given."""
        return (self.patterns,) if isinstance(self.patterns, str) else self.patterns

    @property
    def mechanism_number(self) -> int:
        """The number of the mechanism, 0 to 4."""
        return MECHANISMS.index(self.mechanism)

    @property
    def draws_per_episode(self) -> int:
        """Maximal number of random numbers a client uses: one per choice, and one per session for perception."""
        return 1 + self.max_sessions * (2 if self.enable_parataxic else 1)

    def fixed_utilities(self) -> np.ndarray[Any, np.dtype[np.float64]] | None:
        """Return the utility matrix shared by all clients, float64[8, 8]; None if each has its own."""
        if self.utilities == "sampled":
            return None
        if isinstance(self.utilities, str):
            return get_utilities(self.utilities)
        return np.array(self.utilities)

    def as_json(self) -> str:
        """Return all options as one line of JSON; equal options give equal text."""
        return json.dumps(asdict(self), sort_keys=True)


# name -> least, greatest, whether the least itself is left out
_RANGES: dict[str, tuple[float, float, bool]] = {
    "threshold": (0, 1, False),
    "entropy": (0, np.inf, True),
    "baseline_accuracy": (0, 1, False),
    "bond_alpha": (0, np.inf, True),
    "bond_offset": (-np.inf, np.inf, False),
    "history_weight": (-np.inf, np.inf, False),
    "smoothing_alpha": (0, np.inf, True),
    "bond_power": (0, np.inf, False),
    "recency_factor": (1, np.inf, False),
}


def _check_number(name: str, value: Any, least: float, greatest: float, *, open_end: bool) -> float:
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise TherapyError(f"{name} must be a number, got {value!r}") from None
    if not np.isfinite(number) or number < least or number > greatest or (open_end and number == least):
        if np.isfinite(greatest):
            expected = f"{least:g} to {greatest:g}"
        elif np.isfinite(least):
            expected = f"more than {least:g}" if open_end else f"at least {least:g}"
        else:
            expected = "a finite number"
        raise TherapyError(f"{name} must be {expected}, got {number:g}")
    return number


def _check_patterns(given: Any) -> tuple[str, ...] | str:
    if isinstance(given, str):
        return check_pattern(given)
    if not isinstance(given, Sequence) or len(given) == 0:  # pyright: ignore[reportUnknownArgumentType]
        raise TherapyError(f"patterns must be a name or a list of names, got {given!r}")
    return tuple(check_pattern(str(name)) for name in given)  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]


def _check_utilities(given: Any) -> str | tuple[tuple[float, ...], ...]:
    if isinstance(given, str):
        if given != "sampled":
            get_utilities(given)
        return given
    return tuple(tuple(float(value) for value in row) for row in check_utilities(given))
