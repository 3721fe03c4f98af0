"""``jimbot play``: play a run at the terminal, or from a file of commands.

The screen shows what a player may know, below it stands what can be done now, and a line of input does it.
"""

from __future__ import annotations

from pathlib import Path  # noqa: TC003 - typer reads the annotations
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from jimbot.balatro.drawing.card_faces import describe_run, format_amount
from jimbot.balatro.drawing.text import MIN_WIDTH, build_screen
from jimbot.balatro.game.actions import Action, ActionKind
from jimbot.balatro.game.game import Game, IllegalActionError
from jimbot.balatro.game.replay import Replay
from jimbot.cli.files import check_target
from jimbot.cli.play.commands import HELP, CommandError, describe_action_from_one, list_decisions, read_action

if TYPE_CHECKING:
    from jimbot.balatro.game.parts import Plain

__all__ = ["app"]

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)

LABEL = "dim"
WIDEST = 120
PROMPT = "> "
INTERRUPTED = 130


@app.command()
def play(
    seed: Annotated[str | None, typer.Argument(help="Seed of the run; a random one if left out.")] = None,
    deck: Annotated[str, typer.Option(help="Key of the deck, such as b_red.", metavar="KEY")] = "b_red",
    stake: Annotated[int, typer.Option(help="Stake, 1 (White) to 8 (Gold).")] = 1,
    challenge: Annotated[
        str | None, typer.Option(help="Key of a challenge, such as c_omelette_1.", metavar="KEY")
    ] = None,
    save: Annotated[
        Path | None, typer.Option(help="Write the replay here at the end, on quitting too.", metavar="FILE")
    ] = None,
) -> None:
    """Play a run. Enter ? for a list of commands, and q to quit."""
    if save is not None:
        check_target(save)
    game = Game(seed, deck, stake, challenge)
    console = Console(highlight=False)
    interrupted = False
    try:
        console.print(Text.assemble((game.seed, "bold"), (f"  {describe_run(game.public_view())}", LABEL)))
        play_session(game, console)
    except KeyboardInterrupt:
        interrupted = True
        console.print()
    finally:
        if save is not None:
            Replay.of(game).save(save)
            console.print(Text(f"replay written to {save}", LABEL), soft_wrap=True)
    if interrupted:
        raise typer.Exit(code=INTERRUPTED)


def play_session(game: Game, console: Console) -> None:
    """Show the game, read commands and execute them until the run is over, the player quits or the input ends."""
    show(game, console)
    while not game.over:
        line = read_line()
        if line is None or line.strip().lower() in ("q", "quit", "exit"):
            console.print(Text(f"left in ante {game.ante}, round {game.round}", LABEL))
            return
        try:
            answer(line.strip(), game, console)
        except CommandError as error:
            console.print(Text(str(error), "red"), soft_wrap=True)


def read_line() -> str | None:
    """Read a line of input; None at its end."""
    try:
        return input(PROMPT)
    except EOFError:
        print()
        return None
    except UnicodeDecodeError:
        raise CommandError("the input is not text in UTF-8") from None


def answer(line: str, game: Game, console: Console) -> None:
    """Execute a line of input."""
    word, *rest = line.lower().split() or [""]
    match word:
        case "":
            return
        case "?" | "help":
            console.print(Text(HELP))
        case "l" | "list":
            show(game, console)
        case "h" | "hint":
            console.print(hint(game))
        case "preview":
            console.print(preview(" ".join(rest), game))
        case _:
            act(read_action(line, game), game, console)


def act(action: Action, game: Game, console: Console) -> None:
    """Take the action, describe it and show the result."""
    before = game.public_view()
    words = describe_action_from_one(before, action)
    hand = str(game.preview(action)["hand"]) if action.kind is ActionKind.PLAY_HAND else ""
    game.step(action)
    console.print(
        Text.assemble(("-> ", "bold green"), words, describe_outcome(before, game.public_view(), hand))
    )
    show(game, console)


def describe_outcome(before: Plain, after: Plain, hand: str) -> str:
    """Describe the result of a step: the score of a hand, or a change of money."""
    if hand:
        return f": {hand}, {format_amount(after['blind']['score'] - before['blind']['score'])}"
    change = after["money"] - before["money"]
    return f": {'+' if change > 0 else '-'}${abs(change)}" if change else ""


def hint(game: Game) -> Text:
    """Return the play with the highest score."""
    previews = game.preview_all()
    if not previews:
        raise CommandError("hints are for rounds; there is no hand to play now")
    best = max(previews, key=lambda each: (not each.blocked, each.score, -len(each.action.cards)))
    return format_preview(best.action, game)


def preview(positions: str, game: Game) -> Text:
    """Return the score that these cards would get."""
    return format_preview(read_action(f"p {positions}", game), game)


def format_preview(action: Action, game: Game) -> Text:
    """Format cards, hand and score of a play in one line."""
    try:
        result = game.preview(action)
    except IllegalActionError as error:
        raise CommandError(str(error)) from None
    cards = " ".join(str(card + 1) for card in action.cards)
    text = Text.assemble(
        (f"p {cards}", "bold"), f"  {result['hand']}  ", (format_amount(result["score"]), "bold")
    )
    if result["blocked"]:
        text.append("  the blind refuses it", "red")
    elif not result["exact"]:
        best = format_amount(result["best"])
        text.append(f"  at least; {format_amount(result['expected'])} expected, {best} at best", LABEL)
    return text


def show(game: Game, console: Console) -> None:
    """Print the screen, and below it the possible decisions."""
    width = max(MIN_WIDTH, min(console.width, WIDEST))
    parts = [build_screen(game, width)]
    if not game.over:
        parts.append(Group(make_decision_table(game)))
    console.print(Group(*parts), width=width)


def make_decision_table(game: Game) -> Table:
    """Arrange the decisions with their numbers and commands, by group."""
    table = Table.grid(padding=(0, 2))
    for style in (LABEL, "bold yellow", "cyan", ""):
        table.add_column(style=style, justify="right" if style == "bold yellow" else "left")
    last = ""
    for each in list_decisions(game):
        group = "" if each.group == last else f" {each.group}"
        last = each.group
        table.add_row(group, "" if each.number is None else str(each.number), each.command, each.words)
    return table
