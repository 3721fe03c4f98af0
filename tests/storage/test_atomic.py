"""Files and directories appear whole or not at all, and nothing is left behind."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from jimbot.storage.atomic import (
    atomic_directory,
    atomic_file,
    remove_leftovers,
    temporary_sibling,
    write_file_atomically,
    write_files_atomically,
)
from jimbot.storage.processes import ProcessIdentity


class PlannedError(Exception):
    """Raised by the tests themselves."""


def content(path: Path) -> dict[str, str]:
    return {each.name: each.read_text() for each in path.iterdir() if each.is_file()}


@pytest.mark.parametrize(
    ("given", "written"),
    [
        ("grün\n", "grün\n".encode()),
        (b"a\r\nb", b"a\r\nb"),
        ([b"one ", memoryview(b"two"), b""], b"one two"),
        ((bytes([number]) * 3 for number in range(3)), b"\0\0\0\1\1\1\2\2\2"),
    ],
)
def test_text_bytes_and_chunks_are_written_as_they_are(tmp_path, given, written):
    digest = write_file_atomically(tmp_path / "file", given)
    assert (tmp_path / "file").read_bytes() == written
    assert (digest.size, digest.sha256) == (len(written), hashlib.sha256(written).hexdigest())
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_a_stream_that_breaks_off_leaves_the_old_file(tmp_path):
    (tmp_path / "file").write_text("old")

    def chunks():
        yield b"new"
        raise PlannedError

    with pytest.raises(PlannedError):
        write_file_atomically(tmp_path / "file", chunks())
    assert content(tmp_path) == {"file": "old"}


def test_files_that_belong_together_change_together_or_not(tmp_path, monkeypatch):
    write_files_atomically({tmp_path / "a": "1", tmp_path / "b": b"1"})
    assert content(tmp_path) == {"a": "1", "b": "1"}
    real, calls = os.fsync, []

    def full(descriptor):
        calls.append(descriptor)
        if len(calls) == 2:  # that of the second file's bytes, before any name has changed
            raise OSError(28, "No space left on device")
        real(descriptor)

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write_files_atomically({tmp_path / "a": "2", tmp_path / "b": "2"})
    assert content(tmp_path) == {"a": "1", "b": "1"}


def test_a_library_gets_a_path_of_the_same_suffix_beside_the_target(tmp_path):
    target = tmp_path / "picture.png"
    with atomic_file(target) as temporary:
        assert (temporary.parent, temporary.suffix) == (tmp_path, ".png")
        temporary.write_text("new")
        assert not target.exists()
    assert content(tmp_path) == {"picture.png": "new"}


@pytest.mark.parametrize("error", [PlannedError, KeyboardInterrupt])
def test_an_error_in_the_block_removes_what_the_library_wrote(tmp_path, error):
    (tmp_path / "numbers.npz").write_text("old")
    with pytest.raises(error), atomic_file(tmp_path / "numbers.npz") as temporary:  # noqa: PT012
        temporary.write_text("half")
        raise error
    assert content(tmp_path) == {"numbers.npz": "old"}


def test_a_library_that_writes_nothing_is_an_error_and_not_an_empty_file(tmp_path):
    with pytest.raises(FileNotFoundError), atomic_file(tmp_path / "file"):
        pass
    assert content(tmp_path) == {}


def test_a_directory_appears_with_all_in_it_and_replaces_another(tmp_path):
    target = tmp_path / "place"
    for text in ("one", "two"):
        with atomic_directory(target) as temporary:
            (temporary / "below").mkdir()
            (temporary / "below" / text).write_text(text)
            assert not (target / "below" / text).exists()
    assert content(target / "below") == {"two": "two"}  # nothing of the first
    assert [path.name for path in tmp_path.iterdir()] == ["place"]


@pytest.mark.parametrize("existing", [True, False])
def test_a_directory_that_fails_leaves_what_was_there(tmp_path, existing):
    target = tmp_path / "place"
    if existing:
        target.mkdir()
        (target / "file").write_text("old")
    with pytest.raises(PlannedError), atomic_directory(target) as temporary:  # noqa: PT012
        (temporary / "file").write_text("half")
        raise PlannedError
    assert target.exists() == existing
    assert [path.name for path in tmp_path.iterdir()] == ["place"] * existing
    if existing:
        assert content(target) == {"file": "old"}


def test_a_directory_that_cannot_take_its_name_gives_it_back(tmp_path, monkeypatch):
    target = tmp_path / "place"
    target.mkdir()
    (target / "file").write_text("old")
    real, calls = os.rename, []

    def rename(source, destination):
        calls.append(destination)
        if len(calls) == 2:  # the old one is aside by now
            raise OSError(5, "Input/output error")
        real(source, destination)

    monkeypatch.setattr(os, "rename", rename)
    with pytest.raises(OSError, match="Input/output"), atomic_directory(target) as temporary:
        (temporary / "file").write_text("new")
    assert content(target) == {"file": "old"}
    assert [path.name for path in tmp_path.iterdir()] == ["place"]


@pytest.mark.parametrize("name", ["policy.json", "step_000000000009", "a.b.c", "odd.na me", ".hidden"])
def test_leftovers_of_any_name_are_known(tmp_path, name):
    here = ProcessIdentity.current()
    mine = temporary_sibling("writing", tmp_path / name)
    other = mine.name.replace(f".{here.pid}.", ".1.")  # the first process lives, but did not start then
    (tmp_path / name).write_text("kept")
    for leftover in (mine.name, other):
        (tmp_path / leftover).write_text("half")
    remove_leftovers(tmp_path)
    assert content(tmp_path) == {name: "kept"}
