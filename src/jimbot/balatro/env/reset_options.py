"""The ``options`` of ``reset``: which seeds or evaluation episodes to play, in single and vector environments."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from jimbot import _engine
from jimbot.balatro.env.option_checks import EnvOptionError, check_integer, format_given, to_tuple
from jimbot.balatro.seeds.contents import SeedError, normalize_seed

__all__ = ["parse_reset_seeds"]

RESET_OPTIONS = ("seed", "evaluation")
LAST_EVALUATION = 2**62


def parse_reset_seeds(options: Any, games: int) -> list[int] | None:
    """Return the seed numbers requested by the options of ``reset``, one per game; None if seeds are to be drawn.

    ``{"seed": "7LB2WVPK"}`` is one seed for all games, a list one for each. ``{"evaluation": 3}`` puts the first game
    on member 3 of the evaluation set, the next on member 4, and so on; a list names the members.
    """
    if options is None:
        return None
    if not isinstance(options, Mapping):
        raise EnvOptionError(
            f"reset options must be a dict with seed or evaluation, got {format_given(options)}"
        )
    given = dict(cast("Mapping[Any, Any]", options))
    unknown = sorted(str(name) for name in given if name not in RESET_OPTIONS)
    if unknown:
        raise EnvOptionError(f"unknown reset option '{unknown[0]}'; expected seed or evaluation")
    if len(given) > 1:
        raise EnvOptionError("reset takes seed or evaluation, not both: each says which run to play")
    if "seed" in given:
        seeds = to_tuple("reset option seed", given["seed"], (str,), "a seed such as '7LB2WVPK'")
        return [
            _parse_seed(seed)
            for seed in _check_count("seed", seeds * games if len(seeds) == 1 else seeds, games)
        ]
    if "evaluation" in given:
        value = given["evaluation"]
        if hasattr(value, "__iter__") and not isinstance(value, (str, bytes)):
            members = _check_count("evaluation", tuple(value), games)
        else:
            first = check_integer("reset option evaluation", value, 0, LAST_EVALUATION)
            members = tuple(range(first, first + games))
        return [_parse_evaluation_member(member) for member in members]
    return None


def _check_count(name: str, values: tuple[Any, ...], games: int) -> tuple[Any, ...]:
    if len(values) != games:
        raise EnvOptionError(f"reset option {name} needs one entry per game, {games}; got {len(values)}")
    return values


def _parse_evaluation_member(member: Any) -> int:
    return _engine.evaluation_seed(check_integer("reset option evaluation", member, 0, 2 * LAST_EVALUATION))


def _parse_seed(seed: Any) -> int:
    if not isinstance(seed, str):
        raise EnvOptionError(f"reset option seed must be a text such as '7LB2WVPK', got {format_given(seed)}")
    try:
        return _engine.seed_number(normalize_seed(seed))
    except SeedError as error:
        raise EnvOptionError(f"reset option seed: {error}") from None
    except ValueError as error:
        raise EnvOptionError(str(error)) from None
