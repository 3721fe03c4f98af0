"""A Ray to train on: a local one that starts and stops by itself and leaves nothing behind, or a running cluster.

A local Ray lives in a directory of its own, whose name says which process it belongs to. When that process has died
without cleaning up, the next start removes the directory.
"""

# The library is partly untyped.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

import atexit
import contextlib
import logging
import os
import shutil
import socket
import tempfile
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jimbot.errors import JimbotError, require
from jimbot.storage.processes import ProcessIdentity, end_processes, processes_below
from jimbot.storage.signals import ignored_signals
from jimbot.storage.strict_json import read_json, write_json

if TYPE_CHECKING:
    from collections.abc import Generator

    import psutil

__all__ = ["RayError", "RaySession", "find_running_head", "named_address", "quiet_ray"]

PREFIX = "jimbot-ray-"
OWNER = "owner.json"
LONGEST_DIRECTORY = 40
"""Characters: Ray adds some 65 for its sockets, and the system allows 107."""
CONNECT_PATIENCE = 10.0
"""Seconds that the head of a cluster has to answer."""
UNREACHABLE = (TimeoutError, ConnectionRefusedError, socket.gaierror)
"""What is raised when nobody listens at an address."""
ADMISSION_HINT = (
    "; if the cluster asks for a token, set RAY_AUTH_MODE=token and RAY_AUTH_TOKEN (or RAY_AUTH_TOKEN_PATH) to the one "
    "it was started with"
)
WANDB_SERVICES = ("wandb", "gpu_stats")
"""How the names of W&B's processes begin."""
ADDRESS_VARIABLE = "RAY_ADDRESS"
LOCAL = "local"
"""Ray's word for a Ray of one's own."""
WORKER_ENVIRONMENT = {
    "OMP_NUM_THREADS": "1",
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_worker_niceness": "0",
}


class RayError(JimbotError):
    """Ray cannot be started or reached."""


@contextlib.contextmanager
def quiet_ray() -> Generator[None]:
    """Ray warns about itself; what it says there is not for whoever trains."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


class RaySession:
    """Ray for one trainer.

    A Ray that this process is connected to already is used as it is and left running.

    Args:
        address: of a cluster to join; None starts a local Ray.
        cpus: processors that a local Ray gives out.
        gpus: graphics cards that a local Ray gives out.
        object_store_mb: shared memory of a local Ray.
    """

    def __init__(
        self,
        address: str | None = None,
        cpus: int = 1,
        gpus: int = 0,
        object_store_mb: int = 200,
    ) -> None:
        self.address = address
        self.cpus, self.gpus = cpus, gpus
        self.object_store_mb = object_store_mb
        self.directory: Path | None = None
        self._ours = False
        self._before: set[psutil.Process] = set()

    def start(self) -> None:
        """Start or join; nothing if that was done already."""
        require("ray", "rllib")
        for name, value in WORKER_ENVIRONMENT.items():
            os.environ.setdefault(name, value)
        import ray

        if ray.is_initialized() or self._ours:
            return
        self._before = processes_below(os.getpid())
        quiet: dict[str, Any] = {
            "log_to_driver": False,
            "logging_level": logging.ERROR,
            "configure_logging": True,
        }
        self._ours = True
        atexit.register(self.stop)
        try:
            with quiet_ray():
                if self.address is not None:
                    check_reachable(self.address)
                    use_saved_token()
                    ray.init(address=self.address, runtime_env={"env_vars": WORKER_ENVIRONMENT}, **quiet)
                else:
                    self._start_local(quiet)
        except JimbotError:
            self.stop()
            raise
        except Exception as error:  # noqa: BLE001  Ray raises plain ones when a node does not come up in time
            self.stop()
            what = f"join the Ray cluster at {self.address}" if self.address else "start a local Ray"
            hint = ADMISSION_HINT if self.address and not isinstance(error, UNREACHABLE) else ""
            raise RayError(f"cannot {what}: {first_line(error)}{hint}") from None
        except BaseException:
            self.stop()
            raise

    def _start_local(self, quiet: dict[str, Any]) -> None:
        import ray

        remove_abandoned()
        self.directory = new_directory()
        ray.init(
            address=LOCAL,
            num_cpus=self.cpus,
            num_gpus=self.gpus,
            include_dashboard=False,
            object_store_memory=self.object_store_mb * 2**20,
            _temp_dir=str(self.directory),
            **quiet,
        )

    def stop(self) -> None:
        """Disconnect; a local Ray ends, with its processes and its directory."""
        atexit.unregister(self.stop)
        if not self._ours:
            return
        self._ours = False
        import ray

        started = set["psutil.Process"]()
        if self.address is None:
            started = {
                each for each in processes_below(os.getpid()) - self._before if not is_wandb_service(each)
            }
        with quiet_ray(), ignored_signals():
            ray.shutdown()
            end_processes(started)
            if self.directory is not None:
                shutil.rmtree(self.directory, ignore_errors=True)
                self.directory = None


def is_wandb_service(process: psutil.Process) -> bool:
    """Whether W&B started it: its service still has to write, and ends with this process by itself."""
    import psutil

    try:
        return process.name().startswith(WANDB_SERVICES)
    except psutil.Error:  # it has ended
        return False


def named_address() -> str | None:
    """Return the address in ``RAY_ADDRESS``, which Ray itself would join; None where it is unset or ``local``."""
    address = os.environ.get(ADDRESS_VARIABLE)
    return None if address in (None, "", LOCAL) else address


def find_running_head() -> str | None:
    """Return the address of a Ray head that runs on this machine, as ``ray start --head`` wrote it down, or None.

    ``RAY_ADDRESS`` goes first, as with Ray itself. A head that does not answer any more is not there.
    """
    if os.environ.get(ADDRESS_VARIABLE):
        return named_address()
    require("ray", "rllib")
    from ray._private.utils import read_ray_address

    address = read_ray_address()
    if not address:
        return None
    try:
        check_reachable(address)
    except OSError:
        return None
    return address


def use_saved_token() -> None:
    """Send the token that Ray's own commands would send: the one in the environment or in Ray's file.

    ``ray start`` asks for a token once there is one; ``ray.init`` sends it to a named address only if told to.
    """
    try:
        from ray._private.authentication.authentication_token_setup import (
            maybe_enable_token_auth_if_token_available,
        )
    except ImportError:  # a Ray from before tokens
        return
    maybe_enable_token_auth_if_token_available(warn_if_disabled=False)


def check_reachable(address: str) -> None:
    """Raise ``OSError`` unless something listens there: Ray itself would try for minutes."""
    host, colon, port = address.rpartition(":")
    if colon and port.isdigit() and "/" not in host:
        socket.create_connection((host, int(port)), CONNECT_PATIENCE).close()


def first_line(error: BaseException) -> str:
    """What went wrong, in one line."""
    return next((line.strip() for line in str(error).splitlines() if line.strip()), type(error).__name__)


def new_directory() -> Path:
    """A directory for a local Ray, marked with the process it belongs to."""
    place = Path(tempfile.gettempdir())
    if len(str(place)) + len(PREFIX) + 8 > LONGEST_DIRECTORY:
        raise RayError(
            f"the temporary directory {place} has too long a name for Ray's sockets; set TMPDIR to a shorter one"
        )
    directory = Path(tempfile.mkdtemp(prefix=PREFIX))
    write_json(directory / OWNER, ProcessIdentity.current().to_plain())
    return directory


def remove_abandoned() -> None:
    """Remove the directories of processes that are no more."""
    for directory in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        try:
            owner = ProcessIdentity.from_plain(read_json(directory / OWNER))
        except (OSError, ValueError):
            continue
        if owner is not None and owner.is_alive() is False:
            shutil.rmtree(directory, ignore_errors=True)
