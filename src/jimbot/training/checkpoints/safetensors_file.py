"""The safetensors format, read and written array by array.

A file is eight bytes of length, a JSON header naming type, shape and place of every array, and the arrays' bytes. The
format holds data only: nothing in it can run. This reader and writer never hold more than the arrays themselves and a
chunk, and check everything in a header before they use it; the safetensors library reads and writes the same files.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, cast

import numpy as np

from jimbot.errors import require
from jimbot.storage.strict_json import dump_json, parse_json
from jimbot.training.checkpoints.errors import CheckpointError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

__all__ = [
    "ByteSource",
    "TensorSpec",
    "read_header",
    "read_tensors",
    "specs_of",
    "tensor_chunks",
    "type_name",
]

MAX_HEADER_BYTES = 64 << 20
CHUNK_BYTES = 8 << 20
LENGTH_BYTES = 8
METADATA = "__metadata__"

# Name in the format -> type in NumPy. BF16 is added where ml_dtypes is installed.
NUMPY_TYPES = {
    "BOOL": "|b1",
    "U8": "|u1",
    "I8": "|i1",
    "U16": "<u2",
    "I16": "<i2",
    "F16": "<f2",
    "U32": "<u4",
    "I32": "<i4",
    "F32": "<f4",
    "U64": "<u8",
    "I64": "<i8",
    "F64": "<f8",
}
FORMAT_NAMES = {numpy_name: name for name, numpy_name in NUMPY_TYPES.items()}


class ByteSource(Protocol):
    """Where a file's bytes come from, in order."""

    def read(self, count: int) -> bytes:
        """Exactly that many bytes, or an error."""
        ...

    def read_into(self, view: memoryview) -> None:
        """Fill the view, or an error."""
        ...


@dataclass(frozen=True)
class TensorSpec:
    """Type (the format's name for it) and shape of one array."""

    dtype: str
    shape: tuple[int, ...]

    @property
    def size(self) -> int:
        """In bytes."""
        return math.prod(self.shape) * numpy_type(self.dtype).itemsize

    def to_plain(self) -> dict[str, Any]:
        """As plain data, for JSON."""
        return {"dtype": self.dtype, "shape": list(self.shape)}


def type_name(dtype: np.dtype[Any]) -> str | None:
    """The format's name of a NumPy type; None when the format has none for it."""
    return "BF16" if dtype.name == "bfloat16" else FORMAT_NAMES.get(dtype.str)


def numpy_type(name: str) -> np.dtype[Any]:
    """The NumPy type behind the format's name."""
    if name == "BF16":
        return np.dtype(require("ml_dtypes", "jax").bfloat16)
    try:
        return np.dtype(NUMPY_TYPES[name])
    except KeyError:
        raise CheckpointError(
            f"unknown type {name!r} of an array; expected {', '.join(NUMPY_TYPES)}, BF16"
        ) from None


def specs_of(arrays: Mapping[str, NDArray[Any]]) -> dict[str, TensorSpec]:
    """Type and shape of arrays whose types the format has, in the order of the file: widest type first.

    So every array starts at a multiple of its element size, and others may map the file into memory.
    """
    specs: dict[str, TensorSpec] = {}
    for name, array in sorted(arrays.items(), key=lambda item: -item[1].dtype.itemsize):
        dtype = type_name(array.dtype)
        if dtype is None:
            raise CheckpointError(f"safetensors cannot hold arrays of type {array.dtype} ({name})")
        specs[name] = TensorSpec(dtype, array.shape)
    return specs


def tensor_chunks(arrays: Mapping[str, NDArray[Any]]) -> Iterator[bytes | memoryview]:
    """The bytes of a file holding these arrays, in chunks."""
    specs = specs_of(arrays)
    header: dict[str, Any] = {}
    offset = 0
    for name, spec in specs.items():
        end = offset + spec.size
        header[name] = {**spec.to_plain(), "data_offsets": [offset, end]}
        offset = end
    text = dump_json(header, compact=True).encode("ascii")
    text += b" " * (-len(text) % 8)
    if len(text) > MAX_HEADER_BYTES:
        raise CheckpointError(f"too many arrays for one file: their names and shapes take {len(text)} bytes")
    yield len(text).to_bytes(LENGTH_BYTES, "little") + text
    for name in specs:
        yield from array_chunks(arrays[name])


def array_chunks(array: NDArray[Any]) -> Iterator[memoryview]:
    """The elements' bytes in C order; a contiguous array is not copied, another one part by part."""
    if array.size == 0:
        return
    if array.flags.c_contiguous:
        data = byte_view(array)
        for start in range(0, len(data), CHUNK_BYTES):
            yield data[start : start + CHUNK_BYTES]
    elif array.nbytes <= CHUNK_BYTES:
        yield from array_chunks(np.ascontiguousarray(array))
    else:
        rows = max(1, CHUNK_BYTES // (array.nbytes // array.shape[0]))
        for start in range(0, array.shape[0], rows):
            part = array[start : start + rows]
            # One row may be larger than a chunk: then its own rows are taken.
            yield from array_chunks(part if part.nbytes <= CHUNK_BYTES else part[0])


def byte_view(array: NDArray[Any]) -> memoryview:
    """The memory of a contiguous array that is not empty, as bytes."""
    flat: Any = array.reshape(-1).view(
        np.uint8
    )  # any: before Python 3.12 no stub says that arrays are buffers
    return memoryview(flat)


def read_header(source: ByteSource, file_size: int) -> dict[str, TensorSpec]:
    """The arrays a file holds, in order; everything the header says is checked against the file's size."""
    if file_size < LENGTH_BYTES:
        raise CheckpointError(f"not a safetensors file: {file_size} bytes are too few")
    length = int.from_bytes(source.read(LENGTH_BYTES), "little")
    if length > min(MAX_HEADER_BYTES, file_size - LENGTH_BYTES):
        raise CheckpointError(f"not a safetensors file: its header claims {length} bytes")
    header = parse_json(source.read(length), "the header of a safetensors file", error=CheckpointError)
    if not isinstance(header, dict):
        raise CheckpointError("not a safetensors file: its header is not an object")
    entries = cast("dict[str, Any]", header)
    entries.pop(METADATA, None)
    located = sorted(((*spec_of_entry(name, entry), name) for name, entry in entries.items()), key=place)
    position = 0
    for spec, start, end, name in located:
        if start != position or end - start != spec.size:
            raise CheckpointError(f"array {name!r} does not lie where its header says")
        position = end
    if position != file_size - LENGTH_BYTES - length:
        raise CheckpointError(
            f"the arrays take {position} bytes of {file_size - LENGTH_BYTES - length} in the file"
        )
    return {name: spec for spec, _, _, name in located}


def place(located: tuple[TensorSpec, int, int, str]) -> tuple[int, int]:
    """Empty arrays stand before the one that starts where they do."""
    return located[1], located[2]


def spec_of_entry(name: str, entry: Any) -> tuple[TensorSpec, int, int]:
    """Type and shape, start and end of one array, from its entry in the header."""
    try:
        fields = {**entry}
        dtype, shape, (start, end) = fields.pop("dtype"), fields.pop("shape"), fields.pop("data_offsets")
    except (KeyError, TypeError, ValueError):
        raise CheckpointError(f"the header does not say what array {name!r} is") from None
    numbers: list[Any] = [*shape, start, end] if isinstance(shape, list) else [None]
    if fields or any(type(number) is not int or not 0 <= number < 1 << 63 for number in numbers):
        raise CheckpointError(f"the header does not say what array {name!r} is")
    if not isinstance(dtype, str):
        raise CheckpointError(f"the header does not say what array {name!r} is")
    return TensorSpec(dtype, tuple(cast("list[int]", shape))), start, end


def read_tensors(source: ByteSource, specs: Mapping[str, TensorSpec]) -> dict[str, NDArray[Any]]:
    """The arrays behind a header that ``read_header`` gave; each owns its memory and can be written to."""
    arrays: dict[str, NDArray[Any]] = {}
    for name, spec in specs.items():
        try:
            array = np.empty(spec.shape, numpy_type(spec.dtype))
        except (ValueError, MemoryError) as error:
            raise CheckpointError(
                f"array {name!r} of shape {list(spec.shape)} cannot be made: {error}"
            ) from error
        if array.size:
            source.read_into(byte_view(array))
        arrays[name] = array
    return arrays
