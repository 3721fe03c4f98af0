"""``python -m tools.therapy_study``: can a trained therapist beat always answering complementarily?

A policy that sees only what the documented observations tell is taught to answer as the preparing therapist does, since
random answers never succeed and leave nothing to learn from, and then trained with PPO in compiled code. Of the
policies that PPO made, the one that did best with clients set aside for that treats held-out clients in the documented
environment, and so do the scripted therapists. Small differences need many clients to show: further ones are treated by
the policies and complementarily. The result is written with its intervals, seeds and command. A study that was
interrupted goes on where it was.

How much there is to gain is measured on the first of the held-out clients: by a therapist who reads minds and plans,
and by a search that also knows all luck to come.
"""

from __future__ import annotations

import argparse
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jimbot.errors import JimbotError, require
from jimbot.statistics.distributions import normal_quantile
from jimbot.statistics.evaluation_sets import THERAPY_FURTHER_SEEDS, THERAPY_TEST_SEEDS
from jimbot.statistics.intervals import standard_error, wilson_interval
from jimbot.storage.atomic import make_directories
from jimbot.storage.strict_json import write_json
from jimbot.therapy.env.options import BENCHMARK
from jimbot.therapy.evaluation import Evaluation, evaluate
from jimbot.therapy.model.patterns import DEFAULT_PATTERNS
from jimbot.therapy.therapists.foresight import foreseen_successes
from jimbot.therapy.therapists.scripted import create_therapist
from jimbot.training.checkpoints.provenance import git_state, library_versions
from jimbot.training.config.hashing import config_hash

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["SETTINGS", "StudyConfig", "compared", "main", "study"]

SETTINGS: dict[str, dict[str, Any]] = {
    "benchmark": dict(BENCHMARK),
    "mix": {**BENCHMARK, "patterns": list(DEFAULT_PATTERNS)},
}
"""The benchmark's clients, and the five patterns with everything else as in the benchmark."""

REFERENCES = ("complementary", "preparing", "row_maximum")
FORESIGHT_WIDTH = 256
"""Courses that the search with foresight keeps."""


@dataclass(frozen=True)
class StudyConfig:
    """The training of one setting.

    Attributes:
        setting: whose clients.
        updates: of PPO; each learns from ``batch`` whole therapies.
        batch: clients treated at once.
        seed: decides everything random in training.
        learning_rate: at the start; it falls to a tenth.
        entropy: weight of the entropy bonus.
        gae_lambda: of the advantages.
        epochs: passes over a batch of therapies.
        minibatch: sessions per gradient step.
        hidden: widths of the layers.
        measure_every: updates between two measurements on the clients set aside, which choose the best policy.
        measure_clients: how many these are.
    """

    setting: str
    updates: int = 240
    batch: int = 1_024
    seed: int = 0
    learning_rate: float = 1.5e-3
    entropy: float = 0.001
    gae_lambda: float = 0.98
    epochs: int = 2
    minibatch: int = 6_400
    hidden: tuple[int, ...] = (64, 64)
    measure_every: int = 20
    measure_clients: int = 8_192

    def hash(self) -> str:
        """What tells this training from another."""
        return config_hash(asdict(self))


def compared(ours: Evaluation, theirs: Evaluation) -> dict[str, Any]:
    """Difference of success rates on the same clients, with the 95 % interval of paired shares."""
    difference = ours.success.astype(float) - theirs.success.astype(float)
    half = normal_quantile(0.975) * standard_error(difference)
    mean = float(difference.mean())
    base = float(theirs.success.mean())
    return {
        "difference": mean,
        "difference_low": mean - half,
        "difference_high": mean + half,
        "ratio": float(ours.success.mean()) / base if base else None,
        "only_ours": int((difference > 0).sum()),
        "only_theirs": int((difference < 0).sum()),
    }


def rate(success: Any) -> dict[str, Any]:
    """Successes with their interval."""
    interval = wilson_interval(int(success.sum()), len(success))
    return {
        "episodes": len(success),
        "successes": int(success.sum()),
        "success_rate": float(success.mean()),
        "wilson_low": interval.low,
        "wilson_high": interval.high,
    }


def limits(options: dict[str, Any], planned: int, foreseen: int, complementary: Evaluation) -> dict[str, Any]:
    """What knowing the client's mind, and its luck too, would be worth, on the first of the held-out clients.

    Each has the complementary therapist's success on the same clients beside it.
    """
    found: dict[str, Any] = {}
    if planned:
        seeds = complementary.seeds[:planned].tolist()
        success = evaluate(create_therapist("planning"), seeds, **options).success
        found["planning"] = rate(success) | {"complementary": rate(complementary.success[:planned])}
    if foreseen:
        seeds = complementary.seeds[:foreseen].tolist()
        success = foreseen_successes(seeds, FORESIGHT_WIDTH, **options)
        found["foresight"] = rate(success) | {
            "width": FORESIGHT_WIDTH,
            "complementary": rate(complementary.success[:foreseen]),
        }
    return found


def trained(config: StudyConfig, directory: Path, say: Any) -> dict[str, Any]:
    """Train in ``directory``, from what is there if anything is; the best policy lies there afterwards.

    Returns:
        ``updates``, ``sessions``, ``seconds``, the ``measured`` success of every look, and ``best_updates``.
    """
    require("jax", "jax")
    from tools.therapy_training import TherapyRun

    run = TherapyRun(config, directory)
    begin = time.perf_counter()
    while run.progress["updates"] < config.updates:
        run.advance()
        last = run.progress["measured"][-1]
        say(
            f"{config.setting}: {last['updates']} of {config.updates} updates, success {100 * last['success']:.1f} % "
            f"(best {100 * run.best['success']:.1f} % after {run.best['updates']}), {time.perf_counter() - begin:.0f} s"
        )
    return run.progress | {"best_updates": run.best["updates"]}


def treated(
    directory: Path, seeds: range, references: Sequence[str], options: dict[str, Any]
) -> dict[str, Evaluation]:
    """One client per seed with every scripted therapist named, the policy as it was taught, and the trained one."""
    from jimbot.networks import load_policy
    from jimbot.players.therapist import create_policy_therapist

    therapists: dict[str, Any] = {name: create_therapist(name) for name in references}
    for name, kept in (("taught", "taught"), ("trained", "policy")):
        therapists[name] = create_policy_therapist(load_policy(directory / kept))
    return {name: evaluate(each, seeds, **options) for name, each in therapists.items()}


def against(found: dict[str, Evaluation]) -> dict[str, Any]:
    """The trained policy beside every other therapist."""
    return {name: compared(found["trained"], each) for name, each in found.items() if name != "trained"}


def further_clients(directory: Path, count: int, options: dict[str, Any]) -> dict[str, Any]:
    """The policies beside complementarity with further clients; nothing if there are none."""
    if count == 0:
        return {}
    seeds = THERAPY_FURTHER_SEEDS[:count]
    found = treated(directory, seeds, REFERENCES[:1], options)
    return {
        "clients": [seeds[0], seeds[-1]],
        "therapists": {name: each.summary() for name, each in found.items()},
        "trained_against": against(found),
    }


def study(
    config: StudyConfig,
    *,
    clients: int,
    save_dir: Path,
    further: int = 0,
    planned: int = 0,
    foreseen: int = 0,
    say: Any = print,
) -> dict[str, Any]:
    """Train on one setting and measure on held-out clients; ``planned`` and ``foreseen`` of them for the limits."""
    seeds = THERAPY_TEST_SEEDS[:clients]
    options = SETTINGS[config.setting]
    directory = save_dir / f"therapy-{config.setting}-{config.hash()[:8]}"
    result = trained(config, directory, say)
    found = treated(directory, seeds, REFERENCES, options)
    return {
        "setting": config.setting,
        "options": options,
        "clients": [seeds[0], seeds[-1]],
        "config": asdict(config),
        "config_hash": config.hash(),
        **result,
        "therapists": {name: each.summary() for name, each in found.items()},
        "trained_against": against(found),
        "further": further_clients(directory, further, options),
        "limits": limits(options, min(planned, clients), min(foreseen, clients), found["complementary"]),
    }


def check_counts(given: argparse.Namespace) -> None:
    """Refuse numbers that make no study."""
    for name in ("updates", "batch", "clients"):
        if getattr(given, name) < 1:
            raise JimbotError(f"--{name} must be at least 1, got {getattr(given, name)}")
    for name in ("further", "planned", "foreseen"):
        if getattr(given, name) < 0:
            raise JimbotError(f"--{name} must be at least 0, got {getattr(given, name)}")


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; its exit code."""
    parser = argparse.ArgumentParser(prog="python -m tools.therapy_study", description=__doc__)
    parser.add_argument("--setting", nargs="+", choices=tuple(SETTINGS), default=list(SETTINGS))
    parser.add_argument("--updates", type=int, default=StudyConfig.updates, help="updates of PPO per setting")
    parser.add_argument(
        "--batch", type=int, default=StudyConfig.batch, help="therapies an update learns from"
    )
    parser.add_argument("--clients", type=int, default=1_000, help="held-out clients per setting")
    parser.add_argument("--further", type=int, default=10_000, help="clients treated beyond these")
    parser.add_argument(
        "--planned", type=int, default=200, help="of them, treated by the planning mind reader"
    )
    parser.add_argument("--foreseen", type=int, default=0, help="of them, searched with foresight")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--save-dir", type=Path, default=Path("models"))
    parser.add_argument("--output", type=Path, default=Path("results", "therapy_policy.json"))
    given = parser.parse_args(arguments)
    try:
        check_counts(given)
        studies = [
            study(
                StudyConfig(setting, updates=given.updates, batch=given.batch, seed=given.seed),
                clients=given.clients,
                save_dir=given.save_dir,
                further=given.further,
                planned=given.planned,
                foreseen=given.foreseen,
            )
            for setting in given.setting
        ]
        document = {
            "command": ["python", "-m", "tools.therapy_study", *(arguments or sys.argv[1:])],
            "git": git_state(),
            "versions": library_versions(),
            "studies": studies,
        }
        make_directories(given.output.parent)
        write_json(given.output, document, nonfinite="null")
    except JimbotError as error:
        print(f"jimbot: error: {error}", file=sys.stderr)
        return 2
    for each in studies:
        further = {f"{name} (further)": cell for name, cell in each["further"].get("therapists", {}).items()}
        for name, cell in (each["therapists"] | further | each["limits"]).items():
            share, low, high = (100 * cell[key] for key in ("success_rate", "wilson_low", "wilson_high"))
            print(
                f"{each['setting']:10} {name:23} {share:5.1f} % [{low:.1f}, {high:.1f}] of {cell['episodes']} clients"
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
