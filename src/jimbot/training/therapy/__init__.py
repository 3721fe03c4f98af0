"""Training therapists: the documented configuration, files and networks."""
