"""Places in a configuration for parts that training on RLlib does not have yet: asked for, they are refused in words.

The live game, a language model's advice and the knowledge graph have keys of their own, and keys inside other sections
(``model.custom_model_config.memgraph_embedding_dim``, ``env_config.mcp_server``). None of them is silently accepted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from jimbot.training.config.trainer_config import ConfigError
from jimbot.training.envs.creation import BALATRO, environment_id

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["refuse_unsupported"]

GAME = "a connection to the live game"
ADVICE = "a language model's advice"
GRAPH = "a knowledge graph server"

NAMES: dict[str, str] = {
    **dict.fromkeys(("live", "live_game", "game_connection"), GAME),
    **dict.fromkeys(("graph", "graph_server"), GRAPH),
}
"""What is meant by names at the top of a file that could mean something else further down."""

WORDS: dict[str, str] = {
    "mcp": GAME,
    "balatrobot": GAME,
    "claude": ADVICE,
    "advisor": ADVICE,
    "anthropic": ADVICE,
    "memgraph": GRAPH,
    "knowledge": GRAPH,
}
"""Words that mean an unsupported part wherever they are in a key."""

OFF: tuple[Any, ...] = (None, False, {}, {"enabled": False})
"""Values that ask for nothing; 0 is one of them."""

OWN_SECTIONS = frozenset({"network_sizes"})
"""Sections with such words of ours: a network takes knowledge from an environment that gives it."""
OF_THE_ENVIRONMENT = frozenset({"env_config", "env_kwargs"})


def refuse_unsupported(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values without what is switched off; ``ConfigError`` for an unsupported part that is asked for."""
    skipped = OWN_SECTIONS
    if environment_id(str(values.get("env", BALATRO))) != BALATRO:
        skipped |= OF_THE_ENVIRONMENT  # somebody else's environment may have options of these names
    return {
        name: value if name in skipped else cleaned(value, name)
        for name, value in values.items()
        if is_wanted(name, value, name, NAMES.get(name))
    }


def cleaned(value: Any, path: str) -> Any:
    """A section without what is switched off in it, however deep."""
    if not isinstance(value, dict):
        return value
    return {
        key: cleaned(each, f"{path}.{key}")
        for key, each in cast("dict[Any, Any]", value).items()
        if is_wanted(key, each, f"{path}.{key}")
    }


def is_wanted(name: Any, value: Any, path: str, part: str | None = None) -> bool:
    """Whether to keep a key; False if it names an unsupported part and switches it off."""
    words = str(name).lower().split("_")
    part = part or next((WORDS[word] for word in words if word in WORDS), None)
    if part is None:
        return True
    if value in OFF:
        return False
    raise ConfigError(
        f"{path}: training with {part} is not possible in this version; leave it out, and the built-in engine is "
        "played without it"
    )
