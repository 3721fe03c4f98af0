"""``jimbot evaluate``: measure a player on held-out evaluation seeds, or several on the same ones.

A name of ``jimbot.players.PLAYERS`` is measured here. ``EVALUATORS`` is where other things that play, such as the
directory of a training run, say how they are measured.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from jimbot.cli.files import check_target, write_report
from jimbot.errors import JimbotError, suggest
from jimbot.storage.strict_json import dump_json, read_json

if TYPE_CHECKING:
    from jimbot.players.evaluation import Evaluation

__all__ = ["EVALUATORS", "EvaluateError", "Request", "app"]

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)

MOST_EPISODES = 1_000_000
DECK, STAKE = "b_red", 1
"""Defaults for players; a trained policy plays what it was trained on."""


class EvaluateError(JimbotError, ValueError):
    """Raised for an evaluation that is not possible."""


@dataclass(frozen=True)
class Request:
    """An evaluation to be run.

    Attributes:
        name: a player's name or a path.
        seeds: seed numbers to play.
        deck: key of the deck.
        stake: 1 to 8.
        weights: weights of the scripted player by name, if others than the defaults.
        threads: threads to play on.
        on_progress: gets the number of runs done.
    """

    name: str
    seeds: list[int]
    deck: str
    stake: int
    weights: dict[str, float] | None
    threads: int
    on_progress: Callable[[int], None]


Evaluator = Callable[[Request], "Evaluation | None"]
"""Measures what it is responsible for; None for anything else."""


def evaluate_named_player(request: Request) -> Evaluation | None:
    """Evaluate a player of ``jimbot.players``; None for any other name."""
    from jimbot.players import PLAYERS
    from jimbot.players.evaluation import evaluate_player

    if request.name not in PLAYERS:
        return None
    return evaluate_player(
        request.name,
        request.seeds,
        deck=request.deck,
        stake=request.stake,
        weights=request.weights,
        threads=request.threads,
        on_progress=request.on_progress,
    )


EVALUATORS: list[Evaluator] = [evaluate_named_player]
"""Tried in order; the first that knows the name evaluates it."""


@app.command()
def evaluate(
    names: Annotated[
        list[str],
        typer.Argument(
            help="Who plays: greedy, random, scripted, or a run, checkpoint or policy file. Several play the same "
            "games and are compared with the first.",
            metavar="NAME...",
        ),
    ],
    episodes: Annotated[int, typer.Option(help="Runs to play.", metavar="N")] = 500,
    first: Annotated[int, typer.Option(help="First episode of the evaluation set.", metavar="N")] = 0,
    training: Annotated[
        bool, typer.Option("--training", help="Play on training seeds instead of evaluation seeds.")
    ] = False,
    deck: Annotated[
        str | None, typer.Option(help="Key of the deck; b_red, or that of the run.", metavar="KEY")
    ] = None,
    stake: Annotated[
        int | None, typer.Option(help="Stake, 1 (White) to 8 (Gold); 1, or that of the run.")
    ] = None,
    weights: Annotated[
        Path | None,
        typer.Option(help="JSON file with weights of the scripted player by name.", metavar="FILE"),
    ] = None,
    threads: Annotated[int, typer.Option(help="Threads to play on.", metavar="N")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")] = False,
    save: Annotated[
        Path | None, typer.Option(help="Write the result as JSON to this file too.", metavar="FILE")
    ] = None,
) -> None:
    """Measure players on held-out evaluation episodes: win rate with interval, blinds cleared, causes of losses."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from jimbot.players.evaluation import evaluation_seeds, training_seeds

    check_numbers(episodes, first, STAKE if stake is None else stake, threads)
    if len(names) > 1:
        from jimbot.cli.evaluate_several import Match, evaluate_several

        check_names(names, training=training, weights=weights)
        chosen = None if weights is None else read_weights(weights)
        match = Match(names, episodes, first, training, deck or DECK, stake or STAKE, chosen, threads)
        evaluate_several(match, as_json=as_json, save=save)
        return
    name = names[0]
    if is_policy(name):
        from jimbot.cli.evaluate_run import evaluate_run

        for flag, given in (("--training", training), ("--weights", weights is not None)):
            if given:
                raise EvaluateError(
                    f"{flag}: a trained policy has no weights and is measured on unseen episodes; leave it out"
                )
        evaluate_run(
            Path(name), episodes, save, as_json=as_json, first=first, deck=deck, stake=stake, threads=threads
        )
        return
    deck, stake = deck or DECK, stake or STAKE
    if save is not None:
        check_target(save)
    seeds = training_seeds(episodes, first) if training else evaluation_seeds(episodes, first)
    chosen = None if weights is None else read_weights(weights)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    screen = Console(file=sys.stderr)
    with Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal) as progress:
        task = progress.add_task(name, total=episodes)
        result = measure(
            Request(
                name,
                seeds,
                deck,
                stake,
                chosen,
                threads,
                lambda done: progress.update(task, completed=done),
            )
        )
    seed_set = "training" if training else "evaluation"
    content = report(result, seed_set, first, chosen)
    if as_json:
        print(dump_json(content, indent=2, nonfinite="null"))
    else:
        show(Console(highlight=False), result, seed_set)
    if save is not None:
        write_report(save, content)


def is_policy(name: str) -> bool:
    """Return whether a name is the path of a trained policy."""
    from jimbot.players import PLAYERS

    return name not in PLAYERS and Path(name).exists()


def check_names(names: list[str], *, training: bool, weights: Path | None) -> None:
    """Raise for names that nobody has, and for flags that do not fit those who play."""
    from jimbot.players import PLAYERS

    policies = [name for name in names if name not in PLAYERS]
    for name in policies:
        if not is_policy(name):
            raise make_unknown_player_error(name)
    if training and policies:
        raise EvaluateError(f"--training: {policies[0]} is measured on unseen episodes; leave it out")
    if weights is not None and "scripted" not in names:
        raise EvaluateError(
            "--weights: only the scripted player has weights, and it is not among the players"
        )


def check_numbers(episodes: int, first: int, stake: int, threads: int) -> None:
    """Raise for numbers out of range."""
    if not 1 <= episodes <= MOST_EPISODES:
        raise EvaluateError(f"episodes must be 1 to {MOST_EPISODES}, got {episodes}")
    if first < 0:
        raise EvaluateError(f"first must be 0 or more, got {first}")
    if not 1 <= stake <= 8:
        raise EvaluateError(f"stake must be 1 to 8, got {stake}")
    if not 1 <= threads <= 256:
        raise EvaluateError(f"threads must be 1 to 256, got {threads}")


def measure(request: Request) -> Evaluation:
    """Return the result of the first evaluator that knows the name."""
    for evaluator in EVALUATORS:
        result = evaluator(request)
        if result is not None:
            return result
    raise make_unknown_player_error(request.name)


def make_unknown_player_error(name: str) -> EvaluateError:
    """Return the error for a name that is neither a player nor the path of a trained policy."""
    from jimbot.players import PLAYERS

    return EvaluateError(f"there is no player and no path '{name}'; {suggest(name, PLAYERS)}")


def read_weights(path: Path) -> dict[str, float]:
    """Read weights by name from a JSON file: the object itself, or its entry ``weights``."""
    try:
        content: Any = read_json(path)
    except OSError as error:
        raise EvaluateError(f"cannot read {path}: {error.strerror or error}") from None
    except ValueError as error:
        raise EvaluateError(f"{path} is not JSON: {error}") from None
    if isinstance(content, dict):
        content = cast("dict[str, Any]", content)
        content = content.get("weights", content)
    if not isinstance(content, dict):
        raise EvaluateError(f"{path} must hold an object of numbers by weight name")
    values = cast("dict[str, Any]", content)
    wrong = [name for name, value in values.items() if not isinstance(value, int | float)]
    if wrong:
        raise EvaluateError(f"{path} must hold an object of numbers by weight name; {wrong[0]!r} is not one")
    return {name: float(value) for name, value in values.items()}


def report(result: Evaluation, seed_set: str, first: int, weights: dict[str, float] | None) -> dict[str, Any]:
    """Return what ``--json`` prints and ``--save`` writes: the evaluation and its provenance."""
    from jimbot.cli.bench.report import find_source_commit

    played = {"set": seed_set, "first": first, "episodes": result.episodes}
    return {
        "commit": find_source_commit(),
        "evaluation_set": played,
        "weights": weights or {},
    } | result.to_json()


def show(console: Any, result: Evaluation, seed_set: str) -> None:
    """Print the result as tables."""
    from rich.table import Table

    from jimbot.balatro.names import describe_game, get_name

    low, high = result.win_interval
    console.print(
        f"[bold]{result.player}[/bold]  {describe_game(result.deck, result.stake)}, "
        f"{result.episodes} runs on {seed_set} seeds, {result.seconds:.1f} s"
    )
    spread = result.blinds_interval
    blinds = f"{result.mean_blinds:.2f}"
    if spread is not None:
        blinds += f" (95 %: {spread[0]:.2f} to {spread[1]:.2f})"
    console.print(
        f"wins {100 * result.win_rate:.1f} %  (95 %: {100 * low:.1f} to {100 * high:.1f})   "
        f"blinds cleared {blinds}   last ante {result.mean_ante:.2f}   decisions {result.mean_steps:.0f}"
    )
    curve = Table(
        "ante", "small", "big", "boss", title="blinds cleared of those played", title_justify="left"
    )
    for start in range(0, len(result.curve), 3):
        counts = result.curve[start : start + 3]
        cells = [f"{each.cleared}/{each.reached}" if each.reached else "-" for each in counts]
        curve.add_row(str(counts[0].ante), *cells)
    console.print(curve)
    causes = Table("blind", "runs", title="lost to", title_justify="left")
    for key, count in list(result.causes.items())[:10]:
        causes.add_row(get_name(key) or "no blind played", str(count))
    console.print(causes)
