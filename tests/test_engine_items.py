"""Items are named in the catalog only: whoever needs to know something about one reads a field of its entry.

Previews, candidates, the observation, the scripted player and the vector compare no ids, so a new or changed item needs
no line of theirs. The rules and the seed search name the few items that the game itself treats apart.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

PACKAGES = ("core", "rules", "seeds", "view", "play", "vector")

PREFIXES = ("j", "c", "v", "tag", "bl", "p", "b")
"""Of jokers, consumables, vouchers, tags, blinds, packs and decks."""

HIDDEN_CARDS = "cards that stand in no pool but hide in packs"
FIRST_PACK = "the first pack of a run"

ALLOWED: dict[str, dict[str, str]] = {
    "core/ids.hpp": {
        "c_fool c_world c_mercury c_eris c_familiar c_black_hole": "where the kinds begin and end",
        "bl_hook": "the first boss",
        "b_red": "the deck of a run if nobody chooses another",
    },
    "rules/blind.cpp": {"bl_small bl_big": "the blinds before every boss"},
    "rules/generate.cpp": {"c_soul c_black_hole": HIDDEN_CARDS, "p_buffoon_normal_1": FIRST_PACK},
    "rules/pools.cpp": {
        "j_joker c_strength c_pluto c_incantation v_blank tag_handy": "what an exhausted pool gives instead"
    },
    "rules/run.cpp": {"b_challenge": "the deck of challenges"},
    "seeds/explore.cpp": {"tag_top_up": "its jokers are missing from the shops that follow"},
    "seeds/find.cpp": {"c_soul": HIDDEN_CARDS},
    "seeds/pack_gate.cpp": {"c_soul c_black_hole": HIDDEN_CARDS, "p_buffoon_normal_1": FIRST_PACK},
    "seeds/plan.cpp": {"c_soul c_black_hole": HIDDEN_CARDS},
    "seeds/sources.cpp": {"b_erratic": "the deck whose cards are shown one by one"},
}
"""The items that may be named, by file, with the reason."""


def item_ids(root: Path) -> set[str]:
    """Every item that core/ids.hpp lists."""
    lists = (root / "engine" / "core" / "ids.hpp").read_text(encoding="utf-8")
    return set(re.findall(r"X\((\w+)\)", lists))


def named_items(source: str, items: set[str]) -> set[str]:
    """The items that a source names outside comments and texts."""
    code = re.sub(r"\\\n", " ", source)
    code = re.sub(
        r'"(?:\\.|[^"\\\n])*"|//[^\n]*|(?m:^#define.*$)', "", code
    )  # directives: the lists of core/ids.hpp
    return set(re.findall(r"\b\w+\b", code)) & items


def test_items_have_known_prefixes(root):
    items = item_ids(root)
    assert len(items) == 150 + 52 + 32 + 24 + 30 + 32 + 16
    assert {item.partition("_")[0] for item in items} == set(PREFIXES)


@pytest.mark.parametrize("package", PACKAGES)
def test_items_are_named_in_the_catalog_only(root, package):
    items = item_ids(root)
    found = {
        path.relative_to(root / "engine").as_posix(): named
        for path in sorted((root / "engine" / package).iterdir())
        if (named := named_items(path.read_text(encoding="utf-8"), items))
    }
    allowed = {
        file: {item for names in reasons for item in names.split()}
        for file, reasons in ALLOWED.items()
        if file.startswith(f"{package}/")
    }
    assert found == allowed


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("if (boss_active(state, bl_hook)) {", {"bl_hook"}),
        ("case c_star:\n    case c_moon:", {"c_star", "c_moon"}),
        ("return x == j_blueprint;  // j_joker", {"j_blueprint"}),
        ('{"tag_double", j_end, c_none, e_foil}', set()),
        ("// The Hook is bl_hook", set()),
    ],
)
def test_named_items_are_found(root, source, expected):
    assert named_items(source, item_ids(root)) == expected
