"""The contents of a screen: an intermediate form between the engine's values and the text and image renderers.

``render`` writes these faces as text and ``picture`` draws them; both read nothing but a view of a run, by default
the public one, so that neither can show what a player may not know.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jimbot.balatro.game.actions import Action
from jimbot.balatro.game.parts import Phase
from jimbot.balatro.names import (
    EDITIONS,
    STICKERS,
    format_enhancement,
    get_catalog_kinds,
    get_catalog_names,
    get_name,
    read_item,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jimbot.balatro.game.game import Game
    from jimbot.balatro.game.parts import Plain

__all__ = [
    "BlindFace",
    "Face",
    "describe_ante_voucher",
    "describe_phase",
    "describe_run",
    "format_amount",
    "list_cash_out_rows",
    "list_held_tags",
    "list_used_hands",
    "make_blind_faces",
    "make_consumable_faces",
    "make_hand_faces",
    "make_joker_faces",
    "make_pack_faces",
    "make_shelf_faces",
]

BLIND_PLACES = ("small", "big", "boss")

CASH_OUT_NAMES = {
    "reward": "blind reward",
    "hands": "hands left",
    "discards": "discards left",
    "jokers": "jokers",
    "tags": "tags",
    "interest": "interest",
}


TARGET_JOKERS = {"j_idol": "idol", "j_mail": "mail", "j_castle": "castle", "j_ancient": "ancient"}
"""Jokers that tell what they look for this round, by its name among the view's targets."""

PHASE_NAMES = {
    Phase.BLIND_SELECT: "choose a blind",
    Phase.PLAYING: "playing",
    Phase.ROUND_EVAL: "cash out",
    Phase.SHOP: "shop",
    Phase.PACK: "open pack",
    Phase.GAME_OVER: "game over",
}


@dataclass(frozen=True, slots=True)
class Face:
    """One card on the table.

    Attributes:
        kind: card, joker, tarot, planet, spectral, voucher, pack, sold (an empty place) or hidden (face down).
        name: what people call it; empty for a place that is empty.
        front: a playing card's front such as ``S_A``, or None.
        edition: ``foil``, ``holo``, ``polychrome``, ``negative`` or empty.
        enhancement: ``Glass`` and its like, or empty.
        seal: ``Gold``, ``Red``, ``Blue``, ``Purple`` or empty.
        notes: stickers, stored values, and what else is worth a word.
        price: what it costs, None where nothing is for sale.
        sells: what selling it brings, None for what is not owned.
        debuffed: whether the blind has disabled it.
        forced: whether the blind insists on it.
    """

    kind: str
    name: str = ""
    front: str | None = None
    edition: str = ""
    enhancement: str = ""
    seal: str = ""
    notes: tuple[str, ...] = ()
    price: int | None = None
    sells: int | None = None
    debuffed: bool = False
    forced: bool = False

    @property
    def edition_name(self) -> str:
        """``Holographic`` for ``holo``; empty for no edition."""
        return EDITIONS.get(self.edition, "")


@dataclass(frozen=True, slots=True)
class BlindFace:
    """One of an ante's three blinds.

    Attributes:
        place: small, big or boss.
        name: the blind's name.
        state: past, next or later.
        target: the score it asks for; None unless it is the next one.
        skip_tag: name of the tag that skipping it gives; empty for the boss.
    """

    place: str
    name: str
    state: str
    target: float | None
    skip_tag: str


HIDDEN = Face("hidden", "face down")
SOLD = Face("sold")


def format_amount(value: float) -> str:
    """Format a score or stored value: 1,234 or 1.5 or 2.3e+12."""
    if abs(value) < 1e11:
        return f"{value:,.0f}" if value == int(value) else f"{value:,.2f}".rstrip("0").rstrip(".")
    return f"{value:.4g}"


def describe_phase(view: Plain) -> str:
    """Describe the phase of a run in words."""
    return PHASE_NAMES[view["phase"]]


def describe_run(view: Plain) -> str:
    """Return deck and stake of a run, or its challenge."""
    if view["challenge"]:
        return get_name(view["challenge"])
    stakes = [name for key, name in get_catalog_names().items() if key.startswith("stake_")]
    return f"{get_name(view['deck'])}, {stakes[view['stake'] - 1]}"


# --- cards ----------------------------------------------------------------------------------------------------------


def make_hand_faces(view: Plain) -> list[Face]:
    """Return the cards in hand, left to right."""
    return [_make_card_face(card) for card in view["hand"]]


def _make_card_face(card: Plain) -> Face:
    front = card["card"]
    if front is None:
        return Face(HIDDEN.kind, HIDDEN.name, forced=card["forced"])
    bonus = (f"+{card['bonus']}",) if card["bonus"] else ()
    return Face(
        "card",
        get_name(front),
        front,
        card["edition"] or "",
        format_enhancement(card["enhancement"] or ""),
        card["seal"] or "",
        (*bonus, *(("face down",) if card["face_down"] else ())),
        debuffed=card["debuffed"],
        forced=card["forced"],
    )


def make_joker_faces(view: Plain) -> list[Face]:
    """Return the owned jokers, left to right."""
    return [_make_joker_face(joker, view["targets"]) for joker in view["jokers"]]


def _make_joker_face(joker: Plain, targets: Plain) -> Face:
    if joker["key"] is None:
        return HIDDEN
    notes: list[str] = []
    if joker["value"]:
        notes.append(f"value {format_amount(joker['value'])}")
    if joker["counter"]:
        notes.append(f"count {joker['counter']}")
    target = joker["hand"] or targets.get(TARGET_JOKERS.get(joker["key"], ""))
    if target:
        notes.append(get_name(target) if joker["key"] == "j_idol" else target)
    notes += [word for word in ("eternal", "rental", "pinned") if joker[word]]
    if joker["perishable"]:
        notes.append(f"perishes in {joker['rounds_left']}" if joker["rounds_left"] else "perished")
    if joker["face_down"]:
        notes.append("face down")
    return Face(
        "joker",
        joker["name"],
        edition=joker["edition"] or "",
        notes=tuple(notes),
        sells=joker["sell_value"],
        debuffed=joker["debuffed"],
    )


def make_consumable_faces(view: Plain) -> list[Face]:
    """Return the owned consumables, left to right."""
    return [
        Face(
            get_catalog_kinds()[card["key"]],
            card["name"],
            edition=card["edition"] or "",
            sells=card["sell_value"],
        )
        for card in view["consumables"]
    ]


def make_shelf_faces(items: Sequence[Plain | None], *, priced: bool = True) -> list[Face]:
    """Return a row of a shop or of an open pack; taken items leave an empty place."""
    return [SOLD if item is None else _make_shelf_face(item, priced=priced) for item in items]


def _make_shelf_face(plain: Plain, *, priced: bool) -> Face:
    item = read_item(plain["item"])
    card = item.key not in get_catalog_kinds()
    notes = [STICKERS[letter].lower() for letter in item.stickers]
    if plain.get("hand"):
        notes.append(plain["hand"])
    return Face(
        "card" if card else get_catalog_kinds()[item.key],
        item.name,
        item.key if card else None,
        item.edition,
        format_enhancement(item.enhancement),
        item.seal,
        tuple(notes),
        plain["price"] if priced else None,
    )


def make_pack_faces(view: Plain) -> list[Face]:
    """Return the cards of the open pack."""
    return make_shelf_faces(view["pack"]["cards"], priced=False)


# --- the rest of the table ------------------------------------------------------------------------------------------


def make_blind_faces(game: Game, view: Plain) -> list[BlindFace]:
    """Return the three blinds of the ante at the blind-select screen."""
    following = BLIND_PLACES.index(view["next_blind"])
    found: list[BlindFace] = []
    for number, place in enumerate(BLIND_PLACES):
        key = view["boss"] if place == "boss" else f"bl_{place}"
        tag = ""
        if number < len(view["skip_tags"]):
            tag = _describe_tag(view["skip_tags"][number], view["orbital_hands"][number])
        state = "past" if number < following else "next" if number == following else "later"
        target = _read_next_target(game) if state == "next" else None
        found.append(BlindFace(place, get_name(key), state, target, tag))
    return found


def _read_next_target(game: Game) -> float | None:
    """Return the target score of the next blind, read from a resampled copy that has selected it."""
    copy = game.resample_hidden(0)
    if copy.why_not(Action.select_blind()) is not None:
        return None
    copy.step(Action.select_blind())
    return float(copy.public_view()["blind"]["target"])


def describe_ante_voucher(view: Plain) -> str:
    """Return the voucher of the ante, or why it is not known: players see it in the ante's first shop."""
    if view["ante_voucher"]:
        return get_name(view["ante_voucher"])
    return "redeemed" if view["ante_voucher_seen"] else "not seen yet"


def list_cash_out_rows(view: Plain) -> list[tuple[str, int]]:
    """Return the payments of the round, row by row; rows of $0 are left out, except the blind's reward."""
    rows: Plain = view["cash_out"]
    return [(CASH_OUT_NAMES.get(key, key), pay) for key, pay in rows.items() if pay or key == "reward"]


def list_held_tags(view: Plain) -> list[str]:
    """Return the names of the held tags, oldest first."""
    return [_describe_tag(tag["key"], tag["hand"]) for tag in view["tags"]]


def _describe_tag(key: str, hand: str | None) -> str:
    """Return a tag's name, with the poker hand that an Orbital Tag raises."""
    return f"{get_name(key)} ({hand})" if key == "tag_orbital" and hand else get_name(key)


def list_used_hands(view: Plain) -> list[tuple[str, int, int]]:
    """Return name, level and times played of the poker hands that were raised or played, best first."""
    return [
        (name, hand["level"], hand["played"])
        for name, hand in view["hands"].items()
        if hand["level"] != 1 or hand["played"]
    ]
