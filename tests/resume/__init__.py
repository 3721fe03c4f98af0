"""Tests of stopping at any moment and going on."""
