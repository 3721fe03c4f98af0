"""``use_behavioral_cloning``: collects, teaches, records, then trains; once, and the same way every time."""

# pyright: reportOperatorIssue=false

from __future__ import annotations

from typing import Any

import pytest
from tests.training.test_behavioral_cloning import best_of_bandit, small_config
from tests.training.tiny_envs import MaskedBandit

from jimbot.networks import load_policy
from jimbot.tracking.events import EVENTS_FILE, read_events
from jimbot.training.behavioral_cloning import BehavioralCloning, TrajectoryCollector, load_trajectories
from jimbot.training.cloning.session import clone_expert
from jimbot.training.cloning.trajectories import CloningError
from jimbot.training.config.trainer_config import BehavioralCloningConfig
from jimbot.training.framework import create_trainer, resume_run


def cloning_config(tmp_path, **changes: object):
    return small_config(
        tmp_path,
        env_kwargs={"max_ante": 1, "actions": "candidates", "fast": True, "max_steps": 200},
        use_behavioral_cloning=True,
        behavioral_cloning=BehavioralCloningConfig(n_episodes=4, n_epochs=2),
        **changes,
    )


def metrics_of(run):
    return [event for event in read_events(run / EVENTS_FILE) if event.kind == "metrics"]


def test_an_expert_is_cloned_before_the_first_iteration(tmp_path):
    with create_trainer(None, cloning_config(tmp_path)) as trainer:
        fresh = {name: array.copy() for name, array in trainer.policy_tensors().items()}
        result = trainer.train(progress="silent")
        run = trainer.run.path
    first = metrics_of(run)[0]
    assert first.step == 0
    assert 0 < first.values["cloning/accuracy"] <= 1
    assert first.values["cloning/episodes"] == 4
    assert "cloning/accuracy/play_hand" in first.values
    assert result["metrics"]["cloning/accuracy"] == first.values["cloning/accuracy"]
    shown = load_trajectories(run / "demonstrations.trajectories")
    assert len(shown) == 4
    cloned = load_policy(run / "cloned").tensors
    assert any((cloned[name] != fresh[name]).any() for name in fresh)


def test_cloning_is_repeated_exactly_and_not_on_resuming(tmp_path):
    with create_trainer(None, cloning_config(tmp_path)) as trainer:
        trainer.train(progress="silent")
        whole = trainer.policy_tensors()
    with create_trainer(None, cloning_config(tmp_path)) as trainer:
        trainer.train(64, progress="silent")
        run = trainer.run.path
    with resume_run(run) as trainer:
        trainer.train(progress="silent")
        resumed = trainer.policy_tensors()
    assert all((whole[name] == resumed[name]).all() for name in whole)
    told = [event for event in metrics_of(run) if "cloning/accuracy" in event.values]
    assert len(told) == 1


def test_without_it_nothing_is_cloned(tmp_path):
    config = cloning_config(tmp_path).copy_with(use_behavioral_cloning=False)
    with create_trainer(None, config) as trainer:
        trainer.train(progress="silent")
        assert not (trainer.run.path / "cloned").exists()
        assert not any("cloning/accuracy" in event.values for event in metrics_of(trainer.run.path))


def test_dagger_rounds_add_the_learners_states(tmp_path):
    config = cloning_config(tmp_path)
    config.behavioral_cloning.dagger_rounds = 1
    with create_trainer(None, config) as trainer:
        result = trainer.train(progress="silent")["metrics"]
        shown = load_trajectories(trainer.run.path / "demonstrations.trajectories")
    assert result["cloning/decisions"] > sum(map(len, shown))


@pytest.mark.parametrize(("asked", "rounds", "played"), [(None, 1, 2), (None, 2, 1), (3, 2, 3)])
def test_the_learner_plays_as_many_episodes_as_are_asked_for(tmp_path, monkeypatch, asked, rounds, played):
    config = cloning_config(tmp_path)
    config.behavioral_cloning.dagger_rounds = rounds
    config.behavioral_cloning.dagger_episodes = asked
    seen: list[int] = []
    relabel = TrajectoryCollector.relabel

    def watched(self, policy, n_episodes, *rest: Any, **named: Any):
        seen.append(n_episodes)
        return relabel(self, policy, n_episodes, *rest, **named)

    monkeypatch.setattr(TrajectoryCollector, "relabel", watched)
    with create_trainer(None, config) as trainer:
        trainer.train(64, progress="silent")
    assert seen == [played] * rounds


def test_every_phase_of_cloning_is_told(tmp_path):
    config = cloning_config(tmp_path)
    config.behavioral_cloning.dagger_rounds = 1
    told: list[str] = []
    with create_trainer(None, config) as trainer:
        clone_expert(trainer, told.append)
    for part in (
        "scripted demonstrates: episode 4 of 4",
        "cloning epoch 2 of 2: accuracy",
        "DAgger round 1 of 1: the learner plays episode 2 of 2",
    ):
        assert any(part in line for line in told), part
    assert sum("cloning epoch 1 of 2" in line for line in told) == 2


def test_filters_choose_among_the_shown_episodes(tmp_path):
    config = cloning_config(tmp_path)
    with create_trainer(None, config) as trainer:
        trainer.train(64, progress="silent")
        shown = load_trajectories(trainer.run.path / "demonstrations.trajectories")
    middle = sorted(each.total_reward for each in shown)[2]
    config.behavioral_cloning = BehavioralCloningConfig(
        n_episodes=4, n_epochs=1, min_return=middle, best_share=0.5
    )
    with create_trainer(None, config) as trainer:
        result = trainer.train(64, progress="silent")["metrics"]
        kept = load_trajectories(trainer.run.path / "demonstrations.trajectories")
    assert [each.seed for each in kept] == [max(shown, key=lambda each: each.total_reward).seed]
    assert (result["cloning/episodes"], result["cloning/episodes_shown"]) == (1, 4)
    config.behavioral_cloning.min_return = 1e9
    with (
        create_trainer(None, config) as trainer,
        pytest.raises(
            CloningError,
            match=r"none of the 4 episodes that scripted showed passes min_return 1000000000.0, best_share 0.5 \(",
        ),
    ):
        trainer.train(64, progress="silent")


@pytest.mark.parametrize(
    "backend",
    [
        "sb3",
        pytest.param("tianshou", marks=pytest.mark.slow),
        pytest.param("jax", marks=pytest.mark.slow),
        pytest.param("rllib", marks=pytest.mark.slow),
    ],
)
def test_every_backend_balances_and_filters(tmp_path, monkeypatch, backend):
    """What the configuration says reaches the teaching, and what was taught is what training starts from."""
    from jimbot.training.cloning import session

    asked: dict[str, Any] = {}

    class Watched(BehavioralCloning):
        def __init__(self, *given: Any, **named: Any) -> None:
            asked.update(named, shown=given[1])
            super().__init__(*given, **named)

    monkeypatch.setattr(session, "BehavioralCloning", Watched)
    config = cloning_config(tmp_path, backend=backend)
    config.behavioral_cloning = BehavioralCloningConfig(
        n_episodes=4, n_epochs=1, balanced=True, best_share=0.5
    )
    with create_trainer(None, config) as trainer:
        result = trainer.train(64, progress="silent")["metrics"]
        cloned = load_policy(trainer.run.path / "cloned")
    assert asked["balanced"] is True
    assert len(asked["shown"]) == 2
    assert result["cloning/episodes"] == 2
    assert cloned.metadata["cloned"] is True


def test_a_saved_policy_is_an_expert(tmp_path):
    config = small_config(tmp_path, use_behavioral_cloning=True, total_timesteps=64)
    with create_trainer(MaskedBandit, config.copy_with(use_behavioral_cloning=False)) as trainer:
        shown = TrajectoryCollector(best_of_bandit, MaskedBandit()).collect(300)
        cloning = BehavioralCloning(trainer, shown, 1e-2)
        cloning.pretrain(15, verbose=False)
        path = cloning.save_pretrained(tmp_path / "expert")
    config.behavioral_cloning = BehavioralCloningConfig(
        expert=str(path), n_episodes=300, n_epochs=15, learning_rate=1e-2
    )
    with create_trainer(MaskedBandit, config) as trainer:
        result = trainer.train(progress="silent")
    assert result["metrics"]["cloning/accuracy"] > 0.9
    assert result["mean_reward"] > 0.8


def test_an_expert_that_cannot_be_is_told_before_training(tmp_path):
    config = small_config(tmp_path, env="CartPole-v1", use_behavioral_cloning=True)
    with create_trainer(None, config) as trainer, pytest.raises(CloningError, match="scripted plays Balatro"):
        trainer.train(progress="silent")
