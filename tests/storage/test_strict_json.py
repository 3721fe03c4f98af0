"""JSON without NaN, doubled keys and bottomless nesting, both ways."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jimbot.storage.errors import StorageError
from jimbot.storage.strict_json import (
    InvalidJsonError,
    dump_json,
    parse_json,
    read_json,
    replace_nonfinite,
    write_json,
)

PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)


@given(PLAIN, st.booleans(), st.sampled_from([None, 0, 2]))
def test_what_is_written_is_read_back(value, ascii_only, indent):
    assert parse_json(dump_json(value, ascii_only=ascii_only, indent=indent), "it") == value
    assert parse_json(dump_json(value, compact=True).encode(), "it") == value


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"a": 1, "b": 2, "a": 3}', "the key 'a' occurs twice"),
        ('{"deep": [{"x": 1, "x": 1}]}', "the key 'x' occurs twice"),
        ("[NaN]", "NaN is not JSON"),
        ("[-Infinity]", "-Infinity is not JSON"),
        ("{", "Expecting property name"),
        ("", "Expecting value"),
        (b"\xff", "can't decode byte"),
        ("[" * 100_000, "nested too deeply"),
    ],
)
def test_what_is_not_json_is_refused_by_name(text, reason):
    with pytest.raises(InvalidJsonError, match=f"the file is not valid JSON: .*{reason}") as caught:
        parse_json(text, "the file")
    assert isinstance(caught.value, StorageError)
    assert isinstance(caught.value, ValueError)


def test_files_of_versions_that_wrote_nan_can_be_read(tmp_path):
    (tmp_path / "old.json").write_text('{"score": NaN, "low": -Infinity}')
    found = read_json(tmp_path / "old.json", nonfinite="accept")
    assert math.isnan(found["score"])
    assert found["low"] == -math.inf
    with pytest.raises(InvalidJsonError, match=r"old\.json is not valid JSON"):
        read_json(tmp_path / "old.json")
    with pytest.raises(InvalidJsonError, match="occurs twice"):
        parse_json('{"a": NaN, "a": 1}', "it", nonfinite="accept")


@pytest.mark.parametrize("number", [math.nan, math.inf, -math.inf])
def test_numbers_that_are_not_finite_are_written_only_as_asked(tmp_path, number):
    value = {"a": [1.5, number], "b": ({"c": number},)}
    with pytest.raises(InvalidJsonError, match="cannot be written as JSON"):
        write_json(tmp_path / "file.json", value)
    assert not (tmp_path / "file.json").exists()
    write_json(tmp_path / "file.json", value, nonfinite="null")
    assert json.loads((tmp_path / "file.json").read_text()) == {"a": [1.5, None], "b": [{"c": None}]}
    text = replace_nonfinite(value, "text")["a"][1]
    assert text in ("nan", "inf", "-inf")
    assert str(float(text)) == str(number)
    assert replace_nonfinite({"a": 1, "b": "nan", "c": 2.5, "d": True}) == {
        "a": 1,
        "b": "nan",
        "c": 2.5,
        "d": True,
    }


def test_a_file_that_is_not_there_is_for_the_caller_to_explain(tmp_path):
    with pytest.raises(FileNotFoundError):
        read_json(tmp_path / "none.json")


def test_what_is_not_plain_is_a_mistake_of_the_program_unless_it_has_a_default():
    with pytest.raises(TypeError):
        dump_json({"a": object})
    assert dump_json({"a": {1}}, default=sorted) == '{"a": [1]}'
