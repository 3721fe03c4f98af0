"""Abilities that run before the base values are read, and after scoring (rules 7.4, 7.11, 7.14)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .cards import Card
    from .state import Hand, Joker

# An ability returns whether it did anything. The third argument tells whether it runs as a copy.
Ability = Callable[["Hand", "Joker", bool], bool]


def _space(s: Hand, _joker: Joker, _copy: bool) -> bool:
    hit = s.outcomes.roll("space", 4)
    if hit:
        s.levels[s.hand] += 1
    return hit


def _ride_the_bus(s: Hand, joker: Joker, copy: bool) -> bool:
    if copy:
        return False
    if any(card.is_face(s.rules) for card in s.scoring_cards):
        joker.state["mult"] = 0.0
        return True
    return joker.grow("mult", 1)


def _growth(name: str, amount: float, condition: Callable[[Hand], bool]) -> Ability:
    """A stored value that grows when the played hand meets a condition."""

    def ability(s: Hand, joker: Joker, copy: bool) -> bool:
        return not copy and condition(s) and joker.grow(name, amount)

    return ability


def _dna(s: Hand, _joker: Joker, _copy: bool) -> bool:
    if not s.first_hand or len(s.played) != 1:
        return False
    s.copy_to_hand(s.played[0])
    return True


def _todo_list(s: Hand, joker: Joker, _copy: bool) -> bool:
    return joker.state.get("poker_hand") == s.hand and s.earn(4)


def _vampire(s: Hand, joker: Joker, copy: bool) -> bool:
    if copy:
        return False
    prey = [card for card in s.scoring_cards if card.enhancement is not None and not card.debuffed]
    for card in prey:
        joker.grow("x_mult", 0.1)
        s.enhance(card, None)
    return bool(prey)


def _obelisk(s: Hand, joker: Joker, copy: bool) -> bool:
    if copy:
        return False
    count = s.plays[s.hand]
    if any(other >= count for name, other in s.plays.items() if name != s.hand):
        return joker.grow("x_mult", 0.2)
    joker.state["x_mult"] = 1.0
    return True


def _midas_mask(s: Hand, _joker: Joker, _copy: bool) -> bool:
    faces = [card for card in s.scoring_cards if card.is_face(s.rules)]
    for card in faces:
        s.enhance(card, "m_gold")
    return bool(faces)


BEFORE: dict[str, Ability] = {
    "j_space": _space,
    "j_ride_the_bus": _ride_the_bus,
    "j_runner": _growth("chips", 15, lambda s: s.contains("Straight")),
    "j_dna": _dna,
    "j_green_joker": _growth("mult", 1, lambda _s: True),
    "j_todo_list": _todo_list,
    "j_square": _growth("chips", 4, lambda s: len(s.played) == 4),
    "j_vampire": _vampire,
    "j_obelisk": _obelisk,
    "j_midas_mask": _midas_mask,
    "j_trousers": _growth("mult", 2, lambda s: s.contains("Two Pair") or s.contains("Full House")),
}


def destroyed_by_joker(s: Hand, card: Card) -> bool:
    """Whether a joker destroys the scoring card: Sixth Sense, which also creates a Spectral card."""
    if not s.first_hand or len(s.played) != 1 or card.id != 6:
        return False
    for joker in s.jokers:
        if joker.key == "j_sixth_sense" and not joker.debuffed:
            s.create("Spectral")
            return s.note(joker, copy=False, did=True)
    return False


def cards_destroyed(s: Hand, cards: list[Card]) -> None:
    """Tell the jokers which cards were destroyed after scoring."""
    for joker in s.jokers:
        if joker.debuffed:
            continue
        for card in cards:
            if joker.key == "j_glass" and card.enhancement == "m_glass":
                s.note(joker, copy=False, did=joker.grow("x_mult", 0.75))
            elif joker.key == "j_caino" and card.is_face(s.rules):
                s.note(joker, copy=False, did=joker.grow("x_mult", 1))


def _ice_cream(_s: Hand, joker: Joker, copy: bool) -> bool:
    if copy:
        return False
    joker.grow("chips", -5)
    joker.destroyed = joker.state["chips"] <= 0
    return True


def _seltzer(_s: Hand, joker: Joker, copy: bool) -> bool:
    if copy:
        return False
    joker.grow("counter", -1)
    joker.destroyed = joker.state["counter"] <= 0
    return True


AFTER: dict[str, Ability] = {"j_ice_cream": _ice_cream, "j_selzer": _seltzer}
