"""Probes of the jokers from Astronomer to Perkeo, and of the prices of all jokers from Walkie Talkie on."""

from typing import Any

from jimbot.balatro import Action, Game

from .draws import POOLS, Draws
from .table import keys, next_round, play, playing, probe, refused, score_of, shopping, start, win_round

SEEDS = [f"PROBE{number}" for number in range(1, 400) if "0" not in str(number)]

SURE = ["j_oops", "j_oops"]
"""Two of them make a Glass card break for certain."""


def prices(game: Game) -> list[int]:
    """What cards and packs of the shop cost, left to right; bought ones are left out."""
    shop = game.shop
    assert shop is not None
    return [item.price for item in [*shop.slots, *shop.packs] if item is not None]


def boss_round(boss: str, jokers: list[str], seed: str = "PROBE") -> Game:
    """The boss of the first ante just selected, with its own target."""
    game = start(seed)
    game.edit(next_blind="boss", boss=boss, jokers=jokers)
    game.step(Action.select_blind())
    return game


# --- Astronomer ----------------------------------------------------------------------------------------------

SHELF: dict[str, Any] = {
    "shop_slots": ["c_mars", "c_pluto;e=negative", "c_fool", "j_joker"],
    "shop_packs": ["p_celestial_mega_1", "p_arcana_normal_1"],
}
DEAR, FREE = [3, 8, 3, 2, 8, 4], [0, 0, 3, 2, 0, 4]


@probe(
    "j_astronomer", met=True, says="Planets and Celestial packs cost nothing, and can be had without money"
)
def _() -> None:
    game = shopping(jokers=["j_astronomer"], money=0, **SHELF)
    assert prices(game) == FREE
    game.step(Action.buy(0))
    game.step(Action.open_pack(0))
    game.step(Action.skip_pack())
    assert (game.money, keys(game.consumables)) == (0, ["c_mars"])


@probe("j_astronomer", met=True, says="works on the shelf from the moment it is bought, until it is sold")
def _() -> None:
    shelf = SHELF | {"shop_slots": ["c_mars", "c_pluto;e=negative", "c_fool", "j_astronomer"]}
    game = shopping(None, money=20, **shelf)
    game.step(Action.buy(3))
    assert prices(game) == [0, 0, 3, 0, 4]
    game.step(Action.sell_joker(0))
    assert prices(game) == [3, 8, 3, 8, 4]


@probe("j_astronomer", met=False, says="without it, or with it debuffed, everything has its price")
def _() -> None:
    assert prices(shopping(money=20, **SHELF)) == DEAR
    assert prices(shopping(jokers=["j_astronomer;d=1"], money=20, **SHELF)) == DEAR
    game = shopping(money=0, **SHELF)
    assert refused(game, Action.buy(0))


# --- Burnt Joker ---------------------------------------------------------------------------------------------


@probe("j_burnt", met=True, says="the round's first discard raises the level of the hand discarded")
def _() -> None:
    hands = {
        "Pair": ["H_K", "D_K"],
        "High Card": ["H_K"],
        "Flush": ["H_2", "H_4", "H_6", "H_8", "H_T"],
        "Five of a Kind": ["H_K", "D_K", "S_K", "C_K", "C_K"],
    }
    for name, cards in hands.items():
        for jokers, level in ((["j_burnt"], 2), (["j_blueprint", "j_burnt"], 3)):
            game = playing([*cards, "S_3"], jokers=jokers)
            game.step(Action.discard(*range(len(cards))))
            assert {hand: entry.level for hand, entry in game.hands.items() if entry.level > 1} == {
                name: level
            }
            assert game.hands[name].played == 0


@probe(
    "j_burnt",
    met=True,
    says="works in every round, also after a hand was played; Stone cards make a High Card",
)
def _() -> None:
    game = playing(["H_A", "H_K;h=m_stone", "S_K;h=m_stone"], jokers=["j_burnt"], draw_pile=["S_2"] * 9)
    play(game, 0)
    stones = [position for position, card in enumerate(game.hand) if card.enhancement == "m_stone"]
    game.step(Action.discard(*stones))
    assert game.hands["High Card"].level == 2
    next_round(shopping(game))
    game.step(Action.discard(0))
    assert game.hands["High Card"].level == 3


@probe("j_burnt", met=False, says="later discards and a debuffed Burnt Joker raise nothing")
def _() -> None:
    game = playing(["H_A", "H_K", "S_3"], jokers=["j_burnt"])
    game.step(Action.discard(0))
    game.step(Action.discard(0))
    assert game.hands["High Card"].level == 2
    game = playing(["H_A", "H_K"], jokers=["j_burnt;d=1"])
    game.step(Action.discard(0))
    assert game.hands["High Card"].level == 1


@probe("j_burnt", met=False, says="The Hook's discard raises nothing, and the player's first one still does")
def _() -> None:
    game = playing(["H_A", "D_K", "S_K"], jokers=["j_burnt"], blind="bl_hook")
    play(game, 0)
    assert all(hand.level == 1 for hand in game.hands.values())
    game.step(Action.discard(0))
    assert game.hands["High Card"].level == 2


# --- Bootstraps ----------------------------------------------------------------------------------------------


@probe("j_bootstraps", met=True, says="adds 2 Mult for each full $5")
def _() -> None:
    for money, mult in ((5, 2), (9, 2), (14, 4), (100, 40)):
        assert score_of(["H_A"], jokers=["j_bootstraps"], money=money) == 16 * (1 + mult)
    assert score_of(["H_A"], jokers=["j_blueprint", "j_bootstraps"], money=10) == 16 * 9


@probe("j_bootstraps", met=True, says="counts money earned earlier in the same hand")
def _() -> None:
    assert score_of(["D_A"], jokers=["j_bootstraps", "j_rough_gem"], money=4) == 16 * 3
    assert score_of(["H_A;l=Gold"], jokers=["j_bootstraps"], money=2) == 16 * 3


@probe("j_bootstraps", met=False, says="adds nothing below $5, in debt or when debuffed")
def _() -> None:
    for money in (4, 0, -12):
        assert score_of(["H_A"], jokers=["j_bootstraps"], money=money) == 16
    assert score_of(["H_A"], jokers=["j_bootstraps;d=1"], money=50) == 16


# --- Canio ---------------------------------------------------------------------------------------------------


@probe("j_caino", met=True, says="gains X1 for each face card that breaks, from the next hand on")
def _() -> None:
    hand = ["H_K;h=m_glass", "S_K;h=m_glass", "D_A"]
    game = playing(hand, jokers=["j_caino", *SURE], draw_pile=[])
    assert play(game, 0, 1) == 30 * 8
    assert game.jokers[0].value == 3
    assert play(game, 0) == 16 * 3


@probe("j_caino", met=True, says="gains for face cards destroyed by consumables and by a discard")
def _() -> None:
    game = playing(["H_K", "S_Q", "D_A"], jokers=["j_caino"], consumables=["c_hanged_man"])
    game.step(Action.use(0, 0, 1))
    assert game.jokers[0].value == 3
    for key, count in (("c_immolate", 5), ("c_familiar", 1), ("c_grim", 1), ("c_incantation", 1)):
        game = playing(
            [f"{suit}_{rank}" for suit in "HS" for rank in "JQK"], jokers=["j_caino"], consumables=[key]
        )
        game.step(Action.use(0))
        assert game.jokers[0].value == 1 + count
    game = playing(["H_J", "D_A"], jokers=["j_caino", "j_trading"])
    game.step(Action.discard(0))
    assert game.jokers[0].value == 2


@probe("j_caino", met=True, says="with Pareidolia any card destroyed counts, a 6 of Sixth Sense too")
def _() -> None:
    game = playing(["H_6", "D_A"], jokers=["j_caino", "j_sixth_sense", "j_pareidolia"])
    play(game, 0)
    assert game.jokers[0].value == 2


@probe("j_caino", met=False, says="number cards, Stone faces and debuffed faces do not count")
def _() -> None:
    for first, second in (("H_A", "S_T"), ("H_K;h=m_stone", "S_K;d=1")):
        game = playing([first, second, "D_A"], jokers=["j_caino"], consumables=["c_hanged_man"])
        game.step(Action.use(0, 0, 1))
        assert game.jokers[0].value == 1


@probe(
    "j_caino",
    met=False,
    says="played or discarded faces are not destroyed; copies and a debuffed Canio do not grow",
)
def _() -> None:
    game = playing(["H_K", "H_Q", "D_A"], jokers=["j_caino"], draw_pile=[])
    game.step(Action.discard(0))
    assert play(game, 1) == 15
    assert game.jokers[0].value == 1
    hand = ["H_K", "D_A"]
    game = playing(hand, jokers=["j_blueprint", "j_caino"], consumables=["c_hanged_man"], draw_pile=[])
    game.step(Action.use(0, 0))
    assert play(game, 0) == 16 * 2 * 2
    game = playing(hand, jokers=["j_caino;d=1"], consumables=["c_hanged_man"])
    game.step(Action.use(0, 0))
    assert game.jokers[0].value == 1


# --- Triboulet -----------------------------------------------------------------------------------------------


@probe("j_triboulet", met=True, says="X2 Mult at every trigger of a scoring King or Queen")
def _() -> None:
    assert score_of(["H_K", "D_K"], jokers=["j_triboulet"]) == 30 * 2 * 4
    assert score_of(["H_Q"], jokers=["j_triboulet"]) == 15 * 2
    assert score_of(["H_Q;l=Red"], jokers=["j_triboulet"]) == 25 * 4
    assert score_of(["H_Q"], jokers=["j_blueprint", "j_triboulet"]) == 15 * 4


@probe(
    "j_triboulet",
    met=False,
    says="Jacks, Aces, held, Stone and debuffed cards do nothing, even with Pareidolia",
)
def _() -> None:
    cards = {"H_J": 15, "H_A": 16, "H_K;d=1": 5, "H_K;h=m_stone": 55}
    for card, score in cards.items():
        assert score_of([card], held=["S_K"], jokers=["j_triboulet", "j_pareidolia"]) == score
    assert score_of(["H_K"], jokers=["j_triboulet;d=1"]) == 15


# --- Yorick --------------------------------------------------------------------------------------------------


def _thrown(jokers: list[str], *counts: int) -> Game:
    """A round in which so many cards were thrown away, discard by discard; an Ace is left in front."""
    game = playing(jokers=jokers, draw_pile=["H_2;d=1"] * 60, discards_left=20)
    for count in counts:
        game.step(Action.discard(*range(count)))
    game.edit(hand=["H_A"])
    return game


@probe("j_yorick", met=True, says="gains X1 with every 23rd card discarded, debuffed cards included")
def _() -> None:
    assert play(_thrown(["j_yorick"], 5, 5, 5, 5, 3)) == 16 * 2
    assert play(_thrown(["j_yorick"], 5, 5, 5, 5, 5, 5, 5, 5, 5)) == 16 * 2
    assert play(_thrown(["j_yorick"], 5, 5, 5, 5, 5, 5, 5, 5, 5, 1)) == 16 * 3
    assert play(_thrown(["j_blueprint", "j_yorick"], 5, 5, 5, 5, 3)) == 16 * 4


@probe("j_yorick", met=True, says="goes on counting in the next round; what The Hook throws away counts")
def _() -> None:
    game = _thrown(["j_yorick"], 5, 5, 5, 5, 2)
    next_round(shopping(game))
    game.step(Action.discard(0))
    assert game.jokers[0].value == 2
    game = playing(["H_A", "H_3", "H_4"], jokers=["j_yorick;v=1;c=2"], blind="bl_hook")
    assert play(game, 0) == 16 * 2


@probe("j_yorick", met=False, says="22 cards are not enough, and copies do not count them twice")
def _() -> None:
    assert play(_thrown(["j_yorick"], 5, 5, 5, 5, 2)) == 16
    assert play(_thrown(["j_blueprint", "j_yorick"], 5, 5, 5, 5, 2)) == 16


@probe("j_yorick", met=False, says="played cards do not count, and debuffed it counts nothing")
def _() -> None:
    game = playing(["H_A"] * 8, jokers=["j_yorick;v=1;c=2"], draw_pile=["H_A"] * 9)
    play(game, 0, 1, 2, 3, 4)
    assert game.jokers[0].value == 1
    assert _thrown(["j_yorick;d=1"], 5, 5, 5, 5, 5).jokers[0].value == 1


# --- Chicot --------------------------------------------------------------------------------------------------

CHICOT = ["j_chicot"]


@probe("j_chicot", met=True, says="ends every boss's ability when the boss is selected; the reward stays")
def _() -> None:
    for boss in ("bl_club", "bl_goad", "bl_head", "bl_window", "bl_plant", "bl_final_leaf"):
        assert not any(card.debuffed for card in boss_round(boss, CHICOT).hand)
    for boss in ("bl_house", "bl_mark", "bl_wheel", "bl_fish"):
        game = boss_round(boss, [*CHICOT, *SURE, "j_oops"])
        game.edit(target=1e9)
        play(game, 0)
        assert not any(card.face_down for card in game.hand)
    game = boss_round("bl_water", CHICOT)
    assert win_round(game).state()["cash_out"]["reward"] == 5


@probe("j_chicot", met=True, says="gives back discards, hands, hand size and the lower target")
def _() -> None:
    for boss in ("bl_water", "bl_needle", "bl_manacle", "bl_wall", "bl_final_vessel"):
        game = boss_round(boss, CHICOT)
        blind = game.blind
        assert (blind.disabled, blind.discards_left, blind.hands_left) == (True, 4, 4)
        assert (game.state()["hand_size"], len(game.hand)) == (8, 8)
        assert blind.target == (300 if boss == "bl_needle" else 600)


@probe("j_chicot", met=True, says="hands play as if the boss were not there")
def _() -> None:
    hand = ["H_A", "D_3", "D_4", "S_6"]
    for boss in ("bl_psychic", "bl_flint", "bl_arm", "bl_ox", "bl_tooth", "bl_hook", "bl_eye", "bl_mouth"):
        game = playing(hand, jokers=CHICOT, blind=boss, draw_pile=["S_2"] * 9)
        game.edit(levels={"High Card": 2}, ox_hand="High Card", money=9)
        assert play(game, 0) == (15 + 11) * 2
        assert (game.hands["High Card"].level, game.money) == (2, 9)
        assert [card.card for card in game.hand[-7:]].count("S_2") == 5
    for boss in ("bl_eye", "bl_mouth", "bl_serpent"):
        game = playing(["H_A", "D_A", "H_K", "D_Q"], jokers=CHICOT, blind=boss, draw_pile=["S_2"] * 9)
        assert play(game, 0, 1) == 32 * 2
        assert play(game, 0) == 15
        assert play(game, 1, 2) == (10 + 4) * 2
        assert len(game.hand) == 8


@probe("j_chicot", met=True, says="ends the showdown bosses: no forced card, no debuffed or hidden joker")
def _() -> None:
    assert not any(card.forced for card in boss_round("bl_final_bell", CHICOT).hand)
    for boss in ("bl_final_heart", "bl_final_acorn"):
        jokers = boss_round(boss, [*CHICOT, "j_joker"]).jokers
        assert not any(joker.debuffed or joker.face_down for joker in jokers)


@probe("j_chicot", met=True, says="obtained during a boss round it acts at once")
def _() -> None:
    seed = next(
        seed for seed in SEEDS if Draws(seed).element("Joker4", POOLS["joker_legendary"]) == "j_chicot"
    )
    for boss in ("bl_water", "bl_needle", "bl_manacle", "bl_wall", "bl_final_vessel", "bl_club"):
        game = boss_round(boss, [], seed)
        assert not game.blind.disabled
        game.edit(consumables=["c_soul"])
        game.step(Action.use(0))
        assert keys(game.jokers) == CHICOT
        blind = game.blind
        assert (blind.disabled, blind.discards_left, blind.hands_left) == (True, 4, 4)
        assert (game.state()["hand_size"], len(game.hand)) == (8, 8)
        assert blind.target == (300 if boss == "bl_needle" else 600)
        assert not any(card["debuffed"] for card in [*game.state()["hand"], *game.state()["draw_pile"]])


@probe("j_chicot", met=False, says="debuffed it ends nothing, and a Blueprint beside it does not help")
def _() -> None:
    for jokers in ([], ["j_chicot;d=1"], ["j_blueprint", "j_chicot;d=1"]):
        game = boss_round("bl_water", jokers)
        assert (game.blind.disabled, game.blind.discards_left) == (False, 0)
        assert any(card.debuffed for card in boss_round("bl_head", jokers).hand)


@probe(
    "j_chicot", met=False, says="Small and Big Blinds are not disabled; sold, the boss at hand stays disabled"
)
def _() -> None:
    for blind in ("bl_small", "bl_big"):
        assert not playing(jokers=CHICOT, blind=blind).blind.disabled
    game = boss_round("bl_psychic", CHICOT)
    game.step(Action.sell_joker(0))
    assert game.blind.disabled
    assert play(game, 0) > 0
    next_round(shopping(game), "bl_water")
    assert (game.blind.disabled, game.blind.discards_left) == (False, 0)


# --- Perkeo --------------------------------------------------------------------------------------------------


@probe(
    "j_perkeo", met=True, says="leaving the shop it makes a Negative copy of a consumable that the seed picks"
)
def _() -> None:
    held, seen = ["c_fool", "c_mars"], set()
    for seed in SEEDS[:8]:
        game = shopping(playing(["H_A"], jokers=["j_perkeo"], game=start(seed)), consumables=held)
        game.step(Action.leave_shop())
        pick = Draws(seed).element("perkeo", held)
        assert [(card.key, card.edition) for card in game.consumables] == [
            *[(key, None) for key in held],
            (pick, "negative"),
        ]
        assert game.state()["consumable_slots"] == 3
        seen.add(pick)
    assert seen == set(held)


@probe("j_perkeo", met=True, says="a copy makes another; copies of copies are Negative as well")
def _() -> None:
    for jokers, count in ((["j_perkeo"], 1), (["j_perkeo", "j_brainstorm", "j_brainstorm"], 3)):
        game = shopping(jokers=jokers, consumables=["c_death"])
        game.step(Action.leave_shop())
        assert keys(game.consumables) == ["c_death"] * (1 + count)
        assert [card.edition for card in game.consumables[1:]] == ["negative"] * count
    game = shopping(jokers=["j_perkeo"], consumables=["c_death;e=negative"])
    game.step(Action.leave_shop())
    assert [card.edition for card in game.consumables] == ["negative", "negative"]


@probe("j_perkeo", met=True, says="the second of two picks among the first one's copy too")
def _() -> None:
    held = ["c_fool", "c_mars"]
    for seed in SEEDS[:12]:
        game = shopping(
            playing(["H_A"], jokers=["j_blueprint", "j_perkeo"], game=start(seed)), consumables=held
        )
        game.step(Action.leave_shop())
        draws = Draws(seed)
        first = draws.element("perkeo", held)
        assert keys(game.consumables) == [*held, first, draws.element("perkeo", [*held, first])]


@probe("j_perkeo", met=False, says="makes nothing without consumables, when debuffed, or at other moments")
def _() -> None:
    game = shopping(jokers=["j_perkeo"])
    game.step(Action.leave_shop())
    assert game.consumables == []
    game = shopping(jokers=["j_perkeo;d=1"], consumables=["c_death"])
    game.step(Action.leave_shop())
    assert keys(game.consumables) == ["c_death"]
    game = start()
    game.edit(jokers=["j_perkeo"], consumables=["c_death"], skip_tags=["tag_foil", "tag_foil"])
    game.step(Action.skip_blind())
    shopping(game)
    assert keys(game.consumables) == ["c_death"]


# --- Prices --------------------------------------------------------------------------------------------------

PRICES = {
    4: "walkie_talkie smiley swashbuckler hanging_chad oops",
    5: "ticket mr_bones ring_master shoot_the_moon",
    6: "selzer castle acrobat sock_and_buskin troubadour certificate throwback glass flower_pot idol"
    " seeing_double satellite cartomancer",
    7: "smeared rough_gem bloodstone arrowhead onyx_agate merry_andy matador stuntman drivers_license bootstraps",
    8: "wee hit_the_road duo trio family order tribe invisible astronomer burnt",
    9: "campfire",
    10: "blueprint brainstorm",
    20: "caino triboulet yorick chicot perkeo",
}


def _priced(key: str, price: int) -> None:
    """Enter the probe of a joker's price."""

    @probe(key, met=True, says=f"costs ${price}, $5 more when Negative, and sells for half, rounded down")
    def _() -> None:
        game = shopping(money=100, shop_slots=[key, f"{key};e=negative"], jokers=["j_joker"])
        assert prices(game)[:2] == [price, price + 5]
        game.step(Action.buy(0))
        game.step(Action.buy(1))
        assert game.money == 100 - 2 * price - 5
        assert [joker.sell_value for joker in game.jokers[1:]] == [price // 2, (price + 5) // 2]
        game.step(Action.sell_joker(1))
        assert game.money == 100 - 2 * price - 5 + price // 2


for _price, _names in PRICES.items():
    for _name in _names.split():
        _priced(f"j_{_name}", _price)
