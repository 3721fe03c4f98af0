"""Writes ``docs/reference/commands.md`` from the command line's own help: ``python -m tools.commands_page``."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from typer.main import get_command

from jimbot.cli import COMMANDS, load_application
from jimbot.storage.atomic import write_file_atomically

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["commands_page", "main"]

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "commands.md"

INTRODUCTION = """# Commands

`make docs` writes this page from the commands themselves; do not edit it by hand. `jimbot COMMAND --help` prints the
same at the terminal. A command exits with 0 when it is done, with 2 when you can put the problem right, and with 130
when it was interrupted.

| command | does |
| --- | --- |
"""


def commands_under(command: Any, name: str) -> Iterator[tuple[str, Any]]:
    """The command and, below a group, all of its subcommands; each with its full name."""
    yield name, command
    for sub, below in getattr(command, "commands", {}).items():
        yield from commands_under(below, f"{name} {sub}")


def plain(text: str | None) -> str:
    """A text in one line, safe in a table."""
    return re.sub(r"\s+", " ", text or "").replace("``", "`").replace("|", "\\|").replace("<", "&lt;").strip()


def parameter_row(parameter: Any) -> str:
    """The table row of an option or argument."""
    if parameter.param_type_name == "argument":
        name = f"`{(parameter.metavar or parameter.name).strip('[]{}').upper()}`"
    else:
        value = "" if parameter.is_flag else f" {parameter.metavar or parameter.name.upper()}"
        names = [*parameter.opts, *parameter.secondary_opts]
        name = ", ".join(f"`{each}`" for each in names) + (f" `{value.strip()}`" if value else "")
    default = parameter.default
    if parameter.required:
        shown = "required"
    elif default is None or default in (False, "", [], ()) or callable(default) or "UNSET" in repr(default):
        shown = ""
    else:
        shown = f"`{default}`"
    return f"| {name.replace('|', chr(92) + '|')} | {shown} | {plain(parameter.help)} |"


def command_text(name: str, command: Any) -> str:
    """Heading, text and options of one command."""
    depth = "##" if name.count(" ") == 1 else "###"
    help_text = re.sub(r"[\b\f]", "", command.help or "").replace("``", "`").replace("<", "&lt;").strip()
    lines = [f"{depth} {name}", ""]
    if help_text:
        lines += [*(each.strip() for each in help_text.splitlines()), ""]
    rows = [
        parameter_row(each)
        for each in command.params
        if each.name != "help" and not getattr(each, "hidden", False)
    ]
    if rows:
        lines += ["| argument or option | default | meaning |", "| --- | --- | --- |", *rows, ""]
    return "\n".join(lines)


def commands_page() -> str:
    """The whole page."""
    table = [f"| [`jimbot {name}`](#jimbot-{name}) | {line} |" for name, (_, line) in COMMANDS.items()]
    texts = [
        command_text(full, command)
        for name in COMMANDS
        for full, command in commands_under(get_command(load_application(name)), f"jimbot {name}")
    ]
    return INTRODUCTION + "\n".join([*table, "", *texts]).rstrip() + "\n"


def main() -> None:
    """Write the page."""
    write_file_atomically(PAGE, commands_page())


if __name__ == "__main__":
    main()
