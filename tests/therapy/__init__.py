"""Tests of the therapy model, mirroring its room."""
