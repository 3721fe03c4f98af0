"""``jimbot watch``: players and replays screen by screen, GIFs, and nothing half-written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from jimbot.balatro import Action, Game, Replay
from jimbot.cli import files, watch
from jimbot.players import create_player

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def short_replay(tmp_path):
    """A replay of six decisions, and where it is."""
    game, player = Game("7LB2WVPK"), create_player("greedy")
    for _ in range(6):
        game.step(player.choose(game))
    path = tmp_path / "short.replay"
    Replay.of(game).save(path)
    return game, path


def test_a_player_to_the_end(jimbot, tmp_path):
    saved = tmp_path / "run.replay"
    finished = jimbot("watch", "7LB2WVPK", "--save", str(saved))
    assert (finished.code, finished.err) == (0, "")
    game = Replay.load(saved).play()
    assert game.over
    assert f"7LB2WVPK  lost in ante {game.ante} after {len(game.actions or [])} decisions" in finished.out
    assert "the run is lost" in finished.out
    assert finished.out.count("Red Deck, White Stake") == 1 + len(game.actions or [])


def test_random_player_and_deck(jimbot):
    finished = jimbot("watch", "A", "--player", "random", "--deck", "b_ghost", "--steps", "3")
    assert finished.code == 0
    assert "Ghost Deck" in finished.out


def test_a_replay_to_its_end(jimbot, short_replay):
    game, path = short_replay
    finished = jimbot("watch", "--replay", str(path))
    assert (finished.code, finished.err) == (0, "")
    captions = [line for line in finished.out.splitlines() if line[:1].isdigit() and ". " in line[:4]]
    assert [caption.partition(".")[0] for caption in captions] == [str(number) for number in range(1, 7)]
    assert finished.out.splitlines()[-1] == f"7LB2WVPK  stopped in ante {game.ante} after 6 decisions"


def test_steps_stop_it(jimbot, short_replay, tmp_path):
    saved = tmp_path / "part.replay"
    assert jimbot("watch", "--replay", str(short_replay[1]), "--steps", "2", "--save", str(saved)).code == 0
    assert Replay.load(saved).actions == Replay.load(short_replay[1]).actions[:2]
    assert "after 0 decisions" in jimbot("watch", "A", "--steps", "0").out


def test_delay_waits_between_screens(jimbot, monkeypatch):
    waited = []
    monkeypatch.setattr(watch.time, "sleep", waited.append)
    jimbot("watch", "A", "--steps", "3", "--delay", "0.25")
    assert waited == [0.25] * 4


def test_terminal_shows_screens_in_place(jimbot, monkeypatch):
    waited = []
    monkeypatch.setattr(watch.time, "sleep", waited.append)
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm-256color")
    finished = jimbot("watch", "A", "--steps", "2")
    assert finished.code == 0
    assert waited == [watch.DEFAULT_DELAY] * 3
    assert "\x1b[" in finished.out


def test_interrupt_saves_what_was_watched(jimbot, monkeypatch, tmp_path):
    saved = tmp_path / "run.replay"
    pauses = iter(range(3))

    def interrupt(_seconds):
        if next(pauses) == 2:
            raise KeyboardInterrupt

    monkeypatch.setattr(watch.time, "sleep", interrupt)
    finished = jimbot("watch", "A", "--delay", "1", "--save", str(saved))
    assert (finished.code, finished.err) == (130, "")
    assert len(Replay.load(saved).actions) == 2


# --- trained policies -------------------------------------------------------------------------------------------------


def trained(directory: Path, actions: str, **metadata: Any) -> Path:
    """A small network that has learned nothing, as a policy file."""
    torch = pytest.importorskip("torch")
    from tests.networks.samples import SMALL

    from jimbot.balatro.env.single import BalatroEnv
    from jimbot.networks import create_network, get_tensors, make_network_spec, save_policy

    env = BalatroEnv(actions=actions)
    torch.manual_seed(0)
    network = create_network(make_network_spec(env.observation_space, env.action_space, **SMALL))
    save_policy(directory, network.spec, get_tensors(network), None, metadata)
    return directory


@pytest.mark.parametrize("actions", ["slots", "candidates"])
def test_a_trained_policy_is_watched(actions, jimbot, tmp_path):
    """A run keeps its best policy in best/ and says what it played in config.yaml; a policy file says it itself."""
    run = tmp_path / "run"
    trained(run / "best", actions)
    (run / "config.yaml").write_text(f"env: balatro\nenv_kwargs:\n  actions: {actions}\n")
    alone = trained(tmp_path / "alone", actions, env="balatro")
    played = []
    for place, saved in ((run, tmp_path / "run.replay"), (alone / "policy.json", tmp_path / "alone.replay")):
        finished = jimbot("watch", "7LB2WVPK", "--player", str(place), "--steps", "12", "--save", str(saved))
        assert (finished.code, finished.err) == (0, "")
        assert "7LB2WVPK  " in finished.out.splitlines()[-2]
        played.append(Replay.load(saved).actions)
    assert played[0] == played[1]
    assert len(played[0]) > 2


def test_policies_that_cannot_play_a_run(jimbot, tmp_path):
    empty = tmp_path / "empty"
    empty.mkdir()
    assert "holds no policy" in jimbot("watch", "A", "--player", str(empty)).err
    foreign = trained(tmp_path / "foreign", "slots", env="cartpole")
    finished = jimbot("watch", "A", "--player", str(foreign))
    assert (finished.code, finished.out) == (2, "")
    assert "plays cartpole; only a policy for Balatro can play a run" in finished.err


# --- GIFs -----------------------------------------------------------------------------------------------------------


def test_gif_has_a_frame_per_decision_and_one_for_the_start(jimbot, short_replay, tmp_path):
    image_module = pytest.importorskip("PIL.Image")
    gif = tmp_path / "run.gif"
    finished = jimbot("watch", "--replay", str(short_replay[1]), "--gif", str(gif), "--delay", "0.5")
    assert finished.code == 0, finished.err
    assert "written to" in finished.out
    with image_module.open(gif) as image:
        assert (image.n_frames, image.size) == (7, (640, 360))
        assert image.info["duration"] == 500
        image.seek(6)
        assert image.info["duration"] == 2000
    assert sorted(path.name for path in tmp_path.iterdir()) == ["run.gif", "short.replay"]


def test_gif_that_fails_leaves_the_old_one(jimbot, monkeypatch, tmp_path):
    pytest.importorskip("PIL")
    from jimbot.cli import animation

    gif = tmp_path / "run.gif"
    gif.write_bytes(b"old")

    def full(*_arguments: Any, **_options: Any):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("PIL.Image.Image.save", full)
    finished = jimbot("watch", "A", "--gif", str(gif), "--steps", "1")
    assert finished.code == 2
    assert finished.err.endswith(f"jimbot: error: cannot write {gif}: No space left on device\n")
    assert gif.read_bytes() == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["run.gif"]
    monkeypatch.setattr(animation.GifWriter, "MOST_FRAMES", 1)
    assert "at most 1 frames" in jimbot("watch", "A", "--gif", str(gif), "--steps", "1").err


def test_interrupted_gif_leaves_nothing(jimbot, monkeypatch, tmp_path):
    pytest.importorskip("PIL")

    def interrupt(*_arguments: Any, **_options: Any):
        raise KeyboardInterrupt

    monkeypatch.setattr("PIL.Image.Image.save", interrupt)
    assert jimbot("watch", "A", "--gif", str(tmp_path / "run.gif"), "--steps", "1").code == 130
    assert list(tmp_path.iterdir()) == []


# --- bad input ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["!"], "'!'"),
        (["A", "--player", "greedi"], "there is no player and no path 'greedi'; did you mean 'greedy'?"),
        (["A", "--player", "x"], "there is no player and no path 'x'; expected greedy, random or scripted"),
        (["A", "--deck", "b_x"], "b_x"),
        (["A", "--delay", "-1"], "delay must be 0 to 60 seconds, got -1"),
        (["A", "--delay", "nan"], "delay must be 0 to 60 seconds, got nan"),
        (["A", "--steps", "-1"], "steps must be 0 or more, got -1"),
        (["--replay", "absent.replay"], "cannot read absent.replay: No such file or directory"),
        (["A", "--replay", "absent.replay"], "a replay brings its own seed"),
        (["--player", "greedy", "--replay", "absent.replay"], "a replay brings its own seed"),
        (["A", "--gif", "run.mp4"], "--gif writes animated GIFs only, got run.mp4; name the file run.gif"),
        (["A", "--gif", "run"], "--gif writes animated GIFs only, got run; name the file run.gif"),
        (["A", "--gif", "no/such/run.gif"], "cannot write no/such/run.gif: there is no directory no"),
        (["A", "--save", "no/such/run.replay"], "cannot write no/such/run.replay: there is no directory no"),
    ],
)
def test_bad_input_gets_one_line(arguments, message, jimbot, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    finished = jimbot("watch", *arguments)
    assert (finished.code, finished.out) == (2, "")
    assert finished.err.startswith("jimbot: error: ")
    assert finished.err.count("\n") == 1
    assert message in finished.err
    assert list(tmp_path.iterdir()) == []


def test_foreign_and_damaged_replays(jimbot, short_replay, tmp_path):
    foreign = tmp_path / "foreign.replay"
    foreign.write_bytes(b"something else entirely")
    assert "not a replay" in jimbot("watch", "--replay", str(foreign)).err
    game, _ = short_replay
    recorded = Replay.of(game)
    impossible = Replay(**{**vars(recorded), "actions": (Action.leave_shop().encode(),)})
    impossible.save(foreign)
    finished = jimbot("watch", "--replay", str(foreign))
    assert finished.code == 2
    assert "cannot be played: leave the shop" in finished.err
    Replay(**{**vars(recorded), "final_hash": 1}).save(foreign)
    assert "does not lead to the recorded state" in jimbot("watch", "--replay", str(foreign)).err


def test_target_must_be_writable(monkeypatch, tmp_path):
    monkeypatch.setattr(files.os, "access", lambda *_: False)
    with pytest.raises(files.TargetError, match="is not writable"):
        files.check_target(tmp_path / "x")
