"""Abilities that answer scoring cards and held cards, and extra triggers (rules 7.6 and 7.7)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from .data import RANKS, SUITS

if TYPE_CHECKING:
    from .cards import Card
    from .state import Hand, Joker

# A card ability returns whether it did anything. The last argument tells whether it runs as a copy.
CardAbility = Callable[["Hand", "Joker", "Card", bool], bool]
Test = Callable[["Hand", "Card"], bool]


def _suit(letter: str) -> Test:
    return lambda s, card: card.has_suit(letter, s.rules)


def _rank(*ids: int) -> Test:
    return lambda _s, card: card.id in ids


def _face(s: Hand, card: Card) -> bool:
    return card.is_face(s.rules)


def _first_face(s: Hand, card: Card) -> bool:
    first = next((other for other in s.scoring_cards if other.is_face(s.rules)), None)
    return card is first


def _ancient_target(s: Hand, card: Card) -> bool:
    return any(
        name == s.targets.get("ancient_suit") and card.has_suit(letter, s.rules)
        for letter, name in SUITS.items()
    )


def _idol_target(s: Hand, card: Card) -> bool:
    if card.id is None or RANKS[card.id - 2] != s.targets.get("idol_rank"):
        return False
    return any(
        name == s.targets.get("idol_suit") and card.has_suit(letter, s.rules)
        for letter, name in SUITS.items()
    )


def _give(
    test: Test,
    *,
    chips: float = 0,
    mult: float = 0,
    dollars: float = 0,
    x_mult: float = 1,
    roll: tuple[str, int] | None = None,
) -> CardAbility:
    """An ability that gives fixed amounts when the card passes a test, maybe only if a chance comes off."""

    def ability(s: Hand, _joker: Joker, card: Card, _copy: bool) -> bool:
        if not test(s, card) or (roll is not None and not s.outcomes.roll(*roll)):
            return False
        s.add_chips(chips)
        s.add_mult(mult)
        s.earn(dollars)
        s.times(x_mult)
        return True

    return ability


def _eight_ball(s: Hand, _joker: Joker, card: Card, _copy: bool) -> bool:
    return card.id == 8 and s.room and s.outcomes.roll("8ball", 4) and s.create("Tarot")


def _hiker(_s: Hand, _joker: Joker, card: Card, _copy: bool) -> bool:
    card.perma_bonus += 5
    return True


def _lucky_cat(s: Hand, joker: Joker, _card: Card, copy: bool) -> bool:
    return not copy and s.lucky_hit and joker.grow("x_mult", 0.25)


def _wee(_s: Hand, joker: Joker, card: Card, copy: bool) -> bool:
    return not copy and card.id == 2 and joker.grow("chips", 8)


PLAYED: dict[str, CardAbility] = {
    "j_greedy_joker": _give(_suit("D"), mult=3),
    "j_lusty_joker": _give(_suit("H"), mult=3),
    "j_wrathful_joker": _give(_suit("S"), mult=3),
    "j_gluttenous_joker": _give(_suit("C"), mult=3),
    "j_8_ball": _eight_ball,
    "j_fibonacci": _give(_rank(14, 2, 3, 5, 8), mult=8),
    "j_scary_face": _give(_face, chips=30),
    "j_even_steven": _give(_rank(2, 4, 6, 8, 10), mult=4),
    "j_odd_todd": _give(_rank(14, 3, 5, 7, 9), chips=31),
    "j_scholar": _give(_rank(14), chips=20, mult=4),
    "j_business": _give(_face, dollars=2, roll=("business", 2)),
    "j_hiker": _hiker,
    "j_photograph": _give(_first_face, x_mult=2),
    "j_lucky_cat": _lucky_cat,
    "j_ancient": _give(_ancient_target, x_mult=1.5),
    "j_walkie_talkie": _give(_rank(10, 4), chips=10, mult=4),
    "j_smiley": _give(_face, mult=5),
    "j_ticket": _give(lambda _s, card: card.enhancement == "m_gold", dollars=4),
    "j_rough_gem": _give(_suit("D"), dollars=1),
    "j_bloodstone": _give(_suit("H"), x_mult=1.5, roll=("bloodstone", 2)),
    "j_arrowhead": _give(_suit("S"), chips=50),
    "j_onyx_agate": _give(_suit("C"), mult=7),
    "j_wee": _wee,
    "j_idol": _give(_idol_target, x_mult=2),
    "j_triboulet": _give(_rank(13, 12), x_mult=2),
}


def _first_card(s: Hand, card: Card) -> bool:
    return card is s.scoring_cards[0]


# Extra triggers of a scoring card: how many, and for which cards.
RETRIGGER_PLAYED: dict[str, tuple[int, Test]] = {
    "j_dusk": (1, lambda s, _card: s.hands_left == 0),
    "j_hack": (1, _rank(2, 3, 4, 5)),
    "j_selzer": (1, lambda _s, _card: True),
    "j_sock_and_buskin": (1, _face),
    "j_hanging_chad": (2, _first_card),
}


def _raised_fist(s: Hand, _joker: Joker, card: Card, _copy: bool) -> bool:
    ranked = [other for other in s.held if not other.stone]
    if not ranked:
        return False
    lowest = min(other.rank for other in ranked)
    target = [other for other in ranked if other.rank == lowest][-1]
    return card is target and s.add_mult(2 * card.rank_chips)


HELD: dict[str, CardAbility] = {
    "j_raised_fist": _raised_fist,
    "j_baron": _give(_rank(13), x_mult=1.5),
    "j_reserved_parking": _give(_face, dollars=1, roll=("parking", 2)),
    "j_shoot_the_moon": _give(_rank(12), mult=13),
}

# Extra triggers of a held card that produced an effect.
RETRIGGER_HELD: dict[str, int] = {"j_mime": 1}
