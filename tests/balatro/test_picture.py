"""Pictures: right shape, every phase, different states look different, hidden cards look alike."""

from __future__ import annotations

import sys

import numpy as np
import pytest
from tests.probes.table import playing, shopping

from jimbot.balatro import Action, Game, Phase
from jimbot.balatro.names import get_catalog_names
from jimbot.errors import MissingExtraError

from . import scenes

pytest.importorskip("PIL")

from jimbot.balatro.drawing import canvas
from jimbot.balatro.drawing.palette import FELT
from jimbot.balatro.drawing.picture import render_rgb

SCENES = scenes.every_phase()


@pytest.mark.parametrize("phase", Phase)
def test_every_phase_has_a_picture(phase):
    picture = render_rgb(SCENES[phase])
    assert picture.shape == (540, 960, 3)
    assert picture.dtype == np.uint8
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 50
    assert (picture == render_rgb(SCENES[phase])).all()


def test_phases_look_different():
    pictures = [render_rgb(game).tobytes() for game in (*SCENES.values(), scenes.won())]
    assert len(set(pictures)) == len(pictures)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"hand": ["S_A"]}, {"hand": ["S_K"]}),
        ({"hand": ["S_A"]}, {"hand": ["C_A"]}),
        ({"hand": ["H_A"]}, {"hand": ["D_A"]}),
        ({"hand": ["S_A"]}, {"hand": ["S_A;h=m_steel"]}),
        ({"hand": ["S_A"]}, {"hand": ["S_A;e=foil"]}),
        ({"hand": ["S_A;l=Red"]}, {"hand": ["S_A;l=Blue"]}),
        ({"hand": ["S_A"]}, {"hand": ["S_A;d=1"]}),
        ({"hand": ["S_A"]}, {"hand": ["S_A;f=1"]}),
        ({"jokers": ["j_joker"]}, {"jokers": ["j_jolly"]}),
        ({"jokers": ["j_joker"]}, {"jokers": ["j_joker;e=negative"]}),
        ({"money": 4}, {"money": 5}),
        ({"target": 300}, {"target": 301}),
    ],
)
def test_any_difference_shows(one, other):
    assert (render_rgb(playing(**one)) != render_rgb(playing(**other))).any()


@pytest.mark.parametrize("size", [(960, 540), (640, 360), (320, 320), (1920, 1080), (64, 64), (101, 77)])
def test_sizes(size):
    picture = render_rgb(SCENES[Phase.SHOP], size)
    assert picture.shape == (size[1], size[0], 3)
    if size == (320, 320):  # the table is wider than high: felt above and below
        assert (picture[5, :] == FELT).all()
        assert (picture[-5, :] == FELT).all()


@pytest.mark.parametrize("size", [(0, 540), (960, 8), (9000, 540)])
def test_sizes_that_make_no_sense(size):
    with pytest.raises(ValueError, match="16 to 8192 pixels"):
        render_rgb(SCENES[Phase.SHOP], size)


def test_caption_is_drawn():
    game = SCENES[Phase.SHOP]
    changed = (render_rgb(game) != render_rgb(game, caption="12. buy Joker")).any(axis=(1, 2))
    assert changed.any()
    assert not changed[:515].any()


def test_face_down_cards_look_alike():
    pictures = {
        render_rgb(playing([f"{front};f=1", "S_9"])).tobytes() for front in ("H_Q", "C_2", "D_T;e=foil")
    }
    assert len(pictures) == 1


@pytest.mark.parametrize("phase", Phase)
def test_twins_look_the_same(phase):
    game = SCENES[phase]
    assert (render_rgb(game.resample_hidden(3)) == render_rgb(game)).all()


def test_crowded_tables():
    many = [f"{suit}_{rank}" for suit in "SHCD" for rank in "AKQT"]
    tags = ["tag_double"] * 8
    game = playing(many, jokers=["j_baron;e=negative"] * 14, target=1e300, money=-20, tags=tags)
    assert render_rgb(game).shape == (540, 960, 3)
    assert render_rgb(shopping(shop_slots=["j_wee"] * 4)).shape == (540, 960, 3)


def test_letters_the_font_has():
    assert canvas.simplify_text("Séance \N{MULTIPLICATION SIGN}2 · 水") == "Seance x2 · ?"
    assert [
        name for name in get_catalog_names().values() if "?" in canvas.simplify_text(name).replace("???", "")
    ] == []


def test_long_names_are_made_to_fit():
    sheet = canvas.Canvas((960, 540), FELT)
    sheet.text(100, 100, "a very long name that goes on and on", 20, (255, 255, 255), width=80)
    drawn = np.argwhere((sheet.pixels() != FELT).any(axis=2))
    assert drawn[:, 1].min() >= 98
    assert drawn[:, 1].max() <= 182


@pytest.mark.parametrize("letter", "SHCD")
def test_suits_stay_inside_their_square(letter):
    points = [point for shape in canvas.make_suit_polygons(letter) for point in shape]
    assert all(-0.56 <= x <= 0.56 and -0.56 <= y <= 0.56 for x, y in points)
    sheet = canvas.Canvas((960, 540), FELT)
    sheet.suit(letter, 480, 270, 100, (255, 0, 0))
    assert (sheet.pixels()[270, 480] == (255, 0, 0)).all()


def test_without_pillow_one_line_says_what_brings_it(monkeypatch):
    for module in [name for name in sys.modules if name.split(".")[0] == "PIL"]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'jimbot\[render\]'"):
        render_rgb(Game("A"))


def test_a_step_changes_the_picture():
    game = Game("7LB2WVPK")
    before = render_rgb(game)
    game.step(Action.select_blind())
    assert (render_rgb(game) != before).any()
