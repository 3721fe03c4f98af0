"""What a seed contains: the shops, packs, bosses, vouchers, tags and deck orders of a run, exactly as in the game.

``explore`` gives four views. ``queue`` is what seed analyzers show: every shop card made alone, every pack opened on
an empty shelf. ``walk`` is what a player sees: cards on the shelf, in an open pack or owned block their own key.
``deck`` lists deck orders, ``misc`` the results of every other source (Judgement, Emperor, Misprint, ...).
"""

from collections.abc import Mapping
from typing import Any, TypedDict, cast

from jimbot import _engine
from jimbot.errors import JimbotError, add_suggestion

MAX_ANTES = 39
"""Antes an exploration may span; beyond it no score of the game is finite."""

QUEUE_SHOP_ITEMS = 15
"""Shop cards per ante in the queue view."""

Json = Any
"""A JSON value: lists, dicts, strings, numbers, None."""


class WalkPolicy(TypedDict, total=False):
    """How the run of a walk view is played. Every blind that is not skipped is won, and nothing is bought."""

    deck: str
    skip: list[str]
    rerolls_per_shop: int
    vouchers_redeemed_before_first_shop: list[str]
    consumables_held_throughout: list[str]


class SeedError(JimbotError, ValueError):
    """Raised for an invalid seed, deck, stake, view or policy."""


def normalize_seed(text: str, *, raw: bool = False) -> str:
    """Return the seed in the engine's form. Raises SeedError for an impossible seed.

    A seed that is typed into the game is put into upper case, and 0 becomes the letter O; ``raw=False`` does the same.
    A seed that a program hands to the game, as the BalatroBot mod does, is used as it is, and a 0 in it is hashed as a
    0: ``raw=True``. The two give different runs.
    """
    if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance]  callers may be untyped
        raise SeedError(f"a seed is a text such as '7LB2WVPK', got {text!r:.40}")
    seed = text if raw else text.strip()
    # Upper case of letters outside ASCII may be letters inside it: a sharp s is not SS.
    if not raw and seed.isascii():
        seed = seed.upper().replace("0", "O")
    try:
        return _engine.check_seed(seed)
    except ValueError:
        shown = text if text.isprintable() else ascii(text)[1:-1]
        allowed = "0-9 and A-Z, exactly as the game is given it" if raw else "1-9 and A-Z"
        raise SeedError(
            f"seed '{shown}' is not possible: a seed has 1 to 8 characters from {allowed}"
        ) from None


def explore(
    seed: str,
    view: str = "queue",
    deck: str = "b_red",
    stake: int = 1,
    antes: int = 8,
    policy: Mapping[str, Any] | None = None,
    *,
    raw_seed: bool = False,
) -> Json:
    """Return one view of a seed as a JSON value, in the format of the test vectors.

    ``policy`` (walk only): ``skip`` (of "small", "big"), ``rerolls_per_shop``, ``deck``,
    ``vouchers_redeemed_before_first_shop``, ``consumables_held_throughout``. ``raw_seed`` takes the seed verbatim, see
    ``normalize_seed``.
    """
    seed = normalize_seed(seed, raw=raw_seed)
    _check_antes(antes)
    if policy is not None and view != "walk":
        raise SeedError(f"a policy belongs to the walk view only, not to '{view}'")
    try:
        if view == "queue":
            return _engine.queue_view(seed, deck, stake, antes, QUEUE_SHOP_ITEMS)
        if view == "walk":
            return [
                [ante["tags"], ante["shops"], ante["tag_packs"]]
                for ante in walk(seed, deck=deck, stake=stake, antes=antes, policy=policy, raw_seed=True)
            ]
        if view == "deck":
            return _build_deck_view(seed, stake)
        if view == "misc":
            return _engine.misc_view(seed, deck, stake, antes)
    except JimbotError:
        raise
    except ValueError as error:
        raise SeedError(add_suggestion(str(error))) from None
    raise SeedError(f"unknown view '{view}'; expected queue, walk, deck or misc")


def walk(
    seed: str,
    *,
    deck: str = "b_red",
    stake: int = 1,
    antes: int = 8,
    policy: Mapping[str, Any] | None = None,
    raw_seed: bool = False,
) -> list[dict[str, Json]]:
    """Return the walk view with names: ``boss``, ``voucher``, ``tags``, ``shops`` and ``tag_packs`` of each ante."""
    seed = normalize_seed(seed, raw=raw_seed)
    _check_antes(antes)
    chosen = _check_policy(policy or {}, deck)
    skip = chosen.get("skip", [])
    try:
        return _engine.walk_view(
            seed,
            chosen.get("deck", deck),
            stake,
            antes,
            chosen.get("rerolls_per_shop", 0),
            "small" in skip,
            "big" in skip,
            chosen.get("vouchers_redeemed_before_first_shop", []),
            chosen.get("consumables_held_throughout", []),
        )
    except ValueError as error:
        raise SeedError(add_suggestion(str(error))) from None


def _check_antes(antes: int) -> None:
    if not 1 <= antes <= MAX_ANTES:
        raise SeedError(f"antes must be 1 to {MAX_ANTES}, got {antes}")


def _check_policy(policy: Mapping[str, Any], deck: str) -> WalkPolicy:
    unknown = sorted(set(policy) - set(WalkPolicy.__annotations__))
    if unknown:
        allowed = ", ".join(WalkPolicy.__annotations__)
        raise SeedError(f"unknown policy key '{unknown[0]}'; expected {allowed}")
    chosen = cast("WalkPolicy", dict(policy))
    if deck != "b_red" and chosen.get("deck", deck) != deck:
        raise SeedError(f"the policy says deck '{chosen.get('deck')}' but deck is '{deck}'")
    wrong = [blind for blind in chosen.get("skip", []) if blind not in ("small", "big")]
    if wrong:
        raise SeedError(f"cannot skip '{wrong[0]}'; expected small or big")
    if not 0 <= chosen.get("rerolls_per_shop", 0) <= 1000:
        raise SeedError(f"rerolls_per_shop must be 0 to 1000, got {chosen.get('rerolls_per_shop')}")
    return chosen


def _build_deck_view(seed: str, stake: int) -> Json:
    """Return the deck orders of the four decks whose cards differ, in the format of the test vectors."""
    red = _engine.deck_view(seed, "b_red", stake, 8, 8)
    erratic = _engine.deck_view(seed, "b_erratic", stake, 2, 8)
    return {
        "erratic_draws": _engine.erratic_draws(seed),
        "red_full": {"nr1_1": red["nr1_1"], "shuffle": red["shuffle"]},
        "red_hands": red["hands"],
        "erratic_hands": erratic["hands"],
        "abandoned_hand": _engine.deck_view(seed, "b_abandoned", stake, 1, 8)["hands"][0][0],
        "checkered_hand": _engine.deck_view(seed, "b_checkered", stake, 1, 8)["hands"][0][0],
    }
