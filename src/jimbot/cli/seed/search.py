"""Seed search with a progress bar."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jimbot.balatro.seeds.seed_search import search

if TYPE_CHECKING:
    from jimbot.balatro.seeds.seed_conditions import Condition
    from jimbot.balatro.seeds.seed_search import SearchResult

__all__ = ["search_with_progress"]


def search_with_progress(
    conditions: list[Condition],
    *,
    quiet: bool,
    count: int,
    seconds: float | None,
    **settings: Any,
) -> SearchResult:
    """Run ``search`` with a progress bar for the count or the time."""
    if quiet:
        return search(conditions, count=count, seconds=seconds, **settings)
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    progress = Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[found]} found · {task.fields[tried]} tried · {task.fields[rate]}"),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    task = progress.add_task("searching", total=1.0, found="0", tried="0", rate="")

    def report(tried: int, found: int, elapsed: float) -> None:
        if not progress.live.is_started:  # a search that is refused draws nothing
            progress.start()
        part = max(found / count, elapsed / seconds if seconds else 0.0)
        rate = f"{tried / max(elapsed, 1e-9) / 1e6:.1f} M/s"
        progress.update(task, completed=min(part, 1.0), found=f"{found:,}", tried=f"{tried:,}", rate=rate)

    try:
        return search(conditions, count=count, seconds=seconds, on_progress=report, **settings)
    finally:
        if progress.live.is_started:
            progress.stop()
