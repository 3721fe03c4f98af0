"""PPO written a second time, in plain NumPy with loops: what the compiled code is compared with."""

from __future__ import annotations

from typing import Any

import numpy as np

FLOAT = np.float64


def gae(rollout: Any, gamma: float, gae_lambda: float) -> tuple[np.ndarray, np.ndarray]:
    """Advantages and returns, one environment and one step at a time, by the definition as a sum of errors."""
    steps, num_envs = rollout.actions.shape
    advantages = np.zeros((steps, num_envs), FLOAT)
    for env in range(num_envs):
        for start in range(steps):
            factor, total = 1.0, 0.0
            for time in range(start, steps):
                if rollout.terminated[time, env]:
                    following = 0.0
                elif rollout.truncated[time, env]:
                    following = float(rollout.final_values[time, env])
                elif time + 1 < steps:
                    following = float(rollout.values[time + 1, env])
                else:
                    following = float(rollout.last_values[env])
                error = (
                    float(rollout.rewards[time, env]) + gamma * following - float(rollout.values[time, env])
                )
                total += factor * error
                factor *= gamma * gae_lambda
                if rollout.terminated[time, env] or rollout.truncated[time, env]:
                    break
            advantages[start, env] = total
    return advantages, advantages + np.asarray(rollout.values, FLOAT)


def linear_policy(params: dict[str, np.ndarray], observations: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Logits and values of a network with one layer each."""
    return observations @ params["policy"], observations @ params["value"]


def log_softmax(logits: np.ndarray, mask: np.ndarray | None) -> np.ndarray:
    if mask is not None:
        logits = np.where(mask, logits, -np.inf)
    shifted = logits - logits.max(1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(1, keepdims=True))


def losses(params: Any, batch: dict[str, Any], config: Any) -> dict[str, float]:
    """The losses of one minibatch of a linear policy."""
    logits, values = linear_policy(params, batch["observations"])
    log_probs = log_softmax(logits, batch.get("mask"))
    count = len(batch["actions"])
    chosen = log_probs[np.arange(count), batch["actions"]]
    advantages = batch["advantages"]
    if config.normalize_advantages and count > 1:
        advantages = (advantages - advantages.mean()) / (advantages.std(ddof=1) + 1e-8)
    ratio = np.exp(chosen - batch["log_probs"])
    epsilon = config.clip_epsilon
    policy_loss = -np.minimum(
        ratio * advantages, np.clip(ratio, 1 - epsilon, 1 + epsilon) * advantages
    ).mean()
    if config.value_clip is not None:
        moves = np.clip(values - batch["values"], -config.value_clip, config.value_clip)
        values = batch["values"] + moves
    value_loss = config.value_loss_scale * np.square(values - batch["returns"]).mean()
    probabilities = np.exp(log_probs)
    entropy = (
        -np.where(probabilities > 0, probabilities * np.where(probabilities > 0, log_probs, 0), 0)
        .sum(1)
        .mean()
    )
    return {
        "loss": policy_loss + config.value_coef * value_loss - config.entropy_coef * entropy,
        "policy_loss": policy_loss,
        "value_loss": value_loss,
        "entropy": entropy,
        "approx_kl": (ratio - 1 - np.log(ratio)).mean(),
        "clip_fraction": (np.abs(ratio - 1) > epsilon).mean(),
    }


def gradient(params: Any, batch: dict[str, Any], config: Any, width: float = 1e-6) -> dict[str, np.ndarray]:
    """Gradient of the loss by central differences."""
    found = {}
    for name, array in params.items():
        gradient = np.zeros_like(array)
        for place in np.ndindex(array.shape):
            changed = []
            for sign in (1, -1):
                moved = {key: value.copy() for key, value in params.items()}
                moved[name][place] += sign * width
                changed.append(losses(moved, batch, config)["loss"])
            gradient[place] = (changed[0] - changed[1]) / (2 * width)
        found[name] = gradient
    return found


class Adam:
    """Adam with bias correction."""

    def __init__(self, params: dict[str, np.ndarray], epsilon: float) -> None:
        self.first = {name: np.zeros_like(array) for name, array in params.items()}
        self.second = {name: np.zeros_like(array) for name, array in params.items()}
        self.count, self.epsilon = 0, epsilon

    def step(self, params: Any, gradients: Any, rate: float) -> dict[str, np.ndarray]:
        """The parameters after one step."""
        self.count += 1
        moved = {}
        for name, gradient in gradients.items():
            self.first[name] = 0.9 * self.first[name] + 0.1 * gradient
            self.second[name] = 0.999 * self.second[name] + 0.001 * gradient**2
            mean = self.first[name] / (1 - 0.9**self.count)
            spread = np.sqrt(self.second[name] / (1 - 0.999**self.count))
            moved[name] = params[name] - rate * mean / (spread + self.epsilon)
        return moved


def update(
    params: Any, batch: dict[str, Any], orders: np.ndarray, count: int, config: Any
) -> tuple[Any, int]:
    """All gradient steps of an update; the parameters and how many steps were made."""
    params = {name: np.asarray(array, FLOAT) for name, array in params.items()}
    adam = Adam(params, config.adam_epsilon)
    for order in orders:
        for start in range(0, count, config.minibatch_size):
            rows = order[start : min(start + config.minibatch_size, count)]
            minibatch = {name: None if part is None else part[rows] for name, part in batch.items()}
            if config.target_kl is not None:
                divergence = losses(params, minibatch, config)["approx_kl"]
                if divergence > 1.5 * config.target_kl:
                    return params, adam.count
            gradients = gradient(params, minibatch, config)
            norm = np.sqrt(sum(np.square(gradient).sum() for gradient in gradients.values()))
            scale = min(1.0, config.max_grad_norm / (norm + 1e-8))
            params = adam.step(
                params, {name: gradient * scale for name, gradient in gradients.items()}, config.learning_rate
            )
    return params, adam.count
