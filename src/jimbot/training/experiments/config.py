"""The configuration of one experiment; what it does not set has sensible values for its number of timesteps."""

from __future__ import annotations

import functools
import hashlib
import json
from typing import TYPE_CHECKING, Any, cast

from pydantic import Field, field_validator

from jimbot.training.config.files import put
from jimbot.training.config.trainer_config import (
    COMMON_NAMES,
    DEFAULT_BACKEND,
    DEFAULTS,
    BehavioralCloningConfig,
    ConfigError,
    CurriculumConfig,
    HyperparameterConfig,
    Positive,
    Section,
    TrainerConfig,
    field_candidates,
    get_default_config,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["ExperimentConfig", "creator_name"]

EVALUATIONS = 20
"""Evaluations in a training, unless eval_freq is given."""
CHECKPOINTS = 10
"""Checkpoints in a training, unless checkpoint_freq is given."""


class ExperimentConfig(Section):
    """One training that ends with an evaluation. Experiments of one name differ in their seed alone."""

    algorithm: str = "PPO"
    """PPO, A2C or DQN, or an algorithm of a registered trainer."""
    total_timesteps: Positive = 100_000
    """Steps to train, over all environments together."""
    seed: int = Field(default=42, ge=0, lt=2**32)
    """Seeds every random number generator of the experiment."""
    n_envs: Positive = 8
    """Environments side by side."""
    name: str | None = None
    """What tables call it; none takes the algorithm."""
    backend: str = DEFAULT_BACKEND
    """The library that trains."""
    env: str | None = None
    """Any environment Gymnasium can make; none takes the benchmark's env_creator, or Balatro without one."""
    env_kwargs: dict[str, Any] = Field(default_factory=dict[str, Any])
    """Options of the environment, or arguments of the benchmark's env_creator."""
    hyperparams: dict[str, Any] = Field(default_factory=dict[str, Any])
    """What differs from the algorithm's defaults: names of ``HyperparameterConfig``, of the algorithm's own options, or
    of Stable-Baselines3 (``ent_coef``). A whole ``HyperparameterConfig`` is taken as it is."""
    use_curriculum: bool = False
    """Raise the finishing ante with success."""
    curriculum: CurriculumConfig = Field(default_factory=CurriculumConfig)
    """How."""
    use_behavioral_cloning: bool = False
    """Clone an expert before training."""
    behavioral_cloning: BehavioralCloningConfig = Field(default_factory=BehavioralCloningConfig)
    """How."""
    evaluation_episodes: Positive = 100
    """Episodes of the evaluation at the end, on seeds that training never looks at; the same for all experiments."""
    trainer_options: dict[str, Any] = Field(default_factory=dict[str, Any])
    """Further fields of ``TrainerConfig``, such as eval_freq, normalize_obs or early_stop."""

    @field_validator("hyperparams", mode="before")
    @classmethod
    def _plain(cls, value: Any) -> Any:
        return value.model_dump() if isinstance(value, HyperparameterConfig) else value

    @property
    def label(self) -> str:
        """What tables call it."""
        return self.name or self.algorithm

    def trainer_config(self) -> TrainerConfig:
        """The whole configuration; an error names what is wrong in it."""
        taken = set(self.trainer_options) & (set(type(self).model_fields) - {"name"})
        if taken:
            raise ConfigError(
                f"trainer_options.{min(taken)}: set {min(taken)} of the experiment itself instead"
            )
        own = {"trainer_options", "evaluation_episodes", "hyperparams", "env", "name"}
        values: dict[str, Any] = {
            **self.model_dump(exclude=own),
            "eval_freq": max(self.total_timesteps // EVALUATIONS, 1),
            "checkpoint_freq": max(self.total_timesteps // CHECKPOINTS, 1),
            "hyperparams": self._hyperparams(),
            **self.trainer_options,
        }
        if self.env is not None:
            values["env"] = self.env
        config = TrainerConfig.from_dict(values).check()
        config.options()
        return config

    def check(self) -> TrainerConfig:
        """The whole configuration, of which a trainer is known to have the algorithm."""
        self.check_algorithm()
        return self.trainer_config()

    def check_algorithm(self) -> None:
        """Raise unless the backend, or a registered trainer, has the algorithm; the message names those it has."""
        from jimbot.training.framework import trainer_class

        trainer_class(TrainerConfig(algorithm=self.algorithm, backend=self.backend))

    def _hyperparams(self) -> dict[str, Any]:
        """The algorithm's defaults with what was given over them, each name where it belongs."""
        values: dict[str, Any] = {}
        if self.algorithm in DEFAULTS:
            values = get_default_config(self.algorithm).hyperparams.model_dump()
        own: dict[str, Any] = dict(values.get("algorithm_specific", {}))
        for name, value in self.hyperparams.items():
            if name == "algorithm_specific":
                own |= value
            elif name == "net_arch":
                values["policy_net_arch"] = values["value_net_arch"] = value
            elif name in HyperparameterConfig.model_fields:
                values[name] = value
            elif name in COMMON_NAMES:
                values[COMMON_NAMES[name]] = value
            else:  # checked against the algorithm's options when the configuration is made
                own[name] = value
        return {**values, "algorithm_specific": own}

    def copy_with(self, **changes: Any) -> ExperimentConfig:
        """A copy with other values."""
        return ExperimentConfig(**{**self.model_dump(), **changes})

    def with_fields(self, values: Mapping[str, Any]) -> ExperimentConfig:
        """A copy with fields set by dotted path: its own, those of ``TrainerConfig``, or a hyperparameter's name."""
        tree: dict[str, Any] = self.model_dump()
        for path, value in values.items():
            name = path.split(".")[0]
            if name in type(self).model_fields:
                place = path
            elif name not in TrainerConfig.model_fields and f"hyperparams.{name}" in short_paths(
                self.algorithm
            ):
                place = f"hyperparams.{path}"
            else:  # refused there if it is no field
                place = f"trainer_options.{path}"
            put(tree, place.split("."), value, path)
        return ExperimentConfig(**tree)

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as written to a file."""
        return self.model_dump(mode="json")

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> ExperimentConfig:
        """An experiment from plain data."""
        return cls(**dict(values))

    def recipe_hash(self, creator: str = "") -> str:
        """Twelve hexadecimal digits that are the same for experiments that differ only in name and seed."""
        words = [self.trainer_config().copy_with(seed=0).hash(), str(self.evaluation_episodes)]
        if self.env is None:
            words.append(creator)
        return hashlib.sha256(json.dumps(words).encode()).hexdigest()[:12]

    def key(self, creator: str = "") -> str:
        """A file name: the same experiment with the same seed always has the same, whatever it is called."""
        algorithm = "".join(sign if sign.isalnum() else "-" for sign in self.algorithm.lower())
        return f"{algorithm}-{self.recipe_hash(creator)}-seed{self.seed}"


def short_paths(algorithm: str) -> set[str]:
    """``hyperparams.<name>`` of every hyperparameter, those of the algorithm alone included."""
    paths = (path for path in field_candidates(algorithm) if path.startswith("hyperparams."))
    return {f"hyperparams.{path.rpartition('.')[2]}" for path in paths} | {
        f"hyperparams.{name}" for name in COMMON_NAMES
    }


def creator_name(creator: Callable[..., Any] | None) -> str:
    """A name that tells creators apart, arguments of partials included; empty for none."""
    if creator is None:
        return ""
    if isinstance(creator, functools.partial):
        partial = cast("functools.partial[Any]", creator)
        return f"{creator_name(partial.func)}{partial.args!r}{sorted(partial.keywords.items())!r}"
    kind: Any = creator if hasattr(creator, "__qualname__") else type(creator)
    return f"{kind.__module__}.{kind.__qualname__}"
