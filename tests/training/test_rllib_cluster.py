"""A Ray that does not come up is told in one line, and nothing of it is left."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from jimbot.training.backends.rllib.cluster import RayError, RaySession

ray = pytest.importorskip("ray")


@pytest.mark.parametrize("kind", [Exception, RuntimeError, ConnectionError])
def test_a_local_ray_that_does_not_come_up(monkeypatch, kind):
    """Ray raises plain exceptions when a node is not there in time."""
    places: list[Path] = []

    def init(**options: object) -> None:
        places.append(Path(str(options["_temp_dir"])))
        raise kind("The current node timed out during startup.\nThis could happen because …")

    monkeypatch.setattr(ray, "init", init)
    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    with pytest.raises(
        RayError, match=r"^cannot start a local Ray: The current node timed out during startup\.$"
    ):
        RaySession().start()
    assert len(places) == 1
    assert not places[0].exists()


def test_a_cluster_that_does_not_let_us_in(monkeypatch):
    """Something listens there and Ray cannot join: a token may be missing, and Ray itself does not say so."""

    def init(**_: object) -> None:
        raise ConnectionError("Failed to connect to Ray cluster")

    monkeypatch.setattr(ray, "init", init)
    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        address = f"127.0.0.1:{listener.getsockname()[1]}"
        with pytest.raises(
            RayError, match=rf"cannot join the Ray cluster at {address}: Failed .* RAY_AUTH_MODE=token"
        ):
            RaySession(address).start()
    with pytest.raises(RayError, match=r"Connection refused$"):
        RaySession(address).start()


def test_a_temporary_directory_of_a_long_name_is_told_as_it_is(monkeypatch, tmp_path):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / ("x" * 60)))
    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    with pytest.raises(RayError, match=r"^the temporary directory .* has too long a name"):
        RaySession().start()
