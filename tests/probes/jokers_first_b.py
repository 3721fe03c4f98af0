"""Probes of the collection's jokers from Half Joker to Marble Joker."""

from collections.abc import Callable, Sequence
from typing import Any

from tests.probes.jokers_first_a import FRONTS, SEEDS, again, sweep, with_jokers
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
from jimbot.balatro.game.rng import integers, stream

# --- Half Joker, Joker Stencil, Four Fingers ----------------------------------------------------------------

sweep("j_half", ["H_A", "S_K", "C_9"], none=16, one=16 * 21, two=16 * 41)


@probe("j_half", met=True, says="one, two and three played cards are few enough")
def _() -> None:
    assert score_of(["H_A"], held=["C_2"] * 7, jokers=["j_half"]) == 16 * 21
    assert score_of(["H_A", "S_A"], jokers=["j_half"]) == 32 * 22
    assert score_of(["H_A", "S_A", "C_A"], jokers=["j_half"]) == 63 * 23


@probe("j_half", met=False, says="four played cards are too many, scoring or not, Stone cards included")
def _() -> None:
    assert score_of(["H_A", "S_K", "C_9", "C_7"], jokers=["j_half"]) == 16
    assert score_of(["H_A", "S_K", "C_9", "C_7;h=m_stone"], jokers=["j_half"]) == 66
    assert score_of(["H_A", "S_K", "C_9", "C_7", "C_2"], jokers=["j_half"]) == 16


@probe("j_stencil", met=True, says="X1 per empty slot, its own slot counted as empty")
def _() -> None:
    assert score_of(["H_A"], jokers=["j_stencil"]) == 16 * 5
    assert score_of(["H_A"], jokers=["j_stencil", "j_egg"]) == 16 * 4
    assert score_of(["H_A"], jokers=["j_stencil", "j_egg", "j_egg", "j_egg"]) == 16 * 2
    assert with_jokers(["j_stencil"], ["H_A"], joker_slots=8) == 16 * 8


@probe("j_stencil", met=True, says="several Stencils count as empty slots for each other, debuffed ones too")
def _() -> None:
    assert score_of(["H_A"], jokers=["j_stencil", "j_stencil"]) == 16 * 5 * 5
    assert score_of(["H_A"], jokers=["j_stencil", "j_stencil;d=1"]) == 16 * 5


@probe("j_stencil", met=True, says="Negative jokers bring their own slot, itself included")
def _() -> None:
    assert score_of(["H_A"], jokers=["j_stencil;e=negative"]) == 16 * 6
    assert score_of(["H_A"], jokers=["j_stencil", "j_egg;e=negative"]) == 16 * 5


@probe("j_stencil", met=True, says="Blueprint gives the same factor again and takes a slot itself")
def _() -> None:
    assert score_of(["H_A"], jokers=["j_blueprint", "j_stencil"]) == 16 * 4 * 4
    assert score_of(["H_A"], jokers=["j_stencil", "j_brainstorm"]) == 16 * 4 * 4


@probe("j_stencil", met=False, says="nothing when no other slot is empty, or when there are too many jokers")
def _() -> None:
    assert score_of(["H_A"], jokers=["j_stencil", *["j_egg"] * 4]) == 16
    assert with_jokers(["j_stencil", *["j_egg"] * 4], ["H_A"], joker_slots=4) == 16
    assert with_jokers(["j_stencil", *["j_egg"] * 4], ["H_A"], joker_slots=3) == 16


@probe("j_stencil", met=True, says="counts a slot more once Antimatter is redeemed")
def _() -> None:
    game = shopping(jokers=["j_stencil"], money=10, shop_vouchers=["v_antimatter"])
    game.step(Action.redeem(0))
    next_round(game)
    game.edit(target=1e12)
    assert again(game, ["H_A"]) == 16 * 6


@probe("j_stencil", met=False, says="nothing while debuffed")
def _() -> None:
    assert score_of(["H_A"], jokers=["j_stencil;d=1"]) == 16


@probe("j_four_fingers", met=True, says="four cards make a Straight or a Flush; the fifth does not score")
def _() -> None:
    jokers = ["j_four_fingers"]
    assert score_of(["H_2", "H_4", "H_6", "H_8"], jokers=jokers) == 55 * 4
    assert score_of(["H_2", "H_4", "H_6", "H_8", "S_T"], jokers=jokers) == 55 * 4
    assert score_of(["H_5", "S_6", "S_7", "S_8"], jokers=jokers) == 56 * 4
    assert score_of(["H_5", "S_6", "S_7", "S_8", "C_K"], jokers=jokers) == 56 * 4
    assert score_of(["H_A", "S_2", "S_3", "C_4"], jokers=jokers) == 50 * 4
    assert score_of(["H_A", "S_K", "S_Q", "C_J"], jokers=jokers) == 71 * 4


@probe(
    "j_four_fingers", met=True, says="a Straight Flush may have different cards in its Straight and its Flush"
)
def _() -> None:
    cards = ["S_2", "H_6", "S_7", "S_8", "S_9"]
    assert score_of(cards, jokers=["j_four_fingers"]) == (100 + 32) * 8
    assert score_of(["S_6", "S_7", "S_8", "S_9"], jokers=["j_four_fingers"]) == (100 + 30) * 8


@probe(
    "j_four_fingers", met=True, says="a double rank in a four card Straight scores too; five cards still work"
)
def _() -> None:
    assert score_of(["H_6", "S_6", "C_7", "S_8", "S_9"], jokers=["j_four_fingers"]) == (30 + 36) * 4
    assert score_of(["H_5", "S_6", "C_7", "S_8", "S_9"], jokers=["j_four_fingers"]) == (30 + 35) * 4


@probe(
    "j_four_fingers", met=True, says="a 2 beside Jack to Ace and a Stone card beside a Flush change nothing"
)
def _() -> None:
    assert score_of(["H_A", "S_K", "S_Q", "C_J", "D_2"], jokers=["j_four_fingers"]) == 71 * 4
    cards = ["H_2", "H_4", "H_6", "H_8", "H_9;h=m_stone"]
    assert score_of(cards, jokers=["j_four_fingers"]) == (55 + 50) * 4


@probe(
    "j_four_fingers",
    met=False,
    says="three cards are not enough, Blueprint does not add to it, no wrap-around",
)
def _() -> None:
    for jokers in (["j_four_fingers"], ["j_blueprint", "j_four_fingers"], ["j_four_fingers"] * 2):
        assert score_of(["H_7", "S_8", "C_9"], jokers=jokers) == 14
        assert score_of(["H_2", "H_4", "H_6", "S_8"], jokers=jokers) == 13
    assert score_of(["H_Q", "S_K", "S_A", "C_2"], jokers=["j_four_fingers"]) == 16


@probe("j_four_fingers", met=False, says="without it, or with it debuffed, four cards are not enough")
def _() -> None:
    for jokers in ([], ["j_four_fingers;d=1"], ["j_blueprint", "j_four_fingers;d=1"]):
        assert score_of(["H_2", "H_4", "H_6", "H_8"], jokers=jokers) == 13
        assert score_of(["H_5", "S_6", "S_7", "S_8"], jokers=jokers) == 13


# --- Mime, Credit Card --------------------------------------------------------------------------------------

sweep("j_mime", ["H_A"], ["S_2;h=m_steel"], none=24, one=16 * 1.5**2, two=16 * 1.5**3)


@probe(
    "j_mime", met=True, says="held cards act once more for jokers too, and once more again with a Red Seal"
)
def _() -> None:
    assert score_of(["H_A"], held=["S_4"], jokers=["j_mime", "j_raised_fist"]) == 16 * (1 + 8 + 8)
    assert score_of(["H_A"], held=["S_4;l=Red"], jokers=["j_mime", "j_raised_fist"]) == 16 * (1 + 24)
    assert score_of(["H_A"], held=["S_4;h=m_steel;l=Red"], jokers=["j_mime"]) == 16 * 1.5**3


@probe(
    "j_mime", met=False, says="played cards, held cards without effect and debuffed cards are not repeated"
)
def _() -> None:
    assert score_of(["H_A", "S_A;h=m_steel"], held=["S_4", "S_4;l=Red"], jokers=["j_mime"]) == 32 * 2
    assert score_of(["H_A"], held=["S_4;h=m_steel;d=1"], jokers=["j_mime"]) == 16


def _round_end(jokers: Sequence[str], *held: str) -> Game:
    """A run at the cash-out of a round that ended with these cards held."""
    return win_round(playing(["H_2", *held], jokers=jokers, money=0))


@probe(
    "j_mime",
    met=True,
    says="Gold cards pay once more at the end of the round, again with Red Seal or Blueprint",
)
def _() -> None:
    assert _round_end([], "S_4;h=m_gold").money == 3
    assert _round_end(["j_mime"], "S_4;h=m_gold").money == 6
    assert _round_end(["j_mime"], "S_4;h=m_gold;l=Red").money == 9
    assert _round_end(["j_blueprint", "j_mime"], "S_4;h=m_gold", "S_5;h=m_gold").money == 18


@probe("j_mime", met=False, says="a Blue Seal makes one Planet only")
def _() -> None:
    assert keys(_round_end(["j_mime"], "S_4;l=Blue").consumables) == ["c_pluto"]


@probe("j_mime", met=False, says="debuffed Gold cards pay nothing, and others once while it is debuffed")
def _() -> None:
    assert _round_end(["j_mime"], "S_4;h=m_gold;d=1").money == 0
    assert _round_end(["j_mime;d=1"], "S_4;h=m_gold").money == 3


def _in_debt(money: int, jokers: Sequence[str]) -> Game:
    return shopping(
        jokers=jokers,
        money=money,
        shop_slots=["j_joker", "c_pluto"],
        shop_vouchers=["v_blank"],
        shop_packs=["p_arcana_normal_1"],
    )


PRICES: list[tuple[Action, int]] = [
    (Action.buy(0), 2),
    (Action.buy(1), 3),
    (Action.open_pack(0), 4),
    (Action.reroll_shop(), 5),
    (Action.redeem(0), 10),
]


@probe("j_credit_card", met=True, says="cards, packs, vouchers and rerolls may bring the money down to -$20")
def _() -> None:
    for action, price in PRICES:
        game = _in_debt(price - 20, ["j_credit_card"])
        game.step(action)
        assert game.money == -20


@probe("j_credit_card", met=False, says="not below -$20")
def _() -> None:
    for action, price in PRICES:
        refused(_in_debt(price - 21, ["j_credit_card"]), action)


@probe("j_credit_card", met=True, says="two of them allow -$40")
def _() -> None:
    game = _in_debt(-38, ["j_credit_card", "j_credit_card"])
    game.step(Action.buy(0))
    assert game.money == -40
    refused(_in_debt(-39, ["j_credit_card", "j_credit_card"]), Action.buy(0))


@probe("j_credit_card", met=False, says="none without it, while it is debuffed, or by Blueprint")
def _() -> None:
    refused(_in_debt(1, []), Action.buy(0))
    refused(_in_debt(1, ["j_credit_card;d=1"]), Action.buy(0))
    refused(_in_debt(1, ["j_credit_card;s=P;n=1"]), Action.buy(0))
    refused(_in_debt(-19, ["j_blueprint", "j_credit_card"]), Action.buy(0))


@probe(
    "j_credit_card", met=False, says="once it is sold the debt stays and nothing more can be bought on credit"
)
def _() -> None:
    game = _in_debt(-10, ["j_credit_card"])
    game.step(Action.sell_joker(0))
    assert game.money == -9
    for action, _price in PRICES:
        refused(game, action)
    game.edit(shop_slots=["j_joker;r=1"])
    game.step(Action.buy(0))
    assert game.money == -9


@probe(
    "j_credit_card", met=True, says="counts from the moment it is bought; the boss may be rerolled on credit"
)
def _() -> None:
    game = shopping(money=1, shop_slots=["j_credit_card", "j_joker"])
    refused(game, Action.buy(1))
    game.step(Action.buy(0))
    game.step(Action.buy(1))
    assert game.money == -2
    run = start()
    run.edit(jokers=["j_credit_card"], vouchers=["v_directors_cut"], money=-11)
    refused(run, Action.reroll_boss())
    run.edit(money=-10)
    run.step(Action.reroll_boss())
    assert run.money == -20


# --- Ceremonial Dagger, Banner, Mystic Summit, Marble Joker -------------------------------------------------

sweep("j_ceremonial;v=10", ["H_A"], none=16, one=16 * 11, two=16 * 21)


def _stabbed(*jokers: str) -> tuple[list[str], list[float]]:
    """Keys left after a blind is selected, and the daggers' Mult."""
    game = playing(jokers=jokers)
    return keys(game.jokers), [joker.value for joker in game.jokers if joker.key == "j_ceremonial"]


@probe(
    "j_ceremonial", met=True, says="destroys its right neighbour and adds twice the sell value to its Mult"
)
def _() -> None:
    game = playing(["H_A"], jokers=["j_egg", "j_ceremonial", "j_stencil", "j_banner"])
    assert keys(game.jokers) == ["j_egg", "j_ceremonial", "j_banner"]
    assert play(game) == (16 + 30 * 4) * (1 + 8)
    assert _stabbed("j_ceremonial", "j_joker") == (["j_ceremonial"], [2])
    assert _stabbed("j_ceremonial", "j_joker;e=foil") == (["j_ceremonial"], [4])
    assert _stabbed("j_ceremonial", "j_egg;b=9") == (["j_ceremonial"], [22])
    assert _stabbed("j_ceremonial", "j_stencil;s=R") == (["j_ceremonial"], [2])
    assert _stabbed("j_ceremonial", "j_stencil;d=1") == (["j_ceremonial"], [8])


@probe("j_ceremonial", met=True, says="strikes at every blind selected and keeps its Mult")
def _() -> None:
    game = playing(jokers=["j_ceremonial", "j_joker", "j_stencil"])
    assert (game.jokers[0].key, game.jokers[0].value) == ("j_ceremonial", 2)
    next_round(shopping(game))
    assert (keys(game.jokers), game.jokers[0].value) == (["j_ceremonial"], 10)


@probe(
    "j_ceremonial", met=True, says="what it destroys no longer acts, be it a second dagger, Marble or Burglar"
)
def _() -> None:
    assert _stabbed("j_ceremonial", "j_ceremonial;v=30", "j_joker") == (["j_ceremonial", "j_joker"], [6])
    game = playing(jokers=["j_ceremonial", "j_marble"])
    assert game.state()["deck_size"] == 52
    game = playing(jokers=["j_ceremonial", "j_burglar"])
    assert (game.blind.hands_left, game.blind.discards_left) == (4, 4)
    assert keys(playing(jokers=["j_ceremonial", "j_chicot"], blind="bl_needle").jokers) == ["j_ceremonial"]
    assert playing(jokers=["j_ceremonial", "j_chicot"], blind="bl_needle").blind.hands_left == 1
    assert playing(jokers=["j_ceremonial", "j_blueprint", "j_burglar"]).blind.hands_left == 7
    assert playing(jokers=["j_ceremonial", "j_drunkard"]).blind.discards_left == 4
    game = playing(jokers=["j_ceremonial", "j_joker;e=negative"])
    assert (game.state()["joker_slots"], game.jokers[0].value) == (5, 6)


@probe("j_ceremonial", met=False, says="spares Eternal jokers and everything but the right neighbour")
def _() -> None:
    assert _stabbed("j_ceremonial", "j_joker;s=E") == (["j_ceremonial", "j_joker"], [0])
    assert _stabbed("j_joker", "j_ceremonial") == (["j_joker", "j_ceremonial"], [0])
    assert _stabbed("j_ceremonial", "j_joker;s=E", "j_egg")[0] == ["j_ceremonial", "j_joker", "j_egg"]
    two = _stabbed("j_ceremonial", "j_ceremonial;s=E", "j_joker")
    assert two == (["j_ceremonial", "j_ceremonial"], [0, 2])


@probe(
    "j_ceremonial", met=False, says="does not strike while debuffed, by Blueprint, or when a blind is skipped"
)
def _() -> None:
    assert _stabbed("j_ceremonial;d=1", "j_joker") == (["j_ceremonial", "j_joker"], [0])
    assert _stabbed("j_blueprint", "j_ceremonial", "j_joker") == (["j_blueprint", "j_ceremonial"], [2])
    assert _stabbed("j_ceremonial;s=X", "j_brainstorm;s=E", "j_joker")[0][2:] == ["j_joker"]
    run = start()
    run.edit(jokers=["j_ceremonial", "j_joker"], skip_tags=["tag_skip", "tag_skip"])
    run.step(Action.skip_blind())
    assert (keys(run.jokers), run.jokers[0].value) == (["j_ceremonial", "j_joker"], 0)


sweep("j_banner", ["H_A"], none=16, one=16 + 90, two=16 + 180, discards_left=3)


@probe("j_banner", met=True, says="30 Chips per discard left, one discard fewer after each")
def _() -> None:
    game = playing(["H_A", "S_2", "S_3"], jokers=["j_banner"], discards_left=2)
    game.step(Action.discard(1))
    assert again(game, ["H_A"]) == 16 + 30
    assert with_jokers(["j_banner"], ["H_A"], discards_left=7) == 16 + 210


@probe("j_banner", met=False, says="nothing with no discards left, so under The Water")
def _() -> None:
    assert score_of(["H_A"], jokers=["j_banner"], discards_left=0) == 16
    assert score_of(["H_A"], jokers=["j_banner"], blind="bl_water") == 16


sweep("j_mystic_summit", ["H_A"], none=16, one=16 * 16, two=16 * 31, discards_left=0)


@probe(
    "j_mystic_summit", met=True, says="after the last discard, and at once under The Water or beside Burglar"
)
def _() -> None:
    game = playing(["H_A", "S_2", "S_3"], jokers=["j_mystic_summit"], discards_left=1)
    game.step(Action.discard(1))
    assert again(game, ["H_A"]) == 16 * 16
    assert score_of(["H_A"], jokers=["j_mystic_summit"], blind="bl_water") == 16 * 16
    assert score_of(["H_A"], jokers=["j_mystic_summit", "j_burglar"]) == 16 * 16


@probe("j_mystic_summit", met=False, says="nothing while a discard is left")
def _() -> None:
    assert score_of(["H_A"], jokers=["j_mystic_summit"], discards_left=1) == 16
    assert score_of(["H_A"], jokers=["j_mystic_summit"]) == 16


def _stones(game: Game) -> list[dict[str, Any]]:
    cards = game.state()["hand"] + game.state()["draw_pile"]
    return sorted(
        (card for card in cards if card["enhancement"] == "m_stone"), key=lambda card: card["created"]
    )


@probe(
    "j_marble",
    met=True,
    says="a Stone card with the front the seed says joins the deck at each blind selected",
)
def _() -> None:
    game = playing(jokers=["j_marble"])
    assert game.state()["deck_size"] == 53
    next_round(shopping(game))
    assert game.state()["deck_size"] == 54
    fronts = [FRONTS[integers(use.seed, 1, 52)[0] - 1] for use in stream(SEED, "marb_fr", 2)]
    assert [card["card"] for card in _stones(game)] == fronts
    assert all(card["seal"] is card["edition"] is None for card in _stones(game))


@probe(
    "j_marble", met=True, says="before the shuffle, so that the Stone card may be in the first hand or not"
)
def _() -> None:
    def in_hand(seed: str) -> bool:
        game = playing(jokers=["j_marble"], game=start(seed))
        return any(card.enhancement == "m_stone" for card in game.hand)

    assert {in_hand(seed) for seed in SEEDS} == {True, False}


@probe("j_marble", met=True, says="Blueprint adds another; each counts as a card added (Hologram)")
def _() -> None:
    game = playing(jokers=["j_hologram", "j_blueprint", "j_marble"])
    assert (game.state()["deck_size"], len(_stones(game))) == (54, 2)
    assert game.jokers[0].value == 1.5


def _no_stone(act: Callable[[Game], object], *jokers: str) -> bool:
    run = start()
    run.edit(jokers=list(jokers), skip_tags=["tag_skip", "tag_skip"])
    act(run)
    return run.state()["deck_size"] == 52 and not _stones(run)


@probe("j_marble", met=False, says="no Stone card while debuffed or when the blind is skipped")
def _() -> None:
    assert _no_stone(lambda run: run.step(Action.select_blind()), "j_marble;d=1")
    assert _no_stone(lambda run: run.step(Action.select_blind()), "j_blueprint", "j_marble;d=1")
    assert _no_stone(lambda run: run.step(Action.skip_blind()), "j_marble")
