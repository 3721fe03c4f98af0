"""Probes of the collection's jokers from Loyalty Card to Pareidolia, but those of ranks."""

from collections.abc import Sequence
from typing import Any

from tests.probes.jokers_first_a import RANKS, SEEDS, again, sweep, with_jokers
from tests.probes.table import (
    SEED,
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

from jimbot.balatro import Action, Game
from jimbot.balatro.game.rng import integers, reals, stream

TAROTS = [
    "c_fool", "c_magician", "c_high_priestess", "c_empress", "c_emperor", "c_heirophant", "c_lovers", "c_chariot",
    "c_justice", "c_hermit", "c_wheel_of_fortune", "c_strength", "c_hanged_man", "c_death", "c_temperance", "c_devil",
    "c_tower", "c_star", "c_moon", "c_sun", "c_judgement", "c_world",
]  # fmt: skip
SURE = ["j_oops", "j_oops"]
"""With these a chance of 1 in 4 is certain."""

# --- Loyalty Card -------------------------------------------------------------------------------------------

sweep("j_loyalty_card;c=0", ["H_A"], none=16, one=64, two=256, hands_played=5)


@probe("j_loyalty_card", met=True, says="X4 on the sixth and twelfth hand after it was bought, on no other")
def _() -> None:
    game = shopping(money=5, shop_slots=["j_loyalty_card"])
    game.step(Action.buy(0))
    next_round(game)
    game.edit(hands_left=20, hand_size=1, target=1e12)
    assert [again(game, ["H_A"]) for _hand in range(13)] == [*[16] * 5, 64, *[16] * 5, 64, 16]


@probe(
    "j_loyalty_card",
    met=True,
    says="counts on from round to round, and a hand the blind refuses counts as played",
)
def _() -> None:
    game = playing(jokers=["j_loyalty_card;c=0"], hands_played=3)
    next_round(shopping(game), "bl_psychic")
    game.edit(target=1e12)
    assert again(game, ["H_A"]) == 0
    assert again(game, ["H_A", "S_2", "C_4", "D_6", "H_9"]) == 64


@probe("j_loyalty_card", met=False, says="not on hands one to five and not on the seventh")
def _() -> None:
    for played in (0, 1, 2, 3, 4, 6, 10):
        assert with_jokers(["j_loyalty_card;c=0"], ["H_A"], hands_played=played) == 16
    assert with_jokers(["j_loyalty_card;c=3"], ["H_A"], hands_played=5) == 16
    assert with_jokers(["j_loyalty_card;c=3"], ["H_A"], hands_played=8) == 64


# --- 8 Ball -------------------------------------------------------------------------------------------------


def _rolls(seed: str, key: str, count: int = 1) -> list[float]:
    return [reals(use.seed)[0] for use in stream(seed, key, count)]


@probe("j_8_ball", met=True, says="1 in 4 to make the Tarot the seed says when an 8 scores")
def _() -> None:
    made = set()
    for seed in SEEDS:
        game = playing(["H_8"], jokers=["j_8_ball"], game=start(seed))
        play(game)
        hit = _rolls(seed, "8ball")[0] < 1 / 4
        tarot = TAROTS[integers(stream(seed, "Tarot8ba1")[0].seed, 1, 22)[0] - 1]
        assert keys(game.consumables) == ([tarot] if hit else [])
        made.add(hit)
    assert made == {True, False}


def _tarots(played: Sequence[str], *jokers: str, held: Sequence[str] = (), **changes: Any) -> int:
    """How many Tarots are made when luck is sure."""
    game = playing([*played, *held], jokers=[*jokers, *SURE], consumable_slots=9, **changes)
    play(game, *range(len(played)))
    assert len(set(keys(game.consumables))) == len(game.consumables)
    return len(game.consumables)


@probe(
    "j_8_ball",
    met=True,
    says="rolls for each 8, for each trigger of it and again for Blueprint and Brainstorm",
)
def _() -> None:
    assert _tarots(["H_8", "S_8", "C_8"], "j_8_ball") == 3
    assert _tarots(["H_8;l=Red"], "j_8_ball") == 2
    assert _tarots(["H_8"], "j_blueprint", "j_8_ball") == 2
    assert _tarots(["H_8"], "j_8_ball", "j_brainstorm") == 2


@probe("j_8_ball", met=False, says="makes no more Tarots than there are free slots")
def _() -> None:
    game = playing(["H_8", "S_8", "C_8"], jokers=["j_8_ball", *SURE])
    play(game)
    assert len(game.consumables) == 2
    assert again(game, ["H_8"]) == 13
    assert len(game.consumables) == 2


@probe("j_8_ball", met=False, says="without a free slot the chance is not even rolled")
def _() -> None:
    seed = next(seed for seed in SEEDS if _rolls(seed, "8ball", 2)[0] < 1 / 4 <= _rolls(seed, "8ball", 2)[1])
    game = playing(["H_8"], jokers=["j_8_ball"], game=start(seed), consumables=["c_pluto", "c_mars"])
    play(game)
    game.edit(consumables=[])
    again(game, ["H_8"])
    assert len(game.consumables) == 1


@probe(
    "j_8_ball",
    met=False,
    says="no roll for other ranks, for an 8 that does not score, is Stone, held or debuffed",
)
def _() -> None:
    for rank in RANKS:
        assert _tarots([f"H_{rank}"], "j_8_ball") == (rank == "8")
    assert _tarots(["H_A", "S_8"], "j_8_ball", held=["C_8"]) == 0
    assert _tarots(["H_8;h=m_stone"], "j_8_ball") == 0
    assert _tarots(["H_8;d=1"], "j_8_ball") == 0
    assert _tarots(["H_8"], "j_8_ball;d=1") == 0


# --- Misprint, Dusk, Raised Fist ----------------------------------------------------------------------------


@probe("j_misprint", met=True, says="adds the seed's number of 0 to 23 Mult, a new one for every hand")
def _() -> None:
    seen = set()
    for seed in SEEDS:
        game = playing(jokers=["j_misprint"], game=start(seed))
        for use in stream(seed, "misprint", 2):
            number = integers(use.seed, 0, 23)[0]
            assert again(game, ["H_A"]) == 16 * (1 + number)
            seen.add(number)
    assert {0, 23} <= seen
    assert seen <= set(range(24))


@probe("j_misprint", met=True, says="Blueprint rolls its own number from the same stream")
def _() -> None:
    numbers = [integers(use.seed, 0, 23)[0] for use in stream(SEED, "misprint", 2)]
    assert score_of(["H_A"], jokers=["j_blueprint", "j_misprint"]) == 16 * (1 + sum(numbers))


@probe("j_misprint", met=False, says="neither adds nor rolls while debuffed or in a hand the blind refuses")
def _() -> None:
    assert score_of(["H_A"], jokers=["j_misprint;d=1"]) == 16
    game = playing(jokers=["j_misprint"], blind="bl_psychic")
    assert again(game, ["H_A"]) == 0
    number = integers(stream(SEED, "misprint")[0].seed, 0, 23)[0]
    assert again(game, ["H_A", "S_2", "C_4", "D_6", "H_9"]) == 16 * (1 + number)


sweep("j_dusk", ["H_A"], none=16, one=27, two=38, hands_left=1)


@probe(
    "j_dusk",
    met=True,
    says="on the last hand every scoring card triggers again, Stone and Red Seal cards too",
)
def _() -> None:
    cards = ["H_A;h=m_mult", "S_A;l=Red", "C_3;h=m_stone"]
    assert score_of(cards, jokers=["j_dusk"], hands_left=1) == (10 + 22 + 33 + 100) * (2 + 8)
    assert score_of(["H_A"], jokers=["j_dusk"], blind="bl_needle") == 27


@probe("j_dusk", met=False, says="not while another hand is left")
def _() -> None:
    assert score_of(["H_A"], jokers=["j_dusk"], hands_left=2) == 16
    assert score_of(["H_A"], jokers=["j_dusk"]) == 16


@probe("j_dusk", met=False, says="cards that do not score, are debuffed or held are not triggered again")
def _() -> None:
    held = ["C_4;h=m_steel"]
    assert score_of(["H_A", "S_2"], held=held, jokers=["j_dusk"], hands_left=1) == 40
    assert score_of(["H_A;d=1"], jokers=["j_dusk"], hands_left=1) == 5


sweep("j_raised_fist", ["H_A"], ["S_9", "S_4", "S_K"], none=16, one=16 * 9, two=16 * 17)


@probe(
    "j_raised_fist", met=True, says="twice the rank's chips of the lowest held card; faces give 20, Aces 22"
)
def _() -> None:
    for held, mult in ((["S_2"], 4), (["S_T", "H_J"], 20), (["S_K", "H_A"], 20), (["S_A"], 22)):
        assert score_of(["H_A"], held=held, jokers=["j_raised_fist"]) == 16 * (1 + mult)


@probe(
    "j_raised_fist", met=True, says="extra chips of the card do not count; a Red Seal gives the Mult twice"
)
def _() -> None:
    assert score_of(["H_A"], held=["S_4;h=m_bonus;b=25"], jokers=["j_raised_fist"]) == 16 * 9
    assert score_of(["H_A"], held=["S_4;l=Red"], jokers=["j_raised_fist"]) == 16 * 17


@probe(
    "j_raised_fist", met=True, says="among equals it is the rightmost card's turn; Jack is lower than Queen"
)
def _() -> None:
    jokers = ["j_raised_fist"]
    assert score_of(["H_A"], held=["S_4;h=m_steel", "H_4"], jokers=jokers) == 16 * (1.5 + 8)
    assert score_of(["H_A"], held=["H_4", "S_4;h=m_steel"], jokers=jokers) == 16 * (1.5 + 8)
    assert score_of(["H_A"], held=["H_4", "S_9;h=m_steel"], jokers=jokers) == 16 * 9 * 1.5
    assert score_of(["H_A"], held=["S_4;l=Red", "H_4"], jokers=jokers) == 16 * 9
    assert score_of(["H_A"], held=["S_4", "H_4;l=Red"], jokers=jokers) == 16 * 17
    assert score_of(["H_A"], held=["S_J;l=Red", "H_Q"], jokers=jokers) == 16 * 41


@probe("j_raised_fist", met=True, says="Stone cards are passed over")
def _() -> None:
    assert score_of(["H_A"], held=["S_2;h=m_stone", "S_9"], jokers=["j_raised_fist"]) == 16 * 19


@probe(
    "j_raised_fist",
    met=False,
    says="nothing when the lowest card is debuffed, or no card with a rank is held",
)
def _() -> None:
    for held in (["S_2;d=1", "S_9"], ["S_2;h=m_stone"], []):
        assert score_of(["H_A"], held=held, jokers=["j_raised_fist"]) == 16
    assert score_of(["H_A", "S_2"], held=["S_K"], jokers=["j_raised_fist"]) == 16 * 21


# --- Chaos the Clown ----------------------------------------------------------------------------------------


def _reroll_costs(game: Game, count: int) -> list[int]:
    costs = []
    for _reroll in range(count):
        before = game.money
        assert game.shop is not None
        price = game.shop.reroll_price
        game.step(Action.reroll_shop())
        costs.append(before - game.money)
        assert costs[-1] == price
    return costs


@probe("j_chaos", met=True, says="the first reroll of every shop is free and does not raise the price")
def _() -> None:
    game = shopping(jokers=["j_chaos"], money=100)
    assert _reroll_costs(game, 3) == [0, 5, 6]
    next_round(game)
    shopping(game)
    assert _reroll_costs(game, 2) == [0, 5]
    assert _reroll_costs(shopping(jokers=["j_chaos"] * 2, money=100), 4) == [0, 0, 5, 6]


@probe(
    "j_chaos", met=True, says="gives a free reroll when bought, also after paid ones, and even with no money"
)
def _() -> None:
    game = shopping(money=15, shop_slots=["j_egg"])
    assert _reroll_costs(game, 2) == [5, 6]
    game.edit(shop_slots=["j_chaos"])
    game.step(Action.buy(0))
    assert game.money == 0
    assert _reroll_costs(game, 1) == [0]
    assert game.shop is not None
    assert game.shop.reroll_price == 7
    refused(game, Action.reroll_shop())


@probe("j_chaos", met=False, says="selling it takes the free reroll away, but none that was used already")
def _() -> None:
    game = playing(jokers=["j_chaos"])
    game.step(Action.sell_joker(0))
    assert _reroll_costs(shopping(game, money=100), 2) == [5, 6]
    game = shopping(jokers=["j_chaos"], money=100)
    game.step(Action.sell_joker(0))
    assert _reroll_costs(game, 2) == [5, 6]
    game = shopping(jokers=["j_chaos"], money=100)
    assert _reroll_costs(game, 1) == [0]
    game.step(Action.sell_joker(0))
    assert _reroll_costs(game, 2) == [5, 6]


@probe("j_chaos", met=False, says="no free reroll without it, while it is debuffed, or by Blueprint")
def _() -> None:
    assert _reroll_costs(shopping(money=100), 2) == [5, 6]
    assert _reroll_costs(shopping(jokers=["j_chaos;d=1"], money=100), 2) == [5, 6]
    assert _reroll_costs(shopping(jokers=["j_chaos;s=P;n=1"], money=100), 2) == [5, 6]
    assert _reroll_costs(shopping(jokers=["j_blueprint", "j_chaos"], money=100), 2) == [0, 5]


# --- Steel Joker, Scary Face, Abstract Joker, Delayed Gratification -----------------------------------------

STEEL = "S_2;h=m_steel"
sweep("j_steel_joker", ["H_A"], none=16, one=22, two=31, draw_pile=[STEEL, STEEL])


@probe(
    "j_steel_joker",
    met=True,
    says="X0.2 more for every Steel card wherever it is: hand, pile, played, debuffed",
)
def _() -> None:
    game = playing(["H_A", STEEL], jokers=["j_steel_joker"], draw_pile=[STEEL] * 2, discard_pile=[STEEL])
    assert play(game, 0) == int(16 * 1.5 * 1.8)
    assert with_jokers(["j_steel_joker"], ["H_A", "S_A;h=m_steel"], draw_pile=[STEEL] * 4) == 32 * 2 * 2
    assert with_jokers(["j_steel_joker"], ["H_A"], draw_pile=[STEEL + ";d=1"] * 5) == 32


@probe("j_steel_joker", met=False, says="nothing without Steel cards, whatever other enhancements there are")
def _() -> None:
    assert score_of(["H_A"], jokers=["j_steel_joker"]) == 16
    assert score_of(["H_A"], jokers=["j_steel_joker"], draw_pile=["S_2;h=m_stone", "S_2;h=m_gold"]) == 16


@probe("j_steel_joker", met=True, says="the game's shops offer it only once the deck holds a Steel card")
def _() -> None:
    def offered(**changes: Any) -> bool:
        game = shopping(money=10**6, **changes)
        for _reroll in range(400):
            game.step(Action.reroll_shop())
            assert game.shop is not None
            if "j_steel_joker" in keys(game.shop.slots):
                return True
        return False

    assert not offered()
    assert offered(draw_pile=[STEEL] * 10)


sweep("j_scary_face", ["H_K"], none=15, one=45, two=75)


@probe(
    "j_scary_face", met=True, says="every scoring Jack, Queen and King adds 30 Chips, a Red Seal one twice"
)
def _() -> None:
    for rank in "JQK":
        assert score_of([f"H_{rank}"], jokers=["j_scary_face"]) == 45
        assert score_of([f"H_{rank};l=Red"], jokers=["j_scary_face"]) == 85
        assert score_of([f"H_{rank}", f"S_{rank}"], jokers=["j_scary_face"]) == 90 * 2


@probe("j_scary_face", met=False, says="no other rank, no Stone or debuffed King, none held or not scoring")
def _() -> None:
    for rank in RANKS.keys() - set("JQK"):
        assert score_of([f"H_{rank}"], jokers=["j_scary_face"]) == 5 + RANKS[rank]
    assert score_of(["H_K;h=m_stone"], jokers=["j_scary_face"]) == 55
    assert score_of(["H_K;d=1"], jokers=["j_scary_face"]) == 5
    assert score_of(["H_A", "H_K"], held=["H_Q"], jokers=["j_scary_face"]) == 16


@probe("j_abstract", met=True, says="3 Mult per joker, itself, debuffed and Negative ones included")
def _() -> None:
    assert score_of(["H_A"], jokers=["j_abstract"]) == 16 * 4
    assert score_of(["H_A"], jokers=["j_abstract", "j_egg", "j_egg;d=1", "j_egg;e=negative"]) == 16 * 13
    assert score_of(["H_A"], jokers=["j_blueprint", "j_abstract"]) == 16 * 13
    assert score_of(["H_A"], jokers=["j_abstract", "j_brainstorm", "j_egg"]) == 16 * 19


@probe("j_abstract", met=True, says="counts a joker fewer once one is sold")
def _() -> None:
    game = playing(["H_A"], jokers=["j_abstract", "j_egg"])
    game.step(Action.sell_joker(1))
    assert play(game) == 16 * 4


@probe("j_abstract", met=False, says="nothing while debuffed, however many jokers there are")
def _() -> None:
    assert score_of(["H_A"], jokers=["j_abstract;d=1", "j_egg", "j_egg"]) == 16


def _paid(game: Game) -> int:
    """What the cash-out pays more than the blind's reward, the hands left and the interest."""
    win_round(game)
    game.edit(money=0)
    hands = game.blind.hands_left
    game.step(Action.cash_out())
    return game.money - hands - 3


@probe("j_delayed_grat", met=True, says="$2 per discard left when none was used")
def _() -> None:
    assert _paid(playing()) == 0
    assert _paid(playing(jokers=["j_delayed_grat"])) == 8
    assert _paid(playing(jokers=["j_delayed_grat"], discards_left=1)) == 2
    assert _paid(playing(jokers=["j_delayed_grat", "j_delayed_grat"])) == 16


@probe("j_delayed_grat", met=True, says="what The Hook discards is no discard used")
def _() -> None:
    game = playing(jokers=["j_delayed_grat"], blind="bl_hook")
    assert game.blind.discards_left == 4
    assert _paid(game) == 8 + 2


@probe(
    "j_delayed_grat",
    met=False,
    says="nothing after a discard, without discards, while debuffed; no Blueprint",
)
def _() -> None:
    game = playing(jokers=["j_delayed_grat"])
    game.step(Action.discard(0))
    assert _paid(game) == 0
    assert _paid(playing(jokers=["j_delayed_grat", "j_burglar"])) == 0
    assert _paid(playing(jokers=["j_delayed_grat;d=1"])) == 0
    assert _paid(playing(jokers=["j_blueprint", "j_delayed_grat"])) == 8


# --- Pareidolia ---------------------------------------------------------------------------------------------


@probe("j_pareidolia", met=True, says="every card is a face for other jokers, Stone cards too")
def _() -> None:
    jokers = ["j_pareidolia", "j_scary_face"]
    for rank, chips in RANKS.items():
        assert score_of([f"H_{rank}"], jokers=jokers) == 5 + chips + 30
    assert score_of(["H_2;h=m_stone"], jokers=jokers) == 85
    game = playing(jokers=["j_ride_the_bus;v=7", "j_pareidolia"])
    assert again(game, ["H_2"]) == 7
    assert game.jokers[0].value == 0


@probe("j_pareidolia", met=True, says="The Plant debuffs every card, The Mark turns every card face down")
def _() -> None:
    plant = playing(jokers=["j_pareidolia"], blind="bl_plant")
    assert all(card.debuffed for card in plant.hand)
    assert all(card["debuffed"] for card in plant.state()["draw_pile"])
    mark = playing(jokers=["j_pareidolia"], blind="bl_mark")
    assert all(card.face_down for card in mark.hand)


@probe("j_pareidolia", met=True, says="gained under The Plant it debuffs every card at once")
def _() -> None:
    game = playing(game=start("JBC4"), blind="bl_plant", consumables=["c_judgement"])
    assert not all(card.debuffed for card in game.hand)
    game.step(Action.use(0))
    assert keys(game.jokers) == ["j_pareidolia"]
    assert all(card.debuffed for card in game.hand)


@probe("j_pareidolia", met=False, says="sold under The Plant it leaves only the real faces debuffed")
def _() -> None:
    game = playing(jokers=["j_pareidolia"], blind="bl_plant")
    game.step(Action.sell_joker(0))
    assert all(card.debuffed == (card.rank in "JQK") for card in game.hand if card.rank)


@probe("j_pareidolia", met=False, says="debuffed cards are no faces")
def _() -> None:
    assert score_of(["H_2;d=1"], jokers=["j_pareidolia", "j_scary_face"]) == 5


@probe(
    "j_pareidolia", met=False, says="while it is debuffed only real faces are faces; Blueprint adds nothing"
)
def _() -> None:
    assert score_of(["H_2"], jokers=["j_pareidolia;d=1", "j_scary_face"]) == 7
    assert score_of(["H_K"], jokers=["j_pareidolia;d=1", "j_scary_face"]) == 45
    assert score_of(["H_2"], jokers=["j_blueprint", "j_pareidolia;d=1", "j_scary_face"]) == 7
    plant = playing(jokers=["j_pareidolia;d=1"], blind="bl_plant")
    assert all(card.debuffed == (card.rank in "JQK") for card in plant.hand if card.rank)
