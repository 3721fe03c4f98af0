"""Trees that are taken apart and put together again are the same to the bit; what would not be is refused."""

from __future__ import annotations

import collections
import enum
import json
import math
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from jimbot.storage.errors import StorageError
from jimbot.storage.strict_json import parse_json
from jimbot.training.checkpoints.codec import MAX_DEPTH, decode, encode, referenced_arrays
from jimbot.training.checkpoints.manager import CheckpointError, CheckpointManager

DTYPES = st.one_of(
    hnp.boolean_dtypes(),
    hnp.integer_dtypes(endianness="?"),
    hnp.unsigned_integer_dtypes(endianness="?"),
    hnp.floating_dtypes(endianness="?", sizes=(16, 32, 64)),
    hnp.complex_number_dtypes(sizes=(64, 128)),
    hnp.datetime64_dtypes(),
    hnp.timedelta64_dtypes(),
    hnp.byte_string_dtypes(min_len=1),
    hnp.unicode_string_dtypes(min_len=1),
)
ARRAYS = hnp.arrays(DTYPES, hnp.array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4))
NUMPY_SCALARS = st.one_of(
    hnp.from_dtype(np.dtype(np.float32)),
    hnp.from_dtype(np.dtype(np.float64)),
    hnp.from_dtype(np.dtype(np.int64)),
    hnp.from_dtype(np.dtype(np.uint8)),
    hnp.from_dtype(np.dtype(bool)),
    st.text(max_size=3).map(np.str_),
    st.binary(max_size=3).map(np.bytes_),
)
PLAIN = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(), st.binary())
HUGE = st.integers(min_value=-(2**20_000), max_value=2**20_000)
KEYS = st.one_of(
    st.sampled_from(["", "$", "~", "/", "a/b", "~0", "~i0", "__metadata__", "\ud800"]),
    st.text(max_size=4),
    st.integers(),
    st.none(),
    st.binary(max_size=2),
    st.tuples(st.integers(), st.text(max_size=2)),
)


def containers(children: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.one_of(
        st.lists(children, max_size=4),
        st.lists(children, max_size=3).map(tuple),
        st.dictionaries(st.text(max_size=5), children, max_size=4),
        st.dictionaries(KEYS, children, max_size=4),
    )


TREES = st.recursive(st.one_of(PLAIN, HUGE, ARRAYS, NUMPY_SCALARS), containers, max_leaves=12)


def assert_same(left: Any, right: Any) -> None:
    """The same types, order and bits."""
    assert type(left) is type(right)
    if isinstance(left, np.ndarray):
        assert (left.dtype, left.shape) == (right.dtype, right.shape)
        assert left.tobytes() == right.tobytes()
    elif isinstance(left, np.generic):
        assert left.dtype == right.dtype
        assert left.tobytes() == right.tobytes()
    elif isinstance(left, dict):
        assert list(left) == list(right)
        assert [type(key) for key in left] == [type(key) for key in right]
        for key in left:
            assert_same(left[key], right[key])
    elif isinstance(left, list | tuple):
        assert len(left) == len(right)
        for one, other in zip(left, right, strict=True):
            assert_same(one, other)
    elif isinstance(left, float):
        assert struct.pack("<d", left) == struct.pack("<d", right)
    else:
        assert left == right


@given(TREES)
@settings(max_examples=150, deadline=None)
def test_any_tree_comes_back_through_json(tree):
    json_tree, arrays = encode(tree)
    text = json.dumps(json_tree, allow_nan=False).encode()
    read = parse_json(text, "it")
    assert referenced_arrays(read) == set(arrays)
    assert_same(decode(read, arrays), tree)


@given(TREES)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_tree_comes_back_from_disk(tmp_path, tree):
    manager = CheckpointManager(tmp_path, keep_last=1)
    assert_same(manager.load(manager.save(0, tree)).tree, tree)
    manager.close()


@pytest.mark.parametrize("value", [math.nan, -math.nan, math.inf, -math.inf, -0.0, 5e-324, 0.1, 1e308])
def test_floats_are_exact(value):
    assert_same(decode(json.loads(json.dumps(encode(value)[0], allow_nan=False)), {}), value)


def test_names_are_paths():
    tree = {
        "policy": {"a/b": np.zeros(1), "layers": [np.zeros(2), {"w": np.zeros(3)}]},
        "optimizer": {0: np.zeros(4)},
    }
    json_tree, arrays = encode(tree)
    assert {name: array.size for name, array in arrays.items()} == {
        "policy/a~1b": 1,
        "policy/layers/0": 2,
        "policy/layers/1/w": 3,
        "optimizer/~i0": 4,
    }
    assert json_tree["policy"]["layers"][0] == {"$": "array", "name": "policy/layers/0"}


def test_a_plain_array_is_not_copied():
    array = np.zeros(3)
    assert encode({"a": array})[1]["a"] is array


def test_ordered_and_default_dictionaries_come_back_as_dictionaries():
    tree = {"a": collections.OrderedDict(x=1), "b": collections.defaultdict(int, {2: 3})}
    assert_same(decode(*encode(tree)), {"a": {"x": 1}, "b": {2: 3}})


def test_torch_tensors_come_back_as_numpy_arrays():
    torch = pytest.importorskip("torch")
    tree = {
        "grad": torch.arange(3.0, requires_grad=True),
        "half": torch.ones(2, dtype=torch.float16),
        "scalar": torch.tensor(5),
        "strided": torch.arange(6).reshape(2, 3).T,
    }
    expected = {
        "grad": np.arange(3, dtype=np.float32),
        "half": np.ones(2, np.float16),
        "scalar": np.array(5),
        "strided": np.arange(6).reshape(2, 3).T.copy(),
    }
    assert_same(decode(*encode(tree)), expected)


def test_bfloat16_of_torch_and_jax_comes_back():
    torch, ml_dtypes = pytest.importorskip("torch"), pytest.importorskip("ml_dtypes")
    decoded = decode(*encode([torch.tensor([1.5, -2.0], dtype=torch.bfloat16)]))
    assert_same(decoded, [np.array([1.5, -2.0], ml_dtypes.bfloat16)])


def test_jax_arrays_come_back_as_numpy_arrays():
    jax_numpy = pytest.importorskip("jax.numpy")
    assert_same(decode(*encode({"a": jax_numpy.arange(3)})), {"a": np.arange(3, dtype=np.int32)})


class Color(enum.IntEnum):
    """A number with a name."""

    RED = 1


Point = collections.namedtuple("Point", "x y")
HOLDS_ITSELF: list[Any] = []
HOLDS_ITSELF.append(HOLDS_ITSELF)


@pytest.mark.parametrize(
    ("value", "named"),
    [
        (Path("x"), "PosixPath|WindowsPath"),
        ({1, 2}, "builtins.set"),
        (Color.RED, "Color"),
        (Point(1, 2), "Point"),
        (object(), "builtins.object"),
        (np.array([object()]), "the type object"),
        (np.zeros(2, [("a", int)]), "the type"),
        (np.longdouble(1), "the type float128|longdouble"),
        (np.ma.masked_array([1], [True]), "masked array"),
        (lambda: None, "function"),
        (bytearray(b"x"), "bytearray"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_what_would_not_come_back_is_refused_with_its_place(value, named):
    with pytest.raises(CheckpointError, match=named) as caught:
        encode({"run": {"here": [0, value]}})
    assert "'run/here/1'" in str(caught.value)


def test_trees_that_hold_themselves_are_refused():
    with pytest.raises(CheckpointError, match="deeper than 100 levels, or holds itself"):
        encode(HOLDS_ITSELF)


def test_depth_is_limited_on_both_sides():
    tree: Any = 1
    for _ in range(MAX_DEPTH - 1):  # what is in the innermost key is one level deeper
        tree = {(1,): tree}
    assert_same(decode(*encode(tree)), tree)
    with pytest.raises(CheckpointError, match="deeper"):
        encode([tree])
    with pytest.raises(CheckpointError, match="deeper"):
        decode(json.loads("[" * (MAX_DEPTH + 2) + "]" * (MAX_DEPTH + 2)), {})


@pytest.mark.parametrize(
    "node",
    [
        {"$": "pickle", "base64": ""},
        {"$": "tuple"},
        {"$": "tuple", "items": 3},
        {"$": "dict", "items": [[1]]},
        {"$": "dict", "items": [[[], 1]]},
        {"$": "bytes", "base64": "%%"},
        {"$": "bytes", "base64": 5},
        {"$": "int", "hex": "zz"},
        {"$": "float", "bits": "00"},
        {"$": "scalar", "dtype": "<f4", "base64": ""},
        {"$": "scalar", "dtype": "|O8", "base64": ""},
        {"$": "scalar", "dtype": "i4,i4", "base64": ""},
        {"$": "array", "name": "missing"},
        {"$": "array"},
        {"$": ["array"]},
        {"$": "array", "name": "a", "dtype": "<c16"},
        [{"$": "array", "name": "a"}, {"$": "array", "name": "a"}],
        [],
    ],
    ids=json.dumps,
)
def test_foreign_nodes_are_refused(node):
    with pytest.raises(CheckpointError):
        decode(node, {"a": np.zeros(3, np.uint8)})


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b'{"a": 1, "a": 2}', "the key 'a' occurs twice"),
        (b'[{"x": {"b": 1, "b": 1}}]', "the key 'b' occurs twice"),
        (b"[NaN]", "NaN is not JSON"),
        (b"[-Infinity]", "-Infinity is not JSON"),
        (b"\xff", "can't decode"),
        (b"{", "Expecting"),
        (b"[" * 100_000, "nested too deeply"),
        (b"1" * 5000, "integer string conversion"),
        (b"\x80\x04\x95", "can't decode"),
    ],
)
def test_strict_json(text, reason):
    with pytest.raises(StorageError, match=f"it is not valid JSON: .*{reason}"):
        parse_json(text, "it")
