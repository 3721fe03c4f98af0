"""MLflow's model registry: numbered versions of named models, found by aliases."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jimbot.errors import require
from jimbot.tracking.tracker import TrackingError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jimbot.tracking.mlflow.store import Store

__all__ = ["ModelRegistry"]


class ModelRegistry:
    """The model registry of one store."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def register(
        self,
        source: str,
        name: str,
        run_id: str,
        *,
        alias: str | None = None,
        stage: str | None = None,
        tags: Mapping[str, Any] | None = None,
    ) -> int:
        """Register an artifact directory as a new version of a model; returns the version. See
        ``MLflowLogger.register_model``.
        """
        client = self._store.client
        if not client.search_registered_models(filter_string=f"name = '{quote_for_filter(name)}'"):
            client.create_registered_model(name)
        texts = {key: str(value) for key, value in (tags or {}).items()}
        if stage is not None:
            texts["stage"] = stage
        version = client.create_model_version(name, source=source, run_id=run_id, tags=texts)
        for word in dict.fromkeys(filter(None, [alias, stage.lower() if stage else None])):
            client.set_registered_model_alias(name, word, version.version)
        return int(version.version)

    def load(self, name: str, alias: str | None = None, destination: str | Path | None = None) -> Path:
        """Return a directory with the files of a version. See ``MLflowLogger.load_registered``."""
        version = self.find(name, alias)
        artifacts = require("mlflow.artifacts", "tracking")
        source = self._store.client.get_model_version_download_uri(name, version)
        local = source.startswith(("file:", "/"))
        if destination is None and not local:
            destination = tempfile.mkdtemp(prefix="jimbot-model-")
        target = None if destination is None else str(destination)
        if target is not None:
            Path(target).mkdir(parents=True, exist_ok=True)
        found = artifacts.download_artifacts(
            artifact_uri=source, dst_path=target, tracking_uri=self._store.uri
        )
        return Path(found)

    def version_of(self, name: str, run_id: str, step: int) -> int | None:
        """Return the version that a run registered at a step, or None."""
        versions = self._store.client.search_model_versions(f"name = '{quote_for_filter(name)}'")
        found = [
            int(version.version)
            for version in versions
            if version.run_id == run_id and version.tags.get("step") == str(step)
        ]
        return max(found, default=None)

    def find(self, name: str, alias: str | None = None) -> str:
        """Return the version of an alias; without an alias, the newest version."""
        client = self._store.client
        versions = client.search_model_versions(f"name = '{quote_for_filter(name)}'")
        if not versions:
            known = ", ".join(sorted(model.name for model in client.search_registered_models())) or "none"
            raise TrackingError(
                f"there is no registered model {name!r} in {self._store.uri}; the models are {known}"
            )
        if alias is None:
            return str(max(int(version.version) for version in versions))
        aliases = client.get_registered_model(name).aliases
        if alias not in aliases:
            known = ", ".join(sorted(aliases)) or "none"
            raise TrackingError(
                f"the registered model {name!r} has no alias {alias!r}; its aliases are {known}"
            )
        return str(aliases[alias])


def quote_for_filter(text: str) -> str:
    """Quote a string for an MLflow filter."""
    return text.replace("'", "''")
