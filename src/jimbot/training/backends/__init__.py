"""One package per training library, and one for what the torch-based ones share."""
