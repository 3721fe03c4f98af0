"""Policy files as therapists, for policies on observations and for policies on impressions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jimbot.networks import FieldSpec, NetworkSpec, check_spaces
from jimbot.networks.errors import PolicyFileError
from jimbot.players.batch_policy import NetworkPolicy
from jimbot.therapy.env.observations import action_space, observation_space
from jimbot.therapy.therapists.impression_therapist import ImpressionTherapist
from jimbot.therapy.therapists.impressions import FEATURES

if TYPE_CHECKING:
    from jimbot.networks import PolicyFile
    from jimbot.therapy.therapists.scripted import Therapist

__all__ = ["IMPRESSION", "create_policy_therapist", "make_impression_spec"]

IMPRESSION = "impression"
"""The one field of a policy on impressions."""


def make_impression_spec(hidden_sizes: tuple[int, ...]) -> NetworkSpec:
    """Describe the network of a policy on impressions: tanh layers to the logits, and a linear value."""
    return NetworkSpec.of(
        kind="flat",
        fields=(FieldSpec(name=IMPRESSION, shape=(FEATURES,), dtype="float32"),),
        dict_observation=False,
        actions=8,
        features_dim=0,
        shared_layers=(),
        policy_net_arch=hidden_sizes,
        value_net_arch=(),
        activation="tanh",
    )


def create_policy_therapist(policy: PolicyFile) -> Therapist:
    """Create a therapist from a policy file; a policy for other observations is refused."""
    names = [field.name for field in policy.spec.fields]
    if names != [IMPRESSION]:
        check_spaces(policy.spec, observation_space(), action_space())
        return NetworkPolicy(policy)
    (field,) = policy.spec.fields
    if field.size != FEATURES or policy.spec.actions != 8:
        raise PolicyFileError(
            f"the policy sees impressions of {field.size} numbers, this version of jimbot computes {FEATURES}; "
            "train it again"
        )
    return ImpressionTherapist(
        NetworkPolicy(policy),
        accuracy=float(policy.metadata.get("accuracy", 0.5)),
        max_sessions=int(policy.metadata.get("max_sessions", 100)),
    )
