"""Running statistics that normalize observations to mean 0 and variance 1, and scale rewards by the spread of returns.

All statistics are float64 and exact to rounding whatever the batches were: two halves merged equal the whole. They are
saved as arrays and go on from where they were. Identities, choices and masks are never touched.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from jimbot.networks.errors import NormalizerError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import ArrayLike, NDArray

    from jimbot.networks.spec import NetworkSpec

__all__ = ["ObservationNormalizer", "RewardScaler", "RunningMoments"]


@dataclass
class RunningMoments:
    """Count, mean and sum of squared deviations of all values seen, float64[shape]."""

    shape: tuple[int, ...]
    count: float = 0.0
    mean: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))
    squares: NDArray[np.float64] = field(default_factory=lambda: np.zeros(0))

    def __post_init__(self) -> None:
        if self.count == 0.0:
            self.mean = np.zeros(self.shape)
            self.squares = np.zeros(self.shape)

    @property
    def variance(self) -> NDArray[np.float64]:
        """float64[shape]; 1 before anything was seen."""
        return self.squares / self.count if self.count else np.ones(self.shape)

    def update(self, batch: ArrayLike) -> None:
        """Add a batch, ``[number, *shape]``."""
        values = np.asarray(batch, np.float64)
        if values.shape[1:] != self.shape:
            raise NormalizerError(f"a batch of {values.shape[1:]} came to statistics of {self.shape}")
        if not np.isfinite(values).all():
            raise NormalizerError("a number that is not finite came to a normalizer; look at the environment")
        if len(values):
            mean = values.mean(0)
            self._combine(float(len(values)), mean, np.square(values - mean).sum(0))

    def merge(self, other: RunningMoments) -> None:
        """Add the statistics of another object."""
        if other.shape != self.shape:
            raise NormalizerError(f"statistics of {other.shape} cannot be merged into those of {self.shape}")
        if other.count:
            self._combine(other.count, other.mean, other.squares)

    def _combine(self, count: float, mean: NDArray[np.float64], squares: NDArray[np.float64]) -> None:
        total = self.count + count
        distance = mean - self.mean
        self.squares = self.squares + squares + np.square(distance) * (self.count * count / total)
        self.mean = self.mean + distance * (count / total)
        self.count = total

    def state(self, prefix: str) -> dict[str, NDArray[Any]]:
        """Return the statistics as arrays."""
        return {
            f"{prefix}.count": np.asarray(self.count, np.float64),
            f"{prefix}.mean": self.mean.copy(),
            f"{prefix}.squares": self.squares.copy(),
        }

    @classmethod
    def from_state(cls, prefix: str, arrays: Mapping[str, NDArray[Any]]) -> RunningMoments:
        """Restore the statistics from ``state``."""
        try:
            count, mean, squares = (arrays[f"{prefix}.{name}"] for name in ("count", "mean", "squares"))
        except KeyError as error:
            raise NormalizerError(f"normalizer statistics without {error}") from None
        fits = mean.shape == squares.shape and count.shape == () and float(count) >= 0
        if not (fits and np.isfinite(mean).all() and np.isfinite(squares).all() and (squares >= 0).all()):
            raise NormalizerError(f"the normalizer statistics of '{prefix}' are broken; save them again")
        return cls(
            mean.shape,
            float(count),
            np.array(mean, np.float64, copy=True),
            np.array(squares, np.float64, copy=True),
        )


class ObservationNormalizer:
    """Brings float fields of observations to mean 0 and variance 1, and cuts them at ``clip`` deviations.

    Args:
        shapes: the fields to normalize and their shapes; ``for_spec`` finds them.
        clip: largest distance from 0 afterwards.
        epsilon: added to the variance, so that a constant is 0 and not a quotient of zeros.
    """

    def __init__(
        self, shapes: Mapping[str, tuple[int, ...]], *, clip: float = 10.0, epsilon: float = 1e-8
    ) -> None:
        if clip <= 0 or epsilon <= 0:
            raise NormalizerError(f"clip and epsilon must be above 0, got {clip} and {epsilon}")
        self.moments = {name: RunningMoments(tuple(shape)) for name, shape in shapes.items()}
        self.clip = float(clip)
        self.epsilon = float(epsilon)
        self.frozen = False

    @classmethod
    def for_spec(
        cls,
        spec: NetworkSpec,
        fields: Iterable[str] | None = None,
        *,
        clip: float = 10.0,
        epsilon: float = 1e-8,
    ) -> ObservationNormalizer:
        """Create a normalizer for the float fields of a network, or for the named ones."""
        possible = {
            item.name: item.shape
            for item in spec.fields
            if item.encoding == "values" and item.dtype.startswith("float")
        }
        names = list(possible) if fields is None else list(fields)
        for name in names:
            if name not in possible:
                raise NormalizerError(
                    f"'{name}' is no float field; could be normalized: {', '.join(possible)}"
                )
        return cls({name: possible[name] for name in names}, clip=clip, epsilon=epsilon)

    def freeze(self) -> ObservationNormalizer:
        """Stop updating the statistics, for example in evaluation."""
        self.frozen = True
        return self

    def update(self, obs: Any) -> None:
        """Add a batch of observations, as an array or as arrays by name; does nothing if frozen."""
        if not self.frozen:
            for name, moments in self.moments.items():
                moments.update(obs[name] if hasattr(obs, "keys") else obs)

    def normalize(self, obs: Any) -> Any:
        """Normalize a batch into new float32 arrays; fields without statistics are passed through."""
        if not hasattr(obs, "keys"):
            (moments,) = self.moments.values()
            return self._apply(moments, obs)
        return {
            name: self._apply(self.moments[name], values) if name in self.moments else values
            for name, values in obs.items()
        }

    def __call__(self, obs: Any) -> Any:
        """Update the statistics with a batch, then normalize it: one step of training."""
        self.update(obs)
        return self.normalize(obs)

    def _apply(self, moments: RunningMoments, values: ArrayLike) -> NDArray[np.float32]:
        scaled = (np.asarray(values, np.float64) - moments.mean) / np.sqrt(moments.variance + self.epsilon)
        return np.clip(scaled, -self.clip, self.clip).astype(np.float32)

    def merge(self, other: ObservationNormalizer) -> None:
        """Add the statistics of another normalizer of the same fields."""
        if other.moments.keys() != self.moments.keys():
            raise NormalizerError("normalizers of different fields cannot be merged")
        for name, moments in self.moments.items():
            moments.merge(other.moments[name])

    def state_dict(self) -> dict[str, NDArray[Any]]:
        """Everything as arrays by name."""
        settings = np.array([self.clip, self.epsilon, float(self.frozen)])
        arrays: dict[str, NDArray[Any]] = {"settings": settings}
        for name, moments in self.moments.items():
            arrays |= moments.state(name)
        return arrays

    @classmethod
    def from_state_dict(cls, arrays: Mapping[str, NDArray[Any]]) -> ObservationNormalizer:
        """Restore a normalizer from ``state_dict``."""
        settings = arrays.get("settings")
        if settings is None or settings.shape != (3,):
            raise NormalizerError("normalizer statistics without settings")
        normalizer = cls({}, clip=float(settings[0]), epsilon=float(settings[1]))
        normalizer.frozen = bool(settings[2])
        names = [name.removesuffix(".mean") for name in arrays if name.endswith(".mean")]
        normalizer.moments = {name: RunningMoments.from_state(name, arrays) for name in names}
        return normalizer


class RewardScaler:
    """Divides rewards by the running standard deviation of the discounted return of each environment.

    The return of an environment is ``discount`` times what it was, plus the reward; it starts again from 0 after the
    end of an episode. Its variance over all environments and steps is the scale, so that returns come to be of order
    1. The mean is not subtracted: that would change which policy is best.

    Args:
        num_envs: environments stepped together.
        discount: the learner's discount.
        clip: largest scaled reward.
        epsilon: added to the variance.
    """

    def __init__(
        self, num_envs: int, *, discount: float = 0.99, clip: float = 10.0, epsilon: float = 1e-8
    ) -> None:
        if not 0 <= discount <= 1 or clip <= 0 or epsilon <= 0 or num_envs < 1:
            raise NormalizerError(
                "num_envs must be at least 1, discount between 0 and 1, clip and epsilon above 0"
            )
        self.returns = np.zeros(num_envs)
        self.moments = RunningMoments(())
        self.discount = float(discount)
        self.clip = float(clip)
        self.epsilon = float(epsilon)
        self.frozen = False

    def freeze(self) -> RewardScaler:
        """Stop updating the statistics."""
        self.frozen = True
        return self

    def __call__(self, rewards: ArrayLike, ended: ArrayLike) -> NDArray[np.float32]:
        """Scale the rewards of one step, float32[num_envs]; ``ended`` marks the episodes that ended with it."""
        values = np.asarray(rewards, np.float64)
        if not self.frozen:
            self.returns = self.returns * self.discount + values
            self.moments.update(self.returns)
            self.returns[np.asarray(ended, np.bool_)] = 0.0
        return self.scale(values)

    def scale(self, rewards: ArrayLike) -> NDArray[np.float32]:
        """Scale rewards without updating the statistics."""
        deviation = np.sqrt(self.moments.variance + self.epsilon)
        return np.clip(np.asarray(rewards, np.float64) / deviation, -self.clip, self.clip).astype(np.float32)

    def state_dict(self) -> dict[str, NDArray[Any]]:
        """Return everything as arrays by name, including the returns of unfinished episodes."""
        settings = np.array([self.discount, self.clip, self.epsilon, float(self.frozen)])
        return {"settings": settings, "unfinished": self.returns.copy(), **self.moments.state("returns")}

    @classmethod
    def from_state_dict(cls, arrays: Mapping[str, NDArray[Any]]) -> RewardScaler:
        """Restore a scaler from ``state_dict``."""
        settings, unfinished = arrays.get("settings"), arrays.get("unfinished")
        if settings is None or settings.shape != (4,) or unfinished is None or unfinished.ndim != 1:
            raise NormalizerError("reward statistics without settings or returns")
        scaler = cls(
            len(unfinished), discount=float(settings[0]), clip=float(settings[1]), epsilon=float(settings[2])
        )
        scaler.frozen = bool(settings[3])
        scaler.returns = np.array(unfinished, np.float64, copy=True)
        scaler.moments = RunningMoments.from_state("returns", arrays)
        return scaler
