"""QuestDB: one row per event over its line protocol, using the standard library only.

Over HTTP (the default) the database confirms every batch; over TCP it confirms nothing. Rows carry ``run_id`` and
``sequence``, so that a table with ``DEDUP UPSERT KEYS(timestamp, run_id, sequence)`` keeps an event once, however often
it is sent.
"""

from __future__ import annotations

import base64
import os
import re
import socket
import urllib.error
import urllib.request
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from jimbot.tracking.line_protocol import ColumnNames, format_line
from jimbot.tracking.tracker import TrackingError

if TYPE_CHECKING:
    from urllib.parse import SplitResult

    from jimbot.tracking.events import Event
    from jimbot.tracking.run_info import RunInfo

__all__ = ["QuestdbTracker"]

DEFAULT_ADDRESS = "http://localhost:9000"
DEFAULT_PORTS = {"http": 9000, "https": 9000, "tcp": 9009}
TIMEOUT_SECONDS = 10.0
BATCH_LINES = 1000


class QuestdbTracker:
    """Sends rows to QuestDB, in its own thread.

    Attributes:
        destination: the address without user and password, and the table.
    """

    background = True

    def __init__(
        self, address: str | None = None, table: str = "jimbot_events", timeout: float = TIMEOUT_SECONDS
    ) -> None:
        """Read the address; nothing is sent yet.

        Args:
            address: ``http://host:9000``, ``https://user:password@host`` or ``tcp://host:9009``; by default the
                environment variable ``QUESTDB_ADDRESS``, and without it ``http://localhost:9000``. A token for HTTP is
                taken from ``QUESTDB_TOKEN``.
            table: the table's name.
            timeout: seconds to wait for an answer.
        """
        given = address or os.environ.get("QUESTDB_ADDRESS") or DEFAULT_ADDRESS
        self._address = parse_address(given)
        if not re.fullmatch(r"\w+", table):
            raise TrackingError(f"a table's name must be one word of letters, digits and _, got {table!r}")
        self._table, self._timeout = table, timeout
        self.destination = f"{self._base_url()} {table}"
        self._names = ColumnNames()
        self._lines: list[str] = []
        self._socket: socket.socket | None = None
        self._run: RunInfo | None = None

    def start(self, run: RunInfo) -> None:
        """Store the run; the connection is opened with the first batch."""
        self._run = run

    def resume(self, run: RunInfo, cursor: dict[str, Any]) -> None:
        """Continue; rows that are sent again can be recognized by ``run_id`` and ``sequence``."""
        del cursor
        self.start(run)

    def log(self, event: Event) -> None:
        """Add the event's row to the batch; a full batch is sent."""
        if self._run is None:
            raise TrackingError("the tracker questdb has not been started")
        self._lines.append(format_line(event, self._run, self._table, self._names))
        if len(self._lines) >= BATCH_LINES:
            self.flush()

    def flush(self) -> None:
        """Send the buffered rows."""
        if not self._lines:
            return
        body = "".join(f"{line}\n" for line in self._lines).encode()
        try:
            if self._address.scheme == "tcp":
                self._send_by_tcp(body)
            else:
                self._send_by_http(body)
        except (OSError, urllib.error.URLError) as error:
            reason = getattr(error, "reason", None) or error
            raise TrackingError(f"QuestDB at {self._base_url()} cannot be reached: {reason}") from None
        self._lines.clear()

    def cursor(self) -> dict[str, Any]:
        """Return the table's name."""
        return {"table": self._table}

    def close(self) -> None:
        """Send the buffered rows and close the connection."""
        try:
            self.flush()
        finally:
            if self._socket is not None:
                self._socket.close()
                self._socket = None

    def _base_url(self) -> str:
        port = self._address.port or DEFAULT_PORTS[self._address.scheme]
        return f"{self._address.scheme}://{self._address.hostname}:{port}"

    def _send_by_http(self, body: bytes) -> None:
        request = urllib.request.Request(  # noqa: S310 - the scheme has been checked
            f"{self._base_url()}/write?precision=n", data=body, headers=self._headers(), method="POST"
        )
        try:
            with urllib.request.urlopen(request, timeout=self._timeout) as answer:  # noqa: S310
                answer.read()
        except urllib.error.HTTPError as error:
            text = error.read(500).decode(errors="replace").strip()
            raise TrackingError(
                f"QuestDB at {self._base_url()} refused the rows: {error.code} {text}"
            ) from None

    def _headers(self) -> dict[str, str]:
        headers = {"Content-Type": "text/plain; charset=utf-8"}
        token = os.environ.get("QUESTDB_TOKEN")
        if self._address.username is not None:
            pair = f"{self._address.username}:{self._address.password or ''}"
            headers["Authorization"] = f"Basic {base64.b64encode(pair.encode()).decode()}"
        elif token:
            headers["Authorization"] = f"Bearer {token}"
        return headers

    def _send_by_tcp(self, body: bytes) -> None:
        if self._socket is None:
            host = self._address.hostname or "localhost"
            port = self._address.port or DEFAULT_PORTS["tcp"]
            self._socket = socket.create_connection((host, port), timeout=self._timeout)
        try:
            self._socket.sendall(body)
        except OSError:
            self._socket.close()
            self._socket = None
            raise


def parse_address(address: str) -> SplitResult:
    """Parse an address; an invalid one raises ``TrackingError``."""
    parts = urlsplit(address)
    try:
        port_is_fine = parts.port is None or parts.port > 0
    except ValueError:
        port_is_fine = False
    if parts.scheme not in DEFAULT_PORTS or not parts.hostname or not port_is_fine:
        raise TrackingError(
            f"not an address of QuestDB: {address!r}; expected http://host:9000, https://host:9000 or tcp://host:9009"
        )
    return parts
