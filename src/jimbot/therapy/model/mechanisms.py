"""The client's decision rule: five mechanisms that turn memory and trust into action probabilities."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from jimbot.therapy.model import kernels
from jimbot.therapy.model.satisfaction import bond as bond_of
from jimbot.therapy.model.satisfaction import check_memory, check_utilities, recency_weights
from jimbot.therapy.model.utilities import TherapyError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

__all__ = ["MECHANISMS", "action_probabilities", "expected_payoffs", "get_mechanism_index"]

MECHANISMS = (
    "bond_only",
    "frequency_amplifier",
    "conditional_amplifier",
    "bond_weighted_frequency_amplifier",
    "bond_weighted_conditional_amplifier",
)
"""Names of the mechanisms, by number."""


def get_mechanism_index(mechanism: str | int) -> int:
    """Return the number of a mechanism given by name or number; an unknown one raises with a list."""
    if isinstance(mechanism, str):
        if mechanism in MECHANISMS:
            return MECHANISMS.index(mechanism)
    elif not isinstance(mechanism, bool) and 0 <= mechanism < len(MECHANISMS):
        return int(mechanism)
    raise TherapyError(
        f"unknown mechanism {mechanism!r}; expected 0 to {len(MECHANISMS) - 1} or one of {', '.join(MECHANISMS)}"
    )


def expected_payoffs(
    u: ArrayLike,
    memory: ArrayLike,
    mechanism: str | int = "frequency_amplifier",
    *,
    bond_alpha: float = 5.0,
    bond_offset: float = 0.8,
    history_weight: float = 1.0,
    smoothing_alpha: float = 0.1,
    bond_power: float = 1.0,
    recency_factor: float = 2.0,
) -> NDArray[np.float64]:
    """Return the expected payoff of each action of one client, float64[8]; arguments as in ``action_probabilities``."""
    utilities, pairs = check_utilities(u), check_memory(memory)
    number = get_mechanism_index(mechanism)
    if smoothing_alpha < 0 or (smoothing_alpha == 0 and number in (2, 4)):
        raise TherapyError(f"smoothing_alpha must be more than 0, got {smoothing_alpha:g}")
    turned = utilities.T.reshape(8, 8, 1).copy()
    cells = (pairs[:, 1] * 8 + pairs[:, 0]).reshape(-1, 1)
    frequencies = kernels.compute_pair_frequencies(cells, recency_weights(len(pairs), recency_factor), 1)
    rs = kernels.compute_satisfactions(frequencies, turned)
    trust = np.atleast_1d(bond_of(rs, utilities.min(), utilities.max(), bond_alpha, bond_offset))
    adjusted = kernels.adjust_utilities(
        turned, frequencies, trust, number, history_weight, smoothing_alpha, bond_power
    )
    return kernels.compute_expected_payoffs(adjusted, trust)[:, 0]


def action_probabilities(
    u: ArrayLike,
    memory: ArrayLike,
    mechanism: str | int = "frequency_amplifier",
    *,
    entropy: float = 0.5,
    bond_alpha: float = 5.0,
    bond_offset: float = 0.8,
    history_weight: float = 1.0,
    smoothing_alpha: float = 0.1,
    bond_power: float = 1.0,
    recency_factor: float = 2.0,
) -> NDArray[np.float64]:
    """Return the probabilities of one client's next action, float64[8].

    Args:
        u: utilities, [8, 8], rows the client.
        memory: pairs of the client's and the therapist's octant, [interactions, 2], oldest first.
        mechanism: name or number of the mechanism.
        entropy: temperature of the softmax; a low one makes the client predictable.
        bond_alpha: steepness of the bond.
        bond_offset: where between least and greatest satisfaction the bond is one half.
        history_weight: strength of the amplification by frequency.
        smoothing_alpha: Laplace's constant of the conditional frequencies.
        bond_power: exponent of the bond in the bond-weighted mechanisms.
        recency_factor: weight of the newest interaction over that of the oldest.
    """
    if not entropy > 0:
        raise TherapyError(f"entropy must be more than 0, got {entropy:g}")
    payoffs = expected_payoffs(
        u,
        memory,
        mechanism,
        bond_alpha=bond_alpha,
        bond_offset=bond_offset,
        history_weight=history_weight,
        smoothing_alpha=smoothing_alpha,
        bond_power=bond_power,
        recency_factor=recency_factor,
    )
    return kernels.compute_probabilities(payoffs.reshape(8, 1), entropy)[:, 0]
