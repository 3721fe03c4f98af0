"""Random cases in the format of `scoring`, and the features a case covers.

Cases are legal states of the game with these limits: cards are debuffed exactly when the boss debuffs them,
jokers only as perishable ones or by Crimson Heart; The Hook comes with an empty hand, because its discards
are random; The Pillar does not come together with jokers that change or copy played cards, because the
rules leave that open. `deck_info`, `targets` and all limits of slots are always given, `blind_disabled` with
every boss.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .cards import Card, Rules
from .data import (
    BOSSES,
    DECKS,
    ENHANCEMENTS,
    HANDS,
    JOKERS,
    PLANET_HAND,
    RANKS,
    SPECTRALS,
    SUITS,
    TAROTS,
)
from .features import (
    CHANGES_CARDS,
    CHECKING,
    COPIERS,
    DEBUFFING,
    OTHERS,
    PASSIVE,
    QUIET,
    SCORING,
    all_features,
    coverage,
)
from .hands import detect
from .state import Hand, default_sell_value
from .themes import (
    LIKES_ENHANCEMENT,
    LIKES_HAND,
    LIKES_HELD,
    LIKES_RANKS,
    LIKES_SETUP,
    LIKES_SUIT,
    random_state,
)

if TYPE_CHECKING:
    import random

__all__ = ["all_features", "coverage", "random_case"]

SHAPES: dict[str, tuple[int, ...]] = {
    "Single": (1,),
    "High Card": (),
    "Pair": (2,),
    "Two Pair": (2, 2),
    "Three of a Kind": (3,),
    "Full House": (3, 2),
    "Four of a Kind": (4,),
    "Five of a Kind": (5,),
    "Flush House": (3, 2),
    "Flush Five": (5,),
}
RECIPES = (*SHAPES, "Straight", "Flush", "Straight Flush", "Pair", "Two Pair", "Straight", "Flush")


def _pick_jokers(rng: random.Random, focus: str | None) -> list[str]:
    keys: list[str] = []
    for _ in range(rng.choice((0, 1, 2) if focus == "j_stencil" else (0, 1, 2, 3, 4, 5, 5, 6, 7, 8))):
        kind = rng.random()
        if kind < 0.76:
            keys.append(rng.choice(SCORING))
        elif kind < 0.92:
            keys.append(rng.choice(COPIERS))
        else:
            keys.append(rng.choice(OTHERS))
    if focus is not None:
        copied = rng.random()
        if copied < 0.4:
            place = rng.randint(0, len(keys))
            keys[place:place] = ["j_blueprint"] * rng.choice((1, 1, 2)) + [focus]
        elif copied < 0.6:
            keys = [focus, *keys]
            keys.insert(rng.randint(1, len(keys)), "j_brainstorm")
        else:
            keys.insert(rng.randint(0, len(keys)), focus)
    return keys[:9]


def _liked(rng: random.Random, wish: list[str], likes: dict[str, Any]) -> Any | None:
    """What some joker of a list waits for, or nothing."""
    wishes = [likes[key] for key in wish if key in likes]
    return rng.choice(wishes) if wishes and rng.random() < 0.75 else None


def _played_ranks(rng: random.Random, keys: list[str], wish: list[str], recipe: str) -> list[int]:
    liked = _liked(rng, wish, LIKES_RANKS)
    if recipe in ("Straight", "Straight Flush"):
        size = 4 if "j_four_fingers" in keys and rng.random() < 0.6 else 5
        gaps = [rng.choice((1, 2)) if "j_shortcut" in keys else 1 for _ in range(size - 1)]
        high_end = max(1, 14 - sum(gaps))
        low = rng.choice((1, high_end)) if liked == (14,) else rng.randint(1, high_end)
        run = [low + sum(gaps[:count]) for count in range(size)]
        ranks = [14 if rank == 1 else min(rank, 14) for rank in run]
        if size == 4 and rng.random() < 0.6:
            ranks.append(rng.choice((*ranks, rng.randint(2, 14))))
        return ranks
    pool = list(range(2, 15))
    rng.shuffle(pool)
    if liked:
        first = [rank for rank in pool if rank in liked]
        pool = first + [rank for rank in pool if rank not in liked]
    if recipe == "Flush":
        return pool[: 4 if "j_four_fingers" in keys and rng.random() < 0.5 else 5]
    shape = SHAPES[recipe]
    ranks = [pool[place] for place, count in enumerate(shape) for _ in range(count)]
    spare = 5 - len(ranks)
    if recipe == "Single" or spare == 0:
        return ranks
    kickers = rng.randint(0 if shape else 1, spare)
    return ranks + pool[len(shape) : len(shape) + kickers]


def _dress(rng: random.Random, wish: list[str], entry: dict[str, Any], rate: float, *, held: bool) -> None:
    """Give a card enhancement, edition, seal and permanent chips."""
    if rng.random() < rate:
        liked = "m_steel" if held and rng.random() < 0.5 else _liked(rng, wish, LIKES_ENHANCEMENT)
        entry["enhancement"] = liked or rng.choice(ENHANCEMENTS)
    if rng.random() < rate * 0.5:
        entry["edition"] = rng.choice(("foil", "holo", "polychrome"))
    if rng.random() < rate * 0.6:
        entry["seal"] = rng.choice(("Red", "Red", "Gold", "Blue", "Purple"))
    if rng.random() < rate * 0.2:
        entry["perma_bonus"] = 5 * rng.randint(1, 12)


def _played(rng: random.Random, keys: list[str], wish: list[str], rate: float) -> list[dict[str, Any]]:
    liked_hands = _liked(rng, wish, LIKES_HAND)
    recipe = rng.choice(liked_hands) if liked_hands else rng.choice(RECIPES)
    suit = _liked(rng, wish, LIKES_SUIT) or rng.choice("SHCD")
    flush = recipe.startswith("Flush") or recipe == "Straight Flush"
    cards: list[dict[str, Any]] = []
    for place, rank in enumerate(_played_ranks(rng, keys, wish, recipe)):
        own = suit if flush or rng.random() < 0.3 else rng.choice("SHCD")
        if wish == ["j_flower_pot"] and not flush:
            own = "SHCD"[place % 4]
        if flush and "j_smeared" in keys:
            own = rng.choice({"S": "SC", "C": "SC", "H": "HD", "D": "HD"}[suit])
        if flush and "j_four_fingers" in keys and place == 4:
            own = rng.choice("SHCD")
        entry: dict[str, Any] = {"card": f"{own}_{RANKS[rank - 2]}"}
        _dress(rng, wish, entry, rate, held=False)
        if flush and rng.random() < 0.15:
            entry = {"card": f"{rng.choice('SHCD')}_{RANKS[rank - 2]}", "enhancement": "m_wild"}
        cards.append(entry)
    rng.shuffle(cards)
    return cards


def _held(rng: random.Random, keys: list[str], wish: list[str], rate: float) -> list[dict[str, Any]]:
    suits = rng.choice(("SHCD", "SC")) if "j_blackboard" in keys else "SHCD"
    cards: list[dict[str, Any]] = []
    for _ in range(rng.choice((0, 1, 2, 3, 3, 4, 5, 6, 7, 8, 9, 10))):
        liked = _liked(rng, wish, LIKES_HELD)
        rank = rng.choice(liked) if liked else rng.randint(2, 14)
        entry: dict[str, Any] = {"card": f"{rng.choice(suits)}_{RANKS[rank - 2]}"}
        _dress(rng, wish, entry, rate, held=True)
        cards.append(entry)
    return cards


def _pick_blind(rng: random.Random, keys: list[str]) -> str:
    if rng.random() < (0.15 if "j_matador" in keys else 0.5):
        return rng.choice(("bl_small", "bl_big"))
    kind = rng.random()
    blind = rng.choice(CHECKING if kind < 0.55 else DEBUFFING if kind < 0.85 else QUIET)
    if blind == "bl_pillar" and any(key in CHANGES_CARDS for key in keys):
        return "bl_plant"
    return blind


def _round_setup(rng: random.Random, setup: dict[str, Any], keys: list[str], hand: str) -> None:
    """Counters of the run and the round, and what the boss remembers."""
    blind = setup["blind"]
    setup["hands_left"] = 1 if blind == "bl_needle" else rng.choice((1, 1, 2, 3, 4, 5))
    setup["discards_left"] = 0 if blind == "bl_water" else rng.choice((0, 0, 1, 2, 3, 4, 6))
    setup["hand_levels"] = {name: rng.randint(1, 9) for name in HANDS if rng.random() < 0.3}
    if rng.random() < 0.6:
        setup["hand_levels"][hand] = rng.randint(1, 12)
    first = rng.random() < (0.8 if {"j_dna", "j_sixth_sense"} & set(keys) else 0.45)
    this_round: dict[str, int] = {}
    if not first:
        for _ in range(rng.randint(1, 3)):
            name = hand if rng.random() < 0.5 else rng.choice(tuple(HANDS))
            this_round[name] = this_round.get(name, 0) + 1
    setup["hand_plays_round"] = this_round
    plays = {name: rng.randint(0, 12) for name in HANDS if rng.random() < 0.4}
    for name, count in this_round.items():
        plays[name] = plays.get(name, 0) + count
    setup["hand_plays"] = plays
    setup["hands_played_round"] = sum(this_round.values())
    setup["hands_played_run"] = sum(plays.values())
    if blind == "bl_eye":
        setup["blind_state"] = {"hands_used": [name for name in HANDS if name in this_round]}
    elif blind == "bl_mouth":
        setup["blind_state"] = {"only_hand": rng.choice(sorted(this_round))} if this_round else {}
    elif blind == "bl_ox":
        name = hand if rng.random() < 0.6 else rng.choice(tuple(HANDS))
        setup["blind_state"] = {"most_played": name}


def _run_setup(rng: random.Random, setup: dict[str, Any], cards: list[dict[str, Any]], hand: str) -> None:
    """Money, cards owned, targets and the deck."""
    low, high = rng.choices(((-20, -1), (0, 4), (5, 30), (31, 200)), (1, 6, 8, 5))[0]
    setup["money"] = rng.randint(low, high)
    setup["tarots_used"] = rng.randint(0, 25)
    setup["skips"] = rng.randint(0, 8)
    vouchers = {"b_magic": ["v_crystal_ball"], "b_nebula": ["v_telescope"]}.get(setup["deck"], [])
    if rng.random() < 0.3 and "v_crystal_ball" not in vouchers:
        vouchers = [*vouchers, "v_crystal_ball"]
    if rng.random() < 0.4:
        vouchers = [*(key for key in vouchers if key != "v_telescope"), "v_telescope", "v_observatory"]
    if rng.random() < 0.15:
        vouchers = [*vouchers, "v_blank", "v_antimatter"]
    setup["vouchers"] = vouchers
    slots = 2 - (setup["deck"] == "b_nebula") + ("v_crystal_ball" in vouchers)
    setup["consumable_slots"] = slots
    planet = HANDS[hand].planet
    pool = (planet, planet, planet, rng.choice(tuple(PLANET_HAND)), rng.choice(TAROTS), rng.choice(SPECTRALS))
    setup["consumables"] = [rng.choice(pool) for _ in range(rng.randint(0, slots))]
    target = rng.choice(cards)["card"] if rng.random() < 0.7 else f"{rng.choice('SHCD')}_{rng.choice(RANKS)}"
    suit = target[0] if rng.random() < 0.7 else rng.choice("SHCD")
    setup["targets"] = {
        "ancient_suit": SUITS[suit],
        "idol_rank": target[2],
        "idol_suit": SUITS[target[0]],
    }


def _deck_info(rng: random.Random, deck: str, table: list[dict[str, Any]]) -> dict[str, int]:
    starting = 40 if deck == "b_abandoned" else 52
    full = max(len(table) + 2, starting + rng.randint(-16, 14))
    rest = full - len(table)
    kinds = [entry.get("enhancement") for entry in table]
    kinds += [rng.choice(ENHANCEMENTS) for _ in range(rng.randint(0, min(rest, 24)))]
    return {
        "remaining": rng.randint(0, rest),
        "full_size": full,
        "starting_size": starting,
        "steel": kinds.count("m_steel"),
        "stone": kinds.count("m_stone"),
        "enhanced": len(kinds) - kinds.count(None),
    }


def _jokers(rng: random.Random, setup: dict[str, Any], keys: list[str], hand: str) -> list[dict[str, Any]]:
    jokers: list[dict[str, Any]] = []
    for key in keys:
        entry: dict[str, Any] = {"key": key}
        if rng.random() < 0.35:
            entry["edition"] = rng.choice(("foil", "holo", "polychrome", "polychrome", "negative"))
        state = random_state(rng, key, hand, setup["hands_played_run"])
        if state:
            entry["state"] = state
        if JOKERS[key].perishable and rng.random() < 0.06:
            entry["debuffed"] = True
        jokers.append(entry)
    base = 5 + {"b_black": 1, "b_painted": -1}.get(setup["deck"], 0) + ("v_antimatter" in setup["vouchers"])
    ordinary = [entry for entry in jokers if entry.get("edition") != "negative"]
    rng.shuffle(ordinary)
    for entry in ordinary[base:]:
        entry["edition"] = "negative"
    setup["joker_slots"] = base + sum(entry.get("edition") == "negative" for entry in jokers)
    for entry in jokers:
        extra = rng.choice((0, 0, 0, 0, rng.randint(1, 12)))
        entry["sell_value"] = default_sell_value(entry["key"], entry.get("edition")) + extra
    return jokers


def _rules(jokers: list[dict[str, Any]]) -> Rules:
    active = {entry["key"] for entry in jokers if not entry.get("debuffed")}
    return Rules(**{key.removeprefix("j_"): key in active for key in PASSIVE})


def _apply_boss(rng: random.Random, case: dict[str, Any]) -> None:
    """Decide whether the boss acts, and set its debuffs."""
    setup, jokers = case["setup"], case["jokers"]
    blind = setup["blind"]
    if blind not in BOSSES:
        return
    chicot = any(entry["key"] == "j_chicot" and not entry.get("debuffed") for entry in jokers)
    setup["blind_disabled"] = chicot or rng.random() < 0.06
    if setup["blind_disabled"]:
        return
    if blind == "bl_final_heart" and jokers:
        rng.choice(jokers)["debuffed"] = True
    if blind not in DEBUFFING:
        return
    probe = Hand(case, None)
    for entry in case["played"] + case["held"]:
        seen = rng.random() < 0.4  # The Pillar: played earlier in this ante
        if probe.boss_debuffs(Card.parse(entry), played=seen):
            entry["debuffed"] = True


def random_case(rng: random.Random) -> dict[str, Any]:
    """A legal random case that has something to score."""
    focus = rng.choice(SCORING) if rng.random() < 0.6 else None
    keys = _pick_jokers(rng, focus)
    wish = keys if focus is None else [focus]
    rate = rng.choice((0.0, 0.2, 0.4, 0.8))
    played, held = _played(rng, keys, wish, rate), _held(rng, keys, wish, rate)
    deck = rng.choice((*DECKS, "b_plasma", "b_plasma", "b_red", "b_red", "b_abandoned"))
    blind = _pick_blind(rng, keys)
    if blind == "bl_hook":
        held = []
    likely = _rules([{"key": key} for key in keys])
    hand = detect([Card.parse(entry) for entry in played], likely).hand
    setup: dict[str, Any] = {"deck": deck, "blind": blind, "luck": rng.choice(("none", "all"))}
    _round_setup(rng, setup, keys, hand)
    _run_setup(rng, setup, played, hand)
    for name, values in (_liked(rng, wish, LIKES_SETUP) or {}).items():
        setup[name] = rng.choice(values)
    setup["deck_info"] = _deck_info(rng, deck, played + held)
    jokers = _jokers(rng, setup, keys, hand)
    case = {"setup": setup, "jokers": jokers, "played": played, "held": held}
    _apply_boss(rng, case)
    return case
