"""Probes of the jokers from Vampire to Midas Mask."""

from collections.abc import Sequence
from typing import Any

from tests.probes.joker_scenes import ACE, SEEDS, earned, from_pool, grown, made
from tests.probes.table import next_round, play, playing, probe, score_of, shopping, start, win_round

from jimbot.balatro import Action, Game


def shown(game: Game) -> list[str | None]:
    """Enhancements of the cards that have been played."""
    return [card["enhancement"] for card in game.state()["discard_pile"]]


def payout(jokers: Sequence[str], blind: str = "bl_small", **changes: Any) -> int:
    """What the jokers pay at the cash-out of a blind."""
    return win_round(playing(jokers=jokers, blind=blind, **changes)).state()["cash_out"]["jokers"]


# --- Vampire -------------------------------------------------------------------------------------------------------


@probe("j_vampire", met=True, says="strips scoring cards before they score and gains X0.1 for each")
def _() -> None:
    game = playing(["H_A;h=m_mult"], jokers=["j_vampire"], draw_pile=[])
    assert play(game) == int(ACE * 1.1)
    assert (grown(game), shown(game)) == (1.1, [None])
    pair = ["H_2;h=m_bonus", "S_2;h=m_steel"]
    game = playing(pair, jokers=["j_vampire;v=3"])
    assert play(game) == int((10 + 4) * 2 * 3.2)
    assert abs(grown(game) - 3.2) < 1e-12


@probe(
    "j_vampire", met=True, says="a stripped Stone scores its rank, and the hand type stays as it was found"
)
def _() -> None:
    assert score_of(["S_K;h=m_stone"], jokers=["j_vampire"]) == int((5 + 10) * 1.1)
    pair = playing(["S_K", "H_K;h=m_stone"], jokers=["j_vampire"])
    assert play(pair) == int((5 + 10 + 10) * 1.1)
    flush = ["S_2", "S_4", "S_6", "S_8", "H_T;h=m_wild"]
    assert score_of(flush, jokers=["j_vampire"]) == int((35 + 30) * 4 * 1.1)


@probe("j_vampire", met=True, says="edition, seal and bonus Chips stay")
def _() -> None:
    game = playing(["H_A;h=m_gold;e=foil;l=Gold;b=10"], jokers=["j_vampire"], money=0, draw_pile=[])
    assert play(game) == int((ACE + 50 + 10) * 1.1)
    card = game.state()["discard_pile"][0]
    assert (card["enhancement"], card["edition"], card["seal"], card["bonus"]) == (None, "foil", "Gold", 10)
    assert game.money == 3


@probe("j_vampire", met=True, says="a stripped Glass card neither doubles nor breaks")
def _() -> None:
    for seed in SEEDS[:20]:
        game = playing(
            ["H_A;h=m_glass"], jokers=["j_vampire"], game=start(seed), draw_pile=[], discard_pile=[]
        )
        assert play(game) == int(ACE * 1.1)
        assert shown(game) == [None]


@probe("j_vampire", met=True, says="feeds on the Gold cards of a Midas Mask to its left, not to its right")
def _() -> None:
    game = playing(["H_K"], jokers=["j_midas_mask", "j_vampire"], draw_pile=[])
    play(game)
    assert (grown(game, 1), shown(game)) == (1.1, [None])
    game = playing(["H_K"], jokers=["j_vampire", "j_midas_mask"], draw_pile=[])
    play(game)
    assert (grown(game), shown(game)) == (1, ["m_gold"])


@probe(
    "j_vampire",
    met=True,
    says="Blueprint multiplies again without stripping; of two Vampires the left one eats",
)
def _() -> None:
    game = playing(["H_A;h=m_mult"], jokers=["j_blueprint", "j_vampire;v=1.9"])
    assert play(game) == ACE * 4
    assert grown(game, 1) == 2
    game = playing(["H_A;h=m_mult"], jokers=["j_vampire", "j_vampire"])
    play(game)
    assert [joker.value for joker in game.jokers] == [1.1, 1]


@probe("j_vampire", met=False, says="leaves plain, unscored, held and debuffed cards alone")
def _() -> None:
    game = playing(
        ["H_A", "S_2;h=m_mult", "D_3;h=m_mult"], jokers=["j_vampire"], draw_pile=[], discard_pile=[]
    )
    assert play(game, 0, 1) == ACE
    assert (grown(game), shown(game)) == (1, [None, "m_mult"])
    assert game.hand[0].enhancement == "m_mult"
    game = playing(["H_A;h=m_mult;d=1"], jokers=["j_vampire"], draw_pile=[])
    assert (play(game), grown(game), shown(game)) == (5, 1, ["m_mult"])


@probe("j_vampire", met=False, says="nothing while debuffed or when the hand is refused")
def _() -> None:
    game = playing(["H_A;h=m_mult"], jokers=["j_vampire;d=1;v=2"], draw_pile=[])
    assert (play(game), grown(game), shown(game)) == (ACE * 5, 2, ["m_mult"])
    game = playing(["H_A;h=m_mult"], jokers=["j_vampire"], blind="bl_psychic", draw_pile=[])
    assert (play(game), grown(game), shown(game)) == (0, 1, ["m_mult"])


# --- Shortcut ------------------------------------------------------------------------------------------------------


def named(*ranks: str, jokers: Sequence[str] = ("j_shortcut",)) -> str:
    """The poker hand of these ranks, of mixed suits."""
    hand = [f"{suit}_{rank}" for suit, rank in zip("HSDCH", ranks, strict=False)]
    game = playing(hand, jokers=jokers)
    play(game)
    return game.state()["blind"]["last_hand"]


@probe("j_shortcut", met=True, says="Straights may skip single ranks, as many as they like")
def _() -> None:
    assert named("2", "3", "5", "6", "7") == "Straight"
    assert named("2", "4", "6", "8", "T") == "Straight"
    assert named("6", "8", "T", "Q", "A") == "Straight"
    assert named("A", "3", "5", "7", "9") == "Straight"
    assert named("9", "T", "J", "Q", "K") == "Straight"


@probe(
    "j_shortcut",
    met=True,
    says="all cards of the gapped Straight score, and a suited one is a Straight Flush",
)
def _() -> None:
    assert score_of(["H_2", "S_4", "D_6", "C_8", "H_T"], jokers=["j_shortcut"]) == (30 + 30) * 4
    assert score_of(["H_2", "H_4", "H_6", "H_8", "H_T"], jokers=["j_shortcut"]) == (100 + 30) * 8


@probe("j_shortcut", met=True, says="works together with Four Fingers")
def _() -> None:
    assert named("2", "4", "6", "8", jokers=["j_shortcut", "j_four_fingers"]) == "Straight"
    assert named("2", "4", "6", "8", "K", jokers=["j_shortcut", "j_four_fingers"]) == "Straight"


@probe("j_shortcut", met=False, says="not two ranks in a row, not around the Ace, not with four cards")
def _() -> None:
    assert named("2", "3", "4", "5", "8") == "High Card"
    assert named("J", "Q", "K", "A", "2") == "High Card"
    assert named("Q", "K", "A", "3", "5") == "High Card"
    assert named("2", "4", "6", "8") == "High Card"


@probe("j_shortcut", met=False, says="nothing while debuffed, and Blueprint does not stand in for it")
def _() -> None:
    assert named("2", "4", "6", "8", "T", jokers=["j_shortcut;d=1"]) == "High Card"
    assert named("2", "4", "6", "8", "T", jokers=["j_blueprint", "j_shortcut;d=1"]) == "High Card"
    assert named("2", "5", "6", "8", "T", jokers=["j_blueprint", "j_shortcut"]) == "High Card"


# --- Hologram ------------------------------------------------------------------------------------------------------


@probe("j_hologram", met=True, says="gains X0.25 per playing card bought or taken from a pack")
def _() -> None:
    game = shopping(jokers=["j_hologram"], money=50, shop_slots=["S_A"], shop_packs=["p_standard_mega_1"])
    game.step(Action.buy(0))
    assert grown(game) == 1.25
    game.step(Action.open_pack(0))
    game.step(Action.pick(0))
    game.step(Action.pick(1))
    assert grown(game) == 1.75


@probe(
    "j_hologram", met=True, says="counts cards made by DNA, Cryptid, Familiar, Marble Joker and Certificate"
)
def _() -> None:
    game = playing(["H_A", "S_2"], jokers=["j_hologram", "j_dna"])
    assert play(game, 0) == ACE * 1.25
    game = playing(["H_A", "S_2"], jokers=["j_hologram"], consumables=["c_cryptid", "c_familiar"])
    game.step(Action.use(0, 0))
    assert grown(game) == 1.5
    game.step(Action.use(0))
    assert grown(game) == 2.25
    assert grown(playing(jokers=["j_hologram", "j_marble", "j_certificate"])) == 1.5
    assert grown(playing(jokers=["j_hologram", "j_blueprint", "j_marble"])) == 1.5


@probe("j_hologram", met=True, says="Blueprint multiplies again but does not grow it")
def _() -> None:
    game = playing(["H_A"], jokers=["j_blueprint", "j_hologram;v=1.75", "j_dna"])
    assert play(game) == ACE * 4
    assert grown(game, 1) == 2


@probe("j_hologram", met=False, says="nothing for jokers, consumables or destroyed cards")
def _() -> None:
    game = shopping(jokers=["j_hologram"], money=50, shop_slots=["j_joker", "c_mars"])
    game.step(Action.buy(0))
    game.step(Action.buy(1))
    assert grown(game) == 1
    game = playing(["H_A", "S_2"], jokers=["j_hologram"], consumables=["c_hanged_man"])
    game.step(Action.use(0, 0))
    assert grown(game) == 1


@probe("j_hologram", met=False, says="neither grows nor multiplies while debuffed")
def _() -> None:
    game = playing(["H_A"], jokers=["j_hologram;d=1;v=2", "j_dna"])
    assert (play(game), grown(game)) == (ACE, 2)


# --- Vagabond ------------------------------------------------------------------------------------------------------


@probe("j_vagabond", met=True, says="a Tarot for a hand played with $4 or less; copies make more")
def _() -> None:
    two = from_pool("Tarot", "vag", 2)
    for money in (4, 0, -5):
        assert made("H_A", jokers=["j_vagabond"], money=money) == two[:1]
    assert made("H_A", jokers=["j_blueprint", "j_vagabond"], money=4) == two
    assert made("H_A", jokers=["j_blueprint", "j_vagabond"], money=4, consumables=["c_mars"])[1:] == two[:1]


@probe("j_vagabond", met=True, says="money earned by this very hand does not count")
def _() -> None:
    assert len(made("H_A;l=Gold", jokers=["j_vagabond"], money=4)) == 1
    assert len(made("H_A", jokers=["j_todo_list;t=High Card", "j_vagabond"], money=4)) == 1


@probe("j_vagabond", met=True, says="money lost to The Tooth or The Ox before scoring does count")
def _() -> None:
    assert len(made("H_A", jokers=["j_vagabond"], blind="bl_tooth", money=5)) == 1
    assert len(made("H_A", jokers=["j_vagabond"], blind="bl_ox", money=50, ox_hand="High Card")) == 1


@probe("j_vagabond", met=False, says="nothing with $5, full slots, while debuffed, or for a refused hand")
def _() -> None:
    assert made("H_A", jokers=["j_vagabond"], money=5) == []
    assert len(made("H_A", jokers=["j_vagabond"], money=0, consumables=["c_mars", "c_pluto"])) == 2
    assert made("H_A", jokers=["j_vagabond;d=1"], money=0) == []
    assert made("H_A", jokers=["j_vagabond"], money=0, blind="bl_psychic") == []


# --- Baron ---------------------------------------------------------------------------------------------------------


@probe("j_baron", met=True, says="each King held in hand gives X1.5")
def _() -> None:
    assert score_of(["H_A"], held=["S_K"], jokers=["j_baron"]) == ACE * 1.5
    assert score_of(["H_A"], held=["S_K", "H_K", "D_2"], jokers=["j_baron"]) == ACE * 2.25


@probe("j_baron", met=True, says="Red Seal, Mime, Steel and copies multiply once more each")
def _() -> None:
    assert score_of(["H_A"], held=["S_K;l=Red"], jokers=["j_baron"]) == ACE * 2.25
    assert score_of(["H_A"], held=["S_K"], jokers=["j_baron", "j_mime"]) == ACE * 2.25
    assert score_of(["H_A"], held=["S_K;h=m_steel"], jokers=["j_baron"]) == ACE * 2.25
    assert score_of(["H_A"], held=["S_K"], jokers=["j_blueprint", "j_baron"]) == ACE * 2.25
    assert score_of(["H_A"], held=["S_K;l=Red"], jokers=["j_baron", "j_mime"]) == ACE * 1.5**3


@probe("j_baron", met=False, says="nothing for played, Stone or debuffed Kings or for other ranks")
def _() -> None:
    assert score_of(["H_K"], jokers=["j_baron"]) == 5 + 10
    assert score_of(["H_A"], held=["S_K;h=m_stone", "S_K;d=1", "H_Q"], jokers=["j_baron", "j_mime"]) == ACE
    assert score_of(["H_A"], held=["H_Q"], jokers=["j_baron", "j_pareidolia"]) == ACE


@probe("j_baron", met=False, says="nothing while debuffed")
def _() -> None:
    assert score_of(["H_A"], held=["S_K"], jokers=["j_baron;d=1"]) == ACE


# --- Cloud 9 -------------------------------------------------------------------------------------------------------


@probe("j_cloud_9", met=True, says="pays $1 at cash-out for every 9 of the full deck, debuffed ones included")
def _() -> None:
    assert payout(["j_cloud_9"]) == 4
    piles: dict[str, Any] = {"hand": ["S_A", "S_9"], "draw_pile": ["H_9", "H_2"], "discard_pile": ["D_9;d=1"]}
    assert payout(["j_cloud_9"], **piles) == 3
    assert payout(["j_cloud_9", "j_cloud_9"], **piles) == 6


@probe("j_cloud_9", met=True, says="the money arrives with the cash-out")
def _() -> None:
    game = win_round(playing(["S_A", "S_9"], jokers=["j_cloud_9"], money=0, draw_pile=[], discard_pile=[]))
    rows = game.state()["cash_out"]
    game.step(Action.cash_out())
    assert game.money == rows["reward"] + rows["hands"] + 1


@probe(
    "j_cloud_9",
    met=False,
    says="Stone 9s do not count; nothing without 9s, while debuffed, or for a Blueprint",
)
def _() -> None:
    assert payout(["j_cloud_9"], hand=["S_A", "S_9;h=m_stone"], draw_pile=[]) == 0
    assert payout(["j_cloud_9"], hand=["S_A", "S_8"], draw_pile=[]) == 0
    assert payout(["j_cloud_9;d=1"]) == 0
    assert payout(["j_blueprint", "j_cloud_9"]) == 4


# --- Rocket --------------------------------------------------------------------------------------------------------


@probe("j_rocket", met=True, says="pays $1 at cash-out, and $2 more from the first beaten boss on")
def _() -> None:
    assert payout(["j_rocket"]) == 1
    assert payout(["j_rocket"], blind="bl_club") == 3
    game = shopping(playing(jokers=["j_rocket"], blind="bl_club"))
    assert grown(game) == 3
    assert win_round(next_round(game)).state()["cash_out"]["jokers"] == 3


@probe("j_rocket", met=True, says="a disabled boss is still a beaten boss")
def _() -> None:
    assert payout(["j_rocket", "j_chicot"], blind="bl_club") == 3


@probe("j_rocket", met=False, says="Small and Big Blinds do not raise it")
def _() -> None:
    assert payout(["j_rocket;v=5"]) == 5
    assert payout(["j_rocket;v=5"], blind="bl_big") == 5


@probe("j_rocket", met=False, says="cannot be copied, and while debuffed neither pays nor grows")
def _() -> None:
    assert payout(["j_blueprint", "j_rocket"], blind="bl_club") == 3
    game = win_round(playing(jokers=["j_rocket;d=1"], blind="bl_club"))
    assert (game.state()["cash_out"]["jokers"], grown(game)) == (0, 1)


# --- Obelisk -------------------------------------------------------------------------------------------------------


@probe(
    "j_obelisk", met=True, says="gains X0.2 when another hand was played at least as often, this one counted"
)
def _() -> None:
    for others in (1, 4):
        game = playing(["H_A"], jokers=["j_obelisk"], plays={"Pair": others})
        assert play(game) == int(ACE * 1.2)
        assert grown(game) == 1.2
    game = playing(["H_A"], jokers=["j_obelisk;v=2.8"], plays={"Pair": 4, "High Card": 3})
    assert play(game) == ACE * 3


@probe("j_obelisk", met=True, says="the count is of the whole run, and growth adds up hand by hand")
def _() -> None:
    game = playing(
        ["S_2", "H_2", "H_A", "S_3", "H_3"], jokers=["j_obelisk"], plays={"Flush": 9}, draw_pile=[]
    )
    play(game, 0, 1)
    play(game, 0)
    assert grown(game) == 1 + 0.2 + 0.2


@probe("j_obelisk", met=True, says="Blueprint multiplies again; growth happens once")
def _() -> None:
    game = playing(["H_A"], jokers=["j_blueprint", "j_obelisk;v=1.8"], plays={"Pair": 4})
    assert play(game) == ACE * 4
    assert grown(game, 1) == 2


@probe("j_obelisk", met=False, says="resets to X1 when this becomes the most played hand")
def _() -> None:
    game = playing(["H_A"], jokers=["j_obelisk;v=3"], plays={"Pair": 4, "High Card": 4})
    assert (play(game), grown(game)) == (ACE, 1)
    game = playing(["H_A"], jokers=["j_obelisk"])
    assert (play(game), grown(game)) == (ACE, 1)


@probe("j_obelisk", met=False, says="neither grows nor resets while debuffed or when the hand is refused")
def _() -> None:
    game = playing(["H_A"], jokers=["j_obelisk;v=3;d=1"])
    assert (play(game), grown(game)) == (ACE, 3)
    game = playing(["H_A"], jokers=["j_obelisk;v=3"], blind="bl_psychic")
    assert (play(game), grown(game)) == (0, 3)


# --- Midas Mask ----------------------------------------------------------------------------------------------------


@probe("j_midas_mask", met=True, says="scoring face cards become Gold cards before they score")
def _() -> None:
    game = playing(["H_K", "S_K;h=m_glass"], jokers=["j_midas_mask"], draw_pile=[], discard_pile=[])
    assert play(game) == (10 + 20) * 2
    assert shown(game) == ["m_gold", "m_gold"]
    assert earned("H_K", jokers=["j_midas_mask", "j_ticket"]) == 4


@probe(
    "j_midas_mask",
    met=True,
    says="with Pareidolia every scoring card, a Stone card too, which then has its rank",
)
def _() -> None:
    game = playing(["S_7;h=m_stone"], jokers=["j_midas_mask", "j_pareidolia"], draw_pile=[], discard_pile=[])
    assert play(game) == 5 + 7
    assert shown(game) == ["m_gold"]


@probe("j_midas_mask", met=False, says="leaves other ranks, Stone, unscored, held and debuffed faces alone")
def _() -> None:
    hand = ["H_A", "S_K", "H_Q;h=m_stone", "D_J"]
    game = playing(hand, jokers=["j_midas_mask"], draw_pile=[], discard_pile=[])
    play(game, 0, 1, 2)
    assert (shown(game), game.hand[0].enhancement) == ([None, None, "m_stone"], None)
    game = playing(["H_K;d=1"], jokers=["j_midas_mask"], draw_pile=[], discard_pile=[])
    play(game)
    assert shown(game) == [None]


@probe("j_midas_mask", met=False, says="nothing while debuffed, for a Blueprint, or when the hand is refused")
def _() -> None:
    for jokers, blind in (
        (["j_midas_mask;d=1"], "bl_small"),
        (["j_blueprint", "j_midas_mask;d=1"], "bl_small"),
        (["j_midas_mask"], "bl_psychic"),
    ):
        game = playing(["H_K"], jokers=jokers, blind=blind, draw_pile=[], discard_pile=[])
        play(game)
        assert shown(game) == [None]
