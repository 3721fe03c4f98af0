"""Display names of the game's keys, and the parser for item strings such as ``j_blueprint;e=negative``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from jimbot import _engine

EDITIONS = {"foil": "Foil", "holo": "Holographic", "polychrome": "Polychrome", "negative": "Negative"}
"""Name by key of every edition, the commonest first."""

STICKERS = {"E": "Eternal", "P": "Perishable", "R": "Rental"}
"""Name by letter of every sticker of an item string."""

SUITS = {"S": "Spades", "H": "Hearts", "C": "Clubs", "D": "Diamonds"}
"""Name by letter of every suit."""

SUIT_SIGNS = {"S": "♠", "H": "♥", "C": "♣", "D": "♦"}


STAKES = ("white", "red", "green", "black", "blue", "purple", "orange", "gold")
"""Names of the stakes from 1 on, as in their keys."""


@dataclass(frozen=True)
class Item:
    """An item string taken apart.

    Attributes:
        key: the game's key, or the front of a playing card such as ``S_A``.
        edition: ``foil``, ``holo``, ``polychrome``, ``negative`` or empty.
        stickers: letters of a joker's stickers: E eternal, P perishable, R rental.
        enhancement: key of a playing card's enhancement such as ``m_glass``, or empty.
        seal: ``Gold``, ``Red``, ``Blue``, ``Purple`` or empty.
    """

    key: str
    edition: str = ""
    stickers: str = ""
    enhancement: str = ""
    seal: str = ""

    @property
    def name(self) -> str:
        """The item's name without edition, stickers, enhancement and seal."""
        return get_name(self.key)


def read_item(text: str) -> Item:
    """Parse an item string: ``key;e=edition;s=stickers`` or ``front;h=enhancement;e=edition;l=seal``."""
    key, *fields = text.split(";")
    values = dict(field.split("=", 1) for field in fields)
    return Item(key, values.get("e", ""), values.get("s", ""), values.get("h", ""), values.get("l", ""))


def describe_item(text: str) -> str:
    """Describe an item string in words: ``Negative Blueprint (Eternal)``, ``Foil Glass A♠ (Red Seal)``."""
    item = read_item(text)
    words = [EDITIONS.get(item.edition, ""), format_enhancement(item.enhancement), item.name]
    notes = [STICKERS[letter] for letter in item.stickers]
    if item.seal:
        notes.append(f"{item.seal} Seal")
    return " ".join(filter(None, words)) + (f" ({', '.join(notes)})" if notes else "")


def get_name(key: str) -> str:
    """Return the display name of a key or a card front, or the key itself if it has none."""
    if len(key) == 3 and key[1] == "_" and key[0] in SUIT_SIGNS:
        return format_rank(key[2]) + SUIT_SIGNS[key[0]]
    return get_catalog_names().get(key, key)


def get_stake_name(stake: int) -> str:
    """Return the display name of a stake: ``White Stake`` for 1."""
    return get_name(f"stake_{STAKES[stake - 1]}")


def describe_game(deck: str, stake: int) -> str:
    """Return a deck and a stake by their display names: ``Plasma Deck, White Stake``."""
    return f"{get_name(deck)}, {get_stake_name(stake)}"


def format_rank(letter: str) -> str:
    """Return a rank as printed on a card: ``10`` for ``T``."""
    return "10" if letter == "T" else letter


def format_enhancement(key: str) -> str:
    """Return the name of an enhancement: ``Glass`` for ``m_glass``, an empty string for none."""
    return key.removeprefix("m_").capitalize()


@cache
def get_catalog_names() -> dict[str, str]:
    """Return the name of every item in the game's catalog by key, in the game's order."""
    return _engine.catalog_names()


@cache
def get_catalog_kinds() -> dict[str, str]:
    """Return the kind of every key: joker, tarot, planet, spectral, voucher, tag, blind, pack, deck, stake or
    challenge.
    """
    return _engine.catalog_kinds()
