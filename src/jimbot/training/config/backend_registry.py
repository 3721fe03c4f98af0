"""Which trainers there are, and what each can do.

A backend joins by one line in ``BACKENDS``, by ``@register_trainer("name")``, or by an entry point of the group
``jimbot.trainers``. Everything else about it stands in its own package: its trainer's ``Capabilities``, its translation
of the configuration, and the names of its own that a configuration file may use.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from importlib import import_module
from importlib.metadata import entry_points
from typing import TYPE_CHECKING, Any, TypeVar, cast

import gymnasium

from jimbot.errors import MissingExtraError
from jimbot.field_errors import nearest_names
from jimbot.training.config.trainer_config import ConfigError, Section, TrainerConfig

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from jimbot.training.framework import RLTrainer

__all__ = [
    "BACKENDS",
    "Capabilities",
    "UnsupportedError",
    "able_backends",
    "available_trainers",
    "check_actions",
    "check_capabilities",
    "find_trainer",
    "has_algorithm",
    "read_options",
    "register_trainer",
    "trainer_class",
    "value_at",
]

ENTRY_POINTS = "jimbot.trainers"

BACKENDS: dict[str, str] = {
    "sb3": "jimbot.training.sb3_trainer:SB3Trainer",
    "tianshou": "jimbot.training.tianshou_trainer:TianshouTrainer",
    "jax": "jimbot.training.backends.jax.backend:JaxTrainer",
    "rllib": "jimbot.training.rllib_trainer:RLlibTrainer",
}
"""The trainers that come with jimbot, imported when they are asked for."""

registered: dict[str, type[RLTrainer]] = {}
"""Trainers that joined by the decorator."""


@dataclass(frozen=True)
class Capabilities:
    """What a trainer can do; what it cannot is refused when it is made.

    Attributes:
        algorithms: those it has.
        unsupported: configuration fields it cannot honor, and why; refused when they differ from their default.
        exact_resume: whether a resumed training equals an unbroken one, bit for bit.
        extra: the extra of the jimbot package that installs its library; None if it needs none.
        options: the section that checks ``backend_options``; None if it has no options of its own.
        networks: the networks it can train: that of the configuration, and others that ``backend_options`` names.
        compiled_environments: Gymnasium ids of environments that it compiles together with the training, and where
            their pure functions are (``module:attribute``).
        compiles: whether its first update takes longer than the others because it is compiled.
        cluster_address: the option that holds the address of a cluster to join; None if it joins none.
        actions: the action spaces of each algorithm (Discrete, MultiDiscrete, MultiBinary, Box, unbounded Box),
            Discrete where it names none; None leaves them to the trainer.
    """

    algorithms: tuple[str, ...]
    unsupported: Mapping[str, str] = field(default_factory=dict[str, str])
    exact_resume: bool = True
    extra: str | None = None
    options: type[Section] | None = None
    networks: tuple[str, ...] = ("chosen",)
    compiled_environments: Mapping[str, str] = field(default_factory=dict[str, str])
    compiles: bool = False
    cluster_address: str | None = None
    actions: Mapping[str, tuple[str, ...]] | None = None

    def acts_in(self, algorithm: str, kind: str) -> bool:
        """Whether an algorithm of the trainer can act in spaces of this class; True where nothing is declared."""
        return self.actions is None or kind in self.actions.get(algorithm, ("Discrete",))


class UnsupportedError(ConfigError):
    """A field that a backend cannot honor. ``create_trainer`` adds the backends that can."""

    def __init__(self, path: str, reason: str) -> None:
        super().__init__(f"{path}: {reason}")
        self.path, self.reason = path, reason


Trainer = TypeVar("Trainer", bound="type[RLTrainer]")


def register_trainer(name: str) -> Callable[[Trainer], Trainer]:
    """A decorator by which a trainer joins: ``backend: <name>``, or by an algorithm that only it has.

    A trainer that declares no ``capabilities`` has one algorithm, of the name it joins by.
    """

    def join(trainer: Trainer) -> Trainer:
        if not isinstance(cast("Any", trainer.capabilities), Capabilities):
            raise ConfigError(
                f"{trainer.__name__}.capabilities is {type(trainer.capabilities).__name__}; expected "
                f'Capabilities(algorithms=("{name}",)), from jimbot.training.framework'
            )
        if not trainer.capabilities.algorithms:
            trainer.capabilities = replace(trainer.capabilities, algorithms=(name,))
        before = registered.get(name, trainer)
        # The same class defined again, as in a cell of a notebook that is run twice, takes its own place.
        same = (before.__module__, before.__qualname__) == (trainer.__module__, trainer.__qualname__)
        if name in BACKENDS or not same:
            raise ConfigError(f"there is a trainer {name!r} already; choose another name")
        registered[name] = trainer
        return trainer

    return join


# --- finding ----------------------------------------------------------------------------------------------------------


def available_trainers() -> list[str]:
    """Names that ``backend`` can have."""
    offered = [point.name for point in entry_points(group=ENTRY_POINTS)]
    return list(dict.fromkeys([*BACKENDS, *registered, *offered]))


def find_trainer(name: str) -> type[RLTrainer]:
    """The trainer behind a name."""
    if name in registered:
        return registered[name]
    if name in BACKENDS:
        module, _, attribute = BACKENDS[name].partition(":")
        return getattr(import_module(module), attribute)
    for point in entry_points(group=ENTRY_POINTS, name=name):
        return point.load()
    raise ConfigError(f"backend: there is no {name!r}; allowed are {', '.join(available_trainers())}")


def trainer_class(config: TrainerConfig) -> type[RLTrainer]:
    """The trainer of a configuration: that of its backend, or a registered one that alone has its algorithm."""
    found = find_trainer(config.backend)
    if config.algorithm in found.capabilities.algorithms:
        return found
    for other in registered.values():
        if config.algorithm in other.capabilities.algorithms:
            return other
    able = [name for name in available_trainers() if has_algorithm(name, config.algorithm)]
    known = ", ".join(found.capabilities.algorithms)
    near = [] if able else nearest_names(config.algorithm, found.capabilities.algorithms)
    hint = f"; backends that have it: {', '.join(able)}" if able else ""
    hint = f"; did you mean {' or '.join(near)}?" if near else hint
    if not hint:
        own = [f"{name} has {', '.join(each.capabilities.algorithms)}" for name, each in registered.items()]
        hint = (
            f"; registered trainers: {'; '.join([*own, ''])}set capabilities = Capabilities(algorithms=(...)) in the "
            "class to name its algorithms"
            if own
            else '; a trainer of your own joins by @register_trainer("<algorithm>")'
        )
    raise ConfigError(f"algorithm: backend {config.backend} has {known}, not {config.algorithm!r}{hint}")


def has_algorithm(name: str, algorithm: str) -> bool:
    """Whether a trainer that can be imported has an algorithm."""
    try:
        return algorithm in find_trainer(name).capabilities.algorithms
    except (MissingExtraError, ImportError):
        return False


# --- what a trainer can honor -----------------------------------------------------------------------------------------

Options = TypeVar("Options", bound=Section)


def read_options(section: type[Options], config: TrainerConfig) -> Options:
    """``backend_options`` of a configuration, checked against a backend's own section."""
    try:
        return section(**config.backend_options)
    except ConfigError as error:
        raise ConfigError(f"backend_options.{error}") from None


def check_capabilities(trainer: type[RLTrainer], config: TrainerConfig) -> None:
    """Raise ``UnsupportedError`` for a field the trainer cannot honor, and for options it does not have."""
    capabilities = trainer.capabilities
    for path, reason in capabilities.unsupported.items():
        if value_at(config, path) != default_at(path):
            raise UnsupportedError(path, f"{trainer.__name__} cannot honor it: {reason}")
    if capabilities.options is not None:
        read_options(capabilities.options, config)


def check_actions(trainer: type[RLTrainer], config: TrainerConfig, space: gymnasium.Space[Any]) -> None:
    """Raise ``UnsupportedError`` if the algorithm cannot act in a space; names the backends that can."""
    kind = type(space).__name__
    if isinstance(space, gymnasium.spaces.Box) and not space.is_bounded():
        kind = f"unbounded {kind}"
    if trainer.capabilities.acts_in(config.algorithm, kind):
        if config.use_behavioral_cloning and kind != "Discrete":
            raise ConfigError(
                f"use_behavioral_cloning: experts choose Discrete actions, the environment has {space}"
            )
        return
    others = [name for name in available_trainers() if has_algorithm(name, config.algorithm)]
    able = [name for name in others if find_trainer(name).capabilities.acts_in(config.algorithm, kind)]
    hint = f"backends that can: {', '.join(able)}" if able else ""
    if not able:
        capabilities = trainer.capabilities
        fit = [name for name in capabilities.algorithms if capabilities.acts_in(name, kind)]
        hint = f"algorithms of this backend that can: {', '.join(fit) or 'none'}"
    raise UnsupportedError(
        "algorithm", f"{config.algorithm} on backend {config.backend} cannot act in {space}; {hint}"
    )


def able_backends(config: TrainerConfig) -> list[str]:
    """The other backends that can train a configuration, apart from ``backend_options``."""
    able: list[str] = []
    for name in available_trainers():
        if name == config.backend or not has_algorithm(name, config.algorithm):
            continue
        trainer, other = find_trainer(name), config.copy_with(backend=name, backend_options={})
        try:
            check_capabilities(trainer, other)
            trainer.translate(other)
        except ConfigError:
            continue
        able.append(name)
    return able


def value_at(config: TrainerConfig, path: str) -> Any:
    """The value of a dotted path."""
    value: Any = config
    for part in path.split("."):
        value = getattr(value, part)
    return value


def default_at(path: str) -> Any:
    """The default of a dotted path of ``TrainerConfig``."""
    section: Any = TrainerConfig
    *outer, last = path.split(".")
    for part in outer:
        section = section.model_fields[part].annotation
    return section.model_fields[last].get_default(call_default_factory=True)
