"""Tests of CartPole as pure functions."""
