"""Tests of PPO in JAX."""
