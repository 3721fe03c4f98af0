"""Progress as people see it: the live panel drawn to a recorded console, plain lines elsewhere, refusals."""

from __future__ import annotations

import io
import threading

import pytest
from rich.console import Console
from tests.training.tiny_envs import MaskedBandit

from jimbot.errors import JimbotError
from jimbot.training.config.trainer_config import HyperparameterConfig, TrainerConfig
from jimbot.training.framework import create_trainer
from jimbot.training.loop import progress
from jimbot.training.loop.phases import Phases
from jimbot.training.loop.progress import (
    LiveProgress,
    PlainProgress,
    Refresher,
    SilentProgress,
    Status,
    check_progress,
    create_progress,
)


def console_of(*, terminal: bool) -> Console:
    return Console(
        file=io.StringIO(),
        force_terminal=terminal,
        width=100,
        height=30,
        record=True,
        color_system=None,
        _environ={},
    )


def words_of(console: Console) -> str:
    """What the console shows, columns a space apart."""
    return " ".join(console.export_text().split())


@pytest.fixture
def status() -> Status:
    return Status(
        title="PPO on Balatro",
        total=100_000,
        timesteps=40_000,
        rate=1_200.0,
        shares={"env": 0.1, "policy": 0.3, "learn": 0.6},
        spent={"collecting": 4.0, "learning": 6.0},
        phase="learning",
        memory=412_000_000,
        processors=1.1,
        values={
            "rollout/mean_reward": 1.2345,
            "rollout/mean_ante": 3.5,
            "rollout/win_rate": 0.125,
            "evaluation/mean_blinds": 7.25,
            "train/loss": 9.87654,
        },
        note="checkpoint at 40,000",
    )


# --- the panel -------------------------------------------------------------------------------------------------------


def test_the_panel_shows_speed_by_phase_reward_ante_wins_and_the_time_left(status):
    console = console_of(terminal=True)
    live = create_progress("auto", console)
    assert isinstance(live, LiveProgress)
    live.start(status)
    live.show(status, force=True)
    live.stop()
    text = words_of(console)
    for words in (
        "PPO on Balatro",
        "40,000 / 100,000 steps",
        "1,200 steps/s",
        "collecting 40%",
        "env 10%",
        "policy 30%",
        "learning 60%",
        "memory 412 MB",
        "processors 1.1",
        "left 0:50",
        "reward 1.234",
        "ante 3.50",
        "won 12.5%",
        "eval blinds 7.25",
        "loss 9.877",
        "checkpoint at 40,000",
    ):
        assert words in text, words
    assert "value loss" not in text


def test_the_panel_is_redrawn_with_what_is_new(status):
    console = console_of(terminal=True)
    live = LiveProgress(console)
    live.show(status)  # before it is put up, nothing
    assert console.export_text() == ""
    live.start(Status("PPO on Balatro", 100_000))
    live.show(status, force=True)
    status.timesteps, status.rate, status.note = 99_000, 0.0, "finished"
    live.show(status)
    live.stop()
    live.stop()  # a second time does nothing
    live.show(status, force=True)
    text = console.export_text()
    assert text.index("40,000 / 100,000") < text.index("99,000 / 100,000")
    assert text.rindex("left ?") > text.index("left 0:50")  # without a rate nobody knows
    assert "finished" in text


def test_numbers_that_are_not_there_take_no_place():
    console = console_of(terminal=True)
    console.print(progress.draw(Status("DQN on CartPole-v1", 10, values={"rollout/mean_reward": 20.0})))
    text = words_of(console)
    assert "reward 20.000" in text
    assert "ante" not in text
    assert "won" not in text


@pytest.mark.parametrize(
    ("seconds", "text"), [(None, "?"), (0, "0:00"), (59.9, "0:59"), (3_725, "1:02:05"), (-3, "0:00")]
)
def test_clocks(seconds, text):
    assert progress.clock(seconds) == text


# --- lines -----------------------------------------------------------------------------------------------------------


def test_what_is_not_a_terminal_gets_plain_lines(status, monkeypatch):
    console = console_of(terminal=False)
    plain = create_progress("auto", console)
    assert isinstance(plain, PlainProgress)
    now = 1_000.0
    monkeypatch.setattr(progress.time, "monotonic", lambda: now)
    plain.start(Status("PPO on Balatro", 100_000))
    plain.show(status)
    plain.show(status)  # too soon after the last line
    plain.show(status, force=True)
    now += progress.SECONDS_BETWEEN_LINES
    plain.show(status)
    plain.stop()
    first, *lines = console.export_text().splitlines()
    assert first == "PPO on Balatro: 0 of 100,000 steps"
    assert len(lines) == 3
    assert len(set(lines)) == 1
    for words in ("40,000 steps", "1,200 steps/s", "reward 1.234", "ante 3.50", "won 12.5%", "left 0:50"):
        assert words in lines[0]
    assert lines[0].endswith("(checkpoint at 40,000)")


def test_kinds_can_be_chosen():
    terminal, file = console_of(terminal=True), console_of(terminal=False)
    assert isinstance(create_progress("plain", terminal), PlainProgress)
    assert isinstance(create_progress("live", file), LiveProgress)
    assert isinstance(create_progress("silent", terminal), SilentProgress)


def test_other_kinds_are_refused_before_anything_is_made(tmp_path):
    for call in (check_progress, create_progress):
        with pytest.raises(JimbotError, match=r"^progress: expected auto, live, plain, silent, got 'fancy'$"):
            call("fancy")
    config = TrainerConfig(env="CartPole-v1", save_dir=str(tmp_path / "models"))
    with create_trainer(None, config) as trainer:
        with pytest.raises(JimbotError, match="progress: expected"):
            trainer.train(progress="fancy")
        with pytest.raises(JimbotError, match="total_timesteps must not be negative, got -5"):
            trainer.train(-5, progress="silent")
    assert not (tmp_path / "models").exists()


# --- a training ------------------------------------------------------------------------------------------------------


def test_a_training_fills_the_panel(tmp_path, monkeypatch):
    console = console_of(terminal=True)
    monkeypatch.setattr(
        "jimbot.training.loop.session.create_progress", lambda kind: create_progress(kind, console)
    )
    config = TrainerConfig(
        total_timesteps=128,
        n_envs=2,
        eval_freq=64,
        eval_episodes=2,
        save_dir=str(tmp_path),
        hyperparams=HyperparameterConfig(
            policy_net_arch=[8],
            value_net_arch=[8],
            algorithm_specific={"n_steps": 32, "batch_size": 32, "n_epochs": 1},
        ),
    )
    with create_trainer(MaskedBandit, config) as trainer:
        trainer.train()
    text = words_of(console)
    assert "128 / 128 steps" in text
    assert "steps/s" in text
    for words in ("collecting", "learning", "reward ", "won ", "eval reward ", "left 0:00", "finished"):
        assert words in text, words


def test_progress_moves_within_an_update():
    """A thread draws while the main one is busy collecting."""
    now = 100.0
    phases = Phases(lambda: now)
    phases.start(1_000)
    status = Status("PPO on Balatro", 5_000)
    status.watch(phases, 2_048)
    assert status.rate == 0.0
    phases.enter("collecting")
    phases.count(512)
    now += 1.0
    status.refresh()
    assert (status.timesteps, status.collected, status.rate) == (1_512, 512, 512.0)
    assert progress.describe_phase(status) == "collecting 512 of 2,048"
    drawn = threading.Event()

    class Screen(SilentProgress):
        interval: float | None = 0.001

        def show(self, status: Status, *, force: bool = False) -> None:
            if status.collected == 1_024:
                drawn.set()

    with Refresher(Screen(), status):
        phases.count(512)
        assert drawn.wait(30)


def test_the_last_update_is_as_long_as_what_is_left():
    status = Status("", 1_000, timesteps=900, collected=20, update_steps=512, phase="collecting")
    assert progress.describe_phase(status) == "collecting 20 of 120"
    status.phase = "learning"
    assert progress.describe_phase(status) == "learning"


def test_silent_progress_needs_no_thread(status):
    before = threading.active_count()
    with Refresher(SilentProgress(), status):
        assert threading.active_count() == before
