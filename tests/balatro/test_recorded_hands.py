"""Hands recorded from the running game score the same here.

The recordings are by Attol8/balatro-ai (CC BY 4.0); ``tests/data/recorded_hands.json`` says how they were transcribed.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from jimbot.balatro import Action, Game

DATA = Path(__file__).resolve().parents[1] / "data" / "recorded_hands.json"
RECORDING = json.loads(DATA.read_text(encoding="utf-8"))
CASES: list[dict[str, Any]] = RECORDING["cases"]


def set_up(case: dict[str, Any]) -> Game:
    """The moment before the recorded hand is played."""
    game = Game("RECORDED", deck=case["deck"])
    if case["boss"] is None:
        game.edit(ante=case["ante"])
    else:
        game.edit(ante=case["ante"], boss=case["boss"], next_blind="boss")
    game.step(Action.select_blind())
    changes: dict[str, Any] = {
        field: case[field]
        for field in ("jokers", "hand", "money", "levels", "plays", "plays_round", "tarots_used")
    }
    if case["boss_disabled"]:
        changes["blind_disabled"] = 1
    if case["only_hand"] is not None:
        changes["only_hand"] = case["only_hand"]
    game.edit(**changes, target=1e15)
    # Last, because jokers that give hands or discards give them when they arrive.
    game.edit(hands_left=case["hands_left"], discards_left=case["discards_left"])
    return game


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_recorded_hand(case: dict[str, Any]):
    game = set_up(case)
    before = game.blind.score
    game.step(Action.play(*case["play"]))
    assert game.blind.score - before == case["score"]


def test_all_recordings_are_there_with_their_author():
    assert len(CASES) == 76
    assert "CC BY 4.0" in RECORDING["meta"]["source"]
