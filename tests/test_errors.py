"""Errors for people: one line that says what is missing and what brings it."""

from __future__ import annotations

import sys

import pytest

from jimbot.errors import JimbotError, MissingExtraError, require


def test_require_returns_the_imported_module():
    assert require("json.decoder", "sb3") is sys.modules["json.decoder"]


@pytest.mark.parametrize("module", ["a_library_that_is_absent", "a_library_that_is_absent.part"])
def test_require_names_the_library_and_the_command_in_one_line(module):
    with pytest.raises(MissingExtraError) as caught:
        require(module, "sb3")
    message = str(caught.value)
    assert message == f"{module} is not installed; pip install 'jimbot[sb3]' brings it"
    assert isinstance(caught.value, JimbotError)
    assert (caught.value.extra, caught.value.module) == ("sb3", module)


def test_require_does_not_hide_a_broken_library(tmp_path, monkeypatch):
    (tmp_path / "library_with_a_broken_part.py").write_text("import another_absent_library\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="another_absent_library"):
        require("library_with_a_broken_part", "sb3")
