"""Probes of money: cash-out rows, interest, prices, rerolls and sales."""

from typing import Any

from tests.probes.draws import POOLS, Draws
from tests.probes.table import keys, next_round, play, playing, probe, refused, shopping, start, win_round
from tests.probes.vouchers import SEEDS

from jimbot.balatro import Action, Phase


def rows(
    money: int = 4, blind: str = "bl_small", hand: list[str] | None = None, **changes: Any
) -> dict[str, int]:
    """The rows of a cash-out; what they promise must be paid to the dollar."""
    game = playing(hand, blind=blind, money=money, **changes)
    win_round(game)
    found = game.state()["cash_out"]
    before = game.money
    game.step(Action.cash_out())
    assert game.money == before + sum(found.values())
    return found


def interest(money: int, *jokers: str, **changes: Any) -> int:
    """The interest paid with this money."""
    return rows(money, jokers=jokers, **changes)["interest"]


def shelf(*items: str, **changes: Any) -> list[int]:
    """Prices of these shop cards."""
    game = shopping(shop_slots=list(items), **changes)
    assert game.shop
    return [item.price for item in game.shop.slots if item]


# --- interest and cash-out ----------------------------------------------------------------------------------------


@probe("rule:interest", met=True, says="pays $1 per full $5 held, up to $5")
def _() -> None:
    assert [interest(money) for money in (5, 9, 10, 24, 25, 29, 30, 500)] == [1, 1, 2, 4, 5, 5, 5, 5]


@probe("rule:interest", met=True, says="is paid once more per To the Moon")
def _() -> None:
    assert interest(25, "j_to_the_moon") == 10
    assert interest(500, "j_to_the_moon", "j_to_the_moon") == 15
    assert interest(4, "j_to_the_moon") == 0


@probe("rule:interest", met=True, says="counts money made at the end of the round, by Gold cards for one")
def _() -> None:
    hand = ["S_A", "H_2;h=m_gold"]
    game = playing(hand, money=22)
    win_round(game)
    assert game.money == 25
    assert game.state()["cash_out"]["interest"] == 5


@probe("rule:interest", met=False, says="is not paid below $5 or in debt")
def _() -> None:
    assert [interest(money) for money in (4, 0, -1, -20)] == [0, 0, 0, 0]


@probe("rule:interest", met=False, says="does not count the money of the cash-out itself")
def _() -> None:
    assert rows(4, "bl_final_leaf") == {
        "reward": 8, "hands": 3, "discards": 0, "jokers": 0, "tags": 0, "interest": 0,
    }  # fmt: skip
    assert interest(4, "j_golden") == 0


@probe("rule:interest", met=False, says="is not paid for a To the Moon that is debuffed")
def _() -> None:
    assert interest(25, "j_to_the_moon;d=1") == 5


@probe("rule:phases", met=True, says="pays $1 per hand left, nothing for discards, and the rows in one sum")
def _() -> None:
    assert rows(14, hands_left=4)["hands"] == 3
    assert rows(14, hands_left=1) == {
        "reward": 3, "hands": 0, "discards": 0, "jokers": 0, "tags": 0, "interest": 2,
    }  # fmt: skip
    assert rows(7, "bl_big", jokers=["j_golden", "j_cloud_9"])["jokers"] == 8


@probe("rule:phases", met=False, says="pays nothing before Cash Out is pressed")
def _() -> None:
    game = win_round(playing(money=25))
    assert game.money == 25
    game.step(Action.cash_out())
    assert game.money == 25 + 3 + 3 + 5


# --- prices -------------------------------------------------------------------------------------------------------


@probe("rule:prices", met=True, says="charges base plus edition: $2, $3, $5, $5")
def _() -> None:
    editions = ("", ";e=foil", ";e=holo", ";e=polychrome")
    assert shelf(*[f"j_sly{edition}" for edition in editions]) == [3, 5, 6, 8]
    assert shelf("j_sly;e=negative", "c_fool", "c_mars", "c_ankh") == [8, 3, 3, 4]
    assert shelf("S_A", "S_A;h=m_glass;l=Red", "S_A;e=holo", "c_fool;e=negative") == [1, 1, 4, 8]


@probe("rule:prices", met=True, says="charges $4, $6, $8 for packs and $10 for vouchers")
def _() -> None:
    for kind in ("arcana", "celestial", "standard", "buffoon", "spectral"):
        packs = [f"p_{kind}_normal_1", f"p_{kind}_jumbo_1"]
        game = shopping(shop_packs=packs, shop_vouchers=["v_blank"])
        assert game.shop
        assert [item.price for item in [*game.shop.packs, *game.shop.vouchers] if item] == [4, 6, 10]
        game.edit(shop_packs=[f"p_{kind}_mega_1"])
        assert game.shop.packs[0]
        assert game.shop.packs[0].price == 8


@probe("rule:prices", met=True, says="makes Planets and Celestial packs free with Astronomer")
def _() -> None:
    game = shopping(
        jokers=["j_astronomer"],
        shop_slots=["c_mars", "c_fool"],
        shop_packs=["p_celestial_mega_1", "p_arcana_normal_1"],
    )
    assert game.shop
    assert [item.price for item in [*game.shop.slots, *game.shop.packs] if item] == [0, 3, 0, 4]
    game.edit(money=-3)
    game.step(Action.buy(0))
    game.step(Action.open_pack(0))
    assert game.money == -3


@probe("rule:prices", met=True, says="lets a Credit Card buy down to -$20")
def _() -> None:
    game = shopping(jokers=["j_credit_card"], shop_slots=["j_blueprint", "j_sly"], money=-9)
    game.step(Action.buy(1))
    assert game.money == -12
    refused(game, Action.buy(0))
    game.edit(money=-10)
    game.step(Action.buy(0))
    assert game.money == -20
    refused(game, Action.reroll_shop())


@probe("rule:prices", met=False, says="refuses what costs a dollar more than there is")
def _() -> None:
    game = shopping(
        shop_slots=["j_sly"], shop_packs=["p_arcana_normal_1"], shop_vouchers=["v_blank"], money=2
    )
    refused(game, Action.buy(0))
    game.edit(money=3)
    refused(game, Action.open_pack(0))
    game.step(Action.buy(0))
    assert game.money == 0
    game.edit(money=9)
    refused(game, Action.redeem(0))


@probe(
    "rule:prices", met=False, says="refuses jokers and consumables without a free slot, except Negative ones"
)
def _() -> None:
    five = ["j_joker"] * 5
    game = shopping(
        jokers=five, consumables=["c_fool", "c_fool"], money=99,
        shop_slots=["j_sly", "c_sun", "j_sly;e=negative", "c_mars"],
    )  # fmt: skip
    refused(game, Action.buy(0))
    refused(game, Action.buy(1))
    refused(game, Action.buy(3))
    refused(game, Action.buy_and_use(1))
    game.step(Action.buy_and_use(3))
    assert game.hands["Four of a Kind"].level == 2
    game.step(Action.buy(2))
    assert len(game.jokers) == 6
    refused(game, Action.buy(2))


# --- rerolls ------------------------------------------------------------------------------------------------------


@probe("rule:reroll", met=True, says="costs $5, then $1 more each time, and starts again in the next shop")
def _() -> None:
    game = shopping(money=30)
    assert game.shop
    for price in (5, 6, 7):
        assert game.shop.reroll_price == price
        before = game.money
        game.step(Action.reroll_shop())
        assert game.money == before - price
    shopping(next_round(game))
    assert game.shop.reroll_price == 5


@probe(
    "rule:reroll", met=True, says="replaces the cards only, refilling bought places; packs and voucher stay"
)
def _() -> None:
    game = shopping(money=30, shop_slots=["j_sly", "c_fool"])
    assert game.shop
    game.step(Action.buy(0))
    before = game.state()["shop"]
    game.step(Action.reroll_shop())
    after = game.state()["shop"]
    assert after["packs"] == before["packs"]
    assert after["vouchers"] == before["vouchers"]
    assert len(keys(game.shop.slots)) == 2


@probe(
    "rule:reroll", met=True, says="uses the free reroll of Chaos the Clown first, without raising the price"
)
def _() -> None:
    game = shopping(jokers=["j_chaos", "j_chaos"], money=5)
    assert game.shop
    for price in (0, 0, 5):
        assert game.shop.reroll_price == price
        game.step(Action.reroll_shop())
    assert game.money == 0
    assert game.shop.reroll_price == 6


@probe(
    "rule:reroll", met=True, says="gives the same cards as the seed's streams promise: nothing else uses them"
)
def _() -> None:
    one, two = shopping(start("REROLL"), money=50), shopping(start("REROLL"), money=50)
    for _ in range(3):
        one.step(Action.reroll_shop())
    two.edit(shop_packs=["p_standard_normal_1"])
    two.step(Action.open_pack(0))
    two.step(Action.skip_pack())
    for _ in range(3):
        two.step(Action.reroll_shop())
    assert one.shop
    assert two.shop
    assert one.shop.slots == two.shop.slots


@probe("rule:reroll", met=True, says="lets the cards it replaces come back, and shows none twice or owned")
def _() -> None:
    game = shopping(money=1000)
    assert game.shop
    first = set(keys(game.shop.slots))
    game.edit(jokers=["j_joker", "j_sly"])
    came_back = False
    for _ in range(40):
        game.step(Action.reroll_shop())
        shown = keys(game.shop.slots)
        assert len(set(shown)) == 2
        assert not {"j_joker", "j_sly"} & set(shown)
        came_back = came_back or bool(first & set(shown))
        game.edit(money=1000)
    assert came_back


@probe("rule:reroll", met=False, says="is refused with $4")
def _() -> None:
    game = shopping(money=4)
    refused(game, Action.reroll_shop())
    game.edit(money=5)
    game.step(Action.reroll_shop())


@probe(
    "rule:reroll", met=False, says="keeps no free reroll for the shop after next: Chaos counts at each blind"
)
def _() -> None:
    game = shopping(jokers=["j_chaos"])
    shopping(next_round(game))
    assert game.shop
    game.edit(money=100)
    game.step(Action.reroll_shop())
    assert game.shop.reroll_price == 5


# --- sales --------------------------------------------------------------------------------------------------------


def value(joker: str) -> int:
    """The sell value of a joker; selling it must pay exactly that."""
    game = start()
    game.edit(jokers=[joker], money=0)
    worth = game.jokers[0].sell_value
    game.step(Action.sell_joker(0))
    assert game.jokers == []
    assert game.money == worth
    return worth


@probe("rule:sell", met=True, says="pays half the price, rounded down, at least $1, with the edition's part")
def _() -> None:
    assert [value(key) for key in ("j_joker", "j_sly", "j_banner", "j_blueprint", "j_credit_card")] == [
        1,
        1,
        2,
        5,
        1,
    ]
    editions = ("foil", "holo", "polychrome", "negative")
    assert [value(f"j_banner;e={edition}") for edition in editions] == [3, 4, 5, 5]
    assert value("j_perkeo") == 10
    assert value("j_banner;b=7") == 9


@probe(
    "rule:sell",
    met=True,
    says="pays $1 for a Tarot or Planet, $2 for a Spectral card, more if Negative",
)
def _() -> None:
    game = start()
    for card, worth in (("c_fool", 1), ("c_mars", 1), ("c_ankh", 2), ("c_fool;e=negative", 4)):
        game.edit(consumables=[card], money=0)
        assert game.consumables[0].sell_value == worth
        game.step(Action.sell_consumable(0))
        assert game.money == worth
        assert game.consumables == []


@probe("rule:sell", met=True, says="pays for a bought joker what its price before a discount by tag says")
def _() -> None:
    game = shopping(shop_slots=["j_blueprint;r=1"], money=0)
    game.step(Action.buy(0))
    assert game.money == 0
    assert game.jokers[0].sell_value == 5


@probe("rule:sell", met=True, says="makes room at once and frees the key for the shop")
def _() -> None:
    game = shopping(jokers=["j_joker"] * 5, shop_slots=["j_sly"], money=10)
    refused(game, Action.buy(0))
    game.step(Action.sell_joker(4))
    game.step(Action.buy(0))
    assert len(game.jokers) == 5


@probe("rule:sell", met=False, says="is refused for Eternal jokers and for empty places")
def _() -> None:
    game = shopping(jokers=["j_joker;s=E"])
    refused(game, Action.sell_joker(0))
    refused(game, Action.sell_joker(1))
    refused(game, Action.sell_consumable(0))


@probe("rule:sell", met=False, says="takes the gifts of a sold joker back: hand size, slots")
def _() -> None:
    game = start()
    game.edit(jokers=["j_juggler", "j_troubadour", "j_sly;e=negative"])
    assert (game.state()["hand_size"], game.state()["joker_slots"]) == (11, 6)
    for _ in range(3):
        game.step(Action.sell_joker(0))
    state = game.state()
    assert (state["hand_size"], state["joker_slots"], state["hands_per_round"]) == (8, 5, 4)


# --- what the first shop shows ------------------------------------------------------------------------------------


@probe(
    "rule:prices",
    met=True,
    says="makes a normal Buffoon pack the first of the run's first shop, and no later one",
)
def _() -> None:
    firsts = set()
    for seed in SEEDS[:25]:
        game = shopping(start(seed))
        assert game.shop
        assert keys(game.shop.packs)[0].startswith("p_buffoon_normal_")
        draws = Draws(seed)
        weights = {
            key: (0.6, 0.6, 0.15)
            if "buffoon" in key
            else (0.3, 0.3, 0.07)
            if "spectral" in key
            else (1, 1, 0.25)
            for key in POOLS["booster"]
        }
        sizes = ("normal", "jumbo", "mega")
        each = [weights[key][sizes.index(key.split("_")[2])] for key in POOLS["booster"]]
        shown = [keys(game.shop.packs)[1]]
        shopping(next_round(game))
        shown += keys(game.shop.packs)
        firsts.add(shown[1])
        for pack in shown:
            place, below = draws.real("shop_pack1") * sum(each), 0.0
            for key, weight in zip(POOLS["booster"], each, strict=True):
                below += weight
                if below >= place:
                    assert key == pack, seed
                    break
    assert len(firsts) > 5


@probe("rule:sell", met=True, says="lets a joker's sale in the middle of a round count for the next hand")
def _() -> None:
    game = playing(["S_A", "H_2"], jokers=["j_joker", "j_joker"])
    game.step(Action.sell_joker(0))
    assert play(game, 0) == 16 * 5
    assert game.phase is Phase.PLAYING


@probe("rule:reroll", met=True, says="keeps free rerolls usable without money")
def _() -> None:
    game = shopping(jokers=["j_chaos"], money=0)
    game.step(Action.reroll_shop())
    refused(game, Action.reroll_shop())
