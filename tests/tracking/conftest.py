"""Stores and servers that the tests of trackers share."""

from __future__ import annotations

import shutil
import socket
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch):
    """No address, key or mode of the person who runs the tests."""
    for name in ("MLFLOW_TRACKING_URI", "WANDB_MODE", "WANDB_API_KEY", "QUESTDB_ADDRESS", "QUESTDB_TOKEN"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(scope="session")
def empty_store(tmp_path_factory) -> Path:
    """A directory with an empty MLflow store; making its tables takes seconds, so it is made once and copied."""
    pytest.importorskip("mlflow")
    pytest.importorskip("alembic")
    from jimbot.tracking.mlflow.store import connect, make_local_uri

    directory = tmp_path_factory.mktemp("store")
    connect(make_local_uri(directory)).client.search_experiments()
    return directory


@pytest.fixture
def store_directory(empty_store, tmp_path) -> Path:
    """The test's directory with an empty MLflow store in it."""
    shutil.copytree(empty_store / "mlflow", tmp_path / "mlflow")
    return tmp_path


@pytest.fixture
def closed_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class LineServer(ThreadingHTTPServer):
    """A database that takes line protocol over HTTP, keeps the lines, and can be told to refuse."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), LineHandler)
        self.lines: list[str] = []
        self.headers: list[dict[str, str]] = []
        self.answer = 204

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.server_port}"


class LineHandler(BaseHTTPRequestHandler):
    """Answers POST /write."""

    server: LineServer

    def do_POST(self) -> None:
        """Keep the lines, or refuse them."""
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.server.headers.append(dict(self.headers))
        if self.path.partition("?")[0] == "/write" and self.server.answer < 300:
            self.server.lines += body.splitlines()
        self.send_response(self.server.answer)
        self.end_headers()
        if self.server.answer >= 300:
            self.wfile.write(b"no such column")

    def log_message(self, *_: object) -> None:
        """Nothing is printed."""


@pytest.fixture
def line_server() -> Iterator[LineServer]:
    with LineServer() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()
