"""What the columns of observations hold is what their names and texts say, computed here from the state of the run."""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import pytest
from tests.probes.table import next_round, playing, shopping, start

from jimbot import _engine
from jimbot.balatro import Action, Game, Phase
from jimbot.balatro.env.schema import OBSERVATION_COLUMNS, meanings, observation_space
from jimbot.balatro.env.single import BalatroEnv

from . import scenes

PHASES = {
    "phase_blind_select": "blind_select",
    "phase_playing": "playing",
    "phase_cash_out": "round_eval",
    "phase_shop": "shop",
    "phase_pack": "pack",
}
RANKS = {letter: rank for rank, letter in enumerate("23456789TJQKA", start=2)}
SUITS = {"clubs": "C", "diamonds": "D", "hearts": "H", "spades": "S"}
EDITIONS = {"foil": "foil", "holographic": "holo", "polychrome": "polychrome", "negative": "negative"}
ENHANCEMENTS = [column.name for column in OBSERVATION_COLUMNS["deck_enhancements"]]
OBSERVATION_NAMES = {
    array: [column.name for column in columns] for array, columns in OBSERVATION_COLUMNS.items()
}
TARGETS = {"c_fool": 0, "c_pluto": 0, "c_ankh": 0, "c_aura": 1, "c_death": 2, "c_sun": 3}
"""Hand cards that consumables can be used on at once."""
SEALS = ("Gold", "Red", "Blue", "Purple")


def bosses_rerolled() -> Game:
    game = start()
    game.edit(vouchers=["v_directors_cut"], money=30)
    game.step(Action.reroll_boss())
    return game


def states_of_play() -> list[Game]:
    """Runs in every phase, rich ones among them, and what random play makes of them."""
    found = [game for game in scenes.every_phase().values() if not game.over]
    found += [
        playing(
            blind="bl_final_bell",
            jokers=["j_credit_card", "j_ramen;s=P", "j_todo_list"],
            tags=["tag_double"] * 3,
        ),
        playing(
            blind="bl_mouth",
            jokers=["j_baron;s=R"],
            only_hand="Pair",
            hand_size=20,
            consumables=["c_aura", "c_sun"],
        ),
        playing(["S_A;b=40", "H_7;f=1", "C_9;d=1"], blind="bl_mark", vouchers=["v_seed_money"], money=-3),
        playing(
            [f"S_{rank};h={key}" for rank, key in zip(RANKS, ENHANCEMENTS, strict=False)], blind_disabled=1
        ),
        playing(
            [f"S_9;e={edition}" for edition in ("foil", "holo", "polychrome")],
            jokers=["j_mime", "j_yorick;c=7"],
        ),
        playing([f"D_4;l={seal}" for seal in SEALS], blind="bl_final_acorn", jokers=["j_egg", "j_joker"]),
        shopping(
            money=300, shop_slots=["S_A;h=m_glass;l=Purple", "j_egg;s=EPR;e=negative", "c_sun;e=negative"]
        ),
        shopping(playing(tags=["tag_coupon"]), money=9),
        shopping(money=9, shop_slots=[f"j_joker;e={edition}" for edition in ("foil", "holo", "polychrome")]),
        bosses_rerolled(),
        next_round(shopping(next_round(shopping()))),
    ]
    rng = random.Random(3)
    for game in list(found):
        for _ in range(25):
            actions = game.legal_actions()
            kind = rng.choice(sorted({action.kind for action in actions}))
            game = game.clone()  # noqa: PLW2901 - the run as it goes on
            game.step(rng.choice([action for action in actions if action.kind == kind]))
            if game.over:
                break
            found.append(game)
    return found


STATES = states_of_play()


@pytest.fixture(scope="module")
def observed() -> list[tuple[Game, dict[str, Any], dict[str, Any]]]:
    """Every run with its state and its observation."""
    return [(game, game.state(), observe(game)) for game in STATES]


def observe(game: Game, **options: Any) -> dict[str, Any]:
    """The run's observation."""
    return BalatroEnv(starts=(game.snapshot(),), **options).reset(seed=0)[0]


def named(array: str, values: Any) -> dict[str, float]:
    """A row of an observation by the names of its columns."""
    return dict(zip((column.name for column in OBSERVATION_COLUMNS[array]), map(float, values), strict=True))


def limited(value: float, scale: float) -> float:
    return max(-2.0, min(2.0, value / scale))


def log_of(value: float, scale: float) -> float:
    return math.copysign(min(2.0, math.log1p(abs(value)) / scale), value)


def hand_place(state: dict[str, Any], name: str | None) -> float:
    return 0.0 if name is None else (1 + list(state["hands"]).index(name)) / 12


def assert_row(array: str, values: Any, expected: dict[str, Any], where: str) -> None:
    """A row holds these values; columns that are not named are 0."""
    row = named(array, values)
    wanted = {name: float(expected.get(name, 0.0)) for name in row}
    assert set(expected) <= set(row)
    assert row == pytest.approx(wanted, abs=1e-5), f"{array}: {where}"


def test_states_reach_what_the_columns_describe(observed):
    """A column that is 0 in every state is checked by nothing; the exceptions cannot be reached so easily."""
    seen: dict[str, np.ndarray[Any, Any]] = {}
    for _, _, observation in observed:
        for name, values in observation.items():
            if name in OBSERVATION_COLUMNS:
                rows = np.abs(values.reshape(-1, values.shape[-1])).max(axis=0)
                seen[name] = np.maximum(seen.get(name, 0), rows)
    checked = ("globals", "blind", "hand", "jokers", "consumables", "shop", "levels", "identities")
    unseen = {
        f"{name}.{column.name}"
        for name in checked
        for column, value in zip(OBSERVATION_COLUMNS[name], seen[name], strict=True)
        if value == 0
    }
    # test_a_chosen_consumable_is_told has both of pending; no run goes on after a win; no playing card is Negative.
    assert unseen == {"globals.pending", "globals.won", "hand.negative", "identities.pending"}


def test_globals_and_blind(observed):
    for game, state, observation in observed:
        blind, where = state["blind"], repr(game)
        names = ("small", "big", "boss")
        expected = {name: state["phase"] == phase for name, phase in PHASES.items()}
        expected |= {f"next_{name}": state["next_blind"] == name for name in names}
        shop = state["shop"] if game.phase is Phase.SHOP else None
        expected |= {
            "ante": state["ante"] / 8,
            "round": state["round"] / 24,
            "money": log_of(state["money"], 5),
            "money_for_interest": max(0, min(25, state["money"])) / 25,
            "hand_size": limited(state["hand_size"], 12),
            "hands_per_round": state["hands_per_round"] / 8,
            "discards_per_round": state["discards_per_round"] / 8,
            "joker_slots": state["joker_slots"] / 10,
            "jokers": len(state["jokers"]) / 10,
            "consumable_slots": state["consumable_slots"] / 6,
            "consumables": len(state["consumables"]) / 6,
            "deck_cards": state["deck_size"] / 104,
            "draw_pile_cards": state["draw_pile_size"] / 104,
            "reroll_price": shop["reroll_price"] / 20 if shop else 0,
            "stake": state["stake"] / 8,
            "pack_choices": state["pack"]["choices_left"] / 2 if state["pack"] else 0,
            "skips": state["skips"] / 16,
            "tarots_used": state["tarots_used"] / 25,
            "boss_rerolls": state["boss_rerolls"] / 2,
            "hands_played": state["hands_played"] / 100,
            "won": state["won"],
            "credit": 0.5 * sum(joker["key"] == "j_credit_card" for joker in state["jokers"]),
            "hand_cards": limited(len(state["hand"]), 16),
            "hand_cards_without_row": max(0, len(state["hand"]) - 16) / 16,
        }
        row = named("globals", observation["globals"])
        expected["sorted_by_suit"] = row["sorted_by_suit"]  # told by no view; test_sorting_is_told
        assert_row("globals", observation["globals"], expected, where)
        row = named("blind", observation["blind"])
        if blind["key"] is None:
            assert_row("blind", observation["blind"], {"target": row["target"]}, where)
            continue
        told = {
            "playing": 1,
            "target": log_of(blind["target"], 23),
            "score": log_of(blind["score"], 23),
            "share": min(1.0, blind["score"] / max(1.0, blind["target"])),
            "missing": log_of(max(0.0, blind["target"] - blind["score"]), 23),
            "hands_left": blind["hands_left"] / 8,
            "discards_left": blind["discards_left"] / 8,
            "hands_played": blind["hands_played"] / 8,
            "discards_used": blind["discards_used"] / 8,
            "disabled": blind["disabled"],
            "last_hand": hand_place(state, blind["last_hand"]),
            "only_hand": row["only_hand"],  # told by no view; test_the_mouths_hand_is_told
        }
        assert_row("blind", observation["blind"], told, where)


def test_the_mouths_hand_and_sorting_are_told():
    game = playing(blind="bl_mouth", only_hand="Pair")
    place = list(game.hands).index("Pair")
    assert named("blind", observe(game)["blind"])["only_hand"] == pytest.approx((1 + place) / 12)
    for how, expected in (("suit", 1.0), ("rank", 0.0)):
        game.step(Action.sort_hand(how))
        assert named("globals", observe(game)["globals"])["sorted_by_suit"] == expected


def test_hand(observed):
    for game, state, observation in observed:
        cards, rows = state["hand"], observation["hand"]
        if len(cards) > len(rows):
            cards = [*cards[: len(rows) - 1], cards[-1]]
        for position, row in enumerate(rows):
            card = cards[position] if position < len(cards) else None
            expected: dict[str, Any] = {}
            if card:
                expected = {"present": 1, "face_down": card["face_down"], "forced": card["forced"]}
            if card and not card["face_down"]:
                rank = RANKS[card["card"][2]]
                enhancement = card["enhancement"]
                expected |= {
                    "debuffed": card["debuffed"],
                    "played_this_ante": card["played_this_ante"],
                    "rank": rank / 14,
                    "chips": (11 if rank == 14 else min(rank, 10)) / 11,
                    "bonus_chips": log_of(card["bonus"], 5),
                }
                expected |= {name: card["card"][0] == letter for name, letter in SUITS.items()}
                expected |= {f"{key[2:]}_card": key == enhancement for key in ENHANCEMENTS}
                expected |= {name: card["edition"] == key for name, key in EDITIONS.items()}
                expected |= {f"{name.lower()}_seal": card["seal"] == name for name in SEALS}
            assert_row("hand", row, expected, f"{game!r} card {position}")


def test_jokers_and_consumables(observed):
    for game, state, observation in observed:
        for position, row in enumerate(observation["jokers"]):
            joker = state["jokers"][position] if position < len(state["jokers"]) else None
            expected: dict[str, Any] = {}
            if joker:
                expected = {"present": 1, "face_down": joker["face_down"]}
            if joker and not joker["face_down"]:
                expected |= {name: joker["edition"] == key for name, key in EDITIONS.items()}
                expected |= {name: joker[name] for name in ("debuffed", "eternal", "perishable", "rental")}
                expected |= {
                    "rounds_left": (joker["rounds_left"] or 0) / 5,
                    "sell_value": log_of(joker["sell_value"], 5),
                    "value_log": log_of(joker["value"], 23),
                    "value": limited(joker["value"], 10),
                    "counter": limited(joker["counter"], 25),
                    "hand": hand_place(state, joker["hand"]),
                }
            assert_row("jokers", row, expected, f"{game!r} joker {position}")
        for card, row in zip(state["consumables"], observation["consumables"], strict=False):
            told = named("consumables", row)
            assert (told["present"], told["negative"]) == (1.0, card["edition"] == "negative")
            assert told["sell_value"] == pytest.approx(log_of(card["sell_value"], 5))
            if card["key"] in TARGETS:
                assert told["max_targets"] == pytest.approx(TARGETS[card["key"]] / 3)


def test_shelves(observed):
    for game, state, observation in observed:
        shop = state["shop"] or {"slots": [], "vouchers": [], "packs": []}
        cards = state["pack"]["cards"] if state["pack"] else []
        shelves = {
            "shop": shop["slots"],
            "shop_vouchers": shop["vouchers"],
            "shop_packs": shop["packs"],
            "pack": cards,
        }
        for array, items in shelves.items():
            for position, row in enumerate(observation[array]):
                item = items[position] if position < len(items) else None
                expected: dict[str, Any] = {}
                if item:
                    fields = dict(part.split("=") for part in item["item"].split(";")[1:])
                    told = named(array, row)
                    card = item["kind"] == "playing_card"
                    stickers = fields.get("s", "")
                    expected = {
                        "present": 1,
                        "affordable": item["price"] == 0 or item["price"] <= state["money"],
                        "price": limited(item["price"], 20),
                        "joker": item["kind"] == "joker",
                        "consumable": item["kind"] == "consumable",
                        "playing_card": card,
                        "eternal": "E" in stickers,
                        "perishable": "P" in stickers,
                        "rental": "R" in stickers,
                        "free": told["free"],
                    }
                    edition = None if card else fields.get("e")
                    expected |= {name: edition == key for name, key in EDITIONS.items()}
                    if "h" in fields:
                        expected["enhancement"] = (1 + ENHANCEMENTS.index(fields["h"])) / 8
                    if "l" in fields:
                        expected["seal"] = (1 + SEALS.index(fields["l"])) / 4
                assert_row(array, row, expected, f"{game!r} {array} {position}")


def test_levels_deck_vouchers_and_tags(observed):
    for game, state, observation in observed:
        for row, hand in zip(observation["levels"], state["hands"].values(), strict=True):
            expected = {
                "level": limited(hand["level"], 20),
                "played": limited(hand["played"], 50),
                "played_this_round": limited(hand["played_this_round"], 4),
                "chips": limited(hand["chips"], 400),
                "mult": limited(hand["mult"], 40),
            }
            assert_row("levels", row, expected, repr(game))
        unseen = [card.split(";")[0] for card in state["unseen"]]
        assert_row(
            "deck", observation["deck"], {front: unseen.count(front) / 4 for front in unseen}, repr(game)
        )
        redeemed = dict.fromkeys(state["vouchers"], 1)
        assert_row("vouchers", observation["vouchers"], redeemed, repr(game))
        tags = [tag["key"] for tag in state["tags"]]
        assert_row(
            "tags", observation["tags"], {key: min(2, tags.count(key) / 2) for key in tags}, repr(game)
        )


def test_identities(observed):
    kinds = {"blind": list(_engine.blind_keys), "voucher": ["", *OBSERVATION_NAMES["vouchers"]]}
    kinds["tag"] = ["", *OBSERVATION_NAMES["tags"]]
    for game, _, observation in observed:
        view, told = game.public_view(), named("identities", observation["identities"])
        assert kinds["blind"][int(told["boss"])] == view["boss"]
        assert kinds["blind"][int(told["blind"])] == (view["blind"]["key"] or "")
        assert kinds["voucher"][int(told["ante_voucher"])] == (view["ante_voucher"] or "")
        tags = [kinds["tag"][int(told[f"{place}_skip_tag"])] for place in ("small", "big")]
        assert tags == view["skip_tags"]
        assert (told["last_consumable"] > 0) == (view["last_consumable"] is not None)
        assert told["deck"] > 0


def test_a_chosen_consumable_is_told():
    game = playing(["S_A", "H_2"], consumables=["c_pluto", "c_death"])
    env = BalatroEnv(starts=(game.snapshot(),))
    env.reset(seed=0)
    observation = env.step(meanings().index("use consumable 1"))[0]
    assert named("identities", observation["identities"])["pending"] == 2
    assert named("globals", observation["globals"])["pending"] == 1


@pytest.mark.parametrize("mode", [{"actions": "slots"}, {"actions": "candidates", "candidates": 64}])
def test_values_stay_within_the_bounds_of_their_columns(mode):
    space = observation_space(mode.get("candidates", 0))
    for game in STATES:
        for name, values in observe(game, **mode).items():
            assert space[name].contains(values)
            if name in OBSERVATION_COLUMNS:
                lowest = np.array([column.low for column in OBSERVATION_COLUMNS[name]])
                highest = np.array([column.high for column in OBSERVATION_COLUMNS[name]])
                outside = ((values < lowest - 1e-6) | (values > highest + 1e-6)).nonzero()
                assert not outside[0].size, (name, outside, repr(game))
