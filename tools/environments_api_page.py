"""Writes docs/reference/api/environments.md from the public names: ``python -m tools.environments_api_page``.

Sphinx cannot list the names of these packages itself, since they are imported on first use.
"""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import TYPE_CHECKING

from jimbot import cartpole, therapy
from jimbot.storage.atomic import write_file_atomically

if TYPE_CHECKING:
    from types import ModuleType

__all__ = ["environments_api_page", "main"]

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference" / "api" / "environments.md"

INTRODUCTION = """# `jimbot.therapy`, `jimbot.cartpole`

The environments besides Balatro. [Therapy with simulated clients](../../guides/therapy.md) explains the model.
`make docs` writes this page from the public names of the packages.
"""

ALSO_ELSEWHERE = {"Evaluation"}
"""Names that another package has too: they are described, but links by this name lead to the other."""


def package_text(title: str, package: ModuleType) -> str:
    """A section: the constants by name, then every function and class with its documentation."""
    functions = {name: getattr(package, name) for name in package.__all__ if callable(getattr(package, name))}
    constants = [f"`{name}`" for name in package.__all__ if name not in functions]
    parts = [f"## {title}\n"]
    if constants:
        parts.append(f"Constants of `{package.__name__}`: {', '.join(constants)}.\n")
    for name, value in functions.items():
        kind = "class" if inspect.isclass(value) else "function"
        option = "   :no-index:\n" if name in ALSO_ELSEWHERE else "   :members:\n" if kind == "class" else ""
        parts.append(f"```{{eval-rst}}\n.. auto{kind}:: {package.__name__}.{name}\n{option}```\n")
    return "\n".join(parts)


def environments_api_page() -> str:
    """The whole page."""
    return "\n".join(
        [INTRODUCTION, package_text("Therapy", therapy), package_text("CartPole in JAX", cartpole)]
    )


def main() -> None:
    """Write the page."""
    write_file_atomically(PAGE, environments_api_page())


if __name__ == "__main__":
    main()
