"""Plots of a ``PPOTrainer`` run (learning curve, KL divergence, gradient norms) and an animation of its policy."""

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
"""Frames of an animation; a longer episode is drawn every second, third, … step."""


def write_artifacts(trainer: Any, results: dict[str, Any], directory: Path) -> list[Path]:
    """Write all plots and the animation into a directory; the files written."""
    written = [plot_learning_curve(results, directory / "learning_curve.png", trainer.monitor.target)]
    if results["updates"]:
        written.append(plot_divergence(results["updates"], directory / "divergence.png"))
        written.append(plot_gradient_norms(results["updates"], directory / "gradient_norms.png"))
    animation = directory / "policy.gif"
    attempt("the animation of the policy", lambda: animate_policy(trainer, animation))
    return [*written, animation] if animation.exists() else written


def new_figure(width: float = 7.0, height: float = 4.0) -> tuple[Any, Any]:
    """An empty figure with axes, which needs no display."""
    require("matplotlib", "tracking")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = cast("Any", Figure(figsize=(width, height), layout="constrained"))
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    axes.grid(visible=True, alpha=0.3)
    return figure, axes


def plot_learning_curve(results: dict[str, Any], path: Path, target: float, window: int = 20) -> Path:
    """Plot rewards by episode, their moving average, the evaluations and the target.

    Args:
        results: of ``PPOTrainer.train``.
        path: the file; its suffix decides the format.
        target: reward drawn as a line.
        window: episodes of the moving average.
    """
    rewards = np.asarray(results["episode_rewards"], np.float64)
    if not len(rewards):
        raise JimbotError("no episodes to plot; expected the results of a training run")
    figure, axes = new_figure()
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
    """Plot the approximate KL divergence between old and new policy and the clipped fraction, by update."""
    figure, axes = new_figure()
    numbers = np.arange(1, len(updates) + 1)
    axes.plot(numbers, [update["approx_kl"] for update in updates], color="#44546a", label="approximate KL")
    axes.plot(
        numbers, [update["clip_fraction"] for update in updates], color="#c8813c", label="clipped fraction"
    )
    axes.set(xlabel="update", title="Policy change per update")
    axes.legend()
    with atomic_file(path) as temporary:
        figure.savefig(temporary)
    return path


def plot_gradient_norms(updates: Sequence[dict[str, float]], path: Path) -> Path:
    """Plot the gradient norms before clipping, global and by layer, by update."""
    figure, axes = new_figure(7.0, 4.5)
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
    """Write a GIF of one episode played by the policy, which takes its most likely actions.

    Args:
        trainer: trains on ``CartPoleWrapper`` or on a Gymnasium environment that can render.
        path: the GIF.
        seed: decides the first state.
    """
    import jax

    if not isinstance(getattr(trainer.env, "environment", None), CartPole):
        return animate_gymnasium(trainer, path, seed)
    source = trainer.episode_source(trainer.env)
    data = source.play(trainer.agent.state, jax.random.PRNGKey(seed), greedy=True)
    states, actions = np.asarray(data["observations"]), np.asarray(data["actions"])
    every = -(-len(states) // FRAMES_AT_MOST)
    frames = [
        draw_frame(states[number], action=int(actions[number]), caption=f"step {number + 1} of {len(states)}")
        for number in range(0, len(states), every)
    ]
    return save_animation(frames, path, seconds_per_frame=max(0.02 * every, 0.02))


def animate_gymnasium(trainer: Any, path: Path, seed: int) -> Path:
    """The same in a new copy of the trainer's Gymnasium environment."""
    spec = getattr(trainer.env, "spec", None)
    if spec is None:
        raise CannotDrawError(f"{type(trainer.env).__name__} has no spec to make a second copy from")

    def policy(observations: Any) -> NDArray[np.int64]:
        return np.array([trainer.agent.select_action(row, deterministic=True)[0] for row in observations])

    return animate_episode(policy, lambda: cast("Any", gymnasium).make(spec), path, seed=seed)
