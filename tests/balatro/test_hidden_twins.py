"""Twins: ``resample_hidden`` keeps everything a player may know, and draws everything else anew and without bias."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from jimbot.balatro import Action, ActionKind, Game, Phase

from . import model
from .chances import RARE, chi_square_chance, fit_chance, same_source_chance

BOSSES_THAT_HIDE = ("bl_house", "bl_wheel", "bl_fish", "bl_mark", "bl_final_acorn")
TWINS = 4000
FRONTS = [f"{suit}_{rank}" for suit in "CDHS" for rank in "23456789TJQKA"]
PLANETS = {entry["key"] for entry in model.POOLS["planet"]}
FACES = [front for front in FRONTS if front[2] in "JQK"]


def test_chi_square_against_known_values():
    for statistic, freedom, chance in (
        (3.841, 1, 0.05),
        (18.307, 10, 0.05),
        (76.154, 50, 0.01),
        (124.342, 100, 0.05),
    ):
        assert abs(chi_square_chance(statistic, freedom) - chance) < 1e-4


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


def test_twin_looks_the_same(states):
    for number, game in enumerate(states):
        before = game.snapshot()
        twin = game.resample_hidden(number)
        assert twin.public_view() == game.public_view(), where(game)
        assert game.snapshot() == before


def test_twin_can_do_the_same(states):
    for number, game in enumerate(states):
        twin = game.resample_hidden(number)
        assert twin._run.legal_actions() == game._run.legal_actions(), where(game)


def test_twin_has_the_same_previews(states):
    """Luck included: a preview is made of what a player knows."""
    exact = 0
    for number, game in enumerate(states):
        plays = [action for action in game.legal_actions() if action.kind is ActionKind.PLAY_HAND]
        twin = game.resample_hidden(number)
        for action in random.Random(number).sample(plays, min(6, len(plays))):
            preview = game.preview(action)
            assert preview == twin.preview(action), where(game)
            exact += preview["exact"]
    assert exact > 500


def test_equal_seeds_give_equal_twins(states):
    for number, game in enumerate(states[::10]):
        assert game.resample_hidden(number).hash == game.resample_hidden(number).hash
        assert game.resample_hidden(number).hash != game.resample_hidden(number + 1).hash


def test_future_differs(states):
    """Draws, shops, packs and luck of twins go apart; what needs no draw does not."""
    apart: Counter[ActionKind] = Counter()
    seen: Counter[ActionKind] = Counter()
    for number, game in enumerate(states):
        if any(card["face_down"] for card in game.state()["hand"]):
            continue  # sorting them shows something of them
        first = {action.kind: action for action in reversed(game.legal_actions())}
        for kind, action in first.items():
            if seen[kind] >= 40:
                continue
            twins = [game.resample_hidden(100 * number + offset) for offset in range(3)]
            for twin in twins:
                twin.step(action)
            views = [twin.public_view() for twin in twins]
            seen[kind] += 1
            apart[kind] += any(view != views[0] for view in views)
    for kind in (ActionKind.DISCARD, ActionKind.CASH_OUT, ActionKind.REROLL_SHOP, ActionKind.OPEN_PACK):
        assert apart[kind] > seen[kind] / 2, kind
    for kind in (ActionKind.SORT_HAND, ActionKind.MOVE_CARD, ActionKind.MOVE_JOKER, ActionKind.BUY_CARD):
        assert apart[kind] == 0 < seen[kind], kind


# --- the order of cards -------------------------------------------------------------------------------------------


def twins_of(game: Game, count: int = TWINS) -> list[dict[str, Any]]:
    return [game.resample_hidden(seed).state() for seed in range(count)]


def fronts(cards: list[dict[str, Any]]) -> list[str]:
    return [card["card"] for card in cards]


def uniform(values: list[str]) -> dict[str, float]:
    return dict.fromkeys(values, 1.0)


def test_draw_order_of_twins_is_uniform():
    game = Game("ORDER")
    game.step(Action.select_blind())
    pile = fronts(game.state()["draw_pile"])
    orders = [fronts(state["draw_pile"]) for state in twins_of(game)]
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
    states = twins_of(game)
    assert all(fronts(twin["hand"]) == fronts(state["hand"]) for twin in states)
    tops = Counter(fronts(twin["draw_pile"])[0] for twin in states)
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
    states = twins_of(game)
    for place in hidden[:2]:
        counts = Counter(twin["hand"][place]["card"] for twin in states)
        assert fit_chance(counts, uniform(unseen)) > RARE, place
    tops = Counter(twin["draw_pile"][0]["card"] for twin in states)
    assert fit_chance(tops, uniform(unseen)) > RARE
    for twin in states[:200]:
        assert sorted(
            fronts(twin["draw_pile"]) + [twin["hand"][place]["card"] for place in hidden]
        ) == sorted(unseen)
        assert [card["face_down"] for card in twin["hand"]] == [card["face_down"] for card in state["hand"]]
        seen = [place for place in range(len(state["hand"])) if place not in hidden]
        assert [twin["hand"][place] for place in seen] == [state["hand"][place] for place in seen]


def test_face_down_cards_of_the_mark_are_face_cards():
    game = first_ready("bl_mark")
    hidden, state = hidden_places(game), game.state()
    assert all(state["hand"][place]["card"] in FACES for place in hidden)
    unseen = fronts(state["draw_pile"]) + [state["hand"][place]["card"] for place in hidden]
    faces = [front for front in unseen if front in FACES]
    states = twins_of(game)
    for place in hidden[:2]:
        counts = Counter(twin["hand"][place]["card"] for twin in states)
        assert set(counts) <= set(FACES)
        assert fit_chance(counts, uniform(faces)) > RARE, place
    tops = Counter(twin["draw_pile"][0]["card"] in FACES for twin in states)
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
        for twin in twins_of(game, 50):
            assert all(twin["hand"][place]["card"] in FACES for place in hidden)
    assert seen > 3


def test_face_down_jokers_change_places():
    """Amber Acorn: those that may be told apart by what can be done with them (eternal ones) stay among themselves."""
    game = at_boss("bl_final_acorn")
    keys = [joker["key"] for joker in game.state()["jokers"]]
    eternal = keys.index("j_blueprint")
    states = twins_of(game, 2000)
    assert all(twin["jokers"][eternal]["key"] == "j_blueprint" for twin in states)
    others = [key for key in keys if key != "j_blueprint"]
    for place in range(len(keys)):
        if place != eternal:
            counts = Counter(twin["jokers"][place]["key"] for twin in states)
            assert fit_chance(counts, uniform(others)) > RARE, place


# --- the fast generator -------------------------------------------------------------------------------------------


def sample(seed: int, *, fast: bool, counts: dict[str, Counter[Any]]) -> None:
    """One boss beaten and one shop emptied, then lucky and glass cards played; what came is counted."""
    rng = random.Random(seed)
    game = Game("".join(rng.choices("123456789ABCDEFGHIJKLMNPQRSTUVWXYZ", k=8)), stake=8)
    if fast:
        game._run.use_fast_streams(seed)
    game.edit(next_blind="boss", boss="bl_wall")
    game.step(Action.select_blind())
    game.edit(target=0)
    counts["first card"][game.state()["hand"][0]["card"]] += 1
    game.step(Action.play(0))
    game.step(Action.cash_out())
    state = game.state()
    counts["boss"][state["boss"]] += 1
    counts["voucher"][state["ante_voucher"]] += 1
    counts["tag"].update(state["skip_tags"])
    counts["orbital"].update(state["orbital_hands"])
    counts["target"][state["targets"]["idol"]] += 1
    for _ in range(6):
        read_row(game, counts)
        game.edit(money=1000)
        game.step(Action.reroll_shop())
    for position, pack in enumerate(game.state()["shop"]["packs"]):
        counts["pack"][pack["key"]] += position
        game.step(Action.open_pack(position))
        read_pack(game, counts)
        game.step(Action.skip_pack())
    game.step(Action.leave_shop())
    play_lucky_cards(game, counts)


def read_row(game: Game, counts: dict[str, Counter[Any]]) -> None:
    slots = game.state()["shop"]["slots"]
    kinds = ["planet" if slot["key"] in PLANETS else slot["key"][:2] for slot in slots]
    counts["type"].update(kinds)
    counts["type of two"][tuple(kinds)] += 1
    for slot in slots:
        key, *fields = slot["item"].split(";")
        counts["key"][key] += 1
        if key.startswith("j_"):
            counts["edition"]["".join(field for field in fields if field.startswith("e="))] += 1
            counts["stickers"]["".join(field for field in fields if field.startswith("s="))] += 1


def read_pack(game: Game, counts: dict[str, Counter[Any]]) -> None:
    for card in game.state()["pack"]["cards"]:
        front, *fields = card["item"].split(";")
        if "_" in front[:2] and front[0] in "CDHS":
            counts["front"][front] += 1
            for letter in "hel":
                counts[f"front {letter}"]["".join(field for field in fields if field.startswith(letter))] += 1
        else:
            counts["pack card"][front] += 1


def play_lucky_cards(game: Game, counts: dict[str, Counter[Any]]) -> None:
    game.step(Action.select_blind())
    game.edit(hand=["S_2;h=m_lucky", "H_4;h=m_lucky", "C_6;h=m_glass", "D_8;h=m_glass"], jokers=["j_splash"])
    game.edit(money=0, target=1e9)
    before = game.state()
    game.step(Action.play(0, 1, 2, 3))
    after = game.state()
    counts["lucky money"][after["money"]] += 1
    counts["lucky mult"][after["blind"]["score"]] += 1
    counts["glass"][before["deck_size"] - after["deck_size"]] += 1


class Samples(dict[str, Counter[Any]]):
    """Counts by name, made when first asked for."""

    def __missing__(self, key: str) -> Counter[Any]:
        self[key] = Counter()
        return self[key]


@pytest.fixture(scope="module")
def both() -> tuple[Samples, Samples]:
    keyed, fast = Samples(), Samples()
    for seed in range(1200):
        sample(seed, fast=False, counts=keyed)
        sample(seed + 10_000, fast=True, counts=fast)
    return keyed, fast


def test_fast_generator_has_the_distributions_of_the_streams(both):
    keyed, fast = both
    assert keyed.keys() == fast.keys()
    assert len(keyed) >= 20
    chances = {name: same_source_chance(keyed[name], fast[name]) for name in keyed}
    assert {name: chance for name, chance in chances.items() if chance < RARE} == {}


@pytest.mark.parametrize("which", [0, 1], ids=["streams", "fast"])
def test_distributions_are_those_of_the_rules(both, which):
    counts = both[which]
    assert fit_chance(counts["type"], {"j_": 20, "c_": 4, "planet": 4}) > RARE
    edition = {"e=negative": 3, "e=polychrome": 3, "e=holo": 14, "e=foil": 20, "": 960}
    assert fit_chance(counts["edition"], edition) > RARE
    lucky = {0: (14 / 15) ** 2, 20: 2 * 14 / 225, 40: 1 / 225}
    assert fit_chance(counts["lucky money"], lucky) > RARE
    assert fit_chance(counts["glass"], {0: 9, 1: 6, 2: 1}) > RARE
    assert fit_chance(counts["front"], uniform(FRONTS)) > RARE
    assert fit_chance(counts["front l"], {"": 16, "l=Red": 1, "l=Blue": 1, "l=Gold": 1, "l=Purple": 1}) > RARE


def test_comparison_finds_a_small_difference():
    rng = random.Random(1)
    fair = Counter(rng.choices("abc", (5, 3, 2), k=20_000))
    biased = Counter(rng.choices("abc", (5.5, 2.7, 1.8), k=20_000))
    assert same_source_chance(fair, Counter(rng.choices("abc", (5, 3, 2), k=20_000))) > RARE
    assert same_source_chance(fair, biased) < RARE
    assert fit_chance(biased, {"a": 5, "b": 3, "c": 2}) < RARE
    assert fit_chance(fair, {"a": 5, "b": 3}) == 0.0
