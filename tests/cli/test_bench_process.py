"""Measurements in processes of their own: what they find, what they take, and how they fail."""

from __future__ import annotations

import os
from typing import Any

import pytest

from jimbot.cli.bench.process import run_in_process, run_with_memory
from jimbot.errors import JimbotError


def adds(queue: Any, one: int, other: int) -> None:
    queue.put((one + other, os.getpid()))


def fails(queue: object) -> None:
    del queue
    raise SystemExit(3)


def test_what_the_function_puts_comes_back_from_another_process():
    found, pid = run_in_process(adds, 2, 3)
    assert (found, pid == os.getpid()) == (5, False)


def test_memory_is_watched():
    (found, _), peak = run_with_memory(adds, 2, 3)
    assert found == 5
    assert peak > 2**20


@pytest.mark.parametrize("run", [run_in_process, run_with_memory])
def test_a_measurement_that_fails_is_one_error(run):
    with pytest.raises(JimbotError, match="ended without a result, with exit code 3"):
        run(fails)
