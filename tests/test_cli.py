"""The ``jimbot`` command itself: help, dispatch to commands, exit codes. Commands have tests of their own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from types import ModuleType

import pytest
import typer
from typer.main import get_command

from jimbot import cli
from jimbot.cli.completion import completion_command
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
def plant_command(monkeypatch):
    """A function that adds a command ``planted`` whose body is the given function."""

    def plant(body):
        module = ModuleType("planted_command")
        module.app = typer.Typer(add_completion=False)  # pyright: ignore[reportAttributeAccessIssue]
        module.app.command()(body)
        monkeypatch.setitem(sys.modules, "planted_command", module)
        monkeypatch.setitem(cli.COMMANDS, "planted", ("planted_command:app", "a command for the test"))

    return plant


def exit_code_of(*arguments: str) -> object:
    with pytest.raises(SystemExit) as caught:
        cli.main(arguments)
    return caught.value.code


@pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"], ["help"]])
def test_help_lists_every_command_with_its_line(arguments, capsys):
    assert exit_code_of(*arguments) == 0
    output = capsys.readouterr().out
    for command, (_, line) in cli.COMMANDS.items():
        assert f"  {command} " in output
        assert line in output


def test_help_imports_nothing_slow(run_python):
    finished = run_python("-c", LIST_MODULES_AFTER_HELP)
    assert finished.returncode == 0, finished.stderr
    code, modules = json.loads(finished.stdout.splitlines()[-1])
    assert code == 0
    commands = {f"jimbot.cli.{command}" for command in cli.COMMANDS}
    assert not commands.union(SLOW_MODULES).intersection(modules)


@pytest.mark.parametrize("command", cli.COMMANDS)
def test_every_command_answers_help(command, run_python):
    finished = run_python("-m", "jimbot", command, "--help")
    assert finished.returncode == 0, finished.stderr
    assert f"jimbot {command}" in finished.stdout


def test_module_can_be_run(run_python):
    finished = run_python("-m", "jimbot", "--version")
    assert finished.returncode == 0, finished.stderr
    import jimbot

    assert finished.stdout == f"jimbot {jimbot.__version__}\n"


def every_command_listed() -> str:
    *others, last = cli.COMMANDS
    return f"expected {', '.join(others)} or {last}"


@pytest.mark.parametrize(
    ("word", "message"),
    [
        ("doktor", "there is no command 'doktor'; did you mean 'doctor'?"),
        ("xyzzy", f"there is no command 'xyzzy'; {every_command_listed()}"),
        ("--fast", f"there is no option '--fast'; {every_command_listed()}"),
    ],
)
def test_unknown_word_gives_one_clear_line(word, message, capsys):
    assert exit_code_of(word) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == f"jimbot: error: {message}\n"


def test_command_gets_the_rest_of_the_line(plant_command, capsys):
    def body(name: str, times: int = 1) -> None:
        print(name * times)

    plant_command(body)
    assert exit_code_of("planted", "ho", "--times", "3") == 0
    assert capsys.readouterr().out == "hohoho\n"


def test_error_for_people_is_one_line_and_code_2(plant_command, capsys):
    def body() -> None:
        raise JimbotError("the seed is too long; a seed has 8 characters")

    plant_command(body)
    assert exit_code_of("planted") == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == "jimbot: error: the seed is too long; a seed has 8 characters\n"


def test_bug_keeps_its_traceback(plant_command):
    def body() -> None:
        raise ZeroDivisionError("a bug")

    plant_command(body)
    with pytest.raises(ZeroDivisionError, match="a bug"):
        cli.main(["planted"])


def test_interrupt_is_quiet(plant_command, capsys):
    def body() -> None:
        raise KeyboardInterrupt

    plant_command(body)
    assert exit_code_of("planted") == 130
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "")


def test_interrupt_while_importing_is_quiet(monkeypatch, capsys):
    def interrupted(command: str) -> object:
        raise KeyboardInterrupt(command)

    monkeypatch.setattr(cli, "load_application", interrupted)
    assert exit_code_of("doctor") == 130
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", "")


def test_exit_code_of_a_command_is_kept(plant_command):
    def body() -> None:
        raise typer.Exit(code=7)

    plant_command(body)
    assert exit_code_of("planted") == 7


def every_command() -> list[list[str]]:
    """The words of every command and subcommand."""
    found = []
    for name in cli.COMMANDS:
        command = get_command(cli.load_application(name))
        found += [[name], *([name, inner] for inner in getattr(command, "commands", {}))]
    return found


@pytest.mark.parametrize("words", every_command(), ids=" ".join)
def test_short_help_is_the_long_help(words, capsys):
    assert exit_code_of(*words, "-h") == 0
    short = capsys.readouterr().out
    assert exit_code_of(*words, "--help") == 0
    assert short == capsys.readouterr().out
    assert f"jimbot {' '.join(words)}" in short


def run_with(variables: dict[str, str], *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "jimbot", *arguments]
    return subprocess.run(command, env=os.environ | variables, capture_output=True, text=True, timeout=120)


@pytest.mark.parametrize(
    ("line", "expected"),
    [("jimbot tr", {"train", "track"}), ("jimbot seed f", {"find"}), ("jimbot train --bac", {"--backend"})],
)
def test_the_shell_completes(line, expected):
    words = {"COMP_WORDS": line, "COMP_CWORD": str(len(line.split()) - 1)}
    finished = run_with({"_JIMBOT_COMPLETE": "complete_bash", **words})
    assert set(finished.stdout.split()) == expected


@pytest.mark.skipif(os.name == "nt", reason="the shells of POSIX")
def test_completion_script_can_be_shown(capsys, monkeypatch):
    monkeypatch.setattr("typer.completion._get_shell_name", lambda: "bash")
    assert exit_code_of("--show-completion") == 0
    assert "_JIMBOT_COMPLETE=complete_bash" in capsys.readouterr().out
    assert {"--install-completion", "--show-completion"} <= {
        option
        for parameter in completion_command(cli.COMMANDS, cli.load_application).params
        for option in parameter.opts
    }


@pytest.mark.skipif(os.name == "nt", reason="no SIGPIPE")
@pytest.mark.parametrize(("reader", "code"), [("true", 141), ("cat", 0)])
def test_a_closed_pipe_ends_quietly(reader, code):
    line = f'("$0" -m jimbot seed A --json; echo $? >&2) | (sleep 0; {reader})'
    if reader == "true":
        line = '(sleep 1; "$0" -m jimbot seed A; echo $? >&2) | true'
    finished = subprocess.run(
        ["bash", "-c", line, sys.executable], capture_output=True, text=True, timeout=120
    )
    assert finished.stderr == f"{code}\n"
