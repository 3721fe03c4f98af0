"""Every code block of the documents works.

Python blocks of one file share a namespace and run in order. Of shell blocks, the lines that call ``jimbot``
or ``python`` are run, lines that call ``make`` must name existing targets, and lines about getting the
project (git, pip, cd) are left alone. A failure names the document's file and line.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from conftest import ROOT

FENCE = re.compile(r"^(?P<indent> *)```(?P<language>\w*)[^`]*$")
SHELLS = ("bash", "console", "sh", "shell")
LEFT_ALONE = ("git", "pip", "cd", "source", "export")
TIMEOUT_SECONDS = 300


@dataclass(frozen=True)
class Block:
    """A fenced code block: its language, its first line's number in the document, its text."""

    language: str
    line: int
    text: str


def blocks_of(document: str) -> Iterator[Block]:
    """The fenced code blocks of a Markdown text."""
    language, start, collected, indent = "", 0, [], 0
    inside = False
    for number, line in enumerate(document.splitlines(), start=1):
        fence = FENCE.match(line)
        if fence and not inside:
            inside, language, start, collected = True, fence["language"], number + 1, []
            indent = len(fence["indent"])
        elif fence and inside:
            inside = False
            yield Block(language, start, "\n".join(collected))
        elif inside:
            collected.append(line[indent:] if line[:indent].isspace() or not indent else line)
    assert not inside, f"the code block that starts at line {start} is not closed"


def commands_of(block: Block) -> Iterator[tuple[int, str]]:
    """Line number and text of every command of a shell block; continued lines are joined."""
    pending, pending_line = "", 0
    for number, line in enumerate(block.text.splitlines(), start=block.line):
        if block.language == "console" and not pending and not line.startswith("$ "):
            continue  # what the command printed
        if not pending:
            pending_line = number
        pending += line.removeprefix("$ ")
        if pending.endswith("\\"):
            pending = pending[:-1]
            continue
        if pending.strip() and not pending.lstrip().startswith("#"):
            yield pending_line, pending.strip()
        pending = ""


def make_targets() -> set[str]:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    return set(re.findall(r"^([a-z][a-z-]*):(?!=)", makefile, flags=re.MULTILINE))


def problem_with_command(command: str, directory: Path) -> str | None:
    """Run or check one command; what is wrong with it, or None."""
    words = shlex.split(command, comments=True)
    program, arguments = words[0], words[1:]
    if program in LEFT_ALONE:
        return None
    if program == "make":
        targets = [word for word in arguments if not word.startswith("-") and "=" not in word]
        unknown = [target for target in targets if target not in make_targets()]
        return f"the Makefile has no target {', '.join(unknown)}" if unknown else None
    if program not in ("jimbot", "python", "python3"):
        return f"the tests do not know how to check {program!r}"
    if os.name == "nt":
        return None  # the commands are written for a POSIX shell
    environment = {**os.environ, "PATH": f"{directory / 'bin'}{os.pathsep}{os.environ['PATH']}"}
    finished = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", command],
        cwd=directory,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=TIMEOUT_SECONDS,
    )
    if finished.returncode:
        return f"exit code {finished.returncode}\n{finished.stdout[-2000:]}{finished.stderr[-2000:]}"
    return None


def make_commands_available(directory: Path) -> None:
    """Put ``jimbot`` and ``python`` of this very environment into ``directory/bin``."""
    binaries = directory / "bin"
    binaries.mkdir()
    python = shlex.quote(sys.executable)
    for name, line in (("jimbot", f"{python} -m jimbot"), ("python", python), ("python3", python)):
        (binaries / name).write_text(f'#!/usr/bin/env bash\nexec {line} "$@"\n')
        (binaries / name).chmod(0o755)


def problems_of(document: Path, directory: Path) -> list[str]:
    """Run every block of a document; what failed, each as ``file:line: what``."""
    make_commands_available(directory)
    namespace: dict[str, object] = {"__name__": "__main__"}
    found: list[str] = []
    for block in blocks_of(document.read_text(encoding="utf-8")):
        if block.language == "python":
            try:
                # Leading newlines make tracebacks show the document's own line numbers.
                exec(compile("\n" * (block.line - 1) + block.text, str(document), "exec"), namespace)
            except Exception as error:  # noqa: BLE001 - whatever a document's code raises is the finding
                line = line_of_failure(error, document) or block.line
                found.append(f"{document.name}:{line}: {type(error).__name__}: {error}")
        elif block.language in SHELLS:
            for line, command in commands_of(block):
                problem = problem_with_command(command, directory)
                if problem:
                    found.append(f"{document.name}:{line}: {command}: {problem}")
    return found


def line_of_failure(error: BaseException, document: Path) -> int | None:
    """The innermost line of the document that the error went through."""
    if isinstance(error, SyntaxError):
        return error.lineno
    line, trace = None, error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == str(document):
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("**/*.md"))]

# MLflow calls what its database library has deprecated.
MLFLOW_WARNINGS = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
]


@pytest.mark.parametrize(
    "document",
    [pytest.param(path, marks=MLFLOW_WARNINGS if path.name == "tracking.md" else []) for path in DOCUMENTS],
    ids=[path.relative_to(ROOT).as_posix() for path in DOCUMENTS],
)
def test_code_blocks_work(document, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert problems_of(document, tmp_path) == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_links_lead_to_files(document):
    text = document.read_text(encoding="utf-8")
    links = [link.partition("#")[0] for link in re.findall(r"\]\(([^)\s]+)\)", text) if ":" not in link]
    missing = [link for link in links if link and not (document.parent / link).exists()]
    assert missing == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_blocks_have_a_language_that_is_run_or_is_not_code(document):
    known = {"python", *SHELLS, "text", "yaml", "toml", "cpp", ""}
    assert {block.language for block in blocks_of(document.read_text(encoding="utf-8"))} <= known


@pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")
def test_planted_failures_are_found(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    document = tmp_path / "planted.md"
    document.write_text(
        "```python\nnumber = 1\n```\n\n"
        "```python\nassert number == 1\nassert number == 2, 'numbers differ'\n```\n\n"
        "```bash\n# a comment\nmake help no-such-target\njimbot --version\n"
        "jimbot \\\n  no-such-command\ngit clone x\n```\n\n"
        "```console\n$ python -c 'print(1)'\n1\n$ frobnicate\n```\n\n"
        "```text\nnot code\n```\n"
    )
    assert [problem.split("\n")[0] for problem in problems_of(document, tmp_path)] == [
        "planted.md:7: AssertionError: numbers differ",
        "planted.md:12: make help no-such-target: the Makefile has no target no-such-target",
        "planted.md:14: jimbot   no-such-command: exit code 2",
        "planted.md:22: frobnicate: the tests do not know how to check 'frobnicate'",
    ]
