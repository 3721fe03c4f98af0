"""The configuration: documented defaults, refusals with path and allowed values, layers, files, hashes."""

from __future__ import annotations

import pytest

from jimbot.training.config.files import (
    config_from_yaml,
    config_to_yaml,
    layered_config,
    load_config,
    parse_assignment,
    save_config,
)
from jimbot.training.config.trainer_config import (
    BehavioralCloningConfig,
    ConfigError,
    CurriculumConfig,
    EarlyStopConfig,
    HyperparameterConfig,
    TrainerConfig,
    get_default_config,
)
from jimbot.training.sb3_trainer import SB3Trainer


def test_documented_defaults_of_the_configuration():
    config = TrainerConfig()
    documented = {
        "algorithm": "PPO",
        "total_timesteps": 1_000_000,
        "seed": 42,
        "n_envs": 8,
        "use_feature_extractor": True,
        "feature_extractor_type": "balatro",
        "normalize_obs": True,
        "normalize_reward": True,
        "use_curriculum": False,
        "save_dir": "models",
        "checkpoint_freq": 10_000,
        "eval_freq": 5_000,
        "use_wandb": False,
        "wandb_project": "balatro-rl",
    }
    assert {name: getattr(config, name) for name in documented} == documented


def test_documented_defaults_of_the_hyperparameters():
    assert HyperparameterConfig().model_dump() == {
        "learning_rate": 3e-4,
        "gamma": 0.99,
        "gae_lambda": 0.95,
        "entropy_coefficient": 0.01,
        "value_function_coefficient": 0.5,
        "max_grad_norm": 0.5,
        "policy_net_arch": [256, 256],
        "value_net_arch": [256, 256],
        "features_dim": 512,
        "algorithm_specific": {},
    }


@pytest.mark.parametrize(
    ("algorithm", "expected"),
    [
        (
            "PPO",
            {
                "learning_rate": 3e-4,
                "n_steps": 2048,
                "batch_size": 64,
                "n_epochs": 10,
                "gamma": 0.99,
                "gae_lambda": 0.95,
                "clip_range": 0.2,
                "clip_range_vf": None,
                "ent_coef": 0.01,
                "vf_coef": 0.5,
                "max_grad_norm": 0.5,
                "normalize_advantage": True,
                "target_kl": None,
                "device": "auto",
            },
        ),
        (
            "A2C",
            {
                "learning_rate": 7e-4,
                "n_steps": 5,
                "gamma": 0.99,
                "gae_lambda": 1.0,
                "ent_coef": 0.01,
                "vf_coef": 0.5,
                "max_grad_norm": 0.5,
                "use_rms_prop": True,
                "rms_prop_eps": 1e-5,
                "normalize_advantage": False,
                "device": "auto",
            },
        ),
        (
            "DQN",
            {
                "learning_rate": 1e-4,
                "buffer_size": 100_000,
                "learning_starts": 10_000,
                "batch_size": 32,
                "train_freq": (4, "step"),
                "gamma": 0.99,
                "gradient_steps": 1,
                "target_update_interval": 10_000,
                "tau": 1.0,
                "exploration_fraction": 0.1,
                "exploration_initial_eps": 1.0,
                "exploration_final_eps": 0.05,
                "max_grad_norm": 0.5,
                "device": "auto",
            },
        ),
    ],
)
def test_what_the_library_is_given(algorithm, expected):
    assert SB3Trainer.translate(get_default_config(algorithm)) == expected


def test_fields_can_be_set_and_are_checked():
    config = get_default_config("PPO")
    config.total_timesteps = 500_000
    config.hyperparams.algorithm_specific = {"n_steps": 4096, "batch_size": 128}
    config.hyperparams = HyperparameterConfig(learning_rate=1e-3, policy_net_arch=[512, 512])
    assert (config.total_timesteps, config.hyperparams.learning_rate) == (500_000, 1e-3)
    with pytest.raises(
        ConfigError, match=r"^total_timesteps: expected a whole number of at least 1, got -1$"
    ):
        config.total_timesteps = -1
    assert config.total_timesteps == 500_000


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"algoritm": "PPO"}, r"^algoritm: there is no such field; did you mean algorithm"),
        ({"hyperparams": {"gama": 1}}, r"^hyperparams.gama: there is no such field; did you mean gamma\?"),
        (
            {"curriculum": {"success_threshold": 2}},
            r"^curriculum.success_threshold: expected a number of at most 1.0, got 2$",
        ),
        (
            {"vectorization": "threads"},
            "^vectorization: expected one of auto, native, sync, subprocess, got 'threads'$",
        ),
        ({"hyperparams": {"gamma": float("nan")}}, r"hyperparams.gamma: .*finite"),
        ({"seed": -1}, r"seed: "),
    ],
)
def test_bad_values_name_path_and_what_is_allowed(values, message):
    with pytest.raises(ConfigError, match=message):
        TrainerConfig(**values)


@pytest.mark.parametrize(
    ("values", "message"),
    [
        (
            {"hyperparams": {"algorithm_specific": {"n_step": 1}}},
            r"hyperparams.algorithm_specific.n_step: there is no such field; did you mean n_steps",
        ),
        (
            {"hyperparams": {"algorithm_specific": {"ent_coef": 0.1}}},
            r"algorithm_specific.ent_coef: set hyperparams.entropy_coefficient instead",
        ),
        (
            {"n_envs": 1, "hyperparams": {"algorithm_specific": {"n_steps": 32, "batch_size": 64}}},
            r"batch_size: 64 is more than the 32 steps",
        ),
        (
            {"use_curriculum": True, "difficulty_schedule": [{"timestep": 0, "difficulty": "easy"}]},
            r"difficulty_schedule: cannot be combined with use_curriculum",
        ),
        (
            {"use_curriculum": True, "env_kwargs": {"max_ante": 3}},
            r"env_kwargs.max_ante: use_curriculum sets",
        ),
        (
            {"difficulty_schedule": [{"timestep": 10}, {"timestep": 5}]},
            r"difficulty_schedule: timesteps must grow, got \[10, 5\]",
        ),
    ],
)
def test_contradictions_are_found_by_check(values, message):
    config = TrainerConfig(**values)
    with pytest.raises(ConfigError, match=message):
        config.check()


def test_sections_check_themselves():
    with pytest.raises(ConfigError, match=r"^final_max_ante 1 is below initial_max_ante 3"):
        CurriculumConfig(initial_max_ante=3, final_max_ante=1)
    with pytest.raises(ConfigError, match="give target_score or patience"):
        EarlyStopConfig()
    assert EarlyStopConfig(patience=3).target_score is None


def test_unknown_algorithm_has_no_defaults():
    with pytest.raises(ConfigError, match="defaults for PPO, A2C, DQN, SAC, TD3, got 'TRPO'"):
        get_default_config("TRPO")


def test_yaml_gives_the_same_configuration_back(tmp_path):
    config = get_default_config("DQN")
    config.env_kwargs = {"max_ante": 3}
    config.early_stop = EarlyStopConfig(target_score=3.0)
    assert config_from_yaml(config_to_yaml(config)) == config
    assert load_config(save_config(config, tmp_path / "config.yaml")) == config


def test_a_file_needs_only_what_differs(tmp_path):
    file = tmp_path / "a.yaml"
    file.write_text("algorithm: A2C\nhyperparams:\n  gamma: 0.9\n  algorithm_specific: {n_steps: 7}\n")
    config = load_config(file)
    assert config.hyperparams.learning_rate == 7e-4  # A2C's own default
    assert config.hyperparams.gamma == 0.9
    assert config.hyperparams.algorithm_specific == {"n_steps": 7}


def test_layers_lie_in_order(tmp_path):
    file = tmp_path / "a.yaml"
    file.write_text("n_envs: 2\nseed: 2\ntotal_timesteps: 2\n")
    variables = {
        "JIMBOT_SEED": "3",
        "JIMBOT_TOTAL_TIMESTEPS": "3",
        "JIMBOT_HYPERPARAMS__LEARNING_RATE": "1e-5",
        "OTHER": "x",
    }
    config = layered_config(file, {"total_timesteps": 4, "name": None, "hyperparams.gamma": 0.5}, variables)
    assert (config.n_envs, config.seed, config.total_timesteps) == (2, 3, 4)
    assert (config.hyperparams.learning_rate, config.hyperparams.gamma) == (1e-5, 0.5)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("n_envs: 2\nn_envs: 3\n", "line 2: 'n_envs' is given twice"),
        ("- 1\n", "expected fields and values, got list"),
        ("a: [1\n", "is not YAML"),
        ("!!python/object/apply:os.system ['true']\n", "is not YAML"),
        ("n_envs: zero\n", "n_envs: "),
    ],
)
def test_bad_files_give_one_line_that_names_them(tmp_path, text, message):
    file = tmp_path / "bad.yaml"
    file.write_text(text)
    with pytest.raises(ConfigError, match=message) as caught:
        load_config(file)
    assert "bad.yaml" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_missing_file_and_binary_file(tmp_path):
    with pytest.raises(ConfigError, match="cannot read the configuration"):
        load_config(tmp_path / "none.yaml")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ConfigError, match="is not text"):
        load_config(tmp_path / "binary")


def test_assignments():
    assert parse_assignment("hyperparams.learning_rate=1e-4") == ("hyperparams.learning_rate", 1e-4)
    assert parse_assignment("env_kwargs={max_ante: 3}") == ("env_kwargs", {"max_ante": 3})
    with pytest.raises(ConfigError, match="expected FIELD=VALUE, got 'x'"):
        parse_assignment("x")


def test_hash_follows_what_shapes_the_result_only():
    config = get_default_config("PPO")
    same = config.copy_with(name="other", save_dir="elsewhere", trackers=["tensorboard"])
    other = config.copy_with(seed=1)
    assert config.hash() == same.hash()
    assert config.hash() != other.hash()


def test_how_an_expert_is_cloned_by_default_is_in_no_hash():
    """Runs from before there were balancing and filters are found again."""
    config = get_default_config("PPO")
    assert config.hash() == "ac3dc822c976"
    for name, value in (
        ("balanced", True),
        ("min_return", 1.0),
        ("min_ante", 2),
        ("won", False),
        ("best_share", 0.5),
        ("dagger_episodes", 7),
    ):
        changed = config.copy_with(behavioral_cloning={name: value})
        assert changed.hash() != config.hash()
    assert config.behavioral_cloning.filters() == {}
    assert BehavioralCloningConfig(won=False, min_ante=3).filters() == {"won": False, "min_ante": 3}


@pytest.mark.parametrize(
    "wrong",
    [
        {"min_ante": 0},
        {"best_share": 0.0},
        {"best_share": 1.5},
        {"dagger_episodes": 0},
        {"balanced": 3},
        {"min_return": float("nan")},
    ],
)
def test_filters_that_make_no_sense_are_refused(wrong):
    with pytest.raises(ConfigError, match=min(wrong)):
        BehavioralCloningConfig(**wrong)


def test_trackers_asked_for_twice_are_one():
    assert TrainerConfig(trackers=["wandb", "mlflow"], use_wandb=True).tracker_names() == ["wandb", "mlflow"]


def test_every_field_says_what_it_means():
    sections = (
        TrainerConfig,
        HyperparameterConfig,
        CurriculumConfig,
        EarlyStopConfig,
        BehavioralCloningConfig,
    )
    for section in sections:
        unsaid = [name for name, field in section.model_fields.items() if not field.description]
        assert unsaid == []
