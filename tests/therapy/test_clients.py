"""Batches of clients against the reference and against each other."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from jimbot.therapy import PATTERNS, ClientBatch, EpisodeSource, TherapyError, TherapyOptions

from .reference import ReferenceClient

VARIANTS: list[dict[str, Any]] = [
    {"mechanism": 0, "patterns": "cold_stuck", "entropy": 0.1},
    {"mechanism": 1, "patterns": "dominant_stuck", "generator": "v2", "entropy": 3.0},
    {"mechanism": 2, "patterns": "mixed_random", "smoothing_alpha": 0.01, "history_weight": 3.0},
    {"mechanism": 3, "patterns": "conflictual", "bond_power": 2.0, "bond_alpha": 9.0, "bond_offset": 0.4},
    {"mechanism": 4, "patterns": "submissive_stuck", "recency_factor": 6.0, "baseline_accuracy": 0.2},
    {"mechanism": 1, "patterns": "complementary_perfect", "enable_parataxic": False, "threshold": 1.0},
]


def started(options: dict[str, Any], seeds: list[int]) -> ClientBatch:
    checked = TherapyOptions.of(options)
    batch, source = ClientBatch(checked, len(seeds)), EpisodeSource(checked)
    batch.begin(np.arange(len(seeds)), source.make([checked.pattern_names[0]] * len(seeds), seeds))
    return batch


@pytest.mark.parametrize("options", VARIANTS, ids=lambda options: f"mechanism{options['mechanism']}")
def test_batch_is_the_reference_client_by_client(options):
    seeds = [3, 14, 2**31 - 1]
    options = options | {"max_sessions": 70, "threshold": 1.0}
    batch = started(options, seeds)
    clients = [ReferenceClient(options["patterns"], seed, **options) for seed in seeds]
    rng = np.random.default_rng(0)
    for _ in range(70):
        assert batch.action.tolist() == [client.action for client in clients]
        np.testing.assert_allclose(batch.rs, [client.rs for client in clients], rtol=0, atol=1e-11)
        np.testing.assert_allclose(batch.bond, [client.bond for client in clients], rtol=0, atol=1e-12)
        if batch.ended.any():  # a client left: what happens after that is not defined
            assert batch.dropped_out.any()
            break
        answers = rng.integers(0, 8, len(seeds))
        batch.advance(answers)
        perceived = [client.session(int(a)) for client, a in zip(clients, answers, strict=True)]
        assert batch.last_perceived.tolist() == perceived
        assert batch.misperceived.tolist() == [client.misperceived for client in clients]
        shown = np.where(batch.ended, [client.action for client in clients], batch.action)
        batch.action[:] = shown  # of a client that left the stale action is kept; the reference goes on
        memories = [client.memory for client in clients]
        np.testing.assert_array_equal(batch.memories(), memories)
        if not batch.ended.any():
            expected = np.transpose([client.probabilities() for client in clients])
            np.testing.assert_allclose(batch.probabilities(), expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("mechanism", range(5))
def test_a_client_does_not_depend_on_its_company(mechanism):
    options = {"patterns": "cold_stuck", "mechanism": mechanism, "entropy": 0.5}
    together = started(options, list(range(33)))
    alone = [started(options, [seed]) for seed in range(33)]
    for _ in range(9):
        answers = (4 - together.action) % 8
        together.advance(answers)
        for i, batch in enumerate(alone):
            batch.advance(answers[i : i + 1])
        assert together.action.tolist() == [int(batch.action[0]) for batch in alone]
        # Bit for bit: sums are written so that their rounding does not depend on the batch.
        assert together.rs.tolist() == [float(batch.rs[0]) for batch in alone]
        np.testing.assert_allclose(together.bond, [batch.bond[0] for batch in alone], rtol=1e-14)


def test_a_long_therapy_slides_through_the_memory_buffer():
    options = {"patterns": "cold_warm", "max_sessions": 400, "threshold": 1.0, "enable_parataxic": False}
    batch = started(options, [1])
    pairs: list[list[int]] = []
    for session in range(400):
        pairs.append([int(batch.action[0]), session % 2 * 2])
        batch.advance(np.array([session % 2 * 2]))
        if batch.ended[0]:
            break
    assert batch.memories()[0].tolist() == ([[6, 2]] * 50 + pairs)[-50:]
    assert len(pairs) > 150 or batch.dropped_out[0]


def test_a_client_whose_therapy_is_over_must_be_replaced():
    batch = started({"patterns": "complementary_perfect", "threshold": 0.5}, [0, 1])
    batch.advance(np.array([2, 2]))
    assert batch.success.all()
    with pytest.raises(TherapyError, match="is over; begin a new one"):
        batch.advance(np.array([2, 2]))


def test_replacing_one_client_leaves_the_others():
    options = {"patterns": "cold_stuck"}
    one, other = started(options, [1, 2, 3]), started(options, [1, 2, 3])
    for batch in (one, other):
        batch.advance(np.array([1, 2, 3]))
    source = EpisodeSource(one.options)
    one.begin(np.array([1]), source.make(["cold_warm"], [9]))
    assert one.sessions.tolist() == [1, 0, 1]
    assert one.memories()[1].tolist() == [[6, 2]] * 50
    for batch in (one, other):
        batch.advance(np.array([4, 4, 4]))
    for name in ("rs", "bond", "action", "last_perceived"):
        assert getattr(one, name)[[0, 2]].tolist() == getattr(other, name)[[0, 2]].tolist()


@pytest.mark.parametrize("pattern", PATTERNS)
@pytest.mark.parametrize("generator", ["v1", "v2"])
def test_independent_seeding_has_the_same_distributions(pattern, generator):
    found = {}
    for seeding in ("compatible", "independent"):
        options = TherapyOptions.of({"patterns": pattern, "generator": generator, "seeding": seeding})
        episodes = EpisodeSource(options).make([pattern] * 120, list(range(120)))
        cells = episodes.memories[:, :, 0] * 8 + episodes.memories[:, :, 1]
        found[seeding] = np.bincount(cells.ravel(), minlength=64) / cells.size
    np.testing.assert_allclose(found["compatible"], found["independent"], atol=0.02)


def test_independent_streams_do_not_coincide():
    for seeding, coincide in (("compatible", True), ("independent", False)):
        options = TherapyOptions.of({"patterns": "cold_stuck", "seeding": seeding})
        episodes = EpisodeSource(options).make(["cold_stuck"] * 50, list(range(50)))
        luck = (episodes.utilities[:, 0, 0] + 40) / 20
        assert np.allclose(luck, episodes.uniforms[:, 0]) is coincide
