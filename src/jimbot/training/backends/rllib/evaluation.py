"""Evaluation panels on RLlib's evaluation runners: each plays a share, and all shares are the very same panel."""

# The library is partly untyped.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jimbot.errors import JimbotError
from jimbot.training.envs.evaluation import joined

if TYPE_CHECKING:
    from jimbot.training.envs.evaluation import PanelResult
    from jimbot.training.rllib_trainer import RLlibTrainer

__all__ = ["remote_panel"]

ATTEMPTS = 3
"""How often a panel is begun when runners are lost while they play it."""
LONGEST = 3_600.0
"""Seconds that a share of a panel may take."""


def remote_panel(
    trainer: RLlibTrainer, episodes: int, panel: int = 0, *, deterministic: bool = True
) -> PanelResult:
    """Play a panel on the evaluation runners; one that is lost is restored, and the panel is played again."""
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
            "panel": panel,
            "order": order,
        }

        def play(runner: Any, request: dict[str, Any] = request) -> tuple[int, PanelResult]:
            return runner.worker_index, runner.play_panel(request)

        answers: list[tuple[int, PanelResult]] = group.foreach_env_runner(
            play, local_env_runner=False, remote_worker_ids=order, timeout_seconds=LONGEST
        )
        if order and len(answers) == len(order):
            parts = dict(answers)
            return joined([parts[index] for index in order])
    raise JimbotError(
        f"the evaluation runners were lost {ATTEMPTS} times while they played a panel; "
        "set backend_options.evaluation_num_env_runners to 0 to play panels in the driver"
    )
