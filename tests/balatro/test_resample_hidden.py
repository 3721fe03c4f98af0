"""``resample_hidden``: a copy keeps everything a player may know; everything else is drawn anew and without bias."""

from __future__ import annotations

import math
import random
from collections import Counter
from typing import Any

import pytest

from jimbot.balatro import Action, ActionKind, Game, Phase

from . import model
from .chances import RARE, fit_chance

BOSSES_THAT_HIDE = ("bl_house", "bl_wheel", "bl_fish", "bl_mark", "bl_final_acorn")
COPIES = 4000
FRONTS = [f"{suit}_{rank}" for suit in "CDHS" for rank in "23456789TJQKA"]
SUITS = ["Clubs", "Diamonds", "Hearts", "Spades"]
FACES = [front for front in FRONTS if front[2] in "JQK"]


def random_step(game: Game, rng: random.Random) -> None:
    actions = game.legal_actions()
    kind = rng.choice(sorted({action.kind for action in actions}))
    game.step(rng.choice([action for action in actions if action.kind == kind]))


def states_of_play() -> list[Game]:
    """States of many random games, half of them kept alive and given jokers, and of blinds that hide cards."""
    found: list[Game] = []
    for number in range(60):
        rng = random.Random(number)
        deck = rng.choice(("b_red", "b_magic", "b_nebula", "b_ghost", "b_painted", "b_anaglyph", "b_erratic"))
        challenge = rng.choice(
            (None, None, None, "c_xray_1", "c_double_nothing_1", "c_typecast_1", "c_medusa_1")
        )
        begin: dict[str, Any] = (
            {"challenge": challenge} if challenge else {"deck": deck, "stake": 1 + number % 8}
        )
        game = Game(f"TWIN{number + 11}".replace("0", "O"), **begin)
        for _ in range(40):
            if game.over:
                break
            if number % 2 and game.phase is Phase.PLAYING and rng.random() < 0.3:
                game.edit(target=0)
            if number % 2 and game.phase is Phase.SHOP and rng.random() < 0.3:
                game.edit(money=60)
            random_step(game, rng)
            found.append(game.clone())
    for number, boss in enumerate(BOSSES_THAT_HIDE * 6):
        game = at_boss(boss, seed=f"BOSS{number + 1}")
        rng = random.Random(number)
        for _ in range(6):
            found.append(game.clone())
            random_step(game, rng)
            if game.phase is not Phase.PLAYING:
                break
    return found


def at_boss(boss: str, seed: str = "HIDDEN", **changes: Any) -> Game:
    """The first moment of a boss's round."""
    game = Game(seed)
    jokers = ["j_joker", "j_blueprint;s=E", "j_duo;e=foil", "j_raised_fist", "j_baron"]
    game.edit(boss=boss, next_blind="boss", jokers=jokers, consumables=["c_aura", "c_death"], **changes)
    game.step(Action.select_blind())
    game.edit(target=1e9)
    return game


@pytest.fixture(scope="module")
def states() -> list[Game]:
    return states_of_play()


def where(game: Game) -> str:
    return f"{game!r} blind {game.blind.key}, seed {game.seed}, {game.challenge}"


def test_states_cover_the_phases_and_the_hidden(states):
    phases = {game.phase for game in states}
    assert phases == set(Phase)
    views = [game.public_view() for game in states]
    assert sum(any(card["face_down"] for card in view["hand"]) for view in views) > 50
    assert sum(any(joker["face_down"] for joker in view["jokers"]) for view in views) > 5


def test_a_copy_looks_the_same(states):
    for number, game in enumerate(states):
        before = game.snapshot()
        copy = game.resample_hidden(number)
        assert copy.public_view() == game.public_view(), where(game)
        assert game.snapshot() == before


def test_a_copy_can_do_the_same(states):
    for number, game in enumerate(states):
        copy = game.resample_hidden(number)
        assert copy._run.legal_actions() == game._run.legal_actions(), where(game)


def test_a_copy_has_the_same_previews(states):
    """Probabilities included: a preview is made of what a player knows."""
    exact = 0
    for number, game in enumerate(states):
        plays = [action for action in game.legal_actions() if action.kind is ActionKind.PLAY_HAND]
        copy = game.resample_hidden(number)
        for action in random.Random(number).sample(plays, min(6, len(plays))):
            preview = game.preview(action)
            assert preview == copy.preview(action), where(game)
            exact += preview["exact"]
    assert exact > 500


def test_equal_seeds_give_equal_copies(states):
    for number, game in enumerate(states[::10]):
        assert game.resample_hidden(number).hash == game.resample_hidden(number).hash
        assert game.resample_hidden(number).hash != game.resample_hidden(number + 1).hash


def test_future_differs(states):
    """Draws, shops, packs and chances of copies go apart; what needs no draw does not."""
    apart: Counter[ActionKind] = Counter()
    seen: Counter[ActionKind] = Counter()
    for number, game in enumerate(states):
        if any(card["face_down"] for card in game.state()["hand"]):
            continue  # sorting them shows something of them
        first = {action.kind: action for action in reversed(game.legal_actions())}
        for kind, action in first.items():
            if seen[kind] >= 40:
                continue
            copies = [game.resample_hidden(100 * number + offset) for offset in range(3)]
            for copy in copies:
                copy.step(action)
            views = [copy.public_view() for copy in copies]
            seen[kind] += 1
            apart[kind] += any(view != views[0] for view in views)
    for kind in (ActionKind.DISCARD, ActionKind.CASH_OUT, ActionKind.REROLL_SHOP, ActionKind.OPEN_PACK):
        assert apart[kind] > seen[kind] / 2, kind
    for kind in (ActionKind.SORT_HAND, ActionKind.MOVE_CARD, ActionKind.MOVE_JOKER, ActionKind.BUY_CARD):
        assert apart[kind] == 0 < seen[kind], kind


# --- the order of cards -------------------------------------------------------------------------------------------


def copies_of(game: Game, count: int = COPIES) -> list[dict[str, Any]]:
    return [game.resample_hidden(seed).state() for seed in range(count)]


def fronts(cards: list[dict[str, Any]]) -> list[str]:
    return [card["card"] for card in cards]


def uniform(values: list[str]) -> dict[str, float]:
    return dict.fromkeys(values, 1.0)


def test_draw_order_of_copies_is_uniform():
    game = Game("ORDER")
    game.step(Action.select_blind())
    pile = fronts(game.state()["draw_pile"])
    orders = [fronts(state["draw_pile"]) for state in copies_of(game)]
    assert all(sorted(order) == sorted(pile) for order in orders)
    for place in (0, 1, 7, 21, 43):
        assert fit_chance(Counter(order[place] for order in orders), uniform(pile)) > RARE, place
    places = Counter(order.index(pile[0]) for order in orders)
    assert fit_chance(places, dict.fromkeys(range(len(pile)), 1.0)) > RARE
    ascending = Counter(order.index(pile[0]) < order.index(pile[1]) for order in orders)
    assert fit_chance(ascending, {True: 1.0, False: 1.0}) > RARE


def test_order_after_a_shop_is_uniform():
    """Also with an open pack, whose dealt hand is known."""
    game = Game("ORDER", "b_ghost")
    game.step(Action.select_blind())
    game.edit(target=0)
    game.step(Action.play(0))
    game.step(Action.cash_out())
    game.edit(money=50, shop_packs=["p_arcana_mega_1", "p_spectral_mega_1"])
    game.step(Action.open_pack(0))
    state = game.state()
    states = copies_of(game)
    assert all(fronts(copy["hand"]) == fronts(state["hand"]) for copy in states)
    tops = Counter(fronts(copy["draw_pile"])[0] for copy in states)
    assert fit_chance(tops, uniform(fronts(state["draw_pile"]))) > RARE


def hidden_places(game: Game) -> list[int]:
    return [place for place, card in enumerate(game.state()["hand"]) if card["face_down"]]


def first_ready(boss: str) -> Game:
    """A boss's round in which cards lie face down; The Fish needs a play first."""
    for number in range(1, 50):
        game = at_boss(boss, seed=f"FACE{number}")
        if boss == "bl_fish" or hidden_places(game):
            return game
    raise AssertionError(boss)


@pytest.mark.parametrize("boss", ["bl_house", "bl_wheel", "bl_fish"])
def test_face_down_cards_may_be_any_unseen_card(boss):
    game = first_ready(boss)
    if boss == "bl_fish":
        game.step(Action.play(0, 1, 2))
    hidden, state = hidden_places(game), game.state()
    assert hidden
    unseen = fronts(state["draw_pile"]) + [state["hand"][place]["card"] for place in hidden]
    states = copies_of(game)
    for place in hidden[:2]:
        counts = Counter(copy["hand"][place]["card"] for copy in states)
        assert fit_chance(counts, uniform(unseen)) > RARE, place
    tops = Counter(copy["draw_pile"][0]["card"] for copy in states)
    assert fit_chance(tops, uniform(unseen)) > RARE
    for copy in states[:200]:
        assert sorted(
            fronts(copy["draw_pile"]) + [copy["hand"][place]["card"] for place in hidden]
        ) == sorted(unseen)
        assert [card["face_down"] for card in copy["hand"]] == [card["face_down"] for card in state["hand"]]
        seen = [place for place in range(len(state["hand"])) if place not in hidden]
        assert [copy["hand"][place] for place in seen] == [state["hand"][place] for place in seen]


def test_face_down_cards_of_the_mark_are_face_cards():
    game = first_ready("bl_mark")
    hidden, state = hidden_places(game), game.state()
    assert all(state["hand"][place]["card"] in FACES for place in hidden)
    unseen = fronts(state["draw_pile"]) + [state["hand"][place]["card"] for place in hidden]
    faces = [front for front in unseen if front in FACES]
    states = copies_of(game)
    for place in hidden[:2]:
        counts = Counter(copy["hand"][place]["card"] for copy in states)
        assert set(counts) <= set(FACES)
        assert fit_chance(counts, uniform(faces)) > RARE, place
    tops = Counter(copy["draw_pile"][0]["card"] in FACES for copy in states)
    left = len(faces) - len(hidden)
    assert fit_chance(tops, {True: left, False: len(state["draw_pile"]) - left}) > RARE


def test_debuffed_face_cards_of_the_mark_stay_face_cards():
    """Double or Nothing debuffs what scored; The Mark turns debuffed face cards down all the same."""
    start = Game("MARKD", challenge="c_double_nothing_1")
    start.step(Action.select_blind())
    start.edit(target=0, hand=["S_K", "H_K", "D_K", "C_K"])
    start.step(Action.play(0, 1, 2, 3))
    start.step(Action.cash_out())
    start.step(Action.leave_shop())
    start.edit(boss="bl_mark", next_blind="boss")
    seen = 0
    for number in range(40):
        game = start.clone()
        game._run.use_fast_streams(number + 1)
        game.step(Action.select_blind())
        hidden, hand = hidden_places(game), game.state()["hand"]
        if not any(hand[place]["debuffed"] for place in hidden):
            continue
        seen += 1
        for copy in copies_of(game, 50):
            assert all(copy["hand"][place]["card"] in FACES for place in hidden)
    assert seen > 3


def test_the_mark_tells_less_under_xray_vision():
    """Every face card lies face down and so does every fourth of the others: a hidden card may be either."""
    game = Game("XRAY", challenge="c_xray_1")
    game.edit(boss="bl_mark", next_blind="boss")
    game.step(Action.select_blind())
    hidden, state = hidden_places(game), game.state()
    fronts_hidden = [state["hand"][place]["card"] for place in hidden]
    assert {front in FACES for front in fronts_hidden} == {True, False}
    unseen = fronts(state["draw_pile"]) + fronts_hidden
    faces = sum(front in FACES for front in unseen)
    others = len(unseen) - faces
    counts = Counter(
        sum(copy["hand"][place]["card"] in FACES for place in hidden) for copy in copies_of(game)
    )
    chances = {
        count: math.comb(faces, count) * math.comb(others, len(hidden) - count) * 4.0**count
        for count in range(len(hidden) + 1)
    }
    assert fit_chance(counts, chances) > RARE
    for place in hidden:
        assert len({copy["hand"][place]["card"] in FACES for copy in copies_of(game, 100)}) == 2


def test_face_down_jokers_change_places():
    """Amber Acorn: those that may be told apart by what can be done with them (eternal ones) stay among themselves."""
    game = at_boss("bl_final_acorn")
    keys = [joker["key"] for joker in game.state()["jokers"]]
    eternal = keys.index("j_blueprint")
    states = copies_of(game, 2000)
    assert all(copy["jokers"][eternal]["key"] == "j_blueprint" for copy in states)
    others = [key for key in keys if key != "j_blueprint"]
    for place in range(len(keys)):
        if place != eternal:
            counts = Counter(copy["jokers"][place]["key"] for copy in states)
            assert fit_chance(counts, uniform(others)) > RARE, place


# --- choices that are made ahead and not yet shown --------------------------------------------------------------------


def test_unseen_choices_are_drawn_anew():
    """The voucher, the targets and the Orbital hands, from all that may come: what they are is possible as well."""
    game = Game("UNSEEN")
    game.edit(skip_tags=["tag_economy", "tag_economy"])
    states = copies_of(game)
    first_tier = [entry["key"] for entry in model.POOLS["voucher"] if not entry.get("requires")]
    assert fit_chance(Counter(state["ante_voucher"] for state in states), uniform(first_tier)) > RARE
    expected = {
        "idol": FRONTS,
        "mail": list("23456789TJQKA"),
        "castle": SUITS,
        "ancient": SUITS,
    }
    for name, values in expected.items():
        assert fit_chance(Counter(state["targets"][name] for state in states), uniform(values)) > RARE, name
    visible = [name for name, hand in game.hands.items() if hand.visible]
    for place in range(3):
        hands = Counter(state["orbital_hands"][place] for state in states)
        assert fit_chance(hands, uniform(visible)) > RARE, place


def test_seen_choices_stay():
    game = Game("UNSEEN")
    game.edit(jokers=["j_idol", "j_mail", "j_castle", "j_ancient"], skip_tags=["tag_orbital", "tag_orbital"])
    game.step(Action.select_blind())
    game.edit(target=0)
    game.step(Action.play(0))
    game.step(Action.cash_out())
    game.edit(skip_tags=["tag_orbital", "tag_orbital"])
    state = game.state()
    for copy in copies_of(game, 200):
        assert copy["ante_voucher"] == state["ante_voucher"]
        assert copy["targets"] == state["targets"]
        assert copy["orbital_hands"][:2] == state["orbital_hands"][:2]
