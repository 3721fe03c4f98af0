"""Tests of the verbs of the jimbot command."""
