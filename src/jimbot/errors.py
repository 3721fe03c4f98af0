"""Errors with messages for users.

A ``JimbotError`` says in one line what happened, what was expected and what to do. The command line prints it
as ``jimbot: error: …`` and exits with code 2; everything else is a bug and keeps its traceback. Warnings are lines
of the same kind, ``jimbot: warning: …``.
"""

from __future__ import annotations

import importlib
import os
import re
import sys
import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable
    from types import ModuleType

__all__ = [
    "EXIT_BROKEN_PIPE",
    "EXIT_INTERRUPTED",
    "EXIT_USER_ERROR",
    "JimbotError",
    "MissingExtraError",
    "add_suggestion",
    "exit_code",
    "plain_warnings",
    "require",
    "suggest",
]

EXIT_USER_ERROR = 2
EXIT_INTERRUPTED = 130
EXIT_BROKEN_PIPE = 141  # 128 + SIGPIPE, as a shell reports it


class JimbotError(Exception):
    """Raised for problems that the user can solve; the message says how."""


class MissingExtraError(JimbotError):
    """Raised if a library of an optional extra is not installed.

    Attributes:
        extra: the extra of the jimbot package that brings the library.
        module: the module that could not be imported.
    """

    def __init__(self, extra: str, module: str) -> None:
        super().__init__(f"{module} is not installed; install it with: pip install 'jimbot[{extra}]'")
        self.extra = extra
        self.module = module


def exit_code(command: Callable[[], int]) -> int:
    """Run a command and return its exit code. User errors and interrupts are reported in one line."""
    with plain_warnings():
        try:
            code = run_and_flush(command)
        except BrokenPipeError:
            discard_output()
            return EXIT_BROKEN_PIPE
        except JimbotError as error:
            print(f"jimbot: error: {error}", file=sys.stderr)
            return EXIT_USER_ERROR
        except KeyboardInterrupt:
            return EXIT_INTERRUPTED
        return code


def run_and_flush(command: Callable[[], int]) -> int:
    """Run a command and flush its output, so that a closed pipe is noticed here and not at exit."""
    try:
        code = command()
    except SystemExit as ended:
        sys.stdout.flush()
        if ended.code == 1 and isinstance(ended.__context__, BrokenPipeError):  # typer ends so
            raise ended.__context__ from None
        raise
    sys.stdout.flush()
    return code


def discard_output() -> None:
    """Discard the remaining output, because the reader of the pipe has gone."""
    sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115  stays open until exit


@contextmanager
def plain_warnings() -> Generator[None]:
    """Within the block, print each distinct warning once, as one line without its source location."""
    printed: set[str] = set()

    def line_of(
        message: Warning | str, category: type[Warning], filename: str, lineno: int, line: str | None = None
    ) -> str:
        del category, filename, lineno, line
        text = f"jimbot: warning: {' '.join(str(message).split())}\n"
        if text in printed:
            return ""
        printed.add(text)
        return text

    before = warnings.formatwarning
    warnings.formatwarning = line_of
    try:
        yield
    finally:
        warnings.formatwarning = before


def suggest(name: str, known: Iterable[str]) -> str:
    """Return the end of an error about an unknown name: the nearest known name, or all of them if none is near."""
    from difflib import get_close_matches

    names = list(known)
    close = get_close_matches(name.lower(), names, n=1) or get_close_matches(name, names, n=1)
    if close:
        return f"did you mean '{close[0]}'?"
    return f"expected {', '.join(names[:-1])} or {names[-1]}" if len(names) > 1 else f"expected {names[0]}"


UNKNOWN_NAME = re.compile(r"unknown [\w ]+ '([^']+)'; expected (?:one of )?([\w, ]+)")


def add_suggestion(message: str) -> str:
    """Add the nearest name to an error of the engine that ends with a list: ``unknown deck 'b_rde'; expected …``."""
    from difflib import get_close_matches

    found = UNKNOWN_NAME.fullmatch(message)
    close = get_close_matches(found[1], re.split(", | or ", found[2]), n=1) if found else []
    return f"{message}; did you mean '{close[0]}'?" if close else message


def require(module_name: str, extra: str) -> ModuleType:
    """Import a module, or raise ``MissingExtraError`` naming the extra that brings it.

    Only an absent library is translated. A library that is installed but fails to import one of its own parts
    raises what it raised: reinstalling the extra would not help there.
    """
    top_level = module_name.partition(".")[0]
    try:
        importlib.import_module(top_level)  # first, so that the error names the library and not a part of it
        return importlib.import_module(module_name)
    except ModuleNotFoundError as error:
        if error.name in (module_name, top_level):
            raise MissingExtraError(extra, module_name) from error
        raise
