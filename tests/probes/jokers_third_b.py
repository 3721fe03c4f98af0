"""Probes of the jokers from Troubadour to Flower Pot."""

from jimbot.balatro import Action, Game

from .draws import POOLS, Draws
from .table import keys, next_round, play, playing, probe, score_of, shopping, start

FRONTS = POOLS["playing_card_fronts"]

SEEDS = [f"PROBE{number}" for number in range(1, 400) if "0" not in str(number)]


def earned(game: Game, *positions: int) -> int:
    """Play these positions and return the money that the hand brought."""
    before = game.money
    play(game, *positions)
    return game.money - before


def limits(game: Game) -> tuple[int, int]:
    """Hand size and hands left."""
    return game.state()["hand_size"], game.blind.hands_left


def newest(game: Game) -> dict[str, object]:
    """The hand card that was made last."""
    return max(game.state()["hand"], key=lambda card: card["created"])


def seal_of(roll: float) -> str:
    """The seal that Certificate's roll gives."""
    return "Red" if roll > 0.75 else "Blue" if roll > 0.5 else "Gold" if roll > 0.25 else "Purple"


# --- Troubadour ----------------------------------------------------------------------------------------------


@probe("j_troubadour", met=True, says="two more cards in hand and one hand less each round")
def _() -> None:
    game = shopping(money=20, shop_slots=["j_troubadour"])
    game.step(Action.buy(0))
    assert game.state()["hand_size"] == 10
    next_round(game)
    assert (*limits(game), len(game.hand)) == (10, 3, 10)


@probe("j_troubadour", met=True, says="however many are owned, one hand is left")
def _() -> None:
    assert limits(playing(jokers=["j_troubadour"] * 5)) == (18, 1)


@probe("j_troubadour", met=True, says="gained in a round it takes its hand from the next round on")
def _() -> None:
    game = playing(jokers=["j_troubadour", "j_invisible;c=2"])
    game.step(Action.sell_joker(1))
    assert keys(game.jokers) == ["j_troubadour"] * 2
    assert limits(game) == (12, 3)
    next_round(shopping(game))
    assert limits(game) == (12, 2)


@probe("j_troubadour", met=True, says="gained in a round it brings its two cards at once")
def _() -> None:
    game = playing(jokers=["j_troubadour", "j_invisible;c=2"])
    assert len(game.hand) == 10
    game.step(Action.sell_joker(1))
    assert len(game.hand) == 12


@probe("j_troubadour", met=False, says="sold in a round it takes back the hand size now, the hand next round")
def _() -> None:
    game = playing(jokers=["j_troubadour"])
    game.step(Action.sell_joker(0))
    assert (*limits(game), len(game.hand)) == (8, 3, 10)
    next_round(shopping(game))
    assert (*limits(game), len(game.hand)) == (8, 4, 8)


@probe(
    "j_troubadour",
    met=False,
    says="neither debuffed nor copied; the end of a Perishable one lifts its effect",
)
def _() -> None:
    assert limits(playing(jokers=["j_troubadour;d=1"])) == (8, 4)
    assert limits(playing(jokers=["j_blueprint", "j_troubadour"])) == (10, 3)
    game = shopping(playing(jokers=["j_troubadour;s=P;n=1"]))
    assert game.jokers[0].debuffed
    assert limits(next_round(game)) == (8, 4)


# --- Certificate ---------------------------------------------------------------------------------------------


@probe("j_certificate", met=True, says="adds a random sealed card to the first hand, for good")
def _() -> None:
    seals = set()
    for seed in SEEDS[:12]:
        game, draws = playing(jokers=["j_certificate"], game=start(seed)), Draws(seed)
        card, seal = draws.element("cert_fr", FRONTS), seal_of(draws.real("certsl"))
        assert len(game.hand) == 9
        assert game.state()["deck_size"] == 53
        assert (newest(game)["card"], newest(game)["seal"]) == (card, seal)
        assert newest(game)["enhancement"] is None
        seals.add(seal)
    assert len(seals) == 4


@probe("j_certificate", met=True, says="adds a card each round, counted by Hologram; a copy adds another")
def _() -> None:
    game = playing(jokers=["j_certificate", "j_hologram"])
    next_round(shopping(game))
    assert game.state()["deck_size"] == 54
    assert game.jokers[1].value == 1.5
    game = playing(jokers=["j_blueprint", "j_certificate"])
    assert (len(game.hand), game.state()["deck_size"]) == (10, 54)


@probe("j_certificate", met=True, says="the boss's debuff falls on the new card")
def _() -> None:
    seed = next(seed for seed in SEEDS if Draws(seed).element("cert_fr", FRONTS)[0] == "C")
    assert newest(playing(jokers=["j_certificate"], blind="bl_club", game=start(seed)))["debuffed"]
    assert not newest(playing(jokers=["j_certificate"], blind="bl_head", game=start(seed)))["debuffed"]


@probe("j_certificate", met=True, says="the new card takes its place in the sorted hand")
def _() -> None:
    for seed in SEEDS[:3]:
        game = playing(jokers=["j_certificate"], game=start(seed))
        ranks = ["23456789TJQKA".index(str(card.rank)) for card in game.hand]
        assert ranks == sorted(ranks, reverse=True)


@probe("j_certificate", met=True, says="the new card is not drawn: it lies face up in The House")
def _() -> None:
    game = playing(jokers=["j_certificate"], blind="bl_house")
    assert sum(card.face_down for card in game.hand) == 8
    assert not newest(game)["face_down"]


@probe("j_certificate", met=False, says="adds nothing when debuffed, nor with later draws of the round")
def _() -> None:
    assert len(playing(jokers=["j_certificate;d=1"]).hand) == 8
    game = playing(jokers=["j_certificate"])
    play(game, 0, 1)
    game.step(Action.discard(0))
    assert (len(game.hand), game.state()["deck_size"]) == (8, 53)


# --- Smeared Joker -------------------------------------------------------------------------------------------


@probe("j_smeared", met=True, says="red suits make a Flush together, and so do black suits")
def _() -> None:
    for first, second in ("HD", "SC"):
        hand = [f"{first}_2", f"{first}_4", f"{first}_6", f"{second}_8", f"{second}_T"]
        assert score_of(hand, jokers=["j_smeared"]) == (35 + 30) * 4


@probe("j_smeared", met=True, says="jokers that look for a suit accept its partner")
def _() -> None:
    assert score_of(["S_A"], jokers=["j_smeared", "j_onyx_agate"]) == 16 * 8
    assert score_of(["C_A"], jokers=["j_smeared", "j_arrowhead"]) == 66
    assert score_of(["D_A"], jokers=["j_smeared", "j_lusty_joker"]) == 16 * 4


@probe("j_smeared", met=True, says="a suit boss debuffs the partner suit too")
def _() -> None:
    for jokers, hit in ((["j_smeared"], {"H", "D"}), ([], {"H"})):
        game = playing(jokers=jokers, blind="bl_head", game=start("PROBE"))
        cards = game.hand
        assert {card.suit for card in cards} == {"Hearts", "Diamonds", "Spades", "Clubs"}
        assert all(card.debuffed is (str(card.card)[0] in hit) for card in cards)


@probe("j_smeared", met=False, says="red and black stay apart, and debuffed it joins nothing")
def _() -> None:
    assert score_of(["H_2", "H_4", "H_6", "D_8", "S_T"], jokers=["j_smeared"]) == 15
    assert score_of(["H_2", "H_4", "H_6", "D_8", "D_T"], jokers=["j_smeared;d=1"]) == 15
    assert score_of(["H_A"], jokers=["j_smeared", "j_onyx_agate"]) == 16
    assert score_of(["S_A;d=1"], jokers=["j_smeared", "j_onyx_agate"]) == 5


# --- Throwback -----------------------------------------------------------------------------------------------


def _skipped(count: int, jokers: list[str]) -> Game:
    """A round after so many skipped blinds of the first ante."""
    game = start()
    game.edit(skip_tags=["tag_foil", "tag_foil"], boss="bl_wall")
    for _turn in range(count):
        game.step(Action.skip_blind())
    game.edit(jokers=jokers)
    game.step(Action.select_blind())
    game.edit(hand=["H_A"], target=1e9)
    return game


@probe("j_throwback", met=True, says="X0.25 more for each blind skipped in the run, also before it was owned")
def _() -> None:
    assert play(_skipped(1, ["j_throwback"])) == 16 * 1.25
    assert play(_skipped(2, ["j_throwback"])) == 16 * 1.5
    assert play(_skipped(2, ["j_blueprint", "j_throwback"])) == 16 * 1.5 * 1.5


@probe("j_throwback", met=False, says="nothing without a skip or when debuffed")
def _() -> None:
    assert play(_skipped(0, ["j_throwback"])) == 16
    assert play(_skipped(2, ["j_throwback;d=1"])) == 16


# --- Hanging Chad --------------------------------------------------------------------------------------------


@probe(
    "j_hanging_chad", met=True, says="the first scoring card triggers twice more, four times more with a copy"
)
def _() -> None:
    assert score_of(["H_K", "D_K"], jokers=["j_hanging_chad"]) == (10 + 30 + 10) * 2
    assert score_of(["H_2", "D_A"], jokers=["j_hanging_chad"]) == 5 + 33
    assert score_of(["H_2;h=m_stone", "D_A"], jokers=["j_hanging_chad"]) == 5 + 150 + 11
    assert score_of(["H_A;l=Red"], jokers=["j_hanging_chad"]) == 5 + 44
    assert score_of(["H_A"], jokers=["j_blueprint", "j_hanging_chad"]) == 5 + 55


@probe(
    "j_hanging_chad", met=True, says="the first card is the leftmost, also after the player moved it there"
)
def _() -> None:
    game = playing(["H_K", "D_K;h=m_bonus"], jokers=["j_hanging_chad"])
    game.step(Action.move_card(1, 0))
    assert play(game) == (10 + 120 + 10) * 2


@probe("j_hanging_chad", met=False, says="a debuffed first card triggers not at all and the second just once")
def _() -> None:
    assert score_of(["H_K;d=1", "D_K"], jokers=["j_hanging_chad"]) == (10 + 10) * 2
    assert score_of(["H_K", "D_K"], jokers=["j_hanging_chad;d=1"]) == 30 * 2


# --- Rough Gem, Bloodstone, Arrowhead, Onyx Agate ----------------------------------------------------------------


@probe("j_rough_gem", met=True, says="a scoring Diamond pays $1 at every trigger, and again for a copy")
def _() -> None:
    assert earned(playing(["D_A", "H_A", "D_A"], jokers=["j_rough_gem"])) == 2
    assert earned(playing(["D_A;l=Red"], jokers=["j_rough_gem"])) == 2
    assert earned(playing(["D_A"], jokers=["j_blueprint", "j_rough_gem"])) == 2
    assert earned(playing(["S_A;h=m_wild"], jokers=["j_rough_gem"])) == 1
    assert earned(playing(["H_A"], jokers=["j_rough_gem", "j_smeared"])) == 1


@probe("j_rough_gem", met=False, says="other suits, debuffed, Stone and not scoring Diamonds pay nothing")
def _() -> None:
    assert earned(playing(["H_A", "D_2"], jokers=["j_rough_gem"])) == 0
    assert earned(playing(["D_A;d=1"], jokers=["j_rough_gem"])) == 0
    assert earned(playing(["S_A;h=m_wild;d=1"], jokers=["j_rough_gem"])) == 0
    assert earned(playing(["D_A;h=m_stone"], jokers=["j_rough_gem"])) == 0
    assert earned(playing(["H_A", "D_K"], jokers=["j_rough_gem"]), 0) == 0


@probe("j_bloodstone", met=True, says="every trigger of a scoring Heart has its own even chance of X1.5")
def _() -> None:
    seen = set()
    for seed in SEEDS[:20]:
        game, draws = playing(["H_A;l=Red", "H_A"], jokers=["j_bloodstone"], game=start(seed)), Draws(seed)
        hits = sum(draws.real("bloodstone") < 0.5 for _ in range(3))
        assert play(game) == (10 + 33) * 2 * 1.5**hits // 1
        seen.add(hits)
    assert seen == {0, 1, 2, 3}


@probe("j_bloodstone", met=True, says="is certain with Oops! All 6s; Wild cards count; a copy rolls as well")
def _() -> None:
    for seed in SEEDS[:6]:
        sure = ["j_oops", "j_bloodstone"]
        assert play(playing(["H_A"], jokers=sure, game=start(seed))) == 24
        assert play(playing(["S_A;h=m_wild"], jokers=sure, game=start(seed))) == 24
        assert (
            play(playing(["H_A"], jokers=["j_blueprint", "j_bloodstone", "j_oops"], game=start(seed))) == 36
        )


@probe("j_bloodstone", met=False, says="other suits, debuffed and Stone Hearts do nothing, not even roll")
def _() -> None:
    for seed in SEEDS[:6]:
        game = playing(["S_A", "H_K;d=1", "H_Q", "H_A;h=m_stone"], jokers=["j_bloodstone"], game=start(seed))
        game.edit(draw_pile=[])
        assert play(game, 0) == 16
        assert play(game, 0) == 5
        assert play(game, 1) == 55
        assert play(game, 0) == 15 * (1.5 if Draws(seed).real("bloodstone") < 0.5 else 1) // 1


@probe("j_arrowhead", met=True, says="a scoring Spade adds 50 Chips at every trigger")
def _() -> None:
    assert score_of(["S_A", "H_A"], jokers=["j_arrowhead"]) == (10 + 22 + 50) * 2
    assert score_of(["S_A;l=Red"], jokers=["j_arrowhead"]) == 5 + 22 + 100
    assert score_of(["S_A"], jokers=["j_blueprint", "j_arrowhead"]) == 16 + 100
    assert score_of(["H_A;h=m_wild"], jokers=["j_arrowhead"]) == 16 + 50


@probe("j_arrowhead", met=False, says="other suits, debuffed, Stone, held and not scoring Spades add nothing")
def _() -> None:
    assert score_of(["H_A", "S_2"], held=["S_K"], jokers=["j_arrowhead"]) == 16
    assert score_of(["S_A;d=1"], jokers=["j_arrowhead"]) == 5
    assert score_of(["S_A;h=m_stone"], jokers=["j_arrowhead"]) == 55
    assert score_of(["S_A"], jokers=["j_arrowhead;d=1"]) == 16


@probe("j_onyx_agate", met=True, says="a scoring Club adds 7 Mult at every trigger")
def _() -> None:
    assert score_of(["C_A", "H_A"], jokers=["j_onyx_agate"]) == 32 * 9
    assert score_of(["C_A;l=Red"], jokers=["j_onyx_agate"]) == 27 * 15
    assert score_of(["C_A"], jokers=["j_blueprint", "j_onyx_agate"]) == 16 * 15
    assert score_of(["H_A;h=m_wild"], jokers=["j_onyx_agate"]) == 16 * 8


@probe("j_onyx_agate", met=False, says="other suits, debuffed, Stone, held and not scoring Clubs add nothing")
def _() -> None:
    assert score_of(["H_A", "C_2"], held=["C_K"], jokers=["j_onyx_agate"]) == 16
    assert score_of(["C_A;d=1"], jokers=["j_onyx_agate"]) == 5
    assert score_of(["C_A;h=m_stone"], jokers=["j_onyx_agate"]) == 55
    assert score_of(["C_A"], jokers=["j_onyx_agate;d=1"]) == 16


# --- Glass Joker ---------------------------------------------------------------------------------------------

SURE = ["j_oops", "j_oops"]
"""Two of them make a Glass card break for certain."""


@probe("j_glass", met=True, says="gains X0.75 for each Glass card that breaks, from the next hand on")
def _() -> None:
    hand = ["H_A;h=m_glass", "S_A;h=m_glass", "D_K"]
    game = playing(hand, jokers=["j_glass", *SURE], draw_pile=[])
    assert play(game, 0, 1) == 32 * 8
    assert game.jokers[0].value == 2.5
    assert play(game, 0) == 15 * 2.5 // 1


@probe("j_glass", met=True, says="gains for Glass destroyed with The Hanged Man")
def _() -> None:
    hand = ["H_A;h=m_glass", "S_A;h=m_glass", "D_K"]
    game = playing(hand, jokers=["j_glass"], consumables=["c_hanged_man", "c_hanged_man"])
    game.step(Action.use(0, 0, 1))
    assert game.jokers[0].value == 2.5
    game.step(Action.use(0, 0))
    assert game.jokers[0].value == 2.5


@probe("j_glass", met=True, says="gains for Glass destroyed by a discard or by Sixth Sense")
def _() -> None:
    game = playing(["H_6;h=m_glass", "D_K"], jokers=["j_glass", "j_sixth_sense"])
    play(game, 0)
    assert game.jokers[0].value == 1.75
    game = playing(["H_A;h=m_glass", "D_K"], jokers=["j_glass", "j_trading"])
    game.step(Action.discard(0))
    assert game.jokers[0].value == 1.75


@probe(
    "j_glass", met=False, says="gains nothing while Glass holds or is debuffed, nor for other cards destroyed"
)
def _() -> None:
    seed = next(seed for seed in SEEDS if Draws(seed).real("glass") >= 0.25)
    game = playing(["H_A;h=m_glass"], jokers=["j_glass"], game=start(seed))
    play(game)
    assert game.jokers[0].value == 1
    game = playing(["H_A;h=m_glass;d=1"], jokers=["j_glass", *SURE])
    play(game)
    assert game.jokers[0].value == 1
    game = playing(["H_A", "D_K"], jokers=["j_glass", "j_trading"])
    game.step(Action.discard(0))
    assert game.jokers[0].value == 1


@probe("j_glass", met=False, says="gains nothing from other destroying consumables")
def _() -> None:
    for key in ("c_immolate", "c_familiar", "c_grim", "c_incantation"):
        game = playing([f"H_{rank};h=m_glass" for rank in "23456"], jokers=["j_glass"], consumables=[key])
        game.step(Action.use(0))
        assert game.jokers[0].value == 1


@probe("j_glass", met=False, says="a copy does not make it grow faster; debuffed it does not grow")
def _() -> None:
    game = playing(["H_A;h=m_glass", "D_K"], jokers=["j_blueprint", "j_glass", *SURE], draw_pile=[])
    play(game, 0)
    assert game.jokers[1].value == 1.75
    assert play(game, 0) == 15 * 1.75 * 1.75 // 1
    game = playing(["H_A;h=m_glass"], jokers=["j_glass;d=1", *SURE])
    play(game)
    assert game.jokers[0].value == 1


@probe("j_glass", met=False, says="is never offered while no Glass card is in the deck")
def _() -> None:
    seed = next(
        seed for seed in SEEDS if Draws(seed).element("Joker2uta1", POOLS["joker_uncommon"]) == "j_glass"
    )
    for enhancement, offered in (("m_glass", True), ("m_steel", False)):
        game = playing(["H_A", f"H_K;h={enhancement}"], game=start(seed), tags=["tag_uncommon"])
        shop = shopping(game).shop
        assert shop is not None
        assert ("j_glass" in keys(shop.slots)) is offered


# --- Showman -------------------------------------------------------------------------------------------------


def _cartomancer(seed: str, jokers: list[str]) -> tuple[str, list[str]]:
    """The seed's first Tarot for Cartomancer, and what is held after a blind is selected with it already there."""
    first = Draws(seed).element("Tarotcar1", POOLS["tarot"])
    game = start(seed)
    game.edit(consumables=[first])
    return first, keys(playing(game=game, jokers=["j_cartomancer", *jokers]).consumables)


@probe("j_ring_master", met=True, says="a consumable already held may be created again")
def _() -> None:
    for seed in SEEDS[:5]:
        first, held = _cartomancer(seed, ["j_ring_master"])
        assert held == [first, first]


@probe("j_ring_master", met=True, says="a joker already owned may be offered again")
def _() -> None:
    for owned, again in ((["j_ring_master"], True), ([], False)):
        shelf = shopping(playing(game=start("PROBE1"), hand=["H_A"])).shop
        assert shelf is not None
        key = next(key for key in keys(shelf.slots) if key.startswith("j_"))
        game = playing(game=start("PROBE1"), jokers=[key, *owned], hand=["H_A"])
        shelf = shopping(game).shop
        assert shelf is not None
        assert (key in keys(shelf.slots)) is again


@probe("j_ring_master", met=False, says="without it, or with it debuffed or copied only, nothing comes twice")
def _() -> None:
    for seed in SEEDS[:5]:
        for jokers in ([], ["j_ring_master;d=1"], ["j_blueprint", "j_ring_master;d=1"]):
            first, held = _cartomancer(seed, jokers)
            assert len(set(held)) == 2
            assert first in held


# --- Flower Pot ----------------------------------------------------------------------------------------------


@probe(
    "j_flower_pot",
    met=True,
    says="X3 Mult when the scoring cards show all four suits, debuffed ones included",
)
def _() -> None:
    four = ["H_K", "D_K", "S_K", "C_K"]
    assert score_of(four, jokers=["j_flower_pot"]) == 100 * 7 * 3
    assert score_of(four, jokers=["j_blueprint", "j_flower_pot"]) == 100 * 7 * 9
    assert score_of([*four[:3], "C_K;d=1"], jokers=["j_flower_pot"]) == 90 * 7 * 3
    assert score_of(["H_2", "D_3", "S_4", "C_5", "C_6"], jokers=["j_flower_pot"]) == 50 * 4 * 3


@probe(
    "j_flower_pot",
    met=True,
    says="a Wild card stands for one missing suit; Smeared Joker lends partner suits",
)
def _() -> None:
    assert score_of(["H_K", "D_K", "S_K", "S_K;h=m_wild"], jokers=["j_flower_pot"]) == 100 * 7 * 3
    two_wild = ["H_K", "H_K;h=m_wild", "S_K", "S_K;h=m_wild"]
    assert score_of(two_wild, jokers=["j_flower_pot"]) == 100 * 7 * 3
    assert score_of(["H_K", "H_K", "S_K", "S_K"], jokers=["j_flower_pot", "j_smeared"]) == 100 * 7 * 3


@probe("j_flower_pot", met=True, says="with Splash cards outside the poker hand count as well")
def _() -> None:
    hand = ["H_K", "D_Q", "S_9", "C_2"]
    assert score_of(hand, jokers=["j_flower_pot", "j_splash"]) == (5 + 31) * 3


@probe("j_flower_pot", met=False, says="three suits, suits that do not score and Stone cards are not enough")
def _() -> None:
    assert score_of(["H_K", "D_K", "S_K", "S_K"], jokers=["j_flower_pot"]) == 100 * 7
    assert score_of(["H_K", "D_Q", "S_9", "C_2"], jokers=["j_flower_pot"]) == 15
    assert score_of(["H_K", "D_K", "S_K", "C_2;h=m_stone"], jokers=["j_flower_pot"]) == (30 + 30 + 50) * 3
    assert score_of(["H_K", "H_K", "H_K", "S_K"], jokers=["j_flower_pot", "j_smeared"]) == 100 * 7


@probe("j_flower_pot", met=False, says="a debuffed Wild card shows no suit")
def _() -> None:
    assert score_of(["H_K", "D_K", "S_K", "C_K;h=m_wild;d=1"], jokers=["j_flower_pot"]) == 90 * 7
