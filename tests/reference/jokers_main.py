"""Abilities of the joker stage and of blocked hands (rules 7.3 and 7.8)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING

from .data import JOKERS

if TYPE_CHECKING:
    from .jokers_before import Ability
    from .state import Hand, Joker

Value = Callable[["Hand", "Joker"], float]


def _mult(value: Value) -> Ability:
    return lambda s, joker, _copy: s.add_mult(value(s, joker))


def _chips(value: Value) -> Ability:
    return lambda s, joker, _copy: s.add_chips(value(s, joker))


def _times(value: Value) -> Ability:
    return lambda s, joker, _copy: s.times(value(s, joker))


def _stored(name: str) -> Value:
    return lambda _s, joker: joker.state[name]


def _if_contains(name: str, amount: float, otherwise: float = 0) -> Value:
    return lambda s, _joker: amount if s.contains(name) else otherwise


def _stencil(s: Hand, _joker: Joker) -> float:
    stencils = sum(joker.key == "j_stencil" for joker in s.jokers)
    return max(1, s.joker_slots - len(s.jokers) + stencils)


def _loyalty(s: Hand, joker: Joker) -> float:
    played = int(s.hands_played_run - joker.state["hands_played_at_create"])
    return 4 if (4 - played) % 6 == 5 else 1


def _blackboard(s: Hand, _joker: Joker) -> float:
    black = all(card.has_flush_suit("S", s.rules) or card.has_flush_suit("C", s.rules) for card in s.held)
    return 3 if black else 1


def _swashbuckler(s: Hand, joker: Joker) -> float:
    return sum(other.sell_value for other in s.jokers if other is not joker)


def _flower_pot(s: Hand, _joker: Joker) -> float:
    missing = list("HDSC")
    for card in s.scoring_cards:
        if card.enhancement == "m_wild":
            continue
        match = next((suit for suit in missing if card.has_flush_suit(suit, s.rules)), None)
        if match is not None:
            missing.remove(match)
    wilds = sum(card.wild for card in s.scoring_cards)
    return 3 if wilds >= len(missing) else 1


def _seeing_double(s: Hand, _joker: Joker) -> float:
    found: set[str] = set()
    for card in s.scoring_cards:
        if card.enhancement != "m_wild":
            found |= {suit for suit in "CDSH" if card.has_suit(suit, s.rules)}
    for card in s.scoring_cards:
        missing = [suit for suit in "CDSH" if suit not in found]
        if card.wild and missing:
            found.add(missing[0])
    return 2 if "C" in found and len(found) > 1 else 1


def _superposition(s: Hand, _joker: Joker, _copy: bool) -> bool:
    ace = any(card.id == 14 for card in s.scoring_cards)
    return s.contains("Straight") and ace and s.create("Tarot")


def _seance(s: Hand, _joker: Joker, _copy: bool) -> bool:
    return s.contains("Straight Flush") and s.create("Spectral")


def _vagabond(s: Hand, _joker: Joker, _copy: bool) -> bool:
    return s.money_before <= 4 and s.create("Tarot")


def _matador(s: Hand, _joker: Joker, _copy: bool) -> bool:
    return s.triggered and s.earn(8)


MAIN: dict[str, Ability] = {
    "j_joker": _mult(lambda _s, _j: 4),
    "j_jolly": _mult(_if_contains("Pair", 8)),
    "j_zany": _mult(_if_contains("Three of a Kind", 12)),
    "j_mad": _mult(_if_contains("Two Pair", 10)),
    "j_crazy": _mult(_if_contains("Straight", 12)),
    "j_droll": _mult(_if_contains("Flush", 10)),
    "j_sly": _chips(_if_contains("Pair", 50)),
    "j_wily": _chips(_if_contains("Three of a Kind", 100)),
    "j_clever": _chips(_if_contains("Two Pair", 80)),
    "j_devious": _chips(_if_contains("Straight", 100)),
    "j_crafty": _chips(_if_contains("Flush", 80)),
    "j_half": _mult(lambda s, _j: 20 if len(s.played) <= 3 else 0),
    "j_stencil": _times(_stencil),
    "j_ceremonial": _mult(_stored("mult")),
    "j_banner": _chips(lambda s, _j: 30 * s.discards_left),
    "j_mystic_summit": _mult(lambda s, _j: 15 if s.discards_left == 0 else 0),
    "j_loyalty_card": _times(_loyalty),
    "j_misprint": _mult(lambda s, _j: s.outcomes.integer("misprint", 0, 23)),
    "j_steel_joker": _times(lambda s, _j: 1 + 0.2 * s.deck_info["steel"]),
    "j_abstract": _mult(lambda s, _j: 3 * len(s.jokers)),
    "j_gros_michel": _mult(lambda _s, _j: 15),
    "j_supernova": _mult(lambda s, _j: s.plays[s.hand]),
    "j_ride_the_bus": _mult(_stored("mult")),
    "j_blackboard": _times(_blackboard),
    "j_runner": _chips(_stored("chips")),
    "j_ice_cream": _chips(_stored("chips")),
    "j_blue_joker": _chips(lambda s, _j: 2 * s.deck_info["remaining"]),
    "j_constellation": _times(_stored("x_mult")),
    "j_green_joker": _mult(_stored("mult")),
    "j_superposition": _superposition,
    "j_cavendish": _times(lambda _s, _j: 3),
    "j_card_sharp": _times(lambda s, _j: 3 if s.plays_round[s.hand] > 1 else 1),
    "j_red_card": _mult(_stored("mult")),
    "j_madness": _times(_stored("x_mult")),
    "j_square": _chips(_stored("chips")),
    "j_seance": _seance,
    "j_vampire": _times(_stored("x_mult")),
    "j_hologram": _times(_stored("x_mult")),
    "j_vagabond": _vagabond,
    "j_obelisk": _times(_stored("x_mult")),
    "j_erosion": _mult(lambda s, _j: 4 * max(0, s.deck_info["starting_size"] - s.deck_info["full_size"])),
    "j_fortune_teller": _mult(lambda s, _j: s.tarots_used),
    "j_stone": _chips(lambda s, _j: 25 * s.deck_info["stone"]),
    "j_lucky_cat": _times(_stored("x_mult")),
    "j_bull": _chips(lambda s, _j: 2 * max(0.0, s.money)),
    "j_flash": _mult(_stored("mult")),
    "j_popcorn": _mult(_stored("mult")),
    "j_trousers": _mult(_stored("mult")),
    "j_ramen": _times(_stored("x_mult")),
    "j_castle": _chips(_stored("chips")),
    "j_campfire": _times(_stored("x_mult")),
    "j_acrobat": _times(lambda s, _j: 3 if s.hands_left == 0 else 1),
    "j_swashbuckler": _mult(_swashbuckler),
    "j_throwback": _times(lambda s, _j: 1 + 0.25 * s.skips),
    "j_glass": _times(_stored("x_mult")),
    "j_flower_pot": _times(_flower_pot),
    "j_wee": _chips(_stored("chips")),
    "j_seeing_double": _times(_seeing_double),
    "j_matador": _matador,
    "j_hit_the_road": _times(_stored("x_mult")),
    "j_duo": _times(_if_contains("Pair", 2, 1)),
    "j_trio": _times(_if_contains("Three of a Kind", 3, 1)),
    "j_family": _times(_if_contains("Four of a Kind", 4, 1)),
    "j_order": _times(_if_contains("Straight", 3, 1)),
    "j_tribe": _times(_if_contains("Flush", 2, 1)),
    "j_stuntman": _chips(lambda _s, _j: 250),
    "j_drivers_license": _times(lambda s, _j: 3 if s.deck_info["enhanced"] >= 16 else 1),
    "j_bootstraps": _mult(lambda s, _j: 2 * max(0, math.floor(s.money / 5))),
    "j_caino": _times(_stored("x_mult")),
    "j_yorick": _times(_stored("x_mult")),
}

BLOCKED: dict[str, Ability] = {"j_matador": _matador}


def other_joker(s: Hand, evaluated: Joker) -> None:
    """Let every joker answer the evaluation of one joker: Baseball Card."""
    for joker, copy in s.actors():
        if joker.key == "j_baseball" and JOKERS[evaluated.key].rarity == "Uncommon":
            s.note(joker, copy=copy, did=s.times(1.5))
