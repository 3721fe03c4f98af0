"""Events and their line of JSON."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jimbot.tracking import Event, TrackingError, read_events
from jimbot.tracking.events import KINDS, flatten_names, read_new_events

values = st.one_of(st.floats(), st.integers(), st.text(), st.booleans(), st.none())
names = st.text(min_size=1, max_size=50).filter(
    lambda name: name.strip() and not any(c in name for c in "\0\r\n")
)


def refuse_constant(name: str) -> None:
    raise AssertionError(f"{name} is not JSON")


@given(
    kind=st.sampled_from(KINDS),
    step=st.integers(0, 2**63),
    time=st.floats(0, 4e9),
    values=st.dictionaries(names, values, max_size=5),
    sequence=st.integers(0, 10**9),
)
def test_line_is_valid_json_and_comes_back_the_same(kind, step, time, values, sequence):
    event = Event(kind, step, values, time, sequence)
    line = event.to_json()
    assert "\n" not in line
    json.loads(line, parse_constant=refuse_constant)
    again = Event.from_json(line)
    assert repr(again) == repr(event)  # repr tells nan, -0.0, 1 and True apart


def test_not_a_number_and_infinities_are_tagged():
    event = Event("metrics", 1, {"a": math.nan, "b": math.inf, "c": -math.inf}, 2.0, 0)
    assert json.loads(event.to_json())["values"] == {
        "a": {"float": "nan"},
        "b": {"float": "inf"},
        "c": {"float": "-inf"},
    }


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (np.float32(0.5), 0.5),
        (np.float64(0.25), 0.25),
        (np.int64(3), 3),
        (np.bool_(True), True),
        (np.array(2.5), 2.5),
        (np.str_("a"), "a"),
    ],
)
def test_numpy_scalars_become_plain(given, expected):
    value = Event("metrics", 0, {"x": given}, 0.0).values["x"]
    assert value == expected
    assert type(value) is type(expected)


@pytest.mark.parametrize("bad", [[1, 2], np.zeros(3), {"a": 1}, object(), 1j])
def test_values_that_are_not_scalars_are_refused(bad):
    with pytest.raises(TrackingError, match="the value 'x' must be a number, text, truth value or None"):
        Event("metrics", 0, {"x": bad}, 0.0)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("metric", 0, {}, 0.0), "unknown kind of event 'metric'; expected run_started, metrics"),
        (("metrics", -1, {}, 0.0), "step must be a whole number of at least 0, got -1"),
        (("metrics", 1.5, {}, 0.0), "step must be a whole number"),
        (("metrics", True, {}, 0.0), "step must be a whole number"),
        (("metrics", 0, {}, math.nan), "time must be seconds as a finite number"),
        (("metrics", 0, {"": 1}, 0.0), "a value's name must be text"),
        (("metrics", 0, {"a\nb": 1}, 0.0), "a value's name must be text"),
        (("metrics", 0, {3: 1}, 0.0), "a value's name must be text"),
    ],
)
def test_events_that_make_no_sense_are_refused(arguments, message):
    with pytest.raises(TrackingError, match=message):
        Event(*arguments)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{", "not an event"),
        ("[]", "expected a JSON object"),
        ('{"version":2}', "version 2, this jimbot reads version 1"),
        ('{"version":1,"kind":"metrics","step":0,"time":0,"values":{}}', "sequence is missing"),
        (
            '{"version":1,"sequence":0,"kind":"metrics","step":0,"time":0,"values":{"a":{"b":1}}}',
            "is an object",
        ),
        (
            '{"version":1,"sequence":0,"kind":"metrics","step":0,"time":0,"values":{"a":[1]}}',
            "must be a number",
        ),
        (
            '{"version":1,"sequence":0,"kind":"metrics","step":0,"time":0,"values":[]}',
            "values must be an object",
        ),
    ],
)
def test_lines_that_hold_no_event_are_refused(line, message):
    with pytest.raises(TrackingError, match=message):
        Event.from_json(line)


def test_chart_numbers_carry_the_kind_and_leave_text_out():
    values = {"mean": 1, "won": True, "note": "x", "none": None, "evaluation/std": 2.0}
    assert Event("evaluation", 0, values, 0.0).numbers() == {
        "evaluation/mean": 1.0,
        "evaluation/won": 1.0,
        "evaluation/std": 2.0,
    }
    assert Event("metrics", 0, {"loss": 1}, 0.0).numbers() == {"loss": 1.0}


@pytest.fixture
def event_file(tmp_path):
    kinds = ["run_started", "metrics", "episode", "metrics", "evaluation"]
    events = [Event(kind, number, {}, 0.0, number) for number, kind in enumerate(kinds)]  # pyright: ignore[reportArgumentType]
    path = tmp_path / "events.jsonl"
    path.write_text("".join(event.to_json() + "\n" for event in events))
    return path


def test_reading_can_be_limited(event_file):
    assert [event.sequence for event in read_events(event_file)] == [0, 1, 2, 3, 4]
    assert [event.sequence for event in read_events(event_file, after=1)] == [2, 3, 4]
    assert [event.sequence for event in read_events(event_file, before=3, kinds=("metrics",))] == [1]


def test_torn_last_line_is_left_out(event_file):
    with event_file.open("ab") as file:
        file.write(b'{"version":1,"sequence":5,"ki')
    assert len(list(read_events(event_file))) == 5
    events, offset = read_new_events(event_file, 0)
    assert len(events) == 5
    with event_file.open("ab") as file:
        file.write(b'nd":"text","step":9,"time":0.0,"values":{}}\n')
    assert [event.step for event in read_new_events(event_file, offset)[0]] == [9]


def test_damaged_line_is_named(event_file):
    lines = event_file.read_bytes().splitlines(keepends=True)
    event_file.write_bytes(lines[0] + b"garbage\n" + lines[1])
    with pytest.raises(TrackingError, match=f"is damaged at byte {len(lines[0])}: not an event"):
        list(read_events(event_file))


def test_missing_file_is_one_clear_error(tmp_path):
    with pytest.raises(TrackingError, match=r"cannot read .*nothing: No such file"):
        list(read_events(tmp_path / "nothing"))


def test_nested_configuration_becomes_flat():
    nested = {"a": {"b": 1, "c": {"d": "x"}}, "layers": [1, 2], "none": None}
    assert flatten_names(nested) == {"a.b": 1, "a.c.d": "x", "layers": "[1, 2]", "none": None}
