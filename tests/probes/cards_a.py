"""Probes of the eight enhancements."""

from jimbot.balatro import Action, Game

from .draws import Draws
from .table import play, playing, probe, score_of, start, win_round

PAIR = 10 + 18
"""Chips of a level 1 Pair of nines; its Mult is 2."""


def _paid(game: Game) -> int:
    """What the end of the round pays before the cash-out, won with the first card of the hand."""
    before = game.money
    win_round(game)
    return game.money - before


def _only_when_scored(key: str) -> None:
    """Probes of an enhancement that works in play only."""

    @probe(key, met=False, says="does nothing held in hand, or played beside the hand that scores")
    def _() -> None:
        assert score_of(["S_9", "H_9"], held=[f"D_K;h={key}"]) == PAIR * 2
        assert score_of(["S_9", "H_9", f"D_K;h={key}"]) == PAIR * 2

    @probe(key, met=False, says="does nothing on a debuffed card, which gives no chips either")
    def _() -> None:
        assert score_of([f"S_9;h={key};d=1", "H_9"]) == (PAIR - 9) * 2


# Bonus, Mult


@probe("m_bonus", met=True, says="gives 30 chips on top of the rank's, every time it triggers")
def _() -> None:
    assert score_of(["S_9;h=m_bonus", "H_9"]) == (PAIR + 30) * 2
    assert score_of(["S_9;h=m_bonus;b=7", "H_9;h=m_bonus"]) == (PAIR + 30 + 7 + 30) * 2
    assert score_of(["S_9;h=m_bonus;l=Red", "H_9"]) == (PAIR + 30 + 9 + 30) * 2
    assert score_of(["S_9", "H_9", "D_K;h=m_bonus"], jokers=["j_splash"]) == (PAIR + 10 + 30) * 2


_only_when_scored("m_bonus")


@probe("m_mult", met=True, says="gives 4 Mult, every time it triggers")
def _() -> None:
    assert score_of(["S_9;h=m_mult", "H_9"]) == PAIR * (2 + 4)
    assert score_of(["S_9;h=m_mult;l=Red", "H_9"]) == (PAIR + 9) * (2 + 4 + 4)


@probe("m_mult", met=True, says="cards act left to right: Mult before Glass is doubled, after it is not")
def _() -> None:
    assert score_of(["S_9;h=m_mult", "H_9;h=m_glass"]) == PAIR * ((2 + 4) * 2)
    assert score_of(["S_9;h=m_glass", "H_9;h=m_mult"]) == PAIR * (2 * 2 + 4)


_only_when_scored("m_mult")


# Wild


@probe("m_wild", met=True, says="counts as every suit in a Flush")
def _() -> None:
    game = playing(["H_3", "H_4", "H_5", "H_6", "S_8;h=m_wild"])
    assert play(game) == (35 + 26) * 4
    assert game.hands["Flush"].played == 1
    assert score_of(["S_3;h=m_wild", "H_4;h=m_wild", "D_5", "C_6;h=m_wild", "D_8"]) == (35 + 26) * 4


@probe("m_wild", met=True, says="counts as every suit for jokers")
def _() -> None:
    for joker in ("j_greedy_joker", "j_lusty_joker", "j_wrathful_joker", "j_gluttenous_joker"):
        assert score_of(["S_9;h=m_wild"], jokers=[joker]) == (5 + 9) * (1 + 3)


@probe("m_wild", met=False, says="is hit by every suit boss and falls back to its printed suit for a Flush")
def _() -> None:
    for boss in ("bl_club", "bl_goad", "bl_head", "bl_window"):
        game = playing(["D_3;h=m_wild"], blind=boss)
        game.edit(refresh_debuffs=True)
        assert game.hand[0].debuffed
    game = playing(["H_3", "H_4", "H_5", "H_6", "S_8;h=m_wild;d=1"])
    play(game)
    assert game.hands["Flush"].played == 0
    game = playing(["H_3", "H_4", "H_5", "H_6", "H_8;h=m_wild;d=1"])
    assert play(game) == (35 + 18) * 4
    assert game.hands["Flush"].played == 1


@probe("m_wild", met=False, says="has one rank only, gives nothing itself, and no joker sees a debuffed one")
def _() -> None:
    assert score_of(["S_9;h=m_wild", "H_8;h=m_wild"]) == 5 + 9
    assert score_of(["S_9;h=m_wild;d=1"], jokers=["j_wrathful_joker", "j_greedy_joker"]) == 5


# Glass


@probe("m_glass", met=True, says="doubles Mult, every time it triggers")
def _() -> None:
    assert score_of(["S_9;h=m_glass", "H_9"]) == PAIR * (2 * 2)
    assert score_of(["S_9;h=m_glass;l=Red", "H_9;h=m_glass"]) == (PAIR + 9) * (2 * 2 * 2 * 2)


@probe("m_glass", met=True, says="breaks one time in four, each card by one roll however often it triggered")
def _() -> None:
    outcomes = set()
    for number in range(1, 30):
        hand = ["S_9;h=m_glass;l=Red", "H_9;h=m_glass", "D_9;h=m_glass", "C_2;h=m_glass"]
        game = playing(hand, game=start(f"GLASS{number}"), draw_pile=[])
        play(game, 0, 1, 2)
        draws = Draws(game.seed)
        broken = tuple(draws.real("glass") < 1 / 4 for _ in range(3))
        left = [card["card"] for card in game.state()["discard_pile"]]
        assert left == [front[:3] for front, gone in zip(hand, broken, strict=False) if not gone]
        assert game.state()["deck_size"] == 4 - sum(broken)
        outcomes |= set(broken)
    assert outcomes == {True, False}


@probe(
    "m_glass", met=True, says="Oops! All 6s doubles the odds, two of them make it certain; Glass Joker counts"
)
def _() -> None:
    game = playing(["S_9;h=m_glass", "H_9;h=m_glass"], jokers=["j_oops", "j_oops", "j_glass;v=1"])
    play(game)
    assert game.jokers[2].value == 1 + 2 * 0.75
    assert game.state()["discard_pile"] == []
    odds = 0
    for number in range(1, 20):
        game = playing(["S_9;h=m_glass", "H_2"], game=start(f"GLASS{number}"), jokers=["j_oops"])
        play(game, 0)
        broken = Draws(game.seed).real("glass") < 2 / 4
        assert (game.state()["discard_pile"] == []) == broken
        odds += broken
    assert 0 < odds < 19


@probe("m_glass", met=False, says="does not break when held, discarded, unscored, debuffed or blocked")
def _() -> None:
    sure = ["j_oops", "j_oops"]
    for hand, played in (
        (["S_9", "H_2;h=m_glass"], [0]),
        (["S_9", "H_2;h=m_glass"], [0, 1]),
        (["S_9;h=m_glass;d=1", "H_2"], [0]),
    ):
        game = playing(hand, jokers=sure)
        size = game.state()["deck_size"]
        play(game, *played)
        assert game.state()["deck_size"] == size
    game = playing(["S_9;h=m_glass", "H_2"], jokers=sure)
    size = game.state()["deck_size"]
    game.step(Action.discard(0))
    assert game.state()["deck_size"] == size
    game = playing(["S_9;h=m_glass", "H_2"], jokers=sure, blind="bl_psychic")
    assert play(game, 0) == 0
    assert game.state()["deck_size"] == size


_only_when_scored("m_glass")


# Steel


@probe("m_steel", met=True, says="multiplies Mult by 1.5 from the hand, again with Red Seal and Mime")
def _() -> None:
    assert score_of(["S_9", "H_9"], held=["D_K;h=m_steel"]) == PAIR * (2 * 1.5)
    assert score_of(["S_9", "H_9"], held=["D_K;h=m_steel", "D_2;h=m_steel"]) == PAIR * (2 * 1.5**2)
    assert score_of(["S_9", "H_9"], held=["D_K;h=m_steel;l=Red"]) == PAIR * (2 * 1.5**2)
    steel = ["D_K;h=m_steel;l=Red", "D_2;h=m_steel"]
    assert score_of(["S_9", "H_9"], held=steel, jokers=["j_mime"]) == int(PAIR * (2 * 1.5**3 * 1.5**2))


@probe("m_steel", met=True, says="comes after the played cards and before the jokers")
def _() -> None:
    scored = score_of(["S_9;h=m_mult", "H_9"], held=["D_K;h=m_steel"], jokers=["j_joker"])
    assert scored == PAIR * ((2 + 4) * 1.5 + 4)


@probe("m_steel", met=False, says="does nothing when played, scoring or not, or debuffed")
def _() -> None:
    assert score_of(["S_9;h=m_steel", "H_9"]) == PAIR * 2
    assert score_of(["S_9", "H_9", "D_2;h=m_steel"]) == PAIR * 2
    assert score_of(["S_9", "H_9"], held=["D_K;h=m_steel;d=1"]) == PAIR * 2
    assert score_of(["S_9", "H_9"], held=["D_K;h=m_steel;d=1;l=Red"], jokers=["j_mime"]) == PAIR * 2


# Stone


@probe("m_stone", met=True, says="gives 50 chips and always scores, whatever the hand")
def _() -> None:
    assert score_of(["S_9", "H_9", "D_K;h=m_stone"]) == (PAIR + 50) * 2
    assert score_of(["S_A", "D_K;h=m_stone", "D_2;h=m_stone"]) == 5 + 11 + 100
    assert score_of(["D_K;h=m_stone;b=15"]) == 5 + 50 + 15
    assert score_of(["D_K;h=m_stone;l=Red;e=foil"]) == 5 + (50 + 50) * 2


@probe("m_stone", met=True, says="five of them are a High Card")
def _() -> None:
    game = playing(["D_K;h=m_stone"] * 5)
    assert play(game) == 5 + 250
    assert game.hands["High Card"].played == 1


@probe("m_stone", met=True, says="keeps its hidden rank and suit: a Stone stripped by Vampire scores them")
def _() -> None:
    assert score_of(["D_K;h=m_stone"], jokers=["j_vampire;v=1"]) == int((5 + 10) * 1.1)


@probe("m_stone", met=True, says="counts as a played card for The Psychic")
def _() -> None:
    hand = ["S_9", "H_9", *["D_K;h=m_stone"] * 3]
    assert score_of(hand, blind="bl_psychic") == (PAIR + 150) * 2


@probe("m_stone", met=False, says="has no rank and no suit for hands or jokers")
def _() -> None:
    game = playing(["S_9", "H_9;h=m_stone"])
    assert play(game) == 5 + 9 + 50
    assert game.hands["Pair"].played == 0
    game = playing(["H_3", "H_4", "H_5", "H_6", "H_8;h=m_stone"])
    play(game)
    assert game.hands["Flush"].played == 0
    game = playing(["H_3", "H_4", "H_5", "H_6", "H_7;h=m_stone"])
    play(game)
    assert game.hands["High Card"].played == 1
    jokers = ["j_lusty_joker", "j_smiley", "j_even_steven", "j_fibonacci"]
    assert score_of(["H_K;h=m_stone", "H_8;h=m_stone"], jokers=jokers) == 5 + 100


@probe("m_stone", met=False, says="gives nothing when debuffed, and no suit or face boss finds it")
def _() -> None:
    assert score_of(["S_9", "D_K;h=m_stone;d=1"]) == 5 + 9
    for boss in ("bl_window", "bl_plant"):
        game = playing(["D_K;h=m_stone", "D_K"], blind=boss)
        game.edit(refresh_debuffs=True)
        assert [card.debuffed for card in game.hand] == [False, True]


# Gold


@probe("m_gold", met=True, says="pays $3 when held at the end of the round, again with Red Seal and Mime")
def _() -> None:
    assert _paid(playing(["S_9", "H_9;h=m_gold"])) == 3
    assert _paid(playing(["S_9", "H_9;h=m_gold", "D_2;h=m_gold"])) == 6
    assert _paid(playing(["S_9", "H_9;h=m_gold;l=Red"])) == 6
    assert _paid(playing(["S_9", "H_9;h=m_gold;l=Red", "D_2;h=m_gold"], jokers=["j_mime"])) == 9 + 6


@probe("m_gold", met=True, says="the money is there before interest is counted")
def _() -> None:
    money = []
    for hand in (["S_9", "H_9;h=m_gold"], ["S_9", "H_9"]):
        game = win_round(playing(hand, money=7))
        game.step(Action.cash_out())
        money.append(game.money)
    assert money[0] - money[1] == 3 + 1


@probe("m_gold", met=True, says="a card that turns Gold as it is played is not taken by The Pillar for that")
def _() -> None:
    assert score_of(["S_K"], jokers=["j_midas_mask"], blind="bl_pillar") == 5 + 10


@probe(
    "m_gold", met=False, says="pays nothing played, discarded, debuffed, still in the deck, or after a hand"
)
def _() -> None:
    assert _paid(playing(["S_9;h=m_gold", "H_9"])) == 0
    assert _paid(playing(["S_9", "H_9;h=m_gold;d=1"], jokers=["j_mime"])) == 0
    assert _paid(playing(["S_9", "H_9"], draw_pile=["D_2;h=m_gold"])) == 0
    game = playing(["S_9", "H_9;h=m_gold", "D_2"], draw_pile=[])
    game.step(Action.discard(1))
    assert _paid(game) == 0
    game = playing(["S_9", "H_9;h=m_gold", "D_2"])
    play(game, 0)
    assert game.money == 4


# Lucky


@probe("m_lucky", met=True, says="1 in 5 for 20 Mult and, apart from that, 1 in 15 for $20, at every trigger")
def _() -> None:
    seen = set()
    for number in range(1, 60):
        game = playing(["S_9;h=m_lucky;l=Red", "H_9;h=m_lucky"], game=start(f"LUCKY{number}"))
        scored = play(game)
        draws = Draws(game.seed)
        mults = [draws.real("lucky_mult") < 1 / 5 for _ in range(3)]
        pays = [draws.real("lucky_money") < 1 / 15 for _ in range(3)]
        assert scored == (PAIR + 9) * (2 + 20 * sum(mults))
        assert game.money == 4 + 20 * sum(pays)
        seen |= set(zip(mults, pays, strict=True))
    assert {(True, False), (False, True), (False, False)} <= seen


@probe("m_lucky", met=True, says="Oops! All 6s doubles both odds, four of them make both certain")
def _() -> None:
    game = playing(["S_9;h=m_lucky", "H_2"], jokers=["j_oops"] * 4)
    assert play(game, 0) == (5 + 9) * (1 + 20)
    assert game.money == 24
    for number in range(1, 30):
        game = playing(["S_9;h=m_lucky", "H_2"], game=start(f"LUCKY{number}"), jokers=["j_oops"])
        scored = play(game, 0)
        draws = Draws(game.seed)
        assert scored == (5 + 9) * (21 if draws.real("lucky_mult") < 2 / 5 else 1)
        assert game.money == (24 if draws.real("lucky_money") < 2 / 15 else 4)


@probe("m_lucky", met=False, says="rolls nothing when held, unscored or debuffed, however good the odds")
def _() -> None:
    for hand, played, scored in (
        (["S_9", "H_2;h=m_lucky"], [0], 5 + 9),
        (["S_9", "H_2;h=m_lucky"], [0, 1], 5 + 9),
        (["S_9", "S_K;h=m_lucky;d=1"], [0, 1], 5),
    ):
        game = playing(hand, jokers=["j_oops"] * 4)
        assert play(game, *played) == scored
        assert game.money == 4


_only_when_scored("m_lucky")
