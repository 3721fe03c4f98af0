"""Errors for people: one line that says what is missing and what brings it."""

from __future__ import annotations

import sys
import warnings

import pytest

from jimbot.errors import JimbotError, MissingExtraError, exit_code, plain_warnings, require


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


WARN = """
import warnings
from jimbot.errors import exit_code

def command():
    warnings.warn("the card table is\\n  wet", UserWarning, stacklevel=1)
    warnings.warn("the card table is wet", UserWarning, stacklevel=1)
    return 3

raise SystemExit(exit_code(command))
"""


def test_a_command_warns_in_one_line_without_source(run_python):
    finished = run_python("-c", WARN)
    assert finished.returncode == 3
    assert finished.stderr == "jimbot: warning: the card table is wet\n"


def test_warnings_look_as_before_after_a_command():
    before = warnings.formatwarning
    with plain_warnings():
        assert warnings.formatwarning("wet", UserWarning, "a.py", 1) == "jimbot: warning: wet\n"
        assert warnings.formatwarning("wet", UserWarning, "b.py", 2) == ""
    assert warnings.formatwarning is before
    assert exit_code(lambda: 0) == 0
    assert warnings.formatwarning is before
