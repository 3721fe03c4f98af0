"""A Balatro action as indices of an environment's action space: what a demonstration's labels are.

With ``slots`` an action may take several indices: cards beyond the window are brought to the front first, a consumable
that needs targets is chosen before them, a joker moves one place at a time. With ``candidates`` it is the candidate
that does the same; where none does, the rule of ``nearest_candidate`` says which stands for it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from jimbot.balatro.env.schema import meanings
from jimbot.balatro.game.actions import Action, ActionKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jimbot.balatro.game.game import Game

__all__ = ["Expression", "express_as_candidate", "express_as_slots", "slot_index", "slot_kinds"]

WINDOW = 8
"""Hand positions that the subsets of the fixed actions reach."""
ROWS = 16
"""Hand cards that can be brought to the front."""
MOST_TARGETS = 3

REORDERINGS = frozenset({ActionKind.MOVE_JOKER, ActionKind.MOVE_CARD, ActionKind.SORT_HAND})
"""Actions that change an order and nothing else."""

SINGLES = {
    ActionKind.SELECT_BLIND: "play the blind",
    ActionKind.SKIP_BLIND: "skip the blind",
    ActionKind.REROLL_BOSS: "reroll the boss",
    ActionKind.CASH_OUT: "cash out",
    ActionKind.REROLL_SHOP: "reroll the shop",
    ActionKind.LEAVE_SHOP: "leave the shop",
    ActionKind.SKIP_PACK: "skip the pack",
}
NUMBERED = {
    ActionKind.BUY_CARD: "buy shop card",
    ActionKind.BUY_AND_USE: "buy and use shop card",
    ActionKind.REDEEM_VOUCHER: "redeem voucher",
    ActionKind.OPEN_PACK: "open booster pack",
    ActionKind.PICK_CARD: "take pack card",
    ActionKind.SELL_JOKER: "sell joker",
    ActionKind.SELL_CONSUMABLE: "sell consumable",
    ActionKind.USE_CONSUMABLE: "use consumable",
}
SUBSETS = {ActionKind.PLAY_HAND: "play hand cards", ActionKind.DISCARD: "discard hand cards"}
TARGETS = "target hand cards"
CANCEL = "give up choosing targets"
JOKER_LEFT = "move one to the left joker"
TO_FRONT = "bring to the front hand card"
SORTS = ("sort the hand by rank", "sort the hand by suit")


@dataclass(frozen=True)
class Expression:
    """How an action is expressed.

    Attributes:
        indices: what to do, step by step; empty if it cannot be expressed.
        exact: whether the indices do just what the action does; otherwise something near it.
    """

    indices: tuple[int, ...] = ()
    exact: bool = True


@cache
def slot_index() -> dict[str, int]:
    """The index of every meaning of the fixed actions."""
    return {meaning: index for index, meaning in enumerate(meanings())}


@cache
def slot_kinds() -> tuple[str, ...]:
    """The kind of decision behind every index of the fixed actions: its meaning without its numbers."""
    return tuple(meaning.rstrip("0123456789 ") for meaning in meanings())


# --- fixed actions ---------------------------------------------------------------------------------------------------


def express_as_slots(action: Action, hand: int, pending: tuple[ActionKind, int] | None = None) -> Expression:
    """The indices of an action among the fixed ones.

    Args:
        action: what to do.
        hand: cards in hand.
        pending: kind and position of a consumable that waits for its targets; it is given up if the action is another.
    """
    index = slot_index()
    if pending is not None and (not action.cards or pending != (action.kind, action.position)):
        return Expression((index[CANCEL],))
    if action.kind in SINGLES:
        words = [SINGLES[action.kind]]
    elif action.kind in SUBSETS:
        words = with_cards(SUBSETS[action.kind], action.cards, hand)
    elif action.kind in NUMBERED:
        words = [] if pending is not None else [f"{NUMBERED[action.kind]} {action.position}"]
        if action.cards:
            targets = with_cards(TARGETS, action.cards, hand) if len(action.cards) <= MOST_TARGETS else []
            words = [*words, *targets] if targets else []
    elif action.kind is ActionKind.MOVE_JOKER:
        words = [f"{JOKER_LEFT} {place}" for place in swaps(action.position, action.to)]
    elif action.kind is ActionKind.SORT_HAND:
        words = [SORTS[action.position]]
    elif action.to == 0:  # a card to the front
        words = [f"{TO_FRONT} {action.position}"]
    else:
        words = []
    if any(word not in index for word in words):
        return Expression()
    return Expression(tuple(index[word] for word in words))


def with_cards(words: str, cards: Sequence[int], hand: int) -> list[str]:
    """Meanings that act on hand cards: those beyond the window are brought to the front, the farthest first."""
    positions, steps = list(cards), list[str]()
    while max(positions) >= WINDOW:
        farthest = max(positions)
        row = ROWS - 1 if hand > ROWS and farthest == hand - 1 else farthest
        if row >= ROWS or (row == ROWS - 1 and farthest != row and farthest != hand - 1):
            return []
        steps.append(f"{TO_FRONT} {row}")
        positions = [0 if each == farthest else each + 1 if each < farthest else each for each in positions]
    return [*steps, f"{words} {' '.join(map(str, sorted(positions)))}"]


def swaps(start: int, end: int) -> range:
    """The jokers that change places with their left neighbours when one moves from ``start`` to ``end``."""
    return range(start, end, -1) if start > end else range(start + 1, end + 1)


# --- candidates ------------------------------------------------------------------------------------------------------


def express_as_candidate(
    action: Action, candidates: Sequence[tuple[Action, ...]], game: Game, moves: Sequence[Action] = ()
) -> Expression:
    """The candidate that does what an action does, after the reorderings that a player wanted first.

    Args:
        action: what to do.
        candidates: what the environment lists now.
        game: the run as it is now, before any move.
        moves: reorderings the player makes before the action.
    """
    wanted = (*moves, action)
    for index, candidate in enumerate(candidates):
        if candidate == wanted:
            return Expression((index,))
    found = nearest_candidate(action, candidates, game)
    return Expression() if found is None else Expression((found,), exact=False)


def nearest_candidate(action: Action, candidates: Sequence[tuple[Action, ...]], game: Game) -> int | None:
    """The candidate that stands for an action no candidate does.

    It is of the same kind and, unless it is a play or a discard, at the same position. Of plays, the one whose score is
    nearest; of those, and of everything else, the one that differs in the fewest cards; of those, the first. None if
    no candidate is of that kind.
    """
    by_position = action.kind not in SUBSETS
    scores = {each.action.cards: each.score for each in game.preview_all()} if is_play(action) else {}
    wanted = scores.get(action.cards, 0.0)
    best: tuple[float, int, int, int] | None = None
    for index, candidate in enumerate(candidates):
        offered = candidate[-1]
        if offered.kind is not action.kind or (by_position and offered.position != action.position):
            continue
        score = scores.get(offered.cards, 0.0)
        apart = abs(score - wanted) / max(abs(wanted), abs(score), 1.0) if scores else 0.0
        differing = len(set(offered.cards) ^ set(action.cards))
        key = (apart, differing, len(candidate), index)
        best = key if best is None or key < best else best
    return None if best is None else best[-1]


def is_play(action: Action) -> bool:
    """Whether an action plays a hand."""
    return action.kind is ActionKind.PLAY_HAND
