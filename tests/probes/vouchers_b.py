"""Probes of the vouchers that change chances, the ante or the boss."""

from typing import Any

from tests.probes.draws import POOLS, Draws
from tests.probes.table import SEED, keys, next_round, probe, refused, shopping, start, win_round
from tests.probes.vouchers import SEEDS, redeemed

from jimbot.balatro import Action, Game, Phase

WEIGHTS = {"joker": 20.0, "tarot": 4.0, "planet": 4.0, "playing_card": 0.0, "spectral": 0.0}
"""Of the kinds of shop cards, in the order in which they are looked up."""


def kind_of(item: Any) -> str:
    """The kind of a shop card."""
    if item.kind != "consumable":
        return item.kind
    return next(kind for kind in ("tarot", "planet", "spectral") if item.key in POOLS[kind])


def kind_rolled(roll: float, weights: dict[str, float]) -> str:
    """The kind that a roll gives with these weights."""
    place, below = roll * sum(weights.values()), 0.0
    for kind, weight in weights.items():
        if below < place <= below + weight:
            return kind
        below += weight
    raise AssertionError(f"roll {roll} is beyond all weights")


def kinds_follow(*vouchers: str, game: dict[str, Any] | None = None, slots: int = 2, **weights: float) -> int:
    """Check the kinds of rerolled cards against the rolls; how many differ from those of the usual weights."""
    differ = 0
    for seed in SEEDS[:30]:
        run = redeemed(*vouchers, game=start(seed, **(game or {})))
        run.step(Action.reroll_shop())
        assert run.shop
        draws = Draws(seed)
        before = [draws.real("cdt1") for _ in range(slots)]
        assert len(before) == len(run.shop.slots)
        for item in run.shop.slots:
            roll = draws.real("cdt1")
            assert kind_of(item) == kind_rolled(roll, WEIGHTS | weights), (seed, item)
            differ += kind_of(item) != kind_rolled(roll, WEIGHTS)
    return differ


def edition_of(item: Any) -> str | None:
    """The edition in a shelf item's one-line form."""
    return item.item.split(";e=")[1].split(";")[0] if ";e=" in item.item else None


def edition_rolled(roll: float, rate: int) -> str | None:
    """The edition that a roll gives at this edition rate."""
    if roll > 0.997:
        return "negative"
    for edition, chance in (("polychrome", 0.006), ("holo", 0.02), ("foil", 0.04)):
        if roll > 1 - chance * rate:
            return edition
    return None


def editions_follow(rate: int, *vouchers: str) -> int:
    """Check the editions of rerolled jokers against the rolls; how many exist only thanks to the vouchers."""
    gained = 0
    for seed in SEEDS:
        game = redeemed(*vouchers, game=start(seed))
        assert game.shop
        draws = Draws(seed)
        for item in game.shop.slots:
            if item and item.kind == "joker":
                assert edition_of(item) == edition_rolled(draws.real("edisho1"), 1)
        game.step(Action.reroll_shop())
        for item in game.shop.slots:
            if item and item.kind == "joker":
                roll = draws.real("edisho1")
                assert edition_of(item) == edition_rolled(roll, rate), (seed, item, roll)
                gained += edition_of(item) != edition_rolled(roll, 1)
    return gained


def choosing(*vouchers: str, **changes: Any) -> Game:
    """The blind-select screen after the shop in which the vouchers were redeemed."""
    game = redeemed(*vouchers)
    game.step(Action.leave_shop())
    game.edit(**changes)
    return game


# --- editions and kinds of cards ----------------------------------------------------------------------------------


@probe("v_hone", met=True, says="doubles the reach of Foil, Holographic and Polychrome in every edition roll")
def _() -> None:
    assert editions_follow(2, "v_hone") > 0


@probe("v_hone", met=False, says="is not there: 4 % of shop jokers have an edition, as the rolls say")
def _() -> None:
    assert editions_follow(1) == 0


@probe("v_glow_up", met=True, says="makes the reach four times the plain one; Negative stays as rare")
def _() -> None:
    assert editions_follow(4, "v_hone", "v_glow_up") > 0


@probe("v_glow_up", met=True, says="also raises the editions of Standard packs")
def _() -> None:
    gained = 0
    for seed in SEEDS[:30]:
        game = redeemed("v_hone", "v_glow_up", game=start(seed), shop_packs=["p_standard_jumbo_1"])
        game.step(Action.open_pack(0))
        assert game.pack
        draws = Draws(seed)
        for item in game.pack.cards:
            roll = draws.real("standard_edition1")
            expected = edition_rolled(roll, 8) if roll <= 0.997 else "polychrome"
            assert edition_of(item) == expected
            gained += expected is not None
    assert gained > 20


@probe("v_tarot_merchant", met=True, says="raises the weight of Tarot cards in the shop from 4 to 9.6")
def _() -> None:
    assert kinds_follow("v_tarot_merchant", tarot=9.6) > 0


@probe("v_tarot_merchant", met=False, says="is not there: weights 20, 4 and 4")
def _() -> None:
    assert kinds_follow() == 0


@probe("v_tarot_tycoon", met=True, says="raises the weight of Tarot cards to 32")
def _() -> None:
    assert kinds_follow("v_tarot_merchant", "v_tarot_tycoon", tarot=32) > 0


@probe("v_planet_merchant", met=True, says="raises the weight of Planet cards in the shop from 4 to 9.6")
def _() -> None:
    assert kinds_follow("v_planet_merchant", planet=9.6) > 0


@probe("v_planet_merchant", met=False, says="is not there: the weight of Planet cards stays 4")
def _() -> None:
    assert kinds_follow("v_tarot_merchant", tarot=9.6) > 0


@probe("v_planet_tycoon", met=True, says="raises the weight of Planet cards to 32")
def _() -> None:
    assert kinds_follow("v_planet_merchant", "v_planet_tycoon", planet=32) > 0


@probe("v_planet_tycoon", met=True, says="adds up with Tarot Tycoon")
def _() -> None:
    vouchers = ("v_tarot_merchant", "v_planet_merchant", "v_tarot_tycoon", "v_planet_tycoon")
    assert kinds_follow(*vouchers, tarot=32, planet=32) > 0


@probe("v_magic_trick", met=True, says="lets playing cards into the shop with weight 4")
def _() -> None:
    assert kinds_follow("v_magic_trick", playing_card=4) > 0


@probe("v_magic_trick", met=True, says="offers plain playing cards for $1; a bought one joins the deck")
def _() -> None:
    for seed in SEEDS:
        game = redeemed("v_magic_trick", game=start(seed))
        game.step(Action.reroll_shop())
        assert game.shop
        places = [i for i, item in enumerate(game.shop.slots) if item and item.kind == "playing_card"]
        if not places:
            continue
        item = game.shop.slots[places[0]]
        assert item
        assert item.price == 1
        assert item.item == item.key
        money = game.money
        game.step(Action.buy(places[0]))
        assert game.money == money - 1
        assert game.state()["deck_size"] == 53
        return
    raise AssertionError("no playing card was offered")


@probe("v_magic_trick", met=False, says="is not there: no playing cards in the shop")
def _() -> None:
    for seed in SEEDS[:20]:
        game = redeemed(game=start(seed))
        game.step(Action.reroll_shop())
        assert game.shop
        assert all(item and item.kind != "playing_card" for item in game.shop.slots)


@probe(
    "v_illusion",
    met=True,
    says="enhances and editions playing cards of the shop as its rolls say, without seals",
)
def _() -> None:
    seen = {"plain": 0, "enhanced": 0, "edition": 0}
    for seed in SEEDS:
        game = redeemed("v_magic_trick", "v_illusion", game=start(seed))
        draws = Draws(seed)
        for _ in range(2):
            game.step(Action.reroll_shop())
            assert game.shop
            for item in game.shop.slots:
                assert item
                enhanced = draws.real("illusion") > 0.6
                if item.kind != "playing_card":
                    continue
                edition = None
                if draws.real("illusion") > 0.8:
                    roll = draws.real("illusion")
                    edition = "polychrome" if roll > 0.85 else "holo" if roll > 0.5 else "foil"
                assert (";h=" in item.item) == enhanced, (seed, item)
                assert edition_of(item) == edition, (seed, item)
                assert ";l=" not in item.item
                assert item.price == 1 + {"foil": 2, "holo": 3, "polychrome": 5}.get(edition or "", 0)
                seen["enhanced" if enhanced else "plain"] += 1
                seen["edition"] += edition is not None
    assert all(seen.values())


@probe(
    "v_omen_globe",
    met=True,
    says="turns a card of an Arcana pack into a Spectral one when its roll is above 0.8",
)
def _() -> None:
    seen = set()
    for seed in SEEDS[:20]:
        game = redeemed("v_crystal_ball", "v_omen_globe", game=start(seed), shop_packs=["p_arcana_jumbo_1"])
        game.step(Action.open_pack(0))
        assert game.pack
        draws = Draws(seed)
        for key in keys(game.pack.cards):
            spectral = draws.real("omen_globe") > 0.8
            assert key == "c_soul" or (key in POOLS["spectral"]) == spectral
            seen.add(spectral)
    assert seen == {True, False}


@probe("v_omen_globe", met=False, says="is not there: no Spectral cards in Arcana packs")
def _() -> None:
    for seed in SEEDS[:20]:
        game = redeemed("v_crystal_ball", game=start(seed), shop_packs=["p_arcana_jumbo_1"])
        game.step(Action.open_pack(0))
        assert game.pack
        assert all(key in POOLS["tarot"] or key == "c_soul" for key in keys(game.pack.cards))


# --- interest -----------------------------------------------------------------------------------------------------


def _interest(money: int, *vouchers: str, jokers: tuple[str, ...] = ()) -> int:
    game = next_round(redeemed(*vouchers))
    game.edit(money=money, jokers=list(jokers))
    win_round(game)
    cash_out = game.state()["cash_out"]
    game.step(Action.cash_out())
    assert game.money == money + sum(cash_out.values())
    return cash_out["interest"]


@probe("v_seed_money", met=True, says="counts interest on up to $50")
def _() -> None:
    assert _interest(50, "v_seed_money") == 10
    assert _interest(49, "v_seed_money") == 9
    assert _interest(500, "v_seed_money") == 10
    assert _interest(500, "v_seed_money", jokers=("j_to_the_moon",)) == 20


@probe("v_seed_money", met=False, says="is not there: interest is counted on up to $25")
def _() -> None:
    assert _interest(500) == 5
    assert _interest(24) == 4


@probe("v_money_tree", met=True, says="counts interest on up to $100")
def _() -> None:
    assert _interest(100, "v_seed_money", "v_money_tree") == 20
    assert _interest(99, "v_seed_money", "v_money_tree") == 19
    assert _interest(900, "v_seed_money", "v_money_tree") == 20


# --- the ante -----------------------------------------------------------------------------------------------------


@probe(
    "v_hieroglyph",
    met=True,
    says="takes back one ante and one hand per round; the same ante's big blind is next",
)
def _() -> None:
    game = shopping(shop_vouchers=["v_hieroglyph"], money=20, ante=3)
    boss = game.state()["boss"]
    game.step(Action.redeem(0))
    assert game.ante == 2
    assert game.state()["boss"] == boss
    next_round(game)
    assert game.blind.key == "bl_big"
    assert game.blind.target == 800 * 1.5
    assert game.blind.hands_left == 3


@probe(
    "v_hieroglyph",
    met=True,
    says="leads from ante 1 to ante 0 with base 100, and back to ante 1 after the boss",
)
def _() -> None:
    game = next_round(redeemed("v_hieroglyph"))
    assert game.ante == 0
    assert game.blind.target == 150
    next_round(shopping(game), "bl_hook")
    assert game.blind.target == 200
    win_round(game)
    assert game.ante == 1


@probe("v_hieroglyph", met=True, says="postpones the end of the run: the boss then beaten is that of ante 7")
def _() -> None:
    game = shopping(shop_vouchers=["v_hieroglyph"], money=20, ante=8)
    game.step(Action.redeem(0))
    win_round(next_round(game, "bl_hook"))
    assert game.phase is Phase.ROUND_EVAL
    assert not game.won
    assert game.ante == 8


@probe("v_hieroglyph", met=False, says="is not there: ante and hands stay")
def _() -> None:
    game = next_round(shopping(ante=3))
    assert game.ante == 3
    assert game.blind.target == 3000
    assert game.blind.hands_left == 4


@probe("v_petroglyph", met=True, says="takes back another ante and one discard per round")
def _() -> None:
    game = shopping(shop_vouchers=["v_hieroglyph", "v_petroglyph"], money=20, ante=3)
    game.step(Action.redeem(0))
    game.step(Action.redeem(1))
    assert game.ante == 1
    next_round(game)
    assert game.blind.target == 450
    assert game.blind.hands_left == 3
    assert game.blind.discards_left == 3


@probe("v_petroglyph", met=True, says="may lead below ante 0, where the base stays 100")
def _() -> None:
    game = next_round(redeemed("v_hieroglyph", "v_petroglyph"))
    assert game.ante == -1
    assert game.blind.target == 150


# --- the boss -----------------------------------------------------------------------------------------------------


@probe(
    "v_directors_cut", met=True, says="rerolls the boss once for $10, with the next use of the boss stream"
)
def _() -> None:
    game = choosing("v_directors_cut", money=25)
    first = game.state()["boss"]
    draws = Draws(SEED)
    early = ["bl_club", "bl_goad", "bl_head", "bl_hook", "bl_manacle", "bl_pillar", "bl_psychic", "bl_window"]
    assert draws.element("boss", early) == first
    early.remove(first)
    game.step(Action.reroll_boss())
    assert game.state()["boss"] == draws.element("boss", early)
    assert game.money == 15
    refused(game, Action.reroll_boss())


@probe("v_directors_cut", met=True, says="may be used again in the next ante")
def _() -> None:
    game = choosing("v_directors_cut", money=25)
    game.step(Action.reroll_boss())
    game.edit(next_blind="boss")
    game.step(Action.select_blind())
    shopping(game)
    game.step(Action.leave_shop())
    game.edit(money=10)
    assert game.ante == 2
    game.step(Action.reroll_boss())
    assert game.money == 0
    refused(game, Action.reroll_boss())


@probe("v_directors_cut", met=False, says="is not there: the boss cannot be rerolled")
def _() -> None:
    refused(choosing(money=100), Action.reroll_boss())


@probe("v_directors_cut", met=False, says="cannot be used with $9, unless Credit Card lowers the floor")
def _() -> None:
    game = choosing("v_directors_cut", money=9)
    refused(game, Action.reroll_boss())
    game.edit(jokers=["j_credit_card"])
    game.step(Action.reroll_boss())
    assert game.money == -1


@probe("v_directors_cut", met=False, says="can be used only on the blind-select screen")
def _() -> None:
    game = redeemed("v_directors_cut")
    refused(game, Action.reroll_boss())
    refused(next_round(game), Action.reroll_boss())


@probe("v_directors_cut", met=False, says="is used up for the ante by a Boss Tag")
def _() -> None:
    game = choosing("v_directors_cut", money=25, skip_tags=["tag_boss", "tag_boss"])
    game.step(Action.skip_blind())
    refused(game, Action.reroll_boss())


@probe("v_retcon", met=True, says="rerolls the boss as often as there are $10")
def _() -> None:
    game = choosing("v_directors_cut", "v_retcon", money=39, next_blind="boss")
    bosses = {game.state()["boss"]}
    for _ in range(3):
        game.step(Action.reroll_boss())
        bosses.add(game.state()["boss"])
    assert len(bosses) == 4
    assert game.money == 9
    refused(game, Action.reroll_boss())


@probe("v_retcon", met=True, says="still rerolls after a Boss Tag; a discount does not lower the $10")
def _() -> None:
    vouchers = ("v_directors_cut", "v_retcon", "v_clearance_sale")
    game = choosing(*vouchers, money=10, skip_tags=["tag_boss", "tag_boss"])
    game.step(Action.skip_blind())
    game.step(Action.reroll_boss())
    assert game.money == 0
