"""Probes of the jokers from Walkie Talkie to Swashbuckler."""

from jimbot.balatro import Action, Game, Phase

from .draws import Draws
from .table import keys, next_round, play, playing, probe, score_of, shopping, start, win_round

FRONTS = sorted(f"{suit}_{rank}" for suit in "CDHS" for rank in "23456789TJQKA")
"""All cards in the order in which one is drawn from them; also the order in which the first deck is made."""

SEEDS = [f"PROBE{number}" for number in range(1, 400) if "0" not in str(number)]

SUITS = {"C": "Clubs", "D": "Diamonds", "H": "Hearts", "S": "Spades"}


def earned(game: Game, *positions: int) -> int:
    """Play these positions and return the money that the hand brought."""
    before = game.money
    play(game, *positions)
    return game.money - before


def hands_of_one(game: Game, count: int) -> list[float]:
    """Play the first card of the hand so many times."""
    return [play(game, 0) for _ in range(count)]


def aces(jokers: list[str], blind: str = "bl_small") -> Game:
    """A round with nothing but Aces of Spades and hands to spare."""
    return playing(["S_A"] * 8, jokers=jokers, blind=blind, draw_pile=["S_A"] * 20, hands_left=15)


# --- Walkie Talkie -------------------------------------------------------------------------------------------


@probe("j_walkie_talkie", met=True, says="a scoring 10 or 4 adds 10 Chips and 4 Mult, each of them")
def _() -> None:
    assert score_of(["H_T"], jokers=["j_walkie_talkie"]) == (5 + 10 + 10) * (1 + 4)
    assert score_of(["H_4"], jokers=["j_walkie_talkie"]) == (5 + 4 + 10) * (1 + 4)
    assert score_of(["H_4", "S_4", "D_T", "C_T"], jokers=["j_walkie_talkie"]) == (20 + 28 + 40) * (2 + 16)


@probe("j_walkie_talkie", met=True, says="answers every trigger, and copies answer too")
def _() -> None:
    assert score_of(["H_T;l=Red"], jokers=["j_walkie_talkie"]) == (5 + 20 + 20) * (1 + 8)
    assert score_of(["H_T"], jokers=["j_blueprint", "j_walkie_talkie"]) == (5 + 10 + 20) * (1 + 8)


@probe("j_walkie_talkie", met=False, says="leaves other ranks, cards that do not score and held cards alone")
def _() -> None:
    assert score_of(["H_5"], jokers=["j_walkie_talkie"]) == 10
    assert score_of(["H_A", "H_4"], jokers=["j_walkie_talkie"]) == 16
    assert score_of(["H_A"], held=["H_T"], jokers=["j_walkie_talkie"]) == 16


@probe(
    "j_walkie_talkie", met=False, says="leaves debuffed and Stone cards alone, and does nothing when debuffed"
)
def _() -> None:
    assert score_of(["H_T;d=1"], jokers=["j_walkie_talkie"]) == 5
    assert score_of(["H_T;h=m_stone"], jokers=["j_walkie_talkie"]) == 5 + 50
    assert score_of(["H_T"], jokers=["j_walkie_talkie;d=1"]) == 15


# --- Seltzer -------------------------------------------------------------------------------------------------


@probe("j_selzer", met=True, says="every scoring card triggers once more, and once more again with a copy")
def _() -> None:
    assert score_of(["H_K", "S_K"], jokers=["j_selzer"]) == (10 + 40) * 2
    assert score_of(["H_A;h=m_glass"], jokers=["j_selzer"]) == (5 + 22) * 4
    assert score_of(["H_A;l=Red"], jokers=["j_selzer"]) == 5 + 33
    assert score_of(["H_A"], jokers=["j_blueprint", "j_selzer"]) == 5 + 33


@probe("j_selzer", met=True, says="lasts ten hands, the tenth included, and is then gone")
def _() -> None:
    game = aces(["j_selzer"])
    assert hands_of_one(game, 9) == [27] * 9
    assert keys(game.jokers) == ["j_selzer"]
    assert play(game, 0) == 27
    assert game.jokers == []
    assert play(game, 0) == 16


@probe("j_selzer", met=True, says="a blocked hand uses it up like any other")
def _() -> None:
    game = aces(["j_selzer"], blind="bl_psychic")
    assert hands_of_one(game, 9) == [0] * 9
    assert keys(game.jokers) == ["j_selzer"]
    play(game, 0)
    assert game.jokers == []


@probe("j_selzer", met=False, says="a copy does not use it up faster")
def _() -> None:
    game = aces(["j_blueprint", "j_selzer"])
    hands_of_one(game, 9)
    assert keys(game.jokers) == ["j_blueprint", "j_selzer"]
    play(game, 0)
    assert keys(game.jokers) == ["j_blueprint"]


@probe(
    "j_selzer",
    met=False,
    says="leaves held, not scoring and debuffed cards alone, and discards do not use it up",
)
def _() -> None:
    assert score_of(["H_A", "H_2"], held=["S_5;h=m_steel"], jokers=["j_selzer"]) == (5 + 22) * 1.5 // 1
    assert score_of(["H_A;d=1"], jokers=["j_selzer"]) == 5
    game = playing(["H_A"] * 8, jokers=["j_selzer"], discards_left=12, draw_pile=["H_A"] * 20)
    for _turn in range(12):
        game.step(Action.discard(0))
    assert keys(game.jokers) == ["j_selzer"]


@probe("j_selzer", met=False, says="debuffed it neither retriggers nor is used up")
def _() -> None:
    game = aces(["j_selzer;d=1"])
    assert hands_of_one(game, 11) == [16] * 11
    assert keys(game.jokers) == ["j_selzer"]


# --- Castle --------------------------------------------------------------------------------------------------


@probe("j_castle", met=True, says="gains 3 Chips per discarded card of the round's suit and adds them")
def _() -> None:
    game = playing(
        ["H_2", "H_3", "S_4", "S_A", "S_K"], jokers=["j_castle"], targets={"castle": "Hearts"}, draw_pile=[]
    )
    game.step(Action.discard(0, 1, 2))
    assert game.jokers[0].value == 6
    assert play(game, 0) == 5 + 11 + 6


@probe("j_castle", met=True, says="cards that The Hook discards count, for the same hand already")
def _() -> None:
    game = playing(["S_A", "H_2", "H_3"], jokers=["j_castle"], blind="bl_hook", targets={"castle": "Hearts"})
    assert play(game, 0) == 16 + 6


@probe("j_castle", met=True, says="a Wild card is of the suit, and so is its partner suit with Smeared Joker")
def _() -> None:
    game = playing(["S_2;h=m_wild", "S_A"], jokers=["j_castle"], targets={"castle": "Hearts"})
    game.step(Action.discard(0))
    assert game.jokers[0].value == 3
    game = playing(["D_2", "C_3"], jokers=["j_castle", "j_smeared"], targets={"castle": "Hearts"})
    game.step(Action.discard(0, 1))
    assert game.jokers[0].value == 3


@probe(
    "j_castle", met=True, says="keeps its Chips in later rounds; the suit is drawn anew at the end of each"
)
def _() -> None:
    for seed in SEEDS[:8]:
        game, draws = playing(jokers=["j_castle;v=12"], game=start(seed)), Draws(seed)
        assert game.state()["targets"]["castle"] == SUITS[draws.element("cas1", FRONTS)[0]]
        win_round(game)
        assert game.state()["targets"]["castle"] == SUITS[draws.element("cas1", FRONTS)[0]]
        assert game.jokers[0].value == 12


@probe(
    "j_castle",
    met=False,
    says="gains nothing from other suits, debuffed, Stone or played cards, nor by copies",
)
def _() -> None:
    hand = ["S_2", "H_3;d=1", "H_4;h=m_stone", "S_5;h=m_wild;d=1", "H_A"]
    game = playing(hand, jokers=["j_castle"], targets={"castle": "Hearts"}, draw_pile=[])
    game.step(Action.discard(0, 1, 2, 3))
    assert play(game, 0) == 16
    assert game.jokers[0].value == 0
    game = playing(
        ["H_2", "H_A"], jokers=["j_blueprint", "j_castle"], targets={"castle": "Hearts"}, draw_pile=[]
    )
    game.step(Action.discard(0))
    assert play(game, 0) == 5 + 11 + 3 + 3


@probe("j_castle", met=False, says="does not grow while debuffed")
def _() -> None:
    game = playing(["H_2", "H_A"], jokers=["j_castle;v=30;d=1"], targets={"castle": "Hearts"}, draw_pile=[])
    game.step(Action.discard(0))
    assert game.jokers[0].value == 30
    assert play(game, 0) == 16


# --- Smiley Face ---------------------------------------------------------------------------------------------


@probe("j_smiley", met=True, says="a scoring face card adds 5 Mult at every trigger")
def _() -> None:
    for face in "JQK":
        assert score_of([f"H_{face}"], jokers=["j_smiley"]) == 15 * 6
    assert score_of(["H_Q", "D_Q"], jokers=["j_smiley"]) == 30 * 12
    assert score_of(["H_Q;l=Red"], jokers=["j_smiley"]) == 25 * 11
    assert score_of(["H_Q"], jokers=["j_blueprint", "j_smiley"]) == 15 * 11


@probe("j_smiley", met=True, says="with Pareidolia every card is a face card, Stone included")
def _() -> None:
    assert score_of(["H_2"], jokers=["j_smiley", "j_pareidolia"]) == 7 * 6
    assert score_of(["H_2;h=m_stone"], jokers=["j_smiley", "j_pareidolia"]) == 55 * 6


@probe("j_smiley", met=False, says="an Ace, a debuffed face, a Stone face and a held face add nothing")
def _() -> None:
    assert score_of(["H_A"], held=["H_K"], jokers=["j_smiley"]) == 16
    assert score_of(["H_K;d=1"], jokers=["j_smiley"]) == 5
    assert score_of(["H_K;d=1"], jokers=["j_smiley", "j_pareidolia"]) == 5
    assert score_of(["H_K;h=m_stone"], jokers=["j_smiley"]) == 55


# --- Campfire ------------------------------------------------------------------------------------------------


@probe("j_campfire", met=True, says="gains X0.25 for each joker and each consumable sold")
def _() -> None:
    game = playing(["H_A"], jokers=["j_campfire", "j_joker"], consumables=["c_pluto", "c_fool"])
    game.step(Action.sell_joker(1))
    assert game.jokers[0].value == 1.25
    game.step(Action.sell_consumable(0))
    game.step(Action.sell_consumable(0))
    assert game.jokers[0].value == 1.75
    assert play(game) == 16 * 1.75


@probe("j_campfire", met=True, says="goes back to X1 when a Boss Blind is beaten, a disabled one too")
def _() -> None:
    for others in ([], ["j_chicot"]):
        game = playing(["H_A"], jokers=["j_campfire;v=2.5", *others], blind="bl_wall")
        assert win_round(game).jokers[0].value == 1


@probe("j_campfire", met=False, says="keeps its value after a Small and a Big Blind")
def _() -> None:
    for blind in ("bl_small", "bl_big"):
        game = playing(["H_A"], jokers=["j_campfire;v=2.5"], blind=blind)
        assert win_round(game).jokers[0].value == 2.5


@probe(
    "j_campfire", met=False, says="a used card is not sold; debuffed it does not grow; a copy multiplies only"
)
def _() -> None:
    game = playing(["H_A"], jokers=["j_campfire"], consumables=["c_pluto"])
    game.step(Action.use(0))
    assert game.jokers[0].value == 1
    game = playing(["H_A"], jokers=["j_campfire;d=1", "j_joker"])
    game.step(Action.sell_joker(1))
    assert game.jokers[0].value == 1
    game = playing(["H_A"], jokers=["j_blueprint", "j_campfire", "j_joker"])
    game.step(Action.sell_joker(2))
    assert play(game) == 16 * 1.25 * 1.25


# --- Golden Ticket -------------------------------------------------------------------------------------------


@probe("j_ticket", met=True, says="a scoring Gold card pays $4 at every trigger, and again for a copy")
def _() -> None:
    assert earned(playing(["H_A;h=m_gold"], jokers=["j_ticket"])) == 4
    assert earned(playing(["H_A;h=m_gold;l=Red"], jokers=["j_ticket"])) == 8
    assert earned(playing(["H_A;h=m_gold", "S_A;h=m_gold"], jokers=["j_blueprint", "j_ticket"])) == 16


@probe("j_ticket", met=True, says="pays for a face that Midas Mask just gilded")
def _() -> None:
    assert earned(playing(["H_K"], jokers=["j_ticket", "j_midas_mask"])) == 4


@probe("j_ticket", met=False, says="pays nothing for Gold that Vampire just took off")
def _() -> None:
    assert earned(playing(["H_K;h=m_gold"], jokers=["j_ticket", "j_vampire"])) == 0


@probe("j_ticket", met=False, says="pays nothing for plain, debuffed, held or not scoring Gold cards")
def _() -> None:
    assert earned(playing(["H_A"], jokers=["j_ticket"])) == 0
    assert earned(playing(["H_A;h=m_gold;d=1"], jokers=["j_ticket"])) == 0
    assert earned(playing(["H_A", "H_2;h=m_gold"], jokers=["j_ticket"])) == 0
    assert earned(playing(["H_A", "H_2;h=m_gold"], jokers=["j_ticket"]), 0) == 0


def _riff_raff(seed: str, enhancement: str) -> list[str]:
    """What Riff-Raff makes on the seed's first blind with one such card in the deck."""
    game = start(seed)
    game.edit(jokers=["j_riff_raff"], draw_pile=[*FRONTS[:-1], f"S_T;h={enhancement}"])
    return keys(playing(game=game).jokers)


@probe("j_ticket", met=False, says="is never created while no Gold card is in the deck")
def _() -> None:
    seed = next(seed for seed in SEEDS if "j_ticket" in _riff_raff(seed, "m_gold"))
    assert "j_ticket" not in _riff_raff(seed, "m_steel")


# --- Mr. Bones -----------------------------------------------------------------------------------------------


@probe("j_mr_bones", met=True, says="saves a round at exactly 25 % of the target, for no reward, and is gone")
def _() -> None:
    game = playing(["H_A"], jokers=["j_mr_bones"], hands_left=1, target=64, blind="bl_big", money=10)
    play(game)
    assert game.phase is Phase.ROUND_EVAL
    assert game.jokers == []
    assert game.state()["cash_out"]["reward"] == 0
    game.step(Action.cash_out())
    assert game.phase is Phase.SHOP
    assert game.money == 10 + 2


@probe("j_mr_bones", met=True, says="a saved boss round counts as beaten: the ante goes up")
def _() -> None:
    game = playing(["H_A"], jokers=["j_mr_bones"], hands_left=1, target=64, blind="bl_wall")
    play(game)
    assert (game.phase, game.ante) == (Phase.ROUND_EVAL, 2)


@probe("j_mr_bones", met=True, says="saves a round that is lost for want of cards, too")
def _() -> None:
    game = playing(["H_A"], jokers=["j_mr_bones"], hands_left=3, target=64, draw_pile=[])
    play(game)
    assert (game.phase, game.jokers) == (Phase.ROUND_EVAL, [])


@probe("j_mr_bones", met=True, says="the boss of ante 8 survived with it wins the run")
def _() -> None:
    game = start()
    game.edit(ante=8)
    playing(["H_A"], jokers=["j_mr_bones"], blind="bl_final_vessel", game=game, hands_left=1, target=64)
    play(game)
    assert game.won


@probe("j_mr_bones", met=True, says="of two only the first is used up")
def _() -> None:
    game = playing(["H_A"], jokers=["j_mr_bones", "j_mr_bones;e=negative"], hands_left=1, target=60)
    play(game)
    assert game.phase is Phase.ROUND_EVAL
    assert [joker.edition for joker in game.jokers] == ["negative"]


@probe("j_mr_bones", met=False, says="does not save below 25 %, nor when debuffed")
def _() -> None:
    game = playing(["H_A"], jokers=["j_mr_bones"], hands_left=1, target=65)
    play(game)
    assert game.over
    game = playing(["H_A"], jokers=["j_mr_bones;d=1"], hands_left=1, target=60)
    play(game)
    assert game.over


@probe("j_mr_bones", met=False, says="stays when the round is won, and while hands are left")
def _() -> None:
    game = playing(["H_A"], jokers=["j_mr_bones"], hands_left=1, target=16)
    play(game)
    assert keys(game.jokers) == ["j_mr_bones"]
    assert game.state()["cash_out"]["reward"] == 3
    game = playing(["H_A", "H_2"], jokers=["j_mr_bones"], hands_left=2, target=60)
    play(game, 0)
    assert (game.phase, keys(game.jokers)) == (Phase.PLAYING, ["j_mr_bones"])


@probe("j_mr_bones", met=False, says="is not copied: a second lost round ends the run")
def _() -> None:
    game = playing(["H_A"], jokers=["j_blueprint", "j_mr_bones"], hands_left=1, target=60)
    play(game)
    assert keys(game.jokers) == ["j_blueprint"]
    next_round(shopping(game))
    game.edit(hand=["H_A"], hands_left=1, target=60)
    play(game)
    assert game.over


# --- Acrobat -------------------------------------------------------------------------------------------------


@probe("j_acrobat", met=True, says="X3 Mult on the last hand, once more for a copy")
def _() -> None:
    assert score_of(["H_A"], jokers=["j_acrobat"], hands_left=1) == 16 * 3
    assert score_of(["H_A"], jokers=["j_acrobat"], blind="bl_needle") == 16 * 3
    assert score_of(["H_A"], jokers=["j_blueprint", "j_acrobat"], hands_left=1) == 16 * 9


@probe("j_acrobat", met=False, says="nothing before the last hand or when debuffed")
def _() -> None:
    assert score_of(["H_A"], jokers=["j_acrobat"], hands_left=2) == 16
    assert score_of(["H_A"], jokers=["j_acrobat;d=1"], hands_left=1) == 16


# --- Sock and Buskin -----------------------------------------------------------------------------------------


@probe(
    "j_sock_and_buskin",
    met=True,
    says="a scoring face card triggers once more, with copies and seals adding up",
)
def _() -> None:
    assert score_of(["H_K", "D_K"], jokers=["j_sock_and_buskin"]) == (10 + 40) * 2
    assert score_of(["H_J;l=Red"], jokers=["j_sock_and_buskin"]) == 5 + 30
    assert score_of(["H_Q"], jokers=["j_blueprint", "j_sock_and_buskin"]) == 5 + 30
    assert score_of(["H_2"], jokers=["j_sock_and_buskin", "j_pareidolia"]) == 5 + 4


@probe("j_sock_and_buskin", met=False, says="other ranks, debuffed and held faces trigger as usual")
def _() -> None:
    assert score_of(["H_A"], jokers=["j_sock_and_buskin"]) == 16
    assert score_of(["H_K;d=1"], jokers=["j_sock_and_buskin"]) == 5
    assert score_of(["H_K;h=m_stone"], jokers=["j_sock_and_buskin"]) == 55
    assert score_of(["H_A"], held=["H_K;h=m_steel"], jokers=["j_sock_and_buskin"]) == 24


# --- Swashbuckler --------------------------------------------------------------------------------------------


@probe(
    "j_swashbuckler",
    met=True,
    says="adds the sell values of the other jokers as Mult, debuffed ones included",
)
def _() -> None:
    assert score_of(["H_A"], jokers=["j_swashbuckler", "j_baron"]) == 16 * (1 + 4)
    assert score_of(["H_A"], jokers=["j_swashbuckler", "j_baron;b=3;s=E", "j_egg"]) == 16 * (1 + 7 + 2)
    assert score_of(["H_A"], jokers=["j_baron;d=1", "j_swashbuckler"]) == 16 * (1 + 4)
    assert score_of(["H_A"], jokers=["j_swashbuckler", "j_baron;e=negative"]) == 16 * (1 + 6)


@probe("j_swashbuckler", met=True, says="a copy adds the original's sum, the copier's own value included")
def _() -> None:
    assert score_of(["H_A"], jokers=["j_blueprint", "j_swashbuckler", "j_baron"]) == 16 * (1 + 9 + 9)


@probe("j_swashbuckler", met=False, says="alone it adds nothing, whatever it is worth, nor when debuffed")
def _() -> None:
    assert score_of(["H_A"], jokers=["j_swashbuckler;b=9"]) == 16
    assert score_of(["H_A"], jokers=["j_swashbuckler;d=1", "j_baron"]) == 16
    game = playing(["H_A"], jokers=["j_swashbuckler", "j_baron"])
    game.step(Action.sell_joker(1))
    assert play(game) == 16
