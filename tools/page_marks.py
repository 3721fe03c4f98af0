"""Generated parts of pages that are otherwise written by hand: each stands between two comments."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["filled"]


def filled(page: str, parts: Mapping[str, str]) -> str:
    """The page with each part written anew between ``<!-- name -->`` and ``<!-- end of name -->``."""
    for name, text in parts.items():
        begin, end = f"<!-- {name} -->", f"<!-- end of {name} -->"
        pattern = re.compile(f"{re.escape(begin)}\n.*?{re.escape(end)}", re.DOTALL)
        if len(pattern.findall(page)) != 1:
            raise ValueError(f"the page must have the marks {begin} and {end} once each")
        block = f"{begin}\n\n{text}\n\n{end}"
        page = pattern.sub(lambda _, block=block: block, page)
    return page
