"""Probes: for every item of the game, cases with its trigger met and not met, through ``Game.step``."""
