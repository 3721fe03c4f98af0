"""Actions described in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jimbot.balatro.game.actions import Action, ActionKind
from jimbot.balatro.game.parts import format_card_name
from jimbot.balatro.names import describe_item

if TYPE_CHECKING:
    from jimbot.balatro.game.parts import Plain

_PLAIN_WORDS = {
    ActionKind.SELECT_BLIND: "play the blind",
    ActionKind.SKIP_BLIND: "skip the blind",
    ActionKind.REROLL_BOSS: "reroll the boss for $10",
    ActionKind.CASH_OUT: "cash out",
    ActionKind.REROLL_SHOP: "reroll the shop",
    ActionKind.LEAVE_SHOP: "leave the shop",
    ActionKind.SKIP_PACK: "skip the pack",
}


def _describe_cards(plain: Plain, positions: tuple[int, ...]) -> str:
    def words(position: int) -> str:
        hand = plain["hand"]
        if position >= len(hand):
            return f"card {position}"
        front = hand[position]["card"]
        return format_card_name(front) if front and not hand[position]["face_down"] else "a face-down card"

    return ", ".join(words(position) for position in positions) or "no cards"


def _describe_offer(items: list[Plain | None] | None, position: int) -> str:
    item = items[position] if items and position < len(items) else None
    if item is None:
        return f"position {position}"
    return describe_item(str(item["item"]))


def _describe_owned(card: Plain) -> str:
    # The complete description names face-down jokers too, and what is said about an action may reach a player.
    return "a face-down joker" if card.get("face_down") else str(card["name"])


def describe_action(plain: Plain, action: Action) -> str:
    """Describe an action in words, for a run given as plain values."""
    kind, at = action.kind, action.position
    if kind in _PLAIN_WORDS:
        return _PLAIN_WORDS[kind]
    shop: Plain = plain["shop"] or {}
    pack: Plain = plain["pack"] or {}
    targets = f" on {_describe_cards(plain, action.cards)}" if action.cards else ""
    owned = (
        plain["jokers"] if kind in (ActionKind.SELL_JOKER, ActionKind.MOVE_JOKER) else plain["consumables"]
    )
    name = _describe_owned(owned[at]) if at < len(owned) else f"position {at}"
    match kind:
        case ActionKind.PLAY_HAND:
            return f"play {_describe_cards(plain, action.cards)}"
        case ActionKind.DISCARD:
            return f"discard {_describe_cards(plain, action.cards)}"
        case ActionKind.BUY_CARD:
            return f"buy {_describe_offer(shop.get('slots'), at)}"
        case ActionKind.BUY_AND_USE:
            return f"buy and use {_describe_offer(shop.get('slots'), at)}{targets}"
        case ActionKind.REDEEM_VOUCHER:
            return f"redeem {_describe_offer(shop.get('vouchers'), at)}"
        case ActionKind.OPEN_PACK:
            return f"open {_describe_offer(shop.get('packs'), at)}"
        case ActionKind.SELL_JOKER | ActionKind.SELL_CONSUMABLE:
            return f"sell {name}"
        case ActionKind.USE_CONSUMABLE:
            return f"use {name}{targets}"
        case ActionKind.PICK_CARD:
            return f"take {_describe_offer(pack.get('cards'), at)}{targets}"
        case ActionKind.MOVE_JOKER:
            return f"move {name} to position {action.to}"
        case ActionKind.MOVE_CARD:
            return f"move {_describe_cards(plain, (at,))} to position {action.to}"
        case _:
            return f"sort the hand by {'suit' if at else 'rank'}"
