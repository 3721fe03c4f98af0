"""Probes of the collection's jokers from Joker to Crafty Joker, of the jokers of ranks, and of all prices."""

from collections.abc import Sequence
from typing import Any

from tests.probes.table import (
    keys,
    play,
    playing,
    probe,
    refused,
    score_of,
    shopping,
)

from jimbot.balatro import Action, Game

SEEDS = [f"PROBE{tens}{ones}" for tens in range(1, 8) for ones in range(1, 10)]
"""Seeds to search for a chance outcome."""

RANKS = {**{str(rank): rank for rank in range(2, 10)}, "T": 10, "J": 10, "Q": 10, "K": 10, "A": 11}
"""Chips of the ranks."""

FRONTS = [f"{suit}_{rank}" for suit in "CDHS" for rank in sorted(RANKS)]
"""The 52 cards in the order in which random fronts are drawn."""


def again(game: Game, played: Sequence[str], held: Sequence[str] = ()) -> float:
    """Give the run a new hand, play the first cards of it and return what they score."""
    game.edit(hand=[*played, *held])
    return play(game, *range(len(played)))


def with_jokers(
    jokers: Sequence[str], played: Sequence[str], held: Sequence[str] = (), **changes: Any
) -> float:
    """What the cards score with jokers that arrive after the blind was selected; the preview must agree."""
    game = playing([*played, *held])
    game.edit(jokers=list(jokers))
    game.edit(**{"discards_left": 3, "hands_left": 4, **changes})
    promised = game.preview(Action.play(*range(len(played))))
    score = play(game, *range(len(played)))
    assert promised["exact"]
    assert promised["score"] == score
    return score


def sweep(
    joker: str,
    played: Sequence[str],
    held: Sequence[str] = (),
    *,
    none: float,
    one: float,
    two: float,
    **changes: Any,
) -> None:
    """Probe a scoring joker alone, debuffed and copied: ``none``, ``one`` or ``two`` times its effect."""
    item = joker.partition(";")[0]

    def score(*jokers: str) -> float:
        return with_jokers(jokers, played, held, **changes)

    @probe(item, met=True, says="gives its effect once, and the preview knows it")
    def _() -> None:
        assert score() == none
        assert score(joker) == one

    @probe(item, met=True, says="Blueprint to its left and Brainstorm give its effect once more")
    def _() -> None:
        assert score("j_blueprint", joker) == two
        assert score(joker, "j_brainstorm") == two

    @probe(
        item,
        met=False,
        says="gives nothing while debuffed, and so do its copies; a debuffed copier copies nothing",
    )
    def _() -> None:
        assert score(joker + ";d=1") == none
        assert score("j_blueprint", joker + ";d=1") == none
        assert score("j_blueprint;d=1", joker) == one
        assert score(joker, "j_blueprint") == one


def priced(costs: dict[str, int]) -> None:
    """Probe what the jokers cost and what they sell for."""

    def enter(key: str, cost: int) -> None:
        @probe(key, met=True, says=f"costs ${cost} and sells for ${max(1, cost // 2)}")
        def _() -> None:
            game = shopping(shop_slots=[key], money=cost)
            game.step(Action.buy(0))
            assert (game.money, keys(game.jokers)) == (0, [key])
            assert game.jokers[0].sell_value == max(1, cost // 2)
            game.step(Action.sell_joker(0))
            assert (game.money, game.jokers) == (max(1, cost // 2), [])

        @probe(key, met=False, says="cannot be bought with a dollar too little or without a free slot")
        def _() -> None:
            game = shopping(shop_slots=[key], money=cost - 1)
            refused(game, Action.buy(0))
            game.edit(money=cost, joker_slots=0)
            refused(game, Action.buy(0))

    for key, cost in costs.items():
        enter(key, cost)


priced(
    {
        "j_joker": 2, "j_greedy_joker": 5, "j_lusty_joker": 5, "j_wrathful_joker": 5, "j_gluttenous_joker": 5,
        "j_jolly": 3, "j_zany": 4, "j_mad": 4, "j_crazy": 4, "j_droll": 4, "j_sly": 3, "j_wily": 4, "j_clever": 4,
        "j_devious": 4, "j_crafty": 4, "j_half": 5, "j_stencil": 8, "j_four_fingers": 7, "j_mime": 5,
        "j_credit_card": 1, "j_ceremonial": 6, "j_banner": 5, "j_mystic_summit": 5, "j_marble": 6,
        "j_loyalty_card": 5, "j_8_ball": 5, "j_misprint": 4, "j_dusk": 5, "j_raised_fist": 5, "j_chaos": 4,
        "j_fibonacci": 8, "j_steel_joker": 7, "j_scary_face": 4, "j_abstract": 4, "j_delayed_grat": 4, "j_hack": 6,
        "j_pareidolia": 5, "j_gros_michel": 5, "j_even_steven": 4, "j_odd_todd": 4, "j_scholar": 4,
        "j_business": 4, "j_supernova": 5, "j_ride_the_bus": 6, "j_space": 5, "j_egg": 4, "j_burglar": 6,
        "j_blackboard": 6, "j_runner": 5, "j_ice_cream": 5,
    }
)  # fmt: skip

# --- Joker --------------------------------------------------------------------------------------------------

sweep("j_joker", ["H_A"], none=16, one=16 * 5, two=16 * 9)


@probe("j_joker", met=True, says="its own Foil, Holographic and Polychrome count beside its 4 Mult")
def _() -> None:
    assert score_of(["H_A"], jokers=["j_joker;e=foil"]) == (16 + 50) * 5
    assert score_of(["H_A"], jokers=["j_joker;e=holo"]) == 16 * 15
    assert score_of(["H_A"], jokers=["j_joker;e=polychrome"]) == 16 * 5 * 1.5
    assert score_of(["H_A"], jokers=["j_blueprint", "j_joker;e=foil"]) == (16 + 50) * 9
    assert score_of(["H_A"], jokers=["j_joker;e=foil;d=1"]) == 16


@probe("j_joker", met=False, says="does nothing in a hand that the blind refuses")
def _() -> None:
    assert score_of(["H_A"], jokers=["j_joker"], blind="bl_psychic") == 0


@probe(
    "j_joker",
    met=True,
    says="jokers act from left to right: its Mult is multiplied only by jokers to its right",
)
def _() -> None:
    assert score_of(["H_A"], jokers=["j_joker", "j_stencil"]) == 16 * (1 + 4) * 4
    assert score_of(["H_A"], jokers=["j_stencil", "j_joker"]) == 16 * (1 * 4 + 4)


# --- the four suit jokers -----------------------------------------------------------------------------------


def _suit_joker(key: str, suit: str, partner: str, strangers: str) -> None:
    sweep(key, [f"{suit}_A"], none=16, one=16 * 4, two=16 * 7)

    @probe(key, met=True, says="every scoring card of its suit adds 3 Mult, a Red Seal card twice")
    def _() -> None:
        assert score_of([f"{suit}_A", f"{suit}_A"], jokers=[key]) == 32 * (2 + 6)
        assert score_of([f"{suit}_A;l=Red"], jokers=[key]) == (5 + 22) * (1 + 6)

    @probe(key, met=True, says="Wild cards of any suit count")
    def _() -> None:
        for other in partner + strangers:
            assert score_of([f"{other}_A;h=m_wild"], jokers=[key]) == 16 * 4

    @probe(
        key,
        met=True,
        says="with Smeared Joker the other suit of its color counts too, the other color does not",
    )
    def _() -> None:
        assert score_of([f"{partner}_A"], jokers=[key, "j_smeared"]) == 16 * 4
        assert score_of([f"{partner}_A"], jokers=[key, "j_smeared;d=1"]) == 16
        for other in strangers:
            assert score_of([f"{other}_A"], jokers=[key, "j_smeared"]) == 16

    @probe(key, met=False, says="other suits add nothing")
    def _() -> None:
        for other in partner + strangers:
            assert score_of([f"{other}_A"], jokers=[key]) == 16

    @probe(
        key,
        met=False,
        says="cards of its suit that do not score, are held, are Stone or debuffed add nothing",
    )
    def _() -> None:
        assert score_of([f"{partner}_A", f"{suit}_2"], held=[f"{suit}_K"], jokers=[key]) == 16
        assert score_of([f"{suit}_A;h=m_stone"], jokers=[key]) == 55
        assert score_of([f"{suit}_A;d=1"], jokers=[key]) == 5
        assert score_of([f"{suit}_A;h=m_wild;d=1"], jokers=[key]) == 5


_suit_joker("j_greedy_joker", "D", "H", "SC")
_suit_joker("j_lusty_joker", "H", "D", "SC")
_suit_joker("j_wrathful_joker", "S", "C", "HD")
_suit_joker("j_gluttenous_joker", "C", "S", "HD")


# --- the ten jokers that want a poker hand in the hand ------------------------------------------------------

# Cards, chips with the cards' own, Mult, and which of the wanted parts the hand contains.
HANDS: list[tuple[str, int, int, set[str]]] = [
    ("H_A", 16, 1, set()),
    ("H_K S_K", 30, 2, {"Pair"}),
    ("H_K S_K H_4 C_4", 48, 2, {"Pair", "Two Pair"}),
    ("H_K S_K C_K", 60, 3, {"Pair", "Three"}),
    ("H_5 S_6 S_7 S_8 S_9", 65, 4, {"Straight"}),
    ("H_A S_2 S_3 S_4 S_5", 55, 4, {"Straight"}),
    ("H_2 H_4 H_6 H_8 H_T", 65, 4, {"Flush"}),
    ("H_K H_K H_4 H_4 H_9", 72, 4, {"Flush", "Two Pair", "Pair"}),
    ("H_K H_K H_K H_4 H_9", 78, 4, {"Flush", "Three", "Pair"}),
    ("H_K S_K C_K H_4 C_4", 78, 4, {"Three", "Two Pair", "Pair"}),
    ("H_K S_K C_K D_K", 100, 7, {"Three", "Pair"}),
    ("H_K H_K H_K H_K H_4", 100, 7, {"Three", "Pair", "Flush"}),
    ("H_5 H_6 H_7 H_8 H_9", 135, 8, {"Straight", "Flush"}),
    ("H_K S_K C_K D_K D_K", 170, 12, {"Three", "Pair"}),
    ("H_K H_K H_K H_4 H_4", 178, 14, {"Three", "Two Pair", "Pair", "Flush"}),
    ("H_K H_K H_K H_K H_K", 210, 16, {"Three", "Pair", "Flush"}),
]


def _hand_joker(key: str, part: str, extra_chips: int, extra_mult: int) -> None:
    text, chips, mult, _parts = next(row for row in HANDS if part in row[3])
    sweep(
        key,
        text.split(),
        none=chips * mult,
        one=(chips + extra_chips) * (mult + extra_mult),
        two=(chips + 2 * extra_chips) * (mult + 2 * extra_mult),
    )

    @probe(key, met=True, says=f"works in every hand that contains a {part}, also in a higher one")
    def _() -> None:
        for text, chips, mult, parts in HANDS:
            if part in parts:
                score = score_of(text.split(), jokers=[key])
                assert score == (chips + extra_chips) * (mult + extra_mult), text

    @probe(key, met=False, says=f"does nothing in every hand that contains no {part}")
    def _() -> None:
        for text, chips, mult, parts in HANDS:
            if part not in parts:
                assert score_of(text.split(), jokers=[key]) == chips * mult, text


for _key, _part, _chips, _mult in (
    ("j_jolly", "Pair", 0, 8),
    ("j_zany", "Three", 0, 12),
    ("j_mad", "Two Pair", 0, 10),
    ("j_crazy", "Straight", 0, 12),
    ("j_droll", "Flush", 0, 10),
    ("j_sly", "Pair", 50, 0),
    ("j_wily", "Three", 100, 0),
    ("j_clever", "Two Pair", 80, 0),
    ("j_devious", "Straight", 100, 0),
    ("j_crafty", "Flush", 80, 0),
):
    _hand_joker(_key, _part, _chips, _mult)


@probe(
    "j_jolly",
    met=True,
    says="debuffed cards still make the Pair; so does a Pair beside a Four Fingers Straight",
)
def _() -> None:
    assert score_of(["H_K;d=1", "S_K;d=1"], jokers=["j_jolly"]) == 10 * (2 + 8)
    five = ["H_5", "S_6", "S_7", "S_8", "C_8"]
    assert score_of(five, jokers=["j_jolly", "j_four_fingers"]) == (30 + 34) * (4 + 8)


@probe("j_jolly", met=False, says="a Stone King makes no Pair with a King")
def _() -> None:
    assert score_of(["H_K", "S_K;h=m_stone"], jokers=["j_jolly"]) == 5 + 10 + 50


@probe("j_crazy", met=True, says="a Straight by Four Fingers or by Shortcut is a Straight")
def _() -> None:
    assert score_of(["H_5", "S_6", "S_7", "S_8"], jokers=["j_crazy", "j_four_fingers"]) == (30 + 26) * 16
    assert score_of(["H_2", "S_4", "S_6", "S_8", "S_T"], jokers=["j_crazy", "j_shortcut"]) == (30 + 30) * 16


@probe("j_crazy", met=False, says="a Straight does not run round the Ace")
def _() -> None:
    assert score_of(["H_Q", "S_K", "S_A", "S_2", "S_3"], jokers=["j_crazy"]) == 16


@probe("j_droll", met=True, says="Wild cards and debuffed cards of the suit complete the Flush")
def _() -> None:
    cards = ["H_2", "H_4", "H_6", "S_8;h=m_wild", "H_T;d=1"]
    assert score_of(cards, jokers=["j_droll"]) == (35 + 20) * 14


@probe("j_droll", met=False, says="a debuffed Wild card and a Stone card do not complete the Flush")
def _() -> None:
    assert score_of(["H_2", "H_4", "H_6", "S_8;h=m_wild;d=1", "H_T"], jokers=["j_droll"]) == 15
    assert score_of(["H_2", "H_4", "H_6", "H_8;h=m_stone", "H_T"], jokers=["j_droll"]) == 65


# --- jokers of ranks: Fibonacci, Even Steven, Odd Todd, Scholar, Hack ---------------------------------------


def _rank_joker(key: str, ranks: str, chips: int, mult: int) -> None:
    """Probe a joker that adds chips and Mult for scoring cards of these ranks."""
    rank = ranks[0]
    own = RANKS[rank]
    sweep(
        key,
        [f"H_{rank}"],
        none=5 + own,
        one=(5 + own + chips) * (1 + mult),
        two=(5 + own + 2 * chips) * (1 + 2 * mult),
    )

    @probe(key, met=True, says=f"every scoring {', '.join(ranks)} counts, a Red Seal card twice")
    def _() -> None:
        for rank in ranks:
            own = RANKS[rank]
            assert score_of([f"S_{rank}"], jokers=[key]) == (5 + own + chips) * (1 + mult)
            red = score_of([f"S_{rank};l=Red"], jokers=[key])
            assert red == (5 + 2 * own + 2 * chips) * (1 + 2 * mult)
            pair = score_of([f"S_{rank}", f"D_{rank}"], jokers=[key])
            assert pair == (10 + 2 * own + 2 * chips) * (2 + 2 * mult)

    @probe(key, met=False, says="other ranks add nothing")
    def _() -> None:
        for rank in RANKS.keys() - set(ranks):
            assert score_of([f"S_{rank}"], jokers=[key]) == 5 + RANKS[rank]

    @probe(key, met=False, says="Stone, debuffed, held and not scoring cards of its ranks add nothing")
    def _() -> None:
        for rank in ranks:
            card = f"H_{rank}"
            assert score_of([card + ";h=m_stone"], jokers=[key]) == 55
            assert score_of([card + ";d=1"], jokers=[key]) == 5
            if rank != "A":
                high = "K" if rank != "K" else "A"
                assert score_of([f"S_{high}", card], held=[card], jokers=[key]) == 15


_rank_joker("j_fibonacci", "A2358", 0, 8)
_rank_joker("j_even_steven", "2468T", 0, 4)
_rank_joker("j_odd_todd", "A3579", 31, 0)
_rank_joker("j_scholar", "A", 20, 4)

sweep("j_hack", ["H_5"], none=10, one=15, two=20)


@probe("j_hack", met=True, says="2, 3, 4 and 5 trigger again with all their effects")
def _() -> None:
    for rank in "2345":
        assert score_of([f"H_{rank}"], jokers=["j_hack"]) == 5 + 2 * int(rank)
        card = f"H_{rank};h=m_glass;e=foil;l=Red"
        assert score_of([card], jokers=["j_hack"]) == (5 + 3 * (int(rank) + 50)) * 8
    assert score_of(["H_2"], jokers=["j_hack", "j_fibonacci"]) == 9 * 17


@probe("j_hack", met=False, says="other ranks, Stone, debuffed and held cards do not trigger again")
def _() -> None:
    for rank in RANKS.keys() - set("2345"):
        assert score_of([f"H_{rank}"], jokers=["j_hack"]) == 5 + RANKS[rank]
    assert score_of(["H_2;h=m_stone"], jokers=["j_hack"]) == 55
    assert score_of(["H_2;d=1"], jokers=["j_hack"]) == 5
    assert score_of(["H_A"], held=["H_2;h=m_steel"], jokers=["j_hack"]) == 24
