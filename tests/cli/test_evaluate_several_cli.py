"""``jimbot evaluate A B C``: everybody plays the same games, and is compared with the first game by game."""

from __future__ import annotations

import json

import numpy as np
import pytest
from tests.cli.test_evaluate_run_cli import policy_of

from jimbot import _engine
from jimbot.players.evaluation import evaluation_seeds, play_runs
from jimbot.statistics.intervals import mean_interval, paired_difference, wilson_interval


@pytest.fixture(scope="module")
def balatro(tmp_path_factory):
    """A policy that was trained on something easier than whole games."""
    directory = tmp_path_factory.mktemp("balatro")
    return policy_of(directory, "balatro", actions="candidates", difficulty="easy", fast=True, stakes=[2])


@pytest.fixture(scope="module")
def cartpoles(tmp_path_factory):
    return [str(policy_of(tmp_path_factory.mktemp(name), "CartPole-v1")) for name in ("one", "two")]


def test_players_share_their_games(jimbot):
    finished = jimbot("evaluate", "scripted", "random", "--episodes", "8", "--deck", "b_plasma", "--json")
    assert finished.code == 0, finished.err
    report = json.loads(finished.out)
    scripted, random = report["players"]
    runs = {name: play_runs(name, evaluation_seeds(8), deck="b_plasma") for name in ("scripted", "random")}
    assert report["seed_numbers"] == evaluation_seeds(8)
    for entry in (scripted, random):
        own = runs[entry["name"]]
        assert entry["blinds"] == [run.blinds for run in own]
        mean = mean_interval([run.blinds for run in own])
        assert entry["mean_blinds"] == {"estimate": mean.estimate, "low": mean.low, "high": mean.high}
        wins = wilson_interval(sum(run.won for run in own), 8)
        assert entry["win_rate"] == {"estimate": wins.estimate, "low": wins.low, "high": wins.high}
        assert sum(entry["lost_to"].values()) == 8 - sum(entry["won"])
    apart = paired_difference(random["blinds"], scripted["blinds"])
    assert random["difference"]["blinds"]["low"] == pytest.approx(apart.low)
    assert "difference" not in scripted
    assert report["reference"] == "scripted"


def test_the_table_speaks_as_players_do(jimbot):
    finished = jimbot(
        "evaluate", "scripted", "random", "--episodes", "6", "--deck", "b_plasma", "--stake", "2"
    )
    assert finished.code == 0, finished.err
    assert "Plasma Deck, Red Stake  6 unseen games, the same for all" in finished.out
    assert "minus scripted, game by game" in finished.out
    assert "random lost to Small Blind" in finished.out
    assert "± is half a 95 % interval" in finished.out
    assert "bl_" not in finished.out


def test_a_policy_and_the_players_play_the_same_whole_games(jimbot, balatro, tmp_path):
    target = tmp_path / "result.json"
    finished = jimbot("evaluate", str(balatro), "scripted", "--episodes", "5", "--save", str(target))
    assert finished.code == 0, finished.err
    assert "Red Deck, White Stake" in finished.out
    report = json.loads(target.read_text())
    policy, scripted = report["players"]
    assert policy["name"] == str(balatro)
    runs = play_runs("scripted", report["seed_numbers"])
    assert scripted["blinds"] == [run.blinds for run in runs]
    assert [run.seed for run in runs] == [_engine.seed_at(number) for number in report["seed_numbers"]]
    assert len(policy["rewards"]) == 5
    assert policy["cpu_seconds_per_game"] > 0
    assert sum(policy["lost_to"].values()) == 5 - sum(policy["won"])
    later = jimbot("evaluate", str(balatro), "scripted", "--episodes", "3", "--first", "2", "--json")
    assert later.code == 0, later.err
    again = json.loads(later.out)
    assert again["seed_numbers"] == report["seed_numbers"][2:]
    assert again["players"][0]["rewards"] == policy["rewards"][2:]


def test_policies_of_another_environment_are_compared_by_reward(jimbot, cartpoles):
    finished = jimbot("evaluate", *cartpoles, "--episodes", "6", "--json")
    assert finished.code == 0, finished.err
    report = json.loads(finished.out)
    assert report["env"] == "CartPole-v1"
    first, second = report["players"]
    expected = np.mean(second["rewards"]) - np.mean(first["rewards"])
    assert second["difference"]["reward"]["estimate"] == pytest.approx(expected)
    assert "won" not in first
    table = jimbot("evaluate", *cartpoles, "--episodes", "6")
    assert "CartPole-v1  6 unseen games" in table.out


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["scripted", "nobody"], "there is no player and no path 'nobody'"),
        (["greedy", "random", "--weights", "w.json"], "--weights: only the scripted player has weights"),
        (["scripted", "{balatro}", "--training"], "--training: {balatro} is measured on unseen episodes"),
        (["scripted", "{cartpole}"], "{cartpole} does not play Balatro and scripted does"),
    ],
)
def test_refusals(words, message, jimbot, balatro, cartpoles, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "w.json").write_text("{}")
    places = {"balatro": str(balatro), "cartpole": cartpoles[0]}
    finished = jimbot("evaluate", *(word.format(**places) for word in words))
    assert finished.code == 2
    assert message.format(**places) in finished.err
    assert finished.err.count("\n") == 1
