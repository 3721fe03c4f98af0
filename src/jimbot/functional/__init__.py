"""Pure JAX environments: the protocol they follow, and how a batch of them is stepped."""
