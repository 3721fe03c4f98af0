"""Lazy public names: importing a package imports none of the libraries behind its names."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from jimbot.errors import require

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

__all__ = ["lazy_attributes"]


def lazy_attributes(
    package: str, names_by_module: Mapping[str, Iterable[str]], needs: Mapping[str, str] | None = None
) -> Callable[[str], Any]:
    """Return a module-level ``__getattr__`` that imports a package's public names on first use.

    Args:
        package: ``__name__`` of the package.
        names_by_module: Public names by the module that defines them: ``.spec`` is a module of the package,
            ``jimbot.functional.jax_batch`` one from elsewhere.
        needs: Libraries that every name needs, each with the extra that brings it; a missing one is named in the error.
    """
    homes = {name: module for module, names in names_by_module.items() for name in names}

    def get_attribute(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        for library, extra in (needs or {}).items():
            require(library, extra)
        return getattr(importlib.import_module(homes[name], package), name)

    return get_attribute
