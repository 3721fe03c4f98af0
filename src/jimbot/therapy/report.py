"""Success rates of therapists by pattern and mechanism, as tables and files."""

from __future__ import annotations

import csv
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from jimbot.therapy.evaluation import evaluate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from jimbot.therapy.therapists.scripted import Therapist

__all__ = ["Cell", "format_markdown_table", "measure_cells", "write_csv"]


@dataclass(frozen=True)
class Cell:
    """The results of one therapist with clients of one pattern and mechanism.

    Attributes:
        therapist: its name.
        pattern: biography of the clients.
        mechanism: how the clients decide.
        episodes: clients treated.
        successes: episodes that ended with success.
        dropouts: episodes in which the client dropped out.
        timeouts: episodes that ran out of sessions.
        success_rate: successes per episode.
        wilson_low: lower end of the 95 % interval.
        wilson_high: upper end of the 95 % interval.
        mean_sessions_to_success: mean sessions of successful episodes; None without a success.
        mean_return: mean reward of an episode.
    """

    therapist: str
    pattern: str
    mechanism: str
    episodes: int
    successes: int
    dropouts: int
    timeouts: int
    success_rate: float
    wilson_low: float
    wilson_high: float
    mean_sessions_to_success: float | None
    mean_return: float


def measure_cells(
    therapists: Mapping[str, Callable[[], Therapist]],
    patterns: Sequence[str],
    mechanisms: Sequence[str],
    seeds: Sequence[int],
    **options: Any,
) -> Iterator[Cell]:
    """Measure every combination; each gets a newly created therapist and one client per seed.

    ``therapists`` makes them by name; a trained policy is any callable from a batch of observations to actions.
    """
    for name, make in therapists.items():
        for pattern in patterns:
            for mechanism in mechanisms:
                found = evaluate(make(), seeds, patterns=pattern, mechanism=mechanism, **options)
                yield Cell(therapist=name, pattern=pattern, mechanism=mechanism, **found.summary())


def write_csv(cells: Sequence[Cell], path: Path) -> None:
    """Write one row per cell, with a header."""
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, fieldnames=list(Cell.__dataclass_fields__))
        writer.writeheader()
        writer.writerows(asdict(cell) for cell in cells)


def format_markdown_table(cells: Sequence[Cell]) -> str:
    """Format success rates with intervals and dropouts as Markdown: one row per therapist and pattern."""
    mechanisms = list(dict.fromkeys(cell.mechanism for cell in cells))
    rows: dict[tuple[str, str], dict[str, str]] = {}
    for cell in cells:
        interval = f"[{100 * cell.wilson_low:.1f}, {100 * cell.wilson_high:.1f}]"
        text = f"{100 * cell.success_rate:.1f} {interval} ({cell.dropouts})"
        rows.setdefault((cell.therapist, cell.pattern), {})[cell.mechanism] = text
    titles = ["therapist", "pattern", *(f"`{mechanism}`" for mechanism in mechanisms)]
    lines = [titles, ["---", "---", *(["---:"] * len(mechanisms))]]
    lines += [[*place, *(row[name] for name in mechanisms)] for place, row in rows.items()]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
