"""Probes of the Tarot cards that give money or create and change other cards than playing cards."""

from typing import Any

from jimbot.balatro import Action, Phase

from .draws import POOLS, Draws
from .table import SEED, keys, playing, probe, refused, shopping, start, win_round
from .using import HAND, in_pack, used

SECRET_PLANETS = {"c_planet_x", "c_ceres", "c_eris"}


# --- money ----------------------------------------------------------------------------------------------------


@probe("c_hermit", met=True, says="doubles the money, by $20 at most")
def _() -> None:
    for held, after in ((1, 2), (4, 8), (19, 38), (20, 40), (21, 41), (100, 120)):
        assert used("c_hermit", money=held).money == after


@probe("c_hermit", met=True, says="can be used in every phase")
def _() -> None:
    game = start()
    game.edit(consumables=["c_hermit"], money=3)
    game.step(Action.use(0))
    assert (game.phase, game.money) == (Phase.BLIND_SELECT, 6)
    game = shopping(consumables=["c_hermit"], money=5)
    game.step(Action.use(0))
    assert (game.phase, game.money) == (Phase.SHOP, 10)
    game = win_round(playing(HAND, consumables=["c_hermit"], money=5))
    game.step(Action.use(0))
    assert (game.phase, game.money) == (Phase.ROUND_EVAL, 10)
    game = in_pack("p_arcana_mega_1", "c_hermit", "c_fool", money=7)
    game.step(Action.pick(0))
    assert (game.phase, game.money) == (Phase.PACK, 14)


@probe("c_hermit", met=False, says="gives nothing when there is no money, and forgives no debt")
def _() -> None:
    for held in (0, -7):
        game = used("c_hermit", money=held)
        assert (game.money, keys(game.consumables)) == (held, [])


@probe("c_hermit", met=True, says="as any Tarot, costs $3 and sells for $1; sold, it does nothing")
def _() -> None:
    game = shopping(money=10, shop_slots=["c_hermit"])
    game.step(Action.buy(0))
    assert game.money == 7
    game.step(Action.sell_consumable(0))
    assert (game.money, game.state()["tarots_used"]) == (8, 0)


@probe("c_temperance", met=True, says="pays the sell value of all jokers, debuffed ones included")
def _() -> None:
    game = playing(
        HAND, jokers=["j_joker;b=4", "j_egg;d=1", "j_blueprint;e=polychrome"], consumables=["c_temperance"]
    )
    worth = sum(joker.sell_value for joker in game.jokers)
    assert worth == (1 + 4) + 2 + (10 + 5) // 2
    game.step(Action.use(0))
    assert game.money == 4 + worth


@probe("c_temperance", met=True, says="pays $50 at most")
def _() -> None:
    for bonus, paid in ((47, 48), (49, 50), (50, 50), (500, 50)):
        assert used("c_temperance", jokers=[f"j_joker;b={bonus}"], money=1).money == 1 + paid


@probe("c_temperance", met=False, says="pays nothing without jokers; consumables do not count")
def _() -> None:
    game = used("c_temperance", consumables=["c_temperance", "c_soul"])
    assert (game.money, keys(game.consumables)) == (4, ["c_soul"])


# --- cards that create cards ----------------------------------------------------------------------------------


@probe("c_fool", met=True, says="makes a copy of the last Tarot or Planet used, in its own slot if need be")
def _() -> None:
    for last in ("c_hermit", "c_pluto"):
        game = playing(HAND, consumables=["c_fool", last])
        game.step(Action.use(1))
        game.edit(consumables=["c_fool", "c_death"])
        game.step(Action.use(0))
        assert keys(game.consumables) == ["c_death", last]
        assert game.consumables[1].edition is None
        assert game.state()["last_consumable"] == "c_fool"


@probe(
    "c_fool", met=True, says="remembers a card used out of a pack, bought for use, or used in another round"
)
def _() -> None:
    game = in_pack("p_arcana_mega_1", "c_hermit", "c_fool")
    game.step(Action.pick(0))
    game.step(Action.pick(0))
    assert keys(game.consumables) == ["c_hermit"]
    game = shopping(money=50, shop_slots=["c_mars", "c_fool"])
    game.step(Action.buy_and_use(0))
    game.step(Action.buy_and_use(1))
    assert keys(game.consumables) == ["c_mars"]


@probe("c_fool", met=False, says="is of no use before a Tarot or Planet, or right after another Fool")
def _() -> None:
    game = playing(HAND, consumables=["c_fool", "c_hermit"])
    refused(game, Action.use(0))
    game.step(Action.use(1))
    game.edit(consumables=["c_fool", "c_fool"])
    game.step(Action.use(0))
    assert keys(game.consumables) == ["c_fool", "c_hermit"]
    refused(game, Action.use(0))
    game.step(Action.use(1))
    game.step(Action.use(0))
    assert keys(game.consumables) == ["c_hermit"]


@probe("c_fool", met=False, says="does not know Spectral cards, Black Hole included")
def _() -> None:
    game = playing(HAND, consumables=["c_black_hole", "c_fool"])
    game.step(Action.use(0))
    refused(game, Action.use(0))


@probe(
    "c_fool", met=True, says="a Negative one counts its own slot as free too, although that slot goes with it"
)
def _() -> None:
    game = used("c_fool", consumables=["c_fool;e=negative", "c_death", "c_sun"], last_consumable="c_pluto")
    assert keys(game.consumables) == ["c_death", "c_sun", "c_pluto"]


@probe("c_fool", met=False, says="cannot be picked from a pack with full slots")
def _() -> None:
    game = in_pack("p_arcana_mega_1", "c_hermit", "c_fool", consumables=["c_mars", "c_mars"])
    game.step(Action.pick(0))
    refused(game, Action.pick(0))


def _creator(key: str, pool: str, stream: str, never: set[str]) -> None:
    def made(owned: list[str], count: int, **changes: Any) -> list[str]:
        draws = Draws(SEED)
        existing = {key, *owned}
        created = []
        for _ in range(count):
            blank = existing | never
            created.append(draws.pool(f"{stream}1", pool, lambda found, blank=blank: found in blank))
            existing.add(created[-1])
        game = playing(HAND, consumables=[key, *owned], **changes)
        game.step(Action.use(0))
        assert keys(game.consumables) == [*owned, *created]
        return created

    kind = pool.capitalize()

    @probe(key, met=True, says=f"creates two different {kind} cards, as the seed's stream has them")
    def _() -> None:
        created = made([], 2)
        assert len(set(created)) == 2
        assert set(created) <= set(POOLS[pool])

    @probe(key, met=True, says=f"creates as many {kind} cards as slots allow, its own slot counted")
    def _() -> None:
        made(["c_venus"], 1)
        made(["c_venus", "c_death"], 2, consumable_slots=4)
        made([], 2, consumable_slots=5)

    @probe(key, met=False, says="cannot be picked from a pack with full slots")
    def _() -> None:
        game = in_pack("p_arcana_mega_1", key, consumables=["c_mars", "c_mars"])
        refused(game, Action.pick(0))
        game.step(Action.use(0))
        game.step(Action.pick(0))
        assert len(game.consumables) == 2

    @probe(
        key, met=True, says="a Negative one counts its own slot as free too, although that slot goes with it"
    )
    def _() -> None:
        for owned, created in ((["c_venus", "c_death"], 1), (["c_venus"], 2)):
            game = playing(HAND, consumables=[f"{key};e=negative", *owned])
            game.step(Action.use(0))
            assert len(game.consumables) == len(owned) + created
            assert game.state()["consumable_slots"] == 2


_creator("c_high_priestess", "planet", "Planetpri", SECRET_PLANETS)
_creator("c_emperor", "tarot", "Tarotemp", set())


@probe("c_emperor", met=False, says="does not create a card that is owned, unless Showman allows it")
def _() -> None:
    first = Draws(SEED).pool("Tarotemp1", "tarot", lambda found: found == "c_emperor")
    game = used("c_emperor", consumables=["c_emperor", first])
    assert keys(game.consumables)[0] == first != keys(game.consumables)[1]
    game = used("c_emperor", consumables=["c_emperor", first], jokers=["j_ring_master"])
    assert keys(game.consumables) == [first, Draws(SEED).element("Tarotemp1", POOLS["tarot"])]


@probe("c_high_priestess", met=True, says="finds the planet of a secret hand once that hand was played")
def _() -> None:
    for plays in (0, 1):
        found = set()
        for number in range(12):
            game = playing(HAND, game=start(f"PRIEST{number}"), consumables=["c_high_priestess"])
            game.edit(plays=dict.fromkeys(("Five of a Kind", "Flush House", "Flush Five"), plays))
            game.step(Action.use(0))
            found |= set(keys(game.consumables))
        assert bool(found & SECRET_PLANETS) == bool(plays)


@probe("c_judgement", met=True, says="creates a joker of the rolled rarity, as the seed's streams have it")
def _() -> None:
    rarities = set()
    for number in range(25):
        game = playing(HAND, game=start(f"JUDGE{number}"), jokers=["j_joker"], consumables=["c_judgement"])
        game.step(Action.use(0))
        draws = Draws(game.seed)
        roll = draws.real("rarity1jud")
        rarity = 3 if roll > 0.95 else 2 if roll > 0.7 else 1
        rarities.add(rarity)
        gated = {"j_joker", "j_cavendish", "j_steel_joker", "j_stone", "j_glass", "j_lucky_cat", "j_ticket"}
        pool = ("joker_common", "joker_uncommon", "joker_rare")[rarity - 1]
        key = draws.pool(f"Joker{rarity}jud1", pool, lambda found, gated=gated: found in gated)
        luck = draws.real("edijud1")
        edition = "polychrome" if luck > 0.994 else "holo" if luck > 0.98 else "foil" if luck > 0.96 else None
        edition = "negative" if luck > 0.997 else edition
        assert [(joker.key, joker.edition) for joker in game.jokers] == [("j_joker", None), (key, edition)]
    assert {1, 2} <= rarities


@probe("c_judgement", met=True, says="its joker has no sticker even at Gold Stake")
def _() -> None:
    for number in range(8):
        game = playing(HAND, game=start(f"JUDGE{number}", stake=8), consumables=["c_judgement"])
        game.step(Action.use(0))
        (joker,) = game.state()["jokers"]
        assert not any(joker[sticker] for sticker in ("eternal", "perishable", "rental"))


@probe("c_judgement", met=False, says="cannot be used with full joker slots")
def _() -> None:
    game = playing(HAND, jokers=["j_joker"] * 5, consumables=["c_judgement"])
    refused(game, Action.use(0))
    game.step(Action.sell_joker(0))
    game.step(Action.use(0))
    assert len(game.jokers) == 5


@probe(
    "c_wheel_of_fortune",
    met=True,
    says="one time in four gives a joker without edition Foil, Holo or Polychrome",
)
def _() -> None:
    hits = 0
    editions = set()
    for number in range(40):
        jokers = ["j_joker", "j_egg;e=foil", "j_mime", "j_splash;d=1"]
        game = playing(HAND, game=start(f"WHEEL{number}"), jokers=jokers, consumables=["c_wheel_of_fortune"])
        game.step(Action.use(0))
        expected: list[str | None] = [None, "foil", None, None]
        draws = Draws(game.seed)
        if draws.real("wheel_of_fortune") < 1 / 4:
            hits += 1
            position = draws.element("wheel_of_fortune", [0, 2, 3])
            expected[position] = draws.guaranteed_edition("wheel_of_fortune")
            editions.add(expected[position])
        assert [joker.edition for joker in game.jokers] == expected
        assert keys(game.consumables) == []
    assert 0 < hits < 40
    assert len(editions) > 1


@probe("c_wheel_of_fortune", met=True, says="two Oops! All 6s make it certain")
def _() -> None:
    for number in range(6):
        jokers = ["j_oops;e=foil", "j_oops;e=foil", "j_joker"]
        game = playing(HAND, game=start(f"WHEEL{number}"), jokers=jokers, consumables=["c_wheel_of_fortune"])
        game.step(Action.use(0))
        assert game.jokers[2].edition in ("foil", "holo", "polychrome")


@probe("c_wheel_of_fortune", met=False, says="cannot be used without a joker that lacks an edition")
def _() -> None:
    for jokers in ([], ["j_joker;e=negative", "j_egg;e=foil"]):
        refused(playing(HAND, jokers=jokers, consumables=["c_wheel_of_fortune"]), Action.use(0))
