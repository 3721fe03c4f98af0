"""What a user reads about a wrong field: never Pydantic's own text, and the field that was probably meant."""

import pytest

from jimbot.errors import JimbotError
from jimbot.field_errors import nearest_names, unknown_field
from jimbot.networks import NetworkSpec
from jimbot.training.backends.jax.arguments import JaxOptions
from jimbot.training.backends.rllib.options import APPOOptions, RLlibOptions
from jimbot.training.backends.tianshou.arguments import TianshouOptions
from jimbot.training.config.files import layered_config
from jimbot.training.config.trainer_config import (
    ALGORITHM_OPTIONS,
    BehavioralCloningConfig,
    ConfigError,
    TrainerConfig,
    field_candidates,
)
from jimbot.training.experiment import ExperimentConfig
from jimbot.training.therapy.config import TrainingConfig

SECTIONS = (
    TrainerConfig,
    ExperimentConfig,
    BehavioralCloningConfig,
    RLlibOptions,
    APPOOptions,
    TianshouOptions,
    JaxOptions,
    *ALGORITHM_OPTIONS.values(),
)
WRONG = (object(), "wrong", -1.5, -7, [], {}, [{}], {"a": 1}, {3: 4}, None, float("nan"), 1e99, ["x", 2])
RAW = ("Input should", "input should", "Extra inputs", "extra inputs", "valid ", "ensure this", "pydantic")


@pytest.mark.parametrize("section", SECTIONS, ids=lambda each: each.__name__)
def test_no_message_is_pydantics_own(section):
    told = []
    for name in [*section.model_fields, "nonsense"]:
        for value in WRONG:
            try:
                section(**{name: value})
            except ConfigError as error:
                told.append((name, str(error)))
    assert told
    for name, text in told:
        assert text.startswith(name)
        assert not any(raw in text for raw in RAW), text
        assert "\n" not in text
        assert len(text) < 400, text


def test_inner_sections_name_the_whole_path():
    for values, text in (
        ({"early_stop": {}}, "early_stop: give target_score or patience"),
        ({"early_stop": 3}, "early_stop: expected a section of fields or none, got 3"),
        ({"curriculum": {"final_max_ante": 1}}, "curriculum: final_max_ante 1 is below initial_max_ante 2"),
        (
            {"difficulty_schedule": [{"difficulty": "hardest"}]},
            "difficulty_schedule.0.difficulty: expected one of easy, medium, hard, got 'hardest'",
        ),
        (
            {"hyperparams": {"policy_net_arch": [8, "wide"]}},
            "hyperparams.policy_net_arch.1: expected a whole number, got 'wide'",
        ),
    ):
        with pytest.raises(ConfigError) as caught:
            TrainerConfig.from_dict(values)
        assert str(caught.value) == text


def test_a_union_tells_all_that_is_allowed():
    with pytest.raises(
        ConfigError, match=r"^rollout_fragment_length: expected a whole number or auto, got 'x'$"
    ):
        RLlibOptions(rollout_fragment_length="x")  # pyright: ignore[reportArgumentType]
    with pytest.raises(ConfigError, match=r"^name: expected text or none, got 3$"):
        TrainerConfig(name=3)  # pyright: ignore[reportArgumentType]


def test_a_network_description_is_refused_in_our_words():
    with pytest.raises(JimbotError, match=r"^network description, fields: is missing$"):
        NetworkSpec.of(kind="flat", features_dim=-1)


def test_three_names_at_most_the_nearest_first():
    known = field_candidates("PPO")
    assert nearest_names("learnin_rate", known)[0] == "hyperparams.learning_rate"
    assert nearest_names("n_steps", known) == ["hyperparams.algorithm_specific.n_steps"]
    assert len(nearest_names("e", known)) <= 3
    assert nearest_names("zzz", known) == []
    assert unknown_field("zzz", known) == "zzz: there is no such field"
    assert unknown_field("c", ["alpha", "beta"]) == "c: there is no such field; allowed are alpha, beta"
    assert unknown_field("c", []) == "c: there is no such field; leave it out"


@pytest.mark.parametrize(
    ("algorithm", "name", "value", "path"),
    [
        ("PPO", "learning_rate", 0.5, "hyperparams.learning_rate"),
        ("PPO", "lr", 0.5, "hyperparams.learning_rate"),
        ("PPO", "ent_coef", 0.5, "hyperparams.entropy_coefficient"),
        ("PPO", "n_steps", 64, "hyperparams.algorithm_specific.n_steps"),
        ("DQN", "tau", 0.5, "hyperparams.algorithm_specific.tau"),
        ("PPO", "success_threshold", 0.5, "curriculum.success_threshold"),
        ("PPO", "seed", 3, "seed"),
    ],
)
def test_a_flag_finds_the_field_it_means(algorithm, name, value, path):
    found = layered_config(None, {"algorithm": algorithm, name: value}, {}).to_dict()
    for part in path.split("."):
        found = found[part]
    assert found == value
    variable = {f"JIMBOT_{name.upper()}": str(value)}
    assert layered_config(None, {"algorithm": algorithm, name: value}, {}) == layered_config(
        None, {"algorithm": algorithm}, variable
    )


def test_a_name_alone_wins_over_the_file_and_a_file_has_to_name_the_section(tmp_path):
    file = tmp_path / "config.yaml"
    file.write_text("env: cartpole\nhyperparams: {learning_rate: 0.1, gamma: 0.5}\n")
    config = layered_config(file, {"learning_rate": 0.2}, {})
    assert (config.hyperparams.learning_rate, config.hyperparams.gamma) == (0.2, 0.5)
    file.write_text("env: cartpole\nlearning_rate: 0.1\n")
    with pytest.raises(
        ConfigError, match=r"learning_rate: there is no .* did you mean hyperparams.learning_rate"
    ):
        layered_config(file, {}, {})


@pytest.mark.parametrize(
    ("flags", "message"),
    [
        (
            {"n_step": 3},
            "n_step: there is no such field; did you mean hyperparams.algorithm_specific.n_steps",
        ),
        ({"qqq": 3}, "qqq: there is no such field; jimbot train --explain lists them all"),
        ({"expert": None, "n_epoch": 3}, "n_epoch: .*did you mean hyperparams.algorithm_specific.n_epochs"),
    ],
)
def test_an_unclear_flag_is_refused_with_what_may_be_meant(flags, message):
    with pytest.raises(ConfigError, match=message):
        layered_config(None, flags, {})
    with pytest.raises(ConfigError, match="the variable JIMBOT_QQQ: qqq: there is no such field"):
        layered_config(None, {}, {"JIMBOT_QQQ": "1"})


def test_therapy_configurations_are_told_in_the_same_words():
    with pytest.raises(ConfigError, match=r"^n_envs: expected a whole number of at least 1, got 0$"):
        TrainingConfig(n_envs=0)
