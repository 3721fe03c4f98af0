"""The documentation site: it builds without a warning, and its generated pages are up to date."""

from __future__ import annotations

import subprocess
import sys
import tomllib

import pytest
from tools.architecture_page import architecture_page, drawn_graph, graph_picture
from tools.commands_page import commands_page
from tools.configuration_page import configuration_page
from tools.environments_api_page import environments_api_page
from tools.page_marks import filled
from tools.readme_page import numbers_text, readme_page

import jimbot


def test_configuration_page_is_current(root):
    page = (root / "docs" / "reference" / "configuration.md").read_text(encoding="utf-8")
    assert page == configuration_page(), "make docs writes the page anew"


def test_commands_page_is_current(root):
    page = (root / "docs" / "reference" / "commands.md").read_text(encoding="utf-8")
    assert page == commands_page(), "make docs writes the page anew"


def test_architecture_page_is_current(root):
    page = (root / "docs" / "explanation" / "architecture.md").read_text(encoding="utf-8")
    assert page == architecture_page(page), "make docs writes the page anew"
    picture = (root / "docs" / "images" / "imports.svg").read_text(encoding="utf-8")
    assert picture == graph_picture(drawn_graph()), "make docs draws the picture anew"


def test_picture_has_every_package_and_edge():
    graph = {"a": {"b", "c", "errors"}, "b": {"c"}, "c": {"errors"}, "errors": set()}
    picture = graph_picture(graph)
    assert [name for name in graph if f">{name}</text>" in picture] == ["a", "b", "c"]
    assert picture.count("<path") == 2  # a to c goes through b


def test_readme_is_current(root):
    page = (root / "README.md").read_text(encoding="utf-8")
    assert page == readme_page(page), "make docs writes the table anew"
    assert "95 % interval" in numbers_text()


def test_readme_names_the_extras_and_no_others(root):
    page = (root / "README.md").read_text(encoding="utf-8")
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    table = page.partition("## Extras")[2].partition("## Where")[0]
    cells = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    named = {name.strip(" `") for cell in cells for name in cell.split(",")}
    assert named == project["optional-dependencies"].keys() - {"all"}


def test_animation_is_small(root):
    picture = root / "docs" / "images" / "winning_run.gif"
    assert picture.read_bytes()[:6] == b"GIF89a"
    assert picture.stat().st_size < 1_500_000


def test_marks():
    page = "before\n<!-- part -->\nold\n<!-- end of part -->\nafter\n"
    new = filled(page, {"part": "new \\1"})
    assert new == "before\n<!-- part -->\n\nnew \\1\n\n<!-- end of part -->\nafter\n"
    assert filled(new, {"part": "new \\1"}) == new
    for broken in ("nothing", page + page):
        with pytest.raises(ValueError, match="must have the marks <!-- part -->"):
            filled(broken, {"part": "new"})


def api_text(root):
    return "".join(
        path.read_text(encoding="utf-8") for path in (root / "docs" / "reference" / "api").glob("*.md")
    )


def test_every_documented_module_of_training_has_its_place_in_the_api_pages(root):
    text = api_text(root)
    modules = {path.stem for path in (root / "src" / "jimbot" / "training").glob("*.py")} - {"__init__"}
    assert [name for name in sorted(modules) if f"automodule:: jimbot.training.{name}\n" not in text] == []


def test_api_page_of_the_other_environments_is_current(root):
    pytest.importorskip("jax")
    page = (root / "docs" / "reference" / "api" / "environments.md").read_text(encoding="utf-8")
    assert page == environments_api_page(), "make docs writes the page anew"


def test_every_public_name_is_in_the_api_pages(root):
    text = (root / "docs" / "reference" / "api" / "jimbot.md").read_text(encoding="utf-8")
    assert [name for name in jimbot.__all__ if name not in text and name != "__version__"] == []


def test_site_builds_without_warnings(root, tmp_path):
    for library in (
        "sphinx",
        "myst_nb",
        "furo",
        "matplotlib",
        "stable_baselines3",
        "torch",
        "jax",
        "ray",
        "tianshou",
    ):
        pytest.importorskip(library)
    finished = subprocess.run(
        [
            sys.executable,
            "-m",
            "sphinx",
            "-q",
            "-W",
            "--keep-going",
            "-b",
            "html",
            "-d",
            str(tmp_path / "trees"),
            str(root / "docs"),
            str(tmp_path / "site"),
        ],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert finished.returncode == 0, finished.stderr
    assert (tmp_path / "site" / "reference" / "commands.html").exists()
