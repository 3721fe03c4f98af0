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

from jimbot.networks.flax.layers import ACTIVATIONS, Layers, SetEncoder, make_dense, make_table
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
    """Turns observations into features, for flat networks and for Balatro."""

    spec: NetworkSpec

    def setup(self) -> None:
        """Create the embedding tables, the encoders and the trunk."""
        spec, layout = self.spec, build_layout(self.spec)
        if layout.encoders:
            self.card_embedding = make_table(layout.card_rows, spec.card_embedding)
            self.item_embedding = make_table(layout.item_rows, spec.item_embedding)
            card, joker, consumable, shelf = layout.encoders
            self.card_encoder = SetEncoder(card, spec.activation)
            self.joker_encoder = SetEncoder(joker, spec.activation)
            self.consumable_encoder = SetEncoder(consumable, spec.activation)
            self.shelf_encoder = SetEncoder(shelf, spec.activation)
        if layout.loose:
            self.identity_embedding = make_table(layout.loose_rows, spec.identity_embedding)
        if spec.features_dim:
            self.trunk = Layers((*spec.shared_layers, spec.features_dim), spec.activation)

    def __call__(self, obs: Any) -> jax.Array:
        """Return the features, float32[batch, features_dim]."""
        layout = build_layout(self.spec)
        inputs: Mapping[str, jax.Array] = (
            obs if self.spec.dict_observation else {self.spec.fields[0].name: obs}
        )
        observed: list[jax.Array] = []
        if layout.values:
            observed.append(join_values(inputs, layout))
        for field in layout.one_hot:
            places = flatten(inputs[field.name]).astype(jnp.int32) - field.low
            observed.append(flatten(jax.nn.one_hot(places, field.classes)))
        learned: list[jax.Array] = []
        if layout.loose:
            places = join_identities(inputs, [field.name for field in layout.loose]) + layout.loose_offsets
            learned.append(flatten(self.identity_embedding(places)))
        if layout.encoders:
            learned += self._encode(inputs, layout)
        if not self.spec.features_dim:
            return jnp.concatenate([*observed, *learned], 1)
        if not learned or not observed:
            return self.trunk(jnp.concatenate([*observed, *learned], 1))
        return self.trunk(jnp.concatenate(learned, 1), jnp.concatenate(observed, 1))

    def items(self) -> jax.Array:
        """Return the embedding table of items, float32[rows, width]."""
        return self.item_embedding.embedding

    def _encode(self, obs: Mapping[str, jax.Array], layout: Layout) -> list[jax.Array]:
        card, *others = layout.encoders
        fronts = obs[card.identities[0]].astype(jnp.int32)
        parts = self.card_encoder(as_floats(obs["hand"]), self.card_embedding(fronts), as_floats(fronts > 0))
        identities = join_identities(obs, [name for encoder in others for name in encoder.identities])
        table_rows, starts = layout.item_table(self.spec)
        embedded = self.item_embedding(as_array(table_rows)[identities + starts])
        start = 0
        for layout_of_set, encoder in zip(
            others, (self.joker_encoder, self.consumable_encoder, self.shelf_encoder), strict=True
        ):
            end = start + layout_of_set.total_rows
            numbers = jnp.concatenate([as_floats(obs[name]) for name in layout_of_set.features], 1)
            parts += encoder(numbers, embedded[:, start:end], as_floats(identities[:, start:end] > 0))
            start = end
        return parts


def as_array(values: Any) -> jax.Array:
    """Convert anything to a JAX array."""
    return jnp.asarray(values)  # pyright: ignore[reportUnknownMemberType]


def as_floats(values: Any) -> jax.Array:
    """Convert an array to float32."""
    return as_array(values).astype(jnp.float32)


def flatten(values: jax.Array) -> jax.Array:
    """Reshape [batch, ...] to [batch, numbers]."""
    return values.reshape(values.shape[0], -1)


def join_identities(obs: Mapping[str, jax.Array], names: list[str]) -> jax.Array:
    """Concatenate identity fields: int32[batch, columns]."""
    return jnp.concatenate([flatten(obs[name]).astype(jnp.int32) for name in names], 1)


def join_values(obs: Mapping[str, jax.Array], layout: Layout) -> jax.Array:
    """Concatenate all plain numbers, scaled and clipped at the input limit: float32[batch, columns]."""
    values = jnp.concatenate([flatten(as_floats(obs[field.name])) for field in layout.values], 1)
    scales = layout.value_scales
    if scales is not None:
        values = values * scales
    return jnp.clip(values, -INPUT_LIMIT, INPUT_LIMIT)


class CandidateHead(nn.Module):
    """Scores every candidate from its row, its identities and the context."""

    spec: NetworkSpec

    def setup(self) -> None:
        """Create the layers, and an embedding table if the candidates have identities of their own."""
        spec, candidates = self.spec, build_layout(self.spec).candidates
        assert candidates is not None
        if candidates.embedded:
            rows = candidates.identities * (candidates.high + 1)
            self.candidate_embedding = make_table(rows, spec.candidate_embedding)
        first = spec.candidate_encoder[0]
        self.row = make_dense(first)
        self.context = make_dense(first, bias=False)
        self.tower = Layers(spec.candidate_encoder[1:], spec.activation)
        self.score = make_dense(1, gain=POLICY_GAIN, bias=False)

    def __call__(self, context: jax.Array, obs: Mapping[str, jax.Array], items: jax.Array) -> jax.Array:
        """Return the score of each candidate, float32[batch, candidates]."""
        candidates = build_layout(self.spec).candidates
        assert candidates is not None
        rows = as_floats(obs["candidates"])
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
    """A policy and a value function on shared features; its methods are those of the torch networks."""

    spec: NetworkSpec

    def setup(self) -> None:
        """Create the bodies, towers and heads."""
        spec = self.spec
        self.body = Body(spec)
        if not spec.shared_trunk:
            self.value_body = Body(spec)
        self.policy_tower = Layers(spec.policy_net_arch, spec.activation)
        self.value_tower = Layers(spec.value_net_arch, spec.activation)
        if spec.action_mode == "candidates":
            self.policy_head = CandidateHead(spec)
        else:
            self.policy_head = make_dense(spec.actions, gain=POLICY_GAIN)
        self.value_head = make_dense(1, gain=VALUE_GAIN)

    def features(self, obs: Any) -> jax.Array:
        """Return the features that the policy sees, float32[batch, features_dim]."""
        return self.body(obs)

    def scores(self, obs: Any) -> jax.Array:
        """Return logits without the mask, float32[batch, actions]."""
        return self._scores_of(self.body(obs), obs)

    def policy_logits(self, obs: Any) -> jax.Array:
        """Return masked logits, float32[batch, actions]."""
        return self._masked(self.scores(obs), obs)

    def value(self, obs: Any) -> jax.Array:
        """Return the value of each observation, float32[batch]."""
        features = self.body(obs) if self.spec.shared_trunk else self.value_body(obs)
        return self.value_head(self.value_tower(features))[..., 0]

    def __call__(self, obs: Any) -> tuple[jax.Array, jax.Array]:
        """Return masked logits float32[batch, actions] and values float32[batch]."""
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
    """Create the network of a description; ``to_flax(initialize_tensors(spec, seed))`` gives its initial parameters.

    Flax's own ``init`` does too, but first spends many seconds compiling the orthogonal initialization.
    """
    return FlaxNet(spec)


def to_flax(tensors: Mapping[str, NDArray[Any]]) -> dict[str, Any]:
    """Convert the tensors of a policy file to flax variables, ``{"params": ...}``."""
    params: dict[str, Any] = {}
    for name, tensor in tensors.items():
        *path, leaf = to_flax_path(name)
        place = params
        for part in path:
            place = place.setdefault(part, {})
        place[leaf] = as_array(np.asarray(tensor).T if leaf == "kernel" else np.asarray(tensor))
    return {"params": params}


def from_flax(variables: Mapping[str, Any]) -> dict[str, NDArray[np.float32]]:
    """Convert flax variables, or the parameters in them, to the tensors of a policy file."""
    params: Mapping[str, Any] = variables.get("params", variables)
    tensors: dict[str, NDArray[np.float32]] = {}

    def walk(place: Mapping[str, Any], path: tuple[str, ...]) -> None:
        for part, entry in place.items():
            if hasattr(entry, "items"):
                walk(entry, (*path, part))
            else:
                array = np.array(entry, np.float32)
                tensors[to_torch_name((*path, part))] = array.T.copy() if part == "kernel" else array

    walk(params, ())
    return tensors


def to_flax_path(name: str) -> tuple[str, ...]:
    """Convert ``trunk.layers.0.weight`` to ``("trunk", "layers_0", "kernel")``; a table's weight is its embedding."""
    path: list[str] = []
    for part in name.split("."):
        if part.isdigit():
            path[-1] = f"{path[-1]}_{part}"
        else:
            path.append(part)
    if path[-1] == "weight":
        path[-1] = "embedding" if path[-2].endswith("_embedding") else "kernel"
    return tuple(path)


def to_torch_name(path: tuple[str, ...]) -> str:
    """Invert ``to_flax_path``."""
    parts: list[str] = []
    for part in path:
        numbered = _NUMBERED.match(part)
        parts += numbered.groups() if numbered else (part,)
    if parts[-1] in ("kernel", "embedding"):
        parts[-1] = "weight"
    return ".".join(parts)
