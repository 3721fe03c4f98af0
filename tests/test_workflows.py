"""The workflows, templates and metadata beside the code: they parse, and the commands they name exist."""

from __future__ import annotations

import re
import tomllib

import pytest
import yaml
from tools.project_urls import with_urls

from conftest import ROOT

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
TEMPLATES = sorted(
    path for path in (ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml") if path.stem != "config"
)
NAMES = [path.name for path in WORKFLOWS]


def load(path):
    """A YAML file; the key ``on`` of workflows is read as text, not as a boolean."""
    return yaml.load(path.read_text(encoding="utf-8"), Loader=yaml.BaseLoader)


def steps_of(workflow):
    return [step for job in workflow["jobs"].values() for step in job["steps"]]


def make_targets():
    return set(
        re.findall(r"^([a-z][a-z -]*):(?!=)", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    )


def targets_named_by(commands):
    """The targets that lines of shell hand to make."""
    return [
        word
        for line in re.findall(r"^\s*make (.*)$", commands, re.MULTILINE)
        for word in line.split()
        if "=" not in word and not word.startswith("-")
    ]


@pytest.mark.parametrize("path", WORKFLOWS, ids=NAMES)
def test_workflow_is_well_formed(path):
    workflow = load(path)
    assert {"name", "on", "permissions", "jobs"} <= set(workflow)
    assert workflow["name"] == path.stem
    for name, job in workflow["jobs"].items():
        assert {"runs-on", "timeout-minutes", "steps"} <= set(job), name
        needs = job.get("needs", [])
        assert set([needs] if isinstance(needs, str) else needs) <= set(workflow["jobs"]), name
        for step in job["steps"]:
            assert len({"run", "uses"} & set(step)) == 1, (name, step)
            assert "uses" not in step or "@" in step["uses"]


@pytest.mark.parametrize("path", WORKFLOWS, ids=NAMES)
def test_commands_of_workflows_exist(path):
    for step in steps_of(load(path)):
        commands = step.get("run", "")
        assert set(targets_named_by(commands)) <= {word for names in make_targets() for word in names.split()}
        for script in re.findall(r"^\s*(\.\w+/\w+)", commands, re.MULTILINE):
            assert (ROOT / script).is_file()
        for module in re.findall(r"python -m (tools\.\w+)", commands):
            assert (ROOT / (module.replace(".", "/") + ".py")).is_file()


def test_targets_are_read_from_commands():
    assert targets_named_by("make fuzz FUZZ_SECONDS=1\necho make x\nmake --jobs docs test") == [
        "fuzz",
        "docs",
        "test",
    ]


def test_every_kind_of_test_is_run_by_some_workflow():
    commands = " ".join(step.get("run", "") for path in WORKFLOWS for step in steps_of(load(path)))
    for command in (
        ".ci/run",
        "make sanitize",
        "make fuzz",
        "make test-slow",
        "make test-learning",
        "make docs",
    ):
        assert command in commands


def test_only_publishing_jobs_may_write():
    for path in WORKFLOWS:
        workflow = load(path)
        assert workflow["permissions"] == {"contents": "read"}, path.name
        for name, job in workflow["jobs"].items():
            assert name == "publish" or "permissions" not in job


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.name)
def test_issue_template_is_well_formed(path):
    template = load(path)
    assert {"name", "description", "body"} <= set(template)
    identifiers = [field["id"] for field in template["body"] if field["type"] != "markdown"]
    assert identifiers
    assert len(identifiers) == len(set(identifiers))
    assert all(field["type"] in ("markdown", "textarea", "input") for field in template["body"])


def test_citation_has_the_version_of_the_project():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    citation = load(ROOT / "CITATION.cff")
    assert citation["version"] == project["version"]
    assert citation["license"] == project["license"]
    assert [each["name"] for each in citation["authors"]] == [each["name"] for each in project["authors"]]
    assert {"cff-version", "message", "title"} <= set(citation)


def test_hooks_run_the_tools_of_the_environment():
    (repository,) = load(ROOT / ".pre-commit-config.yaml")["repos"]
    assert repository["repo"] == "local"
    assert {hook["id"] for hook in repository["hooks"]} == {
        "ruff-check",
        "ruff-format",
        "clang-format",
        "pyright",
    }
    for hook in repository["hooks"]:
        assert hook["language"] == "system"
        assert hook["entry"].startswith(".venv/bin/")


def test_project_urls_are_added_once():
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    written = with_urls(text, "https://example.org/team/jimbot/")
    urls = tomllib.loads(written)["project"]["urls"]
    assert urls["Repository"] == "https://example.org/team/jimbot"
    assert urls["Issues"] == "https://example.org/team/jimbot/issues"
    assert tomllib.loads(written)["project"]["scripts"] == tomllib.loads(text)["project"]["scripts"]
    with pytest.raises(ValueError, match="already"):
        with_urls(written, "https://example.org/team/jimbot")


@pytest.mark.parametrize("address", ["", "example.org/x", "http://example.org/x", "https://example.org"])
def test_addresses_that_are_none_are_refused(address):
    with pytest.raises(ValueError, match="expected the https address"):
        with_urls("[project]\n[project.scripts]\n", address)
