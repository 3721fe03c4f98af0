"""Probes of the 20 challenges II: their rules in play."""

from typing import Any

from tests.probes.draws import Draws
from tests.probes.table import keys, next_round, play, playing, probe, refused, shopping, start, win_round
from tests.probes.vouchers import SEEDS

from jimbot.balatro import Action, Game, Phase


def cash_out(
    challenge: str | None, blind: str, jokers: tuple[str, ...] = (), **changes: Any
) -> dict[str, int]:
    """The rows of the cash-out after winning a round with the first card."""
    game = playing(game=start(challenge=challenge), blind=blind, **changes)
    if jokers:
        game.edit(jokers=list(jokers))
    win_round(game)
    rows = game.state()["cash_out"]
    money = game.money
    game.step(Action.cash_out())
    assert game.money == money + sum(rows.values())
    return rows


NOTHING = {"reward": 0, "hands": 0, "discards": 0, "jokers": 0, "tags": 0, "interest": 0}


@probe("c_omelette_1", met=True, says="pays no rewards, nothing for hands, no interest")
def _() -> None:
    for blind in ("bl_small", "bl_big", "bl_hook", "bl_final_leaf"):
        assert cash_out("c_omelette_1", blind, money=50) == NOTHING


@probe("c_omelette_1", met=True, says="lets its Eggs grow by $3 a round")
def _() -> None:
    game = shopping(start(challenge="c_omelette_1"))
    assert [joker.sell_value for joker in game.jokers] == [5] * 5
    assert game.money == 4
    game.step(Action.sell_joker(0))
    assert game.money == 9


@probe("c_omelette_1", met=False, says="still pays joker rows and Investment Tags")
def _() -> None:
    game = start(challenge="c_omelette_1")
    game.edit(skip_tags=["tag_investment", "tag_investment"])
    game.step(Action.skip_blind())
    playing(game=game, blind="bl_hook", jokers=["j_cloud_9"])
    win_round(game)
    assert game.state()["cash_out"] == NOTHING | {"jokers": 4, "tags": 25}


@probe("c_mad_world_1", met=True, says="pays rewards, but nothing for hands and no interest")
def _() -> None:
    assert cash_out("c_mad_world_1", "bl_small", money=50) == NOTHING | {"reward": 3}
    assert cash_out("c_mad_world_1", "bl_hook", money=50) == NOTHING | {"reward": 5}


@probe("c_mad_world_1", met=False, says="pays hands and interest in no other run but its like")
def _() -> None:
    rows = cash_out("c_city_1", "bl_small", money=50)
    assert rows == NOTHING | {"reward": 3, "hands": 3, "interest": 5}


@probe("c_cruelty_1", met=True, says="pays nothing for Small and Big Blinds")
def _() -> None:
    assert cash_out("c_cruelty_1", "bl_small")["reward"] == 0
    assert cash_out("c_cruelty_1", "bl_big")["reward"] == 0


@probe("c_cruelty_1", met=False, says="pays bosses, hands and interest as ever")
def _() -> None:
    rows = cash_out("c_cruelty_1", "bl_hook", money=25)
    assert rows == NOTHING | {"reward": 5, "hands": 3, "interest": 5}
    game = shopping(start(challenge="c_cruelty_1"), money=50, shop_slots=["j_sly"])
    game.edit(jokers=["j_joker"] * 3)
    refused(game, Action.buy(0))


@probe("c_rich_1", met=True, says="caps the chips by the money held at every change")
def _() -> None:
    game = playing(["S_A", "H_A", "C_2"], game=start(challenge="c_rich_1"), money=15)
    assert play(game, 0, 1) == 15 * 2
    game = playing(["S_A", "H_A", "C_2"], game=start(challenge="c_rich_1"), money=8)
    assert play(game, 0, 1) == 8 * 2


@probe("c_rich_1", met=True, says="scores nothing without money or in debt")
def _() -> None:
    for money in (0, -5):
        game = playing(["S_A", "H_A", "C_2"], game=start(challenge="c_rich_1"), money=money)
        assert play(game, 0, 1) == 0


@probe("c_rich_1", met=True, says="lets money earned on the way raise the cap for what follows")
def _() -> None:
    game = playing(["S_A;l=Gold", "H_A", "C_2"], game=start(challenge="c_rich_1"), money=20)
    assert play(game, 0, 1) == 23 * 2


@probe("c_rich_1", met=False, says="leaves chips below the money alone, and pays interest up to $20")
def _() -> None:
    game = playing(["S_A", "H_A", "C_2"], game=start(challenge="c_rich_1"), money=32)
    assert play(game, 0, 1) == 64
    assert cash_out("c_rich_1", "bl_small", money=100)["interest"] == 20


@probe("c_knife_1", met=True, says="feeds the pinned Dagger with the joker to its right at every blind")
def _() -> None:
    game = start(challenge="c_knife_1")
    game.edit(jokers=["j_ceremonial;s=EX", "j_blueprint", "j_joker"])
    if game.why_not(Action.move_joker(1, 0)) is None:
        game.step(Action.move_joker(1, 0))
    assert game.jokers[0].key == "j_ceremonial"
    game.step(Action.select_blind())
    assert keys(game.jokers) == ["j_ceremonial", "j_joker"]
    assert game.jokers[0].value == 10


@probe("c_knife_1", met=False, says="has nothing to feed an only Dagger, which cannot be sold")
def _() -> None:
    game = start(challenge="c_knife_1")
    game.step(Action.select_blind())
    assert game.jokers[0].value == 0
    refused(game, Action.sell_joker(0))


@probe("c_xray_1", met=True, says="turns each drawn card face down when its roll is below 1 in 4")
def _() -> None:
    total = 0
    for seed in SEEDS[:20]:
        game = start(seed, challenge="c_xray_1")
        game.step(Action.select_blind())
        draws = Draws(seed)
        expected = sum(draws.real("flipped_card") < 1 / 4 for _ in range(8))
        assert sum(card.face_down for card in game.hand) == expected
        total += expected
        up = [place for place, card in enumerate(game.hand) if not card.face_down][:3]
        game.step(Action.discard(*up))
        expected += sum(draws.real("flipped_card") < 1 / 4 for _ in range(3))
        assert sum(card.face_down for card in game.hand) == expected
    assert 20 < total < 60


@probe("c_xray_1", met=False, says="is not changed by Oops! All 6s, and lets face-down cards score as ever")
def _() -> None:
    seen = set()
    for seed in SEEDS[:5]:
        game = playing(game=start(seed, challenge="c_xray_1"), jokers=["j_oops", "j_oops"])
        seen |= {card.face_down for card in game.hand}
    assert seen == {True, False}
    game = playing(["S_A;f=1", "H_A;f=1"], game=start(challenge="c_xray_1"))
    assert play(game) == 64


@probe("c_luxury_1", met=True, says="takes one card of hand size per $5 held, at once")
def _() -> None:
    for money, size in ((4, 10), (5, 9), (24, 6), (25, 5), (-1, 11), (-5, 11)):
        game = start(challenge="c_luxury_1")
        game.edit(money=money)
        game.step(Action.select_blind())
        assert len(game.hand) == size, money


@probe("c_luxury_1", met=True, says="draws fewer cards after money was made in the round")
def _() -> None:
    game = start(challenge="c_luxury_1")
    game.edit(consumables=["c_hermit"], money=5)
    game.step(Action.select_blind())
    assert len(game.hand) == 9
    game.step(Action.use(0))
    assert game.money == 10
    game.step(Action.discard(0, 1))
    assert len(game.hand) == 8


@probe(
    "c_luxury_1",
    met=False,
    says="leaves ten cards with less than $5; another run's hand does not depend on money",
)
def _() -> None:
    game = start(challenge="c_luxury_1")
    game.edit(money=0)
    game.step(Action.select_blind())
    assert len(game.hand) == 10
    game = start(challenge="c_city_1")
    game.edit(money=60)
    game.step(Action.select_blind())
    assert len(game.hand) == 8


@probe("c_luxury_1", met=True, says="is lost when the money leaves no hand at all")
def _() -> None:
    game = start(challenge="c_luxury_1")
    game.edit(money=50)
    game.step(Action.select_blind())
    assert game.phase is Phase.GAME_OVER
    assert not game.won


@probe("c_non_perishable_1", met=True, says="makes every joker Eternal, in shops, in packs and made by cards")
def _() -> None:
    for seed in SEEDS[:10]:
        game = shopping(start(seed, challenge="c_non_perishable_1"), money=50)
        assert game.shop
        rows = [item for item in game.shop.slots if item and item.kind == "joker"]
        assert all("E" in item.item.split(";s=")[-1] for item in rows)
        game.edit(consumables=["c_judgement"], shop_packs=["p_buffoon_normal_1"])
        game.step(Action.use(0))
        assert game.jokers[0].eternal
        refused(game, Action.sell_joker(0))
        game.step(Action.open_pack(0))
        game.step(Action.pick(0))
        assert game.jokers[1].eternal


@probe("c_non_perishable_1", met=False, says="is not the rule elsewhere: no Eternal joker at White Stake")
def _() -> None:
    for seed in SEEDS[:10]:
        game = shopping(start(seed, challenge="c_city_1"))
        assert game.shop
        assert all(item is None or ";s=" not in item.item for item in game.shop.slots)


@probe("c_medusa_1", met=True, says="adds a Stone card with Marble Joker at every blind")
def _() -> None:
    game = start(challenge="c_medusa_1")
    game.step(Action.select_blind())
    assert game.state()["deck_size"] == 53
    cards = [*game.state()["hand"], *game.state()["draw_pile"]]
    assert sum(card["enhancement"] == "m_stone" for card in cards) == 13


@probe("c_medusa_1", met=False, says="has no face cards left for The Plant to debuff")
def _() -> None:
    state = playing(game=start(challenge="c_medusa_1"), blind="bl_plant").state()
    assert not any(card["debuffed"] for card in [*state["hand"], *state["draw_pile"]])


@probe("c_double_nothing_1", met=True, says="scores cards twice and then debuffs them for good")
def _() -> None:
    game = playing(["S_A;l=Red", "H_A;l=Red", "C_2;l=Red"], game=start(challenge="c_double_nothing_1"))
    assert play(game, 0, 1) == (10 + 44) * 2
    pile = {card["card"]: card["debuffed"] for card in game.state()["discard_pile"]}
    assert pile == {"S_A": True, "H_A": True}
    shopping(win_round(game))
    spent = [card for card in game.state()["draw_pile"] if card["debuffed"]]
    assert {"S_A", "H_A"} < {card["card"] for card in spent}
    assert len(spent) == 3
    next_round(game)
    cards = [*game.state()["hand"], *game.state()["draw_pile"]]
    assert sum(card["debuffed"] for card in cards) == 3


@probe(
    "c_double_nothing_1", met=False, says="spares played cards that did not score, held and discarded ones"
)
def _() -> None:
    hand = ["S_A;l=Red", "H_9;l=Red", "C_2;l=Red", "D_3;l=Red"]
    game = playing(hand, game=start(challenge="c_double_nothing_1"))
    game.step(Action.discard(3))
    game.edit(hand=hand[:3])
    play(game, 0, 1)
    pile = {card["card"]: card["debuffed"] for card in game.state()["discard_pile"]}
    assert pile == {"S_A": True, "H_9": False, "D_3": False}


def _typecast(ante: int, blind: str = "bl_hook", **changes: Any) -> Game:
    game = start(challenge="c_typecast_1")
    game.edit(ante=ante, jokers=["j_joker", "j_gros_michel", "j_blueprint;e=negative"], **changes)
    return win_round(playing(game=game, blind=blind))


@probe(
    "c_typecast_1",
    met=True,
    says="makes the owned jokers Eternal and leaves no slot after the boss of ante 4",
)
def _() -> None:
    for seed in SEEDS[:4]:
        game = start(seed, challenge="c_typecast_1")
        game.edit(ante=4, jokers=["j_joker", "j_popcorn;v=20", "j_mime"])
        win_round(playing(game=game, blind="bl_hook"))
        assert [joker.eternal for joker in game.jokers] == [True, False, True]
        assert game.state()["joker_slots"] == 0
        shopping(game, shop_slots=["j_sly"], money=50)
        refused(game, Action.buy(0))


@probe("c_typecast_1", met=True, says="lets later slots be added to nothing")
def _() -> None:
    game = start(challenge="c_typecast_1")
    game.edit(ante=4)
    win_round(playing(game=game, blind="bl_hook"))
    shopping(game, shop_slots=["j_sly", "j_wily"], money=50, shop_vouchers=["v_antimatter"])
    refused(game, Action.buy(0))
    game.step(Action.redeem(0))
    game.step(Action.buy(0))
    assert len(game.jokers) == 1
    refused(game, Action.buy(1))


@probe(
    "c_typecast_1",
    met=False,
    says="waits for that boss: not the one of ante 3, not the big blind of ante 4",
)
def _() -> None:
    for game in (_typecast(4, "bl_big"), _typecast(3), _typecast(4, "bl_small")):
        assert not any(joker.eternal for joker in game.jokers)
        assert game.state()["joker_slots"] == 6


@probe("c_inflation_1", met=True, says="raises every price by $1 for each card, voucher and pack bought")
def _() -> None:
    game = shopping(
        start(challenge="c_inflation_1"),
        money=100,
        shop_slots=["j_sly", "c_fool"],
        shop_vouchers=["v_blank"],
        shop_packs=["p_arcana_normal_1", "p_arcana_mega_1"],
    )
    assert game.shop
    game.step(Action.buy(0))
    assert game.money == 97
    assert [game.shop.slots[1].price if game.shop.slots[1] else 0] == [4]
    game.step(Action.redeem(0))
    assert game.money == 97 - 11
    game.step(Action.open_pack(0))
    assert game.money == 97 - 11 - 6
    game.step(Action.skip_pack())
    assert [item.price for item in game.shop.packs if item] == [8 + 3]
    game.step(Action.buy(1))
    assert game.money == 97 - 11 - 6 - 6
    next_round(game)
    shopping(game)
    assert [item.price for item in game.shop.vouchers if item] == [14]


@probe("c_inflation_1", met=True, says="raises the sell values of owned jokers too")
def _() -> None:
    game = shopping(start(challenge="c_inflation_1"), money=100, shop_slots=["j_sly", "j_wily"])
    before = [joker.sell_value for joker in game.jokers]
    assert before == [1]
    game.step(Action.buy(0))
    game.step(Action.buy(1))
    assert [joker.sell_value for joker in game.jokers] == [1, 2, 3]


@probe("c_inflation_1", met=False, says="does not come from rerolls, picks out of a pack or sales")
def _() -> None:
    game = shopping(start(challenge="c_inflation_1"), money=100, shop_packs=["p_buffoon_normal_1"])
    assert game.shop
    game.step(Action.reroll_shop())
    game.edit(shop_slots=["j_sly"])
    assert game.shop.slots[0]
    assert game.shop.slots[0].price == 3
    game.step(Action.sell_joker(0))
    game.step(Action.open_pack(0))
    game.step(Action.pick(0))
    assert game.shop.slots[0].price == 4
    assert game.shop.reroll_price == 6


@probe("c_bram_poker_1", met=True, says="lets Vampire feed on what Empress makes, and sells playing cards")
def _() -> None:
    game = playing(["S_A", "H_A", "C_2"], game=start(challenge="c_bram_poker_1"))
    game.step(Action.use(0, 0, 1))
    assert [card.enhancement for card in game.hand[:2]] == ["m_mult", "m_mult"]
    assert play(game, 0, 1) == int(32 * 2 * 1.2)


@probe("c_fragile_1", met=True, says="doubles Mult per scoring card and, with two Oops, breaks every one")
def _() -> None:
    game = playing(["S_A;h=m_glass", "H_A;h=m_glass", "C_2;h=m_glass"], game=start(challenge="c_fragile_1"))
    assert play(game, 0, 1) == 32 * 8
    assert game.state()["discard_pile"] == []


@probe("c_fragile_1", met=False, says="keeps cards that are only discarded or do not score")
def _() -> None:
    game = playing(["S_A;h=m_glass", "H_9;h=m_glass", "C_2;h=m_glass"], game=start(challenge="c_fragile_1"))
    play(game, 0, 1)
    assert [card["card"] for card in game.state()["discard_pile"]] == ["H_9"]


@probe("c_monolith_1", met=True, says="adds a Stone card at every blind")
def _() -> None:
    game = start(challenge="c_monolith_1")
    game.step(Action.select_blind())
    assert game.state()["deck_size"] == 53
    refused(game, Action.sell_joker(0))
    refused(game, Action.sell_joker(1))


@probe("c_blast_off_1", met=True, says="pays with Rocket and grows Constellation by planets")
def _() -> None:
    game = start(challenge="c_blast_off_1")
    game.edit(consumables=["c_mars"])
    game.step(Action.use(0))
    assert game.jokers[0].value == 1.1
    game.step(Action.select_blind())
    win_round(game)
    assert game.state()["cash_out"] == NOTHING | {"reward": 3, "hands": 1, "jokers": 1}


@probe("c_five_card_1", met=True, says="plays with five cards in hand; Card Sharp pays for a repeated hand")
def _() -> None:
    game = playing(["S_A", "H_K"], game=start(challenge="c_five_card_1"))
    assert play(game, 0) == 16 * 5
    game.edit(hand=["S_A", "H_K"])
    assert play(game, 0) == 16 * (1 * 3 + 4)


@probe("c_golden_needle_1", met=True, says="takes $1 for every discard, into debt if need be")
def _() -> None:
    game = start(challenge="c_golden_needle_1")
    game.step(Action.select_blind())
    game.step(Action.discard(0, 1, 2))
    assert game.money == 9
    game.step(Action.discard(0))
    assert game.money == 8
    game.edit(money=0)
    game.step(Action.discard(0))
    assert game.money == -1


@probe("c_golden_needle_1", met=False, says="takes nothing for a hand; discards are free elsewhere")
def _() -> None:
    game = start(challenge="c_golden_needle_1")
    game.step(Action.select_blind())
    win_round(game)
    assert game.money == 10
    game = start(challenge="c_city_1")
    game.step(Action.select_blind())
    game.step(Action.discard(0))
    assert game.money == 4


@probe(
    "c_golden_needle_1",
    met=True,
    says="is lost with its only hand unless a Credit Card debt pays for another boss",
)
def _() -> None:
    game = playing(["S_2", "H_3"], game=start(challenge="c_golden_needle_1"))
    play(game, 0)
    assert game.phase is Phase.GAME_OVER


@probe("c_jokerless_1", met=True, says="refuses any joker for want of slots")
def _() -> None:
    game = shopping(start(challenge="c_jokerless_1"), money=50, shop_slots=["j_sly", "j_wily;e=negative"])
    refused(game, Action.buy(0))


@probe("c_city_1", met=True, says="plays straights with gaps, and Ride the Bus starts again at a face card")
def _() -> None:
    game = playing(["S_Q", "H_T", "D_8", "C_6", "S_4"], game=start(challenge="c_city_1"))
    assert play(game) == (30 + 10 + 10 + 8 + 6 + 4) * 4
    game.edit(hand=["S_T", "H_9"])
    assert play(game, 0) == 15 * 2


@probe(
    "c_city_1",
    met=False,
    says="has no rule of its own: rewards, hands and interest are paid, discards are free",
)
def _() -> None:
    assert cash_out("c_city_1", "bl_big", money=12) == NOTHING | {"reward": 4, "hands": 3, "interest": 2}
