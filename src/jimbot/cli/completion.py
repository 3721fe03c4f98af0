"""Shell completion: all commands as one group whose commands are imported only when they are completed."""

from __future__ import annotations

from typing import Any

import typer
from typer.core import TyperGroup
from typer.main import get_command

__all__ = ["completion_command"]


class LazyGroup(TyperGroup):
    """The commands of the table; the module of a command is imported when the command is asked for."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002  typer passes it
        """The names, in the order of ``jimbot --help``."""
        from jimbot.cli import COMMANDS

        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002  typer passes it
        """The command of this name, or None."""
        from jimbot.cli import COMMANDS, load_application

        if cmd_name not in COMMANDS:
            return None
        command: Any = get_command(load_application(cmd_name))
        command.name = cmd_name
        command.short_help = COMMANDS[cmd_name][1]
        return command


def completion_command() -> Any:
    """The command that answers ``--install-completion``, ``--show-completion`` and the shell's questions."""
    application = typer.Typer(cls=LazyGroup, pretty_exceptions_enable=False)
    application.callback()(no_command)
    return get_command(application)


def no_command() -> None:
    """Train, evaluate and play reinforcement-learning agents on Balatro."""
