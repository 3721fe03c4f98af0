"""The greedy player: plays the highest-scoring hand and buys the first joker it can afford.

It is a simple baseline that plans nothing; most of its runs end by ante 5.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jimbot.balatro.game.actions import Action, ActionKind
from jimbot.balatro.game.parts import Phase
from jimbot.balatro.names import get_catalog_kinds

if TYPE_CHECKING:
    from collections.abc import Callable

    from jimbot.balatro.game.game import Game, PlayPreview

__all__ = ["GreedyPlayer"]

MOST_DISCARDED = 5
RANK_ORDER = "23456789TJQKA"


class GreedyPlayer:
    """Plays the best preview. If that is not enough for the blind, it first discards cards it does not need."""

    def choose(self, game: Game) -> Action:
        """Choose an action for the current phase, without memory of earlier choices."""
        return self._choices[game.phase](game)

    def __init__(self) -> None:
        self._choices: dict[Phase, Callable[[Game], Action]] = {
            Phase.BLIND_SELECT: lambda _: Action.select_blind(),
            Phase.PLAYING: play_or_discard,
            Phase.ROUND_EVAL: lambda _: Action.cash_out(),
            Phase.SHOP: choose_in_shop,
            Phase.PACK: choose_from_pack,
        }


def play_or_discard(game: Game) -> Action:
    """Play the best hand if hands like it are enough for the blind, otherwise discard while discards are left."""
    previews = game.preview_all()
    if not previews:  # no hand to play: whatever can still be done
        return game.legal_actions()[0]
    best = max(previews, key=rank_play)
    blind = game.public_view()["blind"]
    missing = blind["target"] - blind["score"]
    if best.score * max(1, blind["hands_left"]) < missing and blind["discards_left"]:
        discard = choose_discard(game, best)
        if discard is not None:
            return discard
    return best.action


def rank_play(preview: PlayPreview) -> tuple[bool, float, int]:
    """Return the sort key of a play: refused hands come last; among equal scores, more cards are better."""
    return not preview.blocked, preview.score, len(preview.action.cards)


def choose_discard(game: Game, best: PlayPreview) -> Action | None:
    """Discard the lowest cards that the best play does not score; None if that is not possible."""
    scoring = set(game.preview(best.action)["scoring_indices"])
    hand = game.public_view()["hand"]
    spare = [position for position in range(len(hand)) if position not in scoring]
    spare.sort(key=lambda position: RANK_ORDER.find((hand[position]["card"] or "???")[2]))
    if not spare:
        return None
    discard = Action.discard(*spare[:MOST_DISCARDED])
    return discard if game.why_not(discard) is None else None


def choose_in_shop(game: Game) -> Action:
    """Use a planet card, buy a joker, open a pack, or leave the shop."""
    view = game.public_view()
    for action in game.legal_actions():
        if action.kind is ActionKind.USE_CONSUMABLE:
            if get_catalog_kinds()[view["consumables"][action.position]["key"]] == "planet":
                return action
        elif action.kind is ActionKind.BUY_CARD:
            if view["shop"]["slots"][action.position]["kind"] == "joker":
                return action
        elif action.kind is ActionKind.OPEN_PACK:
            return action
    return Action.leave_shop()


def choose_from_pack(game: Game) -> Action:
    """Take the first card of the pack that can be taken."""
    picks = [action for action in game.legal_actions() if action.kind is ActionKind.PICK_CARD]
    return min(picks, key=lambda action: action.position) if picks else Action.skip_pack()
