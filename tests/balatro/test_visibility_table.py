"""The table of what a player sees, in docs/guides/game.md, has every field of the engine's state."""

from __future__ import annotations

import re

from tests.conftest import ROOT

STRUCTS = (
    "Round",
    "Joker",
    "Consumable",
    "Item",
    "Tag",
    "HandStats",
    "Shop",
    "OpenPack",
    "RoundTargets",
    "CashOut",
)


def fields_of(struct: str, source: str) -> list[str]:
    """The members of a struct of the engine, in order."""
    body = re.search(rf"^struct {struct} \{{\n(.*?)^\}};", source, re.DOTALL | re.MULTILINE)
    assert body, struct
    code = re.sub(r"//.*", "", body[1])
    return [
        name
        for name in re.findall(r"^    [\w:]+ (\w+)(?:\[[^;]*\])?;", code, re.MULTILINE)
        if name != "unused"
    ]


def test_the_documents_table_has_every_field_of_the_state():
    state = (ROOT / "engine/core/state.hpp").read_text(encoding="utf-8")
    cards = (ROOT / "engine/core/cards.hpp").read_text(encoding="utf-8")
    named = {f"State.{name}" for name in fields_of("State", state)}
    named |= {f"{struct}.{name}" for struct in STRUCTS for name in fields_of(struct, state)}
    named |= {f"Card.{name}" for name in fields_of("Card", cards)}
    assert len(named) > 120
    document = (ROOT / "docs/guides/game.md").read_text(encoding="utf-8")
    table = document[document.index("## What a player sees") :]
    rows = [row.split("|") for row in table.splitlines() if row.startswith("| `")]
    listed = [name for row in rows for name in re.findall(r"`([\w.]+)`", row[1])]
    assert sorted(listed) == sorted(named)
    assert {row[2].strip() for row in rows} == {
        "always",
        "face up",
        "in the shop",
        "in the pack",
        "with its joker",
        "with its tag",
        "after the shop",
        "follows",
        "never",
    }
