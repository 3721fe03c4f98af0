"""Stable-Baselines3 with its network in the engine against the same with its network in torch."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("stable_baselines3")

from stable_baselines3 import PPO  # noqa: E402

from jimbot import _engine  # noqa: E402
from jimbot.networks.torch.native import NativeAdam  # noqa: E402
from jimbot.training.backends.sb3.ppo import NativePPO  # noqa: E402
from jimbot.training.config.trainer_config import get_default_config  # noqa: E402
from jimbot.training.framework import create_trainer  # noqa: E402

pytestmark = pytest.mark.skipif(
    not _engine.has_fast_kernels(), reason="the engine leaves networks to torch on this processor"
)

SLOTS, CANDIDATES = {}, {"actions": "candidates"}


def small_config(
    tmp_path: Any, algorithm: str = "PPO", env_kwargs: dict[str, Any] | None = None, **own: Any
) -> Any:
    config = get_default_config(algorithm).copy_with(
        n_envs=4, env_kwargs=env_kwargs or {}, save_dir=str(tmp_path), seed=3
    )
    config.hyperparams.features_dim = 32
    config.hyperparams.policy_net_arch = config.hyperparams.value_net_arch = [16]
    steps = {"n_steps": 24} if algorithm == "A2C" else {"n_steps": 24, "batch_size": 32, "n_epochs": 3}
    config.hyperparams.algorithm_specific = steps | own
    return config.check()


def collected(config: Any) -> Any:
    """A trainer whose model has a rollout and has not learned from it."""
    trainer: Any = create_trainer(None, config)
    _ = trainer.model
    trainer.vector.reset()
    trainer.begin(10**6, None)
    trainer._collect()
    return trainer


def twins(config: Any) -> tuple[Any, Any]:
    """Two trainers with the same parameters and the same rollout; the second one's network is in torch."""
    native, plain = collected(config), collected(config)
    policy = plain.model.policy
    assert native.model.policy.native is not None
    with torch.no_grad():
        for parameter in policy.network.parameters():
            parameter.data = parameter.data.clone()
    policy.native = None
    kind = type(policy.optimizer)
    options = {
        name: value for name, value in policy.optimizer.defaults.items() if name in ("lr", "eps", "alpha")
    }
    if kind is NativeAdam:
        kind = torch.optim.Adam
    policy.optimizer = kind(policy.network.parameters(), **options)
    return native, plain


def assert_alike(native: Any, plain: Any) -> None:
    ours, theirs = native.policy_tensors(), plain.policy_tensors()
    for name, tensor in theirs.items():
        assert np.allclose(ours[name], tensor, rtol=1e-3, atol=2e-5), name


@pytest.mark.parametrize("env_kwargs", [SLOTS, CANDIDATES], ids=["slots", "candidates"])
@pytest.mark.parametrize(
    "own",
    [{}, {"clip_range_vf": 0.05}, {"normalize_advantage": False}, {"target_kl": 1e-4}, {"n_epochs": 1}],
    ids=["defaults", "values held", "advantages as they are", "stopped early", "one pass"],
)
def test_an_update_of_ppo_is_that_of_the_library(tmp_path, env_kwargs, own):
    native, plain = twins(small_config(tmp_path, env_kwargs=env_kwargs, **own))
    assert isinstance(native.model, NativePPO)
    before = native.policy_tensors()
    np.random.seed(5)  # noqa: NPY002  the library shuffles by it
    native.model.train()
    np.random.seed(5)  # noqa: NPY002
    PPO.train(plain.model)
    assert_alike(native, plain)
    assert any(not np.array_equal(before[name], after) for name, after in native.policy_tensors().items())
    ours, theirs = native.model.logger.name_to_value, plain.model.logger.name_to_value
    assert ours.keys() == theirs.keys()
    for name, value in theirs.items():
        assert ours[name] == pytest.approx(value, rel=1e-3, abs=2e-5), name
    assert native.model._n_updates == plain.model._n_updates


def test_an_update_of_a2c_is_that_of_the_library(tmp_path):
    native, plain = twins(small_config(tmp_path, "A2C"))
    for trainer in (native, plain):
        trainer.model.train()
    assert_alike(native, plain)


def test_acting_gives_the_same_values_and_probabilities(tmp_path):
    native, plain = twins(small_config(tmp_path))
    obs = {name: torch.as_tensor(block) for name, block in native.model._last_obs.items()}
    with torch.no_grad():
        for deterministic in (True, False):
            torch.manual_seed(0)
            ours = native.model.policy(obs, deterministic=deterministic)
            torch.manual_seed(0)
            theirs = plain.model.policy(obs, deterministic=deterministic)
            assert torch.equal(ours[0], theirs[0])
            for left, right in zip(ours[1:], theirs[1:], strict=True):
                assert torch.allclose(left, right, rtol=1e-4, atol=1e-5)


def test_a_checkpoint_does_not_know_where_the_network_was_computed(tmp_path):
    native, plain = twins(small_config(tmp_path))
    native.model.train()
    plain.restore_training_state(native.training_state())
    for trainer in (native, plain):
        np.random.seed(7)  # noqa: NPY002
        trainer.model.train()
    assert_alike(native, plain)
    back = collected(small_config(tmp_path))
    back.restore_training_state(plain.training_state())
    ours, theirs = back.training_state(), plain.training_state()
    for number, moments in theirs["optimiser"]["moments"].items():
        for name, value in moments.items():
            assert np.array_equal(ours["optimiser"]["moments"][number][name], value)


def test_the_number_of_threads_does_not_change_what_is_learned(tmp_path):
    found, start = [], None
    for threads in (1, 2):
        trainer = create_trainer(None, small_config(tmp_path).copy_with(threads=threads))
        _ = trainer.model
        start = start or trainer.policy_tensors()
        trainer.load_policy_tensors(start)  # torch draws orthogonal matrices on as many threads
        trainer.vector.reset()
        trainer.begin(10**6, None)
        trainer.iterate()
        found.append(trainer.policy_tensors())
    assert all(np.array_equal(found[0][name], tensor) for name, tensor in found[1].items())


def test_other_environments_stay_in_torch(tmp_path):
    config = get_default_config("PPO").copy_with(env="CartPole-v1", n_envs=2, save_dir=str(tmp_path))
    assert create_trainer(None, config).model.policy.native is None
    config = small_config(tmp_path)
    config.network_sizes = {"activation": "tanh"}
    assert create_trainer(None, config).model.policy.native is None
