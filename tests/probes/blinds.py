"""Probes of the blinds I: what is common to all, targets, debuffs and what bosses take away."""

from collections.abc import Sequence
from functools import cache
from typing import Any

from tests.probes.table import next_round, play, playing, probe, refused, score_of, shopping, start, win_round

from jimbot.balatro import Action, Game, Phase

FIRST_ANTE = {
    "bl_hook": 1, "bl_ox": 6, "bl_house": 2, "bl_wall": 2, "bl_wheel": 2, "bl_arm": 2, "bl_club": 1, "bl_fish": 2,
    "bl_psychic": 1, "bl_goad": 1, "bl_water": 2, "bl_window": 1, "bl_manacle": 1, "bl_eye": 3, "bl_mouth": 2,
    "bl_plant": 4, "bl_serpent": 5, "bl_pillar": 1, "bl_needle": 2, "bl_head": 1, "bl_tooth": 3, "bl_flint": 2,
    "bl_mark": 2, "bl_final_acorn": 8, "bl_final_leaf": 8, "bl_final_vessel": 8, "bl_final_heart": 8,
    "bl_final_bell": 8,
}  # fmt: skip
LARGE = {"bl_wall": 4, "bl_needle": 1, "bl_final_vessel": 6}
"""Multipliers of the target that are not 2."""


def against(blind: str, hand: Sequence[str], jokers: Sequence[str] = (), **changes: Any) -> Game:
    """A round against the boss with these cards in hand, debuffed as the boss wants it."""
    game = playing(hand, blind=blind, jokers=jokers, **changes)
    game.edit(refresh_debuffs=True)
    return game


def facing(blind: str, cards: Sequence[str] = (), jokers: Sequence[str] = (), **changes: Any) -> Game:
    """The boss selected with a deck of exactly these cards (the usual deck if none), its own target kept."""
    game = start()
    if cards:
        changes["draw_pile"] = list(cards)
    place = {"bl_small": "small", "bl_big": "big"}.get(blind, "boss")
    game.edit(
        next_blind=place, jokers=list(jokers), **({"boss": blind} if place == "boss" else {}), **changes
    )
    game.step(Action.select_blind())
    return game


def debuffed(game: Game) -> list[str]:
    """Fronts of the debuffed cards in hand, sorted."""
    return sorted(card.card or "" for card in game.hand if card.debuffed)


def luchador(game: Game) -> Game:
    """The run after its Luchador was sold."""
    keys = [joker.key for joker in game.owned_jokers(hidden=True)]
    game.step(Action.sell_joker(keys.index("j_luchador")))
    return game


def paid(game: Game, *positions: int) -> int:
    """How the money changes when these positions are played."""
    before = game.money
    play(game, *positions)
    return game.money - before


# --- choice, targets and rewards ----------------------------------------------------------------------------------


@cache
def _bosses_of(ante: int) -> frozenset[str]:
    found = set()
    for number in range(1, 200):
        game = start(f"BOSS{number}")
        if ante > 1:
            game.edit(ante=ante - 1)
            playing(game=game, blind="bl_hook")
            shopping(game)
            assert game.ante == ante
        found.add(game.state()["boss"])
    return frozenset(found)


def _enter_choice_probes(blind: str, first: int) -> None:
    @probe(blind, met=True, says=f"may be the boss from ante {first} on")
    def _() -> None:
        assert blind in _bosses_of(first)

    if first > 1:

        @probe(blind, met=False, says=f"is never the boss before ante {first}")
        def _() -> None:
            assert all(blind not in _bosses_of(ante) for ante in range(1, min(first, 8)))

    if first < 8:

        @probe(blind, met=False, says="is not the boss of ante 8, which belongs to the five showdown bosses")
        def _() -> None:
            assert blind not in _bosses_of(8)
            assert len(_bosses_of(8)) == 5

    @probe(blind, met=True, says="has its target and pays its reward")
    def _() -> None:
        game = facing(blind)
        assert game.blind.target == 300 * LARGE.get(blind, 2)
        game.edit(target=0)
        game.step(Action.play(next((place for place, card in enumerate(game.hand) if card.forced), 0)))
        assert game.state()["cash_out"]["reward"] == (8 if first == 8 else 5)

    @probe(blind, met=False, says="cannot be skipped")
    def _() -> None:
        game = start()
        game.edit(boss=blind, next_blind="boss")
        refused(game, Action.skip_blind())


for _blind, _first in FIRST_ANTE.items():
    _enter_choice_probes(_blind, _first)


@probe("bl_small", met=True, says="asks for the ante's base and pays $3")
def _() -> None:
    game = facing("bl_small")
    assert game.blind.target == 300
    win_round(game)
    assert game.state()["cash_out"]["reward"] == 3


@probe("bl_small", met=False, says="is no boss: it pays Matador nothing and Luchador has nothing to disable")
def _() -> None:
    game = playing(["C_A", "H_K"], jokers=["j_matador", "j_luchador"], target=600)
    luchador(game)
    assert game.blind.target == 600
    assert not game.blind.disabled
    assert paid(game, 0) == 0


@probe("bl_big", met=True, says="asks for one and a half times the base and pays $4")
def _() -> None:
    game = facing("bl_big")
    assert game.blind.target == 450
    win_round(game)
    assert game.state()["cash_out"]["reward"] == 4


@probe("bl_big", met=False, says="debuffs nothing and may be skipped")
def _() -> None:
    game = facing("bl_big", jokers=["j_chicot"])
    assert not game.blind.disabled
    assert debuffed(game) == []
    other = start()
    other.edit(next_blind="big", skip_tags=["tag_skip", "tag_skip"])
    other.step(Action.skip_blind())
    assert other.state()["next_blind"] == "boss"


# --- suits --------------------------------------------------------------------------------------------------------

SUITS = {"bl_club": ("C", "S"), "bl_goad": ("S", "C"), "bl_head": ("H", "D"), "bl_window": ("D", "H")}
"""The suit a boss debuffs and the one that goes with it under Smeared Joker."""


def _enter_suit_probes(blind: str, suit: str, partner: str) -> None:
    others = [letter for letter in "CDHS" if letter != suit]
    every = [f"{letter}_{rank}" for letter in "CDHS" for rank in "A5"]

    @probe(blind, met=True, says="debuffs every card of its suit, in hand and in the deck")
    def _() -> None:
        state = facing(blind).state()
        cards = [*state["hand"], *state["draw_pile"]]
        assert len(cards) == 52
        assert all(card["debuffed"] == (card["card"][0] == suit) for card in cards)

    @probe(blind, met=True, says="takes the chips of its suit, whose cards still form the hand")
    def _() -> None:
        game = against(blind, [f"{suit}_A;e=foil", f"{partner}_A", f"{suit}_3"])
        assert play(game, 0, 1) == (10 + 11) * 2

    @probe(blind, met=True, says="debuffs Wild cards of any suit")
    def _() -> None:
        assert debuffed(facing(blind, [*every, f"{partner}_9;h=m_wild"][-8:])) == sorted(
            [card for card in every[-7:] if card[0] == suit] + [f"{partner}_9"]
        )

    @probe(blind, met=True, says="debuffs the partner suit too under Smeared Joker")
    def _() -> None:
        game = facing(blind, every, jokers=["j_smeared"])
        assert debuffed(game) == sorted(card for card in every if card[0] in (suit, partner))

    @probe(blind, met=True, says="debuffs at once a card that takes its suit, and frees one that leaves it")
    def _() -> None:
        into = {"C": "c_moon", "D": "c_star", "H": "c_sun", "S": "c_world"}
        hand = [f"{others[0]}_A", f"{suit}_9", f"{suit}_5"]
        game = against(blind, hand, consumables=[into[suit], into[others[1]]])
        game.step(Action.use(0, 0))
        assert game.hand[0].debuffed
        game.step(Action.use(0, 1))
        assert not game.hand[1].debuffed
        assert game.hand[2].debuffed

    @probe(blind, met=False, says="leaves the other suits and Stone cards alone")
    def _() -> None:
        game = facing(blind, [f"{letter}_A" for letter in others] + [f"{suit}_K;h=m_stone"])
        assert debuffed(game) == []
        assert play(game, 0) > 5

    @probe(blind, met=False, says="is disabled by Luchador at once and by Chicot from the start")
    def _() -> None:
        game = against(blind, [f"{suit}_A", f"{suit}_5"], ["j_luchador"])
        assert len(debuffed(game)) == 2
        luchador(game)
        assert debuffed(game) == []
        assert play(game, 0) == 16
        game = facing(blind, every, jokers=["j_chicot"])
        assert game.blind.disabled
        assert debuffed(game) == []

    @probe(blind, met=True, says="pays Matador when a debuffed card is among the scoring ones")
    def _() -> None:
        assert paid(against(blind, [f"{suit}_A", f"{others[0]}_5"], ["j_matador"]), 0) == 8

    @probe(
        blind,
        met=False,
        says="pays Matador nothing when the debuffed card does not score or the boss is disabled",
    )
    def _() -> None:
        hand = [f"{others[0]}_A", f"{suit}_5"]
        assert paid(against(blind, hand, ["j_matador"]), 0) == 0
        assert paid(against(blind, hand, ["j_matador"]), 0, 1) == 0
        assert paid(luchador(against(blind, hand, ["j_matador", "j_luchador"])), 1) == 0

    @probe(blind, met=False, says="lifts its debuffs when the round is over")
    def _() -> None:
        game = win_round(facing(blind))
        assert not any(card["debuffed"] for card in game.state()["draw_pile"])


for _blind, (_suit, _partner) in SUITS.items():
    _enter_suit_probes(_blind, _suit, _partner)


# --- other debuffs ------------------------------------------------------------------------------------------------

MIXED = ["S_K", "H_Q", "C_J", "D_A", "S_T", "H_2", "D_K;h=m_stone"]


@probe("bl_plant", met=True, says="debuffs Jacks, Queens and Kings")
def _() -> None:
    game = facing("bl_plant", MIXED)
    assert debuffed(game) == ["C_J", "H_Q", "S_K"]
    assert play(against("bl_plant", ["S_K", "H_K", "D_2"]), 0, 1) == 20


@probe("bl_plant", met=True, says="debuffs every card under Pareidolia")
def _() -> None:
    assert len(debuffed(facing("bl_plant", MIXED, jokers=["j_pareidolia"]))) == 7


@probe("bl_plant", met=True, says="pays Matador when a debuffed face scores, not otherwise")
def _() -> None:
    assert paid(against("bl_plant", ["S_K", "D_2"], ["j_matador"]), 0) == 8
    assert paid(against("bl_plant", ["S_K", "D_2"], ["j_matador"]), 1) == 0


@probe("bl_plant", met=False, says="leaves numbers, Aces and Stone cards alone, and all when disabled")
def _() -> None:
    assert not {"D_A", "S_T", "H_2", "D_K"} & set(debuffed(facing("bl_plant", MIXED)))
    assert debuffed(facing("bl_plant", MIXED, jokers=["j_chicot"])) == []
    assert debuffed(luchador(facing("bl_plant", MIXED, jokers=["j_luchador"]))) == []


@probe("bl_pillar", met=True, says="debuffs the cards already played in this ante")
def _() -> None:
    game = playing(["S_A", "H_A", "D_A", "C_2"], draw_pile=["D_3", "D_4"], discard_pile=[])
    game.step(Action.play(0, 1))
    win_round(game)
    shopping(game)
    next_round(game, "bl_pillar")
    played = debuffed(game)
    assert {"S_A", "H_A"} < set(played)
    assert len(played) == 3


@probe("bl_pillar", met=True, says="pays Matador when a card played before scores again")
def _() -> None:
    game = against("bl_pillar", ["S_A;p=1", "H_A"], ["j_matador"])
    assert debuffed(game) == ["S_A"]
    other = game.clone()
    assert paid(game, 0, 1) == 8
    assert paid(other, 1) == 0


@probe("bl_pillar", met=False, says="leaves discarded cards and those of earlier antes alone")
def _() -> None:
    game = playing(["S_A", "H_A", "D_A", "C_2"], draw_pile=["D_3", "D_4"], discard_pile=[])
    game.step(Action.discard(0, 1))
    game.step(Action.sort_hand("rank"))
    first = game.hand[0].card
    shopping(win_round(game))
    next_round(game, "bl_pillar")
    assert debuffed(game) == [first]
    shopping(win_round(game))
    assert game.ante == 2
    next_round(game, "bl_pillar")
    assert debuffed(game) == []


@probe("bl_pillar", met=False, says="is disabled by Luchador and by Chicot")
def _() -> None:
    assert debuffed(luchador(against("bl_pillar", ["S_A;p=1", "H_A"], ["j_luchador"]))) == []
    assert debuffed(facing("bl_pillar", ["S_A;p=1", "H_A"], ["j_chicot"])) == []


@probe("bl_final_leaf", met=True, says="debuffs every playing card")
def _() -> None:
    state = facing("bl_final_leaf").state()
    assert all(card["debuffed"] for card in [*state["hand"], *state["draw_pile"]])
    assert play(against("bl_final_leaf", ["S_A", "H_A"])) == 20


@probe(
    "bl_final_leaf", met=True, says="debuffs cards added during the round, and pays Matador for scoring ones"
)
def _() -> None:
    game = against("bl_final_leaf", ["S_A", "H_K"], ["j_matador"], consumables=["c_cryptid"])
    game.step(Action.use(0, 0))
    assert [card.debuffed for card in game.hand] == [True] * 4
    assert paid(game, 0) == 8


@probe("bl_final_leaf", met=False, says="ends when any joker is sold during the round")
def _() -> None:
    game = against("bl_final_leaf", ["S_A", "H_A"], ["j_joker"])
    game.step(Action.sell_joker(0))
    assert debuffed(game) == []
    assert not any(card["debuffed"] for card in game.state()["draw_pile"])
    assert play(game) == 64


@probe(
    "bl_final_leaf",
    met=False,
    says="is not ended by selling a consumable, nor by a joker sold before the round",
)
def _() -> None:
    game = against("bl_final_leaf", ["S_A", "H_A"], consumables=["c_fool"])
    game.step(Action.sell_consumable(0))
    assert len(debuffed(game)) == 2
    game = start()
    game.edit(jokers=["j_joker"], boss="bl_final_leaf", next_blind="boss")
    game.step(Action.sell_joker(0))
    game.step(Action.select_blind())
    assert len(debuffed(game)) == 8
    assert debuffed(facing("bl_final_leaf", jokers=["j_chicot"])) == []


# --- targets ------------------------------------------------------------------------------------------------------


@probe("bl_wall", met=False, says="halves its target when disabled, by Luchador or by Chicot")
def _() -> None:
    assert facing("bl_wall", jokers=["j_luchador"]).blind.target == 1200
    assert luchador(facing("bl_wall", jokers=["j_luchador"])).blind.target == 600
    assert facing("bl_wall", jokers=["j_chicot"]).blind.target == 600


@probe("bl_final_vessel", met=False, says="drops to a third of its target when disabled")
def _() -> None:
    assert facing("bl_final_vessel", jokers=["j_luchador"]).blind.target == 1800
    assert luchador(facing("bl_final_vessel", jokers=["j_luchador"])).blind.target == 600
    assert facing("bl_final_vessel", jokers=["j_chicot"]).blind.target == 600


def _enter_large_probe(blind: str) -> None:
    @probe(blind, met=False, says="pays Matador nothing: it acts on the target alone")
    def _() -> None:
        assert paid(against(blind, ["S_A", "H_K"], ["j_matador"]), 0) == 0
        assert score_of(["S_A", "H_A"], blind=blind) == 64

    @probe(
        blind,
        met=True,
        says="is won by the hand after the disabling when the score already meets the lower target",
    )
    def _() -> None:
        game = facing(blind, ["S_2"] * 30, jokers=["j_luchador"])
        game.edit(score=700)
        luchador(game)
        if game.phase is Phase.PLAYING:
            game.step(Action.play(0))
        assert game.phase is Phase.ROUND_EVAL


for _blind in ("bl_wall", "bl_final_vessel"):
    _enter_large_probe(_blind)
