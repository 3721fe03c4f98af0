"""Whether a script may start processes that import it again.

Environments in processes of their own begin with an import of the script that started them. A script that starts them
at its top level, outside ``if __name__ == "__main__":``, would start them again in each process; Python then prints a
traceback per process that names neither the line nor the remedy.
"""

from __future__ import annotations

import ast
import inspect
import sys
from pathlib import Path

from jimbot.errors import JimbotError

__all__ = ["MainGuardError", "check_main_guard", "is_guarded"]


class MainGuardError(JimbotError, RuntimeError):
    """Processes that a script starts without a guard."""


def check_main_guard() -> None:
    """Raise if the running script starts processes at its top level without a guard."""
    main = vars(sys.modules["__main__"])
    file = main.get("__file__")
    frame = inspect.currentframe()
    while frame is not None and not (frame.f_globals is main and frame.f_code.co_name == "<module>"):
        frame = frame.f_back
    if frame is None or not isinstance(file, str) or not Path(file).is_file():
        return  # an interactive session or a thread: nothing is imported again
    if not is_guarded(Path(file).read_text(encoding="utf-8", errors="replace"), frame.f_lineno):
        raise MainGuardError(
            f"{Path(file).name}, line {frame.f_lineno}: environments in processes of their own import this script "
            "again; put what runs under a guard:\n\n"
            '    if __name__ == "__main__":\n        main()\n\n'
            'or run them in this process (kind="sync", vectorization: sync)'
        )


def is_guarded(source: str, line: int) -> bool:
    """Whether a line is in a block, or after a statement that leaves, which depends on ``__name__``."""
    try:
        statements = ast.parse(source).body
    except SyntaxError:  # not what runs now; nothing can be said about it
        return True
    for statement in statements:
        if not isinstance(statement, ast.If) or statement.lineno > line:
            continue
        names = {each.id for each in ast.walk(statement.test) if isinstance(each, ast.Name)}
        inside = statement.lineno <= line <= (statement.end_lineno or statement.lineno)
        leaves = any(isinstance(each, ast.NotEq) for each in ast.walk(statement.test))
        if "__name__" in names and (inside or leaves):
            return True
    return False
