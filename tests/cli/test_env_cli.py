"""``jimbot env``: the tables hold every array and every action, and agree with the environment."""

from __future__ import annotations

import json

import gymnasium
import pytest

from jimbot.balatro.env.schema import (
    ACTIONS,
    CANDIDATE_FEATURES,
    OBSERVATION_COLUMNS,
    OBSERVATION_VERSION,
    meanings,
)
from jimbot.balatro.env.single import BalatroEnv
from jimbot.cli import env as env_command


def test_schema_as_json(jimbot):
    finished = jimbot("env", "schema", "--json")
    assert finished.code == 0, finished.err
    report = json.loads(finished.out)
    assert report["observation_version"] == OBSERVATION_VERSION
    assert report["actions"] == ACTIONS
    space = BalatroEnv().observation_space
    assert isinstance(space, gymnasium.spaces.Dict)
    assert {field["name"] for field in report["observation"]} == set(space)
    for field in report["observation"]:
        box = space[field["name"]]
        assert isinstance(box, gymnasium.spaces.Box)
        assert (tuple(field["shape"]), field["type"]) == (box.shape, str(box.dtype))
        assert (field["low"], field["high"]) == (box.low.min(), box.high.max())
        assert field["text"]
        names = [column["name"] for column in field["columns"]]
        assert names == [column.name for column in OBSERVATION_COLUMNS.get(field["name"], ())]
        assert all(column["text"] and column["low"] < column["high"] for column in field["columns"])
    assert set(report["reach"]) == set(env_command.HOW_TO_REACH)


def test_schema_of_candidates_as_json(jimbot):
    finished = jimbot("env", "schema", "--json", "--actions", "candidates", "--candidates", "32")
    assert finished.code == 0, finished.err
    report = json.loads(finished.out)
    assert report["actions"] == 32
    assert [feature["name"] for feature in report["candidate_features"]] == CANDIDATE_FEATURES
    assert all(feature["text"] for feature in report["candidate_features"])
    shapes = {field["name"]: tuple(field["shape"]) for field in report["observation"]}
    space = BalatroEnv(actions="candidates", candidates=32).observation_space
    assert isinstance(space, gymnasium.spaces.Dict)
    assert shapes == {name: box.shape for name, box in space.items()}
    assert shapes["candidates"] == (32, len(CANDIDATE_FEATURES))
    assert shapes["candidate_ids"] == (32, 2)


def test_schema_of_candidates_as_a_table(jimbot):
    finished = jimbot("env", "schema", "--actions", "candidates")
    assert finished.code == 0, finished.err
    for part in ("candidate_ids", "64 x 56", "flush_chance", "up to K legal actions"):
        assert part in finished.out


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--actions", "words"), "unknown actions 'words'; expected slots or candidates"),
        (("--actions", "candidates", "--candidates", "3"), "candidates must be 16 to 256, got 3"),
    ],
)
def test_schema_of_an_unknown_mode(options, message, jimbot):
    finished = jimbot("env", "schema", *options)
    assert (finished.code, finished.err) == (2, f"jimbot: error: {message}\n")


def test_groups_cover_every_index_once(jimbot):
    groups = json.loads(jimbot("env", "schema", "--json").out)["action_groups"]
    covered = [index for group in groups for index in range(group["first"], group["last"] + 1)]
    assert covered == list(range(ACTIONS))
    words = meanings()
    for group in groups:
        assert all(words[i].startswith(group["name"]) for i in range(group["first"], group["last"] + 1))
        assert group["text"]
    names = {group["name"] for group in groups}
    assert set(env_command.MEANINGS) <= names
    assert {group["name"] for group in groups if group["last"] > group["first"]} == set(env_command.MEANINGS)


def test_schema_as_a_table(jimbot):
    finished = jimbot("env", "schema")
    assert finished.code == 0, finished.err
    for part in ("action_mask", "float32", "16 x 28", "-2 to 2", "0 to 217", "play hand cards", "targets"):
        assert part in finished.out
    assert "columns of shop, shop_vouchers, shop_packs, pack\n" in finished.out
    for array, columns in OBSERVATION_COLUMNS.items():
        if not array.startswith("candidate"):
            assert [column.name for column in columns if f" {column.name} " not in finished.out] == []


def test_actions(jimbot):
    assert json.loads(jimbot("env", "actions", "--json").out) == meanings()
    lines = jimbot("env", "actions").out.splitlines()
    assert [line.split("  ", 1)[1] for line in map(str.strip, lines)] == meanings()
    assert lines[0].split() == ["0", "play", "hand", "cards", "0"]


@pytest.mark.parametrize("arguments", [(), ("nothing",)])
def test_an_unknown_word_is_refused(arguments, jimbot):
    assert jimbot("env", *arguments).code == 2
