"""BalatroNet in torch: encoders of cards, jokers, consumables and shelves in front of the shared trunk.

The observation decides what is in it: more rows, more fields or another number of actions need no change here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import torch
from torch import Tensor, nn
from torch.nn import functional

from jimbot.networks.initialization import POLICY_GAIN
from jimbot.networks.layout import CandidateLayout, build_layout
from jimbot.networks.masked import ILLEGAL
from jimbot.networks.torch.layers import (
    ACTIVATIONS,
    Layers,
    SetEncoder,
    is_traced,
    make_embedding,
    make_linear,
)
from jimbot.networks.torch.networks import PolicyValueNet, join_values

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jimbot.networks.layout import EncoderLayout
    from jimbot.networks.spec import NetworkSpec
    from jimbot.networks.torch.networks import Observation

__all__ = ["BalatroNet"]


class BalatroBody(nn.Module):
    """Set encoders, followed by the shared trunk.

    One table holds the fronts of cards, one the identities of jokers, consumables and everything on a shelf, one all
    other identities; each is looked up once.
    """

    def __init__(self, spec: NetworkSpec) -> None:
        super().__init__()
        layout = build_layout(spec)
        self._layout = layout
        self.card_embedding = make_embedding(layout.card_rows, spec.card_embedding)
        self.item_embedding = make_embedding(layout.item_rows, spec.item_embedding)
        if layout.loose:
            self.identity_embedding = make_embedding(layout.loose_rows, spec.identity_embedding)
        for encoder in layout.encoders:
            self.add_module(f"{encoder.name}_encoder", SetEncoder(encoder, spec.activation))
        self.trunk = Layers(layout.input_width, (*spec.shared_layers, spec.features_dim), spec.activation)
        rows, starts = layout.item_table(spec)
        scales = layout.value_scales
        self.register_buffer("_item_rows", torch.as_tensor(rows), persistent=False)
        self.register_buffer("_item_starts", torch.as_tensor(starts), persistent=False)
        self.register_buffer("_loose_starts", torch.as_tensor(layout.loose_offsets), persistent=False)
        self.register_buffer("_scales", None if scales is None else torch.as_tensor(scales), persistent=False)

    def forward(self, obs: Mapping[str, Tensor]) -> Tensor:
        """Return float32[batch, features_dim]."""
        layout = self._layout
        parts: list[Tensor] = []
        if layout.values:
            parts.append(join_values(obs, layout, cast("Tensor | None", self._scales)))
        if layout.loose:
            places = join_identities(obs, [field.name for field in layout.loose]) + cast(
                "Tensor", self._loose_starts
            )
            parts.append(self.identity_embedding(places).flatten(1))
        card, *others = layout.encoders
        fronts = obs[card.identities[0]].long()
        parts += self._encode(card, obs, fronts > 0, self.card_embedding, fronts)
        names = [name for encoder in others for name in encoder.identities]
        identities = join_identities(obs, names)
        rows = cast("Tensor", self._item_rows)[identities + cast("Tensor", self._item_starts)]
        present = identities > 0
        start = 0
        for encoder in others:
            own = slice(start, start + encoder.total_rows)
            parts += self._encode(encoder, obs, present[:, own], self.item_embedding, rows[:, own])
            start = own.stop
        return self.trunk(torch.cat(parts, 1))

    def _encode(
        self,
        layout: EncoderLayout,
        obs: Mapping[str, Tensor],
        present: Tensor,
        table: nn.Embedding,
        places: Tensor,
    ) -> list[Tensor]:
        features = [obs[field].float() for field in layout.features]
        numbers = features[0] if len(features) == 1 else torch.cat(features, 1)
        encoder = cast("SetEncoder", getattr(self, f"{layout.name}_encoder"))
        return encoder(numbers, present, table, places)


def join_identities(obs: Mapping[str, Tensor], names: list[str]) -> Tensor:
    """Concatenate identity fields: int64[batch, columns]."""
    parts = [obs[name].reshape(obs[name].shape[0], -1) for name in names]
    return (parts[0] if len(parts) == 1 else torch.cat(parts, 1)).long()


class CandidateHead(nn.Module):
    """Scores every candidate from its features, its identities and the context, independent of its row."""

    def __init__(self, spec: NetworkSpec, candidates: CandidateLayout, context: int) -> None:
        super().__init__()
        width = spec.item_embedding if candidates.shares_items else spec.candidate_embedding
        if candidates.embedded:
            self.candidate_embedding = make_embedding(candidates.identities * (candidates.high + 1), width)
        first = spec.candidate_encoder[0]
        self.row = make_linear(candidates.width + candidates.identities * width, first)
        self.context = make_linear(context, first, bias=False)
        self.tower = Layers(first, spec.candidate_encoder[1:], spec.activation)
        self.score = make_linear(spec.candidate_encoder[-1], 1, gain=POLICY_GAIN, bias=False)
        self._activation = ACTIVATIONS[spec.activation]
        self._layout = candidates

    def forward(
        self, context: Tensor, obs: Mapping[str, Tensor], items: Tensor, mask: Tensor | None = None
    ) -> Tensor:
        """Return the scores, float32[batch, candidates].

        Args:
            context: float32[batch, width], from the policy tower.
            obs: the observation, for its fields ``candidates`` and ``candidate_ids``.
            items: float32[rows, width], the table of items, for candidates whose identities are those of items.
            mask: [batch, candidates]; with it candidates that are not legal need no score. At most times few are.
        """
        batch, count = obs["candidates"].shape[:2]
        rows = obs["candidates"].float().reshape(batch * count, -1)
        context = self.context(context) + self.row.bias
        identities = None
        if self._layout.identities:
            identities = obs["candidate_ids"].reshape(batch * count, -1)
        legal = None if mask is None else mask.reshape(-1).nonzero().squeeze(1)
        if legal is None or 2 * len(legal) > len(rows):
            hidden = self._rows(rows, identities, items).view(batch, count, -1) + context.unsqueeze(1)
            return self._score(hidden)
        identities = None if identities is None else identities.index_select(0, legal)
        hidden = self._rows(rows.index_select(0, legal), identities, items)
        scores = self._score(hidden + context.index_select(0, legal // count))
        return scores.new_full((batch * count,), ILLEGAL).scatter(0, legal, scores).view(batch, count)

    def _rows(self, rows: Tensor, identities: Tensor | None, items: Tensor) -> Tensor:
        """Apply the first layer without its bias: float32[rows, width].

        The layer acts on the numbers and the embedded identities side by side. Since it is linear, the tables are put
        through it first and then looked up, which is less work than the other way round.
        """
        width = self._layout.width
        numbers, vectors = self.row.weight[:, :width], self.row.weight[:, width:]
        if identities is None:
            return rows @ numbers.t()
        columns = self._layout.identities
        parts = vectors.view(len(vectors), columns, -1).unbind(1)
        if self._layout.shares_items:
            tables = [items] * columns
        else:
            tables = list(self.candidate_embedding.weight.chunk(columns))
        table = torch.cat([own @ part.t() for own, part in zip(tables, parts, strict=True)])
        starts = torch.arange(columns, device=table.device) * len(tables[0])
        places = identities.long() + starts
        if is_traced():  # other formats have no such sum, and would loop over rows
            looked_up = functional.embedding(places, table).sum(1)
        else:
            looked_up = functional.embedding_bag(places, table, mode="sum")
        return torch.addmm(looked_up, rows, numbers.t())

    def _score(self, hidden: Tensor) -> Tensor:
        hidden = self.tower(self._activation(hidden))
        return self.score(hidden).squeeze(-1)


class BalatroNet(PolicyValueNet):
    """The network for Balatro, with one output per fixed action or with scored candidates."""

    def create_body(self, spec: NetworkSpec) -> nn.Module:
        """Create the encoders and the trunk."""
        return BalatroBody(spec)

    def create_policy_head(self, spec: NetworkSpec, width: int) -> nn.Module:
        """Create a head with one output per action, or a head that scores candidates."""
        candidates = build_layout(spec).candidates
        if candidates is None:
            return super().create_policy_head(spec, width)
        return CandidateHead(spec, candidates, width)

    def scores_from(self, features: Tensor, obs: Observation, mask: Tensor | None = None) -> Tensor:
        """Return scores from precomputed features, float32[batch, actions]; with a mask, only of legal actions."""
        if not isinstance(self.policy_head, CandidateHead) or isinstance(obs, Tensor):
            return super().scores_from(features, obs, mask)
        items = cast("BalatroBody", self.body).item_embedding.weight
        if is_traced():
            mask = None  # a traced network has no shapes that depend on what is legal
        return self.policy_head(self.policy_tower(features), obs, items, mask)
