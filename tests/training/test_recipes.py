"""What training on Balatro uses where nothing is said."""

from __future__ import annotations

from pathlib import Path

import gymnasium
import pytest

import jimbot.balatro  # noqa: F401  registers the environments
from jimbot.training.config.files import config_to_yaml, layered_config, load_config, save_config
from jimbot.training.config.recipes import recipe_values, with_actions
from jimbot.training.config.trainer_config import TrainerConfig, default_values
from jimbot.training.framework import create_trainer, resume_run

CONFIGS = Path(__file__).parents[2] / "configs" / "balatro"
SMALL = {
    "n_envs": 2,
    "total_timesteps": 32,
    "eval_episodes": 1,
    "hyperparams": {
        "features_dim": 8,
        "policy_net_arch": [8],
        "value_net_arch": [8],
        "algorithm_specific": {"n_steps": 8, "batch_size": 8, "n_epochs": 1},
    },
}


@pytest.mark.parametrize("algorithm", ["PPO", "A2C", "DQN"])
def test_the_recipe_is_the_one_in_configs(algorithm: str) -> None:
    written = load_config(CONFIGS / f"{algorithm.lower()}.yaml")
    chosen = layered_config(flags={"algorithm": algorithm, "env": "balatro"}, environment={}, recipe=True)
    assert chosen == written.copy_with(seed=chosen.seed, total_timesteps=chosen.total_timesteps)


def test_documented_defaults_stay() -> None:
    assert TrainerConfig().env_kwargs == {}
    plain = layered_config(flags={"algorithm": "PPO"}, environment={})
    assert plain.hyperparams.algorithm_specific == default_values("PPO")["hyperparams"]["algorithm_specific"]


def test_flags_lie_over_the_recipe() -> None:
    chosen = layered_config(flags={"n_envs": 1, "env_kwargs.actions": "slots"}, environment={}, recipe=True)
    assert chosen.env_kwargs == {"actions": "slots", "fast": True}
    assert chosen.hyperparams.algorithm_specific["batch_size"] == 128, "no more than an update has"


def test_no_recipe_for_other_environments() -> None:
    assert recipe_values({"env": "cartpole"}) == {}
    assert recipe_values({"algorithm": "SAC"}) == {}
    chosen = layered_config(flags={"env": "cartpole"}, environment={}, recipe=True)
    assert chosen == layered_config(flags={"env": "cartpole"}, environment={})


def test_new_training_chooses_among_candidates(tmp_path: Path) -> None:
    config = TrainerConfig(save_dir=str(tmp_path), **SMALL)
    with create_trainer(None, config) as trainer:
        assert trainer.config.env_kwargs["actions"] == "candidates"
    with create_trainer(None, config.copy_with(env_kwargs={"actions": "slots"})) as trainer:
        assert trainer.config.env_kwargs["actions"] == "slots"


def test_environments_made_directly_keep_their_default() -> None:
    direct = gymnasium.make("jimbot/Balatro-v0")
    slots = gymnasium.make("jimbot/Balatro-v0", actions="slots")
    assert direct.action_space == slots.action_space
    with create_trainer(direct, TrainerConfig(**SMALL)) as trainer:
        assert trainer.config.env_kwargs == {}
        assert trainer.vector.action_space == slots.action_space


def test_other_environments_get_no_action_mode() -> None:
    config = TrainerConfig(env="CartPole-v1")
    assert with_actions(config) is config


def test_a_run_without_a_mode_resumes_with_slots(tmp_path: Path) -> None:
    config = TrainerConfig(save_dir=str(tmp_path), name="old", env_kwargs={"actions": "slots"}, **SMALL)
    with create_trainer(None, config) as trainer:
        trainer.train(16, progress="silent")
        path = trainer.run.path
        slots = trainer.vector.action_space
    saved = path / "config.yaml"
    saved.write_text(config_to_yaml(load_config(saved).copy_with(env_kwargs={})), encoding="utf-8")
    with resume_run(path) as trainer:
        assert trainer.config.env_kwargs == {}
        assert trainer.vector.action_space == slots


def test_a_saved_configuration_without_a_mode_means_slots(tmp_path: Path) -> None:
    path = save_config(TrainerConfig(), tmp_path / "old.yaml")
    assert layered_config(path, environment={}).env_kwargs == {"actions": "slots"}
    (tmp_path / "new.yaml").write_text("n_envs: 4\n", encoding="utf-8")
    assert layered_config(tmp_path / "new.yaml", environment={}).env_kwargs == {}
