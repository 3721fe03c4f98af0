"""MLflow: the tracker, the documented logger, and the model registry."""
