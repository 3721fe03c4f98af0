"""The ``jimbot`` command itself: help, dispatch to verbs, exit codes. Verbs have tests of their own."""

from __future__ import annotations

import json
import sys
from types import ModuleType

import pytest
import typer

from jimbot import cli
from jimbot.errors import JimbotError

# Modules that must not be imported to answer `jimbot --help`.
SLOW_MODULES = ("numpy", "rich", "typer", "click", "pydantic", "jimbot._engine")

LIST_MODULES_AFTER_HELP = """
import json, sys
from jimbot.cli import main
try:
    main(["--help"])
except SystemExit as exit:
    print(json.dumps([exit.code, sorted(sys.modules)]))
"""


@pytest.fixture
def plant_verb(monkeypatch):
    """A function that adds a verb ``planted`` whose body is the given function."""

    def plant(body):
        module = ModuleType("planted_verb")
        module.app = typer.Typer(add_completion=False)  # pyright: ignore[reportAttributeAccessIssue]
        module.app.command()(body)
        monkeypatch.setitem(sys.modules, "planted_verb", module)
        monkeypatch.setitem(cli.VERBS, "planted", ("planted_verb:app", "a verb for the test"))

    return plant


def exit_code_of(*arguments: str) -> object:
    with pytest.raises(SystemExit) as caught:
        cli.main(arguments)
    return caught.value.code


@pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"], ["help"]])
def test_help_lists_every_verb_with_its_line(arguments, capsys):
    assert exit_code_of(*arguments) == 0
    output = capsys.readouterr().out
    for verb, (_, line) in cli.VERBS.items():
        assert f"  {verb} " in output
        assert line in output


def test_help_imports_nothing_slow(run_python):
    finished = run_python("-c", LIST_MODULES_AFTER_HELP)
    assert finished.returncode == 0, finished.stderr
    code, modules = json.loads(finished.stdout.splitlines()[-1])
    assert code == 0
    verbs = {f"jimbot.cli.{verb}" for verb in cli.VERBS}
    assert not verbs.union(SLOW_MODULES).intersection(modules)


@pytest.mark.parametrize("verb", cli.VERBS)
def test_every_verb_answers_help(verb, run_python):
    finished = run_python("-m", "jimbot", verb, "--help")
    assert finished.returncode == 0, finished.stderr
    assert f"jimbot {verb}" in finished.stdout


def test_module_can_be_run(run_python):
    finished = run_python("-m", "jimbot", "--version")
    assert finished.returncode == 0, finished.stderr
    import jimbot

    assert finished.stdout == f"jimbot {jimbot.__version__}\n"


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("doktor", "there is no verb 'doktor'; did you mean 'doctor'?"),
        ("xyzzy", f"there is no verb 'xyzzy'; the verbs are {', '.join(cli.VERBS)}"),
        ("--fast", f"there is no option '--fast'; the verbs are {', '.join(cli.VERBS)}"),
    ],
)
def test_unknown_word_gives_one_clear_line(word, message, capsys):
    assert exit_code_of(word) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == f"jimbot: error: {message}\n"


def test_verb_gets_the_rest_of_the_line(plant_verb, capsys):
    def body(name: str, times: int = 1) -> None:
        print(name * times)

    plant_verb(body)
    assert exit_code_of("planted", "ho", "--times", "3") == 0
    assert capsys.readouterr().out == "hohoho\n"


def test_error_for_people_is_one_line_and_code_2(plant_verb, capsys):
    def body() -> None:
        raise JimbotError("the seed is too long; a seed has 8 characters")

    plant_verb(body)
    assert exit_code_of("planted") == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == "jimbot: error: the seed is too long; a seed has 8 characters\n"


def test_bug_keeps_its_traceback(plant_verb):
    def body() -> None:
        raise ZeroDivisionError("a bug")

    plant_verb(body)
    with pytest.raises(ZeroDivisionError, match="a bug"):
        cli.main(["planted"])


def test_interrupt_is_quiet(plant_verb, capsys):
    def body() -> None:
        raise KeyboardInterrupt

    plant_verb(body)
    assert exit_code_of("planted") == 130
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "")


def test_interrupt_while_importing_is_quiet(monkeypatch, capsys):
    def interrupted(verb: str) -> object:
        raise KeyboardInterrupt(verb)

    monkeypatch.setattr(cli, "load_application", interrupted)
    assert exit_code_of("doctor") == 130
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "")


def test_exit_code_of_a_verb_is_kept(plant_verb):
    def body() -> None:
        raise typer.Exit(code=7)

    plant_verb(body)
    assert exit_code_of("planted") == 7
