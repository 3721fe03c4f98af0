"""The one configuration that every trainer obeys: fields, defaults, meanings and checks.

The text under a field is the only explanation of it; the command line, the documents and reports read it from here.
Values are checked when they are set, so ``config.total_timesteps = 500_000`` works and ``config.total_timesteps = -1``
raises. What a whole configuration contradicts is found by ``config.check()``; ``config.frozen()``, which every trainer
calls first, checks the same.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal, Self

from pydantic import BaseModel, Field

from jimbot.field_errors import field_paths, nearest_names
from jimbot.training.config.hashing import config_hash
from jimbot.training.config.search_space import Searchable
from jimbot.training.config.sections import (
    ALGORITHM_OPTIONS,
    COMMON_NAMES,
    UNUSED,
    A2COptions,
    BehavioralCloningConfig,
    ConfigError,
    CurriculumConfig,
    DifficultyStep,
    DQNOptions,
    EarlyStopConfig,
    HyperparameterConfig,
    Positive,
    PPOOptions,
    Section,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = [
    "ALGORITHM_OPTIONS",
    "A2COptions",
    "BehavioralCloningConfig",
    "ConfigError",
    "CurriculumConfig",
    "DQNOptions",
    "DifficultyStep",
    "EarlyStopConfig",
    "HyperparameterConfig",
    "PPOOptions",
    "Section",
    "TrainerConfig",
    "get_default_config",
    "search_spaces",
]

DEFAULT_BACKEND = "sb3"
"""The library that trains unless another is named."""


class TrainerConfig(Section):
    """A training run: what to train, on what, how long, and where its files go.

    A configuration can be changed until it enters a trainer, which is how scripts adjust the defaults. A trainer keeps
    a frozen copy, so what a run records is what it was trained with, whatever happens to the original afterwards.
    """

    algorithm: str = "PPO"
    """PPO, A2C or DQN; SAC or TD3 for continuous actions; or an algorithm of a registered trainer."""
    backend: str = DEFAULT_BACKEND
    """The library that trains."""
    env: str = "jimbot/Balatro-v0"
    """Any environment Gymnasium can make."""
    env_kwargs: dict[str, Any] = Field(default_factory=dict[str, Any])
    """Options of the environment."""
    name: str | None = None
    """Name of the run's directory; none makes one from algorithm, environment and time."""

    total_timesteps: Positive = 1_000_000
    """Steps to train, over all environments together."""
    seed: Annotated[int, Field(ge=0, lt=2**32)] = 42
    """Seeds every random number generator of the run."""
    n_envs: Positive = 8
    """Environments side by side."""
    vectorization: Literal["auto", "native", "sync", "subprocess"] = "auto"
    """How they run: native (one compiled call), sync (in this process), subprocess, or the first that is possible."""
    device: str = "auto"
    """cpu, cuda, mps, …; auto takes an accelerator if there is one."""
    threads: Positive = 1
    """Threads of the learner's arithmetic. One is fastest for small networks."""
    env_threads: Positive = 1
    """Threads of the native environments."""

    use_feature_extractor: bool = True
    """Read observations with the network of feature_extractor_type; otherwise as one plain vector."""
    feature_extractor_type: Literal["balatro", "flat"] = "balatro"
    """balatro: embeddings and pooled entities, for observations that have them; flat: one plain vector."""
    network_sizes: dict[str, Any] = Field(default_factory=dict[str, Any])
    """Further sizes of the network (item_embedding, joker_encoder, …), by the names of ``NetworkSpec``."""
    normalize_obs: bool = True
    """Normalize observations by running statistics; arrays that are bounded to ±10 are left as they are."""
    normalize_reward: bool = True
    """Divide training rewards by the running standard deviation of the discounted return."""

    use_curriculum: bool = False
    """Raise the finishing ante with success."""
    curriculum: CurriculumConfig = Field(default_factory=CurriculumConfig)
    """How."""
    difficulty_schedule: list[DifficultyStep] = Field(default_factory=list[DifficultyStep])
    """Difficulties by timestep, in order."""
    use_behavioral_cloning: bool = False
    """Clone an expert before training."""
    behavioral_cloning: BehavioralCloningConfig = Field(default_factory=BehavioralCloningConfig)
    """How."""

    save_dir: str = "models"
    """Directory that holds the run's directory."""
    checkpoint_freq: Positive = 10_000
    """Steps between checkpoints."""
    keep_checkpoints: Positive = 3
    """How many of the last are kept; the best is kept besides."""
    eval_freq: Positive = 5_000
    """Steps between evaluations."""
    eval_episodes: Positive = 20
    """Episodes of an evaluation, on seeds never trained on."""
    early_stop: EarlyStopConfig | None = None
    """Conditions that end training before total_timesteps; none trains to the end."""

    trackers: list[str] = Field(default_factory=list[str])
    """Where numbers go besides events.jsonl and progress.csv: tensorboard, wandb, mlflow, questdb."""
    use_wandb: bool = False
    """Short for wandb among the trackers."""
    wandb_project: str = "balatro-rl"
    """Project under which W&B files the run."""
    backend_options: dict[str, Any] = Field(default_factory=dict[str, Any])
    """Options only the backend has, checked by it."""

    hyperparams: HyperparameterConfig = Field(default_factory=HyperparameterConfig)
    """How the network learns."""

    fields_are_listed_by: ClassVar[str] = "jimbot train --explain"

    @classmethod
    def names_to_suggest(cls, section: type[BaseModel]) -> list[str]:
        """Valid names that an error about an unknown field chooses from."""
        return field_candidates() if section is cls else field_paths(section)

    def options(self) -> Section | None:
        """The algorithm's own options, defaults filled in; None for an algorithm that declares none."""
        section = ALGORITHM_OPTIONS.get(self.algorithm)
        if section is None:
            return None
        given = self.hyperparams.algorithm_specific
        path = "hyperparams.algorithm_specific"
        for name in given:
            if name in COMMON_NAMES:
                raise ConfigError(f"{path}.{name}: set hyperparams.{COMMON_NAMES[name]} instead")
        try:
            return section(**given)
        except ConfigError as error:
            raise ConfigError(f"{path}.{error}") from None

    def check(self) -> Self:
        """Raise on what is wrong with the fields, alone or together; returns the configuration itself."""
        self.recheck_containers()
        return self.check_combinations()

    def check_combinations(self) -> Self:
        """Raise on valid fields that contradict each other; returns the configuration itself."""
        check_combinations(self)
        return self

    def tracker_names(self) -> list[str]:
        """The trackers asked for, each once."""
        asked = [*self.trackers, *(["wandb"] if self.use_wandb else [])]
        return list(dict.fromkeys(asked))

    def to_dict(self) -> dict[str, Any]:
        """Plain data, as written to a file."""
        return self.model_dump(mode="json")

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """A configuration from plain data; fields that are not given have their defaults."""
        return cls(**dict(values))

    def copy_with(self, **changes: Any) -> Self:
        """A validated copy with other values, which can be changed even if this one is frozen."""
        return type(self)(**{**self.model_dump(warnings=False), **changes})

    def frozen(self) -> Self:
        """A deep, checked copy that refuses every change; a frozen configuration itself."""
        if self._is_frozen:
            return self
        copied = self.model_copy(deep=True).check()
        copied.freeze_fields()
        return copied

    def hash(self) -> str:
        """Twelve hexadecimal digits that differ when anything that shapes the result differs."""
        return config_hash(self.to_dict())


DEFAULTS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "PPO": (
        {"learning_rate": 3e-4, "gae_lambda": 0.95},
        {"n_steps": 2048, "batch_size": 64, "n_epochs": 10, "clip_range": 0.2},
    ),
    "A2C": ({"learning_rate": 7e-4, "gae_lambda": 1.0}, {"n_steps": 5}),
    "DQN": (
        {"learning_rate": 1e-4},
        {"buffer_size": 100_000, "learning_starts": 10_000, "batch_size": 32, "train_freq": 4},
    ),
}
"""Per algorithm: what differs from the common hyperparameters, and its own options."""
CONTINUOUS = ("SAC", "TD3")
"""Algorithms for continuous actions alone; their defaults are those of the fields."""


def field_candidates(algorithm: Any = None) -> list[str]:
    """Dotted paths of all fields that somebody may mean by a name alone, the likeliest first.

    Args:
        algorithm: its options come first; those of the other algorithms are included too if it has none.
    """
    sections = (
        [ALGORITHM_OPTIONS[algorithm]] if algorithm in ALGORITHM_OPTIONS else ALGORITHM_OPTIONS.values()
    )
    own = [f"hyperparams.algorithm_specific.{name}" for each in sections for name in each.model_fields]
    common = [f"hyperparams.{name}" for name in HyperparameterConfig.model_fields]
    return list(dict.fromkeys([*common, *own, *field_paths(TrainerConfig)]))


def search_spaces(config: TrainerConfig) -> dict[str, Searchable]:
    """Where the hyperparameters of a configuration's algorithm may be searched, by their paths.

    DQN has neither advantages nor an entropy bonus nor a value head; what belongs to them is left out for it.
    """
    found: dict[str, Searchable] = {}
    sections: list[tuple[str, type[BaseModel]]] = [("hyperparams", HyperparameterConfig)]
    if config.algorithm in ALGORITHM_OPTIONS:
        sections.append(("hyperparams.algorithm_specific", ALGORITHM_OPTIONS[config.algorithm]))
    for prefix, section in sections:
        for name, field in section.model_fields.items():
            space = next((each for each in field.metadata if isinstance(each, Searchable)), None)
            if space is not None and name not in UNUSED.get(config.algorithm, ()):
                found[f"{prefix}.{name}"] = space
    return found


def get_default_config(algorithm: str = "PPO") -> TrainerConfig:
    """The documented defaults of PPO, A2C or DQN, and those of SAC and TD3."""
    known = [*DEFAULTS, *CONTINUOUS]
    if algorithm not in known:
        near = nearest_names(algorithm, known)
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        raise ConfigError(f"algorithm: there are defaults for {', '.join(known)}, got {algorithm!r}{hint}")
    return TrainerConfig.from_dict(default_values(algorithm))


def default_values(algorithm: str) -> dict[str, Any]:
    """The same as plain data, as far as it differs from the defaults of the fields; empty for other algorithms."""
    if algorithm in CONTINUOUS:
        return {"algorithm": algorithm}
    if algorithm not in DEFAULTS:
        return {}
    common, own = DEFAULTS[algorithm]
    return {"algorithm": algorithm, "hyperparams": {**common, "algorithm_specific": dict(own)}}


# --- contradictions ---------------------------------------------------------------------------------------------------


def check_combinations(config: TrainerConfig) -> None:
    """Raise ``ConfigError`` on valid fields that contradict each other."""
    check_batches(config)
    check_unused(config)
    check_difficulty(config)


def check_batches(config: TrainerConfig) -> None:
    """A minibatch of PPO is not larger than what an update has."""
    options = config.options()
    if isinstance(options, PPOOptions) and options.batch_size > options.n_steps * config.n_envs:
        raise ConfigError(
            f"hyperparams.algorithm_specific.batch_size: {options.batch_size} is more than the "
            f"{options.n_steps * config.n_envs} steps of an update (n_steps times n_envs)"
        )


def check_unused(config: TrainerConfig) -> None:
    """Fields that the algorithm does not look at are as they came.

    ``value_net_arch`` may also be the same as ``policy_net_arch``, one size of network for several algorithms, or
    empty, as in networks that other programs have trained without one.
    """
    given, default = config.hyperparams, HyperparameterConfig()
    for name in sorted(UNUSED.get(config.algorithm, ())):
        users = ", ".join(each for each in ALGORITHM_OPTIONS if name not in UNUSED.get(each, ()))
        value, usual = getattr(given, name), getattr(default, name)
        harmless: tuple[Any, ...] = (
            (usual, [], given.policy_net_arch) if name == "value_net_arch" else (usual,)
        )
        if value not in harmless:
            raise ConfigError(
                f"hyperparams.{name}: {config.algorithm} does not use it, {users} do; leave it at {usual}, got {value}"
            )


def check_difficulty(config: TrainerConfig) -> None:
    """Only one thing sets the finishing ante."""
    times = [each.timestep for each in config.difficulty_schedule]
    if times != sorted(set(times)):
        raise ConfigError(f"difficulty_schedule: timesteps must grow, got {times}")
    if config.use_curriculum and config.difficulty_schedule:
        raise ConfigError("difficulty_schedule: cannot be combined with use_curriculum; choose one")
    fixed = {"max_ante", "difficulty"} & set(config.env_kwargs)
    if fixed and (config.use_curriculum or config.difficulty_schedule):
        what = "use_curriculum" if config.use_curriculum else "difficulty_schedule"
        raise ConfigError(f"env_kwargs.{min(fixed)}: {what} sets the finishing ante; give one or the other")
