"""Probes of the 15 decks."""

from collections import Counter
from typing import Any

from tests.probes.draws import POOLS, Draws
from tests.probes.table import keys, next_round, play, playing, probe, refused, shopping, start, win_round
from tests.probes.vouchers import SEEDS
from tests.probes.vouchers_b import kind_of, kinds_follow

from jimbot.balatro import Action, Game, Phase

RANKS = "23456789TJQKA"
DECKS = (
    "b_red", "b_blue", "b_yellow", "b_green", "b_black", "b_magic", "b_nebula", "b_ghost", "b_abandoned",
    "b_checkered", "b_zodiac", "b_painted", "b_anaglyph", "b_plasma", "b_erratic",
)  # fmt: skip
USUAL = {
    "money": 4, "hands_per_round": 4, "discards_per_round": 3, "hand_size": 8, "joker_slots": 5,
    "consumable_slots": 2, "vouchers": [], "deck_size": 52, "ante": 1,
}  # fmt: skip
CHANGED = {
    "b_red": {"discards_per_round": 4},
    "b_blue": {"hands_per_round": 5},
    "b_yellow": {"money": 14},
    "b_black": {"joker_slots": 6, "hands_per_round": 3},
    "b_magic": {"consumable_slots": 3, "vouchers": ["v_crystal_ball"]},
    "b_nebula": {"consumable_slots": 1, "vouchers": ["v_telescope"]},
    "b_abandoned": {"deck_size": 40},
    "b_zodiac": {"vouchers": ["v_overstock_norm", "v_planet_merchant", "v_tarot_merchant"]},
    "b_painted": {"hand_size": 10, "joker_slots": 4},
}


def fronts(deck: str, seed: str = "PROBE") -> Counter[str]:
    """The cards of a new deck."""
    return Counter(card["card"] for card in start(seed, deck=deck).state()["draw_pile"])


def cash_out(deck: str, blind: str = "bl_small", **changes: Any) -> dict[str, int]:
    """The rows of the cash-out after winning a round with the first card."""
    game = playing(game=start(deck=deck), blind=blind, **changes)
    win_round(game)
    rows = game.state()["cash_out"]
    money = game.money
    game.step(Action.cash_out())
    assert game.money == money + sum(rows.values())
    return rows


def _enter_start_probe(deck: str) -> None:
    changed = CHANGED.get(deck, {})

    @probe(deck, met=True, says="starts with its own values")
    def _() -> None:
        state = start(deck=deck).state()
        state["vouchers"] = sorted(state["vouchers"])
        assert {field: state[field] for field in USUAL} == USUAL | changed

    @probe(deck, met=True, says="deals its first round accordingly")
    def _() -> None:
        game = start(deck=deck)
        game.step(Action.select_blind())
        values = USUAL | changed
        assert len(game.hand) == values["hand_size"]
        assert game.blind.hands_left == values["hands_per_round"]
        assert game.blind.discards_left == values["discards_per_round"]
        assert game.blind.target == (600 if deck == "b_plasma" else 300)

    @probe(deck, met=False, says="changes nothing about the plain deck's start beyond its own rule")
    def _() -> None:
        state = start(deck=deck).state()
        assert state["jokers"] == []
        assert len(state["consumables"]) == {"b_magic": 2, "b_ghost": 1}.get(deck, 0)
        assert state["tags"] == []
        if deck not in ("b_abandoned", "b_checkered", "b_erratic"):
            assert fronts(deck) == Counter(POOLS["playing_card_fronts"])


for _deck in DECKS:
    _enter_start_probe(_deck)


@probe("b_red", met=False, says="gives its extra discard to no other deck, and The Water takes it too")
def _() -> None:
    assert start(deck="b_blue").state()["discards_per_round"] == 3
    assert playing(blind="bl_water").blind.discards_left == 0


@probe("b_blue", met=True, says="pays for its fifth hand at the cash-out")
def _() -> None:
    assert cash_out("b_blue")["hands"] == 4


@probe("b_yellow", met=True, says="earns interest on its money at the first cash-out")
def _() -> None:
    assert cash_out("b_yellow")["interest"] == 2


@probe("b_green", met=True, says="pays $2 per hand and $1 per discard left")
def _() -> None:
    assert cash_out("b_green", money=50) == {
        "reward": 3, "hands": 6, "discards": 3, "jokers": 0, "tags": 0, "interest": 0,
    }  # fmt: skip
    assert cash_out("b_green", hands_left=1, discards_left=0)["hands"] == 0
    assert cash_out("b_green", blind="bl_hook", discards_left=2)["discards"] == 2


@probe("b_green", met=False, says="pays no interest; other decks pay it and nothing for discards")
def _() -> None:
    assert cash_out("b_green", money=50)["interest"] == 0
    assert cash_out("b_blue", money=50) == {
        "reward": 3, "hands": 4, "discards": 0, "jokers": 0, "tags": 0, "interest": 5,
    }  # fmt: skip


@probe("b_green", met=False, says="pays no interest with To the Moon or Seed Money either")
def _() -> None:
    game = playing(game=start(deck="b_green"), jokers=["j_to_the_moon"], money=50, vouchers=["v_seed_money"])
    win_round(game)
    assert game.state()["cash_out"]["interest"] == 0


@probe("b_black", met=True, says="has room for a sixth joker, not for a seventh")
def _() -> None:
    game = shopping(start(deck="b_black"), jokers=["j_joker"] * 5, money=50, shop_slots=["j_sly", "j_wily"])
    game.edit(jokers=["j_joker"] * 5)
    game.step(Action.buy(0))
    refused(game, Action.buy(1))
    assert len(game.jokers) == 6


@probe("b_magic", met=True, says="holds two Fools, unusable until another card was used")
def _() -> None:
    game = start(deck="b_magic")
    assert keys(game.consumables) == ["c_fool", "c_fool"]
    refused(game, Action.use(0))
    game.edit(last_consumable="c_mars")
    game.step(Action.use(0))
    assert keys(game.consumables) == ["c_fool", "c_mars"]


@probe("b_magic", met=False, says="is not offered Crystal Ball, and no Fool while it holds one")
def _() -> None:
    for seed in SEEDS[:20]:
        game = start(seed, deck="b_magic")
        assert game.state()["ante_voucher"] != "v_crystal_ball"
        shopping(game, shop_slots=[], shop_packs=["p_arcana_jumbo_1"], money=10)
        game.step(Action.open_pack(0))
        assert game.pack
        assert "c_fool" not in keys(game.pack.cards)


@probe("b_nebula", met=True, says="finds the planet of its most played hand in the first Celestial pack")
def _() -> None:
    game = shopping(start(deck="b_nebula"), shop_packs=["p_celestial_normal_1"], money=10)
    game.edit(plays={"Straight": 5}, consumables=["c_fool"], shop_slots=["c_sun"])
    refused(game, Action.buy(0))
    game.step(Action.open_pack(0))
    assert game.pack
    assert keys(game.pack.cards)[0] == "c_saturn"


@probe("b_nebula", met=False, says="is not offered Telescope; Observatory may come")
def _() -> None:
    offered = {start(f"NEBULA{number}", deck="b_nebula").state()["ante_voucher"] for number in range(1, 100)}
    assert "v_telescope" not in offered
    assert "v_observatory" in offered


@probe("b_ghost", met=True, says="starts with a Hex and may offer Spectral cards with weight 2")
def _() -> None:
    assert keys(start(deck="b_ghost").consumables) == ["c_hex"]
    assert kinds_follow(game={"deck": "b_ghost"}, spectral=2) > 0


@probe("b_ghost", met=True, says="sells Spectral cards for $4, to keep or to use at once")
def _() -> None:
    game = shopping(start(deck="b_ghost"), money=20, shop_slots=["c_ankh", "c_black_hole"])
    assert game.shop
    assert [item.price for item in game.shop.slots if item] == [4, 4]
    game.step(Action.buy(0))
    game.step(Action.buy_and_use(1))
    assert keys(game.consumables) == ["c_hex", "c_ankh"]
    assert game.hands["Pair"].level == 2


@probe("b_ghost", met=False, says="is alone in that: no Spectral card is for sale with other decks")
def _() -> None:
    for seed in SEEDS:
        game = shopping(start(seed))
        assert game.shop
        assert all(kind_of(item) != "spectral" for item in game.shop.slots)


@probe("b_abandoned", met=True, says="has no Jacks, Queens or Kings")
def _() -> None:
    assert fronts("b_abandoned") == Counter(
        front for front in POOLS["playing_card_fronts"] if front[2] not in "JQK"
    )


@probe("b_abandoned", met=False, says="counts 40 cards as its full size for Erosion")
def _() -> None:
    game = playing(game=start(deck="b_abandoned"), jokers=["j_erosion"])
    game.step(Action.sort_hand("rank"))
    best = {"A": 11, "T": 10}.get(game.hand[0].rank or "", 0) or int(game.hand[0].rank or 0)
    assert play(game, 0) == 5 + best


@probe("b_checkered", met=True, says="has every rank twice in Spades and twice in Hearts")
def _() -> None:
    assert fronts("b_checkered") == Counter({f"{suit}_{rank}": 2 for suit in "SH" for rank in RANKS})


@probe("b_checkered", met=False, says="has no Clubs and no Diamonds for the bosses that debuff them")
def _() -> None:
    for blind, hit in (("bl_club", False), ("bl_window", False), ("bl_goad", True), ("bl_head", True)):
        state = playing(game=start(deck="b_checkered"), blind=blind).state()
        assert any(card["debuffed"] for card in state["draw_pile"]) == hit


@probe("b_zodiac", met=True, says="shows three cards in its first shop, by the Merchants' weights")
def _() -> None:
    assert kinds_follow(game={"deck": "b_zodiac"}, slots=3, tarot=9.6, planet=9.6) > 0


@probe("b_zodiac", met=False, says="is not offered its own vouchers, but may be offered their second halves")
def _() -> None:
    own = {"v_overstock_norm", "v_tarot_merchant", "v_planet_merchant"}
    offered = {start(f"ZODIAC{number}", deck="b_zodiac").state()["ante_voucher"] for number in range(1, 100)}
    assert not offered & own
    assert offered & {"v_overstock_plus", "v_tarot_tycoon", "v_planet_tycoon"}


@probe("b_painted", met=False, says="has no room for a fifth joker")
def _() -> None:
    game = shopping(start(deck="b_painted"), money=50, shop_slots=["j_sly"])
    game.edit(jokers=["j_joker"] * 4)
    refused(game, Action.buy(0))
    game.edit(jokers=["j_joker"] * 3)
    game.step(Action.buy(0))


@probe("b_anaglyph", met=True, says="gives a Double Tag after each beaten boss")
def _() -> None:
    game = shopping(playing(game=start(deck="b_anaglyph"), blind="bl_hook"))
    assert game.tags == ["tag_double"]
    game.step(Action.leave_shop())
    shopping(playing(game=game, blind="bl_hook"))
    assert game.tags == ["tag_double", "tag_double"]


@probe(
    "b_anaglyph", met=False, says="gives none after small and big blinds, nor does another deck after a boss"
)
def _() -> None:
    for blind in ("bl_small", "bl_big"):
        assert shopping(playing(game=start(deck="b_anaglyph"), blind=blind)).tags == []
    assert shopping(playing(blind="bl_hook")).tags == []


@probe("b_plasma", met=True, says="balances chips and mult: both become the floor of their average")
def _() -> None:
    def scored(cards: list[str], *jokers: str) -> float:
        game = playing([*cards, "C_2"], game=start(deck="b_plasma"), jokers=jokers)
        return play(game, *range(len(cards)))

    assert scored(["S_A"]) == 8 * 8
    assert scored(["S_A", "H_A"]) == 17 * 17
    assert scored(["S_A", "H_A"], "j_joker") == 19 * 19
    assert scored(["S_A", "H_A;e=polychrome"]) == 17 * 17


@probe("b_plasma", met=True, says="doubles every target")
def _() -> None:
    for blind, target in (("bl_big", 900), ("bl_hook", 1200), ("bl_wall", 2400), ("bl_needle", 600)):
        game = start(deck="b_plasma")
        place = "big" if blind == "bl_big" else "boss"
        game.edit(next_blind=place, **({} if place == "big" else {"boss": blind}))
        game.step(Action.select_blind())
        assert game.blind.target == target


@probe("b_plasma", met=False, says="leaves scores and targets of other decks alone")
def _() -> None:
    game = playing(["S_A", "H_A"], game=start(deck="b_blue"))
    assert play(game) == 64


@probe("b_erratic", met=True, says="draws its 52 cards one by one, with repetition, from the 52 fronts")
def _() -> None:
    for seed in SEEDS[:6]:
        draws = Draws(seed)
        expected = Counter(draws.element("erratic", POOLS["playing_card_fronts"]) for _ in range(52))
        assert fronts("b_erratic", seed) == expected
        assert len(expected) < 52


@probe("b_erratic", met=True, says="is 52 tens of Spades on the seed 7LB2WVPK")
def _() -> None:
    assert fronts("b_erratic", "7LB2WVPK") == Counter({"S_T": 52})


@probe("b_erratic", met=False, says="is the only deck whose cards depend on the seed")
def _() -> None:
    for deck in DECKS[:-1]:
        assert fronts(deck, "PROBEA1") == fronts(deck, "PROBEA2")


@probe("b_painted", met=True, says="deals ten cards again in the next round")
def _() -> None:
    game = next_round(shopping(start(deck="b_painted")))
    assert len(game.hand) == 10
    assert game.phase is Phase.PLAYING


@probe("b_black", met=False, says="has three hands, and the challenge deck cannot be chosen")
def _() -> None:
    assert cash_out("b_black")["hands"] == 2
    try:
        Game("PROBE", deck="b_challenge")
    except ValueError:
        return
    raise AssertionError("the challenge deck was accepted")
