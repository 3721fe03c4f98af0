"""Probes of the jokers from To Do List to Riff-Raff."""

from collections.abc import Sequence

from tests.probes.draws import POOLS, Draws
from tests.probes.joker_scenes import ACE, SEEDS, earned, from_pool, grown, made
from tests.probes.table import keys, next_round, play, playing, probe, score_of, shopping, start, win_round

from jimbot.balatro import Action, Game, Phase

SECRET = ("Flush House", "Flush Five", "Five of a Kind")
VISIBLE = [
    "Full House", "Flush", "Pair", "High Card", "Straight Flush", "Straight", "Two Pair", "Three of a Kind",
    "Four of a Kind",
]  # fmt: skip
"""The hands everybody knows, in the order To Do List draws them."""
ROYAL = ["S_A", "S_K", "S_Q", "S_J", "S_T"]
GATED = ("j_cavendish", "j_ticket")
"""Common jokers that a fresh deck cannot give."""


# --- To Do List ----------------------------------------------------------------------------------------------------


@probe("j_todo_list", met=True, says="pays $4 when the played hand is its target")
def _() -> None:
    assert earned("S_2", "H_2", jokers=["j_todo_list;t=Pair"]) == 4
    assert earned("S_A", jokers=["j_todo_list;t=High Card"]) == 4


@probe(
    "j_todo_list", met=True, says="pays before scoring, so Bull already counts it, and pays for every copy"
)
def _() -> None:
    assert score_of(["S_A"], jokers=["j_todo_list;t=High Card", "j_bull"], money=0) == ACE + 8
    assert score_of(["S_A"], jokers=["j_bull", "j_todo_list;t=High Card"], money=0) == ACE + 8
    assert earned("S_A", jokers=["j_blueprint", "j_todo_list;t=High Card"]) == 8
    assert earned("S_A", jokers=["j_todo_list;t=High Card", "j_brainstorm"]) == 8


@probe(
    "j_todo_list", met=True, says="draws its hand among the known ones when made, and another at round end"
)
def _() -> None:
    for seed in SEEDS[:20]:
        draws, game = Draws(seed), playing(jokers=["j_todo_list", "j_brainstorm"], game=start(seed))
        first = draws.element("to_do", VISIBLE)
        assert game.jokers[0].hand == first
        win_round(game)
        assert game.jokers[0].hand == draws.element("to_do", [hand for hand in VISIBLE if hand != first])


@probe("j_todo_list", met=True, says="secret hands can be its target once they have been played")
def _() -> None:
    wanted = set[str | None]()
    for seed in SEEDS:
        game = playing(["S_A"] * 5, jokers=["j_todo_list;t=Pair"], game=start(seed), target=0)
        play(game)
        wanted.add(game.jokers[0].hand)
    assert "Flush Five" in wanted
    assert wanted.isdisjoint({"Pair", "Flush House", "Five of a Kind"})


@probe("j_todo_list", met=False, says="a hand that only contains the target pays nothing")
def _() -> None:
    assert earned("S_2", "H_2", "D_3", "C_3", jokers=["j_todo_list;t=Pair"]) == 0
    assert earned("S_A", jokers=["j_todo_list;t=Pair"]) == 0


@probe(
    "j_todo_list",
    met=False,
    says="a refused hand pays nothing; debuffed it neither pays nor draws a new hand",
)
def _() -> None:
    assert earned("S_2", "H_2", jokers=["j_todo_list;t=Pair"], blind="bl_psychic") == 0
    game = playing(["S_2", "H_2"], jokers=["j_todo_list;t=Pair;d=1"], money=0, target=0)
    play(game)
    assert (game.money, game.jokers[0].hand) == (0, "Pair")


# --- Cavendish -----------------------------------------------------------------------------------------------------


@probe("j_cavendish", met=True, says="multiplies Mult by 3; Blueprint does so too")
def _() -> None:
    assert score_of(["H_A"], jokers=["j_cavendish"]) == ACE * 3
    assert score_of(["H_A"], jokers=["j_blueprint", "j_cavendish"]) == ACE * 9


@probe("j_cavendish", met=True, says="is destroyed at round end when the roll is below 1 in 1000")
def _() -> None:
    names = (f"B{number:X}".replace("0", "Z") for number in range(20000))
    unlucky = next(seed for seed in names if Draws(seed).real("cavendish") < 0.001)
    game = win_round(playing(jokers=["j_cavendish", "j_joker"], game=start(unlucky)))
    assert keys(game.jokers) == ["j_joker"]
    game = win_round(playing(jokers=["j_cavendish", *["j_oops"] * 10], joker_slots=12))
    assert "j_cavendish" not in keys(game.jokers)


@probe("j_cavendish", met=True, says="is among the Commons once Gros Michel went extinct")
def _() -> None:
    found = set[str]()
    for seed in SEEDS:
        game = start(seed)
        game.edit(gros_michel_extinct=True)
        found.update(keys(playing(jokers=["j_riff_raff"], game=game).jokers))
    assert "j_cavendish" in found
    assert "j_gros_michel" not in found


@probe("j_cavendish", met=False, says="stays when its chance fails, and a copy by Blueprint rolls nothing")
def _() -> None:
    for seed in SEEDS:
        draws = Draws(seed)
        game = win_round(playing(jokers=["j_blueprint", "j_cavendish"], game=start(seed)))
        assert ("j_cavendish" in keys(game.jokers)) == (draws.real("cavendish") >= 0.001)


@probe(
    "j_cavendish", met=False, says="does not appear while Gros Michel is not extinct; gives nothing debuffed"
)
def _() -> None:
    found = set[str]()
    for seed in SEEDS:
        found.update(keys(playing(jokers=["j_riff_raff"], game=start(seed)).jokers))
    assert "j_cavendish" not in found
    assert "j_gros_michel" in found
    assert score_of(["H_A"], jokers=["j_cavendish;d=1"]) == ACE


# --- Card Sharp ----------------------------------------------------------------------------------------------------


def twice(*jokers: str, blind: str = "bl_small") -> tuple[float, float]:
    """Scores of a pair of 2s and then of a pair of 3s in one round."""
    game = playing(["S_2", "H_2", "S_3", "H_3"], jokers=jokers, blind=blind, draw_pile=[])
    first = play(game, 0, 1)
    return first, play(game)


@probe("j_card_sharp", met=True, says="X3 when the hand type was already played this round; copies as well")
def _() -> None:
    assert twice("j_card_sharp") == ((10 + 4) * 2, (10 + 6) * 2 * 3)
    assert twice("j_blueprint", "j_card_sharp") == ((10 + 4) * 2, (10 + 6) * 2 * 9)


@probe("j_card_sharp", met=True, says="a refused hand counts as played")
def _() -> None:
    pair = ["S_3", "H_3", "D_5", "D_7", "D_9"]
    game = playing(["S_2", "H_2", *pair], jokers=["j_card_sharp"], blind="bl_psychic", draw_pile=[])
    assert play(game, 0, 1) == 0
    assert play(game) == (10 + 6) * 2 * 3


@probe(
    "j_card_sharp", met=False, says="nothing for the first hand, another type, or a hand of the round before"
)
def _() -> None:
    game = playing(["S_2", "H_2", "S_A"], jokers=["j_card_sharp"], draw_pile=[], target=0)
    assert play(game, 0, 1) == (10 + 4) * 2
    next_round(shopping(game))
    game.edit(hand=["S_2", "H_2", "S_A"], target=1e9)
    assert play(game, 0, 1) == (10 + 4) * 2
    game.edit(hand=["S_A"])
    assert play(game) == ACE


@probe("j_card_sharp", met=False, says="nothing while debuffed")
def _() -> None:
    assert twice("j_card_sharp;d=1") == ((10 + 4) * 2, (10 + 6) * 2)


# --- Red Card ------------------------------------------------------------------------------------------------------


def opened(pack: str, *jokers: str) -> Game:
    """A run that has opened this pack in the shop."""
    game = shopping(jokers=jokers, money=50, shop_packs=[pack, pack])
    game.step(Action.open_pack(0))
    return game


@probe("j_red_card", met=True, says="gains 3 Mult per skipped pack and adds it; copies add it again")
def _() -> None:
    game = opened("p_buffoon_normal_1", "j_red_card")
    game.step(Action.skip_pack())
    assert grown(game) == 3
    game.step(Action.open_pack(1))
    game.step(Action.skip_pack())
    assert grown(game) == 6
    assert score_of(["H_A"], jokers=["j_blueprint", "j_red_card;v=6"]) == ACE * 13


@probe(
    "j_red_card", met=True, says="a Mega pack closed after the first pick is skipped, and so is a tag's pack"
)
def _() -> None:
    game = opened("p_standard_mega_1", "j_red_card")
    game.step(Action.pick(0))
    assert grown(game) == 0
    game.step(Action.skip_pack())
    assert grown(game) == 3
    game = start()
    game.edit(jokers=["j_red_card"], skip_tags=["tag_charm", "tag_charm"])
    game.step(Action.skip_blind())
    assert game.phase is Phase.PACK
    game.step(Action.skip_pack())
    assert grown(game) == 3


@probe(
    "j_red_card", met=False, says="nothing for taking the card, for skipping a blind, or for a copy's sake"
)
def _() -> None:
    game = opened("p_standard_normal_1", "j_red_card")
    game.step(Action.pick(0))
    assert (game.phase, grown(game)) == (Phase.SHOP, 0)
    game = start()
    game.edit(jokers=["j_red_card"], skip_tags=["tag_handy", "tag_handy"])
    game.step(Action.skip_blind())
    assert grown(game) == 0
    game = opened("p_buffoon_normal_1", "j_blueprint", "j_red_card")
    game.step(Action.skip_pack())
    assert grown(game, 1) == 3


@probe("j_red_card", met=False, says="neither grows nor adds while debuffed")
def _() -> None:
    game = opened("p_buffoon_normal_1", "j_red_card;v=3;d=1")
    game.step(Action.skip_pack())
    assert grown(game) == 3
    assert score_of(["H_A"], jokers=["j_red_card;v=6;d=1"]) == ACE


# --- Madness -------------------------------------------------------------------------------------------------------


@probe("j_madness", met=True, says="gains X0.5 on Small and Big Blinds and destroys another joker")
def _() -> None:
    for blind in ("bl_small", "bl_big"):
        game = playing(["H_A"], jokers=["j_madness", "j_joker"], blind=blind)
        assert (keys(game.jokers), grown(game)) == (["j_madness"], 1.5)
        assert play(game) == ACE * 1.5


@probe("j_madness", met=True, says="the victim is drawn among the others that are not Eternal, oldest first")
def _() -> None:
    victims = ["j_joker", "j_jolly", "j_zany"]
    for seed in SEEDS[:20]:
        owned = ["j_joker", "j_mad;s=E", "j_madness", "j_jolly", "j_zany"]
        left = keys(playing(jokers=owned, game=start(seed)).jokers)
        assert left.count("j_mad") == 1
        assert [key for key in victims if key not in left] == [Draws(seed).element("madness", victims)]


@probe("j_madness", met=True, says="grows even when there is nothing to destroy")
def _() -> None:
    game = playing(jokers=["j_madness", "j_joker;s=E"])
    assert (keys(game.jokers), grown(game)) == (["j_madness", "j_joker"], 1.5)
    assert grown(playing(jokers=["j_madness"])) == 1.5


@probe("j_madness", met=True, says="Blueprint copies the X Mult, not growth or killing")
def _() -> None:
    game = playing(["H_A"], jokers=["j_blueprint;s=E", "j_madness", "j_joker", "j_jolly"])
    assert len(game.jokers) == 3
    assert grown(game, 1) == 1.5
    game.edit(jokers=["j_blueprint", "j_madness;v=2"])
    assert play(game) == ACE * 4


@probe("j_madness", met=True, says="of two, the left one destroys the right one before it acts")
def _() -> None:
    game = playing(jokers=["j_madness", "j_madness"])
    assert [joker.value for joker in game.jokers] == [1.5]


@probe(
    "j_madness", met=True, says="jokers that Riff-Raff makes for this blind are not there yet to be destroyed"
)
def _() -> None:
    for seed in SEEDS[:12]:
        left = keys(playing(jokers=["j_riff_raff", "j_madness"], game=start(seed)).jokers)
        assert (len(left), "j_riff_raff" in left) == (3, False)


@probe("j_madness", met=False, says="nothing on a Boss Blind or a skipped blind, and nothing while debuffed")
def _() -> None:
    game = playing(jokers=["j_madness", "j_joker"], blind="bl_club")
    assert (len(game.jokers), grown(game)) == (2, 1)
    game = start()
    game.edit(jokers=["j_madness", "j_joker"], skip_tags=["tag_handy", "tag_handy"])
    game.step(Action.skip_blind())
    assert (len(game.jokers), grown(game)) == (2, 1)
    game = playing(["H_A"], jokers=["j_madness;d=1;v=2", "j_egg"])
    assert (len(game.jokers), grown(game), play(game)) == (2, 2, ACE)


# --- Square Joker --------------------------------------------------------------------------------------------------


@probe(
    "j_square",
    met=True,
    says="gains 4 Chips before scoring when exactly four cards are played, scoring or not",
)
def _() -> None:
    game = playing(["H_A", "S_9", "D_4", "C_2"], jokers=["j_square"])
    assert play(game) == ACE + 4
    assert grown(game) == 4
    assert score_of(["H_A", "S_9", "D_4", "C_2"], jokers=["j_square;v=16"]) == ACE + 20


@probe("j_square", met=True, says="Blueprint adds the Chips again but does not grow it")
def _() -> None:
    game = playing(["H_A", "S_9", "D_4", "C_2"], jokers=["j_blueprint", "j_square"])
    assert play(game) == ACE + 8
    assert grown(game, 1) == 4


@probe("j_square", met=False, says="three or five cards give what is stored and no more")
def _() -> None:
    for count in (1, 3, 5):
        game = playing(["H_A", "S_9", "D_4", "C_2", "C_7"][:count], jokers=["j_square;v=8"])
        assert (play(game), grown(game)) == (ACE + 8, 8)


@probe("j_square", met=False, says="no growth while debuffed or in a refused hand")
def _() -> None:
    game = playing(["H_A", "S_9", "D_4", "C_2"], jokers=["j_square;v=8;d=1"])
    assert (play(game), grown(game)) == (ACE, 8)
    game = playing(["H_A", "S_9", "D_4", "C_2"], jokers=["j_square;v=8"], blind="bl_psychic")
    assert (play(game), grown(game)) == (0, 8)


# --- Seance --------------------------------------------------------------------------------------------------------


@probe("j_seance", met=True, says="a Straight Flush makes a Spectral; Blueprint a second while there is room")
def _() -> None:
    assert made(*ROYAL, jokers=["j_seance"]) == from_pool("Spectral", "sea")
    assert made(*ROYAL, jokers=["j_blueprint", "j_seance"]) == from_pool("Spectral", "sea", 2)
    one = made(*ROYAL, jokers=["j_blueprint", "j_seance"], consumables=["c_mars"])
    assert one == ["c_mars", *from_pool("Spectral", "sea")]


@probe("j_seance", met=True, says="with Four Fingers the Straight and the Flush may be different cards")
def _() -> None:
    hand = ["S_9", "S_8", "S_7", "H_6", "S_2"]
    assert len(made(*hand, jokers=["j_seance", "j_four_fingers"])) == 1


@probe("j_seance", met=False, says="nothing for a Straight or a Flush alone, full slots, or while debuffed")
def _() -> None:
    assert made("H_A", *ROYAL[1:], jokers=["j_seance"]) == []
    assert made("S_2", *ROYAL[1:], jokers=["j_seance"]) == []
    assert made(*ROYAL, jokers=["j_seance"], consumables=["c_mars", "c_pluto"]) == ["c_mars", "c_pluto"]
    assert made(*ROYAL, jokers=["j_seance;d=1"]) == []


# --- Riff-Raff -----------------------------------------------------------------------------------------------------


def commons(seed: str, owned: Sequence[str], count: int) -> list[tuple[str, str | None]]:
    """The jokers with editions that Riff-Raff makes in ante 1."""
    draws, found = Draws(seed), list[tuple[str, str | None]]()
    for _ in range(count):
        blank = (*GATED, *owned, *(key for key, _ in found))
        key = draws.pool("Joker1rif1", "joker_common", lambda key, no=blank: key in no)
        roll = draws.real("edirif1")
        editions = (("negative", 0.997), ("polychrome", 0.994), ("holo", 0.98), ("foil", 0.96))
        found.append((key, next((name for name, least in editions if roll > least), None)))
    return found


@probe("j_riff_raff", met=True, says="makes two Commons, with their editions, when a blind is selected")
def _() -> None:
    for seed in SEEDS:
        game = playing(jokers=["j_riff_raff"], game=start(seed))
        assert [(joker.key, joker.edition) for joker in game.jokers[1:]] == commons(seed, ["j_riff_raff"], 2)
    assert len(playing(jokers=["j_riff_raff"], blind="bl_club").jokers) == 3


@probe("j_riff_raff", met=True, says="makes only as many as there is room for, in order of the copies")
def _() -> None:
    game = playing(jokers=["j_riff_raff", "j_dna", "j_vampire", "j_bull"])
    assert keys(game.jokers[4:]) == [commons(game.seed, ["j_riff_raff"], 1)[0][0]]
    game = playing(jokers=["j_blueprint", "j_riff_raff"])
    assert keys(game.jokers[2:]) == [key for key, _ in commons(game.seed, ["j_riff_raff"], 3)]


@probe("j_riff_raff", met=True, says="what it makes has no stickers at Gold Stake")
def _() -> None:
    for seed in SEEDS[:20]:
        for joker in playing(jokers=["j_riff_raff"], game=start(seed, stake=8)).jokers[1:]:
            assert (joker.eternal, joker.perishable, joker.rental) == (False, False, False)
            assert joker.key in POOLS["joker_common"]


@probe("j_riff_raff", met=True, says="fills the slot that Ceremonial Dagger freed to its left")
def _() -> None:
    game = playing(jokers=["j_ceremonial", "j_joker", "j_riff_raff", "j_dna", "j_bull"])
    assert (len(game.jokers), "j_joker" in keys(game.jokers[:4])) == (5, False)


@probe("j_riff_raff", met=False, says="a joker Madness destroys still holds its slot at that moment")
def _() -> None:
    kept = ["j_madness", "j_riff_raff;s=E", "j_dna;s=E", "j_bull;s=E"]
    assert keys(playing(jokers=[*kept, "j_joker"]).jokers) == ["j_madness", "j_riff_raff", "j_dna", "j_bull"]


@probe("j_riff_raff", met=False, says="nothing with full slots, debuffed, destroyed by Madness, or on a skip")
def _() -> None:
    full = ["j_riff_raff", "j_dna", "j_vampire", "j_bull", "j_egg"]
    assert keys(playing(jokers=full).jokers) == full
    assert len(playing(jokers=["j_riff_raff;d=1"]).jokers) == 1
    assert keys(playing(jokers=["j_madness", "j_riff_raff"]).jokers) == ["j_madness"]
    game = start()
    game.edit(jokers=["j_riff_raff"], skip_tags=["tag_handy", "tag_handy"])
    game.step(Action.skip_blind())
    assert len(game.jokers) == 1
