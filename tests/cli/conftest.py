"""Running the command line inside the test process."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from jimbot import cli


@dataclass(frozen=True)
class Finished:
    """What a command left behind."""

    code: object
    out: str
    err: str


@pytest.fixture
def jimbot(capsys, monkeypatch):
    """A function that runs ``jimbot`` with arguments, on a terminal 100 columns wide."""
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.delenv("FORCE_COLOR", raising=False)

    def run(*arguments: str) -> Finished:
        with pytest.raises(SystemExit) as caught:
            cli.main(arguments)
        captured = capsys.readouterr()
        return Finished(caught.value.code, captured.out, captured.err)

    return run
