"""The networks in flax: the same layout, the same parameters, the same outputs as those in torch.

``create_flax_network(spec)`` builds one; ``to_flax`` and ``from_flax`` turn the tensors of a policy file into flax's
parameters and back.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import flax.linen as nn
import jax
import jax.numpy as jnp
import numpy as np

from jimbot.networks.flax.layers import ACTIVATIONS, Layers, SetEncoder, dense, table
from jimbot.networks.initialization import POLICY_GAIN, VALUE_GAIN
from jimbot.networks.layout import INPUT_LIMIT, Layout, build_layout
from jimbot.networks.masked import ILLEGAL
from jimbot.networks.spec import MASK_FIELD, NetworkSpec

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

__all__ = ["FlaxNet", "create_flax_network", "from_flax", "to_flax"]

_NUMBERED = re.compile(r"^(\w+)_(\d+)$")


class Body(nn.Module):
    """What turns observations into features, for flat networks and for Balatro."""

    spec: NetworkSpec

    def setup(self) -> None:
        """Tables, encoders and trunk."""
        spec, layout = self.spec, build_layout(self.spec)
        if layout.encoders:
            self.card_embedding = table(layout.card_rows, spec.card_embedding)
            self.item_embedding = table(layout.item_rows, spec.item_embedding)
            card, joker, consumable, shelf = layout.encoders
            self.card_encoder = SetEncoder(card, spec.activation)
            self.joker_encoder = SetEncoder(joker, spec.activation)
            self.consumable_encoder = SetEncoder(consumable, spec.activation)
            self.shelf_encoder = SetEncoder(shelf, spec.activation)
        if layout.loose:
            self.identity_embedding = table(layout.loose_rows, spec.identity_embedding)
        if spec.features_dim:
            self.trunk = Layers((*spec.shared_layers, spec.features_dim), spec.activation)

    def __call__(self, obs: Any) -> jax.Array:
        """float32[batch, features_dim]."""
        layout = build_layout(self.spec)
        inputs: Mapping[str, jax.Array] = (
            obs if self.spec.dict_observation else {self.spec.fields[0].name: obs}
        )
        observed: list[jax.Array] = []
        if layout.values:
            observed.append(join_values(inputs, layout))
        for field in layout.one_hot:
            places = flat(inputs[field.name]).astype(jnp.int32) - field.low
            observed.append(flat(jax.nn.one_hot(places, field.classes)))
        learned: list[jax.Array] = []
        if layout.loose:
            places = joined(inputs, [field.name for field in layout.loose]) + layout.loose_offsets
            learned.append(flat(self.identity_embedding(places)))
        if layout.encoders:
            learned += self._encode(inputs, layout)
        if not self.spec.features_dim:
            return jnp.concatenate([*observed, *learned], 1)
        if not learned or not observed:
            return self.trunk(jnp.concatenate([*observed, *learned], 1))
        return self.trunk(jnp.concatenate(learned, 1), jnp.concatenate(observed, 1))

    def items(self) -> jax.Array:
        """The table of items, float32[rows, width]."""
        return self.item_embedding.embedding

    def _encode(self, obs: Mapping[str, jax.Array], layout: Layout) -> list[jax.Array]:
        card, *others = layout.encoders
        fronts = obs[card.identities[0]].astype(jnp.int32)
        parts = self.card_encoder(number(obs["hand"]), self.card_embedding(fronts), number(fronts > 0))
        identities = joined(obs, [name for encoder in others for name in encoder.identities])
        table_rows, starts = layout.item_table(self.spec)
        embedded = self.item_embedding(array(table_rows)[identities + starts])
        start = 0
        for layout_of_set, encoder in zip(
            others, (self.joker_encoder, self.consumable_encoder, self.shelf_encoder), strict=True
        ):
            end = start + layout_of_set.total_rows
            numbers = jnp.concatenate([number(obs[name]) for name in layout_of_set.features], 1)
            parts += encoder(numbers, embedded[:, start:end], number(identities[:, start:end] > 0))
            start = end
        return parts


def array(values: Any) -> jax.Array:
    """Anything as an array of JAX."""
    return jnp.asarray(values)  # pyright: ignore[reportUnknownMemberType]


def number(values: Any) -> jax.Array:
    """An array as float32."""
    return array(values).astype(jnp.float32)


def flat(values: jax.Array) -> jax.Array:
    """[batch, ...] as [batch, numbers]."""
    return values.reshape(values.shape[0], -1)


def joined(obs: Mapping[str, jax.Array], names: list[str]) -> jax.Array:
    """int32[batch, columns]: identity fields side by side."""
    return jnp.concatenate([flat(obs[name]).astype(jnp.int32) for name in names], 1)


def join_values(obs: Mapping[str, jax.Array], layout: Layout) -> jax.Array:
    """float32[batch, columns]: all plain numbers side by side, scaled and cut at the input limit."""
    values = jnp.concatenate([flat(number(obs[field.name])) for field in layout.values], 1)
    scales = layout.value_scales
    if scales is not None:
        values = values * scales
    return jnp.clip(values, -INPUT_LIMIT, INPUT_LIMIT)


class CandidateHead(nn.Module):
    """Scores every candidate from its row, its identities and the context."""

    spec: NetworkSpec

    def setup(self) -> None:
        """The table of its own identities, if it has one, and the layers."""
        spec, candidates = self.spec, build_layout(self.spec).candidates
        assert candidates is not None
        if candidates.embedded:
            rows = candidates.identities * (candidates.high + 1)
            self.candidate_embedding = table(rows, spec.candidate_embedding)
        first = spec.candidate_encoder[0]
        self.row = dense(first)
        self.context = dense(first, bias=False)
        self.tower = Layers(spec.candidate_encoder[1:], spec.activation)
        self.score = dense(1, gain=POLICY_GAIN, bias=False)

    def __call__(self, context: jax.Array, obs: Mapping[str, jax.Array], items: jax.Array) -> jax.Array:
        """float32[batch, candidates]."""
        candidates = build_layout(self.spec).candidates
        assert candidates is not None
        rows = number(obs["candidates"])
        if candidates.identities:
            shape = rows.shape[:2]
            identities = obs["candidate_ids"].reshape(*shape, -1).astype(jnp.int32)
            if candidates.shares_items:
                vectors = items[identities]
            else:
                starts = np.arange(candidates.identities) * (candidates.high + 1)
                vectors = self.candidate_embedding(identities + starts)
            hidden = self.row(vectors.reshape(*shape, -1), rows)
        else:
            hidden = self.row(rows)
        hidden = hidden + self.context(context)[:, None]
        return self.score(self.tower(ACTIVATIONS[self.spec.activation](hidden)))[..., 0]


class FlaxNet(nn.Module):
    """A policy and a value over features; its methods are those of the torch networks."""

    spec: NetworkSpec

    def setup(self) -> None:
        """Bodies, towers and heads."""
        spec = self.spec
        self.body = Body(spec)
        if not spec.shared_trunk:
            self.value_body = Body(spec)
        self.policy_tower = Layers(spec.policy_net_arch, spec.activation)
        self.value_tower = Layers(spec.value_net_arch, spec.activation)
        if spec.action_mode == "candidates":
            self.policy_head = CandidateHead(spec)
        else:
            self.policy_head = dense(spec.actions, gain=POLICY_GAIN)
        self.value_head = dense(1, gain=VALUE_GAIN)

    def features(self, obs: Any) -> jax.Array:
        """float32[batch, features_dim] that the policy sees."""
        return self.body(obs)

    def scores(self, obs: Any) -> jax.Array:
        """float32[batch, actions], not masked."""
        return self._scores_of(self.body(obs), obs)

    def policy_logits(self, obs: Any) -> jax.Array:
        """float32[batch, actions], masked."""
        return self._masked(self.scores(obs), obs)

    def value(self, obs: Any) -> jax.Array:
        """float32[batch]."""
        features = self.body(obs) if self.spec.shared_trunk else self.value_body(obs)
        return self.value_head(self.value_tower(features))[..., 0]

    def __call__(self, obs: Any) -> tuple[jax.Array, jax.Array]:
        """Masked logits float32[batch, actions] and values float32[batch]."""
        features = self.body(obs)
        logits = self._masked(self._scores_of(features, obs), obs)
        value_features = features if self.spec.shared_trunk else self.value_body(obs)
        return logits, self.value_head(self.value_tower(value_features))[..., 0]

    def _scores_of(self, features: jax.Array, obs: Any) -> jax.Array:
        context = self.policy_tower(features)
        if isinstance(self.policy_head, CandidateHead):
            return self.policy_head(context, obs, self.body.items())
        return self.policy_head(context)

    def _masked(self, scores: jax.Array, obs: Any) -> jax.Array:
        return jnp.where(obs[MASK_FIELD] == 0, ILLEGAL, scores) if self.spec.masked else scores


def create_flax_network(spec: NetworkSpec) -> FlaxNet:
    """The network of a description; ``to_flax(initialize_tensors(spec, seed))`` gives new parameters.

    flax's own ``init`` gives them too, after many seconds of compiling orthogonal matrices.
    """
    return FlaxNet(spec)


def to_flax(tensors: Mapping[str, NDArray[Any]]) -> dict[str, Any]:
    """The tensors of a policy file as flax's variables, ``{"params": ...}``."""
    params: dict[str, Any] = {}
    for name, tensor in tensors.items():
        *path, leaf = flax_path(name)
        place = params
        for part in path:
            place = place.setdefault(part, {})
        place[leaf] = array(np.asarray(tensor).T if leaf == "kernel" else np.asarray(tensor))
    return {"params": params}


def from_flax(variables: Mapping[str, Any]) -> dict[str, NDArray[np.float32]]:
    """Flax's variables, or the parameters in them, as the tensors of a policy file."""
    params: Mapping[str, Any] = variables.get("params", variables)
    tensors: dict[str, NDArray[np.float32]] = {}

    def walk(place: Mapping[str, Any], path: tuple[str, ...]) -> None:
        for part, entry in place.items():
            if hasattr(entry, "items"):
                walk(entry, (*path, part))
            else:
                array = np.array(entry, np.float32)
                tensors[torch_name((*path, part))] = array.T.copy() if part == "kernel" else array

    walk(params, ())
    return tensors


def flax_path(name: str) -> tuple[str, ...]:
    """``trunk.layers.0.weight`` as ``("trunk", "layers_0", "kernel")``; a table's weight is its embedding."""
    path: list[str] = []
    for part in name.split("."):
        if part.isdigit():
            path[-1] = f"{path[-1]}_{part}"
        else:
            path.append(part)
    if path[-1] == "weight":
        path[-1] = "embedding" if path[-2].endswith("_embedding") else "kernel"
    return tuple(path)


def torch_name(path: tuple[str, ...]) -> str:
    """The inverse of ``flax_path``."""
    parts: list[str] = []
    for part in path:
        numbered = _NUMBERED.match(part)
        parts += numbered.groups() if numbered else (part,)
    if parts[-1] in ("kernel", "embedding"):
        parts[-1] = "weight"
    return ".".join(parts)
