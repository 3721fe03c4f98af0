"""Playing cards and the questions the rules ask about them (rules 5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .data import RANKS

RED = frozenset("HD")
BLACK = frozenset("SC")


@dataclass(frozen=True)
class Rules:
    """Standing changes of the rules by jokers that are owned and not debuffed."""

    four_fingers: bool = False
    shortcut: bool = False
    smeared: bool = False
    splash: bool = False
    pareidolia: bool = False


@dataclass
class Card:
    """One playing card; `suit` is a letter of SHCD, `rank` an id from 2 to 14."""

    suit: str
    rank: int
    enhancement: str | None = None
    edition: str | None = None
    seal: str | None = None
    perma_bonus: float = 0.0
    debuffed: bool = False

    @classmethod
    def parse(cls, entry: dict[str, Any]) -> Card:
        """Read a card of the case format, for example {"card": "H_K", "seal": "Red"}."""
        suit, rank = entry["card"].split("_")
        return cls(
            suit,
            RANKS.index(rank) + 2,
            entry.get("enhancement"),
            entry.get("edition"),
            entry.get("seal"),
            float(entry.get("perma_bonus", 0)),
            bool(entry.get("debuffed", False)),
        )

    def dump(self) -> dict[str, Any]:
        """Write the card in the case format, leaving out what is not set."""
        entry: dict[str, Any] = {"card": f"{self.suit}_{RANKS[self.rank - 2]}"}
        for name in ("enhancement", "edition", "seal", "perma_bonus", "debuffed"):
            if getattr(self, name):
                entry[name] = getattr(self, name)
        return entry

    @property
    def stone(self) -> bool:
        """Whether this is a Stone card, debuffed or not."""
        return self.enhancement == "m_stone"

    @property
    def wild(self) -> bool:
        """Whether this is a Wild card that is not debuffed."""
        return self.enhancement == "m_wild" and not self.debuffed

    @property
    def id(self) -> int | None:
        """The rank id for hands and jokers; a Stone card has none."""
        return None if self.stone else self.rank

    @property
    def rank_chips(self) -> int:
        """The chips of the printed rank."""
        return 11 if self.rank == 14 else min(self.rank, 10)

    @property
    def chips(self) -> float:
        """The chips the card adds when it scores (5.2)."""
        if self.stone:
            return 50.0 + self.perma_bonus
        bonus = 30 if self.enhancement == "m_bonus" else 0
        return self.rank_chips + bonus + self.perma_bonus

    @property
    def sort_key(self) -> float:
        """The key by which the highest card is found (5.1)."""
        face = {11: 0.1, 12: 0.2, 13: 0.3, 14: 0.4}.get(self.rank, 0.0)
        suit = {"D": 0.01, "C": 0.02, "H": 0.03, "S": 0.04}[self.suit]
        return 10 * self.rank_chips + 10 * face + suit

    def _prints(self, suit: str, rules: Rules) -> bool:
        """Whether the printed suit stands for `suit`."""
        if rules.smeared:
            return (self.suit in RED) == (suit in RED)
        return self.suit == suit

    def has_suit(self, suit: str, rules: Rules) -> bool:
        """The ordinary suit test of jokers."""
        if self.debuffed or self.stone:
            return False
        return self.wild or self._prints(suit, rules)

    def has_flush_suit(self, suit: str, rules: Rules) -> bool:
        """The suit test of flushes: a debuffed card keeps its printed suit."""
        if self.stone:
            return False
        return self.wild or self._prints(suit, rules)

    def has_boss_suit(self, suit: str, rules: Rules) -> bool:
        """The suit test of bosses, which ignores debuffs."""
        if self.stone:
            return False
        return self.enhancement == "m_wild" or self._prints(suit, rules)

    def is_face(self, rules: Rules, *, boss: bool = False) -> bool:
        """Whether the card counts as a face card."""
        if self.debuffed and not boss:
            return False
        return rules.pareidolia or self.id in (11, 12, 13)
