"""A run as text: the current phase in colors, for terminals, logs and language models.

The seed is not written: with it a reader could know everything the public view hides.
"""

from __future__ import annotations

from io import StringIO
from typing import TYPE_CHECKING

from rich.align import Align
from rich.console import Console, Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from jimbot.balatro.drawing import card_faces as faces
from jimbot.balatro.game.parts import Phase
from jimbot.balatro.names import get_name

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from jimbot.balatro.drawing.card_faces import Face
    from jimbot.balatro.game.game import Game
    from jimbot.balatro.game.parts import Plain

__all__ = ["build_screen", "render_ansi"]

MIN_WIDTH = 40

SUIT_STYLES = {"S": "bold bright_white", "H": "bold bright_red", "C": "bold bright_green", "D": "bold yellow"}
KIND_STYLES = {
    "joker": "bold",
    "tarot": "bold magenta",
    "planet": "bold cyan",
    "spectral": "bold bright_blue",
    "voucher": "bold yellow",
    "pack": "bold green",
    "hidden": "dim",
}
EDITION_STYLES = {
    "foil": "bright_blue",
    "holo": "bright_magenta",
    "polychrome": "bright_yellow",
    "negative": "reverse",
}
SEAL_STYLES = {"Gold": "yellow", "Red": "red", "Blue": "blue", "Purple": "magenta"}
EDITION_BORDERS = {
    "foil": "bright_blue",
    "holo": "bright_magenta",
    "polychrome": "bright_yellow",
    "negative": "bright_white",
}
LABEL = "dim"
CARD_WIDTH = 10
"""Columns of a playing card's box: eight fit into the narrowest terminals."""


def render_ansi(game: Game, width: int = 100, color: bool = True, public: bool = True) -> str:
    """Render the current phase as text, ``width`` columns wide.

    ``color=False`` writes no escape codes; ``public=False`` also shows the fronts of face-down cards.
    """
    if width < MIN_WIDTH:
        raise ValueError(f"a screen needs at least {MIN_WIDTH} columns, got {width}")
    console = Console(
        file=StringIO(),
        width=width,
        force_terminal=color,
        color_system="standard" if color else None,
        legacy_windows=False,
        highlight=False,
        no_color=not color,
        _environ={},
    )
    with console.capture() as captured:
        console.print(build_screen(game, width, public=public))
    return captured.get()


def build_screen(game: Game, width: int = 100, *, public: bool = True) -> Group:
    """Build the screen as a ``rich`` renderable."""
    view = game.public_view() if public else game.state()
    parts: list[RenderableType] = [_build_status(view)]
    if view["jokers"]:
        title = f"jokers {len(view['jokers'])}/{view['joker_slots']}"
        parts.append(_build_row(title, faces.make_joker_faces(view), width))
    if view["consumables"]:
        title = f"consumables {len(view['consumables'])}/{view['consumable_slots']}"
        parts.append(_build_row(title, faces.make_consumable_faces(view), width))
    parts += _PHASE_PARTS[Phase(view["phase"])](game, view, width)
    parts += _build_footnotes(view)
    return Group(*parts)


# --- the head of the table ------------------------------------------------------------------------------------------


def _build_status(view: Plain) -> Panel:
    """Build the header: deck, ante, money, hands and discards; in a round also the blind and its progress bar."""
    blind: Plain = view["blind"]
    playing = blind["key"] is not None
    hands = blind["hands_left"] if playing else view["hands_per_round"]
    discards = blind["discards_left"] if playing else view["discards_per_round"]
    numbers = (
        ("ante", str(view["ante"]), "bold yellow"),
        ("round", str(view["round"]), "bold yellow"),
        ("money", f"${view['money']}", "bold green" if view["money"] >= 0 else "bold red"),
        ("hands", str(hands), "bold bright_blue"),
        ("discards", str(discards), "bold red"),
        ("deck", f"{view['draw_pile_size']}/{view['deck_size']}", "bold"),
    )
    line = Text("   ").join(
        Text.assemble((f"{label} ", LABEL), (value, style)) for label, value, style in numbers
    )
    parts: list[RenderableType] = [line]
    if playing:
        parts.append(_build_blind_line(blind))
    title = Text.assemble((faces.describe_phase(view), "bold"), (f" · {faces.describe_run(view)}", LABEL))
    return Panel(Group(*parts), title=title, title_align="left", border_style=LABEL)


def _build_blind_line(blind: Plain) -> Text:
    score, target = blind["score"], blind["target"]
    share = 1.0 if target <= 0 else min(1.0, score / target)
    filled = round(30 * share)
    style = "bold strike" if blind["disabled"] else "bold"
    return Text.assemble(
        (get_name(blind["key"]), style),
        "  ",
        ("█" * filled, "green" if share >= 1 else "bright_blue"),
        ("░" * (30 - filled), LABEL),
        "  ",
        (faces.format_amount(score), "bold bright_blue"),
        (" of ", LABEL),
        (faces.format_amount(target), "bold red"),
    )


def _build_footnotes(view: Plain) -> list[Text]:
    """Build the footer: held tags, redeemed vouchers and raised poker hands, one line each."""
    hands = [
        f"{name} level {level}" + (f", played {played}" if played else "")
        for name, level, played in faces.list_used_hands(view)
    ]
    rows = (
        ("tags", faces.list_held_tags(view)),
        ("vouchers", [get_name(key) for key in view["vouchers"]]),
        ("hands", hands),
    )
    return [
        Text.assemble((f" {label}  ", LABEL), " · ".join(values), overflow="fold")
        for label, values in rows
        if values
    ]


# --- rows of cards --------------------------------------------------------------------------------------------------


def _compute_item_width(width: int) -> int:
    """Compute the box width of jokers, consumables and shop items: five fit into a line."""
    return max(16, min(20, width // 5))


def _build_row(
    title: str, cards: Sequence[Face], width: int, *, box_width: int | None = None, money: int | None = None
) -> Group:
    """Build a heading and boxes side by side, wrapped into lines; prices above ``money`` are red."""
    lines: list[RenderableType] = [Text(f" {title}", LABEL)]
    box_width = box_width or _compute_item_width(width)
    per_line = max(1, width // box_width)
    for start in range(0, len(cards), per_line):
        shown = cards[start : start + per_line]
        contents = [_build_box_lines(face, money, box_width - 3) for face in shown]
        height = max(map(len, contents))
        grid = Table.grid()
        for _ in shown:
            grid.add_column(width=box_width)
        grid.add_row(
            *(
                _build_box(face, content, start + number, box_width, height)
                for number, (face, content) in enumerate(zip(shown, contents, strict=True), start=1)
            )
        )
        lines.append(grid)
    return Group(*lines)


def _build_box(face: Face, content: list[Text], position: int, width: int, height: int) -> Panel:
    border = EDITION_BORDERS.get(face.edition) or SEAL_STYLES.get(face.seal, LABEL)
    if face.forced:
        border = "bold bright_red"
    return Panel(
        Group(*content),
        title=f"[{LABEL}]{position}[/]",
        title_align="left",
        subtitle=None if face.sells is None else f"[{LABEL}]sells ${face.sells}[/]",
        subtitle_align="right",
        border_style=border,
        width=width,
        height=height + 2,
        padding=(0, 0, 0, 1),
    )


def _build_box_lines(face: Face, money: int | None, width: int) -> list[Text]:
    """Build the lines of text inside a box."""
    if face.kind == "sold":
        return [Text("sold", LABEL)]
    if face.kind == "hidden":
        return [Text("▒▒▒▒▒▒", LABEL), Text("hidden", LABEL)]
    style = SUIT_STYLES[face.front[0]] if face.front else KIND_STYLES.get(face.kind, "bold")
    name = face.name.removesuffix(" Pack") if face.kind == "pack" else face.name
    lines = [Text(name, f"{style} strike" if face.debuffed else style)]
    if face.enhancement:
        lines.append(Text(face.enhancement, "italic"))
    if face.edition:
        short = face.edition_name if len(face.edition_name) <= width else face.edition_name[:4]
        lines.append(Text(short, EDITION_STYLES[face.edition]))
    if face.seal:
        lines.append(Text(f"●{face.seal}", SEAL_STYLES[face.seal]))
    lines += [Text(note, LABEL) for note in face.notes]
    if face.debuffed:
        lines.append(Text("debuff", "red"))
    if face.forced:
        lines.append(Text("forced", "bold bright_red"))
    if face.kind in ("tarot", "planet", "spectral", "voucher"):
        lines.append(Text(face.kind, LABEL))
    if face.price is not None:
        affordable = money is None or face.price <= money
        lines.append(Text(f"${face.price}", "bold green" if affordable else "red"))
    return [line for text in lines for line in _wrap(text, width)]


def _wrap(text: Text, width: int) -> list[Text]:
    console = Console(width=width, file=StringIO(), _environ={})
    return list(text.wrap(console, width))


# --- what is particular to a phase ----------------------------------------------------------------------------------


def _build_blind_select(game: Game, view: Plain, width: int) -> list[RenderableType]:
    grid = Table.grid()
    box_width = width // 3
    boxes: list[Panel] = []
    for blind in faces.make_blind_faces(game, view):
        following = blind.state == "next"
        lines = [Text(blind.name, "bold" if following else LABEL)]
        if blind.target is not None:
            lines.append(Text.assemble(("score ", LABEL), (faces.format_amount(blind.target), "bold red")))
        else:
            lines.append(Text("behind you" if blind.state == "past" else "later", LABEL))
        tag_style = "bold yellow" if following else LABEL
        tag = (("skip for ", LABEL), (blind.skip_tag, tag_style)) if blind.skip_tag else (("boss", LABEL),)
        lines.append(Text.assemble(*tag))
        boxes.append(
            Panel(
                Group(*lines),
                title=blind.place,
                title_align="left",
                border_style="bold bright_yellow" if following else LABEL,
                width=box_width,
            )
        )
        grid.add_column(width=box_width)
    grid.add_row(*boxes)
    return [grid, Text.assemble((" voucher of the ante  ", LABEL), faces.describe_ante_voucher(view))]


def _build_playing(_game: Game, view: Plain, width: int) -> list[RenderableType]:
    if not view["hand"]:
        return []
    title = f"hand {len(view['hand'])}/{view['hand_size']}"
    return [_build_row(title, faces.make_hand_faces(view), width, box_width=CARD_WIDTH)]


def _build_round_eval(_game: Game, view: Plain, _width: int) -> list[RenderableType]:
    table = Table.grid(padding=(0, 3))
    table.add_column(style=LABEL)
    table.add_column(justify="right", style="green")
    rows = faces.list_cash_out_rows(view)
    for label, pay in rows:
        table.add_row(label, f"${pay}")
    table.add_row(Text("cash out", "bold not dim"), Text(f"${sum(pay for _, pay in rows)}", "bold green"))
    return [Panel(table, title=f"[{LABEL}]round won[/]", title_align="left", border_style="green")]


def _build_shop(_game: Game, view: Plain, width: int) -> list[RenderableType]:
    shop, money = view["shop"], view["money"]
    slots = _build_row(
        f"for sale · reroll ${shop['reroll_price']}",
        faces.make_shelf_faces(shop["slots"]),
        width,
        money=money,
    )
    vouchers, packs = faces.make_shelf_faces(shop["vouchers"]), faces.make_shelf_faces(shop["packs"])
    box = _compute_item_width(width)
    split = len(vouchers) * box
    if not vouchers or split + len(packs) * box > width:
        rows = (("vouchers", vouchers), ("packs", packs))
        return [slots, *(_build_row(title, row, width, money=money) for title, row in rows if row)]
    beside = Table.grid()
    beside.add_column(width=split)
    beside.add_column(width=width - split)
    beside.add_row(
        _build_row("vouchers", vouchers, split, box_width=box, money=money),
        _build_row("packs", packs, width - split, box_width=box, money=money),
    )
    return [slots, beside]


def _build_pack(game: Game, view: Plain, width: int) -> list[RenderableType]:
    pack: Plain = view["pack"]
    title = f"{get_name(pack['key'])} · choose {pack['choices_left']}"
    return [_build_row(title, faces.make_pack_faces(view), width), *_build_playing(game, view, width)]


def _build_game_over(_game: Game, view: Plain, _width: int) -> list[RenderableType]:
    won = view["won"]
    words = "the run is won" if won else f"the run is lost in ante {view['ante']}"
    style = "bold green" if won else "bold red"
    return [Panel(Align.center(Text(words, style)), border_style=style)]


_PHASE_PARTS: dict[Phase, Callable[[Game, Plain, int], list[RenderableType]]] = {
    Phase.BLIND_SELECT: _build_blind_select,
    Phase.PLAYING: _build_playing,
    Phase.ROUND_EVAL: _build_round_eval,
    Phase.SHOP: _build_shop,
    Phase.PACK: _build_pack,
    Phase.GAME_OVER: _build_game_over,
}
