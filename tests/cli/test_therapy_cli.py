"""``jimbot therapy`` and ``jimbot bench env --env therapy``."""

from __future__ import annotations

import csv
import json

import pytest

SMALL = [
    "--episodes",
    "20",
    "--pattern",
    "cold_stuck",
    "--pattern",
    "complementary_perfect",
    "--mechanism",
    "1",
]
POLICY = (
    "def complement(observations):\n    return (4 - observations['client_action']) % 8\n\n\nnothing = 3\n"
)
PNG = b"\x89PNG\r\n"


def test_report_as_table(jimbot):
    finished = jimbot("therapy", "report", *SMALL)
    assert finished.code == 0, finished.err
    for part in ("complementary", "row_maximum", "cold_stuck", "100.0 [84-100]", "95 % Wilson interval"):
        assert part in finished.out


def test_report_as_files(jimbot, tmp_path):
    table = tmp_path / "cells.csv"
    finished = jimbot("therapy", "report", *SMALL, "--csv", str(table), "--json", "--therapist", "constant_2")
    assert finished.code == 0, finished.err
    report = json.loads(finished.out)
    assert report["seeds"] == [0, 19]
    assert report["options"]["threshold"] == 0.8
    cells = {cell["pattern"]: cell for cell in report["cells"]}
    assert cells["complementary_perfect"]["successes"] == 20
    assert cells["cold_stuck"]["successes"] == 0
    rows = list(csv.DictReader(table.read_text(encoding="utf-8").splitlines()))
    assert [row["pattern"] for row in rows] == ["cold_stuck", "complementary_perfect"]
    assert rows[0]["therapist"] == "constant_2"
    assert float(rows[0]["wilson_high"]) == pytest.approx(cells["cold_stuck"]["wilson_high"])


def test_report_of_a_policy(jimbot, tmp_path):
    file = tmp_path / "mine.py"
    file.write_text(POLICY)
    options = ["--json", "--pattern", "cold_warm", "--mechanism", "0", "--episodes", "30"]
    mine = json.loads(jimbot("therapy", "report", *options, "--policy", f"{file}:complement").out)
    scripted = json.loads(jimbot("therapy", "report", *options, "--therapist", "complementary").out)
    assert mine["cells"][0]["therapist"] == f"{file}:complement"
    assert mine["cells"][0]["mean_return"] == scripted["cells"][0]["mean_return"]
    assert len(mine["cells"]) == 1


def test_report_for_the_record(jimbot, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "results").mkdir()
    assert jimbot("therapy", "report", *SMALL, "--write").code == 0
    written = json.loads((tmp_path / "results" / "therapy_baselines.json").read_text())
    assert {"commit", "seeds", "options", "cells"} <= written.keys()
    assert len(written["cells"]) == 4


def test_pictures(jimbot, tmp_path):
    pytest.importorskip("matplotlib")
    heat, course = tmp_path / "heat.png", tmp_path / "client.png"
    assert jimbot("therapy", "report", *SMALL, "--plot", str(heat)).code == 0
    assert heat.read_bytes().startswith(PNG)
    finished = jimbot("therapy", "client", "--seed", "11", "--output", str(course))
    assert finished.code == 0, finished.err
    assert finished.out.startswith("success after 94 sessions: ")
    assert course.read_bytes().startswith(PNG)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["report", "--therapist", "freud"], "unknown therapist 'freud'; expected random"),
        (["report", "--pattern", "happy"], "unknown pattern 'happy'; expected one of"),
        (["report", "--mechanism", "5"], "unknown mechanism 5; expected 0 to 4"),
        (["report", "--json", "--markdown"], "--json and --markdown both say how to print; give one"),
        (["report", "--episodes", "0"], "episodes must be at least 1"),
        (
            ["report", "--policy", "nothing"],
            "there is no policy 'nothing'; give the path of one, module:name or file.py:name",
        ),
        (["report", "--policy", "no_such_module:x"], "there is no module 'no_such_module'"),
        (["report", "--policy", "none.py:x"], "there is no file none.py"),
        (["report", "--policy", "json:nothing"], "json has no callable 'nothing'"),
        (["report", "--csv", "no/where/cells.csv"], "cannot write no/where/cells.csv"),
        (["report", "--plot", "heat.svg"], "cannot write heat.svg: the picture is a PNG; give a name that"),
        (["client", "--output", "client.xyz"], "cannot write client.xyz: the picture is a PNG; give a name"),
        (["client", "--output", "client"], "cannot write client: the picture is a PNG; give a name"),
        (["client", "--output", "no/where.png"], "cannot write no/where.png: there is no directory no"),
    ],
)
def test_bad_input_gets_one_line(arguments, message, jimbot):
    finished = jimbot("therapy", *arguments)
    assert finished.code == 2
    assert finished.err.startswith(f"jimbot: error: {message}")
    assert finished.err.count("\n") == 1


def test_measures_sessions(jimbot, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "results").mkdir()
    monkeypatch.setattr("jimbot.cli.bench.therapy_speed.CLIENTS", 8)
    monkeypatch.setattr("jimbot.cli.bench.therapy_speed.find_spec", lambda _: None)
    finished = jimbot("bench", "env", "--env", "therapy", "--seconds", "0.02", "--write", "--json")
    assert finished.code == 0, finished.err
    report = json.loads(finished.out)
    assert report == json.loads((tmp_path / "results" / "bench_therapy.json").read_text())
    measured = {each["name"]: each for each in report["measurements"]}
    assert list(measured) == ["single", "batch", "vector"]
    for each in measured.values():
        assert each["per_second"] > 0
        assert each["times_single"] == pytest.approx(each["per_second"] / measured["single"]["per_second"])


def test_bench_of_an_unknown_environment_gets_one_line(jimbot):
    finished = jimbot("bench", "env", "--env", "chess")
    assert finished.code == 2
    assert "--env is balatro or therapy" in finished.err


def test_report_of_a_trained_policy(jimbot, tmp_path):
    """A policy file, the directory that holds one as a run does, and the parameters train_ppo writes."""
    import torch

    from jimbot.networks import save_policy
    from jimbot.networks.torch.therapy_policy import TherapyPolicyNet
    from jimbot.therapy.env.observations import action_space, observation_space
    from jimbot.training.therapy.files_torch import write_policy

    torch.manual_seed(0)
    network = TherapyPolicyNet(observation_space(), action_space(), 8)
    write_policy(tmp_path / "policy.pth", network)
    save_policy(tmp_path / "models" / "best", network.spec, network.flat_tensors())
    reports = []
    for path in (tmp_path / "policy.pth", tmp_path / "models", tmp_path / "models" / "best" / "policy.json"):
        finished = jimbot("therapy", "report", *SMALL, "--json", "--policy", str(path))
        assert finished.code == 0, finished.err
        reports.append([{**cell, "therapist": ""} for cell in json.loads(finished.out)["cells"]])
    assert reports[0] == reports[1] == reports[2]
    assert reports[0][0]["episodes"] == 20
    finished = jimbot("therapy", "report", *SMALL, "--policy", str(tmp_path))
    assert (finished.code, "holds no policy" in finished.err) == (2, True)
    other = save_other_policy(tmp_path / "other")
    finished = jimbot("therapy", "report", *SMALL, "--policy", str(other))
    assert finished.code == 2
    assert "the network has 2 actions, the environment 8" in finished.err


def save_other_policy(path):
    """A policy for another environment."""
    import gymnasium
    import numpy as np

    from jimbot.networks import initialize_tensors, make_network_spec, save_policy

    space = gymnasium.spaces.Box(-1, 1, (3,), np.float32)
    spec = make_network_spec(space, gymnasium.spaces.Discrete(2), features_dim=4, shared_layers=())
    save_policy(path, spec, initialize_tensors(spec, 0))
    return path
