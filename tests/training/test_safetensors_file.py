"""The safetensors format: the same files as the safetensors library, and every bad header refused."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from jimbot.training.checkpoints import safetensors_file
from jimbot.training.checkpoints.manager import CheckpointError
from jimbot.training.checkpoints.safetensors_file import read_header, read_tensors, tensor_chunks


class Memory:
    """A file in memory."""

    def __init__(self, data: bytes) -> None:
        self.data, self.position = data, 0

    def read(self, count: int) -> bytes:
        """The next bytes."""
        self.position += count
        return self.data[self.position - count : self.position]

    def read_into(self, view: memoryview) -> None:
        """Fill the view."""
        view[:] = self.read(len(view))


def read(data: bytes) -> dict[str, Any]:
    source = Memory(data)
    return read_tensors(source, read_header(source, len(data)))


def write(arrays: dict[str, Any]) -> bytes:
    return b"".join(bytes(chunk) for chunk in tensor_chunks(arrays))


NATIVE = st.sampled_from([np.dtype(name) for name in safetensors_file.NUMPY_TYPES.values()])
ARRAYS = hnp.arrays(NATIVE, hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=5))


@given(st.dictionaries(st.text(max_size=6).filter(lambda name: name != "__metadata__"), ARRAYS, max_size=5))
@settings(max_examples=80, deadline=None)
def test_the_library_and_this_module_read_each_other(arrays):
    library = pytest.importorskip("safetensors.numpy")
    written = write(arrays)
    for loaded in (read(written), library.load(written), read(library.save(arrays))):
        assert loaded.keys() == arrays.keys()
        for name, array in arrays.items():
            assert (loaded[name].dtype, loaded[name].shape) == (array.dtype, array.shape)
            assert loaded[name].tobytes() == array.tobytes()


@pytest.mark.parametrize(
    "array",
    [
        np.arange(60, dtype=np.int32).reshape(3, 4, 5).transpose(2, 0, 1),
        np.asfortranarray(np.arange(20.0).reshape(4, 5)),
        np.arange(100, dtype=np.int16)[::-3],
        np.broadcast_to(np.arange(4, dtype=np.uint8), (10, 4)),
        np.arange(64, dtype=np.float32).reshape(2, 2, 16)[:, :, ::2],
    ],
    ids=["transposed", "fortran", "reversed", "broadcast", "rows larger than a chunk"],
)
def test_arrays_that_do_not_lie_in_one_piece_are_written_in_order(array, monkeypatch):
    monkeypatch.setattr(safetensors_file, "CHUNK_BYTES", 24)
    chunks = list(tensor_chunks({"a": array}))
    assert len(chunks) > 2
    assert all(len(chunk) <= 24 for chunk in chunks[1:])
    assert np.array_equal(read(write({"a": array}))["a"], array)


def test_arrays_are_aligned_and_can_be_written_to():
    written = write({"a": np.ones(3, np.uint8), "b": np.ones(2, np.float64), "c": np.ones(1, np.int16)})
    header = json.loads(written[8 : 8 + int.from_bytes(written[:8], "little")])
    starts = {name: entry["data_offsets"][0] for name, entry in header.items()}
    assert starts == {"b": 0, "c": 16, "a": 18}
    loaded = read(written)
    loaded["a"][0] = 9
    assert loaded["a"].tolist() == [9, 1, 1]


def test_a_type_without_a_name_is_refused():
    with pytest.raises(CheckpointError, match="complex128"):
        write({"a": np.zeros(1, complex)})


def forged(header: Any, data: bytes = b"", length: int | None = None) -> bytes:
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return (len(text) if length is None else length).to_bytes(8, "little") + text + data


def entry(dtype: Any = "U8", shape: Any = (4,), offsets: Any = (0, 4)) -> dict[str, Any]:
    return {"dtype": dtype, "shape": list(shape), "data_offsets": list(offsets)}


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "too few"),
        (b"1234567", "too few"),
        (forged({}, length=100_000_000), "header claims 100000000 bytes"),
        (forged({}, length=2**63), "header claims"),
        (forged(b"[]"), "not an object"),
        (forged(b"{"), "not valid JSON"),
        (forged(b'{"a": 1, "a": 2}'), "occurs twice"),
        (forged({"a": 5}), "does not say what array 'a' is"),
        (forged({"a": {"dtype": "U8"}}), "does not say what array 'a' is"),
        (forged({"a": {**entry(), "more": 1}}, b"1234"), "does not say what array 'a' is"),
        (forged({"a": entry(dtype="O")}, b"1234"), "unknown type 'O'"),
        (forged({"a": entry(dtype=["U8"])}, b"1234"), "does not say what array 'a' is"),
        (forged({"a": entry(shape=[-4])}, b"1234"), "does not say what array 'a' is"),
        (forged({"a": entry(shape=[4.0])}, b"1234"), "does not say what array 'a' is"),
        (forged({"a": entry(shape=[True] * 4)}, b"1234"), "does not say what array 'a' is"),
        (forged({"a": entry(shape=[5])}, b"1234"), "does not lie where"),
        (forged({"a": entry(shape=[2**62, 2**62])}, b"1234"), "does not lie where"),
        (forged({"a": entry(offsets=[1, 5])}, b"12345"), "does not lie where"),
        (forged({"a": entry(), "b": entry(offsets=[2, 6])}, b"123456"), "does not lie where"),
        (forged({"a": entry()}, b"12345"), "4 bytes of 5"),
        (forged({"a": entry()}, b"123"), "4 bytes of 3"),
        (forged({"a": entry(shape=[0] + [2] * 100, offsets=[0, 0])}), "cannot be made"),
    ],
)
def test_bad_files_are_refused(data, reason):
    with pytest.raises(CheckpointError, match=reason):
        read(data)
