"""The model of a client as pure JAX functions."""
