"""Simulated therapy clients: the model of interpersonal theory, its environments, and therapists to compare with.

Importing this registers ``jimbot/Therapy-v0`` with Gymnasium. The names below are imported when first asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from jimbot.therapy.registration import register_environments

if TYPE_CHECKING:
    from jimbot.therapy.clients import ClientBatch
    from jimbot.therapy.entropy import sample_entropy
    from jimbot.therapy.env import TherapyEnv
    from jimbot.therapy.episodes import Episodes, EpisodeSource
    from jimbot.therapy.evaluation import Evaluation, evaluate, wilson_interval
    from jimbot.therapy.mechanisms import MECHANISMS, action_probabilities, expected_payoffs
    from jimbot.therapy.octants import OCTANTS, anti_complement, complement, octant_distance
    from jimbot.therapy.omniscient import OmniscientWrapper
    from jimbot.therapy.options import BENCHMARK, TherapyOptions
    from jimbot.therapy.patterns import PATTERNS, generate_memory
    from jimbot.therapy.perception import perceive
    from jimbot.therapy.rewards import episode_reward
    from jimbot.therapy.satisfaction import bond, recency_weights, relationship_satisfaction
    from jimbot.therapy.therapists import THERAPISTS, Therapist, create_therapist
    from jimbot.therapy.utilities import TherapyError, named_utilities, sample_utilities, success_threshold
    from jimbot.therapy.vector_env import TherapyVectorEnv

__all__ = [
    "BENCHMARK",
    "MECHANISMS",
    "OCTANTS",
    "PATTERNS",
    "THERAPISTS",
    "ClientBatch",
    "EpisodeSource",
    "Episodes",
    "Evaluation",
    "OmniscientWrapper",
    "Therapist",
    "TherapyEnv",
    "TherapyError",
    "TherapyOptions",
    "TherapyVectorEnv",
    "action_probabilities",
    "anti_complement",
    "bond",
    "complement",
    "create_therapist",
    "episode_reward",
    "evaluate",
    "expected_payoffs",
    "generate_memory",
    "named_utilities",
    "octant_distance",
    "perceive",
    "recency_weights",
    "relationship_satisfaction",
    "sample_entropy",
    "sample_utilities",
    "success_threshold",
    "wilson_interval",
]

_NAMES_BY_MODULE = {
    "clients": ("ClientBatch",),
    "entropy": ("sample_entropy",),
    "env": ("TherapyEnv",),
    "episodes": ("EpisodeSource", "Episodes"),
    "evaluation": ("Evaluation", "evaluate", "wilson_interval"),
    "mechanisms": ("MECHANISMS", "action_probabilities", "expected_payoffs"),
    "octants": ("OCTANTS", "anti_complement", "complement", "octant_distance"),
    "omniscient": ("OmniscientWrapper",),
    "options": ("BENCHMARK", "TherapyOptions"),
    "patterns": ("PATTERNS", "generate_memory"),
    "perception": ("perceive",),
    "rewards": ("episode_reward",),
    "satisfaction": ("bond", "recency_weights", "relationship_satisfaction"),
    "therapists": ("THERAPISTS", "Therapist", "create_therapist"),
    "utilities": ("TherapyError", "named_utilities", "sample_utilities", "success_threshold"),
    "vector_env": ("TherapyVectorEnv",),
}
_MODULES = {name: module for module, names in _NAMES_BY_MODULE.items() for name in names}


def __getattr__(name: str) -> Any:
    """A public name, from the module that defines it."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)


register_environments()
