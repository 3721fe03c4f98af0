"""Advantages, losses and a whole update against plain NumPy, on the same data and in the same order."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

jax = pytest.importorskip("jax")
pytest.importorskip("flax")
optax = pytest.importorskip("optax")
import jax.numpy as jnp  # noqa: E402
from tests.training.backends.jax import oracle  # noqa: E402

from jimbot.training.backends.jax import PPOConfig, Rollout, distributions, losses  # noqa: E402  # noqa: E402
from jimbot.training.backends.jax.gae import compute_advantages, td_errors  # noqa: E402
from jimbot.training.backends.jax.optimizer import LARGE, adam_step, merge_small_arrays  # noqa: E402
from jimbot.training.backends.jax.ppo import PPO, shuffle_steps  # noqa: E402

STEPS, NUM_ENVS, WIDTH, ACTIONS = 7, 3, 5, 4


def make_rollout(seed=0, *, masked=False, valid=None):
    rng = np.random.default_rng(seed)
    shape = (STEPS, NUM_ENVS)
    terminated = rng.random(shape) < 0.2
    truncated = (rng.random(shape) < 0.2) & ~terminated
    actions = rng.integers(ACTIONS, size=shape).astype(np.int32)
    observations = rng.normal(size=(*shape, WIDTH)).astype(np.float32)
    if masked:
        mask = rng.random((*shape, ACTIONS)) < 0.5
        np.put_along_axis(mask, actions[..., None], True, axis=2)
        observations = {"vector": observations, "action_mask": mask.astype(np.int8)}
    floats = rng.normal(size=(4, *shape)).astype(np.float32)
    return Rollout(
        observations,
        jnp.asarray(actions),
        jnp.asarray(floats[0]),
        jnp.asarray(terminated),
        jnp.asarray(truncated),
        jnp.asarray(np.log(rng.uniform(0.1, 0.9, shape)), jnp.float32),
        jnp.asarray(floats[1]),
        jnp.asarray(floats[2]),
        jnp.asarray(rng.normal(size=NUM_ENVS), jnp.float32),
        valid,
    )


def apply(params, observations):
    vector = observations["vector"] if isinstance(observations, dict) else observations
    return vector @ params["policy"], vector @ params["value"]


def params_of(seed=1):
    rng = np.random.default_rng(seed)
    return {
        "policy": jnp.asarray(0.5 * rng.normal(size=(WIDTH, ACTIONS)), jnp.float32),
        "value": jnp.asarray(rng.normal(size=WIDTH), jnp.float32),
    }


def on_policy(rollout, params):
    """The rollout with the probabilities that the parameters give to its actions."""
    log_probs = jax.nn.log_softmax(apply(params, rollout.observations)[0])
    return rollout._replace(
        log_probs=jnp.take_along_axis(log_probs, rollout.actions[..., None], axis=2)[..., 0]
    )


def flat(array):
    array = np.asarray(array)
    return array.reshape(-1, *array.shape[2:])


def oracle_batch(rollout, config):
    advantages, returns = oracle.gae(rollout, config.gamma, config.gae_lambda)
    masked = isinstance(rollout.observations, dict)
    vector = rollout.observations["vector"] if masked else rollout.observations
    return {
        "observations": flat(vector).astype(np.float64),
        "mask": flat(rollout.observations["action_mask"]).astype(bool) if masked else None,
        "actions": flat(rollout.actions),
        "log_probs": flat(rollout.log_probs).astype(np.float64),
        "values": flat(rollout.values).astype(np.float64),
        "advantages": flat(advantages),
        "returns": flat(returns),
    }


# --- advantages -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(5))
def test_advantages_equal_the_sum_of_errors(seed):
    rollout = make_rollout(seed)
    assert rollout.terminated.any()
    assert rollout.truncated.any()
    advantages, returns = jax.jit(compute_advantages, static_argnums=(1, 2))(rollout, 0.97, 0.9)
    expected, expected_returns = oracle.gae(rollout, 0.97, 0.9)
    np.testing.assert_allclose(advantages, expected, rtol=1e-5, atol=1e-5)
    np.testing.assert_allclose(returns, expected_returns, rtol=1e-5, atol=1e-5)


def test_ends_of_both_kinds_by_hand():
    """Three environments, one step each: terminated, truncated, going on."""
    one = jnp.ones((1, 3))
    ends = jnp.asarray([[True, False, False]])
    cuts = jnp.asarray([[False, True, False]])
    rollout = Rollout(
        one, one.astype(jnp.int32), one, ends, cuts, one, 2 * one, 10 * one, jnp.asarray([100.0] * 3)
    )
    errors = td_errors(rollout, 0.5)
    np.testing.assert_allclose(errors, [[1 - 2, 1 + 0.5 * 10 - 2, 1 + 0.5 * 100 - 2]])


# --- losses -----------------------------------------------------------------------------------------------------------

CONFIGS = {
    "plain": {},
    "value_clip": {"value_clip": 0.3},
    "half_square": {"value_loss_scale": 0.5},
    "advantages_as_they_are": {"normalize_advantages": False},
    "uneven": {"minibatch_size": 8, "value_clip": 0.3},
    "uneven_by_one": {"minibatch_size": 20},
    "one_by_one": {"minibatch_size": 1, "epochs_per_update": 1},
    "larger_than_the_rollout": {"minibatch_size": 1000},
    "early_stop": {"target_kl": 0.02, "learning_rate": 0.05},
}


@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("options", list(CONFIGS.values())[:4], ids=list(CONFIGS)[:4])
def test_losses_equal(options, masked):
    config = PPOConfig(**options)
    rollout = make_rollout(masked=masked)
    expected = oracle_batch(rollout, config)
    count = STEPS * NUM_ENVS
    batch = losses.Batch(
        jax.tree.map(flat, rollout.observations),
        *(
            jnp.asarray(expected[name], jnp.float32 if name != "actions" else jnp.int32)
            for name in ("actions", "log_probs", "values", "advantages", "returns")
        ),
    )
    logits, values = apply(params_of(), batch.observations)
    weights = jnp.ones(count)
    found, gradients = losses.ppo_loss(logits, values, batch, weights, config)
    wanted = oracle.losses(
        {name: np.asarray(array, np.float64) for name, array in params_of().items()}, expected, config
    )
    for name, value in wanted.items():
        np.testing.assert_allclose(getattr(found, name), value, rtol=2e-5, atol=1e-6, err_msg=name)
    assert wanted["clip_fraction"] > 0

    def loss(logits, values):
        return losses.ppo_loss(logits, values, batch, weights, config)[0].loss

    for one, derived in zip(gradients, jax.grad(loss, (0, 1))(logits, values), strict=True):
        np.testing.assert_allclose(one, derived, atol=1e-6)
        assert np.abs(one).max() > 1e-3


# --- updates ----------------------------------------------------------------------------------------------------------


# Each compiles an update of its own, so only the ones that differ most are in the fast suite.
FAST = [("plain", True), ("uneven", False), ("early_stop", False)]
CASES = FAST + [
    pytest.param(name, False, marks=pytest.mark.slow) for name in CONFIGS if (name, False) not in FAST
]


@pytest.mark.parametrize(("name", "masked"), CASES)
def test_update_equals(name, masked):
    options = CONFIGS[name]
    config = PPOConfig(**({"epochs_per_update": 3, "minibatch_size": 7, "learning_rate": 0.01} | options))
    ppo = PPO(apply, config)
    rollout = make_rollout(masked=masked)
    params = params_of()
    if "target_kl" in options:  # start on the policy, so that it takes some steps to leave it
        rollout = on_policy(rollout, params)
    state = ppo.init(params, jax.random.PRNGKey(0), np.zeros(WIDTH, np.float32))
    orders = shuffle_steps(jax.random.PRNGKey(1), config.epochs_per_update, STEPS * NUM_ENVS)
    state, metrics = jax.jit(ppo.learn)(state, rollout, orders)
    expected, steps = oracle.update(
        params, oracle_batch(rollout, config), np.asarray(orders), STEPS * NUM_ENVS, config
    )
    assert int(metrics["gradient_steps"]) == steps
    for name, array in expected.items():
        # Differences of float32 in the gradient, divided by Adam's root, move parameters by up to about 1e-3 of a step.
        np.testing.assert_allclose(
            state.params[name], array, rtol=0, atol=2e-3 * config.learning_rate * steps
        )
        assert np.abs(array - np.asarray(params[name])).max() > config.learning_rate / 2
    if "target_kl" in options:
        assert 0 < steps < 9


def test_padded_steps_change_nothing():
    """A rollout with steps marked as not valid, holding wild numbers, against the valid steps alone."""
    config = PPOConfig(minibatch_size=4, epochs_per_update=2, normalize_observations=True)
    ppo = PPO(apply, config)
    valid = np.ones((STEPS, NUM_ENVS), bool)
    valid[4:, 1] = False
    rollout = make_rollout()
    ended = np.asarray(rollout.terminated).copy()
    ended[3, 1] = True  # what comes before padding has ended
    rollout = rollout._replace(terminated=jnp.asarray(ended), valid=jnp.asarray(valid))
    wild = rollout._replace(
        observations=np.where(valid[..., None], rollout.observations, 1e6).astype(np.float32),
        rewards=jnp.where(valid, rollout.rewards, 1e9),
        log_probs=jnp.where(valid, rollout.log_probs, -1e4),
    )
    state = ppo.init(params_of(), jax.random.PRNGKey(0), np.zeros(WIDTH, np.float32))
    calm, calm_metrics = ppo.update(state, rollout)
    other, metrics = ppo.update(state, wild)
    for one, two in zip(jax.tree.leaves(calm), jax.tree.leaves(other), strict=True):
        np.testing.assert_array_equal(one, two)
    assert all(np.array_equal(metrics[name], calm_metrics[name]) for name in metrics)
    assert int(other.steps) == valid.sum()
    assert int(metrics["gradient_steps"]) == 2 * -(-valid.sum() // 4)
    expected, _ = oracle.update(
        params_of(),
        oracle_batch(rollout, config),
        np.asarray(ppo.shuffle(jax.random.split(state.key)[1], rollout)),
        int(valid.sum()),
        dataclasses.replace(config),
    )
    np.testing.assert_allclose(other.params["policy"], expected["policy"], atol=1e-5)


def test_metrics_say_what_happened_and_the_learning_rate_is_no_constant_of_the_code():
    config = PPOConfig(schedule=lambda updates: 1.0 / (1.0 + updates))
    ppo = PPO(apply, config)
    state = ppo.init(params_of(), jax.random.PRNGKey(0), np.zeros(WIDTH, np.float32))
    rollout = make_rollout()
    state, first = ppo.update(state, rollout)
    state, second = ppo.update(state, rollout)
    assert float(first["learning_rate"]) == pytest.approx(3e-4)
    assert float(second["learning_rate"]) == pytest.approx(1.5e-4)
    assert (int(state.updates), int(state.steps)) == (2, 2 * STEPS * NUM_ENVS)
    names = {"policy_loss", "value_loss", "entropy", "approx_kl", "clip_fraction", "explained_variance"}
    assert names | {"gradient_norm", "gradient_norm/policy", "gradient_norm/value"} <= first.keys()
    # The norms are averages over ten minibatches of nearly equal gradients, so Pythagoras holds nearly.
    parts = np.hypot(first["gradient_norm/policy"], first["gradient_norm/value"])
    assert float(first["gradient_norm"]) == pytest.approx(float(parts), rel=1e-2)
    _, returns = oracle.gae(rollout, config.gamma, config.gae_lambda)
    explained = 1 - np.var(returns - np.asarray(rollout.values)) / np.var(returns)
    assert float(first["explained_variance"]) == pytest.approx(explained, rel=1e-4)
    compilations = ppo.update._cache_size()  # pyright: ignore[reportFunctionMemberAccess]
    frozen = state._replace(learning_rate=jnp.zeros((), jnp.float32))
    after, _ = ppo.update(frozen, rollout)
    np.testing.assert_array_equal(after.params["policy"], state.params["policy"])
    assert ppo.update._cache_size() == compilations  # pyright: ignore[reportFunctionMemberAccess]


# --- the distribution and the order -----------------------------------------------------------------------------------


def test_illegal_actions_have_no_probability_no_entropy_and_no_gradient():
    logits = jnp.asarray([[1.0, 2.0, 3.0, 4.0], [0.0, 0.0, 0.0, 0.0]])
    mask = jnp.asarray([[True, False, True, False], [False, False, False, True]])

    def entropy(logits):
        return distributions.categorical(logits, mask).entropy.sum()

    log_probs = distributions.masked_log_softmax(logits, mask)
    probabilities = np.exp(log_probs)
    assert (probabilities[~np.asarray(mask)] == 0).all()
    two = np.exp([1.0, 3.0]) / np.exp([1.0, 3.0]).sum()
    entropies = distributions.categorical(logits, mask).entropy
    np.testing.assert_allclose(entropies, [-(two * np.log(two)).sum(), 0.0], atol=1e-6)
    gradient = np.asarray(jax.grad(entropy)(logits))
    assert (gradient[~np.asarray(mask)] == 0).all()
    assert np.abs(gradient[0, 0]) > 0.1
    drawn = np.asarray(distributions.sample(jax.random.PRNGKey(0), jnp.repeat(log_probs, 4000, axis=0)))
    assert set(drawn[:4000]) == {0, 2}
    assert (drawn[:4000] == 2).mean() == pytest.approx(two[1], abs=0.02)
    assert set(drawn[4000:]) == {3}


def test_masks_without_a_legal_action_stay_finite():
    log_probs = distributions.masked_log_softmax(jnp.asarray([[5.0, 1.0]]), jnp.zeros((1, 2), bool))
    np.testing.assert_allclose(np.exp(log_probs), [[0.5, 0.5]])


@pytest.mark.parametrize("masked", [True, False])
def test_gradients_of_log_probabilities_and_entropies_are_those_that_jax_derives(masked):
    luck = np.random.default_rng(3)
    logits = jnp.asarray(luck.normal(size=(32, 40)) * 5, jnp.float32)
    legal = luck.random((32, 40)) < 0.4
    legal[:, 7] = True
    mask = jnp.asarray(legal) if masked else None
    actions, of_log_prob, of_entropy = jnp.full(32, 7), jnp.arange(32.0), jnp.full(32, -3.0)

    def total(logits):
        log_probs = distributions.masked_log_softmax(logits, mask)
        entropy = -jnp.sum(jnp.exp(log_probs) * log_probs, axis=1)
        return (distributions.log_prob(log_probs, actions) * of_log_prob + entropy * of_entropy).sum()

    policy = distributions.categorical(logits, mask)
    np.testing.assert_allclose(
        policy.log_probs, distributions.masked_log_softmax(logits, mask), rtol=1e-5, atol=1e-5
    )
    np.testing.assert_allclose(policy.probs.sum(1), 1.0, rtol=1e-5)
    found = distributions.logits_gradient(policy, actions, of_log_prob, of_entropy)
    np.testing.assert_allclose(found, jax.grad(total)(logits), atol=2e-4)
    assert not masked or (np.asarray(found)[~legal] == 0).all()


@pytest.mark.parametrize("size", [1, 7, 2048, 70_000])
def test_orders_are_permutations_with_valid_steps_first(size):
    valid = jnp.asarray(np.random.default_rng(0).random(size) < 0.7)
    orders = np.asarray(shuffle_steps(jax.random.PRNGKey(0), 3, size, valid))
    assert orders.dtype == np.int32
    for order in orders:
        np.testing.assert_array_equal(np.sort(order), np.arange(size))
        assert np.asarray(valid)[order][: int(valid.sum())].all()
    if size > 1000:
        assert len({tuple(order[:20]) for order in orders}) == 3
        first = np.asarray(shuffle_steps(jax.random.PRNGKey(1), 400, 16))[:, 0]
        assert np.bincount(first, minlength=16).min() > 8  # each of 16 comes first about 25 times


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"minibatch_size": 0}, "minibatch_size must be at least 1"),
        ({"gamma": 1.5}, "gamma must be between 0 and 1"),
        ({"learning_rate": 0.0}, "learning_rate must be positive"),
        ({"value_clip": -1.0}, "value_clip must be positive"),
    ],
)
def test_wrong_hyperparameters_are_refused(options, message):
    from jimbot.errors import JimbotError

    with pytest.raises(JimbotError, match=message):
        PPOConfig(**options)


def test_adam_moves_as_optax_does():
    rng = np.random.default_rng(3)
    reference = optax.scale_by_adam(eps=1e-5)
    state = expected_state = reference.init(jnp.zeros(200))
    for scale in (1e-6, 1.0, 1e3, 0.0, 1e-2):
        gradient = jnp.asarray(rng.normal(size=200) * scale, jnp.float32)
        params, state = adam_step(jnp.zeros(200), gradient, state, 1.0, 1e-5)
        expected, expected_state = reference.update(gradient, expected_state)
        np.testing.assert_allclose(-params, expected, rtol=2e-5, atol=1e-9)
        jax.tree.map(
            lambda own, other: np.testing.assert_allclose(own, other, rtol=1e-6), state, expected_state
        )


def test_blocks_keep_large_arrays_and_come_back_as_they_were():
    tree = {"b": jnp.arange(5.0), "a": {"large": jnp.ones((LARGE // 4, 4)), "small": jnp.zeros((2, 3))}}
    blocks, as_tree = merge_small_arrays(tree)
    assert [block.shape for block in blocks] == [(LARGE // 4, 4), (11,)]
    back = as_tree(tuple(2.0 * block for block in blocks))
    assert jax.tree.structure(back) == jax.tree.structure(tree)
    jax.tree.map(lambda doubled, leaf: np.testing.assert_array_equal(doubled, 2.0 * leaf), back, tree)
    only_small, as_tree = merge_small_arrays({"w": jnp.ones(3)})
    assert [block.shape for block in only_small] == [(3,)]
    np.testing.assert_array_equal(as_tree(only_small)["w"], np.ones(3))
