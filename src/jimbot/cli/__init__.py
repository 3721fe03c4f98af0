"""The ``jimbot`` command. Each command is a file of its own, imported only when it is used.

The table below is all that ``jimbot --help`` reads, so the answer is immediate and needs no library. A command's
module holds a ``typer.Typer`` application under the name the table gives.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn

from jimbot.errors import JimbotError, exit_code, suggest

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["COMMANDS", "main", "run_script"]

# command -> (module:attribute of its typer application, one line of help)
COMMANDS: dict[str, tuple[str, str]] = {
    "train": ("jimbot.cli.train:app", "train an agent"),
    "resume": ("jimbot.cli.train:resume_app", "continue an interrupted run from its last checkpoint"),
    "compare": ("jimbot.cli.compare:app", "train several algorithms on several seeds and compare them"),
    "analyze": ("jimbot.cli.analyze:app", "report how a trained policy plays, as an HTML page"),
    "export": ("jimbot.cli.export:app", "export a policy as torch program, ONNX and policy file"),
    "tune": ("jimbot.cli.tune:app", "search hyperparameters, and train the best again"),
    "seed": ("jimbot.cli.seed:app", "show what a seed contains, and search for seeds"),
    "score": ("jimbot.cli.score:app", "score hands described in a file, step by step"),
    "play": ("jimbot.cli.play:app", "play a run at the terminal"),
    "watch": ("jimbot.cli.watch:app", "watch a player or a replay, screen by screen or as a GIF"),
    "evaluate": ("jimbot.cli.evaluate:app", "measure a player: win rate, blinds cleared, causes of losses"),
    "env": ("jimbot.cli.env:app", "describe the environments: observation arrays and action meanings"),
    "runs": ("jimbot.cli.runs:app", "list training runs: algorithm, steps, state, best score"),
    "checkpoints": ("jimbot.cli.checkpoints:app", "list and verify checkpoints, export and import archives"),
    "therapy": ("jimbot.cli.therapy:app", "measure therapists on simulated clients, and plot a therapy"),
    "track": ("jimbot.cli.track:app", "send a run's events to a tracker, and print its latest metrics"),
    "bench": ("jimbot.cli.bench:app", "measure the speed of engine, environments and training"),
    "doctor": ("jimbot.cli.doctor:app", "report on this installation: engine, compiler, optional extras"),
}

COMPLETE_VARIABLE = "_JIMBOT_COMPLETE"
"""Set by the shell's completion script."""
COMPLETION_OPTIONS = (["--install-completion"], ["--show-completion"])
HELP_OPTIONS = ["-h", "--help"]
USAGE = "usage: jimbot COMMAND [ARGUMENTS...]"


def make_help_text() -> str:
    """Return the text of ``jimbot --help``."""
    width = max(map(len, COMMANDS))
    commands = [f"  {command:<{width}}  {line}" for command, (_, line) in COMMANDS.items()]
    options = [
        "  -h, --help            print this",
        "  --version             print the version",
        "  --install-completion  complete commands and options with the tab key in this shell",
        "  --show-completion     print the completion script of this shell",
    ]
    examples = [
        "  jimbot train --algorithm PPO --timesteps 100000",
        "  jimbot evaluate scripted --episodes 200",
        "  jimbot watch 7LB2WVPK --player scripted",
    ]
    closing = "Get help on a command with: jimbot COMMAND --help"
    return "\n".join(
        [USAGE, "", "commands:", *commands, "", "options:", *options, "", "examples:", *examples, "", closing]
    )


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit: 0 done, 2 a user error, 130 interrupted, 141 broken pipe."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    sys.exit(exit_code(lambda: run(given)))


def run_script(application: Any, name: str) -> NoReturn:
    """Run a command as a script of this name and exit, with the same exit codes and messages as ``main``."""
    sys.exit(exit_code(lambda: run_application(application, sys.argv[1:], name)))


def run(arguments: list[str]) -> int:
    """Handle the top-level options, or pass the rest of the line to a command."""
    if COMPLETE_VARIABLE in os.environ or arguments[:1] in COMPLETION_OPTIONS:
        from jimbot.cli.completion import completion_command

        return run_application(completion_command(COMMANDS, load_application), arguments, "jimbot")
    if not arguments or arguments[0] in ("--help", "-h", "help"):
        print(make_help_text())
        return 0
    first, *rest = arguments
    if first == "--version":
        import jimbot

        print(f"jimbot {jimbot.__version__}")
        return 0
    if first not in COMMANDS:
        kind = "option" if first.startswith("-") else "command"
        raise JimbotError(f"there is no {kind} {first!r}; {suggest_command(first)}")
    return run_command(first, rest)


def suggest_command(word: str) -> str:
    """Suggest the command the user probably meant, or list all commands."""
    return suggest(word, COMMANDS)


def run_command(name: str, arguments: list[str]) -> int:
    """Import the command's module and run its typer application on the arguments."""
    return run_application(load_application(name), arguments, f"jimbot {name}")


def run_application(application: Any, arguments: list[str], name: str) -> int:
    """Run a typer application or command with these arguments, under the name shown in its help."""
    from typer import Typer
    from typer.main import get_command

    command: Any = get_command(application) if isinstance(application, Typer) else application
    command.context_settings.setdefault("help_option_names", HELP_OPTIONS)  # subcommands inherit it
    command.main(args=arguments, prog_name=name)  # exits by itself, with typer's own codes
    return 0


def load_application(command: str) -> Any:
    """Import the ``typer.Typer`` of a command."""
    module_name, _, attribute = COMMANDS[command][0].partition(":")
    return getattr(import_module(module_name), attribute)
