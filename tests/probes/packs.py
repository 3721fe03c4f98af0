"""Probes of the 32 booster packs."""

from typing import NamedTuple

from jimbot.balatro import Action, Game, Phase
from jimbot.balatro.names import read_item

from .draws import POOLS, Draws, seed_with
from .table import keys, playing, probe, refused, shopping, start
from .using import in_pack

SIZES = {"normal": (4, 1), "jumbo": (6, 1), "mega": (8, 2)}
"""Price and choices by size."""

KINDS = {"arcana": (3, 5), "celestial": (3, 5), "standard": (3, 5), "buffoon": (2, 4), "spectral": (2, 4)}
"""Cards in a normal pack and in a jumbo or mega one."""

PLAIN = {
    "arcana": ["c_hermit", "c_temperance", "c_hermit"],
    "celestial": ["c_mars", "c_pluto", "c_venus"],
    "standard": ["S_A;h=m_glass;e=holo;l=Red", "H_2", "D_5"],
    "buffoon": ["j_joker;e=foil", "j_egg", "j_mime"],
    "spectral": ["c_black_hole", "c_immolate", "c_black_hole"],
}
"""Cards of each kind that can be chosen without further ado."""

WEIGHTS = {"arcana": 1.0, "celestial": 1.0, "standard": 1.0, "buffoon": 0.6, "spectral": 0.3}
MEGA_WEIGHTS = {"arcana": 0.25, "celestial": 0.25, "standard": 0.25, "buffoon": 0.15, "spectral": 0.07}

GATED = {"j_cavendish", "j_steel_joker", "j_stone", "j_glass", "j_lucky_cat", "j_ticket"}
NEVER = {"c_planet_x", "c_ceres", "c_eris", "c_soul", "c_black_hole"} | GATED
"""What a new run's packs do not have in their pools."""

NOT_ETERNAL = {
    *(
        "j_gros_michel",
        "j_ice_cream",
        "j_cavendish",
        "j_luchador",
        "j_turtle_bean",
        "j_diet_cola",
        "j_popcorn",
    ),
    *("j_ramen", "j_selzer", "j_mr_bones", "j_invisible"),
}
NOT_PERISHABLE = {
    *(
        "j_ceremonial",
        "j_ride_the_bus",
        "j_runner",
        "j_constellation",
        "j_green_joker",
        "j_red_card",
        "j_madness",
    ),
    *("j_square", "j_vampire", "j_hologram", "j_rocket", "j_obelisk", "j_lucky_cat", "j_flash", "j_trousers"),
    *("j_castle", "j_wee", "j_glass"),
}


class _Kind(NamedTuple):
    name: str
    price: int
    shown: int
    choose: int
    hand: bool


def _kind(key: str) -> _Kind:
    _, name, size, _ = key.split("_")
    price, choose = SIZES[size]
    return _Kind(name, price, KINDS[name][size != "normal"], choose, name in ("arcana", "spectral"))


def _weight(key: str) -> float:
    _, name, size, _ = key.split("_")
    return (MEGA_WEIGHTS if size == "mega" else WEIGHTS)[name]


# what a pack holds


def _edition(roll: float, factor: float) -> str:
    for limit, edition in ((0.006, "polychrome"), (0.02, "holo"), (0.04, "foil")):
        if roll > 1 - limit * factor:
            return edition
    return ""


def _standard_card(draws: Draws) -> str:
    enhancement = ""
    if draws.real("stdset1") > 0.6:
        enhancement = f";h={draws.element('Enhancedsta1', POOLS['enhanced'])}"
    front = draws.element("frontsta1", POOLS["playing_card_fronts"])
    edition = _edition(draws.real("standard_edition1"), 2)
    seal = ""
    if draws.real("stdseal1") > 0.8:
        roll = draws.real("stdsealtype1")
        seal = "Red" if roll > 0.75 else "Blue" if roll > 0.5 else "Gold" if roll > 0.25 else "Purple"
    return front + enhancement + (f";e={edition}" if edition else "") + (f";l={seal}" if seal else "")


def _joker(draws: Draws, taken: set[str]) -> str:
    roll = draws.real("rarity1buf")
    number, rarity = (3, "rare") if roll > 0.95 else (2, "uncommon") if roll > 0.7 else (1, "common")
    key = draws.pool(f"Joker{number}buf1", f"joker_{rarity}", lambda found: found in taken)
    draws.real("packetper1")
    roll = draws.real("edibuf1")
    edition = "negative" if roll > 0.997 else _edition(roll, 1)
    return key + (f";e={edition}" if edition else "")


def _contents(kind: _Kind, draws: Draws, shelf: set[str]) -> list[str]:
    """The pack's cards by the rules of its streams."""
    cards: list[str] = []
    for _ in range(kind.shown):
        taken = shelf | NEVER | {card.split(";")[0] for card in cards}
        if kind.name == "standard":
            cards.append(_standard_card(draws))
        elif kind.name == "buffoon":
            cards.append(_joker(draws, taken))
        else:
            pool, source = {"arcana": ("tarot", "ar1"), "celestial": ("planet", "pl1")}.get(
                kind.name, ("spectral", "spe")
            )
            soul = f"soul_{pool.capitalize()}1"
            hidden = ""
            if pool != "planet" and draws.real(soul) > 0.997:
                hidden = "c_soul"
            if pool != "tarot" and draws.real(soul) > 0.997:
                hidden = "c_black_hole"
            drawn = hidden or draws.pool(
                f"{pool.capitalize()}{source}1", pool, lambda found, taken=taken: found in taken
            )
            cards.append(drawn)
    return cards


def _shown(game: Game) -> list[str]:
    assert game.pack
    return [item.item for item in game.pack.cards if item]


def _pack(key: str) -> None:
    kind = _kind(key)
    plain = PLAIN[kind.name]

    @probe(
        key,
        met=True,
        says=f"costs ${kind.price} and shows {kind.shown} cards, as the seed's streams have them",
    )
    def _() -> None:
        for number in range(1, 7):
            game = shopping(start(f"PACK{number}{key[-1]}"), money=kind.price, shop_packs=[key])
            assert game.shop
            assert game.shop.packs[0]
            assert game.shop.packs[0].price == kind.price
            shelf = {item.key for item in game.shop.slots if item}
            game.step(Action.open_pack(0))
            assert game.pack
            assert (game.phase, game.money, game.pack.choices_left) == (Phase.PACK, 0, kind.choose)
            expected = _contents(kind, Draws(game.seed), shelf)
            assert [read_item(text) for text in _shown(game)] == [read_item(text) for text in expected]

    @probe(key, met=True, says=f"lets {kind.choose} be chosen for nothing more, then closes")
    def _() -> None:
        game = in_pack(key, *plain, consumables=["c_death", "c_sun"])
        game.edit(money=0)
        for left in reversed(range(kind.choose)):
            assert game.phase is Phase.PACK
            game.step(Action.pick(0))
            assert (game.pack.choices_left if game.pack else 0) == left
        assert game.phase is Phase.SHOP
        assert game.shop
        assert keys(game.shop.packs) == []
        if kind.name == "standard":
            assert game.state()["deck_size"] == 52 + kind.choose
        if kind.name == "buffoon":
            assert keys(game.jokers) == ["j_joker", "j_egg"][: kind.choose]
        assert keys(game.consumables) == ["c_death", "c_sun"]

    says = "deals a hand from the top of the deck, which goes back under it" if kind.hand else "deals no hand"

    @probe(key, met=True, says=says)
    def _() -> None:
        game = shopping(money=50, shop_packs=[key])
        pile = [card["card"] for card in game.state()["draw_pile"]]
        game.step(Action.open_pack(0))
        dealt = pile[:8] if kind.hand else []
        assert sorted(card.card or "" for card in game.hand) == sorted(dealt)
        game.step(Action.skip_pack())
        after = [card["card"] for card in game.state()["draw_pile"]]
        assert after[: len(pile) - len(dealt)] == pile[len(dealt) :]
        assert sorted(after[len(pile) - len(dealt) :]) == sorted(dealt)
        assert game.hand == []

    @probe(key, met=True, says="comes up in the shop when the roll falls into its share of the weights")
    def _() -> None:
        total = sum(_weight(pack) for pack in POOLS["booster"])
        before = sum(_weight(pack) for pack in POOLS["booster"][: POOLS["booster"].index(key)])
        seed = seed_with("shop_pack1", above=before / total, below=(before + _weight(key)) / total)
        game = shopping(start(seed))
        assert game.shop
        assert keys(game.shop.packs)[1] == key

    @probe(
        key,
        met=False,
        says="cannot be opened without the money, nor chosen from after the last choice or a skip",
    )
    def _() -> None:
        game = shopping(money=kind.price - 1, shop_packs=[key])
        refused(game, Action.open_pack(0))
        game = in_pack(key, *plain)
        refused(game, Action.leave_shop())
        refused(game, Action.reroll_shop())
        for _ in range(kind.choose):
            game.step(Action.pick(0))
        refused(game, Action.pick(0))
        refused(game, Action.open_pack(0))
        game = in_pack(key, *plain)
        game.step(Action.skip_pack())
        assert game.phase is Phase.SHOP
        refused(game, Action.pick(0))

    @probe(key, met=False, says="closing it with a choice left is skipping it; with none left it is not")
    def _() -> None:
        for picks in range(kind.choose + 1):
            game = in_pack(key, *plain, jokers=["j_red_card"])
            for _ in range(picks):
                game.step(Action.pick(0))
            if picks < kind.choose:
                game.step(Action.skip_pack())
            assert game.jokers[0].value == (3 if picks < kind.choose else 0)
            assert game.phase is Phase.SHOP


for _key in POOLS["booster"]:
    _pack(_key)


# what is particular to one kind


@probe("p_arcana_mega_1", met=True, says="a chosen Tarot acts on the dealt hand and need not fit a slot")
def _() -> None:
    game = in_pack("p_arcana_mega_1", "c_chariot", "c_fool", consumables=["c_mars", "c_mars"])
    front = game.hand[7].card
    refused(game, Action.pick(0))
    refused(game, Action.pick(0, 0, 1))
    game.step(Action.pick(0, 7))
    assert (game.hand[7].card, game.hand[7].enhancement) == (front, "m_steel")
    game.step(Action.skip_pack())
    steel = [card["card"] for card in game.state()["draw_pile"] if card["enhancement"]]
    assert steel == [front]


@probe("p_arcana_mega_1", met=True, says="is dealt as many cards as the hand may hold")
def _() -> None:
    for size in (5, 11):
        game = shopping(money=50, shop_packs=["p_arcana_mega_1"], hand_size=size)
        game.step(Action.open_pack(0))
        assert len(game.hand) == size


@probe("p_arcana_normal_1", met=False, says="the dealt hand cannot be played or discarded")
def _() -> None:
    game = in_pack("p_arcana_normal_1")
    refused(game, Action.play(0))
    refused(game, Action.discard(0))


@probe("p_spectral_mega_1", met=True, says="a chosen Spectral card acts on the dealt hand")
def _() -> None:
    game = in_pack("p_spectral_mega_1", "c_cryptid", "c_deja_vu")
    game.step(Action.pick(0, 0))
    game.step(Action.pick(0, 0))
    assert game.state()["deck_size"] == 54
    assert sum(card["seal"] == "Red" for card in game.state()["draw_pile"]) == 1


@probe("p_buffoon_normal_1", met=True, says="is the first pack of the run's first shop")
def _() -> None:
    for number in range(1, 10):
        game = shopping(start(f"FIRST{number}"))
        assert game.shop
        assert keys(game.shop.packs)[0] in ("p_buffoon_normal_1", "p_buffoon_normal_2")


@probe("p_buffoon_normal_1", met=False, says="is not promised to later shops")
def _() -> None:
    seed = seed_with("shop_pack1", below=0.1, use=2)
    game = shopping(start(seed))
    game.step(Action.leave_shop())
    shopping(game)
    assert game.shop
    assert keys(game.shop.packs)[0].startswith("p_arcana_normal")


@probe("p_buffoon_mega_1", met=True, says="a joker can be sold to make room, and a Negative one needs none")
def _() -> None:
    game = in_pack("p_buffoon_mega_1", "j_egg", "j_mime;e=negative", "j_splash", jokers=["j_joker"] * 5)
    refused(game, Action.pick(0))
    game.step(Action.pick(1))
    assert (len(game.jokers), game.state()["joker_slots"]) == (6, 6)
    refused(game, Action.pick(0))
    game.step(Action.sell_joker(0))
    game.step(Action.pick(0))
    assert keys(game.jokers) == ["j_joker"] * 4 + ["j_mime", "j_egg"]


@probe("p_buffoon_mega_1", met=False, says="offers no joker that is owned, unless Showman allows it")
def _() -> None:
    first = _joker(Draws("PACK1"), set(NEVER)).split(";")[0]
    for owned, there in (([first], False), ([first, "j_ring_master"], True)):
        game = shopping(playing(game=start("PACK1"), jokers=owned), money=50, shop_slots=[])
        game.edit(shop_packs=["p_buffoon_mega_1"])
        game.step(Action.open_pack(0))
        assert (first in keys(game.pack.cards if game.pack else [])) == there


@probe(
    "p_buffoon_jumbo_1", met=True, says="its jokers have stickers by stake, as the seed's streams have them"
)
def _() -> None:
    seen = set()
    for stake in (3, 4, 7, 8):
        for number in range(1, 12):
            game = shopping(start(f"STICK{number}", stake=stake), money=50, shop_packs=["p_buffoon_jumbo_1"])
            game.step(Action.open_pack(0))
            draws = Draws(game.seed)
            for item in map(read_item, _shown(game)):
                roll = draws.real("packetper1")
                sticker = "E" if roll > 0.7 else "P" if roll > 0.4 else ""
                allowed = stake >= 4 and item.key not in NOT_ETERNAL
                if sticker == "P":
                    allowed = stake >= 7 and item.key not in NOT_PERISHABLE
                rental = "R" if stake == 8 and draws.real("packssjr1") > 0.7 else ""
                assert item.stickers == (sticker if allowed else "") + rental
                seen.add(item.stickers)
    assert {"", "E", "P", "R"} <= seen


@probe(
    "p_standard_mega_1", met=True, says="a chosen card is in the deck from then on, and Hologram counts it"
)
def _() -> None:
    game = in_pack("p_standard_mega_1", *PLAIN["standard"], jokers=["j_hologram;v=1"])
    game.step(Action.pick(0))
    game.step(Action.pick(0))
    assert game.jokers[0].value == 1.5
    (card,) = [card for card in game.state()["draw_pile"] if card["enhancement"]]
    assert (card["card"], card["enhancement"], card["edition"], card["seal"]) == (
        "S_A",
        "m_glass",
        "holo",
        "Red",
    )


@probe(
    "p_standard_mega_1", met=True, says="Hone doubles the editions of its cards, and none is ever Negative"
)
def _() -> None:
    seed = seed_with("standard_edition1", above=1 - 0.04 * 4, below=1 - 0.04 * 2)
    for vouchers, edition in ((["v_hone"], "foil"), ([], "")):
        game = shopping(start(seed), money=50, vouchers=vouchers, shop_packs=["p_standard_mega_1"])
        game.step(Action.open_pack(0))
        assert read_item(_shown(game)[0]).edition == edition


@probe("p_celestial_normal_1", met=True, says="Astronomer makes Celestial packs free, and those only")
def _() -> None:
    packs = ["p_celestial_mega_1", "p_arcana_normal_1"]
    game = shopping(jokers=["j_astronomer"], money=0, shop_packs=packs)
    assert game.shop
    assert [item.price for item in game.shop.packs if item] == [0, 4]
    refused(game, Action.open_pack(1))
    game.step(Action.open_pack(0))
    assert game.phase is Phase.PACK


@probe("p_celestial_normal_1", met=True, says="Clearance Sale and Liquidation lower the price of packs")
def _() -> None:
    for vouchers, prices in (
        (["v_clearance_sale"], (3, 4, 6)),
        (["v_clearance_sale", "v_liquidation"], (2, 3, 4)),
    ):
        game = shopping(money=50, vouchers=vouchers)
        for size, price in zip(SIZES, prices, strict=True):
            game.edit(shop_packs=[f"p_celestial_{size}_1"])
            assert game.shop
            assert game.shop.packs[0]
            assert game.shop.packs[0].price == price
