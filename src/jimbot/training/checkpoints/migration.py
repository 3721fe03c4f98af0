"""Old checkpoints brought to today's form, one format version at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from jimbot.training.checkpoints import manifest as manifests
from jimbot.training.checkpoints.errors import CheckpointError

if TYPE_CHECKING:
    from collections.abc import Callable

    from jimbot.training.checkpoints.manifest import Manifest

__all__ = ["migrated", "migration"]

Step = TypeVar("Step", bound="Callable[[Any, Manifest], Any]")

steps: dict[int, Callable[[Any, Manifest], Any]] = {}
"""By the version they start from."""


def migration(from_version: int) -> Callable[[Step], Step]:
    """Decorate a function ``(tree, manifest) -> tree`` that brings a tree to the next format version."""

    def register(step: Step) -> Step:
        if from_version in steps:
            raise ValueError(
                f"there is a migration from format {from_version} already: {steps[from_version]!r}"
            )
        steps[from_version] = step
        return step

    return register


def migrated(tree: Any, manifest: Manifest) -> Any:
    """A tree of any known format in today's."""
    for version in range(manifest.format_version, manifests.FORMAT_VERSION):
        if version not in steps:
            raise CheckpointError(
                f"it has format {version}, which can no longer be read; use an older jimbot"
            )
        tree = steps[version](tree, manifest)
    return tree
