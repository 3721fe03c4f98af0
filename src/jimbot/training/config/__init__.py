"""The configuration of a training run: fields, checks, files."""

from jimbot.training.config.trainer_config import HyperparameterConfig, TrainerConfig, get_default_config

__all__ = ["HyperparameterConfig", "TrainerConfig", "get_default_config"]
