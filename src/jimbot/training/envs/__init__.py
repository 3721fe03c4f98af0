"""Environments as trainers see them: creating, vectorizing, normalizing, recording and validating them."""
