"""The engine against the rules stated a second time (model.py), on seeds nobody recorded."""

from __future__ import annotations

import random

import pytest

from jimbot import _engine
from jimbot.balatro import seeds
from jimbot.balatro.game import rng

from . import model

ALPHABET = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def random_seeds(count: int, salt: int) -> list[str]:
    """Seeds of one to eight characters, most of them eight."""
    source = random.Random(salt)
    lengths = [8, 8, 8, 8, 7, 5, 3, 1]
    return ["".join(source.choices(ALPHABET, k=source.choice(lengths))) for _ in range(count)]


@pytest.mark.parametrize(
    ("deck", "stake", "antes", "count"),
    [
        ("b_red", 1, 2, 120),
        ("b_red", 8, 2, 80),
        ("b_ghost", 4, 2, 80),
        ("b_zodiac", 7, 2, 80),
        ("b_magic", 1, 1, 80),
        ("b_nebula", 8, 1, 80),
        ("b_plasma", 5, 9, 3),
    ],
)
def test_queue_follows_the_rules(deck, stake, antes, count):
    for seed in random_seeds(count, salt=stake):
        assert seeds.explore(seed, "queue", deck=deck, stake=stake, antes=antes) == model.queue(
            seed, deck, stake, antes
        ), seed


@pytest.mark.parametrize(
    ("deck", "stake", "antes", "rerolls", "vouchers", "held", "count"),
    [
        ("b_red", 1, 2, 0, (), (), 120),
        ("b_red", 8, 1, 3, (), (), 80),
        ("b_ghost", 8, 2, 1, (), ("c_hex",), 60),
        ("b_magic", 7, 1, 2, (), ("c_fool",), 60),
        ("b_zodiac", 4, 2, 1, (), (), 60),
        ("b_red", 3, 1, 2, ("v_magic_trick", "v_illusion"), (), 80),
        ("b_red", 1, 1, 1, ("v_hone", "v_glow_up", "v_crystal_ball", "v_omen_globe"), (), 80),
        (
            "b_red",
            1,
            1,
            8,
            ("v_tarot_tycoon", "v_planet_tycoon", "v_overstock_norm", "v_overstock_plus"),
            (),
            30,
        ),
    ],
)
def test_walk_follows_the_rules(deck, stake, antes, rerolls, vouchers, held, count):
    policy = {
        "deck": deck,
        "rerolls_per_shop": rerolls,
        "vouchers_redeemed_before_first_shop": list(vouchers),
        "consumables_held_throughout": list(held),
    }
    for seed in random_seeds(count, salt=100 + stake + rerolls):
        expected = model.walk(seed, deck, stake, antes, rerolls, vouchers, held)
        assert seeds.walk(seed, deck=deck, stake=stake, antes=antes, policy=policy) == expected, seed


def test_bosses_of_a_long_run_follow_the_rules():
    for seed in random_seeds(25, salt=7):
        run = model.Run(seed)
        bosses: list[str] = []
        for ante in range(1, 33):
            run.ante = ante
            bosses.append(run.draw_boss())
        assert seeds.explore(seed, "misc", antes=1)["bosses32"] == bosses, seed


def test_vouchers_bought_and_from_tags_follow_the_rules():
    for seed in random_seeds(25, salt=8):
        misc = seeds.explore(seed, "misc", antes=1)
        run = model.Run(seed)
        assert misc["voucher_tag"] == [run.draw_voucher("Voucher_fromtag") for _ in range(4)], seed
        bought: list[str] = []
        for ante in range(1, 25):
            run.ante = ante
            bought.append(run.draw_voucher())
            run.redeemed.add(bought[-1])
        assert misc["vouchers_if_all_bought24"] == bought, seed


def test_other_sources_follow_the_rules():
    jokers = {"jud": None, "wra": 3, "rta": 3, "uta": 2, "rif": 1, "top": 1}
    consumables = {"8ba": "Tarot", "car": "Tarot", "emp": "Tarot", "pri": "Planet", "sixth": "Spectral"}
    pairs = ("rif", "top", "emp", "pri")
    for seed in random_seeds(15, salt=9):
        for ante, found in enumerate(seeds.explore(seed, "misc", antes=2)["antes"], start=1):
            for source, items in found.items():
                if source not in jokers and source not in consumables:
                    continue
                run = model.Run(seed)
                run.ante = ante
                for item in items:
                    if source in jokers:
                        made = run.make_joker(source, jokers[source])
                    else:
                        made = run.make_consumable(consumables[source], source, in_pack=False)
                    assert made == item, (seed, ante, source)
                    if source not in pairs:
                        run.release([made])


def test_souls_follow_the_rules():
    for seed in random_seeds(25, salt=10):
        run = model.Run(seed)
        souls: list[str] = []
        for ante in range(1, 6):
            run.ante = ante
            souls.append(run.make_joker("sou", 4))
        assert seeds.explore(seed, "misc", antes=1)["soul"] == souls, seed


def test_hidden_cards_follow_the_rules():
    """The Soul and Black Hole are rare: seeds that show one in ante 1 are searched for and compared."""
    for key in ("c_soul", "c_black_hole"):
        condition = ("consumable", key, "", "", "", "pack", 1, 1, 0)
        search = _engine.SeedSearch([condition], "b_red", 1, "walk", 0, 15)
        _, numbers = search.find_block(0, 1_000_000, 25)
        assert len(numbers) == 25
        for number in numbers:
            seed = _engine.seed_at(number)
            assert seeds.walk(seed, antes=1) == model.walk(seed, "b_red", 1, 1, 0, (), ()), seed


def test_model_knows_the_primitives():
    for seed in random_seeds(20, salt=11):
        assert model.pseudohash(seed) == rng.pseudohash(seed)
        generator = model.Generator(model.pseudohash(seed))
        assert [generator.real() for _ in range(5)] == rng.reals(rng.pseudohash(seed), 5)
