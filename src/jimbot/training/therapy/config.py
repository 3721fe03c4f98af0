"""The configuration of ``train_ppo``: one experiment of training a therapist, as a dataclass and as YAML.

``TrainingConfig.trainer_config`` is the same experiment in the words of the framework, where everything is checked.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any

import yaml

from jimbot.field_errors import unknown_field
from jimbot.storage.atomic import make_directories, write_file_atomically
from jimbot.therapy.env.options import TherapyOptions
from jimbot.therapy.model.mechanisms import MECHANISMS
from jimbot.therapy.model.patterns import DEFAULT_PATTERNS
from jimbot.therapy.model.utilities import TherapyError
from jimbot.training.config.file_kinds import EXPERIMENT
from jimbot.training.config.files import read_file
from jimbot.training.config.trainer_config import ConfigError, HyperparameterConfig, TrainerConfig

__all__ = ["MECHANISMS", "TrainingConfig", "get_default_config", "load_config", "save_config"]

RUN_NAME = "run"
ENVIRONMENT_FIELDS = (
    "patterns",
    "mechanism",
    "threshold",
    "max_sessions",
    "entropy",
    "enable_parataxic",
    "baseline_accuracy",
    "bond_alpha",
    "bond_offset",
    "history_weight",
)
FREE_TO_CHANGE = frozenset(
    {"experiment_name", "output_dir", "log_dir", "total_timesteps", "save_freq", "eval_freq", "eval_episodes"}
)
"""What may differ when training goes on from a checkpoint."""


@dataclass
class TrainingConfig:
    """One experiment.

    Attributes:
        experiment_name: names the directories of models and logs.
        output_dir: directory of the models; ``models/{experiment_name}`` if None.
        patterns: client behavior patterns; one is drawn per episode.
        mechanism: how clients decide.
        threshold: success threshold, 0 to 1.
        max_sessions: sessions an episode has at most.
        entropy: temperature of the clients' choices.
        enable_parataxic: whether clients misperceive the therapist.
        baseline_accuracy: how likely a client is to see what the therapist did.
        bond_alpha: steepness of the bond.
        bond_offset: where the bond is one half.
        history_weight: strength of the amplification by frequency.
        total_timesteps: steps to train, over all environments.
        n_envs: environments side by side.
        learning_rate: step size of the optimizer.
        batch_size: samples in a minibatch.
        n_steps: steps each environment takes between two updates; ``batch_size`` if None.
        n_epochs: passes over the collected steps in an update.
        gamma: discount of rewards per session.
        gae_lambda: how far advantages look ahead.
        clip_range: PPO's clipping, of the policy and of the value.
        ent_coef: weight of the entropy bonus.
        vf_coef: weight of the value's squared error.
        max_grad_norm: longest gradient.
        hidden_size: width of the hidden layers.
        log_dir: directory of the logs; they go into ``{log_dir}/{experiment_name}``.
        save_freq: steps between checkpoints.
        eval_freq: steps between evaluations.
        eval_episodes: episodes per evaluation, on seeds never trained on.
        seed: starts every generator.
    """

    experiment_name: str = "therapy_agent_training"
    output_dir: str | None = None
    patterns: list[str] = field(default_factory=lambda: list(DEFAULT_PATTERNS))
    mechanism: str = "frequency_amplifier"
    threshold: float = 0.9
    max_sessions: int = 100
    entropy: float = 0.5
    enable_parataxic: bool = True
    baseline_accuracy: float = 0.5
    bond_alpha: float = 5.0
    bond_offset: float = 0.7
    history_weight: float = 1.0
    total_timesteps: int = 500_000
    n_envs: int = 8
    learning_rate: float = 3e-4
    batch_size: int = 64
    n_steps: int | None = None
    n_epochs: int = 10
    gamma: float = 0.99
    gae_lambda: float = 0.95
    clip_range: float = 0.2
    ent_coef: float = 0.01
    vf_coef: float = 0.5
    max_grad_norm: float = 0.5
    hidden_size: int = 256
    log_dir: str = "logs"
    save_freq: int = 10_000
    eval_freq: int = 5_000
    eval_episodes: int = 100
    seed: int = 42

    def __post_init__(self) -> None:
        if not isinstance(self.patterns, list):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ConfigError(f"patterns: expected a list of names, got {self.patterns!r}")
        name = self.experiment_name
        if not isinstance(name, str) or not name or {"/", "\\"} & set(name) or name.startswith("."):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ConfigError(f"experiment_name: expected the name of a directory, got {name!r}")
        self._built: tuple[dict[str, Any], TrainerConfig] | None = None
        self.trainer_config()

    @property
    def model_path(self) -> Path:
        """Where models, checkpoints and the configuration go."""
        return Path(self.output_dir) if self.output_dir else Path("models", self.experiment_name)

    @property
    def progress_path(self) -> Path:
        """Where the training metrics go."""
        return Path(self.log_dir, self.experiment_name, f"{self.experiment_name}_progress.csv")

    def environment(self) -> dict[str, Any]:
        """Options of the therapy environment, checked."""
        options = {name: getattr(self, name) for name in ENVIRONMENT_FIELDS}
        try:
            TherapyOptions.of(options)
        except TherapyError as error:
            raise ConfigError(f"environment: {error}") from None
        return options

    def trainer_config(self) -> TrainerConfig:
        """Return the same experiment for the framework, frozen; it is built again only after a field has changed."""
        values = asdict(self)
        if self._built is None or self._built[0] != values:
            self._built = values, self._build_trainer_config()
        return self._built[1]

    def _build_trainer_config(self) -> TrainerConfig:
        """Build the configuration of PPO of Tianshou with TherapyNet."""
        hyperparams = HyperparameterConfig(
            learning_rate=self.learning_rate,
            gamma=self.gamma,
            gae_lambda=self.gae_lambda,
            entropy_coefficient=self.ent_coef,
            value_function_coefficient=self.vf_coef,
            max_grad_norm=self.max_grad_norm,
            features_dim=self.hidden_size,
            algorithm_specific={
                "n_steps": self.n_steps or self.batch_size,
                "batch_size": self.batch_size,
                "n_epochs": self.n_epochs,
                "clip_range": self.clip_range,
                "clip_range_vf": self.clip_range,
            },
        )
        return TrainerConfig(
            backend="tianshou",
            env="therapy",
            env_kwargs=self.environment(),
            name=RUN_NAME,
            save_dir=str(self.model_path),
            total_timesteps=self.total_timesteps,
            n_envs=self.n_envs,
            seed=self.seed,
            normalize_obs=False,
            checkpoint_freq=self.save_freq,
            eval_freq=self.eval_freq,
            eval_episodes=self.eval_episodes,
            backend_options={"network": "therapy"},
            hyperparams=hyperparams,
        ).frozen()

    def check_goes_on_from(self, earlier: TrainingConfig) -> None:
        """Refuse to go on with an experiment whose checkpoint was made with something else."""
        before, now = asdict(earlier), asdict(self)
        for name, value in now.items():
            if name not in FREE_TO_CHANGE and value != before[name]:
                raise ConfigError(
                    f"{name}: the checkpoint was made with {before[name]!r}, got {value!r}; keep it, or start anew"
                )


def get_default_config() -> TrainingConfig:
    """The documented defaults."""
    return TrainingConfig()


def load_config(path: str | Path) -> TrainingConfig:
    """A configuration from a YAML file; fields that are not in it have their defaults."""
    return config_of(read_fields(path), str(path))


def read_fields(path: str | Path) -> dict[str, Any]:
    """What a YAML file gives, by field name."""
    return read_file(path, EXPERIMENT)


def config_of(values: dict[str, Any], origin: str) -> TrainingConfig:
    """A configuration from names and values; ``origin`` names it in errors."""
    known = [each.name for each in fields(TrainingConfig)]
    unknown = sorted(str(name) for name in set(values) - set(known))
    if unknown:
        raise ConfigError(f"{origin}: {unknown_field(unknown[0], known)}")
    try:
        return TrainingConfig(**values)
    except ConfigError as error:
        raise ConfigError(f"{origin}: {error}") from None


def save_config(config: TrainingConfig, path: str | Path) -> None:
    """Write a configuration as YAML."""
    text = yaml.safe_dump(asdict(config), sort_keys=False)
    target = Path(path)
    make_directories(target.parent)
    write_file_atomically(target, text)
