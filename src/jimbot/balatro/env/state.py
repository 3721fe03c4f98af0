"""Snapshots and replays of environments."""

from __future__ import annotations

from jimbot import _engine
from jimbot.balatro.game.game import Game
from jimbot.balatro.game.replay import Replay
from jimbot.errors import JimbotError

EngineReplay = tuple[int, str, int, bool, tuple[tuple[int, int, int, int], ...], int, bytes]
"""Seed number, deck, stake, endless, actions, final hash, first state."""


class EnvSnapshotError(JimbotError, ValueError):
    """Raised for bytes that are not a snapshot, or a snapshot of an environment with other options."""


def restore_engine(runs: _engine.VectorEnv, snapshot: bytes) -> bytes:
    """Restore the engine's episodes from a snapshot, and return the extra bytes that were saved with them."""
    try:
        return runs.restore(bytes(snapshot))
    except ValueError as error:
        raise EnvSnapshotError(str(error)) from None


def make_replay(recorded: EngineReplay, seed: str | None = None) -> Replay:
    """Convert the engine's recording of an episode to a ``Replay``."""
    number, deck, stake, endless, actions, final_hash, first_state = recorded
    if seed is None:
        seed = _engine.seed_at(number) if number < _engine.seed_space else Game.restore(first_state).seed
    return Replay(seed, deck, stake, None, "all", endless, actions, final_hash, first_state)
