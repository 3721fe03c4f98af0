"""Random games in which every invariant of the engine is checked, and the same invariants as Python sees them."""

from __future__ import annotations

import importlib.util
import json
import random
import zlib
from typing import Any

import pytest

from jimbot import _engine
from jimbot.balatro import Action, ActionKind, Game, IllegalActionError, Phase, Replay
from jimbot.balatro.game.game import EditError, SnapshotError
from jimbot.balatro.game.replay import ReplayError
from jimbot.errors import JimbotError

from .conformance import HASHES, batch_hash, merged, play
from .failures import describe, read_failure

needs_battery = pytest.mark.skipif(
    importlib.util.find_spec("jimbot._engine_dev") is None,
    reason="the conformance battery is in development builds alone, not in wheels",
)

GAMES = 600
DECKS = 15
STAKES = 8
CHALLENGES = 20


# --- the battery ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def battery():
    return play(batch=11, games=GAMES)


@needs_battery
def test_random_games_keep_every_invariant(battery):
    _, failures = battery
    assert [describe(read_failure(failure)) for failure in failures] == []


@needs_battery
@pytest.mark.slow
def test_many_random_games_keep_every_invariant():
    _, failures = play(batch=21, games=8000)
    assert [describe(read_failure(failure)) for failure in failures[:5]] == []


@needs_battery
def test_random_games_reach_everything(battery):
    report, _ = battery
    assert report["games"] == GAMES
    assert len(report["actions"]) == len(ActionKind)
    assert len(report["decks"]) == DECKS + 1  # and the one of the challenges
    assert len(report["stakes"]) == STAKES
    assert len(report["challenges"]) == CHALLENGES + 1
    assert report["max_ante"] > 8
    assert report["wins"] > 0
    assert report["plays_as_previewed"] > 1000
    assert report["chance_plays_within_bounds"] > 100
    assert report["illegal_actions_refused"] > 10_000
    assert report["mutants"] > GAMES
    assert report["records_compared"] > 20 * GAMES
    assert 0 < report["resampled_copies_with_another_next_state"] < report["resampled_copies"]


@needs_battery
def test_games_are_the_same_again_and_on_two_threads(battery):
    report, failures = battery
    assert batch_hash(11, GAMES, threads=1) == batch_hash(11, GAMES, threads=2)
    if not failures:  # a failed game ends early when it is checked
        assert batch_hash(11, GAMES) == report["hash"]


@needs_battery
def test_a_batch_in_two_parts_is_the_same_batch():
    whole, _ = play(12, 60, checked=False)
    first, _ = play(12, 25, checked=False)
    second, _ = play(12, 35, first=25, checked=False)
    assert merged(first, second) == whole
    assert batch_hash(13, 60) != whole["hash"]


@needs_battery
def test_games_have_the_recorded_hash():
    """The same games on every machine. After a change of rules: python -m tests.balatro.conformance --hashes."""
    recorded = json.loads(HASHES.read_text(encoding="utf-8"))
    assert batch_hash(recorded["batch"], recorded["games"]) == recorded["hash"]


def test_saved_failure_can_be_read():
    game, events = Game("FAIL", "b_blue", 3), []
    for action in (Action.select_blind(), Action.discard(0, 1), Action.play(2, 3)):
        before = game.snapshot()
        game.step(action)
        events.append(["action", *action.encode()])
    saved = {
        "check": "score",
        "detail": "score: too low",
        "batch": 1,
        "game": 2,
        "seed": "FAIL",
        "deck": "b_blue",
    }
    saved |= {"stake": 3, "challenge": None, "profile": "all", "endless": False}
    failure = read_failure(json.dumps(saved | {"events": events, "before": before.hex()}))
    assert failure.action == Action.play(2, 3)
    again = failure.before()
    again.step(Action.play(2, 3))
    assert again.hash == game.hash
    replay = failure.replay()
    assert replay is not None
    assert replay.play().snapshot() == before
    assert "score: too low" in describe(failure)
    changed = read_failure(json.dumps(saved | {"events": [["money", 5, 0]], "before": before.hex()}))
    assert changed.replay() is None
    assert changed.action is None


# --- games in Python --------------------------------------------------------------------------------------------


def random_game(seed: int, steps: int, **options: Any) -> Game:
    """A game some random steps from its start, as far as it lasts."""
    rng = random.Random(seed)
    name = "".join(rng.choices("123456789ABCDEFGHIJKLMNPQRSTUVWXYZ", k=8))
    game = Game(name, **options)
    for _ in range(steps):
        if game.over:
            break
        actions = game.legal_actions()
        kind = rng.choice(sorted({action.kind for action in actions}))
        game.step(rng.choice([action for action in actions if action.kind == kind]))
    return game


@pytest.fixture(scope="module")
def games() -> list[Game]:
    decks = ("b_red", "b_magic", "b_ghost", "b_plasma", "b_erratic")
    return [random_game(seed, 5 * seed, deck=decks[seed % 5], stake=1 + seed % 8) for seed in range(24)]


def test_clone_shares_nothing(games):
    for game in games:
        if game.over:
            continue
        before, twin = game.snapshot(), game.clone()
        action = random.Random(1).choice(game.legal_actions())
        twin.step(action)
        assert game.snapshot() == before
        assert len(twin.actions or []) == len(game.actions or []) + 1
        again = game.clone()
        again.step(action)
        assert again.snapshot() == twin.snapshot()
        assert again.hash == twin.hash


def test_listed_actions_are_those_that_are_taken(games):
    for game in games:
        listed = game.legal_actions()
        assert len(set(listed)) == len(listed)
        assert all(game.why_not(action) is None for action in listed)
        assert (listed == []) == game.over
        for action in random.Random(2).sample(listed, min(8, len(listed))):
            game.clone().step(action)


def test_refused_action_changes_nothing(games):
    rng = random.Random(3)
    for game in games:
        listed, before, taken = set(game.legal_actions()), game.snapshot(), game.actions
        for _ in range(40):
            cards = tuple(sorted(rng.sample(range(10), rng.randint(0, 6))))
            action = Action(rng.choice(list(ActionKind)), rng.randrange(6), rng.randrange(6), cards)
            if action in listed or game.why_not(action) is None:
                continue
            with pytest.raises(IllegalActionError, match=r": \w"):
                game.step(action)
        assert game.snapshot() == before
        assert game.actions == taken


def test_preview_is_what_the_play_scores():
    seen = 0
    for seed in range(20):
        game = random_game(seed + 100, 1)
        if game.phase is not Phase.PLAYING:
            continue
        plays = [action for action in game.legal_actions() if action.kind is ActionKind.PLAY_HAND]
        for action in random.Random(seed).sample(plays, 5):
            before, twin = game.snapshot(), game.clone()
            preview = game.preview(action)
            assert game.snapshot() == before
            twin.step(action)
            if preview["exact"]:
                seen += 1
                assert twin.blind.score == preview["score"] == preview["expected"] == preview["best"]
    assert seen > 20


# --- snapshots ------------------------------------------------------------------------------------------------------


def test_snapshot_round_trip(games):
    for game in games:
        restored = Game.restore(game.snapshot())
        assert restored.snapshot() == game.snapshot()
        assert restored.hash == game.hash
        assert restored.state() == game.state()
        assert restored.legal_actions() == game.legal_actions()
        assert (restored.seed, restored.deck, restored.stake) == (game.seed, game.deck, game.stake)


def test_snapshot_with_any_byte_changed_is_refused(games):
    rng = random.Random(5)
    for game in games[::8]:
        good = game.snapshot()
        for place in range(len(good)):
            bad = bytearray(good)
            bad[place] ^= rng.randint(1, 255)
            with pytest.raises(SnapshotError):
                Game.restore(bytes(bad))


def test_snapshot_of_another_length_is_refused(games):
    good = games[10].snapshot()
    assert len(good) == _engine.snapshot_size
    for bad in (b"", good[:1], good[:7], good[:23], good[:24], good[:-1], good + b"\0", good * 2, good[8:]):
        with pytest.raises(SnapshotError, match=r"snapshot"):
            Game.restore(bad)


@pytest.mark.parametrize("bad", [b"\x89PNG\r\n\x1a\n" + bytes(9000), bytes(9000), b"JIMBOTR1" + bytes(9000)])
def test_foreign_bytes_are_refused(bad):
    with pytest.raises(SnapshotError, match="do not start like one"):
        Game.restore(bad)


def test_snapshot_of_another_version_says_so(games):
    bad = bytearray(games[3].snapshot())
    bad[8:12] = (int.from_bytes(bad[8:12], "little") + 1).to_bytes(4, "little")
    with pytest.raises(SnapshotError, match="another version"):
        Game.restore(bytes(bad))


def checksum(state: bytes) -> int:
    """The checksum a snapshot carries, written down a second time."""
    mask = 2**64 - 1

    def mix(value: int) -> int:
        value ^= value >> 32
        value = value * 0xD6E8FEB86659FD93 & mask
        return value ^ value >> 32

    value = 0x9E3779B97F4A7C15 ^ len(state)
    whole = len(state) // 8 * 8
    for at in range(0, whole, 8):
        value = mix(value ^ int.from_bytes(state[at : at + 8], "little")) + 0x9E3779B97F4A7C15 & mask
    for byte in state[whole:]:
        value = mix(value ^ byte) + 0x9E3779B97F4A7C15 & mask
    return mix(value)


def test_snapshot_of_an_impossible_run_is_refused(games):
    """Bytes with a right checksum but counts, ids or indices out of bounds."""
    header, state = games[20].snapshot()[:24], games[20].snapshot()[24:]
    assert int.from_bytes(header[16:], "little") == checksum(state)
    bad = bytes([0xFF]) * len(state)
    with pytest.raises(SnapshotError, match="cannot exist"):
        Game.restore(header[:16] + checksum(bad).to_bytes(8, "little") + bad)
    empty = bytes(len(state))
    with pytest.raises(SnapshotError, match="cannot exist"):
        Game.restore(header[:16] + checksum(empty).to_bytes(8, "little") + empty)


# --- replays --------------------------------------------------------------------------------------------------------


def test_replay_leads_to_the_same_run(games, tmp_path):
    for game in games:
        replay = Replay.of(game)
        assert Replay.from_bytes(replay.to_bytes()) == replay
        again = replay.play()
        assert again.hash == game.hash
        assert again.snapshot() == game.snapshot()
        assert again.actions == game.actions
        path = replay.save(tmp_path / f"{game.seed}.replay")
        assert Replay.load(path) == replay
        assert [entry.name for entry in tmp_path.iterdir() if entry.name.startswith(".")] == []


def test_replay_keeps_every_option():
    options = {"deck": "b_ghost", "stake": 4, "profile": "fresh", "endless": True}
    game = random_game(9, 30, **options)
    replay = Replay.of(game)
    assert {name: getattr(replay, name) for name in options} == options
    assert Replay.from_bytes(replay.to_bytes()).play().hash == game.hash
    challenge = random_game(10, 30, challenge="c_medusa_1")
    assert Replay.of(challenge).play().hash == challenge.hash


def test_replay_is_small(games):
    assert all(len(Replay.of(game).to_bytes()) < 120 + 8 * len(game.actions or []) for game in games)


def test_replay_with_any_byte_changed_is_refused(games):
    rng = random.Random(6)
    for game in games[::6]:
        good = Replay.of(game).to_bytes()
        for place in range(len(good)):
            bad = bytearray(good)
            bad[place] ^= rng.randint(1, 255)
            with pytest.raises(ReplayError):
                Replay.from_bytes(bytes(bad))


def test_replay_cut_short_is_refused(games, tmp_path):
    good = Replay.of(games[15]).to_bytes()
    for length in range(len(good)):
        with pytest.raises(ReplayError):
            Replay.from_bytes(good[:length])
    path = tmp_path / "cut.replay"
    path.write_bytes(good[:-5])
    with pytest.raises(ReplayError, match="damaged"):
        Replay.load(path)


def packed(head: bytes, body: bytes = b"") -> bytes:
    """Replay bytes with a right checksum around any content."""
    content = bytes(8) + zlib.compress(len(head).to_bytes(2, "little") + head + body)
    return b"JIMBOTR1" + zlib.crc32(content).to_bytes(4, "little") + content


@pytest.mark.parametrize(
    "bad",
    [
        packed(b"nonsense"),
        packed(b"\xff\xfe"),
        packed(b"[]"),
        packed(b"{}"),
        packed(b"7"),
        packed(b'["AAAA", "b_red", 1, null, "all", false, 1]'),
        packed(b'["AAAA", "b_red", 1, null, "all", false, "x"]'),
        packed(b'["AAAA", "b_red", 1, null, "all", false, -1]', b"\0" * 7),
        packed(b'["AAAA", "b_red", 1, null, "all", false, 1]', b"\0" * 6),
    ],
    ids=str,
)
def test_replay_of_nonsense_is_refused(bad):
    with pytest.raises(ReplayError):
        Replay.from_bytes(bad).play()


@pytest.mark.parametrize(
    ("head", "body"),
    [
        (["AAAA", "b_none", 1, None, "all", False], b""),
        (["0000", "b_red", 1, None, "all", False], b""),
        (["AAAA", "b_red", 9, None, "all", False], b""),
        (["AAAA", "b_red", 1, "c_none_1", "all", False], b""),
        (["AAAA", "b_red", 1, None, "none", False], b""),
        (["AAAA", "b_red", 1, None, "all", False], bytes([5, 0, 0, 0, 0, 0, 0])),
        (["AAAA", "b_red", 1, None, "all", False], bytes([77, 0, 0, 0, 0, 0, 0])),
    ],
    ids=str,
)
def test_replay_of_an_impossible_run_is_refused(head, body):
    with pytest.raises(JimbotError):
        Replay.from_bytes(packed(json.dumps([*head, len(body) // 7]).encode(), body)).play()


def test_replay_that_leads_elsewhere_is_refused(games):
    replay = Replay.of(games[12])
    shorter = Replay(**{**vars(replay), "actions": replay.actions[:-1]})
    with pytest.raises(ReplayError, match="does not lead to the recorded state"):
        shorter.play()
    assert shorter.play(verify=False).hash != replay.final_hash


def test_runs_not_from_their_seed_have_no_replay(games):
    edited, resampled = games[4].clone(), games[4].resample_hidden(1)
    edited.edit(money=50)
    for game in (edited, resampled, Game.restore(games[4].snapshot()), edited.clone()):
        assert game.actions is None
        with pytest.raises(ReplayError, match="edited, restored or resampled"):
            Replay.of(game)
    assert Replay.of(games[4]).play().hash == games[4].hash


def test_impossible_edit_changes_nothing(games):
    game = games[6].clone()
    before = game.snapshot()
    for changes in (
        {"hand": ["S_A"] * 40},
        {"jokers": ["j_joker", "j_nobody"]},
        {"money": 9, "stake": 99},
        {"x": 1},
    ):
        with pytest.raises(EditError):
            game.edit(**changes)
    assert game.snapshot() == before
    assert game.actions is not None


# --- hashes ---------------------------------------------------------------------------------------------------------


def test_equal_runs_have_equal_hashes_and_others_do_not(games):
    hashes = {game.hash for game in games}
    assert len(hashes) == len(games)
    for game in games[::5]:
        assert game.clone().hash == game.hash
        assert game.resample_hidden(3).hash != game.hash
    one, other = Game("AAAA"), Game("AAAB")
    assert one.hash != other.hash
    assert one.hash == Game("AAAA").hash
