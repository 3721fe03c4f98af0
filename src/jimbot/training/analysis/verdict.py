"""The verdict on a policy in two sentences: how strong it is, and what it loses to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from jimbot.statistics.intervals import Interval
    from jimbot.training.analysis.contestants import Contestant
    from jimbot.training.analysis.policy_analysis import PolicyAnalysis

__all__ = ["describe_policy"]

MOST_BLINDS = 3
BLINDS = 24


def describe_policy(found: PolicyAnalysis) -> str:
    """Return the verdict: strength next to the references on the same episodes, and what most losses have in common."""
    own = found.contestant
    if own is None:
        return f"It scores {found.score.estimate:.3g} on {len(found.result.rewards)} unseen episodes."
    if own.blinds is None:
        return reward_sentence(found, own)
    return " ".join(filter(None, (strength_sentence(found, own), loss_sentence(found, own))))


def strength_sentence(found: PolicyAnalysis, own: Contestant) -> str:
    """Return how often it wins and how far it comes, next to the references on the same seeds."""
    wins, blinds = own.win_rate, own.mean_blinds
    assert wins is not None, "games of Balatro are won or lost"
    assert blinds is not None, "games of Balatro have blinds"
    text = (
        f"It wins {100 * wins.estimate:.1f} % of {own.games} unseen games (95 %: {100 * wins.low:.1f} to "
        f"{100 * wins.high:.1f}) and clears {blinds.estimate:.2f} of {BLINDS} blinds"
    )
    parts: list[str] = []
    for each in found.references:
        rate, mean = each.win_rate, each.mean_blinds
        assert rate is not None, "players win or lose"
        assert mean is not None, "players clear blinds"
        apart = comparison_text(own.minus(each)["blinds"], "blinds")
        parts.append(
            f"{apart} {each.name} play, which wins {100 * rate.estimate:.1f} % and clears {mean.estimate:.2f}"
        )
    return f"{text}: on the same seeds {', and '.join(parts)}." if parts else f"{text}."


def reward_sentence(found: PolicyAnalysis, own: Contestant) -> str:
    """Return its mean reward next to the references on the same episodes."""
    score = found.score
    text = f"Its mean reward on {own.games} unseen episodes is {score.estimate:.4g}"
    if own.games > 1:
        text += f" (95 %: {score.low:.4g} to {score.high:.4g})"
    parts: list[str] = []
    for each in found.references:
        other = each.mean_reward
        assert other is not None, "references outside of Balatro have rewards"
        apart = comparison_text(own.minus(each)["reward"], "reward")
        parts.append(f"{apart} {each.name} play, which gets {other.estimate:.4g}")
    return f"{text}: on the same episodes {', and '.join(parts)}." if parts else f"{text}."


def comparison_text(difference: Interval, what: str) -> str:
    """Return a paired difference in words; one that the interval does not tell from 0 is called that."""
    if 0.0 in difference:
        return f"not told apart from (difference {difference.estimate:+.2f} {what})"
    half = (difference.high - difference.low) / 2
    word = "more" if difference.estimate > 0 else "less" if what == "reward" else "fewer"
    return f"{abs(difference.estimate):.2f} ± {half:.2f} {what} {word} than"


def loss_sentence(found: PolicyAnalysis, own: Contestant) -> str:
    """Return in which ante and to which blinds most games are lost; nothing if none is."""
    causes = own.lost_to or {}
    lost = sum(causes.values())
    if not lost:
        return ""
    antes = found.result.numbers["ante"][found.result.numbers["won"] <= 0].astype(int)
    counts = np.bincount(antes)
    ante = int(counts.argmax())
    names = [f"{name} ({100 * count / lost:.0f} %)" for name, count in list(causes.items())[:MOST_BLINDS]]
    listed = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    return f"Of its losses {100 * counts[ante] / len(antes):.0f} % come in ante {ante}, and most are to {listed}."
