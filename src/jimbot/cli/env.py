"""``jimbot env``: what an environment's observations hold and what its actions mean, as tables or as JSON."""

from __future__ import annotations

import json
import re
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.table import Table

__all__ = ["ActionGroup", "action_groups", "app", "observation_fields"]

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, no_args_is_help=True)


@app.callback()
def env() -> None:
    """Describe the Balatro environments: the arrays of an observation and the meanings of the actions."""


HOW_TO_REACH = {
    "hands of more than 8 cards": (
        "play, discard and target name the 8 leftmost hand positions. 'bring to the front hand card i' makes card i "
        "the leftmost and moves the others one to the right; it is free, so any 5 cards of any hand are a few steps "
        "away."
    ),
    "targets": (
        "a consumable that needs targets takes two steps: 'use consumable i', 'buy and use shop card i' or 'take pack "
        "card i' chooses it, then 'target hand cards ...' uses it. Between the two only targets, bringing a card to "
        "the front and 'give up choosing targets' are legal. Death copies the rightmost target onto the leftmost: "
        "bring the card to be changed to the front."
    ),
    "reorderings": (
        "any order of jokers is reached by moving jokers one to the left, any order of hand cards by bringing cards to "
        "the front, last one first. Sorting by rank or suit is one step."
    ),
}
"""How the fixed actions reach every decision of the game."""

MEANINGS = {
    "play hand cards": "play this subset of 1 to 5 of the 8 leftmost hand positions",
    "discard hand cards": "discard this subset of 1 to 5 of the 8 leftmost hand positions",
    "target hand cards": "use the chosen consumable on this subset of 1 to 3 of the 8 leftmost hand positions",
    "buy shop card": "buy the joker, consumable or playing card at this place of the shop",
    "buy and use shop card": "buy the consumable at this place of the shop and use it at once",
    "redeem voucher": "buy the voucher at this place",
    "open booster pack": "buy and open the booster pack at this place",
    "take pack card": "take the card at this place of the open pack",
    "sell joker": "sell the joker at this place",
    "sell consumable": "sell the consumable at this place",
    "use consumable": "use the consumable at this place, or choose it if it needs targets",
    "move one to the left joker": "the joker at this place changes places with its left neighbour",
    "bring to the front hand card": "the hand card at this place becomes the leftmost",
}
"""What the groups with more than one index mean; the others say it in their name."""


@dataclass(frozen=True)
class ActionGroup:
    """Consecutive action indices that mean the same thing at different places.

    Attributes:
        first: the group's first index.
        last: its last index.
        name: the words its meanings begin with.
        text: what it does.
    """

    first: int
    last: int
    name: str
    text: str


def action_groups() -> list[ActionGroup]:
    """The action space in groups, first index to last."""
    from jimbot.balatro.schema import meanings

    named = [(index, re.sub(r"[\s\d]+$", "", words)) for index, words in enumerate(meanings())]
    groups: list[ActionGroup] = []
    for name, members in groupby(named, key=lambda each: each[1]):
        indices = [index for index, _ in members]
        groups.append(ActionGroup(indices[0], indices[-1], name, MEANINGS.get(name, name)))
    return groups


def observation_fields() -> list[dict[str, Any]]:
    """Every array of an observation: name, type, shape, low, high, byte offset, text."""
    from jimbot import _engine

    return [
        {
            "name": field["name"],
            "type": field["type"],
            "shape": list(field["shape"]),
            "low": -field["high"] if field["type"] == "float32" else 0,
            "high": field["high"],
            "offset": field["offset"],
            "text": field["text"],
        }
        for field in _engine.observation_schema(0)
    ]


JsonFlag = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]


@app.command()
def schema(as_json: JsonFlag = False) -> None:
    """Print the arrays of an observation and the groups of actions, with how every decision is reached."""
    from jimbot import _engine
    from jimbot.balatro.schema import ACTIONS, OBSERVATION_VERSION, REWARD_TERMS

    fields, groups = observation_fields(), action_groups()
    if as_json:
        report = {
            "observation_version": OBSERVATION_VERSION,
            "observation_bytes": _engine.observation_size(0),
            "observation": fields,
            "actions": ACTIONS,
            "action_groups": [asdict(group) for group in groups],
            "reach": HOW_TO_REACH,
            "reward_terms": REWARD_TERMS,
        }
        print(json.dumps(report, indent=2))
        return
    console = wide_console()
    console.print(
        f"[bold]observation[/], version {OBSERVATION_VERSION}: {len(fields)} arrays in "
        f"{_engine.observation_size(0)} bytes\n"
    )
    console.print(observation_table(fields))
    console.print(f"\n[bold]actions[/]: {ACTIONS} indices, each with one fixed meaning\n")
    console.print(action_table(groups))
    for topic, text in HOW_TO_REACH.items():
        console.print(f"\n[bold]{topic}[/]: {text}")


@app.command()
def actions(as_json: JsonFlag = False) -> None:
    """Print what every action index means."""
    from jimbot.balatro.schema import meanings

    words = meanings()
    if as_json:
        print(json.dumps(words, indent=2))
        return
    for index, meaning in enumerate(words):
        print(f"{index:>4}  {meaning}")


def wide_console() -> Any:
    """A console that leaves words alone."""
    from rich.console import Console

    return Console(highlight=False)


def observation_table(fields: list[dict[str, Any]]) -> Table:
    """The observation's arrays for people."""
    from rich.table import Table

    table = Table(box=None, padding=(0, 2), header_style="bold")
    for title in ("array", "type", "shape", "range"):
        table.add_column(title, no_wrap=True)
    table.add_column("holds")
    for field in fields:
        shape = " x ".join(map(str, field["shape"]))
        table.add_row(
            field["name"], field["type"], shape, f"{field['low']} to {field['high']}", field["text"]
        )
    return table


def action_table(groups: list[ActionGroup]) -> Table:
    """The action groups for people."""
    from rich.table import Table

    table = Table(box=None, padding=(0, 2), header_style="bold")
    table.add_column("indices", no_wrap=True)
    table.add_column("name", no_wrap=True)
    table.add_column("meaning")
    for group in groups:
        span = str(group.first) if group.first == group.last else f"{group.first} to {group.last}"
        table.add_row(span, group.name, group.text if group.text != group.name else "")
    return table
