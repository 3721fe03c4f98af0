"""What a run of ``PPOTrainer`` leaves to look at: learning curve, divergence, gradient norms, the policy at play."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import gymnasium
import numpy as np

from jimbot.cartpole import CartPole
from jimbot.cartpole.picture import draw_frame, save_animation
from jimbot.errors import JimbotError, require
from jimbot.storage.atomic import atomic_file
from jimbot.training.runs.artifacts import attempt
from jimbot.training.runs.policy_animation import CannotDrawError, animate_episode

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

__all__ = [
    "animate_policy",
    "plot_divergence",
    "plot_gradient_norms",
    "plot_learning_curve",
    "write_artifacts",
]

FRAMES_AT_MOST = 250
"""Frames of an animation; of a longer episode every second, third, … state is shown."""


def write_artifacts(trainer: Any, results: dict[str, Any], directory: Path) -> list[Path]:
    """Write everything that can be drawn of a run into a directory; the files."""
    written = [plot_learning_curve(results, directory / "learning_curve.png", trainer.monitor.target)]
    if results["updates"]:
        written.append(plot_divergence(results["updates"], directory / "divergence.png"))
        written.append(plot_gradient_norms(results["updates"], directory / "gradient_norms.png"))
    animation = directory / "policy.gif"
    attempt("the policy at play", lambda: animate_policy(trainer, animation))
    return [*written, animation] if animation.exists() else written


def figure_of(width: float = 7.0, height: float = 4.0) -> tuple[Any, Any]:
    """An empty figure with axes, drawn without a screen."""
    require("matplotlib", "tracking")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = cast("Any", Figure(figsize=(width, height), layout="constrained"))
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    axes.grid(visible=True, alpha=0.3)
    return figure, axes


def plot_learning_curve(results: dict[str, Any], path: Path, target: float, window: int = 20) -> Path:
    """Rewards by episode, their moving average, the evaluations and the target, as a picture.

    Args:
        results: of ``PPOTrainer.train``.
        path: the picture; its ending says which kind.
        target: drawn as a line.
        window: episodes of the moving average.
    """
    rewards = np.asarray(results["episode_rewards"], np.float64)
    if not len(rewards):
        raise JimbotError("there are no episodes to draw; expected the results of a training run")
    figure, axes = figure_of()
    episodes = np.arange(1, len(rewards) + 1)
    axes.plot(episodes, rewards, color="#b9c4d4", linewidth=0.7, label="episode")
    width = min(window, len(rewards))
    average = np.convolve(rewards, np.ones(width) / width, mode="valid")
    axes.plot(episodes[width - 1 :], average, color="#44546a", label=f"average of {width}")
    measured = results["evaluations"]
    if measured:
        axes.plot(
            [e["episode"] for e in measured], [e["avg_reward"] for e in measured], "o", label="evaluation"
        )
    axes.axhline(target, color="#c8813c", linestyle="--", label="target")
    axes.set(xlabel="episode", ylabel="reward", title="Learning curve")
    axes.legend()
    with atomic_file(path) as temporary:
        figure.savefig(temporary)
    return path


def plot_divergence(updates: Sequence[dict[str, float]], path: Path) -> Path:
    """Approximate divergence between old and new policy by update, and how much was clipped."""
    figure, axes = figure_of()
    numbers = np.arange(1, len(updates) + 1)
    axes.plot(numbers, [update["approx_kl"] for update in updates], color="#44546a", label="divergence (KL)")
    axes.plot(
        numbers, [update["clip_fraction"] for update in updates], color="#c8813c", label="clipped fraction"
    )
    axes.set(xlabel="update", title="How far each update moved the policy")
    axes.legend()
    with atomic_file(path) as temporary:
        figure.savefig(temporary)
    return path


def plot_gradient_norms(updates: Sequence[dict[str, float]], path: Path) -> Path:
    """Norms of the gradients before clipping, by update: all together and layer by layer."""
    figure, axes = figure_of(7.0, 4.5)
    numbers = np.arange(1, len(updates) + 1)
    for name in sorted(name for name in updates[0] if name.startswith("gradient_norm")):
        layer = name.partition("/")[2]
        style = {"linewidth": 0.8} if layer else {"linewidth": 1.6, "color": "black"}
        axes.plot(numbers, [update[name] for update in updates], label=layer or "global", **style)
    axes.set(xlabel="update", ylabel="norm", title="Gradient norms", yscale="log")
    axes.legend(fontsize="small", ncols=2)
    with atomic_file(path) as temporary:
        figure.savefig(temporary)
    return path


def animate_policy(trainer: Any, path: Path, *, seed: int = 0) -> Path:
    """A GIF of one episode that the policy itself plays, most likely action each time.

    Args:
        trainer: of an agent on ``CartPoleWrapper``, or on an environment of Gymnasium's that draws pictures.
        path: the GIF.
        seed: decides the start of the episode.
    """
    import jax

    if not isinstance(getattr(trainer.env, "environment", None), CartPole):
        return animate_stepped(trainer, path, seed)
    source = trainer.source_of(trainer.env)
    data = source.play(trainer.agent.state, jax.random.PRNGKey(seed), greedy=True)
    states, actions = np.asarray(data["observations"]), np.asarray(data["actions"])
    every = -(-len(states) // FRAMES_AT_MOST)
    frames = [
        draw_frame(states[number], action=int(actions[number]), caption=f"step {number + 1} of {len(states)}")
        for number in range(0, len(states), every)
    ]
    return save_animation(frames, path, seconds_per_frame=max(0.02 * every, 0.02))


def animate_stepped(trainer: Any, path: Path, seed: int) -> Path:
    """The same in an environment of its own, made as the trainer's was."""
    spec = getattr(trainer.env, "spec", None)
    if spec is None:
        raise CannotDrawError(f"{type(trainer.env).__name__} cannot be made a second time")

    def policy(observations: Any) -> NDArray[np.int64]:
        return np.array([trainer.agent.select_action(row, deterministic=True)[0] for row in observations])

    return animate_episode(policy, lambda: cast("Any", gymnasium).make(spec), path, seed=seed)
