"""``--json`` in every command that has it: one JSON document on standard output, nothing else there, the same codes."""

from __future__ import annotations

import json
from typing import Any

import pytest
from typer.main import get_command

from jimbot import cli
from jimbot.training.framework import TrainerConfig, create_trainer


def commands_with_json() -> dict[str, Any]:
    """The option ``--json`` of every command and subcommand that has one, by the command's words."""
    found: dict[str, Any] = {}
    for name in cli.COMMANDS:
        command: Any = get_command(cli.load_application(name))
        inner = getattr(command, "commands", {})
        for words, each in [(name, command), *((f"{name} {word}", each) for word, each in inner.items())]:
            for parameter in each.params:
                if "--json" in parameter.opts:
                    found[words] = parameter
    return found


WITH_JSON = commands_with_json()
EXAMPLES = {
    "analyze": ["analyze", "{run}", "--episodes", "2"],
    "checkpoints list": ["checkpoints", "list", "{run}"],
    "checkpoints verify": ["checkpoints", "verify", "{run}"],
    "doctor": ["doctor"],
    "env actions": ["env", "actions"],
    "env schema": ["env", "schema"],
    "evaluate": ["evaluate", "random", "--episodes", "2"],
    "runs": ["runs", "{models}"],
    "score": ["score", "{cases}"],
    "seed show": ["seed", "TESTER11"],
    "seed find": ["seed", "find", "--joker", "j_joker", "--count", "1"],
    "therapy report": [
        "therapy",
        "report",
        "--episodes",
        "2",
        "--therapist",
        "random",
        "--pattern",
        "cold_stuck",
    ],
    "bench engine": ["bench", "engine", "--seconds", "0.01"],
}
MACHINE_BOUND = {name for name in WITH_JSON if name.startswith("bench ")} - {"bench engine"}
"""They print by the same line, and take long."""


@pytest.fixture(scope="module")
def places(tmp_path_factory, root):
    """What the examples need: a run, a file of hands."""
    pytest.importorskip("stable_baselines3")
    place = tmp_path_factory.mktemp("json")
    config = TrainerConfig(env="cartpole", name="small", save_dir=str(place / "models"), n_envs=2)
    config.total_timesteps = config.eval_freq = config.checkpoint_freq = 64
    config.eval_episodes = 2
    config.hyperparams.algorithm_specific = {"n_steps": 32, "batch_size": 32, "n_epochs": 1}
    with create_trainer(None, config) as trainer:
        trainer.train(progress="silent")
    cases = place / "hands.json"
    known = json.loads((root / "tests" / "data" / "scoring_cases.json").read_text())["cases"]
    cases.write_text(json.dumps(known[:2]))
    return {"run": str(place / "models" / "small"), "models": str(place / "models"), "cases": str(cases)}


def refuse(word: str) -> None:
    raise ValueError(f"{word} is not JSON")


@pytest.mark.parametrize("words", WITH_JSON)
def test_json_is_a_flag_everywhere(words):
    assert WITH_JSON[words].is_flag
    assert WITH_JSON[words].default is False
    assert "JSON" in WITH_JSON[words].help


def test_every_command_with_json_is_looked_at():
    assert set(WITH_JSON) - MACHINE_BOUND == set(EXAMPLES)


@pytest.mark.parametrize("words", EXAMPLES)
def test_json_prints_one_document(words, jimbot, places):
    finished = jimbot(*(word.format(**places) for word in EXAMPLES[words]), "--json")
    assert finished.code == 0, finished.err
    document = json.loads(finished.out, parse_constant=refuse)
    assert isinstance(document, dict | list)
    assert finished.out.endswith("\n")
    assert not finished.out.startswith("\n")


@pytest.mark.parametrize(
    "words",
    [
        ["seed", "no such seed!"],
        ["evaluate", "nobody"],
        ["checkpoints", "list", "nowhere"],
        ["score", "nowhere.json"],
        ["analyze", "nowhere"],
    ],
    ids=" ".join,
)
def test_error_is_one_line_beside_an_empty_output(words, jimbot):
    finished = jimbot(*words, "--json")
    assert (finished.code, finished.out) == (2, "")
    assert finished.err.startswith("jimbot: error: ")
    assert finished.err.count("\n") == 1


def test_save_writes_what_json_prints(jimbot, tmp_path):
    target = tmp_path / "result.json"
    finished = jimbot("evaluate", "random", "--episodes", "2", "--json", "--save", str(target))
    assert json.loads(target.read_text()) == json.loads(finished.out)
    tables = jimbot("evaluate", "random", "--episodes", "2")
    assert "wins" in tables.out
    assert "{" not in tables.out
