"""Names of environments: short ones, and what Gymnasium knows them as."""

from __future__ import annotations

__all__ = ["ALIASES", "BALATRO", "known_id"]

ALIASES = {
    "balatro": "jimbot/Balatro-v0",
    "BalatroEnv": "jimbot/Balatro-v0",
    "therapy": "jimbot/Therapy-v0",
    "cartpole": "CartPole-v1",
}
"""Short names of environments."""

BALATRO = ALIASES["balatro"]


def known_id(name: str) -> str:
    """The id behind a short name; every other name as it is."""
    return ALIASES.get(name, name)
