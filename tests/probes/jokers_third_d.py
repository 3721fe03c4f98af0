"""Probes of the jokers from The Duo to Cartomancer."""

from typing import Any

from jimbot.balatro import Action, Game

from .draws import POOLS, Draws
from .table import keys, next_round, play, playing, probe, score_of, shopping, start, win_round

SEEDS = [f"PROBE{number}" for number in range(1, 400) if "0" not in str(number)]


def played_on(game: Game, rounds: int) -> Game:
    """Win so many rounds; the run is then in the shop."""
    for turn in range(rounds):
        if turn:
            next_round(game)
        shopping(game)
    return game


# --- The Duo, The Trio, The Family, The Order, The Tribe ---------------------------------------------------------

STRAIGHT = ["H_2", "D_3", "S_4", "C_5", "C_6"]
FLUSH = ["H_2", "H_4", "H_6", "H_8", "H_T"]
PAIR, TWO_PAIR, THREE = ["H_K", "D_K"], ["H_K", "D_K", "S_9", "C_9"], ["H_K", "D_K", "S_K"]
HOUSE, FOUR, FIVE = [*THREE, "S_9", "C_9"], [*THREE, "C_K"], [*THREE, "C_K", "C_K"]
FLUSH_HOUSE, FLUSH_FIVE = ["H_K", "H_K", "H_K", "H_9", "H_9"], ["H_K"] * 5
STRAIGHT_FLUSH = ["H_2", "H_3", "H_4", "H_5", "H_6"]
PAIRED_RUN = ["H_2", "D_3", "S_4", "C_5", "C_2"]
"""A pair and, with Four Fingers, a Straight."""

BASE = {
    "high": (["H_A"], 16), "pair": (PAIR, 30 * 2), "two": (TWO_PAIR, 58 * 2), "three": (THREE, 60 * 3),
    "straight": (STRAIGHT, 50 * 4), "flush": (FLUSH, 65 * 4), "house": (HOUSE, 88 * 4), "four": (FOUR, 100 * 7),
    "run": (STRAIGHT_FLUSH, 120 * 8), "five": (FIVE, 170 * 12), "flush house": (FLUSH_HOUSE, 188 * 14),
    "flush five": (FLUSH_FIVE, 210 * 16),
}  # fmt: skip
"""Hands and what they score by themselves."""

CONTAINED = {
    "j_duo": (2, {"pair", "two", "three", "house", "four", "five", "flush house", "flush five"}, "a Pair"),
    "j_trio": (3, {"three", "house", "four", "five", "flush house", "flush five"}, "a Three of a Kind"),
    "j_family": (4, {"four", "five", "flush five"}, "a Four of a Kind"),
    "j_order": (3, {"straight", "run"}, "a Straight"),
    "j_tribe": (2, {"flush", "run", "flush house", "flush five"}, "a Flush"),
}
"""Factor, hands that contain the part, and the part in words."""


def _contained(key: str, factor: int, holding: set[str], part: str) -> None:
    """Enter the probes of one of the five jokers."""

    @probe(key, met=True, says=f"X{factor} Mult for every hand that contains {part}, once more for a copy")
    def _() -> None:
        for name in holding:
            hand, score = BASE[name]
            assert score_of(hand, jokers=[key]) == score * factor
        hand, score = BASE[min(holding)]
        assert score_of(hand, jokers=["j_blueprint", key]) == score * factor**2

    @probe(key, met=False, says=f"nothing for hands without {part}, nor when debuffed")
    def _() -> None:
        for name in BASE.keys() - holding:
            hand, score = BASE[name]
            assert score_of(hand, jokers=[key]) == score
        hand, score = BASE[min(holding)]
        assert score_of(hand, jokers=[f"{key};d=1"]) == score


for _key, (_factor, _holding, _part) in CONTAINED.items():
    _contained(_key, _factor, _holding, _part)


@probe("j_duo", met=True, says="debuffed cards still make the Pair; a Pair within a Straight counts")
def _() -> None:
    assert score_of(["H_K;d=1", "D_K;d=1"], jokers=["j_duo"]) == 10 * 2 * 2
    assert score_of(PAIRED_RUN, jokers=["j_duo", "j_four_fingers"]) == (30 + 16) * 4 * 2


@probe("j_order", met=True, says="a Straight of four with Four Fingers and one with gaps by Shortcut count")
def _() -> None:
    assert score_of(STRAIGHT[:4], jokers=["j_order", "j_four_fingers"]) == (30 + 14) * 4 * 3
    assert score_of(["H_2", "D_4", "S_6", "C_8", "C_T"], jokers=["j_order", "j_shortcut"]) == 60 * 4 * 3


@probe("j_tribe", met=True, says="a Flush counts inside a Four of a Kind and with four cards by Four Fingers")
def _() -> None:
    wild = [f"{suit}_K;h=m_wild" for suit in "DSC"]
    assert score_of(["H_K", *wild, "H_2"], jokers=["j_tribe"]) == (60 + 40) * 7 * 2
    assert score_of(FLUSH[:4], jokers=["j_tribe", "j_four_fingers"]) == (35 + 20) * 4 * 2


@probe("j_family", met=False, says="a Full House and a Four of a Kind broken by a Stone card are not enough")
def _() -> None:
    assert score_of([*THREE, "C_K;h=m_stone"], jokers=["j_family"]) == (30 + 30 + 50) * 3
    assert score_of(HOUSE, jokers=["j_family"]) == 88 * 4


@probe("j_trio", met=False, says="Two Pair is not enough, and a blocked hand scores nothing anyway")
def _() -> None:
    assert score_of(TWO_PAIR, jokers=["j_trio"]) == 58 * 2
    assert score_of(THREE, jokers=["j_trio"], blind="bl_psychic") == 0


# --- Stuntman ------------------------------------------------------------------------------------------------


@probe("j_stuntman", met=True, says="adds 250 Chips for two cards less in hand; a copy adds the Chips only")
def _() -> None:
    assert score_of(["H_A"], jokers=["j_stuntman"]) == 16 + 250
    assert score_of(["H_A"], jokers=["j_blueprint", "j_stuntman"]) == 16 + 500
    assert len(playing(jokers=["j_stuntman"]).hand) == 6
    assert len(playing(jokers=["j_blueprint", "j_stuntman"]).hand) == 6
    game = shopping(money=20, shop_slots=["j_stuntman"])
    game.step(Action.buy(0))
    assert game.state()["hand_size"] == 6


@probe("j_stuntman", met=False, says="debuffed it neither adds Chips nor takes cards")
def _() -> None:
    assert score_of(["H_A"], jokers=["j_stuntman;d=1"]) == 16
    assert len(playing(jokers=["j_stuntman;d=1"]).hand) == 8


@probe(
    "j_stuntman", met=False, says="sold in a round it gives its two cards back at once, even to a full hand"
)
def _() -> None:
    game = playing(jokers=["j_stuntman"])
    game.step(Action.sell_joker(0))
    assert (game.state()["hand_size"], len(game.hand)) == (8, 8)
    game = playing(jokers=["j_invisible;c=2", "j_stuntman"])
    game.step(Action.sell_joker(0))
    assert (game.state()["hand_size"], len(game.hand)) == (4, 6)
    game.step(Action.sell_joker(0))
    assert (game.state()["hand_size"], len(game.hand)) == (6, 8)


# --- Invisible Joker -----------------------------------------------------------------------------------------


@probe(
    "j_invisible", met=True, says="sold after two rounds it duplicates another joker with all it has stored"
)
def _() -> None:
    game = played_on(playing(jokers=["j_invisible", "j_wee;v=24;e=foil;s=ER"]), 2)
    game.step(Action.sell_joker(0))
    assert keys(game.jokers) == ["j_wee", "j_wee"]
    for joker in game.jokers:
        assert (joker.value, joker.edition, joker.eternal, joker.rental) == (24, "foil", True, True)


@probe(
    "j_invisible", met=True, says="the seed picks among the other jokers; five of five slots are no hindrance"
)
def _() -> None:
    others = ["j_joker", "j_wee", "j_baron", "j_egg"]
    for seed in SEEDS[:8]:
        game = playing(["H_A"], jokers=["j_invisible;c=2", *others], game=start(seed))
        game.step(Action.sell_joker(0))
        assert keys(game.jokers) == [*others, Draws(seed).element("invisible", others)]


@probe(
    "j_invisible",
    met=True,
    says="a duplicate of a Negative joker is plain, one of an Invisible Joker starts at 0",
)
def _() -> None:
    game = playing(["H_A"], jokers=["j_invisible;c=3", "j_joker;e=negative"])
    game.step(Action.sell_joker(0))
    assert [joker.edition for joker in game.jokers] == ["negative", None]
    assert game.state()["joker_slots"] == 6
    game = playing(["H_A"], jokers=["j_invisible;c=2", "j_invisible;c=2"])
    game.step(Action.sell_joker(0))
    assert [joker.counter for joker in game.jokers] == [2, 0]


@probe(
    "j_invisible", met=True, says="a Negative one among full slots duplicates, though its slot goes with it"
)
def _() -> None:
    others = ["j_joker", "j_wee", "j_baron", "j_egg", "j_abstract"]
    game = playing(["H_A"], jokers=["j_invisible;c=2;e=negative", *others])
    game.step(Action.sell_joker(0))
    assert (len(game.jokers), game.state()["joker_slots"]) == (6, 5)


@probe("j_invisible", met=False, says="after one round only, or alone, or debuffed, it is just sold")
def _() -> None:
    game = played_on(playing(jokers=["j_invisible", "j_joker"]), 1)
    game.step(Action.sell_joker(0))
    assert keys(game.jokers) == ["j_joker"]
    game = playing(["H_A"], jokers=["j_invisible;c=2"])
    game.step(Action.sell_joker(0))
    assert game.jokers == []
    game = playing(["H_A"], jokers=["j_invisible;c=2;d=1", "j_joker"])
    game.step(Action.sell_joker(0))
    assert keys(game.jokers) == ["j_joker"]


@probe("j_invisible", met=False, says="with more jokers than slots it duplicates nothing")
def _() -> None:
    game = playing(["H_A"], jokers=["j_invisible;c=2", "j_joker", "j_wee"])
    game.edit(joker_slots=2)
    game.step(Action.sell_joker(0))
    assert keys(game.jokers) == ["j_joker", "j_wee"]


@probe("j_invisible", met=False, says="is not copied: a Blueprint sold beside it duplicates nothing")
def _() -> None:
    game = playing(["H_A"], jokers=["j_blueprint", "j_invisible;c=2"])
    game.step(Action.sell_joker(0))
    assert keys(game.jokers) == ["j_invisible"]


# --- Brainstorm ----------------------------------------------------------------------------------------------


@probe("j_brainstorm", met=True, says="acts as the leftmost joker, at its own place, through a Blueprint too")
def _() -> None:
    assert score_of(["H_A"], jokers=["j_joker", "j_brainstorm"]) == 16 * 9
    assert score_of(PAIR, jokers=["j_duo", "j_joker", "j_brainstorm"]) == 30 * (2 * 2 + 4) * 2
    assert score_of(["H_A"], jokers=["j_blueprint", "j_joker", "j_brainstorm"]) == 16 * 13


@probe(
    "j_brainstorm", met=True, says="follows when another joker is moved to the left end; uses its own edition"
)
def _() -> None:
    game = playing(PAIR, jokers=["j_joker", "j_duo", "j_brainstorm;e=foil"])
    game.step(Action.move_joker(1, 0))
    assert play(game) == (30 + 50) * (2 * 2 + 4) * 2


@probe(
    "j_brainstorm", met=False, says="does nothing at the left end, in a loop, or when a debuff is involved"
)
def _() -> None:
    assert score_of(["H_A"], jokers=["j_brainstorm", "j_joker"]) == 16 * 5
    assert score_of(["H_A"], jokers=["j_brainstorm", "j_brainstorm", "j_joker"]) == 16 * 5
    assert score_of(["H_A"], jokers=["j_blueprint", "j_brainstorm", "j_joker"]) == 16 * 5
    assert score_of(["H_A"], jokers=["j_joker", "j_brainstorm;d=1"]) == 16 * 5
    assert score_of(["H_A"], jokers=["j_joker;d=1", "j_wee;v=8", "j_brainstorm"]) == 16 + 8


@probe("j_brainstorm", met=False, says="does not copy jokers that cannot be copied")
def _() -> None:
    game = win_round(playing(["H_A"], jokers=["j_golden", "j_brainstorm"]))
    assert game.state()["cash_out"]["jokers"] == 4


# --- Satellite -----------------------------------------------------------------------------------------------


def _payout(used: list[str], jokers: list[str]) -> int:
    """What the jokers pay at the cash-out of a round in which these cards were used."""
    game = playing(["H_A", "H_K"], consumables=used)
    for _card in used:
        game.step(Action.use(0))
    game.edit(jokers=jokers)
    return win_round(game).state()["cash_out"]["jokers"]


@probe("j_satellite", met=True, says="pays $1 per different Planet used in the run, also before it was owned")
def _() -> None:
    assert _payout(["c_mercury"], ["j_satellite"]) == 1
    assert _payout(["c_mercury", "c_mercury", "c_venus", "c_eris"], ["j_satellite"]) == 3


@probe("j_satellite", met=True, says="pays again after every round")
def _() -> None:
    game = playing(["H_A", "H_K"], jokers=["j_satellite"], consumables=["c_pluto", "c_mars"])
    game.step(Action.use(0))
    game.step(Action.use(0))
    for _turn in range(2):
        assert win_round(game).state()["cash_out"]["jokers"] == 2
        before, rows = game.money, sum(game.state()["cash_out"].values())
        game.step(Action.cash_out())
        assert game.money == before + rows
        next_round(game)


@probe("j_satellite", met=True, says="Planets used out of a pack and from the shelf count")
def _() -> None:
    packs, slots = ["p_celestial_normal_1"], ["c_ceres"]
    game = shopping(jokers=["j_satellite"], money=20, shop_packs=packs, shop_slots=slots)
    game.step(Action.open_pack(0))
    game.step(Action.pick(0))
    game.step(Action.buy_and_use(0))
    assert win_round(next_round(game)).state()["cash_out"]["jokers"] == 2


@probe(
    "j_satellite",
    met=False,
    says="pays nothing without Planets, when debuffed, for Black Hole, nor by copies",
)
def _() -> None:
    assert _payout([], ["j_satellite"]) == 0
    assert _payout(["c_black_hole", "c_hermit"], ["j_satellite"]) == 0
    assert _payout(["c_mercury"], ["j_satellite;d=1"]) == 0
    assert _payout(["c_mercury"], ["j_blueprint", "j_satellite"]) == 1


# --- Shoot the Moon ------------------------------------------------------------------------------------------


@probe("j_shoot_the_moon", met=True, says="a held Queen adds 13 Mult at every trigger")
def _() -> None:
    assert score_of(["H_A"], held=["H_Q", "S_Q"], jokers=["j_shoot_the_moon"]) == 16 * 27
    assert score_of(["H_A"], held=["H_Q;l=Red"], jokers=["j_shoot_the_moon"]) == 16 * 27
    assert score_of(["H_A"], held=["H_Q"], jokers=["j_shoot_the_moon", "j_mime"]) == 16 * 27
    assert score_of(["H_A"], held=["H_Q"], jokers=["j_blueprint", "j_shoot_the_moon"]) == 16 * 27


@probe(
    "j_shoot_the_moon", met=False, says="played, debuffed and Stone Queens and other held faces add nothing"
)
def _() -> None:
    assert score_of(["H_Q"], held=["H_K", "H_J"], jokers=["j_shoot_the_moon", "j_pareidolia"]) == 15
    assert score_of(["H_A"], held=["H_Q;d=1", "S_Q;h=m_stone"], jokers=["j_shoot_the_moon"]) == 16
    assert score_of(["H_A"], held=["H_Q"], jokers=["j_shoot_the_moon;d=1"]) == 16


# --- Driver's License ----------------------------------------------------------------------------------------


def _licensed(enhanced: list[str], jokers: list[str], plain: int = 10) -> float:
    """What an Ace scores with these cards spread over draw pile and discard pile."""
    return score_of(
        ["H_A"], jokers=jokers, draw_pile=[*enhanced[:9], *["H_2"] * plain], discard_pile=enhanced[9:]
    )


@probe(
    "j_drivers_license", met=True, says="X3 Mult with 16 enhanced cards in the full deck, wherever they are"
)
def _() -> None:
    for count in (16, 20):
        assert _licensed(["H_2;h=m_mult"] * count, ["j_drivers_license"]) == 16 * 3
    mixed = ["H_2;h=m_stone", "H_3;h=m_gold;d=1", "H_4;h=m_wild", "H_5;h=m_glass"] * 4
    assert _licensed(mixed, ["j_drivers_license"]) == 16 * 3
    assert _licensed(mixed, ["j_blueprint", "j_drivers_license"]) == 16 * 9
    deck: dict[str, Any] = {"draw_pile": mixed[:7], "discard_pile": mixed[7:14]}
    assert score_of(["H_A;h=m_bonus"], held=["H_3;h=m_gold"], jokers=["j_drivers_license"], **deck) == 46 * 3


@probe("j_drivers_license", met=False, says="15 are not enough; seals and editions are no enhancements")
def _() -> None:
    assert _licensed(["H_2;h=m_mult"] * 15, ["j_drivers_license"]) == 16
    assert _licensed([*["H_2;h=m_mult"] * 15, "H_2;e=foil;l=Red;b=10"], ["j_drivers_license"]) == 16
    assert _licensed(["H_2;h=m_mult"] * 16, ["j_drivers_license;d=1"]) == 16


# --- Cartomancer ---------------------------------------------------------------------------------------------


@probe(
    "j_cartomancer",
    met=True,
    says="creates the seed's Tarot when a blind is selected, another one for a copy",
)
def _() -> None:
    for seed in SEEDS[:5]:
        tarot = Draws(seed).element("Tarotcar1", POOLS["tarot"])
        assert keys(playing(jokers=["j_cartomancer"], game=start(seed)).consumables) == [tarot]
        held = keys(playing(jokers=["j_blueprint", "j_cartomancer"], game=start(seed)).consumables)
        assert (held[0], len(set(held))) == (tarot, 2)


@probe("j_cartomancer", met=True, says="creates one for every kind of blind; Negative consumables leave room")
def _() -> None:
    for blind in ("bl_small", "bl_big", "bl_wall"):
        assert len(playing(jokers=["j_cartomancer"], blind=blind).consumables) == 1
    game = start()
    game.edit(consumables=["c_pluto;e=negative", "c_mars"])
    assert len(playing(jokers=["j_cartomancer"], game=game).consumables) == 3


@probe(
    "j_cartomancer", met=False, says="creates nothing with full slots, when debuffed, or for a skipped blind"
)
def _() -> None:
    game = start()
    game.edit(consumables=["c_pluto", "c_mars"])
    assert keys(playing(jokers=["j_cartomancer"], game=game).consumables) == ["c_pluto", "c_mars"]
    game = start()
    game.edit(consumables=["c_pluto"])
    assert len(playing(jokers=["j_blueprint", "j_cartomancer"], game=game).consumables) == 2
    assert playing(jokers=["j_cartomancer;d=1"]).consumables == []
    game = start()
    game.edit(jokers=["j_cartomancer"], skip_tags=["tag_foil", "tag_foil"])
    game.step(Action.skip_blind())
    assert game.consumables == []
