"""Probes of the editions, on playing cards and on jokers, and of the seals."""

from jimbot.balatro import Action, Game

from .draws import POOLS, Draws
from .table import SEED, keys, play, playing, probe, refused, score_of, shopping, start, win_round
from .using import HAND

PAIR = 10 + 18
"""Chips of a level 1 Pair of nines; its Mult is 2."""

EDITION_COST = {"foil": 2, "holo": 3, "polychrome": 5, "negative": 5}


# editions that score


def _edition(edition: str, chips: int, mult: int, times: float, says: str) -> None:
    item = f"e_{edition}"

    @probe(item, met=True, says=f"a scored playing card gives {says}, every time it triggers")
    def _() -> None:
        assert score_of([f"S_9;e={edition}", "H_9"]) == (PAIR + chips) * ((2 + mult) * times)
        twice = (PAIR + 9 + 2 * chips) * (((2 + mult) * times + mult) * times)
        assert score_of([f"S_9;e={edition};l=Red", "H_9"]) == int(twice)
        assert score_of([f"S_9;e={edition};h=m_stone"]) == int((5 + 50 + chips) * ((1 + mult) * times))

    @probe(item, met=True, says="on a playing card it comes after the enhancement")
    def _() -> None:
        scored = score_of([f"S_9;e={edition};h=m_mult", "H_9"])
        assert scored == (PAIR + chips) * ((2 + 4 + mult) * times)
        scored = score_of([f"S_9;e={edition};h=m_glass", "H_9"])
        assert scored == (PAIR + chips) * ((2 * 2 + mult) * times)

    @probe(item, met=True, says=f"a joker with it gives {says} to every hand")
    def _() -> None:
        scored = score_of(["S_9", "H_9"], jokers=[f"j_egg;e={edition}"])
        assert scored == (PAIR + chips) * ((2 + mult) * times)

    @probe(item, met=True, says="costs more in the shop, and the sell value follows")
    def _() -> None:
        game = shopping(money=30, shop_slots=[f"j_blueprint;e={edition}"])
        assert game.shop
        assert game.shop.slots[0]
        price = 10 + EDITION_COST[edition]
        assert game.shop.slots[0].price == price
        game.step(Action.buy(0))
        assert (game.money, game.jokers[0].sell_value) == (30 - price, price // 2)
        assert game.jokers[0].edition == edition

    @probe(item, met=False, says="a playing card gives nothing when held, unscored or debuffed")
    def _() -> None:
        assert score_of(["S_9", "H_9"], held=[f"D_K;e={edition}"]) == PAIR * 2
        assert score_of(["S_9", "H_9", f"D_K;e={edition}"]) == PAIR * 2
        assert score_of([f"S_9;e={edition};d=1", "H_9"]) == (PAIR - 9) * 2

    @probe(item, met=False, says="a debuffed joker gives nothing; Blueprint does not copy an edition")
    def _() -> None:
        assert score_of(["S_9", "H_9"], jokers=[f"j_joker;e={edition};d=1"]) == PAIR * 2
        copied = score_of(["S_9", "H_9"], jokers=["j_blueprint", f"j_joker;e={edition}"])
        assert copied == (PAIR + chips) * ((2 + 4 + mult + 4) * times)


_edition("foil", 50, 0, 1, "50 chips")
_edition("holo", 0, 10, 1, "10 Mult")
_edition("polychrome", 0, 0, 1.5, "X1.5 Mult")


@probe("e_holo", met=True, says="a joker's Holographic comes before its own effect")
def _() -> None:
    assert score_of(["S_9", "H_9"], jokers=["j_duo;e=holo"]) == PAIR * ((2 + 10) * 2)


@probe(
    "e_polychrome", met=True, says="a joker's Polychrome comes after its own effect and before the next joker"
)
def _() -> None:
    scored = score_of(["S_9", "H_9"], jokers=["j_joker;e=polychrome", "j_joker"])
    assert scored == PAIR * ((2 + 4) * 1.5 + 4)


@probe(
    "e_polychrome", met=True, says="Baseball Card acts on an Uncommon joker before that joker's Polychrome"
)
def _() -> None:
    scored = score_of(["S_9", "H_9"], jokers=["j_stone;e=polychrome", "j_baseball"])
    assert scored == int(PAIR * (2 * 1.5 * 1.5))


# Negative


@probe("e_negative", met=True, says="a joker with it brings a joker slot, also while debuffed")
def _() -> None:
    for flag in ("", ";d=1"):
        game = playing(HAND, jokers=["j_joker"] * 4 + [f"j_egg;e=negative{flag}"])
        assert game.state()["joker_slots"] == 6
        shopping(game, money=50, shop_slots=["j_mime"]).step(Action.buy(0))
        assert len(game.jokers) == 6


@probe("e_negative", met=True, says="a Negative joker can be bought with full slots, for $5 more")
def _() -> None:
    game = shopping(jokers=["j_joker"] * 5, money=50, shop_slots=["j_mime;e=negative", "j_egg"])
    assert game.shop
    assert game.shop.slots[0]
    assert game.shop.slots[0].price == 5 + 5
    refused(game, Action.buy(1))
    game.step(Action.buy(0))
    assert (len(game.jokers), game.state()["joker_slots"]) == (6, 6)
    refused(game, Action.buy(1))


@probe("e_negative", met=True, says="a consumable with it brings a consumable slot")
def _() -> None:
    game = playing(HAND, consumables=["c_mars", "c_venus;e=negative"])
    assert game.state()["consumable_slots"] == 3
    game = shopping(money=50, shop_slots=["c_pluto", "c_earth"], consumables=["c_mars", "c_venus;e=negative"])
    game.step(Action.buy(0))
    refused(game, Action.buy(1))
    game.step(Action.use(1))
    assert (keys(game.consumables), game.state()["consumable_slots"]) == (["c_mars", "c_pluto"], 2)


@probe(
    "e_negative",
    met=False,
    says="the slot goes when the card is sold",
)
def _() -> None:
    game = playing(HAND, jokers=["j_egg;e=negative"] + ["j_joker"] * 5)
    game.step(Action.sell_joker(0))
    assert (len(game.jokers), game.state()["joker_slots"]) == (5, 5)
    game = playing(HAND, consumables=["c_mars;e=negative", "c_venus", "c_earth"])
    game.step(Action.sell_consumable(0))
    assert (len(game.consumables), game.state()["consumable_slots"]) == (2, 2)


@probe("e_negative", met=False, says="adds nothing to a score")
def _() -> None:
    assert score_of(["S_9", "H_9"], jokers=["j_egg;e=negative"]) == PAIR * 2


@probe("e_negative", met=False, says="never comes on the playing cards of a Standard pack")
def _() -> None:
    for number in range(1, 40):
        game = shopping(start(f"PACK{number}"), money=50, shop_packs=["p_standard_mega_1"])
        game.step(Action.open_pack(0))
        assert game.pack
        assert not any(item and "e=negative" in item.item for item in game.pack.cards)


# seals


@probe("seal_gold", met=True, says="pays $3 every time the card scores")
def _() -> None:
    for hand, jokers, paid in (
        (["S_9;l=Gold", "H_9"], [], 3),
        (["S_9;l=Gold", "H_9;l=Gold"], [], 6),
        (["S_2;l=Gold", "H_9"], ["j_splash", "j_hack"], 6),
        (["S_9;l=Gold"], ["j_hanging_chad"], 9),
        (["S_9;l=Gold;h=m_stone"], [], 3),
    ):
        game = playing(hand, jokers=jokers)
        play(game)
        assert game.money == 4 + paid


@probe("seal_gold", met=True, says="the money counts at once for Bull")
def _() -> None:
    assert score_of(["S_9;l=Gold"], jokers=["j_bull"], money=10) == 5 + 9 + 2 * 13


@probe("seal_gold", met=False, says="pays nothing held, discarded, unscored, debuffed or blocked")
def _() -> None:
    for hand, played in (
        (["S_9", "H_2;l=Gold"], [0]),
        (["S_9", "H_2;l=Gold"], [0, 1]),
        (["S_9;l=Gold;d=1"], [0]),
    ):
        game = playing(hand)
        play(game, *played)
        assert game.money == 4
    game = playing(["S_9;l=Gold", "H_2"], blind="bl_psychic")
    play(game, 0)
    game.edit(hand=["S_9;l=Gold", "H_2"])
    game.step(Action.discard(0))
    win_round(game)
    assert game.money == 4


@probe("seal_red", met=True, says="a scored card triggers once more, with everything that reacts to it")
def _() -> None:
    assert score_of(["S_9;l=Red", "H_9"]) == (PAIR + 9) * 2
    scored = score_of(["S_9;l=Red;h=m_mult;e=foil", "H_9"], jokers=["j_wrathful_joker"])
    assert scored == (PAIR + 50 + 9 + 50) * (2 + 2 * (4 + 3))


@probe("seal_red", met=True, says="adds to the triggers that jokers add")
def _() -> None:
    assert score_of(["S_9;l=Red"], jokers=["j_hanging_chad"]) == 5 + 9 * 4
    assert score_of(["S_2;l=Red"], jokers=["j_hanging_chad", "j_hack"]) == 5 + 2 * 5


@probe("seal_red", met=True, says="a held card with an effect triggers once more, by itself or by a joker")
def _() -> None:
    assert score_of(["S_9", "H_9"], held=["D_K;h=m_steel;l=Red"]) == PAIR * (2 * 1.5**2)
    assert score_of(["S_9", "H_9"], held=["D_K;l=Red"], jokers=["j_baron"]) == PAIR * (2 * 1.5**2)
    assert score_of(["S_9", "H_9"], held=["D_Q;l=Red"], jokers=["j_shoot_the_moon"]) == PAIR * (2 + 13 * 2)
    game = win_round(playing(["S_9", "H_9;h=m_gold;l=Red"]))
    assert game.money == 4 + 6


@probe("seal_red", met=False, says="does nothing for an unscored, idle held, or debuffed card")
def _() -> None:
    assert score_of(["S_9", "H_9", "D_2;l=Red"]) == PAIR * 2
    assert score_of(["S_9", "H_9"], held=["D_2;l=Red"], jokers=["j_baron"]) == PAIR * 2
    assert score_of(["S_9;l=Red;d=1", "H_9"]) == (PAIR - 9) * 2
    assert score_of(["S_9", "H_9"], held=["D_K;h=m_steel;l=Red;d=1"]) == PAIR * 2
    game = win_round(playing(["S_9", "H_9;h=m_gold;l=Red;d=1"]))
    assert game.money == 4


def _after_round(hand: list[str], *played: int, **options: object) -> Game:
    """A round won with these cards of the hand; what is left of the hand is held."""
    game = playing(hand, target=1, **{"draw_pile": [], **options})  # type: ignore[arg-type]
    game.step(Action.play(*played))
    return game


@probe("seal_blue", met=True, says="held at the end of the round, creates the planet of the last hand played")
def _() -> None:
    assert keys(_after_round(["S_9", "H_9", "D_2;l=Blue"], 0, 1).consumables) == ["c_mercury"]
    assert keys(_after_round(["S_9", "H_8", "D_2;l=Blue"], 0).consumables) == ["c_pluto"]
    assert keys(_after_round(["S_9"] * 5 + ["D_2;l=Blue"], 0, 1, 2, 3, 4).consumables) == ["c_eris"]


@probe("seal_blue", met=True, says="the last hand decides, not the most played one")
def _() -> None:
    game = playing(["S_9", "H_9", "S_4", "H_4", "D_2;l=Blue"], draw_pile=[])
    play(game, 0, 1)
    game.edit(target=1)
    game.step(Action.play(0))
    assert keys(game.consumables) == ["c_pluto"]


@probe("seal_blue", met=True, says="each such card creates its own planet, the same one, as slots allow")
def _() -> None:
    held = ["D_2;l=Blue", "D_3;l=Blue", "D_4;l=Blue"]
    assert keys(_after_round(["S_9", *held], 0).consumables) == ["c_pluto", "c_pluto"]
    game = _after_round(["S_9", *held], 0, consumables=["c_mars"])
    assert keys(game.consumables) == ["c_mars", "c_pluto"]


@probe(
    "seal_blue",
    met=False,
    says="creates nothing played, discarded, debuffed, in the deck, or with full slots",
)
def _() -> None:
    assert keys(_after_round(["S_9;l=Blue", "D_2"], 0).consumables) == []
    assert keys(_after_round(["S_9", "D_2;l=Blue;d=1"], 0).consumables) == []
    assert keys(_after_round(["S_9", "D_2"], 0, draw_pile=["D_3;l=Blue"]).consumables) == []
    full = ["c_mars", "c_mars"]
    assert keys(_after_round(["S_9", "D_2;l=Blue"], 0, consumables=full).consumables) == full
    game = playing(["S_9", "D_2;l=Blue"], draw_pile=[])
    game.step(Action.discard(1))
    assert keys(win_round(game).consumables) == []


@probe("seal_blue", met=False, says="creates nothing after a hand that does not end the round")
def _() -> None:
    game = playing(["S_9", "D_2;l=Blue"])
    play(game, 0)
    assert keys(game.consumables) == []


@probe("seal_purple", met=True, says="when discarded, creates a Tarot, as the seed's stream has it")
def _() -> None:
    game = playing(["S_9;l=Purple", "H_9"])
    game.step(Action.discard(0))
    draws = Draws(SEED)
    first = draws.element("Tarot8ba1", POOLS["tarot"])
    assert keys(game.consumables) == [first]
    game = playing(["S_9;l=Purple", "H_9", "D_2;l=Purple", "C_3;l=Purple"])
    game.step(Action.discard(0, 1, 2, 3))
    second = draws.pool("Tarot8ba1", "tarot", lambda found: found == first)
    assert keys(game.consumables) == [first, second]


@probe("seal_purple", met=True, says="also when The Hook discards it")
def _() -> None:
    game = playing(["S_9", "H_9;l=Purple", "D_2;l=Purple"], blind="bl_hook")
    play(game, 0)
    assert len(game.consumables) == 2


@probe("seal_purple", met=False, says="creates nothing played, held, debuffed, or with full slots")
def _() -> None:
    game = playing(["S_9;l=Purple", "H_9;l=Purple", "D_2;l=Purple;d=1"])
    play(game, 0)
    assert keys(game.consumables) == []
    game.edit(hand=["D_2;l=Purple;d=1", "H_9;l=Purple"])
    game.step(Action.discard(0))
    assert keys(game.consumables) == []
    game = playing(["S_9;l=Purple", "H_9"], consumables=["c_mars", "c_mars"])
    game.step(Action.discard(0))
    assert keys(game.consumables) == ["c_mars", "c_mars"]
