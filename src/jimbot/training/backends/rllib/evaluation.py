"""Evaluation on RLlib's evaluation runners: each plays a share, and all shares are the very same episodes."""

# The library is partly untyped.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jimbot.errors import JimbotError
from jimbot.training.envs.evaluation import joined

if TYPE_CHECKING:
    from jimbot.training.envs.evaluation import EvaluationResult
    from jimbot.training.rllib_trainer import RLlibTrainer

__all__ = ["evaluate_remotely"]

ATTEMPTS = 3
"""How often an evaluation is begun when runners are lost while they play it."""
LONGEST = 3_600.0
"""Seconds that a share of an evaluation may take."""


def evaluate_remotely(
    trainer: RLlibTrainer, episodes: int, evaluation_set: int = 0, *, deterministic: bool = True
) -> EvaluationResult:
    """Evaluate on the evaluation runners; one that is lost is restored, and all episodes are played again."""
    model = trainer.model
    group = model.eval_env_runner_group
    for _ in range(ATTEMPTS):
        model.restore_env_runners(group)
        order = sorted(group.healthy_env_runner_ids())[:episodes]
        group.sync_weights(from_worker_or_learner_group=model.learner_group, inference_only=True)
        request = {
            "statistics": trainer.vector.statistics.state(),
            "deterministic": deterministic,
            "episodes": episodes,
            "evaluation_set": evaluation_set,
            "order": order,
        }

        def play(runner: Any, request: dict[str, Any] = request) -> tuple[int, EvaluationResult]:
            return runner.worker_index, runner.evaluate_share(request)

        answers: list[tuple[int, EvaluationResult]] = group.foreach_env_runner(
            play, local_env_runner=False, remote_worker_ids=order, timeout_seconds=LONGEST
        )
        if order and len(answers) == len(order):
            parts = dict(answers)
            return joined([parts[index] for index in order])
    raise JimbotError(
        f"the evaluation runners were lost {ATTEMPTS} times while they played; "
        "set backend_options.evaluation_num_env_runners to 0 to evaluate in the driver"
    )
