"""Probes of the jokers from Fortune Teller to Diet Cola."""

from collections.abc import Sequence
from typing import Any

from tests.probes.draws import POOLS, Draws
from tests.probes.joker_scenes import ACE, SEEDS, grown
from tests.probes.table import keys, next_round, play, playing, probe, score_of, shopping, start, win_round

from jimbot.balatro import Action, Game


def hand_size(game: Game) -> int:
    """How many cards the hand holds when full."""
    return game.state()["hand_size"]


def payout(jokers: Sequence[str], **changes: Any) -> int:
    """What the jokers pay at a cash-out."""
    return win_round(playing(jokers=jokers, **changes)).state()["cash_out"]["jokers"]


def tagged(joker: str, enhancement: str | None) -> tuple[str, str]:
    """An Uncommon Tag's joker when the first draw falls on ``joker``, and the key of the draw after it."""
    gates = {"j_steel_joker", "j_stone", "j_lucky_cat"}
    seed = next(
        seed
        for number in range(4000)
        if Draws(seed := f"G{number:X}".replace("0", "Z")).element("Joker2uta1", POOLS["joker_uncommon"])
        == joker
    )
    draws = Draws(seed)
    draws.element("Joker2uta1", POOLS["joker_uncommon"])
    again = draws.element("Joker2uta1_resample2", POOLS["joker_uncommon"])
    assert again not in gates, "take another seed"
    deck = ["S_A", f"S_2;h={enhancement}"] if enhancement else ["S_A", "S_2"]
    game = shopping(playing(deck, game=start(seed), draw_pile=["S_3"] * 9, tags=["tag_uncommon"]))
    assert game.shop is not None
    return keys(game.shop.slots)[0], again


# --- Fortune Teller ------------------------------------------------------------------------------------------------


@probe(
    "j_fortune_teller",
    met=True,
    says="1 Mult per Tarot used in the run, before it was owned too; copies add it",
)
def _() -> None:
    assert score_of(["H_A"], jokers=["j_fortune_teller"], tarots_used=7) == ACE * 8
    assert score_of(["H_A"], jokers=["j_blueprint", "j_fortune_teller"], tarots_used=7) == ACE * 15
    game = playing(["H_A"], consumables=["c_hermit", "c_temperance"])
    game.step(Action.use(0))
    game.step(Action.use(0))
    game.edit(jokers=["j_fortune_teller"])
    assert play(game) == ACE * 3


@probe("j_fortune_teller", met=True, says="counts a Tarot used straight from the shop or from a pack")
def _() -> None:
    game = shopping(
        jokers=["j_fortune_teller"], money=50, shop_slots=["c_hermit"], shop_packs=["p_arcana_normal_1"]
    )
    game.step(Action.buy_and_use(0))
    game.step(Action.open_pack(0))
    game.edit(pack_cards=["c_temperance"])
    game.step(Action.pick(0))
    next_round(game)
    game.edit(hand=["H_A"], target=1e9)
    assert play(game) == ACE * 3


@probe("j_fortune_teller", met=False, says="Planets, Spectrals and unused Tarots do not count")
def _() -> None:
    game = playing(["H_A", "S_2"], jokers=["j_fortune_teller"], consumables=["c_mars", "c_black_hole"])
    game.step(Action.use(0))
    game.edit(consumables=["c_talisman", "c_hermit"])
    game.step(Action.use(0, 1))
    game.step(Action.sell_consumable(0))
    assert play(game, 0) == ACE


@probe("j_fortune_teller", met=False, says="nothing while debuffed")
def _() -> None:
    assert score_of(["H_A"], jokers=["j_fortune_teller;d=1"], tarots_used=7) == ACE


# --- Juggler -------------------------------------------------------------------------------------------------------


@probe("j_juggler", met=True, says="+1 hand size each, from the moment it is owned")
def _() -> None:
    assert len(playing(jokers=["j_juggler"]).hand) == 9
    assert len(playing(jokers=["j_juggler", "j_juggler"]).hand) == 10
    game = shopping(money=50, shop_slots=["j_juggler"])
    game.step(Action.buy(0))
    assert hand_size(game) == 9
    assert len(next_round(game).hand) == 9


@probe("j_juggler", met=True, says="a copy made in the middle of a round counts at once")
def _() -> None:
    game = playing(jokers=["j_juggler"], consumables=["c_ankh"])
    game.step(Action.use(0))
    assert (keys(game.jokers), hand_size(game)) == (["j_juggler", "j_juggler"], 10)


@probe("j_juggler", met=False, says="Blueprint does not copy it; debuffed or perished it gives nothing")
def _() -> None:
    assert len(playing(jokers=["j_blueprint", "j_juggler"]).hand) == 9
    assert len(playing(jokers=["j_juggler;d=1"]).hand) == 8
    game = playing(jokers=["j_juggler;s=P;n=1"])
    assert len(game.hand) == 9
    assert len(next_round(shopping(game)).hand) == 8


@probe("j_juggler", met=False, says="sold, the hand size goes back but cards in hand stay")
def _() -> None:
    game = playing(jokers=["j_juggler"])
    game.step(Action.sell_joker(0))
    assert (hand_size(game), len(game.hand)) == (8, 9)
    game.step(Action.discard(0, 1))
    assert len(game.hand) == 8


# --- Drunkard ------------------------------------------------------------------------------------------------------


@probe("j_drunkard", met=True, says="+1 discard each round; a copy made during the round gives one at once")
def _() -> None:
    assert playing(jokers=["j_drunkard"]).blind.discards_left == 5
    game = playing(jokers=["j_drunkard"], consumables=["c_ankh"])
    game.step(Action.use(0))
    assert game.blind.discards_left == 6


@probe("j_drunkard", met=True, says="bought in the shop it counts from the next blind on")
def _() -> None:
    game = shopping(money=50, shop_slots=["j_drunkard"])
    game.step(Action.buy(0))
    assert next_round(game).blind.discards_left == 5


@probe("j_drunkard", met=False, says="Blueprint does not copy it; debuffed or perished it gives nothing")
def _() -> None:
    assert playing(jokers=["j_blueprint", "j_drunkard"]).blind.discards_left == 5
    assert playing(jokers=["j_drunkard;d=1"]).blind.discards_left == 4
    game = next_round(shopping(playing(jokers=["j_drunkard;s=P;n=1"])))
    assert game.blind.discards_left == 4


@probe(
    "j_drunkard", met=False, says="sold during a round it takes its discard along, but not one already spent"
)
def _() -> None:
    game = playing(jokers=["j_drunkard"])
    game.step(Action.sell_joker(0))
    assert game.blind.discards_left == 4
    game = playing(jokers=["j_drunkard"], blind="bl_water")
    game.step(Action.sell_joker(0))
    assert game.blind.discards_left == 0


# --- Stone Joker ---------------------------------------------------------------------------------------------------


STONES = ["S_2;h=m_stone", "S_3;h=m_stone;d=1"]


@probe("j_stone", met=True, says="25 Chips per Stone card anywhere in the deck; copies add them again")
def _() -> None:
    piles: dict[str, Any] = {"held": ["S_4;h=m_stone"], "draw_pile": STONES, "discard_pile": STONES}
    assert score_of(["H_A"], jokers=["j_stone"], **piles) == ACE + 5 * 25
    assert score_of(["H_A"], jokers=["j_blueprint", "j_stone"], **piles) == ACE + 10 * 25
    assert score_of(["H_A;h=m_stone"], jokers=["j_stone"], draw_pile=[]) == 5 + 50 + 25


@probe("j_stone", met=True, says="is in the pool while the deck has a Stone card")
def _() -> None:
    assert tagged("j_stone", "m_stone")[0] == "j_stone"


@probe("j_stone", met=False, says="is not in the pool of a deck without Stone cards: the draw is made again")
def _() -> None:
    found, again = tagged("j_stone", None)
    assert found == again


@probe("j_stone", met=False, says="nothing without Stone cards or while debuffed")
def _() -> None:
    assert score_of(["H_A"], jokers=["j_stone"], draw_pile=["S_2;h=m_steel"]) == ACE
    assert score_of(["H_A"], jokers=["j_stone;d=1"], draw_pile=STONES) == ACE


# --- Golden Joker --------------------------------------------------------------------------------------------------


@probe("j_golden", met=True, says="pays $4 at every cash-out")
def _() -> None:
    assert payout(["j_golden"]) == 4
    assert payout(["j_golden", "j_golden"], blind="bl_club") == 8
    game = win_round(playing(jokers=["j_golden"], money=0))
    assert game.money == 0
    game.step(Action.cash_out())
    assert game.money == 3 + 3 + 4


@probe("j_golden", met=False, says="Blueprint does not copy it, and debuffed or perished it pays nothing")
def _() -> None:
    assert payout(["j_blueprint", "j_golden"]) == 4
    assert payout(["j_golden;d=1"]) == 0
    assert payout(["j_golden;s=P;n=1"]) == 0


# --- Lucky Cat -----------------------------------------------------------------------------------------------------


@probe(
    "j_lucky_cat", met=True, says="gains X0.25 per lucky trigger, and the gain already counts in this hand"
)
def _() -> None:
    sure = ["j_lucky_cat", "j_oops", "j_oops", "j_oops"]
    game = playing(["H_A;h=m_lucky"], jokers=sure)
    assert play(game) == ACE * 21 * 1.25
    game = playing(["H_A;h=m_lucky;l=Red"], jokers=sure)
    assert play(game) == int((ACE + 11) * 41 * 1.5)


@probe("j_lucky_cat", met=True, says="once per trigger even when Mult and money both come")
def _() -> None:
    game = playing(["H_A;h=m_lucky"], jokers=["j_lucky_cat", *["j_oops"] * 4], money=0)
    play(game)
    assert (game.money, grown(game)) == (20, 1.25)


@probe(
    "j_lucky_cat", met=True, says="follows the rolls: 1 in 5 for Mult, 1 in 15 for money, either is enough"
)
def _() -> None:
    seen = set[tuple[bool, bool]]()
    for seed in SEEDS:
        draws = Draws(seed)
        mult, money = draws.real("lucky_mult") < 1 / 5, draws.real("lucky_money") < 1 / 15
        game = playing(["H_A;h=m_lucky"], jokers=["j_lucky_cat"], game=start(seed), money=0)
        factor = 1.25 if mult or money else 1
        assert play(game) == ACE * (21 if mult else 1) * factor
        assert (game.money, grown(game)) == (20 if money else 0, factor)
        seen.add((mult, money))
    assert {(False, False), (True, False), (False, True)} <= seen


@probe("j_lucky_cat", met=True, says="Blueprint multiplies again but does not grow it")
def _() -> None:
    game = playing(["H_A;h=m_lucky"], jokers=["j_blueprint", "j_lucky_cat;v=1.75", *["j_oops"] * 3])
    assert play(game) == ACE * 21 * 4
    assert grown(game, 1) == 2


@probe("j_lucky_cat", met=True, says="is in the pool while the deck has a Lucky card")
def _() -> None:
    assert tagged("j_lucky_cat", "m_lucky")[0] == "j_lucky_cat"


@probe(
    "j_lucky_cat", met=False, says="is not in the pool of a deck without Lucky cards: the draw is made again"
)
def _() -> None:
    found, again = tagged("j_lucky_cat", None)
    assert found == again


@probe(
    "j_lucky_cat", met=False, says="nothing for held, debuffed or other cards, or while it is debuffed itself"
)
def _() -> None:
    oops = ["j_oops"] * 4
    for card, held in (("H_A", "S_2;h=m_lucky"), ("H_A;h=m_lucky;d=1", "S_2"), ("H_A;h=m_mult", "S_2")):
        game = playing([card, held], jokers=["j_lucky_cat", *oops])
        play(game, 0)
        assert grown(game) == 1
    game = playing(["H_A;h=m_lucky"], jokers=["j_lucky_cat;d=1;v=2", *oops])
    assert (play(game), grown(game)) == (ACE * 21, 2)


# --- Baseball Card -------------------------------------------------------------------------------------------------


@probe("j_baseball", met=True, says="X1.5 for every Uncommon joker, debuffed ones too")
def _() -> None:
    assert score_of(["H_A"], jokers=["j_baseball", "j_gift"]) == ACE * 1.5
    assert score_of(["H_A"], jokers=["j_gift", "j_baseball", "j_gift;d=1"]) == ACE * 2.25


@probe(
    "j_baseball", met=True, says="multiplies right after that joker's own effect, wherever it stands itself"
)
def _() -> None:
    for jokers in (["j_baseball", "j_flash;v=3"], ["j_flash;v=3", "j_baseball"]):
        assert score_of(["H_A"], jokers=jokers) == ACE * 4 * 1.5
    assert score_of(["H_A"], jokers=["j_gift;e=holo", "j_joker", "j_baseball"]) == ACE * (11 * 1.5 + 4)
    assert score_of(["H_A"], jokers=["j_baseball", "j_joker", "j_gift"]) == ACE * 5 * 1.5


@probe("j_baseball", met=True, says="a Blueprint copying it reacts as well, but is Rare whatever it copies")
def _() -> None:
    assert score_of(["H_A"], jokers=["j_blueprint", "j_baseball", "j_gift"]) == ACE * 2.25
    assert score_of(["H_A"], jokers=["j_baseball", "j_blueprint", "j_gift"]) == ACE * 1.5


@probe("j_baseball", met=False, says="nothing for Common, Rare and Legendary jokers or for itself")
def _() -> None:
    jokers = ["j_baseball", "j_egg", "j_baron", "j_chicot", "j_baseball"]
    assert score_of(["H_A"], jokers=jokers) == ACE


@probe("j_baseball", met=False, says="nothing while debuffed")
def _() -> None:
    assert score_of(["H_A"], jokers=["j_baseball;d=1", "j_gift"]) == ACE
    assert score_of(["H_A"], jokers=["j_blueprint", "j_baseball;d=1", "j_gift"]) == ACE


# --- Bull ----------------------------------------------------------------------------------------------------------


@probe("j_bull", met=True, says="2 Chips per dollar held; copies add them again")
def _() -> None:
    assert score_of(["H_A"], jokers=["j_bull"], money=30) == ACE + 60
    assert score_of(["H_A"], jokers=["j_blueprint", "j_bull"], money=30) == ACE + 120


@probe("j_bull", met=True, says="money earned earlier in the hand counts, from seals, held faces and jokers")
def _() -> None:
    assert score_of(["H_A;l=Gold"], jokers=["j_bull"], money=10) == ACE + 26
    jokers = ["j_bull", "j_reserved_parking", "j_oops"]
    assert score_of(["H_A"], held=["S_K"], jokers=jokers, money=10) == ACE + 22
    assert score_of(["D_A"], jokers=["j_bull", "j_rough_gem"], money=10) == ACE + 22


@probe("j_bull", met=True, says="sees the money that The Tooth left")
def _() -> None:
    assert score_of(["H_A", "S_2"], jokers=["j_bull"], money=10, blind="bl_tooth") == ACE + 16


@probe("j_bull", met=False, says="nothing without money, and debts take nothing away")
def _() -> None:
    assert score_of(["H_A"], jokers=["j_bull"], money=0) == ACE
    assert score_of(["H_A"], jokers=["j_bull"], money=-10) == ACE


@probe("j_bull", met=False, says="nothing while debuffed")
def _() -> None:
    assert score_of(["H_A"], jokers=["j_bull;d=1"], money=30) == ACE


# --- Diet Cola -----------------------------------------------------------------------------------------------------


def after_sale(*jokers: str, sold: int = 0) -> list[str]:
    """Tags held after selling a joker in the shop."""
    game = shopping(jokers=jokers)
    game.step(Action.sell_joker(sold))
    return game.tags


@probe("j_diet_cola", met=True, says="selling it gives a Double Tag, in the shop as in a round")
def _() -> None:
    assert after_sale("j_diet_cola") == ["tag_double"]
    game = playing(jokers=["j_diet_cola"], money=0)
    game.step(Action.sell_joker(0))
    assert (game.tags, game.money) == (["tag_double"], 3)


@probe("j_diet_cola", met=True, says="selling a Blueprint or Brainstorm that copies it does the same")
def _() -> None:
    assert after_sale("j_blueprint", "j_diet_cola") == ["tag_double"]
    assert after_sale("j_diet_cola", "j_brainstorm", sold=1) == ["tag_double"]
    assert after_sale("j_blueprint", "j_diet_cola", sold=1) == ["tag_double"]


@probe("j_diet_cola", met=True, says="the tag doubles the next one gained")
def _() -> None:
    game = shopping(jokers=["j_diet_cola"])
    game.step(Action.sell_joker(0))
    game.step(Action.leave_shop())
    game.edit(skip_tags=["tag_investment", "tag_investment"])
    game.step(Action.skip_blind())
    assert game.tags == ["tag_investment", "tag_investment"]


@probe(
    "j_diet_cola", met=False, says="nothing while debuffed, for another joker's sale, or when it is destroyed"
)
def _() -> None:
    assert after_sale("j_diet_cola;d=1") == []
    assert after_sale("j_diet_cola", "j_joker", sold=1) == []
    assert after_sale("j_diet_cola", "j_blueprint", sold=1) == []
    game = playing(jokers=["j_madness", "j_diet_cola"])
    assert (keys(game.jokers), game.tags) == (["j_madness"], [])
