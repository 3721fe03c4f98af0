"""Errors for people: one line that says what is missing and what brings it."""

from __future__ import annotations

import sys
import warnings

import pytest

from jimbot.errors import (
    JimbotError,
    MissingExtraError,
    add_suggestion,
    exit_code,
    plain_warnings,
    require,
    suggest,
)


def test_require_returns_the_imported_module():
    assert require("json.decoder", "sb3") is sys.modules["json.decoder"]


@pytest.mark.parametrize("module", ["a_library_that_is_absent", "a_library_that_is_absent.part"])
def test_require_names_the_library_and_the_command_in_one_line(module):
    with pytest.raises(MissingExtraError) as caught:
        require(module, "sb3")
    message = str(caught.value)
    assert message == f"{module} is not installed; install it with: pip install 'jimbot[sb3]'"
    assert isinstance(caught.value, JimbotError)
    assert (caught.value.extra, caught.value.module) == ("sb3", module)


def test_require_does_not_hide_a_broken_library(tmp_path, monkeypatch):
    (tmp_path / "library_with_a_broken_part.py").write_text("import another_absent_library\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(ModuleNotFoundError, match="another_absent_library"):
        require("library_with_a_broken_part", "sb3")


WARN = """
import warnings
from jimbot.errors import add_suggestion, suggest, exit_code

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


@pytest.mark.parametrize(
    ("name", "known", "end"),
    [
        ("greedi", ["random", "greedy"], "did you mean 'greedy'?"),
        ("ppo", ["PPO", "A2C"], "expected PPO or A2C"),
        ("GREEDY", ["random", "greedy"], "did you mean 'greedy'?"),
        ("xyz", ["random", "greedy", "scripted"], "expected random, greedy or scripted"),
        ("xyz", ["random"], "expected random"),
    ],
)
def test_unknown_name_gets_the_nearest_or_all(name, known, end):
    assert suggest(name, known) == end


@pytest.mark.parametrize(
    ("message", "addition"),
    [
        ("unknown deck 'b_rde'; expected one of b_red, b_blue", "; did you mean 'b_red'?"),
        ("unknown deck 'xyzzy'; expected one of b_red, b_blue", ""),
        ("the stake must be 1 to 8, got 9", ""),
    ],
)
def test_error_of_the_engine_gets_the_nearest_name(message, addition):
    assert add_suggestion(message) == message + addition
