"""Masked distributions over actions, and masked argmax and maximum for Q-values.

Written with the methods of tensors alone, so importing it imports no library. Masks are ``[batch, actions]`` of any
type, nonzero where an action is legal. A row without a legal action is an error wherever an action has to be chosen;
its best Q-value is 0, since nothing follows the end of an episode.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jimbot.networks.errors import MaskError

if TYPE_CHECKING:
    from torch import Generator, Tensor

__all__ = ["ILLEGAL", "MaskedCategorical", "apply_mask", "masked_argmax", "masked_max"]

ILLEGAL = -1e9
"""Logit of an illegal action. Its probability is exactly 0 in float32, and 0 times its logarithm is 0 and no NaN."""


def apply_mask(logits: Tensor, mask: Tensor | None) -> Tensor:
    """Set the logits ``[batch, actions]`` of illegal actions to ``ILLEGAL``; without a mask, return them as they are.

    A row without a legal action becomes ``ILLEGAL`` throughout: observations at the end of an episode have such rows,
    and their value is still computed.
    """
    return logits if mask is None else logits.masked_fill(mask == 0, ILLEGAL)


def _to_legal(mask: Tensor) -> Tensor:
    legal = mask != 0
    rows = legal.any(-1)
    if not bool(rows.all()):
        row = int((~rows).nonzero()[0, 0]) if rows.ndim else 0
        raise MaskError(f"no action is legal in row {row}; choose nothing where an episode is over")
    return legal


class MaskedCategorical:
    """A categorical distribution over the legal actions of every row.

    Args:
        logits: float32[batch, actions]; masked already or not.
        mask: nonzero where an action is legal, [batch, actions]; None if all are, or if the logits are masked already.
    """

    def __init__(self, logits: Tensor, mask: Tensor | None = None) -> None:
        if mask is not None:
            logits = logits.masked_fill(~_to_legal(mask), ILLEGAL)
        self.logits: Tensor = logits.log_softmax(-1)
        """Logarithms of the probabilities, float32[batch, actions]."""

    @property
    def probs(self) -> Tensor:
        """Probabilities, float32[batch, actions], exactly 0 for illegal actions."""
        return self.logits.softmax(-1)  # exp would be ten times slower on numbers far below 0

    @property
    def mode(self) -> Tensor:
        """The most likely action, int64[batch]; the first one if there is a tie."""
        return self.logits.argmax(-1)

    def sample(self, generator: Generator | None = None) -> Tensor:
        """Sample an action per row, int64[batch], from torch's generator or the given one."""
        sums = self.probs.detach().cumsum(-1)
        total = sums[..., -1:]
        uniform = total.new_empty(total.shape).uniform_(generator=generator)
        # Rounding must not bring the place to the total, beyond which no action is. Illegal actions add nothing to the
        # sums, so the first sum above the place is never theirs.
        place = (uniform * total).minimum(total.nextafter(total.new_zeros(())))
        return (sums <= place).sum(-1)

    def log_prob(self, actions: Tensor) -> Tensor:
        """Return the log-probability of one action per row, float32[batch]; about -1e9 if it is illegal."""
        return self.logits.gather(-1, actions.long().unsqueeze(-1)).squeeze(-1)

    def entropy(self) -> Tensor:
        """Return the entropy over legal actions in nats, float32[batch]; 0 where one action is legal."""
        return -(self.probs * self.logits).sum(-1)

    def kl_divergence(self, other: MaskedCategorical) -> Tensor:
        """Return KL(self || other), float32[batch], for distributions over the same legal actions."""
        return (self.probs * (self.logits - other.logits)).sum(-1)


def masked_argmax(values: Tensor, mask: Tensor) -> Tensor:
    """Return the legal action with the highest value, int64[batch]; the first one if there is a tie."""
    return values.masked_fill(~_to_legal(mask), float("-inf")).argmax(-1)


def masked_max(values: Tensor, mask: Tensor) -> Tensor:
    """Return the highest value of a legal action, float32[batch]; 0 where no action is legal."""
    legal = mask != 0
    best = values.masked_fill(~legal, float("-inf")).amax(-1)
    return best.masked_fill(~legal.any(-1), 0.0)
