"""``jimbot bench train`` with several libraries: one configuration for all, and honest ratios."""

from __future__ import annotations

import math

import pytest

from jimbot.cli.bench import backends_speed as bench_backends
from jimbot.cli.bench.backends_speed import (
    BackendMeasurement,
    compute_ratios,
    make_comparison_config,
    measure_backend,
)
from jimbot.networks import NetworkSpec, list_parameter_shapes
from jimbot.networks.flops import count_multiplications
from jimbot.training.config.network_choice import configured_spec
from jimbot.training.envs.creation import Environments


def spec_of(env: str, **kwargs: str) -> NetworkSpec:
    config = make_comparison_config(env, "sb3", 1, "models").copy_with(env_kwargs=kwargs)
    vector = Environments.of(None, config.copy_with(n_envs=1)).training_vector(config.copy_with(n_envs=1))
    return configured_spec(vector.observation_space, vector.action_space, config)


def test_libraries_differ_in_nothing_but_the_library():
    one, other = (make_comparison_config("balatro", backend, 2, "models") for backend in ("sb3", "jax"))
    assert one.copy_with(backend="jax") == other
    assert one.hyperparams.algorithm_specific["batch_size"] == 64
    assert one.hyperparams.algorithm_specific["n_epochs"] == 10
    assert make_comparison_config("cartpole", "jax", 1, "models").hyperparams.policy_net_arch == [64, 64]
    small = make_comparison_config("balatro-small", "jax", 1, "models")
    assert (small.env, small.hyperparams.features_dim) == ("balatro", 128)


def test_arithmetic_of_a_flat_network_is_its_weights():
    spec = spec_of("cartpole")
    weights = sum(
        math.prod(shape) for name, shape in list_parameter_shapes(spec).items() if name.endswith("weight")
    )
    assert count_multiplications(spec) == weights == 2 * (4 * 64 + 64 * 64) + 64 * 2 + 64


def test_arithmetic_of_balatro_counts_every_row_and_every_candidate():
    slots = spec_of("balatro")
    cards = 16 * (44 * 64 + 64 * 8) + 129 * 64
    jokers = 10 * (32 * 64 + 64 * 4) + 129 * 64
    consumables = 6 * (20 * 32 + 32 * 4) + 65 * 16
    shelves = 14 * (32 * 64 + 64 * 4) + 4 * 129 * 16
    towers = 2 * (512 * 256 + 256 * 256) + 256
    assert count_multiplications(slots) == (
        cards + jokers + consumables + shelves + 742 * 512 + towers + 256 * 645
    )
    candidates = spec_of("balatro", actions="candidates")
    head = 64 * (88 * 64 + 64 * 32 + 32) + 256 * 64
    without = cards + jokers + consumables + shelves - 16 * 64 * 8 - 10 * 64 * 4 - 6 * 32 * 4 - 14 * 64 * 4
    assert count_multiplications(candidates) == without + 494 * 512 + towers + head


def measurement(env: str, backend: str, threads: int, rate: float) -> BackendMeasurement:
    return BackendMeasurement(env, backend, threads, rate, rate, rate, rate, 0.0, 0.1, {"learn": 1.0}, 10)


def test_every_library_is_taken_at_its_best():
    measured = [
        measurement("cartpole", "sb3", 1, 100.0),
        measurement("cartpole", "jax", 1, 900.0),
        measurement("cartpole", "sb3", 2, 80.0),
        measurement("cartpole", "jax", 2, 1000.0),
    ]
    assert compute_ratios(["sb3", "jax"], measured) == {"cartpole": {"sb3": 1.0, "jax": 10.0}}


def test_stable_baselines3_stands_beside_its_trainer(monkeypatch):
    rates = {bench_backends.AS_IT_COMES: 10.0, "sb3": 20.0, "jax": 60.0}
    monkeypatch.setattr(bench_backends, "run_in_process", lambda *_: 1.0)
    monkeypatch.setattr(
        bench_backends,
        "measure_backend",
        lambda env, backend, threads, *_: measurement(env, backend, threads, rates[backend]),
    )
    both = bench_backends.compare_backends(["sb3", "jax"], ["cartpole"])
    assert both["times_the_first"] == {"cartpole": {"sb3": 1.0, "jax": 3.0}}
    assert both["times_as_it_comes"] == {"cartpole": {"sb3 as it comes": 1.0, "sb3": 2.0, "jax": 6.0}}
    assert "cartpole: jax makes 6.0 times the steps of sb3 as it comes" in bench_backends.format_ratios(both)
    assert bench_backends.compare_backends(["jax"], ["cartpole"])["times_as_it_comes"] == {}


@pytest.mark.parametrize("backend", ["sb3", bench_backends.AS_IT_COMES])
def test_an_update_is_measured(capsys, backend):
    found = measure_backend("cartpole", backend, 1, ceiling=1e12, updates=1)
    assert found.slowest == found.steps_per_second == found.fastest > 0
    assert found.steps_per_processor_second > 0
    assert 0 < found.ceiling_share < 1
    assert sum(found.shares.values()) == pytest.approx(1.0)
    bench_backends.show_backends(
        {
            "measured": [vars(found)],
            "times_the_first": {"cartpole": {"sb3": 1.0, "jax": 30.0}},
            "times_as_it_comes": {},
            "ceiling_gflops": {"1": 100.0},
            "load": 0.5,
        }
    )
    assert "cartpole: jax makes 30.0 times the steps of sb3" in capsys.readouterr().out


def test_an_unknown_environment_is_refused(jimbot):
    finished = jimbot("bench", "train", "--backends", "sb3,jax", "--env", "pong")
    message = "jimbot: error: --env must be of cartpole, balatro, balatro-small, got 'pong'\n"
    assert (finished.code, finished.out, finished.err) == (2, "", message)
