"""Probes of the tags that act in shops and of the Double Tag."""

from tests.probes.draws import POOLS, Draws
from tests.probes.table import keys, probe, refused, shopping, start
from tests.probes.tags import row, shop_with, skipped
from tests.probes.vouchers import SEEDS
from tests.probes.vouchers_b import edition_of

from jimbot.balatro import Action, Phase

COSTS = {"foil": 2, "holo": 3, "polychrome": 5, "negative": 5}
GATED = {"j_steel_joker", "j_stone", "j_lucky_cat", "j_glass", "j_ticket", "j_cavendish"}
"""Jokers that a plain deck does not offer."""


# --- jokers made by tags ------------------------------------------------------------------------------------------


@probe(
    "tag_uncommon",
    met=True,
    says="puts a free Uncommon joker into the first slot of the next shop",
)
def _() -> None:
    for seed in SEEDS[:10]:
        game = shop_with("tag_uncommon", game=start(seed))
        first = row(game)[0]
        assert first.key == Draws(seed).pool("Joker2uta1", "joker_uncommon", lambda key: key in GATED)
        assert first.price == 0
        assert row(game)[1].price > 0
        assert len(row(game)) == 2
        assert game.tags == []


@probe(
    "tag_uncommon",
    met=True,
    says="takes the place of one ordinary card: the other slot has the first type roll",
)
def _() -> None:
    for seed in SEEDS[:10]:
        plain = start(seed)
        plain.edit(next_blind="big")
        shopping(plain)
        game = shop_with("tag_uncommon", game=start(seed))
        if row(plain)[0].key != row(game)[0].key:
            assert row(game)[1].key == row(plain)[0].key


@probe("tag_uncommon", met=True, says="acts on rerolls too when more are held than there are slots")
def _() -> None:
    game = shop_with("tag_uncommon", "tag_rare", "tag_uncommon")
    assert row(game)[0].key in POOLS["joker_uncommon"]
    assert row(game)[1].key in POOLS["joker_rare"]
    assert game.tags == ["tag_uncommon"]
    game.edit(money=20)
    game.step(Action.reroll_shop())
    assert row(game)[0].key in POOLS["joker_uncommon"]
    assert row(game)[0].price == 0
    assert row(game)[1].price > 0
    assert game.tags == []


@probe("tag_uncommon", met=False, says="is not held: both cards have prices")
def _() -> None:
    game = shop_with("tag_skip")
    assert all(item.price > 0 for item in row(game))


@probe("tag_uncommon", met=False, says="stays held until a shop is entered")
def _() -> None:
    assert skipped("tag_uncommon").tags == ["tag_uncommon"]
    assert skipped("tag_uncommon", "tag_skip").tags == ["tag_uncommon"]


@probe("tag_rare", met=True, says="puts a free Rare joker into the first slot of the next shop")
def _() -> None:
    for seed in SEEDS[:10]:
        game = shop_with("tag_rare", game=start(seed))
        assert row(game)[0].key == Draws(seed).pool("Joker3rta1", "joker_rare", lambda _: False)
        assert row(game)[0].price == 0
        game.edit(money=0)
        game.step(Action.buy(0))
        assert len(game.jokers) == 1
        assert game.money == 0


@probe("tag_rare", met=True, says="leaves the joker its full sell value")
def _() -> None:
    game = shop_with("tag_rare")
    game.edit(shop_slots=["j_dna;r=1"])
    assert row(game)[0].price == 0
    game.step(Action.buy(0))
    assert game.jokers[0].sell_value == 4


@probe("tag_rare", met=False, says="is used up for nothing when every Rare joker is owned")
def _() -> None:
    game = start()
    game.edit(joker_slots=25)
    shop_with("tag_rare", game=game, jokers=POOLS["joker_rare"])
    assert game.tags == []
    assert len(row(game)) == 2
    assert all(item.price > 0 for item in row(game))


# --- editions -----------------------------------------------------------------------------------------------------


def _enter_edition_probes(tag: str, edition: str) -> None:
    @probe(tag, met=True, says="makes the first joker without edition in the shop take its edition, free")
    def _() -> None:
        seen = 0
        for seed in SEEDS[:20]:
            game = shop_with(tag, game=start(seed))
            draws = Draws(seed)
            waiting = True
            for position, item in enumerate(row(game)):
                if item.kind != "joker":
                    continue
                takes = waiting and draws.real("edisho1") <= 0.96
                waiting = waiting and not takes
                assert (item.price == 0) == takes
                if takes:
                    assert edition_of(item) == edition
                    game.edit(money=0)
                    game.step(Action.buy(position))
                    assert game.jokers[0].edition == edition
                    seen += 1
            assert game.tags == [tag] * waiting
        assert seen > 5

    @probe(tag, met=True, says="counts the edition in the sell value of the joker it makes free")
    def _() -> None:
        for seed in SEEDS:
            game = shop_with(tag, game=start(seed))
            plain = start(seed)
            plain.edit(next_blind="big")
            shopping(plain)
            first = row(game)[0]
            if first.price:
                continue
            base = row(plain)[0].price
            game.step(Action.buy(0))
            assert game.jokers[0].sell_value == max(1, (base + COSTS[edition]) // 2)
            return
        raise AssertionError("no shop began with a joker")

    @probe(tag, met=True, says="works on a free joker of an Uncommon Tag as well")
    def _() -> None:
        game = shop_with("tag_uncommon", tag)
        first = row(game)[0]
        assert first.key in POOLS["joker_uncommon"]
        assert edition_of(first) == edition
        assert first.price == 0
        assert game.tags == []

    @probe(tag, met=False, says="waits for a later card when the shop shows no joker")
    def _() -> None:
        for seed in SEEDS:
            game = shop_with(tag, game=start(seed))
            if any(item.kind == "joker" for item in row(game)):
                continue
            assert game.tags == [tag]
            game.edit(money=100)
            while game.tags:
                game.step(Action.reroll_shop())
            assert [edition_of(item) for item in row(game) if item.price == 0] == [edition]
            return
        raise AssertionError("every shop had a joker")

    @probe(tag, met=False, says="is not held: shop jokers keep what they rolled")
    def _() -> None:
        assert all(item.price for item in row(shop_with("tag_skip")))


for _tag, _edition in (
    ("tag_foil", "foil"),
    ("tag_holo", "holo"),
    ("tag_polychrome", "polychrome"),
    ("tag_negative", "negative"),
):
    _enter_edition_probes(_tag, _edition)


@probe("tag_foil", met=True, says="leaves a second edition tag for the next joker")
def _() -> None:
    for seed in SEEDS:
        game = shop_with("tag_foil", "tag_holo", game=start(seed))
        if [item.kind for item in row(game)] != ["joker", "joker"]:
            continue
        assert [edition_of(item) for item in row(game)] == ["foil", "holo"]
        assert [item.price for item in row(game)] == [0, 0]
        assert game.tags == []
        return
    raise AssertionError("no shop had two jokers")


@probe("tag_foil", met=False, says="leaves a joker alone that rolled an edition itself")
def _() -> None:
    for seed in SEEDS:
        game = shop_with("tag_foil", game=start(seed))
        jokers = [item for item in row(game) if item.kind == "joker"]
        if not jokers or Draws(seed).real("edisho1") <= 0.96:
            continue
        assert jokers[0].price > 0
        assert game.tags == ["tag_foil"] * (len(jokers) == 1)
        return
    raise AssertionError("no first joker rolled an edition")


@probe("tag_negative", met=True, says="lets the joker be bought with full slots")
def _() -> None:
    five = ["j_blueprint"] * 5
    for seed in SEEDS:
        game = shop_with("tag_negative", game=start(seed), jokers=five)
        free = [position for position, item in enumerate(row(game)) if item.price == 0]
        if free:
            game.step(Action.buy(free[0]))
            assert len(game.jokers) == 6
            return
    raise AssertionError("no shop had a joker")


# --- shops --------------------------------------------------------------------------------------------------------


@probe("tag_voucher", met=True, says="adds a second voucher of its own stream to the next shop, at its price")
def _() -> None:
    second = set(POOLS["voucher"][1::2])
    for seed in SEEDS[:10]:
        game = shop_with("tag_voucher", game=start(seed))
        assert game.shop
        vouchers = [item for item in game.shop.vouchers if item]
        first = game.state()["ante_voucher"]
        blank = {*second, first}
        added = Draws(seed).pool("Voucher_fromtag", "voucher", blank.__contains__)
        assert [item.key for item in vouchers] == [first, added]
        assert [item.price for item in vouchers] == [10, 10]
        assert game.tags == []


@probe("tag_voucher", met=True, says="shows the extra voucher in one shop only; the ante's own stays")
def _() -> None:
    game = shop_with("tag_voucher")
    assert game.shop
    first, second = keys(game.shop.vouchers)
    other = game.clone()
    game.step(Action.leave_shop())
    game.edit(next_blind="small")
    shopping(game)
    assert keys(game.shop.vouchers) == [first]
    other.edit(money=30)
    other.step(Action.redeem(1))
    other.step(Action.redeem(0))
    assert sorted(other.state()["vouchers"]) == sorted([first, second])
    assert other.money == 10


@probe("tag_voucher", met=False, says="is not held: one voucher")
def _() -> None:
    shop = shop_with("tag_skip").shop
    assert shop
    assert len(shop.vouchers) == 1


@probe("tag_coupon", met=True, says="makes the first cards and packs of the next shop free, not its voucher")
def _() -> None:
    game = shop_with("tag_coupon")
    assert game.shop
    assert [item.price for item in row(game)] == [0, 0]
    assert [item.price for item in game.shop.packs if item] == [0, 0]
    assert [item.price for item in game.shop.vouchers if item] == [10]
    assert game.tags == []
    game.edit(money=0)
    game.step(Action.open_pack(0))
    assert game.phase is Phase.PACK
    assert game.money == 0


@probe("tag_coupon", met=False, says="does not reach rerolled cards")
def _() -> None:
    game = shop_with("tag_coupon")
    game.edit(money=5)
    assert game.shop
    assert game.shop.reroll_price == 5
    game.step(Action.reroll_shop())
    assert all(item.price > 0 for item in row(game))
    assert [item.price for item in game.shop.packs if item] == [0, 0]


@probe("tag_coupon", met=False, says="keeps a second one for the shop after")
def _() -> None:
    game = shop_with("tag_coupon", "tag_coupon")
    assert game.tags == ["tag_coupon"]
    game.step(Action.leave_shop())
    game.step(Action.select_blind())
    shopping(game)
    assert [item.price for item in row(game)] == [0, 0]
    assert game.tags == []


@probe("tag_d_six", met=True, says="starts the next shop's rerolls at $0, growing by $1")
def _() -> None:
    game = shop_with("tag_d_six")
    game.edit(money=3)
    assert game.tags == []
    assert game.shop
    for price in (0, 1, 2):
        assert game.shop.reroll_price == price
        game.step(Action.reroll_shop())
    assert game.money == 0
    refused(game, Action.reroll_shop())


@probe("tag_d_six", met=False, says="lasts one shop; a second one acts in the shop after")
def _() -> None:
    game = shop_with("tag_d_six", "tag_d_six")
    assert game.tags == ["tag_d_six"]
    assert game.shop
    assert game.shop.reroll_price == 0
    for price in (0, 5):
        game.step(Action.leave_shop())
        game.step(Action.select_blind())
        shopping(game)
        assert game.shop
        assert game.shop.reroll_price == price


# --- Double Tag ---------------------------------------------------------------------------------------------------


@probe("tag_double", met=True, says="gives the next tag once more and is used up")
def _() -> None:
    game = skipped("tag_double", "tag_juggle")
    assert game.tags == ["tag_juggle", "tag_juggle"]
    assert skipped("tag_double", "tag_economy", money=3).money == 12
    assert skipped("tag_double", "tag_skip").money == 4 + 10 + 10


@probe("tag_double", met=True, says="reacts once per copy held: two give the next tag three times")
def _() -> None:
    game = skipped("tag_double", tags=["tag_double"])
    assert game.tags == ["tag_double", "tag_double"]
    game.edit(skip_tags=["tag_skip", "tag_juggle"])
    game.step(Action.skip_blind())
    assert game.tags == ["tag_juggle"] * 3


@probe("tag_double", met=True, says="copies an Orbital Tag with its hand")
def _() -> None:
    game = start()
    named = game.state()["orbital_hands"][1]
    skipped("tag_double", "tag_orbital", game=game)
    assert game.hands[named].level == 7


@probe("tag_double", met=True, says="opens a pack tag's pack twice, one after the other")
def _() -> None:
    game = skipped("tag_double", "tag_charm")
    assert game.phase is Phase.PACK
    game.step(Action.skip_pack())
    assert game.phase is Phase.PACK
    game.step(Action.skip_pack())
    assert game.phase is Phase.BLIND_SELECT
    assert game.tags == []


@probe("tag_double", met=False, says="does not copy another Double Tag and waits for a tag")
def _() -> None:
    assert skipped("tag_double", "tag_double").tags == ["tag_double", "tag_double"]
    game = skipped("tag_double")
    game.step(Action.select_blind())
    shopping(game)
    assert game.tags == ["tag_double"]
