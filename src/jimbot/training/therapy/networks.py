"""The networks of a therapist, under their documented module name; ``jimbot.networks.torch.therapy`` defines them."""

from jimbot.networks.torch.therapy import Actor, Critic, TherapyNet, make_therapy_networks

__all__ = ["Actor", "Critic", "TherapyNet", "make_therapy_networks"]
