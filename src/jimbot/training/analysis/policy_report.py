"""The analysis of a policy as one HTML page that needs nothing but itself, and the GIFs of its replays beside it."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from html import escape
from typing import TYPE_CHECKING, Any

from jimbot.statistics.intervals import wilson_interval
from jimbot.training.analysis.comparison import Ranked
from jimbot.training.analysis.policy_analysis import BINS
from jimbot.training.analysis.report_html import SCRIPT, STYLE, sortable
from jimbot.training.analysis.report_svg import bar_chart, dot_chart, line_chart
from jimbot.training.analysis.tables import number_text
from jimbot.training.analysis.verdict import describe_policy
from jimbot.training.checkpoints.provenance import git_state, library_versions

if TYPE_CHECKING:
    from collections.abc import Mapping

    from jimbot.statistics.intervals import Interval
    from jimbot.training.analysis.contestants import Contestant
    from jimbot.training.analysis.policy_analysis import PolicyAnalysis

__all__ = ["policy_page"]

BLINDS = ("small", "big", "boss")
COLORS = {"this policy": "#d55e00", "random": "#777777", "scripted": "#0072b2"}
"""Told apart by color-blind readers too."""
MOST_CAUSES = 12
MOST_JOKERS = 40

Rows = list[list[tuple[Any, str]]]


def policy_page(found: PolicyAnalysis, gifs: Mapping[str, str] | None = None) -> str:
    """The page's text.

    Args:
        found: the analysis.
        gifs: file names of replays beside the page, by what they show.
    """
    made = datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC")
    about = f"{found.algorithm} on {found.env}, {found.parameters:,} parameters, "
    about += f"{len(found.result.rewards)} episodes that no training has seen"
    title = f"How {escape(found.path)} plays"
    parts = [
        f"<h1>{title}</h1>",
        f'<p class="quiet">{escape(about)}; made {made}</p>',
        f'<p class="verdict">{escape(describe_policy(found))}</p>',
        section("Next to other players, on the same episodes", comparison(found)),
        section("Replays", replays(gifs or {})),
        f"<h2>Results</h2>{results(found)}",
        section("What runs are lost to", losses(found)),
        section("Blinds", clear_curve(found)),
        section("Jokers at the end of a run", jokers(found)),
        section("Poker hands played", hands(found)),
        section("Reward ledger, per run", ledger(found)),
        f"<h2>Confidence of decisions</h2>{confidence(found)}",
        f"<h2>Provenance</h2>{provenance(found)}",
    ]
    body = "\n".join(part for part in parts if part)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1"><link rel="icon" href="data:,">'
        f"<style>{STYLE}</style></head>\n<body>\n{body}\n<script>{SCRIPT}</script></body></html>\n"
    )


def section(title: str, content: str) -> str:
    """A heading with what belongs under it; nothing if that is nothing."""
    return f"<h2>{escape(title)}</h2>{content}" if content else ""


def interval_cells(value: Interval, share: bool = False) -> list[tuple[Any, str]]:
    """An estimate and its interval as two cells."""
    if share:
        text = f"{100 * value.estimate:.1f} %"
        return [(value.estimate, text), (value.low, f"{100 * value.low:.1f} to {100 * value.high:.1f} %")]
    return [
        (value.estimate, number_text(value.estimate)),
        (value.low, f"{number_text(value.low)} to {number_text(value.high)}"),
    ]


def everybody(found: PolicyAnalysis) -> list[Contestant]:
    """The policy and its references; nobody where there are no references."""
    return [] if found.contestant is None else [found.contestant, *found.references]


def comparison(found: PolicyAnalysis) -> str:
    """The policy and the references: charts, and a table with paired differences."""
    contestants = everybody(found)
    if not contestants:
        return ""
    if contestants[0].blinds is None:
        charts = dots(
            contestants, "mean_reward", 1.0, "Mean reward, with 95 % intervals", "reward per episode"
        )
    else:
        charts = dots(contestants, "win_rate", 100.0, "Wins, with 95 % intervals", "runs won, %")
        charts += dots(
            contestants, "mean_blinds", 1.0, "Blinds cleared, with 95 % intervals", "blinds per run"
        )
    rows: Rows = []
    for each in contestants:
        measure = each.mean_reward if each.blinds is None else each.mean_blinds
        assert measure is not None, "everybody has a reward or clears blinds"
        cells: list[tuple[Any, str]] = [(each.name, each.name)]
        if each.win_rate is not None:
            cells += interval_cells(each.win_rate, share=True)
        cells += interval_cells(measure)
        apart = None if each is contestants[0] else contestants[0].minus(each)
        cells += (
            interval_cells(apart["reward" if each.blinds is None else "blinds"])
            if apart
            else [(None, "")] * 2
        )
        rows.append([*cells, (each.cpu_seconds_per_game, f"{each.cpu_seconds_per_game:.3f}")])
    what = "reward" if contestants[0].blinds is None else "blinds cleared"
    wins = [] if contestants[0].won is None else ["wins", "95 %"]
    heads = ["player", *wins, f"{what} per episode", "95 %", "this policy minus player", "95 %", "CPU s"]
    return f'<div class="charts">{charts}</div>' + sortable("players", heads, rows)


def dots(contestants: list[Contestant], measure: str, scale: float, title: str, x_label: str) -> str:
    """A dot with its interval for everybody."""
    ranking: list[Ranked] = []
    for place, each in enumerate(contestants, start=1):
        value: Interval = getattr(each, measure)
        scaled = replace(
            value, estimate=scale * value.estimate, low=scale * value.low, high=scale * value.high
        )
        shown = scaled if value.count > 1 else None
        ranking.append(Ranked(place, each.name, scaled.estimate, shown, each.games))
    return dot_chart(ranking, title, COLORS, x_label=x_label)


def replays(gifs: Mapping[str, str]) -> str:
    """The replays, animated."""
    figures = "".join(
        f'<figure><figcaption>{escape(kind)}</figcaption><a href="{escape(file, quote=True)}">'
        f'<img src="{escape(file, quote=True)}" alt="{escape(kind)} game, animated" loading="lazy"></a></figure>'
        for kind, file in gifs.items()
    )
    return f'<div class="charts">{figures}</div>' if figures else ""


def losses(found: PolicyAnalysis) -> str:
    """Which blinds ended the lost runs, in percent of them."""
    causes = {} if found.contestant is None else dict(found.contestant.lost_to or {})
    lost = sum(causes.values())
    if not lost:
        return ""
    shares = {name: 100 * count / lost for name, count in list(causes.items())[:MOST_CAUSES]}
    antes = found.result.numbers["ante"][found.result.numbers["won"] <= 0].astype(int)
    by_ante = {f"ante {ante}": 100 * float((antes == ante).mean()) for ante in sorted(set(antes.tolist()))}
    charts = bar_chart(shares, "Blind a run was lost to", x_label=f"share of {lost:,} lost runs, %")
    charts += bar_chart(by_ante, "Ante a run was lost in", x_label=f"share of {lost:,} lost runs, %")
    return f'<div class="charts">{charts}</div>'


def results(found: PolicyAnalysis) -> str:
    """Wins and score with their intervals, and means of what the environment told."""
    rows: Rows = []
    if found.wins is not None:
        rows.append([("win rate", "win rate"), *interval_cells(found.wins, share=True)])
    rows.append([("score", "score (mean reward)"), *interval_cells(found.score)])
    for name, value in found.result.metrics().items():
        if name.startswith("mean_") and "reward" not in name:
            text = name.replace("_", " ")
            rows.append([(text, text), (value, number_text(value)), (None, "")])
    for ending, runs in found.endings.items():
        share = wilson_interval(runs, len(found.result.rewards))
        rows.append([(ending, f"ended: {ending.replace('_', ' ')}"), *interval_cells(share, share=True)])
    return sortable("results", ["what", "value", "95 %"], rows)


def clear_curve(found: PolicyAnalysis) -> str:
    """Of each blind: reached, cleared, rate with its interval; and the share of runs that came so far."""
    curve = found.result.clear_curve()
    if curve is None:
        return ""
    rows: Rows = []
    for entry in curve:
        number = int(entry["blind"]) - 1
        reached, cleared = int(entry["reached"]), int(entry["cleared"])
        name = f"ante {number // 3 + 1}, {BLINDS[number % 3]}"
        rate = wilson_interval(cleared, reached) if reached else None
        cells: list[tuple[Any, str]] = [
            (number, name),
            (reached, f"{reached:,}"),
            (cleared, f"{cleared:,}"),
        ]
        rows.append([*cells, *(interval_cells(rate, share=True) if rate else [(None, ""), (None, "")])])
    curves = {
        each.name: [
            [(float(blind), 100 * float((each.blinds >= blind).mean())) for blind in range(1, 3 * 8 + 1)]
        ]
        for each in everybody(found)
        if each.blinds is not None
    }
    labels = {"x_label": "blinds cleared (three per ante)", "y_label": "runs that cleared so many, %"}
    chart = line_chart(curves, "How far runs come", COLORS, **labels) if curves else ""
    return f'<div class="charts">{chart}</div>' + sortable(
        "blinds", ["blind", "reached", "cleared", "rate", "95 %"], rows
    )


def jokers(found: PolicyAnalysis) -> str:
    """Which jokers runs ended with."""
    if not found.jokers:
        return ""
    runs = len(found.result.rewards)
    rows: Rows = []
    for name, (held, won) in list(found.jokers.items())[:MOST_JOKERS]:
        share = interval_cells(wilson_interval(held, runs), share=True)
        rows.append([(name, name), (held, f"{held:,}"), *share, (won, f"{won:,}")])
    return sortable("jokers", ["joker", "runs", "share", "95 %", "of them won"], rows)


def hands(found: PolicyAnalysis) -> str:
    """Which poker hands were played."""
    if not found.hands:
        return ""
    total = sum(found.hands.values())
    rows: Rows = [
        [
            (name, name.replace("_", " ")),
            (count, f"{count:,}"),
            (count / total, f"{100 * count / total:.1f} %"),
            (count / len(found.result.rewards), f"{count / len(found.result.rewards):.2f}"),
        ]
        for name, count in found.hands.items()
    ]
    return sortable("hands", ["hand", "played", "share", "per run"], rows)


def ledger(found: PolicyAnalysis) -> str:
    """What each reward term gave."""
    terms = found.ledger()
    if not terms:
        return ""
    rows: Rows = [[(name, name), *interval_cells(value)] for name, value in terms.items()]
    return sortable("ledger", ["term", "per run", "95 %"], rows)


def confidence(found: PolicyAnalysis) -> str:
    """How likely the policy thought the actions it took."""
    sure = found.confidence
    rows: Rows = [
        [
            (place, f"{100 * place / BINS:.0f} to {100 * (place + 1) / BINS:.0f} %"),
            (int(count), f"{int(count):,}"),
            (count / max(1, sure.choices), f"{100 * count / max(1, sure.choices):.1f} %"),
        ]
        for place, count in enumerate(sure.counts)
    ]
    words = (
        f"<p>{sure.choices:,} decisions with more than one legal action, {sure.forced:,} without a choice. The "
        f"action taken had a probability of {100 * sure.mean:.1f} % in the mean; mean entropy "
        f"{sure.mean_entropy:.3f} nats.</p>"
    )
    shares = {text: 100 * share for (_, text), _, (share, _) in rows}
    chart = bar_chart(shares, "Probability of the action taken", x_label="share of decisions, %")
    table = sortable("confidence", ["probability of the action", "decisions", "share"], rows)
    return f'{words}<div class="charts">{chart}</div>{table}'


def provenance(found: PolicyAnalysis) -> str:
    """Where the policy and the page come from."""
    facts = {
        "policy": found.metadata,
        "evaluation_set": found.result.evaluation_set,
        "git": git_state(),
        "versions": library_versions(),
    }
    return f"<pre>{escape(json.dumps(facts, indent=1, default=str))}</pre>"
