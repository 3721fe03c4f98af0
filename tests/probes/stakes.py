"""Probes of the 8 stakes and of the stickers they bring."""

from typing import Any

from tests.probes.draws import Draws
from tests.probes.table import (
    keys,
    next_round,
    play,
    playing,
    probe,
    refused,
    score_of,
    shopping,
    start,
    win_round,
)
from tests.probes.vouchers import SEEDS

from jimbot.balatro import Action, Game, Phase

STAKES = ("white", "red", "green", "black", "blue", "purple", "orange", "gold")
BASES = {
    1: (300, 800, 2000, 5000, 11000, 20000, 35000, 50000),
    2: (300, 900, 2600, 8000, 20000, 36000, 60000, 100000),
    3: (300, 1000, 3200, 9000, 25000, 60000, 110000, 200000),
}
"""Of antes 1 to 8, by how fast the stake lets them grow."""
NEVER_ETERNAL = {
    "j_gros_michel", "j_ice_cream", "j_cavendish", "j_luchador", "j_turtle_bean", "j_diet_cola", "j_popcorn",
    "j_ramen", "j_selzer", "j_mr_bones", "j_invisible",
}  # fmt: skip
NEVER_PERISHABLE = {
    "j_ceremonial", "j_ride_the_bus", "j_runner", "j_constellation", "j_green_joker", "j_red_card", "j_madness",
    "j_square", "j_vampire", "j_hologram", "j_rocket", "j_obelisk", "j_lucky_cat", "j_flash", "j_trousers",
    "j_castle", "j_wee", "j_glass",
}  # fmt: skip


def stickers_of(item: Any) -> str:
    """Letters of the stickers in a shelf item's one-line form."""
    return item.item.split(";s=")[1].split(";")[0] if ";s=" in item.item else ""


def stickers_rolled(draws: Draws, key: str, stake: int, pack: bool = False) -> str:
    """The stickers that the rolls give to a joker of a shop or pack of ante 1."""
    roll = draws.real("packetper1" if pack else "etperpoll1")
    letters = ""
    if roll > 0.7:
        letters = "E" if stake >= 4 and key not in NEVER_ETERNAL else ""
    elif roll > 0.4:
        letters = "P" if stake >= 7 and key not in NEVER_PERISHABLE else ""
    if stake >= 8 and draws.real("packssjr1" if pack else "ssjr1") > 0.7:
        letters += "R"
    return letters


def seen_in_shops(stake: int) -> set[str]:
    """Check the stickers of the first shops and their rerolls; the letters seen."""
    seen: set[str] = set()
    for seed in SEEDS[:30]:
        game = shopping(start(seed, stake=stake), money=100)
        draws = Draws(seed)
        for _ in range(4):
            assert game.shop
            for item in game.shop.slots:
                if item and item.kind == "joker":
                    assert stickers_of(item) == stickers_rolled(draws, item.key, stake), (seed, item)
                    seen |= set(stickers_of(item))
                    if "R" in stickers_of(item):
                        assert item.price == 1
            game.step(Action.reroll_shop())
    return seen


def seen_in_packs(stake: int) -> set[str]:
    """Check the stickers of the first Buffoon pack; the letters seen."""
    seen: set[str] = set()
    for seed in SEEDS[:30]:
        game = shopping(start(seed, stake=stake), shop_packs=["p_buffoon_mega_1"], shop_slots=[], money=10)
        game.step(Action.open_pack(0))
        assert game.pack
        draws = Draws(seed)
        for item in game.pack.cards:
            assert item
            assert stickers_of(item) == stickers_rolled(draws, item.key, stake, pack=True), (seed, item)
            seen |= set(stickers_of(item))
    return seen


def _enter_stake_probes(level: int, name: str) -> None:
    item = f"stake_{name}"
    scaling = 1 if level < 3 else 2 if level < 6 else 3
    letters = set("EPR"[: (level >= 4) + (level >= 7) + (level >= 8)])

    @probe(item, met=True, says=f"asks for the scores of table {scaling} in antes 1 to 8")
    def _() -> None:
        for ante, base in enumerate(BASES[scaling], 1):
            for place, factor in (("small", 1), ("big", 1.5), ("boss", 2)):
                game = start(stake=level)
                game.edit(ante=ante, next_blind=place, boss="bl_hook")
                game.step(Action.select_blind())
                assert game.blind.target == base * factor

    @probe(
        item,
        met=level >= 2,
        says=f"pays ${0 if level >= 2 else 3} for the Small Blind, $4 and $5 for the others",
    )
    def _() -> None:
        rewards = []
        for blind in ("bl_small", "bl_big", "bl_hook"):
            game = win_round(playing(game=start(stake=level), blind=blind))
            rewards.append(game.state()["cash_out"]["reward"])
        assert rewards == [0 if level >= 2 else 3, 4, 5]

    @probe(item, met=level >= 5, says=f"leaves {2 if level >= 5 else 3} discards to a deck with three")
    def _() -> None:
        game = start(deck="b_blue", stake=level)
        game.step(Action.select_blind())
        assert game.blind.discards_left == (2 if level >= 5 else 3)
        assert start(stake=level).state()["discards_per_round"] == (3 if level >= 5 else 4)

    @probe(item, met=level >= 4, says="gives shop jokers the stickers of its level as the rolls say")
    def _() -> None:
        assert seen_in_shops(level) == letters

    @probe(item, met=level >= 4, says="gives the jokers of Buffoon packs the stickers of its level")
    def _() -> None:
        assert seen_in_packs(level) == letters

    @probe(item, met=False, says="changes nothing else about the start of a run")
    def _() -> None:
        state = start(deck="b_blue", stake=level).state()
        fields = ("money", "hands_per_round", "hand_size", "joker_slots", "consumable_slots", "deck_size")
        assert [state[field] for field in fields] == [4, 5, 8, 5, 2, 52]

    @probe(item, met=False, says="puts no stickers on jokers made by cards or tags")
    def _() -> None:
        for seed in SEEDS[:15]:
            game = start(seed, stake=level)
            game.edit(consumables=["c_judgement"], skip_tags=["tag_top_up", "tag_top_up"], money=50)
            game.step(Action.use(0))
            game.step(Action.skip_blind())
            assert len(game.jokers) == 3
            assert not any(joker.eternal or joker.perishable or joker.rental for joker in game.jokers)


for _level, _name in enumerate(STAKES, 1):
    _enter_stake_probes(_level, _name)


@probe("stake_white", met=True, says="is the plain game: every reward paid, no stickers")
def _() -> None:
    assert seen_in_shops(1) == set()
    assert win_round(playing(game=start(stake=1))).state()["cash_out"]["reward"] == 3


@probe("stake_gold", met=True, says="keeps the rewards of the lower stakes: $0, $4, $5 and $8")
def _() -> None:
    game = win_round(playing(game=start(stake=8), blind="bl_final_leaf"))
    assert game.state()["cash_out"]["reward"] == 8


# --- Eternal ------------------------------------------------------------------------------------------------------


@probe("sticker_eternal", met=True, says="keeps a joker from being sold")
def _() -> None:
    game = shopping(jokers=["j_joker;s=E", "j_joker"])
    refused(game, Action.sell_joker(0))
    game.step(Action.sell_joker(1))
    assert len(game.jokers) == 1


@probe("sticker_eternal", met=True, says="survives Ceremonial Dagger and Madness")
def _() -> None:
    game = playing(jokers=["j_ceremonial", "j_joker;s=E"])
    assert len(game.jokers) == 2
    assert game.jokers[0].value == 0
    game = playing(jokers=["j_madness", "j_joker;s=E"])
    assert len(game.jokers) == 2
    assert game.jokers[0].value == 1.5


@probe("sticker_eternal", met=True, says="survives Hex and Ankh")
def _() -> None:
    for card in ("c_hex", "c_ankh"):
        for seed in SEEDS[:6]:
            game = start(seed)
            game.edit(jokers=["j_joker;s=E", "j_mime", "j_egg;s=E"], consumables=[card])
            game.step(Action.use(0))
            assert {"j_joker", "j_egg"} <= set(keys(game.jokers))


@probe("sticker_eternal", met=True, says="is carried over by Ankh's copy")
def _() -> None:
    game = start()
    game.edit(jokers=["j_joker;s=E"], consumables=["c_ankh"])
    game.step(Action.use(0))
    assert [joker.eternal for joker in game.jokers] == [True, True]


@probe("sticker_eternal", met=False, says="is not there: sold for its value, killed by Dagger, Madness, Hex")
def _() -> None:
    game = shopping(jokers=["j_joker"], money=0)
    game.step(Action.sell_joker(0))
    assert game.money == 1
    assert keys(playing(jokers=["j_ceremonial", "j_joker"]).jokers) == ["j_ceremonial"]
    assert keys(playing(jokers=["j_madness", "j_joker"]).jokers) == ["j_madness"]
    game = start()
    game.edit(jokers=["j_joker", "j_mime"], consumables=["c_hex"])
    game.step(Action.use(0))
    assert len(game.jokers) == 1


@probe("sticker_eternal", met=False, says="does not protect against a debuff")
def _() -> None:
    game = playing(["S_A"], jokers=["j_joker;s=E"], blind="bl_final_heart")
    assert game.jokers[0].debuffed
    assert play(game) == 16


# --- Perishable ---------------------------------------------------------------------------------------------------


def _after_rounds(game: Game, rounds: int) -> Game:
    for _ in range(rounds):
        if game.phase is Phase.SHOP:
            game.step(Action.leave_shop())
        game.edit(boss="bl_hook", next_blind="small")
        game.step(Action.select_blind())
        shopping(game)
    return game


@probe("sticker_perishable", met=True, says="debuffs its joker for good at the end of the fifth round")
def _() -> None:
    game = start()
    game.edit(jokers=["j_joker;s=P"])
    assert game.jokers[0].rounds_left == 5
    for left in (4, 3, 2, 1):
        _after_rounds(game, 1)
        assert game.jokers[0].rounds_left == left
        assert not game.jokers[0].debuffed
    _after_rounds(game, 1)
    assert game.jokers[0].debuffed
    _after_rounds(game, 1)
    assert game.jokers[0].debuffed
    next_round(game)
    game.edit(hand=["S_A"], target=1e12)
    assert play(game) == 16


@probe("sticker_perishable", met=True, says="takes effect before the cash-out: no payout in the last round")
def _() -> None:
    game = win_round(playing(jokers=["j_golden;s=P;n=1"]))
    assert game.state()["cash_out"]["jokers"] == 0
    game = win_round(playing(jokers=["j_golden;s=P;n=2"]))
    assert game.state()["cash_out"]["jokers"] == 4


@probe(
    "sticker_perishable", met=True, says="lets what happens at the end of the round happen in the last one"
)
def _() -> None:
    game = win_round(playing(jokers=["j_egg;s=P;n=1"]))
    assert game.jokers[0].sell_value == 2 + 3
    assert game.jokers[0].debuffed


@probe(
    "sticker_perishable", met=True, says="leaves the debuffed joker in its slot, from where it can be sold"
)
def _() -> None:
    game = start()
    game.edit(jokers=["j_joker;s=P;n=1", *["j_joker"] * 4])
    _after_rounds(game, 1)
    game.edit(shop_slots=["j_sly"], money=20)
    refused(game, Action.buy(0))
    game.step(Action.sell_joker(0))
    game.step(Action.buy(0))


@probe("sticker_perishable", met=True, says="is debuffed for good: passive gifts are gone too")
def _() -> None:
    game = start()
    game.edit(jokers=["j_juggler;s=P;n=1"])
    game.step(Action.select_blind())
    assert len(game.hand) == 9
    shopping(game)
    next_round(game)
    assert len(game.hand) == 8


@probe("sticker_perishable", met=False, says="does not count skipped blinds, nor for other jokers")
def _() -> None:
    game = start()
    game.edit(jokers=["j_joker;s=P", "j_joker"], skip_tags=["tag_skip", "tag_skip"])
    game.step(Action.skip_blind())
    game.step(Action.skip_blind())
    assert game.jokers[0].rounds_left == 5
    _after_rounds(game, 5)
    assert [joker.debuffed for joker in game.jokers] == [True, False]


@probe("sticker_perishable", met=False, says="works undiminished until then")
def _() -> None:
    assert score_of(["S_A"], jokers=["j_joker;s=P;n=1"]) == 16 * 5


# --- Rental -------------------------------------------------------------------------------------------------------


@probe(
    "sticker_rental", met=True, says="costs $1 to buy, whatever the joker and its edition, and sells for $1"
)
def _() -> None:
    game = shopping(shop_slots=["j_blueprint;s=R;e=polychrome", "j_joker;s=R"], money=1)
    assert game.shop
    assert [item.price for item in game.shop.slots if item] == [1, 1]
    game.step(Action.buy(0))
    assert game.money == 0
    assert game.jokers[0].sell_value == 1


@probe("sticker_rental", met=True, says="takes $3 at the end of each round, before interest and into debt")
def _() -> None:
    game = win_round(playing(jokers=["j_joker;s=R"], money=27))
    assert game.money == 24
    assert game.state()["cash_out"]["interest"] == 4
    game = win_round(playing(jokers=["j_joker;s=R", "j_sly;s=R"], money=2))
    assert game.money == -4
    assert game.state()["cash_out"]["interest"] == 0


@probe("sticker_rental", met=True, says="goes on taking from a debuffed joker")
def _() -> None:
    game = win_round(playing(jokers=["j_joker;s=PR;n=1"], money=10))
    assert game.money == 7
    game.step(Action.cash_out())
    next_round(game)
    game.edit(money=10)
    assert win_round(game).money == 7


@probe("sticker_rental", met=False, says="is not there: full price, nothing taken")
def _() -> None:
    game = shopping(shop_slots=["j_blueprint;e=polychrome"], money=15)
    assert game.shop
    assert game.shop.slots[0]
    assert game.shop.slots[0].price == 15
    assert win_round(playing(jokers=["j_joker"], money=27)).money == 27


@probe("sticker_rental", met=False, says="takes nothing during the round or for a skipped blind")
def _() -> None:
    game = start()
    game.edit(jokers=["j_joker;s=R"], skip_tags=["tag_juggle", "tag_juggle"], money=10)
    game.step(Action.skip_blind())
    game.step(Action.select_blind())
    game.edit(target=1e12)
    game.step(Action.play(0))
    assert game.money == 10


# --- Pinned -------------------------------------------------------------------------------------------------------


def _tried(game: Game, origin: int, to: int) -> list[str]:
    action = Action.move_joker(origin, to)
    if game.why_not(action) is None:
        game.step(action)
    return keys(game.jokers)


@probe("sticker_pinned", met=True, says="stays leftmost whatever is moved")
def _() -> None:
    game = start()
    game.edit(jokers=["j_ceremonial;s=EX", "j_joker", "j_mime"])
    assert _tried(game, 0, 2)[0] == "j_ceremonial"
    assert _tried(game, 2, 0)[0] == "j_ceremonial"
    assert _tried(game, 1, 2) == ["j_ceremonial", *keys(game.jokers)[1:]]


@probe("sticker_pinned", met=True, says="stays leftmost under Amber Acorn's shuffles")
def _() -> None:
    for seed in SEEDS[:8]:
        jokers = ["j_ceremonial;s=EX", "j_joker;s=E", "j_mime;s=E"]
        game = playing(game=start(seed), jokers=jokers, blind="bl_final_acorn")
        assert game.owned_jokers(hidden=True)[0].key == "j_ceremonial"


@probe("sticker_pinned", met=False, says="is not there: jokers move freely")
def _() -> None:
    game = start()
    game.edit(jokers=["j_ceremonial", "j_joker", "j_mime"])
    game.step(Action.move_joker(0, 2))
    assert keys(game.jokers) == ["j_joker", "j_mime", "j_ceremonial"]
    game.step(Action.move_joker(1, 0))
    assert keys(game.jokers) == ["j_mime", "j_joker", "j_ceremonial"]
