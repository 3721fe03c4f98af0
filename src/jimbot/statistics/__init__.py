"""Confidence intervals, paired comparisons and distributions."""
