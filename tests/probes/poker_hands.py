"""Probes of the 12 poker hands: what they are made of, contain, score, and when they are known."""

from collections.abc import Sequence
from typing import NamedTuple

from jimbot.balatro import Action

from .table import next_round, play, playing, probe, score_of, shopping, start, win_round

HANDS = {
    "Flush Five": (160, 16, 50, 3),
    "Flush House": (140, 14, 40, 4),
    "Five of a Kind": (120, 12, 35, 3),
    "Straight Flush": (100, 8, 40, 4),
    "Four of a Kind": (60, 7, 30, 3),
    "Full House": (40, 4, 25, 2),
    "Flush": (35, 4, 15, 2),
    "Straight": (30, 4, 30, 3),
    "Three of a Kind": (30, 3, 20, 2),
    "Two Pair": (20, 2, 20, 1),
    "Pair": (10, 2, 15, 1),
    "High Card": (5, 1, 10, 1),
}
"""Chips and Mult at level 1, and what a level adds to them, the highest hand first."""

SECRET = ("Flush Five", "Flush House", "Five of a Kind")

FINGERS, SHORTCUT, SMEARED, SPLASH = ["j_four_fingers"], ["j_shortcut"], ["j_smeared"], ["j_splash"]

PARTS = {
    "Pair": ("j_jolly", 8),
    "Three of a Kind": ("j_zany", 12),
    "Two Pair": ("j_mad", 10),
    "Straight": ("j_crazy", 12),
    "Flush": ("j_droll", 10),
}
"""Jokers that give Mult for a contained part."""


class Case(NamedTuple):
    """Played cards ("7H" is the seven of Hearts, "*" Wild, "#" Stone, "-" debuffed) and the hand they are."""

    says: str
    cards: str
    hand: str
    scoring: str = "01234"
    jokers: Sequence[str] = ()


def _cards(text: str) -> list[str]:
    marks = {"*": ";h=m_wild", "#": ";h=m_stone", "-": ";d=1"}
    return [f"{word[1]}_{word[0]}" + "".join(marks[mark] for mark in word[2:]) for word in text.split()]


def _chips(card: str) -> int:
    if card.endswith(";d=1"):
        return 0
    if "m_stone" in card:
        return 50
    return {"T": 10, "J": 10, "Q": 10, "K": 10, "A": 11}.get(card[2]) or int(card[2])


def _check(case: Case) -> None:
    cards = _cards(case.cards)
    scoring = [position for position in map(int, case.scoring) if position < len(cards)]
    game = playing([*cards, "S_2"], jokers=case.jokers)
    seen = game.preview(Action.play(*range(len(cards))))
    assert (seen["hand"], list(seen["scoring_indices"])) == (case.hand, scoring)
    chips, mult, _, _ = HANDS[case.hand]
    assert play(game, *range(len(cards))) == (chips + sum(_chips(cards[i]) for i in scoring)) * mult
    for hand, level in game.hands.items():
        assert level.played == level.played_this_round == (hand == case.hand)


def _enter(hand: str, cases: Sequence[Case], *, met: bool) -> None:
    for case in cases:
        assert (case.hand == hand) == met

        @probe(f"hand:{hand}", met=met, says=case.says)
        def _(case: Case = case) -> None:
            _check(case)


def _hand(hand: str, there: Sequence[Case], missing: Sequence[Case], parts: str) -> None:
    """Enter what makes this hand, what just misses it, and what its first example contains."""
    _enter(hand, there, met=True)
    _enter(hand, missing, met=False)
    cards = _cards(there[0].cards)
    contained = [part for part in PARTS if part in parts.split(", ")]
    chips, mult, more_chips, more_mult = HANDS[hand]
    scored = sum(_chips(cards[i]) for i in map(int, there[0].scoring) if i < len(cards))

    @probe(f"hand:{hand}", met=bool(contained), says=f"contains {', '.join(contained) or 'no other part'}")
    def _() -> None:
        for part, (joker, extra) in PARTS.items():
            bonus = extra if part in contained else 0
            assert score_of(cards, jokers=[joker]) == (chips + scored) * (mult + bonus)

    @probe(f"hand:{hand}", met=True, says=f"each level adds {more_chips} chips and {more_mult} Mult")
    def _() -> None:
        for level in (1, 2, 3, 10, 40):
            base = chips + (level - 1) * more_chips
            game = playing(cards, levels={hand: level})
            assert (game.hands[hand].chips, game.hands[hand].mult) == (base, mult + (level - 1) * more_mult)
            assert play(game) == (base + scored) * (mult + (level - 1) * more_mult)

    @probe(f"hand:{hand}", met=True, says="plays are counted for the round and for the run, apart")
    def _() -> None:
        game = playing(cards)
        play(game)
        game.edit(hand=cards)
        play(game)
        assert (game.hands[hand].played, game.hands[hand].played_this_round) == (2, 2)
        game.edit(hand=cards, target=1)
        game.step(Action.play(*range(len(cards))))
        next_round(shopping(game))
        assert (game.hands[hand].played, game.hands[hand].played_this_round) == (3, 0)

    @probe(f"hand:{hand}", met=False, says="playing another hand neither counts for it nor levels it")
    def _() -> None:
        other = ["H_9", "S_9"] if hand == "High Card" else ["H_9"]
        game = playing(other)
        play(game)
        level = game.hands[hand]
        assert (level.played, level.level) == (0, 1)


_hand(
    "Flush Five",
    [
        Case("five cards of one rank and suit", "7H 7H 7H 7H 7H", "Flush Five"),
        Case("Wild cards take any suit", "7H 7S* 7H 7D* 7H", "Flush Five"),
        Case("with Smeared Joker two red suits are one", "7H 7D 7H 7D 7D", "Flush Five", jokers=SMEARED),
        Case("with Four Fingers four of one suit do", "7H 7H 7H 7H 7S", "Flush Five", jokers=FINGERS),
        Case("debuffed cards keep rank and suit", "7H- 7H 7H 7H- 7H", "Flush Five"),
    ],
    [
        Case("five of one rank in two suits are not it", "7H 7H 7H 7H 7S", "Five of a Kind"),
        Case("four and a stranger of the suit are not it", "7H 7H 7H 7H 2H", "Four of a Kind", "0123"),
        Case("a Stone card has no rank to add", "7H 7H 7H 7H 7H#", "Four of a Kind"),
        Case("Smeared Joker does not join black and red", "7H 7D 7S 7D 7D", "Five of a Kind", jokers=SMEARED),
        Case("a debuffed Wild falls back to its suit", "7H 7H 7H 7H 7S*-", "Five of a Kind"),
    ],
    "Pair, Three of a Kind, Flush",
)
_hand(
    "Flush House",
    [
        Case("a Full House of one suit", "7H 7H 7H 4H 4H", "Flush House"),
        Case("Wild cards take any suit", "7H 7S* 7H 4H 4C*", "Flush House"),
        Case("with Smeared Joker two black suits are one", "7S 7C 7S 4C 4C", "Flush House", jokers=SMEARED),
        Case("with Four Fingers four of one suit do", "7H 7H 7H 4H 4S", "Flush House", jokers=FINGERS),
    ],
    [
        Case("one card of another suit makes it a Full House", "7H 7H 7H 4H 4S", "Full House"),
        Case("two pairs of one suit are a Flush", "7H 7H 4H 4H 2H", "Flush"),
        Case("five of one rank and suit are more", "7H 7H 7H 7H 7H", "Flush Five"),
    ],
    "Pair, Three of a Kind, Two Pair, Flush",
)
_hand(
    "Five of a Kind",
    [
        Case("five cards of one rank", "7H 7S 7H 7D 7C", "Five of a Kind"),
        Case("debuffed cards count", "7H 7S- 7H 7D 7C-", "Five of a Kind"),
        Case(
            "three of one suit are no Flush for Four Fingers",
            "AH AS AH AD AH",
            "Five of a Kind",
            jokers=FINGERS,
        ),
    ],
    [
        Case("four and a Stone card are not it", "7H 7S 7H 7D 7C#", "Four of a Kind"),
        Case("one suit makes it a Flush Five", "7C 7C 7C 7C 7C", "Flush Five"),
        Case("four and another rank are not it", "7H 7S 7H 7D 8C", "Four of a Kind", "0123"),
    ],
    "Pair, Three of a Kind",
)
_hand(
    "Straight Flush",
    [
        Case("a Straight of one suit", "3H 4H 5H 6H 7H", "Straight Flush"),
        Case("a Royal Flush is one", "TS JS QS KS AS", "Straight Flush"),
        Case("Ace to 5 is one", "AD 2D 3D 4D 5D", "Straight Flush"),
        Case("Wild cards take any suit", "3H 4S* 5H 6D* 7H", "Straight Flush"),
        Case("with Smeared Joker two red suits are one", "3H 4D 5H 6D 7H", "Straight Flush", jokers=SMEARED),
        Case("with Shortcut gaps are allowed", "2H 4H 6H 8H TH", "Straight Flush", jokers=SHORTCUT),
        Case(
            "with Four Fingers four cards do; the fifth stays out",
            "3H 4H 5H 6H 9S",
            "Straight Flush",
            "0123",
            FINGERS,
        ),
        Case(
            "with Four Fingers its halves may differ; both score",
            "3H 4H 5H 6S 9H",
            "Straight Flush",
            jokers=FINGERS,
        ),
        Case("Four Fingers: four cards are enough", "3H 4H 5H 6H", "Straight Flush", "0123", FINGERS),
    ],
    [
        Case("one card of another suit makes it a Straight", "3H 4H 5H 6H 7S", "Straight"),
        Case("it does not go round the Ace", "QH KH AH 2H 3H", "Flush"),
        Case("four cards are not enough", "3H 4H 5H 6H", "High Card", "3"),
        Case("a Stone card is no part of it", "3H 4H 5H 6H 7H#", "High Card", "34"),
        Case("a gap needs Shortcut", "3H 4H 5H 6H 8H", "Flush"),
    ],
    "Straight, Flush",
)
_hand(
    "Four of a Kind",
    [
        Case("four cards of one rank; the fifth stays out", "7H 7S 7H 7D 2C", "Four of a Kind", "0123"),
        Case(
            "before Flush: four of a rank in one suit with a fifth of it",
            "7H 7H 2H 7H 7H",
            "Four of a Kind",
            "0134",
        ),
        Case("four cards alone", "7H 7S 7H 7D", "Four of a Kind"),
        Case("with Splash the fifth card scores", "7H 7S 7H 7D 2C", "Four of a Kind", jokers=SPLASH),
        Case("a Stone card beside it scores", "7H 7S 2D# 7H 7D", "Four of a Kind"),
    ],
    [
        Case("three and a Stone card are not it", "7H 7S 7H 7D#", "Three of a Kind", "0123"),
        Case("three and two are a Full House", "7H 7S 7H 2D 2C", "Full House"),
    ],
    "Pair, Three of a Kind",
)
_hand(
    "Full House",
    [
        Case("three of one rank and two of another", "7H 7S 7D 4C 4D", "Full House"),
        Case("in any order, debuffed cards too", "4H 7S- 4D 7C 4C-", "Full House"),
    ],
    [
        Case("three and two different ones are not it", "7H 7S 7D 4C 5D", "Three of a Kind", "012"),
        Case("two pairs and another are not it", "7H 7S 4C 4D 2S", "Two Pair", "0123"),
        Case("a Stone card does not fill a pair", "7H 7S 7D 4C 4D#", "Three of a Kind", "0124"),
        Case("one suit makes it a Flush House", "7D 7D 7D 4D 4D", "Flush House"),
    ],
    "Pair, Three of a Kind, Two Pair",
)
_hand(
    "Flush",
    [
        Case("five cards of one suit", "3H 4H 5H 6H 8H", "Flush"),
        Case("debuffed cards count with their suit", "3H- 4H 5H- 6H 8H", "Flush"),
        Case("Wild cards take any suit", "3H 4S* 5H 6C* 8H", "Flush"),
        Case(
            "with Smeared Joker Hearts and Diamonds are one suit", "3H 4D 5H 6D 8H", "Flush", jokers=SMEARED
        ),
        Case("with Smeared Joker Spades and Clubs are one suit", "3S 4C 5S 6C 8S", "Flush", jokers=SMEARED),
        Case("with Four Fingers four do; the fifth stays out", "3H 4H 5S 8H KH", "Flush", "0134", FINGERS),
        Case("with Four Fingers a fifth of the suit scores too", "3H 4H 5H 8H KH", "Flush", jokers=FINGERS),
        Case(
            "Spades are tried first when Wilds would fit more", "2H 3D* 5C* 9S* KS", "Flush", "1234", FINGERS
        ),
        Case("before Three of a Kind", "7H 7H 7H 4H 9H", "Flush"),
        Case(
            "Four Fingers and a Stone card: the Stone scores too", "3H 4H 5S# 8H KH", "Flush", jokers=FINGERS
        ),
    ],
    [
        Case("four of a suit are not enough", "3H 4H 5H 8H KS", "High Card", "4"),
        Case("three of a suit are not enough for Four Fingers", "3H 4H 8H TS KS", "High Card", "4", FINGERS),
        Case("a Stone card has no suit", "3H 4H 5H 6H 8H#", "High Card", "34"),
        Case("a debuffed Wild keeps to its printed suit", "3H 4H 5H 6H 8S*-", "High Card", "4"),
        Case("Smeared Joker does not join red and black", "3H 4D 5H 6D 8S", "High Card", "4", SMEARED),
        Case("four cards, all of them played, are not enough", "3H 4H 5H 8H", "High Card", "3"),
    ],
    "Flush",
)
_hand(
    "Straight",
    [
        Case("five ranks in a row, in any order", "5H 3H 7S 6D 4C", "Straight"),
        Case("the Ace may be high", "TH JH QS KD AC", "Straight"),
        Case("the Ace may be low", "AH 2H 3S 4D 5C", "Straight"),
        Case("with Four Fingers four do; the fifth stays out", "3H 4H 5S 6D KC", "Straight", "0123", FINGERS),
        Case("with Four Fingers a doubled rank scores twice", "3H 4H 5S 6D 6C", "Straight", jokers=FINGERS),
        Case("with Shortcut every step may leave out a rank", "2H 4H 6S 8D TC", "Straight", jokers=SHORTCUT),
        Case("with Shortcut the Ace may be low", "AH 3H 5S 7D 9C", "Straight", jokers=SHORTCUT),
        Case("with Shortcut the Ace may be high", "6H 8H TS QD AC", "Straight", jokers=SHORTCUT),
        Case("Four Fingers and Shortcut together", "2H 4S 6D 8C KC", "Straight", "0123", FINGERS + SHORTCUT),
        Case(
            "both together take in a fifth card that fits",
            "3H 4S 5D 6C 8C",
            "Straight",
            jokers=FINGERS + SHORTCUT,
        ),
        Case("debuffed cards count with their rank", "3H- 4H 5S- 6D 7C", "Straight"),
    ],
    [
        Case("it does not go round the Ace", "QH KH AS 2D 3C", "High Card", "2"),
        Case("nor with Shortcut", "QH AH 2S 4D 6C", "High Card", "1", SHORTCUT),
        Case("nor with Four Fingers", "KH AH 2S 3D 9C", "High Card", "1", FINGERS),
        Case("four in a row are not enough", "3H 4H 5S 6D KC", "High Card", "4"),
        Case("a gap needs Shortcut", "2H 4H 5S 6D 7C", "High Card", "4"),
        Case("two ranks may not be left out at once", "2H 5H 6S 7D 8C", "High Card", "4", SHORTCUT),
        Case("a Stone card has no rank", "3H 4H 5S 6D 7C#", "High Card", "34"),
        Case("three in a row are not enough for Four Fingers", "3H 4H 5S 9D KC", "High Card", "4", FINGERS),
    ],
    "Straight",
)
_hand(
    "Three of a Kind",
    [
        Case("three cards of one rank; others stay out", "7H 2S 7S 7D 4C", "Three of a Kind", "023"),
        Case("debuffed cards count", "7H- 7S 7D", "Three of a Kind"),
        Case("with Splash the others score", "7H 2S 7S 7D 4C", "Three of a Kind", jokers=SPLASH),
    ],
    [
        Case("two and a Stone card are not it", "7H 7S 7D#", "Pair", "012"),
        Case("a fourth makes it Four of a Kind", "7H 7S 7D 7C", "Four of a Kind"),
    ],
    "Pair, Three of a Kind",
)
_hand(
    "Two Pair",
    [
        Case("two pairs; the fifth card stays out", "7H 7S 4D 4C KC", "Two Pair", "0123"),
        Case("debuffed cards count", "7H- 7S 4D 4C-", "Two Pair"),
        Case("a Stone card beside it scores", "7H 2C# 7S 4D 4C", "Two Pair"),
        Case("with Splash the fifth card scores", "7H 7S 4D 4C KC", "Two Pair", jokers=SPLASH),
    ],
    [
        Case("four of one rank are not two pairs", "7H 7S 7D 7C", "Four of a Kind"),
        Case("a pair and two others are not it", "7H 7S 4D 5C", "Pair", "01"),
        Case("a Stone card completes no pair", "7H 7S 4D 4C#", "Pair", "013"),
    ],
    "Pair, Two Pair",
)
_hand(
    "Pair",
    [
        Case("two cards of one rank; others stay out", "7H AS 7S 4D", "Pair", "02"),
        Case("a debuffed card counts with its rank", "7H- 7S", "Pair"),
        Case("with Splash the others score", "7H AS 7S 4D", "Pair", jokers=SPLASH),
    ],
    [
        Case("faces of different ranks are no pair", "KH QS JD", "High Card", "0"),
        Case("a Stone card completes no pair", "7H 7S#", "High Card", "01"),
    ],
    "Pair",
)
_hand(
    "High Card",
    [
        Case("the highest card alone scores", "7H KS 2D 9C", "High Card", "1"),
        Case("the Ace is highest", "KH AS QD", "High Card", "1"),
        Case("a debuffed highest card is still the one, for no chips", "AH- KS", "High Card", "0"),
        Case("with Splash every card scores", "7H KS 2D 9C", "High Card", jokers=SPLASH),
        Case("only Stone cards: no rank card, all Stones score", "KH# 2S# 9D#", "High Card"),
        Case("Stone cards score beside the highest card", "7H KS# 9C", "High Card", "12"),
        Case("Splash lets a debuffed card into the set, for no chips", "AH 7S-", "High Card", jokers=SPLASH),
    ],
    [Case("a pair is more", "7H 7S KD", "Pair", "01")],
    "",
)


@probe("hand:Four of a Kind", met=True, says="contains a Flush when its five cards share a suit")
def _() -> None:
    cards = _cards("7H 7H 7H 7S* 2H")
    assert score_of(cards, jokers=["j_droll"]) == (60 + 28) * (7 + 10)
    assert score_of(_cards("7H 7H 7H 7S 2H"), jokers=["j_droll"]) == (60 + 28) * 7


@probe("hand:Straight", met=True, says="with Four Fingers it may contain a Pair")
def _() -> None:
    cards = _cards("3H 4H 5S 6D 6C")
    assert score_of(cards, jokers=["j_four_fingers", "j_jolly"]) == (30 + 24) * (4 + 8)
    assert score_of(cards, jokers=["j_four_fingers", "j_zany"]) == (30 + 24) * 4


@probe(
    "hand:Two Pair",
    met=False,
    says="with Four Fingers a Flush of four among two pairs comes first and contains it",
)
def _() -> None:
    cards = _cards("7H 7H 4H 4H 9S")
    assert score_of(cards, jokers=["j_four_fingers", "j_mad"]) == (35 + 22) * (4 + 10)


def _secret(hand: str, cards: str) -> None:
    @probe(
        f"hand:{hand}",
        met=True,
        says="is secret until it is played for the first time, then visible for good",
    )
    def _() -> None:
        game = playing(_cards(cards))
        assert not game.hands[hand].visible
        play(game)
        assert game.hands[hand].visible
        next_round(shopping(game))
        assert game.hands[hand].visible

    @probe(f"hand:{hand}", met=False, says="a hand that is blocked by the boss becomes visible all the same")
    def _() -> None:
        game = playing(_cards(cards), blind="bl_mouth", only_hand="Pair")
        assert play(game) == 0
        assert game.hands[hand].visible


for _name, _text in zip(SECRET, ("7H 7H 7H 7H 7H", "7H 7H 7H 4H 4H", "7H 7S 7H 7D 7C"), strict=True):
    _secret(_name, _text)


@probe(
    "hand:High Card", met=True, says="is visible from the start, as are all hands but the three secret ones"
)
def _() -> None:
    for hand, level in start().hands.items():
        assert level.visible == (hand not in SECRET)


@probe(
    "hand:High Card",
    met=False,
    says="a debuffed Four Fingers, Shortcut, Smeared Joker or Splash changes nothing",
)
def _() -> None:
    jokers = [f"{joker};d=1" for joker in ("j_four_fingers", "j_shortcut", "j_smeared", "j_splash")]
    _check(Case("", "3H 5H 7D 9D JD", "High Card", "4", jokers))
    _check(Case("", "3H 4H 5H 6H KS", "High Card", "4", jokers))


@probe(
    "hand:High Card",
    met=False,
    says="Blueprint does not copy Four Fingers, Shortcut, Smeared Joker or Splash",
)
def _() -> None:
    for joker in ("j_four_fingers", "j_shortcut", "j_smeared", "j_splash"):
        game = playing(_cards("2H 4H 6S 8H TC KD 3S"), jokers=["j_blueprint", joker])
        once = game.preview(Action.play(0, 1, 2, 3, 4))
        game = playing(_cards("2H 4H 6S 8H TC KD 3S"), jokers=[joker])
        assert once["score"] == game.preview(Action.play(0, 1, 2, 3, 4))["score"]


@probe(
    "hand:Pair",
    met=True,
    says="cards score in the order they lie in the hand, whatever order they were chosen in",
)
def _() -> None:
    hand = ["S_9;h=m_glass", "H_9;h=m_mult"]
    game = playing(hand)
    assert play(game, 1, 0) == 28 * (2 * 2 + 4)
    game = playing(hand)
    game.step(Action.move_card(0, 1))
    assert play(game, 0, 1) == 28 * ((2 + 4) * 2)


@probe("hand:Pair", met=False, says="no more than five cards can be played, and no fewer than one")
def _() -> None:
    game = playing(["S_9", "H_9", "D_2", "D_3", "D_4", "D_5"])
    assert game.why_not(Action.play(0, 1, 2, 3, 4, 5)) is not None
    assert game.why_not(Action.play()) is not None
    assert win_round(game).hands["High Card"].played == 1
