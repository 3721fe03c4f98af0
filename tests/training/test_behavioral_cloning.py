"""Cloning: the documents' examples, masked losses, known experts learned, DAgger, files, refusals."""

# pyright: reportArgumentType=false, reportOptionalMemberAccess=false

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
import torch
from tests.training.tiny_envs import Identity, MaskedBandit

from jimbot import _engine
from jimbot.networks import create_network, load_policy, make_network_spec
from jimbot.training.behavioral_cloning import (
    BehavioralCloning,
    CloningError,
    ExpertEvaluator,
    TrajectoryCollector,
)
from jimbot.training.config.trainer_config import HyperparameterConfig, TrainerConfig
from jimbot.training.framework import create_trainer, get_default_config
from jimbot.training.utils import create_balatro_env

SMALL = HyperparameterConfig(
    policy_net_arch=[16],
    value_net_arch=[16],
    features_dim=16,
    algorithm_specific={"n_steps": 32, "batch_size": 32, "n_epochs": 1},
)


def small_config(tmp_path, **changes: object):
    values = {
        "total_timesteps": 128,
        "n_envs": 2,
        "eval_freq": 64,
        "eval_episodes": 2,
        "checkpoint_freq": 64,
        "save_dir": str(tmp_path / "models"),
        "hyperparams": SMALL.model_copy(deep=True),
    }
    return TrainerConfig(**{**values, **changes})


def best_of_bandit(observation):
    return int(np.flatnonzero(observation["action_mask"]).max())


def test_the_documents_example(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    env = create_balatro_env()
    expert_policy = lambda obs: env.action_space.sample()  # noqa: E731, ARG005

    collector = TrajectoryCollector(expert_policy, create_balatro_env())
    trajectories = collector.collect(n_episodes=3)

    ExpertEvaluator.print_evaluation(trajectories)
    assert "illegal share" in capsys.readouterr().out

    env = create_balatro_env(max_steps=100)  # an untaught policy may turn in circles
    config = get_default_config("PPO")
    config.hyperparams = SMALL.model_copy(deep=True)
    config.total_timesteps, config.n_envs, config.eval_episodes = 64, 2, 2
    model = create_trainer(env, config).model

    bc = BehavioralCloning(model, trajectories)
    result = bc.pretrain(n_epochs=2)
    assert len(result["train_loss"]) <= 2
    assert "cloning epoch 1/2" in capsys.readouterr().out

    trainer = create_trainer(env, config)
    assert trainer.train(progress="silent")["timesteps"] >= 64
    trainer.close()


def test_the_documents_workflow(tmp_path):
    env = create_balatro_env(max_ante=1, actions="candidates", max_steps=200)
    expert_policy = "scripted"
    trainer = create_trainer(env, small_config(tmp_path))
    model = trainer.model

    collector = TrajectoryCollector(expert_policy, env)
    trajectories = collector.collect(n_episodes=4)

    bc = BehavioralCloning(model, trajectories)
    before = {name: array.copy() for name, array in trainer.policy_tensors().items()}
    bc.pretrain(n_epochs=2, verbose=False)
    after = trainer.policy_tensors()
    assert any((before[name] != after[name]).any() for name in after)

    assert trainer.train(progress="silent")["timesteps"] == 128
    trainer.close()


@pytest.mark.parametrize("algorithm", ["PPO", "DQN"])
@pytest.mark.parametrize("form", ["model", "trainer"])
def test_a_known_expert_is_learned(tmp_path, algorithm, form):
    trajectories = TrajectoryCollector(best_of_bandit, MaskedBandit(8, 3)).collect(400)
    hyperparams = SMALL.model_copy(deep=True)
    hyperparams.algorithm_specific = {} if algorithm == "DQN" else hyperparams.algorithm_specific
    config = small_config(tmp_path, algorithm=algorithm, hyperparams=hyperparams)
    with create_trainer(lambda: MaskedBandit(8, 3), config) as trainer:
        taught = trainer if form == "trainer" else trainer.model
        bc = BehavioralCloning(taught, trajectories, learning_rate=1e-2)
        result = bc.pretrain(n_epochs=25, batch_size=32, verbose=False)
        assert result["accuracy"] > 0.95
        assert trainer.evaluate(100)[0] > 0.95
        if algorithm == "DQN":
            online, target = trainer.model.policy.q_net, trainer.model.policy.q_net_target
            pairs = zip(online.parameters(), target.parameters(), strict=True)
            assert all(torch.equal(a, b) for a, b in pairs)


def test_a_plain_network_is_taught_and_saved(tmp_path):
    env = Identity()
    torch.manual_seed(0)
    network = create_network(make_network_spec(env.observation_space, env.action_space, features_dim=16))
    trajectories = TrajectoryCollector(lambda number: number, env).collect(20)
    bc = BehavioralCloning(network, trajectories, learning_rate=1e-2)
    assert bc.pretrain(20, verbose=False)["accuracy"] == 1.0
    path = bc.save_pretrained(tmp_path / "cloned")
    again = load_policy(path).network()
    seen = torch.arange(4)
    assert torch.equal(network.policy_logits(seen), again.policy_logits(seen))
    taught = TrajectoryCollector(str(path), env).collect(2)  # a saved policy is an expert too
    assert all(each.total_reward == 8 for each in taught)


def test_illegal_actions_never_have_probability_while_learning(tmp_path):
    trajectories = TrajectoryCollector("scripted", create_balatro_env(max_ante=1)).collect(2)
    with create_trainer(create_balatro_env(), small_config(tmp_path)) as trainer:
        bc = BehavioralCloning(trainer.model, trajectories, validation_share=0.0)
        bc.pretrain(1, verbose=False)
        with torch.no_grad():
            distribution, _ = bc._forward(bc.data, slice(0, len(bc.data)))
        mask = bc.data.observations(slice(0, len(bc.data)))["action_mask"] > 0
        assert (distribution.probs.numpy()[~mask] == 0).all()
        assert np.allclose(distribution.probs.sum(-1), 1.0, atol=1e-5)
        assert mask[np.arange(len(bc.data)), bc.data.labels].all()


def test_accuracy_is_told_by_kind_of_decision(tmp_path):
    trajectories = TrajectoryCollector("scripted", create_balatro_env(max_ante=1)).collect(3)
    with create_trainer(create_balatro_env(), small_config(tmp_path)) as trainer:
        bc = BehavioralCloning(trainer.model, trajectories, balanced=True)
        result = bc.pretrain(2, verbose=False)
        weights = bc._weights()
    assert {"play hand cards", "play the blind"} <= set(result["accuracy_by_kind"])
    assert sum(result["decisions_by_kind"].values()) == result["validation_decisions"]
    assert result["train_decisions"] + result["validation_decisions"] == sum(map(len, trajectories))
    counts = np.bincount(bc.data.kinds, minlength=256)[bc.data.kinds]
    assert weights[counts.argmin()] > weights[counts.argmax()]
    assert weights.max() / weights.min() <= 10.001
    assert np.isclose(weights.mean(), 1.0)


def test_what_generalises_no_more_ends_teaching_and_the_best_is_kept(tmp_path):
    draws = np.random.default_rng(0)
    trajectories = TrajectoryCollector(lambda _: int(draws.integers(4)), Identity()).collect(6)
    with create_trainer(Identity, small_config(tmp_path)) as trainer:
        bc = BehavioralCloning(trainer.model, trajectories, 0.1, validation_share=0.5, patience=2)
        result = bc.pretrain(200, batch_size=4, verbose=False)
        assert result["stopped_early"]
        assert result["epochs"] == result["best_epoch"] + 2
        assert result["loss"] == min(result["validation_loss"])
        assert bc.measure(bc.validation)["loss"] == result["loss"]


def test_cloning_is_the_same_twice(tmp_path):
    trajectories = TrajectoryCollector(best_of_bandit, MaskedBandit()).collect(30)

    def taught():
        with create_trainer(MaskedBandit, small_config(tmp_path)) as trainer:
            BehavioralCloning(trainer, trajectories).pretrain(3, verbose=False)
            return trainer.policy_tensors()

    first, second = taught(), taught()
    assert all((first[name] == second[name]).all() for name in first)


def test_dagger_teaches_on_the_learners_own_states(tmp_path):
    collector = TrajectoryCollector(lambda number: number, Identity())
    with create_trainer(Identity, small_config(tmp_path)) as trainer:
        bc = BehavioralCloning(trainer.model, collector.collect(4), 1e-5, patience=None)
        bc.pretrain(1, verbose=False)
        had, bc.learning_rate = len(bc.data), 1e-2
        result = bc.dagger(collector, rounds=2, n_episodes=6, n_epochs=10, verbose=False)
        assert len(bc.data) == had + 2 * 6 * 8
        own = bc.trajectories[-12]
        assert (own.actions != own.labels).any()  # the learner's mistakes, with the expert's labels
        assert result["accuracy"] == 1.0


def test_values_are_learned_in_the_units_of_training(tmp_path):
    trajectories = TrajectoryCollector(lambda number: number, Identity()).collect(30)
    with create_trainer(Identity, small_config(tmp_path)) as trainer:
        bc = BehavioralCloning(trainer.model, trajectories, 1e-2, value_coefficient=1.0, patience=None)
        bc.pretrain(30, verbose=False)
        wanted = (bc.data.returns / bc._return_scale()).mean()
        with torch.no_grad():
            _, values = bc._forward(bc.data, slice(0, len(bc.data)))
        assert trainer.vector.scaler.moments.count > 100
        assert abs(float(values.mean()) - wanted) < 0.2 * wanted


@pytest.mark.parametrize("form", ["model", "trainer"])
@pytest.mark.skipif(not _engine.has_fast_kernels(), reason="the engine is not faster than torch here")
def test_the_engine_teaches_what_torch_teaches(tmp_path, form):
    env = create_balatro_env(max_ante=1, actions="candidates", max_steps=200)
    trajectories = TrajectoryCollector("scripted", env).collect(4)

    def taught(*, compiled):
        with create_trainer(env, small_config(tmp_path)) as trainer:
            bc = BehavioralCloning(trainer if form == "trainer" else trainer.model, trajectories)
            assert bc.target.compiled is not None
            if not compiled:
                bc.target = dataclasses.replace(bc.target, compiled=None)
            result = bc.pretrain(2, verbose=False)
            return result["train_loss"], trainer.policy_tensors()

    (losses, tensors), (torch_losses, torch_tensors) = taught(compiled=True), taught(compiled=False)
    assert losses == pytest.approx(torch_losses, rel=1e-3)
    assert losses[1] < losses[0]
    assert all(np.allclose(tensors[name], torch_tensors[name], atol=5e-3) for name in tensors)


def test_torch_teaches_where_the_engine_does_not_compute_the_network(tmp_path):
    with create_trainer(Identity, small_config(tmp_path)) as trainer:
        bc = BehavioralCloning(trainer, TrajectoryCollector(lambda number: number, Identity()).collect(4))
        assert bc.target.compiled is None


@pytest.mark.parametrize(
    ("act", "message"),
    [
        (lambda model, _: BehavioralCloning(model, []), "there are no demonstrations"),
        (lambda model, shown: BehavioralCloning(model, shown, 0.0), "learning_rate"),
        (lambda _, shown: BehavioralCloning("PPO", shown), "expected a trainer"),
        (lambda model, shown: BehavioralCloning(model, shown).pretrain(0), "n_epochs"),
        (lambda *_: ExpertEvaluator.evaluate([]), "no demonstrations to evaluate"),
    ],
)
def test_refusals(tmp_path, act, message):
    shown = TrajectoryCollector(lambda number: number, Identity()).collect(2)
    with (
        create_trainer(Identity, small_config(tmp_path)) as trainer,
        pytest.raises(CloningError, match=message),
    ):
        act(trainer.model, shown)


def test_demonstrations_of_another_action_space_are_refused(tmp_path):
    shown = TrajectoryCollector(best_of_bandit, MaskedBandit(20)).collect(20)
    with (
        create_trainer(lambda: MaskedBandit(6), small_config(tmp_path)) as trainer,
        pytest.raises(CloningError, match="of another environment"),
    ):
        BehavioralCloning(trainer.model, shown)
