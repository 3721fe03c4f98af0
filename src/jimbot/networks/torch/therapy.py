"""Therapist networks in torch: an actor and a critic, each with its own body that reads observations.

The body embeds the client's action (8 → 16) and each of the 50 history entries (9 → 8), puts the session number beside
them (417 numbers) and passes them through two layers. The omniscient body also reads the client's inner state (471).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor, nn

from jimbot.errors import JimbotError

if TYPE_CHECKING:
    from gymnasium import spaces

__all__ = ["Actor", "Critic", "NetworkError", "TherapyNet", "make_therapy_networks"]

ACTIONS = 8
HISTORY_ENTRIES = 50
_SCALARS = ("relationship_satisfaction", "bond", "entropy", "parataxic_distortion_rate")


class NetworkError(JimbotError, ValueError):
    """Raised for arguments from which no network can be made."""


class TherapyNet(nn.Module):
    """Computes features of observations.

    Args:
        hidden_size: width of both hidden layers, and of the features.
        omniscient: whether observations also hold the client's inner state.

    Attributes:
        input_size: numbers that go into the first hidden layer: 417, or 471 with the inner state.
        output_size: numbers that come out, ``hidden_size``.
    """

    def __init__(self, hidden_size: int = 256, *, omniscient: bool = False) -> None:
        super().__init__()
        if hidden_size < 1:
            raise NetworkError(f"hidden_size must be at least 1, got {hidden_size}")
        self.omniscient = omniscient
        self.output_size = hidden_size
        self.client_embedding = nn.Embedding(ACTIONS, 16)
        self.history_embedding = nn.Embedding(ACTIONS + 1, 8)
        self.input_size = 16 + HISTORY_ENTRIES * 8 + 1
        if omniscient:
            self.utility_encoder = nn.Sequential(nn.Linear(64, 48), nn.ReLU(), nn.Linear(48, 32), nn.ReLU())
            self.mechanism_embedding = nn.Embedding(5, 8)
            self.actual_embedding = nn.Embedding(ACTIONS + 1, 4)
            self.perceived_embedding = nn.Embedding(ACTIONS + 1, 4)
            self.enabled_embedding = nn.Embedding(2, 2)
            self.input_size += 32 + 8 + 4 + 4 + 2 + len(_SCALARS)
            self.normalization = nn.LayerNorm(self.input_size)
        self.layers = nn.Sequential(
            nn.Linear(self.input_size, hidden_size),
            nn.ReLU(),
            nn.Linear(hidden_size, hidden_size),
            nn.ReLU(),
        )

    def forward(self, obs: Any) -> Tensor:
        """Features, float32[clients, hidden_size], of a mapping of arrays or tensors with the client first."""
        device = self.client_embedding.weight.device

        def whole(name: str) -> Tensor:
            return torch.as_tensor(obs[name], device=device).long()

        def real(name: str, width: int) -> Tensor:
            return torch.as_tensor(obs[name], device=device).float().reshape(-1, width)

        history = whole("history").reshape(-1, HISTORY_ENTRIES)
        parts = [
            self.client_embedding(whole("client_action").reshape(-1)),
            self.history_embedding(history).flatten(1),
            real("session_number", 1),
        ]
        if self.omniscient:
            parts += [
                self.utility_encoder(real("u_matrix", 64)),
                self.mechanism_embedding(whole("mechanism_type").reshape(-1)),
                self.actual_embedding(whole("last_actual_action").reshape(-1)),
                self.perceived_embedding(whole("last_perceived_action").reshape(-1)),
                self.enabled_embedding(whole("parataxic_enabled").reshape(-1)),
                *(real(name, 1) for name in _SCALARS),
            ]
        joined = torch.cat(parts, dim=1)
        return self.layers(self.normalization(joined) if self.omniscient else joined)


class Actor(nn.Module):
    """A policy: maps observations to probabilities of the eight octants."""

    def __init__(self, body: TherapyNet | None = None) -> None:
        super().__init__()
        self.body = TherapyNet() if body is None else body
        self.head = nn.Linear(self.body.output_size, ACTIONS)

    def logits(self, obs: Any) -> Tensor:
        """Unnormalized log-probabilities, float32[clients, 8]."""
        return self.head(self.body(obs))

    def forward(self, obs: Any, state: Any = None, info: Any = None) -> tuple[Tensor, Any]:
        """Return probabilities, float32[clients, 8], and the unchanged state, as Tianshou calls it."""
        del info
        return torch.softmax(self.logits(obs), dim=1), state


class Critic(nn.Module):
    """A value function: maps observations to the expected return."""

    def __init__(self, body: TherapyNet | None = None) -> None:
        super().__init__()
        self.body = TherapyNet() if body is None else body
        self.head = nn.Linear(self.body.output_size, 1)

    def forward(self, obs: Any, **_: Any) -> Tensor:
        """Values, float32[clients, 1]."""
        return self.head(self.body(obs))


def make_therapy_networks(
    observation_space: spaces.Space[Any] | None = None,
    action_space: spaces.Space[Any] | None = None,
    hidden_size: int = 256,
    device: str | torch.device = "cpu",
    *,
    omniscient: bool | None = None,
) -> tuple[Actor, Critic]:
    """Create an actor and a critic with separate parameters.

    Args:
        observation_space: of the environment; tells whether observations hold the inner state.
        action_space: of the environment; must be the eight octants.
        hidden_size: width of the hidden layers.
        device: where the parameters live.
        omniscient: whether observations hold the inner state; None takes it from the space.
    """
    if action_space is not None and getattr(action_space, "n", None) != ACTIONS:
        raise NetworkError(f"a therapist has 8 actions; expected Discrete(8), got {action_space}")
    if observation_space is not None:
        keys = set(getattr(observation_space, "spaces", {}))
        if not {"client_action", "history", "session_number"} <= keys:
            raise NetworkError(
                f"expected the observation space of a therapy environment, got {observation_space}"
            )
        found = "u_matrix" in keys
        if omniscient is None:
            omniscient = found
        elif omniscient and not found:
            raise NetworkError("omniscient networks need the observations of an omniscient environment")
    bodies = [TherapyNet(hidden_size, omniscient=bool(omniscient)) for _ in range(2)]
    return Actor(bodies[0]).to(device), Critic(bodies[1]).to(device)
