"""Probes of the blinds II: what bosses do to hands, draws, money and jokers."""

from collections.abc import Sequence
from typing import Any

from tests.probes.blinds import against, facing, luchador, paid
from tests.probes.draws import Draws, by_creation
from tests.probes.table import play, playing, probe, refused, shopping, win_round
from tests.probes.vouchers import SEEDS

from jimbot.balatro import Action, Game, Phase

PAIR = ["S_A", "H_A", "D_K", "C_9", "D_7", "C_5", "H_3"]
"""Aces at positions 0 and 1, five cards without a pair after them."""


def down(game: Game) -> int:
    """How many cards in hand are face down."""
    return sum(card.face_down for card in game.hand)


# --- what is set when the blind is chosen -------------------------------------------------------------------------


@probe("bl_water", met=True, says="starts the round without discards")
def _() -> None:
    game = facing("bl_water")
    assert game.blind.discards_left == 0
    refused(game, Action.discard(0))


@probe("bl_water", met=False, says="gives the discards back when disabled and none is used up by then")
def _() -> None:
    assert luchador(facing("bl_water", jokers=["j_luchador"])).blind.discards_left == 4
    assert facing("bl_water", jokers=["j_chicot"]).blind.discards_left == 4
    assert paid(against("bl_water", PAIR, ["j_matador"]), 0) == 0


@probe("bl_water", met=False, says="comes before Burglar, which gives hands and takes no further discards")
def _() -> None:
    game = facing("bl_water", jokers=["j_burglar"])
    assert (game.blind.hands_left, game.blind.discards_left) == (7, 0)


@probe("bl_needle", met=True, says="leaves a single hand, for half the usual target of a boss")
def _() -> None:
    game = facing("bl_needle")
    assert game.blind.hands_left == 1
    assert game.blind.target == 300
    game.edit(target=1e12)
    game.step(Action.play(0))
    assert game.phase is Phase.GAME_OVER


@probe("bl_needle", met=True, says="comes before Burglar's three hands")
def _() -> None:
    assert facing("bl_needle", jokers=["j_burglar"]).blind.hands_left == 4


@probe("bl_needle", met=False, says="gives the hands back when disabled")
def _() -> None:
    assert luchador(facing("bl_needle", jokers=["j_luchador"])).blind.hands_left == 4
    assert facing("bl_needle", jokers=["j_chicot"]).blind.hands_left == 4
    assert paid(against("bl_needle", PAIR, ["j_matador"]), 0) == 0


@probe("bl_manacle", met=True, says="lowers the hand size by one for the round")
def _() -> None:
    game = facing("bl_manacle")
    assert len(game.hand) == 7
    game.step(Action.discard(0, 1))
    assert len(game.hand) == 7
    win_round(game)
    assert game.state()["hand_size"] == 8


@probe("bl_manacle", met=False, says="gives the card back when disabled: one is drawn at once")
def _() -> None:
    assert len(luchador(facing("bl_manacle", jokers=["j_luchador"])).hand) == 8
    assert len(facing("bl_manacle", jokers=["j_chicot"]).hand) == 8
    assert paid(against("bl_manacle", PAIR, ["j_matador"]), 0) == 0


# --- face-down cards ----------------------------------------------------------------------------------------------


@probe("bl_house", met=True, says="deals the first hand face down; the cards score as ever")
def _() -> None:
    game = facing("bl_house", ["S_A"] * 20)
    assert down(game) == 8
    assert game.public_view()["hand"][0]["card"] is None
    game.edit(target=1e12)
    assert play(game, 0, 1) == 64


@probe("bl_house", met=False, says="draws face up after the first discard or play")
def _() -> None:
    for action in (Action.discard(0, 1, 2), Action.play(0, 1, 2)):
        game = facing("bl_house", target=1e12)
        game.edit(target=1e12)
        game.step(action)
        assert (len(game.hand), down(game)) == (8, 5)


@probe("bl_house", met=False, says="turns the cards up when disabled")
def _() -> None:
    assert down(luchador(facing("bl_house", jokers=["j_luchador"]))) == 0
    assert down(facing("bl_house", jokers=["j_chicot"])) == 0
    assert paid(against("bl_house", PAIR, ["j_matador"]), 0) == 0


@probe("bl_wheel", met=True, says="deals a card face down when its roll is below 1 in 7, at every draw")
def _() -> None:
    seen = 0
    for seed in SEEDS[:20]:
        game = playing(game=Game(seed), blind="bl_wheel")
        draws = Draws(seed)
        expected = sum(draws.real("wheel") < 1 / 7 for _ in range(8))
        assert down(game) == expected
        seen += expected
        game.step(Action.discard(*[place for place, card in enumerate(game.hand) if not card.face_down][:4]))
        expected += sum(draws.real("wheel") < 1 / 7 for _ in range(4))
        assert down(game) == expected
    assert 0 < seen < 80


@probe("bl_wheel", met=True, says="is helped by Oops! All 6s: three make it certain")
def _() -> None:
    assert down(facing("bl_wheel", jokers=["j_oops"] * 3)) == 8


@probe("bl_wheel", met=False, says="turns the cards up when disabled and draws the rest face up")
def _() -> None:
    game = luchador(facing("bl_wheel", jokers=["j_oops"] * 3 + ["j_luchador"]))
    assert down(game) == 0
    game.step(Action.discard(0, 1, 2))
    assert down(game) == 0
    assert down(facing("bl_wheel", jokers=["j_oops"] * 3 + ["j_chicot"])) == 0
    assert paid(against("bl_wheel", PAIR, ["j_matador"]), 0) == 0


@probe("bl_fish", met=True, says="draws face down after a hand was played")
def _() -> None:
    game = facing("bl_fish")
    game.edit(target=1e12)
    game.step(Action.play(0, 1, 2))
    assert down(game) == 3


@probe("bl_fish", met=False, says="draws face up at first and after a discard, also one that follows a play")
def _() -> None:
    game = facing("bl_fish")
    assert down(game) == 0
    game.step(Action.discard(0, 1))
    assert down(game) == 0
    game.edit(target=1e12)
    game.step(Action.play(0, 1))
    assert down(game) == 2
    game.step(Action.discard(*[place for place, card in enumerate(game.hand) if not card.face_down][:3]))
    assert down(game) == 2


@probe("bl_fish", met=False, says="turns the cards up when disabled")
def _() -> None:
    game = facing("bl_fish", jokers=["j_luchador", "j_matador"])
    game.edit(target=1e12)
    assert paid(game, 0, 1) == 0
    assert down(luchador(game)) == 0
    game.step(Action.play(0, 1))
    assert down(game) == 0


@probe("bl_mark", met=True, says="deals face cards face down, at every draw")
def _() -> None:
    game = facing("bl_mark")
    game.edit(target=1e12)
    for _ in range(2):
        cards = game.hand_cards(hidden=True)
        assert all(card.face_down == (card.rank in ("J", "Q", "K")) for card in cards)
        game.step(Action.discard(0, 1, 2, 3))
    assert {
        card.face_down for seed in SEEDS[:5] for card in playing(game=Game(seed), blind="bl_mark").hand
    } == {
        True,
        False,
    }


@probe("bl_mark", met=True, says="deals every card face down under Pareidolia")
def _() -> None:
    assert down(facing("bl_mark", jokers=["j_pareidolia"])) == 8


@probe("bl_mark", met=False, says="deals numbers and Aces face up; disabled, all turn up")
def _() -> None:
    assert down(facing("bl_mark", ["S_A", "H_T", "D_2", "C_9"])) == 0
    kings = ["S_K", "H_Q", "D_J"]
    assert down(facing("bl_mark", kings)) == 3
    assert down(luchador(facing("bl_mark", kings, ["j_luchador"]))) == 0
    assert down(facing("bl_mark", kings, ["j_chicot"])) == 0
    assert paid(against("bl_mark", PAIR, ["j_matador"]), 2) == 0


# --- draws --------------------------------------------------------------------------------------------------------


@probe(
    "bl_serpent", met=True, says="draws exactly three cards after a play or a discard, whatever the hand size"
)
def _() -> None:
    game = facing("bl_serpent")
    assert len(game.hand) == 8
    game.step(Action.discard(0))
    assert len(game.hand) == 10
    game.step(Action.discard(0, 1, 2, 3, 4))
    assert len(game.hand) == 8
    game.edit(target=1e12)
    game.step(Action.play(0, 1, 2, 3))
    assert len(game.hand) == 7


@probe("bl_serpent", met=False, says="draws up to hand size when disabled; Matador is not paid")
def _() -> None:
    game = luchador(facing("bl_serpent", jokers=["j_luchador"]))
    game.step(Action.discard(0, 1, 2, 3, 4))
    assert len(game.hand) == 8
    game = facing("bl_serpent", jokers=["j_chicot"])
    game.step(Action.discard(0))
    assert len(game.hand) == 8
    assert paid(against("bl_serpent", PAIR, ["j_matador"]), 0) == 0


@probe("bl_hook", met=True, says="discards two random held cards before scoring, by its stream")
def _() -> None:
    for seed in SEEDS[:8]:
        game = playing(game=Game(seed), blind="bl_hook")
        state = game.state()
        left = [state["hand"][place]["card"] for place in by_creation(state["hand"]) if place != 0]
        draws = Draws(seed)
        gone = [draws.element("hook", left)]
        left.remove(gone[0])
        gone.append(draws.element("hook", left))
        game.step(Action.play(0))
        pile = {card["card"] for card in game.state()["discard_pile"]}
        assert pile == {state["hand"][0]["card"], *gone}
        assert len(game.hand) == 8
        assert game.blind.discards_left == 4


@probe("bl_hook", met=True, says="takes held Steel cards away before they count")
def _() -> None:
    assert play(against("bl_hook", ["S_A", "H_2;h=m_steel", "D_3;h=m_steel"]), 0) == 16
    assert play(against("bl_hook", ["S_A", "H_2;h=m_steel"]), 0) == 16


@probe("bl_hook", met=True, says="runs the discard effects of seals and jokers, but is no discard")
def _() -> None:
    hand = ["S_A", "H_2;l=Purple", "D_3;l=Purple"]
    game = against(
        "bl_hook", hand, ["j_green_joker;v=5", "j_burnt", "j_mail"], targets={"mail": "3"}, money=0
    )
    play(game, 0)
    assert len(game.consumables) == 2
    assert game.money == 5
    assert game.blind.discards_used == 0
    assert game.hands["High Card"].level == 1


@probe("bl_hook", met=False, says="has nothing to take when all cards are played; Matador is not paid")
def _() -> None:
    assert play(against("bl_hook", ["S_A", "H_A"])) == 64
    assert paid(against("bl_hook", PAIR, ["j_matador"]), 0) == 0


@probe("bl_hook", met=False, says="stops when disabled")
def _() -> None:
    hand = ["S_A", "H_2;h=m_steel", "D_3;h=m_steel"]
    assert play(luchador(against("bl_hook", hand, ["j_luchador"])), 0) == 36
    assert play(against("bl_hook", hand, ["j_chicot"]), 0) == 36


# --- money and levels ---------------------------------------------------------------------------------------------


@probe("bl_tooth", met=True, says="takes $1 per played card before scoring, also into debt")
def _() -> None:
    assert paid(against("bl_tooth", PAIR, money=10), 0, 1, 2) == -3
    assert paid(against("bl_tooth", PAIR, money=1), 0, 1, 2, 3, 4) == -5
    assert play(against("bl_tooth", PAIR, ["j_bull"], money=10), 0) == (5 + 11 + 2 * 9)


@probe(
    "bl_tooth",
    met=False,
    says="takes nothing for discards or held cards, nor when disabled; Matador is not paid",
)
def _() -> None:
    game = against("bl_tooth", PAIR, ["j_luchador"], money=10)
    game.step(Action.discard(0, 1))
    assert game.money == 10
    luchador(game)
    assert paid(game, 0, 1) == 0
    assert paid(against("bl_tooth", PAIR, ["j_chicot"], money=10), 0) == 0
    assert paid(against("bl_tooth", PAIR, ["j_matador"], money=10), 0) == -1


@probe("bl_ox", met=True, says="empties the purse before scoring when the recorded hand is played")
def _() -> None:
    game = against("bl_ox", PAIR, ["j_bull"], ox_hand="Pair", money=50)
    assert play(game, 0, 1) == 64
    assert game.money == 0


@probe("bl_ox", met=True, says="pays Matador after the purse was emptied")
def _() -> None:
    game = against("bl_ox", PAIR, ["j_matador"], ox_hand="Pair", money=50)
    play(game, 0, 1)
    assert game.money == 8


@probe("bl_ox", met=True, says="records the most played hand when a boss was beaten")
def _() -> None:
    game = playing(PAIR, blind="bl_hook")
    assert game.state()["ox_hand"] == "High Card"
    play(game, 0, 1)
    game.edit(hand=PAIR)
    play(game, 0, 1)
    assert game.state()["ox_hand"] == "High Card"
    win_round(game)
    assert game.state()["ox_hand"] == "Pair"


@probe("bl_ox", met=False, says="does not look again after small and big blinds")
def _() -> None:
    game = playing(PAIR)
    play(game, 0, 1)
    game.edit(hand=PAIR)
    play(game, 0, 1)
    shopping(game)
    assert game.state()["ox_hand"] == "High Card"


@probe("bl_ox", met=False, says="leaves the money for other hands, and for all when disabled")
def _() -> None:
    assert paid(against("bl_ox", PAIR, ["j_matador"], ox_hand="Pair", money=50), 0) == 0
    assert paid(luchador(against("bl_ox", PAIR, ["j_luchador"], ox_hand="Pair", money=50)), 0, 1) == 0
    assert paid(against("bl_ox", PAIR, ["j_chicot"], ox_hand="Pair", money=50), 0, 1) == 0


@probe("bl_arm", met=True, says="takes a level off the played hand before it scores")
def _() -> None:
    game = against("bl_arm", PAIR, ["j_matador"], levels={"Pair": 3}, money=0)
    assert play(game, 0, 1) == (25 + 22) * 3
    assert game.hands["Pair"].level == 2
    assert game.money == 8


@probe("bl_arm", met=False, says="does not go below level 1, touches no other hand, and stops when disabled")
def _() -> None:
    game = against("bl_arm", PAIR, ["j_matador"], levels={"Flush": 4}, money=0)
    assert play(game, 0, 1) == 64
    assert (game.hands["Pair"].level, game.hands["Flush"].level, game.money) == (1, 4, 0)
    for joker in ("j_luchador", "j_chicot"):
        game = against("bl_arm", PAIR, [joker], levels={"Pair": 3})
        if joker == "j_luchador":
            luchador(game)
        play(game, 0, 1)
        assert game.hands["Pair"].level == 3


def _flint(cards: Sequence[str], *jokers: str, **changes: Any) -> float:
    game = against("bl_flint", [*cards, "C_2"], jokers, **changes)
    return play(game, *range(len(cards)))


@probe("bl_flint", met=True, says="halves base chips and mult, halves rounded up")
def _() -> None:
    assert _flint(["S_A"]) == (3 + 11) * 1
    assert _flint(["S_A", "H_A"]) == (5 + 22) * 1
    assert _flint(["S_A", "H_A", "D_A"]) == (15 + 33) * 2
    assert _flint(["S_A", "S_9", "S_7", "S_5", "S_3"]) == (18 + 35) * 2
    assert _flint(["S_A", "H_A"], levels={"Pair": 2}) == (13 + 22) * 2


@probe("bl_flint", met=True, says="acts before jokers add to the hand, and pays Matador")
def _() -> None:
    assert _flint(["S_A", "H_A"], "j_joker") == 27 * 5
    game = against("bl_flint", PAIR, ["j_matador"], money=0)
    play(game, 0)
    assert game.money == 8


@probe("bl_flint", met=False, says="stops when disabled, and pays Matador no more")
def _() -> None:
    assert play(luchador(against("bl_flint", PAIR, ["j_luchador"])), 0, 1) == 64
    assert _flint(["S_A", "H_A"], "j_chicot") == 64
    assert paid(against("bl_flint", PAIR, ["j_chicot", "j_matador"]), 0) == 0
