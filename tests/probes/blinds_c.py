"""Probes of the blinds III: bosses that refuse hands, and those that touch jokers or the selection."""

from tests.probes.blinds import against, facing, luchador, paid
from tests.probes.draws import Draws, by_creation
from tests.probes.table import SEED, keys, play, playing, probe, refused, win_round
from tests.probes.vouchers import SEEDS

from jimbot.balatro import Action, Game, Phase

PAIR = ["S_A", "H_A", "D_K", "C_9", "D_7", "C_5", "H_3"]
"""Aces at positions 0 and 1, five cards without a pair after them."""


def again(game: Game, *positions: int) -> float:
    """What the positions score with the same hand dealt anew."""
    game.edit(hand=PAIR, refresh_debuffs=True)
    return play(game, *positions)


# --- refused hands ------------------------------------------------------------------------------------------------


@probe(
    "bl_psychic", met=True, says="lets hands of fewer than five cards score nothing, though they are played"
)
def _() -> None:
    game = against("bl_psychic", PAIR, ["j_joker"])
    assert play(game, 0, 1) == 0
    assert game.blind.hands_left == 3
    assert game.blind.hands_played == 1
    assert game.hands["Pair"].played == 1
    assert again(game, 0, 1, 2, 3) == 0
    assert len(game.state()["discard_pile"]) == 6


@probe("bl_psychic", met=True, says="pays Matador for the refused hand")
def _() -> None:
    assert paid(against("bl_psychic", PAIR, ["j_matador"]), 0) == 8


@probe(
    "bl_psychic",
    met=False,
    says="lets five cards score, also when fewer of them count, and any when disabled",
)
def _() -> None:
    assert play(against("bl_psychic", PAIR), 0, 1, 2, 3, 4) == 64
    assert paid(against("bl_psychic", PAIR, ["j_matador"]), 0, 1, 2, 3, 4) == 0
    assert play(luchador(against("bl_psychic", PAIR, ["j_luchador"])), 0) == 16
    assert play(against("bl_psychic", PAIR, ["j_chicot"]), 0) == 16


@probe("bl_eye", met=True, says="lets a hand type played before in the round score nothing")
def _() -> None:
    game = against("bl_eye", PAIR, ["j_matador"], money=0)
    assert play(game, 0, 1) == 64
    assert game.money == 0
    assert again(game, 0, 1) == 0
    assert game.money == 8
    assert again(game, 0) == 16
    assert game.blind.hands_left == 1
    assert again(game, 2) == 0
    assert game.phase is Phase.GAME_OVER


@probe(
    "bl_eye",
    met=False,
    says="forgets at the start of the round what was played before, and stops when disabled",
)
def _() -> None:
    game = playing(PAIR, plays={"Pair": 3})
    play(game, 0, 1)
    win_round(game)
    game.step(Action.cash_out())
    game.step(Action.leave_shop())
    playing(PAIR, game=game, blind="bl_eye")
    assert play(game, 0, 1) == 64
    game = against("bl_eye", PAIR, ["j_luchador"])
    play(game, 0, 1)
    luchador(game)
    assert again(game, 0, 1) == 64
    game = against("bl_eye", PAIR, ["j_chicot"])
    play(game, 0, 1)
    assert again(game, 0, 1) == 64


@probe("bl_mouth", met=True, says="lets only the type of the round's first hand score")
def _() -> None:
    game = against("bl_mouth", PAIR, ["j_matador"], money=0, hands_left=6)
    assert play(game, 0, 1) == 64
    assert again(game, 0) == 0
    assert game.money == 8
    assert again(game, 0, 1) == 64
    assert game.money == 8


@probe("bl_mouth", met=False, says="stops when disabled")
def _() -> None:
    game = against("bl_mouth", PAIR, ["j_luchador"])
    play(game, 0, 1)
    luchador(game)
    assert again(game, 0) == 16
    game = against("bl_mouth", PAIR, ["j_chicot"])
    play(game, 0, 1)
    assert again(game, 0) == 16


@probe(
    "bl_mouth", met=True, says="still runs what follows a hand: Ice Cream melts, Green Joker does not grow"
)
def _() -> None:
    game = against("bl_mouth", PAIR, ["j_green_joker;v=4", "j_ice_cream;v=100"])
    play(game, 0, 1)
    assert again(game, 0) == 0
    assert [joker.value for joker in game.jokers] == [5, 90]


# --- jokers -------------------------------------------------------------------------------------------------------

CROWD = ("j_joker", "j_mime", "j_egg", "j_dusk")


@probe("bl_final_acorn", met=True, says="turns the jokers face down and shuffles them three times")
def _() -> None:
    for seed in SEEDS[:8]:
        game = playing(game=Game(seed), blind="bl_final_acorn", jokers=CROWD)
        draws = Draws(seed)
        for _ in range(3):
            order = draws.shuffled("aajk", CROWD)
        assert tuple(keys(game.owned_jokers(hidden=True))) == tuple(order)
        assert keys(game.jokers) == [None] * 4
        assert all(joker.face_down for joker in game.jokers)
        assert [joker["key"] for joker in game.public_view()["jokers"]] == [None] * 4


@probe("bl_final_acorn", met=True, says="leaves face-down jokers working; a single one is turned over too")
def _() -> None:
    game = against("bl_final_acorn", PAIR, ["j_joker"])
    assert game.jokers[0].face_down
    assert play(game, 0) == 16 * 5


@probe(
    "bl_final_acorn",
    met=False,
    says="turns the jokers up when disabled, in their new order, and after the round",
)
def _() -> None:
    game = facing("bl_final_acorn", jokers=[*CROWD, "j_luchador"])
    order = [key for key in keys(game.owned_jokers(hidden=True)) if key != "j_luchador"]
    luchador(game)
    assert keys(game.jokers) == order
    assert not any(joker.face_down for joker in game.jokers)
    game = win_round(facing("bl_final_acorn", jokers=CROWD))
    assert not any(joker.face_down for joker in game.jokers)
    assert paid(against("bl_final_acorn", PAIR, ["j_matador"]), 0) == 0


@probe("bl_final_acorn", met=False, says="does not leave jokers face down under Chicot")
def _() -> None:
    game = facing("bl_final_acorn", jokers=["j_joker", "j_chicot", "j_egg"])
    assert not any(joker.face_down for joker in game.jokers)


def _off(game: Game) -> list[str | None]:
    return [joker.key for joker in game.jokers if joker.debuffed]


@probe("bl_final_heart", met=True, says="debuffs one joker of its stream, another one after each hand")
def _() -> None:
    for seed in SEEDS[:8]:
        game = playing(game=Game(seed), blind="bl_final_heart", jokers=CROWD)
        draws = Draws(seed)
        chosen = draws.element("crimson_heart", CROWD)
        assert _off(game) == [chosen]
        for _ in range(3):
            game.step(Action.play(0))
            chosen = draws.element("crimson_heart", [key for key in CROWD if key != chosen])
            assert _off(game) == [chosen]


@probe("bl_final_heart", met=True, says="keeps a lonely joker debuffed")
def _() -> None:
    game = against("bl_final_heart", PAIR, ["j_joker"])
    assert _off(game) == ["j_joker"]
    assert play(game, 0) == 16
    assert _off(game) == ["j_joker"]


@probe("bl_final_heart", met=False, says="keeps its choice after a discard")
def _() -> None:
    game = facing("bl_final_heart", jokers=CROWD)
    chosen = _off(game)
    game.step(Action.discard(0))
    game.step(Action.discard(0))
    assert _off(game) == chosen


@probe("bl_final_heart", met=False, says="releases the joker when disabled and after the round")
def _() -> None:
    outcomes = set()
    for seed in SEEDS[:8]:
        game = playing(game=Game(seed), blind="bl_final_heart", jokers=["j_luchador", "j_joker"])
        chosen = _off(game)[0]
        luchador(game)
        assert _off(game) == []
        assert game.blind.disabled == (chosen == "j_joker")
        outcomes.add(chosen)
    assert outcomes == {"j_luchador", "j_joker"}
    assert _off(facing("bl_final_heart", jokers=["j_joker", "j_chicot", "j_mime"])) == []
    assert _off(win_round(facing("bl_final_heart", jokers=CROWD))) == []


@probe("bl_final_heart", met=False, says="pays Matador nothing")
def _() -> None:
    jokers = ["j_matador", "j_matador"]
    assert paid(against("bl_final_heart", PAIR, jokers), 0) == 0


# --- selection ----------------------------------------------------------------------------------------------------


def _forced(game: Game) -> list[int]:
    return [place for place, card in enumerate(game.hand) if card.forced]


@probe(
    "bl_final_bell", met=True, says="forces one card of the hand, by its stream, into every play and discard"
)
def _() -> None:
    for seed in SEEDS[:8]:
        game = playing(game=Game(seed), blind="bl_final_bell")
        hand = game.state()["hand"]
        place = Draws(seed).element("cerulean_bell", by_creation(hand))
        assert _forced(game) == [place]
        other = (place + 1) % 8
        refused(game, Action.play(other))
        refused(game, Action.discard(other))
        game.step(Action.discard(other, place))
        assert len(_forced(game)) == 1


@probe("bl_final_bell", met=True, says="keeps the card forced until it leaves the hand")
def _() -> None:
    game = facing("bl_final_bell")
    game.edit(target=1e12)
    place = _forced(game)[0]
    game.step(Action.play(place))
    again_forced = _forced(game)
    assert len(again_forced) == 1
    refused(game, Action.play((again_forced[0] + 1) % 8))


@probe("bl_final_bell", met=False, says="releases the card when disabled")
def _() -> None:
    for game in (
        luchador(facing("bl_final_bell", jokers=["j_luchador"])),
        facing("bl_final_bell", jokers=["j_chicot"]),
    ):
        assert _forced(game) == []
        for place in range(8):
            assert game.why_not(Action.play(place)) is None


@probe("bl_final_bell", met=False, says="pays Matador nothing")
def _() -> None:
    game = playing(jokers=["j_matador"], blind="bl_final_bell")
    assert paid(game, _forced(game)[0]) == 0


# --- disabling ----------------------------------------------------------------------------------------------------


@probe(
    "bl_head", met=False, says="is disabled by Chicot when he is bought or made in the middle of the round"
)
def _() -> None:
    for seed in (SEED,):
        game = playing(["H_A", "H_K"], game=Game(seed), blind="bl_head", jokers=["j_joker"])
        game.edit(refresh_debuffs=True, consumables=["c_ankh"])
        assert game.hand[0].debuffed
        game.edit(jokers=["j_chicot"])
        game.step(Action.use(0))
        assert not any(card.debuffed for card in game.hand)


@probe("bl_head", met=True, says="is not disabled by a debuffed Chicot, nor by a debuffed Luchador")
def _() -> None:
    game = facing("bl_head", ["H_A", "H_K"], ["j_chicot;d=1", "j_luchador;d=1"])
    assert not game.blind.disabled
    luchador(game)
    assert not game.blind.disabled
    assert [card.debuffed for card in game.hand] == [True, True]


@probe("bl_head", met=False, says="is disabled by a sold Blueprint that copies Luchador")
def _() -> None:
    game = facing("bl_head", ["H_A", "H_K"], ["j_blueprint", "j_luchador"])
    game.step(Action.sell_joker(0))
    assert game.blind.disabled


@probe("bl_final_leaf", met=False, says="is ended by the sale of a debuffed joker too")
def _() -> None:
    game = facing("bl_final_leaf", ["H_A", "H_K"], ["j_joker;d=1"])
    game.step(Action.sell_joker(0))
    assert not any(card.debuffed for card in game.hand)


@probe("bl_needle", met=True, says="is not disabled by a Luchador sold before the round")
def _() -> None:
    game = Game(SEED)
    game.edit(jokers=["j_luchador"], boss="bl_needle", next_blind="boss")
    luchador(game)
    game.step(Action.select_blind())
    assert game.blind.hands_left == 1
    assert not game.blind.disabled


@probe("bl_needle", met=True, says="acts again in a later ante after having been disabled once")
def _() -> None:
    game = luchador(facing("bl_needle", jokers=["j_luchador"]))
    win_round(game)
    game.step(Action.cash_out())
    game.step(Action.leave_shop())
    playing(game=game, blind="bl_needle")
    assert game.blind.hands_left == 1


@probe("bl_ox", met=True, says="sets the money to $0 also out of debt")
def _() -> None:
    game = against("bl_ox", PAIR, ox_hand="Pair", money=-6)
    play(game, 0, 1)
    assert game.money == 0


@probe(
    "bl_final_bell", met=True, says="forces another card at the next draw when the forced one was destroyed"
)
def _() -> None:
    game = facing("bl_final_bell", consumables=["c_hanged_man"])
    game.edit(target=1e12)
    game.step(Action.use(0, _forced(game)[0]))
    assert len(game.hand) == 7
    assert _forced(game) == []
    game.step(Action.discard(0))
    assert len(_forced(game)) == 1


@probe("bl_serpent", met=True, says="draws what is left when the pile holds fewer than three cards")
def _() -> None:
    game = facing("bl_serpent")
    game.edit(draw_pile=["S_2", "S_3"], target=1e12)
    game.step(Action.discard(0))
    assert len(game.hand) == 9


@probe("bl_final_heart", met=True, says="passes to another joker after the next hand when its joker was sold")
def _() -> None:
    game = facing("bl_final_heart", jokers=CROWD)
    game.edit(target=1e12)
    game.step(Action.sell_joker([joker.debuffed for joker in game.jokers].index(True)))
    assert _off(game) == []
    game.step(Action.play(0))
    assert len(_off(game)) == 1


@probe("bl_manacle", met=True, says="pays no heed to Luchador's sale once the round is over")
def _() -> None:
    game = win_round(facing("bl_manacle", jokers=["j_luchador"]))
    game.step(Action.cash_out())
    luchador(game)
    assert game.state()["hand_size"] == 8


@probe("bl_plant", met=True, says="debuffs a card at once that becomes a face card")
def _() -> None:
    game = against("bl_plant", ["H_T", "S_K", "D_2"], consumables=["c_strength", "c_strength"])
    game.step(Action.use(0, 0))
    assert game.hand[0].debuffed
    game.step(Action.use(0, 1))
    assert game.hand[1].card == "S_A"
    assert not game.hand[1].debuffed


@probe("bl_psychic", met=True, says="counts played cards, Stone cards among them, not scoring ones")
def _() -> None:
    stones = ["S_2;h=m_stone"] * 5
    assert play(against("bl_psychic", [*stones, "H_3"]), 0, 1, 2, 3) == 0
    assert play(against("bl_psychic", [*stones, "H_3"]), 0, 1, 2, 3, 4) == 5 + 250
