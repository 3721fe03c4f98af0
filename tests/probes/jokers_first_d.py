"""Probes of the collection's jokers from Gros Michel to Ice Cream, but those of ranks."""

from collections.abc import Sequence
from functools import cache

from tests.probes.jokers_first_a import RANKS, SEEDS, again, sweep, with_jokers
from tests.probes.table import (
    SEED,
    keys,
    next_round,
    play,
    playing,
    probe,
    score_of,
    shopping,
    start,
    win_round,
)

from jimbot.balatro import Action, Game
from jimbot.balatro.game.rng import reals, stream

OOPS = ["j_oops"] * 3
"""With these a chance of 1 in 6 is certain."""

STRAIGHT = ["H_5", "S_6", "S_7", "S_8", "S_9"]
JUNK = ["H_A", "S_2", "C_4", "D_6", "H_9"]
"""Five cards that are a High Card."""


def _rolls(seed: str, key: str, count: int = 1) -> list[float]:
    return [reals(use.seed)[0] for use in stream(seed, key, count)]


# --- Gros Michel --------------------------------------------------------------------------------------------

sweep("j_gros_michel", ["H_A"], none=16, one=16 * 16, two=16 * 31)


@probe("j_gros_michel", met=True, says="1 in 6 to be destroyed at the end of a round, as the seed says")
def _() -> None:
    ends = set()
    for seed in SEEDS:
        game = win_round(playing(jokers=["j_gros_michel"], game=start(seed)))
        gone = _rolls(seed, "gros_michel")[0] < 1 / 6
        assert keys(game.jokers) == ([] if gone else ["j_gros_michel"])
        ends.add(gone)
    assert ends == {True, False}


@probe("j_gros_michel", met=True, says="rolls once for itself and not for its copies, and again each round")
def _() -> None:
    def fates(seed: str) -> list[bool]:
        return [roll < 1 / 6 for roll in _rolls(seed, "gros_michel", 2)]

    seed = next(seed for seed in SEEDS if fates(seed) == [False, True])
    game = win_round(playing(jokers=["j_blueprint", "j_gros_michel"], game=start(seed)))
    assert keys(game.jokers) == ["j_blueprint", "j_gros_michel"]
    win_round(next_round(shopping_from(game)))
    assert keys(game.jokers) == ["j_blueprint"]


def shopping_from(game: Game) -> Game:
    """The shop after a cash-out."""
    game.step(Action.cash_out())
    return game


@probe("j_gros_michel", met=False, says="is not destroyed between the hands of a round, nor while debuffed")
def _() -> None:
    game = playing(jokers=["j_gros_michel", *OOPS])
    again(game, ["H_A"])
    assert "j_gros_michel" in keys(game.jokers)
    win_round(game)
    assert "j_gros_michel" not in keys(game.jokers)
    game = win_round(playing(jokers=["j_gros_michel;d=1", *OOPS]))
    assert "j_gros_michel" in keys(game.jokers)


def _offers(game: Game) -> set[str]:
    """Keys that many rerolls of the shop show."""
    shopping_from(game)
    game.edit(money=10**6, jokers=[])
    shown: set[str] = set()
    for _reroll in range(600):
        game.step(Action.reroll_shop())
        assert game.shop is not None
        shown |= set(keys(game.shop.slots))
    return shown & {"j_gros_michel", "j_cavendish"}


@probe(
    "j_gros_michel", met=True, says="once it was destroyed shops offer Cavendish and no Gros Michel any more"
)
def _() -> None:
    assert _offers(win_round(playing(jokers=["j_gros_michel", *OOPS]))) == {"j_cavendish"}


@probe(
    "j_gros_michel",
    met=False,
    says="before, and also after it was sold, shops offer Gros Michel and no Cavendish",
)
def _() -> None:
    assert _offers(win_round(playing())) == {"j_gros_michel"}
    game = playing(jokers=["j_gros_michel"])
    game.step(Action.sell_joker(0))
    assert _offers(win_round(game)) == {"j_gros_michel"}


@cache
def _stickers() -> dict[str, set[str]]:
    """Letters of the stickers with which the shops of a Gold Stake run offer the jokers."""
    game = shopping(start(stake=8), money=10**7)
    seen: dict[str, set[str]] = {}
    for _reroll in range(2000):
        game.step(Action.reroll_shop())
        assert game.shop is not None
        for item in game.shop.slots:
            if item:
                letters = item.item.partition(";s=")[2].partition(";")[0]
                seen.setdefault(item.key, set()).update(letters)
    return seen


def _never(key: str, letter: str, name: str) -> None:
    @probe(key, met=False, says=f"is offered with the other stickers of the Gold Stake but never {name}")
    def _() -> None:
        assert _stickers()[key] == set("EPR") - {letter}


_never("j_gros_michel", "E", "Eternal")
_never("j_ice_cream", "E", "Eternal")
_never("j_ceremonial", "P", "Perishable")
_never("j_ride_the_bus", "P", "Perishable")
_never("j_runner", "P", "Perishable")


@probe("j_joker", met=True, says="may be offered with every sticker of the Gold Stake")
def _() -> None:
    assert _stickers()["j_joker"] == set("EPR")


# --- Business Card, Supernova -------------------------------------------------------------------------------


def _earned(played: Sequence[str], *jokers: str, held: Sequence[str] = (), seed: str = SEED) -> int:
    """What a hand earns while it scores."""
    game = playing([*played, *held], jokers=jokers, game=start(seed), money=0)
    play(game, *range(len(played)))
    return game.money


@probe("j_business", met=True, says="1 in 2 to pay $2 for each scoring face, as the seed says")
def _() -> None:
    for seed in SEEDS[:20]:
        hits = [roll < 1 / 2 for roll in _rolls(seed, "business", 3)]
        assert _earned(["H_K", "S_K", "C_K"], "j_business", seed=seed) == 2 * sum(hits)
    assert len({_earned(["H_K"], "j_business", seed=seed) for seed in SEEDS}) == 2


@probe(
    "j_business",
    met=True,
    says="when every chance comes off, $2 for every trigger of every face and for every copy",
)
def _() -> None:
    for rank in "JQK":
        assert _earned([f"H_{rank}"], "j_business", "j_oops") == 2
    assert _earned(["H_K;l=Red", "S_K"], "j_business", "j_oops") == 6
    assert _earned(["H_K"], "j_blueprint", "j_business", "j_oops") == 4
    assert _earned(["H_K"], "j_business", "j_brainstorm", "j_oops") == 4
    assert _earned(["H_2"], "j_business", "j_pareidolia", "j_oops") == 2


@probe("j_business", met=True, says="its money counts at once for Bull")
def _() -> None:
    game = playing(["H_K"], jokers=["j_business", "j_oops", "j_bull"], money=1)
    assert play(game) == 15 + 2 * 3


@probe(
    "j_business", met=False, says="pays nothing for other ranks, Stone, debuffed, held and not scoring faces"
)
def _() -> None:
    for rank in RANKS.keys() - set("JQK"):
        assert _earned([f"H_{rank}"], "j_business", "j_oops") == 0
    assert _earned(["H_K;h=m_stone"], "j_business", "j_oops") == 0
    assert _earned(["H_K;d=1"], "j_business", "j_oops") == 0
    assert _earned(["H_A", "H_K"], "j_business", "j_oops", held=["S_K"]) == 0
    assert _earned(["H_K"], "j_business;d=1", "j_oops") == 0


sweep("j_supernova", ["H_A"], none=16, one=16 * 5, two=16 * 9, plays={"High Card": 3})


@probe("j_supernova", met=True, says="1 Mult for each time the hand type was played, this time included")
def _() -> None:
    game = playing(jokers=["j_supernova"])
    assert [again(game, ["H_A"]) for _hand in range(3)] == [16 * 2, 16 * 3, 16 * 4]
    next_round(shopping(game))
    game.edit(target=1e12)
    assert again(game, ["H_A"]) == 16 * (1 + 5)


@probe("j_supernova", met=True, says="a hand that the blind refused was played all the same")
def _() -> None:
    game = playing(jokers=["j_supernova"], blind="bl_psychic")
    assert again(game, ["H_A"]) == 0
    assert again(game, JUNK) == 16 * (1 + 2)


@probe("j_supernova", met=False, says="plays of other hand types do not count, nor of hands contained")
def _() -> None:
    plays = {"High Card": 9, "Three of a Kind": 7}
    assert with_jokers(["j_supernova"], ["H_A", "S_A"], plays=plays) == 32 * 3


# --- Ride the Bus -------------------------------------------------------------------------------------------

sweep("j_ride_the_bus;v=5", ["H_A"], none=16, one=16 * 7, two=16 * 13)


@probe("j_ride_the_bus", met=True, says="1 Mult more for each hand in a row without a scoring face, at once")
def _() -> None:
    game = playing(jokers=["j_ride_the_bus"])
    assert [again(game, ["H_A"]) for _hand in range(3)] == [16 * 2, 16 * 3, 16 * 4]
    next_round(shopping(game))
    game.edit(target=1e12)
    grown = game.jokers[0].value
    assert again(game, ["H_A"]) == 16 * (2 + grown)


@probe("j_ride_the_bus", met=True, says="faces that do not score, are held, Stone or debuffed do not stop it")
def _() -> None:
    jokers = ["j_ride_the_bus;v=5"]
    assert score_of(["H_A", "S_K"], held=["C_K"], jokers=jokers) == 16 * 7
    assert score_of(["H_A", "S_K;h=m_stone"], jokers=jokers) == 66 * 7
    assert score_of(["S_K;d=1"], jokers=jokers) == 5 * 7


@probe("j_ride_the_bus", met=False, says="a scoring face resets it to 0 before it adds anything")
def _() -> None:
    for rank in "JQK":
        game = playing(jokers=["j_ride_the_bus;v=5"])
        assert again(game, [f"H_{rank}"]) == 15
        assert game.jokers[0].value == 0
        assert again(game, ["H_A"]) == 32
    assert score_of(["H_K", "S_4"], jokers=["j_ride_the_bus;v=5", "j_splash"]) == 19
    assert score_of(["H_A", "S_K"], jokers=["j_ride_the_bus;v=5", "j_splash"]) == 26


@probe(
    "j_ride_the_bus",
    met=False,
    says="a copy does not grow it; it neither grows nor resets debuffed or refused",
)
def _() -> None:
    game = playing(jokers=["j_blueprint", "j_ride_the_bus;v=5"])
    again(game, ["H_A"])
    assert game.jokers[1].value == 6
    game = playing(jokers=["j_ride_the_bus;v=5;d=1"])
    again(game, ["H_A"])
    again(game, ["H_K"])
    assert game.jokers[0].value == 5
    game = playing(jokers=["j_ride_the_bus;v=5"], blind="bl_psychic")
    again(game, ["H_A"])
    again(game, ["H_K"])
    assert game.jokers[0].value == 5


# --- Space Joker, Egg ---------------------------------------------------------------------------------------


@probe("j_space", met=True, says="1 in 4 to raise the hand's level before it scores, as the seed says")
def _() -> None:
    raised = set()
    for seed in SEEDS:
        game = playing(["H_A", "S_A"], jokers=["j_space"], game=start(seed))
        hit = _rolls(seed, "space")[0] < 1 / 4
        assert play(game) == ((25 + 22) * 3 if hit else 32 * 2)
        assert game.hands["Pair"].level == 1 + hit
        raised.add(hit)
    assert raised == {True, False}


@probe(
    "j_space",
    met=True,
    says="when every chance comes off, once per hand, once more for each copy; only the hand played rises",
)
def _() -> None:
    game = playing(["H_A", "S_A"], jokers=["j_blueprint", "j_space", "j_oops", "j_oops"])
    assert play(game) == (40 + 22) * 4
    assert {name: hand.level for name, hand in game.hands.items() if hand.level > 1} == {"Pair": 3}


@probe("j_space", met=True, says="under The Arm the level falls first and then rises again")
def _() -> None:
    game = playing(jokers=["j_space", "j_oops", "j_oops"], blind="bl_arm", levels={"Pair": 3})
    assert again(game, ["H_A", "S_A"]) == (40 + 22) * 4
    assert game.hands["Pair"].level == 3


@probe("j_space", met=False, says="neither rolls nor raises while debuffed or in a hand the blind refuses")
def _() -> None:
    game = playing(jokers=["j_space;d=1", "j_oops", "j_oops"])
    assert again(game, ["H_A", "S_A"]) == 64
    game = playing(jokers=["j_space", "j_oops", "j_oops"], blind="bl_psychic")
    assert again(game, ["H_A"]) == 0
    assert game.hands["High Card"].level == 1
    seed = next(seed for seed in SEEDS if _rolls(seed, "space", 2)[0] < 1 / 4 <= _rolls(seed, "space", 2)[1])
    game = playing(jokers=["j_space"], blind="bl_psychic", game=start(seed))
    assert again(game, ["H_A"]) == 0
    assert again(game, JUNK) == (15 + 11) * 2


@probe("j_egg", met=True, says="$3 more sell value at the end of each round, paid when sold")
def _() -> None:
    game = playing(jokers=["j_egg"])
    assert game.jokers[0].sell_value == 2
    shopping(game)
    assert game.jokers[0].sell_value == 5
    next_round(game)
    shopping(game)
    assert game.jokers[0].sell_value == 8
    game.edit(money=0)
    game.step(Action.sell_joker(0))
    assert game.money == 8


@probe("j_egg", met=True, says="still grows in the round in which it perishes, and then no more")
def _() -> None:
    game = shopping(playing(jokers=["j_egg;s=P;n=1"]))
    assert (game.jokers[0].sell_value, game.jokers[0].debuffed) == (5, True)
    next_round(game)
    shopping(game)
    assert game.jokers[0].sell_value == 5


@probe("j_egg", met=False, says="no gain from hands or skipped blinds, while debuffed, or by Blueprint")
def _() -> None:
    game = playing(jokers=["j_blueprint", "j_egg", "j_egg;d=1"])
    again(game, ["H_A"])
    assert [joker.sell_value for joker in game.jokers] == [5, 2, 2]
    win_round(game)
    assert [joker.sell_value for joker in game.jokers] == [5, 5, 2]
    run = start()
    run.edit(jokers=["j_egg"], skip_tags=["tag_skip", "tag_skip"])
    run.step(Action.skip_blind())
    assert run.jokers[0].sell_value == 2


# --- Burglar ------------------------------------------------------------------------------------------------


def _tries(*jokers: str, blind: str = "bl_small") -> tuple[int, int]:
    """Hands and discards of a round with these jokers."""
    round_ = playing(jokers=jokers, blind=blind).blind
    return round_.hands_left, round_.discards_left


@probe("j_burglar", met=True, says="no discards and 3 more hands in every round, 3 more again for each copy")
def _() -> None:
    assert _tries("j_burglar") == (7, 0)
    assert _tries("j_burglar", "j_burglar") == (10, 0)
    assert _tries("j_blueprint", "j_burglar") == (10, 0)
    assert _tries("j_burglar", "j_brainstorm") == (10, 0)
    game = playing(jokers=["j_burglar"])
    next_round(shopping(game))
    assert (game.blind.hands_left, game.blind.discards_left) == (7, 0)


@probe("j_burglar", met=True, says="acts after The Needle and The Water took theirs")
def _() -> None:
    assert _tries("j_burglar", blind="bl_needle") == (4, 0)
    assert _tries("j_burglar", blind="bl_water") == (7, 0)


@probe("j_burglar", met=False, says="nothing without it, while debuffed, or once it is sold")
def _() -> None:
    assert _tries() == (4, 4)
    assert _tries("j_burglar;d=1") == (4, 4)
    assert _tries("j_blueprint", "j_burglar;d=1") == (4, 4)
    game = playing(jokers=["j_burglar"])
    game.step(Action.sell_joker(0))
    assert (game.blind.hands_left, game.blind.discards_left) == (7, 0)
    next_round(shopping(game))
    assert (game.blind.hands_left, game.blind.discards_left) == (4, 4)


# --- Blackboard ---------------------------------------------------------------------------------------------

sweep("j_blackboard", ["H_A"], ["S_9", "C_4"], none=16, one=48, two=144)


@probe("j_blackboard", met=True, says="X3 when all held cards are Spades or Clubs, or none is held")
def _() -> None:
    for held in (["S_2"], ["C_2"], ["S_2", "C_2", "S_K"], []):
        assert score_of(["H_A"], held=held, jokers=["j_blackboard"]) == 48
    assert score_of(["H_A"], held=["H_2", "D_2"], jokers=["j_blackboard"], blind="bl_hook") == 48


@probe("j_blackboard", met=True, says="debuffed black cards, Wild cards and face-down black cards count")
def _() -> None:
    for held in (["S_2;d=1"], ["H_2;h=m_wild"], ["S_2;f=1"], ["C_2;h=m_wild;d=1"]):
        assert score_of(["H_A"], held=held, jokers=["j_blackboard"]) == 48


@probe("j_blackboard", met=False, says="one red, Stone or debuffed red Wild card is enough to spoil it")
def _() -> None:
    for held in (["S_2", "H_2"], ["D_2"], ["S_2;h=m_stone", "C_2"], ["H_2;h=m_wild;d=1"], ["D_2;d=1"]):
        assert score_of(["S_A"], held=held, jokers=["j_blackboard"]) == 16


@probe("j_blackboard", met=False, says="Smeared Joker does not make red cards black")
def _() -> None:
    assert score_of(["S_A"], held=["D_2"], jokers=["j_blackboard", "j_smeared"]) == 16
    assert score_of(["S_A"], held=["C_2"], jokers=["j_blackboard", "j_smeared"]) == 48


# --- Runner, Ice Cream --------------------------------------------------------------------------------------

sweep("j_runner;v=30", STRAIGHT, none=65 * 4, one=(65 + 45) * 4, two=(65 + 90) * 4)


@probe(
    "j_runner", met=True, says="15 Chips more at each hand that contains a Straight, counted at once and kept"
)
def _() -> None:
    game = playing(jokers=["j_runner"])
    assert again(game, STRAIGHT) == (65 + 15) * 4
    assert again(game, ["H_5", "H_6", "H_7", "H_8", "H_9"]) == (135 + 30) * 8
    assert again(game, ["H_A"]) == 16 + 30
    next_round(shopping(game))
    game.edit(target=1e12)
    assert again(game, STRAIGHT) == (65 + 45) * 4


@probe("j_runner", met=True, says="Straights by Four Fingers and Shortcut count")
def _() -> None:
    assert score_of(STRAIGHT[:4], jokers=["j_runner", "j_four_fingers"]) == (56 + 15) * 4
    assert score_of(["H_2", "S_4", "S_6", "S_8", "S_T"], jokers=["j_runner", "j_shortcut"]) == (60 + 15) * 4


@probe("j_runner", met=False, says="no gain without a Straight; what it has it still adds")
def _() -> None:
    for cards, base in ((["H_A"], 16), (STRAIGHT[:4], 13), (["S_A", "S_K", "S_Q", "H_J", "S_9"], 16)):
        game = playing(jokers=["j_runner;v=30"])
        assert again(game, cards) == base + 30
        assert game.jokers[0].value == 30


@probe("j_runner", met=False, says="a copy does not grow it; it does not grow debuffed or in a refused hand")
def _() -> None:
    game = playing(jokers=["j_blueprint", "j_runner;v=30"])
    again(game, STRAIGHT)
    assert game.jokers[1].value == 45
    game = playing(jokers=["j_runner;v=30;d=1"])
    again(game, STRAIGHT)
    assert game.jokers[0].value == 30
    game = playing(jokers=["j_runner;v=30"], blind="bl_eye", hands_seen=["Straight"])
    assert again(game, STRAIGHT) == 0
    assert game.jokers[0].value == 30


sweep("j_ice_cream", ["H_A"], none=16, one=116, two=216)


@probe("j_ice_cream", met=True, says="100 Chips, 5 fewer after each hand, and gone after the twentieth")
def _() -> None:
    game = playing(jokers=["j_ice_cream"], hands_left=30, hand_size=1)
    scores = [again(game, ["H_A"]) for _hand in range(21)]
    assert scores == [16 + chips for chips in range(100, -1, -5)]
    assert game.jokers == []


@probe("j_ice_cream", met=True, says="is still there with 5 Chips and melts away with that hand")
def _() -> None:
    game = playing(jokers=["j_ice_cream;v=10"])
    assert again(game, ["H_A"]) == 26
    assert game.jokers[0].value == 5
    assert again(game, ["H_A"]) == 21
    assert game.jokers == []


@probe("j_ice_cream", met=True, says="melts in the hand that wins the round and in a hand the blind refuses")
def _() -> None:
    game = win_round(playing(jokers=["j_ice_cream"]))
    assert game.jokers[0].value == 95
    game = playing(jokers=["j_ice_cream"], blind="bl_psychic")
    assert again(game, ["H_A"]) == 0
    assert game.jokers[0].value == 95


@probe("j_ice_cream", met=False, says="does not melt by discards, while debuffed, or faster with copies")
def _() -> None:
    game = playing(jokers=["j_ice_cream"])
    game.step(Action.discard(0))
    assert game.jokers[0].value == 100
    game = playing(jokers=["j_ice_cream;d=1", "j_blueprint", "j_ice_cream"])
    again(game, ["H_A"])
    assert [joker.value for joker in game.jokers if joker.key == "j_ice_cream"] == [100, 95]
