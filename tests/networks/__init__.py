"""Tests of the networks, the masked distributions and the policy file."""
