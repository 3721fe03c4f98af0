"""Line protocol: what is written, over HTTP and TCP, and what happens when nobody answers."""

from __future__ import annotations

import math
import re
import socket
import threading
from pathlib import Path

import pytest
from tests.tracking.helpers import log_steps, metrics, run_in

from jimbot.tracking import Event, RunInfo, TrackerWarning, TrackingError, create_tracker, create_trackers
from jimbot.tracking.line_protocol import ColumnNames, format_line
from jimbot.tracking.questdb_tracker import QuestdbTracker


def line(event: Event, name: str = "a run") -> str:
    return format_line(event, RunInfo(name, Path("nowhere"), run_id="id"), "events", ColumnNames())


def test_line_of_an_event():
    event = Event(
        "metrics",
        10,
        {
            "train/loss": 0.5,
            "count": 3,
            "won": True,
            "note": 'say "hi"',
            "none": None,
            "odd": math.nan,
            "step": 4,
        },
        1_700_000_000.25,
        7,
    )
    assert line(event) == (
        "events,run=a\\ run,run_id=id,kind=metrics step=10i,sequence=7i,train_loss=0.5,count=3.0,won=t,"
        'note="say \\"hi\\"",value_step=4.0 1700000000250000000'
    )


def test_signs_with_a_meaning_are_escaped():
    assert line(Event("text", 0, {}, 0.0, 0), "a,b=c\\d\ne").startswith(
        "events,run=a\\,b\\=c\\\\d\\ e,run_id=id,"
    )


def test_two_names_do_not_share_a_column():
    names = ColumnNames()
    assert names.column("a/b") == "a_b"
    assert names.column("a/b") == "a_b"
    with pytest.raises(TrackingError, match=r"the values 'a/b' and 'a\.b' would share the column 'a_b'"):
        names.column("a.b")


def test_rows_arrive_over_http(tmp_path, line_server):
    options = {"questdb": {"address": line_server.address, "table": "runs"}}
    with create_trackers(["questdb"], run_in(tmp_path), options).start() as trackers:
        log_steps(trackers, 1, 10)
    sequences = [int(re.findall(r"sequence=(\d+)i", text)[0]) for text in line_server.lines]
    assert sequences == list(range(14))
    assert line_server.lines[1].startswith(
        f"runs,run=a\\ run,run_id={trackers.run.run_id},kind=metrics step=1i"
    )
    assert line_server.lines[1].endswith(",loss=0.5,entropy=0.5 1700000001000000000")


def test_password_goes_into_the_header_and_not_into_the_record(tmp_path, line_server):
    address = line_server.address.replace("//", "//user:secret@")
    with create_trackers(["questdb"], run_in(tmp_path), {"questdb": {"address": address}}).start():
        pass
    assert line_server.headers[0]["Authorization"] == "Basic dXNlcjpzZWNyZXQ="
    (record,) = (tmp_path / "delivered").iterdir()
    assert "secret" not in record.read_text()


def test_token_comes_from_the_environment(tmp_path, line_server, monkeypatch):
    monkeypatch.setenv("QUESTDB_ADDRESS", line_server.address)
    monkeypatch.setenv("QUESTDB_TOKEN", "abc")
    with create_trackers(["questdb"], run_in(tmp_path)).start():
        pass
    assert line_server.headers[0]["Authorization"] == "Bearer abc"


def test_rows_arrive_over_tcp(tmp_path):
    received: list[bytes] = []

    def serve() -> None:
        connection, _ = server.accept()
        with connection:
            while block := connection.recv(65536):
                received.append(block)

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=serve)
        thread.start()
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        with create_trackers(
            ["questdb"], run_in(tmp_path), {"questdb": {"address": address}}
        ).start() as trackers:
            log_steps(trackers, 1, 4)
        thread.join()
    lines = b"".join(received).decode().splitlines()
    assert len(lines) == 6
    assert "kind=run_ended" in lines[-1]


def test_nobody_listens(tmp_path, closed_port):
    options = {"questdb": {"address": f"http://127.0.0.1:{closed_port}"}}
    trackers = create_trackers(["questdb"], run_in(tmp_path), options).start()
    expected = "questdb is switched off: .* cannot be reached: .*refused"
    with pytest.warns(TrackerWarning, match=expected) as caught:  # noqa: PT031 - the thread may fail at any of these
        log_steps(trackers, 1, 3)
        trackers.end()
    assert len(caught) == 1


def test_refused_rows_tell_why(tmp_path, line_server):
    line_server.answer = 400
    tracker = QuestdbTracker(line_server.address)
    tracker.start(run_in(tmp_path))
    tracker.log(metrics(1, loss=1.0))
    with pytest.raises(TrackingError, match="refused the rows: 400 no such column"):
        tracker.flush()
    line_server.answer = 204
    tracker.close()
    assert len(line_server.lines) == 1  # what was refused is sent again, once


@pytest.mark.parametrize("address", ["localhost:9000", "ftp://host", "http://", "http://host:port"])
def test_odd_addresses_are_refused(address):
    with pytest.raises(TrackingError, match="not an address of QuestDB"):
        create_tracker("questdb", {"address": address})


def test_odd_table_is_refused():
    with pytest.raises(TrackingError, match="a table's name must be one word"):
        create_tracker("questdb", {"table": "a b"})
