"""The reference agrees with the recorded cases and with the properties the rules state."""

from __future__ import annotations

import itertools
import json
import math
import random
from pathlib import Path
from typing import Any

import pytest

from .cards import Card, Rules
from .data import HANDS, JOKERS, RANKS
from .generate import all_features, coverage, random_case
from .hands import detect, straight_cards
from .scoring import score

DATA = Path(__file__).resolve().parents[1] / "data"
IMPLIED = {
    "Five of a Kind": {"Four of a Kind", "Three of a Kind", "Pair"},
    "Four of a Kind": {"Three of a Kind", "Pair"},
    "Three of a Kind": {"Pair"},
    "Full House": {"Three of a Kind", "Two Pair", "Pair"},
    "Two Pair": {"Pair"},
    "Flush House": {"Full House", "Flush", "Three of a Kind", "Two Pair", "Pair"},
    "Flush Five": {"Five of a Kind", "Four of a Kind", "Three of a Kind", "Pair", "Flush"},
    "Straight Flush": {"Straight", "Flush"},
}
EXCLUDED = {
    "Four of a Kind": {"Two Pair", "Full House"},
    "Five of a Kind": {"Full House", "Two Pair"},
}


def load(name: str) -> list[dict[str, Any]]:
    return json.loads((DATA / name).read_text(encoding="utf-8"))["cases"]


RECORDED = load("scoring_cases.json") + load("scoring_cases_contested.json")


def cards(text: str) -> list[Card]:
    return [Card.parse({"card": f"{word[0]}_{word[1]}"}) for word in text.split()]


def random_hands(count: int) -> list[tuple[list[Card], Rules]]:
    rng = random.Random(5)
    hands: list[tuple[list[Card], Rules]] = []
    for _ in range(count):
        ranks = rng.sample(RANKS, rng.randint(1, 5)) if rng.random() < 0.7 else list(RANKS)
        suits = rng.choice(("SHCD", "SH", "H"))
        played = [
            Card.parse(
                {
                    "card": f"{rng.choice(suits)}_{rng.choice(ranks)}",
                    "enhancement": rng.choice((None, None, None, "m_wild", "m_stone")),
                    "debuffed": rng.random() < 0.1,
                }
            )
            for _ in range(rng.randint(1, 5))
        ]
        hands.append((played, Rules(*(rng.random() < 0.4 for _ in range(5)))))
    return hands


@pytest.mark.parametrize("case", RECORDED, ids=lambda case: case["id"])
def test_recorded_case(case):
    result, expect = score(case), case["expect"]
    for name in ("hand", "scoring_indices", "chips", "mult", "money_delta"):
        assert result[name] == expect[name], name
    assert abs(result["score"] - expect["score"]) <= (1 if case.get("fp_sensitive") else 0)


def test_score_leaves_its_input_alone():
    rng = random.Random(8)
    for _ in range(200):
        case = random_case(rng)
        before = json.dumps(case)
        score(case)
        assert json.dumps(case) == before


def test_random_cases_cover_everything():
    rng = random.Random(20)
    missing = all_features()
    for _ in range(8000):
        missing -= coverage(random_case(rng))
        if not missing:
            break
    assert not missing


def test_random_cases_are_repeatable_and_legal():
    one, two = random.Random(3), random.Random(3)
    for _ in range(500):
        case = random_case(one)
        assert case == random_case(two)
        assert json.loads(json.dumps(case)) == case
        assert 1 <= len(case["played"]) <= 5
        assert len(case["held"]) <= 10
        setup = case["setup"]
        assert len(case["jokers"]) <= setup["joker_slots"]
        assert len(setup["consumables"]) <= setup["consumable_slots"]
        info, table = setup["deck_info"], case["played"] + case["held"]
        assert info["remaining"] + len(table) <= info["full_size"]
        assert sum("enhancement" in entry for entry in table) <= info["enhanced"] <= info["full_size"]
        result = score(case)
        assert math.isfinite(result["score"])
        assert result["score"] == math.floor(result["chips"] * result["mult"])


def test_containment_follows_the_table():
    for played, rules in random_hands(20000):
        found = detect(played, rules)
        assert found.hand == min(found.contains, key=list(HANDS).index)
        assert "High Card" in found.contains
        for name, implied in IMPLIED.items():
            if name in found.contains:
                assert implied <= found.contains, name
        for name, excluded in EXCLUDED.items():
            if name in found.contains:
                assert not excluded & found.contains, name


def test_scoring_set():
    for played, rules in random_hands(5000):
        found = detect(played, rules)
        stones = {index for index, card in enumerate(played) if card.stone}
        assert list(found.scoring) == sorted(set(found.scoring))
        expected = set(range(len(played))) if rules.splash else set(found.parts[found.hand]) | stones
        assert set(found.scoring) == expected
        assert not stones & set(found.parts[found.hand])


def test_straights_against_all_windows():
    """A straight is there exactly when enough ranks lie on a chain with small enough steps."""
    for played, rules in random_hands(5000):
        ranks = sorted({card.rank for card in played if not card.stone})
        need, step = (4 if rules.four_fingers else 5), (2 if rules.shortcut else 1)
        chosen = [
            list(choice)
            for values in (ranks, sorted(1 if rank == 14 else rank for rank in ranks))
            for choice in itertools.combinations(values, need)
        ]
        linked = any(all(b - a <= step for a, b in itertools.pairwise(choice)) for choice in chosen)
        assert bool(straight_cards(played, rules)) == linked


@pytest.mark.parametrize(
    ("text", "rules", "hand", "scoring"),
    [
        ("HA D2 S3 C4 H5", Rules(), "Straight", [0, 1, 2, 3, 4]),
        ("HK DA S2 C3 H4", Rules(), "High Card", [1]),
        ("HT DJ SQ CK HA", Rules(), "Straight", [0, 1, 2, 3, 4]),
        ("HT HJ HQ HK HA", Rules(), "Straight Flush", [0, 1, 2, 3, 4]),
        ("H5 D6 S7 C8 H8", Rules(four_fingers=True), "Straight", [0, 1, 2, 3, 4]),
        ("H5 H6 H7 H2 D8", Rules(four_fingers=True), "Straight Flush", [0, 1, 2, 3, 4]),
        ("HQ DK SA C2 H3", Rules(shortcut=True), "High Card", [2]),
        ("HA D3 S5 C7 H9", Rules(shortcut=True), "Straight", [0, 1, 2, 3, 4]),
        ("H2 D4 H7 D9 HK", Rules(smeared=True), "Flush", [0, 1, 2, 3, 4]),
        ("S2 H9 D9", Rules(splash=True), "Pair", [0, 1, 2]),
        ("D9 S7 H9 C7 H2", Rules(), "Two Pair", [0, 1, 2, 3]),
    ],
)
def test_detection_examples(text, rules, hand, scoring):
    found = detect(cards(text), rules)
    assert (found.hand, list(found.scoring)) == (hand, scoring)


def test_four_fingers_parts_coexist():
    found = detect(cards("H5 H6 H7 H8 D8"), Rules(four_fingers=True))
    assert found.hand == "Straight Flush"
    assert {"Straight", "Flush", "Pair"} <= found.contains


def play(jokers: list[Any], played: str | list[dict[str, Any]], **setup: Any) -> dict[str, Any]:
    entries = [{"key": joker} if isinstance(joker, str) else joker for joker in jokers]
    if isinstance(played, str):
        played = [{"card": f"{word[0]}_{word[1]}"} for word in played.split()]
    return score({"setup": setup, "jokers": entries, "played": played, "held": []})


def test_state_after_the_hand():
    result = play(["j_green_joker", "j_ice_cream", "j_selzer", "j_blueprint"], "H9 D9")
    assert [joker["state"] for joker in result["jokers"]] == [
        {"mult": 1.0},
        {"chips": 95.0},
        {"counter": 9.0},
        {},
    ]
    melted = play([{"key": "j_ice_cream", "state": {"chips": 5}}], "H9", blind="bl_psychic")
    assert melted["blocked"]
    assert melted["jokers"][0]["destroyed"]


def test_cards_after_the_hand():
    glass = {"card": "H_K", "enhancement": "m_glass"}
    result = play(["j_hiker", "j_caino", "j_glass"], [glass, {"card": "D_K"}], luck="all")
    assert result["destroyed"] == [0]
    assert [joker["state"].get("x_mult") for joker in result["jokers"]] == [None, 2.0, 1.75]
    assert result["played_after"][1] == {"card": "D_K", "perma_bonus": 5.0}
    taken = play(["j_sixth_sense", "j_dna", "j_hologram"], "H6")
    assert taken["destroyed"] == [0]
    assert taken["created"] == ["Spectral"]
    assert taken["held_after"] == [{"card": "H_6"}]
    assert taken["mult"] == 1.25


def test_levels_after_the_hand():
    result = play(["j_space", "j_brainstorm"], "H9 D9", luck="all")
    assert result["levels_after"] == {"Pair": 3}
    assert play([], "H9 D9", blind="bl_arm", hand_levels={"Pair": 2})["levels_after"] == {"Pair": 1}


def test_matador_and_bosses():
    assert play(["j_blueprint", "j_matador"], "H9", blind="bl_psychic")["money_delta"] == 16
    ox = play(["j_matador", "j_bull"], "H9 D9", blind="bl_ox", money=30, blind_state={"most_played": "Pair"})
    assert (ox["money_delta"], ox["money"], ox["chips"]) == (8, 8, 28 + 16)
    assert play(["j_matador"], "H9", blind="bl_tooth", money=3)["money"] == 2
    assert play(["j_matador", "j_chicot"], "H9", blind="bl_psychic")["money_delta"] == 0


def test_sure_rolls_and_decided_rolls():
    lucky = [{"card": "H_9", "enhancement": "m_lucky"}]
    assert play(["j_oops", "j_bloodstone"], "H9")["mult"] == 1.5
    decided = {"default": "none", "rolls": {"lucky_mult": [True], "lucky_money": [False, True]}}
    result = play(["j_selzer", "j_lucky_cat"], lucky, luck=decided)
    assert (result["mult"], result["money_delta"]) == (21 * 1.5, 20)


def test_no_free_slot_for_created_cards():
    result = play(["j_vagabond", "j_brainstorm", "j_brainstorm"], "H9", money=4, consumables=["c_pluto"])
    assert result["created"] == ["Tarot"]


def test_every_joker_can_be_scored():
    for key in JOKERS:
        assert play([key], "HA HK HQ HJ HT", luck="all")["score"] > 0
