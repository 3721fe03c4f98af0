"""Tests that something is learned; they are slow."""
