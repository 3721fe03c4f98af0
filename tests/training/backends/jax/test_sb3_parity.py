"""One update against Stable-Baselines3's own PPO: the same parameters, data, order of minibatches and optimizer.

Both compute in float32 but add in other orders, so that gradients differ in the seventh digit, and clip with 1e-8 and
1e-6 beside the norm. Adam divides a gradient by its own size: a parameter whose gradient is nearly zero keeps the
rounding of that gradient as a part of its step, damped by Adam's epsilon of 1e-5. So parameters are compared by a
thousandth of what one gradient step may move them, after 16 of them. Another order of minibatches or the square halved
moves them by much more, which the last test shows.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

jax = pytest.importorskip("jax")
pytest.importorskip("flax")
pytest.importorskip("stable_baselines3")
import jax.numpy as jnp  # noqa: E402
import stable_baselines3  # noqa: E402
import torch  # noqa: E402
from stable_baselines3.common.callbacks import BaseCallback  # noqa: E402
from stable_baselines3.common.env_util import make_vec_env  # noqa: E402

from jimbot.training.backends.jax import PPOConfig, Rollout  # noqa: E402
from jimbot.training.backends.jax.gae import compute_advantages  # noqa: E402
from jimbot.training.backends.jax.networks import PPONetwork, apply_function  # noqa: E402
from jimbot.training.backends.jax.ppo import PPO  # noqa: E402

STEPS, NUM_ENVS, EPOCHS, MINIBATCH, RATE = 40, 4, 4, 50, 3e-3
GRADIENT_STEPS = EPOCHS * -(-STEPS * NUM_ENVS // MINIBATCH)
TOLERANCE = RATE / 1000


class Silent(BaseCallback):
    """Watches nothing."""

    def _on_step(self) -> bool:
        return True


class Run:
    """A rollout collected by Stable-Baselines3, the update it made of it, and the same data for the JAX side."""

    def __init__(self, value_clip: float | None) -> None:
        torch.set_num_threads(1)
        # Episodes are cut after 15 steps, so that the rollout holds truncations beside the falls of random play.
        env = make_vec_env("CartPole-v1", NUM_ENVS, seed=0, env_kwargs={"max_episode_steps": 15})
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore", UserWarning
            )  # about the last minibatch, which is smaller on purpose
            model = stable_baselines3.PPO(
                "MlpPolicy",
                env,
                learning_rate=RATE,
                n_steps=STEPS,
                batch_size=MINIBATCH,
                n_epochs=EPOCHS,
                ent_coef=0.01,
                clip_range_vf=value_clip,
                seed=0,
                device="cpu",
            )
        _, callback = model._setup_learn(10**6, Silent())
        model.collect_rollouts(env, callback, model.rollout_buffer, STEPS)
        self.before = flax_params(model)
        self.rollout, self.advantages = rollout_of(model)
        self.orders = recorded_training(model)
        self.after = flax_params(model)
        self.metrics = model.logger.name_to_value


def flax_params(model) -> Any:
    """The parameters of Stable-Baselines3's network as those of ``PPONetwork``."""

    def layer(linear):
        weight, bias = (part.detach().numpy().copy() for part in (linear.weight, linear.bias))
        return {"kernel": jnp.asarray(weight.T), "bias": jnp.asarray(bias)}

    policy = model.policy
    actor, critic = policy.mlp_extractor.policy_net, policy.mlp_extractor.value_net
    return {
        "params": {
            "actor": {
                "hidden_0": layer(actor[0]),
                "hidden_1": layer(actor[2]),
                "logits": layer(policy.action_net),
            },
            "critic": {
                "hidden_0": layer(critic[0]),
                "hidden_1": layer(critic[2]),
                "value": layer(policy.value_net),
            },
        }
    }


def rollout_of(model) -> tuple[Rollout, np.ndarray]:
    """The buffer as a rollout, and its advantages.

    CartPole's reward is 1; where the buffer holds more, the episode was truncated and its final value added.
    """
    buffer = model.rollout_buffer
    ended = np.concatenate([buffer.episode_starts[1:], model._last_episode_starts[None]]).astype(bool)
    truncated = buffer.rewards != 1.0
    assert truncated.any()
    assert (ended & ~truncated).any()
    with torch.no_grad():
        last = model.policy.predict_values(torch.as_tensor(model._last_obs)).numpy().ravel()
    rollout = Rollout(
        buffer.observations.copy(),
        *(
            jnp.asarray(part)
            for part in (
                buffer.actions[..., 0].astype(np.int32),
                np.ones_like(buffer.rewards),
                ended & ~truncated,
                truncated,
                buffer.log_probs.copy(),
                buffer.values.copy(),
                (buffer.rewards - 1.0) / model.gamma,
                last,
            )
        ),
    )
    return rollout, buffer.advantages.copy()


def recorded_training(model) -> np.ndarray:
    """Train, and give the order of each pass, translated from env-first to time-first numbering."""
    drawn = []
    shuffle = np.random.permutation

    def recorded(size):
        drawn.append(shuffle(size))
        return drawn[-1]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(np.random, "permutation", recorded)
        model.train()
    orders = np.stack(drawn)
    assert orders.shape == (EPOCHS, STEPS * NUM_ENVS)
    return (orders % STEPS) * NUM_ENVS + orders // STEPS


@pytest.fixture(scope="module", params=[None, 0.1], ids=["plain", "value_clip"])
def run(request):
    return Run(request.param), request.param


def trained(run: Run, orders=None, **options: Any):
    config = PPOConfig(
        learning_rate=RATE, epochs_per_update=EPOCHS, minibatch_size=MINIBATCH, entropy_coef=0.01, **options
    )
    ppo = PPO(apply_function(PPONetwork(2)), config)
    state = ppo.init(run.before, jax.random.PRNGKey(0), np.zeros(4, np.float32))
    return jax.jit(ppo.learn)(state, run.rollout, jnp.asarray(run.orders if orders is None else orders))


def distance(one, other):
    leaves = zip(jax.tree.leaves(one), jax.tree.leaves(other), strict=True)
    return max(float(np.abs(np.asarray(left) - np.asarray(right)).max()) for left, right in leaves)


def test_update_equals_stable_baselines(run):
    data, value_clip = run
    advantages, _ = compute_advantages(data.rollout, 0.99, 0.95)
    np.testing.assert_allclose(advantages, data.advantages, rtol=1e-4, atol=1e-5)
    state, metrics = trained(data, value_clip=value_clip)
    assert int(metrics["gradient_steps"]) == GRADIENT_STEPS
    assert distance(data.before, data.after) > 5 * RATE
    assert distance(state.params, data.after) < TOLERANCE
    pairs = {
        "policy_loss": "train/policy_gradient_loss",
        "value_loss": "train/value_loss",
        "clip_fraction": "train/clip_fraction",
        "explained_variance": "train/explained_variance",
    }
    for name, theirs in pairs.items():
        assert float(metrics[name]) == pytest.approx(float(data.metrics[theirs]), rel=2e-3, abs=1e-4), name
    assert float(metrics["entropy"]) == pytest.approx(-float(data.metrics["train/entropy_loss"]), rel=1e-4)
    assert float(metrics["clip_fraction"]) > 0


def test_the_comparison_can_fail(run):
    """Another order and a halved square are seen."""
    data, value_clip = run
    if value_clip is not None:
        pytest.skip("once is enough")
    for change in ({"orders": data.orders[:, ::-1]}, {"value_loss_scale": 0.5}):
        state, _ = trained(data, **change)
        assert distance(state.params, data.after) > 1000 * TOLERANCE, change
