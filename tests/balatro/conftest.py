"""Hypothesis for this directory: machines may be slow, and a slow one must not fail a property."""

from hypothesis import HealthCheck, settings

settings.register_profile("jimbot", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("jimbot")
