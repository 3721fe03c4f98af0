"""Players: legal choices to the end of a run, from public information only."""

from __future__ import annotations

from typing import Any

import pytest
from tests.probes.table import playing, shopping, start

from jimbot.balatro import Action, ActionKind, Game, Phase
from jimbot.players import PLAYERS, GreedyPlayer, PlayerError, RandomPlayer, create_player

MOST_STEPS = 3000


def run_of(name: str, seed: str, **options: Any) -> Game:
    game, player = Game(seed, **options), create_player(name, seed=1)
    for _ in range(MOST_STEPS):
        if game.over:
            break
        game.step(player.choose(game))
    return game


@pytest.mark.parametrize("name", PLAYERS)
@pytest.mark.parametrize(
    "options",
    [
        {},
        {"deck": "b_ghost", "stake": 8},
        {"deck": "b_plasma", "stake": 5},
        {"challenge": "c_xray_1"},
        {"challenge": "c_jokerless_1"},
    ],
)
def test_runs_come_to_an_end(name, options):
    for seed in ("7LB2WVPK", "LANM6JB4", "A", "PLAYER"):
        assert run_of(name, seed, **options).over


@pytest.mark.parametrize("name", PLAYERS)
def test_same_seed_same_run(name):
    assert run_of(name, "7LB2WVPK").hash == run_of(name, "7LB2WVPK").hash


def test_random_seeds_differ():
    runs = set()
    for seed in range(5):
        game, player = Game("7LB2WVPK"), RandomPlayer(seed)
        for _ in range(5):
            if not game.over:
                game.step(player.choose(game))
        runs.add(game.hash)
    assert len(runs) > 1


@pytest.mark.parametrize("name", PLAYERS)
def test_twins_get_the_same_choice(name):
    """Nothing hidden is looked at: every run that looks the same is played the same."""
    walker = GreedyPlayer()
    for boss in ("bl_house", "bl_fish", "bl_final_acorn", "bl_wheel"):
        game = start(seed="TWINS")
        game.edit(boss=boss, next_blind="boss", jokers=["j_baron", "j_duo", "j_joker"])
        for _ in range(12):
            if game.over:
                break
            chosen = {
                create_player(name, 4).choose(twin) for twin in (game, *map(game.resample_hidden, range(4)))
            }
            assert len(chosen) == 1
            game.step(walker.choose(game))


def test_choosing_changes_nothing():
    for game in (start(), playing(), shopping(money=30)):
        before = game.hash
        for name in PLAYERS:
            assert game.why_not(create_player(name).choose(game)) is None
        assert game.hash == before


def test_random_does_more_than_reorder():
    game = playing(jokers=["j_joker", "j_duo"])
    kinds = {RandomPlayer(seed).choose(game).kind for seed in range(40)}
    assert {ActionKind.PLAY_HAND, ActionKind.DISCARD} <= kinds
    assert not kinds & {ActionKind.MOVE_JOKER, ActionKind.MOVE_CARD, ActionKind.SORT_HAND}


def test_unknown_player():
    with pytest.raises(PlayerError, match="unknown player 'x'; expected greedy, random or scripted"):
        create_player("x")


# --- greedy ---------------------------------------------------------------------------------------------------------

HAND = ["S_A", "H_A", "D_9", "C_7", "H_6", "D_4", "C_3", "S_2"]


def test_greedy_plays_the_best_hand_when_it_is_enough():
    choice = GreedyPlayer().choose(playing(HAND, target=60))
    assert choice.kind is ActionKind.PLAY_HAND
    assert {0, 1} <= set(choice.cards)


def test_greedy_discards_what_the_best_hand_does_not_need():
    assert GreedyPlayer().choose(playing(["S_A", "H_A", "D_9", "C_7", "D_6"])) == Action.discard(2, 3, 4)
    assert GreedyPlayer().choose(
        playing(["S_K", "H_K", "D_9", "C_8", "H_6", "D_5", "C_3"])
    ) == Action.discard(2, 3, 4, 5, 6)


def test_greedy_plays_when_no_discard_is_left():
    assert GreedyPlayer().choose(playing(HAND, discards_left=0)).kind is ActionKind.PLAY_HAND


def test_greedy_avoids_a_refused_hand():
    choice = GreedyPlayer().choose(playing(HAND, blind="bl_psychic", discards_left=0))
    assert len(choice.cards) == 5


def test_greedy_buys_jokers_left_to_right():
    player = GreedyPlayer()
    game = shopping(shop_slots=["c_pluto", "j_joker", "j_duo"], money=100)
    assert player.choose(game) == Action.buy(1)
    game.step(Action.buy(1))
    assert player.choose(game) == Action.buy(2)


def test_greedy_leaves_what_it_cannot_afford():
    assert GreedyPlayer().choose(shopping(money=0)) == Action.leave_shop()


def test_greedy_opens_packs_and_takes_the_first_usable_card():
    player, game = GreedyPlayer(), shopping(shop_slots=[], money=100)
    assert player.choose(game) == Action.open_pack(0)
    game.step(Action.open_pack(0))
    assert game.phase is Phase.PACK
    assert player.choose(game).kind is ActionKind.PICK_CARD
    assert player.choose(game).position == 0


def test_greedy_uses_its_planets():
    game = shopping(shop_slots=[], money=0, consumables=["c_fool", "c_pluto"])
    assert GreedyPlayer().choose(game) == Action.use(1)


def test_greedy_is_better_than_random():
    rounds = {name: sum(run_of(name, f"MATCH{n}").round for n in range(1, 7)) for name in PLAYERS}
    assert rounds["greedy"] > 3 * rounds["random"]
