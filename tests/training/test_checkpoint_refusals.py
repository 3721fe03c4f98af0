"""Whatever was changed, cut, moved or planted in a checkpoint is found, and nothing of it is run."""

from __future__ import annotations

import hashlib
import io
import json
import os
import pickle
import random
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jimbot.training.checkpoints import safetensors_file
from jimbot.training.checkpoints.manager import CheckpointError, CheckpointManager
from jimbot.training.checkpoints.manifest import sealed

TREE = {"a": np.arange(10.0), "words": ["x", (1, 2)], "replay": {"obs": np.ones((3, 4), np.uint8)}}


@pytest.fixture
def checkpoint(tmp_path: Path) -> Path:
    """A whole checkpoint."""
    manager = CheckpointManager(tmp_path / "checkpoints")
    path = manager.save(7, TREE, score=1.0, groups=("replay",))
    manager.close()
    return path


def refused(path: Path, reason: str) -> None:
    """Both ways of reading refuse it, in one line that names the checkpoint."""
    manager = CheckpointManager(path.parent)
    for read in (manager.load, manager.verify):
        with pytest.raises(CheckpointError, match=reason) as caught:
            read(path)
        assert str(path) in str(caught.value)
        assert "\n" not in str(caught.value)


def reseal(path: Path, **changes: Any) -> None:
    """Change the manifest as somebody would who knows the format."""
    content = json.loads((path / "manifest.json").read_text())
    content.pop("seal")
    content.update(changes)
    (path / "manifest.json").write_bytes(sealed(content))


def replace_file(path: Path, name: str, data: bytes) -> None:
    """Put other bytes into a file and tell the manifest so."""
    (path / name).write_bytes(data)
    files = json.loads((path / "manifest.json").read_text())["files"]
    files[name] = {**files[name], "size": len(data), "sha256": hashlib.sha256(data).hexdigest()}
    reseal(path, files=files)


def test_every_flipped_bit_is_found(checkpoint):
    manager = CheckpointManager(checkpoint.parent)
    rng = random.Random(5)
    for file in sorted(checkpoint.iterdir()):
        whole = file.read_bytes()
        positions = {0, len(whole) - 1, *(rng.randrange(len(whole)) for _ in range(120))}
        for position in positions:
            changed = bytearray(whole)
            changed[position] ^= 1 << rng.randrange(8)
            file.write_bytes(changed)
            with pytest.raises(CheckpointError):
                manager.verify(checkpoint)
            with pytest.raises(CheckpointError):
                manager.load(checkpoint)
        file.write_bytes(whole)
    assert manager.load(checkpoint).tree["words"] == ["x", (1, 2)]


@pytest.mark.parametrize("name", ["manifest.json", "state.json", "tensors.safetensors", "replay.safetensors"])
def test_every_missing_or_cut_or_grown_file_is_found(checkpoint, name):
    file = checkpoint / name
    whole = file.read_bytes()
    for length in (0, 1, len(whole) // 2, len(whole) - 1):
        file.write_bytes(whole[:length])
        refused(
            checkpoint,
            "not valid JSON|is truncated|is damaged" if name == "manifest.json" else f"{name} is truncated",
        )
    file.write_bytes(whole + b" ")
    refused(checkpoint, "is damaged")
    file.unlink()
    refused(checkpoint, f"{name}")
    file.mkdir()
    refused(checkpoint, f"{name} is not a regular file")


def test_foreign_directories_are_refused(tmp_path):
    refused(tmp_path / "absent", "there is no such directory")
    (tmp_path / "other").mkdir()
    refused(tmp_path / "other", r"it holds no manifest\.json, so it is not a jimbot checkpoint")
    (tmp_path / "other" / "manifest.json").write_text('{"manifest_version": 3}')
    refused(tmp_path / "other", r"manifest\.json does not belong to a jimbot checkpoint")
    (tmp_path / "other" / "manifest.json").write_text("[1]")
    refused(tmp_path / "other", "does not belong to a jimbot checkpoint")


@pytest.mark.parametrize(
    "name", ["../x.json", "/etc/passwd", "a/b.safetensors", "..", "x.pkl", "manifest.json", "X.json"]
)
def test_names_that_lead_out_of_the_directory_are_refused(checkpoint, name):
    files = json.loads((checkpoint / "manifest.json").read_text())["files"]
    secret = checkpoint.parent / "x.json"
    secret.write_text("{}")
    reseal(checkpoint, files={**files, name: {"size": 2, "sha256": hashlib.sha256(b"{}").hexdigest()}})
    refused(checkpoint, "expected a plain name in its directory")


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
@pytest.mark.parametrize("name", ["manifest.json", "state.json", "tensors.safetensors"])
def test_links_are_not_followed(checkpoint, name):
    outside = checkpoint.parent / f"outside-{name}"
    shutil.move(checkpoint / name, outside)
    (checkpoint / name).symlink_to(outside)
    refused(checkpoint, f"{name} is a symbolic link, which is not followed")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes with names")
def test_a_pipe_does_not_hang(checkpoint):
    (checkpoint / "state.json").unlink()
    os.mkfifo(checkpoint / "state.json")
    refused(checkpoint, r"state\.json is not a regular file")


class Bomb:
    """Leaves a file behind when it is unpickled."""

    def __init__(self, target: Path) -> None:
        self.target = target

    def __reduce__(self) -> tuple[Any, ...]:
        return (Path.touch, (self.target,))


@pytest.mark.parametrize("name", ["state.json", "tensors.safetensors"])
@pytest.mark.parametrize("protocol", [0, 4])
def test_a_pickle_is_refused_and_not_run(checkpoint, tmp_path, name, protocol):
    payload = pickle.dumps(Bomb(tmp_path / "exploded"), protocol)
    (checkpoint / name).write_bytes(payload)
    refused(checkpoint, f"{name} is (truncated|damaged)")
    replace_file(checkpoint, name, payload)
    refused(
        checkpoint, r"state\.json is not valid JSON" if name == "state.json" else "not a safetensors file"
    )
    assert not (tmp_path / "exploded").exists()
    pickle.loads(payload)
    assert (tmp_path / "exploded").exists()  # so it would have gone off


def test_an_array_of_objects_is_refused(checkpoint):
    buffer = io.BytesIO()
    np.save(buffer, np.array([{"a": 1}], object), allow_pickle=True)
    replace_file(checkpoint, "tensors.safetensors", buffer.getvalue())
    refused(checkpoint, "not a safetensors file")


def test_an_oversize_header_is_refused(checkpoint):
    replace_file(
        checkpoint,
        "tensors.safetensors",
        (safetensors_file.MAX_HEADER_BYTES + 1).to_bytes(8, "little") + b"{}",
    )
    refused(checkpoint, "its header claims 67108865 bytes")


def test_doubled_keys_are_refused(checkpoint):
    replace_file(checkpoint, "state.json", b'{"a": 1, "a": 2}')
    refused(checkpoint, r"state\.json is not valid JSON: the key 'a' occurs twice")
    text = (checkpoint / "manifest.json").read_text().replace('"step": 7,', '"step": 7,\n "step": 8,')
    (checkpoint / "manifest.json").write_text(text)
    refused(checkpoint, r"manifest\.json is not valid JSON: the key 'step' occurs twice")


def test_arrays_that_the_manifest_does_not_name_are_refused(checkpoint):
    data = b"".join(map(bytes, safetensors_file.tensor_chunks({"a": TREE["a"], "more": np.ones(1)})))
    replace_file(checkpoint, "tensors.safetensors", data)
    refused(checkpoint, r"tensors\.safetensors and manifest\.json disagree about array 'more'")
    files = json.loads((checkpoint / "manifest.json").read_text())["files"]
    files["tensors.safetensors"]["tensors"]["more"] = {"dtype": "F64", "shape": [1]}
    reseal(checkpoint, files=files)
    refused(checkpoint, "array 'more'")


def test_files_of_arrays_that_the_manifest_does_not_name_are_refused(checkpoint):
    (checkpoint / ".DS_Store").write_text("a file manager was here")
    CheckpointManager(checkpoint.parent).verify(checkpoint)
    shutil.copy(checkpoint / "tensors.safetensors", checkpoint / "extra.safetensors")
    refused(checkpoint, r"extra\.safetensors is not named by manifest\.json")


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"files": {}}, r"names no state\.json"),
        ({"files": 5}, "malformed"),
        ({"files": {"state.json": 5}}, "malformed"),
        ({"format_version": 0}, "format version 0"),
        ({"format_version": "1"}, "format version '1'"),
        ({"step": "x"}, "malformed"),
        ({"score": [1]}, "malformed"),
        ({"writer": 3}, "malformed"),
    ],
)
def test_malformed_manifests_are_refused(checkpoint, changes, reason):
    reseal(checkpoint, **changes)
    refused(checkpoint, reason)


def test_a_tree_that_lost_an_array_is_refused(checkpoint):
    replace_file(checkpoint, "state.json", b'{"a": {"$": "array", "name": "a"}}')
    refused(checkpoint, "replay/obs")
