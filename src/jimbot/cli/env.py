"""``jimbot env``: the arrays of an observation and the meanings of actions, as tables or as JSON."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Annotated, Any

import typer

from jimbot.storage.strict_json import dump_json

if TYPE_CHECKING:
    from rich.table import Table

__all__ = ["ActionGroup", "app", "list_action_groups", "list_observation_fields"]

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
    "hands of more than 16 cards": (
        "the observation has 16 rows. In a larger hand the last row, and 'bring to the front hand card 15', stand for "
        "the last card: bringing it to the front again and again turns the hand around, and every card comes into view "
        "and within reach. The columns hand_cards and hand_cards_without_row of globals tell how many cards there are, "
        "and how many of them have no row."
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
    "move one to the left joker": "the joker at this place changes places with its left neighbor",
    "bring to the front hand card": "the hand card at this place becomes the leftmost",
}
"""What the groups with more than one index mean; the others say it in their name."""


@dataclass(frozen=True)
class ActionGroup:
    """Consecutive action indices with the same meaning at different positions.

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


def list_action_groups() -> list[ActionGroup]:
    """Group the action space by meaning, in order of indices."""
    from jimbot.balatro.env.schema import meanings

    named = [(index, re.sub(r"[\s\d]+$", "", words)) for index, words in enumerate(meanings())]
    groups: list[ActionGroup] = []
    for name, members in groupby(named, key=lambda each: each[1]):
        indices = [index for index, _ in members]
        groups.append(ActionGroup(indices[0], indices[-1], name, MEANINGS.get(name, name)))
    return groups


CANDIDATES_TEXT = (
    "Each step the engine lists up to K legal actions, in the order of their encoding, which says nothing of their "
    "merit; action i takes the candidate of row i. A consumable comes with its targets; where a card must first be "
    "moved (Death), the candidate does both. Hands of any size are played and discarded whole: up to 10 cards every "
    "play is previewed, beyond that the obvious ones."
)


def list_observation_fields(candidates: int = 0) -> list[dict[str, Any]]:
    """List every array of an observation: name, type, shape, low, high, byte offset, text, columns."""
    from jimbot import _engine
    from jimbot.balatro.env.schema import OBSERVATION_COLUMNS

    return [
        {
            "name": field["name"],
            "type": field["type"],
            "shape": list(field["shape"]),
            "low": -field["high"] if field["type"] == "float32" else 0,
            "high": field["high"],
            "offset": field["offset"],
            "text": field["text"],
            "columns": [column._asdict() for column in OBSERVATION_COLUMNS.get(field["name"], ())],
        }
        for field in _engine.observation_schema(candidates)
    ]


JsonFlag = Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")]


ModeOption = Annotated[str, typer.Option("--actions", help="slots or candidates: the way to act.")]
CountOption = Annotated[int, typer.Option("--candidates", help="Candidates per step.")]


@app.command()
def schema(as_json: JsonFlag = False, actions: ModeOption = "slots", candidates: CountOption = 64) -> None:
    """Print the arrays of an observation with their columns, and the actions that reach every decision."""
    from jimbot.balatro.env.options import EnvOptions

    given = {"actions": actions} | ({"candidates": candidates} if actions == "candidates" else {})
    listed = EnvOptions.of(given).num_candidates
    report = make_schema_report(listed)
    if as_json:
        print(dump_json(report, indent=2, nonfinite="null"))
        return
    console = make_wide_console()
    console.print(
        f"[bold]observation[/], version {report['observation_version']}: {len(report['observation'])} arrays in "
        f"{report['observation_bytes']} bytes\n"
    )
    console.print(make_observation_table(report["observation"]))
    for names, columns in group_columns(report["observation"]):
        console.print(f"\n[bold]columns of {', '.join(names)}[/]\n")
        console.print(make_column_table(columns))
    if listed:
        console.print(f"\n[bold]actions[/]: {listed} candidates. {CANDIDATES_TEXT}")
        return
    console.print(f"\n[bold]actions[/]: {report['actions']} indices, each with one fixed meaning\n")
    console.print(make_action_table(list_action_groups()))
    for topic, text in HOW_TO_REACH.items():
        console.print(f"\n[bold]{topic}[/]: {text}")


def make_schema_report(candidates: int) -> dict[str, Any]:
    """Return what ``jimbot env schema --json`` prints; 0 candidates mean the fixed actions."""
    from jimbot import _engine
    from jimbot.balatro.env.schema import ACTIONS, OBSERVATION_VERSION, REWARD_TERMS

    report: dict[str, Any] = {
        "observation_version": OBSERVATION_VERSION,
        "observation_bytes": _engine.observation_size(candidates),
        "observation": list_observation_fields(candidates),
        "actions": candidates or ACTIONS,
        "reward_terms": REWARD_TERMS,
    }
    if candidates:
        features = [{"name": name, "text": text} for name, text in _engine.candidate_features]
        return report | {"reach": {"candidates": CANDIDATES_TEXT}, "candidate_features": features}
    return report | {
        "reach": HOW_TO_REACH,
        "action_groups": [asdict(group) for group in list_action_groups()],
    }


@app.command()
def actions(as_json: JsonFlag = False) -> None:
    """Print the meaning of every action index."""
    from jimbot.balatro.env.schema import meanings

    words = meanings()
    if as_json:
        print(dump_json(words, indent=2, nonfinite="null"))
        return
    for index, meaning in enumerate(words):
        print(f"{index:>4}  {meaning}")


def make_wide_console() -> Any:
    """Create a console without highlighting."""
    from rich.console import Console

    return Console(highlight=False)


def make_observation_table(fields: list[dict[str, Any]]) -> Table:
    """Format the arrays of an observation as a table."""
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


def make_action_table(groups: list[ActionGroup]) -> Table:
    """Format the action groups as a table."""
    from rich.table import Table

    table = Table(box=None, padding=(0, 2), header_style="bold")
    table.add_column("indices", no_wrap=True)
    table.add_column("name", no_wrap=True)
    table.add_column("meaning")
    for group in groups:
        span = str(group.first) if group.first == group.last else f"{group.first} to {group.last}"
        table.add_row(span, group.name, group.text if group.text != group.name else "")
    return table


def group_columns(fields: list[dict[str, Any]]) -> list[tuple[list[str], list[dict[str, Any]]]]:
    """Group arrays that have the same columns."""
    groups: list[tuple[list[str], list[dict[str, Any]]]] = []
    for field in fields:
        columns = field["columns"]
        same = next((names for names, known in groups if known == columns), None)
        if same is not None:
            same.append(field["name"])
        elif columns:
            groups.append(([field["name"]], columns))
    return groups


def make_column_table(columns: list[dict[str, Any]]) -> Table:
    """Format the columns of an array as a table."""
    from rich.table import Table

    table = Table(box=None, padding=(0, 2), header_style="bold")
    for title in ("column", "name", "range"):
        table.add_column(title, no_wrap=True)
    table.add_column("holds")
    for index, column in enumerate(columns):
        bounds = f"{column['low']:g} to {column['high']:g}"
        table.add_row(str(index), column["name"], bounds, column["text"])
    return table
