"""Probes of rules that meet: antes and streams, several tags at once, vouchers and decks beside bosses."""

from typing import Any

from tests.probes.blinds import facing, luchador
from tests.probes.draws import POOLS, Draws
from tests.probes.stakes import stickers_of, stickers_rolled
from tests.probes.table import keys, next_round, play, playing, probe, refused, shopping, start, win_round
from tests.probes.tags import row, shop_with, skipped
from tests.probes.vouchers import SEEDS, redeemed
from tests.probes.vouchers_b import WEIGHTS, edition_of, edition_rolled, kind_of, kind_rolled

from jimbot.balatro import Action, Game, Phase

SHOWDOWN = ["bl_final_acorn", "bl_final_bell", "bl_final_heart", "bl_final_leaf", "bl_final_vessel"]
EARLY = ["bl_club", "bl_goad", "bl_head", "bl_hook", "bl_manacle", "bl_pillar", "bl_psychic", "bl_window"]


# --- antes and streams --------------------------------------------------------------------------------------------


@probe("rule:phases", met=True, says="stocks the shop after a boss from the streams of the next ante")
def _() -> None:
    for seed in SEEDS[:20]:
        game = shopping(playing(game=start(seed), blind="bl_hook"))
        draws = Draws(seed)
        assert [kind_of(item) for item in row(game)] == [
            kind_rolled(draws.real("cdt2"), WEIGHTS) for _ in range(2)
        ]


@probe("v_hieroglyph", met=True, says="sends later draws of the shop to the streams of the ante gone back to")
def _() -> None:
    for seed in SEEDS[:20]:
        game = redeemed("v_hieroglyph", game=start(seed))
        game.step(Action.reroll_shop())
        draws = Draws(seed)
        assert [kind_of(item) for item in row(game)] == [
            kind_rolled(draws.real("cdt0"), WEIGHTS) for _ in range(2)
        ]


@probe("v_hieroglyph", met=True, says="comes back to an ante with its streams where they were left")
def _() -> None:
    for seed in SEEDS[:10]:
        game = shopping(playing(game=start(seed), blind="bl_hook"), money=50, shop_vouchers=["v_hieroglyph"])
        assert game.ante == 2
        game.step(Action.redeem(0))
        game.step(Action.reroll_shop())
        draws = Draws(seed)
        assert [kind_of(item) for item in row(game)] == [
            kind_rolled(draws.real("cdt1"), WEIGHTS) for _ in range(2)
        ]


@probe(
    "rule:endless", met=False, says="has ordinary bosses of ante 1 in ante 0 and below, never showdown ones"
)
def _() -> None:
    for seed in SEEDS[:20]:
        for ante in (0, -3, -8):
            game = start(seed)
            game.edit(ante=ante - 1)
            shopping(playing(game=game, blind="bl_hook"))
            assert game.ante == ante
            assert game.state()["boss"] in EARLY


@probe("rule:endless", met=True, says="keeps the won flag when the run is lost later")
def _() -> None:
    game = start(endless=True)
    game.edit(ante=8)
    win_round(playing(game=game, blind="bl_final_leaf"))
    game.step(Action.cash_out())
    game.step(Action.leave_shop())
    playing(["S_2", "S_3"], game=game, hands_left=1)
    play(game, 0)
    assert game.phase is Phase.GAME_OVER
    assert game.won


@probe("rule:phases", met=True, says="meets no boss twice while there are bosses met less often")
def _() -> None:
    for seed in SEEDS[:6]:
        game = start(seed, endless=True)
        met = []
        for _ in range(7):
            met.append(game.state()["boss"])
            game.edit(next_blind="boss", money=0)
            game.step(Action.select_blind())
            shopping(game)
            game.step(Action.leave_shop())
        assert len(set(met)) == 7
        assert game.ante == 8
        assert game.state()["boss"] in SHOWDOWN


@probe("rule:phases", met=False, says="draws Orbital's hands anew only when an ante begins")
def _() -> None:
    order = ["Full House", "Flush", "Pair", "High Card", "Straight Flush", "Straight", "Two Pair"]
    order += ["Three of a Kind", "Four of a Kind"]
    for seed in SEEDS[:8]:
        draws = Draws(seed)
        game = start(seed)
        first = [draws.element("orbital", order) for _ in range(3)]
        assert game.state()["orbital_hands"] == first
        shopping(playing(game=game, blind="bl_big"))
        assert game.state()["orbital_hands"] == first
        game.step(Action.leave_shop())
        shopping(playing(game=game, blind="bl_hook"))
        game.step(Action.leave_shop())
        assert game.state()["orbital_hands"] == [draws.element("orbital", order) for _ in range(3)]


# --- vouchers -----------------------------------------------------------------------------------------------------


@probe("v_retcon", met=True, says="shows all eight bosses of ante 1 before one comes back")
def _() -> None:
    game = redeemed("v_directors_cut", "v_retcon")
    game.step(Action.leave_shop())
    draws = Draws("PROBE")
    left = list(EARLY)
    for _ in range(8):
        boss = game.state()["boss"]
        assert boss == draws.element("boss", left)
        left.remove(boss)
        game.step(Action.reroll_boss())
    assert game.state()["boss"] == draws.element("boss", EARLY)


@probe("v_retcon", met=True, says="rerolls showdown bosses to showdown bosses")
def _() -> None:
    game = start()
    game.edit(ante=7, vouchers=["v_directors_cut", "v_retcon"])
    shopping(playing(game=game, blind="bl_hook"), money=100)
    game.step(Action.leave_shop())
    seen = {game.state()["boss"]}
    for _ in range(4):
        game.step(Action.reroll_boss())
        seen.add(game.state()["boss"])
    assert seen == set(SHOWDOWN)


@probe("v_blank", met=True, says="is offered again when every voucher is redeemed")
def _() -> None:
    game = start()
    game.edit(vouchers=POOLS["voucher"])
    shopping(playing(game=game, blind="bl_hook"), money=20)
    assert game.shop
    assert keys(game.shop.vouchers) == ["v_blank"]


@probe("v_overstock_norm", met=False, says="gets no free card from a Coupon Tag for the place it adds")
def _() -> None:
    game = shop_with("tag_coupon")
    game.edit(money=10, shop_vouchers=["v_overstock_norm"])
    game.step(Action.redeem(0))
    assert [item.price == 0 for item in row(game)] == [True, True, False]


@probe("v_hone", met=True, says="raises the editions of Buffoon packs as well")
def _() -> None:
    gained = 0
    for seed in SEEDS:
        game = redeemed("v_hone", game=start(seed), shop_packs=["p_buffoon_mega_1"], shop_slots=[])
        game.step(Action.open_pack(0))
        assert game.pack
        draws = Draws(seed)
        for item in game.pack.cards:
            roll = draws.real("edibuf1")
            assert edition_of(item) == edition_rolled(roll, 2)
            gained += edition_rolled(roll, 2) != edition_rolled(roll, 1)
    assert gained > 0


@probe("v_grabber", met=True, says="is counted in what The Needle gives back to Luchador")
def _() -> None:
    game = start()
    game.edit(vouchers=["v_grabber"], jokers=["j_luchador"])
    playing(game=game, blind="bl_needle")
    assert game.blind.hands_left == 1
    assert luchador(game).blind.hands_left == 5


@probe("v_clearance_sale", met=True, says="leaves rented and free things at $1 and $0")
def _() -> None:
    game = shopping(
        money=50, shop_vouchers=["v_clearance_sale"], shop_slots=["j_blueprint;s=R", "j_blueprint;r=1"]
    )
    game.step(Action.redeem(0))
    assert [item.price for item in row(game)] == [1, 0]


@probe("v_hieroglyph", met=True, says="never leaves less than one hand to a round")
def _() -> None:
    game = redeemed("v_hieroglyph", game=start(challenge="c_golden_needle_1"))
    assert game.state()["hands_per_round"] == 0
    next_round(game)
    assert game.blind.hands_left == 1


@probe("v_petroglyph", met=True, says="takes its discard from those that Blue Stake leaves")
def _() -> None:
    game = next_round(redeemed("v_hieroglyph", "v_petroglyph", game=start(deck="b_blue", stake=5)))
    assert (game.blind.hands_left, game.blind.discards_left) == (4, 1)


@probe(
    "v_directors_cut", met=True, says="does not keep a Boss Tag from drawing once more after its own reroll"
)
def _() -> None:
    game = redeemed("v_directors_cut")
    game.step(Action.leave_shop())
    game.step(Action.reroll_boss())
    boss = game.state()["boss"]
    game.edit(skip_tags=["tag_boss", "tag_boss"])
    game.step(Action.skip_blind())
    assert game.state()["boss"] != boss


# --- tags ---------------------------------------------------------------------------------------------------------


@probe(
    "tag_charm", met=True, says="deals its hand from the top of the deck as the run's first shuffle left it"
)
def _() -> None:
    for seed in SEEDS[:8]:
        game = skipped("tag_charm", game=start(seed))
        order = Draws(seed).shuffled("shuffle", POOLS["playing_card_fronts"])
        assert {card.card for card in game.hand} == set(order[-8:])


@probe("tag_juggle", met=True, says="adds to the hand size that The Manacle leaves")
def _() -> None:
    game = skipped("tag_juggle", "tag_juggle", boss="bl_manacle")
    game.step(Action.select_blind())
    assert len(game.hand) == 13


@probe("tag_double", met=True, says="gives two further vouchers, two draws of the boss, $50 of investments")
def _() -> None:
    game = skipped("tag_double", "tag_voucher", boss="bl_hook")
    game.step(Action.select_blind())
    shopping(game)
    assert game.shop
    assert len(set(keys(game.shop.vouchers))) == 3
    draws = Draws("PROBE")
    left = list(EARLY)
    for _ in range(3):
        last = draws.element("boss", left)
        left.remove(last)
    assert skipped("tag_double", "tag_boss").state()["boss"] == last
    game = win_round(playing(game=skipped("tag_double", "tag_investment"), blind="bl_hook"))
    assert game.state()["cash_out"]["tags"] == 50


@probe("tag_rare", met=True, says="lets its joker roll stickers like any shop joker")
def _() -> None:
    seen = set()
    for seed in SEEDS[:25]:
        game = shop_with("tag_rare", game=start(seed, stake=8))
        first = row(game)[0]
        assert stickers_of(first) == stickers_rolled(Draws(seed), first.key, 8)
        assert first.price == 0
        seen |= set(stickers_of(first))
    assert seen == {"E", "P", "R"}


@probe("tag_d_six", met=True, says="allows its free reroll in debt")
def _() -> None:
    game = shop_with("tag_d_six")
    game.edit(money=-5)
    game.step(Action.reroll_shop())
    assert game.money == -5
    refused(game, Action.reroll_shop())


@probe("tag_coupon", met=True, says="leaves the full sell value to what it makes free")
def _() -> None:
    for seed in SEEDS:
        game = shop_with("tag_coupon", game=start(seed))
        if row(game)[0].kind != "joker":
            continue
        plain = start(seed)
        plain.edit(next_blind="big")
        price = row(shopping(plain))[0].price
        game.step(Action.buy(0))
        assert game.jokers[0].sell_value == max(1, price // 2)
        return
    raise AssertionError("no shop began with a joker")


@probe(
    "rule:loss", met=False, says="lets a boss survived with Mr. Bones count as beaten: the next ante begins"
)
def _() -> None:
    game = playing(
        ["S_A", "H_2"], jokers=["j_mr_bones"], blind="bl_psychic", score=100, target=200, hands_left=1
    )
    game.step(Action.play(0))
    assert game.phase is Phase.ROUND_EVAL
    assert game.ante == 2
    assert game.state()["cash_out"]["reward"] == 0
    game.step(Action.cash_out())
    assert game.state()["next_blind"] == "small"


# --- bosses -------------------------------------------------------------------------------------------------------


def _face_down(game: Game) -> set[str | None]:
    return {card.card for card in game.hand_cards(hidden=True) if card.face_down}


def _drawn_with(seed: str, stream: str, chance: float) -> set[str]:
    draws = Draws(seed)
    order = draws.shuffled("nr1", POOLS["playing_card_fronts"])[::-1]
    return {front for front in order[:8] if draws.real(stream) < chance}


@probe("bl_wheel", met=True, says="rolls for the cards in the order in which they are drawn")
def _() -> None:
    for seed in SEEDS[:20]:
        assert _face_down(playing(game=start(seed), blind="bl_wheel")) == _drawn_with(seed, "wheel", 1 / 7)


@probe("c_xray_1", met=True, says="rolls for the cards in the order in which they are drawn")
def _() -> None:
    for seed in SEEDS[:20]:
        game = start(seed, challenge="c_xray_1")
        game.step(Action.select_blind())
        assert _face_down(game) == _drawn_with(seed, "flipped_card", 1 / 4)


@probe("bl_final_acorn", met=False, says="has shuffled the jokers before Chicot turns them up")
def _() -> None:
    crowd = ["j_joker", "j_chicot", "j_egg", "j_mime"]
    for seed in SEEDS[:8]:
        game = playing(game=start(seed), jokers=crowd, blind="bl_final_acorn")
        draws = Draws(seed)
        orders = [draws.shuffled("aajk", crowd) for _ in range(3)]
        assert keys(game.jokers) == orders[-1]
        assert not any(joker.face_down for joker in game.jokers)


@probe("bl_manacle", met=True, says="has its card back in the round after")
def _() -> None:
    game = shopping(facing("bl_manacle"))
    assert len(next_round(game).hand) == 8


@probe("bl_water", met=False, says="gives back the discards of the stake and deck, no more")
def _() -> None:
    game = start(deck="b_blue", stake=5)
    playing(game=game, blind="bl_water", jokers=["j_luchador"])
    assert luchador(game).blind.discards_left == 2


@probe("bl_serpent", met=True, says="also draws three after a refused or an empty-handed draw")
def _() -> None:
    game = facing("bl_serpent")
    game.edit(hand=["S_A", "H_K"], target=1e12)
    game.step(Action.play(0, 1))
    assert len(game.hand) == 3


# --- decks, stakes and challenges ---------------------------------------------------------------------------------


@probe("b_zodiac", met=True, says="stocks already its first shop by the Merchants' weights")
def _() -> None:
    weights: dict[str, float] = WEIGHTS | {"tarot": 9.6, "planet": 9.6}
    for seed in SEEDS[:20]:
        game = shopping(start(seed, deck="b_zodiac"))
        draws = Draws(seed)
        assert [kind_of(item) for item in row(game)] == [
            kind_rolled(draws.real("cdt1"), weights) for _ in range(3)
        ]


@probe("b_ghost", met=True, says="adds its Spectral cards to the playing cards of Magic Trick")
def _() -> None:
    weights: dict[str, float] = WEIGHTS | {"playing_card": 4.0, "spectral": 2.0}
    for seed in SEEDS[:30]:
        game = redeemed("v_magic_trick", game=start(seed, deck="b_ghost"))
        game.step(Action.reroll_shop())
        draws = Draws(seed)
        rolls = [draws.real("cdt1") for _ in range(4)][2:]
        assert [kind_of(item) for item in row(game)] == [kind_rolled(roll, weights) for roll in rolls]


@probe("b_anaglyph", met=True, says="gives its Double Tag in time for the next skip")
def _() -> None:
    game = shopping(playing(game=start(deck="b_anaglyph"), blind="bl_hook"), money=10)
    game.step(Action.leave_shop())
    skipped("tag_economy", game=game)
    assert game.money == 40
    assert game.tags == []


@probe("b_plasma", met=True, says="doubles the target of a table that the stake makes steeper")
def _() -> None:
    game = start(deck="b_plasma", stake=8)
    game.edit(ante=8)
    game.step(Action.select_blind())
    assert game.blind.target == 400000


@probe(
    "c_typecast_1",
    met=True,
    says="sets the limit to 0 outright: a Negative joker's slot does not count on top",
)
def _() -> None:
    game = start(challenge="c_typecast_1")
    game.edit(ante=4, jokers=["j_mime;e=negative"])
    win_round(playing(game=game, blind="bl_hook"))
    assert game.state()["joker_slots"] == 0
    shopping(game, shop_slots=["j_sly"], money=50, shop_vouchers=["v_antimatter"])
    game.step(Action.redeem(0))
    refused(game, Action.buy(0))


@probe("c_typecast_1", met=True, says="sets the limit to 0 with Antimatter redeemed before as well")
def _() -> None:
    game = start(challenge="c_typecast_1")
    game.edit(ante=4, next_blind="big")
    redeemed("v_blank", "v_antimatter", game=game)
    assert game.state()["joker_slots"] == 6
    win_round(next_round(game, "bl_hook"))
    assert game.state()["joker_slots"] == 0


@probe("c_inflation_1", met=True, says="counts a card bought and used at once, too")
def _() -> None:
    game = shopping(start(challenge="c_inflation_1"), money=50, shop_slots=["c_mars", "j_sly"])
    game.step(Action.buy_and_use(0))
    assert game.money == 47
    assert row(game)[0].price == 4


@probe("c_rich_1", met=True, says="caps the chips of jokers as well, not the Mult")
def _() -> None:
    game = playing(["S_A", "C_2"], game=start(challenge="c_rich_1"), jokers=["j_sly", "j_joker"], money=12)
    assert play(game, 0) == 12 * 5


def _options(**options: Any) -> Game | None:
    try:
        return Game("PROBE", **options)
    except ValueError:
        return None


@probe("stake_gold", met=False, says="is no part of a challenge, which runs at White Stake")
def _() -> None:
    game = _options(challenge="c_city_1", stake=8)
    if game:
        game.step(Action.select_blind())
        assert win_round(game).state()["cash_out"]["reward"] == 3


@probe("sticker_perishable", met=True, says="stays expired through Crimson Heart, whose debuffs come and go")
def _() -> None:
    game = start()
    game.edit(jokers=["j_joker;s=P;n=1", "j_mime", "j_egg"])
    shopping(game)
    next_round(game, "bl_final_heart")
    for _ in range(3):
        assert game.jokers[0].debuffed
        assert sum(joker.debuffed for joker in game.jokers[1:]) == 1
        game.edit(target=1e12)
        game.step(Action.play(0))
    shopping(win_round(game))
    assert [joker.debuffed for joker in game.jokers] == [True, False, False]


@probe("c_double_nothing_1", met=True, says="keeps its debuffs when a boss's own are lifted")
def _() -> None:
    game = playing(["H_A;l=Red", "H_K;l=Red"], game=start(challenge="c_double_nothing_1"), draw_pile=[])
    play(game, 0)
    game.edit(target=0)
    shopping(game)
    game.edit(jokers=["j_luchador"])
    next_round(game, "bl_head")
    assert [card.debuffed for card in game.hand] == [True, True]
    luchador(game)
    assert [card.debuffed for card in game.hand] == [True, True]
