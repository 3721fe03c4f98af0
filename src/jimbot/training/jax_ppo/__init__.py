"""Proximal policy optimisation in JAX: a functional core, and loops around it for environments of every kind.

``PPO`` compiles acting and updating; ``JaxRunner`` runs environments written in JAX end to end in compiled code;
``VectorCollector`` collects from any Gymnasium vector environment into arrays that the same update learns from.
"""
