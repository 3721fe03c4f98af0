"""One experiment: its configuration, its run, its result. What others use is ``experiment``."""
