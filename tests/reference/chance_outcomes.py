"""Decisions of the chance rolls of one hand."""

from __future__ import annotations

from typing import Any


class ChanceOutcomes:
    """Answers every roll of a hand without random numbers.

    The specification is "none" (a roll fails unless its chance is at least 1, integers take their
    minimum), "all" (every roll succeeds, integers take their maximum) or an object
    {"default": "none" | "all", "rolls": {stream: [decision, ...]}}. The decisions of a stream are used in
    order, one per roll, a sure roll included; when they run out the default applies. Decisions are booleans,
    for the stream "misprint" whole numbers. Streams: lucky_mult, lucky_money, glass, space, 8ball,
    business, bloodstone, parking, misprint.
    """

    def __init__(self, spec: str | dict[str, Any], oops: int) -> None:
        if isinstance(spec, str):
            spec = {"default": spec}
        self.default: str = spec.get("default", "none")
        if self.default not in ("none", "all"):
            raise ValueError(f"unknown chance outcomes {self.default!r}; expected none or all")
        self.queues = {stream: list(rolls) for stream, rolls in spec.get("rolls", {}).items()}
        self.factor = 2.0**oops

    def roll(self, stream: str, odds: int) -> bool:
        """Decide a chance of 1 in `odds`."""
        queue = self.queues.get(stream)
        decided = queue.pop(0) if queue else self.default == "all"
        return bool(decided) or self.factor / odds >= 1

    def integer(self, stream: str, low: int, high: int) -> int:
        """Decide a whole number from `low` to `high`."""
        queue = self.queues.get(stream)
        if queue:
            return int(queue.pop(0))
        return high if self.default == "all" else low
