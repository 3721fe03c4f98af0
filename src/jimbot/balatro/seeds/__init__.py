"""What a seed holds (``explore``, ``walk``), and which seeds hold what one wants (``search``, ``find``)."""

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
