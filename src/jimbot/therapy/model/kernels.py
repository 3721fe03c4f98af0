"""The model's formulas on batches of clients.

Arrays have the client as their last axis, and per-pair arrays are ordered [therapist octant, client octant, client], so
that every operation runs over long contiguous rows. Sums are written as sums of halves: their rounding, and with it
every decision of a client, does not depend on how many clients share the batch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Integers = NDArray[np.int64]

__all__ = [
    "adjust_utilities",
    "choose_actions",
    "compute_bonds",
    "compute_expected_payoffs",
    "compute_pair_frequencies",
    "compute_probabilities",
    "compute_satisfactions",
    "sort_rows",
    "sum_by_halving",
]

# Batcher's merge exchange for eight: 19 comparisons sort any eight numbers.
_EXCHANGES = (
    *((0, 4), (1, 5), (2, 6), (3, 7), (0, 2), (1, 3), (4, 6), (5, 7), (2, 4), (3, 5)),
    *((0, 1), (2, 3), (4, 5), (6, 7), (1, 4), (3, 6), (1, 2), (3, 4), (5, 6)),
)


def sum_by_halving(values: Floats) -> Floats:
    """Sum over the first axis by repeated halving; its length is a power of two, and ``values`` is overwritten."""
    length = len(values)
    while length > 1:
        length //= 2
        np.add(values[:length], values[length : 2 * length], out=values[:length])
    return values[0]


def compute_pair_frequencies(cells: Integers, weights: Floats, size: int) -> Floats:
    """Compute the recency-weighted frequency of each pair of octants, float64[8 therapist, 8 client, size].

    Args:
        cells: ``(therapist * 8 + client octant) * size + client`` of each remembered interaction, [slots, size].
        weights: the weight of each entry of ``cells``, flattened.
        size: number of clients.
    """
    summed: Any = np.bincount(cells.ravel(), weights, minlength=64 * size)
    return summed.reshape(8, 8, size)


def compute_satisfactions(frequencies: Floats, utilities: Floats) -> Floats:
    """Compute the relationship satisfaction of each client, float64[size]."""
    return sum_by_halving((frequencies * utilities).reshape(64, -1))


def compute_bonds(rs: Floats, rs_min: Floats, width: Floats, alpha: float, offset: float) -> Floats:
    """Compute the bond (trust) of each client, float64[size]; ``width`` is rs_max - rs_min."""
    with np.errstate(over="ignore"):
        return 1 / (1 + np.exp(-2 * alpha * ((rs - rs_min) / width - offset)))


def adjust_utilities(
    utilities: Floats,
    frequencies: Floats,
    bond: Floats,
    mechanism: int,
    history_weight: float,
    smoothing_alpha: float,
    bond_power: float,
) -> Floats:
    """Compute the utilities a client expects given its memory, float64[8, 8, size], in a new array.

    Args:
        utilities: float64[8 therapist, 8 client, size].
        frequencies: recency-weighted frequencies of the pairs, of the same shape.
        bond: float64[size].
        mechanism: 0 bond only, 1 and 3 amplified by how often the therapist acts so, 2 and 4 by how often the
            therapist answers so; 3 and 4 as much as the client trusts.
        history_weight: strength of the amplification.
        smoothing_alpha: Laplace's constant of the conditional frequencies.
        bond_power: exponent of the bond in mechanisms 3 and 4.
    """
    if mechanism == 0:
        return utilities.copy()
    strength = history_weight if mechanism in (1, 2) else history_weight * bond**bond_power
    if mechanism in (1, 3):
        shares = sum_by_halving(frequencies.transpose(1, 0, 2).copy())  # [8 therapist, size]
        return utilities * (1 + strength * shares)[:, np.newaxis]
    totals = sum_by_halving(frequencies.copy())  # [8 client, size]
    answers = (frequencies + smoothing_alpha) / (totals + 8 * smoothing_alpha)
    answers *= strength
    answers += 1
    answers *= utilities
    return answers


def sort_rows(values: Floats, spare: Floats) -> None:
    """Sort in place along the first axis, of length 8; ``spare`` is a scratch array like one row."""
    for low, high in _EXCHANGES:
        np.minimum(values[low], values[high], out=spare)
        np.maximum(values[low], values[high], out=values[high])
        values[low] = spare


def compute_expected_payoffs(adjusted: Floats, bond: Floats) -> Floats:
    """Compute the expected payoff of each action, float64[8 client, size]; ``adjusted`` is overwritten.

    A trusting client expects a good answer, a distrusting one a bad one: the payoff is read off the sorted answers at
    the height of the bond, between neighbors in proportion.
    """
    size = bond.shape[0]
    sort_rows(adjusted, np.empty((8, size)))
    position = 7 * bond
    lower = np.minimum(position.astype(np.int64), 7)
    upper = np.minimum(lower + 1, 7)
    flat: Any = adjusted.reshape(-1)
    columns: Integers = np.arange(8 * size, dtype=np.int64).reshape(8, size)
    low: Floats = flat.take(columns + 8 * size * lower)
    high: Floats = flat.take(columns + 8 * size * upper)
    high -= low
    high *= position - lower
    high += low
    return high


def compute_probabilities(payoffs: Floats, entropy: float) -> Floats:
    """Compute the softmax over the first axis at temperature ``entropy``, float64[8, size]; overwrites ``payoffs``."""
    payoffs /= entropy
    payoffs -= payoffs.max(axis=0)
    np.exp(payoffs, out=payoffs)
    payoffs /= sum_by_halving(payoffs.copy())
    return payoffs


def choose_actions(probability: Floats, uniform: Floats) -> Integers:
    """Choose an action per uniform number by inverting the cumulative distribution, int64[size]."""
    cumulated = probability.cumsum(axis=0)
    return (cumulated / cumulated[7] <= uniform).sum(axis=0)
