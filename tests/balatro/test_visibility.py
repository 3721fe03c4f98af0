"""What a player sees, and when: the table of docs/guides/game.md.

Copies made by ``resample_hidden`` cannot show a leak of something they share with their original. So every hidden
part is changed here by hand: nothing public may change with it while it is hidden, and the public view must tell it as
soon as the table says so.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from tests.probes.table import next_round, playing, shopping, start, win_round

from jimbot.balatro import Action, Game, Phase
from jimbot.balatro.drawing.picture import render_rgb
from jimbot.balatro.drawing.text import render_ansi
from jimbot.balatro.env.single import BalatroEnv
from jimbot.balatro.game.parts import Card, JokerCard
from jimbot.players import ScriptedPlayer

VOUCHERS = ("v_blank", "v_hone")
TARGETS = {
    "idol": ("S_A", "D_2"),
    "mail": ("3", "K"),
    "castle": ("Clubs", "Hearts"),
    "ancient": ("Spades", "Clubs"),
}
TARGET_JOKERS = {"idol": "j_idol", "mail": "j_mail", "castle": "j_castle", "ancient": "j_ancient"}


MODES: list[dict[str, Any]] = [
    {"actions": "slots"},
    {"actions": "candidates"},
    {"actions": "candidates", "candidates": 16},  # so few that most are left out
]


def records(game: Game) -> list[Any]:
    """What the environments tell of a run: its observation in every mode, and the candidates."""
    told: list[Any] = []
    for mode in MODES:
        env = BalatroEnv(starts=(game.snapshot(),), **mode)
        env.reset(seed=0)
        told.append(env._run.observations.tobytes())
        if mode["actions"] == "candidates":
            told.append(env.candidate_actions())
    return told


def public(game: Game) -> dict[str, Any]:
    """Everything a player is given, by name."""
    plays = game.legal_actions()
    told: dict[str, Any] = {
        "view": game.public_view(),
        "repr": repr(game),
        "text": render_ansi(game, color=False),
        "picture": render_rgb(game).tobytes(),
        "legal actions": plays,
        "words": [game.describe(action) for action in plays[::7]],
        "previews": game.preview_all(),
        "objects": [
            game.hand,
            game.jokers,
            game.consumables,
            game.shop,
            game.pack,
            game.hands,
            game.tags,
            game.blind,
        ],
        "scripted player": None if game.over else ScriptedPlayer().choose(game),
    }
    if not game.over:
        told["records"] = records(game)
    return told


def assert_hidden(game: Game, other: Game) -> None:
    """The runs differ, and nothing public tells them apart."""
    assert game.hash != other.hash
    first, second = public(game), public(other)
    assert [name for name in first if first[name] != second[name]] == []


def edited(game: Game, **changes: Any) -> Game:
    copy = game.clone()
    copy.edit(**changes)
    return copy


def pair(game: Game, part: str, values: tuple[Any, Any]) -> tuple[Game, Game]:
    """The run twice, with different values of a part."""
    first, second = (edited(game, **{part: value}) for value in values)
    assert first.state() != second.state()
    return first, second


# --- the voucher of the ante ----------------------------------------------------------------------------------------


def boss_beaten(ante: int = 1) -> Game:
    game = shopping()
    game.edit(ante=ante)
    return win_round(next_round(game, "bl_club"))


def lost_in_the_first_round() -> Game:
    game = playing(["S_2"], hands_left=1)
    game.step(Action.play(0))
    return game


def big_blind(game: Game) -> Game:
    game.step(Action.leave_shop())
    return game


BEFORE_THE_VOUCHER: dict[str, Callable[[], Game]] = {
    "start of the run": start,
    "first round": playing,
    "first cash-out": lambda: win_round(playing()),
    "lost in the first round": lost_in_the_first_round,
    "boss beaten": boss_beaten,
    "run won": lambda: boss_beaten(ante=8),
}
WITH_THE_VOUCHER: dict[str, Callable[[], Game]] = {
    "first shop": shopping,
    "blind select after the shop": lambda: big_blind(shopping()),
    "second round": lambda: next_round(shopping()),
    "second cash-out": lambda: win_round(next_round(shopping())),
    "shop after a boss": lambda: shopping(next_round(shopping(), "bl_club")),
    "round after a boss": lambda: next_round(shopping(next_round(shopping(), "bl_club"))),
}


@pytest.mark.parametrize("moment", BEFORE_THE_VOUCHER)
def test_voucher_is_hidden_until_the_antes_first_shop(moment):
    game, other = pair(BEFORE_THE_VOUCHER[moment](), "ante_voucher", VOUCHERS)
    assert (game.phase is Phase.GAME_OVER) == (moment in ("run won", "lost in the first round"))
    assert_hidden(game, other)
    view = game.public_view()
    assert (view["ante_voucher"], view["ante_voucher_seen"]) == (None, False)
    assert game.public_view(hidden=True)["ante_voucher"] == game.state()["ante_voucher"] == VOUCHERS[0]


@pytest.mark.parametrize("moment", WITH_THE_VOUCHER)
def test_voucher_is_known_from_the_antes_first_shop_on(moment):
    game, other = pair(WITH_THE_VOUCHER[moment](), "ante_voucher", VOUCHERS)
    assert (game.public_view()["ante_voucher"], other.public_view()["ante_voucher"]) == VOUCHERS
    assert game.public_view()["ante_voucher_seen"]
    assert records(game)[0] != records(other)[0]


def test_blind_select_names_the_voucher_once_it_was_seen():
    game = start()
    assert "voucher of the ante  not seen yet" in render_ansi(game, color=False)
    game = big_blind(shopping(game))
    game.edit(ante_voucher="v_hone")
    assert "voucher of the ante  Hone" in render_ansi(game, color=False)
    game = shopping(money=50)
    game.step(Action.redeem(0))
    assert "voucher of the ante  redeemed" in render_ansi(big_blind(game), color=False)


# --- targets of the round -------------------------------------------------------------------------------------------


def target_pair(game: Game, name: str) -> tuple[Game, Game]:
    return pair(game, "targets", ({name: TARGETS[name][0]}, {name: TARGETS[name][1]}))


def in_a_pack(card: str) -> Game:
    game = shopping(money=50, shop_packs=["p_buffoon_normal_1"])
    game.step(Action.open_pack(0))
    game.edit(pack_cards=[card])
    return game


WITHOUT_THE_JOKER: dict[str, Callable[[str], Game]] = {
    "start of the run": lambda _: start(),
    "round": lambda key: playing(jokers=[other for other in TARGET_JOKERS.values() if other != key]),
    "cash-out": lambda _: win_round(playing(jokers=["j_blueprint"])),
    "shop": lambda _: shopping(jokers=["j_joker"], shop_slots=["j_baron", "c_sun"]),
    "pack": lambda _: in_a_pack("j_baron"),
    "after the shop that had it": lambda key: big_blind(shopping(shop_slots=[key])),
}
WITH_THE_JOKER: dict[str, Callable[[str], Game]] = {
    "owned": lambda key: playing(jokers=[key]),
    "owned and debuffed": lambda key: playing(jokers=[f"{key};d=1"]),
    "owned and face down": lambda key: playing(jokers=[key, "j_joker"], blind="bl_final_acorn"),
    "for sale": lambda key: shopping(shop_slots=["j_joker", key]),
    "in an open pack": in_a_pack,
}


@pytest.mark.parametrize("name", TARGETS)
@pytest.mark.parametrize("moment", WITHOUT_THE_JOKER)
def test_target_is_hidden_without_its_joker(moment, name):
    game, other = target_pair(WITHOUT_THE_JOKER[moment](TARGET_JOKERS[name]), name)
    assert_hidden(game, other)
    assert game.public_view()["targets"][name] is None
    assert game.state()["targets"][name] == TARGETS[name][0]


@pytest.mark.parametrize("name", TARGETS)
@pytest.mark.parametrize("moment", WITH_THE_JOKER)
def test_target_is_told_by_its_joker(moment, name):
    game, other = target_pair(WITH_THE_JOKER[moment](TARGET_JOKERS[name]), name)
    told = tuple(each.public_view()["targets"][name] for each in (game, other))
    assert told == TARGETS[name]
    assert [key for key, target in game.public_view()["targets"].items() if target is not None] == [name]


def test_an_owned_joker_shows_its_target_on_the_screen():
    for name, told in (("idol", "A♠"), ("mail", "3"), ("castle", "Clubs"), ("ancient", "Spades")):
        game, other = target_pair(playing(jokers=[TARGET_JOKERS[name]]), name)
        assert told in render_ansi(game, color=False)
        assert render_ansi(game, color=False) != render_ansi(other, color=False)


# --- hands of Orbital Tags ------------------------------------------------------------------------------------------

HANDS = ["Pair", "Flush", "Straight"]
OTHER_HANDS = ["Two Pair", "High Card", "Full House"]


@pytest.mark.parametrize("place", [0, 1, 2])
@pytest.mark.parametrize("moment", [start, playing, shopping])
def test_orbital_hands_are_hidden_without_the_tag(moment, place):
    game = moment()
    game.edit(skip_tags=["tag_economy", "tag_economy"], orbital_hands=HANDS)
    changed = [*HANDS[:place], OTHER_HANDS[place], *HANDS[place + 1 :]]
    assert_hidden(game, edited(game, orbital_hands=changed))
    assert game.public_view()["orbital_hands"] == [None] * 3
    assert game.state()["orbital_hands"] == HANDS


@pytest.mark.parametrize("place", [0, 1])
@pytest.mark.parametrize("moment", [start, playing, shopping])
def test_an_offered_orbital_tag_tells_its_hand_and_no_other(moment, place):
    game = moment()
    tags = ["tag_economy", "tag_economy"]
    tags[place] = "tag_orbital"
    game.edit(skip_tags=tags, orbital_hands=HANDS)
    expected: list[str | None] = [None] * 3
    expected[place] = HANDS[place]
    assert game.public_view()["orbital_hands"] == expected
    others = list(OTHER_HANDS)
    others[place] = HANDS[place]
    assert_hidden(game, edited(game, orbital_hands=others))
    if game.phase is Phase.BLIND_SELECT:
        assert f"Orbital Tag ({HANDS[place]})" in " ".join(render_ansi(game, width=140, color=False).split())


def test_a_held_tag_tells_a_hand_only_if_it_is_an_orbital_tag():
    game = start()
    game.edit(skip_tags=["tag_negative", "tag_economy"], orbital_hands=HANDS)
    other = edited(game, orbital_hands=OTHER_HANDS)
    for each in (game, other):
        each.step(Action.skip_blind())
    assert_hidden(game, other)
    assert game.public_view()["tags"] == [{"key": "tag_negative", "hand": None}]
    held = edited(game, tags=["tag_orbital"])
    assert held.public_view()["tags"] == [{"key": "tag_orbital", "hand": "High Card"}]


# --- cards and jokers -----------------------------------------------------------------------------------------------

PLAIN = ["H_2", "C_7", "D_9"]
KING = ["S_K;h=m_glass", "S_K;e=polychrome", "S_K;l=Red", "S_K;b=50", "S_K;d=1", "H_K", "S_3"]


@pytest.mark.parametrize("card", KING)
@pytest.mark.parametrize("blind", ["bl_small", "bl_house", "bl_final_bell"])
def test_a_face_down_card_tells_nothing(card, blind):
    """It and a card of the draw pile change places: together they are as well known as before."""
    plain, letters = "S_Q", ";f=1"
    game = playing([plain + letters, *PLAIN], blind=blind, draw_pile=[card, "D_4", "D_5"])
    other = playing([card + letters, *PLAIN], blind=blind, draw_pile=[plain, "D_4", "D_5"])
    first, second = public(game), public(other)
    assert game.state()["hand"] != other.state()["hand"]
    # The numbers of the player's own generator come from the order of the deck's creation, which edits change.
    for told in (first, second):
        told.pop("scripted player")
    assert [name for name in first if first[name] != second[name]] == []
    shown = game.hand[0]
    assert shown == Card(None, None, None, None, 0, debuffed=False, face_down=True, forced=shown.forced)
    assert (shown.suit, shown.rank, str(shown)) == (None, None, "a face-down card")
    assert game.hand_cards(hidden=True)[0].card == plain
    assert [each.card for each in game.hand[1:]] == PLAIN


def test_a_card_that_lies_face_up_is_told():
    game = playing(["S_Q", *PLAIN])
    assert game.hand == game.hand_cards(hidden=True)
    assert game.hand != playing(["S_K", *PLAIN]).hand


def test_a_discarded_face_down_card_is_turned_up():
    game = playing(["S_Q;f=1", *PLAIN], draw_pile=["D_4", "D_5"], discards_left=3, hand_size=4)
    assert game.public_view()["unseen"] == ["D_4", "D_5", "S_Q"]
    game.step(Action.discard(0))
    assert "S_Q" not in game.public_view()["unseen"]


def test_order_of_the_draw_pile_is_hidden():
    cards = ["D_4", "S_A", "C_5", "H_T"]
    game, other = (playing(PLAIN, draw_pile=order) for order in (cards, cards[::-1]))
    assert game.state()["draw_pile"] != other.state()["draw_pile"]
    first, second = public(game), public(other)
    for told in (first, second):
        told.pop("scripted player")  # as above
    assert [name for name in first if first[name] != second[name]] == []
    assert game.public_view()["unseen"] == sorted(cards)
    assert game.public_view() != playing(PLAIN, draw_pile=["D_4", "S_A", "C_5", "H_9"]).public_view()


CROWD = ["j_joker", "j_mail", "j_castle", "j_blueprint", "j_hit_the_road;v=2"]


def test_order_of_face_down_jokers_is_hidden():
    game = playing(jokers=CROWD, blind="bl_final_acorn")
    for move in ((0, 4), (1, 2), (3, 0)):
        other = game.clone()
        other.step(Action.move_joker(*move))
        assert [each.key for each in other.owned_jokers(hidden=True)] != [
            each.key for each in game.owned_jokers(hidden=True)
        ]
        assert_hidden(game, other)
    blank = dict.fromkeys(("eternal", "perishable", "rental", "pinned", "debuffed"), False)
    unknown = JokerCard(None, None, None, 0.0, 0, None, 0, rounds_left=None, face_down=True, **blank)
    assert game.jokers == [unknown] * len(CROWD)
    assert sorted(str(each.key) for each in game.owned_jokers(hidden=True)) == sorted(
        each.split(";")[0] for each in CROWD
    )
    assert game.public_view()["face_down_jokers"] == sorted(each.split(";")[0] for each in CROWD)


def test_order_of_jokers_that_lie_face_up_is_told():
    game = playing(jokers=CROWD)
    other = game.clone()
    other.step(Action.move_joker(0, 4))
    assert game.jokers == game.owned_jokers(hidden=True)
    assert game.jokers != other.jokers
    assert records(game)[0] != records(other)[0]


@pytest.mark.parametrize("moment", [start, playing, shopping, boss_beaten])
def test_random_numbers_and_creation_numbers_are_hidden(moment):
    game = moment()
    other = game.clone()
    other._run.use_fast_streams(17)
    assert_hidden(game, other)
    if game.phase is Phase.PLAYING:
        first, second = (edited(game, hand=PLAIN), edited(edited(game, hand=PLAIN), hand=PLAIN))
        assert first.state()["hand"] != second.state()["hand"]
        assert_hidden(first, second)


def test_the_seed_is_in_no_public_view():
    game = playing(game=Game("7LB2WVPK"))
    assert "7LB2WVPK" not in f"{game.public_view()} {render_ansi(game)}"
    assert game.state()["seed"] == game.public_view(hidden=True)["seed"] == "7LB2WVPK"
