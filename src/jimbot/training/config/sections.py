"""The sections of a configuration: the hyperparameters, each algorithm's own options, curriculum, cloning, early stop.

The text under a field is the only explanation of it; the command line, the documents and reports read it from here.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NoReturn, Self, cast

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr, ValidationError, model_validator

from jimbot.errors import JimbotError
from jimbot.field_errors import explain_error
from jimbot.training.config.search_space import Choices, Range

__all__ = [
    "ALGORITHM_OPTIONS",
    "CLONING_FILTERS",
    "COMMON_NAMES",
    "UNUSED",
    "A2COptions",
    "BehavioralCloningConfig",
    "ConfigError",
    "CurriculumConfig",
    "DQNOptions",
    "DifficultyStep",
    "EarlyStopConfig",
    "HyperparameterConfig",
    "NotNegative",
    "PPOOptions",
    "Positive",
    "Section",
    "Share",
    "config_error",
]

Positive = Annotated[int, Field(ge=1)]
Share = Annotated[float, Field(ge=0.0, le=1.0)]
NotNegative = Annotated[float, Field(ge=0.0)]
Widths = Annotated[list[Positive], Field(max_length=16)]


class ConfigError(JimbotError, ValueError):
    """A configuration that cannot be obeyed; the message names the field and what it may be."""

    names_field = True
    """The text begins with the path of a field, which an outer section may extend."""


def refuse_change(*_: Any, **__: Any) -> NoReturn:
    """The one error for every attempt to change a frozen configuration."""
    raise ConfigError(
        "this configuration belongs to a trainer and cannot be changed; "
        "use config.copy_with(...) and make a new trainer with the copy"
    )


class FrozenList(list[Any]):
    """A list that cannot be changed; ``list(values)`` is a copy that can."""

    __setitem__ = __delitem__ = __iadd__ = __imul__ = refuse_change
    append = extend = insert = pop = remove = clear = sort = reverse = refuse_change

    def __reduce__(self) -> tuple[Any, ...]:
        return FrozenList, (list(self),)


class FrozenDict(dict[str, Any]):
    """A mapping that cannot be changed; ``dict(values)`` is a copy that can."""

    __setitem__ = __delitem__ = __ior__ = refuse_change
    pop = popitem = clear = update = setdefault = refuse_change

    def __reduce__(self) -> tuple[Any, ...]:
        return FrozenDict, (dict(self),)


def freeze_value(value: Any) -> Any:
    """The same value with every list and mapping in it frozen."""
    if isinstance(value, dict):
        items = cast("dict[str, Any]", value).items()
        return FrozenDict({key: freeze_value(each) for key, each in items})
    if isinstance(value, list):
        return FrozenList([freeze_value(each) for each in cast("list[Any]", value)])
    if type(value) is tuple:
        return tuple(freeze_value(each) for each in cast("tuple[Any, ...]", value))
    freeze = getattr(value, "freeze_fields", None)
    if freeze is not None:
        freeze()
    return value


class Section(BaseModel):
    """Fields that belong together: unknown names are refused, and values are checked when they are set."""

    model_config = ConfigDict(
        extra="forbid", validate_assignment=True, use_attribute_docstrings=True, allow_inf_nan=False
    )

    def __init__(self, /, **values: Any) -> None:
        try:
            super().__init__(**values)
        except ValidationError as error:
            raise config_error(error, type(self)) from None
        except TypeError:  # an inner section that is given other keys than names
            wrong = next((name for name, value in values.items() if has_other_keys(value)), None)
            if wrong is None:
                raise
            raise ConfigError(f"{wrong}: expected names of fields, which are text") from None

    _is_frozen: bool = PrivateAttr(default=False)

    def __setattr__(self, name: str, value: Any) -> None:
        if self._is_frozen:
            refuse_change()
        try:
            super().__setattr__(name, value)
        except ValidationError as error:
            raise config_error(error, type(self)) from None

    def __delattr__(self, name: str) -> None:
        if self._is_frozen:
            refuse_change()
        super().__delattr__(name)

    def __eq__(self, other: object) -> bool:
        """Whether the fields are equal; being frozen makes no difference."""
        if not isinstance(other, Section):
            return NotImplemented
        return type(self) is type(other) and self.__dict__ == other.__dict__

    __hash__ = None  # pyright: ignore[reportAssignmentType]

    def recheck_containers(self) -> None:
        """Check lists and mappings again: what is changed inside one is not noticed when it happens."""
        for name, value in cast("dict[str, Any]", self.__dict__).items():
            try:
                if isinstance(value, Section):
                    value.recheck_containers()
                elif isinstance(value, (list, dict)):
                    setattr(self, name, value)
            except ConfigError as error:
                raise ConfigError(f"{name}.{error}") if isinstance(value, Section) else error from None

    def freeze_fields(self) -> None:
        """Refuse changes from now on, inside of sections, lists and mappings too."""
        fields = cast("dict[str, Any]", self.__dict__)
        for name, value in fields.items():
            fields[name] = freeze_value(value)
        self._is_frozen = True


def has_other_keys(value: Any) -> bool:
    """Whether a mapping, or an entry of a list, has keys that are not text."""
    if isinstance(value, list):
        return any(has_other_keys(each) for each in cast("list[Any]", value))
    return isinstance(value, dict) and not all(isinstance(key, str) for key in cast("dict[Any, Any]", value))


def config_error(error: ValidationError, section: type[BaseModel]) -> ConfigError:
    """The error that a user sees instead of Pydantic's."""
    made = ConfigError(explain_error(error, section))
    made.names_field = bool(error.errors(include_url=False)[0]["loc"])
    return made


class PPOOptions(Section):
    """What only PPO has."""

    n_steps: Annotated[Positive, Choices((64, 128, 256, 512, 1024, 2048))] = 2048
    """Steps each environment takes between two updates."""
    batch_size: Annotated[int, Field(ge=2), Choices((32, 64, 128, 256, 512))] = 64
    """Samples in a minibatch (its size, not how many there are)."""
    n_epochs: Annotated[Positive, Range(1, 20)] = 10
    """Passes over the collected steps in an update."""
    clip_range: Annotated[float, Field(gt=0.0), Range(0.1, 0.4)] = 0.2
    """Clip range of the ratio of new to old action probability."""
    clip_range_vf: Annotated[float, Field(gt=0.0)] | None = None
    """The same for the value estimate; none leaves it free."""
    normalize_advantage: bool = True
    """Normalize the advantages of each minibatch to mean 0 and standard deviation 1."""
    target_kl: Annotated[float, Field(gt=0.0)] | None = None
    """End an update early when the policy has moved farther than this."""


class A2COptions(Section):
    """What only A2C has."""

    n_steps: Annotated[Positive, Choices((5, 8, 16, 32, 64))] = 5
    """Steps each environment takes between two updates."""
    use_rms_prop: Annotated[bool, Choices((True, False))] = True
    """RMSprop as in the original algorithm; otherwise Adam."""
    rms_prop_eps: Annotated[float, Field(gt=0.0)] = 1e-5
    """Added to RMSprop's denominator."""
    normalize_advantage: Annotated[bool, Choices((True, False))] = False
    """Normalize the advantages of each update to mean 0 and standard deviation 1."""


class DQNOptions(Section):
    """What only DQN has."""

    buffer_size: Positive = 100_000
    """Steps the replay buffer holds."""
    learning_starts: Annotated[int, Field(ge=0)] = 10_000
    """Steps taken before the first update."""
    batch_size: Annotated[Positive, Choices((32, 64, 128, 256))] = 32
    """Samples in an update."""
    train_freq: Annotated[Positive, Choices((1, 2, 4, 8, 16))] = 4
    """Steps of every environment between two updates."""
    gradient_steps: Annotated[int, Field(ge=-1)] = 1
    """Updates each time; -1 makes as many as steps were taken."""
    target_update_interval: Annotated[Positive, Range(500, 20_000, log=True)] = 10_000
    """Steps between two refreshes of the target network."""
    tau: Annotated[float, Field(gt=0.0, le=1.0)] = 1.0
    """How much of the network goes into the target network at a refresh."""
    exploration_fraction: Annotated[Share, Range(0.05, 0.5)] = 0.1
    """Share of the training over which exploration falls."""
    exploration_initial_eps: Share = 1.0
    """Probability of a random legal action at the start."""
    exploration_final_eps: Annotated[Share, Range(0.01, 0.2)] = 0.05
    """Probability of a random legal action at the end."""


class SACOptions(Section):
    """What only SAC has."""

    buffer_size: Positive = 100_000
    """Steps the replay buffer holds."""
    learning_starts: Annotated[int, Field(ge=0)] = 1_000
    """Steps taken at random before the first update."""
    batch_size: Annotated[Positive, Choices((64, 128, 256, 512))] = 256
    """Samples in an update."""
    train_freq: Annotated[Positive, Choices((1, 2, 4, 8, 16))] = 1
    """Steps of every environment between two updates."""
    gradient_steps: Annotated[int, Field(ge=-1)] = -1
    """Updates each time; -1 makes as many as steps were taken."""
    tau: Annotated[float, Field(gt=0.0, le=1.0), Range(0.001, 0.05, log=True)] = 0.005
    """How much of the networks goes into the target networks at every update."""
    temperature: Annotated[float, Field(gt=0.0)] | None = None
    """Weight of the entropy in the return; none tunes it during training."""


class TD3Options(Section):
    """What only TD3 has."""

    buffer_size: Positive = 100_000
    """Steps the replay buffer holds."""
    learning_starts: Annotated[int, Field(ge=0)] = 1_000
    """Steps taken at random before the first update."""
    batch_size: Annotated[Positive, Choices((64, 128, 256, 512))] = 256
    """Samples in an update."""
    train_freq: Annotated[Positive, Choices((1, 2, 4, 8, 16))] = 1
    """Steps of every environment between two updates."""
    gradient_steps: Annotated[int, Field(ge=-1)] = -1
    """Updates each time; -1 makes as many as steps were taken."""
    tau: Annotated[float, Field(gt=0.0, le=1.0), Range(0.001, 0.05, log=True)] = 0.005
    """How much of the networks goes into the target networks at every update of the policy."""
    exploration_noise: Annotated[NotNegative, Range(0.05, 0.5)] = 0.1
    """Standard deviation of the noise on actions, which are scaled to ±1."""
    policy_delay: Positive = 2
    """Updates of the values for one of the policy."""
    target_policy_noise: NotNegative = 0.2
    """Standard deviation of the noise on the target policy's actions."""
    target_noise_clip: NotNegative = 0.5
    """That noise is cut to this."""


ALGORITHM_OPTIONS: dict[str, type[Section]] = {
    "PPO": PPOOptions,
    "A2C": A2COptions,
    "DQN": DQNOptions,
    "SAC": SACOptions,
    "TD3": TD3Options,
}
"""The sections behind ``hyperparams.algorithm_specific``; algorithms of other trainers may add theirs."""

COMMON_NAMES = {
    "learning_rate": "learning_rate",
    "gamma": "gamma",
    "gae_lambda": "gae_lambda",
    "ent_coef": "entropy_coefficient",
    "vf_coef": "value_function_coefficient",
    "max_grad_norm": "max_grad_norm",
    "net_arch": "policy_net_arch",
}
"""Names of Stable-Baselines3 that belong to the common hyperparameters, and their names there."""


class HyperparameterConfig(Section):
    """How a network learns."""

    learning_rate: Annotated[float, Field(gt=0.0), Range(1e-5, 1e-2, log=True)] = 3e-4
    """Learning rate of the optimizer."""
    gamma: Annotated[Share, Choices((0.9, 0.95, 0.98, 0.99, 0.995, 0.999, 1.0))] = 0.99
    """Discount of rewards per step."""
    gae_lambda: Annotated[Share, Range(0.8, 1.0)] = 0.95
    """The lambda of generalized advantage estimation: 0 looks one step ahead, 1 to the end of the episode."""
    entropy_coefficient: Annotated[NotNegative, Range(1e-5, 0.1, log=True)] = 0.01
    """Weight of the entropy bonus, over legal actions only."""
    value_function_coefficient: Annotated[NotNegative, Range(0.1, 1.0)] = 0.5
    """Weight of the value estimate's squared error (without a factor of one half)."""
    max_grad_norm: Annotated[float, Field(gt=0.0), Range(0.3, 5.0, log=True)] = 0.5
    """Maximum L2 norm of the gradient over all parameters; longer ones are scaled down."""
    policy_net_arch: Widths = Field(default_factory=lambda: [256, 256])
    """Widths of the hidden layers from the features to the actions."""
    value_net_arch: Widths = Field(default_factory=lambda: [256, 256])
    """Widths of the hidden layers from the features to the value."""
    features_dim: Positive = 512
    """Width of the features that both share."""
    algorithm_specific: dict[str, Any] = Field(default_factory=dict[str, Any])
    """Options of the algorithm alone (PPO: n_steps, batch_size, n_epochs, clip_range, …), checked against it."""


class CurriculumConfig(Section):
    """Finishing antes that grow with success."""

    initial_max_ante: Annotated[int, Field(ge=1, le=39)] = 2
    """The finishing ante at the start."""
    ante_increment: Positive = 1
    """How much it grows."""
    success_threshold: Annotated[float, Field(gt=0.0, le=1.0)] = 0.8
    """It grows when this share of the last whole episodes was won."""
    final_max_ante: Annotated[int, Field(ge=1, le=39)] = 8
    """It grows no farther."""
    window: Positive = 100
    """Whole episodes, all begun at the present ante, over which success is measured."""

    @model_validator(mode="after")
    def ordered(self) -> Self:
        """The end is not before the start."""
        if self.final_max_ante < self.initial_max_ante:
            raise ValueError(
                f"final_max_ante {self.final_max_ante} is below initial_max_ante {self.initial_max_ante}"
            )
        return self


class DifficultyStep(Section):
    """A difficulty and when it begins."""

    timestep: Annotated[int, Field(ge=0)] = 0
    """Environment steps after which it begins."""
    difficulty: Literal["easy", "medium", "hard"] = "easy"
    """The environment's difficulty from then on."""


class EarlyStopConfig(Section):
    """Conditions that end training early."""

    target_score: float | None = None
    """Stop when an evaluation's mean score reaches this."""
    patience: Positive | None = None
    """Stop after this many evaluations without a better one."""
    min_improvement: NotNegative = 0.0
    """How much better counts as better."""

    @model_validator(mode="after")
    def says_something(self) -> Self:
        """One of the two conditions is there."""
        if self.target_score is None and self.patience is None:
            raise ValueError("give target_score or patience")
        return self


class BehavioralCloningConfig(Section):
    """Behavioral cloning of an expert before training."""

    expert: str = "scripted"
    """A player's name, or the path of a saved policy."""
    n_episodes: Positive = 100
    """Episodes that the expert demonstrates."""
    n_epochs: Positive = 10
    """Passes over the demonstrations."""
    batch_size: Positive = 64
    """Decisions in a minibatch."""
    learning_rate: Annotated[float, Field(gt=0.0)] = 1e-3
    """Learning rate while cloning."""
    dagger_rounds: Annotated[int, Field(ge=0)] = 0
    """Further rounds in which the expert relabels what the learner met."""
    dagger_episodes: Positive | None = None
    """Episodes the learner plays in each of them; none shares half of n_episodes among the rounds."""
    balanced: bool = False
    """Let every kind of decision count alike, up to tenfold; otherwise common kinds count most."""
    min_return: float | None = None
    """Learn from demonstrated episodes with at least this sum of rewards; none takes all."""
    min_ante: Positive | None = None
    """Learn from demonstrated episodes that reached at least this ante; none takes all."""
    won: bool | None = None
    """Learn from won episodes only, or from lost ones only; none takes both."""
    best_share: Annotated[float, Field(gt=0.0, le=1.0)] | None = None
    """Of the episodes that passed, learn from this share with the highest sums of rewards; none takes all."""

    def filters(self) -> dict[str, Any]:
        """The conditions that are given, by the names that ``filter_trajectories`` has for them."""
        values = {name: getattr(self, name) for name in CLONING_FILTERS}
        return {name: value for name, value in values.items() if value is not None}


CLONING_FILTERS = ("min_return", "min_ante", "won", "best_share")
"""Fields that filter the demonstrated episodes."""

ACTOR_CRITIC_ONLY = frozenset(
    {"gae_lambda", "entropy_coefficient", "value_function_coefficient", "value_net_arch"}
)
"""Common hyperparameters that only actor-critic algorithms with advantages look at."""

UNUSED: dict[str, frozenset[str]] = {
    "DQN": ACTOR_CRITIC_ONLY,
    "SAC": ACTOR_CRITIC_ONLY - {"value_net_arch"} | {"max_grad_norm", "features_dim"},
    "TD3": ACTOR_CRITIC_ONLY - {"value_net_arch"} | {"max_grad_norm", "features_dim"},
}
"""Common hyperparameters that an algorithm does not look at; other values than the defaults are refused for it."""
