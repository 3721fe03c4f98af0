"""Screens: every phase shows what a player needs and nothing a player may not know."""

from __future__ import annotations

import re
from typing import Any

import pytest
from tests.probes.table import playing, shopping

from jimbot.balatro import Action, Game, Phase
from jimbot.balatro.drawing.card_faces import format_amount
from jimbot.balatro.drawing.text import render_ansi
from jimbot.balatro.game.parts import format_card_name
from jimbot.balatro.names import SUIT_SIGNS

from . import scenes

SCENES = scenes.every_phase()
ESCAPE = re.compile("\x1b\\[[0-9;]*m")


def plain(game: Game, width: int = 100, **options: Any) -> str:
    return render_ansi(game, width, color=False, **options)


@pytest.mark.parametrize("width", [40, 60, 80, 100, 140])
@pytest.mark.parametrize("phase", Phase)
def test_every_phase_fits_every_width(phase, width):
    text = plain(SCENES[phase], width)
    assert max(map(len, text.splitlines())) <= width
    assert "ante 1" in text
    assert "\x1b" not in text


@pytest.mark.parametrize("phase", Phase)
def test_colors_change_no_letter(phase):
    colored = render_ansi(SCENES[phase], 100)
    assert "\x1b[" in colored
    assert ESCAPE.sub("", colored) == plain(SCENES[phase])


@pytest.mark.parametrize("phase", Phase)
def test_rendering_changes_nothing(phase):
    game = SCENES[phase]
    before = game.hash
    assert plain(game) == plain(game)
    assert game.hash == before


@pytest.mark.parametrize(
    ("phase", "parts"),
    [
        (
            Phase.BLIND_SELECT,
            ["choose a blind", "Small Blind", "score 300", "skip for", "The Club", "Red Deck"],
        ),
        (
            Phase.PLAYING,
            ["0 of 1,000", "jokers 6/6", "Ride the Bus", "value 4", "perishes in 5", "consumables 3/3"],
        ),
        (
            Phase.PLAYING,
            ["A♠", "Glass", "●Red", "debuff", "hidden", "Pair level 3", "sells $12", "money $20"],
        ),
        (Phase.ROUND_EVAL, ["blind reward", "hands left", "jokers", "cash out"]),
        (Phase.SHOP, ["for sale · reroll $5", "Zany Joker", "rental", "Holographic", "$10", "Jumbo Arcana"]),
        (Phase.PACK, ["Jumbo Arcana Pack · choose 1", "tarot", "hand 8/8"]),
        (Phase.GAME_OVER, ["the run is lost in ante 1", "The Wall"]),
    ],
)
def test_what_a_phase_shows(phase, parts):
    text = plain(SCENES[phase])
    assert [part for part in parts if part not in text] == []


def test_target_of_the_next_blind_is_the_one_it_will_ask_for():
    for place in ("small", "big", "boss"):
        game = Game("PROBE", stake=3)
        game.edit(ante=4, next_blind=place)
        text = plain(game)
        game.step(Action.select_blind())
        assert f"score {format_amount(game.blind.target)} " in text


def test_won_run():
    assert "the run is won" in plain(scenes.won())


def test_bar_grows_with_the_score():
    game = playing(["S_A", "H_A"], target=128)
    assert "░" * 30 in plain(game)
    game.step(Action.play(0, 1))  # 64 of 128
    assert f"  {'█' * 15}{'░' * 15}  64 of 128" in plain(game)


def test_bought_cards_leave_a_place():
    game = shopping(money=50)
    game.step(Action.buy(0))
    assert "sold" in plain(game)


# --- hidden things --------------------------------------------------------------------------------------------------


def test_face_down_card_is_never_shown():
    game = scenes.in_round()
    text = plain(game) + render_ansi(game)
    assert "hidden" in text
    for secret in ("Q♥", "H_Q", format_card_name("H_Q")):
        assert secret not in text
    assert "Q♥" in plain(game, public=False)


@pytest.mark.parametrize("front", ["S_2", "H_T", "D_A", "C_J"])
def test_any_face_down_front_is_hidden(front):
    rank = "10" if front[2] == "T" else front[2]
    game = playing([f"{front};f=1", "S_9"])
    assert rank + SUIT_SIGNS[front[0]] not in plain(game)


def test_face_down_jokers_have_no_names():
    game = playing(["S_9"], jokers=["j_baron", "j_duo"], blind="bl_final_acorn")
    text = plain(game)
    assert "Baron" not in text
    assert "Duo" not in text
    assert text.count("hidden") == 2
    assert "Baron" in plain(game, public=False)


@pytest.mark.parametrize("phase", Phase)
def test_twins_look_the_same(phase):
    game = SCENES[phase]
    assert {plain(game.resample_hidden(seed)) for seed in range(5)} == {plain(game)}


def test_seed_is_not_written():
    assert "7LB2WVPK" not in plain(Game("7LB2WVPK"))


def test_words_of_actions_hide_face_down_jokers():
    game = playing(["S_9"], jokers=["j_baron", "j_duo"], blind="bl_final_acorn")
    assert game.describe(Action.sell_joker(0)) == "sell a face-down joker"
    assert scenes.in_shop().describe(Action.buy(0)) == "buy Holographic Zany Joker (Rental)"


def test_narrow_screens_are_refused():
    with pytest.raises(ValueError, match="at least 40 columns, got 39"):
        render_ansi(Game("A"), 39)


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (1234.0, "1,234"), (1.5, "1.5"), (2.25e12, "2.25e+12"), (float("inf"), "inf")],
)
def test_amounts(value, text):
    assert format_amount(value) == text
