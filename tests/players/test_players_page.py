"""docs/guides/players.md says what the engine and the committed results say."""

from __future__ import annotations

import json

import pytest
from tools.players_page import players_page, results_text, weights_text

from jimbot.players.scripted_player import weight_table


def test_page_is_up_to_date(root):
    page = (root / "docs" / "guides" / "players.md").read_text(encoding="utf-8")
    report = json.loads((root / "results" / "scripted_player.json").read_text(encoding="utf-8"))
    assert players_page(page, report) == page, "run: python -m tools.players_page"


def test_every_general_weight_is_listed():
    text = weights_text()
    for weight in weight_table():
        assert (f"| `{weight.name}` |" in text) == ("." not in weight.name)


def test_a_page_without_places_is_refused(root):
    report = json.loads((root / "results" / "scripted_player.json").read_text(encoding="utf-8"))
    assert "wins" in results_text(report)
    with pytest.raises(ValueError, match="must have the marks <!-- results -->"):
        players_page("nothing", report)


def test_results_hold_enough_seeds_and_the_promise(root):
    report = json.loads((root / "results" / "scripted_player.json").read_text(encoding="utf-8"))
    assert report["evaluation_set"] == {"set": "evaluation", "first": 0, "episodes": 2000}
    assert report["weights"] == {}
    assert report["win_interval"][0] > 0.03
