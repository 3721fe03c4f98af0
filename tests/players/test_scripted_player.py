"""The scripted player: legal everywhere, fair, repeatable, its weights checked, and better than the greedy one."""

from __future__ import annotations

import random

import pytest
from tests.probes.table import playing, shopping

from jimbot import _engine
from jimbot.balatro import Action, ActionKind, Game, Phase
from jimbot.balatro.names import get_catalog_kinds
from jimbot.players import ScriptedPlayer
from jimbot.players.evaluation import evaluate_player, training_seeds
from jimbot.players.scripted_player import WeightError, default_weights, weight_list, weight_table

MOST_STEPS = 3000
QUICK = {"hand_samples": 1, "close_samples": 1, "fresh_samples": 1, "strength_samples": 2}
"""Weights that decide fast and not well, for tests that need many decisions."""


def keys_of(kind: str) -> list[str]:
    return [key for key, known in get_catalog_kinds().items() if known == kind]


def play(game: Game, player: ScriptedPlayer) -> Game:
    for _ in range(MOST_STEPS):
        if game.over:
            return game
        game.step(player.choose(game))  # raises if it is not legal
    raise AssertionError(f"{game!r} did not end")


# --- legal everywhere -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("deck", [deck for deck in keys_of("deck") if deck != "b_challenge"])
def test_every_deck_is_played_to_its_end(deck):
    play(Game("DECKS", deck), ScriptedPlayer(QUICK))


@pytest.mark.parametrize("stake", range(1, 9))
def test_every_stake_is_played_to_its_end(stake):
    play(Game("STAKES", "b_black", stake), ScriptedPlayer(QUICK))


@pytest.mark.parametrize("challenge", keys_of("challenge"))
def test_every_challenge_is_played_to_its_end(challenge):
    play(Game("TESTED", challenge=challenge), ScriptedPlayer(QUICK))


@pytest.mark.slow
def test_many_runs_of_any_kind_are_legal():
    rng = random.Random(4)
    decks = [deck for deck in keys_of("deck") if deck != "b_challenge"]
    for number in range(150):
        play(Game(f"ANY{number + 1}", rng.choice(decks), rng.randint(1, 8)), ScriptedPlayer(QUICK))


def test_endless_runs_go_on():
    game, player = Game("ENDLESS", endless=True), ScriptedPlayer(QUICK)
    for _ in range(200):
        if not game.over:
            game.step(player.choose(game))
    assert game.round > 1


def test_a_run_that_is_over_has_no_choice():
    game = play(Game("A"), ScriptedPlayer(QUICK))
    with pytest.raises(ValueError, match="the run is over"):
        ScriptedPlayer().choose(game)


# --- fair and repeatable --------------------------------------------------------------------------------------------


def test_twins_get_the_same_choice_through_whole_runs():
    player = ScriptedPlayer()
    for number in range(3):
        game = Game(f"TWIN{number + 1}")
        for step in range(150):
            if game.over:
                break
            choice = player.choose(game)
            assert player.choose(game.resample_hidden(step)) == choice
            game.step(choice)


@pytest.mark.parametrize(
    "boss", ["bl_house", "bl_fish", "bl_mark", "bl_wheel", "bl_final_acorn", "bl_final_bell"]
)
def test_twins_get_the_same_choice_where_cards_are_hidden(boss):
    player = ScriptedPlayer()
    game = Game("HIDDEN")
    game.edit(boss=boss, next_blind="boss", jokers=["j_blueprint", "j_duo", "j_joker", "j_baron"])
    while not game.over and game.phase in (Phase.BLIND_SELECT, Phase.PLAYING):
        choice = player.choose(game)
        for seed in range(4):
            assert player.choose(game.resample_hidden(seed)) == choice
        game.step(choice)


def test_same_seed_and_weights_same_run_on_any_number_of_threads():
    seeds = training_seeds(6, 1)
    one = _engine.expert_play(seeds, "b_red", 1, weight_list(QUICK), 1, 8)
    two = _engine.expert_play(seeds, "b_red", 1, weight_list(QUICK), 3, 8)
    assert one["jokers"] == two["jokers"]
    for column in ("won", "ante", "blinds", "steps", "money", "best_hand", "cleared"):
        assert (one[column] == two[column]).all()


def test_runs_in_the_engine_are_runs_of_the_player():
    (seed,) = training_seeds(1, 8)
    columns = _engine.expert_play([seed], "b_red", 1, weight_list(QUICK), 1, 8)
    game = play(Game(_engine.seed_at(seed)), ScriptedPlayer(QUICK))
    assert len(game.actions or []) == columns["steps"][0]
    assert (game.won, game.ante, game.money) == (columns["won"][0], columns["ante"][0], columns["money"][0])


def test_other_weights_other_runs():
    seeds = training_seeds(4, 2)
    runs = [
        _engine.expert_play(seeds, "b_red", 1, weight_list(QUICK | changes), 1, 8)["steps"].tolist()
        for changes in ({}, {"dollar": 0.0, "interest": 0.0, "reroll_gain": 0.5})
    ]
    assert runs[0] != runs[1]


# --- sense ----------------------------------------------------------------------------------------------------------

HAND = ["S_A", "H_A", "D_9", "C_7", "H_6", "D_4", "C_3", "S_2"]


def test_plays_what_clears_the_blind():
    choice = ScriptedPlayer().choose(playing(HAND, target=60))
    assert choice.kind is ActionKind.PLAY_HAND
    assert {0, 1} <= set(choice.cards)


def test_keeps_a_gold_card_when_it_is_not_needed():
    hand = ["S_A", "H_A", "D_9;h=m_gold", "C_7", "H_6", "D_4", "C_3", "S_2"]
    assert 2 not in ScriptedPlayer().choose(playing(hand, target=60)).cards


def test_discards_for_a_flush_that_alone_is_enough():
    hand = ["H_K", "H_9", "H_6", "H_2", "S_Q", "C_T", "D_7", "C_4"]
    choice = ScriptedPlayer().choose(playing(hand, target=180, hands_left=1, discards_left=1))
    assert choice.kind is ActionKind.DISCARD
    assert not set(choice.cards) & {0, 1, 2, 3}


def test_five_cards_for_the_psychic():
    choice = ScriptedPlayer().choose(playing(HAND, blind="bl_psychic", discards_left=0))
    assert choice.kind is ActionKind.PLAY_HAND
    assert len(choice.cards) == 5


def test_sells_a_joker_for_verdant_leaf():
    game = playing(HAND, blind="bl_final_leaf", jokers=["j_joker", "j_credit_card"])
    assert ScriptedPlayer().choose(game) == Action.sell_joker(1)


def test_buys_a_joker_when_it_has_none():
    game = shopping(shop_slots=["j_jolly", "c_pluto"], money=8)
    assert ScriptedPlayer().choose(game) == Action.buy(0)


def test_uses_planets():
    game = shopping(shop_slots=[], money=0, consumables=["c_mercury"])
    assert ScriptedPlayer().choose(game) == Action.use(0)


def test_beats_the_greedy_player():
    seeds = training_seeds(12, 5)
    scripted = evaluate_player("scripted", seeds)
    greedy = evaluate_player("greedy", seeds)
    assert scripted.mean_blinds > greedy.mean_blinds + 3


# --- weights --------------------------------------------------------------------------------------------------------


def test_weights_by_name_and_as_a_list_are_the_same():
    assert weight_list() == list(default_weights().values())
    changed = weight_list({"dollar": 0.01})
    assert changed != weight_list()
    assert ScriptedPlayer(changed).weights == ScriptedPlayer({"dollar": 0.01}).weights


def test_items_have_weights():
    names = {weight.name for weight in weight_table()}
    assert {f"joker.{key}" for key in keys_of("joker")} <= names
    assert {f"voucher.{key}" for key in keys_of("voucher")} <= names
    assert {f"tag.{key}" for key in keys_of("tag")} <= names


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ({"dolar": 1.0}, "unknown weight 'dolar'; did you mean 'dollar'"),
        ({"qqq": 1.0}, "see weight_table.. for all names"),
        ({"dollar": 99.0}, "weight dollar must be 0 to 0.2, got 99"),
        ({"dollar": float("nan")}, "weight dollar must be 0 to 0.2, got nan"),
        ([0.0, 1.0], "expected .* weights, .* got 2"),
    ],
)
def test_impossible_weights_are_refused(weights, message):
    with pytest.raises(WeightError, match=message):
        ScriptedPlayer(weights)


def test_the_engine_refuses_nonsense():
    with pytest.raises(ValueError, match="one value per weight"):
        _engine.expert_choose(Game("A").engine_state, [1.0])
    for seeds, deck, stake, threads, ante in [
        ([_engine.seed_space], "b_red", 1, 1, 8),
        ([1], "b_nonsense", 1, 1, 8),
        ([1], "b_challenge", 1, 1, 8),
        ([1], "b_red", 9, 1, 8),
        ([1], "b_red", 1, 0, 8),
        ([1], "b_red", 1, 1, 0),
    ]:
        with pytest.raises(ValueError, match=r"seed|deck|stake|threads|unknown|cannot"):
            _engine.expert_play(seeds, deck, stake, weight_list(), threads, ante)
