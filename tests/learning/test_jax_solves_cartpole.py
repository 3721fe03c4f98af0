"""PPO in JAX solves CartPole with the documented hyperparameters within the documented 1000 episodes."""

from __future__ import annotations

import pytest

pytest.importorskip("jax")
pytest.importorskip("flax")

from tools.jax_solve import solve


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_every_seed_solves_cartpole(seed):
    solution = solve(seed)
    print(solution)
    assert solution["converged"]
    assert solution["episodes"] <= 1000
    assert solution["mean_reward"] >= 475
