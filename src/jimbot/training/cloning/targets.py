"""What is taught: the network inside a trainer, inside a library's model, or a network by itself."""

# torch is partly untyped.
# pyright: reportUnknownMemberType=false

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeGuard, cast

from jimbot.errors import require
from jimbot.training.cloning.trajectories import CloningError
from jimbot.training.envs.packing import MASK, PackedFields, Packing

if TYPE_CHECKING:
    from collections.abc import Callable

    import gymnasium

    from jimbot.networks import NetworkSpec, ObservationNormalizer
    from jimbot.networks.normalizer import RewardScaler
    from jimbot.networks.torch.native import NativeNet
    from jimbot.training.framework import RLTrainer

__all__ = ["CloningTarget", "target_of"]


@dataclass(frozen=True)
class CloningTarget:
    """A network and what it takes to teach it.

    Attributes:
        network: the torch network that learns.
        spec: its description.
        normalizer: what its observations go through, or None.
        scaler: what training's rewards go through, or None.
        discount: the learner's discount.
        values: whether its value head means the expected return (it does not in DQN).
        compiled: the same network computed by the engine, where that is possible and faster, or None.
        finish: puts what was learned where training goes on from.
    """

    network: Any
    spec: NetworkSpec
    normalizer: ObservationNormalizer | None
    scaler: RewardScaler | None
    discount: float
    values: bool
    compiled: CompiledNetwork | None
    finish: Callable[[], None]


@dataclass(frozen=True)
class CompiledNetwork:
    """A network whose parameters the engine computes with.

    Attributes:
        net: the network.
        packing: how it takes observations.
    """

    net: NativeNet
    packing: Packing

    @classmethod
    def of(cls, network: Any, space: gymnasium.Space[Any], threads: int) -> CompiledNetwork | None:
        """The compiled form of a network that stays on the processor; None if the engine does not compute it."""
        from jimbot.networks.torch.native import NativeNet, can_run_native

        packing = Packing(space)
        if not can_run_native(network.spec, packing.blocks):
            return None
        return cls(NativeNet(network, packing.blocks, threads), packing)

    def outputs(self, observations: Any) -> tuple[Any, Any]:
        """Logits, not masked, float32[batch, actions], and values, float32[batch], of a batch of observations."""
        import torch

        blocks = self.packing.empty(len(observations[MASK]))
        self.packing.pack(observations, blocks)
        tensors = {name: torch.as_tensor(block) for name, block in blocks.items()}
        return self.net(tensors, PackedFields(self.packing, tensors))


def target_of(model: Any) -> CloningTarget:
    """Look at what was given: a trainer, a trainer's model, or a network of ``jimbot.networks``."""
    require("torch", "sb3")
    if is_trainer(model):
        return of_trainer(model)
    policy = getattr(model, "policy", None)
    if policy is not None and hasattr(model, "env"):
        return of_library_model(model, policy)
    if hasattr(model, "policy_logits") and hasattr(model, "spec"):
        return CloningTarget(model, model.spec, None, None, 1.0, True, None, lambda: None)
    raise CloningError(
        f"expected a trainer, its .model or a network of jimbot.networks, got {type(model).__name__}"
    )


def is_trainer(model: Any) -> TypeGuard[RLTrainer]:
    """Whether it is a trainer: it says what its network is, and hands the parameters out and back.

    The class is not imported, because the framework imports this package.
    """
    names = ("network_spec", "policy_tensors", "load_policy_tensors")
    kind = cast("Any", type(model))
    return all(callable(getattr(kind, name, None)) for name in names)


def of_trainer(trainer: RLTrainer) -> CloningTarget:
    """Any trainer whose network is one of ours: it is taught in torch and handed back."""
    from jimbot.networks import PolicyFile

    spec = trainer.network_spec()
    if spec is None:
        raise CloningError(f"{type(trainer).__name__} has no network that can be taught")
    _ = trainer.model
    network = PolicyFile(spec, trainer.policy_tensors()).network()

    def finish() -> None:
        from jimbot.networks import get_tensors

        trainer.load_policy_tensors(get_tensors(network))

    vector = trainer.vector
    discount = trainer.config.hyperparams.gamma
    values = trainer.config.algorithm != "DQN"
    compiled = CompiledNetwork.of(network, vector.observation_space, trainer.config.threads)
    return CloningTarget(network, spec, vector.normalizer, vector.scaler, discount, values, compiled, finish)


def of_library_model(model: Any, policy: Any) -> CloningTarget:
    """The model of a Stable-Baselines3 trainer of ours."""
    source = getattr(model.env, "source", None)
    online = getattr(policy, "q_net", policy)
    network = getattr(online, "network", None)
    if network is None or source is None:
        raise CloningError(
            "the model has a network of its library's own; make it with create_trainer(...).model to clone into it"
        )

    def finish() -> None:
        target = getattr(policy, "q_net_target", None)
        if target is not None:
            target.network.load_state_dict(network.state_dict())

    values = not hasattr(policy, "q_net")
    native = getattr(policy, "native", None)
    compiled = CompiledNetwork(native, policy.packing) if native is not None else None
    return CloningTarget(
        network, network.spec, source.normalizer, source.scaler, float(model.gamma), values, compiled, finish
    )
