"""Supervised learning from demonstrations: the class that teaches a network to choose as an expert did."""

# torch is partly untyped.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from jimbot.training.cloning.data import Demonstrations, batch_of_one, split_trajectories
from jimbot.training.cloning.targets import target_of
from jimbot.training.cloning.trajectories import CloningError, Trajectory

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from jimbot.training.cloning.collector import TrajectoryCollector
    from jimbot.training.envs.evaluation import BatchPolicy

__all__ = ["BehavioralCloning"]

CHUNK = 1024
"""Decisions that are measured at once."""
GRADIENT_LENGTH = 1.0
MOST_BALANCE = 10.0
"""A rare kind of decision counts at most this many times a common one."""


class BehavioralCloning:
    """Teaches a network to choose as an expert did.

    The loss is the cross-entropy over legal actions alone. The value head learns the expert's discounted return beside
    it, in the units that training will use, so that reinforcement learning does not start from a blank value.

    Args:
        model: a trainer's ``.model``, a trainer, or a network of ``jimbot.networks``.
        trajectories: demonstrations.
        learning_rate: step size of Adam.
        validation_share: share of the episodes that is held out.
        patience: epochs without a better validation loss after which teaching ends; the best epoch is kept.
        balanced: weigh decisions so that every kind counts alike (up to tenfold).
        value_coefficient: weight of the value's squared error; 0 leaves the value alone.
        seed: decides the split and the order of decisions.
    """

    def __init__(
        self,
        model: Any,
        trajectories: Sequence[Trajectory],
        learning_rate: float = 1e-3,
        *,
        validation_share: float = 0.1,
        patience: int | None = 3,
        balanced: bool = False,
        value_coefficient: float = 0.1,
        seed: int = 0,
    ) -> None:
        if not trajectories:
            raise CloningError("there are no demonstrations; collect some first")
        if learning_rate <= 0 or not 0 <= validation_share < 1:
            raise CloningError(
                "learning_rate must be above 0 and validation_share at least 0 and below 1, got "
                f"{learning_rate} and {validation_share}"
            )
        self.target = target_of(model)
        self.learning_rate, self.patience, self.balanced = learning_rate, patience, balanced
        self.value_coefficient = value_coefficient if self.target.values else 0.0
        self.generator = np.random.default_rng(seed)
        train, held = split_trajectories(trajectories, validation_share, self.generator)
        discount = self.target.discount
        self.trajectories, self.held = train, held
        self.data = Demonstrations.of(train, discount)
        self.check_fit()
        labeled = [each for each in held if (each.labels >= 0).any()]
        self.validation = Demonstrations.of(labeled, discount) if labeled else None
        self.history: dict[str, Any] = {}
        if self.target.normalizer is not None:
            self.data.teach(self.target.normalizer)
        self._learn_scale(train)

    def check_fit(self) -> None:
        """Refuse demonstrations of another action space than the network's."""
        actions = self.target.spec.actions
        highest = int(self.data.labels.max())
        if highest >= actions:
            raise CloningError(
                f"the demonstrations choose action {highest}, the network has {actions}: they are "
                "of another environment"
            )

    def _learn_scale(self, trajectories: Sequence[Trajectory]) -> None:
        """Let the reward scaler see the expert's returns, so that value targets have the units of training."""
        scaler = self.target.scaler
        if scaler is None or scaler.frozen or not self.value_coefficient:
            return
        for trajectory in trajectories:
            running = 0.0
            sums = np.zeros(len(trajectory))
            for step, reward in enumerate(trajectory.rewards):
                running = running * scaler.discount + float(reward)
                sums[step] = running
            scaler.moments.update(sums)

    # --- teaching -------------------------------------------------------------------------------------------------

    def pretrain(
        self,
        n_epochs: int = 10,
        batch_size: int = 64,
        verbose: bool = True,
        *,
        progress: Callable[[int, int, float], None] | None = None,
    ) -> dict[str, Any]:
        """Teach, and tell how it went: losses and accuracies by epoch, accuracy by kind of decision.

        Args:
            n_epochs: passes over the demonstrations, at most.
            batch_size: decisions per step.
            verbose: print a line per epoch.
            progress: called with the epoch, their number, and the accuracy so far.
        """
        if n_epochs < 1 or batch_size < 1:
            raise CloningError(f"n_epochs and batch_size must be at least 1, got {n_epochs} and {batch_size}")
        network = self.target.network
        network.train()
        parameters = list(self._parameters())
        optimizer = self._optimizer(parameters)
        judged = self.validation or self.data
        history: dict[str, list[float]] = {
            name: [] for name in ("train_loss", "train_accuracy", "validation_loss", "validation_accuracy")
        }
        best, best_epoch, kept = float("inf"), 0, None
        for epoch in range(1, n_epochs + 1):
            loss, accuracy = self._epoch(optimizer, parameters, batch_size)
            measured = self.measure(judged)
            for name, value in zip(
                history, (loss, accuracy, measured["loss"], measured["accuracy"]), strict=True
            ):
                history[name].append(float(value))
            if verbose:
                print(
                    f"cloning epoch {epoch}/{n_epochs}: loss {loss:.4f}, accuracy {accuracy:.1%}; "
                    f"held out: loss {measured['loss']:.4f}, accuracy {measured['accuracy']:.1%}",
                    flush=True,
                )
            if progress is not None:
                progress(epoch, n_epochs, float(measured["accuracy"]))
            if measured["loss"] < best:
                best, best_epoch = measured["loss"], epoch
                kept = {name: tensor.detach().clone() for name, tensor in network.state_dict().items()}
            elif self.patience is not None and epoch - best_epoch >= self.patience:
                break
        if kept is not None:
            network.load_state_dict(kept)
        network.eval()
        self.target.finish()
        self.history = self._report(history, best_epoch, n_epochs)
        return self.history

    def _report(self, history: dict[str, list[float]], best_epoch: int, n_epochs: int) -> dict[str, Any]:
        final = self.measure(self.validation or self.data)
        epochs = len(history["train_loss"])
        return {
            **history,
            "loss": final["loss"],
            "accuracy": final["accuracy"],
            "accuracy_by_kind": final["accuracy_by_kind"],
            "decisions_by_kind": final["decisions_by_kind"],
            "epochs": epochs,
            "best_epoch": best_epoch,
            "stopped_early": epochs < n_epochs,
            "train_decisions": len(self.data),
            "validation_decisions": len(self.validation) if self.validation is not None else 0,
        }

    def _parameters(self) -> Iterable[Any]:
        """What is taught: as one block where the engine computes the network."""
        compiled = self.target.compiled
        return self.target.network.parameters() if compiled is None else compiled.net.parameters()

    def _optimizer(self, parameters: list[Any]) -> Any:
        import torch

        from jimbot.networks.torch.native import NativeAdam

        compiled = self.target.compiled
        if compiled is None:
            return torch.optim.Adam(parameters, lr=self.learning_rate)
        return NativeAdam(compiled.net, lr=self.learning_rate)

    def _epoch(self, optimizer: Any, parameters: list[Any], batch_size: int) -> tuple[float, float]:
        import torch

        data = self.data
        weights = self._weights()
        scale = self._return_scale()
        losses, hits = 0.0, 0
        order = self.generator.permutation(len(data))
        for start in range(0, len(order), batch_size):
            rows = np.sort(order[start : start + batch_size])
            distribution, values = self._forward(data, rows)
            labels = torch.as_tensor(data.labels[rows], device=distribution.logits.device)
            share = torch.as_tensor(weights[rows], device=labels.device)
            loss = -(distribution.log_prob(labels) * share).sum() / share.sum()
            losses += float(loss.detach()) * len(rows)
            if self.value_coefficient:
                wanted = torch.as_tensor(data.returns[rows] / scale, device=labels.device)
                loss = loss + self.value_coefficient * torch.nn.functional.mse_loss(values, wanted)
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(parameters, GRADIENT_LENGTH)
            optimizer.step()
            hits += int((distribution.mode == labels).sum())
        return losses / len(order), hits / len(order)

    def _forward(self, data: Demonstrations, rows: NDArray[Any] | slice) -> tuple[Any, Any]:
        """The distribution over legal actions, and the values, of some decisions."""
        import torch

        from jimbot.networks import MaskedCategorical, apply_mask
        from jimbot.networks.torch.batch_policy import tensors_from

        network, compiled = self.target.network, self.target.compiled
        observations = data.observations(rows)
        if self.target.normalizer is not None:
            observations = self.target.normalizer.normalize(observations)
        if compiled is None:
            logits, values = network(tensors_from(observations, next(network.parameters()).device))
            return MaskedCategorical(logits), values
        scores, values = compiled.outputs(observations)
        mask = torch.from_numpy(np.ascontiguousarray(observations["action_mask"]))
        return MaskedCategorical(apply_mask(scores, mask)), values

    def _weights(self) -> NDArray[np.float32]:
        """How much every decision counts, float32[decisions], 1 on average."""
        if not self.balanced:
            return np.ones(len(self.data), np.float32)
        counts = np.bincount(self.data.kinds, minlength=256)
        shares = 1.0 / np.maximum(counts, 1)
        present = shares[counts > 0]
        weights = np.minimum(shares, present.min() * MOST_BALANCE)[self.data.kinds]
        return (weights / weights.mean()).astype(np.float32)

    def _return_scale(self) -> float:
        scaler = self.target.scaler
        return 1.0 if scaler is None else float(np.sqrt(scaler.moments.variance + scaler.epsilon))

    def measure(self, data: Demonstrations) -> dict[str, Any]:
        """Loss and accuracy on decisions, and the accuracy of each kind of decision."""
        import torch

        log_likelihood, hits = np.zeros(len(data)), np.zeros(len(data), np.bool_)
        with torch.no_grad():
            for start in range(0, len(data), CHUNK):
                rows = slice(start, start + CHUNK)
                distribution, _ = self._forward(data, rows)
                labels = torch.as_tensor(data.labels[rows], device=distribution.logits.device)
                log_likelihood[rows] = distribution.log_prob(labels).cpu().numpy()
                hits[rows] = (distribution.mode == labels).cpu().numpy()
        kinds = {data.kind_names[number]: data.kinds == number for number in np.unique(data.kinds).tolist()}
        return {
            "loss": float(-log_likelihood.mean()),
            "accuracy": float(hits.mean()),
            "accuracy_by_kind": {name: float(hits[rows].mean()) for name, rows in kinds.items()},
            "decisions_by_kind": {name: int(rows.sum()) for name, rows in kinds.items()},
        }

    # --- the learner's own states ---------------------------------------------------------------------------------

    def choose(self, observation: Any) -> int:
        """What the network would do with one observation."""
        return int(self.batch_policy()(batch_of_one(observation))[0])

    def batch_policy(self) -> BatchPolicy:
        """The network as it is, for many observations at once."""
        from jimbot.networks.torch.batch_policy import torch_policy

        return torch_policy(self.target.network, self.target.normalizer)

    def dagger(
        self,
        collector: TrajectoryCollector,
        rounds: int = 1,
        n_episodes: int = 20,
        n_epochs: int = 5,
        batch_size: int = 64,
        verbose: bool = True,
        *,
        collected: Callable[[int, int], None] | None = None,
        progress: Callable[[int, int, float], None] | None = None,
    ) -> dict[str, Any]:
        """Teach on states the learner itself comes to (DAgger): it plays, the expert labels, all is learned together.

        Args:
            collector: of the expert.
            rounds: how often; each begins with the learner as it then is.
            n_episodes: the learner plays in each round.
            n_epochs: passes over everything in each round.
            batch_size: decisions per step.
            verbose: print a line per epoch.
            collected: called with the learner's episodes played and asked for, in each round.
            progress: called with the epoch, their number, and the accuracy so far.
        """
        result = self.history
        for _ in range(rounds):
            self.trajectories += collector.relabel(
                self.choose, n_episodes, collected, batch_policy=self.batch_policy()
            )
            self.data = Demonstrations.of(self.trajectories, self.target.discount)
            result = self.pretrain(n_epochs, batch_size, verbose, progress=progress)
        return result

    def save_pretrained(self, path: str | Path) -> Path:
        """Write the network as a policy file, which any trainer can load (``trainer.load(path)``)."""
        from jimbot.networks import get_tensors, save_policy

        metadata = {
            "cloned": True,
            "accuracy": self.history.get("accuracy"),
            "decisions": self.history.get("train_decisions"),
        }
        target = self.target
        return save_policy(path, target.spec, get_tensors(target.network), target.normalizer, metadata)
