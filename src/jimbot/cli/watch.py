"""``jimbot watch``: watch a player or a replay, screen by screen or as an animated GIF."""

from __future__ import annotations

import sys
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

from jimbot.balatro.drawing.text import MIN_WIDTH, build_screen
from jimbot.balatro.game.actions import Action
from jimbot.balatro.game.game import Game
from jimbot.balatro.game.replay import Replay, ReplayError
from jimbot.cli.files import check_target
from jimbot.cli.play.commands import describe_action_from_one
from jimbot.errors import JimbotError

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterator

    from jimbot.players import Player

__all__ = ["app"]

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)

LABEL = "dim"
WIDEST = 120
DEFAULT_DELAY = 0.7
LONGEST_RUN = 10_000
"""Decisions after which a run without --steps is left; no player needs as many."""
INTERRUPTED = 130


class WatchError(JimbotError, ValueError):
    """Raised for invalid or incompatible options."""


@dataclass
class Show:
    """A run that is being watched.

    Attributes:
        game: the run, where it stands now.
        next_action: gives the next action, or None at the end.
        length: how many decisions there will be, if that is known.
    """

    game: Game
    next_action: Callable[[Game], Action | None]
    length: int | None


@dataclass(frozen=True)
class Frame:
    """A state of the run, and a description of the action that led to it."""

    game: Game
    caption: str


@app.command()
def watch(
    seed: Annotated[str | None, typer.Argument(help="Seed of the run; a random one if left out.")] = None,
    player: Annotated[
        str | None,
        typer.Option(
            help="Who plays: greedy (if left out), random, scripted, or a run, checkpoint or policy file.",
            metavar="NAME",
        ),
    ] = None,
    replay: Annotated[
        Path | None, typer.Option(help="Watch this replay instead of a player.", metavar="FILE")
    ] = None,
    deck: Annotated[str, typer.Option(help="Key of the deck, such as b_red.", metavar="KEY")] = "b_red",
    stake: Annotated[int, typer.Option(help="Stake, 1 (White) to 8 (Gold).")] = 1,
    delay: Annotated[
        float | None,
        typer.Option(
            help=f"Seconds a screen stays: {DEFAULT_DELAY} at a terminal and in GIFs, otherwise 0.",
            metavar="SECONDS",
        ),
    ] = None,
    gif: Annotated[
        Path | None, typer.Option(help="Write an animated GIF instead of showing screens.", metavar="FILE")
    ] = None,
    save: Annotated[
        Path | None, typer.Option(help="Write the replay of what was watched.", metavar="FILE")
    ] = None,
    steps: Annotated[int | None, typer.Option(help="Stop after so many decisions.", metavar="N")] = None,
) -> None:
    """Watch a player play a seed, or watch a replay. Only public information is shown."""
    check_options(delay, steps, gif)
    for target in (gif, save):
        if target is not None:
            check_target(target)
    if replay is not None and (player or seed or deck != "b_red" or stake != 1):
        raise WatchError("a replay brings its own seed, deck, stake and player; leave them out")
    shown = (
        create_replay_show(replay)
        if replay
        else create_player_show(Game(seed, deck, stake), player or "greedy")
    )
    console = Console(highlight=False)
    try:
        if gif is not None:
            write_gif(shown, gif, delay if delay is not None else DEFAULT_DELAY, steps)
        else:
            show_screens(shown, console, delay, steps)
    except KeyboardInterrupt:
        raise typer.Exit(code=INTERRUPTED) from None
    finally:
        if save is not None:
            Replay.of(shown.game).save(save)
    console.print(describe_end(shown.game), soft_wrap=True)
    for target in (gif, save):
        if target is not None:
            console.print(Text(f"written to {target}", LABEL), soft_wrap=True)


def check_options(delay: float | None, steps: int | None, gif: Path | None) -> None:
    """Raise for invalid options."""
    if gif is not None and gif.suffix.lower() != ".gif":
        raise WatchError(f"--gif writes animated GIFs only, got {gif.name}; name the file {gif.stem}.gif")
    if delay is not None and not 0 <= delay <= 60:
        raise WatchError(f"delay must be 0 to 60 seconds, got {delay:g}")
    if steps is not None and steps < 0:
        raise WatchError(f"steps must be 0 or more, got {steps}")


def create_player_show(game: Game, name: str) -> Show:
    """Prepare a new run with a player."""
    player = create_watched_player(name)
    return Show(game, lambda run: None if run.over else player.choose(run), None)


def create_watched_player(name: str) -> Player:
    """Create a player by name, or from the path of a trained policy."""
    from jimbot.cli.evaluate import is_policy, make_unknown_player_error
    from jimbot.players import PLAYERS, create_player

    if name in PLAYERS:
        return create_player(name)
    if not is_policy(name):
        raise make_unknown_player_error(name)
    from jimbot.cli.trained_player import load_trained_player

    return load_trained_player(Path(name))


def create_replay_show(path: Path) -> Show:
    """Prepare a replay, after checking that it reproduces its final state."""
    recorded = Replay.load(path)
    try:
        recorded.play()
    except ReplayError:
        raise
    except JimbotError as error:
        raise ReplayError(f"{path} cannot be played: {error}") from None
    coming = iter(recorded.actions)

    def next_action(_game: Game) -> Action | None:
        encoded = next(coming, None)
        return None if encoded is None else Action.decode(encoded)

    return Show(recorded.start(), next_action, len(recorded.actions))


def play_frames(show: Show, steps: int | None) -> Iterator[Frame]:
    """Yield the initial state and the state after every decision. All frames share one ``Game``."""
    yield Frame(show.game, f"{show.game.seed}, the start")
    for number in range(1, 1 + (LONGEST_RUN if steps is None else steps)):
        action = show.next_action(show.game)
        if action is None:
            return
        words = describe_action_from_one(show.game.public_view(), action)
        show.game.step(action)
        yield Frame(show.game, f"{number}. {words}")


# --- screens --------------------------------------------------------------------------------------------------------


def show_screens(show: Show, console: Console, delay: float | None, steps: int | None) -> None:
    """Show the screens one after the other: in place at a terminal, below each other elsewhere."""
    width = max(MIN_WIDTH, min(console.width, WIDEST))
    pause = delay if delay is not None else DEFAULT_DELAY if console.is_terminal else 0.0
    with open_screen(console, width) as put:
        for frame in play_frames(show, steps):
            put(Group(Text(frame.caption, "bold green"), build_screen(frame.game, width)))
            if pause:
                time.sleep(pause)


@contextmanager
def open_screen(console: Console, width: int) -> Generator[Callable[[Group], None]]:
    """Provide a function that shows a screen."""
    if not console.is_terminal:
        yield lambda group: console.print(group, width=width)
        return
    with Live(console=console, auto_refresh=False, vertical_overflow="crop") as live:
        yield lambda group: live.update(group, refresh=True)


def describe_end(game: Game) -> Text:
    """Describe the final state of the run in one line."""
    if game.won:
        words, style = "won", "bold green"
    elif game.over:
        words, style = f"lost in ante {game.ante}", "bold red"
    else:
        words, style = f"stopped in ante {game.ante}", "bold"
    decisions = len(game.actions or [])
    return Text.assemble((game.seed, "bold"), "  ", (words, style), (f" after {decisions} decisions", LABEL))


# --- pictures -------------------------------------------------------------------------------------------------------


def write_gif(show: Show, path: Path, delay: float, steps: int | None) -> None:
    """Write the run as an animated GIF, with a progress bar."""
    from jimbot.cli.animation import GifWriter

    total = steps if show.length is None else min(show.length, steps if steps is not None else show.length)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    writer = GifWriter(delay)
    with Progress(*columns, console=Console(file=sys.stderr), transient=True) as progress:
        task = progress.add_task("drawing", total=None if total is None else total + 1)
        for frame in play_frames(show, steps):
            writer.add(frame.game, frame.caption)
            progress.advance(task)
        progress.update(task, description="writing")
        writer.write(path)
