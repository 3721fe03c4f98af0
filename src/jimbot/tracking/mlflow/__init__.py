"""MLflow: the tracker, the documented logger, and the registry of converged models."""
