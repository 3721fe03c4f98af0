"""Game.edit: every value is checked by name and range before anything changes; and what is no action is told so."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.probes.table import playing, shopping, start

from jimbot.balatro import Action, ActionKind, Game
from jimbot.balatro.game.game import EditError, NotAnActionError
from jimbot.errors import JimbotError

NUMBERS: dict[str, tuple[int, int]] = {
    "money": (-1_000_000_000, 1_000_000_000),
    "ante": (-99, 999),
    "stake": (1, 8),
    "discards_left": (0, 9999),
    "hands_played_round": (0, 65535),
    "discards_used": (0, 65535),
    "hands_played": (0, 65535),
    "tarots_used": (0, 65535),
    "skips": (0, 65535),
    "unused_discards": (0, 65535),
    "joker_slots": (-9999, 9999),
    "consumable_slots": (-9999, 9999),
    "hand_size": (-9999, 9999),
    "starting_cards": (0, 255),
}
IN_DICTS: dict[str, tuple[int, int]] = {
    "levels": (0, 1_000_000),
    "plays": (0, 65535),
    "plays_round": (0, 255),
}
NOT_WHOLE = [True, False, np.True_, 1.0, 1.5, "1", None, [1], float("nan"), float("inf"), 1j]


def refusal(game: Game, **changes: Any) -> str:
    """Why an edit is refused; the run must be what it was."""
    before = game.snapshot()
    with pytest.raises(EditError) as caught:
        game.edit(**changes)
    assert game.snapshot() == before
    assert game.actions is not None
    return str(caught.value)


@pytest.fixture
def game() -> Game:
    run = Game("EDITED")
    run.step(Action.select_blind())
    return run


# --- numbers ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers_are_taken_within_their_bounds(game, name):
    for value in (*NUMBERS[name], np.int32(NUMBERS[name][1]), np.uint8(7)):
        game.clone().edit(**{name: value})


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers_out_of_their_bounds_are_refused(game, name):
    low, high = NUMBERS[name]
    for value in (
        low - 1,
        high + 1,
        low - 2**16,
        high + 2**8,
        high + 2**16,
        high + 2**32,
        2**33 + 7,
        -(2**33),
        2**70,
    ):
        assert refusal(game, **{name: value}) == f"{name}: expected {low} to {high}, got {value}"


@pytest.mark.parametrize("name", NUMBERS)
@pytest.mark.parametrize("value", NOT_WHOLE, ids=repr)
def test_what_is_no_whole_number_is_refused(game, name, value):
    low, high = NUMBERS[name]
    assert (
        refusal(game, **{name: value}) == f"{name}: expected a whole number, {low} to {high}; got {value!r}"
    )


@pytest.mark.parametrize("name", IN_DICTS)
def test_numbers_by_poker_hand_have_bounds(game, name):
    low, high = IN_DICTS[name]
    for value in (low, high):
        game.clone().edit(**{name: {"Flush": value}})
    for value in (low - 1, high + 1, high + 2**16, 2**33):
        assert (
            refusal(game, **{name: {"Flush": value}})
            == f"{name}: Flush: expected {low} to {high}, got {value}"
        )
    for value in NOT_WHOLE:
        assert "Flush: expected a whole number" in refusal(game, **{name: {"Flush": value}})
    assert refusal(game, **{name: [3]}).startswith(f"{name}: expected a dict such as")
    assert "unknown poker hand 'Royal'" in refusal(game, **{name: {"Royal": 1}})
    assert "expected a string" in refusal(game, **{name: {3: 1}})


def test_hands_left_are_at_least_one_in_a_blind(game):
    assert refusal(game, hands_left=-1) == "hands_left: expected 0 to 9999, got -1"
    assert refusal(game, hands_left=10_000) == "hands_left: expected 0 to 9999, got 10000"
    assert refusal(game, hands_left=0).endswith("a blind goes on although no hands are left")
    game.edit(hands_left=1)
    start().edit(hands_left=0)


@pytest.mark.parametrize("name", ["score", "target"])
def test_scores_are_finite_numbers(game, name):
    for value in (0, 300, 2.5, 1e308, np.float32(4.5), 10**30):
        game.clone().edit(**{name: value})
    for value in (-1, -0.001, float("nan"), float("inf"), float("-inf")):
        assert refusal(game, **{name: value}) == f"{name}: expected 0 to 1.797693e+308, got {value!r}"
    for value in (True, "300", b"300", None, [300], 10**400):
        assert refusal(game, **{name: value}).startswith(
            f"{name}: expected a number, 0 to 1.797693e+308; got "
        )


@pytest.mark.parametrize("name", ["blind_disabled", "gros_michel_extinct", "refresh_debuffs"])
def test_flags_are_truths(game, name):
    for value in (True, False, 1, 0):
        game.clone().edit(**{name: value})
    for value in (2, -1, 257, "yes", None, 1.0):
        assert refusal(game, **{name: value}) == f"{name}: expected True, False, 1 or 0; got {value!r}"


# --- names ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("value", "blind"), [("small", "small"), ("big", "big"), ("boss", "boss")])
def test_next_blind_is_one_of_three(value, blind):
    run = start()
    run.edit(next_blind=value)
    assert run.state()["next_blind"] == blind


@pytest.mark.parametrize("value", ["nonsense", "Boss", "", 2, None, True], ids=repr)
def test_other_next_blinds_are_refused(value):
    assert refusal(start(), next_blind=value).startswith("next_blind: expected ")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"mony": 3}, "mony: no such part of a run; did you mean money?"),
        ({"joker": ["j_joker"]}, "joker: no such part of a run; did you mean jokers?"),
        ({"drawpile": []}, "drawpile: no such part of a run; did you mean draw_pile?"),
        ({"weather": 1}, "weather: no such part of a run"),
        ({"jokers": ["j_blueprnt"]}, "jokers: unknown joker 'j_blueprnt'; did you mean j_blueprint?"),
        (
            {"jokers": ["somebody else"]},
            "jokers: unknown joker 'somebody else'; expected a key such as j_joker",
        ),
        ({"consumables": ["c_hermt"]}, "consumables: unknown consumable 'c_hermt'; did you mean c_hermit?"),
        ({"boss": 3}, "boss: expected a string, got 3"),
        ({"boss": "bl_small"}, "boss: the boss must be a boss blind, got 'bl_small'"),
        ({"skip_tags": ["tag_handy"]}, "skip_tags: expected two tags, of the small and the big blind; got 1"),
        ({"jokers": "j_joker"}, "jokers: expected a list of strings, got 'j_joker'"),
        ({"jokers": ["j_joker", 5]}, "jokers: expected a list of strings; entry 1 is 5"),
        ({"targets": {"idol": 7}}, "targets: expected a string, got 7"),
        ({"targets": {"mail": "1"}}, "targets: '1' is not a rank; expected one of 2-9 T J Q K A"),
        (
            {"targets": {"castle": "none"}},
            "targets: unknown suit 'none'; expected Clubs, Diamonds, Hearts or Spades",
        ),
        (
            {"targets": {"baron": "H_K"}},
            "targets: unknown target 'baron'; expected idol, mail, castle or ancient",
        ),
        ({"shop_packs": ["p_arcana_normal_1"] * 3}, "shop_packs: at most 2 entries fit, got 3"),
        ({"shop_packs": ["j_joker"]}, "shop_packs: 'j_joker' does not belong there"),
    ],
    ids=str,
)
def test_wrong_names_say_what_was_meant(game, changes, said):
    assert refusal(game, **changes) == said


# --- one-line forms ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ("j_joker;v=nan", "v must be 0 to 1e+300, got nan"),
        ("j_joker;v=inf", "v must be 0 to 1e+300, got inf"),
        ("j_joker;v=-1", "v must be 0 to 1e+300, got -1"),
        ("j_joker;v=1e301", "v must be 0 to 1e+300, got 1e301"),
        ("j_joker;v=", "v='' is not a number"),
        ("j_joker;c=2000000", "c must be -1000000 to 1000000, got 2000000"),
        ("j_joker;c=4294967297", "c must be -1000000 to 1000000, got 4294967297"),
        ("j_joker;c=1.5", "c must be a whole number, got 1.5"),
        ("j_joker;b=32768", "b must be -32768 to 32767, got 32768"),
        ("j_joker;b=nan", "b must be -32768 to 32767, got nan"),
        ("j_joker;n=6", "n must be 0 to 5, got 6"),
        ("j_joker;n=257", "n must be 0 to 5, got 257"),
        ("j_joker;d=2", "d must be 0 to 1, got 2"),
        ("j_joker;s=EQ", "unknown sticker in 'EQ'; expected E, P, R or X (pinned)"),
    ],
)
def test_letters_of_jokers_have_bounds(game, form, said):
    assert refusal(game, jokers=["j_egg", form]) == f"jokers: 'j_joker': {said}"


@pytest.mark.parametrize(
    ("form", "said"),
    [
        ("S_A;b=65536", "'S_A': b must be 0 to 65535, got 65536"),
        ("S_A;b=-1", "'S_A': b must be 0 to 65535, got -1"),
        ("S_A;b=nan", "'S_A': b must be 0 to 65535, got nan"),
        ("S_A;b=2.5", "'S_A': b must be a whole number, got 2.5"),
        ("S_A;f=3", "'S_A': f must be 0 to 1, got 3"),
        ("S_A;e=foil;e=holo", "'S_A;e=foil;e=holo': the letter e is given twice"),
    ],
)
@pytest.mark.parametrize("place", ["hand", "draw_pile", "discard_pile"])
def test_letters_of_cards_have_bounds(game, place, form, said):
    assert refusal(game, **{place: ["H_2", form]}) == f"{place}: {said}"


def test_letters_at_their_bounds_are_taken(game):
    game.edit(
        jokers=["j_joker;v=1e300;c=-1000000;b=32767;n=0", "j_joker;v=0;c=1000000;b=-32768;n=5"],
        hand=["S_A;b=65535", "S_2;b=0"],
    )
    assert [joker["value"] for joker in game.state()["jokers"]] == [1e300, 0]
    assert [card["bonus"] for card in game.state()["hand"]] == [65535, 0]


def test_free_is_a_truth():
    assert refusal(start(), shop_slots=["j_joker;r=7"]) == "shop_slots: 'j_joker': r must be 0 to 1, got 7"
    shopping(shop_slots=["j_joker;r=1"])


# --- all or nothing ---------------------------------------------------------------------------------------------------


def test_one_wrong_value_keeps_all_others_out(game):
    assert (
        refusal(game, money=77, levels={"Pair": 3}, jokers=["j_joker"], stake=257)
        == "stake: expected 1 to 8, got 257"
    )
    assert refusal(game, levels={"Pair": 3, "Flush": -1}) == "levels: Flush: expected 0 to 1000000, got -1"
    game.edit(money=77, levels={"Pair": 3})
    assert (game.money, game.hands["Pair"].level) == (77, 3)


def test_parts_that_do_not_fit_together_are_refused():
    assert "cards are in hand outside of a blind and a pack" in refusal(start(), hand=["S_A"])
    assert "a blind is played in its own phase only" in refusal(start(), blind="bl_hook")
    playing(["S_A"], blind="bl_hook").edit(blind="bl_wall")


def test_extreme_edits_can_be_played():
    run = playing(
        ["S_A", "H_A", "D_A", "C_A", "S_2"],
        jokers=["j_bull", "j_bootstraps", "j_rocket;v=1e300", "j_turtle_bean;c=1000000"],
        money=1_000_000_000,
        levels={"Four of a Kind": 1_000_000},
    )
    run.edit(target=0)
    run.step(Action.play(0, 1, 2, 3))
    run.step(Action.cash_out())
    assert run.money == 1_000_000_000
    assert run.hands["Four of a Kind"].level == 1_000_000
    Game.restore(run.snapshot())


# --- what is no action ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["step", "why_not", "preview", "describe"])
@pytest.mark.parametrize("value", [0, None, "play", (0, 0, 0, 1), np.int64(3)], ids=repr)
def test_other_things_are_no_actions(game, method, value):
    before = game.snapshot()
    with pytest.raises(
        NotAnActionError, match=r"is not an action; make one, as in Action.play\(0, 1\)"
    ) as caught:
        getattr(game, method)(value)
    assert isinstance(caught.value, (TypeError, JimbotError))
    assert game.snapshot() == before


@pytest.mark.parametrize("method", ["step", "why_not", "preview", "describe"])
@pytest.mark.parametrize(
    "action",
    [
        Action(ActionKind.BUY_CARD, 300),
        Action(ActionKind.BUY_CARD, -1),
        Action(ActionKind.MOVE_CARD, 0, 256),
        Action(ActionKind.BUY_CARD, "x"),  # pyright: ignore[reportArgumentType]
        Action(77),  # pyright: ignore[reportArgumentType]
        Action("play"),  # pyright: ignore[reportArgumentType]
    ],
    ids=repr,
)
def test_actions_with_impossible_parts_are_none(game, method, action):
    with pytest.raises(
        NotAnActionError, match="its kind must be of ActionKind and its positions whole numbers, 0 to 255"
    ):
        getattr(game, method)(action)


def test_actions_are_answered(game):
    assert game.why_not(Action.play(0)) is None
    assert game.why_not(Action.leave_shop()) == "this action does not belong to the current phase"
    assert game.describe(Action.cash_out()) == "cash out"
