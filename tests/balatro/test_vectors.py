"""Every recorded fact about seeds: what independent tools, LuaJIT itself and the running game agree on.

The files in tests/data/vectors hold null where nothing is asserted. Only in ``wheel_of_fortune`` it is a fact: a miss.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from jimbot.balatro import seeds
from jimbot.balatro.game import rng

VECTORS = Path(__file__).resolve().parents[1] / "data" / "vectors"
FRONTS = [suit + "_" + rank for suit in "CDHS" for rank in "23456789AJKQT"]


def load(name: str) -> dict[str, Any]:
    return json.loads((VECTORS / f"{name}.json").read_text(encoding="utf-8"))


def names_of(pattern: str) -> list[str]:
    return sorted(path.stem for path in VECTORS.glob(pattern))


def differences(expected: Any, actual: Any, path: str = "", *, null_counts: bool = False) -> Iterator[str]:
    """Where two JSON values differ; null in the expected one means anything unless it counts."""
    if expected is None and not null_counts:
        return
    if isinstance(expected, dict) and isinstance(actual, dict):
        if expected.keys() != actual.keys():
            yield f"{path}: keys {sorted(expected)} != {sorted(actual)}"
        for key in expected.keys() & actual.keys():
            counts = null_counts or key == "wheel_of_fortune"
            yield from differences(expected[key], actual[key], f"{path}.{key}", null_counts=counts)
    elif isinstance(expected, list) and isinstance(actual, list):
        if len(expected) != len(actual):
            yield f"{path}: {len(expected)} entries != {len(actual)}"
        for place, (left, right) in enumerate(zip(expected, actual, strict=False)):
            yield from differences(left, right, f"{path}[{place}]", null_counts=null_counts)
    elif expected != actual:
        yield f"{path}: {expected!r} != {actual!r}"


def bits(value: float) -> str:
    return struct.pack(">d", value).hex()


def double(hexadecimal: str) -> float:
    return struct.unpack(">d", bytes.fromhex(hexadecimal))[0]


def test_every_file_has_a_test():
    covered = {
        "lowlevel",
        "deck",
        "misc",
        "real_game",
        "rounding_probes",
        *names_of("queue_*"),
        *names_of("walk_*"),
    }
    assert covered == set(names_of("*"))
    assert len(names_of("queue_*")) == 7
    assert len(names_of("walk_*")) == 17


@pytest.mark.parametrize("name", names_of("queue_*"))
def test_queue(name):
    file = load(name)
    for seed, expected in file["seeds"].items():
        actual = seeds.explore(seed, "queue", deck=file["meta"]["deck"], stake=file["meta"]["stake"])
        assert list(differences(expected, actual, seed)) == []


@pytest.mark.parametrize("name", names_of("walk_*"))
def test_walk(name):
    file = load(name)
    meta = file["meta"]
    for seed, expected in file["seeds"].items():
        actual = seeds.explore(seed, "walk", deck=meta["deck"], stake=meta["stake"], policy=meta["policy"])
        assert list(differences(expected, actual, seed)) == []


@pytest.mark.parametrize("name", ["deck", "misc"])
def test_other_views(name):
    for seed, expected in load(name)["seeds"].items():
        assert list(differences(expected, seeds.explore(seed, name), seed)) == []


def test_first_antes_are_the_same_however_many_are_asked_for():
    file = load("queue_red_white_1")
    for seed, expected in list(file["seeds"].items())[:5]:
        for antes in (1, 3, 8):
            assert seeds.explore(seed, "queue", antes=antes) == expected[:antes]


def test_lowlevel_hash():
    for text, expected, _ in load("lowlevel")["pseudohash"]:
        assert bits(rng.pseudohash(text)) == expected, text


def test_lowlevel_streams():
    for seed, key, uses in load("lowlevel")["streams"]:
        for (state, seed_bits, first_bits), use in zip(uses, rng.stream(seed, key, len(uses)), strict=True):
            assert bits(use.seed) == seed_bits, (seed, key)
            assert bits(rng.reals(use.seed)[0]) == first_bits, (seed, key)
            assert bits(use.state) == bits(float(state)), (seed, key)


def test_lowlevel_generator():
    for entry in load("lowlevel")["lua_random"]:
        seed = double(entry["d_hex"])
        assert [bits(value) for value in rng.reals(seed, 6)] == entry["random"], entry["d"]
        assert rng.integers(seed, 1, 52, 6) == entry["random_52"], entry["d"]
        assert rng.integers(seed, 0, 23, 6) == entry["random_0_23"], entry["d"]


def test_lowlevel_rounding():
    for value, expected in load("lowlevel")["round13"]:
        assert bits(rng.round13(double(value))) == expected


def test_lowlevel_shuffle():
    for seed, key, count, expected in load("lowlevel")["shuffle"]:
        first = rng.stream(seed, key)[0]
        assert rng.shuffle(first.seed, range(1, count + 1)) == expected, (seed, key, count)


def test_bosses_that_tell_the_rounding_apart():
    for probe in load("rounding_probes")["probes"]:
        boss = seeds.explore(probe["seed"], antes=1)[0][0]
        assert boss == probe["ante1_boss_if_exact_rounding"], probe["seed"]
        assert boss != probe["ante1_boss_if_17_digit_legacy_rounding"], probe["seed"]


# --- the running game -----------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def observed() -> dict[str, dict[str, Any]]:
    return {entry["seed"]: entry for entry in load("real_game")["observations"]}


def first_blind_order(seed: str) -> list[str]:
    """The deck at the first blind, the first card drawn first: the last one of the shuffled creation order."""
    return rng.shuffle(rng.stream(seed, "nr1")[0].seed, FRONTS)[::-1]


def without_variant(pack: str) -> str:
    return pack.rpartition("_")[0]


def test_real_game_hands(observed):
    entry = observed["BBBBBBB"]
    order = first_blind_order("BBBBBBB")
    hand = order[:8]
    assert sorted(hand) == sorted(entry["small_blind_first_hand_unordered"])
    drawn = 8
    for kind in ("after_playing", "after_discarding"):
        gone, _, new = entry[kind]
        assert set(gone) <= set(hand)
        assert sorted(order[drawn : drawn + len(gone)]) == sorted(new)
        hand = [card for card in hand if card not in gone] + order[drawn : drawn + len(gone)]
        drawn += len(gone)


def test_real_game_shop(observed):
    entry = observed["BBBBBBB"]
    (ante,) = seeds.walk("BBBBBBB", antes=1)
    after, rows, packs = ante["shops"][0]
    assert after == "small"
    assert rows == [entry["shop_after_small"]]
    assert ante["voucher"] == entry["voucher"]
    assert [without_variant(pack[0]) for pack in packs] == entry["packs"]
    assert packs[0][1] == entry["buffoon_contents"]


def test_real_game_to_do_list(observed):
    entry = observed["BBBBBBB"]
    assert "index 3 (1-based) of 9 visible hands" in entry["to_do_note"]
    hidden = ("Flush Five", "Flush House", "Five of a Kind")
    visible = [hand for hand in entry["hands_table_iteration_order_in_that_process"] if hand not in hidden]
    index = rng.integers(rng.stream("BBBBBBB", "to_do")[0].seed, 1, len(visible))[0]
    assert (index, visible[index - 1]) == (3, entry["to_do_list_hand"])


def test_real_game_second_observation(observed):
    entry = observed["OOOO155"]
    assert entry["small_blind_first_hand"] == "contains four Jacks"
    assert sum(card.endswith("_J") for card in first_blind_order("OOOO155")[:8]) == 4
    (ante,) = seeds.walk("OOOO155", antes=1)
    _, rows, packs = ante["shops"][0]
    assert sorted(rows[0]) == sorted(entry["shop_after_small_unordered"])
    assert ante["voucher"] == entry["voucher"]
    assert sorted(without_variant(pack[0]) for pack in packs) == sorted(entry["packs_unordered"])


def test_deck_view_is_the_same_order_as_the_primitives():
    for seed in ("BBBBBBB", "OOOO155", "7LB2WVPK"):
        assert seeds.explore(seed, "deck")["red_full"]["nr1_1"] == first_blind_order(seed)


# --- the comparison itself ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("expected", "actual", "count"),
    [
        ([1, None, [2]], [1, 5, [2]], 0),
        ([1, None, [2]], [1, 5, [3]], 1),
        ([1, 2], [1], 1),
        ({"a": 1}, {"b": 1}, 1),
        ({"a": None}, {"a": "x"}, 0),
        ({"wheel_of_fortune": [None, "foil"]}, {"wheel_of_fortune": ["holo", "foil"]}, 1),
        ({"wheel_of_fortune": [None]}, {"wheel_of_fortune": [None]}, 0),
        (["x"], "x", 1),
    ],
)
def test_comparison_finds_planted_differences(expected, actual, count):
    assert len(list(differences(expected, actual))) == count
