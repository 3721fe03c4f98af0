"""What environments keep beyond a step: snapshots of all their runs, and replays of their episodes."""

from __future__ import annotations

from jimbot import _engine
from jimbot.balatro.game.game import Game
from jimbot.balatro.game.replay import Replay
from jimbot.errors import JimbotError

EngineReplay = tuple[int, str, int, bool, tuple[tuple[int, int, int, int], ...], int, bytes]
"""Seed number, deck, stake, endless, actions, final hash, first state."""


class EnvSnapshotError(JimbotError, ValueError):
    """Bytes that are no snapshot of an environment, or not of one like this."""


def restore_engine(runs: _engine.VectorEnv, snapshot: bytes) -> bytes:
    """Bring the engine's episodes to where a snapshot was made; what was kept beside them."""
    try:
        return runs.restore(bytes(snapshot))
    except ValueError as error:
        raise EnvSnapshotError(str(error)) from None


def make_replay(recorded: EngineReplay, seed: str | None = None) -> Replay:
    """The engine's recording of an episode as a Replay."""
    number, deck, stake, endless, actions, final_hash, first_state = recorded
    if seed is None:
        seed = _engine.seed_at(number) if number < _engine.seed_space else Game.restore(first_state).seed
    return Replay(seed, deck, stake, None, "all", endless, actions, final_hash, first_state)
