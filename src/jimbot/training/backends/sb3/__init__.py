"""Stable-Baselines3's parts: masked policies, buffers, environments, state, archives. See ``sb3_trainer``."""
