"""The features of random cases: what a case holds and what happens when it is scored."""

from __future__ import annotations

from typing import Any

from .data import BOSSES, DECKS, ENHANCEMENTS, HANDS, JOKERS, PLANET_HAND, SUIT_BOSS
from .jokers_before import AFTER, BEFORE
from .jokers_cards import HELD, PLAYED, RETRIGGER_HELD, RETRIGGER_PLAYED
from .jokers_main import MAIN
from .scoring import score
from .state import Hand

COPIERS = ("j_blueprint", "j_brainstorm")
PASSIVE = ("j_four_fingers", "j_shortcut", "j_smeared", "j_splash", "j_pareidolia")
FIRING = (
    set(BEFORE)
    | set(PLAYED)
    | set(RETRIGGER_PLAYED)
    | set(HELD)
    | set(RETRIGGER_HELD)
    | set(MAIN)
    | set(AFTER)
    | {"j_baseball", "j_sixth_sense"}
)
SCORING = tuple(sorted(FIRING | set(PASSIVE) | {"j_oops"}))
OTHERS = tuple(key for key in JOKERS if key not in SCORING and key not in COPIERS)
CHECKING = ("bl_psychic", "bl_eye", "bl_mouth", "bl_arm", "bl_ox", "bl_flint")
DEBUFFING = (*SUIT_BOSS, "bl_plant", "bl_pillar", "bl_final_leaf")
QUIET = tuple(boss for boss in BOSSES if boss not in CHECKING + DEBUFFING)
CHANGES_CARDS = ("j_vampire", "j_midas_mask", "j_dna")


def all_features() -> set[str]:
    """Every feature `coverage` can report, except those that only describe sizes in between."""
    repeated = {key for key in FIRING if JOKERS[key].copyable}
    found = {f"joker:{key}" for key in JOKERS} | {f"fires:{key}" for key in FIRING}
    found |= {f"copies:{key}" for key in repeated}
    found |= {f"deck:{key}" for key in DECKS} | {f"boss:{key}" for key in BOSSES}
    found |= {f"acts:{key}" for key in CHECKING} | {f"acts:{key}" for key in DEBUFFING}
    found |= {f"hand:{name}" for name in HANDS} | {f"luck:{luck}" for luck in ("none", "all")}
    found |= {f"played:{count}" for count in range(1, 6)} | {f"held:{count}" for count in range(11)}
    for area in ("played", "held"):
        found |= {f"{area}:{key}" for key in ENHANCEMENTS}
        found |= {f"{area}:{name}" for name in ("foil", "holo", "polychrome", "debuffed", "perma_bonus")}
        found |= {f"{area}:{name}" for name in ("Red", "Gold", "Blue", "Purple")}
    found |= {f"joker:{name}" for name in ("foil", "holo", "polychrome", "negative", "debuffed")}
    found |= {"chain", "loop", "copied debuffed", "observatory", "blocked", "disabled", "debt"}
    return found | {"destroyed", "melted", "level change", "created:Tarot", "created:Spectral"}


def coverage(case: dict[str, Any]) -> set[str]:
    """The features of one case: what it holds and what happened when it was scored."""
    setup, result, hand = case["setup"], score(case), Hand(case, None)
    found = {f"deck:{setup['deck']}", f"luck:{setup['luck']}", f"hand:{result['hand']}"}
    found |= {f"played:{len(case['played'])}", f"held:{len(case['held'])}"}
    for area in ("played", "held"):
        for entry in case[area]:
            found |= {f"{area}:{entry[name]}" for name in ("enhancement", "edition", "seal") if name in entry}
            found |= {f"{area}:{name}" for name in ("debuffed", "perma_bonus") if name in entry}
    for index, joker in enumerate(hand.jokers):
        found |= {f"joker:{joker.key}", f"joker:{joker.edition or 'plain'}"}
        if joker.debuffed:
            found.add("joker:debuffed")
        elif joker.key in COPIERS:
            at = 0 if joker.key == "j_brainstorm" else index + 1
            target = hand.jokers[at] if at < len(hand.jokers) else None
            acting = hand.acting(index)
            if target is not None and target.debuffed:
                found.add("copied debuffed")
            elif target is not None and target.key in COPIERS:
                found.add("loop" if acting is None else "chain")
    for key in result["fired"]:
        found.add(f"copies:{key.removeprefix('copy:')}" if key.startswith("copy:") else f"fires:{key}")
    if hand.boss is not None:
        found.add(f"boss:{hand.boss}")
        scoring = [case["played"][index] for index in result["scoring_indices"]]
        hit = hand.boss in DEBUFFING and any("debuffed" in entry for entry in scoring)
        lowered = hand.boss == "bl_arm" and setup["hand_levels"].get(result["hand"], 1) > 1
        emptied = hand.boss == "bl_ox" and setup["blind_state"]["most_played"] == result["hand"]
        if result["blocked"] or hit or lowered or emptied or hand.boss == "bl_flint":
            found.add(f"acts:{hand.boss}")
    planets = [PLANET_HAND.get(key) for key in setup["consumables"]]
    checks = {
        "observatory": "v_observatory" in setup["vouchers"] and result["hand"] in planets,
        "blocked": result["blocked"],
        "disabled": bool(setup.get("blind_disabled")),
        "debt": setup["money"] < 0,
        "destroyed": bool(result["destroyed"]),
        "melted": any(joker["destroyed"] for joker in result["jokers"]),
        "level change": bool(result["levels_after"]),
    }
    found |= {name for name, true in checks.items() if true}
    return found | {f"created:{kind}" for kind in result["created"]}
