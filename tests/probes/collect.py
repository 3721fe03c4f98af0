"""Loads every module of probes, so that the table is complete."""

import importlib
import pkgutil

from tests import probes
from tests.probes.table import PROBES, Probe

_HELPERS = {"table", "items", "collect", "document", "doubts", "test_probes"}


def all_probes() -> list[Probe]:
    """The whole table, in order of modules."""
    for module in sorted(module.name for module in pkgutil.iter_modules(probes.__path__)):
        if module not in _HELPERS:
            importlib.import_module(f"tests.probes.{module}")
    return PROBES
