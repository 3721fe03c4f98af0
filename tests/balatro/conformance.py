"""Many games of the conformance battery, and their numbers for ``results/``.

``python -m tests.balatro.conformance --games 100000 --write results/conformance.json`` plays a batch with all checks,
plays a part of it again on one thread and on two, and records the outcome. ``--hashes`` records the hash of the small
batch that every machine must reproduce, in ``tests/data/run_hashes.json``.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

from .failures import Failure, describe, read_failure
from .provenance import ROOT, write_result

HASHES = ROOT / "tests" / "data" / "run_hashes.json"
CHUNK = 500


def play(
    batch: int, games: int, *, first: int = 0, threads: int = 1, checked: bool = True
) -> tuple[dict[str, Any], list[str]]:
    """The report of some games of a batch, and its failures as JSON. Needs a development build (``make setup``)."""
    from jimbot import _engine_dev

    report, failures = _engine_dev.conformance(batch, first, games, threads, checked)
    return json.loads(report), failures


def batch_hash(batch: int, games: int, threads: int = 1) -> str:
    """The hash of every state of every game."""
    return play(batch, games, threads=threads, checked=False)[0]["hash"]


def merged(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Two reports as one: counts add up, maxima stay maxima."""
    result = dict(one)
    for name, value in other.items():
        if name not in one:
            result[name] = value
        elif name == "hash":
            result[name] = str((int(one[name]) + int(value)) % 2**64)
        elif name == "max_score":
            result[name] = max(one[name], value, key=float)
        elif name.startswith("max_"):
            result[name] = max(one[name], value)
        elif isinstance(value, dict):
            result[name] = merged(one[name], value)
        else:
            result[name] = one[name] + value
    return result


def play_many(batch: int, games: int) -> tuple[dict[str, Any], list[str]]:
    """A batch in pieces, with its progress in view."""
    report: dict[str, Any] = {}
    failures: list[str] = []
    start = told = time.monotonic()
    for first in range(0, games, CHUNK):
        part, failed = play(batch, min(CHUNK, games - first), first=first)
        report = merged(report, part)
        failures += failed
        if time.monotonic() - told > 60:
            told = time.monotonic()
            print(
                f"{report['games']} games, {report['nodes']} decisions, {len(failures)} failures", flush=True
            )
    report["seconds"] = round(time.monotonic() - start)
    return report, failures


def one_of_each(failures: list[str]) -> list[Failure]:
    """The first failure of every kind."""
    kinds: dict[str, Failure] = {}
    for failure in map(read_failure, failures):
        kinds.setdefault(failure.detail.split(":")[0], failure)
    return list(kinds.values())


def main() -> None:
    """Play a batch and record the outcome."""
    parser = argparse.ArgumentParser(description="Random games with every promise of the engine checked.")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--batch", type=int, default=1)
    parser.add_argument("--write", default="", help="JSON file for the outcome")
    parser.add_argument("--hashes", action="store_true", help="record the hash of the small batch")
    parser.add_argument("--fuzz", default="", help="record the report that `make fuzz` wrote, in --write")
    options = parser.parse_args()
    if options.hashes:
        small = {"batch": 7, "games": 300}
        HASHES.write_text(json.dumps(small | {"hash": batch_hash(7, 300)}, indent=2) + "\n", encoding="utf-8")
        return
    if options.fuzz:
        report = json.loads(Path(options.fuzz).read_text(encoding="utf-8"))
        what = {"what": "random games under the address and undefined-behavior sanitizers"}
        command = f"make fuzz FUZZ_SECONDS={report['seconds_asked']} FUZZ_BATCH={report['batch']}"
        write_result(options.write, what | report, command)
        return
    report, failures = play_many(options.batch, options.games)
    for failure in one_of_each(failures):
        print(describe(failure))
    again = min(options.games, 10_000)
    hashes = {f"{threads}_threads": batch_hash(options.batch, again, threads) for threads in (1, 2)}
    print({name: report[name] for name in ("games", "nodes", "failures", "wins", "max_ante", "hash")}, hashes)
    if options.write:
        what = {"what": "random games with every promise of the engine checked at every decision"}
        outcome = (
            what | {"batch": options.batch} | report | {"played_again": {"games": again, "hashes": hashes}}
        )
        command = f"python -m tests.balatro.conformance --games {options.games} --batch {options.batch}"
        write_result(options.write, outcome, command)


if __name__ == "__main__":
    main()
