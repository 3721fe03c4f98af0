"""A backend joins by one line or a decorator, and nothing else in the code knows it by name."""

import ast
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np
import pytest

from jimbot.training.config import backend_registry as registry
from jimbot.training.config.files import layered_config, load_config
from jimbot.training.config.trainer_config import ConfigError, Section, TrainerConfig
from jimbot.training.framework import (
    BACKENDS,
    Capabilities,
    Iteration,
    RLTrainer,
    able_backends,
    available_trainers,
    create_trainer,
    find_trainer,
    get_default_config,
    read_options,
    register_trainer,
)

NEUTRAL = (
    "training/config",
    "training/loop",
    "training/runs",
    "training/envs",
    "training/experiments",
    "cli",
)
"""Packages that decide nothing by the name of a backend."""
LISTING = ("provenance.py", "doctor.py")
"""Modules that look for libraries by name; benchmarks, which compare named libraries, are left out too."""


def test_backends_are_named_in_the_registry_alone(root):
    source = root / "src" / "jimbot"
    for package in NEUTRAL:
        for path in sorted((source / package).rglob("*.py")):
            if path.name in LISTING or path.parent.name == "bench":
                continue
            tree = ast.parse(path.read_text(encoding="utf-8"))
            for node in ast.walk(tree):
                if isinstance(node, ast.Compare):
                    words = {each.value for each in ast.walk(node) if isinstance(each, ast.Constant)}
                    assert not words & set(BACKENDS), f"{path}:{node.lineno} compares with a backend's name"


@pytest.mark.parametrize("name", list(BACKENDS))
def test_every_backend_says_what_it_can_do(name):
    found = find_trainer(name).capabilities
    assert found.extra == name
    assert "PPO" in found.algorithms
    assert "chosen" in found.networks
    if found.options is not None:
        assert issubclass(found.options, Section)
    if found.cluster_address is not None:
        assert found.options is not None
        assert found.cluster_address in found.options.model_fields
    for target in found.compiled_environments.values():
        assert ":" in target


class EchoOptions(Section):
    """Options of a backend that somebody else wrote."""

    volume: int = 1
    host: str | None = None


@pytest.fixture
def echo(monkeypatch):
    """A whole backend, joined by the decorator alone."""
    monkeypatch.setattr(registry, "registered", dict(registry.registered))

    @register_trainer("echo")
    class EchoTrainer(RLTrainer):
        capabilities: ClassVar[Capabilities] = Capabilities(
            algorithms=("PPO",),
            unsupported={"hyperparams.gae_lambda": "it has no advantages"},
            options=EchoOptions,
            cluster_address="host",
        )

        @classmethod
        def read_names(cls, values: Mapping[str, Any]) -> dict[str, Any]:
            values = dict(values)
            if "loudness" in values:
                own = {"volume": values.pop("loudness")}
                values["backend_options"] = {**values.get("backend_options", {}), **own}
            return values

        @classmethod
        def translate(cls, config: TrainerConfig) -> dict[str, Any]:
            return {"volume": read_options(EchoOptions, config).volume}

        def create_model(self):
            return object()

        def iterate(self):
            return Iteration(self.vector.num_envs)

        def policy(self, *, deterministic=True):
            return lambda observation: np.zeros(len(observation), np.int64)

    return EchoTrainer


@pytest.mark.usefixtures("echo")
def test_a_backend_brings_its_own_names_options_and_cluster(tmp_path):
    file = tmp_path / "echo.yaml"
    file.write_text("backend: echo\nenv: CartPole-v1\nloudness: 7\n")
    assert "echo" in available_trainers()
    config = load_config(file)
    assert config.backend_options == {"volume": 7}
    assert create_trainer(None, config).arguments == {"volume": 7}
    joined = layered_config(file, {}, {}, address="10.0.0.1:99")
    assert joined.backend_options == {"volume": 7, "host": "10.0.0.1:99"}
    with pytest.raises(
        ConfigError, match=r"backend_options\.volum: there is no such field; did you mean volume"
    ):
        create_trainer(None, config.copy_with(backend_options={"volum": 3}))
    with pytest.raises(ConfigError, match=r"backend sb3 joins no cluster; backends that do: rllib, echo"):
        layered_config(None, {}, {}, address="10.0.0.1:99")


def test_what_one_backend_cannot_do_names_those_that_can(echo):
    config = TrainerConfig(backend="echo", env="CartPole-v1", hyperparams={"gae_lambda": 0.5})  # pyright: ignore[reportArgumentType]
    able = able_backends(config)
    assert {"sb3", "tianshou", "jax", "rllib"} <= set(able)
    assert "echo" not in able
    with pytest.raises(
        ConfigError, match=r"^hyperparams\.gae_lambda: EchoTrainer cannot honor it: .*can: sb3"
    ):
        create_trainer(None, config)
    fine = TrainerConfig(backend="echo", env="CartPole-v1")
    assert isinstance(create_trainer(None, fine), echo)
    unable = TrainerConfig(
        hyperparams={"algorithm_specific": {"target_kl": 0.1}}  # pyright: ignore[reportArgumentType]
    )
    assert "tianshou" not in able_backends(unable)
    assert "jax" in able_backends(unable)


def test_an_algorithm_in_other_letters_is_suggested():
    with pytest.raises(ConfigError, match=r"not 'ppo'; did you mean PPO\?"):
        create_trainer(None, TrainerConfig(algorithm="ppo"))
    with pytest.raises(ConfigError, match=r"got 'ppo'; did you mean PPO\?"):
        get_default_config("ppo")
