"""``use_behavioral_cloning`` in a configuration: collect, teach, and only then train."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jimbot.training.cloning.collector import TrajectoryCollector
from jimbot.training.cloning.expert_evaluation import ExpertEvaluator
from jimbot.training.cloning.pretraining import BehavioralCloning
from jimbot.training.cloning.trajectories import CloningError, filter_trajectories
from jimbot.training.cloning.trajectory_files import save_trajectories

if TYPE_CHECKING:
    from collections.abc import Callable

    from jimbot.training.cloning.trajectories import Trajectory
    from jimbot.training.config.trainer_config import BehavioralCloningConfig
    from jimbot.training.framework import RLTrainer

__all__ = ["chosen_episodes", "clone_expert"]


def clone_expert(trainer: RLTrainer, tell: Callable[[str], None]) -> dict[str, Any]:
    """Teach a trainer's network as its configuration says; everything is decided by the configuration's seed.

    The demonstrations that are learned from are kept in the run's directory as ``demonstrations.trajectories``, the
    taught policy as ``cloned/``.

    Args:
        trainer: whose network is taught; nothing has been trained yet.
        tell: called with a line whenever there is something to say.
    """
    config = trainer.config.behavioral_cloning
    env = trainer.environments.creator()
    collector = TrajectoryCollector(
        config.expert, env, seed=trainer.config.seed, threads=trainer.config.env_threads
    )

    def say_episode(who: str) -> Callable[[int, int], None]:
        return lambda done, episodes: tell(f"{who} episode {done} of {episodes}")

    def say_epoch(epoch: int, epochs: int, accuracy: float) -> None:
        tell(f"cloning epoch {epoch} of {epochs}: accuracy {accuracy:.1%}")

    demonstrated = chosen_episodes(
        collector.collect(config.n_episodes, say_episode(f"{config.expert} demonstrates:")), config
    )
    save_trajectories(demonstrated, trainer.run.path / "demonstrations.trajectories")
    found = ExpertEvaluator.evaluate(demonstrated)
    cloning = BehavioralCloning(
        trainer, demonstrated, config.learning_rate, balanced=config.balanced, seed=trainer.config.seed
    )
    result = cloning.pretrain(config.n_epochs, config.batch_size, verbose=False, progress=say_epoch)
    for number in range(1, config.dagger_rounds + 1):
        result = cloning.dagger(
            collector,
            1,
            dagger_episodes(config),
            config.n_epochs,
            config.batch_size,
            verbose=False,
            collected=say_episode(f"DAgger round {number} of {config.dagger_rounds}: the learner plays"),
            progress=say_epoch,
        )
    cloning.save_pretrained(trainer.run.path / "cloned")
    env.close()
    kinds: dict[str, float] = result["accuracy_by_kind"]
    return {
        "cloning/episodes": len(demonstrated),
        "cloning/episodes_shown": config.n_episodes,
        "cloning/decisions": result["train_decisions"] + result["validation_decisions"],
        "cloning/expert_mean_reward": found["mean_reward"],
        "cloning/substituted_share": found["substituted_share"],
        "cloning/epochs": result["epochs"],
        "cloning/loss": result["loss"],
        "cloning/accuracy": result["accuracy"],
        **{f"cloning/accuracy/{name.replace(' ', '_')}": value for name, value in kinds.items()},
    }


def dagger_episodes(config: BehavioralCloningConfig) -> int:
    """Episodes the learner plays in each round of DAgger."""
    if config.dagger_episodes is not None:
        return config.dagger_episodes
    return max(1, config.n_episodes // (2 * config.dagger_rounds))


def chosen_episodes(shown: list[Trajectory], config: BehavioralCloningConfig) -> list[Trajectory]:
    """The shown episodes that the configuration wants to learn from; an error if there are none."""
    kept = filter_trajectories(shown, **config.filters())
    if not kept:
        wanted = ", ".join(f"{name} {value}" for name, value in config.filters().items())
        best = max(each.total_reward for each in shown)
        antes = max(each.numbers.get("ante", 0.0) for each in shown)
        raise CloningError(
            f"behavioral_cloning: none of the {len(shown)} episodes that {config.expert} showed passes {wanted} "
            f"({sum(each.won for each in shown)} were won, the highest return is {best:.2f}, the highest ante "
            f"{antes:.0f}); ask for less, or raise n_episodes"
        )
    return kept
