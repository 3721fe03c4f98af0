"""Policy files as therapists."""

from __future__ import annotations

import numpy as np
import pytest

from jimbot.networks import PolicyFile, load_policy, make_network_spec, save_policy
from jimbot.networks.errors import NetworkSpecError, PolicyFileError
from jimbot.networks.layout import list_parameter_shapes
from jimbot.players.therapist import create_policy_therapist, make_impression_spec
from jimbot.therapy import BENCHMARK, create_therapist, evaluate
from jimbot.therapy.env.observations import action_space, observation_space

pytest.importorskip("torch")


def complementary_tensors(spec):
    """Weights of a policy on impressions without hidden layers that answers complementarily."""
    tensors = {name: np.zeros(shape, np.float32) for name, shape in list_parameter_shapes(spec).items()}
    for shown in range(8):
        tensors["policy_head.weight"][(4 - shown) % 8, shown] = 1
    return tensors


def test_a_policy_on_impressions_treats_clients(tmp_path):
    spec = make_impression_spec(())
    save_policy(tmp_path / "policy", spec, complementary_tensors(spec), metadata={"max_sessions": 100})
    ours = evaluate(create_policy_therapist(load_policy(tmp_path / "policy")), range(30), **BENCHMARK)
    theirs = evaluate(create_therapist("complementary"), range(30), **BENCHMARK)
    np.testing.assert_array_equal(ours.final_rs, theirs.final_rs)


def test_policies_on_other_numbers_are_refused():
    spec = make_impression_spec(())
    field = spec.fields[0].model_copy(update={"shape": (3,)})
    other = spec.model_copy(update={"fields": (field,)})
    with pytest.raises(PolicyFileError, match="sees impressions of 3 numbers"):
        create_policy_therapist(PolicyFile(other, {}))
    strange = make_network_spec(observation_space(), action_space()).model_copy(update={"actions": 7})
    with pytest.raises(NetworkSpecError, match="7 actions"):
        create_policy_therapist(PolicyFile(strange, {}))
