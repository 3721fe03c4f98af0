"""Templates of common experiments: say what varies and get the experiments, in Python or from a YAML file."""

from __future__ import annotations

import inspect
import itertools
from abc import ABC, abstractmethod
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, cast

from jimbot.field_errors import unknown_field
from jimbot.training.config.file_kinds import TEMPLATE
from jimbot.training.config.files import read_file
from jimbot.training.config.trainer_config import BehavioralCloningConfig, ConfigError, CurriculumConfig
from jimbot.training.experiments.config import ExperimentConfig

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = [
    "AlgorithmComparisonTemplate",
    "CurriculumLearningTemplate",
    "ExperimentTemplate",
    "HyperparameterVariationTemplate",
    "ImitationLearningTemplate",
    "MultiSeedTemplate",
    "TemplateRegistry",
    "algorithm_comparison",
    "curriculum_learning",
    "hyperparameter_variation",
    "imitation_learning",
    "multi_seed",
]

FIRST_SEED = 42
TIMESTEPS = 100_000
ALGORITHMS = ("PPO", "A2C", "DQN")


class ExperimentTemplate(ABC):
    """Makes experiments. A subclass says what varies (``variants``); every variant is repeated on the same seeds.

    Attributes:
        base: what all experiments have in common.
    """

    runs = 1
    """Repetitions of every variant, unless asked otherwise."""

    def __init__(self, algorithm: str = "PPO", timesteps: int = TIMESTEPS, **common: Any) -> None:
        """A template.

        Args:
            algorithm: to train.
            timesteps: of each training.
            common: further fields of ``ExperimentConfig`` for all experiments; ``seed`` is the first seed.
        """
        if "total_timesteps" in common:
            raise ConfigError("total_timesteps: a template calls it timesteps")
        self.first_seed: int = common.pop("seed", FIRST_SEED)
        self.base = ExperimentConfig(algorithm=algorithm, total_timesteps=timesteps, **common)

    @abstractmethod
    def variants(self) -> list[ExperimentConfig]:
        """One experiment for everything that varies, seeds aside."""

    def generate_experiments(self, n_runs: int | None = None) -> list[ExperimentConfig]:
        """Every variant on ``n_runs`` seeds, the same seeds for all, so that they can be compared in pairs."""
        count = self.runs if n_runs is None else n_runs
        if count < 1:
            raise ConfigError(f"n_runs: must be at least 1, got {count}")
        experiments = [
            variant.copy_with(seed=self.first_seed + place)
            for variant in self.variants()
            for place in range(count)
        ]
        for experiment in experiments:
            experiment.check()  # wrong values are told here, not in the middle of a benchmark
        return experiments


class CurriculumLearningTemplate(ExperimentTemplate):
    """Training whose finishing ante grows with success, over the given levels."""

    def __init__(
        self,
        algorithm: str = "PPO",
        timesteps: int = TIMESTEPS,
        ante_levels: Sequence[int] = (2, 3, 4, 5, 6, 7, 8),
        success_threshold: float = 0.8,
        window: int = 100,
        compare_without: bool = False,
        **common: Any,
    ) -> None:
        """A template.

        Args:
            algorithm: to train.
            timesteps: of each training.
            ante_levels: finishing antes, evenly spaced.
            success_threshold: share of won episodes at which the next level begins.
            window: episodes over which that is measured.
            compare_without: whether the last level alone, without a curriculum, is trained too.
            common: further fields of ``ExperimentConfig`` for all experiments.
        """
        super().__init__(algorithm, timesteps, **common)
        self.success_threshold = success_threshold
        self.window = window
        self.compare_without = compare_without
        self.ante_levels: list[int] = []
        self.set_ante_levels(ante_levels)

    def set_ante_levels(self, levels: Sequence[int]) -> Self:
        """The finishing antes, one after the other, evenly spaced."""
        antes = [int(each) for each in levels]
        steps = {later - earlier for earlier, later in itertools.pairwise(antes)}
        if not antes or len(steps) > 1 or any(step < 1 for step in steps):
            raise ConfigError(
                f"ante_levels: expected antes that grow by equal steps, such as 1, 2, 3, got {list(levels)}"
            )
        self.curriculum = CurriculumConfig(
            initial_max_ante=antes[0],
            ante_increment=steps.pop() if steps else 1,
            final_max_ante=antes[-1],
            success_threshold=self.success_threshold,
            window=self.window,
        )
        self.ante_levels = antes
        return self

    def variants(self) -> list[ExperimentConfig]:
        """The curriculum and, if asked for, its last level alone."""
        name = self.base.name or f"{self.base.algorithm} curriculum"
        found = [self.base.copy_with(name=name, use_curriculum=True, curriculum=self.curriculum)]
        if self.compare_without:
            options = {**self.base.env_kwargs, "max_ante": self.ante_levels[-1]}
            found.append(self.base.copy_with(name=f"{self.base.algorithm} plain", env_kwargs=options))
        return found


class ImitationLearningTemplate(ExperimentTemplate):
    """Cloning of an expert, then training."""

    def __init__(
        self,
        algorithm: str = "PPO",
        timesteps: int = TIMESTEPS,
        expert: str = "scripted",
        n_episodes: int = 100,
        n_epochs: int = 10,
        compare_without: bool = True,
        **common: Any,
    ) -> None:
        """A template.

        Args:
            algorithm: to train.
            timesteps: of each training, cloning not counted.
            expert: a player's name, or the path of a saved policy.
            n_episodes: episodes that the expert demonstrates.
            n_epochs: passes over them.
            compare_without: whether training without cloning is run too.
            common: further fields of ``ExperimentConfig`` for all experiments; what ``behavioral_cloning`` says
                (``{"balanced": True, "min_ante": 4}``) goes before the three above.
        """
        given: Any = common.pop("behavioral_cloning", {})
        if isinstance(given, BehavioralCloningConfig):
            given = given.model_dump(exclude_unset=True)
        super().__init__(algorithm, timesteps, **common)
        cloning: dict[str, Any] = {"expert": expert, "n_episodes": n_episodes, "n_epochs": n_epochs}
        self.cloning = BehavioralCloningConfig(**{**cloning, **given})
        self.compare_without = compare_without

    def variants(self) -> list[ExperimentConfig]:
        """With cloning and, if asked for, without."""
        name = self.base.algorithm
        found = [
            self.base.copy_with(
                name=self.base.name or f"{name} cloned",
                use_behavioral_cloning=True,
                behavioral_cloning=self.cloning,
            )
        ]
        return [*found, self.base.copy_with(name=f"{name} plain")] if self.compare_without else found


class MultiSeedTemplate(ExperimentTemplate):
    """One configuration on several seeds: how much results vary."""

    def __init__(
        self,
        algorithm: str = "PPO",
        timesteps: int = TIMESTEPS,
        seeds: Sequence[int] | None = None,
        **common: Any,
    ) -> None:
        """A template.

        Args:
            algorithm: to train.
            timesteps: of each training.
            seeds: to train on; five from the first if None.
            common: further fields of ``ExperimentConfig`` for all experiments.
        """
        super().__init__(algorithm, timesteps, **common)
        self.seeds = list(seeds) if seeds is not None else [self.first_seed + place for place in range(SEEDS)]
        if not self.seeds or len(set(self.seeds)) < len(self.seeds):
            raise ConfigError(f"seeds: expected different seeds, one at least, got {self.seeds}")

    def variants(self) -> list[ExperimentConfig]:
        """The one configuration."""
        return [self.base]

    def generate_experiments(self, n_runs: int | None = None) -> list[ExperimentConfig]:
        """One experiment per seed; ``n_runs`` takes the first so many, or goes on counting after the last."""
        wanted = len(self.seeds) if n_runs is None else n_runs
        if wanted < 1:
            raise ConfigError(f"n_runs: must be at least 1, got {wanted}")
        more = [max(self.seeds) + 1 + place for place in range(max(0, wanted - len(self.seeds)))]
        experiments = [self.base.copy_with(seed=seed) for seed in [*self.seeds[:wanted], *more]]
        experiments[0].check()
        return experiments


SEEDS = 5


class HyperparameterVariationTemplate(ExperimentTemplate):
    """Every combination of given hyperparameter values."""

    def __init__(
        self,
        algorithm: str = "PPO",
        timesteps: int = TIMESTEPS,
        variations: Mapping[str, Sequence[Any]] | None = None,
        **common: Any,
    ) -> None:
        """A template.

        Args:
            algorithm: to train.
            timesteps: of each training.
            variations: values by hyperparameter, such as ``{"learning_rate": [1e-4, 3e-4]}``.
            common: further fields of ``ExperimentConfig`` for all experiments.
        """
        super().__init__(algorithm, timesteps, **common)
        self.variations: dict[str, list[Any]] = {}
        chosen: Any = variations or {"learning_rate": [1e-4, 3e-4, 1e-3]}
        if not isinstance(chosen, dict):
            raise ConfigError(
                f"variations: expected lists of values by hyperparameter, got {type(chosen).__name__}"
            )
        for name, values in cast("dict[str, Any]", chosen).items():
            self.add_variation(name, values)

    def add_variation(self, name: str, values: Sequence[Any]) -> Self:
        """Vary one more hyperparameter, or the same one otherwise."""
        if isinstance(values, str) or not isinstance(cast("Any", values), Collection) or not len(values):
            raise ConfigError(f"variations.{name}: expected a list of values, got {values!r}")
        self.variations[name] = list(values)
        return self

    def variants(self) -> list[ExperimentConfig]:
        """The grid, each named by its values."""
        found: list[ExperimentConfig] = []
        for values in itertools.product(*self.variations.values()):
            chosen = dict(zip(self.variations, values, strict=True))
            words = ", ".join(f"{name}={value}" for name, value in chosen.items())
            name = f"{self.base.label} {words}"
            found.append(self.base.copy_with(name=name, hyperparams={**self.base.hyperparams, **chosen}))
        return found


class AlgorithmComparisonTemplate(ExperimentTemplate):
    """Several algorithms with the same steps, environments and seeds."""

    def __init__(
        self, algorithms: Sequence[str] = ALGORITHMS, timesteps: int = TIMESTEPS, **common: Any
    ) -> None:
        """A template.

        Args:
            algorithms: to compare, each with its own defaults.
            timesteps: of each training.
            common: further fields of ``ExperimentConfig`` for all experiments; hyperparams must be ones that all have.
        """
        if isinstance(algorithms, str) or not algorithms or len(set(algorithms)) < len(algorithms):
            raise ConfigError(f"algorithms: expected different algorithms, one at least, got {algorithms!r}")
        super().__init__(algorithms[0], timesteps, **common)
        self.algorithms = list(algorithms)
        for each in self.algorithms:
            self.base.copy_with(algorithm=each).check_algorithm()

    def variants(self) -> list[ExperimentConfig]:
        """One per algorithm."""
        return [self.base.copy_with(algorithm=each, name=each) for each in self.algorithms]


class TemplateRegistry:
    """Templates by name; one's own join by ``register``."""

    def __init__(self) -> None:
        self._templates: dict[str, type[ExperimentTemplate]] = {
            "curriculum_learning": CurriculumLearningTemplate,
            "imitation_learning": ImitationLearningTemplate,
            "multi_seed": MultiSeedTemplate,
            "hyperparameter_variation": HyperparameterVariationTemplate,
            "algorithm_comparison": AlgorithmComparisonTemplate,
        }

    def register(self, name: str, template: type[ExperimentTemplate]) -> None:
        """Add a template."""
        if self._templates.get(name, template) is not template:
            raise ConfigError(f"there is a template {name!r} already; choose another name")
        self._templates[name] = template

    def names(self) -> list[str]:
        """All names."""
        return list(self._templates)

    def get(self, name: str) -> type[ExperimentTemplate]:
        """The template of a name."""
        if name not in self._templates:
            raise ConfigError(f"there is no template {name!r}; there are {', '.join(self._templates)}")
        return self._templates[name]

    def create(self, name: str, **parameters: Any) -> ExperimentTemplate:
        """A template with its parameters; an unknown one is an error that names those there are."""
        template = self.get(name)
        own = [each for each in inspect.signature(template).parameters if each != "common"]
        known = [*own, *ExperimentConfig.model_fields]
        unknown = set(parameters) - set(known)
        if unknown:
            raise ConfigError(f"{name}: {unknown_field(min(unknown), known)}")
        return template(**parameters)

    def load(self, path: str | Path) -> list[ExperimentConfig]:
        """The experiments of a YAML file: ``template``, ``n_runs`` and the template's parameters."""
        place = Path(path)
        values = read_file(place, TEMPLATE)
        name, n_runs = values.pop("template", None), values.pop("n_runs", None)
        if not isinstance(name, str) or not (n_runs is None or isinstance(n_runs, int)):
            raise ConfigError(
                f"{place}: expected template: a name of {', '.join(self._templates)}, and n_runs: a number"
            )
        try:
            return self.create(name, **values).generate_experiments(n_runs)
        except ConfigError as error:
            raise ConfigError(f"{place}: {error}") from None


def curriculum_learning(algorithm: str = "PPO", **parameters: Any) -> CurriculumLearningTemplate:
    """Finishing antes that grow with success."""
    return cast("Any", TemplateRegistry().create("curriculum_learning", algorithm=algorithm, **parameters))


def imitation_learning(algorithm: str = "PPO", **parameters: Any) -> ImitationLearningTemplate:
    """Cloning, then training."""
    return cast("Any", TemplateRegistry().create("imitation_learning", algorithm=algorithm, **parameters))


def multi_seed(algorithm: str = "PPO", **parameters: Any) -> MultiSeedTemplate:
    """One configuration on several seeds."""
    return cast("Any", TemplateRegistry().create("multi_seed", algorithm=algorithm, **parameters))


def hyperparameter_variation(algorithm: str = "PPO", **parameters: Any) -> HyperparameterVariationTemplate:
    """Every combination of hyperparameter values."""
    return cast(
        "Any", TemplateRegistry().create("hyperparameter_variation", algorithm=algorithm, **parameters)
    )


def algorithm_comparison(
    algorithms: Sequence[str] = ALGORITHMS, **parameters: Any
) -> AlgorithmComparisonTemplate:
    """Several algorithms under the same conditions."""
    return cast("Any", TemplateRegistry().create("algorithm_comparison", algorithms=algorithms, **parameters))
