"""An env runner of RLlib that plays many environments at once: arrays in, arrays out, no object per step.

RLlib's own runner keeps every step of every environment in Python lists and passes it through connectors. This one
steps the native vector, fills one array per kind, and cuts them into episodes when a fragment is complete.
"""

# The library and torch are partly untyped.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
# pyright: reportUnknownParameterType=false, reportMissingTypeArgument=false

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

import ray
import torch
from ray.exceptions import RayError
from ray.rllib.callbacks.utils import make_callback
from ray.rllib.core.columns import Columns
from ray.rllib.env.single_agent_env_runner import SingleAgentEnvRunner
from ray.rllib.utils.metrics import SAMPLE_TIMER, WEIGHTS_SEQ_NO

from jimbot.networks import MaskedCategorical
from jimbot.networks.torch.batch_policy import torch_policy
from jimbot.training.backends.rllib.fragments import Fragment
from jimbot.training.backends.rllib.statistics import Statistics, StatisticsVector
from jimbot.training.loop.rng_state import rng_state, set_rng_state

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jimbot.training.config.trainer_config import TrainerConfig
    from jimbot.training.envs.creation import Environments
    from jimbot.training.envs.evaluation import EvaluationResult
    from jimbot.training.envs.protocol import Episode

__all__ = ["VectorEnvRunner"]

SEEDS_BETWEEN_RUNNERS = 1_000_003
"""Runners and their restarts start from seeds this far apart."""


class SpacesOnly:
    """What RLlib wants to know of an environment when it builds connectors and modules."""

    def __init__(self, vector: StatisticsVector) -> None:
        self.single_observation_space = self.observation_space = vector.packing.space
        self.single_action_space = self.action_space = vector.action_space
        self.num_envs = vector.num_envs
        self.spec = None
        self.unwrapped = self

    def close(self) -> None:
        """Nothing: the runner closes its vector."""


class VectorEnvRunner(SingleAgentEnvRunner):
    """Plays ``num_envs_per_env_runner`` environments of ``env_config["environments"]``.

    ``env_config`` also holds ``config``, the configuration of the run.
    """

    vector: StatisticsVector

    def make_env(self) -> None:
        """Make the vector; it starts when it is told to, or when it is first played."""
        given = self.config.env_config
        config: TrainerConfig = given["config"]
        environments: Environments = given["environments"]
        torch.set_num_threads(config.threads)
        made = environments.training_vector(
            config, num_envs=self.config.num_envs_per_env_runner, seed=self.first_seed(config.seed)
        )
        self.vector = StatisticsVector(made, config)
        self.env = cast("Any", SpacesOnly(self.vector))
        self.num_envs = self.vector.num_envs
        self.taken = 0
        self.ended: list[Episode] = []
        self.fresh: list[Episode] = []
        self.unfinished: dict[int, Any] = {}

    def first_seed(self, seed: int, restarts: int = 0) -> int:
        """The seed of this runner's environments."""
        index = self.worker_index or 0
        return (seed + SEEDS_BETWEEN_RUNNERS * (index + 1_000 * restarts)) % 2**32

    def assert_healthy(self) -> None:
        """Raise unless environments and module are there."""
        assert self.vector is not None
        assert self.module is not None

    def get_spaces(self) -> dict[str, Any]:
        """Spaces of the packed observations and of the actions."""
        if self.env is None:
            return super().get_spaces()
        own = (self.env.observation_space, self.env.action_space)
        return {"__env__": own, "__env_single__": own, "default_policy": own}

    # --- playing --------------------------------------------------------------------------------------------------

    def sample(self, **_: Any) -> list[Any]:
        """Play one fragment; whole and cut episodes with everything the learner needs."""
        self.pull_weights()
        self.metrics.log_value(WEIGHTS_SEQ_NO, self._weights_seq_no, window=1)
        with self.metrics.log_time(SAMPLE_TIMER):
            chunks = self.collect(int(self.config.get_rollout_fragment_length(self.worker_index)))
            self.tell_callbacks("on_sample_end", samples=chunks)
        self.fresh = []
        steps = sum(map(len, chunks))
        self.num_env_steps_sampled_lifetime += steps
        self._increase_sampled_metrics(steps, sum(each.is_done for each in chunks))
        return chunks

    def collect(self, length: int) -> list[Any]:
        """At least ``length`` steps of every environment, as episodes."""
        chunks: list[Any] = []
        while True:
            whole, unfinished = self.play(length)
            chunks += whole
            if self.config.batch_mode != "complete_episodes":
                return chunks + list(unfinished.values())
            self.unfinished = unfinished
            if sum(map(len, chunks)) >= length * self.num_envs:
                return chunks

    def pull_weights(self) -> None:
        """Take the newest weights from the server that asynchronous algorithms have."""
        server = getattr(self, "_env_runner_state_server", None)
        if server is None:
            return
        try:
            state: Any = ray.get(server.pull_if_newer.remote(self._weights_seq_no))
        except RayError:
            return  # the weights at hand are good enough until the server is back
        if state is not None:
            self.set_state(state)

    def play(self, steps: int) -> tuple[list[Any], dict[int, Any]]:
        """Play so many steps of every environment; episodes that ended, and those that have not, by environment."""
        vector = self.vector
        if vector.observation() is None:
            vector.reset()
        module = cast("Any", self.module)
        fragment = Fragment(vector.packing, self.num_envs, steps)
        runners = max(1, self.config.num_env_runners or 0)
        with torch.no_grad():
            for number in range(steps):
                blocks = fragment.see(number, vector.observation())
                tensors = {name: torch.from_numpy(block) for name, block in blocks.items()}
                outputs = module.forward_exploration(
                    {Columns.OBS: tensors}, t=self.taken + runners * number * self.num_envs
                )
                actions = fragment.choose(number, *chosen(outputs))
                fragment.put(number, vector.step(actions))
        fragment.see(steps, vector.observation())
        self.taken += runners * steps * self.num_envs
        self.note_ended()
        return fragment.cut(self.unfinished)

    def note_ended(self) -> None:
        """Keep what ended for whoever asks, and for RLlib's own metrics."""
        new = self.vector.drain()
        self.ended += new
        self.fresh += new
        for episode in new:
            self._log_episode_metrics(episode.length, episode.reward, 0.0)

    def tell_callbacks(self, which: str, **named: Any) -> None:
        """Call a callback of the configuration."""
        make_callback(
            which,
            callbacks_objects=self._callbacks,
            callbacks_functions=getattr(self.config, f"callbacks_{which}"),
            kwargs={"env_runner": self, "metrics_logger": self.metrics, **named},
        )

    def get_metrics(self) -> Any:
        """RLlib's metrics since the last call."""
        return self.metrics.reduce()

    # --- what the driver asks for ---------------------------------------------------------------------------------

    def report(self) -> dict[str, Any]:
        """Ended episodes and new statistics since the last report."""
        ended, self.ended = self.ended, []
        return {
            "index": self.worker_index or 0,
            "episodes": ended,
            "statistics": self.vector.take_statistics(),
            "seconds": self.vector.take_seconds(),
        }

    def learn_of(self, news: Mapping[str, Any]) -> None:
        """Take over what all runners know together: statistics, steps taken, difficulty."""
        self.vector.set_statistics(news["statistics"])
        self.taken = int(news["taken"])
        for method, value, stage in news["told"]:
            self.vector.tell(method, value, stage)

    def start(self, seed: int, restarts: int = 0) -> None:
        """Start all environments from a seed of this runner."""
        self.vector.reset(self.first_seed(seed, restarts))
        self.unfinished = {}

    def evaluate_share(self, request: Mapping[str, Any]) -> EvaluationResult:
        """This runner's share of the evaluation episodes, with the network it has."""
        environments: Environments = self.config.env_config["environments"]
        normalizer = Statistics(self.vector.observation_space, self.config.env_config["config"])
        normalizer.restore(request["statistics"])
        policy = torch_policy(
            cast("Any", self.module).network,
            normalizer.observations,
            deterministic=request["deterministic"],
        )
        share = (request["order"].index(self.worker_index), len(request["order"]))
        return environments.evaluate(policy, request["episodes"], request["evaluation_set"], share=share)

    def snapshot(self) -> dict[str, Any]:
        """Environments and generators, as plain data. Episodes that wait for their end are left out."""
        return {"vector": self.vector.snapshot(), "rng": rng_state(), "taken": self.taken}

    def resume(self, tree: Mapping[str, Any]) -> None:
        """Restore a snapshot."""
        self.vector.restore(tree["vector"])
        self.taken = int(tree["taken"])
        self.unfinished = {}
        # In the driver the generators are those of the run itself, which restores them last.
        if self.worker_index:
            set_rng_state(tree["rng"])

    def stop(self) -> None:
        """Let the environments go."""
        if hasattr(self, "vector"):
            self.vector.close()


def chosen(outputs: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Actions, and what the learner wants to know about them, from a module's outputs."""
    if Columns.ACTIONS in outputs:
        return outputs[Columns.ACTIONS].numpy(), {}
    logits = outputs[Columns.ACTION_DIST_INPUTS]
    choice = MaskedCategorical(logits)
    actions = choice.sample()
    about = {
        Columns.ACTION_DIST_INPUTS: logits.numpy(),
        Columns.ACTION_LOGP: choice.log_prob(actions).numpy(),
    }
    return actions.numpy(), about
