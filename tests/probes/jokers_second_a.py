"""Probes of the jokers from DNA to Superposition."""

from collections.abc import Sequence
from typing import Any

from tests.probes.joker_scenes import ACE, SEEDS, deck_size, from_pool, fronts, grown, made, thrown
from tests.probes.table import keys, next_round, play, playing, probe, score_of, shopping, start

from jimbot.balatro import Action, Game

ROYAL = ["S_A", "S_K", "S_Q", "S_J", "S_T"]
STRAIGHT = ["S_A", "H_K", "S_Q", "S_J", "S_T"]


# --- DNA -----------------------------------------------------------------------------------------------------------


@probe(
    "j_dna", met=True, says="copies the lone card of the round's first hand into the hand, modifiers and all"
)
def _() -> None:
    game = playing(["S_K;h=m_bonus;e=foil;l=Red;b=25", "D_2"], jokers=["j_dna"], draw_pile=[])
    play(game, 0)
    assert fronts(game.hand) == ["S_K", "D_2"]
    copy = game.hand[0]
    assert (copy.enhancement, copy.edition, copy.seal, copy.bonus) == ("m_bonus", "foil", "Red", 25)
    assert deck_size(game) == 3


@probe("j_dna", met=True, says="the copy is already held while the hand scores")
def _() -> None:
    assert score_of(["S_K"], jokers=["j_dna", "j_baron"]) == int((5 + 10) * 1.5)


@probe("j_dna", met=True, says="Blueprint and Brainstorm make copies of their own, and each counts as added")
def _() -> None:
    game = playing(["S_A"], jokers=["j_dna", "j_blueprint", "j_hologram"], draw_pile=[])
    play(game)
    assert fronts(game.hand) == ["S_A"]
    game = playing(["S_A"], jokers=["j_blueprint", "j_dna", "j_hologram"], draw_pile=[])
    assert play(game) == ACE * 1.5
    assert fronts(game.hand) == ["S_A", "S_A"]
    game = playing(["S_A"], jokers=["j_dna", "j_brainstorm", "j_hologram"], draw_pile=[])
    assert play(game) == ACE * 1.5


@probe("j_dna", met=True, says="a copy of a card the boss debuffs is debuffed at once")
def _() -> None:
    game = playing(["C_K"], jokers=["j_dna", "j_baron"], blind="bl_club", draw_pile=[])
    game.edit(refresh_debuffs=True)
    assert play(game) == 5
    assert [card.debuffed for card in game.hand] == [True]


@probe("j_dna", met=True, says="the copy is marked as played this ante like its original")
def _() -> None:
    game = playing(["S_A"], jokers=["j_dna"], draw_pile=[])
    play(game)
    assert [card["played_this_ante"] for card in game.state()["hand"]] == [True]


@probe("j_dna", met=True, says="works again in the first hand of the next round")
def _() -> None:
    game = next_round(shopping(playing(["S_A", "S_K", "H_3"], jokers=["j_dna"], draw_pile=["D_4"])))
    before = deck_size(game)
    play(game, 0)
    assert deck_size(game) == before + 1


@probe("j_dna", met=False, says="nothing when two cards are played")
def _() -> None:
    game = playing(["S_A", "S_K"], jokers=["j_dna"], draw_pile=["D_2"])
    play(game)
    assert (fronts(game.hand), deck_size(game)) == (["D_2"], 3)


@probe("j_dna", met=False, says="nothing in the second hand of the round")
def _() -> None:
    game = playing(["S_A", "S_K", "H_3"], jokers=["j_dna"], draw_pile=["D_2"])
    play(game, 0, 1)
    play(game, 0)
    assert deck_size(game) == 4


@probe("j_dna", met=False, says="nothing while debuffed, nor when the boss refuses the hand")
def _() -> None:
    game = playing(["S_A"], jokers=["j_dna;d=1"], draw_pile=["D_2"])
    play(game)
    assert deck_size(game) == 2
    game = playing(["S_A"], jokers=["j_dna"], blind="bl_psychic", draw_pile=["D_2"])
    assert play(game) == 0
    assert deck_size(game) == 2


# --- Splash --------------------------------------------------------------------------------------------------------


@probe("j_splash", met=True, says="every played card scores")
def _() -> None:
    assert score_of(["H_A", "S_K", "D_9", "C_5", "H_2"], jokers=["j_splash"]) == 5 + 11 + 10 + 9 + 5 + 2
    assert score_of(["H_2", "S_2", "D_9", "C_5"], jokers=["j_splash"]) == (10 + 2 + 2 + 9 + 5) * 2


@probe("j_splash", met=True, says="jokers react to the added cards: Vampire strips them")
def _() -> None:
    game = playing(["H_A", "S_2;h=m_mult"], jokers=["j_splash", "j_vampire"])
    assert play(game) == int((5 + 11 + 2) * 1.1)


@probe("j_splash", met=True, says="is not doubled by Blueprint")
def _() -> None:
    assert score_of(["H_A", "S_K"], jokers=["j_blueprint", "j_splash"]) == 5 + 11 + 10


@probe("j_splash", met=False, says="nothing while debuffed, and Blueprint does not stand in for it")
def _() -> None:
    assert score_of(["H_A", "S_K", "D_9"], jokers=["j_splash;d=1"]) == ACE
    assert score_of(["H_A", "S_K", "D_9"], jokers=["j_blueprint", "j_splash;d=1"]) == ACE


@probe("j_splash", met=False, says="cards kept in hand and debuffed cards still give nothing")
def _() -> None:
    assert score_of(["H_A", "S_K;d=1"], held=["D_9"], jokers=["j_splash"]) == ACE


# --- Blue Joker ----------------------------------------------------------------------------------------------------


@probe("j_blue_joker", met=True, says="2 Chips per card left in the draw pile")
def _() -> None:
    assert score_of(["H_A"], held=["S_2"], jokers=["j_blue_joker"], draw_pile=["D_4"] * 10) == ACE + 20
    game = playing(jokers=["j_blue_joker"])
    rank = {"T": 10, "J": 10, "Q": 10, "K": 10, "A": 11}.get(game.hand[0].rank or "", 0)
    chips = rank or int(game.hand[0].rank or "")
    assert play(game, 0) == 5 + chips + 2 * 44


@probe("j_blue_joker", met=True, says="Blueprint gives the same again")
def _() -> None:
    assert score_of(["H_A"], jokers=["j_blueprint", "j_blue_joker"], draw_pile=["D_4"] * 10) == ACE + 40


@probe("j_blue_joker", met=False, says="nothing with an empty draw pile, whatever was discarded")
def _() -> None:
    assert (
        score_of(["H_A"], held=["S_2"], jokers=["j_blue_joker"], draw_pile=[], discard_pile=["D_4"] * 9)
        == ACE
    )


@probe("j_blue_joker", met=False, says="nothing while debuffed")
def _() -> None:
    assert score_of(["H_A"], jokers=["j_blue_joker;d=1"], draw_pile=["D_4"] * 10) == ACE


# --- Sixth Sense ---------------------------------------------------------------------------------------------------


def sixth(*hand: str, jokers: Sequence[str] = ("j_sixth_sense",), **changes: Any) -> tuple[int, list[str]]:
    """Cards destroyed and consumables held after these cards were played."""
    game = playing([*hand, "D_2"], jokers=jokers, draw_pile=["D_3"], **changes)
    before = deck_size(game)
    play(game, *range(len(hand)))
    return before - deck_size(game), keys(game.consumables)


@probe(
    "j_sixth_sense", met=True, says="a lone 6 in the first hand scores, is destroyed and leaves a Spectral"
)
def _() -> None:
    assert sixth("S_6") == (1, from_pool("Spectral", "sixth"))
    assert score_of(["S_6"], jokers=["j_sixth_sense"]) == 5 + 6


@probe("j_sixth_sense", met=True, says="destroys the 6 even when there is no room for the Spectral")
def _() -> None:
    assert sixth("S_6", consumables=["c_pluto", "c_mars"]) == (1, ["c_pluto", "c_mars"])


@probe("j_sixth_sense", met=True, says="cannot be copied: with Blueprint and Brainstorm still one Spectral")
def _() -> None:
    found = from_pool("Spectral", "sixth")
    assert sixth("S_6", jokers=["j_sixth_sense", "j_brainstorm"]) == (1, found)
    assert sixth("S_6", jokers=["j_blueprint", "j_sixth_sense"]) == (1, found)


@probe("j_sixth_sense", met=True, says="a Glass 6 is destroyed for sure")
def _() -> None:
    for seed in SEEDS[:12]:
        game = playing(["S_6;h=m_glass"], jokers=["j_sixth_sense"], game=start(seed), draw_pile=["D_3"])
        play(game)
        assert (deck_size(game), len(game.consumables)) == (1, 1)


@probe(
    "j_sixth_sense", met=True, says="a debuffed 6 scores nothing but keeps its rank, and goes the same way"
)
def _() -> None:
    assert sixth("S_6;d=1") == (1, from_pool("Spectral", "sixth"))


@probe("j_sixth_sense", met=False, says="nothing for another rank, for two 6s, or for a Stone 6")
def _() -> None:
    assert sixth("S_7") == (0, [])
    assert sixth("S_6", "H_6") == (0, [])
    assert sixth("S_6", "S_3") == (0, [])
    assert sixth("S_6;h=m_stone") == (0, [])


@probe("j_sixth_sense", met=False, says="nothing after the first hand, debuffed, or in a refused hand")
def _() -> None:
    assert sixth("S_6", hands_played_round=1) == (0, [])
    assert sixth("S_6", jokers=["j_sixth_sense;d=1"]) == (0, [])
    assert sixth("S_6", blind="bl_psychic") == (0, [])


# --- Constellation -------------------------------------------------------------------------------------------------


def planets(*used: str, jokers: Sequence[str] = ("j_constellation",)) -> Game:
    """A round in which these consumables have been used, with an Ace in hand."""
    game = playing(["H_A", "S_2", "D_3"], jokers=jokers)
    for key in used:
        game.edit(consumables=[key])
        game.step(Action.use(0))
    return game


@probe("j_constellation", met=True, says="gains X0.1 per Planet used, one addition at a time")
def _() -> None:
    game = planets("c_mars", "c_mars", "c_jupiter")
    assert grown(game) == 1 + 0.1 + 0.1 + 0.1
    game.edit(jokers=["j_constellation;v=3.5"])
    assert play(game, 0) == ACE * 3.5


@probe("j_constellation", met=True, says="counts Planets used from the shop and taken from a pack")
def _() -> None:
    game = shopping(jokers=["j_constellation"], money=50, shop_slots=["c_mars"])
    game.step(Action.buy_and_use(0))
    assert grown(game) == 1 + 0.1
    game.edit(shop_packs=["p_celestial_normal_1"])
    game.step(Action.open_pack(0))
    game.edit(pack_cards=["c_saturn"])
    game.step(Action.pick(0))
    assert grown(game) == 1 + 0.1 + 0.1


@probe("j_constellation", met=True, says="Blueprint multiplies once more but does not grow it")
def _() -> None:
    game = planets("c_mars", jokers=["j_blueprint", "j_constellation"])
    assert [joker.value for joker in game.jokers][1] == 1 + 0.1
    game.edit(jokers=["j_blueprint", "j_constellation;v=2"])
    assert play(game, 0) == ACE * 4


@probe(
    "j_constellation", met=False, says="Black Hole and Tarots do not count, nor buying or selling a Planet"
)
def _() -> None:
    assert grown(planets("c_black_hole", "c_hermit")) == 1
    game = shopping(jokers=["j_constellation"], money=50, shop_slots=["c_mars"])
    game.step(Action.buy(0))
    game.step(Action.sell_consumable(0))
    assert grown(game) == 1


@probe("j_constellation", met=False, says="neither grows nor multiplies while debuffed")
def _() -> None:
    game = planets("c_mars", jokers=["j_constellation;v=2;d=1"])
    assert (grown(game), play(game, 0)) == (2, ACE)


# --- Hiker ---------------------------------------------------------------------------------------------------------


def hiked(
    *hand: str, jokers: Sequence[str] = ("j_hiker",), held: Sequence[str] = ()
) -> tuple[float, list[int]]:
    """Score of the hand, and the bonus of each played card afterwards."""
    game = playing([*hand, *held], jokers=jokers, draw_pile=["D_2"])
    score = play(game, *range(len(hand)))
    return score, [card["bonus"] for card in game.state()["discard_pile"]]


@probe("j_hiker", met=True, says="adds 5 Chips to a scoring card for good, after it has scored")
def _() -> None:
    assert hiked("H_A") == (ACE, [5])
    assert hiked("H_A;b=5") == (ACE + 5, [10])


@probe("j_hiker", met=True, says="each retrigger adds again and already counts what was added")
def _() -> None:
    assert hiked("H_A;l=Red") == (ACE + 11 + 5, [10])
    assert hiked("H_A", jokers=["j_blueprint", "j_hiker"]) == (ACE, [10])
    assert hiked("H_A", jokers=["j_hiker", "j_hanging_chad"]) == (ACE + 11 + 5 + 11 + 10, [15])


@probe("j_hiker", met=True, says="Stone cards keep the Chips too")
def _() -> None:
    assert hiked("H_A;h=m_stone;b=5") == (5 + 55, [10])


@probe("j_hiker", met=False, says="nothing for cards that do not score, held cards and debuffed cards")
def _() -> None:
    assert hiked("H_A", "S_2")[1] == [5, 0]
    assert hiked("H_A;d=1") == (5, [0])
    game = playing(["H_A", "S_K"], jokers=["j_hiker"], draw_pile=[])
    play(game, 0)
    assert game.hand[0].bonus == 0


@probe("j_hiker", met=False, says="nothing while debuffed")
def _() -> None:
    assert hiked("H_A", jokers=["j_hiker;d=1"]) == (ACE, [0])


# --- Faceless Joker ------------------------------------------------------------------------------------------------


@probe("j_faceless", met=True, says="pays $5 for a discard with three face cards, once even for five")
def _() -> None:
    assert thrown("H_K", "S_Q", "D_J", jokers=["j_faceless"]) == 5
    assert thrown("H_K", "S_Q", "D_J", "D_K", "C_K", jokers=["j_faceless"]) == 5


@probe("j_faceless", met=True, says="the last card may be any card, a debuffed one too; Blueprint pays again")
def _() -> None:
    assert thrown("H_K", "S_Q", "D_J", "D_4;d=1", jokers=["j_faceless"]) == 5
    assert thrown("H_K", "S_Q", "D_J", "D_4", jokers=["j_blueprint", "j_faceless"]) == 10


@probe("j_faceless", met=True, says="Pareidolia makes every card a face")
def _() -> None:
    assert thrown("H_2", "S_3", "D_4", jokers=["j_faceless", "j_pareidolia"]) == 5


@probe("j_faceless", met=False, says="nothing for two face cards; Stone and debuffed faces do not count")
def _() -> None:
    assert thrown("H_K", "S_Q", "D_4", jokers=["j_faceless"]) == 0
    assert thrown("H_K", "S_Q", "D_J;h=m_stone", jokers=["j_faceless"]) == 0
    assert thrown("H_K", "S_Q", "D_J;d=1", jokers=["j_faceless"]) == 0
    assert thrown("H_2;d=1", "S_3", "D_4", jokers=["j_faceless", "j_pareidolia"]) == 0


@probe("j_faceless", met=False, says="nothing while debuffed, and nothing for played faces")
def _() -> None:
    assert thrown("H_K", "S_Q", "D_J", jokers=["j_faceless;d=1"]) == 0
    game = playing(["H_K", "S_K", "D_K"], jokers=["j_faceless"], money=0)
    play(game)
    assert game.money == 0


# --- Green Joker ---------------------------------------------------------------------------------------------------


@probe("j_green_joker", met=True, says="gains 1 Mult before the hand scores")
def _() -> None:
    game = playing(["H_A", "S_K", "D_2"], jokers=["j_green_joker"], draw_pile=["D_3"])
    assert play(game, 0) == ACE * 2
    assert play(game, 0) == (5 + 10) * 3
    assert grown(game) == 2


@probe("j_green_joker", met=True, says="loses 1 per discard however many cards go, and never falls below 0")
def _() -> None:
    game = playing(["H_A", "S_K", "D_2", "D_4"], jokers=["j_green_joker;v=2"], draw_pile=["D_3"] * 9)
    game.edit(jokers=["j_green_joker;v=2"])
    game.step(Action.discard(0, 1, 2))
    assert grown(game) == 1
    game.step(Action.discard(0))
    game.step(Action.discard(0))
    assert grown(game) == 0


@probe("j_green_joker", met=True, says="the cards The Hook takes cost it 1 before the hand gives 1")
def _() -> None:
    game = playing(["H_A", "S_K", "D_2", "D_4"], jokers=["j_green_joker;v=5"], blind="bl_hook")
    assert play(game, 0) == ACE * (1 + 5 - 1 + 1)


@probe("j_green_joker", met=True, says="Blueprint adds its Mult again without growing or shrinking it")
def _() -> None:
    game = playing(["H_A", "S_2"], jokers=["j_blueprint", "j_green_joker;v=3"])
    assert play(game, 0) == ACE * (1 + 4 + 4)
    game.step(Action.discard(0))
    assert grown(game, 1) == 3


@probe("j_green_joker", met=False, says="a refused hand gives nothing; debuffed it neither grows nor shrinks")
def _() -> None:
    game = playing(["H_A", "S_2"], jokers=["j_green_joker;v=3"], blind="bl_psychic")
    play(game, 0)
    assert grown(game) == 3
    game = playing(["H_A", "S_2"], jokers=["j_green_joker;v=3;d=1"])
    assert play(game, 0) == ACE
    game.step(Action.discard(0))
    assert grown(game) == 3


# --- Superposition -------------------------------------------------------------------------------------------------


@probe(
    "j_superposition", met=True, says="a Straight with an Ace makes a Tarot; a Straight Flush is one as well"
)
def _() -> None:
    assert made(*STRAIGHT, jokers=["j_superposition"]) == from_pool("Tarot", "sup")
    assert made(*ROYAL, jokers=["j_superposition"]) == from_pool("Tarot", "sup")
    assert made("S_A", "H_2", "D_3", "C_4", "S_5", jokers=["j_superposition"]) == from_pool("Tarot", "sup")


@probe("j_superposition", met=True, says="a debuffed Ace is still an Ace of the scoring cards")
def _() -> None:
    assert len(made("S_A;d=1", *STRAIGHT[1:], jokers=["j_superposition"])) == 1


@probe("j_superposition", met=True, says="Blueprint makes a second Tarot while there is room")
def _() -> None:
    two = from_pool("Tarot", "sup", 2)
    assert made(*STRAIGHT, jokers=["j_blueprint", "j_superposition"]) == two
    held = made(*STRAIGHT, jokers=["j_blueprint", "j_superposition"], consumables=["c_mars"])
    assert held == ["c_mars", two[0]]


@probe("j_superposition", met=False, says="nothing without a scoring Ace or without a Straight")
def _() -> None:
    assert made("S_9", *STRAIGHT[1:], jokers=["j_superposition"]) == []
    assert made("S_A", "H_A", "D_K", "C_Q", "S_J", jokers=["j_superposition"]) == []
    four = ["C_4", "H_5", "D_6", "C_7", "S_A"]
    assert made(*four, jokers=["j_superposition", "j_four_fingers"]) == []


@probe("j_superposition", met=False, says="nothing with full slots or while debuffed")
def _() -> None:
    full = ["c_mars", "c_pluto"]
    assert made(*STRAIGHT, jokers=["j_superposition"], consumables=full) == full
    assert made(*STRAIGHT, jokers=["j_superposition;d=1"]) == []
