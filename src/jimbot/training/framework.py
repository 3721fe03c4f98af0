"""The core of the framework: the base class of trainers, and how one is created from a configuration.

A trainer turns one iteration of its library (collect, then update) into an ``Iteration``. Everything around it is the
same for all: evaluations, checkpoints, exact resume, trackers, curriculum, early stop, progress.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np

from jimbot.tracking import check_trackers
from jimbot.training.checkpoints.manager import CheckpointManager
from jimbot.training.config.backend_registry import (
    BACKENDS,
    Capabilities,
    UnsupportedError,
    able_backends,
    available_trainers,
    check_actions,
    check_capabilities,
    find_trainer,
    has_algorithm,
    read_options,
    register_trainer,
    trainer_class,
    value_at,
)
from jimbot.training.config.files import address_option
from jimbot.training.config.recipes import with_actions
from jimbot.training.config.trainer_config import (
    ConfigError,
    HyperparameterConfig,
    TrainerConfig,
    get_default_config,
)
from jimbot.training.envs.creation import Environments
from jimbot.training.loop.progress import check_progress
from jimbot.training.loop.session import TrainingSession
from jimbot.training.runs.directory import RunDirectory, RunError, create_run
from jimbot.training.runs.opening import find_policy, run_config

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import TracebackType

    from jimbot.networks import NetworkSpec
    from jimbot.training.envs.evaluation import BatchPolicy, EvaluationResult
    from jimbot.training.envs.protocol import SteppedEnvironments
    from jimbot.training.loop.phases import Phase

__all__ = [
    "BACKENDS",
    "Capabilities",
    "CheckpointManager",
    "ConfigError",
    "HyperparameterConfig",
    "Iteration",
    "RLTrainer",
    "TrainerConfig",
    "UnsupportedError",
    "able_backends",
    "available_trainers",
    "check_capabilities",
    "create_trainer",
    "find_trainer",
    "get_default_config",
    "has_algorithm",
    "read_options",
    "register_trainer",
    "resume_run",
    "seed_everything",
    "trainer_class",
    "value_at",
]


@dataclass(frozen=True)
class Iteration:
    """What one iteration did.

    Attributes:
        timesteps: steps taken, over all environments.
        metrics: losses and the like, by name.
        seconds: time per phase: env, policy, learn.
    """

    timesteps: int
    metrics: dict[str, float] = field(default_factory=dict[str, float])
    seconds: dict[str, float] = field(default_factory=dict[str, float])


class RLTrainer(ABC):
    """Trains one configuration on one library.

    A subclass says how its model is made (``create_model``), what an iteration is (``iterate``), how actions are chosen
    (``policy``), and what a checkpoint of it holds (``training_state``, ``restore_training_state``). It may instead
    override ``train`` and ``evaluate`` altogether.
    """

    capabilities: ClassVar[Capabilities] = Capabilities(algorithms=())
    tells_phases: ClassVar[bool] = False
    """Whether ``iterate`` begins with collecting and calls ``enter_phase`` when it learns."""

    def __init__(self, env: Any = None, config: TrainerConfig | None = None) -> None:
        self.config = (config or TrainerConfig()).frozen()
        self.arguments = self._translated()
        self.environments = Environments.of(env, self.config)
        if self.capabilities.actions is not None:
            check_actions(type(self), self.config, self.environments.action_space())
        self.timesteps = 0
        self.session: TrainingSession | None = None
        self._run: RunDirectory | None = None
        self._vector: SteppedEnvironments | None = None
        self._model: Any = None

    # --- what a trainer is ----------------------------------------------------------------------------------------

    @classmethod
    def translate(cls, config: TrainerConfig) -> dict[str, Any]:
        """The library's own arguments for a configuration. Needs neither an environment nor the library."""
        del config
        return {}

    @classmethod
    def read_names(cls, values: Mapping[str, Any]) -> dict[str, Any]:
        """The values of a configuration file under the configuration's own names, if the library has others."""
        return dict(values)

    def _translated(self) -> dict[str, Any]:
        try:
            check_capabilities(type(self), self.config)
            return self.translate(self.config)
        except UnsupportedError as error:
            able = able_backends(self.config)
            hint = f"; backends that can: {', '.join(able)}" if able else ""
            raise UnsupportedError(error.path, f"{error.reason}{hint}") from None

    @abstractmethod
    def create_model(self) -> Any:
        """The library's model on ``self.vector``; ``seed_everything`` first, once the library is imported."""

    def begin(self, total_timesteps: int, callback: Any) -> None:  # noqa: B027  nothing to do is a fine answer
        """Called before the first iteration of every ``train``; ``total_timesteps`` is where training ends."""

    def update_timesteps(self) -> int | None:
        """Steps of one iteration, over all environments; None if nobody knows before."""
        return None

    def timestep_unit(self) -> int | None:
        """What trained steps are a multiple of: an iteration, or less where the last one can be cut short."""
        return self.update_timesteps()

    def iterate(self) -> Iteration:
        """Collect and update once."""
        raise NotImplementedError(f"{type(self).__name__} has neither iterate nor train")

    def policy(self, *, deterministic: bool = True) -> BatchPolicy:
        """Chooses actions for batches of observations as the environment gives them."""
        raise NotImplementedError(f"{type(self).__name__} has neither policy nor evaluate")

    def network_spec(self) -> NetworkSpec | None:
        """The description of the policy's network, if it is one of ours."""
        return None

    def policy_tensors(self) -> dict[str, Any]:
        """The policy's parameters as NumPy arrays by name."""
        return {}

    def load_policy_tensors(self, tensors: Mapping[str, Any]) -> None:
        """Set the policy's parameters; the optimizer starts anew."""
        raise NotImplementedError(f"{type(self).__name__} cannot load a policy file")

    def training_state(self) -> dict[str, Any]:
        """Everything the library needs to resume, as plain data and arrays."""
        return {}

    def restore_training_state(self, state: Mapping[str, Any]) -> None:  # noqa: B027
        """Restore a training state; the environments have been restored before."""

    def checkpointed(self, path: Path) -> None:  # noqa: B027
        """Called after a checkpoint was written, with its directory."""

    # --- what every trainer has -----------------------------------------------------------------------------------

    @property
    def vector(self) -> SteppedEnvironments:
        """The environments, made when they are first needed."""
        if self._vector is None:
            self._vector = self.environments.wrapped(self.config)
        return self._vector

    @property
    def model(self) -> Any:
        """The library's model, made when it is first needed."""
        if self._model is None:
            self._model = self.create_model()
        return self._model

    @property
    def run(self) -> RunDirectory:
        """The run's directory, made when it is first needed."""
        if self._run is None:
            check_trackers(self.config.tracker_names())  # a start that fails leaves no directory behind
            self._run = create_run(self.config)
        return self._run

    def adopt_run(self, run: RunDirectory) -> None:
        """Continue in the directory of an earlier run."""
        self._run = run

    def train(
        self, total_timesteps: int | None = None, callback: Any = None, *, progress: str = "auto"
    ) -> dict[str, Any]:
        """Train; returns the results as a dictionary.

        Args:
            total_timesteps: steps to train from here on; up to the configuration's total if None.
            callback: called with the metrics as a dict whenever they are logged, and may return False to stop; or
                whatever callbacks the library has.
            progress: ``auto`` (a panel on a terminal, lines elsewhere), ``plain``, ``live`` or ``silent``.
        """
        check_progress(progress)
        if total_timesteps is not None and total_timesteps < 0:
            raise ConfigError(f"total_timesteps must not be negative, got {total_timesteps}")
        if self._run is None:
            check_trackers(self.config.tracker_names())
        goal = self.config.total_timesteps if total_timesteps is None else self.timesteps + total_timesteps
        _ = self.model
        if self.session is None:
            self.session = TrainingSession(self)
        return self.session.run(goal, callback, progress)

    def evaluate(self, n_episodes: int = 10, deterministic: bool = True) -> tuple[float, float]:
        """Mean and standard deviation of the reward over episodes on evaluation seeds."""
        result = self.evaluate_episodes(n_episodes, deterministic=deterministic)
        return result.mean, result.std

    def evaluate_episodes(
        self,
        n_episodes: int,
        evaluation_set: int = 0,
        *,
        deterministic: bool = True,
        tell: Callable[[int, int], None] | None = None,
    ) -> EvaluationResult:
        """Play episodes of an evaluation set; all that they gave."""
        if n_episodes < 1:
            raise ConfigError(f"n_episodes must be at least 1, got {n_episodes}")
        _ = self.model
        return self.environments.evaluate(
            self.policy(deterministic=deterministic), n_episodes, evaluation_set, tell
        )

    def save_model(self, name: str = "final") -> Path:
        """Write the policy file ``<name>/policy.safetensors`` and ``policy.json``; the directory that holds them."""
        from jimbot.networks import save_policy

        spec = self.network_spec()
        if spec is None:
            raise ConfigError(
                f"{type(self).__name__} has no network that a policy file can hold; let its network_spec() describe "
                "one of jimbot's networks (jimbot.networks.make_network_spec) and its policy_tensors() return the "
                "parameters, or override save_model()"
            )
        _ = self.model
        directory = self.run.path / name
        metadata = {
            "algorithm": self.config.algorithm,
            "backend": self.config.backend,
            "env": self.config.env,
            "timesteps": self.timesteps,
            "config_hash": self.config.hash(),
        }
        save_policy(directory, spec, self.policy_tensors(), self.vector.normalizer, metadata)
        return directory

    def reachable_timesteps(self, goal: int) -> int:
        """Where training ends that was asked to end at ``goal``: the next multiple of ``timestep_unit`` from here."""
        unit = self.timestep_unit()
        if unit is None or goal <= self.timesteps:
            return goal
        return self.timesteps + -(-(goal - self.timesteps) // unit) * unit

    def enter_phase(self, phase: Phase) -> None:
        """Say what an iteration does now, for progress and throughput; for subclasses within ``iterate``."""
        if self.session is not None:
            self.session.phases.enter(phase)

    def clone_expert(self, tell: Callable[[str], None]) -> dict[str, Any]:
        """Teach the network what the configuration's expert does; called before the first iteration if it is asked.

        Args:
            tell: called with a line whenever there is something to say.

        Returns:
            Metrics of the cloning, by name.
        """
        from jimbot.training.cloning.session import clone_expert

        return clone_expert(self, tell)

    def save_checkpoint(self, score: float | None = None) -> Path:
        """Write everything needed to continue from here; returns the checkpoint's directory."""
        _ = self.model
        if self.session is None:
            self.session = TrainingSession(self)
        return self.session.checkpoint(score)

    def load(self, path: str | Path) -> Self:
        """Take the parameters of a policy file, of a run or of a checkpoint."""
        policy = find_policy(Path(path))
        _ = self.model
        self.load_policy_tensors(policy.tensors)
        if policy.normalizer is not None:
            self.vector.normalizer = policy.normalizer
            self.vector.normalizer.frozen = False
        return self

    def get_metrics(self) -> dict[str, Any]:
        """The latest metrics and the counters."""
        latest = dict(self.session.latest) if self.session is not None else {}
        return {"timesteps": self.timesteps, **latest}

    def close(self) -> None:
        """Close environments and trackers. Nothing is deleted."""
        if self.session is not None:
            self.session.close()
        if self._vector is not None:
            self._vector.close()
            self._vector = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if kind is KeyboardInterrupt and self._run is not None and self._run.reload().state == "running":
            self._run.interrupt()  # training had not begun: it records its own end
        self.close()


def create_trainer(env: Any = None, config: TrainerConfig | None = None) -> RLTrainer:
    """Create the trainer of a configuration.

    Args:
        env: what to train on: an environment, a vector of them, a function that makes one, a name; the configuration's
            ``env`` if None.
        config: PPO on Balatro if None. The trainer keeps a frozen copy: changing this one later does not reach it.
            On Balatro, ``env_kwargs.actions`` is ``candidates`` unless it is given.
    """
    chosen = with_actions(config or TrainerConfig(), env).frozen()
    return trainer_class(chosen)(env, chosen)


def resume_run(
    path: str | Path,
    env: Any = None,
    checkpoint: str | Path | None = None,
    backend_options: Mapping[str, Any] | None = None,
    address: str | None = None,
) -> RLTrainer:
    """A trainer at the last whole checkpoint of a run; ``train()`` continues from there.

    Args:
        path: the run's directory, or one of its checkpoints.
        env: the environments, if they are not what the configuration's ``env`` makes.
        checkpoint: another checkpoint than the last.
        backend_options: options of the backend that differ from the run's.
        address: of a cluster to join, for backends that can.
    """
    place = Path(path)
    if place.parent.name == "checkpoints":
        place, checkpoint = place.parent.parent, checkpoint or place
    run = RunDirectory.open(place)
    manager = CheckpointManager(run.checkpoints_path)
    chosen = Path(checkpoint) if checkpoint is not None else None
    if chosen is None:
        latest = manager.latest()
        if latest is None:
            raise RunError(
                f"{place} has no whole checkpoint to resume from; start a new run with its config.yaml"
            )
        chosen = latest.path
    tree = manager.load(chosen).tree
    config = run_config(run)
    changes = dict(backend_options or {})
    if address is not None:
        changes[address_option(config.backend)] = address
    if changes:
        config.backend_options = {**config.backend_options, **changes}
    trainer = trainer_class(config)(env, config.frozen())  # as recorded: defaults may have changed since
    trainer.adopt_run(run)
    try:
        _ = trainer.model
        trainer.session = TrainingSession(trainer)
        trainer.session.restore(tree)
    except BaseException:
        trainer.close()
        raise
    return trainer


def seed_everything(seed: int) -> None:
    """Seed the global random number generators: Python's, NumPy's, and torch's if it is imported."""
    import sys

    random.seed(seed)
    np.random.seed(seed)  # noqa: NPY002  libraries draw from it
    torch = sys.modules.get("torch")
    if torch is not None:
        torch.manual_seed(seed)
