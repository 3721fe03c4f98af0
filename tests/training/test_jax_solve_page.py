"""The page about JAX says what was measured."""

from __future__ import annotations

import json

import pytest
from tools.jax_solve_page import measured_parts
from tools.page_marks import filled


def test_the_page_agrees_with_the_committed_numbers(root):
    numbers = json.loads((root / "results" / "jax_cartpole.json").read_text(encoding="utf-8"))
    page = (root / "docs" / "guides" / "jax.md").read_text(encoding="utf-8")
    assert page == filled(page, measured_parts(numbers)), "python -m tools.jax_solve_page writes it"


def test_other_numbers_make_another_page(root):
    numbers = json.loads((root / "results" / "jax_cartpole.json").read_text(encoding="utf-8"))
    page = (root / "docs" / "guides" / "jax.md").read_text(encoding="utf-8")
    seed = {**numbers["seeds"][0], "episodes": 999, "mean_reward": 480.5}
    numbers |= {"seeds": [seed, *numbers["seeds"][1:]], "load": None, "commit": "0123456789abcdef"}
    numbers["speed"] = [{**numbers["speed"][0], "steps_per_second": 1_234_567, "compile_seconds": 7.7}]
    changed = filled(page, measured_parts(numbers))
    for text in (
        "to 999 episodes",
        "lowest mean is 480.5",
        "| 1,234,567 |",
        "| 8 |",
        "processors; commit `0123456789ab`",
    ):
        assert text in changed
        assert text not in page
    assert filled(changed, measured_parts(numbers)) == changed


def test_marks_that_are_missing_are_named():
    with pytest.raises(ValueError, match="the page must have the marks <!-- solved -->"):
        filled("# PPO in JAX\n", {"solved": "five of five"})
