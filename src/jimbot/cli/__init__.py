"""The ``jimbot`` command: one file per verb, imported only when its verb is used.

The table below is all that ``jimbot --help`` reads, so the answer is immediate and needs no library. A verb's
module holds a ``typer.Typer`` application under the name the table gives.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn

from jimbot.errors import JimbotError, exit_code

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["VERBS", "main", "run_script"]

# verb -> (module:attribute of its typer application, one line of help)
VERBS: dict[str, tuple[str, str]] = {
    "train": ("jimbot.cli.train:app", "train an agent, with its progress in view"),
    "resume": ("jimbot.cli.train:resume_app", "go on with an interrupted run from its last checkpoint"),
    "compare": ("jimbot.cli.compare:app", "train several algorithms on several seeds and compare them"),
    "analyze": ("jimbot.cli.analyze:app", "look at how a trained policy plays, in one HTML page"),
    "export": ("jimbot.cli.export:app", "write a policy as a torch program, ONNX and a policy file, checked"),
    "tune": ("jimbot.cli.tune:app", "search for hyperparameters, and train the best anew"),
    "seed": ("jimbot.cli.seed:app", "explore what a seed holds, and find seeds that hold what you want"),
    "score": ("jimbot.cli.score:app", "score hands described in a file, step by step"),
    "play": ("jimbot.cli.play:app", "play a run at the terminal"),
    "watch": ("jimbot.cli.watch:app", "watch a player or a replay, screen by screen or as a GIF"),
    "evaluate": ("jimbot.cli.evaluate:app", "measure a player: wins, blinds cleared, what it loses to"),
    "env": ("jimbot.cli.env:app", "describe the environments: observation arrays and action meanings"),
    "runs": ("jimbot.cli.runs:app", "list training runs: algorithm, steps, state, best score"),
    "checkpoints": ("jimbot.cli.checkpoints:app", "list and verify checkpoints, export and import archives"),
    "therapy": ("jimbot.cli.therapy:app", "measure therapists on simulated clients, and draw one therapy"),
    "track": ("jimbot.cli.track:app", "send a run's events to a tracker later, and look at its last numbers"),
    "bench": ("jimbot.cli.bench:app", "measure the speed of the engine on this machine"),
    "doctor": ("jimbot.cli.doctor:app", "report on this installation: engine, compiler, optional extras"),
}

USAGE = "usage: jimbot VERB [ARGUMENTS...]"


def help_text() -> str:
    """What ``jimbot --help`` prints."""
    width = max(map(len, VERBS))
    verbs = [f"  {verb:<{width}}  {line}" for verb, (_, line) in VERBS.items()]
    options = ["  --help     print this", "  --version  print the version"]
    closing = "jimbot VERB --help tells more about a verb."
    return "\n".join([USAGE, "", "verbs:", *verbs, "", "options:", *options, "", closing])


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit: 0 done, 2 the user can put it right, 130 interrupted."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    sys.exit(exit_code(lambda: run(given)))


def run_script(application: Any, name: str) -> NoReturn:
    """Run a verb's application as a script of this name and exit, with the same codes and lines as ``main``."""
    sys.exit(exit_code(lambda: run_application(application, sys.argv[1:], name)))


def run(arguments: list[str]) -> int:
    """Answer the top-level options, or hand the rest of the line to a verb."""
    if not arguments or arguments[0] in ("--help", "-h", "help"):
        print(help_text())
        return 0
    first, *rest = arguments
    if first == "--version":
        import jimbot

        print(f"jimbot {jimbot.__version__}")
        return 0
    if first not in VERBS:
        kind = "option" if first.startswith("-") else "verb"
        raise JimbotError(f"there is no {kind} {first!r}; {suggestion(first)}")
    return run_verb(first, rest)


def suggestion(word: str) -> str:
    """The verb the user may have meant, or all of them."""
    from difflib import get_close_matches

    close = get_close_matches(word, VERBS, n=1)
    return f"did you mean {close[0]!r}?" if close else f"the verbs are {', '.join(VERBS)}"


def run_verb(verb: str, arguments: list[str]) -> int:
    """Import the verb's module and run its typer application on the arguments."""
    return run_application(load_application(verb), arguments, f"jimbot {verb}")


def run_application(application: Any, arguments: list[str], name: str) -> int:
    """Run a typer application on the arguments, under the name its help shows."""
    from typer.main import get_command

    command: Any = get_command(application)
    command.main(args=arguments, prog_name=name)  # exits by itself, with typer's own codes
    return 0


def load_application(verb: str) -> Any:
    """The ``typer.Typer`` of a verb."""
    module_name, _, attribute = VERBS[verb][0].partition(":")
    return getattr(import_module(module_name), attribute)
