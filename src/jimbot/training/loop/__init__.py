"""The training loop that all backends share: iterations, evaluation, early stopping, progress."""
