"""Templates: what they say varies is what varies, down to the arguments of the library and the environment."""

# pyright: reportAbstractUsage=false

from __future__ import annotations

import pytest

from conftest import ROOT
from jimbot.training.config.trainer_config import BehavioralCloningConfig, ConfigError
from jimbot.training.experiment import ExperimentConfig
from jimbot.training.framework import trainer_class
from jimbot.training.templates import (
    ExperimentTemplate,
    TemplateRegistry,
    algorithm_comparison,
    curriculum_learning,
    hyperparameter_variation,
    imitation_learning,
    multi_seed,
)


def arguments(experiment: ExperimentConfig):
    config = experiment.trainer_config()
    return trainer_class(config).translate(config)


def test_ante_levels_reach_the_curriculum():
    template = curriculum_learning(algorithm="PPO", timesteps=5_000, compare_without=True)
    template.set_ante_levels([1, 3, 5])
    experiments = template.generate_experiments(n_runs=3)
    assert [(each.name, each.seed) for each in experiments] == [
        (name, seed) for name in ("PPO curriculum", "PPO plain") for seed in (42, 43, 44)
    ]
    config = experiments[0].trainer_config()
    assert config.use_curriculum
    found = config.curriculum
    assert (found.initial_max_ante, found.ante_increment, found.final_max_ante) == (1, 2, 5)
    assert experiments[3].trainer_config().env_kwargs == {"max_ante": 5}
    assert not experiments[3].trainer_config().use_curriculum
    assert config.total_timesteps == 5_000


@pytest.mark.parametrize("levels", [[], [3, 2], [1, 2, 4], [2, 2], [0, 1], [1, 50]])
def test_ante_levels_that_are_none_are_refused(levels):
    with pytest.raises(ConfigError, match="ante"):
        curriculum_learning().set_ante_levels(levels)


def test_variations_reach_the_librarys_arguments():
    template = hyperparameter_variation(variations={"learning_rate": [1e-4, 1e-3], "n_steps": [64, 128]})
    template.add_variation("ent_coef", [0.5])
    experiments = template.generate_experiments()
    found = [
        (each["learning_rate"], each["n_steps"], each["ent_coef"]) for each in map(arguments, experiments)
    ]
    assert found == [(1e-4, 64, 0.5), (1e-4, 128, 0.5), (1e-3, 64, 0.5), (1e-3, 128, 0.5)]
    assert experiments[0].name == "PPO learning_rate=0.0001, n_steps=64, ent_coef=0.5"
    assert len({each.recipe_hash() for each in experiments}) == 4
    with pytest.raises(ConfigError, match="n_stepz: there is no such field"):
        hyperparameter_variation(variations={"n_stepz": [1]}).generate_experiments()
    with pytest.raises(ConfigError, match=r"variations\.gamma: expected a list"):
        hyperparameter_variation(variations={"gamma": []})
    with pytest.raises(ConfigError, match=r"variations\.learning_rate: expected a list of values, got 1"):
        hyperparameter_variation(variations={"learning_rate": 1})
    with pytest.raises(ConfigError, match="variations: expected lists of values by hyperparameter, got list"):
        hyperparameter_variation(variations=[1e-4, 1e-3])


def test_algorithms_are_compared_on_the_same_seeds_with_their_own_defaults():
    experiments = algorithm_comparison(algorithms=["PPO", "A2C", "DQN"], seed=7).generate_experiments(2)
    assert [(each.algorithm, each.seed) for each in experiments] == [
        (algorithm, seed) for algorithm in ("PPO", "A2C", "DQN") for seed in (7, 8)
    ]
    assert arguments(experiments[2])["learning_rate"] == 7e-4
    assert arguments(experiments[4])["buffer_size"] == 100_000
    assert len({each.total_timesteps for each in experiments}) == 1
    with pytest.raises(ConfigError, match="expected different algorithms"):
        algorithm_comparison(algorithms=["PPO", "PPO"])
    with pytest.raises(ConfigError, match="algorithm: backend sb3 has PPO, A2C, DQN, SAC, TD3, not 'FOO'"):
        algorithm_comparison(["FOO"])
    with pytest.raises(
        ConfigError, match=r"has PPO, APPO, IMPALA, DQN, not 'A2C'; backends that have it: sb3"
    ):
        algorithm_comparison(["PPO", "A2C"], backend="rllib")
    with pytest.raises(ConfigError, match="not 'FOO'"):
        multi_seed("FOO").generate_experiments()


def test_seeds_and_cloning():
    assert [each.seed for each in multi_seed(seeds=[3, 9]).generate_experiments(4)] == [3, 9, 10, 11]
    assert [each.seed for each in multi_seed().generate_experiments()] == [42, 43, 44, 45, 46]
    assert len({each.recipe_hash() for each in multi_seed().generate_experiments()}) == 1
    cloned, plain = imitation_learning(n_episodes=7, expert="greedy").generate_experiments()
    config = cloned.trainer_config()
    assert config.use_behavioral_cloning
    assert (config.behavioral_cloning.n_episodes, config.behavioral_cloning.expert) == (7, "greedy")
    assert not plain.trainer_config().use_behavioral_cloning
    for given in ({"balanced": True, "min_ante": 4}, BehavioralCloningConfig(balanced=True, min_ante=4)):
        cloned, plain = imitation_learning(n_episodes=7, behavioral_cloning=given).generate_experiments()
        found = cloned.trainer_config().behavioral_cloning
        assert (found.n_episodes, found.balanced, found.min_ante) == (7, True, 4)
        assert plain.recipe_hash() == ExperimentConfig().recipe_hash()


def test_unknown_names_are_told_with_those_there_are():
    registry = TemplateRegistry()
    with pytest.raises(ConfigError, match="no template 'curiculum'; there are curriculum_learning"):
        registry.create("curiculum")
    with pytest.raises(ConfigError, match="multi_seed: seedz: there is no such field; did you mean seed"):
        multi_seed(seedz=[1])
    with pytest.raises(ConfigError, match="a template calls it timesteps"):
        multi_seed(total_timesteps=5)
    with pytest.raises(ConfigError, match="n_runs: must be at least 1"):
        multi_seed().generate_experiments(0)


def test_own_templates_join():
    class Discounts(ExperimentTemplate):
        """Two discounts."""

        def variants(self):
            """Both."""
            return [self.base.copy_with(name=str(g), hyperparams={"gamma": g}) for g in (0.9, 0.99)]

    registry = TemplateRegistry()
    registry.register("discounts", Discounts)
    found = registry.create("discounts", algorithm="A2C").generate_experiments()
    assert [arguments(each)["gamma"] for each in found] == [0.9, 0.99]
    with pytest.raises(ConfigError, match="there is a template 'multi_seed' already"):
        registry.register("multi_seed", Discounts)
    with pytest.raises(TypeError, match="abstract"):
        ExperimentTemplate()


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("curriculum_learning", 6),
        ("imitation_learning", 6),
        ("multi_seed", 5),
        ("hyperparameter_variation", 12),
        ("algorithm_comparison", 9),
    ],
)
def test_files_hold_every_template(name, count):
    experiments = TemplateRegistry().load(ROOT / "configs" / "templates" / f"{name}.yaml")
    assert len(experiments) == count
    assert len({each.key() for each in experiments}) == count


def test_wrong_files_are_told(tmp_path):
    path = tmp_path / "a.yaml"
    for text, message in (
        ("n_runs: 3", "expected template: a name of curriculum_learning"),
        (
            "template: multi_seed\nseedz: [1]",
            "a.yaml: multi_seed: seedz: there is no such field; did you mean seed",
        ),
        ("template: [", "is not YAML"),
    ):
        path.write_text(text)
        with pytest.raises(ConfigError, match=message):
            TemplateRegistry().load(path)
    with pytest.raises(ConfigError, match="cannot read the configuration"):
        TemplateRegistry().load(tmp_path / "nowhere.yaml")
