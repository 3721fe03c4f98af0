"""What makes each joker act, so that random cases are not mostly empty, and plausible stored values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .data import START_STATE

if TYPE_CHECKING:
    import random

# Ranks (ids) of played cards a joker waits for.
LIKES_RANKS: dict[str, tuple[int, ...]] = {
    "j_8_ball": (8,),
    "j_fibonacci": (14, 2, 3, 5, 8),
    "j_scary_face": (11, 12, 13),
    "j_even_steven": (2, 4, 6, 8, 10),
    "j_odd_todd": (14, 3, 5, 7, 9),
    "j_scholar": (14,),
    "j_business": (11, 12, 13),
    "j_hack": (2, 3, 4, 5),
    "j_ride_the_bus": (2, 3, 7, 9),
    "j_sixth_sense": (6,),
    "j_superposition": (14,),
    "j_photograph": (11, 12, 13),
    "j_walkie_talkie": (10, 4),
    "j_smiley": (11, 12, 13),
    "j_midas_mask": (11, 12, 13),
    "j_sock_and_buskin": (11, 12, 13),
    "j_wee": (2,),
    "j_triboulet": (12, 13),
    "j_caino": (11, 12, 13),
}

# Ranks of held cards a joker waits for.
LIKES_HELD: dict[str, tuple[int, ...]] = {
    "j_baron": (13,),
    "j_shoot_the_moon": (12,),
    "j_reserved_parking": (11, 12, 13),
    "j_mime": (12, 13),
    "j_raised_fist": (2, 3, 10, 11, 14),
}

LIKES_SUIT: dict[str, str] = {
    "j_greedy_joker": "D",
    "j_lusty_joker": "H",
    "j_wrathful_joker": "S",
    "j_gluttenous_joker": "C",
    "j_rough_gem": "D",
    "j_bloodstone": "H",
    "j_arrowhead": "S",
    "j_onyx_agate": "C",
    "j_seeing_double": "C",
}

LIKES_HAND: dict[str, tuple[str, ...]] = {
    "j_jolly": ("Pair",),
    "j_zany": ("Three of a Kind",),
    "j_mad": ("Two Pair",),
    "j_crazy": ("Straight",),
    "j_droll": ("Flush",),
    "j_sly": ("Pair",),
    "j_wily": ("Three of a Kind",),
    "j_clever": ("Two Pair", "Full House"),
    "j_devious": ("Straight",),
    "j_crafty": ("Flush",),
    "j_four_fingers": ("Straight", "Flush", "Straight Flush"),
    "j_shortcut": ("Straight",),
    "j_smeared": ("Flush",),
    "j_runner": ("Straight",),
    "j_dna": ("Single",),
    "j_half": ("Single", "Pair"),
    "j_sixth_sense": ("Single",),
    "j_superposition": ("Straight",),
    "j_seance": ("Straight Flush",),
    "j_square": ("Two Pair", "Four of a Kind"),
    "j_trousers": ("Two Pair", "Full House"),
    "j_flower_pot": ("Straight", "Full House", "Four of a Kind"),
    "j_duo": ("Pair", "Full House"),
    "j_trio": ("Three of a Kind", "Full House"),
    "j_family": ("Four of a Kind", "Five of a Kind"),
    "j_order": ("Straight", "Straight Flush"),
    "j_tribe": ("Flush", "Flush House", "Flush Five"),
}

LIKES_ENHANCEMENT: dict[str, str] = {
    "j_lucky_cat": "m_lucky",
    "j_ticket": "m_gold",
    "j_glass": "m_glass",
    "j_caino": "m_glass",
    "j_vampire": "m_bonus",
    "j_stone": "m_stone",
    "j_steel_joker": "m_steel",
    "j_oops": "m_lucky",
    "j_flower_pot": "m_wild",
    "j_seeing_double": "m_wild",
}

# Parts of the setup that let a joker act; the values to choose from.
LIKES_SETUP: dict[str, dict[str, tuple[Any, ...]]] = {
    "j_dusk": {"hands_left": (1,)},
    "j_acrobat": {"hands_left": (1,)},
    "j_mystic_summit": {"discards_left": (0,)},
    "j_8_ball": {"luck": ("all",), "consumables": ([],)},
    "j_space": {"luck": ("all",)},
    "j_business": {"luck": ("all",)},
    "j_bloodstone": {"luck": ("all",)},
    "j_reserved_parking": {"luck": ("all",)},
    "j_misprint": {"luck": ("all",)},
    "j_lucky_cat": {"luck": ("all",)},
    "j_superposition": {"consumables": ([],)},
    "j_seance": {"consumables": ([],)},
    "j_sixth_sense": {"consumables": ([],)},
    "j_vagabond": {"consumables": ([],), "money": (0, 3, 4)},
    "j_bull": {"money": (1, 17, 60)},
    "j_bootstraps": {"money": (5, 29, 100)},
}

# Stored values: name, start, one step, greatest number of steps.
GROWTH: dict[str, tuple[str, float, float, int]] = {
    "j_ceremonial": ("mult", 0, 2, 30),
    "j_ride_the_bus": ("mult", 0, 1, 15),
    "j_runner": ("chips", 0, 15, 20),
    "j_ice_cream": ("chips", 100, -5, 19),
    "j_constellation": ("x_mult", 1.0, 0.1, 25),
    "j_green_joker": ("mult", 0, 1, 20),
    "j_red_card": ("mult", 0, 3, 12),
    "j_madness": ("x_mult", 1.0, 0.5, 8),
    "j_square": ("chips", 0, 4, 20),
    "j_vampire": ("x_mult", 1.0, 0.1, 25),
    "j_hologram": ("x_mult", 1.0, 0.25, 16),
    "j_obelisk": ("x_mult", 1.0, 0.2, 15),
    "j_lucky_cat": ("x_mult", 1.0, 0.25, 16),
    "j_flash": ("mult", 0, 2, 20),
    "j_popcorn": ("mult", 20, -4, 4),
    "j_trousers": ("mult", 0, 2, 20),
    "j_ramen": ("x_mult", 2.0, -0.01, 95),
    "j_selzer": ("counter", 10, -1, 9),
    "j_castle": ("chips", 0, 3, 40),
    "j_campfire": ("x_mult", 1.0, 0.25, 12),
    "j_glass": ("x_mult", 1.0, 0.75, 6),
    "j_wee": ("chips", 0, 8, 20),
    "j_hit_the_road": ("x_mult", 1.0, 0.5, 6),
    "j_caino": ("x_mult", 1.0, 1.0, 8),
    "j_yorick": ("x_mult", 1.0, 1.0, 6),
}


def random_state(rng: random.Random, key: str, hand: str, hands_played_run: int) -> dict[str, Any]:
    """Stored values a joker could have reached, built step by step like in the game."""
    if key == "j_loyalty_card":
        since = hands_played_run % 6 if rng.random() < 0.3 else rng.randint(0, hands_played_run)
        if rng.random() < 0.5 and hands_played_run >= 5:
            since = hands_played_run - 5 - 6 * rng.randint(0, (hands_played_run - 5) // 6)
        return {"hands_played_at_create": since}
    if key == "j_todo_list":
        visible = ("High Card", "Pair", "Two Pair", "Three of a Kind", "Straight", "Flush", "Full House")
        return {"poker_hand": hand if rng.random() < 0.6 else rng.choice(visible)}
    if key not in GROWTH:
        return {}
    name, value, step, limit = GROWTH[key]
    for _ in range(rng.choice((0, 1, 2, 3, rng.randint(0, limit), rng.randint(0, limit)))):
        value += step
    assert name in START_STATE[key]
    return {name: value}
