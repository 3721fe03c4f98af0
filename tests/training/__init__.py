"""Tests of the training framework."""
