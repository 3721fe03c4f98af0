"""Analyzed results: metrics, comparisons, tables, plots, a report. What others use is ``performance_analysis``."""
