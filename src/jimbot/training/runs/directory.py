"""A run on disk: one directory with the configuration, status, events, checkpoints and results of a training run.

config.yaml        what was asked for
provenance.json    where it came from: versions, machine, commit, command line
status.json        what it is doing: running, finished, interrupted or failed; a killed one can be told
events.jsonl       what happened          progress.csv   the same as a table
checkpoints/       see ``checkpoint``     plots/         pictures
policy.safetensors, policy.json           the policy, for any trainer to load
"""

from __future__ import annotations

import os
import re
import warnings
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from jimbot.errors import JimbotError
from jimbot.storage.atomic import (
    make_directories,
    remove_leftovers,
    synchronize_directory,
    write_file_atomically,
)
from jimbot.storage.processes import ProcessIdentity
from jimbot.storage.strict_json import dump_json, parse_json, write_json
from jimbot.training.checkpoints.codec import decode, encode
from jimbot.training.checkpoints.errors import CheckpointError
from jimbot.training.checkpoints.manager import CheckpointManager
from jimbot.training.checkpoints.provenance import command_line, git_state, hardware, library_versions
from jimbot.training.config.hashing import config_hash
from jimbot.training.runs.status import RunStatus, now

if TYPE_CHECKING:
    from collections.abc import Generator

    from jimbot.training.config.trainer_config import TrainerConfig

__all__ = ["RunDirectory", "RunError", "RunSummary", "RunWarning", "create_run", "list_runs", "run_name"]

FORMAT = "jimbot-run"
FORMAT_VERSION = 1
CONFIG, PROVENANCE, STATUS = "config.yaml", "provenance.json", "status.json"
RUN_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,199}")


class RunError(JimbotError):
    """A run directory cannot be made or read; the message says which and why."""


class RunWarning(UserWarning):
    """A run was passed over; the message says which and why."""


@dataclass(frozen=True)
class RunSummary:
    """A summary of a run, as ``jimbot runs`` prints it. Times are UTC, ISO 8601."""

    name: str
    path: str
    algorithm: str
    env: str
    backend: str
    steps: int
    state: str
    best_score: float | None
    error: str | None
    created_at: str
    updated_at: str


def run_name(config: dict[str, Any], moment: datetime) -> str:
    """A readable name from algorithm, environment and time: ``ppo-balatro-20261116-001507``."""
    words = [str(config.get(key) or "") for key in ("algorithm", "env")]
    # The environment's namespace and version are in the configuration; here they would only be noise.
    words[1] = re.sub(r"-v\d+$", "", words[1].rpartition("/")[2])
    slugs = [re.sub(r"[^a-z0-9]+", "-", word.lower()).strip("-")[:40].strip("-") for word in words]
    return "-".join([*filter(None, slugs), moment.strftime("%Y%m%d-%H%M%S")])


class RunDirectory:
    """A run's directory; made by ``create`` or found by ``open``.

    Attributes:
        path: the directory.
        provenance: the content of ``provenance.json``.
        status: the content of ``status.json`` as this process last read or wrote it.
    """

    def __init__(self, path: Path, provenance: dict[str, Any], status: RunStatus) -> None:
        self.path = path
        self.provenance = provenance
        self.status = status

    @classmethod
    def create(
        cls,
        save_dir: str | Path,
        name: str | None = None,
        config: dict[str, Any] | None = None,
        config_text: str | None = None,
    ) -> RunDirectory:
        """Make the directory of a new run and mark it as running in this process.

        Args:
            save_dir: holds the runs; made when needed.
            name: of the run; without one it is made of algorithm, environment and time. A name that is taken gets
                ``-2``, ``-3``, …: no run is ever written over.
            config: the configuration as plain data.
            config_text: the same as YAML text, for ``config.yaml``; without it JSON is written, which is YAML too.
        """
        config = dict(config or {})
        created = datetime.now().astimezone()
        name = run_name(config, created) if name is None else name
        if not RUN_NAME.fullmatch(name):
            raise RunError(
                f"{name!r} cannot name a run; use letters, digits, '.', '_' and '-', a letter or digit first"
            )
        plain, arrays = encode(config)
        if arrays:
            raise RunError(f"the configuration holds the array {next(iter(arrays))!r}; expected plain data")
        try:
            path = new_directory(Path(save_dir), name)
            provenance: dict[str, Any] = {
                "format": FORMAT,
                "format_version": FORMAT_VERSION,
                "name": path.name,
                "created_at": now(),
                "config_hash": config_hash(plain),
                "versions": library_versions(),
                "hardware": hardware(),
                "git": git_state(),
                "command": command_line(),
                "config": plain,
            }
            text = dump_json(plain, indent=2) + "\n" if config_text is None else config_text
            write_file_atomically(path / CONFIG, text)
            write_json(path / PROVENANCE, provenance, indent=1)
            status = RunStatus("running", ProcessIdentity.current(), now(), now())
            write_file_atomically(path / STATUS, status.to_text())
        except OSError as error:
            raise RunError(f"cannot make a run directory in {save_dir}: {error.strerror}") from error
        return cls(path, provenance, status)

    @classmethod
    def open(cls, path: str | Path) -> RunDirectory:
        """A run that exists; one clear error if the directory holds none."""
        path = Path(path)
        if not path.is_dir():
            raise RunError(f"{path} is not a directory; expected the directory of a run")
        try:
            provenance = parse_json((path / PROVENANCE).read_bytes(), PROVENANCE, error=CheckpointError)
            if not isinstance(provenance, dict) or cast("dict[str, Any]", provenance).get("format") != FORMAT:
                raise RunError(f"{path} is not a run of jimbot: its {PROVENANCE} says something else")
            provenance = cast("dict[str, Any]", provenance)
            version = provenance.get("format_version")
            if type(version) is not int or version > FORMAT_VERSION:
                raise RunError(
                    f"{path} has run format {version!r}; this jimbot knows up to {FORMAT_VERSION}: update it"
                )
            if not (path / CONFIG).is_file():
                raise RunError(f"{path} is not a whole run: it has no {CONFIG}")
            return cls(path, provenance, RunStatus.from_bytes((path / STATUS).read_bytes()))
        except FileNotFoundError as error:
            missing = Path(error.filename).name
            raise RunError(f"{path} is not a run of jimbot: it has no {missing}") from None
        except OSError as error:
            raise RunError(f"{error.filename} cannot be read: {error.strerror}") from error
        except CheckpointError as error:
            raise RunError(f"{path} is not a whole run: {error}") from error

    @property
    def name(self) -> str:
        """The directory's name."""
        return self.path.name

    @property
    def config(self) -> dict[str, Any]:
        """The configuration as plain data."""
        return decode(self.provenance.get("config", {}), {})

    @property
    def config_text(self) -> str:
        """The content of ``config.yaml``."""
        return (self.path / CONFIG).read_text(encoding="utf-8")

    @property
    def config_hash(self) -> str:
        """``config_hash`` of the configuration; computed, as old runs recorded a different one."""
        return config_hash(self.config)

    @property
    def checkpoints_path(self) -> Path:
        """Where the checkpoints are."""
        return self.path / "checkpoints"

    @property
    def events_path(self) -> Path:
        """Where a tracker writes what happens, a JSON object a line."""
        return self.path / "events.jsonl"

    @property
    def progress_path(self) -> Path:
        """Where a tracker writes the numbers as a table."""
        return self.path / "progress.csv"

    @property
    def policy_path(self) -> Path:
        """The policy's parameters; ``policy.json`` beside it describes them."""
        return self.path / "policy.safetensors"

    @property
    def plots_path(self) -> Path:
        """Where pictures go; made when it is asked for."""
        path = self.path / "plots"
        path.mkdir(exist_ok=True)
        return path

    def checkpoint_manager(self, **options: Any) -> CheckpointManager:
        """The run's checkpoints; options are those of ``CheckpointManager``."""
        config = self.config
        writer = {key: config[key] for key in ("backend", "algorithm") if config.get(key) is not None}
        return CheckpointManager(
            self.checkpoints_path,
            writer={**writer, "config_hash": self.config_hash, "run": self.name},
            **options,
        )

    def resume(self) -> None:
        """Continue the run in this process; refused while another process runs it."""
        seen = self.reload().seen_state
        if seen == "running" and self.status.process != ProcessIdentity.current():
            raise RunError(
                f"process {self.status.process.pid} still runs {self.path}; stop it, or wait until it ends"
            )
        remove_leftovers(self.path)
        status = replace(
            self.status, state="running", process=ProcessIdentity.current(), started_at=now(), error=None
        )
        self._write(status)

    def update(
        self,
        steps: int | None = None,
        episodes: int | None = None,
        best_score: float | None = None,
        **counters: Any,
    ) -> None:
        """Record the progress of the run. What is not given stays as it was."""
        status = self.status
        self._write(
            replace(
                status,
                steps=status.steps if steps is None else int(steps),
                episodes=status.episodes if episodes is None else int(episodes),
                best_score=status.best_score if best_score is None else float(best_score),
                counters={**status.counters, **counters},
            )
        )

    def finish(self) -> None:
        """Mark the run as finished."""
        self._write(replace(self.status, state="finished", error=None))

    def interrupt(self) -> None:
        """Mark the run as interrupted; it can be resumed."""
        self._write(replace(self.status, state="interrupted", error=None))

    def fail(self, error: BaseException | str) -> None:
        """Mark the run as failed, with its error."""
        text = error if isinstance(error, str) else f"{type(error).__name__}: {error}"
        self._write(replace(self.status, state="failed", error=" ".join(text.split())[:2000]))

    @contextmanager
    def running(self) -> Generator[RunDirectory]:
        """Within, the run is marked as running; how the block is left decides how it ended."""
        self.resume()
        try:
            yield self
        except (KeyboardInterrupt, SystemExit):
            self.interrupt()
            raise
        except BaseException as error:
            self.fail(error)
            raise
        self.finish()

    def reload(self) -> RunStatus:
        """Read ``status.json`` again: another process may have written it."""
        self.status = RunDirectory.open(self.path).status
        return self.status

    def summary(self) -> RunSummary:
        """One line about the run, from its files."""
        config, status = self.config, self.status
        return RunSummary(
            name=self.name,
            path=str(self.path),
            algorithm=str(config.get("algorithm") or ""),
            env=str(config.get("env") or ""),
            backend=str(config.get("backend") or ""),
            steps=status.steps,
            state=status.seen_state,
            best_score=status.best_score,
            error=status.error,
            created_at=str(self.provenance.get("created_at", "")),
            updated_at=status.updated_at,
        )

    def _write(self, status: RunStatus) -> None:
        status = replace(status, updated_at=now())
        try:
            write_file_atomically(self.path / STATUS, status.to_text())
        except OSError as error:
            raise RunError(f"cannot write {self.path / STATUS}: {error.strerror}") from error
        self.status = status


def create_run(config: TrainerConfig) -> RunDirectory:
    """The directory of a new run with a configuration."""
    from jimbot.training.config.files import config_to_yaml

    return RunDirectory.create(config.save_dir, config.name, config.to_dict(), config_to_yaml(config))


def new_directory(save_dir: Path, name: str) -> Path:
    """Make ``save_dir/name``, or ``name-2``, ``name-3``, … if it is taken; two processes never get the same."""
    make_directories(save_dir)
    for number in range(1, 10_000):
        path = save_dir / (name if number == 1 else f"{name}-{number}")
        try:
            os.mkdir(path)  # noqa: PTH102 - as in atomic.py
        except FileExistsError:
            continue
        synchronize_directory(save_dir)
        return path
    raise RunError(f"{save_dir} holds ten thousand runs named {name!r}; choose another name")


def list_runs(save_dir: str | Path) -> list[RunDirectory]:
    """The runs in a directory, oldest first. Other directories are no concern; a broken run gives a warning."""
    save_dir = Path(save_dir)
    if not save_dir.is_dir():
        raise RunError(f"{save_dir} is not a directory; expected the directory that holds the runs")
    runs: list[RunDirectory] = []
    for path in sorted(save_dir.iterdir()):
        if not (path / PROVENANCE).is_file():
            continue
        try:
            runs.append(RunDirectory.open(path))
        except RunError as error:
            warnings.warn(str(error), RunWarning, stacklevel=2)
    return sorted(runs, key=lambda run: str(run.provenance.get("created_at", "")))
