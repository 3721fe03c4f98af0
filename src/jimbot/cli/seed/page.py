"""The output of ``jimbot seed``: one panel per ante, with editions and kinds in colors."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any

from rich.console import Console, Group
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from jimbot.balatro.names import (
    EDITIONS,
    STICKERS,
    SUIT_SIGNS,
    format_enhancement,
    format_rank,
    get_catalog_kinds,
    get_catalog_names,
    get_name,
    read_item,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jimbot.balatro.seeds.seed_conditions import Condition
    from jimbot.balatro.seeds.seed_search import SearchResult

__all__ = ["print_deck", "print_found", "print_misc", "print_queue", "print_walk"]

EDITION_STYLES = {
    "foil": "bold bright_blue",
    "holo": "bold bright_magenta",
    "polychrome": "bold bright_yellow",
    "negative": "bold reverse",
}
KIND_STYLES = {"tarot": "magenta", "planet": "cyan", "spectral": "blue", "joker": ""}
SUIT_STYLES = {"S": "", "H": "red", "C": "green", "D": "yellow"}
SEAL_STYLES = {"Gold": "yellow", "Red": "red", "Blue": "blue", "Purple": "magenta"}
LABEL = "dim"
HEAD = "bold not dim"

SOURCES = {
    "jud": "Judgement",
    "wra": "Wraith",
    "rif": "Riff-Raff",
    "top": "Top-up Tag",
    "rta": "Rare Tag",
    "uta": "Uncommon Tag",
    "8ba": "8 Ball, Purple Seal",
    "vag": "Vagabond",
    "sup": "Superposition",
    "car": "Cartomancer",
    "hal": "Hallucination",
    "emp": "The Emperor",
    "pri": "The High Priestess",
    "sixth": "Sixth Sense",
    "sea": "Séance",
}


# --- pieces -------------------------------------------------------------------------------------------------------


def style_item(item_string: str) -> Text:
    """Format an item in colors: edition, enhancement, name, stickers, seal."""
    item = read_item(item_string)
    text = Text()
    if item.edition:
        text.append(EDITIONS[item.edition], EDITION_STYLES[item.edition]).append(" ")
    if item.enhancement:
        text.append(format_enhancement(item.enhancement), "italic").append(" ")
    text.append(item.name, get_item_style(item.key))
    for letter in item.stickers:
        text.append(" ").append(STICKERS[letter].lower(), "red")
    if item.seal:
        text.append(" ").append(f"{item.seal} Seal", SEAL_STYLES[item.seal])
    return text


def get_item_style(key: str) -> str:
    """Return the style of a name: by suit for cards, by kind for the rest."""
    if not key.startswith(("j_", "c_")):
        return SUIT_STYLES.get(key[0], "")
    return KIND_STYLES[get_catalog_kinds()[key]]


def join_items(items: Sequence[str]) -> Text:
    """Join items on one line; plain playing cards need no dots between them."""
    plain = all(len(item) == 3 for item in items)
    separator = (
        Text("  ") if plain else Text.assemble((" · ", LABEL))
    )  # assembled: a style of its own would spread
    return separator.join(style_item(item) for item in items)


def make_grid() -> Table:
    """Create a grid of two columns: label and contents."""
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style=LABEL, no_wrap=True, min_width=22)
    grid.add_column()
    return grid


def format_pack_name(key: str) -> str:
    """Format the name of a pack: ``Jumbo Arcana`` for ``p_arcana_jumbo_1``."""
    return get_name(key).removesuffix(" Pack")


def make_ante_heading(boss: str, voucher: str, tags: Sequence[str]) -> Text:
    """Format boss, voucher and tags of an ante on one line."""
    text = Text()
    shown_tags = " / ".join(get_name(tag).removesuffix(" Tag") for tag in tags)
    for label, value in (("boss", get_name(boss)), ("voucher", get_name(voucher)), ("tags", shown_tags)):
        text.append("   " if text else "").append(f"{label} ", LABEL).append(value, "bold")
    return text


def make_ante_panel(ante: int, *parts: Any) -> Panel:
    """Create the frame of an ante."""
    return Panel(Group(*parts), title=f"[{HEAD}]Ante {ante}[/]", title_align="left", border_style=LABEL)


def print_title(seed: str, deck: str, stake: int, note: str) -> Console:
    """Print the seed, its deck and stake, and the kind of page; returns the console."""
    console = Console(highlight=False)
    stake_name = [name for key, name in get_catalog_names().items() if key.startswith("stake_")][stake - 1]
    title = Text.assemble((seed, "bold"), (f"  {get_name(deck)}, {stake_name}", ""), (f"  {note}", LABEL))
    console.print(title)
    return console


# --- pages --------------------------------------------------------------------------------------------------------


def print_walk(seed: str, deck: str, stake: int, antes: list[dict[str, Any]], rerolls: int) -> None:
    """Print the shops of a run, as a player sees them."""
    rerolled = f", {rerolls} {'reroll' if rerolls == 1 else 'rerolls'} a shop" if rerolls else ""
    console = print_title(seed, deck, stake, f"as a player sees it who buys nothing{rerolled}")
    for number, ante in enumerate(antes, start=1):
        grid = make_grid()
        for after, rows, packs in ante["shops"]:
            grid.add_row()
            for row_number, row in enumerate(rows):
                label = (
                    f"after {name_blind_before_shop(after, number)}"
                    if row_number == 0
                    else f"  reroll {row_number}"
                )
                grid.add_row(Text(label, HEAD if row_number == 0 else LABEL), join_items(row))
            for pack in packs:
                grid.add_row(f"  {format_pack_name(pack[0])}", join_items(pack[1]))
        heading = make_ante_heading(ante["boss"], ante["voucher"], ante["tags"])
        console.print(make_ante_panel(number, heading, grid))


def name_blind_before_shop(after: str, ante: int) -> str:
    """Return the name of the blind before a shop."""
    return f"ante {ante - 1}'s boss" if after == "boss" else f"the {after} blind"


def print_queue(seed: str, deck: str, stake: int, antes: list[Any]) -> None:
    """Print the shop cards in order, each as if it were alone, and the packs of every ante."""
    console = print_title(seed, deck, stake, "shop cards and packs each on an empty shelf")
    for number, (boss, voucher, small, big, shop, packs) in enumerate(antes, start=1):
        grid = make_grid()
        for key, cards in packs:
            grid.add_row(format_pack_name(key), join_items(cards))
        console.print(
            make_ante_panel(
                number, make_ante_heading(boss, voucher, [small, big]), "", number_items(shop), "", grid
            )
        )


def number_items(items: Sequence[str]) -> Table:
    """Arrange numbered items in three columns, to be read downward."""
    height = -(-len(items) // 3)
    grid = Table.grid(padding=(0, 2), expand=True)
    for _ in range(3):
        grid.add_column(ratio=1)
    for row in range(height):
        places = range(row, len(items), height)
        grid.add_row(
            *(Text.assemble((f"{place + 1:>2} ", LABEL), style_item(items[place])) for place in places)
        )
    return grid


def print_deck(seed: str, stake: int, view: dict[str, Any]) -> None:
    """Print deck orders and first hands of the decks whose cards differ."""
    console = print_title(seed, "decks with cards of their own", stake, "the first card drawn comes first")
    for title, hands in (("Red Deck", view["red_hands"]), ("Erratic Deck", view["erratic_hands"])):
        grid = make_grid()
        for ante, blinds in enumerate(hands, start=1):
            for blind, cards in zip(("small", "big", "boss"), blinds, strict=True):
                grid.add_row(f"ante {ante} {blind}", join_items(cards))
        console.print(
            Panel(grid, title=f"[{HEAD}]{title}: first hands[/]", title_align="left", border_style=LABEL)
        )
    grid = make_grid()
    grid.add_row("Abandoned, first hand", join_items(view["abandoned_hand"]))
    grid.add_row("Checkered, first hand", join_items(view["checkered_hand"]))
    grid.add_row("Red, first blind", join_items(view["red_full"]["nr1_1"]))
    grid.add_row("Red, at run start", join_items(view["red_full"]["shuffle"]))
    fronts = sorted(view["erratic_draws"])
    counts = [Text.assemble(style_item(front), f" x{len(list(same))}") for front, same in groupby(fronts)]
    grid.add_row("Erratic, the deck", Text("   ").join(counts))
    console.print(Panel(grid, title=f"[{HEAD}]Deck orders[/]", title_align="left", border_style=LABEL))


def print_misc(seed: str, deck: str, stake: int, view: dict[str, Any]) -> None:
    """Print the results of every other source, each on its own."""
    console = print_title(seed, deck, stake, "each source alone, used for the first time")
    for number, ante in enumerate(view["antes"], start=1):
        grid = make_grid()
        for key, name in SOURCES.items():
            grid.add_row(name, join_items(ante[key]))
        console.print(make_ante_panel(number, grid))
    grid = make_grid()
    grid.add_row("The Soul, antes 1 to 5", join_items(view["soul"]))
    grid.add_row("Voucher Tag", ", ".join(get_name(key) for key in view["voucher_tag"]))
    grid.add_row(
        "vouchers if all bought", ", ".join(get_name(key) for key in view["vouchers_if_all_bought24"])
    )
    grid.add_row("bosses of antes 1 to 32", ", ".join(get_name(key) for key in view["bosses32"]))
    grid.add_row("Misprint", " ".join(f"+{value}" for value in view["misprint"]))
    grid.add_row("Lucky, mult", format_hits(view["lucky_mult"]))
    grid.add_row("Lucky, money", format_hits(view["lucky_money"]))
    grid.add_row("Aura", format_editions(view["aura"]))
    grid.add_row("Wheel of Fortune", format_editions(view["wheel_of_fortune"]))
    grid.add_row("The Idol", join_items(view["idol"]))
    grid.add_row("Mail-In Rebate", " ".join(format_rank(rank) for rank in view["mail"]))
    grid.add_row("Castle", " ".join(SUIT_SIGNS[suit] for suit in view["castle"]))
    grid.add_row("Ancient Joker", " ".join(view["ancient"]))
    console.print(Panel(grid, title=f"[{HEAD}]The whole run[/]", title_align="left", border_style=LABEL))


def format_hits(values: Sequence[int]) -> str:
    """Format hits and misses in order."""
    return "".join("●" if value else "·" for value in values)


def format_editions(values: Sequence[str | None]) -> Text:
    """Format editions in order; a miss is a dot."""
    shown = [Text(EDITIONS[value], EDITION_STYLES[value]) if value else Text("·", LABEL) for value in values]
    return Text(" ").join(shown)


def print_found(conditions: Sequence[Condition], result: SearchResult) -> None:
    """Print the seeds of a search, and where each condition is met."""
    console = Console(highlight=False)
    if result.found:
        table = Table(box=None, padding=(0, 2), header_style=LABEL)
        table.add_column("seed", no_wrap=True)
        for condition in conditions:
            table.add_column(str(condition))
        for found in result.found:
            matches = [
                Text.assemble(style_item(match.what), "\n", (match.place(), LABEL)) for match in found.matches
            ]
            table.add_row(Text(found.seed, "bold"), *matches)
        console.print(table)
    rate = result.tried / result.seconds
    seeds = "seed" if len(result.found) == 1 else "seeds"
    console.print(
        f"[bold]{len(result.found)} {seeds}[/] found in {result.tried:,} tried, {result.seconds:.1f} s, "
        f"{rate / 1e6:.2f} million seeds a second on {result.threads} threads"
    )
    console.print(f"[dim]continue with --start {result.start + result.tried}[/]")
