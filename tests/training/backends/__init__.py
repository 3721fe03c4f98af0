"""Tests of the training backends."""
