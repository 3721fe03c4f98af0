"""Tests of jimbot.tracking."""
