"""Rules that belong to no single item, choices of DIFFERENCES.md, and the limits of the flat state."""

import pytest
from tests.probes.table import FAR, keys, play, playing, refused, shopping, start

from jimbot.balatro import Action, Game, IllegalActionError, Phase
from jimbot.balatro.game.game import EditError
from jimbot.balatro.seeds.contents import SeedError

JOKERS = 20
CONSUMABLES = 16
CARDS = 224
HAND = 32


def test_cards_bought_in_a_shop_lie_on_top_of_the_draw_pile():
    game = shopping(shop_slots=["S_A;h=m_glass"], money=10)
    game.step(Action.buy(0))
    top = game.state()["draw_pile"][0]
    assert (top["card"], top["enhancement"]) == ("S_A", "m_glass")


def test_a_card_keeps_its_creation_number_from_the_shelf():
    """A shelf card that was made before a pack card ranks before it, whichever is taken first."""
    game = shopping(shop_slots=["S_A"], shop_packs=["p_standard_normal_1"], money=20)
    game.step(Action.open_pack(0))
    game.step(Action.pick(0))
    game.step(Action.buy(0))
    created = [card["created"] for card in game.state()["draw_pile"] if card["created"] >= 52]
    assert len(created) == 2
    newest_first = game.state()["draw_pile"][:2]
    assert newest_first[0]["card"] == "S_A"
    assert newest_first[0]["created"] < newest_first[1]["created"]


def test_a_hand_emptied_by_a_consumable_is_refilled():
    game = playing(["S_A", "H_A"], consumables=["c_hanged_man"])
    game.step(Action.use(0, 0, 1))
    assert game.phase is Phase.PLAYING
    assert len(game.hand) == 8


def test_a_round_without_cards_is_lost():
    game = playing(["S_A"], draw_pile=[])
    game.step(Action.play(0))
    assert game.over
    assert not game.won


def test_refused_actions_change_nothing():
    game = playing(["S_A", "S_K", "S_Q", "S_J", "S_T", "S_9"])
    assert "at most 5" in refused(game, Action.play(0, 1, 2, 3, 4, 5))
    assert "not in the hand" in refused(game, Action.play(7))
    assert "empty" in refused(game, Action.play())
    assert "phase" in refused(game, Action.leave_shop())
    assert "position" in refused(game, Action.sell_joker(0))
    before = game.hash
    with pytest.raises(IllegalActionError, match=r"leave the shop: .*phase"):
        game.step(Action.leave_shop())
    assert game.hash == before


def test_a_run_that_is_over_allows_nothing():
    game = playing(["S_2"], hands_left=1)
    play(game, 0)
    assert game.over
    assert game.legal_actions() == []
    assert "over" in refused(game, Action.select_blind())


def test_actions_of_other_positions_are_refused_with_their_names():
    game = shopping(shop_slots=["j_joker"], money=0)
    assert "money" in refused(game, Action.buy(0))
    game.edit(money=50)
    game.step(Action.buy(0))
    assert "emptied" in refused(game, Action.buy(0))
    assert "nothing at this position" in refused(game, Action.buy(3))


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seed": "TOOLONGSEED"}, "1 to 8 characters"),
        ({"seed": "A-B"}, "1-9 and A-Z"),
        ({"seed": ""}, "1 to 8 characters"),
        ({"seed": "A", "deck": "b_none"}, "unknown deck 'b_none'"),
        ({"seed": "A", "deck": "b_challenge"}, "cannot be chosen"),
        ({"seed": "A", "stake": 9}, "stake must be 1"),
        ({"seed": "A", "challenge": "c_nobody_1"}, "unknown challenge"),
        ({"seed": "A", "challenge": "c_city_1", "stake": 3}, "White Stake"),
        ({"seed": "A", "profile": "half"}, "all or fresh"),
    ],
)
def test_impossible_options(options, message):
    with pytest.raises(SeedError, match=message):
        Game(**options)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"jokers": ["j_nobody"]}, "unknown joker"),
        ({"jokers": ["j_joker;q=1"]}, "cannot read 'q=1'"),
        ({"jokers": ["j_joker;v=much"]}, "not a number"),
        ({"jokers": "j_joker"}, "list of strings"),
        ({"hand": ["S_1"]}, "is not a card"),
        ({"weather": 1}, "no such part"),
        ({"boss": "bl_small"}, "must be a boss"),
        ({"levels": {"Royal": 1}}, "unknown poker hand"),
        ({"deck": ["S_A"]}, r"deck: expected a string, got \['S_A'\]"),
        ({"jokers": ["j_joker"] * (JOKERS + 1)}, "at most 20 jokers"),
        ({"hand": ["S_2"] * (HAND + 1)}, "too many cards"),
    ],
)
def test_impossible_edits_change_nothing(changes, message):
    game = start()
    before = game.hash
    with pytest.raises(EditError, match=message):
        game.edit(**changes)
    assert game.hash == before


def test_the_deck_takes_no_more_than_its_capacity():
    game = playing(["S_A"], consumables=["c_cryptid"])
    game.edit(draw_pile=["H_2"] * (CARDS - 1))
    game.step(Action.use(0, 0))
    assert game.state()["deck_size"] == CARDS
    assert [card.card for card in game.hand] == ["S_A"]


def test_the_hand_takes_no_more_than_its_capacity():
    game = playing(["S_A"] * HAND, consumables=["c_cryptid"])
    size = game.state()["draw_pile_size"]
    game.step(Action.use(0, 0))
    assert len(game.hand) == HAND
    assert game.state()["draw_pile_size"] == size + 2


def test_jokers_beyond_the_capacity_are_not_created():
    game = playing(jokers=["j_joker"] * JOKERS, consumables=["c_judgement"], joker_slots=JOKERS + 5)
    game.step(Action.use(0))
    assert len(game.jokers) == JOKERS


def test_consumables_beyond_the_capacity_are_not_created():
    game = shopping(jokers=["j_perkeo"], consumables=["c_fool;e=negative"] * CONSUMABLES)
    game.step(Action.leave_shop())
    assert len(game.consumables) == CONSUMABLES


def test_bonus_chips_stop_at_their_limit():
    game = playing(["S_A;b=65534"], jokers=["j_hiker"], target=FAR)
    play(game, 0)
    bonus = [card["bonus"] for card in game.state()["discard_pile"]]
    assert bonus == [65535]


def test_sorting_by_suit_stays_in_force():
    game = start()
    game.step(Action.select_blind())
    game.step(Action.sort_hand("suit"))
    order = "SHCD"
    fronts = [card.card or "" for card in game.hand]
    assert [order.index(front[0]) for front in fronts] == sorted(order.index(front[0]) for front in fronts)
    game.edit(target=FAR)
    game.step(Action.discard(0, 1))
    suits = [order.index((card.card or "")[0]) for card in game.hand]
    assert suits == sorted(suits)


def test_moved_cards_stay_until_the_next_draw():
    game = playing(["S_A", "H_K", "D_Q"])
    game.step(Action.move_card(2, 0))
    assert [card.card for card in game.hand] == ["D_Q", "S_A", "H_K"]
    assert "already" in refused(game, Action.move_card(1, 1))


def test_jokers_move_and_act_in_their_new_order():
    game = playing(["S_A"], jokers=["j_joker", "j_cavendish"])
    assert game.preview(Action.play(0))["score"] == 16 * ((1 + 4) * 3)
    game.step(Action.move_joker(1, 0))
    assert keys(game.jokers) == ["j_cavendish", "j_joker"]
    assert game.preview(Action.play(0))["score"] == 16 * (1 * 3 + 4)


def test_preview_all_is_preview_of_each():
    game = playing(
        ["S_A", "H_A;h=m_glass", "D_K;e=holo", "C_K", "S_Q;h=m_stone", "H_2;h=m_steel", "D_2;l=Red", "C_3"],
        jokers=["j_blueprint", "j_photograph", "j_hanging_chad", "j_baron", "j_green_joker;v=3"],
    )
    plays = game.preview_all()
    assert len(plays) == 218
    for play_ in plays:
        single = game.preview(play_.action)
        assert (play_.hand, play_.score, play_.exact) == (single["hand"], single["score"], single["exact"])


def test_face_down_cards_tell_previews_nothing():
    seen = playing(["S_A", "H_A"])
    hidden = playing(["S_A", "H_A;f=1"])
    other = playing(["S_A", "C_7;f=1"])
    assert seen.preview(Action.play(0, 1))["hand"] == "Pair"
    assert hidden.preview(Action.play(0, 1)) == other.preview(Action.play(0, 1))
    assert not hidden.preview(Action.play(0, 1))["exact"]


def test_the_hook_and_trading_card_leave_the_played_cards_alone():
    """The Hook's only card is destroyed by Trading Card before the hand scores; the hand still is what was played."""
    game = playing(["S_2", "H_A", "H_K", "H_Q", "H_J", "H_T"], jokers=["j_trading"], blind="bl_hook")
    game.edit(hand=["S_2", "H_A", "H_K", "H_Q", "H_J", "H_T"])
    size = game.state()["deck_size"]
    assert play(game, 1, 2, 3, 4, 5) == (100 + 11 + 40) * 8
    plain = game.state()
    assert plain["deck_size"] == size - 1
    assert len(plain["hand"]) + len(plain["draw_pile"]) + len(plain["discard_pile"]) == size - 1


def test_nothing_times_infinity_scores_nothing():
    game = playing(["S_A"], game=Game("RICH", challenge="c_rich_1"))
    game.edit(jokers=["j_madness;v=1e200", "j_campfire;v=1e200"], money=0)
    assert game.preview(Action.play(0))["mult"] == float("inf")
    assert game.preview(Action.play(0))["score"] == 0
    assert play(game, 0) == 0


def test_matador_is_paid_before_bull_counts():
    """Previews of all plays know that Matador's pay depends on the play."""
    hand = ["S_A", "S_K", "H_K", "D_2", "C_2"]
    game = playing(hand, jokers=["j_matador", "j_bull"], blind="bl_goad")
    game.edit(hand=hand, refresh_debuffs=True)
    for seen in game.preview_all():
        assert seen.score == game.preview(seen.action)["score"]


def test_a_full_area_takes_no_negative_card_either():
    game = shopping(
        jokers=["j_joker"] * JOKERS, shop_slots=["j_mime;e=negative"], money=50, joker_slots=JOKERS + 9
    )
    assert "joker slots" in refused(game, Action.buy(0))
    game = shopping(consumables=["c_fool"] * CONSUMABLES, shop_slots=["c_sun;e=negative"], money=50)
    assert "consumable slots" in refused(game, Action.buy(0))
