"""Paragraphs of generated pages, wrapped like those written by hand."""

from __future__ import annotations

import textwrap

__all__ = ["wrap_paragraph"]

WIDTH = 120


def wrap_paragraph(*sentences: str) -> str:
    """Join sentences with spaces and wrap them at 120 columns; words are never broken."""
    return textwrap.fill(" ".join(sentences), WIDTH, break_long_words=False, break_on_hyphens=False)
