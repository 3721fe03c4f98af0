"""Distributions over actions that are not one choice: several choices at once, and continuous numbers.

Written with the methods of tensors alone, as ``jimbot.networks.masked`` is, so importing it imports no library.
"""

from __future__ import annotations

import math
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Protocol

from jimbot.networks.masked import MaskedCategorical

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from torch import Generator, Tensor

    from jimbot.networks.spec import NetworkSpec

__all__ = [
    "DiagonalGaussian",
    "Distribution",
    "MultiCategorical",
    "create_distribution",
    "environment_actions",
]

ENTROPY_OF_UNIT_NORMAL = 0.5 + 0.5 * math.log(2 * math.pi)


class Distribution(Protocol):
    """What trainers need of a distribution over actions."""

    @property
    def mode(self) -> Tensor:
        """The most likely action per row."""
        ...

    def sample(self, generator: Generator | None = None) -> Tensor:
        """Sample an action per row."""
        ...

    def log_prob(self, actions: Tensor) -> Tensor:
        """Return the log-probability, or log-density, of one action per row, float32[batch]."""
        ...

    def entropy(self) -> Tensor:
        """Return the entropy in nats, float32[batch]."""
        ...


class DiagonalGaussian:
    """Independent normal distributions, one per number of an action.

    Args:
        mean: float32[batch, numbers].
        log_std: logarithms of the standard deviations, float32[numbers], the same in every state.
    """

    def __init__(self, mean: Tensor, log_std: Tensor) -> None:
        self.mean = mean
        self.log_std = log_std.expand_as(mean)

    @property
    def mode(self) -> Tensor:
        """The means, float32[batch, numbers]."""
        return self.mean

    def sample(self, generator: Generator | None = None) -> Tensor:
        """Sample an action per row, float32[batch, numbers], from torch's generator or the given one."""
        noise = self.mean.detach().new_empty(self.mean.shape).normal_(generator=generator)
        return self.mean + noise * self.log_std.exp()

    def log_prob(self, actions: Tensor) -> Tensor:
        """Return the log-density of one action ``[batch, numbers]`` per row, float32[batch]."""
        distance = (actions.reshape(self.mean.shape) - self.mean) * (-self.log_std).exp()
        return (-0.5 * distance.square() - self.log_std - 0.5 * math.log(2 * math.pi)).sum(-1)

    def entropy(self) -> Tensor:
        """Return the differential entropy in nats, float32[batch]."""
        return (self.log_std + ENTROPY_OF_UNIT_NORMAL).sum(-1)


class MultiCategorical:
    """Several choices at once, each independent of the others.

    Args:
        logits: float32[batch, sum of choices], those of each choice side by side.
        choices: of how many each is chosen.
    """

    def __init__(self, logits: Tensor, choices: tuple[int, ...]) -> None:
        ends = list(accumulate(choices))
        self.parts = [
            MaskedCategorical(logits[..., end - count : end])
            for end, count in zip(ends, choices, strict=True)
        ]

    def _join(self, columns: list[Tensor]) -> Tensor:
        whole = columns[0].new_empty((*columns[0].shape, len(columns)))
        for number, column in enumerate(columns):
            whole[..., number] = column
        return whole

    @property
    def mode(self) -> Tensor:
        """The most likely choices, int64[batch, choices]."""
        return self._join([part.mode for part in self.parts])

    def sample(self, generator: Generator | None = None) -> Tensor:
        """Sample choices per row, int64[batch, choices]."""
        return self._join([part.sample(generator) for part in self.parts])

    def log_prob(self, actions: Tensor) -> Tensor:
        """Return the log-probability of the choices ``[batch, choices]`` of each row, float32[batch]."""
        return self._sum([part.log_prob(actions[..., number]) for number, part in enumerate(self.parts)])

    def entropy(self) -> Tensor:
        """Return the sum of the entropies in nats, float32[batch]."""
        return self._sum([part.entropy() for part in self.parts])

    def _sum(self, columns: list[Tensor]) -> Tensor:
        total = columns[0]
        for column in columns[1:]:
            total = total + column
        return total


def create_distribution(spec: NetworkSpec, logits: Tensor, log_std: Tensor | None = None) -> Distribution:
    """Return the distribution over actions that masked logits, or the means of a Box, stand for."""
    if spec.box is not None:
        assert log_std is not None
        return DiagonalGaussian(logits, log_std)
    return MultiCategorical(logits, spec.choices) if spec.choices else MaskedCategorical(logits)


def environment_actions(spec: NetworkSpec, chosen: Tensor) -> NDArray[Any]:
    """Return what an environment takes, from what a distribution gave: continuous actions are cut to their bounds."""
    actions = chosen.cpu().numpy()
    return actions if spec.box is None else spec.box.bound(actions)
