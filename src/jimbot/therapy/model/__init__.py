"""The model of a client: patterns, memory, satisfaction, mechanisms."""
