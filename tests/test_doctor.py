"""``jimbot doctor``: says what is there and how to get what is missing, without importing any of it."""

from __future__ import annotations

import json
import os
import sys
import tomllib

import pytest

from jimbot.cli import doctor

HEAVY = ("torch", "jax", "ray", "tianshou", "stable_baselines3", "mlflow", "wandb", "streamlit", "numpy")


@pytest.fixture(scope="module")
def extras_of_project():
    from conftest import ROOT

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return project["optional-dependencies"]


def test_json_report_has_every_part(run_python, extras_of_project):
    finished = run_python("-m", "jimbot", "doctor", "--json")
    assert finished.returncode == 0, finished.stderr
    report = json.loads(finished.stdout)
    import jimbot

    assert report["jimbot"] == jimbot.__version__
    assert report["python"].startswith("{}.{}.{}".format(*sys.version_info))
    assert report["processors"] >= 1
    assert {extra["name"] for extra in report["extras"]} == extras_of_project.keys() - {"all"}


def test_engine_tells_how_it_was_built():
    engine = doctor.examine().engine
    import jimbot

    assert engine["version"] == jimbot.__version__
    assert engine["standard"] >= 202002
    assert engine["fp_contract"] == "off"
    assert {"compiler", "optimization", "lto", "native"} <= engine.keys()
    # `make sanitize` sets the variable: its tests must really meet the sanitized module.
    assert engine["sanitized"] is ("JIMBOT_SANITIZED" in os.environ)


def test_text_report_is_readable(run_python):
    finished = run_python("-m", "jimbot", "doctor")
    assert finished.returncode == 0, finished.stderr
    for word in ("jimbot", "python", "system", "compiler", "engine", "extras:"):
        assert word in finished.stdout


def test_nothing_heavy_is_imported(run_python):
    script = "import sys; from jimbot.cli.doctor import examine; examine(); print(*sys.modules)"
    finished = run_python("-c", script)
    assert finished.returncode == 0, finished.stderr
    assert not set(HEAVY).intersection(finished.stdout.split())


def test_extras_are_complete_partial_or_absent():
    complete, partial, absent = doctor.examine_extras(
        [
            "numpy>=1.26",
            'pytest>=8; extra == "complete"',
            'pytest>=8; extra == "partial"',
            'a-package-that-is-absent[part]>=1; python_version > "3" and extra == "partial"',
            "a-package-that-is-absent; extra == 'absent'",
            'jimbot[complete,partial]; extra == "all"',
        ]
    )
    assert (complete.name, complete.complete, complete.command) == ("complete", True, "")
    assert complete.installed == {"pytest": pytest.__version__}
    assert (partial.missing, partial.command) == (
        ["a-package-that-is-absent"],
        "pip install 'jimbot[partial]'",
    )
    assert (absent.installed, absent.missing) == ({}, ["a-package-that-is-absent"])
    report = doctor.Report("1", "3", "linux", 1, None, {"version": "1"}, [complete, partial, absent])
    text = "\n".join(doctor.format_report(report))
    assert "complete   ready" in text
    assert "partial    partial  pip install 'jimbot[partial]'  (missing: a-package-that-is-absent)" in text
    assert "absent     absent" in text
    assert "none on PATH" in text


def test_missing_engine_is_reported_and_fails(monkeypatch, capsys):
    from jimbot import cli

    monkeypatch.setitem(sys.modules, "jimbot._engine", None)
    monkeypatch.delattr("jimbot._engine", raising=False)
    with pytest.raises(SystemExit) as caught:
        cli.main(["doctor"])
    assert caught.value.code == 1
    assert "engine      error" in capsys.readouterr().out


def test_compiler_of_the_environment_comes_first(monkeypatch):
    monkeypatch.setenv("CXX", sys.executable)
    assert doctor.find_compiler() == f"{sys.executable}: Python {sys.version.split()[0]}"


def test_no_compiler_is_no_error(monkeypatch):
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("CXX", raising=False)
    assert doctor.find_compiler() is None
