"""Where a run's time goes, and its throughput."""

from __future__ import annotations

import pytest

from jimbot.training.loop.phases import Phases


class Clock:
    """A clock that is moved by hand."""

    now = 50.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_throughput_counts_training_only(clock: Clock) -> None:
    phases = Phases(clock)
    phases.start(0)
    phases.enter("collecting")
    clock.now += 2
    phases.enter("learning")
    clock.now += 2
    phases.end_update(4_000, {"env": 0.5, "policy": 1.5, "learn": 2.0})
    with phases.during("evaluating"):
        clock.now += 96
    with phases.during("saving"):
        clock.now += 10
    assert phases.training_seconds == 4
    assert phases.rate == 1_000
    assert (phases.spent("evaluating"), phases.spent("saving")) == (96, 10)
    assert phases.elapsed == 110
    assert phases.shares == {"env": 0.125, "policy": 0.375, "learn": 0.5}
    assert phases.part_metrics()["time/policy_seconds"] == 1.5


def test_phases_share_all_of_the_time(clock: Clock) -> None:
    phases = Phases(clock)
    phases.start(0)
    for phase in ("cloning", "collecting", "learning", "evaluating", "collecting"):
        clock.now += 1.5
        phases.enter(phase)
    clock.now += 0.5
    assert sum(map(phases.spent, phases.seconds)) == pytest.approx(phases.elapsed)


def test_time_of_libraries_that_tell_no_phase_is_split_afterwards(clock: Clock) -> None:
    phases = Phases(clock)
    phases.start(0)
    phases.enter("updating")
    clock.now += 10
    assert phases.training_seconds == 10
    phases.end_update(100, {"env": 6.0, "learn": 4.0})
    assert (phases.spent("collecting"), phases.spent("learning"), phases.spent("updating")) == (6, 4, 0)
    assert phases.training_seconds == 10


def test_a_resumed_run_counts_its_own_steps(clock: Clock) -> None:
    phases = Phases(clock)
    phases.start(10_000)
    phases.enter("collecting")
    phases.count(500)
    clock.now += 1
    assert (phases.timesteps, phases.collected, phases.rate) == (10_500, 500, 500)
    phases.end_update(10_512, {})
    assert (phases.timesteps, phases.collected, phases.updates) == (10_512, 0, 1)
