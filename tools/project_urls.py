"""Writes the project's addresses into pyproject.toml before a release: ``python -m tools.project_urls ADDRESS``.

The repository itself names no host, so that a copy of it anywhere publishes its own addresses. The release workflow
knows where it runs. Only the standard library is used: nothing is installed when this runs.
"""

from __future__ import annotations

import sys
import tomllib
from pathlib import Path
from urllib.parse import urlsplit

__all__ = ["main", "with_urls"]

PROJECT = Path(__file__).resolve().parents[1] / "pyproject.toml"
BEFORE = "[project.scripts]\n"


def with_urls(project: str, address: str) -> str:
    """The text of a pyproject.toml with ``[project.urls]`` for the repository at an address."""
    address = address.rstrip("/")
    if urlsplit(address).scheme != "https" or not urlsplit(address).path.strip("/"):
        raise ValueError(f"expected the https address of a repository, got {address!r}")
    if "urls" in tomllib.loads(project)["project"]:
        raise ValueError("pyproject.toml has [project.urls] already")
    if project.count(BEFORE) != 1:
        raise ValueError(f"pyproject.toml must have the line {BEFORE.strip()} once")
    places = {
        "Repository": "",
        "Documentation": "/tree/main/docs",
        "Issues": "/issues",
        "Changelog": "/releases",
    }
    urls = "".join(f'{name} = "{address}{place}"\n' for name, place in places.items())
    return project.replace(BEFORE, f"[project.urls]\n{urls}\n{BEFORE}")


def main() -> None:
    """Write the file."""
    if len(sys.argv) != 2:
        sys.exit("usage: python -m tools.project_urls https://HOST/OWNER/PROJECT")
    try:
        text = with_urls(PROJECT.read_text(encoding="utf-8"), sys.argv[1])
    except ValueError as error:
        sys.exit(f"project_urls: {error}")
    PROJECT.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
