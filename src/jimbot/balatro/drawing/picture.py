"""A run as an image, in a look of its own without the game's art.

``render_rgb`` gives the pixels. It draws what the public view tells and nothing else; the seed is not written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jimbot.balatro.drawing import card_faces as faces
from jimbot.balatro.drawing.canvas import TABLE_HEIGHT, TABLE_WIDTH, Canvas
from jimbot.balatro.drawing.palette import (
    BLUE,
    EDITION_FRAMES,
    ENHANCEMENT_PAPERS,
    FELT,
    GOLD,
    GREEN,
    GREY,
    INK,
    KIND_COLORS,
    PANEL,
    PANEL_EDGE,
    PAPER,
    RED,
    SEAL_COLORS,
    SHADE,
    SUIT_COLORS,
    WHITE,
)
from jimbot.balatro.game.parts import Phase
from jimbot.balatro.names import get_name

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from jimbot.balatro.drawing.canvas import Color
    from jimbot.balatro.drawing.card_faces import BlindFace, Face
    from jimbot.balatro.game.game import Game
    from jimbot.balatro.game.parts import Plain

__all__ = ["render_rgb"]

SIDE = 196
"""Width of the column at the left."""
CARD_WIDTH, CARD_HEIGHT, CARD_GAP = 76.0, 106.0, 8.0
SMALLEST_CARD = 0.62
"""How far cards shrink to stand side by side, before they overlap."""
LEFT = SIDE + 22.0
RIGHT = TABLE_WIDTH - 14.0
JOKER_TOP, MAIN_TOP, HAND_TOP = 26.0, 182.0, 398.0


def render_rgb(game: Game, size: tuple[int, int] = (960, 540), caption: str = "") -> NDArray[np.uint8]:
    """Render the current phase: uint8[height, width, 3], for ``size`` (width, height).

    The table keeps its shape and is fitted into other sizes. ``caption`` is written along the lower edge.
    """
    view = game.public_view()
    canvas = Canvas(size, FELT)
    _draw_side(canvas, view)
    _draw_owned(canvas, view)
    _PHASE_PARTS[Phase(view["phase"])](canvas, game, view)
    if caption:
        canvas.text(LEFT, TABLE_HEIGHT - 9, caption, 11, GREY, width=RIGHT - LEFT)
    return canvas.pixels()


# --- the column at the left -----------------------------------------------------------------------------------------


def _draw_side(canvas: Canvas, view: Plain) -> None:
    """Draw the left column: blind and score, hands and discards, money, ante and round, tags."""
    canvas.box(10, 10, SIDE - 10, TABLE_HEIGHT - 20, PANEL, border=PANEL_EDGE, radius=12)
    middle, width = 10 + (SIDE - 10) / 2, SIDE - 34
    canvas.text(middle, 27, faces.describe_run(view), 11, GREY, anchor="mm", width=width)
    blind: Plain = view["blind"]
    playing = blind["key"] is not None
    title = get_name(blind["key"]) if playing else faces.describe_phase(view)
    canvas.box(20, 40, SIDE - 30, 98, (44, 52, 62), radius=8)
    canvas.text(middle, 56, title, 16, GOLD, anchor="mm", width=width, bold=True)
    if playing:
        _draw_score(canvas, blind, middle)
    else:
        canvas.text(middle, 88, f"round {view['round']}", 13, WHITE, anchor="mm")
        canvas.text(middle, 112, f"{view['deck_size']} cards in the deck", 11, GREY, anchor="mm", width=width)
    hands = blind["hands_left"] if playing else view["hands_per_round"]
    discards = blind["discards_left"] if playing else view["discards_per_round"]
    _draw_number(canvas, 20, 148, "hands", str(hands), BLUE)
    _draw_number(canvas, 107, 148, "discards", str(discards), RED)
    canvas.box(20, 208, SIDE - 30, 44, (44, 52, 62), radius=8)
    money = f"${view['money']}" if view["money"] >= 0 else f"-${-view['money']}"
    canvas.text(middle, 230, money, 24, GOLD, anchor="mm", width=width, bold=True)
    _draw_number(canvas, 20, 262, "ante", str(view["ante"]), GOLD)
    _draw_number(canvas, 107, 262, "deck", f"{view['draw_pile_size']}/{view['deck_size']}", WHITE)
    _draw_side_lists(canvas, view)


def _draw_score(canvas: Canvas, blind: Plain, middle: float) -> None:
    score, target = float(blind["score"]), float(blind["target"])
    canvas.text(middle, 81, faces.format_amount(score), 20, WHITE, anchor="mm", width=SIDE - 44, bold=True)
    share = 1.0 if target <= 0 else max(0.0, min(1.0, score / target))
    canvas.box(30, 97, SIDE - 50, 10, SHADE, radius=5)
    if share > 0:
        canvas.box(30, 97, max(10.0, (SIDE - 50) * share), 10, GREEN if share >= 1 else BLUE, radius=5)
    words = f"of {faces.format_amount(target)}" + (" · disabled" if blind["disabled"] else "")
    canvas.text(middle, 122, words, 13, RED, anchor="mm", width=SIDE - 44)


def _draw_number(canvas: Canvas, left: float, top: float, label: str, value: str, color: Color) -> None:
    canvas.box(left, top, 79, 50, (44, 52, 62), radius=8)
    canvas.text(left + 39.5, top + 11, label, 10, GREY, anchor="mm")
    canvas.text(left + 39.5, top + 32, value, 20, color, anchor="mm", width=70, bold=True)


def _draw_side_lists(canvas: Canvas, view: Plain) -> None:
    """Draw held tags, vouchers and raised hands, as many lines as fit."""
    hands = [f"{name} lv {level}" for name, level, _ in faces.list_used_hands(view) if level > 1]
    if view["phase"] == Phase.PLAYING:
        hands = []  # the middle of the table shows them all
    lists = (
        ("tags", faces.list_held_tags(view)),
        ("vouchers", [get_name(key) for key in view["vouchers"]]),
        ("hands", hands),
    )
    top, bottom = 328.0, TABLE_HEIGHT - 20.0
    for label, values in lists:
        if not values or top + 30 > bottom:
            continue
        canvas.text(24, top, label, 10, GREY)
        for value in values:
            top += 14
            if top + 14 > bottom and value != values[-1]:
                canvas.text(30, top, "…", 11, WHITE)
                return
            canvas.text(30, top, value, 11, WHITE, width=SIDE - 46)
        top += 20


# --- cards ----------------------------------------------------------------------------------------------------------


def _draw_owned(canvas: Canvas, view: Plain) -> None:
    """Draw jokers and consumables along the upper edge."""
    jokers, consumables = faces.make_joker_faces(view), faces.make_consumable_faces(view)
    split = RIGHT - max(2.4, min(3.6, 1.15 * len(consumables))) * (CARD_WIDTH + 6)
    _draw_shelf(canvas, f"jokers {len(jokers)}/{view['joker_slots']}", jokers, LEFT, split - 24, JOKER_TOP)
    title = f"consumables {len(consumables)}/{view['consumable_slots']}"
    _draw_shelf(canvas, title, consumables, split, RIGHT, JOKER_TOP)


def _draw_shelf(
    canvas: Canvas,
    title: str,
    cards: Sequence[Face],
    left: float,
    right: float,
    top: float,
    *,
    centered: bool = False,
) -> None:
    """Draw a titled row of cards between two edges; cards overlap if they do not fit side by side."""
    canvas.box(left - 8, top - 6, right - left + 16, CARD_HEIGHT + 26, SHADE, radius=10)
    canvas.text(left, top + CARD_HEIGHT + 11, title, 11, GREY, width=right - left)
    if not cards:
        return
    wanted = len(cards) * (CARD_WIDTH + CARD_GAP) - CARD_GAP
    smallest = 0.9 if all(face.front for face in cards) else SMALLEST_CARD  # a rank shows above an overlap
    factor = max(smallest, min(1.0, (right - left) / wanted))
    width = CARD_WIDTH * factor
    room = right - left - width
    step = min(width + CARD_GAP * factor, room / (len(cards) - 1)) if len(cards) > 1 else 0.0
    start = left + (room - step * (len(cards) - 1)) / 2 if centered else left
    for number, face in enumerate(cards):
        with canvas.zoom(start + number * step, top + CARD_HEIGHT * (1 - factor) / 2, factor):
            _draw_card(canvas, face)


def _draw_card(canvas: Canvas, face: Face) -> None:
    """Draw one card with its upper left corner at the origin."""
    if face.kind == "sold":
        canvas.box(0, 0, CARD_WIDTH, CARD_HEIGHT, None, border=PANEL_EDGE, thickness=1)
        return
    if face.kind == "hidden":
        _draw_back(canvas, forced=face.forced)
    elif face.front:
        _draw_playing_card(canvas, face, face.front)
    else:
        _draw_item_card(canvas, face)
    if face.debuffed:
        for start, end in ((12.0, CARD_WIDTH - 12), (CARD_WIDTH - 12, 12.0)):
            canvas.line((start, CARD_HEIGHT - 52), (end, CARD_HEIGHT - 10), RED, 4)
    if face.price is not None:
        middle = CARD_WIDTH / 2
        canvas.box(middle - 19, -11, 38, 19, PANEL, border=GOLD, thickness=1, radius=9)
        canvas.text(middle, -2, f"${face.price}", 12, GOLD, anchor="mm", bold=True)


def _get_frame_color(face: Face) -> tuple[Color, float]:
    if face.forced:
        return RED, 4
    if face.edition:
        return EDITION_FRAMES[face.edition], 4
    return (120, 118, 112), 1.2


def _draw_back(canvas: Canvas, *, forced: bool) -> None:
    border, thickness = (RED, 4.0) if forced else (WHITE, 3.0)
    canvas.box(0, 0, CARD_WIDTH, CARD_HEIGHT, (104, 62, 66), border=border, thickness=thickness)
    for row in range(4):
        for column in range(3):
            x, y = 18 + column * 20, 20 + row * 22
            canvas.polygon([(x, y - 8), (x + 7, y), (x, y + 8), (x - 7, y)], (146, 92, 92))


def _draw_playing_card(canvas: Canvas, face: Face, front: str) -> None:
    paper = ENHANCEMENT_PAPERS.get(face.enhancement, PAPER)
    border, thickness = _get_frame_color(face)
    canvas.box(0, 0, CARD_WIDTH, CARD_HEIGHT, paper, border=border, thickness=thickness)
    color = SUIT_COLORS[front[0]]
    rank = "10" if front[2] == "T" else front[2]
    canvas.text(17, 19, rank, 22, color, anchor="mm", bold=True)
    canvas.suit(front[0], 17, 38, 13, color)
    canvas.suit(front[0], CARD_WIDTH / 2 + 8, 55, 34, color)
    below = " ".join((face.enhancement, *face.notes)).strip()
    if below:
        canvas.text(CARD_WIDTH / 2, 83, below, 11, INK, anchor="mm", width=CARD_WIDTH - 14, bold=True)
    if face.edition:
        canvas.text(CARD_WIDTH / 2, 95, face.edition_name, 9, INK, anchor="mm", width=CARD_WIDTH - 14)
    if face.seal:
        canvas.disc(CARD_WIDTH - 16, 17, 9, SEAL_COLORS[face.seal], INK)
        canvas.text(CARD_WIDTH - 16, 17, face.seal[0], 11, WHITE, anchor="mm", bold=True)


def _draw_item_card(canvas: Canvas, face: Face) -> None:
    color = KIND_COLORS[face.kind]
    border, thickness = _get_frame_color(face)
    dark = face.edition == "negative"
    canvas.box(
        0,
        0,
        CARD_WIDTH,
        CARD_HEIGHT,
        (52, 54, 62) if dark else PAPER,
        border=(206, 206, 214) if dark else border,
        thickness=thickness,
    )
    canvas.box(6, 6, CARD_WIDTH - 12, 17, color, radius=5)
    kind = face.kind if face.kind != "pack" else "booster"
    canvas.text(CARD_WIDTH / 2, 14, kind, 10, WHITE, anchor="mm", width=CARD_WIDTH - 20)
    ink = WHITE if dark else INK
    middle, width = CARD_WIDTH / 2, CARD_WIDTH - 12
    name = face.name.removesuffix(" Pack")
    y = canvas.paragraph(middle, 27, name, 12.5, ink, width=width, lines=3)
    notes = [note for note in (face.edition_name, *face.notes) if note]
    room = int((CARD_HEIGHT - 5 - y) // 11)
    for number, note in enumerate(notes[:room]):
        shade = (206, 206, 214) if dark else (104, 92, 84)
        canvas.text(middle, y + 7 + 11 * number, note, 9.5, shade, anchor="mm", width=width)


# --- what is particular to a phase ----------------------------------------------------------------------------------


def _draw_blind_select(canvas: Canvas, game: Game, view: Plain) -> None:
    width = (RIGHT - LEFT - 24) / 3
    for number, blind in enumerate(faces.make_blind_faces(game, view)):
        _draw_blind_box(canvas, blind, LEFT + number * (width + 12), width)
    if view["ante_voucher"]:
        words = f"voucher of this ante: {get_name(view['ante_voucher'])}"
        canvas.text(LEFT, 508, words, 13, WHITE, width=RIGHT - LEFT)


def _draw_blind_box(canvas: Canvas, blind: BlindFace, left: float, width: float) -> None:
    following = blind.state == "next"
    middle, inner = left + width / 2, width - 24
    canvas.box(left, MAIN_TOP, width, 300, PANEL, border=GOLD if following else PANEL_EDGE, radius=12)
    chip = {"small": BLUE, "big": GOLD, "boss": RED}[blind.place]
    canvas.disc(middle, MAIN_TOP + 66, 42, chip if blind.state != "past" else PANEL_EDGE, WHITE)
    canvas.disc(middle, MAIN_TOP + 66, 32, PANEL, WHITE)
    canvas.text(middle, MAIN_TOP + 66, blind.place, 15, WHITE, anchor="mm", bold=True)
    ink = WHITE if following else GREY
    canvas.text(middle, MAIN_TOP + 134, blind.name, 19, ink, anchor="mm", width=inner, bold=True)
    if blind.target is not None:
        canvas.text(middle, MAIN_TOP + 164, "score at least", 11, GREY, anchor="mm")
        words = faces.format_amount(blind.target)
        canvas.text(middle, MAIN_TOP + 188, words, 24, RED, anchor="mm", width=inner, bold=True)
    else:
        words = "behind you" if blind.state == "past" else "later"
        canvas.text(middle, MAIN_TOP + 176, words, 14, GREY, anchor="mm")
    if blind.skip_tag:
        canvas.text(middle, MAIN_TOP + 238, "or skip it for the", 11, GREY, anchor="mm")
        color = GOLD if following else GREY
        canvas.text(middle, MAIN_TOP + 260, blind.skip_tag, 16, color, anchor="mm", width=inner)


def _draw_playing(canvas: Canvas, _game: Game, view: Plain) -> None:
    _draw_hand_levels(canvas, view)
    _draw_hand(canvas, view)


def _draw_hand_levels(canvas: Canvas, view: Plain) -> None:
    """Draw the poker hands with level, chips and mult, in two columns."""
    known = [(name, hand) for name, hand in view["hands"].items() if hand["visible"]]
    height = -(-len(known) // 2)
    width, top, line = (RIGHT - LEFT - 20) / 2, MAIN_TOP - 8, 160 / 6
    for number, (name, hand) in enumerate(known):
        left = LEFT + (number // height) * (width + 20)
        y = top + (number % height + 0.5) * line
        last = name == view["blind"]["last_hand"]
        canvas.box(left, y - line / 2 + 1.5, width, line - 3, SHADE, border=GOLD if last else None, radius=6)
        raised = hand["level"] > 1
        canvas.text(left + 12, y, f"level {hand['level']}", 11, GOLD if raised else GREY)
        canvas.text(left + 66, y, name, 13, WHITE, width=130)
        canvas.text(left + width - 112, y, str(hand["chips"]), 13, BLUE, anchor="rm", bold=True)
        canvas.text(left + width - 100, y, "x", 11, GREY, anchor="mm")
        canvas.text(left + width - 90, y, str(hand["mult"]), 13, RED, bold=True)
        canvas.text(left + width - 12, y, f"{hand['played']} played", 10, GREY, anchor="rm", width=48)


def _draw_hand(canvas: Canvas, view: Plain) -> None:
    cards = faces.make_hand_faces(view)
    title = f"hand {len(cards)}/{view['hand_size']}"
    _draw_shelf(canvas, title, cards, LEFT, RIGHT, HAND_TOP - 14, centered=True)


def _draw_round_eval(canvas: Canvas, _game: Game, view: Plain) -> None:
    rows = faces.list_cash_out_rows(view)
    left, right, end = LEFT + 120, RIGHT - 120, MAIN_TOP + 76 + 28 * len(rows)
    canvas.box(left, MAIN_TOP, right - left, end - MAIN_TOP + 56, PANEL, border=GREEN, radius=12)
    canvas.text((left + right) / 2, MAIN_TOP + 32, "round won", 22, GREEN, anchor="mm", bold=True)
    for number, (label, pay) in enumerate(rows):
        y = MAIN_TOP + 76 + 28 * number
        canvas.text(left + 36, y, label, 15, WHITE)
        canvas.text(right - 36, y, f"${pay}", 17, GOLD, anchor="rm", bold=True)
    canvas.line((left + 30, end), (right - 30, end), PANEL_EDGE, 2)
    canvas.text(left + 36, end + 28, "cash out", 18, WHITE, bold=True)
    total = f"${sum(pay for _, pay in rows)}"
    canvas.text(right - 36, end + 28, total, 24, GOLD, anchor="rm", bold=True)


def _draw_shop(canvas: Canvas, _game: Game, view: Plain) -> None:
    shop = view["shop"]
    title = f"for sale · reroll ${shop['reroll_price']}"
    _draw_shelf(
        canvas, title, faces.make_shelf_faces(shop["slots"]), LEFT, RIGHT, MAIN_TOP + 10, centered=True
    )
    vouchers, packs = faces.make_shelf_faces(shop["vouchers"]), faces.make_shelf_faces(shop["packs"])
    split = LEFT + (RIGHT - LEFT) / 2
    _draw_shelf(canvas, "vouchers", vouchers, LEFT, split - 14, HAND_TOP - 34, centered=True)
    _draw_shelf(canvas, "packs", packs, split + 14, RIGHT, HAND_TOP - 34, centered=True)


def _draw_pack(canvas: Canvas, _game: Game, view: Plain) -> None:
    pack: Plain = view["pack"]
    title = f"{get_name(pack['key'])} · choose {pack['choices_left']}"
    _draw_shelf(canvas, title, faces.make_pack_faces(view), LEFT, RIGHT, MAIN_TOP + 10, centered=True)
    if view["hand"]:
        _draw_hand(canvas, view)


def _draw_game_over(canvas: Canvas, _game: Game, view: Plain) -> None:
    won = view["won"]
    color = GREEN if won else RED
    left, right = LEFT + 100, RIGHT - 100
    canvas.box(left, MAIN_TOP + 40, right - left, 170, PANEL, border=color, thickness=3, radius=14)
    middle = (left + right) / 2
    canvas.text(middle, MAIN_TOP + 100, "won" if won else "lost", 44, color, anchor="mm", bold=True)
    words = f"ante {view['ante']}, round {view['round']}, ${view['money']}"
    canvas.text(middle, MAIN_TOP + 160, words, 16, WHITE, anchor="mm", width=right - left - 40)


_PHASE_PARTS: dict[Phase, Callable[[Canvas, Game, Plain], None]] = {
    Phase.BLIND_SELECT: _draw_blind_select,
    Phase.PLAYING: _draw_playing,
    Phase.ROUND_EVAL: _draw_round_eval,
    Phase.SHOP: _draw_shop,
    Phase.PACK: _draw_pack,
    Phase.GAME_OVER: _draw_game_over,
}
