"""The report of a search: a summary, the history of trials, the importance of hyperparameters."""

# Optuna and matplotlib are partly untyped.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from jimbot.errors import MissingExtraError, require
from jimbot.storage.atomic import atomic_file
from jimbot.storage.strict_json import write_json

if TYPE_CHECKING:
    from pathlib import Path

    from jimbot.training.tuning.search import Tuning, TuningResult

__all__ = ["importances", "write_report"]

FEWEST_FOR_IMPORTANCE = 4
SUMMARY = "summary.json"


def importances(tuning: Tuning) -> dict[str, float]:
    """How much of the difference between good and other trials each hyperparameter explains; empty with few trials."""
    study = tuning.study()
    whole = [each for each in study.get_trials(deepcopy=False) if each.state.name == "COMPLETE"]
    if len(whole) < FEWEST_FOR_IMPORTANCE or len({each.value for each in whole}) < 2:
        return {}
    from optuna.importance import PedAnovaImportanceEvaluator, get_param_importances

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tuning.optuna.exceptions.ExperimentalWarning)
        evaluator = PedAnovaImportanceEvaluator()
        found = get_param_importances(study, evaluator=evaluator)
    return {name: float(value) for name, value in found.items()}


def write_report(tuning: Tuning, result: TuningResult) -> list[Path]:
    """Write ``summary.json``, and ``history.png`` and ``importance.png`` if matplotlib is installed."""
    shares = importances(tuning)
    summary = {
        "trials": result.trials,
        "pruned": result.pruned,
        "winner": result.finalists[0].trial,
        "tied_with": [each.trial for each in result.tied],
        "finalists": [
            {
                "trial": each.trial,
                "values": each.values,
                "search_score": each.search_score,
                "fresh_scores": each.scores,
                "fresh_mean": each.mean,
            }
            for each in result.finalists
        ],
        "importance": shares,
    }
    written = [tuning.directory / SUMMARY]
    write_json(written[0], summary, indent=1, nonfinite="null")
    try:
        require("matplotlib", "plots")
    except MissingExtraError:
        return written
    written.append(plot_history(tuning, result))
    if shares:
        written.append(plot_importance(tuning, shares))
    return written


def new_figure(width: float, height: float) -> tuple[Any, Any]:
    """A figure that needs no screen, and its axes."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width, height), layout="constrained")
    FigureCanvasAgg(figure)
    return figure, figure.add_subplot()


def plot_history(tuning: Tuning, result: TuningResult) -> Path:
    """Scores by trial, the best so far, pruned trials, and what the finalists did on fresh seeds."""
    figure, axes = new_figure(8, 4.5)
    trials = tuning.study().get_trials(deepcopy=False)
    whole = [(each.number, each.value) for each in trials if each.state.name == "COMPLETE"]
    best = [max(value for _, value in whole[: count + 1]) for count in range(len(whole))]
    axes.scatter(*zip(*whole, strict=True), label="trial", s=18)
    axes.step([number for number, _ in whole], best, where="post", label="best so far")
    cut = [
        (each.number, list(each.intermediate_values.values())[-1])
        for each in trials
        if each.state.name == "PRUNED" and each.intermediate_values
    ]
    if cut:
        axes.scatter(*zip(*cut, strict=True), marker="x", s=18, label="pruned")
    for number, each in enumerate(result.finalists):
        places = [each.trial] * len(each.scores)
        label = "on fresh seeds" if number == 0 else None
        axes.scatter(places, list(each.scores.values()), marker="_", s=90, color="black", label=label)
    axes.set_xlabel("trial")
    axes.set_ylabel("mean reward")
    axes.grid(alpha=0.3)
    axes.legend()
    target = tuning.directory / "history.png"
    with atomic_file(target) as temporary:
        figure.savefig(temporary, dpi=110)
    return target


def plot_importance(tuning: Tuning, shares: dict[str, float]) -> Path:
    """Bars of the importances, the largest on top."""
    names = sorted(shares, key=lambda name: shares[name])
    figure, axes = new_figure(8, 1.2 + 0.32 * len(names))
    axes.barh([name.rpartition(".")[2] for name in names], [shares[name] for name in names])
    axes.set_xlabel("importance")
    target = tuning.directory / "importance.png"
    with atomic_file(target) as temporary:
        figure.savefig(temporary, dpi=110)
    return target
