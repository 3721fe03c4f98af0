"""``jimbot evaluate A B C``: players, runs and policy files on the same games, in one table."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jimbot.cli.files import check_target, write_report
from jimbot.errors import JimbotError, require
from jimbot.storage.strict_json import dump_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.progress import Progress
    from rich.table import Table

    from jimbot.statistics.intervals import Interval
    from jimbot.training.analysis.contestants import Contestant

__all__ = ["Match", "evaluate_several"]

MOST_CAUSES = 3


@dataclass(frozen=True)
class Match:
    """Who plays which games.

    Attributes:
        names: players, and paths of runs, checkpoints and policy files; the first is what the others are compared to.
        episodes: games to play.
        first: the first of the evaluation set.
        training: whether to play on training seeds; players only.
        deck: key of the deck.
        stake: 1 to 8.
        weights: of the scripted player, if others than its defaults.
        threads: threads to play on.
    """

    names: list[str]
    episodes: int
    first: int
    training: bool
    deck: str
    stake: int
    weights: Mapping[str, float] | None
    threads: int


def evaluate_several(match: Match, *, as_json: bool = False, save: Path | None = None) -> None:
    """Let everybody play the same games; print and save the table."""
    from rich.console import Console

    if save is not None:
        check_target(save)
    env, contestants, seeds = play(match)
    content = make_report(match, env, contestants, seeds)
    if as_json:
        print(dump_json(content, indent=2, nonfinite="null"))
    else:
        show(Console(highlight=False), match, env, contestants)
    if save is not None:
        write_report(save, content)


def play(match: Match) -> tuple[str, list[Contestant], list[int]]:
    """Play all games; returns the environment, what everybody got, and the seed numbers of Balatro's games."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    from jimbot.players import PLAYERS
    from jimbot.training.envs.creation import BALATRO

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    screen = Console(file=sys.stderr)
    policies = [name for name in match.names if name not in PLAYERS]
    with Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal) as progress:
        if not policies:
            return BALATRO, *play_balatro(match, [], progress)
        require("torch", "sb3")
        from jimbot.training.analysis.contestants import is_balatro
        from jimbot.training.backends.torch.state import one_thread

        others = [name for name in policies if not is_balatro(Path(name))]
        with one_thread():
            if not others:
                return BALATRO, *play_balatro(match, policies, progress)
            if len(others) < len(match.names):
                known = next(name for name in match.names if name not in others)
                raise JimbotError(
                    f"{others[0]} does not play Balatro and {known} does; compare what plays the same environment"
                )
            env, contestants = play_others(match, progress)
            return env, contestants, []


def play_balatro(match: Match, policies: list[str], progress: Progress) -> tuple[list[Contestant], list[int]]:
    """Play Balatro: the policies first, on the games of the test set, then the players on the same seeds."""
    from jimbot.players.evaluation import evaluation_seeds, training_seeds
    from jimbot.training.analysis.contestants import play_player, play_policy

    found: dict[str, Contestant] = {}
    seeds: list[int] | None = None
    for name in dict.fromkeys(policies):
        task = progress.add_task(name, total=match.episodes)
        found[name], played = play_policy(
            Path(name),
            match.episodes,
            deck=match.deck,
            stake=match.stake,
            first=match.first,
            threads=match.threads,
            tell=lambda done, _, task=task: progress.update(task, completed=done),
        )
        if seeds is not None and played != seeds:
            raise JimbotError(f"{name} was given other games than {policies[0]}; evaluate them one at a time")
        seeds = played
    if seeds is None:
        seeds = (training_seeds if match.training else evaluation_seeds)(match.episodes, match.first)
    for name in dict.fromkeys(match.names):
        if name in found:
            continue
        task = progress.add_task(name, total=match.episodes)
        found[name] = play_player(
            name,
            seeds,
            deck=match.deck,
            stake=match.stake,
            weights=match.weights if name == "scripted" else None,
            threads=match.threads,
            tell=lambda done, task=task: progress.update(task, completed=done),
        )
    return [found[name] for name in match.names], seeds


def play_others(match: Match, progress: Progress) -> tuple[str, list[Contestant]]:
    """Play the test set of another environment with policies that were all trained on it."""
    from jimbot.training.analysis.contestants import play_other_environment

    found: list[Contestant] = []
    env = ""
    for name in match.names:
        task = progress.add_task(name, total=match.episodes)
        contestant, own = play_other_environment(
            Path(name),
            match.episodes,
            first=match.first,
            threads=match.threads,
            tell=lambda done, _, task=task: progress.update(task, completed=done),
        )
        if env and own != env:
            raise JimbotError(
                f"{name} plays {own} and {match.names[0]} plays {env}; compare what plays the same"
            )
        env = own
        found.append(contestant)
    return env, found


def make_report(match: Match, env: str, contestants: list[Contestant], seeds: list[int]) -> dict[str, Any]:
    """Return what ``--json`` prints and ``--save`` writes: every game of everybody, and where it comes from."""
    from jimbot.cli.bench.report import find_source_commit
    from jimbot.training.analysis.contestants import interval_dict
    from jimbot.training.envs.creation import BALATRO

    reference = contestants[0]
    players: list[dict[str, Any]] = []
    for number, each in enumerate(contestants):
        entry = each.to_dict()
        if number:
            entry["difference"] = {
                name: interval_dict(interval) for name, interval in each.minus(reference).items()
            }
        players.append(entry)
    game = {"deck": match.deck, "stake": match.stake} if env == BALATRO else {}
    return {
        "commit": find_source_commit(),
        "env": env,
        **game,
        "evaluation_set": {
            "set": "training" if match.training else "evaluation",
            "first": match.first,
            "episodes": match.episodes,
        },
        "weights": dict(match.weights or {}),
        "confidence": 0.95,
        "reference": reference.name,
        "players": players,
        "seed_numbers": seeds,
    }


def show(console: Any, match: Match, env: str, contestants: list[Contestant]) -> None:
    """Print one row for everybody, and one for each difference to the first."""
    from jimbot.balatro.names import describe_game
    from jimbot.training.envs.creation import BALATRO

    in_balatro = env == BALATRO
    game = describe_game(match.deck, match.stake) if in_balatro else env
    seeds = "training" if match.training else "unseen"
    console.print(f"[bold]{game}[/]  {match.episodes} {seeds} games, the same for all", soft_wrap=True)
    measures = ["wins (95 %)", "blinds cleared"] if in_balatro else ["reward"]
    table = make_table("player", *measures, "decisions", "CPU s/game")
    for each in contestants:
        cells = (
            [wins_text(each), plus_minus(each.mean_blinds)] if in_balatro else [plus_minus(each.mean_reward)]
        )
        table.add_row(each.name, *cells, f"{each.steps.mean():.0f}", f"{each.cpu_seconds_per_game:.3f}")
    console.print(table)
    keys = ["win_rate", "blinds"] if in_balatro else ["reward"]
    headings = ["wins, points (95 %)", "blinds cleared"] if in_balatro else ["reward"]
    differences = make_table("player", *headings, title=f"minus {contestants[0].name}, game by game")
    for each in contestants[1:]:
        found = each.minus(contestants[0])
        differences.add_row(each.name, *(difference_text(key, found.get(key)) for key in keys))
    console.print(differences)
    if in_balatro:
        for each in contestants:
            console.print(f"{each.name} lost to {causes_text(each)}", soft_wrap=True)
    console.print(
        "± is half a 95 % interval; * marks differences whose interval excludes 0.",
        soft_wrap=True,
    )


def make_table(*columns: str, title: str | None = None) -> Table:
    """Return an empty table whose first column holds names."""
    from rich.table import Table

    table = Table(*columns, title=title, title_justify="left")
    table.columns[0].overflow = "fold"
    for column in table.columns[1:]:
        column.justify, column.no_wrap = "right", True
    return table


def wins_text(contestant: Contestant) -> str:
    """Return the win rate with its interval."""
    wins = contestant.win_rate
    assert wins is not None, "everybody wins or loses in Balatro"
    return f"{100 * wins.estimate:.1f} % ({100 * wins.low:.1f} to {100 * wins.high:.1f})"


def plus_minus(interval: Interval | None, sign: str = "") -> str:
    """Return an estimate ± half the width of its 95 % interval; the estimate alone where one game has no width."""
    if interval is None:
        return "-"
    half = (interval.high - interval.low) / 2
    text = f"{interval.estimate:{sign}.2f}"
    return f"{text} ± {half:.2f}" if half < float("inf") else text


def difference_text(key: str, interval: Interval | None) -> str:
    """Return a paired difference with its interval; a star where the interval excludes 0."""
    if interval is None:
        return "-"
    star = "" if 0.0 in interval else " *"
    if key != "win_rate":
        return plus_minus(interval, "+") + star
    low, high = 100 * interval.low, 100 * interval.high
    return f"{100 * interval.estimate:+.1f} ({low:+.1f} to {high:+.1f}){star}"


def causes_text(contestant: Contestant) -> str:
    """Return what most runs were lost to: ``The Wall (12), Big Blind (8)``."""
    causes = list((contestant.lost_to or {}).items())[:MOST_CAUSES]
    return ", ".join(f"{name} ({count})" for name, count in causes) or "nothing"
