"""What a seed contains (``explore``, ``walk``), and the search for seeds (``search``, ``find``)."""

from jimbot.balatro.seeds.contents import (
    MAX_ANTES,
    QUEUE_SHOP_ITEMS,
    SeedError,
    WalkPolicy,
    explore,
    normalize_seed,
    walk,
)

__all__ = ["MAX_ANTES", "QUEUE_SHOP_ITEMS", "SeedError", "WalkPolicy", "explore", "normalize_seed", "walk"]
