"""The colors of images: background, text, suits, enhancements, editions, seals and kinds of items."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jimbot.balatro.drawing.canvas import Color

FELT: Color = (38, 70, 66)
SHADE: Color = (27, 50, 48)
PANEL: Color = (30, 36, 44)
PANEL_EDGE: Color = (66, 78, 92)
INK: Color = (34, 38, 46)
WHITE: Color = (240, 240, 234)
GREY: Color = (150, 160, 168)
PAPER: Color = (246, 243, 234)
RED: Color = (222, 76, 68)
BLUE: Color = (72, 148, 226)
GREEN: Color = (92, 178, 106)
GOLD: Color = (236, 186, 72)
PURPLE: Color = (154, 104, 204)

SUIT_COLORS: dict[str, Color] = {
    "S": (46, 50, 84),
    "H": (212, 58, 62),
    "C": (32, 122, 96),
    "D": (226, 128, 36),
}
ENHANCEMENT_PAPERS: dict[str, Color] = {
    "Bonus": (206, 224, 248),
    "Mult": (250, 212, 208),
    "Wild": (236, 220, 246),
    "Glass": (214, 240, 244),
    "Steel": (198, 204, 212),
    "Stone": (176, 170, 162),
    "Gold": (250, 226, 150),
    "Lucky": (222, 242, 200),
}
EDITION_FRAMES: dict[str, Color] = {
    "foil": (96, 164, 236),
    "holo": (226, 96, 190),
    "polychrome": (244, 176, 60),
    "negative": (18, 18, 22),
}
SEAL_COLORS: dict[str, Color] = {"Gold": GOLD, "Red": RED, "Blue": BLUE, "Purple": PURPLE}
KIND_COLORS: dict[str, Color] = {
    "joker": (196, 84, 76),
    "tarot": (146, 98, 190),
    "planet": (58, 140, 178),
    "spectral": (74, 98, 190),
    "voucher": (204, 138, 52),
    "pack": (84, 142, 92),
}
