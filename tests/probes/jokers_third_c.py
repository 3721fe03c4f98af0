"""Probes of the jokers from Blueprint to Hit the Road."""

from typing import Any

from jimbot.balatro import Action, Game

from .draws import POOLS, Draws
from .table import keys, next_round, play, playing, probe, score_of, shopping, start, win_round

FRONTS = POOLS["playing_card_fronts"]

SEEDS = [f"PROBE{number}" for number in range(1, 400) if "0" not in str(number)]


def facing(boss: str, hand: list[str], jokers: list[str], **changes: Any) -> Game:
    """A boss round with this hand, debuffed as the boss does it."""
    game = playing(hand, jokers=jokers, blind=boss, **changes)
    game.edit(refresh_debuffs=True)
    return game


def earned(game: Game, *positions: int) -> int:
    """Play these positions and return the money that the hand brought."""
    before = game.money
    play(game, *positions)
    return game.money - before


def score_and_pay(game: Game, *positions: int) -> tuple[float, int]:
    """Play these positions; what the hand scored and the money it brought."""
    before = game.money
    return play(game, *positions), game.money - before


# --- Blueprint -----------------------------------------------------------------------------------------------


@probe("j_blueprint", met=True, says="acts as the joker to its right, through a chain of copiers too")
def _() -> None:
    assert score_of(["H_A"], jokers=["j_blueprint", "j_joker"]) == 16 * 9
    assert score_of(["H_A"], jokers=["j_blueprint", "j_blueprint", "j_joker"]) == 16 * 13
    assert score_of(["H_A"], jokers=["j_joker", "j_blueprint", "j_brainstorm"]) == 16 * 13


@probe("j_blueprint", met=True, says="acts at its own place, and follows when jokers are moved")
def _() -> None:
    pair = ["H_K", "D_K"]
    assert score_of(pair, jokers=["j_blueprint", "j_duo", "j_joker"]) == 30 * (2 * 2 * 2 + 4)
    game = playing(pair, jokers=["j_blueprint", "j_duo", "j_joker"])
    game.step(Action.move_joker(0, 1))
    assert keys(game.jokers) == ["j_duo", "j_blueprint", "j_joker"]
    assert play(game) == 30 * (2 * 2 + 4 + 4)


@probe("j_blueprint", met=True, says="uses its own edition, not the other joker's")
def _() -> None:
    assert score_of(["H_A"], jokers=["j_blueprint;e=foil", "j_joker;e=holo"]) == 66 * (1 + 4 + 10 + 4)


@probe("j_blueprint", met=True, says="repeats what a joker does when sold, if it is the copier that is sold")
def _() -> None:
    game = playing(["H_A"], jokers=["j_blueprint", "j_diet_cola"])
    game.step(Action.sell_joker(0))
    assert (game.tags, keys(game.jokers)) == (["tag_double"], ["j_diet_cola"])
    game = playing(["H_A"], jokers=["j_blueprint", "j_luchador"], blind="bl_wall")
    game.step(Action.sell_joker(0))
    assert game.blind.disabled


@probe(
    "j_blueprint",
    met=False,
    says="has nothing to copy at the right end, in a loop, or when a debuff is involved",
)
def _() -> None:
    assert score_of(["H_A"], jokers=["j_joker", "j_blueprint"]) == 16 * 5
    assert score_of(["H_A"], jokers=["j_blueprint", "j_brainstorm"]) == 16
    assert score_of(["H_A"], jokers=["j_blueprint;d=1", "j_joker"]) == 16 * 5
    assert score_of(["H_A"], jokers=["j_blueprint", "j_joker;d=1"]) == 16
    assert score_of(["H_A"], jokers=["j_blueprint", "j_blueprint;d=1", "j_joker"]) == 16 * 5


@probe("j_blueprint", met=False, says="does not copy jokers that cannot be copied")
def _() -> None:
    game = win_round(playing(["H_A"], jokers=["j_blueprint", "j_golden"]))
    assert game.state()["cash_out"]["jokers"] == 4
    assert playing(jokers=["j_blueprint", "j_juggler"]).state()["hand_size"] == 9


# --- Wee Joker -----------------------------------------------------------------------------------------------


@probe("j_wee", met=True, says="gains 8 Chips at every trigger of a scoring 2, for the same hand already")
def _() -> None:
    assert score_of(["H_2"], jokers=["j_wee"]) == 5 + 2 + 8
    assert score_of(["H_2", "D_2;l=Red"], jokers=["j_wee"]) == (10 + 6 + 24) * 2
    game = playing(["H_2", "D_A"], jokers=["j_wee"], draw_pile=[])
    play(game, 0)
    assert play(game, 0) == 16 + 8


@probe("j_wee", met=False, says="other ranks, held, not scoring, Stone and debuffed 2s bring no growth")
def _() -> None:
    for card in ("H_3", "H_2;d=1", "H_2;h=m_stone"):
        game = playing([card, "D_2"], jokers=["j_wee;v=16"])
        play(game, 0)
        assert game.jokers[0].value == 16
    assert score_of(["H_A", "D_2"], jokers=["j_wee;v=16"]) == 16 + 16


@probe("j_wee", met=False, says="a copy adds the Chips but does not grow; debuffed it does neither")
def _() -> None:
    assert score_of(["H_2"], jokers=["j_blueprint", "j_wee"]) == 5 + 2 + 8 + 8
    game = playing(["H_2"], jokers=["j_wee;v=16;d=1"])
    assert play(game) == 7
    assert game.jokers[0].value == 16


# --- Merry Andy ----------------------------------------------------------------------------------------------


def _discards(game: Game) -> tuple[int, int]:
    """Hand size and discards left."""
    return game.state()["hand_size"], game.blind.discards_left


@probe("j_merry_andy", met=True, says="three more discards each round and one card less in hand")
def _() -> None:
    game = shopping(money=20, shop_slots=["j_merry_andy"])
    game.step(Action.buy(0))
    next_round(game)
    assert (*_discards(game), len(game.hand)) == (7, 7, 7)


@probe("j_merry_andy", met=True, says="gained in a round it gives its discards at once")
def _() -> None:
    game = playing(jokers=["j_merry_andy", "j_invisible;c=2"])
    game.step(Action.sell_joker(1))
    assert _discards(game) == (6, 10)


@probe("j_merry_andy", met=False, says="sold in a round it takes the discards back, never below none")
def _() -> None:
    for left, after in ((6, 3), (1, 0)):
        game = playing(jokers=["j_merry_andy"])
        game.edit(discards_left=left)
        game.step(Action.sell_joker(0))
        assert _discards(game) == (8, after)
        assert _discards(next_round(shopping(game))) == (8, 4)


@probe("j_merry_andy", met=False, says="sold in a round it gives back its card at once")
def _() -> None:
    game = playing(jokers=["j_merry_andy"])
    assert len(game.hand) == 7
    game.step(Action.sell_joker(0))
    assert len(game.hand) == 8


@probe("j_merry_andy", met=False, says="does nothing when debuffed and is not copied")
def _() -> None:
    assert _discards(playing(jokers=["j_merry_andy;d=1"])) == (8, 4)
    assert _discards(playing(jokers=["j_blueprint", "j_merry_andy"])) == (7, 7)


# --- Oops! All 6s --------------------------------------------------------------------------------------------


def _lucky(seed: str, jokers: list[str]) -> tuple[float, int]:
    return score_and_pay(playing(["H_A;h=m_lucky"], jokers=jokers, game=start(seed)))


@probe("j_oops", met=True, says="doubles listed chances, each copy again")
def _() -> None:
    for count in (1, 2, 3):
        seen = set()
        for seed in SEEDS[:15]:
            draws = Draws(seed)
            mult, money = draws.real("lucky_mult") < 2**count / 5, draws.real("lucky_money") < 2**count / 15
            assert _lucky(seed, ["j_oops"] * count) == (16 * (21 if mult else 1), 20 if money else 0)
            seen.add((mult, money))
        assert len(seen) >= 2


@probe("j_oops", met=True, says="counts for Glass, The Wheel of Fortune and The Wheel")
def _() -> None:
    for seed in SEEDS[:8]:
        game = playing(["H_A;h=m_glass"], jokers=["j_oops"], game=start(seed))
        play(game)
        assert (game.state()["deck_size"] == 44) is (Draws(seed).real("glass") < 0.5)
        game = playing(
            ["H_A"], jokers=["j_oops", "j_oops"], game=start(seed), consumables=["c_wheel_of_fortune"]
        )
        game.step(Action.use(0))
        assert sum(joker.edition is not None for joker in game.jokers) == 1
        game = playing(jokers=["j_oops"] * 3, blind="bl_wheel", game=start(seed))
        assert all(card.face_down for card in game.hand)


@probe("j_oops", met=True, says="counts for Gros Michel's end: three make it certain")
def _() -> None:
    for seed in SEEDS[:4]:
        game = playing(["H_A"], jokers=["j_gros_michel", *["j_oops"] * 3], game=start(seed))
        assert keys(win_round(game).jokers) == ["j_oops"] * 3


@probe("j_oops", met=False, says="has no effect when debuffed, and is not copied")
def _() -> None:
    for seed in SEEDS[:15]:
        mult = Draws(seed).real("lucky_mult")
        assert _lucky(seed, ["j_oops;d=1"])[0] == 16 * (21 if mult < 1 / 5 else 1)
        assert _lucky(seed, ["j_blueprint", "j_oops"])[0] == 16 * (21 if mult < 2 / 5 else 1)


@probe("j_oops", met=False, says="leaves the odds of shops alone")
def _() -> None:
    for seed in SEEDS[:6]:
        plain, lucky = (
            shopping(playing(["H_A"], jokers=own, game=start(seed))).shop for own in ([], ["j_oops"])
        )
        assert plain is not None
        if "j_oops" not in keys(plain.slots):
            assert plain == lucky


# --- The Idol ------------------------------------------------------------------------------------------------

KING = {"idol": "H_K"}


@probe("j_idol", met=True, says="X2 Mult at every trigger of a scoring card of the round's rank and suit")
def _() -> None:
    assert score_of(["H_K", "D_K"], jokers=["j_idol"], targets=KING) == 30 * 4
    assert score_of(["H_K;l=Red"], jokers=["j_idol"], targets=KING) == 25 * 4
    assert score_of(["H_K"], jokers=["j_blueprint", "j_idol"], targets=KING) == 15 * 4
    assert score_of(["S_K;h=m_wild"], jokers=["j_idol"], targets=KING) == 15 * 2
    assert score_of(["D_K"], jokers=["j_idol", "j_smeared"], targets=KING) == 15 * 2


@probe("j_idol", met=True, says="the card is drawn anew at the end of each round, never a Stone card")
def _() -> None:
    for seed in SEEDS[:8]:
        game, draws = playing(game=start(seed)), Draws(seed)
        assert game.state()["targets"]["idol"] == draws.element("idol1", FRONTS)
        assert win_round(game).state()["targets"]["idol"] == draws.element("idol1", FRONTS)
    stones = [f"{front};h=m_stone" for front in FRONTS[:20]]
    for other, target in (("D_7", "D_7"), ("D_7;h=m_stone", "S_A")):
        game = playing([*stones[:7], other], draw_pile=stones[7:])
        assert win_round(game).state()["targets"]["idol"] == target


@probe("j_idol", met=True, says="after a boss the card is drawn by the next ante's stream")
def _() -> None:
    for seed in SEEDS[:4]:
        game = win_round(playing(blind="bl_wall", game=start(seed)))
        assert game.state()["targets"]["idol"] == Draws(seed).element("idol2", FRONTS)


@probe("j_idol", met=False, says="rank or suit alone, held, Stone and debuffed cards do nothing")
def _() -> None:
    for card, score in (("D_K", 15), ("H_Q", 15), ("H_K;d=1", 5), ("H_K;h=m_stone", 55)):
        assert score_of([card], jokers=["j_idol"], targets=KING) == score
    assert score_of(["H_A"], held=["H_K"], jokers=["j_idol"], targets=KING) == 16
    assert score_of(["H_K"], jokers=["j_idol;d=1"], targets=KING) == 15


# --- Seeing Double -------------------------------------------------------------------------------------------


@probe(
    "j_seeing_double",
    met=True,
    says="X2 Mult for a scoring Club together with a scoring card of another suit",
)
def _() -> None:
    for other in "HDS":
        assert score_of(["C_K", f"{other}_K"], jokers=["j_seeing_double"]) == 30 * 2 * 2
    assert score_of(["C_K", "H_K"], jokers=["j_blueprint", "j_seeing_double"]) == 30 * 2 * 4
    assert score_of(["C_K", "H_2"], jokers=["j_seeing_double", "j_splash"]) == 17 * 2


@probe(
    "j_seeing_double",
    met=True,
    says="a Wild card fills what is missing; with Smeared Joker one black card is enough",
)
def _() -> None:
    wild = "S_K;h=m_wild"
    for first in ("C_K", "H_K", wild):
        assert score_of([first, wild], jokers=["j_seeing_double"]) == 30 * 2 * 2
    for black in ("S_A", "C_A"):
        assert score_of([black], jokers=["j_seeing_double", "j_smeared"]) == 16 * 2


@probe(
    "j_seeing_double",
    met=False,
    says="Clubs alone, no Club, one Wild card or a card that does not score: nothing",
)
def _() -> None:
    for hand in (["C_K", "C_K"], ["H_K", "S_K"]):
        assert score_of(hand, jokers=["j_seeing_double"]) == 30 * 2
    assert score_of(["C_K;h=m_wild"], jokers=["j_seeing_double"]) == 15
    assert score_of(["C_K", "H_2"], jokers=["j_seeing_double"]) == 15
    assert score_of(["H_A"], jokers=["j_seeing_double", "j_smeared"]) == 16


@probe("j_seeing_double", met=False, says="debuffed and Stone cards show no suit")
def _() -> None:
    assert score_of(["C_K;d=1", "H_K"], jokers=["j_seeing_double"]) == 20 * 2
    assert score_of(["C_K", "H_K;d=1"], jokers=["j_seeing_double"]) == 20 * 2
    assert score_of(["C_K", "H_K;h=m_wild;d=1"], jokers=["j_seeing_double"]) == 20 * 2
    assert score_of(["C_K", "H_2;h=m_stone"], jokers=["j_seeing_double"]) == 65


# --- Matador -------------------------------------------------------------------------------------------------


@probe("j_matador", met=True, says="$8 for a hand that the boss blocks, for each copy as well")
def _() -> None:
    for jokers, pay in ((["j_matador"], 8), (["j_blueprint", "j_matador"], 16)):
        assert score_and_pay(facing("bl_psychic", ["H_A"], jokers)) == (0, pay)
        game = facing("bl_eye", ["H_A", "H_K"], jokers, draw_pile=[])
        assert score_and_pay(game, 0) == (16, 0)
        assert score_and_pay(game, 0) == (0, pay)
        game = facing("bl_mouth", ["H_A", "H_K", "D_K"], jokers, draw_pile=[])
        assert score_and_pay(game, 0) == (16, 0)
        assert score_and_pay(game, 0, 1) == (0, pay)


@probe(
    "j_matador", met=True, says="$8 when The Arm lowers a level, The Flint halves or The Ox empties the purse"
)
def _() -> None:
    assert earned(facing("bl_arm", ["H_A"], ["j_matador"], levels={"High Card": 2})) == 8
    assert earned(facing("bl_flint", ["H_A"], ["j_matador"])) == 8
    game = facing("bl_ox", ["H_A"], ["j_matador"], money=20, ox_hand="High Card")
    play(game)
    assert game.money == 8


@probe(
    "j_matador",
    met=True,
    says="$8 when a card that the boss debuffed is among the scoring ones, once per hand",
)
def _() -> None:
    cards = {"bl_club": "C_A", "bl_goad": "S_A", "bl_head": "H_A", "bl_window": "D_A", "bl_plant": "H_K"}
    for boss, card in {**cards, "bl_pillar": "H_A;p=1", "bl_final_leaf": "H_A"}.items():
        assert score_and_pay(facing(boss, [card], ["j_matador"])) == (5, 8)
        assert earned(facing(boss, [card, card], ["j_blueprint", "j_matador"])) == 16


@probe("j_matador", met=False, says="nothing when the boss's condition is not met or its card does not score")
def _() -> None:
    assert earned(facing("bl_club", ["H_A", "C_2"], ["j_matador"])) == 0
    assert earned(facing("bl_plant", ["H_A"], ["j_matador"])) == 0
    assert earned(facing("bl_arm", ["H_A"], ["j_matador"])) == 0
    assert earned(facing("bl_ox", ["H_A"], ["j_matador"], money=20, ox_hand="Pair")) == 0
    assert earned(facing("bl_psychic", ["H_2", "H_4", "H_6", "H_8", "H_T"], ["j_matador"])) == 0
    assert earned(facing("bl_small", ["H_A"], ["j_matador"])) == 0
    assert earned(facing("bl_flint", ["H_A"], ["j_matador;d=1"])) == 0
    assert earned(facing("bl_flint", ["H_A"], ["j_matador", "j_chicot"])) == 0


@probe(
    "j_matador",
    met=False,
    says="nothing from The Hook, The Tooth, Crimson Heart and bosses without a hand effect",
)
def _() -> None:
    assert earned(facing("bl_hook", ["H_A", "D_3", "D_4"], ["j_matador"]), 0) == 0
    assert earned(facing("bl_tooth", ["H_A"], ["j_matador"])) == -1
    others = ("house", "wheel", "fish", "mark", "wall", "water", "manacle", "serpent", "needle")
    for boss in (*others, "final_acorn", "final_vessel", "final_bell"):
        assert earned(facing(f"bl_{boss}", ["H_A"], ["j_matador"])) == 0
    for seed in SEEDS[:5]:
        game = facing("bl_final_heart", ["H_A"], ["j_matador", "j_joker"], game=start(seed))
        assert earned(game) == 0


# --- Hit the Road --------------------------------------------------------------------------------------------


@probe("j_hit_the_road", met=True, says="gains X0.5 for each Jack discarded in the round")
def _() -> None:
    game = playing(["H_J", "D_J", "D_2", "S_A", "S_J", "S_2"], jokers=["j_hit_the_road"], draw_pile=[])
    game.step(Action.discard(0, 1, 2))
    assert game.jokers[0].value == 2
    assert play(game, 0) == 16 * 2
    game.step(Action.discard(0))
    assert game.jokers[0].value == 2.5


@probe("j_hit_the_road", met=True, says="Jacks that The Hook discards count, for the same hand already")
def _() -> None:
    game = facing("bl_hook", ["H_A", "D_J", "S_J"], ["j_hit_the_road"])
    assert play(game, 0) == 16 * 2


@probe("j_hit_the_road", met=False, says="goes back to X1 at the end of every round")
def _() -> None:
    for blind in ("bl_small", "bl_wall"):
        game = playing(["H_A", "H_J"], jokers=["j_hit_the_road"], blind=blind)
        game.step(Action.discard(1))
        assert game.jokers[0].value == 1.5
        assert win_round(game).jokers[0].value == 1


@probe(
    "j_hit_the_road",
    met=False,
    says="other ranks, debuffed, Stone and played Jacks bring nothing, nor do copies",
)
def _() -> None:
    hand = ["H_Q", "H_J;d=1", "H_J;h=m_stone", "S_J", "S_A"]
    game = playing(hand, jokers=["j_hit_the_road", "j_pareidolia"], draw_pile=[])
    game.step(Action.discard(0, 1, 2))
    assert play(game, 1) == 15
    assert game.jokers[0].value == 1
    game = playing(["H_J", "S_A"], jokers=["j_blueprint", "j_hit_the_road"], draw_pile=[])
    game.step(Action.discard(0))
    assert play(game, 0) == 16 * 1.5 * 1.5
