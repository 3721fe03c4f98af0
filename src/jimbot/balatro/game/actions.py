"""The actions of a run as values: ``Action.play(0, 1)``, ``Action.buy(2)``, ``Action.leave_shop()``."""

from dataclasses import dataclass
from enum import IntEnum

Encoded = tuple[int, int, int, int]
"""An action as the engine takes it: kind, first position, second position, mask of hand positions."""


class ActionKind(IntEnum):
    """The kinds of actions, numbered as in the engine."""

    PLAY_HAND = 0
    DISCARD = 1
    SELECT_BLIND = 2
    SKIP_BLIND = 3
    REROLL_BOSS = 4
    CASH_OUT = 5
    BUY_CARD = 6
    BUY_AND_USE = 7
    REDEEM_VOUCHER = 8
    OPEN_PACK = 9
    REROLL_SHOP = 10
    LEAVE_SHOP = 11
    SELL_JOKER = 12
    SELL_CONSUMABLE = 13
    USE_CONSUMABLE = 14
    PICK_CARD = 15
    SKIP_PACK = 16
    MOVE_JOKER = 17
    MOVE_CARD = 18
    SORT_HAND = 19


@dataclass(frozen=True, slots=True)
class Action:
    """One action. Positions count from 0, left to right."""

    kind: ActionKind
    position: int = 0
    """Of the shop slot, voucher, pack, joker, consumable or pack card; where a move starts; the sort mode."""
    to: int = 0
    """Where a move ends."""
    cards: tuple[int, ...] = ()
    """Hand positions played, discarded or targeted, ascending."""

    def __post_init__(self) -> None:
        if tuple(sorted(set(self.cards))) != self.cards or any(not 0 <= card < 32 for card in self.cards):
            object.__setattr__(self, "cards", _check_positions(self.cards))

    def encode(self) -> Encoded:
        """Encode the action as the tuple that the engine takes."""
        mask = 0
        for card in self.cards:
            mask |= 1 << card
        return int(self.kind), self.position, self.to, mask

    @classmethod
    def decode(cls, encoded: Encoded) -> "Action":
        """Decode an action from the engine's tuple."""
        kind, position, to, mask = encoded
        return cls(ActionKind(kind), position, to, tuple(i for i in range(32) if mask >> i & 1))

    @classmethod
    def play(cls, *cards: int) -> "Action":
        """Play the cards at these hand positions."""
        return cls(ActionKind.PLAY_HAND, cards=cards)

    @classmethod
    def discard(cls, *cards: int) -> "Action":
        """Discard the cards at these hand positions."""
        return cls(ActionKind.DISCARD, cards=cards)

    @classmethod
    def select_blind(cls) -> "Action":
        """Play the next blind."""
        return cls(ActionKind.SELECT_BLIND)

    @classmethod
    def skip_blind(cls) -> "Action":
        """Skip the next blind for its tag."""
        return cls(ActionKind.SKIP_BLIND)

    @classmethod
    def reroll_boss(cls) -> "Action":
        """Pay $10 for another boss (Director's Cut, Retcon)."""
        return cls(ActionKind.REROLL_BOSS)

    @classmethod
    def cash_out(cls) -> "Action":
        """Take the round's money and enter the shop."""
        return cls(ActionKind.CASH_OUT)

    @classmethod
    def buy(cls, slot: int) -> "Action":
        """Buy the card in a shop slot."""
        return cls(ActionKind.BUY_CARD, slot)

    @classmethod
    def buy_and_use(cls, slot: int, *cards: int) -> "Action":
        """Buy the consumable in a shop slot and use it at once."""
        return cls(ActionKind.BUY_AND_USE, slot, cards=cards)

    @classmethod
    def redeem(cls, position: int = 0) -> "Action":
        """Redeem a voucher of the shop."""
        return cls(ActionKind.REDEEM_VOUCHER, position)

    @classmethod
    def open_pack(cls, position: int) -> "Action":
        """Buy and open a booster pack."""
        return cls(ActionKind.OPEN_PACK, position)

    @classmethod
    def reroll_shop(cls) -> "Action":
        """Replace the cards in the shop's slots."""
        return cls(ActionKind.REROLL_SHOP)

    @classmethod
    def leave_shop(cls) -> "Action":
        """Leave the shop and go to the next blind."""
        return cls(ActionKind.LEAVE_SHOP)

    @classmethod
    def sell_joker(cls, position: int) -> "Action":
        """Sell a joker."""
        return cls(ActionKind.SELL_JOKER, position)

    @classmethod
    def sell_consumable(cls, position: int) -> "Action":
        """Sell a consumable."""
        return cls(ActionKind.SELL_CONSUMABLE, position)

    @classmethod
    def use(cls, position: int, *cards: int) -> "Action":
        """Use an owned consumable on these hand positions."""
        return cls(ActionKind.USE_CONSUMABLE, position, cards=cards)

    @classmethod
    def pick(cls, position: int, *cards: int) -> "Action":
        """Choose a card of the open pack; consumables are used at once on these hand positions."""
        return cls(ActionKind.PICK_CARD, position, cards=cards)

    @classmethod
    def skip_pack(cls) -> "Action":
        """Close the open pack."""
        return cls(ActionKind.SKIP_PACK)

    @classmethod
    def move_joker(cls, position: int, to: int) -> "Action":
        """Move a joker to another position."""
        return cls(ActionKind.MOVE_JOKER, position, to)

    @classmethod
    def move_card(cls, position: int, to: int) -> "Action":
        """Move a hand card to another position."""
        return cls(ActionKind.MOVE_CARD, position, to)

    @classmethod
    def sort_hand(cls, by: str = "rank") -> "Action":
        """Sort the hand by "rank" or by "suit", now and after every draw."""
        if by not in ("rank", "suit"):
            raise ValueError(f"hands are sorted by rank or by suit, not by '{by}'")
        return cls(ActionKind.SORT_HAND, 0 if by == "rank" else 1)


def _check_positions(cards: tuple[int, ...]) -> tuple[int, ...]:
    if len(set(cards)) != len(cards):
        raise ValueError(f"a hand position can be selected once only, got {cards}")
    if any(not 0 <= card < 32 for card in cards):
        raise ValueError(f"hand positions are 0 to 31, got {cards}")
    return tuple(sorted(cards))
