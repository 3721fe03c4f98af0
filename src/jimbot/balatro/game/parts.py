"""Readable objects for the parts of a run. They are copies: changing the run does not change them."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

Plain = dict[str, Any]


class Phase(StrEnum):
    """The phase of a run: what kind of decision comes next."""

    BLIND_SELECT = "blind_select"
    PLAYING = "playing"
    ROUND_EVAL = "round_eval"
    SHOP = "shop"
    PACK = "pack"
    GAME_OVER = "game_over"


PHASES = tuple(Phase)
"""Phases in the engine's order."""

_SUITS = {"C": "Clubs", "D": "Diamonds", "H": "Hearts", "S": "Spades"}
_RANKS = {"T": "10", "J": "Jack", "Q": "Queen", "K": "King", "A": "Ace"}


def format_card_name(front: str) -> str:
    """Spell out a card front: ``S_A`` is Ace of Spades."""
    suit, rank = front[0], front[2]
    return f"{_RANKS.get(rank, rank)} of {_SUITS[suit]}"


@dataclass(frozen=True, slots=True)
class Card:
    """A playing card. ``card`` is None for a face-down card in a public view."""

    card: str | None
    enhancement: str | None
    edition: str | None
    seal: str | None
    bonus: int
    debuffed: bool
    face_down: bool
    forced: bool

    @property
    def suit(self) -> str | None:
        """Spades, Hearts, Clubs or Diamonds."""
        return _SUITS[self.card[0]] if self.card else None

    @property
    def rank(self) -> str | None:
        """2 to 9, T, J, Q, K or A."""
        return self.card[2] if self.card else None

    def __str__(self) -> str:
        if not self.card:
            return "a face-down card"
        extras = [part for part in (self.edition, self.enhancement and self.enhancement[2:]) if part]
        seal = f" with a {self.seal} seal" if self.seal else ""
        return " ".join([*extras, format_card_name(self.card)]) + seal


@dataclass(frozen=True, slots=True)
class JokerCard:
    """An owned joker. ``key`` is None for a face-down joker in a public view."""

    key: str | None
    name: str | None
    edition: str | None
    value: float
    counter: int
    hand: str | None
    sell_value: int
    eternal: bool
    perishable: bool
    rental: bool
    pinned: bool
    rounds_left: int | None
    debuffed: bool
    face_down: bool


@dataclass(frozen=True, slots=True)
class ConsumableCard:
    """An owned tarot, planet or spectral card."""

    key: str
    name: str
    edition: str | None
    sell_value: int


@dataclass(frozen=True, slots=True)
class ShelfItem:
    """Something for sale or in an open pack. ``item`` is its one-line form, such as ``j_joker;e=foil``."""

    kind: str
    item: str
    price: int

    @property
    def key(self) -> str:
        """The key, or a playing card's front."""
        return self.item.split(";")[0]


@dataclass(frozen=True, slots=True)
class Shop:
    """An open shop. Bought items are None."""

    slots: list[ShelfItem | None]
    vouchers: list[ShelfItem | None]
    packs: list[ShelfItem | None]
    reroll_price: int


@dataclass(frozen=True, slots=True)
class Pack:
    """An open booster pack."""

    key: str
    cards: list[ShelfItem | None]
    choices_left: int


@dataclass(frozen=True, slots=True)
class Blind:
    """The blind being played; ``key`` is None between rounds."""

    key: str | None
    target: float
    score: float
    hands_left: int
    discards_left: int
    hands_played: int
    discards_used: int
    disabled: bool


@dataclass(frozen=True, slots=True)
class HandLevel:
    """A poker hand's level and how often it was played."""

    level: int
    played: int
    played_this_round: int
    visible: bool
    chips: int
    mult: int


def parse_card(plain: Plain) -> Card:
    """Build a ``Card`` from the engine's description."""
    return Card(
        card=plain["card"],
        enhancement=plain.get("enhancement"),
        edition=plain.get("edition"),
        seal=plain.get("seal"),
        bonus=plain.get("bonus", 0),
        debuffed=plain.get("debuffed", False),
        face_down=plain["face_down"],
        forced=plain["forced"],
    )


def parse_joker(plain: Plain) -> JokerCard:
    """Build a ``JokerCard`` from the engine's description."""
    return JokerCard(
        key=plain["key"],
        name=plain.get("name"),
        edition=plain.get("edition"),
        value=plain.get("value", 0.0),
        counter=plain.get("counter", 0),
        hand=plain.get("hand"),
        sell_value=plain.get("sell_value", 0),
        eternal=plain.get("eternal", False),
        perishable=plain.get("perishable", False),
        rental=plain.get("rental", False),
        pinned=plain.get("pinned", False),
        rounds_left=plain.get("rounds_left"),
        debuffed=plain.get("debuffed", False),
        face_down=plain["face_down"],
    )


def parse_items(plains: list[Plain | None]) -> list[ShelfItem | None]:
    """Build shelf items from the engine's descriptions."""
    return [
        None if plain is None else ShelfItem(plain["kind"], plain["item"], plain["price"]) for plain in plains
    ]
