"""Scenes for probes of consumables: a hand, an open pack, a card used."""

from collections.abc import Sequence
from typing import Any

from jimbot.balatro import Action, Game

from .table import playing, shopping

HAND = ("S_9", "H_7", "D_5", "C_3", "S_2")


def used(key: str, *cards: int, hand: Sequence[str] = HAND, **options: Any) -> Game:
    """A round in which the consumable was used on these positions of the hand."""
    game = playing(hand, **{"consumables": [key], **options})
    game.edit(refresh_debuffs=True)
    game.step(Action.use(0, *cards))
    return game


def fronts(game: Game) -> list[str | None]:
    """Ranks and suits in hand, left to right."""
    return [card.card for card in game.hand]


def in_pack(pack: str, *cards: str, jokers: Sequence[str] = (), **changes: Any) -> Game:
    """A run with this pack open, showing these cards if any are named."""
    game = shopping(jokers=jokers, money=50, shop_packs=[pack])
    game.step(Action.open_pack(0))
    if cards:
        changes["pack_cards"] = list(cards)
    if changes:
        game.edit(**changes)
    return game
