"""Whether a seed holds a condition, decided from the explorer's full views: slow, and without any short cut."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from jimbot.balatro import seeds
from jimbot.balatro.game import rng
from jimbot.balatro.names import Item, get_catalog_kinds, read_item
from jimbot.balatro.seeds.seed_conditions import Condition

JOKERS = [key for key, kind in get_catalog_kinds().items() if kind == "joker"]
LEGENDARIES = JOKERS[-5:]


@dataclass(frozen=True)
class Ante:
    """What one ante shows: keys, item strings, and packs as (key, cards)."""

    boss: str
    voucher: str
    tags: list[str]
    cards: list[str]
    packs: list[tuple[str, list[str]]]


def antes_of(seed: str, *, view: str, deck: str, stake: int, rerolls: int, antes: int) -> list[Ante]:
    """The first antes of a seed."""
    if view == "queue":
        rows = seeds.explore(seed, "queue", deck=deck, stake=stake, antes=antes)
        return [
            Ante(row[0], row[1], row[2:4], row[4], [(pack[0], pack[1]) for pack in row[5]]) for row in rows
        ]
    result: list[Ante] = []
    policy = {"rerolls_per_shop": rerolls}
    for ante in seeds.walk(seed, deck=deck, stake=stake, antes=antes, policy=policy):
        cards = [card for shop in ante["shops"] for row in shop[1] for card in row]
        packs = [(pack[0], pack[1]) for shop in ante["shops"] for pack in shop[2]]
        result.append(Ante(ante["boss"], ante["voucher"], ante["tags"], cards, packs))
    return result


def holds(condition: Condition, seed: str, antes: list[Ante]) -> bool:
    """Whether one of the condition's antes holds it."""
    numbers = range(condition.min_ante, condition.max_ante + 1)
    return any(holds_in_ante(condition, seed, number, antes[number - 1]) for number in numbers)


def holds_in_ante(condition: Condition, seed: str, number: int, ante: Ante) -> bool:
    single: dict[str, list[str]] = {"boss": [ante.boss], "voucher": [ante.voucher], "tag": ante.tags}
    if condition.wanted in single:
        return condition.key in single[condition.wanted]
    if condition.wanted == "pack":
        return any(key.startswith(condition.key) for key, _ in ante.packs)
    if condition.key in LEGENDARIES:
        soul_seen = any("c_soul" in cards for _, cards in ante.packs)
        return soul_seen and condition.place != "shop" and fits(condition, first_soul(seed, number))
    seen: list[str] = []
    if condition.place != "pack":
        seen += ante.cards[: condition.first] if condition.first else ante.cards
    if condition.place != "shop":
        seen += [card for _, cards in ante.packs for card in cards]
    return any(fits(condition, card) for card in seen)


def fits(condition: Condition, text: str) -> bool:
    """Whether an item string is what the condition wants."""
    item = read_item(text)
    if condition.edition not in ("", item.edition):
        return False
    if condition.wanted == "playing_card":
        return item.key[:2] not in ("j_", "c_") and fits_card(condition, item)
    return item.key == condition.key or (condition.key == "" and item.key.startswith("j_"))


def fits_card(condition: Condition, item: Item) -> bool:
    wanted: list[Any] = [condition.key[0], condition.key[2], condition.enhancement, condition.seal]
    actual = [item.key[0], item.key[2], item.enhancement, item.seal.lower()]
    return all(want in ("", "*", have) for want, have in zip(wanted, actual, strict=True))


def first_soul(seed: str, ante: int) -> str:
    """The joker that the first Soul of a run gives when it is used in this ante."""
    joker = LEGENDARIES[rng.integers(rng.stream(seed, "Joker4")[0].seed, 1, 5)[0] - 1]
    roll = rng.reals(rng.stream(seed, f"edisou{ante}")[0].seed)[0]
    for edition, above in (("negative", 0.997), ("polychrome", 0.994), ("holo", 0.98), ("foil", 0.96)):
        if roll > above:
            return f"{joker};e={edition}"
    return joker
