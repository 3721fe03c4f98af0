"""The parity tables: no field is ignored by any library, and the comparison can fail."""

from __future__ import annotations

import json
from typing import Any

import pytest
from tools import parity
from tools.parity_page import backends_page

from jimbot.errors import JimbotError
from jimbot.training.config.trainer_config import ALGORITHM_OPTIONS, TrainerConfig
from jimbot.training.framework import BACKENDS, RLTrainer, find_trainer
from jimbot.training.sb3_trainer import SB3Trainer


def test_no_library_ignores_a_field():
    able = [name for name in BACKENDS if "PPO" in find_trainer(name).capabilities.algorithms]
    assert {"sb3", "tianshou", "jax"} <= set(able)
    table = parity.field_table(able)
    for path, row in table.items():
        assert list(row) == able
        assert "ignored" not in row.values(), path
    assert table["hyperparams.gamma"]["sb3"] == "gamma"
    assert table["hyperparams.algorithm_specific.batch_size"]["jax"] == "ppo.minibatch_size"
    assert table["hyperparams.algorithm_specific.target_kl"]["tianshou"].startswith("refused: the library")


@pytest.mark.parametrize("algorithm", ["A2C", "DQN"])
def test_no_library_ignores_a_field_of_other_algorithms(algorithm):
    able = parity.libraries_with(algorithm, BACKENDS)
    assert {"sb3", "tianshou"} <= set(able)
    assert "jax" not in able
    table = parity.field_table(able, algorithm)
    for path, row in table.items():
        assert list(row) == able
        assert "ignored" not in row.values(), path
    assert ("hyperparams.gae_lambda" in table) == (algorithm == "A2C")
    assert table["hyperparams.gamma"]["tianshou"] == "algorithm.gamma"


@pytest.mark.parametrize("algorithm", ["PPO", "A2C", "DQN"])
def test_every_option_is_in_the_table(algorithm):
    changes = parity.changes_of(algorithm)
    options = {path.rpartition(".")[2] for path in changes if path.startswith(parity.OPTIONS)}
    assert options == set(ALGORITHM_OPTIONS[algorithm].model_fields)
    assert all(value != parity.value_of_default(path, algorithm) for path, value in changes.items())


def test_a_field_that_is_ignored_is_found(monkeypatch):
    class Forgetful(SB3Trainer):
        @classmethod
        def translate(cls, config: TrainerConfig) -> dict[str, Any]:
            return {**super().translate(config), "gamma": 0.99}

    def found(name: str) -> type[RLTrainer]:
        del name
        return Forgetful

    monkeypatch.setattr(parity, "find_trainer", found)
    assert parity.field_table(["mine"])["hyperparams.gamma"]["mine"] == "ignored"
    with pytest.raises(JimbotError, match=r"ignored.*hyperparams\.gamma by mine"):
        parity.main(["--backends", "mine", "--seeds", "0"])


def test_intervals_that_overlap():
    one, other = {"low": 1.0, "high": 3.0}, {"low": 2.5, "high": 4.0}
    assert parity.overlapping({"one": one, "other": other})
    assert not parity.overlapping({"one": one, "other": other, "third": {"low": 3.5, "high": 5.0}})


def test_a_short_comparison_is_written(tmp_path, capsys):
    output = tmp_path / "parity.json"
    parity.main(["--backends", "sb3", "--seeds", "2", "--timesteps", "1024", "--output", str(output)])
    numbers = json.loads(output.read_text())
    assert len(numbers["found"]["sb3"]["returns"]) == 2
    assert numbers["overlap"] is True
    assert numbers["seeds"] == [0, 1]
    shown = capsys.readouterr().out
    assert "the intervals overlap" in shown
    assert "1 of 2: sb3, seed 0: " in shown
    assert "2 of 2: sb3, seed 1: " in shown
    assert [path.name for path in tmp_path.iterdir()] == ["parity.json"]


def test_an_interrupted_comparison_goes_on(tmp_path, monkeypatch, capsys):
    """Trainings that have ended are not repeated, unless they are of another configuration."""
    trained: list[tuple[str, int]] = []

    def training(backend: str, seed: int, timesteps: int) -> dict[str, float]:
        if len(trained) == 3 and backend == "jax":
            raise KeyboardInterrupt
        trained.append((backend, seed))
        return {"return": 100.0 * seed + timesteps, "seconds": 1.0}

    monkeypatch.setattr(parity, "trained_return", training)
    output = tmp_path / "parity.json"
    words = ["--backends", "sb3,jax", "--seeds", "3", "--output", str(output), "--timesteps"]
    with pytest.raises(KeyboardInterrupt):
        parity.main([*words, "10"])
    assert trained == [("sb3", 0), ("jax", 0), ("sb3", 1)]
    assert not output.exists()
    trained.append(("nothing", 0))  # no interrupt any more
    parity.main([*words, "10"])
    assert trained[4:] == [("jax", 1), ("sb3", 2), ("jax", 2)]
    numbers = json.loads(output.read_text())
    assert numbers["found"]["jax"]["returns"] == [10.0, 110.0, 210.0]
    assert numbers["found"]["sb3"]["seconds"] == 3.0
    assert "6 of 6: jax, seed 2: 210.0" in capsys.readouterr().out
    kept = parity.Kept(output, "one")
    kept.add("sb3", 0, {"return": 1.0, "seconds": 1.0})
    assert parity.Kept(output, "one").has("sb3", 0)
    assert not parity.Kept(output, "other").has("sb3", 0)


def test_the_committed_table_is_of_these_libraries(root):
    numbers = json.loads((root / "results" / "parity.json").read_text(encoding="utf-8"))
    assert numbers["commit"]
    assert numbers["overlap"] is True
    assert numbers["fields"] == parity.field_table(list(numbers["found"]))
    other = backends_page({**numbers, "timesteps": 50_000, "seeds": list(range(10))})
    assert "parity --timesteps 50000 --seeds 10 --output" in other
    assert "luck" not in other
    page = (root / "docs" / "reference" / "backends.md").read_text(encoding="utf-8")
    assert page == backends_page(numbers), "python -m tools.parity_page writes it anew"
