"""Probes of the 12 Planet cards."""

from jimbot.balatro import Action, Phase

from .draws import POOLS, Draws
from .table import SEED, keys, play, playing, probe, refused, score_of, shopping, start, win_round
from .using import HAND, in_pack, used

PLANETS = {
    "c_eris": ("Flush Five", 160, 16, 50, 3, ("H_7", "H_7", "H_7", "H_7", "H_7"), 35),
    "c_ceres": ("Flush House", 140, 14, 40, 4, ("H_7", "H_7", "H_7", "H_4", "H_4"), 29),
    "c_planet_x": ("Five of a Kind", 120, 12, 35, 3, ("S_7", "H_7", "H_7", "D_7", "C_7"), 35),
    "c_neptune": ("Straight Flush", 100, 8, 40, 4, ("H_3", "H_4", "H_5", "H_6", "H_7"), 25),
    "c_mars": ("Four of a Kind", 60, 7, 30, 3, ("S_7", "H_7", "D_7", "C_7", "C_2"), 28),
    "c_earth": ("Full House", 40, 4, 25, 2, ("S_7", "H_7", "D_7", "C_4", "D_4"), 29),
    "c_jupiter": ("Flush", 35, 4, 15, 2, ("H_3", "H_4", "H_5", "H_6", "H_8"), 26),
    "c_saturn": ("Straight", 30, 4, 30, 3, ("H_3", "H_4", "H_5", "H_6", "S_7"), 25),
    "c_venus": ("Three of a Kind", 30, 3, 20, 2, ("S_7", "H_7", "D_7", "C_4"), 21),
    "c_uranus": ("Two Pair", 20, 2, 20, 1, ("S_7", "H_7", "D_4", "C_4"), 22),
    "c_mercury": ("Pair", 10, 2, 15, 1, ("S_7", "H_7", "D_4"), 14),
    "c_pluto": ("High Card", 5, 1, 10, 1, ("S_7", "H_4"), 7),
}
"""By planet: its hand, the hand's chips, Mult, and what a level adds to them; cards of it and the chips they score."""

SECRET = ("c_planet_x", "c_ceres", "c_eris")


def _planet(key: str) -> None:
    hand, chips, mult, more_chips, more_mult, cards, card_chips = PLANETS[key]

    @probe(key, met=True, says=f"raises {hand} by a level: {more_chips} chips and {more_mult} Mult more")
    def _() -> None:
        for times in (1, 2, 5):
            game = playing(cards, consumables=[key] * times, consumable_slots=5)
            for _ in range(times):
                game.step(Action.use(0))
            level = game.hands[hand]
            assert (level.level, level.chips) == (1 + times, chips + times * more_chips)
            assert level.mult == mult + times * more_mult
            assert play(game) == (level.chips + card_chips) * level.mult

    @probe(key, met=True, says="counts as the last card used, and for Constellation; not as a Tarot")
    def _() -> None:
        game = used(key, jokers=["j_constellation;v=1", "j_fortune_teller"])
        assert game.state()["last_consumable"] == key
        assert game.state()["tarots_used"] == 0
        assert game.jokers[0].value == 1 + 0.1

    @probe(
        key, met=True, says="is used in any phase, straight from the shelf or from a pack, slots full or not"
    )
    def _() -> None:
        game = start()
        game.edit(consumables=[key])
        game.step(Action.use(0))
        assert (game.phase, game.hands[hand].level) == (Phase.BLIND_SELECT, 2)
        full = ["c_death", "c_sun"]
        game = shopping(money=5, shop_slots=[key], consumables=full)
        refused(game, Action.buy(0))
        game.step(Action.buy_and_use(0))
        assert (game.hands[hand].level, game.money, keys(game.consumables)) == (2, 2, full)
        game = in_pack("p_celestial_mega_1", key, "c_sun", consumables=full)
        game.step(Action.pick(0))
        assert (game.hands[hand].level, game.phase) == (2, Phase.PACK)

    @probe(key, met=False, says="leaves every other hand as it was")
    def _() -> None:
        game = used(key)
        for other, level in game.hands.items():
            assert level.level == (2 if other == hand else 1)
        other_cards = PLANETS["c_mercury" if key == "c_pluto" else "c_pluto"][5]
        game.edit(hand=list(other_cards))
        assert play(game) == score_of(other_cards)

    @probe(key, met=False, says="does nothing while held, and nothing when sold for $1")
    def _() -> None:
        game = playing(cards, consumables=[key])
        assert play(game) == (chips + card_chips) * mult
        game.step(Action.sell_consumable(0))
        assert (game.money, game.hands[hand].level, game.state()["last_consumable"]) == (5, 1, None)


for _key in PLANETS:
    _planet(_key)


def _secret(key: str) -> None:
    hand, cards = PLANETS[key][0], PLANETS[key][5]
    others = {planet for planet in SECRET if planet != key}

    @probe(key, met=True, says=f"comes up once {hand} has been played")
    def _() -> None:
        found = set()
        for number in range(1, 30):
            game = playing(cards, game=start(f"PLANET{number}"))
            play(game)
            shopping(game, money=50, shop_packs=["p_celestial_mega_1"]).step(Action.open_pack(0))
            assert game.pack
            found |= set(keys(game.pack.cards))
        assert key in found
        assert not found & others

    @probe(key, met=False, says=f"never comes up before {hand} has been played, whatever its level")
    def _() -> None:
        for number in range(1, 30):
            game = start(f"PLANET{number}")
            game.edit(levels={hand: 7})
            shopping(game, money=50, shop_packs=["p_celestial_mega_1"]).step(Action.open_pack(0))
            assert game.pack
            assert key not in keys(game.pack.cards)

    @probe(key, met=False, says=f"does not make {hand} a visible hand")
    def _() -> None:
        assert not used(key).hands[hand].visible


for _key in SECRET:
    _secret(_key)


@probe("c_pluto", met=True, says="stands in when every planet is taken")
def _() -> None:
    held = [key for key in POOLS["planet"] if key not in SECRET]
    game = used("c_high_priestess", consumables=["c_high_priestess", *held], consumable_slots=12)
    assert keys(game.consumables) == [*held, "c_pluto", "c_pluto"]


@probe("c_pluto", met=False, says="does not stand in while another planet is left")
def _() -> None:
    held = [key for key in POOLS["planet"] if key not in (*SECRET, "c_mars")]
    game = used("c_high_priestess", consumables=["c_high_priestess", *held], consumable_slots=9)
    assert keys(game.consumables) == [*held, "c_mars"]


@probe(
    "c_mars", met=True, says="fills Celestial packs with its like, each once, as the seed's stream has them"
)
def _() -> None:
    game = in_pack("p_celestial_jumbo_1")
    draws = Draws(SEED)
    shelf = {item.key for item in (game.shop.slots if game.shop else []) if item}
    expected: list[str] = []
    for _ in range(5):
        assert draws.real("soul_Planet1") <= 0.997
        taken = {*SECRET, *expected, *shelf}
        expected.append(draws.pool("Planetpl11", "planet", lambda found, taken=taken: found in taken))
    assert game.pack
    assert keys(game.pack.cards) == expected


@probe("c_mars", met=True, says="Satellite pays $1 for every different planet used")
def _() -> None:
    game = playing(
        HAND, jokers=["j_satellite"], consumables=["c_mars", "c_mars", "c_venus"], consumable_slots=3
    )
    for _ in range(3):
        game.step(Action.use(0))
    plain = playing(HAND, jokers=["j_satellite"])
    paid = []
    for run in (game, plain):
        win_round(run).step(Action.cash_out())
        paid.append(run.money)
    assert paid[0] - paid[1] == 2
