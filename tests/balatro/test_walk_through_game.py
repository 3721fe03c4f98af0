"""The recorded seeds played through the whole game: a scripted player sees what the vector files say.

``test_vectors.py`` asks the generator directly; here every blind is chosen and won, every shop entered, rerolled and
left, every pack opened and skipped by ``Game.step``. See ``walker.py`` for the three things that are done by hand.
"""

from __future__ import annotations

from typing import Any

import pytest

from jimbot.balatro import Action, Game, Phase

from .test_vectors import differences, load, names_of
from .walker import first_hands, open_and_skip, visit_shop, walk, win_blind

WALKS = names_of("walk_*")
FEW = 12
"""Seeds per file in the normal run, spread over the file."""


def some_seeds(seeds: dict[str, Any], count: int) -> dict[str, Any]:
    names = list(seeds)
    step = max(1, len(names) // count)
    return {name: seeds[name] for name in names[::step][:count]}


def walk_differences(file: dict[str, Any], seeds: dict[str, Any]) -> list[str]:
    meta = file["meta"]
    found: list[str] = []
    for seed, expected in seeds.items():
        actual = walk(seed, meta["deck"], meta["stake"], meta["policy"], len(expected))
        found += differences(expected, actual, seed)
    return found


@pytest.mark.parametrize("name", WALKS)
def test_walk_through_the_game(name):
    file = load(name)
    assert walk_differences(file, some_seeds(file["seeds"], FEW)) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", WALKS)
def test_every_seed_walks_through_the_game(name):
    file = load(name)
    assert walk_differences(file, file["seeds"]) == []


def test_walk_sees_a_planted_difference():
    file = load("walk_red_white_r0")
    seed, expected = next(iter(file["seeds"].items()))
    expected[3][1][1][1][0][0] = "j_none"
    assert len(walk_differences(file, {seed: expected})) == 1


# --- hands ----------------------------------------------------------------------------------------------------------


def fronts(cards: list[dict[str, Any]]) -> list[str]:
    return [card["card"] for card in cards]


def hand_differences(seed: str, expected: dict[str, Any], antes: int) -> list[str]:
    found: list[str] = []

    def compare(where: str, state: dict[str, Any], cards: list[str]) -> None:
        """The dealt hand is sorted, so it is compared as a set; a boss may deal fewer cards."""
        size = len(state["hand"])
        if size < 7 or sorted(fronts(state["hand"])) != sorted(cards[:size]):
            found.append(f"{seed} {where}: {cards} != {fronts(state['hand'])}")

    start = Game(seed).state()
    if fronts(start["draw_pile"]) != expected["red_full"]["shuffle"]:
        found.append(f"{seed} shuffle at the start")
    for ante, blind, state in first_hands(seed, "b_red", antes):
        compare(f"b_red ante {ante} blind {blind}", state, expected["red_hands"][ante - 1][blind])
        if (ante, blind) == (1, 0):
            order = expected["red_full"]["nr1_1"]
            compare("b_red order", state, order)
            if fronts(state["draw_pile"]) != order[8:]:
                found.append(f"{seed} draw pile of the first blind")
    for ante, blind, state in first_hands(seed, "b_erratic", min(antes, len(expected["erratic_hands"]))):
        compare(f"b_erratic ante {ante} blind {blind}", state, expected["erratic_hands"][ante - 1][blind])
    for deck in ("abandoned", "checkered"):
        _, _, state = next(first_hands(seed, f"b_{deck}", 1))
        compare(f"b_{deck}", state, expected[f"{deck}_hand"])
    erratic = Game(seed, "b_erratic").state()
    if sorted(fronts(erratic["draw_pile"])) != sorted(expected["erratic_draws"]):
        found.append(f"{seed} erratic deck")
    return found


def test_hands_of_the_game():
    for seed, expected in some_seeds(load("deck")["seeds"], 12).items():
        assert hand_differences(seed, expected, 8) == []


@pytest.mark.slow
def test_every_hand_of_the_game():
    for seed, expected in load("deck")["seeds"].items():
        assert hand_differences(seed, expected, 8) == []


# --- bosses, vouchers and tags ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", names_of("queue_red_white_*"))
def test_bosses_vouchers_and_tags_of_the_game(name):
    for seed, expected in some_seeds(load(name)["seeds"], FEW).items():
        seen = []
        for ante, blind, state in first_hands(seed, "b_red", 8):
            if blind == 0:
                seen.append([state["boss"], state["ante_voucher"], *state["skip_tags"]])
            elif blind == 2:
                assert state["blind"]["key"] == seen[ante - 1][0]
        assert list(differences([ante[:4] for ante in expected], seen, seed)) == []


# --- the running game -----------------------------------------------------------------------------------------------


def test_observation_of_the_running_game():
    """What a player saw and did with one seed, played the same way."""
    entry = next(item for item in load("real_game")["observations"] if item["seed"] == "BBBBBBB")
    game = Game("BBBBBBB")
    game.step(Action.select_blind())
    assert sorted(fronts(game.state()["hand"])) == sorted(entry["small_blind_first_hand_unordered"])
    for kind, act in (("after_playing", Action.play), ("after_discarding", Action.discard)):
        gone, _, new = entry[kind]
        hand = fronts(game.state()["hand"])
        game.step(act(*sorted(hand.index(card) for card in gone)))
        kept = [card for card in hand if card not in gone]
        assert sorted(fronts(game.state()["hand"])) == sorted([*kept, *new])
    win_blind(game)
    game.step(Action.cash_out())
    shop = game.state()["shop"]
    assert [slot["item"] for slot in shop["slots"]] == entry["shop_after_small"]
    assert [slot["item"] for slot in shop["vouchers"]] == [entry["voucher"]]
    assert [pack["item"].rpartition("_")[0] for pack in shop["packs"]] == entry["packs"]
    game.edit(money=20)
    game.step(Action.open_pack(0))
    assert game.phase is Phase.PACK
    assert open_and_skip(game)[1] == entry["buffoon_contents"]


def test_shop_of_the_second_observation():
    entry = next(item for item in load("real_game")["observations"] if item["seed"] == "OOOO155")
    game = Game("OOOO155")
    game.step(Action.select_blind())
    assert sum(card.endswith("_J") for card in fronts(game.state()["hand"])) == 4
    win_blind(game)
    rows, packs = visit_shop(game, 0)
    assert sorted(rows[0]) == sorted(entry["shop_after_small_unordered"])
    assert sorted(key.rpartition("_")[0] for key, _ in packs) == sorted(entry["packs_unordered"])
