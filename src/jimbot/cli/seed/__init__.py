"""``jimbot seed``: show what a seed contains, and search for seeds.

``jimbot seed 7LB2WVPK`` shows a seed, ``jimbot seed find`` searches. A seed that spells the name of a command is
reached with ``jimbot seed show FIND``.
"""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperGroup

from jimbot.balatro.seeds.contents import MAX_ANTES, SeedError, explore, normalize_seed, walk
from jimbot.storage.strict_json import dump_json

if TYPE_CHECKING:
    from jimbot.balatro.seeds.seed_conditions import Condition
    from jimbot.balatro.seeds.seed_search import SearchResult

__all__ = ["app"]

DEFAULT_CONDITIONS = ("j_blueprint negative first=2", "j_brainstorm ante<=1")
"""The default conditions: a Negative Blueprint in the first shop, and a Brainstorm in ante 1."""

# One line per paragraph: the terminal's width decides where they break.
FIND_HELP = """
Search for seeds that meet all conditions.

Give conditions as flags (--joker j_blueprint --edition negative --ante 2), or in words, one --where per condition:

\b
  j_blueprint negative shop ante<=2   Blueprint, Negative, in a shop, by ante 2
  The Soul pack                       The Soul in a pack of ante 1
  joker polychrome first=2            any Polychrome joker in the first shop
  tag_negative ante=2-4               a Negative Tag in ante 2, 3 or 4
  j_perkeo ante<=2                    a Soul by ante 2 that gives Perkeo
  p_spectral_mega                     a Mega Spectral Pack in ante 1
  *_K m_steel seal=red                a Steel King, Red Seal, in a Standard Pack

A line names a thing by its key or name, and may add: foil, holo, polychrome, negative; shop, pack; ante<=N, ante=N, \
ante=N-M, ante>=N (to ante 8), without which ante 1 is meant; first=N, for the first N shop cards of an ante; m_glass \
and its like; seal=red and its like.

Nothing is bought in the run that is searched, and every shop is rerolled --rerolls times. A legendary joker is what \
the run's first Soul would give. Without conditions, it searches for a Negative Blueprint \
in the first shop with a Brainstorm somewhere in ante 1.

Seeds are tried in a fixed order from --start on: the same start finds the same seeds, whatever --threads is. Ctrl-C \
ends the search and prints the results so far.
"""


class SeedGroup(TyperGroup):
    """Treats a line that starts with no command as arguments of ``show``."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Insert ``show`` before a line that starts with a seed or an option of ``show``."""
        if args and args[0] not in self.commands and args[0] not in ctx.help_option_names:
            args = ["show", *args]
        return super().parse_args(ctx, args)


app = typer.Typer(cls=SeedGroup, add_completion=False, pretty_exceptions_enable=False, no_args_is_help=True)


DeckOption = Annotated[str, typer.Option(help="Key of the deck, such as b_red or b_ghost.", metavar="KEY")]
StakeOption = Annotated[int, typer.Option(help="Stake, 1 (White) to 8 (Gold).")]
JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON instead of a page.")]


@app.callback()
def seed_app() -> None:
    """Show what a seed contains (jimbot seed SEED), or search for seeds (jimbot seed find)."""


@app.command()
def show(
    seed: Annotated[str, typer.Argument(help="1 to 8 characters from 1-9 and A-Z; 0 is read as O.")],
    deck: DeckOption = "b_red",
    stake: StakeOption = 1,
    antes: Annotated[int, typer.Option(help=f"How many antes to show, 1 to {MAX_ANTES}.")] = 8,
    view: Annotated[
        str,
        typer.Option(
            metavar="walk|queue|deck|misc",
            help="walk: what a player sees who buys nothing. queue: shop cards one by one, as seed analyzers list "
            "them. deck: deck orders and first hands. misc: what Judgement, Emperor, The Soul, ... would give.",
        ),
    ] = "walk",
    rerolls: Annotated[int, typer.Option(help="Rerolls in every shop of the walk.")] = 0,
    as_json: JsonOption = False,
) -> None:
    """Show what a seed contains, ante by ante. `jimbot seed SEED` does the same."""
    if rerolls and view != "walk":
        raise SeedError(f"rerolls belong to the walk view, not to '{view}'")
    policy = {"rerolls_per_shop": rerolls} if view == "walk" else None
    if as_json:
        value = explore(seed, view=view, deck=deck, stake=stake, antes=antes, policy=policy)
        print(dump_json(value, ascii_only=False, nonfinite="null"))
        return
    from jimbot.cli.seed import page as seed_page

    title = (normalize_seed(seed), deck, stake)
    if view == "walk":
        seed_page.print_walk(*title, walk(seed, deck=deck, stake=stake, antes=antes, policy=policy), rerolls)
    elif view == "queue":
        seed_page.print_queue(*title, explore(seed, "queue", deck=deck, stake=stake, antes=antes))
    elif view == "deck":
        seed_page.print_deck(title[0], stake, explore(seed, "deck", stake=stake, antes=antes))
    else:
        seed_page.print_misc(*title, explore(seed, view, deck=deck, stake=stake, antes=antes))


@app.command(help=FIND_HELP)
def find(
    where: Annotated[list[str] | None, typer.Option(help="A condition in words.", metavar="WORDS")] = None,
    joker: Annotated[
        list[str] | None, typer.Option(help="A joker's key; any for any joker.", metavar="KEY")
    ] = None,
    consumable: Annotated[list[str] | None, typer.Option(help="A consumable's key.", metavar="KEY")] = None,
    pack: Annotated[
        list[str] | None, typer.Option(help="A pack's key, or its beginning.", metavar="KEY")
    ] = None,
    voucher: Annotated[list[str] | None, typer.Option(help="A voucher's key.", metavar="KEY")] = None,
    tag: Annotated[list[str] | None, typer.Option(help="A tag's key.", metavar="KEY")] = None,
    boss: Annotated[list[str] | None, typer.Option(help="A boss blind's key.", metavar="KEY")] = None,
    edition: Annotated[
        str, typer.Option(help="Edition of each --joker: foil, holo, polychrome, negative.")
    ] = "",
    place: Annotated[
        str, typer.Option(help="Place of each --joker and --consumable: shop, pack, any.")
    ] = "any",
    ante: Annotated[int, typer.Option(help="Last ante for all conditions given as flags.")] = 1,
    count: Annotated[int, typer.Option(help="Stop when so many seeds are found.")] = 10,
    seconds: Annotated[float | None, typer.Option(help="Stop after this time.")] = None,
    threads: Annotated[int | None, typer.Option(help="Threads; one per processor by default.")] = None,
    start: Annotated[int, typer.Option(help="Number of the first seed to try.")] = 0,
    deck: DeckOption = "b_red",
    stake: StakeOption = 1,
    view: Annotated[
        str,
        typer.Option(
            metavar="walk|queue", help="walk: as a player sees it. queue: as seed analyzers list it."
        ),
    ] = "walk",
    rerolls: Annotated[int, typer.Option(help="Rerolls in every shop of the walk.")] = 0,
    as_json: JsonOption = False,
) -> None:
    """Search for seeds (the help text of the command is FIND_HELP)."""
    from jimbot.balatro.seeds.seed_conditions import parse_condition
    from jimbot.cli.seed.search import search_with_progress

    if rerolls and view != "walk":
        raise SeedError(f"rerolls belong to the walk view, not to '{view}'")
    conditions = [parse_condition(text) for text in where or []]
    flags = {
        "joker": joker,
        "consumable": consumable,
        "pack": pack,
        "voucher": voucher,
        "tag": tag,
        "boss": boss,
    }
    for kind, keys in flags.items():
        conditions += [make_flag_condition(kind, key, edition, place, ante) for key in keys or []]
    if not conditions:
        conditions = [parse_condition(text) for text in DEFAULT_CONDITIONS]
    result = search_with_progress(
        conditions,
        quiet=as_json,
        start=start,
        count=count,
        seconds=seconds,
        threads=threads,
        deck=deck,
        stake=stake,
        view=view,
        rerolls=rerolls,
    )
    if as_json:
        settings = {"deck": deck, "stake": stake, "view": view, "rerolls": rerolls}
        print(dump_json(make_report(conditions, settings, result), nonfinite="null"))
    else:
        from jimbot.cli.seed import page as seed_page

        seed_page.print_found(conditions, result)
    if result.stopped_by == "interrupt":
        raise typer.Exit(code=130)


def make_flag_condition(kind: str, key: str, edition: str, place: str, ante: int) -> Condition:
    """Build the condition of a flag such as ``--joker``, with the flags that belong to it."""
    from jimbot.balatro.seeds.seed_conditions import parse_condition

    condition = parse_condition("joker" if (kind, key) == ("joker", "any") else key)
    if condition.wanted != kind:
        raise SeedError(f"--{kind} expects a {kind}, got '{key}'")
    if kind == "joker":
        condition = replace(condition, edition=edition)
    if kind in ("joker", "consumable"):
        condition = replace(condition, place=place)
    return replace(condition, min_ante=1, max_ante=ante)


def make_report(
    conditions: list[Condition], settings: dict[str, Any], result: SearchResult
) -> dict[str, Any]:
    """Return a search and its results for JSON."""
    return {
        "conditions": [str(condition) for condition in conditions],
        **settings,
        "start": result.start,
        "tried": result.tried,
        "seconds": result.seconds,
        "seeds_per_second": result.tried / result.seconds,
        "threads": result.threads,
        "stopped_by": result.stopped_by,
        "found": [asdict(found) for found in result.found],
    }
