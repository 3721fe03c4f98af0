"""The arithmetic cost of a network: multiplications per observation."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from jimbot.networks.layout import build_layout, list_parameter_shapes

if TYPE_CHECKING:
    from jimbot.networks.spec import NetworkSpec

__all__ = ["count_multiplications"]


def count_multiplications(spec: NetworkSpec) -> int:
    """Count the multiply-adds of all linear layers for one observation.

    Encoders work on every row of their sets, a candidates head on every candidate; looking a table up is none. A step
    of training costs three times as many: the gradients by the inputs and by the weights are as much again, each.
    """
    layout = build_layout(spec)
    times = {f"{encoder.name}_encoder.row.": encoder.total_rows for encoder in layout.encoders}
    times |= {f"{encoder.name}_encoder.position.": encoder.total_rows for encoder in layout.encoders}
    times |= {f"{encoder.name}_encoder.set.": len(encoder.rows) for encoder in layout.encoders}
    if layout.candidates is not None:
        times |= {f"policy_head.{part}.": spec.actions for part in ("row", "tower", "score")}
    total = 0
    for name, shape in list_parameter_shapes(spec).items():
        if name.endswith("weight") and "embedding" not in name:
            rows = next((count for part, count in times.items() if part in name), 1)
            total += rows * math.prod(shape)
    return total
