"""Tianshou 2: arguments, replay buffer and networks."""
