"""Learning from demonstrations: experts, trajectories, targets. What others use is ``behavioral_cloning``."""
