"""Shell completion: all commands as one group that imports a command only when it is completed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["completion_command"]


def completion_command(commands: Mapping[str, tuple[str, str]], load: Callable[[str], Any]) -> Any:
    """Return the command that handles ``--install-completion``, ``--show-completion`` and completion requests.

    Args:
        commands: the table of commands; the second entry of each is its line of help.
        load: gives the typer application of a command, which is imported when it is completed.
    """

    class LazyGroup(TyperGroup):
        """The commands of the table."""

        def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002  typer passes it
            """Return the names in the order of ``jimbot --help``."""
            return list(commands)

        def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002  typer passes it
            """Return the command of this name, or None."""
            if cmd_name not in commands:
                return None
            command: Any = get_command(load(cmd_name))
            command.name = cmd_name
            command.short_help = commands[cmd_name][1]
            return command

    application = typer.Typer(cls=LazyGroup, pretty_exceptions_enable=False)
    application.callback()(no_command)
    return get_command(application)


def no_command() -> None:
    """Train, evaluate and play reinforcement-learning agents on Balatro."""
