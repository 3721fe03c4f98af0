"""RLlib's parts: algorithms on our runners, names and options, a Ray to train on. See ``rllib_trainer``."""
