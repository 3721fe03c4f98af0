"""Probes of the 32 vouchers: redeemed in the shop through ``Game.step``, against the same run without them."""

from typing import Any

from tests.probes.table import (
    SEED,
    keys,
    next_round,
    play,
    probe,
    refused,
    shopping,
    start,
    win_round,
)

from jimbot.balatro import Action, Game

SEEDS = [f"PROBE{letter}{digit}" for letter in "ABCDEF" for digit in range(1, 10)]
UPGRADES = {
    "v_overstock_plus": "v_overstock_norm", "v_liquidation": "v_clearance_sale", "v_glow_up": "v_hone",
    "v_reroll_glut": "v_reroll_surplus", "v_omen_globe": "v_crystal_ball", "v_observatory": "v_telescope",
    "v_nacho_tong": "v_grabber", "v_recyclomancy": "v_wasteful", "v_tarot_tycoon": "v_tarot_merchant",
    "v_planet_tycoon": "v_planet_merchant", "v_money_tree": "v_seed_money", "v_antimatter": "v_blank",
    "v_illusion": "v_magic_trick", "v_petroglyph": "v_hieroglyph", "v_retcon": "v_directors_cut",
    "v_palette": "v_paint_brush",
}  # fmt: skip


def redeemed(*vouchers: str, game: Game | None = None, **changes: Any) -> Game:
    """A run in its first shop that has redeemed these vouchers, with money left for more."""
    run = shopping(game, shop_vouchers=list(vouchers), money=500, **changes)
    for position in range(len(vouchers)):
        run.step(Action.redeem(position))
    return run


def in_next_round(*vouchers: str, blind: str | None = None) -> Game:
    """The round after the shop in which the vouchers were redeemed."""
    return next_round(redeemed(*vouchers), blind)


def prices(game: Game) -> list[int]:
    """Prices of the shelf: cards, vouchers, packs."""
    shop = game.shop
    assert shop
    return [item.price for item in [*shop.slots, *shop.vouchers, *shop.packs] if item]


def pack_of(seed: str, pack: str, *vouchers: str, **changes: Any) -> list[str]:
    """Keys of the cards in the first pack opened after redeeming the vouchers."""
    game = redeemed(*vouchers, game=start(seed), shop_packs=[pack], shop_slots=[], **changes)
    game.step(Action.open_pack(0))
    assert game.pack
    return keys(game.pack.cards)


# --- the pool of vouchers ---------------------------------------------------------------------------------------


def _enter_pool_probe(upgrade: str, base: str) -> None:
    @probe(
        upgrade,
        met=False,
        says="is never offered at the start of a run, where its first half is not redeemed",
    )
    def _() -> None:
        offered = {start(seed).state()["ante_voucher"] for seed in SEEDS}
        assert upgrade not in offered
        assert base in offered or len(offered) > 10


for _upgrade, _base in UPGRADES.items():
    _enter_pool_probe(_upgrade, _base)


@probe(
    "v_omen_globe", met=True, says="may be offered once Crystal Ball is redeemed, which is not offered again"
)
def _() -> None:
    offered = {start(f"MAGIC{number}", deck="b_magic").state()["ante_voucher"] for number in range(1, 150)}
    assert "v_omen_globe" in offered
    assert "v_crystal_ball" not in offered


@probe("v_blank", met=True, says="does nothing but cost $10 and leave the shelf for the rest of the ante")
def _() -> None:
    game = start()
    game.edit(ante_voucher="v_blank")
    shopping(game, money=30)
    before = game.state()
    game.step(Action.redeem(0))
    after = game.state()
    assert after["money"] == 20
    assert after["vouchers"] == ["v_blank"]
    same = ("joker_slots", "consumable_slots", "hand_size", "hands_per_round", "discards_per_round", "ante")
    assert all(before[field] == after[field] for field in same)
    assert before["shop"]["slots"] == after["shop"]["slots"]
    next_round(game)
    shopping(game)
    assert game.shop
    assert keys(game.shop.vouchers) == []


@probe("v_blank", met=False, says="cannot be redeemed with $9")
def _() -> None:
    game = shopping(shop_vouchers=["v_blank"], money=9)
    refused(game, Action.redeem(0))
    game.edit(money=10)
    game.step(Action.redeem(0))
    assert game.money == 0
    refused(game, Action.redeem(0))


@probe("v_blank", met=False, says="stays on the shelf of the ante's later shops while it is not redeemed")
def _() -> None:
    game = start()
    game.edit(ante_voucher="v_blank")
    shopping(game)
    assert game.shop
    assert keys(game.shop.vouchers) == ["v_blank"]
    next_round(game)
    shopping(game)
    assert game.shop
    assert keys(game.shop.vouchers) == ["v_blank"]


# --- shop size and prices -----------------------------------------------------------------------------------------


@probe(
    "v_overstock_norm", met=True, says="adds a third card to the shop at once, to rerolls and to later shops"
)
def _() -> None:
    game = redeemed("v_overstock_norm")
    assert game.shop
    assert len(keys(game.shop.slots)) == 3
    game.step(Action.reroll_shop())
    assert len(keys(game.shop.slots)) == 3
    next_round(game)
    shopping(game)
    assert game.shop
    assert len(keys(game.shop.slots)) == 3


@probe("v_overstock_norm", met=True, says="fills every free place of the row, bought ones included")
def _() -> None:
    game = shopping(shop_slots=["j_joker", "c_fool"], shop_vouchers=["v_overstock_norm"], money=50)
    game.step(Action.buy(0))
    game.step(Action.redeem(0))
    assert game.shop
    assert len(keys(game.shop.slots)) == 3
    assert "c_fool" in keys(game.shop.slots)


@probe("v_overstock_norm", met=False, says="is not there: two cards in the shop, two after a reroll")
def _() -> None:
    game = shopping(money=50)
    assert game.shop
    assert len(game.shop.slots) == 2
    game.step(Action.reroll_shop())
    assert len(game.shop.slots) == 2


@probe("v_overstock_plus", met=True, says="adds a fourth card to the shop at once and to later shops")
def _() -> None:
    game = redeemed("v_overstock_norm", "v_overstock_plus")
    assert game.shop
    assert len(keys(game.shop.slots)) == 4
    next_round(game)
    shopping(game)
    assert game.shop
    assert len(keys(game.shop.slots)) == 4


SHELF: dict[str, Any] = {
    "shop_slots": ["j_blueprint", "j_banner;e=polychrome", "c_fool", "S_A"],
    "shop_packs": ["p_arcana_normal_1", "p_arcana_mega_1"],
}
"""Base prices 10, 5 + 5, 3, 1 and packs 4, 8."""


@probe("v_clearance_sale", met=True, says="takes a quarter off cards, packs and vouchers at once")
def _() -> None:
    game = shopping(shop_vouchers=["v_clearance_sale", "v_blank"], money=100, **SHELF)
    game.step(Action.redeem(0))
    assert prices(game) == [7, 7, 2, 1, 7, 3, 6]
    game.step(Action.buy(0))
    assert game.money == 100 - 10 - 7


@probe("v_clearance_sale", met=True, says="lowers the sell values of owned jokers, not reroll prices")
def _() -> None:
    game = shopping(jokers=["j_blueprint", "j_joker"], shop_vouchers=["v_clearance_sale"], money=100)
    assert [joker.sell_value for joker in game.jokers] == [5, 1]
    game.step(Action.redeem(0))
    assert [joker.sell_value for joker in game.jokers] == [3, 1]
    assert game.shop
    assert game.shop.reroll_price == 5


@probe("v_clearance_sale", met=False, says="is not there: full prices")
def _() -> None:
    game = shopping(shop_vouchers=["v_clearance_sale", "v_blank"], money=100, **SHELF)
    assert prices(game) == [10, 10, 3, 1, 10, 10, 4, 8]


@probe("v_liquidation", met=True, says="halves prices, never below $1, and the sell values follow")
def _() -> None:
    changes = {**SHELF, "jokers": ["j_blueprint", "j_joker;b=6"]}
    game = shopping(shop_vouchers=["v_clearance_sale", "v_liquidation", "v_blank"], money=100, **changes)
    game.step(Action.redeem(0))
    assert game.money == 90
    game.step(Action.redeem(1))
    assert game.money == 83
    assert prices(game) == [5, 5, 1, 1, 5, 2, 4]
    assert [joker.sell_value for joker in game.jokers] == [2, 1 + 6]


# --- rerolls ------------------------------------------------------------------------------------------------------


@probe("v_reroll_surplus", met=True, says="takes $2 off the reroll price at once, also off a grown one")
def _() -> None:
    game = shopping(shop_vouchers=["v_reroll_surplus"], money=100)
    game.step(Action.reroll_shop())
    game.step(Action.redeem(0))
    assert game.shop
    assert game.shop.reroll_price == 4
    game.step(Action.reroll_shop())
    assert game.shop.reroll_price == 5
    assert game.money == 100 - 5 - 10 - 4
    next_round(game)
    shopping(game)
    assert game.shop
    assert game.shop.reroll_price == 3


@probe("v_reroll_surplus", met=False, says="is not there: rerolls start at $5 and grow by $1")
def _() -> None:
    game = shopping(money=100)
    assert game.shop
    assert game.shop.reroll_price == 5
    game.step(Action.reroll_shop())
    assert game.shop.reroll_price == 6


@probe("v_reroll_glut", met=True, says="takes another $2 off, so that rerolls start at $1")
def _() -> None:
    game = redeemed("v_reroll_surplus", "v_reroll_glut")
    assert game.shop
    assert game.shop.reroll_price == 1
    money = game.money
    game.step(Action.reroll_shop())
    game.step(Action.reroll_shop())
    assert game.money == money - 1 - 2


# --- consumables and packs ----------------------------------------------------------------------------------------


@probe("v_crystal_ball", met=True, says="makes room for a third consumable")
def _() -> None:
    game = redeemed("v_crystal_ball", consumables=["c_fool", "c_pluto"], shop_slots=["c_mars", "c_sun"])
    game.step(Action.buy(0))
    assert keys(game.consumables) == ["c_fool", "c_pluto", "c_mars"]
    refused(game, Action.buy(1))


@probe("v_crystal_ball", met=False, says="is not there: a third consumable is refused")
def _() -> None:
    game = shopping(consumables=["c_fool", "c_pluto"], shop_slots=["c_mars"], money=50)
    refused(game, Action.buy(0))


@probe(
    "v_telescope", met=True, says="puts the planet of the most played hand first into every Celestial pack"
)
def _() -> None:
    for hand, planet in (("Flush", "c_jupiter"), ("Two Pair", "c_uranus"), ("Five of a Kind", "c_planet_x")):
        plays = {"Pair": 2, hand: 3}
        assert pack_of(SEED, "p_celestial_normal_1", "v_telescope", plays=plays)[0] == planet
        assert pack_of(SEED, "p_celestial_mega_1", "v_telescope", plays=plays)[0] == planet


@probe("v_telescope", met=True, says="takes the higher hand of two played equally often")
def _() -> None:
    plays = {"High Card": 4, "Pair": 4, "Straight": 4}
    assert pack_of(SEED, "p_celestial_normal_1", "v_telescope", plays=plays)[0] == "c_saturn"


@probe("v_telescope", met=False, says="is not there: the first planet is drawn like the others")
def _() -> None:
    firsts = {pack_of(seed, "p_celestial_normal_1", plays={"Flush": 9})[0] for seed in SEEDS[:12]}
    assert len(firsts) > 3


@probe("v_telescope", met=False, says="leaves packs of other kinds alone")
def _() -> None:
    with_it = pack_of(SEED, "p_arcana_normal_1", "v_telescope", plays={"Flush": 9})
    assert with_it == pack_of(SEED, "p_arcana_normal_1", plays={"Flush": 9})


def _observed(consumables: list[str], *vouchers: str) -> float:
    game = in_next_round(*vouchers)
    game.edit(hand=["H_A", "S_A", "D_3"], consumables=consumables, target=1e12)
    return play(game, 0, 1)


@probe("v_observatory", met=True, says="gives X1.5 Mult for each held planet of the played hand")
def _() -> None:
    vouchers = ("v_telescope", "v_observatory")
    assert _observed(["c_mercury"], *vouchers) == 32 * 2 * 1.5
    assert _observed(["c_mercury", "c_mercury"], *vouchers) == 32 * 2 * 2.25
    assert _observed(["c_mercury", "c_pluto"], *vouchers) == 32 * 2 * 1.5


@probe("v_observatory", met=False, says="gives nothing for the planets of other hands, other cards or none")
def _() -> None:
    vouchers = ("v_telescope", "v_observatory")
    assert _observed(["c_pluto", "c_fool"], *vouchers) == 64
    assert _observed([], *vouchers) == 64
    assert _observed(["c_mercury"]) == 64
    assert _observed(["c_mercury"], "v_telescope") == 64


# --- hands, discards, hand size, slots ----------------------------------------------------------------------------


@probe("v_grabber", met=True, says="gives one more hand in every later round")
def _() -> None:
    game = in_next_round("v_grabber")
    assert game.blind.hands_left == 5
    assert in_next_round("v_grabber", blind="bl_needle").blind.hands_left == 1
    win_round(game)
    assert game.state()["cash_out"]["hands"] == 4


@probe("v_grabber", met=False, says="is not there: four hands")
def _() -> None:
    assert in_next_round().blind.hands_left == 4


@probe("v_nacho_tong", met=True, says="gives a second extra hand on top of Grabber's")
def _() -> None:
    assert in_next_round("v_grabber", "v_nacho_tong").blind.hands_left == 6


@probe("v_wasteful", met=True, says="gives one more discard in every later round")
def _() -> None:
    assert in_next_round("v_wasteful").blind.discards_left == 5
    assert in_next_round("v_wasteful", blind="bl_water").blind.discards_left == 0


@probe("v_wasteful", met=False, says="is not there: the Red Deck's four discards")
def _() -> None:
    assert in_next_round().blind.discards_left == 4


@probe("v_recyclomancy", met=True, says="gives a second extra discard on top of Wasteful's")
def _() -> None:
    assert in_next_round("v_wasteful", "v_recyclomancy").blind.discards_left == 6


@probe("v_paint_brush", met=True, says="raises the hand size by one for good")
def _() -> None:
    game = in_next_round("v_paint_brush")
    assert len(game.hand) == 9
    assert len(next_round(shopping(game)).hand) == 9


@probe("v_paint_brush", met=True, says="deals one card more beside an Arcana pack opened after it")
def _() -> None:
    game = redeemed("v_paint_brush", shop_packs=["p_arcana_normal_1"])
    game.step(Action.open_pack(0))
    assert len(game.hand) == 9


@probe("v_paint_brush", met=False, says="is not there: eight cards")
def _() -> None:
    assert len(in_next_round().hand) == 8


@probe("v_palette", met=True, says="raises the hand size by another one")
def _() -> None:
    assert len(in_next_round("v_paint_brush", "v_palette").hand) == 10


@probe("v_antimatter", met=True, says="makes room for a sixth joker at once")
def _() -> None:
    five = ["j_joker", "j_jolly", "j_zany", "j_mad", "j_crazy"]
    game = redeemed("v_blank", "v_antimatter", jokers=five, shop_slots=["j_droll", "j_sly"])
    game.step(Action.buy(0))
    assert len(game.jokers) == 6
    refused(game, Action.buy(1))


@probe("v_antimatter", met=False, says="is not there: a sixth joker is refused, also with Blank redeemed")
def _() -> None:
    five = ["j_joker", "j_jolly", "j_zany", "j_mad", "j_crazy"]
    refused(redeemed("v_blank", jokers=five, shop_slots=["j_droll"]), Action.buy(0))
