"""Every import that the source documents name."""

from __future__ import annotations

import importlib

import pytest

IMPORTS = {
    "balatro_framework": {
        "framework": "TrainerConfig HyperparameterConfig RLTrainer CheckpointManager create_trainer get_default_config",
        "sb3_trainer": "SB3Trainer BalatroFeaturesExtractor BalatroMetricsCallback",
        "experiment": "ExperimentConfig ExperimentResult MultiAlgorithmBenchmark",
        "metrics": "BalatroMetrics compute_moving_average plot_training_curves print_comparison_table",
        "utils": "create_balatro_env make_vectorized_env validate_environment setup_logging",
        "env_wrapper": "EnvironmentWrapper BalatroGymWrapper CurriculumWrapper RewardScalingWrapper "
        "ActionMaskWrapper wrap_balatro_env",
        "performance_analysis": "PerformanceMetrics PerformanceAnalyzer",
        "behavioral_cloning": "Transition Trajectory TrajectoryCollector BehavioralCloning ExpertEvaluator",
        "templates": "ExperimentTemplate CurriculumLearningTemplate ImitationLearningTemplate MultiSeedTemplate "
        "HyperparameterVariationTemplate AlgorithmComparisonTemplate TemplateRegistry curriculum_learning "
        "algorithm_comparison",
    },
    "jax_ppo_training": {"": "PPOTrainer PPOAgent", "jax_trainer": "CartPoleWrapper MLflowLogger"},
    "rllib_pipeline": {"callbacks": "BalatroCallbacks"},
    "therapy_tianshou": {
        "therapy.config": "TrainingConfig load_config save_config get_default_config",
        "therapy.networks": "TherapyNet Actor Critic make_therapy_networks",
    },
}
LIBRARIES = {
    "sb3_trainer": ("stable_baselines3",),
    "": ("jax", "flax", "optax"),
    "jax_trainer": ("jax", "flax", "optax", "mlflow"),
    "callbacks": ("ray",),
    "therapy.networks": ("torch",),
}


@pytest.mark.parametrize(
    ("module", "names"),
    [
        pytest.param(module, names.split(), id=f"{document}__{module or 'training'}")
        for document, modules in IMPORTS.items()
        for module, names in modules.items()
    ],
)
def test_documented_import(module, names):
    for library in LIBRARIES.get(module, ()):
        pytest.importorskip(library)
    imported = importlib.import_module(f"jimbot.training.{module}".rstrip("."))
    assert [name for name in names if not hasattr(imported, name)] == []
