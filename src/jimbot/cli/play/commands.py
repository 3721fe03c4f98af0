"""The short commands of ``jimbot play``: their parser, and the list of possible decisions.

Positions are written as people count, from 1; actions count from 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from jimbot.balatro.game.actions import Action, ActionKind
from jimbot.balatro.game.descriptions import describe_action
from jimbot.balatro.game.parts import Phase
from jimbot.errors import JimbotError

if TYPE_CHECKING:
    from jimbot.balatro.game.game import Game
    from jimbot.balatro.game.parts import Plain

__all__ = ["HELP", "CommandError", "Decision", "describe_action_from_one", "list_decisions", "read_action"]

HELP = """\
p 1 3 5      play the cards at positions 1, 3 and 5      preview 1 3   what they would score
d 2 4        discard the cards at 2 and 4                h             hint: the best play
n            next: play the blind, cash out, leave the shop
k            skip the blind for its tag, or skip the pack
b 1          buy what is for sale at 1                   bu 1 2 3      buy 1 and use it on cards 2 and 3
v 1          redeem voucher 1                            o 1           open pack 1
r            reroll the shop (or the boss)               t 1 2 3       take 1 from the pack, on cards 2 and 3
u 1 3        use consumable 1 on card 3                  s j 2, s c 1  sell joker 2, sell consumable 1
m j 3 1      move joker 3 to position 1                  m c 8 1       move hand card 8 to position 1
sort rank    sort the hand by rank, or by suit           7             take decision 7 of the list
l            the screen and the list again               ?             this help
q            quit"""


class CommandError(JimbotError, ValueError):
    """Raised for an unknown command or one that cannot be carried out now."""


# --- reading --------------------------------------------------------------------------------------------------------


def read_action(line: str, game: Game) -> Action:
    """Parse a line into an action; an unknown command or an illegal action raises CommandError."""
    word, *rest = line.lower().replace(",", " ").split()
    if word.isascii() and word.isdigit() and not rest:
        return _get_numbered_action(int(word), game)
    action = _parse_action(word, rest, game.phase)
    refusal = game.why_not(action)
    if refusal is not None:
        raise CommandError(f"{line}: {refusal}")
    return action


def _get_numbered_action(number: int, game: Game) -> Action:
    listed = {each.number: each.action for each in list_decisions(game)}
    action = listed.get(number)
    if action is None:
        raise CommandError(f"there is no decision {number}; enter l for the list")
    return action


def _parse_action(word: str, rest: list[str], phase: Phase) -> Action:
    match word:
        case "p" | "play":
            return _with_cards(ActionKind.PLAY_HAND, 0, _parse_positions(word, rest, least=1))
        case "d" | "discard":
            return _with_cards(ActionKind.DISCARD, 0, _parse_positions(word, rest, least=1))
        case "u" | "use":
            at, *cards = _parse_positions(word, rest, least=1)
            return _with_cards(ActionKind.USE_CONSUMABLE, at, cards)
        case "bu":
            at, *cards = _parse_positions(word, rest, least=1)
            return _with_cards(ActionKind.BUY_AND_USE, at, cards)
        case "t" | "take":
            at, *cards = _parse_positions(word, rest, least=1)
            return _with_cards(ActionKind.PICK_CARD, at, cards)
        case "b" | "buy":
            return Action.buy(*_parse_positions(word, rest, least=1, most=1))
        case "v":
            return Action.redeem(*_parse_positions(word, rest or ["1"], least=1, most=1))
        case "o" | "open":
            return Action.open_pack(*_parse_positions(word, rest, least=1, most=1))
        case "s" | "sell":
            what, position = _parse_kind(word, rest, "j 2 or c 1", 1)
            return Action.sell_joker(*position) if what == "j" else Action.sell_consumable(*position)
        case "m" | "move":
            what, position = _parse_kind(word, rest, "j 3 1 or c 8 1", 2)
            return Action.move_joker(*position) if what == "j" else Action.move_card(*position)
        case "sort":
            if rest not in (["rank"], ["suit"]):
                raise CommandError("sort wants rank or suit")
            return Action.sort_hand(rest[0])
        case "n" | "k" | "r":
            if rest:
                raise CommandError(f"{word} stands alone, got '{' '.join(rest)}' after it")
            return _parse_plain_command(word, phase)
        case _:
            raise CommandError(f"'{word}' is not a command; enter ? for a list")


def _parse_plain_command(word: str, phase: Phase) -> Action:
    """Parse a command without positions; its meaning depends on the phase."""
    if word == "r":
        return Action.reroll_boss() if phase is Phase.BLIND_SELECT else Action.reroll_shop()
    if word == "k":
        return Action.skip_pack() if phase is Phase.PACK else Action.skip_blind()
    match phase:
        case Phase.BLIND_SELECT:
            return Action.select_blind()
        case Phase.ROUND_EVAL:
            return Action.cash_out()
        case Phase.PACK:
            return Action.skip_pack()
        case Phase.SHOP:
            return Action.leave_shop()
        case _:
            raise CommandError("the round is not over: play cards with p, or discard with d")


def _parse_positions(word: str, rest: list[str], *, least: int, most: int | None = None) -> list[int]:
    """Convert positions counted from 1 to positions counted from 0."""
    wrong = next(
        (text for text in rest if not (text.isascii() and text.isdigit() and 1 <= int(text) <= 32)), None
    )
    if wrong is not None:
        raise CommandError(f"{word} wants positions, counted from 1, got '{wrong}'")
    if len(rest) < least or (most is not None and len(rest) > most):
        wanted = "one position" if most == 1 else f"{most} positions" if most else "at least one position"
        raise CommandError(f"{word} wants {wanted}, got {len(rest) or 'none'}")
    return [int(text) - 1 for text in rest]


def _parse_kind(word: str, rest: list[str], example: str, count: int) -> tuple[str, list[int]]:
    if not rest or rest[0] not in ("j", "c"):
        raise CommandError(f"{word} wants {example}")
    return rest[0], _parse_positions(word, rest[1:], least=count, most=count)


def _with_cards(kind: ActionKind, position: int, cards: list[int]) -> Action:
    try:
        return Action(kind, position, cards=tuple(cards))
    except ValueError:
        raise CommandError("a card can be named once only") from None


def describe_action_from_one(view: Plain, action: Action) -> str:
    """Describe an action with positions counted from 1, as on the screen."""
    words = describe_action(view, action)
    if action.kind in (ActionKind.MOVE_JOKER, ActionKind.MOVE_CARD):
        return f"{words.rpartition(' ')[0]} {action.to + 1}"
    return words


# --- listing --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Decision:
    """A line of the list. Lines that stand for many actions have no number and no action.

    Attributes:
        number: what to type, from 1; None for a line that stands for many actions.
        group: the kind of decision.
        command: the short command.
        words: what it does.
        action: the action of a numbered line.
    """

    number: int | None
    group: str
    command: str
    words: str
    action: Action | None


GROUPS = {
    ActionKind.PLAY_HAND: "play",
    ActionKind.DISCARD: "play",
    ActionKind.SELECT_BLIND: "go on",
    ActionKind.CASH_OUT: "go on",
    ActionKind.LEAVE_SHOP: "go on",
    ActionKind.SKIP_PACK: "go on",
    ActionKind.SKIP_BLIND: "skip",
    ActionKind.REROLL_BOSS: "reroll",
    ActionKind.REROLL_SHOP: "reroll",
    ActionKind.BUY_CARD: "buy",
    ActionKind.BUY_AND_USE: "buy",
    ActionKind.REDEEM_VOUCHER: "buy",
    ActionKind.OPEN_PACK: "buy",
    ActionKind.PICK_CARD: "take",
    ActionKind.USE_CONSUMABLE: "use",
    ActionKind.SELL_JOKER: "sell",
    ActionKind.SELL_CONSUMABLE: "sell",
    ActionKind.MOVE_JOKER: "order",
    ActionKind.MOVE_CARD: "order",
    ActionKind.SORT_HAND: "order",
}
GROUP_ORDER = ("play", "take", "buy", "use", "sell", "reroll", "skip", "go on", "order")

COMMANDS = {
    ActionKind.SELECT_BLIND: "n",
    ActionKind.CASH_OUT: "n",
    ActionKind.LEAVE_SHOP: "n",
    ActionKind.SKIP_PACK: "k",
    ActionKind.SKIP_BLIND: "k",
    ActionKind.REROLL_BOSS: "r",
    ActionKind.REROLL_SHOP: "r",
    ActionKind.BUY_CARD: "b",
    ActionKind.BUY_AND_USE: "bu",
    ActionKind.REDEEM_VOUCHER: "v",
    ActionKind.OPEN_PACK: "o",
    ActionKind.PICK_CARD: "t",
    ActionKind.USE_CONSUMABLE: "u",
    ActionKind.SELL_JOKER: "s j",
    ActionKind.SELL_CONSUMABLE: "s c",
}
"""Commands of the kinds that are listed one by one."""

MANY = {
    ActionKind.PLAY_HAND: ("p CARDS", "play cards"),
    ActionKind.DISCARD: ("d CARDS", "discard cards"),
    ActionKind.MOVE_JOKER: ("m j FROM TO", "move a joker"),
    ActionKind.MOVE_CARD: ("m c FROM TO", "move a card of the hand"),
    ActionKind.SORT_HAND: ("sort rank", "sort the hand by rank, or by suit"),
}
"""Command and words of the kinds of which there are too many to list."""

PLACELESS = ("n", "k", "r")


def list_decisions(game: Game) -> list[Decision]:
    """List the possible decisions, grouped by kind; every line that is one action has a number."""
    view = game.public_view()
    lines: dict[tuple[str, str], tuple[str, list[Action]]] = {}
    for action in game.legal_actions():
        group = GROUPS[action.kind]
        if action.kind in MANY:
            command, words = MANY[action.kind]
        else:
            command = COMMANDS[action.kind]
            command += "" if command in PLACELESS else f" {action.position + 1}"
            command += " CARDS" if action.cards else ""
            words = _describe_decision(view, action)
        lines.setdefault((group, command), (words, []))[1].append(action)
    found: list[Decision] = []
    ordered = sorted(lines.items(), key=lambda line: GROUP_ORDER.index(line[0][0]))
    number = 0
    for (group, command), (words, actions) in ordered:
        single = not (actions[0].kind in MANY or actions[0].cards)
        number += single
        shown = number if single else None
        found.append(Decision(shown, group, command, words, actions[0] if single else None))
    return found


def _describe_decision(view: Plain, action: Action) -> str:
    """Describe an action with its price, without targets."""
    words = describe_action(view, Action(action.kind, action.position))
    at = action.position
    match action.kind:
        case ActionKind.BUY_CARD | ActionKind.BUY_AND_USE:
            words += f" for ${view['shop']['slots'][at]['price']}"
        case ActionKind.REDEEM_VOUCHER:
            words += f" for ${view['shop']['vouchers'][at]['price']}"
        case ActionKind.OPEN_PACK:
            words += f" for ${view['shop']['packs'][at]['price']}"
        case ActionKind.REROLL_SHOP:
            words += f" for ${view['shop']['reroll_price']}"
        case ActionKind.SELL_JOKER if view["jokers"][at]["key"]:
            words += f" for ${view['jokers'][at]['sell_value']}"
        case ActionKind.SELL_CONSUMABLE:
            words += f" for ${view['consumables'][at]['sell_value']}"
        case _:
            pass
    return words
