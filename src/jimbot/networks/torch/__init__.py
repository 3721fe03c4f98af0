"""PyTorch networks."""
