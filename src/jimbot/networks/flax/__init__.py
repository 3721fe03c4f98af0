"""The networks in flax."""
