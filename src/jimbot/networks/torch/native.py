"""BalatroNet for training on a CPU: forward and backward pass are one compiled call each.

Layer by layer a minibatch is some hundred small operations of torch, and most of the time is the overhead of calling
them. ``NativeNet`` lays the parameters of a network into one array, which the engine computes with and which an
optimizer updates at once; the network itself keeps its parameters, as views of that array.
"""

# Torch is partly untyped.
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false, reportUnknownVariableType=false
from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, cast

import numpy as np
import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

from jimbot import _engine
from jimbot.networks.layout import build_layout, compute_tower_widths, list_parameter_shapes
from jimbot.networks.native_plan import build_network_plan
from jimbot.networks.packed_observations import FLOATS, INTEGERS
from jimbot.networks.spec import MASK_FIELD

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from jimbot.networks.packed_observations import Blocks
    from jimbot.networks.spec import NetworkSpec
    from jimbot.networks.torch.networks import PolicyValueNet

    Moments = dict[str, dict[str, Any]]

__all__ = ["NativeAdam", "NativeNet", "can_run_native", "evaluate_actions"]

PADDING = _engine.parameter_padding
HEAD = "policy_head."


def can_run_native(spec: NetworkSpec, blocks: Blocks | None) -> bool:
    """Return whether the engine supports networks of this description and has fast kernels for this processor."""
    if (
        spec.kind != "balatro"
        or spec.box is not None
        or spec.choices
        or blocks is None
        or not _engine.has_fast_kernels()
    ):
        return False
    layout = build_layout(spec)
    numbers = [name for encoder in layout.encoders for name in encoder.features]
    numbers += [field.name for field in layout.values]
    named = [name for encoder in layout.encoders for name in encoder.identities]
    named += [field.name for field in layout.loose]
    return (
        spec.activation == "relu"
        and spec.shared_trunk
        and bool(spec.policy_net_arch and spec.value_net_arch)
        and not layout.one_hot
        and layout.value_scales is None
        and all(name in blocks.floats for name in numbers)
        and all(name in blocks.integers for name in named)
    )


class NativeNet:
    """A network whose parameters are in one array, ``flat``.

    Args:
        network: its parameters become views of the array; it must stay on the CPU.
        blocks: how its observations are packed.
        threads: that compute; results do not depend on how many.
    """

    def __init__(self, network: PolicyValueNet, blocks: Blocks, threads: int) -> None:
        self.network = network
        spec = network.spec
        candidates = spec.action_mode == "candidates"
        # A head that scores candidates is computed by torch, and so keeps its own parameters.
        shapes = {
            name: shape
            for name, shape in list_parameter_shapes(spec).items()
            if not (candidates and name.startswith(HEAD))
        }
        self.places: dict[str, slice] = {}
        end = 0
        for name, shape in shapes.items():
            self.places[name] = slice(end, end + math.prod(shape))
            end += math.prod(shape)
        flat = torch.zeros(end + PADDING)
        self.others: list[nn.Parameter] = []
        for name, parameter in network.named_parameters():
            place = self.places.get(name)
            if place is None:
                self.others.append(parameter)
            else:
                flat[place] = parameter.detach().reshape(-1)
                parameter.data = flat[place].view(parameter.shape)
        self.flat = nn.Parameter(flat)
        self._parameters = self.flat.detach().numpy()
        self._logits = compute_tower_widths(spec)[1] if candidates else spec.actions
        self._items = self.places["body.item_embedding.weight"] if candidates else None
        self._engine = _engine.Network(build_network_plan(spec, blocks, self.places, end), threads)

    def parameters(self) -> Iterator[nn.Parameter]:
        """Yield the flat array and the parameters outside of it, for an optimizer."""
        yield self.flat
        yield from self.others

    def __call__(
        self, blocks: Mapping[str, Tensor], observation: Mapping[str, Tensor]
    ) -> tuple[Tensor, Tensor]:
        """Logits float32[batch, actions], not masked, and values float32[batch], as the network itself gives them.

        Args:
            blocks: ``floats`` and ``integers`` of packed observations, contiguous.
            observation: the same observations by field.
        """
        floats, identities = blocks[FLOATS], blocks[INTEGERS]
        if torch.is_grad_enabled():
            function = cast("Any", NetworkFunction)
            logits, values, items = function.apply(self.flat, self, floats, identities)
        else:
            logits, values, _ = self.forward(floats, identities)
            items = self.items(self.flat.detach())
        if items is not None:
            logits = self.network.policy_head(logits, observation, items, observation[MASK_FIELD])
        return logits, values

    def items(self, flat: Tensor) -> Tensor | None:
        """Return the item embedding table, float32[rows, width], if candidates use it; otherwise None."""
        if self._items is None:
            return None
        return flat[self._items].view(-1, self.network.spec.item_embedding)

    def forward(self, floats: Tensor, identities: Tensor) -> tuple[Tensor, Tensor, Any]:
        """Return unmasked logits (or the context of the candidate head), values, and the cache for ``backward``."""
        batch = len(floats)
        logits, values = torch.empty(batch, self._logits), torch.empty(batch)
        cache = self._engine.forward(
            self._parameters, floats.numpy(), identities.numpy(), logits.numpy(), values.numpy()
        )
        return logits, values, cache

    def backward(
        self, cache: Any, logit_gradients: Tensor, value_gradients: Tensor, item_gradients: Tensor | None
    ) -> Tensor:
        """Return the gradient of the flat array, float32, from the gradients of the outputs."""
        gradient = torch.empty_like(self.flat, requires_grad=False)
        gradient[-PADDING:] = 0.0
        self._engine.backward(
            cache,
            self._parameters,
            logit_gradients.contiguous().numpy(),
            value_gradients.contiguous().numpy(),
            gradient.numpy(),
        )
        if item_gradients is not None and self._items is not None:
            gradient[self._items] += item_gradients.reshape(-1)
        return gradient

    def l2_norm(self, gradient: Tensor) -> float:
        """Return the L2 norm of a gradient of the flat array."""
        return self._engine.l2_norm(gradient.numpy())

    def adam_step(
        self, gradient: Tensor, scale: float, state: Mapping[str, Tensor], group: Mapping[str, Any]
    ) -> None:
        """Update the flat array by one step of Adam.

        Args:
            gradient: float32, as long as the array.
            scale: what the gradient is multiplied by first.
            state: ``step``, this one counted already, and both moments, which are updated.
            group: ``lr``, ``betas`` and ``eps``.
        """
        self._engine.adam_step(
            self._parameters,
            gradient.numpy(),
            state["exp_avg"].numpy(),
            state["exp_avg_sq"].numpy(),
            scale,
            int(state["step"]),
            float(group["lr"]),
            group["betas"],
            group["eps"],
        )

    # --- an optimizer's state, by the network's own parameters ----------------------------------------------------

    def split(self, moments: Moments) -> Moments:
        """Convert the optimizer state of ``parameters`` to the state of the network's own parameters."""
        if not moments:
            return {}
        whole, *others = (moments[str(number)] for number in range(1 + len(self.others)))
        rest = iter(others)
        found: Moments = {}
        for number, (name, parameter) in enumerate(self.network.named_parameters()):
            place = self.places.get(name)
            if place is None:
                found[str(number)] = next(rest)
            else:
                shape = tuple(parameter.shape)
                found[str(number)] = {
                    key: value[place].reshape(shape).copy() if np.ndim(value) else value
                    for key, value in whole.items()
                }
        return found

    def join(self, moments: Moments) -> Moments:
        """Return the inverse of ``split``."""
        if not moments:
            return {}
        whole: dict[str, Any] = {}
        others: list[dict[str, Any]] = []
        for number, (name, _) in enumerate(self.network.named_parameters()):
            own, place = moments[str(number)], self.places.get(name)
            if place is None:
                others.append(own)
                continue
            for key, value in own.items():
                if np.ndim(value):
                    block: NDArray[Any] = whole.setdefault(key, np.zeros(len(self.flat), value.dtype))
                    block[place] = np.asarray(value).reshape(-1)
                else:
                    whole[key] = value
        return {str(number): each for number, each in enumerate([whole, *others])}


class NativeAdam(torch.optim.Adam):
    """Adam that updates the flat array of a ``NativeNet`` on the engine's threads, and other parameters in torch."""

    def __init__(self, net: NativeNet, **options: Any) -> None:
        super().__init__(net.parameters(), **options)
        for name in ("weight_decay", "amsgrad", "maximize"):
            if self.param_groups[0][name]:
                raise ValueError(f"{name}: the engine has plain Adam; use torch.optim.Adam for it")
        self._net = net

    @torch.no_grad()
    def step(self, closure: Any = None) -> Any:  # type: ignore[override]
        """Update all parameters by their gradients."""
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        flat = self._net.flat
        gradient, flat.grad = flat.grad, None  # hidden from torch
        if self._net.others:
            super().step()
        if gradient is not None:
            flat.grad = gradient
            self.step_array(gradient)
        return loss

    def step_array(self, gradient: Tensor, max_norm: float | None = None) -> None:
        """Update the flat array alone, after clipping the gradient to an L2 norm."""
        scale = 1.0
        if max_norm is not None:
            scale = min(1.0, max_norm / (self._net.l2_norm(gradient) + 1e-6))
        flat = self._net.flat
        state = self.state[flat]
        if not state:
            state["step"] = torch.zeros(())
            state["exp_avg"], state["exp_avg_sq"] = torch.zeros(2, len(flat)).unbind()
        state["step"] += 1
        self._net.adam_step(gradient, scale, state, self.param_groups[0])


class NetworkFunction(torch.autograd.Function):
    """The whole network as one autograd function, differentiable with respect to the parameters."""

    @staticmethod
    def forward(  # type: ignore[override]
        ctx: Any, flat: Tensor, net: NativeNet, floats: Tensor, identities: Tensor
    ) -> tuple[Tensor, Tensor, Tensor | None]:
        """Logits, values, and the table of items if candidates are scored."""
        logits, values, ctx.cache = net.forward(floats, identities)
        ctx.net = net
        ctx.save_for_backward(flat)  # so that torch refuses backward once the parameters have changed
        items = net.items(flat)
        return logits, values, None if items is None else items.clone()

    @staticmethod
    @once_differentiable
    def backward(  # pyright: ignore[reportIncompatibleMethodOverride]
        ctx: Any, *gradients: Any
    ) -> tuple[Tensor, None, None, None]:
        """Return the gradient of the flat array."""
        _ = ctx.saved_tensors
        return ctx.net.backward(ctx.cache, *gradients), None, None, None


class MaskedSoftmax(torch.autograd.Function):
    """Log-probability of the chosen action, and entropy, over legal actions."""

    @staticmethod
    def forward(  # type: ignore[override]
        ctx: Any, logits: Tensor, mask: Tensor, actions: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Return log-probabilities and entropies, float32[batch] each."""
        rows, probabilities = torch.empty(3, len(logits)), torch.empty_like(logits)
        _engine.softmax(logits.numpy(), mask.numpy(), actions.numpy(), rows.numpy(), probabilities.numpy())
        ctx.save_for_backward(logits, mask, actions, rows, probabilities)
        return rows[0], rows[1]

    @staticmethod
    @once_differentiable
    def backward(  # pyright: ignore[reportIncompatibleMethodOverride]
        ctx: Any, *gradients: Any
    ) -> tuple[Tensor, None, None]:
        """Return float32[batch, actions], 0 for illegal actions."""
        logits, mask, actions, rows, probabilities = (each.numpy() for each in ctx.saved_tensors)
        of_log_probs, of_entropies = (each.contiguous().numpy() for each in gradients)
        logit_gradients = torch.empty_like(ctx.saved_tensors[0])
        _engine.softmax_backward(
            logits, mask, actions, rows, probabilities, of_log_probs, of_entropies, logit_gradients.numpy()
        )
        return logit_gradients, None, None


def evaluate_actions(logits: Tensor, mask: Tensor, actions: Tensor) -> tuple[Tensor, Tensor]:
    """Return log-probabilities of given actions and entropies in one pass, float32[batch], as ``MaskedCategorical``
    does.

    Args:
        logits: float32[batch, actions], not masked.
        mask: uint8[batch, actions], not 0 where an action is legal.
        actions: int64[batch].
    """
    function = cast("Any", MaskedSoftmax)
    return function.apply(logits.contiguous(), mask.contiguous(), actions)
