"""Scoring of single hands, as a hand calculator does it.

A case describes one hand just before it is played (jokers, played and held cards, levels, blind, ...) in the format
of ``tests/data/scoring_cases.json``; ``score_case`` returns what it scores and ``explain_case`` every step of it.
"""

from collections.abc import Mapping
from typing import Any

from jimbot import _engine
from jimbot.errors import JimbotError

Case = Mapping[str, Any]

_JOKER_VALUE_FIELDS = ("mult", "chips", "x_mult")
_JOKER_COUNTER_FIELDS = ("counter", "hands_played_at_create")
_SETUP_FIELDS = {
    "deck", "blind", "blind_state", "blind_disabled", "hands_left", "discards_left", "money", "hand_levels",
    "hand_plays", "hand_plays_round", "hands_played_run", "hands_played_round", "luck", "deck_info", "targets",
    "tarots_used", "skips", "vouchers", "consumables", "joker_slots", "consumable_slots", "challenge",
}  # fmt: skip
_OUTCOMES = {"none": "worst", "all": "best"}
_SELECT_BLIND = 2


class CaseError(JimbotError, ValueError):
    """Raised for a scoring case that cannot be set up."""


def score_case(case: Case) -> dict[str, Any]:
    """Score a hand; returns hand, scoring_indices, chips, mult, score and money_delta."""
    full = explain_case(case)
    return {key: full[key] for key in ("hand", "scoring_indices", "chips", "mult", "score", "money_delta")}


def explain_case(case: Case) -> dict[str, Any]:
    """Score a hand with ``steps`` (every change of chips, mult and money in order) and the state afterwards."""
    setup = case.get("setup", {})
    unknown = sorted(set(setup) - _SETUP_FIELDS)
    if unknown:
        raise CaseError(
            f"unknown setup field '{unknown[0]}'; expected one of {', '.join(sorted(_SETUP_FIELDS))}"
        )
    outcomes = setup.get("luck", "none")
    if outcomes not in _OUTCOMES:
        raise CaseError(
            f"unknown luck '{outcomes}'; expected none (all random effects fail) or all (all random effects succeed)"
        )
    game = _set_up(case)
    mask = (1 << len(case["played"])) - 1
    try:
        result = game.score_play(mask, _OUTCOMES[outcomes])
    except ValueError as error:
        raise CaseError(str(error)) from None
    for key in ("chips", "mult", "score"):
        result[key] = _to_number(result[key])
    return result


def _to_number(value: float) -> float | int:
    """Return whole numbers as int, as the cases write them."""
    return int(value) if value == value and abs(value) < 1e15 and value == int(value) else value


def format_card(card: Mapping[str, Any]) -> str:
    """Encode a card given as a dict in the engine's one-line form."""
    _refuse_unknown(card, {"card", "enhancement", "edition", "seal", "perma_bonus", "debuffed"}, "card")
    text = str(card["card"])
    for field, letter in (("enhancement", "h"), ("edition", "e"), ("seal", "l"), ("perma_bonus", "b")):
        if card.get(field):
            text += f";{letter}={card[field]}"
    return text + (";d=1" if card.get("debuffed") else "")


def format_joker(joker: Mapping[str, Any], sell_bonus: int = 0) -> str:
    """Encode a joker given as a dict in the engine's one-line form."""
    _refuse_unknown(joker, {"key", "edition", "debuffed", "sell_value", "state", "eternal"}, "joker")
    text = str(joker["key"])
    if joker.get("edition"):
        text += f";e={joker['edition']}"
    state = joker.get("state", {})
    for field, value in state.items():
        if field in _JOKER_VALUE_FIELDS:
            text += f";v={float(value)!r}"
        elif field in _JOKER_COUNTER_FIELDS:
            text += f";c={value}"
        elif field == "poker_hand":
            text += f";t={value}"
        else:
            raise CaseError(f"{joker['key']}: unknown state '{field}'")
    if joker["key"] == "j_todo_list" and "poker_hand" not in state:
        text += ";t=none"
    if joker["key"] == "j_loyalty_card" and not state.keys() & set(_JOKER_COUNTER_FIELDS):
        text += ";c=0"  # owned from the first hand of the run on, as public calculators take it
    return text + (";d=1" if joker.get("debuffed") else "") + (f";b={sell_bonus}" if sell_bonus else "")


def _refuse_unknown(given: Mapping[str, Any], known: set[str], what: str) -> None:
    unknown = sorted(set(given) - known)
    if unknown:
        raise CaseError(f"unknown {what} field '{unknown[0]}'; expected one of {', '.join(sorted(known))}")


def _set_up(case: Case) -> "_engine.GameState":
    setup = case.get("setup", {})
    game = _engine.GameState("JIMB", "b_red", 1, "", False, False)
    game.apply(_SELECT_BLIND, 0, 0, 0)
    played = [format_card(card) for card in case["played"]]
    held = [format_card(card) for card in case.get("held", [])]
    if not 1 <= len(played) <= 5:
        raise CaseError(f"a hand has 1 to 5 played cards, got {len(played)}")
    jokers = list(case.get("jokers", []))
    try:
        game.edit(
            _read_numbers(setup)
            | _read_blind_memory(setup)
            | {"hand": [], "draw_pile": [], "discard_pile": []}
        )
        game.edit({"jokers": [format_joker(joker) for joker in jokers]})
        game.edit({"jokers": _add_sell_values(game, jokers)})
        game.edit({"consumables": [_format_consumable(card) for card in setup.get("consumables", [])]})
        game.edit(_compute_slots(game, setup))
        game.edit({"hand": played + held} | _fill_deck(setup, played + held))
        # Last, because jokers that give discards give them when they arrive.
        game.edit({"hands_left": setup.get("hands_left", 4), "discards_left": setup.get("discards_left", 3)})
    except ValueError as error:
        raise CaseError(str(error)) from None
    return game


def _read_numbers(setup: Mapping[str, Any]) -> dict[str, Any]:
    plays = dict(setup.get("hand_plays", {}))
    plays_round = dict(setup.get("hand_plays_round", {}))
    return {
        "deck": setup.get("deck", "b_red"),
        "money": setup.get("money", 4),
        "blind": setup.get("blind", "bl_small"),
        "blind_disabled": int(setup.get("blind_disabled", False)),
        "hands_played": setup.get("hands_played_run", sum(plays.values())),
        "hands_played_round": setup.get("hands_played_round", sum(plays_round.values())),
        "tarots_used": setup.get("tarots_used", 0),
        "skips": setup.get("skips", 0),
        "vouchers": list(setup.get("vouchers", [])),
        "levels": dict(setup.get("hand_levels", {})),
        "plays": plays,
        "plays_round": plays_round,
        "target": 1e308,
    }


def _read_blind_memory(setup: Mapping[str, Any]) -> dict[str, Any]:
    """Read the blind's state and the round's targets."""
    blind = setup.get("blind_state", {})
    changes: dict[str, Any] = {"hands_seen": blind.get("hands_used", list(setup.get("hand_plays_round", {})))}
    if blind.get("only_hand"):
        changes["only_hand"] = blind["only_hand"]
    if blind.get("most_played"):
        changes["ox_hand"] = blind["most_played"]
    if setup.get("challenge"):
        changes["challenge"] = setup["challenge"]
    targets = setup.get("targets", {})
    idol = f"{targets['idol_suit'][0]}_{targets['idol_rank']}" if "idol_rank" in targets else "none"
    changes["targets"] = {"idol": idol, "ancient": targets.get("ancient_suit", "none")}
    return changes


def _format_consumable(card: str | Mapping[str, Any]) -> str:
    if isinstance(card, str):
        return card
    return str(card["key"]) + (f";e={card['edition']}" if card.get("edition") else "")


def _add_sell_values(game: "_engine.GameState", jokers: list[Mapping[str, Any]]) -> list[str]:
    """Encode the jokers again, each with the bonus that gives it the stated sell value."""
    worth = [joker["sell_value"] for joker in game.describe()["jokers"]]
    return [
        format_joker(joker, int(joker.get("sell_value", value)) - value)
        for joker, value in zip(jokers, worth, strict=True)
    ]


def _compute_slots(game: "_engine.GameState", setup: Mapping[str, Any]) -> dict[str, int]:
    """Compute the base slots at which the limits, with Negative cards and vouchers, are the stated or usual ones."""
    deck = setup.get("deck", "b_red")
    joker_base = 5 + {"b_black": 1, "b_painted": -1}.get(deck, 0)
    consumable_base = 2 + {"b_nebula": -1}.get(deck, 0)
    game.edit({"joker_slots": joker_base, "consumable_slots": consumable_base})
    given = game.describe()
    return {
        "joker_slots": joker_base + setup.get("joker_slots", given["joker_slots"]) - given["joker_slots"],
        "consumable_slots": consumable_base
        + setup.get("consumable_slots", given["consumable_slots"])
        - given["consumable_slots"],
    }


def _fill_deck(setup: Mapping[str, Any], table: list[str]) -> dict[str, Any]:
    """Add cards to the piles until the full deck and the draw pile have the stated sizes."""
    info = setup.get("deck_info", {})
    starting = info.get("starting_size", 40 if setup.get("deck") == "b_abandoned" else 52)
    rest = max(0, info.get("full_size", starting) - len(table))
    remaining = info.get("remaining", rest)
    cards = ["S_2"] * max(rest, remaining)
    wanted: list[str] = []
    for field, enhancement in (("steel", "m_steel"), ("stone", "m_stone")):
        there = sum(enhancement in card for card in table)
        wanted += [enhancement] * (info.get(field, there) - there)
    enhanced = sum(";h=" in card for card in table)
    wanted += ["m_bonus"] * (info.get("enhanced", enhanced + len(wanted)) - enhanced - len(wanted))
    if len(wanted) > len(cards):
        raise CaseError(
            f"deck_info wants {len(wanted)} enhanced cards off the table, where only {len(cards)} are"
        )
    for position, enhancement in enumerate(wanted):
        cards[position] += f";h={enhancement}"
    return {
        "draw_pile": cards[len(cards) - remaining :],
        "discard_pile": cards[: len(cards) - remaining],
        "starting_cards": starting,
    }
