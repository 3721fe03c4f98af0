"""Atomic files, locks, processes and signals: what writing safely needs. Imports nothing of jimbot but errors."""
