"""Every item the game has, by kind: what the probe table must cover."""

from jimbot import _engine

_KINDS = {
    "j_": "Jokers",
    "v_": "Vouchers",
    "tag_": "Tags",
    "bl_": "Blinds",
    "p_": "Booster packs",
    "b_": "Decks",
}
_TAROTS = 22
_PLANETS = 12

ENHANCEMENTS = ["m_bonus", "m_mult", "m_wild", "m_glass", "m_steel", "m_stone", "m_gold", "m_lucky"]
EDITIONS = ["e_foil", "e_holo", "e_polychrome", "e_negative"]
SEALS = ["seal_gold", "seal_red", "seal_blue", "seal_purple"]
STICKERS = ["sticker_eternal", "sticker_perishable", "sticker_rental", "sticker_pinned"]
STAKES = [
    f"stake_{color}" for color in ("white", "red", "green", "black", "blue", "purple", "orange", "gold")
]
POKER_HANDS = [
    f"hand:{name}"
    for name in (
        "Flush Five", "Flush House", "Five of a Kind", "Straight Flush", "Four of a Kind", "Full House", "Flush",
        "Straight", "Three of a Kind", "Two Pair", "Pair", "High Card",
    )
]  # fmt: skip
RULES = [
    f"rule:{name}"
    for name in ("endless", "phases", "win", "loss", "prices", "interest", "reroll", "sell", "profile")
]
CHALLENGES = [
    f"c_{name}_1"
    for name in (
        "omelette", "city", "rich", "knife", "xray", "mad_world", "luxury", "non_perishable", "medusa",
        "double_nothing", "typecast", "inflation", "bram_poker", "fragile", "monolith", "blast_off", "five_card",
        "golden_needle", "cruelty", "jokerless",
    )
]  # fmt: skip


def all_items() -> dict[str, list[str]]:
    """Item keys by kind, in the game's order."""
    names = _engine.catalog_names()
    kinds: dict[str, list[str]] = {kind: [] for kind in _KINDS.values()}
    consumables: list[str] = []
    for key in names:
        if key.startswith("c_") and key not in CHALLENGES:
            consumables.append(key)
            continue
        for prefix, kind in _KINDS.items():
            if key.startswith(prefix) and key != "b_challenge":
                kinds[kind].append(key)
                break
    return {
        "Jokers": kinds["Jokers"],
        "Tarots": consumables[:_TAROTS],
        "Planets": consumables[_TAROTS : _TAROTS + _PLANETS],
        "Spectral cards": consumables[_TAROTS + _PLANETS :],
        "Enhancements": ENHANCEMENTS,
        "Editions": EDITIONS,
        "Seals": SEALS,
        "Stickers": STICKERS,
        "Poker hands": POKER_HANDS,
        "Booster packs": kinds["Booster packs"],
        "Vouchers": kinds["Vouchers"],
        "Tags": kinds["Tags"],
        "Blinds": kinds["Blinds"],
        "Decks": kinds["Decks"],
        "Stakes": STAKES,
        "Challenges": CHALLENGES,
        "Rules": RULES,
    }
