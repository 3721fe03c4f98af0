"""The fast generator: what it draws has the distributions of the seed's streams, which are those of the rules."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from jimbot.balatro import Action, Game

from . import model
from .chances import RARE, chi_square_chance, fit_chance, same_source_chance

FRONTS = [f"{suit}_{rank}" for suit in "CDHS" for rank in "23456789TJQKA"]
PLANETS = {entry["key"] for entry in model.POOLS["planet"]}


def test_chi_square_against_known_values():
    for statistic, freedom, chance in (
        (3.841, 1, 0.05),
        (18.307, 10, 0.05),
        (76.154, 50, 0.01),
        (124.342, 100, 0.05),
    ):
        assert abs(chi_square_chance(statistic, freedom) - chance) < 1e-4


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
    assert fit_chance(counts["front"], dict.fromkeys(FRONTS, 1.0)) > RARE
    assert fit_chance(counts["front l"], {"": 16, "l=Red": 1, "l=Blue": 1, "l=Gold": 1, "l=Purple": 1}) > RARE


def test_comparison_finds_a_small_difference():
    rng = random.Random(1)
    fair = Counter(rng.choices("abc", (5, 3, 2), k=20_000))
    biased = Counter(rng.choices("abc", (5.5, 2.7, 1.8), k=20_000))
    assert same_source_chance(fair, Counter(rng.choices("abc", (5, 3, 2), k=20_000))) > RARE
    assert same_source_chance(fair, biased) < RARE
    assert fit_chance(biased, {"a": 5, "b": 3, "c": 2}) < RARE
    assert fit_chance(fair, {"a": 5, "b": 3}) == 0.0
