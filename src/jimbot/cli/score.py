"""``jimbot score``: the score of a hand, step by step, as in a hand calculator."""

from __future__ import annotations

from pathlib import Path  # noqa: TC003  typer reads the annotation
from typing import TYPE_CHECKING, Annotated, Any, cast

import typer

from jimbot.balatro.game.scoring import CaseError, explain_case, score_case
from jimbot.storage.strict_json import InvalidJsonError, dump_json, read_json

if TYPE_CHECKING:
    from rich.table import Table

__all__ = ["app"]

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


@app.command()
def score(
    file: Annotated[
        Path, typer.Argument(help="A JSON file with one case, a list of cases, or {cases: [...]}.")
    ],
    case: Annotated[str | None, typer.Option(help="Only the case with this id.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Results as JSON instead of a page.")] = False,
) -> None:
    """Score hands that are described in a file.

    A case names what is played and held, the jokers left to right, and in `setup` the blind, the levels, the money
    and so on; docs/guides/scoring.md lists all of it.
    """
    cases = read_cases(file)
    if case is not None:
        chosen = [each for each in cases if each.get("id") == case]
        if not chosen:
            raise CaseError(
                f"{file} has no case '{case}'; it has {', '.join(str(c.get('id')) for c in cases[:8])}, ..."
            )
        cases = chosen
    if as_json:
        typer.echo(
            dump_json(
                [{"id": each.get("id")} | score_case(each) for each in cases], indent=1, nonfinite="null"
            )
        )
        return
    for each in cases:
        show(each)


def read_cases(file: Path) -> list[dict[str, Any]]:
    """Read the cases of a file; any problem raises a one-line error."""
    try:
        content: Any = read_json(file)
    except OSError as error:
        raise CaseError(f"cannot read {file}: {error.strerror}") from None
    except InvalidJsonError as error:
        raise CaseError(f"{file} is not JSON: {error}") from None
    found: Any = (
        cast("dict[str, Any]", content).get("cases", [content]) if isinstance(content, dict) else content
    )
    cases = cast("list[Any]", found) if isinstance(found, list) else []
    if not cases or not all(isinstance(each, dict) and "played" in each for each in cases):
        raise CaseError(f"{file} holds no cases: each needs at least 'played', a list of cards")
    return cases


def show(case: dict[str, Any]) -> None:
    """Print one case with every step."""
    from rich.console import Console
    from rich.table import Table

    result = explain_case(case)
    console = Console()
    title = f"{case.get('id', 'hand')}: {result['hand']}"
    if result["blocked"]:
        console.print(f"[bold]{title}[/] is refused by the blind and scores nothing")
        return
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    for column, justify in (("who", "left"), ("what", "left"), ("chips", "right"), ("mult", "right")):
        table.add_column(column, justify=justify)  # type: ignore[arg-type]
    for step in result["steps"]:
        add_step(table, case, step)
    console.print(table)
    money = f", ${result['money_delta']:+d}" if result["money_delta"] else ""
    chips, mult, total = (format_number(result[name]) for name in ("chips", "mult", "score"))
    console.print(f"[bold]{chips} x {mult} = {total}[/]{money}\n")


def add_step(table: Table, case: dict[str, Any], step: dict[str, Any]) -> None:
    """Add a row: the actor, the effect, and chips and mult after it."""
    signs = {"chips": "+{} chips", "mult": "+{} mult", "money": "${:+}", "base": "{} base chips"}
    times = ("xmult", "glass", "steel", "polychrome", "observatory")
    what = step["what"]
    form = signs.get(what, f"x{{}} ({what})" if what in times else f"+{{}} ({what})")
    if what == "xmult":
        form = "x{}"
    text = form.format(format_number(step["amount"]) if what != "money" else int(step["amount"]))
    table.add_row(describe_actor(case, step), text, format_number(step["chips"]), format_number(step["mult"]))


def describe_actor(case: dict[str, Any], step: dict[str, Any]) -> str:
    """Return the card or joker that a step belongs to."""
    index = step["index"]
    held = case.get("held", [])
    match step["who"]:
        case "played_card":
            return str(case["played"][index]["card"])
        case "held_card":
            return f"{held[index]['card']} (held)" if index < len(held) else "a new card (held)"
        case "joker":
            return str(case["jokers"][index]["key"])
        case "base":
            return "hand"
        case other:
            return other


def format_number(value: float) -> str:
    """Format a number as the game shows it."""
    if value == int(value) and abs(value) < 1e15:
        return f"{int(value):,}"
    return f"{value:,.6g}"
