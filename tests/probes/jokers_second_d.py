"""Probes of the jokers from Luchador to Hallucination."""

from collections.abc import Sequence
from typing import Any

from tests.probes.draws import POOLS, Draws
from tests.probes.joker_scenes import ACE, SEEDS, earned, from_pool, thrown
from tests.probes.table import (
    keys,
    next_round,
    play,
    playing,
    probe,
    score_of,
    shopping,
    start,
    win_round,
)

from jimbot.balatro import Action, Game


def hand_size(game: Game) -> int:
    """How many cards the hand holds when full."""
    return game.state()["hand_size"]


# --- Luchador ------------------------------------------------------------------------------------------------------


@probe("j_luchador", met=True, says="sold during a boss round it lifts the boss's debuffs")
def _() -> None:
    game = playing(["C_A"], jokers=["j_luchador"], blind="bl_club")
    game.edit(refresh_debuffs=True)
    assert game.hand[0].debuffed
    game.step(Action.sell_joker(0))
    assert (game.blind.disabled, game.hand[0].debuffed, play(game)) == (True, False, ACE)


@probe(
    "j_luchador", met=True, says="gives back what The Needle, The Water and The Manacle took, halves The Wall"
)
def _() -> None:
    for boss, field in (("bl_needle", "hands_left"), ("bl_water", "discards_left")):
        game = playing(jokers=["j_luchador"], blind=boss)
        game.step(Action.sell_joker(0))
        assert getattr(game.blind, field) == 4
    game = playing(jokers=["j_luchador"], blind="bl_manacle")
    assert len(game.hand) == 7
    game.step(Action.sell_joker(0))
    assert len(game.hand) == 8
    game = playing(jokers=["j_luchador"], blind="bl_wall", target=1200)
    game.step(Action.sell_joker(0))
    assert game.blind.target == 600


@probe("j_luchador", met=True, says="selling a Blueprint or Brainstorm that copies it does the same")
def _() -> None:
    for jokers, sold in ((["j_blueprint", "j_luchador"], 0), (["j_luchador", "j_brainstorm"], 1)):
        game = playing(jokers=jokers, blind="bl_club")
        game.step(Action.sell_joker(sold))
        assert (game.blind.disabled, keys(game.jokers)) == (True, ["j_luchador"])


@probe("j_luchador", met=False, says="only money in Small and Big Blinds or in the shop before a boss")
def _() -> None:
    game = playing(jokers=["j_luchador"], blind="bl_big", money=0)
    game.step(Action.sell_joker(0))
    assert (game.money, game.blind.disabled) == (2, False)
    game = shopping(jokers=["j_luchador"])
    game.step(Action.sell_joker(0))
    assert not next_round(game, "bl_club").blind.disabled


@probe("j_luchador", met=False, says="nothing while debuffed, nor for a copier that does not point at it")
def _() -> None:
    game = playing(jokers=["j_luchador;d=1", "j_brainstorm"], blind="bl_club")
    game.step(Action.sell_joker(1))
    game.step(Action.sell_joker(0))
    assert not game.blind.disabled
    game = playing(jokers=["j_luchador", "j_blueprint"], blind="bl_club")
    game.step(Action.sell_joker(1))
    assert not game.blind.disabled


# --- Photograph ----------------------------------------------------------------------------------------------------


@probe(
    "j_photograph", met=True, says="X2 for the first scoring face card, leftmost first, and only for that one"
)
def _() -> None:
    assert score_of(["H_K", "S_K"], jokers=["j_photograph"]) == (10 + 20) * 2 * 2
    hand = ["H_2;h=m_mult", "S_2", "H_K;h=m_mult", "S_K"]
    assert score_of(hand, jokers=["j_photograph"]) == (20 + 24) * ((2 + 4 + 4) * 2)
    hand = ["S_K", "H_2;h=m_mult", "S_2", "H_K;h=m_mult"]
    assert score_of(hand, jokers=["j_photograph"]) == (20 + 24) * (2 * 2 + 4 + 4)


@probe("j_photograph", met=True, says="multiplies at every trigger of that card and for every copy")
def _() -> None:
    assert score_of(["H_K;l=Red"], jokers=["j_photograph"]) == (5 + 20) * 4
    assert score_of(["H_K"], jokers=["j_blueprint", "j_photograph"]) == (5 + 10) * 4
    assert score_of(["H_K"], jokers=["j_photograph", "j_hanging_chad"]) == (5 + 30) * 8


@probe("j_photograph", met=True, says="with Pareidolia the first scoring card, a Stone card too")
def _() -> None:
    assert score_of(["H_A"], jokers=["j_photograph", "j_pareidolia"]) == ACE * 2
    assert score_of(["S_7;h=m_stone", "H_A"], jokers=["j_photograph", "j_pareidolia"]) == (ACE + 50) * 2


@probe("j_photograph", met=True, says="a debuffed face is passed over for the next one")
def _() -> None:
    assert score_of(["H_K;d=1", "S_K"], jokers=["j_photograph"]) == (10 + 10) * 2 * 2


@probe(
    "j_photograph",
    met=False,
    says="nothing without a scoring face: other ranks, unscored, held or Stone faces",
)
def _() -> None:
    assert score_of(["H_A", "S_K"], held=["S_Q"], jokers=["j_photograph"]) == ACE
    assert score_of(["H_K;h=m_stone"], jokers=["j_photograph"]) == 5 + 50
    assert score_of(["H_K;d=1"], jokers=["j_photograph"]) == 5


@probe("j_photograph", met=False, says="nothing while debuffed")
def _() -> None:
    assert score_of(["H_K"], jokers=["j_photograph;d=1"]) == 5 + 10


# --- Gift Card -----------------------------------------------------------------------------------------------------


def worth(*jokers: str, rounds: int = 1) -> tuple[list[int], list[int]]:
    """What each joker and a Mars have gained in sell value after so many rounds."""
    game = playing(jokers=jokers, consumables=["c_mars"])
    before = [card.sell_value for card in [*game.jokers, *game.consumables]]
    for number in range(rounds):
        if number:
            next_round(game)
        shopping(game)
    after = [card.sell_value for card in [*game.jokers, *game.consumables]]
    gained = [new - old for new, old in zip(after, before, strict=True)]
    return gained[:-1], gained[-1:]


@probe(
    "j_gift",
    met=True,
    says="every joker, itself included, and every consumable gains $1 of sell value per round",
)
def _() -> None:
    assert worth("j_gift", "j_joker") == ([1, 1], [1])
    assert worth("j_gift", "j_joker", rounds=2) == ([2, 2], [2])
    assert worth("j_gift", "j_gift", "j_joker;d=1") == ([2, 2, 2], [2])


@probe("j_gift", met=True, says="the gain is paid on selling")
def _() -> None:
    game = shopping(jokers=["j_gift"], money=0)
    game.step(Action.sell_joker(0))
    assert game.money == 3 + 1


@probe("j_gift", met=False, says="cannot be copied, and gives nothing while debuffed")
def _() -> None:
    assert worth("j_blueprint", "j_gift") == ([1, 1], [1])
    assert worth("j_gift;d=1", "j_joker") == ([0, 0], [0])


@probe("j_gift", met=False, says="what is bought afterwards has its plain value")
def _() -> None:
    game = shopping(jokers=["j_gift"], money=50, shop_slots=["j_dna"])
    game.step(Action.buy(0))
    assert [joker.sell_value for joker in game.jokers] == [4, 4]


# --- Turtle Bean ---------------------------------------------------------------------------------------------------


@probe("j_turtle_bean", met=True, says="+5 hand size, one less after each round")
def _() -> None:
    game = playing(jokers=["j_turtle_bean"])
    assert len(game.hand) == 13
    for size in (12, 11):
        next_round(shopping(game))
        assert (hand_size(game), len(game.hand)) == (size, size)


@probe("j_turtle_bean", met=True, says="is destroyed at the end of the round that would leave it +0")
def _() -> None:
    game = playing(jokers=["j_turtle_bean"])
    for _ in range(4):
        shopping(game)
        game.edit(next_blind="small")
        next_round(game)
    assert (keys(game.jokers), hand_size(game)) == (["j_turtle_bean"], 9)
    win_round(game)
    assert (keys(game.jokers), hand_size(game)) == ([], 8)


@probe(
    "j_turtle_bean", met=True, says="the hand size goes with it when it is sold, and the cards in hand stay"
)
def _() -> None:
    game = playing(jokers=["j_turtle_bean"])
    game.step(Action.sell_joker(0))
    assert (hand_size(game), len(game.hand)) == (8, 13)


@probe("j_turtle_bean", met=False, says="no cards while debuffed, and no second helping for Blueprint")
def _() -> None:
    assert len(playing(jokers=["j_turtle_bean;d=1"]).hand) == 8
    assert len(playing(jokers=["j_blueprint", "j_turtle_bean"]).hand) == 13
    assert hand_size(shopping(jokers=["j_blueprint", "j_turtle_bean"])) == 12


@probe("j_turtle_bean", met=False, says="perished it gives nothing, and later rounds do not eat it")
def _() -> None:
    game = playing(jokers=["j_turtle_bean;s=P;n=1"])
    assert len(game.hand) == 13
    for _ in range(2):
        next_round(shopping(game))
        assert (keys(game.jokers), len(game.hand)) == (["j_turtle_bean"], 8)


@probe("j_turtle_bean", met=False, says="does not shrink when a blind is skipped")
def _() -> None:
    game = start()
    game.edit(jokers=["j_turtle_bean"], skip_tags=["tag_handy", "tag_handy"])
    game.step(Action.skip_blind())
    assert hand_size(game) == 13


# --- Erosion -------------------------------------------------------------------------------------------------------


@probe("j_erosion", met=True, says="4 Mult per card the deck is below its starting size; copies add it again")
def _() -> None:
    assert score_of(["H_A"], jokers=["j_erosion"], draw_pile=["D_2"] * 50, discard_pile=[]) == ACE * 5
    assert (
        score_of(["H_A"], jokers=["j_erosion"], draw_pile=["D_2"] * 40, discard_pile=["D_3"] * 8) == ACE * 13
    )
    assert score_of(["H_A"], jokers=["j_blueprint", "j_erosion"], draw_pile=["D_2"] * 50) == ACE * 9


@probe("j_erosion", met=True, says="counts from 40 cards with the Abandoned Deck")
def _() -> None:
    game = playing(["H_A"], jokers=["j_erosion"], game=start(deck="b_abandoned"), draw_pile=["D_2"] * 36)
    assert play(game) == ACE * 13


@probe("j_erosion", met=True, says="a card added in the same hand already counts against it")
def _() -> None:
    assert score_of(["H_A"], jokers=["j_dna", "j_erosion"], draw_pile=["D_2"] * 49) == ACE * 5


@probe("j_erosion", met=False, says="nothing for a full or a larger deck, and never less than nothing")
def _() -> None:
    for cards in (51, 60):
        assert score_of(["H_A"], jokers=["j_erosion"], draw_pile=["D_2"] * cards) == ACE
    game = playing(["H_A"], jokers=["j_erosion"], game=start(deck="b_abandoned"), draw_pile=["D_2"] * 39)
    assert play(game) == ACE


@probe("j_erosion", met=False, says="nothing while debuffed")
def _() -> None:
    assert score_of(["H_A"], jokers=["j_erosion;d=1"], draw_pile=["D_2"] * 40) == ACE


# --- Reserved Parking ----------------------------------------------------------------------------------------------


def parked(seed: str, *held: str, jokers: Sequence[str] = ("j_reserved_parking",)) -> int:
    """Money from faces held in hand."""
    return earned("H_A", jokers=jokers, held=held, game=start(seed))


@probe("j_reserved_parking", met=True, says="each face held in hand pays $1 with a chance of 1 in 2")
def _() -> None:
    seen = set[int]()
    for seed in SEEDS[:40]:
        draws = Draws(seed)
        paid = parked(seed, "H_K", "S_Q", "D_3", "D_J")
        assert paid == sum(draws.real("parking") < 0.5 for _ in range(3))
        seen.add(paid)
    assert seen == {0, 1, 2, 3}


@probe("j_reserved_parking", met=True, says="Red Seal and Mime roll again only for a face that has paid")
def _() -> None:
    for seed in SEEDS[:40]:
        for held, jokers in (("H_K;l=Red", []), ("H_K", ["j_mime"])):
            draws = Draws(seed)
            rolls = [draws.real("parking") < 0.5 for _ in range(2)]
            paid = 1 + rolls[1] if rolls[0] else 0
            assert parked(seed, held, jokers=["j_reserved_parking", *jokers]) == paid


@probe(
    "j_reserved_parking",
    met=True,
    says="a Steel face has an effect of its own, so its Red Seal always rolls again",
)
def _() -> None:
    for seed in SEEDS[:20]:
        draws = Draws(seed)
        assert parked(seed, "H_K;l=Red;h=m_steel") == sum(draws.real("parking") < 0.5 for _ in range(2))


@probe(
    "j_reserved_parking",
    met=True,
    says="sure with Oops! All 6s; copies pay too; Pareidolia makes all cards faces",
)
def _() -> None:
    sure = ["j_reserved_parking", "j_oops"]
    assert parked("PROBE", "H_K", "S_Q", jokers=sure) == 2
    assert parked("PROBE", "H_K", "S_Q", jokers=["j_blueprint", *sure]) == 4
    assert parked("PROBE", "H_2", "S_3;h=m_stone", jokers=[*sure, "j_pareidolia"]) == 2


@probe("j_reserved_parking", met=False, says="nothing for played, Stone or debuffed faces and other ranks")
def _() -> None:
    sure = ["j_reserved_parking", "j_oops"]
    assert earned("H_K", jokers=sure) == 0
    assert parked("PROBE", "S_K;h=m_stone", "S_Q;d=1", "D_A", jokers=sure) == 0
    assert parked("PROBE", "S_Q;d=1", jokers=[*sure, "j_pareidolia"]) == 0


@probe("j_reserved_parking", met=False, says="nothing while debuffed")
def _() -> None:
    assert parked("PROBE", "H_K", jokers=["j_reserved_parking;d=1", "j_oops"]) == 0


# --- Mail-In Rebate ------------------------------------------------------------------------------------------------


def mailed(*hand: str, jokers: Sequence[str] = ("j_mail",)) -> int:
    """Money for discarding these cards while 7 is the rank."""
    return thrown(*hand, jokers=jokers, targets={"mail": "7"})


@probe("j_mail", met=True, says="pays $5 for each discarded card of the round's rank; copies pay again")
def _() -> None:
    assert mailed("H_7") == 5
    assert mailed("H_7", "S_7", "S_8") == 10
    assert mailed("H_7", jokers=["j_blueprint", "j_mail"]) == 10
    assert mailed("H_7", jokers=["j_mail", "j_mail"]) == 10


@probe("j_mail", met=True, says="pays for cards that The Hook throws away")
def _() -> None:
    game = playing(["S_A", "S_7", "H_7"], jokers=["j_mail"], blind="bl_hook", money=0, targets={"mail": "7"})
    play(game, 0)
    assert game.money == 10


@probe(
    "j_mail", met=True, says="the rank is drawn at the start and after each round among the cards of the deck"
)
def _() -> None:
    ranks = "23456789AJKQT" * 4
    for seed in SEEDS[:20]:
        draws, game = Draws(seed), start(seed)
        assert game.state()["targets"]["mail"] == draws.element("mail1", ranks)
        win_round(playing(game=game))
        assert game.state()["targets"]["mail"] == draws.element("mail1", ranks)


@probe("j_mail", met=False, says="nothing for other ranks, Stone or debuffed cards, or cards played")
def _() -> None:
    assert mailed("H_8", "S_7;h=m_stone", "D_7;d=1") == 0
    assert earned("H_7", jokers=["j_mail"], targets={"mail": "7"}) == 0


@probe("j_mail", met=False, says="nothing while debuffed")
def _() -> None:
    assert mailed("H_7", jokers=["j_mail;d=1"]) == 0


# --- To the Moon ---------------------------------------------------------------------------------------------------


def interest(money: int, *jokers: str, **changes: Any) -> int:
    """The interest row of a cash-out."""
    return win_round(playing(jokers=jokers, money=money, **changes)).state()["cash_out"]["interest"]


@probe("j_to_the_moon", met=True, says="each one adds $1 per $5 to the interest")
def _() -> None:
    assert [interest(money, "j_to_the_moon") for money in (5, 14, 25)] == [2, 4, 10]
    assert interest(25, "j_to_the_moon", "j_to_the_moon") == 15


@probe("j_to_the_moon", met=True, says="the number of $5 steps stays capped, vouchers raise it as usual")
def _() -> None:
    assert interest(100, "j_to_the_moon") == 10
    assert interest(100, "j_to_the_moon", vouchers=["v_seed_money"]) == 20


@probe("j_to_the_moon", met=False, says="nothing below $5, and nothing with the Green Deck")
def _() -> None:
    assert interest(4, "j_to_the_moon") == 0
    assert interest(25, "j_to_the_moon", game=start(deck="b_green")) == 0


@probe("j_to_the_moon", met=False, says="cannot be copied, gives nothing while debuffed or after it was sold")
def _() -> None:
    assert interest(25, "j_blueprint", "j_to_the_moon") == 10
    assert interest(25, "j_to_the_moon;d=1") == 5
    game = playing(jokers=["j_to_the_moon"])
    game.step(Action.sell_joker(0))
    game.edit(money=25)
    assert win_round(game).state()["cash_out"]["interest"] == 5


# --- Hallucination -------------------------------------------------------------------------------------------------


def dreamt(
    *jokers: str, seed: str = "PROBE", pack: str = "p_buffoon_normal_1", held: Sequence[str] = ()
) -> Game:
    """A run that has opened a pack in the first shop."""
    game = shopping(playing(jokers=jokers, game=start(seed)), money=50, shop_packs=[pack, pack])
    game.edit(shop_slots=["j_joker"], consumables=list(held))
    game.step(Action.open_pack(0))
    return game


@probe("j_hallucination", met=True, says="opening a pack makes a Tarot with a chance of 1 in 2")
def _() -> None:
    seen = set[bool]()
    for seed in SEEDS[:30]:
        hit = Draws(seed).real("halu1") < 0.5
        assert keys(dreamt("j_hallucination", seed=seed).consumables) == from_pool("Tarot", "hal", hit, seed)
        seen.add(hit)
    assert seen == {True, False}


@probe(
    "j_hallucination", met=True, says="sure with Oops! All 6s, for every kind of pack, and copies make more"
)
def _() -> None:
    for pack in ("p_arcana_mega_1", "p_celestial_jumbo_1", "p_standard_normal_1", "p_spectral_normal_1"):
        assert len(dreamt("j_hallucination", "j_oops", pack=pack).consumables) == 1
    game = dreamt("j_blueprint", "j_hallucination", "j_oops")
    assert keys(game.consumables) == from_pool("Tarot", "hal", 2)
    game = dreamt("j_blueprint", "j_hallucination", "j_oops", held=["c_mars"])
    assert keys(game.consumables) == ["c_mars", *from_pool("Tarot", "hal")]


@probe("j_hallucination", met=True, says="also for a pack that a tag opens")
def _() -> None:
    game = start()
    game.edit(jokers=["j_hallucination", "j_oops"], skip_tags=["tag_charm", "tag_charm"])
    game.step(Action.skip_blind())
    assert len(game.consumables) == 1


@probe("j_hallucination", met=True, says="its Tarot is there before the pack's cards, which are other ones")
def _() -> None:
    names = (f"H{number:X}".replace("0", "Z") for number in range(4000))
    for seed in names:
        draws = Draws(seed)
        found = draws.element("Tarothal1", POOLS["tarot"])
        if draws.real("halu1") < 0.5 and draws.element("Tarotar11", POOLS["tarot"]) == found:
            break
    else:
        raise AssertionError("no seed with such a pack")
    again = draws.element("Tarotar11_resample2", POOLS["tarot"])
    game = dreamt("j_hallucination", seed=seed, pack="p_arcana_normal_1")
    assert game.pack is not None
    assert (keys(game.consumables), keys(game.pack.cards)[0]) == ([found], again)


@probe("j_hallucination", met=False, says="full slots give nothing and cost no roll")
def _() -> None:
    for seed in SEEDS[:12]:
        game = dreamt("j_hallucination", seed=seed, held=["c_mars", "c_pluto"])
        assert keys(game.consumables) == ["c_mars", "c_pluto"]
        game.step(Action.skip_pack())
        game.edit(consumables=[])
        game.step(Action.open_pack(1))
        assert len(game.consumables) == (Draws(seed).real("halu1") < 0.5)


@probe("j_hallucination", met=False, says="nothing while debuffed, and nothing for cards bought")
def _() -> None:
    assert dreamt("j_hallucination;d=1", "j_oops").consumables == []
    game = shopping(jokers=["j_hallucination", "j_oops"], money=50, shop_slots=["j_joker"])
    game.step(Action.buy(0))
    assert game.consumables == []
