"""Probes of the jokers from Trading Card to Ramen, and the prices of all from DNA on."""

from collections.abc import Callable, Sequence

from tests.probes.draws import Draws
from tests.probes.joker_scenes import ACE, SEEDS, deck_size, grown
from tests.probes.table import keys, next_round, play, playing, probe, score_of, shopping, start, win_round

from jimbot.balatro import Action, Game

SUITS = ["Spades", "Hearts", "Clubs", "Diamonds"]
TWO_PAIR = ["S_2", "H_2", "S_3", "H_3"]
PRICES = {
    "j_dna": 8, "j_splash": 3, "j_blue_joker": 5, "j_sixth_sense": 6, "j_constellation": 6, "j_hiker": 5,
    "j_faceless": 4, "j_green_joker": 4, "j_superposition": 4, "j_todo_list": 4, "j_cavendish": 4,
    "j_card_sharp": 6, "j_red_card": 5, "j_madness": 7, "j_square": 4, "j_seance": 6, "j_riff_raff": 6,
    "j_vampire": 7, "j_shortcut": 7, "j_hologram": 7, "j_vagabond": 8, "j_baron": 8, "j_cloud_9": 7,
    "j_rocket": 6, "j_obelisk": 8, "j_midas_mask": 7, "j_luchador": 5, "j_photograph": 5, "j_gift": 6,
    "j_turtle_bean": 6, "j_erosion": 6, "j_reserved_parking": 6, "j_mail": 4, "j_to_the_moon": 5,
    "j_hallucination": 4, "j_fortune_teller": 6, "j_juggler": 4, "j_drunkard": 4, "j_stone": 6, "j_golden": 6,
    "j_lucky_cat": 6, "j_baseball": 8, "j_bull": 6, "j_diet_cola": 6, "j_trading": 6, "j_flash": 5,
    "j_popcorn": 5, "j_trousers": 6, "j_ancient": 8, "j_ramen": 6,
}  # fmt: skip


# --- Trading Card --------------------------------------------------------------------------------------------------


def traded(*hand: str, jokers: Sequence[str] = ("j_trading",)) -> tuple[int, int]:
    """Money gained and cards destroyed by discarding these cards."""
    game = playing([*hand, "D_2"], jokers=jokers, money=0, draw_pile=["D_3"] * 5)
    before = deck_size(game)
    game.step(Action.discard(*range(len(hand))))
    return game.money, before - deck_size(game)


@probe("j_trading", met=True, says="a first discard of one card destroys it and pays $3")
def _() -> None:
    assert traded("H_A") == (3, 1)
    assert traded("H_A;h=m_stone") == (3, 1)
    assert traded("H_A;d=1") == (3, 1)


@probe("j_trading", met=True, says="works again in the next round, and the lost card stays lost")
def _() -> None:
    game = playing(jokers=["j_trading"], money=0)
    game.step(Action.discard(0))
    next_round(shopping(game))
    assert deck_size(game) == 51
    before = game.money
    game.step(Action.discard(0))
    assert (game.money - before, deck_size(game)) == (3, 50)


@probe("j_trading", met=True, says="the card's Purple Seal still works, and Canio sees a destroyed face")
def _() -> None:
    game = playing(["H_K;l=Purple", "S_2"], jokers=["j_trading", "j_caino"])
    game.step(Action.discard(0))
    assert (len(game.consumables), grown(game, 1)) == (1, 2)


@probe("j_trading", met=True, says="two of them both pay for the one card")
def _() -> None:
    assert traded("H_A", jokers=["j_trading", "j_trading"]) == (6, 1)


@probe("j_trading", met=True, says="a lone card thrown away by The Hook goes the same way")
def _() -> None:
    game = playing(["H_A", "S_2"], jokers=["j_trading"], blind="bl_hook", money=0, draw_pile=["D_3"])
    play(game, 0)
    assert (game.money, deck_size(game)) == (3, 2)


@probe("j_trading", met=False, says="nothing for two cards, or for a later discard")
def _() -> None:
    assert traded("H_A", "S_2") == (0, 0)
    game = playing(["H_A", "S_2", "S_4"], jokers=["j_trading"], money=0, draw_pile=["D_3"] * 5)
    game.step(Action.discard(0, 1))
    game.step(Action.discard(0))
    assert (game.money, deck_size(game)) == (0, 8)


@probe("j_trading", met=False, says="Blueprint does not copy it, and debuffed it does nothing")
def _() -> None:
    assert traded("H_A", jokers=["j_blueprint", "j_trading"]) == (3, 1)
    assert traded("H_A", jokers=["j_trading;d=1"]) == (0, 0)


# --- Flash Card ----------------------------------------------------------------------------------------------------


def rerolled(*jokers: str, times: int = 1) -> Game:
    """A run that has rerolled its shop."""
    game = shopping(jokers=jokers, money=100)
    for _ in range(times):
        game.step(Action.reroll_shop())
    return game


@probe("j_flash", met=True, says="gains 2 Mult per reroll of the shop, free ones included, and adds it")
def _() -> None:
    assert grown(rerolled("j_flash", times=3)) == 6
    game = rerolled("j_flash", "j_chaos")
    assert (grown(game), game.money) == (2, 100)
    assert score_of(["H_A"], jokers=["j_flash;v=6"]) == ACE * 7


@probe("j_flash", met=True, says="Blueprint adds the Mult again but does not grow it")
def _() -> None:
    assert grown(rerolled("j_blueprint", "j_flash"), 1) == 2
    assert score_of(["H_A"], jokers=["j_blueprint", "j_flash;v=6"]) == ACE * 13


@probe("j_flash", met=False, says="nothing for purchases, for leaving the shop, or for a boss reroll")
def _() -> None:
    game = shopping(jokers=["j_flash"], money=100, vouchers=["v_directors_cut"], shop_slots=["c_mars"])
    game.step(Action.buy(0))
    game.step(Action.leave_shop())
    game.step(Action.reroll_boss())
    assert grown(game) == 0


@probe("j_flash", met=False, says="neither grows nor adds while debuffed")
def _() -> None:
    assert grown(rerolled("j_flash;d=1;v=4")) == 4
    assert score_of(["H_A"], jokers=["j_flash;d=1;v=4"]) == ACE


# --- Popcorn -------------------------------------------------------------------------------------------------------


@probe("j_popcorn", met=True, says="20 Mult at first, 4 less after each round; copies add it again")
def _() -> None:
    assert score_of(["H_A"], jokers=["j_popcorn"]) == ACE * 21
    assert score_of(["H_A"], jokers=["j_blueprint", "j_popcorn"]) == ACE * 41
    game = next_round(shopping(playing(jokers=["j_popcorn"])))
    game.edit(hand=["H_A"], target=1e9)
    assert play(game) == ACE * 17


@probe("j_popcorn", met=True, says="is eaten at the end of its fifth round")
def _() -> None:
    game = playing(jokers=["j_popcorn", "j_blueprint"])
    for _ in range(4):
        shopping(game)
        game.edit(next_blind="small")
        next_round(game)
    assert grown(game) == 4
    assert keys(win_round(game).jokers) == ["j_blueprint"]


@probe("j_popcorn", met=False, says="a Blueprint beside it eats nothing, and a skipped blind costs nothing")
def _() -> None:
    game = win_round(playing(jokers=["j_blueprint", "j_popcorn"]))
    assert grown(game, 1) == 16
    game = start()
    game.edit(jokers=["j_popcorn"], skip_tags=["tag_handy", "tag_handy"])
    game.step(Action.skip_blind())
    assert grown(game) == 20


@probe("j_popcorn", met=False, says="debuffed it adds nothing and keeps what it has")
def _() -> None:
    assert score_of(["H_A"], jokers=["j_popcorn;d=1"]) == ACE
    assert grown(win_round(playing(jokers=["j_popcorn;d=1;v=4"]))) == 4


# --- Spare Trousers ------------------------------------------------------------------------------------------------


@probe("j_trousers", met=True, says="gains 2 Mult before a hand with a Two Pair or a Full House scores")
def _() -> None:
    game = playing(TWO_PAIR, jokers=["j_trousers"])
    assert play(game) == (20 + 10) * (2 + 2)
    for hand in ([*TWO_PAIR, "D_3"], ["S_2", "S_2", "S_3", "S_3", "S_3"]):
        game = playing(hand, jokers=["j_trousers;v=4"])
        play(game)
        assert grown(game) == 6


@probe("j_trousers", met=True, says="a Two Pair inside a Four Fingers Flush counts")
def _() -> None:
    game = playing(["S_2", "H_2", "S_3", "S_3", "S_9"], jokers=["j_trousers", "j_four_fingers"])
    play(game)
    assert (game.state()["blind"]["last_hand"], grown(game)) == ("Flush", 2)


@probe("j_trousers", met=True, says="Blueprint adds the Mult again; growth happens once")
def _() -> None:
    game = playing(TWO_PAIR, jokers=["j_blueprint", "j_trousers;v=4"])
    assert play(game) == (20 + 10) * (2 + 6 + 6)
    assert grown(game, 1) == 6


@probe("j_trousers", met=False, says="Pairs, Threes and Fours do not feed it; the stored Mult still comes")
def _() -> None:
    for hand in (["S_2", "H_2"], ["S_2", "H_2", "D_2"], ["S_2", "H_2", "D_2", "C_2"], ["S_2"] * 5):
        game = playing(hand, jokers=["j_trousers;v=4"])
        play(game)
        assert grown(game) == 4
    assert score_of(["H_A"], jokers=["j_trousers;v=4"]) == ACE * 5


@probe("j_trousers", met=False, says="neither grows nor adds while debuffed; a refused hand feeds nothing")
def _() -> None:
    game = playing(TWO_PAIR, jokers=["j_trousers;d=1;v=4"])
    assert (play(game), grown(game)) == ((20 + 10) * 2, 4)
    game = playing(TWO_PAIR, jokers=["j_trousers;v=4"], blind="bl_psychic")
    assert (play(game), grown(game)) == (0, 4)


# --- Ancient Joker -------------------------------------------------------------------------------------------------


def ancient(*hand: str, jokers: Sequence[str] = ("j_ancient",)) -> float:
    """Score of the hand while Clubs are the suit."""
    return score_of(hand, jokers=jokers, targets={"ancient": "Clubs"})


@probe("j_ancient", met=True, says="each scoring card of the round's suit gives X1.5")
def _() -> None:
    assert ancient("C_A") == ACE * 1.5
    assert ancient("C_2", "C_2", "S_2") == int((30 + 6) * 3 * 2.25)


@probe("j_ancient", met=True, says="at every trigger, for every copy, for Wild cards and under Smeared Joker")
def _() -> None:
    assert ancient("C_A;l=Red") == int((ACE + 11) * 2.25)
    assert ancient("C_A", jokers=["j_blueprint", "j_ancient"]) == ACE * 2.25
    assert ancient("H_A;h=m_wild") == ACE * 1.5
    assert ancient("S_A", jokers=["j_ancient", "j_smeared"]) == ACE * 1.5


@probe(
    "j_ancient", met=True, says="the suit is drawn at the start and, among the three others, after each round"
)
def _() -> None:
    for seed in SEEDS[:20]:
        draws, game = Draws(seed), start(seed)
        suit = draws.element("anc1", SUITS)
        assert game.state()["targets"]["ancient"] == suit
        win_round(playing(game=game))
        others = [other for other in SUITS if other != suit]
        assert game.state()["targets"]["ancient"] == draws.element("anc1", others)


@probe("j_ancient", met=False, says="nothing for other suits, Stone, debuffed, unscored or held cards")
def _() -> None:
    assert ancient("S_A") == ACE
    assert ancient("C_A;h=m_stone") == 5 + 50
    assert ancient("C_A;d=1") == 5
    assert ancient("S_A", "C_2") == ACE
    assert ancient("H_A", jokers=["j_ancient", "j_smeared"]) == ACE


@probe("j_ancient", met=False, says="nothing while debuffed")
def _() -> None:
    assert ancient("C_A", jokers=["j_ancient;d=1"]) == ACE


# --- Ramen ---------------------------------------------------------------------------------------------------------


@probe("j_ramen", met=True, says="X2 at first; copies multiply again")
def _() -> None:
    assert score_of(["H_A"], jokers=["j_ramen"]) == ACE * 2
    assert score_of(["H_A"], jokers=["j_blueprint", "j_ramen"]) == ACE * 4


@probe(
    "j_ramen", met=True, says="loses X0.01 per discarded card, one subtraction at a time, until X1 is reached"
)
def _() -> None:
    game, value = playing(jokers=["j_ramen", "j_egg"], discards_left=40), 2.0
    for _ in range(25):
        game.edit(hand=["S_2"] * 5, draw_pile=["S_3"] * 9)
        game.step(Action.discard(0, 1, 2, 3, 4))
        for _ in range(5):
            value = value - 0.01 if value - 0.01 > 1 else 0
        if not value:
            break
        assert grown(game) == value
    assert (value, keys(game.jokers)) == (0, ["j_egg"])


@probe("j_ramen", met=True, says="is eaten by the card that would bring it to X1, other jokers see the rest")
def _() -> None:
    game = playing(["H_7", "S_7", "D_2"], jokers=["j_ramen;v=1.01", "j_mail"], money=0, targets={"mail": "7"})
    game.step(Action.discard(0, 1))
    assert (keys(game.jokers), game.money) == (["j_mail"], 10)


@probe("j_ramen", met=True, says="cards thrown away by The Hook count, debuffed ones as well")
def _() -> None:
    game = playing(["H_A", "S_2", "S_3;d=1"], jokers=["j_ramen"], blind="bl_hook")
    assert play(game, 0) == int(ACE * (2 - 0.01 - 0.01))
    assert grown(game) == 2 - 0.01 - 0.01


@probe("j_ramen", met=False, says="playing cards and the end of a round cost nothing")
def _() -> None:
    game = playing(["H_A", "S_2"], jokers=["j_ramen"])
    play(game, 0)
    win_round(game)
    assert grown(game) == 2


@probe("j_ramen", met=False, says="a Blueprint eats nothing; debuffed it neither multiplies nor shrinks")
def _() -> None:
    game = playing(["H_A", "S_2"], jokers=["j_blueprint", "j_ramen"])
    game.step(Action.discard(1))
    assert grown(game, 1) == 2 - 0.01
    game = playing(["H_A", "S_2"], jokers=["j_ramen;d=1"])
    game.step(Action.discard(1))
    assert (grown(game), play(game, 0)) == (2, ACE)


# --- prices --------------------------------------------------------------------------------------------------------


def priced(key: str, price: int) -> Callable[[], None]:
    """A probe of a joker's price in the shop and of what it sells for."""

    def check() -> None:
        game = shopping(shop_slots=[key], money=price)
        assert game.shop is not None
        assert [item and item.price for item in game.shop.slots] == [price]
        game.step(Action.buy(0))
        assert (game.money, game.jokers[0].sell_value) == (0, max(1, price // 2))
        game.step(Action.sell_joker(0))
        assert game.money == max(1, price // 2)

    return check


for _key, _price in PRICES.items():
    probe(_key, met=True, says=f"costs ${_price} and sells for ${_price // 2}")(priced(_key, _price))
