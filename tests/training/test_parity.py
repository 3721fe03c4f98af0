"""The parity tables: no field is ignored by any library, and the comparison can fail."""

from __future__ import annotations

import json
from typing import Any

import pytest

from jimbot.errors import JimbotError
from jimbot.training import parity
from jimbot.training.config import PPOOptions, TrainerConfig
from jimbot.training.framework import BACKENDS, RLTrainer, find_trainer
from jimbot.training.parity_page import backends_page
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


def test_every_option_of_ppo_is_in_the_table():
    options = {path.rpartition(".")[2] for path in parity.CHANGES if path.startswith(parity.OPTIONS)}
    assert options == set(PPOOptions.model_fields)
    assert all(value != parity.value_of_default(path) for path, value in parity.CHANGES.items())


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
    assert "the intervals overlap" in capsys.readouterr().out


def test_the_committed_table_is_of_these_libraries(root):
    numbers = json.loads((root / "results" / "parity.json").read_text(encoding="utf-8"))
    assert numbers["commit"]
    assert numbers["overlap"] is True
    assert numbers["fields"] == parity.field_table(list(numbers["found"]))
    page = (root / "docs" / "backends.md").read_text(encoding="utf-8")
    assert page == backends_page(numbers), "python -m jimbot.training.parity_page writes it anew"
