"""Failures of the conformance battery, read back: the state before the fault, the event that showed it, a replay.

``engine_conformance`` and ``make fuzz`` save a failure as JSON: how the game began, every event up to the fault, and a
snapshot of the state before the last one. ``python -m tests.balatro.failures FILE...`` tells what is in such files.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jimbot.balatro import Action, Game, Replay


@dataclass(frozen=True)
class Failure:
    """One saved failure."""

    check: str
    detail: str
    options: dict[str, Any]
    events: list[list[Any]]
    snapshot: bytes

    @property
    def action(self) -> Action | None:
        """The last action, unless the last event was a change by hand."""
        last = self.events[-1] if self.events else ["none"]
        return decoded(last) if last[0] == "action" else None

    def before(self) -> Game:
        """The run before the last event."""
        return Game.restore(self.snapshot)

    def replay(self) -> Replay | None:
        """The game as a replay up to the last event, or None if parts of it were changed by hand."""
        if any(kind != "action" for kind, *_ in self.events):
            return None
        game = Game(**self.options)
        for event in self.events[:-1]:
            game.step(decoded(event))
        return Replay.of(game)


def decoded(event: list[Any]) -> Action:
    """The action of an event."""
    _, kind, position, to, mask = event
    return Action.decode((kind, position, to, mask))


def read_failure(text: str) -> Failure:
    """A failure from its JSON."""
    plain = json.loads(text)
    options = {name: plain[name] for name in ("seed", "deck", "stake", "challenge", "profile", "endless")}
    if options["challenge"]:  # brings its own deck and stake
        del options["deck"], options["stake"]
    snapshot = bytes.fromhex(plain["before"])
    return Failure(plain["check"], plain["detail"], options, plain["events"], snapshot)


def describe(failure: Failure) -> str:
    """A failure in a few lines."""
    game = failure.before()
    state = game.state()
    last = game.describe(failure.action) if failure.action else str(failure.events[-1:])
    return "\n".join(
        [
            f"{failure.check}: {failure.detail}",
            f"  options: {failure.options}",
            f"  before:  {state['phase']}, ante {state['ante']}, blind {state['blind']['key']}, ${state['money']}",
            f"  jokers:  {', '.join(joker['key'] for joker in state['jokers'])}",
            f"  hand:    {' '.join(card['card'] for card in state['hand'])}",
            f"  last:    {last} (event {len(failure.events)})",
        ]
    )


if __name__ == "__main__":
    for name in sys.argv[1:]:
        print(describe(read_failure(Path(name).read_text(encoding="utf-8"))))
