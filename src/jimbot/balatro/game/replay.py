"""Replays: a run as its seed and actions, a few hundred bytes, verified by the hash of the state it leads to."""

import zlib
from dataclasses import dataclass
from pathlib import Path

from jimbot.balatro.game.actions import Action, ActionKind, Encoded
from jimbot.balatro.game.game import Game
from jimbot.errors import JimbotError
from jimbot.storage.atomic import write_file_atomically
from jimbot.storage.strict_json import dump_json, parse_json

_MAGIC = b"JIMBOTR1"


class ReplayError(JimbotError, ValueError):
    """Raised for a file that is not a replay, is damaged, or does not reproduce its recorded final state."""


@dataclass(frozen=True)
class Replay:
    """A recorded run. ``final_hash`` is the hash of the state after the last action.

    ``first_state`` is a snapshot of the run before the first action, empty where the seed leads to it.
    """

    seed: str
    deck: str
    stake: int
    challenge: str | None
    profile: str
    endless: bool
    actions: tuple[Encoded, ...]
    final_hash: int
    first_state: bytes = b""

    @classmethod
    def of(cls, game: Game) -> "Replay":
        """Record a run so far. Edited, restored and resampled runs cannot be replayed from their seed."""
        actions = game.actions
        if actions is None:
            raise ReplayError(
                "this run was edited, restored or resampled: its seed and actions do not lead to it"
            )
        return cls(
            game.seed,
            game.deck,
            game.stake,
            game.challenge,
            game.profile,
            game.endless,
            tuple(actions),
            game.hash,
        )

    def start(self) -> Game:
        """Return the run before its first action."""
        if self.first_state:
            return Game.restore(self.first_state)
        return Game(
            self.seed,
            self.deck,
            self.stake,
            self.challenge,
            self.profile,
            endless=self.endless,
            raw_seed=True,  # as the run has it: normalized already, or raw
        )

    def play(self, verify: bool = True) -> Game:
        """Replay all actions and return the run; with ``verify``, check that it ends in the recorded state."""
        game = self.start()
        for encoded in self.actions:
            game.step(Action.decode(encoded))
        if verify and game.hash != self.final_hash:
            raise ReplayError(
                f"the replay of {self.seed} does not lead to the recorded state: it was made by another engine version"
            )
        return game

    def to_bytes(self) -> bytes:
        """Serialize the replay as compact, checksummed bytes."""
        parts = [self.seed, self.deck, self.stake, self.challenge, self.profile, self.endless]
        head = dump_json([*parts, len(self.actions), len(self.first_state)]).encode()
        body = bytearray()
        for kind, a, b, mask in self.actions:
            body += bytes((kind, a, b)) + mask.to_bytes(4, "little")
        body += self.first_state
        packed = zlib.compress(len(head).to_bytes(2, "little") + head + bytes(body), 9)
        content = self.final_hash.to_bytes(8, "little") + packed
        return _MAGIC + zlib.crc32(content).to_bytes(4, "little") + content

    @classmethod
    def from_bytes(cls, data: bytes) -> "Replay":
        """Parse a replay from its bytes; anything else raises ReplayError."""
        if data[:8] != _MAGIC:
            raise ReplayError("not a replay: the bytes do not start like one")
        if len(data) < 20 or zlib.crc32(data[12:]) != int.from_bytes(data[8:12], "little"):
            raise ReplayError("the replay is damaged: its checksum does not fit")
        try:
            content = zlib.decompress(data[20:])
            length = int.from_bytes(content[:2], "little")
            seed, deck, stake, challenge, profile, endless, count, *rest = parse_json(
                content[2 : 2 + length], "its head"
            )
            body = content[2 + length :]
            size = rest[0] if rest else 0  # of the first state
            if len(body) != 7 * count + size:
                raise ReplayError(
                    f"the replay is damaged: it names {count} actions and holds {(len(body) - size) / 7:g}"
                )
            body, first_state = body[: 7 * count], body[7 * count :]
        except (zlib.error, ValueError, TypeError) as error:
            raise ReplayError(f"the replay cannot be read: {error}") from None
        actions = tuple(
            (body[i], body[i + 1], body[i + 2], int.from_bytes(body[i + 3 : i + 7], "little"))
            for i in range(0, len(body), 7)
        )
        if any(kind >= len(ActionKind) for kind, *_ in actions):
            raise ReplayError("the replay is damaged: it holds an action of no known kind")
        final_hash = int.from_bytes(data[12:20], "little")
        return cls(seed, deck, stake, challenge, profile, endless, actions, final_hash, first_state)

    def save(self, path: str | Path) -> Path:
        """Write the replay atomically: an existing file is replaced only once the new one is complete."""
        target = Path(path)
        try:
            write_file_atomically(target, self.to_bytes())
        except OSError as error:
            raise ReplayError(f"cannot write {target}: {error.strerror}") from None
        return target

    @classmethod
    def load(cls, path: str | Path) -> "Replay":
        """Read a replay file."""
        try:
            return cls.from_bytes(Path(path).read_bytes())
        except OSError as error:
            raise ReplayError(f"cannot read {path}: {error.strerror}") from None
