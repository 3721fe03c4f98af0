"""One nested Python structure as JSON and arrays, and back, exactly.

``encode`` splits a tree into plain JSON and named arrays; ``decode`` joins them again. What JSON cannot say is an
object with the key ``$``, which names its kind:

    tuple   items            dict    items: pairs, for keys that are no strings
    bytes   base64           int     hex: beyond 64 bits
    float   bits: nan, inf   scalar  a NumPy scalar: dtype, base64; text and raw: its strings
    array   name: of the array, written elsewhere; dtype: where it differs from the one written

Anything that would not come back as it was is refused, with its place in the tree. Nothing is ever executed: every kind
is in the table below, and there is no other.
"""

from __future__ import annotations

import base64
import binascii
import re
import struct
import sys
from typing import TYPE_CHECKING, Any, cast

import numpy as np

from jimbot.errors import require
from jimbot.training.checkpoints.errors import CheckpointError
from jimbot.training.checkpoints.safetensors_file import type_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

__all__ = ["decode", "encode", "referenced_arrays"]

MAX_DEPTH = 100
KIND = "$"
LARGEST_PLAIN_INT = 2**63 - 1
# Types without a name in safetensors travel as bytes: complex, durations, dates, fixed strings; and other byte orders.
NUMPY_TYPE = re.compile(r"[<>|][biufcmMSU]\d{1,9}(\[\d*[a-zA-Zμ]+\])?")


def encode(tree: Any) -> tuple[Any, dict[str, NDArray[Any]]]:
    """Split a tree into JSON data and arrays.

    Args:
        tree: dictionaries, lists and tuples of None, bool, int, float, str, bytes, NumPy scalars and arrays, torch
            tensors and JAX arrays, to a depth of 100. Dictionary keys may be any of these without arrays.

    Returns:
        what goes into a JSON file, and the arrays by name. A name is the path to the array: ``policy/weights/0``.
        Arrays are not copied where they can be written as they are; tensors become NumPy arrays and come back so.
    """
    encoder = Encoder()
    return encoder.value(tree, ()), encoder.arrays


def decode(json_tree: Any, arrays: Mapping[str, NDArray[Any]]) -> Any:
    """The tree that ``encode`` split. Every array must be used exactly once."""
    decoder = Decoder(dict(arrays))
    tree = decoder.value(json_tree, 0)
    if decoder.arrays:
        raise CheckpointError(f"array {next(iter(decoder.arrays))!r} is not part of the state")
    return tree


def referenced_arrays(json_tree: Any) -> set[str]:
    """The names of the arrays a JSON tree needs; the tree itself is checked on the way."""
    collector = NameCollector({})
    collector.value(json_tree, 0)
    return collector.names


class Encoder:
    """Walks a tree, collecting its arrays."""

    def __init__(self) -> None:
        self.arrays: dict[str, NDArray[Any]] = {}

    def value(self, value: Any, path: tuple[str, ...]) -> Any:
        """The JSON form of any value of the tree."""
        if len(path) > MAX_DEPTH:
            raise CheckpointError(
                f"the tree is deeper than {MAX_DEPTH} levels, or holds itself: {place_of(path)}"
            )
        kind = cast("type[Any]", type(value))
        if value is None or kind is bool or kind is str:
            return value
        if kind is int:
            return value if abs(value) <= LARGEST_PLAIN_INT else {KIND: "int", "hex": hex(value)}
        if kind is float:
            return value if np.isfinite(value) else {KIND: "float", "bits": struct.pack(">d", value).hex()}
        if kind is bytes:
            return {KIND: "bytes", "base64": base64.b64encode(value).decode("ascii")}
        if isinstance(value, list):
            items = cast("list[Any]", value)
            return [self.value(item, (*path, str(index))) for index, item in enumerate(items)]
        if kind is tuple:
            items = [self.value(item, (*path, str(index))) for index, item in enumerate(value)]
            return {KIND: "tuple", "items": items}
        if isinstance(value, dict):  # torch's state dictionaries are subclasses that add nothing to keep
            return self.dictionary(cast("dict[Any, Any]", value), path)
        if isinstance(value, np.generic):
            return self.scalar(cast("np.generic[Any]", value), path)
        return self.array(array_of(value, path), path)

    def dictionary(self, value: dict[Any, Any], path: tuple[str, ...]) -> Any:
        """A JSON object if all keys are strings, else pairs."""
        if all(type(key) is str for key in value) and KIND not in value:
            return {key: self.value(item, (*path, escaped(key))) for key, item in value.items()}
        pairs: list[list[Any]] = []
        for index, (key, item) in enumerate(value.items()):
            keys = Encoder()
            encoded_key = keys.value(key, (*path, f"~k{index}"))
            if keys.arrays or isinstance(key, list | dict):
                raise CheckpointError(
                    f"a key of {place_of(path)} is an array; expected a number, a string or a tuple"
                )
            pairs.append([encoded_key, self.value(item, (*path, key_segment(key, index)))])
        return {KIND: "dict", "items": pairs}

    def scalar(self, value: np.generic[Any], path: tuple[str, ...]) -> Any:
        """A NumPy scalar, with its type."""
        if isinstance(value, np.str_):
            return {KIND: "text", "value": str(value)}
        if isinstance(value, np.bytes_):
            return {KIND: "raw", "base64": base64.b64encode(bytes(value)).decode("ascii")}
        if type_name(value.dtype) == "BF16":
            return self.array(np.asarray(value), path, scalar=True)
        checked_type(value.dtype, path)
        return {
            KIND: "scalar",
            "dtype": value.dtype.str,
            "base64": base64.b64encode(value.tobytes()).decode("ascii"),
        }

    def array(self, array: NDArray[Any], path: tuple[str, ...], *, scalar: bool = False) -> Any:
        """Set an array aside under its path."""
        node: dict[str, Any] = {KIND: "array", "name": "/".join(path) or "~"}
        if type_name(array.dtype) is None:
            checked_type(array.dtype, path)
            node["dtype"] = array.dtype.str
            array = bytes_of(array)
        if scalar:
            node["scalar"] = True
        self.arrays[node["name"]] = array
        return node


def array_of(value: Any, path: tuple[str, ...]) -> NDArray[Any]:
    """A NumPy array, from one or from a tensor of torch or JAX, without importing either."""
    if isinstance(value, np.ma.MaskedArray):
        raise CheckpointError(f"{place_of(path)} is a masked array; save its data and its mask as two arrays")
    if isinstance(value, np.ndarray):
        return cast("NDArray[Any]", value)
    try:
        if all(hasattr(value, name) for name in ("detach", "cpu", "numpy")):
            return torch_array(value)
        if all(hasattr(value, name) for name in ("__array__", "dtype", "shape")):
            return np.asarray(value)
    except (TypeError, ValueError, RuntimeError) as error:
        raise CheckpointError(f"{place_of(path)} cannot become a NumPy array: {error}") from error
    kind = f"{type(value).__module__}.{type(value).__qualname__}"
    raise CheckpointError(
        f"{place_of(path)} is a {kind}, which would not come back as it is; turn it into dictionaries, lists, "
        "tuples, numbers, strings, bytes and arrays"
    )


def torch_array(tensor: Any) -> NDArray[Any]:
    """A torch tensor's numbers. NumPy knows bfloat16 only through ml_dtypes, and torch does not hand it over."""
    tensor = tensor.detach().cpu()
    if str(tensor.dtype) != "torch.bfloat16":
        return tensor.numpy()
    return tensor.view(sys.modules["torch"].int16).numpy().view(require("ml_dtypes", "jax").bfloat16)


def checked_type(dtype: np.dtype[Any], path: tuple[str, ...]) -> None:
    """Refuse types that have no fixed meaning outside this process or this machine."""
    long_double = dtype.kind in "fc" and dtype.str[1:] not in ("f2", "f4", "f8", "c8", "c16")
    if long_double or dtype.itemsize == 0 or not NUMPY_TYPE.fullmatch(dtype.str):
        raise CheckpointError(
            f"{place_of(path)} has the type {dtype}, which cannot be saved; use numbers, bool, fixed strings or dates"
        )


def bytes_of(array: NDArray[Any]) -> NDArray[Any]:
    """uint8[*shape, itemsize]: an array's elements as bytes."""
    shape = (*array.shape, array.dtype.itemsize)
    return (
        np.frombuffer(array.tobytes(), np.uint8).reshape(shape) if array.size else np.empty(shape, np.uint8)
    )


def escaped(key: str) -> str:
    """A string key as one segment of a path; different keys stay different, and none looks like another segment."""
    if key in ("", "__metadata__"):
        return "~e" if not key else "~m"
    return key.replace("~", "~0").replace("/", "~1")


def key_segment(key: Any, index: int) -> str:
    """Any key as one segment of a path."""
    if type(key) is str:
        return escaped(key)
    return f"~i{key}" if type(key) is int and abs(key) <= LARGEST_PLAIN_INT else f"~k{index}"


def place_of(path: tuple[str, ...]) -> str:
    """How an error names a place in the tree."""
    return f"'{'/'.join(path[:8])}{'/…' if len(path) > 8 else ''}'" if path else "the tree itself"


class Decoder:
    """Walks JSON data, giving arrays back their places."""

    def __init__(self, arrays: dict[str, NDArray[Any]]) -> None:
        self.arrays = arrays

    def value(self, node: Any, depth: int) -> Any:
        """The value behind any JSON node."""
        if depth > MAX_DEPTH:
            raise CheckpointError(f"the state is nested deeper than {MAX_DEPTH} levels")
        if isinstance(node, list):
            return [self.value(item, depth + 1) for item in cast("list[Any]", node)]
        if not isinstance(node, dict):
            return node
        fields = cast("dict[str, Any]", node)
        if KIND not in fields:
            return {key: self.value(item, depth + 1) for key, item in fields.items()}
        try:
            return self.special(fields, depth)
        except (KeyError, TypeError, ValueError, struct.error, binascii.Error, AttributeError) as error:
            raise CheckpointError(f"the state holds a malformed {fields[KIND]!r}: {error}") from error

    def special(self, fields: dict[str, Any], depth: int) -> Any:
        """The value behind a node with the key ``$``."""
        match fields[KIND]:
            case "tuple":
                return tuple(self.value(item, depth + 1) for item in fields["items"])
            case "dict":
                return {self.value(k, depth + 1): self.value(v, depth + 1) for k, v in fields["items"]}
            case "bytes":
                return base64.b64decode(fields["base64"], validate=True)
            case "int":
                return int(fields["hex"], 16)
            case "float":
                return struct.unpack(">d", bytes.fromhex(fields["bits"]))[0]
            case "text":
                return np.str_(fields["value"])
            case "raw":
                return np.bytes_(base64.b64decode(fields["base64"], validate=True))
            case "scalar":
                data = base64.b64decode(fields["base64"], validate=True)
                return np.frombuffer(data, numpy_type(fields["dtype"]), count=1)[0]
            case "array":
                return self.array(fields)
            case other:
                raise CheckpointError(f"the state holds {other!r}, which this version does not know")

    def array(self, fields: dict[str, Any]) -> Any:
        """The array of a node, in its own type again."""
        array = self.take(fields["name"])
        if "dtype" in fields:
            dtype, shape = numpy_type(fields["dtype"]), array.shape[:-1]
            if array.dtype != np.uint8 or array.shape[-1:] != (dtype.itemsize,):
                raise CheckpointError(f"array {fields['name']!r} does not hold the bytes of {dtype}")
            array = array.reshape(-1).view(dtype).reshape(shape) if array.size else np.empty(shape, dtype)
        return array[()] if fields.get("scalar") else array

    def take(self, name: str) -> NDArray[Any]:
        """The array of that name, which then is used up."""
        try:
            return self.arrays.pop(name)
        except KeyError:
            raise CheckpointError(f"array {name!r} is missing, or is used twice") from None


class NameCollector(Decoder):
    """Decodes everything but the arrays, whose names it notes."""

    def __init__(self, arrays: dict[str, NDArray[Any]]) -> None:
        super().__init__(arrays)
        self.names: set[str] = set()

    def array(self, fields: dict[str, Any]) -> Any:
        """Note the name."""
        if fields["name"] in self.names:
            raise CheckpointError(f"array {fields['name']!r} is used twice")
        self.names.add(fields["name"])


def numpy_type(text: str) -> np.dtype[Any]:
    """The NumPy type of that exact name; only the simple ones above."""
    if not NUMPY_TYPE.fullmatch(text):
        raise CheckpointError(f"the state holds an array of the unknown type {text!r}")
    return np.dtype(text)
