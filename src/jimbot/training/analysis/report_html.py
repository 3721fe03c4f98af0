"""An analysis as one HTML page that needs nothing but itself: styles, script and charts are inside."""

from __future__ import annotations

import json
import math
from datetime import UTC, datetime
from html import escape
from typing import TYPE_CHECKING, Any

from jimbot.training.analysis.plots import colors_of
from jimbot.training.analysis.report_svg import dot_chart, line_chart
from jimbot.training.analysis.tables import comparison_sentence, interval_text, number_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jimbot.training.performance_analysis import PerformanceAnalyzer

__all__ = ["report_page"]

STYLE = """
:root { color-scheme: light dark; --ink: #1d2430; --paper: #ffffff; --line: #d5dae2; --soft: #f3f5f8; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e8ee; --paper: #161a21; --line: #3a4250; --soft: #1f252e; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); margin: 0 auto; padding: 2rem;
  max-width: 75rem; }
h1 { margin: 0; } h2 { margin: 2.2rem 0 .6rem; } .quiet { opacity: .75; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(26rem, 1fr)); gap: 1rem; align-items: start; }
figure { margin: 0; max-width: 42rem; background: var(--soft); border-radius: 8px; padding: 1rem; }
.verdict { font-size: 1.15rem; border-left: 4px solid #d55e00; padding-left: 1rem; } img { max-width: 100%; }
figcaption { font-weight: 600; margin-bottom: .4rem; }
svg { width: 100%; height: auto; } svg text { font-size: 13px; fill: currentColor; } .grid { stroke: var(--line); }
.wide { overflow-x: auto; } table { border-collapse: collapse; width: 100%; }
th, td { padding: .35rem .7rem; border-bottom: 1px solid var(--line); text-align: right; white-space: nowrap; }
th:first-child, td:first-child { text-align: left; }
th button { font: inherit; font-weight: 600; color: inherit; background: none; border: 0; padding: 0; cursor: pointer; }
th[aria-sort=ascending] button::after { content: " \\2191"; }
th[aria-sort=descending] button::after { content: " \\2193"; }
pre { background: var(--soft); padding: 1rem; overflow-x: auto; border-radius: 8px; font-size: 13px; }
"""

SCRIPT = """
for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells], body = table.tBodies[0];
  heads.forEach((head, column) => head.querySelector("button").addEventListener("click", () => {
    const down = head.getAttribute("aria-sort") !== "descending";
    heads.forEach(each => each.removeAttribute("aria-sort"));
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    const value = row => row.cells[column].dataset.value;
    const rows = [...body.rows].sort((a, b) => {
      const x = value(a), y = value(b), p = Number(x), q = Number(y);
      if (x === "") return 1;
      if (y === "") return -1;
      const order = Number.isNaN(p) || Number.isNaN(q) ? x.localeCompare(y) : p - q;
      return down ? -order : order;
    });
    body.append(...rows);
  }));
}
"""


LEGEND = """<p class="quiet">Reward: interquartile mean over trainings with a stratified bootstrap interval (with one
training, its mean and the interval over episodes). A rank with = has an interval that overlaps with another's.</p>"""


def report_page(analyzer: PerformanceAnalyzer) -> str:
    """The page's text."""
    groups = analyzer.groups()
    runs = [run for group in groups for run in group.runs]
    envs = sorted({run.env for run in runs if run.env})
    made = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    counts = f"{len(groups)} groups, {len(runs)} trainings, {len(analyzer.failed)} failed"
    counts += f", on {escape(', '.join(envs))}" if envs else ""
    parts = [
        "<h1>Comparison of trainings</h1>",
        f'<p class="quiet">{counts}; made {made}</p>',
        f"<h2>Groups</h2>{group_table(analyzer)}",
        LEGEND,
        f'<h2>Charts</h2><div class="charts">{charts(analyzer)}</div>',
        f"<h2>Comparisons on common seeds</h2>{comparison_list(analyzer)}",
        f"<h2>Trainings</h2>{run_table(analyzer)}",
        failures(analyzer),
        f"<h2>Provenance</h2>{provenance(analyzer)}",
    ]
    body = "\n".join(part for part in parts if part)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Comparison of trainings</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">'
        f"<style>{STYLE}</style></head>\n<body>\n{body}\n<script>{SCRIPT}</script></body></html>\n"
    )


def sortable(identity: str, heads: Sequence[str], rows: Sequence[Sequence[tuple[Any, str]]]) -> str:
    """A table whose columns sort on a click; a cell is its value to sort by and its text."""
    head = "".join(f'<th scope="col"><button type="button">{escape(each)}</button></th>' for each in heads)
    body = "".join(
        "<tr>"
        + "".join(
            f'<td data-value="{escape(sort_value(value), quote=True)}">{escape(text)}</td>'
            for value, text in row
        )
        + "</tr>"
        for row in rows
    )
    return (
        f'<div class="wide"><table class="sortable" id="{identity}"><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def sort_value(value: Any) -> str:
    """What a script compares; empty for what is missing, which stays last."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return {"inf": "Infinity", "-inf": "-Infinity"}.get(str(value), str(value))


def group_table(analyzer: PerformanceAnalyzer) -> str:
    """One row per group, in the order of quality."""
    speed = {each.name: each for each in analyzer.rank_throughput()}
    levels = {share: dict(analyzer.get_convergence_ranking(share)) for share in (0.5, 0.75, 0.9)}
    rows: list[list[tuple[Any, str]]] = []
    for each in analyzer.rank_quality():
        fast = speed[each.name]
        row: list[tuple[Any, str]] = [
            (each.name, each.name),
            (each.rank, f"{each.rank}{'=' if each.tied_with else ''}"),
            (each.runs, str(each.runs)),
            (each.value, number_text(each.value)),
            (each.interval.low if each.interval else None, interval_text(each.interval)),
            (fast.value, number_text(fast.value)),
            (fast.value, number_text(fast.value * 60)),
            (fast.value, number_text(fast.value * 3600)),
        ]
        row += [(found[each.name], seconds_text(found[each.name])) for found in levels.values()]
        rows.append(row)
    heads = ["name", "rank", "trainings", "reward", "95 %", "steps/s", "steps/min", "steps/h"]
    return sortable("groups", [*heads, "50 % after", "75 % after", "90 % after"], rows)


def seconds_text(seconds: float | None) -> str:
    """A time to a level."""
    return "never" if seconds is None or math.isinf(seconds) else f"{seconds:,.1f} s"


def charts(analyzer: PerformanceAnalyzer) -> str:
    """Quality, learning curves, throughput."""
    curves = {
        group.name: [
            [(step, value) for step, value in zip(run.steps, run.values, strict=True) if math.isfinite(value)]
            for run in group.runs
        ]
        for group in analyzer.groups()
    }
    colors = colors_of(analyzer.rank_quality())
    ordered = {name: curves[name] for name in colors if any(curves[name])}
    return "".join(
        [
            dot_chart(
                analyzer.rank_quality(), "Reward, with 95 % intervals", colors, x_label="reward per episode"
            ),
            line_chart(
                ordered,
                "Reward over environment steps",
                colors,
                x_label="environment steps",
                y_label="reward per episode",
            ),
            dot_chart(
                analyzer.rank_throughput(),
                "Throughput, with 95 % intervals",
                colors,
                x_label="environment steps per second",
            ),
        ]
    )


def comparison_list(analyzer: PerformanceAnalyzer) -> str:
    """A sentence per pair."""
    found = analyzer.comparisons()
    if not found:
        return "<p>No two groups have seeds or episodes in common.</p>"
    return "<ul>" + "".join(f"<li>{escape(comparison_sentence(each))}</li>" for each in found) + "</ul>"


def run_table(analyzer: PerformanceAnalyzer) -> str:
    """One row per training."""
    rows: list[list[tuple[Any, str]]] = []
    for row in analyzer.rows():
        memory = row["peak_memory_bytes"]
        cells: list[tuple[Any, str]] = [(row["name"], row["name"]), (row["seed"], str(row["seed"]))]
        names = ("mean_reward", "std_reward", "timesteps", "wall_seconds", "steps_per_second")
        cells += [(row[name], number_text(row[name])) for name in names]
        cells.append((memory, "-" if memory is None else f"{memory / 1e6:,.0f} MB"))
        cells += [
            (row[name], seconds_text(row[name]))
            for name in ("seconds_to_90_of_final", "seconds_to_90_of_best")
        ]
        cells.append((row["config_hash"], row["config_hash"] or "-"))
        rows.append(cells)
    heads = [
        "name",
        "seed",
        "reward",
        "±",
        "steps",
        "seconds",
        "steps/s",
        "memory",
        "90 % of final",
        "90 % of best",
    ]
    return sortable("trainings", [*heads, "configuration"], rows)


def failures(analyzer: PerformanceAnalyzer) -> str:
    """What failed, with its traceback."""
    if not analyzer.failed:
        return ""
    return "<h2>Failed</h2>" + "".join(
        f"<details><summary>{escape(each.name)}, seed {each.seed}: {escape(each.error or '')}</summary>"
        f"<pre>{escape(each.traceback or '')}</pre></details>"
        for each in analyzer.failed
    )


def provenance(analyzer: PerformanceAnalyzer) -> str:
    """Commits, seeds, configurations and machines, each once."""
    runs = analyzer.metrics
    facts: dict[str, Any] = {
        "commits": unique(run.provenance.get("git") for run in runs),
        "seeds": sorted({run.seed for run in runs}),
        "configurations": {
            group.name: unique(run.config_hash for run in group.runs) for group in analyzer.groups()
        },
        "hardware": unique(run.provenance.get("hardware") for run in runs),
        "versions": unique(run.provenance.get("versions") for run in runs),
    }
    return f"<pre>{escape(json.dumps(facts, indent=1, ensure_ascii=False))}</pre>"


def unique(values: Any) -> list[Any]:
    """Each value once, those that are missing left out."""
    found: list[Any] = []
    for value in values:
        if value and value not in found:
            found.append(value)
    return found
