"""Detection of poker hands, of what a hand contains, and of the scoring set (rules 6)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from .data import HANDS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from .cards import Card, Rules

FLUSH_ORDER = "SHCD"


@dataclass(frozen=True)
class Detection:
    """The result for one set of played cards.

    `hand` is the reported hand, `contains` every hand that is part of it, `parts` the cards of each
    contained hand and `scoring` the indices of the scoring cards; indices count the played cards from 0
    and are in ascending order.
    """

    hand: str
    contains: frozenset[str]
    parts: dict[str, tuple[int, ...]]
    scoring: tuple[int, ...]


def _groups(cards: Sequence[Card]) -> dict[int, list[tuple[int, ...]]]:
    """The cards by rank, keyed by the exact size of the group, higher ranks first."""
    by_rank: dict[int, list[int]] = {}
    for index, card in enumerate(cards):
        if card.id is not None:
            by_rank.setdefault(card.id, []).append(index)
    groups: dict[int, list[tuple[int, ...]]] = {}
    for rank in sorted(by_rank, reverse=True):
        members = by_rank[rank]
        groups.setdefault(len(members), []).append(tuple(members))
    return groups


def flush_cards(cards: Sequence[Card], rules: Rules) -> tuple[int, ...]:
    """The cards of the Flush, or nothing."""
    need = 4 if rules.four_fingers else 5
    for suit in FLUSH_ORDER:
        members = tuple(i for i, card in enumerate(cards) if card.has_flush_suit(suit, rules))
        if len(members) >= need:
            return members
    return ()


def straight_cards(cards: Sequence[Card], rules: Rules) -> tuple[int, ...]:
    """The cards of the Straight, or nothing."""
    need = 4 if rules.four_fingers else 5
    step = 2 if rules.shortcut else 1
    present = {card.id for card in cards if card.id is not None}
    positions = sorted(present | ({1} if 14 in present else set()))
    runs: list[list[int]] = []
    for position in positions:
        if runs and position - runs[-1][-1] <= step:
            runs[-1].append(position)
        else:
            runs.append([position])
    for run in runs:
        ranks = {14 if position == 1 else position for position in run}
        if len(ranks) >= need:
            return tuple(i for i, card in enumerate(cards) if card.id in ranks)
    return ()


def _union(*parts: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(sorted({index for part in parts for index in part}))


def find_parts(cards: Sequence[Card], rules: Rules) -> dict[str, tuple[int, ...]]:
    """Every hand the played cards contain, with its cards."""
    groups = _groups(cards)
    fives, fours = groups.get(5, []), groups.get(4, [])
    threes, pairs = groups.get(3, []), groups.get(2, [])
    flush = flush_cards(cards, rules)
    straight = straight_cards(cards, rules)
    parts: dict[str, tuple[int, ...]] = {}
    if fives:
        parts["Five of a Kind"] = fives[0]
        if flush:
            parts["Flush Five"] = fives[0]
    if threes and pairs:
        parts["Full House"] = _union(threes[0], pairs[0])
        if flush:
            parts["Flush House"] = parts["Full House"]
    if straight and flush:
        parts["Straight Flush"] = _union(straight, flush)
    if fives or fours:
        parts["Four of a Kind"] = (fives or fours)[0]
    if flush:
        parts["Flush"] = flush
    if straight:
        parts["Straight"] = straight
    if fives or fours or threes:
        parts["Three of a Kind"] = (fives or fours or threes)[0]
    if len(pairs) >= 2:
        parts["Two Pair"] = _union(pairs[0], pairs[1])
    elif threes and pairs:
        parts["Two Pair"] = _union(threes[0], pairs[0])
    if fives or fours or threes or pairs:
        parts["Pair"] = (fives or fours or threes or pairs)[0]
    ranked = [index for index, card in enumerate(cards) if not card.stone]
    parts["High Card"] = (max(ranked, key=lambda index: cards[index].sort_key),) if ranked else ()
    return parts


def detect(cards: Sequence[Card], rules: Rules) -> Detection:
    """Find the hand, what it contains and which cards score."""
    parts = find_parts(cards, rules)
    hand = next(name for name in HANDS if name in parts)
    if rules.splash:
        scoring = tuple(range(len(cards)))
    else:
        stones = tuple(index for index, card in enumerate(cards) if card.stone)
        scoring = _union(parts[hand], stones)
    return Detection(hand, frozenset(parts), parts, scoring)
