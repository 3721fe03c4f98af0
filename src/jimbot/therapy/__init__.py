"""Simulated therapy clients: a model from interpersonal theory, its environments, and reference therapists.

Importing this registers ``jimbot/Therapy-v0`` with Gymnasium. The names below are imported on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jimbot.lazy import lazy_attributes
from jimbot.therapy.env.registration import register_environments

if TYPE_CHECKING:
    from jimbot.therapy.env.omniscient import OmniscientWrapper
    from jimbot.therapy.env.options import BENCHMARK, TherapyOptions
    from jimbot.therapy.env.single import TherapyEnv
    from jimbot.therapy.env.vector import TherapyVectorEnv
    from jimbot.therapy.evaluation import Evaluation, evaluate
    from jimbot.therapy.model.clients import ClientBatch
    from jimbot.therapy.model.entropy import sample_entropy
    from jimbot.therapy.model.episodes import Episodes, EpisodeSource
    from jimbot.therapy.model.mechanisms import MECHANISMS, action_probabilities, expected_payoffs
    from jimbot.therapy.model.octants import OCTANTS, anti_complement, complement, octant_distance
    from jimbot.therapy.model.patterns import PATTERNS, generate_memory
    from jimbot.therapy.model.perception import perceive
    from jimbot.therapy.model.rewards import episode_reward
    from jimbot.therapy.model.satisfaction import bond, recency_weights, relationship_satisfaction
    from jimbot.therapy.model.utilities import (
        TherapyError,
        get_utilities,
        sample_utilities,
        success_threshold,
    )
    from jimbot.therapy.therapists.scripted import THERAPISTS, Therapist, create_therapist

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
    "get_utilities",
    "octant_distance",
    "perceive",
    "recency_weights",
    "relationship_satisfaction",
    "sample_entropy",
    "sample_utilities",
    "success_threshold",
]

__getattr__ = lazy_attributes(
    __name__,
    {
        ".env.omniscient": ("OmniscientWrapper",),
        ".env.options": (
            "BENCHMARK",
            "TherapyOptions",
        ),
        ".env.single": ("TherapyEnv",),
        ".env.vector": ("TherapyVectorEnv",),
        ".evaluation": (
            "Evaluation",
            "evaluate",
        ),
        ".model.clients": ("ClientBatch",),
        ".model.entropy": ("sample_entropy",),
        ".model.episodes": (
            "EpisodeSource",
            "Episodes",
        ),
        ".model.mechanisms": (
            "MECHANISMS",
            "action_probabilities",
            "expected_payoffs",
        ),
        ".model.octants": (
            "OCTANTS",
            "anti_complement",
            "complement",
            "octant_distance",
        ),
        ".model.patterns": (
            "PATTERNS",
            "generate_memory",
        ),
        ".model.perception": ("perceive",),
        ".model.rewards": ("episode_reward",),
        ".model.satisfaction": (
            "bond",
            "recency_weights",
            "relationship_satisfaction",
        ),
        ".model.utilities": (
            "TherapyError",
            "get_utilities",
            "sample_utilities",
            "success_threshold",
        ),
        ".therapists.scripted": (
            "THERAPISTS",
            "Therapist",
            "create_therapist",
        ),
    },
)

register_environments()
