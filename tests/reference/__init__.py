"""Plain reference of hand detection and scoring, written from the rule sheets alone."""
