"""Probes of the Spectral cards that change jokers and levels."""

from jimbot.balatro import Action, Phase

from .draws import Draws, seed_with
from .table import keys, playing, probe, refused, shopping, start
from .using import HAND, in_pack, used


def _joker_edition(roll: float) -> str | None:
    """The edition of a created joker at the usual rate."""
    for limit, edition in ((0.997, "negative"), (0.994, "polychrome"), (0.98, "holo"), (0.96, "foil")):
        if roll > limit:
            return edition
    return None


# Wraith, The Soul


@probe(
    "c_wraith", met=True, says="creates a Rare joker, as the seed's stream has it, and takes all the money"
)
def _() -> None:
    for number in range(1, 25):
        game = playing(HAND, game=start(f"WRAITH{number}"), consumables=["c_wraith"], money=37)
        game.step(Action.use(0))
        draws = Draws(game.seed)
        key = draws.pool("Joker3wra1", "joker_rare", lambda found: found == "j_glass")
        edition = _joker_edition(draws.real("ediwra1"))
        assert [(joker.key, joker.edition) for joker in game.jokers] == [(key, edition)]
        assert game.money == 0


@probe("c_wraith", met=True, says="wipes out debts too, and works in every phase")
def _() -> None:
    game = shopping(consumables=["c_wraith"], money=-7)
    game.step(Action.use(0))
    assert (game.money, len(game.jokers)) == (0, 1)
    game = in_pack("p_spectral_mega_1", "c_wraith", "c_hex")
    game.step(Action.pick(0))
    assert (game.money, len(game.jokers), game.phase) == (0, 1, Phase.PACK)


@probe("c_wraith", met=True, says="its joker has no sticker even at Gold Stake")
def _() -> None:
    for number in range(1, 9):
        game = playing(HAND, game=start(f"WRAITH{number}", stake=8), consumables=["c_wraith"])
        game.step(Action.use(0))
        (joker,) = game.state()["jokers"]
        assert not any(joker[sticker] for sticker in ("eternal", "perishable", "rental"))


@probe("c_wraith", met=False, says="does not create a Rare joker that is owned, unless Showman allows it")
def _() -> None:
    first = Draws("PROBE").pool("Joker3wra1", "joker_rare", lambda _: False)
    game = used("c_wraith", jokers=[first])
    assert keys(game.jokers)[0] == first != keys(game.jokers)[1]
    assert keys(used("c_wraith", jokers=[first, "j_ring_master"]).jokers) == [first, "j_ring_master", first]


@probe("c_soul", met=True, says="creates a Legendary joker, as the seed's stream has it")
def _() -> None:
    found = set()
    for number in range(1, 25):
        game = playing(
            HAND, game=start(f"SOUL{number}"), jokers=["j_perkeo"], consumables=["c_soul"], money=9
        )
        game.step(Action.use(0))
        draws = Draws(game.seed)
        key = draws.pool("Joker4", "joker_legendary", lambda found: found == "j_perkeo")
        edition = _joker_edition(draws.real("edisou1"))
        assert [(joker.key, joker.edition) for joker in game.jokers[1:]] == [(key, edition)]
        assert game.money == 9
        found.add(key)
    assert found == {"j_caino", "j_triboulet", "j_yorick", "j_chicot"}


@probe("c_soul", met=True, says="its Chicot disables the boss being played")
def _() -> None:
    owned = ["j_caino", "j_triboulet", "j_yorick", "j_perkeo"]
    game = used("c_soul", jokers=owned, blind="bl_goad")
    assert keys(game.jokers)[4] == "j_chicot"
    assert game.blind.disabled
    assert not any(card.debuffed for card in game.hand)


def _needs_slot(key: str) -> None:
    @probe(key, met=False, says="cannot be used with full joker slots, in hand or in a pack")
    def _() -> None:
        game = playing(HAND, jokers=["j_joker"] * 5, consumables=[key])
        refused(game, Action.use(0))
        game.edit(jokers=["j_joker"] * 5 + ["j_egg;e=negative"])
        refused(game, Action.use(0))
        game.step(Action.sell_joker(0))
        game.step(Action.use(0))
        assert len(game.jokers) == 6
        refused(in_pack("p_spectral_mega_1", key, "c_hex", jokers=["j_joker"] * 5), Action.pick(0))


_needs_slot("c_wraith")
_needs_slot("c_soul")


# Ectoplasm, Hex


def _needs_plain_joker(key: str) -> None:
    @probe(key, met=False, says="cannot be used without a joker that lacks an edition")
    def _() -> None:
        for jokers in ([], ["j_joker;e=negative", "j_egg;e=foil"]):
            refused(playing(HAND, jokers=jokers, consumables=[key]), Action.use(0))
        game = in_pack("p_spectral_mega_1", key, "c_soul", jokers=["j_joker;e=polychrome"])
        refused(game, Action.pick(0))


@probe(
    "c_ectoplasm", met=True, says="makes a random joker without edition Negative, which brings a joker slot"
)
def _() -> None:
    chosen = set()
    for number in range(1, 16):
        jokers = ["j_egg;e=foil", "j_joker", "j_mime;d=1", "j_splash;s=E"]
        game = playing(HAND, game=start(f"ECTO{number}"), jokers=jokers, consumables=["c_ectoplasm"])
        game.step(Action.use(0))
        position = Draws(game.seed).element("ectoplasm", [1, 2, 3])
        expected: list[str | None] = ["foil", None, None, None]
        expected[position] = "negative"
        assert [joker.edition for joker in game.jokers] == expected
        assert game.state()["joker_slots"] == 6
        chosen.add(position)
    assert chosen == {1, 2, 3}


@probe("c_ectoplasm", met=True, says="the choice goes by when jokers were made, not where they stand")
def _() -> None:
    game = playing(HAND, jokers=["j_joker", "j_egg", "j_mime", "j_splash"], consumables=["c_ectoplasm"])
    names = keys(game.jokers)
    game.step(Action.move_joker(0, 3))
    game.step(Action.use(0))
    made = Draws(game.seed).element("ectoplasm", names)
    assert [joker.key for joker in game.jokers if joker.edition == "negative"] == [made]


@probe("c_ectoplasm", met=True, says="takes 1 of hand size the first time, then 2, then 3, for good")
def _() -> None:
    jokers = ["j_joker", "j_egg", "j_mime"]
    game = playing(jokers=jokers, consumables=["c_ectoplasm"] * 3, consumable_slots=3)
    sizes = []
    for _ in range(3):
        game.step(Action.use(0))
        sizes.append(game.state()["hand_size"])
    assert sizes == [7, 5, 2]
    assert len(game.hand) == 8
    shopping(game).step(Action.leave_shop())
    game.step(Action.select_blind())
    assert len(game.hand) == 2


@probe("c_ectoplasm", met=False, says="the run is lost when hand size is gone and the hand is empty")
def _() -> None:
    game = used("c_ectoplasm", jokers=["j_joker"], hand=["S_9", "H_7"], hand_size=1)
    assert not game.over
    game.step(Action.play(0, 1))
    assert game.over


_needs_plain_joker("c_ectoplasm")


@probe("c_hex", met=True, says="makes a random joker without edition Polychrome and destroys the others")
def _() -> None:
    chosen = set()
    for number in range(1, 25):
        jokers = ["j_egg;e=negative", "j_joker", "j_mime", "j_splash;d=1"]
        game = playing(HAND, game=start(f"HEX{number}"), jokers=jokers, consumables=["c_hex"])
        names = keys(game.jokers)
        game.step(Action.use(0))
        survivor = Draws(game.seed).element("hex", names[1:])
        assert [(joker.key, joker.edition) for joker in game.jokers] == [(survivor, "polychrome")]
        assert (game.state()["joker_slots"], game.state()["hand_size"]) == (5, 8)
        chosen.add(survivor)
    assert len(chosen) == 3


@probe("c_hex", met=True, says="with one joker, that one turns Polychrome")
def _() -> None:
    game = used("c_hex", jokers=["j_joker"])
    assert [(joker.key, joker.edition) for joker in game.jokers] == [("j_joker", "polychrome")]


@probe("c_hex", met=False, says="Eternal jokers survive it")
def _() -> None:
    game = used("c_hex", jokers=["j_egg;e=foil;s=E", "j_joker", "j_splash;e=holo;s=E"])
    expected = [("j_egg", "foil"), ("j_joker", "polychrome"), ("j_splash", "holo")]
    assert [(joker.key, joker.edition) for joker in game.jokers] == expected


@probe("c_hex", met=False, says="what a destroyed joker gave ends with it: hand size, discards, slots")
def _() -> None:
    game = used("c_hex", jokers=["j_juggler;e=foil", "j_drunkard;e=foil", "j_joker", "j_egg;e=negative"])
    assert keys(game.jokers) == ["j_joker"]
    plain = playing(HAND).state()
    for field in ("hand_size", "discards_per_round", "joker_slots"):
        assert game.state()[field] == plain[field]


_needs_plain_joker("c_hex")


# Ankh


@probe("c_ankh", met=True, says="copies a random joker and destroys the others")
def _() -> None:
    chosen = set()
    for number in range(1, 16):
        jokers = ["j_egg;e=foil;b=4", "j_joker", "j_ride_the_bus;v=7", "j_splash;d=1", "j_mime;e=holo"]
        game = playing(HAND, game=start(f"ANKH{number}"), jokers=jokers, consumables=["c_ankh"])
        before = game.jokers
        game.step(Action.use(0))
        position = Draws(game.seed).element("ankh_choice", range(5))
        assert len(game.jokers) == 2
        for joker in game.jokers:
            assert (joker.key, joker.edition) == (before[position].key, before[position].edition)
            assert joker.value == before[position].value
        chosen.add(position)
    assert len(chosen) > 2


@probe("c_ankh", met=True, says="the copy has the stickers and what the joker grew to, but not Negative")
def _() -> None:
    game = used("c_ankh", jokers=["j_ride_the_bus;e=negative;s=R;v=7"])
    original, copy = game.jokers
    assert (original.edition, copy.edition) == ("negative", None)
    assert (copy.value, copy.rental) == (7, True)
    assert game.state()["joker_slots"] == 6
    game = used("c_ankh", jokers=["j_splash;s=P;n=2"])
    assert [(joker.perishable, joker.rounds_left) for joker in game.jokers] == [(True, 2)] * 2


@probe("c_ankh", met=True, says="Eternal jokers survive it, and the copy comes even beyond the slots")
def _() -> None:
    game = used("c_ankh", jokers=["j_egg;s=E"] * 5)
    assert keys(game.jokers) == ["j_egg"] * 6
    assert all(joker.eternal for joker in game.jokers)
    for number in range(1, 9):
        game = playing(HAND, game=start(f"ANKH{number}"), jokers=["j_egg;s=E", "j_joker", "j_mime"])
        game.edit(consumables=["c_ankh"])
        chosen = Draws(game.seed).element("ankh_choice", keys(game.jokers))
        game.step(Action.use(0))
        assert sorted(keys(game.jokers)) == sorted([*{"j_egg", chosen}, chosen])


@probe("c_ankh", met=True, says="a copied Juggler gives its hand size twice")
def _() -> None:
    assert used("c_ankh", jokers=["j_juggler"]).state()["hand_size"] == 10


@probe("c_ankh", met=False, says="cannot be used without a joker, or with only one joker slot")
def _() -> None:
    refused(playing(HAND, consumables=["c_ankh"]), Action.use(0))
    refused(playing(HAND, jokers=["j_joker"], consumables=["c_ankh"], joker_slots=1), Action.use(0))
    game = playing(HAND, jokers=["j_joker"], consumables=["c_ankh"], joker_slots=2)
    game.step(Action.use(0))
    assert keys(game.jokers) == ["j_joker", "j_joker"]


# Black Hole


@probe("c_black_hole", met=True, says="raises every poker hand by one level, secret ones included")
def _() -> None:
    game = playing(HAND, consumables=["c_black_hole"], levels={"Pair": 4})
    game.step(Action.use(0))
    for hand, level in game.hands.items():
        assert level.level == (5 if hand == "Pair" else 2)
    assert (game.hands["Flush Five"].chips, game.hands["Flush Five"].mult) == (210, 19)


@probe(
    "c_black_hole", met=True, says="as any Spectral card, costs $4 and sells for $2; sold, it does nothing"
)
def _() -> None:
    game = shopping(money=10, shop_slots=["c_black_hole"])
    game.step(Action.buy(0))
    assert game.money == 6
    game.step(Action.sell_consumable(0))
    assert (game.money, game.hands["Pair"].level) == (8, 1)


@probe("c_black_hole", met=True, says="is used in any phase")
def _() -> None:
    game = start()
    game.edit(consumables=["c_black_hole"])
    game.step(Action.use(0))
    assert game.hands["High Card"].level == 2
    game = in_pack("p_celestial_mega_1", "c_black_hole", "c_mars")
    game.step(Action.pick(0))
    assert (game.hands["High Card"].level, game.phase) == (2, Phase.PACK)


@probe("c_black_hole", met=False, says="is no Planet: nothing for Constellation, Satellite or The Fool")
def _() -> None:
    game = used("c_black_hole", jokers=["j_constellation;v=1"])
    assert game.jokers[0].value == 1
    assert game.state()["last_consumable"] is None
    assert not game.hands["Flush Five"].visible


def _hidden(key: str, pack: str, stream: str) -> None:
    """Probes of a hidden card that takes the first place of this pack."""

    def opened(**changes: object) -> list[str]:
        game = shopping(start(seed_with(stream, above=0.997)), money=50, shop_packs=[pack])
        game.edit(**changes)
        game.step(Action.open_pack(0))
        assert game.pack
        return keys(game.pack.cards)

    @probe(
        key,
        met=True,
        says=f"takes the place of a {pack.split('_')[1].capitalize()} pack's card on a roll above 0.997",
    )
    def _() -> None:
        assert opened()[0] == key

    @probe(key, met=True, says="Showman lets it come up although it is owned")
    def _() -> None:
        assert opened(consumables=[key], jokers=["j_ring_master"])[0] == key

    @probe(key, met=False, says="does not come up while it is owned")
    def _() -> None:
        assert key not in opened(consumables=[key])


_hidden("c_soul", "p_arcana_jumbo_1", "soul_Tarot1")
_hidden("c_black_hole", "p_celestial_jumbo_1", "soul_Planet1")


@probe("c_soul", met=True, says="a Spectral pack's card rolls for The Soul first, then for Black Hole")
def _() -> None:
    for use, key in ((1, "c_soul"), (2, "c_black_hole")):
        game = shopping(start(seed_with("soul_Spectral1", above=0.997, use=use)), money=50)
        game.edit(shop_packs=["p_spectral_mega_1"])
        game.step(Action.open_pack(0))
        assert game.pack
        assert game.pack.cards[0] is not None
        assert game.pack.cards[0].key == key


@probe("c_soul", met=False, says="no Tarot, seal or joker creates it")
def _() -> None:
    seed = seed_with("soul_Tarot1", above=0.997)
    game = playing(HAND, game=start(seed), consumables=["c_emperor"])
    game.step(Action.use(0))
    assert "c_soul" not in keys(game.consumables)
