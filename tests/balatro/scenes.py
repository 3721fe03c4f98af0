"""Runs in every phase, for whatever shows a run."""

from __future__ import annotations

from tests.probes.table import playing, shopping, start, win_round

from jimbot.balatro import Action, Game, Phase

JOKERS = [
    "j_blueprint;e=negative;s=ER",
    "j_ride_the_bus;v=4;e=holo",
    "j_todo_list",
    "j_joker;e=foil;s=P",
    "j_caino;v=3.5;e=polychrome",
    "j_hanging_chad;d=1",
]
HAND = [
    "S_A;h=m_glass;e=foil;l=Red",
    "H_K;h=m_steel;l=Blue",
    "D_T;d=1",
    "C_9;e=polychrome;h=m_lucky",
    "H_Q;f=1",
    "S_7;h=m_stone",
    "D_2;e=holo;l=Gold;h=m_wild",
    "C_3;l=Purple;h=m_gold;b=15",
]


def in_round() -> Game:
    """A round with one of everything; the Queen of Hearts is face down."""
    return playing(
        HAND,
        jokers=JOKERS,
        target=1000,
        consumables=["c_fool", "c_pluto;e=negative", "c_ankh"],
        money=20,
        levels={"Pair": 3},
    )


def in_shop() -> Game:
    return shopping(
        jokers=["j_joker"], shop_slots=["j_zany;e=holo;s=R", "c_pluto", "S_A;h=m_glass;l=Red"], money=9
    )


def in_pack() -> Game:
    game = shopping(money=20)
    game.step(Action.open_pack(1))  # a Jumbo Arcana Pack: the hand is dealt for it
    return game


def lost() -> Game:
    game = playing(["S_2"], blind="bl_wall", hands_left=1)
    game.step(Action.play(0))
    return game


def won() -> Game:
    """The boss of ante 8 beaten."""
    game = start()
    game.edit(ante=8)
    playing(blind="bl_final_vessel", game=game)
    return win_round(game)


def every_phase() -> dict[Phase, Game]:
    """A run in each phase."""
    found = {
        Phase.BLIND_SELECT: start(),
        Phase.PLAYING: in_round(),
        Phase.ROUND_EVAL: win_round(playing(jokers=["j_golden"])),
        Phase.SHOP: in_shop(),
        Phase.PACK: in_pack(),
        Phase.GAME_OVER: lost(),
    }
    assert {phase: game.phase for phase, game in found.items()} == {phase: phase for phase in Phase}
    return found
