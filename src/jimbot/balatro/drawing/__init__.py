"""Rendering of runs: text for terminals, images and animations."""
