"""``python -m jimbot.training.analyze``: analyze how a trained policy plays, in one HTML page with replays beside it.

python -m jimbot.training.analyze --checkpoint models/first_try
python -m jimbot.training.analyze --checkpoint models/first_try/checkpoints/step_000000050000 --episodes 500
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from jimbot.errors import JimbotError, MissingExtraError, exit_code, require
from jimbot.storage.atomic import write_file_atomically
from jimbot.storage.strict_json import write_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from jimbot.training.analysis.policy_analysis import PolicyAnalysis

__all__ = ["main", "write_analysis"]

REPORT = "analysis.html"


def write_analysis(
    checkpoint: Path,
    output: Path | None = None,
    episodes: int = 200,
    json_file: Path | None = None,
    *,
    gifs: bool = True,
) -> tuple[PolicyAnalysis, Path]:
    """Analyze a policy and write the page and its replays; returns the analysis and the page's path.

    Args:
        checkpoint: a run (its best policy), one of its checkpoints, or a policy file.
        output: the page; ``analysis.html`` in or beside what is analyzed if None.
        episodes: unseen episodes to play.
        json_file: where all numbers go too, if anywhere.
        gifs: whether to draw replays beside the page, as far as there are any and Pillow is installed.
    """
    from jimbot.training.analysis.policy_analysis import analyze_policy
    from jimbot.training.analysis.policy_report import policy_page

    target = output or (checkpoint if checkpoint.is_dir() else checkpoint.parent) / REPORT
    if checkpoint.parent.name == "checkpoints" and output is None:
        target = (
            checkpoint.parent.parent / f"analysis-{checkpoint.name}.html"
        )  # a checkpoint is never changed
    for path in (target, json_file):
        if path is not None and not path.absolute().parent.is_dir():
            raise JimbotError(f"cannot write {path}: there is no directory {path.parent}")
    require("torch", "export")
    from jimbot.training.backends.torch.state import one_thread

    with one_thread():
        found = analyze_policy(checkpoint, episodes)
    try:
        write_file_atomically(target, policy_page(found, write_gifs(found, target) if gifs else None))
        if json_file is not None:
            write_json(json_file, found.to_dict(), nonfinite="null")
    except OSError as error:
        raise JimbotError(f"cannot write {error.filename or target}: {error.strerror}") from None
    return found, target


def write_gifs(found: PolicyAnalysis, page: Path) -> dict[str, str]:
    """Draw the replays beside the page, ``analysis-best.gif`` and so on; returns file names by what they show."""
    from jimbot.training.analysis.replay_gifs import draw_replay

    try:
        return {
            f"{kind}, seed {replay.seed}": draw_replay(
                replay, page.with_name(f"{page.stem}-{kind.replace(' ', '-')}.gif")
            ).name
            for kind, replay in found.replays.items()
        }
    except MissingExtraError as error:
        print(f"no replays are drawn: {error}", file=sys.stderr)
        return {}


def summary(found: PolicyAnalysis) -> str:
    """The analysis in a few lines, the verdict first."""
    from jimbot.training.analysis.verdict import describe_policy

    lines = [
        describe_policy(found),
        f"{len(found.result.rewards)} unseen episodes on {found.env}, network of {found.parameters:,} parameters",
    ]
    if found.wins is not None:
        wins = found.wins
        lines.append(
            f"wins {100 * wins.estimate:.1f} % (95 %: {100 * wins.low:.1f} to {100 * wins.high:.1f})"
        )
    lines.append(f"score {found.score.estimate:.3f} (95 %: {found.score.low:.3f} to {found.score.high:.3f})")
    if found.hands:
        lines.append("hands " + ", ".join(f"{name} {count}" for name, count in list(found.hands.items())[:5]))
    if found.jokers:
        lines.append(
            "jokers " + ", ".join(f"{name} {runs}" for name, (runs, _) in list(found.jokers.items())[:5])
        )
    lines.append(f"probability of the action taken {100 * found.confidence.mean:.1f} % in the mean")
    return "\n".join(lines)


def parser() -> argparse.ArgumentParser:
    """The flags."""
    made = argparse.ArgumentParser(
        prog="python -m jimbot.training.analyze", description="Analyze a trained policy."
    )
    made.add_argument(
        "--checkpoint", required=True, type=Path, metavar="PATH", help="a run, checkpoint or policy file"
    )
    made.add_argument("--output", type=Path, metavar="FILE", help=f"the page ({REPORT} beside the policy)")
    made.add_argument("--episodes", type=int, default=200, help="unseen episodes to play (200)")
    made.add_argument("--json", type=Path, metavar="FILE", help="write all numbers to this file too")
    made.add_argument("--no-gifs", action="store_true", help="draw no replays")
    return made


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; its exit code."""
    given = parser().parse_args(arguments)
    return exit_code(lambda: run_command(given))


def run_command(given: argparse.Namespace) -> int:
    """Analyze and print the findings."""
    found, page = write_analysis(
        given.checkpoint, given.output, given.episodes, given.json, gifs=not given.no_gifs
    )
    print(summary(found))
    print(f"report {page}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
