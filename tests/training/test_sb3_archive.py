"""Archives of Stable-Baselines3: out and in again, and nothing in them runs unasked."""

# pyright: reportAttributeAccessIssue=false, reportOptionalMemberAccess=false

from __future__ import annotations

import base64
import json
import os
import pickle
import shutil
import zipfile
from typing import Any

import gymnasium
import numpy as np
import pytest
import torch
from stable_baselines3 import A2C, DQN, PPO
from tests.training.tiny_envs import Identity

from jimbot.networks import load_policy
from jimbot.players.batch_policy import NetworkPolicy
from jimbot.training.backends.sb3.archive import DESCRIPTION, ArchiveError, import_archive
from jimbot.training.config.trainer_config import HyperparameterConfig, TrainerConfig
from jimbot.training.framework import create_trainer
from jimbot.training.runs.opening import find_policy, run_config

OPTIONS = {
    "PPO": {"n_steps": 32, "batch_size": 32, "n_epochs": 1},
    "A2C": {"n_steps": 16},
    "DQN": {"learning_starts": 10, "buffer_size": 100},
}
LIBRARY = {"PPO": PPO, "A2C": A2C, "DQN": DQN}


class Payload:
    """Leaves a trace when it is unpickled."""

    def __init__(self, path) -> None:
        self.path = path

    def __reduce__(self) -> tuple:
        return (os.mkdir, (str(self.path),))


def trained(tmp_path, algorithm="PPO", env="CartPole-v1"):
    config = TrainerConfig(
        algorithm=algorithm,
        env=env,
        total_timesteps=128,
        n_envs=2,
        eval_episodes=2,
        save_dir=str(tmp_path / "models"),
        hyperparams=HyperparameterConfig(
            policy_net_arch=[8],
            value_net_arch=[8],
            features_dim=8,
            algorithm_specific=OPTIONS[algorithm],
        ),
    )
    trainer = create_trainer(None, config)
    trainer.train(progress="silent")
    return trainer


def rewrite(archive, **members: bytes | str | None):
    """The archive with some of its files replaced; None leaves one out."""
    with zipfile.ZipFile(archive) as old:
        content = {name: old.read(name) for name in old.namelist()}
    content |= {
        name.replace("_pth", ".pth").replace("_json", ".json"): data for name, data in members.items()
    }
    with zipfile.ZipFile(archive, "w") as new:
        for name, data in content.items():
            if data is not None:
                new.writestr(name, data)


def pretend_to_tensors(path):
    """Bytes that torch's reader takes for a saved dictionary, with a payload inside."""
    torch.save({"action_net.weight": Payload(path)}, path.with_name("payload.pth"))
    return path.with_name("payload.pth").read_bytes()


@pytest.mark.parametrize("algorithm", ["PPO", "A2C", "DQN"])
def test_what_goes_out_comes_in_and_plays_the_same(algorithm, tmp_path):
    with trained(tmp_path, algorithm) as trainer:
        archive = trainer.export_zip(tmp_path / "model.zip")
        tensors, seen = trainer.policy_tensors(), trainer.vector.vector.observation()
        expected = trainer.policy()(seen)
        played = trainer.evaluate_episodes(3, 5).rewards
    outside = LIBRARY[algorithm].load(archive, device="cpu")  # as a user without jimbot's trainer would
    stored = outside.policy.state_dict()
    prefix = "q_net.network." if algorithm == "DQN" else "network."
    assert all(np.array_equal(stored[prefix + name].numpy(), tensors[name]) for name in tensors)
    run = import_archive(archive, trust_pickle=True, save_dir=tmp_path / "imported")
    policy = find_policy(run.path)
    assert all(np.array_equal(policy.tensors[name], tensors[name]) for name in tensors)
    np.testing.assert_array_equal(NetworkPolicy(policy)(seen), expected)
    with create_trainer(None, run_config(run)) as other:
        np.testing.assert_array_equal(other.load(run.path).evaluate_episodes(3, 5).rewards, played)
    assert (run.status.steps, run.status.state) == (128, "finished")


def test_balatro_goes_out_and_in(tmp_path):
    with trained(tmp_path, env="jimbot/Balatro-v0") as trainer:
        archive = trainer.export_zip(tmp_path / "model.zip")
        tensors = trainer.policy_tensors()
    policy = find_policy(import_archive(archive, trust_pickle=True, save_dir=tmp_path / "imported").path)
    assert all(np.array_equal(policy.tensors[name], tensors[name]) for name in tensors)


@pytest.mark.parametrize("algorithm", ["PPO", "A2C", "DQN"])
@pytest.mark.parametrize("named", [False, True], ids=["default", "named"])
def test_an_mlp_policy_of_the_library_plays_the_same(algorithm, named, tmp_path):
    arguments = {"net_arch": [16, 8], "activation_fn": torch.nn.SiLU} if named else {}
    model = LIBRARY[algorithm]("MlpPolicy", "CartPole-v1", policy_kwargs=arguments, device="cpu", seed=3)
    model.save(tmp_path / "theirs.zip")
    run = import_archive(tmp_path / "theirs.zip", trust_pickle=True, env="CartPole-v1", save_dir=tmp_path)
    env = gymnasium.make("CartPole-v1")
    observations = np.stack([env.observation_space.sample().clip(-3, 3) for _ in range(200)])
    expected, _ = model.predict(observations, deterministic=True)
    np.testing.assert_array_equal(NetworkPolicy(run.path / "final")(observations), expected)
    with create_trainer(None, run_config(run)) as trainer:  # and can be trained on
        trainer.load(run.path)
        np.testing.assert_array_equal(trainer.policy()(observations), expected)


def test_whole_numbers_and_choices_are_seen_as_the_library_sees_them(tmp_path):
    gymnasium.register("Identity-v0", lambda **_: Identity())
    gymnasium.register("Counts-v0", lambda **_: Counts())
    try:
        for name in ("Identity-v0", "Counts-v0"):
            env = gymnasium.make(name)
            model = PPO("MlpPolicy", env, device="cpu", seed=3)
            torch.nn.init.normal_(model.policy.action_net.get_parameter("weight"))
            model.save(tmp_path / "theirs.zip")
            run = import_archive(tmp_path / "theirs.zip", trust_pickle=True, env=name, save_dir=tmp_path)
            env.observation_space.seed(1)
            observations = np.stack([env.observation_space.sample() for _ in range(50)])
            expected, _ = model.predict(observations, deterministic=True)
            assert len(set(expected.tolist())) > 1
            np.testing.assert_array_equal(NetworkPolicy(run.path / "final")(observations), expected)
    finally:
        del gymnasium.registry["Identity-v0"], gymnasium.registry["Counts-v0"]


class Counts(gymnasium.Env):
    """Observations are small whole numbers."""

    observation_space = gymnasium.spaces.Box(0, 9, (5,), np.int64)
    action_space = gymnasium.spaces.Discrete(3)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        return np.zeros(5, np.int64), {}

    def step(self, action):
        return np.zeros(5, np.int64), 0.0, True, False, {}


def test_without_trust_nothing_is_read_and_nothing_runs(tmp_path):
    with trained(tmp_path) as trainer:
        archive = trainer.export_zip(tmp_path / "model.zip")
    trace = tmp_path / "trace"
    data = json.dumps(
        {"policy_kwargs": {":serialized:": base64.b64encode(pickle.dumps(Payload(trace))).decode()}}
    )
    rewrite(archive, data=data, policy_pth=pretend_to_tensors(trace))
    with pytest.raises(ArchiveError, match=r"which can run code when they are read.*--trust-pickle"):
        import_archive(archive, save_dir=tmp_path / "imported")
    assert not trace.exists()
    with pytest.raises(ArchiveError, match=r"policy\.pth holds something else than tensors"):
        import_archive(archive, trust_pickle=True, save_dir=tmp_path / "imported")
    assert not trace.exists()
    assert not (tmp_path / "imported").exists()


def test_pickles_that_are_not_needed_are_not_read_even_when_trusted(tmp_path):
    with trained(tmp_path) as trainer:
        archive = trainer.export_zip(tmp_path / "model.zip")
    trace = tmp_path / "trace"
    hidden = {":serialized:": base64.b64encode(pickle.dumps(Payload(trace))).decode()}
    rewrite(archive, data=json.dumps({"policy_kwargs": hidden, "observation_space": hidden}))
    run = import_archive(archive, trust_pickle=True, save_dir=tmp_path / "imported")
    assert load_policy(run.path / "final").spec.actions == 2
    assert not trace.exists()
    rewrite(archive, jimbot_json=None)  # now the pickle is the only description, and trusted
    with pytest.raises(ArchiveError, match="does not describe its network"):
        import_archive(archive, trust_pickle=True, env="CartPole-v1", save_dir=tmp_path / "imported")
    assert trace.exists()


def test_a_model_that_the_library_saved_again_comes_in_too(tmp_path):
    with trained(tmp_path, "A2C") as trainer:
        archive = trainer.export_zip(tmp_path / "model.zip")
        tensors = trainer.policy_tensors()
    A2C.load(archive, device="cpu").save(archive)
    with zipfile.ZipFile(archive) as content:
        assert DESCRIPTION not in content.namelist()
    run = import_archive(archive, trust_pickle=True, env="CartPole-v1", save_dir=tmp_path / "imported")
    assert run_config(run).algorithm == "A2C"
    policy = find_policy(run.path)
    assert all(np.array_equal(policy.tensors[name], tensors[name]) for name in tensors)


def test_other_files_are_refused_with_a_reason(tmp_path):
    def refused(match, **options: Any):
        with pytest.raises(ArchiveError, match=match):
            import_archive(path, **{"trust_pickle": True, "save_dir": tmp_path / "imported", **options})

    path = tmp_path / "absent.zip"
    refused("cannot read .*No such file")
    path.write_bytes(b"PK")
    refused("is not a whole archive of Stable-Baselines3")
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("other", "")
    refused("is not a whole archive of Stable-Baselines3: .*data")
    PPO("MlpPolicy", "CartPole-v1", device="cpu").save(path)
    refused("does not say which environment it is for; name it with --env")
    refused("does not fit Acrobot-v1; name its environment", env="Acrobot-v1")
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    refused("is not a whole archive")
    path.write_bytes(whole)
    tensors = {"features_extractor.cnn.0.weight": torch.zeros(1), "action_net.weight": torch.zeros(2, 4)}
    torch.save(tensors, tmp_path / "cnn.pth")
    rewrite(path, policy_pth=(tmp_path / "cnn.pth").read_bytes())
    refused("holds a network that jimbot cannot play", env="CartPole-v1")
    assert not (tmp_path / "imported").exists()


def test_writing_fails_whole(tmp_path):
    with trained(tmp_path) as trainer:
        shutil.rmtree(tmp_path / "models")
        (tmp_path / "file").write_text("")
        with pytest.raises(ArchiveError, match="cannot write"):
            trainer.export_zip(tmp_path / "file" / "model.zip")
