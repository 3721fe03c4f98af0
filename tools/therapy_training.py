"""Training a therapist for ``tools.therapy_study``: resumable, and keeps the best policy so far."""

# JAX's own signatures name types that it does not describe.
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

import io
import time
from typing import TYPE_CHECKING, Any

import jax
import jax.numpy as jnp
import numpy as np
from tools.therapy_study import SETTINGS

from jimbot.errors import JimbotError
from jimbot.networks import save_policy
from jimbot.players.therapist import make_impression_spec
from jimbot.storage.atomic import make_directories, write_file_atomically
from jimbot.storage.strict_json import dump_json, parse_json
from jimbot.therapy.env.options import TherapyOptions
from jimbot.therapy.therapists.impressions import FEATURES
from jimbot.training.backends.jax import PPOConfig, from_tree, load_arrays, state_tree
from jimbot.training.backends.jax.state import flat_arrays
from jimbot.training.therapy.learner_jax import TherapistLearner

if TYPE_CHECKING:
    from pathlib import Path

    from jax import Array
    from tools.therapy_study import StudyConfig

    from jimbot.training.backends.jax import PPOState

__all__ = ["TherapyRun", "policy_tensors"]

IMITATION_BATCHES = 1_500
VALIDATION_KEY = 77
"""Random key of the clients on which the best policy is selected."""
FINAL_RATE = 0.1
"""Share of the learning rate that is left at the end."""


class TherapyRun:
    """The training of one setting in a directory.

    Attributes:
        learner: the compiled training.
        state: the state of PPO.
        progress: updates, sessions, seconds and measurements, as JSON values.
    """

    def __init__(self, config: StudyConfig, directory: Path) -> None:
        self.config, self.directory = config, directory
        total = config.updates

        def schedule(updates: Array) -> Array:
            return jnp.maximum(FINAL_RATE, 1 - updates / total)

        self.learner = TherapistLearner(
            TherapyOptions.of(SETTINGS[config.setting]),
            PPOConfig(
                learning_rate=config.learning_rate,
                gamma=1.0,
                gae_lambda=config.gae_lambda,
                entropy_coef=config.entropy,
                epochs_per_update=config.epochs,
                minibatch_size=config.minibatch,
                target_kl=0.02,
                schedule=schedule,
            ),
            hidden_sizes=config.hidden,
            clients=config.batch,
        )
        self.state: PPOState = self.learner.start(config.seed)
        self.progress: dict[str, Any] = {"updates": 0, "sessions": 0, "seconds": 0.0, "measured": []}
        if self.file.exists():
            self.restore()
        else:
            key = jax.random.PRNGKey(config.seed + 2_000_003)
            self.state, _ = self.learner.imitate(self.state, key, IMITATION_BATCHES)
            self.measure(None, None)

    @property
    def file(self) -> Path:
        """The file that holds the run."""
        return self.directory / "run.npz"

    @property
    def best(self) -> dict[str, Any]:
        """The best measurement of a policy trained by PPO, of equals the first; before that, the imitating policy's."""
        measured = self.progress["measured"]
        return max(measured[1:] or measured, key=lambda each: each["success"])

    def advance(self) -> None:
        """Train up to the next measurement, measure, and save."""
        begin = time.perf_counter()
        updates = min(self.config.measure_every, self.config.updates - self.progress["updates"])
        self.state, metrics = self.learner.train(self.state, updates)
        self.progress["updates"] += updates
        self.progress["sessions"] = int(self.state.steps)
        self.measure(float(metrics["success"].mean()), float(metrics["entropy"].mean()))
        self.progress["seconds"] += time.perf_counter() - begin
        self.save()

    def measure(self, exploring: float | None, entropy: float | None) -> None:
        """Measure the policy on the validation clients, and save it if it is the best so far."""
        key = jax.random.PRNGKey(VALIDATION_KEY)
        success, dropouts = self.learner.measure(self.state, key, self.config.measure_clients)
        self.progress["measured"].append(
            {
                "updates": self.progress["updates"],
                "success": float(success),
                "dropouts": float(dropouts),
                "success_while_exploring": exploring,
                "entropy": entropy,
            }
        )
        make_directories(self.directory)
        if self.progress["updates"] == 0:
            self.save_policy("taught")
        if self.best is self.progress["measured"][-1]:
            self.save_policy("policy")

    # --- on disk -------------------------------------------------------------------------------------------------

    def save(self) -> None:
        """Write state and progress to one file, atomically."""
        arrays: dict[str, Any] = dict(flat_arrays(state_tree(self.state)))
        text = dump_json({"config": self.config.hash(), **self.progress})
        arrays["progress"] = np.frombuffer(text.encode(), np.uint8)
        content = io.BytesIO()
        np.savez(content, allow_pickle=False, **arrays)
        write_file_atomically(self.file, content.getvalue())

    def restore(self) -> None:
        """Continue from what ``save`` wrote."""
        arrays = load_arrays(self.file)
        progress = parse_json(arrays.pop("progress").tobytes(), "its progress")
        if progress.pop("config") != self.config.hash():
            raise JimbotError(f"{self.directory} holds another training; choose another --save-dir")
        self.progress = progress
        self.state = from_tree(arrays, self.state)

    def save_policy(self, name: str) -> None:
        """Write the current policy as a policy file of this name, which every therapist command loads."""
        options = self.learner.options
        metadata = {
            "setting": self.config.setting,
            "accuracy": options.baseline_accuracy,
            "max_sessions": options.max_sessions,
            "updates": self.progress["updates"],
            "sessions": self.progress["sessions"],
            "config": self.config.hash(),
        }
        tensors = policy_tensors(self.state.params) | value_tensors(self.learner, self.state)
        save_policy(
            self.directory / name, make_impression_spec(self.config.hidden), tensors, metadata=metadata
        )


def policy_tensors(params: Any) -> dict[str, Any]:
    """The actor's parameters by the names of a policy file."""
    actor = params["params"]["actor"]
    hidden = sorted(name for name in actor if name.startswith("hidden_"))
    names = {f"policy_tower.layers.{number}": name for number, name in enumerate(hidden)}
    found: dict[str, Any] = {}
    for target, source in {**names, "policy_head": "logits"}.items():
        found[f"{target}.weight"] = np.array(actor[source]["kernel"], np.float32).T
        found[f"{target}.bias"] = np.array(actor[source]["bias"], np.float32)
    return found


def value_tensors(learner: TherapistLearner, state: PPOState, clients: int = 512) -> dict[str, Any]:
    """The probability of success as a linear function of the impression, by ridge regression on new therapies.

    The value function of training needs the client's hidden state and is of no use to a therapist.
    """
    key = jax.random.PRNGKey(VALIDATION_KEY + 1)
    client, rollout = learner.play(state, key, clients)
    held = np.asarray(rollout.valid).reshape(-1)
    vectors = np.asarray(rollout.observations["impression"], np.float64).reshape(-1, FEATURES)[held]
    wins = np.asarray(client.success & ~client.dropped_out, np.float64)
    ends = np.broadcast_to(wins, rollout.actions.shape).reshape(-1)[held]
    design = np.concatenate([vectors, np.ones((len(vectors), 1))], axis=1)
    found = np.linalg.solve(design.T @ design + 10 * np.eye(FEATURES + 1), design.T @ ends)
    return {
        "value_head.weight": found[np.newaxis, :-1].astype(np.float32),
        "value_head.bias": found[-1:].astype(np.float32),
    }
