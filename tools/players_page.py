"""Writes the tables of docs/guides/players.md: weights from the engine, results from results/scripted_player.json.

python -m tools.players_page
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from tools.page_marks import filled

from jimbot.balatro.names import get_name
from jimbot.players.scripted_player import weight_table
from jimbot.statistics.distributions import normal_quantile
from jimbot.storage.atomic import write_file_atomically
from jimbot.storage.strict_json import read_json

__all__ = ["main", "players_page", "results_text", "weights_text"]

ROOT = Path(__file__).resolve().parents[1]
PAGE = ROOT / "docs" / "guides" / "players.md"
RESULTS = ROOT / "results" / "scripted_player.json"


def weights_text() -> str:
    """Return the general weights as a table."""
    rows = [
        f"| `{weight.name}` | {weight.default:g} | {weight.low:g} to {weight.high:g} | {weight.text} |"
        for weight in weight_table()
        if "." not in weight.name
    ]
    return "\n".join(["| weight | default | bounds | meaning |", "| --- | --- | --- | --- |", *rows])


def results_text(report: dict[str, Any]) -> str:
    """Return the measured results as a few lines and a table."""
    low, high = report["win_interval"]
    # Of thousands of runs, Student's t distribution is the normal one.
    half = normal_quantile(0.975) * report["blinds_error"]
    blinds = f"{report['mean_blinds']:.2f} of 24 (95 % interval "
    blinds += f"{report['mean_blinds'] - half:.2f} to {report['mean_blinds'] + half:.2f})"
    episodes, seconds = report["episodes"], report["seconds"]
    command = f"jimbot evaluate scripted --episodes {episodes} --save results/scripted_player.json"
    lines = [
        f"Red Deck, White Stake, {episodes} evaluation seeds (`{command}`, commit {report['commit'][:7]}):",
        "",
        f"- wins {100 * report['win_rate']:.1f} % (95 % interval {100 * low:.1f} to {100 * high:.1f})",
        f"- blinds cleared per run {blinds}",
        f"- {report['mean_steps']:.0f} decisions per run, {seconds:.0f} s in all",
        "",
        "| ante | small | big | boss |",
        "| --- | --- | --- | --- |",
    ]
    for start in range(0, len(report["curve"]), 3):
        blinds = report["curve"][start : start + 3]
        shares = [f"{100 * each['cleared'] / max(1, each['reached']):.1f} %" for each in blinds]
        lines.append(f"| {blinds[0]['ante']} | {' | '.join(shares)} |")
    causes = ", ".join(f"{get_name(key)} {count}" for key, count in list(report["causes"].items())[:8])
    shown = (
        f"The table shows the share of blinds cleared among those played. Most runs were lost to: {causes}."
    )
    return "\n".join([*lines, "", shown])


def players_page(page: str, report: dict[str, Any]) -> str:
    """Return the page with both tables updated."""
    return filled(page, {"results": results_text(report), "weights": weights_text()})


def main() -> None:
    """Rewrite the page."""
    report = read_json(RESULTS)
    write_file_atomically(PAGE, players_page(PAGE.read_text(encoding="utf-8"), report))


if __name__ == "__main__":
    main()
