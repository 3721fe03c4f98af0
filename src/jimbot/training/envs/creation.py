"""From what a user gives (a name, an environment, a function, a vector) to the environments a trainer runs on."""

from __future__ import annotations

import functools
import importlib
import inspect
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast

import gymnasium
from gymnasium.envs.registration import load_env_creator
from gymnasium.vector import VectorEnv
from gymnasium.wrappers import OrderEnforcing, PassiveEnvChecker

from jimbot.balatro.env.options import EnvOptions
from jimbot.balatro.env.single import BalatroEnv
from jimbot.training.config.trainer_config import ConfigError, CurriculumConfig, TrainerConfig
from jimbot.training.envs.copying import balatro_options, create_copier, make_from_spec
from jimbot.training.envs.evaluation import EvaluationResult, evaluate_episodes
from jimbot.training.envs.normalized_vector import NormalizedVector
from jimbot.training.envs.vectors import TrainingVector, gymnasium_vector, resumable_creator
from jimbot.training.envs.wrappers import ActionMaskWrapper, BalatroGymWrapper, CurriculumWrapper

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from jimbot.training.envs.evaluation import BatchPolicy
    from jimbot.training.envs.protocol import TrainingEnvironments

__all__ = [
    "ALIASES",
    "BALATRO",
    "Environments",
    "environment_id",
    "unwrap_environments",
    "with_options",
    "wrap_environments",
]

ALIASES = {
    "balatro": "jimbot/Balatro-v0",
    "BalatroEnv": "jimbot/Balatro-v0",
    "therapy": "jimbot/Therapy-v0",
    "cartpole": "CartPole-v1",
}
"""Short names of environments."""

BALATRO = ALIASES["balatro"]
TRANSPARENT = (OrderEnforcing, PassiveEnvChecker, BalatroGymWrapper, CurriculumWrapper)
"""Wrappers that the native vector makes unnecessary."""


def environment_id(name: str) -> str:
    """The id Gymnasium knows, with jimbot's own environments registered."""
    known = ALIASES.get(name, name)
    if known.startswith("jimbot/"):
        importlib.import_module("jimbot.balatro")
        if known == ALIASES["therapy"]:
            importlib.import_module("jimbot.therapy")
    return known


@dataclass
class Environments:
    """Where a run's environments come from.

    Attributes:
        creator: makes one environment.
        native: makes a native vector of so many environments with these further options, or None.
        vector: a vector the user made, to be used as it is, or None.
        curriculum: what a CurriculumWrapper asked for, or None.
        num_envs: how many there are to be, where the user's vector said so; the configuration's number if None.
        evaluation_options: options that put a native vector on evaluation seeds.
    """

    creator: Callable[[], gymnasium.Env[Any, Any]]
    native: Callable[..., VectorEnv[Any, Any, Any]] | None = None
    vector: VectorEnv[Any, Any, Any] | None = None
    curriculum: CurriculumConfig | None = None
    num_envs: int | None = None
    evaluation_options: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @classmethod
    def of(cls, given: Any, config: TrainerConfig) -> Environments:
        """Look at what was given: None for the configuration's own, a name, an environment, a creator, a vector."""
        if given is None or isinstance(given, str):
            return cls._named(given or config.env, config.env_kwargs, config)
        made = isinstance(given, (VectorEnv, gymnasium.Env)) or is_sb3(given, "VecEnv")
        if config.env_kwargs and made:
            raise ConfigError(
                f"env_kwargs: {', '.join(config.env_kwargs)} cannot reach an environment that is made already; make it "
                "with them, or give a function or a name"
            )
        if isinstance(given, VectorEnv):
            return cls._of_vector(cast("VectorEnv[Any, Any, Any]", given), config)
        if isinstance(given, gymnasium.Env):
            return cls._of_env(cast("gymnasium.Env[Any, Any]", given), config)
        if is_sb3(given, "VecEnv"):
            return cls._of_sb3(given, config)
        if callable(given):
            return cls._of_creator(given, config)
        raise ConfigError(
            f"expected an environment, a vector of them, a function that makes one, or a name, "
            f"got {type(given).__name__}"
        )

    @classmethod
    def _named(cls, name: str, options: Mapping[str, Any], config: TrainerConfig) -> Environments:
        known = environment_id(name)
        try:
            spec = gymnasium.spec(known)
        except (gymnasium.error.Error, ImportError) as error:
            raise ConfigError(
                f"env: Gymnasium cannot make {name!r}: {' '.join(str(error).split())}"
            ) from None
        options = {**options}
        if known == BALATRO:
            options.setdefault("discount", config.hyperparams.gamma)
        creator = functools.partial(make_from_spec, spec, options)
        entry = spec.vector_entry_point
        if entry is None:
            return cls(creator)
        maker: Any = load_env_creator(entry) if isinstance(entry, str) else entry
        if not hasattr(maker, "snapshot"):
            return cls(creator)
        native: Callable[..., VectorEnv[Any, Any, Any]] = functools.partial(
            maker, **{**cast("Any", spec).kwargs, **options}
        )
        return cls(creator, native, evaluation_options=getattr(maker, "evaluation_options", {}))

    @classmethod
    def _of_env(cls, env: gymnasium.Env[Any, Any], config: TrainerConfig) -> Environments:
        found = cls._native(env, config)
        if found is not None:
            return found
        creator, curriculum = create_copier(env)
        return cls(creator, curriculum=curriculum)

    @classmethod
    def _native(cls, env: gymnasium.Env[Any, Any], config: TrainerConfig) -> Environments | None:
        """The native vector that does the same as an environment and its wrappers; None if there is none."""
        inner, curriculum = without_transparent(env)
        if not isinstance(inner, BalatroEnv):
            return None
        found = cls._named(
            BALATRO, {"discount": inner.options.discount, **balatro_options(inner.options)}, config
        )
        found.curriculum = curriculum
        return found

    @classmethod
    def _of_sb3(cls, given: Any, config: TrainerConfig) -> Environments:
        """The environments of a ``VecEnv`` of Stable-Baselines3, as many and alike; wrappers around it are refused."""
        vector = given
        while is_sb3(vector, "VecMonitor"):
            vector = vector.venv
        name = type(vector).__name__
        if is_sb3(vector, "VecEnvWrapper"):
            raise ConfigError(
                f"env: {name} cannot be taken over; give the VecEnv below it, use normalize_obs and normalize_reward "
                "instead of VecNormalize, and Gymnasium's wrappers instead of the others"
            )
        made = getattr(vector, "envs", None)
        if not made:
            raise ConfigError(
                f"env: the environments of a {name} are in other processes and cannot be made again from here; give "
                "the function that makes one of them, with n_envs and vectorization: subprocess"
            )
        found = cls._of_env(made[0], config)
        found.num_envs = len(made)
        return found

    @classmethod
    def _of_vector(cls, vector: VectorEnv[Any, Any, Any], config: TrainerConfig) -> Environments:
        options = getattr(vector, "options", None)
        if isinstance(options, EnvOptions):
            found = cls._named(BALATRO, balatro_options(options), config)
            found.vector = vector
            return found
        creator = resumable_creator(vector)
        if creator is None:
            raise ConfigError(
                f"this {type(vector).__name__} can neither be resumed nor evaluated on fresh episodes; give a class, a "
                "function that makes one environment, or an id, and set n_envs; or make the vector with "
                "jimbot.training.utils.make_vectorized_env"
            )
        return cls(creator, vector=vector)

    @classmethod
    def _of_creator(cls, creator: Callable[..., Any], config: TrainerConfig) -> Environments:
        creator = with_options(creator, config.env_kwargs)
        made = creator()
        if not isinstance(made, gymnasium.Env):
            raise ConfigError(f"the function made {type(made).__name__}, expected a gymnasium.Env")
        found = cls._native(cast("gymnasium.Env[Any, Any]", made), config)
        if found is not None:
            return found
        made.close()
        return cls(creator)

    def wrapped(self, config: TrainerConfig) -> NormalizedVector:
        """The environments to train on, normalized as the configuration asks."""
        return NormalizedVector(self.training_vector(config), config)

    def training_vector(
        self,
        config: TrainerConfig,
        *,
        num_envs: int | None = None,
        seed: int | None = None,
        vectorization: str | None = None,
    ) -> TrainingVector:
        """The environments to train on as they are; what is given takes the place of the configuration's."""
        num_envs = num_envs or self.num_envs or config.n_envs
        seed = config.seed if seed is None else seed
        vectorization = vectorization or config.vectorization
        if self.vector is not None:
            return TrainingVector(self.vector, seed)
        if vectorization == "native" and self.native is None:
            raise ConfigError(
                f"vectorization: {config.env} has no native vector; choose sync, subprocess or auto"
            )
        if self.native is not None and vectorization in ("auto", "native"):
            return TrainingVector(self.native(num_envs=num_envs, threads=config.env_threads), seed)
        in_processes = vectorization == "subprocess"
        return TrainingVector(gymnasium_vector(self.creator, num_envs, in_processes=in_processes), seed)

    def action_space(self) -> gymnasium.Space[Any]:
        """Of one environment, which is made to look at it unless there is a vector."""
        if self.vector is not None:
            return cast("Any", self.vector).single_action_space
        try:
            env = self.creator()
        except gymnasium.error.Error as error:
            raise ConfigError(f"env: Gymnasium cannot make it: {' '.join(str(error).split())}") from None
        space = env.action_space
        env.close()
        return space

    def _evaluation_vector(self, threads: int, count: int) -> VectorEnv[Any, Any, Any]:
        assert self.native is not None
        return self.native(num_envs=count, threads=threads, **self.evaluation_options)

    def evaluate(
        self,
        policy: BatchPolicy,
        episodes: int,
        evaluation_set: int = 0,
        tell: Callable[[int, int], None] | None = None,
        share: tuple[int, int] = (0, 1),
        *,
        first: int = 0,
        threads: int = 1,
    ) -> EvaluationResult:
        """Play episodes of an evaluation set from its ``first`` on, or a share of them.

        ``threads`` are those of native environments; others have one.
        """
        native = functools.partial(self._evaluation_vector, threads) if self.native is not None else None
        return evaluate_episodes(
            policy, self.creator, episodes, evaluation_set, native=native, tell=tell, share=share, first=first
        )


def wrap_environments(given: Any, config: TrainerConfig) -> NormalizedVector:
    """What a user gives as the environments that trainers take: a name, an environment, a creator, a vector."""
    return Environments.of(given, config).wrapped(config)


def unwrap_environments(environments: TrainingEnvironments) -> VectorEnv[Any, Any, Any]:
    """The vector below a trainer's environments; ``ConfigError`` where they are not in this process."""
    inner: Any = environments
    while isinstance(inner, (NormalizedVector, TrainingVector)):
        inner = inner.vector
    if not isinstance(inner, VectorEnv):
        raise ConfigError(f"the environments of {type(environments).__name__} are not in this process")
    return cast("VectorEnv[Any, Any, Any]", inner)


def without_transparent(env: gymnasium.Env[Any, Any]) -> tuple[Any, CurriculumConfig | None]:
    """The environment below the wrappers that the native vector makes unnecessary, and the curriculum of one."""
    curriculum: CurriculumConfig | None = None
    inner: Any = env
    while is_transparent(inner):
        if isinstance(inner, CurriculumWrapper):
            curriculum = inner.config
        inner = cast("Any", inner).env
    return inner, curriculum


def is_transparent(env: Any) -> bool:
    """Whether the native vector makes a wrapper unnecessary."""
    if isinstance(env, ActionMaskWrapper):
        return env.has_mask
    return isinstance(env, TRANSPARENT) or is_sb3(env, "Monitor")


def is_sb3(given: Any, name: str) -> bool:
    """Whether something is of a class of Stable-Baselines3, found without importing the library."""
    return any(
        each.__name__ == name and each.__module__.startswith("stable_baselines3.common.")
        for each in type(given).__mro__
    )


def with_options(creator: Callable[..., Any], options: Mapping[str, Any]) -> Callable[..., Any]:
    """A function that makes environments with these options; refused if it does not take them."""
    if not options:
        return creator
    try:
        inspect.signature(creator).bind(**options)
    except TypeError as error:
        name = getattr(creator, "__name__", type(creator).__name__)
        raise ConfigError(
            f"env_kwargs: the function {name} does not take {', '.join(options)}: {error}; give it these parameters, "
            "or leave env_kwargs empty"
        ) from None
    except ValueError:  # written in C, without a signature: it refuses by itself
        pass
    return functools.partial(creator, **options)
