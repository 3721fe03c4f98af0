"""The engine against the plain-Python reference of ``tests/reference`` on random scoring cases.

``python -m tests.balatro.differential --cases 100000 --write results/reference_differential.json`` runs many cases and
records the outcome.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator
from typing import Any

from tests.reference.data import SPECTRALS, TAROTS
from tests.reference.generate import all_features, coverage, random_case
from tests.reference.scoring import score

from jimbot.balatro import explain_case

from .provenance import write_result

Case = dict[str, Any]

_STORED_VALUES = ("mult", "chips", "x_mult")
_STORED_COUNTS = ("counter", "hands_played_at_create")


def disagreements(case: Case) -> list[str]:
    """Where engine and reference differ on one case, as ``what: engine, reference``."""
    engine, reference = explain_case(case), score(case)
    after = engine["after"]
    found = list(_of_score(engine, reference))
    found += _of_jokers(engine, reference)
    if after["money"] != reference["money"]:
        found.append(f"money: {after['money']}, {reference['money']}")
    levels = {hand: case["setup"]["hand_levels"].get(hand, 1) for hand in after["hands"]}
    levels |= reference["levels_after"]
    found += [
        f"level of {hand}: {after['hands'][hand]['level']}, {level}"
        for hand, level in levels.items()
        if after["hands"][hand]["level"] != level
    ]
    created = [_kind(card["key"]) for card in after["consumables"][len(case["setup"]["consumables"]) :]]
    if created != reference["created"]:
        found.append(f"created: {created}, {reference['created']}")
    for area, mine, theirs in (
        ("played", [_played_card(card) for card in engine["played_after"]], reference["played_after"]),
        ("held", [_held_card(card) for card in after["hand"]], reference["held_after"]),
    ):
        if mine != theirs:
            found.append(f"{area} cards: {mine}, {theirs}")
    return found


def _of_score(engine: dict[str, Any], reference: dict[str, Any]) -> Iterator[str]:
    names = ["hand", "scoring_indices", "score", "money_delta", "blocked", "destroyed"]
    # The factors of a blocked hand are shown in different ways: as read, or as nothing.
    for name in names if reference["blocked"] else [*names, "chips", "mult"]:
        if engine[name] != reference[name]:
            yield f"{name}: {engine[name]}, {reference[name]}"


def _of_jokers(engine: dict[str, Any], reference: dict[str, Any]) -> Iterator[str]:
    mine, theirs = engine["after"]["jokers"], reference["jokers"]
    if [joker["key"] for joker in mine] != [joker["key"] for joker in theirs]:
        yield f"jokers: {[joker['key'] for joker in mine]}, {[joker['key'] for joker in theirs]}"
        return
    for place, (one, other) in enumerate(zip(mine, theirs, strict=True)):
        if other["destroyed"] != (place in engine["doomed_jokers"]):
            yield f"{one['key']} ends: {place in engine['doomed_jokers']}, {other['destroyed']}"
        if other["destroyed"]:
            continue
        for field, value in other["state"].items():
            held = {**dict.fromkeys(_STORED_VALUES, "value"), **dict.fromkeys(_STORED_COUNTS, "counter")}
            stored = one["hand"] if field == "poker_hand" else one[held[field]]
            if stored != value:
                yield f"{one['key']} {field}: {stored}, {value}"


def _kind(key: str) -> str:
    return "Tarot" if key in TAROTS else "Spectral" if key in SPECTRALS else "Planet"


def _played_card(card: dict[str, Any]) -> dict[str, Any]:
    """A card of ``played_after`` in the case format."""
    front, *fields = card["card"].split(";")
    values = dict(field.split("=") for field in fields)
    names = {"h": "enhancement", "e": "edition", "l": "seal"}
    entry = {"card": front} | {names[letter]: value for letter, value in values.items()}
    return entry | _marks(card)


def _held_card(card: dict[str, Any]) -> dict[str, Any]:
    """A card of the engine's hand in the case format."""
    fields = {name: card[name] for name in ("enhancement", "edition", "seal") if card[name]}
    return {"card": card["card"]} | fields | _marks(card)


def _marks(card: dict[str, Any]) -> dict[str, Any]:
    bonus = {"perma_bonus": card["bonus"]} if card["bonus"] else {}
    return bonus | ({"debuffed": True} if card["debuffed"] else {})


def run(cases: int, seed: int, *, cover: bool = False) -> tuple[list[tuple[Case, list[str]]], set[str]]:
    """The cases on which both sides differ, and the features not covered by any case."""
    rng = random.Random(seed)
    found: list[tuple[Case, list[str]]] = []
    missing = all_features() if cover else set[str]()
    for _ in range(cases):
        case = random_case(rng)
        different = disagreements(case)
        if different:
            found.append((case, different))
        if missing:
            missing -= coverage(case)
    return found, missing


def main() -> None:
    """Run many cases and record the outcome."""
    parser = argparse.ArgumentParser(description="The engine against the plain-Python reference.")
    parser.add_argument("--cases", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--write", default="", help="JSON file for the outcome")
    options = parser.parse_args()
    found, missing = run(options.cases, options.seed, cover=True)
    features = all_features()
    outcome = {
        "what": "random scoring cases on which engine and plain-Python reference agree in every result",
        "compared": "hand, scoring cards, chips, mult, score, money, joker values and counters, jokers that end, "
        "destroyed cards, levels, created consumables, played and held cards afterwards",
        "cases": options.cases,
        "seed": options.seed,
        "disagreements": len(found),
        "features": len(features),
        "features_covered": len(features - missing),
        "features_missing": sorted(missing),
    }
    print(outcome)
    for case, different in found[:5]:
        print(different, case)
    if options.write:
        command = f"python -m tests.balatro.differential --cases {options.cases} --seed {options.seed}"
        write_result(options.write, outcome, command)


if __name__ == "__main__":
    main()
