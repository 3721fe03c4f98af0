"""The named columns of observations: every array has them, and the documents list them."""

from __future__ import annotations

import pytest
from tests.conftest import ROOT
from tools.columns_page import environment_page

from jimbot import _engine
from jimbot.balatro.env.schema import OBSERVATION_COLUMNS, column_index


@pytest.mark.parametrize("candidates", [0, 32])
def test_every_array_has_a_column_for_every_entry(candidates):
    fields = {field["name"]: field for field in _engine.observation_schema(candidates)}
    named = {name for name in fields if name in OBSERVATION_COLUMNS}
    assert set(fields) - named == {"action_mask"}
    for name in named:
        columns, field = OBSERVATION_COLUMNS[name], fields[name]
        assert len(columns) == field["shape"][-1]
        assert len({column.name for column in columns}) == len(columns)
        lowest = -field["high"] if field["type"] == "float32" else 0
        for column in columns:
            assert column.name.replace("_", "").isalnum()
            assert column.text
            assert lowest <= column.low < column.high <= field["high"]
    assert set(OBSERVATION_COLUMNS) == named | {"candidates", "candidate_ids"}


def test_column_index():
    assert column_index("globals", "ante") == 6
    assert column_index("candidates", "play") == 0
    with pytest.raises(KeyError, match="no column 'luck' in 'globals'"):
        column_index("globals", "luck")
    with pytest.raises(KeyError, match="no column 'luck' in 'action_mask'"):
        column_index("action_mask", "luck")


def test_the_documents_tables_are_those_of_the_engine():
    page = (ROOT / "docs" / "reference" / "environment.md").read_text(encoding="utf-8")
    assert environment_page(page) == page, "run: python -m tools.columns_page"
    assert all(f"`{column.name}`" in page for columns in OBSERVATION_COLUMNS.values() for column in columns)
    with pytest.raises(ValueError, match="must have the marks <!-- arrays -->"):
        environment_page("nothing")
